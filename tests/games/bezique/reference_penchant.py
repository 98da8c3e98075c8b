"""Penchant in slow plain Python, written from the rules alone: the oracle for the compiled game.

Sources: CATALOGUE 2.1 (`penchant`) and the text S000 @ 17723. A card is its name, such as "QS".

Actions. declare: 0 nothing; 1 + 3 * rank + (size - 2) a group of two, three or four of a rank, the ranks 7 8 9 T J Q K
A from 0; 25 + 8 * suit + k in a suit S H D C: k = 0 K Q, 1 Q J, 2 K Q J, 3 A K Q J, 4 K Q J T, 5 A K Q J T,
6 K Q J T 9, 7 flush; 57 penchant. lay: a card. Of a group the cards that come from the hand are chosen one by one, and
the lowest card on the table stands for "the rest from the table"; of a flush the two cards beside K Q J, the
higher one first; of a penchant the queen, then the jack. Where only one choice is left it is made at once.
"""

from __future__ import annotations

from itertools import combinations

RANKS = "789TJQKA"  # low to high
SUITS = "SHDC"
MISSING = -(2**31)
HIGH = "AKQJ"

DEFAULTS: dict[str, int | str] = {
    "deals": 4,
    "double_line": 400,
    "blocking": "yes",
    "four": 100,
    "trio": 30,
    "pair": 20,
    "sequence_of_five": 250,
    "sequence_of_four": 40,
    "sequence_of_three": 30,
    "king_and_queen": 20,
    "queen_and_jack": 20,
    "flush": 50,
    "penchant": 10,
    "brisque": 10,
    "brisque_line": 6,
}
MELDS = (
    *("four", "trio", "pair", "sequence_of_five", "sequence_of_four", "sequence_of_three"),
    *("king_and_queen", "queen_and_jack", "flush", "penchant"),
)
GROUPS = {2: "pair", 3: "trio", 4: "four"}
RUNS = ("KQ", "QJ", "KQJ", "AKQJ", "KQJT", "AKQJT", "KQJT9")
RUN_MELDS = (
    *("king_and_queen", "queen_and_jack", "sequence_of_three", "sequence_of_four", "sequence_of_four"),
    *("sequence_of_five", "sequence_of_five"),
)


