"""Drafts of teams as policies play them: what the first drafter wins, and which parts are picked early."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import bounds_of, listed
from analysis.answer.tables import Table, table
from analysis.data.rows import Rows
from analysis.data.study import OF_TEAMS, Study
from analysis.question import question
from analysis.stats.intervals import Interval, proportion
from analysis.variants.variant import each_value
from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

EARLY = 3  # picks that the sentence names


@question(without=("seats", "line_up"))
def draft(study: Study, rule: str, picked: str, games: int = 2_000) -> Answer:
    """Share of drafts that the first drafter wins, and how early and how often each part is picked.

    Parameters
    ----------
    rule : str
        Rule under which teams are drafted, such as rules.squad_mode=draft.
    picked : str
        Fact by seat and member: number of the pick, 0 if none.
    games : int
        Drafts in all.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.draft("rookling", "rules.squad_mode=draft", "picked", games=40, policy="random", progress=False)
    >>> sorted(result.frame.columns)
    ['entrant', 'n', 'name', 'policy', 'seen', 'taken']

    """
    if study.teams is None or OF_TEAMS not in study.seats:
        raise NoAnswerError(f"{study.game.title}: the entrants are not teams of two seats")
    if picked not in {measure.field for measure in study.measures}:
        raise ValueError(f"picked={picked!r}: {study.game.title} has no such fact")
    cards = draft_cards(study, rule)
    games = games if study.base is not None else study.budget.draft_games
    policies = study.policies if study.base is not None else (study.policy, study.beside)
    drafts = [drafts_of(study, cards, picked, policy, games) for policy in dict.fromkeys(policies) if policy]
    names = pd.Series(study.teams.names, name="name")
    frames = [one.picks.join(names, on="part").sort_values(["seen", "part"], ignore_index=True) for one in drafts]
    sentences = [summary(one, frame) for one, frame in zip(drafts, frames, strict=True)]
    title = f"Mean number of the pick of each {study.unit_word}, and share of drafts with it, {study.players}."
    seed = f"Drafts of seed {drafts_seed(study)}, {count(drafts[0].games)} by each policy."
    return Answer(
        sentences[0],
        (picks_table(drafts, frames, study.unit_word),),
        (Chart(partial(picks_chart, frames[0]), title),),
        (*sentences[1:], seed),
        replace(study.experiment(OF_TEAMS, games), cards=cards).facts() if study.base is not None else {},
        shown=study.player.shown,
    )


@dataclass(frozen=True, eq=False)
class Drafts:
    """Drafts as they were played. first: win share of the first drafter, None without a winner; games: number played.

    picks: part, seen (mean pick number, NaN if never picked), taken (share of the games in which it was picked), n.
    """

    policy: PolicySpec
    first: Interval | None
    games: int
    picks: pd.DataFrame


def draft_cards(study: Study, rule: str) -> CardSet:
    """Cards under which teams are drafted. Raises ValueError for a rule that is not FIELD=VALUE, or is refused."""
    path, equals, value = (part.strip() for part in rule.partition("="))
    if not (path and equals and value):
        raise ValueError(f"rule={rule!r} must be FIELD=VALUE, such as rules.squad_mode=draft")
    (step,) = each_value(study.game, study.cards, path, (value,))
    if step.cards is None:
        raise NoAnswerError(f"rule={rule!r}: the card rules refuse it")
    return step.cards


def drafts_seed(study: Study) -> int:
    """Seed of the drafts: in a report not that of its other games."""
    return study.seed if study.base is not None else study.fresh_seed


def drafts_of(study: Study, cards: CardSet, picked: str, policy: PolicySpec, games: int) -> Drafts:
    """Play drafts with one policy in every seat."""
    assert study.teams is not None
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=drafts_seed(study))
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.player.play(base, f"drafts, {policy}"):
        numbers = block.outcomes[picked][:, :OF_TEAMS]
        sums += picks_of(study.teams.members, block.rows, numbers)
        share, n = first_drafter(block.rows, numbers)
        won += share
        decided += n
        played += len(block.rows)
    total, taken = sums
    seen = np.divide(total, taken, out=np.full(len(taken), np.nan), where=taken > 0)
    picks = pd.DataFrame({"part": np.arange(len(taken)), "seen": seen, "taken": taken / played, "n": played})
    return Drafts(policy, proportion(won, decided) if decided else None, played, picks)


def picks_of(members: np.ndarray, rows: Rows, picked: np.ndarray) -> np.ndarray:
    """Sum of pick numbers and number of picks by part, (2, parts). picked: (games, 2, size), 0: none."""
    part = members[rows["entrant"][:, :OF_TEAMS]].ravel()
    size = int(members.max()) + 1
    number = picked.reshape(-1).astype(np.int64)
    return np.stack([np.bincount(part, number, size), np.bincount(part, number > 0, size)])


def first_drafter(rows: Rows, picked: np.ndarray) -> tuple[float, int]:
    """Sum of the win shares of first drafters, who made pick number 1, and their number, over finished games with a winner."""
    share = rows["share"][:, :OF_TEAMS].astype(np.float64)
    total = share.sum(axis=1)
    first = (picked == 1).any(axis=2)
    kept = (rows["status"] == Status.FINISHED) & (total > 0) & (first.sum(axis=1) == 1)
    won = np.where(first, share, 0).sum(axis=1)[kept] / total[kept]
    return float(won.sum().clip(max=kept.sum())), int(kept.sum())


def summary(drafts: Drafts, picks: pd.DataFrame) -> str:
    """What the first drafter wins with one policy, and which parts are picked first. picks: the earliest first."""
    early = picks[picks["taken"] > 0].head(EARLY)
    earliest = listed([f"{row['name']} ({row['seen']:.1f})" for row in early.to_dict("records")])
    first = ""
    if drafts.first:
        first = f"the first drafter wins {percent(drafts.first.estimate)} {bounds_of(vars(drafts.first))} of drafts; "
    return f"With {drafts.policy} {first}the earliest picks, by their mean number, are {earliest}."


def picks_table(drafts: list[Drafts], frames: list[pd.DataFrame], part: str) -> Table:
    """Every part under each policy, the earliest pick first."""
    every = pd.concat(
        [frame.assign(policy=str(one.policy)) for one, frame in zip(drafts, frames, strict=True)], ignore_index=True
    )
    columns = {"policy": "players", "name": part, "seen": "mean pick", "taken": "picked", "n": "n (drafts)"}
    formats: dict[str, Format] = {"mean pick": "number", "picked": "percent", "n (drafts)": "count"}
    return table(every.drop(columns="part"), "picks", f"Every {part}, the earliest pick first", columns, formats)


def picks_chart(picks: pd.DataFrame) -> Figure:
    """Dots of the mean number of the pick, and of the share of drafts."""
    number = picks.assign(panel="Mean number of the pick", estimate=picks["seen"])
    share = picks.assign(panel="Picked in % of the drafts", estimate=100 * picks["taken"])
    return charts.dots(pd.concat([number, share], ignore_index=True).assign(low=np.nan, high=np.nan))
