"""Report sections and tables on going first.

`summarise` measures what going first is worth, where most, and which rule would make it fair. `first_mover` compares policies
and values of a rule, `first_by_pairing` the pairings of entrants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis import interrupts
from analysis.charts import dumbbell, forest, halves, lines
from analysis.data import rows as clustered
from analysis.data.study import Study, at, contest, of_pairings, results
from analysis.document import prose
from analysis.document.model import (
    THIN,
    Chart,
    Format,
    Section,
    Table,
    count,
    highest,
    limit_words,
    lowest,
    number,
    percent,
    points,
    rate_columns,
    table,
    truncated_words,
)
from analysis.document.prose import LEAST, at_seats, capital, interval, listed, number_word, point_interval, value_words
from analysis.first_player import worth
from analysis.first_player.worth import EVEN, TWO_SEATS, Fair, NobodyFirstError, Play, SeatGames, Tried
from analysis.skill.section import DIFFERENCE, row
from analysis.stats.intervals import adjust
from analysis.variants.compare import advantage
from analysis.variants.variant import Step, each_value
from analysis.winrates.play import SoFar
from sim.engine.cards import CardSet
from sim.engine.measures import Question, SeatParameter
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import Block, blocks

SHOWN_MAX = 40  # matchups shown in the terminal; a longer list is left out
RATES = {"share": "first wins", "low": "low", "high": "high", "n": "n", "pairs": "pairs", "p_holm": "p (Holm)", "gain": "gain"}
FORMATS: dict[str, Format] = {
    **dict.fromkeys(("first wins", "win share", "low", "high", "fair"), "percent"),
    **dict.fromkeys(("p (Holm)", "p"), "p"),
}


@dataclass(frozen=True)
class Compensation:
    """Effects of a game's parameters, the chosen value, and its result in new games."""

    tried: list[Tried]
    best: Tried | None
    again: pd.DataFrame | None  # see `worth.retest`
    left: tuple[str, ...]  # parameters for which there were too few games


@dataclass(frozen=True)
class SeatSummary:
    """Worth of seats as tables and as plain values. matchups and units: only at two seats."""

    experiment: Experiment
    overall: pd.DataFrame
    matchups: pd.DataFrame | None
    units: pd.DataFrame | None
    compensation: Compensation | None  # if asked for
    truncated: int = 0  # base games that were stopped at a limit and left out
    games: int = 0  # base games
    played: int = 0  # all games, including those of the tried values
    interrupted: bool = False

    def main(self) -> Table:
        """Return the table of the CSV file: matchups at two seats, members of teams, or turn positions at more seats."""
        entrants = self._units if self.experiment.teams else self._matchups
        return entrants or self._overall

    def tables(self) -> list[Table]:
        """Return the tables of the terminal, in reading order."""
        many = self.experiment.teams is not None or (self.matchups is not None and len(self.matchups) > SHOWN_MAX)
        chosen = [self._overall, None if many else self._matchups, self._units, self._parameters]
        return [table for table in chosen if table is not None]

    def every_table(self) -> list[Table]:
        """Return all tables, including those that the terminal leaves out."""
        return [table for table in (self._overall, self._matchups, self._units, self._parameters) if table is not None]

    def as_json(self) -> dict[str, Any]:
        """Return facts, tables and the compensation as one mapping."""
        named = {"overall": self._overall, "matchups": self._matchups, "units": self._units, "parameters": self._parameters}
        present: dict[str, Any] = {name: table for name, table in named.items() if table is not None}
        facts = self.experiment.facts() | {"truncated": self.truncated, "played": self.played}
        return {"facts": facts} | present | self._compensated()

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        made = self.experiment
        in_all = f" ({count(self.played)} in all, including those of the tried values)" if self.played > made.games else ""
        games = f"{made.cards.title} (digest {made.cards.digest}): {count(made.games)} games{in_all}, seed {made.seed}, policy "
        games += f"{made.policy_words}; {_dice(made)}."
        how = "Win share of the first player; pairs of games are observations, and a game without a winner is shared equally. "
        how += "Gain: how many times as many games would be needed without common dice."
        if made.pair_games == 1:
            how = "Win share of the first player; a game without a winner is shared equally."
        stopped = truncated_words(self.truncated, self.games, limit_words(made.game.limits_itself))
        return (games, stopped, how, *compensation_lines(self.compensation, made))

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
        return table_of(self.units, "units", f"What going first is worth in games with each {word}", {"name": word, **RATES})

    @property
    def _parameters(self) -> Table | None:
        tried = self.compensation.tried if self.compensation else []
        if not tried:
            return None
        return parameters_table(tried)

    def _compensated(self) -> dict[str, Any]:
        """Results of the search, as plain values."""
        if self.compensation is None:
            return {}
        fair_values = [
            {
                "field": tried.parameter.path,
                "label": tried.parameter.label,
                **vars(tried.fair),
                "chosen": tried.chosen,
                "refused": tried.refused,
            }
            for tried in self.compensation.tried
        ]
        best, again = self.compensation.best, self.compensation.again
        result: dict[str, Any] = {"fair_values": fair_values, "chosen": None if best is None else best.parameter.path}
        if again is not None:
            first = again.iloc[0]
            result |= {"retest": {name: first[name] for name in ("share", "low", "high", "p", "n", "pairs")}}
        return result


