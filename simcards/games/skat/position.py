"""Positions of skat in words, for advice, in every phase of a deal.

The auction stands in them as what each player has called or held last and whether he has passed, the tricks as the
cards in the order in which they were played. Both are played again by the game itself, from hands that nobody asks
about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.game import Position, Positions
from simcards.games.skat import PACK
from simcards.games.skat.frame import (
    BIDDING,
    CARDS,
    DECLARED,
    DECLARING,
    DISCARDING,
    GAMES,
    HOLD,
    LADDER,
    LEVELS,
    MOST_STEPS,
    OUVERT,
    PASS,
    PLAIN,
    PLAYING,
    ROLES,
    STATE,
    TAKING,
    TRICKS,
)
from simcards.games.skat.text import cards_text, game_text, seat_names
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel

# `bids` of forehand, middlehand and rearhand, as "18, 20 pass, -"; `skat`: the cards found in it; `laid` away; `game`:
# "hearts", "grand hand schneider", or "hand" before it is declared; `shown`: the open hand as it was at first
KEYS = ("seat", "hand", "bids", "skat", "laid", "game", "shown", "played", "deal", "redeals", "totals")
_BID = re.compile(r"(?:(\d{1,3})\s*)?(pass)?")


@kernel
def _begin(states, deck, deals, forehand):
    protocol.begin(states[0])
    states[0].common.deals = deals
    states[0].common.forehand = forehand
    protocol.deal(states[0], deck)


@kernel
def _do(states, action):
    """Carry an action out if it is legal; return whether it was."""
    if (protocol.legal(states[0]) >> np.uint64(action)) & np.uint64(1) == np.uint64(0):
        return False
    protocol.apply(states[0], action)
    return True


@kernel
def _play_on(states, card):
    """Play a card, whatever the hands that stand in for the players'."""
    protocol.apply(states[0], card)


@kernel
def _look(states, player, views):
    protocol.observe(states[0], player, views[0])


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


