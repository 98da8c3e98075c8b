"""What a hand of preferans promises: tricks with each trump suit, tricks against a contract, safety in a misère.

Tricks are a sum over the suits of what the cards held in them are worth. The weights were found by least squares over
5,850 deals played with open cards by the solver, hands that are worth a contract mostly. The chance that a misère is
safe comes from all splits of each suit between two opponents who lead it.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from simcards.games.preferans.frame import (
    ACE,
    JACK,
    KING,
    LEVELS,
    NO_TRUMPS,
    NONE,
    ONE,
    PASS,
    QUEEN,
    STRAINS,
    TRUMPS,
    bit_of,
    bits_above,
    contracts_from,
    duty,
    ranks_in,
)
from simcards.kernel.bits import highest, lowest
from simcards.kernel.compiled import kernel

# What a suit is to a player: trumps, a side suit beside trumps, a suit without trumps
TRUMP, SIDE, PLAIN = range(3)


def features(holding: int) -> list[float]:
    """Return the features of the cards held in a suit, eight bits, in the order of the weights."""

    def has(rank: int) -> bool:
        return bool(holding >> rank & 1)

    length = holding.bit_count()
    ace, king, queen, jack = has(ACE), has(KING), has(QUEEN), has(JACK)
    return [
        float(feature)
        for feature in (
            ace,
            ace and king,
            king and not ace and length > 1,
            king and not ace and queen,
            ace and queen and not king,
            queen and (ace or king) and length > 2,
            queen and not ace and not king and length > 2,
            jack and (ace + king + queen) > 1,
            jack and (ace + king + queen) == 1 and length > 2,
            max(0, length - 3),
            max(0, length - 4),
            length == 0,
            length == 1,
            length == 2,
        )
    ]


# By what a suit is: for the declarer, then for an opponent of his
WEIGHTS = np.array(
    [
        [1.51, 0.98, 0.87, 0.47, 0.46, 0.16, 0.40, -0.02, 0.24, 1.39, -0.74, -0.94, -1.11, -1.06],
        [1.09, 1.03, 0.25, 0.62, 0.26, 0.16, 0.01, 0.12, 0.15, 0.17, -0.72, 1.70, 1.12, 0.33],
        [2.04, 0.97, 0.91, 0.24, 0.25, 0.27, 0.35, -0.04, -0.09, -0.17, 0.56, -0.04, 0.04, -0.14],
    ]
)
AGAINST = np.array(
    [
        [0.04, 0.04, 0.22, -0.08, 0.46, 0.07, 0.08, -0.08, 0.15, 0.52, -0.10, 0.32, -0.10, -0.25],
        [-0.01, 0.05, 0.07, -0.02, 0.09, 0.02, 0.03, -0.02, 0.09, 0.00, -0.01, 0.36, 0.02, -0.05],
        [-0.33, -0.04, 0.10, 0.16, -0.19, 0.13, 0.23, 0.21, -0.03, -0.19, -0.54, -0.44, 0.02, 0.03],
    ]
)
BASE = np.array([-1.68, -2.1])  # tricks of a declarer besides, with trumps and without
AGAINST_BASE = np.array([3.72, 2.73, 1.79, 0.86, 0.62])  # tricks of both opponents besides those of one hand, by level
GAIN, GAIN_LESS = 2.7, 0.25  # tricks that the talon brings to a hand on average: the first less so much of its tricks
GAIN_SPREAD = 0.85
SPREAD = 0.72  # standard deviation of the tricks about the estimate
AGAINST_SPREAD = 0.7
BEFORE_SPREAD = math.sqrt(SPREAD**2 + GAIN_SPREAD**2)


def _table(weights: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return what each holding is worth, by what the suit is."""
    return np.asarray(weights @ np.array([features(holding) for holding in range(256)]).T)


TABLE = _table(WEIGHTS)
AGAINST_TABLE = _table(AGAINST)


# -- misère ------------------------------------------------------------------------------------------------------


@functools.cache
def _forced(mine: int, one: int, other: int) -> int:
    """Return how many tricks two opponents can force on a holding by leading its suit, of which they see all cards."""
    if not mine:
        return 0
    best = 0
    for leader, partner in ((one, other), (other, one)):
        for lead in range(8):
            if not leader >> lead & 1:
                continue
            left = leader & ~(1 << lead)
            low = partner & -partner
            below = mine & ((1 << lead) - 1)
            if below:  # he gets rid of the highest card that does not win
                own = 1 << (below.bit_length() - 1)
            elif low > mine & -mine:  # the partner has to play above the lowest
                own = mine & -mine
            else:
                own = 1 << (mine.bit_length() - 1)
            taken = 0
            if own > 1 << lead and (not partner or low < own):
                taken = 1
            rest = partner & ~low
            value = taken + _forced(mine & ~own, min(left, rest), max(left, rest))
            best = max(best, value)
    return best


