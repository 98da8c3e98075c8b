"""Sixty-six for two, for three and with two packs, slow and plain: the oracle for the compiled games.

Written from the text alone. Cards are objects that remember whether they were shown in a marriage, actions are words.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field, replace

SUITS = "SHDC"
RANKS = "9JQKTA"  # low to high
VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
PARTNER = {"K": "Q", "Q": "K"}

Action = tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """What the variants differ in."""

    players: int
    hand: int
    copies: int
    goal: int
    stock: bool  # cards are drawn, and the game may be closed
    heading: bool = False  # who follows must beat the best card where he can, by suit and by trumps


FORMS = {
    "sixty-six": Form(2, 6, 1, 66, stock=True),
    "sixty-six-three-handed": Form(3, 8, 1, 66, stock=False, heading=True),
    "sixty-six-swabian": Form(2, 8, 2, 101, stock=True),
}

DEFAULTS: dict[str, int | str] = {
    "game": 8,  # big points; 0: a single deal
    "goal": 0,  # points that win a deal; 0: those of the form
    "half": 33,  # a loser with more costs the winner nothing, with as much neither
    "marriage": 20,
    "royal": 40,
    "plain_win": 1,
    "half_win": 2,
    "zero_win": 3,
    "closed_win": 3,
    "closed_loss": 3,
    "heading": "form",  # yes, no
    "exchange": "yes",
    "closing": "yes",
}


@dataclass(eq=False)
class Card:
    """One copy of a card."""

    name: str
    wed: bool = False

    @property
    def suit(self) -> str:
        return self.name[1]

    @property
    def height(self) -> int:
        return RANKS.index(self.name[0])


@dataclass
class Seat:
    """What belongs to a player; all but the results begins anew with every deal."""

    hand: list[Card] = field(default_factory=list)
    points: int = 0
    tricks: int = 0
    big: int = 0
    total: Counter[str] = field(default_factory=Counter)  # over all deals, by source


def better(card: Card, best: Card, trump: str) -> bool:
    """Whether a later card beats the best so far; of two that are alike the first stays best."""
    if card.suit == best.suit:
        return card.height > best.height
    return card.suit == trump


def best_of(trick: list[Card], trump: str) -> int:
    """The place of the card that takes the trick."""
    best = 0
    for place in range(1, len(trick)):
        if better(trick[place], trick[best], trump):
            best = place
    return best


def replies(hand: list[Card], trick: list[Card], trump: str, heading: bool) -> list[Card]:
    """What may be played to a trick when no cards are drawn any more: the suit led, else a trump, else anything."""
    if not trick:
        return list(hand)
    duty = [card for card in hand if card.suit == trick[0].suit] or [card for card in hand if card.suit == trump]
    if not duty:
        return list(hand)
    if heading:
        best = trick[best_of(trick, trump)]
        return [card for card in duty if better(card, best, trump)] or duty
    return duty


def big_points(others: int, closed: bool, rules: dict[str, int | str]) -> int:
    """What a winner gets who reached the goal, against the points of the best of the others."""
    if closed:
        return int(rules["closed_win"])
    if others == 0:
        return int(rules["zero_win"])
    return int(rules["half_win" if others < int(rules["half"]) else "plain_win"])


class SixtySix:
    """One game; dealing orders come by `feed`, actions in words by `act`."""

    def __init__(self, form: str = "sixty-six", rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.form = FORMS[form]
        self.goal = int(self.rules["goal"]) or self.form.goal
        self.heading = self.form.heading if self.rules["heading"] == "form" else self.rules["heading"] == "yes"
        self.pack = sorted(rank + suit for rank in RANKS for suit in SUITS) * self.form.copies
        self.seats = [Seat() for _ in range(self.form.players)]
        self.deals = 0
        self.step = "deal"
        self.over = False
        self.winner: int | None = None
        self.turn = -1
        self.events: Counter[str] = Counter()

    def count(self, seat: int, source: str, much: int = 1) -> None:
        self.seats[seat].total[source] += much
        self.events[source] += 1

    # -- dealing ---------------------------------------------------------------------------------------------

    def feed(self, hands: list[list[str]], trump: str, stock: list[str]) -> None:
        """Begin a deal: the hands by seat, the card turned, the others of the stock from its top."""
        assert self.step == "deal"
        kept = [trump, *stock] if self.form.stock else stock
        assert sorted([card for hand in hands for card in hand] + kept) == sorted(self.pack)
        assert all(len(hand) == self.form.hand for hand in hands)
        self.first = self.deals % self.form.players
        self.deals += 1
        for seat, hand in zip(self.seats, hands, strict=True):
            seat.hand = [Card(name) for name in hand]
            seat.points = seat.tricks = 0
        self.trump = trump[1]
        if self.form.stock:
            self.stock = [Card(name) for name in [*stock, trump]]  # the last is the card turned
        else:
            assert trump in hands[self.first - 1]  # the dealer's
            self.stock = []
        self.closer: int | None = None
        self.trick: list[Card] = []
        self.turn = self.leader = self.first
        self.played = 0
        self.step = "turn"

    # -- what is asked -----------------------------------------------------------------------------------------

    @property
    def strict(self) -> bool:
        """No more cards are drawn."""
        return not self.stock or self.closer is not None

    def may_exchange(self) -> bool:
        """The nine of trumps, by who has won the trick before and has not led yet."""
        if self.rules["exchange"] != "yes" or self.trick or not self.played or self.strict:
            return False
        return any(card.name == "9" + self.trump for card in self.seats[self.turn].hand)

    def may_close(self) -> bool:
        return self.rules["closing"] == "yes" and not self.trick and not self.strict

    def marriage(self, name: str) -> list[Card]:
        """The two cards of the marriage that is shown when this card is led, the card itself first."""
        if self.trick or name[0] not in PARTNER:
            return []
        hand = [card for card in self.seats[self.turn].hand if not card.wed]
        pair = [next((card for card in hand if card.name == one), None) for one in (name, PARTNER[name[0]] + name[1])]
        return [card for card in pair if card] if all(pair) else []

    def choices(self) -> set[Action]:
        """The legal actions, in words."""
        if self.step != "turn":
            return set()
        hand = self.seats[self.turn].hand
        free = hand if not self.strict else replies(hand, self.trick, self.trump, self.heading)
        found: set[Action] = {("play", card.name) for card in free}
        if self.may_exchange() and self.stock[-1].name[0] != "9":
            found.add(("exchange",))
        if self.may_close():
            found.add(("close",))
        return found

    # -- what happens ------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.turn, action)
        if action == ("exchange",):
            self.exchange()
        elif action == ("close",):
            self.closer = self.turn
            self.count(self.turn, "closed")
        else:
            self.play(action[1])

    def exchange(self) -> None:
        hand = self.seats[self.turn].hand
        nine = next(card for card in hand if card.name == "9" + self.trump)
        hand.remove(nine)
        hand.append(self.stock[-1])
        self.stock[-1] = nine
        self.count(self.turn, "exchanged")

    def play(self, name: str) -> None:
        seat = self.seats[self.turn]
        pair = self.marriage(name)
        if pair:
            for card in pair:
                card.wed = True
            points = int(self.rules["royal" if name[1] == self.trump else "marriage"])
            seat.points += points
            source = "royal" if name[1] == self.trump else "marriage"
            self.count(self.turn, source)
            self.count(self.turn, "points_" + source, points)
            card = pair[0]
        else:
            card = max((card for card in seat.hand if card.name == name), key=lambda card: card.wed)
        seat.hand.remove(card)
        self.trick.append(card)
        if seat.points >= self.goal:
            self.events["won by a marriage"] += bool(pair)
            self.finish(self.turn)
        elif len(self.trick) == len(self.seats):
            self.take()
        else:
            self.turn = (self.turn + 1) % len(self.seats)

    def take(self) -> None:
        """The trick is complete: count it, draw, and see whether the deal is over."""
        self.leader = (self.leader + best_of(self.trick, self.trump)) % len(self.seats)
        winner = self.seats[self.leader]
        points = sum(VALUES[card.name[0]] for card in self.trick)
        self.trick = []
        self.played += 1
        winner.tricks += 1
        winner.points += points
        self.count(self.leader, "tricks")
        self.count(self.leader, "points_cards", points)
        self.turn = self.leader
        if winner.points >= self.goal:
            self.finish(self.leader)
        elif not self.strict:
            for ahead in range(len(self.seats)):
                self.seats[(self.leader + ahead) % len(self.seats)].hand.append(self.stock.pop(0))
        elif not winner.hand:
            self.finish(None)

    def finish(self, winner: int | None) -> None:
        """End the deal: who reached the goal, if anybody did."""
        self.won = winner
        if winner is not None:
            others = max(seat.points for place, seat in enumerate(self.seats) if place != winner)
            big = big_points(others, self.closer is not None, self.rules)
            self.events[f"won {big}" + (" closed" if self.closer is not None else "")] += 1
            self.events["closed by the other"] += self.closer not in (None, winner)
            self.reward(winner, big)
        elif self.closer is not None:
            self.events["closed in vain"] += 1
            for place in range(len(self.seats)):
                if place != self.closer:
                    self.reward(place, int(self.rules["closed_loss"]))
        else:
            self.events["nobody"] += 1
        self.step, self.turn = "deal", -1
        target = int(self.rules["game"])
        if not target or max(seat.big for seat in self.seats) >= target:
            self.step, self.over = "over", True
            if target:
                self.winner = max(range(len(self.seats)), key=lambda place: self.seats[place].big)

    def reward(self, seat: int, big: int) -> None:
        self.seats[seat].big += big
        self.count(seat, "deals_won")
        self.count(seat, "big", big)


def copied(game: SixtySix) -> SixtySix:
    """A position of its own, without the counts."""
    other = copy(game)
    other.seats = [replace(seat, hand=[replace(card) for card in seat.hand], total=Counter()) for seat in game.seats]
    other.trick = [replace(card) for card in game.trick]
    other.events = Counter()
    return other


def open_value(game: SixtySix, known: dict[tuple[object, ...], int] | None = None) -> int:
    """By how many big points the first of two wins the deal if both see all cards and play their best."""
    if game.step != "turn":
        return game.seats[0].big - game.seats[1].big
    assert game.strict
    assert len(game.seats) == 2
    known = {} if known is None else known
    hands = tuple(tuple(sorted((card.name, card.wed) for card in seat.hand)) for seat in game.seats)
    key = hands, game.turn, tuple(card.name for card in game.trick), tuple(seat.points for seat in game.seats)
    if key not in known:
        values = []
        for action in game.choices():
            after = copied(game)
            after.act(action)
            values.append(open_value(after, known))
        known[key] = min(values) if game.turn else max(values)
    return known[key]
