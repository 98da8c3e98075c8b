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
    "least_gain": 0,
    "run_order": "pack",  # natural
    "trump_runs": "equal",  # any
    "long_runs": "whole",  # parts: what is left of a long run beside a fifty counts if it is a run
    "equal_runs": "pone",  # whose run counts when both have the same; nobody
    "silence": "yes",  # a player need not announce what he has
    "exchange": "yes",
    "exchange_until": "first_play",  # speaking: about runs
    "overtrump": "no",
}


@dataclass
class Seat:
    """What belongs to a player; all but `score` and `total` begins anew with every deal."""

    hand: list[str] = field(default_factory=list)
    points: Counter[str] = field(default_factory=Counter)  # of this deal, by source
    tricks: int = 0
    runs: list[Run] = field(default_factory=list)  # those he held when they were spoken of
    named: bool = False
    score: int = 0
    total: Counter[str] = field(default_factory=Counter)  # over all deals, by source and event


def order_of(card: str, trump: str) -> int:
    """The strength of a card within its suit, 0 is the highest."""
    return (TRUMP_ORDER if card[1] == trump else PACK_ORDER).index(card[0])


def value_of(card: str, trump: str) -> int:
    return (TRUMP_POINTS if card[1] == trump else PLAIN_POINTS)[card[0]]


def replies(hand: list[str], led: str, trump: str, overtrump: bool = False) -> list[str]:
    """The suit led, else a trump, else anything."""
    duty = [c for c in hand if c[1] == led[1]] or [c for c in hand if c[1] == trump]
    if overtrump and led[1] == trump:
        duty = [c for c in duty if second_wins(led, c, trump)] or duty
    return duty or list(hand)


def second_wins(led: str, reply: str, trump: str) -> bool:
    if reply[1] == led[1]:
        return order_of(reply, trump) < order_of(led, trump)
    return reply[1] == trump


def runs(hand: list[str], order: str = PACK_ORDER, long_runs: str = "whole") -> list[Run]:
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
                row = row[length:] if long_runs == "parts" else []
            row = []
    return found


def rank_of(run: Run, trump: str, rules: dict[str, int | str]) -> tuple[int, ...]:
    """Compare runs by this: the length, the height, trumps; or trumps before the height."""
    length, card = run
    order = PACK_ORDER if rules["run_order"] == "pack" else NATURAL_ORDER
    height, trumps = -order.index(card[0]), int(card[1] == trump)
    return (length, trumps, height) if rules["trump_runs"] == "any" else (length, height, trumps)


def settle(made: list[int], bidder: int) -> list[int]:
    """What each writes, given what each has made."""
    other = 1 - bidder
    written = list(made)
    if made[bidder] <= made[other]:
        written[bidder], written[other] = 0, sum(made)
    return written


