"""Where compiled play spends its time: `python -m tests.benchmarks.hot_spots rookling 2 greedy:4 [KERNEL]`.

Needs Linux with perf, nm and objdump. Prints the share of samples per function; with the name of a kernel also its hottest
instructions. numba gives perf no symbols: they come from the object file in the cache of compiled code, which holds the very
bytes that run.
"""

from __future__ import annotations

import argparse
import bisect
import os
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from sim.engine import loop
from sim.engine.codecache import cache_folder
from sim.engine.jit import sources_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import game_named
from sim.run import play_range

SECONDS = 4.0  # CPU, to sample
WARM = 10  # games, to compile
FUNCTIONS, WINDOWS, WINDOW = 25, 6, 24  # lines of the table; stretches of instructions, and how long one is
SYMBOL = 4  # fields of a line of nm: address, size, kind, name


class Symbol(NamedTuple):
    """A function of an object file."""

    start: int
    size: int
    name: str


def words(*command: object) -> list[str]:
    """The lines that a program prints."""
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout.splitlines()


def object_file(entry: Any, cache: Path, folder: Path) -> tuple[Path, int]:
    """Write the object file of a compiled entry to a folder; return its path and the address at which it is loaded.

    cache: where the compiled code of the game is.
    """
    (compiled,) = entry.overloads.values()
    name = compiled.fndesc.llvm_cpython_wrapper_name
    address = compiled.library.get_pointer_to_function(name)
    cached = next(path for path in cache.rglob("*.nbc") if name.encode() in path.read_bytes())
    content = cached.read_bytes()
    path = folder / "entry.o"
    path.write_bytes(content[content.index(b"\x7fELF") :])
    return path, address - next(symbol.start for symbol in symbols(path) if symbol.name == name)


def symbols(path: Path) -> list[Symbol]:
    """The functions of an object file, by address."""
    fields = [line.split() for line in words("nm", "-S", path)]
    return sorted(Symbol(int(f[0], 16), int(f[1], 16), f[3]) for f in fields if len(f) == SYMBOL and f[2] in "tTwW")


def sampled(experiment: Experiment, games: int, folder: Path) -> list[tuple[int, str]]:
    """Play for some seconds under perf; the address and perf's own name of each sample."""
    data = folder / "perf.data"
    process = subprocess.Popen(["perf", "record", "-q", "-o", str(data), "-p", str(os.getpid())], stderr=subprocess.DEVNULL)
    time.sleep(1)
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        play_range(experiment, 0, games)
    process.send_signal(signal.SIGINT)
    process.wait()
    fields = [line.split(maxsplit=1) for line in words("perf", "script", "-i", data, "-F", "ip,sym")]
    return [(int(field[0], 16), field[-1]) for field in fields if field]


def main() -> None:
    """Sample a game and print where its time goes."""
    parser = argparse.ArgumentParser(description="Where compiled play spends its time.")
    parser.add_argument("game")
    parser.add_argument("seats", type=int)
    parser.add_argument("policy")
    parser.add_argument("kernel", nargs="?", help="show its hottest instructions")
    asked = parser.parse_args()
    game = game_named(asked.game)
    experiment = Experiment(asked.game, game.load(None), asked.seats, (PolicySpec.parse(asked.policy),), 1 << 20, 1)
    began = time.process_time()
    play_range(experiment, 0, WARM)
    if time.process_time() - began > SECONDS:  # compiled just now: only code from the cache has an object file
        raise SystemExit("compiled and cached; run the same command again")
    began = time.process_time()
    play_range(experiment, 0, WARM)
    games = max(1, int(WARM / max(1e-4, time.process_time() - began) / 2))
    with tempfile.TemporaryDirectory() as folder:
        path, base = object_file(loop.play_block.entry, cache_folder(sources_of(game.state)), Path(folder))
        functions, samples = symbols(path), sampled(experiment, games, Path(folder))
        starts, shares, at = [one.start for one in functions], Counter[str](), Counter[int]()
        for address, name in samples:
            place = address - base
            i = bisect.bisect(starts, place) - 1
            inside = i >= 0 and place < functions[i].start + functions[i].size
            shares[functions[i].name[:100] if inside else name[:60]] += 1
            at[place] += inside
        for name, count in shares.most_common(FUNCTIONS):
            print(f"{100 * count / len(samples):5.1f} % {name}")  # noqa: T201
        if asked.kernel:
            one = next(symbol for symbol in functions if asked.kernel in symbol.name and "cpython" not in symbol.name)
            code = instructions(path, one)
            windows = [code[i : i + WINDOW] for i in range(0, len(code), WINDOW)]
            for window in sorted(windows, key=lambda window: -sum(at[place] for place, _ in window))[:WINDOWS]:
                print(f"--- {100 * sum(at[place] for place, _ in window) / len(samples):.1f} %")  # noqa: T201
                for place, text in window:
                    print(f"{at[place]:5d} {text[:90]}")  # noqa: T201


def instructions(path: Path, one: Symbol) -> list[tuple[int, str]]:
    """Address and text of the instructions of a function."""
    bounds = (f"--start-address={one.start}", f"--stop-address={one.start + one.size}")
    lines = (line.split(":\t") for line in words("objdump", "-d", "--no-show-raw-insn", *bounds, path))
    return [(int(line[0].strip(), 16), line[1].strip()) for line in lines if len(line) > 1]


if __name__ == "__main__":
    main()
