"""Report sections on win rates: by entrant, by turn position, and how precise they are."""

from __future__ import annotations

from shlex import join

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import bars, forest
from analysis.data.decks import options_of
from analysis.data.names import words_for
from analysis.data.rows import Rows, Tally
from analysis.data.study import OF_TEAMS, Study
from analysis.document import prose
from analysis.document.model import THIN, Chart, Format, Section, Table, both_ends, count, highest, percent, rate_columns, table
from analysis.document.prose import LEAST, OPEN, at_seats, capital, interval, listed, plural, seated, sequence, with_verdicts
from analysis.stats.intervals import FAIR_BAND, shares
from analysis.stats.sequential import ALIKE, FIRST, SECOND, half_widths, share_p, share_sequence
from analysis.stats.sequential import OPEN as UNDECIDED
from analysis.winrates import rates
from analysis.winrates.play import Played, Until, judged_so_far
from analysis.winrates.rates import by_entrant_and_place, by_part_and_place, by_place, fair_share, win_rates
from analysis.winrates.strongest import Standing, Verdict
from analysis.winrates.tables import win_rates as rates_so_far
from sim.engine.measures import Question
from sim.engine.policies import Policy, PolicySpec

LOST_COUNTS = (
    "A game that ends by the rules without a winner counts as not won for every player, and lowers all rates alike; the fair "
    "share is therefore the mean of all rates, an equal part of the games with a winner. "
)


def win_rate_section(study: Study, question: Question) -> Section:
    """Dot plot per number of seats; the tables add p-values, truncated games and the rates under the second policy.

    For teams it shows the parts, over all games of teams with the part.
    """
    frame = entrant_rates(study)
    if _judged_elsewhere(study):
        frame = frame.assign(verdict="")
    word = study.unit_word
    answers = [*(_best_and_worst(part, seats) for seats, part in frame.groupby("seats")), unwon(study)]
    answers = [words for words in answers if words]
    caption = f"Win rates with {study.policy} in every seat, per number of seats, best first. "
    if study.contests:
        share = "an equal part of all wins" if _lost(study) else "1 in k"
        caption += f"Vertical line: fair share, {share}. "
        caption += f"The pale band extends {percent(FAIR_BAND, 0)} of it to both sides."
    if 1 in study.seats:
        caption += " At one seat a win is a success, and there is no fair share."
    alt = f"Dot plot of the win rates of all {plural(word)} with 95 % intervals. " + " ".join(answers)
    note = _contribution_note(study) if study.contests else ""
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
    """Sentence on games stopped at a limit and games without a winner; empty if there are none."""
    tally, sentences = study.tally, []
    stopped = {seats: (tally.truncated[seats], tally.games[seats]) for seats in study.seats}
    lost = {seats: (tally.lost[seats], tally.finished[seats]) for seats in study.contests}
    kinds = {
        "stopped at a limit and left out, of all games": stopped,
        "ended without a winner, of those that came to an end": lost,
    }
    for words, counts in kinds.items():
        shares = {seats: (int(part), int(whole)) for seats, (part, whole) in counts.items() if part}
        if shares:
            where = [f"{percent(part / whole)} {at_seats(seats)}" for seats, (part, whole) in shares.items()]
            sentences.append(f"{words}: {listed(where)}")
    return f"{capital('; '.join(sentences))}." if sentences else ""


def _lost(study: Study) -> bool:
    """Whether some contest ended by the rules without a winner."""
    return any(study.tally.lost[seats] for seats in study.contests)


def _judged_elsewhere(study: Study) -> bool:
    """Whether the parts of teams are judged by their contributions, so that their raw win rates are not judged too."""
    return study.team_study is not None and study.team_study.contributions is not None


def _contribution_note(study: Study) -> str:
    """Sentence on the meaning of p-values and verdicts."""
    if _judged_elsewhere(study):
        return (
            f"These rates are raw, partners and opponents included: whether a {study.unit_word} is too strong or too weak is "
            "judged by its contribution. "
        )
    return f"{prose.MEANING} Intervals are for each row alone. "


