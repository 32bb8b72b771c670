"""What is said of the games that are worth watching: a line about each, why, and the command that shows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.change_tables import records
from analysis.interesting import NEAREST, TOLD, Picked
from analysis.pace_stats import watch_command
from analysis.wording import THIN, count, number, percent, seat_word


def lines(picked: Picked) -> list[str]:
    """Everything, as a user reads it."""
    found = [_looked_through(picked)]
    for line in records(picked.games):
        found += ["", f"{line['kind']}: game {line['index']}. {result(picked, line)}", f"  {why(picked, line)}"]
        if command := watch_command(picked.results.experiment, line["index"]):
            found.append(f"  {command}")
    return [*found, "", *_how()]


def as_values(picked: Picked) -> dict[str, Any]:
    """The same as plain values."""
    experiment = picked.results.experiment
    games = [
        {name: None if pd.isna(value) else value for name, value in line.items()}
        | {
            "line_up": names(picked, line["index"]),
            "why": why(picked, line),
            "command": watch_command(experiment, line["index"]),
        }
        for line in records(picked.games)
    ]
    facts = experiment.facts() | {"games": len(picked.results.rows), "won": picked.won}
    facts |= {"replayed": len(picked.courses.index), "facts_of_the_typical": picked.facts}
    return {"facts": facts, "medians": picked.medians, "games": games}


def names(picked: Picked, index: int) -> list[str]:
    """Names of the entrants of a game, by seat."""
    experiment, row = picked.results.experiment, picked.results.rows[index]
    entrants = row["entrant"][: experiment.seats].tolist()
    return experiment.game.words.line_up(experiment.cards, entrants)


def result(picked: Picked, line: dict[str, Any]) -> str:
    """Who won against whom, and how long it took."""
    share = picked.results.rows[line["index"]]["share"]
    seated = [f"{name} ({seat_word(seat)})" for seat, name in enumerate(names(picked, line["index"]))]
    won = [name for seat, name in enumerate(seated) if share[seat] > 0]
    lost = [name for seat, name in enumerate(seated) if share[seat] == 0]
    against = f" against {' and '.join(lost)}" if lost else ""
    return f"{' and '.join(won)} won{against}, {line['turns']} turns, {line['decisions']} decisions."


def why(picked: Picked, line: dict[str, Any]) -> str:
    """Why a game was picked."""
    if line["kind"] == "typical":
        middle = {name: f"{_fact(name, line[name])} ({_fact(name, picked.medians[name])})" for name in TOLD}
        return (
            f"Nearest to the medians of {picked.facts} facts; of these, medians in brackets: {middle['turns']} turns, "
            f"{middle['decisions']} decisions, {middle['changes']} changes of the lead, the first ahead of the second by "
            f"{middle['lead']} on average."
        )
    if line["kind"] == "surprising":
        fair = 1 / picked.results.experiment.seats
        start = np.isnan(line["at"]) or line["least"] >= fair
        when = "at the start" if start else f"at the end of turn {line['at']:.0f}"
        return f"The win that was least likely: the winner's chance was down to {percent(line['least'])} {when}."
    since = "" if np.isnan(line["since"]) else f"; the winner was ahead for good from turn {line['since']:.0f} on"
    return (
        f"Of the games that lasted {number(picked.medians['turns'])} turns or more, the chances of the first and the second were "
        f"nearest: {_fact('lead', line['lead'])} apart on average; {line['changes']} changes of the lead{since}."
    )


def _fact(name: str, value: float) -> str:
    """A fact of a game; leads are between chances."""
    return f"{100 * value:.1f}{THIN}points" if name == "lead" else number(value)


def _looked_through(picked: Picked) -> str:
    """What was looked through, and how far."""
    experiment, games, replayed = picked.results.experiment, len(picked.results.rows), len(picked.courses.index)
    said = f"{experiment.game.title}: {count(games)} games, seed {experiment.seed}, policy {experiment.policy_words}; "
    said += f"{count(picked.won)} had a winner, "
    if replayed == picked.won:
        return said + "and of these every position was looked through."
    return said + (
        f"and of {count(replayed)} of these every position was looked through: {percent(NEAREST, 0)} of these are the most "
        "typical by their rows, the others spread evenly (--replays looks through more)."
    )


def _how() -> list[str]:
    """By whom chances are judged, and when."""
    return [
        "Chances: by the game's own evaluation at the end of a turn, after its last decision and rolls, as `watch --weigh` shows "
        "them; what --weigh says of alternatives is another estimate, of its policy."
    ]
