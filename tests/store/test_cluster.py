"""Runs on a cluster with a real scheduler and real workers, and their failures."""

import logging
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from logging.handlers import BufferingHandler
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from joblib import delayed
from joblib.parallel import get_active_backend

import sim.store.cluster
from sim.registry import GAMES
from sim.run import blocks, spread
from sim.store import Filled, Run, StoreError
from sim.store.cluster import AHEAD, cluster
from tests.conftest import ROOT
from tests.every_game.play import enough, experiment, joined
from tests.store.cluster_processes import Processes, addresses, started, tasks_of, tasks_to_do, until
from tests.store.cluster_tasks import fail, hold, mark
from tests.store.folders import block_files, content, refused

BLOCK = enough(9, 1) * 56  # games, in whole rounds of the Arena's eight heroes
PLAYED = enough(40, 12) * BLOCK  # games of the runs here

CLIENT = """
import sys, threading
from sim.store import Run
from sim.store.cluster import cluster

def watch(what, done, wanted):
    print("waiting", flush=True)
    threading.Event().wait()

with cluster(sys.argv[1]) as jobs:
    Run.open(sys.argv[2]).fill(jobs, watch=watch)
"""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler; each test chooses its workers."""
    with started(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def fickle(tmp_path: Path) -> Iterator[Processes]:
    """A scheduler that gives up a task as soon as one worker has died with it."""
    folder = tmp_path / "fickle"
    folder.mkdir()
    with started(folder, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0") as made:
        yield made


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The content of the run's folder if it is played on threads."""
    folder = tmp_path_factory.mktemp("threads")
    arena_run(folder).fill(2)
    return content(folder)


