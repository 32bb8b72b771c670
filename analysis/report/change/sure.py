"""How sure each win rate is, with and without looking while one plays, and how many games would make it surer."""

from __future__ import annotations

from shlex import join

import numpy as np
import pandas as pd

from analysis.charts import forest
from analysis.clusters import shares
from analysis.deck_choice import options_of
from analysis.matchups import fair_share, win_rates
from analysis.naming import words_for
from analysis.report.answers.prose import at_seats, capital, listed
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section, Table
from analysis.rows import Rows
from analysis.sequential import half_widths, share_p, share_sequence
from analysis.study import OF_TEAMS, Study
from analysis.until import Until
from analysis.verdicts import OPEN, judged, sequence
from analysis.wording import THIN, count
from sim.engine.policies import Policy, PolicySpec

ID = "sure"
QUESTION = "How sure is each win rate, and how many games would make it surer?"
POINTS = (1.0, 0.5, 0.25)  # half-widths that are asked for, in percentage points
DIGITS = 2  # of a number of games that is only expected
ROWS = 24  # entrants in the chart, of more the least sure


def sure(study: Study) -> Section | None:
    """Forest of the win rates with their confidence sequences, and the games and commands for sharper ones.

    Of teams it shows the parts, at two seats.
    """
    found = [frame for seats in study.contests if (frame := rates(study, seats)) is not None and (frame["n"] > 0).any()]
    if not found:
        return None
    frame = judged(pd.concat(found, ignore_index=True))
    found = [part for _, part in frame.groupby("seats", sort=False)]
    needed = pd.concat([_needed(study, part) for part in found], ignore_index=True)
    answer = " ".join(_said(study, part) for part in found)
    caption = (
        f"Win rates with {study.policy} in every seat. Intervals are confidence sequences at 95{THIN}%: they hold at every "
        f"number of games at once, so that one may look while playing and stop when one has seen enough.{_left_out(frame)}"
    )
    shown = pd.concat([_least_sure(part) for part in found], ignore_index=True)
    alt = f"Dot plot of win rates with confidence sequences. {answer}"
    chart = Chart(ID, forest(shown), caption, alt, forest(shown, narrow=True))
    note = (
        "A confidence sequence is about half as wide again as an interval for a number of games fixed beforehand; that is the "
        "price of looking. An interval for a fixed number that is looked at sixty times misses the true rate at some look in "
        "more than a third of all runs. Games needed are those of a run with --precision, which stops by itself; the games of a "
        "shorter run are the first games of a longer one with the same seed."
    )
    return Section(ID, QUESTION, answer, (chart,), (_table(study, frame), _commands(needed)), note)


def rates(study: Study, seats: int) -> pd.DataFrame | None:
    """Win rates at so many seats, best first; None of teams at other numbers of seats than two.

    Columns: seats, name, estimate, low, high (confidence sequence), n, fair, those of `verdicts.judged`, fixed (half-width
    for a fixed number of games), half (half-width of the confidence sequence).
    """
    fair = fair_share(seats, float(study.tally.decided[seats]))
    found = _of_entrants(study, seats, fair) if study.teams is None else _of_parts(study, seats, fair)
    if found is None:
        return None
    found = found.assign(seats=seats, half=half_widths(found))
    return found.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _of_entrants(study: Study, seats: int, fair: float) -> pd.DataFrame:
    """Entrants whose games have dice of their own: Wilson's interval and the beta-binomial sequence beside each other."""
    fixed = win_rates(study.tally, seats, study.names)
    tuned = max(1.0, float(fixed["n"].mean()))
    found = share_sequence(fixed["wins"], fixed["n"], tuned)
    found = found.assign(name=fixed["name"].to_numpy(), fixed=half_widths(fixed), fair=fair)
    return judged(found, sequence(found["estimate"], lambda share: share_p(fixed["wins"], fixed["n"], share, tuned)))