def _dice(experiment: Experiment) -> str:
    """Describe which games share their dice."""
    if experiment.pair_games == 1:
        return "every game with its own dice"
    whose = "entrant" if experiment.coupling == "entrant" else "seat"
    return f"every line-up from every seat with the same dice, each {whose}'s own"


def summarise(
    base: Experiment, games: int, compensate: bool, play: Play | None = None, held: Experiment | None = None
) -> SeatSummary:
    """Play the games and summarise them.

    base: the experiment that the user asked for; games: in all, divided by `worth.games_each`. held: an experiment whose games
    have been played already, used as they are, in pairs or not; without it, pairs are played.

    KeyboardInterrupt keeps what was played of the first games, and drops an unfinished search. Raises ValueError if no player
    goes first or there is only one seat.
    """
    parameters = base.game.seat_parameters if compensate and base.seats == TWO_SEATS else ()
    parameters = worth.afforded(parameters, games)
    first, each, again = worth.games_each(games, parameters)
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
    compensation = None
    if compensate and not interrupted:
        try:
            with interrupts.shown_so_far():
                compensation = compensated(made, parameters, (each, again), counting)
        except KeyboardInterrupt:
            interrupted = True
    counts = (played.truncated, played.played, games_played)
    return SeatSummary(made, worth.overall(played), met, units, compensation, *counts, interrupted)


def compensated(
    experiment: Experiment, parameters: tuple[SeatParameter, ...], games: tuple[int, int], play: Play | None = None
) -> Compensation:
    """Search the parameters and retest the chosen value. games: of each value, and of the retest."""
    each, again = games
    left = tuple(
        left.path for left in experiment.game.seat_parameters if left.path not in {parameter.path for parameter in parameters}
    )
    if not parameters:
        return Compensation([], None, None, ())
    base = replace(experiment, games_wanted=each)
    tried = worth.search(base, play, parameters)
    best = worth.best(tried)
    if best is None or best.chosen == best.present:
        return Compensation(tried, best, None, left)
    return Compensation(tried, best, worth.retest(base, best, again, play), left)


def parameters_table(tried: list[Tried]) -> Table:
    """Table of every value of every parameter."""
    parts = [one.table.assign(parameter=one.parameter.label, field=one.parameter.path) for one in tried]
    frame = pd.concat(parts, ignore_index=True).assign(p_holm=np.nan)
    columns = {"parameter": "parameter", "field": "field", "value": "value", "present": "as played"}
    columns |= {name: words for name, words in RATES.items() if name != "p_holm"}
    return table_of(frame, "parameters", "Going first under each value of a rule", columns)