@pytest.fixture
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Check that nothing is printed, and that Dask logs nothing: its handler keeps the stderr of the time it was loaded."""
    logger, handler = logging.getLogger("distributed"), BufferingHandler(1000)
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)
    assert capfd.readouterr() == ("", "")
    assert [record.getMessage() for record in handler.buffer] == []


def arena_run(folder: Path) -> Run:
    """The run of these tests; workers of a cluster know the built-in games only."""
    return Run.begin(folder, experiment(GAMES["arena"], PLAYED), block_games=BLOCK)


def once(act: Callable[[], None]) -> Callable[[str, int, int], None]:
    """A `watch` that calls a function after the first block."""
    acts = [act]

    def watch(what: str, done: int, wanted: int) -> None:
        while acts:
            acts.pop()()

    return watch


def shared(task: Callable[..., Any], *arguments: object, jobs: int) -> Generator[Any]:
    """Run 200 tasks."""
    ranges = ((first, 1) for first in range(200))
    return spread(lambda first, _, stop: delayed(task)(*arguments, first, stop), ranges, jobs, "generator_unordered")


def test_a_scheduler_without_workers_is_refused(processes, monkeypatch):
    processes.have()
    monkeypatch.setattr(sim.store.cluster, "WORKERS_S", 0.1)
    with (
        refused(
            f"--cluster {processes.address}: the scheduler has no workers; start some, each with: dask worker {processes.address}"
        ),
        cluster(processes.address),
    ):
        pass


@pytest.mark.soak
def test_a_worker_killed_in_mid_run_only_delays_it(processes, on_threads, tmp_path, silence):
    processes.have("ann", "bob")
    run = arena_run(tmp_path)
    with processes.seen() as client, cluster(processes.address) as jobs:

        def lose_ann():
            processes.freeze("ann")
            until(lambda: tasks_of(client, "ann"))
            processes.kill("ann")

        filled = run.fill(jobs, watch=once(lose_ann))
    assert jobs == 2
    assert filled == Filled(0, PLAYED, ())
    assert content(tmp_path) == on_threads


@pytest.mark.soak
def test_all_workers_can_be_lost_and_those_that_join_later_are_used(processes, on_threads, tmp_path, monkeypatch):
    monkeypatch.setattr(sim.store.cluster, "RECOUNT_S", 0)
    processes.have("bob")
    run = arena_run(tmp_path)
    with cluster(processes.address) as jobs:
        filled = run.fill(jobs, watch=once(lambda: processes.have("cid", "dan")))
        threads = get_active_backend()[0].threads
    assert (jobs, threads) == (1, 2)
    assert filled == Filled(0, PLAYED, ())
    assert content(tmp_path) == on_threads


@pytest.mark.soak
def test_a_run_whose_client_was_killed_is_continued_on_threads(processes, on_threads, tmp_path):
    processes.have("cid", "dan")
    run = arena_run(tmp_path)
    command = [sys.executable, "-c", CLIENT, processes.address, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as client:
        assert client.stdout is not None
        assert client.stdout.readline() == b"waiting\n"
        client.kill()
    filled = run.fill(2)
    assert filled == Filled(BLOCK, PLAYED - BLOCK, ())
    assert content(tmp_path) == on_threads


def test_blocks_in_order_are_those_of_threads(processes):
    processes.have("cid")
    made = experiment(GAMES["arena"], BLOCK)
    with cluster(processes.address) as jobs:
        there = joined(blocks(made, jobs))
    assert there == joined(blocks(made, 2))


def test_games_are_played_by_the_workers_even_if_there_is_only_one(processes, tmp_path):
    processes.have("cid")
    with cluster(processes.address) as jobs:
        who = set(shared(mark, str(tmp_path), jobs=jobs))
    assert jobs == 1
    assert len(who) == 1
    assert who != {os.getpid()}


@pytest.mark.soak
def test_workers_wait_for_a_slow_reader(processes, tmp_path):
    processes.have("cid")
    with processes.seen() as client, cluster(processes.address) as jobs, closing(shared(mark, str(tmp_path), jobs=jobs)) as done:
        next(done)
        unread, sent = AHEAD * jobs + 1, AHEAD * jobs
        until(lambda: len(list(tmp_path.iterdir())) == 1 + unread + sent)
        client.submit(len, "what was sent before is done before").result()
        assert len(list(tmp_path.iterdir())) == 1 + unread + sent
        assert len(list(done)) == 199


def test_two_blocks_per_thread_are_sent_at_once_and_stopped_when_the_reader_has_gone(processes, tmp_path):
    processes.have("cid")
    with processes.seen() as client, cluster(processes.address) as jobs, closing(shared(hold, str(tmp_path), jobs=jobs)) as done:
        assert next(done) == 0
        until((tmp_path / "1.begun").exists)
        until(lambda: tasks_to_do(client) >= AHEAD)
        assert tasks_to_do(client) == AHEAD
        done.close()
        until((tmp_path / "1.left").exists)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.begun", "1.left"]


def test_an_error_of_a_game_is_raised_as_on_threads(processes):
    processes.have("cid")
    with cluster(processes.address) as jobs, pytest.raises(RuntimeError, match=r"^game \d+ asks for decisions without end$"):
        list(shared(fail, jobs=jobs))


def test_an_error_of_a_worker_is_reported_with_its_address(processes, tmp_path):
    processes.have("cid")
    with processes.seen() as client:
        where = addresses(client)["cid"]
    with cluster(processes.address) as jobs, refused(f"worker {where}: no such file or directory"):
        list(shared(mark, str(tmp_path / "gone"), jobs=jobs))


def test_a_task_that_cannot_be_pickled_is_reported(processes):
    processes.have("cid")
    with cluster(processes.address) as jobs, pytest.raises(TypeError, match=r"^cannot pickle '_thread\.lock' object"):
        list(shared(mark, Lock(), jobs=jobs))


@pytest.mark.soak
def test_a_run_whose_workers_die_reports_the_games_that_are_safe(fickle, tmp_path, silence):
    fickle.have("eve")
    folder = tmp_path / "run"
    run = arena_run(folder)
    with fickle.seen() as client, cluster(fickle.address) as jobs:

        def lose_eve():
            fickle.freeze("eve")
            until(lambda: tasks_of(client, "eve"))
            fickle.kill("eve")

        with pytest.raises(StoreError) as caught:
            run.fill(jobs, watch=once(lose_eve))
    safe = BLOCK * len(block_files(folder))
    assert safe > 0
    assert str(caught.value) == (
        f"{folder}: a worker process died (killed, or out of memory); {safe:,} games are safe, and the same command "
        "plays the others"
    )


@pytest.mark.soak
def test_a_scheduler_that_goes_away_is_reported(fickle, tmp_path, silence):
    fickle.have("eve")
    with (
        cluster(fickle.address) as jobs,
        refused(
            f"--cluster {fickle.address}: the scheduler is gone; games on disk are safe, and the same command plays the others"
        ),
    ):
        done = shared(hold, str(tmp_path), jobs=jobs)
        next(done)
        fickle.scheduler.kill()
        next(done)


@pytest.mark.soak
def test_workers_with_other_sources_are_refused(fickle, tmp_path):
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "run"
    shutil.copytree(ROOT / "sim", elsewhere / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    with (elsewhere / "sim" / "experiments" / "designs.py").open("a") as source:
        source.write("# another comment\n")
    fickle.have("eve", path=elsewhere, FAIRFIGHT_CACHE=str(tmp_path / "cache"))
    run = arena_run(folder)
    with fickle.seen() as client, cluster(fickle.address) as jobs:
        where = addresses(client)["eve"]
        with pytest.raises(StoreError) as caught:
            run.fill(jobs)
    message = str(caught.value)
    assert message.startswith(f"worker {where}: manifest.json: sources = {run.manifest.sources[:12]}..., but a worker has ")
    assert message.endswith("Continue with the fairfight that began the run, or begin a new run in another folder")
    assert "\n" not in message
    assert run.held == 0
    assert not list((tmp_path / "cache").rglob("*.nbc")), "nothing was compiled for them"


@pytest.mark.soak
def test_workers_without_fairfight_are_refused(fickle, tmp_path):
    (tmp_path / "sim.py").write_text('raise ModuleNotFoundError("No module named \'sim\'", name="sim")\n')
    fickle.have("eve", path=tmp_path)
    run = arena_run(tmp_path / "run")
    with (
        cluster(fickle.address) as jobs,
        refused(
            f"--cluster {fickle.address}: a worker cannot load fairfight (No module named 'sim'); install the same everywhere"
        ),
    ):
        run.fill(jobs)


def test_a_worker_is_no_scheduler(processes):
    processes.have("cid")
    with processes.seen() as client:
        where = addresses(client)["cid"]
    with refused(f"--cluster {where}: is a Dask worker; name the scheduler"), cluster(where):
        pass


def test_a_server_that_does_not_answer_times_out(monkeypatch):
    monkeypatch.setattr(sim.store.cluster, "CONNECT_S", 0.1)
    monkeypatch.setattr(sim.store.cluster, "GRACE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with refused(f"--cluster {where}: no Dask scheduler answers there (tried for 0.1 seconds)"), cluster(where):
            pass


@pytest.mark.parametrize("address", ["", "tcp://host", "tcp://host:port", "http://host:8787"])
def test_an_invalid_address_is_refused(address):
    message = f"--cluster {address}: is not the address of a Dask scheduler, such as tcp://host:8786"
    with refused(message), cluster(address):
        pass


def test_encryption_needs_certificates():
    where = "tls://127.0.0.1:8786"
    message = f"--cluster {where}: needs certificates; name them in Dask's configuration, under distributed.comm.tls"
    with refused(message), cluster(where):
        pass


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    where = "tcp://127.0.0.1:8786"
    with (
        refused(f"--cluster {where}: needs Dask; in fairfight's folder, install it with: pip install '.[cluster]'"),
        cluster(where),
    ):
        pass
