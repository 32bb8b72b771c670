"""One folder of compiled code for all games of the tests, which begins with what the built-in games have compiled already.

A game from outside `sim/` lends its sources to the name of the cache folder. Were the games of the tests to come one after
the other, each order of them would have a folder of its own, and in each the loops of all games would be compiled anew.
"""

import shutil
from pathlib import Path

from filelock import FileLock

from sim.engine.jit import COMPILED, cover
from sim.engine.loop import play_block

FOLDERS = sorted(path for path in Path(__file__).parent.iterdir() if any(path.glob("*.py")))


def share_folder(lend: bool = False) -> None:
    """Let the cache depend on the sources of all games of the tests at once.

    lend: whether to begin it with what `fairfight warmup` compiled of the engine, if that was not done yet: the loops of
    built-in games are the same, whoever else may play. Only before other processes come to use the folder.
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
            lent.touch()


def engine_folder() -> Path:
    """Where the compiled code of `sim/engine` lies."""
    return Path(play_block._cache.cache_path)
