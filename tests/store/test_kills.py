"""Runs that are killed at any moment and continued hold the same bytes as one that was left alone."""

import json
import os
import shutil

import pytest

from sim.engine.jit import COMPILED

RUNS = 100
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are played in forked processes"),
    pytest.mark.skipif(not COMPILED, reason="how a game is played has no part in it"),
]


@pytest.fixture(scope="module")
def told(python, tmp_path_factory):
    """What came of killing runs; see `killing.py`."""
    folder = tmp_path_factory.mktemp("killed")
    found = json.loads(python("-m", "tests.store.killing", str(folder), str(RUNS)))
    shutil.rmtree(folder)  # some thousand files
    return found


def test_a_hundred_killed_runs_are_the_same_bytes_once_they_are_continued(told):
    assert told["runs"] == RUNS
    assert told["same"] == RUNS, told


def test_nothing_unfinished_is_left_after_the_continuation(told):
    assert told["left_over"] == 0, told


def test_the_kills_hit_runs_at_work_and_everywhere(told):
    """Else the tests above say little: before the manifest, in the middle of a file, after few blocks and after many."""
    assert told["kills"] == RUNS + RUNS // 4
    assert told["hits"] >= told["kills"] // 2, told
    assert told["before_the_manifest"] >= 1, told
    assert told["half_written"] >= 3, told
    assert len(told["blocks_at_kill"]) >= 6, told