class Deberts:
    """One game; dealing orders come by `feed`, actions in words by `act`."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.order = PACK_ORDER if self.rules["run_order"] == "pack" else NATURAL_ORDER
        self.seats = [Seat(), Seat()]
        self.deals = self.thrown_in = self.equal_runs = 0
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
            seat.hand, seat.points, seat.tricks, seat.runs, seat.named = list(hand), Counter(), 0, [], False
        self.turned = self.first_turned = turned
        self.stock = list(stock)
        self.trump = ""
        self.bidder = -1
        self.led = self.pending = ""  # the card led, and one that waits for a word on bella
        self.leader = self.pone
        self.coming: list[tuple[str, int]] = []  # questions before the tricks
        self.step, self.turn = "turned", self.pone  # then: name

    def bid(self, action: Action) -> None:
        if action == ("pass",):
            if self.turn == self.pone:
                self.turn = self.dealer
            elif self.step == "turned":
                self.step, self.turn = "name", self.pone
            else:
                self.events["thrown in"] += 1
                self.thrown_in += 1
                self.end([0, 0])
            return
        self.bidder = self.turn
        self.trump = self.turned[1] if action == ("play",) else action[1]
        self.events[f"{self.step} {'pone' if self.turn == self.pone else 'dealer'}"] += 1
        for seat in (self.pone, self.dealer):
            self.seats[seat].hand += self.stock[:3]
            del self.stock[:3]
        pone, dealer = self.pone, self.dealer
        self.coming = [("exchange", pone), ("declare", pone), ("exchange", dealer), ("answer", dealer), ("late", pone)]
        self.proceed()

    def proceed(self) -> None:
        """Ask the next question that there is reason to ask; after those on the list come the tricks."""
        while self.coming:
            question, seat = self.coming.pop(0)
            self.turn = seat
            if question in ("exchange", "late"):
                if self.may_exchange(question):
                    self.step = "exchange"
                    return
            elif self.may_declare(question):
                self.step = "declare"
                if self.rules["silence"] == "yes":
                    return
                self.declare(announced=True)
        self.step = "play"
        self.turn = 1 - self.leader if self.led else self.leader

    # -- the seven ---------------------------------------------------------------------------------------------

    def may_exchange(self, question: str) -> bool:
        """The seven of trumps for the card turned, before the first card of its holder."""
        seat = self.seats[self.turn]
        if self.rules["exchange"] != "yes" or self.trump != self.turned[1] or "7" + self.trump not in seat.hand:
            return False
        if question == "late":  # once more, to who had a reason to wait
            return bool(self.found(self.turn)) and self.rules["exchange_until"] == "first_play"
        # the dealer answers what pone has named before the lead, else he speaks after it
        return self.turn == self.pone or self.seats[self.pone].named or bool(self.led)

    def exchange(self) -> None:
        seat = self.seats[self.turn]
        seat.hand.remove("7" + self.trump)
        seat.hand.append(self.turned)
        self.turned = "7" + self.trump
        seat.total["exchanges"] += 1
        self.events["exchange"] += 1
        self.events["exchange after speaking"] += bool(seat.runs)

    # -- runs --------------------------------------------------------------------------------------------------

    def found(self, seat: int) -> list[Run]:
        return runs(self.seats[seat].hand, self.order, str(self.rules["long_runs"]))

    def best(self, found: list[Run]) -> tuple[int, ...]:
        return max(rank_of(run, self.trump, self.rules) for run in found)

    def may_declare(self, question: str) -> bool:
        """Pone if he has a run; the dealer if he can say anything to what pone has named."""
        mine = self.found(self.turn)
        theirs = self.seats[self.pone].runs
        if self.turn == self.dealer and (question == "answer") != self.seats[self.pone].named:
            return False
        return bool(mine) and (question == "declare" or self.best(mine)[0] >= self.best(theirs)[0])

    def declare(self, announced: bool) -> None:
        seat = self.seats[self.turn]
        seat.runs = self.found(self.turn)
        seat.named = announced
        self.events["named" if announced else "silence"] += 1
        if not announced:
            seat.total["silences"] += 1

    def compare(self) -> None:
        """The better side scores all of its runs; done when the dealer's first card is due."""
        named = [seat for seat in (self.pone, self.dealer) if self.seats[seat].named]
        if not named:
            return
        best = {seat: self.best(self.seats[seat].runs) for seat in named}
        better = max(named, key=lambda seat: best[seat])  # of equals the first, pone
        if len(named) == 2:
            self.events["compared"] += 1
            if len(set(best.values())) == 1:
                self.events["equal runs"] += 1
                self.equal_runs += 1
                if self.rules["equal_runs"] == "nobody":
                    better = -1
            elif len({rank[:2] for rank in best.values()}) == 1:
                self.events["better by trumps"] += 1
        for seat in named:
            if seat != better:
                self.seats[seat].total["runs_beaten"] += 1
        if better < 0:
            return
        for length, _ in self.seats[better].runs:
            kind = "fifty" if length == 4 else "tierce"
            self.gain(better, kind, int(self.rules[kind]))
        self.events["several runs"] += len(self.seats[better].runs) > 1
        suits = {(length, card[1]) for length, card in self.seats[better].runs}
        self.events["fifty and tierce of a suit"] += any({(4, suit), (3, suit)} <= suits for suit in SUITS)

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
        if self.step == "exchange":
            return {("keep",), ("exchange",)}
        if self.step in ("declare", "bella"):
            return {("silence",), ("announce",)}
        if self.step != "play":
            return set()
        hand = self.seats[self.turn].hand
        free = replies(hand, self.led, self.trump, self.rules["overtrump"] == "yes") if self.led else hand
        return {("play", card) for card in free}

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.step, self.turn, action)
        if self.step in ("turned", "name"):
            self.bid(action)
        elif self.step == "exchange":
            if action == ("exchange",):
                self.exchange()
            self.proceed()
        elif self.step == "declare":
            self.declare(announced=action == ("announce",))
            self.proceed()
        elif self.step == "bella":
            self.step = "play"
            if action == ("announce",):
                self.gain(self.turn, "bella", int(self.rules["bella"]))
            else:
                self.events["silent bella"] += 1
            self.put(self.pending)
        else:
            self.play(action[1])

    def play(self, card: str) -> None:
        """Play a card; the first of king and queen of trumps is the time to announce them."""
        bella = {"K" + self.trump, "Q" + self.trump}
        if card in bella and bella <= set(self.seats[self.turn].hand):
            if self.rules["silence"] == "yes":
                self.step, self.pending = "bella", card
                return
            self.gain(self.turn, "bella", int(self.rules["bella"]))
        self.put(card)

    def put(self, card: str) -> None:
        seat = self.seats[self.turn]
        seat.hand.remove(card)
        if not self.led:
            self.led = card
            self.turn = 1 - self.turn
            if len(seat.hand) == 8:  # the first lead
                questions = ("late",) if self.seats[self.pone].named else ("exchange", "declare", "late")
                self.coming = [(question, self.dealer) for question in questions]
                self.proceed()
            return
        if len(seat.hand) == 8:
            self.compare()
        taker = self.turn if second_wins(self.led, card, self.trump) else 1 - self.turn
        self.gain(taker, "cards", value_of(self.led, self.trump) + value_of(card, self.trump))
        self.seats[taker].tricks += 1
        self.seats[taker].total["tricks"] += 1
        self.led = ""
        self.turn = self.leader = taker
        if not self.seats[taker].hand:
            self.gain(taker, "last_trick", int(self.rules["last_trick"]))
            self.score()

    # -- the end -----------------------------------------------------------------------------------------------

    def score(self) -> None:
        self.made = [sum(seat.points.values()) for seat in self.seats]
        written = settle(self.made, self.bidder)
        bait = self.made[self.bidder] <= self.made[1 - self.bidder]
        self.events["bait" if bait else "made"] += 1
        self.events["equal"] += self.made[0] == self.made[1]
        total = self.seats[self.bidder].total
        total["bait" if bait else "made"] += 1
        total["plays"] += 1
        total["plays_turned" if self.trump == self.first_turned[1] else "plays_named"] += 1
        total["balance"] += written[self.bidder] - written[1 - self.bidder]
        for seat in (0, 1):
            self.seats[seat].total["points bait"] += written[seat] - self.made[seat]
            self.seats[seat].total["deals_won"] += written[seat] > written[1 - seat]
        self.seats[self.pone].total["points as pone"] += written[self.pone]
        self.seats[self.pone].total["as_pone"] += 1
        self.end(written)

    def end(self, written: list[int]) -> None:
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
        """What the winner of a game wins; 501 less the other's score may be less than nothing."""
        return max(int(self.rules["target"]) - min(seat.score for seat in self.seats), int(self.rules["least_gain"]))


