"""Bezique for three and for four, each for himself or in partnerships.

The rules in the order of play: a trick of three or four cards played freely, a declaration of its winner, or of his
partner, a card drawn by each, and so on while there are cards for all; then the last eight tricks without the stock.
With three packs less a card two cards of the stock are left over, which nobody gets.
"""

from __future__ import annotations

import numpy as np
from numba.extending import overload

from simcards.games.bezique import FOUR_HANDED, THREE_HANDED, guide
from simcards.games.bezique.frame import (
    DEALING,
    DECLARING,
    ONE,
    OVER,
    PICKING,
    PLAYING,
    SEVEN,
    TABLE,
    TEN,
    draw,
    exchange_turn_up,
    rank_of,
    reply_wins,
    take_out,
    take_up_table,
)
from simcards.games.bezique.ledger import (
    A_FOUR,
    EXCHANGE,
    MARRIAGE,
    PASS,
    enter,
    make,
    meld_index,
    meld_value,
    open_picks,
    pick_for_four,
    record,
)
from simcards.games.bezique.many_frame import (
    PLACE,
    SCORED,
    SEATS,
    STATE,
    VIEW,
    after,
    deal_round,
    forced_cards,
    places_of,
)
from simcards.games.bezique.many_melds import (
    carry_over,
    declarations,
    lay_out,
    partner_of,
    showable,
)
from simcards.games.bezique.many_players import BASIC_PARAMETERS, USUAL, decide, pick_card, play_by
from simcards.games.bezique.many_text import action_text, state_text
from simcards.games.bezique.position import positions
from simcards.games.bezique.position_many import Four, Many
from simcards.games.bezique.quantities import TABLE_WIDE, details, fields
from simcards.games.game import Game, Quantity, row_dtype
from simcards.games.strategy import Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import implements, policy


@implements(protocol.deal, STATE)
def _deal(state, deck):
    deal_round(state, deck)
    if rank_of(np.int64(state.common.turn_up)) == SEVEN:
        dealer = after(state, np.int64(state.common.pone), np.int64(state.rules.players) - 1)
        state.tally.seven[dealer] += state.rules.seven
        _add(state, dealer, np.int64(state.rules.seven))


@kernel
def _side_points(state, player):
    """Return the score of a player and his partner."""
    points = np.int64(state.public[player].points)
    partner = partner_of(state.rules, player)
    return points if partner == player else points + np.int64(state.public[partner].points)


@kernel
def _add(state, player, points):
    """Score points; the side that first reaches the target has won."""
    state.public[player].points += points
    if (
        state.common.winner < 0
        and state.rules.target > 0
        and _side_points(state, player) >= np.int64(state.rules.target)
    ):
        state.common.winner = player
        state.common.stage = OVER


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.common.stage == OVER


@implements(protocol.actor, STATE)
def _actor(state):
    return protocol.DEALER if state.common.stage == DEALING else state.common.turn


@implements(protocol.phase, STATE)
def _phase(state):
    return state.common.stage - DECLARING


@implements(protocol.legal, STATE)
def _legal(state):
    common = state.common
    player = np.int64(common.turn)
    if common.stage == PLAYING:
        hand = state.private[player].mask
        if common.draws > 0:
            return hand | (state.public[player].table_mask << np.uint64(TABLE))
        if common.led < 0:
            return hand
        return forced_cards(
            hand, np.int64(common.led), np.int64(common.best), np.int64(common.trump), state.rules.undertrump
        )
    if common.stage == PICKING:
        lay_out(state, player)
        return open_picks(state.desk, 0)
    return _declarable(state, player)


@kernel
def _declarable(state, player):
    """Return what may be done after a trick: score, show, exchange, or nothing."""
    common = state.common
    rules = state.rules
    found = declarations(state, player)
    actions = ONE if common.scored else found
    if rules.partnership and rules.showing:
        actions |= showable(state, player, found)
    if not common.scored and not common.shown and (player == common.leader or rules.partner_seven):
        sevens = np.int64(state.private[player].hand[8 * common.trump + SEVEN])
        if sevens > common.scored_sevens[player]:
            actions |= ONE << np.uint64(EXCHANGE)
    return actions


