"""Play an experiment in blocks on all cores, and yield the blocks in the order of the game index."""

from __future__ import annotations

import atexit
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from joblib import Parallel, delayed

from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX, open_dice
from sim.engine.inspection import evaluate_options, evaluate_positions, list_features
from sim.engine.jit import interpreted, is_warm
from sim.engine.loop import BlockBuffers, Needs, Status, new_buffers, play_block
from sim.engine.policies import Policy, PolicySpec
from sim.engine.workspace import Workspace, new_workspace
from sim.experiments.experiment import Experiment
from sim.stopping import asked, check, heeding

BLOCK_SECONDS = 0.25  # target time of a block: short enough to stop soon, long enough to outweigh the overhead
BLOCK_MIN, BLOCK_MAX = 16, 10_000  # games
LOG_LINES = 4096  # decisions logged in the first attempt to replay a game
POLL_SECONDS = 0.05  # interval between checks of `stopping.asked`

Order = Literal["generator", "generator_unordered"]  # joblib's terms: in the order of the tasks, or as they finish


class ContractError(ValueError):
    """A game's code does what no game may do, such as asking for decisions without end."""


@dataclass(frozen=True)
class Block:
    """Results of consecutive games."""

    first: int  # index of the first game
    rows: np.ndarray  # (n,) ROW
    outcomes: np.ndarray  # (n,) the game's OUTCOME
    luck: np.ndarray | None = None  # (n, SEATS_MAX) share of the win that each seat owes to chance, if requested


@dataclass(frozen=True)
class Results:
    """All games of an experiment, in the order of their index."""

    experiment: Experiment
    rows: np.ndarray  # (games,) ROW
    outcomes: np.ndarray  # (games,) OUTCOME
    elapsed_s: float


@dataclass(frozen=True)
class Replay:
    """Games with every decision: `moves[i]` was decided in `positions[i]`."""

    rows: np.ndarray  # (games,) ROW
    outcomes: np.ndarray  # (games,) OUTCOME
    moves: np.ndarray  # (lines,) MOVE; each game ends with a line of action -1
    positions: np.ndarray  # (lines,) STATE
    luck: np.ndarray | None = None  # (lines, SEATS_MAX) change of each seat's winning chance by luck after the decision


class Pace:
    """Measured speed, which determines the size of the next block. Results do not depend on it."""

    def __init__(self) -> None:
        self.games_per_second = BLOCK_MIN / BLOCK_SECONDS

    def learn(self, games: int, seconds: float) -> None:
        """Record the time that a block took."""
        self.games_per_second = games / max(seconds, 1e-6)

    def cut(self, games: int, block_games: int | None, first: int = 0) -> Iterator[tuple[int, int]]:
        """Cut games first..games-1 into blocks (first, count), of a given size or of about BLOCK_SECONDS."""
        while first < games:
            fitting = int(self.games_per_second * BLOCK_SECONDS)
            count = min(block_games or max(BLOCK_MIN, min(BLOCK_MAX, fitting)), games - first)
            yield first, count
            first += count


