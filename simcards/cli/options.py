"""Options that several commands have, each with one meaning everywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from simcards._input import count, pairs
from simcards.cli import output
from simcards.errors import UsageError

SEED = "1"


def _games(incomplete: str) -> list[str]:
    """Return the games that a beginning can be completed to."""
    from simcards.games.registry import rulesets

    return [name for name in rulesets() if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=_games,
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
        help="Who plays: once for all seats or once a seat; basic if left out; file.py:name is your own.",
        show_default=False,
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
    ),
]
Seed = Annotated[
    str,
    typer.Option("--seed", metavar="N", help="The same seed gives the same cards."),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="RULE=VALUE",
        help="Change a rule; once for each. 'simcards rules GAME' lists them.",
        show_default=False,
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        "--unit",
        metavar="UNIT",
        help="What is counted as one, such as deal or game; the first that 'simcards games' has if left out.",
        show_default=False,
    ),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        "--fix",
        metavar="HAND=CARDS",
        help='Cards known to be in a hand in every deal, such as "pone=AS KS QS"; once for each hand.',
        show_default=False,
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="X",
        help="Stop as soon as the target is known to within X; --deals is then the most.",
        show_default=False,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="QUANTITY",
        help="What is to be known so well, such as points.pone; the payoff if left out.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="How many work at it, all processors if left out; the result is the same.",
        show_default=False,
    ),
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Save the run in this file every few seconds.",
        show_default=False,
    ),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on from the checkpoint, if it is there."),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="One JSON document, rows and provenance, and nothing else."),
]
Csv = Annotated[bool, typer.Option("--csv", help="CSV and nothing else.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress, no remarks."),
]
Everything = Annotated[bool, typer.Option("--all", "-a", help="Show every section and quantity.")]
Sections = Annotated[
    list[str] | None,
    typer.Option(
        "--section",
        metavar="NAME",
        help="Only this section, whole: result, sources, melds, timing, play.",
        show_default=False,
    ),
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        "--quantity",
        metavar="NAME",
        help="Only this quantity; once for each. 'simcards rules GAME --quantities' lists them.",
        show_default=False,
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
    ),
]


def conditions(seed: str, changes: Iterable[str] | None, unit: str | None, fix: Iterable[str] | None) -> dict[str, Any]:
    """Read what every playing command is told, for the verbs of `simcards.api`.

    Parameters
    ----------
    seed, changes, unit, fix
        The options.

    Returns
    -------
    dict
        ``seed``, ``rules``, ``unit``, ``fixed``.
    """
    return {
        "seed": count(seed, "the seed"),
        "rules": pairs(changes or (), "--set", "rule=value"),
        "unit": unit,
        "fixed": pairs(fix or (), "--fix", "hand=cards"),
    }


def execution(
    precision: float | None,
    target: str | None,
    workers: int | None,
    checkpoint: Path | None,
    resume: bool,
    quiet: bool,
) -> dict[str, Any]:
    """Read how a run is to be carried out, for the verbs of `simcards.api`.

    Parameters
    ----------
    precision, target, workers, checkpoint, resume, quiet
        The options.

    Returns
    -------
    dict
        ``precision``, ``target``, ``workers``, ``checkpoint``, ``resume``, ``progress``.
    """
    return {
        "precision": precision,
        "target": target,
        "workers": workers,
        "checkpoint": checkpoint,
        "resume": resume,
        "progress": output.progress(quiet),
    }


def confidence(level: str) -> float:
    """Read a confidence level.

    Parameters
    ----------
    level : str
        Such as ``"0.999"`` or ``"99.9 %"``.

    Returns
    -------
    float

    Raises
    ------
    UsageError
        When it is none.
    """
    number, percent, rest = level.partition("%")
    try:
        value = float(number) / (100.0 if percent else 1.0)
    except ValueError:
        value = math.nan
    if rest.strip() or not 0.0 < value < 1.0:
        raise UsageError(f"--level lies between 0 and 1, such as 0.95, or between 0 % and 100 %, not {level!r}")
    return value


def controls(given: Iterable[str] | None) -> dict[str, Fraction] | None:
    """Read quantities of known mean.

    Parameters
    ----------
    given : iterable of str, optional
        Each ``NAME`` or ``NAME=MEAN``; the mean may be a fraction, ``NAME=9/4``, and is 0 if left out.

    Returns
    -------
    dict of str to Fraction, or None

    Raises
    ------
    UsageError
        When one is not of this form, or a name comes twice.
    """
    if not given:
        return None
    form = "NAME=MEAN, or NAME where the mean is 0"
    made = {}
    for name, mean in pairs((text if "=" in text else f"{text}=0" for text in given), "--control", form).items():
        try:
            made[name] = Fraction(mean)
        except (ValueError, ZeroDivisionError):
            raise UsageError(f"--control is written {form}; {mean!r} is no mean of {name}") from None
    return made


def many(number: str | None, name: str = "the number of deals") -> int | None:
    """Read a whole number, if there is one.

    Parameters
    ----------
    number : str, optional
        The option.
    name : str
        What an error calls it.

    Returns
    -------
    int or None
    """
    return None if number is None else count(number, name)
