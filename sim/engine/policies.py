"""Policies for all games, written in terms of the verbs.

`random` picks uniformly among the legal actions. `greedy` looks one decision ahead: it tries each action on a copy, averages
`evaluate` over samples of the chance that follows and of hidden information, and takes the best, with ties broken at random.
`flat` adds random playouts after each action, and `search` grows a tree (`search.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from sim.engine.dice import Purpose, below
from sim.engine.greedy import choose_greedy
from sim.engine.jit import Record, kernel
from sim.engine.search import choose_flat, choose_search
from sim.engine.turn import choose_turn
from sim.engine.workspace import IMAGINED, ROLLED, Workspace, new_workspace

__all__ = ["PLAYER", "Policy", "PolicySpec", "Workspace", "choose", "new_workspace", "players"]


class Policy(IntEnum):
    """How a seat decides. The numbers are what the kernels dispatch on."""

    RANDOM = 0
    GREEDY = 1
    FLAT = 2
    SEARCH = 3
    TURN = 4


SAMPLES_MAX = 1000  # of chance per option, greedy
PLAYOUTS_MAX = 100_000  # per decision, flat and search
WIDTH_MAX = 100  # plans of a turn
DEPTH_MAX = 10_000  # random decisions before a playout is evaluated
BASELINE = "/baseline"  # suffix of a policy's name: evaluates with the weights set by hand
OPEN = "/open"  # the same: sees hidden cards

PLAYER = np.dtype(
    [
        ("policy", np.int32),
        ("samples", np.int32),  # of chance per option, or playouts per decision
        ("depth", np.int32),  # random decisions before a playout is evaluated
        ("width", np.int32),  # plans of a turn that are continued
        ("evaluator", np.int32),  # row of the card records whose weights it uses
        ("open", np.int32),  # 1: it cheats and sees hidden cards
    ],
    align=True,
)


@dataclass(frozen=True)
class Number:
    """A number in a policy's name. field: of `PolicySpec`; word: for messages; least, most: allowed; usual: if left out."""

    field: str
    word: str
    least: int
    most: int
    usual: int


SAMPLES = Number("samples", "samples", 1, SAMPLES_MAX, 4)
PLAYOUTS = Number("samples", "playouts", 1, PLAYOUTS_MAX, 200)
DEPTH = Number("depth", "random decisions", 0, DEPTH_MAX, 0)
NUMBERS: dict[Policy, tuple[Number, ...]] = {
    Policy.RANDOM: (),
    Policy.GREEDY: (SAMPLES,),
    Policy.FLAT: (PLAYOUTS, Number("depth", "random decisions", 0, DEPTH_MAX, 20)),
    Policy.SEARCH: (PLAYOUTS, DEPTH),
    Policy.TURN: (Number("width", "plans", 1, WIDTH_MAX, 4), SAMPLES, Number("depth", "turns", 0, 1000, 0)),
}


