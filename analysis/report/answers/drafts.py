"""What drafting is worth: the value of the first pick by perfect play, when parts go, and how drafters were seen to pick."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.estimates import Interval, proportion
from analysis.rows import Rows
from analysis.study import OF_TEAMS, Study
from analysis.whatif import each_value
from sim.engine.cards import CardSet
from sim.engine.measures import Question
from sim.engine.policies import PolicySpec
from sim.engine.table import Status

OPENING = 1  # number of the first pick


@dataclass(frozen=True, eq=False)
class Played:
    """Drafts as they were played. first: win share of the first drafter, None if nobody ever won; games: all of them.

    picks: part, seen (mean number of the pick, NaN if never picked), taken (share of the games in which it was picked), n.
    """

    policy: PolicySpec
    first: Interval | None
    games: int
    picks: pd.DataFrame


def played_drafts(study: Study, question: Question, policy: PolicySpec) -> Played | None:
    """Play drafts with one policy; None where the question does not say how, or the rules of the card file refuse it."""
    cards = draft_cards(study, question)
    if cards is None or study.teams is None or "picked" not in question.roles:
        return None
    games = study.games_for(question, study.budget.draft_games)
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=study.fresh_seed)
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.player(f"drafts, {policy}", base.games)(base):
        picked = block.outcomes[question.roles["picked"]][:, :OF_TEAMS]
        sums += _picks(study.teams.members, block.rows, picked)
        share, n = _first(block.rows, picked)
        won, decided, played = won + share, decided + n, played + len(block.rows)
    total, taken = sums
    seen = np.divide(total, taken, out=np.full(len(taken), np.nan), where=taken > 0)
    picks = pd.DataFrame({"part": np.arange(len(taken)), "seen": seen, "taken": taken / played, "n": played})
    return Played(policy, proportion(won, decided) if decided else None, played, picks)


def draft_cards(study: Study, question: Question) -> CardSet | None:
    """The cards with which squads are drafted: the first rule among the settings, with its first value."""
    rules = [(path, values) for path, values in question.settings.items() if "." in path]
    if not rules or not rules[0][1]:
        return None
    path, values = rules[0]
    return each_value(study.game, study.cards, path, values[:1])[0].cards


def _picks(members: np.ndarray, rows: Rows, picked: np.ndarray) -> np.ndarray:
    """Sum of the numbers of picks, and how many there were, by part, (2, parts). picked: (games, 2, size), 0: none."""
    part = members[rows["entrant"][:, :OF_TEAMS]].ravel()
    number = picked.reshape(-1).astype(np.int64)
    size = int(members.max()) + 1
    return np.stack([np.bincount(part, number, size), np.bincount(part, number > 0, size)])


def _first(rows: Rows, picked: np.ndarray) -> tuple[float, int]:
    """Win shares of the first drafters and their number, over finished games that somebody won."""
    share = rows["share"][:, :OF_TEAMS].astype(np.float64)
    whole = share.sum(axis=1)
    first = (picked == OPENING).any(axis=2)
    kept = (rows["status"] == Status.FINISHED) & (whole > 0) & (first.sum(axis=1) == 1)
    own = np.where(first, share, 0).sum(axis=1)[kept] / whole[kept]
    return float(own.sum().clip(max=kept.sum())), int(kept.sum())
