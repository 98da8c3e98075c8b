"""Thousand for two and for three, slow and plain: the oracle for the compiled games.

Written from the text alone: cards are words, actions are words, every trick is kept and all points are counted from
the tricks when the deal is over.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

RANKS = "9JQKTA"  # low to high
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
MARRIAGES = {"H": "hearts", "D": "diamonds", "C": "clubs", "S": "spades"}

Action = tuple[str, ...]


Rules = dict[str, int | str]

COMMON: Rules = {
    "target": 1000,  # 0: a single deal
    "most_deals": 100,
    "hearts": 100,
    "diamonds": 80,
    "clubs": 60,
    "spades": 40,
}
AUCTION: Rules = COMMON | {
    "first_bid": 100,
    "step": 10,
    "highest_bid": 400,
    "both_over": "higher",
    "blind": "no",
    "blind_raise": "yes",
}
DEFAULTS: dict[str, Rules] = {
    "thousand-two-stock": COMMON | {"players": 2, "hand": 6},
    "thousand-two-auction": AUCTION | {"players": 2, "hand": 10, "sweep": "120"},
    "thousand-three": AUCTION | {"players": 3, "hand": 7},
    "thousand-blind": AUCTION | {"players": 3, "hand": 7, "blind": "yes"},
}
PACKETS = {10: (2, 2), 7: (3,), 6: ()}  # by cards in a hand; without packets the rest is the stock


class Trick(NamedTuple):
    """Cards in the order in which they were played, and the trump at the time."""

    leader: int
    cards: tuple[str, ...]
    trump: str
    winner: int


def beats(new: str, best: str, trump: str) -> bool:
    if new[1] == best[1]:
        return RANKS.index(new[0]) > RANKS.index(best[0])
    return new[1] == trump


def replies(hand: set[str], led: str, trump: str) -> set[str]:
    """Follow suit; without it trump; without both anything. Nobody need play a higher card."""
    for suit in (led[1], trump):
        kept = {card for card in hand if card[1] == suit}
        if kept:
            return kept
    return set(hand)


def marriages(hand: set[str]) -> set[str]:
    """The suits in which king and queen are held."""
    return {suit for suit in SUITS if {"K" + suit, "Q" + suit} <= hand}


def card_points(cards: object) -> int:
    return sum(POINTS[card[0]] for card in cards)  # type: ignore[attr-defined]


class Thousand:
    """One game: `deal` puts the cards, `apply` carries out an action in words."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS[game])
        self.rules = DEFAULTS[game] | (rules or {})
        self.players = int(self.rules["players"])
        self.sizes = PACKETS[int(self.rules["hand"])]
        self.seats = range(self.players)
        self.target = int(self.rules["target"])
        self.scores = [0] * self.players
        self.deals = 0
        self.over = False
        self.winner: int | None = None
        self.step = "deal"
        self.turn = -1
        self.several = 0  # deals in which more than one reached the target
        self.events: Counter[str] = Counter()
        self.history: list[dict[str, object]] = []  # one entry a deal

    def after(self, seat: int) -> int:
        return (seat + 1) % self.players

    @property
    def dealer(self) -> int:
        """The last seat deals first."""
        return (self.deals - 2) % self.players

    @property
    def eldest(self) -> int:
        return self.after(self.dealer)

    def deal(self, hands: list[list[str]], rest: list[list[str]]) -> None:
        """Hands from the eldest on; the rest is the stock, first card first, or the packets."""
        assert self.step == "deal"
        assert [len(hand) for hand in hands] == [self.rules["hand"]] * self.players
        assert sorted(sum(hands + rest, [])) == sorted(PACK)
        self.deals += 1
        self.hands = [set[str]() for _ in self.seats]
        for place, hand in enumerate(hands):
            self.hands[(self.eldest + place) % self.players] = set(hand)
        self.stock: list[str] = []
        self.packets: list[list[str]] = []
        if self.sizes:
            self.packets = [list(packet) for packet in rest]
            assert tuple(map(len, rest)) == self.sizes
        else:
            (self.stock,) = (list(rest[0]),)
        self.opened: int | None = None
        self.shown = False
        self.tricks: list[Trick] = []
        self.married: list[tuple[int, str, int]] = []  # seat, suit, trick
        self.trump = ""
        self.laid: list[str] = []
        self.bid = 0
        self.bidder = self.eldest
        self.passed: set[int] = set()
        self.dark = set[int]()  # who have not looked at their cards
        if self.packets and self.rules["blind"] == "yes":
            self.dark = set(self.seats)
        self.raised = 0
        self.turn = self.eldest
        self.step = "play"
        self.leader = self.eldest
        if self.packets:
            self.begin_turn()

    # -- the auction ---------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """A player who has not looked is first asked whether he will."""
        self.step = "look" if self.turn in self.dark else "bid"

    def legal_bids(self) -> set[Action]:
        if not self.bid:  # the first call is forced
            return {("bid", str(self.rules["first_bid"]))}
        return {("pass",)} | {("bid", str(points)) for points in self.steps() if points > self.bid}

    def steps(self) -> list[int]:
        """The present bid and all above it."""
        return list(range(self.bid, int(self.rules["highest_bid"]) + 1, int(self.rules["step"])))

    def call(self, points: int) -> None:
        self.bid, self.bidder = points, self.turn
        self.next_bidder()

    def leave(self) -> None:
        self.passed.add(self.turn)
        self.next_bidder()

    def next_bidder(self) -> None:
        if len(self.passed) == self.players - 1:
            self.sold()
            return
        self.turn = self.after(self.turn)
        while self.turn in self.passed:
            self.turn = self.after(self.turn)
        self.begin_turn()

    def sold(self) -> None:
        self.turn = self.leader = self.bidder
        self.was_blind = self.bidder in self.dark
        self.dark = set()
        if self.was_blind:
            self.events["won blind"] += 1
        if len(self.packets) > 1:
            self.step = "packet"
        else:
            self.open(0)

    def open(self, packet: int) -> None:
        self.opened = packet
        self.shown = not self.was_blind
        self.taken = self.packets[packet]
        before = marriages(self.hands[self.bidder])
        self.hands[self.bidder] |= set(self.taken)
        self.gained = len(marriages(self.hands[self.bidder]) - before)
        self.packets[packet] = []
        self.step = "discard" if len(self.packets) > 1 else "give"
        self.to = self.after(self.bidder)

    def discard(self, card: str) -> None:
        assert self.opened is not None
        self.hands[self.bidder].remove(card)
        self.packets[self.opened].append(card)
        if len(self.packets[self.opened]) == 2:
            self.end_exchange()

    def give(self, card: str) -> None:
        """One card to each of the others, the one on the left first."""
        self.hands[self.bidder].remove(card)
        self.hands[self.to].add(card)
        self.to = self.after(self.to)
        if self.to == self.bidder:
            self.end_exchange()

    def end_exchange(self) -> None:
        may = not self.was_blind or self.rules["blind_raise"] == "yes"
        if may and len(self.steps()) > 1:
            self.step = "raise"
        else:
            self.begin_play()

    def lift(self, points: int) -> None:
        self.raised = points - self.bid
        if self.raised:
            self.events["raised"] += 1
        self.bid = points
        self.begin_play()

    def begin_play(self) -> None:
        self.step = "play"
        self.held = [len(marriages(hand)) for hand in self.hands]

    # -- play ----------------------------------------------------------------------------------------------

    def legal(self) -> set[Action]:
        hand = self.hands[self.turn]
        if self.step == "look":
            return {("look",), ("stay",)}
        if self.step == "bid":
            return self.legal_bids()
        if self.step == "packet":
            return {("packet", str(number)) for number in range(len(self.packets))}
        if self.step in ("discard", "give"):
            return {(self.step, card) for card in hand}
        if self.step == "raise":
            return {("raise", str(points)) for points in self.steps()}
        assert self.step == "play"
        if self.laid:
            return {("play", card) for card in replies(hand, self.laid[0], self.trump)}
        married = {rank + suit for suit in marriages(hand) for rank in "KQ"}
        return {("play", card) for card in hand} | {("marriage", card) for card in married}

    def apply(self, action: Action) -> None:
        assert action in self.legal()
        kind, what = action[0], action[-1]
        if kind == "look":
            self.dark.remove(self.turn)
            self.events["looked"] += 1
            self.step = "bid"
        elif kind == "stay":
            self.step = "bid"
        elif kind == "bid":
            self.call(int(what))
        elif kind == "pass":
            self.leave()
        elif kind == "packet":
            self.open(int(what))
        elif kind == "discard":
            self.discard(what)
        elif kind == "give":
            self.give(what)
        elif kind == "raise":
            self.lift(int(what))
        else:
            if kind == "marriage":
                self.married.append((self.turn, what[1], len(self.tricks) + 1))
                self.trump = what[1]
                self.events["marriage " + what[1]] += 1
            self.lay(what)

    def lay(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.laid.append(card)
        if len(self.laid) < self.players:
            self.turn = self.after(self.turn)
            return
        best = 0
        for place in range(1, self.players):
            if beats(self.laid[place], self.laid[best], self.trump):
                best = place
        winner = (self.leader + best) % self.players
        self.tricks.append(Trick(self.leader, tuple(self.laid), self.trump, winner))
        self.laid = []
        self.leader = self.turn = winner
        if self.stock:
            for place in self.seats:
                self.hands[(winner + place) % self.players].add(self.stock.pop(0))
        if not self.hands[winner]:
            self.settle()

    # -- settlement ----------------------------------------------------------------------------------------

    def made(self, seat: int) -> tuple[int, int]:
        """Points of a seat by cards and by marriages, from the tricks of the whole deal."""
        cards = sum(card_points(trick.cards) for trick in self.tricks if trick.winner == seat)
        return cards, sum(int(self.rules[MARRIAGES[suit]]) for owner, suit, _ in self.married if owner == seat)

    def settle(self) -> None:
        written = [sum(self.made(seat)) for seat in self.seats]
        swept = contract = False
        if self.packets:
            reached = written[self.bidder]
            own_marriages = [suit for owner, suit, _ in self.married if owner == self.bidder]
            if (
                len(self.packets) > 1
                and (self.bid == 120 or (self.bid < 120 and self.rules["sweep"] == "up_to_120"))
                and not own_marriages
                and {trick.winner for trick in self.tricks} == {self.bidder}
            ):
                swept = True
                reached += card_points(sum(self.packets, []))
                self.events["swept"] += 1
            contract = reached >= self.bid
            self.events["made" if contract else "failed"] += 1
            written[self.bidder] = self.bid if contract else -self.bid
            if self.was_blind:
                written = [2 * points for points in written]
        for seat in self.seats:
            self.scores[seat] += written[seat]
        self.history.append(
            {
                "made": [self.made(seat) for seat in self.seats],
                "written": written,
                "married": list(self.married),
                "tricks": list(self.tricks),
                "swept": swept,
                "contract": contract,
                "bid": self.bid,
                "bidder": self.bidder,
                "raised": self.raised,
                "blind": bool(self.packets) and self.was_blind,
                "held": self.held if self.packets else [],
                "talon": card_points(self.taken) if self.packets else 0,
                "gained": self.gained if self.packets else 0,
                "packets": card_points(sum(self.packets, [])) if swept else 0,
            }
        )
        self.step, self.turn = "deal", -1
        if not self.target:
            self.over, self.step = True, "over"
            return
        best = max(self.scores)
        above = [seat for seat in self.seats if self.scores[seat] >= self.target]
        self.several += len(above) > 1
        self.events["several above"] += len(above) > 1
        if self.rules.get("both_over") == "declarer" and self.bidder in above:
            self.end(self.bidder)
        elif self.scores.count(best) > 1:  # with the same total the game goes on: nobody has more than another
            self.events["tied above"] += bool(above)
            if self.deals == self.rules["most_deals"]:
                self.end(None)
        elif above or self.deals == self.rules["most_deals"]:
            self.end(self.scores.index(best))

    def end(self, winner: int | None) -> None:
        self.over, self.winner, self.step = True, winner, "over"
