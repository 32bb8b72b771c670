"""Tables of pace and drama: length, lead, decision and comebacks, for the command and for reports."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.data.decks import options_of
from analysis.data.names import run_word, words_for
from analysis.data.usage import quantiles
from analysis.document.model import Format, Table, count, number, percent, table
from analysis.stats.intervals import LEVEL, proportions
from analysis.timeline import leads
from analysis.timeline.courses import Courses, reliability, scores
from sim.experiments.experiment import Experiment
from sim.store import Run, is_run

TURNS_SHOWN = 12  # turns of a table
LEAST = 30  # games with a seat ahead that a turn needs to be shown
TYPICAL = ("turns", "changes", "part", "least")  # a typical game is near the medians of these
TELLING = 0.05  # Brier skill below which an evaluation predicts next to nothing
UNSURE = 1.5  # the calibration is imprecise if its strength can be this many times larger or smaller
INTERVALS = (
    "95 % intervals cover both the chance in which games were played and the uncertainty of the calibration: whole games are "
    "resampled through both."
)
ENDINGS = ("won by one seat", "shared", "over without a winner", "stopped at a limit")
STRIKING = ("deepest comeback", "most changes of lead", "most movement", "most typical")


def endings(courses: Courses, level: float = LEVEL) -> pd.DataFrame:
    """How the games ended: columns ending (see ENDINGS), games, estimate, low, high (Wilson), n (all games)."""
    alone, over = courses.winner >= 0, courses.finished
    counts = [np.count_nonzero(flag) for flag in (alone, courses.won & ~alone, over & ~courses.won, ~over)]
    shares = proportions(counts, np.full(len(counts), len(courses.index)), level)
    return shares.assign(ending=ENDINGS, games=counts)[["ending", "games", "estimate", "low", "high", "n"]]


def lengths(courses: Courses, level: float = LEVEL) -> pd.DataFrame:
    """Quantiles of the length of all games in turns, see `quantiles`; stopped games count as longer than any length."""
    columns = {"seats": courses.seats, "turns": courses.turns, "finished": courses.finished}
    return quantiles(pd.DataFrame(columns), level=level)


def striking(courses: Courses) -> pd.DataFrame:
    """Games worth watching, among those with a sole winner: columns kind (see STRIKING), and those of `leads.by_game`.

    The typical game is the one nearest to the medians of TYPICAL, in units of their interquartile ranges; ties go to the first.
    """
    games = leads.by_game(courses)
    if games.empty:
        return games.assign(kind=[])
    middle = games[list(TYPICAL)].astype(np.float64)
    spread = (middle.quantile(0.75) - middle.quantile(0.25)).replace(0, 1)
    far = ((middle - middle.median()) / spread).abs().sum(axis=1)
    places = (games["least"].idxmin(), games["changes"].idxmax(), games["movement"].idxmax(), far.idxmin())
    return games.loc[list(places)].assign(kind=STRIKING).reset_index(drop=True)


def turns_shown(courses: Courses, most: int = TURNS_SHOWN) -> list[int]:
    """Turns that at least LEAST games reach with a seat ahead; at most `most`, evenly spaced, with the first and the last."""
    ahead = courses.won[courses.game] & (leads.leading(courses) >= 0)
    turns, games = np.unique(courses.turn[ahead], return_counts=True)
    enough = turns[games >= LEAST]
    if enough.size <= most:
        return [int(turn) for turn in enough]
    places = np.round(np.linspace(0, enough.size - 1, most)).astype(int)
    return [int(turn) for turn in enough[places]]


def replay_command(experiment: Experiment, index: int) -> str:
    """Command that shows a game of an experiment.

    Empty if there is none: the cards belong to a run, and the game is not one of it.
    """
    cards = experiment.cards
    name, options = words_for(experiment.game, cards)
    if is_run(cards.path):
        if Run.open(cards.path).is_of(experiment):
            name = run_word(cards.path)
        elif name != experiment.game_name:
            return ""
    words = ["fairfight", "replay", name, "--seed", str(experiment.seed), "--game", str(index)]
    words += ["--seats", str(experiment.seats), "--policy", experiment.policy_words]
    if experiment.line_up is not None:
        words += ["--line-up", ",".join(cards.ids[entrant] for entrant in experiment.line_up)]
    return shlex.join([*words, *options, *options_of(cards)])


def summary_words(seats: int) -> dict[str, tuple[str, Format]]:
    """Words for each row of `leads.summary` at a number of seats, and the format of its figures."""
    fair = 1 / seats
    low, lowest = (percent(part * fair, 0 if seats == 2 else 1) for part in (leads.LOW, leads.LOWEST))
    return {
        "changes": ("lead changes in a game (mean)", "number"),
        "steady": ("games in which the lead never changed sides", "percent"),
        "since": ("turn from which the winner led for good (median)", "number"),
        "part": ("the same as a share of the game (median)", "percent"),
        "early": ("games led for good by half-time", "percent"),
        "sure": (f"turns with one side at {percent(leads.SURE, 0)} or more (mean share of a game)", "percent"),
        "once_behind": ("games whose winner was once behind", "percent"),
        "once_low": (f"games whose winner was once down to {low}", "percent"),
        "once_lowest": (f"games whose winner was once down to {lowest}", "percent"),
        "comeback": ("lowest chance of the winner, in the lowest tenth of games", "percent"),
        "movement": ("movement: total change of a side's chance in a game (mean)", "number"),
        "drama": ("drama: root of the winner's deficit while behind (mean)", "number"),
    }


@dataclass(frozen=True, eq=False)
class PaceStats:
    """Pace and drama of one run, as frames, tables and plain values."""

    experiment: Experiment
    courses: Courses

    @property
    def lines(self) -> tuple[str, ...]:
        """Sentences that explain the tables."""
        cards, courses = self.experiment.cards, self.courses
        made = f"{cards.title} (digest {cards.digest}): {count(len(courses.index))} games, seed {self.experiment.seed}, policy "
        made += f"{self.experiment.policy_words}. Games without a sole winner only count where that is stated."
        margin = percent(leads.AHEAD / courses.seats, 0)
        chance = (
            "Chances come from the game's evaluation at the last decision of a turn, before it is carried "
            "out, calibrated on the other games of this run; `replay --analyse` shows the evaluation itself, after the turn. "
        )
        chance += f"Ahead: {margin} more than any other seat; the lead lasts until another seat is ahead. "
        watched = striking_table(courses, self.experiment).rows if courses.won.any() else ()
        commands = [f"The {kind}: {command}" for kind, *_, command in watched if command]
        return (*commands, made, f"{chance}{INTERVALS}", *filter(None, (trust_words(courses), doubt(courses))))

    def main(self) -> Table:
        """Return the table of the CSV file: one row per game with a sole winner."""
        return table(leads.by_game(self.courses), "games", "Games", {name: name for name in leads.BY_GAME})

    def tables(self) -> list[Table]:
        """Return the tables that fit a terminal."""
        shown = [endings_table(self.courses), lengths_table(self.courses)]
        if not self.courses.won.any():
            return shown
        shown += [summary_table(self.courses), turns_table(self.courses), lead_table(self.courses)]
        shown += [trust_table(self.courses)]
        watched = striking_table(self.courses, self.experiment)
        rows = tuple(row[:-1] for row in watched.rows)  # the commands are printed below, to be copied
        return [*shown, replace(watched, columns=watched.columns[:-1], rows=rows)]

    def as_json(self) -> dict[str, Any]:
        """Return facts and tables as one mapping."""
        courses = self.courses
        trust = (courses.chance, courses.game, courses.share, courses.key)
        frames = {
            "endings": endings(courses),
            "lengths": lengths(courses),
            "summary": leads.summary(courses),
            "by_turn": leads.drama_by_turn(courses),
            "by_lead": leads.by_lead(courses),
            "decided": leads.decided(courses),
            "comebacks": leads.comebacks(courses),
            "scores": scores(courses.chance, courses.evaluated, courses.game, courses.share, courses.key),
            "reliability": reliability(*trust),
            "striking": striking(courses),
        }
        fits = courses.calibration
        if fits is not None:
            frames["calibration"] = pd.DataFrame([vars(fits.strength())])[["estimate", "low", "high", "n"]]
        facts = self.experiment.facts() | {"games": len(courses.index)}
        return {"facts": facts} | {name: frame.to_dict("records") for name, frame in frames.items()}


def trust_words(courses: Courses) -> str:
    """Describe how far the calibration can be trusted; empty without a fit."""
    fits = courses.calibration
    if fits is None:
        return ""
    strength, skill = fits.strength(), float(_scores(courses)["skill"].iloc[0])
    return (
        f"Calibration: in the middle of a game the evaluation is scaled by {number(strength.estimate)} (95 % "
        f"interval {number(strength.low)} to {number(strength.high)}; 0: predicts nothing, 1: right without scaling), and its "
        f"Brier skill is {percent(skill, 0)} (0 %: no better than even chances, 100 %: knows the winner)."
    )


def doubt(courses: Courses) -> str:
    """Warning if leads and comebacks rest on an evaluation that predicts little, or on an imprecise calibration; else empty."""
    fits = courses.calibration
    if fits is None:
        return ""
    strength = fits.strength()
    if not float(_scores(courses)["skill"].iloc[0]) >= TELLING:
        return "The game's evaluation predicts the winner hardly better than even chances: leads mean little."
    if strength.low < strength.estimate / UNSURE or strength.high > UNSURE * strength.estimate:
        return "These games leave the calibration imprecise: see the intervals of leads and comebacks."
    return ""


def _scores(courses: Courses) -> pd.DataFrame:
    return scores(courses.chance, courses.evaluated, courses.game, courses.share, courses.key)


def trust_table(courses: Courses, id_: str = "pace-trust") -> Table:
    """How often estimated chances come true."""
    bins_ = reliability(courses.chance, courses.game, courses.share, courses.key)
    bins = [f"{100 * start:.0f} to {100 * end:.0f}" for start, end in zip(bins_["start"], bins_["end"], strict=True)]
    columns = {"bins": "chance, in per cent", "chance": "mean chance", "estimate": "came true", "low": "low"}
    columns |= {"high": "high", "lines": "turns and seats", "n": "n"}
    caption = "How far the evaluation can be trusted: estimated chances and how often they came true"
    percents: dict[str, Format] = {"mean chance": "percent", "came true": "percent"}
    return table(bins_.assign(bins=bins), id_, caption, columns, percents)


def endings_table(courses: Courses, id_: str = "pace-endings") -> Table:
    """How the games ended."""
    columns = {"ending": "how it ended", "games": "games", "estimate": "share", "low": "low", "high": "high", "n": "n"}
    return table(endings(courses), id_, "How the games ended", columns)


def lengths_table(courses: Courses, id_: str = "pace-lengths") -> Table:
    """Lengths in turns."""
    columns = {"quantile": "share of games over", "turns": "turns", "low": "turns, low", "high": "turns, high", "n": "n"}
    return table(lengths(courses), id_, "Length", columns, {"share of games over": "percent"})


def summary_table(courses: Courses, id_: str = "pace-summary") -> Table:
    """Pace and drama, one row each; figures are formatted by their kind."""
    figures, words = leads.summary(courses), summary_words(courses.seats)
    writers = {name: percent if form == "percent" else number for name, (_, form) in words.items()}
    rows = []
    for line in figures.to_dict("records"):
        write, values = writers[line["what"]], [line[part] for part in ("estimate", "low", "high")]
        rows.append((words[line["what"]][0], *(write(value) if np.isfinite(value) else None for value in values), line["n"]))
    return Table(id_, ("what", "value", "low", "high", "n"), tuple(rows), "Lead, decision and comebacks")


def turns_table(courses: Courses, id_: str = "pace-turns") -> Table:
    """How often the seat ahead wins, by turn."""
    columns = {"turn": "end of turn", "on": "games that come to it", "level": "nobody ahead", "chance": "estimated chance"}
    columns |= {"estimate": "seat ahead wins", "low": "low", "high": "high", "n": "n"}
    percents: dict[str, Format] = dict.fromkeys(
        ("games that come to it", "nobody ahead", "estimated chance", "seat ahead wins"), "percent"
    )
    return table(leads.drama_by_turn(courses, turns_shown(courses)), id_, "How often the seat ahead wins", columns, percents)


def lead_table(courses: Courses, id_: str = "pace-leads") -> Table:
    """How often the seat ahead wins, by the size of its lead."""
    bins = leads.by_lead(courses)
    bins = bins[bins["n"] > 0]
    ahead = [f"{100 * start:.0f} to {100 * end:.0f}" for start, end in zip(bins["start"], bins["end"], strict=True)]
    columns = {"ahead": "ahead by, points", "chance": "estimated chance", "estimate": "seat ahead wins", "low": "low"}
    columns |= {"high": "high", "n": "n (turns)", "games": "n (games)"}
    percents: dict[str, Format] = dict.fromkeys(("estimated chance", "seat ahead wins"), "percent")
    return table(bins.assign(ahead=ahead), id_, "What a lead is worth by its size, over all turns", columns, percents)


def striking_table(courses: Courses, experiment: Experiment, id_: str = "pace-watch") -> Table:
    """Games worth watching."""
    games, alone = striking(courses), np.count_nonzero(courses.winner >= 0)
    games = games.assign(watch=[replay_command(experiment, index) for index in games["index"]], n=alone)
    columns = {"kind": "game", "turns": "turns", "changes": "lead changes", "since": "led for good from turn"}
    columns |= {"least": "winner's lowest chance", "n": "n", "watch": "watch it"}
    return table(games, id_, "Games worth watching", columns, {"winner's lowest chance": "percent"})
