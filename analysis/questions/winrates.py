"""Who wins how often: win rates by entrant, by turn position and by pair, and how certain they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import THIN, Format, count, number, percent, rounded_up
from analysis.answer.prose import (
    MANY_TRUNCATED,
    SUMMARY_LENGTH,
    at_seats,
    bounds_of,
    capital,
    distance_words,
    limit_words,
    listed,
    rate_words,
    seated,
)
from analysis.answer.tables import WIN_RATE, Table, both_ends, data_only, highest, rate_columns, table
from analysis.answer.verdict_words import judged
from analysis.data.commands import more_games
from analysis.data.decks import deck_facts, making_lines, options_of
from analysis.data.encounters import overall_gain
from analysis.data.names import forbidden_lines, words_for
from analysis.data.players import games_in, player_words, strong_player
from analysis.data.rows import Tally, distinct
from analysis.data.study import Study, in_passes
from analysis.playtests.rates import winrates as winrates_of_log
from analysis.question import question
from analysis.teams.league import fitted, team_study
from analysis.teams.ridge import Contests
from analysis.winrates.frames import by_position, met, seat_strata, win_rates
from analysis.winrates.play import Played, Until, checked_precision, coupled, most_games, next_run, play, precision_of
from analysis.winrates.rates import by_entrant_and_place, fair_at, matrix
from analysis.winrates.study_rates import POINTS, places, rates_of, sequence_rates
from analysis.winrates.tested import BOTH, QUICK_ONLY, STRONG_ONLY, confirmed_words, levels_words, with_test
from sim.engine.dice import SEATS_MAX

AT_TABLE = "at the table"
NO_GAIN = 0.1  # gains within this distance of 1 count as none
TOGETHER = {2: "pairs", 3: "threes", 4: "fours"}  # games with the same dice
SHOWN_MAX = 20  # entrants; with more, a command shows only both ends of the list, and no matchups
ENDS_SHOWN = 5  # at each end
PAIRS_MAX = 100  # entrants; with more there is no table of pairs, because each has too few games
TESTED = {"strong": "strong players", "strong_verdict": "their verdict", "holds": "holds for"}  # columns of the test
TESTED_DETAILS = ("strong players", "their verdict", "fair")  # see `Table.details`
BOTH_ENDS = 20  # rows shown from each end of a long list on a page
PERCENT = (
    AT_TABLE,
    f"{AT_TABLE}, low",
    f"{AT_TABLE}, high",
    "strong players",
    "contribution",
    "success rate",
    "win share",
    "fair",
    "half-width",
)  # headings of shares
SHARES: dict[str, Format] = dict.fromkeys(PERCENT, "percent")


@question(
    log=winrates_of_log,
    reads=True,
    reads_sums=True,
    writes=("rows",),
    examples=(
        "winrates arena --games 20000 --seats 3",
        "winrates arena --precision 0.5",
        "winrates arena --paired",
        "winrates playtests.csv",
    ),
    title="Who wins how often, and how certain is that?",
)
def winrates(
    study: Study,
    games: int | None = None,
    precision: float | None = None,
    paired: bool = False,
    coupling: str | None = None,
    rows: Path | None = None,
) -> Answer:
    """Win rate of every entrant, by seat, and who beats whom.

    Parameters
    ----------
    games : int, optional
        Games in all, by default those of about six seconds, at most 10,000; rounded up so that all entrants sit equally often on
        every seat. With a precision, the largest number of games.
    precision : float, optional
        Play until every win rate is known to within this many percentage points, such as 0.5.
    paired : bool
        Play every line-up from all seats with the same dice, and analyse as pairs.
    coupling : str, optional
        Couple the dice by seat, the default, or by entrant on any seat.
    rows : Path, optional
        Write every game to a file (.csv, .parquet, .json or .xlsx).

    Examples
    --------
    >>> import fairfight as ff
    >>> rates = ff.winrates("arena", 56, policy="random", progress=False)
    >>> rates.data["facts"]["games"]
    56
    >>> ff.winrates("arena", seats=9)
    Traceback (most recent call last):
    ...
    ValueError: seats=9: Arena is played by 2, 3 or 4 seats

    """
    run = None if study.base is None else asked(study, games, precision, paired, coupling, rows)
    test = tested(study, run)
    frame, order = by_entrant(study, run), by_turn(study, run)
    parts, certain = rates_of_parts(run), certainty(study)
    if test:
        frame, tests = with_test(frame, by_entrant(study, test)), rates_of_parts(test)
        parts = parts if parts is None or tests is None else with_test(parts, tests)
    drawn = frame if parts is None else parts
    word = study.game.entrant_word if run and parts is None else study.unit_word
    levels = [levels_words(drawn, test.games)] if test else []
    contradicts = test is not None and drawn["holds"].isin([QUICK_ONLY, STRONG_ONLY]).any()
    return Answer(
        summary(drawn, min(study.contests or study.seats), word),
        (
            *tables_of_parts(study, parts),
            main_table(study, run, frame),
            *tables_of_turns(study, run, order),
            *tables_of_matchups(study, run),
            *tables_of_report(study, frame, certain),
        ),
        drawings(drawn, order),
        (*([] if contradicts else levels), *parts_notes(study, parts), *notes(study, run, frame, order)),
        facts(run, test) if run else {},
        again=proposed(study, run, drawn),
        shown=study.player.shown,
        warnings=(*(levels if contradicts else []), *warnings(study, run)),
    )


def asked(
    study: Study, games: int | None, precision: float | None, paired: bool, coupling: str | None, rows: Path | None
) -> Played:
    """Play the games of a command, or read them."""
    half_width = None if precision is None else checked_precision(precision)
    experiment = in_passes(study.design(study.games_in())) if games is None else study.design(games)
    if study.given is None:
        experiment = coupled(experiment, paired, "seat" if coupling is None else coupling)
    elif paired and not experiment.paired:
        raise ValueError("paired=True: these games were not played in pairs; leave it out")
    elif coupling is not None and coupling != experiment.coupling:
        raise ValueError(f"coupling={coupling}: these games were played with {experiment.coupling}; leave it out")
    if half_width is None:
        return play(experiment, study.player, rows=rows)
    if games is None:
        experiment = replace(experiment, games_wanted=most_games(experiment, half_width))
    return play(experiment, study.player, Until(experiment, half_width), rows)


def tested(study: Study, run: Played | None) -> Played | None:
    """The games of the strong players that test the verdicts of quick ones; by default those of `winrates` without --quick.

    None unless quick players were asked for, and if all games were read or the command was interrupted.
    """
    if run is None or study.tester is None or run.interrupted:
        return None
    strong = replace(run.experiment, policies=(study.tester,))
    games = games_in(study.game, strong.policies, strong.seats)
    wanted = in_passes(replace(strong, games_wanted=games)) if games < run.games else strong
    return play(wanted, study.player)


def proposed(study: Study, run: Played | None, rates: pd.DataFrame) -> dict[str, Any]:
    """Arguments with which a command gets a more certain answer: the next precision, or more games if a verdict is open."""
    if run is None:
        return {}
    if run.until or run.interrupted or study.given:
        return next_run(run)
    return more_games(run.games) if (rates["verdict"] == verdicts.OPEN).any() else {}


# ---- frames ----------------------------------------------------------------------------------------------------------


def by_entrant(study: Study, run: Played | None) -> pd.DataFrame:
    """Win rates, judged together at each number of seats: see `rates.win_rates`; of a command also seat_0, seat_1, ...

    A report has the rates of the parts of teams, a command those of the teams.
    """
    if run is None:
        frame = rates_of(study, study.tally)
        if study.table is not None:
            frame = frame.merge(study.table, on=["seats", "name"], how="left")
        teams = team_study(study)
        return frame.assign(verdict="") if teams is not None and teams.contributions is not None else frame
    frame = win_rates(run)
    seats = by_seat(run)
    names = [f"seat_{seat}" for seat in range(run.experiment.seats)]
    apart = pd.DataFrame(seats["estimate"].to_numpy().reshape(-1, len(names)), sitting(run), names)
    return frame[frame["entrant"].isin(sitting(run))].join(apart, on="entrant")


def sitting(run: Played) -> list[int]:
    """Entrants that play."""
    line_up = run.experiment.line_up
    return list(range(run.tally.entrants)) if line_up is None else sorted(set(line_up))


def by_seat(run: Played) -> pd.DataFrame:
    """Win rate of each entrant on each seat."""
    frame = by_entrant_and_place(run.tally, run.experiment.seats, run.experiment.cards.names, "seat")
    chosen: pd.DataFrame = frame[frame["entrant"].isin(sitting(run))]
    return chosen


def rates_of_parts(run: Played | None) -> pd.DataFrame | None:
    """Win rates of the parts of teams in a command, with rounds as observations; None without parts."""
    if run is None or run.parts is None or run.experiment.line_up is not None:
        return None
    fair = fair_at(run.tally, run.experiment.seats)
    rates = run.until.rates(fair) if run.until else run.parts.rates(fair)
    return by_contribution(run, rates.assign(seats=run.experiment.seats))


def by_contribution(run: Played, rates: pd.DataFrame) -> pd.DataFrame:
    """What parts contribute, with interval and verdict, as in reports; their rates are in the column raw. Unchanged if too few.

    A raw rate also has what partners and opponents contribute.
    """
    experiment = run.experiment
    if run.team_rows is None or experiment.teams is None:
        return rates
    games = Contests.of(run.team_rows, experiment.round_of(run.team_rows["game"].astype(np.int64)))
    model = fitted(games, experiment.teams)
    if model is None:
        return rates
    judged = model.parts.set_index("part")[["estimate", "low", "high", "verdict"]]
    joined = rates.rename(columns={"estimate": "raw"}).drop(columns=["low", "high", "verdict"]).join(judged, on="part")
    return joined.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def by_turn(study: Study, run: Played | None) -> pd.DataFrame:
    """Win share of each turn position from two seats up; empty where no game has a first player."""
    if run is None:
        return places(study)
    return by_position(run) if run.experiment.seats > 1 else pd.DataFrame()


def certainty(study: Study) -> pd.DataFrame | None:
    """Win rates of a report with confidence sequences, see `sequence_rates`; None for a command, and without games."""
    if study.base is not None:
        return None
    frames = [sequence_rates(study, seats) for seats in study.contests]
    known = [frame for frame in frames if frame is not None and (frame["n"] > 0).any()]
    return pd.concat(known, ignore_index=True) if known else None


def games_needed(study: Study, certain: pd.DataFrame) -> pd.DataFrame:
    """Games until every win rate has a half-width: columns seats, points, games and command."""
    rows = []
    for index, part in certain.groupby("seats", sort=False):
        seats, widest = int(str(index)), float(part["half"].max())
        for points in POINTS:
            games = int(study.tally.games[seats]) * (100 * widest / points) ** 2
            rows.append((seats, points, rounded_up(games), precision_command(study, seats, points)))
    return pd.DataFrame(rows, columns=["seats", "points", "games", "command"])


def precision_command(study: Study, seats: int, points: float) -> str:
    """Command that plays until every win rate has this half-width."""
    name, options = words_for(study.game, study.cards)
    words = ["fairfight", "winrates", name, "--seats", str(seats), "--precision", f"{points:g}"]
    words += ["--policy", str(study.policy)] if study.policy != strong_player(study.game) else []
    words += ["--seed", str(study.seed)] if study.seed != 1 else []
    return join([*words, *options, *options_of(study.cards)])


def beside(study: Study, frame: pd.DataFrame) -> pd.DataFrame | None:
    """Win rates of a report beside those under the second policy: estimate, other, other_low, other_high, other_n, difference."""
    if study.base is not None or study.tally_beside is None:
        return None
    names = {"estimate": "other", "low": "other_low", "high": "other_high", "n": "other_n"}
    other = rates_of(study, study.tally_beside).rename(columns=names)
    columns = ["seats", "entrant", *names.values()]
    both = frame[["seats", "entrant", "name", "estimate"]].merge(other[columns], on=["seats", "entrant"], how="left")
    return both.assign(difference=both["other"] - both["estimate"])


# ---- tables ----------------------------------------------------------------------------------------------------------


def main_table(study: Study, run: Played | None, frame: pd.DataFrame) -> Table:
    """Win rates, best first."""
    word = study.game.entrant_word if run else study.unit_word
    alone = study.seats == (1,)
    columns = {"seats": "seats"} if run is None else {}
    columns |= rate_columns(name=word)
    if alone:
        columns["estimate"] = "success rate"
    elif (frame["verdict"] != "").any():
        columns |= {"verdict": "verdict"}
        columns |= TESTED if "holds" in frame else {}
    columns |= {"fair": "fair share"} if run is None and study.contests else {}
    columns |= {"truncated": "truncated"}
    columns |= {"table": AT_TABLE, "table_low": f"{AT_TABLE}, low", "table_high": f"{AT_TABLE}, high"} if "table" in frame else {}
    columns |= {"gain": "gain"} if "gain" in frame else {}
    places = {f"seat_{seat}": f"seat {seat + 1}" for seat in range(SEATS_MAX) if f"seat_{seat}" in frame and not alone}
    columns |= places
    formats: dict[str, Format] = {**SHARES, **dict.fromkeys(places.values(), "percent")}
    fair = {float(share) for share in frame["fair"].dropna()}
    caption = "Success rates" if alone else "Win rates"
    caption += f" in {count(run.games)} games" if run else ""
    caption += f" with {study.players}" + (f" (fair: {verdicts.band(min(fair))})" if len(fair) == 1 else "")
    ends = ENDS_SHOWN if run and len(frame) > SHOWN_MAX else BOTH_ENDS
    shown = frame.assign(verdict=frame["verdict"].where(frame["verdict"] != "", None))
    details = (*TESTED_DETAILS, "fair share") if len(fair) == 1 else TESTED_DETAILS
    return table(shown, "win_rates", caption, columns, formats, ends, details=details)


def tables_of_parts(study: Study, parts: pd.DataFrame | None) -> list[Table]:
    """Win rates of the parts of teams. parts: see `rates_of_parts`."""
    if parts is None:
        return []
    columns = rate_columns(name=study.unit_word) | ({"rounds": "rounds"} if "rounds" in parts else {})
    columns |= {"estimate": "contribution", "raw": WIN_RATE} if "raw" in parts else {}
    columns |= {"fair": "fair", "verdict": "verdict"}
    columns |= TESTED if "holds" in parts else {}
    caption = f"What each {study.unit_word} contributes" if "raw" in parts else f"Win rates by {study.unit_word}"
    caption += f" with {study.players} (fair: {verdicts.band(float(parts['fair'].iloc[0]))})"
    return [table(parts.drop(columns="part"), "parts", caption, columns, SHARES, BOTH_ENDS, details=TESTED_DETAILS)]


def tables_of_turns(study: Study, run: Played | None, order: pd.DataFrame) -> list[Table]:
    """Turn positions, and entrants by seat (a command) or by turn position (a report)."""
    tables = []
    seats = {"seats": "seats"} if run is None else {}
    if len(order):
        numbered = order.assign(order=[f"{position + 1}." for position in order["position"]])
        columns = {**seats, **rate_columns(order="turn order"), "estimate": "win share", "fair": "fair", "p_holm": "p (Holm)"}
        tables.append(replace(table(numbered, "turn_order", "Who moves first", columns, SHARES), whole=order))
    if run:
        return [*tables, data_only(by_seat(run), "win_rates_by_seat")]
    if len(order):
        members = study.teams.members if study.teams else None
        frames = [by_entrant_and_place(study.tally, number, study.units, members=members) for number in study.contests]
        each = pd.concat(frames)
        each = each[each["n"] > 0]
        numbered = each.assign(order=each["position"] + 1)
        columns = {"seats": "seats", **rate_columns(name=study.unit_word, order="turn order"), "p_holm": "p (Holm)"}
        shown = table(numbered, "turn_order_by_entrant", f"Turn order by {study.unit_word}", columns)
        tables.append(replace(shown, whole=each))
    return tables


def tables_of_matchups(study: Study, run: Played | None) -> list[Table]:
    """Who beats whom in a command at two seats."""
    if run is None:
        return []
    experiment, tally = run.experiment, run.tally
    meet = experiment.seats == 2 and experiment.line_up is None and tally.has_matchups
    if not meet or tally.entrants > PAIRS_MAX:
        return []
    names = distinct(experiment.cards.names)
    caption = "Who beats whom: win rate of the row against the column"
    caption += ", without games that had no winner" if tally.lost[2] else ""
    rows = [(name, *line) for name, line in zip(names, matrix(tally, names).estimate.tolist(), strict=True)]
    headings = (study.game.entrant_word, *names)
    formats: dict[str, Format] = dict.fromkeys(names, "percent")
    return [Table("pairs", headings, tuple(rows), caption, formats, whole=met(run, names), hidden=len(names) > SHOWN_MAX)]


def tables_of_report(study: Study, frame: pd.DataFrame, certain: pd.DataFrame | None) -> list[Table]:
    """Win rates beside those under the second policy, and games for more certain ones."""
    tables = []
    word, policy, other = study.unit_word, study.players, str(study.beside)
    both = beside(study, frame)
    if both is not None:
        columns = {"seats": "seats", "name": word, "estimate": policy, "other": other}
        columns |= {f"other_{name}": f"{name} ({other})" for name in ("low", "high", "n")}
        shares: dict[str, Format] = {columns[name]: "percent" for name in ("estimate", "other", "other_low", "other_high")}
        formats: dict[str, Format] = {**shares, columns["other_n"]: "count", "difference": "points"}
        caption = f"The same compared with {other}"
        tables.append(table(both, "beside", caption, columns | {"difference": "difference"}, formats))
    if certain is not None:
        needed = games_needed(study, certain)
        wanted = needed.assign(wanted=[f"\u00b1{points:g}{THIN}points" for points in needed["points"]])
        columns = {"seats": "seats", "wanted": "every win rate to", "games": "games, about", "command": "command"}
        made = table(wanted, "games_needed", "Games until every win rate has this half-width", columns)
        tables.append(replace(made, below="command", whole=needed))
    return tables


# ---- charts ----------------------------------------------------------------------------------------------------------


def drawings(rates: pd.DataFrame, order: pd.DataFrame) -> tuple[Chart, ...]:
    """Win rates and turn order; without games that came to an end, none."""
    known = rates[rates["n"] > 0]
    if known.empty:
        return ()
    if len(set(known["seats"])) == 1:
        known = both_ends(known.sort_values("estimate", ascending=False, kind="stable"))
    title, narrow = "Win rates with 95 % intervals.", lambda: charts.forest(known, narrow=True)
    drawn = [Chart(lambda: charts.forest(known), title, narrow=narrow)]
    if len(order) and order["n"].sum() > 0:
        drawn.append(Chart(lambda: charts.bars(order), "Win share by turn order.", "turn_order"))
    return tuple(drawn)


# ---- sentences -------------------------------------------------------------------------------------------------------


def summary(rates: pd.DataFrame, seats: int, word: str) -> str:
    """Who is too strong or too weak at a number of seats; else who wins most and least. word: for an entrant.

    Of the verdicts of quick players, only those count that the strong ones confirm.
    """
    ranked = rates[(rates["n"] > 0) & (rates["seats"] == seats)].sort_values("estimate", ascending=False, kind="stable")
    if ranked.empty:
        return f"None of the {seated(seats)} games came to an end."
    if not ranked["estimate"].max() > 0:
        return f"None of the {seated(seats)} games was won."
    levels = ""
    if "holds" in rates:
        words = confirmed_words(rates)
        levels = f"; {words}" if words else ""
        ranked = ranked.assign(verdict=ranked["verdict"].where(ranked["holds"] == BOTH, verdicts.OPEN))
    is_judged = (ranked["verdict"] != "").any()
    said = judged(ranked, word, SUMMARY_LENGTH - len(levels)) if is_judged else ends_words(ranked, seats)
    return f"{said}{levels}."


def ends_words(known: pd.DataFrame, seats: int) -> str:
    """Who wins most and least, where there is no fair share. known: best first."""
    best, worst = known.iloc[0], known.iloc[-1]
    where, wins, games = ("Alone ", "succeeds in", "games") if seats == 1 else ("", "wins", f"{seated(seats)} games")
    sentence = f"{where}{best['name']} {wins} {percent(best['estimate'])} of its {games} {bounds_of(best)}"
    return f"{sentence}, the most; {worst['name']} {percent(worst['estimate'])}, the fewest" if len(known) > 1 else sentence


def warnings(study: Study, run: Played | None) -> list[str]:
    """Many games without a result, policies that differ by seat, and a precision that was not reached."""
    sentences = games_left_out(study, run.tally if run else study.tally, many=True)
    if run is None:
        return sentences
    experiment = run.experiment
    if len(set(experiment.policies)) > 1:
        word = experiment.game.entrant_word
        sentences.append(f"Players differ by seat: compare the seat columns (--all), not one {word} with another.")
    known = precision_of(run)
    if known and known["half_width"] > known["wanted"]:
        sentences.append(precision_words(run)[0])
    return sentences


def parts_notes(study: Study, parts: pd.DataFrame | None) -> list[str]:
    """How parts are judged, if not by their rates."""
    if parts is None or "raw" not in parts:
        return []
    team, part = study.game.entrant_word, study.unit_word
    return [
        f"A {part} is judged by its contribution: how often a {team} with it, in place of an average one, beats a {team} that is "
        "otherwise equal. Its win rate also depends on partners and opponents."
    ]


def notes(study: Study, run: Played | None, frame: pd.DataFrame, order: pd.DataFrame) -> list[str]:
    """How rates are judged, which games count, and what was played."""
    tally = run.tally if run else study.tally
    return [
        *how_judged(study, tally, frame),
        *games_left_out(study, tally, many=False),
        *turn_words(order),
        *(of_command(run) if run else difference_words(study, frame)),
    ]


def how_judged(study: Study, tally: Tally, frame: pd.DataFrame) -> list[str]:
    """When a rate is too strong, too weak or fair."""
    if not study.contests:
        return []
    if study.base is None and study.teams and (frame["verdict"] == "").all():
        word = study.unit_word
        return [f"These rates are raw, partners and opponents included: a {word} is judged by its contribution."]
    bands = [verdicts.band(fair_at(tally, seats)) for seats in study.contests]
    return [f"The fair band is {listed(bands)}. {verdicts.MEANING}"]


def games_left_out(study: Study, tally: Tally, many: bool) -> list[str]:
    """Games stopped at a limit, without a winner, or shared. many: those of which there are many, else those with few."""
    limit = limit_words(study.game.limits_itself)
    kinds = (
        (f"Stopped at {limit} and left out, of all games", study.seats, tally.truncated, tally.games),
        ("Ended without a winner and counted as not won", study.contests, tally.lost, tally.finished),
        ("Ended in a shared win, of which each share counts", study.contests, tally.draws, tally.finished),
    )
    sentences = []
    for words, seats, part, whole in kinds:
        some = {one: int(part[one]) / int(whole[one]) for one in seats if part[one]}
        if some and (max(some.values()) >= MANY_TRUNCATED and part is not tally.draws) is not many:
            continue
        shares = [f"{percent(share, 2)} {at_seats(one)}" for one, share in some.items()]
        sentences += [f"{words}: {listed(shares)}."] if shares else []
    return sentences


def turn_words(order: pd.DataFrame) -> list[str]:
    """Sentences on who moves first. order: see `by_turn`."""
    if order.empty:
        return []
    return [first_words(part, int(str(seats))) for seats, part in order.groupby("seats") if part["n"].sum()]


def first_words(part: pd.DataFrame, seats: int) -> str:
    """Sentence on the win shares of the first and the last player. part: turn positions at one number of seats."""
    first, last = part.iloc[0], part.iloc[-1]
    sure = first["low"] > first["fair"] or first["high"] < first["fair"]
    far = distance_words(first["estimate"], first["fair"], sure, f"the fair {percent(first['fair'])}")
    sentence = f"{capital(at_seats(seats))} the first player wins {rate_words(first)}, {far}"
    return f"{sentence}; the last player wins {percent(last['estimate'])}." if len(part) > 2 else f"{sentence}."


def difference_words(study: Study, frame: pd.DataFrame) -> list[str]:
    """Sentence on the differences from the second policy."""
    both = beside(study, frame)
    known = pd.DataFrame() if both is None else both.dropna(subset=["estimate", "other"])
    if known.empty:
        return []
    most = highest(known, "difference", size=True)
    mean = 100 * known["difference"].abs().mean()
    return [
        f"Under {study.beside} win rates differ by {mean:.1f} points on average, most for {most['name']} "
        f"{at_seats(most['seats'])} ({percent(most['estimate'])}, under {study.beside} {percent(most['other'])})."
    ]


def of_command(run: Played) -> list[str]:
    """How the games of a command were played and analysed."""
    experiment, cards = run.experiment, run.experiment.cards
    sentences = [*pairs_words(run), *precision_words(run)]
    if seat_strata(run) is not None:
        sentences.append("Intervals use the variance within seats.")
    if len(sitting(run)) > SHOWN_MAX:
        sentences.append("The best of a long list look stronger than they are: play them again with another seed.")
    design = "line-ups may be slightly uneven" if run.interrupted else f"line-ups: {experiment.design}"
    players = player_words(experiment.game, experiment.policies, exact=True)
    played = f"{cards.title}: {count(run.games)} games of {players}, seed {experiment.seed}; {design}."
    return [*sentences, *making_lines(cards), *forbidden_lines(experiment.forbidden), played]


def pairs_words(run: Played) -> list[str]:
    """Sentence on games with the same dice, and what they gain."""
    if run.pairs is None:
        return []
    together = TOGETHER.get(run.pairs.pair_games, "groups")
    gain = overall_gain(run.pairs.of_entrants)
    begin = f"{capital(together)} of games with the same dice are the observations"
    if not np.isfinite(gain) or abs(gain - 1) < NO_GAIN:
        return [f"{begin}."]
    return [f"{begin}; {number(gain)} times as many single games would be as precise."]


def precision_words(run: Played) -> list[str]:
    """Sentences on a run that ends by its precision."""
    known = precision_of(run)
    if not known:
        return []
    looks, wanted = len(known["looks"]), f"\u00b1{100 * known['wanted']:g}{THIN}points"
    return [
        f"{capital(known['stopped_because'])} (wanted {wanted}): the widest interval reaches "
        f"{100 * known['half_width']:.2f}{THIN}points from its estimate, after {count(looks)} look{'' if looks == 1 else 's'}.",
        "Intervals are confidence sequences, which hold although the results were checked while playing.",
    ]


def facts(run: Played, test: Played | None) -> dict[str, Any]:
    """What was played, and how it was tested."""
    experiment, tally, seats = run.experiment, run.tally, run.experiment.seats
    known = experiment.facts() | {
        "games": run.games,
        "interrupted": run.interrupted,
        "truncated": int(tally.truncated[seats]),
        "draws": int(tally.draws[seats]),
        "decisions": int(tally.decisions[seats]),
        **deck_facts(experiment.game, experiment.cards),
    }
    if run.pairs:
        known |= {"pairs": run.pairs.pairs, "gain": overall_gain(run.pairs.of_entrants)}
    if test:
        known["tested"] = {"policy": test.experiment.policy_words, "games": test.games}
    precision = precision_of(run)
    return known | ({"precision": precision} if precision else {})
