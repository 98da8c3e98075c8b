"""A line on the terminal that shows how far a run has come."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcards.study.engine import Progress


_LINE_SECONDS = 10.0


@contextlib.contextmanager
def shown(
    title: str = "", *, show: bool | None = None, at_most: bool = False
) -> Iterator[Callable[[Progress], None] | None]:
    """Show deals done, deals a second and the time left on standard error while a run goes on.

    Parameters
    ----------
    title : str
        What stands before the bar.
    show : bool, optional
        Whether to show anything; if left out, when standard error is a terminal.
    at_most : bool
        Whether the run may end before all deals are done, since it only goes on until precise enough.

    Yields
    ------
    callable or None
        To be given to the engine as `progress`.

    Examples
    --------
    >>> with shown("whist") as progress:  # doctest: +SKIP
    ...     run(plan, progress=progress)
    """
    if show is None:
        show = sys.stderr.isatty()
    if not show:
        yield None
    elif sys.stderr.isatty():
        with _bar(title, at_most) as update:
            yield update
    else:
        yield _Lines(title, at_most)


@contextlib.contextmanager
def _bar(title: str, at_most: bool) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[text]}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, text="")

        def update(progress: Progress) -> None:
            text = described(progress, at_most)
            bar.update(task, total=progress.deals, completed=progress.done, text=text)

        yield update


class _Lines:
    """Writes a line every now and then where there is no terminal to draw on."""

    def __init__(self, title: str, at_most: bool) -> None:
        self._title = title
        self._at_most = at_most
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        if progress.seconds >= self._next or progress.done == progress.deals:
            self._next = progress.seconds + _LINE_SECONDS
            print(f"{self._title}: {described(progress, self._at_most)}", file=sys.stderr, flush=True)


def described(progress: Progress, at_most: bool = False) -> str:
    """Write how far a run has come.

    Parameters
    ----------
    progress : Progress
        How far.
    at_most : bool
        Whether the run may end before all deals are done.

    Returns
    -------
    str
        ``"1,200 of 5,000 deals, 480/s, 8 s left"``.
    """
    limit = "at most " if at_most else ""
    rate = f"{progress.rate:,.0f}/s" if progress.rate >= 10.0 else f"{progress.rate:.2g}/s"
    left = f", {limit}{clock(progress.left)} left" if progress.left > 0.0 else ""
    return f"{progress.done:,} of {limit}{progress.deals:,} deals, {rate}{left}"


def clock(seconds: float) -> str:
    """Write a time as ``"12 s"``, ``"3:05"`` or ``"2:03:04"``.

    Parameters
    ----------
    seconds : float
        The time.

    Returns
    -------
    str
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
