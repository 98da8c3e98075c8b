"""Rubicon bezique: four packs, nine cards each, no turn-up; the first marriage makes trumps. Chinese: six packs.

The rules in the order of play: carte blanche, a trick, a declaration of the winner, a card drawn by each, and so on for
55 tricks (87 with six packs); then the last nine with the stock gone; then the settlement of the deal, which is a game
of its own. One compiled game serves both rule sets: how many packs and cards there are stands in the rules.
"""

from __future__ import annotations

import numpy as np

from simcards.games.bezique import CHINESE, RUBICON, guide
from simcards.games.bezique.frame import (
    DEALING,
    DECLARING,
    OVER,
    PICKING,
    PLAYING,
    SHOWING,
    TABLE,
    TYPES,
    observe_frame,
    playable,
    public_dtype,
)
from simcards.games.bezique.ledger import (
    A_FOUR,
    BEZIQUE,
    MARRIAGE,
    MELDS,
    PASS,
    earn_credit,
    enter,
    make,
    meld_index,
    meld_value,
    open_picks,
    pick_for_four,
    record,
    scorable,
)
from simcards.games.bezique.players import (
    TRUMP_HABITS,
    basic_declare,
    basic_pick,
    basic_play,
    basic_show,
)
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_games import Unturned
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields, totals
from simcards.games.bezique.single import (
    begin_single,
    count_all,
    deal_by_threes,
    draw_each,
    measure_single,
    play_card,
    sample_world,
    show,
    state_fields,
    threes,
    view_fields,
)
from simcards.games.bezique.text import action_text, state_text
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Strategy, monte_carlo, random_play, usual_options
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy

LARGEST_HAND = CHINESE.rule("hand").high
LARGEST_PACK = CHINESE.pack.size
PUBLIC = public_dtype(LARGEST_HAND)
RULES = rules_dtype(RUBICON.rules)

STATE = protocol.record("rubicon_bezique", state_fields(RULES, LARGEST_PACK, PUBLIC, MELDS))
VIEW = protocol.record("rubicon_bezique_view", view_fields(RULES, PUBLIC))


@implements(protocol.begin, STATE)
def _begin(state):
    begin_single(state)


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_by_threes(state, deck, np.int64(state.rules.hand))


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - SHOWING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    if common.stage == PLAYING:
        return playable(state)
    if common.stage == DECLARING:
        return scorable(state, np.int64(common.turn))
    if common.stage == PICKING:
        return open_picks(state, np.int64(common.turn))
    return np.uint64(3)


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    observe_frame(state, player, view)


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        _play(state, action)
    elif common.stage == DECLARING:
        _declare(state, action)
    elif common.stage == PICKING:
        player = np.int64(common.turn)
        pick_for_four(state, player, action)
        if state.choice.count == 4:
            declared = state.choice.declared
            record(state, player, A_FOUR, 1)
            _score(state, declared)
            draw_each(state)
    else:
        show(state, action)


@kernel
def _play(state, action):
    common = state.common
    if common.stock > 0 and action < TABLE:
        earn_credit(state, np.int64(common.turn), action)
    if play_card(state, action):
        winner = np.int64(common.turn)
        state.public[winner].points += state.rules.last_trick
        state.tally.last_trick[winner] = state.rules.last_trick
        common.stage = OVER


@kernel
def _declare(state, action):
    common = state.common
    player = np.int64(common.turn)
    if action == PASS:
        draw_each(state)
        return
    if not make(state, player, action):
        common.stage = PICKING
        return
    if common.trump < 0 and action < BEZIQUE:  # the first marriage (or sequence) scored makes its suit trumps
        common.trump = (action - MARRIAGE) & 3
        state.tally.trump_trick = common.trick
        state.tally.trump_maker[player] = 1
    _score(state, action)
    draw_each(state)


@kernel
def _score(state, action):
    player = np.int64(state.common.turn)
    royal = (action - MARRIAGE) & 3 == state.common.trump
    meld = meld_index(action, royal)
    value = meld_value(state.rules, meld)
    enter(state.tally, meld, player, value, state.common.trick)
    state.public[player].points += value


