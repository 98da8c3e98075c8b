"""A line on the terminal that shows how far a run has come, and why it has not begun yet."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcards.study.engine import Progress


_LINE_SECONDS = 10.0
_SILENCE = 2.0  # seconds without a line after which it is said that something is compiled
_BLINK = 0.5  # the same on a terminal, where it goes away by itself


@contextlib.contextmanager
def shown(
    title: str = "", *, show: bool | None = None, at_most: bool = False
) -> Iterator[Callable[[Progress], None] | None]:
    """Show deals done, deals a second and the time left on standard error while a run goes on.

    While something is compiled that is said instead.

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
        with _bar(title, title, at_most) as update:
            yield update
    else:
        lines = _Lines(title, at_most)
        with lines.compiling():
            yield lines


@contextlib.contextmanager
def waiting(title: str, text: str = "", *, show: bool | None = None) -> Iterator[None]:
    """Show that something is compiled, if so, around what has no deals to count.

    Parameters
    ----------
    title : str
        What may be compiled, such as the game.
    text : str
        What is shown on a terminal otherwise, with the time.
    show : bool, optional
        As for `shown`.
    """
    if show is None:
        show = sys.stderr.isatty()
    if not show:
        yield
    elif sys.stderr.isatty():
        with _bar(title, text, False, timed=True):
            yield
    else:
        with _Lines(title, False).compiling():
            yield


def compiling(title: str) -> str:
    """Write what is waited for while something is compiled.

    Parameters
    ----------
    title : str
        What is compiled.

    Returns
    -------
    str
        ``"compiling whist (only the first time on this machine)"``.
    """
    return " ".join(["compiling", *title.split(), "(only the first time on this machine)"])


@contextlib.contextmanager
def _bar(title: str, text: str, at_most: bool, timed: bool = False) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task
    from rich.progress import Progress as Bar
    from rich.table import Column as Settings
    from rich.text import Text

    from simcards.study.aside import compilation

    class Column(ProgressColumn):
        def __init__(self, draw: Callable[[Task], Any]) -> None:
            super().__init__(Settings(no_wrap=draw is not second))
            self._draw = draw

        def render(self, task: Task) -> Any:
            return self._draw(task)

    compiler, bars = compilation(), BarColumn()

    def first(task: Task) -> Text:
        if compiler.seconds >= _BLINK:
            return Text(f"{compiling(title)}, {clock(compiler.seconds)}")
        return Text(f"{text}, {clock(task.elapsed or 0.0)}" if timed and text else text)

    def second(task: Task) -> Any:
        return Text() if task.total is None or compiler.seconds >= _BLINK else bars.render(task)

    def third(task: Task) -> Text:
        return Text("" if compiler.seconds >= _BLINK else task.fields["text"])

    columns = (Column(draw) for draw in (first, second, third))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, text="")

        def update(progress: Progress) -> None:
            bar.update(task, total=progress.deals, completed=progress.done, text=described(progress, at_most))

        yield update


class _Lines:
    """Writes a line every now and then where there is no terminal to draw on."""

    def __init__(self, title: str, at_most: bool) -> None:
        self._title = title
        self._at_most = at_most
        self._next = 0.0
        self._silent = True
        self._timer: threading.Timer | None = None

    def __call__(self, progress: Progress) -> None:
        self._silent = False
        if progress.seconds >= self._next or progress.done == progress.deals:
            self._next = progress.seconds + _LINE_SECONDS
            self._print(f"{self._title}: {described(progress, self._at_most)}")

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """Say once that something is compiled, if that takes long and nothing else has been said yet."""
        from simcards.study.aside import compilation

        with compilation().watched(self._begun):
            yield
        if self._timer is not None:
            self._timer.cancel()

    def _begun(self) -> None:
        if self._silent and self._timer is None:
            self._timer = threading.Timer(_SILENCE, self._tell)
            self._timer.daemon = True
            self._timer.start()

    def _tell(self) -> None:
        if self._silent:
            self._print(compiling(self._title))

    def _print(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


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
