"""``simcards odds``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcards.cli import options, output
from simcards.errors import UsageError

if TYPE_CHECKING:
    from simcards.odds.result import OddsResult

EXAMPLES = (
    "odds rubicon-bezique",
    "odds --pack 32x6 --hand 12 \"n('QS') >= 2 and n('JD') >= 2\"",
    "odds --pack 52 --hand 13 \"points('A4 K3 Q2 J1')\" --distribution",
    'odds --pack 32 --hand 12 "any_suit(run() >= 5)" "max_rank(n()) == 4" -n 0 --json',
    "odds --pack 32 --hand hand=10 --hand talon=2 \"n('J', talon) == 2\"",
    'odds --pack 32 --known "KS 9S 8H JD 7C" --hand "AS QS JS TS AH KH QH +5" "run() >= 5"',
    "odds --pack 52 --hand 13 --given \"22 <= points('A4 K3 Q2 J1') <= 24\" \"shape() == '4333'\"",
    "odds --file questions.toml -o folder",
)

_PLOTS = (".svg", ".png", ".pdf")


def odds(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [QUESTION]...",
            help="A game asks for its dealt hand. A question is an expression such as \"n('K') >= 2\", or the "
            "name of one of the game's features.",
            show_default=False,
        ),
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option("--pack", metavar="PACK", help="The pack: 32, 32x6, 52+2, …", show_default=False),
    ] = None,
    hand: Annotated[
        list[str] | None,
        typer.Option(
            "--hand",
            metavar="HAND",
            help='Cards dealt: 12, or known ones and how many more: "AS KS +10". Several hands: hand1=10, talon=2.',
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            metavar="CARDS",
            help="Cards known to be elsewhere, discards for one.",
            show_default=False,
        ),
    ] = None,
    given: Annotated[
        str | None,
        typer.Option("--given", metavar="QUESTION", help="Only deals in which this is true count.", show_default=False),
    ] = None,
    trump: Annotated[
        str | None,
        typer.Option("--trump", metavar="SUIT", help="The suit that 'trumps' means.", show_default=False),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="Questions from a file, TOML or one a line.",
            show_default=False,
        ),
    ] = None,
    deals: options.Deals = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="The same seed gives the same cards; 1 if left out.",
            show_default=False,
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="X",
            help="Stop as soon as every answer is known to within X; --deals is then the most.",
            show_default=False,
        ),
    ] = None,
    distribution: Annotated[
        bool, typer.Option("--distribution", help="Draw how often each number is how large.")
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the plot to a file: .svg, .png or .pdf.", show_default=False),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="N",
            help="States a count may go through; 1e9 if left out.",
            show_default=False,
        ),
    ] = None,
    sampling: Annotated[
        str,
        typer.Option("--sampling", metavar="HOW", help="How --given is met: auto, direct or rejection."),
    ] = "auto",
    tries: Annotated[
        str | None,
        typer.Option(
            "--tries",
            metavar="N",
            help="Hands dealt at most by rejection; 1e9 if left out.",
            show_default=False,
        ),
    ] = None,
    workers: options.Workers = None,
    out: options.OutFolder = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Count and simulate the odds of dealt cards.

    What can be counted is given exactly, as a fraction, with the simulated value beside it. 1,000,000
    deals are simulated if not told otherwise; -n 0 only counts. The language of questions is in
    docs/odds.md.
    """
    from simcards.odds import api
    from simcards.odds.tree import ExpressionError

    output.one_format(as_json, as_csv)
    if plot is not None and plot.suffix.lower() not in _PLOTS:
        raise UsageError(f"a plot is written to a file that ends in {', '.join(_PLOTS)}, not {str(plot)!r}")
    if plot is not None:
        from simcards.study.files import check_writable

        check_writable(plot)
    if out is not None:
        from simcards.report.folder import check_folder

        check_folder(out)
    asked: dict[str, Any] = {}
    if file is not None:
        from simcards.odds.files import read_questions

        asked = read_questions(file)
    _question(asked, list(what or ()), pack)
    asked |= _hands(hand or ())
    typed = {
        "pack": pack, "given": given, "trump": trump, "deals": deals, "seed": seed, "precision": precision,
        "budget": budget, "known": " ".join(known) if known else None,
    }  # fmt: skip
    asked |= {name: value for name, value in typed.items() if value is not None}
    _complete(asked)
    if sampling != "auto":
        asked["sampling"] = sampling
    try:
        result = api.odds(**asked, most_tries=tries, workers=workers, progress=output.progress(quiet))
    except ExpressionError as error:
        _complain(error)
    if out is not None:
        result.save(out)
    if plot is not None:
        _draw(result, plot)
    _print(result, distribution, as_json, as_csv, quiet)