@implements(protocol.apply, STATE)
def _apply(state, action):
    common = state.common
    if common.stage == PLAYING:
        _play(state, action)
        return
    player = np.int64(common.turn)
    if common.stage == PICKING:
        lay_out(state, player)
        pick_for_four(state.desk, 0, action)
        state.choice = state.desk.choice
        if state.choice.count == 4:
            declared = np.int64(state.choice.declared)
            record(state.desk, 0, A_FOUR, 1)
            _complete(state, player, declared)
    elif action == PASS:
        _go_on(state, player)
    elif action == EXCHANGE:
        exchange_turn_up(state, player)
        state.tally.seven[player] += state.rules.seven
        _add(state, player, np.int64(state.rules.seven))
        _draw(state)
    else:
        common.showing = action > EXCHANGE
        declared = action - EXCHANGE if action > EXCHANGE else action
        lay_out(state, player)
        if make(state.desk, 0, declared):
            _complete(state, player, declared)
        else:
            state.choice = state.desk.choice
            common.stage = PICKING


@kernel
def _complete(state, player, declared):
    """Carry a combination out that was made on the desk: score it, or only lay it."""
    common = state.common
    scored = common.showing == 0
    joint = carry_over(state, player, scored)
    common.showing = 0
    common.stage = DECLARING
    state.choice.declared = -1
    state.choice.count = 0
    if not scored:
        common.shown = 1
        state.tally.shown[player] += 1
        return
    common.scored = 1
    meld = meld_index(declared, (declared - MARRIAGE) & 3 == common.trump)
    value = np.int64(meld_value(state.rules, meld))
    enter(state.tally, PLACE[meld], player, value, common.trick)
    if joint:
        state.tally.joint[player] += 1
        state.tally.joint_points[player] += value
    _add(state, player, value)
    _go_on(state, player)


@kernel
def _go_on(state, player):
    """Ask the partner of the winner, if there is anything he could do; then all draw."""
    common = state.common
    if common.stage == OVER:
        return
    if state.rules.partnership and player == common.leader:
        partner = partner_of(state.rules, player)
        if _declarable(state, partner) != ONE:
            common.turn = partner
            return
    _draw(state)


@kernel
def _draw(state):
    """Each draws a card, the winner of the trick or who led first in the deal before the others, the turn-up last."""
    common = state.common
    if common.stage == OVER:
        return
    first = np.int64(common.leader if state.rules.draw_order == 0 else common.pone)
    for k in range(np.int64(state.rules.players)):
        player = after(state, first, k)
        if common.stock > 1:
            card = np.int64(state.deck[state.next])
            state.next += 1
        else:
            card = np.int64(common.turn_up)
            state.public[player].shown[card] += 1
        draw(state, player, card)
    common.draws -= 1
    if common.draws == 0:
        for player in range(np.int64(state.rules.players)):
            take_up_table(state, player)
        if state.rules.partnership and state.rules.regroup_last_eight:
            common.pair = common.leader
    common.stage = PLAYING
    common.turn = common.leader
    common.scored = 0
    common.shown = 0


@kernel
def _play(state, action):
    common = state.common
    player = np.int64(common.turn)
    if action == 8 * common.trump + SEVEN and common.scored_sevens[player] > 0:
        common.scored_sevens[player] -= 1
    card = take_out(state, player, action)
    common.played[player] = card
    if common.led < 0:
        common.led = card
        common.best = card
        common.ahead = player
    elif reply_wins(np.int64(common.best), card, np.int64(common.trump)):
        common.best = card
        common.ahead = player
    common.turn = after(state, player, 1)
    if common.turn == common.leader:
        _finish_trick(state)


