"""Deberts, slow and plain: the oracle for the compiled game, written from the text alone. Cards are texts."""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass, field, replace

SUITS = "SHDC"
PACK_ORDER = "ATKQJ987"  # high to low; also that of a plain suit
NATURAL_ORDER = "AKQJT987"
TRUMP_ORDER = "J9ATKQ87"
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMP_POINTS = PLAIN_POINTS | {"J": 20, "9": 14}

Action = tuple[str, ...]
Run = tuple[int, str]  # length (four or three) and the highest card

DEFAULTS: dict[str, int | str] = {
    "target": 501,  # 0: a single deal
    "fifty": 50,
    "tierce": 20,
    "bella": 20,
    "last_trick": 10,
    "run_order": "pack",  # natural
    "trump_runs": "height",  # a trump run beats a plain one of the same height; any: of any height
    "long_runs": "split",  # what is left of a long run beside a fifty counts if it is a run; one: it does not
    "alike": "pone",  # whose run counts when both have the same; nobody
    "equal": "bait",  # what happens when both have made the same: made
}


@dataclass
class Seat:
    """What belongs to a player; all but `score` and `total` begins anew with every deal."""

    hand: list[str] = field(default_factory=list)
    points: Counter[str] = field(default_factory=Counter)  # of this deal, by source
    tricks: int = 0
    played: bool = False  # a card of this deal
    score: int = 0
    total: Counter[str] = field(default_factory=Counter)  # over all deals, by source and event


def order_of(card: str, trump: str) -> int:
    """The strength of a card within its suit, 0 is the highest."""
    return (TRUMP_ORDER if card[1] == trump else PACK_ORDER).index(card[0])


def value_of(card: str, trump: str) -> int:
    return (TRUMP_POINTS if card[1] == trump else PLAIN_POINTS)[card[0]]


def replies(hand: list[str], led: str, trump: str) -> list[str]:
    """The suit led, else a trump, else anything."""
    return [c for c in hand if c[1] == led[1]] or [c for c in hand if c[1] == trump] or list(hand)


def second_wins(led: str, reply: str, trump: str) -> bool:
    if reply[1] == led[1]:
        return order_of(reply, trump) < order_of(led, trump)
    return reply[1] == trump


def runs(hand: list[str], order: str = PACK_ORDER, long_runs: str = "split") -> list[Run]:
    """The runs of a hand that share no card and count most, in no order."""
    found: list[Run] = []
    for suit in SUITS:
        row: list[str] = []
        for rank in [*order, ""]:
            if rank + suit in hand:
                row.append(rank + suit)
                continue
            while len(row) >= 3:
                length = min(len(row), 4)
                found.append((length, row[0]))
                row = row[length:] if long_runs == "split" else []
            row = []
    return found


def rank_of(run: Run, trump: str, rules: dict[str, int | str]) -> tuple[int, ...]:
    """Compare runs by this: the length, the height, trumps."""
    length, card = run
    order = PACK_ORDER if rules["run_order"] == "pack" else NATURAL_ORDER
    height, trumps = -order.index(card[0]), int(card[1] == trump)
    return (length, trumps, height) if rules["trump_runs"] == "any" else (length, height, trumps)


def settle(made: list[int], bidder: int, equal: str = "bait") -> list[int]:
    """What each writes, given what each has made."""
    other = 1 - bidder
    written = list(made)
    if made[bidder] < made[other] or (made[bidder] == made[other] and equal == "bait"):
        written[bidder], written[other] = 0, sum(made)
    return written


