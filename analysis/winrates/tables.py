"""Tables of `fairfight winrates`: win rates, turn positions and matchups from the tally of a run.

Intervals are computed between pairs if games share their dice, else between single games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.decks import deck_facts, making_lines
from analysis.data.encounters import PairTally, SeatStrata, against_fair, overall_gain
from analysis.data.names import forbidden_lines
from analysis.data.rows import Tally, distinct
from analysis.document import prose
from analysis.document.model import (
    THIN,
    Format,
    Table,
    absent,
    as_shown,
    count,
    limit_words,
    number,
    percent,
    seat_word,
    truncated_words,
)
from analysis.document.prose import capital, score, with_verdicts
from analysis.stats.intervals import LEVEL
from analysis.winrates import play, rates
from analysis.winrates.play import Played
from analysis.winrates.rates import by_entrant_and_place, fair_share, matrix
from sim.engine.contract import Game
from sim.experiments.experiment import Coupling, Experiment

NO_GAIN = 0.1  # gains within this distance of 1 count as none
TOGETHER = {2: "pairs", 3: "threes", 4: "fours"}  # games with the same dice


def coupled(experiment: Experiment, paired: bool, coupling: str) -> Experiment:
    """Return the experiment with games in pairs, if wanted, and dice keyed by seat or by entrant.

    Raises ValueError for an unknown coupling, and if a line-up cannot be played from every seat.
    """
    words: tuple[Coupling, ...] = ("seat", "entrant")
    if coupling not in words:
        raise ValueError(f"coupling={coupling!r} must be seat or entrant")
    changed = replace(experiment, paired=paired, coupling=words[words.index(coupling)])
    if paired and changed.pair_games == 1:
        alone = changed.seats == 1
        why = (
            "with one seat there are no seats to swap"
            if alone
            else f"{changed.game.entrants_word} of these cards are only formed during the game"
        )
        raise ValueError(f"--paired: {why}, so there are no pairs; leave it out")
    return changed


def win_rates(played: Played) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `rates.win_rates`; with pairs also pairs, effective and gain."""
    names, tally = list(played.experiment.cards.names), played.tally
    strata = played.pairs or _seats_apart(played)
    if strata is None:
        return rates.win_rates(tally, played.experiment.seats, names)
    return _win_rates(strata, tally, names)


def by_position(played: Played) -> pd.DataFrame:
    """Win share of each turn position: columns as `rates.by_place`; with pairs also pairs, effective and gain."""
    if played.pairs is None:
        return rates.by_place(played.tally, played.experiment.seats)
    return _by_position(played.pairs, played.tally)


def met(played: Played, names: list[str]) -> pd.DataFrame:
    """Every pair of entrants from both sides at two seats: columns as `rates.pairs`; with pairs also pairs, effective, gain."""
    strata = played.pairs or _seats_apart(played)
    if strata is None or not strata.has_matchups:
        return rates.pairs(rates.matrix(played.tally, names))
    return _matchups(strata, names)


def _seats_apart(played: Played) -> SeatStrata | None:
    """Sums with the variance within seats, if policies differ by seat and entrants rotate through the seats; else None."""
    experiment = played.experiment
    if len(set(experiment.policies)) == 1 or experiment.line_up is not None:
        return None
    return SeatStrata.of(played.tally, experiment.seats)


def intervals(played: Played) -> str:
    """Sentence on how intervals are computed."""
    if played.pairs is None:
        within = " with an effective number of games from the variance within seats" if _seats_apart(played) else ""
        return f"intervals are Wilson's at 95{THIN}%{within}."
    return f"intervals are Wilson's at 95{THIN}% with an effective number of games from the variance between pairs."


def lines(played: Played) -> list[str]:
    """Sentence on pairs and their gain; empty without pairs."""
    return [] if played.pairs is None else [_words(played.pairs)]


def facts(played: Played) -> dict[str, Any]:
    """The number of pairs and the gain, by name; empty without pairs."""
    if played.pairs is None:
        return {}
    return {"pairs": played.pairs.pairs, "gain": overall_gain(played.pairs.of_entrants)}


