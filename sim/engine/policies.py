"""Policies for all games, written in terms of the verbs.

`random` picks uniformly among the legal actions. `greedy` looks one decision ahead: it tries each action on a copy, averages
`evaluate` over samples of the chance that follows and of hidden information, and takes the best, with ties broken at random.
`flat` adds random playouts after each action, and `search` grows a tree (`search.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from sim.engine.dice import Purpose, below
from sim.engine.greedy import choose_greedy
from sim.engine.jit import Record, kernel
from sim.engine.search import choose_flat, choose_search
from sim.engine.workspace import ROLLED, Workspace, new_workspace

__all__ = ["PLAYER", "Policy", "PolicySpec", "Workspace", "choose", "new_workspace", "players"]


class Policy(IntEnum):
    """How a seat decides. The numbers are what the kernels dispatch on."""

    RANDOM = 0
    GREEDY = 1
    FLAT = 2
    SEARCH = 3


SAMPLES_MAX = 1000  # of chance per option, greedy
PLAYOUTS_MAX = 100_000  # per decision, flat and search
DEPTH_MAX = 10_000  # random decisions before a playout is evaluated
BASELINE = "/baseline"  # suffix of a policy's name: evaluates with the weights set by hand
OLD_BASELINE = "/hand"  # what BASELINE was called until November 2026

PLAYER = np.dtype(
    [
        ("policy", np.int32),
        ("samples", np.int32),  # of chance per option, or playouts per decision
        ("depth", np.int32),  # random decisions before a playout is evaluated
        ("evaluator", np.int32),  # row of the card records whose weights it uses
    ],
    align=True,
)


@dataclass(frozen=True)
class Kind:
    """Defaults and limits of the numbers in a policy's name. samples_max 0: takes no number."""

    samples: int = 0
    samples_max: int = 0
    depth: int = 0
    takes_depth: bool = False
    number: str = "samples"


KINDS = {
    Policy.RANDOM: Kind(),
    Policy.GREEDY: Kind(4, SAMPLES_MAX),
    Policy.FLAT: Kind(200, PLAYOUTS_MAX, 20, True, "playouts"),
    Policy.SEARCH: Kind(200, PLAYOUTS_MAX, 0, True, "playouts"),
}
SAMPLES_DEFAULT = KINDS[Policy.GREEDY].samples


@dataclass(frozen=True)
class PolicySpec:
    """A parsed policy name: `random`, `greedy:16` (samples of chance per option), `search:200` (playouts per decision).

    `flat:200:20` and `search:200:8` make 20 and 8 random decisions before they evaluate. With the suffix `/baseline`, a policy
    evaluates with the weights set by hand.
    """

    policy: Policy
    samples: int = SAMPLES_DEFAULT
    depth: int = 0
    baseline: bool = False

    def __str__(self) -> str:
        kind, name = KINDS[self.policy], self.policy.name.lower()
        if kind.samples_max:
            name += f":{self.samples}"
        if self.depth != kind.depth:
            name += f":{self.depth}"
        return name + (BASELINE if self.baseline else "")

    @property
    def in_words(self) -> str:
        """Description of the policy in words."""
        if self.policy == Policy.RANDOM:
            return "decides at random"
        ending = f"with {self.depth} random decisions after each" if self.depth else "each evaluated where it leaves the tree"
        words = {
            Policy.GREEDY: f"looks one decision ahead, averaging {self.samples} samples of the chance that follows",
            Policy.FLAT: f"tries all decisions equally often in {self.samples} playouts, {ending}",
            Policy.SEARCH: f"searches a tree with {self.samples} playouts per decision, {ending}",
        }[self.policy]
        return words + (", with the weights set by hand" if self.baseline else "")

    @property
    def nodes(self) -> int:
        """Largest number of tree nodes that a decision needs."""
        return self.samples + 1 if self.policy == Policy.SEARCH else 1

    @classmethod
    def parse(cls, text: str) -> PolicySpec:
        """Parse a policy's name. Raises ValueError with the valid names or numbers."""
        words, baseline, rest = text.strip().replace(OLD_BASELINE, BASELINE).partition(BASELINE)
        name, *numbers = words.split(":")
        if name.upper() not in Policy.__members__ or rest:
            raise ValueError(
                f"policy={text!r} is not known; known are random, greedy, flat, search and, with k samples or n playouts, "
                "greedy:k, flat:n, search:n"
            )
        policy = Policy[name.upper()]
        kind = KINDS[policy]
        if policy == Policy.RANDOM and (numbers or baseline):
            raise ValueError(f"policy={text!r}: random takes no number and evaluates nothing, unlike greedy:4")
        if len(numbers) > 1 + kind.takes_depth:
            raise ValueError(
                f"policy={text!r}: {name} takes {'two numbers' if kind.takes_depth else 'one number'} at most, "
                f"as in {cls(policy, kind.samples)}"
            )
        samples = _number(text, numbers[0], kind.number, 1, kind.samples_max) if numbers else kind.samples
        depth = _number(text, numbers[1], "random decisions", 0, DEPTH_MAX) if len(numbers) > 1 else kind.depth
        return cls(policy, samples if kind.samples_max else SAMPLES_DEFAULT, depth, bool(baseline))


def _number(text: str, number: str, what: str, least: int, most: int) -> int:
    """Parse a number in a policy's name. Raises ValueError naming it."""
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"policy={text!r}: {what} must be a whole number, as in greedy:{SAMPLES_DEFAULT} or search:200")
    if not least <= int(number[:9]) <= most:
        raise ValueError(f"policy={text!r}: {what} must be {least}..{most}")
    return int(number)


def players(specs: list[PolicySpec]) -> np.ndarray:
    """Return the PLAYER table for `choose`, one row per policy."""
    return np.array([(spec.policy, spec.samples, spec.depth, int(spec.baseline)) for spec in specs], PLAYER)


@kernel
def choose(
    workspace: Workspace, cards: np.ndarray, player: Record, seat: int, count: int, greedy: bool | None, search: bool | None
) -> int:
    """Choose among workspace.options[0..count-1] for `seat` with the policy of the PLAYER record; returns the index.

    cards: (k,) CARDS, identical except for the evaluation weights. All policies except `random` write the winning chances of
    the options to workspace.values. greedy, search: None if no player evaluates options, or none searches or plays out.
    """
    if greedy is not None:  # noqa: SIM102 - numba prunes by a test of None alone
        if player["policy"] == Policy.GREEDY:
            return choose_greedy(workspace, cards[player["evaluator"]], player["samples"], seat, count)
    if search is not None:
        if player["policy"] == Policy.FLAT:
            return choose_flat(workspace, cards[player["evaluator"]], player, seat, count)
        if player["policy"] == Policy.SEARCH:
            return choose_search(workspace, cards[player["evaluator"]], player, seat, count)
    return below(workspace.dice[ROLLED], seat, Purpose.POLICY, count)
