"""Positions of the games for two with two packs or more: with a card turned up for trumps, or with carte blanche."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.bezique.frame import CAPTURED, COURTS, SEVEN, TEN
from simcards.games.bezique.position import MINE, OTHER, Reader
from simcards.games.bezique.position_tables import FIELDS, Style, read_table, slot_text, used_in
from simcards.games.bezique.position_texts import mask_of, pair_text, whose_text
from simcards.games.bezique.text import SUIT_NAMES
from simcards.games.ruleset import RuleSet

_CREDITS = "AKQJ"


def _read_credit(reader: Reader) -> None:
    """Read of which ranks a further four may be scored, where that is played."""
    for side, key in enumerate(("credit", "other credit")):
        ranks = re.sub(r"[\s,]", "", reader.values.get(key, "").upper()).strip("-")
        for rank in ranks:
            if rank not in _CREDITS:
                raise UsageError(f"{key}: ranks of fours, A K Q J, not {rank!r}")
            if not reader.rules["reform"]:
                raise UsageError(f"{key}: a further card of a scored four scores only with the rule reform=yes")
        reader.view["public"][side]["credit"] = mask_of(reader.pack.ranks.index(rank) for rank in ranks)


def _credit_texts(pack: Any, view: Any) -> dict[str, str]:
    """Write what `_read_credit` reads."""
    credits = [int(view["public"][side]["credit"]) for side in (MINE, OTHER)]
    texts = [" ".join(rank for rank in _CREDITS if credit >> pack.ranks.index(rank) & 1) for credit in credits]
    return {"credit": texts[MINE], "other credit": texts[OTHER]}


class Turned(Reader):
    """Where a card is turned up for trumps and its lowest card may be exchanged for it."""

    more: tuple[str, ...] = ("turn-up", "deal")
    dix = "sevens"
    """Where it is said how many of the lowest trumps in the hands have scored; empty where there is one only."""

    def lowest(self) -> int:
        """Return the rank of the lowest cards."""
        return SEVEN

    def deals(self) -> int:
        """Return how many deals there can be in a game."""
        return 10_000 if self.rules["target"] else 1

    def read_trump(self) -> None:
        """Read what is trumps, by its name or the card turned up."""
        self.trump = self.suit("trump", False)
        self.turn_up = self.card("turn-up")
        if self.turn_up < 0:
            if self.trump < 0:
                raise UsageError("which suit is trumps? name it or the card turned up, as in 'turn-up: 9H'")
            if self.tricks == 0:
                raise UsageError("at the first trick the card turned up is still there: name it, as in 'turn-up: 9H'")
            low = 8 * self.trump + self.lowest()
            if self.stock and self.located()[low] == self.pack.copies:
                name = {"7": "sevens", "9": "nines"}[self.pack.text(low)[0]]
                raise UsageError(f"all {name} of trumps are elsewhere, so name the card turned up, as in 'turn-up: 9H'")
            self.turn_up = low
            if self.stock:
                self.assumed.append(f"{self.pack.text(low)} turned up, as after an exchange")
        elif self.trump >= 0 and self.turn_up >> 3 != self.trump:
            raise UsageError(f"{self.pack.text(self.turn_up)} turned up makes {SUIT_NAMES[self.turn_up >> 3]} trumps")
        self.trump = self.turn_up >> 3

    def read_rest(self) -> None:
        """Read which of the lowest trumps have scored."""
        if not self.dix:
            return
        low = 8 * self.trump + self.lowest()
        scored = self.pair(self.dix) or (0, 0)
        mine = self.hand.count(low)
        if scored[MINE] > mine:
            raise UsageError(f"{self.dix}: {scored[MINE]} of trumps in the hand cannot have been scored, it has {mine}")
        if scored[OTHER] > min(self.held, self.pack.copies - mine):
            raise UsageError(f"{self.dix}: the other cannot hold {scored[OTHER]} of trumps that have been scored")
        for side, number in enumerate(scored):
            self.view["common"]["scored_sevens"][self.me ^ side] = number

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        common, me = view["common"], int(view["seat"])
        if int(common["deals"]) > 1:
            said["deal"] = str(int(common["deals"]))
        scored = [int(common["scored_sevens"][me ^ side]) for side in range(2)]
        if cls.dix and any(scored):
            said[cls.dix] = pair_text(*scored)
        return said


class TwoPacks(Turned):
    """Bezique."""

    more: tuple[str, ...] = (*Turned.more, "sevens", "credit", "other credit", "earlier brisques")

    def winning(self) -> int:
        """Return the points with which a player has won."""
        return int(self.rules["target"])

    def read_rest(self) -> None:
        """Read credits and sevens."""
        _read_credit(self)
        super().read_rest()

    def write_won(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add aces and tens to those of the game and of the deal."""
        super().write_won(views, won)
        views["deal_brisques"] += won

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view) | _credit_texts(ruleset.pack, view)
        return said | deal_brisques_texts(view)


def deal_brisques_texts(view: Any) -> dict[str, str]:
    """Write the brisques of this deal and of those before."""
    won = [int(number) for number in view["deal_brisques"]]
    before = [int(view["public"][side]["brisques"]) - won[side] for side in (MINE, OTHER)]
    said = {"brisques": pair_text(*won)}
    if int(view["common"]["deals"]) > 1:
        said["earlier brisques"] = pair_text(*before)
    return said


