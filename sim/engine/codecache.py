"""Folders of compiled code in the user's cache, and files in them that are checked before they are used.

Code is kept in one folder per game, named by a digest of the sources of the engine and of the game, wherever they lie: after
any change of them, the kernels of the game are compiled into a new folder, and those of other games are not. Kernels of a game
must therefore call nothing outside the game's package and the engine. Kernels of the engine are compiled for each game and kept
with it.

Each file holds the code of one kernel for one signature, behind a SHA-256 of the code and of the file's place. A file that does
not match its digest, such as one cut short by a power cut or copied from another folder, is set aside and its code compiled
again: loading it could crash the process. Where nothing can be written, code is compiled in each process.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import binding

from sim.durable import write_file
from sim.engine.sources import ENGINE, add_sources

DIGITS = 20  # hex digits of a digest in the name of a folder or file
SECONDS_PER_DAY = 86_400
CHECKSUM_BYTES = hashlib.sha256().digest_size

log = logging.getLogger(__name__)
_unsaved: set[Path | None] = set()  # folders that could not be written to; None if there is none
config: Any = numba.config  # Any, because numba sets its attributes at run time


def cache_folder(root: Path = ENGINE) -> Path | None:
    """Return the folder of compiled code of a game whose sources are below `root`, in the user's cache; None if there is none.

    Its name is a digest of these sources and the engine's, as they were when first asked for, the versions of Python, numba and
    NumPy, the processor, and bounds checking, because numba ignores `NUMBA_BOUNDSCHECK` on a cache hit.
    """
    home = cache_home()
    return home / _digest_of(root) if home else None


@functools.cache
def _digest_of(root: Path) -> str:
    versions = sys.version_info[:3], numba.__version__, np.__version__
    digest = hashlib.sha256(repr((versions, processor(), config.BOUNDSCHECK)).encode())
    for sources in dict.fromkeys((ENGINE, root)):
        digest.update(sources.name.encode() + b"\0")
        add_sources(digest, sources)
    return digest.hexdigest()[:DIGITS]


def processor() -> tuple[str, str]:
    """Name and features of the processor that numba compiles for."""
    return config.CPU_NAME or binding.get_host_cpu_name(), config.CPU_FEATURES or binding.get_host_cpu_features().flatten()


def cache_home() -> Path | None:
    """Return the first writable folder: FAIRFIGHT_CACHE or the user's cache, then a private temporary folder.

    None if there is no such folder.
    """
    for place in _places():
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.access(place, os.W_OK) and _is_ours(place):
                return place
        except OSError:
            continue
    return None


def _places() -> Iterator[Path]:
    """Folders that can hold compiled code, the preferred one first."""
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - never fails
    wanted = os.environ.get("FAIRFIGHT_CACHE")
    yield Path(wanted) if wanted else Path(user_cache) / "fairfight"
    try:
        temporary = tempfile.gettempdir()
    except FileNotFoundError:  # no temporary folder can be written
        return
    yield Path(temporary) / f"fairfight-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _is_ours(place: Path) -> bool:
    """Whether no other user can write code to a folder, from which it would be loaded."""
    info = place.stat()
    return not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & stat.S_IWOTH)


def ignored_cache() -> str | None:
    """Return FAIRFIGHT_CACHE if it is set but cannot be used, else None."""
    wanted = os.environ.get("FAIRFIGHT_CACHE")
    return wanted if wanted and cache_home() != Path(wanted) else None


def prune(days: int = 30) -> int:
    """Delete compiled code that was not used for `days` days; returns the number of deleted folders."""
    home, deleted = cache_home(), 0
    for folder in home.glob("[0-9a-f]" * DIGITS) if home else ():
        used = max(path.stat().st_mtime for path in (folder, *folder.glob("*.warm")))
        if time.time() - used > days * SECONDS_PER_DAY:
            shutil.rmtree(folder, ignore_errors=True)
            deleted += 1
    return deleted


def read_code(path: Path) -> bytes | None:
    """Return the code in a file, or None if there is none. A damaged file, or one of another place, is set aside."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
    if checksum == _checksum(path, code):
        return code
    set_aside(path, "is damaged")
    return None


def _checksum(path: Path, code: bytes) -> bytes:
    """SHA-256 of code and of its folder and file below the user's cache, which name its sources, versions and signature."""
    return hashlib.sha256("/".join(path.parts[-3:]).encode() + b"\0" + code).digest()


def set_aside(path: Path, reason: str) -> None:
    """Rename a file of code that cannot be used, with a warning."""
    aside = path.with_suffix(".damaged")
    try:
        path.replace(aside)
    except OSError:
        log.warning("%s: compiled code %s; compiling it again", path, reason)
    else:
        log.warning("%s: compiled code %s; set aside as %s, compiling it again", path, reason, aside.name)


def write_code(path: Path, code: bytes) -> None:
    """Write code to a file. If that fails, warn once; the code in memory can be used all the same."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, _checksum(path, code) + code, temporary)
    except OSError as error:
        warn_unsaved(path.parents[1], error.strerror or type(error).__name__)


def warn_unsaved(folder: Path | None, reason: str) -> None:
    """Warn once for a folder that compiled code cannot be kept. folder: None if there is none."""
    if folder not in _unsaved:
        _unsaved.add(folder)
        where = f"{folder}: " if folder else ""
        log.warning("%scompiled code cannot be kept (%s); each command compiles it again", where, reason.lower())


def is_saved(folder: Path | None) -> bool:
    """Whether all code that this process compiled for a folder was written to it."""
    return folder is not None and folder not in _unsaved
