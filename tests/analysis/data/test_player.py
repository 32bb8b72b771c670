"""A player reads the games of a run where they are those of the experiment, whole or picked, and plays all others."""

from dataclasses import fields

import numpy as np
import pytest

from analysis.data.player import Player, Reading
from analysis.data.selection import Among, Chosen
from analysis.replay.select import Drawn
from sim.experiments.experiment import AgainstAll, Experiment
from sim.run import play_range
from sim.store.folder import Run
from tests.safety.runs import filled


@pytest.fixture
def run(tmp_path, coin_duel) -> Run:
    """A finished run that keeps its games."""
    return Run.open(filled(tmp_path / "run").folder)


def shared(whole: Experiment) -> dict:
    return {item.name: getattr(whole, item.name) for item in fields(Experiment)}


def test_picked_games_of_a_run_are_read(run, monkeypatch):
    index = np.array([3, 5, 8])
    picked = Chosen(**shared(run.experiment), index=index)
    played = play_range(picked, 0, 3)[0].rows
    monkeypatch.setattr("sim.run.play_range", None)
    rows = np.concatenate([block.rows for block in Player(1, source=run).play(picked)])
    assert rows["game"].tolist() == index.tolist()
    assert all(np.array_equal(rows[name], played[name]) for name in rows.dtype.names)


def test_games_of_other_kinds_of_experiments_are_not_read_from_a_run(run):
    """Games given by their plan and games against all others have different line-ups under the same game numbers."""
    made = run.experiment
    others = (
        AgainstAll(**shared(made)),
        Drawn(**shared(made), lines=made.plan_of(np.arange(5, 15))),
        Chosen(**shared(made), members=(0, 1), index=np.array([3])),
        Chosen(**shared(made), index=np.zeros(0, np.int64)),
        Among(**shared(made), members=(0, 1)),
    )
    assert Reading(run).read(made) is not None
    assert [Reading(run).read(other) for other in others] == [None] * len(others)


def test_games_of_other_code_are_read_once_and_not_compared_with_games_of_this_code(run, monkeypatch):
    """Both sides of a comparison are played by the current code."""
    assert [Reading(run).read(run.experiment) is not None for _ in range(2)] == [True, True]
    monkeypatch.setattr(Run, "has_other_sources", True)
    reading = Reading(run)
    assert [reading.read(run.experiment) is not None for _ in range(3)] == [True, False, False]
