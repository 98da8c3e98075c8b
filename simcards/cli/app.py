"""All commands, put together."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
import typer.core

from simcards.cli.advise import advise
from simcards.cli.bench import bench
from simcards.cli.bids import bids
from simcards.cli.games import games
from simcards.cli.match import match
from simcards.cli.play import play
from simcards.cli.replay import replay
from simcards.cli.report import report
from simcards.cli.rules import rules
from simcards.cli.run import run
from simcards.cli.sample import sample
from simcards.cli.sweep import sweep


class _Command(typer.core.TyperCommand):
    """A command whose help names its arguments as they are typed, without braces and types."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for argument in self._arguments():
            argument.display_type_rich = lambda ctx: None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands behind the command in the line that shows its usage."""
        return [self.options_metavar or "", *(argument.metavar for argument in self._arguments())]

    def _arguments(self) -> list[Any]:
        return [parameter for parameter in self.params if parameter.param_type_name == "argument"]


app = typer.Typer(
    name="simcards",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _examples(lines: Iterable[str]) -> str:
    """Return an epilogue whose lines stay as they are."""
    return "\n".join(["\b", "Examples:", *(f"  simcards {line}" for line in lines)])


def _add(function: Callable[..., Any], *examples: str) -> None:
    app.command(epilog=_examples(examples), cls=_Command)(function)


def _version(wanted: bool) -> None:
    if wanted:
        import simcards

        print(f"simcards {simcards.__version__}")
        raise typer.Exit


@app.callback(
    epilog=_examples(["games", "rules rubicon-bezique", "play rubicon-bezique", "replay rubicon-bezique --deal 7"])
)
def _simcards(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Odds, scores and strategies of classic card games: simulated deals, honest errors."""


_add(games, "games", "games --json")
_add(
    rules,
    "rules rubicon-bezique",
    "rules рубикон",
    "rules bezique --set target=500 --unit game",
    "rules rubicon-bezique --quantities",
)
_add(
    play,
    "play rubicon-bezique",
    "play rubicon-bezique -s basic -s random -n 1e6",
    "play bezique --unit game -n 20k --set target=500",
    'play rubicon-bezique --fix "pone=QS QS JD JD" --quantity points',
    "play bezique --precision 0.5 --target points.pone",
    "play rubicon-bezique -n 1e8 --checkpoint run.json --resume",
)
_add(
    match,
    "match rubicon-bezique basic random",
    "match bezique basic mine.py:bold --unit game --precision 0.01 --target won",
)
_add(
    sweep,
    "sweep bezique mc --over worlds=5..40x2 -n 200",
    "sweep bezique mine.py:bold --over courage=0..1+0.1 --against basic --plot courage.svg",
    "sweep bezique mc --over worlds=10,20 --over doubt=0..3 --best --confirm 2000",
)
_add(replay, "replay rubicon-bezique --seed 1 --deal 123", "replay bezique -s basic -s random --legal")
_add(
    advise,
    'advise rubicon-bezique --position "hand: QS QS JD AS KH TC 9D 8H 7C"',
    'advise bezique --position "hand: QS JD AS KH TC 9D 8H 7C; trump: H; stock: 20"',
    "advise bezique --deal 7 --decision 30 --until-clear",
    "advise bezique --deal 7 --decision 30 --show",
    "advise bezique --position @hand.txt -n 20k",
)
_add(
    bids,
    'bids thousand-three --hand "AS TS KS QS AH 9H 9C"',
    'bids thousand-three --hand "AS TS KS QS AH 9H 9C" --level basic --level open --listen',
    "bids deberts --table -n 20k",
)
if importlib.util.find_spec("simcards.cli.odds") is not None:
    _odds = importlib.import_module("simcards.cli.odds")
    _add(_odds.odds, *getattr(_odds, "EXAMPLES", ()))
_add(sample, "sample rubicon-bezique -n 1e5 -o deals.csv", "sample bezique --unit game --csv | head")
_add(report, "report rubicon-bezique", "report bezique -n 1e6 --against random -o pages/bezique")
_add(run, "run experiments/rubicon-bezique.toml")
_add(bench, "bench", "bench --quick --json")
