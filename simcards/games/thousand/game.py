"""Thousand: what it measures, its strategies, and the games of its rule sets; all are played by the same kernel."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numba.extending import overload

from simcards.games.game import Bids, Game, Quantity, row_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Strategy, monte_carlo, open_search, random_play
from simcards.games.thousand import BLIND, THREE, TWO_AUCTION, TWO_STOCK, open_cards  # noqa: F401 registers
from simcards.games.thousand.frame import (
    CARDS,
    DEALING,
    OVER,
    PHASES,
    SOURCES,
    STATE,
    VIEW,
)
from simcards.games.thousand.play import leading, value_for, winner_of
from simcards.games.thousand.players import (
    basic_bid,
    basic_exchange,
    basic_look,
    basic_packet,
    basic_play,
    basic_raise,
    habits,
)
from simcards.games.thousand.position import POSITIONS
from simcards.games.thousand.text import ACTIONS, VIEW_DOC, action_text, exchange_text, state_text
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

SUITS = ("spades", "hearts", "diamonds", "clubs")
MARRIAGE_FIELDS = tuple(f"count_{suit}" for suit in SUITS)
FIRST_FIELDS = tuple(f"first_{suit}" for suit in SUITS)
SOURCE_FIELDS = tuple(f"points_{name}" for name in SOURCES)
TAKEN_FIELDS = ("points_cards", "points_marriages")
WON_FIELDS = ("card_points", "marriage_points")

_SOURCES = {
    "made": "bids made, for which the bid is written",
    "failed": "bids not made, for which it is taken off",
    "defence_cards": "cards won while another played the hand",
    "defence_marriages": "marriages announced while another played the hand",
    "doubled": "added by doubling, when the bidding was won without looking",
}
_SCORE: dict[str, Any] = {"bin_width": 20, "bin_low": -1000, "bins": 130}
_DIFFERENCE: dict[str, Any] = {"bin_width": 20, "bin_low": -2000, "bins": 200}
_BIDS: dict[str, Any] = {"bin_width": 10, "bins": 42}


def _quantities(ruleset: RuleSet) -> tuple[Quantity, ...]:
    auction = ruleset is not TWO_STOCK
    two = ruleset.players == 2
    parts = SOURCE_FIELDS if auction else TAKEN_FIELDS
    result = (
        Quantity("points", "the score", "points", "result", parts=parts, **_SCORE),
        Quantity(
            "value",
            "the own score less the other's"
            if two
            else "the differences between the own score and those of the others",
            "points",
            "result",
            **_DIFFERENCE,
        ),
        Quantity("won", "wins", "flag", "result"),
        Quantity("winner_points", "the highest of the scores", "points", "result", **_SCORE),
        Quantity("loser_points", "the lowest of the scores", "points", "result", **_SCORE),
        *((Quantity("margin", "points of forehand less those of dealer", "points", "result", **_DIFFERENCE),) * two),
    )
    bids = (
        Quantity("declared", "hands played for a bid", "count", "play"),
        Quantity("contract", "points of the bid played for, the highest in a game", "points", "play", **_BIDS),
        Quantity("made", "bids made", "count", "play"),
        Quantity("failed", "bids not made", "count", "play"),
        Quantity("declarer_points", "points taken in hands played for a bid", "points", "play", **_BIDS),
        Quantity("raised", "bids raised after the packet", "count", "play"),
        Quantity("raised_by", "points by which they were raised", "points", "play"),
        Quantity("talon_points", "points of the cards of packets taken", "points", "play"),
        Quantity("talon_marriages", "marriages made by packets taken", "count", "play"),
        Quantity("sweeps", "hands in which the player with the bid took every trick", "count", "play"),
        *(
            (Quantity("packet_points", "points of both packets, added to 120 for every trick", "points", "play"),)
            * (ruleset is TWO_AUCTION)
        ),
        Quantity("blind", "biddings won without looking", "count", "play"),
    )
    sources = (
        tuple(Quantity(f"points_{name}", f"points for {_SOURCES[name]}", "points", "sources") for name in SOURCES)
        if auction
        else (
            Quantity("points_cards", "points in cards won", "points", "sources"),
            Quantity("points_marriages", "points for marriages", "points", "sources"),
        )
    )
    won = (
        Quantity("card_points", "points in cards won, whether written or not", "points", "play"),
        Quantity("marriage_points", "points of marriages announced, whether written or not", "points", "play"),
        Quantity("marriages_held", "marriages held when play begins", "count", "play"),
    )
    return (
        *result,
        *sources,
        *(Quantity(f"count_{suit}", f"marriages of {suit} announced", "count", "melds") for suit in SUITS),
        *(
            Quantity(f"first_{suit}", f"trick in which a marriage of {suit} is first announced", "trick", "timing")
            for suit in SUITS
        ),
        Quantity("marriages", "marriages announced", "count", "play", parts=MARRIAGE_FIELDS),
        *((*won, *bids) if auction else ()),
        Quantity("tricks", "tricks won", "count", "play", bins=13),
        Quantity("both_over", "deals in which more than one reached the target", "count", "play"),
        Quantity("deals", "deals played", "deals", "play"),
    )


TABLE_WIDE = ("winner_points", "loser_points", "margin", "both_over", "deals")


def _row(ruleset: RuleSet) -> np.dtype[Any]:
    groups = {"every_count": MARRIAGE_FIELDS, "every_first": FIRST_FIELDS}
    groups |= {"every_taken": TAKEN_FIELDS} if ruleset is TWO_STOCK else {"every_points": SOURCE_FIELDS}
    return row_dtype(_quantities(ruleset), TABLE_WIDE, ruleset.players, **groups)


@implements(protocol.measure, STATE)
def _measure(state, row):
    players = np.int64(state.rules.players)
    tally = state.tally
    winner = winner_of(state) if state.rules.target > 0 else leading(state)
    highest = np.int64(state.public[0].total)
    least = highest
    for player in range(players):
        total = np.int64(state.public[player].total)
        highest = max(highest, total)
        least = min(least, total)
        row.points[player] = total
        row.value[player] = value_for(state, player)
        row.won[player] = player == winner
        row.tricks[player] = tally.tricks[player]
        row.marriages[player] = 0
        for suit in range(4):
            row.marriages[player] += tally.marriages[suit, player]
            row.every_count[suit, player] = tally.marriages[suit, player]
            row.every_first[suit, player] = tally.first[suit, player]
    row.winner_points = highest
    row.loser_points = least
    row.both_over = tally.both_over
    row.deals = state.common.deals
    _measure_margin(state, row)
    _measure_points(state, row)
    _measure_packets(state, row)


def _measure_margin(state, row):
    """Write the difference between two players, where there are two."""


@overload(_measure_margin)
def _choose_margin(state, row):
    if "margin" not in row.fields:
        return lambda state, row: None

    def measure(state, row):
        row.margin = state.public[0].total - state.public[1].total

    return measure


def _measure_packets(state, row):
    """Write what the packets brought, where they can."""


@overload(_measure_packets)
def _choose_packets(state, row):
    if "packet_points" not in row.fields:
        return lambda state, row: None

    def measure(state, row):
        for player in range(2):
            row.packet_points[player] = state.tally.packets[player]

    return measure


def _measure_points(state, row):
    """Write where points came from, and what was bid."""


@overload(_measure_points)
def _choose_points(state, row):
    def measure_taken(state, row):
        for player in range(2):
            for source in range(2):
                row.every_taken[source, player] = state.tally.taken[source, player]

    def measure_bids(state, row):
        tally = state.tally
        for player in range(np.int64(state.rules.players)):
            for source in range(len(SOURCES)):
                row.every_points[source, player] = tally.points[source, player]
            row.card_points[player] = tally.taken[0, player]
            row.marriage_points[player] = tally.taken[1, player]
            row.marriages_held[player] = tally.held[player]
            row.declared[player] = tally.declared[player]
            row.contract[player] = tally.contract[player]
            row.made[player] = tally.made[player]
            row.failed[player] = tally.failed[player]
            row.declarer_points[player] = tally.as_declarer[player]
            row.raised[player] = tally.raised[player]
            row.raised_by[player] = tally.raised_by[player]
            row.talon_points[player] = tally.talon_points[player]
            row.talon_marriages[player] = tally.talon_marriages[player]
            row.sweeps[player] = tally.sweeps[player]
            row.blind[player] = tally.blind[player]

    return measure_bids if "every_points" in row.fields else measure_taken


def _places(ruleset: RuleSet) -> Any:
    def places(rules: Mapping[str, int]) -> dict[str, list[int]]:
        """Return the places of the dealing order that make up each hand, and the packets or the stock."""
        hand = ruleset.hand
        hands = {seat: list(range(hand * k, hand * (k + 1))) for k, seat in enumerate(ruleset.seats)}
        start = hand * ruleset.players
        if ruleset is TWO_STOCK:
            return {**hands, "stock": list(range(start, CARDS))}
        if ruleset is TWO_AUCTION:
            return {**hands, "packet 1": [start, start + 1], "packet 2": [start + 2, start + 3]}
        return {**hands, "packet": list(range(start, CARDS))}

    return places


def _scores(state: Any) -> list[int]:
    """Return the scores so far; of a deal that is being played for no bid, with its points."""
    common = state["common"]
    count = int(common["stage"]) not in (DEALING, OVER) and int(common["declarer"]) < 0
    return [
        int(public["total"]) + (int(public["cards"]) + int(public["marriages"]) if count else 0)
        for public in state["public"][: int(state["rules"]["players"])]
    ]


_POLICIES = {
    "play": policy(VIEW)(basic_play),
    "bid": policy(VIEW)(basic_bid),
    "exchange": policy(VIEW)(basic_exchange),
    "raise": policy(VIEW)(basic_raise),
    "look": policy(VIEW)(basic_look),
    "packet": policy(VIEW)(basic_packet),
}


def _strategies(phases: tuple[str, ...]) -> dict[str, Strategy]:
    basic = Strategy(
        "basic",
        "a sensible club player: bids on an honest estimate of his hand, keeps after the packet what promises most,"
        " announces marriages when his sure tricks are made, and weighs what a card would still be good for",
        tuple(_POLICIES[phase] for phase in phases),
        habits(phases == PHASES[:1]),
    )
    return {
        "random": random_play(VIEW, len(phases)),
        "basic": basic,
        "mc": monte_carlo(VIEW, len(phases)),
        "solver": open_search(VIEW, len(phases)),
    }


BIDS = Bids(
    contracts=tuple(str(points) for points in range(100, 401, 10)),
    phases=("bid",),
    silence=0,
    taken="declared",
    made="made",
    classes=("marriage points", "aces", "half marriages", "longest suit"),
)


def _game(ruleset: RuleSet) -> Game:
    phases = {TWO_STOCK.id: PHASES[:1], TWO_AUCTION.id: PHASES}.get(ruleset.id, PHASES[:5])
    auction = ruleset is not TWO_STOCK
    return Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=_row(ruleset),
        phases=phases,
        quantities=_quantities(ruleset),
        strategies=_strategies(phases),
        places=_places(ruleset),
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in (() if auction else TAKEN_FIELDS)),
        scores=_scores,
        actions=MappingProxyType({phase: ACTIONS[phase] for phase in phases}),
        view_doc=VIEW_DOC,
        positions=POSITIONS,
        bids=BIDS if auction else None,
        joint=MappingProxyType({"exchange": exchange_text} if auction else {}),
    )


GAMES = tuple(_game(ruleset) for ruleset in (TWO_STOCK, TWO_AUCTION, THREE, BLIND))
