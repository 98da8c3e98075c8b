"""Binocle with 48 and with 64 cards, slow and plain: the oracle for the compiled games.

Written from the text alone: the passage on binocle and what the catalogue says where the text breaks off. Cards are
objects that remember what they were melded in, actions are words; numbers appear only at the rim, since both sides
must be asked the same things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

MISSING = -(2**31)
SUITS = "SHDC"
RANKS = "789JQKTA"  # low to high
NAMES = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the card numbers
LOWEST = {"binocle": "9", "binocle-64": "7"}  # that of trumps is the dix
HAND = 12

DEFAULTS: dict[str, int | str] = {
    "target": 1000,  # 0: a single deal
    "target_step": 250,
    "claims": "yes",
    "looking": "no",
    "draw_order": "winner",
    "dix": 10,
    "dix_with_meld": "yes",
    "last_trick": 10,
    "ace": 11,
    "ten": 10,
    "king": 4,
    "queen": 3,
    "jack": 2,
    "marriage": 20,
    "royal_marriage": 40,
    "royal_sequence": 150,
    "binocle": 40,
    "double_binocle": 80,
    "grand_binocle": "no",
    "grand_value": 80,
    "aces": 100,
    "kings": 80,
    "queens": 60,
    "jacks": 40,
    "eight_aces": 200,
    "eight_kings": 160,
    "eight_queens": 120,
    "eight_jacks": 80,
    "fresh": "hand",
}

FOURS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}
MELDS = [
    "marriage",
    "royal_marriage",
    "royal_sequence",
    "binocle",
    "double_binocle",
    "grand_binocle",
    *FOURS.values(),
    *("eight_" + name for name in FOURS.values()),
]

# Within a class a card may go from a lower meld to a higher one, never into one of the same height or a lower one.
CLASSES = {"marriage": "a", "sequence": "a", "binocle": "b", "double": "b", "grand": "b", "four": "c", "eight": "c"}
HEIGHTS = {"marriage": 1, "sequence": 2, "binocle": 1, "double": 2, "grand": 2, "four": 1, "eight": 2}

Action = tuple[str, ...]

# Every action in words, by phase and number.
NUMBERS: dict[str, dict[Action, int]] = {
    "claim": {("go on",): 0, ("claim",): 1, ("look",): 2},
    "declare": {("nothing",): 0, ("binocle", ""): 9, ("double", ""): 10, ("dix",): 17, ("grand", ""): 22}
    | {("marriage", suit): 1 + place for place, suit in enumerate(SUITS)}
    | {("sequence", suit): 5 + place for place, suit in enumerate(SUITS)}
    | {("four", rank): 13 + place for place, rank in enumerate(FOURS)}
    | {("eight", rank): 18 + place for place, rank in enumerate(FOURS)},
    "lay": {("lay", name): place for place, name in enumerate(NAMES)},
    "play": {("hand", name): place for place, name in enumerate(NAMES)}
    | {("table", name): 32 + place for place, name in enumerate(NAMES)},
}


def code_of(name: str) -> int:
    return NAMES.index(name)


@dataclass(eq=False)
class Card:
    """One of the two copies of a card, with the height of the best meld it served in, by class."""

    name: str
    height: dict[str, int] = field(default_factory=lambda: {"a": 0, "b": 0, "c": 0})
    announced: bool = False  # a dix that has scored

    def __repr__(self) -> str:
        return self.name + "".join(f"{name}{height}" for name, height in self.height.items() if height)


def takes(reply: str, led: str, trump: str) -> bool:
    """Whether the second card of a trick wins it; of two that are alike the first does."""
    if reply[1] != led[1]:
        return reply[1] == trump
    return RANKS.index(reply[0]) > RANKS.index(led[0])


def forced(hand: set[str], led: str, trump: str) -> set[str]:
    """The replies in the last twelve tricks: follow suit, and win if possible, by suit or by a trump."""
    suit = {card for card in hand if card[1] == led[1]}
    if suit:
        return {card for card in suit if takes(card, led, trump)} or suit
    return {card for card in hand if card[1] == trump} or set(hand)


def needs(meld: Action) -> list[str]:
    """The cards of a meld, lowest rank first."""
    kind, what = meld
    if kind == "marriage":
        return ["Q" + what, "K" + what]
    if kind == "sequence":
        return [rank + what for rank in "JQKTA"]
    if kind == "binocle":
        return ["JD", "QS"]
    if kind == "double":
        return ["JD", "JD", "QS", "QS"]
    if kind == "grand":
        return ["JD", "QS", "KS"]
    return [what + suit for suit in SUITS] * (2 if kind == "eight" else 1)


@dataclass
class Player:
    """What belongs to one seat; hand, table, pile and `looked` begin anew with every deal."""

    hand: list[Card] = field(default_factory=list)
    table: list[Card] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    looked: bool = False  # at old tricks: his cards of this deal do not count
    points: int = 0
    scores: list[tuple[str, int, int]] = field(default_factory=list)  # source, points, trick
    tricks: int = 0
    brisques: int = 0
    claimed: int = MISSING
    forfeits: int = 0

    def total(self, source: str) -> int:
        return sum(points for name, points, _ in self.scores if name == source)

    def times(self, source: str) -> list[int]:
        return [trick for name, _, trick in self.scores if name == source]


class Binocle:
    """One game; decks come by `feed`, actions by `apply`."""

    def __init__(self, game: str, rules: dict[str, int | str] | None = None) -> None:
        assert not set(rules or {}) - set(DEFAULTS)
        self.rules = DEFAULTS | (rules or {})
        self.lowest = LOWEST[game]
        kept = [name for name in NAMES if name[0] in RANKS[RANKS.index(self.lowest) :]]
        self.pack = sorted(kept * 2)
        self.players = [Player(), Player()]
        self.goal = int(self.rules["target"])
        self.deals = self.trick = self.raised = 0
        self.over = False
        self.winner: int | None = None
        self.right: bool | None = None  # whether the claim was right; None without one
        self.both_had = False
        self.reached = False  # the written score alone had the points
        self.meant: Action = ()  # lay: the meld of which one card is to be chosen
        self.step = "deal"
        self.turn = -1
        self.events: Counter[str] = Counter()

    @property
    def points(self) -> list[int]:
        return [player.points for player in self.players]

    # -- cards ---------------------------------------------------------------------------------------------

    def feed(self, deck: list[int]) -> None:
        assert self.step == "deal"
        cards = [Card(NAMES[number]) for number in deck]
        assert sorted(card.name for card in cards) == self.pack
        self.pone = self.deals % 2
        self.deals += 1
        for player in self.players:
            player.hand, player.table, player.pile, player.looked = [], [], [], False
        for seat in (self.pone, 1 - self.pone) * 3:
            self.players[seat].hand += cards[:4]
            del cards[:4]
        self.turned = cards.pop(0)
        self.trump = self.turned.name[1]
        self.dix = self.lowest + self.trump
        self.stock: list[Card | None] = [*cards, None]  # None is the card turned, whichever it will be by then
        self.led = ""
        self.leader = self.turn = self.pone
        self.step = "play"
        if self.turned.name == self.dix:
            self.turned.announced = True
            self.events["dix turned"] += 1
            self.score(1 - self.pone, "dix")
            self.consider(1 - self.pone, "lead")

    def worth_of(self, cards: list[str]) -> int:
        names = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack"}
        return sum(int(self.rules[names[card[0]]]) for card in cards if card[0] in names)

    def score(self, seat: int, source: str, points: int | None = None) -> None:
        points = int(self.rules[source]) if points is None else points
        self.players[seat].points += points
        self.players[seat].scores.append((source, points, self.trick))
        self.events[source] += 1

    # -- claims --------------------------------------------------------------------------------------------

    def consider(self, seat: int, then: str) -> None:
        """End the game for a written score; ask for a claim where the cards could make it right; then go on."""
        self.turn = seat
        self.then = then
        player = self.players[seat]
        if self.goal and player.points >= self.goal:
            self.events["reached in play"] += 1
            self.reached = True
            self.winner = seat
            self.stop()
            return
        possible = not player.looked and player.points + self.worth_of(self.pack) >= self.goal
        if self.goal and self.rules["claims"] == "yes" and possible:
            self.step = "claim"
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

    def cards_of(self, seat: int) -> int:
        """What the cards won in this deal count for a player."""
        player = self.players[seat]
        return 0 if player.looked else self.worth_of(player.pile)

    def look(self) -> None:
        """The player looks at old tricks, which costs him all points for cards."""
        self.players[self.turn].looked = True
        self.players[self.turn].forfeits += 1
        self.events["looked"] += 1
        self.proceed()

    def has_it(self) -> list[bool]:
        """Who has the points with the cards won."""
        return [self.players[seat].points + self.cards_of(seat) >= self.goal for seat in (0, 1)]

    def claim(self) -> None:
        has = self.has_it()
        self.players[self.turn].claimed = self.trick
        self.right = has[self.turn]
        self.winner = self.turn if self.right else 1 - self.turn
        self.events["right claim" if self.right else "wrong claim"] += 1
        if all(has):
            self.events["claim when both have it"] += 1
        if not self.right and has[1 - self.turn]:
            self.events["wrong claim against one who has it"] += 1
        self.stop()

    def stop(self) -> None:
        """End the game in the middle of a deal; the cards won so far are counted for both."""
        self.both_had = all(self.has_it())
        self.credit_cards()
        self.finish()

    def credit_cards(self) -> None:
        for seat in (0, 1):
            self.score(seat, "cards", self.cards_of(seat))

    def end_deal(self) -> None:
        self.credit_cards()
        points = self.points
        if not self.goal:
            self.winner = None if points[0] == points[1] else points.index(max(points))
            return self.finish()
        has = [total >= self.goal for total in points]
        if has[0] != has[1]:
            self.events["won at the end of a deal"] += 1
            self.winner = has.index(True)
            return self.finish()
        if all(has):
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

    # -- melds ---------------------------------------------------------------------------------------------

    def known_melds(self) -> list[Action]:
        """Every meld of the game, possible now or not."""
        found = [("marriage", suit) for suit in SUITS] + [("sequence", self.trump)]
        found += [("binocle", ""), ("double", "")]
        if self.rules["grand_binocle"] == "yes":
            found.append(("grand", ""))
        return found + [(kind, rank) for kind in ("four", "eight") for rank in FOURS]

    def source(self, meld: Action) -> str:
        """What a meld is called in the scores."""
        kind, what = meld
        if kind in ("marriage", "sequence"):
            return ("royal_" if what == self.trump else "") + kind
        if kind in ("four", "eight"):
            return ("eight_" if kind == "eight" else "") + FOURS[what]
        return "binocle" if kind == "binocle" else kind + "_binocle"

    def ways(self, meld: Action) -> Iterator[list[Card]]:
        """Every choice of cards for a meld, copies told apart, that the rules allow."""
        player = self.players[self.turn]
        group, height = CLASSES[meld[0]], HEIGHTS[meld[0]]
        copies = [card for card in player.table + player.hand if card.height[group] < height]
        wanted = needs(meld)
        for cards in product(*([card for card in copies if card.name == name] for name in wanted)):
            if len(set(map(id, cards))) < len(cards):
                continue
            new = any(card in player.hand for card in cards)
            if self.rules["fresh"] == "table":  # held in mind: laid for another meld and new to this class
                new = new or any(card.height[group] == 0 for card in cards)
            if new:
                yield list(cards)

    def legal_melds(self) -> set[Action]:
        return {meld for meld in self.known_melds() if next(self.ways(meld), None)}

    def outcomes(self, meld: Action) -> dict[tuple[str, ...], list[Card]]:
        """The ways that lay the fewest cards, by what they lay; of copies on the table the spent ones serve first."""
        player = self.players[self.turn]
        group = CLASSES[meld[0]]
        best: dict[tuple[str, ...], tuple[tuple[int, ...], list[Card]]] = {}
        fewest = min(sum(card in player.hand for card in cards) for cards in self.ways(meld))
        for cards in self.ways(meld):
            laid = tuple(sorted(card.name for card in cards if card in player.hand))
            if len(laid) > fewest:
                continue
            places = tuple(sorted(player.table.index(card) for card in cards if card in player.table))
            rank = (-sum(card.height[group] for card in cards), *places)
            if laid not in best or rank < best[laid][0]:
                best[laid] = rank, cards
        return {laid: cards for laid, (_, cards) in best.items()}

    def meld(self, meld: Action, laid: tuple[str, ...] | None = None) -> None:
        """Score a meld; which card of two that could be the fresh one is asked for."""
        player = self.players[self.turn]
        outcomes = self.outcomes(meld)
        if laid is None and len(outcomes) > 1:
            self.meant = meld
            self.step = "lay"
            self.events["lay " + meld[0]] += 1
            return
        cards = outcomes[laid] if laid is not None else next(iter(outcomes.values()))
        for card in cards:
            if card in player.hand:
                player.hand.remove(card)
                player.table.append(card)
            card.height[CLASSES[meld[0]]] = HEIGHTS[meld[0]]
        name = self.source(meld)
        self.score(self.turn, name, int(self.rules["grand_value" if meld[0] == "grand" else name]))
        self.consider(self.turn, "draw")

    def announce_dix(self) -> None:
        """The first is exchanged for the card turned; the second only scores."""
        player = self.players[self.turn]
        dix = self.open_dix()[0]
        dix.announced = True
        if self.turned.name != self.dix:
            player.hand.remove(dix)
            player.hand.append(self.turned)
            self.turned = dix
            self.events["dix exchanged"] += 1
        else:
            self.events["dix shown"] += 1
        self.score(self.turn, "dix")
        self.consider(self.turn, "declare" if self.rules["dix_with_meld"] == "yes" else "draw")

    def open_dix(self) -> list[Card]:
        return [card for card in self.players[self.turn].hand if card.name == self.dix and not card.announced]

    def draw(self) -> None:
        first = self.pone if self.rules["draw_order"] == "pone" else self.leader
        for seat in (first, 1 - first):
            self.players[seat].hand.append(self.stock.pop(0) or self.turned)
        if not self.stock:
            for player in self.players:
                player.hand += player.table
                player.table = []
        self.step = "play"
        self.turn = self.leader

    # -- playing -------------------------------------------------------------------------------------------

    def play(self, action: Action) -> None:
        place, name = action
        player = self.players[self.turn]
        if place == "hand":
            card = max((card for card in player.hand if card.name == name), key=lambda card: card.announced)
            player.hand.remove(card)
        else:
            card = max((card for card in player.table if card.name == name), key=self.spent)
            player.table.remove(card)
        if not self.led:
            self.led = name
            self.turn = 1 - self.turn
            return
        self.leader = self.turn if takes(name, self.led, self.trump) else 1 - self.turn
        taker = self.players[self.leader]
        taker.pile += [self.led, name]
        taker.tricks += 1
        taker.brisques += sum(won[0] in "AT" for won in (self.led, name))
        self.led = ""
        self.trick += 1
        if self.stock:
            self.consider(self.leader, "declare")
        elif player.hand:
            self.consider(self.leader, "lead")
        else:
            self.score(self.leader, "last_trick")
            self.consider(self.leader, "end")

    @staticmethod
    def spent(card: Card) -> int:
        """Of copies on the table the one with more behind it is played first."""
        return {0: 0, 1: 1, 2: 32}[card.height["a"]] + 2 * card.height["c"] + 4 * card.height["b"]

    # -- what is asked -------------------------------------------------------------------------------------

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        return self.turn

    def choices(self) -> set[Action]:
        """The legal actions, in words."""
        player = self.players[self.turn]
        if self.step == "claim":
            look = {("look",)} if self.rules["looking"] == "yes" and not player.looked else set()
            return {("go on",), ("claim",)} | look
        if self.step == "lay":
            return {("lay", laid[0]) for laid in self.outcomes(self.meant)}
        if self.step == "declare":
            return {("nothing",)} | self.legal_melds() | ({("dix",)} if self.open_dix() else set())
        hand, table = ({card.name for card in cards} for cards in (player.hand, player.table))
        if self.led and not self.stock:
            hand = forced(hand, self.led, self.trump)
        return {("hand", name) for name in hand} | {("table", name) for name in table}

    def legal(self) -> set[int]:
        if self.step in ("deal", "over"):
            return set()
        return {NUMBERS[self.step][action] for action in self.choices()}

    def apply(self, number: int) -> None:
        self.act(next(action for action, other in NUMBERS[self.step].items() if other == number))

    def act(self, action: Action) -> None:
        assert action in self.choices(), (self.step, action)
        if action == ("claim",):
            self.claim()
        elif action == ("look",):
            self.look()
        elif action == ("go on",):
            self.proceed()
        elif action == ("nothing",):
            self.draw()
        elif action == ("dix",):
            self.announce_dix()
        elif self.step == "declare":
            self.meld(action)
        elif self.step == "lay":
            self.meld(self.meant, (action[1],))
        else:
            self.play(action)

    def row(self) -> dict[str, int | list[int]]:
        """What is measured of the finished game."""
        assert self.over
        points = self.points
        claimed = [player.claimed != MISSING for player in self.players]
        value = points[0] - points[1]
        if self.goal:
            value = 1 if self.winner == 0 else -1
        row: dict[str, int | list[int]] = {
            "points": points,
            "value": [value, -value],
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
            "claim_trick": [player.claimed for player in self.players],
            "claimed_right": [int(flag and self.right is True) for flag in claimed],
            "claimed_wrong": [int(flag and self.right is False) for flag in claimed],
            "reached": [int(self.reached and seat == self.winner) for seat in (0, 1)],
            "looked": [player.forfeits for player in self.players],
            "card_margin": self.players[0].total("cards") - self.players[1].total("cards"),
        }
        for name in (*MELDS, "dix", "cards", "last_trick"):
            row["points_" + name] = [player.total(name) for player in self.players]
        for name in MELDS:
            row["count_" + name] = [len(player.times(name)) for player in self.players]
            row["first_" + name] = [min(player.times(name), default=MISSING) for player in self.players]
        return row
