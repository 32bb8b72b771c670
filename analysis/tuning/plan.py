"""How the games of a search are shared out: a first look at every number, trials of proposals, a re-test."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from analysis.tuning.cells import Cells
from analysis.tuning.fields import Knobs
from analysis.wording import count as written

LOOKS, CHECKS, RETEST = 0.35, 0.15, 0.25  # of all games; trials of proposals have the rest
CHECKED = 4  # times a proposal is checked, and perhaps given up, before it is final
TRIALS = 48  # proposals tried, if there are games enough
LEAST_LOOK = 400  # games with the cards as they are, on which the looks are taken
LEAST_TRIAL = 400  # games of a proposal
COMPARED = 4  # of the games of the re-test: one part for the best set of each other size


class TooFewGamesError(ValueError):
    """Not enough games to find a proposal that is worth more than chance. least: games that would do."""

    def __init__(self, message: str, least: int) -> None:
        super().__init__(message)
        self.least = least


@dataclass(frozen=True)
class Plan:
    """Games of each part.

    look_games: with the cards as they are; a number is looked at in those of its unit. trial_games: of each of `trials`
    proposals. retest_games: of the cards as they are, and of the proposal, at the end. check_games: of a proposal before it
    is final.
    """

    look_games: int
    trial_games: int
    trials: int
    retest_games: int
    check_games: int = 0

    @classmethod
    def of(cls, games: int, knobs: Knobs, cells: Cells, max_changes: int) -> Plan:
        """Share out so many games. Raises TooFewGamesError."""
        per_look = 1 + sum(len(looks(knob.steps)) * part_of(cells, knob.unit) for knob in knobs.knobs)
        look = int(LOOKS * games / per_look)
        left = int((1 - LOOKS - CHECKS - RETEST) * games)
        trials = min(TRIALS, left // LEAST_TRIAL)
        if look < LEAST_LOOK or trials < 2 * max_changes:
            for_looks, for_trials = round(LEAST_LOOK * per_look / LOOKS), least_games(max_changes)
            least = max(for_looks, for_trials)
            numbers = (
                f"{len(knobs.knobs)} number{'s' if len(knobs.knobs) != 1 else ''} that may be changed take at least"
            )
            fewer = "name fewer numbers with --fields"
            raise TooFewGamesError(
                f"games={games}: {numbers} {written(for_looks)} games; play more, or {fewer}"
                if for_looks >= for_trials
                else f"games={games}: --max-changes {max_changes} takes at least {written(for_trials)} games; "
                "play more, or allow fewer",
                least,
            )
        retest = int(RETEST * games / (2 + max_changes / COMPARED))
        return cls(look, left // trials, trials, retest, int(CHECKS * games / CHECKED))


def least_games(max_changes: int) -> int:
    """Games below which no search is worth its games, however few numbers may be changed."""
    return round(2 * max_changes * LEAST_TRIAL / (1 - LOOKS - CHECKS - RETEST))


def looks(steps: tuple[int, ...]) -> tuple[int, ...]:
    """The steps of a number that are looked at first: the smallest down and the smallest up."""
    down, up = [step for step in steps if step < 0], [step for step in steps if step > 0]
    return (*down[-1:], *up[:1])


def part_of(cells: Cells, unit: int | None) -> float:
    """Share of the games in which a unit sits; all for a number that is nobody's."""
    if unit is None:
        return 1.0
    size = 1 if cells.members is None else cells.members.shape[1]
    return min(1.0, cells.seats * size / cells.units)


def dice_from(first: int) -> count[int]:
    """Numbers of dice that no trial had yet."""
    return count(first)
