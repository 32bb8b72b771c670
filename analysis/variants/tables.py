"""Tables of `whatif`, `sensitivity`, `forbid` and `screen`.

What `fairfight whatif` and `fairfight sensitivity` show: tables and lines for people, everything for JSON.

What `fairfight forbid` shows: tables and lines for people, everything for JSON, a chart of all.

What `fairfight screen` shows: tables and lines for people, everything for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.document.cells import THIN, as_written, count, limit_words, percent, truncated_change
from analysis.document.model import SECONDARY, Format, Table
from analysis.variants.ablation import Worth
from analysis.variants.compare import WhatIf
from analysis.variants.interactions import NOISY, Screen, clash_words
from analysis.variants.sensitivity import Sensitivity
from analysis.variants.variant import Step
from sim.engine.contract import Game
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
    from analysis.charts.intervals import tornado  # noqa: PLC0415 - only where a chart is wanted

    if found.frame.empty:
        return None
    return tornado(found.frame.rename(columns={"path": "field"}).drop(columns="name"), most=CHARTED)


if TYPE_CHECKING:  # most commands draw nothing
    from matplotlib.figure import Figure

FORBID_SHOWN, FORBID_CHARTED = 40, 30  # lines on a terminal, and in a chart
EVERYBODY = "everybody"
ADJUSTED = {"holm": "p (Holm)", "bh": "p (BH)"}
FORBID_FORMATS: dict[str, Format] = {
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
        games = (
            f"{count(found.games)} games with it and those again without it that it may touch"
            if not self.ranked
            else f"{count(found.games)} games behind each"
        )
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
        return [self._table(self.frame.head(FORBID_SHOWN))]

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
        return table(frame, "worth", f"What it is worth{rest}", columns | more, FORBID_FORMATS)

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
    found = result.frame.head(FORBID_CHARTED).assign(change=lambda frame: frame["worth"])
    several = found["name"].duplicated().any() and found["thing"].duplicated().any()
    if several or len(set(found["forbidden_to"])) > 1:
        return found.assign(panel=found["name"], name=found["thing"])
    whose = "name" if len(set(found["thing"])) == 1 else "thing"
    return found.assign(name=found[whose])


def forbid_figure(result: WorthResult) -> Figure:
    """Draw what things are worth."""
    from analysis.charts.changes import gains  # noqa: PLC0415 - only where a chart is wanted

    more = len(result.frame) - FORBID_CHARTED
    rest = f" {more} more are worth less." if more > 0 else ""
    return gains(chart_frame(result), counts=("games", f"Games with it, and as many without.{rest}"))


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
            f"{100 * found.deviation:.2f} points. {count(found.played)} games in all: {count(found.points)} points of "
            f"{count(found.played // found.points)} games each, the same dice in all.",
            noise,
            WORDS[found.method],
            "Intervals at 95 %: paths (rows of the sample) and batches of games drawn again. Noise counts as interaction: a "
            "total below its share may be nothing.",
            self._truncated(),
            run_words(found.base),
            *left_out("Steps refused by the rules of the card file", [step_words(step) for step in self.refused]),
            *left_out(
                "Values left out, because the rules of the card file refuse them together with others",
                [clash_words(clash) for clash in found.clashes],
            ),
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
        facts = found.base.facts() | {
            "method": found.method,
            "outcome": found.outcome,
            "points": found.points,
            "played": found.played,
        }
        facts |= {"games_of_a_point": found.games, "noise": found.noise, "noisy": found.noisy}
        facts |= {"mean": found.mean, "deviation": found.deviation}
        facts |= dict(zip(("truncated_least", "truncated_most"), found.truncated, strict=True))
        refused = [{"path": step.field, "value": step.value, "why": step.refused} for step in self.refused]
        left = [
            {
                "path": clash.path,
                "value": clash.value,
                "with": [{"path": path, "value": value} for path, value in clash.others],
                "why": clash.why,
            }
            for clash in found.clashes
        ]
        tables = {"effects": records(found.effects), "pairs": records(found.pairs)}
        return {"facts": facts, **tables, "refused": refused, "left_out": left}
