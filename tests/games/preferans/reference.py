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
MISERE, MISERE_DARK, NINE_DARK = "misere", "misere without talon", "nine without talon"
PRICE = {6: 20, 7: 40, 8: 60, 9: 80, 10: 100}  # into the pool, or onto the hill for every trick missing
MISERE_PRICE = 100
TRICK = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10}  # whists for a trick
DUTY = {6: 4, 7: 2, 8: 1, 9: 1, 10: 0}  # tricks the defenders owe in all
OWN = {6: 2, 7: 1, 8: 1, 9: 1}  # tricks written without play
ALL_PASS = (10, 20, 40)

Action = tuple[str, ...]


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


def write_contract(
    level: int,
    declarer: int,
    defenders: tuple[int, int],
    taken: int,
    tricks: tuple[int, int],
    whisting: str,
    invited: bool = True,
) -> list[Entry]:
    """Write a contract that was played.

    `taken` are the declarer's tricks, `tricks` those of the defenders in the order in which they spoke; `whisting` is
    "both", "first" or "second". A single whister answers for all tricks of the defence.
    """
    first, second = defenders
    found: list[Entry] = []
    missing = level - taken
    total = sum(tricks)
    assert taken + total == 10
    if missing <= 0:
        found.append(Entry("pool", declarer, declarer, PRICE[level], "contract"))
    else:
        found.append(Entry("hill", declarer, declarer, missing * PRICE[level], "down"))
    if whisting == "both":
        for seat, own in zip(defenders, tricks):
            found.append(Entry("whists", seat, declarer, own * TRICK[level], "tricks"))
    else:
        whister = first if whisting == "first" else second
        found.append(Entry("whists", whister, declarer, total * TRICK[level], "tricks"))
        if missing > 0 and invited:
            found.append(Entry("whists", whister, declarer, missing * TRICK[level], "invitation"))
    if missing > 0:
        for seat in defenders:
            found.append(Entry("whists", seat, declarer, missing * TRICK[level], "missing"))
    short = DUTY[level] - total
    if short > 0:
        if whisting != "both":
            found.append(Entry("hill", whister, declarer, short * PRICE[level], "duty"))
        elif DUTY[level] == 1:
            found.append(Entry("hill", second, declarer, PRICE[level], "duty"))
        else:
            each = DUTY[level] // 2
            for seat, own in zip(defenders, tricks):
                # no more than the defence as a whole is short of
                found.append(Entry("hill", seat, declarer, min(short, max(each - own, 0)) * PRICE[level], "duty"))
    return [entry for entry in found if entry.amount]


def write_misere(declarer: int, taken: int) -> list[Entry]:
    if taken:
        return [Entry("hill", declarer, declarer, taken * MISERE_PRICE, "misere down")]
    return [Entry("pool", declarer, declarer, MISERE_PRICE, "misere")]


def write_all_pass(tricks: dict[int, int], price: int) -> list[Entry]:
    found = []
    for seat, taken in tricks.items():
        if taken:
            found.append(Entry("hill", seat, seat, taken * price, "all pass"))
        else:
            found.append(Entry("pool", seat, seat, price, "no trick"))
    return found


def talon_bonus(talon: list[str]) -> int:
    """Tricks for which the dealer, the talon's host, writes whists on who takes it."""
    first, second = sorted(talon, key=rank, reverse=True)
    if first[0] == second[0] == "A":
        return 3
    if first[1] == second[1] and first[0] + second[0] == "AK":
        return 2
    if first[0] == "A" or (first[1] == second[1] and first[0] + second[0] == "KQ"):
        return 1
    return 0