class _Reader:
    """The texts of a position, taken apart."""

    def __init__(self, values: Mapping[str, str], rules: Any) -> None:
        self.values = values
        self.rules = rules
        self.names = seat_names(rules)
        self.players = len(self.names)
        self.seen: dict[int, str] = {}

    def cards(self, key: str) -> list[int]:
        """Read cards."""
        try:
            return PACK.parse(self.values.get(key, "").strip(" -"))
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None

    def own(self, key: str) -> list[int]:
        """Read cards that can be in one place only."""
        cards = self.cards(key)
        for card in cards:
            if card in self.seen:
                raise UsageError(f"{key}: {PACK.text(card)} is in {self.seen[card]} already")
            self.seen[card] = key
        return cards

    def number(self, key: str, low: int, high: int, usual: int) -> int:
        text = self.values.get(key)
        if text is None:
            return usual
        if not text.isdecimal() or not low <= int(text) <= high:
            raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def totals(self) -> list[int]:
        text = self.values.get("totals")
        if text is None:
            return [0] * self.players
        parts = text.replace(",", " ").split()
        if len(parts) != self.players or not all(re.fullmatch(r"-?\d{1,6}", part) for part in parts):
            raise UsageError(f"totals: {self.players} numbers, in the order of play, not {text!r}")
        return [int(part) for part in parts]

    def bids(self, assumed: list[str]) -> list[tuple[int, bool]]:
        """Read the auction: for each of the three the last bid and whether he has passed."""
        text = self.values.get("bids")
        if text is None:
            text = self._usual_bids(assumed)
        parts = [part.strip().casefold() for part in text.split(",")] if text.strip() else []
        if len(parts) > ROLES:
            raise UsageError(f"bids: one each for forehand, middlehand and rearhand, not {len(parts)}")
        possible = [int(value) for value in LADDER[int(self.rules["open_null"])] if value]
        found = []
        for part in parts + ["-"] * (ROLES - len(parts)):
            if part in ("-", ""):
                found.append((0, False))
                continue
            match = _BID.fullmatch(part)
            if match is None or not (match[1] or match[2]):
                raise UsageError(f"bids: a number, 'pass', both, or '-' for each player, not {part!r}")
            points = int(match[1] or 0)
            if points and points not in possible:
                near = min(possible, key=lambda value: abs(value - points))
                raise UsageError(f"bids: no game is worth {points}; the nearest value is {near}")
            found.append((points, bool(match[2])))
        return found

    def _usual_bids(self, assumed: list[str]) -> str:
        """Return what was bid if nothing is said: the others have passed."""
        seat = self.values.get("seat", self.names[1]).casefold()
        if seat not in self.names[:ROLES]:
            return ""
        if "laid" in self.values or len(self.cards("hand")) > TRICKS:
            assumed.append(f"{seat} has the game for 18")
            return ", ".join("18" if name == seat else "pass" for name in self.names[:ROLES])
        if seat == self.names[1]:
            return ""
        assumed.append("the others have passed" if seat == self.names[0] else f"{self.names[1]} has passed")
        return "-, pass, pass" if seat == self.names[0] else "-, pass, -"

    def game(self) -> tuple[int, bool, int]:
        """Read the game: its number (-1 if it is not declared yet), whether from the hand, and the level announced."""
        text = self.values.get("game", "")
        words = text.casefold().split()
        hand = "hand" in words
        rest = [word for word in words if word != "hand"]
        if not rest and hand:
            return -1, True, PLAIN
        level = PLAIN
        if rest and rest[-1] in LEVELS[1:]:
            level = LEVELS.index(rest.pop())
        if len(rest) != 1 or rest[0] not in GAMES:
            raise UsageError(
                f"game: one of {', '.join(GAMES)}, then 'hand' and schneider, schwarz or ouvert if so, not {text!r}"
            )
        return GAMES.index(rest[0]), hand, level


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position: the player's cards, the auction, the game, and the cards played."""
    rules = views[0]["rules"]
    reader = _Reader(values, rules)
    assumed: list[str] = []
    single = int(rules["deals"]) == 1
    deal = reader.number("deal", 1, int(rules["deals"]), 1)
    if not single and "deal" not in values:
        assumed.append("the first deal")
    states = np.zeros(1, STATE)
    states["rules"] = rules
    # a deal moves forehand on, but for the first
    _begin(states, np.arange(CARDS, dtype=np.uint8), deal - 1, max(0, deal - 2) % reader.players)
    common = states[0]["common"]
    forehand = int(common["forehand"])
    common["redeals"] = reader.number("redeals", 0, int(rules["most_redeals"]), 0)
    totals = reader.totals()
    for steps in range(reader.players):
        common["totals"][(forehand + steps) % reader.players] = totals[steps]
    _bid_again(reader, states, assumed)
    hand = reader.own("hand")
    if int(common["stage"]) == BIDDING:
        for key in ("skat", "laid", "game", "shown", "played"):
            if key in values:
                raise UsageError(f"{key}: the bidding is not over")
        player = _turn(reader, common)
        _check_hand(hand, TRICKS)
        _enter_own(states[0], player, hand, [], [])
    else:
        player = _read_game(reader, states, hand)
    _look(states, player, views)
    return Position(views, assumed=tuple(assumed))


def _turn(reader: _Reader, common: Any) -> int:
    """Return whose turn it is, and refuse another seat."""
    player = int(common["turn"])
    name = reader.names[(player - int(common["forehand"])) % reader.players]
    said = reader.values.get("seat")
    if said is not None and said.casefold() not in reader.names:
        raise UsageError(f"seat: {' or '.join(reader.names)}, not {said!r}")
    if said is not None and said.casefold() != name:
        raise UsageError(f"seat: it is the turn of {name} in this position, not of {said.casefold()}")
    return player