def compensation_lines(compensation: Compensation | None, experiment: Experiment) -> list[str]:
    """Describe what would make going first fair; empty if that was not asked for."""
    if compensation is None:
        return []
    if experiment.seats != TWO_SEATS:
        return ["Compensation for going second is searched at two seats only."]
    if not experiment.game.seat_parameters:
        return [f"The rules of {experiment.game.title} have no number that compensates for going second."]
    lines = [parameter_words(tried) for tried in compensation.tried]
    if compensation.left:
        lines.append(f"Too few games to try {' and '.join(compensation.left)}; play more games.")
    best, again = compensation.best, compensation.again
    if best is not None and again is None:
        lines.append(f"No value that was tried is fairer than {best.parameter.path} = {number(best.present)}, as played.")
    if best is not None and again is not None:
        first = again.iloc[0]
        fair = first["low"] <= EVEN <= first["high"]
        lines.append(
            f"In {count(first['n'])} fresh games with {best.parameter.path} = {number(best.chosen)}, the first player "
            f"wins {percent(first['share'])} ({percent(first['low'])} to {percent(first['high'])}): "
            f"{'not significantly different from one half' if fair else 'still not one half'}."
        )
    return lines


def parameter_words(tried: Tried) -> str:
    """Describe where one parameter makes going first fair."""
    name, fair = f"{tried.parameter.path} ({tried.parameter.label})", tried.fair
    if tried.table.empty:
        return f"{name}: the card rules refuse every value."
    low, high = tried.table["value"].min(), tried.table["value"].max()
    if not np.isfinite(fair.value):
        side = "more" if (tried.table["share"] > EVEN).all() else "less"
        sentence = f"{name}: with every value from {number(low)} to {number(high)} the first player wins {side} than half; "
        return f"{sentence}the value nearest to fair is {number(tried.chosen)}."
    return f"{name}: going first is fair at {number(round(fair.value, 2))} {bounds(fair)}."


def bounds(fair: Fair) -> str:
    """The interval of the fair value in brackets, cut off where the curve ends."""
    if np.isinf(fair.low) and np.isinf(fair.high):
        return f"(95{THIN}% interval: includes every value from {number(fair.least)} to {number(fair.most)})"
    least = f"below {number(fair.least)}" if np.isinf(fair.low) else number(round(fair.low, 2))
    most = f"above {number(fair.most)}" if np.isinf(fair.high) else number(round(fair.high, 2))
    return f"(95{THIN}% interval {least} to {most})"


def table_of(frame: pd.DataFrame, id_: str, caption: str, columns: dict[str, str]) -> Table:
    """Table of some columns of a frame."""
    chosen = frame[list(columns)].astype(object)
    rows = tuple(tuple(None if pd.isna(cell) else cell for cell in row) for row in chosen.itertuples(index=False))
    formats = {heading: FORMATS[heading] for heading in columns.values() if heading in FORMATS}
    return Table(id_, tuple(columns.values()), rows, caption, formats)


ID = "seats"
QUESTION = "What is going first worth, and what would make it fair?"
SURE = 0.05  # p-value adjusted over all rows of a table
ROWS = 24  # matchups in the chart: where there are more, those farthest from fair
SHARE_OF_TWO = 0.6  # share of the games at two seats, if there are other numbers of seats too
ALL = "all together"


def seats(study: Study) -> Section | None:
    """Forest plot of the first player's win share, overall and by matchup, and its curve over each parameter of the game."""
    summaries = _played(study)
    if not summaries:
        return None
    two = next((summary for summary in summaries if summary.experiment.seats == TWO_SEATS), None)
    others = [summary for summary in summaries if summary is not two]
    answer = " ".join([*(_two_seats(two) if two else []), *map(_more_seats, others)])
    frame = judged_rows(summaries)
    slim = forest(frame, panels="panel", narrow=True)
    figures = [Chart(ID, forest(frame, panels="panel"), _caption(study, two), f"Dots with intervals. {answer}", slim)]
    tried = two.compensation.tried if two and two.compensation else []
    if curves := _curves(tried):
        figures.append(_parameters(curves, answer))
    return Section(ID, QUESTION, answer, tuple(figures), tuple(_tables(summaries)), _note(bool(curves)))


def _played(study: Study) -> list[SeatSummary]:
    """One summary per number of seats with an opponent, two seats first; without those at which no player goes first."""
    games, summaries = study.budget.pair_games, []
    others = [index for index in study.contests if index != TWO_SEATS]
    rest = 1 - SHARE_OF_TWO if TWO_SEATS in study.contests else 1.0
    part = {index: rest / len(others) for index in others}
    play = study.player("going first", games)
    for index in sorted(study.contests):
        wanted = round(games * part.get(index, 1 - sum(part.values())))
        base = study.experiment(index, wanted)
        try:
            summaries.append(summarise(base, wanted, index == TWO_SEATS, play))
        except NobodyFirstError:
            continue
    return summaries