def _numbers(study: Study, frame: pd.DataFrame) -> Table:
    """Table of win rates with fair shares, p-values and verdicts."""
    columns = rate_columns(seats="seats", name=study.unit_word)
    if study.contests:
        columns |= {"fair": "fair share"}
    if study.contests and not _judged_elsewhere(study):
        columns |= {"p_beyond": prose.HEADING, "verdict": "verdict"}
    columns |= {"truncated": "truncated"}
    shown = frame.assign(verdict=frame["verdict"].where(frame["verdict"] != "", None))
    return table(shown, "win-rates", f"Win rates with {study.policy}", columns)


def _numbers_beside(study: Study, both: pd.DataFrame) -> Table:
    """Table of the rates under both policies."""
    formats: dict[str, Format] = {str(study.policy): "percent", str(study.beside): "percent", "difference": "points"}
    columns = {"seats": "seats", "name": study.unit_word, "estimate": str(study.policy), "other": str(study.beside)}
    bounds = {name: f"{name} ({study.beside})" for name in ("low", "high", "n")}
    formats |= {bounds["low"]: "percent", bounds["high"]: "percent", bounds["n"]: "count"}
    columns |= bounds | {"difference": "difference"}
    return table(both, "win-rates-beside", f"The same compared with {study.beside}", columns, formats)


def entrant_rates(study: Study) -> pd.DataFrame:
    """Win rates at all numbers of seats, of the entrants or, for teams, of their parts; judged together."""
    frame = pd.concat([_rates(study, study.tally, seats) for seats in study.seats], ignore_index=True)
    return prose.with_verdicts(frame)


def _rates(study: Study, tally: Tally, seats: int) -> pd.DataFrame:
    """Win rates of one tally at one number of seats."""
    if study.teams:
        return rates.part_rates(tally, seats, study.teams.members, study.teams.names)
    return rates.win_rates(tally, seats, study.names)


def _best_and_worst(part: pd.DataFrame, seats: object) -> str:
    known = part[part["n"] > 0]
    games = f"{seated(int(str(seats)))} games"
    if known.empty:
        return f"None of the {games} came to an end."
    best, worst = known.iloc[0], known.iloc[-1]
    if seats == 1:
        sentence = f"At one seat {best['name']} succeeds in {percent(best['estimate'])} of its games "
        sentence += interval(best["low"], best["high"], best["n"])
        return sentence + (f", the most; {worst['name']} in {percent(worst['estimate'])}, the fewest." if len(known) > 1 else ".")
    sentence = f"{best['name']} wins {percent(best['estimate'])} of its {games} "
    sentence += interval(best["low"], best["high"], best["n"])
    return (
        f"{sentence}, the most; {worst['name']} wins {percent(worst['estimate'])}, the fewest."
        if len(known) > 1
        else sentence + "."
    )


def _beside(study: Study, frame: pd.DataFrame, tally: Tally) -> pd.DataFrame:
    """Rates under both policies; low, high and n are those of the second policy."""
    other = [_rates(study, tally, seats) for seats in study.seats]
    beside = pd.concat(other).rename(columns={"estimate": "other"})[["seats", "entrant", "other", "low", "high", "n"]]
    both = frame[["seats", "entrant", "name", "estimate"]].merge(beside, on=["seats", "entrant"], how="left")
    return both.assign(difference=both["other"] - both["estimate"])


def _how_alike(both: pd.DataFrame, study: Study) -> str:
    """Sentence on how much win rates depend on the policy."""
    known = both.dropna(subset=["estimate", "other"])
    moved = known["difference"].abs()
    if known.empty:
        return ""
    largest = highest(known, "difference", size=True)
    sentence = f"Win rates depend on the policy: under {study.beside} they differ by {100 * float(np.mean(moved)):.1f} points "
    sentence += f"on average, most for {largest['name']} {at_seats(largest['seats'])} "
    return sentence + f"({percent(largest['estimate'])} under {study.policy}, {percent(largest['other'])} under {study.beside})."


