"""Positions of deberts in words, for advice: the bidding, and any question after it, with the tricks played so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from simcards.errors import UsageError, unknown
from simcards.games.deberts.frame import (
    BEATEN,
    BELLA,
    BEYOND_RUNS,
    BIDDING,
    CLAIMED,
    DEALER_ANSWERS,
    DEALER_EXCHANGES,
    DEALER_EXCHANGES_AFTER,
    DEALER_SPEAKS,
    DEALT,
    DECLARING,
    EXCHANGING,
    FIFTY,
    GOOD,
    HAND,
    IN_RUNS,
    KING,
    ONLY_TRICKS,
    ORDERS,
    PHASES,
    PLAYING,
    PONE_EXCHANGES,
    PONE_EXCHANGES_LATE,
    PONE_LEADS,
    PONE_SPEAKS,
    QUEEN,
    SEVEN,
    SILENT,
    TIERCE,
    UNASKED,
    best_run,
    count_runs,
    may_exchange,
    order_of,
)
from simcards.games.deberts.text import CARDS, HEIGHT_RANKS, SUIT_NAMES, cards_text
from simcards.games.game import Position, Positions
from simcards.kernel.tricks import beats

KEYS = (
    "seat",
    "hand",
    "turned",
    "round",
    "trump",
    "by",
    "phase",
    "tricks",
    "led",
    "about to play",
    "said",
    "other said",
    "known",
    "exchanged",
    "bella",
    "totals",
    "deal",
)
ROLES = ("pone", "dealer")
_PAIR = re.compile(r"(-?\d{1,6})(?:\s*[:,/–-]\s*|\s+)(-?\d{1,6})")
_SAID = re.compile(r"(nothing)|(tierce|fifty)(?: from (\S+)( in trumps)?)?(?:,? (good|beaten))?")
_KINDS = {"tierce": TIERCE, "fifty": FIFTY}
_WORDS = {CLAIMED: "", GOOD: " good", BEATEN: " beaten"}
_RANKS = CARDS.ranks


def _cards(values: Mapping[str, str], key: str) -> list[int]:
    try:
        return CARDS.parse(values.get(key, "").strip(" -"))
    except UsageError as error:
        raise UsageError(f"{key}: {error}") from None


def _card(values: Mapping[str, str], key: str) -> int:
    cards = _cards(values, key)
    if len(cards) != 1:
        raise UsageError(f"{key}: one card, not {values.get(key, 'nothing')!r}")
    return cards[0]


def _word(values: Mapping[str, str], key: str, words: tuple[str, ...], usual: str) -> str:
    word = values.get(key, usual).casefold()
    if word not in words:
        raise unknown(f"value of {key}", word, words)
    return word


def _number(values: Mapping[str, str], key: str, low: int, high: int, usual: int) -> int:
    text = values.get(key)
    if text is None:
        return usual
    if not text.isdecimal() or not low <= int(text) <= high:
        raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
    return int(text)


def _suit(values: Mapping[str, str], key: str) -> int:
    word = values[key].casefold()
    for suit, name in enumerate(SUIT_NAMES):
        if word in (name, name[:-1], name[0]):
            return suit
    raise UsageError(f"{key}: spades, hearts, diamonds or clubs, not {values[key]!r}")


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


class _Reader:
    """One position on its way into a view."""

    def __init__(self, values: Mapping[str, str], views: np.ndarray) -> None:
        self.values = values
        self.view = views[0]
        self.rules = self.view["rules"]
        self.common = self.view["common"]
        self.assumed: list[str] = []
        self.hand = _cards(values, "hand")
        self.role = ROLES.index(_word(values, "seat", ROLES, "pone"))

    def assume(self, key: str, words: str) -> None:
        if key not in self.values:
            self.assumed.append(words)

    def read(self) -> None:
        common = self.common
        if "turned" not in self.values:
            raise UsageError("turned: say which card was turned up")
        common["turned"] = _card(self.values, "turned")
        self.assume("seat", "the player is pone")
        for name in ("trump", "by", "seven", "led", "pending"):
            common[name] = -1
        for public in self.view["public"]:
            public["height"], public["in_trumps"] = -1, -1
        self._scores()
        dealer = int(common["dealer"])
        self.view["seat"] = common["turn"] = dealer if self.role else 1 - dealer
        if "trump" in self.values:
            self._play()
        else:
            self._bid()
        held = [int(common["turned"]), *self.hand]
        if len(set(held)) < len(held) and int(common["seven"]) != int(self.view["seat"]):
            raise UsageError(f"hand: {CARDS.text(held[0])} lies turned")
        if len(set(self.hand)) < len(self.hand):
            raise UsageError("hand: a card is there twice")
        self.view["hand"] = _mask(self.hand)

    def _scores(self) -> None:
        common = self.common
        single = int(self.rules["target"]) == 0
        deal = _number(self.values, "deal", 1, 1 if single else 1000, 1)
        if not single:
            self.assume("deal", "the first deal")
        common["deals"], common["dealer"] = deal, deal % 2
        text = self.values.get("totals")
        if text is not None:
            found = _PAIR.fullmatch(text)
            if not found:
                raise UsageError(f"totals: two numbers, one's own and the other's, as in '120 - 95', not {text!r}")
            for public, total in zip(self.view["public"], (int(found[1]), int(found[2]))):
                public["total"] = total

    def _bid(self) -> None:
        late = [key for key in KEYS[5:15] if key in self.values]
        if late:
            raise UsageError(f"{late[0]}: this comes after the bidding: say what is trump")
        if len(self.hand) != DEALT:
            raise UsageError(f"hand: {len(self.hand)} cards; {DEALT} are held in the bidding, later say what is trump")
        self.common["stage"] = BIDDING
        self.common["offer"] = 2 * (_number(self.values, "round", 1, 2, 1) - 1) + self.role
        self.assume("round", "the first round")

    def _play(self) -> None:
        common = self.common
        if "round" in self.values:
            raise UsageError("round: this is of the bidding, and trumps are made")
        trump = _suit(self.values, "trump")
        common["trump"] = trump
        if trump != int(common["turned"]) // 8:
            common["offer"] = 2
        by = ROLES.index(_word(self.values, "by", ROLES, "pone"))
        self.assume("by", "pone plays")
        common["offer"] += by
        common["by"] = int(common["dealer"]) if by else 1 - int(common["dealer"])
        phase = _word(self.values, "phase", PHASES[1:], "bella" if "about to play" in self.values else "play")
        common["stage"] = stage = PHASES.index(phase) + BIDDING
        self._exchanged(trump)
        self._tricks()
        self._said(stage)
        self._step(stage)
        self._bella(trump)
        if stage == EXCHANGING and not may_exchange(self.rules, common, np.uint64(_mask(self.hand))):
            raise UsageError("phase: the exchange needs the seven of trumps in the hand and the turned trump there")
        if stage == DECLARING and not int(best_run(self.rules, np.uint64(_mask(self.hand)), trump)):
            raise UsageError("phase: there is no run in the hand to declare")

    def _exchanged(self, trump: int) -> None:
        if "exchanged" not in self.values:
            return
        who = ("own", "other").index(_word(self.values, "exchanged", ("own", "other"), "own"))
        turned = int(self.common["turned"])
        if turned // 8 != trump or turned % 8 == SEVEN:
            raise UsageError("exchanged: the seven takes the turned card only when that is a trump")
        seat = int(self.view["seat"])
        self.common["seven"] = seat if who == 0 else 1 - seat
        public = self.view["public"][who]
        public["shown"] |= np.uint64(1 << turned)
        public["absent"] |= np.uint64(1 << 8 * trump + SEVEN)

    def _tricks(self) -> None:
        """Play the tricks, and what is led."""
        common = self.common
        order = ORDERS[int(order_of(self.rules, common["trump"]))]
        leader = 1 if self.role else 0  # 0: the player himself; pone leads first
        played: list[int] = []
        for word in self.values.get("tricks", "").split():
            cards = _cards({"tricks": word.replace("-", " ")}, "tricks")
            if len(cards) != 2:
                raise UsageError(f"tricks: two cards a trick, as in 'JH-8H AC-9C', not {word!r}")
            played += cards
            led, card = cards
            wins = bool(beats(order, card, led))
            for player, one in ((leader, led), (1 - leader, card)):
                self.view["public"][player]["played"] |= np.uint64(1 << one)
            self._learn(order, self.view["public"][1 - leader], led, card)
            leader = 1 - leader if wins else leader
            winner = self.view["public"][leader]
            winner["cards"] += int(order["value"][led]) + int(order["value"][card])
            winner["tricks"] += 1
            common["trick"] += 1
        if "led" in self.values:
            led = _card(self.values, "led")
            played.append(led)
            if leader == 0:
                raise UsageError("led: the player himself is to lead")
            common["led"] = led
            self.view["public"][1]["played"] |= np.uint64(1 << led)
        elif leader == 1 and not (common["trick"] == 0 and common["stage"] < PLAYING):
            raise UsageError("led: say which card the other has led")
        if len(set(played)) < len(played):
            raise UsageError("tricks: a card is there twice")
        for card in played:
            if card in self.hand:
                raise UsageError(f"hand: {CARDS.text(card)} has been played")
        if len(self.hand) + int(common["trick"]) != HAND:
            raise UsageError(f"hand: {len(self.hand)} cards after {common['trick']} tricks of {HAND}")

    @staticmethod
    def _learn(order: Any, public: Any, led: int, card: int) -> None:
        suit, trump = int(order["suit"][led]), int(order["trump"])
        if int(order["suit"][card]) != suit:
            public["absent"] |= order["cards"][suit]
            if int(order["suit"][card]) != trump:
                public["absent"] |= order["cards"][trump]

    def _said(self, stage: int) -> None:
        """What both said of runs, and what they scored by it."""
        common = self.common
        if int(common["trick"]):
            asked = [True, True]
        elif self.role == 0:  # pone speaks first, and the dealer at once only when there is something to answer
            asked = [stage >= BELLA or (stage == EXCHANGING and "said" in self.values)] * 2
            asked[1] = asked[0] and self._claims("said")
        else:
            late = stage == EXCHANGING and int(common["led"]) >= 0
            asked = [stage >= BELLA or (late and ("said" in self.values or self._claims("other said"))), True]
        for player, key in enumerate(("said", "other said")):
            if not asked[player]:
                if key in self.values:
                    raise UsageError(f"{key}: not asked for runs yet")
                continue
            self.assume(key, f"{('the player', 'the other')[player]} said nothing of runs")
            found = _SAID.fullmatch(self.values.get(key, "nothing").casefold())
            if not found:
                raise UsageError(
                    f"{key}: nothing, or tierce or fifty, perhaps with 'from K', 'in trumps' and 'good' or 'beaten',"
                    f" not {self.values[key]!r}"
                )
            self._speak(player, found)
            if int(self.view["public"][player]["said"]) == CLAIMED and (player == 0 or asked[0]):
                raise UsageError(f"{key}: good or beaten?")
        mine, theirs = self.view["public"]
        if int(mine["said"]) == GOOD == int(theirs["said"]):
            raise UsageError("said: the runs of one of the two are good")

    def _claims(self, key: str) -> bool:
        return not self.values.get(key, "nothing").casefold().startswith("nothing")

    def _speak(self, player: int, found: re.Match[str]) -> None:
        public = self.view["public"][player]
        if found[1]:
            public["said"] = SILENT
            return
        public["kind"] = _KINDS[found[2]]
        if found[3]:
            rank = _RANKS.find(found[3].upper().replace("10", "T"))
            if rank < 0:
                raise UsageError(f"said: a rank such as K behind 'from', not {found[3]!r}")
            public["height"] = HEIGHT_RANKS[int(self.rules["run_order"])].index(rank)
            public["in_trumps"] = bool(found[4])
        public["said"] = {None: CLAIMED, "good": GOOD, "beaten": BEATEN}[found[5]]
        if int(public["said"]) != GOOD:
            return
        held = _mask(_cards(self.values, "known")) if player else _mask(self.hand) | int(public["played"])
        tierces, fifties = (int(count) for count in count_runs(self.rules, np.uint64(held)))
        public["runs"] = tierces * int(self.rules["tierce"]) + fifties * int(self.rules["fifty"])
        if not int(public["runs"]):
            raise UsageError("known: the run that was scored" if player else "said: there is no run in the hand")
        order = int(self.rules["run_order"])
        for suit in range(4):
            ranks = held >> 8 * suit & 255
            public["shown"] |= IN_RUNS[order, ranks] << np.uint64(8 * suit)
            public["absent"] |= BEYOND_RUNS[order, ranks] << np.uint64(8 * suit)

    def _step(self, stage: int) -> None:
        common = self.common
        mine, theirs = self.view["public"]
        spoken = int(mine["said"]) != UNASKED
        claimed = int(theirs["said"]) >= CLAIMED
        if int(common["trick"]):
            step = ONLY_TRICKS
        elif self.role == 0:
            early = PONE_EXCHANGES_LATE if spoken else PONE_EXCHANGES
            step = {EXCHANGING: early, DECLARING: PONE_SPEAKS}.get(stage, PONE_LEADS) + 1
        elif stage == DECLARING:
            step = (DEALER_ANSWERS if claimed else DEALER_SPEAKS) + 1
        elif stage == EXCHANGING and not spoken:
            step = (DEALER_EXCHANGES if claimed else DEALER_EXCHANGES_AFTER) + 1
        else:
            step = ONLY_TRICKS
        if self.role == 1 and not int(common["trick"]) and stage < PLAYING:
            before = step in (DEALER_EXCHANGES + 1, DEALER_ANSWERS + 1)
            if before and int(common["led"]) >= 0:
                raise UsageError("led: the dealer answers a run before anything is led")
            if not before and int(common["led"]) < 0:
                raise UsageError("led: the dealer is asked after pone's first card")
        if int(common["trick"]) and stage in (EXCHANGING, DECLARING):
            raise UsageError(f"phase: {PHASES[stage - BIDDING]} comes before the first trick is over")
        common["step"] = step

    def _bella(self, trump: int) -> None:
        if "bella" in self.values:
            who = ("own", "other").index(_word(self.values, "bella", ("own", "other"), "own"))
            self.view["public"][who]["bella"] = self.rules["bella"]
        for card in _cards(self.values, "known"):
            if card in self.hand:
                raise UsageError(f"known: {CARDS.text(card)} is one of the player's own cards")
            self.view["public"][1]["shown"] |= np.uint64(1 << card)
        if "about to play" in self.values:
            pair = {8 * trump + KING, 8 * trump + QUEEN}
            card = _card(self.values, "about to play")
            if card not in pair or not pair <= set(self.hand):
                raise UsageError("about to play: king or queen of trumps, with both in the hand")
            self.common["pending"] = card
        elif PHASES[int(self.common["stage"]) - BIDDING] == "bella":
            raise UsageError("about to play: say with which card bella may be announced")


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position from the texts by key."""
    reader = _Reader(values, views)
    reader.read()
    return Position(views, assumed=tuple(reader.assumed))


