"""Bezique (two packs) and rubicon bezique with cards as objects: the slow oracle for the compiled games.

Written from the rules alone. Sources: CATALOGUE 2.1 ("bezique frame", `bezique`, `rubicon-bezique`), the
text S000 behind it, and the table of actions and decisions agreed for both implementations ("spec").

A card on the table carries its history with it: in what it was scored, and to which scored combination of
each kind it belongs now. A combination is broken when one of its cards leaves the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# Cards (spec) ---------------------------------------------------------------------------------------------

RANKS = "789JQKTA"  # low to high: the ten ranks above the king
SUITS = "SHDC"
COURTS = "JQK"  # a carte blanche holds none of these
BRISQUES = "AT"

PONE, DEALER = 0, 1
MISSING = -(2**31)  # "never" in a row

# Actions (spec) -------------------------------------------------------------------------------------------

FROM_TABLE = 32  # play: 32 + code plays a card which lies on the table
PASS = 0  # declare
MARRIAGE = 1  # + suit
SEQUENCE = 5  # + suit
BEZIQUE = 9  # + level - 1
FOUR = {"A": 13, "K": 14, "Q": 15, "J": 16}
SEVEN = 17
DECLINE, SHOW = 0, 1  # carte blanche

LEVELS = {1: "bezique", 2: "double_bezique", 3: "triple_bezique", 4: "quadruple_bezique"}
FOURS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}

# What differs between the games ---------------------------------------------------------------------------

_FOUR_VALUES = {"aces": 100, "kings": 80, "queens": 60, "jacks": 40}

DEFAULTS: dict[str, dict[str, int | str]] = {
    "bezique": {
        "marriage": 20,
        "royal_marriage": 40,
        "royal_sequence": 250,
        "bezique": 40,
        "double_bezique": 500,
        **_FOUR_VALUES,
        "seven": 10,
        "brisque": 10,
        "last_trick": 10,
        "target": 1000,  # 0: one deal is played out
        "draw_order": "winner",  # or "pone": French custom
        "brisques": "as_won",  # or "at_end"
    },
    "rubicon-bezique": {
        "marriage": 20,
        "royal_marriage": 40,
        "sequence": 150,
        "royal_sequence": 250,
        "bezique": 40,
        "double_bezique": 500,
        "triple_bezique": 1500,
        "quadruple_bezique": 4500,
        **_FOUR_VALUES,
        "carte_blanche": 50,
        "last_trick": 50,
        "brisque": 10,
        "rubicon_line": 1000,
        "game_bonus": 500,
        "rubicon_bonus": 1000,
        "brisque_bonus": 300,
        "close_bonus": 100,
        "low_loser": 100,
    },
}

MELDS = {
    "bezique": [
        "marriage",
        "royal_marriage",
        "royal_sequence",
        "bezique",
        "double_bezique",
        "aces",
        "kings",
        "queens",
        "jacks",
    ],
    "rubicon-bezique": [
        "marriage",
        "royal_marriage",
        "sequence",
        "royal_sequence",
        "bezique",
        "double_bezique",
        "triple_bezique",
        "quadruple_bezique",
        "aces",
        "kings",
        "queens",
        "jacks",
    ],
}

OTHER_POINTS = {  # what else is scored, beside combinations
    "bezique": ["seven", "brisques", "last_trick"],
    "rubicon-bezique": ["carte_blanche", "last_trick"],
}

PACKS = {"bezique": 2, "rubicon-bezique": 4}
PHASES = {
    "bezique": ["declare", "lay", "play"],
    "rubicon-bezique": ["show", "declare", "lay", "play"],
}
# S000: rubicon nine cards by threes; bezique (deal lost in the text) eight, 3-2-3.
PACKETS = {"bezique": [3, 2, 3], "rubicon-bezique": [3, 3, 3]}


def code_of(name: str) -> int:
    """Type code of a card written as rank and suit, e.g. `QS`."""
    rank, suit = name
    return 8 * SUITS.index(suit) + RANKS.index(rank)


def name_of(code: int) -> str:
    """Rank and suit of a type code."""
    return RANKS[code % 8] + SUITS[code // 8]


def pack(game: str) -> list[int]:
    """All cards of the game, sorted."""
    return sorted(list(range(32)) * PACKS[game])


@dataclass(eq=False)
class Meld:
    """One scored combination."""

    kind: str  # "marriage", "sequence", "single" (bezique), "bezique" (level 2-4), "four"
    cards: list[Card]
    rank: str = ""  # of a four
    broken: bool = False


@dataclass(eq=False)
class Card:
    """One physical card, and what it was used in since it was laid on the table."""

    rank: str
    suit: str
    m: bool = False  # used in a scored marriage
    s: bool = False  # used in a scored sequence
    b: int = 0  # highest level of bezique it was scored in
    c: bool = False  # used in a scored four
    belongs: dict[str, Meld] = field(default_factory=dict)  # kind -> the combination it belongs to now
    seven_scored: bool = False  # a trump seven which has brought its 10 points

    @classmethod
    def of(cls, code: int) -> Card:
        return cls(RANKS[code % 8], SUITS[code // 8])

    @property
    def code(self) -> int:
        return code_of(self.rank + self.suit)

    @property
    def height(self) -> int:
        return RANKS.index(self.rank)

    @property
    def used(self) -> int:
        """Of several copies on the table the one with the largest value is played first (spec)."""
        return self.m + 2 * self.c + 4 * self.b + 32 * self.s

    def free(self, kind: str) -> bool:
        """Whether the combination of this kind which the card belongs to has been broken."""
        return kind in self.belongs and self.belongs[kind].broken

    def __repr__(self) -> str:
        marks = f"{'m' * self.m}{'s' * self.s}{f'b{self.b}' if self.b else ''}{'c' * self.c}"
        return self.rank + self.suit + (f"[{marks}]" if marks else "")


@dataclass(eq=False)
class Player:
    """One seat."""

    seat: int
    hand: list[Card] = field(default_factory=list)
    table: list[Card] = field(default_factory=list)  # in the order they were laid
    melds: list[Meld] = field(default_factory=list)  # scored in this deal
    credits: set[str] = field(default_factory=set)  # ranks of fours that may be claimed again
    blanche: bool = False  # carte blanche may still be shown (first: dealt; then: every draw so far)
    points: int = 0
    scored: Counter[str] = field(default_factory=Counter)  # points by source
    counts: Counter[str] = field(default_factory=Counter)  # combinations by name
    first: dict[str, int] = field(default_factory=dict)  # trick of the first one of each name
    declarations: int = 0
    tricks: int = 0
    brisques: int = 0
    deal_brisques: int = 0
    cartes_blanches: int = 0

    def open_fours(self, rank: str) -> list[Meld]:
        """Scored fours of a rank which still lie complete on the table."""
        return [meld for meld in self.melds if meld.kind == "four" and meld.rank == rank and not meld.broken]


# What a combination asks of a card (spec, "Combinations and re-use") --------------------------------------


def is_new(card: Card, kind: str) -> bool:
    """Whether the card has not been used in a combination of this kind; every combination needs one."""
    if kind == "marriage":
        return not card.m
    if kind == "sequence":
        return not card.s
    if kind == "four":
        return not card.c
    return card.b == 0


def is_eligible(card: Card, kind: str, level: int, reforming: bool) -> bool:
    """Whether the card may take part; with re-forming (rubicon) also cards of broken combinations may.

    Without re-forming "a card used once in a combination cannot take part in another of equal value in the
    same class". In both games no lower combination out of cards of a higher one of the same class.
    """
    if kind == "marriage":
        return not card.s and (not card.m or (reforming and card.free("marriage")))
    if kind == "sequence":
        return not card.s or (reforming and card.free("sequence"))
    if kind == "four":
        return not card.c or (reforming and card.free("four"))
    if level == 1:
        return card.b == 0 or (reforming and card.b == 1 and card.free("single"))
    return card.b < level


class Reference:
    """One row of `bezique` or `rubicon-bezique`, played from given decks.

    `decks` are used one a deal. When one more is needed and none is left, `phase()` is "deal" and `actor()`
    is -1 until `feed` brings it. `events` counts what happened, for tests which must know what they covered.
    """

    def __init__(
        self, game: str, rules: dict[str, int | str] | None = None, decks: Iterable[Sequence[int]] = ()
    ) -> None:
        unknown = set(rules or {}) - set(DEFAULTS[game])
        if unknown:
            raise ValueError(f"{game} has no rule {sorted(unknown)}")
        self.game = game
        self.rubicon = game == "rubicon-bezique"
        self.rules: dict[str, int | str] = DEFAULTS[game] | (rules or {})
        self.players = [Player(PONE), Player(DEALER)]
        self.decks = [list(deck) for deck in decks]
        self.events: Counter[str] = Counter()
        self.over = False
        self.winner: int | None = None  # who reached the target (`bezique`)
        self.deals = 0
        self.trick = 0  # tricks completed, counted through the whole row
        self.trump_trick = MISSING
        self.trump_maker: int | None = None
        self.step = "deal"
        self._next_deal()

    # -- dealing -------------------------------------------------------------------------------------------

    def feed(self, deck: Sequence[int]) -> None:
        """Bring the deck that `phase() == "deal"` waits for."""
        assert self.step == "deal"
        assert not self.over
        self.decks.append(list(deck))
        self._next_deal()

    def _next_deal(self) -> None:
        if not self.decks:
            self.step = "deal"
            return
        deck = self.decks.pop(0)
        assert sorted(deck) == pack(self.game)
        cards = [Card.of(code) for code in deck]
        self.pone = self.deals % 2  # the deal alternates; seat 1 deals first
        self.dealer = 1 - self.pone
        self.deals += 1
        for player in self.players:
            player.hand, player.table, player.melds = [], [], []
            player.credits = set()
            player.deal_brisques = 0
            player.blanche = False
        for packet in PACKETS[self.game]:
            for seat in (self.pone, self.dealer):
                self.players[seat].hand += cards[:packet]
                del cards[:packet]
        self.turn_up = None if self.rubicon else cards.pop(0)
        self.stock = cards
        self.trump = None if self.turn_up is None else self.turn_up.suit
        self.lead: Card | None = None
        self.leader = self.pone
        self.taker: int | None = None  # winner of the last trick
        self.showing: list[int] = []  # seats to be asked about a carte blanche
        self.picked: list[Card] = []  # lay phase
        self.picking = ""  # its rank
        self.deal_tricks = 0
        self.step = "play"
        if self.rubicon:
            for player in self.players:
                player.blanche = not any(card.rank in COURTS for card in player.hand)
            if self.players[self.pone].blanche:
                self._ask([self.pone])
        elif self.turn_up.rank == "7":
            # Established rule in CATALOGUE: a seven turned scores 10 for the dealer at once.
            self.turn_up.seven_scored = True
            self.events["seven turned"] += 1
            self._award(self.dealer, "seven", self.rules["seven"])

    # -- the interface -------------------------------------------------------------------------------------

    def phase(self) -> str:
        return self.step

    def actor(self) -> int:
        if self.step == "deal" or self.over:
            return -1
        if self.step == "show":
            return self.showing[0]
        if self.step in ("declare", "lay"):
            return self.taker
        return self.leader if self.lead is None else 1 - self.leader

    def legal(self) -> set[int]:
        if self.step == "deal" or self.over:
            return set()
        player = self.players[self.actor()]
        if self.step == "show":
            return {DECLINE, SHOW}
        if self.step == "declare":
            return self._legal_declarations(player)
        if self.step == "lay":
            return self._legal_picks(player)
        if self.phase_one:
            return {card.code for card in player.hand} | {FROM_TABLE + card.code for card in player.table}
        return {card.code for card in self._phase_two_choice(player)}

    def apply(self, action: int) -> None:
        assert action in self.legal(), (self.step, action, sorted(self.legal()))
        if self.step == "show":
            self._apply_show(action)
        elif self.step == "declare":
            self._apply_declaration(action)
        elif self.step == "lay":
            self._apply_pick(action)
        else:
            self._apply_play(action)

    @property
    def phase_one(self) -> bool:
        """Whether cards are drawn after the trick now being played."""
        return bool(self.stock)

    @property
    def points(self) -> tuple[int, int]:
        return self.players[0].points, self.players[1].points

    # -- carte blanche (rubicon) ---------------------------------------------------------------------------

    def _ask(self, seats: list[int]) -> None:
        """Ask these seats, in this order; the play goes on when all have answered."""
        self.showing = seats
        self.step = "show" if seats else "play"

    def _apply_show(self, action: int) -> None:
        player = self.players[self.showing[0]]
        if action == SHOW:
            player.cartes_blanches += 1
            self.events["carte blanche" if player.cartes_blanches == 1 else "carte blanche again"] += 1
            self._award(player.seat, "carte_blanche", self.rules["carte_blanche"])
        else:
            player.blanche = False
            self.events["carte blanche declined"] += 1
        self._ask(self.showing[1:])

    # -- tricks --------------------------------------------------------------------------------------------

    def _beats(self, second: Card, first: Card) -> bool:
        """Whether the card played second wins; of identical cards the first does."""
        if second.suit == first.suit:
            return second.height > first.height
        return second.suit == self.trump

    def _phase_two_choice(self, player: Player) -> list[Card]:
        """F, H, R: follow suit and head the trick if able; without the suit trump if able."""
        if self.lead is None:
            return player.hand
        suited = [card for card in player.hand if card.suit == self.lead.suit]
        if suited:
            return [card for card in suited if self._beats(card, self.lead)] or suited
        return [card for card in player.hand if card.suit == self.trump] or player.hand

    def _apply_play(self, action: int) -> None:
        player = self.players[self.actor()]
        if action >= FROM_TABLE:
            copies = [card for card in player.table if card.code == action - FROM_TABLE]
            card = max(copies, key=lambda copy: copy.used)  # ties: max keeps the first laid
            if len({copy.used for copy in copies}) > 1:
                self.events["most used copy played"] += 1
            self._leave_table(player, card)
        else:
            copies = [card for card in player.hand if card.code == action]
            # Copies in the hand have no history, except that a trump seven may have scored: that one goes.
            card = max(copies, key=lambda copy: copy.seven_scored)
            if len({copy.seven_scored for copy in copies}) > 1:
                self.events["scored seven played"] += 1
            player.hand.remove(card)
            self._earn_credit(player, card)
        if self.lead is None:
            self.lead = card
            if self.rubicon and self.deal_tricks == 0 and self.players[self.dealer].blanche:
                self._ask([self.dealer])
            return
        self._end_trick(self.lead, card)

    def _leave_table(self, player: Player, card: Card) -> None:
        player.table.remove(card)
        for meld in player.melds:
            if card in meld.cards:
                meld.broken = True
        for rank in sorted(player.credits):
            if not player.open_fours(rank):
                player.credits.remove(rank)
                self.events["credit lost"] += 1

    def _earn_credit(self, player: Player, card: Card) -> None:
        """Rubicon: "having declared aces he may lead or play another ace and claim 100 again".

        The four on the table stays as it is; the card played from the hand stands for a change of one.
        """
        if self.rubicon and self.phase_one and player.open_fours(card.rank):
            player.credits.add(card.rank)
            self.events["credit earned"] += 1

    def _end_trick(self, first: Card, second: Card) -> None:
        self.taker = 1 - self.leader if self._beats(second, first) else self.leader
        winner = self.players[self.taker]
        self.lead = None
        self.leader = self.taker
        self.trick += 1
        self.deal_tricks += 1
        winner.tricks += 1
        brisques = sum(card.rank in BRISQUES for card in (first, second))
        winner.brisques += brisques
        winner.deal_brisques += brisques
        if not self.rubicon and self.rules["brisques"] == "as_won":
            self._award(self.taker, "brisques", brisques * self.rules["brisque"])
        if self.over:
            return
        if self.phase_one:
            self.step = "declare"
            self._note_held(winner)
        elif not self.players[0].hand:
            self._award(self.taker, "last_trick", self.rules["last_trick"])
            if not self.over:
                self._end_deal()

    def _draw(self) -> None:
        """Restore both hands; the winner of the trick draws first, or always the pone (French custom)."""
        first = self.taker
        if self.rules.get("draw_order") == "pone":
            first = self.pone
        drawn = {}
        for seat in (first, 1 - first):
            # The turn-up is the last card drawn, so it falls to the loser (`bezique`).
            drawn[seat] = self.stock.pop(0) if self.stock else self.turn_up
            self.players[seat].hand.append(drawn[seat])
        self.step = "play"
        if not self.stock:  # the cards on the table return to the hand
            self.turn_up = None
            for player in self.players:
                player.hand += player.table
                player.table = []
        if self.rubicon:
            seats = []
            for seat in (self.taker, 1 - self.taker):
                player = self.players[seat]
                if drawn[seat].rank in COURTS:
                    player.blanche = False
                if player.blanche:
                    seats.append(seat)
            self._ask(seats)

    # -- declaring -----------------------------------------------------------------------------------------

    def _choose(self, player: Player, kind: str, level: int, needs: list[tuple[str, int]]) -> list[Card] | None:
        """The copies a combination uses (spec), or None where it cannot be declared.

        `needs` are card names with how many of each, in the order J, Q, K, T, A. Of each the copies used
        before are preferred, then those on the table, then those in the hand; but one must be new.
        """
        lists = []
        for name, number in needs:
            copies = [
                card
                for card in player.table + player.hand
                if card.rank + card.suit == name and is_eligible(card, kind, level, self.rubicon)
            ]
            if len(copies) < number:
                return None
            copies.sort(key=lambda card: self._preference(player, card, kind))  # stable: laid first
            lists.append((copies, number))
        chosen = [(card, copies) for copies, number in lists for card in copies[:number]]
        if any(is_new(card, kind) for card, _ in chosen):
            return [card for card, _ in chosen]
        # None of the chosen is new: the first which has a new copy on the table, else in the hand, gives way.
        cards = [card for card, _ in chosen]
        for place in (player.table, player.hand):
            for position, (_, copies) in enumerate(chosen):
                for other in copies:
                    if other in place and is_new(other, kind):
                        cards[position] = other
                        return cards
        return None

    def _preference(self, player: Player, card: Card, kind: str) -> tuple[int, int]:
        if card in player.hand:
            return 2, 0
        if is_new(card, kind):
            return 1, -int(card.m) if kind == "sequence" else 0
        return 0, -card.b if kind in ("single", "bezique") else 0

    def _marriage(self, player: Player, suit: str) -> list[Card] | None:
        return self._choose(player, "marriage", 0, [("Q" + suit, 1), ("K" + suit, 1)])

    def _sequence(self, player: Player, suit: str) -> list[Card] | None:
        if not self.rubicon and suit != self.trump:  # two packs: only the trump suit has a sequence
            return None
        return self._choose(player, "sequence", 0, [(rank + suit, 1) for rank in "JQKTA"])

    def _bezique(self, player: Player, level: int) -> list[Card] | None:
        if LEVELS[level] not in MELDS[self.game]:
            return None
        kind = "single" if level == 1 else "bezique"
        return self._choose(player, kind, level, [("JD", level), ("QS", level)])

    def _four_copies(self, player: Player, rank: str) -> list[Card]:
        """All copies eligible for a four: free ones, new on the table, in the hand; suits S H D C in each."""
        copies = [
            card
            for card in player.table + player.hand
            if card.rank == rank and is_eligible(card, "four", 0, self.rubicon)
        ]
        copies.sort(key=lambda card: (self._preference(player, card, "four"), SUITS.index(card.suit)))
        return copies

    def _four_possible(self, player: Player, rank: str) -> bool:
        copies = self._four_copies(player, rank)
        return len(copies) >= 4 and any(is_new(card, "four") for card in copies)

    def _seven(self, player: Player) -> Card | None:
        """A trump seven in the hand which has not scored (`bezique`)."""
        for card in player.hand:
            if not self.rubicon and card.rank == "7" and card.suit == self.trump and not card.seven_scored:
                return card
        return None

    def _legal_declarations(self, player: Player) -> set[int]:
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
            if rank in player.credits or self._four_possible(player, rank):
                actions.add(action)
        if self._seven(player):
            actions.add(SEVEN)
        return actions

    def _apply_declaration(self, action: int) -> None:
        player = self.players[self.taker]
        fours = {number: rank for rank, number in FOUR.items()}
        if action in range(MARRIAGE, MARRIAGE + 4):
            suit = SUITS[action - MARRIAGE]
            cards = self._marriage(player, suit)
            self._make_trump(player, suit, "marriage")
            self._score(player, "marriage", "royal_marriage" if suit == self.trump else "marriage", cards)
        elif action in range(SEQUENCE, SEQUENCE + 4):
            suit = SUITS[action - SEQUENCE]
            cards = self._sequence(player, suit)
            self._make_trump(player, suit, "sequence")
            self._score(player, "sequence", "royal_sequence" if suit == self.trump else "sequence", cards)
        elif action in range(BEZIQUE, BEZIQUE + 4):
            level = action - BEZIQUE + 1
            cards = self._bezique(player, level)
            self._score(player, "single" if level == 1 else "bezique", LEVELS[level], cards, level=level)
        elif action in fours:
            rank = fours[action]
            if rank in player.credits:
                player.credits.remove(rank)
                self.events["credit used"] += 1
                self._count(player, FOURS[rank])
            else:
                copies = self._four_copies(player, rank)
                if len(copies) > 4 and len({card.code for card in copies}) > 1:
                    self.picking, self.picked = rank, []
                    self.step = "lay"
                    self.events["lay"] += 1
                    return
                # Exactly four, since no pack holds five copies of one card.
                self._score(player, "four", FOURS[rank], copies, rank=rank)
        elif action == SEVEN:
            self._exchange(player)
        if not self.over:
            self._draw()

    def _make_trump(self, player: Player, suit: str, by: str) -> None:
        """Rubicon: the first marriage or sequence scored makes its suit trump."""
        if self.trump is None:
            self.trump = suit
            self.trump_trick = self.trick
            self.trump_maker = player.seat
            self.events[f"trump by {by}"] += 1

    def _score(self, player: Player, kind: str, name: str, cards: list[Card], level: int = 0, rank: str = "") -> None:
        """Lay down what is in the hand, mark all cards and count the combination."""
        if any(card.free(kind) for card in cards):
            self.events[f"re-formed {kind}"] += 1
        if all(card in player.table for card in cards):
            self.events["scored from the table"] += 1
        if any(
            is_new(card, kind)
            and other.code == card.code
            and not is_new(other, kind)
            and is_eligible(other, kind, level, self.rubicon)
            for card in cards
            for other in player.table
            if other not in cards
        ):
            self.events[f"new copy in place of a used one: {kind}"] += 1
        for card in cards:
            if card in player.hand:
                player.hand.remove(card)
                player.table.append(card)
        meld = Meld(kind, cards, rank)
        player.melds.append(meld)
        for card in cards:
            if kind == "marriage":
                card.m = True
            elif kind == "sequence":
                card.s = True
            elif kind == "four":
                card.c = True
            else:
                card.b = level
            card.belongs[kind] = meld
        self._count(player, name)

    def _count(self, player: Player, name: str) -> None:
        player.counts[name] += 1
        player.first.setdefault(name, self.trick)
        player.declarations += 1
        self.events[name] += 1
        self._award(player.seat, name, self.rules[name])

    def _exchange(self, player: Player) -> None:
        """Change a trump seven for the turn-up and score 10; the turn-up may be the other seven."""
        seven = self._seven(player)
        seven.seven_scored = True
        self.events["seven for a seven" if self.turn_up.rank == "7" else "seven exchanged"] += 1
        player.hand.remove(seven)
        player.hand.append(self.turn_up)
        self.turn_up = seven
        self._award(player.seat, "seven", self.rules["seven"])

    # -- the lay phase: which four of more than four -------------------------------------------------------

    def _legal_picks(self, player: Player) -> set[int]:
        left = [card for card in self._four_copies(player, self.picking) if card not in self.picked]
        last = len(self.picked) == 3
        if last and not any(is_new(card, "four") for card in self.picked):
            left = [card for card in left if is_new(card, "four")]
        return {card.code for card in left}

    def _apply_pick(self, action: int) -> None:
        player = self.players[self.taker]
        left = [
            card for card in self._four_copies(player, self.picking) if card not in self.picked and card.code == action
        ]
        if len(self.picked) == 3 and not any(is_new(card, "four") for card in self.picked):
            if not is_new(left[0], "four"):
                self.events["lay: a new one last"] += 1
            left = [card for card in left if is_new(card, "four")]
        self.picked.append(left[0])
        if len(self.picked) == 4:
            self._score(player, "four", FOURS[self.picking], self.picked, rank=self.picking)
            self.picked, self.picking = [], ""
            if not self.over:
                self._draw()

    def _note_held(self, player: Player) -> None:
        """Count the combinations which lie complete on the table and wait: "held in mind"."""
        whole = Player(player.seat, [], player.table, player.melds, set(player.credits))
        held = len(self._legal_declarations(whole)) - 1
        if held:
            self.events["held"] += 1
        if held > 1:
            self.events["several held"] += 1

    # -- scores --------------------------------------------------------------------------------------------

    def _award(self, seat: int, source: str, points: int) -> None:
        """Add points; in `bezique` who first reaches the target wins at once."""
        player = self.players[seat]
        player.points += points
        player.scored[source] += points
        target = self.rules.get("target", 0)
        if target and points and player.points >= target:
            self.winner = seat
            self.over = True

    def _end_deal(self) -> None:
        if self.rubicon:
            self.over = True
            return
        target = self.rules["target"]
        if self.rules["brisques"] == "at_end":
            for player in self.players:
                points = player.deal_brisques * self.rules["brisque"]
                player.points += points
                player.scored["brisques"] += points
            # Counted for both together: the higher of two at the target wins, equal scores play on.
            if target and max(self.points) >= target:
                if self.points[0] == self.points[1]:
                    self.events["equal at the target"] += 1
                else:
                    self.winner = _ahead(self.points)
                    self.over = True
        if not target:
            self.winner = _ahead(self.points)
            self.over = True
        if not self.over:
            self._next_deal()

    def row(self) -> dict[str, int | list[int]]:
        """What the game measures; lists are per seat (spec, "Row")."""
        assert self.over
        players = self.players
        winner = self.winner
        row: dict[str, int | list[int]] = {"points": [player.points for player in players]}
        for name in MELDS[self.game]:
            row[f"points_{name}"] = [player.scored[name] for player in players]
            row[f"count_{name}"] = [player.counts[name] for player in players]
            row[f"first_{name}"] = [player.first.get(name, MISSING) for player in players]
        for name in OTHER_POINTS[self.game]:
            row[f"points_{name}"] = [player.scored[name] for player in players]
        row["declarations"] = [player.declarations for player in players]
        row["tricks"] = [player.tricks for player in players]
        row["brisques"] = [player.brisques for player in players]
        row["deals"] = self.deals
        row["margin"] = self.points[PONE] - self.points[DEALER]
        value = self.points[0] - self.points[1]
        if self.rubicon:
            settled = settle_rubicon(self.points, [player.brisques for player in players], self.rules)
            winner = settled.winner
            value = settled.value
            row["rubiconed"] = [int(flag) for flag in settled.rubiconed]
            row["saved"] = [int(flag) for flag in settled.saved]
            row["brisques_counted"] = int(settled.counted)
            row["trump_trick"] = self.trump_trick
            row["trump_maker"] = [int(self.trump_maker == player.seat) for player in players]
            row["cartes_blanches"] = [player.cartes_blanches for player in players]
        row["value"] = [value, -value]
        row["won"] = [int(winner == player.seat) for player in players]
        # The higher and the lower points made in play, also where counting brisques turned the result round.
        row["winner_points"] = max(self.points)
        row["loser_points"] = min(self.points)
        return row


# Settlement of rubicon bezique (CATALOGUE 2.1 `rubicon-bezique`, "Settlement", rules 1 to 4) ----------------


class Settlement(NamedTuple):
    """How a deal of rubicon bezique is paid."""

    value: int  # for seat 0; negative: seat 1 won
    saved: tuple[bool, bool]  # the loser reached the line only by counting brisques
    rubiconed: tuple[bool, bool]  # the loser did not
    counted: bool  # whether brisques were counted
    winner: int | None


def _ahead(points: Sequence[int]) -> int | None:
    """The seat with more points, None if they are equal."""
    return None if points[0] == points[1] else int(points[1] > points[0])


def _hundreds(points: int) -> int:
    return points // 100 * 100


def settle_rubicon(
    points: Sequence[int], brisques: Sequence[int], rules: dict[str, int | str] | None = None
) -> Settlement:
    """Settle a deal from the points made in play and the number of brisques won."""
    rules = DEFAULTS["rubicon-bezique"] | (rules or {})
    line = rules["rubicon_line"]
    counted_points = [points[seat] + rules["brisque"] * brisques[seat] for seat in (0, 1)]
    before, after = _ahead(points), _ahead(counted_points)

    # Rule 1. Brisques are counted exactly when that changes the winner or saves the loser.
    changed = before != after
    lifted = not changed and before is not None and points[1 - before] < line and counted_points[1 - before] >= line
    counted = changed or lifted
    nobody = (False, False)
    winner = after if counted else before
    if winner is None:  # a tie to the end: nobody wins
        return Settlement(0, nobody, nobody, counted, None)
    loser = 1 - winner
    sign = 1 if winner == 0 else -1
    flags = (loser == 0, loser == 1)

    totals = counted_points if counted else points
    if totals[loser] >= line:
        # Rule 2 (and the first half of rule 3: saved by brisques).
        difference = _hundreds(totals[winner]) - _hundreds(totals[loser])
        value = difference + rules["game_bonus"]
        if difference < 100:
            value += rules["close_bonus"]
        saved = flags if points[loser] < line else nobody
        return Settlement(sign * value, saved, nobody, counted, winner)

    # Rule 3: rubiconed; settled as if brisques had not been counted.
    value = _hundreds(points[winner]) + _hundreds(points[loser]) + rules["rubicon_bonus"] + rules["brisque_bonus"]
    if points[loser] < 100:
        value += rules["low_loser"]
    return Settlement(sign * value, nobody, flags, counted, winner)
