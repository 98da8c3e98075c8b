from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import joblib
import pytest

from simcards import stats
from simcards.errors import UsageError
from simcards.study import engine
from simcards.study.engine import run
from simcards.study.plan import make_plan
from simcards.study.table import PlayError

from .conftest import Interrupt


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("chunk", [None, 1, 7, 1000, 2048, 10**6])
def test_the_result_does_not_depend_on_workers_or_chunks(plan, workers, chunk):
    if chunk == 1:
        plan = replace(plan, deals=200)
    reference = engine.PlayStudy(plan)
    expected = engine.Tally.of(reference.layout, reference(0, plan.deals))
    outcome = run(plan, workers=workers, chunk=chunk)
    assert outcome.tally == expected
    assert (outcome.deals, outcome.interrupted, outcome.workers) == (plan.deals, False, workers)
    assert outcome.rate > 0


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("after", [1, 700, 2999])
def test_an_interrupted_run_is_a_shorter_run(plan, workers, after):
    interrupt = Interrupt(after)
    outcome = run(plan, workers=workers, chunk=97, progress=interrupt)
    assert outcome.interrupted is (outcome.deals < plan.deals)
    assert after <= outcome.deals < after + 97
    assert outcome.tally == run(replace(plan, deals=outcome.deals)).tally
    dones = [progress.done for progress in interrupt.seen]
    assert dones == sorted(dones)
    assert dones[-1] == outcome.deals


def test_progress_tells_how_far_the_run_has_come(plan):
    interrupt = Interrupt(10**9)
    run(plan, workers=2, chunk=500, progress=interrupt)
    assert [progress.done for progress in interrupt.seen] == list(range(500, 3001, 500))
    last = interrupt.seen[-1]
    assert (last.deals, last.left) == (3000, 0.0)
    assert last.rate == pytest.approx(3000 / last.seconds)


@pytest.mark.parametrize("precision", [None, 0.2])
def test_a_resumed_run_is_an_uninterrupted_one(plan, tmp_path, precision):
    file = tmp_path / "study.json"
    options = {"precision": precision, "target": "points.west" if precision else None}
    whole = run(plan, **options)
    first = run(plan, chunk=100, progress=Interrupt(300), checkpoint=file, resume=True, **options)
    second = run(plan, chunk=130, progress=Interrupt(1100), checkpoint=file, resume=True, workers=2, **options)
    last = run(plan, checkpoint=file, resume=True, **options)
    assert first.deals == 300
    assert (second.resumed, last.resumed) == (first.deals, second.deals)
    assert last.tally == whole.tally
    assert (last.deals, last.precise) == (whole.deals, whole.precise)
    done = run(plan, checkpoint=file, resume=True, **options)
    assert (done.deals, done.resumed, done.tally) == (whole.deals, whole.deals, whole.tally)


def test_a_study_can_be_made_longer(plan, tmp_path):
    file = tmp_path / "study.json"
    run(replace(plan, deals=1000), checkpoint=file)
    longer = run(plan, checkpoint=file, resume=True)
    assert longer.resumed == 1000
    assert longer.tally == run(plan).tally
    with pytest.raises(UsageError, match="holds 3,000 deals already, more than 2,999"):
        run(replace(plan, deals=2999), checkpoint=file, resume=True)


def test_a_precise_run_stops_at_a_look_whatever_the_chunks():
    plan = make_plan("toy-whist", deals=50_000, strategies="random", seed=3)
    outcomes = [
        run(plan, workers=workers, chunk=chunk, precision=0.09)
        for workers, chunk in ((1, None), (2, 7), (7, 4096), (2, None))
    ]
    first = outcomes[0]
    assert first.precise is True
    assert all(other.tally == first.tally for other in outcomes)
    stops = []
    for look in stats.looks():
        stops.append(look)
        if look >= first.deals:
            break
    assert first.deals == stops[-1]
    widths = []
    for look in stops[-2:]:
        sums = run(replace(plan, deals=look)).tally.column("points.north")
        widths.append(stats.mean_sequence(sums.n, sums.total, sums.squares).half_width)
    assert widths[0] > 0.09 >= widths[1]


def test_precision_of_rates_and_of_what_happens_seldom(plan):
    long = replace(plan, deals=100_000)
    rate = run(long, precision=0.03, target="won.north")
    assert rate.precise is True
    assert rate.deals < run(long, precision=0.02, target="any_long.north").deals
    part = run(long, precision=0.1, target="first.east")
    assert part.tally.column("first.east").n < part.deals


