"""Files that are either whole or not there: written beside their place and moved into it."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from simcards.errors import UsageError


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary file in the folder of `path`, and move it to `path` when all went well.

    Parameters
    ----------
    path : path-like
        Where the file is to be; what was there is replaced in one step.

    Yields
    ------
    pathlib.Path
        The temporary file, empty.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    os.close(handle)
    try:
        yield Path(name)
        with open(name, "rb") as written:
            os.fsync(written.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise when no file can be written at `path`; nothing is left behind.

    Parameters
    ----------
    path : path-like
        Where a file is going to be.

    Raises
    ------
    UsageError
        With the reason, in one line.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            what = "a folder" if target.is_dir() else "not a file"
            raise UsageError(f"cannot write {str(path)!r}: it is {what}")
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except UsageError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, FileNotFoundError):
            there = target.parent.is_dir()
            folder = repr(str(target.parent))
            reason = f"no file can be made in {folder}" if there else f"there is no folder {folder}"
        raise UsageError(f"cannot write {str(path)!r}: {reason}") from None


def _mode(target: Path) -> int:
    """Return the mode of the file to be replaced, or that of a new file."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextlib.contextmanager
def uninterrupted() -> Iterator[list[int]]:
    """Hold back Ctrl-C until the end of the block, so that what is written is whole.

    Yields
    ------
    list of int
        What was held back; emptied it is forgotten.
    """
    held: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield held  # only the main thread is ever interrupted
        return
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
        if held:
            signal.raise_signal(signal.SIGINT)
