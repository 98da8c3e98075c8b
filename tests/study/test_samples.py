from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from simcards.errors import UsageError
from simcards.study import engine, files, lines
from simcards.study import samples as module
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.samples import samples, write_samples
from simcards.study.table import PlayError, matrix, table

from .conftest import Interrupt


def read(path):
    if path.suffix == ".jsonl":
        frame = pd.read_json(path, lines=True)
    else:
        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    return frame.set_index("deal").astype("Int32")


def test_one_row_a_deal(plan):
    frame = samples(plan, workers=2)
    rows = table(plan).rows(plan.deals)
    table(plan).play(0, plan.deals, rows)
    assert list(frame.columns) == [column.name for column in plan.load().columns]
    assert (frame.index.name, len(frame)) == ("deal", plan.deals)
    assert set(frame.dtypes.astype(str)) == {"Int32"}
    assert np.array_equal(frame.fillna(-(2**31)).to_numpy(np.int32), matrix(rows))
    assert frame["first.north"].isna().sum() == (rows["first"][:, 0] == -(2**31)).sum() > 0


def test_rows_add_up_to_the_sums(plan):
    frame, outcome = samples(plan), run(plan)
    for name in frame:
        sums = outcome.tally.column(name)
        assert (sums.n, sums.total) == (frame[name].count(), frame[name].sum())


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("workers", [1, 3])
def test_files_hold_the_same(plan, tmp_path, monkeypatch, kind, workers):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(module, "_CELLS", 2000)  # many chunks
    monkeypatch.setattr(module, "_ROW_GROUP", 9000)
    path = tmp_path / f"deals.{kind}"
    path.write_text("old")
    written = write_samples(plan, path, workers=workers)
    assert (written.deals, written.interrupted) == (plan.deals, False)
    pd.testing.assert_frame_equal(read(path), samples(plan), check_index_type=False)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_an_interrupt_keeps_the_rows_so_far(plan, tmp_path, monkeypatch, kind):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(module, "_CELLS", 2000)
    path = tmp_path / f"deals.{kind}"
    written = write_samples(plan, path, workers=2, progress=Interrupt(500))
    assert written.interrupted
    assert 500 <= written.deals < 700
    expected = samples(replace(plan, deals=written.deals))
    pd.testing.assert_frame_equal(read(path), expected, check_index_type=False)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("old", [None, "old"])
def test_an_interrupt_before_the_first_deal_writes_nothing(plan, tmp_path, monkeypatch, kind, old):
    if kind == "parquet":
        pytest.importorskip("pyarrow")

    def at_once(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(engine.Teller, "begin", at_once)
    path = tmp_path / f"deals.{kind}"
    if old:
        path.write_text(old)
    written = write_samples(plan, path)
    assert (written.deals, written.interrupted) == (0, True)
    assert [file.read_text() for file in tmp_path.iterdir()] == ([old] if old else [])


def test_extreme_numbers_are_written_as_they_are():
    cells = np.array([[2**31 - 1, -(2**31) + 1, 0], [-(2**31), 7, -10]], np.int32)
    first = 10**15 - 1
    assert lines.csv("abc").lines(cells, first) == (
        b"999999999999999,2147483647,-2147483647,0\n1000000000000000,,7,-10\n"
    )  # fmt: skip
    text = lines.json_lines("n", ["a", 'b"', "т"]).lines(cells, first)
    assert [json.loads(line) for line in text.splitlines()] == [
        {"n": first, "a": 2147483647, 'b"': -2147483647, "т": 0},
        {"n": first + 1, "a": None, 'b"': 7, "т": -10},
    ]


def test_a_line_has_room_for_the_longest_numbers():
    cells = np.full((3, 5), -(2**31) + 1, np.int32)
    text = lines.csv("abcde").lines(cells, 2**62)
    assert text.decode().splitlines() == [",".join([str(2**62 + k), *["-2147483647"] * 5]) for k in range(3)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("deals.xlsx", "the name must end in .csv, .jsonl or .parquet"),
        ("deals", "the name must end in .csv, .jsonl or .parquet"),
        ("nowhere/deals.csv", "there is no folder"),
        (".csv/", "it is a folder|must end in"),
    ],
)
def test_places_that_do_not_serve(plan, tmp_path, name, message):
    (tmp_path / ".csv").mkdir()
    with pytest.raises(UsageError, match=message):
        write_samples(plan, tmp_path / name)


def test_without_pyarrow_the_extra_is_named(plan, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"writing \.parquet needs pyarrow: pip install 'simcards\[parquet\]'"):
        write_samples(plan, tmp_path / "deals.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line_and_leaves_nothing(plan, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UsageError, match=r"cannot write .*: No space left on device"):
        write_samples(plan, tmp_path / "deals.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_faulty_strategy_leaves_no_file(tmp_path):
    plan = make_plan("toy-whist", deals=400, strategies=["lowest", "lowest", "lowest", "broken"], seed=2)
    for act in (lambda: samples(plan), lambda: write_samples(plan, tmp_path / "deals.csv")):
        with pytest.raises(PlayError, match="strategy 'broken' in the seat west"):
            act()
    assert list(tmp_path.iterdir()) == []


def test_more_rows_than_memory_are_refused(plan):
    with pytest.raises(UsageError, match="do not fit into memory; write them to a file"):
        samples(replace(plan, deals=10**15))


def test_units_make_rows_of_whole_games(plan):
    frame = samples(make_plan("toy-whist", deals=40, unit="game", strategies="random"))
    most = frame[[f"points.{seat}" for seat in plan.ruleset.seats]].max(axis=1)
    assert (most >= 20).all()
    assert (frame["tricks"] == 13 * frame["deals"]).all()
    assert frame["deals"].min() > 1