def test_the_number_of_deals_is_the_most_a_precise_run_plays(plan):
    outcome = run(plan, precision=1e-6)
    assert (outcome.deals, outcome.precise, outcome.interrupted) == (plan.deals, False, False)
    assert outcome.tally == run(plan).tally


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 0.0}, "the precision must be a number above 0, not 0.0"),
        ({"precision": float("nan")}, "the precision must be"),
        ({"precision": float("inf")}, "the precision must be"),
        ({"precision": "fine"}, "the precision must be"),
        ({"precision": 1.0, "target": "pionts.north"}, "did you mean 'points.north'?"),
        (
            {"precision": 1.0, "target": "points"},
            "has a value for each seat; write points.north or points.east",
        ),
        ({"precision": 1.0, "target": "any_points.north"}, "there is no quantity 'any_points.north' of toy-whist"),
        ({"precision": 1.0, "confidence": 1.0}, "confidence must lie between 0 and 1"),
        ({"target": "points.north"}, "a target is given without a precision"),
        ({"workers": 0}, "the number of workers must be from 1 to 10000, not 0"),
        ({"workers": 1.5}, "the number of workers must be a whole number"),
        ({"chunk": 0}, "the size of a chunk must be from 1 to 16777216, not 0"),
        ({"group_by": "trumps"}, "did you mean 'trump'?"),
        ({"resume": True}, "there is no checkpoint file to resume from"),
    ],
)
def test_wrong_options_are_refused_in_one_line(plan, options, message):
    with pytest.raises(UsageError) as caught:
        run(plan, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_groups_are_the_studies_of_their_rows(plan):
    from simcards.study.samples import samples

    outcome = run(plan, group_by="trump", chunk=700, workers=2)
    frame = samples(plan)
    assert outcome.tally.keys == [0, 1, 2, 3]
    for key, group in outcome.tally.groups.items():
        rows = frame[frame["trump"] == key]
        assert group.rows == len(rows)
        assert outcome.tally.column("points.west", group).total == rows["points.west"].sum()
    ungrouped = run(plan)
    assert outcome.tally.column("points.east") == ungrouped.tally.column("points.east")
    none = run(make_plan("toy-whist", deals=50, rules={"trump": "none"}), group_by="trump")
    assert none.tally.keys == [None]


def test_a_grouping_column_with_many_values_is_refused(plan):
    biased = make_plan("toy-whist", deals=50, rules={"bias": 60}, seed=1)
    with pytest.raises(
        PlayError, match=r"points\.north is 6\d in deal \d+; a column to group by may have values from 0"
    ):
        run(biased, group_by="points.north", workers=2, chunk=3)


@pytest.mark.parametrize(("workers", "chunk"), [(1, None), (2, 1), (7, 5), (2, 1000)])
def test_a_faulty_strategy_is_named_with_its_first_fault(workers, chunk, tmp_path):
    plan = make_plan("toy-whist", deals=400, strategies=["lowest", "lowest", "lowest", "broken"], seed=2)
    file = tmp_path / "study.json"
    with pytest.raises(PlayError) as caught:
        run(plan, workers=workers, chunk=chunk, checkpoint=file)
    message = str(caught.value)
    deal = int(message.split("deal ")[1].split(":")[0])
    assert message.startswith("toy-whist, seed 2, deal ")
    assert "strategy 'broken' in the seat west chose the action 63 in the phase 'play'" in message
    assert deal > 0
    assert run(replace(plan, deals=deal), workers=2).deals == deal  # all deals before are sound
    assert message == _fault(plan)


def _fault(plan):
    with pytest.raises(PlayError) as caught:
        run(plan, workers=1, chunk=1)
    return str(caught.value)


def test_a_game_without_end_is_reported(plan):
    from simcards.study.table import table

    endless = make_plan("toy-whist", deals=10, rules={"target": 1000}, unit="game")
    with pytest.raises(PlayError, match=r"toy-whist, seed 0, game 0: the game had not ended after 1,560 decisions"):
        run(endless)
    assert table(endless).game.limit == 1560


def test_cards_can_be_fixed(plan):
    hand = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
    fixed = make_plan("toy-whist", deals=500, strategies="random", cards={"north": hand, "west": "AH AD AC"})
    outcome = run(fixed, group_by="trump")
    assert set(outcome.tally.keys) <= {1, 2, 3}
    assert outcome.tally.column("points.west").least >= 1
    last = make_plan("toy-whist", deals=50, cards={"west": hand})
    sums = run(last).tally.column("points.west")
    assert (sums.least, sums.most) == (13, 13)


def peak(plan, **options):
    gc.collect()
    tracemalloc.start()
    run(plan, **options)
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return top


def test_memory_does_not_grow_with_the_number_of_deals(plan):
    options = {"workers": 2, "chunk": 50, "group_by": "trump"}
    run(plan, **options)
    small, large = (peak(replace(plan, deals=deals), **options) for deals in (10_000, 60_000))
    assert large < small + 1_000_000  # the results of a thousand chunks more would be 8 million bytes


def test_results_that_wait_are_few(plan, monkeypatch):
    dispatched, received = [], []
    original = engine._task

    def task(work, low, high):
        dispatched.append(high)
        return original(work, low, high)

    monkeypatch.setattr(engine, "_task", task)
    waiting = []

    def progress(state):
        received.append(state.done)
        waiting.append(len(dispatched) - len(received))

    run(plan, workers=2, chunk=5, progress=progress)
    assert len(received) == 600
    assert max(waiting) <= 2 * engine._WINDOW + 2  # two are on their way to this thread


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_any_backend_of_joblib_gives_the_same(backend):
    plan = make_plan("bezique", deals=300, strategies="random", seed=11)
    expected = run(plan, workers=1)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        outcome = run(plan, chunk=40)
    assert (outcome.backend, outcome.workers) == (backend, 2)
    assert outcome.tally == expected.tally


def test_a_backend_that_cannot_serve_is_refused(plan):
    with (
        joblib.parallel_config(backend="multiprocessing"),
        pytest.raises(UsageError, match="the joblib backend 'multiprocessing' gives no results on the way"),
    ):
        run(plan, workers=2)


CTRL_C = """
import os, signal
from simcards.study.engine import run
from simcards.study.plan import make_plan

def progress(state):
    if state.done > 2000:
        os.kill(os.getpid(), signal.SIGINT)

plan = make_plan("bezique", deals=10**9, strategies="random", seed=6)
outcome = run(plan, workers=2, progress=progress)
print(outcome.interrupted, outcome.deals, outcome.tally.column("points.pone").total)
"""


def test_ctrl_c_ends_a_run_and_keeps_what_was_done():
    made = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, timeout=400, check=True)
    assert made.stderr == ""
    interrupted, deals, total = made.stdout.split()
    assert interrupted == "True"
    assert 2000 < int(deals) < 10**9
    shorter = run(make_plan("bezique", deals=int(deals), strategies="random", seed=6))
    assert shorter.tally.column("points.pone").total == int(total)


