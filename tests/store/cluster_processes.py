"""A real Dask cluster for the tests: a scheduler and workers in separate processes, which always end with the test."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from distributed import Client

from tests.conftest import ROOT

DEADLINE_S = 300.0  # of any wait; a worker may have to compile a game first
ORPHANS_S = 600  # after this time, processes of a killed test end themselves


def until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


class Processes:
    """A scheduler and its named workers, with one thread each. folder: for their files."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._all = folder, list[subprocess.Popen[bytes]]()
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""

    def begin(self, **settings: str) -> None:
        """Start the scheduler. settings: for its environment."""
        file = self._folder / "scheduler.json"
        options = ("--scheduler-file", str(file), "--idle-timeout", f"{ORPHANS_S}s", "--no-show")
        self.scheduler = self._start("scheduler", "--port", "0", *options, **settings)
        until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        self.address = json.loads(file.read_text())["address"]

    def have(self, *names: str, path: Path = ROOT, **settings: str) -> None:
        """Start and kill workers until the scheduler has exactly these. path: where new ones find the sources."""
        for name in set(self._workers) - set(names):
            self.kill(name)
        for name in set(names) - set(self._workers):
            files = ("--local-directory", str(self._folder), "--death-timeout", str(ORPHANS_S))
            words = (self.address, "--name", name, "--nthreads", "1", "--no-nanny", *files)
            self._workers[name] = self._start("worker", *words, **{"PYTHONPATH": str(path)} | settings)
        with self.seen() as client:
            until(lambda: set(addresses(client)) == set(names))

    def freeze(self, name: str) -> None:
        """Stop a worker's process: it keeps its tasks and does nothing."""
        self._workers[name].send_signal(signal.SIGSTOP)

    def kill(self, name: str) -> None:
        """Kill a worker without warning, as the system would."""
        process = self._workers.pop(name)
        process.kill()
        process.wait()

    @contextmanager
    def seen(self) -> Iterator[Client]:
        """A client that observes the cluster."""
        with Client(self.address, set_as_default=False) as client:
            yield client

    def end(self) -> None:
        """End all processes."""
        for process in self._all:
            process.kill()
        for process in self._all:
            process.wait()

    def _start(self, kind: str, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", kind, *words, "--host", "127.0.0.1", "--no-dashboard"],
            cwd=self._folder,
            env=os.environ | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._all.append(process)
        return process


@contextmanager
def started(folder: Path, **settings: str) -> Iterator[Processes]:
    """Processes that end with the block. settings: for the scheduler's environment."""
    made = Processes(folder)
    try:
        made.begin(**settings)
        yield made
    finally:
        made.end()


def addresses(client: Client) -> dict[str, str]:
    """Addresses of the workers by name."""
    return {worker["name"]: address for address, worker in client.scheduler_info(n_workers=-1)["workers"].items()}


def tasks_of(client: Client, name: str) -> int:
    """Number of tasks that a worker has not finished."""
    return len(client.processing().get(addresses(client)[name], ()))


def tasks_to_do(client: Client) -> int:
    """Number of tasks of the scheduler that are not finished."""
    return client.run_on_scheduler(lambda dask_scheduler: sum(task.state != "memory" for task in dask_scheduler.tasks.values()))
