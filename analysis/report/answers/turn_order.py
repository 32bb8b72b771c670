"""What a turn position is worth."""

import pandas as pd

from analysis.charts import bars
from analysis.report.answers.prose import LEAST, at_seats, interval, plural
from analysis.report.answers.tables import rate_columns, table
from analysis.report.model import Chart, Section
from analysis.seats import by_entrant_and_place, by_part_and_place, by_place
from analysis.study import Study
from analysis.wording import percent
from sim.engine.measures import Question


def turn_order(study: Study, question: Question) -> Section | None:
    """Bars per number of seats; left out where nobody moves first or plays with others."""
    frame = places(study)
    if frame.empty:
        return None
    answers = [_first(part, seats) for seats, part in frame.groupby("seats")]
    word = study.unit_word
    caption = (
        f"Win rate by turn position with {study.policy} in every seat, all {plural(study.game.entrant_word)} together."
    )
    per_entrant = pd.concat([_by_unit(study, seats) for seats in study.contests], ignore_index=True)
    tables = (
        table(
            _counted(frame),
            "turn-order",
            "Turn positions",
            {**rate_columns(seats="seats", position="position"), "fair": "fair share", "p_holm": "p (Holm)"},
        ),
        table(
            _counted(per_entrant[per_entrant["n"] > 0]),
            "turn-order-by-entrant",
            f"Turn positions by {word}",
            {**rate_columns(seats="seats", name=word, position="position"), "p_holm": "p (Holm)"},
        ),
    )
    note = f"Every {word} sits on every seat equally often, and so, even where the first player is drawn, plays every position "
    note += "equally often on average: differences between positions are those of the order of play. p (Holm): against the fair "
    note += "share, adjusted within each number of seats."
    chart = Chart(question.id, bars(frame), caption, "Bars of the win rate by turn position. " + " ".join(answers))
    return Section(question.id, question.text, " ".join(answers), (chart,), tables, note)


def places(study: Study) -> pd.DataFrame:
    """Win rates by turn position at all numbers of seats from two on; empty if no game has a first mover."""
    tables = [by_place(study.tally, seats) for seats in study.contests]
    tables = [part for part in tables if part["n"].sum() > 0]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _by_unit(study: Study, seats: int) -> pd.DataFrame:
    """Win rates by turn position of every entrant; of teams those of their parts."""
    if study.teams:
        return by_part_and_place(study.tally, seats, study.teams.members, study.teams.names)
    return by_entrant_and_place(study.tally, seats, study.names)


def _first(part: pd.DataFrame, seats: object) -> str:
    first, last = part.iloc[0], part.iloc[-1]
    shift = first["estimate"] - first["fair"]
    sure = first["low"] > first["fair"] or first["high"] < first["fair"]
    said = f"{at_seats(int(str(seats))).capitalize()} whoever goes first wins {percent(first['estimate'])} "
    said += f"{interval(first['low'], first['high'], first['n'])}, "
    if not sure and abs(shift) < LEAST / 2:
        said += f"no different from the fair {percent(first['fair'])}"
    else:
        said += f"{100 * abs(shift):.1f} points {'above' if shift > 0 else 'below'} the fair {percent(first['fair'])}"
        said += "" if sure else ", which may be chance"
    return said + (f"; the last wins {percent(last['estimate'])}." if len(part) > 2 else ".")


def _counted(frame: pd.DataFrame) -> pd.DataFrame:
    """Positions counted from 1, as people do."""
    return frame.assign(position=frame["position"] + 1)