class Deberts:
    """One game; dealing orders come by `feed`, actions in words by `act`."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.order = PACK_ORDER if self.rules["run_order"] == "pack" else NATURAL_ORDER
        self.seats = [Seat(), Seat()]
        self.deals = 0
        self.step = "deal"
        self.turn = -1
        self.over = False
        self.winner: int | None = None
        self.events: Counter[str] = Counter()

    # -- dealing and bidding -----------------------------------------------------------------------------------

    def feed(self, hands: list[list[str]], turned: str, stock: list[str]) -> None:
        """Begin a deal: six cards for each seat, the card turned, the rest of the pack from its top."""
        assert self.step == "deal"
        assert sorted([*hands[0], *hands[1], turned, *stock]) == sorted(r + s for r in PACK_ORDER for s in SUITS)
        assert len(hands[0]) == len(hands[1]) == 6
        self.pone = self.deals % 2
        self.dealer = 1 - self.pone
        self.deals += 1
        for seat, hand in zip(self.seats, hands, strict=True):
            seat.hand, seat.points, seat.tricks, seat.played = list(hand), Counter(), 0, False
        self.turned, self.stock = turned, list(stock)
        self.trump = ""
        self.bidder = -1
        self.led = ""
        self.declared = False
        self.exchanger: int | None = None
        self.refused: set[int] = set()  # to exchange
        self.step, self.turn = "turned", self.pone  # then: name

    def bid(self, action: Action) -> None:
        if action == ("pass",):
            if self.turn == self.pone:
                self.turn = self.dealer
            elif self.step == "turned":
                self.step, self.turn = "name", self.pone
            else:
                self.events["thrown in"] += 1
                self.end([0, 0])
            return
        self.bidder = self.turn
        self.trump = self.turned[1] if action == ("play",) else action[1]
        self.events[f"{self.step} {'pone' if self.turn == self.pone else 'dealer'}"] += 1
        for seat in (self.pone, self.dealer):
            self.seats[seat].hand += self.stock[:3]
            del self.stock[:3]
        self.led = ""
        self.step, self.turn = "play", self.pone

    # -- the seven ---------------------------------------------------------------------------------------------

    def may_exchange(self) -> bool:
        """The seven of trumps for the card turned, before the first card of its holder."""
        seat = self.seats[self.turn]
        return (
            self.step == "play"
            and self.trump == self.turned[1]
            and not seat.played
            and self.turn not in self.refused
            and "7" + self.trump in seat.hand
        )

    def exchange(self) -> None:
        seat = self.seats[self.turn]
        seat.hand.remove("7" + self.trump)
        seat.hand.append(self.turned)
        self.turned = "7" + self.trump
        self.exchanger = self.turn
        seat.total["exchanged"] += 1
        self.events["exchanged"] += 1

    # -- runs --------------------------------------------------------------------------------------------------

    def declare(self) -> None:
        """Compare the runs; the better side scores all of its own. Done when the dealer's first card is due."""
        self.declared = True
        found = [runs(seat.hand, self.order, str(self.rules["long_runs"])) for seat in self.seats]
        best = [max((rank_of(run, self.trump, self.rules) for run in one), default=()) for one in found]
        for seat in (0, 1):
            for length, _ in found[seat]:
                self.seats[seat].total["fifties held" if length == 4 else "tierces held"] += 1
        if best[0] == best[1]:
            if not best[0]:
                return
            self.events["alike"] += 1
            if self.rules["alike"] == "nobody":
                return
            better = self.pone
        else:
            better = 0 if best[0] > best[1] else 1
        if all(best):
            self.events["compared"] += 1
        if best[better][:2] == best[1 - better][:2]:
            self.events["by trumps"] += best[0] != best[1]
        for length, _ in found[better]:
            kind = "fifty" if length == 4 else "tierce"
            self.gain(better, kind, int(self.rules[kind]))
        if len(found[better]) > 1:
            self.events["several runs"] += 1

    def gain(self, seat: int, source: str, points: int) -> None:
        self.seats[seat].points[source] += points
        self.seats[seat].total["points " + source] += points
        self.seats[seat].total[source] += 1
        self.events[source] += 1

    # -- tricks ------------------------------------------------------------------------------------------------

    def choices(self) -> set[Action]:
        """The legal actions, in words."""
        if self.step == "turned":
            return {("play",), ("pass",)}
        if self.step == "name":
            return {("pass",)} | {("name", suit) for suit in SUITS if suit != self.turned[1]}
        if self.step != "play":
            return set()
        hand = self.seats[self.turn].hand
        free = replies(hand, self.led, self.trump) if self.led else hand
        return {("play", card) for card in free} | ({("exchange",)} if self.may_exchange() else set())

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.step, self.turn, action)
        if self.step in ("turned", "name"):
            self.bid(action)
        elif action == ("exchange",):
            self.exchange()
        else:
            self.play(action[1])

    def play(self, card: str) -> None:
        seat = self.seats[self.turn]
        if not self.declared and self.turn == self.dealer:
            # the pone's cards of the time before his lead, which is on the table
            self.seats[self.pone].hand.append(self.led)
            self.declare()
            self.seats[self.pone].hand.remove(self.led)
        bella = {"K" + self.trump, "Q" + self.trump}
        if card in bella and bella <= set(seat.hand):
            self.gain(self.turn, "bella", int(self.rules["bella"]))
        seat.hand.remove(card)
        seat.played = True
        if not self.led:
            self.led = card
            self.turn = 1 - self.turn
            return
        taker = self.turn if second_wins(self.led, card, self.trump) else 1 - self.turn
        self.gain(taker, "cards", value_of(self.led, self.trump) + value_of(card, self.trump))
        self.seats[taker].tricks += 1
        self.seats[taker].total["tricks"] += 1
        self.led = ""
        self.turn = taker
        if not self.seats[taker].hand:
            self.gain(taker, "last_trick", int(self.rules["last_trick"]))
            self.score()

    # -- the end -----------------------------------------------------------------------------------------------

    def score(self) -> None:
        self.made = [sum(seat.points.values()) for seat in self.seats]
        written = settle(self.made, self.bidder, str(self.rules["equal"]))
        bait = written != self.made or written[self.bidder] < written[1 - self.bidder]
        self.events["bait" if bait else "made"] += 1
        self.events["equal"] += self.made[0] == self.made[1]
        self.seats[self.bidder].total["bait" if bait else "made"] += 1
        self.end(written)

    def end(self, written: list[int]) -> None:
        self.written = written
        for seat, points in zip(self.seats, written, strict=True):
            seat.score += points
        self.step, self.turn = "deal", -1
        target = int(self.rules["target"])
        scores = [seat.score for seat in self.seats]
        self.events["both over"] += bool(target) and min(scores) >= target
        if not target or (max(scores) >= target and scores[0] != scores[1]):
            self.step, self.over = "over", True
            if scores[0] != scores[1]:
                self.winner = scores.index(max(scores))

    def margin(self) -> int:
        """What the winner of a game wins."""
        return int(self.rules["target"]) - min(seat.score for seat in self.seats)


def copied(game: Deberts) -> Deberts:
    """A position of its own, without the counts of other deals."""
    other = copy(game)
    other.seats = [
        replace(seat, hand=list(seat.hand), points=seat.points.copy(), total=Counter()) for seat in game.seats
    ]
    other.events = Counter()
    return other


def open_value(game: Deberts, known: dict[tuple[object, ...], int] | None = None) -> int:
    """By how much the first writes more than the second if both see all cards and play their best."""
    if game.step != "play":
        return game.written[0] - game.written[1]
    known = {} if known is None else known
    state = (game.turn, game.led, game.turned, game.declared)
    key = *state, *((tuple(sorted(seat.hand)), seat.played, sum(seat.points.values())) for seat in game.seats)
    if key not in known:
        values = []
        for action in game.choices():
            after = copied(game)
            after.act(action)
            values.append(open_value(after, known))
        known[key] = min(values) if game.turn else max(values)
    return known[key]