@kernel
def _finish_trick(state):
    common = state.common
    winner = np.int64(common.ahead)
    won = 0
    for player in range(np.int64(state.rules.players)):
        won += rank_of(np.int64(common.played[player])) >= TEN
    public = state.public[winner]
    public.tricks += 1
    public.brisques += won
    common.trick += 1
    common.leader = winner
    common.turn = winner
    common.led = -1
    common.best = -1
    common.ahead = -1
    common.played[:] = -1
    if common.draws > 0:
        common.stage = DECLARING
    if won > 0 and state.rules.brisques != 0:
        _award(state, winner, np.int64(won * state.rules.brisque), False)
    if common.draws == 0 and public.cards == 0 and common.stage != OVER:
        _finish_deal(state, winner)


@kernel
def _award(state, winner, points, last):
    """Give points for a trick: to its winner, or in halves where he plays with one of the other side."""
    other = 0
    mate = winner
    common = state.common
    if common.pair >= 0:
        mate = winner ^ 1 if common.pair & 1 == 0 else after(state, winner, 1 if winner & 1 else 3)
        other = points // 2
    _award_one(state, winner, points - other, last)
    if other > 0 and common.stage != OVER:
        _award_one(state, mate, other, last)


@kernel
def _award_one(state, player, points, last):
    if last:
        state.tally.last_trick[player] += points
    elif state.rules.brisques == 2:
        state.due[player] += points
        return
    else:
        state.tally.brisques[player] += points
    _add(state, player, points)


@kernel
def _finish_deal(state, winner):
    """Score the last trick, and the brisques where they are counted at the end; then deal again or end."""
    common = state.common
    rules = state.rules
    _award(state, winner, np.int64(rules.last_trick), True)
    if common.stage == OVER:
        return
    if rules.brisques == 2:
        for player in range(np.int64(rules.players)):
            points = state.due[player]
            state.tally.brisques[player] += points
            state.public[player].points += points
            state.due[player] = 0
        best = _best_player(state)
        if rules.target > 0 and best >= 0 and _side_points(state, best) >= np.int64(rules.target):
            common.winner = best
    if rules.target == 0 or common.winner >= 0:
        common.stage = OVER
    else:
        common.stage = DEALING
        common.pone = after(state, np.int64(common.pone), 1)


@kernel
def _best_player(state):
    """Return a player of the side with the highest score, -1 when two sides share it."""
    best = 0
    tied = False
    for player in range(1, 2 if state.rules.partnership else np.int64(state.rules.players)):
        points = _side_points(state, player)
        highest = _side_points(state, best)
        if points > highest:
            best = player
            tied = False
        elif points == highest:
            tied = True
    return -1 if tied else best


@kernel
def _value(state, player):
    """Return the differences between a player's score and those of all others, or between the two sides."""
    if state.rules.partnership:
        return _side_points(state, player) - _side_points(state, player ^ 1)
    players = np.int64(state.rules.players)
    value = players * np.int64(state.public[player].points)
    for other in range(players):
        value -= np.int64(state.public[other].points)
    return value


@implements(protocol.measure, STATE)
def _measure(state, row):
    tally = state.tally
    rules = state.rules
    winner = np.int64(state.common.winner)
    if rules.target == 0:
        winner = _best_player(state)
    highest = _side_points(state, 0)
    lowest_of_all = highest
    for player in range(np.int64(rules.players)):
        public = state.public[player]
        side = _side_points(state, player)
        highest = max(highest, side)
        lowest_of_all = min(lowest_of_all, side)
        row.points[player] = public.points
        row.points_seven[player] = tally.seven[player]
        row.points_brisques[player] = tally.brisques[player]
        row.points_last_trick[player] = tally.last_trick[player]
        row.tricks[player] = public.tricks
        row.brisques[player] = public.brisques
        row.won[player] = winner >= 0 and (winner == player or winner == partner_of(rules, player))
        row.value[player] = _value(state, player)
        row.declarations[player] = 0
        for meld in range(len(SCORED)):
            row.declarations[player] += tally.count[meld, player]
            row.every_points[meld, player] = tally.points[meld, player]
            row.every_count[meld, player] = tally.count[meld, player]
            row.every_first[meld, player] = tally.first[meld, player]
    row.winner_points = highest
    row.loser_points = lowest_of_all
    row.deals = state.common.deals
    _measure_partners(state, row)


