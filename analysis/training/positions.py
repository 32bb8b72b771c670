"""Positions to learn from, sampled from games: positions as seats see them, options of decisions, and the share of the win.

`Table` plays games with every position kept, and continues from any position in another way. `Taker` samples positions and
options from finished games. `sampled` plays the games of an experiment for their positions.

Players of one kind reach few of the positions that an evaluation is asked about, so some games start with random decisions, and
others branch off at a random position with a random decision, as in the training of value networks (Silver et al. 2016,
Mastering the game of Go with deep neural networks and tree search, Nature 529:484-489). The given policies play on from there.
Every position is equally likely to be sampled, however long its game becomes: a fixed number from each game would favour
positions before a quick end, which uses the future.

Several options of one decision branch off with the same dice. What they have in common (the rest of the position, which
features only describe in part) must not count as the worth of an option. The result of each option above the mean is therefore
fitted to its features above their mean (the within estimator of panel data: Mundlak 1978, On the pooling of time series and
cross section data, Econometrica 46:69-85).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from analysis.answer.numbers import count, seats_word
from sim.engine.contract import current_player
from sim.engine.evaluation import SURE
from sim.engine.jit import interpreted
from sim.engine.loop import BlockBuffers, Status, advance, new_buffers, play_block
from sim.engine.policies import Policy, PolicySpec
from sim.engine.workspace import GAME
from sim.experiments.experiment import Experiment
from sim.run import Keeper, bench_of, check_rows, evaluations, features_of, keeper_in_use, needs_of, open_all_dice, spread

LOG_LINES = 4096  # positions kept at the first attempt
LOG_OF_ONE = 512  # of a single game
ROOM = 1.5  # factor on the usual length of games


def seat_at(position: np.void) -> int:
    """The seat that decides in a position. Few are asked about, so the kernel runs as plain Python."""
    with interpreted():
        return int(current_player(position))


@dataclass(frozen=True)
class Logged:
    """Games with every position that an evaluation can be asked about."""

    rows: np.ndarray  # (games,) ROW
    moves: np.ndarray  # (lines,) MOVE, without the line at the end of each game
    positions: np.ndarray  # (lines,) STATE, none of them over

    def lines_of(self, row: int) -> NDArray[np.int64]:
        """Lines of one game."""
        return np.arange(*np.searchsorted(self.moves["row"], (row, row + 1)))


class Table:
    """A worker's scratch memory, and the games played with it.

    usual: positions of a game, if known. stop: set to 1 from outside to stop after the current game.
    """

    def __init__(self, experiment: Experiment, usual: float = 0, stop: np.ndarray | None = None) -> None:
        self._experiment, self._stop = experiment, stop
        self._bench = bench_of(experiment)
        self._limit = experiment.game.turn_limit(experiment.cards)
        self._usual, self._log_of_one = usual, LOG_OF_ONE

    def play(self, index: NDArray[np.int64]) -> Logged:
        """Play games of the experiment, by index."""
        log = max(LOG_LINES, int(ROOM * self._usual * len(index)))
        while True:
            buffers = self._sheet(index, log)
            logged = play_block(self._bench, *self._players, buffers, self._limit, *needs_of(self._experiment))
            if logged < log:
                return self._found(buffers, logged)
            log *= 4

    def options(self, position: np.void) -> NDArray[np.int64]:
        """Decisions that are open in a position."""
        self._bench.states[GAME] = position
        count = advance(self._bench, self._experiment.cards.record, -1)
        return self._bench.options[:count].astype(np.int64)

    def branch(self, game: int, position: np.void, seed: int, action: int | None = None, random_moves: int = 0) -> Logged | None:
        """Play on from a position with the dice of a seed; None if the game ends before another decision.

        action: the first decision, one of `options`; None lets the players choose. random_moves: number of random decisions after
        it, as long as the same seat decides in the same turn.
        """
        workspace, cards = self._bench, self._experiment.cards.record
        while True:
            workspace.states[GAME] = position
            open_all_dice(workspace, seed, game)
            open_now = 1 if action is None else advance(workspace, cards, action)
            rng = np.random.default_rng(seed)
            for _ in range(random_moves if action is not None else 0):
                state = workspace.states[GAME]
                if open_now == 0 or state["turn"] != position["turn"] or seat_at(state) != seat_at(position):
                    break
                open_now = advance(workspace, cards, workspace.options[rng.integers(open_now)])
            if not open_now:
                return None
            # a stop comes after the current game, to which its branches belong
            buffers = self._sheet(np.array([game]), self._log_of_one)._replace(stop=np.zeros(1, np.uint8))
            buffers.plan["dealt"] = 1
            logged = play_block(workspace, *self._players, buffers, self._limit, *needs_of(self._experiment))
            if logged < self._log_of_one:
                return self._found(buffers, logged)
            self._log_of_one *= 4

    @property
    def _players(self) -> tuple[np.ndarray, np.ndarray]:
        return self._experiment.evaluators, self._experiment.player_table

    def _sheet(self, index: NDArray[np.int64], log: int) -> BlockBuffers:
        game = self._experiment.game
        buffers = new_buffers(self._experiment.plan_of(index), game.state, game.outcome, log)
        return buffers if self._stop is None else buffers._replace(stop=self._stop)

    def _found(self, buffers: BlockBuffers, logged: int) -> Logged:
        check_rows(self._experiment, buffers.rows)
        going = buffers.moves["action"][:logged] >= 0
        return Logged(buffers.rows, buffers.moves[:logged][going], buffers.positions[:logged][going])


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows are seats of positions and options of decisions; rows of one game form a cluster."""

    features: Floats  # (rows, features); of an option: less the mean over all options of the decision
    share: Floats  # (rows,) of the win that the seat got, 0..1
    game: Ints  # (rows,) number of the row's game; a branch belongs to the game that it left
    weight: Floats  # (rows,) in a fit
    option: NDArray[np.bool_]  # (rows,) whether the row is an option of a decision
    offset: Floats  # (rows,) log-odds that do not depend on the weights: those that all options of a decision share
    games: int  # played, without branches
    truncated: int = 0  # games and branches left out because no seat won
    unweighed: int = 0  # rows left out because the evaluation does not follow the weights

    @classmethod
    def plain(cls, features: Floats, share: Floats, game: Ints) -> Sample:
        """A sample of positions with weight 1 each."""
        rows = len(share)
        return cls(features, share, game, np.ones(rows), np.zeros(rows, bool), np.zeros(rows), len(np.unique(game)))

    @classmethod
    def joined(cls, parts: Sequence[Sample]) -> Sample:
        """Join samples of different games."""
        columns: list[Any] = [np.concatenate([getattr(part, name) for part in parts]) for name in ROWS]
        columns += [sum(getattr(part, name) for part in parts) for name in ("games", "truncated", "unweighed")]
        return cls(*columns)

    def taken(self, rows: NDArray[Any]) -> Sample:
        """The given rows."""
        return replace(self, **{name: getattr(self, name)[rows] for name in ROWS})

    @property
    def positions(self) -> Sample:
        """The positions without the options."""
        return self.taken(~self.option)

    def weighted(self, emphasis: float) -> Sample:
        """The sample with the weight of options multiplied by `emphasis`."""
        return replace(self, weight=np.where(self.option, emphasis, 1.0) * self.weight)

    def chances(self, weights: Floats) -> Floats:
        """Chance of each row under the given weights."""
        return chances(self.features, weights, self.offset)


