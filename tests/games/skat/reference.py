"""Skat, slow and plain: the oracle for the compiled games.

Written from the text alone: cards are words, actions are words, every trick is kept, and all is counted from the
tricks when a deal is over.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

SUITS = "CSHD"  # high to low
PLAIN = "AKQJT987"  # of null, high to low
TENS = "ATKQ987"  # of a suit in the other games, whose jacks are trumps; high to low
PACK = [rank + suit for suit in SUITS for rank in PLAIN]
JACKS = ["JC", "JS", "JH", "JD"]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
BASE = {"D": 9, "H": 10, "S": 11, "C": 12, "grand": 24}
GRAND_OUVERT = 36
LOWEST, HIGHEST = 18, 360
ALL_POINTS = 120

Action = tuple[str, ...]
Rules = dict[str, int | str]
DEFAULTS: Rules = {
    "players": 3,
    "deals": 36,
    "passed_in": "redealt",  # or "counts"
    "most_redeals": 100,
    "calls": "next",  # or "any": what may be bid above the last value
    "open_null": "no",  # a null with the skat and open cards
    "schneider": 90,
    "schneidered": 30,
    "hand_loss": "single",
    "lost_value": "game",  # or "bid"
    "skat_matadors": "yes",  # the skat belongs to the soloist's cards in a hand game too
    "null_ends": "at_once",  # or "with_the_cards"
}
FOUR: Rules = {"players": 4, "deals": 48}


class Contract(NamedTuple):
    """What the soloist plays: a suit, grand or null, and what he has promised besides."""

    kind: str
    hand: bool = False
    promise: str = ""  # "schneider" or "schwarz"
    ouvert: bool = False

    @property
    def base(self) -> int:
        return GRAND_OUVERT if self.kind == "grand" and self.ouvert else BASE[self.kind]


class Trick(NamedTuple):
    """Cards in the order in which they were played."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Result(NamedTuple):
    """How a deal ended for its soloist."""

    made: bool  # he did what he had promised
    overbid: bool  # but it was worth less than his bid
    worth: int  # of the game as it went, whatever was bid
    score: int
    factors: tuple[str, ...]  # what the base is multiplied by, one each, besides matadors
    matadors: int
    with_jack: bool


def trumps(kind: str) -> list[str]:
    """All trumps from the highest down."""
    if kind == "null":
        return []
    return JACKS + ([] if kind == "grand" else [rank + kind for rank in TENS])


def matadors(cards: set[str], kind: str) -> int:
    """The highest trumps that the soloist has in one row, or that he lacks in one row."""
    order = trumps(kind)
    has = order[0] in cards
    run = 0
    while run < len(order) and (order[run] in cards) == has:
        run += 1
    return run


def group(card: str, kind: str) -> str:
    """What has to be followed: a suit, or trumps."""
    return "trumps" if card in trumps(kind) else card[1]


def beats(new: str, best: str, kind: str) -> bool:
    order = trumps(kind)
    if new in order:
        return best not in order or order.index(new) < order.index(best)
    if best in order or new[1] != best[1]:
        return False
    ranks = PLAIN if kind == "null" else TENS
    return ranks.index(new[0]) < ranks.index(best[0])


def replies(hand: set[str], led: str, kind: str) -> set[str]:
    """Follow what was led; who cannot plays anything."""
    kept = {card for card in hand if group(card, kind) == group(led, kind)}
    return kept or set(hand)


def points_of(cards: object) -> int:
    return sum(POINTS[card[0]] for card in cards)  # type: ignore[attr-defined]


def null_value(contract: Contract) -> int:
    if contract.ouvert:
        return 59 if contract.hand else 46
    return 35 if contract.hand else 23


def settle(
    contract: Contract, bid: int, cards: set[str], points: int, own: int, others: int, rules: Rules = DEFAULTS
) -> Result:
    """Settle a deal.

    `cards` are the soloist's twelve, the skat among them; `points` his, that in the skat too; `own` and `others` the
    tricks of the soloist and of the two together.
    """
    twice = 1 if contract.hand and rules["hand_loss"] == "single" else 2  # for a loss
    if contract.kind == "null":
        value = null_value(contract)
        stands = bid if rules["lost_value"] == "bid" else value
        return Result(own == 0, False, value, value if own == 0 else -twice * stands, (), 0, False)
    schneider, schwarz = points >= int(rules["schneider"]), others == 0
    made = points >= 61
    if contract.promise == "schneider":
        made = schneider
    elif contract.promise == "schwarz":
        made = schwarz
    factors = ["game"]
    if contract.hand:
        factors.append("hand")
    # Whoever fails is charged for what he promised, and for being schneider or schwarz himself
    against = not made and points <= int(rules["schneidered"])
    black = not made and own == 0
    if schneider or against or contract.promise:
        factors.append("schneider")
    if contract.promise:
        factors.append("schneider announced")
    if schwarz or black or contract.promise == "schwarz":
        factors.append("schwarz")
    if contract.promise == "schwarz":
        factors.append("schwarz announced")
    if contract.ouvert and contract.kind != "grand":
        factors.append("ouvert")
    run = matadors(cards, contract.kind)
    worth = contract.base * (run + len(factors))
    overbid = worth < bid
    if made and not overbid:
        score = worth
    elif rules["lost_value"] == "bid":
        # the bid, raised by a factor for each of the two shames; what he promised is not in the bid
        score = -twice * (bid + contract.base * (against + black))
    else:
        stands = worth
        while stands < bid:
            stands += contract.base
        score = -twice * stands
    return Result(made, overbid, worth, score, tuple(factors), run, "JC" in cards)


