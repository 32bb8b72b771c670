"""What `fairfight forbid` shows: tables and lines for people, everything for JSON, a chart of all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.change_tables import left_out, records, run_words, table, truncated_steps
from analysis.forbidding import Worth
from analysis.report.files import write_bytes, write_text
from analysis.report.model import Format, Table
from analysis.wording import THIN, count, limit_words
from sim.engine.contract import Game

SHOWN, CHARTED = 40, 30  # lines on a terminal, and in a chart
EVERYBODY = "everybody"
ADJUSTED = {"holm": "p (Holm)", "bh": "p (BH)"}
FORMATS: dict[str, Format] = {
    **dict.fromkeys(("with it", "without", "of decisions", "in games"), "percent"),
    **dict.fromkeys(("truncated with it", "truncated without"), "percent"),
    **dict.fromkeys(("worth", "low", "high"), "points"),
    "p (BH)": "p",
}


@dataclass(frozen=True)
class WorthResult:
    """What things are worth, as tables. See `terminal.Result`. ranked: the most surely worth the most comes first."""

    found: Worth
    ranked: bool = False

    @property
    def frame(self) -> pd.DataFrame:
        """A line per thing and whoever is concerned, with words for whom it is forbidden to."""
        found, ids = self.found, self.found.base.cards.ids
        told = found.lines.assign(
            forbidden_to=[EVERYBODY if one < 0 else ids[one] for one in found.lines["entrant"].astype(int)]
        )
        if not self.ranked:
            return told
        order = told["worth"].abs().fillna(-1).sort_values(ascending=False, kind="stable").index
        return told.loc[order].reset_index(drop=True)

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""
        found = self.found
        games = f"{count(found.games)} games each way" if not self.ranked else f"{count(found.games)} games behind each"
        own = ", of which those are played without it in which it is forbidden to somebody" if self.ranked else ""
        return (
            f"{games}{own}; {count(found.played)} in all. {run_words(found.base)}",
            "Worth: win rate with it less that without, in the same line-ups with the same dice. Whoever may not use a thing "
            "plans without it, and so do all at the table who think ahead; where nothing else is open it may be used after all.",
            "Used: by whose win rate it is, of its decisions with an alternative and of its games, in "
            f"{count(found.usages.looked_at)} games as they are. Gain: how many times as many games two separate runs need.",
            truncated_steps(
                found.truncated, float(found.lines["truncated_after"].max()), limit_words(found.base.game.limits_itself)
            ),
            f"Intervals at 95{THIN}%, of each line alone; {ADJUSTED[found.method]} over all lines.",
            *left_out("Nobody used in the games looked at, so left out", found.unused),
        )

    def main(self) -> Table:
        """Every line."""
        return self._table(self.frame)

    def tables(self) -> list[Table]:
        """The first of them."""
        return [self._table(self.frame.head(SHOWN))]

    def _table(self, frame: pd.DataFrame) -> Table:
        base = self.found.base
        word = base.teams.word if base.teams else base.game.entrant_word
        columns = {"thing": "what", "forbidden_to": "forbidden to", "name": f"win rate of ({word})"}
        columns |= {"before": "with it", "after": "without", "worth": "worth", "low": "low", "high": "high"}
        columns |= {"p_adjusted": ADJUSTED[self.found.method], "of_decisions": "of decisions", "of_games": "in games"}
        more = {
            "n": "n",
            "gain": "gain",
            "truncated_before": "truncated with it",
            "truncated_after": "truncated without",
        }
        left = len(self.found.lines) - len(frame)
        rest = f" (the first {len(frame)} of {len(frame) + left}; --csv and --json hold all)" if left else ""
        return table(frame, "worth", f"What it is worth{rest}", columns | more, FORMATS)

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        found = self.found
        facts = found.base.facts() | {"games": found.games, "played": found.played}
        facts |= {"looked_at": found.usages.looked_at, "adjusted": found.method, "unused": list(found.unused)}
        facts |= {"truncated": found.truncated}
        return {"facts": facts, "worth": records(self.frame.drop(columns=["entrant", "paired"]))}


def list_table(game: Game, things: tuple[str, ...]) -> Table:
    """What can be forbidden."""
    rows = tuple((thing,) for thing in things)
    return Table("things", ("what",), rows, f"What can be forbidden in {game.title}: {count(len(things))}")


def chart_frame(result: WorthResult) -> pd.DataFrame:
    """The first lines as `charts.gains` draws them: below each other by whom a thing is forbidden to, if that differs."""
    found = result.frame.head(CHARTED).assign(change=lambda frame: frame["worth"])
    several = found["name"].duplicated().any() and found["thing"].duplicated().any()
    if several or len(set(found["forbidden_to"])) > 1:
        return found.assign(panel=found["name"], name=found["thing"])
    whose = "name" if len(set(found["thing"])) == 1 else "thing"
    return found.assign(name=found[whose])


def draw(result: WorthResult, target: Path) -> None:
    """Draw what things are worth into a PNG or SVG file. Raises ReportError."""
    from analysis.charts import render  # noqa: PLC0415 - only where a chart is wanted
    from analysis.charts.gains import gains  # noqa: PLC0415

    more = len(result.frame) - CHARTED
    rest = f" {more} more are worth less." if more > 0 else ""
    counts = ("games", f"Games with it, and as many without.{rest}")
    figure = gains(chart_frame(result), counts=counts)
    if target.suffix.lower() == ".png":
        write_bytes(target, render.png(figure))
    else:
        write_text(target, render.svg_file(render.svg(figure, "worth", "What abilities, cards and rules are worth")))
