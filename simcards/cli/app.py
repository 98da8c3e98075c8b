"""All commands, put together."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from simcards.cli.bench import bench
from simcards.cli.games import games
from simcards.cli.match import match
from simcards.cli.play import play
from simcards.cli.replay import replay
from simcards.cli.report import report
from simcards.cli.rules import rules
from simcards.cli.run import run
from simcards.cli.sample import sample

ASKING = "Ask"
WRITING = "Write"
ABOUT = "About"

app = typer.Typer(
    name="simcards",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        import simcards

        print(f"simcards {simcards.__version__}")
        raise typer.Exit


@app.callback(
    epilog="Begin with [bold]simcards games[/bold], then [bold]simcards play rubicon-bezique[/bold].",
)
def _simcards(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Odds, scores and strategies of classic card games, from simulated deals, with honest errors."""


app.command(rich_help_panel=ASKING)(games)
app.command(rich_help_panel=ASKING)(rules)
app.command(rich_help_panel=ASKING)(play)
app.command(rich_help_panel=ASKING)(match)
app.command(rich_help_panel=ASKING)(replay)
if importlib.util.find_spec("simcards.cli.odds") is not None:
    from simcards.cli.odds import odds

    app.command(rich_help_panel=ASKING)(odds)
app.command(rich_help_panel=WRITING)(sample)
app.command(rich_help_panel=WRITING)(report)
app.command(rich_help_panel=WRITING)(run)
app.command(rich_help_panel=ABOUT)(bench)
