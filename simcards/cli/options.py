"""Options that several commands have, each with one meaning everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLAYING = "What is played"
RUNNING = "How it runs"
SHOWING = "What is printed"

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A rule set, such as rubicon-bezique; other names are understood too, also Russian ones.",
        show_default=False,
    ),
]
Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="NAME",
        help="Who plays: once for all seats or once a seat; file.py:name is one of your own. [default: basic]",
        show_default=False,
        rich_help_panel=PLAYING,
    ),
]
Deals = Annotated[
    str | None,
    typer.Option(
        "--deals",
        "-n",
        metavar="N",
        help="How many: 5000, 100k, 1e6, 1_000_000.",
        show_default=False,
        rich_help_panel=PLAYING,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", help="The same seed gives the same cards.", rich_help_panel=PLAYING
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="RULE=VALUE",
        help="Change a rule; once for each. 'simcards rules GAME' lists them.",
        show_default=False,
        rich_help_panel=PLAYING,
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        "--unit",
        metavar="UNIT",
        help="What is counted as one: deal, game, … [default: the game's first]",
        show_default=False,
        rich_help_panel=PLAYING,
    ),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        "--fix",
        metavar="HAND=CARDS",
        help='Cards known to be in a hand, such as "pone=AS KS QS"; the rest is dealt.',
        show_default=False,
        rich_help_panel=PLAYING,
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="X",
        help="Stop as soon as the target is known to within X; --deals is then the most.",
        show_default=False,
        rich_help_panel=RUNNING,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="QUANTITY",
        help="What is to be known so well, such as points.pone. [default: the payoff]",
        show_default=False,
        rich_help_panel=RUNNING,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="How many work at it; the result is the same. [default: all processors]",
        show_default=False,
        rich_help_panel=RUNNING,
    ),
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Save the run in this file every few seconds.",
        show_default=False,
        rich_help_panel=RUNNING,
    ),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on from the checkpoint, if it is there.", rich_help_panel=RUNNING),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="One JSON document, rows and provenance, and nothing else.", rich_help_panel=SHOWING
    ),
]
Csv = Annotated[bool, typer.Option("--csv", help="CSV and nothing else.", rich_help_panel=SHOWING)]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress, no remarks.", rich_help_panel=SHOWING),
]
Everything = Annotated[
    bool, typer.Option("--all", "-a", help="Show every section and quantity.", rich_help_panel=SHOWING)
]
Sections = Annotated[
    list[str] | None,
    typer.Option(
        "--section",
        metavar="NAME",
        help="Only this section, whole: result, sources, melds, timing, play.",
        show_default=False,
        rich_help_panel=SHOWING,
    ),
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        "--quantity",
        metavar="NAME",
        help="Only this quantity; once for each. 'simcards rules GAME --quantities' lists them.",
        show_default=False,
        rich_help_panel=SHOWING,
    ),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Save tables, figure and provenance there as well.",
        show_default=False,
        rich_help_panel=SHOWING,
    ),
]
