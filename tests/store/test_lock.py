"""Two at once: the second is told who goes on with the run, and can read; whatever ends the first frees it."""

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
    """A run that is just begun."""
    return duel_run(tmp_path / "run", coin_duel)


@pytest.fixture
def holder(run):
    """Another process, which has played the first block of the run and now goes on with it, endlessly."""
    command = [sys.executable, "-m", "tests.store.holding", str(run.folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


def test_the_second_process_is_told_who_goes_on_and_takes_over_once_that_one_is_killed(
    tmp_path, run, holder, coin_duel
):
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


def test_the_same_process_does_not_go_on_twice_either(run, coin_duel):
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
    ("", "another process"),
    ("[]", "another process"),
    ('{"process": "x", "computer": "y"}', "another process"),
    ('{"process": 7}', "another process"),
    ("1" * 20_000, "another process"),
    ("[" * 9_000, "another process"),
    ('{"process": 7, "computer": "there"}', 'process 7 on "there"'),
    ('{"process": 7, "computer": "\\u001b[31mred"}', 'process 7 on "\\u001b[31mred"'),
]


@pytest.mark.parametrize(("holder", "who"), HOLDERS, ids=lambda one: str(one)[:20])
def test_whoever_holds_a_run_without_a_word_is_told_as_another_process(run, holder, who):
    """It is just beginning or ending; or somebody else wrote that file."""
    if holder is not None:
        (run.folder / ".holder.json").write_text(holder)
    with (
        FileLock(run.folder / ".lock"),
        refused(f"{run.folder}: {who} is writing to this run; wait for it, or stop it first"),
    ):
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