def turn_order(study: Study, question: Question) -> Section | None:
    """Bars per number of seats; None if there is no first mover or only one seat."""
    frame = places(study)
    if frame.empty:
        return None
    answers = [_first(part, seats) for seats, part in frame.groupby("seats")]
    word = study.unit_word
    caption = f"Win rate by turn position with {study.policy} in every seat, all {plural(study.game.entrant_word)} together."
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
    note = f"Every {word} sits in every seat equally often and therefore, even if the first player is drawn, plays every "
    note += "position equally often on average: differences between positions come from the order of play. p (Holm): against the "
    note += "fair share, adjusted within each number of seats."
    chart = Chart(question.id, bars(frame), caption, "Bars of the win rate by turn position. " + " ".join(answers))
    return Section(question.id, question.text, " ".join(answers), (chart,), tables, note)


def places(study: Study) -> pd.DataFrame:
    """Win rates by turn position at all numbers of seats from two up; empty if no game has a first mover."""
    tables = [by_place(study.tally, seats) for seats in study.contests]
    tables = [part for part in tables if part["n"].sum() > 0]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _by_unit(study: Study, seats: int) -> pd.DataFrame:
    """Win rates by turn position of every entrant or, for teams, of every part."""
    if study.teams:
        return by_part_and_place(study.tally, seats, study.teams.members, study.teams.names)
    return by_entrant_and_place(study.tally, seats, study.names)


def _first(part: pd.DataFrame, seats: object) -> str:
    first, last = part.iloc[0], part.iloc[-1]
    shift = first["estimate"] - first["fair"]
    sure = first["low"] > first["fair"] or first["high"] < first["fair"]
    sentence = f"{at_seats(int(str(seats))).capitalize()} the first player wins {percent(first['estimate'])} "
    sentence += f"{interval(first['low'], first['high'], first['n'])}, "
    if not sure and abs(shift) < LEAST / 2:
        sentence += f"no different from the fair {percent(first['fair'])}"
    else:
        sentence += f"{100 * abs(shift):.1f} points {'above' if shift > 0 else 'below'} the fair {percent(first['fair'])}"
        sentence += "" if sure else ", which may be chance"
    return sentence + (f"; the last player wins {percent(last['estimate'])}." if len(part) > 2 else ".")


def _counted(frame: pd.DataFrame) -> pd.DataFrame:
    """Count positions from 1 for display."""
    return frame.assign(position=frame["position"] + 1)


ID = "sure"
QUESTION = "How precise is each win rate, and how many games would make it more precise?"
POINTS = (1.0, 0.5, 0.25)  # half-widths of the table of games needed, in percentage points
DIGITS = 2  # significant digits of an expected number of games
ROWS = 24  # most entrants in the chart; the least precise if there are more


def sure(study: Study) -> Section | None:
    """Dot plot of win rates with confidence sequences, and the games and commands for more precise ones.

    For teams it shows the parts, at two seats.
    """
    frames = [frame for seats in study.contests if (frame := sequence_rates(study, seats)) is not None and (frame["n"] > 0).any()]
    if not frames:
        return None
    frame = with_verdicts(pd.concat(frames, ignore_index=True))
    frames = [part for _, part in frame.groupby("seats", sort=False)]
    needed = pd.concat([_needed(study, part) for part in frames], ignore_index=True)
    answer = " ".join(_precision(study, part) for part in frames)
    caption = (
        f"Win rates with {study.policy} in every seat. Intervals are confidence sequences at 95{THIN}%: they hold at every "
        f"number of games at once, so you can look while playing and stop at any time.{_left_out(frame)}"
    )
    shown = pd.concat([_least_sure(part) for part in frames], ignore_index=True)
    alt = f"Dot plot of win rates with confidence sequences. {answer}"
    chart = Chart(ID, forest(shown), caption, alt, forest(shown, narrow=True))
    note = (
        "A confidence sequence is about 1.5 times as wide as an interval for a number of games fixed beforehand; that is the "
        "price of looking. An ordinary interval that is checked sixty times misses the true rate at some check in more than a "
        "third of all runs. Games needed are those of a run with --precision, which stops by itself; the games of a shorter run "
        "are the first games of a longer one with the same seed."
    )
    return Section(ID, QUESTION, answer, (chart,), (_table(study, frame), _commands(needed)), note)