@dataclass(frozen=True)
class PolicySpec:
    """A parsed policy name: `random`, `greedy:16` (samples of chance per option), `search:200` (playouts per decision).

    `flat:200:20` and `search:200:8` make 20 and 8 random decisions before they evaluate. `turn:6:4` continues 6 plans for the
    turn at a time, with 4 samples of chance. With the suffix `/baseline`, a policy evaluates with the weights set by hand. With
    `/open` it cheats: it sees hidden cards, also those still to be drawn, but not the dice. It serves as a bound only.
    """

    policy: Policy
    samples: int = SAMPLES.usual
    depth: int = 0
    baseline: bool = False
    width: int = 0
    open: bool = False

    def __str__(self) -> str:
        shown = [number for number in NUMBERS[self.policy] if number.field != "depth" or self.depth != number.usual]
        words = [self.policy.name.lower(), *(str(getattr(self, number.field)) for number in shown)]
        return ":".join(words) + (BASELINE if self.baseline else "") + (OPEN if self.open else "")

    @property
    def in_words(self) -> str:
        """Description of the policy in words."""
        if self.policy == Policy.RANDOM:
            return "decides at random"
        ending = f"with {self.depth} random decisions after each" if self.depth else "each evaluated where it leaves the tree"
        replies = f" and {self.depth} more turn{'s' * (self.depth > 1)}" if self.depth else ""
        samples = f"{self.samples} sample{'s' * (self.samples > 1)} of the chance that follows"
        words = {
            Policy.GREEDY: f"looks one decision ahead, {'averaging' if self.samples > 1 else 'with'} {samples}",
            Policy.FLAT: f"tries all decisions equally often in {self.samples} playouts, {ending}",
            Policy.TURN: f"plans its turn, {self.width} plan{'s' * (self.width > 1)} at a time, over {samples}{replies}",
            Policy.SEARCH: f"searches a tree with {self.samples} playouts per decision, {ending}",
        }[self.policy]
        words += ", with the weights set by hand" if self.baseline else ""
        return words + (", and cheats: it sees hidden cards" if self.open else "")

    @property
    def nodes(self) -> int:
        """Largest number of tree nodes that a decision needs."""
        return self.samples + 1 if self.policy == Policy.SEARCH else 1

    @property
    def hands(self) -> int:
        """Number of samples of hidden cards that are held at a time."""
        return self.samples if self.policy == Policy.TURN else 0

    @classmethod
    def parse(cls, text: str) -> PolicySpec:
        """Parse a policy's name. Raises ValueError with the valid names or numbers."""
        words, *rest = text.strip().split("/")
        suffixes = [f"/{word}" for word in rest]
        name, *numbers = words.split(":")
        if name.upper() not in Policy.__members__ or sorted({*suffixes} & {BASELINE, OPEN}) != sorted(suffixes):
            raise ValueError(
                f"policy={text!r} is not known; known are random, greedy, turn, flat, search and, with k samples, b plans or n "
                "playouts, greedy:k, turn:b:k, flat:n, search:n"
            )
        policy = Policy[name.upper()]
        if policy == Policy.RANDOM and (numbers or suffixes):
            raise ValueError(f"policy={text!r}: random takes no number and evaluates nothing, unlike greedy:4")
        known = NUMBERS[policy]
        if len(numbers) > len(known):
            usual = ":".join([name, *(str(number.usual) for number in known)])
            most = f"{len(known)} number{'s' * (len(known) > 1)}"
            raise ValueError(f"policy={text!r}: {name} takes at most {most}, as in {usual}")
        typed: dict[str, Any] = {
            number.field: _number(text, numbers[i], number) if i < len(numbers) else number.usual
            for i, number in enumerate(known)
        }
        return cls(policy, baseline=BASELINE in suffixes, open=OPEN in suffixes, **typed)


def _number(text: str, typed: str, number: Number) -> int:
    """Parse a number in a policy's name. Raises ValueError naming it."""
    if not (typed.isascii() and typed.isdigit()):
        raise ValueError(f"policy={text!r}: {number.word} must be a whole number, as in greedy:{SAMPLES.usual} or search:200")
    if not number.least <= int(typed[:9]) <= number.most:
        raise ValueError(f"policy={text!r}: {number.word} must be {number.least}..{number.most}")
    return int(typed)


def players(specs: list[PolicySpec]) -> np.ndarray:
    """Return the PLAYER table for `choose`, one row per policy."""
    return np.array(
        [(spec.policy, spec.samples, spec.depth, spec.width, int(spec.baseline), int(spec.open)) for spec in specs], PLAYER
    )


@kernel
def choose(
    workspace: Workspace, cards: np.ndarray, player: Record, seat: int, count: int, greedy: bool | None, search: bool | None
) -> int:
    """Choose among workspace.options[0..count-1] for `seat` with the policy of the PLAYER record; returns the index.

    cards: (k,) CARDS, identical except for the evaluation weights. All policies except `random` write the winning chances of
    the options to workspace.values. greedy, search: None if no player evaluates options, or none searches or plays out.
    """
    workspace.dice[IMAGINED]["open"] = player["open"]
    if greedy is not None:  # noqa: SIM102 - numba prunes by a test of None alone
        if player["policy"] == Policy.GREEDY:
            return choose_greedy(workspace, cards[player["evaluator"]], player["samples"], seat, count)
    if search is not None:
        if player["policy"] == Policy.FLAT:
            return choose_flat(workspace, cards[player["evaluator"]], player, seat, count)
        if player["policy"] == Policy.TURN:
            return choose_turn(workspace, cards[player["evaluator"]], player, seat, count)
        if player["policy"] == Policy.SEARCH:
            return choose_search(workspace, cards[player["evaluator"]], player, seat, count)
    return below(workspace.dice[ROLLED], seat, Purpose.POLICY, count)
