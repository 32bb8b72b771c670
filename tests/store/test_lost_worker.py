"""A worker process dies during a run: one line reports it, nothing is lost, and the run can be continued."""

import pytest

from sim.engine.jit import COMPILED

LOST = """
import os, signal, sys
from pathlib import Path
from joblib import parallel_config
from sim.registry import GAMES
from sim.store import Run, StoreError
from tests.every_game.play import experiment
from tests.store.folders import content, unfinished, wins

folder = Path(sys.argv[1])
death = folder / "death"

def wins_or_death(made, played):
    played = list(played)
    if played[0].first == 800 and death.exists():
        death.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return wins(made, played)

made = experiment(GAMES["arena"], 1600, "random", 2)
whole, run = (Run.begin(folder / name, made, "summary", 80) for name in ("whole", "run"))
whole.fill(1, wins_or_death)  # first, so that the worker processes find everything compiled
death.touch()
try:
    with parallel_config(backend="loky"):
        run.fill(2, wins_or_death)
except StoreError as error:
    print(str(error).replace(str(folder), "").replace(f"{run.stored:,} games", "so many games"))
stored = run.stored
print(0 < stored < made.games, death.exists(), unfinished(run.folder))
print(run.fill(2, wins_or_death).kept == stored, content(run.folder) == content(whole.folder))
"""


@pytest.mark.skipif(not COMPILED, reason="independent of how a game is played")
@pytest.mark.soak
def test_a_run_that_loses_a_worker_reports_it_and_can_be_continued(python, tmp_path):
    lines = python("-c", LOST, str(tmp_path)).splitlines()
    assert lines == [
        "/run: a worker process died (killed, or out of memory); so many games are safe, and the same command plays the others",
        "True False []",
        "True True",
    ]
