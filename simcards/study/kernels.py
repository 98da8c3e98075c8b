"""The compiled parts of the engine: rows become sums, lines of text, and differences between strategies."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING
from simcards.kernel.rng import CARDS, seed_stream
from simcards.kernel.shuffle import fixed_deal, fresh_deal

# Sums of a column, the first axis of `sums`. A square takes up to 62 bits, so squares and products are summed
# in two halves of 32 bits: with at most 2**30 rows no sum of any kind can leave an int64.
N, SUM, SQUARES_HIGH, SQUARES_LOW, POSITIVE, NEGATIVE, LEAST, MOST = range(8)
# Sums of a pair of columns a and b, over the rows in which both have a value
PAIR_N, PAIR_A, PAIR_B, AA_HIGH, AA_LOW, BB_HIGH, BB_LOW, AB_HIGH, AB_LOW = range(9)

MOST_ROWS = 2**30  # that may be added to one set of sums
GROUPS = 64  # values that a grouping column may have, besides none

_LOW_HALF = np.int64(0xFFFFFFFF)
_HALF = np.int64(32)
_NONE = np.int64(MISSING)


@kernel
def add_rows(
    cells: Any, group: Any, first: Any, rows: Any, sums: Any, bins: Any, counts: Any, pairs: Any, cross: Any
) -> Any:
    """Add rows to the sums of their groups.

    Parameters
    ----------
    cells : ndarray of int32, shape (rows, columns)
        The rows; ``MISSING`` where there is no value.
    group : int
        The column whose value is the row's group, -1 for one group of all.
    first : int
        The value of the first group.
    rows : ndarray of int64, shape (groups + 1,)
        Rows in each group; the last is for rows without a value in the grouping column.
    sums : ndarray of int64, shape (groups + 1, 8, columns)
        Sums of each column.
    bins : ndarray of int64, shape (histograms, 5)
        For each histogram: column, lowest value, width, number of bins, place of its first count.
    counts : ndarray of int64, shape (groups + 1, all counts)
        For each histogram the values below, in each bin, and above.
    pairs : ndarray of int64, shape (pairs, 2)
        Pairs of columns.
    cross : ndarray of int64, shape (groups + 1, 9, pairs)
        Sums of each pair.

    Returns
    -------
    int
        -1, or the first row whose group is none of the groups; rows before it have been added.
    """
    for r in range(cells.shape[0]):
        g = 0
        if group >= 0:
            g = rows.shape[0] - 1
            key = np.int64(cells[r, group])
            if key != _NONE:
                g = key - first
                if g < 0 or g >= rows.shape[0] - 1:
                    return r
        rows[g] += 1
        for c in range(cells.shape[1]):
            value = np.int64(cells[r, c])
            if value != _NONE:
                square = value * value
                sums[g, N, c] += 1
                sums[g, SUM, c] += value
                sums[g, SQUARES_HIGH, c] += square >> _HALF
                sums[g, SQUARES_LOW, c] += square & _LOW_HALF
                sums[g, POSITIVE, c] += value > 0
                sums[g, NEGATIVE, c] += value < 0
                sums[g, LEAST, c] = min(sums[g, LEAST, c], value)
                sums[g, MOST, c] = max(sums[g, MOST, c], value)
        for h in range(bins.shape[0]):
            value = np.int64(cells[r, bins[h, 0]])
            if value != _NONE:
                place = (value - bins[h, 1]) // bins[h, 2]
                counts[g, bins[h, 4] + min(max(place + 1, 0), bins[h, 3] + 1)] += 1
        for p in range(pairs.shape[0]):
            a = np.int64(cells[r, pairs[p, 0]])
            b = np.int64(cells[r, pairs[p, 1]])
            if a != _NONE and b != _NONE:
                cross[g, PAIR_N, p] += 1
                cross[g, PAIR_A, p] += a
                cross[g, PAIR_B, p] += b
                cross[g, AA_HIGH, p] += (a * a) >> _HALF
                cross[g, AA_LOW, p] += (a * a) & _LOW_HALF
                cross[g, BB_HIGH, p] += (b * b) >> _HALF
                cross[g, BB_LOW, p] += (b * b) & _LOW_HALF
                cross[g, AB_HIGH, p] += (a * b) >> _HALF
                cross[g, AB_LOW, p] += (a * b) & _LOW_HALF
    return -1


@kernel
def differences(rows: Any, seated: Any, starts: Any, payoff: Any, out: Any) -> Any:
    """Compare two strategies by the rows of the same deals under several seatings.

    The columns of `out` are: for each quantity the difference, first less second strategy, summed over all
    seatings; then the sums of the first strategy; then those of the second; then how many games the first
    won, drew and lost by the mean payoff of its seats; then for each seating the difference of the payoff.

    Parameters
    ----------
    rows : ndarray of int32, shape (seatings, rows, columns)
        The rows.
    seated : ndarray of int64, shape (seatings, seats)
        1 where the first strategy sits, 0 where the second does.
    starts : ndarray of int64
        For each quantity the column of the first seat.
    payoff : int
        Which of the quantities is the payoff.
    out : ndarray of int32, shape (rows, 3 quantities + 3 + seatings)
        Result.

    Returns
    -------
    int
        -1, or the first row with a sum that does not fit.
    """
    seatings, seats = seated.shape
    many = starts.shape[0]
    for r in range(rows.shape[1]):
        for q in range(many):
            first, second, known = np.int64(0), np.int64(0), True
            for s in range(seatings):
                a, b, there = _sides(rows[s, r], seated[s], starts[q])
                first += a
                second += b
                known = known and there
            if known and not (_fits(first) and _fits(second) and _fits(first - second)):
                return r
            out[r, q] = first - second if known else _NONE
            out[r, many + q] = first if known else _NONE
            out[r, 2 * many + q] = second if known else _NONE
        won = drawn = lost = 0
        for s in range(seatings):
            a, b, there = _sides(rows[s, r], seated[s], starts[payoff])
            if not (_fits(a) and _fits(b) and _fits(a - b)):
                return r
            size = seated[s].sum()
            better = a * (seats - size) - b * size
            won += there and better > 0
            drawn += there and better == 0
            lost += there and better < 0
            out[r, 3 * many + 3 + s] = a - b if there else _NONE
        out[r, 3 * many] = won
        out[r, 3 * many + 1] = drawn
        out[r, 3 * many + 2] = lost
    return -1


@kernel
def _sides(row: Any, seated: Any, start: Any) -> Any:
    """Return the sums of a quantity over the seats of either side, and whether all of them have a value."""
    first = second = np.int64(0)
    known = True
    for p in range(seated.shape[0]):
        value = np.int64(row[start + p])
        if value == _NONE:
            known = False
        elif seated[p] > 0:
            first += value
        else:
            second += value
    return first, second, known


@kernel
def _fits(value: Any) -> Any:
    return -(2**31) < value < 2**31


@kernel
def deal_again(seed: Any, game: Any, template: Any, dealt: Any, fixed: Any, decks: Any) -> Any:
    """Deal the cards of one game as the driver does.

    Parameters
    ----------
    seed, game, template, dealt, fixed
        As for `simcards.kernel.drive.play`.
    decks : ndarray of uint8, shape (deals, cards)
        Result: the dealing order of each deal.
    """
    stream = np.empty(4, np.uint64)
    seed_stream(stream, seed, CARDS, game)
    for k in range(decks.shape[0]):
        if fixed.shape[0] == 0:
            fresh_deal(stream, template, decks[k], dealt)
        else:
            fixed_deal(stream, template, decks[k], dealt, fixed)
