"""Result of `fairfight winrates`: win rates, turn positions and matchups from the tally of a run.

Intervals are computed between pairs if games share their dice, else between single games. If policies differ by seat and
entrants rotate through the seats, the variance is the one within seats.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis.answer import verdicts
from analysis.answer.model import Section
from analysis.answer.numbers import THIN, Format, absent, as_shown, count, number, percent, seat_word
from analysis.answer.prose import draws_words, interval_of, limit_words, seated, truncated_words
from analysis.answer.tables import Table, both_ends, rate_columns, table
from analysis.answer.verdicts import COLUMNS, score, with_verdicts
from analysis.data.decks import deck_facts, making_lines
from analysis.data.encounters import SeatStrata, against_fair, overall_gain
from analysis.data.names import forbidden_lines
from analysis.data.rows import distinct
from analysis.stats.intervals import FAIR_BAND
from analysis.winrates import rates
from analysis.winrates.play import INTERRUPTED, REACHED, USED_UP, Command, Played, precision_of
from analysis.winrates.rates import by_entrant_and_place, fair_at, matrix
from sim.engine.dice import SEATS_MAX

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NO_GAIN = 0.1  # gains within this distance of 1 count as none
TOGETHER = {2: "pairs", 3: "threes", 4: "fours"}  # games with the same dice
SHOWN_MAX = 20  # entrants; with more, only both ends of the list are shown, and no matchups
ENDS_SHOWN = 5  # at each end
PAIRS_MAX = 100  # entrants; with more, JSON holds no pairs either, because each has too few games
ALONE = ("fair", verdicts.HEADING, "verdict", "p_fair", "seat 0")  # columns without meaning at one seat
OF_DATA = ("fair", "p_fair")  # columns of JSON and CSV only
JUDGED = {"fair": "fair", "verdict": "verdict", "p_beyond": verdicts.HEADING, "p_holm": "p_fair"}
SHARES = ("success rate", "win share", "fair", *(f"seat {seat}" for seat in range(SEATS_MAX + 1)))
FORMATS: dict[str, Format] = {**dict.fromkeys(SHARES, "percent"), "p_fair": "p"}


def win_rates(played: Played) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `rates.win_rates`; with pairs also pairs, effective and gain.

    With a precision, bounds, p-values and verdicts are those of the confidence sequence, unless it is that of parts of teams.
    """
    experiment, tally, until = played.experiment, played.tally, played.until
    seats, names, fair = experiment.seats, experiment.cards.names, fair_at(tally, experiment.seats)
    strata = played.pairs or _seats_apart(played)
    if strata is None:
        frame = rates.win_rates(tally, seats, names)
    else:
        frame = against_fair(strata.of_entrants, fair)
        frame = with_verdicts(frame, score(frame["estimate"], frame["effective"])).assign(wins=strata.of_entrants["y"])
        frame = rates.ranked(frame, seats, names, (tally.games_of[seats], tally.truncated_of[seats]))
    if until is None or until.of_parts:
        return frame
    judged = until.rates(fair).set_index("unit")
    frame = frame[frame["entrant"].isin(judged.index)].reset_index(drop=True)
    columns = ["low", "high", "p", "p_holm", *COLUMNS]
    return frame.assign(**{name: judged.loc[frame["entrant"], name].to_numpy() for name in columns})


def by_position(played: Played) -> pd.DataFrame:
    """Win share of each turn position: columns as `rates.by_place`; with pairs also pairs, effective and gain."""
    tally, seats = played.tally, played.experiment.seats
    if played.pairs is None:
        return rates.by_place(tally, seats)
    frame = against_fair(played.pairs.of_positions, fair_at(tally, seats))
    return pd.DataFrame({"seats": seats, "position": np.arange(seats)}).join(frame)


