"""Results of `fairfight whatif`, `sensitivity`, `forbid` and `screen`: tables and sentences for people, values for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment

from analysis.document.model import SECONDARY, THIN, Format, Table, as_written, count, limit_words, percent, truncated_change
from analysis.variants.ablation import Worth
from analysis.variants.compare import WhatIf
from analysis.variants.interactions import NOISY, Screen, clash_words
from analysis.variants.sensitivity import Sensitivity
from analysis.variants.variant import Step

if TYPE_CHECKING:  # most commands draw nothing
    from matplotlib.figure import Figure

SHOWN = 40  # steps on a terminal
CHARTED = 24  # numbers in a chart
NAMED = 6  # steps listed by name; further ones are counted
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
    "The spread is the standard deviation of the win rates, minus what chance alone adds to it; 0 if chance explains all of it."
)
PAIR_WORDS = "Both ways play the same line-ups and dice; gain: how many times as many games two separate runs would need."


@dataclass(frozen=True)
class WhatIfResult:
    """Result of `whatif`, as tables."""

    found: WhatIf

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        found = self.found
        games = f"{count(found.played)} games in all: {count(found.games)} before"
        moved = f"{count(found.moved)} ({percent(found.moved / found.games)}) ended differently"
        after = found.played - found.games
        games += f", {count(after)} of them again after"
        games += ", because the change cannot affect the others" if after < found.games else ""
        first = f"{'Against' if found.change.rival else 'Change:'} {found.change}."
        if found.change.idle:
            stopped = truncated_change(*found.truncated, limit_words(found.base.game.limits_itself))
            return (first, *_alone(found), "The change never reaches play, so it has no effect.", stopped, run_words(found.base))
        apart = "" if found.paired else " Line-ups differ because seats chose otherwise: two samples are compared, not pairs."
        kind = f"Intervals at 95{THIN}%, for each row alone; p (Holm) over all rows of its table.{apart}"
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
        """Table of win rates."""
        game, teams = self.found.base.game, self.found.base.teams
        columns = {"name": teams.word if teams else game.entrant_word, "before": "before", "after": "after"}
        columns |= {"change": "change", "low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n"}
        return table(self.found.rates, "win_rates", "Win rates", columns | {"gain": "gain", **TRUNCATED}, {})

    def tables(self) -> list[Table]:
        """Tables of win rates, then of the game as a whole."""
        return [self.main(), *self._whole()]

    def _whole(self) -> list[Table]:
        """Tables of shares and of lengths, which have different formats."""
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
        """Everything as plain values."""
        found = self.found
        edits = [{"path": edit.path, "before": edit.before, "after": edit.value} for edit in found.change.edits]
        facts = found.base.facts() | {"games": found.games, "played": found.played, "ended_otherwise": found.moved}
        facts |= {"reaches_play": not found.change.idle, "paired": found.paired, "half_width": found.half_width}
        facts |= dict(zip(TRUNCATED, found.truncated, strict=True))
        rival = found.change.rival
        values = {"facts": facts, "change": edits}
        if rival is not None:
            values["against"] = {"cards": rival.title, "cards_digest": rival.digest, "only": [list(ids) for ids in rival.only]}
        return values | {"win_rates": records(found.rates), "whole": records(found.whole)}


def _alone(found: WhatIf) -> list[str]:
    """Sentences on entrants that are in only one of two card sets."""
    if found.change.rival is None:
        return []
    titles = (found.base.cards.title, found.change.rival.title)
    named = zip(titles, found.change.rival.only, strict=True)
    return [line for title, ids in named for line in left_out(f"Only in {title}, so in none of the games", ids)]


@dataclass(frozen=True)
class SensitivityResult:
    """Result of `sensitivity`, as tables."""

    found: Sensitivity

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        found, left = self.found, self.found.candidates
        lines = [
            f"{count(found.games)} games in all. {run_words(found.base)} "
            f"Widest interval: \u00b1{100 * found.precision:.2f} points.",
            "Ranked by the lower bound of the size of the change. Win rate: that of the owner of a number, else the one that "
            "moves most, with the interval widened for that choice. Intervals for each row alone; Holm over all rows.",
            "A first round, not used otherwise, decided how many games each step needs; steps that could be at the top got twice "
            f"as many. Before and after are those of the n games of the row. {SPREAD_WORDS}",
        ]
        if len(found.frame):
            after = float(found.frame["truncated_after"].max())
            lines.append(truncated_steps(found.truncated, after, limit_words(found.base.game.limits_itself)))
        lines += left_out("Numbers marked as fixed, left alone", left.fixed)
        lines += left_out("Coordinates and board sizes, left alone unless --fields or --with-fixed asks for them", left.places)
        lines += left_out("Steps refused by the rules of the card file", [step_words(step) for step in left.refused])
        lines += left_out("Steps without any effect on play", [step_words(step) for step in left.idle])
        return tuple(lines)

    def main(self) -> Table:
        """Table of every step."""
        return self._table(self.found.frame)

    def tables(self) -> list[Table]:
        """Tables with the first rows."""
        if self.found.frame.empty:
            return []
        return [self._table(self.found.frame.head(SHOWN))]

    def _table(self, frame: pd.DataFrame) -> Table:
        columns = {"rank": "rank", "path": "number", "present": "now", "value": "becomes", "name": "win rate of"}
        columns |= {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
        columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain", "spread_change": "spread", "spread_low": "spread low"}
        columns |= {"spread_high": "spread high", **TRUNCATED}
        formats: dict[str, Format] = dict.fromkeys(("spread", "spread low", "spread high"), "points")
        left = len(self.found.frame) - len(frame)
        rest = f" (the first {len(frame)} of {len(frame) + left}; --csv and --json hold all)" if left else ""
        return table(frame, "sensitivity", f"Every number one step up and down{rest}", columns, formats)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        found, left = self.found, self.found.candidates
        facts = found.base.facts() | {"games": found.games, "first_round": found.pilot, "final_round": found.span}
        facts |= {"precision": found.precision, "wanted": found.asked.precision, "truncated": found.truncated}
        return {"facts": facts, "steps": records(found.frame), "fixed": list(left.fixed)} | {
            "refused": [{"path": step.field, "value": step.value, "why": step.refused} for step in left.refused],
            "idle": [{"path": step.field, "value": step.value} for step in left.idle],
        }


def truncated_steps(before: float, most: float, limit: str) -> str:
    """Sentence on the shares of truncated games, unchanged and with any change. limit: see `limit_words`."""
    if not before and not most:
        return f"No game was stopped at {limit}."
    return (
        f"Truncated games, stopped at {limit}, are left out of win rates: {percent(before, 2)} of the unchanged games, up to "
        f"{percent(most, 2)} of the games of a row."
    )


def table(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str], formats: dict[str, Format]) -> Table:
    """Make a table from columns of a frame. columns: name in the frame -> heading; formats: by heading, beyond FORMATS."""
    chosen = frame[list(columns)].astype(object)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in chosen.itertuples(index=False))
    return Table(id_, tuple(columns.values()), rows, caption, {**FORMATS, **formats}, secondary=DETAILS)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as dicts of plain values."""
    return [{str(name): value for name, value in line.items()} for line in frame.to_dict("records")]


