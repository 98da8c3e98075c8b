"""What is written on the sheet of preferans after a deal, and how the sheet is settled."""

from __future__ import annotations

import numpy as np

from simcards.games.preferans.frame import (
    ALL_PASS_CLEAN,
    BLIND,
    CHAIRS,
    CONCEDED,
    DUMMY,
    HILL_ALL_PASS,
    HILL_CONTRACTS,
    HILL_MISERE,
    HILL_OFF,
    HILL_WHISTING,
    INVITED_CLOSED,
    INVITED_OPEN,
    LEVELS,
    MADE_6,
    MISSING_TRICKS,
    NO_TRICK,
    OWN,
    OWN_TAKEN,
    PASSED,
    PLAYED_6,
    PLAYED_MISERE,
    POOL_ALL_PASS,
    POOL_CONTRACTS,
    POOL_HELP,
    POOL_MISERE,
    TALON_TRICKS,
    TRICKS_ALL_PASS,
    TRICKS_DECLARER,
    TRICKS_DEFENCE,
    TRICKS_MISERE,
    WHIST,
    WHIST_MADE,
    WHIST_PASSED,
    WHIST_SHORT,
    WHISTED,
    WHISTS_HELP,
    WHISTS_INVITATION,
    WHISTS_MISSING,
    WHISTS_OWN,
    WHISTS_TALON,
    WHISTS_TRICKS,
    duty,
    is_hussar,
    next_chair,
    ranks_in,
    share_of_duty,
)
from simcards.kernel.compiled import kernel

ALL_TYPES = 0b111111
TRICKS = 10
HILL, LOST, WHOLE = range(3)  # what becomes of a surplus

# -- entries -----------------------------------------------------------------------------------------------------


@kernel
def is_closed(state, player):
    """Return whether a player's pool is closed."""
    sheet = state.sheet[player]
    return sheet.pool >= state.rules.pool and (not state.rules.all_types or sheet.types == ALL_TYPES)


@kernel
def _price(state, points, doubled, half):
    """Return what is written in place of some points: the double, the half, or both, a broken half as a whole."""
    if doubled:
        points += points
    return (points + 1) // 2 if half else points


@kernel
def _write_whists(state, writer, on, whists, kind):
    if writer == on or whists == 0:
        return
    state.sheet[writer].whists[on] += whists
    state.tally.counts[kind, writer] += whists


@kernel
def _write_hill(state, player, points, kind):
    if is_hussar(state.rules) and state.rules.halving == 1:
        points = (points + 1) // 2
    state.sheet[player].hill += points
    state.tally.counts[kind, player] += points


@kernel
def _help_pool(state, player, points):
    """Write points into the fullest pools that are not full, for whists; return what is left."""
    rules = state.rules
    players = np.int64(rules.players)
    while points > 0:
        helped = -1
        for steps in range(1, players):
            other = (player + steps) % players
            pool = state.sheet[other].pool
            if pool < rules.pool and (helped < 0 or pool > state.sheet[helped].pool):
                helped = other
        if helped < 0:
            return points
        part = points
        if rules.surplus != WHOLE:
            part = min(points, np.int64(rules.pool - state.sheet[helped].pool))
        state.sheet[helped].pool += part
        state.tally.counts[POOL_HELP, helped] += part
        _write_whists(state, player, helped, part, WHISTS_HELP)
        points -= part
    return np.int64(0)


@kernel
def _to_pool(state, player, points, kind):
    """Write points into the pool, and beyond it help others."""
    rules = state.rules
    room = np.int64(rules.pool - state.sheet[player].pool)
    own = points
    if rules.pool > 0 and (room <= 0 or rules.surplus != WHOLE):
        own = max(0, min(points, room))
    state.sheet[player].pool += own
    state.tally.counts[kind, player] += own
    left = points - own
    if left > 0:
        left = _help_pool(state, player, left)
        if rules.surplus != LOST:
            state.sheet[player].hill -= left
            state.tally.counts[HILL_OFF, player] -= left


