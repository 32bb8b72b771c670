"""Continue a run and never end. Run as a module, it prints a line after the first block.

python -m tests.store.holding FOLDER
"""

import sys
import time
from pathlib import Path

from sim.registry import register
from tests.every_game.coin_duel import GAME
from tests.store.folders import duel_run

LONG_S = 120  # then the process ends itself


def wait(*_) -> None:
    """Report the first block, then wait."""
    print("holding", flush=True)  # noqa: T201
    time.sleep(LONG_S)


if __name__ == "__main__":
    register(GAME)
    duel_run(Path(sys.argv[1]), GAME).fill(jobs=1, watch=wait)
