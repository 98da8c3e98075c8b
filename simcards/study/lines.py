"""Rows as lines of text, written by compiled code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import MISSING

_NONE = np.int64(MISSING)
_LONGEST = 21  # the number of a deal; a value takes 11 at most


@dataclass(frozen=True)
class Form:
    """What stands around the numbers of a line.

    Attributes
    ----------
    text : ndarray of uint8
        What stands before the number of the deal, before each value, and at the end, one after the other.
    stops : ndarray of int64
        Where each of these ends.
    none : ndarray of uint8
        What stands for a value that is not there.
    """

    text: NDArray[np.uint8]
    stops: NDArray[np.int64]
    none: NDArray[np.uint8]

    def lines(self, cells: NDArray[np.int32], first: int) -> bytes:
        """Write rows.

        Parameters
        ----------
        cells : ndarray of int32, shape (rows, columns)
            The rows.
        first : int
            Number of the first row's deal.

        Returns
        -------
        bytes
        """
        rows, columns = cells.shape
        width = len(self.text) + _LONGEST + columns * max(11, len(self.none))
        room = np.empty(rows * width, np.uint8)
        return room[: write_lines(cells, first, self.text, self.stops, self.none, room)].tobytes()


def csv(columns: Sequence[str]) -> Form:
    """Return the form of comma-separated lines.

    Parameters
    ----------
    columns : sequence of str
        Names of the columns.

    Returns
    -------
    Form
    """
    return _form(["", *("," for _ in columns), "\n"], "")


def json_lines(index: str, columns: Sequence[str]) -> Form:
    """Return the form of lines that are JSON objects.

    Parameters
    ----------
    index : str
        Name of the number of the deal.
    columns : sequence of str
        Names of the columns.

    Returns
    -------
    Form
    """
    return _form([f"{{{json.dumps(index)}: ", *(f", {json.dumps(name)}: " for name in columns), "}\n"], "null")


def _form(texts: Sequence[str], none: str) -> Form:
    joined, stops = "".join(texts).encode("ascii"), np.cumsum([len(text) for text in texts])
    return Form(np.frombuffer(joined, np.uint8), stops, np.frombuffer(none.encode("ascii"), np.uint8))


@kernel
def write_lines(cells: Any, first: Any, text: Any, stops: Any, none: Any, out: Any) -> Any:
    """Write rows as lines of text.

    Parameters
    ----------
    cells : ndarray of int32, shape (rows, columns)
        The rows.
    first : int
        Number of the first row's deal.
    text, stops, none
        As for `Form`.
    out : ndarray of uint8
        Room for `text` and all numbers in every row.

    Returns
    -------
    int
        How many bytes were written.
    """
    at = 0
    columns = cells.shape[1]
    for r in range(cells.shape[0]):
        at = _copy(text, 0, stops[0], out, at)
        at = _write_number(first + r, out, at)
        for c in range(columns):
            at = _copy(text, stops[c], stops[c + 1], out, at)
            value = np.int64(cells[r, c])
            at = _copy(none, 0, none.shape[0], out, at) if value == _NONE else _write_number(value, out, at)
        at = _copy(text, stops[columns], stops[columns + 1], out, at)
    return at


@kernel
def _copy(text: Any, start: Any, stop: Any, out: Any, at: Any) -> Any:
    for k in range(start, stop):
        out[at + k - start] = text[k]
    return at + stop - start


@kernel
def _write_number(value: Any, out: Any, at: Any) -> Any:
    if value < 0:
        out[at] = 45  # a minus
        at += 1
        value = -value
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    for k in range(digits):
        out[at + digits - 1 - k] = 48 + value % 10
        value //= 10
    return at + digits