ENDLESS = """
import os, signal, sys, threading, time
from simcards.games import registry
from simcards.kernel.compiled import kernel
from simcards.study import aside
from simcards.study.engine import PlayStudy, execute
from simcards.study.plan import make_plan
from tests.study import toy

real = registry.rulesets()
registry.rulesets = lambda: {**real, toy.TOY.id: toy.TOY}


@kernel
def forever(n):
    while n > 0:
        n = (n + 1) & 1023 | 1
    return n


class Stuck:
    def __init__(self, study):
        self.layout, self.identity, self.study = study.layout, study.identity, study

    def __call__(self, low, high):
        if high > 37:
            for seconds in map(float, sys.argv[1:]):
                threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
            forever(1)
        return self.study(low, high)


forever(0)
plan = make_plan("toy-whist", deals=10**6, seed=6)
began = time.perf_counter()
made = execute(Stuck(PlayStudy(plan)), plan.deals, workers=2)
print(made.interrupted, made.deals, round(time.perf_counter() - began, 1), aside.left(), aside.endless())
"""


@pytest.mark.parametrize(("times", "least", "most"), [(("0.5",), 5.0, 30.0), (("0.5", "1"), 1.0, 4.9)])
def test_what_never_ends_is_left_behind(times, least, most):
    root = Path(__file__).parents[2]
    made = subprocess.run(
        [sys.executable, "-c", ENDLESS, *times], capture_output=True, text=True, timeout=300, check=True, cwd=root
    )
    assert made.stderr == ""
    interrupted, deals, seconds, left, endless = made.stdout.split()
    assert (interrupted, left, endless) == ("True", "True", "True")
    assert deals == "31"  # the chunks were 1, 2, 4, 8, 16 deals
    assert least <= float(seconds) < most
