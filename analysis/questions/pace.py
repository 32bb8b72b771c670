"""How games run: length, lead changes, when the winner takes the lead for good, and comebacks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import MANY_TRUNCATED, amount, at_seats, capital, limit_words
from analysis.answer.tables import Table, data_only, estimate_columns, table
from analysis.data.study import Study
from analysis.data.usage import quantiles
from analysis.question import question
from analysis.stats.intervals import proportions
from analysis.timeline import leads as of_leads
from analysis.timeline.courses import Courses, of_study, replay_command
from analysis.timeline.leads import AHEAD, LOW, LOWEST, SURE, reliability, scores
from analysis.timeline.upsets import upsets
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

ELSEWHERE = ("endings", "lengths")  # tables that other sections of a report have from more games
TURNS_SHOWN, LEAST = 12, 30  # turns of a table; games with a seat ahead that a turn needs to be shown
TYPICAL = ("turns", "changes", "part", "least")  # a typical game is near the medians of these
TELLING = 0.05  # Brier skill below which an evaluation predicts next to nothing
UNSURE = 1.5  # the calibration is imprecise if its strength can be this many times larger or smaller
ENDINGS = ("won by one seat", "shared", "over without a winner", "stopped at a limit")
STRIKING = ("deepest comeback", "most changes of lead", "most movement", "most typical")
STEP = 0.05  # between the chances that a winner was down to
ESTIMATE = ["estimate", "low", "high", "n"]
AHEAD_WINS = estimate_columns("seat ahead wins")
COLUMNS = {  # table -> caption, columns
    "endings": ("How the games ended", estimate_columns("share", ending="how it ended", games="games")),
    "lengths": (
        "Length",
        {"quantile": "share of games over by then", "turns": "turns", "low": "turns, low", "high": "turns, high", "n": "n"},
    ),
    "by_turn": (
        "How often the seat ahead wins",
        {
            "turn": "end of turn",
            "on": "games that come to it",
            "level": "nobody ahead",
            "chance": "estimated chance",
            **AHEAD_WINS,
        },
    ),
    "by_lead": (
        "What a lead is worth by its size, over all turns",
        {"bins": "ahead by, points", "chance": "estimated chance", **AHEAD_WINS, "n": "n (turns)", "games": "n (games)"},
    ),
    "reliability": (
        "How far the evaluation can be trusted: estimated chances and how often they came true",
        {"bins": "chance, in per cent", "chance": "mean chance", **estimate_columns("came true", lines="turns and seats")},
    ),
    "upsets": ("Who was ahead near the end", {"x": "turns before the end", "line": "who was ahead", **estimate_columns("share")}),
    "striking": (
        "Games worth watching",
        {
            "kind": "game",
            "index": "number",
            "turns": "turns",
            "changes": "lead changes",
            "since": "led for good from turn",
            "least": "winner's lowest chance",
            "command": "watch it",
        },
    ),
}
BINNED = ("by_lead", "reliability")  # tables by bins
SHARES = (  # headings of shares, besides those of `tables.FORMATS`
    *("share of games over by then", "games that come to it", "nobody ahead", "estimated chance", "seat ahead wins"),
    *("mean chance", "came true", "winner's lowest chance"),
)


@question(
    needs=("evaluation",),
    reads=True,
    examples=("pace arena", "pace arena --games 1000 --seats 3"),
    chapter="run",
    title="How does a game run, when is it decided, and what can still be caught up?",
    in_report={"games": lambda study: study.budget.replays},
)
def pace(study: Study, games: int = 400) -> Answer:
    """Length, lead changes, comebacks, worth of a lead.

    Every game is replayed and evaluated turn by turn.

    Parameters
    ----------
    games : int
        Games in all.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.pace("arena", 56, policy="random", progress=False)
    >>> len(result.frame), result.frames["lengths"]["quantile"].tolist()
    (5, [0.05, 0.25, 0.5, 0.75, 0.95])

    """
    courses = of_study(study, study.contest, games)
    experiment = study.main(courses.seats)
    length, figures, watched = lengths(courses), of_leads.summary(courses), striking(courses, experiment)
    frames = {
        "lengths": length,
        "summary": figures,
        "endings": endings(courses),
        "by_turn": of_leads.drama_by_turn(courses),
        "by_lead": of_leads.by_lead(courses),
        "reliability": reliability(courses),
        "upsets": upsets(courses) if decided_games(courses) else None,
        "striking": watched,
        "decided": of_leads.decided(courses),
        "comebacks": of_leads.comebacks(courses),
        "scores": scores(courses),
        "calibration": calibration(courses),
    }
    if study.base is None:
        frames = {name: frame for name, frame in frames.items() if name not in ELSEWHERE}
    return Answer(
        summary(courses, length, figures, study.base is not None),
        tuple(tables(courses, {**frames, "games": of_leads.by_game(courses)})),
        (*(drawings(courses, study.players) if decided_games(courses) else ()),),
        tuple(notes(courses.seats)),
        experiment.facts() | {"games": len(courses.index)},
        shown=study.player.shown,
        warnings=tuple(warnings(courses, study.game)),
    )


def decided_games(courses: Courses) -> int:
    """Number of games with a sole winner."""
    return int(np.count_nonzero(courses.winner >= 0))


def summary(courses: Courses, lengths_: pd.DataFrame, figures: pd.DataFrame, with_length: bool = True) -> str:
    """The sentence: how long games are, and when they are decided. with_length: a report has it from more games."""
    if not decided_games(courses):
        return f"None of {count(len(courses.index))} games {at_seats(courses.seats)} was won by one seat alone."
    half = lengths_.set_index("quantile")["turns"][0.5]
    since, changes = figures.set_index("what").loc[["since", "changes"], "estimate"]
    long = f"Half of the games last {count(half)} turns or fewer" if np.isfinite(half) else "Most games are stopped at a limit"
    decided = f"the winner leads for good by turn {count(since)} in half of"
    lead = f"the lead changes {amount(changes)} times a game"
    return f"{long}; {decided} them, and {lead}." if with_length else f"{capital(decided)} the games, and {lead}."


def endings(courses: Courses) -> pd.DataFrame:
    """How the games ended: columns ending (see ENDINGS), games, estimate, low, high (Wilson), n (all games)."""
    alone, over = courses.winner >= 0, courses.finished
    counts = [np.count_nonzero(flag) for flag in (alone, courses.won & ~alone, over & ~courses.won, ~over)]
    shares = proportions(counts, np.full(len(counts), len(courses.index)))
    return shares.assign(ending=ENDINGS, games=counts)[["ending", "games", *ESTIMATE]]


def lengths(courses: Courses) -> pd.DataFrame:
    """Quantiles of the length of all games in turns, see `quantiles`; stopped games count as longer than any length."""
    columns = {"seats": courses.seats, "turns": courses.turns, "finished": courses.finished}
    return quantiles(pd.DataFrame(columns))


def striking(courses: Courses, experiment: Experiment | None = None) -> pd.DataFrame:
    """Games worth watching, among those with a sole winner.

    Columns: kind (see STRIKING), those of `leads.by_game`, n (games to choose from) and command, which shows the game.
    The typical game is the one nearest to the medians of TYPICAL, in units of their interquartile ranges; ties go to the first.
    """
    games = of_leads.by_game(courses)
    if games.empty:
        return games.assign(kind=[], n=[], command=[])
    middle = games[list(TYPICAL)].astype(np.float64)
    spread = (middle.quantile(0.75) - middle.quantile(0.25)).replace(0, 1)
    far = ((middle - middle.median()) / spread).abs().sum(axis=1)
    places = (games["least"].idxmin(), games["changes"].idxmax(), games["movement"].idxmax(), far.idxmin())
    chosen = games.loc[list(places)].assign(kind=STRIKING, n=len(games)).reset_index(drop=True)
    return chosen.assign(command=[replay_command(experiment, index) if experiment else "" for index in chosen["index"]])


def turns_shown(courses: Courses) -> list[int]:
    """Turns that at least LEAST games reach with a seat ahead; if more than TURNS_SHOWN, evenly spaced from first to last."""
    ahead = courses.won[courses.game] & (of_leads.leading(courses) >= 0)
    turns, games = np.unique(courses.turn[ahead], return_counts=True)
    enough = turns[games >= LEAST]
    places = np.linspace(0, enough.size - 1, min(TURNS_SHOWN, enough.size)).round().astype(int)
    return [int(turn) for turn in enough[places]]


def calibration(courses: Courses) -> pd.DataFrame | None:
    """Factor by which the evaluation is scaled in the middle of a game: columns ESTIMATE; None without a fit."""
    fits = courses.calibration
    return None if fits is None else pd.DataFrame([vars(fits.strength())])[ESTIMATE]


def tables(courses: Courses, frames: dict[str, pd.DataFrame | None]) -> list[Table]:
    """The tables of an answer by the names of the frames; without a won game only lengths and endings are shown."""
    shown = {*COLUMNS, "summary"} if courses.won.any() else {"endings", "lengths"}
    built = []
    for name, frame in frames.items():
        if frame is None:
            continue
        if name not in shown:
            built.append(data_only(frame, name))
        elif name == "summary":
            built.append(summary_table(courses, frame))
        else:
            built.append(shown_table(courses, name, frame))
    return [replace(one, whole=of_leads.in_data(one.frame)) for one in built]


def shown_table(courses: Courses, name: str, frame: pd.DataFrame) -> Table:
    """A table of COLUMNS. Bins without games and turns that few games reach are left out of what people see."""
    caption, headings = COLUMNS[name]
    rows = frame
    if name in BINNED:
        rows = frame[frame["n"] > 0].assign(bins=bin_words)
    elif name == "by_turn":
        rows = frame[frame["turn"].isin(turns_shown(courses))]
    formats: dict[str, Format] = {heading: "percent" for heading in SHARES if heading in headings.values()}
    made = replace(table(rows, name, caption, headings, formats), whole=frame)
    return replace(made, below="watch it") if name == "striking" else made


def bin_words(frame: pd.DataFrame) -> list[str]:
    """Bins, from start to end, in per cent."""
    return [f"{100 * start:.0f} to {100 * end:.0f}" for start, end in zip(frame["start"], frame["end"], strict=True)]


def summary_table(courses: Courses, figures: pd.DataFrame) -> Table:
    """Lead, decision and comebacks, each figure in its unit. figures: see `leads.summary`."""
    low, lowest = (percent(part / courses.seats, 0 if courses.seats == 2 else 1) for part in (LOW, LOWEST))
    words = {
        "changes": "lead changes in a game (mean)",
        "steady": "games in which the lead never changed sides",
        "since": "turn from which the winner led for good (median)",
        "part": "the same as a share of the game (median)",
        "early": "games led for good by half-time",
        "sure": f"turns with one side at {percent(SURE, 0)} or more (mean share of a game)",
        "once_behind": "games whose winner was once behind",
        "once_low": f"games whose winner was once down to {low}",
        "once_lowest": f"games whose winner was once down to {lowest}",
        "comeback": "lowest chance of the winner, in the lowest tenth of games",
    }
    rows = []
    for line in figures[figures["what"].isin(words)].to_dict("records"):
        write = number if line["what"] in {"changes", "since"} else percent
        values = [write(line[part]) if np.isfinite(line[part]) else None for part in ("estimate", "low", "high")]
        rows.append((words[line["what"]], *values, line["n"]))
    headings = ("what", "value", "low", "high", "n")
    return Table("summary", headings, tuple(rows), "Lead, decision and comebacks", whole=figures)


def warnings(courses: Courses, game: Game) -> list[str]:
    """How far leads can be trusted, and many truncated games."""
    games, stopped = len(courses.index), int((~courses.finished).sum())
    sentences = []
    if stopped >= MANY_TRUNCATED * games:
        were = f"{percent(stopped / games)} of the games were stopped at {limit_words(game.limits_itself)}"
        sentences.append(f"{were}; they count as longer than any other.")
    fits = courses.calibration
    if fits is None:
        return sentences
    strength, skill = fits.strength(), float(scores(courses)["skill"].iloc[0])
    if not skill >= TELLING:
        sentences.append("The game's evaluation predicts the winner hardly better than even chances: leads mean little.")
    elif strength.low < strength.estimate / UNSURE or strength.high > UNSURE * strength.estimate:
        sentences.append("These games leave the worth of leads and comebacks imprecise: --all shows their intervals.")
    return sentences


def notes(seats: int) -> list[str]:
    """What a lead is, and which games count."""
    return [
        f"Ahead: {percent(AHEAD / seats, 0)} more winning chance than any other seat, by the game's evaluation after the "
        "last decision of a turn, calibrated on the other games.",
        "Games without a sole winner only count for length and endings.",
        ColumnNote(
            "95 % intervals of leads and comebacks cover both the chance in which games were played and the uncertainty of the "
            "calibration.",
            "seat ahead wins",
        ),
    ]


def drawings(courses: Courses, players: str) -> tuple[Chart, ...]:
    """Leads by turn, comebacks, and who was ahead near the end."""
    return (
        Chart(partial(leads_chart, courses), f"How often the seat ahead wins, and games led for good; {players}."),
        Chart(
            partial(comebacks_chart, courses),
            "Games whose winner had been down to a chance, beside a game of equal seats in small steps.",
            "comebacks",
        ),
        Chart(partial(upsets_chart, courses), "Games in which another seat than the winner, or none, was ahead.", "upsets"),
    )


def leads_chart(courses: Courses) -> Figure:
    """Lines by turn: how often the seat ahead wins, and how many games are led for good."""
    turns = turns_shown(courses) or [int(turn) for turn in np.unique(courses.turn)[:1]]
    good = of_leads.decided(courses)
    reached = np.searchsorted(good["turns"], turns, side="right") - 1
    parts = [
        of_leads.drama_by_turn(courses, turns).assign(line="the seat ahead wins"),
        good.iloc[reached].assign(turn=turns, line="the winner leads for good"),
    ]
    frame = pd.concat([part[["turn", "line", *ESTIMATE]] for part in parts], ignore_index=True).rename(columns={"turn": "x"})
    return charts.lines(frame.assign(panel=f"Leads {at_seats(courses.seats)}"), label="end of turn")


def comebacks_chart(courses: Courses) -> Figure:
    """Rising lines by the chance that a winner was once down to."""
    chances = np.round(np.arange(STEP, 1 / courses.seats + STEP / 100, STEP), 6)
    shares = of_leads.comebacks(courses, chances.tolist()).assign(x=np.rint(100 * chances).astype(np.int64))
    even = shares.assign(estimate=shares["even"], low=shares["even"], high=shares["even"], line="equal seats, small steps")
    drawn = pd.concat([shares.assign(line="games played"), even], ignore_index=True)
    drawn["panel"] = "Games whose winner was once down to a chance"
    return charts.lines(drawn, label="down to this chance or less, in per cent")


def upsets_chart(courses: Courses) -> Figure:
    """Lines by the number of turns before the end: another seat than the winner was ahead, or none."""
    return charts.lines(upsets(courses).assign(panel=capital(at_seats(courses.seats))), label="turns before the end")
