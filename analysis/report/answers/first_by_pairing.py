"""What going first is worth to each pair of entrants."""

import numpy as np
import pandas as pd

from analysis import clustered
from analysis.charts import halves
from analysis.estimates import adjust
from analysis.report.answers.pairings import of_pairings
from analysis.report.answers.prose import LEAST, interval, number_word
from analysis.report.answers.tables import highest, lowest, rate_columns, table
from analysis.report.model import Chart, Section, Table
from analysis.study import Study
from analysis.wording import percent
from sim.engine.measures import Question

EVEN, SURE = 0.5, 0.05  # p-value adjusted over all pairings
ROWS = 30  # pairings in the chart; where there are more, those that are farthest from one half
ALL = "all pairings"


def first_by_pairing(study: Study, question: Question) -> Section | None:
    """Bars of the win rate of whoever goes first, one per pairing of entrants, against one half. No roles, no settings."""
    games = of_pairings(study)
    games = None if games is None else games[games["finished"] & (games["ahead"] >= 0)]
    if games is None or games.empty:
        return None
    found = _rates(games)
    whole, each = found.iloc[0], found.iloc[1:]
    answer = _said(whole, each)
    drawn = pd.concat([found.iloc[:1], _farthest(each)]) if len(each) > 1 else found.iloc[1:]
    word = study.game.entrant_word
    caption = f"Win rate of whoever goes first, by pairing of two {study.game.entrants_word}, with {study.policy} in both seats."
    caption += f" Shown are the {ROWS} that are farthest from one half." if len(each) > ROWS else ""
    alt = f"Bars of the first mover's win rate to either side of one half, one per pairing. {answer}"
    note = "Finished games; a draw is half a win for both. Wilson intervals; games that share their dice and agree more than "
    note += "chance has it count as fewer. p (Holm): against one half, adjusted over the pairings; coloured where it is below "
    note += f"{SURE}. Both {study.game.entrants_word} of a pairing go first about equally often, so that it does not matter "
    note += "which of them is stronger."
    columns = rate_columns(name="pairing") | {"p_holm": "p (Holm)"}
    tables = (table(found, question.id, "Going first by pairing", columns), _ordered(study, games, question.id, word))
    chart = Chart(question.id, halves(drawn, label="first wins"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _rates(games: pd.DataFrame) -> pd.DataFrame:
    """Win rate of the first mover: all pairings, then each: name, estimate, low, high, n, p_holm, sure, whole."""
    key, won = games["key"].to_numpy(), games["won"].to_numpy()
    pairing = games["pairing"].cat.remove_unused_categories()
    names = list(pairing.cat.categories)
    each = clustered.shares(key, pairing.cat.codes, won, len(names)).assign(name=names, whole=False)
    each = each.assign(p_holm=adjust(clustered.p_against(each, EVEN)))
    whole = clustered.shares(key, np.zeros(len(games), np.int64), won).assign(name=ALL, whole=True)
    whole = whole.assign(p_holm=clustered.p_against(whole, EVEN))
    found = pd.concat([whole, each], ignore_index=True)
    return found.assign(sure=found["p_holm"] < SURE)


def _farthest(each: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chart: all, or those farthest from one half, in their order."""
    far = (each["estimate"] - EVEN).abs().nlargest(ROWS).index
    return each.loc[sorted(far)]


def _ordered(study: Study, games: pd.DataFrame, id_: str, word: str) -> Table:
    """Win rate of each entrant going first against each other one."""
    many = len(study.names)
    cell = (games["ahead"] * many + games["behind"]).to_numpy(np.int64)
    found = clustered.shares(games["key"].to_numpy(), cell, games["won"].to_numpy(), many * many)
    one, other = np.divmod(np.arange(many * many), many)
    names = np.array(study.names, object)
    found = found.assign(name=names[one], other=names[other])
    columns = rate_columns(name=f"{word} that goes first", other="against")
    return table(found[found["n"] > 0], f"{id_}-by-{word}", "Who wins going first", columns)


def _said(whole: pd.Series, each: pd.DataFrame) -> str:
    """What it is worth in all, where most and least, and in how many pairings surely anything."""
    shift = whole["estimate"] - EVEN
    said = f"Whoever goes first wins {percent(whole['estimate'])} "
    said += f"{interval(whole['low'], whole['high'], whole['n'], 'games')}, "
    if abs(shift) < LEAST / 2:
        said += "no different from one half"
    else:
        said += f"{100 * abs(shift):.1f} points {'above' if shift > 0 else 'below'} one half"
        said += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{said}."
    top, bottom, sure = highest(each, "estimate"), lowest(each, "estimate"), int(each["sure"].sum())
    said += f". Going first helps most in {top['name']} ({percent(top['estimate'])}) and least in {bottom['name']} "
    said += f"({percent(bottom['estimate'])}); beyond chance is the difference from one half "
    return said + f"in {number_word(sure)} of {number_word(len(each))} pairings."
