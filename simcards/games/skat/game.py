"""Skat: what it measures, its strategies, and the games of its rule sets; both are played by the same kernel."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.game import Bids, Game, Quantity, row_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.skat import FOUR_HANDED, SKAT, open_cards  # noqa: F401 registers
from simcards.games.skat.bidders import basic_bid, basic_declare, basic_discard, basic_skat
from simcards.games.skat.frame import (
    COUNTS,
    DEALT_TO,
    GRAND,
    NULL,
    PASS,
    PHASES,
    SKAT_ROLE,
    SOURCES,
    STATE,
    VIEW,
)
from simcards.games.skat.frame import (
    GAMES as KINDS,
)
from simcards.games.skat.play import CONTRACTS, value_for
from simcards.games.skat.players import PARAMETERS, basic_play
from simcards.games.skat.position import POSITIONS
from simcards.games.skat.text import ACTIONS, VIEW_DOC, action_text, discard_text, state_text
from simcards.games.strategy import Strategy, monte_carlo, open_search, random_play
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

SOURCE_FIELDS = tuple(f"points_{name}" for name in SOURCES)
_SOURCES = {
    "matadors": "matadors, in games won",
    "game": "the game, in games won",
    "hand": "playing from the hand, in games won",
    "schneider": "schneider, in games won",
    "schneider_announced": "announcing schneider, in games won",
    "schwarz": "schwarz, in games won",
    "schwarz_announced": "announcing schwarz, in games won",
    "ouvert": "open cards, in suit games won",
    "null": "nulls won",
    "failed": "games lost in play",
    "overbid": "games that were not worth the bid",
    "doubled": "loss once more, when the skat was taken",
}
_COUNTS = {
    **{f"played_{name}": f"games of {name} played" for name in KINDS},
    **{f"made_{name}": f"games of {name} won" for name in KINDS},
    "hand_games": "games played from the hand",
    "hand_made": "games from the hand won",
    "open_games": "games played with open cards",
    "schneider_announced": "games with schneider announced",
    "schwarz_announced": "games with schwarz announced",
    "schneider": "games in which the declarer made the others schneider",
    "schwarz": "games in which he won every trick",
    "schneidered": "games in which he was schneider himself",
    "schwarzed": "games, but for nulls, in which he won no trick",
    "overbid": "games lost because they were not worth the bid",
    "failed": "games lost in play",
    "declared": "games played",
    "made": "games won",
    "defended": "games of another defended against",
    "defence_won": "of these, games that he lost",
    "tricks": "tricks won",
    "defence_points": "card points won in defence",
}
_WIDE = {
    "games": "games played at the table",
    "games_made": "games won by their declarers",
    "games_suit": "suit games played at the table",
    "suit_made": "suit games won by their declarers",
    "games_grand": "grands played at the table",
    "grand_made": "grands won by their declarers",
    "games_null": "nulls played at the table",
    "null_made": "nulls won by their declarers",
    "games_hand": "games from the hand at the table",
    "games_schneider": "games at the table in which either side was schneider",
}
_SCORE: dict[str, Any] = {"bin_width": 10, "bin_low": -1000, "bins": 200}
_VALUES: dict[str, Any] = {"bin_width": 10, "bins": 40}

QUANTITIES = (
    Quantity("points", "the score", "points", "result", parts=SOURCE_FIELDS, **_SCORE),
    Quantity("value", "the differences between the own score and those of the others", "points", "result", **_SCORE),
    Quantity("won", "has the highest score, perhaps with others", "flag", "result"),
    Quantity("winner_points", "the highest of the scores", "points", "result", **_SCORE),
    Quantity("loser_points", "the lowest of the scores", "points", "result", **_SCORE),
    *(Quantity(f"points_{name}", f"points for {_SOURCES[name]}", "points", "sources") for name in SOURCES),
    *(Quantity(name, _COUNTS[name], "count", "play", bins=11 if name == "tricks" else 0) for name in COUNTS),
    Quantity("bid", "the bid played for, the highest in a list", "points", "play", **_VALUES),
    Quantity("with_jacks", "matadors with which a game was played, the most in a list", "count", "play", bins=12),
    Quantity("without_jacks", "matadors without which a game was played, the most in a list", "count", "play", bins=12),
    Quantity("game_value", "what a game was worth, the most in a list", "points", "play", **_VALUES),
    Quantity("declarer_points", "card points as declarer, but for nulls", "points", "play", bin_width=5, bins=25),
    Quantity("skat_points", "card points found in the skat", "points", "play"),
    Quantity("skat_jacks", "jacks found in the skat", "count", "play"),
    Quantity("value_declaring", "the part of the value from own games", "points", "play"),
    Quantity("value_defending", "the part of the value from games of others", "points", "play"),
    *(Quantity(name, doc, "count", "play") for name, doc in _WIDE.items()),
    Quantity("passed_in", "deals in which all passed", "count", "play"),
    Quantity("deals", "deals of the list", "deals", "play"),
)
TABLE_WIDE = ("winner_points", "loser_points", *_WIDE, "passed_in", "deals")


def _row(ruleset: RuleSet) -> np.dtype[Any]:
    groups = {"every_source": SOURCE_FIELDS, "every_count": COUNTS}
    return row_dtype(QUANTITIES, TABLE_WIDE, ruleset.players, **groups)


_DECLARED, _MADE = COUNTS.index("declared"), COUNTS.index("made")
_PLAYED, _MADES = COUNTS.index("played_spades"), COUNTS.index("made_spades")
_HAND, _SCHNEIDER, _SCHNEIDERED = (COUNTS.index(name) for name in ("hand_games", "schneider", "schneidered"))


@implements(protocol.measure, STATE)
def _measure(state, row):
    players = np.int64(state.rules.players)
    tally = state.tally
    totals = state.common.totals
    most = np.int64(totals[0])
    least = most
    for player in range(1, players):
        most = max(most, np.int64(totals[player]))
        least = min(least, np.int64(totals[player]))
    row.winner_points = most
    row.loser_points = least
    row.passed_in = tally.passed_in
    row.deals = state.common.deals
    row.games = 0
    row.games_made = 0
    row.games_suit = 0
    row.suit_made = 0
    row.games_grand = 0
    row.grand_made = 0
    row.games_null = 0
    row.null_made = 0
    row.games_hand = 0
    row.games_schneider = 0
    for player in range(players):
        row.points[player] = totals[player]
        value = value_for(state, player)
        declaring = (players - 1) * np.int64(tally.as_declarer[player])
        row.value[player] = value
        row.value_declaring[player] = declaring
        row.value_defending[player] = value - declaring
        row.won[player] = most > least and totals[player] == most
        for source in range(len(SOURCES)):
            row.every_source[source, player] = tally.points[source, player]
        for count in range(len(COUNTS)):
            row.every_count[count, player] = tally.counts[count, player]
        row.bid[player] = tally.bid[player]
        row.with_jacks[player] = tally.with_jacks[player]
        row.without_jacks[player] = tally.without_jacks[player]
        row.game_value[player] = tally.game_value[player]
        row.declarer_points[player] = tally.declarer_points[player]
        row.skat_points[player] = tally.skat_points[player]
        row.skat_jacks[player] = tally.skat_jacks[player]
        counts = tally.counts
        row.games += counts[_DECLARED, player]
        row.games_made += counts[_MADE, player]
        for suit in range(4):
            row.games_suit += counts[_PLAYED + suit, player]
            row.suit_made += counts[_MADES + suit, player]
        row.games_grand += counts[_PLAYED + GRAND, player]
        row.grand_made += counts[_MADES + GRAND, player]
        row.games_null += counts[_PLAYED + NULL, player]
        row.null_made += counts[_MADES + NULL, player]
        row.games_hand += counts[_HAND, player]
        row.games_schneider += counts[_SCHNEIDER, player] + counts[_SCHNEIDERED, player]


def _places(ruleset: RuleSet) -> Any:
    def places(rules: Mapping[str, int]) -> dict[str, list[int]]:
        """Return the places of the dealing order that make up each hand and the skat."""
        names = {**dict(enumerate(ruleset.seats[:SKAT_ROLE])), SKAT_ROLE: "skat"}
        return {name: [int(place) for place in np.flatnonzero(role == DEALT_TO)] for role, name in names.items()}

    return places


def _scores(state: Any) -> list[int]:
    return [int(total) for total in state["common"]["totals"][: int(state["rules"]["players"])]]


BASIC = Strategy(
    "basic",
    "a sensible club player: bids, lays away and declares by what a game brings on average, and weighs at the cards the"
    " chance that one wins the trick for his side and what it would still be good for",
    tuple(policy(VIEW)(choose) for choose in (basic_play, basic_bid, basic_skat, basic_discard, basic_declare)),
    PARAMETERS,
)

BIDS = Bids(
    contracts=tuple(contract[0] for contract in CONTRACTS),
    phases=("bid",),
    silence=PASS,
    taken="declared",
    made="made",
    classes=("jacks", "aces and tens", "longest suit"),
)


def _game(ruleset: RuleSet) -> Game:
    return Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=_row(ruleset),
        phases=PHASES,
        quantities=QUANTITIES,
        strategies={
            "random": random_play(VIEW, len(PHASES)),
            "basic": BASIC,
            "mc": monte_carlo(VIEW, len(PHASES)),
            "solver": open_search(VIEW, len(PHASES)),
        },
        places=_places(ruleset),
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=1_000_000,
        shares=(("made", "declared"), ("defence_won", "defended")),
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        positions=POSITIONS,
        bids=BIDS,
        joint=MappingProxyType({"discard": discard_text}),
    )


GAMES = tuple(_game(ruleset) for ruleset in (SKAT, FOUR_HANDED))
