"""Winning chances through a game, from its evaluation, calibrated by the results.

A course holds the winning chance of every seat at the end of every turn of a replayed game: one line per turn, the last
position of the turn in which a seat decided. Courses start even and end with the result; both are known and have no line.

A game's `evaluate` is set by hand, separately for each seat. A conditional logit (McFadden 1974, Conditional logit analysis of
qualitative choice behavior) turns the evaluations of a position into chances that add up to 1. The chance of a seat is
proportional to exp(slope x logit of its evaluation + tempo x whether it is to decide). The slope can rise from turn to turn,
because an early lead means less. With a single slope this is temperature scaling (Guo et al. 2017, On calibration of modern
neural networks, ICML). Every game uses a fit to other games.

The fit is uncertain, most of all if the evaluation hardly predicts the winner. `Calibration` resamples whole keys of games and
fits each sample (cluster bootstrap; Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8), so that
any figure can be recomputed under each fit.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray

from analysis.data.decks import options_of
from analysis.data.names import run_word, words_for
from analysis.data.players import strong_player
from analysis.data.study import Study
from analysis.stats.intervals import LEVEL, Interval
from sim.engine.loop import Status
from sim.experiments.experiment import Experiment
from sim.run import LOG_LINES, Keeper, Replay, evaluations, keeper_in_use, replay, spread
from sim.store import Run, is_run

FOLDS = 10
SURE = 0.001  # evaluations are clipped to this distance from 0 and 1
FREE = (2,)  # index among slope, rise, tempo; the others are at least 0
STEPS, SMALL = 50, 1e-10  # of Newton's method
SAMPLES = 199  # of whole keys of games
MIDDLE = np.array([1.0, 0.5, 0.0])  # weights of slope and rise at the median turn


def calibrated(courses: Courses) -> Courses:
    """The same courses with comparable chances of the seats, by line, each from a fit to the games of other keys.

    The fit uses games with a winner. Every line has the same weight, because a weight by the length of its game would use the
    future. With a single key there are no other games, and at two seats the evaluation is unchanged.
    """
    marks, game = _marks(courses), courses.game
    _, owner = np.unique(courses.key, return_inverse=True)
    fold = (owner % FOLDS)[game]
    chance = np.zeros_like(courses.evaluated)
    for number in range(min(FOLDS, int(owner.max(initial=-1)) + 1)):
        here = fold == number
        learnt = courses.with_winner & ~here
        chance[here] = _softmax(marks[here] @ _Fit.of(marks[learnt], game[learnt], courses.share).at)
    return replace(courses, chance=chance, fitted=True)


def _marks(courses: Courses) -> Floats:
    """Predictors, (lines, seats, 3): logit of the evaluation, the same times lateness, whether to decide."""
    clear, turn = courses.evaluated.clip(SURE, 1 - SURE), courses.turn
    logit = np.log(clear / (1 - clear))
    late = turn / (turn + np.median(turn)) if len(logit) else np.zeros(0)
    to_move = np.arange(courses.seats) == courses.mover[:, None]
    return np.stack([logit, logit * late[:, None], to_move.astype(np.float64)], axis=2)


def _softmax(utility: Floats) -> Floats:
    raised = np.exp(utility - utility.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class _Fit:
    """Maximum of the penalised likelihood, and its derivatives there.

    at: (3,) parameters; pull: (games, 3) slope of each game's loss; bend: (3, 3) second derivatives of the whole loss; gap:
    (3,) from the mean of the prior, which is normal with standard deviation 1 around the parameters that leave evaluations at
    two seats unchanged.
    """

    at: Floats
    pull: Floats
    bend: Floats
    gap: Floats

    @classmethod
    def of(cls, marks: Floats, game: Ints, share: Floats) -> _Fit:
        """Fit to the lines of games, (lines, seats, 3), by Newton's method with step halving. share: (games, seats)."""
        prior = np.array([1 - 1 / share.shape[1], 0.0, 0.0])
        if not len(game):
            return cls(prior, np.zeros((len(share), 3)), np.eye(3), np.zeros(3))
        weight, won, flat = np.unique(game).size / game.size, share[game], marks.reshape(-1, 3)

        def loss(at: Floats) -> float:
            utility = marks @ at
            top = utility.max(axis=1)
            log_sum = top + np.log(np.exp(utility - top[:, None]).sum(axis=1))
            return float(weight * (log_sum - (won * utility).sum(axis=1)).sum() + (at - prior) @ (at - prior) / 2)

        at, value = prior, loss(prior)
        for _ in range(STEPS):
            chance = _softmax(marks @ at)
            mean = np.einsum("ls,lsk->lk", chance, marks)
            missed = weight * np.einsum("ls,lsk->lk", chance - won, marks)
            bend = weight * ((chance.reshape(-1, 1) * flat).T @ flat - mean.T @ mean) + np.eye(3)
            step = _lowest(at, (missed.sum(axis=0) + at - prior)[None], bend)[0] - at
            if np.abs(step).max() < SMALL:
                break
            while (new := loss(at + step)) > value and np.abs(step).max() >= SMALL:
                step = step / 2
            at, value = at + step, new
        pull: Floats = np.stack([np.bincount(game, missed[:, term], len(share)) for term in range(3)], axis=1)
        return cls(at, pull, bend, at - prior)


