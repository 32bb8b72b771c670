"""Report sections on win rates.

Who wins how often: win rates of every entrant at every number of seats, under both policies.

What a turn position is worth.

How sure each win rate is, with and without looking while one plays, and how many games would make it surer.
"""

from __future__ import annotations

from shlex import join

import numpy as np
import pandas as pd

from analysis.charts import bars, forest
from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.rows import Rows, Tally
from analysis.data.study import OF_TEAMS, Study
from analysis.document import verdicts
from analysis.document.cells import THIN, count, percent
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import LEAST, at_seats, capital, interval, listed, plural, seated
from analysis.document.tables import highest, rate_columns, table
from analysis.document.verdicts import OPEN, judged, sequence
from analysis.stats.clusters import shares
from analysis.stats.intervals import FAIR_BAND
from analysis.stats.sequential import half_widths, share_p, share_sequence
from analysis.winrates import rates as matchups
from analysis.winrates.play import Until
from analysis.winrates.rates import by_entrant_and_place, by_part_and_place, by_place, fair_share, win_rates
from sim.engine.measures import Question
from sim.engine.policies import Policy, PolicySpec

LOST_COUNTS = (
    "A game that ends by the rules without a winner counts as not won for all who sat there, and lowers every rate alike; "
    "the fair share is therefore the mean of all rates, an equal part of the games that somebody won. "
)


def win_rate_section(study: Study, question: Question) -> Section:
    """Dot plot per number of seats; the table adds p-values, truncated games and the rates under the policy beside.

    Of teams it shows the parts: all games in which a part's team sat.
    """
    frame = entrant_rates(study)
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
    chart = Chart(question.id, forest(frame), caption, alt, forest(frame, narrow=True))
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


def entrant_rates(study: Study) -> pd.DataFrame:
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


ID = "sure"
QUESTION = "How sure is each win rate, and how many games would make it surer?"
POINTS = (1.0, 0.5, 0.25)  # half-widths that are asked for, in percentage points
DIGITS = 2  # of a number of games that is only expected
ROWS = 24  # entrants in the chart, of more the least sure


def sure(study: Study) -> Section | None:
    """Forest of the win rates with their confidence sequences, and the games and commands for sharper ones.

    Of teams it shows the parts, at two seats.
    """
    found = [
        frame
        for seats in study.contests
        if (frame := sequence_rates(study, seats)) is not None and (frame["n"] > 0).any()
    ]
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


def sequence_rates(study: Study, seats: int) -> pd.DataFrame | None:
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