def _misere_tables() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return by holding the chance that no trick is forced on it, and how many are on average."""
    table = np.zeros((2, 256))
    for holding in range(256):
        rest = 255 & ~holding
        part = rest
        count = 0
        while True:  # all ways to split the other cards
            tricks = _forced(holding, min(part, rest & ~part), max(part, rest & ~part))
            table[0, holding] += tricks == 0
            table[1, holding] += tricks
            count += 1
            if part == 0:
                break
            part = (part - 1) & rest
        table[:, holding] /= count
    return table


MISERE_TABLE = _misere_tables()
SAFE, DANGER = range(2)
STEEP = math.pi / math.sqrt(3.0)  # a logistic curve in place of the normal one


@kernel
def strain_estimate(hand, strain):
    """Return the tricks that a declarer takes on average with some cards and a strain.

    Parameters
    ----------
    hand : uint64
        Ten cards.
    strain : int
        The strain, in the order of bids.
    """
    trump = TRUMPS[strain]
    total = BASE[0 if trump >= 0 else 1]
    for suit in range(4):
        kind = PLAIN if trump < 0 else (TRUMP if suit == trump else SIDE)
        total += TABLE[kind, np.int64(ranks_in(hand, suit))]
    return total


@kernel
def against_estimate(hand, trump, level):
    """Return the tricks that both opponents of a declarer take together, on average, by the cards of one of them."""
    total = AGAINST_BASE[level - 6]
    for suit in range(4):
        kind = PLAIN if trump < 0 else (TRUMP if suit == trump else SIDE)
        total += AGAINST_TABLE[kind, np.int64(ranks_in(hand, suit))]
    return total


@kernel
def misere_promise(hand):
    """Return the chance that no trick is forced on a hand, and how many are on average."""
    safe = 1.0
    tricks = 0.0
    for suit in range(4):
        ranks = np.int64(ranks_in(hand, suit))
        safe *= MISERE_TABLE[SAFE, ranks]
        tricks += MISERE_TABLE[DANGER, ranks]
    return safe, tricks


@kernel
def chance_of_at_most(count, estimate, spread):
    """Return the chance that a number of tricks is no more than `count` when so many are expected."""
    return 1.0 / (1.0 + math.exp(-STEEP * (count + 0.5 - estimate) / spread))


@kernel
def declarer_result(rules, level, tricks):
    """Return what a contract brings its player when he takes so many tricks, in whists.

    One opponent is taken to whist where that costs the declarer more than if nobody does.
    """
    players = np.int64(rules.players)
    value = np.float64(rules.game_value * (level - 5))
    whist = np.float64(rules.whist_value * (level - 5))
    share = (players - 1) / players  # of what is written in pool and hill, to be had from the others
    missing = max(0, level - tricks)
    result = -whist * (10 - tricks)
    if missing:
        return result - missing * (value * share + 3.0 * whist)
    short = max(0, duty(rules, level) - (10 - tricks))
    return min(value * share, result + value * share + short * value / players)


@kernel
def contract_promise(rules, level, estimate, spread):
    """Return what a contract brings on average when so many tricks are expected, in whists."""
    total = 0.0
    before = 0.0
    for tricks in range(11):
        below = chance_of_at_most(tricks, estimate, spread) if tricks < 10 else 1.0
        total += (below - before) * declarer_result(rules, level, tricks)
        before = below
    return total


@kernel
def bid_promise(rules, hand, bid, more, talon):
    """Return what the best contract that is not lower than a bid brings on average, and which it is.

    Parameters
    ----------
    rules : record
        The rules.
    hand : uint64
        Ten cards.
    bid : int
        The bid, not a misère.
    more : float
        Tricks to be added to what is estimated from the hand.
    talon : bool
        Whether the talon will still be taken.

    Returns
    -------
    value : float
    contract : int
    """
    spread = BEFORE_SPREAD if talon else SPREAD
    best = -1e18
    choice = np.int64(PASS)
    open_to = contracts_from(bid)
    for strain in range(NO_TRUMPS + 1):
        estimate = strain_estimate(hand, strain)
        if talon:
            estimate += max(0.0, GAIN - GAIN_LESS * estimate)
        estimate += more
        last = -1e18
        rest = open_to
        while rest:
            contract = np.int64(lowest(rest))
            rest &= rest - ONE
            if STRAINS[contract] != strain:
                continue
            value = contract_promise(rules, LEVELS[contract], estimate, spread)
            if value > best:
                best = value
                choice = contract
            if value < last:
                break  # higher ones are worse still
            last = value
    return best, choice


@kernel
def misere_value(rules, hand, more):
    """Return what a misère brings on average, in whists; `more` is added to the chance that it is safe."""
    players = np.int64(rules.players)
    safe, tricks = misere_promise(hand)
    share = rules.misere * (players - 1) / players
    return share * (min(1.0, safe + more) - tricks)


@kernel
def best_discard(hand, laid, strain):
    """Return the two cards whose loss costs a declarer least, as a mask, those laid away already among them.

    Parameters
    ----------
    hand, laid : uint64
        The cards held, and those laid away already.
    strain : int
        The strain; -1 for a misère, -2 for whatever promises most tricks.

    Returns
    -------
    cards : uint64
    value : float
        What is left: tricks, in a misère the fewer forced ones the better.
    """
    best = -1e18
    choice = NONE
    first_strain = strain if strain >= 0 else 0
    last_strain = strain if strain >= 0 else NO_TRUMPS
    rest = hand & bits_above(highest(laid)) if laid else hand  # the lower one goes first
    while rest:
        first = np.int64(lowest(rest))
        rest &= rest - ONE
        others = ONE if laid else rest  # if one has gone, a single round for each
        while others:
            second = np.int64(lowest(others))
            others &= others - ONE
            gone = bit_of(first)
            if laid == NONE:
                gone |= bit_of(second)
            left = hand & ~gone
            if strain == -1:
                safe, tricks = misere_promise(left)
                value = safe - tricks
            else:
                value = -1e18
                for tried in range(first_strain, last_strain + 1):
                    value = max(value, strain_estimate(left, tried))
            if value > best:
                best = value
                choice = gone | laid
    return choice, best
