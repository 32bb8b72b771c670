"""The answer to "what is going first worth": tables for the command from `seat_worth` and `compensation`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis import compensation, interrupts, seat_worth
from analysis.compensation import EVEN, Fair, Tried
from analysis.playing import SoFar
from analysis.report.model import Format, Table
from analysis.seat_worth import TWO_SEATS, Play, SeatGames
from analysis.wording import THIN, count, limit_words, number, percent, truncated_words
from sim.engine.measures import SeatLever
from sim.experiment import Experiment
from sim.run import Block, blocks

SHOWN_MAX = 40  # matchups: of more, people see only the ends of the list
RATES = {
    "share": "first wins",
    "low": "low",
    "high": "high",
    "n": "n",
    "pairs": "pairs",
    "p_holm": "p (Holm)",
    "gain": "gain",
}
FORMATS: dict[str, Format] = {
    **dict.fromkeys(("first wins", "win share", "low", "high", "fair"), "percent"),
    **dict.fromkeys(("p (Holm)", "p"), "p"),
}


@dataclass(frozen=True)
class Compensation:
    """What the levers of a game do, which value was chosen, and how that did in games of its own."""

    tried: list[Tried]
    best: Tried | None
    again: pd.DataFrame | None  # see `compensation.retest`
    left: tuple[str, ...]  # levers for which there were too few games


@dataclass(frozen=True)
class SeatSummary:
    """What seats are worth, as tables and as plain values. matchups and units: at two seats."""

    experiment: Experiment
    overall: pd.DataFrame
    matchups: pd.DataFrame | None
    units: pd.DataFrame | None
    compensation: Compensation | None  # where it was asked for
    truncated: int = 0  # of the games of the base: stopped at a limit and left out
    games: int = 0  # of the base
    played: int = 0  # games in all, those of every value tried among them
    interrupted: bool = False

    def main(self) -> Table:
        """Return the table of the CSV file: matchups at two seats, of teams their parts, at more the turn positions."""
        found = self._units if self.experiment.teams else self._matchups
        return found or self._overall

    def tables(self) -> list[Table]:
        """Return the tables in the order in which one reads them."""
        many = self.experiment.teams is not None or (self.matchups is not None and len(self.matchups) > SHOWN_MAX)
        found = [self._overall, None if many else self._matchups, self._units, self._levers]
        return [table for table in found if table is not None]

    def every_table(self) -> list[Table]:
        """Return all tables, those that people do not see in a terminal too."""
        return [table for table in (self._overall, self._matchups, self._units, self._levers) if table is not None]

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        named = {"overall": self._overall, "matchups": self._matchups, "units": self._units, "levers": self._levers}
        found: dict[str, Any] = {name: table for name, table in named.items() if table is not None}
        facts = self.experiment.facts() | {"truncated": self.truncated, "played": self.played}
        return {"facts": facts} | found | self._compensated()

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read them."""
        made = self.experiment
        in_all = f" ({count(self.played)} in all, with every value tried)" if self.played > made.games else ""
        said = f"{made.cards.title} (digest {made.cards.digest}): {count(made.games)} games{in_all}, seed {made.seed}, policy "
        said += f"{made.policy_words}; {_dice(made)}."
        how = "Win share of whoever goes first; pairs are the observations, a win that nobody has is shared out equally. Gain: "
        how += "how many times as many games without common dice would be needed."
        if made.pair_games == 1:
            how = "Win share of whoever goes first; a win that nobody has is shared out equally."
        stopped = truncated_words(self.truncated, self.games, limit_words(made.game.limits_itself))
        return (said, stopped, how, *compensation_lines(self.compensation, made))

    @property
    def _overall(self) -> Table:
        frame = self.overall.assign(order=[f"{place + 1}." for place in self.overall["position"]])
        columns = {
            "order": "turn order",
            "share": "win share",
            **{k: v for k, v in RATES.items() if k != "share"},
            "fair": "fair",
        }
        return table_of(frame, "overall", f"Who moves first, at {self.experiment.seats} seats", columns)

    @property
    def _matchups(self) -> Table | None:
        if self.matchups is None:
            return None
        return table_of(self.matchups, "matchups", "What going first is worth by matchup", {"name": "matchup", **RATES})

    @property
    def _units(self) -> Table | None:
        if self.units is None:
            return None
        teams = self.experiment.teams
        word = teams.word if teams else self.experiment.game.entrant_word
        return table_of(
            self.units, "units", f"What going first is worth in games with each {word}", {"name": word, **RATES}
        )

    @property
    def _levers(self) -> Table | None:
        tried = self.compensation.tried if self.compensation else []
        if not tried:
            return None
        return levers_table(tried)

    def _compensated(self) -> dict[str, Any]:
        """What the search found, as plain values."""
        if self.compensation is None:
            return {}
        found = [
            {
                "field": one.lever.path,
                "label": one.lever.label,
                **vars(one.fair),
                "chosen": one.chosen,
                "refused": one.refused,
            }
            for one in self.compensation.tried
        ]
        best, again = self.compensation.best, self.compensation.again
        told: dict[str, Any] = {"fair_values": found, "chosen": None if best is None else best.lever.path}
        if again is not None:
            first = again.iloc[0]
            told |= {"retest": {name: first[name] for name in ("share", "low", "high", "p", "n", "pairs")}}
        return told


def _dice(made: Experiment) -> str:
    """Which games share their dice."""
    if made.pair_games == 1:
        return "every game with dice of its own"
    whose = "entrant" if made.coupling == "entrant" else "seat"
    return f"every line-up from every seat with the same dice, each {whose}'s own"


