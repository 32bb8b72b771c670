"""Blocks of a run on the workers of a Dask cluster: a backend of joblib, in force within `cluster`.

joblib has such a backend itself. It waits for ever once a worker cannot load a task, or was given up after several deaths; it
plays in the client where the cluster has one worker; it gives no more work to workers that join later, and does not let go of
tasks that were cancelled. Here each of these is seen to, and a slow disk holds the cluster back instead of filling the memory.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Event, Thread
from typing import Any
from uuid import uuid4

from joblib import parallel_config
from joblib.parallel import ParallelBackendBase

from sim.store.disk import StoreError, reason

ADDRESS = re.compile(r"(tcp|tls)://[^\s/]+:\d{1,5}")
CONNECT_S, GRACE_S = 5.0, 1.0  # how long a scheduler may take to answer, and Dask to say why it does not
WORKERS_S = 10.0  # how long it may take until there is a worker
AHEAD = 2  # blocks per thread that the cluster has at once: one is played, one lies ready
ROOM, GROWTH = 1000, 4  # joblib hands over blocks for so many threads, and for so many times those that there are
RECOUNT_S = 2.0  # how often threads are counted
UNREAD_S = 0.01  # how often is looked whether results were taken
WATCH_S = 0.5  # how often a worker looks whether anybody still waits for its block
LOGGERS = ("distributed", "distributed.client")

Task = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


@contextmanager
def cluster(address: str) -> Iterator[int]:
    """Have joblib's tasks carried out by a Dask cluster; yields the threads of its workers, as `jobs` of `Run.fill`.

    address: of the scheduler, tcp://host:port, or tls:// with what Dask's configuration says of certificates. Scheduler and
    workers are trusted: they run what they are sent. Raises StoreError where there is no cluster, or it goes away.
    """
    if not ADDRESS.fullmatch(address):
        raise StoreError(f"--cluster {address}: is no address of a Dask scheduler; it is like tcp://host:8786")
    try:
        distributed: Any = import_module("distributed")  # an extra, and slow to load
    except ImportError:
        raise StoreError(f"--cluster {address}: needs Dask: pip install 'fairfight[cluster]'") from None
    with _quiet(), _connected(distributed, address) as client:
        backend = ClusterBackend(client, address)
        with parallel_config(backend=backend, n_jobs=-1):
            yield backend.threads


@contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    """A client of a cluster that has workers. Raises StoreError."""
    _check_answer(distributed, address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions of Dask's parts may work, and if not, say so themselves
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    try:
        try:
            client.wait_for_workers(1, timeout=WORKERS_S)
        except TimeoutError:
            raise StoreError(
                f"--cluster {address}: the scheduler has no workers; start some, each with: dask worker {address}"
            ) from None
        yield client
    finally:
        client.close()


async def _identity(distributed: Any, address: str) -> dict[str, Any]:
    """What a scheduler says of itself. Dask's client would wait for ever for other kinds of servers."""
    security = distributed.Security().get_connection_args("client")
    async with (
        asyncio.timeout(CONNECT_S + GRACE_S),
        distributed.rpc(address, timeout=CONNECT_S, connection_args=security) as server,
    ):
        found: dict[str, Any] = await server.identity()
        return found


def _check_answer(distributed: Any, address: str) -> None:
    """Raise StoreError where no scheduler answers."""
    try:
        with ThreadPoolExecutor(1) as apart:  # notebooks have a loop that runs already
            found = apart.submit(asyncio.run, _identity(distributed, address)).result()
    except TypeError:  # Dask's word for it
        raise StoreError(
            f"--cluster {address}: needs certificates; name them in Dask's configuration, under distributed.comm.tls"
        ) from None
    except (OSError, ValueError, MemoryError) as error:  # memory: for what other servers say, read as a length
        raise StoreError(f"--cluster {address}: no Dask scheduler answers there ({_why(error)})") from None
    if found.get("type") != "Scheduler":
        raise StoreError(f"--cluster {address}: is a Dask {str(found.get('type')).lower()}; name the scheduler")


