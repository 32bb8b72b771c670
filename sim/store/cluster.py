"""Play the blocks of a run on a Dask cluster: a joblib backend, active within `cluster`.

joblib's own Dask backend waits for ever when a worker cannot load a task, or when Dask gives up on a task after several deaths
of workers. It plays in the client if the cluster has a single worker, gives no work to workers that join later, and does not
stop cancelled tasks. This backend avoids all of that, and a slow disk slows the cluster down instead of filling the memory.
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
CONNECT_S, GRACE_S = 5.0, 1.0  # timeout for the scheduler's answer, plus the time that Dask needs to report a failure
WORKERS_S = 10.0  # timeout for the first worker
AHEAD = 2  # blocks per thread on the cluster at once: one being played, one waiting
ROOM, GROWTH = 1000, 4  # joblib hands over blocks for this many threads, or this multiple of the present ones if larger
RECOUNT_S = 2.0  # interval between counts of the threads
UNREAD_S = 0.01  # interval between checks whether results have been read
WATCH_S = 0.5  # interval at which a worker checks that its block is still wanted
LOGGERS = ("distributed", "distributed.client")

Task = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


@contextmanager
def cluster(address: str) -> Iterator[int]:
    """Run joblib's tasks on a Dask cluster; yields the number of its threads, to be passed as `jobs` to `Run.fill`.

    address: of the scheduler, tcp://host:port, or tls:// with the certificates of Dask's configuration. Scheduler and workers
    must be trusted: they execute the code that they receive. Raises StoreError if there is no cluster, or if it goes away.
    """
    if not ADDRESS.fullmatch(address):
        raise StoreError(f"--cluster {address}: is not the address of a Dask scheduler, such as tcp://host:8786")
    try:
        distributed: Any = import_module("distributed")  # an extra, and slow to load
    except ImportError:
        raise StoreError(
            f"--cluster {address}: needs Dask; in fairfight's folder, install it with: pip install '.[cluster]'"
        ) from None
    with _quiet(), _connected(distributed, address) as client:
        backend = ClusterBackend(client, address)
        with parallel_config(backend=backend, n_jobs=-1):
            yield backend.threads


@contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    """A client of a cluster that has workers. Raises StoreError."""
    _check_answer(distributed, address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mixed versions of Dask may work; if not, Dask raises an error itself
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
    """Ask a server for its identity. Dask's client would wait for ever for a server that is no scheduler."""
    security = distributed.Security().get_connection_args("client")
    async with (
        asyncio.timeout(CONNECT_S + GRACE_S),
        distributed.rpc(address, timeout=CONNECT_S, connection_args=security) as server,
    ):
        answer: dict[str, Any] = await server.identity()
        return answer


def _check_answer(distributed: Any, address: str) -> None:
    """Raise StoreError unless a scheduler answers."""
    try:
        with ThreadPoolExecutor(1) as executor:  # a notebook already runs an event loop in this thread
            answer = executor.submit(asyncio.run, _identity(distributed, address)).result()
    except TypeError:  # what Dask raises without certificates
        raise StoreError(
            f"--cluster {address}: needs certificates; name them in Dask's configuration, under distributed.comm.tls"
        ) from None
    except (OSError, ValueError, MemoryError) as error:  # MemoryError: a foreign server's answer, read as a length
        raise StoreError(f"--cluster {address}: no Dask scheduler answers there ({_why(error)})") from None
    if answer.get("type") != "Scheduler":
        raise StoreError(f"--cluster {address}: is a Dask {str(answer.get('type')).lower()}; name the scheduler")