def cores() -> int:
    """Number of cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class GameSource(Protocol):
    """Games played earlier, such as those of a run folder."""

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """Blocks of this experiment from game 0 up to the first gap; None if the source holds another experiment."""

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """(games, sums over them) of all games of this experiment; None unless the source holds exactly these."""


class Keeper(Protocol):
    """Keeps results as a command runs, so that it can continue after an interrupt; see `sim.store.kept`."""

    recalled: int  # games read instead of played

    def blocks(self, experiment: Experiment, first: int) -> Iterator[Block]:
        """Kept games from an index up to the first gap."""

    def block(self, experiment: Experiment, first: int, count: int) -> Block | None:
        """Kept games first..first+count-1, or None."""

    def keep_block(self, experiment: Experiment, block: Block) -> None:
        """Keep a block if all of its games were played."""

    def recall(self, kind: str, experiment: Experiment, first: int, count: int) -> list[np.ndarray] | None:
        """Kept results of one kind for consecutive games, or None."""

    def keep(self, kind: str, experiment: Experiment, first: int, count: int, arrays: list[np.ndarray]) -> None:
        """Keep results of another kind. kind: names all that they depend on besides the games."""


_source: ContextVar[GameSource | None] = ContextVar("source", default=None)
_keeper: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def reading_from(source: GameSource) -> Iterator[None]:
    """Let `blocks` read games from a source instead of playing them; the bytes are the same either way."""
    before = _source.set(source)
    try:
        yield
    finally:
        _source.reset(before)


def source_in_use() -> GameSource | None:
    """The source set by `reading_from`, if any."""
    return _source.get()


@contextmanager
def keeping_in(keeper: Keeper) -> Iterator[None]:
    """Keep all games played within this block, and read those that were kept before."""
    before = _keeper.set(keeper)
    try:
        yield
    finally:
        _keeper.reset(before)


def keeper_in_use() -> Keeper | None:
    """The keeper set by `keeping_in`, if any."""
    return _keeper.get()


def blocks(experiment: Experiment, jobs: int | None = None, block_games: int | None = None) -> Iterator[Block]:
    """Play the experiment and yield its blocks in the order of the game index, after those of a source or a keeper.

    jobs: workers, all cores if None; joblib's `parallel_config` can place them in processes or on a cluster. block_games: games
    per block, adapted to the pace if None; the games do not depend on either. Closing the iterator (or an exception in its
    consumer) stops the workers after their current game. Raises ContractError for a game that cannot end.
    """
    check_workers(jobs)
    if block_games is not None and block_games < 1:
        raise ValueError(f"block_games={block_games} must be at least 1")
    with heeding():
        yield from _blocks(experiment, jobs, block_games)


def _blocks(experiment: Experiment, jobs: int | None, block_games: int | None) -> Iterator[Block]:
    """Yield the blocks of a source and of a keeper, then play the others; see `blocks`."""
    done, source, keeper = 0, source_in_use(), keeper_in_use()
    for block in (source.read(experiment) if source else None) or ():
        check()
        done += len(block.rows)
        yield block
    for block in keeper.blocks(experiment, done) if keeper else ():
        check()
        done += len(block.rows)
        yield block
    if done == experiment.games:
        return
    pace = Pace()

    def task(first: int, count: int, stop: np.ndarray) -> Any:
        return delayed(play_kept)(keeper, experiment, first, count, stop)

    played = spread(task, pace.cut(experiment.games, block_games, done), jobs)
    try:
        for block, seconds in played:
            pace.learn(len(block.rows), seconds)
            yield block
    finally:
        played.close()


def spread(
    task: Callable[[int, int, np.ndarray], Any],
    ranges: Iterable[tuple[int, int]],
    jobs: int | None = None,
    order: Order = "generator",
) -> Generator[Any]:
    """Distribute tasks on ranges of games among workers and yield their results.

    task: creates a joblib task from (first game, games, stop). The task must end after the current game once `stop` is set,
    which happens when the iterator is closed. ranges: read one by one, as workers become free.
    """
    yield from share_out(lambda stop: (task(first, count, stop) for first, count in ranges), jobs, order)


def share_out(
    tasks: Callable[[np.ndarray], Iterable[Any]], jobs: int | None = None, order: Order = "generator"
) -> Generator[Any]:
    """Distribute tasks among workers and yield their results, in order or as they finish.

    tasks: creates joblib tasks from an array `stop`, read one by one. Once `stop` is set, a task ends after its current game.
    It is set when this iterator is closed, which waits for the workers, and by `sim.stopping.asked`: then KeyboardInterrupt is
    raised at once, however long a game takes. So signals that come while the reader handles a result wait for the next one.
    """
    check_workers(jobs)
    with heeding():
        yield from _share_out(tasks, jobs, order)


def _share_out(tasks: Callable[[np.ndarray], Iterable[Any]], jobs: int | None, order: Order) -> Generator[Any]:
    """Distribute tasks; see `share_out`."""
    stop = np.zeros(1, np.uint8)
    work = Parallel(n_jobs=jobs or cores(), prefer="threads", return_as=order, batch_size=1)
    results: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    wanted = threading.Semaphore(0)
    feeder = threading.Thread(target=_feed, args=(work, tasks(stop), stop, wanted, results), daemon=True)
    feeder.start()
    interrupted = False
    try:
        while True:
            kind, result = _next_result(results)
            if kind == "end":
                return
            if kind == "error":
                raise result
            yield result
            wanted.release()
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        stop[0] = 1
        wanted.release()
        if not (interrupted or asked.is_set()):
            feeder.join()


# Held while a pool of threads is closed, and from the end of the process on. multiprocessing closes it then, too, and both at
# once can wait for each other forever: after TERMINATE, `Pool.close` sets the state back to CLOSE.
_closing = threading.Lock()
atexit.register(_closing.acquire)


def _feed(
    work: Parallel,
    tasks: Iterable[Any],
    stop: np.ndarray,
    wanted: threading.Semaphore,
    results: queue.SimpleQueue[tuple[str, Any]],
) -> None:
    """Put the workers' results into a queue, because joblib's iterator cannot be read with a timeout.

    wanted: released when the next result is wanted. None is read earlier, so the workers of a cluster wait for a slow reader.
    """
    try:
        returned = work(tasks)
        try:
            for result in returned:
                results.put(("result", result))
                wanted.acquire()
                if stop[0]:
                    break
        finally:
            stop[0] = 1
            with _closing:
                returned.close()
    except BaseException as error:
        results.put(("error", error))
    else:
        results.put(("end", None))


def _next_result(results: queue.SimpleQueue[tuple[str, Any]]) -> tuple[str, Any]:
    """Wait for the next result. Raises KeyboardInterrupt once `sim.stopping.asked` is set."""
    while True:
        check()
        try:
            return results.get(timeout=POLL_SECONDS)
        except queue.Empty:
            continue


def check_workers(jobs: int | None) -> None:
    """Raise ValueError for fewer than one worker."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs} must be at least 1")


