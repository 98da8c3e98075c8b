"""How fast this machine plays: dealing against NumPy and C, every game, open cards, and two workers against one.

Rates are the best of several short repetitions in which everything that is compared takes its turn, since
all that other programs can do is to slow one down.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcards.games import registry

if TYPE_CHECKING:
    from simcards.study.plan import Plan

SECTIONS = ("start", "dealing", "play", "search", "solver", "workers")
STRATEGIES = ("random", "basic")
SEED = 1
_COUNTED = 20  # games whose decisions are counted


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes
    ----------
    section : str
        One of `SECTIONS`.
    name : str
        What was measured.
    seconds : float, optional
        How long one took.
    rate : float, optional
        How many a second; None when it could not be measured.
    ratio : float, optional
        Our rate divided by this one, or this one divided by that of one worker.
    decisions : float, optional
        Decisions in a game, on average.
    ns : float, optional
        Nanoseconds a decision.
    note : str
        What else is to be said.
    """

    section: str
    name: str
    seconds: float | None = None
    rate: float | None = None
    ratio: float | None = None
    decisions: float | None = None
    ns: float | None = None
    note: str = ""

    def as_record(self) -> dict[str, Any]:
        """Return the row of a table.

        Returns
        -------
        dict
        """
        return dict(vars(self))


def measure(games: Sequence[str] = (), *, quick: bool = False, cold: bool = False) -> Iterator[Row]:
    """Measure how fast this machine plays.

    Parameters
    ----------
    games : sequence of str
        Ids or synonyms of rule sets; all if empty.
    quick : bool
        Whether to measure for a short time only.
    cold : bool
        Whether to measure also how long the first result takes where nothing is compiled yet.

    Yields
    ------
    Row
        One after another, as they are measured.

    Raises
    ------
    UsageError
        For an unknown game.
    """
    chosen = [registry.ruleset(name).id for name in games] or list(registry.rulesets())
    return _measure(chosen, quick, cold)


def _measure(games: Sequence[str], quick: bool, cold: bool) -> Iterator[Row]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0  # of others: nothing is done here yet
    yield from _dealing(quick)
    yield from _play(games, quick)
    yield from _search(games, quick)
    yield from _solver(quick)
    yield from _workers(games, quick, load)
    yield from _start(games, quick, cold)


def _dealing(quick: bool) -> Iterator[Row]:
    from simcards.kernel import dealing_bench
    from simcards.study import aside

    for row in aside.call(dealing_bench.measure, 52, 10 if quick else 50):
        name = f"52 cards, {row['name']}"
        yield Row("dealing", name, rate=row["rate"], ratio=row["ratio"], note=row["note"])


def _play(games: Sequence[str], quick: bool) -> Iterator[Row]:
    from simcards.study import aside

    plans = [
        _plan(game, strategy)
        for game in games
        for strategy in STRATEGIES
        if strategy in registry.ruleset(game).strategies
    ]
    best = _best([_player(plan) for plan in plans], 0.04 if quick else 0.1, 5 if quick else 15)
    for plan, seconds in zip(plans, best):
        decisions = aside.call(_decisions, plan)
        yield Row(
            "play",
            f"{plan.game}, {plan.strategies[0]}",
            rate=1.0 / seconds,
            decisions=decisions,
            ns=1e9 * seconds / decisions,
        )


def _search(games: Sequence[str], quick: bool) -> Iterator[Row]:
    from simcards.study import aside

    searched = [game for game in games if "mc" in registry.ruleset(game).strategies]
    made = [aside.call(_searcher, _plan(game, "basic")) for game in searched]
    best = _best([run for run, _, _ in made], 0.04 if quick else 0.1, 5 if quick else 15)
    for game, (_, actions, note), seconds in zip(searched, made, best, strict=True):
        yield Row("search", f"{game}, playouts of mc", rate=actions / seconds, note=note)


def _solver(quick: bool) -> Iterator[Row]:
    from simcards import solver_bench
    from simcards.study import aside

    for row in aside.call(solver_bench.measure, 50 if quick else 200):
        yield Row("solver", row["name"], rate=row["rate"], note=f"median {1e3 * row['median']:.2g} ms")


