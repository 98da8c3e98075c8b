"""Piquet: what it measures, its strategies, and the games of its rule sets; all are played by the same kernel."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.game import Game, Quantity, row_dtype
from simcards.games.piquet import (
    RULESETS,
    ending,  # noqa: F401 - it provides what `solver` needs
)
from simcards.games.piquet.exchange import HABITS, basic_exchange
from simcards.games.piquet.frame import COUNTS, DEALING, HAND, OVER, PHASES, SOURCES, STATE, TALON, VIEW
from simcards.games.piquet.players import basic_declare, basic_leave, basic_play, basic_show
from simcards.games.piquet.position import POSITIONS
from simcards.games.piquet.scoring import settle
from simcards.games.piquet.text import ACTIONS, VIEW_DOC, action_text, discard_text, state_text
from simcards.games.strategy import Parameter, Strategy, monte_carlo, open_search, random_play
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

POINT_FIELDS = tuple(f"points_{name}" for name in SOURCES)
COUNT_FIELDS = tuple(f"count_{name}" for name in COUNTS)
HELD_FIELDS = ("longest_suit", "longest_sequence", "trios_held", "quatorzes_held")
TABLE_WIDE = ("winner_points", "loser_points", "margin", "equal_points", "equal_sequences", "deals")

_SOURCES = {
    "carte_blanche": "for carte blanche",
    "point": "for the point",
    "sequences": "for sequences",
    "sets": "for trios and quatorzes",
    "carte_rouge": "for carte rouge",
    "repique": "for repique",
    "pique": "for pique",
    "leads": "for cards led",
    "wins": "for winning tricks",
    "last": "for the last trick or the last lead",
    "cards": "for more than half of the tricks",
    "capot": "for all tricks",
    "deal_won": "for the higher score in a deal",
    "doubled": "added by doubling the first and the last deal",
}
_COUNTS = {
    "carte_blanche": "carte blanche scored",
    "point": "the point scored",
    "tierce": "sequences of three scored",
    "quart": "sequences of four scored",
    "quint": "sequences of five scored",
    "sixieme": "sequences of six scored",
    "septieme": "sequences of seven scored",
    "huitieme": "sequences of eight scored",
    "trio": "sets of three scored",
    "quatorze": "sets of four scored",
    "carte_rouge": "carte rouge",
    "repique": "repique",
    "pique": "pique",
    "cards": "more than half of the tricks, scored as such",
    "capot": "all tricks won",
    "deal": "deals with the higher score",
}
_SCORE: dict[str, Any] = {"bin_width": 5, "bins": 200}
_DIFFERENCE: dict[str, Any] = {"bin_width": 10, "bin_low": -400, "bins": 80}

QUANTITIES = (
    Quantity("points", "the score", "points", "result", parts=POINT_FIELDS, **_SCORE),
    Quantity(
        "value",
        "what is won: the difference of a single deal, the settlement of a game",
        "points",
        "result",
        **_DIFFERENCE,
    ),
    Quantity("won", "wins", "flag", "result"),
    Quantity("rubiconed", "loses the game below the rubicon", "flag", "result"),
    Quantity("winner_points", "the higher of the two scores", "points", "result", **_SCORE),
    Quantity("loser_points", "the lower of the two scores", "points", "result", **_SCORE),
    Quantity("margin", "points of the first elder less points of the first younger", "points", "result", **_DIFFERENCE),
    Quantity("points_as_elder", "points in deals as elder", "points", "sources"),
    Quantity("points_as_younger", "points in deals as younger", "points", "sources"),
    *(Quantity(f"points_{name}", f"points {_SOURCES[name]}", "points", "sources") for name in SOURCES),
    *(Quantity(f"count_{name}", _COUNTS[name], "count", "melds") for name in COUNTS),
    Quantity("pique_trick", "trick in which pique is first made", "trick", "timing"),
    Quantity("lost_point", "points that an equal point cost", "points", "play"),
    Quantity("lost_sequences", "points that an equal sequence cost", "points", "play"),
    Quantity("equal_points", "deals with equal points", "count", "play"),
    Quantity("equal_sequences", "deals with equal sequences", "count", "play"),
    Quantity("sunk", "combinations that could have been named and were not", "count", "play"),
    Quantity("longest_suit", "cards in the longest suit after the exchange", "count", "play"),
    Quantity("longest_sequence", "cards in the longest sequence after the exchange, 0 below three", "count", "play"),
    Quantity("trios_held", "sets of three after the exchange", "count", "play"),
    Quantity("quatorzes_held", "sets of four after the exchange", "count", "play"),
    Quantity("exchanged", "cards exchanged", "count", "play", bins=TALON + 1),
    Quantity("leads", "tricks led", "count", "play", bins=HAND + 1),
    Quantity("tricks", "tricks won", "count", "play", bins=HAND + 1),
    Quantity("deals", "deals played", "deals", "play"),
)
ROW = row_dtype(
    QUANTITIES,
    TABLE_WIDE,
    every_points=POINT_FIELDS,
    every_count=COUNT_FIELDS,
    every_held=HELD_FIELDS,
)


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    first = np.int64(state.public[0].total)
    second = np.int64(state.public[1].total)
    value, rubicon = settle(first, second, state.rules)
    for player in range(2):
        total = np.int64(state.public[player].total)
        row.points[player] = total
        row.value[player] = value if player == 0 else -value
        row.points_as_elder[player] = tally.as_elder[player]
        row.points_as_younger[player] = total - tally.as_elder[player]
        row.lost_point[player] = tally.lost[0, player]
        row.lost_sequences[player] = tally.lost[1, player]
        row.sunk[player] = tally.sunk[player]
        row.pique_trick[player] = tally.pique_trick[player]
        row.exchanged[player] = tally.exchanged[player]
        row.leads[player] = tally.leads[player]
        row.tricks[player] = tally.tricks[player]
    row.won[0] = first > second
    row.won[1] = second > first
    row.rubiconed[0] = rubicon and second > first
    row.rubiconed[1] = rubicon and first > second
    row.every_points[:] = tally.points
    row.every_count[:] = tally.count
    row.every_held[:] = tally.held
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.equal_points = tally.equal[0]
    row.equal_sequences = tally.equal[1]
    row.deals = state.common.deals


@implements(protocol.worth, STATE)
def _worth(state, player):
    first = np.int64(state.public[0].total)
    second = np.int64(state.public[1].total)
    value = first - second
    if state.common.stage == OVER:
        value, _ = settle(first, second, state.rules)
    return np.float64(value if player == 0 else -value)


def _places(rules):
    """Return the places of the dealing order that make up each hand and the talon."""
    return {
        "elder": [place for place in range(2 * HAND) if place // 2 % 2 == 0],
        "younger": [place for place in range(2 * HAND) if place // 2 % 2 == 1],
        "talon": list(range(2 * HAND, 2 * HAND + TALON)),
    }


def _scores(state):
    """Return the scores so far, those of the deal that is being played with them."""
    playing = int(state["common"]["stage"]) not in (DEALING, OVER)
    return [int(public["total"]) + (int(public["points"]) if playing else 0) for public in state["public"]]


BASIC = Strategy(
    "basic",
    "a sensible club player: discards for the best prospects of point, sequences, sets and tricks, declares everything,"
    " leads what runs or can be established, keeps guards",
    tuple(policy(VIEW)(decide) for decide in (basic_show, basic_exchange, basic_leave, basic_declare, basic_play)),
    tuple(Parameter(name, default, doc, low, high) for name, default, doc, low, high in HABITS),
)
STRATEGIES = {
    "random": random_play(VIEW, len(PHASES)),
    "basic": BASIC,
    "mc": monte_carlo(VIEW, len(PHASES)),
    "solver": open_search(VIEW, len(PHASES)),
}

GAMES = tuple(
    Game(
        ruleset=ruleset,
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
        shares=tuple((name, "points") for name in POINT_FIELDS),
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        positions=POSITIONS,
        joint=MappingProxyType({"exchange": discard_text}),
    )
    for ruleset in RULESETS
)
