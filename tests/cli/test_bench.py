"""The measurements: what is in them, not how fast it is."""

from __future__ import annotations

import json

import pytest

from simcards import bench


@pytest.fixture
def short(monkeypatch):
    """Leave out what takes long."""
    monkeypatch.setattr(bench, "_start", lambda *_: [bench.Row("start", "simcards games", seconds=0.3)])
    monkeypatch.setattr(
        bench,
        "_dealing",
        lambda quick: [bench.Row("dealing", "52 cards, C", note="skipped: no C compiler found")],
    )


def test_every_game_is_measured(short):
    rows = list(bench.measure(["bezique"], quick=True))
    assert [row.section for row in rows if row.section != "workers"] == [
        "dealing",
        "play",
        "play",
        "search",
        "solver",
        "solver",
        "solver",
        "start",
    ]
    for row in rows:
        if row.section == "play":
            assert row.rate > 0.0
            assert 60 < row.decisions < 200
            assert row.ns == pytest.approx(1e9 / row.rate / row.decisions)
    (search,) = (row for row in rows if row.section == "search")
    assert search.rate > 1000.0
    workers = [row for row in rows if row.section == "workers"]
    if len(workers) == 2:
        assert workers[1].ratio == pytest.approx(workers[1].rate / workers[0].rate)


def test_forms(call, short, monkeypatch):
    monkeypatch.setattr(bench, "_play", lambda *_: [bench.Row("play", "bezique, basic", 1.0, 2.0, None, 88.0, 9.0)])
    monkeypatch.setattr(bench, "_search", lambda *_: [])
    monkeypatch.setattr(bench, "_solver", lambda *_: [])
    monkeypatch.setattr(bench, "_workers", lambda *_: [bench.Row("workers", "two", rate=2.0, ratio=1.9)])
    data = json.loads(call("bench", "--quick", "--json").out)
    assert [row["section"] for row in data["rows"]] == ["dealing", "play", "workers", "start"]
    assert data["provenance"]["processors"] >= 1
    text = call("bench", "--quick").out
    assert "skipped: no C compiler found" in text
    assert "1.90" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_the_best_of_several_repetitions_counts():
    calls: list[int] = []
    seconds = bench._best([calls.append], 1e-6, 3)
    assert len(seconds) == 1
    assert len(calls) >= 5
    assert seconds[0] > 0.0


def test_whole_packs_are_dealt(monkeypatch):
    from simcards.kernel import dealing_bench

    asked = []
    monkeypatch.setattr(dealing_bench, "measure", lambda cards, rounds: asked.append(cards) or [])
    assert list(bench._dealing(quick=True)) == []
    assert asked == [52]
