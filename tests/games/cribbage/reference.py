"""Cribbage of five kinds, slow and plain: the oracle for the compiled games.

Written from the text alone. Cards are words, combinations are found by trying every subset of the cards, and the sum
on the table is added up anew each time it is needed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]

Action = tuple[str, ...]


Rules = dict[str, int | str]

SHARED: Rules = {
    "players": 2,
    "cards": 6,
    "target": 121,  # 0: a single deal
    "most_deals": 100,  # after which the higher score wins
    "playing": "to_the_end",
    "compensation": 0,
    "three_for_last": "deal",
    "fifteen": 2,
    "thirty_one": 2,
    "last_card": 1,
    "last_card_again": "no",
    "pair": 2,
    "run": 1,
    "flush": 1,
    "crib_flush": "five",
    "nobs": 1,
    "heels": 2,
    "heels_to": "dealer",
    "auction": "no",
    "must_open": "yes",
    "highest_bid": 29,
}
DEFAULTS: dict[str, Rules] = {
    "cribbage-five-card": SHARED | {"cards": 5, "target": 61, "playing": "to_31", "compensation": 3},
    "cribbage-six-card": SHARED,
    "cribbage-seven-card": SHARED | {"cards": 7, "target": 181},
    "cribbage-auction": SHARED | {"auction": "before_discard"},
    "cribbage-four-handed": SHARED | {"players": 4, "cards": 5},
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


def show(hand: list[str], starter: str, crib: bool = False, rules: Rules = SHARED) -> dict[str, int]:
    """What a hand, or the crib, scores with the starter, by source."""
    value = {name: int(rules[name]) for name in ("fifteen", "pair", "run", "flush", "nobs")}
    cards = [*hand, starter]
    parts = subsets(cards)
    sequences = [set(part) for part in parts if in_sequence(part)]
    suits = {card[1] for card in hand}
    flush = 0
    if len(suits) == 1:
        flush = len(hand) + (starter[1] in suits)
        if crib and (rules["crib_flush"] == "no" or (rules["crib_flush"] == "five" and flush < 5)):
            flush = 0
    return {
        "fifteens": value["fifteen"] * sum(sum(map(worth, part)) == 15 for part in parts),
        "pairs": value["pair"] * sum(one[0] == other[0] for one, other in combinations(cards, 2)),
        "runs": value["run"] * sum(len(part) for part in sequences if not any(part < other for other in sequences)),
        "flush": value["flush"] * flush,
        "nobs": value["nobs"] * ("J" + starter[1] in hand),
    }


def laid_scores(pile: list[str], rules: Rules = SHARED) -> dict[str, int]:
    """What the last card of the pile scores; the pile begins after the last 31 or the last stop."""
    total = sum(map(worth, pile))
    alike = 1
    while alike < len(pile) and pile[-1 - alike][0] == pile[-1][0]:
        alike += 1
    sequences = [size for size in range(3, len(pile) + 1) if in_sequence(pile[-size:])]
    return {
        "fifteens": int(rules["fifteen"]) * (total == 15),
        "thirty_one": int(rules["thirty_one"]) * (total == 31),
        "pairs": int(rules["pair"]) * {1: 0, 2: 1, 3: 3, 4: 6}[alike],
        "runs": int(rules["run"]) * max(sequences, default=0),
    }


@dataclass
class Entry:
    """Points written."""

    side: int
    stage: str  # before, bid, heels, play, hand, crib
    source: str
    points: int
    seat: int
    deal: int
    dealt: bool  # by this seat


class Cribbage:
    """One game: `deal` puts the cards, `apply` carries out an action in words."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        assert not set(rules or {}) - set(SHARED)
        self.rules = DEFAULTS[game] | (rules or {})
        self.players = int(self.rules["players"])
        self.seats = range(self.players)
        self.give = 4 // self.players  # cards of each for the crib
        self.target = int(self.rules["target"])
        self.highest = int(self.rules["highest_bid"])
        self.auction = self.rules["auction"] != "no"
        self.entries: list[Entry] = []
        self.scores = [0, 0]
        self.deals = 0
        self.over = False
        self.winner: int | None = None
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()  # what has happened at all
        self.counts: Counter[tuple[str, int]] = Counter()  # what, of which seat
        self.best: Counter[tuple[str, int]] = Counter()  # hand or crib, of which seat

    # -- who is who ----------------------------------------------------------------------------------------

    def side(self, seat: int) -> int:
        return seat % 2

    def after(self, seat: int) -> int:
        return (seat + 1) % self.players

    @property
    def dealer(self) -> int:
        """The last seat deals first."""
        return (self.deals - 2) % self.players

    @property
    def pone(self) -> int:
        return self.after(self.dealer)

    def order(self, first: int) -> list[int]:
        return [(first + place) % self.players for place in self.seats]

    def score(self, seat: int, stage: str, sources: dict[str, int]) -> None:
        """Write points; the game ends at once with the last that are missing."""
        side = self.side(seat)
        for source, points in sources.items():
            if points:
                self.entries.append(Entry(side, stage, source, points, seat, self.deals, seat == self.dealer))
                self.scores[side] += points
                self.events[f"{stage} {source}"] += 1
        if self.target and self.scores[side] >= self.target and not self.over:
            self.over, self.winner, self.step, self.turn = True, side, "over", -1
            self.events[f"won at {stage}"] += 1

    # -- the deal ------------------------------------------------------------------------------------------

    def deal(self, hands: list[list[str]], starter: str) -> None:
        """Hands from the pone on, in the order of play."""
        assert self.step == "deal"
        assert [len(hand) for hand in hands] == [self.rules["cards"]] * self.players
        self.deals += 1
        self.hands = [list[str]() for _ in self.seats]
        for seat, hand in zip(self.order(self.pone), hands):
            self.hands[seat] = list(hand)
        self.table: list[list[str]] = [[] for _ in self.seats]  # what each has laid
        self.crib: list[str] = []
        self.starter = starter
        assert len({*sum(self.hands, []), starter}) == sum(map(len, hands)) + 1
        self.owner = self.dealer  # of the crib
        self.bid = 0
        self.pile: list[str] = []  # the cards of this count
        self.silent: set[int] = set()  # who have said go in it
        self.last = -1
        self.cycle = 1
        if self.rules["three_for_last"] == "deal" or self.deals == 1:
            self.score(self.pone, "before", {"compensation": int(self.rules["compensation"])})
        if self.over:
            return
        self.step, self.turn = "bid" if self.rules["auction"] == "before_discard" else "discard", self.pone

    # -- actions -------------------------------------------------------------------------------------------

    def fits(self, card: str) -> bool:
        return sum(map(worth, self.pile)) + worth(card) <= 31

    def legal(self) -> set[Action]:
        if self.step == "bid":
            bids: set[Action] = {("bid", str(points)) for points in range(self.bid + 1, self.highest + 1)}
            return bids | ({("pass",)} if self.bid or self.rules["must_open"] == "no" else set())
        if self.step == "discard":
            return {("discard", *cards) for cards in combinations(self.hands[self.turn], self.give)}
        assert self.step == "play"
        return {("play", card) for card in self.hands[self.turn] if self.fits(card)} or {("go",)}

    def apply(self, action: Action) -> None:
        kind, *words = action
        if kind == "discard":
            words = sorted(words, key=self.hands[self.turn].index)
        assert (kind, *words) in self.legal()
        {
            "bid": self.offer,
            "pass": self.sold,
            "discard": self.discard,
            "play": self.lay,
            "go": self.go,
        }[kind](*words)

    def offer(self, points: str) -> None:
        self.bid, self.owner = int(points), self.turn
        self.turn = self.after(self.turn)
        if self.bid == self.highest:  # nobody can go on
            self.sold()

    def sold(self) -> None:
        """The owner pays at once; without a bid it is the dealer, for nothing."""
        self.score(self.owner, "bid", {"bid": -self.bid})
        self.events[f"crib of the {'dealer' if self.owner == self.dealer else 'pone'}"] += 1
        if self.bid:
            self.counts["bought", self.owner] += 1
        if self.rules["auction"] == "after_discard":
            self.turn_up()
        else:
            self.step, self.turn = "discard", self.pone

    def discard(self, *cards: str) -> None:
        for card in cards:
            self.hands[self.turn].remove(card)
        self.crib += cards
        self.turn = self.after(self.turn)
        if len(self.crib) == 4:
            if self.rules["auction"] == "after_discard":
                self.step, self.turn = "bid", self.pone
            else:
                self.turn_up()

    def turn_up(self) -> None:
        self.step, self.turn = "play", self.owner if self.auction else self.pone
        if self.starter[0] == "J":
            self.events["heels"] += 1
            seat = self.dealer if self.rules["heels_to"] == "dealer" else self.owner
            self.counts["heels", seat] += 1
            self.score(seat, "heels", {"heels": int(self.rules["heels"])})

    def lay(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.table[self.turn].append(card)
        self.pile.append(card)
        again = len(self.pile) > 1 and self.last == self.turn  # nobody else could lay one
        self.last = self.turn
        scores = laid_scores(self.pile, self.rules)
        self.count_laid()
        self.scored_last = self.rules["last_card_again"] == "yes" and again and sum(map(worth, self.pile)) < 31
        if self.scored_last:
            scores["last_card"] = int(self.rules["last_card"])
            self.counts["last_card", self.turn] += 1
            self.events["laid on"] += 1
        self.score(self.turn, "play", scores)
        if not self.over:
            self.next_to_lay()

    def go(self) -> None:
        self.counts["go", self.turn] += 1
        self.events["go"] += 1
        self.silent.add(self.turn)
        self.next_to_lay()

    def next_to_lay(self) -> None:
        """The next who has cards and has not said go is asked; without one, or at 31, the count is over."""
        asked = [seat for seat in self.order(self.after(self.turn)) if self.hands[seat] and seat not in self.silent]
        total = sum(map(worth, self.pile))
        if asked and total < 31:
            self.turn = asked[0]
            return
        if total < 31 and not self.scored_last:
            self.counts["last_card", self.last] += 1
            self.score(self.last, "play", {"last_card": int(self.rules["last_card"])})
            if self.over:
                return
        self.pile = []
        self.silent = set()
        holders = [seat for seat in self.order(self.after(self.last)) if self.hands[seat]]
        if not holders or self.rules["playing"] == "to_31":
            self.events["cards left"] += bool(holders)
            self.shows()
            return
        self.turn = holders[0]
        self.cycle += 1
        self.events[f"cycle {self.cycle}"] += 1
        if self.turn == self.last:
            self.events["goes on alone"] += 1

    def count_laid(self) -> None:
        """How often what is made; worked out with values of one point each, whatever the rules say."""
        plain = laid_scores(self.pile, SHARED)
        for source in ("fifteens", "thirty_one"):
            self.counts[source, self.turn] += plain[source] > 0
        self.counts[f"alike {plain['pairs']}", self.turn] += 1
        self.counts[f"run {plain['runs']}", self.turn] += 1

    # -- the show ------------------------------------------------------------------------------------------

    def shows(self) -> None:
        """In the order of play; the owner of the crib shows it after his hand."""
        for seat in self.order(self.owner if self.auction else self.pone):
            self.show_one(seat, "hand", self.table[seat] + self.hands[seat])
            if seat == self.owner and not self.over:
                self.show_one(seat, "crib", self.crib)
            if self.over:
                return
        self.step, self.turn = "deal", -1
        if not self.target or self.deals >= int(self.rules["most_deals"]):
            self.over, self.step = True, "over"
            self.events["ended without reaching the target"] += bool(self.target)

    def show_one(self, seat: int, stage: str, cards: list[str]) -> None:
        scores = show(cards, self.starter, stage == "crib", self.rules)
        points = sum(scores.values())
        counts = {
            "flush": show(cards, self.starter, stage == "crib", self.rules | {"flush": 1})["flush"] > 0,
            "nobs": "J" + self.starter[1] in cards,
            "nothing": points == 0,
            "twelve": points >= 12,
            "twenty": points >= 20,
        }
        if stage == "crib" and self.bid:  # somebody bought it
            counts["repaid"] = points >= self.bid
        for name, found in counts.items():
            self.counts[f"{stage} {name}", seat] += found
        self.best[stage, seat] = max(self.best[stage, seat], points)
        self.score(seat, stage, scores)

    # -- what is measured ----------------------------------------------------------------------------------

    def total(self, side: int, stage: str = "", source: str = "", seat: int | None = None) -> int:
        return sum(
            entry.points
            for entry in self.entries
            if entry.side == side
            and stage in ("", entry.stage)
            and source in ("", entry.source)
            and seat in (None, entry.seat)
        )
