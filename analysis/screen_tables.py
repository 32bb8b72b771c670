"""What `fairfight screen` shows: tables and lines for people, everything for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.change_tables import left_out, records, run_words, step_words, table
from analysis.report.model import Format, Table
from analysis.screening import NOISY, Screen
from analysis.whatif import Step
from analysis.wording import count, limit_words, percent

WORDS = {
    "morris": "Per step of the field: mean change of the outcome (mu), its mean size (mu*), and how much it depends on where the "
    "others are (sigma). Sigma beside a small mu* is chance or nothing; of the size of mu* it is interaction or a bend.",
    "sobol": "Of the variance of the outcome over the grid: what the field explains alone (first order), and with all its "
    "interactions (total). What the total has beyond the first order is interaction.",
}


@dataclass(frozen=True)
class ScreenResult:
    """A screen as tables. See `terminal.Result`. refused: steps that the card rules do not allow."""

    found: Screen
    refused: tuple[Step, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""
        found = self.found
        what = "spread of the win rates" if found.outcome == "spread" else f"win rate of {found.outcome}"
        noise = f"Noise of the simulation: {percent(found.noise)} of the variance between points."
        if found.noise > NOISY:
            noise += " WARNING: most of what is seen may be chance; play more --games."
        return (
            f"Outcome: {what}, on average {percent(found.mean)}, standard deviation over the points "
            f"{100 * found.deviation:.2f} points. {count(found.points)} points of {count(found.games)} games each, "
            "the same dice in all.",
            noise,
            WORDS[found.method],
            "Intervals at 95 %: paths (rows of the sample) and batches of games drawn again. Noise counts as interaction: a "
            "total below its share may be nothing.",
            self._truncated(),
            run_words(found.base),
            *left_out("Steps refused by the rules of the card file", [step_words(step) for step in self.refused]),
        )

    def _truncated(self) -> str:
        """How many games were stopped."""
        limit = limit_words(self.found.base.game.limits_itself)
        least, most = self.found.truncated
        if not most:
            return f"No game was stopped at {limit}."
        return (
            f"Truncated games, stopped at {limit}, are left out of win rates: {percent(least, 2)} to {percent(most, 2)} of the "
            "games of a point."
        )

    def main(self) -> Table:
        """One line per field."""
        columns = {"path": "number", "low": "from", "present": "now", "high": "to"}
        if self.found.method == "morris":
            form: Format = "points"
            names = {"mu": "mu", "mu_star": "mu*", "sigma": "sigma"}
        else:
            form, names = "number", {"s1": "first order", "st": "total"}
        for name, words in names.items():
            columns |= {name: words, f"{name}_low": f"{words} low", f"{name}_high": f"{words} high"}
        formats: dict[str, Format] = {
            heading: form for name, heading in columns.items() if name not in ("path", "low", "present", "high")
        }
        plain: dict[str, Format] = dict.fromkeys(("from", "now", "to"), "number")
        caption = {"morris": "Elementary effects, in points per step", "sobol": "Shares of the variance"}
        return table(self.found.effects, "screen", caption[self.found.method], columns, formats | plain)

    def tables(self) -> list[Table]:
        """Fields, then pairs of them."""
        if self.found.pairs.empty:
            return [self.main()]
        columns = {"path": "number", "other": "and", "s2": "share of both together", "s2_low": "low", "s2_high": "high"}
        formats: dict[str, Format] = dict.fromkeys(("share of both together", "low", "high"), "number")
        return [self.main(), table(self.found.pairs, "pairs", "Interactions: shares of the variance", columns, formats)]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        found = self.found
        facts = found.base.facts() | {"method": found.method, "outcome": found.outcome, "points": found.points}
        facts |= {"games_of_a_point": found.games, "noise": found.noise, "noisy": found.noisy}
        facts |= {"mean": found.mean, "deviation": found.deviation}
        facts |= dict(zip(("truncated_least", "truncated_most"), found.truncated, strict=True))
        refused = [{"path": step.field, "value": step.value, "why": step.refused} for step in self.refused]
        return {"facts": facts, "effects": records(found.effects), "pairs": records(found.pairs), "refused": refused}
