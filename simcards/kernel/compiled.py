"""How everything is compiled: one decorator, and one cache folder that follows the package's sources.

Numba keeps compiled code beside the file of the decorated function and looks only at that file's time. A driver
specialised for a game would not notice that the game's module changed. So our own functions are kept in a folder
named by a hash of all of the package's sources: any change of code means a new folder, old folders are removed, and
other packages' caches are left alone. Nothing breaks when the folder cannot be written, only time is lost.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import tempfile
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numba.experimental.function_type  # registers the type of `Policy`
from numba.core import types
from numba.core.errors import NumbaExperimentalFeatureWarning

# First-class function arguments (policies) are how the driver is compiled once for all strategies; numba calls them
# experimental at every compilation. That message, and only that one, is silenced.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

_KEEP = 4  # cache folders of other versions of the sources to leave in place
_lock = threading.Lock()
_config: Any = numba.config


@functools.cache
def source_hash(package: str = "games") -> str:
    """Return a hash of the sources that compiled code of a subpackage can depend on, and of numba's version.

    Parameters
    ----------
    package : str
        ``"games"``, ``"odds"``, ``"study"`` …: its sources count besides those of the kernel package and the cards.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    root = Path(__file__).parent.parent
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    paths = {root / "cards.py", *(root / "kernel").rglob("*.py"), *(root / package).rglob("*.py")}
    paths |= set((root / package).rglob("*.csv"))  # tables are constants in what is compiled
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _base_folder() -> Path:
    chosen = os.environ.get("SIMCARDS_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("simcards", appauthor=False))


@functools.cache
def cache_folder(package: str = "games") -> Path | None:
    """Return the folder for compiled code, made if needed, or None when it cannot be written.

    ``SIMCARDS_CACHE_DIR`` chooses another place than the user's cache folder.

    Parameters
    ----------
    package : str
        As for `source_hash`.

    Returns
    -------
    pathlib.Path or None
        The folder of the present sources.
    """
    folder = _base_folder() / f"{package}-{source_hash(package)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _remove_old(folder, package)
    except OSError:
        return None
    return folder


def _remove_old(current: Path, package: str) -> None:
    # only folders that were made here: the name is a hash of sources, anything else beside them is somebody's own
    ours = re.compile(rf"{re.escape(package)}-[0-9a-f]{{16}}")
    others = [path for path in current.parent.iterdir() if ours.fullmatch(path.name) and path != current]
    others.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[_KEEP:]:
        shutil.rmtree(path, ignore_errors=True)


class _ForgivingCache:
    """A dispatcher's cache that loses a compiled function rather than stop the run when the disk fails."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            self._cache.save_overload(sig, data)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._cache.load_overload(sig, target_context)
        except Exception:  # a file cut short or damaged: reading it can raise anything
            with contextlib.suppress(OSError):
                self._cache.flush()  # its index is begun anew, so that what is compiled now can be kept
            return None


def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function: without Python objects, without the interpreter lock, kept in our cache folder.

    Parameters
    ----------
    function : callable, optional
        The function; left out when options are given.
    **options
        Further options of ``numba.njit``, such as ``inline="always"``.

    Returns
    -------
    numba.core.dispatcher.Dispatcher
        Compiled when first called.
    """
    if function is None:
        return lambda inner: kernel(inner, **options)
    dispatcher = numba.njit(nogil=True, **options)(function)
    module = function.__module__.split(".")
    # the driver is specialised for games, and so is what strangers compile
    folder = cache_folder(module[1] if module[0] == "simcards" and module[1] != "kernel" else "games")
    if folder is not None:
        with _lock:
            before = _config.CACHE_DIR
            _config.CACHE_DIR = str(folder)
            try:
                dispatcher.enable_caching()
                dispatcher._cache = _ForgivingCache(dispatcher._cache)
            except RuntimeError:  # the source is not in a file, as when it was typed in: compiled, but not kept
                pass
            finally:
                _config.CACHE_DIR = before
    return dispatcher


class Policy(types.WrapperAddressProtocol):
    """A compiled decision function that the driver calls by its address.

    Numba gives every dispatcher a type of its own, which would compile the driver anew for each strategy. This
    object has only the type of its signature, so one compiled driver serves all strategies, also a user's.

    Parameters
    ----------
    function : callable
        ``(view, legal, rng, options) -> action``, or a dispatcher of it.
    signature : numba.core.typing.Signature
        Types of the arguments and of the result, as the driver knows them.
    own : numba.core.typing.Signature
        The same as the function knows them, where that differs.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, own: Any = None) -> None:
        self._signature = signature
        self._own = signature if own is None else own
        self._dispatcher: Any = function if hasattr(function, "py_func") else kernel(function)
        self._address: int | None = None

    def __wrapper_address__(self) -> int:
        """Return the address of the compiled function, compiling it when first asked."""
        if self._address is None:
            self._dispatcher.compile(self._own)
            result = self._dispatcher.overloads[self._own.args]
            self._address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        return self._address

    def signature(self) -> Any:
        """Return the numba signature of the policy."""
        return self._signature
