"""What the games of the bezique family measure: the same quantities, with the combinations and sources of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simcards.games.game import Quantity

TABLE_WIDE = ("winner_points", "loser_points", "margin", "brisques_counted", "trump_trick", "deals")


def fields(prefix: str, melds: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the quantities of each combination, such as ``"count_marriage"``."""
    return tuple(f"{prefix}_{meld}" for meld in melds)


def words(name: str) -> str:
    """Return what a field name is about: ``"points_royal_marriage"`` is about royal marriage."""
    return name.split("_", 1)[1].replace("_", " ")


def totals(
    doc: str,
    parts: tuple[str, ...],
    value_doc: str,
    score: Mapping[str, Any],
    difference: Mapping[str, Any],
    value: Mapping[str, Any] | None = None,
) -> tuple[Quantity, ...]:
    """Return the quantities of the result that every game of the family has.

    Parameters
    ----------
    doc : str
        What the points are for.
    parts : tuple of str
        Quantities that the points are the sum of.
    value_doc : str
        What the value is.
    score, difference : mapping
        Histogram cells for scores and for differences of scores.
    value : mapping, optional
        Histogram cells of the value, where they are others than those of a difference.

    Returns
    -------
    tuple of Quantity
        points, value, won, winner_points, loser_points, margin.
    """
    return (
        Quantity("points", doc, "points", "result", parts=parts, **score),
        Quantity("value", value_doc, "points", "result", **(difference if value is None else value)),
        Quantity("won", "wins", "flag", "result"),
        Quantity("winner_points", "the higher of the two scores", "points", "result", **score),
        Quantity("loser_points", "the lower of the two scores", "points", "result", **score),
        Quantity("margin", "points of the pone less points of the dealer", "points", "result", **difference),
    )


def details(
    melds: Sequence[str],
    other_sources: tuple[str, ...],
    *,
    tricks: int,
    brisques: str = "aces and tens won",
    more_melds: tuple[Quantity, ...] = (),
    more_timing: tuple[Quantity, ...] = (),
    more_play: tuple[Quantity, ...] = (),
) -> tuple[Quantity, ...]:
    """Return the quantities about sources, combinations, timing and play.

    Parameters
    ----------
    melds : sequence of str
        The combinations of the game.
    other_sources : tuple of str
        Points that are not for combinations.
    tricks : int
        Tricks in a deal.
    brisques : str
        What the brisques are.
    more_melds, more_timing, more_play : tuple of Quantity
        What only this game has.

    Returns
    -------
    tuple of Quantity
        In the order of the row.
    """
    counts = fields("count", melds)
    return (
        *(Quantity(name, f"points for {words(name)}", "points", "sources") for name in fields("points", melds)),
        *(Quantity(name, f"points for {words(name)}", "points", "sources") for name in other_sources),
        *(Quantity(name, f"times {words(name)} scored", "count", "melds") for name in counts),
        *more_melds,
        Quantity("declarations", "combinations scored", "count", "melds", parts=counts),
        *(
            Quantity(name, f"trick after which {words(name)} first scored", "trick", "timing")
            for name in fields("first", melds)
        ),
        *more_timing,
        *more_play,
        Quantity("tricks", "tricks won", "count", "play", bins=tricks + 1),
        Quantity("brisques", brisques, "count", "play", bins=tricks // 2 + 1),
        Quantity("deals", "deals played", "deals", "play", bins=20),
    )
