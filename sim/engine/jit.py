"""The only module that imports numba: decorators for kernels and verbs, and a disk cache that is never stale.

numba's disk cache checks the file of a kernel only, not the functions that the kernel calls. Here the cache folder is named
by a digest of every source below `sim/engine` and `sim/games`, which contain all kernels, and below any folder added with
`cover`: after any change there, kernels are compiled into a new folder. numba also writes its index without a lock, so two
processes that compile different signatures of a kernel could leave an index that names the wrong code. A lock prevents that.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from filelock import FileLock
from llvmlite import binding
from numba.core import config as numba_config
from numba.core import event as numba_event
from numba.core.caching import FunctionCache
from numba.extending import overload
from numba.np import numpy_support

__all__ = [
    "COMPILED",
    "Record",
    "add_sources",
    "cache_folder",
    "compiling",
    "cover",
    "ignored_cache",
    "is_warm",
    "kernel",
    "note_warm",
    "overload",
    "prune",
    "record_type",
]

Record = Any  # one record of a structured array: np.void to Python, a pointer into the array to compiled code
DIGITS = 20  # hex digits of the digest in a folder's name
SECONDS_PER_DAY = 86_400
SOURCES = Path(__file__).resolve().parents[1]
config: Any = numba_config  # Any, because numba sets its attributes at run time
COMPILED = not config.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1: kernels are then plain Python functions

_covered: list[Path] = [SOURCES / "engine", SOURCES / "games"]  # the other packages contain no kernels
_kernels: list[Any] = []


def cache_folder() -> Path:
    """Return the folder of compiled code for the current sources, below `FAIRFIGHT_CACHE` or the user's cache.

    The digest also covers the path of the sources (numba indexes code by path), the versions of Python, numba and NumPy, the
    processor, and bounds checking, because numba ignores `NUMBA_BOUNDSCHECK` on a cache hit.
    """
    digest = hashlib.sha256()
    digest.update(repr((sys.version_info[:3], numba.__version__, np.__version__)).encode())
    digest.update(repr((config.BOUNDSCHECK, binding.get_host_cpu_name())).encode())
    for root in _covered:
        digest.update(str(root).encode() + b"\0")
        add_sources(digest, root)
    return _cache_home() / digest.hexdigest()[:DIGITS]


def add_sources(digest: Any, root: Path) -> None:
    """Update a hashlib digest with the relative name and content of every source below a folder."""
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")


def _cache_home() -> Path:
    """Return the first writable folder: FAIRFIGHT_CACHE or the user's cache, then a private temporary folder."""
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - never fails
    private = Path(tempfile.gettempdir()) / f"fairfight-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    wanted = os.environ.get("FAIRFIGHT_CACHE")
    for place in [Path(wanted) if wanted else Path(user_cache) / "fairfight", private]:
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        if os.access(place, os.W_OK) and _is_ours(place):
            return place
    return Path(tempfile.mkdtemp(prefix="fairfight-"))  # for this process only


def ignored_cache() -> str | None:
    """Return FAIRFIGHT_CACHE if it is set but cannot be used, else None."""
    wanted = os.environ.get("FAIRFIGHT_CACHE")
    return wanted if wanted and _cache_home() != Path(wanted) else None


def _is_ours(place: Path) -> bool:
    """Whether no other user can write code to a folder, from which it would be loaded."""
    info = place.stat()
    return not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & stat.S_IWOTH)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: cached on disk, without the interpreter lock, division as in NumPy."""
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    if COMPILED:
        _kernels.append(compiled)
        _cache_in(compiled, _own_folder if _is_built_in(compiled) else _folder)
    return compiled


def cover(folder: Path) -> None:
    """Make the cache depend on the sources below `folder` too, for a game outside `sim/`.

    Kernels of the built-in games keep their folder and are not recompiled, because they call nothing outside.
    """
    global _folder  # noqa: PLW0603 - the only state that a game registered later changes
    folder = folder.resolve()
    if folder.is_relative_to(SOURCES) or folder in _covered:
        return
    _covered.append(folder)
    _folder = cache_folder()
    for compiled in _kernels:
        if not _is_built_in(compiled):
            _cache_in(compiled, _folder)


def _is_built_in(compiled: Any) -> bool:
    """Whether a kernel belongs to a game below `sim/games`."""
    return Path(compiled.py_func.__code__.co_filename).is_relative_to(SOURCES / "games")


def prune(days: int = 30) -> int:
    """Delete compiled code of other sources that was not used for `days` days; returns the number of deleted folders."""
    deleted = 0
    for folder in _cache_home().glob("[0-9a-f]" * DIGITS):
        used = max(path.stat().st_mtime for path in (folder, *folder.glob("*.warm")))
        if folder not in {_folder, _own_folder} and time.time() - used > days * SECONDS_PER_DAY:
            shutil.rmtree(folder, ignore_errors=True)
            deleted += 1
    return deleted


def is_warm(name: str) -> bool:
    """Return whether `note_warm` was called with this name, so that its code is in the cache."""
    return not COMPILED or (_folder / f"{name}.warm").exists()


def note_warm(name: str) -> None:
    """Record in the cache that all code under this name has been compiled."""
    if COMPILED:
        with contextlib.suppress(OSError):  # the mark only avoids a progress bar
            _folder.mkdir(parents=True, exist_ok=True)  # missing if `cover` was called after compilation
            (_folder / f"{name}.warm").touch()


class _CompileCounter(numba_event.Listener):
    """Count kernels as the compiler finishes them."""

    def __init__(self, watch: Callable[[int, int], None]) -> None:
        self._watch = watch
        self._done: set[int] = set()

    def on_start(self, event: Any) -> None:
        """Do nothing; a kernel counts when it is finished."""

    def on_end(self, event: Any) -> None:
        """Count a kernel once for all its signatures."""
        self._done.add(id(event.data["dispatcher"]))
        known = {id(compiled) for compiled in _kernels}
        self._watch(len(self._done & known), len(known))


@contextlib.contextmanager
def compiling(watch: Callable[[int, int], None]) -> Iterator[None]:
    """Call watch(kernels compiled so far, kernels of the imported games) whenever the compiler finishes one.

    The first number can stay below the second: cached kernels are not compiled, and some kernels are not needed.
    """
    with numba_event.install_listener("numba:compile", _CompileCounter(watch)):
        yield


class _LockedCache(FunctionCache):
    """The disk cache of one kernel, read and written by one process at a time."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature, or None."""
        with self._lock():
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code of a signature."""
        with self._lock():
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def _lock(self) -> FileLock:
        return FileLock(Path(self.cache_path).with_suffix(".lock"))


def _cache_in(compiled: Any, folder: Path) -> None:
    """Set a kernel's disk cache to `folder`, without changing the setting for the user's own numba code."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        # like numba's enable_caching(), with a lock
        compiled._cache = _LockedCache(compiled.py_func)  # type: ignore[no-untyped-call]
    finally:
        config.CACHE_DIR = before


def record_type(dtype: Any) -> Any:
    """Return the numba record type of a structured NumPy dtype."""
    return numpy_support.from_dtype(dtype)


_own_folder = cache_folder()  # for the engine and the built-in games only
_folder = _own_folder
