"""Results that were measured elsewhere: a matchup matrix and a finished match, as functions of the Python interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.results import Result

if TYPE_CHECKING:
    import pandas as pd


def matrix(table: pd.DataFrame | str | Path) -> Result:
    """Equilibrium mix, ratings and best entrant of a matchup matrix that was measured elsewhere.

    Parameters
    ----------
    table : pandas.DataFrame, str or Path
        A square table, or a CSV file with the names of the entrants as first row and column. A cell is the win rate of the row
        against the column, as a share or in per cent; empty cells are filled in from the opposite ones.

    Returns
    -------
    Result
        `frame` has a row per entrant: mean win rate, Elo, share of the mix, and win rate against the mix. There are no intervals,
        because the games behind the table are not known.

    Raises
    ------
    ValueError
        For a table that is not square, cells that are not win rates, and pairs without a win rate or with two that contradict
        each other.

    Examples
    --------
    >>> import fairfight as ff
    >>> import pandas as pd
    >>> names = ["rock", "paper", "scissors"]
    >>> table = pd.DataFrame([[50, 0, 100], [100, 50, 0], [0, 100, 50]], names, names)
    >>> ff.matrix(table).frame["share of the mix"].round(3).tolist()
    [0.333, 0.333, 0.333]

    """
    from analysis.matchups.given import matrix_result, rates_of, read_matrix

    source = Path(table).name if isinstance(table, str | Path) else "matrix"
    known = read_matrix(Path(table)) if isinstance(table, str | Path) else table
    return Result(matrix_result(*rates_of(known, source), source), "Who beats whom")


def match(wins: int, losses: int, draws: int = 0, *, elo0: float = 0.0, elo1: float = 5.0, alpha: float = 0.05) -> Result:
    """Result of a finished match: difference in Elo points, likelihood of superiority, sequential probability ratio test.

    Parameters
    ----------
    wins, losses, draws : int
        Games of the first side.
    elo0, elo1 : float, default 0 and 5
        Differences in Elo points that the test tells apart.
    alpha : float, default 0.05
        Risk of either error of the test.

    Returns
    -------
    Result
        `frame` has one row: share of the points, Elo with its interval, superiority. `data["match"]` also has the log likelihood
        ratio, its bounds and the decision.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.match(880, 759, 1863)
    >>> round(result.data["match"]["elo"], 1), round(result.data["match"]["ratio"], 2)
    (12.0, 2.95)

    """
    from analysis.stats.elo import match_of
    from analysis.winrates.match import match_result

    return Result(match_result(match_of(wins, losses, draws, elo0, elo1, alpha)), "A finished match")