def met(played: Played, names: list[str]) -> pd.DataFrame:
    """Every pair of entrants from both sides at two seats: columns as `rates.pairs`; with pairs also pairs, effective, gain.

    p_holm: against an even match, adjusted over all pairs played. Games without a winner are left out.
    """
    strata = played.pairs or _seats_apart(played)
    if strata is None or not strata.has_matchups:
        return rates.pairs(matrix(played.tally, names))
    row, column = np.nonzero(~np.eye(strata.entrants, dtype=bool))
    cells, mirrored = row * strata.entrants + column, column * strata.entrants + row
    half = row < column  # each pair is one test
    tested = against_fair(strata.of_matchups.iloc[cells[half]], 0.5)["p_holm"]
    frame = against_fair(strata.of_matchups.iloc[cells].reset_index(drop=True), 0.5)
    frame = frame.assign(p_holm=tested.loc[np.where(half, cells, mirrored)].to_numpy())
    labels = np.array(distinct(names), object)
    return pd.DataFrame({"name": labels[row], "opponent": labels[column]}).join(frame)


def _seats_apart(played: Played) -> SeatStrata | None:
    """Sums with the variance within seats, if policies differ by seat and entrants rotate through the seats; else None."""
    experiment = played.experiment
    if len(set(experiment.policies)) == 1 or experiment.line_up is not None:
        return None
    return SeatStrata.of(played.tally, experiment.seats)


def winrates_result(played: Played, command: Command | None = None) -> Section:
    """Result of `fairfight winrates`. JSON and CSV hold all rows; the terminal shows both ends of a long list.

    command: writes the command that continues the run.
    """
    experiment, tally, seats, until = played.experiment, played.tally, played.experiment.seats, played.until
    game, teams, names = experiment.game, experiment.teams, distinct(experiment.cards.names)
    word, fair = game.entrant_word, fair_at(tally, seats)
    sitting = range(tally.entrants) if experiment.line_up is None else sorted(set(experiment.line_up))
    tables: dict[str, Table] = {}
    drawn: pd.DataFrame | None = None
    if teams and played.parts is not None and experiment.line_up is None:
        drawn = (until.rates if until else played.parts.rates)(fair)
        columns = rate_columns(name=teams.word) | ({} if until else {"rounds": "rounds"}) | JUDGED
        tables["parts"] = table(drawn, "parts", f"Win rates of {game.entrants_word} by {teams.word}", columns, FORMATS)
    by_seat = by_entrant_and_place(tally, seats, names, "seat")
    by_seat = by_seat[by_seat["entrant"].isin(sitting)]
    places = [f"seat {seat}" for seat in range(seats)]
    apart = pd.DataFrame(by_seat["estimate"].to_numpy().reshape(-1, seats), list(sitting), places)
    frame = win_rates(played)
    frame = frame[frame["entrant"].isin(sitting)].join(apart, on="entrant")
    shown = frame.assign(verdict=frame["verdict"].where(frame["verdict"] != "", None))  # no fair share, no verdict
    columns = rate_columns(name=word) | JUDGED | {"truncated": "truncated"} | ({"gain": "gain"} if played.pairs else {})
    caption = f"Win rates at {seats} seats" if seats > 1 else "Success rates alone"
    whole = table(shown, "win-rates", caption, columns | {name: name for name in places}, FORMATS)
    tables["win_rates"] = whole
    facts = experiment.facts() | {
        "games": played.games,
        "interrupted": played.interrupted,
        "truncated": int(tally.truncated[seats]),
        "draws": int(tally.draws[seats]),
        "decisions": int(tally.decisions[seats]),
        **deck_facts(game, experiment.cards),
    }
    if played.pairs:
        facts |= {"pairs": played.pairs.pairs, "gain": overall_gain(played.pairs.of_entrants)}
    if seats > 1:
        columns = rate_columns(order="turn order") | {"estimate": "win share", "fair": "fair", "p_holm": "p (Holm)"}
        order = by_position(played).assign(order=[f"{position + 1}." for position in range(seats)])
        tables["turn_order"] = table(order, "turn-order", "Who moves first", columns, FORMATS)
    columns = rate_columns(name=word, seat="seat") | {"p_holm": "p (Holm)"}
    details = {"win_rates_by_seat": table(by_seat, "by-seat", f"{game.title}: by seat", columns)}
    if seats == 2 and experiment.line_up is None and tally.entrants <= PAIRS_MAX and tally.has_matchups:
        caption = "Who beats whom: win rate of the row against the column"
        caption += ", without games that had no winner" if tally.lost[2] else ""
        rows = tuple((name, *line) for name, line in zip(names, matrix(tally, names).estimate.tolist(), strict=True))
        tables["matchups"] = Table("matchups", (word, *names), rows, caption, dict.fromkeys(names, "percent"))
        columns = rate_columns(name=word, opponent="against") | {"p_holm": "p (Holm)"}
        details["pairs"] = table(met(played, names), "pairs", f"{game.title}: pairs", columns)
    printed = dict(tables)
    if len(sitting) > SHOWN_MAX:
        known = [row for row in whole.rows if not absent(row[1])]
        caption = f"{whole.caption}: best and worst {ENDS_SHOWN} of {count(len(whole.rows))}"
        ends = tuple(known[:ENDS_SHOWN] + known[ENDS_SHOWN:][-ENDS_SHOWN:])
        printed = {**tables, "win_rates": replace(whole, rows=ends, caption=caption)}
        printed.pop("matchups", None)
    precision, chart = precision_of(played, command), (frame if drawn is None else drawn).assign(seats=seats)
    return Section(
        "winrates",
        answer=best_and_worst(frame if drawn is None else drawn.sort_values("estimate", ascending=False, kind="stable"), seats),
        tables=tuple(tables.values()),
        printed=tuple(map(_printed, printed.values())),
        main=whole,
        lines=tuple(_sentences(played, precision, len(sitting))),
        data={"facts": facts} | ({"precision": precision} if precision else {}) | tables | details,
        draw=lambda: rates_chart(chart),
    )