def sequence_rates(study: Study, seats: int) -> pd.DataFrame | None:
    """Win rates at this number of seats, best first; None for teams unless there are two seats.

    Columns: seats, name, estimate, low, high (confidence sequence), n, fair, those of `prose.with_verdicts`, fixed (half-width
    for a fixed number of games), half (half-width of the confidence sequence).
    """
    fair = fair_share(seats, float(study.tally.decided[seats]))
    frame = _of_entrants(study, seats, fair) if study.teams is None else _of_parts(study, seats, fair)
    if frame is None:
        return None
    frame = frame.assign(seats=seats, half=half_widths(frame))
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _of_entrants(study: Study, seats: int, fair: float) -> pd.DataFrame:
    """Rates of entrants from independent games: Wilson's interval and the beta-binomial sequence."""
    fixed = win_rates(study.tally, seats, study.names)
    tuned = max(1.0, float(fixed["n"].mean()))
    frame = share_sequence(fixed["wins"], fixed["n"], tuned)
    frame = frame.assign(name=fixed["name"].to_numpy(), fixed=half_widths(fixed), fair=fair)
    return with_verdicts(frame, sequence(frame["estimate"], lambda share: share_p(fixed["wins"], fixed["n"], share, tuned)))


def _of_parts(study: Study, seats: int, fair: float) -> pd.DataFrame | None:
    """Rates of the parts of teams, with rounds as the observations of both intervals."""
    if seats != OF_TEAMS or not study.rows_of_teams:
        return None
    counted = Until(study.main(seats), min(POINTS) / 100)
    counted.add(_joined(study.rows_of_teams))
    fixed = pd.Series(half_widths(shares(counted.sums)).clip(max=1.0), study.units)
    frame = counted.rates(fair)
    return frame.assign(fixed=fixed.loc[frame["name"]].to_numpy())


def _joined(blocks: list[Rows]) -> Rows:
    """Concatenate blocks of rows."""
    return np.concatenate(blocks)


def _needed(study: Study, part: pd.DataFrame) -> pd.DataFrame:
    """Games and command for each half-width at one number of seats: columns seats, points, games, command."""
    seats, widest = int(part["seats"].iloc[0]), float(part["half"].max())
    played = int(study.tally.games[seats])
    lines = []
    for points in POINTS:
        games = played * (100 * widest / points) ** 2
        lines.append({"seats": seats, "points": points, "games": _rounded(games), "command": _command(study, seats, points)})
    return pd.DataFrame(lines)


def _rounded(games: float) -> int:
    """Round up to DIGITS significant digits."""
    size = 10.0 ** (np.floor(np.log10(max(games, 1.0))) + 1 - DIGITS)
    return int(np.ceil(games / size) * size)


def _command(study: Study, seats: int, points: float) -> str:
    """Command that plays until every win rate has this half-width."""
    name, options = words_for(study.game, study.cards)
    words = ["fairfight", "winrates", name, "--seats", str(seats), "--precision", f"{points:g}"]
    if study.policy != PolicySpec(Policy.GREEDY):
        words += ["--policy", str(study.policy)]
    if study.seed != 1:
        words += ["--seed", str(study.seed)]
    return join([*words, *options, *options_of(study.cards)])


