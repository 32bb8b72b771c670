"""The one step that is recommended, tried again at every number of seats on games that had no part in choosing it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis import verdicts
from analysis.matchups import fair_share
from analysis.report.answers.prose import at_seats, listed
from analysis.report.answers.tables import table
from analysis.report.model import Format, Table
from analysis.study import Study
from analysis.whatif import GamesOf, GamesOfPart, change
from analysis.wording import percent
from sim.engine.cards import CardSet


@dataclass(frozen=True)
class Cure:
    """A step that brings an outlier nearest to its fair share: which number, from what to what, and the cards then."""

    entrant: int
    field: str
    present: object
    value: object
    cards: CardSet


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the cards as they are, at every number of seats; one line each.

    Columns: those of `whatif.compare` for the entrant concerned, and seats, fair, verdict (of the rate after), field,
    present, value. Empty if there is no cure.
    """
    rows = []
    for cure in cures:
        bases = [games_of(study, cure.entrant, seats, study.retest_seed) for seats in study.contests]
        name = study.units[cure.entrant]
        play = study.player(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            table_of = change(base, cure.cards, play)
            own = table_of[table_of["name"] == name]
            if own.empty:  # where seats choose whom they play, nobody chose it
                continue
            row = own.iloc[0]
            fair = fair_share(base.seats)
            facts = {"name": name, "field": cure.field, "present": cure.present, "value": cure.value}
            rows.append(
                {
                    **{str(key): row[key] for key in row.index},
                    **facts,
                    "seats": base.seats,
                    "fair": fair,
                }
            )
    return _judged(pd.DataFrame(rows).astype({"n": int})) if rows else pd.DataFrame()


def _judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the verdicts of the rates after, over all lines (see `verdicts.judged`)."""
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    told = verdicts.judged(after, verdicts.score(after["estimate"], verdicts.worth(after)))
    return frame.assign(p_beyond=told["p_beyond"], verdict=told["verdict"])


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf | GamesOfPart:
    """The balanced games at so many seats in which an entrant sits, or a part of teams: about so many.

    games: the budget's step_games if None.
    """
    seated = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // seated)
    whole = replace(study.experiment(seats, wanted), seed=seed)
    return (GamesOfPart if study.teams else GamesOf).from_experiment(whole, unit)


def outcome(part: pd.DataFrame) -> str:
    """What a cure does at each number of seats, in a sentence; nothing for an empty frame."""
    if part.empty:
        return ""
    said = [_at(row) for _, row in part.iterrows()]
    return f"Tried again with that step, in new games, {part['name'].iloc[0]} would win {listed(said)}."


def _at(row: pd.Series) -> str:
    """The rate after a cure at one number of seats, beside what would be fair."""
    judged = f": {row['verdict']}" if row["verdict"] in verdicts.UNFAIR else ""
    bounds = f"{100 * row['after_low']:.1f} to {percent(row['after_high'])}"
    return f"{percent(row['after'])} {at_seats(row['seats'])} ({bounds}; fair {percent(row['fair'])}{judged})"


def retest_table(study: Study, frame: pd.DataFrame, id_: str = "levers") -> Table:
    """Every cure at every number of seats. id_: of the table of the steps."""
    columns = {
        "name": study.unit_word,
        "field": "number",
        "present": "now",
        "value": "becomes",
        "seats": "seats",
    }
    columns |= {"before": "before", "after": "after", "after_low": "low", "after_high": "high", "fair": "fair share"}
    columns |= {"p_beyond": verdicts.HEADING}
    columns |= {"verdict": "verdict after", "change": "change", "low": "change low", "high": "change high", "n": "n"}
    formats: dict[str, Format] = {"seats": "count"}
    return table(frame, f"{id_}-retest", "The nearest step at every number of seats", columns, formats)
