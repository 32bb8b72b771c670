"""Play an experiment: cut it into blocks, play them on all cores, hand them on in the order of the game index."""

from __future__ import annotations

import os
import queue
import threading
import time
import warnings
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
from sim.engine.loop import BlockBuffers, Status, new_buffers, play_block
from sim.engine.policies import PolicySpec
from sim.engine.workspace import Workspace, new_workspace
from sim.experiments.experiment import Experiment
from sim.stopping import asked

BLOCK_SECONDS = 0.25  # a block should take so long: short enough to stop soon, long enough to be worth its handling
BLOCK_MIN, BLOCK_MAX = 16, 10_000  # games
LOG_LINES = 4096  # decisions of a game kept at the first try
POLL_SECONDS = 0.05  # between looks at `stopping.asked`

Order = Literal["generator", "generator_unordered"]  # as joblib calls them: as asked for, or as they come


@dataclass(frozen=True)
class Block:
    """Consecutive games, as they ended."""

    first: int  # index of the first game
    rows: np.ndarray  # (n,) ROW
    outcomes: np.ndarray  # (n,) the game's OUTCOME
    luck: np.ndarray | None = (
        None  # (n, SEATS_MAX) how much of the win each seat owes to chance, where that was asked for
    )


@dataclass(frozen=True)
class Results:
    """All games of an experiment, in the order of their index."""

    experiment: Experiment
    rows: np.ndarray  # (games,) ROW
    outcomes: np.ndarray  # (games,) OUTCOME
    elapsed_s: float


@dataclass(frozen=True)
class Replay:
    """Games with every decision: `positions[i]` is the position in which `moves[i]` was decided."""

    rows: np.ndarray  # (games,) ROW
    outcomes: np.ndarray  # (games,) OUTCOME
    moves: np.ndarray  # (lines,) MOVE; each game ends with a line of action -1
    positions: np.ndarray  # (lines,) STATE
    luck: np.ndarray | None = (
        None  # (lines, SEATS_MAX) how far what chance brought after a decision moved each seat's chance
    )


class Pace:
    """Measured speed, from which the size of the next block follows. Results do not depend on it."""

    def __init__(self) -> None:
        self.games_per_second = BLOCK_MIN / BLOCK_SECONDS

    def learn(self, games: int, seconds: float) -> None:
        """Take in how long a block took."""
        self.games_per_second = games / max(seconds, 1e-6)

    def cut(self, games: int, block_games: int | None, first: int = 0) -> Iterator[tuple[int, int]]:
        """Cut games first..games-1 into (first, count) of blocks: of a given size, or of what a quarter second allows."""
        while first < games:
            fitting = int(self.games_per_second * BLOCK_SECONDS)
            count = min(block_games or max(BLOCK_MIN, min(BLOCK_MAX, fitting)), games - first)
            yield first, count
            first += count


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class GameSource(Protocol):
    """Games that were played before, such as those of a run folder."""

    def read(self, experiment: Experiment) -> Iterator[Block] | None:
        """Blocks of this very experiment from game 0 on without gaps, as far as they are there; None if it has none."""

    def sums(self, experiment: Experiment) -> Iterator[tuple[int, dict[str, np.ndarray]]] | None:
        """(games, sums over them) of all games of this very experiment; None if it has not just these."""


class Keeper(Protocol):
    """Results of games that a command keeps as it runs, so that it can continue after an interrupt; see `sim.store.kept`."""

    recalled: int  # games that were found

    def blocks(self, experiment: Experiment, first: int, rerolls: int = 0) -> Iterator[Block]:
        """Kept games from one index on, as far as they go without a gap."""

    def block(self, experiment: Experiment, first: int, count: int) -> Block | None:
        """Kept games first..first+count-1, None where these are not there."""

    def keep_block(self, experiment: Experiment, block: Block, rerolls: int = 0) -> None:
        """Keep games, if all of them were played to their end."""

    def recall(self, kind: str, experiment: Experiment, first: int, count: int) -> list[np.ndarray] | None:
        """What was kept of this kind of consecutive games, None where nothing was."""

    def keep(self, kind: str, experiment: Experiment, first: int, count: int, arrays: list[np.ndarray]) -> None:
        """Keep results of another kind. kind: a text with all that they depend on besides the games."""


