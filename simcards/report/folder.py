"""A folder of results: written beside its place and moved into it, replacing nothing but other results."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from simcards.errors import UsageError
from simcards.study.files import uninterrupted

FORMAT = "simcards-report-1"
PROVENANCE = "provenance.json"
_IGNORED = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what file managers leave behind


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise when no results can be written to a folder; nothing is changed.

    Parameters
    ----------
    folder : path-like
        Where they are to be.

    Raises
    ------
    UsageError
        When it holds anything that was not written by `write_folder`, or cannot be written.
    """
    try:
        target = Path(os.path.realpath(folder))
        _check_replaceable(target, str(folder))
        parent = target.parent
        while not parent.exists():
            parent = parent.parent
        with tempfile.TemporaryDirectory(prefix=".simcards.", dir=parent):
            pass
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from None


def write_folder(folder: str | os.PathLike[str], files: Mapping[str, str]) -> None:
    """Write the files of a report or of a result: all of them or none.

    Parameters
    ----------
    folder : path-like
        Where they are to be; those that were written there before are replaced.
    files : mapping
        Names within the folder, such as ``"tables/melds.csv"``, and contents; one is the provenance.

    Raises
    ------
    UsageError
        When the folder holds anything else, or cannot be written. What was there is then untouched.
    """
    try:
        target = Path(os.path.realpath(folder))
        _check_replaceable(target, str(folder))
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent))
        made, old = work / "new", work / "old"
        try:
            for name, content in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8", newline="\n")
            with uninterrupted():
                _swap(made, target, old)
        finally:
            if target.exists() or not old.exists():  # else the old report is still in there
                shutil.rmtree(work, ignore_errors=True)
    except (OSError, ValueError) as error:
        raise _unwritable(folder, error) from None


def _swap(made: Path, target: Path, old: Path) -> None:
    """Put a folder in the place of another; two steps, between which there is nothing for a moment."""
    there = target.exists()
    if there:
        shutil.copymode(target, made)
        os.rename(target, old)
    try:
        os.rename(made, target)
    except BaseException:
        if there:
            os.rename(old, target)
        raise
    for name in _left_behind(old):
        with contextlib.suppress(OSError):
            os.rename(old / name, target / name)


def _check_replaceable(target: Path, name: str) -> None:
    """Raise unless a folder is not there, empty, or holds what was written to it before and nothing more."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise UsageError(f"cannot write to {name!r}: it is a file")
    if Path.cwd().is_relative_to(target):
        raise UsageError(f"cannot write to {name!r}: it is the folder you are in, or one around it; name another")
    if all(path.name in _IGNORED for path in target.iterdir()):
        return
    ours = _files_of(target / PROVENANCE)
    if ours is None:
        raise UsageError(f"cannot write to {name!r}: the folder is not empty and not made by simcards; name another")
    foreign = sorted(_there(target) - ours - {parent.as_posix() for file in ours for parent in Path(file).parents})
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise UsageError(
            f"cannot replace what is in {name!r}: {foreign[0]!r}{more} in it was not made by simcards and would be lost"
        )


def _there(target: Path) -> set[str]:
    """Return the files and folders in a folder, but for what file managers leave behind."""
    found = set()
    for root, folders, files in os.walk(target):
        place = Path(root).relative_to(target)
        found |= {(place / name).as_posix() for name in [*folders, *files] if name not in _IGNORED}
    return found


def _left_behind(folder: Path) -> list[Path]:
    """Return what file managers left in a folder, relative to it."""
    return [
        (Path(root) / name).relative_to(folder)
        for root, _, files in os.walk(folder)
        for name in files
        if name in _IGNORED
    ]


def _files_of(provenance: Path) -> set[str] | None:
    """Return the files that a provenance says were written with it; None when it is none of ours."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        about = json.loads(provenance.read_text(encoding="utf-8"))
        if isinstance(about, dict) and about.get("format") == FORMAT and isinstance(about.get("files"), list):
            return {str(name) for name in about["files"]}
    return None


def _unwritable(folder: str | os.PathLike[str], error: OSError | ValueError) -> UsageError:
    if isinstance(error, UsageError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError(f"cannot write to {str(folder)!r}: {reason}")
