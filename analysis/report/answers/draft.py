"""What drafting is worth: the value of the first pick if both draft perfectly, and how drafters were seen to pick."""

import numpy as np
import pandas as pd

from analysis.charts import picks
from analysis.contributions import Contributions
from analysis.drafting import Drafted, drafting
from analysis.report.answers.drafts import Played, draft_cards, played_drafts
from analysis.report.answers.prose import interval, listed, size
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.report.parts import EVEN
from analysis.study import Study
from analysis.wording import count, percent, points
from sim.engine.measures import Question
from sim.engine.teams import Teams

MODELS = 50  # drawn from the distribution of the fitted one, for intervals
PERFECT = "perfect drafting"


def draft(study: Study, question: Question) -> Section | None:
    """Value of every first pick and mean number of every pick, perfect beside played; left out where nothing is drafted.

    Roles: picked (number of the pick by member of the team, from 1). Settings: the rule with which teams are drafted and its
    value (`rules.mode: ("draft",)`); games (in multiples of the usual number). Without them the solved draft stands alone.
    """
    found = study.team_study.contributions if study.team_study else None
    teams = _teams(study, question)
    if found is None or teams is None or not teams.picks:
        return None
    solved = _solved(study, teams, found)
    if solved is None:
        return None
    policies = [study.policy, *([study.beside] if study.beside else [])]
    seen = [one for one in (played_drafts(study, question, policy) for policy in policies) if one]
    frame = _frame(solved, seen)
    answer = _said(solved, seen)
    caption = f"Left: chance of the first drafter if this {study.unit_word} is picked first and both draft perfectly from then "
    caption += (
        f"on, by the model of {study.policy} in every seat. Right: mean number of the pick, over those drafts in which "
    )
    caption += f"it is picked: filled with {PERFECT}" + (
        f", hollow as {seen[0].policy} was seen to pick, and in how many of its drafts." if seen else "."
    )
    words = (PERFECT, f"seen with {seen[0].policy}" if seen else "")
    figure = picks(frame, last=len(teams.picks), words=words)
    chart = Chart(
        question.id, figure, caption, f"Value of the first pick, and when every {study.unit_word} goes. {answer}"
    )
    tables = [_table(study, question, frame, seen), *([_firsts(question, solved, seen)] if seen else [])]
    return Section(question.id, question.text, answer, (chart,), tuple(tables), _note(study, solved, seen))


def _teams(study: Study, question: Question) -> Teams | None:
    """The teams with the draft: of the cards with which they are drafted, if the question says so."""
    cards = draft_cards(study, question)
    return study.game.teams_for(cards) if cards else study.teams


def _solved(study: Study, teams: Teams, found: Contributions) -> Drafted | None:
    """The draft solved; None where it is too large, or where parts are drafted that no games tell of."""
    try:
        return drafting(teams, found.table(), found.resampled(MODELS, study.seed))
    except ValueError:
        return None


def _frame(solved: Drafted, seen: list[Played]) -> pd.DataFrame:
    """What the chart and the table take, best opening first."""
    if not seen:
        return solved.openings.assign(seen=np.nan, taken=np.nan, n=0)
    frame = solved.openings.merge(seen[0].picks, on="part", how="left", validate="one_to_one")
    for other in seen[1:]:
        more = other.picks.rename(columns={"seen": "other_seen", "taken": "other_taken", "n": "other_n"})
        frame = frame.merge(more, on="part", how="left", validate="one_to_one")
    return frame


