"""The answer to "who wins how often": tables of win rates, seats and matchups from the tally of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.frames import distinct
from analysis.matchups import matrix, win_rates
from analysis.playing import Played
from analysis.report.model import Table
from analysis.seats import by_entrant_and_place, by_place
from sim.engine.contract import Game


@dataclass(frozen=True)
class Summary:
    """Win rates of one run, as tables and as plain values."""

    facts: dict[str, Any]
    win_rates: Table
    turn_order: Table
    matchups: Table | None  # two seats only
    lines: tuple[str, ...]  # how to read them

    def tables(self) -> list[Table]:
        """Return the tables in the order in which one reads them."""
        return [self.win_rates, self.turn_order, *([self.matchups] if self.matchups else [])]

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        tables = {"win_rates": self.win_rates, "turn_order": self.turn_order}
        return {"facts": self.facts} | tables | ({"matchups": self.matchups} if self.matchups else {})


def summarise(game: Game, played: Played) -> Summary:
    """Build the tables from a tally."""
    experiment, tally, seats = played.experiment, played.tally, played.experiment.seats
    names = experiment.cards.names
    facts = experiment.facts() | {
        "games": played.games,
        "interrupted": played.interrupted,
        "capped": int(tally.capped[seats]),
        "decisions": int(tally.decisions[seats]),
    }
    rates = win_rates(tally, seats, names)
    lines = (
        f"{played.games:,} games, seed {experiment.seed}, policy {experiment.policy_words}; line-ups {experiment.design}.",
        f"{tally.capped[seats]:,} games ({tally.capped[seats] / played.games:.2%}) were stopped at the turn limit and count for "
        "nobody; intervals are Wilson's at 95 %.",
        f"Played in {played.elapsed_s:.1f} s: {played.games / max(played.elapsed_s, 1e-9):,.0f} games/s.",
    )
    return Summary(
        facts,
        _rates_table(game, rates, _by_seat(played)),
        _order_table(by_place(tally, seats)),
        _matchup_table(game, played) if seats == 2 else None,
        lines,
    )


def _by_seat(played: Played) -> dict[int, list[float]]:
    """Win rate of each entrant by seat."""
    seats, names = played.experiment.seats, played.experiment.cards.names
    table = by_entrant_and_place(played.tally, seats, names, "seat")
    return {int(str(entrant)): frame["estimate"].tolist() for entrant, frame in table.groupby("entrant")}


def _rates_table(game: Game, rates: pd.DataFrame, by_seat: dict[int, list[float]]) -> Table:
    """One line per entrant, best first."""
    seats = len(next(iter(by_seat.values())))
    columns = (game.entrant_word, "win rate", "low", "high", "n", "fair", "p (Holm)", "verdict", "capped")
    columns += tuple(f"seat {seat + 1}" for seat in range(seats))
    rows = tuple(
        (line.name, line.estimate, line.low, line.high, line.n, line.fair, line.p_holm, line.verdict, line.capped_share)
        + tuple(by_seat[line.entrant])
        for line in rates.rename(columns={"name": "name"}).itertuples(index=False)
    )
    shares = {name: "percent" for name in columns if name not in {game.entrant_word, "n", "p (Holm)", "verdict"}}
    return Table("win-rates", columns, rows, f"Win rates at {seats} seats", {**shares, "p (Holm)": "p"})


def _order_table(order: pd.DataFrame) -> Table:
    """One line per turn position."""
    columns = ("turn order", "win share", "low", "high", "n", "fair", "p (Holm)")
    rows = tuple(
        (f"{line.position + 1}.", line.estimate, line.low, line.high, line.n, line.fair, line.p_holm)
        for line in order.itertuples(index=False)
    )
    shares = dict.fromkeys(("win share", "low", "high", "fair"), "percent")
    return Table("turn-order", columns, rows, "Who moves first", {**shares, "p (Holm)": "p"})


def _matchup_table(game: Game, played: Played) -> Table:
    """Win rate of the row against the column."""
    names = distinct(played.experiment.cards.names)
    table = matrix(played.tally, names)
    rows = tuple((name, *map(float, table.estimate[number])) for number, name in enumerate(names))
    return Table(
        "matchups",
        (game.entrant_word, *names),
        rows,
        "Who beats whom: win rate of the row against the column",
        dict.fromkeys(names, "percent"),
    )
