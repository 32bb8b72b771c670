"""The one door to numba: the decorators for kernels and verbs, and a disk cache that cannot be stale.

numba's own disk cache looks at the file of a kernel only, not at what the kernel calls. So the cache folder is named by
a digest of every source below `sim/engine` and `sim/games`, where all kernels are (and of any folder named with `cover`): a
changed constant, table or rule there lands in a new folder and is compiled anew. numba writes its index without a lock, so
that two processes that compile different signatures of one kernel could leave an index that names the wrong code: here they
take turns.
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
DIGITS = 20  # of the digest in a folder's name
SECONDS_PER_DAY = 86_400
SOURCES = Path(__file__).resolve().parents[1]
config: Any = numba_config  # its settings are made at run time
COMPILED = not config.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1: kernels are then plain Python functions

_covered: list[Path] = [SOURCES / "engine", SOURCES / "games"]  # what lies above holds no kernel
_kernels: list[Any] = []


def cache_folder() -> Path:
    """Folder of the compiled code that belongs to the present sources, below `FAIRFIGHT_CACHE` or the user's cache.

    The name also carries where the sources lie (numba files code by its path), the versions of Python, numba and NumPy, the
    processor, and whether bounds are checked: `NUMBA_BOUNDSCHECK` is otherwise ignored on a cache hit.
    """
    digest = hashlib.sha256()
    digest.update(repr((sys.version_info[:3], numba.__version__, np.__version__)).encode())
    digest.update(repr((config.BOUNDSCHECK, binding.get_host_cpu_name())).encode())
    for root in _covered:
        digest.update(str(root).encode() + b"\0")
        add_sources(digest, root)
    return _cache_home() / digest.hexdigest()[:DIGITS]


def add_sources(digest: Any, root: Path) -> None:
    """Feed a hashlib digest with every source below a folder: names relative to it, and contents."""
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")


def _cache_home() -> Path:
    """First writable place among FAIRFIGHT_CACHE, the user's cache folder, and a private temporary folder."""
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
    return Path(tempfile.mkdtemp(prefix="fairfight-"))  # good for this process only


def ignored_cache() -> str | None:
    """FAIRFIGHT_CACHE where it is set but cannot be used, else None."""
    wanted = os.environ.get("FAIRFIGHT_CACHE")
    return wanted if wanted and _cache_home() != Path(wanted) else None


def _is_ours(place: Path) -> bool:
    """Whether nobody else can plant code in a folder: it is loaded from there."""
    about = place.stat()
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & stat.S_IWOTH)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function for play: cached on disk, without the interpreter lock, division as in NumPy."""
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    if COMPILED:
        _kernels.append(compiled)
        _cache_in(compiled, _own_folder if _is_built_in(compiled) else _folder)
    return compiled


def cover(folder: Path) -> None:
    """Let the cache depend on the sources below `folder` too: for a game that lives outside `sim/`.

    Kernels of the built-in games stay where they are, for they call nothing outside: they need not be compiled once more.
    """
    global _folder  # noqa: PLW0603 - the one piece of state that a late-coming game changes
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
    """Delete compiled code of other sources that nobody has used for so many days; returns how many folders went."""
    gone = 0
    for folder in _cache_home().glob("[0-9a-f]" * DIGITS):
        used = max(path.stat().st_mtime for path in (folder, *folder.glob("*.warm")))
        if folder not in {_folder, _own_folder} and time.time() - used > days * SECONDS_PER_DAY:
            shutil.rmtree(folder, ignore_errors=True)
            gone += 1
    return gone


def is_warm(name: str) -> bool:
    """Whether `note_warm` was told that everything compiled under this name is in the cache."""
    return not COMPILED or (_folder / f"{name}.warm").exists()


def note_warm(name: str) -> None:
    """Remember in the cache that whatever goes by this name has been compiled."""
    if COMPILED:
        with contextlib.suppress(OSError):  # it only spares a progress bar
            _folder.mkdir(parents=True, exist_ok=True)  # new, where `cover` came after the compiling
            (_folder / f"{name}.warm").touch()


class _Counted(numba_event.Listener):
    """Counts kernels as the compiler finishes them."""

    def __init__(self, watch: Callable[[int, int], None]) -> None:
        self._watch = watch
        self._done: set[int] = set()

    def on_start(self, event: Any) -> None:
        """Nothing: a kernel counts when it is finished."""

    def on_end(self, event: Any) -> None:
        """Count a kernel once, however many signatures it is compiled for."""
        self._done.add(id(event.data["dispatcher"]))
        known = {id(compiled) for compiled in _kernels}
        self._watch(len(self._done & known), len(known))


@contextlib.contextmanager
def compiling(watch: Callable[[int, int], None]) -> Iterator[None]:
    """Call watch(kernels compiled so far, kernels that the imported games have) whenever the compiler finishes one.

    What the cache holds is not compiled, and no part of a game needs all of its kernels, so that the first number may stay below
    the second.
    """
    with numba_event.install_listener("numba:compile", _Counted(watch)):
        yield


class _OneAtATime(FunctionCache):
    """The disk cache of one kernel, read and written by one process at a time."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the code of a signature, or None."""
        with self._lock():
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code of a signature."""
        with self._lock():
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def _lock(self) -> FileLock:
        return FileLock(Path(self.cache_path).with_suffix(".lock"))


def _cache_in(compiled: Any, folder: Path) -> None:
    """Point one kernel's disk cache at `folder`, leaving the setting for the user's own numba code as it was."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        # as its enable_caching() does, with a lock
        compiled._cache = _OneAtATime(compiled.py_func)  # type: ignore[no-untyped-call]
    finally:
        config.CACHE_DIR = before


def record_type(dtype: Any) -> Any:
    """Return the numba type of a record of a structured NumPy dtype."""
    return numpy_support.from_dtype(dtype)


_own_folder = cache_folder()  # of the engine and the built-in games alone
_folder = _own_folder
