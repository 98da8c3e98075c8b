"""The file in which an unfinished study waits to be gone on with.

It is JSON: a format, a hash, and the payload (which study, how far, the exact sums). It counts as whole only
when writing its content anew gives the very same bytes and the hash agrees, so no changed byte goes
unnoticed.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import simcards
from simcards.errors import UsageError
from simcards.study.accumulate import Layout, Tally
from simcards.study.files import check_writable, replacing

EVERY = 5.0  # seconds between two writings
_FORMAT = "simcards-checkpoint-1"
_HEAD = f'{{"format":"{_FORMAT}",'.encode()


class Identity(NamedTuple):
    """What a checkpoint belongs to.

    Attributes
    ----------
    fingerprint : str
        Hash of all that the sums depend on.
    about : dict
        The same in readable form; it stands in the file for people to look at.
    layout : Layout
        What is summed.
    rows : int
        How many rows a deal makes.
    """

    fingerprint: str
    about: dict[str, Any]
    layout: Layout
    rows: int = 1


class Checkpoint:
    """Where a study is saved while it runs.

    Parameters
    ----------
    path : path-like
        The file.
    identity : Identity
        The study.

    Raises
    ------
    UsageError
        When the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str], identity: Identity) -> None:
        self.path = Path(path)
        self._identity = identity
        self._files = _files(identity.about)
        self._written = time.monotonic()
        self._warned = False
        check_writable(path)

    def read(self, resume: bool) -> tuple[int, Tally]:
        """Return how far the study had come, and the sums.

        Parameters
        ----------
        resume : bool
            Whether to go on from the file; otherwise it is only made sure that it may be overwritten.

        Returns
        -------
        deals : int
            Number of deals done; 0 when there is no file.
        tally : Tally
            Their sums.

        Raises
        ------
        UsageError
            When the file is not whole, not a checkpoint, or of another study or version.
        """
        if not os.path.lexists(self.path):
            return 0, Tally.empty(self._identity.layout)
        try:
            deals, tally = load(self.path, self._identity)
        except UsageError as error:
            if resume:
                raise
            raise UsageError(f"{error}; it is kept, choose another file or remove it") from None
        return (deals, tally) if resume else (0, Tally.empty(self._identity.layout))

    def save(self, deals: int, tally: Tally, force: bool = False) -> None:
        """Write the file when the last writing was some time ago.

        A disk that fails does not stop the study: there is one warning.

        Parameters
        ----------
        deals : int
            Number of deals done.
        tally : Tally
            Their sums.
        force : bool
            Whether to write at any rate.
        """
        now = time.monotonic()
        if not force and now - self._written < EVERY:
            return
        self._written = now
        try:
            with replacing(self.path) as temporary:
                temporary.write_bytes(_encode(self._identity, deals, tally, self._files))
        except OSError as error:
            if not self._warned:
                self._warned = True
                reason = error.strerror or str(error)
                warnings.warn(
                    f"the checkpoint {str(self.path)!r} could not be written ({reason}); the run goes on",
                    UserWarning,
                    stacklevel=2,
                )


def load(path: str | os.PathLike[str], identity: Identity) -> tuple[int, Tally]:
    """Read a checkpoint.

    Parameters
    ----------
    path : path-like
        The file.
    identity : Identity
        The study it must belong to.

    Returns
    -------
    deals : int
        Number of deals done.
    tally : Tally
        Their sums.

    Raises
    ------
    UsageError
        When the file cannot be read, is not whole, not a checkpoint, or of another study or version.
    """
    name = str(path)
    payload = _payload(path)
    version = payload.get("version")
    if version != simcards.__version__:
        raise UsageError(
            f"the checkpoint {name!r} was written by simcards {version}, and this is {simcards.__version__}"
        )
    if payload.get("fingerprint") != identity.fingerprint:
        raise UsageError(
            f"the checkpoint {name!r} belongs to another study: "
            f"{_difference(payload.get('about'), identity.about) or _changed(payload.get('files'), identity.about)}"
        )
    try:
        deals, tally = payload["deals"], Tally.from_json(identity.layout, payload["tally"])
        if type(deals) is not int or identity.rows * deals != tally.whole.rows:
            raise ValueError("the deals are not those of the sums")
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"the checkpoint {name!r} is damaged: {error}") from None
    return deals, tally


def _payload(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a file says, when it is a checkpoint and whole."""
    name = str(path)
    try:
        with open(path, "rb") as file:
            if file.read(len(_HEAD)) != _HEAD:
                raise UsageError(f"{name!r} is not a checkpoint of simcards, or its first bytes are damaged")
            content = _HEAD + file.read()
    except OSError as error:
        raise UsageError(f"cannot read the checkpoint {name!r}: {error.strerror or error}") from None
    try:
        data = json.loads(content)
        payload = data["payload"]
        whole = _wrap(payload) == content
    except (ValueError, KeyError, TypeError, RecursionError):
        whole = False
    if not whole or not isinstance(payload, dict):
        raise UsageError(f"the checkpoint {name!r} is damaged or cut off")
    return payload


def _difference(there: Any, here: dict[str, Any]) -> str:
    """Say in a few words in what a checkpoint differs from the study; nothing when it does not."""
    if not isinstance(there, dict):
        return ""
    for key in dict.fromkeys([*here, *there]):
        old, new = there.get(key), here.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            inner = _difference(old, new)
            if inner:
                return inner
        elif old != new:
            return f"{key} is {_short(old)} there and {_short(new)} here"
    return ""


def _changed(there: Any, about: dict[str, Any]) -> str:
    """Say what has changed where the study is the same in words: a file of strategies, or else the code."""
    here = _files(about)
    if not isinstance(there, dict):
        return f"the code of {' or of '.join(['simcards', *here])} has changed since"
    changed = [file for file, digest in here.items() if there.get(file) != digest]
    return f"the code of {' and of '.join(changed) or 'simcards'} has changed since"


def _files(about: dict[str, Any]) -> dict[str, str]:
    """Return the hashes of the files that the strategies of a study are in."""
    from simcards.study.players import digest, parse

    names = [*about.get("strategies", ()), *([about["against"]] if "against" in about else ())]
    parts = [part for name in names for part in parse(name) if part.file]
    return {part.file: digest(f"{part.file}:{part.name}") for part in parts}


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def _encode(identity: Identity, deals: int, tally: Tally, files: dict[str, str]) -> bytes:
    return _wrap(
        {
            "version": simcards.__version__,
            "fingerprint": identity.fingerprint,
            "about": identity.about,
            "files": files,
            "deals": deals,
            "tally": tally.as_json(),
        }
    )


def _wrap(payload: Any) -> bytes:
    inner = _dump(payload)
    digest = hashlib.sha256(inner.encode()).hexdigest()
    return f'{{"format":"{_FORMAT}","sha256":"{digest}","payload":{inner}}}\n'.encode()


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)
