"""The measurement of dealing runs, with and without a C compiler."""

import shutil

import pytest

from simcards.kernel import dealing_bench


def test_rows():
    rows = dealing_bench.measure(cards=9, rounds=1, seconds=0.001)
    assert [row["name"] for row in rows] == ["simcards", "numpy Generator.permuted", "C loop at -O3"]
    assert rows[0]["ratio"] == 1
    for row in rows:
        assert set(row) == {"name", "rate", "ratio", "note"}
        if row["rate"] is None:
            assert "skipped" in row["note"]
        else:
            assert row["rate"] > 0
            assert row["ratio"] == pytest.approx(rows[0]["rate"] / row["rate"])


def test_without_a_compiler(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    last = dealing_bench.measure(cards=9, rounds=1, seconds=0.001)[-1]
    assert last["rate"] is None
    assert last["ratio"] is None
    assert last["note"] == "skipped: no C compiler found"


def test_with_a_broken_compiler(monkeypatch):
    monkeypatch.setattr(dealing_bench, "C_SOURCE", "not C")
    if shutil.which("cc") or shutil.which("gcc") or shutil.which("clang"):
        last = dealing_bench.measure(cards=9, rounds=1, seconds=0.001)[-1]
        assert last["note"] == "skipped: the C compiler failed (CalledProcessError)"
