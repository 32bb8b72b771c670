"""Speed of this checkout against another one: `python -m tests.benchmarks.against ../base [GAME...]`.

Two processes, one per checkout, play the same games in turn, so that a busy machine slows both. Prints the median ratio of CPU
seconds over the pairs, with the lowest and highest; above 1 this checkout is faster. Exit code 1 if any game differs.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import BUILT_IN, ROOT

SECONDS = 2.0  # of a run in the base, about
POLICIES = "random,greedy:4,search:200"


def serve() -> None:
    """Play the games named on each line of stdin: game, seats, policy, games. Prints CPU seconds and a digest of all results."""
    from sim.engine.policies import PolicySpec  # noqa: PLC0415 - of the checkout that PYTHONPATH names
    from sim.experiments.experiment import Experiment  # noqa: PLC0415
    from sim.registry import game_named  # noqa: PLC0415
    from sim.run import collect  # noqa: PLC0415

    for line in sys.stdin:
        name, seats, policy, games = line.split()
        experiment = Experiment(name, game_named(name).load(None), int(seats), (PolicySpec.parse(policy),), int(games), 1)
        began = time.process_time()
        played = collect(experiment, jobs=1)
        seconds = time.process_time() - began
        digest = hashlib.sha256(played.rows.tobytes() + played.outcomes.tobytes()).hexdigest()
        print(seconds, digest, flush=True)  # noqa: T201 - read by the parent


class Checkout:
    """A process that plays with the simulator of one checkout."""

    def __init__(self, place: Path) -> None:
        code = f"import sys; sys.path.insert(0, {str(place)!r}); exec({_source()!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=place,
            env=os.environ | {"PYTHONPATH": str(place)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def play(self, *words: object) -> tuple[float, str]:
        """CPU seconds and digest of one run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(map(str, words))}: the process ended; its message is above")
        seconds, digest = line.split()
        return float(seconds), digest

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _source() -> str:
    """The code of `serve`, which runs in a checkout that need not have this module."""
    text = Path(__file__).read_text("utf-8")
    begin, end = text.index("def serve("), text.index("class Checkout")
    return f"from __future__ import annotations\nimport hashlib, sys, time\n{text[begin:end]}\nserve()\n"


def compared(base: Checkout, ours: Checkout, load: tuple[str, int, str], pairs: int) -> tuple[list[float], bool]:
    """Ratios of CPU seconds, base to ours, and whether all results are equal."""
    games = 2
    for one in (base, ours):
        one.play(*load, games)  # compile
    while (seconds := base.play(*load, games)[0]) < SECONDS / 4:
        games *= 4
    games = max(1, round(games * SECONDS / seconds))
    ratios, same = [], True
    for _ in range(pairs):
        (before, first), (after, second) = base.play(*load, games), ours.play(*load, games)
        ratios.append(before / after)
        same &= first == second
    return ratios, same


def main() -> int:
    """Compare the speed for every game, policy and number of seats."""
    parser = argparse.ArgumentParser(description="Speed of this checkout against another one, and whether the games are equal.")
    parser.add_argument("base", type=Path, help="the other checkout")
    parser.add_argument("games", nargs="*", help="games, by default all five")
    parser.add_argument("--policies", default=POLICIES)
    parser.add_argument("--seats", default="2,4")
    parser.add_argument("--pairs", type=int, default=5)
    asked = parser.parse_args()
    from sim.registry import GAMES  # noqa: PLC0415 - imports the games

    unequal = False
    for name in asked.games or BUILT_IN:
        base, ours = Checkout(asked.base.resolve()), Checkout(ROOT)
        for seats in sorted({*map(int, asked.seats.split(","))} & {*GAMES[name].seats}):
            for policy in asked.policies.split(","):
                ratios, same = compared(base, ours, (name, seats, policy), asked.pairs)
                unequal |= not same
                words = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) times as fast"
                print(f"{name}, {seats} seats, {policy}: {words}, games {'equal' if same else 'DIFFER'}", flush=True)  # noqa: T201
        base.close()
        ours.close()
    return int(unequal)


if __name__ == "__main__":
    raise SystemExit(main())