def _two_seats(summary: SeatSummary) -> list[str]:
    """What going first is worth at two seats, where it matters most, and what makes it fair."""
    top = summary.overall.iloc[0]
    far = 100 * abs(top["share"] - EVEN)
    sentence = f"{capital(at_seats(TWO_SEATS))} the first player wins {percent(top['share'])} "
    sentence += f"{interval(top['low'], top['high'], top['n'], 'games')}, {far:.1f} points "
    sentence += "above one half" if top["share"] >= EVEN else "below one half"
    sentence += "." if top["p"] < SURE else ", which may be chance."
    lines_ = compensation_lines(summary.compensation, summary.experiment)
    return [sentence, *_where_most(summary), *lines_]


def _where_most(summary: SeatSummary) -> list[str]:
    """Where going first matters most, if it matters significantly anywhere."""
    each = summary.units if summary.matchups is None else summary.matchups
    if each is None or len(each) < TWO_SEATS:
        return []
    sure, what = int((each["p_holm"] < SURE).sum()), _noun(summary)
    if not sure:
        return [f"None of {number_word(len(each))} {what} by itself shows a significant effect of going first."]
    top = each.iloc[int((each["share"] - EVEN).abs().argmax())]
    return [
        f"Going first matters significantly in {number_word(sure)} of {number_word(len(each))} {what}, most in {top['name']} "
        f"({percent(top['share'])})."
    ]


def _noun(summary: SeatSummary) -> str:
    """Noun for the rows by matchup, or by member of a team."""
    teams = summary.experiment.teams
    return "matchups" if summary.matchups is not None else f"{teams.words if teams else 'entrants'}' games"


def _more_seats(summary: SeatSummary) -> str:
    """Sentence on the turn positions at more than two seats."""
    rows = summary.overall
    sure = rows[rows["p_holm"] < SURE]
    start = f"{capital(at_seats(rows['seats'].iloc[0]))} "
    if sure.empty:
        return f"{start}no turn position wins significantly more or less than its fair share of {percent(rows['fair'].iloc[0])}."
    named = [f"moving {_order(row['position'])} wins {percent(row['share'])}" for _, row in sure.iterrows()]
    return f"{start}{listed(named)}, where {percent(rows['fair'].iloc[0])} is fair."


def _order(position: int) -> str:
    return ("first", "second", "third", "fourth")[int(position)]


def judged_rows(summaries: list[SeatSummary]) -> pd.DataFrame:
    """Rows of the forest plot with verdicts over all rows together; of many matchups, those farthest from fair."""
    frame = pd.concat([rows_of(summary) for summary in summaries], ignore_index=True)
    frame = prose.with_verdicts(frame, prose.score(frame["estimate"], prose.worth(frame)))
    far = (frame["estimate"] - frame["fair"]).abs().groupby(frame["panel"]).rank(ascending=False, method="first")
    return frame[far <= ROWS]


def rows_of(summary: SeatSummary) -> pd.DataFrame:
    """Rows of the forest plot: at two seats overall and by matchup or unit, at more seats the turn positions."""
    if summary.experiment.seats == TWO_SEATS:
        each = summary.units if summary.matchups is None else summary.matchups
        assert each is not None
        more = each if len(each) > 1 else each.iloc[:0]
        whole = summary.overall.iloc[[0]].assign(name=ALL, panel="Two seats: first player")
        what = "by matchup" if summary.matchups is not None else f"in games with each {_unit(summary)}"
        rows = pd.concat([whole, more.assign(panel=f"Two seats, {what}")], ignore_index=True)
    else:
        names = [f"moves {_order(position)}" for position in summary.overall["position"]]
        rows = summary.overall.assign(name=names, panel=f"{capital(number_word(summary.experiment.seats))} seats: turn order")
    return rows.assign(estimate=rows["share"])


def _unit(summary: SeatSummary) -> str:
    teams = summary.experiment.teams
    return teams.word if teams else summary.experiment.game.entrant_word


