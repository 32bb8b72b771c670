"""Who wins how often: win rates of every entrant at every number of seats, under both policies."""

import numpy as np
import pandas as pd

from analysis import matchups, verdicts
from analysis.charts import forest
from analysis.estimates import FAIR_BAND
from analysis.report.answers.prose import at_seats, capital, interval, listed, plural, seated
from analysis.report.answers.tables import highest, rate_columns, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.tally import Tally
from analysis.wording import percent
from sim.engine.measures import Question

LOST_COUNTS = (
    "A game that ends by the rules without a winner counts as not won for all who sat there, and lowers every rate alike; "
    "the fair share is therefore the mean of all rates, an equal part of the games that somebody won. "
)


def win_rates(study: Study, question: Question) -> Section:
    """Dot plot per number of seats; the table adds p-values, truncated games and the rates under the policy beside.

    Of teams it shows the parts: all games in which a part's team sat.
    """
    frame = rates(study)
    if _judged_elsewhere(study):
        frame = frame.assign(verdict="")
    word = study.unit_word
    answers = [*(_best_and_worst(part, seats) for seats, part in frame.groupby("seats")), unwon(study)]
    answers = [words for words in answers if words]
    caption = f"Win rates with {study.policy} in every seat, per number of seats, best first. "
    if study.contests:
        share = "an equal part of the wins that there are" if _lost(study) else "1 in k"
        caption += f"Vertical line: fair share, {share}. "
        caption += f"The pale band reaches {percent(FAIR_BAND, 0)} of it to both sides."
    if 1 in study.seats:
        caption += " Alone a win is a success, and nobody has a fair share of it."
    alt = f"Dot plot of the win rates of all {plural(word)} with 95 % intervals. " + " ".join(answers)
    note = _judged(study) if study.contests else ""
    note += LOST_COUNTS if _lost(study) else ""
    note += f"Games stopped at {'a' if study.game.limits_itself else 'the turn'} limit are left out; truncated is "
    note += "their share of the games of the row."
    tables = [_numbers(study, frame)]
    if study.tally_beside is not None:
        both = _beside(study, frame, study.tally_beside)
        tables.append(_numbers_beside(study, both))
        note += " " + _how_alike(both, study)
    chart = Chart(question.id, forest(frame), caption, alt)
    return Section(question.id, question.text, " ".join(answers), (chart,), tuple(tables), note)


def unwon(study: Study) -> str:
    """How many games were stopped, and how many more ended by the rules without a winner; nothing where there are none."""
    tally, said = study.tally, []
    stopped = {seats: (tally.capped[seats], tally.games[seats]) for seats in study.seats}
    lost = {seats: (tally.lost[seats], tally.finished[seats]) for seats in study.contests}
    kinds = {
        "stopped at a limit and left out, of all games": stopped,
        "won by nobody, of those that came to an end": lost,
    }
    for words, found in kinds.items():
        shares = {seats: (int(part), int(whole)) for seats, (part, whole) in found.items() if part}
        if shares:
            where = [f"{percent(part / whole)} {at_seats(seats)}" for seats, (part, whole) in shares.items()]
            said.append(f"{words}: {listed(where)}")
    return f"{capital('; '.join(said))}." if said else ""


def _lost(study: Study) -> bool:
    """Whether some contest ended by the rules without a winner."""
    return any(study.tally.lost[seats] for seats in study.contests)


def _judged_elsewhere(study: Study) -> bool:
    """Whether the parts of teams are judged by what they contribute, so that their raw win rates are not judged as well."""
    return study.team_study is not None and study.team_study.contributions is not None


def _judged(study: Study) -> str:
    """How p-values and verdicts are meant."""
    if _judged_elsewhere(study):
        return (
            f"These rates are raw, partners and opponents included: whether a {study.unit_word} is too strong or too weak is "
            "judged by what it contributes. "
        )
    return f"{verdicts.MEANING} Intervals are of each row alone. "


