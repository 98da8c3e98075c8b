"""Cribbage: what it measures, its strategies, and the games of its rule sets; all are played by the same kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from simcards.games.cribbage import AUCTION, FOUR_HANDED, RULESETS
from simcards.games.cribbage.board import chance
from simcards.games.cribbage.exact import reckon
from simcards.games.cribbage.frame import (
    BIDDING,
    COUNTS,
    CRIB_FIFTEEN,
    HAND_FIFTEEN,
    OVER,
    PASS,
    PEG_FIFTEEN,
    PHASES,
    SOURCES,
    STATE,
    VIEW,
    after,
    is_side,
)
from simcards.games.cribbage.grids import grids
from simcards.games.cribbage.near_end import STRATEGY as BOARD
from simcards.games.cribbage.play import side_points
from simcards.games.cribbage.players import HABITS, basic_bid, basic_discard, basic_play
from simcards.games.cribbage.position import POSITIONS
from simcards.games.cribbage.text import ACTIONS, VIEW_DOC, action_text, state_text
from simcards.games.cribbage.worlds import make_world
from simcards.games.game import Bids, Game, Quantity, row_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Parameter, Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy

POINT_FIELDS = tuple(f"points_{name}" for name in SOURCES)
COUNT_FIELDS = tuple(f"count_{name}" for name in COUNTS)
PEGGING = POINT_FIELDS[PEG_FIFTEEN:HAND_FIFTEEN]
IN_HAND = POINT_FIELDS[HAND_FIFTEEN:CRIB_FIFTEEN]
IN_CRIB = POINT_FIELDS[CRIB_FIFTEEN:]
SHARES = ("pegging", "hand", "crib", *POINT_FIELDS)
TABLE_WIDE = ("winner_points", "loser_points", "margin", "deals")

_SOURCES = {
    "compensation": "before the deal, for not dealing",
    "heels": "for a jack as the starter",
    "bid": "paid for the crib",
    "peg_fifteen": "in play for fifteen",
    "peg_thirty_one": "in play for thirty-one",
    "peg_pairs": "in play for pairs, three and four alike",
    "peg_runs": "in play for runs",
    "peg_last": "in play for the last card of a count",
    "hand_fifteen": "in the hand for fifteens",
    "hand_pairs": "in the hand for pairs",
    "hand_runs": "in the hand for runs",
    "hand_flush": "in the hand for a flush",
    "hand_nobs": "in the hand for the jack of the starter's suit",
    "crib_fifteen": "in the crib for fifteens",
    "crib_pairs": "in the crib for pairs",
    "crib_runs": "in the crib for runs",
    "crib_flush": "in the crib for a flush",
    "crib_nobs": "in the crib for the jack of the starter's suit",
}
_COUNTS = {
    "peg_fifteen": "fifteens made in play",
    "peg_thirty_one": "thirty-ones made in play",
    "pair": "pairs made in play",
    "pair_royal": "pairs royal (three alike) made in play",
    "double_pair_royal": "double pairs royal (four alike) made in play",
    "run_of_three": "runs of three made in play",
    "run_of_four": "runs of four made in play",
    "run_of_five": "runs of five made in play",
    "run_of_six": "runs of six made in play",
    "run_of_seven": "runs of seven made in play",
    "last_card": "last cards scored",
    "go": "times go was said",
    "heels": "jacks as the starter",
    "hand_flush": "flushes in the hand",
    "hand_nobs": "jacks of the starter's suit in the hand",
    "hand_nothing": "hands without points",
    "hand_twelve": "hands of twelve points and more",
    "hand_twenty": "hands of twenty points and more",
    "crib_flush": "flushes in the crib",
    "crib_nobs": "jacks of the starter's suit in the crib",
    "crib_nothing": "cribs without points",
    "crib_twelve": "cribs of twelve points and more",
    "bought": "times the crib was bought",
    "repaid": "times a crib that was bought had the points bid for it",
}
_SCORE: dict[str, Any] = {"bin_width": 1, "bins": 200}


def _quantities(ruleset: RuleSet) -> tuple[Quantity, ...]:
    """Return what is measured; partners have the points of their side besides."""
    partners = ruleset.players == 4
    return (
        Quantity(
            "points",
            "the score" + (" that the player made himself" if partners else ""),
            "points",
            "result",
            parts=("points_compensation", "points_heels", "points_bid", "pegging", "hand", "crib"),
            **_SCORE,
        ),
        *((Quantity("side_points", "points of the player and his partner", "points", "result", **_SCORE),) * partners),
        Quantity(
            "value",
            "in a single deal the difference in points, in a game 1 for the winner and -1 for the loser",
            "points",
            "result",
            bin_low=-60,
            bins=121,
        ),
        Quantity("won", "wins", "flag", "result"),
        Quantity("winner_points", "the higher of the two scores", "points", "result", **_SCORE),
        Quantity("loser_points", "the lower of the two scores", "points", "result", **_SCORE),
        Quantity(
            "margin",
            "points of the side that does not deal first, less those of the other",
            "points",
            "result",
            bin_low=-120,
            bins=241,
        ),
        Quantity("pegging", "points in play", "points", "sources", parts=PEGGING, **_SCORE),
        Quantity("hand", "points of the hand in the show", "points", "sources", parts=IN_HAND, **_SCORE),
        Quantity("crib", "points of the crib in the show", "points", "sources", parts=IN_CRIB, **_SCORE),
        *(Quantity(f"points_{name}", f"points {_SOURCES[name]}", "points", "sources") for name in SOURCES),
        Quantity("points_as_dealer", "points in deals that the player dealt", "points", "sources"),
        Quantity("points_otherwise", "points in deals that he did not deal", "points", "sources"),
        *(Quantity(f"count_{name}", _COUNTS[name], "count", "melds") for name in COUNTS),
        Quantity("bids", "points paid for the crib", "points", "play", bins=64),
        Quantity("best_hand", "points of the best hand", "count", "play", bins=60),
        Quantity("best_crib", "points of the best crib", "count", "play", bins=60),
        Quantity("deals", "deals played", "deals", "play", bins=60),
    )


def _row(ruleset: RuleSet) -> np.dtype[Any]:
    return row_dtype(
        _quantities(ruleset),
        TABLE_WIDE,
        ruleset.players,
        every_points=POINT_FIELDS,
        every_count=COUNT_FIELDS,
    )


def _measure_partners(state, row):
    """Write what only partners have, where the row has room for it."""


@overload(_measure_partners)
def _choose_measure_partners(state, row):
    if "side_points" not in row.fields:
        return lambda state, row: None

    def measure(state, row):
        for player in range(4):
            row.side_points[player] = side_points(state, player)

    return measure


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    players = np.int64(state.rules.players)
    first = side_points(state, 0)
    second = side_points(state, 1)
    winner = np.int64(state.common.winner)
    if winner < 0 and first != second:
        winner = 0 if first > second else 1
    for player in range(players):
        points = np.int64(state.public[player].points)
        row.points[player] = points
        won = winner >= 0 and is_side(winner, player)
        row.won[player] = won
        if state.rules.target > 0:
            row.value[player] = 0 if winner < 0 else 1 if won else -1
        else:
            row.value[player] = first - second if player & 1 == 0 else second - first
        for source in range(len(SOURCES)):
            row.every_points[source, player] = tally.points[source, player]
        for count in range(len(COUNTS)):
            row.every_count[count, player] = tally.count[count, player]
        row.pegging[player] = _sum(tally.points, PEG_FIFTEEN, HAND_FIFTEEN, player)
        row.hand[player] = _sum(tally.points, HAND_FIFTEEN, CRIB_FIFTEEN, player)
        row.crib[player] = _sum(tally.points, CRIB_FIFTEEN, len(SOURCES), player)
        row.points_as_dealer[player] = tally.as_dealer[player]
        row.points_otherwise[player] = points - tally.as_dealer[player]
        row.bids[player] = tally.bids[player]
        row.best_hand[player] = tally.best_hand[player]
        row.best_crib[player] = tally.best_crib[player]
    row.winner_points = max(first, second)
    row.loser_points = min(first, second)
    row.margin = first - second
    row.deals = state.common.deals
    _measure_partners(state, row)


@kernel
def _sum(points, low, high, player):
    total = 0
    for source in range(low, high):
        total += points[source, player]
    return total


@implements(protocol.worth, STATE)
def _worth(state, player):
    rules = state.rules
    mine = side_points(state, player)
    other = side_points(state, player ^ 1)
    if rules.target == 0:
        return np.float64(mine - other)
    if state.common.stage == OVER:
        winner = np.int64(state.common.winner)
        if winner < 0:  # so many deals were played that the higher score wins
            return np.float64((mine > other) - (mine < other))
        return 1.0 if is_side(winner, player) else -1.0
    following = after(rules, np.int64(state.common.dealer), 1)
    target = np.int64(rules.target)
    return 2.0 * chance(rules, target - mine, target - other, is_side(following, player)) - 1.0


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    make_world(view, rng, state)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(4, VIEW)


@implements(protocol.aim, STATE)
def _aim(state, contract):
    if state.common.stage != BIDDING:
        return np.int64(-1)
    price = contract + 1
    return price if state.common.bid < price else np.int64(PASS)


def _places(rules):
    """Return the places of the dealing order that make up each hand, the starter and the stock."""
    players, cards = rules["players"], rules["cards"]
    seats = (FOUR_HANDED if players == 4 else RULESETS[0]).seats
    places = {seat: [place * players + k for place in range(cards)] for k, seat in enumerate(seats)}
    dealt = players * cards
    return {**places, "starter": [dealt], "stock": list(range(dealt + 1, 52))}


def _scores(state):
    """Return the scores so far."""
    players = int(state["rules"]["players"])
    return [int(public["points"]) for public in state["public"][:players]]


BASIC = Strategy(
    "basic",
    "a sensible club player: discards by what hand and crib are worth on average, lays what scores most less what it"
    " gives away, bids up to half of what the crib makes of a difference",
    tuple(policy(VIEW)(decide) for decide in (basic_bid, basic_discard, basic_play)),
    tuple(Parameter(name, default, doc, low, high) for name, default, doc, low, high in HABITS),
)
STRATEGIES = {
    "random": random_play(VIEW, len(PHASES)),
    "basic": BASIC,
    "board": BOARD,
    "mc": monte_carlo(VIEW, len(PHASES)),
}

BIDS = Bids(
    contracts=tuple(f"the crib for {price}" for price in range(1, 16)),
    phases=("bid",),
    silence=PASS,
    taken="count_bought",
    made="count_repaid",
    classes=("fives", "pairs"),
)

GAMES = tuple(
    Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=_row(ruleset),
        phases=PHASES,
        quantities=_quantities(ruleset),
        strategies={name: STRATEGIES[name] for name in ruleset.strategies},
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in SHARES),
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        positions=POSITIONS,
        reckon=reckon,
        bids=BIDS if ruleset is AUCTION else None,
        grids=grids(ruleset.players, ruleset.hand) if ruleset is not AUCTION else {},
    )
    for ruleset in RULESETS
)
