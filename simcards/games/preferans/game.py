"""Preferans: what it measures, its strategies, and the games of its rule sets; all are played by the same kernel."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.game import Bids, Game, Quantity, row_dtype
from simcards.games.preferans import HUSSAR, RULESETS, STRAINS, open_cards, worlds  # noqa: F401 registers
from simcards.games.preferans.frame import COUNTS, PHASES, PLAYERS, STATE, TALON, VIEW
from simcards.games.preferans.players import (
    HABITS,
    basic_bid,
    basic_contract,
    basic_discard,
    basic_invite,
    basic_look,
    basic_whist,
)
from simcards.games.preferans.position import POSITIONS
from simcards.games.preferans.scoring import settle
from simcards.games.preferans.text import ACTIONS, VIEW_DOC, action_text, discard_text, state_text
from simcards.games.preferans.tricks import basic_play
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Strategy, monte_carlo, open_search, random_play
from simcards.kernel import protocol
from simcards.kernel.protocol import implements, policy

_KINDS = ("6", "7", "8", "9", "10", "misere")
_SHEET: dict[str, Any] = {"bin_width": 20, "bin_low": -400, "bins": 60}
_DOCS = {
    "whists_tricks": ("points", "sources", "whists for tricks against contracts"),
    "whists_missing": ("points", "sources", "whists for tricks that declarers lacked"),
    "whists_invitation": ("points", "sources", "the same once more for having invited the other opponent"),
    "whists_own": ("points", "sources", "whists taken without play"),
    "whists_talon": ("points", "sources", "whists of the dealer for the talon"),
    "whists_help": ("points", "sources", "whists for help"),
    "hill_contracts": ("points", "sources", "hill for tricks lacking in contracts"),
    "hill_misere": ("points", "sources", "hill for tricks taken in misères"),
    "hill_whisting": ("points", "sources", "hill for tricks lacking in whist"),
    "hill_all_pass": ("points", "sources", "hill for tricks taken when all passed"),
    "hill_off": ("points", "sources", "hill taken off, by winnings and help"),
    "pool_contracts": ("points", "sources", "pool for contracts"),
    "pool_misere": ("points", "sources", "pool for misères"),
    "pool_all_pass": ("points", "sources", "pool for no trick when all passed"),
    "pool_help": ("points", "sources", "pool written by others as help"),
    "missing": ("count", "play", "tricks lacking in contracts, and taken in misères"),
    "blind": ("count", "play", "auctions won without looking"),
    "conceded": ("count", "play", "contracts that counted as made without play"),
    "tricks_declarer": ("count", "play", "tricks won in own contracts"),
    "tricks_misere": ("count", "play", "tricks won in own misères"),
    "tricks_defence": ("count", "play", "tricks won against a declarer"),
    "tricks_all_pass": ("count", "play", "tricks won when all passed"),
    "whisted": ("count", "play", "contracts played as a whister"),
    "whist_made": ("count", "play", "of these, with the tricks that whisters answer for"),
    "whist_short": ("count", "play", "tricks paid for as a whister"),
    "invited_closed": ("count", "play", "times the other opponent was invited, cards closed"),
    "invited_open": ("count", "play", "times he was invited, cards open"),
    "own_taken": ("count", "play", "times the own share was taken without play"),
    "whist_passed": ("count", "play", "times a whist was passed"),
    "all_pass_clean": ("count", "play", "deals without a trick when all passed"),
    "talon_tricks": ("count", "play", "tricks won by the talon of the own deal when all passed"),
    **{f"played_{kind}": ("count", "play", f"contracts of {kind} played") for kind in _KINDS[:5]},
    **{f"made_{kind}": ("count", "play", f"contracts of {kind} made") for kind in _KINDS[:5]},
    "played_misere": ("count", "play", "misères played"),
    "made_misere": ("count", "play", "misères made"),
}
TABLE_WIDE = ("all_passed", "redealt", "halved", "full", "deals")
_PARTS = {
    "whists": tuple(name for name in COUNTS if name.startswith("whists_")),
    "hill": tuple(name for name in COUNTS if name.startswith("hill_")),
    "pool": tuple(name for name in COUNTS if name.startswith("pool_")),
    "declared": tuple(f"played_{kind}" for kind in _KINDS),
    "made": tuple(f"made_{kind}" for kind in _KINDS),
    "tricks": ("tricks_declarer", "tricks_misere", "tricks_defence", "tricks_all_pass"),
}

QUANTITIES = (
    Quantity("value", "the settlement, in whists", "points", "result", **_SHEET),
    Quantity("won", "wins: the best settlement, alone", "flag", "result"),
    Quantity("pool", "the pool", "points", "result", parts=_PARTS["pool"], **_SHEET),
    Quantity("hill", "the hill", "points", "result", parts=_PARTS["hill"], **_SHEET),
    Quantity("whists", "whists on others", "points", "result", parts=_PARTS["whists"], **_SHEET),
    Quantity("whists_against", "whists of others", "points", "result", **_SHEET),
    Quantity("declared", "contracts and misères played", "count", "play", parts=_PARTS["declared"]),
    Quantity("made", "contracts and misères made", "count", "play", parts=_PARTS["made"]),
    Quantity("contract", "tricks of the contract played, of the highest in a game", "count", "play", bins=11),
    Quantity("tricks", "tricks won", "count", "play", parts=_PARTS["tricks"], bins=11),
    *(Quantity(name, _DOCS[name][2], _DOCS[name][0], _DOCS[name][1]) for name in COUNTS),
    Quantity("all_passed", "deals in which all passed and avoided tricks", "count", "play"),
    Quantity("redealt", "deals thrown in because all passed", "count", "play"),
    Quantity("halved", "deals written by halves", "count", "play"),
    Quantity("full", "games in which all pools were closed", "flag", "play"),
    Quantity("deals", "deals played", "deals", "play"),
)
_PLACES = {name: place for place, name in enumerate(COUNTS)}


def _span(name: str) -> tuple[int, int]:
    """Return the range of counts whose sum a quantity is."""
    places = [_PLACES[part] for part in _PARTS[name]]
    return places[0], places[-1] + 1


WHISTS, PLAYED, MADE = (_span(name) for name in ("whists", "declared", "made"))
TRICKS = _span("tricks")


@implements(protocol.measure, STATE)
def _measure(state, row):
    players = np.int64(state.rules.players)
    counts = state.tally.counts
    values = np.empty(PLAYERS, np.int64)
    settle(state, values)
    for player in range(players):
        row.value[player] = values[player]
        best = True
        for other in range(players):
            best &= other == player or values[other] < values[player]
        row.won[player] = best
        row.pool[player] = state.sheet[player].pool
        row.hill[player] = state.sheet[player].hill
        row.whists[player] = 0
        row.whists_against[player] = 0
        for other in range(players):
            row.whists[player] += state.sheet[player].whists[other]
            row.whists_against[player] += state.sheet[other].whists[player]
        row.declared[player] = counts[PLAYED[0] : PLAYED[1], player].sum()
        row.made[player] = counts[MADE[0] : MADE[1], player].sum()
        row.tricks[player] = counts[TRICKS[0] : TRICKS[1], player].sum()
        row.contract[player] = state.tally.contract[player]
        for place in range(len(COUNTS)):
            row.every_count[place, player] = counts[place, player]
    row.all_passed = state.tally.all_passed
    row.redealt = state.tally.redealt
    row.halved = state.tally.halved
    row.full = state.tally.full
    row.deals = state.common.deals


def _places(ruleset: RuleSet) -> Any:
    def places(rules: Mapping[str, int]) -> dict[str, list[int]]:
        """Return the places of the dealing order that make up each hand of the first deal, and the talon."""
        hands = list(ruleset.seats[:3])
        if ruleset is HUSSAR:
            hands.insert((1, 0, 2)[rules["dummy_seat"]], "dummy")
        made = {name: list(range(10 * chair, 10 * (chair + 1))) for chair, name in enumerate(hands)}
        return {**made, "talon": [TALON, TALON + 1]}

    return places


def _scores(state: Any) -> list[int]:
    """Return pool less hill of each player."""
    sheets = state["sheet"][: int(state["rules"]["players"])]
    return [int(sheet["pool"]) - int(sheet["hill"]) for sheet in sheets]


BASIC = Strategy(
    "basic",
    "a sensible club player: bids on an honest estimate of the tricks of his hand, lays away what costs least, whists"
    " where that promises something, and weighs at the cards what wins now and what may win later",
    tuple(
        policy(VIEW)(part)
        for part in (
            basic_play,
            basic_bid,
            basic_look,
            basic_discard,
            basic_contract,
            basic_whist,
            basic_invite,
        )
    ),
    HABITS,
)
STRATEGIES = {
    "random": random_play(VIEW, len(PHASES)),
    "basic": BASIC,
    "mc": monte_carlo(VIEW, len(PHASES)),
    "solver": open_search(VIEW, len(PHASES)),
}
BIDS = Bids(
    contracts=(*(f"{level}{strain}" for level in range(6, 11) for strain in STRAINS), "misère"),
    phases=("bid",),
    silence=0,
    taken="declared",
    made="made",
    classes=("top tricks", "longest suit", "aces"),
)


def _game(ruleset: RuleSet) -> Game:
    return Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=row_dtype(QUANTITIES, TABLE_WIDE, ruleset.players, every_count=COUNTS),
        phases=PHASES,
        quantities=QUANTITIES,
        strategies=STRATEGIES,
        places=_places(ruleset),
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=1_000_000,
        scores=_scores,
        actions=ACTIONS,
        view_doc=VIEW_DOC,
        bids=BIDS,
        positions=POSITIONS,
        joint=MappingProxyType({"discard": discard_text}),
    )


GAMES = tuple(_game(ruleset) for ruleset in RULESETS)