@kernel
def _off_hill(state, player, points):
    """Take points off the hill, and beyond it help whoever has the smallest; return what nobody has."""
    players = np.int64(state.rules.players)
    for steps in range(players + 1):
        best = -1
        if steps == 0:
            best = player
        else:
            for further in range(1, players):
                other = (player + further) % players
                hill = state.sheet[other].hill
                if hill > 0 and (best < 0 or hill < state.sheet[best].hill):
                    best = other
            if best < 0:
                return points
        part = max(0, min(points, np.int64(state.sheet[best].hill)))
        state.sheet[best].hill -= part
        state.tally.counts[HILL_OFF, best] -= part
        _write_whists(state, player, best, part, WHISTS_HELP)
        points -= part
        if points == 0:
            return points
    return points


@kernel
def _win(state, player, points, kind):
    """Write a winning."""
    if is_hussar(state.rules) and state.rules.halving == 1:
        points = (points + 1) // 2
    if state.rules.winnings == 1:
        half = points // 2
        points -= half
        points += _off_hill(state, player, half)
    _to_pool(state, player, points, kind)


# -- a deal ------------------------------------------------------------------------------------------------------


@kernel
def _is_half(state):
    """Return whether what is written goes by halves: more games were made than there were deals with all passing."""
    return state.rules.ladder == 1 and state.common.made_games > state.common.passed_deals


@kernel
def all_pass_price(state):
    """Return what a trick costs in a deal in which all pass."""
    rules = state.rules
    common = state.common
    price = np.int64(rules.all_pass)
    turn = np.int64(common.row)
    if common.forced > 0:
        done = np.int64(rules.forced_circles) * np.int64(rules.players) - common.forced
        turn = done // np.int64(rules.players) if rules.forced_prices == 1 else np.int64(0)
    if rules.progression == 0:
        return price << turn
    if rules.progression == 1:
        return price * (turn + 1)
    return price


@kernel
def score_all_pass(state):
    """Write what a deal in which all pass brings."""
    common = state.common
    rules = state.rules
    common.passed_deals += 1
    state.tally.all_passed += 1
    half = _is_half(state)
    state.tally.halved += half
    price = _price(state, all_pass_price(state), False, half)
    for chair in range(CHAIRS):
        player = np.int64(common.who[chair])
        tricks = np.int64(state.public[chair].tricks)
        state.tally.counts[TRICKS_ALL_PASS, player] += tricks
        if tricks:
            _write_hill(state, player, price * tricks, HILL_ALL_PASS)
        else:
            state.tally.counts[ALL_PASS_CLEAN, player] += 1
            _win(state, player, price, POOL_ALL_PASS)
    if rules.players == 4:
        tricks = np.int64(common.talon_tricks)
        dealer = np.int64(common.dealer)
        state.tally.counts[TALON_TRICKS, dealer] += tricks
        if tricks:
            _write_hill(state, dealer, price * tricks, HILL_ALL_PASS)
        elif rules.dealer_clean:
            _win(state, dealer, price, POOL_ALL_PASS)


@kernel
def _talon_tricks(rules, talon):
    """Return for how many tricks the dealer writes whists for what lies in the talon."""
    aces = 0
    for suit in range(4):
        ranks = ranks_in(talon, suit)
        aces += np.int64(ranks >> np.uint64(7))
        if ranks == np.uint64(0xC0):
            return np.int64(rules.talon_ace_king)
        if ranks == np.uint64(0x60):
            return np.int64(rules.talon_marriage)
    if aces == 2:
        return np.int64(rules.talon_two_aces)
    return np.int64(rules.talon_ace) if aces else np.int64(0)