def _searcher(plan: Plan) -> tuple[Callable[[int], None], int, str]:
    """Return a function that tries a decision in the middle of a deal in so many worlds, its actions, and its place."""
    import numpy as np

    from simcards.kernel import search
    from simcards.kernel.protocol import OPTIONS
    from simcards.study.advise import replayed_position
    from simcards.study.replay import replay

    steps = replay(plan, 0).steps
    middle = len(steps) // 2
    place = min((k for k, step in enumerate(steps) if len(step.legal) > 2), key=lambda k: abs(k - middle))
    question = replayed_position(plan, 0, place + 1)
    actions = np.array(question.actions, np.int64)
    legal = np.uint64(sum(1 << action for action in question.actions))
    options = np.zeros(1, OPTIONS)

    def run(count: int) -> None:
        views = question.views(SEED, 0, count)
        values, usual = np.empty((count, len(actions))), np.empty(count, np.int64)
        search.advise(views, np.uint64(SEED), 0, legal, question.part, options, actions, values, usual)

    return run, len(actions), f"decision {place + 1} of {len(steps)}"


def _plan(game: str, strategy: str, deals: int = 1) -> Plan:
    from simcards.study.plan import make_plan

    return make_plan(game, deals=deals, strategies=strategy, seed=SEED)


def _player(plan: Plan) -> Callable[[int], None]:
    """Return a function that plays so many deals of a plan, in this thread, from the cards to the rows."""
    from simcards.study.table import BLOCK, table

    at = table(plan)
    rows = at.rows(BLOCK)

    def run(count: int) -> None:
        for start in range(0, count, BLOCK):
            block = rows[: min(BLOCK, count - start)]
            complaint = at.play(start, start + len(block), block)
            if complaint:  # pragma: no cover
                raise RuntimeError(complaint)

    return run


def _decisions(plan: Plan) -> float:
    from simcards.study.replay import replay

    return sum(len(replay(plan, deal).steps) for deal in range(_COUNTED)) / _COUNTED


def _best(contenders: Sequence[Callable[[int], None]], seconds: float, rounds: int) -> list[float]:
    """Return the least time that one takes of each, when each is run for about so many seconds in turn."""
    from simcards.study import aside

    sizes = []
    for run in contenders:
        aside.call(run, 1)  # compiles
        size, taken = 1, 0.0
        while taken < seconds / 4:
            size *= 4
            taken = _time(run, size)
        sizes.append(max(1, round(size * seconds / taken)))
    best = [float("inf")] * len(sizes)
    for _ in range(rounds):
        for place, (run, size) in enumerate(zip(contenders, sizes)):
            best[place] = min(best[place], _time(run, size) / size)
    return best


def _time(run: Callable[[int], None], size: int) -> float:
    began = time.perf_counter()
    run(size)
    return time.perf_counter() - began


def _workers(games: Sequence[str], quick: bool, load: float) -> Iterator[Row]:
    many = os.cpu_count() or 1
    if many < 2:
        yield Row("workers", "two workers", note="skipped: there is one processor only")
        return
    game = games[-1]
    strategy = "basic" if "basic" in registry.ruleset(game).strategies else registry.ruleset(game).strategies[0]
    rate = _run(_plan(game, strategy, 500))
    plan = _plan(game, strategy, max(500, round(rate * (0.5 if quick else 1.5))))
    best = {1: 0.0, 2: 0.0}
    for _ in range(3 if quick else 5):
        for workers in best:
            best[workers] = max(best[workers], _run(plan, workers))
    note = f"others were at work: load {load:.1f}" if load > 0.3 * many else ""
    yield Row("workers", f"{plan.game}, {strategy}, one worker", rate=best[1], ratio=1.0)
    yield Row("workers", f"{plan.game}, {strategy}, two workers", rate=best[2], ratio=best[2] / best[1], note=note)


def _run(plan: Plan, workers: int | None = None) -> float:
    """Return how many deals a second are played."""
    from simcards.study.engine import run

    outcome = run(plan, workers=workers)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return outcome.rate


def _start(games: Sequence[str], quick: bool, cold: bool) -> Iterator[Row]:
    again = 3 if quick else 5
    for words in (["--help"], ["games"]):
        yield Row("start", f"simcards {' '.join(words)}", seconds=min(_command(words) for _ in range(again)))
    for game in games:
        words = ["play", game, "-n", "1000"]
        name = f"simcards {' '.join(words)}"
        _command(words)
        yield Row("start", name, seconds=min(_command(words) for _ in range(2)), note="compiled before")
        if cold:
            with tempfile.TemporaryDirectory() as folder:
                seconds = _command(words, {"SIMCARDS_CACHE_DIR": folder})
            yield Row("start", name, seconds=seconds, note="nothing compiled before")


def _command(words: Iterable[str], settings: dict[str, str] | None = None) -> float:
    """Return the seconds that a command takes in a process of its own."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "simcards", *words],
        env={**os.environ, **(settings or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


def provenance() -> dict[str, Any]:
    """Return on what was measured.

    Returns
    -------
    dict
        Can be written as JSON.
    """
    import platform

    import numba
    import numpy as np

    import simcards

    return {
        "version": simcards.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
