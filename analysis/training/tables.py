"""A table at which games are played with every position kept, and played on from any position in another way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.engine.bench import GAME
from sim.engine.contract import to_act
from sim.engine.dice import open_dice
from sim.engine.table import Sheet, Status, advance, new_sheet, play_block, play_game
from sim.experiment import Experiment
from sim.run import bench_of

LOG_LINES = 4096  # positions kept at the first try
LOG_OF_ONE = 512  # of a single game
ROOM = 1.5  # times the usual length of games


@dataclass(frozen=True)
class Logged:
    """Games with every position that a judgement may be asked about."""

    rows: np.ndarray  # (games,) ROW
    moves: np.ndarray  # (lines,) MOVE, without the line at the end of each game
    positions: np.ndarray  # (lines,) STATE, none of them over

    def lines_of(self, row: int) -> NDArray[np.int64]:
        """Lines of one game."""
        return np.arange(*np.searchsorted(self.moves["row"], (row, row + 1)))


class Table:
    """Scratch of one worker, and what is played with it.

    usual: positions of a game, where known. stop: set to 1 from outside to leave off after a game.
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
            sheet = self._sheet(index, log)
            logged = play_block(self._bench, *self._players, sheet, self._limit)
            if logged < log:
                return self._found(sheet, logged)
            log *= 4

    def options(self, position: np.void) -> NDArray[np.int64]:
        """The decisions open in a position."""
        self._bench.states[GAME] = position
        count = advance(self._bench, self._experiment.cards.record, -1)
        return self._bench.options[:count].astype(np.int64)

    def branch(
        self, game: int, position: np.void, seed: int, action: int | None = None, by_lot: int = 0
    ) -> Logged | None:
        """Play a game on from a position with the dice of a seed; None where it is over before anybody could judge it.

        action: the first decision, of its `options`; the players' own if None. by_lot: decisions that follow it at random, as
        long as the same seat decides in the same turn.
        """
        while True:
            if not self._set_up(game, position, seed, action, by_lot):
                return None
            sheet = self._sheet(np.array([game]), self._log_of_one)
            logged = play_game(self._bench, *self._players, sheet, 0, self._limit, 0)
            if logged < self._log_of_one:
                return self._found(sheet, logged)
            self._log_of_one *= 4

    def _set_up(self, game: int, position: np.void, seed: int, action: int | None, by_lot: int) -> bool:
        """Lay a position on the table and carry decisions out, if one is given; returns whether the game goes on."""
        bench = self._bench
        bench.states[GAME] = position
        for role in range(len(bench.dice)):
            open_dice(bench.dice[role], np.uint64(seed), np.uint64(game), bench.streams)
            bench.dice[role]["role"] = role
        if action is None:
            return True
        count, rng = advance(bench, self._experiment.cards.record, action), np.random.default_rng(seed)
        for _ in range(by_lot):
            if count == 0 or not _is_turn_of(bench.states[GAME], position):
                break
            count = advance(bench, self._experiment.cards.record, bench.options[rng.integers(count)])
        return bool(count)

    @property
    def _players(self) -> tuple[np.ndarray, np.ndarray]:
        return self._experiment.judges, self._experiment.player_table

    def _sheet(self, index: NDArray[np.int64], log: int) -> Sheet:
        game = self._experiment.game
        sheet = new_sheet(self._experiment.plan_of(index), game.state, game.outcome, log)
        return sheet if self._stop is None else sheet._replace(stop=self._stop)

    def _found(self, sheet: Sheet, logged: int) -> Logged:
        if (sheet.rows["status"] == Status.OVERRUN).any():
            raise RuntimeError(f"{self._experiment.game.title}: a game asks for decisions without end")
        going = sheet.moves["action"][:logged] >= 0
        return Logged(sheet.rows, sheet.moves[:logged][going], sheet.positions[:logged][going])


def _is_turn_of(state: np.void, before: np.void) -> bool:
    """Whether the seat that decided before decides again, in the same turn."""
    return bool(state["turn"] == before["turn"] and to_act(state) == to_act(before))
