"""Two processes at once: the second gets the holder's name and can read. The end of the first, even a kill, frees the run."""

import json
import os
import socket
import subprocess
import sys

import pytest
from filelock import FileLock

from sim.store import Filled, Run
from tests.conftest import ROOT
from tests.every_game.play import experiment
from tests.store.folders import BLOCK, GAMES, content, duel_run, full_run, played_bytes, read_bytes, refused

HERE = json.dumps(socket.gethostname())


@pytest.fixture
def run(tmp_path, coin_duel):
    """A run that has just begun."""
    return duel_run(tmp_path / "run", coin_duel)


@pytest.fixture
def holder(run):
    """Another process that has played the first block of the run and holds it without end."""
    command = [sys.executable, "-m", "tests.store.holding", str(run.folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


@pytest.mark.slow
def test_the_second_process_gets_the_holders_name_and_can_continue_once_that_one_is_killed(tmp_path, run, holder, coin_duel):
    before = content(run.folder)
    message = f"{run.folder}: process {holder.pid} on {HERE} is writing to this run; wait for it, or stop it first"
    with refused(message):
        duel_run(run.folder, coin_duel)
    with refused(message):
        run.fill(jobs=1)
    assert content(run.folder) == before
    assert run.held == BLOCK
    assert read_bytes(run) == played_bytes(experiment(coin_duel, BLOCK))
    holder.kill()
    holder.wait()
    assert ".holder.json" in content(run.folder)
    assert run.fill(jobs=1) == Filled(BLOCK, GAMES - BLOCK, ())
    assert content(run.folder) == content(full_run(tmp_path / "whole", coin_duel).folder)


def test_the_same_process_cannot_write_twice_at_once_either(run, coin_duel):
    message = f"{run.folder}: process {os.getpid()} on {HERE} is writing to this run; wait for it, or stop it first"
    tried = []

    def watch(*_) -> None:
        for go_on in (lambda: duel_run(run.folder, coin_duel), lambda: run.fill(jobs=1)):
            with refused(message):
                go_on()
            tried.append(1)

    run.fill(jobs=1, watch=watch)
    assert len(tried) == 2 * GAMES // BLOCK
    assert run.held == GAMES


HOLDERS = [
    (None, "another process"),
    ('{"process": "x", "computer": "y"}', "another process"),
    ("[" * 9_000, "another process"),
    ('{"process": 7, "computer": "there"}', 'process 7 on "there"'),
    ('{"process": 7, "computer": "\\u001b[31mred"}', 'process 7 on "\\u001b[31mred"'),
]


@pytest.mark.parametrize(("holder", "who"), HOLDERS, ids=lambda one: str(one)[:20])
@pytest.mark.slow
def test_a_holder_without_a_readable_name_is_reported_as_another_process(run, holder, who):
    """The holder has just begun, is ending, or its file was tampered with."""
    if holder is not None:
        (run.folder / ".holder.json").write_text(holder)
    with FileLock(run.folder / ".lock"), refused(f"{run.folder}: {who} is writing to this run; wait for it, or stop it first"):
        run.fill(jobs=1)
    run.fill(jobs=1)
    assert not (run.folder / ".holder.json").exists()


def test_the_lock_is_free_after_an_error_and_after_an_end(run, coin_duel):
    def fail(*_) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        run.fill(jobs=1, watch=fail)
    assert ".holder.json" not in content(run.folder)
    assert duel_run(run.folder, coin_duel).fill(jobs=2).kept == BLOCK
    assert Run.open(run.folder).fill(jobs=1) == Filled(GAMES, 0, ())
    assert (run.folder / ".lock").read_bytes() == b""