def _why(error: BaseException) -> str:
    """What is at the bottom of an error, in the system's words if it has any."""
    while error.__cause__:
        error = error.__cause__
    return reason(error) if isinstance(error, OSError) and error.strerror else f"tried for {CONNECT_S:g} seconds"


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask on the terminal: what it says of lost workers and connections is told by `ClusterBackend`, or no matter."""
    before = {name: logging.getLogger(name).level for name in LOGGERS}
    try:
        for name in before:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


class ClusterBackend(ParallelBackendBase):
    """joblib's tasks as Dask's. All but `submit` and what joblib calls on reading and aborting runs on the client's loop."""

    supports_retrieve_callback = True

    def __init__(self, client: Any, address: str) -> None:
        super().__init__(nesting_level=0)
        self._client, self._address = client, address
        self.threads = sum(client.nthreads().values())
        self._counted = time.monotonic()
        self._waiting: deque[tuple[list[Task], Callable[[Any], None]]] = deque()  # handed over by joblib, not yet sent
        self._sent: set[Any] = set()  # Dask's futures
        self._under_way = 0  # tasks that are sent, or whose results are held back
        self._unread: set[int] = set()  # identities of results that joblib has and nobody has taken

    def effective_n_jobs(self, n_jobs: int) -> int:  # noqa: ARG002 - joblib's signature
        """How many tasks may be carried out at once; never one, which joblib would see to itself, here."""
        return max(2, int(self.threads))

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_: Any) -> int:
        """For how many threads joblib may hand over tasks: for more than there are, unless results are wanted in order.

        Those that have to be in order are cut to the pace of the ones before.
        """
        self.parallel = parallel
        known = self.effective_n_jobs(n_jobs)
        return known if parallel.return_ordered else max(ROOM, GROWTH * known)

    def submit(self, func: Any, callback: Callable[[Any], None]) -> None:
        """Take tasks from joblib. callback: is called with what they return, or with what went wrong."""
        self._client.loop.add_callback(self._accept, func.items, callback)

    apply_async = submit  # as joblib before 1.5 calls it

    def retrieve_result_callback(self, out: Any) -> Iterator[Any]:
        """What the consumer reads, from what `callback` was called with."""
        if isinstance(out, BaseException):
            raise out
        return self._reading(out)

    def abort_everything(self, ensure_ready: bool = True) -> None:  # noqa: ARG002 - as above
        """Give up all that is under way."""
        self._client.loop.add_callback(self._give_up)

    def _reading(self, results: list[Any]) -> Iterator[Any]:
        self._unread.discard(id(results))
        yield from results

    def _accept(self, tasks: list[Task], callback: Callable[[Any], None]) -> None:
        self._waiting.append((tasks, callback))
        self._send()

    def _send(self) -> None:
        """Send waiting tasks to the cluster, as many as it should have."""
        while self._waiting and self._under_way < AHEAD * self.threads:
            self._under_way += 1
            self._client.loop.add_callback(self._follow, *self._waiting.popleft())

    async def _follow(self, tasks: list[Task], callback: Callable[[Any], None]) -> None:
        """Have tasks carried out and hand on what they return, as soon as what was there before is read."""
        found = await self._found(tasks)
        if not isinstance(found, Exception):
            while len(self._unread) > AHEAD * self.threads and not self.parallel.return_ordered:
                await asyncio.sleep(UNREAD_S)
            self._unread.add(id(found))
        self._under_way -= 1
        callback(found)
        await self._recount()
        self._send()

    async def _found(self, tasks: list[Task]) -> Any:
        """What tasks return, or the error that says why they do not."""
        try:
            call = import_module("cloudpickle").dumps(_Call(tasks))
            future = self._client.submit(pickle.loads, call, key=f"block-{uuid4().hex}")
            self._sent.add(future)
            try:
                return await future
            finally:
                self._sent.discard(future)
                future.release()  # the cluster need not keep what is here
        except Exception as error:
            return self._told(error)

    async def _recount(self) -> None:
        """Count the threads that there are now."""
        if time.monotonic() - self._counted > RECOUNT_S and self._client.status == "running":
            self._counted = time.monotonic()
            with suppress(OSError):  # that the scheduler is gone is told to those who wait for tasks
                self.threads = max(1, sum((await self._client.nthreads()).values()))

    async def _give_up(self) -> None:
        self._waiting.clear()
        self._unread.clear()
        await self._client.cancel(list(self._sent), asynchronous=True)

    def _told(self, error: Exception) -> Exception:
        """What went wrong, in words that help."""
        distributed: Any = import_module("distributed")
        if isinstance(error, distributed.KilledWorker):
            return BrokenExecutor(str(error))
        if isinstance(error, CancelledError):
            return StoreError(
                f"--cluster {self._address}: the scheduler is gone; what is on disk is safe, the same command plays the rest"
            )
        if isinstance(error, ImportError):
            return StoreError(
                f"--cluster {self._address}: a worker cannot load fairfight ({_line(error)}); install the same for all"
            )
        return error


class _Call:
    """Tasks that are carried out by being unpickled: where fairfight is missing, that is then an error of this task.

    A task that names a function of ours as such breaks the connection to a worker that cannot load it, and nobody is told; and
    the scheduler would have to load it too.
    """

    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return carry_out, (self.tasks,)


def carry_out(tasks: list[Task]) -> list[Any]:
    """Carry tasks out, on a worker. The last argument of each is its `stop`, see `sim.run.spread`."""
    distributed: Any = import_module("distributed")
    worker, over = distributed.get_worker(), Event()
    stops = [arguments[-1] for _, arguments, _ in tasks]
    Thread(target=_watch, args=(worker, worker.get_current_task(), stops, over), daemon=True).start()
    try:
        return [function(*arguments, **named) for function, arguments, named in tasks]
    except (StoreError, OSError, MemoryError) as error:
        raise StoreError(f"worker {worker.address}: {reason(error) or 'out of memory'}") from None
    finally:
        over.set()


def _watch(worker: Any, key: Any, stops: list[Any], over: Event) -> None:
    """Set `stops` once the worker was told to forget a task, as when its client has gone: blocks may take hours."""
    while not over.wait(WATCH_S):
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            for stop in stops:
                stop[0] = 1
            return


def _line(error: Exception) -> str:
    """The first line of what a library says."""
    return (str(error).splitlines() or [type(error).__name__])[0]
