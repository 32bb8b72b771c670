"""A game in play, one decision at a time: a program or a person decides, and can take decisions back."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import current_player, resample_hidden, write_outcome
from sim.engine.dice import Purpose, below
from sim.engine.jit import interpreted
from sim.engine.loop import MOVE, ROW, advance, forbid, key_dice, set_table, settle_hidden, write_row
from sim.engine.policies import Policy, PolicySpec
from sim.engine.scenario import NO_DECISION
from sim.engine.workspace import GAME, ROLLED, open_actions
from sim.experiments.experiment import Experiment
from sim.run import Replay, bench_of, open_all_dice, option_values

SAMPLES = 1  # first game whose dice are those of samples; those of game 0 are of players who think


class LiveGame:
    """Game `index` of an experiment from its deal on.

    The deal and the dice are those of the same game in a batch, as long as the decisions are the same. The rules run as plain
    Python, which needs no compiler; only the choices of players who think are compiled.
    """

    def __init__(self, experiment: Experiment, index: int = 0) -> None:
        self.experiment, self.game = experiment, experiment.game
        self.index, self.record = index, experiment.cards.record
        self._plan = experiment.plan(index, 1)[0]
        self._workspace = bench_of(experiment)
        self._sampling = bench_of(experiment)  # so that samples use none of the game's dice
        with interpreted():
            set_table(self._workspace, self.record[0], self._plan)
            settle_hidden(self._workspace, experiment.player_table)
            forbid(self._workspace, self._plan, experiment.bans)
        self.moves: list[tuple[int, int, int, int]] = []  # of each decision: turn, action, number of options, seat
        self.positions: list[np.void] = []  # before each decision
        self._dice: list[np.ndarray] = []
        self._list_options(NO_DECISION)
        self._first = self.seat

    @property
    def position(self) -> np.void:
        """The position, STATE. A copy."""
        copy: np.void = self._workspace.states[GAME].copy()
        return copy

    @property
    def entrants(self) -> np.ndarray:
        """Entrants by seat, (seats,), as planned."""
        entrants: np.ndarray = self._plan["entrant"][: self.experiment.seats]
        return entrants

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide: the game is over, or was stopped at its turn limit."""
        return not self.options

    @property
    def seat(self) -> int:
        """Seat that decides."""
        with interpreted():
            return int(current_player(self._workspace.states[GAME]))

    def take(self, action: int) -> None:
        """Apply one of `options`. Raises ValueError for any other action."""
        if action not in self.options:
            raise ValueError(f"action={action}: is not legal here; legal are {', '.join(map(str, self.options))}")
        position = self.position
        self.moves.append((int(position["turn"]), action, len(self.options), self.seat))
        self.positions.append(position)
        self._dice.append(self._workspace.dice.copy())
        self._list_options(action)

    def take_back(self) -> None:
        """Return to the position before the last decision, with the same dice. Raises ValueError if there is none."""
        if not self.moves:
            raise ValueError("there is no decision to take back")
        self.moves.pop()
        self._workspace.states[GAME] = self.positions.pop()
        self._workspace.dice[:] = self._dice.pop()
        self._list_options(NO_DECISION)

    def choice(self) -> int:
        """The action that the player of the seat that decides takes."""
        seat = self.seat
        policy = self.experiment.policies[self._plan["player"][seat]]
        if len(self.options) == 1:
            return self.options[0]
        if policy.policy == Policy.RANDOM:
            with interpreted():
                key_dice(self._workspace, int(self.position["turn"]))
                return self.options[int(below(self._workspace.dice[ROLLED], seat, Purpose.POLICY, len(self.options)))]
        action, _ = self.advice(policy)
        return action

    def advice(self, policy: PolicySpec) -> tuple[int, dict[int, float]]:
        """The action that a player would choose, and the winning chance after each option, best first.

        policy: any but `random`. It knows only what the seat that decides can see; chances are those of this seat, 0..1.
        """
        actions, values, chosen = option_values(self.experiment, np.array([self.position]), policy, self.entrants)
        order = sorted(range(len(self.options)), key=lambda place: -values[0, place])
        return int(actions[0, chosen]), {int(actions[0, place]): float(values[0, place]) for place in order}

    def seen(self, position: np.void, seat: int, count: int) -> list[np.void]:
        """Copies of a position in which what a seat cannot see is sampled, STATE."""
        return [self._sampled(position, seat, sample) for sample in range(count)]

    def outcomes(self, action: int, count: int) -> list[tuple[np.void, np.void]]:
        """Positions before and after an action, STATE.

        Each pair has other dice, and another sample of what the deciding seat cannot see.
        """
        pairs = []
        for sample in range(count):
            before = self._sampled(self.position, self.seat, sample)
            self._sampling.states[GAME] = before
            with interpreted():
                advance(self._sampling, self.record, action)
            pairs.append((before, self._sampling.states[GAME].copy()))
        return pairs

    def rows(self) -> np.ndarray:
        """The game so far as a result, (1,) ROW."""
        rows = np.zeros(1, ROW)
        rows["first"] = self._first
        with interpreted():
            write_row(self._workspace, self._plan, rows[0], self.game.turn_limit(self.experiment.cards))
        rows["decisions"] = sum(options > 1 for _, _, options, _ in self.moves)
        return rows

    def replay(self) -> Replay:
        """The game so far, as `run.replay` returns it; the last line of the log is the current position."""
        outcomes = np.zeros(1, self.game.outcome)
        moves = np.zeros(len(self.moves) + 1, MOVE)
        positions = np.zeros(len(moves), self.game.state)
        for line, (turn, action, options, seat) in enumerate(self.moves):
            moves[line] = (0, turn, action, options, seat)
            positions[line] = self.positions[line]
        positions[-1] = self.position
        moves[-1] = (0, int(self.position["turn"]), NO_DECISION, 0, self.seat)
        with interpreted():
            write_outcome(self._workspace.states[GAME], outcomes[0])
        return Replay(self.rows(), outcomes, moves, positions)

    def _sampled(self, position: np.void, seat: int, sample: int) -> np.void:
        """A copy of a position in which what a seat cannot see is sampled."""
        state: np.void = position.copy()
        open_all_dice(self._sampling, self.experiment.seed, SAMPLES + sample)
        with interpreted():
            key_dice(self._sampling, int(state["turn"]))
            resample_hidden(state, self.record[0], seat, self._sampling.dice[ROLLED])
        return state

    def _list_options(self, action: int) -> None:
        """Apply an action unless it is NO_DECISION, and list the legal ones."""
        workspace, state = self._workspace, self._workspace.states[GAME]
        with interpreted():
            count = advance(workspace, self.record, action)
            if state["turn"] >= self.game.turn_limit(self.experiment.cards):
                count = 0
            elif count:
                count = open_actions(workspace.bans, state, self.record[0], workspace.options)
        self.options = [int(one) for one in workspace.options[:count]]  # legal actions, empty at the end
