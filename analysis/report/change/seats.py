"""What going first is worth, where most, and which rule would make it fair."""

from __future__ import annotations

import pandas as pd

from analysis import verdicts
from analysis.charts import forest, lines
from analysis.compensation import EVEN, Tried
from analysis.report.answers.prose import at_seats, capital, interval, listed, number_word
from analysis.report.model import Chart, Section, Table
from analysis.seat_summary import SeatSummary, compensation_lines, summarise
from analysis.seat_worth import TWO_SEATS, NobodyFirstError
from analysis.study import Study
from analysis.wording import count, percent

ID = "seats"
QUESTION = "What is going first worth, and what would make it fair?"
SURE = 0.05  # p-value adjusted over all lines of a table
ROWS = 24  # matchups in the chart: where there are more, those farthest from fair
SHARE_OF_TWO = 0.6  # of all games at two seats, where there are other numbers of seats too
ALL = "all together"


def seats(study: Study) -> Section | None:
    """Forest of the win share of whoever goes first, overall and by matchup, and its curve over every lever of the game."""
    found = _played(study)
    if not found:
        return None
    two = next((one for one in found if one.experiment.seats == TWO_SEATS), None)
    others = [one for one in found if one is not two]
    answer = " ".join([*(_two(two) if two else []), *map(_more, others)])
    frame = judged_rows(found)
    slim = forest(frame, panels="panel", narrow=True)
    figures = [Chart(ID, forest(frame, panels="panel"), _caption(study, two), f"Dots with intervals. {answer}", slim)]
    tried = two.compensation.tried if two and two.compensation else []
    if curves := _curves(tried):
        figures.append(_levers(curves, answer))
    return Section(ID, QUESTION, answer, tuple(figures), tuple(_tables(found)), _note(bool(curves)))


def _played(study: Study) -> list[SeatSummary]:
    """Every number of seats with an opponent, two first; none where nobody goes first."""
    games, found = study.budget.pair_games, []
    others = [number for number in study.contests if number != TWO_SEATS]
    rest = 1 - SHARE_OF_TWO if TWO_SEATS in study.contests else 1.0
    part = {number: rest / len(others) for number in others}
    play = study.player("going first", games)
    for number in sorted(study.contests):
        wanted = round(games * part.get(number, 1 - sum(part.values())))
        base = study.experiment(number, wanted)
        try:
            found.append(summarise(base, wanted, number == TWO_SEATS, play))
        except NobodyFirstError:
            continue
    return found


def _two(found: SeatSummary) -> list[str]:
    """What it is worth, where most and least, and what makes it fair."""
    top = found.overall.iloc[0]
    far = 100 * abs(top["share"] - EVEN)
    said = f"{capital(at_seats(TWO_SEATS))} whoever goes first wins {percent(top['share'])} "
    said += f"{interval(top['low'], top['high'], top['n'], 'games')}, {far:.1f} points "
    said += "above one half" if top["share"] >= EVEN else "below one half"
    said += "." if top["p"] < SURE else ", which may be chance."
    lines_ = compensation_lines(found.compensation, found.experiment)
    return [said, *_where(found), *lines_]


def _where(found: SeatSummary) -> list[str]:
    """Where it is worth most and least, if that is sure anywhere."""
    each = found.units if found.matchups is None else found.matchups
    if each is None or len(each) < TWO_SEATS:
        return []
    sure, what = int((each["p_holm"] < SURE).sum()), _words(found)
    if not sure:
        return [f"In none of {number_word(len(each))} {what} it is surely worth anything by itself."]
    top = each.iloc[int((each["share"] - EVEN).abs().argmax())]
    return [
        f"It is surely worth something in {number_word(sure)} of {number_word(len(each))} {what}, most in {top['name']} "
        f"({percent(top['share'])})."
    ]


def _words(found: SeatSummary) -> str:
    """What the lines by matchup, or by part of teams, are called."""
    teams = found.experiment.teams
    return "matchups" if found.matchups is not None else f"{teams.words if teams else 'entrants'}' games"


