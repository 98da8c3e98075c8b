"""Dealing many hands and asking the same questions of each.

Every deal has its own stream of random numbers, so that the result depends on the seed and the number of deals, and
neither on the workers nor on how the work was cut up.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import SimcardsError
from simcards.odds import kernels
from simcards.odds.deal import Deal
from simcards.odds.kernels import MOST_CELLS, Program
from simcards.odds.sampling import ROW_PLACE, Recipe
from simcards.odds.written import several
from simcards.stats import Estimate, looks, mean, mean_sequence, proportion, proportion_sequence

if TYPE_CHECKING:
    from simcards.study.engine import Progress

MOST_TRIES = 10**9
"""How many hands are dealt at most, by default, to find some for which a condition holds."""

# sums and sums of squares from their halves
_HALVES = np.array([[2**32, 0], [1, 0], [0, 2**64], [0, 1]], object)

_TRIES_A_DEAL = 50_000_000  # after so many without one the condition is taken never to hold


class NoneFound(SimcardsError):
    """No hand was found for which the condition holds."""


@dataclass(frozen=True)
class Sums:
    """The values of one expression over all deals.

    Attributes
    ----------
    n : int
        Number of deals.
    counts : dict of int to int or None
        How often it had which value; None when it has too many.
    total, squares : int
        Sum of the values and of their squares.
    low, high : int
        Least and greatest value it can have.
    """

    n: int
    counts: dict[int, int] | None
    total: int
    squares: int
    low: int
    high: int

    def rate(self, confidence: float, looked: bool, quantity: str) -> Estimate:
        """Estimate how often the value is not 0."""
        assert self.counts is not None
        hits = self.n - self.counts.get(0, 0)
        estimate = proportion_sequence if looked else proportion
        return estimate(hits, self.n, quantity=quantity, confidence=confidence)

    def mean(self, confidence: float, looked: bool, quantity: str) -> Estimate:
        """Estimate the mean of the value."""
        if looked:
            bounds = (float(self.low), float(self.high))
            return mean_sequence(
                self.n, self.total, self.squares, bounds=bounds, quantity=quantity, confidence=confidence
            )
        return mean(self.n, self.total, self.squares, quantity=quantity, confidence=confidence)


@dataclass(frozen=True)
class Simulation:
    """Hands that were dealt.

    Attributes
    ----------
    sums : tuple of Sums
        For each expression.
    deals : int
        The deals 0 to ``deals - 1`` are in the sums.
    tries : int
        Hands dealt in all; more than `deals` when some were thrown away because a condition did not hold.
    way : str
        ``"dealt"``, ``"dealt from the condition"`` or ``"dealt until the condition holds"``.
    interrupted : bool
        Whether it was interrupted.
    stopped : bool
        Whether it was given up because too many hands had to be thrown away.
    precise : bool or None
        Whether the precision asked for was reached.
    seconds : float
        Time taken, without compiling.
    workers : int
        Number of workers.
    """

    sums: tuple[Sums, ...]
    deals: int
    tries: int
    way: str
    interrupted: bool
    stopped: bool
    precise: bool | None
    seconds: float
    workers: int


@dataclass(frozen=True)
class DealWork:
    """Dealing a range of deals; it can be pickled and sent to a worker.

    Attributes
    ----------
    program : Program
        The expressions.
    deal : Deal
        The cards.
    seed : int
        The seed.
    recipe : Recipe or None
        How to deal from the condition; without one, hands are dealt until it holds.
    most_tries : int
        How often one deal may be dealt anew.
    """

    program: Program
    deal: Deal
    seed: int
    recipe: Recipe | None
    most_tries: int

    @property
    def places(self) -> tuple[int, ...]:
        """The places that are dealt."""
        return self.program.places

    def bins(self) -> NDArray[np.int64]:
        """Return for each histogram its lowest value, number of cells, and place of the first."""
        table = np.zeros((len(self.program.bounds), 3), np.int64)
        offset = 0
        for row, (low, high) in zip(table, self.program.bounds, strict=True):
            cells = high - low + 1
            row[:] = low, cells if cells <= MOST_CELLS else 0, offset
            offset += int(row[1])
        return table

    def __call__(self, low: int, high: int) -> tuple[NDArray[np.int64], NDArray[Any], int, int] | str:
        """Deal; return histograms, sums and sums of squares, hands dealt in all, and the deal that failed or -1."""
        bins = self.bins()
        hist = np.zeros(int(bins[:, 1].sum()), np.int64)
        sums = np.zeros((len(bins), 2), np.int64)
        squares = np.zeros((len(bins), 2), np.uint64)
        kinds = self.deal.pack.types
        stream = np.zeros(4, np.uint64)
        counts = np.zeros(max(1, kinds * len(self.places)), np.int64)
        out = np.zeros(max(1, len(bins)), np.int64)
        seed = np.uint64(self.seed % 2**64)
        if self.recipe is None:
            template = np.repeat(np.arange(kinds, dtype=np.uint8), np.array(self.deal.available, np.int64))
            ends = np.cumsum([self.deal.places[place].size for place in self.places], dtype=np.int64)
            tries, failed = kernels.deal_hands(
                self.program.function, seed, low, high, self.most_tries, stream, template, np.empty_like(template),
                ends, kinds, counts, out, bins, hist, sums, squares,
            )  # fmt: skip
        else:
            made = self.recipe
            sizes = [self.deal.places[place].size for place in self.places]
            arrays = list(made.arrays)
            column = np.array([self.places.index(place) for place in made.places], np.int64)
            arrays[ROW_PLACE] = column[arrays[ROW_PLACE]]
            others = [index for index, place in enumerate(self.places) if place not in made.places]
            tries, failed = kernels.deal_from_condition(
                self.program.function, seed, low, high, stream, made.template, np.empty_like(made.template), kinds,
                counts, out, bins, hist, sums, squares, *arrays, np.array(others, np.int64),
                np.array([sizes[index] for index in others], np.int64), np.zeros(made.depth, np.int64),
                np.zeros(len(arrays[-1]), np.int64), np.zeros(max(1, sum(sizes)), np.int64),
            )  # fmt: skip
        if failed <= -2:
            raise RuntimeError("an expression has a value out of its bounds" if failed == -2 else "a wrong deal")
        halves = np.concatenate([sums, squares], axis=1, dtype=object, casting="unsafe")
        return hist, halves @ _HALVES, int(tries), int(failed)


def simulate(
    program: Program,
    deal: Deal,
    seed: int,
    deals: int,
    *,
    conditions: Sequence[bool],
    recipe: Recipe | None = None,
    conditional: bool = False,
    precision: float | None = None,
    confidence: float = 0.95,
    most_tries: int = MOST_TRIES,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Simulation:
    """Deal hands and sum up the values of expressions.

    Parameters
    ----------
    program : Program
        The expressions and the condition.
    deal : Deal
        The cards.
    seed : int
        The seed.
    deals : int
        How many deals; with a precision, at most.
    conditions : sequence of bool
        Which of the expressions are conditions.
    recipe : Recipe, optional
        How to deal from the condition.
    conditional : bool
        Whether there is a condition.
    precision : float, optional
        Stop when the confidence sequence of every expression is no wider than this on either side.
    confidence : float
        Confidence level.
    most_tries : int
        How many hands are dealt at most when a condition has to be met by trying.
    workers, chunk : int, optional
        Workers and size of the chunks; they make no difference to the result.
    progress : callable, optional
        Called after each chunk.

    Returns
    -------
    Simulation

    Raises
    ------
    NoneFound
        When the condition held in none of the hands dealt.
    """
    from simcards.study.engine import Crew, Teller

    work = DealWork(program, deal, seed, recipe, min(most_tries, _TRIES_A_DEAL))
    crew = Crew(workers, chunk, window=8)
    bins = work.bins()
    hist = np.zeros(int(bins[:, 1].sum()), object)
    sums = np.zeros((len(bins), 2), object)
    done = tries = 0
    interrupted = stopped = False
    precise = None if precision is None else False
    tell = Teller(progress, 0, deals)
    began = time.perf_counter()

    def summed() -> tuple[Sums, ...]:
        return tuple(
            _sums(done, row, hist, each, bounds) for row, each, bounds in zip(bins, sums, program.bounds, strict=True)
        )

    def wide() -> float:
        widths = []
        for each, is_condition in zip(summed(), conditions, strict=True):
            estimate = each.rate(confidence, True, "") if is_condition else each.mean(confidence, True, "")
            widths.append(estimate.half_width)
        return max(widths, default=0.0)

    try:
        crew.compile(work, 0, 0)
        began = time.perf_counter()
        tell.begin()
        for stop in _stops(deals, precision is not None):
            if stop > done and not stopped:
                with contextlib.closing(crew.results(work, done, stop, tell)) as parts:
                    for upto, (part_hist, part_sums, part_tries, failed) in parts:
                        tries += part_tries
                        if failed >= 0:
                            stopped = True
                            break
                        # one assignment, so that an interrupt cannot come between deals and sums
                        done, hist, sums = upto, hist + part_hist, sums + part_sums
                        if conditional and recipe is None and tries > most_tries:
                            stopped = done < deals
                            break
            if stopped:
                break
            if precision is not None and wide() <= precision:
                precise = True
                break
    except KeyboardInterrupt:
        interrupted = done < deals
    seconds = time.perf_counter() - began
    if done == 0 and stopped:
        raise NoneFound(f"the condition held in none of {several(tries, 'hand')}")
    way = "dealt"
    if conditional:
        way = "dealt from the condition" if recipe is not None else "dealt until the condition holds"
    return Simulation(summed(), done, tries, way, interrupted, stopped, precise, seconds, crew.workers)


def _stops(deals: int, looking: bool) -> list[int]:
    """Return the numbers of deals at which to stop and look; the last one is `deals`."""
    stops = []
    if looking:
        for look in looks():
            if look >= deals:
                break
            stops.append(look)
    return [*stops, deals]


def _sums(n: int, row: NDArray[np.int64], hist: NDArray[Any], each: NDArray[Any], bounds: tuple[int, int]) -> Sums:
    low, high = bounds
    if not row[1]:
        return Sums(n, None, int(each[0]), int(each[1]), low, high)
    cells = hist[int(row[2]) : int(row[2] + row[1])]
    counts = {int(row[0]) + index: int(count) for index, count in enumerate(cells) if count}
    total = sum(value * count for value, count in counts.items())
    squares = sum(value * value * count for value, count in counts.items())
    return Sums(n, counts, total, squares, low, high)