def summarise(
    base: Experiment, games: int, compensate: bool, play: Play | None = None, held: Experiment | None = None
) -> SeatSummary:
    """Play and judge. base: the experiment as a user words it; games: in all, shared out by `compensation.games_each`.

    held: an experiment whose games are there already and are looked at as they are, in pairs or not; else pairs are played.

    KeyboardInterrupt leaves what was played of the first games, and of a search nothing. Raises ValueError where nobody
    goes first, or all are alone.
    """
    levers = base.game.seat_levers if compensate and base.seats == TWO_SEATS else ()
    levers = compensation.afforded(levers, games)
    first, each, again = compensation.games_each(games, levers)
    made = held or seat_worth.paired(replace(base, games_wanted=first))
    games_played = 0

    def counting(experiment: Experiment) -> Iterator[Block]:
        nonlocal games_played
        for block in (play or blocks)(experiment):
            games_played += len(block.rows)
            yield block

    so_far = SoFar(counting)
    played = SeatGames.of(made, so_far)
    made, interrupted = so_far.shown(made), so_far.interrupted
    two = made.seats == TWO_SEATS
    met = seat_worth.by_matchup(played) if two and made.teams is None else None
    units = seat_worth.by_unit(played) if two else None
    told = None
    if compensate and not interrupted:
        try:
            with interrupts.shown_so_far():
                told = compensated(made, levers, (each, again), counting)
        except KeyboardInterrupt:
            interrupted = True
    counts = (played.truncated, played.played, games_played)
    return SeatSummary(made, seat_worth.overall(played), met, units, told, *counts, interrupted)


def compensated(
    made: Experiment, levers: tuple[SeatLever, ...], games: tuple[int, int], play: Play | None = None
) -> Compensation:
    """Search levers and test what was chosen. games: of each value, and of the test."""
    each, again = games
    left = tuple(one.path for one in made.game.seat_levers if one.path not in {lever.path for lever in levers})
    if not levers:
        return Compensation([], None, None, ())
    base = replace(made, games_wanted=each)
    tried = compensation.search(base, play, levers)
    best = compensation.best(tried)
    if best is None or best.chosen == best.present:
        return Compensation(tried, best, None, left)
    return Compensation(tried, best, compensation.retest(base, best, again, play), left)


def levers_table(tried: list[Tried]) -> Table:
    """Every value of every lever."""
    parts = [one.table.assign(lever=one.lever.label, field=one.lever.path) for one in tried]
    frame = pd.concat(parts, ignore_index=True).assign(p_holm=np.nan)
    columns = {"lever": "lever", "field": "field", "value": "value", "present": "as played"}
    columns |= {name: words for name, words in RATES.items() if name != "p_holm"}
    return table_of(frame, "levers", "Going first under each value of a rule", columns)


def compensation_lines(found: Compensation | None, made: Experiment) -> list[str]:
    """What would make going first fair, in sentences; nothing where that was not asked."""
    if found is None:
        return []
    if made.seats != TWO_SEATS:
        return ["What makes up for going later is searched at two seats only."]
    if not made.game.seat_levers:
        return [
            f"The rules of {made.game.title} have no number that makes up for going second: there is no lever to search."
        ]
    lines = [lever_words(one) for one in found.tried]
    if found.left:
        lines.append(f"Too few games to try {' and '.join(found.left)}: play more.")
    best, again = found.best, found.again
    if best is not None and again is None:
        lines.append(f"Of the values tried none is fairer than {best.lever.path} = {number(best.present)}, as played.")
    if best is not None and again is not None:
        first = again.iloc[0]
        fair = first["low"] <= EVEN <= first["high"]
        lines.append(
            f"Played again with {best.lever.path} = {number(best.chosen)} in {count(first['n'])} fresh games, whoever goes first "
            f"wins {percent(first['share'])} ({percent(first['low'])} to {percent(first['high'])}): "
            f"{'no different from one half' if fair else 'still not one half'}."
        )
    return lines


def lever_words(one: Tried) -> str:
    """Where going first is fair, by one lever."""
    name, fair = f"{one.lever.path} ({one.lever.label})", one.fair
    if one.table.empty:
        return f"{name}: the card rules refuse every value."
    low, high = one.table["value"].min(), one.table["value"].max()
    if not np.isfinite(fair.value):
        side = "more" if (one.table["share"] > EVEN).all() else "less"
        said = (
            f"{name}: with every value from {number(low)} to {number(high)} whoever goes first wins {side} than half; "
        )
        return f"{said}nearest to it is {number(one.chosen)}."
    return f"{name}: going first is fair at {number(round(fair.value, 2))} {bounds(fair)}."


def bounds(fair: Fair) -> str:
    """The interval of the fair value in brackets, cut where the curve ends."""
    if np.isinf(fair.low) and np.isinf(fair.high):
        return f"(95{THIN}% interval: any value from {number(fair.least)} to {number(fair.most)} may be)"
    least = f"below {number(fair.least)}" if np.isinf(fair.low) else number(round(fair.low, 2))
    most = f"above {number(fair.most)}" if np.isinf(fair.high) else number(round(fair.high, 2))
    return f"(95{THIN}% interval {least} to {most})"


def table_of(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str]) -> Table:
    """A table of some columns of a frame."""
    chosen = frame[list(columns)].astype(object)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in chosen.itertuples(index=False))
    formats = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    return Table(id_, tuple(columns.values()), rows, caption, formats)
