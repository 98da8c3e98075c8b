"""Positions of the bezique family in words: what a player knows, said as he would say it at the table.

What is said is checked against the cards and against each other; what is not said is derived where it can be, taken for
granted where there is a usual value, and otherwise left open: the cards that were played and not named, and whose the
aces and tens among the played cards are, are drawn at random for each world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcards.cards import check_cards
from simcards.errors import UsageError, unknown
from simcards.games.bezique.frame import (
    ACE,
    COURTS,
    DECLARING,
    JACK,
    JACK_OF_DIAMONDS,
    KING,
    PICKING,
    PLAYING,
    QUEEN,
    QUEEN_OF_SPADES,
    SEVEN,
    SHOWING,
    TEN,
    TYPES,
    bit_of,
    rank_of,
)
from simcards.games.bezique.ledger import (
    FOUR,
    LEVEL,
    LEVELS,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    needs_picking,
    open_picks,
    pick_for_four,
    scorable,
)
from simcards.games.bezique.text import SUIT_NAMES
from simcards.games.game import Position, Positions
from simcards.games.ruleset import RuleSet
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import determinize
from simcards.kernel.rng import STREAM, bounded, seed_stream
from simcards.kernel.search import GUESS
from simcards.kernel.shuffle import shuffle_prefix

_STAGES = {"show": SHOWING, "declare": DECLARING, "lay": PICKING, "play": PLAYING}
_FOURS = ("aces", "kings", "queens", "jacks")
_CREDITS = "AKQJ"
_WHOSE = {"none": (0, 0), "mine": (1, 0), "other": (0, 1), "both": (1, 1)}
_PAIR = re.compile(r"(\d{1,7})(?:\s*[:,/–-]\s*|\s+)(\d{1,7})")
_ON_TABLE = re.compile(r"([^\s(),;|]+)\s*(?:\(([^()]*)\))?[\s,;|]*")
_MARK = re.compile(r"([msf])(\d{1,3}|-)?|b([1-4]?)(-|/\d{1,3})?")

# Of each kind of combination: its letter, its bit or bits of `used`, the field that names it, the ranks in it
_KINDS = {
    "m": ("marriage", USED_MARRIAGE, (QUEEN, KING)),
    "s": ("sequence", USED_SEQUENCE, (JACK, QUEEN, KING, TEN, ACE)),
    "f": ("four", USED_FOUR, (JACK, QUEEN, KING, ACE)),
}
_LATEST = 255  # the highest number of a combination that a card can bear

_MINE, _OTHER = 0, 1

_KEYS = (
    *("seat", "phase", "hand", "table", "other table", "known", "shown", "trump", "led", "stock", "played", "points"),
    *("tricks", "brisques", "credit", "other credit", "declared", "taken", "drawn", "combinations"),
)
_TURNED = ("turn-up", "sevens", "deal", "earlier brisques")  # where a card is turned up for trumps
_UNTURNED = ("carte blanche", "leader")


def positions(ruleset: RuleSet, phases: tuple[str, ...]) -> Positions:
    """Return how positions of a game of the family are written.

    Parameters
    ----------
    ruleset : RuleSet
        The game.
    phases : tuple of str
        Names of its phases.

    Returns
    -------
    Positions
    """
    turned = "show" not in phases
    keys = (*_KEYS, *(_TURNED if turned else _UNTURNED))

    def read(values: Mapping[str, str], view: np.ndarray) -> Position:
        return _Reader(ruleset, phases, turned, values, view).read()

    def write(view: Any) -> dict[str, str]:
        return _written(ruleset, phases, turned, view)

    return Positions(keys, read, write)


class _Reader:
    """Reads one position; each step relies on those before it."""

    def __init__(
        self,
        ruleset: RuleSet,
        phases: tuple[str, ...],
        turned: bool,
        values: Mapping[str, str],
        view: np.ndarray,
    ) -> None:
        self.ruleset, self.pack = ruleset, ruleset.pack
        self.phases, self.turned = phases, turned
        rules = view[0]["rules"]
        self.size = int(rules["hand"]) if "hand" in (rules.dtype.names or ()) else ruleset.hand
        self.start = self.pack.size - 2 * self.size  # cards in the stock at first
        self.values = values
        self.views = view
        self.view = view[0]
        self.assumed: list[str] = []

    # -- single texts ------------------------------------------------------------------------------------------

    def cards(self, key: str) -> list[int]:
        try:
            return self.pack.parse(self.values.get(key, "").strip(" -"))
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None

    def card(self, key: str) -> int:
        """Return a single card, -1 when nothing is said."""
        cards = self.cards(key)
        if len(cards) > 1:
            raise UsageError(f"{key}: one card, not {len(cards)}")
        return cards[0] if cards else -1

    def number(self, key: str, low: int, high: int) -> int | None:
        if key not in self.values:
            return None
        text = self.values[key]
        if not text.isdecimal() or not low <= int(text) <= high:
            raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def pair(self, key: str) -> tuple[int, int] | None:
        """Return two numbers, the player's and the other's."""
        if key not in self.values:
            return None
        found = _PAIR.fullmatch(self.values[key])
        if not found:
            raise UsageError(f"{key}: two numbers, one's own and the other's, as in '3 - 2', not {self.values[key]!r}")
        return int(found[1]), int(found[2])

    def word(self, key: str, words: Sequence[str]) -> str | None:
        if key not in self.values:
            return None
        text = self.values[key].casefold()
        if text not in words:
            raise UsageError(f"{key}: {' or '.join([', '.join(words[:-1]), words[-1]])}, not {self.values[key]!r}")
        return text

    # -- the whole ---------------------------------------------------------------------------------------------

    def read(self) -> Position:
        self.read_cards()
        self.count_cards()
        self.read_trump()
        self.check_copies()
        self.place()
        self.read_scores()
        self.read_rest()
        guess = self.unknown()
        if self.phase == "lay":
            self.read_choice(guess)
        return Position(self.views, guess if guess.needed else None, tuple(self.assumed))

    def read_cards(self) -> None:
        """Read the cards that are named, and the phase."""
        self.hand = self.cards("hand")
        self.tables = [self.read_table("table", _MINE), self.read_table("other table", _OTHER)]
        self.known, self.shown, self.played = self.cards("known"), self.cards("shown"), self.cards("played")
        self.led, self.turn_up = self.card("led"), -1
        if not self.hand and not self.tables[_MINE]:
            raise UsageError("a position says what the player holds, as in 'hand: QS JD KH'")
        phase = self.values.get("phase", "lay" if "declared" in self.values else "play").casefold()
        if phase not in self.phases:
            raise unknown(f"phase of {self.ruleset.id}", phase, self.phases)
        self.phase = phase
        self.between = phase in ("declare", "lay")  # of two tricks, before both draw
        if phase != "lay" and ("declared" in self.values or "taken" in self.values):
            raise UsageError(f"declared and taken belong to the phase 'lay', not to {phase!r}")
        if self.between and self.led >= 0:
            raise UsageError(f"no card is led in the phase {phase!r}, which comes between two tricks")
        missing = Counter(self.shown) - Counter(self.hand)
        if missing:
            raise UsageError(f"shown: {self.pack.text(next(iter(missing)))} is not in the hand")

    def count_cards(self) -> None:
        """Find out how many cards there are in the stock, with the other, and played."""
        count = len(self.hand) + len(self.tables[_MINE])
        full = self.size - self.between
        if count > self.size:
            raise UsageError(f"hand and table hold {count} cards together; a player has at most {self.size}")
        stock = self.number("stock", 0, self.start)
        if stock is None:
            if not self.between and count < self.size:
                stock = 0
            elif "played" in self.values:
                if len(self.played) % 2:
                    raise UsageError(
                        f"played: {len(self.played)} cards, but tricks have two; the card led now is given as 'led'"
                    )
                stock = self.start + 2 * self.between - len(self.played)
                if stock < 0:
                    raise UsageError(
                        f"played: {len(self.played)} cards, but a player with {count} has seen at most {self.start}"
                    )
            else:
                stock = self.start
        if stock % 2:
            raise UsageError(f"stock: two cards are drawn at a time, so it is an even number, not {stock}")
        if stock == 0 and self.between:
            raise UsageError(f"the phase {self.phase!r} does not fit: nothing is declared when the stock is gone")
        if stock > 0 and count != full:
            when = f"in the phase {self.phase!r}" if self.between else f"with {stock} cards in the stock"
            raise UsageError(f"hand and table hold {count} cards together; a player {when} has {full}")
        if stock == 0 and (self.tables[_MINE] or self.tables[_OTHER]):
            raise UsageError("the tables are empty when the stock is gone: all cards are in the hands again")
        self.stock = stock
        theirs = count - (self.led >= 0)
        self.held = theirs - len(self.tables[_OTHER])
        if self.held < len(self.known):
            raise UsageError(
                f"known and other table name {len(self.known) + len(self.tables[_OTHER])} cards; the other has {theirs}"
            )
        self.tricks = (self.start - stock) // 2 + self.between if stock else self.start // 2 + self.size - count
        self.unnamed = 2 * self.tricks - len(self.played)
        if self.unnamed < 0:
            raise UsageError(
                f"played: {len(self.played)} cards, but with {stock} cards in the stock and {count} with the player"
                f" it is {2 * self.tricks}"
            )

    def read_trump(self) -> None:
        text = self.values.get("trump", "").casefold()
        suits = {
            spelling: suit
            for suit, (name, sign) in enumerate(zip(SUIT_NAMES, "♠♥♦♣"))
            for spelling in (name, name[:-1], name[0], sign)
        }
        if text in ("", "none", "-"):
            self.trump = -1
        elif text in suits:
            self.trump = suits[text]
        else:
            raise UsageError(f"trump: a suit, S, H, D or C{'' if self.turned else ', or none'}, not {text!r}")
        if self.turned:
            self.read_turn_up()
        elif self.trump < 0:
            if any(slot.number("m") or slot.number("s") for table in self.tables for slot in table):
                raise UsageError(
                    "a marriage or a sequence was scored, so there are trumps: name them, as in 'trump: H'"
                )
            if self.tricks and "trump" not in self.values:
                self.assumed.append("no trumps so far")

    def read_turn_up(self) -> None:
        self.turn_up = self.card("turn-up")
        if self.turn_up < 0:
            if self.trump < 0:
                raise UsageError("which suit is trumps? name it or the card turned up, as in 'turn-up: 9H'")
            if self.tricks == 0:
                raise UsageError("at the first trick the card turned up is still there: name it, as in 'turn-up: 9H'")
            seven = 8 * self.trump + SEVEN
            if self.stock and self.located()[seven] == self.pack.copies:
                raise UsageError("all sevens of trumps are elsewhere, so name the card turned up, as in 'turn-up: 9H'")
            self.turn_up = seven
            if self.stock:
                self.assumed.append(f"{self.pack.text(seven)} turned up, as after an exchange")
        elif self.trump >= 0 and self.turn_up >> 3 != self.trump:
            raise UsageError(f"{self.pack.text(self.turn_up)} turned up makes {SUIT_NAMES[self.turn_up >> 3]} trumps")
        self.trump = self.turn_up >> 3

    def located(self) -> Counter[int]:
        """Count the cards that were named, wherever they are."""
        tables = [slot.card for table in self.tables for slot in table]
        return Counter([*self.hand, *tables, *self.known, *self.played, *([self.led] if self.led >= 0 else [])])

    def check_copies(self) -> None:
        turned = [self.turn_up] if self.turned and self.stock else []
        check_cards(self.pack, [*self.located().elements(), *turned])

    def place(self) -> None:
        """Say whose turn it is."""
        seat = self.word("seat", self.ruleset.seats)
        first = self.tricks == 0 and self.stock > 0
        if first:
            right = self.ruleset.seats[self.led >= 0]
            if seat not in (None, right):
                raise UsageError(
                    f"at the first trick the pone leads, so {'with' if self.led >= 0 else 'without'} a card led"
                    f" it is the {right}'s turn"
                )
            seat = right
        deal = (self.number("deal", 1, 10_000) or 1) if self.turned else 1
        if deal > 1 and not self.view["rules"]["target"]:
            raise UsageError("deal: there is only one, unless the unit is a game of several deals")
        role = self.ruleset.seats.index(seat or self.ruleset.seats[0])
        pone = (deal - 1) & 1
        me = role ^ pone
        common = self.view["common"]
        common["deals"], common["pone"], common["winner"] = deal, pone, -1
        common["stage"], common["turn"], common["led"] = _STAGES[self.phase], me, self.led
        common["stock"], common["trump"], common["turn_up"] = self.stock, self.trump, self.turn_up
        common["trick"] = self.tricks + (deal - 1) * (self.pack.size // 2)
        leads = self.values.get("leader", "other" if self.led >= 0 else "me").casefold()
        free = self.phase == "show" and not first
        if leads not in (("other",) if self.led >= 0 else ("me", "other") if free else ("me",)):
            word = self.word("leader", ("me", "other"))
            raise UsageError(f"leader: {word!r} does not fit, since {'a' if self.led >= 0 else 'no'} card is led")
        common["leader"] = me if leads == "me" else 1 - me
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
        own["mask"] = _mask(self.hand)
        own["drawn"] = self.card("drawn")
        own["may_show"] = self.phase == "show"
        for side, cards, shown in ((_MINE, len(self.hand), self.shown), (_OTHER, self.held, self.known)):
            public = self.view["public"][side]
            public["cards"] = cards
            for card in shown:
                public["shown"][card] += 1

    def read_scores(self) -> None:
        target = int(self.view["rules"]["target"]) if self.turned else 0
        points = self.pair("points")
        if points is None and self.tricks:
            self.assumed.append("no points so far")
        for side, number in enumerate(points or (0, 0)):
            if 0 < target <= number:
                raise UsageError(f"points: whoever has {number} points has won, since {target} win the game")
            self.view["public"][side]["points"] = number
        played = self.tricks + self.pack.size // 2 * (self.deal - 1)
        mine = (played + int(self.view["common"]["leader"] == self.me)) // 2
        tricks = self.pair("tricks") or (mine, played - mine)
        if sum(tricks) != played:
            raise UsageError(f"tricks: {tricks[0]} and {tricks[1]}, but {played} have been played")
        brisques = self.pair("earlier brisques") or (0, 0)
        if sum(brisques) and self.deal == 1:
            raise UsageError("earlier brisques: there are none in the first deal; say which it is, as in 'deal: 2'")
        for side in range(2):
            self.view["public"][side]["tricks"] = tricks[side]
            self.view["public"][side]["brisques"] = brisques[side]

    def read_rest(self) -> None:
        """Read what only matters now and then."""
        for side, key in enumerate(("credit", "other credit")):
            ranks = re.sub(r"[\s,]", "", self.values.get(key, "").upper()).strip("-")
            for rank in ranks:
                if rank not in _CREDITS:
                    raise UsageError(f"{key}: ranks of fours, A K Q J, not {rank!r}")
                if not self.view["rules"]["reform"]:
                    raise UsageError(f"{key}: a further card of a scored four scores only with the rule reform=yes")
            self.view["public"][side]["credit"] = _bits(self.pack.ranks.index(rank) for rank in ranks)
        counts = self.pair("combinations")
        for side, table in enumerate(self.tables):
            self.lay(side, table, counts[side] if counts else None)
        if self.turned:
            seven = 8 * self.trump + SEVEN
            sevens = self.pair("sevens") or (0, 0)
            if sevens[_MINE] > self.hand.count(seven):
                raise UsageError(
                    f"sevens: {sevens[_MINE]} of trumps in the hand cannot have been scored, it has"
                    f" {self.hand.count(seven)}"
                )
            if sevens[_OTHER] > min(self.held, self.pack.copies - self.hand.count(seven)):
                raise UsageError(f"sevens: the other cannot hold {sevens[_OTHER]} sevens of trumps")
            for side, number in enumerate(sevens):
                self.view["common"]["scored_sevens"][self.me ^ side] = number
        else:
            self.read_carte_blanche()

    def read_carte_blanche(self) -> None:
        going = _WHOSE[self.word("carte blanche", tuple(_WHOSE)) or "none"]
        if any(going) and not self.stock:
            raise UsageError("carte blanche: it ends with the last card drawn")
        for side, number in enumerate(going):
            self.view["public"][side]["chain"] = number
        asked = self.phase == "show"
        drawn = int(self.view["own"]["drawn"])
        seen = [*(self.hand if asked or going[_MINE] else ()), *(self.known if going[_OTHER] else ())]
        for card in seen:
            if int(COURTS) >> card & 1:
                raise UsageError(f"carte blanche is a hand without king, queen and jack; {self.pack.text(card)} is one")
        if asked and self.tricks and not going[_MINE]:
            raise UsageError("a drawn card is shown only by who has shown carte blanche: say 'carte blanche: mine'")
        if asked and self.tricks and drawn not in self.hand:
            raise UsageError("the card drawn, which may be shown, is one in the hand: name it, as in 'drawn: 8H'")
        if going[_MINE] and "shown" not in self.values:
            for card in self.hand:
                self.view["public"][_MINE]["shown"][card] += 1
            if asked:
                self.view["public"][_MINE]["shown"][drawn] -= 1
        # the second to draw has not been asked when the first one is
        hidden = int(asked and int(self.view["common"]["leader"]) == self.me)
        if going[_OTHER] and len(self.known) != self.held - hidden:
            raise UsageError(
                f"carte blanche: the other has shown {self.held - hidden} cards, but {len(self.known)} are known"
            )

    # -- cards on the table ------------------------------------------------------------------------------------

    def read_table(self, key: str, side: int) -> list[_Slot]:
        text = self.values.get(key, "").strip(" -")
        slots: list[_Slot] = []
        end = 0
        while end < len(text):
            found = _ON_TABLE.match(text, end)
            if not found:
                raise UsageError(f"{key}: {text[end:]!r} is not a card, or one with marks such as KS(m f)")
            end = found.end()
            try:
                cards = self.pack.parse(found[1])
            except UsageError as error:
                raise UsageError(f"{key}: {error}") from None
            marks = re.split(r"[\s,]+", (found[2] or "").strip())
            slots += [_Slot(card, [self.mark(key, card, mark) for mark in marks if mark]) for card in cards]
        if len(slots) > self.size:
            raise UsageError(f"{key}: {len(slots)} cards; a player has at most {self.size}")
        return slots

    def mark(self, key: str, card: int, text: str) -> _Mark:
        found = _MARK.fullmatch(text.casefold())
        name = self.pack.text(card)
        if not found:
            raise UsageError(
                f"{key}: {text!r} behind {name} is no mark; they are m, s, b and f for what it was scored in, with -"
                " where that is broken"
            )
        kind = found[1] or "b"
        number = (found[2] if found[1] else (found[4] or "").removeprefix("/")) or ""
        level = int(found[3] or 1) if kind == "b" else 0
        if kind == "b":
            fits = card in (QUEEN_OF_SPADES, JACK_OF_DIAMONDS) and level <= int(self.view["rules"]["levels"])
        else:
            fits = rank_of.py_func(card) in _KINDS[kind][2]
        if not fits:
            what = f"a bezique of level {level}" if kind == "b" else f"a {_KINDS[kind][0]}"
            raise UsageError(f"{key}: {name} cannot have been scored in {what}")
        if number.isdigit() and not 1 <= int(number) <= _LATEST:
            raise UsageError(f"{key}: combinations are numbered from 1 to {_LATEST}, not {number}")
        return _Mark(kind, level, number)

    def lay(self, side: int, table: list[_Slot], count: int | None) -> None:
        """Put cards on a table, those of one combination under one number."""
        public = self.view["public"][side]
        numbers = [int(mark.number) for slot in table for mark in slot.marks if mark.number.isdigit()]
        latest = max(numbers, default=0)
        for place, slot in enumerate(table):
            laid = public["table"][place]
            laid["type"] = slot.card
            for mark in slot.marks:
                number = int(mark.number) if mark.number.isdigit() else 0
                if mark.kind == "b":
                    laid["used"] = (int(laid["used"]) & ~LEVELS) | (LEVEL * mark.level)
                    laid["bezique"] = number
                else:
                    field, bit, _ = _KINDS[mark.kind]
                    laid["used"] = int(laid["used"]) | bit
                    laid[field] = number
        for field, group in _unnumbered(table):
            latest += 1
            for place in group:
                public["table"][place][field] = latest
        self.check_whole(side, table)
        public["laid"] = len(table)
        public["table_mask"] = _mask([slot.card for slot in table])
        if count is not None and count < latest:
            raise UsageError(f"combinations: {count}, but the table shows a combination with the number {latest}")
        public["combinations"] = latest if count is None else count

    def check_whole(self, side: int, table: list[_Slot]) -> None:
        """Refuse a numbered combination of which cards are missing."""
        public = self.view["public"][side]
        for field, wanted in (("marriage", 2), ("sequence", 5), ("four", 4), ("bezique", 2)):
            groups: dict[int, list[int]] = {}
            for place, slot in enumerate(table):
                if public["table"][place][field]:
                    groups.setdefault(int(public["table"][place][field]), []).append(slot.card)
            for number, cards in groups.items():
                ranks, suits = {card & 7 for card in cards}, {card >> 3 for card in cards}
                if field == "four":
                    whole = len(ranks) == 1
                else:
                    whole = len(set(cards)) == wanted and (field == "bezique" or len(suits) == 1)
                if len(cards) != wanted or not whole:
                    raise UsageError(
                        f"{('table', 'other table')[side]}: the {field} with the number {number} is not whole;"
                        " what is broken is marked with -"
                    )

    # -- what is left open -------------------------------------------------------------------------------------

    def unknown(self) -> _Guess:
        """Say what is to be drawn at random, and whether what is said of brisques can be."""
        named = sum(card & 7 >= TEN for card in self.played)
        brisques = self.pair("brisques")
        guess = _Guess(
            self.unnamed,
            -1 if brisques is None else sum(brisques) - named,
            self.turned,
            self.pack.copies,
            int(self.led),
            needed=self.unnamed > 0 or (brisques is None and named > 0),
        )
        if brisques is not None:
            pool = self.pack.counts().astype(int)
            for card, count in self.located().items():
                pool[card] -= count
            if self.turned and self.stock:
                pool[self.turn_up] -= 1
            high = int(sum(pool[card] for card in range(TYPES) if card & 7 >= TEN))
            least = named + max(0, self.unnamed - (int(pool.sum()) - high))
            most = named + min(self.unnamed, high)
            if not least <= sum(brisques) <= most:
                span = str(least) if least == most else f"{least} to {most}"
                raise UsageError(
                    f"brisques: {brisques[0]} and {brisques[1]}, but the cards played hold {span} aces and tens"
                )
            for side, number in enumerate(brisques):
                self.view["public"][side]["brisques"] += number
                if self.turned:
                    self.view["deal_brisques"][side] = number
        if self.unnamed:
            gone = 2 * self.tricks
            share = f"the {gone}" if self.unnamed == gone else f"{self.unnamed} of the {gone}"
            self.assumed.append(f"{share} cards played were not named: drawn at random in each world")
        if brisques is None and guess.needed:
            self.assumed.append("aces and tens played went to either player at random in each world")
        return guess

    def read_choice(self, guess: _Guess) -> None:
        """Take the cards of a four that were chosen already."""
        declared = self.word("declared", _FOURS)
        if declared is None:
            raise UsageError("which four was declared? say so, as in 'declared: aces'")
        taken = self.cards("taken")
        action = FOUR + _FOURS.index(declared)
        self.view["choice"]["declared"] = action
        views = self.views.copy()
        if guess.needed:
            guess(views, 0, 0)
        state = self._state()
        wrong = int(_take_again(views, state, action, np.array(taken, np.int64)))
        if wrong == _NOT_SCORABLE:
            raise UsageError(f"declared: four {declared} cannot be scored with these cards")
        if wrong == _NO_CHOICE:
            raise UsageError(f"the phase 'lay' does not fit: the four {declared} leave no choice of cards")
        if wrong >= 0:
            raise UsageError(f"taken: {self.pack.text(taken[wrong])} cannot be taken for the four {declared} here")
        self.view["choice"] = views[0]["choice"]

    def _state(self) -> np.ndarray:
        from simcards.games import registry

        states = np.zeros(1, registry.load(self.ruleset.id).state)
        states["rules"] = self.view["rules"]
        return states


@dataclass(frozen=True)
class _Mark:
    """What a card on the table was scored in: kind, level of bezique, and "-" or the number or nothing."""

    kind: str
    level: int
    number: str


@dataclass(frozen=True)
class _Slot:
    """A card on the table."""

    card: int
    marks: list[_Mark]

    def number(self, kind: str) -> bool:
        """Return whether it was scored in this kind."""
        return any(mark.kind == kind for mark in self.marks)

    def waits(self, kind: str) -> bool:
        """Return whether it was scored in this kind, and it was not said in which combination."""
        return any(mark.kind == kind and not mark.number and mark.level <= 1 for mark in self.marks)


def _unnumbered(table: list[_Slot]) -> list[tuple[str, list[int]]]:
    """Put cards with marks without numbers together, in the order they lie in; what is left over is broken."""
    made: list[tuple[str, list[int]]] = []

    def places(kind: str, cards: Sequence[int]) -> list[int]:
        return [place for place, slot in enumerate(table) if slot.waits(kind) and slot.card in cards]

    for kind in "ms":
        field, _, ranks = _KINDS[kind]
        for suit in range(4):
            groups = zip(*(places(kind, [8 * suit + rank]) for rank in ranks))
            made += [(field, list(group)) for group in groups]
    for rank in _KINDS["f"][2]:
        row = places("f", [8 * suit + rank for suit in range(4)])
        made += [("four", row[k : k + 4]) for k in range(0, len(row) - 3, 4)]
    pairs = zip(places("b", [QUEEN_OF_SPADES]), places("b", [JACK_OF_DIAMONDS]))
    return made + [("bezique", list(pair)) for pair in pairs]


def _mask(cards: Sequence[int]) -> int:
    return _bits(set(cards))


def _bits(places: Iterable[int]) -> int:
    made = 0
    for place in places:
        made |= 1 << place
    return made


@dataclass(frozen=True)
class _Guess:
    """Draws what a position left open.

    Attributes
    ----------
    unnamed : int
        Cards played that were not named.
    high : int
        How many of them are aces and tens; -1 when that is not known, nor whose they are.
    turned : bool
        Whether the view counts the brisques of the deal as well.
    copies, led : int
        Copies of each card, and the card led.
    needed : bool
        Whether anything was left open.
    """

    unnamed: int
    high: int
    turned: bool
    copies: int
    led: int
    needed: bool

    def __call__(self, views: np.ndarray, seed: int, low: int) -> None:
        won = np.zeros((len(views), 2), np.int64)
        _draw_open(views, np.uint64(seed), low, self.unnamed, self.high, self.copies, self.led, won)
        if self.high < 0:
            views["public"]["brisques"] += won.astype(np.int32)
            if self.turned:
                views["deal_brisques"] += won


@kernel
def _draw_open(views, seed, low, unnamed, high, copies, led, won):
    """Draw the unnamed cards that were played, and whose the brisques are, for each world."""
    rng = np.empty(1, STREAM)
    pool = np.empty(copies * TYPES, np.uint8)
    for k in range(views.shape[0]):
        view = views[k]
        seed_stream(rng[0], seed, GUESS, low + k)
        size = 0
        for card in range(TYPES):
            left = copies - view.common.seen[card] - view.own.hand[card] - view.public[1].shown[card]
            for side in range(2):
                public = view.public[side]
                for i in range(np.int64(public.laid)):
                    left -= public.table[i].type == card
            if view.common.stock > 0 and view.common.turn_up == card:
                left -= 1
            for _ in range(left):
                pool[size] = card
                size += 1
        shuffle_prefix(rng[0], pool[:size], size)
        # the first that fit are a draw from all sets with so many brisques, each alike
        brisques = high
        others = unnamed - high if high >= 0 else 0
        rest = unnamed
        for i in range(size):
            if rest == 0:
                break
            card = np.int64(pool[i])
            if high >= 0:
                if rank_of(card) >= TEN:
                    if brisques == 0:
                        continue
                    brisques -= 1
                else:
                    if others == 0:
                        continue
                    others -= 1
            view.common.seen[card] += 1
            rest -= 1
        for card in range(TYPES):
            if rank_of(card) >= TEN:
                for _ in range(np.int64(view.common.seen[card]) - np.int64(card == led)):
                    won[k, bounded(rng[0], 2)] += 1


_NOT_SCORABLE, _NO_CHOICE = -2, -3


@kernel
def _take_again(views, states, action, cards):
    """Choose cards of a declared four once more; return the place of the first that cannot be, -1 if all can."""
    rng = scratch(STREAM)  # an array would be gone before its stream is used
    seed_stream(rng, 0, GUESS, 0)
    determinize(views[0], rng, states[0])
    state = states[0]
    player = np.int64(views[0].seat)
    if (scorable(state, player) >> np.uint64(action)) & np.uint64(1) == np.uint64(0):
        return _NOT_SCORABLE
    if not needs_picking(state, player, action):
        return _NO_CHOICE
    for k in range(cards.shape[0]):
        if k == 4 or open_picks(state, player) & bit_of(cards[k]) == np.uint64(0):
            return k
        pick_for_four(state, player, cards[k])
    if cards.shape[0] == 4:
        return 3
    views[0].choice = state.choice
    return -1


# -- writing ---------------------------------------------------------------------------------------------------


def _written(ruleset: RuleSet, phases: tuple[str, ...], turned: bool, view: Any) -> dict[str, str]:
    """Write a view so that it is read as the same."""
    pack, common = ruleset.pack, view["common"]
    me, pone, led = int(view["seat"]), int(common["pone"]), int(common["led"])
    stock, deal = int(common["stock"]), int(common["deals"])
    own, other = view["public"][_MINE], view["public"][_OTHER]
    phase = next(name for name in phases if _STAGES[name] == int(common["stage"]))
    seen = np.array(common["seen"], int)
    if led >= 0:
        seen[led] -= 1

    def cards(counts: Any) -> str:
        return pack.format([card for card in range(TYPES) for _ in range(int(counts[card]))])

    def pair(mine: Any, theirs: Any) -> str:
        return f"{int(mine)} - {int(theirs)}"

    trump = int(common["trump"])
    said = {
        "seat": ruleset.seats[me ^ pone],
        "phase": phase,
        "hand": cards(view["own"]["hand"]),
        "table": _table_text(pack, own),
        "shown": cards(own["shown"]),
        "other table": _table_text(pack, other),
        "known": cards(other["shown"]),
        "trump": pack.suits[trump] if trump >= 0 else "none",
        "turn-up": pack.text(int(common["turn_up"])) if int(common["turn_up"]) >= 0 else "",
        "led": pack.text(led) if led >= 0 else "",
        "stock": str(stock),
        "played": _grouped(pack, seen),
        "points": pair(own["points"], other["points"]),
    }
    brisques = [int(own["brisques"]), int(other["brisques"])]
    won = [int(number) for number in view["deal_brisques"]] if turned else brisques
    said |= {
        "tricks": pair(own["tricks"], other["tricks"]),
        "brisques": pair(*won),
        "credit": _credit(pack, own),
        "other credit": _credit(pack, other),
    }
    if int(view["choice"]["declared"]) >= 0:
        choice = view["choice"]
        said["declared"] = _FOURS[int(choice["declared"]) - FOUR]
        said["taken"] = " ".join(pack.text(int(choice["type"][k])) for k in range(int(choice["count"])))
    drawn = int(view["own"]["drawn"])
    said["drawn"] = pack.text(drawn) if drawn >= 0 else ""
    scored = [int(side["combinations"]) for side in (own, other)]
    if scored != [_highest(side) for side in (own, other)]:
        said["combinations"] = pair(*scored)
    if turned:
        sevens = [int(common["scored_sevens"][me ^ side]) for side in range(2)]
        said["sevens"] = pair(*sevens) if any(sevens) else ""
        if deal > 1:
            said |= {"deal": str(deal), "earlier brisques": pair(brisques[0] - won[0], brisques[1] - won[1])}
    else:
        going = (int(own["chain"]), int(other["chain"]))
        said["carte blanche"] = next(word for word, flags in _WHOSE.items() if flags == going) if any(going) else ""
        if led < 0 and int(common["leader"]) != me:
            said["leader"] = "other"
    return {key: text for key, text in said.items() if text}


def _credit(pack: Any, public: Any) -> str:
    return " ".join(rank for rank in _CREDITS if int(public["credit"]) >> pack.ranks.index(rank) & 1)


def _highest(public: Any) -> int:
    fields = ("marriage", "sequence", "bezique", "four")
    slots = [public["table"][place] for place in range(int(public["laid"]))]
    return max((int(slot[field]) for slot in slots for field in fields), default=0)


def _grouped(pack: Any, counts: Any) -> str:
    """Write many cards suit by suit: "S:AAT H:KQ"."""
    parts = []
    for suit, name in enumerate(pack.suits):
        ranks = "".join(rank * int(counts[8 * suit + place]) for place, rank in enumerate(pack.ranks))[::-1]
        if ranks:
            parts.append(f"{name}:{ranks}")
    return " ".join(parts)


def _table_text(pack: Any, public: Any) -> str:
    return " ".join(_slot_text(pack, public["table"][place]) for place in range(int(public["laid"])))


def _slot_text(pack: Any, slot: Any) -> str:
    used = int(slot["used"])
    marks = []
    for letter, (field, bit, _) in _KINDS.items():
        if used & bit:
            marks.append(f"{letter}{int(slot[field]) or '-'}")
    level = (used & LEVELS) // LEVEL
    if level:
        number = int(slot["bezique"])
        marks.append(f"b{level}" + (f"/{number}" if number else "-" if level == 1 else ""))
    return pack.text(int(slot["type"])) + (f"({' '.join(marks)})" if marks else "")
