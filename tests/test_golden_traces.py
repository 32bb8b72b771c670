"""Golden games: a few games of every game, move by move. If they change, numbers change.

After an intended change, write them again with `python -m tests.test_golden_traces`, read the diff, and list the change
in CHANGELOG.md under "Numbers changed".
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from analysis.replay.narrate import replay_lines
from sim.engine.jit import interpreted
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import collect, replay
from tests.conftest import BUILT_IN
from tests.every_game.play import spared

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "golden"
POLICIES = ("random", "greedy")
SEED, INDEX, BATCH = 2026, 7, 160
LINES_MAX, FIRST_LINES, LAST_LINES = (150, 140, 5)  # of a golden game; of a longer one, only the first and last lines are kept


def experiment(name: str, seats: int, policy: str, games: int) -> Experiment:
    return Experiment(name, GAMES[name].load(None), seats, (PolicySpec.parse(policy),), games, SEED)


def lines_kept(played: Experiment) -> list[str]:
    """The lines of a golden game; of a long one, only the first and last are narrated, to save time."""
    game = replay(played, INDEX)
    with interpreted():  # a few calls of many kernels, which would each be compiled
        lines = list(islice(replay_lines(played, INDEX, game, pictures=False), LINES_MAX + 1))
        if len(lines) <= LINES_MAX:
            return lines
        moves = slice(-LAST_LINES - 2, None)  # each has at least one line, except the final one
        end = replace(game, moves=game.moves[moves], positions=game.positions[moves])
        return [*lines[:FIRST_LINES], "...", *[*replay_lines(played, INDEX, end, pictures=False)][-LAST_LINES:]]


def traces(name: str) -> Iterator[tuple[str, str]]:
    """Yield file name and text of each golden game: one per number of seats and policy, random ones cut short."""
    for seats in GAMES[name].seats:
        for policy in POLICIES:
            kept = lines_kept(experiment(name, seats, policy, INDEX + 1))
            yield f"{name}-{seats}-{policy}.txt", "\n".join(kept) + "\n"


def digest(name: str) -> str:
    """Return a fingerprint of the outcomes of a batch of games, field by field."""
    text = hashlib.sha256()
    for seats in GAMES[name].seats:
        for policy in POLICIES:
            results = collect(experiment(name, seats, policy, spared(GAMES[name], BATCH)))
            for records in (results.rows, results.outcomes):
                for field in records.dtype.names or ():
                    text.update(field.encode() + records[field].tobytes())
    return text.hexdigest()


@pytest.mark.parametrize("name", BUILT_IN)
def test_golden_games_are_played_as_written(name):
    for file, text in traces(name):
        assert (FOLDER / file).read_text(encoding="utf-8") == text, f"{file} is played differently: see this file's head"


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_numbers_of_a_batch_have_not_changed(name):
    assert digest(name) == (FOLDER / f"{name}.sha256").read_text().strip(), "numbers changed: see this file's head"


if __name__ == "__main__":
    for game_name in GAMES:
        for trace_file, trace in traces(game_name):
            (FOLDER / trace_file).write_text(trace, encoding="utf-8")
        (FOLDER / f"{game_name}.sha256").write_text(digest(game_name) + "\n")