def _of_parts(study: Study, seats: int, fair: float) -> pd.DataFrame | None:
    """Parts of teams, rounds being the observations of both intervals."""
    if seats != OF_TEAMS or not study.rows_of_teams:
        return None
    counted = Until(study.main(seats), min(POINTS) / 100)
    counted.add(_joined(study.rows_of_teams))
    fixed = pd.Series(half_widths(shares(counted.sums)).clip(max=1.0), study.units)
    found = counted.rates(fair)
    return found.assign(fixed=fixed.loc[found["name"]].to_numpy())


def _joined(blocks: list[Rows]) -> Rows:
    """Blocks of rows as one."""
    return np.concatenate(blocks)


def _needed(study: Study, part: pd.DataFrame) -> pd.DataFrame:
    """Games at one number of seats for each half-width, and the command: columns seats, points, games, command."""
    seats, widest = int(part["seats"].iloc[0]), float(part["half"].max())
    played = int(study.tally.games[seats])
    lines = []
    for points in POINTS:
        games = played * (100 * widest / points) ** 2
        lines.append(
            {"seats": seats, "points": points, "games": _rounded(games), "command": _command(study, seats, points)}
        )
    return pd.DataFrame(lines)


def _rounded(games: float) -> int:
    """A number of games that is only expected, rounded up."""
    size = 10.0 ** (np.floor(np.log10(max(games, 1.0))) + 1 - DIGITS)
    return int(np.ceil(games / size) * size)


def _command(study: Study, seats: int, points: float) -> str:
    """What plays until every win rate is known so well, for the reference set or a folder that is named."""
    name, options = words_for(study.game, study.cards)
    words = ["fairfight", "winrates", name, "--seats", str(seats), "--precision", f"{points:g}"]
    if study.policy != PolicySpec(Policy.GREEDY):
        words += ["--policy", str(study.policy)]
    if study.seed != 1:
        words += ["--seed", str(study.seed)]
    return join([*words, *options, *options_of(study.cards)])


def _said(study: Study, part: pd.DataFrame) -> str:
    """How sure the rates are at one number of seats."""
    seats = int(part["seats"].iloc[0])
    least = part.iloc[int(part["half"].to_numpy().argmax())]
    open_ = part.loc[part["verdict"] == OPEN, "name"].tolist()
    said = f"{capital(at_seats(seats))} every win rate is known to {100 * least['half']:.2f} points or better after "
    said += (
        f"{count(study.tally.games[seats])} games ({100 * part['fixed'].max():.2f} if that number was fixed beforehand)"
    )
    if not open_:
        return f"{said}; whether it is fair is decided for every {study.unit_word}."
    return f"{said}; whether it is fair is still open for {listed(open_)}."


def _least_sure(part: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chart: all, or of very many those known least well."""
    if len(part) <= ROWS:
        return part
    return part.sort_values("half", ascending=False, kind="stable").head(ROWS)


def _left_out(frame: pd.DataFrame) -> str:
    """That the chart does not show everybody, if so."""
    many = frame.groupby("seats")["name"].size().max() > ROWS
    return f" Of more than {ROWS} the {ROWS} that are known least well are shown." if many else ""


def _table(study: Study, frame: pd.DataFrame) -> Table:
    """Both half-widths of every win rate."""
    columns = {
        "seats": "seats",
        "name": study.unit_word,
        "estimate": "win rate",
        "low": "low",
        "high": "high",
        "n": "n",
    }
    columns |= {"half": "half-width", "fixed": "half-width, fixed games"}
    formats: dict[str, Format] = {"half-width": "percent", "half-width, fixed games": "percent"}
    return table(frame, "how-sure", "Win rates with confidence sequences", columns, formats, ends=ROWS)


def _commands(needed: pd.DataFrame) -> Table:
    """Games for each half-width, with what to type."""
    shown = needed.assign(points=[f"\u00b1{points:g}{THIN}points" for points in needed["points"]])
    columns = {"seats": "seats", "points": "every win rate to", "games": "games, about", "command": "command"}
    return table(
        shown, "games-needed", "Games until every win rate is known so well", columns, {"games, about": "count"}
    )
