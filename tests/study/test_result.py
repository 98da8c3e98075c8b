from __future__ import annotations

import json
import math
import sys
from dataclasses import replace

import pytest

import simcards
from simcards import stats
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.progress import clock, shown
from simcards.study.result import estimates, frame, provenance, records
from simcards.study.samples import samples

from .conftest import Interrupt

COLUMNS = ["quantity", "n", "estimate", "se", "ci_low", "ci_high", "method"]


def by_name(outcome, **options):
    return {(row.estimate.quantity, row.estimate.seat): row for row in estimates(outcome, **options)}


def test_every_quantity_has_the_estimate_of_its_kind(plan):
    rows, table = by_name(run(plan)), samples(plan)
    for seat, strategy in zip(plan.ruleset.seats, plan.strategies):
        points, column = rows["points", seat].estimate, table[f"points.{seat}"]
        assert points.estimate == pytest.approx(column.mean())
        assert points.se == pytest.approx(column.std() / math.sqrt(len(column)))
        assert (points.n, points.method, points.strategy) == (3000, "normal", strategy)

        won = rows["won", seat]
        assert won.kind == "flag"
        expected = stats.proportion(int(table[f"won.{seat}"].sum()), 3000, quantity="won", seat=seat, strategy=strategy)
        assert won.estimate == expected

        assert rows["long", seat].estimate.estimate == pytest.approx(table[f"long.{seat}"].mean())
        some = rows["any_long", seat]
        assert (some.kind, some.estimate.method) == ("rate", "wilson")
        assert some.estimate.estimate == pytest.approx((table[f"long.{seat}"] > 0).mean())

        first = rows["first", seat].estimate
        assert first.n == table[f"first.{seat}"].count() < 3000
        assert first.estimate == pytest.approx(table[f"first.{seat}"].mean())

        share = rows["share/points", seat]
        assert (share.kind, share.section, share.estimate.method) == ("share", "play", "delta")
        assert share.estimate.estimate == 1.0
    assert rows["trump", None].estimate.strategy is None
    assert ("any_won", "north") not in rows


def test_shares_are_ratios_of_means():
    plan = make_plan("toy-whist", deals=500, unit="game", strategies="random")
    table, rows = samples(plan), by_name(run(plan))
    a, b = table["share.east"].astype(float), table["points.east"].astype(float)
    ratio = a.mean() / b.mean()
    row = rows["share/points", "east"].estimate
    assert row.estimate == pytest.approx(ratio)
    assert row.se == pytest.approx((a - ratio * b).std() / math.sqrt(500) / b.mean())


def test_confidence_widens_the_intervals(plan):
    outcome = run(plan)
    wide, narrow = by_name(outcome, confidence=0.99), by_name(outcome, confidence=0.5)
    for key, row in wide.items():
        assert row.estimate.half_width >= narrow[key].estimate.half_width
        assert row.estimate.estimate == narrow[key].estimate.estimate


def test_a_run_ended_by_its_own_result_has_intervals_that_allow_for_it(plan):
    precise = run(replace(plan, deals=20_000), precision=0.15)
    rows = by_name(precise)
    fixed = by_name(run(replace(plan, deals=precise.deals)))
    assert {row.estimate.method for row in rows.values()} == {"confidence-sequence"}
    assert rows["points", "north"].estimate.half_width <= 0.15
    for key, row in rows.items():
        assert row.estimate.estimate == fixed[key].estimate.estimate
        assert row.estimate.half_width >= fixed[key].estimate.half_width


def test_records_have_the_columns_of_every_table(plan):
    rows = records(run(plan))
    for row in rows:
        assert list(row)[:7] == COLUMNS
        assert list(row)[-2:] == ["section", "kind"]
    json.dumps(rows)
    table = frame(run(plan))
    assert len(table) == len(rows)
    assert set(COLUMNS) | {"seat", "strategy", "section", "kind"} == set(table)


def test_groups_stand_one_after_the_other(plan):
    outcome = run(plan, group_by="trump")
    table = frame(outcome)
    assert table.columns[0] == "trump"
    assert table["trump"].is_monotonic_increasing
    one = table[(table["trump"] == 2) & (table["quantity"] == "points") & (table["seat"] == "west")]
    sample = samples(plan)
    expected = sample.loc[sample["trump"] == 2, "points.west"]
    assert one["estimate"].item() == pytest.approx(expected.mean())
    assert one["n"].item() == len(expected)


def test_no_deals_give_no_numbers_but_no_error_either(plan):
    outcome = run(plan, progress=Interrupt(0), chunk=10)
    empty = replace(outcome, deals=0, tally=type(outcome.tally).empty(outcome.tally.layout))
    for row in estimates(empty):
        assert row.estimate.n == 0
        assert math.isnan(row.estimate.estimate)


def test_provenance_says_what_was_played_and_how(plan):
    about = provenance(run(plan, workers=2))
    json.dumps(about)
    assert about["version"] == simcards.__version__
    assert about["rules"] == {"target": 0, "trump": "last", "bias": 0}
    assert (about["game"], about["unit"], about["seed"]) == ("toy-whist", "deal", 2**63 + 5)
    assert (about["deals"], about["workers"], about["strategies"]) == (3000, 2, list(plan.strategies))
    assert about["deals_per_second"] > 0
    assert about["date"].endswith("+00:00")
    assert {"python", "numpy", "numba", "platform", "sources", "seconds"} <= set(about)

    stopped = provenance(run(plan, chunk=100, progress=Interrupt(500)))
    assert (stopped["deals"], stopped["deals_wanted"], stopped["interrupted"]) == (500, 3000, True)
    precise = provenance(run(replace(plan, deals=20_000), precision=0.15))
    assert (precise["precise"], precise["deals_at_most"]) == (True, 20_000)
    assert precise["deals"] < 20_000


def test_progress_is_shown_on_the_terminal_only(plan, capsys):
    with shown("toy") as progress:
        assert progress is None
    with shown("toy", show=True, at_most=True) as progress:
        run(plan, progress=progress, chunk=500)
    out, err = capsys.readouterr()
    assert out == ""
    assert "toy" in err
    assert "of at most 3,000 deals" in err


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1:00"), (185, "3:05"), (7384, "2:03:04")]
)
def test_times_are_written_as_people_read_them(seconds, text):
    assert clock(seconds) == text


def test_a_bar_is_drawn_on_a_terminal(plan, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with shown("toy") as progress:
        run(plan, progress=progress, chunk=500)
    out, err = capsys.readouterr()
    assert out == ""
    assert "3,000 of 3,000 deals" in err
    assert "\x1b[" in err
