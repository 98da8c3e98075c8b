"""The engine: plays a study in chunks on several workers and merges their exact sums.

What is merged is always the range of deals [0, n), in order. So a run that was interrupted after n deals is
the run of n deals, whatever the number of workers and the size of the chunks; and one that goes on from a
checkpoint ends as if it had never stopped.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from simcards.errors import UsageError
from simcards.study import aside
from simcards.study.accumulate import Layout, Part, Summing, Tally, layout_of
from simcards.study.checkpoint import Checkpoint, Identity
from simcards.study.files import uninterrupted
from simcards.study.plan import Plan, whole_number
from simcards.study.table import BLOCK, PlayError, matrix, table

MOST_CHUNK = 2**24
_CHUNK_SECONDS = 0.2  # what a chunk should take
_TRIAL_SECONDS = 0.02  # how long to play before the size of the chunks is settled
_WINDOW = 32

Result = TypeVar("Result", covariant=True)


class Work(Protocol[Result]):
    """What is done for a range of deals; it is pickled and sent to the workers."""

    def __call__(self, low: int, high: int) -> Result | str:
        """Return the result for the deals ``low`` to ``high - 1``, or what went wrong in words."""
        ...


class Study(Work[Part], Protocol):
    """Work whose results are sums."""

    @property
    def layout(self) -> Layout:
        """What is summed."""
        ...

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        ...

    def half_width(self, tally: Tally, target: str | None, confidence: float) -> float:
        """Return half the width of the confidence sequence of the target quantity."""
        ...


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes
    ----------
    done, deals : int
        Deals done and wanted (at most).
    seconds : float
        Time since the start.
    rate : float
        Deals a second since the start.
    left : float
        Seconds until all deals are done, at this rate.
    """

    done: int
    deals: int
    seconds: float
    rate: float
    left: float


@dataclass(frozen=True)
class Execution:
    """How a run went, and its sums.

    Attributes
    ----------
    tally : Tally
        The exact sums.
    deals : int
        The sums are those of the deals 0 to ``deals - 1``.
    interrupted : bool
        Whether it was interrupted before all deals wanted were done.
    precision : float, optional
        The half width asked for.
    target : str, optional
        The column or rate it was asked for.
    precise : bool, optional
        Whether it was reached, or whatever else the run was to go on until.
    resumed : int
        Deals that were taken from the checkpoint.
    seconds : float
        Time taken for the others, without compiling.
    workers : int
        Number of workers.
    backend : str
        What the workers were.
    finished : float
        When it ended, in seconds since 1970.
    """

    tally: Tally
    deals: int
    interrupted: bool
    precision: float | None = None
    target: str | None = None
    precise: bool | None = None
    resumed: int = 0
    seconds: float = 0.0
    workers: int = 1
    backend: str = ""
    finished: float = field(default_factory=time.time)

    @property
    def rate(self) -> float:
        """Deals a second; nan when none were played."""
        played = self.deals - self.resumed
        return played / self.seconds if played and self.seconds > 0.0 else math.nan


@dataclass(frozen=True)
class Outcome(Execution):
    """The result of a study of one plan.

    Attributes
    ----------
    plan : Plan
        What was played.
    group_by : str, optional
        The column by whose value the sums are divided.
    """

    plan: Plan = field(kw_only=True)
    group_by: str | None = None

    def describe(self) -> dict[str, Any]:
        """Return what was played as plain data.

        Returns
        -------
        dict
        """
        about = self.plan.describe()
        return about if self.group_by is None else {**about, "group_by": self.group_by}


