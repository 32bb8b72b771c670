"""Memory, disk space and time of long runs that keep a summary, each in a separate process.

python -m tests.benchmarks.run_memory 1000000 10000000

plays a million and ten million games of the Arena under random play on two threads. `--on-cluster tcp://host:8786` plays them
on a cluster, `--block-games 56` in blocks of 56: the time of very small blocks is the overhead of a block.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.winrates.rates import summarise
from sim.registry import GAMES
from sim.store import Run
from sim.store.cluster import cluster
from tests.every_game.play import experiment

JOBS = 2
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes


@dataclass(frozen=True)
class Cost:
    """The cost of a run."""

    games: int
    blocks: int
    bytes: int  # on disk
    peak_mb: float
    seconds: float


def measure(games: int, block_games: int | None, keep: str, address: str | None) -> Cost:
    """Play a run in this process."""
    with tempfile.TemporaryDirectory() as folder, cluster(address) if address else nullcontext(JOBS) as jobs:
        run = Run.begin(folder, experiment(GAMES["arena"], games), keep, block_games)
        began = time.perf_counter()
        run.fill(jobs, None if run.has_rows else summarise)
        seconds = time.perf_counter() - began
        files = [path.stat().st_size for path in Path(folder, "blocks").iterdir()]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
    return Cost(games, len(files), sum(files), peak / 1e6, seconds)


def apart(games: int, more: list[str]) -> Cost:
    """Play a run in a separate process."""
    command = [sys.executable, "-m", "tests.benchmarks.run_memory", "--here", str(games), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return Cost(**json.loads(done.stdout))


def line(cost: Cost, first: Cost) -> str:
    """A cost as a line of text."""
    return (
        f"{cost.games:,} games: peak {cost.peak_mb:.0f} MB ({cost.peak_mb / first.peak_mb - 1:+.1%}), {cost.seconds:,.1f} s, "
        f"{cost.games / cost.seconds:,.0f} games/s; {cost.blocks:,} blocks, {cost.seconds / cost.blocks * 1000:,.1f} ms and "
        f"{cost.bytes / cost.blocks:,.0f} bytes each; {cost.bytes:,} bytes, {cost.bytes / cost.games:.3g} a game"
    )


def main() -> None:
    """Play the runs that the arguments name, one by one."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", type=int, nargs="+")
    words.add_argument("--block-games", type=int)
    words.add_argument("--keep", default="summary", choices=("summary", "rows"))
    words.add_argument("--on-cluster", metavar="ADDRESS")
    words.add_argument("--here", action="store_true", help="play in this process and print JSON")
    options = words.parse_args()
    if options.here:
        cost = measure(options.games[0], options.block_games, options.keep, options.on_cluster)
        print(json.dumps(asdict(cost)))  # noqa: T201
        return
    more = ["--keep", options.keep]
    more += ["--block-games", str(options.block_games)] if options.block_games else []
    more += ["--on-cluster", options.on_cluster] if options.on_cluster else []
    costs: list[Cost] = []
    for games in options.games:
        costs.append(apart(games, more))
        print(line(costs[-1], costs[0]), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
