"""What good play is worth: the policy against the one beside it, with the same teams and the same dice, both ways round."""

from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import dumbbell
from analysis.report.answers.members import contest
from analysis.report.answers.policy_games import against
from analysis.report.answers.prose import at_seats, capital, interval, point_interval, stopped
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.swaps import Advantage, advantage
from analysis.wording import count, percent, points
from sim.engine.measures import Question

DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
LEAST = 20  # games won by the weaker side from which on the gain of shared dice can be told


def skill(study: Study, question: Question) -> Section | None:
    """Dots of the win share of either policy against the other, and the difference, from games in pairs.

    Settings: games (in multiples of the usual number; they are played both ways round).
    """
    if study.beside is None or not study.contests or contest(study) != len(("policy", "beside")):
        return None
    seats = contest(study)
    games = against(study, seats, study.games_for(question, study.budget.variant_games))
    truncated = int((~games["finished"]).sum())
    games = games[games["finished"]]
    if games.empty:
        return None
    found = advantage(games[["share_0", "share_1"]], games["side"], games["dice"])
    first, second = str(study.policy), str(study.beside)
    line = row(f"{first} against {second}", found)
    told = min(found.first, found.second) * found.games >= LEAST
    frame = pd.DataFrame([{**line, "gain": found.gain if told else np.nan}])
    answer = f"{capital(at_seats(seats))} {first} wins {percent(found.first)} of the games against {second} "
    answer += f"{interval(line['first_low'], line['first_high'], found.games, 'games')} and {second} "
    answer += f"{percent(found.second)}: a difference of {points(found.change)} points {point_interval(found.low, found.high)}"
    answer += f"{stopped(truncated)}."
    caption = f"Win share of {first} and of {second} against each other: every line-up is played with the same dice "
    caption += "both ways round."
    chart = dumbbell(frame, words=(first, second), label="win share", change="difference, points")
    columns = {"name": "policies", "first": f"{first} wins", "second": f"{second} wins", **DIFFERENCE}
    columns |= {"gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number"}
    formats |= {f"{first} wins": "percent", f"{second} wins": "percent", "n (groups)": "count"}
    shown = table(frame, question.id, f"{capital(first)} against {second}", columns, formats)
    note = f"Games with the same dice are one observation: {count(found.n)} of them; gain says how many times as many "
    note += "games without shared dice would be needed"
    note += ". " if told else ", which cannot be told where hardly a game goes the other way. "
    note += "Truncated games are left out. n: games."
    alt = f"Two dots, the win shares of both policies. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note)


def row(name: str, found: Advantage) -> dict[str, Any]:
    """The line of a dumbbell chart; either share has half of the interval of their difference."""
    low, high = (found.low - found.change) / 2, (found.high - found.change) / 2
    line: dict[str, Any] = {
        "name": name,
        "first": found.first,
        "first_low": max(0.0, found.first + low),
        "first_high": min(1.0, found.first + high),
    }
    line |= {
        "second": found.second,
        "second_low": max(0.0, found.second - high),
        "second_high": min(1.0, found.second - low),
    }
    line |= {"change": found.change, "change_low": found.low, "change_high": found.high, "p": found.p}
    return {**line, "gain": found.gain, "pairs": found.n, "n": found.games}
