"""``simcards bench``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simcards.cli import options, output

if TYPE_CHECKING:
    from simcards.bench import Row

_SECTIONS = {
    "dealing": ("Full deals", ("a second", "ours / this")),
    "play": ("Play", ("a second", "decisions", "ns a decision")),
    "search": ("Search", ("a second",)),
    "solver": ("Open cards, solved", ("a second",)),
    "workers": ("Workers", ("a second", "ratio")),
    "start": ("Commands", ("seconds",)),
}


def bench(
    game: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Only these games; all if left out.", show_default=False),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Measure for a short time only.")] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="Measure also the first run on a fresh machine (a minute a game).")
    ] = False,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure the speed on this machine.

    Dealing against NumPy and against the same loop in C, random and basic play of every game on one core,
    tricks solved with open cards, two workers against one, and how long the commands take to start.
    """
    from simcards import bench as benchmarks
    from simcards.study.progress import waiting

    output.one_format(as_json, as_csv)
    rows = benchmarks.measure(game or (), quick=quick, cold=cold)
    with waiting("the games", "measuring", show=output.progress(quiet)):
        measured = list(rows)
    if as_json:
        output.print_json([row.as_record() for row in measured], benchmarks.provenance())
    elif as_csv:
        output.print_csv([row.as_record() for row in measured])
    else:
        _show(measured, quiet)


def _show(measured: list[Row], quiet: bool) -> None:
    from simcards import terminal
    from simcards.report.tables import Heading, Table, plain

    console = output.console()
    name = Heading("", number=False)
    names = max(len(row.name) for row in measured)
    for place, (section, (caption, heads)) in enumerate(_SECTIONS.items()):
        rows = [row for row in measured if row.section == section]
        if not rows:
            continue
        cells = []
        for row in rows:
            numbers = {
                "a second": "–" if row.rate is None else plain(_rounded(row.rate)),
                "ours / this": "–" if row.ratio is None else f"{row.ratio:.2f}",
                "ratio": "–" if row.ratio is None else f"{row.ratio:.2f}",
                "decisions": "–" if row.decisions is None else f"{row.decisions:.1f}",
                "ns a decision": "–" if row.ns is None else f"{row.ns:.0f}",
                "seconds": "–" if row.seconds is None else f"{row.seconds:.2f}",
            }
            cells.append((row.name, *(numbers[head] for head in heads), row.note))
        if place:
            console.print()
        table = Table(section, caption, (name, *map(Heading, heads), name), tuple(cells))
        terminal.put(console, table, names)
    if not quiet:
        console.print()
        console.print("Rates are the best of several repetitions, on one core unless told otherwise.", style="dim")


def _rounded(rate: float) -> float:
    """Return a rate to three significant digits: no more of it is real."""
    return float(f"{rate:.3g}")
