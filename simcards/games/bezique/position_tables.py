"""Cards on the table in positions in words: each with what it was scored in, and with which other cards.

``KS(m f)`` is a king scored in a marriage and in a four; ``m-`` is a marriage of which a card has been played since,
and ``m3`` the marriage with the number 3. Cards with the same mark and no number are put together as they lie.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simcards.cards import Pack
from simcards.errors import UsageError
from simcards.games.bezique.frame import (
    ACE,
    CAPTURED,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    QUEEN,
    QUEEN_OF_SPADES,
    SPADES,
    TEN,
    rank_of,
)
from simcards.games.bezique.ledger import (
    LEVEL,
    LEVELS,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    USED_TRUMP_FOUR,
)
from simcards.games.bezique.position_texts import Texts, mask_of

_ON_TABLE = re.compile(r"([^\s(),;|]+)\s*(?:\(([^()]*)\))?[\s,;|]*")
_MARK = re.compile(r"([msfte])(\d{1,3}|-)?|(b)([1-4]?)(-|/\d{1,3})?|(c)")

# Of each kind of combination: its field, its bit of `used`, what it is called, the ranks in it
_KINDS = {
    "m": ("marriage", USED_MARRIAGE, "a marriage", (QUEEN, KING)),
    "s": ("sequence", USED_SEQUENCE, "a sequence", (JACK, QUEEN, KING, TEN, ACE)),
    "f": ("four", USED_FOUR, "a four", (JACK, QUEEN, KING, ACE)),
    "t": ("four", USED_TRUMP_FOUR, "a four of trumps", (JACK, QUEEN, KING, TEN, ACE)),
    "e": ("four", USED_TRUMP_FOUR, "an eight", (JACK, QUEEN, KING, ACE)),
}
FIELDS = ("marriage", "sequence", "bezique", "four")
LATEST = 255  # the highest number of a combination that a card can bear


@dataclass(frozen=True)
class Style:
    """How the cards on the tables of a game are marked.

    Attributes
    ----------
    letters : str
        The marks that there are: ``m`` marriage, ``s`` sequence, ``b`` bezique, ``f`` four, ``t`` four of trumps, ``e``
        eight, ``c`` captured; empty where a card may serve again whatever it was scored in.
    spent : int
        What every card on the table counts as having been scored in, where it serves only once.
    reforms : bool
        Whether it matters which cards lie in a combination together, since it may be scored again when it is broken.
    """

    letters: str = "msbf"
    spent: int = 0
    reforms: bool = True


@dataclass(frozen=True)
class Mark:
    """What a card on the table was scored in: kind, level of bezique, and "-" or the number or nothing."""

    kind: str
    level: int = 0
    number: str = ""


@dataclass(frozen=True)
class Slot:
    """A card on the table."""

    card: int
    marks: list[Mark]

    @property
    def captured(self) -> bool:
        """Whether it was won in a trick, so that it cannot be played."""
        return self.scored_in("c")

    def scored_in(self, kind: str) -> bool:
        """Return whether it was scored in this kind."""
        return any(mark.kind == kind for mark in self.marks)

    def waits(self, kind: str) -> bool:
        """Return whether it was scored in this kind, and it was not said in which combination."""
        return any(mark.kind == kind and not mark.number and mark.level <= 1 for mark in self.marks)


def read_table(texts: Texts, key: str, text: str, style: Style, levels: int) -> list[Slot]:
    """Read the cards on a table.

    Parameters
    ----------
    texts : Texts
        The position.
    key, text : str
        Where it is said, and what.
    style : Style
        How cards are marked.
    levels : int
        The highest level of bezique.

    Returns
    -------
    list of Slot
    """
    text = text.strip(" -")
    slots: list[Slot] = []
    end = 0
    while end < len(text):
        found = _ON_TABLE.match(text, end)
        if not found:
            raise UsageError(f"{key}: {text[end:]!r} is not a card, or one with marks such as KS(m f)")
        end = found.end()
        cards = texts.cards_in(key, found[1])
        marks = [mark for mark in re.split(r"[\s,]+", (found[2] or "").strip()) if mark]
        slots += [Slot(card, [_mark(texts.pack, key, card, mark, style, levels) for mark in marks]) for card in cards]
    return slots


def _mark(pack: Pack, key: str, card: int, text: str, style: Style, levels: int) -> Mark:
    found = _MARK.fullmatch(text.casefold())
    name = pack.text(card)
    kind = (found[1] or found[3] or found[6]) if found else ""
    if not found or kind not in style.letters:
        if not style.letters:
            raise UsageError(f"{key}: cards on the table bear no marks in this game, so {text!r} behind {name} is none")
        letters = [letter for letter in style.letters if letter != "c"]
        captured = "; and c for a captured card" if "c" in style.letters else ""
        raise UsageError(
            f"{key}: {text!r} behind {name} is no mark; they are {', '.join(letters[:-1])} and {letters[-1]} for what"
            f" it was scored in, with - where that is broken{captured}"
        )
    rank = int(rank_of.py_func(card))
    if kind == "c":
        if rank not in (JACK, QUEEN, KING, TEN):
            raise UsageError(f"{key}: {name} is not captured: kings, queens, jacks and the tens of trumps are")
        return Mark(kind)
    if kind == "b":
        level, number = int(found[4] or 1), (found[5] or "").removeprefix("/")
        pair = (QUEEN_OF_SPADES, JACK_OF_DIAMONDS)
        grand = style.letters.endswith("e") and level == 3  # the king of spades is in a grand binocle only
        fits = card in ((*pair, 8 * SPADES + KING) if grand else pair) and level <= levels
        what = f"a bezique of level {level}"
    else:
        level, number = 0, found[2] or ""
        _, _, what, ranks = _KINDS[kind]
        fits = rank in ranks
    if not fits:
        raise UsageError(f"{key}: {name} cannot have been scored in {what}")
    if number.isdigit() and not 1 <= int(number) <= LATEST:
        raise UsageError(f"{key}: combinations are numbered from 1 to {LATEST}, not {number}")
    return Mark(kind, level, number)


def lay_table(
    public: Any, slots: Sequence[Slot], style: Style, key: str, trump: int, count: int | None, pack: Pack
) -> None:
    """Put cards on a table, those of one combination under one number.

    Parameters
    ----------
    public : record
        Of the player.
    slots : sequence of Slot
        The cards.
    style : Style
        How cards are marked.
    key : str
        Where they were said.
    trump : int
        Suit of trumps, -1 for none.
    count : int, optional
        How many combinations were scored, if that was said.
    pack : Pack
        The cards by their codes.
    """
    table = public["table"]
    for place, slot in enumerate(slots):
        laid = table[place]
        laid["type"] = slot.card
        laid["used"] = style.spent or used_in(slot.marks)
        for mark in slot.marks:
            number = int(mark.number) if mark.number.isdigit() else 0
            if mark.kind in "tc" and (mark.kind == "t" or slot.card & 7 == TEN) and slot.card >> 3 != trump:
                what = "scored in a four of trumps" if mark.kind == "t" else "captured"
                raise UsageError(f"{key}: {pack.text(slot.card)} is no trump, so it cannot have been {what}")
            if mark.kind == "b":
                laid["bezique"] = number
            elif mark.kind != "c":
                field = _KINDS[mark.kind][0]
                laid[field] = number or laid[field]
    latest = highest(table, len(slots))
    if style.reforms:
        for field, group in _put_together(slots, style):
            latest += 1
            for place in group:
                table[place][field] = latest
        _check_whole(table, slots, key)
    public["laid"] = len(slots)
    public["table_mask"] = mask_of({slot.card for slot in slots if not slot.captured})
    if count is not None and count < latest:
        raise UsageError(f"combinations: {count}, but the table shows a combination with the number {latest}")
    public["combinations"] = latest if count is None else count


def used_in(marks: Sequence[Mark]) -> int:
    """Return in what a card with these marks was scored, as a table remembers it."""
    used = 0
    for mark in marks:
        if mark.kind == "b":
            used = (used & ~LEVELS) | (LEVEL * mark.level)
        else:
            used |= CAPTURED if mark.kind == "c" else _KINDS[mark.kind][1]
    return used


def highest(table: Any, laid: int) -> int:
    """Return the highest number of a combination on a table, 0 when there is none."""
    return max((int(table[place][field]) for place in range(laid) for field in FIELDS), default=0)


def _put_together(slots: Sequence[Slot], style: Style) -> list[tuple[str, list[int]]]:
    """Put cards with marks without numbers together, in the order they lie in; what is left over is broken."""
    made: list[tuple[str, list[int]]] = []

    def places(kind: str, cards: Sequence[int]) -> list[int]:
        # a card that went on into a four of trumps lies in that one
        return [
            place
            for place, slot in enumerate(slots)
            if slot.waits(kind) and slot.card in cards and not (kind == "f" and slot.scored_in("t"))
        ]

    def fours(row: list[int]) -> list[tuple[str, list[int]]]:
        return [("four", row[k : k + 4]) for k in range(0, len(row) - 3, 4)]

    for kind in "ms":
        field, _, _, ranks = _KINDS[kind]
        for suit in range(4):
            made += [(field, list(group)) for group in zip(*(places(kind, [8 * suit + rank]) for rank in ranks))]
    for rank in _KINDS["f"][3]:
        made += fours(places("f", [8 * suit + rank for suit in range(4)]))
    if "t" in style.letters:
        for card in sorted({slot.card for slot in slots}):
            made += fours(places("t", [card]))
    pairs = zip(places("b", [QUEEN_OF_SPADES]), places("b", [JACK_OF_DIAMONDS]))
    return made + [("bezique", list(pair)) for pair in pairs]


def _check_whole(table: Any, slots: Sequence[Slot], key: str) -> None:
    """Refuse a numbered combination of which cards are missing."""
    for field, wanted in (("marriage", 2), ("sequence", 5), ("four", 4), ("bezique", 2)):
        groups: dict[int, list[int]] = {}
        for place, slot in enumerate(slots):
            if table[place][field]:
                groups.setdefault(int(table[place][field]), []).append(slot.card)
        for number, cards in groups.items():
            ranks, suits = {card & 7 for card in cards}, {card >> 3 for card in cards}
            if field == "four":
                whole = len(ranks) == 1
            else:
                whole = len(set(cards)) == wanted and (field == "bezique" or len(suits) == 1)
            if len(cards) != wanted or not whole:
                raise UsageError(
                    f"{key}: the {field} with the number {number} is not whole; what is broken is marked with -"
                )


def table_text(pack: Pack, public: Any, style: Style) -> str:
    """Write the cards on a table as `read_table` reads them."""
    return " ".join(slot_text(pack, public["table"][place], style) for place in range(int(public["laid"])))


def slot_text(pack: Pack, slot: Any, style: Style) -> str:
    """Write one card on a table."""
    used = int(slot["used"])
    marks = ["c"] if used & CAPTURED else []
    broken = "-" if style.reforms else ""  # else the numbers say nothing, and one that lacks need not be told
    for letter in style.letters:
        if letter in "bc":
            continue
        field, bit, _, _ = _KINDS[letter]
        number = int(slot[field])
        if style.spent:
            marks += [f"{letter}{number}"] if number else []
        elif used & bit:
            over = letter == "f" and used & USED_TRUMP_FOUR  # it lies in what is above a four
            marks.append(f"{letter}{number if number and not over else broken}")
    level, number = (used & LEVELS) // LEVEL, int(slot["bezique"])
    if "b" in style.letters and (number if style.spent else level):
        marks.append("b" if style.spent else f"b{level}")
        marks[-1] += f"/{number}" if number else broken if level == 1 else ""
    return pack.text(int(slot["type"])) + (f"({' '.join(marks)})" if marks else "")
