"""Packs of cards, and card text in and out.

A card is one byte, its *type code*: ``suit * len(ranks) + rank``, both counted from 0 in the order of the
pack; the joker, if there is one, comes after. Copies of a card have the same code, because nobody at the
table can tell them apart.

Packs are written as a number of cards, then ``+jokers``, ``xcopies`` and ``-cards`` left out::

    32        32x6        52+2        24x2        52-2C        32x3-8C

Cards are written as rank and suit in one of these ways, small letters too:

=====================  ====================================================================
``QS``  ``10H``        English letters: ranks A K Q J T 9 … 2 (10 is T), suits S H D C
``♠Q``  ``Q♠``         suit signs on either side, black or white or as emoji
``ДП``  ``♠Д``         Russian letters: ranks Т К Д В (A K Q J), suits П Ч Б (S H D) and Т or К (C)
``*``  ``joker``       a joker, also ``джокер``
=====================  ====================================================================

A hand is cards between blanks, commas, semicolons or bars; suits may be grouped: ``AKQS 10H``, ``♠AKQ ♥J7``,
``S:AKQ H:J7``, ``♠ A K Q ♥ -``, ``AhKh``, and ``AKQ.J7..T98`` (spades, hearts, diamonds, clubs).

A token is read in one alphabet. **Т is the one trap: a ten in Latin letters, an ace (туз) in Cyrillic ones**,
so a token that mixes alphabets around a T is refused. Other letters that only look like the right ones (Latin
K or B in a Russian token, Cyrillic К А С Н in an English one) are forgiven. In a Russian token the rank comes
first and the last letter is the suit: ``ТТ`` and ``ТК`` are the ace of clubs, ``КТ`` its king.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError, unknown

RANKS = "23456789TJQKA"
"""All ranks in their usual order, low to high."""

SUITS = "SHDC"
"""All suits in the order of the codes."""

JOKER = "*"
"""The text of a joker."""

MAX_COPIES = 32
MAX_JOKERS = 4  # a copy; with MAX_COPIES the largest pack has 53 types and 1,792 cards, and counts fit a byte

_SIGNS = dict(zip(SUITS, "♠♥♦♣"))

# The packs that a number stands for: ranks from the ace down in every suit, and the solo whist pack that
# lacks a suit. Clubs go because which suit is missing makes no difference to that game.
_PLAIN = {4 * n: (RANKS[-n:], SUITS) for n in (5, 6, 7, 8, 9, 10, 13)} | {39: (RANKS, "SHD")}

# Totals in common use that are other packs in disguise. 48 is pinochle's pack, not a 52 without its deuces.
_TOTALS = {
    48: "24x2",
    51: "52-2C",
    54: "52+2",
    64: "32x2",
    95: "32x3-8C",  # three-handed bezique leaves out one eight, no matter which
    96: "32x3",
    104: "52x2",
    108: "54x2",
    128: "32x4",
    156: "52x3",
    162: "54x3",
    192: "32x6",
}

_PACK_TEXT = re.compile(r"([0-9]{1,9})(?:\+([0-9]{1,9}))?(?:[xXхХ×*]([0-9]{1,9}))?((?:[-−–].+)?)")
_PACK_HELP = (
    f"write {', '.join(map(str, sorted(_PLAIN)))} or 54, then +jokers, xcopies and -cards left out, "
    "as in 32x6, 52+2 or 52-2C"
)


@dataclass(frozen=True)
class Pack:
    """A pack of cards.

    Parameters
    ----------
    ranks : str
        Single characters among ``A K Q J T 9 … 2``, from low to high in the order of the game.
    suits : str
        Suit letters; their order is the order of the codes.
    copies : int
        How often every card occurs, 1 to 32.
    jokers : int
        Jokers in each copy, 0 to 4. All jokers have one code.
    removed : tuple of str
        Cards left out of the whole pack, once for each time they are left out: ``("8C",)`` takes one of the
        eights of clubs. Three packs with two jokers in all are three copies with a joker each, and
        ``("*",)``.

    Raises
    ------
    UsageError
        When the parts do not make a pack.

    Examples
    --------
    >>> bezique = Pack.named("32x4").with_order("789JQKTA")
    >>> bezique.size, bezique.types, bezique.code("TS"), bezique.text(6)
    (128, 32, 6, 'TS')
    >>> black_peter = Pack("234567A", suits="SH", removed=("AH",))
    >>> black_peter.size
    13
    """

    ranks: str
    suits: str = SUITS
    copies: int = 1
    jokers: int = 0
    removed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__  # the class is frozen; this is where the parts get their one spelling
        put(self, "ranks", _letters_of(self.ranks, RANKS, "rank"))
        put(self, "suits", _letters_of(self.suits, SUITS, "suit"))
        _whole_number("copies", self.copies, 1, MAX_COPIES)
        _whole_number("jokers", self.jokers, 0, MAX_JOKERS)
        taken = [card for text in self.removed for card in _read(text)]
        put(self, "removed", ())
        codes = sorted(self._existing(card) for card in taken)
        check_cards(self, codes)
        put(self, "removed", tuple(self.text(code) for code in codes))
        if self.size < 1:
            raise UsageError("a pack needs at least one card, and all cards are left out of this one")

    # -- making packs ------------------------------------------------------------------------------------

    @classmethod
    def named(cls, text: str) -> Pack:
        """Make the pack that a text such as ``"32x6"`` or ``"52+2"`` names.

        The ranks go from the ace down: 20 = A…T, 24 = A…9, 28 = A…8, 32 = A…7, 36 = A…6, 40 = A…5 (solo
        whist), 52 = A…2; 39 is three suits of thirteen (no clubs). Jokers are counted for each copy, so
        ``52+2x3`` is ``54x3``. Totals in common use: 48 = 24x2 (pinochle), 51 = 52-2C, 54 = 52+2, 64 = 32x2,
        95 = 32x3-8C, 96 = 32x3, 104 = 52x2, 108 = 54x2, 128 = 32x4, 156 = 52x3, 162 = 54x3, 192 = 32x6.
        Also ``6×32``, with the copies first.

        Parameters
        ----------
        text : str
            What was typed.

        Returns
        -------
        Pack
            In the usual order of the ranks, ``2 3 4 5 6 7 8 9 T J Q K A``.

        Raises
        ------
        UsageError
            When the text names no pack.
        """
        match = _PACK_TEXT.fullmatch("".join(text.split()))
        if match is None:
            raise UsageError(f"{_shown(text)} is not a pack; {_PACK_HELP}")
        number, jokers, copies = (int(part) if part else None for part in match.groups()[:3])
        known = _PLAIN.keys() | _TOTALS.keys()
        if number not in known and copies in known and jokers is None:
            number, copies = copies, number
        if number in _PLAIN:
            made = cls(*_PLAIN[number])
        elif number in _TOTALS:
            made = cls.named(_TOTALS[number])
        else:
            raise UsageError(f"there is no pack of {number} cards; {_PACK_HELP}")
        if jokers is not None:
            if made.copies > 1:
                raise UsageError(f"jokers are counted for each copy, so {number}+{jokers} can mean two packs")
            made = replace(made, jokers=made.jokers + jokers)
        if copies is not None:
            _whole_number("copies", copies, 1, MAX_COPIES)  # before `removed` is repeated that often
            made = replace(made, copies=made.copies * copies, removed=made.removed * copies)
        out = tuple(part for part in re.split("[-−–]", match[4]) if part)
        return replace(made, removed=made.removed + out) if out else made

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Pack:
        """Make a pack from a table, as an experiment file has it.

        Parameters
        ----------
        table : mapping
            ``ranks``, and if wanted ``suits``, ``copies``, ``jokers`` and ``removed``, as for `Pack` but with
            the ranks **from high to low**, the way rule books print them: ``"A T K Q J 9 8 7"``. A list that
            climbs is refused, because the pack would be upside down. `removed` is a text or a list of them.

        Returns
        -------
        Pack
            The pack.

        Raises
        ------
        UsageError
            When the table does not make a pack.

        Examples
        --------
        >>> str(Pack.from_mapping({"ranks": "A K Q J T 9", "copies": 2}))
        '24x2'
        """
        for key in table:
            if key not in cls.__dataclass_fields__:
                raise unknown("part of a pack", str(key), cls.__dataclass_fields__)
        parts = dict(table)
        if "ranks" not in parts:
            raise UsageError('a pack needs its ranks from high to low, as in ranks = "A K Q J T 9"')
        falling = _letters_of(_joined("ranks", parts["ranks"]), RANKS, "rank")
        steps = [RANKS.index(a) - RANKS.index(b) for i, a in enumerate(falling) for b in falling[i + 1 :]]
        if sum(step > 0 for step in steps) < sum(step < 0 for step in steps):
            raise UsageError(f"ranks are written from high to low: {' '.join(reversed(falling))!r}")
        parts["ranks"] = falling[::-1]
        if "suits" in parts:
            parts["suits"] = _joined("suits", parts["suits"])
        if "removed" in parts:
            parts["removed"] = (_joined("removed", parts["removed"]),)
        return cls(**parts)

    def with_order(self, ranks: str) -> Pack:
        """Return the same pack with another order of the ranks, and so with other codes.

        Parameters
        ----------
        ranks : str
            All ranks of the pack from low to high: ``"789JQKTA"`` for bezique.

        Returns
        -------
        Pack
            The pack in that order.

        Raises
        ------
        UsageError
            When these are not the ranks of the pack.
        """
        ordered = _letters_of(ranks, RANKS, "rank")
        if set(ordered) != set(self.ranks):
            raise UsageError(f"the order {ordered!r} must name each of the ranks {' '.join(self.ranks)} once")
        return replace(self, ranks=ordered)

    # -- what is in it -----------------------------------------------------------------------------------

    @property
    def types(self) -> int:
        """Number of type codes: all of them are below it. Cards that were all removed keep their code."""
        return len(self.ranks) * len(self.suits) + (self.jokers > 0)

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.copies * (len(self.ranks) * len(self.suits) + self.jokers) - len(self.removed)

    def counts(self) -> NDArray[np.uint8]:
        """Return how many cards of each type the pack has, by code."""
        return np.array([self._count(code) for code in range(self.types)], dtype=np.uint8)

    def deck(self) -> NDArray[np.uint8]:
        """Return all cards in the order of their codes, a new array at each call."""
        return np.repeat(np.arange(self.types, dtype=np.uint8), self.counts())

    def _count(self, code: int) -> int:
        plain = code < len(self.ranks) * len(self.suits)
        count = self.copies if plain else self.copies * self.jokers
        return count - self.removed.count(self.text(code)) if self.removed else count

    # -- one card ----------------------------------------------------------------------------------------

    def rank_of(self, code: int) -> str:
        """Return the rank of a card, such as ``"Q"``; a joker's is ``"*"``."""
        code = self._checked(code)
        return self.ranks[code % len(self.ranks)] if code < len(self.ranks) * len(self.suits) else JOKER

    def suit_of(self, code: int) -> str:
        """Return the suit of a card, such as ``"S"``; a joker's is ``"*"``."""
        code = self._checked(code)
        return self.suits[code // len(self.ranks)] if code < len(self.ranks) * len(self.suits) else JOKER

    def text(self, code: int) -> str:
        """Return the text of a card: ``"QS"``, ``"TH"``, ``"*"``."""
        rank = self.rank_of(code)
        return rank if rank == JOKER else rank + self.suit_of(code)

    def pretty(self, code: int) -> str:
        """Return a card as people write it: ``"Q♠"``, ``"10♥"``, ``"*"``."""
        rank = self.rank_of(code)
        return rank if rank == JOKER else ("10" if rank == "T" else rank) + _SIGNS[self.suit_of(code)]

    def code(self, text: str) -> int:
        """Return the code of a card.

        Parameters
        ----------
        text : str
            One card in any notation of this module.

        Returns
        -------
        int
            Its type code.

        Raises
        ------
        UsageError
            When the text is not one card, or not one of this pack.
        """
        cards = _read(text)
        if len(cards) != 1:
            raise UsageError(f"{_shown(text)} is {len(cards) or 'no'} cards; one card was wanted, such as QS")
        return self._existing(cards[0])

    def _existing(self, card: str) -> int:
        """Return the code of a card in its plain spelling, if the pack has the card."""
        if card == JOKER:
            code = len(self.ranks) * len(self.suits) if self.jokers else None
        elif card[0] in self.ranks and card[1] in self.suits:
            code = self.suits.index(card[1]) * len(self.ranks) + self.ranks.index(card[0])
        else:
            code = None
        if code is None or not self._count(code):
            raise UsageError(self._missing(card, left_out=code is not None))
        return code

    def _missing(self, card: str, left_out: bool) -> str:
        if left_out:
            why = "; it is left out"
        elif card == JOKER:
            return f"there is no joker in this pack of {self.size}"
        elif card[1] not in self.suits:
            why = f" (suits {' '.join(self.suits)})"
        else:
            usual = "".join(sorted(self.ranks, key=RANKS.index))
            run = len(usual) > 2 and usual in RANKS
            why = f" (ranks {usual[0]} to {usual[-1]})" if run else f" (ranks {' '.join(usual)})"
        return f"there is no {card} in this pack of {self.size}{why}"

    def _checked(self, code: int) -> int:
        code = int(code)  # an unsigned byte would overflow in the arithmetic of codes
        if not 0 <= code < self.types:
            raise UsageError(f"there is no card with the code {code}; this pack has 0 to {self.types - 1}")
        return code

    # -- several cards -----------------------------------------------------------------------------------

    def parse(self, text: str, available: Sequence[int] | NDArray[Any] | None = None) -> list[int]:
        """Read cards, in the order in which they are written.

        Parameters
        ----------
        text : str
            Cards in any notation of this module; no cards when it is blank.
        available : sequence of int, optional
            How many cards of each type there are to choose from, by code; by default the whole pack.

        Returns
        -------
        list of int
            Their codes.

        Raises
        ------
        UsageError
            For text that is not a card, a card that the pack has not, or has less often.
        """
        codes = [self._existing(card) for card in _read(text)]
        check_cards(self, codes, available)
        return codes

    def arrange(self, codes: Iterable[int]) -> list[int]:
        """Return cards sorted as a player holds them: by suit, high to low, jokers last."""
        plain = len(self.ranks) * len(self.suits)

        def place(code: int) -> tuple[int, int]:
            return (code // len(self.ranks), -code) if code < plain else (len(self.suits), 0)

        return sorted((self._checked(code) for code in codes), key=place)

    def format(self, codes: Iterable[int], pretty: bool = False) -> str:
        """Return the text of several cards, sorted by suit and from high to low.

        Parameters
        ----------
        codes : iterable of int
            Type codes.
        pretty : bool
            Whether to write ``Q♠ 10♥`` in place of ``QS TH``.

        Returns
        -------
        str
            The cards with a blank between them; `parse` reads it back.
        """
        return " ".join((self.pretty if pretty else self.text)(code) for code in self.arrange(codes))

    def __str__(self) -> str:
        # The order of the ranks does not show: rubicon bezique is played with a "32x4". Nor do ranks without a card.
        empty = {rank for rank in self.ranks if not any(self._count(self._code(rank, suit)) for suit in self.suits)}
        ranks = "".join(rank for rank in self.ranks if rank not in empty)
        kinds = (set(ranks), set(self.suits))
        same = [number for number, (plain, suits) in _PLAIN.items() if (set(plain), set(suits)) == kinds]
        lacking = "" if set(self.suits) == set(SUITS) else f"/{self.suits}"
        name = str(same[0]) if same else ranks + lacking
        if name == "52" and self.jokers == 2:
            name = "54"
        elif self.jokers:
            name += f"+{self.jokers}"
        copies = f"x{self.copies}" if self.copies > 1 else ""
        return name + copies + "".join(f"-{card}" for card in self.removed if card[0] not in empty)

    def _code(self, rank: str, suit: str) -> int:
        return self.suits.index(suit) * len(self.ranks) + self.ranks.index(rank)


def pack(what: Pack | str | int | Mapping[str, Any]) -> Pack:
    """Return the pack that is meant by a text, a number or a table.

    Parameters
    ----------
    what : Pack or str or int or mapping
        A name for `Pack.named`, a table for `Pack.from_mapping`, or a pack already.

    Returns
    -------
    Pack
        The pack.

    Raises
    ------
    UsageError
        When it is not a pack.
    """
    if isinstance(what, Pack):
        return what
    if isinstance(what, Mapping):
        return Pack.from_mapping(what)
    return Pack.named(str(what))


def check_cards(pack: Pack, codes: Iterable[int], available: Sequence[int] | NDArray[Any] | None = None) -> None:
    """Refuse cards that occur more often than there are cards to give.

    Parameters
    ----------
    pack : Pack
        The pack in use.
    codes : iterable of int
        Type codes, in any order.
    available : sequence of int, optional
        How many cards of each type are left, by code; by default the whole pack.

    Raises
    ------
    UsageError
        For the first code that the pack has not, or has less often.
    """
    for code, given in Counter(int(code) for code in codes).items():
        card = pack.text(code)
        has = pack._count(code)
        if not has:
            raise UsageError(pack._missing(card, left_out=True))
        left = has if available is None else int(available[code])
        if given > left:
            if not left:
                raise UsageError(f"{card} cannot be given once more; the pack has only {has}")
            stock = (
                f"the pack has {has}" if left == has else f"only {left} of {has} {'is' if left == 1 else 'are'} left"
            )
            raise UsageError(f"{card} is given {given} times; {stock}")


# -- reading text ----------------------------------------------------------------------------------------


class _Alphabet:
    """How cards are spelled in one alphabet.

    Parameters
    ----------
    ranks, suits : str
        Pairs of a letter and what it means.
    likenesses : str
        Letters of the other alphabet that look like letters of this one, and these.
    after, before : str
        Patterns of the suit letters where they come after their ranks, and before them without a colon.
    """

    def __init__(self, ranks: str, suits: str, likenesses: str, after: str, before: str) -> None:
        self.ranks = dict(pair.split("=") for pair in ranks.split()) | {digit: digit for digit in "23456789"}
        self.ranks["10"] = "T"
        self.suits = dict(pair.split("=") for pair in suits.split()) | {_SIGNS[suit]: suit for suit in SUITS}
        self.likenesses = str.maketrans(*likenesses.split())
        rank = f"(?:{'|'.join(self.ranks)})"
        held = f"({rank}+|-)"
        heading = f"(?:[♠♥♦♣]:?|[{''.join(self.suits)}]:)"
        self.bare = re.compile(held)
        self.heading = re.compile(heading)
        self.cards = re.compile(f"({rank}+)([♠♥♦♣]|{after})")
        self.groups = re.compile(f"({heading}|{before}){held}(?!:)")  # before a colon stands the next suit
        self.dotted = re.compile(r"\.".join([f"({rank}*|-)"] * 4))

    def suit_in(self, token: str) -> str | None:
        """Return the suit when the token is one alone, as a heading for ranks that follow."""
        return self.suits[token[0]] if self.heading.fullmatch(token) else None

    def cards_in(self, token: str, suit: str | None) -> list[str] | None:
        """Read a token, bare ranks as cards of `suit`; ``None`` when it is not written in this alphabet."""
        if suit and self.bare.fullmatch(token):
            return self._spread(token, suit)
        if dotted := self.dotted.fullmatch(token):
            return [card for name, held in zip(SUITS, dotted.groups()) for card in self._spread(held, name)]
        if found := _tiles(self.cards, token):
            return [card for each in found for card in self._spread(each[1], self.suits[each[2]])]
        if found := _tiles(self.groups, token):
            return [card for each in found for card in self._spread(each[2], self.suits[each[1][0]])]
        return None

    def _spread(self, held: str, suit: str) -> list[str]:
        return [self.ranks[rank] + suit for rank in re.findall("10|[^-]", held)]


def _tiles(pattern: re.Pattern[str], token: str) -> list[re.Match[str]]:
    """Return the matches that fill the token one after another, or none."""
    found: list[re.Match[str]] = []
    end = 0
    while end < len(token):
        match = pattern.match(token, end)
        if match is None:
            return []
        found.append(match)
        end = match.end()
    return found


_ENGLISH = _Alphabet("A=A K=K Q=Q J=J T=T", "S=S H=H D=D C=C", "КАСН KACH", "[SHDC]", "[SHDC]")
# Russian suit letters are ranks too (Т, К): one that follows its ranks must end the token, and one that comes
# first needs a colon, or «ТД», an ace and a queen that lack their suit, would be the queen of clubs.
_RUSSIAN = _Alphabet("Т=A К=K Д=Q В=J", "П=S Ч=H Б=D Т=C К=C", "KB КВ", "[ПЧБТК]$", "(?!)")

_SAME = str.maketrans("♤♡♢♧❤—–−", "♠♥♦♣♥---", "\ufe0e\ufe0f")  # and no emoji variation selectors
_JOKERS = re.compile(r"[*🃏]+|JOKER|ДЖОКЕР")


def _read(text: str) -> list[str]:
    """Return the cards of a text in their plain spelling, ``"QS"`` or ``"*"``, in the order of the text."""
    cards: list[str] = []
    suit: str | None = None  # the last heading, as long as bare ranks follow it
    for typed in re.split(r"[\s,;|]+", text):
        token = typed.upper().translate(_SAME)
        if not token:
            continue
        if _JOKERS.fullmatch(token):
            cards += [JOKER] * (1 if token.isalpha() else len(token))
            suit = None
            continue
        readings = _readings(token, typed)
        bare = any(alphabet.bare.fullmatch(word) for alphabet, word in readings)
        headings = [name for alphabet, word in readings if (name := alphabet.suit_in(word))]
        if headings:
            suit = headings[0]
            continue
        found = [new for alphabet, word in readings if (new := alphabet.cards_in(word, suit)) is not None]
        if not found:
            raise UsageError(
                f"{_shown(typed)} {'has no suit' if bare and not token.isdigit() else 'is not a card'}; write a rank "
                "(A K Q J T 9 … 2, 10 is T) and a suit (S H D C), as QS, 10H, ♠Q or ДП, or * for a joker"
            )
        cards += found[0]
        if not bare:
            suit = None
    return cards


def _readings(token: str, typed: str) -> list[tuple[_Alphabet, str]]:
    """Return the alphabets in which a token may be written, the likely one first."""
    if not re.search("[А-ЯЁ]", token):
        return [(_ENGLISH, token)]
    if re.search("[A-Z]", token) and re.search("[TТ]", token):
        raise UsageError(
            f"{_shown(typed)} mixes Latin and Russian letters, where T is a ten in Latin and an ace in "
            "Russian; write it in one alphabet, or 10 for the ten"
        )
    # Т has no likeness in English, so that a Russian ace is never taken for a ten.
    return [(each, token.translate(each.likenesses)) for each in (_RUSSIAN, _ENGLISH)]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 24 else text[:23] + "…")


# -- parts of a pack -------------------------------------------------------------------------------------


def _letters_of(text: object, known: str, kind: str) -> str:
    """Return ranks or suits as single letters, or refuse them."""
    if not isinstance(text, str):
        raise UsageError(f"the {kind}s of a pack are a text, not {_shown(str(text))}")
    letters = re.sub(r"[\s,]", "", text.upper()).replace("10", "T")
    wrong = [letter for letter in letters if letter not in known]
    if wrong:
        raise UsageError(f"there is no {kind} {wrong[0]!r}; the {kind}s are {' '.join(reversed(known))}")
    twice = [letter for letter, count in Counter(letters).items() if count > 1]
    if twice:
        raise UsageError(f"the {kind} {twice[0]} is named twice; write copies = 2 for a double pack")
    if not letters:
        raise UsageError(f"a pack needs at least one {kind} out of {' '.join(reversed(known))}")
    return letters


def _joined(key: str, value: object) -> str:
    """Return a text from a text or a list of texts of a table."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    raise UsageError(f"{key} of a pack must be a text or a list, not {_shown(str(value))}")


def _whole_number(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise UsageError(f"the {name} of a pack are a whole number from {low} to {high}, not {value!r}")
