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
    beat: str = "no"  # whether who follows must beat the best card where he can, by suit and by trumps


FORMS = {
    "sixty-six": Form(2, 6, 1, 66, stock=True),
    "sixty-six-three-handed": Form(3, 8, 1, 66, stock=False, beat="yes"),
    "sixty-six-swabian": Form(2, 8, 2, 101, stock=True),
    "sixty-six-swabian-three-handed": Form(3, 8, 2, 101, stock=True),
    "sixty-six-swabian-four-handed": Form(4, 8, 2, 101, stock=True),
}

DEFAULTS: dict[str, int | str] = {
    "target": 8,  # big points; 0: a single deal
    "half": 33,
    "exactly_half": "single",  # double
    "single": 1,
    "double": 2,
    "triple": 3,
    "closed": 3,
    "closed_lost": 3,
    "judged_by": "best",  # worst
    "marriage": 20,
    "royal_marriage": 40,
    "marriage_counts": "at_once",  # with_trick: points are kept back until the first trick
    "remarry": "both_new",  # one_new
    "exchange": "yes",
    "closing": "yes",
    "last_trick": 0,
}


def defaults(form: str) -> dict[str, int | str]:
    """The values of the rules in this form."""
    about = FORMS[form]
    return DEFAULTS | {"goal": about.goal, "head": about.beat, "overruff": about.beat}


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


def replies(hand: list[Card], trick: list[Card], trump: str, head: bool, overruff: bool) -> list[Card]:
    """What may be played to a trick when no cards are drawn any more: the suit led, else a trump, else anything."""
    if not trick:
        return list(hand)
    best = trick[best_of(trick, trump)]
    suit = [card for card in hand if card.suit == trick[0].suit]
    if suit:
        return [card for card in suit if head and better(card, best, trump)] or suit
    trumps = [card for card in hand if card.suit == trump]
    return [card for card in trumps if overruff and better(card, best, trump)] or trumps or list(hand)


def prize(others: int, rules: dict[str, int | str]) -> str:
    """What a winner gets who reached the goal in a deal that was not closed, against so many points of the loser."""
    if others == 0:
        return "triple"
    if others == int(rules["half"]):
        return str(rules["exactly_half"])
    return "double" if others < int(rules["half"]) else "single"