def run(
    plan: Plan,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    precision: float | None = None,
    target: str | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    group_by: str | None = None,
) -> Outcome:
    """Play a plan and sum up every quantity.

    The result depends on the plan alone: not on `workers`, `chunk` or the machine. Ctrl-C ends the run; the
    outcome then covers the deals done so far and is exactly that of a shorter run. A strategy that does not end is
    left behind then, see `simcards.study.aside`.

    Parameters
    ----------
    plan : Plan
        What is played.
    workers : int, optional
        Number of workers; all processors if left out. They are threads unless `joblib.parallel_config`
        chooses another backend.
    chunk : int, optional
        Deals in a chunk; chosen by the speed of the game if left out.
    precision : float, optional
        Stop when the target's confidence sequence is no wider than this on either side. Looked at after
        1,000, 1,250, 1,560, … deals; ``plan.deals`` is then the maximum.
    target : str, optional
        A column such as ``"points.pone"``, or the rate at which it is above zero,
        ``"any_carte_blanche.pone"``; the payoff of the first seat if left out.
    confidence : float
        Confidence level of the sequence.
    progress : callable, optional
        Called with a `Progress` after each chunk.
    checkpoint : path-like, optional
        File in which the run is saved every few seconds and at the end.
    resume : bool
        Whether to go on from that file, if it is there.
    group_by : str, optional
        A column by whose value, a small whole number, the sums are divided.

    Returns
    -------
    Outcome

    Raises
    ------
    UsageError
        When something asked for is not there or a checkpoint cannot be used.
    PlayError
        When the game or a strategy is at fault.
    """
    study = PlayStudy(plan, group_by)
    execution = execute(
        study,
        plan.deals,
        workers=workers,
        chunk=chunk,
        precision=precision,
        target=target,
        confidence=confidence,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    return Outcome(**vars(execution), plan=plan, group_by=group_by)


@dataclass(frozen=True)
class PlayStudy:
    """The sums over the rows of a plan.

    Attributes
    ----------
    plan : Plan
        What is played.
    group_by : str, optional
        The column by whose value the rows are divided.
    """

    plan: Plan
    group_by: str | None = None

    @property
    def layout(self) -> Layout:
        """What is summed."""
        return layout_of(self.plan.load(), self.group_by)

    @property
    def identity(self) -> Identity:
        """What a checkpoint of it belongs to."""
        about = self.plan.describe()
        del about["deals"]
        about["group_by"] = self.group_by
        return Identity(f"{self.plan.fingerprint()}/{self.group_by}", about, self.layout)

    def half_width(self, tally: Tally, target: str | None, confidence: float) -> float:
        """Return half the width of the confidence sequence of a column or of a rate.

        Parameters
        ----------
        tally : Tally
            The sums so far.
        target : str or None
            The column or rate; the payoff of the first seat if None.
        confidence : float
            Confidence level.

        Returns
        -------
        float
        """
        from simcards.study.result import sequence_of

        game = self.plan.load()
        return sequence_of(game, tally, target or _default_target(self.plan), confidence).half_width

    def __call__(self, low: int, high: int) -> Part | str:
        """Play a range of deals and sum up their rows."""
        at = table(self.plan)
        layout = self.layout
        summing = Summing(layout)
        rows = at.rows(min(BLOCK, high - low))
        for start in range(low, high, BLOCK):
            block = rows[: min(BLOCK, high - start)]
            complaint = at.play(start, start + len(block), block)
            if complaint:
                return complaint
            wrong = summing.add(matrix(block))
            if wrong >= 0:
                value = int(matrix(block)[wrong, layout.index(layout.group or "")])
                return (
                    f"{layout.group} is {value} in deal {start + wrong}; a column to group by may have "
                    f"values from {layout.first} to {layout.first + 63}"
                )
        return summing.part()


def _default_target(plan: Plan) -> str:
    game = plan.load()
    return next(column.name for column in game.columns if column.quantity.name == game.payoff)


def execute(
    study: Study,
    deals: int,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    precision: float | None = None,
    target: str | None = None,
    confidence: float = 0.95,
    enough: Callable[[Tally], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Execution:
    """Carry out a study; see `run` for the other parameters.

    Parameters
    ----------
    enough : callable, optional
        Says of the sums so far whether to stop. It is asked at the same looks as the precision, which it takes the
        place of; whether it ended the run is then `Execution.precise`.

    Returns
    -------
    Execution
    """
    layout = study.layout
    if precision is not None:
        _check_precision(study, precision, target, confidence)
        wanted: float = precision

        def enough(tally: Tally) -> bool:
            return study.half_width(tally, target, confidence) <= wanted

    elif target is not None:
        raise UsageError("a target is given without a precision to reach")
    crew = Crew(workers, chunk)
    saved: Checkpoint | None = None
    start, tally = 0, Tally.empty(layout)
    if checkpoint is not None:
        saved = Checkpoint(checkpoint, study.identity)
        start, tally = saved.read(resume)
        if start > deals:
            raise UsageError(f"the checkpoint {str(checkpoint)!r} holds {start:,} deals already, more than {deals:,}")
    elif resume:
        raise UsageError("there is no checkpoint file to resume from: name one")

    prefix = (start, tally)
    interrupted = False
    precise = None if enough is None else False
    tell = Teller(progress, start, deals)
    try:
        if start < deals:
            crew.compile(study, start)
        tell.begin()
        for stop in _stops(start, deals, looking=enough is not None):
            if stop > prefix[0]:
                with contextlib.closing(crew.results(study, prefix[0], stop, tell)) as parts:
                    for done, part in parts:
                        # one assignment, so that an interrupt cannot come between deals and sums
                        prefix = (done, prefix[1].merged(Tally.of(layout, part)))
                        if saved is not None:
                            saved.save(*prefix)
            if enough is not None and enough(prefix[1]):
                precise = True
                break
    except KeyboardInterrupt:
        interrupted = prefix[0] < deals
    finally:
        seconds = tell.seconds
        if saved is not None and prefix[0] > start:
            with uninterrupted() as held:
                saved.save(*prefix, force=True)
                if interrupted:
                    held.clear()  # whoever presses Ctrl-C twice is obeyed already
    return Execution(
        prefix[1],
        prefix[0],
        interrupted,
        precision,
        target,
        precise,
        start,
        seconds,
        crew.workers,
        crew.backend,
    )


def _check_precision(study: Study, precision: float, target: str | None, confidence: float) -> None:
    number = isinstance(precision, int | float) and not isinstance(precision, bool)
    if not number or not 0.0 < precision < math.inf:
        raise UsageError(f"the precision must be a number above 0, not {precision!r}")
    study.half_width(Tally.empty(study.layout), target, confidence)  # names and confidence are checked there


def _stops(start: int, deals: int, looking: bool) -> Iterator[int]:
    """Yield the numbers of deals at which to stop and look, from `start` on; the last one is `deals`."""
    if looking:
        from simcards.stats import looks

        for look in itertools.takewhile(lambda look: look < deals, looks()):
            if look >= start:
                yield look
    yield deals


class Teller:
    """Tells how far a run has come, and keeps its time.

    Parameters
    ----------
    progress : callable or None
        Whom to tell.
    start, deals : int
        Deals done before, and wanted.
    """

    def __init__(self, progress: Callable[[Progress], None] | None, start: int, deals: int) -> None:
        self._progress = progress
        self._start = start
        self._deals = deals
        self._began: float | None = None

    def begin(self) -> None:
        """Start the clock."""
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return 0.0 if self._began is None else time.perf_counter() - self._began

    def __call__(self, done: int) -> None:
        """Tell that the deals before `done` are done."""
        if self._progress is not None:
            seconds = self.seconds
            rate = (done - self._start) / seconds if seconds > 0.0 else math.nan
            left = (self._deals - done) / rate if rate > 0.0 else math.nan
            self._progress(Progress(done, self._deals, seconds, rate, left))


class Crew:
    """Workers, and the size of the chunks they are given.

    Parameters
    ----------
    workers : int, optional
        Number of workers; that of `joblib.parallel_config`, or all processors.
    chunk : int, optional
        Deals in a chunk; settled by a trial if left out.
    most : int
        Largest chunk that a trial may settle on.
    window : int
        Chunks a worker that are handed out before all are waited for, so at most that many results are held.

    Attributes
    ----------
    workers : int
        Number of workers.
    backend : str
        What they are: ``"threading"``, ``"loky"``, …
    """

    def __init__(
        self,
        workers: int | None = None,
        chunk: int | None = None,
        most: int = MOST_CHUNK,
        window: int = _WINDOW,
    ) -> None:
        from joblib.parallel import get_active_backend

        _, configured = get_active_backend()  # with a preference for threads it would be 1 if not chosen
        backend, _ = get_active_backend(prefer="threads")
        self._jobs: int = -1 if configured is None else configured
        if workers is not None:
            self._jobs = whole_number("the number of workers", workers, 1, 10_000)
        self._chunk = None if chunk is None else whole_number("the size of a chunk", chunk, 1, MOST_CHUNK)
        self._settled: int | None = None
        self._most = most
        self._window = window
        self.workers: int = backend.effective_n_jobs(self._jobs)
        self.backend = type(backend).__name__.removesuffix("Backend").lower()
        if not backend.supports_return_generator and self.workers > 1:
            raise UsageError(f"the joblib backend {self.backend!r} gives no results on the way; use 'loky'")

    def compile(self, work: Work[Any], deal: int, count: int = 1) -> None:
        """Do a little of the work, so that everything is compiled: once, and before the clock is started.

        Parameters
        ----------
        work : Work
            What is to be done.
        deal : int
            The deal it is done for.
        count : int
            0 where work for no deals compiles everything too.
        """
        aside.call(work, deal, deal + count)

    def results(
        self, work: Work[Result], low: int, high: int, tell: Callable[[int], None]
    ) -> Generator[tuple[int, Result], None, None]:
        """Do the work for a range of deals, chunk by chunk, in other threads than this one.

        Parameters
        ----------
        work : Work
            What is to be done.
        low, high : int
            Range of deals.
        tell : callable
            Called with the number of deals done, after the result of each chunk was taken.

        Yields
        ------
        upto : int
            The deals before this one are done.
        result : object
            The result of the chunk that ends there.

        Raises
        ------
        PlayError
            For the first deal that could not be played.
        """
        from joblib import Parallel

        # made here, since what `joblib.parallel_config` says holds in this thread only
        parallel = Parallel(
            n_jobs=self._jobs,
            prefer="threads",
            return_as="generator",
            batch_size=1,
            pre_dispatch="2 * n_jobs",
        )
        with contextlib.closing(aside.results(self._chunks(parallel, work, low, high))) as chunks:
            for upto, result in chunks:
                yield upto, result
                tell(upto)

    def _chunks(
        self, parallel: Any, work: Work[Result], low: int, high: int
    ) -> Generator[tuple[int, Result], None, None]:
        size = 1
        while self._chunk is None and self._settled is None and low < high:
            # Played by one thread, also so that nothing is compiled by several at once
            upto = min(low + size, high)
            began = time.perf_counter()
            result = work(low, upto)
            seconds = time.perf_counter() - began
            if seconds >= _TRIAL_SECONDS:
                self._settled = min(self._most, max(1, int((upto - low) / seconds * _CHUNK_SECONDS)))
            yield upto, _sound(result)
            low, size = upto, min(2 * size, self._most)
        if low == high:
            return
        fair = math.ceil((high - low) / (4 * self.workers))
        ranges = _ranges(low, high, self._chunk or min(self._settled or 1, fair))
        with parallel:
            while window := list(itertools.islice(ranges, self._window * self.workers)):
                results = parallel(_task(work, *limits) for limits in window)
                try:
                    for (_, upto), result in zip(window, results, strict=True):
                        yield upto, _sound(result)
                finally:
                    with warnings.catch_warnings():
                        # Closed early, joblib complains that work was lost; that is what an interrupt means.
                        warnings.simplefilter("ignore", UserWarning)
                        results.close()


def _sound(result: Result | str) -> Result:
    if isinstance(result, str):
        raise PlayError(result)
    return result


def _ranges(low: int, high: int, size: int) -> Iterator[tuple[int, int]]:
    for start in range(low, high, size):
        yield start, min(start + size, high)


def _task(work: Work[Any], low: int, high: int) -> Any:
    from joblib import delayed

    return delayed(carry_out)(work, low, high)


def carry_out(work: Work[Any], low: int, high: int) -> Any:
    """Do one chunk; this is what the workers call.

    Parameters
    ----------
    work : Work
        What is to be done.
    low, high : int
        Range of deals.

    Returns
    -------
    object
        The result.
    """
    return work(low, high)