def _more(found: SeatSummary) -> str:
    """Turn positions at more than two seats."""
    rows = found.overall
    sure = rows[rows["p_holm"] < SURE]
    said = f"{capital(at_seats(rows['seats'].iloc[0]))} "
    if sure.empty:
        return (
            f"{said}no turn position wins surely more or less than its fair share of {percent(rows['fair'].iloc[0])}."
        )
    named = [f"moving {_order(row['position'])} wins {percent(row['share'])}" for _, row in sure.iterrows()]
    return f"{said}{listed(named)}, where {percent(rows['fair'].iloc[0])} is fair."


def _order(position: int) -> str:
    return ("first", "second", "third", "fourth")[int(position)]


def judged_rows(found: list[SeatSummary]) -> pd.DataFrame:
    """Rows of the forest with their verdicts, over all rows together; of many matchups those farthest from fair."""
    frame = pd.concat([rows_of(one) for one in found], ignore_index=True)
    frame = verdicts.judged(frame, verdicts.score(frame["estimate"], verdicts.worth(frame)))
    far = (frame["estimate"] - frame["fair"]).abs().groupby(frame["panel"]).rank(ascending=False, method="first")
    return frame[far <= ROWS]


def rows_of(found: SeatSummary) -> pd.DataFrame:
    """Rows of the forest: at two seats all together and what is farthest from fair, else the turn positions."""
    if found.experiment.seats == TWO_SEATS:
        each = found.units if found.matchups is None else found.matchups
        assert each is not None
        more = each if len(each) > 1 else each.iloc[:0]
        whole = found.overall.iloc[[0]].assign(name=ALL, panel="Two seats: whoever goes first")
        what = "by matchup" if found.matchups is not None else f"in games with each {_unit(found)}"
        rows = pd.concat([whole, more.assign(panel=f"Two seats, {what}")], ignore_index=True)
    else:
        names = [f"moves {_order(position)}" for position in found.overall["position"]]
        rows = found.overall.assign(
            name=names, panel=f"{capital(number_word(found.experiment.seats))} seats: turn order"
        )
    return rows.assign(estimate=rows["share"])


def _unit(found: SeatSummary) -> str:
    teams = found.experiment.teams
    return teams.word if teams else found.experiment.game.entrant_word


def _caption(study: Study, two: SeatSummary | None) -> str:
    """What the forest shows."""
    said = (
        f"Win share by turn order, with {study.policy} in every seat: every line-up from every seat with the same dice."
    )
    if two is not None and two.matchups is not None and len(two.matchups) > ROWS:
        said += f" Of {count(len(two.matchups))} matchups the {ROWS} farthest from one half."
    return said


def _curves(tried: list[Tried]) -> list[pd.DataFrame]:
    """The points of each lever with more than one value."""
    found = []
    for one in tried:
        if len(one.table) > 1:
            curve = one.table.assign(panel=capital(one.lever.label), line="first", estimate=one.table["share"])
            found.append(curve.assign(x=one.table["value"], present=one.present, fair=EVEN))
    return found


def _levers(curves: list[pd.DataFrame], answer: str) -> Chart:
    """Share over value, a panel per lever."""
    figure = lines(pd.concat(curves, ignore_index=True), label="value", close=True)
    caption = (
        "Win share of whoever goes first by the value of each rule, all other rules as played; dashed: the value as "
    )
    caption += "played, dotted: one half."
    return Chart(f"{ID}-levers", figure, caption, f"Curves of the win share of whoever goes first. {answer}")


def _tables(found: list[SeatSummary]) -> list[Table]:
    """All tables, with names of their own."""
    made = []
    for one in found:
        many = f"{ID}-{one.experiment.seats}"
        for table in one.every_table():
            ends = 0 if len(table.rows) <= 2 * ROWS else ROWS // 2
            made.append(Table(f"{many}-{table.id}", table.columns, table.rows, table.caption, table.formats, ends))
    return made


def _note(curves: bool) -> str:
    """How it was measured."""
    note = "Pairs of games with the same dice, each entrant's own, are one observation; gain says how many times as many games "
    note += "without common dice would be needed. Truncated games are left out; a win that nobody has is shared out "
    note += "equally. p (Holm): against the fair share, adjusted over the lines of a table."
    if curves:
        note += (
            " All values of a rule play the same games; where going first is fair is read off a curve of the log odds "
        )
        note += "through the four values around it (Fieller's interval). The value chosen was picked among many, so that it is "
        note += "played again with another seed."
    return note
