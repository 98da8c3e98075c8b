"""One row a deal, as a table in memory or in a file, for one's own analysis."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError
from simcards.study.engine import Crew, Progress, Teller
from simcards.study.files import check_writable, replacing, uninterrupted
from simcards.study.plan import Plan
from simcards.study.table import matrix, table

if TYPE_CHECKING:
    import pandas as pd

    from simcards.games.game import Game
    from simcards.study.lines import Form

INDEX = "deal"
FORMATS = (".csv", ".jsonl", ".parquet")
_CELLS = 2**18  # in a chunk at most
_WINDOW = 4  # chunks a worker that may wait to be written
_ROW_GROUP = 2**22  # cells in a row group of a parquet file


@dataclass(frozen=True)
class Written:
    """What was written.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    deals : int
        It holds the deals 0 to ``deals - 1``; nothing was written where there are none.
    interrupted : bool
        Whether those are fewer than were wanted.
    seconds : float
        Time taken.
    """

    path: Path
    deals: int
    interrupted: bool
    seconds: float


def samples(
    plan: Plan, *, workers: int | None = None, progress: Callable[[Progress], None] | None = None
) -> pd.DataFrame:
    """Play a plan and return one row a deal.

    Parameters
    ----------
    plan : Plan
        What is played.
    workers : int, optional
        Number of workers, as for `simcards.study.engine.run`.
    progress : callable, optional
        Called with a `Progress` after each chunk.

    Returns
    -------
    pandas.DataFrame
        Columns such as ``"points.pone"`` of the type Int32, in which a quantity without a value is NA; the
        index is the number of the deal.

    Raises
    ------
    UsageError
        When the table does not fit into memory.
    PlayError
        When the game or a strategy is at fault.
    """
    import pandas as pd

    columns = plan.load().columns
    try:
        values = np.empty((len(columns), plan.deals), np.int32)
        missing = np.empty(values.shape, bool)
    except MemoryError:
        raise UsageError(
            f"{plan.deals:,} rows of {len(columns)} columns do not fit into memory; write them to a file"
        ) from None
    tell = Teller(progress, 0, plan.deals)
    done = 0
    with contextlib.closing(_chunks(RowWork(plan), plan, workers, tell)) as chunks:
        for upto, cells in chunks:
            values[:, done:upto] = cells.T
            done = upto
    from simcards.kernel.protocol import MISSING

    np.equal(values, MISSING, out=missing)
    values[missing] = 0
    arrays = {
        column.name: pd.arrays.IntegerArray(values[place], missing[place]) for place, column in enumerate(columns)
    }
    return pd.DataFrame(arrays, index=pd.RangeIndex(plan.deals, name=INDEX), copy=False)


def write_samples(
    plan: Plan,
    path: str | os.PathLike[str],
    *,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Written:
    """Play a plan and write one row a deal to a file, in memory that does not grow with the number of deals.

    Ctrl-C ends the run; the file then holds the deals done so far. The file takes its place in one step at
    the end; what was there before stays where no deal was done.

    Parameters
    ----------
    plan : Plan
        What is played.
    path : path-like
        The file; its ending says what it is to be: ``.csv``, ``.jsonl`` (an object a line) or ``.parquet`` (which
        needs the extra ``[parquet]``).
    workers : int, optional
        Number of workers, as for `simcards.study.engine.run`.
    progress : callable, optional
        Called with a `Progress` after each chunk.

    Returns
    -------
    Written

    Raises
    ------
    UsageError
        When the file cannot be written.
    PlayError
        When the game or a strategy is at fault; then there is no file.
    """
    kind = Path(path).suffix.lower()
    if kind not in FORMATS:
        raise UsageError(f"cannot tell what to write to {str(path)!r}: the name must end in .csv, .jsonl or .parquet")
    if kind == ".parquet":
        _need_parquet()
    check_writable(path)
    tell = Teller(progress, 0, plan.deals)
    try:
        with replacing(path) as temporary:
            writer = _ParquetFile if kind == ".parquet" else _TextFile
            with writer(temporary, plan.load(), kind) as file:
                work: Any = RowWork(plan) if kind == ".parquet" else TextWork(plan, kind)
                interrupted = False
                try:
                    with contextlib.closing(_chunks(work, plan, workers, tell)) as chunks:
                        for upto, part in chunks:
                            with uninterrupted():
                                file.write(upto, part)
                except KeyboardInterrupt:
                    if not file.deals:
                        raise _Nothing from None
                    interrupted = file.deals < plan.deals
                seconds = tell.seconds
    except _Nothing:
        return Written(Path(path), 0, True, tell.seconds)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    return Written(Path(path), file.deals, interrupted, seconds)


class _Nothing(Exception):
    """No deal was done, so there is nothing to replace a file with."""


@dataclass(frozen=True)
class RowWork:
    """The rows of a plan as a matrix."""

    plan: Plan

    def __call__(self, low: int, high: int) -> NDArray[np.int32] | str:
        """Play a range of deals and return their rows."""
        at = table(self.plan)
        rows = at.rows(high - low)
        return at.play(low, high, rows) or matrix(rows)


@dataclass(frozen=True)
class TextWork:
    """The rows of a plan as lines of text."""

    plan: Plan
    kind: str = ".csv"

    def __call__(self, low: int, high: int) -> bytes | str:
        """Play a range of deals and return their lines."""
        cells = RowWork(self.plan)(low, high)
        return cells if isinstance(cells, str) else _form(self.plan, self.kind).lines(cells, low)


@functools.lru_cache(maxsize=16)
def _form(plan: Plan, kind: str) -> Form:
    from simcards.study import lines

    columns = [column.name for column in plan.load().columns]
    return lines.csv(columns) if kind == ".csv" else lines.json_lines(INDEX, columns)


def _chunks(work: Any, plan: Plan, workers: int | None, tell: Teller) -> Generator[tuple[int, Any], None, None]:
    most = max(1, _CELLS // len(plan.load().columns))
    crew = Crew(workers, most=most, window=_WINDOW)
    crew.compile(work, 0)
    tell.begin()
    yield from crew.results(work, 0, plan.deals, tell)


class _TextFile:
    def __init__(self, path: Path, game: Game, kind: str) -> None:
        self.deals = 0
        self._file = open(path, "wb")  # noqa: SIM115 -- closed on leaving the context
        if kind == ".csv":
            self._file.write(",".join([INDEX, *(column.name for column in game.columns)]).encode() + b"\n")

    def __enter__(self) -> _TextFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, upto: int, lines: bytes) -> None:
        self._file.write(lines)
        self.deals = upto


class _ParquetFile:
    def __init__(self, path: Path, game: Game, _: str) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.deals = 0
        self._held: list[NDArray[np.int32]] = []
        columns = [pa.field(column.name, pa.int32()) for column in game.columns]
        self._schema = pa.schema([pa.field(INDEX, pa.int64(), nullable=False), *columns])
        self._file = parquet.ParquetWriter(path, self._schema)
        self._flushed = 0

    def __enter__(self) -> _ParquetFile:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._flush()
        finally:
            self._file.close()

    def write(self, upto: int, cells: NDArray[np.int32]) -> None:
        self._held.append(cells)
        self.deals = upto
        if (upto - self._flushed) * cells.shape[1] >= _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        from simcards.kernel.protocol import MISSING

        held, self._held = self._held, []
        if not held:
            return
        cells = np.concatenate(held)
        deals = np.arange(self._flushed, self._flushed + len(cells), dtype=np.int64)
        columns = (pa.array(column, mask=column == MISSING) for column in cells.T)
        self._file.write_table(pa.table(list(itertools.chain([pa.array(deals)], columns)), schema=self._schema))
        self._flushed += len(cells)


def _need_parquet() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise UsageError("writing .parquet needs pyarrow: pip install 'simcards[parquet]', or write .csv") from None
