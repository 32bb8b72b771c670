"""Evaluation of a replayed game: worth of every alternative, winning chance given away, and luck.

Two evaluations are used, and they differ. The worth of an alternative is estimated by a policy (`search:200` by default) from
what the deciding seat can know; a decision gives away the difference to the best alternative. The course of the game, and the
effect of rolls and draws on it, come from the game's `evaluate`, which sees all hidden information.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.timeline.courses import ROUNDING, shared_out
from sim.engine.policies import KINDS, Policy, PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.run import Replay, judged, play_range, replay, weighed

Floats = NDArray[np.float64]

POLICY = "search:200"  # takes a third of a second for a game of two hundred decisions
MARKS = (("blunder", 0.15), ("mistake", 0.07), ("inaccuracy", 0.03))  # least winning chance given away
AGAIN = 10  # factor of samples or playouts for a second look at decisions that would be marked
LUCKY = 0.1  # change of a winning chance that makes a roll or draw lucky or unlucky
REROLLS = 64  # samples of each chance event, with which the actual result is compared
ABSENT = -1  # padding of options


@dataclass(frozen=True)
class Decision:
    """A decision and its alternatives. chances: of winning, for the deciding seat, best first; taken: index of the choice."""

    seat: int
    actions: tuple[int, ...]
    chances: tuple[float, ...]
    taken: int

    @property
    def given_away(self) -> float:
        """Winning chance lost against the best alternative, 0..1."""
        return self.chances[0] - self.chances[self.taken]

    @property
    def mark(self) -> str:
        """Name of the error by the chance given away; empty for a good decision."""
        return next((name for name, least in MARKS if self.given_away >= least - ROUNDING), "")


@dataclass(frozen=True, eq=False)
class Weighing:
    """A game with every decision evaluated.

    decisions: by line of the log, those with at least two options. judged: (lines, seats), results of `evaluate`, scaled to add
    up to 1; the last line is the end. luck: (lines, seats), change by chance after each decision; of_deal: (seats,), luck of
    the deal.
    """

    experiment: Experiment
    index: int
    played: Replay
    policy: PolicySpec
    decisions: dict[int, Decision]
    judged: Floats
    luck: Floats
    of_deal: Floats

    @classmethod
    def of(cls, experiment: Experiment, index: int, policy: PolicySpec) -> Weighing:
        """Replay a game and evaluate it. Raises ValueError for a policy that cannot evaluate."""
        checked(policy)
        seats, played = experiment.seats, replay(experiment, index, rerolls=REROLLS)
        block, _ = play_range(experiment, index, 1, rerolls=REROLLS)
        assert played.luck is not None, "rerolls were requested"
        assert block.luck is not None, "rerolls were requested"
        luck = played.luck[:, :seats]
        course = shared_out(judged(experiment, played.positions))
        decisions = decisions_of(experiment, played, policy)
        of_deal = block.luck[0, :seats] - luck.sum(axis=0)
        return cls(experiment, index, played, policy, decisions, course, luck, of_deal)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.experiment.seats

    def marked(self, seat: int) -> dict[str, int]:
        """Number of decisions of a seat with each mark."""
        marks = [decision.mark for decision in self.decisions.values() if decision.seat == seat]
        return {name: marks.count(name) for name, _ in MARKS}

    def given_away(self, seat: int) -> float:
        """Winning chance that a seat gave away in marked decisions, added up; smaller losses can be errors of the estimates."""
        return sum(
            decision.given_away for decision in self.decisions.values() if decision.seat == seat and decision.mark
        )

    @property
    def luck_in_all(self) -> Floats:
        """Share of the win that each seat owes to chance, including the deal, (seats,); see `sim.engine.luck`."""
        return np.asarray(self.of_deal + self.luck.sum(axis=0))

    def lucky(self, line: int) -> dict[int, float]:
        """Seats whose chance changed by LUCKY or more through the chance events after a decision, and by how much."""
        moved = self.luck[line]
        return {seat: float(moved[seat]) for seat in range(self.seats) if abs(moved[seat]) >= LUCKY - ROUNDING}

    @cached_property
    def winner(self) -> int | None:
        """Seat that won alone, or None."""
        share = self.played.rows["share"][0, : self.seats]
        alone = self.played.rows["status"][0] == Status.FINISHED and share.max() == 1
        return int(share.argmax()) if alone else None

    @cached_property
    def turning_point(self) -> int | None:
        """Last line at which the winner's chance was at or below the fair share.

        None without a sole winner, and if the winner was ahead from the deal on.
        """
        return turning_line(self.judged, self.winner)


def turning_line(course: Floats, winner: int | None) -> int | None:
    """Last line of a course before its end, (lines, seats), at which the winner's chance is at or below the fair share."""
    if winner is None:
        return None
    even = 1 / max(2, course.shape[1])  # with a single seat: one half
    behind = np.flatnonzero(course[:-1, winner] <= even + ROUNDING)
    return int(behind[-1]) if behind.size else None


def checked(policy: PolicySpec) -> PolicySpec:
    """Return a policy that can evaluate. Raises ValueError for one that cannot."""
    if policy.policy == Policy.RANDOM:
        raise ValueError(f"weigh={str(policy)!r}: decides at random and does not evaluate its options; use {POLICY}")
    return policy


def decisions_of(experiment: Experiment, played: Replay, policy: PolicySpec) -> dict[int, Decision]:
    """Evaluate every decision with an alternative, by line.

    Decisions that would be marked are evaluated again with AGAIN times the effort, and that result counts: some of many
    estimates are far off, and each would look like a blunder.
    """
    lines = np.flatnonzero(played.moves["options"] > 1)
    decisions = _weighed(experiment, played, policy, lines)
    doubted = np.array([line for line in lines.tolist() if decisions[line].mark], np.int64)
    return decisions | _weighed(experiment, played, _stronger(policy), doubted)


def _stronger(policy: PolicySpec) -> PolicySpec:
    """The policy with AGAIN times the effort, up to its maximum."""
    return replace(policy, samples=min(KINDS[policy.policy].samples_max, AGAIN * policy.samples))


def _weighed(
    experiment: Experiment, played: Replay, policy: PolicySpec, lines: NDArray[np.int64]
) -> dict[int, Decision]:
    """Evaluate the decisions of some lines."""
    if not lines.size:
        return {}
    entrants = played.rows["entrant"][0, : experiment.seats]
    options, values = weighed(experiment, played.positions[lines], policy, entrants)
    moves = played.moves[lines]
    return {
        int(line): _decision(int(move["seat"]), int(move["action"]), actions, chances)
        for line, move, actions, chances in zip(lines, moves, options, values, strict=True)
    }


def _decision(seat: int, action: int, options: NDArray[np.int32], values: Floats) -> Decision:
    """A decision with its options in order of worth. options: padded with ABSENT."""
    known = np.flatnonzero(options != ABSENT)
    order = known[np.lexsort((options[known] != action, -values[known]))]  # the choice first among equals
    actions = options[order].tolist()
    return Decision(seat, tuple(actions), tuple(values[order].tolist()), actions.index(action))
