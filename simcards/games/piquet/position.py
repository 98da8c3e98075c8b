"""Positions of piquet in words, for advice: the exchange of either player, before anything is declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.game import Position, Positions
from simcards.games.piquet.frame import EXCHANGING, HAND, SILENT, TALON, UNKNOWN
from simcards.games.piquet.text import CARDS, cards_text

# `known`: cards that the other has in his hand now
KEYS = ("seat", "hand", "discards", "known", "elder took", "deal", "points", "totals")
_PAIR = re.compile(r"(-?\d{1,6})(?:\s*[:,/–-]\s*|\s+)(-?\d{1,6})")


def _cards(values: Mapping[str, str], key: str) -> list[int]:
    try:
        return CARDS.parse(values.get(key, "").strip(" -"))
    except UsageError as error:
        raise UsageError(f"{key}: {error}") from None


def _number(values: Mapping[str, str], key: str, low: int, high: int, usual: int) -> int:
    text = values.get(key)
    if text is None:
        return usual
    if not text.isdecimal() or not low <= int(text) <= high:
        raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
    return int(text)


def _pair(values: Mapping[str, str], key: str) -> tuple[int, int]:
    text = values.get(key)
    if text is None:
        return 0, 0
    found = _PAIR.fullmatch(text)
    if not found:
        raise UsageError(f"{key}: two numbers, one's own and the other's, as in '10 - 0', not {text!r}")
    return int(found[1]), int(found[2])


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position: whose exchange it is, his cards, and what he has laid away already."""
    view = views[0]
    rules = view["rules"]
    assumed: list[str] = []
    seat = values.get("seat", "elder").casefold()
    if seat not in ("elder", "younger"):
        raise UsageError(f"seat: elder or younger, not {values['seat']!r}")
    hand, discards = _cards(values, "hand"), _cards(values, "discards")
    if len(hand) + len(discards) != HAND:
        raise UsageError(f"hand and discards hold {len(hand) + len(discards)} cards together; a player is dealt {HAND}")
    twice = set(hand) & set(discards)
    if twice:
        raise UsageError(f"{CARDS.text(min(twice))} is in the hand and among the discards")
    known = _cards(values, "known")
    if len(known) > HAND:
        raise UsageError(f"known: {len(known)} cards, and the other holds {HAND}")
    for card in known:
        if card in hand or card in discards:
            raise UsageError(f"known: {CARDS.text(card)} is one of the player's own cards")
    if seat == "elder" and "elder took" in values:
        raise UsageError("elder took: this belongs to younger's exchange, which comes after elder's")
    least, most = int(rules["elder_least"]), max(int(rules["elder_least"]), int(rules["elder_most"]))
    taken = _number(values, "elder took", least, most, most)
    if seat == "younger" and "elder took" not in values:
        assumed.append(f"elder took {taken} cards")
    if seat == "younger":
        assumed.append("elder discarded as basic does")
    limit = most if seat == "elder" else min(TALON - taken, int(rules["younger_most"]))
    if len(discards) >= max(1, limit):
        raise UsageError(f"discards: {len(discards)} cards, and {limit} is the most: the exchange is over")
    if discards and all(card < max(discards) for card in hand) and len(discards) < least and seat == "elder":
        raise UsageError(f"discards: in ascending order no card is left, and {least} is the least")
    deals = int(rules["deals"])
    deal = _number(values, "deal", 1, deals, 1)
    if deals > 1 and "deal" not in values:
        assumed.append("the first deal")
    common, own = view["common"], view["own"]
    elder = (deal - 1) % 2
    common["stage"], common["elder"], common["leader"] = EXCHANGING, elder, elder
    common["deals"], common["led"], common["drawn"] = deal, -1, -1
    view["seat"] = common["turn"] = elder if seat == "elder" else 1 - elder
    if seat == "younger":
        common["drawn"][elder] = taken
    own["hand"], own["discards"], own["talon"] = _mask(hand), _mask(discards), UNKNOWN
    own["last"] = max(discards, default=-1)
    for public, points, total in zip(view["public"], _pair(values, "points"), _pair(values, "totals")):
        public["said"], public["size"], public["top"] = SILENT, -1, -1
        public["points"], public["total"] = points, total
    view["public"]["shown"][1] = _mask(known)
    return Position(views, assumed=tuple(assumed))


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key; nothing for one that is not of the exchange, or with a carte blanche shown."""
    common, own = view["common"], view["own"]
    shown = any(int(public["blanche"]) for public in view["public"])
    if int(common["stage"]) != EXCHANGING or shown:
        return {}
    elder = int(common["elder"])
    written = {"seat": "elder" if int(view["seat"]) == elder else "younger", "hand": cards_text(own["hand"])}
    if int(own["discards"]):
        written["discards"] = cards_text(own["discards"])
    if int(view["public"]["shown"][1]):
        written["known"] = cards_text(view["public"]["shown"][1])
    if int(view["seat"]) != elder:
        written["elder took"] = str(int(common["drawn"][elder]))
    if int(view["rules"]["deals"]) > 1:
        written["deal"] = str(int(common["deals"]))
    for key, field in (("points", "points"), ("totals", "total")):
        mine, other = (int(public[field]) for public in view["public"])
        if mine or other:
            written[key] = f"{mine} - {other}"
    return written


POSITIONS = Positions(KEYS, read, write)
