"""Counting exactly: over which deals an expression has which value, in whole numbers of any size.

The types of cards are put into the coarsest classes that the expression can tell apart. Then there are these routes:

- *enumeration*: all ways to have so many cards of each class, each with its multivariate hypergeometric weight;
- *convolution*: the classes are divided into blocks, by suits, by ranks or one by one; what each block contributes
  is counted by itself (by either route again), and the blocks are put together one after another, where all that is
  remembered is how many cards each hand has got and the values so far (see `simcards.odds.separate`);
- *compiled enumeration*: the same as the first, for up to about 10**9 states.

What each would take is estimated, the cheapest is taken, and when all are dearer than the budget it says so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import SimcardsError
from simcards.odds.deal import Deal
from simcards.odds.ground import Graph, TooLarge
from simcards.odds.separate import Atom, Separated, classes, merged, separate
from simcards.odds.written import fixed
from simcards.report.tables import grouped

if TYPE_CHECKING:
    from simcards.odds.kernels import Program

BUDGET = 10**9
"""States that may be gone through by default."""

_NUMPY_ROWS = 2_000_000  # an enumeration with more rows is compiled
_NUMPY_COST = 8  # what a row or a pair costs with NumPy, in states of a compiled enumeration
_ATTEMPT = 3_000_000  # steps after which a convolution that was not thought to be cheap is given up
_MOST_ATOMS = 24  # that may be remembered by a convolution that is only tried
_LONG_ATTEMPT = 32  # the share of the budget that such a convolution may take when nothing else is left
_QUICK_ROWS = 20_000_000  # with fewer rows a compiled enumeration is a matter of seconds
_MOST_STATES = 8_000_000  # remembered at once
_MOST_PLACES = 200_000  # ways in which all places can have so many cards
_MOST_CELLS = 2**22  # values of an expression in a compiled enumeration
_CHUNK = 500_000  # rows that are held at once
_MOST_RECORDED = 4_000_000  # ways that may be remembered for dealing from a condition


class NotCounted(SimcardsError):
    """Exact counting would take more than the budget, or numbers too large for the compiled enumeration."""


@dataclass(frozen=True)
class Exact:
    """The distribution of an expression, counted.

    Attributes
    ----------
    counts : dict of int to int
        In how many deals it has which value; conditions are 0 or 1.
    total : int
        In how many deals the condition holds under which it was counted; all deals if there is none.
    all_deals : int
        How many deals there are.
    route : str
        How it was counted.
    states : int
        How many states were gone through.
    places : tuple of str
        The hands that were dealt.
    """

    counts: dict[int, int]
    total: int
    all_deals: int
    route: str
    states: int
    places: tuple[str, ...]

    @cached_property
    def probability(self) -> Fraction:
        """The probability that the value is not 0."""
        return 1 - Fraction(self.counts.get(0, 0), self.total)

    @cached_property
    def mean(self) -> Fraction:
        """The expectation."""
        return Fraction(sum(value * ways for value, ways in self.counts.items()), self.total)

    @cached_property
    def variance(self) -> Fraction:
        """The variance."""
        squares = Fraction(sum(value * value * ways for value, ways in self.counts.items()), self.total)
        return squares - self.mean**2

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)

    def chance(self, value: int) -> Fraction:
        """Return the probability of one value."""
        return Fraction(self.counts.get(value, 0), self.total)


def count(
    graph: Graph,
    output: int,
    given: int | None = None,
    *,
    budget: int = BUDGET,
    workers: int | None = None,
    route: str | None = None,
) -> Exact:
    """Count over which deals an expression has which value.

    Parameters
    ----------
    graph : Graph
        The graph, written out for the deal.
    output : int
        The node of the expression.
    given : int, optional
        The node of a condition; only deals in which it is true are counted.
    budget : int
        States that may be gone through.
    workers : int, optional
        Threads of a compiled enumeration.
    route : str, optional
        Take this route and no other: ``"enumeration"``, ``"compiled"``, ``"suits"``, ``"ranks"``, ``"classes"``.

    Returns
    -------
    Exact
        With a total of 0 when the condition never holds.

    Raises
    ------
    NotCounted
        When the budget is too small.
    """
    outputs = [output] if given is None else [output, given]
    counter = Counter(graph, outputs, budget, conditional=given is not None)
    tally, how = counter.run(route, workers)
    counts: dict[int, int] = {}
    for values, ways in tally:
        if given is None or values[1]:
            counts[values[0]] = counts.get(values[0], 0) + ways
    counts = {value: ways for value, ways in sorted(counts.items()) if ways}
    deal = graph.deal
    all_deals = deal.ways(counter.places)
    if sum(ways for _, ways in tally) != all_deals:
        raise RuntimeError(f"{how} lost some of the {all_deals} deals")  # never happens
    names = tuple(deal.places[place].name for place in counter.places)
    return Exact(counts, sum(counts.values()), all_deals, how, counter.states, names)


# -- tables ------------------------------------------------------------------------------------------------

_Weights = NDArray[Any]  # uint64 where all sums fit in it, Python integers otherwise


@dataclass
class Table:
    """How many ways there are to take so many cards for each place with such values.

    Attributes
    ----------
    taken : ndarray of int64, shape (entries, places)
        Cards taken for each place.
    values : ndarray of int64, shape (entries, outputs)
        Values of the outputs.
    weights : ndarray, shape (entries,)
        Numbers of ways.
    source : Source or None
        Where each entry comes from, if that was asked for.
    """

    taken: NDArray[np.int64]
    values: NDArray[np.int64]
    weights: _Weights
    source: Source | None = None

    def __len__(self) -> int:
        return len(self.weights)


@dataclass
class Source:
    """Where the entries of a table come from.

    Entry e comes from the alternatives ``starts[e]`` to ``starts[e + 1] - 1``. An alternative is an entry of the
    table `left` and one of the table `right`, or a row of counts.

    Attributes
    ----------
    starts : ndarray of int64
        First alternative of each entry, and their number.
    weights : ndarray
        Numbers of ways of the alternatives.
    left, right : tuple of Table and ndarray, or None
        The tables, and the entry for each alternative.
    rows : ndarray, shape (alternatives, classes, places), or None
        Cards of each class for each place.
    classes : tuple of int
        The classes, as sets of bits.
    """

    starts: NDArray[np.int64]
    weights: _Weights
    left: tuple[Table, NDArray[np.int64]] | None = None
    right: tuple[Table, NDArray[np.int64]] | None = None
    rows: NDArray[np.int16] | None = None
    classes: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Plan:
    """How the table of a block is made: by enumeration, or by convolution over other blocks."""

    kind: str
    cost: float
    rows: float
    entries: float
    parts: tuple[int, ...]
    separated: Separated | None = None
    inner: tuple[tuple[tuple[int, ...], _Plan], ...] = ()


class Counter:
    """Counts the values of some outputs over all deals.

    Parameters
    ----------
    graph : Graph
        The graph.
    outputs : sequence of int
        Nodes of which the joint distribution is counted.
    budget : int
        States that may be gone through.
    record : bool
        Whether to remember where each entry of a table comes from.
    conditional : bool
        Whether the last output is a condition, so that the values of the others do not matter where it is false.

    Attributes
    ----------
    places : tuple of int
        The places on which the outputs depend; only these are dealt.
    states : int
        States gone through so far.
    """

    def __init__(
        self,
        graph: Graph,
        outputs: Sequence[int],
        budget: int = BUDGET,
        record: bool = False,
        conditional: bool = False,
    ) -> None:
        self.graph = graph
        self.conditional = conditional
        self.deal: Deal = graph.deal
        self.outputs = tuple(outputs)
        self.budget = budget
        self.record = record
        self.states = 0
        self.spent = 0.0
        self.limit = budget
        used = 0
        for node in outputs:
            used |= graph.places[node]
        self.places = tuple(p for p in range(len(self.deal.places)) if used >> p & 1)
        self.sizes = tuple(self.deal.places[p].size for p in self.places)
        self.available = self.deal.available
        self.all = sum(1 << code for code, left in enumerate(self.available) if left)
        ranks = len(self.deal.pack.ranks)
        suits = len(self.deal.pack.suits)
        self.groups = {
            "suits": [sum(1 << (s * ranks + r) for r in range(ranks)) for s in range(suits)],
            "ranks": [sum(1 << (s * ranks + r) for s in range(suits)) for r in range(ranks)],
        }
        self._plans: dict[tuple[tuple[int, ...], int, bool], _Plan] = {}
        self._tables: dict[Any, Table] = {}
        self._options: dict[int, list[tuple[tuple[int, ...], int]]] = {}

    # -- choosing a route --------------------------------------------------------------------------------

    def run(self, route: str | None = None, workers: int | None = None) -> tuple[list[tuple[list[int], int]], str]:
        """Count.

        Returns
        -------
        tally : list of (list of int, int)
            Values of the outputs, and in how many deals they are so.
        how : str
            Which route was taken.
        """
        if not self.places:
            values = [int(value[0]) for value in self.graph.evaluate(self.outputs, {}, 1)]
            self.states = 1
            return [(values, 1)], "no card in it is unknown"
        self.check_places()
        parts = classes(self.graph, self.outputs, self.all)
        rows = self.rows(parts, final=True)
        first = self.outputs[0]
        cells = self.graph.high[first] - self.graph.low[first] + 1
        compilable = cells <= _MOST_CELLS and self.deal.ways(self.places) < 2**127
        if route == "compiled":
            if not compilable:
                raise NotCounted("the numbers are too large for a compiled enumeration")
            return self.enumerate_compiled(parts, workers)
        try:
            plan = self.plan(self.outputs, self.all, final=True, only=route)
            if route is not None:
                return self.carried_out(plan, max(_NUMPY_ROWS, self.budget // _NUMPY_COST))
            if plan.cost > _ATTEMPT:
                compiled = compilable and rows <= self.budget
                # the estimates of convolutions are far too high at times: try for a moment
                steps = _ATTEMPT // 10 if compiled and rows < _QUICK_ROWS else _ATTEMPT
                made = self.attempted(min(steps, self.budget // _NUMPY_COST), most=2)
                if made is not None:
                    return made
                if compiled and rows < plan.cost * _NUMPY_COST:
                    return self.enumerate_compiled(parts, workers)
                if self.budget > _LONG_ATTEMPT * _ATTEMPT:
                    made = self.attempted(self.budget // _LONG_ATTEMPT, most=1)
                    if made is not None:
                        return made
        except TooLarge as error:
            raise NotCounted(f"written out along blocks {error}") from None
        if plan.cost > self.budget or (plan.cost > _NUMPY_ROWS and plan.cost * _NUMPY_COST > self.budget):
            raise self.too_many(min(rows, plan.cost * _NUMPY_COST))
        return self.carried_out(plan, max(_NUMPY_ROWS, self.budget // _NUMPY_COST))

    def attempted(self, limit: int, most: int) -> tuple[list[tuple[list[int], int]], str] | None:
        """Try a few convolutions, the one thought cheapest first, and give each up after so many steps."""
        plans = [self.plan(self.outputs, self.all, final=True, only=kind) for kind in ("suits", "ranks", "classes")]
        plans = [
            plan
            for plan in plans
            if plan.separated is not None
            and len(plan.separated.atoms) <= _MOST_ATOMS
            and all(inner.cost < limit for _, inner in plan.inner)
        ]
        for plan in sorted(plans, key=lambda plan: plan.cost)[:most]:
            try:
                return self.carried_out(plan, limit)
            except NotCounted:
                continue
        return None

    def check_places(self) -> None:
        """Refuse so many and so large hands that even the numbers of their cards are too many to go through."""
        if math.prod(size + 1 for size in self.sizes) > _MOST_PLACES:
            raise NotCounted(f"exact counting cannot go through {len(self.sizes)} hands of that size at once")

    def too_many(self, states: float) -> NotCounted:
        """Return the error that says that the budget is too small."""
        return NotCounted(
            f"exact counting would go through about {grouped(fixed(states, 2))} states, more than the "
            f"budget of {self.budget:,}"
        )

    def carried_out(self, plan: _Plan, limit: int) -> tuple[list[tuple[list[int], int]], str]:
        """Count as planned."""
        self.limit, self.states, self.spent = limit, 0, 0.0
        table = self.table(self.outputs, self.all, plan, final=True)
        tally = [
            ([int(value) for value in values], int(ways))
            for values, ways in zip(table.values, table.weights, strict=True)
        ]
        return tally, self.describe(plan)

    def table_of_all(self) -> Table:
        """Make the table of all cards, with where its entries come from; without compiled enumeration."""
        self.check_places()
        try:
            plan = self.plan(self.outputs, self.all, final=True)
            choices = [self.plan(self.outputs, self.all, final=True, only=kind) for kind in ("suits", "ranks")]
        except TooLarge as error:
            raise NotCounted(f"written out along blocks {error}") from None
        choices = [plan, *(made for made in choices if made.kind != "enumeration" and plan.cost > _ATTEMPT)]
        for made in choices:
            if made.cost <= _MOST_RECORDED or made.kind != "enumeration":
                try:
                    self.limit, self.states, self.spent = _MOST_RECORDED, 0, 0.0
                    return self.table(self.outputs, self.all, made, final=True)
                except NotCounted:
                    continue
        raise NotCounted("the tables of the condition would be too large")

    def describe(self, plan: _Plan) -> str:
        """Say how a table was made."""
        if plan.kind == "enumeration":
            return f"enumeration of {len(plan.parts)} classes of cards"
        over = {"suits": "suits", "ranks": "ranks", "classes": "classes of cards"}[plan.kind]
        return f"convolution over {over}, {len(plan.parts)} blocks"

    def plan(self, outputs: Sequence[int], types: int, final: bool, only: str | None = None) -> _Plan:
        """Find the cheapest way to make the table of a block."""
        key = (tuple(outputs), types, final)
        if only is None and key in self._plans:
            return self._plans[key]
        parts = classes(self.graph, outputs, types)
        rows = self.rows(parts, final)
        entries = min(rows, self.combinations(types, final) * _range_of(self.graph, outputs))
        best = _Plan("enumeration", rows, rows, entries, tuple(parts))
        if rows > 64 or only is not None:
            tried: set[tuple[int, ...]] = {(types,)}
            for kind in ("classes", "suits", "ranks"):
                if only is not None and only != kind:
                    continue
                blocks = parts if kind == "classes" else merged(self.graph, outputs, parts, self.groups[kind])
                if tuple(blocks) in tried and only is None:
                    continue
                tried.add(tuple(blocks))
                if len(blocks) > 1:
                    made = self.plan_blocks(kind, outputs, blocks, final, entries)
                    if made.cost < best.cost or only is not None:
                        best = made
        if only is None:
            self._plans[key] = best
        return best

    def plan_blocks(
        self, kind: str, outputs: Sequence[int], blocks: Sequence[int], final: bool, entries: float
    ) -> _Plan:
        """Estimate what it takes to put certain blocks together."""
        separated = separate(self.graph, outputs, blocks)
        atoms = separated.atoms
        inner: list[tuple[tuple[int, ...], _Plan]] = []
        counted: set[Any] = set()
        cost = 0.0
        states, most_rows, taken = 1.0, 1.0, 0
        for step, block in enumerate(separated.order):
            pieces = tuple(atom.pieces[block] for atom in atoms if block in atom.pieces)
            plan = self.plan(pieces, blocks[block], final=False)
            inner.append((pieces, plan))
            same = self.signature(pieces, blocks[block])
            if same not in counted:
                counted.add(same)
                cost += plan.cost
            pairs = states * plan.entries
            if final and step == len(separated.order) - 1:
                pairs /= max(1.0, self.combinations(blocks[block], False) ** 0.8)
            cost += pairs
            taken |= blocks[block]
            most_rows *= plan.rows
            cells = 1.0
            for atom in atoms:
                if any(done in atom.pieces for done in separated.order[: step + 1]):
                    cells *= atom.cells
            last = final and step == len(separated.order) - 1
            states = min(pairs, most_rows, self.combinations(taken, last) * cells)
        return _Plan(kind, cost, most_rows, entries, tuple(blocks), separated, tuple(inner))

    def rows(self, parts: Sequence[int], final: bool) -> float:
        """Return how many rows an enumeration of classes has."""
        shape = tuple(size + 1 for size in self.sizes)
        counts = np.zeros(shape)
        counts[(0,) * len(shape)] = 1.0
        for part in parts[:-1] if final else parts:
            grown = np.zeros(shape)
            for option, _ in self.options(part):
                moved = tuple(slice(k, None) for k in option)
                kept = tuple(slice(None, size + 1 - k) for k, size in zip(option, self.sizes, strict=True))
                grown[moved] += counts[kept]
            counts = grown
        if not final or not parts:
            return float(counts.sum())
        left = self.cards(parts[-1])
        index = np.indices(shape).sum(axis=0)
        return float(counts[index >= sum(self.sizes) - left].sum())

    def cards(self, types: int) -> int:
        """Return how many cards there are of some types."""
        return sum(left for code, left in enumerate(self.available) if types >> code & 1)

    def combinations(self, types: int, final: bool) -> float:
        """Return how many ways there are for cards of some types to be so many in each place."""
        if final:
            return 1.0
        left = self.cards(types)
        return float(math.prod(min(size, left) + 1 for size in self.sizes))

    def options(self, part: int) -> list[tuple[tuple[int, ...], int]]:
        """Return how many cards of a class the places can have, with the numbers of ways."""
        cards = self.cards(part)
        if cards not in self._options:
            found = []
            for option in itertools.product(*(range(min(size, cards) + 1) for size in self.sizes)):
                if sum(option) <= cards:
                    ways, left = 1, cards
                    for taken in option:
                        ways *= math.comb(left, taken)
                        left -= taken
                    found.append((option, ways))
            self._options[cards] = found
        return self._options[cards]

    def fits(self, types: int) -> bool:
        """Return whether all numbers of ways to take cards of some types fit in 64 bits, also added up."""
        total, left = 1, self.cards(types)
        for size in self.sizes:
            total *= sum(math.comb(left, taken) for taken in range(min(size, left) + 1))
        return total < 2**64

    def spend(self, states: int, cost: float = 1.0) -> None:
        """Count states, and stop when they have cost too much."""
        self.states += states
        self.spent += states * cost
        if self.spent > self.limit:
            raise NotCounted(f"exact counting went through {self.states:.1e} states and was not at its end")

    def afford(self, states: float) -> None:
        """Stop at once when what comes next would cost too much."""
        if self.spent + states > self.limit:
            raise NotCounted(f"exact counting would go through more than {self.spent + states:.1e} states")

    # -- making tables -----------------------------------------------------------------------------------

    def table(self, outputs: Sequence[int], types: int, plan: _Plan, final: bool) -> Table:
        """Make the table of a block."""
        key = self.signature(outputs, types)
        if not final and not self.record and key in self._tables:
            return self._tables[key]
        if plan.kind == "enumeration":
            self.afford(plan.rows)
            table = self.enumerated(outputs, types, plan.parts, final)
        else:
            table = self.convolved(outputs, types, plan, final)
        self._tables[key] = table
        return table

    def signature(self, outputs: Sequence[int], types: int) -> Any:
        """Return what the table of a block depends on; blocks that are alike, as suits are, have the same."""
        codes = [code for code in range(types.bit_length()) if types >> code & 1]
        place = {code: index for index, code in enumerate(codes)}
        graph = self.graph
        named: dict[int, Any] = {}
        order: dict[Any, int] = {}
        for node in graph.reachable(outputs):
            key = graph.keys[node]
            kind = key[0]
            if kind == "lin":
                shape: Any = ("lin", tuple(sorted(((p, place[code]), weight) for (p, code), weight in key[1])))
            elif kind == "sum":
                shape = ("sum", key[1], tuple(sorted((named[inner], factor) for inner, factor in key[2])))
            elif kind in ("and", "or", "max", "min"):
                shape = (kind, tuple(sorted(named[inner] for inner in key[1])))
            elif kind in ("run", "rune", "rows", "ways"):
                plain = key[1:-1]
                values = tuple(value for value, _ in key[-1]) if kind == "ways" else ()
                shape = (kind, plain, values, tuple(named[inner] for inner in graph.parts(node)))
            elif kind == "const":
                shape = key
            elif kind == "mul":
                shape = (kind, *sorted(named[inner] for inner in key[1:]))
            else:
                shape = (kind, *(named[inner] for inner in key[1:]))
            named[node] = order.setdefault(shape, len(order))
        cards = tuple(self.available[code] for code in codes)
        return cards, tuple(order), tuple(named[node] for node in outputs)

    def enumerated(self, outputs: Sequence[int], types: int, parts: Sequence[int], final: bool) -> Table:
        """Go through all ways to have cards of each class."""
        small = self.fits(types)
        tables: list[Table] = []
        for counts, taken, weights in self.chunks(parts, final, small):
            self.spend(len(weights))
            columns = {}
            for index, part in enumerate(parts):
                code = (part & -part).bit_length() - 1
                for at, place in enumerate(self.places):
                    columns[place, code] = counts[:, index, at]
            found = self.graph.evaluate(outputs, columns, len(weights))
            values = np.stack([each.astype(np.int64) for each in found], axis=1) if outputs else None
            if values is None:
                values = np.zeros((len(weights), 0), np.int64)
            table = _grouped(taken, values, weights, self.record)
            if table.source is not None:
                order = table.source.left
                assert order is not None
                table.source.rows = counts[order[1]]
                table.source.classes = tuple(parts)
                table.source.left = None
            tables = self.kept(tables, table)
        return _together(tables, len(self.places), len(outputs), small)

    def chunks(
        self, parts: Sequence[int], final: bool, small: bool
    ) -> Iterator[tuple[NDArray[np.int16], NDArray[np.int64], _Weights]]:
        """Yield the rows of an enumeration: counts of each class in each place, cards taken, ways."""
        width = len(self.places)
        dtype: Any = np.uint64 if small else object
        first = (
            np.zeros((1, len(parts), width), np.int16),
            np.zeros((1, width), np.int64),
            np.array([1], dtype),
        )
        left = [self.cards(part) for part in parts]
        after = [sum(left[index + 1 :]) for index in range(len(parts))]
        sizes = np.array(self.sizes, np.int64)
        stack = [(0, *first)]
        while stack:
            index, counts, taken, weights = stack.pop()
            if index == len(parts):
                if len(weights):
                    yield counts, taken, weights
                continue
            options = self.options(parts[index])
            if final and index == len(parts) - 1:
                stack.append((index + 1, *self.completed(counts, taken, weights, parts[index])))
                continue
            step = max(1, _CHUNK // len(options))
            for start in range(0, len(weights), step):
                piece = slice(start, start + step)
                many = len(options)
                add = np.array([option for option, _ in options], np.int64).reshape(many, width)
                grown = (taken[piece][:, None, :] + add[None, :, :]).reshape(-1, width)
                keep = (grown <= sizes).all(axis=1)
                if final:
                    keep &= (sizes - grown).sum(axis=1) <= after[index]
                chosen = np.flatnonzero(keep)
                rows, which = chosen // many, chosen % many
                new_counts = counts[piece][rows]
                new_counts[:, index, :] = add[which]
                ways = np.array([ways for _, ways in options], dtype)
                stack.append((index + 1, new_counts, grown[chosen], weights[piece][rows] * ways[which]))

    def completed(
        self, counts: NDArray[np.int16], taken: NDArray[np.int64], weights: _Weights, part: int
    ) -> tuple[NDArray[np.int16], NDArray[np.int64], _Weights]:
        """Fill the places with cards of the last class."""
        sizes = np.array(self.sizes, np.int64)
        ways = dict(self.options(part))
        missing = sizes - taken
        kinds, inverse = np.unique(missing, axis=0, return_inverse=True)
        factors = np.array([ways.get(tuple(kind.tolist()), 0) for kind in kinds], weights.dtype)[inverse.reshape(-1)]
        kept = np.flatnonzero(factors != 0)
        counts = counts[kept]
        counts[:, -1, :] = missing[kept]
        return counts, np.broadcast_to(sizes, (len(kept), len(sizes))), weights[kept] * factors[kept]

    def convolved(self, outputs: Sequence[int], types: int, plan: _Plan, final: bool) -> Table:
        """Put blocks together one after another."""
        separated = plan.separated
        assert separated is not None
        atoms = separated.atoms
        small = self.fits(types)
        width = len(self.places)
        # behind the values of the atoms stands whether the outputs are decided, and their values if they are
        start = np.array([[atom.start for atom in atoms] + [0] * (1 + len(outputs))], np.int64)
        state = Table(np.zeros((1, width), np.int64), start, np.array([1], np.uint64 if small else object))
        left = self.cards(types)
        missing = list(separated.order)
        for step, (block, (pieces, inner)) in enumerate(zip(separated.order, plan.inner, strict=True)):
            table = self.table(pieces, plan.parts[block], inner, final=False)
            left -= self.cards(plan.parts[block])
            last = final and step == len(separated.order) - 1
            here = [index for index, atom in enumerate(atoms) if block in atom.pieces]
            state = self.joined(state, table, atoms, here, block, small, left if final else None, last)
            missing.remove(block)
            if missing:
                state = self.settled(state, separated, missing, self.conditional and final)
        count = len(atoms)
        columns = {(-1, index): atom.read(state.values[:, index]) for index, atom in enumerate(atoms)}
        found = self.graph.evaluate(separated.outputs, columns, len(state))
        values = np.stack([each.astype(np.int64) for each in found], axis=1)
        values = np.where(state.values[:, count : count + 1] == 1, state.values[:, count + 1 :], values)
        return _regrouped(state, values)

    def settled(self, state: Table, separated: Separated, missing: Sequence[int], conditional: bool) -> Table:
        """Forget the values so far where the outputs are decided already, whatever the other blocks contribute."""
        atoms, graph = separated.atoms, self.graph
        count = len(atoms)
        low, high = {}, {}
        for index, atom in enumerate(atoms):
            low[index], high[index] = atom.reach(state.values[:, index], missing, graph.low, graph.high)
        bounds = graph.enclose(separated.outputs, low, high, len(state))
        decided = np.logical_and.reduce([least == most for least, most in bounds])
        outs = np.stack([least for least, _ in bounds], axis=1)
        if conditional:
            never = bounds[-1][1] == 0  # the condition cannot hold any more, so the value is of no interest
            outs = np.where(never[:, None], 0, outs)
            decided = decided | never
        decided &= state.values[:, count] == 0
        if not decided.any():
            return state
        values = state.values.copy()
        values[decided, :count] = [atom.start for atom in atoms]
        values[decided, count] = 1
        values[decided, count + 1 :] = outs[decided]
        return _regrouped(state, values)

    def joined(
        self,
        state: Table,
        table: Table,
        atoms: Sequence[Atom],
        here: Sequence[int],
        block: int,
        small: bool,
        left: int | None,
        last: bool,
    ) -> Table:
        """Put one more block to the state."""
        sizes = np.array(self.sizes, np.int64)
        weights = table.weights if small == (table.weights.dtype == np.uint64) else table.weights.astype(object)
        if not last:
            self.afford(float(len(state)) * len(table) * (4 + len(atoms)) / 8)
        found: list[Table] = []
        for low, high in self.pairs(state, table, last):
            self.spend(len(low), (4 + len(atoms)) / 8)
            taken = state.taken[low] + table.taken[high]
            keep = (taken <= sizes).all(axis=1)
            if left is not None:
                keep &= (sizes - taken).sum(axis=1) <= left
            if not keep.all():
                low, high, taken = low[keep], high[keep], taken[keep]
            values = state.values[low]
            for column, index in enumerate(here):
                values[:, index] = atoms[index].join(values[:, index], table.values[high, column], block)
            made = _grouped(taken, values, state.weights[low] * weights[high], self.record)
            if made.source is not None:
                assert made.source.left is not None
                order = made.source.left[1]
                made.source.left, made.source.right = (state, low[order]), (table, high[order])
            found = self.kept(found, made)
        return _together(found, len(sizes), state.values.shape[1], small)

    def kept(self, tables: list[Table], table: Table) -> list[Table]:
        """Add a table to others that are to be merged, and merge them at once when they have become large."""
        tables.append(table)
        if sum(map(len, tables)) > _MOST_STATES // 4 and len(tables) > 1:
            tables = [_together(tables, table.taken.shape[1], table.values.shape[1], table.weights.dtype == np.uint64)]
        if sum(map(len, tables)) > _MOST_STATES:
            raise NotCounted(f"exact counting would have to remember more than {_MOST_STATES:,} states at once")
        return tables

    def pairs(self, state: Table, table: Table, last: bool) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield pairs of entries to be put together, some at a time."""
        if not last:
            step = max(1, _CHUNK // max(1, len(table)))
            for start in range(0, len(state), step):
                stop = min(start + step, len(state))
                yield (
                    np.repeat(np.arange(start, stop), len(table)),
                    np.tile(np.arange(len(table)), stop - start),
                )
            return
        # the last block has to fill the places, so only entries with as many cards as are missing go with a state
        wanted = _by_row(np.array(self.sizes, np.int64) - state.taken)
        for key, high in _by_row(table.taken).items():
            low = wanted.get(key)
            if low is not None:
                step = max(1, _CHUNK // len(high))
                for start in range(0, len(low), step):
                    piece = low[start : start + step]
                    yield np.repeat(piece, len(high)), np.tile(high, len(piece))

    # -- compiled enumeration ----------------------------------------------------------------------------

    def enumerate_compiled(self, parts: Sequence[int], workers: int | None) -> tuple[list[tuple[list[int], int]], str]:
        """Go through all ways to have cards of each class in compiled code."""
        from simcards.odds import kernels

        codes = [(part & -part).bit_length() - 1 for part in parts]
        cards = [self.cards(part) for part in parts]
        given = self.outputs[1] if len(self.outputs) > 1 else None
        program: Program = kernels.program(self.graph, self.outputs[:1], given)
        counts, states = kernels.enumerate_all(
            program, codes, cards, self.places, self.sizes, self.deal, workers=workers
        )
        self.states = states
        tally = [([value, *([] if given is None else [flag])], ways) for (value, flag), ways in counts.items()]
        return tally, f"compiled enumeration of {len(parts)} classes of cards"


def _range_of(graph: Graph, outputs: Sequence[int]) -> float:
    return math.prod(float(graph.high[node] - graph.low[node] + 1) for node in outputs)


def _by_row(rows: NDArray[np.int64]) -> dict[tuple[int, ...], NDArray[np.int64]]:
    """Return the indices of rows by their contents."""
    if not len(rows):
        return {}
    kinds, inverse = np.unique(rows, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(kinds) + 1))
    return {tuple(kind.tolist()): order[starts[index] : starts[index + 1]] for index, kind in enumerate(kinds)}


def _grouped(taken: NDArray[np.int64], values: NDArray[np.int64], weights: _Weights, record: bool) -> Table:
    """Merge what has the same cards and values, and say which went where if that is wanted."""
    if not len(weights):
        source = Source(np.zeros(1, np.int64), weights, (_NOTHING, np.zeros(0, np.int64))) if record else None
        return Table(taken, values, weights, source)
    whole = np.concatenate([taken, values], axis=1)
    keys = _packed(whole)
    order = np.argsort(keys, kind="stable") if keys is not None else np.lexsort(whole.T[::-1])
    ordered = keys[order] if keys is not None else whole[order]
    change = ordered[1:] != ordered[:-1]
    if keys is None:
        change = change.any(axis=1)
    starts = np.concatenate([[0], np.flatnonzero(change) + 1])
    first = order[starts]
    sorted_weights = weights[order]
    sums = np.add.reduceat(sorted_weights, starts)
    source = None
    if record:
        source = Source(np.append(starts, len(order)), sorted_weights, (_NOTHING, order))
    return Table(taken[first], values[first], sums, source)


def _regrouped(state: Table, values: NDArray[np.int64]) -> Table:
    """Merge entries that have become alike."""
    made = _grouped(state.taken, values, state.weights, state.source is not None)
    if made.source is not None:
        assert made.source.left is not None
        made.source.left = (state, made.source.left[1])
    return made


_NOTHING = Table(np.zeros((0, 0), np.int64), np.zeros((0, 0), np.int64), np.zeros(0, np.uint64))


def _packed(rows: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return one number for each row, in the order of the rows, or None when it would be too large."""
    if rows.shape[1] == 0:
        return np.zeros(len(rows), np.int64)
    low, high = rows.min(axis=0), rows.max(axis=0)
    factor = 1
    keys = np.zeros(len(rows), np.int64)
    for column in range(rows.shape[1] - 1, -1, -1):
        keys += (rows[:, column] - low[column]) * factor
        factor *= int(high[column] - low[column]) + 1
        if factor >= 2**62:
            return None
    return keys


def _together(tables: Sequence[Table], places: int, outputs: int, small: bool) -> Table:
    """Merge tables of the same places and outputs."""
    if not tables:
        empty = np.zeros(0, np.uint64 if small else object)
        return Table(np.zeros((0, places), np.int64), np.zeros((0, outputs), np.int64), empty)
    if len(tables) == 1:
        return tables[0]
    record = tables[0].source is not None
    made = _grouped(
        np.concatenate([table.taken for table in tables]),
        np.concatenate([table.values for table in tables]),
        np.concatenate([table.weights for table in tables]),
        record,
    )
    if made.source is not None:
        assert made.source.left is not None
        made.source = _gathered([table.source for table in tables if table.source is not None], made)
    return made


def _gathered(sources: Sequence[Source], made: Table) -> Source:
    """Put the alternatives of several tables in the order of the merged one."""
    assert made.source is not None
    assert made.source.left is not None
    order = made.source.left[1]  # entries of the tables one behind the other
    lengths = np.concatenate([np.diff(source.starts) for source in sources])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    picked = np.concatenate([np.arange(offsets[e], offsets[e + 1]) for e in order])
    starts = np.concatenate([[0], np.cumsum(lengths[order])])[made.source.starts]
    weights = np.concatenate([source.weights for source in sources])[picked]
    result = Source(starts, weights)
    first = sources[0]
    if first.rows is not None:
        result.rows = np.concatenate([source.rows for source in sources if source.rows is not None])[picked]
        result.classes = first.classes
    if first.left is not None:
        left = np.concatenate([source.left[1] for source in sources if source.left is not None])[picked]
        result.left = (first.left[0], left)
    if first.right is not None:
        right = np.concatenate([source.right[1] for source in sources if source.right is not None])[picked]
        result.right = (first.right[0], right)
    return result
