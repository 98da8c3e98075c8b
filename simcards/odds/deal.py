"""What is dealt: a pack, hands of a known size, cards that lie where they can be seen."""

from __future__ import annotations

import keyword
import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simcards.cards import RANKS, SUITS, Pack, pack
from simcards.errors import UsageError

HAND = "hand"
"""The name of a hand that is given none."""

MOST_PLACES = 8

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
_DRAWN = re.compile(r"(?:(.*?)\+)?\s*([0-9]{1,6})\s*", re.DOTALL)


@dataclass(frozen=True)
class Place:
    """A hand, a talon, a draw: so many cards that nobody has seen, beside cards that are known to be there.

    Attributes
    ----------
    name : str
        How expressions call it.
    size : int
        Cards dealt to it at random.
    fixed : tuple of int
        Type codes of the cards known to be in it.
    """

    name: str
    size: int
    fixed: tuple[int, ...] = ()

    @cached_property
    def counts(self) -> Counter[int]:
        """How many cards of each type are known to be in it."""
        return Counter(self.fixed)

    @property
    def cards(self) -> int:
        """Number of cards in all."""
        return self.size + len(self.fixed)


@dataclass(frozen=True)
class Deal:
    """A question's cards.

    Attributes
    ----------
    pack : Pack
        The cards and the order of their ranks.
    places : tuple of Place
        Where they are dealt to; what is left over is not dealt.
    known : tuple of int
        Type codes of cards that are known to be elsewhere.
    trump : str
        The suit that ``trumps`` stands for, or nothing.
    """

    pack: Pack
    places: tuple[Place, ...]
    known: tuple[int, ...] = ()
    trump: str = ""

    @cached_property
    def available(self) -> tuple[int, ...]:
        """How many cards of each type may be dealt, by type code."""
        seen = Counter(self.known)
        for place in self.places:
            seen += place.counts
        return tuple(int(count) - seen[code] for code, count in enumerate(self.pack.counts()))

    @cached_property
    def unseen(self) -> int:
        """Number of cards that may be dealt."""
        return sum(self.available)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the places."""
        return tuple(place.name for place in self.places)

    def ways(self, places: Iterable[int] | None = None) -> int:
        """Return in how many ways cards can be dealt to some places, copies of a card told apart.

        Parameters
        ----------
        places : iterable of int, optional
            Indices of the places; all if left out.

        Returns
        -------
        int
        """
        total, left = 1, self.unseen
        for index in range(len(self.places)) if places is None else places:
            total *= math.comb(left, self.places[index].size)
            left -= self.places[index].size
        return total

    def describe(self) -> dict[str, object]:
        """Return the deal as plain data.

        Returns
        -------
        dict
        """
        about: dict[str, object] = {
            "pack": str(self.pack),
            "order": self.pack.ranks,
            "hands": {place.name: self._text(place) for place in self.places},
        }
        if self.known:
            about["known"] = self.pack.format(self.known)
        if self.trump:
            about["trump"] = self.trump
        return about

    def _text(self, place: Place) -> str:
        if not place.fixed:
            return str(place.size)
        return self.pack.format(place.fixed) + (f" +{place.size}" if place.size else "")


def make_deal(
    cards: Pack | str | int | Mapping[str, object],
    hand: int | str | None = None,
    hands: Mapping[str, int | str] | None = None,
    known: str | Iterable[str] | None = None,
    trump: str | None = None,
) -> Deal:
    """Check what is to be dealt.

    Parameters
    ----------
    cards : Pack or str or int or mapping
        The pack.
    hand : int or str, optional
        How many cards the hand has, or its cards, or both: ``12``, ``"AS KS QS"``, ``"AS KS QS +5"``.
    hands : mapping, optional
        Several hands by name, each written in the same way.
    known : str or iterable of str, optional
        Cards that are elsewhere and cannot be dealt.
    trump : str, optional
        The suit of trumps.

    Returns
    -------
    Deal

    Raises
    ------
    UsageError
        When the cards are not in the pack or are too few for the hands.
    """
    made = pack(cards)
    asked: dict[str, int | str] = {}
    if hand is not None:
        asked[HAND] = hand
    if hands is not None and not isinstance(hands, Mapping):
        raise UsageError(f"hands are names with a number of cards or cards, not {hands!r}")
    for name, what in (hands or {}).items():
        _check_name(name)
        if name in asked:
            raise UsageError(f"the hand {name!r} is given twice")
        asked[name] = what
    if not asked:
        raise UsageError("how many cards are dealt? give the size of the hand, such as 12")
    if len(asked) > MOST_PLACES:
        raise UsageError(f"there can be at most {MOST_PLACES} hands, not {len(asked)}")

    left = [int(count) for count in made.counts()]
    gone = _cards(made, _known(known), left)
    read = {name: _hand(made, name, what, left) for name, what in asked.items()}
    wanted, unseen = sum(size for size, _ in read.values()), sum(left)
    if wanted > unseen:
        whole = f"the pack has only {unseen}" if unseen == made.size else f"only {unseen or 'none'} are left unseen"
        raise UsageError(f"{wanted} cards cannot be dealt: {whole.replace('only none', 'none')}")
    places = tuple(Place(name, size, fixed) for name, (size, fixed) in read.items())
    return Deal(made, places, gone, _trump(made, trump))


def _hand(made: Pack, name: str, what: object, left: list[int]) -> tuple[int, tuple[int, ...]]:
    """Read one hand: the number of cards dealt to it, and the cards known to be in it."""
    if isinstance(what, str):
        if not what.strip():
            raise UsageError(f"the hand {name!r} is empty; write a number of cards, or cards, or AS KS +5")
        match = _DRAWN.fullmatch(what)
        if match is None:
            return 0, _cards(made, what, left)
        return int(match[2]), _cards(made, match[1] or "", left)
    try:
        size = operator.index(what)  # type: ignore[arg-type]
    except TypeError:
        size = None
    if size is None or isinstance(what, bool):
        raise UsageError(f"a hand is a number of cards, or cards, or both as in 'AS KS +5', not {what!r}")
    if size < 0:
        raise UsageError(f"a hand cannot have {size} cards")
    return size, ()


def _cards(made: Pack, text: str, left: list[int]) -> tuple[int, ...]:
    """Read cards and take them out of those that are left."""
    codes = made.parse(text, left)
    for code in codes:
        left[code] -= 1
    return tuple(made.arrange(codes))


def _known(known: str | Iterable[str] | None) -> str:
    cards: Any = () if known is None else known
    if not isinstance(cards, str | Iterable):
        raise UsageError(f"known cards are written as a text, as in 'KS 9S', not {known!r}")
    if isinstance(cards, str):
        if not cards.strip():
            raise UsageError("no cards are named as known; write some, as in 'KS 9S'")
        return cards
    read = list(cards)
    wrong = [card for card in read if not isinstance(card, str)]
    if wrong:
        raise UsageError(f"known cards are written as texts, as in 'KS', not {wrong[0]!r}")
    return " ".join(read)


def _trump(made: Pack, trump: str | None) -> str:
    if trump is None:
        return ""
    if not isinstance(trump, str) or not trump.strip():
        raise UsageError(f"the suit of trumps is written as a word, such as hearts, not {trump!r}")
    suit = suit_named(trump)
    if suit is None or suit not in made.suits:
        raise UsageError(f"{trump!r} is not a suit of this pack; its suits are {' '.join(made.suits)}")
    return suit


def _check_name(name: object) -> None:
    from simcards.odds.expression import RESERVED

    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"a hand is called by one word of English letters, as hand1 or talon, not {name!r}")
    if name in RESERVED or keyword.iskeyword(name):
        raise UsageError(f"a hand cannot be called {name!r}, which means something else in an expression")


_SUIT_NAMES = {
    "S": "s spade spades ♠ ♤ п пик пики пика",
    "H": "h heart hearts ♥ ♡ ч черва червы черви червей",
    "D": "d diamond diamonds ♦ ♢ б бубна бубны бубен",
    "C": "c club clubs ♣ ♧ трефа трефы треф крести",
}
_SUIT_OF = {name: suit for suit, names in _SUIT_NAMES.items() for name in names.split()}
_RUSSIAN_RANKS = {"Т": "A", "К": "K", "Д": "Q", "В": "J", "А": "A"}


def suit_named(word: str) -> str | None:
    """Return the suit that a word names, such as ``"hearts"``, ``"♥"`` or ``"h"``.

    Parameters
    ----------
    word : str
        One word, in English or Russian.

    Returns
    -------
    str or None
        The suit's letter.
    """
    suit = _SUIT_OF.get(word.strip().strip("\ufe0e\ufe0f").casefold())
    return suit if suit is not None and suit in SUITS else None


def rank_named(word: str) -> str | None:
    """Return the rank that a word is, such as ``"K"``, ``"10"`` or a Russian letter.

    Parameters
    ----------
    word : str
        One word.

    Returns
    -------
    str or None
        The rank's letter.
    """
    upper = word.upper()
    if upper == "10":
        return "T"
    if len(upper) == 1 and upper in RANKS:
        return upper
    return _RUSSIAN_RANKS.get(upper)
