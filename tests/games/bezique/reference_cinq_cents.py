"""Cinq-cents in slow plain Python, written from the rules alone: the oracle for the compiled game.

Sources: CATALOGUE 2.1 (`bezique`, `cinq-cents`) and the text S000 @ 15495. A card is its name, such as "QS"; the
actions are numbered as in bezique, and a knock is 1, none 0.
"""

from __future__ import annotations

RANKS = "789JQKTA"  # low to high
SUITS = "SHDC"
MISSING = -(2**31)
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}

DEFAULTS: dict[str, int | str] = {
    "target": 500,
    "target_step": 100,
    "knocking": "yes",
    "draw_order": "winner",
    "marriage": 20,
    "royal_marriage": 40,
    "sequence": 120,
    "royal_sequence": 250,
    "bezique": 40,
    "aces": 100,
    "kings": 80,
    "queens": 60,
    "jacks": 40,
    "seven": 10,
    "last_trick": 10,
}
MELDS = ("marriage", "royal_marriage", "sequence", "royal_sequence", "bezique", "aces", "kings", "queens", "jacks")
FOURS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}


def name_of(code: int) -> str:
    return RANKS[code % 8] + SUITS[code // 8]


def code_of(card: str) -> int:
    return 8 * SUITS.index(card[1]) + RANKS.index(card[0])


def beats(reply: str, led: str, trump: str) -> bool:
    if reply[1] == led[1]:
        return RANKS.index(reply[0]) > RANKS.index(led[0])
    return reply[1] == trump


class CinqCents:
    """One game (or, with target 0, one deal); seat 0 is the pone of the first deal."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        self.rules: dict = DEFAULTS | (rules or {})
        self.points = [0, 0]
        self.scored = {source: [0, 0] for source in (*MELDS, "seven", "cards", "last_trick")}
        self.count = {meld: [0, 0] for meld in MELDS}
        self.first = {meld: [MISSING, MISSING] for meld in MELDS}
        self.tricks = [0, 0]
        self.brisques = [0, 0]
        self.goal = self.rules["target"]
        self.deals = 0
        self.pone = 0
        self.trick = 0
        self.winner: int | None = None
        self.knocked_right = [0, 0]
        self.knocked_wrong = [0, 0]
        self.knock_trick = [MISSING, MISSING]
        self.raised = 0
        self.both_had = 0
        self.over = False
        self.step = "deal"

    # -- dealing -----------------------------------------------------------------------------------------------

    def feed(self, deck: list[int]) -> None:
        assert self.step == "deal"
        cards = [name_of(code) for code in deck]
        self.deals += 1
        self.hand: list[set[str]] = [set(), set()]
        self.table: list[set[str]] = [set(), set()]  # every card there has been used
        for packet in (3, 2, 3):
            for seat in (self.pone, 1 - self.pone):
                self.hand[seat] |= set(cards[:packet])
                cards = cards[packet:]
        self.turn_up = cards.pop(0)
        self.trump = self.turn_up[1]
        self.stock = cards
        self.pile: list[list[str]] = [[], []]
        self.led: str | None = None
        self.leader = self.turn = self.pone
        self.step = "play"
        if self.turn_up[0] == "7":
            self.add("seven", 1 - self.pone, self.rules["seven"])
            self.ask(1 - self.pone, "lead")

    # -- scores and knocking -----------------------------------------------------------------------------------

    def add(self, source: str, seat: int, points: int) -> None:
        self.points[seat] += points
        self.scored[source][seat] += points

    def counted(self, seat: int) -> int:
        """Points in the cards won in this deal."""
        return sum(CARD_POINTS.get(card[0], 0) for card in self.pile[seat])

    def has(self, seat: int) -> bool:
        return self.points[seat] + self.counted(seat) >= self.goal

    def ask(self, seat: int, then: str) -> None:
        """Offer a knock if tricks could bring the player there; then go on."""
        may_knock = self.rules["target"] and self.rules["knocking"] == "yes"
        if may_knock and self.points[seat] + 120 >= self.goal:
            self.step, self.turn, self.then = "knock", seat, then
        else:
            self.go_on(then)

    def go_on(self, then: str) -> None:
        if then == "declare":
            self.step, self.turn = "declare", self.leader
        elif then == "draw":
            self.draw()
        elif then == "lead":
            self.step, self.turn = "play", self.leader
        else:
            self.end_of_deal()

    def count_cards(self) -> None:
        for seat in (0, 1):
            self.add("cards", seat, self.counted(seat))

    def knock(self) -> None:
        seat = self.turn
        self.knock_trick[seat] = self.trick
        if self.has(seat):
            self.winner = seat
            self.knocked_right[seat] = 1
        else:
            self.winner = 1 - seat
            self.knocked_wrong[seat] = 1
        self.both_had = int(self.has(0) and self.has(1))
        self.count_cards()
        self.over = True

    def end_of_deal(self) -> None:
        self.count_cards()
        target = self.rules["target"]
        if target == 0:
            self.over = True
            return
        if min(self.points) >= self.goal:
            while min(self.points) >= self.goal:
                self.goal += self.rules["target_step"]
            self.raised += 1
        elif max(self.points) >= self.goal:
            self.winner = 0 if self.points[0] >= self.goal else 1
            self.over = True
            return
        self.pone = 1 - self.pone
        self.step = "deal"

    # -- declarations ------------------------------------------------------------------------------------------

    def declarations(self, seat: int) -> dict[int, tuple[str, list[str]]]:
        """By action: what is scored, and its cards. Only cards in the hand have not been used."""
        found: dict[int, tuple[str, list[str]]] = {}
        for place, suit in enumerate(SUITS):
            royal = "royal_" if suit == self.trump else ""
            found[1 + place] = (f"{royal}marriage", ["K" + suit, "Q" + suit])
            found[5 + place] = (f"{royal}sequence", [rank + suit for rank in "ATKQJ"])
        found[9] = ("bezique", ["QS", "JD"])
        for place, rank in enumerate("AKQJ"):
            found[13 + place] = (FOURS[rank], [rank + suit for suit in SUITS])
        return {action: meld for action, meld in found.items() if set(meld[1]) <= self.hand[seat]}

    def draw(self) -> None:
        first = self.leader if self.rules["draw_order"] == "winner" else self.pone
        for seat in (first, 1 - first):
            self.hand[seat].add(self.stock.pop(0) if self.stock else self.turn_up)
        if not self.stock:
            self.turn_up = ""
            for seat in (0, 1):
                self.hand[seat] |= self.table[seat]
                self.table[seat] = set()
        self.go_on("lead")

    # -- what the comparison asks ------------------------------------------------------------------------------

    def actor(self) -> int:
        return self.turn

    def phase(self) -> str:
        return self.step

    def legal(self) -> set[int]:
        seat = self.turn
        if self.step == "knock":
            return {0, 1}
        if self.step == "declare":
            actions = {0, *self.declarations(seat)}
            if "7" + self.trump in self.hand[seat]:
                actions.add(17)
            return actions
        hand = self.hand[seat]
        if self.turn_up:  # the stock lasts
            return {code_of(card) for card in hand} | {32 + code_of(card) for card in self.table[seat]}
        if self.led is not None:
            suit = {card for card in hand if card[1] == self.led[1]}
            higher = {card for card in suit if beats(card, self.led, self.trump)}
            trumps = {card for card in hand if card[1] == self.trump}
            hand = higher or suit or trumps or hand
        return {code_of(card) for card in hand}

    def apply(self, action: int) -> None:
        assert action in self.legal()
        seat = self.turn
        if self.step == "knock":
            if action:
                self.knock()
            else:
                self.go_on(self.then)
        elif self.step == "declare":
            if action == 0:
                self.draw()
                return
            if action == 17:
                seven = "7" + self.trump
                self.hand[seat].remove(seven)
                self.hand[seat].add(self.turn_up)
                self.turn_up = seven
                self.add("seven", seat, self.rules["seven"])
            else:
                meld, cards = self.declarations(seat)[action]
                self.hand[seat] -= set(cards)
                self.table[seat] |= set(cards)
                self.add(meld, seat, self.rules[meld])
                self.count[meld][seat] += 1
                if self.first[meld][seat] == MISSING:
                    self.first[meld][seat] = self.trick
            self.ask(seat, "draw")
        else:
            self.play(seat, name_of(action % 32), self.table if action >= 32 else self.hand)

    def play(self, seat: int, card: str, where: list[set[str]]) -> None:
        where[seat].remove(card)
        if self.led is None:
            self.led = card
            self.turn = 1 - seat
            return
        winner = seat if beats(card, self.led, self.trump) else 1 - seat
        self.pile[winner] += [self.led, card]
        self.tricks[winner] += 1
        self.brisques[winner] += sum(one[0] in "AT" for one in (self.led, card))
        self.led = None
        self.leader = winner
        self.trick += 1
        if self.turn_up:
            self.ask(winner, "declare")
        elif self.hand[0]:
            self.ask(winner, "lead")
        else:
            self.add("last_trick", winner, self.rules["last_trick"])
            self.ask(winner, "end")

    def row(self) -> dict[str, int | list[int]]:
        first, second = self.points
        winner = self.winner
        if self.rules["target"] == 0:
            winner = None if first == second else int(second > first)
            value = first - second
        else:
            value = 1 if winner == 0 else -1
        row: dict[str, int | list[int]] = {
            "points": list(self.points),
            "value": [value, -value],
            "won": [int(winner == 0), int(winner == 1)],
            "winner_points": max(first, second),
            "loser_points": min(first, second),
            "margin": first - second,
            "declarations": [sum(self.count[meld][seat] for meld in MELDS) for seat in (0, 1)],
            "tricks": self.tricks,
            "brisques": self.brisques,
            "card_margin": self.scored["cards"][0] - self.scored["cards"][1],
            "deals": self.deals,
            "goal": self.goal,
            "goal_raised": self.raised,
            "both_had": self.both_had,
            "knocked_right": self.knocked_right,
            "knocked_wrong": self.knocked_wrong,
            "knock_trick": self.knock_trick,
        }
        row |= {f"points_{source}": points for source, points in self.scored.items()}
        row |= {f"count_{meld}": count for meld, count in self.count.items()}
        row |= {f"first_{meld}": trick for meld, trick in self.first.items()}
        return row
