"""Preferans, slow and plain: the oracle for the compiled games.

Written from the text alone: cards are words, actions are words, every trick is kept, and all is written down from the
tricks when a deal is over.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

SUITS = "SCDH"  # low to high in the auction
RANKS = "789TJQKA"  # low to high
PACK = [rank + suit for suit in SUITS for rank in RANKS]
STRAINS = [*SUITS, "NT"]
BIDS = [f"{level}{strain}" for level in range(6, 11) for strain in STRAINS]
ALL_TYPES = {"6", "7", "8", "9", "10", "misere"}
MISERE, MISERE_DARK, NINE_DARK = "misere", "misere without talon", "nine without talon"

Action = tuple[str, ...]
Rules = dict[str, int | str]
COMMON: Rules = {
    "pool": 200,  # 0: a single deal
    "most_deals": 200,
    "game_value": 20,  # of six; seven is worth twice as much, and so on
    "whist_value": 2,  # for a trick against six; likewise
    "misere": 100,
    "jumps": "yes",
    "misere_bid": "first",  # or "any"
    "misere_opens": "at_once",  # or "after_lead"
    "duty_6": 4,  # tricks the defenders owe in all
    "duty_7": 2,
    "duty_8": 1,
    "duty_9": 1,
    "responsible": "second",  # for one trick owed by two
    "shortfall": "together",  # or "own"
    "consolation": "both",  # or "whisters"
    "invitation": "yes",
    "own": "yes",
    "surplus": "hill",  # or "lost", "whole"
    "blind_bidding": "no",
    "blind_doubles": "all",  # or "declarer"
    "all_types": "no",
    "passed_out": "played",  # or "redealt"
    "all_pass_deals": 3,
}
ALL_PASS: Rules = {
    "all_pass": 10,
    "progression": "double",  # or "add", "none"
    "all_pass_talon": "shows",  # or "takes", "unseen"
    "forced_circles": 0,
    "forced_prices": "single",  # or "by_circle"
    "ladder": "no",
    "winnings": "pool",  # or "half_hill"
}
DEALERS: Rules = {
    "talon_ace": 1,
    "talon_marriage": 1,
    "talon_ace_king": 2,
    "talon_two_aces": 3,
    "talon_misere": "no",
    "dealer_clean": "no",
}
DEFAULTS: dict[str, Rules] = {
    "preferans": COMMON | ALL_PASS | {"players": 3},
    "preferans-four-handed": COMMON | ALL_PASS | DEALERS | {"players": 4, "all_pass_talon": "takes"},
    "preferans-hussar": COMMON
    | {"players": 2, "passed_out": "redealt", "dummy_seat": "second", "halving": "settlement"},
    "preferans-classical": COMMON
    | ALL_PASS
    | {"players": 3, "forced_circles": 2, "ladder": "yes", "winnings": "half_hill"},
}


class Trick(NamedTuple):
    """Cards in the order in which they were played; the talon's card, if it showed the suit, apart."""

    leader: int
    cards: tuple[str, ...]
    shown: str
    winner: int


def rank(card: str) -> int:
    return RANKS.index(card[0])


def beats(new: str, best: str, trump: str) -> bool:
    if new[1] == best[1]:
        return rank(new) > rank(best)
    return new[1] == trump


def replies(hand: set[str], suit: str, trump: str) -> set[str]:
    """Follow; who cannot must trump, not necessarily higher; who cannot do that either plays anything."""
    for wanted in (suit, trump):
        kept = {card for card in hand if card[1] == wanted}
        if kept:
            return kept
    return set(hand)


def order(bid: str) -> int:
    """Place of a call in the row of calls: misère above all eights, without the talon above all nines."""
    row = BIDS[:15] + [MISERE] + BIDS[15:20] + [MISERE_DARK, NINE_DARK] + BIDS[20:]
    return row.index(bid)


class Entry(NamedTuple):
    """A line written on the sheet: where, by whom, on whom, how much and what for."""

    where: str  # "pool", "hill" or "whists"
    seat: int
    on: int
    amount: int
    why: str
    times: int = 1  # the amount is so many times a price; halves are taken of the price