def name_of(code: int) -> str:
    return RANKS[code % 8] + SUITS[code // 8]


def code_of(card: str) -> int:
    return 8 * SUITS.index(card[1]) + RANKS.index(card[0])


def meld_of(action: int) -> str:
    if action == 57:
        return "penchant"
    if action < 25:
        return GROUPS[(action - 1) % 3 + 2]
    return "flush" if (action - 25) % 8 == 7 else RUN_MELDS[(action - 25) % 8]


def groups_on(table: set[str]) -> list[tuple[int, int]]:
    """(size, rank) of each group of high cards that lies on a table."""
    counts = [(sum(card[0] == rank for card in table), RANKS.index(rank)) for rank in HIGH]
    return [group for group in counts if group[0] >= 2]


def is_blocked(size: int, mine: set[str], theirs: set[str]) -> bool:
    """Whether a low group of this size is blocked by what lies on the other's table."""
    return any(group[0] >= size and all(own < group for own in groups_on(mine)) for group in groups_on(theirs))


def settle(totals: tuple[int, int], line: int = 400) -> tuple[int, bool]:
    """What the first of two totals wins, and whether the difference is doubled."""
    difference = totals[0] - totals[1]
    doubled = difference != 0 and min(totals) < line
    return difference * (2 if doubled else 1), doubled


class Penchant:
    """One game; seat 0 is the pone of the first deal."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        self.rules: dict = DEFAULTS | (rules or {})
        self.points = [0, 0]
        self.scored = {source: [0, 0] for source in (*MELDS, "late_brisques", "over_six")}
        self.count = {meld: [0, 0] for meld in MELDS}
        self.first = {meld: [MISSING, MISSING] for meld in MELDS}
        self.tricks = [0, 0]
        self.all_brisques = [0, 0]
        self.blocked = [0, 0]
        self.by_loser = [0, 0]
        self.trump_maker = [0, 0]
        self.trump_trick = MISSING
        self.deals = 0
        self.pone = 0
        self.trick = 0
        self.over = False
        self.step = "deal"

    def feed(self, deck: list[int]) -> None:
        assert self.step == "deal"
        cards = [name_of(code) for code in deck]
        self.deals += 1
        self.hand: list[set[str]] = [set(), set()]
        self.table: list[set[str]] = [set(), set()]
        for seat in (self.pone, 1 - self.pone, self.pone, 1 - self.pone):
            self.hand[seat] |= set(cards[:3])
            cards = cards[3:]
        self.stock = cards
        self.trump = ""
        self.brisques = [0, 0]
        self.led: str | None = None
        self.leader = self.turn = self.pone
        self.step = "play"

    def add(self, source: str, seat: int, points: int) -> None:
        self.points[seat] += points
        self.scored[source][seat] += points

    # -- which cards can make a declaration -------------------------------------------------------------------

    def ways(self, seat: int, action: int, blocking: bool = True) -> list[set[str]]:
        """All sets of cards, hand and table together, that make a declaration."""
        hand, table = self.hand[seat], self.table[seat]
        have = hand | table
        if action < 25:
            rank, size = RANKS[(action - 1) // 3], (action - 1) % 3 + 2
            may_block = blocking and self.rules["blocking"] == "yes" and rank not in HIGH
            if may_block and is_blocked(size, table, self.table[1 - seat]):
                return []
            sets = [set(cards) for cards in combinations([card for card in have if card[0] == rank], size)]
        elif action < 57:
            suit, kind = SUITS[(action - 25) // 8], (action - 25) % 8
            if kind < 7:
                sets = [{rank + suit for rank in RUNS[kind]}]
            else:
                sets = [
                    {rank + suit for rank in "KQJ" + one + two}
                    for one, two in combinations("AT987", 2)
                    if one + two not in ("AT", "T9")
                ]
        else:
            sets = [{"Q" + queen, "J" + jack} for queen in SUITS for jack in SUITS if queen != jack]
        return [cards for cards in sets if cards <= have and cards & hand]

    def declarations(self, seat: int, blocking: bool = True) -> set[int]:
        return {action for action in range(1, 58) if self.ways(seat, action, blocking)}

    def chosen_so_far(self, cards: set[str]) -> bool:
        """Whether a way to make the declaration agrees with the choices made."""
        return set(self.picked) <= cards

    def picks(self) -> set[str]:
        """The cards that can be chosen next; none when the declaration is complete."""
        seat, action = self.turn, self.declared
        ways = [cards for cards in self.ways(seat, action) if self.chosen_so_far(cards)]
        table = self.table[seat]
        if action < 25:
            laid = {frozenset(cards & self.hand[seat]) for cards in ways}
            if len(laid) == 1:
                return set()
            found = {card for cards in laid for card in cards if card not in self.picked}
            if frozenset(self.picked) in laid:
                found.add(min((card for card in table if card[0] == RANKS[(action - 1) // 3]), key=code_of))
            return found
        if action < 57:
            beside = [sorted((card for card in cards if card[0] not in "KQJ"), key=code_of) for cards in ways]
            if (action - 25) % 8 < 7 or len(self.picked) == 2:
                return set()
            if self.picked:
                return {pair[0] for pair in beside if pair[1] == self.picked[0]}
            return {pair[1] for pair in beside}
        if len(self.picked) == 2:
            return set()
        letter = "J" if self.picked else "Q"
        return {card for cards in ways for card in cards if card[0] == letter}

    # -- what the comparison asks ------------------------------------------------------------------------------

    def actor(self) -> int:
        return self.turn

    def phase(self) -> str:
        return self.step

    def legal(self) -> set[int]:
        seat = self.turn
        if self.step == "declare":
            found = self.declarations(seat)
            return {0} | (found if seat == self.leader else found & {57})
        if self.step == "lay":
            return {code_of(card) for card in self.picks()}
        hand = self.hand[seat]
        if self.stock:
            return {code_of(card) for card in hand} | {32 + code_of(card) for card in self.table[seat]}
        if self.led is not None:
            suit = {card for card in hand if card[1] == self.led[1]}
            higher = {card for card in suit if code_of(card) > code_of(self.led)}
            trumps = {card for card in hand if card[1] == self.trump}
            hand = higher or suit or trumps or hand
        return {code_of(card) for card in hand}

    def apply(self, action: int) -> None:
        assert action in self.legal()
        seat = self.turn
        if self.step == "play":
            self.play(seat, action)
        elif self.step == "lay":
            card = name_of(action)
            if self.declared < 25 and card in self.table[seat]:
                self.score(set(self.picked))
            else:
                self.picked.append(card)
                self.choose()
        elif action:
            self.declared = action
            self.picked: list[str] = []
            self.choose()
        elif seat == self.leader:
            self.hand[seat].add(self.stock.pop(0))
            if 57 in self.declarations(1 - seat):
                self.turn = 1 - seat
            else:
                self.draw_second()
        else:
            self.draw_second()

    def choose(self) -> None:
        """Make the choices that are forced; score when there are no more."""
        while True:
            options = self.picks()
            if len(options) > 1:
                self.step = "lay"
                return
            if not options:
                break
            self.picked.append(options.pop())
        seat = self.turn
        ways = [cards for cards in self.ways(seat, self.declared) if self.chosen_so_far(cards)]
        self.score(ways[0] & self.hand[seat])

    def score(self, laid: set[str]) -> None:
        seat = self.turn
        meld = meld_of(self.declared)
        assert laid
        self.hand[seat] -= laid
        self.table[seat] |= laid
        self.add(meld, seat, self.rules[meld])
        self.count[meld][seat] += 1
        if self.first[meld][seat] == MISSING:
            self.first[meld][seat] = self.trick
        if meld == "penchant":
            if not self.trump:
                self.trump = self.picked[1][1]
                self.trump_maker[seat] += 1
                if self.trump_trick == MISSING:
                    self.trump_trick = self.trick
            if seat != self.leader:
                self.by_loser[seat] += 1
        if seat == self.leader:
            self.hand[seat].add(self.stock.pop(0))
        self.draw_second()

    def draw_second(self) -> None:
        self.hand[1 - self.leader].add(self.stock.pop(0))
        if not self.stock:
            for seat in (0, 1):
                self.hand[seat] |= self.table[seat]
                self.table[seat] = set()
        self.step, self.turn = "play", self.leader

    def play(self, seat: int, action: int) -> None:
        card = name_of(action % 32)
        (self.table if action >= 32 else self.hand)[seat].remove(card)
        if self.led is None:
            self.led = card
            self.turn = 1 - seat
            return
        same = card[1] == self.led[1]
        wins = code_of(card) > code_of(self.led) if same else card[1] == self.trump
        winner = seat if wins else 1 - seat
        won = sum(one[0] in "AT7" for one in (card, self.led))
        self.led = None
        self.leader = self.turn = winner
        self.trick += 1
        self.tricks[winner] += 1
        self.brisques[winner] += won
        self.all_brisques[winner] += won
        if self.stock:
            self.step = "declare"
            self.blocked[winner] += self.declarations(winner) != self.declarations(winner, blocking=False)
            return
        self.add("late_brisques", winner, won * self.rules["brisque"])
        if not self.hand[0]:
            for player in (0, 1):
                over = max(0, self.brisques[player] - self.rules["brisque_line"])
                self.add("over_six", player, over * self.rules["brisque"])
            self.pone = 1 - self.pone
            self.step = "deal"
            self.over = self.deals == self.rules["deals"]

    def row(self) -> dict[str, int | list[int]]:
        first, second = self.points
        value, doubled = settle((first, second), self.rules["double_line"])
        row: dict[str, int | list[int]] = {
            "points": list(self.points),
            "value": [value, -value],
            "won": [int(first > second), int(second > first)],
            "winner_points": max(first, second),
            "loser_points": min(first, second),
            "margin": first - second,
            "doubled": int(doubled),
            "declarations": [sum(self.count[meld][seat] for meld in MELDS) for seat in (0, 1)],
            "penchants_by_loser": self.by_loser,
            "blocked": self.blocked,
            "trump_trick": self.trump_trick,
            "trump_maker": self.trump_maker,
            "trumps": sum(self.trump_maker),
            "tricks": self.tricks,
            "brisques": self.all_brisques,
            "deals": self.deals,
        }
        row |= {f"points_{source}": points for source, points in self.scored.items()}
        row |= {f"count_{meld}": count for meld, count in self.count.items()}
        row |= {f"first_{meld}": trick for meld, trick in self.first.items()}
        return row
