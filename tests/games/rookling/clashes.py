"""A row of Rookling Heroes under attack, resolved by the kernels in every way there is.

Decisions are words: "left first", "spill right", "block", "hold". Where a single attack is left nothing is asked.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from sim.games.rookling.rules.attacks import (
    Stage,
    bearer_of,
    begin_clash,
    best_response,
    decide,
    force_of,
    is_open,
    is_used,
    life_of,
    only_open,
    open_attacks,
    stage_of,
)
from sim.games.rookling.text import PLACES
from tests.games.rookling.positions import card_set

Lives = tuple[int, ...]
NO_DEFENCE = (0, 0, 0)


class Ending(NamedTuple):
    """One way to resolve: what was decided, how likely that is if every decision is taken at random, what came of it."""

    decisions: tuple[str, ...]
    chance: Fraction
    clash: int

    @property
    def life(self) -> Lives:
        """Lives from left to right."""
        return lives_in(self.clash)

    @property
    def hits(self) -> dict[int, int]:
        """ROOK-56. Position of the attack -> position that bears its hit."""
        bearers = {position: int(bearer_of(self.clash, position)) for position in range(3)}
        return {position: bearer for position, bearer in bearers.items() if bearer >= 0}

    @property
    def used(self) -> set[int]:
        """Positions that have blocked."""
        return {position for position in range(3) if is_used(self.clash, position)}

    @property
    def left_open(self) -> set[int]:
        """Positions whose attack was not resolved."""
        return {position for position in range(3) if is_open(self.clash, position)}

    @property
    def lost(self) -> bool:
        """ROOK-55. Whether all three are in siege-state."""
        return stage_of(self.clash) == Stage.LOST


def endings(life: Lives, attacks: Lives, defences: Lives = NO_DEFENCE, **rules: object) -> list[Ending]:
    """All ways to resolve, positions ascending, left before right, blocking before holding. rules: other switches."""
    force, clash = _begin(life, attacks, defences)
    return [*_walk(clash, force, _cards(**rules), (), Fraction(1))]


def results(life: Lives, attacks: Lives, defences: Lives = NO_DEFENCE, **rules: object) -> set[Lives]:
    """Lives that the player whose row is struck can choose from."""
    return {ending.life for ending in endings(life, attacks, defences, **rules)}


def only(life: Lives, attacks: Lives, defences: Lives = NO_DEFENCE, **rules: object) -> Ending:
    """The one way to resolve; fails if there is a choice."""
    (ending,) = endings(life, attacks, defences, **rules)
    return ending


def by_decisions(life: Lives, attacks: Lives, defences: Lives = NO_DEFENCE, **rules: object) -> dict[tuple[str, ...], Lives]:
    """Lives after each way to resolve."""
    return {ending.decisions: ending.life for ending in endings(life, attacks, defences, **rules)}


def best(life: Lives, attacks: Lives, defences: Lives = NO_DEFENCE, **rules: object) -> Ending:
    """The ending that the defender's search finds, without its decisions."""
    force, clash = _begin(life, attacks, defences)
    return Ending((), Fraction(1), int(best_response(clash, force, _cards(**rules))))


def lives_in(clash: int) -> Lives:
    """Lives in a packed clash."""
    return tuple(int(life_of(clash, position)) for position in range(3))


def _cards(**rules: object) -> np.void:
    """CARDS record of the reference set with some rules changed."""
    return card_set(rules).record[0]


def _begin(life: Lives, attacks: Lives, defences: Lives) -> tuple[int, int]:
    force = int(force_of(np.array(attacks, np.int16), np.array(defences, np.int16)))
    return force, int(begin_clash(force, *life))


def _walk(clash: int, force: int, cards: np.void, taken: tuple[str, ...], chance: Fraction) -> Iterator[Ending]:
    stage = Stage(stage_of(clash))
    if stage in (Stage.DONE, Stage.LOST):
        yield Ending(taken, chance, clash)
    elif stage == Stage.NEXT and open_attacks(clash) == 1:
        yield from _walk(int(decide(clash, force, cards, int(only_open(clash)))), force, cards, taken, chance)
    else:
        options = _options(clash, stage)
        for words, answer in options.items():
            after = int(decide(clash, force, cards, answer))
            yield from _walk(after, force, cards, (*taken, words), chance / len(options))


def _options(clash: int, stage: Stage) -> dict[str, int]:
    """Answers to a decision by their words, in canonical order."""
    if stage == Stage.NEXT:
        return {f"{place} first": position for position, place in enumerate(PLACES) if is_open(clash, position)}
    return {"spill left": 0, "spill right": 1} if stage == Stage.SIDE else {"block": 1, "hold": 0}