def price(level: int, rules: Rules) -> int:
    """What a contract brings into the pool, and what every trick missing costs."""
    return int(rules["game_value"]) * (level - 5)


def whists(level: int, rules: Rules) -> int:
    """For a trick."""
    return int(rules["whist_value"]) * (level - 5)


def duty(level: int, rules: Rules) -> int:
    """Tricks that the defence owes in all; none against ten."""
    return int(rules.get(f"duty_{level}", 0))


def own_share(level: int, rules: Rules) -> int:
    """Tricks for which a whister may write whists without play: half of what two owe, a broken half as a whole."""
    return (duty(level, rules) + 1) // 2


def write_contract(
    level: int,
    declarer: int,
    defenders: tuple[int, int],
    taken: int,
    tricks: tuple[int, int],
    whisting: str,
    rules: Rules = COMMON,
) -> list[Entry]:
    """Write a contract that was played.

    `taken` are the declarer's tricks, `tricks` those of the defenders in the order in which they spoke; `whisting` is
    "both", "first" or "second". A single whister answers for all tricks of the defence.
    """
    first, second = defenders
    found: list[Entry] = []
    missing = level - taken
    total = sum(tricks)
    each, value = whists(level, rules), price(level, rules)
    assert taken + total == 10
    if missing <= 0:
        found.append(Entry("pool", declarer, declarer, value, "contracts"))
    else:
        found.append(Entry("hill", declarer, declarer, missing * value, "contracts", missing))
    whisters = defenders if whisting == "both" else (first,) if whisting == "first" else (second,)
    if whisting == "both":
        for seat, own in zip(defenders, tricks):
            found.append(Entry("whists", seat, declarer, own * each, "tricks", own))
    else:
        (whister,) = whisters
        found.append(Entry("whists", whister, declarer, total * each, "tricks", total))
        if missing > 0 and rules["invitation"] == "yes":
            found.append(Entry("whists", whister, declarer, missing * each, "invitation", missing))
    if missing > 0:
        for seat in defenders if rules["consolation"] == "both" else whisters:
            found.append(Entry("whists", seat, declarer, missing * each, "missing", missing))
    owed = duty(level, rules)
    short = owed - total
    if short > 0 and len(whisters) == 1:
        found.append(Entry("hill", whisters[0], declarer, short * value, "whisting", short))
    elif short > 0:
        shares = {first: owed // 2, second: owed // 2}
        # one trick cannot be shared
        shares[second if rules["responsible"] == "second" else first] += owed % 2
        for seat, own in zip(defenders, tricks):
            lacking = max(shares[seat] - own, 0)
            if rules["shortfall"] == "together":  # no more than the defence as a whole is short of
                lacking = min(lacking, short)
            found.append(Entry("hill", seat, declarer, lacking * value, "whisting", lacking))
    return [entry for entry in found if entry.amount]


def write_misere(declarer: int, taken: int, rules: Rules = COMMON) -> list[Entry]:
    value = int(rules["misere"])
    if taken:
        return [Entry("hill", declarer, declarer, taken * value, "misere", taken)]
    return [Entry("pool", declarer, declarer, value, "misere")]


def write_all_pass(tricks: dict[int, int], trick_price: int) -> list[Entry]:
    found = []
    for seat, taken in tricks.items():
        if taken:
            found.append(Entry("hill", seat, seat, taken * trick_price, "all_pass", taken))
        else:
            found.append(Entry("pool", seat, seat, trick_price, "all_pass"))
    return found


def talon_bonus(talon: list[str], rules: Rules = DEALERS) -> int:
    """Tricks for which the dealer, the talon's host, writes whists on who takes it."""
    first, second = sorted(talon, key=rank, reverse=True)
    if first[0] == second[0] == "A":
        return int(rules["talon_two_aces"])
    if first[1] == second[1] and first[0] + second[0] == "AK":
        return int(rules["talon_ace_king"])
    if first[0] == "A":
        return int(rules["talon_ace"])
    if first[1] == second[1] and first[0] + second[0] == "KQ":
        return int(rules["talon_marriage"])
    return 0


class Sheet:
    """Pools, hills and whists of a table; a pool of size 0 never closes."""

    def __init__(self, players: int, rules: Rules | None = None) -> None:
        self.players = players
        self.rules = COMMON | ALL_PASS | {"pool": 0} | (rules or {})
        self.size = int(self.rules["pool"])
        self.pool = [Fraction(0)] * players
        self.hill = [Fraction(0)] * players
        self.whists = [[Fraction(0)] * players for _ in range(players)]
        self.types: list[set[str]] = [set() for _ in range(players)]
        self.sources: Counter[tuple[str, int]] = Counter()

    def closed(self, seat: int) -> bool:
        if not self.size or self.pool[seat] < self.size:
            return False
        return self.rules["all_types"] == "no" or self.types[seat] == ALL_TYPES

    @property
    def all_closed(self) -> bool:
        return all(self.closed(seat) for seat in range(self.players))

    def others(self, seat: int) -> list[int]:
        """The others, clockwise."""
        return [(seat + steps) % self.players for steps in range(1, self.players)]

    def add(self, where: str, seat: int, on: int, amount: Fraction, why: str) -> None:
        if where == "pool":
            self.pool[seat] += amount
        elif where == "hill":
            self.hill[seat] += amount
        else:
            self.whists[seat][on] += amount
        self.sources[f"{where}_{why}", seat] += amount  # type: ignore[assignment]

    def win(self, seat: int, amount: Fraction, why: str) -> None:
        """Write a gain: into the pool, or half of it there and half off the hill."""
        if self.rules["winnings"] == "half_hill":
            half = Fraction(amount // 2)
            # where nobody has a hill all goes into the pool
            amount = amount - half + self.clear(seat, half)
        self.fill(seat, amount, why)

    def fill(self, seat: int, rest: Fraction, why: str) -> None:
        """Fill the own pool; what is over helps others, whose pools it goes to and who owe whists for it."""
        if not self.size:
            self.add("pool", seat, seat, rest, why)
            return
        part = self.room(seat, rest)
        self.add("pool", seat, seat, part, why)
        rest -= part
        while rest:
            open_ones = [other for other in self.others(seat) if self.pool[other] < self.size]
            if not open_ones:
                break
            helped = max(open_ones, key=lambda other: self.pool[other])  # the first of equals
            part = self.room(helped, rest)
            self.add("pool", helped, helped, part, "help")
            self.add("whists", seat, helped, part, "help")
            rest -= part
        if rest and self.rules["surplus"] != "lost":
            self.add("hill", seat, seat, -rest, "off")

    def room(self, seat: int, amount: Fraction) -> Fraction:
        """How much of a gain goes into a pool."""
        if self.pool[seat] >= self.size:
            return Fraction(0)
        return amount if self.rules["surplus"] == "whole" else min(amount, self.size - self.pool[seat])

    def clear(self, seat: int, rest: Fraction) -> Fraction:
        """Take a gain off the own hill, what is over off the smallest of the other hills; return what is still over."""
        part = max(min(rest, self.hill[seat]), Fraction(0))
        self.add("hill", seat, seat, -part, "off")
        rest -= part
        while rest:
            loaded = [other for other in self.others(seat) if self.hill[other] > 0]
            if not loaded:
                break
            helped = min(loaded, key=lambda other: self.hill[other])
            part = min(rest, self.hill[helped])
            self.add("hill", helped, helped, -part, "off")
            self.add("whists", seat, helped, part, "help")
            rest -= part
        return rest

    def write(self, entries: list[Entry], scale: Fraction = Fraction(1), halved: bool = False) -> None:
        """Write entries at a scale; `halved`: pool and hill by halves once more. Broken halves are rounded up."""
        for entry in entries:
            amount = Fraction(entry.times * upward(Fraction(entry.amount, entry.times or 1) * scale))
            if halved and entry.where != "whists":
                amount = Fraction(upward(amount / 2))
            if entry.where == "pool":
                self.win(entry.seat, amount, entry.why)
            else:
                self.add(entry.where, entry.seat, entry.on, amount, entry.why)


def upward(value: Fraction) -> int:
    return -int(-value // 1)


def nearest(value: Fraction) -> int:
    """The nearest whole number, halves up."""
    return int((value + Fraction(1, 2)) // 1)


def pairs(hill: list[Fraction], whists: list[list[Fraction]]) -> list[list[Fraction]]:
    """Whists of everybody on everybody, with the hills after the amnesty in them."""
    players = len(hill)
    least = min(hill)
    left = [seat_hill - least for seat_hill in hill]
    return [
        [
            Fraction(0) if seat == other else whists[seat][other] + nearest(left[other] / players)
            for other in range(players)
        ]
        for seat in range(players)
    ]


def settle(sheet: Sheet, stopped: bool = False) -> list[Fraction]:
    """What everybody has won in the end; of a game that was stopped the pools are taken off the hills first."""
    hill = [seat_hill - pool if stopped else seat_hill for seat_hill, pool in zip(sheet.hill, sheet.pool)]
    table = pairs(hill, sheet.whists)
    seats = range(sheet.players)
    return [sum((table[seat][other] - table[other][seat] for other in seats), Fraction(0)) for seat in seats]


class Preferans:
    """One deal for three: `deal` puts the cards, `apply` carries out an action in words.

    Seats here are chairs: 0 is the eldest hand. With four at the table the dealer has no hand; the talon is his.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        dummy: int | None = None,
        forced: bool = False,
    ) -> None:
        self.rules = DEFAULTS["preferans"] | (rules or {})
        self.host = self.rules["players"] == 4
        self.dummy = dummy  # the chair that always passes and is always invited
        self.forced = forced  # all have to pass
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        return self.step == "over"

    def deal(self, hands: list[list[str]], talon: list[str]) -> None:
        assert sorted(sum(hands, []) + talon) == sorted(PACK)
        assert [len(hand) for hand in hands] == [10, 10, 10]
        self.hands = [set(hand) for hand in hands]
        self.talon = list(talon)
        self.passed = set() if self.dummy is None else {self.dummy}
        self.unseen = {0, 1, 2} if self.rules["blind_bidding"] == "yes" else set()
        self.said: dict[int, list[str]] = {0: [], 1: [], 2: []}
        self.high = ""
        self.declarer: int | None = None
        self.blind = False  # the auction was won by somebody who had not looked
        self.dark = False  # without the talon
        self.contract = ""
        self.discards: list[str] = []
        self.whist: dict[int, str] = {}
        self.how = ""  # "own", "closed", "open"; nothing where nobody is asked
        self.tricks: list[Trick] = []
        self.laid: list[str] = []
        self.trump = ""
        self.leader = 0
        if self.forced:
            self.passed = {0, 1, 2}
            self.all_pass()
            return
        self.turn = 0 if self.dummy != 0 else 1
        self.begin_turn()

    # -- the auction ---------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        self.step = "look" if self.turn in self.unseen else "bid"

    def calls(self) -> set[str]:
        said = self.said[self.turn]
        if MISERE in said:  # who has called misère stands by it
            answers = self.high.startswith("9") and MISERE_DARK not in said
            return {MISERE_DARK} if answers else set()
        found = [bid for bid in BIDS if not self.high or order(bid) > order(self.high)]
        if self.rules["jumps"] == "no":
            found = found[:1]
        if self.high == MISERE_DARK:
            found.append(NINE_DARK)
        may = not said or self.rules["misere_bid"] == "any"
        if may and (not self.high or order(MISERE) > order(self.high)):
            found.append(MISERE)
        return set(found)

    def next_bidder(self) -> None:
        if len(self.passed) == 3:
            self.all_pass()
            return
        if len(self.passed) == 2 and self.high:
            self.sold()
            return
        self.turn = (self.turn + 1) % 3
        while self.turn in self.passed:
            self.turn = (self.turn + 1) % 3
        self.begin_turn()

    def all_pass(self) -> None:
        self.events["forced" if self.forced else "all pass"] += 1
        if self.rules["passed_out"] == "redealt" and not self.forced:
            self.finish()
        else:
            self.begin_play()

    def sold(self) -> None:
        (self.declarer,) = {0, 1, 2} - self.passed
        self.turn = self.declarer
        self.blind = self.declarer in self.unseen
        self.unseen = set()
        self.events["blind"] += self.blind
        self.dark = self.high in (MISERE_DARK, NINE_DARK)
        if self.dark:
            self.after_talon()
        else:
            self.hands[self.declarer] |= set(self.talon)
            self.step = "discard"

    def after_talon(self) -> None:
        if self.high in (MISERE, MISERE_DARK):
            self.contract = MISERE
            self.begin_play()
        else:
            self.step = "contract"

    def contracts(self) -> set[str]:
        low = "9S" if self.high == NINE_DARK else self.high
        return {bid for bid in BIDS if order(bid) >= order(low)}

    # -- whist or pass -------------------------------------------------------------------------------------

    @property
    def defenders(self) -> tuple[int, int]:
        assert self.declarer is not None
        return (self.declarer + 1) % 3, (self.declarer + 2) % 3

    @property
    def level(self) -> int:
        return 0 if self.contract == MISERE else int(self.contract.rstrip("SCDHNT"))

    def name(self, contract: str) -> None:
        self.contract = contract
        self.trump = contract[-1] if not contract.endswith("NT") else ""
        if self.level == 10:
            self.whist = {seat: "pass" if seat == self.dummy else "whist" for seat in self.defenders}
            self.how = "open" if self.dummy in self.defenders else ""
            self.begin_play()
            return
        self.step = "whist"
        self.next_whister()

    def next_whister(self) -> None:
        for seat in self.defenders:
            if seat == self.dummy:
                self.whist[seat] = "pass"
            if seat not in self.whist:
                self.turn = seat
                return
        said = [self.whist[seat] for seat in self.defenders]
        if said == ["pass", "pass"]:
            self.events["nobody whists"] += 1
            self.finish()
        elif "own" in said:
            self.take_own()
        elif said == ["whist", "whist"]:
            self.begin_play()
        else:
            self.turn = self.defenders[said.index("whist")]
            self.step = "how"
            if len(self.legal()) == 1:  # the dummy's cards lie open in any case
                self.apply(*self.legal())

    def may_own(self) -> bool:
        """Who whists alone may take his own whists; in one go if the other has passed before him."""
        if self.rules["own"] == "no":
            return False
        other_passed = all(self.whist.get(seat) == "pass" for seat in self.defenders if seat != self.turn)
        if self.step == "whist":
            return other_passed
        return self.turn == self.defenders[0]

    def take_own(self) -> None:
        self.how = "own"
        self.events["own"] += 1
        self.finish()

    # -- play ----------------------------------------------------------------------------------------------

    def begin_play(self) -> None:
        self.turn, self.step = 0, "play"

    @property
    def shown(self) -> str:
        """The card of the talon that shows the suit of this trick."""
        if self.declarer is None and len(self.tricks) < 2 and self.rules["all_pass_talon"] != "unseen":
            return self.talon[len(self.tricks)]
        return ""

    def decider(self) -> int:
        """Who chooses for the chair whose turn it is: with open cards the whister for the other too."""
        if self.step == "play" and self.declarer is not None and self.turn in self.defenders:
            if self.dummy in self.defenders:
                return next(seat for seat in self.defenders if seat != self.dummy)
            if self.how == "open" and (self.tricks or self.laid):  # they are laid open after the first card
                return next(seat for seat in self.defenders if self.whist[seat] == "whist")
        return self.turn

    def legal(self) -> set[Action]:
        hand = self.hands[self.turn]
        if self.step == "look":
            return {("look",), ("stay",)}
        if self.step == "bid":
            return {("pass",)} | {("bid", call) for call in self.calls()}
        if self.step == "discard":
            return {("discard", card) for card in hand}
        if self.step == "contract":
            return {("contract", bid) for bid in self.contracts()}
        if self.step in ("whist", "how"):
            found: set[Action] = {("own",)} if self.may_own() else set()
            if self.step == "whist":
                return found | {("whist",), ("pass",)}
            return found | ({("open",)} if self.dummy in self.defenders else {("closed",), ("open",)})
        assert self.step == "play"
        if self.shown:
            return {("play", card) for card in replies(hand, self.shown[1], "")}
        if self.laid:
            return {("play", card) for card in replies(hand, self.laid[0][1], self.trump)}
        return {("play", card) for card in hand}

    def apply(self, action: Action) -> None:
        assert action in self.legal(), (action, self.legal())
        kind, what = action[0], action[-1]
        seat = self.turn
        if self.step == "look":
            if kind == "look":
                self.unseen.remove(seat)
            self.step = "bid"
        elif self.step == "whist":
            self.whist[seat] = kind
            self.next_whister()
        elif kind == "pass":
            self.passed.add(seat)
            self.next_bidder()
        elif kind == "bid":
            self.said[seat].append(what)
            self.high = what
            self.events[what] += 1
            self.next_bidder()
        elif kind == "discard":
            self.hands[seat].remove(what)
            self.discards.append(what)
            if len(self.discards) == 2:
                self.after_talon()
        elif kind == "contract":
            self.name(what)
        elif self.step == "how":
            if kind == "own":
                self.take_own()
                return
            self.how = kind
            self.events[kind] += 1
            self.begin_play()
        else:
            self.lay(what)

    def lay(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.laid.append(card)
        if len(self.laid) < 3:
            self.turn = (self.turn + 1) % 3
            return
        shown = self.shown
        suit = shown[1] if shown else self.laid[0][1]
        field = [((self.leader + k) % 3, laid) for k, laid in enumerate(self.laid)]
        if shown and self.rules["all_pass_talon"] == "takes":
            field.append((3, shown))
        valid = [(place, laid) for place, laid in field if laid[1] in (suit, self.trump)]
        winner, best = valid[0]
        for place, laid in valid[1:]:
            if beats(laid, best, self.trump):
                winner, best = place, laid
        self.tricks.append(Trick(self.leader, tuple(self.laid), shown, winner))
        self.laid = []
        # after the talon's cards the eldest hand leads
        self.leader = 0 if shown else winner
        self.turn = self.leader
        if len(self.tricks) == 10:
            self.finish()

    def finish(self) -> None:
        self.step, self.turn = "over", -1

    # -- what is written -----------------------------------------------------------------------------------

    def taken(self) -> dict[int, int]:
        """Tricks by chair; 3 is the talon."""
        return {seat: sum(trick.winner == seat for trick in self.tricks) for seat in range(4)}

    @property
    def whisters(self) -> list[int]:
        return [seat for seat in self.defenders if self.whist[seat] == "whist"]

    @property
    def unplayed(self) -> bool:
        """Nobody whists, or who does takes his own: the contract counts as made."""
        return self.declarer is not None and not self.tricks

    @property
    def made(self) -> bool:
        if self.declarer is None:
            return False
        taken = self.taken()[self.declarer]
        return taken == 0 if self.contract == MISERE else self.unplayed or taken >= self.level

    def entries(self, trick_price: int = 10) -> list[Entry]:
        """What this deal puts on the sheet, by chairs; 3 is the dealer who has no hand."""
        rules, taken = self.rules, self.taken()
        if self.declarer is None:
            if not self.tricks:
                return []
            avoided = {seat: taken[seat] for seat in range(3)}
            if self.host and (taken[3] or (rules["dealer_clean"] == "yes" and rules["all_pass_talon"] == "takes")):
                avoided[3] = taken[3]
            return write_all_pass(avoided, trick_price)
        level, declarer = self.level, self.declarer
        found: list[Entry]
        if self.contract == MISERE:
            found = write_misere(declarer, taken[declarer], rules)
        elif self.unplayed:
            found = [Entry("pool", declarer, declarer, price(level, rules), "contracts")]
            if self.how == "own":
                (whister,) = (seat for seat in self.defenders if self.whist[seat] != "pass")
                share = own_share(level, rules)
                found.append(Entry("whists", whister, declarer, share * whists(level, rules), "own", share))
        else:
            first, second = self.defenders
            whisting = "both" if len(self.whisters) == 2 else ("first", "second")[self.whisters[0] == second]
            tricks = (taken[first], taken[second])
            found = write_contract(level, declarer, self.defenders, taken[declarer], tricks, whisting, rules)
        if self.host and not self.dark:
            bonus = talon_bonus(self.talon, rules)
            if self.contract != MISERE:
                found.append(Entry("whists", 3, declarer, bonus * whists(level, rules), "talon", bonus))
            elif rules["talon_misere"] == "yes":
                found.append(Entry("whists", 3, declarer, bonus * whists(10, rules), "talon", bonus))
        if self.host and self.contract != MISERE and not self.made:
            missing = level - taken[declarer]
            found.append(Entry("whists", 3, declarer, missing * whists(level, rules), "missing", missing))
        return found


class Game:
    """A game of several deals at one table, with its sheet; player numbers are seats, the last of them deals first."""

    def __init__(self, game: str, rules: Rules | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS[game])
        self.rules = DEFAULTS["preferans"] | DEFAULTS[game] | (rules or {})
        self.players = int(self.rules["players"])
        self.sheet = Sheet(self.players, self.rules)
        self.dealer = self.players - 1
        self.forced = int(self.rules["forced_circles"]) * self.players
        self.deals = 0
        self.row = 0  # deals before this one in which all have passed and the dealer stayed
        self.passed_deals = 0
        self.made_games = 0
        self.redealt = 0
        self.halved = 0
        self.over = False
        self.history: list[Preferans] = []
        self.chairs: list[list[int]] = []  # who sat where, a list a deal; 2 is the dummy with two players
        self.events: Counter[str] = Counter()
        self.current: Preferans | None = None

    def seating(self) -> tuple[list[int], int | None]:
        """The players at the three chairs, and last the dealer if he has none; and the dummy's chair."""
        if self.players > 2:
            return [(self.dealer + 1 + k) % self.players for k in range(self.players)], None
        dummy = {"first": 0, "second": 1, "third": 2}[str(self.rules["dummy_seat"])]
        people = [1 - self.dealer, self.dealer]
        people.insert(dummy, 2)
        return people, dummy

    def deal(self, hands: list[list[str]], talon: list[str]) -> None:
        assert self.current is None
        self.deals += 1
        people, dummy = self.seating()
        self.chairs.append(people)
        self.current = Preferans(self.rules, dummy, self.forced > 0)
        self.current.deal(hands, talon)

    def apply(self, action: Action) -> None:
        assert self.current
        self.current.apply(action)
        if self.current.over:
            self.finish(self.current)

    def trick_price(self) -> int:
        """What a trick costs in this deal if all pass."""
        base = int(self.rules["all_pass"])
        if self.forced:
            done = int(self.rules["forced_circles"]) * self.players - self.forced
            circle = done // self.players if self.rules["forced_prices"] == "by_circle" else 0
            return base * self.growth(circle)
        return base * self.growth(self.row)

    def growth(self, times: int) -> int:
        return {"double": 2**times, "add": 1 + times, "none": 1}[str(self.rules["progression"])]

    def finish(self, deal: Preferans) -> None:
        people = self.chairs[-1]
        entries = []
        for entry in deal.entries(self.trick_price()):
            if people[entry.seat] < self.players:  # the dummy writes nothing
                entries.append(entry._replace(seat=people[entry.seat], on=people[entry.on]))
        passed = deal.declarer is None
        redealt = passed and not deal.tricks
        self.passed_deals += passed and not redealt
        self.redealt += redealt
        self.made_games += deal.made
        if deal.made:
            assert deal.declarer is not None
            self.sheet.types[people[deal.declarer]].add(str(deal.level or MISERE))
        scale = Fraction(1)
        if self.rules["ladder"] == "yes" and self.made_games > self.passed_deals and not redealt:
            scale /= 2
            self.halved += 1
        doubled = Fraction(2 if deal.blind else 1)
        for entry in entries:
            mine = deal.declarer is not None and entry.seat == people[deal.declarer]
            times = doubled if mine or self.rules["blind_doubles"] == "all" else Fraction(1)
            self.sheet.write([entry], scale * times, self.rules.get("halving") == "entries")
        self.events += deal.events
        self.history.append(deal)
        self.current = None
        self.next_deal(passed)

    def next_deal(self, passed: bool) -> None:
        moves = True
        if self.forced:
            self.forced -= 1
        elif passed:
            self.row += 1
            moves = self.row == self.rules["all_pass_deals"]
        if moves:
            self.row = 0
            self.dealer = (self.dealer + 1) % self.players
        self.over = not self.sheet.size or self.sheet.all_closed or self.deals == self.rules["most_deals"]

    def values(self) -> list[Fraction]:
        return settle(self.sheet, stopped=not self.sheet.all_closed)
