"""Tables, charts and report sections on skill.

What levels of play say, in sentences: steps of the ladder, and which conclusions hold for better players.

The answer of `fairfight skill`: tables for people, everything for JSON.

Charts of `skill`: the ladder, and the win rates level by level.

The sections of the page: the ladder, the conclusions level by level, and the game itself.

What good play is worth: the policy against the one beside it, with the same teams and the same dice, both ways round.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dumbbell, render
from analysis.charts.ranks import BOTH_WAYS, levels
from analysis.charts.special import rungs
from analysis.data.encounters import DUEL
from analysis.data.study import Study, against, contest
from analysis.document import verdicts
from analysis.document.cells import MINUS, THIN, count, decimal, percent, points
from analysis.document.files import write_bytes, write_text
from analysis.document.model import Cell, Chart, Format, Section, Table
from analysis.document.prose import at_seats, capital, interval, listed, number_word, point_interval, stopped
from analysis.document.tables import table
from analysis.document.verdicts import MEANING
from analysis.skill.balance import FLIPS, HOLDS, MOVES, Balance
from analysis.skill.ladder import STEP, Ladder, Skill
from analysis.variants.swaps import Advantage, advantage
from sim.engine.measures import Question

TOLD = 4  # entrants by name with their rates; of more only how many there are
SURE = 0.05

CAVEAT = (
    "A level is how a program decides, not how a person plays: better players than the highest level may move these numbers "
    "further."
)


def steps(found: Ladder) -> str:
    """How every level does against the one below, and how many clear steps that makes."""
    said = []
    for _, row in found.rates[found.rates["higher"] - found.rates["lower"] == 1].iterrows():
        rate = f"{row['name']} wins {percent(row['estimate'])} of the games against {row['below']}"
        said.append(f"{rate} {interval(row['low'], row['high'], row['n'])}")
    return f"{capital(at_seats(DUEL))} {listed(said)}. {depth(found)}"


def depth(found: Ladder) -> str:
    """The clear steps and the span of the ratings."""
    got = found.depth
    chain = " \u2013 ".join(found.names[at] for at in got.chain)
    number = f"{number_word(got.steps)} clear step{'' if got.steps == 1 else 's'}"
    said = f"That makes {number} of {percent(STEP, 0)} or more" + (f" ({chain})" if got.steps else "")
    if got.low != got.high:
        said += f", by the intervals {number_word(got.low)} to {number_word(got.high)}"
    if found.spread is None:
        return f"{said}."
    span = found.spread
    said += f"; {found.names[-1]} is rated {elo(span.estimate)} Elo points above {found.names[0]}"
    return f"{said} (95{THIN}% interval {elo(span.low)} to {elo(span.high)})."


def elo(value: float) -> str:
    """Elo points, whole."""
    return count(value)


def between(found: Balance, first: str, second: str) -> str:
    """What becomes of the conclusions on all entrants from one level to another."""
    rows = found.changes[(found.changes["first"] == first) & (found.changes["second"] == second)]
    said = [_kept(found, rows, first, second), _flips(found, rows), _holds(rows), _moves(found, rows)]
    said.append(_order(found, first, second))
    return " ".join(words for words in said if words)


def _kept(found: Balance, rows: pd.DataFrame, first: str, second: str) -> str:
    """How many conclusions of one level are sure at the other too."""
    sure = rows[rows["side_before"] != 0]
    if sure.empty:
        none = f"Under {first} none of {number_word(len(found.units))} is surely off its share"
        return f"{none}, so that there is nothing for {second} to turn over."
    same = int((sure["side_before"] == sure["side_after"]).sum())
    flipped = int((sure["verdict"] == FLIPS).sum())
    whom = f"Of {number_word(len(sure))} that {'is' if len(sure) == 1 else 'are'} surely off their share under {first}"
    rest = len(sure) - same - flipped
    told = [_number(same, "stays", "stay") + " on the same side", _number(flipped, "changes", "change") + " sides"]
    told += [_number(rest, "is", "are") + " no longer surely off it"] if rest else []
    return f"{whom}, under {second} {listed(told)}."


def _number(number: int, one: str, many: str) -> str:
    """Write a number with its verb: `none stays`, `two stay`."""
    return f"{number_word(number) if number else 'none'} {many if number > 1 else one}"


def _flips(found: Balance, rows: pd.DataFrame) -> str:
    flips = _largest(rows[rows["verdict"] == FLIPS])
    if flips.empty:
        return ""
    told = [became(found, row) for _, row in flips.head(TOLD).iterrows()]
    rest = len(flips) - len(told)
    more = f" {capital(number_word(rest))} more turn{'s' if rest == 1 else ''} over likewise." if rest else ""
    return f"{'. '.join(told)}.{more}"


def became(found: Balance, row: pd.Series) -> str:
    """One entrant at two levels: `Fox is the strongest under greedy:4 (61.0 %) and average under search:200 (50.1 %)`."""
    before, after = (_standing(found, row["name"], row[level]) for level in ("first", "second"))
    rates = [f"{percent(row[when])}" for when in ("before", "after")]
    return f"{row['name']} is {before} under {row['first']} ({rates[0]}) and {after} under {row['second']} ({rates[1]})"


def _standing(found: Balance, name: str, level: str) -> str:
    """How an entrant stands at a level, in words."""
    here = found.rates[found.rates["level"] == level]
    row = here[here["name"] == name].iloc[0]
    if row["side"] == 0:
        return "average" if row["verdict"] == "fair" else "not surely off its share"
    if row["side"] > 0:
        return "the strongest" if row["estimate"] == here["estimate"].max() else "above its share"
    return "the weakest" if row["estimate"] == here["estimate"].min() else "below its share"


def _holds(rows: pd.DataFrame) -> str:
    holds = rows[rows["verdict"] == HOLDS]
    said = []
    for side, words in ((1, "above their share"), (-1, "below it"), (0, "within a tenth of it")):
        names = list(holds.loc[(holds["side_before"] + holds["side_after"]).clip(-1, 1) == side, "name"])
        said += [f"{words}: {listed(names)}"] if names else []
    return f"Surely at both levels {'; '.join(said)}." if said else ""


def _moves(found: Balance, rows: pd.DataFrame) -> str:
    moves = _largest(rows[rows["verdict"] == MOVES])
    if moves.empty:
        return ""
    told = [became(found, row) for _, row in moves.head(1).iterrows()]
    others = [f"{row['name']} ({points(row['change'])})" for _, row in moves.iloc[1:].iterrows()]
    return f"{told[0]}." + (f" Beyond chance moved also {listed(others)} points." if others else "")


def _largest(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.sort_values("change", key=lambda change: -change.abs(), kind="stable")


def _order(found: Balance, first: str, second: str) -> str:
    rows = found.orders[(found.orders["first"] == first) & (found.orders["second"] == second)]
    if rows.empty:
        return ""
    row = rows.iloc[0]
    said = f"Kendall's tau of the two orders is {tau(row['tau'])} (95{THIN}% interval {tau(row['low'])} to {tau(row['high'])}; "
    return f"{said}1: the same order, 0: nothing in common, {MINUS}1: reversed)."


def tau(value: float) -> str:
    """A rank correlation."""
    return decimal(value, 2)


def strongest(found: Balance) -> str:
    """Who wins most at each level."""
    best: dict[str, list[str]] = {}
    for level in found.names:
        rows = found.rates[(found.rates["level"] == level) & found.rates["estimate"].notna()]
        if len(rows):
            top = rows.iloc[int(rows["estimate"].argmax())]
            best.setdefault(top["name"], []).append(f"{level} ({percent(top['estimate'])})")
    said = [f"{name} under {listed(levels)}" for name, levels in best.items()]
    return f"Strongest is {listed(said)}." if said else ""


def course(found: Balance) -> str:
    """How the game itself moves: the spread of the win rates, who goes first, length, stopped games."""
    rows = found.whole
    spread = [f"{100 * row['spread']:.1f} under {row['level']}" for _, row in rows.iterrows() if row["spread"] >= 0]
    said = [f"Win rates lie so many points apart (standard deviation): {listed(spread)}."] if spread else []
    if rows["first"].notna().any():
        marks = [
            f"{percent(row['first'])}{'' if row['p'] < SURE else ' (may be chance)'}" for _, row in rows.iterrows()
        ]
        said.append(f"Whoever goes first wins {listed(marks)}, level by level.")
    said.append(f"A game lasts {listed([f'{turns:.1f}' for turns in rows['turns']])} turns on average.")
    if rows["truncated"].any():
        said.append(f"Truncated games, left out: {listed([percent(share) for share in rows['truncated']])}.")
    else:
        said.append("No game was stopped at a limit.")
    return " ".join(said)


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
        said = [] if ladder is None else [steps(ladder)]
        said.append(strongest(balance))
        top = balance.names[-1]
        said += [f"{name} to {top}: {between(balance, name, top)}" for name in balance.names[:-1]]
        made = f"{plan.cards.title} (digest {plan.cards.digest}): {count(found.games)} games, seed {plan.seed}."
        if found.interrupted:
            made += f" Stopped early: levels up to {top}, the last one maybe with fewer games."
        return (*said, course(balance), made, *READING)

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
    CAVEAT,
)


def _ends(table: Table) -> Table:
    """The first and the last lines of a long table."""
    if len(table.rows) <= 2 * ENDS:
        return table
    caption = f"{table.caption} (the first and the last {ENDS} of {count(len(table.rows))}; --csv has all)"
    return Table(table.id, table.columns, table.rows[:ENDS] + table.rows[-ENDS:], caption, table.formats)


def _cell(share: float) -> Cell:
    return None if pd.isna(share) else float(share)


DRAWN_MAX = 36  # lines of a chart


def ladder_chart(found: Ladder) -> Figure | None:
    """Ratings and steps; None where some levels have not met."""
    if found.rated is None:
        return None
    steps = found.rates[found.rates["higher"] - found.rates["lower"] == 1].set_index("higher")
    columns = {"estimate": "rate", "low": "rate_low", "high": "rate_high", "n": "n"}
    beside = steps.rename(columns=columns)[list(columns.values())].reindex(range(len(found.names)))
    return rungs(found.rated.drop(columns="n").join(beside), step=STEP)


def levels_chart(found: Balance) -> Figure:
    """Win rates of every entrant at each level; of very many, of those that move most."""
    turns = {name: _turns(found.changes, name) for name in found.units}
    reach = found.rates.groupby("name")["estimate"].agg(lambda rates: rates.max() - rates.min())
    kept = set(reach.sort_values(ascending=False, kind="stable").index[:DRAWN_MAX])
    drawn = found.rates[found.rates["name"].isin(kept)]
    return levels(drawn.assign(turns=drawn["name"].map(turns)), left_out=len(found.units) - len(kept))


def _turns(changes: pd.DataFrame, name: str) -> int:
    """Which way an entrant flips between levels: +1, -1, 0 not at all, BOTH_WAYS."""
    if changes.empty:
        return 0
    own = changes[(changes["name"] == name) & (changes["verdict"] == FLIPS)]
    ways = set(own["side_after"])
    return BOTH_WAYS if len(ways) > 1 else int(ways.pop()) if ways else 0


def write_charts(found: Skill, folder: Path) -> list[Path]:
    """Write both as PNG and SVG: ladder and levels; returns the files. Raises ReportError."""
    files = []
    drawn = {"ladder": ladder_chart(found.ladder) if found.ladder else None, "levels": levels_chart(found.balance)}
    for name, figure in drawn.items():
        if figure is not None:
            write_bytes(folder / f"{name}.png", render.png(figure))
            title = f"{found.plan.game.title}: {name}"
            write_text(folder / f"{name}.svg", render.svg_file(render.svg(figure, name, title)))
            files += [folder / f"{name}.png", folder / f"{name}.svg"]
    return files


LADDER, CONCLUSIONS, COURSE = "ladder", "conclusions", "course"
SECTIONS_ENDS = 15  # lines of a long table that stand on the page from each end

IN_PAIRS = (
    "Two levels meet in pairs of games: the same line-up and dice twice, the policies on the other seats the second time, so "
    "that entrants and seats fall out. A pair is one observation (Tango's interval). Ratings are fitted after Bradley and Terry. "
    f"The steps count the longest chain of levels of whom each wins {percent(STEP, 0)} or more of the games against the one "
    "before (Cauwet et al. 2015); luck in the rules makes them fewer, and so does a judgement that looking ahead cannot help. "
)
JUDGED = (
    f"All levels play the same line-ups with the same dice. {MEANING} Rows are those of all levels. p (Holm) of a change is "
    "adjusted over all changes. Flips: surely above the fair share at one level and surely below at the other (p_fair, adjusted "
    "over all levels); holds: surely on one side at both, or fair at both; moves: the change is sure, but not both sides. "
    "Kendall's tau is that of the true orders: what errors take from it is put back. "
)


def ladder(found: Skill) -> Section | None:
    """Ratings and steps; None where two levels never met in a game that somebody won."""
    made, tables = found.ladder, SkillTables(found)
    figure = ladder_chart(made) if made else None
    if made is None or figure is None:
        return None
    answer = steps(made)
    caption = "Rating of every level, the highest on top, and how often each beats the one below it, at two seats."
    chart = Chart(LADDER, figure, caption, f"Dots by level on a scale of Elo points. {answer}")
    shown = [table for table in (tables.meetings(), tables.ratings()) if table is not None]
    return Section(LADDER, "How far does skill go?", answer, (chart,), tuple(shown), IN_PAIRS + CAVEAT)


def conclusions(found: Skill, policy: str) -> Section:
    """Win rates level by level, and what becomes of what the report says. policy: of the report."""
    tables, balance = SkillTables(found), found.balance
    top = balance.names[-1]
    first = policy if policy in balance.names[:-1] else balance.names[max(0, len(balance.names) - 2)]
    said = [strongest(balance)]
    said += [between(balance, first, top)] if first != top else []
    answer = " ".join(said)
    word = found.plan.game.entrants_word if found.plan.teams is None else found.plan.teams.words
    caption = f"Win rates of all {word} {at_seats(balance.seats)} with one level of play in every seat, the lowest on the left."
    chart = Chart(CONCLUSIONS, levels_chart(balance), caption, f"A line per entrant over the levels. {answer}")
    shown = [tables.side_by_side(), _cut(tables.changes()), tables.orders(), _cut(tables.rates())]
    note = JUDGED + CAVEAT + f" More games and levels: fairfight skill {found.plan.game.name}."
    kept = tuple(table for table in shown if table is not None)
    return Section(CONCLUSIONS, "Do these conclusions hold for better players?", answer, (chart,), kept, note)


def skill_course(found: Skill) -> Section:
    """The game itself at each level."""
    note = "First wins: of finished games, p against the fair share. A stopped game counts with its turns until then. The spread "
    note += "of the win rates is what is left when chance is taken out (jackknife over games)."
    answer = course(found.balance)
    return Section(
        COURSE, "How does the game change with its players?", answer, (), (SkillTables(found).whole(),), note
    )


def _cut(table: Table) -> Table:
    """The same with a long middle left out on the page."""
    ends = SECTIONS_ENDS if len(table.rows) > 2 * SECTIONS_ENDS else 0
    return Table(f"level-{table.id}", table.columns, table.rows, table.caption, table.formats, ends)


DIFFERENCE = {"change": "difference", "change_low": "difference low", "change_high": "difference high"}
LEAST = 20  # games won by the weaker side from which on the gain of shared dice can be told


def skill(study: Study, question: Question) -> Section | None:
    """Dots of the win share of either policy against the other, and the difference, from games in pairs.

    Settings: games (in multiples of the usual number; they are played both ways round).
    """
    if study.beside is None or not study.contests or contest(study) != len(("policy", "beside")):
        return None
    seats = contest(study)
    games = against(study, seats, study.games_for(question, study.budget.variant_games))
    truncated = int((~games["finished"]).sum())
    games = games[games["finished"]]
    if games.empty:
        return None
    found = advantage(games[["share_0", "share_1"]], games["side"], games["dice"])
    first, second = str(study.policy), str(study.beside)
    line = row(f"{first} against {second}", found)
    told = min(found.first, found.second) * found.games >= LEAST
    frame = pd.DataFrame([{**line, "gain": found.gain if told else np.nan}])
    answer = f"{capital(at_seats(seats))} {first} wins {percent(found.first)} of the games against {second} "
    answer += f"{interval(line['first_low'], line['first_high'], found.games, 'games')} and {second} "
    answer += f"{percent(found.second)}: a difference of {points(found.change)} points {point_interval(found.low, found.high)}"
    answer += f"{stopped(truncated)}."
    caption = f"Win share of {first} and of {second} against each other: every line-up is played with the same dice "
    caption += "both ways round."
    chart = dumbbell(frame, words=(first, second), label="win share", change="difference, points")
    columns = {"name": "policies", "first": f"{first} wins", "second": f"{second} wins", **DIFFERENCE}
    columns |= {"gain": "gain", "pairs": "n (groups)", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(DIFFERENCE.values(), "points"), "gain": "number"}
    formats |= {f"{first} wins": "percent", f"{second} wins": "percent", "n (groups)": "count"}
    shown = table(frame, question.id, f"{capital(first)} against {second}", columns, formats)
    note = f"Games with the same dice are one observation: {count(found.n)} of them; gain says how many times as many "
    note += "games without shared dice would be needed"
    note += ". " if told else ", which cannot be told where hardly a game goes the other way. "
    note += "Truncated games are left out. n: games."
    alt = f"Two dots, the win shares of both policies. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, chart, caption, alt),), (shown,), note)


def row(name: str, found: Advantage) -> dict[str, Any]:
    """The line of a dumbbell chart; either share has half of the interval of their difference."""
    low, high = (found.low - found.change) / 2, (found.high - found.change) / 2
    line: dict[str, Any] = {
        "name": name,
        "first": found.first,
        "first_low": max(0.0, found.first + low),
        "first_high": min(1.0, found.first + high),
    }
    line |= {
        "second": found.second,
        "second_low": max(0.0, found.second - high),
        "second_high": min(1.0, found.second - low),
    }
    line |= {"change": found.change, "change_low": found.low, "change_high": found.high, "p": found.p}
    return {**line, "gain": found.gain, "pairs": found.n, "n": found.games}
