"""How the games end that each entrant loses."""

import pandas as pd

from analysis.charts import stacked
from analysis.report.answers.members import at, contest
from analysis.report.answers.prose import at_seats, capital, interval
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Table
from analysis.study import Study
from analysis.usage import category_shares
from analysis.wording import percent

RARE = 0.05  # of all games with a loser: endings below this stand in chart and table only


def of_losers(study: Study, column: str, id_: str) -> tuple[str, Chart, Table] | None:
    """Sentence, stacked bars and table of a category per game among the games that each entrant lost; None without any.

    At the fewest seats with an opponent, finished games with one winner.
    """
    if not study.contests:
        return None
    seats = contest(study)
    games = at(study.games_frame, seats).set_index("game")[column]
    lost = at(study.seats_frame, seats)
    lost = lost[lost["finished"] & (lost["share"] == 0)]
    if lost.empty:
        return None
    frame = pd.DataFrame({"name": lost["name"].to_numpy(), "ending": games.loc[lost["game"]].to_numpy()})
    frame["name"] = pd.Categorical(frame["name"], [name for name in study.names if (frame["name"] == name).any()])
    known = [word for word in games.cat.categories if (frame["ending"] == word).any()]
    frame["ending"] = pd.Categorical(frame["ending"], known)
    shares = category_shares(frame, ["ending"])
    said = _said(shares)
    caption = f"How the games end that each {study.game.entrant_word} loses, {at_seats(seats)} with {study.policy} in all seats; "
    caption += "finished games with one winner."
    chart = Chart(
        f"{id_}-losers", stacked(shares, unit="games lost"), caption, f"Stacked bars of endings by loser. {said}"
    )
    columns = {
        "name": f"{study.game.entrant_word} that lost",
        "category": "ending",
        "count": "games",
        "estimate": "share",
    }
    columns |= {"low": "low", "high": "high", "n": "n"}
    shown = shares[shares["n"] > 0]
    return said, chart, table(shown, f"{id_}-losers", "How the games end that each loses", columns, {"games": "count"})


def _said(shares: pd.DataFrame) -> str:
    """Of each ending: whose losses it makes up most and least."""
    told = []
    for ending, part in shares.groupby("category", sort=False, observed=True):
        known = part[part["n"] > 0]
        if known["count"].sum() < RARE * known["n"].sum():
            continue
        top, bottom = highest(known, "estimate"), lowest(known, "estimate")
        line = (
            f"\u201c{capital(str(ending))}\u201d ends {percent(top['estimate'])} of the games that {top['name']} loses "
        )
        line += interval(top["low"], top["high"], top["n"], "games")
        if len(known) > 1:
            line += f", the most, and {percent(bottom['estimate'])} of those that {bottom['name']} loses, the fewest"
        told.append(f"{line}.")
    return " ".join(told)
