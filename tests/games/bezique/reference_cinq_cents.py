"""Cinq-cents, slow and plain: the oracle for the compiled game.

Written from the text alone: the passage on cinq-cents, the rules of bezique in the same book that it refers to,
and their digest in the catalogue. Cards are texts, actions are words; numbers appear only at the rim, since
both sides must be asked the same things.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MISSING = -(2**31)
SUITS = "SHDC"
RANKS = "789JQKTA"  # low to high
PACK = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the card numbers
PACKETS = (3, 2, 3)

DEFAULTS: dict[str, int | str] = {
    "target": 500,  # 0: a single deal
    "target_step": 100,
    "knocking": "yes",
    "draw_order": "winner",
    "seven": 10,
    "last_trick": 10,
    "ace": 11,
    "ten": 10,
    "king": 4,
    "queen": 3,
    "jack": 2,
    "marriage": 20,
    "royal_marriage": 40,
    "sequence": 120,
    "royal_sequence": 250,
    "bezique": 40,
    "aces": 100,
    "kings": 80,
    "queens": 60,
    "jacks": 40,
    "plain_sequences": "yes",
}

FOURS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}
MELDS = ["marriage", "royal_marriage", "sequence", "royal_sequence", "bezique", *FOURS.values()]

Action = tuple[str, ...]

# Every action in words, by phase and number.
NUMBERS: dict[str, dict[Action, int]] = {
    "knock": {("go on",): 0, ("knock",): 1},
    "declare": {("nothing",): 0}
    | {("marriage", suit): 1 + place for place, suit in enumerate(SUITS)}
    | {("sequence", suit): 5 + place for place, suit in enumerate(SUITS)}
    | {("binage",): 9}
    | {("four", rank): 13 + place for place, rank in enumerate("AKQJ")}
    | {("exchange",): 17},
    "play": {("hand", card): place for place, card in enumerate(PACK)}
    | {("table", card): 32 + place for place, card in enumerate(PACK)},
}


def code_of(card: str) -> int:
    return PACK.index(card)


def takes(reply: str, led: str, trump: str) -> bool:
    """Whether the second card of a trick wins it."""
    if reply[1] != led[1]:
        return reply[1] == trump
    return RANKS.index(reply[0]) > RANKS.index(led[0])


def forced(hand: set[str], led: str, trump: str) -> set[str]:
    """The replies in the last eight tricks: follow suit, and win if possible, by suit or by a trump."""
    suit = {card for card in hand if card[1] == led[1]}
    if suit:
        return {card for card in suit if takes(card, led, trump)} or suit
    return {card for card in hand if card[1] == trump} or set(hand)


@dataclass
class Player:
    """What belongs to one seat; the first five begin anew with every deal."""

    hand: set[str] = field(default_factory=set)
    table: set[str] = field(default_factory=set)
    spent: set[str] = field(default_factory=set)  # has served in a combination
    pile: list[str] = field(default_factory=list)  # won in this deal
    points: int = 0
    scores: list[tuple[str, int, int]] = field(default_factory=list)  # source, points, trick
    tricks: int = 0
    brisques: int = 0
    knocked: int = MISSING

    def total(self, source: str) -> int:
        return sum(points for name, points, _ in self.scores if name == source)

    def times(self, source: str) -> list[int]:
        return [trick for name, _, trick in self.scores if name == source]


class CinqCents:
    """One game; decks come by `feed`, actions by `apply` (a number) or `act` (words)."""

    def __init__(self, rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.players = [Player(), Player()]
        self.goal = int(self.rules["target"])
        self.deals = self.trick = self.raised = 0
        self.over = False
        self.winner: int | None = None
        self.right: bool | None = None  # whether the knock was right; None without one
        self.both_had = False
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()

    # -- cards ---------------------------------------------------------------------------------------------

    def feed(self, deck: list[int]) -> None:
        assert self.step == "deal"
        cards = [PACK[number] for number in deck]
        assert sorted(cards) == sorted(PACK)
        self.pone = self.deals % 2
        self.deals += 1
        for player in self.players:
            player.hand, player.table, player.spent, player.pile = set(), set(), set(), []
        for packet in PACKETS:
            for seat in (self.pone, 1 - self.pone):
                self.players[seat].hand |= set(cards[:packet])
                del cards[:packet]
        self.turned = cards.pop(0)
        self.trump = self.turned[1]
        self.stock = [*cards, ""]  # "" is the card turned, whichever it will be by then
        self.led = ""
        self.leader = self.turn = self.pone
        self.step = "play"
        if self.turned[0] == "7":
            self.events["seven turned"] += 1
            self.score(1 - self.pone, "seven")
            self.consider(1 - self.pone, "lead")

    def worth_of(self, cards: list[str]) -> int:
        names = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack"}
        return sum(int(self.rules[names[card[0]]]) for card in cards if card[0] in names)

    def score(self, seat: int, source: str, points: int | None = None) -> None:
        points = int(self.rules[source]) if points is None else points
        self.players[seat].points += points
        self.players[seat].scores.append((source, points, self.trick))
        self.events[source] += 1

    # -- knocking ------------------------------------------------------------------------------------------

    def consider(self, seat: int, then: str) -> None:
        """Ask for a knock where it could be right with some division of the cards; then go on."""
        self.turn = seat
        self.then = then
        possible = self.players[seat].points + self.worth_of(PACK) >= self.goal
        if self.goal and self.rules["knocking"] == "yes" and possible:
            self.step = "knock"
        else:
            self.proceed()

    def proceed(self) -> None:
        if self.then == "declare":
            self.step = "declare"
        elif self.then == "draw":
            self.draw()
        elif self.then == "end":
            self.end_deal()
        else:
            self.step = "play"
            self.turn = self.leader

    @property
    def points(self) -> list[int]:
        return [player.points for player in self.players]

    def count_piles(self) -> list[int]:
        """What each would have with the cards won."""
        return [player.points + self.worth_of(player.pile) for player in self.players]

    def turn_piles(self) -> None:
        for seat, player in enumerate(self.players):
            self.score(seat, "cards", self.worth_of(player.pile))

    def knock(self) -> None:
        has = [count >= self.goal for count in self.count_piles()]
        self.players[self.turn].knocked = self.trick
        self.right = has[self.turn]
        self.both_had = has[0] and has[1]
        self.winner = self.turn if self.right else 1 - self.turn
        self.events["right knock" if self.right else "wrong knock"] += 1
        if self.both_had:
            self.events["knock when both have it"] += 1
        if not self.right and has[1 - self.turn]:
            self.events["wrong knock against one who has it"] += 1
        self.turn_piles()
        self.finish()

    def end_deal(self) -> None:
        self.turn_piles()
        points = self.points
        if not self.goal:
            self.winner = None if points[0] == points[1] else points.index(max(points))
            return self.finish()
        has = [total >= self.goal for total in points]
        if has[0] != has[1]:
            self.events["won at the end of a deal"] += 1
            self.winner = has.index(True)
            return self.finish()
        if all(has):  # nobody wins: 100 more, and 100 more again where both have that too
            self.raised += 1
            self.events["both had it"] += 1
            while min(points) >= self.goal:
                self.goal += int(self.rules["target_step"])
        self.step = "deal"
        self.turn = -1
        return None

    def finish(self) -> None:
        self.over = True
        self.step = "over"
        self.turn = -1

    # -- declaring -----------------------------------------------------------------------------------------

    def combinations(self, seat: int) -> dict[Action, tuple[str, set[str]]]:
        """What the player could score now: the words, the source of points, the cards."""
        found: dict[Action, tuple[str, set[str]]] = {}
        for suit in SUITS:
            royal = "royal_" if suit == self.trump else ""
            found["marriage", suit] = royal + "marriage", {"K" + suit, "Q" + suit}
            if royal or self.rules["plain_sequences"] == "yes":
                found["sequence", suit] = royal + "sequence", {rank + suit for rank in "ATKQJ"}
        found["binage",] = "bezique", {"QS", "JD"}
        for rank, name in FOURS.items():
            found["four", rank] = name, {rank + suit for suit in SUITS}
        player = self.players[seat]
        free = (player.hand | player.table) - player.spent
        return {words: (name, cards) for words, (name, cards) in found.items() if cards <= free and cards & player.hand}

    def declare(self, action: Action) -> None:
        player = self.players[self.turn]
        if action == ("nothing",):
            return self.draw()
        if action == ("exchange",):
            player.hand.remove("7" + self.trump)
            player.hand.add(self.turned)
            self.turned = "7" + self.trump
            self.score(self.turn, "seven")
        else:
            name, cards = self.combinations(self.turn)[action]
            player.hand -= cards
            player.table |= cards
            player.spent |= cards
            self.score(self.turn, name)
        return self.consider(self.turn, "draw")

    def draw(self) -> None:
        first = self.pone if self.rules["draw_order"] == "pone" else self.leader
        for seat in (first, 1 - first):
            self.players[seat].hand.add(self.stock.pop(0) or self.turned)
        if not self.stock:
            for player in self.players:
                player.hand |= player.table
                player.table = set()
        self.step = "play"
        self.turn = self.leader

    # -- playing -------------------------------------------------------------------------------------------

    def play(self, action: Action) -> None:
        place, card = action
        player = self.players[self.turn]
        (player.hand if place == "hand" else player.table).remove(card)
        if not self.led:
            self.led = card
            self.turn = 1 - self.turn
            return
        self.leader = self.turn if takes(card, self.led, self.trump) else 1 - self.turn
        taker = self.players[self.leader]
        taker.pile += [self.led, card]
        taker.tricks += 1
        taker.brisques += sum(won[0] in "AT" for won in (self.led, card))
        self.led = ""
        self.trick += 1
        if self.stock:
            self.consider(self.leader, "declare")
        elif player.hand:
            self.consider(self.leader, "lead")
        else:
            self.score(self.leader, "last_trick")
            self.consider(self.leader, "end")

    # -- what is asked -------------------------------------------------------------------------------------

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        return self.turn

    def choices(self) -> set[Action]:
        """The legal actions, in words."""
        if self.step in ("deal", "over"):
            return set()
        if self.step == "knock":
            return {("go on",), ("knock",)}
        player = self.players[self.turn]
        if self.step == "declare":
            exchange = {("exchange",)} if "7" + self.trump in player.hand else set()
            return {("nothing",)} | exchange | set(self.combinations(self.turn))
        if self.stock or not self.led:
            return {("hand", card) for card in player.hand} | {("table", card) for card in player.table}
        return {("hand", card) for card in forced(player.hand, self.led, self.trump)}

    def legal(self) -> set[int]:
        return {NUMBERS[self.step][action] for action in self.choices()}

    def apply(self, number: int) -> None:
        self.act(next(action for action, other in NUMBERS[self.step].items() if other == number))

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.step, action)
        if self.step == "knock":
            if action == ("knock",):
                self.knock()
            else:
                self.proceed()
        elif self.step == "declare":
            self.declare(action)
        else:
            self.play(action)

    def row(self) -> dict[str, int | list[int]]:
        """What is measured of the finished game."""
        assert self.over
        points = self.points
        row: dict[str, int | list[int]] = {
            "points": points,
            "won": [int(seat == self.winner) for seat in (0, 1)],
            "winner_points": max(points),
            "loser_points": min(points),
            "margin": points[0] - points[1],
            "both_had": int(self.both_had),
            "goal": self.goal,
            "goal_raised": self.raised,
            "deals": self.deals,
            "tricks": [player.tricks for player in self.players],
            "brisques": [player.brisques for player in self.players],
            "declarations": [sum(len(player.times(name)) for name in MELDS) for player in self.players],
            "knock_trick": [player.knocked for player in self.players],
        }
        knocked = [player.knocked != MISSING for player in self.players]
        row["knocked_right"] = [int(flag and self.right is True) for flag in knocked]
        row["knocked_wrong"] = [int(flag and self.right is False) for flag in knocked]
        row["card_margin"] = self.players[0].total("cards") - self.players[1].total("cards")
        value = points[0] - points[1]
        if self.goal:
            value = 1 if self.winner == 0 else -1
        row["value"] = [value, -value]
        for name in (*MELDS, "seven", "cards", "last_trick"):
            row["points_" + name] = [player.total(name) for player in self.players]
        for name in MELDS:
            row["count_" + name] = [len(player.times(name)) for player in self.players]
            row["first_" + name] = [min(player.times(name), default=MISSING) for player in self.players]
        return row
