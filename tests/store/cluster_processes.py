"""A real Dask cluster for the tests: a scheduler and workers, each a process of its own, ended for sure."""

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

DEADLINE_S = 300.0  # for whatever is waited for; a worker may have to compile a game first
ORPHANS_S = 600  # processes whose tests were killed end themselves after so long


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


class Processes:
    """A scheduler and its workers, which have one thread each and go by names. folder: for their files."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._all = folder, list[subprocess.Popen[bytes]]()
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""

    def begin(self, **settings: str) -> None:
        """Start the scheduler. settings: for its environment."""
        told = self._folder / "scheduler.json"
        files = ("--scheduler-file", str(told), "--idle-timeout", f"{ORPHANS_S}s", "--no-show")
        self.scheduler = self._start("scheduler", "--port", "0", *files, **settings)
        until(lambda: told.exists() and told.read_text().rstrip().endswith("}"))
        self.address = json.loads(told.read_text())["address"]

    def have(self, *names: str, path: Path = ROOT, **settings: str) -> None:
        """See to it that just these workers are there, and known to the scheduler. path: where new ones find sources."""
        for name in set(self._workers) - set(names):
            self.kill(name)
        for name in set(names) - set(self._workers):
            files = ("--local-directory", str(self._folder), "--death-timeout", str(ORPHANS_S))
            words = (self.address, "--name", name, "--nthreads", "1", "--no-nanny", *files)
            self._workers[name] = self._start("worker", *words, **{"PYTHONPATH": str(path)} | settings)
        with self.seen() as client:
            until(lambda: set(addresses(client)) == set(names))

    def freeze(self, name: str) -> None:
        """Stop a worker: it keeps what it was given and does nothing."""
        self._workers[name].send_signal(signal.SIGSTOP)

    def kill(self, name: str) -> None:
        """Kill a worker as the system would, without a word."""
        process = self._workers.pop(name)
        process.kill()
        process.wait()

    @contextmanager
    def seen(self) -> Iterator[Client]:
        """A client that looks on."""
        with Client(self.address, set_as_default=False) as client:
            yield client

    def end(self) -> None:
        """End all that were started."""
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
    """Processes that are ended in the end. settings: for the scheduler's environment."""
    made = Processes(folder)
    try:
        made.begin(**settings)
        yield made
    finally:
        made.end()


def addresses(client: Client) -> dict[str, str]:
    """Addresses of the workers by their names."""
    return {told["name"]: address for address, told in client.scheduler_info(n_workers=-1)["workers"].items()}


def tasks_of(client: Client, name: str) -> int:
    """Tasks that a worker has to do or does."""
    return len(client.processing().get(addresses(client)[name], ()))


def tasks_to_do(client: Client) -> int:
    """Tasks that the scheduler knows of and nobody has done."""
    return client.run_on_scheduler(
        lambda dask_scheduler: sum(one.state != "memory" for one in dask_scheduler.tasks.values())
    )
