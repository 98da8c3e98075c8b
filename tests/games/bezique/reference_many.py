"""Bezique for three, for four and in the Polish way with cards as objects: the slow oracle for the compiled games.

Written from the rules alone. Sources: the text S000 at 0 (bezique), 13486 (four), 14462 (three) and 14735 (Polish),
and CATALOGUE 2.1. Where they leave something open the reading taken is marked "Reading" with its ground.

A card is an object with its name, such as "QS", and remembers what it was scored in, and for which side. Actions are
words:

    ("declare", "marriage", "H")    ("declare", "sequence", "H")    ("declare", "bezique", 2)
    ("declare", "four", "K")        ("seven",)      ("pass",)
    ("lay", "KH")                   one of the four, where there is a choice of suits
    ("show", "marriage", "H") ...   partners only: laid face up, but not scored
    ("play", "QS", "hand")          or "table"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

RANKS = "789JQKTA"  # low to high: the ten ranks above the king
SUITS = "SHDC"
RUN = "JQKTA"
PACKETS = (3, 2, 3)
MISSING = -(2**31)  # "never" in a row

LEVELS = {1: "bezique", 2: "double_bezique", 3: "triple_bezique", 4: "quadruple_bezique"}
FOURS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}
MELDS = ("marriage", "royal_marriage", "royal_sequence", *LEVELS.values(), *FOURS.values())
SOURCES = (*MELDS, "seven", "brisques", "last_trick")

Action = tuple[Any, ...]


class Shape(NamedTuple):
    """What a game is before its rules."""

    seats: int
    packs: int
    captures: bool = False


SHAPES = {
    "bezique": Shape(2, 2),
    "bezique-three-handed": Shape(3, 3),
    "bezique-four-handed": Shape(4, 4),
    "polish-bezique": Shape(2, 2, captures=True),
}

_COMMON: dict[str, int | str] = {
    "marriage": 20,
    "royal_marriage": 40,
    "royal_sequence": 250,
    "bezique": 40,
    "double_bezique": 500,
    "triple_bezique": 0,
    "quadruple_bezique": 0,
    "aces": 100,
    "kings": 80,
    "queens": 60,
    "jacks": 40,
    "seven": 10,
    "brisque": 10,
    "last_trick": 10,
    "levels": 2,  # the highest bezique that scores
    "target": 1000,  # 0: one deal is played out
    "draw_order": "winner",  # or "pone": whoever sits left of the dealer always draws first
    "brisques": "as_won",  # or "at_end" or "never"
}
_MANY: dict[str, int | str] = {"target": 2000, "levels": 3, "triple_bezique": 1500, "undertrump": "no"}
DEFAULTS: dict[str, dict[str, int | str]] = {
    "bezique": _COMMON,
    "polish-bezique": _COMMON | {"recaptured": "used"},  # or "new": a card won back may serve its player once more
    "bezique-three-handed": _COMMON | _MANY | {"remove_eights": 1},
    "bezique-four-handed": _COMMON
    | _MANY
    | {"partnership": "none", "showing": "yes", "partner_seven": "no", "regroup_last_eight": "no"},
}


def pack(game: str, rules: dict[str, int | str] | None = None) -> list[str]:
    """All cards of the game."""
    cards = [rank + suit for suit in SUITS for rank in RANKS] * SHAPES[game].packs
    for _ in range(int((DEFAULTS[game] | (rules or {})).get("remove_eights", 0))):
        cards.remove("8C")  # an eight; the text names no suit
    return cards


@dataclass(eq=False)
class Card:
    """One physical card, and what it was scored in by each side."""

    name: str
    used: set[tuple[int, str]] = field(default_factory=set)  # (side, kind)
    level: Counter[int] = field(default_factory=Counter)  # side -> the highest bezique it was scored in
    seven_scored: bool = False

    @property
    def rank(self) -> str:
        return self.name[0]

    @property
    def suit(self) -> str:
        return self.name[1]

    @property
    def height(self) -> int:
        return RANKS.index(self.rank)

    def weight(self, side: int) -> int:
        """The copy on the table that serves least goes first."""
        return (
            ((side, "marriage") in self.used)
            + 2 * ((side, "four") in self.used)
            + 4 * self.level[side]
            + 32 * ((side, "sequence") in self.used)
        )

    def __repr__(self) -> str:
        return self.name + "".join(f"[{side} {kind}]" for side, kind in sorted(self.used))


class Combination(NamedTuple):
    """Something to declare: the action's words without the verb, and the cards it takes."""

    what: tuple[Any, ...]
    name: str  # of what it scores
    kind: str
    level: int
    cards: list[Card]


