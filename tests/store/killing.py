"""Kill runs at random moments and continue them. Run as a module, it prints the outcome as JSON.

python -m tests.store.killing FOLDER 100

Everything is loaded and compiled once. Then every run is played in a forked child, so that a kill hits a running run and not a
starting interpreter. The children of every third run write slowly and in two halves, so that kills hit half-written files.
"""

import gc
import io
import json
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sim.registry import register
from sim.run import play_range
from sim.store import Run
from sim.store.columns import Layout
from sim.store.manifest import sources_digest
from tests.every_game.coin_duel import GAME
from tests.every_game.play import experiment
from tests.store.folders import BLOCK, block_files, content, unfinished

GAMES = 24 * BLOCK
SLOW_EVERY, AGAIN_EVERY, EARLY_EVERY = (3, 4, 10)  # of the runs: slow writers, killed twice; of the kills: at the very start
PAUSE_S = 0.003  # in the middle of a slow file
MEASURED = 3  # runs whose median time is used
# Factors by which the time until the next kill adapts to the machine: about one kill in six comes too late.
SOONER, LATER = 0.9, 1.02

usual_open = Path.open


class Halting(io.BufferedWriter):
    """A file that is written in two halves."""

    def write(self, written) -> int:
        half = len(written) // 2
        super().write(written[:half])
        self.flush()
        time.sleep(PAUSE_S)
        return half + super().write(written[half:])


def open_slowly(path: Path, mode: str = "r", *more, **named):
    """`Path.open`, which writes new files slowly."""
    return Halting(io.FileIO(path, "x")) if mode == "xb" else usual_open(path, mode, *more, **named)


def go_on(folder: Path, jobs: int) -> None:
    """Begin or continue the run."""
    Run.begin(folder, experiment(GAME, GAMES), block_games=BLOCK).fill(jobs)


def fill(folder: Path, jobs: int) -> None:
    """Continue without flushing to the disk, which only matters for power cuts: writes of a killed process survive."""
    os.fsync = lambda _: None
    go_on(folder, jobs)


def fill_slowly(folder: Path, jobs: int) -> None:
    """Continue, but write slowly."""
    Path.open = open_slowly
    go_on(folder, jobs)


def started(work: Callable[[Path, int], None], folder: Path, jobs: int) -> int:
    """Do something in a forked child; returns its process id."""
    if child := os.fork():
        return child
    try:
        work(folder, jobs)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def finished(child: int) -> bool:
    """Wait for a child; False if it was killed. Raises RuntimeError if it failed."""
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError("a run failed")
    return True


class Killer:
    """Kills runs below a folder and counts what it hit."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.chance = folder, random.Random(8)
        self.kills = self.hits = self.half_written = self.before_the_manifest = 0
        self.blocks: Counter[int] = Counter()  # kills by the number of blocks written
        self.takes_s: dict[Callable[[Path, int], None], float] = {}

    def measure(self, work: Callable[[Path, int], None]) -> None:
        """Measure the median time of runs that are not killed."""
        seconds = []
        for number in range(MEASURED):
            began = time.perf_counter()
            finished(started(work, self.folder / f"{work.__name__}-{number}", 1 + number % 2))
            seconds.append(time.perf_counter() - began)
        self.takes_s[work] = sorted(seconds)[MEASURED // 2]

    def kill(self, work: Callable[[Path, int], None], folder: Path, jobs: int) -> None:
        """Begin or continue a run, and kill it at a random moment of its expected time."""
        early = self.kills % EARLY_EVERY == 0
        left = 1 - len(block_files(folder)) * BLOCK / GAMES
        child = started(work, folder, jobs)
        time.sleep(self.chance.uniform(0, self.takes_s[work] * (1 / SLOW_EVERY / EARLY_EVERY if early else left)))
        os.kill(child, signal.SIGKILL)
        self.kills += 1
        hit = not finished(child)
        self.takes_s[work] *= LATER if hit else SOONER
        if hit:
            self.hits += 1
            self.blocks[len(block_files(folder))] += 1
            self.half_written += bool(unfinished(folder))
            self.before_the_manifest += not (folder / "manifest.json").exists()


def main(folder: Path, runs: int) -> dict[str, object]:
    """Kill and continue a number of runs; returns the outcome."""
    began = time.perf_counter()
    gc.freeze()  # garbage collection would copy memory in every child
    killer = Killer(folder)
    for work in (fill, fill_slowly):
        killer.measure(work)
    whole = content(folder / "fill-0")
    same = left_over = 0
    for number in range(runs):
        place, jobs = folder / f"run-{number}", 1 + number % 2
        for _ in range(1 + (number % AGAIN_EVERY == 0)):
            killer.kill(fill_slowly if number % SLOW_EVERY == 0 else fill, place, jobs)
        finished(started(fill, place, 3 - jobs))
        same += content(place) == whole
        left_over += bool(unfinished(place)) or (place / ".holder.json").exists()
    return {
        "runs": runs,
        "same": same,
        "left_over": left_over,
        "kills": killer.kills,
        "hits": killer.hits,
        "half_written": killer.half_written,
        "before_the_manifest": killer.before_the_manifest,
        "blocks_at_kill": {str(count): killer.blocks[count] for count in sorted(killer.blocks)},
        "takes_ms": [round(1000 * seconds) for seconds in killer.takes_s.values()],
        "seconds": round(time.perf_counter() - began, 1),
    }


if __name__ == "__main__":
    register(GAME)
    play_range(experiment(GAME, 3), 0, 3)  # load here what every child would have to load
    Layout.of(experiment(GAME, 3)).table(play_range(experiment(GAME, 3), 0, 3)[0])
    sources_digest(GAME.name)
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]))))  # noqa: T201