def _caption(study: Study, two: SeatSummary | None) -> str:
    """Caption of the forest plot."""
    caption = f"Win share by turn order, with {study.policy} in every seat; line-ups play from all seats with the same dice."
    if two is not None and two.matchups is not None and len(two.matchups) > ROWS:
        caption += f" Shown are the {ROWS} of {count(len(two.matchups))} matchups that are farthest from one half."
    return caption


def _curves(tried: list[Tried]) -> list[pd.DataFrame]:
    """The points of each parameter with more than one value."""
    curves = []
    for one in tried:
        if len(one.table) > 1:
            curve = one.table.assign(panel=capital(one.parameter.label), line="first", estimate=one.table["share"])
            curves.append(curve.assign(x=one.table["value"], present=one.present, fair=EVEN))
    return curves


def _parameters(curves: list[pd.DataFrame], answer: str) -> Chart:
    """Share over value, a panel per parameter."""
    figure = lines(pd.concat(curves, ignore_index=True), label="value", close=True)
    caption = "Win share of the first player by the value of each rule, with all other rules as played; dashed: the value as "
    caption += "played; dotted: one half."
    return Chart(f"{ID}-parameters", figure, caption, f"Curves of the first player's win share. {answer}")


def _tables(summaries: list[SeatSummary]) -> list[Table]:
    """All tables, with unique ids."""
    tables = []
    for summary in summaries:
        many = f"{ID}-{summary.experiment.seats}"
        for part in summary.every_table():
            ends = 0 if len(part.rows) <= 2 * ROWS else ROWS // 2
            tables.append(Table(f"{many}-{part.id}", part.columns, part.rows, part.caption, part.formats, ends))
    return tables


def _note(curves: bool) -> str:
    """How it was measured."""
    note = "A pair of games, in which each entrant keeps its dice, is one observation; gain is how many times as many games "
    note += "would be needed without common dice. Truncated games are left out; a game without a winner is shared "
    note += "equally. p (Holm): against the fair share, adjusted over the rows of a table."
    if curves:
        note += " All values of a rule play the same games. The fair value is read off a curve of the log odds "
        note += "through the four values around it (Fieller's interval). The chosen value was picked among many, so it is "
        note += "retested with another seed."
    return note


FIRST_MOVER_SURE = 0.05  # p-value adjusted over all rows
WORDS = ("goes first", "goes second")


