"""Decision functions of strangers: checked where ours are trusted, and plain Python where that is wanted.

What fails in them must not end the process or pass for a decision. So a compiled one checks the bounds of arrays, and
whatever it raises becomes the action `RAISED`, at which the driver stops; the decision is then asked for once more to
learn what was wrong.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import inspect
import operator
import re
import textwrap
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError, NumbaWarning

from simcards.errors import nearest
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import OPTIONS, RAISED
from simcards.kernel.rng import STREAM

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)


class CannotCompileError(Exception):
    """A function that numba refuses; the message is one line."""


class ForeignPolicy(types.WrapperAddressProtocol):
    """A decision function that is not ours.

    Parameters
    ----------
    function : callable
        ``(view, legal[, rng[, options]]) -> action``.
    view, options : numpy.dtype
        Record types of its arguments.
    compiled : bool
        Whether it is compiled, or called as plain Python.

    Raises
    ------
    CannotCompileError
        When it cannot be compiled or returns something else than a whole number.
    """

    def __init__(
        self, function: Callable[..., Any], view: np.dtype[Any], options: np.dtype[Any], compiled: bool
    ) -> None:
        self._view, self._options = view, options
        plain = getattr(function, "py_func", function)
        self._arguments = len(inspect.signature(plain).parameters)
        self._file = plain.__code__.co_filename
        self._callback: Any = None  # kept alive as long as its address may be called
        if compiled:
            self._function = _compiled(plain, self._own_arguments())
            self._address = _guarded_address(self._function, self._arguments, self._all_arguments())
        else:
            self._function = plain
            self._callback = _CALL(self._call)
            self._address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def __wrapper_address__(self) -> int:
        """Return the address of the function."""
        return self._address

    def signature(self) -> Any:
        """Return the numba signature as the driver knows it, the same for all policies of a game."""
        return types.int64(*self._all_arguments()[:3], from_dtype(OPTIONS))

    def explain(self, view: Any, legal: int, rng: Any, options: Any) -> str:
        """Ask for a decision at which the driver stopped once more, and say what was raised.

        Parameters
        ----------
        view : VIEW
            What the player saw.
        legal : int
            The mask of legal actions.
        rng : STREAM
            The random stream as it was before.
        options : OPTIONS
            The parameters.

        Returns
        -------
        str
            One line; empty when nothing was raised this time.
        """
        record = np.frombuffer(options.tobytes()[: self._options.itemsize], self._options).view(np.recarray)[0]
        arguments = (view, np.uint64(legal), rng, record)[: self._arguments]
        try:
            with _careful():
                _action(self._function(*arguments))
        except BaseException as error:  # a strategy may also leave by sys.exit
            return _told(error, self._file)
        return ""

    def _all_arguments(self) -> tuple[Any, ...]:
        return from_dtype(self._view), types.uint64, from_dtype(STREAM), from_dtype(self._options)

    def _own_arguments(self) -> tuple[Any, ...]:
        return self._all_arguments()[: self._arguments]

    def _call(self, view: int, legal: int, rng: int, options: int) -> int:
        try:
            records = (
                _record(view, self._view),
                np.uint64(legal),
                _record(rng, STREAM),
                _record(options, self._options),
            )
            with _careful():
                return _action(self._function(*records[: self._arguments]))
        except BaseException:  # what leaves a callback would leave an action by chance
            return RAISED


def _action(result: Any) -> int:
    """Return what a function of plain Python decided; what is not a whole number is not an action."""
    try:
        return operator.index(result)
    except TypeError:
        raise TypeError(f"it must return an action, which is a whole number, not {result!r}") from None


def _careful() -> np.errstate:
    """Make NumPy's numbers raise where they would warn and go on with a wrong value."""
    return np.errstate(divide="raise", over="raise", invalid="raise")


def _record(address: int, dtype: np.dtype[Any]) -> Any:
    """Return the record at an address; its fields are attributes, as in compiled code."""
    memory = memoryview((ctypes.c_char * dtype.itemsize).from_address(address))
    return np.frombuffer(memory, dtype).view(np.recarray)[0]


def _compiled(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    dispatcher = kernel(function, boundscheck=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)  # of what is slow or not kept: not the player's matter
            dispatcher.compile(arguments)
    except NumbaError as error:
        raise CannotCompileError(_shortened(error)) from error
    except KeyError as error:  # numba's way of saying that a record has no such field
        raise CannotCompileError(_no_field(function, str(error.args[0]), arguments)) from error
    result = dispatcher.overloads[arguments].signature.return_type
    if isinstance(result, types.Optional):
        raise CannotCompileError("not every way through it returns an action")
    if not isinstance(result, (types.Integer, types.Boolean)):
        raise CannotCompileError(f"it must return an action, which is a whole number, not {_named(result)}")
    return dispatcher


def _no_field(function: Callable[..., Any], name: str, arguments: tuple[Any, ...]) -> str:
    known: set[str] = set()
    records = [kind for kind in arguments if isinstance(kind, types.Record)]
    while records:
        record = records.pop()
        known |= set(record.fields)
        inner = [field.type for field in record.fields.values()]
        inner = [kind.dtype if isinstance(kind, types.NestedArray) else kind for kind in inner]
        records += [kind for kind in inner if isinstance(kind, types.Record)]
    places: list[int] = []
    with contextlib.suppress(OSError, SyntaxError):
        lines, first = inspect.getsourcelines(function)
        nodes = ast.walk(ast.parse(textwrap.dedent("".join(lines))))
        places = [first + node.lineno - 1 for node in nodes if isinstance(node, ast.Attribute) and node.attr == name]
    where = f" (line {min(places)})" if places else ""
    return f"there is no field {name!r}{where}{nearest(name, known)}"


def _guarded_address(decide: Any, count: int, arguments: tuple[Any, ...]) -> int:
    guarded = numba.njit(_guards(decide)[count], nogil=True)
    guarded.compile(types.int64(*arguments))
    result = guarded.overloads[arguments]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def _guards(decide: Any) -> dict[int, Callable[..., Any]]:
    """Return functions of four arguments that hand on two, three or all, and turn what is raised into an action."""

    def two(view, legal, rng, options):
        try:
            return np.int64(decide(view, legal))
        except Exception:
            return np.int64(RAISED)

    def three(view, legal, rng, options):
        try:
            return np.int64(decide(view, legal, rng))
        except Exception:
            return np.int64(RAISED)

    def four(view, legal, rng, options):
        try:
            return np.int64(decide(view, legal, rng, options))
        except Exception:
            return np.int64(RAISED)

    return {2: two, 3: three, 4: four}


def _told(error: BaseException, file: str) -> str:
    """Say what was raised, and where in the stranger's file."""
    text = f"{type(error).__name__}: {error}".splitlines()[0] if str(error) else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file]
    place = own[-1] if own else None
    return f"{text} (line {place.lineno} of {Path(file).name})" if place else text


def _named(result: Any) -> str:
    return {"none": "None", "unicode_type": "text"}.get(str(result), f"a {result}")


def _shortened(error: NumbaError) -> str:
    """Return the line of numba's explanation that says most, and the place."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in str(error).splitlines()]
    place = [found[1] for line in lines if (found := re.match(r'File ".*", line (\d+):?$', line))]
    telling = [
        line for line in lines if line and not re.match(r"Failed in|During: |File |>>> |<source|- Resolution", line)
    ]
    reason = telling[0].rstrip(".:") if telling else type(error).__name__
    return reason + (f" (line {place[-1]})" if place else "")
