"""Which teams are best and worst, of all that there are: a league by shrunken estimates, its ends tried again in new games."""

import numpy as np
import pandas as pd

from analysis import verdicts
from analysis.charts import ranked
from analysis.league import selection_bias
from analysis.report.answers.prose import capital, interval, number_word
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.report.parts import BAND
from analysis.study import Study
from analysis.wording import count, percent, points
from sim.engine.measures import Question

SHOWN = 20  # teams from each end in the chart and in the table on the page


def league(study: Study, question: Question) -> Section | None:
    """Ranked dots of the best and the worst teams, first estimate and re-test; all are in the table's CSV.

    Left out where the entrants are no teams, and with too few games to say.
    """
    if study.team_study is None or len(study.team_study.league) < 2:
        return None
    frame, again = study.team_study.league, study.team_study.retested
    answer = _said(study, frame, again)
    teams = study.game.entrants_word
    caption = (
        f"Win share of the best and the worst of {count(len(frame))} {teams} against all that they can meet, with "
    )
    caption += f"{study.policy} in every seat, in the order of their first games"
    tried = f"; the {number_word(len(again) // 2)} at each end again in new games." if len(again) else "."
    alt = f"Ranked dots of the best and the worst {teams} with 95 % intervals. {answer}"
    figure = ranked(_drawn(study, frame, again), words=("new games", "first games"), band=BAND)
    chart = Chart(question.id, figure, caption + tried, alt)
    tables = [
        _all(study, question, frame),
        *([_again(study, question, again), _flattered(study, question, again)] if len(again) else []),
    ]
    return Section(question.id, question.text, answer, (chart,), tuple(tables), _note(study, again))


def _said(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> str:
    """Who leads and who is last, and what is left of that in new games."""
    known = frame.dropna(subset=["estimate"])
    if again.empty:
        best, worst = known.iloc[0], known.iloc[-1]
        said = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads with "
        said += f"{percent(best['estimate'])} {_bounds(best)}; "
        return f"{said}last is {worst['name']} with {percent(worst['estimate'])} {_bounds(worst)}."
    best, worst = again.iloc[0], again.iloc[-1]
    said = f"Of {count(len(frame))} {study.game.entrants_word} {best['name']} leads and wins {percent(best['retest'])} "
    said += f"in new games {interval(best['retest_low'], best['retest_high'], best['retest_n'], 'games')}; "
    said += f"last is {worst['name']} with {percent(worst['retest'])} "
    said += f"{_bounds(worst, 'retest_')}. "
    return said + _shrunk(again)


def _shrunk(again: pd.DataFrame) -> str:
    """What the ends won when they were chosen, before and after shrinking, and what they win since."""
    said = []
    for _, row in selection_bias(again).iterrows():
        clause = f"the {number_word(row['teams'])} {row['end']} won {percent(row['raw'])} of their first games, "
        clause += f"shrunken {percent(row['estimate'])}, and win {percent(row['retest'])} of the new ones"
        said.append(clause)
    return f"{capital('; '.join(said))}."


def _drawn(study: Study, frame: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """Both ends of the league as the chart takes them."""
    known = frame.dropna(subset=["estimate"])
    ends = min(SHOWN, len(known) // 2)
    words = study.game.entrants_word
    panels = {f"Best {ends} of {count(len(frame))} {words}": known.head(ends), f"Worst {ends}": known.tail(ends)}
    both = pd.concat([part.assign(panel=panel) for panel, part in panels.items()], ignore_index=True)
    both = both.rename(columns={"estimate": "other", "low": "other_low", "high": "other_high"}).drop(columns="n")
    names = {"retest": "estimate", "retest_low": "low", "retest_high": "high", "retest_n": "n"}
    if again.empty:
        return both.assign(estimate=np.nan, low=np.nan, high=np.nan, n=0, verdict="")
    fresh = again[["entrant", "verdict", *names]].rename(columns=names)
    return both.merge(fresh, on="entrant", how="left").fillna({"verdict": ""})


def _all(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """The whole league."""
    columns = {"rank": "rank", "name": study.game.entrant_word, "estimate": "shrunken", "low": "low", "high": "high"}
    columns |= {"predicted": "by the model", "raw": "raw win share", "n": "n"}
    formats: dict[str, Format] = dict.fromkeys(("shrunken", "by the model", "raw win share"), "percent")
    return table(frame, question.id, f"All {study.game.entrants_word}, best first", columns, formats, ends=SHOWN)


def _again(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """Those tried again."""
    columns = {
        "rank": "rank",
        "name": study.game.entrant_word,
        "raw": "raw",
        "estimate": "shrunken",
        "retest": "new games",
    }
    columns |= {"retest_low": "low", "retest_high": "high", "retest_n": "n", "p_beyond": verdicts.HEADING}
    columns |= {"verdict": "verdict", "gap": "shrunken less new"}
    formats: dict[str, Format] = {
        "raw": "percent",
        "shrunken": "percent",
        "new games": "percent",
        "shrunken less new": "points",
    }
    return table(again, f"{question.id}-retest", "The ends of the league in new games", columns, formats)


def _flattered(study: Study, question: Question, again: pd.DataFrame) -> Table:
    """How far choosing flattered."""
    columns = {
        "end": "end",
        "teams": f"n ({study.game.entrants_word})",
        "raw": "raw",
        "estimate": "shrunken",
        "retest": "new games",
    }
    columns |= {"raw_gap": "raw less new", "gap": "shrunken less new"}
    formats: dict[str, Format] = dict.fromkeys(("raw", "shrunken", "new games"), "percent")
    formats |= {"raw less new": "points", "shrunken less new": "points"}
    return table(
        selection_bias(again), f"{question.id}-bias", "How far choosing flattered, on average", columns, formats
    )


def _note(study: Study, again: pd.DataFrame) -> str:
    """How teams are estimated and tried again."""
    word = study.game.entrant_word
    said = f"Shrunken: what the model of the {study.units_word} predicts against all that a {word} can meet, and as much of "
    said += "what its own games show beyond that as is not chance; intervals are of each alone. "
    if len(again):
        least = points(float(again["gap"].abs().max()))[1:]
        said += f"Coloured marks: the same {study.game.entrants_word} in {count(again['retest_n'].min())} games each of seed "
        said += (
            f"{study.retest_seed}, which had no part in choosing them, against opponents drawn evenly; rounds of the "
        )
        said += (
            f"design are the observations. First estimate and new games differ by at most {least} points. Whoever is "
        )
        said += (
            "chosen for what it won was in part lucky, or unlucky: new games are expected to bring what both ends won "
        )
        said += "nearer to an even chance, while shrunken estimates should stay. "
    return said + verdicts.MEANING.replace("the fair share", "an even chance")


def _bounds(row: pd.Series, of: str = "") -> str:
    """An interval in brackets. of: what its columns begin with."""
    return f"({100 * row[f'{of}low']:.1f} to {percent(row[f'{of}high'])})"
