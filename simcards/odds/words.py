"""Cards, ranks and suits as people write them in a question: ``'K'``, ``'A K of hearts'``, ``'7-9'``, ``'red'``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NoReturn

from simcards.errors import UsageError, nearest
from simcards.odds.deal import Deal, rank_named, suit_named
from simcards.odds.tree import Spot


class Words:
    """Reads the words of one expression.

    Parameters
    ----------
    text : str
        The expression.
    deal : Deal
        The cards.
    """

    def __init__(self, text: str, deal: Deal) -> None:
        self.text = text
        self.deal = deal
        self.pack = deal.pack
        self.bytes = b""  # what Python's tree was made of, and the place of its first byte
        self.lead = 0
        self.suit = self.rank = False  # whether counts are of one suit, of one rank

    def spot(self, node: ast.expr) -> Spot:
        """Return where a node of Python's tree stands."""

        def place(offset: int | None) -> int:
            before = self.bytes[: offset or 0]
            return self.lead + len(before.decode("utf-8", "replace"))

        return Spot(self.text, place(node.col_offset), place(node.end_col_offset))

    def refuse(self, node: ast.expr, reason: str) -> NoReturn:
        """Raise the error that points at a node."""
        raise self.spot(node).error(reason)

    def _all(self, over: str) -> range:
        return range(len(self.pack.suits if over == "suit" else self.pack.ranks))

    def _words_for(self, over: str) -> list[str]:
        if over == "rank":
            return list(self.pack.ranks)
        return ["spades", "hearts", "diamonds", "clubs", "red", "black", "trumps", "plain"]

    # -- shapes ------------------------------------------------------------------------------------------

    def _tokens(self, node: ast.expr, what: str) -> Iterator[tuple[str, Spot]]:
        """Yield the words of a text and their places."""
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            self.refuse(node, f"{what} are written as a text, in quotes")
        whole = self.spot(node)
        if not node.value.strip():
            self.refuse(node, f"{what} are missing between the quotes")
        source = self.text[whole.start : whole.end]
        plain = source[:1] in "'\"" and source[1:-1] == node.value
        for match in re.finditer(r"[^\s,;]+", node.value):
            start = whole.start + 1 + match.start()
            yield match[0], Spot(self.text, start, start + len(match[0])) if plain else whole

    def _selected(self, node: ast.expr) -> tuple[int, ...]:
        """Read the cards that `n` counts, as type codes."""
        words = list(self._tokens(node, "cards"))
        of = [index for index, (word, _) in enumerate(words) if word.casefold() == "of"]
        codes: dict[int, None] = {}
        if not of:
            for word, spot in words:
                codes |= dict.fromkeys(self._cards(word, spot))
            return tuple(sorted(codes))
        if len(of) > 1 or of[0] in (0, len(words) - 1):
            raise words[of[0]][1].error("of stands between ranks and suits, as in 'A K of hearts'")
        ranks: dict[int, None] = {}
        suits: dict[int, None] = {}
        for word, spot in words[: of[0]]:
            found = self._ranks(word, spot)
            if found is None:
                raise spot.error(f"{word!r} is not a rank; of stands between ranks and suits, as in 'A K of hearts'")
            ranks |= dict.fromkeys(found)
        for word, spot in words[of[0] + 1 :]:
            found = self._suits(word, spot)
            if found is None:
                raise spot.error(f"{word!r} is not a suit{nearest(word, self._words_for('suit'))}")
            suits |= dict.fromkeys(found)
        if self.suit or self.rank:
            self._not_here(words[of[0]][0], words[of[0]][1], "suit" if self.suit else "rank")
        return tuple(self._codes(sorted(suits), sorted(ranks)))

    def _codes(self, suits: list[int], ranks: list[int]) -> Iterator[int]:
        for suit in suits:
            for rank in ranks:
                yield suit * len(self.pack.ranks) + rank

    def _cards(self, word: str, spot: Spot) -> list[int]:
        """Return the codes of the cards that a word means."""
        if word.casefold() in ("joker", "jokers", "*", "🃏", "джокер", "джокеры"):
            if self.suit or self.rank:
                self._not_here(word, spot, "suit" if self.suit else "rank")
            if not self.pack.jokers:
                raise spot.error("there is no joker in this pack")
            return [self.pack.code("*")]
        ranks = self._ranks(word, spot)
        if ranks is not None:
            if self.rank:
                self._not_here(word, spot, "rank")
            return list(self._codes(list(self._all("suit")), ranks))
        suits = self._suits(word, spot)
        if suits is not None:
            if self.suit:
                self._not_here(word, spot, "suit")
            return list(self._codes(suits, list(self._all("rank"))))
        codes = self._one(word, spot)
        if self.suit or self.rank:
            self._not_here(word, spot, "suit" if self.suit else "rank")
        return codes

    def _not_here(self, word: str, spot: Spot, over: str) -> NoReturn:
        right = "name ranks or nothing" if over == "suit" else "name suits or nothing"
        if self.suit and self.rank:
            right = "name nothing"
        raise spot.error(f"counts are of one {over} here, so {word!r} has no meaning; {right}")

    def _one(self, word: str, spot: Spot) -> list[int]:
        try:
            return sorted(set(self.pack.parse(word)))
        except UsageError as error:
            hint = nearest(word, [*self._words_for("suit"), "joker"]) if len(word) > 3 else ""
            if not hint and (rank_named(word[:1]) or suit_named(word[:1])):
                raise spot.error(str(error)) from None
            raise spot.error(f"{word!r} is no card, rank or suit{hint}") from None

    def _ranks(self, word: str, spot: Spot) -> list[int] | None:
        """Return the ranks that a word means, in this pack, or None when it means none."""
        ends = re.split("[-–—]", word)
        if len(ends) == 2 and all(rank_named(end) for end in ends):
            low, high = sorted(self._rank(end, spot) for end in ends)
            return list(range(low, high + 1))
        return [self._rank(word, spot)] if rank_named(word) else None

    def _rank(self, word: str, spot: Spot) -> int:
        rank = rank_named(word)
        if rank is None or rank not in self.pack.ranks:
            raise spot.error(f"there is no {word} in this pack; its ranks are {' '.join(reversed(self.pack.ranks))}")
        return self.pack.ranks.index(rank)

    def _suits(self, word: str, spot: Spot) -> list[int] | None:
        """Return the suits that a word means, in this pack, or None when it means none."""
        folded = word.casefold()
        groups = {"red": "HD", "black": "SC", "красные": "HD", "чёрные": "SC", "черные": "SC"}
        if folded in groups:
            found = [index for index, suit in enumerate(self.pack.suits) if suit in groups[folded]]
            if not found:
                raise spot.error(f"there is no {word} suit in this pack")
            return found
        trumps = folded in ("trump", "trumps", "козырь", "козыри")
        if trumps or folded in ("plain", "side"):
            trump = self.deal.trump
            if not trump:
                raise spot.error(f"say which suit is trumps before asking about {word!r}")
            return [index for index, suit in enumerate(self.pack.suits) if (suit == trump) == trumps]
        suit = suit_named(word)
        if suit is None:
            return None
        if suit not in self.pack.suits:
            raise spot.error(f"there are no {word} in this pack; its suits are {' '.join(self.pack.suits)}")
        return [self.pack.suits.index(suit)]

    def _values(self, node: ast.expr) -> tuple[tuple[int, int], ...]:
        """Read what cards are worth, as type codes and values."""
        values: dict[int, int] = {}
        for word, spot in self._tokens(node, "values of cards"):
            match = re.fullmatch(r"((?:10|[2-9]|\D)\D*?)[:=]?(-?[0-9]{1,7})", word)
            if match is None:
                raise spot.error(f"{word!r} is not a card and its value; write A4, T10, QS13, or hearts:1")
            for code in self._cards(match[1], Spot(spot.text, spot.start, spot.start + len(match[1]))):
                if code in values:
                    raise spot.error(f"{self.pack.text(code)} is given two values")
                values[code] = int(match[2])
        return tuple(sorted(values.items()))