def _measure_partners(state, row):
    """Write what only partners have, where the row has room for it."""


@overload(_measure_partners)
def _choose_measure_partners(state, row):
    if "side_points" not in row.fields:
        return lambda state, row: None

    def measure(state, row):
        for player in range(SEATS):
            row.side_points[player] = _side_points(state, player)
            row.joint[player] = state.tally.joint[player]
            row.joint_points[player] = state.tally.joint_points[player]
            row.shown[player] = state.tally.shown[player]

    return measure


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    if part == 0:
        return decide(view, legal, USUAL[0])
    if part == 1:
        return pick_card(view, legal, rng, options)
    return play_by(view, legal, USUAL)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return np.float64(_value(state, player))


SOURCES = ("points_seven", "points_brisques", "points_last_trick")
_SCORES = {"bin_width": 20, "bins": 100}


def _quantities(partners):
    """Return what is measured; `partners`: whether there can be any."""
    sides = (
        Quantity("side_points", "points of the player and his partner together", "points", "result", **_SCORES),
        Quantity("joint", "combinations scored with cards of the partner", "count", "play"),
        Quantity("joint_points", "points for combinations scored with cards of the partner", "points", "play"),
        Quantity("shown", "combinations shown without being scored", "count", "play"),
    )
    return (
        Quantity(
            "points",
            "points for combinations, sevens of trumps, brisques and the last trick",
            "points",
            "result",
            parts=(*fields("points", SCORED), *SOURCES),
            **_SCORES,
        ),
        *(sides[:1] if partners else ()),
        Quantity(
            "value",
            "the differences between the own points and those of each of the others"
            + ("; of partners, the difference between the sides" if partners else ""),
            "points",
            "result",
            bin_width=50,
            bin_low=-3_000,
            bins=120,
        ),
        Quantity("won", "wins", "flag", "result"),
        Quantity("winner_points", "the highest of the scores", "points", "result", **_SCORES),
        Quantity("loser_points", "the lowest of the scores", "points", "result", **_SCORES),
        *details(SCORED, SOURCES, tricks=32, more_play=sides[1:] if partners else ()),
    )


def _row(ruleset, partners):
    return row_dtype(
        _quantities(partners),
        TABLE_WIDE,
        ruleset.players,
        every_points=fields("points", SCORED),
        every_count=fields("count", SCORED),
        every_first=fields("first", SCORED),
    )


@policy(VIEW)
def _declare_policy(view, legal, rng, options):
    return decide(view, legal, options.value[0])


@policy(VIEW)
def _play_policy(view, legal, rng, options):
    value = options.value
    return play_by(
        view, legal, (value[0], value[1], value[2], value[3], value[4], value[5], value[6], value[7], value[8])
    )


BASIC = Strategy(
    "basic",
    "a sensible club player: declares by value and in the order that loses nothing, keeps what combinations need, takes"
    " brisques where he will not be beaten, and shows his partner what he has",
    (_declare_policy, policy(VIEW)(pick_card), _play_policy),
    BASIC_PARAMETERS,
)
PHASES = ("declare", "lay", "play")
_RANDOM = random_play(VIEW, len(PHASES))
_SEARCH = monte_carlo(VIEW, len(PHASES))

GAMES = tuple(
    Game(
        ruleset=ruleset,
        state=STATE,
        view=VIEW,
        row=_row(ruleset, partners),
        phases=PHASES,
        quantities=_quantities(partners),
        strategies={"random": _RANDOM, "basic": BASIC, "mc": _SEARCH},
        places=places_of,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=100_000,
        shares=tuple((name, "points") for name in (*fields("points", SCORED), *SOURCES)),
        scores=lambda state: [int(public["points"]) for public in state["public"][: int(state["rules"]["players"])]],
        positions=positions(Four if ruleset.players == 4 else Many, ruleset, PHASES),
        actions=guide.actions(PHASES, exchange=True, show=True),
        view_doc=guide.fields(("deal_brisques",), guide.MANY_HANDED),
    )
    for ruleset, partners in ((THREE_HANDED, False), (FOUR_HANDED, True))
)
