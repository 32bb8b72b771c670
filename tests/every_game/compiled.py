"""One folder of compiled code for all games of the tests. It starts with the code already compiled for the built-in games.

The name of the cache folder depends on the sources of every game from outside `sim/`. If the test games registered one after
the other, every order of them would have its own folder, and each folder would compile the loops of all games again.
"""

import shutil
from pathlib import Path

from filelock import FileLock

from sim.engine.jit import COMPILED, cover
from sim.engine.loop import play_block

FOLDERS = sorted(path for path in Path(__file__).parent.iterdir() if any(path.glob("*.py")))


def share_folder(lend: bool = False) -> None:
    """Make the cache folder depend on the sources of all test games at once.

    lend: copy the engine code that `fairfight warmup` compiled into the folder, unless it was copied before; the loops of
    built-in games do not depend on the test games. Pass it only before other processes use the folder.
    """
    if not COMPILED:
        return
    warm = engine_folder()
    for folder in FOLDERS:
        cover(folder)
    ours, lent = engine_folder(), engine_folder() / "lent"
    if lend and any(warm.glob("*.nbi")) and not lent.exists():
        with FileLock(warm.with_suffix(".lock")), FileLock(ours.with_suffix(".lock")):
            shutil.rmtree(ours)
            shutil.copytree(warm, ours)
            for mark in warm.parent.glob("*.warm"):  # else tests would compile the smaller forms of the loop again
                shutil.copy(mark, ours.parent)
            lent.touch()


def engine_folder() -> Path:
    """Folder of the compiled code of `sim/engine`."""
    return Path(play_block.entry._cache.cache_path)
