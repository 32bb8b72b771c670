"""What going first is worth, where most, and under which values of a rule."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import Format, count, number, percent
from analysis.answer.prose import at_seats, bounds_of, capital, limit_words, listed, number_word, plural, truncated_words
from analysis.answer.tables import Table, table
from analysis.data.players import LONG_ANSWER
from analysis.data.rows import distinct
from analysis.data.study import Study
from analysis.first_player.worth import EVEN, TWO_SEATS, NoFirstPlayerError, SeatWorth, Sweep, worth_of
from analysis.playtests.sides import seats as seats_of_log
from analysis.question import question
from sim.experiments.experiment import Experiment

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

GAMES_MOST = 2_000_000  # first games of a run that are read; they are held in memory, and more would not change the tables
SHARE_OF_TWO = 0.6  # share of the games at two seats, if there are other numbers of seats too
SURE = 0.05  # p-value, adjusted over all rows of a table, below which an effect is significant
ROWS = 24  # matchups in the chart: where there are more, those farthest from fair
ORDER = ("first", "second", "third", "fourth")
RATES = {"estimate": "first wins", "low": "low", "high": "high", "n": "n", "pairs": "pairs", "p_holm": "p (Holm)", "gain": "gain"}
PICKED = "The value nearest to one half is picked among several and looks fairer than it is; try it with another seed."
FORMATS: dict[str, Format] = {"first wins": "percent", "win share": "percent", "fair": "percent"}

GAIN = ColumnNote("Gain: how many times as many games would be needed without common dice.", "gain")


@question(
    log=seats_of_log,
    without=("line_up",),
    reads=True,
    seconds=LONG_ANSWER,
    examples=("seats arena --games 20000", "seats runeslingers --no-sweep"),
    title="What is going first worth?",
)
def seats(study: Study, games: int = 20_000, sweep: bool = True) -> Answer:
    """Worth of going first, overall, by matchup and over the values of rules.

    Every line-up plays from all seats, and each entrant keeps its dice, so that strength and most of the luck cancel out.

    Parameters
    ----------
    games : int
        Games played in all, including those of every value of a rule, each part rounded up to complete rounds.
        By default at most those of about twelve seconds.
    sweep : bool
        Also play with other values of the rules that can make up for going second.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.seats("arena", 112, policy="random", sweep=False, progress=False)
    >>> len(result.frame), list(result.frames)
    (2, ['overall', 'matchups', 'units'])

    """
    worths = by_seats(study, games, sweep)
    fewest = worths[0]
    experiment = fewest.experiment
    facts: dict[str, Any] = experiment.facts() | {"truncated": fewest.truncated, "played": fewest.played}
    if fewest.sweeps is not None:
        facts["refused"] = {one.parameter.path: one.refused for one in fewest.sweeps if one.refused}
    interrupted = study.player.shown or ("values of rules are left out" if fewest.interrupted else "")
    return Answer(
        summary(fewest),
        tuple(tables(worths)),
        tuple(drawings(worths, study.players)),
        tuple(notes(worths, sweep)),
        facts,
        shown=interrupted,
        warnings=tuple(warnings(fewest, sweep)),
    )


def by_seats(study: Study, games: int, swept: bool) -> list[SeatWorth]:
    """The worth of seats at each number of seats with an opponent, the fewest first; those without a first player left out.

    Raises NoFirstPlayerError if no player goes first at any of them, and ValueError without an opponent.
    """
    worths, trouble = [], None
    others = [number for number in study.contests if number != TWO_SEATS]
    part = dict.fromkeys(others, (1 - SHARE_OF_TWO if TWO_SEATS in study.contests else 1.0) / max(1, len(others)))
    for number_ in sorted(study.contests) or [study.contest]:
        wanted = round(games * part.get(number_, 1 - sum(part.values())))
        try:
            worths.append(
                worth_of(
                    study.experiment(number_, wanted),
                    wanted,
                    swept and number_ == TWO_SEATS,
                    study.player,
                    stored(study.given) if study.given else None,
                )
            )
        except NoFirstPlayerError as error:
            trouble = error
    if trouble and not worths:
        raise trouble
    return worths


def stored(experiment: Experiment) -> Experiment:
    """The experiment of games that exist, with at most GAMES_MOST games in complete rounds."""
    most = max(1, GAMES_MOST // experiment.round_games) * experiment.round_games
    return replace(experiment, games_wanted=min(experiment.games_wanted, most))


def summary(worth: SeatWorth) -> str:
    """The sentence: what going first is worth at this number of seats, at two also where it matters most."""
    where = capital(at_seats(worth.experiment.seats))
    if worth.each is None:
        return positions(worth)
    top = worth.overall.iloc[0]
    far = f"{100 * abs(top['estimate'] - EVEN):.1f} points {'above' if top['estimate'] >= EVEN else 'below'} one half"
    far += "" if top["p"] < SURE else ", which may be chance"
    most = worth.each.iloc[int((worth.each["estimate"] - EVEN).abs().argmax())]
    peak = ""
    if len(worth.each) > 1 and most["p_holm"] < SURE:
        peak = f"; it matters most in {most['name']} ({percent(most['estimate'])})"
    return f"{where} the first player wins {percent(top['estimate'])} {bounds_of(top)}, {far}{peak}."


def positions(worth: SeatWorth) -> str:
    """Sentence on the turn positions that win more or less than their fair share."""
    rows, where = worth.overall, capital(at_seats(worth.experiment.seats))
    sure, fair = rows[rows["p_holm"] < SURE], percent(rows["fair"].iloc[0])
    named = [f"moving {ORDER[int(line['position'])]} wins {percent(line['estimate'])}" for _, line in sure.iterrows()]
    if not named:
        return f"{where} no turn position wins significantly more or less than its fair share of {fair}."
    return f"{where} {listed(named)}, where {fair} is fair."


def tables(worths: list[SeatWorth]) -> list[Table]:
    """Positions at all numbers of seats, matchups, entrants or members of teams, and values of rules."""
    fewest, word = worths[0], worths[0].unit_word
    worth = "What going first is worth"
    overall = pd.concat([one.overall for one in worths], ignore_index=True)
    numbered = overall.assign(order=[f"{place + 1}." for place in overall["position"]])
    where = {"seats": "seats"} if len(worths) > 1 else {}
    caption = "Who moves first" if len(worths) > 1 else f"Who moves first, {at_seats(fewest.experiment.seats)}"
    order = {**where, "order": "turn order", **RATES, "estimate": "win share", "fair": "fair"}
    parts = [one.table.assign(parameter=one.parameter.label, path=one.parameter.path) for one in fewest.sweeps or []]
    parameters = {"parameter": "parameter", "path": "field", "value": "value", "present": "as played", **RATES}
    del parameters["p_holm"]
    frames: dict[str, tuple[pd.DataFrame | None, str, dict[str, str]]] = {
        "overall": (numbered, caption, order),
        "matchups": (fewest.matchups, f"{worth} by matchup", {"name": "matchup", **RATES}),
        "units": (fewest.units, f"{worth} in games with each {word}", {"name": word, **RATES}),
        "parameters": (pd.concat(parts) if parts else None, "Going first under each value of a rule", parameters),
    }
    wholes = {"overall": overall, "matchups": with_sides(fewest), "units": fewest.units}
    second = "parameters" if parts else "units" if fewest.matchups is None else "matchups"
    return [
        table(
            ordered(name, frame),
            name,
            text,
            columns,
            FORMATS,
            details=("fair", "field"),
            main=name == second,
            whole=wholes.get(name, frame),
        )
        for name, (frame, text, columns) in frames.items()
        if frame is not None
    ]


def ordered(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Matchups and entrants with the share of the first player farthest from one half first, values of rules nearest first."""
    if name == "overall":
        return frame
    frame = frame.reset_index(drop=True)
    far = (frame["estimate"] - EVEN).abs()
    return frame.loc[far.sort_values(ascending=name == "parameters", kind="stable").index]


