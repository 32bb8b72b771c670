"""Equilibrium, ratings and best entrant of a matchup matrix that was measured elsewhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import expit

from analysis import charts
from analysis.answer import tables
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, percent, points
from analysis.answer.prose import listed
from analysis.matchups.given import Floats, rates_of, read_matrix
from analysis.matchups.ratings import ALMOST, ELO, NONE, nash, strengths
from analysis.question import question

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

NAMED = 3  # entrants of the mix in the summary
LIMITS = (0.2, 0.8)  # of the colours of the chart
COLUMNS = {"name": "entrant", "mean": "mean win rate", "elo": "Elo", "share": "share of the mix", "field": "against the mix"}
FORMATS: dict[str, Format] = {
    "mean win rate": "percent",
    "Elo": "number",
    "share of the mix": "percent",
    "against the mix": "percent",
}


@question(examples=("matrix win-rates.csv",))
def matrix(table: pd.DataFrame | Path) -> Answer:
    """Best entrant, equilibrium and ratings of a given matrix of win rates.

    The matrix is square, with the names of the entrants as first row and first column. A cell is the win rate of the row against
    the column, as a share or in per cent; an empty cell is filled in from the opposite one. A win rate has no interval, because
    the games behind it are not known.

    Parameters
    ----------
    table : pandas.DataFrame or Path
        File with the matrix (.csv, .tsv, .xlsx).

    Examples
    --------
    >>> import fairfight as ff
    >>> import pandas as pd
    >>> names = ["rock", "paper", "scissors"]
    >>> rates = pd.DataFrame([[50, 0, 100], [100, 50, 0], [0, 100, 50]], names, names)
    >>> ff.matrix(rates).frame["share"].round(3).tolist()
    [0.333, 0.333, 0.333]

    """
    if isinstance(table, pd.DataFrame):
        source, given = "matrix", table
    else:
        source, given = Path(table).name, read_matrix(Path(table))
    names, rate = rates_of(given, source)
    strength = elo_strengths(rate)
    frame = entrants(names, rate, strength)
    best = tables.highest(frame, "mean")
    return Answer(
        summary(frame, best),
        (tables.table(frame, "entrants", "Entrants", COLUMNS, FORMATS),),
        (Chart(partial(rates_chart, names, rate), "Share of games won by the row against the column, as given."),),
        (
            "The mix is the equilibrium (Nash): no entrant wins more than 50 % against it.",
            "There are no intervals, because the games behind the table are not known.",
            "Ratings: Bradley and Terry, in Elo points relative to an average entrant, with the same weight for all pairs; "
            f"{farthest(names, rate, strength)}.",
        ),
        facts={"source": source, "best": best["name"]},
    )


def elo_strengths(rate: Floats) -> Floats:
    """Ratings on the logit scale (E,) of win rates E x E, with the same weight for all pairs."""
    upper = np.triu_indices(len(rate), 1)
    ratings: Floats = strengths(rate[upper].clip(ALMOST, 1 - ALMOST)[None], np.ones(len(upper[0])), len(rate))[0]
    return ratings


def entrants(names: tuple[str, ...], rate: Floats, strength: Floats) -> pd.DataFrame:
    """Columns name, mean (win rate against all others), elo, share (of the mix), field (win rate against the mix)."""
    share = nash(rate)
    mean = (rate.sum(axis=1) - 0.5) / (len(names) - 1)
    frame = pd.DataFrame({"name": names, "mean": mean, "elo": ELO * strength, "share": share, "field": rate @ share})
    return frame.sort_values(["share", "mean"], ascending=False, kind="stable", ignore_index=True)


def summary(frame: pd.DataFrame, best: pd.Series) -> str:
    """The sentence: the best entrant, and the mix."""
    mix = frame[frame["share"] > NONE]
    if len(mix) == 1:
        choice = f"{mix['name'].iloc[0]} alone"
    else:
        parts = [f"{row['name']} ({percent(row['share'], 0)})" for _, row in mix.head(NAMED).iterrows()]
        choice = f"a mix{' led by' if len(mix) > NAMED else ':'} {listed(parts)}"
    return f"{best['name']} wins most, {percent(best['mean'])} on average; players who know the matchups choose {choice}."


def farthest(names: tuple[str, ...], rate: Floats, strength: Floats) -> str:
    """Words for the pair whose win rate is farthest above the one that the ratings expect."""
    off = rate - expit(strength[:, None] - strength[None, :])
    row, column = np.unravel_index(int(np.argmax(off)), off.shape)
    return f"farthest from them: {names[row]} against {names[column]}, {points(float(off[row, column]))} points"


def rates_chart(names: tuple[str, ...], rate: Floats) -> Figure:
    """Cells of the win rates, in the order of the file; the diagonal is blank."""
    cells = np.where(np.eye(len(names), dtype=bool), np.nan, rate)
    row, column = np.indices(cells.shape).reshape(2, -1)
    entrant = np.array(names, object)
    frame = pd.DataFrame({"row": entrant[row], "column": entrant[column], "value": cells.ravel(), "n": np.nan})
    return charts.matrix(frame, limits=LIMITS, label="row wins, in % of its games", what="games of the row against the column")
