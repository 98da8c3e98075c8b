"""What a position in words leaves open is drawn at random for each world: cards played, and who won them.

Where it is known how much the cards played count together, the cards are drawn from all sets that count so much, each
alike: first how many cards of each value, by the number of sets there are, then the cards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError
from simcards.games.bezique.frame import PICKING, TYPES
from simcards.kernel.compiled import kernel
from simcards.kernel.memory import scratch
from simcards.kernel.protocol import apply, determinize, legal, observe
from simcards.kernel.rng import STREAM, bounded, seed_stream, uniform
from simcards.kernel.search import GUESS
from simcards.kernel.shuffle import shuffle_prefix


@dataclass(frozen=True)
class Split:
    """How many cards of each value make up a set that counts a certain sum.

    Attributes
    ----------
    kinds : ndarray of int64, shape (32,)
        The index of each card's value.
    counts : ndarray of int64, shape (ways, values)
        How many cards of each value; empty where the sum is not known.
    shares : ndarray of float64, shape (ways,)
        The chance of each of these ways and all before it.
    """

    kinds: NDArray[np.int64]
    counts: NDArray[np.int64]
    shares: NDArray[np.float64]


def any_split() -> Split:
    """Return that of a sum that is not known."""
    return Split(np.zeros(TYPES, np.int64), np.zeros((0, 1), np.int64), np.zeros(0))


def split_of(pool: Sequence[int], values: Sequence[int], count: int, total: int) -> Split | None:
    """Return how `count` cards can count `total` together.

    Parameters
    ----------
    pool : sequence of int
        How many there are of each card.
    values : sequence of int
        What each card counts.
    count, total : int
        How many cards, and their sum.

    Returns
    -------
    Split or None
        None when no such cards can be had.
    """
    worth = sorted(set(values), reverse=True)
    kinds = np.array([worth.index(value) for value in values], np.int64)
    there = [sum(pool[card] for card in range(TYPES) if kinds[card] == kind) for kind in range(len(worth))]
    # of the last kind there must be what is left; that one is often worth nothing, so it has the most cards
    grids = np.meshgrid(*(np.arange(number + 1) for number in there[:-1]), indexing="ij")
    some = np.stack([grid.ravel() for grid in grids], axis=1) if grids else np.zeros((1, 0), np.int64)
    rest = count - some.sum(axis=1)
    fits = (rest >= 0) & (rest <= there[-1]) & (some @ np.array(worth[:-1], np.int64) + rest * worth[-1] == total)
    counts = np.concatenate([some, rest[:, None]], axis=1)[fits]
    if not len(counts):
        return None
    ways = [math.log(math.prod(math.comb(there[kind], int(k)) for kind, k in enumerate(row))) for row in counts]
    shares = np.cumsum(np.exp(np.array(ways) - max(ways)))
    return Split(kinds, counts.astype(np.int64), shares / shares[-1])


def span_of(pool: Sequence[int], values: Sequence[int], count: int) -> tuple[int, int]:
    """Return the least and the most that so many cards of a pool count together."""
    row = sorted(values[card] for card in range(TYPES) for _ in range(pool[card]))
    return sum(row[:count]), sum(row[len(row) - count :])


def check_total(
    key: str, said: Sequence[int], named: int, pool: Sequence[int], values: Sequence[int], unnamed: int, what: str
) -> Split:
    """Return how the cards played that were not named can count what was said of all of them.

    Parameters
    ----------
    key : str
        Under which it was said what each player has won.
    said : sequence of int
        That.
    named : int
        What those cards count that are known to have been won.
    pool, values : sequence of int
        How many of each card may be among the others, and what each counts.
    unnamed : int
        How many others there are.
    what : str
        What is counted.

    Returns
    -------
    Split
    """
    least, most = span_of(pool, values, unnamed)
    total = sum(said)
    text = ", ".join(map(str, said[:-1])) + f" and {said[-1]}"
    if not named + least <= total <= named + most:
        span = str(named + least) if least == most else f"{named + least} to {named + most}"
        raise UsageError(f"{key}: {text}, but the cards played hold {span} {what}")
    split = split_of(pool, values, unnamed, total - named)
    if split is None:
        raise UsageError(f"{key}: {text}, but no {unnamed} cards that may have been played make that of {named}")
    return split


@dataclass(frozen=True)
class Guess:
    """Draws what a position left open.

    Attributes
    ----------
    unnamed : int
        Cards played that were not named.
    copies : sequence of int
        Copies of each card in the pack.
    values : sequence of int
        What each card counts for who won it.
    trick : sequence of int
        The cards of the trick that is being played.
    split : Split
        How many of each value the unnamed cards are.
    won : callable, optional
        ``(views, numbers)``: adds what the cards played count for each player to the views; None when that was said.
    players : int
        How many may have won them.
    """

    unnamed: int
    copies: Sequence[int]
    values: Sequence[int]
    trick: Sequence[int]
    split: Split
    won: Callable[[np.ndarray, np.ndarray], None] | None
    players: int = 2

    def __call__(self, views: np.ndarray, seed: int, low: int) -> None:
        """Fill in views of the worlds from `low` on."""
        won = np.zeros((len(views), self.players), np.int64)
        lying = np.bincount(np.array(self.trick, np.int64), minlength=TYPES)
        split = self.split
        _draw_open(
            views,
            np.uint64(seed),
            low,
            self.unnamed,
            np.array(self.copies, np.int64),
            np.array(self.values, np.int64),
            lying,
            (split.kinds, split.counts, split.shares),
            won,
        )
        if self.won is not None:
            self.won(views, won)


@kernel
def _draw_open(views, seed, low, unnamed, copies, values, lying, split, won):
    """Draw the unnamed cards that were played, and who won what counts, for each world."""
    kinds, counts, shares = split
    rng = np.empty(1, STREAM)
    pool = np.empty(copies.sum(), np.uint8)
    quota = np.empty(counts.shape[1], np.int64)
    for k in range(views.shape[0]):
        view = views[k]
        seed_stream(rng[0], seed, GUESS, low + k)
        size = 0
        for card in range(TYPES):
            left = copies[card] - view.common.seen[card] - view.own.hand[card]
            for side in range(view.public.shape[0]):
                public = view.public[side]
                if side > 0:
                    left -= public.shown[card]
                for i in range(np.int64(public.laid)):
                    left -= public.table[i].type == card
            if view.common.stock > 0 and view.common.turn_up == card:
                left -= 1
            for _ in range(left):
                pool[size] = card
                size += 1
        quota[:] = unnamed
        if counts.shape[0] > 0:
            way = 0
            if counts.shape[0] > 1:
                chance = uniform(rng[0])
                while way < counts.shape[0] - 1 and chance >= shares[way]:
                    way += 1
            quota[:] = counts[way]
        shuffle_prefix(rng[0], pool[:size], size)
        # the first that fit are a draw from all sets with so many cards of each value, each alike
        rest = unnamed
        for i in range(size):
            if rest == 0:
                break
            card = np.int64(pool[i])
            if quota[kinds[card]] > 0:
                quota[kinds[card]] -= 1
                view.common.seen[card] += 1
                rest -= 1
        for card in range(TYPES):
            if values[card] != 0:
                for _ in range(np.int64(view.common.seen[card]) - lying[card]):
                    won[k, bounded(rng[0], won.shape[1])] += values[card]


NOT_DECLARABLE, NO_CHOICE = -2, -3


def choose_again(
    views: np.ndarray, states: np.ndarray, action: int, taken: Sequence[int], skip_forced: bool = False
) -> int:
    """Declare a combination once more and choose its cards; what has been chosen is written into the view.

    Parameters
    ----------
    views : ndarray of VIEW, shape (1,)
        What the player knows, still in the phase of declaring.
    states : ndarray of STATE, shape (1,)
        A position with the rules set.
    action : int
        The declaration.
    taken : sequence of int
        The cards chosen so far.
    skip_forced : bool
        Whether the cards that the declaration takes by itself are left out of these.

    Returns
    -------
    int
        The index of the first that cannot be; -1 if all can, or ``NOT_DECLARABLE`` or ``NO_CHOICE``.
    """
    return int(_choose_again(views, states, action, np.array(taken, np.int64), skip_forced))


@kernel
def _choose_again(views, states, action, taken, skip_forced):
    rng = scratch(STREAM)  # an array would be gone before its stream is used
    seed_stream(rng, 0, GUESS, 0)
    player = np.int64(views[0].seat)
    determinize(views[0], rng, states[0])
    state = states[0]
    if (legal(state) >> np.uint64(action)) & np.uint64(1) == np.uint64(0):
        return NOT_DECLARABLE
    apply(state, action)
    if state.common.stage != PICKING or state.common.turn != player:
        return NO_CHOICE
    forced = np.int64(state.choice.count) if skip_forced else 0
    for k in range(taken.shape[0]):
        card = taken[k]
        if forced + k < state.choice.count:
            if state.choice.type[forced + k] != card:
                return k
            continue
        if (legal(state) >> np.uint64(card)) & np.uint64(1) == np.uint64(0):
            return k
        apply(state, card)
        if state.common.stage != PICKING or state.common.turn != player:  # nothing is left to choose after it
            return k
    observe(state, player, views[0])
    return -1
