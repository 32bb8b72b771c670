"""The result of a finished match of two sides, as shown by `fairfight compare WINS:LOSSES:DRAWS` and `match` in Python."""

from __future__ import annotations

import re
from dataclasses import asdict

from analysis.answer.model import Section
from analysis.answer.numbers import MINUS, THIN, Format, count, percent
from analysis.answer.tables import Table
from analysis.stats.elo import BETTER, OPEN, WORSE, Match

SCORE = re.compile(r"(\d+):(\d+):(\d+)")


def score_of(text: str) -> tuple[int, int, int] | None:
    """Wins, losses and draws from `880:759:1863`; None for any other text."""
    found = SCORE.fullmatch(text)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def hypotheses_of(text: str) -> tuple[float, float]:
    """Two differences in Elo points from `0:5`. Raises ValueError."""
    parts = text.split(":")
    try:
        low, high = map(float, parts)
    except ValueError:
        raise ValueError(f"elo={text!r} must be two differences in Elo points, such as 0:5") from None
    return low, high


def match_result(match: Match) -> Section:
    """Elo difference, likelihood of superiority and the sequential test of a match."""
    games = match.wins + match.losses + match.draws
    alpha = percent(match.alpha, 1).replace(".0", "")
    accepted = {BETTER: f"accepts {_points(match.elo1)}", WORSE: f"accepts {_points(match.elo0)}", OPEN: "is not decided"}
    words = f"The test of {_points(match.elo1)} against {_points(match.elo0)} Elo points {accepted[match.decision]}"
    answer = (
        f"Difference: {_points(match.elo)} Elo points (95{THIN}% interval {_points(match.low)} to {_points(match.high)}); the "
        f"first side is stronger with a likelihood of {percent(match.superiority, 2)}. {words}."
    )
    columns = ("games", "wins", "losses", "draws", "share", "Elo", "low", "high", "superiority")
    values = (games, match.wins, match.losses, match.draws, match.share, match.elo, match.low, match.high, match.superiority)
    formats: dict[str, Format] = {
        "share": "percent",
        "superiority": "percent",
        "Elo": "number",
        "low": "number",
        "high": "number",
    }
    score = Table("match", columns, (tuple(map(_known, values)),), "The match", formats)
    bounds = (round(match.ratio, 2), round(match.lower, 2), round(match.upper, 2))
    heads = ("elo0", "elo1", "log likelihood ratio", "accepts elo0 at", "accepts elo1 at")
    test = Table("sprt", heads, ((match.elo0, match.elo1, *bounds),), "Sequential probability ratio test")
    lines = (
        answer,
        f"{count(match.draws)} of {count(games)} games ({percent(match.draws / games)}) were draws. Games count as independent: "
        "in pairs with the same opening or dice the true interval is narrower, and the test needs the results of the pairs.",
        f"Test: generalised likelihood ratio, share of draws estimated; each error has a risk of {alpha} if the match was played "
        "until the test decided. The interval is for a match of fixed length.",
    )
    data = {"match": asdict(match)}
    return Section("match", answer=answer, tables=(score, test), lines=lines, data=data)


def _points(elo: float) -> str:
    """Write Elo points with their sign."""
    return f"{elo:+.1f}".replace("inf", "\u221e").replace("-", MINUS)


def _known(value: float) -> float | None:
    """A value of a table; None for infinite ones."""
    return None if value in (float("inf"), -float("inf")) else value
