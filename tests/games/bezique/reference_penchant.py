"""Penchant, slow and plain: the oracle for the compiled game.

Written from the text alone: the passage on penchant, the rules of bezique in the same book that it refers to, and
their digest in the catalogue. A declaration is a set of cards with a name; which of them come from the hand is the
player's choice. Numbers appear only at the rim, since both sides must be asked the same things.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

MISSING = -(2**31)
SUITS = "SHDC"
RANKS = "789TJQKA"  # low to high
HIGH = "JQKA"  # courts, and aces by the source's example
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the card numbers
FROM_TABLE = 32

DEFAULTS: dict[str, int | str] = {
    "deals": 4,
    "double_line": 400,
    "blocking": "yes",
    "four": 100,
    "trio": 30,
    "pair": 20,
    "sequence_of_five": 250,
    "sequence_of_four": 40,
    "sequence_of_three": 30,
    "king_and_queen": 20,
    "queen_and_jack": 20,
    "flush": 50,
    "penchant": 10,
    "brisque": 10,
    "brisque_line": 6,
}

GROUPS = {2: "pair", 3: "trio", 4: "four"}
RUNS = {  # in the order of their numbers
    "KQ": "king_and_queen",
    "QJ": "queen_and_jack",
    "KQJ": "sequence_of_three",
    "AKQJ": "sequence_of_four",
    "KQJT": "sequence_of_four",
    "AKQJT": "sequence_of_five",
    "KQJT9": "sequence_of_five",
}
MELDS = [
    "four",
    "trio",
    "pair",
    "sequence_of_five",
    "sequence_of_four",
    "sequence_of_three",
    "king_and_queen",
    "queen_and_jack",
    "flush",
    "penchant",
]
NOTHING, PENCHANT = 0, 57


class Declaration(NamedTuple):
    """One way to declare something."""

    name: str
    cards: frozenset[str]


def code_of(card: str) -> int:
    return PACK.index(card)


def number_of(declaration: Declaration) -> int:
    """The number of a declaration: of a group its rank and size, of a run its suit and kind."""
    name, cards = declaration
    ranks = sorted({card[0] for card in cards}, key=RANKS.index)
    suits = {card[1] for card in cards}
    if name in GROUPS.values():
        return 1 + 3 * RANKS.index(ranks[0]) + len(cards) - 2
    if name == "penchant":
        return PENCHANT
    kind = len(RUNS) if name == "flush" else list(RUNS).index("".join(sorted(ranks, key="AKQJT9".index)))
    return 25 + 8 * SUITS.index(suits.pop()) + kind


def all_declarations() -> list[Declaration]:
    """Every set of cards that scores anything, by its name."""
    found = []
    for rank in RANKS:
        for size, name in GROUPS.items():
            found += [Declaration(name, frozenset(cards)) for cards in combinations([rank + s for s in SUITS], size)]
    for suit in SUITS:
        for ranks, name in RUNS.items():
            found.append(Declaration(name, frozenset(rank + suit for rank in ranks)))
        for two in combinations([rank for rank in RANKS if rank not in "KQJ"], 2):
            if set(two) not in ({"A", "T"}, {"T", "9"}):  # those are sequences of five
                found.append(Declaration("flush", frozenset(rank + suit for rank in ("K", "Q", "J", *two))))
    for queen in SUITS:
        found += [Declaration("penchant", frozenset({"Q" + queen, "J" + jack})) for jack in SUITS if jack != queen]
    return found


ALL = all_declarations()


def best_high_group(table: set[str]) -> tuple[int, int]:
    """The best group of high cards that lies on a table, by size and then by rank; (0, 0) is none."""
    sizes = Counter(card[0] for card in table if card[0] in HIGH)
    return max([(size, RANKS.index(rank)) for rank, size in sizes.items() if size >= 2], default=(0, 0))


def is_low(declaration: Declaration) -> bool:
    return declaration.name in GROUPS.values() and min(declaration.cards)[0] not in HIGH


def is_blocked(declaration: Declaration, mine: set[str], theirs: set[str]) -> bool:
    """A low group meets a high one of the same or greater size that no high group of the own table equals."""
    against = best_high_group(theirs)
    return is_low(declaration) and against[0] >= len(declaration.cards) and best_high_group(mine) < against


def takes(reply: str, led: str, trump: str) -> bool:
    """Whether the second card of a trick wins it; without trumps ("") only by its suit."""
    if reply[1] != led[1]:
        return reply[1] == trump
    return RANKS.index(reply[0]) > RANKS.index(led[0])


def forced(hand: set[str], led: str, trump: str) -> set[str]:
    """The replies in the last six tricks: follow suit, and win if possible, by suit or by a trump."""
    suit = {card for card in hand if card[1] == led[1]}
    if suit:
        return {card for card in suit if takes(card, led, trump)} or suit
    return {card for card in hand if card[1] == trump} or set(hand)


def settle(totals: tuple[int, int], line: int = 400) -> tuple[int, bool]:
    """What the first player wins of a game, and whether the difference is doubled."""
    difference = totals[0] - totals[1]
    doubled = difference != 0 and min(totals) < line
    return difference * (2 if doubled else 1), doubled


@dataclass
class Player:
    """What belongs to one seat; hand, table and `taken` begin anew with every deal."""

    hand: set[str] = field(default_factory=set)
    table: set[str] = field(default_factory=set)
    taken: int = 0  # brisques of this deal
    points: int = 0
    scores: list[tuple[str, int, int]] = field(default_factory=list)  # source, points, trick
    tricks: int = 0
    brisques: int = 0
    blocked: int = 0
    by_loser: int = 0
    trumps_made: int = 0

    def total(self, source: str) -> int:
        return sum(points for name, points, _ in self.scores if name == source)

    def times(self, source: str) -> list[int]:
        return [trick for name, _, trick in self.scores if name == source]


class Penchant:
    """One game; decks come by `feed`, actions by `apply`."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.players = [Player(), Player()]
        self.deals = self.trick = 0
        self.trump = ""
        self.trump_trick = MISSING
        self.over = False
        self.step = "deal"
        self.turn = -1
        self.ways: list[Declaration] = []  # lay: the ways that agree with the cards named so far
        self.named: list[str] = []
        self.events: Counter[str] = Counter()

    def feed(self, deck: list[int]) -> None:
        assert self.step == "deal"
        cards = [PACK[number] for number in deck]
        assert sorted(cards) == sorted(PACK)
        self.pone = self.deals % 2
        self.deals += 1
        for player in self.players:
            player.hand, player.table, player.taken = set(), set(), 0
        for seat in (self.pone, 1 - self.pone) * 2:
            self.players[seat].hand |= set(cards[:3])
            del cards[:3]
        self.stock = cards
        self.trump = ""
        self.led = ""
        self.turn = self.pone
        self.step = "play"

    def score(self, seat: int, source: str, points: int) -> None:
        self.players[seat].points += points
        self.players[seat].scores.append((source, points, self.trick))
        self.events[source] += 1

    @property
    def points(self) -> list[int]:
        return [player.points for player in self.players]

    # -- declaring -----------------------------------------------------------------------------------------

    def possible(self, seat: int) -> list[Declaration]:
        """What the cards of a player make, with a new one from the hand, blocked or not."""
        player = self.players[seat]
        return [one for one in ALL if one.cards <= player.hand | player.table and one.cards & player.hand]

    def declarations(self, seat: int) -> list[Declaration]:
        """What a player may declare now; who lost the trick only a penchant."""
        found = self.possible(seat)
        if seat != self.taker:
            return [one for one in found if one.name == "penchant"]
        if self.rules["blocking"] == "no":
            return found
        mine, theirs = self.players[seat].table, self.players[1 - seat].table
        return [one for one in found if not is_blocked(one, mine, theirs)]

    def picks(self, one: Declaration) -> list[str] | None:
        """How the cards named so far go on to this declaration, or None where they do not.

        Of a group the cards from the hand are named, and one of the table closes the list where it gives the rest;
        of a flush the two beside K Q J, of a penchant queen and jack.
        """
        player = self.players[self.turn]
        if one.name in GROUPS.values():
            new = one.cards & player.hand
            if not set(self.named) <= new:
                return None
            left = new - set(self.named)
            if left:
                return sorted(left)
            rank = min(one.cards)[0]
            return [min((card for card in player.table if card[0] == rank), key=code_of)]
        if one.name == "flush":
            order = sorted((card for card in one.cards if card[0] not in "KQJ"), key=code_of, reverse=True)
        else:
            order = sorted(one.cards, key=lambda card: card[0], reverse=True)
        if order[: len(self.named)] != self.named:
            return None
        return [order[len(self.named)]]

    def begin_declaring(self, number: int) -> None:
        self.ways = [one for one in self.declarations(self.turn) if number_of(one) == number]
        self.named = []
        self.step = "lay"
        self.go_on()

    def go_on(self) -> None:
        """Finish when one way is left; name what is common to all ways."""
        if len({self.effect(one) for one in self.ways}) == 1:
            self.complete(self.ways[0])
        elif len(self.legal()) == 1:
            self.pick(PACK[self.legal().pop()])

    def effect(self, one: Declaration) -> frozenset[str]:
        """What distinguishes two ways: of a group only the cards that leave the hand."""
        return one.cards & self.players[self.turn].hand if one.name in GROUPS.values() else one.cards

    def pick(self, card: str) -> None:
        self.ways = [one for one in self.ways if card in (self.picks(one) or [])]
        self.named.append(card)
        self.go_on()

    def complete(self, one: Declaration) -> None:
        player = self.players[self.turn]
        new = one.cards & player.hand
        player.hand -= new
        player.table |= new
        self.score(self.turn, one.name, int(self.rules[one.name]))
        if one.name == "penchant":
            if not self.trump:
                self.trump = next(card[1] for card in one.cards if card[0] == "J")
                player.trumps_made += 1
                if self.trump_trick == MISSING:
                    self.trump_trick = self.trick
            if self.turn != self.taker:
                player.by_loser += 1
        self.ways, self.named = [], []
        self.draw(declared=True)

    def draw(self, declared: bool) -> None:
        """The winner draws, then the loser, who may declare a penchant first if nothing was declared."""
        if self.turn == self.taker:
            self.players[self.taker].hand.add(self.stock.pop(0))
            if not declared:
                self.turn = 1 - self.taker
                if self.declarations(self.turn):
                    self.step = "declare"
                    return
        self.players[1 - self.taker].hand.add(self.stock.pop(0))
        if not self.stock:
            for player in self.players:
                player.hand |= player.table
                player.table = set()
        self.step = "play"
        self.turn = self.taker

    # -- playing -------------------------------------------------------------------------------------------

    def play(self, number: int) -> None:
        player = self.players[self.turn]
        card = PACK[number % FROM_TABLE]
        (player.table if number >= FROM_TABLE else player.hand).remove(card)
        if not self.led:
            self.led = card
            self.turn = 1 - self.turn
            return
        self.taker = self.turn if takes(card, self.led, self.trump) else 1 - self.turn
        self.turn = self.taker
        self.trick += 1
        taker = self.players[self.taker]
        taker.tricks += 1
        brisques = sum(one[0] in "AT7" for one in (self.led, card))
        taker.brisques += brisques
        taker.taken += brisques
        self.led = ""
        if self.stock:
            self.step = "declare"
            mine, theirs = taker.table, self.players[1 - self.taker].table
            if self.rules["blocking"] == "yes" and any(
                is_blocked(one, mine, theirs) for one in self.possible(self.taker)
            ):
                taker.blocked += 1
            return
        self.score(self.taker, "late_brisques", brisques * int(self.rules["brisque"]))
        if not taker.hand:
            self.end_deal()

    def end_deal(self) -> None:
        for seat, player in enumerate(self.players):
            above = max(0, player.taken - int(self.rules["brisque_line"]))
            self.score(seat, "over_six", above * int(self.rules["brisque"]))
        self.over = self.deals == self.rules["deals"]
        self.step = "over" if self.over else "deal"
        self.turn = -1

    # -- what is asked -------------------------------------------------------------------------------------

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        return self.turn

    def legal(self) -> set[int]:
        if self.step in ("deal", "over"):
            return set()
        if self.step == "declare":
            return {NOTHING} | {number_of(one) for one in self.declarations(self.turn)}
        if self.step == "lay":
            return {code_of(card) for one in self.ways for card in self.picks(one) or []}
        player = self.players[self.turn]
        if self.led and not self.stock:
            return {code_of(card) for card in forced(player.hand, self.led, self.trump)}
        return {code_of(card) for card in player.hand} | {FROM_TABLE + code_of(card) for card in player.table}

    def apply(self, number: int) -> None:
        assert number in self.legal(), (self.step, number)
        if self.step == "play":
            self.play(number)
        elif self.step == "lay":
            self.pick(PACK[number])
        elif number == NOTHING:
            self.draw(declared=False)
        else:
            self.begin_declaring(number)

    def row(self) -> dict[str, int | list[int]]:
        """What is measured of the finished game."""
        assert self.over
        points = self.points
        value, doubled = settle((points[0], points[1]), int(self.rules["double_line"]))
        row: dict[str, int | list[int]] = {
            "points": points,
            "value": [value, -value],
            "won": [int(value > 0), int(value < 0)],
            "winner_points": max(points),
            "loser_points": min(points),
            "margin": points[0] - points[1],
            "doubled": int(doubled),
            "deals": self.deals,
            "tricks": [player.tricks for player in self.players],
            "brisques": [player.brisques for player in self.players],
            "blocked": [player.blocked for player in self.players],
            "penchants_by_loser": [player.by_loser for player in self.players],
            "declarations": [sum(len(player.times(name)) for name in MELDS) for player in self.players],
            "trump_trick": self.trump_trick,
            "trumps": sum(player.trumps_made for player in self.players),
            "trump_maker": [player.trumps_made for player in self.players],
        }
        for name in (*MELDS, "late_brisques", "over_six"):
            row["points_" + name] = [player.total(name) for player in self.players]
        for name in MELDS:
            row["count_" + name] = [len(player.times(name)) for player in self.players]
            row["first_" + name] = [min(player.times(name), default=MISSING) for player in self.players]
        return row
