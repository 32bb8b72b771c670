"""Decisions of a replayed game, weighed: what every alternative was worth, what was given away, and what luck brought.

Two judges speak here, and they differ. What an alternative is worth is estimated by a policy (`search:200` unless another is
named), from what the seat that decides could know; a decision gives away what the best alternative is worth more. How a game
runs, and what rolls and draws moved in it, is told by the game's own `evaluate`, which sees all that is hidden.
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

POLICY = "search:200"  # a third of a second for a game of two hundred decisions
MARKS = (("blunder", 0.15), ("mistake", 0.07), ("inaccuracy", 0.03))  # winning chance given away, at least so much
AGAIN = 10  # times as many samples or playouts for a decision that would be marked, before it is
LUCKY = 0.1  # change of a winning chance from which on a roll or draw is lucky or unlucky
REROLLS = 64  # samples of each chance, against which what came is held
ABSENT = -1  # of options


@dataclass(frozen=True)
class Decision:
    """A decision and what it was chosen from. chances: of winning, of the seat that decides, best first; taken: a place there."""

    seat: int
    actions: tuple[int, ...]
    chances: tuple[float, ...]
    taken: int

    @property
    def given_away(self) -> float:
        """What the best alternative is worth more, 0..1."""
        return self.chances[0] - self.chances[self.taken]

    @property
    def mark(self) -> str:
        """Name of what it is by what it gives away; empty for a good one."""
        return next((name for name, least in MARKS if self.given_away >= least - ROUNDING), "")


@dataclass(frozen=True, eq=False)
class Weighing:
    """A game with every decision weighed.

    decisions: by line of the log, those with two options or more. judged: (lines, seats), as `evaluate` gives them, made to add
    up to 1; the last line is the end. luck: (lines, seats), what chance moved after each decision; of_deal: (seats,), the deal.
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
        """Replay a game and weigh it. Raises ValueError for a policy that has no opinion."""
        checked(policy)
        seats, played = experiment.seats, replay(experiment, index, rerolls=REROLLS)
        block, _ = play_range(experiment, index, 1, rerolls=REROLLS)
        assert played.luck is not None, "luck was asked for"
        assert block.luck is not None, "luck was asked for"
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
        """How many decisions of a seat have each mark."""
        marks = [one.mark for one in self.decisions.values() if one.seat == seat]
        return {name: marks.count(name) for name, _ in MARKS}

    def given_away(self, seat: int) -> float:
        """Winning chance that a seat gave away in marked decisions, added up; what is below a mark may be the estimate's."""
        return sum(one.given_away for one in self.decisions.values() if one.seat == seat and one.mark)

    @property
    def luck_in_all(self) -> Floats:
        """How much of the win each seat owes to chance, the deal included, (seats,); see `sim.engine.luck`."""
        return np.asarray(self.of_deal + self.luck.sum(axis=0))

    def lucky(self, line: int) -> dict[int, float]:
        """Seats whose chance was moved by LUCKY or more by what came after a decision, and how far."""
        moved = self.luck[line]
        return {seat: float(moved[seat]) for seat in range(self.seats) if abs(moved[seat]) >= LUCKY - ROUNDING}

    @cached_property
    def winner(self) -> int | None:
        """Seat that won alone."""
        share = self.played.rows["share"][0, : self.seats]
        alone = self.played.rows["status"][0] == Status.FINISHED and share.max() == 1
        return int(share.argmax()) if alone else None

    @cached_property
    def turning_point(self) -> int | None:
        """Line after which the winner's judged chance never again was at the fair share or below; None without such a line.

        That is so where nobody won alone, and where the winner was ahead from the deal on.
        """
        return turning_line(self.judged, self.winner)


def turning_line(course: Floats, winner: int | None) -> int | None:
    """Last line of a course before its end, (lines, seats), at which the winner's chance is at the fair share or below."""
    if winner is None:
        return None
    even = 1 / max(2, course.shape[1])  # alone as likely as not
    behind = np.flatnonzero(course[:-1, winner] <= even + ROUNDING)
    return int(behind[-1]) if behind.size else None


def checked(policy: PolicySpec) -> PolicySpec:
    """Return a policy that can weigh. Raises ValueError for one without an opinion."""
    if policy.policy == Policy.RANDOM:
        raise ValueError(f"weigh={str(policy)!r}: decides by lot and thinks nothing of its options; take {POLICY}")
    return policy


def decisions_of(experiment: Experiment, played: Replay, policy: PolicySpec) -> dict[int, Decision]:
    """Weigh every decision that had an alternative, by line.

    One that would be marked is weighed again with AGAIN times the effort, and stands as that says: of many estimates some are
    far off, and each would look like a blunder.
    """
    lines = np.flatnonzero(played.moves["options"] > 1)
    found = _weighed(experiment, played, policy, lines)
    doubted = np.array([line for line in lines.tolist() if found[line].mark], np.int64)
    return found | _weighed(experiment, played, _stronger(policy), doubted)


def _stronger(policy: PolicySpec) -> PolicySpec:
    """The same with AGAIN times the effort, or as much as may be named."""
    return replace(policy, samples=min(KINDS[policy.policy].samples_max, AGAIN * policy.samples))


def _weighed(
    experiment: Experiment, played: Replay, policy: PolicySpec, lines: NDArray[np.int64]
) -> dict[int, Decision]:
    """What a policy thinks of the decisions of some lines."""
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
    """Options in the order of their worth. options: ABSENT where there is none."""
    known = np.flatnonzero(options != ABSENT)
    order = known[np.lexsort((options[known] != action, -values[known]))]  # of equals the one that was chosen
    actions = options[order].tolist()
    return Decision(seat, tuple(actions), tuple(values[order].tolist()), actions.index(action))
