"""Compiled code in a thread of its own, so that Ctrl-C is heard while it is made and while it runs.

Python hears an interrupt in the main thread only, and only between two instructions of its own: never inside a
strategy that does not end, and the compiler does not survive one. So the main thread waits, and another does the work.
That thread cannot be stopped, but it can be left behind.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

PATIENCE = 5.0  # seconds that running code is waited for after an interrupt
_MOMENT = 0.05
_GAP = 0.3  # seconds between two compilations that are one to whoever waits

Result = TypeVar("Result")

_left: list[tuple[threading.Event, bool]] = []  # ends of work left behind, and whether it was waited for in vain


def call(function: Callable[..., Result], *args: Any) -> Result:
    """Call a function in another thread.

    Parameters
    ----------
    function : callable
        What is called.
    *args
        Its arguments.

    Returns
    -------
    object
        What it returns. After an interrupt it is waited for `PATIENCE`, unless it is compiling.
    """
    with contextlib.closing(results(function(*args) for _ in range(1))) as found:
        return next(found)


def results(parts: Iterator[Result]) -> Generator[Result, None, None]:
    """Iterate in another thread.

    Parameters
    ----------
    parts : generator
        What is iterated over; its code runs in the other thread, at most two results ahead, and it is closed there.

    Yields
    ------
    object
        Its results. To be closed when no more are wanted, which waits as `call` does.
    """
    compilation()  # from now on it is known what is compiled
    found: queue.Queue[tuple[Any, BaseException | None, bool]] = queue.Queue(1)
    enough, ended = threading.Event(), threading.Event()

    def find() -> None:
        fault: BaseException | None = None
        try:
            for part in parts:
                found.put((part, None, False))
                if enough.is_set():
                    break
            if isinstance(parts, Generator):
                parts.close()
        except BaseException as error:
            fault = error
        ended.set()
        found.put((None, fault, True))

    threading.Thread(target=find, name="simcards", daemon=True).start()
    try:
        while True:
            part, fault, last = found.get()
            if fault is not None:
                raise fault
            if last:
                return
            yield part
    finally:
        enough.set()
        _leave(ended, found)


def _leave(ended: threading.Event, found: queue.Queue[Any]) -> None:
    """Wait until the work has ended, but not for ever; another interrupt ends the waiting."""
    # Not by joining the thread: interrupted in that, Python takes it for one that has ended
    end = time.monotonic() + PATIENCE
    compiling = False
    try:
        while not ended.is_set() and not compiling and time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                found.get_nowait()  # it may be waiting to hand over what nobody wants
            ended.wait(_MOMENT)
            compiling = compilation().busy
    finally:
        if not ended.is_set():
            _left.append((ended, not compiling))
            if compiling:
                atexit.register(_outlast, ended)


def _outlast(ended: threading.Event) -> None:
    """Let the compiler end: the interpreter does not end in peace while it is at work."""
    while not ended.is_set() and compilation().busy:
        ended.wait(_MOMENT)


def left() -> bool:
    """Return whether work that was left behind is still going on.

    Returns
    -------
    bool
    """
    return any(not ended.is_set() for ended, _ in _left)


def endless() -> bool:
    """Return whether work that was waited for in vain is still going on.

    Returns
    -------
    bool
    """
    return any(vain and not ended.is_set() for ended, vain in _left)


class Compilation:
    """Whether something is being compiled, as numba tells; loading compiled code from the cache is not."""

    def __init__(self) -> None:
        self._depth = 0
        self._began = 0.0
        self._ended = -_GAP
        self._watchers: list[Callable[[], None]] = []

    @property
    def busy(self) -> bool:
        """Whether the compiler is at work."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """How long it has been going on, one function after the other; 0.0 when nothing is compiled."""
        now = time.monotonic()
        return now - self._began if self.busy or now < self._ended + _GAP else 0.0

    @contextlib.contextmanager
    def watched(self, begun: Callable[[], None]) -> Iterator[None]:
        """Call a function whenever something begins to be compiled, until the end of the block.

        Parameters
        ----------
        begun : callable
            The function.
        """
        self._watchers.append(begun)
        try:
            yield
        finally:
            self._watchers.remove(begun)

    def begin(self) -> None:
        """Note that a function is compiled."""
        if not self.seconds:
            self._began = time.monotonic()
            for begun in tuple(self._watchers):
                begun()
        self._depth += 1

    def end(self) -> None:
        """Note that it has been compiled."""
        self._depth -= 1
        self._ended = time.monotonic()


@functools.cache
def compilation() -> Compilation:
    """Return what is being compiled in this process.

    Returns
    -------
    Compilation
    """
    from numba.core import event

    state = Compilation()

    class Listener(event.Listener):
        def on_start(self, event: object) -> None:
            state.begin()

        def on_end(self, event: object) -> None:
            state.end()

    register: Any = event.register
    register("numba:compile", Listener())
    return state
