"""Dealing from a condition: the tables of its exact count, turned into a recipe for deals.

Counting first, then dealing: the exact count of a condition says how many deals there are for each way in which the
cards of the classes can lie. Going back through its tables, each step chosen as its number of ways demands, gives the
cards of each class for each hand; which cards of the class they are is then a plain draw. Every deal for which the
condition holds is equally likely, and none is thrown away, however rare the condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.odds.exact import Counter, Source, Table
from simcards.odds.ground import Graph
from simcards.study.files import uninterrupted

ROW_PLACE = 11
"""Which of the arrays of a recipe holds places, as indices into the places of the recipe."""

_MOST_SHORTENED = 500_000  # alternatives
_BUDGET = 400_000_000  # of the count, when its tables are to be kept


@dataclass(frozen=True)
class Recipe:
    """How to deal from a condition, as arrays for `simcards.odds.kernels.deal_from_condition`.

    Attributes
    ----------
    places : tuple of int
        The places that are dealt.
    arrays : tuple of ndarray
        The alternatives of each step, and what they lead to.
    template : ndarray of uint8
        The cards, class by class.
    depth : int
        Steps that may wait to be done.
    ways, all_deals : int
        In how many deals the condition holds, of how many.
    """

    places: tuple[int, ...]
    arrays: tuple[NDArray[Any], ...]
    template: NDArray[np.uint8]
    depth: int
    ways: int
    all_deals: int


def recipe(graph: Graph, given: int) -> Recipe:
    """Make the recipe for deals in which a condition holds.

    Parameters
    ----------
    graph : Graph
        The graph.
    given : int
        The node of the condition.

    Returns
    -------
    Recipe

    Raises
    ------
    NotCounted
        When the condition cannot be counted by convolution, or its tables would be too large.
    """
    counter = Counter(graph, [given], _BUDGET, record=True)
    table, places = counter.table_of_all(), counter.places
    holds = np.flatnonzero(table.values[:, 0] == 1)
    ways = sum(int(table.weights[entry]) for entry in holds)
    return _Writer(counter, table, holds).recipe(places, ways, graph.deal.ways(places))


class _Writer:
    """Numbers the entries of all tables that can be reached, and writes down their alternatives."""

    def __init__(self, counter: Counter, final: Table, roots: NDArray[np.int64]) -> None:
        self.counter = counter
        self.final = final
        self.roots = roots
        self.order: list[Table] = []
        self.reached: dict[int, NDArray[np.bool_]] = {}

    def recipe(self, places: tuple[int, ...], ways: int, all_deals: int) -> Recipe:
        self._visit(self.final)
        self.reached[id(self.final)][self.roots] = True
        for table in self.order:
            self._reach(table)
        numbers: dict[int, NDArray[np.int64]] = {}
        count = 1  # step 0 chooses among the entries for which the condition holds
        for table in self.order:
            if table.source is not None:
                here = self.reached[id(table)]
                numbers[id(table)] = np.where(here, np.cumsum(here) - 1 + count, -1)
                count += int(here.sum())
        parts = [self._first(numbers)]
        row_base = 0
        self.rows: list[tuple[NDArray[np.int16], tuple[int, ...]]] = []
        for table in self.order:
            if table.source is not None and self.reached[id(table)].any():
                part, rows = self._part(table, table.source, numbers, row_base)
                row_base += rows
                parts.append(part)
        lengths, weights, left, right, row = (np.concatenate(each) for each in zip(*parts, strict=True))
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        starts, weights, left, right, row = _shortened(starts, weights, left, right, row)
        steps = self._guides(starts, _small(weights, starts))
        return Recipe(
            places,
            (*steps, left, right, row, *self._rows(), *self._classes()),
            self.template,
            2 + len(self.order) + self.counter.graph.deal.pack.types,
            ways,
            all_deals,
        )

    def _visit(self, table: Table) -> None:
        """List the tables, each before those from which it was made."""
        if id(table) in self.reached:
            return
        self.reached[id(table)] = np.zeros(len(table), np.bool_)
        if table.source is not None:
            for made in (table.source.right, table.source.left):
                if made is not None:
                    self._visit(made[0])
        self.order.insert(0, table)

    def _alternatives(self, table: Table, source: Source) -> NDArray[np.int64]:
        """Return the alternatives of the entries that can be reached."""
        here = np.flatnonzero(self.reached[id(table)])
        lengths = np.diff(source.starts)[here]
        first = np.repeat(source.starts[here] - np.concatenate([[0], np.cumsum(lengths)])[:-1], lengths)
        return first + np.arange(len(first))

    def _reach(self, table: Table) -> None:
        if table.source is not None:
            picked = self._alternatives(table, table.source)
            for made in (table.source.left, table.source.right):
                if made is not None:
                    self.reached[id(made[0])][made[1][picked]] = True

    def _first(self, numbers: dict[int, NDArray[np.int64]]) -> tuple[NDArray[Any], ...]:
        nothing = np.full(len(self.roots), -1, np.int64)
        left = numbers[id(self.final)][self.roots]
        return np.array([len(self.roots)]), self.final.weights[self.roots], left, nothing, nothing

    def _part(
        self, table: Table, source: Source, numbers: dict[int, NDArray[np.int64]], row_base: int
    ) -> tuple[tuple[NDArray[Any], ...], int]:
        here = np.flatnonzero(self.reached[id(table)])
        picked = self._alternatives(table, source)
        nothing = np.full(len(picked), -1, np.int64)

        def numbered(made: tuple[Table, NDArray[np.int64]] | None) -> NDArray[np.int64]:
            if made is None or made[0].source is None:
                return nothing
            return numbers[id(made[0])][made[1][picked]]

        row, rows = nothing, 0
        if source.rows is not None:
            rows = len(picked)
            row = np.arange(row_base, row_base + rows)
            self.rows.append((source.rows[picked], source.classes))
        part = (
            np.diff(source.starts)[here],
            source.weights[picked],
            numbered(source.left),
            numbered(source.right),
            row,
        )
        return part, rows

    def _guides(self, starts: NDArray[np.int64], weights: NDArray[np.uint64]) -> tuple[NDArray[Any], ...]:
        from simcards.odds import kernels

        running = np.cumsum(weights, dtype=np.uint64)  # modulo 2**64, as what is taken off below
        before = np.concatenate([np.zeros(1, np.uint64), running])[starts]
        lengths = np.diff(starts)
        cumulated = running - np.repeat(before[:-1], lengths)
        totals = before[1:] - before[:-1]
        bits = np.ceil(np.log2(np.maximum(lengths, 1))).astype(np.int64) + 2
        guide_starts = np.concatenate([[0], np.cumsum(1 << bits)])[:-1].astype(np.int64)
        guide = np.zeros(int((1 << bits).sum()), np.int32)
        with uninterrupted():  # the compiler does not survive an interrupt
            kernels.build_guides(starts, cumulated, totals, guide_starts, bits, guide)
        return starts, cumulated, totals, guide_starts, bits, guide

    def _rows(self) -> tuple[NDArray[np.int64], ...]:
        """Return the counts of all rows, one behind the other, without zeros."""
        self.classes: dict[int, int] = {}
        lengths, which, place, many = [], [], [], []
        for rows, names in self.rows:
            columns = np.array([self.classes.setdefault(name, len(self.classes)) for name in names], np.int64)
            row, column, at = np.nonzero(rows)
            lengths.append(np.bincount(row, minlength=len(rows)))
            which.append(columns[column])
            place.append(at)
            many.append(rows[row, column, at].astype(np.int64))
        starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
        return starts, *(np.concatenate(each).astype(np.int64) for each in (which, place, many))

    def _classes(self) -> tuple[NDArray[np.int64], ...]:
        """Return where each class is among the cards, its size, and its type if it has but one."""
        available = self.counter.available
        starts, sizes, only = [], [], []
        cards: list[int] = []
        for name in self.classes:
            codes = [code for code, left in enumerate(available) if name >> code & 1 and left]
            starts.append(len(cards))
            sizes.append(sum(available[code] for code in codes))
            only.append(codes[0] if len(codes) == 1 else -1)
            cards += [code for code in codes for _ in range(available[code])]
        self.template = np.array(cards, np.uint8)
        return tuple(np.array(each, np.int64) for each in (starts, sizes, only))


def _shortened(
    starts: NDArray[np.int64],
    weights: NDArray[Any],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    row: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Choose a row at once where it would be the next choice, as long as that makes not too many alternatives."""
    lengths = np.diff(starts)
    only_rows = np.logical_and.reduceat(row >= 0, starts[:-1])
    put_in = (right >= 0) & only_rows[right]
    many = np.where(put_in, lengths[right], 1)
    if many.sum() > _MOST_SHORTENED:
        return starts, weights, left, right, row
    source = np.repeat(np.arange(len(many)), many)
    inside = np.arange(len(source)) - np.repeat(np.cumsum(many) - many, many)
    child = np.where(put_in[source], starts[right[source]] + inside, source)
    totals = np.add.reduceat(weights, starts[:-1])
    grown = weights[source]
    changed = put_in[source]
    grown[changed] = grown[changed] // totals[right[source[changed]]] * weights[child[changed]]
    new_lengths = np.add.reduceat(many, starts[:-1])
    return (
        np.concatenate([[0], np.cumsum(new_lengths)]).astype(np.int64),
        grown,
        left[source],
        np.where(changed, -1, right[source]),
        np.where(changed, row[child], row[source]),
    )


def _small(weights: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return weights of 64 bits.

    Where the numbers of ways of a step are larger than that, they are cut to 62 bits, which changes no probability
    by more than one part in 10**18 of that step.
    """
    if weights.dtype == np.uint64:
        return weights
    totals = np.add.reduceat(weights, starts[:-1])
    cut = np.array([max(0, int(total).bit_length() - 62) for total in totals], np.int64)
    shifts = np.repeat(cut, np.diff(starts))
    return np.array([int(weight) >> shift for weight, shift in zip(weights, shifts.tolist(), strict=True)], np.uint64)
