"""The texts of a position in words, taken apart one by one; what is wrong is said in a line that names the key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from simcards.cards import Pack
from simcards.errors import UsageError
from simcards.games.bezique.text import SUIT_NAMES

WHOSE = {"none": (0, 0), "mine": (1, 0), "other": (0, 1), "both": (1, 1)}
"""Words for a thing that either of two players may have: the player himself, and the other."""

_APART = r"(?:\s*[:,/–-]\s*|\s+)"
_NUMBERS = re.compile(rf"\d{{1,7}}(?:{_APART}\d{{1,7}})*")
_SUITS = {
    spelling: suit
    for suit, (name, sign) in enumerate(zip(SUIT_NAMES, "♠♥♦♣"))
    for spelling in (name, name[:-1], name[0], sign)
}


def mask_of(places: Iterable[int]) -> int:
    """Return a mask with the bits of these places."""
    made = 0
    for place in places:
        made |= 1 << place
    return made


def pair_text(mine: int, theirs: int) -> str:
    """Return two numbers as text."""
    return f"{int(mine)} - {int(theirs)}"


def whose_text(mine: int, theirs: int) -> str:
    """Return whose a thing is as text; nothing when it is nobody's."""
    word = next(word for word, flags in WHOSE.items() if flags == (int(mine), int(theirs)))
    return "" if word == "none" else word


class Texts:
    """The texts of one position by key.

    Parameters
    ----------
    pack : Pack
        The cards of the game.
    values : mapping
        The texts.
    """

    def __init__(self, pack: Pack, values: Mapping[str, str]) -> None:
        self.pack = pack
        self.values = values

    def cards(self, key: str) -> list[int]:
        """Return cards, none when nothing is said."""
        return self.cards_in(key, self.values.get(key, ""))

    def cards_in(self, key: str, text: str) -> list[int]:
        """Return the cards of a text under a key."""
        try:
            return self.pack.parse(text.strip(" -"))
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None

    def card(self, key: str) -> int:
        """Return a single card, -1 when nothing is said."""
        cards = self.cards(key)
        if len(cards) > 1:
            raise UsageError(f"{key}: one card, not {len(cards)}")
        return cards[0] if cards else -1

    def number(self, key: str, low: int, high: int) -> int | None:
        """Return a whole number, None when nothing is said."""
        if key not in self.values:
            return None
        text = self.values[key]
        if not text.isdecimal() or not low <= int(text) <= high:
            raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def numbers(self, key: str, count: int) -> list[int] | None:
        """Return a number for each of several players, the player's own first."""
        if key not in self.values:
            return None
        text = self.values[key]
        found = [int(number) for number in re.findall(r"\d+", text)] if _NUMBERS.fullmatch(text) else []
        if len(found) != count:
            example = " - ".join("3214"[:count])
            raise UsageError(f"{key}: {count} numbers, one's own first, as in '{example}', not {text!r}")
        return found

    def pair(self, key: str) -> tuple[int, int] | None:
        """Return two numbers, the player's and the other's."""
        if key not in self.values:
            return None
        text = self.values[key]
        found = [int(number) for number in re.findall(r"\d+", text)] if _NUMBERS.fullmatch(text) else []
        if len(found) != 2:
            raise UsageError(f"{key}: two numbers, one's own and the other's, as in '3 - 2', not {text!r}")
        return found[0], found[1]

    def word(self, key: str, words: Sequence[str]) -> str | None:
        """Return one of several words, None when nothing is said."""
        if key not in self.values:
            return None
        text = self.values[key].casefold()
        if text not in words:
            listed = " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
            raise UsageError(f"{key}: {listed}, not {self.values[key]!r}")
        return text

    def whose(self, key: str) -> tuple[int, int]:
        """Return whose a thing is: flags for the player and for the other."""
        return WHOSE[self.word(key, tuple(WHOSE)) or "none"]

    def suit(self, key: str, may_lack: bool) -> int:
        """Return a suit, -1 for none."""
        text = self.values.get(key, "").casefold()
        if text in ("", "none", "-"):
            return -1
        if text not in _SUITS:
            raise UsageError(f"{key}: a suit, S, H, D or C{', or none' if may_lack else ''}, not {text!r}")
        return _SUITS[text]