@kernel
def settle(points0, points1, brisques0, brisques1, rules):
    """Settle a deal.

    The trailing player has the brisques counted exactly when that makes him the winner, breaks a tie, or lifts him over
    the rubicon.

    Parameters
    ----------
    points0, points1 : int
        Scores without brisques.
    brisques0, brisques1 : int
        Brisques won.
    rules : record
        The rules.

    Returns
    -------
    value : int
        What player 0 wins (negative: player 1).
    loser : int
        0, 1, or -1 for a tie.
    saved, rubiconed, counted : bool
        Whether the loser reached the line only by his brisques, whether he missed it, whether brisques were counted.
    """
    full0 = points0 + rules.brisque * brisques0
    full1 = points1 + rules.brisque * brisques1
    loser = _loser(points0, points1)
    full_loser = _loser(full0, full1)
    counted = loser != full_loser
    saved = False
    if counted:
        loser = full_loser
    if loser < 0:
        return 0, loser, False, False, counted
    low = points1 if loser == 1 else points0
    high = points0 if loser == 1 else points1
    full_low = full1 if loser == 1 else full0
    full_high = full0 if loser == 1 else full1
    if low < rules.rubicon_line and full_low >= rules.rubicon_line:
        counted = True
        saved = True
    if full_low >= rules.rubicon_line if counted else low >= rules.rubicon_line:
        if counted:
            low, high = full_low, full_high
        difference = 100 * (high // 100) - 100 * (low // 100)
        value = difference + rules.game_bonus
        if difference < 100:
            value += rules.close_bonus
        return (value if loser == 1 else -value), loser, saved, False, counted
    value = 100 * (high // 100) + 100 * (low // 100) + rules.rubicon_bonus + rules.brisque_bonus
    if low < 100:
        value += rules.low_loser_bonus
    return (value if loser == 1 else -value), loser, False, True, counted


@kernel
def _loser(points0, points1):
    if points0 == points1:
        return -1
    return 1 if points0 > points1 else 0


@implements(protocol.measure, STATE)
def _measure(state, row):
    value, loser, saved, rubiconed, counted = settle(
        state.public[0].points,
        state.public[1].points,
        state.public[0].brisques,
        state.public[1].brisques,
        state.rules,
    )
    measure_single(state, row, value, loser)
    for player in range(2):
        row.saved[player] = saved and loser == player
        row.rubiconed[player] = rubiconed and loser == player
    row.brisques_counted = counted


@implements(protocol.census, STATE)
def _census(state, counts):
    count_all(state, counts, TYPES * state.rules.packs)


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    sample_world(view, rng, state, TYPES * np.int64(view.rules.packs))


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(2, VIEW)


USUAL = usual_options(TRUMP_HABITS)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    usual = USUAL[0]
    if part == 0:
        return basic_show(view, legal, rng, usual)
    if part == 1:
        return basic_declare(view, legal, rng, usual)
    if part == 2:
        return basic_pick(view, legal, rng, usual)
    return basic_play(view, legal, rng, usual)


@implements(protocol.usual, STATE)
def _usual(state, views, legal, rng, options):
    return _basic(state, _phase(state), legal, rng, options)


@implements(protocol.worth, STATE)
def _worth(state, player):
    value, _, _, _, _ = settle(
        state.public[0].points,
        state.public[1].points,
        state.public[0].brisques,
        state.public[1].brisques,
        state.rules,
    )
    return np.float64(value if player == 0 else -value)


SOURCES = ("points_carte_blanche", "points_last_trick")


def _quantities(ruleset: RuleSet) -> tuple[Quantity, ...]:
    """Return what is measured; the cells of histograms are as wide as the scores of so many packs."""
    cells = 25 * ruleset.pack.copies
    return (
        *totals(
            "points for combinations, carte blanche and the last trick",
            (*fields("points", MELDS), *SOURCES),
            "what the settlement of the deal gives (the loser gets the negative)",
            {"bin_width": 100, "bins": cells},
            {"bin_width": 100, "bin_low": -100 * cells, "bins": 2 * cells},
        ),
        Quantity("rubiconed", "loses without reaching the rubicon", "flag", "result"),
        Quantity("saved", "loses and reaches the rubicon only by counting brisques", "flag", "result"),
        Quantity("brisques_counted", "brisques are counted for a tie, the winner or the rubicon", "flag", "result"),
        *details(
            MELDS,
            SOURCES,
            tricks=ruleset.pack.size // 2,
            more_melds=(Quantity("cartes_blanches", "times carte blanche scored", "count", "melds"),),
            more_timing=(Quantity("trump_trick", "trick after which trumps are made", "trick", "timing"),),
            more_play=(Quantity("trump_maker", "makes trumps", "flag", "play"),),
        ),
    )


ROW = row_dtype(
    _quantities(RUBICON),
    TABLE_WIDE,
    every_points=fields("points", MELDS),
    every_count=fields("count", MELDS),
    every_first=fields("first", MELDS),
)


def _places(rules):
    """Return the places of the dealing order that make up each hand and the stock."""
    return threes(rules["hand"], TYPES * rules["packs"])


BASIC = Strategy(
    "basic",
    "a sensible club player: shows, declares by value and in the order that loses nothing, keeps what combinations"
    " need, plays spent table cards to re-form combinations, and plays the last tricks with all cards known",
    tuple(policy(VIEW)(decide) for decide in (basic_show, basic_declare, basic_pick, basic_play)),
    TRUMP_HABITS,
)

PHASES = ("show", "declare", "lay", "play")
GAMES = tuple(
    Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=PHASES,
        quantities=_quantities(ruleset),
        strategies={"random": random_play(VIEW, 4), "basic": BASIC, "mc": monte_carlo(VIEW, 4)},
        places=_places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=8 * ruleset.pack.size,
        shares=tuple((name, "points") for name in (*fields("points", MELDS), *SOURCES)),
        scores=lambda state: state["public"]["points"],
        positions=positions(Unturned, ruleset, PHASES),
        actions=guide.actions(PHASES, exchange=False),
        view_doc=guide.fields(("deal_brisques",)),
    )
    for ruleset in (RUBICON, CHINESE)
)