class Polish(TwoPacks):
    """Polish bezique: cards that were captured lie on the table too, marked with a c."""

    style = Style("msbfc")

    def read_led(self) -> int:
        """Return the card led; its marks are what it had been scored in if it came from the table."""
        slots = read_table(self, "led", self.values.get("led", ""), Style("msbf"), self.levels())
        if len(slots) > 1:
            raise UsageError(f"led: one card, not {len(slots)}")
        self.led_marks = slots[0].marks if slots else []
        return slots[0].card if slots else -1

    def read_rest(self) -> None:
        """Read what the card led had been scored in."""
        super().read_rest()
        if not self.led_marks:
            return
        if not self.stock:
            raise UsageError("led: it came from the hand, since the stock is gone, so it bears no marks")
        if self.rules["recaptured"]:
            raise UsageError("led: with the rule recaptured=new it does not matter what the card was scored in")
        self.view["led_used"] = used_in(self.led_marks)  # not with which cards

    def won_for_sure(self) -> tuple[int, int]:
        """Return the tens captured by each."""
        tens = [sum(slot.captured and slot.card & 7 == TEN for slot in table) for table in self.tables]
        return tens[MINE], tens[OTHER]

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        if said["led"]:
            slot = {"type": int(view["common"]["led"]), "used": int(view["led_used"]) % CAPTURED}
            said["led"] = slot_text(ruleset.pack, slot | dict.fromkeys(FIELDS, 0), Style("msbf"))
        return said


class Unturned(Reader):
    """Rubicon and chinese bezique: trumps are made by a marriage, and carte blanche may be shown and kept up."""

    more: tuple[str, ...] = ("carte blanche", "leader", "credit", "other credit")

    def read_trump(self) -> None:
        """Read what is trumps."""
        if self.suit("trump", True) < 0 and any(
            slot.scored_in(kind) for table in self.tables for slot in table for kind in "mst"
        ):
            raise UsageError("a marriage or a sequence was scored, so there are trumps: name them, as in 'trump: H'")
        super().read_trump()

    def _may_precede(self, first: bool) -> bool:
        """Return whether the dealer may be asked for carte blanche before the first lead."""
        return first and self.phase == "show" and not self.rules["dealer_shows"] and self.led < 0

    def seat_of(self, first: bool) -> str | None:
        """Return whose turn it must be."""
        return None if self._may_precede(first) else super().seat_of(first)

    def leads(self, first: bool, role: int) -> bool:
        """Return whether the player leads."""
        usual = "other" if self.led >= 0 or (first and role == 1) else "me"
        said = self.word("leader", ("me", "other")) or usual
        free = self.phase == "show" and not first and self.led < 0
        if said != usual and not free:
            if first:
                raise UsageError(f"leader: {said!r} does not fit, since the pone leads to the first trick")
            raise UsageError(f"leader: {said!r} does not fit, since {'a' if self.led >= 0 else 'no'} card is led")
        return said == "me"

    def read_rest(self) -> None:
        """Read credits and carte blanche."""
        if "credit" in self.more:
            _read_credit(self)
        going = self.whose("carte blanche")
        if any(going) and not self.stock:
            raise UsageError("carte blanche: it ends with the last card drawn")
        for side, number in enumerate(going):
            self.view["public"][side]["chain"] = number
        asked = self.phase == "show"
        drawn = int(self.view["own"]["drawn"])
        seen = [*(self.hand if asked or going[MINE] else ()), *(self.known if going[OTHER] else ())]
        for card in seen:
            if int(COURTS) >> card & 1:
                raise UsageError(f"carte blanche is a hand without king, queen and jack; {self.pack.text(card)} is one")
        if asked and self.tricks and not going[MINE]:
            raise UsageError("a drawn card is shown only by who has shown carte blanche: say 'carte blanche: mine'")
        if asked and self.tricks and drawn not in self.hand:
            raise UsageError("the card drawn, which may be shown, is one in the hand: name it, as in 'drawn: 8H'")
        if going[MINE] and "shown" not in self.values:
            for card in self.hand:
                self.view["public"][MINE]["shown"][card] += 1
            if asked:
                self.view["public"][MINE]["shown"][drawn] -= 1
        # the second to draw has not been asked when the first one is
        hidden = int(asked and self.tricks > 0 and int(self.view["common"]["leader"]) == self.me)
        if going[OTHER] and len(self.known) != self.held - hidden:
            raise UsageError(
                f"carte blanche: the other has shown {self.held - hidden} cards, but {len(self.known)} are known"
            )

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same."""
        said = super().written(ruleset, phases, view)
        if "credit" in cls.more:
            said |= _credit_texts(ruleset.pack, view)
        said["carte blanche"] = whose_text(*(view["public"][side]["chain"] for side in (MINE, OTHER)))
        common = view["common"]
        if int(common["led"]) < 0 and int(common["leader"]) != int(view["seat"]):
            said["leader"] = "other"
        return said


class SixPacks(Unturned):
    """Bezique with six packs: fours of trumps, and the winner of the last trick may decline it."""

    more: tuple[str, ...] = ("carte blanche", "leader")
    style = Style("msbft")
    skip_forced = True  # a four takes all that lies on the table

    def read_cards(self) -> None:
        """Read the cards that are named; there are none in the phase of taking the last trick."""
        super().read_cards()
        if self.phase == "take" and (self.hand or self.tables[MINE] or self.known):
            raise UsageError("the phase 'take' comes after the last trick: nobody holds a card any more")
