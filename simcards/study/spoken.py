"""What strategies print: to standard error, since standard output is for results.

A strategy runs in another thread than the one that writes results, and compiled code prints through ``sys.stdout`` too.
So what counts is the thread: within `aside_of_results` it speaks to standard error, the others go on as before.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any

_lock = threading.Lock()
_here = threading.local()  # how deep this thread is within such blocks
_entered = 0  # how many such blocks there are in all threads


class _ByThread:
    """Standard output, but for those threads that are to speak to standard error.

    Parameters
    ----------
    stream : file
        Standard output as it was.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write to whichever it is for this thread; as anywhere in Python, to nothing where that is None."""
        stream = self._chosen()
        return len(text) if stream is None else int(stream.write(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Pass on what was written."""
        stream = self._chosen()
        if stream is not None:
            stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._chosen(), name)

    def _chosen(self) -> Any:
        stream: Any = sys.stderr if getattr(_here, "depth", 0) else self._stream
        return stream._stream if isinstance(stream, _ByThread) else stream  # somebody has sent errors to the output


@contextlib.contextmanager
def aside_of_results() -> Iterator[None]:
    """Send what this thread prints to standard error, until the end of the block."""
    global _entered
    with _lock:
        if not isinstance(sys.stdout, _ByThread):  # also where somebody has put another stream there since
            sys.stdout = _ByThread(sys.stdout)
        _entered += 1
    _here.depth = getattr(_here, "depth", 0) + 1
    try:
        yield
    finally:
        _here.depth -= 1
        with _lock:
            _entered -= 1
            if not _entered and isinstance(sys.stdout, _ByThread):
                sys.stdout = sys.stdout._stream