def best_and_worst(part: pd.DataFrame, seats: int) -> str:
    """Sentence on the entrants with the highest and the lowest rate at one number of seats; part: best first."""
    known, games = part[part["n"] > 0], f"{seated(seats)} games"
    if known.empty:
        return f"None of the {games} came to an end."
    if not known["estimate"].max() > 0:
        return f"None of the {games} was won."
    best, worst = known.iloc[0], known.iloc[-1]
    where, wins, games = ("At one seat ", "succeeds in", "games") if seats == 1 else ("", "wins", games)
    sentence = f"{where}{best['name']} {wins} {percent(best['estimate'])} of its {games} {interval_of(best)}"
    rest = f", the most; {worst['name']} {wins} {percent(worst['estimate'])}, the fewest"
    return f"{sentence}{rest if len(known) > 1 else ''}."


def _printed(whole: Table) -> Table:
    """Table for the terminal: the fair share, equal in all rows, moves into the caption; seats count from 1."""
    if "fair" not in whole.columns or not whole.rows:
        return whole
    fair = whole.rows[0][whole.columns.index("fair")]
    alone = absent(fair)
    kept = [index for index, name in enumerate(whole.columns) if name not in (ALONE if alone else OF_DATA)]
    words = {"win rate": "success rate"} if alone else {f"seat {seat}": seat_word(seat) for seat in range(SEATS_MAX)}
    return replace(
        whole,
        columns=tuple(words.get(whole.columns[index], whole.columns[index]) for index in kept),
        rows=tuple(tuple(row[index] for index in kept) for row in whole.rows),
        caption=whole.caption if alone else f"{whole.caption} (fair: {as_shown(fair, 'percent')})",
    )


def _sentences(played: Played, precision: dict[str, Any], entrants: int) -> list[str]:
    """Sentences on the run and its tables. entrants: those that play."""
    experiment, cards, game = played.experiment, played.experiment.cards, played.experiment.game
    design = f"line-ups: {experiment.design}"
    if played.interrupted:
        design = f"stopped before the {count(experiment.games)} requested games, so line-ups may be slightly uneven"
    sentences = [
        f"{cards.title} (digest {cards.digest}): {count(played.games)} games, seed {experiment.seed}, "
        f"policy {experiment.policy_words}; {design}.",
        *making_lines(cards),
        *forbidden_lines(experiment.forbidden),
        truncated_words(int(played.tally.truncated[experiment.seats]), played.games, limit_words(game.limits_itself)),
        *draws_words(int(played.tally.draws[experiment.seats]), int(played.tally.finished[experiment.seats])),
        *_how_to_read(played),
    ]
    if entrants > SHOWN_MAX:
        sentences.append(
            f"{count(entrants - 2 * ENDS_SHOWN)} {game.entrants_word} between these are not shown: --json and --csv hold all "
            f"{count(entrants)}. In a long list the best look stronger than they are and the worst weaker, because chance helps "
            "to decide who comes out there: play them again with another seed before you rely on it."
        )
    if precision:
        wanted, looks = f"\u00b1{100 * precision['wanted']:g}{THIN}points", len(precision["looks"])
        ending = {
            REACHED: f"Stopped because every win rate is known to {wanted}",
            USED_UP: f"Stopped because the games were used up before every win rate was known to {wanted}",
            INTERRUPTED: f"Interrupted before every win rate was known to {wanted}",
        }[precision["stopped_because"]]
        sentences.append(
            f"{ending}: the widest interval reaches {100 * precision['half_width']:.2f}{THIN}points from its estimate, after "
            f"{count(played.games)} games and {count(looks)} look{'' if looks == 1 else 's'}."
        )
        sentences += [f"To continue from these games: {precision['command']}"] if precision["command"] else []
    if len(set(experiment.policies)) > 1:
        sentences.append(f"Policies differ by seat: compare the seat columns, not one {game.entrant_word} with another.")
    speed = f"Played in {played.elapsed_s:.1f} s: {count(played.games / max(played.elapsed_s, 1e-9))} games/s."
    if played.recalled:
        speed = f"{count(played.recalled)} games were kept from before; the others were played in {played.elapsed_s:.1f} s."
    elif played.was_read:
        speed = f"Computed from a stored run in {played.elapsed_s:.1f} s."
    return [*sentences, speed]


