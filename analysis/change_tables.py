"""What `fairfight whatif` and `fairfight sensitivity` show: tables and lines for people, everything for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.report.model import SECONDARY, Format, Table
from analysis.sensitivity import Sensitivity
from analysis.whatif import Step
from analysis.whatif_stats import WhatIf
from analysis.wording import THIN, as_written, count, limit_words, percent, truncated_change
from sim.experiment import Experiment

if TYPE_CHECKING:  # most commands draw nothing
    from matplotlib.figure import Figure

SHOWN = 40  # steps on a terminal
CHARTED = 24  # numbers in a chart
NAMED = 6  # steps in a line; more are counted
FORMATS: dict[str, Format] = {
    **dict.fromkeys(("before", "after", "truncated before", "truncated after"), "percent"),
    **dict.fromkeys(("change", "change low", "change high"), "points"),
    "p": "p",
    "p (Holm)": "p",
    "n": "count",
    "gain": "number",
}
TRUNCATED = {"truncated_before": "truncated before", "truncated_after": "truncated after"}
DETAILS = (
    "gain",
    "spread low",
    "rank",
    "of decisions",
    "in games",
    "spread",
    *SECONDARY,
    "before",
    "with it",
    "after",
)  # see `Table`
SPREAD_WORDS = (
    "The spread is the standard deviation of the win rates, less what chance alone adds to it; 0 where chance explains "
    "all of it."
)
PAIR_WORDS = (
    "Both ways play the same line-ups with the same dice; gain: how many times as many games two separate runs need."
)


@dataclass(frozen=True)
class WhatIfResult:
    """A what-if as tables. See `terminal.Result`."""

    found: WhatIf

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""
        found = self.found
        games = f"{count(found.played)} games in all: {count(found.games)} before"
        moved = f"{count(found.moved)} ({percent(found.moved / found.games)}) ended otherwise"
        after = found.played - found.games
        games += f", {count(after)} of them again after"
        games += ", because the change cannot touch the others" if after < found.games else ""
        first = f"{'Against' if found.change.rival else 'Change:'} {found.change}."
        if found.change.idle:
            stopped = truncated_change(*found.truncated, limit_words(found.base.game.limits_itself))
            return (
                first,
                *_alone(found),
                "The change never reaches play: nothing changes, for certain.",
                stopped,
                run_words(found.base),
            )
        apart = (
            "" if found.paired else " Line-ups differ, for seats chose otherwise: two samples are compared, not pairs."
        )
        kind = f"Intervals at 95{THIN}%, of each line alone; p (Holm) over all of its table.{apart}"
        if found.half_width is not None:
            widest = float(((found.rates["high"] - found.rates["low"]) / 2).max())
            why = "interrupted" if found.interrupted else "the games were used up"
            reached = "reached" if widest <= found.half_width else f"not reached: {why}"
            wanted = f"\u00b1{100 * found.half_width:g} points"
            kind += f" Changes of win rates: confidence sequence, valid at every look; {wanted} {reached}."
        stopped = truncated_change(*found.truncated, limit_words(found.base.game.limits_itself))
        made = f"{games}; {moved}. {run_words(found.base)}"
        return (first, *_alone(found), made, stopped, kind, PAIR_WORDS, SPREAD_WORDS)

    def main(self) -> Table:
        """The win rates."""
        game, teams = self.found.base.game, self.found.base.teams
        columns = {"name": teams.word if teams else game.entrant_word, "before": "before", "after": "after"}
        columns |= {"change": "change", "low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n"}
        return table(self.found.rates, "win_rates", "Win rates", columns | {"gain": "gain", **TRUNCATED}, {})

    def tables(self) -> list[Table]:
        """Win rates, then the game as a whole."""
        return [self.main(), *self._whole()]

    def _whole(self) -> list[Table]:
        """Shares and lengths, which are written differently, in a table of their own each."""
        columns = {"what": "what", "before": "before", "after": "after", "change": "change", "low": "change low"}
        columns |= {"high": "change high", "p": "p", "n": "n", "gain": "gain"}
        forms: dict[str, dict[str, Format]] = {
            "share": {},
            "turns": dict.fromkeys(("before", "after", "change", "change low", "change high"), "number"),
        }
        titles = {"share": "The game as a whole", "turns": "Length, in turns"}
        parts = self.found.whole.groupby("unit", sort=False)
        return [table(part, f"whole_{unit}", titles[str(unit)], columns, forms[str(unit)]) for unit, part in parts]

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        found = self.found
        edits = [{"path": edit.path, "before": edit.before, "after": edit.value} for edit in found.change.edits]
        facts = found.base.facts() | {"games": found.games, "played": found.played, "ended_otherwise": found.moved}
        facts |= {"reaches_play": not found.change.idle, "paired": found.paired, "half_width": found.half_width}
        facts |= dict(zip(TRUNCATED, found.truncated, strict=True))
        rival = found.change.rival
        told = {"facts": facts, "change": edits}
        if rival is not None:
            told["against"] = {
                "cards": rival.title,
                "cards_digest": rival.digest,
                "only": [list(ids) for ids in rival.only],
            }
        return told | {
            "win_rates": records(found.rates),
            "whole": records(found.whole),
        }


def _alone(found: WhatIf) -> list[str]:
    """Entrants that one of two card sets alone has."""
    if found.change.rival is None:
        return []
    titles = (found.base.cards.title, found.change.rival.title)
    named = zip(titles, found.change.rival.only, strict=True)
    return [line for title, ids in named for line in left_out(f"Only in {title}, so in none of the games", ids)]


@dataclass(frozen=True)
class SensitivityResult:
    """A sensitivity as tables. See `terminal.Result`."""

    found: Sensitivity

    @property
    def lines(self) -> tuple[str, ...]:
        """How to read the tables."""
        found, left = self.found, self.found.candidates
        lines = [
            f"{count(found.games)} games in all. {run_words(found.base)} "
            f"Widest interval: \u00b1{100 * found.precision:.2f} points.",
            "Ranked by the least that a change may be. Win rate: of the owner where a number is one's own, else of whoever moves "
            "most, with the interval widened for that choice. Intervals of each line alone; Holm over all lines.",
            "Games were given out by a first round that counts for nothing else: as many as an interval needs, twice as many for "
            f"what may be at the top; before and after are those of the n games of the line. {SPREAD_WORDS}",
        ]
        if len(found.frame):
            after = float(found.frame["truncated_after"].max())
            lines.append(truncated_steps(found.truncated, after, limit_words(found.base.game.limits_itself)))
        lines += left_out("Numbers marked as fixed, left alone", left.fixed)
        lines += left_out(
            "Places and sizes of boards, left alone unless --fields or --with-fixed asks for them", left.places
        )
        lines += left_out("Steps refused by the rules of the card file", [step_words(step) for step in left.refused])
        lines += left_out("Steps without any effect on play", [step_words(step) for step in left.idle])
        return tuple(lines)

    def main(self) -> Table:
        """Every step."""
        return self._table(self.found.frame)

    def tables(self) -> list[Table]:
        """The first of them."""
        if self.found.frame.empty:
            return []
        return [self._table(self.found.frame.head(SHOWN))]

    def _table(self, frame: pd.DataFrame) -> Table:
        columns = {"rank": "rank", "path": "number", "present": "now", "value": "becomes", "name": "win rate of"}
        columns |= {
            "before": "before",
            "after": "after",
            "change": "change",
            "low": "change low",
            "high": "change high",
        }
        columns |= {
            "p_holm": "p (Holm)",
            "n": "n",
            "gain": "gain",
            "spread_change": "spread",
            "spread_low": "spread low",
        }
        columns |= {"spread_high": "spread high", **TRUNCATED}
        formats: dict[str, Format] = dict.fromkeys(("spread", "spread low", "spread high"), "points")
        left = len(self.found.frame) - len(frame)
        rest = f" (the first {len(frame)} of {len(frame) + left}; --csv and --json hold all)" if left else ""
        return table(frame, "sensitivity", f"Every number one step up and down{rest}", columns, formats)

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        found, left = self.found, self.found.candidates
        facts = found.base.facts() | {"games": found.games, "first_round": found.pilot, "final_round": found.span}
        facts |= {"precision": found.precision, "wanted": found.asked.precision, "truncated": found.truncated}
        return {"facts": facts, "steps": records(found.frame), "fixed": list(left.fixed)} | {
            "refused": [{"path": step.field, "value": step.value, "why": step.refused} for step in left.refused],
            "idle": [{"path": step.field, "value": step.value} for step in left.idle],
        }


def truncated_steps(before: float, most: float, limit: str) -> str:
    """Shares of the games that were stopped, as they are and with any one change, as a sentence. limit: see `limit_words`."""
    if not before and not most:
        return f"No game was stopped at {limit}."
    return (
        f"Truncated games, stopped at {limit}, are left out of win rates: {percent(before, 2)} of the games as they are, up to "
        f"{percent(most, 2)} of those of a line."
    )


def table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str], formats: dict[str, Format]) -> Table:
    """Make a table of columns of a frame. columns: name in the frame -> heading; formats: by heading, if not usual."""
    chosen = frame[list(columns)].astype(object)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in chosen.itertuples(index=False))
    return Table(id_, tuple(columns.values()), rows, caption, {**FORMATS, **formats}, secondary=DETAILS)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Lines of a frame as plain values by column."""
    return [{str(name): value for name, value in line.items()} for line in frame.to_dict("records")]


def run_words(base: Experiment) -> str:
    """What was played."""
    return f"{base.cards.title} (digest {base.cards.digest}), {base.seats} seats, policy {base.policy_words}, seed {base.seed}."


def step_words(step: Step) -> str:
    """A step by its path and way, or by its value where it is more than one step."""
    way = {-1: "down", 1: "up"}.get(step.step, f"to {as_written(step.value)}")
    return f"{step.field} {way}"


def left_out(why: str, names: Sequence[str]) -> list[str]:
    """A line on what was not played."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"{why} ({len(names)}): {', '.join(names[:NAMED])}{more}."] if names else []


def figure(found: Sensitivity) -> Figure | None:
    """Draw the tornado; None where no step was played."""
    from analysis.charts.tornado import tornado  # noqa: PLC0415 - only where a chart is wanted

    if found.frame.empty:
        return None
    return tornado(found.frame.rename(columns={"path": "field"}).drop(columns="name"), most=CHARTED)
