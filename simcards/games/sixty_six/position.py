"""Positions of sixty-six in words, for advice: any decision, with all cards played so far named."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.game import Position, Positions
from simcards.games.sixty_six.frame import (
    CLOSING,
    EXCHANGING,
    NINE,
    PHASES,
    PLAYING,
    SUIT_OF,
    TYPES,
    beats,
)
from simcards.games.sixty_six.text import CARDS, SUIT_NAMES, cards_text, listed

# `played`: the cards of all tricks before this one; `table`: of this one, in order; `known`: cards that the others are
# known to hold, `shown`: those of the player himself that they know. Where there is something of every player it begins
# with the one who asks (`known` with the next) and goes on in the order of play; cards are separated by a slash.
KEYS = (
    "seat",
    "phase",
    "hand",
    "turn-up",
    "trump",
    "table",
    "played",
    "closed",
    "points",
    "big points",
    "tricks",
    "known",
    "shown",
    "lacks",
    "wed",
    "deal",
)
_NUMBERS = re.compile(r"\d{1,6}(?:\s*[:,/–-]\s*|\s+)(?:\d{1,6}(?:\s*[:,/–-]\s*|\s+|$))*")


def _cards(values: Mapping[str, str], key: str) -> list[int]:
    return _parse(values.get(key, ""), key)


def _parse(text: str, key: str) -> list[int]:
    try:
        return CARDS.parse(text.strip(" -"))
    except UsageError as error:
        raise UsageError(f"{key}: {error}") from None


def _cards_of_each(values: Mapping[str, str], key: str, players: int, first: int) -> list[list[int]]:
    """Return the cards of each player from `first` on, 0 being the one who asks; nothing of those before."""
    parts = values.get(key, "").split("/")
    if len(parts) > players - first:
        raise UsageError(f"{key}: {players - first} lists of cards at most, separated by a slash, not {len(parts)}")
    made: list[list[int]] = [[] for _ in range(players)]
    for k, part in enumerate(parts):
        made[first + k] = _parse(part, key)
    return made


def _numbers(values: Mapping[str, str], key: str, players: int) -> list[int] | None:
    text = values.get(key)
    if text is None:
        return None
    found = [int(number) for number in re.findall(r"\d+", text)] if _NUMBERS.fullmatch(text.strip()) else []
    if len(found) != players:
        example = " - ".join(["10", "20", "0", "0"][:players])
        raise UsageError(f"{key}: {players} numbers, one's own first, as in '{example}', not {text!r}")
    return found


def _mask(cards: list[int], copies: int, key: str) -> int:
    mask = 0
    for card in cards:
        if cards.count(card) > copies:
            many = "once" if copies == 1 else "twice"
            raise UsageError(f"{key}: {CARDS.text(card)} is there more than {many}")
        mask |= 1 << (card + TYPES * (mask >> card & 1))
    return mask


def _choice(values: Mapping[str, str], key: str, choices: tuple[str, ...], usual: str) -> str:
    text = values.get(key, usual).casefold()
    if text not in choices:
        raise UsageError(f"{key}: {', '.join(choices[:-1])} or {choices[-1]}, not {values[key]!r}")
    return text


def reader(seats: tuple[str, ...]) -> Callable[[Mapping[str, str], np.ndarray], Position]:
    """Return what reads the positions of a game with these seats."""

    def read(values: Mapping[str, str], views: np.ndarray) -> Position:
        view = views[0]
        rules, common = view["rules"], view["common"]
        players, copies, full = len(seats), int(rules["packs"]), int(rules["hand"])
        assumed: list[str] = []
        role = seats.index(_choice(values, "seat", seats, seats[0]))
        deal = values.get("deal", "1")
        if not deal.isdecimal() or not 1 <= int(deal) <= 1000:
            raise UsageError(f"deal: a whole number from 1 to 1000, not {deal!r}")
        first = (int(deal) - 1) % players
        me = (first + role) % players
        order = [(me + k) % players for k in range(players)]

        hand, table, played = _cards(values, "hand"), _cards(values, "table"), _cards(values, "played")
        if len(table) >= players:
            raise UsageError(f"table: {len(table)} cards, and with {players - 1} the trick is the player's to end")
        if len(played) % players:
            raise UsageError(f"played: {len(played)} cards do not make whole tricks of {players}")
        if not 1 <= len(hand) <= full:
            raise UsageError(f"hand: 1 to {full} cards, not {len(hand)}")
        stock = TYPES * copies - len(played) - players * len(hand)
        if stock < 0:
            raise UsageError(f"hand: {len(hand)} cards for each and those played are {-stock} more than the pack has")
        drawn = full - len(hand)
        phase = _choice(values, "phase", PHASES, "play")
        closed = values.get("closed", "no").casefold()
        if closed not in ("no", *seats):
            raise UsageError(f"closed: no, or who closed the stock ({', '.join(seats)}), not {values['closed']!r}")
        due = phase == "exchange" and drawn == 1 and stock == players and closed == "no"
        if stock and drawn and closed == "no" and not due:
            raise UsageError(f"hand: {len(hand)} cards while the stock is open; say who closed it (closed: {seats[0]})")
        if not stock and closed != "no":
            raise UsageError("closed: there is no stock left that might be closed")
        if not stock and len(played) < TYPES * copies - players * full:
            raise UsageError("played: too few cards for a deal in which the stock is gone")

        up = _cards(values, "turn-up")
        if stock and len(up) != 1:
            raise UsageError("turn-up: say which card lies under the stock")
        if not stock and up:
            raise UsageError("turn-up: the stock is gone, and the card with it; say what is trump (trump: S)")
        trump = SUIT_OF[up[0]] if up else None
        if "trump" in values:
            told = values["trump"].strip().upper()[:1]
            if told not in CARDS.suits or not told:
                raise UsageError(f"trump: one of {', '.join(CARDS.suits)}, not {values['trump']!r}")
            if trump is not None and trump != CARDS.suits.index(told):
                raise UsageError(f"trump: the turn-up is one of {SUIT_NAMES[trump]}")
            trump = CARDS.suits.index(told)
        if trump is None:
            raise UsageError("trump: say which suit is trump")

        gone = _mask([*played, *table], copies, "played and table")
        known = _cards_of_each(values, "known", players, 1)
        shown = _cards(values, "shown")
        if any(shown.count(card) > hand.count(card) for card in shown):
            raise UsageError("shown: only cards of the hand")
        everything = [*hand, *played, *table, *up, *(card for cards in known for card in cards)]
        _mask(everything, copies, "hand, played, table, turn-up and known")
        leader = (me - len(table)) % players
        common["gone"], common["trump"], common["stock"] = gone, trump, stock
        common["turn_up"] = up[0] if up else -1
        common["led"] = common["best"] = common["ahead"] = common["closer"] = -1
        common["played"], common["count"] = -1, len(table)
        common["deals"], common["first"], common["winner"] = int(deal), first, -1
        common["trick"], common["leader"], common["turn"] = len(played) // players, leader, me
        common["due"] = due
        if closed != "no":
            common["closer"] = (first + seats.index(closed)) % players
        for k, card in enumerate(table):
            if k == 0:
                common["led"] = common["best"] = card
                common["ahead"] = leader
            elif beats(common, card, int(common["best"])):
                common["best"], common["ahead"] = card, (leader + k) % players
            common["played"][(leader + k) % players] = card

        view["seat"], view["hand"] = me, _mask(hand, copies, "hand")
        wed = _cards_of_each(values, "wed", players, 0)
        lacks = _cards_of_each(values, "lacks", players, 0)
        points, big = _numbers(values, "points", players), _numbers(values, "big points", players)
        tricks = _numbers(values, "tricks", players)
        if points is None and played:
            assumed.append("nobody has points")
        goal = int(rules["goal"])
        if points and max(points) >= goal:
            raise UsageError(f"points: with {goal} the deal is won")
        target = int(rules["target"])
        if target and big and max(big) >= target:
            raise UsageError(f"big points: with {target} the game is won")
        for k, player in enumerate(order):
            public = view["public"][player]
            public["known"] = _mask(known[k] if k else shown, copies, "known")
            public["wed"] = _mask(wed[k], copies, "wed")
            public["lacks"] = _mask(sorted(set(lacks[k])), copies, "lacks")
            holds = hand if k == 0 else known[k]
            if any(wed[k].count(card) > holds.count(card) for card in wed[k]):
                raise UsageError("wed: only cards that the player is known to hold")
            if len(known[k]) > len(hand):
                raise UsageError(f"known: {len(known[k])} cards, which is more than the player holds")
            public["points"] = points[k] if points else 0
            public["total"] = big[k] if big else 0
            public["tricks"] = tricks[k] if tricks else int(public["points"]) > 0
        common["stage"] = (EXCHANGING, CLOSING, PLAYING)[PHASES.index(phase)]
        _check_phase(view, phase, table, closed)
        hidden = TYPES * copies - len(everything)
        short = sum(len(hand) - (k > players - 1 - len(table)) - len(known[k]) for k in range(1, players))
        if hidden < short + max(0, stock - 1):
            raise UsageError("played: the cards named leave too few for the other hands and the stock")
        return Position(views, assumed=tuple(assumed))

    return read


def _check_phase(view: Any, phase: str, table: list[int], closed: str) -> None:
    common = view["common"]
    if phase == "play":
        return
    if table:
        raise UsageError(f"phase: {phase} is asked before a card is led, and a card lies on the table")
    if not int(common["stock"]) or closed != "no":
        raise UsageError(f"phase: {phase} is asked only while the stock is open")
    if not int(view["rules"]["exchange" if phase == "exchange" else "closing"]):
        raise UsageError(f"phase: the rules in force have no {phase}")
    nine = 6 * int(common["trump"]) + NINE
    if phase == "exchange":
        if not int(common["trick"]):
            raise UsageError("phase: the nine is exchanged after a trick, so say what was played")
        if nine not in listed(view["hand"]) or nine == int(common["turn_up"]):
            raise UsageError(f"phase: to exchange, the player must hold {CARDS.text(nine)} and another card lie there")


def writer(seats: tuple[str, ...]) -> Callable[[Any], dict[str, str]]:
    """Return what writes the positions of a game with these seats."""

    def write(view: Any) -> dict[str, str]:
        common = view["common"]
        players, me, first = len(seats), int(view["seat"]), int(common["first"])
        order = [(me + k) % players for k in range(players)]
        stage = int(common["stage"])
        publics = [view["public"][player] for player in order]
        if not EXCHANGING <= stage <= PLAYING or int(common["turn"]) != me:
            return {}
        if any(int(public["pending"].sum()) for public in publics):
            return {}
        leader = int(common["leader"])
        table = [int(common["played"][(leader + k) % players]) for k in range(int(common["count"]))]
        gone = listed(common["gone"])
        for card in table:
            gone.remove(card)
        written = {"seat": seats[(me - first) % players], "phase": PHASES[stage - EXCHANGING]}
        written["hand"] = cards_text(view["hand"])
        if int(common["stock"]):
            written["turn-up"] = CARDS.text(int(common["turn_up"]))
        else:
            written["trump"] = CARDS.suits[int(common["trump"])]
        if table:
            written["table"] = " ".join(map(CARDS.text, table))  # in order
        if gone:
            written["played"] = CARDS.format(gone)
        if int(common["closer"]) >= 0:
            written["closed"] = seats[(int(common["closer"]) - first) % players]
        for key, name in (("points", "points"), ("big points", "total"), ("tricks", "tricks")):
            numbers = [int(public[name]) for public in publics]
            if any(numbers) or key == "tricks":
                written[key] = " - ".join(map(str, numbers))
        if int(publics[0]["known"]):
            written["shown"] = cards_text(publics[0]["known"])
        if any(int(public["known"]) for public in publics[1:]):
            written["known"] = " / ".join(cards_text(public["known"]) for public in publics[1:])
        if any(int(public["lacks"]) for public in publics):
            written["lacks"] = " / ".join(cards_text(public["lacks"]) for public in publics)
        if any(int(public["wed"]) for public in publics):
            written["wed"] = " / ".join(cards_text(public["wed"]) for public in publics)
        if int(common["deals"]) > 1:
            written["deal"] = str(int(common["deals"]))
        return written

    return write


def positions(seats: tuple[str, ...]) -> Positions:
    """Return how positions of a game with these seats are written."""
    return Positions(KEYS, reader(seats), writer(seats))
