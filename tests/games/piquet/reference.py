"""Piquet in plain Python, written from the two books' rules alone: slow, and easy to check by eye.

Cards are text ("QS"), players are "elder" and "younger". A deal is told what the players do and says what may be done
and what everybody has scored, source by source.
"""

from __future__ import annotations

from dataclasses import dataclass, field

RANKS = "789TJQKA"
SUITS = "SHDC"
PIPS = {"7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
COURTS = "JQK"
PLAYERS = ("elder", "younger")


@dataclass(frozen=True)
class Rules:
    """How the games differ."""

    sequences: str = "ten_more"  # five and more: 10 + length, in both books
    lowest_set: str = "T"
    play: str = "above_nine"  # "above_nine", "american" or "leads"
    repique: int = 60
    repique_by: str = "order"  # "order" of scoring, or at the "end" of all declarations
    pique: int = 30
    capot: int = 40  # 0: there is none
    carte_blanche: int = 10
    carte_rouge: int = 0
    deal_winner: int = 0
    majority_at_once: bool = False


RUBICON = Rules()
AMERICAN = Rules(play="american")
CARTE_ROUGE = Rules(
    lowest_set="7",
    play="leads",
    repique=100,
    repique_by="end",
    capot=0,
    carte_rouge=20,
    deal_winner=100,
    majority_at_once=True,
)


def by_suit(hand: list[str]) -> dict[str, str]:
    """The ranks held in each suit, lowest first."""
    return {suit: "".join(rank for rank in RANKS if rank + suit in hand) for suit in SUITS}


def is_blank(hand: list[str]) -> bool:
    """No king, queen or jack."""
    return not any(card[0] in COURTS for card in hand)


def point_of(hand: list[str]) -> tuple[int, int]:
    """Length and count of the best suit."""
    return max((len(ranks), sum(PIPS[rank] for rank in ranks)) for ranks in by_suit(hand).values())


def sequences_of(hand: list[str]) -> list[tuple[int, int, str]]:
    """All sequences of three and more as (length, index of the top rank, suit), the best first."""
    found = []
    for suit, ranks in by_suit(hand).items():
        run = ""
        for rank in RANKS + " ":
            if rank in ranks and rank != " ":
                run += rank
                continue
            if len(run) >= 3:
                found.append((len(run), RANKS.index(run[-1]), suit))
            run = ""
    return sorted(found, reverse=True)


def sets_of(hand: list[str], lowest: str) -> list[tuple[int, int]]:
    """All threes and fours as (number, index of the rank), the best first."""
    counts = {rank: sum(card[0] == rank for card in hand) for rank in RANKS[RANKS.index(lowest) :]}
    return sorted(((count, RANKS.index(rank)) for rank, count in counts.items() if count >= 3), reverse=True)


def sequence_score(length: int) -> int:
    return length if length < 5 else 10 + length


def set_score(number: int) -> int:
    return 14 if number == 4 else 3


@dataclass
class Deal:
    """One deal.

    `talon` holds the eight other cards in the order they are drawn: elder's five first.
    """

    hands: dict[str, list[str]]
    talon: list[str]
    rules: Rules = RUBICON
    scores: dict[str, dict[str, int]] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)
    piqued: str | None = None
    repiqued: str | None = None
    tricks: dict[str, int] = field(default_factory=dict)
    led: str | None = None
    turn: str = "elder"
    record: list[tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dealt = {player: list(hand) for player, hand in self.hands.items()}
        self.hands = {player: list(hand) for player, hand in self.hands.items()}
        self.rest = list(self.talon)
        self.discarded: dict[str, list[str]] = {}
        self.left: dict[str, list[str]] = {}
        self.scores = {player: {} for player in PLAYERS}
        self.running = dict.fromkeys(PLAYERS, 0)
        self.tricks = dict.fromkeys(PLAYERS, 0)

    # -- scores -------------------------------------------------------------------------------------------------------

    def score(self, player: str, source: str, points: int) -> None:
        if points:
            self.scores[player][source] = self.scores[player].get(source, 0) + points
            self.running[player] += points

    def other(self, player: str) -> str:
        return PLAYERS[1 - PLAYERS.index(player)]

    def total(self, player: str) -> int:
        return sum(self.scores[player].values())

    # -- before the play ----------------------------------------------------------------------------------------------

    def may_show_blank(self, player: str) -> bool:
        return is_blank(self.dealt[player])

    def show_blank(self, player: str) -> None:
        assert self.may_show_blank(player)
        self.score(player, "carte_blanche", self.rules.carte_blanche)

    def least_and_most(self, player: str) -> tuple[int, int]:
        """How many cards may be exchanged."""
        return (1, 5) if player == "elder" else (0, len(self.rest))

    def exchange(self, player: str, discards: list[str]) -> list[str]:
        """Exchange cards and return those drawn; the younger has his own three first, then what elder left."""
        low, high = self.least_and_most(player)
        assert low <= len(discards) <= high
        assert set(discards) <= set(self.hands[player])
        if player == "elder":
            drawn = self.rest[: len(discards)]
            # elder's own five, then the younger's three, of which those drawn later come first where piles are apart
            self.left["elder"] = self.rest[len(discards) : 5]
            self.rest = self.rest[len(discards) :]
        else:
            drawn = self.order_of_younger()[: len(discards)]
            self.rest = [card for card in self.rest if card not in drawn]
        self.discarded[player] = list(discards)
        self.hands[player] = [card for card in self.hands[player] if card not in discards] + drawn
        return drawn

    def order_of_younger(self) -> list[str]:
        """What the younger draws: from one talon what elder left first; from two piles his own three first."""
        if self.rules.repique_by == "end":  # the encyclopedia's piles
            return self.rest[-3:] + self.rest[:-3]
        return list(self.rest)

    def declare(
        self, silent: dict[str, set[str]] | None = None, announced: dict[str, dict[str, list]] | None = None
    ) -> None:
        """Compare everything that is announced and score it.

        `silent` says what a player sinks, of "point", "sequence" and "set". Where he sinks some of a kind only,
        `announced` has by player and kind all that he names: suits, top cards of sequences, ranks.
        """
        hands = self.hands
        held = {player: self.holdings(player) for player in PLAYERS}
        for player in PLAYERS:
            for what, names in (announced or {}).get(player, {}).items():
                assert set(names) <= set(held[player][what]), (player, what, names)
            for what in held[player]:
                if announced is not None:
                    names = announced[player].get(what, [])
                    held[player][what] = {name: held[player][what][name] for name in names}
                elif what in (silent or {}).get(player, set()):
                    held[player][what] = {}
        points = {player: max(held[player]["point"].values(), default=(0, 0)) for player in PLAYERS}
        runs = {
            player: sorted(((*key, top[1]) for top, key in held[player]["sequence"].items()), reverse=True)
            for player in PLAYERS
        }
        kinds = {player: sorted(held[player]["set"].values(), reverse=True) for player in PLAYERS}
        used: dict[str, set[str]] = {player: set() for player in PLAYERS}
        self.won: dict[str, str | None] = {}

        best = self.better(points["elder"], points["younger"])
        self.won["point"] = best
        if best:
            self.score(best, "point", points[best][0])
            suit = next(iter(held[best]["point"]))
            used[best] |= {rank + suit for rank in by_suit(hands[best])[suit]}
        self.check_repique()

        def top(player: str) -> tuple[int, int]:
            return runs[player][0][:2] if runs[player] else (0, 0)

        best = self.better(top("elder"), top("younger"))
        self.won["sequence"] = best
        if best:
            for length, high, suit in runs[best]:
                self.score(best, "sequences", sequence_score(length))
                used[best] |= {RANKS[high - k] + suit for k in range(length)}
        self.check_repique()

        best = self.better(*(kinds[player][0] if kinds[player] else (0, 0) for player in PLAYERS))
        self.won["set"] = best
        if best:
            for number, rank in kinds[best]:
                self.score(best, "sets", set_score(number))
                used[best] |= {RANKS[rank] + suit for suit in SUITS if RANKS[rank] + suit in hands[best]}
        self.check_repique()

        if self.rules.carte_rouge:
            for player in PLAYERS:
                if set(hands[player]) <= used[player]:
                    self.score(player, "carte_rouge", self.rules.carte_rouge)
        self.check_repique(at_the_end=True)
        self.used = used

    def holdings(self, player: str) -> dict[str, dict[str, tuple[int, int]]]:
        """All that a player could name, with what it is compared by."""
        hand = self.hands[player]
        best = point_of(hand)
        suits = {
            suit: best
            for suit, ranks in by_suit(hand).items()
            if (len(ranks), sum(PIPS[rank] for rank in ranks)) == best
        }
        runs = {RANKS[high] + suit: (length, high) for length, high, suit in sequences_of(hand)}
        kinds = {RANKS[rank]: (number, rank) for number, rank in sets_of(hand, self.rules.lowest_set)}
        return {"point": suits, "sequence": runs, "set": kinds}

    @staticmethod
    def better(elder: tuple[int, ...], younger: tuple[int, ...]) -> str | None:
        if elder == younger:
            return None
        return "elder" if elder > younger else "younger"

    def check_repique(self, at_the_end: bool = False) -> None:
        if self.repiqued or (self.rules.repique_by == "end" and not at_the_end):
            return
        for player in PLAYERS:
            if self.running[player] >= 30 and self.running[self.other(player)] == 0:
                self.repiqued = player
        if self.repiqued:
            self.score(self.repiqued, "repique", self.rules.repique)

    # -- the play -----------------------------------------------------------------------------------------------------

    def check_pique(self) -> None:
        if self.piqued or self.repiqued:
            return
        for player in PLAYERS:
            if self.running[player] >= 30 and self.running[self.other(player)] == 0:
                self.piqued = player
                self.score(player, "pique", self.rules.pique)

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if self.led:
            return [card for card in hand if card[1] == self.led[1]] or list(hand)
        return list(hand)

    def play(self, card: str) -> None:
        assert card in self.legal()
        player = self.turn
        self.hands[player].remove(card)
        if self.led is None:
            last = not self.hands[player]
            self.last_leader = player
            if self.rules.play == "leads":
                self.score(player, "leads", 2 if last else 1)
            elif self.rules.play == "american" or card[0] in "TJQKA":
                self.score(player, "leads", 1)
            self.check_pique()
            self.led = card
            self.turn = self.other(player)
            return
        leader = self.other(player)
        takes = card[1] == self.led[1] and RANKS.index(card[0]) > RANKS.index(self.led[0])
        winner = player if takes else leader
        self.tricks[winner] += 1
        if takes and self.rules.play != "leads" and (self.rules.play == "american" or card[0] in "TJQKA"):
            self.score(player, "tricks_on_leads", 1)
            self.check_pique()
        if self.rules.majority_at_once and self.tricks[winner] == 7:
            self.score(winner, "cards", 10)
            self.check_pique()
        self.record.append((self.led, self.running["elder"], self.running["younger"]))
        self.led = None
        self.turn = winner
        if not self.hands["elder"] and not self.hands["younger"]:
            self.finish(winner)

    def finish(self, last: str) -> None:
        rules = self.rules
        capot = next((player for player in PLAYERS if self.tricks[player] == 12), None)
        if rules.capot and capot:
            self.score(capot, "capot", rules.capot)
        else:
            if rules.play != "leads":
                self.score(last, "last_trick", 1)
                self.check_pique()
            if not rules.majority_at_once:
                for player in PLAYERS:
                    if self.tricks[player] >= 7:
                        self.score(player, "cards", 10)
        if rules.deal_winner and self.total("elder") != self.total("younger"):
            best = max(PLAYERS, key=self.total)
            self.score(best, "deal", rules.deal_winner)


def settle_rubicon(totals: tuple[int, int], formula: str = "sum") -> tuple[int, int]:
    """Value of a partie to both: the difference and 100, or, with a loser below 100, the sum and 100."""
    high, low = max(totals), min(totals)
    if high == low:
        return 0, 0
    value = high + low + 100 if low < 100 and formula == "sum" else high - low + 100
    return (value, -value) if totals[0] == high else (-value, value)