@kernel
def _write_talon(state, declarer, level, half, doubled):
    """Write whists of the dealer for the talon that he gave away."""
    rules = state.rules
    common = state.common
    if rules.players != 4 or common.shown == np.uint64(0) or (level == 0 and rules.talon_misere == 0):
        return
    tricks = _talon_tricks(rules, common.shown)
    height = level - 5 if level else 5
    whists = _price(state, np.int64(rules.whist_value) * height, doubled, half)
    _write_whists(state, np.int64(common.dealer), declarer, tricks * whists, WHISTS_TALON)


@kernel
def owner_of(state, chair):
    """Return the player to whom the tricks of an opponent count; those of a dummy are its partner's."""
    player = np.int64(state.common.who[chair])
    if is_hussar(state.rules) and player == DUMMY:
        return 1 - np.int64(state.common.who[state.common.declarer])
    return player


@kernel
def score_game(state):
    """Write what a contract or a misère brings."""
    common = state.common
    rules = state.rules
    chair = np.int64(common.declarer)
    declarer = np.int64(common.who[chair])
    level = LEVELS[common.bid]
    taken = np.int64(state.public[chair].tricks)
    counts = state.tally.counts
    misere = common.kind == NO_TRICK
    value = np.int64(rules.misere) if misere else np.int64(rules.game_value) * (level - 5)
    missing = taken if misere else max(0, level - taken)
    if common.unplayed:
        missing = np.int64(0)
    doubled = common.blind == 1
    everything = doubled and rules.blind_doubles == 0
    kind = np.int64(PLAYED_MISERE if misere else PLAYED_6 + level - 6)
    counts[kind, declarer] += 1
    counts[BLIND, declarer] += doubled
    counts[CONCEDED, declarer] += common.unplayed
    counts[MISSING_TRICKS, declarer] += missing
    counts[TRICKS_MISERE if misere else TRICKS_DECLARER, declarer] += taken
    if not misere:
        state.tally.contract[declarer] = max(np.int64(state.tally.contract[declarer]), level)
    if missing == 0:
        common.made_games += 1
    half = _is_half(state)
    state.tally.halved += half
    own_value = _price(state, value, doubled, half)
    if missing:
        _write_hill(state, declarer, own_value * missing, HILL_MISERE if misere else HILL_CONTRACTS)
    else:
        counts[kind + MADE_6 - PLAYED_6, declarer] += 1
        state.sheet[declarer].types |= 1 << (5 if misere else level - 6)
        _win(state, declarer, own_value, POOL_MISERE if misere else POOL_CONTRACTS)
    _write_talon(state, declarer, level, half, everything)
    if misere:
        for steps in range(1, 3):
            other = next_chair(chair, steps)
            counts[TRICKS_DEFENCE, owner_of(state, other)] += state.public[other].tricks
        return
    whists = _price(state, np.int64(rules.whist_value) * (level - 5), everything, half)
    if rules.players == 4 and missing:
        _write_whists(state, np.int64(common.dealer), declarer, whists * missing, WHISTS_MISSING)
    _score_whist(state, chair, level, missing, whists)
    if not common.unplayed and level < TRICKS and TRICKS - taken < duty(rules, level):
        _score_short(state, chair, level, TRICKS - taken, _price(state, value, everything, half))


