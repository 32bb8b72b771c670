"""Courses: the winning chance of every seat at the end of every turn of games that are replayed and judged.

The judgement is the game's own `evaluate`, made comparable over the seats by `calibration`. A course begins even and ends with
the result; neither is judged, so that it holds one line per turn: the last position in which somebody decided in that turn.
Where games are replayed to be watched, the chances are those that the replay shows: see `settled` of `played`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from analysis import interrupts
from analysis.calibration import Calibration, Where, cross_fitted
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import LOG_LINES, Keeper, Replay, judged, keeper_in_use, replay, spread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDING = 1e-9
KIND = "courses"  # of results that are kept
LEAST_TASKS = 3  # that an interrupted replay shows: fewer games cannot be calibrated on each other
TASK_GAMES = 10  # games that a worker replays before it hands them on
FILLED = 0.7  # of the shortest log: so many lines are replayed at once, as far as one can tell beforehand
Watch = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Courses:
    """Courses of games, line below line, and how the games ended.

    By line: game (place of the game among these, rising from 0), turn (1, 2, ..., rising within a game), mover (seat to decide),
    judged (lines, seats: what `evaluate` gives, 0..1), chance (lines, seats: comparable, each line adds up to 1). By game:
    index (within its experiment), key (games of one key share their dice), turns (length), share (games, seats: of the win),
    finished (not stopped at a limit). fitted: whether chances come from the judgement by a fit to these games.
    """

    game: Ints
    turn: Ints
    mover: Ints
    judged: Floats
    chance: Floats
    index: Ints
    key: Ints
    turns: Ints
    share: Floats
    finished: NDArray[np.bool_]
    fitted: bool = False

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self.share.shape[1])

    @cached_property
    def won(self) -> NDArray[np.bool_]:
        """Games that somebody won, alone or with others, (games,)."""
        return np.asarray(self.finished & (self.share.sum(axis=1) > 0))

    @cached_property
    def winner(self) -> Ints:
        """Seat that won a game alone, -1 where none did, (games,)."""
        alone = self.won & (self.share.max(axis=1) == 1)
        return np.where(alone, self.share.argmax(axis=1), -1)

    @cached_property
    def calibration(self) -> Calibration | None:
        """How the chances were fitted, and how sure that is; None where they are known, or no seat won a game."""
        if not (self.fitted and self.won.any() and self.game.size):
            return None
        return Calibration.of(self.judged, Where(self.game, self.turn, self.mover), self.share, self.key)

    @classmethod
    def of(cls, games: list[ArrayLike], share: ArrayLike, key: ArrayLike | None = None) -> Courses:
        """Courses from known chances, (turns, seats) per game, and shares of the win, (games, seats). key: None: each by itself.

        A game whose shares are all 0 counts as stopped at a limit. Raises ValueError for other shapes, or chances that do not
        add up to 1.
        """
        won, parts = np.asarray(share, np.float64), [np.asarray(game, np.float64) for game in games]
        if won.ndim != 2 or len(won) != len(parts) or any(part.shape[1:] != won.shape[1:] for part in parts):
            raise ValueError(f"{len(parts)} games of (turns, seats) do not fit shares of the win {won.shape}")
        lengths = np.array([len(part) for part in parts], np.int64)
        chance = np.concatenate([np.zeros((0, won.shape[1])), *parts])
        if not np.allclose(chance.sum(axis=1), 1):
            raise ValueError("the chances of the seats must add up to 1 in every line")
        index = np.arange(len(parts))
        return cls(
            game=np.repeat(index, lengths),
            turn=np.concatenate([np.zeros(0, np.int64), *(np.arange(1, size + 1) for size in lengths)]),
            mover=np.zeros(len(chance), np.int64),
            judged=chance,
            chance=chance,
            index=index,
            key=index if key is None else np.asarray(key, np.int64),
            turns=lengths,
            share=won,
            finished=won.sum(axis=1) > 0,
        )


COLUMNS = (
    "turn",
    "mover",
    "judged",
    "chance",
    "index",
    "key",
    "turns",
    "share",
    "finished",
)  # of Courses, beside `game`


def played(
    experiment: Experiment,
    games: int,
    jobs: int | None = None,
    watch: Watch | None = None,
    settled: bool = False,
    so_far: bool = False,
) -> Courses:
    """The courses of the first games of an experiment; the same for any number of workers.

    settled: judge each turn after its last decision and the rolls that follow, as the next turn begins, and take the judgements
    themselves for chances, made to add up to 1 as in `weighing`; the last turn, whose end is the result, has no line then.
    games: at most those of the experiment. jobs: workers, all cores if None; each holds the positions of a few games at a time.
    watch: called with the games done. so_far: return what there is on KeyboardInterrupt. Raises ValueError for a game without
    an opponent, or fewer than 1 game.
    """
    check_opponent(experiment.seats)
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    wanted = min(games, experiment.games)
    ranges = ((first, min(TASK_GAMES, wanted - first)) for first in range(0, wanted, TASK_GAMES))
    keeper = keeper_in_use()

    def task(first: int, count: int, stop: NDArray[np.uint8]) -> Any:
        return delayed(_kept)(keeper, experiment, first, count, settled, stop)

    parts: list[Courses] = []
    try:
        with interrupts.shown_so_far() if so_far else nullcontext():
            for part in spread(task, ranges, jobs):
                parts.append(part)
                if watch:
                    watch(sum(len(one.index) for one in parts))
    except KeyboardInterrupt:
        if not so_far or len(parts) < LEAST_TASKS:
            raise
    found = _joined(parts)
    return replace(found, chance=shared_out(found.judged)) if settled else calibrated(found)


def check_opponent(seats: int) -> None:
    """Raise ValueError for a game alone."""
    if seats < 2:
        raise ValueError(f"seats={seats}: nobody is there to lead or to come back against; take 2 or more")


def calibrated(courses: Courses) -> Courses:
    """The same with chances from the judgement, calibrated on the other games (see `calibration.cross_fitted`)."""
    where = Where(courses.game, courses.turn, courses.mover)
    return replace(courses, chance=cross_fitted(courses.judged, where, courses.share, courses.key), fitted=True)


def _kept(
    keeper: Keeper | None, experiment: Experiment, first: int, count: int, settled: bool, stop: NDArray[np.uint8]
) -> Courses:
    """The courses of some games, not calibrated yet, as kept before or replayed now; fewer of them once `stop` is set."""
    names: tuple[str, ...] = ("game", *COLUMNS)
    kind = _kind(experiment, settled)
    if keeper is not None and (arrays := keeper.recall(kind, experiment, first, count)):
        return _made(dict(zip(names, arrays, strict=True)))
    found = _joined([_course(experiment, log, settled) for log in _logs(experiment, first, count, stop)])
    if keeper is not None and not stop[0]:
        keeper.keep(kind, experiment, first, count, [getattr(found, name) for name in names])
    return found


def _kind(experiment: Experiment, settled: bool) -> str:
    """What a file of kept courses holds: those of other settings are replayed."""
    return f"{KIND}, {experiment.pair_games} with the same dice" + (", settled" if settled else "")


def _logs(experiment: Experiment, first: int, count: int, stop: NDArray[np.uint8]) -> Iterator[Replay]:
    """Replay games first..first+count-1, a few at a time: one at first, then as many as the longest yet lets fit."""
    longest, at_once, end = 0.0, 1, first + count
    while first < end and not (stop[0] and longest):
        log = replay(experiment, first, min(at_once, end - first))
        longest = max(longest, len(log.moves) / len(log.rows))
        first += len(log.rows)
        yield log
        at_once = max(1, int(FILLED * LOG_LINES / longest))


def _course(experiment: Experiment, log: Replay, settled: bool) -> Courses:
    """The last decision of every turn in a log; settled: the position after it, except at the end of a game."""
    row, turn = log.moves["row"], log.moves["turn"]
    decided = np.flatnonzero(log.moves["action"] >= 0)
    same = (np.diff(row[decided]) == 0) & (np.diff(turn[decided]) == 0)
    ends = decided[np.append(~same, True)] if decided.size else decided
    if settled:
        ends = ends[log.moves["action"][ends + 1] >= 0]
    at = ends + settled
    judgement = judged(experiment, log.positions[at])
    index = log.rows["game"].astype(np.int64)
    return Courses(
        game=row[ends].astype(np.int64),
        turn=turn[ends].astype(np.int64) + 1,
        mover=log.moves["seat"][at].astype(np.int64),
        judged=judgement,
        chance=judgement,
        index=index,
        key=experiment.pair_of(index),
        turns=log.rows["turns"].astype(np.int64),
        share=log.rows["share"][:, : experiment.seats].astype(np.float64),
        finished=log.rows["status"] == Status.FINISHED,
    )


def _joined(parts: list[Courses]) -> Courses:
    """Courses one after the other; games are numbered on."""
    before = np.cumsum([0, *(len(part.index) for part in parts)])
    games = [part.game + start for part, start in zip(parts, before[:-1], strict=True)]
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    return _made({"game": np.concatenate(games), **columns})


def _made(columns: dict[str, NDArray[Any]]) -> Courses:
    """Courses that are not calibrated, from their arrays by name."""
    return Courses(**columns)  # type: ignore[arg-type]


def shared_out(chances: Floats) -> Floats:
    """Chances of the seats by line, made to add up to 1; even where nobody has any. Alone a chance stays what it is."""
    if chances.shape[1] == 1:
        return chances
    total = chances.sum(axis=1, keepdims=True)
    even = np.full_like(chances, 1 / chances.shape[1])
    return np.asarray(np.divide(chances, total, out=even, where=total > ROUNDING))
