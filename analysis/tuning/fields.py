"""Which numbers of a card file may be changed, whose they are, and which values the card rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis.candidates import board_fields, paths_of
from analysis.edits import owner_of
from analysis.whatif import numeric_steps
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.fieldpaths import changed, fixed_fields, locate, look_up, matching, numeric_fields
from sim.weights import remade

REACH = 3  # steps up and down that are looked at
RULES = ("rules",)  # tables that say how the game is played: changed on request only

Steps = tuple[tuple[int, int], ...]  # (number of a knob, steps up), ascending by knob, none of 0 steps


@dataclass(frozen=True)
class Knob:
    """A whole number of the card file. unit: whose it is, None: nobody's alone. steps: allowed one at a time, without 0."""

    path: str
    before: int
    unit: int | None
    steps: tuple[int, ...]

    def scaled(self, steps: float) -> float:
        """How far so many steps lead on a scale of ratios: log (1 + value), signed."""
        ends = np.array([self.before + steps, self.before], np.float64)
        at = np.sign(ends) * np.log1p(np.abs(ends))
        return float(at[0] - at[1])

    def relative(self, steps: int) -> float:
        """Size of a change relative to the value."""
        return abs(steps) / max(1, abs(self.before))


@dataclass(frozen=True, eq=False)
class Knobs:
    """The numbers that may be changed, and those that may not with the reason."""

    game: Game
    cards: CardSet
    knobs: tuple[Knob, ...]
    left: Mapping[str, str]  # path -> why it is left alone

    @cached_property
    def paths(self) -> list[str]:
        """Paths in the card file."""
        return [knob.path for knob in self.knobs]

    def document(self, steps: Steps) -> dict[str, Any]:
        """The card file's content with some numbers changed."""
        document = dict(self.cards.document)
        for number, by in steps:
            knob = self.knobs[number]
            document = changed(document, knob.path, knob.before + by)
        return document

    def compiled(self, steps: Steps) -> CardSet | None:
        """The card set with some numbers changed; None where the card rules refuse them together."""
        if not steps:
            return self.cards
        try:
            return remade(self.game, self.document(steps), self.cards)
        except CardError:
            return None


def knobs_of(game: Game, cards: CardSet, units: Sequence[str], patterns: Sequence[str] | None = None) -> Knobs:
    """Find the numbers that may be changed.

    units: ids of the entrants or parts; whose a number is: see `edits.owner_of`. patterns: paths with `*`
    (see `fieldpaths.matching`); without any, the numbers of the units, or where the rules let none of these change, all
    but those of the rules and those that lay out a board (`candidates.board_fields`). Left alone: numbers that the file marks
    as fixed, that are not whole, whose every step the card rules refuse, or that never reach play. Raises ValueError for a
    pattern that fits nothing.
    """
    if patterns:
        return _chosen(game, cards, _matched(cards, patterns), units)
    boards = board_fields(cards.document)
    every = [path for path in numeric_fields(cards.document) if path.split(".")[0] not in RULES and path not in boards]
    own = _chosen(game, cards, [path for path in every if owner_of(cards.document, path, units) is not None], units)
    return own if own.knobs else _chosen(game, cards, every, units)


def _matched(cards: CardSet, patterns: Sequence[str]) -> list[str]:
    """Paths that the patterns mean, in the order of the file."""
    for pattern in patterns:
        if not matching(cards.document, pattern):
            raise ValueError(
                f"fields={pattern!r}: fits no number of the card file; `fairfight cards` lists what there is"
            )
    return paths_of(cards, patterns)


def _chosen(game: Game, cards: CardSet, paths: Sequence[str], units: Sequence[str]) -> Knobs:
    """Sort paths into knobs and numbers that are left alone."""
    fixed = fixed_fields(cards.document)
    knobs, left = [], {}
    for path in paths:
        value = look_up(cards.document, locate(cards.document, path))[1]
        if path in fixed:
            left[path] = "fixed in the card file"
        elif not isinstance(value, int):
            left[path] = "not a whole number"
        else:
            steps, why = _allowed(game, cards, path)
            if steps:
                knobs.append(Knob(path, value, owner_of(cards.document, path, units), steps))
            else:
                left[path] = why
    return Knobs(game, cards, tuple(knobs), left)


def _allowed(game: Game, cards: CardSet, path: str) -> tuple[tuple[int, ...], str]:
    """Steps that the rules allow, outwards as far as each side goes; and why there are none."""
    found: list[int] = []
    refused = ""
    for way in (-1, 1):
        for size in range(1, REACH + 1):
            (step,) = numeric_steps(game, cards, [path], [way * size])
            if step.cards is None:
                refused = step.refused
                break
            if step.idle:
                continue
            found.append(way * size)
    return tuple(sorted(found)), _why(refused)


def _why(refused: str) -> str:
    return f"refused: {refused}" if refused else "without effect on play"


def described(knobs: Knobs, steps: Steps) -> list[dict[str, Any]]:
    """The changes as records: path, before, after."""
    chosen = [(knobs.knobs[number], by) for number, by in steps]
    return [{"path": knob.path, "before": knob.before, "after": knob.before + by} for knob, by in chosen]
