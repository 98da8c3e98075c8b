"""Positions of cinq-cents, binocle and penchant: cards won are counted, and a player may say that he has the points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.bezique.binocle_melds import BINOCLE, GRAND
from simcards.games.bezique.counted import TO_DECLARE, TO_DRAW, TO_END, TO_LEAD
from simcards.games.bezique.frame import ACE, JACK, KING, QUEEN, SHOWING, TEN, TYPES
from simcards.games.bezique.ledger import (
    FOUR,
    LEVELS,
    MARRIAGE,
    SEQUENCE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
)
from simcards.games.bezique.penchant_melds import A_PENCHANT, BRISQUES, GROUP, declaration_text, penchant_queens
from simcards.games.bezique.position import MINE, OTHER, Reader
from simcards.games.bezique.position_games import Turned, deal_brisques_texts
from simcards.games.bezique.position_open import Split, any_split, span_of
from simcards.games.bezique.position_tables import Style
from simcards.games.bezique.position_texts import mask_of, pair_text, whose_text
from simcards.games.bezique.text import FOURS, SUIT_NAMES
from simcards.games.ruleset import RuleSet

_NEXT = {"declare": TO_DECLARE, "draw": TO_DRAW, "lead": TO_LEAD, "end": TO_END}
_RANKS = {ACE: "ace", TEN: "ten", KING: "king", QUEEN: "queen", JACK: "jack"}  # rules that say what a card counts


class Counted(Turned):
    """Where a player may say that he has the points with his cards, and has won if that is so."""

    more: tuple[str, ...] = (*Turned.more, "in cards", "goal", "next")
    counted, shared = "points", "points in cards"
    asking = "knock"
    """The phase in which he is asked."""
    allowed = "knocking"
    """The rule by which that is played."""

    def is_between(self, count: int) -> bool:
        """Return whether the decision comes after a trick and before both draw."""
        if self.phase != self.asking:
            return super().is_between(count)
        if count == self.size:  # before the first trick
            return False
        said = self.word("next", tuple(_NEXT))
        if said is not None:
            return said in ("declare", "draw")
        stock = self.number("stock", 0, self.start)
        if stock is not None:
            return stock > 0
        return count == self.size - 1 and "played" in self.values and len(self.played) < self.start + 2

    def has_cards(self) -> bool:
        """Return whether the player holds any: he may be asked after the last trick."""
        return self.phase != self.asking

    def seat_of(self, first: bool) -> str | None:
        """Return whose turn it must be."""
        return "dealer" if first and self.phase == self.asking else super().seat_of(first)

    def wrong_seat(self, right: str) -> str:
        """Return what is wrong with another player's turn."""
        if self.phase == self.asking:
            return "before the first trick only the dealer is asked, who has turned up the lowest trump"
        return super().wrong_seat(right)

    def leads(self, first: bool, role: int) -> bool:
        """Return whether the player leads, or won the last trick."""
        return self.led < 0 and not (first and self.phase == self.asking)

    def winning(self) -> int:
        """Return the points with which a player has won: none, he has to say so."""
        target, step = int(self.rules["target"]), int(self.rules["target_step"])
        goal = self.number("goal", target, 10_000_000)
        if goal is not None and goal != target:
            if not target or (goal - target) % step:
                raise UsageError(f"goal: {target}{f', or more by steps of {step}' if target else ''}, not {goal}")
            if self.deal == 1:
                raise UsageError(f"goal: it is {target} in the first deal; say which deal it is, as in 'deal: 2'")
        self.goal = target if goal is None else goal
        self.view["goal"] = self.goal
        return 0

    def values_of(self) -> list[int]:
        """Return what each card counts for who wins it."""
        return [int(self.rules[_RANKS[card & 7]]) if card & 7 in _RANKS else 0 for card in range(TYPES)]

    def read_rest(self) -> None:
        """Read the goal, who has won how many aces and tens, and how it goes on after a question."""
        super().read_rest()
        points = [int(self.view["public"][side]["points"]) for side in (MINE, OTHER)]
        if self.goal > int(self.rules["target"]) and min(points) < self.goal - int(self.rules["target_step"]):
            raise UsageError(f"goal: it was raised to {self.goal} since both had what it was before, so say the points")
        brisques = self.pair("brisques") or (0, 0)
        most = 8 * int(self.rules["packs"]) * self.deal
        if sum(brisques) > most:
            raise UsageError(f"brisques: {brisques[0]} and {brisques[1]}, but there were no more than {most}")
        for side, number in enumerate(brisques):
            self.view["public"][side]["brisques"] = number
        self.read_next(points[MINE])

    def read_next(self, points: int) -> None:
        """Read how it goes on after a player has been asked."""
        if self.phase != self.asking:
            if "next" in self.values:
                raise UsageError(f"next: it belongs to the phase {self.asking!r}, not to {self.phase!r}")
            return
        first = self.tricks == 0 and self.stock > 0
        if first and self.turn_up & 7 != self.lowest():
            raise UsageError(f"turn-up: before the first trick nobody is asked unless it is the {self._low_text()}")
        if len(self.hand) + self.lying[MINE] == self.size and not first:
            raise UsageError(
                f"in the phase {self.asking!r} nobody has drawn yet, so a player has {self.size - 1} cards at most"
            )
        words: tuple[str, ...] = ("declare", "draw") if self.between else ("lead",)
        if not self.hand and not self.between:
            words = ("end",)
        said = self.word("next", tuple(_NEXT)) or words[0]
        if said not in words:
            raise UsageError(f"next: {' or '.join(words)} with these cards, not {said!r}")
        if not self.rules["target"]:
            raise UsageError(f"nobody is asked for a {self.asking} in a single deal: choose the unit 'game'")
        if not self.rules[self.allowed]:
            raise UsageError(f"nobody is asked for a {self.asking} with the rule {self.allowed}=no")
        most = points + sum(np.array(self.values_of()) * self.pack.counts())
        if most < self.goal:
            raise UsageError(
                f"points: with {points} the goal of {self.goal} is out of reach, so nobody asks for a {self.asking}"
            )
        self.view["then"] = _NEXT[said]

    def _low_text(self) -> str:
        return f"{ {'7': 'seven', '9': 'nine'}[self.pack.ranks[self.lowest()]] } of trumps"

    def said_of_won(self) -> tuple[str, tuple[int, int] | None]:
        """Return what both have won in cards."""
        return "in cards", self.pair("in cards")

    def write_won(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add points in cards won."""
        views["pile"] += won

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        said["in cards"] = pair_text(*view["pile"])
        goal, target = int(view["goal"]), int(view["rules"]["target"])
        said["goal"] = str(goal) if goal != target else ""
        if int(view["common"]["stage"]) == SHOWING:
            said["next"] = next(word for word, then in _NEXT.items() if then == int(view["then"]))
        return said


class CinqCents(Counted):
    """Cinq-cents: one pack, and a card serves once."""

    style = Style("msbf", spent=USED_MARRIAGE | USED_FOUR | LEVELS | USED_SEQUENCE, reforms=False)
    dix = ""


class Binocle(Counted):
    """Binocle with 48 or 64 cards."""

    more: tuple[str, ...] = (*Counted.more, "dix", "forfeited")
    style = Style("msbfe", reforms=False)
    asking, allowed, dix = "claim", "claims", "dix"
    declarations: Mapping[str, int] = {
        **{name.removeprefix("four "): FOUR + k for k, name in enumerate(FOURS)},
        **{f"marriage in {suit}": MARRIAGE + k for k, suit in enumerate(SUIT_NAMES)},
        **{f"sequence in {suit}": SEQUENCE + k for k, suit in enumerate(SUIT_NAMES)},
        "binocle": BINOCLE,
        "grand binocle": GRAND,
    }

    def lowest(self) -> int:
        """Return the rank of the lowest cards."""
        return int(self.rules["lowest"]) - 7

    def levels(self) -> int:
        """Return the highest level of binocle: the grand is the third."""
        return 3 if self.rules["grand_binocle"] else 2

    def winning(self) -> int:
        """Return the points with which a player has won without a claim."""
        super().winning()
        return self.goal

    def place(self) -> None:
        """Say where everything lies; cards that are not in the pack count as played."""
        super().place()
        for card in range(TYPES):
            if card & 7 < self.lowest():
                self.view["common"]["seen"][card] = self.pack.copies

    def read_rest(self) -> None:
        """Read who has forfeited his cards."""
        looked = self.whose("forfeited")
        if any(looked) and not self.rules["looking"]:
            raise UsageError("forfeited: nobody looks at old tricks without the rule looking=yes")
        if any(looked) and not self.rules["target"]:
            raise UsageError("forfeited: nobody is asked for a claim in a single deal, and so nobody looks at tricks")
        self.view["looked"][:] = looked
        super().read_rest()
        if self.phase == self.asking and looked[MINE]:
            raise UsageError("forfeited: who has no points in cards any more is not asked for a claim")

    def write_won(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add points in cards won, but for who has forfeited them."""
        super().write_won(views, won * (1 - self.view["looked"]))

    def check_won(self, key: str, said: tuple[int, int], named: int, values: Any) -> Split:
        """Check what both have won; what was forfeited is not known."""
        looked = self.view["looked"]
        if not looked.any():
            return super().check_won(key, said, named, values)
        if any(number and gone for number, gone in zip(said, looked)):
            raise UsageError(f"{key}: who has forfeited the points in his cards has 0")
        most = named + span_of(self.pool(), values, self.unnamed)[1]
        if sum(said) > most:
            raise UsageError(f"{key}: {said[0]} and {said[1]}, but the cards played hold at most {most} points")
        return any_split()

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        said["forfeited"] = whose_text(*view["looked"])
        return said


class Penchant(Reader):
    """Penchant: no card is turned up, and who lost the trick may declare after its winner."""

    more: tuple[str, ...] = ("leader", "deal", "earlier brisques")
    style = Style("", reforms=False)
    counted = "aces, tens and sevens"
    declarations: Mapping[str, int] = {
        declaration_text(action).removeprefix("a "): action for action in range(GROUP, A_PENCHANT + 1)
    }

    def deals(self) -> int:
        """Return how many deals there are in a game."""
        return int(self.rules["deals"])

    def other_drew(self) -> bool:
        """Return whether the winner of the trick has declared nothing and drawn, so that it is the loser's turn."""
        return self.phase in ("declare", "lay") and self.word("leader", ("me", "other")) == "other"

    def leads(self, first: bool, role: int) -> bool:
        """Return whether the player leads, or won the last trick."""
        said = self.word("leader", ("me", "other"))
        if self.phase == "play" and said and (said == "other") != (self.led >= 0):
            raise UsageError(f"leader: {said!r} does not fit, since {'a' if self.led >= 0 else 'no'} card is led")
        return self.led < 0 and not self.other_drew()

    def read_rest(self) -> None:
        """Check that who lost the trick has something to declare."""
        own = np.uint64(mask_of(set(self.hand)))
        have = own | np.uint64(self.view["public"][MINE]["table_mask"])
        if self.other_drew() and not penchant_queens(own, have):
            raise UsageError(
                "who lost the trick declares only a penchant, and here he has none with a card of the hand"
            )

    def values_of(self) -> list[int]:
        """Return 1 for aces, tens and sevens."""
        return [int(BRISQUES) >> (card & 7) & 1 for card in range(TYPES)]

    def write_won(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add brisques to those of the game and of the deal."""
        super().write_won(views, won)
        views["deal_brisques"] += won

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view) | deal_brisques_texts(view)
        common = view["common"]
        if int(common["deals"]) > 1:
            said["deal"] = str(int(common["deals"]))
        if int(common["led"]) < 0 and int(common["leader"]) != int(view["seat"]):
            said["leader"] = "other"
        return said