def _question(asked: dict[str, Any], words: list[str], pack: str | None) -> None:
    """Tell the game from the questions."""
    from simcards.games import registry

    if words and "game" not in asked:
        try:
            asked["game"] = registry.ruleset(words[0]).id
        except UsageError as error:
            if pack is None and "pack" not in asked:
                if any(sign in words[0] for sign in "()'\"<>="):
                    raise UsageError(
                        "which cards? give --pack and --hand, as in --pack 32x6 --hand 12, or a game before "
                        "the question"
                    ) from None
                raise error
        else:
            words = words[1:]
    if words:
        before = asked.get("features")
        features = list(before) if isinstance(before, list) else []
        asked["features"] = [*features, *words]


def _complete(asked: dict[str, Any]) -> None:
    """Say what is missing as it would be typed."""
    if "game" not in asked:
        if "pack" not in asked:
            raise UsageError(
                "which cards? give a pack and a hand, as in --pack 32x6 --hand 12, or a game, as in "
                "'simcards odds rubicon-bezique'"
            )
        if asked.get("hand") is None and not asked.get("hands"):
            raise UsageError("how many cards are dealt? give the size of the hand, as in --hand 12")


def _hands(texts: Any) -> dict[str, Any]:
    """Read --hand: a size or cards, or several with names."""
    plain: list[str] = []
    named: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            plain.append(text)
        elif name.strip() in named:
            raise UsageError(f"--hand gives {name.strip()!r} twice")
        else:
            named[name.strip()] = value.strip()
    if len(plain) > 1:
        raise UsageError("several hands need names, as in --hand hand1=10 --hand hand2=10 --hand talon=2")
    made: dict[str, Any] = {}
    if plain:
        made["hand"] = plain[0]
    if named:
        made["hands"] = named
    if made:
        made.setdefault("hand", None)
        made.setdefault("hands", None)
    return made


def _complain(error: Any) -> None:
    """Print what is wrong with an expression, and where, and end with 2."""
    sys.stdout.flush()
    print(f"simcards: {error}", file=sys.stderr)
    raise typer.Exit(2)


def _draw(result: OddsResult, path: Path) -> None:
    from simcards.study.files import replacing

    figure = result.plot()
    with replacing(path) as work:
        figure.savefig(work, format=path.suffix.lower()[1:], dpi=160)


def _print(result: OddsResult, distribution: bool, as_json: bool, as_csv: bool, quiet: bool) -> None:
    if distribution:
        from simcards.odds.result import check_distribution

        check_distribution(result)
    if as_json or as_csv:
        rows = [*result.records, *(result.value_records() if distribution else [])]
        if as_json:
            output.print_json(rows, result.provenance)
        else:
            output.print_csv(rows)
    else:
        from simcards import terminal

        terminal.show(result, output.console(), distribution, remarks=not quiet)
    if result.interrupted:
        from simcards.odds.written import several

        sys.stdout.flush()
        covers = "the figures cover these" if result.deals else "nothing was simulated"
        print(
            f"simcards: interrupted after {result.deals:,} of {several(result.wanted, 'deal')}; {covers}",
            file=sys.stderr,
        )
        raise typer.Exit(output.INTERRUPTED)