def first_mover(study: Study, question: Question) -> Section | None:
    """Dots of the win share when going first and second, and their difference, one row per policy and value of a rule.

    Settings: path of a rule -> values as text, with or without the current one; a key without a dot is an option: games (in
    multiples of the usual number), rule (words for the rule).
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
    answer = _first_mover_answer(frame, seats)
    figure = dumbbell(frame, words=WORDS, label="win share", change="first less second, points")
    caption = f"Win share of the first player and of the second, {at_seats(seats)}"
    caption += f", by {listed([*dict.fromkeys(frame['rule'][frame['rule'] != '']), 'policy'])}; right: the difference."
    columns = {"rule": "rule", "value": "value", "policy": "policy", "first": WORDS[0], "second": WORDS[1], **DIFFERENCE}
    columns |= {"p_holm": "p (Holm)", "gain": "gain"}
    formats: dict[str, Format] = {**dict.fromkeys(WORDS, "percent"), **dict.fromkeys(DIFFERENCE.values(), "points")}
    formats |= {"gain": "number", "n (groups)": "count"}
    shown = table(frame, question.id, "Going first", {**columns, "pairs": "n (groups)", "n": "n"}, formats)
    note = "A matchup is played with the same dice and the teams on either seat. These games are one observation (group), "
    note += "so the strength of the teams cancels out. If the rules deal or draft the teams, the dice decide them and "
    note += "every game is an observation. "
    note += "Gain: how many times as many games would be needed without shared dice. Truncated games are left out. "
    note += f"Coloured where p (Holm) < {FIRST_MOVER_SURE}, adjusted over all rows. n: games."
    alt = f"Pairs of dots, the win share going first and second. {answer}"
    return Section(question.id, question.text, answer, (Chart(question.id, figure, caption, alt),), (shown,), note)


def _line(study: Study, question: Question, seats: int, policy: PolicySpec) -> list[dict[str, object]]:
    """Rows of one policy: as played, or with each value of each rule."""
    rules = {path: values for path, values in question.settings.items() if "." in path}
    games = study.games_for(question, study.budget.variant_games)
    base, lines = study.experiment(seats, games, policy), []
    steps = [step for path, texts in rules.items() for step in each_value(study.game, study.cards, path, texts)]
    rounds: list[tuple[Step | None, CardSet]] = [(step, step.cards) for step in steps if step.cards] or [(None, study.cards)]
    play = study.player(f"going first, {policy}", base.games * len(rounds))
    for step, cards in rounds:
        played = (
            _first_mover_played(study, seats) if policy == study.policy and (step is None or step.value == step.before) else None
        )
        frame = results(_with(base, cards), play) if played is None else played
        frame = frame[(frame["first"] >= 0) & frame["finished"]]
        if len(frame):
            difference = advantage(frame[["share_0", "share_1"]], frame["first"], frame["dice"])
            value = value_words(step.value) if step else ""
            rule = question.settings.get("rule", (step.field.rpartition(".")[2].replace("_", " "),))[0] if step else ""
            name = ", ".join(filter(None, (value, str(policy))))
            lines.append({**row(name, difference), "rule": rule, "value": value, "policy": str(policy)})
    return lines


def _with(base: Experiment, cards: CardSet) -> Experiment:
    """The same games with other cards."""
    return base if cards is base.cards else replace(base, cards=cards)


def _first_mover_played(study: Study, seats: int) -> pd.DataFrame:
    """The report's main games, in the form of `results`."""
    games = at(study.games_frame, seats).reset_index(drop=True)
    share = at(study.seats_frame, seats)["share"].to_numpy().reshape(-1, seats)
    dice = study.main(seats).plan_of(games["game"].to_numpy("int64"))["dice"]
    return games.assign(share_0=share[:, 0], share_1=share[:, 1], dice=dice)


def _first_mover_answer(frame: pd.DataFrame, seats: int) -> str:
    """Describe the first row in full and the others by their difference."""
    top = frame.iloc[0]
    sentence = f"{capital(at_seats(seats))} the first player wins {percent(top['first'])} "
    more = "more" if top["change"] >= 0 else "less"
    sentence += f"{interval(top['first_low'], top['first_high'], top['n'], 'games')} {_first_mover_where(top)}, "
    sentence += f"{100 * abs(top['change']):.1f} points {more} than the second "
    sentence += point_interval(top["change_low"], top["change_high"])
    sentence += "" if top["sure"] else ", which may be chance"
    rest = [
        f"{points(line['change'])} points {_first_mover_where(line)} {point_interval(line['change_low'], line['change_high'])}"
        for _, line in frame.iloc[1:].iterrows()
    ]
    return f"{sentence}. The difference is {listed(rest)}." if rest else f"{sentence}."


def _first_mover_where(line: pd.Series) -> str:
    """Policy of a row, and the value of its rule."""
    rule = f" and {line['rule']} \u201c{line['value']}\u201d" if line["rule"] else ""
    return f"with {line['policy']}{rule}"


FIRST_BY_PAIRING_EVEN, FIRST_BY_PAIRING_SURE = 0.5, 0.05  # p-value adjusted over all pairings
FIRST_BY_PAIRING_ROWS = 30  # pairings in the chart; if there are more, those farthest from one half
FIRST_BY_PAIRING_ALL = "all pairings"


