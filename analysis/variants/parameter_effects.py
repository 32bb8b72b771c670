"""Effects of the numbers of outliers, step by step in games of their own, and of the best step in further games.

Outliers are selected, steps are measured and the best step is retested in three separate samples of games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.answer import verdicts
from analysis.answer.tables import highest, lowest
from analysis.data.budget import each_of_many
from analysis.data.study import Study
from analysis.variants.rules import compared, games_of
from analysis.variants.variant import Step, adjusted, change, numeric_steps
from analysis.winrates.rates import fair_share
from analysis.winrates.study_rates import entrant_rates

USUAL_STEP = 1
Cure = tuple[int, str, Step]  # an entrant, and the step of a number, in words, that brings it nearest to its fair share


@dataclass(frozen=True)
class Outlier:
    """An entrant and the steps of its numbers. words: description of each number by path."""

    entrant: int
    name: str
    steps: list[Step]
    words: dict[str, str]

    @property
    def live(self) -> list[Step]:
        """Steps that are allowed and reach play."""
        return [step for step in self.steps if step.live]


def ends_of(study: Study, seats: int) -> list[int]:
    """The strongest and the weakest entrant at this number of seats; empty without finished games."""
    frame = entrant_rates(study)
    frame = frame[(frame["n"] > 0) & (frame["seats"] == seats)]
    ends = (highest, lowest) if len(frame) else ()
    return list(dict.fromkeys(int(end(frame, "estimate")["entrant"]) for end in ends))


def sized_steps(study: Study, paths: Sequence[str], sizes: Mapping[str, int]) -> list[Step]:
    """Steps of each number, one down and one up, in the order of the paths. sizes: of a step, by the name of the number."""
    steps = []
    for path in paths:
        size = sizes.get(leaf_of(path), USUAL_STEP)
        steps += numeric_steps(study.game, study.cards, [path], (-size, size))
    return steps


def leaf_of(path: str) -> str:
    """Name of a number: the last word of its path, without the place in a list."""
    return path.rpartition(".")[2].partition("[")[0]


def multiple(games: int, scale: float) -> int:
    """A multiple of a number of games. Raises ValueError unless `scale` is above 0 and finite, NoAnswerError for few games."""
    if not 0 < scale < float("inf"):
        raise ValueError(f"scale={scale} must be a number above 0, such as 0.5 or 2")
    return each_of_many(games * scale)


def step_effects(study: Study, outliers: Sequence[Outlier], seats: int, seed: int, games: int) -> pd.DataFrame:
    """Change in the win rate of each outlier by every possible step in its games, p adjusted over all of them (Holm).

    Quick players play if the study has strong ones (`Study.searcher`). games: see `games_of`. Columns: those of `compared`, and
    expected: the win rate of the players of the study in its main games, moved by the change. Empty if no outlier plays a game,
    possible if seats choose their entrants.
    """
    every, searcher, parts = entrant_rates(study), study.searcher, []
    rates = every[every["seats"] == seats].set_index("entrant")["estimate"]
    for outlier in outliers:
        base = games_of(searcher, outlier.entrant, seats, seed, games)
        stage = f"numbers of {outlier.name}"
        part = compared(searcher, base, outlier.live, stage, words=outlier.words, unit=outlier.name)
        now = part["before"] if searcher is study else rates[outlier.entrant]
        parts += [part.assign(expected=now + part["change"])] if len(part) else []
    return adjusted(pd.concat(parts, ignore_index=True)) if parts else pd.DataFrame()


def cures_of(outliers: Sequence[Outlier], effects: pd.DataFrame, seats: int) -> list[Cure]:
    """The best step of each outlier that has one, see `nearest`. effects: see `step_effects`."""
    cures = []
    for outlier in outliers:
        part = effects[effects["name"] == outlier.name]
        near = nearest(part, fair_share(seats)) if len(part) else None
        if near is not None:
            step = next(step for step in outlier.live if (step.field, step.step) == (near["path"], near["step"]))
            cures.append((outlier.entrant, near["field"], step))
    return cures


def nearest(part: pd.DataFrame, fair: float) -> pd.Series | None:
    """The significant step that brings an outlier nearest to its fair share; None if none brings it nearer."""
    sure = part[part["sure"]]
    if sure.empty:
        return None
    near = lowest(sure.assign(gap=(sure["expected"] - fair).abs()), "gap")
    return near if near["gap"] < abs(near["expected"] - near["change"] - fair) else None


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the unchanged cards, at every number of seats; one line each.

    Columns: those of `change` for the entrant, and seats, fair, verdict (of the rate after, see `verdicts.with_verdicts`), field,
    path, present, value; after_low and after_high are simultaneous over all lines. Empty if there is no cure.
    """
    lines = []
    for entrant, words, step in cures:
        assert step.cards is not None
        name = study.units[entrant]
        bases = [
            games_of(study, entrant, seats, study.retest_seed, study.budget.retest_games_at(seats)) for seats in study.contests
        ]
        play = study.play_as(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            changes = change(base, step.cards, play)
            own = changes[changes["name"] == name]  # empty if seats choose their entrants, and not this one
            facts = {"field": words, "path": step.field, "present": step.before, "value": step.value}
            lines.append(own.assign(**facts, seats=base.seats, fair=fair_share(base.seats)))
    frame = pd.concat(lines, ignore_index=True) if lines else pd.DataFrame()
    if frame.empty:
        return pd.DataFrame()
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    judged = verdicts.with_verdicts(verdicts.simultaneous(after))
    return frame.assign(after_low=judged["low"], after_high=judged["high"], verdict=judged["verdict"])