def _said_text(rules: Any, public: Any) -> str:
    """Return what a player said of runs; nothing before."""
    said = int(public["said"])
    if said == UNASKED:
        return ""
    if said == SILENT:
        return "nothing"
    text = "fifty" if int(public["kind"]) == FIFTY else "tierce"
    if int(public["height"]) >= 0:
        text += f" from {_RANKS[HEIGHT_RANKS[int(rules['run_order'])][int(public['height'])]]}"
        text += " in trumps" if int(public["in_trumps"]) else ""
    return text + _WORDS[said]


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key; nothing for one after the first trick, whose order is not in the view."""
    common, seat, rules = view["common"], int(view["seat"]), view["rules"]
    mine, theirs = view["public"]
    if int(common["trick"]):
        return {}
    written = {
        "seat": ROLES[seat == int(common["dealer"])],
        "hand": cards_text(view["hand"]),
        "turned": CARDS.text(int(common["turned"])),
    }
    if int(common["trump"]) < 0:
        written["round"] = str(1 + int(common["offer"]) // 2)
    else:
        written["trump"] = SUIT_NAMES[int(common["trump"])]
        written["by"] = ROLES[int(common["by"]) == int(common["dealer"])]
        written["phase"] = PHASES[int(common["stage"]) - BIDDING]
        known = int(theirs["shown"])
        more = {
            "led": CARDS.text(int(common["led"])) if int(common["led"]) >= 0 else "",
            "about to play": CARDS.text(int(common["pending"])) if int(common["pending"]) >= 0 else "",
            "said": _said_text(rules, mine),
            "other said": _said_text(rules, theirs),
            "known": cards_text(known),
            "exchanged": "" if int(common["seven"]) < 0 else "own" if int(common["seven"]) == seat else "other",
            "bella": "other" if int(theirs["bella"]) else "",
        }
        written |= {key: text for key, text in more.items() if text}
    if int(rules["target"]):
        written["deal"] = str(int(common["deals"]))
    if int(mine["total"]) or int(theirs["total"]):
        written["totals"] = f"{int(mine['total'])} - {int(theirs['total'])}"
    # what a seven that was exchanged late showed before is not told by the words
    again = np.zeros(1, view.dtype)
    again["rules"] = rules
    try:
        read(written, again)
    except UsageError:
        return {}
    return written if _same(again[0], view) else {}


def _same(one: Any, other: Any) -> bool:
    if one.dtype.names is None:
        return bool(np.array_equal(one, other))
    return all(_same(one[name], other[name]) for name in one.dtype.names)


POSITIONS = Positions(KEYS, read, write)