ROWS = tuple(field.name for field in fields(Sample))[:6]  # one entry per row


def chances(features: Floats, weights: Floats, offset: Floats | float = 0.0) -> Floats:
    """Winning chances as the kernels compute them, see `sim.engine.evaluation.chance_of`. offset: log-odds added."""
    return np.asarray(1 / (1 + np.exp(-(offset + features @ weights).clip(-SURE, SURE))))


POSITIONS = 8  # of a game, on average
MOST = 8  # maximum factor on that number
UNSURE = 3.5  # log-odds: maximum certainty of an offset, because the evaluation can be wrong
ROUNDING = 1e-9  # of features: smaller differences between options are zero
UNWEIGHED = 1e-6  # an evaluation farther than this from the chance by the weights does not follow them


class Taker:
    """Samples every stride-th position of games from a random start, and the results of options."""

    def __init__(self, experiment: Experiment, stride: float) -> None:
        self._experiment, self._stride = experiment, stride
        self._positions = [np.zeros(0, experiment.game.state)]
        self._shares = [np.zeros((0, experiment.seats))]
        self._games = [np.zeros(0, np.int64)]
        self._decisions: list[tuple[np.ndarray, int, Floats, int]] = []  # positions, seat, shares, game
        self._weights = experiment.cards.record["weight"][0, experiment.seats - 1]
        self._truncated = 0

    def take(self, game: int, positions: np.ndarray, row: np.void, rng: np.random.Generator) -> None:
        """Sample a finished game; a truncated one is only counted."""
        share = row["share"][: self._experiment.seats]
        if not share.any():
            self._truncated += 1
            return
        lines = np.arange(rng.random() * self._stride, len(positions), self._stride).astype(np.int64)
        if len(lines) > MOST * POSITIONS:
            lines = np.sort(rng.choice(lines, MOST * POSITIONS, replace=False))
        self._positions.append(positions[lines])
        self._shares.append(np.tile(share, (len(lines), 1)))
        self._games.append(np.full(len(lines), game))

    def take_options(self, game: int, seat: int, positions: np.ndarray, share: Floats) -> None:
        """Add the positions that the options of a decision led to, (n,), and the seat's share of the win from each."""
        self._decisions.append((positions, seat, share, game))

    def sample(self, games: int) -> Sample:
        """Everything that was sampled. games: number of games played."""
        seats = self._experiment.seats
        features, weighed = self._weighed(np.concatenate(self._positions))
        share, game = np.concatenate(self._shares), np.repeat(np.concatenate(self._games), seats).reshape(-1, seats)
        rows = Sample.plain(features[weighed], share[weighed].astype(np.float64), game[weighed])
        weight, unweighed = np.full(len(rows.share), 1 / POSITIONS), int((~weighed).sum())
        positions = replace(rows, weight=weight, games=games, truncated=self._truncated, unweighed=unweighed)
        return Sample.joined([positions, *map(self._of_options, self._decisions)])

    def _of_options(self, decision: tuple[np.ndarray, int, Floats, int]) -> Sample:
        """Options of one decision; empty if the evaluation of any of them does not follow the weights."""
        positions, seat, share, game = decision
        features, weighed = self._weighed(positions)
        if not weighed[:, seat].all():
            none = np.zeros(0)
            return replace(Sample.plain(features[:0, seat], none, none.astype(np.int64)), unweighed=len(share))
        mean = features[:, seat].mean(axis=0)
        odds = float((mean @ self._weights).clip(-UNSURE, UNSURE))
        above = features[:, seat] - mean
        above[np.abs(above) < ROUNDING] = 0.0
        rows = Sample.plain(above, share, np.full(len(share), game))
        return replace(rows, option=np.ones(len(share), bool), offset=np.full(len(share), odds), games=0)

    def _weighed(self, positions: np.ndarray) -> tuple[Floats, np.ndarray]:
        """Features (n, seats, features), and whether the evaluation follows the weights, (n, seats)."""
        features = features_of(self._experiment, positions)
        off = np.abs(evaluations(self._experiment, positions) - chances(features, self._weights))
        return features, off <= UNWEIGHED


