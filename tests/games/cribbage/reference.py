"""Cribbage of five kinds, slow and plain: the oracle for the compiled games.

Written from the text alone. Cards are words, combinations are found by trying every subset of the cards, and the sum
on the table is added up anew each time it is needed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]

Action = tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """In what the five games differ."""

    dealt: int
    crib_cards: int = 2  # that each player gives
    target: int = 121
    players: int = 2
    compensation: int = 0  # of the pone, before the deal
    cycles: bool = True  # the play goes on after 31 until all cards are laid
    auction: bool = False


KINDS = {
    "cribbage-five-card": Kind(dealt=5, target=61, compensation=3, cycles=False),
    "cribbage-six-card": Kind(dealt=6),
    "cribbage-seven-card": Kind(dealt=7, target=181),
    "cribbage-auction": Kind(dealt=6, auction=True),
    "cribbage-four-handed": Kind(dealt=5, crib_cards=1, players=4),
}


def worth(card: str) -> int:
    """Its points towards 15 and 31."""
    return min(RANKS.index(card[0]) + 1, 10)


def height(card: str) -> int:
    return RANKS.index(card[0])


def in_sequence(cards: tuple[str, ...] | list[str]) -> bool:
    """Three cards or more that follow each other once sorted; the ace is only low."""
    heights = sorted(map(height, cards))
    return len(heights) >= 3 and heights == list(range(heights[0], heights[0] + len(heights)))


def subsets(cards: list[str]) -> list[tuple[str, ...]]:
    return [part for size in range(1, len(cards) + 1) for part in combinations(cards, size)]


def show(hand: list[str], starter: str, crib: bool = False) -> dict[str, int]:
    """What a hand, or the crib, scores with the starter, by source."""
    cards = [*hand, starter]
    parts = subsets(cards)
    sequences = [set(part) for part in parts if in_sequence(part)]
    suits = {card[1] for card in hand}
    flush = 0
    if len(suits) == 1:
        same = starter[1] in suits
        flush = (len(cards) if same else 0) if crib else len(hand) + same
    return {
        "fifteens": sum(2 for part in parts if sum(map(worth, part)) == 15),
        "pairs": sum(2 for one, other in combinations(cards, 2) if one[0] == other[0]),
        "runs": sum(len(part) for part in sequences if not any(part < longer for longer in sequences)),
        "flush": flush,
        "nob": int("J" + starter[1] in hand),
    }


def laid_scores(pile: list[str]) -> dict[str, int]:
    """What the last card of the pile scores; the pile begins after the last 31 or the last stop."""
    total = sum(map(worth, pile))
    alike = 1
    while alike < len(pile) and pile[-1 - alike][0] == pile[-1][0]:
        alike += 1
    sequences = [size for size in range(3, len(pile) + 1) if in_sequence(pile[-size:])]
    return {
        "fifteen": 2 * (total == 15),
        "thirty_one": 2 * (total == 31),
        "pairs": {1: 0, 2: 2, 3: 6, 4: 12}[alike],
        "runs": max(sequences, default=0),
    }


@dataclass
class Entry:
    """Points written."""

    side: int
    stage: str  # before, heels, play, hand, crib, bid
    source: str
    points: int
    seat: int
    deal: int


@dataclass
class Cribbage:
    """One game: `deal` puts the cards, `apply` carries out an action in words."""

    game: str
    target: int | None = None  # 0: a single deal
    compensation_every: bool = True  # in every deal, or only in the first
    bid_after_discard: bool = False
    highest_bid: int = 29
    values: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kind = KINDS[self.game]
        self.seats = range(self.kind.players)
        if self.target is None:
            self.target = self.kind.target
        self.entries: list[Entry] = []
        self.scores = [0, 0]
        self.deals = 0
        self.over = False
        self.winner: int | None = None
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()

    # -- who is who ----------------------------------------------------------------------------------------

    def side(self, seat: int) -> int:
        return seat % 2

    def after(self, seat: int) -> int:
        return (seat + 1) % self.kind.players

    @property
    def dealer(self) -> int:
        """The last seat deals first."""
        return (self.deals - 2) % self.kind.players

    @property
    def pone(self) -> int:
        return self.after(self.dealer)

    def order(self, first: int) -> list[int]:
        return [(first + place) % self.kind.players for place in self.seats]

    def score(self, seat: int, stage: str, sources: dict[str, int]) -> None:
        """Write points; the game ends at once with the last that are missing."""
        side = self.side(seat)
        for source, points in sources.items():
            if points:
                self.entries.append(Entry(side, stage, source, points, seat, self.deals))
                self.scores[side] += points
                self.events[f"{stage} {source}"] += 1
        if self.target and self.scores[side] >= self.target and not self.over:
            self.over, self.winner, self.step, self.turn = True, side, "over", -1
            self.events[f"won at {stage}"] += 1

    # -- the deal ------------------------------------------------------------------------------------------

    def deal(self, hands: list[list[str]], starter: str) -> None:
        """Hands from the pone on, in the order of play."""
        assert self.step == "deal"
        assert [len(hand) for hand in hands] == [self.kind.dealt] * self.kind.players
        self.deals += 1
        self.hands = [list[str]() for _ in self.seats]
        for seat, hand in zip(self.order(self.pone), hands):
            self.hands[seat] = list(hand)
        self.table: list[list[str]] = [[] for _ in self.seats]  # what each has laid
        self.crib: list[str] = []
        self.given = [0] * self.kind.players
        self.starter = starter
        assert len({*sum(self.hands, []), starter}) == self.kind.players * self.kind.dealt + 1
        self.owner = self.dealer  # of the crib
        self.bid = 0
        self.pile: list[str] = []
        self.cycle = 1
        if self.kind.compensation and (self.compensation_every or self.deals == 1):
            self.score(self.pone, "before", {"compensation": self.values.get("compensation", self.kind.compensation)})
        if self.over:
            return
        if self.kind.auction and not self.bid_after_discard:
            self.step, self.turn = "bid", self.pone
        else:
            self.step, self.turn = "discard", self.pone

    # -- actions -------------------------------------------------------------------------------------------

    def fits(self, card: str) -> bool:
        return sum(map(worth, self.pile)) + worth(card) <= 31

    def legal(self) -> set[Action]:
        if self.step == "bid":
            bids: set[Action] = {("bid", str(points)) for points in range(self.bid + 1, self.highest_bid + 1)}
            return bids | ({("pass",)} if self.bid else set())
        if self.step == "discard":
            return {("discard", card) for card in self.hands[self.turn]}
        assert self.step == "play"
        return {("play", card) for card in self.hands[self.turn] if self.fits(card)}

    def apply(self, action: Action) -> None:
        assert action in self.legal()
        {"bid": self.offer, "pass": self.sold, "discard": self.discard, "play": self.lay}[action[0]](*action[1:])

    def offer(self, points: str) -> None:
        self.bid, self.owner = int(points), self.turn
        self.turn = self.after(self.turn)

    def sold(self) -> None:
        """The owner pays at once."""
        self.score(self.owner, "bid", {"bid": -self.bid})
        self.events[f"crib of the {'dealer' if self.owner == self.dealer else 'pone'}"] += 1
        if self.bid_after_discard:
            self.turn_up()
        else:
            self.step, self.turn = "discard", self.pone

    def discard(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.crib.append(card)
        self.given[self.turn] += 1
        if self.given[self.turn] == self.kind.crib_cards:
            self.turn = self.after(self.turn)
        if len(self.crib) == 4:
            if self.kind.auction and self.bid_after_discard:
                self.step, self.turn = "bid", self.pone
            else:
                self.turn_up()

    def turn_up(self) -> None:
        self.step, self.turn = "play", self.owner if self.kind.auction else self.pone
        if self.starter[0] == "J":
            self.score(self.dealer, "heels", {"heels": 2})

    def lay(self, card: str) -> None:
        layer = self.turn
        self.hands[layer].remove(card)
        self.table[layer].append(card)
        self.pile.append(card)
        scores = laid_scores(self.pile)
        able = [seat for seat in self.order(self.after(layer)) if any(map(self.fits, self.hands[seat]))]
        if not able and not scores["thirty_one"]:
            scores["last_card"] = 1
        self.score(layer, "play", scores)
        if self.over:
            return
        if able:
            self.turn = able[0]
            if self.turn != self.after(layer):
                self.events["go"] += 1
            return
        self.pile = []
        holders = [seat for seat in self.order(self.after(layer)) if self.hands[seat]]
        if not holders or not self.kind.cycles:
            if holders:
                self.events["cards left"] += 1
            self.shows()
            return
        self.turn = holders[0]
        self.cycle += 1
        self.events[f"cycle {self.cycle}"] += 1

    # -- the show ------------------------------------------------------------------------------------------

    def shows(self) -> None:
        """In the order of play; the owner of the crib shows it after his hand."""
        for seat in self.order(self.owner if self.kind.auction else self.pone):
            self.score(seat, "hand", show(self.table[seat] + self.hands[seat], self.starter))
            if seat == self.owner and not self.over:
                self.score(seat, "crib", show(self.crib, self.starter, crib=True))
            if self.over:
                return
        if self.target:
            self.step, self.turn = "deal", -1
        else:
            self.over, self.step, self.turn = True, "over", -1

    def total(self, side: int, stage: str = "", source: str = "") -> int:
        return sum(
            entry.points
            for entry in self.entries
            if entry.side == side and stage in ("", entry.stage) and source in ("", entry.source)
        )
