"""Ctrl-C at any moment, and clocks that jump: everything written stays, and the other games come out the same."""

import os
import signal
import time
from itertools import count

import pytest

from sim.store import disk, parts
from tests.conftest import in_soak
from tests.store.folders import BLOCK, GAMES, block_files, content, duel_run, full_run, unfinished

pytestmark = pytest.mark.slow


@pytest.fixture
def whole(tmp_path, coin_duel):
    """Every file of a run that was not interrupted."""
    return content(full_run(tmp_path / "whole", coin_duel).folder)


@pytest.fixture
def run(tmp_path, coin_duel):
    """A run that has just begun."""
    return duel_run(tmp_path / "run", coin_duel)


@pytest.fixture
def ctrl_c():
    """A function that presses Ctrl-C at its third call."""
    before, seen = signal.signal(signal.SIGINT, signal.default_int_handler), []

    def press(*_) -> None:
        seen.append(1)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    yield press
    signal.signal(signal.SIGINT, before)


def calling_first(before, usual):
    """Wrap a function so that it calls `before` first."""

    def both(*arguments):
        before()
        return usual(*arguments)

    return both


@pytest.mark.parametrize("jobs", [in_soak(1), 2])
@pytest.mark.parametrize("moment", ["between blocks", "while a file is written", "while a game is played"])
def test_ctrl_c_loses_no_finished_block_and_leaves_nothing_unfinished(run, whole, ctrl_c, monkeypatch, moment, jobs):
    watch = ctrl_c if moment == "between blocks" else None
    if moment == "while a file is written":
        monkeypatch.setattr(disk.os, "fsync", calling_first(ctrl_c, os.fsync))
    if moment == "while a game is played":
        monkeypatch.setattr(parts, "play_range", calling_first(ctrl_c, parts.play_range))
    with pytest.raises(KeyboardInterrupt):
        run.fill(jobs, watch=watch)
    monkeypatch.undo()
    stored = run.stored
    if moment == "between blocks":
        assert stored == 3 * BLOCK
    if moment != "while a game is played":  # there a thread raises the signal, maybe in a clean-up or after the last block
        assert stored < GAMES
        assert unfinished(run.folder) == []
        assert content(run.folder).items() <= whole.items(), "every file that is there is complete"
    assert run.fill(jobs).kept == stored
    assert content(run.folder) == whole


def test_clocks_that_jump_change_nothing(run, whole, monkeypatch):
    """A clock that is set back while the run is played, and files from the future and from long ago."""
    clock = count(10**9, -1000)
    monkeypatch.setattr(time, "time", lambda: float(next(clock)))
    monkeypatch.setattr(time, "time_ns", lambda: next(clock) * 10**9)
    run.fill(jobs=1)
    assert content(run.folder) == whole
    for number, path in enumerate([*block_files(run.folder), run.folder / "manifest.json", run.folder / ".lock"]):
        moment = (0, 2**32)[number % 2]
        os.utime(path, (moment, moment))
    block_files(run.folder)[3].unlink()
    assert (run.held, run.stored) == (3 * BLOCK, GAMES - BLOCK)
    assert run.fill(jobs=2).played == BLOCK
    assert content(run.folder) == whole
