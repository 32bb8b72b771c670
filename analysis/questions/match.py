"""A finished match of two sides in Elo points: difference in strength, and a sequential test."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from analysis.answer.model import Answer
from analysis.answer.numbers import MINUS, Format, count, decimal, percent
from analysis.answer.tables import AMOUNTS, Table, table
from analysis.question import question
from analysis.stats.elo import BETTER, OPEN, WORSE, Match, match_of

SHARES: dict[str, Format] = {"share": "percent", "stronger": "percent"}


@question(examples=("match 880 759 1863", "match 880 759 1863 --elo-low 0 --elo-high 10"))
def match(wins: int, losses: int, draws: int, elo_low: float = 0.0, elo_high: float = 5.0, alpha: float = 0.05) -> Answer:
    """Result of a finished match in Elo points, with a sequential test.

    Shows the difference in strength, how likely the first side is stronger, and the sequential probability ratio test that is
    usual for game-playing programs.

    Parameters
    ----------
    wins : int
        Games won by the first side.
    losses : int
        Games lost by the first side.
    draws : int
        Games that were drawn.
    elo_low : float
        The smaller of two differences in Elo points that the test tells apart.
    elo_high : float
        The larger one.
    alpha : float
        Risk of either error of the test.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.match(880, 759, 1863)
    >>> result.frame[["elo", "low", "high"]].round(2).to_dict("records")
    [{'elo': 12.01, 'low': 4.14, 'high': 19.88}]

    """
    result = match_of(wins, losses, draws, elo_low, elo_high, alpha)
    games = wins + losses + draws
    summary = (
        f"The first side is stronger with a likelihood of {likelihood(result.superiority)}: {points(result.elo)} Elo points "
        f"({points(result.low)} to {points(result.high)}). {test_words(result)}"
    )
    notes = (
        f"The test compares {result.elo_high:g} with {result.elo_low:g} Elo points; its evidence is the log likelihood ratio.",
        f"{count(draws)} games ({percent(draws / games)}) were draws; games count as independent, so pairs with the same opening "
        "are known more precisely than shown.",
        f"The test risks either error with {percent(alpha)} if the match was played until it decided.",
        "The interval is one of 95 %, for a match of fixed length.",
    )
    return Answer(summary, tables(result, games), notes=notes)


def test_words(result: Match) -> str:
    """Sentence on the decision of the test."""
    low, high = f"{result.elo_low:g}", f"{result.elo_high:g}"
    decision = {BETTER: f"accepts {high}", WORSE: f"accepts {low}", OPEN: "is open"}[result.decision]
    evidence, needed = decimal(result.ratio, 2), decimal(result.upper, 2)
    return f"The test of {high} against {low} {decision} (evidence {evidence}, \u00b1{needed} decides)."


def likelihood(superiority: float) -> str:
    """Write the likelihood in per cent; one that is not certain never as 0 or 100 %."""
    least = 5e-5
    if least <= superiority <= 1 - least:
        return percent(superiority, 2)
    return f"less than {percent(1e-4, 2)}" if superiority < least else f"more than {percent(1 - 1e-4, 2)}"


def tables(result: Match, games: int) -> tuple[Table, ...]:
    """The match, and its test."""
    frame = pd.DataFrame([{"games": games, **asdict(result)}])
    score = ("games", "wins", "losses", "draws", "share", "elo", "low", "high")
    headings = {name: "Elo" if name == "elo" else name for name in score} | {"superiority": "stronger"}
    test = {
        "elo_low": "Elo, low",
        "elo_high": "Elo, high",
        "ratio": "log likelihood ratio",
        "lower": "accepts low at",
        "upper": "accepts high at",
    }
    return (
        table(frame[list(headings)], "match", "The match", headings, {**AMOUNTS, **SHARES}),
        table(frame[[*test, "alpha", "decision"]], "test", "Sequential probability ratio test", test),
    )


def points(elo: float) -> str:
    """Write Elo points with their sign."""
    return f"{elo:+.1f}".replace("inf", "\u221e").replace("-", MINUS)