def beats(card: Card, best: Card, trump: str) -> bool:
    """Whether a card played later wins; of identical cards the first does."""
    if card.suit == best.suit:
        return card.height > best.height
    return card.suit == trump


def best_of(cards: Sequence[Card], trump: str) -> int:
    """The place of the winning card of a trick, or of its beginning."""
    place = 0
    for k, card in enumerate(cards):
        if beats(card, cards[place], trump):
            place = k
    return place


def must_play(hand: Sequence[Card], trick: Sequence[Card], trump: str, undertrump: bool = False) -> list[Card]:
    """What may be played once the stock is gone.

    "Not only suit for suit, but he must win the trick if he can, by a higher card of the same suit or by a trump."
    Reading: with several players the card to beat is the best so far, and who is void and cannot win throws what he
    likes, a small trump or not (the text asks for a trump in order to win only); `undertrump` is the other reading.
    """
    if not trick:
        return list(hand)
    best = trick[best_of(trick, trump)]
    allowed = [card for card in hand if card.suit == trick[0].suit]
    if not allowed and undertrump:
        allowed = [card for card in hand if card.suit == trump]
    allowed = allowed or list(hand)
    return [card for card in allowed if beats(card, best, trump)] or allowed


class Many:
    """One row; seat 0 sits left of the first dealer and leads first."""

    def __init__(self, game: str, rules: dict[str, int | str] | None = None) -> None:
        unknown = set(rules or {}) - set(DEFAULTS[game])
        if unknown:
            raise ValueError(f"{game} has no rule {sorted(unknown)}")
        self.game = game
        self.shape = SHAPES[game]
        self.rules: dict[str, Any] = DEFAULTS[game] | (rules or {})
        self.seats = range(self.shape.seats)
        self.partners = self.rules.get("partnership") == "opposite"
        self.sides = 2 if self.partners else self.shape.seats
        self.points = [0] * self.sides
        self.scored = {source: [0 for _ in self.seats] for source in SOURCES}  # by the seat that brought it
        self.count = {meld: [0 for _ in self.seats] for meld in MELDS}
        self.first: dict[tuple[str, int], int] = {}
        self.tricks = [0 for _ in self.seats]
        self.brisques = [0 for _ in self.seats]
        self.captured = {rank: [0 for _ in self.seats] for rank in "KQJT"}  # while the stock lasted
        self.with_captured = [0 for _ in self.seats]
        self.only_captured = [0 for _ in self.seats]
        self.points_with_captured = [0 for _ in self.seats]
        self.with_partner = [0 for _ in self.seats]
        self.points_with_partner = [0 for _ in self.seats]
        self.shown = [0 for _ in self.seats]
        self.deals = 0
        self.trick = 0
        self.winner: int | None = None  # a side
        self.over = False
        self.step = "deal"
        self.events: Counter[str] = Counter()

    # -- dealing -----------------------------------------------------------------------------------------------

    def side(self, seat: int) -> int:
        return seat % 2 if self.partners else seat

    def partner(self, seat: int) -> int | None:
        return (seat + 2) % 4 if self.partners else None

    def feed(self, deck: Sequence[str]) -> None:
        assert self.step == "deal"
        assert sorted(deck) == sorted(pack(self.game, self.rules))
        cards = [Card(name) for name in deck]
        count = len(self.seats)
        self.eldest = self.deals % count
        self.dealer = (self.eldest - 1) % count
        self.deals += 1
        self.hand: list[list[Card]] = [[] for _ in self.seats]
        self.table: list[list[Card]] = [[] for _ in self.seats]  # in the order laid
        self.kept: list[list[Card]] = [[] for _ in self.seats]  # Polish: taken out of the tricks
        self.gone: list[Card] = []
        self.waiting = [0 for _ in self.seats]  # points of brisques that are counted at the end of the deal
        for packet in PACKETS:
            for k in self.seats:
                seat = (self.eldest + k) % count
                self.hand[seat] += cards[:packet]
                cards = cards[packet:]
        self.turn_up: Card | None = cards.pop(0)
        self.trump = self.turn_up.suit
        self.stock = cards
        self.played: list[Card] = []  # the trick on the table
        self.leader = self.turn = self.eldest
        self.asked: list[int] = []  # who may still declare after the trick
        self.scored_now = self.shown_now = self.seven_now = self.showing = False
        self.laying: list[Card] = []
        self.laying_rank = ""
        self.couples: dict[int, int] | None = None  # the partners of the last eight tricks
        self.drawing = True
        self.step = "play"
        if self.turn_up.rank == "7":
            # Established: a seven turned up scores for the dealer at once.
            self.turn_up.seven_scored = True
            self.events["seven turned"] += 1
            self.award(self.dealer, "seven", self.rules["seven"])

    # -- what the comparison asks ------------------------------------------------------------------------------

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        return -1 if self.step == "deal" or self.over else self.turn

    def legal(self) -> set[Action]:
        if self.over or self.step == "deal":
            return set()
        seat = self.turn
        if self.step == "declare":
            return {("pass",)} | self.declarations(seat)
        if self.step == "lay":
            return {("lay", card.name) for card in self.still_to_lay()}
        if self.drawing:
            return {("play", card.name, "hand") for card in self.hand[seat]} | {
                ("play", card.name, "table") for card in self.table[seat]
            }
        undertrump = self.rules.get("undertrump") == "yes"
        return {("play", card.name, "hand") for card in must_play(self.hand[seat], self.played, self.trump, undertrump)}

    def apply(self, action: Action) -> None:
        assert action in self.legal(), (self.step, action, sorted(self.legal()))
        if action[0] == "play":
            self.play(action[1], action[2])
        elif action[0] == "lay":
            self.lay(action[1])
        elif action[0] == "seven":
            self.exchange()
        elif action[0] == "pass":
            self.next_asked()
        else:
            self.declare(action[1:], action[0] == "show")

    # -- combinations ------------------------------------------------------------------------------------------

    def within_reach(self, seat: int) -> list[tuple[list[Card], str]]:
        """The cards a player can build from, in the order in which they are used."""
        places = [(self.table[seat], "table"), (self.kept[seat], "kept")]
        partner = self.partner(seat)
        if partner is not None:
            places.append((self.table[partner], "partner"))
        return [*places, (self.hand[seat], "hand")]

    def may_serve(self, card: Card, side: int, kind: str, level: int) -> bool:
        """ "Used once in a combination, not again in one of equal value of the same class", nor in a weaker one."""
        if kind == "marriage":
            return not {(side, "marriage"), (side, "sequence")} & card.used
        if kind == "bezique":
            return card.level[side] < level
        return (side, kind) not in card.used

    def is_new(self, card: Card, side: int, kind: str) -> bool:
        return card.level[side] == 0 if kind == "bezique" else (side, kind) not in card.used

    def choose(self, seat: int, kind: str, level: int, needs: dict[str, int]) -> list[Card] | None:
        """The copies that are used: spent ones first, what lies on the table next, but always a new one."""
        side = self.side(seat)
        chosen: list[Card] = []
        spare: dict[str, list[Card]] = {}
        for name, number in needs.items():
            copies = []
            for place, (cards, where) in enumerate(self.within_reach(seat)):
                for card in cards:
                    if card.name == name and self.may_serve(card, side, kind, level):
                        spent = not self.is_new(card, side, kind)
                        married = kind == "sequence" and (side, "marriage") in card.used
                        order = (0, -card.level[side]) if spent else (1 + (where == "hand"), -int(married))
                        copies.append((order, place, len(copies), card))
            if len(copies) < number:
                return None
            copies.sort(key=lambda one: one[:3])
            chosen += [copy[3] for copy in copies[:number]]
            spare[name] = [copy[3] for copy in copies[number:]]
        if any(self.is_new(card, side, kind) for card in chosen):
            return chosen
        for from_hand in (False, True):
            for k, old in enumerate(chosen):
                for other in spare[old.name]:
                    if self.is_new(other, side, kind) and (other in self.hand[seat]) == from_hand:
                        chosen[k] = other
                        return chosen
        return None

    def copies_for_four(self, seat: int, rank: str) -> list[Card]:
        """All that may serve: what lies on the table before the hand."""
        return [
            card
            for cards, _ in self.within_reach(seat)
            for card in cards
            if card.rank == rank and self.may_serve(card, self.side(seat), "four", 0)
        ]

    def combinations(self, seat: int) -> Iterator[Combination]:
        for suit in SUITS:
            royal = suit == self.trump
            cards = self.choose(seat, "marriage", 0, {"Q" + suit: 1, "K" + suit: 1})
            if cards:
                name = "royal_marriage" if royal else "marriage"
                yield Combination(("marriage", suit), name, "marriage", 0, cards)
            if royal:
                cards = self.choose(seat, "sequence", 0, {rank + suit: 1 for rank in RUN})
                if cards:
                    yield Combination(("sequence", suit), "royal_sequence", "sequence", 0, cards)
        for level in range(1, self.rules["levels"] + 1):
            cards = self.choose(seat, "bezique", level, {"JD": level, "QS": level})
            if cards:
                yield Combination(("bezique", level), LEVELS[level], "bezique", level, cards)
        for rank, name in FOURS.items():
            cards = self.copies_for_four(seat, rank)
            if len(cards) >= 4:
                yield Combination(("four", rank), name, "four", 0, cards)

    def seven(self, seat: int) -> Card | None:
        """A trump seven in the hand that has not scored yet."""
        for card in self.hand[seat]:
            if card.name == "7" + self.trump and not card.seven_scored:
                return card
        return None

    def declarations(self, seat: int) -> set[Action]:
        """What may be done after a trick, beside nothing."""
        actions: set[Action] = set()
        combinations = list(self.combinations(seat))
        if not self.scored_now:
            actions |= {("declare", *one.what) for one in combinations}
            # "At once after winning the trick": the winner's privilege; and no declaration beside it.
            may = seat == self.leader or self.rules["partner_seven"] == "yes"
            if may and not self.shown_now and self.seven(seat):
                actions.add(("seven",))
        if self.partners and self.rules["showing"] == "yes" and not self.seven_now:
            # What lies there complete need not be shown once more.
            needed = {one.what: one.cards[:4] if one.kind == "four" else one.cards for one in combinations}
            actions |= {("show", *what) for what, cards in needed.items() if set(cards) & set(self.hand[seat])}
        return actions

    # -- declaring ---------------------------------------------------------------------------------------------

    def declare(self, what: tuple[Any, ...], show: bool) -> None:
        seat = self.turn
        combination = next(one for one in self.combinations(seat) if one.what == what)
        self.showing = show
        if combination.kind == "four" and len(combination.cards) > 4:
            if len({card.name for card in combination.cards}) > 1:
                self.events["lay"] += 1
                self.laying, self.laying_rank, self.step = [], what[1], "lay"
                return
            combination = combination._replace(cards=combination.cards[:4])
        self.put_down(combination)

    def still_to_lay(self) -> list[Card]:
        return [card for card in self.copies_for_four(self.turn, self.laying_rank) if card not in self.laying]

    def lay(self, name: str) -> None:
        self.laying.append(next(card for card in self.still_to_lay() if card.name == name))
        if len(self.laying) == 4:
            rank = self.laying_rank
            four = Combination(("four", rank), FOURS[rank], "four", 0, self.laying)
            self.laying, self.laying_rank = [], ""
            self.put_down(four)

    def put_down(self, combination: Combination) -> None:
        if self.showing:
            self.shown_now = True
            self.shown[self.turn] += 1
            self.events[f"shown: {combination.kind}"] += 1
            self.lay_down(combination.cards)
            self.step = "declare"
        else:
            self.score(combination)
            self.scored_now = True
            self.go_on()

    def lay_down(self, cards: list[Card]) -> None:
        seat = self.turn
        for card in cards:
            if card in self.hand[seat]:
                self.hand[seat].remove(card)
                self.table[seat].append(card)

    def score(self, combination: Combination) -> None:
        seat, side = self.turn, self.side(self.turn)
        cards = combination.cards
        where = Counter(place for card in cards for held, place in self.within_reach(seat) if card in held)
        if not where["hand"]:
            self.events["scored from the table"] += 1
        if where["kept"]:
            self.with_captured[seat] += 1
            self.points_with_captured[seat] += self.rules[combination.name]
            self.events[f"{combination.kind} with captured cards"] += 1
            if where["kept"] == len(cards):
                self.only_captured[seat] += 1
                self.events["of captured cards only"] += 1
        if where["partner"]:
            self.with_partner[seat] += 1
            self.points_with_partner[seat] += self.rules[combination.name]
            self.events[f"{combination.kind} with the partner"] += 1
        if seat != self.leader:
            self.events["declared by the partner"] += 1
        self.lay_down(cards)
        for card in cards:
            card.used.add((side, combination.kind))
            if combination.kind == "bezique":
                card.level[side] = combination.level
        self.count[combination.name][seat] += 1
        self.first.setdefault((combination.name, seat), self.trick)
        self.events[combination.name] += 1
        self.award(seat, combination.name, self.rules[combination.name])

    def exchange(self) -> None:
        """A trump seven for the turn-up, be it a seven again or not."""
        seat = self.turn
        seven, turned = self.seven(seat), self.turn_up
        assert seven
        assert turned
        seven.seven_scored = True
        self.events["seven for a seven" if turned.rank == "7" else "seven exchanged"] += 1
        self.hand[seat].remove(seven)
        self.hand[seat].append(turned)
        self.turn_up = seven
        self.award(seat, "seven", self.rules["seven"])
        self.scored_now = self.seven_now = True
        self.go_on()

    def go_on(self) -> None:
        """A player shows what he likes and scores last; his partner may then show as well, or score if nobody has."""
        if not self.over:
            self.next_asked()

    def next_asked(self) -> None:
        """Reading: "he or his partner": the winner is asked first, then his partner."""
        while self.asked:
            self.turn = self.asked.pop(0)
            self.step = "declare"
            if self.turn == self.leader or self.declarations(self.turn):
                return
        self.draw()

    # -- tricks ------------------------------------------------------------------------------------------------

    def play(self, name: str, where: str) -> None:
        seat = self.turn
        if where == "table":
            copies = [card for card in self.table[seat] if card.name == name]
            card = max(copies, key=lambda copy: copy.weight(self.side(seat)))  # ties: the first laid
            if len({copy.weight(self.side(seat)) for copy in copies}) > 1:
                self.events["most used copy played"] += 1
            self.table[seat].remove(card)
        else:
            copies = [card for card in self.hand[seat] if card.name == name]
            card = max(copies, key=lambda copy: copy.seven_scored)
            self.hand[seat].remove(card)
        self.played.append(card)
        if len(self.played) < len(self.seats):
            self.turn = (seat + 1) % len(self.seats)
        else:
            self.end_trick()

    def end_trick(self) -> None:
        winner = (self.leader + best_of(self.played, self.trump)) % len(self.seats)
        cards, self.played = self.played, []
        self.leader = self.turn = winner
        self.trick += 1
        self.tricks[winner] += 1
        brisques = sum(card.rank in "AT" for card in cards)
        self.brisques[winner] += brisques
        if self.rules["brisques"] == "as_won":
            self.award_trick(winner, "brisques", brisques * self.rules["brisque"])
        elif self.rules["brisques"] == "at_end":
            for seat, points in self.shares(winner, brisques * self.rules["brisque"]).items():
                self.waiting[seat] += points
        if self.over:
            self.gone += cards
            return
        self.keep(winner, cards)
        if self.drawing:
            partner = self.partner(winner)
            self.asked = [winner] if partner is None else [winner, partner]
            self.scored_now = self.shown_now = self.seven_now = False
            self.next_asked()
        elif not self.hand[winner]:
            self.award_trick(winner, "last_trick", self.rules["last_trick"])
            if not self.over:
                self.end_deal()

    def keep(self, winner: int, cards: list[Card]) -> None:
        """Polish: after counting the brisques he lays all court cards and the ten of trumps apart."""
        for card in cards:
            if self.shape.captures and (card.rank in "KQJ" or card.name == "T" + self.trump):
                self.kept[winner].append(card)
                self.captured[card.rank][winner] += self.drawing
                if any(side == winner for side, _ in card.used):
                    self.events["used cards won back"] += 1
                if self.rules["recaptured"] == "new":
                    card.used, card.level = set(), Counter()
            else:
                self.gone.append(card)

    def draw(self) -> None:
        count = len(self.seats)
        first = self.leader if self.rules["draw_order"] == "winner" else self.eldest
        for k in self.seats:
            drawn = self.stock.pop(0) if self.stock else self.turn_up
            assert drawn
            if not self.stock and drawn is self.turn_up:
                self.turn_up = None
            self.hand[(first + k) % count].append(drawn)
        # What does not go round once more is dead (95 cards: the last card of the stock, and the turn-up).
        if len(self.stock) + (self.turn_up is not None) < count:
            self.drawing = False
            for seat in self.seats:
                self.hand[seat] += self.table[seat]
                self.table[seat] = []
            self.gone += self.stock + ([self.turn_up] if self.turn_up else [])
            self.stock, self.turn_up = [], None
            if self.partners and self.rules["regroup_last_eight"] == "yes":
                # Toolkit: the winner of the last drawing trick and his left neighbour, and the other two.
                self.couples = {(self.leader + k) % count: k // 2 for k in self.seats}
        self.turn = self.leader
        self.step = "play"

    # -- scores ------------------------------------------------------------------------------------------------

    def award(self, seat: int, source: str, points: int) -> None:
        self.scored[source][seat] += points
        self.points[self.side(seat)] += points
        self.has_won(self.side(seat), points)

    def shares(self, seat: int, points: int) -> dict[int, int]:
        """Points of a trick by seat; with changed partners each of the two brings half to his own side.

        Reading: who won the trick writes first, and an odd point is his.
        """
        if self.couples is None:
            return {seat: points}
        mate = next(other for other in self.seats if other != seat and self.couples[other] == self.couples[seat])
        return {seat: points - points // 2, mate: points // 2}

    def award_trick(self, seat: int, source: str, points: int) -> None:
        for other, part in self.shares(seat, points).items():
            if not self.over:
                self.award(other, source, part)

    def has_won(self, side: int, points: int) -> None:
        if self.rules["target"] and points and self.points[side] >= self.rules["target"]:
            self.winner = side
            self.over = True

    def end_deal(self) -> None:
        target = self.rules["target"]
        if self.rules["brisques"] == "at_end":
            for seat, points in enumerate(self.waiting):
                self.scored["brisques"][seat] += points
                self.points[self.side(seat)] += points
        best = max(self.points)
        ahead = [side for side in range(self.sides) if self.points[side] == best]
        if target == 0 or best >= target:
            if len(ahead) == 1:
                self.winner = ahead[0]
            self.over = target == 0 or len(ahead) == 1
            if not self.over:
                self.events["equal at the target"] += 1
        if not self.over:
            self.step = "deal"

    def row(self) -> dict[str, int | list[int]]:
        """What the compiled games measure; lists are by seat."""
        total = [sum(self.scored[source][seat] for source in SOURCES) for seat in self.seats]
        sides = [self.points[self.side(seat)] for seat in self.seats]
        everybody = sum(self.points)
        row: dict[str, int | list[int]] = {
            "points": total,
            # against each of the others; of two sides it is the difference
            "value": [self.sides * side - everybody for side in sides],
            "won": [int(self.winner == self.side(seat)) for seat in self.seats],
            "winner_points": max(self.points),
            "loser_points": min(self.points),
            "declarations": [sum(self.count[meld][seat] for meld in MELDS) for seat in self.seats],
            "tricks": self.tricks,
            "brisques": self.brisques,
            "deals": self.deals,
        }
        for meld in MELDS:
            if meld in LEVELS.values() and self.rules[meld] == 0:
                continue
            row[f"count_{meld}"] = self.count[meld]
            row[f"first_{meld}"] = [self.first.get((meld, seat), MISSING) for seat in self.seats]
        for source in SOURCES:
            if f"count_{source}" in row or source not in MELDS:
                row[f"points_{source}"] = self.scored[source]
        if self.sides == 2 and len(self.seats) == 2:
            row["margin"] = self.points[0] - self.points[1]
        if len(self.seats) == 4:
            row |= {"side_points": sides, "joint": self.with_partner, "joint_points": self.points_with_partner}
            row["shown"] = self.shown
        if self.shape.captures:
            names = {"K": "kings", "Q": "queens", "J": "jacks", "T": "trump_tens"}
            row |= {f"captured_{names[rank]}": count for rank, count in self.captured.items()}
            row["captured"] = [sum(count[seat] for count in self.captured.values()) for seat in self.seats]
            row |= {"with_captured": self.with_captured, "only_captured": self.only_captured}
            row["points_with_captured"] = self.points_with_captured
        return row
