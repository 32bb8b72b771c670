"""The headline of a game of teams: which parts are out of the fair band and how sure, going first, the best and worst teams."""

from collections.abc import Iterator

import pandas as pd

from analysis import verdicts
from analysis.report.answers.prose import article, listed
from analysis.report.model import Finding, Tone
from analysis.report.parts import EVEN, judged
from analysis.study import Study
from analysis.wording import percent, points

TONES: dict[str, Tone] = {"too strong": "strong", "too weak": "weak"}
SHOWN = 6  # parts named one by one


def of_teams(study: Study) -> list[Finding]:
    """Findings on parts and teams, the most important first; says so where there are too few games for any."""
    frame = judged(study)
    if frame.empty:
        return [Finding(f"Too few games to tell what {article(study.unit_word)} contributes.", "open")]
    return [_fair(study), *_unfair(study, frame), *_others(study, frame), *_first(study), *_teams(study)]


def _fair(study: Study) -> Finding:
    """What fair means."""
    team = study.game.entrant_word
    said = f"Fair means: {article(team)} with the {study.unit_word} instead of an average one wins {verdicts.band(EVEN)} against "
    return Finding(f"{said}one that is otherwise alike.")


def _unfair(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Parts that are beyond the band for sure, the farthest out first."""
    sure = frame[frame["verdict"].isin(verdicts.UNFAIR)].assign(far=lambda part: (part["estimate"] - EVEN).abs())
    sure = sure.sort_values("far", ascending=False, kind="stable")
    for _, row in sure[:SHOWN].iterrows():
        said = f"{row['name']} is {row['verdict']}: {study.game.entrants_word} with it win {percent(row['estimate'])} "
        yield Finding(f"{said}{_bounds(row)}.", TONES[row["verdict"]])
    rest = sure[SHOWN:]
    for verdict, part in rest.groupby("verdict", sort=False):
        yield Finding(f"{str(verdict).capitalize()} as well: {listed(list(part['name']))}.", TONES[str(verdict)])
    if len(sure):
        said = "Those named as too strong or too weak are beyond the fair band with 95 % confidence in all of them together "
        yield Finding(f"{said}(Holm); intervals are of each {study.unit_word} alone.")


def _others(study: Study, frame: pd.DataFrame) -> Iterator[Finding]:
    """Who is within the band, and who is not decided."""
    known = frame.dropna(subset=["estimate"])
    fair = list(known[known["verdict"] == "fair"]["name"])
    if len(fair) == len(known):
        yield Finding(f"Every {study.unit_word} is within the fair band.", "fair")
    elif fair:
        yield Finding(f"{listed(fair)} {'is' if len(fair) == 1 else 'are'} within the fair band.", "fair")
    undecided = list(known[known["verdict"] == verdicts.OPEN]["name"])
    if undecided:
        yield Finding(f"Not decided, more games would tell: {listed(undecided)}.", "open")


def _first(study: Study) -> Iterator[Finding]:
    """What going first is worth in an even match."""
    found = study.team_study.contributions if study.team_study else None
    if found is not None and found.first.n:
        low, high = found.first.low - EVEN, found.first.high - EVEN
        said = f"Going first in an even match: {points(found.first.share - EVEN)} points "
        said += f"({points(low)} to {points(high)}) against an even chance."
        yield Finding(said)


def _teams(study: Study) -> Iterator[Finding]:
    """The best and the worst team, where some question had them tried again."""
    asked = any(question.chart == "league" for question in study.game.questions)
    if study.team_study is None or not asked:
        return
    again = study.team_study.retested
    if again.empty:
        return
    word = study.game.entrant_word
    best, worst = again.iloc[0], again.iloc[-1]
    said = f"First of the {word} league is {best['name']}, which wins {percent(best['retest'])} in new games "
    said += f"{_bounds(best, 'retest_')}; last is {worst['name']} with {percent(worst['retest'])} {_bounds(worst, 'retest_')}."
    yield Finding(said)


def _bounds(row: pd.Series, of: str = "") -> str:
    """An interval in brackets. of: what its columns begin with."""
    return f"({100 * row[f'{of}low']:.1f} to {percent(row[f'{of}high'])})"