def copied(game: Deberts) -> Deberts:
    """A position of its own, without the counts of other deals."""
    other = copy(game)
    other.seats = [
        replace(seat, hand=list(seat.hand), points=seat.points.copy(), total=Counter()) for seat in game.seats
    ]
    other.events = Counter()
    other.coming = list(game.coming)
    return other


def worth(game: Deberts) -> int:
    """By how much the first is ahead after a deal, or what he has won with the game."""
    first, second = (seat.score for seat in game.seats)
    if not game.over or not game.rules["target"]:
        return first - second
    return game.margin() if first > second else -game.margin()


def open_value(game: Deberts, known: dict[tuple[object, ...], int] | None = None) -> int:
    """What a deal is worth to the first (see `worth`) if both see all cards and play their best."""
    if game.over or game.step == "deal":
        return worth(game)
    known = {} if known is None else known
    state = game.step, game.turn, game.led, game.pending if game.step == "bella" else "", len(game.coming)
    key = *state, *((tuple(sorted(seat.hand)), sum(seat.points.values()), seat.named) for seat in game.seats)
    if key not in known:
        values = []
        for action in game.choices():
            after = copied(game)
            after.act(action)
            values.append(open_value(after, known))
        known[key] = min(values) if game.turn else max(values)
    return known[key]