def _said(solved: Drafted, seen: list[Played]) -> str:
    """What picking first is worth, with what, and what came of it in games."""
    best = [str(name) for name in solved.openings[solved.openings["best"]]["name"]]
    said = f"If both draft perfectly, who picks first wins {percent(solved.value)}"
    if solved.interval:
        said += f" (95 % interval {100 * solved.interval.low:.1f} to {percent(solved.interval.high)})"
    said += f", {points(solved.value - EVEN)} points against an even chance, with {listed(best)} first"
    worst = solved.openings.iloc[-1]
    said += f"; to open with {worst['name']} instead costs {points(worst['behind'])[1:] or '0.0'} points. "
    said += (
        f"Perfect against random drafting is worth {points(solved.against_random - EVEN)} points to the first drafter."
    )
    for one in seen:
        if one.first:
            said += f" In drafts played by {one.policy} the first drafter wins {percent(one.first.estimate)} "
            said += f"{interval(one.first.low, one.first.high, one.first.n, 'drafts')}."
    return said + (_early(solved, seen[0]) if seen else "")


def _early(solved: Drafted, seen: Played) -> str:
    """Which parts the drafters take first."""
    early = seen.picks.assign(name=seen.picks["part"].map(solved.openings.set_index("part")["name"]))
    early = early[early["taken"] > 0].sort_values("seen", kind="stable")
    if early.empty:
        return ""
    names = [f"{row['name']} ({row['seen']:.1f})" for _, row in early[:3].iterrows()]
    return f" Earliest picks of {seen.policy}, by their mean number: {listed(names)}."


def _table(study: Study, question: Question, frame: pd.DataFrame, seen: list[Played]) -> Table:
    """Every part as a first pick, and when it goes."""
    columns = {"name": study.unit_word, "value": "value of picking it first", "behind": "behind the best"}
    columns |= {"chance_best": "models in which it is best", "picked": "picked, perfect", "pick": "pick, perfect"}
    formats: dict[str, Format] = {
        "value of picking it first": "percent",
        "behind the best": "points",
        "pick, perfect": "number",
    }
    formats |= {"models in which it is best": "percent", "picked, perfect": "percent"}
    for one, prefix in zip(seen, ("", "other_"), strict=False):
        columns |= {f"{prefix}taken": f"picked, {one.policy}", f"{prefix}seen": f"pick, {one.policy}"}
        formats |= {f"picked, {one.policy}": "percent", f"pick, {one.policy}": "number"}
    if seen:
        columns |= {"n": "n (drafts played)"}
    return table(frame, question.id, "Every first pick, the best first", columns, formats)


def _firsts(question: Question, solved: Drafted, seen: list[Played]) -> Table:
    """What the first drafter wins, by who drafts how."""
    rows = [
        {"who": "both perfect, by the model", "estimate": solved.value, "low": np.nan, "high": np.nan, "n": None},
        {"who": "first perfect, second random, by the model", "estimate": solved.against_random},
        {"who": "first random, second perfect, by the model", "estimate": solved.random_against},
        {"who": "both random, by the model", "estimate": solved.random},
    ]
    if solved.interval:
        rows[0] |= {"low": solved.interval.low, "high": solved.interval.high}
    for one in seen:
        if one.first:
            bounds = {"estimate": one.first.estimate, "low": one.first.low, "high": one.first.high, "n": one.first.n}
            rows.append({"who": f"drafted and played by {one.policy}", **bounds})
    columns = {"who": "who drafts how", "estimate": "first drafter wins", "low": "low", "high": "high", "n": "n"}
    caption = "What the first drafter wins"
    return table(
        pd.DataFrame(rows), f"{question.id}-first", caption, columns, {"first drafter wins": "percent", "n": "count"}
    )


def _note(study: Study, solved: Drafted, seen: list[Played]) -> str:
    """How the draft was solved and played."""
    said = (
        f"The draft is a game of perfect information: its {count(solved.outcomes)} different pairs of",
        f"{study.game.entrants_word}, reached by {count(solved.orders)} orders of picking, are solved backwards from the model's",
        "chances, the mean of going first and second; where several picks are equally good they are taken equally often.",
        f"Intervals are those of the same draft in {MODELS} models drawn from what the games leave open, which the drafters",
        "are taken to know.",
    )
    played = f" Drafts were played with seed {study.fresh_seed}, {size(seen[0].games)} by each policy." if seen else ""
    return " ".join(said) + played