@kernel
def _score_whist(state, chair, level, missing, whists):
    """Write the whists of both opponents, and count what they did."""
    common = state.common
    rules = state.rules
    counts = state.tally.counts
    declarer = np.int64(common.who[chair])
    tricks = TRICKS - np.int64(state.public[chair].tricks)
    first = next_chair(chair, 1)
    second = next_chair(chair, 2)
    single = (state.public[first].whist == WHIST) != (state.public[second].whist == WHIST)
    for steps in range(1, 3):
        other = next_chair(chair, steps)
        player = np.int64(common.who[other])
        said = np.int64(state.public[other].whist)
        own = np.int64(state.public[other].tricks)
        counts[TRICKS_DEFENCE, owner_of(state, other)] += own
        counts[WHIST_PASSED, player] += said == PASSED
        if said == OWN:
            counts[OWN_TAKEN, player] += 1
            _write_whists(state, player, declarer, whists * share_of_duty(rules, level), WHISTS_OWN)
        if common.unplayed:
            continue
        if said == WHIST:
            counts[WHISTED, player] += 1
            _write_whists(state, player, declarer, whists * (tricks if single else own), WHISTS_TRICKS)
            if single:
                counts[INVITED_OPEN if common.open else INVITED_CLOSED, player] += 1
                if rules.invitation:
                    _write_whists(state, player, declarer, whists * missing, WHISTS_INVITATION)
        if said == WHIST or (rules.consolation == 0 and not (player == DUMMY and is_hussar(rules))):
            _write_whists(state, player, declarer, whists * missing, WHISTS_MISSING)
        if said == WHIST and tricks >= duty(rules, level):
            counts[WHIST_MADE, player] += 1


@kernel
def _pay_short(state, chair, missing, value):
    player = np.int64(state.common.who[chair])
    if missing > 0:
        state.tally.counts[WHIST_SHORT, player] += missing
        _write_hill(state, player, value * missing, HILL_WHISTING)


@kernel
def _score_short(state, chair, level, tricks, value):
    """Let whisters pay who have too few tricks together."""
    rules = state.rules
    whole = duty(rules, level)
    first = next_chair(chair, 1)
    second = next_chair(chair, 2)
    if state.public[first].whist != WHIST:
        _pay_short(state, second, whole - tricks, value)
    elif state.public[second].whist != WHIST:
        _pay_short(state, first, whole - tricks, value)
    elif whole == 1:
        _pay_short(state, second if rules.responsible == 0 else first, whole - tricks, value)
    else:
        for steps in range(1, 3):
            other = next_chair(chair, steps)
            # of an odd duty the one who is responsible has the greater part
            greater = steps == 2 if rules.responsible == 0 else steps == 1
            own = (whole + 1) // 2 if greater else whole // 2
            missing = own - np.int64(state.public[other].tricks)
            if rules.shortfall == 0:
                missing = min(missing, whole - tricks)
            _pay_short(state, other, missing, value)


# -- the settlement ----------------------------------------------------------------------------------------------


@kernel
def all_closed(state):
    """Return whether every pool is closed."""
    for player in range(np.int64(state.rules.players)):
        if not is_closed(state, player):
            return False
    return True


@kernel
def debt(state, player, broken_off):
    """Return a player's hill, when the game is broken off less his pool."""
    sheet = state.sheet[player]
    return np.int64(sheet.hill) - np.int64(sheet.pool) if broken_off else np.int64(sheet.hill)


@kernel
def settle(state, values):
    """Settle the sheet.

    Parameters
    ----------
    state : STATE
        The position.
    values : ndarray of int64, shape (players,)
        Result: what each player wins, in whists.
    """
    players = np.int64(state.rules.players)
    broken_off = state.rules.pool == 0 or not all_closed(state)
    least = debt(state, 0, broken_off)
    for player in range(1, players):
        least = min(least, debt(state, player, broken_off))
    values[:] = 0
    for player in range(players):
        # half a whist and more is a whole one
        share = (2 * (debt(state, player, broken_off) - least) + players) // (2 * players)
        for other in range(players):
            if other != player:
                whists = share + np.int64(state.sheet[other].whists[player])
                values[other] += whists
                values[player] -= whists


@kernel
def exact_value(state, player):
    """Return what a player would win if the sheet was settled now without rounding, in whists."""
    players = np.int64(state.rules.players)
    broken_off = state.rules.pool == 0 or not all_closed(state)
    value = 0.0
    own = debt(state, player, broken_off)
    for other in range(players):
        value += (debt(state, other, broken_off) - own) / players
        value += np.int64(state.sheet[player].whists[other]) - np.int64(state.sheet[other].whists[player])
    return value
