from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcards.errors import UsageError
from simcards.kernel.protocol import MISSING
from simcards.study import kernels
from simcards.study.accumulate import Bins, Layout, Summing, Tally, layout_of
from simcards.study.samples import samples
from simcards.study.table import table

BOUND = 2**31 - 1
PLAIN = Layout(("a", "b", "c"), (Bins("a", -10, 5, 4), Bins("c", 0, 1, 3)), (("a", "b"), ("b", "b")))
GROUPED = Layout(PLAIN.columns, PLAIN.histograms, PLAIN.pairs, "c", -1)

values = st.one_of(
    st.just(int(MISSING)), st.integers(-12, 12), st.integers(-BOUND, BOUND), st.sampled_from([BOUND, -BOUND])
)
matrices = st.lists(st.tuples(values, values, st.one_of(st.just(int(MISSING)), st.integers(-1, 62))), max_size=30)


def cells_of(rows):
    return np.array(rows, np.int32).reshape(-1, 3)


def tally_of(layout, rows):
    summing = Summing(layout)
    assert summing.add(cells_of(rows)) == -1
    return Tally.of(layout, summing.part())


def known(rows, *columns):
    return [[row[c] for c in columns] for row in rows if all(row[c] != MISSING for c in columns)]


def check(tally, group, rows):
    """Compare all sums with plain Python arithmetic."""
    for c, name in enumerate(tally.layout.columns):
        numbers = [row[0] for row in known(rows, c)]
        sums = tally.column(name, group)
        assert sums.n == len(numbers)
        assert sums.total == sum(numbers)
        assert sums.squares == sum(x * x for x in numbers)
        assert sums.positive == sum(x > 0 for x in numbers)
        assert sums.negative == sum(x < 0 for x in numbers)
        assert sums.least == min(numbers, default=None)
        assert sums.most == max(numbers, default=None)
        histogram = tally.histogram(name, group)
        if histogram is None:
            assert name == "b"
            continue
        edges = histogram.edges
        inside = [sum(low <= x < high for x in numbers) for low, high in zip(edges, edges[1:])]
        assert list(histogram.counts) == inside
        assert histogram.below == sum(x < edges[0] for x in numbers)
        assert histogram.above == sum(x >= edges[-1] for x in numbers)
    for a, b in tally.layout.pairs:
        both = known(rows, *(tally.layout.index(name) for name in (a, b)))
        sums = tally.pair(a, b, group)
        assert sums.n == len(both)
        assert (sums.a, sums.b) == (sum(x for x, _ in both), sum(y for _, y in both))
        assert (sums.aa, sums.bb) == (sum(x * x for x, _ in both), sum(y * y for _, y in both))
        assert sums.ab == sum(x * y for x, y in both)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_sums_are_those_of_plain_arithmetic(rows):
    tally = tally_of(PLAIN, rows)
    assert tally.whole.rows == len(rows)
    check(tally, None, rows)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_groups_divide_the_rows(rows):
    tally = tally_of(GROUPED, rows)
    keys = {None if row[2] == MISSING else row[2] for row in rows}
    assert set(tally.keys) == keys
    for key in keys:
        members = [row for row in rows if row[2] == (MISSING if key is None else key)]
        assert tally.groups[key].rows == len(members)
        check(tally, tally.groups[key], members)
    check(tally, None, rows)


@given(
    st.lists(matrices, min_size=1, max_size=5),
    st.randoms(use_true_random=False),
    st.sampled_from([PLAIN, GROUPED]),
)
@settings(max_examples=60, deadline=None)
def test_merging_in_any_order_gives_the_same(parts, random, layout):
    whole = tally_of(layout, [row for part in parts for row in part])
    heap = [tally_of(layout, part) for part in parts]
    while len(heap) > 1:
        random.shuffle(heap)
        a, b = heap.pop(), heap.pop()
        assert a.merged(b) == b.merged(a)
        heap.append(a.merged(b))
    assert heap[0] == whole
    assert whole.merged(Tally.empty(layout)) == whole