class Sheet:
    """Pools, hills and whists of a table; a pool of size 0 never closes."""

    def __init__(self, players: int, size: int = 0) -> None:
        self.players, self.size = players, size
        self.pool = [Fraction(0)] * players
        self.hill = [Fraction(0)] * players
        self.whists = [[Fraction(0)] * players for _ in range(players)]

    def closed(self, seat: int) -> bool:
        return bool(self.size) and self.pool[seat] >= self.size

    @property
    def all_closed(self) -> bool:
        return all(self.closed(seat) for seat in range(self.players))

    def win(self, seat: int, amount: Fraction | int) -> None:
        """Write a gain into the pool, or as help to others who write nothing for it but owe whists."""
        rest = Fraction(amount)
        if not self.size:
            self.pool[seat] += rest
            return
        here = seat
        while rest and not self.all_closed:
            if self.closed(here):
                open_ones = [self.clockwise(seat, k) for k in range(1, self.players)]
                open_ones = [other for other in open_ones if not self.closed(other)]
                here = max(open_ones, key=lambda other: self.pool[other])  # the first of equals
            part = min(rest, self.size - self.pool[here])
            self.pool[here] += part
            if here != seat:
                self.whists[seat][here] += part
            rest -= part

    def clockwise(self, seat: int, steps: int) -> int:
        return (seat + steps) % self.players

    def write(self, entries: list[Entry], scale: Fraction = Fraction(1)) -> None:
        for entry in entries:
            amount = entry.amount * scale
            if entry.where == "pool":
                self.win(entry.seat, amount)
            elif entry.where == "hill":
                self.hill[entry.seat] += amount
            else:
                self.whists[entry.seat][entry.on] += amount


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

    Seats here are places: 0 is the eldest hand, 2 the dealer (or, with four, the player before him).
    """

    def __init__(self, host: bool = False, dummy: int | None = None) -> None:
        self.host = host  # the dealer sits out: the talon's cards compete when all pass
        self.dummy = dummy  # the place that always passes and is always invited
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
        self.dealt = [set(hand) for hand in hands]
        self.talon = list(talon)
        self.passed = set() if self.dummy is None else {self.dummy}
        self.said: dict[int, str] = {}
        self.high = ""
        self.declarer: int | None = None
        self.dark = False  # without the talon
        self.contract = ""
        self.discards: list[str] = []
        self.whist: dict[int, str] = {}
        self.how = ""  # "own", "closed", "open"; "both" where nobody is asked
        self.tricks: list[Trick] = []
        self.laid: list[str] = []
        self.trump = ""
        self.leader = 0
        self.turn, self.step = 0, "bid"
        if self.turn in self.passed:
            self.next_bidder()

    # -- the auction ---------------------------------------------------------------------------------------

    def calls(self) -> set[str]:
        seat = self.turn
        found = {bid for bid in BIDS if not self.high or order(bid) > order(self.high)}
        if self.high in (MISERE_DARK, NINE_DARK):
            found = {bid for bid in found if bid.startswith("10")}
        if seat not in self.said and (not self.high or order(MISERE) > order(self.high)):
            found.add(MISERE)
        if self.said.get(seat) in (MISERE, MISERE_DARK):
            # who has called misère stands by it
            found = {MISERE_DARK} if self.high.startswith("9") else set()
        elif self.high == MISERE_DARK:
            found.add(NINE_DARK)
        return found

    def next_bidder(self) -> None:
        if len(self.passed) == 3:
            self.step, self.turn = "play", 0
            self.events["all pass"] += 1
            return
        if len(self.passed) == 2 and self.high:
            self.sold()
            return
        self.turn = (self.turn + 1) % 3
        while self.turn in self.passed:
            self.turn = (self.turn + 1) % 3

    def sold(self) -> None:
        (self.declarer,) = {0, 1, 2} - self.passed
        self.turn = self.declarer
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
            self.whist = dict.fromkeys(self.defenders, "whist")
            self.begin_play()
            return
        self.step = "whist"
        self.next_whister()

    def next_whister(self) -> None:
        if self.dummy in self.defenders:
            self.whist[self.dummy] = "pass"  # type: ignore[index]
        for seat in self.defenders:
            if seat not in self.whist:
                self.turn = seat
                return
        said = [self.whist[seat] for seat in self.defenders]
        if said == ["pass", "pass"]:
            self.events["nobody whists"] += 1
            self.finish()
        elif said == ["whist", "whist"]:
            self.begin_play()
        else:
            self.turn = self.defenders[said.index("whist")]
            self.step = "how"

    # -- play ----------------------------------------------------------------------------------------------

    def begin_play(self) -> None:
        self.turn, self.step = 0, "play"

    @property
    def shown(self) -> str:
        """The card of the talon that shows the suit of this trick."""
        return self.talon[len(self.tricks)] if self.declarer is None and len(self.tricks) < 2 else ""

    def legal(self) -> set[Action]:
        hand = self.hands[self.turn]
        if self.step == "bid":
            return {("pass",)} | {("bid", call) for call in self.calls()}
        if self.step == "discard":
            return {("discard", card) for card in hand}
        if self.step == "contract":
            return {("contract", bid) for bid in self.contracts()}
        if self.step == "whist":
            return {("whist",), ("pass",)}
        if self.step == "how":
            return {("own",), ("closed",), ("open",)}
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
        if self.step == "whist":
            self.whist[seat] = kind
            self.next_whister()
        elif kind == "pass":
            self.passed.add(seat)
            self.next_bidder()
        elif kind == "bid":
            self.said[seat] = self.high = what
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
            self.how = kind
            self.events[kind] += 1
            if kind == "own":
                self.finish()
            else:
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
        places = [(self.leader + k) % 3 for k in range(3)]
        field = list(zip(places, self.laid))
        if shown and self.host:
            field.append((3, shown))  # the dealer
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
        return {seat: sum(trick.winner == seat for trick in self.tricks) for seat in range(4 if self.host else 3)}

    def entries(self, price: int = ALL_PASS[0]) -> list[Entry]:
        """What this deal puts on the sheet, by places."""
        taken = self.taken()
        if self.declarer is None:
            return write_all_pass(taken, price)
        found: list[Entry]
        level, declarer = self.level, self.declarer
        if self.contract == MISERE:
            found = write_misere(declarer, taken[declarer])
        else:
            first, second = self.defenders
            said = [self.whist[seat] for seat in self.defenders]
            if said == ["pass", "pass"] or self.how == "own":
                found = [Entry("pool", declarer, declarer, PRICE[level], "contract")]
                if self.how == "own":
                    whister = self.defenders[said.index("whist")]
                    found.append(Entry("whists", whister, declarer, OWN[level] * TRICK[level], "own"))
            else:
                whisting = "both" if said == ["whist", "whist"] else ("first", "second")[said.index("whist")]
                found = write_contract(
                    level, declarer, self.defenders, taken[declarer], (taken[first], taken[second]), whisting
                )
        if self.host and not self.dark and self.contract != MISERE:
            bonus = talon_bonus(self.talon) * TRICK[level]
            if bonus:
                found.append(Entry("whists", 3, declarer, bonus, "talon"))
        if self.host and self.contract != MISERE and self.tricks and taken[declarer] < level:
            missing = level - taken[declarer]
            found.append(Entry("whists", 3, declarer, missing * TRICK[level], "missing"))
        return found