def _precision(study: Study, part: pd.DataFrame) -> str:
    """Sentence on the precision of the rates at one number of seats."""
    seats = int(part["seats"].iloc[0])
    least = part.iloc[int(part["half"].to_numpy().argmax())]
    open_ = part.loc[part["verdict"] == OPEN, "name"].tolist()
    sentence = f"{capital(at_seats(seats))} every win rate is known to {100 * least['half']:.2f} points or better after "
    sentence += f"{count(study.tally.games[seats])} games "
    sentence += f"({100 * part['fixed'].max():.2f} if that number had been fixed beforehand)"
    if not open_:
        return f"{sentence}; whether it is fair is decided for every {study.unit_word}."
    return f"{sentence}; whether it is fair is still open for {listed(open_)}."


def _least_sure(part: pd.DataFrame) -> pd.DataFrame:
    """Rows of the chart: at most ROWS, those with the widest intervals."""
    if len(part) <= ROWS:
        return part
    return part.sort_values("half", ascending=False, kind="stable").head(ROWS)


def _left_out(frame: pd.DataFrame) -> str:
    """Sentence on rows that the chart leaves out; empty if it shows all."""
    many = frame.groupby("seats")["name"].size().max() > ROWS
    return f" Only the {ROWS} with the widest intervals are shown." if many else ""


def _table(study: Study, frame: pd.DataFrame) -> Table:
    """Table of both half-widths of every win rate."""
    columns = {"seats": "seats", "name": study.unit_word, "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
    columns |= {"half": "half-width", "fixed": "half-width, fixed games"}
    formats: dict[str, Format] = {"half-width": "percent", "half-width, fixed games": "percent"}
    return table(frame, "how-sure", "Win rates with confidence sequences", columns, formats, ends=ROWS)


def _commands(needed: pd.DataFrame) -> Table:
    """Table of games and commands for each half-width."""
    shown = needed.assign(points=[f"\u00b1{points:g}{THIN}points" for points in needed["points"]])
    columns = {"seats": "seats", "points": "every win rate to", "games": "games, about", "command": "command"}
    return table(shown, "games-needed", "Games until every win rate has this half-width", columns, {"games, about": "count"})


def win_rates_chart(played: Played) -> Figure | None:
    """Win rates with intervals; for teams those of their parts, for very many entrants both ends."""
    seats, parts = played.experiment.seats, played.parts
    if parts is not None and played.experiment.line_up is None:
        fair = fair_share(seats, float(played.tally.decided[seats]))
        frame = (played.until.rates if played.until else parts.rates)(fair)
    else:
        frame = judged_so_far(rates_so_far(played), played)
        line_up = played.experiment.line_up
        frame = frame if line_up is None else frame[frame["entrant"].isin(line_up)]
    return _forest(frame.assign(seats=seats))


def _forest(frame: pd.DataFrame) -> Figure | None:
    """Forest plot of win rates, with verdicts if there are any."""
    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    if "verdict" not in known:
        known = known.assign(verdict="")
    return forest(both_ends(known.sort_values("estimate", ascending=False, kind="stable")))


def strongest_chart(result: Standing) -> Figure | None:
    """Win rates of all entrants with their confidence sequences."""
    seats_ = result.experiment.seats
    return _forest(result.frame.assign(seats=seats_, fair=1 / seats_))


def compare_chart(result: Verdict) -> Figure:
    """The shares of two entrants with confidence sequences and the decision of the test; the band is the margin."""
    columns = ["name", "estimate", "low", "high", "pairs", "n", "truncated"]
    frame = pd.DataFrame(result.main().rows, columns=columns)
    judged = {
        FIRST: (prose.TOO_STRONG, prose.TOO_WEAK),
        SECOND: (prose.TOO_WEAK, prose.TOO_STRONG),
        ALIKE: (prose.FAIR,) * 2,
        UNDECIDED: (prose.OPEN,) * 2,
    }
    band = result.duel.margin / 0.5
    return forest(frame.assign(seats=2, fair=0.5, verdict=judged[result.duel.decision]), band=band)
