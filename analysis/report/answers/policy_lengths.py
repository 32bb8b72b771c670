"""How long games last by who plays them: the policy against itself, against the one beside it, and that against itself."""

import pandas as pd

from analysis.charts import ecdf
from analysis.pace import length_distribution, quantiles, truncated_share
from analysis.report.answers.length import WANTED
from analysis.report.answers.members import at, contest
from analysis.report.answers.policy_games import against, alike
from analysis.report.answers.prose import at_seats, capital, interval, listed, size
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.measures import Question


def policy_lengths(study: Study, question: Question) -> Section | None:
    """Cumulative distributions of the length, one line per pair of policies, and the share of games that were stopped.

    Roles: length (measure per game; the turns, if absent). Settings: games (in multiples of the usual number, of every pair
    but the policy against itself).
    """
    if not study.contests:
        return None
    seats = contest(study)
    parts = _games(study, question, seats)
    unit = study.measure(question.roles["length"]).unit or "turns" if "length" in question.roles else "turns"
    tables = {
        name: (length_distribution(part), quantiles(part, WANTED), truncated_share(part))
        for name, part in parts.items()
    }
    lines, reached, truncated = (
        pd.concat([found[at_].assign(name=name) for name, found in tables.items()], ignore_index=True)
        for at_ in range(3)
    )
    stopped = dict(zip(truncated["name"], truncated["estimate"], strict=True))
    figure = ecdf(lines.assign(truncated=lines["name"].map(stopped)), lines="name", label=unit)
    answer = _said(reached, truncated, unit, seats, study.limit_words)
    caption = (
        f"Share of the games that are over after so many {unit}, {at_seats(seats)}, by the policies in both seats."
    )
    columns = {
        "name": "policies",
        "quantile": "share of games over",
        "turns": unit,
        "low": f"{unit}, low",
        "high": f"{unit}, high",
    }
    ends: dict[str, Format] = {"share of games over": "percent"}
    stops = {"name": "policies", "truncated": "stopped", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    shown = (
        table(reached, question.id, "Lengths", {**columns, "n": "n"}, ends),
        table(truncated, f"{question.id}-truncated", "Games stopped at the limit", stops, {"stopped": "count"}),
    )
    note = "Stopped games count as longer than any length shown. Intervals of lengths are order statistics, of shares Wilson's."
    alt = f"Cumulative distributions of the length of games, one per pair of policies. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), shown, note)


def _games(study: Study, question: Question, seats: int) -> dict[str, pd.DataFrame]:
    """Games by the names of the policies in them; their lengths in the column `turns`."""
    measures = (study.measure(question.roles["length"]),) if "length" in question.roles else ()
    found = {f"{study.policy} \u2013 {study.policy}": at(study.games_frame, seats)}
    if study.beside is not None:
        games = study.games_for(question, study.budget.variant_games)
        mixed = against(study, seats, games)
        found[f"{study.policy} \u2013 {study.beside}"] = mixed
        found[f"{study.beside} \u2013 {study.beside}"] = alike(study, seats, games, study.beside)
    if not measures:
        return found
    return {name: frame.assign(turns=frame[measures[0].field]) for name, frame in found.items()}


def _said(reached: pd.DataFrame, truncated: pd.DataFrame, unit: str, seats: int, limit: str) -> str:
    """Medians and 90 % points by policies, and how many games are stopped."""
    said: list[str] = []
    for name, part in reached.groupby("name", sort=False):
        lengths = part.set_index("quantile")["turns"]
        if pd.isna(lengths[0.5]):
            said.append(f"never ({name}, of which fewer than half come to an end)")
            continue
        late = f", nine in ten after {count(lengths[0.9])}" if pd.notna(lengths[0.9]) else ""
        said.append(f"{count(lengths[0.5])} ({name}{late})")
    text = f"{capital(at_seats(seats))} half of the games are over after so many {unit}: {listed(said)}."
    if not truncated["truncated"].any():
        none = [
            f"{row['name']} (95 % interval 0 to {percent(row['high'], 2)}, {size(row['n'])})"
            for _, row in truncated.iterrows()
        ]
        return f"{text} Stopped at {limit}: none of {listed(none)}."
    some = [
        f"{percent(row['estimate'], 2)} {interval(row['low'], row['high'], row['n'])} of {row['name']}"
        for _, row in truncated.iterrows()
    ]
    return f"{text} Stopped at {limit}: {listed(some)}."