def _win_rates(pairs: PairTally | SeatStrata, tally: Tally, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Win rate of each entrant, best first: columns as `rates.win_rates`, and pairs, effective, gain."""
    fair = fair_share(pairs.seats, float(tally.decided[pairs.seats]))
    frame = against_fair(pairs.of_entrants, fair, level)
    played = tally.games_of[pairs.seats] + tally.truncated_of[pairs.seats]
    truncated = tally.truncated_of[pairs.seats]
    frame = with_verdicts(frame, score(frame["estimate"], frame["effective"])).assign(
        wins=pairs.of_entrants["y"], truncated=np.divide(truncated, played, out=np.full(played.size, np.nan), where=played > 0)
    )
    frame.insert(0, "seats", pairs.seats)
    frame.insert(1, "entrant", np.arange(len(names)))
    frame.insert(2, "name", distinct(names))
    return frame.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _by_position(pairs: PairTally, tally: Tally, level: float = LEVEL) -> pd.DataFrame:
    """Win share of each turn position, 0 moved first: columns as `rates.by_place`, and pairs, effective, gain."""
    frame = against_fair(pairs.of_positions, fair_share(pairs.seats, float(tally.decided[pairs.seats])), level)
    frame.insert(0, "seats", pairs.seats)
    frame.insert(1, "position", np.arange(pairs.seats))
    return frame


def _matchups(pairs: PairTally | SeatStrata, names: list[str], level: float = LEVEL) -> pd.DataFrame:
    """Every pair of entrants from both sides at two seats: columns as `rates.pairs`, and pairs, effective, gain.

    p_holm: against an even match, adjusted over all pairs played. Games without a winner are left out.
    """
    row, column = np.nonzero(~np.eye(pairs.entrants, dtype=bool))
    cells = row * pairs.entrants + column
    half = row < column  # each pair is one test
    tested = against_fair(pairs.of_matchups.iloc[cells[half]], 0.5, level)["p_holm"]
    other = np.where(half, cells, column * pairs.entrants + row)
    frame = against_fair(pairs.of_matchups.iloc[cells].reset_index(drop=True), 0.5, level)
    labels = np.array(distinct(names), object)
    facts: dict[str, Any] = {"name": labels[row], "opponent": labels[column]}
    return pd.DataFrame(facts).join(frame.assign(p_holm=tested.loc[other].to_numpy()))


def _words(pairs: PairTally) -> str:
    name = TOGETHER.get(pairs.pair_games, "groups")
    gain = overall_gain(pairs.of_entrants)
    sentence = f"Games come in {name} with the same entrants and dice, once from every seat: {count(pairs.pairs)} {name} are the "
    sentence += "observations. "
    if np.isnan(gain):
        return sentence + "Results do not vary, so there is nothing to gain."
    if np.isinf(gain):
        return sentence + "All pairs have the same result, which single games could never show."
    if abs(gain - 1) < NO_GAIN:
        return sentence + f"Single games would be about as precise (gain {number(gain)})."
    if gain < 1:
        return sentence + f"Games of a pair tend to agree: single games would be as precise with {number(gain)} times as many."
    return sentence + f"Single games would have to be {number(gain)} times as many for equally precise win rates."


SHOWN_MAX = 20  # entrants; with more, only both ends of the list are shown, and no matchups
ENDS_SHOWN = 5  # at each end
PAIRS_MAX = 100  # entrants; with more, JSON holds no pairs either, because each has too few games
ALONE = ("fair", prose.HEADING, "verdict", "p_fair", "seat 0")  # columns without meaning at one seat
OF_DATA = ("fair", "p_fair")  # columns of JSON and CSV only
JUDGED = {"verdict": "verdict", prose.HEADING: "p_beyond", "p_fair": "p_holm"}
P_FORMATS: dict[str, Format] = {prose.HEADING: "p", "p_fair": "p"}
SEAT = "seat "  # prefix of the columns by seat; JSON and CSV count seats from 0
RATE = {"win rate": "success rate"}  # heading at one seat


@dataclass(frozen=True)
class Summary:
    """Win rates of one run, as tables and as plain values."""

    facts: dict[str, Any]
    parts: Table | None  # if entrants are teams
    win_rates: Table  # with the fair share in every row, as in JSON and CSV
    turn_order: Table | None  # at two seats or more
    matchups: Table | None  # at two seats, unless there are very many entrants
    details: dict[str, Table]  # rates by seat and by pair with interval and n, for JSON only
    lines: tuple[str, ...]  # sentences that explain the tables
    stopped: dict[str, Any]  # why a run with --precision ended, under `precision`
    less_luck: Table | None = None  # win rates with the luck taken out, if requested

    def main(self) -> Table:
        """Return the table of the CSV file."""
        return self.win_rates

    def tables(self) -> list[Table]:
        """Return the tables in reading order; of long ones only both ends."""
        few = len(self.win_rates.rows) <= SHOWN_MAX
        chosen = (self.parts, _ends(self.win_rates), self.less_luck, self.turn_order, self.matchups if few else None)
        return [_shown(table) for table in chosen if table]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        names = ("parts", "win_rates", "less_luck", "turn_order", "matchups")
        tables: dict[str, Table | None] = {name: getattr(self, name) for name in names}
        present = {name: table for name, table in tables.items() if table}
        return {"facts": self.facts} | self.stopped | present | self.details


def summarise(game: Game, played: Played, command: play.Command | None = None) -> Summary:
    """Build the tables from a tally. command: writes the command that continues the run."""
    experiment, tally, seats = played.experiment, played.tally, played.experiment.seats
    run_facts = experiment.facts() | {
        "games": played.games,
        "interrupted": played.interrupted,
        "truncated": int(tally.truncated[seats]),
        "decisions": int(tally.decisions[seats]),
        **deck_facts(game, experiment.cards),
        **facts(played),
    }
    design = f"line-ups: {experiment.design}"
    if played.interrupted:
        design = f"stopped before the {count(experiment.games)} requested games, so line-ups may be slightly uneven"
    sentences = (
        f"{experiment.cards.title} (digest {experiment.cards.digest}): {count(played.games)} games, seed {experiment.seed}, "
        f"policy {experiment.policy_words}; {design}.",
        *making_lines(experiment.cards),
        *forbidden_lines(experiment.forbidden),
        truncated_words(int(tally.truncated[seats]), played.games, limit_words(game.limits_itself)),
        capital(_of_intervals(played)),
        *_of_fairness(tally, seats),
        *lines(played),
        *_of_parts(played),
        *_of_ends(game, len(_sitting(played))),
        *play.lines(played, command),
        *_of_policies(experiment, game.entrant_word),
        played.time_words,
    )
    return Summary(
        run_facts,
        _parts_table(played),
        _rates_table(game, played),
        _order_table(played) if seats > 1 else None,
        _matchup_table(game, played) if _has_pairs(played) else None,
        _details(game, played),
        sentences,
        play.as_json(played, command),
    )


def _of_intervals(played: Played) -> str:
    """Sentence on how intervals are computed."""
    if played.until is None:
        return intervals(played)
    return (
        f"win rates of the {played.until.units.words} have confidence sequences at 95{THIN}%, which hold although the run "
        f"checked its results while playing (observations: {played.until.observations}); other intervals are Wilson's."
    )


def _of_fairness(tally: Tally, seats: int) -> list[str]:
    """Sentences on the fair share and on games without a winner."""
    if seats == 1:
        return ["At one seat a win is a success; there is no fair share."]
    fair = fair_share(seats, float(tally.decided[seats]))
    lines = [prose.MEANING.replace("fair share and", f"fair share ({prose.band(fair)}) and")]
    lost = int(tally.lost[seats])
    if lost:
        share = percent(lost / tally.finished[seats])
        lines.append(
            f"{count(lost)} finished games ({share}) had no winner and count as not won; the fair share is an equal part of "
            "the others."
        )
    return lines


def _of_parts(played: Played) -> list[str]:
    """Sentence on the win rate of a part and its interval."""
    teams = played.experiment.teams
    if not teams or not _has_parts(played):
        return []
    if played.until:
        return [f"The win rate of a {teams.word} is that of its {played.experiment.game.entrants_word}, partners included."]
    return [
        f"The win rate of a {teams.word} is that of its {played.experiment.game.entrants_word}, partners included; its interval "
        "is Student's, with rounds as observations, because the games of a round are correlated."
    ]


def _of_ends(game: Game, entrants: int) -> list[str]:
    """Sentence on rows not shown and on selection bias at the ends of a long list."""
    if entrants <= SHOWN_MAX:
        return []
    return [
        f"{count(entrants - 2 * ENDS_SHOWN)} {game.entrants_word} between these are not shown: --json and --csv hold all "
        f"{count(entrants)}. In a long list the best look stronger than they are and the worst weaker, because chance helps to "
        "decide who comes out there: play them again with another seed before you rely on it."
    ]


def _has_parts(played: Played) -> bool:
    """Whether there are parts to compare."""
    return played.parts is not None and played.experiment.line_up is None


def _has_pairs(played: Played) -> bool:
    """Whether there are pairs to compare, with enough games of each."""
    few = played.tally.entrants <= PAIRS_MAX and played.tally.has_matchups
    return played.experiment.seats == 2 and few and played.experiment.line_up is None


def _sitting(played: Played) -> list[int]:
    """Indices of the entrants that play."""
    line_up = played.experiment.line_up
    return sorted(set(line_up)) if line_up is not None else list(range(played.tally.entrants))


def _ends(table: Table) -> Table:
    """Both ends of a long table of win rates; a short table unchanged."""
    if len(table.rows) <= SHOWN_MAX:
        return table
    known = [row for row in table.rows if not absent(row[1])]
    rows = tuple(known[:ENDS_SHOWN] + known[ENDS_SHOWN:][-ENDS_SHOWN:])
    caption = f"{table.caption}: best and worst {ENDS_SHOWN} of {count(len(table.rows))}"
    return replace(table, rows=rows, caption=caption)


def _of_policies(experiment: Experiment, word: str) -> list[str]:
    """Sentence on what to compare if policies differ by seat."""
    if len(set(experiment.policies)) == 1:
        return []
    return [f"Policies differ by seat: compare the seat columns, not one {word} with another."]


def _shown(table: Table) -> Table:
    """Table for display: the fair share, equal in all rows, moves into the caption."""
    if "fair" not in table.columns or not table.rows:
        return table
    fair = table.rows[0][table.columns.index("fair")]
    alone = absent(fair)
    caption = table.caption if alone else f"{table.caption} (fair: {as_shown(fair, 'percent')})"
    kept = [index for index, name in enumerate(table.columns) if name not in (ALONE if alone else OF_DATA)]
    heading = {name: RATE.get(name, name) if alone else _heading(name) for name in table.columns}
    rows = [tuple(row[index] for index in kept) for row in table.rows]
    columns = tuple(heading[table.columns[index]] for index in kept)
    formats = {heading[name]: form for name, form in table.formats.items() if heading[name] in columns}
    return replace(table, columns=columns, rows=tuple(rows), caption=caption, formats=formats)


def _heading(column: str) -> str:
    """Heading for display: seats count from 1."""
    return seat_word(int(column.removeprefix(SEAT))) if column.startswith(SEAT) else column


def _parts_table(played: Played) -> Table | None:
    """Table with one row per part of the teams, best first."""
    experiment, parts, seats = played.experiment, played.parts, played.experiment.seats
    if parts is None or not _has_parts(played):
        return None
    columns = {"win rate": "estimate", "low": "low", "high": "high", "n": "n"}
    columns |= {} if played.until else {"rounds": "rounds"}
    columns |= {"fair": "fair", **JUDGED}
    judge = played.until.rates if played.until else parts.rates
    lines = judge(fair_share(seats, float(played.tally.decided[seats]))).to_dict("records")
    rows = tuple((line["name"], *(line[key] for key in columns.values())) for line in lines)
    shares = percents("win rate", "low", "high", "fair") | P_FORMATS
    caption = f"Win rates of {experiment.game.entrants_word} by {parts.teams.word}"
    return Table("parts", (parts.teams.word, *columns), rows, caption, shares)


def _rates_table(game: Game, played: Played) -> Table:
    """Table with one row per entrant, best first."""
    seats, names = played.experiment.seats, played.experiment.cards.names
    by_seat = by_entrant_and_place(played.tally, seats, names, "seat")["estimate"].to_numpy().reshape(-1, seats)
    sitting = set(_sitting(played))
    frame = play.judged_so_far(win_rates(played), played)
    lines = [line for line in frame.to_dict("records") if line["entrant"] in sitting]
    columns = {
        "win rate": "estimate",
        "low": "low",
        "high": "high",
        "n": "n",
        "fair": "fair",
        **JUDGED,
        "truncated": "truncated",
    } | ({"gain": "gain"} if played.pairs else {})
    places = [f"{SEAT}{seat}" for seat in range(seats)]
    rows = tuple((line["name"], *(line[key] for key in columns.values()), *by_seat[line["entrant"]].tolist()) for line in lines)
    rows = tuple(tuple(None if cell == "" else cell for cell in row) for row in rows)  # no fair share, no verdict
    shares = percents("win rate", "low", "high", "fair", "truncated", *places) | P_FORMATS
    caption = f"Win rates at {seats} seats" if seats > 1 else "Success rates alone"
    return Table("win-rates", (game.entrant_word, *columns, *places), rows, caption, shares)


def _order_table(played: Played) -> Table:
    """Table with one row per turn position."""
    columns = {"win share": "estimate", "low": "low", "high": "high", "n": "n", "fair": "fair", "p (Holm)": "p_holm"}
    lines = by_position(played).to_dict("records")
    rows = tuple((f"{line['position'] + 1}.", *(line[key] for key in columns.values())) for line in lines)
    shares = percents("win share", "low", "high", "fair") | {"p (Holm)": "p"}
    return Table("turn-order", ("turn order", *columns), rows, "Who moves first", shares)


def _matchup_table(game: Game, played: Played) -> Table:
    """Table of the win rate of the row against the column."""
    names = distinct(played.experiment.cards.names)
    estimates = matrix(played.tally, names).estimate.tolist()
    rows = tuple((name, *line) for name, line in zip(names, estimates, strict=True))
    caption = "Who beats whom: win rate of the row against the column"
    caption += ", without games that had no winner" if played.tally.lost[2] else ""
    return Table("matchups", (game.entrant_word, *names), rows, caption, percents(*names))


def _details(game: Game, played: Played) -> dict[str, Table]:
    """Tables in long form, by their names in JSON: win rates by seat and, at two seats, every pair."""
    seats, names = played.experiment.seats, distinct(played.experiment.cards.names)
    by_seat = by_entrant_and_place(played.tally, seats, names, "seat")
    by_seat = by_seat[by_seat["entrant"].isin(_sitting(played))]
    tables = {"win_rates_by_seat": _long(game, "by-seat", by_seat, {"name": game.entrant_word, "seat": "seat"})}
    if _has_pairs(played):
        frame = met(played, names)
        tables["pairs"] = _long(game, "pairs", frame, {"name": game.entrant_word, "opponent": "against"})
    return tables


def _long(game: Game, id_: str, frame: pd.DataFrame, keys: dict[str, str]) -> Table:
    """Table of win rates with their key columns."""
    columns = keys | {"estimate": "win rate", "low": "low", "high": "high", "n": "n", "p_holm": "p (Holm)"}
    rows = tuple(frame[list(columns)].astype(object).itertuples(index=False, name=None))
    return Table(id_, tuple(columns.values()), rows, f"{game.title}: {id_.replace('-', ' ')}")


def percents(*columns: str) -> dict[str, Format]:
    """Percent format for each of the columns."""
    return dict.fromkeys(columns, "percent")