def first_by_pairing(study: Study, question: Question) -> Section | None:
    """Bars of the first player's win rate, one per pairing of entrants, against one half. No roles, no settings."""
    games = of_pairings(study)
    games = None if games is None else games[games["finished"] & (games["ahead"] >= 0)]
    if games is None or games.empty:
        return None
    rates = _rates(games)
    whole, each = rates.iloc[0], rates.iloc[1:]
    answer = _first_by_pairing_answer(whole, each)
    drawn = pd.concat([rates.iloc[:1], _farthest(each)]) if len(each) > 1 else rates.iloc[1:]
    word = study.game.entrant_word
    caption = f"Win rate of the first player, by pairing of two {study.game.entrants_word}, with {study.policy} in both seats."
    if len(each) > FIRST_BY_PAIRING_ROWS:
        caption += f" Shown are the {FIRST_BY_PAIRING_ROWS} pairings farthest from one half."
    alt = f"Bars of the first player's win rate to either side of one half, one per pairing. {answer}"
    note = "Finished games; a draw is half a win for both. Wilson intervals; games with shared dice that agree more than by "
    note += "chance count as fewer. p (Holm): against one half, adjusted over the pairings; coloured if below "
    note += f"{FIRST_BY_PAIRING_SURE}. Both {study.game.entrants_word} of a pairing go first about equally often, so it "
    note += "does not matter which of them is stronger."
    columns = rate_columns(name="pairing") | {"p_holm": "p (Holm)"}
    tables = (table(rates, question.id, "Going first by pairing", columns), _ordered(study, games, question.id, word))
    chart = Chart(question.id, halves(drawn, label="first wins"), caption, alt)
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _rates(games: pd.DataFrame) -> pd.DataFrame:
    """Win rate of the first player over all pairings, then in each: name, estimate, low, high, n, p_holm, sure, whole."""
    key, won = games["key"].to_numpy(), games["won"].to_numpy()
    pairing = games["pairing"].cat.remove_unused_categories()
    names = list(pairing.cat.categories)
    each = clustered.shares(key, pairing.cat.codes, won, len(names)).assign(name=names, whole=False)
    each = each.assign(p_holm=adjust(clustered.p_against(each, FIRST_BY_PAIRING_EVEN)))
    whole = clustered.shares(key, np.zeros(len(games), np.int64), won).assign(name=FIRST_BY_PAIRING_ALL, whole=True)
    whole = whole.assign(p_holm=clustered.p_against(whole, FIRST_BY_PAIRING_EVEN))
    rates = pd.concat([whole, each], ignore_index=True)
    return rates.assign(sure=rates["p_holm"] < FIRST_BY_PAIRING_SURE)


def _farthest(each: pd.DataFrame) -> pd.DataFrame:
    """Rows of the chart, in their order: all, or those farthest from one half."""
    far = (each["estimate"] - FIRST_BY_PAIRING_EVEN).abs().nlargest(FIRST_BY_PAIRING_ROWS).index
    return each.loc[sorted(far)]


def _ordered(study: Study, games: pd.DataFrame, id_: str, word: str) -> Table:
    """Win rate of each entrant going first against each other entrant."""
    size = len(study.names)
    cell = (games["ahead"] * size + games["behind"]).to_numpy(np.int64)
    rates = clustered.shares(games["key"].to_numpy(), cell, games["won"].to_numpy(), size * size)
    entrant, opponent = np.divmod(np.arange(size * size), size)
    names = np.array(study.names, object)
    rates = rates.assign(name=names[entrant], other=names[opponent])
    columns = rate_columns(name=f"{word} that goes first", other="against")
    return table(rates[rates["n"] > 0], f"{id_}-by-{word}", "Who wins going first", columns)


def _first_by_pairing_answer(whole: pd.Series, each: pd.DataFrame) -> str:
    """What going first is worth overall, where most and least, and in how many pairings significantly."""
    shift = whole["estimate"] - FIRST_BY_PAIRING_EVEN
    sentence = f"The first player wins {percent(whole['estimate'])} "
    sentence += f"{interval(whole['low'], whole['high'], whole['n'], 'games')}, "
    if abs(shift) < LEAST / 2:
        sentence += "which is one half after rounding"
    else:
        sentence += f"{100 * abs(shift):.1f} points {'above' if shift > 0 else 'below'} one half"
        sentence += "" if whole["sure"] else ", which may be chance"
    if len(each) < 2:
        return f"{sentence}."
    top, bottom, sure = highest(each, "estimate"), lowest(each, "estimate"), int(each["sure"].sum())
    sentence += f". Going first helps most in {top['name']} ({percent(top['estimate'])}) and least in {bottom['name']} "
    sentence += f"({percent(bottom['estimate'])}); the difference from one half is significant "
    return sentence + f"in {number_word(sure)} of {number_word(len(each))} pairings."


def seats_chart(result: SeatSummary) -> Figure:
    """Win share of the first player, overall and in the matchups farthest from fair."""
    return forest(judged_rows([result]), panels="panel")
