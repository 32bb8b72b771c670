"""Runs that are killed at any moment and continued hold the same bytes as one that was not."""

import json
import os
import shutil

import pytest

from sim.engine.jit import COMPILED
from tests.every_game.play import shortened

RUNS = shortened(100)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are played in forked processes"),
    pytest.mark.skipif(not COMPILED, reason="independent of how a game is played"),
]


@pytest.fixture(scope="module")
def outcome(python, tmp_path_factory):
    """The outcome of killing runs; see `killing.py`."""
    folder = tmp_path_factory.mktemp("killed")
    counts = json.loads(python("-m", "tests.store.killing", str(folder), str(RUNS)))
    shutil.rmtree(folder)  # some thousand files
    return counts


def test_killed_runs_are_the_same_bytes_once_they_are_continued(outcome):
    assert outcome["runs"] == RUNS
    assert outcome["hits"]
    assert outcome["same"] == RUNS, outcome


def test_nothing_unfinished_is_left_after_the_continuation(outcome):
    assert outcome["left_over"] == 0, outcome


@pytest.mark.soak
def test_the_kills_hit_runs_in_every_phase(outcome):
    """Without this, the tests above prove little: before the manifest, within a file, after few blocks and after many."""
    assert outcome["kills"] == RUNS + RUNS // 4
    assert outcome["hits"] >= outcome["kills"] // 2, outcome
    assert outcome["before_the_manifest"] >= 1, outcome
    assert outcome["half_written"] >= 3, outcome
    assert len(outcome["blocks_at_kill"]) >= 6, outcome