def with_sides(worth: SeatWorth) -> pd.DataFrame | None:
    """Matchups with the names of both sides in place of one for the pair."""
    if worth.matchups is None:
        return None
    names, frame = distinct(worth.experiment.cards.names), worth.matchups
    sides = {"name": [names[index] for index in frame["entrant"]], "opponent_name": [names[index] for index in frame["opponent"]]}
    rates = frame.drop(columns=["entrant", "opponent", "name"])
    return pd.DataFrame(sides, frame.index).join(rates)


def notes(worths: list[SeatWorth], swept: bool) -> list[str]:
    """Values of rules, other numbers of seats, in how many matchups going first matters, and which games count."""
    fewest = worths[0]
    experiment, truncated = fewest.experiment, fewest.truncated
    limit = limit_words(experiment.game.limits_itself)
    return [
        *sweep_words(fewest, swept)[len(warnings(fewest, swept)) :],
        *(positions(worth) for worth in worths[1:]),
        *matter_words(fewest),
        f"{dice_words(experiment)}; a game without a winner is shared equally.",
        *([GAIN] if experiment.pair_games > 1 else []),
        *([truncated_words(truncated, fewest.games, limit)] if truncated else []),
    ]


def warnings(worth: SeatWorth, swept: bool) -> list[str]:
    """The value of a rule that is nearest to one half, and that it looks fairer than it is; none without values."""
    return sweep_words(worth, swept)[:2] if worth.sweeps else []


