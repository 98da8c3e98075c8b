"""The games with six packs, `bezique-six-pack` and `chinese-bezique`, with cards as objects: a slow oracle.

Written from the rules alone. Sources: CATALOGUE 2.1 ("bezique frame", `bezique-six-pack`, `chinese-bezique`)
and the texts behind it, S003 at 99196 and S000 at 45947. Where they leave something open the reading taken is
marked "Reading" with its ground; the readings that a table could well take otherwise are attributes of `SixPack`.

Chinese bezique is rubicon bezique with more packs, so it is the rubicon reference with another pack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from . import reference
from .reference import (
    BEZIQUE,
    BRISQUES,
    COURTS,
    DEALER,
    DECLINE,
    FOUR,
    FOURS,
    FROM_TABLE,
    LEVELS,
    MARRIAGE,
    MISSING,
    PASS,
    PONE,
    RANKS,
    SEQUENCE,
    SHOW,
    SUITS,
    Reference,
    code_of,
    pack,
)

CHINESE = "chinese-bezique"
SIX = "bezique-six-pack"

TRUMP_FOUR = {"A": 18, "T": 19, "K": 20, "Q": 21, "J": 22}
TAKE = 1  # the premium of the last trick; 0 declines it
TRUMP_FOURS = {"A": "trump_aces", "T": "trump_tens", "K": "trump_kings", "Q": "trump_queens", "J": "trump_jacks"}
RUN = "JQKTA"  # a sequence

# The tables of the other games know these two as well ------------------------------------------------------

for _table in (reference.DEFAULTS, reference.MELDS, reference.OTHER_POINTS, reference.PHASES, reference.PACKETS):
    _table[CHINESE] = _table["rubicon-bezique"]
reference.PACKS |= {CHINESE: 6, SIX: 6}
# Reading: S003 deals "twelve cards each" and names no packets: by threes, like the other games for two.
reference.PACKETS[SIX] = [3, 3, 3, 3]
reference.PHASES[SIX] = ["show", "declare", "lay", "play", "last"]
reference.MELDS[SIX] = [*reference.MELDS["rubicon-bezique"], *TRUMP_FOURS.values()]
reference.OTHER_POINTS[SIX] = ["carte_blanche", "last_trick"]
reference.DEFAULTS[SIX] = {
    "marriage": 20,
    "royal_marriage": 40,
    "sequence": 150,
    "royal_sequence": 250,
    "bezique": 40,
    "double_bezique": 500,
    "triple_bezique": 1500,
    "quadruple_bezique": 4500,
    "aces": 100,
    "kings": 80,
    "queens": 60,
    "jacks": 40,
    "trump_aces": 1000,
    "trump_tens": 900,
    "trump_kings": 800,
    "trump_queens": 600,
    "trump_jacks": 400,
    "carte_blanche": 250,
    "last_trick": 250,
    "rubicon_line": 3000,
    "game_bonus": 1000,
    "least_difference": 100,
}


def make(game: str, rules: dict[str, int] | None = None, decks: Iterable[Sequence[int]] = ()) -> Chinese | SixPack:
    """The reference of one of the two games."""
    return (SixPack if game == SIX else Chinese)(rules, decks)


# Chinese bezique --------------------------------------------------------------------------------------------


class Chinese(Reference):
    """Rubicon bezique with six packs; "no other rule is given"."""

    def __init__(self, rules: dict[str, int] | None = None, decks: Iterable[Sequence[int]] = ()) -> None:
        super().__init__(CHINESE, rules)
        self.rubicon = True
        self.decks = [list(deck) for deck in decks]
        self._next_deal()

    def _score(self, player, kind, name, cards, level=0, rank=""):
        """Five or six copies of one card leave no choice of suits, but only four are laid: spent ones, one new."""
        if kind == "four" and len(cards) > 4:
            self.events["more than four of one card"] += 1
            chosen = cards[:4]
            if not any(reference.is_new(card, "four") for card in chosen):
                chosen[3] = next(card for card in cards[4:] if reference.is_new(card, "four"))
            cards = chosen
        super()._score(player, kind, name, cards, level, rank)


# Six packs ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Card:
    """One physical card and what it was scored in; copies alike in all of it are interchangeable."""

    rank: str
    suit: str
    m: bool = False  # in a marriage
    s: bool = False  # in a sequence
    b: int = 0  # the highest bezique, 1 to 4
    c: int = 0  # the better four: 1 of any suits, 2 of trumps

    @property
    def code(self) -> int:
        return code_of(self.rank + self.suit)

    @property
    def used(self) -> tuple[bool, int, int, bool]:
        """Of several copies on the table the most used one is played (as in the other games)."""
        return self.s, self.b, self.c, self.m

    def __repr__(self) -> str:
        marks = f"{'m' * self.m}{'s' * self.s}{f'b{self.b}' if self.b else ''}{f'c{self.c}' if self.c else ''}"
        return self.rank + self.suit + (f"[{marks}]" if marks else "")


@dataclass(eq=False)
class Player:
    """One seat."""

    seat: int
    hand: list[Card] = field(default_factory=list)
    table: list[Card] = field(default_factory=list)  # in the order they were laid
    blanche: bool = False  # neither dealt nor drawn a court so far, and always shown
    points: int = 0
    scored: Counter[str] = field(default_factory=Counter)  # points by source
    counts: Counter[str] = field(default_factory=Counter)  # combinations by name
    first: dict[str, int] = field(default_factory=dict)  # trick of the first one of each name
    tricks: int = 0
    brisques: int = 0
    cartes_blanches: int = 0

    def lying(self, rank: str) -> list[Card]:
        """The cards of a rank on the table."""
        return [card for card in self.table if card.rank == rank]

    def held(self, rank: str) -> list[Card]:
        """The cards of a rank in the hand."""
        return [card for card in self.hand if card.rank == rank]


class SixPack:
    """One deal of `bezique-six-pack`, which is a game; the interface is that of `Reference`."""

    # Reading: "one may break combinations and make new ones, equal or stronger" (S003) is said of all, so with
    # one new card a double bezique is scored again from the three others, and a triple and quadruple likewise.
    # False: as in rubicon bezique, where S000 says that a new card re-forms a single bezique only.
    doubles_again = True
    # Reading: S003 has a carte blanche recorded "at once", and "after that" play begins: both before the lead.
    # False: the dealer shows after the lead, as in rubicon bezique.
    dealer_shows_before_lead = True
    # Reading: "two sequences of one suit may not lie on the table" is looked up on the table, whatever the cards
    # were scored in. False: only cards scored in sequences make up one that lies there.
    every_card_counts = True

    def __init__(self, rules: dict[str, int] | None = None, decks: Iterable[Sequence[int]] = ()) -> None:
        unknown = set(rules or {}) - set(reference.DEFAULTS[SIX])
        if unknown:
            raise ValueError(f"{SIX} has no rule {sorted(unknown)}")
        self.game = SIX
        self.rules: dict[str, int] = reference.DEFAULTS[SIX] | (rules or {})
        self.players = [Player(PONE), Player(DEALER)]
        self.events: Counter[str] = Counter()
        self.over = False
        self.deals = 0
        self.trick = 0  # tricks completed
        self.declined = -1  # who won the last trick and did not take the points for it
        self.trump: str | None = None
        self.trump_trick = MISSING
        self.trump_maker: int | None = None
        self.leader = PONE
        self.lead: Card | None = None
        self.taker: int | None = None  # winner of the last trick
        self.showing: list[int] = []  # seats to be asked about a carte blanche
        self.picking = ""  # rank of the four being laid
        self.picked: list[Card] = []
        self.stock: list[Card] = []
        self.step = "deal"
        for deck in decks:
            self.feed(deck)

    # -- the interface -------------------------------------------------------------------------------------

    def feed(self, deck: Sequence[int]) -> None:
        """Deal this deck."""
        assert self.step == "deal"
        assert sorted(deck) == pack(SIX)
        self.deals = 1
        cards = [Card(RANKS[code % 8], SUITS[code // 8]) for code in deck]
        for packet in reference.PACKETS[SIX]:
            for player in self.players:
                player.hand += cards[:packet]
                del cards[:packet]
        self.stock = cards
        for player in self.players:
            player.blanche = not any(card.rank in COURTS for card in player.hand)
        seats = [player.seat for player in self.players if player.blanche]
        self._ask(seats if self.dealer_shows_before_lead else [seat for seat in seats if seat == PONE])

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        if self.step == "deal" or self.over:
            return -1
        if self.step == "show":
            return self.showing[0]
        if self.step in ("declare", "lay", "last"):
            return self.taker
        return self.leader if self.lead is None else 1 - self.leader

    def legal(self) -> set[int]:
        if self.step == "deal" or self.over:
            return set()
        player = self.players[self.actor()]
        if self.step == "show":
            return {DECLINE, SHOW}
        if self.step == "last":
            return {DECLINE, TAKE}
        if self.step == "declare":
            return self._declarations(player)
        if self.step == "lay":
            return {card.code for card in player.held(self.picking) if card not in self.picked}
        if self.stock:  # free play
            return {card.code for card in player.hand} | {FROM_TABLE + card.code for card in player.table}
        return {card.code for card in self._bound(player)}

    def apply(self, action: int) -> None:
        assert action in self.legal(), (self.step, action, sorted(self.legal()))
        player = self.players[self.actor()]
        if self.step == "show":
            self._show(player, action == SHOW)
        elif self.step == "last":
            self._last(player, action == TAKE)
        elif self.step == "declare":
            self._declare(player, action)
        elif self.step == "lay":
            self._pick(player, action)
        else:
            self._play(player, action)

    @property
    def points(self) -> tuple[int, int]:
        return self.players[0].points, self.players[1].points

    # -- carte blanche -------------------------------------------------------------------------------------

    def _ask(self, seats: list[int]) -> None:
        """Ask these seats, in this order; the play goes on when all have answered."""
        self.showing = seats
        self.step = "show" if seats else "play"

    def _show(self, player: Player, shown: bool) -> None:
        """Reading: who does not record one premium has none to record "a second time": the chain has ended."""
        if shown:
            player.cartes_blanches += 1
            self.events["carte blanche" if player.cartes_blanches == 1 else "carte blanche again"] += 1
            self._award(player, "carte_blanche")
        else:
            player.blanche = False
            self.events["carte blanche declined"] += 1
        self._ask(self.showing[1:])

    # -- tricks --------------------------------------------------------------------------------------------

    def _beats(self, second: Card, first: Card) -> bool:
        """Whether the card played second wins; of identical cards the first does."""
        if second.suit == first.suit:
            return RANKS.index(second.rank) > RANKS.index(first.rank)
        return second.suit == self.trump

    def _bound(self, player: Player) -> list[Card]:
        """The stock is gone: follow suit; without the suit play a trump. Nothing obliges to win the trick."""
        if self.lead is None:
            return player.hand
        suited = [card for card in player.hand if card.suit == self.lead.suit]
        return suited or [card for card in player.hand if card.suit == self.trump] or player.hand

    def _play(self, player: Player, action: int) -> None:
        if action >= FROM_TABLE:
            copies = [card for card in player.table if card.code == action - FROM_TABLE]
            card = max(copies, key=lambda copy: copy.used)
            if len({copy.used for copy in copies}) > 1:
                self.events["most used copy played"] += 1
            player.table.remove(card)
        else:
            card = next(card for card in player.hand if card.code == action)
            player.hand.remove(card)
        if self.lead is None:
            self.lead = card
            if not self.dealer_shows_before_lead and self.trick == 0 and self.players[DEALER].blanche:
                self._ask([DEALER])
            return
        first, self.lead = self.lead, None
        self.taker = 1 - self.leader if self._beats(card, first) else self.leader
        self.leader = self.taker
        self.trick += 1
        winner = self.players[self.taker]
        winner.tricks += 1
        winner.brisques += sum(played.rank in BRISQUES for played in (first, card))
        if self.stock:
            self.step = "declare"
            self._note(winner)
        elif not winner.hand:
            self.step = "last"

    def _last(self, player: Player, taken: bool) -> None:
        if taken:
            self._award(player, "last_trick")
        else:
            self.events["last trick declined"] += 1
            self.declined = player.seat
        self.over = True

    def _draw(self) -> None:
        """Both draw, the winner of the trick first; with the stock gone the cards on the table return to the hand."""
        seats = []
        for seat in (self.taker, 1 - self.taker):
            player = self.players[seat]
            player.hand.append(self.stock.pop(0))
            if player.hand[-1].rank in COURTS:
                player.blanche = False
            if player.blanche:
                seats.append(seat)
        if not self.stock:
            for player in self.players:
                player.hand += player.table
                player.table = []
        # Reading: the last two cards drawn are drawn like the others. (A carte blanche is no combination, so the
        # end of declarations does not touch it.)
        self._ask(seats)

    # -- declaring -----------------------------------------------------------------------------------------
    #
    # Reading: S003 shows by its example (a king laid beside a scored sequence makes another one) that the earlier
    # combination need not be broken first, and that scored cards serve again. What it does not say is that one
    # card must be new; without that the same cards could be scored after every trick. So every combination needs
    # one card not scored in its kind (marriage, sequence, bezique, four) before. It may lie on the table already.

    def _declarations(self, player: Player) -> set[int]:
        actions = {PASS}
        for index, suit in enumerate(SUITS):
            if self._marriage(player, suit):
                actions.add(MARRIAGE + index)
            if self._sequence(player, suit):
                actions.add(SEQUENCE + index)
        for level in LEVELS:
            if self._bezique(player, level):
                actions.add(BEZIQUE + level - 1)
        for rank, action in FOUR.items():
            if self._four_possible(player, rank):
                actions.add(action)
        for rank, action in TRUMP_FOUR.items():
            if self._trump_four(player, rank):
                actions.add(action)
        return actions

    def _choose(self, player: Player, needs: str, count: int, spent, barred, allowed=lambda cards: True):
        """The copies a combination uses, or None where it cannot be declared.

        `needs` are the card names in a fixed order, each wanted `count` times. Spent copies are used before new
        ones, the table before the hand, the most used before the less used; if so none would be new, the first
        card that has a new copy on the table, else in the hand, gives way to it (all this as in the other games).
        """
        chosen: list[Card] = []
        spare: list[list[Card]] = []  # for each place of `chosen` the copies of that card left over
        for name in needs.split():
            copies = [card for card in player.table + player.hand if card.rank + card.suit == name and not barred(card)]
            if len(copies) < count:
                return None
            copies.sort(key=lambda card: self._order(player, card, spent))  # stable: the first laid first
            chosen += copies[:count]
            spare += [copies[count:]] * count
        choices = [chosen]
        if all(spent(card) for card in chosen):
            choices = [
                [*chosen[:place], other, *chosen[place + 1 :]]
                for where in (player.table, player.hand)
                for place, others in enumerate(spare)
                for other in others
                if other in where and not spent(other)
            ]
        return next((cards for cards in choices if allowed(cards)), None)

    def _order(self, player: Player, card: Card, spent) -> tuple[int, int, int]:
        if card in player.hand:
            return 2, 0, 0
        return int(not spent(card)), -card.b if spent(card) else 0, -int(card.m)

    def _marriage(self, player: Player, suit: str) -> list[Card] | None:
        """No card of a scored sequence serves in a marriage: none out of it, none beside it."""
        return self._choose(player, f"Q{suit} K{suit}", 1, lambda card: card.m, lambda card: card.s)

    def _sequence(self, player: Player, suit: str) -> list[Card] | None:
        def allowed(cards: list[Card]) -> bool:
            """Whether no two sequences of the suit lie on the table then."""
            lying = player.table + [card for card in cards if card in player.hand]
            if not self.every_card_counts:
                lying = [card for card in lying if card.s or card in cards]
            numbers = Counter(card.rank for card in lying if card.suit == suit)
            return min(numbers[rank] for rank in RUN) < 2

        needs = " ".join(rank + suit for rank in RUN)
        return self._choose(player, needs, 1, lambda card: card.s, lambda card: False, allowed)

    def _bezique(self, player: Player, level: int) -> list[Card] | None:
        """A lower bezique is never made with a card of a higher one."""

        def barred(card: Card) -> bool:
            return card.b > level or (level > 1 and card.b == level and not self.doubles_again)

        return self._choose(player, "JD QS", level, lambda card: card.b > 0, barred)

    def _four_possible(self, player: Player, rank: str) -> bool:
        """A four of any suits.

        "Not while any card of the rank lies on the table in another combination": with the four laid, it must be
        all there is of the rank on the table. Reading: a card left over from a broken combination lies there too,
        since the example asks that one of five jacks be played, no matter which.
        """
        lying = player.lying(rank)
        if len(lying) > 4 or any(card.c == 2 for card in lying):  # the weaker four not out of the stronger
            return False
        if len(lying) == 4:
            return any(card.c == 0 for card in lying)
        return len(lying) + len(player.held(rank)) >= 4

    def _trump_four(self, player: Player, rank: str) -> list[Card] | None:
        lying = player.lying(rank)
        if self.trump is None or len(lying) > 4 or any(card.suit != self.trump for card in lying):
            return None
        cards = [*lying, *(card for card in player.held(rank) if card.suit == self.trump)][:4]
        # four that scored as a plain four are new to the stronger one
        return cards if len(cards) == 4 and any(card.c < 2 for card in cards) else None

    def _declare(self, player: Player, action: int) -> None:
        fours = {number: rank for rank, number in FOUR.items()}
        trump_fours = {number: rank for rank, number in TRUMP_FOUR.items()}
        if action in range(MARRIAGE, MARRIAGE + 4):
            suit = SUITS[action - MARRIAGE]
            cards = self._marriage(player, suit)
            self._make_trump(player, suit, "marriage")
            self._score(player, "m", "royal_marriage" if suit == self.trump else "marriage", cards, True)
        elif action in range(SEQUENCE, SEQUENCE + 4):
            suit = SUITS[action - SEQUENCE]
            cards = self._sequence(player, suit)
            self._make_trump(player, suit, "sequence")
            self._score(player, "s", "royal_sequence" if suit == self.trump else "sequence", cards, True)
        elif action in range(BEZIQUE, BEZIQUE + 4):
            level = action - BEZIQUE + 1
            self._score(player, "b", LEVELS[level], self._bezique(player, level), level)
        elif action in trump_fours:
            rank = trump_fours[action]
            self._score(player, "c", TRUMP_FOURS[rank], self._trump_four(player, rank), 2)
        elif action in fours:
            rank = fours[action]
            lying, held = player.lying(rank), player.held(rank)
            missing = 4 - len(lying)
            if len(held) > missing > 0 and len({card.code for card in held}) > 1:
                self.picking, self.picked, self.step = rank, [], "lay"
                self.events["lay"] += 1
                return
            self._score(player, "c", FOURS[rank], lying + held[:missing], 1)
        self._draw()

    def _pick(self, player: Player, action: int) -> None:
        """The cards of the rank on the table are in the four; which go to them from the hand is the choice."""
        self.picked.append(
            next(card for card in player.held(self.picking) if card.code == action and card not in self.picked)
        )
        lying = player.lying(self.picking)
        if len(lying) + len(self.picked) == 4:
            self._score(player, "c", FOURS[self.picking], lying + self.picked, 1)
            self.picked, self.picking = [], ""
            self._draw()

    def _make_trump(self, player: Player, suit: str, by: str) -> None:
        if self.trump is None:
            self.trump = suit
            self.trump_trick = self.trick
            self.trump_maker = player.seat
            self.events[f"trump by {by}"] += 1

    def _score(self, player: Player, kind: str, name: str, cards: list[Card], mark: int) -> None:
        """Lay down what is in the hand, mark the cards and count the combination."""
        if any(getattr(card, kind) == mark for card in cards):
            self.events[f"again: {name}"] += 1
        elif any(getattr(card, kind) for card in cards):
            self.events[f"grown: {name}"] += 1
        if all(card in player.table for card in cards):
            self.events["scored from the table"] += 1
        for card in cards:
            if card in player.hand:
                player.hand.remove(card)
                player.table.append(card)
            setattr(card, kind, mark)  # never lowered: cards with a higher mark are barred
        player.counts[name] += 1
        player.first.setdefault(name, self.trick)
        self.events[name] += 1
        self._award(player, name)

    def _award(self, player: Player, source: str) -> None:
        player.points += self.rules[source]
        player.scored[source] += self.rules[source]

    def _note(self, player: Player) -> None:
        """Count what the two restrictions forbid, so that tests know they were met."""
        for rank, name in FOURS.items():
            if len(player.lying(rank)) > 4:
                self.events[f"barred: {name}"] += 1
        for rank, name in TRUMP_FOURS.items():
            trumps = [card for card in player.table + player.held(rank) if card.rank == rank]
            if sum(card.suit == self.trump for card in trumps) >= 4 and not self._trump_four(player, rank):
                self.events[f"barred: {name}"] += 1
        for suit in SUITS:
            numbers = Counter(card.rank for card in player.table + player.hand if card.suit == suit)
            if min(numbers[rank] for rank in RUN) > 1 and not self._sequence(player, suit):
                self.events["barred: second sequence"] += 1

    # -- the row -------------------------------------------------------------------------------------------

    def row(self) -> dict[str, int | list[int]]:
        """What the game measures; lists are per seat."""
        assert self.over
        players = self.players
        row: dict[str, int | list[int]] = {"points": [player.points for player in players]}
        for name in reference.MELDS[SIX]:
            row[f"points_{name}"] = [player.scored[name] for player in players]
            row[f"count_{name}"] = [player.counts[name] for player in players]
            row[f"first_{name}"] = [player.first.get(name, MISSING) for player in players]
        for name in reference.OTHER_POINTS[SIX]:
            row[f"points_{name}"] = [player.scored[name] for player in players]
        row["declarations"] = [sum(player.counts.values()) for player in players]
        row["tricks"] = [player.tricks for player in players]
        row["brisques"] = [player.brisques for player in players]
        row["cartes_blanches"] = [player.cartes_blanches for player in players]
        row["deals"] = self.deals
        row["margin"] = self.points[PONE] - self.points[DEALER]
        row["trump_trick"] = self.trump_trick
        row["trump_maker"] = [int(self.trump_maker == player.seat) for player in players]
        settled = settle_six(self.points, self.rules)
        row["rubiconed"] = [int(flag) for flag in settled.rubiconed]
        row["value"] = [settled.big_points, -settled.big_points]
        row["crossed"] = [int(points >= self.rules["rubicon_line"]) for points in self.points]
        row["declined"] = [int(player.seat == self.declined) for player in players]
        row["won"] = [int(settled.winner == player.seat) for player in players]
        row["winner_points"] = max(self.points)
        row["loser_points"] = min(self.points)
        return row


class Settlement(NamedTuple):
    """How a deal is paid."""

    value: int  # for seat 0; negative: seat 1 won
    big_points: int  # the same in hundreds
    rubiconed: tuple[bool, bool]  # the loser stayed below the line while the winner did not
    winner: int | None


def settle_six(points: Sequence[int], rules: dict[str, int] | None = None) -> Settlement:
    """Settle a deal.

    Readings: exactly 3000 has crossed (CATALOGUE); equal points pay nothing, as in rubicon bezique; "a difference
    under 100 always counts one big point" is said of differences, so not where the loser's points are added; a
    total half-way between two hundreds is rounded up, as is usual.
    """
    rules = reference.DEFAULTS[SIX] | (rules or {})
    if points[0] == points[1]:
        return Settlement(0, 0, (False, False), None)
    winner = int(points[1] > points[0])
    high, low = max(points), min(points)
    rubiconed = low < rules["rubicon_line"] <= high
    value = high + low if rubiconed else max(high - low, rules["least_difference"])
    value += rules["game_bonus"]
    big_points = (value + 50) // 100
    sign = 1 if winner == 0 else -1
    flags = (rubiconed and winner == 1, rubiconed and winner == 0)
    return Settlement(sign * value, sign * big_points, flags, winner)