def _lowest(at: Floats, slope: Floats, bend: Floats) -> Floats:
    """Minima of parabolas with the given slopes (samples, 3) at `at`, with slope and rise at least 0: (samples, 3).

    Slope and rise are each free or 0; the lowest admissible of these four cases is returned.
    """
    lowest, least = np.zeros_like(slope), np.full(len(slope), np.inf)
    for fixed in ([], [0], [1], [0, 1]):
        free = [term for term in range(3) if term not in fixed]
        move = np.zeros_like(slope)
        move[:, fixed] = -at[fixed]
        rest = slope[:, free] + move[:, fixed] @ bend[np.ix_(fixed, free)]
        move[:, free] = -np.linalg.solve(bend[np.ix_(free, free)], rest.T).T
        value = (slope * move).sum(axis=1) + np.einsum("bi,ij,bj->b", move, bend, move) / 2
        better = (np.delete(at + move, FREE, axis=1) >= -SMALL).all(axis=1) & (value < least)
        lowest[better], least[better] = (at + move)[better], value[better]
    lowest[:, :2] = lowest[:, :2].clip(min=0)
    return lowest


@dataclass(frozen=True, eq=False)
class Calibration:
    """Fit to all games, and to samples of whole keys of games drawn with replacement.

    at: (3,) first slope, rise, tempo; samples: (SAMPLES, 3) the same for each sample; weight: (SAMPLES, games) number of copies
    of a game in each sample. A sample is fitted by one Newton step from the fit to all games.
    """

    at: Floats
    samples: Floats
    weight: Floats
    _marks: Floats

    @classmethod
    def of(cls, courses: Courses, seed: int = 1) -> Calibration:
        """Fit to the evaluations in the games with a winner."""
        marks, learnt = _marks(courses), courses.with_winner
        fit = _Fit.of(marks[learnt], courses.game[learnt], courses.share)
        keys, owner = np.unique(courses.key, return_inverse=True)
        even = np.full(keys.size, 1 / max(1, keys.size))
        drawn = np.random.default_rng(seed).multinomial(keys.size, even, SAMPLES)[:, owner].astype(np.float64)
        return cls(fit.at, _lowest(fit.at, drawn @ fit.pull + fit.gap, fit.bend), drawn, marks)

    def chances(self) -> Iterator[Floats]:
        """Chances of the seats by line, (lines, seats), under the fit to each sample."""
        by_seat = np.ascontiguousarray(self._marks.transpose(1, 0, 2))  # faster to process seat by seat
        for sample in self.samples:
            yield _softmax((by_seat @ sample).T)

    def strength(self) -> Interval:
        """Scale of the evaluation in the middle of a game: 0 predicts nothing, 1 is right, above 1 is too cautious.

        The slope at the median turn, relative to the one that leaves evaluations at two seats unchanged; quantiles over the
        samples.
        """
        usual = 1 - 1 / self._marks.shape[1]
        middle, drawn = float(self.at @ MIDDLE) / usual, self.samples @ MIDDLE / usual
        low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="weibull")
        return Interval(middle, min(float(low), middle), max(float(high), middle), self.weight.shape[1], LEVEL, "bootstrap")


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDING = 1e-9
KIND = "courses"  # of stored results
LEAST_TASKS = 3  # finished tasks that an interrupted replay needs: fewer games cannot be calibrated on each other
TASK_GAMES = 10  # games that a worker replays per task
FILLED = 0.7  # part of the log's capacity that a batch of replays should fill
Watch = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Courses:
    """Courses of several games, concatenated, and how the games ended.

    By line: game (index in these arrays, rising from 0), turn (1, 2, ..., rising within a game), mover (seat to decide),
    evaluated (lines, seats: result of `evaluate`, 0..1), chance (lines, seats: comparable, each line adds up to 1). By game:
    index (within its experiment), key (games of one key share their dice), turns (length), share (games, seats: of the win),
    finished (not stopped at a limit), entrant (games, seats: in the end). fitted: whether chances come from a fit to these games.
    """

    game: Ints
    turn: Ints
    mover: Ints
    evaluated: Floats
    chance: Floats
    index: Ints
    key: Ints
    turns: Ints
    share: Floats
    finished: NDArray[np.bool_]
    entrant: Ints
    fitted: bool = False

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self.share.shape[1])

    @cached_property
    def won(self) -> NDArray[np.bool_]:
        """Games with a winner, alone or shared, (games,)."""
        return np.asarray(self.finished & (self.share.sum(axis=1) > 0))

    @cached_property
    def with_winner(self) -> NDArray[np.bool_]:
        """Lines of games with a share of the win, (lines,)."""
        return np.asarray(self.share.sum(axis=1) > 0)[self.game]

    @cached_property
    def winner(self) -> Ints:
        """Seat that won a game alone, -1 if none did, (games,)."""
        alone = self.won & (self.share.max(axis=1) == 1)
        return np.where(alone, self.share.argmax(axis=1), -1)

    @cached_property
    def calibration(self) -> Calibration | None:
        """The fit behind the chances, with its uncertainty; None if the chances are known, or no game has a winner."""
        if not (self.fitted and self.won.any() and self.game.size):
            return None
        return Calibration.of(self)

    @classmethod
    def of(cls, games: list[ArrayLike], share: ArrayLike, key: ArrayLike | None = None) -> Courses:
        """Courses from known chances, (turns, seats) per game, and shares of the win, (games, seats); entrants as the seats.

        key: None if games are independent. A game whose shares are all 0 counts as stopped at a limit. Raises ValueError for
        other shapes, or chances that do not add up to 1.
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
            evaluated=chance,
            chance=chance,
            index=index,
            key=index if key is None else np.asarray(key, np.int64),
            turns=lengths,
            share=won,
            finished=won.sum(axis=1) > 0,
            entrant=np.tile(np.arange(won.shape[1]), (len(won), 1)),
        )


COLUMNS = (
    "turn",
    "mover",
    "evaluated",
    "chance",
    "index",
    "key",
    "turns",
    "share",
    "finished",
    "entrant",
)  # of Courses, beside `game`


def played(
    experiment: Experiment,
    games: int,
    jobs: int | None = None,
    watch: Watch | None = None,
    settled: bool = False,
    so_far: bool = False,
) -> Courses:
    """Courses of the first games of an experiment; the same for any number of workers.

    settled: evaluate each turn after its last decision and the rolls that follow, as the next turn begins, and use the
    evaluations as chances, scaled to add up to 1, as replays show them; the last turn, whose end is the result, then has no
    line. games: at most those of the experiment. jobs: workers, all cores if None; each holds the positions of a few games at a
    time. watch: called with the number of games done. so_far: return the finished games on KeyboardInterrupt. Raises ValueError
    for a game without an opponent, or fewer than 1 game.
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
        for part in spread(task, ranges, jobs):
            parts.append(part)
            if watch:
                watch(sum(len(done.index) for done in parts))
    except KeyboardInterrupt:
        if not so_far or len(parts) < LEAST_TASKS:
            raise
    courses = _joined(parts)
    return replace(courses, chance=shared_out(courses.evaluated)) if settled else calibrated(courses)