class SixtySix:
    """One game; dealing orders come by `feed`, actions in words by `act`."""

    def __init__(self, form: str = "sixty-six", rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(defaults(form))
        self.rules = defaults(form) | (rules or {})
        self.form = FORMS[form]
        self.goal = int(self.rules["goal"])
        self.pack = sorted(rank + suit for rank in RANKS for suit in SUITS) * self.form.copies
        self.seats = [Seat() for _ in range(self.form.players)]
        self.deals = 0
        self.step = "deal"
        self.over = False
        self.winner: int | None = None
        self.turn = -1
        self.no_result = 0
        self.closings: list[tuple[int, ...]] = []  # by whom, before which trick, with how many points and trumps
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
        self.kept_back: list[tuple[int, str]] = []  # marriages of players without a trick
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
        if self.stock[-1].name[0] == "9":
            return False
        return any(card.name == "9" + self.trump for card in self.seats[self.turn].hand)

    def may_close(self) -> bool:
        return self.rules["closing"] == "yes" and not self.trick and not self.strict

    def marriage(self, name: str) -> list[Card]:
        """The two cards of the marriage that is shown when this card is led, the card itself first."""
        if self.trick or name[0] not in PARTNER:
            return []
        hand = self.seats[self.turn].hand
        wanted = 2 if self.rules["remarry"] == "both_new" else 1
        led = [card for card in hand if card.name == name]
        other = [card for card in hand if card.name == PARTNER[name[0]] + name[1]]
        pairs = [[one, two] for one in led for two in other if (not one.wed) + (not two.wed) >= wanted]
        # where there is a choice of copies, as few new ones as possible, and rather that which is led
        return min(pairs, key=lambda pair: (-pair[0].wed - pair[1].wed, pair[0].wed), default=[])

    def choices(self) -> set[Action]:
        """The legal actions, in words; a marriage need not be shown."""
        if self.step == "due":
            return {("exchange",), ("draw",)}
        if self.step != "turn":
            return set()
        hand = self.seats[self.turn].hand
        head, overruff = self.rules["head"] == "yes", self.rules["overruff"] == "yes"
        free = replies(hand, self.trick, self.trump, head, overruff) if self.strict else hand
        found: set[Action] = {("play", card.name) for card in free}
        found |= {("marry", card.name) for card in hand if self.marriage(card.name)}
        if self.may_exchange():
            found.add(("exchange",))
        if self.may_close():
            found.add(("close",))
        return found

    # -- what happens ------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.turn, action)
        if action == ("exchange",):
            self.exchange()
            if self.step == "due":
                self.draw()
        elif action == ("draw",):
            self.draw()
        elif action == ("close",):
            self.closer = self.turn
            self.count(self.turn, "closing")
            trumps = sum(card.suit == self.trump for card in self.seats[self.turn].hand)
            self.closings.append((self.turn, self.played + 1, self.seats[self.turn].points, trumps))
        elif action[0] == "marry":
            self.marry(action[1])
        else:
            copies = [card for card in self.seats[self.turn].hand if card.name == action[1]]
            self.put(max(copies, key=lambda card: card.wed))

    def exchange(self) -> None:
        hand = self.seats[self.turn].hand
        nine = next(card for card in hand if card.name == "9" + self.trump)
        hand.remove(nine)
        hand.append(self.stock[-1])
        self.stock[-1] = nine
        self.count(self.turn, "exchange")
        self.events["exchange before the last cards"] += self.step == "due"

    def marry(self, name: str) -> None:
        seat = self.seats[self.turn]
        pair = self.marriage(name)
        for card in pair:
            card.wed = True
        source = "royal_marriage" if name[1] == self.trump else "marriage"
        self.count(self.turn, source)
        if seat.tricks or self.rules["marriage_counts"] == "at_once":
            self.gain(self.turn, source, int(self.rules[source]))
        else:
            self.kept_back.append((self.turn, source))
            self.events["kept back"] += 1
        if seat.points >= self.goal:
            self.events["won by a marriage"] += 1
            seat.hand.remove(pair[0])
            self.finish(self.turn)
        else:
            self.put(pair[0])

    def gain(self, seat: int, source: str, points: int) -> None:
        self.seats[seat].points += points
        self.count(seat, "points_" + source, points)

    def put(self, card: Card) -> None:
        self.seats[self.turn].hand.remove(card)
        self.trick.append(card)
        if len(self.trick) == len(self.seats):
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
        self.count(self.leader, "tricks")
        self.gain(self.leader, "cards", points)
        for seat, source in [kept for kept in self.kept_back if kept[0] == self.leader]:
            self.kept_back.remove((seat, source))
            self.gain(seat, source, int(self.rules[source]))
        self.turn = self.leader
        last = not winner.hand and not self.stock
        if last:
            self.gain(self.leader, "last_trick", int(self.rules["last_trick"]))
        if winner.points >= self.goal:
            self.finish(self.leader)
        elif not self.strict:
            # the last moment at which the card turned lies there is before the last cards are drawn
            if len(self.stock) == len(self.seats) and self.may_exchange():
                self.step = "due"
                self.events["asked before the last cards"] += 1
            else:
                self.draw()
        elif not winner.hand:
            self.finish(None)

    def draw(self) -> None:
        for ahead in range(len(self.seats)):
            self.seats[(self.leader + ahead) % len(self.seats)].hand.append(self.stock.pop(0))
        self.step = "turn"

    def finish(self, winner: int | None) -> None:
        """End the deal: who reached the goal, if anybody did."""
        others = [seat.points for place, seat in enumerate(self.seats) if place != winner]
        if self.closer is not None:
            self.count(self.closer, "closing_won" if winner == self.closer else "closing_lost")
        if winner is None and self.closer is not None:
            for place in range(len(self.seats)):
                if place != self.closer:
                    self.reward(place, "failed", int(self.rules["closed_lost"]))
        elif winner is not None and self.closer is not None:
            kind = "closed" if winner == self.closer else "failed"
            self.reward(winner, kind, int(self.rules["closed" if kind == "closed" else "closed_lost"]))
        elif winner is not None:
            kind = prize(max(others) if self.rules["judged_by"] == "best" else min(others), self.rules)
            self.reward(winner, kind, int(self.rules[kind]))
        self.no_result += winner is None and self.closer is None
        self.events["closed in vain by all"] += winner is None and self.closer is not None
        self.step, self.turn = "deal", -1
        target = int(self.rules["target"])
        bigs = [seat.big for seat in self.seats]
        if not target or (max(bigs) >= target and bigs.count(max(bigs)) == 1):
            self.step, self.over = "over", True
            self.winner = bigs.index(max(bigs)) if target else None
        elif max(bigs) >= target:  # several were given points for a stock closed in vain; go on until one leads
            self.events["level at the target"] += 1

    def reward(self, seat: int, kind: str, big: int) -> None:
        self.seats[seat].big += big
        self.count(seat, kind)
        self.count(seat, "big_" + kind, big)


def copied(game: SixtySix) -> SixtySix:
    """A position of its own, without the counts."""
    other = copy(game)
    other.seats = [replace(seat, hand=[replace(card) for card in seat.hand], total=Counter()) for seat in game.seats]
    other.trick = [replace(card) for card in game.trick]
    other.kept_back, other.closings, other.events = list(game.kept_back), [], Counter()
    return other


Worths = tuple[int, ...]


def worths(game: SixtySix) -> Worths:
    """What every player is ahead of the others in big points, of which none count beyond the target."""
    most = int(game.rules["target"]) or 10**6
    bigs = [min(most, seat.big) for seat in game.seats]
    return tuple(sum(own - other for other in bigs) for own in bigs)


def open_worths(game: SixtySix, known: dict[tuple[object, ...], set[Worths]] | None = None) -> set[Worths]:
    """What a deal can be worth if all cards are open and everybody does what is best for himself.

    One result with two players. With more of them it depends on what those do to whom it is all the same, so all
    results are here that come about whichever way they take.
    """
    if game.step != "turn":
        return {worths(game)}
    assert game.strict
    known = {} if known is None else known
    hands = tuple(tuple(sorted((card.name, card.wed) for card in seat.hand)) for seat in game.seats)
    points = tuple((seat.points, seat.tricks > 0) for seat in game.seats)
    key = hands, game.turn, tuple(card.name for card in game.trick), points, tuple(game.kept_back)
    if key not in known:
        results = []
        for action in game.choices():
            after = copied(game)
            after.act(action)
            results.append(open_worths(after, known))
        own = game.turn
        sure = [min(worth[own] for worth in found) for found in results]
        known[key] = set()
        for place, found in enumerate(results):
            others = max((value for other, value in enumerate(sure) if other != place), default=-(10**9))
            known[key] |= {worth for worth in found if worth[own] >= others}
    return known[key]
