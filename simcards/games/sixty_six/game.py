"""Sixty-six: what it measures, its strategies, and the games of its rule sets; all are played by the same kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.games.game import Game, Quantity, row_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.sixty_six import RULESETS
from simcards.games.sixty_six.endgame import SOLVER
from simcards.games.sixty_six.frame import COUNTS, PHASES, PRIZES, SOURCES, STATE, TYPES, VIEW
from simcards.games.sixty_six.marks import MARKS
from simcards.games.sixty_six.play import ahead
from simcards.games.sixty_six.players import HABITS, basic_close, basic_exchange, basic_play
from simcards.games.sixty_six.position import positions
from simcards.games.sixty_six.text import ACTIONS, VIEW_DOC, action_text, state_text
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

BIG_FIELDS = tuple(f"big_{name}" for name in PRIZES)
POINT_FIELDS = tuple(f"points_{name}" for name in SOURCES)
COUNT_FIELDS = tuple(f"count_{name}" for name in COUNTS)
TABLE_WIDE = ("no_result", "all_tricks", "deals")

_PRIZES = {
    "single": "for winning when the loser has passed the half",
    "double": "for winning when the loser has not passed the half",
    "triple": "for winning when the loser has no point",
    "closed": "for closing the stock and reaching the goal",
    "failed": "from another who closed the stock in vain",
}
_SOURCES = {
    "cards": "in cards won",
    "marriage": "for marriages in plain suits",
    "royal_marriage": "for marriages in trumps",
    "last_trick": "for the last trick",
}
_COUNTS = {
    **{name: f"deals that brought big points {doc}" for name, doc in _PRIZES.items()},
    "marriage": "marriages in plain suits announced",
    "royal_marriage": "marriages in trumps announced",
    "exchange": "nines of trumps exchanged",
    "closing": "stocks closed",
    "closing_won": "stocks closed, and the goal reached first",
    "closing_lost": "stocks closed in vain",
}


def _quantities(players: int) -> tuple[Quantity, ...]:
    reach = 3 * (players - 1)
    return (
        Quantity("big", "big points", "points", "result", parts=BIG_FIELDS, bins=16),
        Quantity(
            "value",
            "what is won: in a deal the differences between the own big points and those of each of the others; in a"
            " game 1 from each of the others for the winner",
            "points",
            "result",
            bin_low=-reach,
            bins=2 * reach + 1,
        ),
        Quantity("won", "wins: the game, or big points in a single deal", "flag", "result"),
        Quantity(
            "points", "points in cards and marriages", "points", "result", parts=POINT_FIELDS, bin_width=5, bins=60
        ),
        *(Quantity(f"big_{name}", f"big points {_PRIZES[name]}", "points", "sources") for name in PRIZES),
        *(Quantity(f"points_{name}", f"points {_SOURCES[name]}", "points", "sources") for name in SOURCES),
        *(Quantity(f"count_{name}", _COUNTS[name], "count", "melds") for name in COUNTS),
        Quantity("closing_trick", "trick before which the stock is first closed", "trick", "timing"),
        Quantity("closing_points", "points when the stock is first closed", "points", "play"),
        Quantity("closing_trumps", "trumps held when the stock is first closed", "count", "play"),
        Quantity("tricks", "tricks won", "count", "play", bins=25),
        Quantity("no_result", "deals without a winner", "count", "play"),
        Quantity("all_tricks", "tricks played", "count", "play", bins=25),
        Quantity("deals", "deals played", "deals", "play", bins=40),
    )


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    rules = state.rules
    winner = np.int64(state.common.winner)
    for player in range(np.int64(rules.players)):
        total = np.int64(state.public[player].total)
        row.big[player] = total
        row.points[player] = 0
        for source in range(len(SOURCES)):
            row.points[player] += tally.points[source, player]
            row.every_points[source, player] = tally.points[source, player]
        for kind in range(len(PRIZES)):
            row.every_big[kind, player] = tally.big[kind, player]
        for kind in range(len(COUNTS)):
            row.every_count[kind, player] = tally.count[kind, player]
        if rules.target == 0:
            row.value[player] = ahead(state, player, 1 << 30)
            row.won[player] = total > 0
        else:
            row.value[player] = np.int64(rules.players) - 1 if winner == player else -1
            row.won[player] = winner == player
        row.closing_trick[player] = tally.closing_trick[player]
        row.closing_points[player] = tally.closing_points[player]
        row.closing_trumps[player] = tally.closing_trumps[player]
        row.tricks[player] = tally.tricks[player]
    row.no_result = tally.no_result
    row.all_tricks = tally.all_tricks
    row.deals = state.common.deals


def _places(ruleset: RuleSet) -> Any:
    """Return what names the places of the dealing order: the hands, the turn-up and the stock."""

    def places(rules: Any) -> dict[str, list[int]]:
        hand = int(rules["hand"])
        made = {seat: list(range(k * hand, (k + 1) * hand)) for k, seat in enumerate(ruleset.seats)}
        dealt, size = hand * len(ruleset.seats), TYPES * int(rules["packs"])
        if dealt < size:
            made |= {"turn-up": [dealt], "stock": list(range(dealt + 1, size))}
        return made

    return places


def _scores(state: Any) -> list[int]:
    """Return the big points so far."""
    return [int(public["total"]) for public in state["public"][: int(state["rules"]["players"])]]


BASIC = Strategy(
    "basic",
    "a sensible club player: remembers the cards, keeps trumps and pairs, announces marriages, and closes when the"
    " points he reckons with come to the goal",
    tuple(policy(VIEW)(decide) for decide in (basic_exchange, basic_close, basic_play)),
    HABITS,
)
STRATEGIES = {
    "random": random_play(VIEW, len(PHASES)),
    "basic": BASIC,
    "mc": monte_carlo(VIEW, len(PHASES)),
    "solver": SOLVER,
}


def _game(ruleset: RuleSet) -> Game:
    quantities = _quantities(ruleset.players)
    return Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=row_dtype(
            quantities,
            TABLE_WIDE,
            ruleset.players,
            every_points=POINT_FIELDS,
            every_big=BIG_FIELDS,
            every_count=COUNT_FIELDS,
        ),
        phases=PHASES,
        quantities=quantities,
        strategies=STRATEGIES,
        places=_places(ruleset),
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=(*((name, "big") for name in BIG_FIELDS), *((name, "points") for name in POINT_FIELDS)),
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        positions=positions(ruleset.seats),
        marks=MARKS,
    )


GAMES = tuple(map(_game, RULESETS))