def all_values(open_null: bool = False) -> list[int]:
    """Every number of points that some game can be worth: these are the bids."""
    found = {23, 35, 59} | ({46} if open_null else set())
    for kind in BASE:
        longest = len(trumps(kind))
        for run in range(1, longest + 1):
            for factors in range(1, 7):  # game, hand, schneider, schwarz and both announced
                found.add(BASE[kind] * (run + factors))
            if kind == "grand":
                found.add(GRAND_OUVERT * (run + 6))
            else:
                found.add(BASE[kind] * (run + 7))
    return sorted(found)


class Skat:
    """A list of deals at a table of three or four: `deal` puts the cards, `apply` carries out an action in words.

    With four at the table the dealer sits out.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | {"deals": 1} | (rules or {})
        self.players = players = int(self.rules["players"])
        self.deals = int(self.rules["deals"])
        self.done = 0
        self.redeals = 0
        self.dealer = players - 1
        self.scores = [0] * players
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()
        self.history: list[dict[str, object]] = []

    @property
    def over(self) -> bool:
        return self.step == "over"

    @property
    def order(self) -> list[int]:
        """The three who play: forehand, middlehand, rearhand."""
        return [(self.dealer + 1 + place) % self.players for place in range(3)]

    def after(self, seat: int) -> int:
        return self.order[(self.order.index(seat) + 1) % 3]

    def deal(self, hands: list[list[str]], skat: list[str]) -> None:
        """The hands of forehand, middlehand and rearhand, and the skat."""
        assert self.step == "deal"
        assert [len(hand) for hand in hands] == [10, 10, 10]
        assert len(skat) == 2
        assert sorted(sum(hands, []) + skat) == sorted(PACK)
        self.hands: dict[int, set[str]] = {seat: set(hand) for seat, hand in zip(self.order, hands)}
        self.skat = list(skat)
        self.dealt = {seat: set(hand) for seat, hand in self.hands.items()}
        self.bid = 0
        self.soloist: int | None = None
        self.contract: Contract | None = None
        self.tricks: list[Trick] = []
        self.laid: list[str] = []
        self.discards: list[str] = []
        self.picked = False
        fore, middle, rear = self.order
        self.caller, self.listener = middle, fore
        self.pairs = [rear]  # who still comes into the bidding
        self.turn, self.step = self.caller, "call"

    # -- the auction ---------------------------------------------------------------------------------------

    def ask(self, value: int) -> None:
        assert value > self.bid
        self.bid = value
        self.turn, self.step = self.listener, "answer"

    def leave(self, seat: int) -> None:
        """One of the two passes; the other goes on against rearhand, who calls."""
        stays = self.listener if seat == self.caller else self.caller
        if self.pairs:
            self.caller, self.listener = self.pairs.pop(), stays
            self.turn, self.step = self.caller, "call"
        elif self.bid:
            self.sold(stays)
        else:  # nobody has named a value: forehand may play for the lowest
            self.turn, self.step = stays, "open"

    def sold(self, seat: int) -> None:
        self.soloist = seat
        self.turn, self.step = seat, "skat"

    # -- play ----------------------------------------------------------------------------------------------

    def legal(self) -> set[Action]:
        hand = self.hands[self.turn]
        if self.step == "call":
            return {("pass",)} | {("bid", str(value)) for value in self.higher()}
        if self.step == "answer":
            return {("pass",), ("hold",)}
        if self.step == "open":
            return {("pass",), ("bid", str(LOWEST))}
        if self.step == "skat":
            return {("take",), ("hand",)}
        if self.step == "discard":
            return {("discard", card) for card in hand}
        if self.step == "announce":
            return {("announce", *words(contract)) for contract in self.contracts()}
        assert self.step == "play"
        assert self.contract
        cards = replies(hand, self.laid[0], self.contract.kind) if self.laid else hand
        return {("play", card) for card in cards}

    def higher(self) -> list[int]:
        above = [value for value in all_values(self.rules["open_null"] == "yes") if value > self.bid]
        return above[:1] if self.rules["calls"] == "next" else above

    def contracts(self) -> list[Contract]:
        """What may be announced; null only if it is worth the bid."""
        hand = not self.picked
        found = []
        for kind in BASE:
            found.append(Contract(kind, hand))
            if hand:
                found.append(Contract(kind, hand, "schneider"))
                found.append(Contract(kind, hand, "schwarz"))
                found.append(Contract(kind, hand, "schwarz", True))
        nulls = [Contract("null", hand)] + (
            [Contract("null", hand, "", True)] if hand or self.rules["open_null"] == "yes" else []
        )
        return found + [null for null in nulls if null_value(null) >= self.bid]

    def apply(self, action: Action) -> None:
        assert action in self.legal(), (action, self.legal())
        kind, what = action[0], action[-1]
        seat = self.turn
        if kind == "pass":
            if self.step == "open":
                self.finish(None)
            else:
                self.leave(seat)
        elif kind == "bid":
            if self.step == "open":
                self.bid = int(what)
                self.sold(seat)
            else:
                self.ask(int(what))
        elif kind == "hold":
            self.turn, self.step = self.caller, "call"
        elif kind == "take":
            self.picked = True
            self.hands[seat] |= set(self.skat)
            self.step = "discard"
        elif kind == "hand":
            self.step = "announce"
        elif kind == "discard":
            self.hands[seat].remove(what)
            self.discards.append(what)
            if len(self.discards) == 2:
                self.step = "announce"
        elif kind == "announce":
            self.contract = contract_of(action[1:], not self.picked)
            self.turn = self.leader = self.order[0]
            self.step = "play"
        else:
            self.lay(what)

    def lay(self, card: str) -> None:
        assert self.contract
        self.hands[self.turn].remove(card)
        self.laid.append(card)
        if len(self.laid) < 3:
            self.turn = self.after(self.turn)
            return
        best = 0
        for place in (1, 2):
            if beats(self.laid[place], self.laid[best], self.contract.kind):
                best = place
        winner = self.order[(self.order.index(self.leader) + best) % 3]
        self.tricks.append(Trick(self.leader, tuple(self.laid), winner))
        self.laid = []
        self.leader = self.turn = winner
        caught = self.contract.kind == "null" and winner == self.soloist and self.rules["null_ends"] == "at_once"
        if len(self.tricks) == 10 or caught:
            self.finish(self.result())

    def standing(self) -> tuple[int, int, int]:
        """The soloist's points, with the two cards that were out of play; his tricks, and those of the others."""
        own = [trick for trick in self.tricks if trick.winner == self.soloist]
        points = points_of(card for trick in own for card in trick.cards)
        points += points_of(self.discards if self.picked else self.skat)
        return points, len(own), len(self.tricks) - len(own)

    def result(self) -> Result:
        assert self.soloist is not None
        assert self.contract
        cards = set(self.dealt[self.soloist])
        if self.picked or self.rules["skat_matadors"] == "yes":
            cards |= set(self.skat)
        return settle(self.contract, self.bid, cards, *self.standing(), self.rules)

    def finish(self, result: Result | None) -> None:
        if result is None:
            self.events["passed in"] += 1
        else:
            assert self.soloist is not None
            assert self.contract
            self.scores[self.soloist] += result.score
            self.events[self.contract.kind + (" won" if result.score > 0 else " lost")] += 1
            self.events["hand" if self.contract.hand else "with the skat"] += 1
            self.events.update(result.factors)
            self.events["overbid"] += result.overbid
            self.events["promise broken"] += not result.made and self.standing()[0] > 60
        self.history.append(
            {
                "soloist": self.soloist,
                "dealer": self.dealer,
                "out": self.dealer if self.players == 4 else None,
                "bid": self.bid,
                "contract": self.contract,
                "result": result,
                "standing": self.standing() if result else None,
                "tricks": list(self.tricks),
                "skat": list(self.skat),
            }
        )
        self.end_deal(result)

    def end_deal(self, result: Result | None) -> None:
        """A deal that all have passed is dealt again; after any other the deal goes round."""
        again = result is None and self.deals > 1 and self.rules["passed_in"] == "redealt"
        if again and self.redeals < int(self.rules["most_redeals"]):
            self.redeals += 1
        else:
            self.done += 1
            self.dealer = (self.dealer + 1) % self.players
        self.turn, self.step = -1, "over" if self.done == self.deals else "deal"


def words(contract: Contract) -> Action:
    """A contract in words; that it is played from the hand is known by then."""
    return tuple([contract.kind] + [contract.promise] * bool(contract.promise) + ["ouvert"] * contract.ouvert)


def contract_of(said: Action, hand: bool) -> Contract:
    promise = next((word for word in said if word in ("schneider", "schwarz")), "")
    return Contract(said[0], hand, promise, "ouvert" in said)
