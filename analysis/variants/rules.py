"""Games of a report with something changed: those of one entrant (`games_of`), compared step by step (`compared`).

Also: drafts of teams as they are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.answer.prose import source_of
from analysis.data.rows import Rows
from analysis.data.study import OF_TEAMS, Study
from analysis.stats.intervals import Interval, proportion
from analysis.variants.variant import GamesOf, Step, compare, each_value, tried
from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import Draft
from sim.experiments.experiment import Experiment


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf:
    """Balanced games at this number of seats with one entrant, or one part of teams.

    games: about how many; None: the budget's step_games.
    """
    places = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // places)
    return GamesOf.from_experiment(replace(study.experiment(seats, wanted), seed=seed), unit)


def compared(
    study: Study, base: Experiment, steps: Sequence[Step], stage: str, words: dict[str, str] | None = None, **how: Any
) -> pd.DataFrame:
    """`compare` of steps in games of a report, with the columns of `tried`, field (words by path) and source.

    Progress is reported as `stage`. how: before, unit and measure of `compare`. The frame is empty if all steps are refused.
    """
    play = study.play_as(stage, base.games * (sum(step.cards is not None for step in steps) + 1))
    frame = compare(base, tried(base, steps), play, **how)
    if frame.empty:
        return frame
    source = [source_of(study.cards, path) for path in frame["path"]]
    return frame.assign(field=frame["path"].map(words or {}), source=source)


@dataclass(frozen=True, eq=False)
class Played:
    """Drafts as they were played. first: win share of the first drafter, None without a winner; games: number played.

    picks: part, seen (mean pick number, NaN if never picked), taken (share of the games in which it was picked), n.
    """

    policy: PolicySpec
    first: Interval | None
    games: int
    picks: pd.DataFrame


def played_drafts(study: Study, question: Draft, policy: PolicySpec) -> Played | None:
    """Play drafts with one policy; None if the outcomes do not record picks, or the card rules refuse the rule for it."""
    cards = draft_cards(study, question)
    if cards is None or study.teams is None or not question.picked:
        return None
    games = study.games_for(question, study.budget.draft_games)
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=study.fresh_seed)
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.play_as(f"drafts, {policy}", base.games)(base):
        picked = block.outcomes[question.picked][:, :OF_TEAMS]
        sums += _picks(study.teams.members, block.rows, picked)
        share, n = _first(block.rows, picked)
        won, decided, played = won + share, decided + n, played + len(block.rows)
    total, taken = sums
    seen = np.divide(total, taken, out=np.full(len(taken), np.nan), where=taken > 0)
    picks = pd.DataFrame({"part": np.arange(len(taken)), "seen": seen, "taken": taken / played, "n": played})
    return Played(policy, proportion(won, decided) if decided else None, played, picks)


def draft_cards(study: Study, question: Draft) -> CardSet | None:
    """Cards under which teams are drafted: the first rule, with its first value."""
    path, values = next(iter(question.rules.items()))
    return each_value(study.game, study.cards, path, values[:1])[0].cards


def _picks(members: np.ndarray, rows: Rows, picked: np.ndarray) -> np.ndarray:
    """Sum of pick numbers and number of picks by part, (2, parts). picked: (games, 2, size), 0: none."""
    part, size = members[rows["entrant"][:, :OF_TEAMS]].ravel(), int(members.max()) + 1
    number = picked.reshape(-1).astype(np.int64)
    return np.stack([np.bincount(part, number, size), np.bincount(part, number > 0, size)])


def _first(rows: Rows, picked: np.ndarray) -> tuple[float, int]:
    """Sum of the win shares of first drafters, who made pick number 1, and their number, over finished games with a winner."""
    share = rows["share"][:, :OF_TEAMS].astype(np.float64)
    whole, first = share.sum(axis=1), (picked == 1).any(axis=2)
    kept = (rows["status"] == Status.FINISHED) & (whole > 0) & (first.sum(axis=1) == 1)
    won = np.where(first, share, 0).sum(axis=1)[kept] / whole[kept]
    return float(won.sum().clip(max=kept.sum())), int(kept.sum())