NEW, OLD = 1, 0


def sides(seats: int) -> list[tuple[int, ...]]:
    """New (1) or old (0) weights by seat, both equally often on each seat. A single seat is played by each in turn."""
    half = {seats // 2, seats - seats // 2}
    return [side for side in product((OLD, NEW), repeat=seats) if sum(side) in half]


def seated(experiment: Experiment, side: Sequence[int]) -> tuple[PolicySpec, ...]:
    """The experiment's policies by seat; those of the old side evaluate by the baseline weights."""
    policies = experiment.policies * (experiment.seats if len(experiment.policies) == 1 else 1)
    return tuple(
        replace(policy, baseline=new == OLD and policy.policy != Policy.RANDOM)  # a random policy has no evaluation
        for policy, new in zip(policies, side, strict=True)
    )


ROWS_MOST = 600_000  # seats of positions in a fit; bounds the memory, and the time of a fit
RANDOM_SHARE = 0.25  # share of the games that start with random decisions
MIXED = 0.5  # share of the games of a mixed sample in which some seats evaluate by other weights
BRANCHED = 1.6  # factor on the positions of games that includes branches; measured in several games
PILOT = 32  # games from which the usual length is estimated
DECISIONS = 4  # of a game whose options are tried
OPTIONS = 4  # maximum number of options tried per decision
RANDOM_MOVES = (0, 0, 1, 3, 7)  # numbers of random decisions after an option, so that turns with poor continuations are seen
CHUNK = 32  # games of a task: bounds the memory of its log


def sampled(
    experiment: Experiment, jobs: int | None = None, watch: Watch | None = None, rows_most: int = ROWS_MOST, mixed: bool = False
) -> Sample:
    """Play the games of an experiment for their positions; the same for any number of workers.

    watch: called with (stage, games done, games in all). rows_most: approximate number of seats of positions. mixed: in half of
    the games some seats evaluate by the baseline weights. Raises ValueError if no game was won, or if the game's evaluation
    does not follow its weights.
    """
    pilot, games = Table(experiment).play(np.arange(min(PILOT, experiment.games))), experiment.games
    usual = len(pilot.moves) / len(pilot.rows)
    stride = max(1.0, usual / min(POSITIONS, rows_most / (games * experiment.seats * BRANCHED)))
    parts, done = [], 0
    keeper, kind = keeper_in_use(), f"positions of {games} games, one of {stride!r} of {usual!r}, {mixed}"

    def task(first: int, count: int, stop: np.ndarray) -> Any:
        return delayed(_part)(_Worker(experiment, usual, stride, mixed, stop), first, count, (keeper, kind))

    ranges = ((first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    for part in spread(task, ranges, jobs):
        parts.append(part)
        done += part.games
        if watch:
            watch(seats_word(experiment.seats), done, games)
    sample, title = Sample.joined(parts), experiment.game.title
    if sample.option.all():
        if sample.unweighed:
            raise ValueError(f"{title}: its evaluation does not follow its weights, so there is nothing to fit")
        played = f"none of {count(sample.games)} games was won"
        raise ValueError(f"{title} at {seats_word(experiment.seats)}: {played}; play more with --games")
    return sample


def _part(worker: _Worker, first: int, count: int, kept: tuple[Keeper | None, str]) -> Sample:
    """Sample of a range of games, from the store or played now."""
    keeper, kind = kept
    if keeper is not None and (arrays := keeper.recall(kind, worker.experiment, first, count)):
        columns: list[Any] = [*arrays[:-1], *map(int, arrays[-1])]
        return Sample(*columns)
    sample = worker.sample(np.arange(first, first + count))
    if keeper is not None and not worker.stop[0]:
        *columns, games, truncated, unweighed = (getattr(sample, field.name) for field in fields(Sample))
        keeper.keep(kind, worker.experiment, first, count, [*columns, np.array([games, truncated, unweighed])])
    return sample


class _Worker:
    """Plays games and their branches. usual: positions of a game; one of `stride` is sampled."""

    def __init__(self, experiment: Experiment, usual: float, stride: float, mixed: bool, stop: np.ndarray) -> None:
        self.experiment, self.stop, self._usual = experiment, stop, usual
        self._decisions = int(np.clip(ROWS_MOST // (OPTIONS * experiment.games), 1, DECISIONS))
        self._taker = Taker(experiment, stride)
        self._sides = [None, *(sides(experiment.seats) if mixed else ())]

    def sample(self, index: Ints) -> Sample:
        """Sample of games, by index."""
        chance = {int(game): np.random.default_rng([self.experiment.seed, int(game)]) for game in index}
        seatings = len(self._sides) - 1  # index 0: all seats evaluate by the new weights
        draws = (0 if not seatings or rng.random() >= MIXED else rng.integers(1, seatings + 1) for rng in chance.values())
        side = np.array(list(draws))
        at_random = np.array([rng.random() < RANDOM_SHARE for rng in chance.values()])
        for number, seating in enumerate(self._sides):
            policies = self.experiment.policies if seating is None else seated(self.experiment, seating)
            table, players = self._table(policies), self._table((PolicySpec.parse("random"),))
            self._play(table, table, index[(side == number) & ~at_random], chance)
            self._play(players, table, index[(side == number) & at_random], chance)
        return self._taker.sample(len(index))

    def _table(self, policies: tuple[PolicySpec, ...]) -> Table:
        return Table(replace(self.experiment, policies=policies), self._usual, self.stop)

    def _play(self, opening: Table, table: Table, index: Ints, chance: dict[int, np.random.Generator]) -> None:
        """Sample games that one table opens and another continues, and their branches."""
        if not len(index):
            return
        played = opening.play(index)
        for row, number in enumerate(index):
            if played.rows["status"][row] == Status.UNPLAYED:
                return
            rng, lines = chance[int(number)], played.lines_of(row)
            if opening is table:
                self._taker.take(int(number), played.positions[lines], played.rows[row], rng)
            else:
                lines = lines[: (len(lines) + 1) // 2]
                position = played.positions[rng.choice(lines)]
                if branch := table.branch(int(number), position, int(rng.integers(2**63))):
                    self._taker.take(int(number), branch.positions, branch.rows[0], rng)
            choices = lines[played.moves["options"][lines] > 1]
            for nth, line in enumerate(rng.choice(choices, min(len(choices), self._decisions), replace=False)):
                self._branch(table, int(number), played.positions[line], int(played.moves["seat"][line]), rng, nth == 0)

    def _branch(self, table: Table, game: int, position: np.void, seat: int, rng: np.random.Generator, kept: bool) -> None:
        """Sample options of a decision, continued with the same dice. kept: also sample the positions of one of them."""
        seed, random_moves = int(rng.integers(2**63)), int(rng.choice(RANDOM_MOVES))
        actions = rng.permutation(table.options(position))[:OPTIONS]
        branches = [table.branch(game, position, seed, int(action), random_moves) for action in actions]
        played = [branch for branch in branches if branch is not None]
        if played and kept:
            self._taker.take(game, played[0].positions, played[0].rows[0], rng)
        shares = np.array([branch.rows["share"][0] for branch in played], np.float64)
        if len(played) > 1 and shares.any(axis=1).all():
            self._taker.take_options(game, seat, np.concatenate([branch.positions[:1] for branch in played]), shares[:, seat])