def of_study(study: Study, seats: int, games: int) -> Courses:
    """Courses of the first games of a study at a number of seats. After an interrupt a command has those finished."""
    experiment, player = study.main(seats), study.player
    wanted = min(games, experiment.games)
    courses = played(experiment, wanted, player.jobs, lambda done: player.watch("replays", done, wanted), so_far=player.partial)
    if len(courses.index) < wanted:
        player.shown = f"the first {len(courses.index):,} of {wanted:,} games"
    return courses


def check_opponent(seats: int) -> None:
    """Raise ValueError for fewer than two seats."""
    if seats < 2:
        raise ValueError(f"seats={seats}: leads and comebacks need an opponent; use 2 or more seats")


def _kept(
    keeper: Keeper | None, experiment: Experiment, first: int, count: int, settled: bool, stop: NDArray[np.uint8]
) -> Courses:
    """Uncalibrated courses of some games, from the store or replayed now; fewer of them once `stop` is set."""
    names: tuple[str, ...] = ("game", *COLUMNS)
    kind = f"{KIND}, {experiment.pair_games} with the same dice" + (", settled" if settled else "")  # of a file: its settings
    if keeper is not None and (arrays := keeper.recall(kind, experiment, first, count)):
        return _made(dict(zip(names, arrays, strict=True)))
    courses = _joined([_course(experiment, log, settled) for log in _logs(experiment, first, count, stop)])
    if keeper is not None and not stop[0]:
        keeper.keep(kind, experiment, first, count, [getattr(courses, name) for name in names])
    return courses


