"""Positions of the bezique family in words: what a player knows, said as he would say it at the table.

What is said is checked against the cards and against each other; what is not said is derived where it can be, taken for
granted where there is a usual value, and otherwise left open: the cards that were played and not named, and whose those
among them are that count, are drawn at random for each world.

Here is what the games for two have in common; the games that differ from each other are in `position_games`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcards.cards import check_cards
from simcards.errors import UsageError, unknown
from simcards.games.bezique.frame import DECLARING, PICKING, PLAYING, SHOWING, TAKING, TEN, TYPES
from simcards.games.bezique.ledger import FOUR, HAND
from simcards.games.bezique.position_open import (
    NO_CHOICE,
    NOT_DECLARABLE,
    Guess,
    Split,
    any_split,
    check_total,
    choose_again,
)
from simcards.games.bezique.position_tables import Style, highest, lay_table, read_table, table_text
from simcards.games.bezique.position_texts import Texts, mask_of, pair_text
from simcards.games.bezique.text import FOURS
from simcards.games.game import Position, Positions
from simcards.games.ruleset import RuleSet

STAGES = {"show": SHOWING, "knock": SHOWING, "claim": SHOWING}
STAGES |= {"declare": DECLARING, "lay": PICKING, "play": PLAYING, "take": TAKING}
MINE, OTHER = 0, 1
_FOURS = {name.removeprefix("four "): FOUR + k for k, name in enumerate(FOURS)}
KEYS = (
    *("seat", "phase", "hand", "table", "other table", "known", "shown", "trump", "led", "stock", "played", "points"),
    *("tricks", "brisques", "declared", "taken", "drawn", "combinations"),
)


def positions(reader: type[Reader], ruleset: RuleSet, phases: tuple[str, ...]) -> Positions:
    """Return how positions of a game of the family for two are written.

    Parameters
    ----------
    reader : type of Reader
        What reads them.
    ruleset : RuleSet
        The game.
    phases : tuple of str
        Names of its phases.

    Returns
    -------
    Positions
    """

    def read(values: Mapping[str, str], view: np.ndarray) -> Position:
        return reader(ruleset, phases, values, view).read()

    def write(view: Any) -> dict[str, str]:
        said = reader.written(ruleset, phases, view)
        return {key: said[key] for key in said if said[key]}

    return Positions((*reader.keys, *reader.more), read, write)


class Reader(Texts):
    """Reads one position of a game for two; each step relies on those before it."""

    keys: tuple[str, ...] = KEYS
    """What can be said of a position in all such games."""
    more: tuple[str, ...] = ()
    """Keys besides those."""
    style = Style()
    """How cards on the table are marked."""
    declarations: Mapping[str, int] = _FOURS
    """Declarations that may leave a choice of cards, by what they are called."""
    skip_forced = False
    """Whether cards that such a declaration takes by itself are not among those that were chosen."""
    counted = "aces and tens"
    """What is counted of the cards won."""
    shared = ""
    """The same, as what went to either player; empty where these are the same words."""

    def __init__(self, ruleset: RuleSet, phases: tuple[str, ...], values: Mapping[str, str], views: np.ndarray) -> None:
        super().__init__(ruleset.pack, values)
        self.ruleset, self.phases = ruleset, phases
        self.views, self.view = views, views[0]
        self.rules = self.view["rules"]
        self.size = int(self.rules["hand"]) if "hand" in (self.rules.dtype.names or ()) else ruleset.hand
        self.start = self.pack.size - 2 * self.size  # cards in the stock at first
        self.assumed: list[str] = []
        self.turn_up = -1

    # -- what games do differently -----------------------------------------------------------------------------

    def is_between(self, count: int) -> bool:
        """Return whether the decision comes after a trick and before both draw, with so many cards of one's own."""
        return self.phase in ("declare", "lay")

    def has_cards(self) -> bool:
        """Return whether the player holds any in this phase."""
        return self.phase != "take"

    def other_drew(self) -> bool:
        """Return whether the other has drawn already when the player declares."""
        return False

    def read_trump(self) -> None:
        """Read what is trumps."""
        self.trump = self.suit("trump", True)
        if self.trump < 0 and self.tricks and "trump" not in self.values:
            self.assumed.append("no trumps so far")

    def seat_of(self, first: bool) -> str | None:
        """Return whose turn it must be; `first`: at the first trick. None where it may be either's."""
        return self.ruleset.seats[self.led >= 0] if first else None

    def leads(self, first: bool, role: int) -> bool:
        """Return whether the player in a role leads this trick, or won the last."""
        return self.led < 0

    def deals(self) -> int:
        """Return how many deals there can be in a game."""
        return 1

    def winning(self) -> int:
        """Return the points with which a player has won already, 0 where there are none."""
        return 0

    def read_rest(self) -> None:
        """Read what only this game has."""

    def values_of(self) -> list[int]:
        """Return what each card counts for who wins it, by code."""
        return [int(card & 7 >= TEN) for card in range(TYPES)]

    def won_for_sure(self) -> tuple[int, int]:
        """Return what each player has won of that, so far as the table shows it."""
        return 0, 0

    def write_won(self, views: np.ndarray, won: np.ndarray) -> None:
        """Add what each player has won in this deal to views."""
        views["public"]["brisques"] += won.astype(np.int32)

    # -- the whole ---------------------------------------------------------------------------------------------

    def read(self) -> Position:
        """Read the position."""
        self.read_cards()
        self.count_cards()
        self.read_trump()
        self.check_copies()
        self.place()
        self.read_scores()
        self.lay_tables()
        self.read_rest()
        guess = self.unknown()
        open_ = guess.unnamed > 0 or guess.won is not None
        if self.phase == "lay":
            self.read_choice(guess if open_ else None)
        return Position(self.views, guess if open_ else None, tuple(self.assumed))

    def lay_tables(self) -> None:
        """Put the cards on the tables."""
        counts = self.pair("combinations")
        for side, key in enumerate(("table", "other table")):
            public, number = self.view["public"][side], counts[side] if counts else None
            lay_table(public, self.tables[side], self.style, key, self.trump, number, self.pack)

    def levels(self) -> int:
        """Return the highest level of bezique."""
        return int(self.rules["levels"])

    def read_cards(self) -> None:
        """Read the cards that are named, and the phase."""
        phase = self.values.get("phase", "lay" if "declared" in self.values else "play").casefold()
        if phase not in self.phases:
            raise unknown(f"phase of {self.ruleset.id}", phase, self.phases)
        self.phase = phase
        self.hand = self.cards("hand")
        levels = self.levels() if self.style.letters else 0
        self.tables = [
            read_table(self, key, self.values.get(key, ""), self.style, levels) for key in ("table", "other table")
        ]
        for key, table in zip(("table", "other table"), self.tables):
            if sum(not slot.captured for slot in table) > self.size:
                raise UsageError(f"{key}: {len(table)} cards; a player has at most {self.size}")
            if len(table) > len(self.view["public"][0]["table"]):
                raise UsageError(f"{key}: {len(table)} cards are more than there can be")
        self.lying = [sum(not slot.captured for slot in table) for table in self.tables]
        self.known, self.shown, self.played = self.cards("known"), self.cards("shown"), self.cards("played")
        self.led = self.read_led()
        if not self.hand and not self.lying[MINE] and self.has_cards():
            raise UsageError("a position says what the player holds, as in 'hand: QS JD KH'")
        if phase != "lay" and ("declared" in self.values or "taken" in self.values):
            raise UsageError(f"declared and taken belong to the phase 'lay', not to {phase!r}")
        if phase not in ("play", "show") and self.led >= 0:
            raise UsageError(f"no card is led in the phase {phase!r}, which comes between two tricks")
        missing = Counter(self.shown) - Counter(self.hand)
        if missing:
            raise UsageError(f"shown: {self.pack.text(next(iter(missing)))} is not in the hand")

    def read_led(self) -> int:
        """Return the card led, -1 for none."""
        return self.card("led")

    def count_cards(self) -> None:
        """Find out how many cards there are in the stock, with the other, and played."""
        count = len(self.hand) + self.lying[MINE]
        if count > self.size:
            raise UsageError(f"hand and table hold {count} cards together; a player has at most {self.size}")
        self.between = self.is_between(count)
        captured = sum(slot.captured for table in self.tables for slot in table)
        gone = len(self.played) + captured
        drew = int(self.other_drew())
        stock = self.read_stock(count, gone, drew)
        if stock == 0 and self.between:
            raise UsageError(f"the phase {self.phase!r} does not fit: nothing is declared when the stock is gone")
        full = self.size - self.between
        if stock > 0 and count != full:
            when = f"in the phase {self.phase!r}" if self.between else f"with {stock} cards in the stock"
            raise UsageError(f"hand and table hold {count} cards together; a player {when} has {full}")
        if stock == 0 and (self.tables[MINE] or self.tables[OTHER]):
            raise UsageError("the tables are empty when the stock is gone: all cards are in the hands again")
        self.stock = stock
        theirs = count - (self.led >= 0) + drew
        self.held = theirs - self.lying[OTHER]
        if self.held < len(self.known):
            raise UsageError(
                f"known and other table name {len(self.known) + self.lying[OTHER]} cards; the other has {theirs}"
            )
        undrawn = stock + drew
        self.tricks = (self.start - undrawn) // 2 + self.between if stock else self.start // 2 + self.size - count
        self.unnamed = 2 * self.tricks - gone
        if self.unnamed < 0:
            among = f" and {captured} captured" if captured else ""
            raise UsageError(
                f"played: {len(self.played)} cards{among}, but with {stock} cards in the stock and {count} with the"
                f" player it is {2 * self.tricks}"
            )

    def read_stock(self, count: int, gone: int, drew: int) -> int:
        """Return the cards in the stock: as said, or what follows from the others."""
        stock = self.number("stock", 0, self.start)
        if stock is None:
            if not self.between and count < self.size:
                return 0
            if "played" not in self.values:
                return self.start - drew
            if gone % 2:
                raise UsageError(f"played: {gone} cards, but tricks have two; the card led now is given as 'led'")
            stock = self.start + 2 * self.between - gone - drew
            if stock < 0:
                raise UsageError(f"played: {gone} cards, but a player with {count} has seen at most {self.start}")
            return stock
        if stock % 2 != drew:
            if drew:
                raise UsageError(f"stock: the other has drawn and the player has not, so it is odd, not {stock}")
            raise UsageError(f"stock: two cards are drawn at a time, so it is an even number, not {stock}")
        return stock

    def located(self) -> Counter[int]:
        """Count the cards that were named, wherever they are."""
        tables = [slot.card for table in self.tables for slot in table]
        return Counter([*self.hand, *tables, *self.known, *self.played, *([self.led] if self.led >= 0 else [])])

    def turned(self) -> list[int]:
        """Return the card turned up while it is there."""
        return [self.turn_up] if self.turn_up >= 0 and self.stock else []

    def check_copies(self) -> None:
        """Refuse a card that is there too often."""
        check_cards(self.pack, [*self.located().elements(), *self.turned()])

    def place(self) -> None:
        """Say whose turn it is, and where everything lies."""
        seat = self.word("seat", self.ruleset.seats)
        first = self.tricks == 0 and self.stock > 0
        right = self.seat_of(first)
        if right and seat not in (None, right):
            raise UsageError(self.wrong_seat(right))
        role = self.ruleset.seats.index(right or seat or self.ruleset.seats[0])
        deal = 1
        if "deal" in self.values:
            most = self.deals()
            deal = self.number("deal", 1, max(most, 10_000)) or 1
            if deal > 1 and most == 1:
                raise UsageError("deal: there is only one, unless the unit is a game of several deals")
            if deal > most:
                raise UsageError(f"deal: a game has {most}, so it cannot be the one with the number {deal}")
        pone = (deal - 1) & 1
        me = role ^ pone
        common = self.view["common"]
        common["deals"], common["pone"], common["winner"] = deal, pone, -1
        common["stage"], common["turn"], common["led"] = STAGES[self.phase], me, self.led
        common["stock"], common["trump"], common["turn_up"] = self.stock, self.trump, self.turn_up
        common["trick"] = self.tricks + (deal - 1) * (self.pack.size // 2)
        common["leader"] = me if self.leads(first, role) else 1 - me
        self.view["seat"] = me
        self.view["choice"]["declared"] = -1
        self.me, self.deal = me, deal
        for card in self.played:
            common["seen"][card] += 1
        if self.led >= 0:
            common["seen"][self.led] += 1
        own = self.view["own"]
        for card in self.hand:
            own["hand"][card] += 1
        own["mask"] = mask_of(set(self.hand))
        own["drawn"] = self.card("drawn")
        own["may_show"] = self.phase == "show"
        for side, cards, shown in ((MINE, len(self.hand), self.shown), (OTHER, self.held, self.known)):
            public = self.view["public"][side]
            public["cards"] = cards
            for card in shown:
                public["shown"][card] += 1

    def wrong_seat(self, right: str) -> str:
        """Return what is wrong with another player's turn."""
        return (
            f"at the first trick the pone leads, so {'with' if self.led >= 0 else 'without'} a card led"
            f" it is the {right}'s turn"
        )

    def read_scores(self) -> None:
        """Read points, tricks, and brisques of earlier deals."""
        points = self.pair("points")
        if points is None and self.tricks:
            self.assumed.append("no points so far")
        limit = self.winning()
        for side, number in enumerate(points or (0, 0)):
            if 0 < limit <= number:
                raise UsageError(f"points: whoever has {number} points has won, since {limit} win the game")
            self.view["public"][side]["points"] = number
        played = self.tricks + self.pack.size // 2 * (self.deal - 1)
        mine = (played + int(self.view["common"]["leader"] == self.me)) // 2
        tricks = self.pair("tricks") or (mine, played - mine)
        if sum(tricks) != played:
            raise UsageError(f"tricks: {tricks[0]} and {tricks[1]}, but {played} have been played")
        earlier = self.pair("earlier brisques") or (0, 0)
        if sum(earlier) and self.deal == 1:
            raise UsageError("earlier brisques: there are none in the first deal; say which it is, as in 'deal: 2'")
        for side in range(2):
            self.view["public"][side]["tricks"] = tricks[side]
            self.view["public"][side]["brisques"] = earlier[side]

    # -- what is left open -------------------------------------------------------------------------------------

    def said_of_won(self) -> tuple[str, tuple[int, int] | None]:
        """Return under which key it is said what both have won in this deal, and what."""
        return "brisques", self.pair("brisques")

    def pool(self) -> list[int]:
        """Return how many of each card are nowhere to be seen."""
        left = Counter({card: int(number) for card, number in enumerate(self.pack.counts())})
        left.subtract(self.located())
        left.subtract(self.turned())
        return [left[card] for card in range(TYPES)]

    def unknown(self) -> Guess:
        """Say what is to be drawn at random, and whether what is said of the cards won can be."""
        values = self.values_of()
        key, said = self.said_of_won()
        sure = self.won_for_sure()
        named = sum(values[card] for card in self.played)
        split = any_split()
        if said is not None:
            split = self.check_won(key, said, named, values)
            self.write_won(self.views, np.array([said]))
        else:
            self.write_won(self.views, np.array([sure]))
        if self.unnamed:
            gone = 2 * self.tricks
            share = f"the {gone}" if self.unnamed == gone else f"{self.unnamed} of the {gone}"
            self.assumed.append(f"{share} cards played were not named: drawn at random in each world")
        open_ = said is None and (self.unnamed > 0 or named > 0)
        if open_:
            self.assumed.append(f"{self.shared or self.counted} played went to either player at random in each world")
        led = [self.led] if self.led >= 0 else []
        won = self.write_won if open_ else None
        return Guess(self.unnamed, self.pack.counts().tolist(), values, led, split, won)

    def check_won(self, key: str, said: tuple[int, int], named: int, values: Sequence[int]) -> Split:
        """Check what both have won against the cards played, and say how the unnamed ones can make it."""
        sure = self.won_for_sure()
        if said[MINE] < sure[MINE] or said[OTHER] < sure[OTHER]:
            raise UsageError(f"{key}: {said[MINE]} and {said[OTHER]}, but those captured are {sure[0]} and {sure[1]}")
        return check_total(key, said, named + sum(sure), self.pool(), values, self.unnamed, self.counted)

    def read_choice(self, guess: Guess | None) -> None:
        """Take the cards of a declaration that were chosen already."""
        named = self.values.get("declared", "").casefold().removeprefix("a ").removeprefix("the ")
        if not named:
            raise UsageError(f"what was declared? say so, as in 'declared: {next(iter(self.declarations))}'")
        name = next((name for name in self.declarations if name.casefold() == named), None)
        if name is None:
            raise unknown("declaration with a choice of cards", named, self.declarations)
        action = self.declarations[name]
        label = f"four {name}" if name in _FOURS else name
        taken = self.cards("taken")
        views = self.views.copy()
        views["common"]["stage"] = DECLARING
        if guess:
            guess(views, 0, 0)
        from simcards.games import registry

        states = np.zeros(1, registry.load(self.ruleset.id).state)
        states["rules"] = self.rules
        wrong = choose_again(views, states, action, taken, self.skip_forced)
        if wrong == NOT_DECLARABLE:
            raise UsageError(f"declared: {label} cannot be scored with these cards")
        if wrong == NO_CHOICE:
            raise UsageError(f"the phase 'lay' does not fit: there is no choice of cards for {label}")
        if wrong >= 0:
            raise UsageError(f"taken: {self.pack.text(taken[wrong])} cannot be taken for {label} here")
        self.view["choice"] = views[0]["choice"]

    # -- writing -----------------------------------------------------------------------------------------------

    @classmethod
    def written(cls, ruleset: RuleSet, phases: tuple[str, ...], view: Any) -> dict[str, str]:
        """Write a view so that it is read as the same; an empty text is what is not said."""
        pack, common = ruleset.pack, view["common"]
        me, pone, led = int(view["seat"]), int(common["pone"]), int(common["led"])
        own, other = view["public"][MINE], view["public"][OTHER]
        seen = [min(int(number), int(most)) for number, most in zip(common["seen"], pack.counts())]
        if led >= 0:
            seen[led] -= 1
        trump, drawn, turn_up = int(common["trump"]), int(view["own"]["drawn"]), int(common["turn_up"])
        said = {
            "seat": ruleset.seats[me ^ pone],
            "phase": next(name for name in phases if STAGES[name] == int(common["stage"])),
            "hand": counts_text(pack, view["own"]["hand"]),
            "table": table_text(pack, own, cls.style),
            "shown": counts_text(pack, own["shown"]),
            "other table": table_text(pack, other, cls.style),
            "known": counts_text(pack, other["shown"]),
            "trump": pack.suits[trump] if trump >= 0 else "none",
            "turn-up": pack.text(turn_up) if turn_up >= 0 else "",
            "led": pack.text(led) if led >= 0 else "",
            "stock": str(int(common["stock"])),
            "played": grouped_text(pack, seen),
            "points": pair_text(own["points"], other["points"]),
            "tricks": pair_text(own["tricks"], other["tricks"]),
            "brisques": pair_text(own["brisques"], other["brisques"]),
            "drawn": pack.text(drawn) if drawn >= 0 else "",
        }
        choice = view["choice"]
        declared = int(choice["declared"])
        if declared >= 0:
            said["declared"] = next(name for name, action in cls.declarations.items() if action == declared)
            places = [k for k in range(int(choice["count"])) if not cls.skip_forced or int(choice["place"][k]) == HAND]
            said["taken"] = " ".join(pack.text(int(choice["type"][k])) for k in places)
        scored = [int(side["combinations"]) for side in (own, other)]
        if scored != [highest(side["table"], int(side["laid"])) for side in (own, other)]:
            said["combinations"] = pair_text(*scored)
        return said


def counts_text(pack: Any, counts: Any) -> str:
    """Write a hand, given as a count of each card."""
    return str(pack.format([card for card in range(TYPES) for _ in range(int(counts[card]))]))


def grouped_text(pack: Any, counts: Any) -> str:
    """Write many cards suit by suit: "S:AAT H:KQ"."""
    parts = []
    for suit, name in enumerate(pack.suits):
        ranks = "".join(rank * int(counts[8 * suit + k]) for k, rank in enumerate(pack.ranks))
        if ranks:
            parts.append(f"{name}:{ranks[::-1]}")
    return " ".join(parts)