def _bid_again(reader: _Reader, states: np.ndarray, assumed: list[str]) -> None:
    """Carry out an auction that ends with what each has bid last."""
    common = states[0]["common"]
    found = reader.bids(assumed)
    ladder = [int(value) for value in LADDER[int(reader.rules["open_null"])]]

    def act(action: int) -> None:
        if action < 0 or int(common["stage"]) != BIDDING or not _do(states, action):
            raise UsageError(
                "bids: the bidding cannot have gone so: middlehand calls to forehand, then rearhand to who is left"
            )

    def call(points: int) -> None:
        steps = ladder.index(points) - int(common["step"])
        if int(reader.rules["calls"]) == 0:
            for _ in range(steps - 1):
                act(1)
                act(HOLD)
            steps = min(steps, 1)
        act(steps if 0 < steps <= MOST_STEPS else -1)

    def duel(caller: tuple[int, bool], hearer: tuple[int, bool], start: int = 0) -> None:
        """Let two bid until what they have said last, from a bid on."""
        (called, caller_passed), (held, hearer_passed) = caller, hearer
        if start < held < called:
            call(held)
            act(HOLD)
        if called:
            call(called)
            if held >= called:
                act(HOLD)
            elif hearer_passed:
                act(PASS)
                return
        if caller_passed:
            act(PASS)

    fore, middle, rear = found
    if fore[1] and middle[0] > fore[0]:
        # how high middlehand called is lost if he has held more since
        first = next(int(value) for value in ladder if value > fore[0]) if rear[0] else middle[0]
        left = middle
        duel((first, False), fore)
    elif middle[1]:
        first, left = middle[0], fore
        duel(middle, (first, False))
    else:
        first, left = 0, fore
        duel(middle, fore)
    if rear[0]:
        duel(rear, left, first)
    elif rear[1]:
        act(PASS)
        if not first and (left[0] or left[1]):
            act(HOLD if left[0] else PASS)
    for role, (points, passed) in enumerate(found):
        player = (int(common["forehand"]) + role) % reader.players
        if int(common["bid"][player]) != points or bool(common["passed"][player]) != passed:
            act(-1)
    if int(common["stage"]) not in (BIDDING, TAKING):
        raise UsageError("bids: all have passed, so there is nothing to decide")


def _check_hand(hand: list[int], expected: int) -> None:
    if len(hand) != expected or not expected:
        raise UsageError(f"hand: {expected} cards at this point, not {len(hand)}")


def _read_game(reader: _Reader, states: np.ndarray, hand: list[int]) -> int:
    """Enter what came after the auction, and return whose decision it is."""
    state, values = states[0], reader.values
    common = state["common"]
    laid = reader.own("laid")
    if len(laid) > 2:
        raise UsageError(f"laid: two cards at most, not {len(laid)}")
    game, from_hand, level = reader.game() if "game" in values else (-1, False, PLAIN)
    if from_hand and (laid or "skat" in values):
        raise UsageError("game: who plays from the hand neither sees the skat nor lays cards away")
    if game < 0:
        for key in ("shown", "played"):
            if key in values:
                raise UsageError(f"{key}: no game is declared yet")
        player = _turn(reader, common)
        if from_hand:
            common["stage"] = DECLARING
            _check_hand(hand, TRICKS)
        elif len(hand) == TRICKS and not laid:
            if "skat" in values:
                raise UsageError("skat: who has taken it holds it among twelve cards, or has laid some away")
        else:
            common["skat"] = 1
            common["stage"] = DECLARING if len(laid) == 2 else DISCARDING
            _check_hand(hand, TRICKS + 2 - len(laid))
            if len(laid) == 1 and all(card < laid[0] for card in hand):
                raise UsageError("laid: the lower card is laid away first")
        _enter_own(state, player, hand, laid, _found(reader, hand + laid, bool(int(common["skat"]))))
        return player
    common["skat"] = not from_hand
    common["stage"] = DECLARING
    declarer = int(common["declarer"])
    if not _do(states, game + DECLARED * level):
        word = game_text(game, not from_hand, level)
        raise UsageError(f"game: {word} cannot be declared here with a bid of {int(common['high'])}")
    by_player = _play_again(reader, states)
    player = _turn(reader, common)
    mine = player == declarer
    played = by_player[player]
    _check_hand(hand, TRICKS - len(played))
    if mine and not from_hand and len(laid) != 2:
        raise UsageError(f"laid: the two cards laid away are wanted, not {len(laid)}")
    if not mine and (laid or "skat" in values):
        raise UsageError("skat, laid: only the declarer knows these cards")
    if level == OUVERT:
        shown = [*hand, *played] if mine else reader.cards("shown")
        if not mine:
            _check_shown(reader, shown, by_player[declarer])
        common["shown"] = _mask(shown)
    elif "shown" in values:
        raise UsageError("shown: nobody has laid his hand open")
    _enter_own(state, player, hand, laid, _found(reader, hand + laid + played, mine and not from_hand))
    return player


