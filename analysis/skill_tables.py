"""The answer of `fairfight skill`: tables for people, everything for JSON."""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis import level_words, verdicts
from analysis.ladder import STEP
from analysis.level_balance import FLIPS, MOVES
from analysis.report.answers.tables import table
from analysis.report.model import Cell, Format, Table
from analysis.skill import Skill
from analysis.wording import THIN, count, percent

SHOWN_MAX = 24  # lines of changes that people see in a terminal
ENDS = 12  # lines of a long table from each end, likewise
SIDES = {1: "\u25b2", -1: "\u25bc", 0: "\u00b7"}  # surely above the fair share, surely below, neither
POINTS: dict[str, Format] = dict.fromkeys(("change", "change low", "change high"), "points")
CHANGES = {
    "name": "name",
    "first": "from",
    "second": "to",
    "before": "before",
    "after": "after",
    "change": "change",
    "low": "change low",
    "high": "change high",
    "p_holm": "p (Holm)",
    "verdict": "conclusion",
}


class SkillTables:
    """What was found, as tables and as plain values."""

    def __init__(self, found: Skill) -> None:
        self._found = found

    def main(self) -> Table:
        """Return the table of the CSV file: every entrant at every level."""
        return self.rates()

    def tables(self) -> list[Table]:
        """Return the tables in the order in which one reads them."""
        changes = self.changes()
        told = [row for row in changes.rows if row[-1] in (FLIPS, MOVES)]
        kept = Table(changes.id, changes.columns, tuple(told[:SHOWN_MAX]), changes.caption, changes.formats)
        every = (
            self.meetings(),
            self.ratings(),
            _ends(self.side_by_side()),
            kept if told else None,
            self.orders(),
            self.whole(),
        )
        return [one for one in every if one is not None]

    def as_json(self) -> dict[str, Any]:
        """Return everything under one roof."""
        found, ladder = self._found, self._found.ladder
        told: dict[str, Any] = {"facts": self._facts()}
        if ladder:
            told |= {"meetings": self.meetings(), "ratings": self.ratings() or [], "depth": vars(ladder.depth)}
            told["depth"] = told["depth"] | {"chain": [ladder.names[at] for at in ladder.depth.chain]}
            told["elo_span"] = None if ladder.spread is None else vars(ladder.spread)
        return told | {
            "rates": self.rates(),
            "changes": [] if found.balance.changes.empty else self.changes(),
            "orders": self.orders() or [],
            "levels": self.whole(),
        }

    def _facts(self) -> dict[str, Any]:
        plan = self._found.plan
        return {
            "game": plan.game.name,
            "cards": plan.cards.title,
            "cards_digest": plan.cards.digest,
            "levels": list(plan.names),
            "seats": plan.seats,
            "seed": plan.seed,
            "games": self._found.games,
            "interrupted": self._found.interrupted,
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, and how to read it."""
        found, plan = self._found, self._found.plan
        balance, ladder = found.balance, found.ladder
        said = [] if ladder is None else [level_words.steps(ladder)]
        said.append(level_words.strongest(balance))
        top = balance.names[-1]
        said += [f"{name} to {top}: {level_words.between(balance, name, top)}" for name in balance.names[:-1]]
        made = f"{plan.cards.title} (digest {plan.cards.digest}): {count(found.games)} games, seed {plan.seed}."
        if found.interrupted:
            made += f" Stopped early: levels up to {top}, the last one maybe with fewer games."
        return (*said, level_words.course(balance), made, *READING)

    def meetings(self) -> Table | None:
        """Levels against each other."""
        if self._found.ladder is None:
            return None
        columns = {"name": "level", "below": "against", "estimate": "win rate", "low": "low", "high": "high"}
        columns |= {"p": "p", "n": "n", "pairs": "pairs", "unwon": "won by nobody"}
        frame = self._found.ladder.rates
        return table(frame, "meetings", "Levels against each other, at two seats", columns, {"p": "p"})

    def ratings(self) -> Table | None:
        """Ratings of the levels, the highest level first."""
        rated = self._found.ladder.rated if self._found.ladder else None
        if rated is None:
            return None
        frame = rated.iloc[::-1].assign(**{name: rated[name].round(1) for name in ("elo", "elo_low", "elo_high")})
        columns = {"name": "level", "elo": "Elo points", "elo_low": "from", "elo_high": "to", "n": "n"}
        return table(frame, "ratings", "Ratings of the levels (Bradley and Terry)", columns)

    def rates(self) -> Table:
        """Every entrant at every level, one line each."""
        frame = self._found.balance.rates
        columns = {"level": "level", "name": "name", "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
        columns |= {"fair": "fair share", "p_beyond": verdicts.HEADING, "verdict": "verdict", "p_holm": "p_fair"}
        return table(frame, "rates", f"{self._caption}, with intervals", columns)

    @property
    def _caption(self) -> str:
        return f"Win rates with one level in every seat, at {self._found.plan.seats} seats"

    def side_by_side(self) -> Table:
        """Win rates with a column for each level."""
        balance = self._found.balance
        rows: list[tuple[Cell, ...]] = []
        for name, part in balance.rates.groupby("name", sort=False):
            marks = " ".join(SIDES[side] for side in part["side"])
            rows.append((str(name), *map(_cell, part["estimate"]), marks, int(part["n"].min())))
        rows.sort(key=lambda row: -float(row[len(balance.names)] or 0))  # by the highest level
        formats: dict[str, Format] = dict.fromkeys(balance.names, "percent")
        columns = ("name", *balance.names, "surely", "n (least)")
        return Table("side-by-side", columns, tuple(rows), self._caption, formats)

    def changes(self) -> Table:
        """What becomes of every conclusion between every two levels."""
        formats: dict[str, Format] = {"before": "percent", "after": "percent", **POINTS}
        frame = self._found.balance.changes
        if frame.empty:
            frame = pd.DataFrame(columns=list(CHANGES))
        return table(frame, "changes", "What becomes of the conclusions from level to level", CHANGES, formats)

    def orders(self) -> Table | None:
        """Rank correlations."""
        frame = self._found.balance.orders
        if frame.empty:
            return None
        columns = {
            "first": "level",
            "second": "and",
            "tau": "Kendall's tau",
            "low": "from",
            "high": "to",
            "seen": "as seen",
        }
        rounded = frame.assign(**{name: frame[name].round(3) for name in ("tau", "low", "high", "seen")})
        return table(rounded, "orders", "How far the orders of two levels agree", columns)

    def whole(self) -> Table:
        """The game itself at each level."""
        columns = {"level": "level", "games": "n", "spread": "spread of win rates", "spread_low": "spread from"}
        columns |= {
            "spread_high": "spread to",
            "first": "first wins",
            "first_low": "first from",
            "first_high": "first to",
        }
        columns |= {
            "p": "p",
            "turns": "turns",
            "turns_low": "turns from",
            "turns_high": "turns to",
            "truncated": "truncated",
        }
        shares = (
            "spread of win rates",
            "spread from",
            "spread to",
            "first wins",
            "first from",
            "first to",
            "truncated",
        )
        formats: dict[str, Format] = {**dict.fromkeys(shares, "percent"), "p": "p"}
        return table(self._found.balance.whole, "levels", "The game at each level", columns, formats)


READING = (
    f"{SIDES[1]} surely above the fair share, {SIDES[-1]} surely below, {SIDES[0]} neither: p-values adjusted over all entrants "
    "and levels (Holm). Flips: surely on one side at one level and on the other at another; moves: the change is sure, but not "
    "both sides.",
    "Levels meet in pairs of games with the same dice, the policies on the other seats the second time. A clear step is "
    f"{percent(STEP, 0)} of the games; intervals are at 95{THIN}%.",
    level_words.CAVEAT,
)


def _ends(table: Table) -> Table:
    """The first and the last lines of a long table."""
    if len(table.rows) <= 2 * ENDS:
        return table
    caption = f"{table.caption} (the first and the last {ENDS} of {count(len(table.rows))}; --csv has all)"
    return Table(table.id, table.columns, table.rows[:ENDS] + table.rows[-ENDS:], caption, table.formats)


def _cell(share: float) -> Cell:
    return None if pd.isna(share) else float(share)