@given(matrices, st.sampled_from([PLAIN, GROUPED]))
@settings(max_examples=40, deadline=None)
def test_json_there_and_back(rows, layout):
    tally = tally_of(layout, rows)
    for _ in range(6):  # numbers beyond any machine integer
        tally = tally.merged(tally)
    again = Tally.from_json(layout, json.loads(json.dumps(tally.as_json())))
    assert again == tally
    assert again.merged(tally) == tally.merged(tally)


def test_sums_beyond_machine_integers_are_exact():
    rows = [(BOUND, -BOUND, 0)] * 1000
    tally = tally_of(PLAIN, rows)
    for _ in range(60):
        tally = tally.merged(tally)
    n = 1000 * 2**60
    assert tally.column("a").squares == n * BOUND**2
    assert tally.pair("a", "b").ab == -n * BOUND**2
    assert type(tally.column("a").squares) is int


def test_nothing_overflows_in_a_chunk_of_the_largest_size():
    limit = 2**63
    half = 2**32
    assert kernels.MOST_ROWS * half < limit  # lower halves of squares and products
    assert kernels.MOST_ROWS * (2**62 // half) < limit  # upper halves
    assert limit > kernels.MOST_ROWS * 2**31  # sums


def test_more_rows_than_that_are_refused(monkeypatch):
    monkeypatch.setattr(kernels, "MOST_ROWS", 10)
    summing = Summing(PLAIN)
    summing.add(cells_of([(1, 2, 3)] * 10))
    with pytest.raises(UsageError, match="at most"):
        summing.add(cells_of([(1, 2, 3)]))


@pytest.mark.parametrize("value", [-2, 63, BOUND, -BOUND])
def test_a_group_out_of_bounds_is_reported(value):
    assert Summing(GROUPED).add(cells_of([(1, 1, -1), (1, 1, 62), (1, 1, value)])) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[0].update(rows=1.0),
        lambda data: data[0].update(key="0"),
        lambda data: data.append(dict(data[0])),
        lambda data: data[0]["sums"][1].pop(),
        lambda data: data[0]["sums"].pop(),
        lambda data: data[0]["counts"].append(0),
        lambda data: data[0]["cross"][0].__setitem__(0, True),
        lambda data: data[0].pop("cross"),
    ],
)
def test_sums_of_another_shape_are_refused(spoil):
    data = tally_of(PLAIN, [(1, 2, 3)]).as_json()
    spoil(data)
    with pytest.raises((ValueError, KeyError)):
        Tally.from_json(PLAIN, data)


def test_the_layout_of_a_game_follows_its_quantities(plan):
    layout = layout_of(table(plan).game)
    assert layout.columns[:4] == ("points.north", "points.east", "points.south", "points.west")
    assert layout.columns[-1] == "tricks"
    assert [bins.column for bins in layout.histograms] == [f"points.{seat}" for seat in plan.ruleset.seats]
    assert layout.pairs[2] == ("share.south", "points.south")
    with pytest.raises(UsageError, match="did you mean 'trump'"):
        layout_of(table(plan).game, "trumps")


def test_sums_are_those_of_pandas(plan):
    frame = samples(plan)
    summing = Summing(layout_of(table(plan).game))
    summing.add(frame.astype("float").fillna(float(MISSING)).to_numpy().astype(np.int32))
    tally = Tally.of(layout_of(table(plan).game), summing.part())
    assert frame["first.north"].isna().any()
    for name in frame:
        sums, column = tally.column(name), frame[name].dropna().astype("int64")
        assert (sums.n, sums.total, sums.squares) == (len(column), column.sum(), (column**2).sum())
        assert (sums.positive, sums.negative) == ((column > 0).sum(), (column < 0).sum())
        assert (sums.least, sums.most) == (column.min(), column.max())
        if sums.n > 1:
            variance = (sums.squares - sums.total**2 / sums.n) / (sums.n - 1)
            assert math.isclose(variance, column.var(), abs_tol=1e-9)
    histogram = tally.histogram("points.west")
    counts, _ = np.histogram(frame["points.west"], bins=[*range(0, 12, 2), 12 - 1e-9])
    assert list(histogram.counts) == counts.tolist()
    assert histogram.above == (frame["points.west"] >= 12).sum()