def _logs(experiment: Experiment, first: int, count: int, stop: NDArray[np.uint8]) -> Iterator[Replay]:
    """Replay games first..first+count-1 in batches: one game first, then as many as fit by the longest log so far."""
    longest, at_once, end = 0.0, 1, first + count
    while first < end and not (stop[0] and longest):
        log = replay(experiment, first, min(at_once, end - first))
        longest = max(longest, len(log.moves) / len(log.rows))
        first += len(log.rows)
        yield log
        at_once = max(1, int(FILLED * LOG_LINES / longest))


def _course(experiment: Experiment, log: Replay, settled: bool) -> Courses:
    """Last decision of every turn in a log; settled: the position after it, except at the end of a game."""
    row, turn = log.moves["row"], log.moves["turn"]
    decided = np.flatnonzero(log.moves["action"] >= 0)
    same = (np.diff(row[decided]) == 0) & (np.diff(turn[decided]) == 0)
    ends = decided[np.append(~same, True)] if decided.size else decided
    if settled:
        ends = ends[log.moves["action"][ends + 1] >= 0]
    shown = ends + settled
    chances = evaluations(experiment, log.positions[shown])
    index = log.rows["game"].astype(np.int64)
    return Courses(
        game=row[ends].astype(np.int64),
        turn=turn[ends].astype(np.int64) + 1,
        mover=log.moves["seat"][shown].astype(np.int64),
        evaluated=chances,
        chance=chances,
        index=index,
        key=experiment.pair_of(index),
        turns=log.rows["turns"].astype(np.int64),
        share=log.rows["share"][:, : experiment.seats].astype(np.float64),
        finished=log.rows["status"] == Status.FINISHED,
        entrant=log.rows["entrant"][:, : experiment.seats].astype(np.int64),
    )


def _joined(parts: list[Courses]) -> Courses:
    """Concatenate courses and renumber their games."""
    before = np.cumsum([0, *(len(part.index) for part in parts)])
    games = [part.game + start for part, start in zip(parts, before[:-1], strict=True)]
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    return _made({"game": np.concatenate(games), **columns})


def _made(columns: dict[str, NDArray[Any]]) -> Courses:
    """Uncalibrated courses from their arrays by name."""
    return Courses(**columns)  # type: ignore[arg-type]


def shared_out(chances: Floats) -> Floats:
    """Chances of the seats by line, scaled to add up to 1; even if all are 0. A single seat's chance is unchanged."""
    if chances.shape[1] == 1:
        return chances
    total = chances.sum(axis=1, keepdims=True)
    even = np.full_like(chances, 1 / chances.shape[1])
    return np.asarray(np.divide(chances, total, out=even, where=total > ROUNDING))


def replay_command(experiment: Experiment, index: int) -> str:
    """Command that shows a game of an experiment.

    Empty if there is none: the cards belong to a run, and the game is not one of it, or something is forbidden in it.
    """
    cards = experiment.cards
    name, options = words_for(experiment.game, cards)
    if is_run(cards.path) and Run.open(cards.path).is_of(experiment):
        name = run_word(cards.path)
    elif experiment.forbidden or (is_run(cards.path) and name != experiment.game_name):
        return ""
    words = ["fairfight", "replay", name, "--seed", str(experiment.seed), "--game", str(index)]
    words += ["--seats", str(experiment.seats)]
    if experiment.policies != (strong_player(experiment.game),):
        words += ["--policy", experiment.policy_words]
    if experiment.line_up is not None:
        words += ["--line-up", ",".join(cards.ids[entrant] for entrant in experiment.line_up)]
    return shlex.join([*words, *options, *options_of(cards)])