def _why(error: BaseException) -> str:
    """The root cause of an error: the system's description, or that the connection timed out."""
    while error.__cause__:
        error = error.__cause__
    return reason(error) if isinstance(error, OSError) and error.strerror else f"tried for {CONNECT_S:g} seconds"


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log: `ClusterBackend` reports every lost worker and connection that matters."""
    before = {name: logging.getLogger(name).level for name in LOGGERS}
    try:
        for name in before:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


class ClusterBackend(ParallelBackendBase):
    """A joblib backend that sends its tasks to Dask.

    joblib calls the public methods from its own threads; the private ones run in the event loop of Dask's client, except
    `_reading`.
    """

    supports_retrieve_callback = True

    def __init__(self, client: Any, address: str) -> None:
        super().__init__(nesting_level=0)
        self._client, self._address = client, address
        self.threads = sum(client.nthreads().values())
        self._counted = time.monotonic()
        self._waiting: deque[tuple[list[Task], Callable[[Any], None]]] = deque()  # received from joblib, not yet sent
        self._sent: set[Any] = set()  # Dask's futures
        self._under_way = 0  # tasks that are sent, or whose results are held back
        self._unread: set[int] = set()  # ids of results that were passed to joblib and not yet read

    def effective_n_jobs(self, n_jobs: int) -> int:  # noqa: ARG002 - joblib's signature
        """Number of tasks to run at once. At least two: with one, joblib would run the tasks in this process."""
        return max(2, int(self.threads))

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_: Any) -> int:
        """Number of threads for which joblib hands over tasks: more than there are, unless results must be in order.

        Ordered blocks are sized by the speed of the blocks before them, so they must not be cut far ahead.
        """
        self.parallel = parallel
        known = self.effective_n_jobs(n_jobs)
        return known if parallel.return_ordered else max(ROOM, GROWTH * known)

    def submit(self, func: Any, callback: Callable[[Any], None]) -> None:
        """Take tasks from joblib. callback: called with their results, or with the exception."""
        self._client.loop.add_callback(self._accept, func.items, callback)

    apply_async = submit  # as joblib before 1.5 calls it

    def retrieve_result_callback(self, out: Any) -> Iterator[Any]:
        """Return what was passed to `callback` as results for the consumer, or raise it."""
        if isinstance(out, BaseException):
            raise out
        return self._reading(out)

    def abort_everything(self, ensure_ready: bool = True) -> None:  # noqa: ARG002 - as above
        """Cancel all tasks."""
        self._client.loop.add_callback(self._give_up)

    def _reading(self, results: list[Any]) -> Iterator[Any]:
        self._unread.discard(id(results))
        yield from results

    def _accept(self, tasks: list[Task], callback: Callable[[Any], None]) -> None:
        self._waiting.append((tasks, callback))
        self._send()

    def _send(self) -> None:
        """Send waiting tasks, up to the number that the cluster should have at once."""
        while self._waiting and self._under_way < AHEAD * self.threads:
            self._under_way += 1
            self._client.loop.add_callback(self._follow, *self._waiting.popleft())

    async def _follow(self, tasks: list[Task], callback: Callable[[Any], None]) -> None:
        """Run tasks and pass their results on, once the reader has caught up."""
        results = await self._results(tasks)
        if not isinstance(results, Exception):
            while len(self._unread) > AHEAD * self.threads and not self.parallel.return_ordered:
                await asyncio.sleep(UNREAD_S)
            self._unread.add(id(results))
        self._under_way -= 1
        callback(results)
        await self._recount()
        self._send()

    async def _results(self, tasks: list[Task]) -> Any:
        """The results of tasks, or the exception that explains why there are none."""
        try:
            call = import_module("cloudpickle").dumps(_Call(tasks))
            future = self._client.submit(pickle.loads, call, key=f"block-{uuid4().hex}")
            self._sent.add(future)
            try:
                return await future
            finally:
                self._sent.discard(future)
                future.release()  # results are here; the cluster need not keep them
        except Exception as error:
            return self._explained(error)

    async def _recount(self) -> None:
        """Update the number of threads."""
        if time.monotonic() - self._counted > RECOUNT_S and self._client.status == "running":
            self._counted = time.monotonic()
            with suppress(OSError):  # a lost scheduler is reported for the tasks that it had
                self.threads = max(1, sum((await self._client.nthreads()).values()))

    async def _give_up(self) -> None:
        self._waiting.clear()
        self._unread.clear()
        await self._client.cancel(list(self._sent), asynchronous=True)

    def _explained(self, error: Exception) -> Exception:
        """An exception whose message helps the user, for one that Dask raised."""
        distributed: Any = import_module("distributed")
        if isinstance(error, distributed.KilledWorker):
            return BrokenExecutor(str(error))
        if isinstance(error, CancelledError):
            return StoreError(
                f"--cluster {self._address}: the scheduler is gone; games on disk are safe, and the same command plays the others"
            )
        if isinstance(error, ImportError):
            return StoreError(
                f"--cluster {self._address}: a worker cannot load fairfight ({_line(error)}); install the same everywhere"
            )
        return error


class _Call:
    """Tasks that run when they are unpickled, so that a missing fairfight on a worker is an error of this task alone.

    A task that refers to one of our functions directly would break the connection to a worker that cannot import it, without
    any report, and the scheduler would have to import it too.
    """

    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return carry_out, (self.tasks,)


def carry_out(tasks: list[Task]) -> list[Any]:
    """Run tasks on a worker. The last argument of each is its `stop`, see `sim.run.spread`."""
    distributed: Any = import_module("distributed")
    worker, finished = distributed.get_worker(), Event()
    stops = [arguments[-1] for _, arguments, _ in tasks]
    Thread(target=_watch, args=(worker, worker.get_current_task(), stops, finished), daemon=True).start()
    try:
        return [function(*arguments, **named) for function, arguments, named in tasks]
    except (StoreError, OSError, MemoryError) as error:
        raise StoreError(f"worker {worker.address}: {reason(error) or 'out of memory'}") from None
    finally:
        finished.set()


def _watch(worker: Any, key: Any, stops: list[Any], finished: Event) -> None:
    """Set `stops` when the task is cancelled, as when its client has gone: a block can take hours."""
    while not finished.wait(WATCH_S):
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            for stop in stops:
                stop[0] = 1
            return


def _line(error: Exception) -> str:
    """The first line of an error message."""
    return (str(error).splitlines() or [type(error).__name__])[0]
