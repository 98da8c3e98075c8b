"""Sums over rows that can be merged in any order and are exact for any number of rows.

A chunk of rows is summed by compiled code in int64, where nothing can overflow (see
`simcards.study.kernels`); chunks are merged in Python integers, which have no bounds. So the sums of a study
do not depend on how it was cut up.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError, unknown

if TYPE_CHECKING:
    from simcards.games.game import Game

Whole = NDArray[np.object_]  # Python integers

# Sums of a column and of a pair of columns as they are merged and stored
_COLUMN = ("n", "total", "squares", "positive", "negative", "least", "most")
_PAIR = ("n", "a", "b", "aa", "bb", "ab")


class Bins(NamedTuple):
    """Cells of a histogram: `cells` of them from `low` on, each `width` wide."""

    column: str
    low: int
    width: int
    cells: int


@dataclass(frozen=True)
class Layout:
    """What is summed over the rows.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    histograms : tuple of Bins
        Columns with a histogram, at most one each.
    pairs : tuple of pair of str
        Columns whose products are summed.
    group : str, optional
        The column by whose value the rows are divided.
    first : int
        The least value that column may have.
    """

    columns: tuple[str, ...]
    histograms: tuple[Bins, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    group: str | None = None
    first: int = 0

    def index(self, column: str) -> int:
        """Return the place of a column.

        Parameters
        ----------
        column : str
            Its name, such as ``"points.pone"``.

        Returns
        -------
        int

        Raises
        ------
        UsageError
            When there is none of that name.
        """
        if column not in self.columns:
            raise unknown("column", column, self.columns)
        return self.columns.index(column)

    @functools.cached_property
    def bins(self) -> NDArray[np.int64]:
        """The histograms as compiled code sees them: column, low, width, count, place of the first count."""
        table = np.zeros((len(self.histograms), 5), np.int64)
        place = 0
        for row, bins in zip(table, self.histograms, strict=True):
            row[:] = self.index(bins.column), bins.low, bins.width, bins.cells, place
            place += bins.cells + 2
        return table

    @functools.cached_property
    def cells(self) -> int:
        """How many counts all histograms have, those below and above included."""
        return sum(bins.cells + 2 for bins in self.histograms)

    @functools.cached_property
    def pair_columns(self) -> NDArray[np.int64]:
        """The pairs as places of columns."""
        places = [(self.index(a), self.index(b)) for a, b in self.pairs]
        return np.array(places, np.int64).reshape(-1, 2)


def layout_of(game: Game, group_by: str | None = None) -> Layout:
    """Return what is summed in a study of a game.

    Parameters
    ----------
    game : Game
        The game: its columns, their histograms, and its shares.
    group_by : str, optional
        A column by whose value, a small whole number, the rows are divided.

    Returns
    -------
    Layout

    Raises
    ------
    UsageError
        When no column is called `group_by`.
    """
    from simcards.games.game import Column

    columns = game.columns
    names = tuple(column.name for column in columns)
    histograms = tuple(
        Bins(column.name, column.quantity.bin_low, column.quantity.bin_width, column.quantity.bins)
        for column in columns
        if column.quantity.bins
    )
    pairs = tuple(
        (column.name, Column(game.quantity(whole), column.seat).name)
        for part, whole in game.shares
        for column in columns
        if column.quantity.name == part
    )
    layout = Layout(names, histograms, pairs)
    if group_by is None:
        return layout
    column = columns[layout.index(group_by)]
    return Layout(names, histograms, pairs, group_by, column.quantity.bin_low)


class Part(NamedTuple):
    """The sums of one chunk, for the groups that occur in it."""

    keys: tuple[int | None, ...]
    rows: NDArray[np.int64]
    sums: NDArray[np.int64]
    counts: NDArray[np.int64]
    cross: NDArray[np.int64]


class Summing:
    """Sums rows of one chunk.

    Parameters
    ----------
    layout : Layout
        What is summed.
    """

    def __init__(self, layout: Layout) -> None:
        from simcards.study import kernels

        self._add = kernels.add_rows
        self._room = kernels.MOST_ROWS
        self._layout = layout
        self._group = -1 if layout.group is None else layout.index(layout.group)
        groups = 1 if layout.group is None else kernels.GROUPS + 1
        self._rows = np.zeros(groups, np.int64)
        self._sums = np.zeros((groups, 8, len(layout.columns)), np.int64)
        self._sums[:, kernels.LEAST] = 2**31
        self._sums[:, kernels.MOST] = -(2**31)
        self._counts = np.zeros((groups, layout.cells), np.int64)
        self._cross = np.zeros((groups, 9, len(layout.pairs)), np.int64)

    def add(self, cells: NDArray[np.int32]) -> int:
        """Add rows.

        Parameters
        ----------
        cells : ndarray of int32, shape (rows, columns)
            The rows; ``MISSING`` where there is no value.

        Returns
        -------
        int
            -1, or the first row whose value in the grouping column is out of bounds.
        """
        self._room -= len(cells)
        if self._room < 0:
            raise UsageError("a chunk may have at most 2**30 rows")
        layout = self._layout
        return int(
            self._add(
                cells,
                self._group,
                layout.first,
                self._rows,
                self._sums,
                layout.bins,
                self._counts,
                layout.pair_columns,
                self._cross,
            )
        )

    def part(self) -> Part:
        """Return the sums so far.

        Returns
        -------
        Part
        """
        used = np.flatnonzero(self._rows)
        nowhere = None if self._layout.group is None else len(self._rows) - 1
        keys = (None if place == nowhere else place + self._layout.first for place in used.tolist())
        return Part(tuple(keys), self._rows[used], self._sums[used], self._counts[used], self._cross[used])


@dataclass(frozen=True)
class ColumnSums:
    """Exact sums of a column over the rows in which it has a value.

    Attributes
    ----------
    n : int
        Number of those rows.
    total, squares : int
        Sum of the values and of their squares.
    positive, negative : int
        Rows in which the value is above 0, and below.
    least, most : int or None
        The extreme values, None where there is no row.
    """

    n: int
    total: int
    squares: int
    positive: int
    negative: int
    least: int | None
    most: int | None


@dataclass(frozen=True)
class PairSums:
    """Exact sums of two columns over the `n` rows in which both have a value: of a, b, a², b² and a·b."""

    n: int
    a: int
    b: int
    aa: int
    bb: int
    ab: int


@dataclass(frozen=True)
class Histogram:
    """How often a column had which value.

    Attributes
    ----------
    low, width : int
        The first bin begins at `low`, each is `width` wide.
    counts : tuple of int
        Rows in each bin.
    below, above : int
        Rows before the first bin and behind the last.
    """

    low: int
    width: int
    counts: tuple[int, ...]
    below: int
    above: int

    @property
    def edges(self) -> tuple[int, ...]:
        """Edges of the bins, one more than there are bins."""
        return tuple(self.low + self.width * k for k in range(len(self.counts) + 1))


@dataclass(frozen=True)
class Group:
    """Exact sums over the rows of one group, as arrays of Python integers."""

    rows: int
    sums: Whole
    counts: Whole
    cross: Whole

    def merged(self, other: Group) -> Group:
        """Return the sums over the rows of both.

        Parameters
        ----------
        other : Group
            Sums over other rows.

        Returns
        -------
        Group
        """
        sums = self.sums + other.sums
        sums[5] = np.minimum(self.sums[5], other.sums[5])
        sums[6] = np.maximum(self.sums[6], other.sums[6])
        return Group(self.rows + other.rows, sums, self.counts + other.counts, self.cross + other.cross)

    def as_json(self) -> dict[str, Any]:
        """Return the sums as lists of integers.

        Returns
        -------
        dict
        """
        lists = {name: getattr(self, name).tolist() for name in ("sums", "counts", "cross")}
        return {"rows": self.rows, **lists}

    @classmethod
    def empty(cls, layout: Layout) -> Group:
        """Return the sums over no rows.

        Parameters
        ----------
        layout : Layout
            What is summed.

        Returns
        -------
        Group
        """
        sums = np.zeros((len(_COLUMN), len(layout.columns)), object)
        sums[5], sums[6] = 2**31, -(2**31)
        return cls(0, sums, np.zeros(layout.cells, object), np.zeros((len(_PAIR), len(layout.pairs)), object))

    @classmethod
    def from_json(cls, layout: Layout, data: Mapping[str, Any]) -> Group:
        """Return the sums that `as_json` wrote.

        Parameters
        ----------
        layout : Layout
            What is summed.
        data : mapping
            What was read.

        Returns
        -------
        Group

        Raises
        ------
        ValueError
            When the lists do not fit the layout or hold anything but integers.
        """
        made = cls.empty(layout)
        for name in ("sums", "counts", "cross"):
            room: Whole = getattr(made, name)
            _fill(room, data[name])
        if type(data["rows"]) is not int:
            raise ValueError("the number of rows is not an integer")
        return cls(data["rows"], made.sums, made.counts, made.cross)


def _fill(room: Whole, lists: Any) -> None:
    """Copy nested lists of integers into an array of the same shape."""
    if not isinstance(lists, list) or len(lists) != len(room):
        raise ValueError("the sums are not those of this game")
    for place, value in enumerate(lists):
        if room.ndim > 1:
            _fill(room[place], value)
        elif type(value) is not int:
            raise ValueError("a sum is not an integer")
        else:
            room[place] = value


@dataclass(frozen=True)
class Tally:
    """The exact sums of a study so far; merging two of them is associative and commutative.

    Attributes
    ----------
    layout : Layout
        What is summed.
    groups : mapping of int or None to Group
        The sums by the value of the grouping column, None where it has no value; without a grouping column
        all rows are in group 0.
    """

    layout: Layout
    groups: Mapping[int | None, Group]

    @classmethod
    def empty(cls, layout: Layout) -> Tally:
        """Return the sums over no rows.

        Parameters
        ----------
        layout : Layout
            What is summed.

        Returns
        -------
        Tally
        """
        return cls(layout, {})

    @classmethod
    def of(cls, layout: Layout, part: Part) -> Tally:
        """Return the sums of a chunk.

        Parameters
        ----------
        layout : Layout
            What is summed.
        part : Part
            The chunk's sums.

        Returns
        -------
        Tally
        """
        groups: dict[int | None, Group] = {}
        for place, key in enumerate(part.keys):
            sums = part.sums[place].astype(object)
            cross = part.cross[place].astype(object)
            # the halves of squares and products become one number
            columns = np.stack([*sums[:2], sums[2] * 2**32 + sums[3], *sums[4:]])
            products = [cross[high] * 2**32 + cross[high + 1] for high in (3, 5, 7)]
            groups[key] = Group(
                int(part.rows[place]),
                columns,
                part.counts[place].astype(object),
                np.stack([*cross[:3], *products]),
            )
        return cls(layout, groups)

    def merged(self, other: Tally) -> Tally:
        """Return the sums over the rows of both.

        Parameters
        ----------
        other : Tally
            Sums over other rows with the same layout.

        Returns
        -------
        Tally
        """
        groups = dict(self.groups)
        for key, group in other.groups.items():
            groups[key] = groups[key].merged(group) if key in groups else group
        return Tally(self.layout, groups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.layout == other.layout and self.as_json() == other.as_json()

    __hash__ = None  # type: ignore[assignment]

    # -- reading -----------------------------------------------------------------------------------------

    @functools.cached_property
    def whole(self) -> Group:
        """The sums over all groups."""
        total = Group.empty(self.layout)
        for group in self.groups.values():
            total = total.merged(group)
        return total

    @property
    def keys(self) -> list[int | None]:
        """The groups there are, in order, the one without a value last."""
        return sorted(self.groups, key=lambda key: (key is None, key or 0))

    def column(self, name: str, group: Group | None = None) -> ColumnSums:
        """Return the sums of a column.

        Parameters
        ----------
        name : str
            Name of the column.
        group : Group, optional
            One of the groups; by default all rows.

        Returns
        -------
        ColumnSums
        """
        values = [int(value) for value in (group or self.whole).sums[:, self.layout.index(name)]]
        *counts, least, most = values
        return ColumnSums(*counts, *((least, most) if counts[0] else (None, None)))

    def pair(self, a: str, b: str, group: Group | None = None) -> PairSums:
        """Return the sums of a pair of columns.

        Parameters
        ----------
        a, b : str
            The pair as it stands in the layout.
        group : Group, optional
            One of the groups; by default all rows.

        Returns
        -------
        PairSums
        """
        place = self.layout.pairs.index((a, b))
        return PairSums(*(int(value) for value in (group or self.whole).cross[:, place]))

    def histogram(self, name: str, group: Group | None = None) -> Histogram | None:
        """Return the histogram of a column.

        Parameters
        ----------
        name : str
            Name of the column.
        group : Group, optional
            One of the groups; by default all rows.

        Returns
        -------
        Histogram or None
            None when the column has none.
        """
        self.layout.index(name)
        for bins, row in zip(self.layout.histograms, self.layout.bins, strict=True):
            if bins.column == name:
                start = int(row[4])
                cells = [int(n) for n in (group or self.whole).counts[start : start + bins.cells + 2]]
                return Histogram(bins.low, bins.width, tuple(cells[1:-1]), cells[0], cells[-1])
        return None

    # -- storing -----------------------------------------------------------------------------------------

    def as_json(self) -> list[dict[str, Any]]:
        """Return the sums as plain lists and integers, groups in order.

        Returns
        -------
        list of dict
        """
        return [{"key": key, **self.groups[key].as_json()} for key in self.keys]

    @classmethod
    def from_json(cls, layout: Layout, data: Any) -> Tally:
        """Return the sums that `as_json` wrote.

        Parameters
        ----------
        layout : Layout
            What is summed.
        data : list of dict
            What was read.

        Returns
        -------
        Tally

        Raises
        ------
        ValueError
            When they are not sums of this layout.
        """
        groups: dict[int | None, Group] = {}
        for item in data:
            key = item["key"]
            if key in groups or not (key is None or type(key) is int):
                raise ValueError("a group is named twice or not by a whole number")
            groups[key] = Group.from_json(layout, item)
        return cls(layout, groups)