def run_words(base: Experiment) -> str:
    """Sentence on cards, seats, policy and seed of a run."""
    return f"{base.cards.title} (digest {base.cards.digest}), {base.seats} seats, policy {base.policy_words}, seed {base.seed}."


def step_words(step: Step) -> str:
    """Describe a step by path and direction, or by value if it is more than one step."""
    way = {-1: "down", 1: "up"}.get(step.step, f"to {as_written(step.value)}")
    return f"{step.field} {way}"


def left_out(why: str, names: Sequence[str]) -> list[str]:
    """Sentence on what was not played; none without names."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"{why} ({len(names)}): {', '.join(names[:NAMED])}{more}."] if names else []


def figure(found: Sensitivity) -> Figure | None:
    """Draw the tornado chart; None if no step was played."""
    from analysis.charts import tornado  # noqa: PLC0415 - only if a chart is wanted

    if found.frame.empty:
        return None
    return tornado(found.frame.rename(columns={"path": "field"}).drop(columns="name"), most=CHARTED)


FORBID_SHOWN, FORBID_CHARTED = 40, 30  # rows on a terminal, and in a chart
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
    """Result of `forbid`, as tables. ranked: sort by absolute worth, largest first."""

    found: Worth
    ranked: bool = False

    @property
    def frame(self) -> pd.DataFrame:
        """Lines of the result, with the id of the entrant under the ban."""
        found, ids = self.found, self.found.base.cards.ids
        lines = found.lines.assign(
            forbidden_to=[EVERYBODY if entrant < 0 else ids[entrant] for entrant in found.lines["entrant"].astype(int)]
        )
        if not self.ranked:
            return lines
        order = lines["worth"].abs().fillna(-1).sort_values(ascending=False, kind="stable").index
        return lines.loc[order].reset_index(drop=True)

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        found = self.found
        games = (
            f"{count(found.games)} games with it, and again without it those that it can affect"
            if not self.ranked
            else f"{count(found.games)} games for each"
        )
        replayed = ", played again without it if the ban can affect them" if self.ranked else ""
        return (
            f"{games}{replayed}; {count(found.played)} in all. {run_words(found.base)}",
            "Worth: win rate with it minus that without it, in the same line-ups with the same dice. All players know about the "
            "ban and plan accordingly; a banned action is still taken if there is no other.",
            "Use: share of the decisions with an alternative and of the games, for the row's win rate, in "
            f"{count(found.usages.looked_at)} unchanged games. Gain: how many times as many games two separate runs would need.",
            truncated_steps(
                found.truncated, float(found.lines["truncated_after"].max()), limit_words(found.base.game.limits_itself)
            ),
            f"Intervals at 95{THIN}%, for each row alone; {ADJUSTED[found.method]} over all rows.",
            *left_out("Left out, because not used in the replayed games", found.unused),
        )

    def main(self) -> Table:
        """Table of every row."""
        return self._table(self.frame)

    def tables(self) -> list[Table]:
        """Tables with the first rows."""
        return [self._table(self.frame.head(FORBID_SHOWN))]

    def _table(self, frame: pd.DataFrame) -> Table:
        base = self.found.base
        word = base.teams.word if base.teams else base.game.entrant_word
        columns = {"thing": "what", "forbidden_to": "forbidden to", "name": f"win rate of ({word})"}
        columns |= {"before": "with it", "after": "without", "worth": "worth", "low": "low", "high": "high"}
        columns |= {"p_adjusted": ADJUSTED[self.found.method], "of_decisions": "of decisions", "of_games": "in games"}
        more = {"n": "n", "gain": "gain", "truncated_before": "truncated with it", "truncated_after": "truncated without"}
        left = len(self.found.lines) - len(frame)
        rest = f" (the first {len(frame)} of {len(frame) + left}; --csv and --json hold all)" if left else ""
        return table(frame, "worth", f"What it is worth{rest}", columns | more, FORBID_FORMATS)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
        found = self.found
        facts = found.base.facts() | {"games": found.games, "played": found.played}
        facts |= {"looked_at": found.usages.looked_at, "adjusted": found.method, "unused": list(found.unused)}
        facts |= {"truncated": found.truncated}
        return {"facts": facts, "worth": records(self.frame.drop(columns=["entrant", "paired"]))}


def list_table(game: Game, things: tuple[str, ...]) -> Table:
    """Table of what can be forbidden."""
    rows = tuple((thing,) for thing in things)
    return Table("things", ("what",), rows, f"What can be forbidden in {game.title}: {count(len(things))}")


def chart_frame(result: WorthResult) -> pd.DataFrame:
    """Data of the chart: the first rows, in panels by entrant if the bans differ by entrant."""
    rows = result.frame.head(FORBID_CHARTED).assign(change=lambda frame: frame["worth"])
    several = rows["name"].duplicated().any() and rows["thing"].duplicated().any()
    if several or len(set(rows["forbidden_to"])) > 1:
        return rows.assign(panel=rows["name"], name=rows["thing"])
    whose = "name" if len(set(rows["thing"])) == 1 else "thing"
    return rows.assign(name=rows[whose])


def forbid_figure(result: WorthResult) -> Figure:
    """Draw the worth of things."""
    from analysis.charts import gains  # noqa: PLC0415 - only if a chart is wanted

    more = len(result.frame) - FORBID_CHARTED
    rest = f" {more} more are worth less." if more > 0 else ""
    return gains(chart_frame(result), counts=("games", f"Games with it, and the same number without.{rest}"))


WORDS = {
    "morris": "Per step of the field: mean change of the outcome (mu), its mean absolute change (mu*), and how much the change "
    "depends on the other fields (sigma). Sigma beside a small mu* is noise; as large as mu* it is interaction or curvature.",
    "sobol": "Shares of the variance of the outcome over the grid: explained by the field alone (first order), and with all its "
    "interactions (total). The difference between total and first order is interaction.",
}


@dataclass(frozen=True)
class ScreenResult:
    """Result of `screen`, as tables. refused: steps that the card rules do not allow."""

    found: Screen
    refused: tuple[Step, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        found = self.found
        what = "spread of the win rates" if found.outcome == "spread" else f"win rate of {found.outcome}"
        noise = f"Noise of the simulation: {percent(found.noise)} of the variance between points."
        if found.noise > NOISY:
            noise += " WARNING: most of the differences may be chance; play more --games."
        return (
            f"Outcome: {what}, on average {percent(found.mean)}, standard deviation over the points "
            f"{100 * found.deviation:.2f} points. {count(found.played)} games in all: {count(found.points)} points of "
            f"{count(found.played // found.points)} games each, with the same dice.",
            noise,
            WORDS[found.method],
            "Intervals at 95 %: paths (rows of the sample) and batches of games are resampled. Noise counts as interaction: a "
            "total below the share of noise may be zero.",
            self._truncated(),
            run_words(found.base),
            *left_out("Steps refused by the rules of the card file", [step_words(step) for step in self.refused]),
            *left_out(
                "Values left out, because the rules of the card file refuse them together with others",
                [clash_words(clash) for clash in found.clashes],
            ),
        )

    def _truncated(self) -> str:
        """Sentence on truncated games."""
        limit = limit_words(self.found.base.game.limits_itself)
        least, most = self.found.truncated
        if not most:
            return f"No game was stopped at {limit}."
        return (
            f"Truncated games, stopped at {limit}, are left out of win rates: {percent(least, 2)} to {percent(most, 2)} of the "
            "games of a point."
        )

    def main(self) -> Table:
        """Table with one row per field."""
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
        """Tables of fields, then of pairs of fields."""
        if self.found.pairs.empty:
            return [self.main()]
        columns = {"path": "number", "other": "and", "s2": "share of both together", "s2_low": "low", "s2_high": "high"}
        formats: dict[str, Format] = dict.fromkeys(("share of both together", "low", "high"), "number")
        return [self.main(), table(self.found.pairs, "pairs", "Interactions: shares of the variance", columns, formats)]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values."""
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
