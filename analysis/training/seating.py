"""Who judges by which of two sets of weights, by seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from sim.engine.policies import Policy, PolicySpec
from sim.experiment import Experiment

NEW, OLD = 1, 0


def sides(seats: int) -> list[tuple[int, ...]]:
    """New (1) or old (0) weights by seat: both as often on each seat. A single seat is played by each in turn."""
    half = {seats // 2, seats - seats // 2}
    return [one for one in product((OLD, NEW), repeat=seats) if sum(one) in half]


def seated(experiment: Experiment, side: Sequence[int]) -> tuple[PolicySpec, ...]:
    """The experiment's policies by seat, those of the old side judging by the weights set by hand."""
    policies = experiment.policies * (experiment.seats if len(experiment.policies) == 1 else 1)
    return tuple(judging(policy, new) for policy, new in zip(policies, side, strict=True))


def judging(policy: PolicySpec, new: int) -> PolicySpec:
    """A policy that judges by the new weights or by those set by hand; by none where it decides by lot."""
    by_hand = new == OLD and policy.policy != Policy.RANDOM
    return PolicySpec(policy.policy, policy.samples, policy.depth, by_hand)