def play_range(
    experiment: Experiment, first: int, count: int, stop: np.ndarray | None = None, rerolls: int = 0
) -> tuple[Block, float]:
    """Play games first..first+count-1 in this thread; returns the block and the seconds it took."""
    began = time.perf_counter()
    buffers, _ = play_sheet(experiment, first, count, log=0, stop=stop, rerolls=rerolls)
    luck = buffers.luck if rerolls else None
    return Block(first, buffers.rows, buffers.outcomes, luck), time.perf_counter() - began


def play_kept(keeper: Keeper | None, experiment: Experiment, first: int, count: int, stop: np.ndarray) -> tuple[Block, float]:
    """Return kept games if there are any; otherwise play them like `play_range` and keep them."""
    began = time.perf_counter()
    if keeper is not None and (block := keeper.block(experiment, first, count)):
        return block, time.perf_counter() - began
    block, seconds = play_range(experiment, first, count, stop)
    if keeper is not None:
        keeper.keep_block(experiment, block)
    return block, seconds


def play_sheet(
    experiment: Experiment, first: int, count: int, log: int, stop: np.ndarray | None = None, rerolls: int = 0
) -> tuple[BlockBuffers, int]:
    """Play a range with room to log `log` decisions; returns the buffers and the number of lines logged."""
    game = experiment.game
    buffers = new_buffers(experiment.plan(first, count), game.state, game.outcome, log, experiment.bans, rerolls)
    if stop is not None:
        buffers = buffers._replace(stop=stop)
    turn_limit = game.turn_limit(experiment.cards)
    needs = needs_of(experiment, rerolls)
    logged = play_block(bench_of(experiment), experiment.evaluators, experiment.player_table, buffers, turn_limit, *needs)
    check_rows(experiment, buffers.rows)
    return buffers, int(logged)


BUGS = {Status.OVERRUN: "asks for decisions without end", Status.NO_ACTION: "has a decision without a legal action"}


def check_rows(experiment: Experiment, rows: np.ndarray) -> None:
    """Raise ContractError if a game was stopped by a bug in the game's code. rows: ROW, of games of the experiment."""
    for status, bug in BUGS.items():
        for row in rows[rows["status"] == status][:1]:
            game = experiment.game
            raise ContractError(
                f"{game.title}: game {row['game']} of seed {experiment.seed} {bug}; this is a bug in the game's code, "
                f"not in the cards; `fairfight check {game.name}` looks for it"
            )


LOOPS = {  # forms of the loop, each with all that the one before it has
    "random": Needs(None, None, None),
    "greedy": Needs(True, None, None),
    "loop": Needs(True, True, True),
}


def loop_of(policies: Iterable[PolicySpec], rerolls: int = 0) -> str:
    """Return the smallest form of the loop for these policies."""
    kinds = {policy.policy for policy in policies}
    if rerolls or kinds & {Policy.FLAT, Policy.SEARCH, Policy.TURN}:
        return "loop"
    return "greedy" if Policy.GREEDY in kinds else "random"


