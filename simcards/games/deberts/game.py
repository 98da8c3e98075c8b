"""Deberts: what it measures, its strategies, and the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.games.deberts import DEBERTS
from simcards.games.deberts import open_cards as open_cards  # gives `play_open`
from simcards.games.deberts.frame import (
    COUNTS,
    DEALING,
    DECK,
    DRAWN,
    HAND,
    NAME,
    OVER,
    PASS,
    PHASES,
    PLAY_TURNED,
    SOURCES,
    STATE,
    TURNED,
    VIEW,
    deal_points,
)
from simcards.games.deberts.players import HABITS, basic_policy
from simcards.games.deberts.position import POSITIONS
from simcards.games.deberts.scoring import settle
from simcards.games.deberts.text import ACTIONS, SUIT_NAMES, VIEW_DOC, action_text, state_text
from simcards.games.game import Bids, Game, Quantity, row_dtype
from simcards.games.strategy import Strategy, monte_carlo, open_search, random_play
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

POINT_FIELDS = tuple(f"points_{name}" for name in SOURCES)
COUNT_FIELDS = tuple(f"count_{name}" for name in COUNTS)
TABLE_WIDE = ("winner_points", "loser_points", "margin", "equal_runs", "thrown_in", "deals")

_SOURCES = {
    "cards": "in cards",
    "last": "for the last trick",
    "tierces": "for tierces",
    "fifties": "for fifties",
    "bella": "for bella",
    "bait": "taken over from a bait, or lost by one",
}
_COUNTS = {
    "plays": ("deals in which he plays", "result"),
    "plays_turned": ("deals in which he plays with the turned suit", "result"),
    "plays_named": ("deals in which he plays with a suit that he named", "result"),
    "made": ("deals in which he plays and wins more than the other", "result"),
    "bait": ("deals in which he plays and does not", "result"),
    "as_pone": ("deals played as pone", "play"),
    "deals_won": ("deals in which he writes more than the other", "result"),
    "tierces": ("tierces scored", "melds"),
    "fifties": ("fifties scored", "melds"),
    "runs_beaten": ("runs named that did not count", "melds"),
    "silences": ("runs kept silent about", "melds"),
    "bella": ("bella announced", "melds"),
    "exchanges": ("sevens exchanged for the turned trump", "play"),
    "tricks": ("tricks won", "play"),
    "last_tricks": ("last tricks won", "play"),
}
_SCORE: dict[str, Any] = {"bin_width": 5, "bins": 150}
_DIFFERENCE: dict[str, Any] = {"bin_width": 10, "bin_low": -400, "bins": 80}


def _count(name: str) -> Quantity:
    doc, section = _COUNTS[name]
    return Quantity(f"count_{name}", doc, "count", section, bins=HAND + 1 if name == "tricks" else 0)


QUANTITIES = (
    Quantity("points", "the score written", "points", "result", parts=POINT_FIELDS, **_SCORE),
    Quantity(
        "value",
        "what is won: the difference of a single deal, the settlement of a game",
        "points",
        "result",
        **_DIFFERENCE,
    ),
    Quantity("won", "wins", "flag", "result"),
    Quantity("winner_points", "the higher of the two scores", "points", "result", **_SCORE),
    Quantity("loser_points", "the lower of the two scores", "points", "result", **_SCORE),
    Quantity("margin", "points of the first pone less points of the first dealer", "points", "result", **_DIFFERENCE),
    Quantity("points_as_pone", "points written as pone", "points", "sources"),
    Quantity("points_as_dealer", "points written as dealer", "points", "sources"),
    Quantity("balance", "points more than the other in deals in which he plays", "points", "sources"),
    *(Quantity(f"points_{name}", f"points {_SOURCES[name]}", "points", "sources") for name in SOURCES),
    *(_count(name) for name in COUNTS),
    Quantity("equal_runs", "deals in which the best runs are equal", "count", "melds"),
    Quantity("thrown_in", "deals that nobody plays", "count", "play"),
    Quantity("deals", "deals dealt", "deals", "play", bins=30),
)
ROW = row_dtype(QUANTITIES, TABLE_WIDE, every_points=POINT_FIELDS, every_count=COUNT_FIELDS)


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    first = np.int64(state.public[0].total)
    second = np.int64(state.public[1].total)
    value = settle(first, second, state.rules)
    for player in range(2):
        total = np.int64(state.public[player].total)
        row.points[player] = total
        row.value[player] = value if player == 0 else -value
        row.points_as_pone[player] = tally.as_pone[player]
        row.points_as_dealer[player] = total - tally.as_pone[player]
        row.balance[player] = tally.balance[player]
    row.won[0] = first > second
    row.won[1] = second > first
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.equal_runs = tally.equal
    row.thrown_in = tally.thrown_in
    row.deals = state.common.deals


@implements(protocol.worth, STATE)
def _worth(state, player):
    first = np.int64(state.public[0].total)
    second = np.int64(state.public[1].total)
    value = first - second
    if state.common.stage == OVER:
        value = settle(first, second, state.rules)
    return np.float64(value if player == 0 else -value)


# -- bids ------------------------------------------------------------------------------------------------------

TURNED_SUIT = 0  # the first contract; then the suits


@implements(protocol.aim, STATE)
def _aim(state, contract):
    common = state.common
    if common.trump >= 0:
        return -1
    turned = np.int64(common.turned >> 3)
    if contract != TURNED_SUIT and contract - 1 == turned:
        return -2  # it is named as the turned suit
    suit = turned if contract == TURNED_SUIT else np.int64(contract) - 1
    if common.offer < 2:
        return PLAY_TURNED if suit == turned else PASS
    return PASS if suit == turned else NAME + suit


BIDS = Bids(
    contracts=("turned suit", *SUIT_NAMES),
    phases=("bid",),
    silence=PASS,
    taken="count_plays",
    made="count_made",
    turned="turned",
    classes=("trump jack", "trump nine", "trump ace", "trumps", "side aces", "tierce or fifty"),
)


def _places(rules):
    """Return the places of the dealing order that make up each hand, what is drawn to it, and the rest."""
    dealt = range(TURNED)
    half = (DRAWN - TURNED - 1) // 2
    return {
        "pone": [place for place in dealt if place // 3 % 2 == 0],
        "dealer": [place for place in dealt if place // 3 % 2 == 1],
        "turned": [TURNED],
        "pone draws": list(range(TURNED + 1, TURNED + 1 + half)),
        "dealer draws": list(range(TURNED + 1 + half, DRAWN)),
        "stock": list(range(DRAWN, DECK)),
    }


def _scores(state):
    """Return the scores so far, those of the deal that is being played with them."""
    playing = int(state["common"]["stage"]) not in (DEALING, OVER)
    return [int(public["total"]) + (int(deal_points(public)) if playing else 0) for public in state["public"]]


BASIC = Strategy(
    "basic",
    "a sensible club player: plays when the hand promises enough, exchanges the seven, declares everything, counts the"
    " chances of every card",
    tuple(policy(VIEW)(basic_policy(part)) for part in range(len(PHASES))),
    HABITS,
)
STRATEGIES = {
    "random": random_play(VIEW, len(PHASES)),
    "basic": BASIC,
    "mc": monte_carlo(VIEW, len(PHASES)),
    "solver": open_search(VIEW, len(PHASES)),
}

GAMES = (
    Game(
        ruleset=DEBERTS,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=QUANTITIES,
        strategies=STRATEGIES,
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=(
            *((name, "points") for name in POINT_FIELDS),
            ("count_made", "count_plays"),
            ("count_bait", "count_plays"),
            ("count_plays_turned", "count_plays"),
        ),
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        positions=POSITIONS,
        bids=BIDS,
    ),
)