def _check_shown(reader: _Reader, shown: list[int], played: list[int]) -> None:
    """Refuse an open hand that is not the declarer's."""
    if len(shown) != TRICKS:
        raise UsageError(f"shown: the ten cards of the declarer before the first trick, not {len(shown)}")
    for card in shown:
        if card not in played and card in reader.seen:
            raise UsageError(f"shown: {PACK.text(card)} is in {reader.seen[card]} already")
    for card in played:
        if card not in shown:
            raise UsageError(f"shown: {PACK.text(card)} is missing, which the declarer has played")


def _found(reader: _Reader, own: list[int], has_it: bool) -> list[int]:
    """Read the cards found in the skat."""
    found = reader.cards("skat")
    if found and not has_it:
        raise UsageError("skat: only the declarer knows these cards, and only if he has taken them")
    if len(found) not in (0, 2) or len(set(found)) != len(found):
        raise UsageError(f"skat: two cards, not {len(found)}")
    for card in found:
        if card not in own:
            raise UsageError(f"skat: {PACK.text(card)} is not among the player's cards; name it there too")
    return found


def _play_again(reader: _Reader, states: np.ndarray) -> list[list[int]]:
    """Play the tricks again, and return the cards played by each player."""
    state = states[0]
    common = state["common"]
    state["private"]["hand"] = (1 << CARDS) - 1  # so that nobody runs out; what they hold is not asked
    by_player: list[list[int]] = [[] for _ in state["private"]]
    for card in reader.own("played"):
        turn = int(common["turn"])
        if int(common["stage"]) != PLAYING:
            raise UsageError("played: the deal was over before the last of these cards")
        if int(common["absent"][turn]) >> card & 1:
            raise UsageError(f"played: {PACK.text(card)} is of a suit that its player did not have earlier")
        by_player[turn].append(card)
        _play_on(states, card)
    if int(common["stage"]) != PLAYING:
        raise UsageError("played: the deal is over, so there is nothing to decide")
    return by_player


def _enter_own(state: Any, player: int, hand: Sequence[int], laid: Sequence[int], found: Sequence[int]) -> None:
    """Enter the cards of the player whose turn it is."""
    own = state["private"][player]
    own["hand"], own["laid"], own["found"] = _mask(hand), _mask(laid), _mask(found)


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key."""
    common, own, rules = view["common"], view["own"], view["rules"]
    names = seat_names(rules)
    players, seat, stage = len(names), int(view["seat"]), int(common["stage"])
    forehand, declarer = int(common["forehand"]), int(common["declarer"])
    written = {"seat": names[(seat - forehand) % players], "hand": cards_text(own["hand"])}
    bids = []
    for role in range(ROLES):
        player = (forehand + role) % players
        words = [str(int(common["bid"][player]))] if int(common["bid"][player]) else []
        words += ["pass"] if int(common["passed"][player]) else []
        bids.append(" ".join(words) or "-")
    if any(word != "-" for word in bids):
        written["bids"] = ", ".join(bids)
    if int(own["found"]):
        written["skat"] = cards_text(own["found"])
    if int(own["laid"]):
        written["laid"] = cards_text(own["laid"])
    if stage == PLAYING:
        written["game"] = game_text(int(common["game"]), bool(common["skat"]), int(common["level"]))
        if int(common["shown"]) and seat != declarer:
            written["shown"] = cards_text(common["shown"])
        if int(common["history"][0]) >= 0:
            written["played"] = " ".join(PACK.text(int(card)) for card in common["history"] if int(card) >= 0)
    elif stage == DECLARING and not int(common["skat"]):
        written["game"] = "hand"
    if int(rules["deals"]) > 1:
        written["deal"] = str(int(common["deals"]))
        if int(common["redeals"]):
            written["redeals"] = str(int(common["redeals"]))
        totals = [int(common["totals"][(forehand + steps) % players]) for steps in range(players)]
        if any(totals):
            written["totals"] = " ".join(map(str, totals))
    return written


POSITIONS = Positions(KEYS, read, write)