def _how_to_read(played: Played) -> list[str]:
    """Sentences on intervals, the fair share, games without a winner, pairs, and the win rates of parts of teams."""
    experiment, tally, seats, until = played.experiment, played.tally, played.experiment.seats, played.until
    teams, lost, pairs = experiment.teams, int(tally.lost[seats]), played.pairs
    intervals = f"Intervals are Wilson's at 95{THIN}%"
    if until:
        intervals = (
            f"Win rates of the {until.units.words} have confidence sequences at 95{THIN}%, which hold although the run checked "
            f"its results while playing (observations: {until.observations}); other intervals are Wilson's"
        )
    elif pairs or _seats_apart(played):
        intervals += f" with an effective number of games from the variance {'between pairs' if pairs else 'within seats'}"
    sentences = [f"{intervals}.", "At one seat a win is a success; there is no fair share."]
    if seats > 1:
        sentences[1] = verdicts.MEANING.replace("fair share and", f"fair share ({verdicts.band(fair_at(tally, seats))}) and")
    if lost and seats > 1:
        sentences.append(
            f"{count(lost)} finished games ({percent(lost / tally.finished[seats])}) had no winner and count as not won; the "
            "fair share is an equal part of the others."
        )
    if pairs:
        together = TOGETHER.get(pairs.pair_games, "groups")
        sentences.append(
            f"Games come in {together} with the same entrants and dice, once from every seat: {count(pairs.pairs)} {together} "
            f"are the observations. {_gain_words(overall_gain(pairs.of_entrants))}"
        )
    if teams and played.parts is not None and experiment.line_up is None:
        whose = f"The win rate of a {teams.word} is that of its {experiment.game.entrants_word}, partners included"
        rounds = "; its interval is Student's, with rounds as observations, because the games of a round are correlated"
        sentences.append(f"{whose}{'' if until else rounds}.")
    return sentences


def _gain_words(gain: float) -> str:
    """Sentence on how many times as many single games would be needed. gain: see `encounters.overall_gain`."""
    if np.isnan(gain):
        return "Results do not vary, so there is nothing to gain."
    if np.isinf(gain):
        return "All pairs have the same result, which single games could never show."
    if abs(gain - 1) < NO_GAIN:
        return f"Single games would be about as precise (gain {number(gain)})."
    if gain < 1:
        return f"Games of a pair tend to agree: single games would be as precise with {number(gain)} times as many."
    return f"Single games would have to be {number(gain)} times as many for equally precise win rates."


def rates_chart(frame: pd.DataFrame, band: float = FAIR_BAND) -> Figure | None:
    """Forest plot of win rates (see `charts.forest`), of very many both ends; None if no game was finished."""
    from analysis.charts import forest  # noqa: PLC0415 - most runs draw nothing

    known = frame[frame["n"] > 0]
    if known.empty:
        return None
    known = known if "verdict" in known else known.assign(verdict="")
    return forest(both_ends(known.sort_values("estimate", ascending=False, kind="stable")), band=band)
