"""A line on the terminal that shows how far a run has come."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcards.study.engine import Progress


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
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]} deals"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, done="0", rate="", left="")

        def update(progress: Progress) -> None:
            left = f"{'at most ' * at_most}{clock(progress.left)} left" if progress.left > 0.0 else ""
            bar.update(
                task,
                total=progress.deals,
                completed=progress.done,
                done=f"{progress.done:,} of {'at most ' * at_most}{progress.deals:,}",
                rate=f"{progress.rate:,.0f}/s" if progress.rate >= 10.0 else f"{progress.rate:.2g}/s",
                left=left,
            )

        yield update


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
