"""Report sections and tables on going first.

The answer to "what is going first worth": tables for the command from `seat_worth` and `compensation`.

What going first is worth, where most, and which rule would make it fair.

What it is worth to go first: the same games with the sides changed, by policy and under each value of some rules.

What going first is worth to each pair of entrants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis import interrupts
from analysis.charts import dumbbell, forest, halves, lines
from analysis.data import clustered
from analysis.data.study import Study, at, contest, of_pairings, results
from analysis.document import verdicts
from analysis.document.cells import THIN, count, limit_words, number, percent, points, truncated_words
from analysis.document.model import Chart, Format, Section, Table
from analysis.document.prose import LEAST, at_seats, capital, interval, listed, number_word, point_interval, value_words
from analysis.document.tables import highest, lowest, rate_columns, table
from analysis.first_player import worth
from analysis.first_player.worth import EVEN, TWO_SEATS, Fair, NobodyFirstError, Play, SeatGames, Tried
from analysis.skill.section import DIFFERENCE, row
from analysis.stats.intervals import adjust
from analysis.variants.swaps import advantage
from analysis.variants.variant import Step, each_value
from analysis.winrates.play import SoFar
from sim.engine.cards import CardSet
from sim.engine.measures import Question, SeatLever
from sim.engine.policies import PolicySpec
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
    levers = worth.afforded(levers, games)
    first, each, again = worth.games_each(games, levers)
    made = held or worth.paired(replace(base, games_wanted=first))
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
    met = worth.by_matchup(played) if two and made.teams is None else None
    units = worth.by_unit(played) if two else None
    told = None
    if compensate and not interrupted:
        try:
            with interrupts.shown_so_far():
                told = compensated(made, levers, (each, again), counting)
        except KeyboardInterrupt:
            interrupted = True
    counts = (played.truncated, played.played, games_played)
    return SeatSummary(made, worth.overall(played), met, units, told, *counts, interrupted)


def compensated(
    made: Experiment, levers: tuple[SeatLever, ...], games: tuple[int, int], play: Play | None = None
) -> Compensation:
    """Search levers and test what was chosen. games: of each value, and of the test."""
    each, again = games
    left = tuple(one.path for one in made.game.seat_levers if one.path not in {lever.path for lever in levers})
    if not levers:
        return Compensation([], None, None, ())
    base = replace(made, games_wanted=each)
    tried = worth.search(base, play, levers)
    best = worth.best(tried)
    if best is None or best.chosen == best.present:
        return Compensation(tried, best, None, left)
    return Compensation(tried, best, worth.retest(base, best, again, play), left)


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


ID = "seats"
QUESTION = "What is going first worth, and what would make it fair?"
SURE = 0.05  # p-value adjusted over all lines of a table
ROWS = 24  # matchups in the chart: where there are more, those farthest from fair
SHARE_OF_TWO = 0.6  # of all games at two seats, where there are other numbers of seats too
ALL = "all together"


def seats(study: Study) -> Section | None:
    """Forest of the win share of whoever goes first, overall and by matchup, and its curve over every lever of the game."""
    found = _played(study)
    if not found:
        return None
    two = next((one for one in found if one.experiment.seats == TWO_SEATS), None)
    others = [one for one in found if one is not two]
    answer = " ".join([*(_two(two) if two else []), *map(_more, others)])
    frame = judged_rows(found)
    slim = forest(frame, panels="panel", narrow=True)
    figures = [Chart(ID, forest(frame, panels="panel"), _caption(study, two), f"Dots with intervals. {answer}", slim)]
    tried = two.compensation.tried if two and two.compensation else []
    if curves := _curves(tried):
        figures.append(_levers(curves, answer))
    return Section(ID, QUESTION, answer, tuple(figures), tuple(_tables(found)), _note(bool(curves)))


def _played(study: Study) -> list[SeatSummary]:
    """Every number of seats with an opponent, two first; none where nobody goes first."""
    games, found = study.budget.pair_games, []
    others = [index for index in study.contests if index != TWO_SEATS]
    rest = 1 - SHARE_OF_TWO if TWO_SEATS in study.contests else 1.0
    part = {index: rest / len(others) for index in others}
    play = study.player("going first", games)
    for index in sorted(study.contests):
        wanted = round(games * part.get(index, 1 - sum(part.values())))
        base = study.experiment(index, wanted)
        try:
            found.append(summarise(base, wanted, index == TWO_SEATS, play))
        except NobodyFirstError:
            continue
    return found


def _two(found: SeatSummary) -> list[str]:
    """What it is worth, where most and least, and what makes it fair."""
    top = found.overall.iloc[0]
    far = 100 * abs(top["share"] - EVEN)
    said = f"{capital(at_seats(TWO_SEATS))} whoever goes first wins {percent(top['share'])} "
    said += f"{interval(top['low'], top['high'], top['n'], 'games')}, {far:.1f} points "
    said += "above one half" if top["share"] >= EVEN else "below one half"
    said += "." if top["p"] < SURE else ", which may be chance."
    lines_ = compensation_lines(found.compensation, found.experiment)
    return [said, *_where(found), *lines_]


def _where(found: SeatSummary) -> list[str]:
    """Where it is worth most and least, if that is sure anywhere."""
    each = found.units if found.matchups is None else found.matchups
    if each is None or len(each) < TWO_SEATS:
        return []
    sure, what = int((each["p_holm"] < SURE).sum()), _words(found)
    if not sure:
        return [f"In none of {number_word(len(each))} {what} it is surely worth anything by itself."]
    top = each.iloc[int((each["share"] - EVEN).abs().argmax())]
    return [
        f"It is surely worth something in {number_word(sure)} of {number_word(len(each))} {what}, most in {top['name']} "
        f"({percent(top['share'])})."
    ]


def _words(found: SeatSummary) -> str:
    """What the lines by matchup, or by part of teams, are called."""
    teams = found.experiment.teams
    return "matchups" if found.matchups is not None else f"{teams.words if teams else 'entrants'}' games"


def _more(found: SeatSummary) -> str:
    """Turn positions at more than two seats."""
    rows = found.overall
    sure = rows[rows["p_holm"] < SURE]
    said = f"{capital(at_seats(rows['seats'].iloc[0]))} "
    if sure.empty:
        return (
            f"{said}no turn position wins surely more or less than its fair share of {percent(rows['fair'].iloc[0])}."
        )
    named = [f"moving {_order(row['position'])} wins {percent(row['share'])}" for _, row in sure.iterrows()]
    return f"{said}{listed(named)}, where {percent(rows['fair'].iloc[0])} is fair."


def _order(position: int) -> str:
    return ("first", "second", "third", "fourth")[int(position)]


def judged_rows(found: list[SeatSummary]) -> pd.DataFrame:
    """Rows of the forest with their verdicts, over all rows together; of many matchups those farthest from fair."""
    frame = pd.concat([rows_of(one) for one in found], ignore_index=True)
    frame = verdicts.judged(frame, verdicts.score(frame["estimate"], verdicts.worth(frame)))
    far = (frame["estimate"] - frame["fair"]).abs().groupby(frame["panel"]).rank(ascending=False, method="first")
    return frame[far <= ROWS]


def rows_of(found: SeatSummary) -> pd.DataFrame:
    """Rows of the forest: at two seats all together and what is farthest from fair, else the turn positions."""
    if found.experiment.seats == TWO_SEATS:
        each = found.units if found.matchups is None else found.matchups
        assert each is not None
        more = each if len(each) > 1 else each.iloc[:0]
        whole = found.overall.iloc[[0]].assign(name=ALL, panel="Two seats: whoever goes first")
        what = "by matchup" if found.matchups is not None else f"in games with each {_unit(found)}"
        rows = pd.concat([whole, more.assign(panel=f"Two seats, {what}")], ignore_index=True)
    else:
        names = [f"moves {_order(position)}" for position in found.overall["position"]]
        rows = found.overall.assign(
            name=names, panel=f"{capital(number_word(found.experiment.seats))} seats: turn order"
        )
    return rows.assign(estimate=rows["share"])


def _unit(found: SeatSummary) -> str:
    teams = found.experiment.teams
    return teams.word if teams else found.experiment.game.entrant_word


def _caption(study: Study, two: SeatSummary | None) -> str:
    """What the forest shows."""
    said = (
        f"Win share by turn order, with {study.policy} in every seat: every line-up from every seat with the same dice."
    )
    if two is not None and two.matchups is not None and len(two.matchups) > ROWS:
        said += f" Of {count(len(two.matchups))} matchups the {ROWS} farthest from one half."
    return said


def _curves(tried: list[Tried]) -> list[pd.DataFrame]:
    """The points of each lever with more than one value."""
    found = []
    for one in tried:
        if len(one.table) > 1:
            curve = one.table.assign(panel=capital(one.lever.label), line="first", estimate=one.table["share"])
            found.append(curve.assign(x=one.table["value"], present=one.present, fair=EVEN))
    return found


def _levers(curves: list[pd.DataFrame], answer: str) -> Chart:
    """Share over value, a panel per lever."""
    figure = lines(pd.concat(curves, ignore_index=True), label="value", close=True)
    caption = (
        "Win share of whoever goes first by the value of each rule, all other rules as played; dashed: the value as "
    )
    caption += "played, dotted: one half."
    return Chart(f"{ID}-levers", figure, caption, f"Curves of the win share of whoever goes first. {answer}")


def _tables(found: list[SeatSummary]) -> list[Table]:
    """All tables, with names of their own."""
    made = []
    for one in found:
        many = f"{ID}-{one.experiment.seats}"
        for part in one.every_table():
            ends = 0 if len(part.rows) <= 2 * ROWS else ROWS // 2
            made.append(Table(f"{many}-{part.id}", part.columns, part.rows, part.caption, part.formats, ends))
    return made


def _note(curves: bool) -> str:
    """How it was measured."""
    note = "Pairs of games with the same dice, each entrant's own, are one observation; gain says how many times as many games "
    note += "without common dice would be needed. Truncated games are left out; a win that nobody has is shared out "
    note += "equally. p (Holm): against the fair share, adjusted over the lines of a table."
    if curves:
        note += (
            " All values of a rule play the same games; where going first is fair is read off a curve of the log odds "
        )
        note += "through the four values around it (Fieller's interval). The value chosen was picked among many, so that it is "
        note += "played again with another seed."
    return note


FIRST_MOVER_SURE = 0.05  # p-value adjusted over all lines
WORDS = ("goes first", "goes second")


def first_mover(study: Study, question: Question) -> Section | None:
    """Dots of the win share going first and second, and their difference, one line per policy and value of a rule.

    Settings: path of a rule -> values as text, the one played among them or not (see `whatif.parsed`); a key without a dot is an
    option: games (in multiples of the usual number), rule (words for it, if there is one).
    """
    if not study.contests or contest(study) != len(WORDS):
        return None
    seats, policies = contest(study), [study.policy, *([study.beside] if study.beside else [])]
    lines = [_line(study, question, seats, policy) for policy in policies]
    frame = pd.DataFrame([line for each in lines for line in each])
    if frame.empty:
        return None
    p_holm = adjust(frame["p"])
    frame = frame.assign(p_holm=p_holm, sure=p_holm < FIRST_MOVER_SURE)
    answer = _said(frame, seats)
    figure = dumbbell(frame, words=WORDS, label="win share", change="first less second, points")
    caption = f"Win share of the side that goes first and of the other, {at_seats(seats)}"
    caption += f", by {listed([*dict.fromkeys(frame['rule'][frame['rule'] != '']), 'policy'])}; right: the difference."
    columns = {
        "rule": "rule",
        "value": "value",
        "policy": "policy",
        "first": WORDS[0],
        "second": WORDS[1],
        **DIFFERENCE,
    }
    columns |= {"p_holm": "p (Holm)", "gain": "gain"}
    formats: dict[str, Format] = {**dict.fromkeys(WORDS, "percent"), **dict.fromkeys(DIFFERENCE.values(), "points")}
    formats |= {"gain": "number", "n (groups)": "count"}
    shown = table(frame, question.id, "Going first", {**columns, "pairs": "n (groups)", "n": "n"}, formats)
    note = "A matchup is played with both teams on either seat and the same dice, and such games are one observation "
    note += "(groups), so "
    note += "that the strength of the teams falls out; where the rules deal or draft the teams, the dice do, and "
    note += "games are single. "
    note += "Gain says how many times as many games without shared dice would be needed. Truncated games are left out. "
    note += f"Coloured where p (Holm) < {FIRST_MOVER_SURE}, adjusted over all lines. n: games."
    alt = f"Pairs of dots, the win share going first and second. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (shown,), note)


def _line(study: Study, question: Question, seats: int, policy: PolicySpec) -> list[dict[str, object]]:
    """Lines of one policy: as played, or under each value of each rule."""
    rules = {path: values for path, values in question.settings.items() if "." in path}
    games = study.games_for(question, study.budget.variant_games)
    base, lines = study.experiment(seats, games, policy), []
    steps = [step for path, texts in rules.items() for step in each_value(study.game, study.cards, path, texts)]
    rounds: list[tuple[Step | None, CardSet]] = [(step, step.cards) for step in steps if step.cards] or [
        (None, study.cards)
    ]
    play = study.player(f"going first, {policy}", base.games * len(rounds))
    for step, cards in rounds:
        played = (
            _first_mover_played(study, seats)
            if policy == study.policy and (step is None or step.value == step.before)
            else None
        )
        frame = results(_with(base, cards), play) if played is None else played
        frame = frame[(frame["first"] >= 0) & frame["finished"]]
        if len(frame):
            found = advantage(frame[["share_0", "share_1"]], frame["first"], frame["dice"])
            value = value_words(step.value) if step else ""
            rule = question.settings.get("rule", (step.field.rpartition(".")[2].replace("_", " "),))[0] if step else ""
            name = ", ".join(filter(None, (value, str(policy))))
            lines.append({**row(name, found), "rule": rule, "value": value, "policy": str(policy)})
    return lines


def _with(base: Experiment, cards: CardSet) -> Experiment:
    """The same games with other cards."""
    return base if cards is base.cards else replace(base, cards=cards)


def _first_mover_played(study: Study, seats: int) -> pd.DataFrame:
    """The games of the report itself, as `policy_games.results` gives them."""
    games = at(study.games_frame, seats).reset_index(drop=True)
    share = at(study.seats_frame, seats)["share"].to_numpy().reshape(-1, seats)
    dice = study.main(seats).plan_of(games["game"].to_numpy("int64"))["dice"]
    return games.assign(share_0=share[:, 0], share_1=share[:, 1], dice=dice)


def _said(frame: pd.DataFrame, seats: int) -> str:
    """The first line in full, the others by their difference."""
    top = frame.iloc[0]
    said = f"{capital(at_seats(seats))} whoever goes first wins {percent(top['first'])} "
    more = "more" if top["change"] >= 0 else "less"
    said += f"{interval(top['first_low'], top['first_high'], top['n'], 'games')} {_first_mover_where(top)}, "
    said += f"{100 * abs(top['change']):.1f} points {more} than the other "
    said += point_interval(top["change_low"], top["change_high"])
    said += "" if top["sure"] else ", which may be chance"
    rest = [
        f"{points(one['change'])} points {_first_mover_where(one)} {point_interval(one['change_low'], one['change_high'])}"
        for _, one in frame.iloc[1:].iterrows()
    ]
    return f"{said}. The difference is {listed(rest)}." if rest else f"{said}."


def _first_mover_where(line: pd.Series) -> str:
    """With which policy, and under which value of the rule."""
    rule = f" and {line['rule']} \u201c{line['value']}\u201d" if line["rule"] else ""
    return f"with {line['policy']}{rule}"


FIRST_BY_PAIRING_EVEN, FIRST_BY_PAIRING_SURE = 0.5, 0.05  # p-value adjusted over all pairings
FIRST_BY_PAIRING_ROWS = 30  # pairings in the chart; where there are more, those that are farthest from one half
FIRST_BY_PAIRING_ALL = "all pairings"


def first_by_pairing(study: Study, question: Question) -> Section | None:
    """Bars of the win rate of whoever goes first, one per pairing of entrants, against one half. No roles, no settings."""
    games = of_pairings(study)
    games = None if games is None else games[games["finished"] & (games["ahead"] >= 0)]
    if games is None or games.empty:
        return None
    found = _rates(games)
    whole, each = found.iloc[0], found.iloc[1:]
    answer = _first_by_pairing_said(whole, each)
    drawn = pd.concat([found.iloc[:1], _farthest(each)]) if len(each) > 1 else found.iloc[1:]
    word = study.game.entrant_word
    caption = f"Win rate of whoever goes first, by pairing of two {study.game.entrants_word}, with {study.policy} in both seats."
    if len(each) > FIRST_BY_PAIRING_ROWS:
        caption += f" Shown are the {FIRST_BY_PAIRING_ROWS} that are farthest from one half."
    alt = f"Bars of the first mover's win rate to either side of one half, one per pairing. {answer}"
    note = "Finished games; a draw is half a win for both. Wilson intervals; games that share their dice and agree more than "
    note += "chance has it count as fewer. p (Holm): against one half, adjusted over the pairings; coloured where it is below "
    note += f"{FIRST_BY_PAIRING_SURE}. Both {study.game.entrants_word} of a pairing go first about equally often, so that it "
    note += "does not matter which of them is stronger."
    columns = rate_columns(name="pairing") | {"p_holm": "p (Holm)"}
    tables = (table(found, question.id, "Going first by pairing", columns), _ordered(study, games, question.id, word))
    chart = Chart(question.id, halves(drawn, label="first wins"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _rates(games: pd.DataFrame) -> pd.DataFrame:
    """Win rate of the first mover: all pairings, then each: name, estimate, low, high, n, p_holm, sure, whole."""
    key, won = games["key"].to_numpy(), games["won"].to_numpy()
    pairing = games["pairing"].cat.remove_unused_categories()
    names = list(pairing.cat.categories)
    each = clustered.shares(key, pairing.cat.codes, won, len(names)).assign(name=names, whole=False)
    each = each.assign(p_holm=adjust(clustered.p_against(each, FIRST_BY_PAIRING_EVEN)))
    whole = clustered.shares(key, np.zeros(len(games), np.int64), won).assign(name=FIRST_BY_PAIRING_ALL, whole=True)
    whole = whole.assign(p_holm=clustered.p_against(whole, FIRST_BY_PAIRING_EVEN))
    found = pd.concat([whole, each], ignore_index=True)
    return found.assign(sure=found["p_holm"] < FIRST_BY_PAIRING_SURE)


def _farthest(each: pd.DataFrame) -> pd.DataFrame:
    """The rows of the chart: all, or those farthest from one half, in their order."""
    far = (each["estimate"] - FIRST_BY_PAIRING_EVEN).abs().nlargest(FIRST_BY_PAIRING_ROWS).index
    return each.loc[sorted(far)]


def _ordered(study: Study, games: pd.DataFrame, id_: str, word: str) -> Table:
    """Win rate of each entrant going first against each other one."""
    many = len(study.names)
    cell = (games["ahead"] * many + games["behind"]).to_numpy(np.int64)
    found = clustered.shares(games["key"].to_numpy(), cell, games["won"].to_numpy(), many * many)
    one, other = np.divmod(np.arange(many * many), many)
    names = np.array(study.names, object)
    found = found.assign(name=names[one], other=names[other])
    columns = rate_columns(name=f"{word} that goes first", other="against")
    return table(found[found["n"] > 0], f"{id_}-by-{word}", "Who wins going first", columns)


def _first_by_pairing_said(whole: pd.Series, each: pd.DataFrame) -> str:
    """What it is worth in all, where most and least, and in how many pairings surely anything."""
    shift = whole["estimate"] - FIRST_BY_PAIRING_EVEN
    said = f"Whoever goes first wins {percent(whole['estimate'])} "
    said += f"{interval(whole['low'], whole['high'], whole['n'], 'games')}, "
    if abs(shift) < LEAST / 2:
        said += "no different from one half"
    else:
        said += f"{100 * abs(shift):.1f} points {'above' if shift > 0 else 'below'} one half"
        said += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{said}."
    top, bottom, sure = highest(each, "estimate"), lowest(each, "estimate"), int(each["sure"].sum())
    said += f". Going first helps most in {top['name']} ({percent(top['estimate'])}) and least in {bottom['name']} "
    said += f"({percent(bottom['estimate'])}); beyond chance is the difference from one half "
    return said + f"in {number_word(sure)} of {number_word(len(each))} pairings."