def _numbers(study: Study, frame: pd.DataFrame) -> Table:
    """The win rates with everything that is known of them."""
    columns = rate_columns(seats="seats", name=study.unit_word)
    if study.contests:
        columns |= {"fair": "fair share"}
    if study.contests and not _judged_elsewhere(study):
        columns |= {"p_beyond": verdicts.HEADING, "verdict": "verdict"}
    columns |= {"truncated": "truncated"}
    shown = frame.assign(verdict=frame["verdict"].where(frame["verdict"] != "", None))
    return table(shown, "win-rates", f"Win rates with {study.policy}", columns)


def _numbers_beside(study: Study, both: pd.DataFrame) -> Table:
    """Rates under both policies."""
    formats: dict[str, Format] = {str(study.policy): "percent", str(study.beside): "percent", "difference": "points"}
    columns = {
        "seats": "seats",
        "name": study.unit_word,
        "estimate": str(study.policy),
        "other": str(study.beside),
    }
    bounds = {name: f"{name} ({study.beside})" for name in ("low", "high", "n")}
    formats |= {bounds["low"]: "percent", bounds["high"]: "percent", bounds["n"]: "count"}
    columns |= bounds | {"difference": "difference"}
    return table(both, "win-rates-beside", f"The same beside those with {study.beside}", columns, formats)


def rates(study: Study) -> pd.DataFrame:
    """Win rates at all numbers of seats: of the parts where the entrants are teams, else of the entrants; judged together."""
    found = pd.concat([_rates(study, study.tally, seats) for seats in study.seats], ignore_index=True)
    return verdicts.judged(found)


def _rates(study: Study, tally: Tally, seats: int) -> pd.DataFrame:
    """Win rates of one tally at one number of seats."""
    if study.teams:
        return matchups.part_rates(tally, seats, study.teams.members, study.teams.names)
    return matchups.win_rates(tally, seats, study.names)


def _best_and_worst(part: pd.DataFrame, seats: object) -> str:
    known = part[part["n"] > 0]
    games = f"{seated(int(str(seats)))} games"
    if known.empty:
        return f"None of the {games} came to an end."
    best, worst = known.iloc[0], known.iloc[-1]
    if seats == 1:
        said = f"Alone {best['name']} succeeds in {percent(best['estimate'])} of its games "
        said += interval(best["low"], best["high"], best["n"])
        return said + (
            f", the most; {worst['name']} in {percent(worst['estimate'])}, the fewest." if len(known) > 1 else "."
        )
    said = f"{best['name']} wins {percent(best['estimate'])} of its {games} "
    said += interval(best["low"], best["high"], best["n"])
    return (
        f"{said}, the most; {worst['name']} wins {percent(worst['estimate'])}, the fewest."
        if len(known) > 1
        else said + "."
    )


def _beside(study: Study, frame: pd.DataFrame, tally: Tally) -> pd.DataFrame:
    """Rates under both policies; low, high and n are those of the policy beside."""
    other = [_rates(study, tally, seats) for seats in study.seats]
    beside = pd.concat(other).rename(columns={"estimate": "other"})[["seats", "entrant", "other", "low", "high", "n"]]
    both = frame[["seats", "entrant", "name", "estimate"]].merge(beside, on=["seats", "entrant"], how="left")
    return both.assign(difference=both["other"] - both["estimate"])


def _how_alike(both: pd.DataFrame, study: Study) -> str:
    """How much the order of the entrants depends on the policy, in words."""
    known = both.dropna(subset=["estimate", "other"])
    moved = known["difference"].abs()
    if known.empty:
        return ""
    most = highest(known, "difference", size=True)
    gap = f"Win rates speak of these policies: under {study.beside} they differ by {100 * float(np.mean(moved)):.1f} points "
    gap += f"on average, most for {most['name']} {at_seats(most['seats'])} "
    return gap + f"({percent(most['estimate'])} under {study.policy}, {percent(most['other'])} under {study.beside})."