def sweep_words(worth: SeatWorth, swept: bool) -> list[str]:
    """Sentences on the values of rules that were tried; none if that was not asked for."""
    game = worth.experiment.game
    if not swept:
        return []
    if worth.experiment.seats != TWO_SEATS:
        return ["Values of rules are tried at two seats only."]
    if not game.seat_parameters:
        return [f"The rules of {game.title} have no number that makes up for going second."]
    sentences = [nearest(one) for one in worth.sweeps or []]
    if sentences:
        sentences.insert(1, PICKED)
    if worth.left:
        sentences.append(f"Too few games to try {' and '.join(worth.left)}; play more games.")
    return sentences


def nearest(values: Sweep) -> str:
    """Sentence on the value of a rule whose share of the first player is nearest to one half."""
    path = values.parameter.path
    if values.table.empty:
        return f"{path}: the card rules refuse every value."
    near = values.nearest
    value = f"{number(near['value'])}{', as played,' if near['present'] else ''}"
    return (
        f"Of the values of {path} ({values.parameter.label}), {value} comes nearest to one half: the first player wins "
        f"{percent(near['estimate'])} {bounds_of(near)}."
    )


def matter_words(worth: SeatWorth) -> list[str]:
    """Sentence on the number of matchups, or of members of teams, in which going first matters."""
    if worth.each is None or len(worth.each) < 2:
        return []
    what = "matchups" if worth.matchups is not None else f"{plural(worth.unit_word)}' games"
    sure = int((worth.each["p_holm"] < SURE).sum())
    if not sure:
        return [f"None of {number_word(len(worth.each))} {what} by itself shows a significant effect of going first."]
    return [f"Going first matters significantly in {number_word(sure)} of {number_word(len(worth.each))} {what}."]


def dice_words(experiment: Experiment) -> str:
    """How dice are shared."""
    if experiment.pair_games == 1:
        return "Every game has its own dice"
    return f"Every line-up plays from all seats with the same dice, each {experiment.coupling}'s own: one observation"


def drawings(worths: list[SeatWorth], players: str) -> list[Chart]:
    """Win shares by turn order and matchup, and curves over the values of rules."""
    each = worths[0].each
    most = f"; of {count(len(each))} rows the {ROWS} farthest from one half" if each is not None and len(each) > ROWS else ""
    drawn = partial(forest, worths)
    shares = Chart(drawn, f"Win share by turn order, {players}{most}.", narrow=partial(forest, worths, narrow=True))
    if not any(len(one.table) > 1 for one in worths[0].sweeps or []):
        return [shares]
    title = "Win share of the first player by the value of each rule; dashed: as played; dotted: one half."
    return [shares, Chart(partial(curves, worths[0]), title, "parameters")]


def forest(worths: list[SeatWorth], narrow: bool = False) -> Figure:
    """Forest plot of the rows of `forest_rows`."""
    return charts.forest(forest_rows(worths), panels="panel", narrow=narrow)


def forest_rows(worths: list[SeatWorth]) -> pd.DataFrame:
    """Rows of the forest plot: at two seats overall and by matchup or unit, at more seats the turn positions.

    Verdicts are those of all rows together; of many matchups the chart has those farthest from fair.
    """
    parts = []
    for worth in worths:
        if worth.each is None:
            names = [f"moves {ORDER[position]}" for position in worth.overall["position"]]
            panel = f"{capital(number_word(worth.experiment.seats))} seats: turn order"
            parts.append(worth.overall.assign(name=names, panel=panel))
            continue
        what = "by matchup" if worth.matchups is not None else f"in games with each {worth.unit_word}"
        parts.append(worth.overall.iloc[[0]].assign(name="all together", panel="Two seats: first player"))
        if len(worth.each) > 1:
            parts.append(worth.each.assign(panel=f"Two seats, {what}"))
    frame = pd.concat(parts, ignore_index=True)
    frame = verdicts.with_verdicts(verdicts.simultaneous(frame))
    far = (frame["estimate"] - frame["fair"]).abs().groupby(frame["panel"]).rank(ascending=False, method="first")
    return frame[far <= ROWS]


def curves(worth: SeatWorth) -> Figure:
    """Win share of the first player over the values of each rule, with all other rules as played."""
    parts = [
        one.table.rename(columns={"value": "x"}).assign(
            panel=capital(one.parameter.label), line="first", fair=EVEN, present=one.present
        )
        for one in worth.sweeps or []
        if len(one.table) > 1
    ]
    return charts.lines(pd.concat(parts, ignore_index=True), label="value", close=True)