_source: ContextVar[GameSource | None] = ContextVar("source", default=None)
_keeper: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def reading_from(source: GameSource) -> Iterator[None]:
    """Let `blocks` read what a shelf holds instead of playing it: games of one experiment are the same bytes either way."""
    before = _source.set(source)
    try:
        yield
    finally:
        _source.reset(before)


def source_in_use() -> GameSource | None:
    """The shelf of `reading_from`, if there is one."""
    return _source.get()


@contextmanager
def keeping_in(keeper: Keeper) -> Iterator[None]:
    """Let everything that is played here be kept, and read what is there already."""
    before = _keeper.set(keeper)
    try:
        yield
    finally:
        _keeper.reset(before)


def keeper_in_use() -> Keeper | None:
    """The keeper of `keeping_in`, if there is one."""
    return _keeper.get()


def blocks(
    experiment: Experiment, jobs: int | None = None, block_games: int | None = None, rerolls: int = 0
) -> Iterator[Block]:
    """Play the experiment and yield its blocks in the order of the game index; games on a shelf or kept ones are read first.

    jobs: workers, all cores if None; joblib's `parallel_config` may put them on processes or a cluster. block_games: games
    per block, adapted to the pace if None; the games do not depend on either. rerolls: samples of each chance from which the
    blocks' luck is told, which a shelf does not hold; 0: untold. Closing the iterator (or an exception in
    its consumer) stops the workers after the game that they play. Raises RuntimeError for a game that cannot end.
    """
    check_workers(jobs)
    if block_games is not None and block_games < 1:
        raise ValueError(f"block_games={block_games} must be at least 1")
    done, source = 0, None if rerolls else source_in_use()
    for block in (source.read(experiment) if source else None) or ():
        done += len(block.rows)
        yield block
    keeper = keeper_in_use()
    for block in keeper.blocks(experiment, done, rerolls) if keeper else ():
        done += len(block.rows)
        yield block
    if done == experiment.games:
        return
    pace = Pace()

    def task(first: int, count: int, stop: np.ndarray) -> Any:
        return delayed(play_kept)(keeper, experiment, first, count, stop, rerolls)

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
    """Share tasks on ranges of games out among workers and yield what they return.

    task: makes a joblib task of (first game, games, stop); once `stop` is set, as it is when the iterator is closed, the task
    must leave off after the game that it plays. ranges: taken one by one, as workers become free.
    """
    yield from share_out(lambda stop: (task(first, count, stop) for first, count in ranges), jobs, order)


def share_out(
    tasks: Callable[[np.ndarray], Iterable[Any]], jobs: int | None = None, order: Order = "generator"
) -> Generator[Any]:
    """Share tasks out among workers and yield what they return, as they come or in their order.

    tasks: makes joblib tasks, taken one by one, of an array `stop`: once it is set, a task leaves off after the game that it
    plays. It is set when this iterator is closed, which waits for the workers, and on `sim.stopping.asked`: then
    KeyboardInterrupt is raised at once, however long a game takes.
    """
    check_workers(jobs)
    stop = np.zeros(1, np.uint8)
    work = Parallel(n_jobs=jobs or cores(), prefer="threads", return_as=order, batch_size=1)
    results: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    wanted = threading.Semaphore(0)
    feeder = threading.Thread(target=_feed, args=(work, tasks(stop), stop, wanted, results), daemon=True)
    feeder.start()
    try:
        while True:
            kind, found = _taken(results)
            if kind == "end":
                return
            if kind == "error":
                raise found
            yield found
            wanted.release()
    finally:
        stop[0] = 1
        wanted.release()
        if not asked.is_set():
            feeder.join()


def _feed(
    work: Parallel,
    tasks: Iterable[Any],
    stop: np.ndarray,
    wanted: threading.Semaphore,
    results: queue.SimpleQueue[tuple[str, Any]],
) -> None:
    """Put what the workers return into a queue: joblib itself cannot be waited for with a time limit.

    wanted: released when the next result is wanted; so none is read before, and the workers of a cluster wait for a slow reader.
    """
    try:
        found = work(tasks)
        try:
            for one in found:
                results.put(("result", one))
                wanted.acquire()
                if stop[0]:
                    break
        finally:
            stop[0] = 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # joblib would report the blocks that are given up
                found.close()
    except BaseException as error:
        results.put(("error", error))
    else:
        results.put(("end", None))