def needs_of(experiment: Experiment, rerolls: int = 0) -> Needs:
    """Return what an experiment needs of the loop. Greedy players are as fast in the whole of it, if that is compiled."""
    form = loop_of(experiment.policies, rerolls)
    return LOOPS["loop" if form == "greedy" and is_warm(experiment.game.state, "loop") else form]


def bench_for(game: Game) -> Workspace:
    """Allocate a workspace for one worker of a game."""
    return new_workspace(game.state, game.options_max, SEATS_MAX)


def bench_of(experiment: Experiment) -> Workspace:
    """Allocate a workspace for one worker of an experiment."""
    game = experiment.game
    nodes, width, samples = np.max([(policy.nodes, policy.width, policy.hands) for policy in experiment.policies], axis=0)
    return new_workspace(game.state, game.options_max, SEATS_MAX, nodes, experiment.bans.shape[1], width, samples)


def collect(experiment: Experiment, jobs: int | None = None, watch: Any = None) -> Results:
    """Play the whole experiment and keep every row. watch: called with the games done after each block."""
    began = time.perf_counter()
    rows = None
    for block in blocks(experiment, jobs):
        if rows is None:
            rows = np.zeros(experiment.games, block.rows.dtype)
            outcomes = np.zeros(experiment.games, block.outcomes.dtype)
        end = block.first + len(block.rows)
        rows[block.first : end], outcomes[block.first : end] = block.rows, block.outcomes
        if watch:
            watch(end)
    assert rows is not None, "an experiment has at least one game"
    return Results(experiment, rows, outcomes, time.perf_counter() - began)


def replay(experiment: Experiment, first: int, count: int = 1, rerolls: int = 0) -> Replay:
    """Play games first..first+count-1 and log every decision and position. The games are the same as in any batch.

    rerolls: samples per chance event from which luck is measured; 0: no luck.
    """
    log = LOG_LINES
    while True:
        buffers, logged = play_sheet(experiment, first, count, log, rerolls=rerolls)
        if logged < log:
            luck = buffers.luck_by_move[:logged] if rerolls else None
            return Replay(buffers.rows, buffers.outcomes, buffers.moves[:logged], buffers.positions[:logged], luck)
        log *= 4


def evaluations(experiment: Experiment, positions: np.ndarray) -> np.ndarray:
    """Estimate the winning chance of every seat in positions of the experiment's games, (n, seats), in 0..1.

    positions: (n,) STATE, as in `Replay`. The estimate is the game's `evaluate`, which greedy players use; it does not depend on
    the players who continue the game.
    """
    chances = np.zeros((len(positions), experiment.seats))
    evaluate_positions(positions, experiment.cards.record, experiment.seats, chances)
    return chances


def features_of(experiment: Experiment, positions: np.ndarray) -> np.ndarray:
    """Features that the game's `evaluate` weighs in unfinished positions, (n, seats, features); see `Game.features`."""
    features = np.zeros((len(positions), experiment.seats, len(experiment.game.features)))
    list_features(positions, experiment.cards.record, experiment.seats, features)
    return features


def option_values(
    experiment: Experiment, positions: np.ndarray, policy: PolicySpec, entrants: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, int]:
    """A policy's values of all options in unfinished positions.

    positions: (n,) STATE, as in `Replay`; policy: any but `random`; entrants: (seats,) entrants whose bans apply, None: no bans.
    Returns (options, values, chosen): the actions, -1 after the last, and the winning chance of the current player with each of
    them, 0..1, both (n, options_max); and the index of the policy's choice in the last position, -1 if there is none. The dice
    depend on the experiment's seed and are those of no game.
    """
    game = experiment.game
    viewer = replace(experiment, policies=(policy,))
    workspace = bench_of(viewer)
    if experiment.forbidden and entrants is not None:
        workspace.bans[: experiment.seats] = experiment.bans[entrants]
    open_all_dice(workspace, experiment.seed, 0)
    options = np.zeros((len(positions), game.options_max), np.int32)
    values = np.zeros(options.shape)
    chosen = evaluate_options(workspace, viewer.evaluators, viewer.player_table, positions, options, values)
    return options, values, int(chosen)


def open_all_dice(workspace: Workspace, seed: int, game: int) -> None:
    """Initialise the dice of all roles for a game. The kernel runs as plain Python: compiling it would take longer."""
    with interpreted():
        for role in range(len(workspace.dice)):
            open_dice(workspace.dice[role], np.uint64(seed), np.uint64(game), workspace.streams)
            workspace.dice[role]["role"] = role
