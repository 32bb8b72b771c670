"""A finished match as a function of the Python interface."""

from __future__ import annotations

from analysis.results import Result


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