def _taken(results: queue.SimpleQueue[tuple[str, Any]]) -> tuple[str, Any]:
    """The next of the results. Raises KeyboardInterrupt on `sim.stopping.asked`."""
    while True:
        if asked.is_set():
            raise KeyboardInterrupt
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
    """Play games first..first+count-1 here and now; returns the block and the seconds it took."""
    began = time.perf_counter()
    buffers, _ = play_sheet(experiment, first, count, log=0, stop=stop, rerolls=rerolls)
    luck = buffers.luck if rerolls else None
    return Block(first, buffers.rows, buffers.outcomes, luck), time.perf_counter() - began


def play_kept(
    keeper: Keeper | None, experiment: Experiment, first: int, count: int, stop: np.ndarray, rerolls: int = 0
) -> tuple[Block, float]:
    """Play games as `play_range` does and keep them; returns those that were kept before as they are."""
    began = time.perf_counter()
    if keeper is not None and not rerolls and (block := keeper.block(experiment, first, count)):
        return block, time.perf_counter() - began
    block, seconds = play_range(experiment, first, count, stop, rerolls)
    if keeper is not None:
        keeper.keep_block(experiment, block, rerolls)
    return block, seconds


def play_sheet(
    experiment: Experiment, first: int, count: int, log: int, stop: np.ndarray | None = None, rerolls: int = 0
) -> tuple[BlockBuffers, int]:
    """Play a range with a log of `log` decisions; returns the sheet and the lines logged."""
    game = experiment.game
    buffers = new_buffers(experiment.plan(first, count), game.state, game.outcome, log, experiment.bans, rerolls)
    if stop is not None:
        buffers = buffers._replace(stop=stop)
    turn_limit = game.turn_limit(experiment.cards)
    logged = play_block(bench_of(experiment), experiment.evaluators, experiment.player_table, buffers, turn_limit)
    overrun = np.flatnonzero(buffers.rows["status"] == Status.OVERRUN)
    if len(overrun):
        raise RuntimeError(
            f"{game.title}: game {first + overrun[0]} of seed {experiment.seed} asks for decisions without end; "
            "this is a fault of the game's code, not of the cards"
        )
    return buffers, int(logged)


def bench_for(game: Game) -> Workspace:
    """Allocate scratch for one worker of a game."""
    return new_workspace(game.state, game.options_max, SEATS_MAX)


def bench_of(experiment: Experiment) -> Workspace:
    """Allocate scratch for one worker of an experiment."""
    game, nodes = experiment.game, max(policy.nodes for policy in experiment.policies)
    return new_workspace(game.state, game.options_max, SEATS_MAX, nodes, experiment.bans.shape[1])


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
    """Play games first..first+count-1 again, keeping every decision and position; the same games as in any batch.

    rerolls: samples of each chance from which its luck is told; 0: untold.
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

    positions: (n,) STATE, as `Replay` holds them. The estimate is the game's own `evaluate`, which greedy players go by; it is
    that of a position, not of the players who play it on.
    """
    found = np.zeros((len(positions), experiment.seats))
    evaluate_positions(positions, experiment.cards.record, experiment.seats, found)
    return found


def features_of(experiment: Experiment, positions: np.ndarray) -> np.ndarray:
    """What the game's `evaluate` weighs in positions that are not over, (n, seats, features); see `Game.features`."""
    found = np.zeros((len(positions), experiment.seats, len(experiment.game.features)))
    list_features(positions, experiment.cards.record, experiment.seats, found)
    return found


def option_values(
    experiment: Experiment, positions: np.ndarray, policy: PolicySpec, entrants: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What a policy thinks of all decisions open in positions that are not over.

    positions: (n,) STATE, as `Replay` holds them; policy: any but `random`; entrants: (seats,) whose prohibitions hold on each
    seat, None: nobody's. Returns (options, values), (n, options_max) each: the decisions, -1 beyond the last, and the winning
    chance of whoever decides with each of them, 0..1. Its dice are those of the experiment's seed and of no game.
    """
    game = experiment.game
    viewer = replace(experiment, policies=(policy,))
    workspace = bench_of(viewer)
    if experiment.forbidden and entrants is not None:
        workspace.bans[: experiment.seats] = experiment.bans[entrants]
    for role in range(len(workspace.dice)):
        open_dice(workspace.dice[role], np.uint64(experiment.seed), np.uint64(0), workspace.streams)
        workspace.dice[role]["role"] = role
    options = np.zeros((len(positions), game.options_max), np.int32)
    values = np.zeros(options.shape)
    evaluate_options(workspace, viewer.evaluators, viewer.player_table, positions, options, values)
    return options, values
