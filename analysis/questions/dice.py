"""Exact distributions of dice expressions and of the rolls of a game, beside a simulation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, decimal, number, percent, points
from analysis.answer.prose import listed, some
from analysis.answer.tables import Table, data_only, highest, lowest
from analysis.answer.tables import table as make_table
from analysis.data.names import open_game
from analysis.data.player import Watch
from analysis.dice.asked import asked_of
from analysis.dice.beating import contest
from analysis.dice.exact import Rolled, check_rolls, choose, of_asked, of_rolls, refuse_game_options
from analysis.games import Source, cards_of, playing
from analysis.question import Settings, question
from analysis.stats.intervals import adjust
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.exact import Roll
from sim.seeds import checked_seed
from sim.stopping import heeding

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SUSPECT = 0.01  # adjusted p-value below which simulated rolls do not fit
RARE = 0.01  # chance from which the sentence adds "1 in ..."
RARE_CELL = 0.0005  # chance from which the table of values has a column of them
FAR = 4.0  # standard errors between the means, likewise
CONTESTS_OF = 6  # rolls of which each two are compared
CELLS_ACROSS, CELLS_DOWN = 16, 40  # of the chart of a table
VALUES_OF = 5  # rolls whose values are shown; those of more are only data, and in the chart
TITLE = "Chance of each {}: exact (bars), simulated (dots), and where 95 % of such dots fall by chance (thin lines)."


@question(
    options={"others": "MORE"},
    examples=(
        'dice "5d6>=4 - 3d6>=4"',
        'dice "{n}d6>=4" --table 0:10 --html pool.html',
        "dice arena --entrant rhino_guy --ability hammer_time --against 2",
    ),
)
def dice(
    roll: Source,
    entrant: str | None = None,
    ability: str | None = None,
    against: int | None = None,
    rolls: int = 100_000,
    cards: Path | None = None,
    seed: int = 1,
    *,
    at_least: int | None = None,
    table: str | None = None,
    deck: Path | None = None,
    others: Settings = (),
) -> Answer:
    """Exact distribution of dice, beside a simulation.

    Pools: 3d6 (sum), 5d6>=4 (how many dice show 4 or more), 4d6kh3, 2d20kl, 4d6dl1 (sum of those kept), 2d6r1, 2d6ro<3 (rerolls),
    d8! (8 is rolled again), 4dF, d%, d{0,1,1,2} (own faces). Between them + - * / //, comparisons (2d6+3>=10), and, or, brackets,
    max, min, floor, ceil, abs, highest(2, d6, d8, d10), count(...), sum(...), pairs(3d6, 2d6). A name is one roll used twice:
    "r = 5d10; count(r>=6) - count(r==1)"; 6d(4d6dl1) rolls six times. Outcomes: "r = d20; crit: r==20; hit: r>=12; miss: 1".
    Cards: "draw 7 from 60: at least 1 of 4 and 2 to 4 of 24 lands".

    Parameters
    ----------
    roll : str, Cards, Games or Path
        Dice such as "5d6>=4 - 3d6>=4", or a game or a run folder for the rolls of its cards. In Python also a list of dice.
    entrant : str, optional
        Of a game: only the rolls of this entrant (id).
    ability : str, optional
        Of a game: only the rolls for this ability, such as hammer_time.
    against : int, optional
        Of a game: only the rolls against this number, such as the Defence.
    rolls : int
        Rolls to simulate.
    cards : Path, optional
        Folder with your cards.toml, or a spreadsheet, instead of the reference set.
    seed : int
        The same seed gives the same rolls.
    at_least : int, optional
        Only the chance of this result or more.
    table : str, optional
        Range of numbers, such as 0:5, each of which replaces {n} in the dice, such as "{n}d6>=4".
    deck : Path or str, optional
        Of draws: a list with lines such as 4x Lightning Bolt, a table (.csv, .xlsx), a deck file, or a game, whose decks are
        compared.
    others : list of str
        Further dice, to compare with the first.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.dice("5d6>=4 - 3d6>=4")
    >>> result.frames["rolls"][["mean", "at_least_1"]].round(3).to_numpy().tolist()
    [[1.0, 0.637]]
    >>> result.frame["exact"].sum().round(9)
    np.float64(1.0)
    >>> ff.dice("5d")
    Traceback (most recent call last):
    ...
    analysis.dice.tokens.DiceError: dice expression, position 3: expected the number of faces in 2..1000, found the end
      5d
        ^

    """
    check_rolls(rolls)
    checked_seed(seed)
    asked = asked_of(roll, [*others], table, deck, cards)
    if asked:
        options = {"entrant": entrant, "ability": ability, "against": against}
        refuse_game_options(asked[0].text, options | ({} if deck else {"cards": cards}))
        answer = answer_of([of_asked(one, rolls, seed) for one in asked], at_least=at_least, compared=deck is None)
        decks = dict.fromkeys(one.deck for one in asked if one.deck)
        return replace(answer, notes=(*(f"{one.title}: {one.left_out}." for one in decks if one.left_out), *answer.notes))
    game, card_set = cards_named(roll, cards)
    chosen = choose(game, card_set, entrant, ability, against)
    with playing(game, ("rolls",), progress=True) as watch:
        rolled = rolled_so_far(chosen, rolls, seed, watch)
    shown = "" if len(rolled) == len(chosen) else f"the first {len(rolled)} of {len(chosen)} rolls"
    return answer_of(rolled, shown=shown, at_least=at_least)


def cards_named(source: Source, cards: Path | None) -> tuple[Game, CardSet]:
    """The game and the cards of what the question is asked about. Raises ValueError."""
    if isinstance(source, str):
        return open_game(source, cards)
    if cards is not None:
        raise ValueError(f"cards={cards}: only works with the name of a game; leave it out")
    given = cards_of(source)
    return given.game, given.card_set


def rolled_so_far(rolls: Sequence[Roll], number: int, seed: int, watch: Watch) -> list[Rolled]:
    """Solve and simulate rolls; after an interrupt, those so far. Raises KeyboardInterrupt if there are none."""
    rolled: list[Rolled] = []
    try:
        with heeding():
            for one in of_rolls(rolls, number, seed, watch):
                rolled.append(one)  # noqa: PERF402 - keeps those before an interrupt
    except KeyboardInterrupt:
        if not rolled:
            raise
    return rolled


def answer_of(
    rolled: Sequence[Rolled], result: str = "result", shown: str = "", at_least: int | None = None, compared: bool = True
) -> Answer:
    """The answer about rolls that were solved and simulated.

    result: what they count; shown: see `Answer`; compared: whether rolls of several expressions are compared with each other.
    """
    values, rolls = values_of(rolled), summaries(rolled, at_least)
    several = len(rolled) > 1 and all(roll.words for roll in rolled)
    first = several or at_least is not None
    tables = [] if at_least is not None else [values_table(values, result, rolled)]
    if compared and several and len(rolled) <= CONTESTS_OF and chances_asked(rolled, at_least) is None and not is_table(rolled):
        tables = [contests_table(rolled), *tables] if not any(roll.labels for roll in rolled) else tables
    wide = is_table(rolled) and len({roll.line for roll in rolled}) > 1 and not any(roll.labels for roll in rolled)
    every = rolls_table(rolled, rolls, at_least, main=first and not wide)
    tables = [numbers_table(rolled, at_least), *tables] if wide else tables
    misfit = unfit_words(rolls)
    solved = rolls["solved"].all()
    fits = [f"{count(rolls['rolls'].iloc[0])} simulated rolls fit the exact chances."] if solved and not misfit else []
    unsolved = rolls.loc[~rolls["solved"]]
    notes = (
        *(simulated_words(row) for row in unsolved.to_dict("records")),
        *fits,
        "z: mean of the simulated rolls less the exact mean, in standard errors.",
        "p: chi-square test over all values, rare ones pooled, adjusted for all rolls (Holm); below 0.01 by chance in one of a "
        "hundred runs.",
    )
    return Answer(
        summary(rolled, rolls, at_least),
        (every, *tables) if first and not wide else (*tables, every),
        charts_of(rolled, result, at_least),
        notes,
        shown=shown,
        story=story(rolled) if several else (),
        warnings=(misfit,) if misfit else (),
    )


def is_table(rolled: Sequence[Rolled]) -> bool:
    """Whether the rolls are those of the numbers of a table."""
    return rolled[0].number is not None


def chances_asked(rolled: Sequence[Rolled], at_least: int | None) -> list[float] | None:
    """The chance that each roll is about: of a condition, or of a number and more; None if it is about all values."""
    if any(roll.labels for roll in rolled):
        return None
    if at_least is not None:
        return [roll.exact.at_least(at_least) for roll in rolled]
    return [roll.exact.at_least(1) for roll in rolled] if all(roll.condition for roll in rolled) else None


def story(rolled: Sequence[Rolled]) -> tuple[str, ...]:
    """What each of a few rolls computes; of a table the last."""
    lines = {roll.line or roll.title: roll for roll in rolled}
    if len(lines) > VALUES_OF:
        return ()
    return tuple(f"{roll.title}: {computed(roll)}." for roll in lines.values())


def charts_of(rolled: Sequence[Rolled], result: str, at_least: int | None) -> tuple[Chart, ...]:
    """The chance that is asked about, by number or for each roll; else values of every roll, or shares of the outcomes.

    None where some rolls have values and others outcomes.
    """
    chances = chances_asked(rolled, at_least)
    if is_table(rolled) and len(rolled) > 1 and not any(roll.labels for roll in rolled):
        return charts_of_table(rolled, chances, at_least)
    if chances is not None and len(rolled) > 1:
        frame = pd.DataFrame({"name": [roll.title for roll in rolled], "estimate": chances})
        return (Chart(partial(charts.chances, frame), f"Chance of each{above_words(at_least)}."),)
    if all(roll.labels for roll in rolled):
        return (Chart(partial(outcomes_figure, rolled), "Chance of each outcome."),)
    if any(roll.labels for roll in rolled):
        return ()
    return (Chart(partial(figure, rolled, result), TITLE.format(f"number of {result}" if result != "result" else result)),)


def above_words(at_least: int | None) -> str:
    """The number that is asked about, for captions."""
    return "" if at_least is None else f" to be {at_least} or more"


def charts_of_table(rolled: Sequence[Rolled], chances: list[float] | None, at_least: int | None) -> tuple[Chart, ...]:
    """How the rolls of a table depend on its number: the chance that is asked about, else mean and chance of each value."""
    frame = pd.DataFrame({"line": [roll.line for roll in rolled], "x": [roll.number for roll in rolled]})
    if chances is not None:
        lines = frame.assign(estimate=chances, low=nan, high=nan)
        return (Chart(partial(charts.by_number, lines, unit="%"), f"Chance by n{above_words(at_least)}."),)
    lows, highs = ([roll.exact.quantile(share) for roll in rolled] for share in (0.1, 0.9))
    lines = frame.assign(estimate=[roll.exact.mean for roll in rolled], low=lows, high=highs)
    note = "Lines: means; bands: 10 % to 90 % of the results"
    means = Chart(partial(charts.by_number, lines, unit="result", note=note), "Mean by n, and where most results fall.", "means")
    most = max(float(roll.exact.values[-1]) for roll in rolled)
    least = min(float(roll.exact.values[0]) for roll in rolled)
    whole = all(float(value).is_integer() for roll in rolled for value in roll.exact.values)
    if not whole or most - least > CELLS_ACROSS or len({roll.number for roll in rolled}) > CELLS_DOWN or least == most:
        return (replace(means, id=""),)
    cells = [
        {"line": roll.line, "row": f"n = {roll.number}", "column": f"\u2265{value}", "value": roll.exact.at_least(value)}
        for roll in rolled
        for value in range(int(least) + 1, int(most) + 1)
    ]
    panels = "line" if len(set(frame["line"])) > 1 else None
    frame_of_cells = pd.DataFrame(cells).assign(n=nan)
    grid = partial(charts.matrix, frame_of_cells, panels=panels, label="chance of this result or more", what="rolls")
    return (Chart(grid, "Chance of each result or more (columns) by n (rows)."), means)


def contests_table(rolled: Sequence[Rolled]) -> Table:
    """The chance that each roll is higher than each other."""
    rows = [
        {"roll": first.title, "against": second.title, **contest(first.exact, second.exact)._asdict()}
        for first, second in combinations(rolled, 2)
    ]
    columns = {"roll": "roll", "against": "against", "wins": "higher", "ties": "equal", "losses": "lower"}
    formats: dict[str, Format] = {"higher": "percent", "equal": "percent", "lower": "percent"}
    return make_table(pd.DataFrame(rows), "contests", "Which roll is higher", columns, formats, main=True)


def simulated_words(row: Mapping[Hashable, Any]) -> str:
    """The sentence on a roll that takes too long to solve."""
    margin = points(1.96 * 0.5 / row["rolls"] ** 0.5).removeprefix("+")
    return (
        f"{row['title']} takes too long to solve exactly: simulated, {count(row['rolls'])} rolls, shares within {margin} points."
    )


def values_of(rolled: Sequence[Rolled]) -> pd.DataFrame:
    """One row per roll and value: columns roll, value, exact, at_least (exact chances), simulated (share).

    Of outcomes the value is their label. Where a roll was only simulated, exact is nan and at_least a share of its rolls.
    """
    rows = [
        (
            one.title,
            one.labels[int(value)] if one.labels else value,
            chance if one.solved else nan,
            nan if one.labels else one.exact.at_least(value),
            share,
        )
        for one in rolled
        for value, chance, share in one.values()
    ]
    return pd.DataFrame(rows, columns=["roll", "value", "exact", "at_least", "simulated"])


def summaries(rolled: Sequence[Rolled], at_least: int | None = None) -> pd.DataFrame:
    """One row per roll.

    Columns: title, name, versus, expression, words; mode (the most frequent value) and mode_chance; solved (whether exact); mean,
    sd, at_least_1, and at_least and at_most of a number that is asked; rolls (simulated), simulated (their mean), z (of the
    means), chi2, dof, p, p_holm (of the values).
    """
    rows = list[dict[str, object]]()
    for one in rolled:
        words: dict[str, object] = {"title": one.title, "name": one.name, "versus": one.versus, "expression": one.expression}
        words |= {"words": one.words}
        chances = {value: chance for value, chance, _ in one.values()}
        mode = max(chances, key=chances.__getitem__)
        words |= {"mode": mode, "mode_chance": chances[mode]}
        exact: dict[str, object] = {
            "solved": one.solved,
            "mean": one.exact.mean,
            "sd": one.exact.sd,
            "least": float(one.exact.values[0]),
            "at_least_1": one.exact.at_least(1),
        }
        if at_least is not None:
            exact |= {"at_least": one.exact.at_least(at_least), "at_most": 1 - one.exact.at_least(at_least + 1)}
        fit = {"z": one.agreement.z, "chi2": one.agreement.chi2, "dof": one.agreement.dof, "p": one.agreement.p_value}
        fit = fit if one.solved else dict.fromkeys(fit, nan)
        rows.append(words | exact | {"rolls": one.n, "simulated": one.mean} | fit)
    frame = pd.DataFrame(rows)
    return frame.assign(p_holm=adjust(frame["p"]))


def summary(rolled: Sequence[Rolled], rolls: pd.DataFrame, at_least: int | None = None) -> str:
    """The sentence: what one roll computes and how it comes out, how a roll depends on a number, or the extremes of several."""
    chances = chances_asked(rolled, at_least)
    if len(rolls) == 1 and at_least is not None and chances is not None:
        return f"{lead(rolled[0])}: at least {at_least} in {chance_words(chances[0])}."
    if len(rolls) == 1:
        return f"{lead(rolled[0])}: {outcome(rolled[0], rolls.iloc[0])}."
    above = "" if at_least is None else f"at least {at_least}: "
    if is_table(rolled) and len({roll.line for roll in rolled}) == 1:
        values = rolls["mean"].tolist() if chances is None else chances
        ends = [
            f"{decimal(value, 2) if chances is None else chance_words(value)} with n = {roll.number}"
            for roll, value in ((rolled[0], values[0]), (rolled[-1], values[-1]))
        ]
        return f"{rolled[0].line}: {'mean ' if chances is None else above}{ends[0]}, {ends[1]}{crossing(rolled, chances)}."
    if chances is not None:
        order = np.argsort(chances, kind="stable")
        top, low = (f"{rolled[place].title} ({chance_words(chances[place])})" for place in (order[-1], order[0]))
        return (
            f"{above.capitalize()}{'most' if above else 'Most'} likely of {some(len(rolls), 'roll')}: {top}; least likely: {low}."
        )
    top, low = (f"{row['title']} ({decimal(row['mean'], 2)})" for row in (highest(rolls, "mean"), lowest(rolls, "mean")))
    return f"Highest mean of {some(len(rolls), 'roll')}: {top}; lowest: {low}."


def crossing(rolled: Sequence[Rolled], chances: Sequence[float] | None) -> str:
    """From which number on a chance that rises or falls is above or below one half; empty if it is always on one side."""
    if chances is None:
        return ""
    above = [chance >= 0.5 for chance in chances]
    at = next((place for place in range(1, len(above)) if above[place] != above[place - 1]), 0)
    if not at or len(set(above[at:])) > 1:
        return ""
    return f"; {'at least' if above[at] else 'below'} one half from n = {rolled[at].number} on"


def computed(roll: Rolled) -> str:
    """What a roll computes, in words."""
    if roll.condition and roll.words.startswith("1 if "):
        return f"chance that {roll.words.removeprefix('1 if ').removesuffix(', else 0')}"
    return roll.words


def lead(roll: Rolled) -> str:
    """An expression in words, or the name of a roll of a game."""
    text = computed(roll) or roll.title
    return f"{text[0].upper() if roll.words and text[:2].isalpha() else text[0]}{text[1:]}{'' if roll.solved else ', simulated'}"


def outcome(roll: Rolled, row: pd.Series) -> str:
    """How a roll comes out: the chance of each outcome, of a condition, or mean and most frequent value."""
    chances = dict(zip(roll.exact.values.tolist(), roll.exact.probabilities.tolist(), strict=True))
    if roll.labels:
        return ", ".join(f"{roll.labels[value]} {chance_words(chance)}" for value, chance in chances.items())
    if roll.condition:
        return chance_words(chances.get(1, 0.0))
    mean = decimal(row["mean"], 2)
    if len(chances) == 1:
        return f"always {number(row['mode'])}"
    most = f"most often {number(row['mode'])} ({percent(row['mode_chance'])})"
    least, highest_value = min(chances), max(chances)
    if least >= 1:
        return f"mean {mean}, {most}, from {number(least)} to {number(highest_value)}"
    return f"mean {mean}, {most}, at least 1: {percent(row['at_least_1'])}"


def chance_words(chance: float) -> str:
    """A chance in per cent, and of a rare result how often it comes."""
    return f"{percent(chance)} ({one_in(chance)})" if 0 < chance < RARE else percent(chance)


def one_in(chance: float) -> str:
    """A chance as "1 in 7,776"."""
    return f"1 in {count(1 / chance)}"


def unfit_words(rolls: pd.DataFrame) -> str:
    """Sentence on rolls whose simulation does not fit the exact chances; empty if all fit."""
    wrong = (rolls["p_holm"] < SUSPECT) | (rolls["z"].abs() > FAR)
    if not wrong.any():
        return ""
    names = listed(rolls.loc[wrong, "title"].tolist())
    return f"The simulation does not fit the exact chances, so one of the two is wrong: {names}."


def values_table(values: pd.DataFrame, result: str, rolled: Sequence[Rolled]) -> Table:
    """Every value with its chances; where some are rare, also as "1 in 7,776"."""
    rolls = values["roll"].nunique()
    if rolls > VALUES_OF:
        return data_only(values, "values")
    if rolls > 1 and rolls == len(rolled) and all(roll.words and roll.solved and not roll.labels for roll in rolled):
        return side_by_side(values, result)
    of_roll = {"roll": "roll"} if rolls > 1 else {}
    columns = {**of_roll, "value": "outcome" if any(roll.labels for roll in rolled) else result}
    solved, condition = all(roll.solved for roll in rolled), all(roll.condition for roll in rolled)
    columns |= {"exact": "exact"} if solved else {"simulated": "simulated"}
    columns |= {} if condition or values["at_least"].isna().all() else {"at_least": "at least"}
    columns |= {"simulated": "simulated"}
    formats: dict[str, Format] = {"exact": "percent", "at least": "percent", "simulated": "percent"}
    words = ["yes" if value else "no" for value in values["value"]] if condition else values["value"]
    readable = values.assign(value=words, one_in=[1 / chance if chance > 0 else nan for chance in values["exact"]])
    if ((values["exact"] > 0) & (values["exact"] < RARE_CELL)).any():
        columns |= {"one_in": "1 in"}
    details = ("simulated",) if solved else ()
    return make_table(readable, "values", "Chance of every value", columns, formats, details=details, whole=values)


def side_by_side(values: pd.DataFrame, result: str) -> Table:
    """The chances of every value of several rolls, a column for each."""
    names = list(pd.unique(values["roll"]))
    wide = values.pivot_table(index="value", columns="roll", values="exact", fill_value=0.0)[names].reset_index()
    formats: dict[str, Format] = dict.fromkeys(names, "percent")
    columns = {"value": result, **{name: name for name in names}}
    return make_table(wide, "values", "Chance of every value", columns, formats, whole=values)


def rolls_table(rolled: Sequence[Rolled], rolls: pd.DataFrame, at_least: int | None = None, main: bool = False) -> Table:
    """Every roll: exact, simulated, and how well the two fit. main: the first table, in which the simulation is a detail."""
    chances = chances_asked(rolled, at_least)
    columns = {"title": "roll", "expression": "dice"}
    formats: dict[str, Format] = {"sd": "number"}
    written = rolls.assign(mean=[decimal(mean, 2) for mean in rolls["mean"]])
    if chances is not None and at_least is None:
        columns |= {"at_least_1": "chance"}
        formats["chance"] = "percent"
        if any(0 < chance < RARE for chance in chances):
            columns["one_in"] = "1 in"
            written["one_in"] = [1 / chance if chance else nan for chance in chances]
    else:
        columns |= {"mean": "mean", "sd": "sd"}
        columns |= {"at_least_1": "at least 1"} if at_least is None and (rolls["least"] < 1).any() else {}
        columns |= {} if at_least is None else {"at_least": f"at least {at_least}", "at_most": f"at most {at_least}"}
        formats |= dict.fromkeys((name for name in columns.values() if name.startswith("at ")), "percent")
    columns |= {"simulated": "mean, simulated", "z": "z", "p_holm": "p (Holm)", "rolls": "n"}
    if (rolls["title"] == rolls["expression"]).all() or main:
        del columns["expression"]
    details = ("mean, simulated", "z", "p (Holm)", "n") if main else ("dice", "sd", "mean, simulated")
    return make_table(written, "rolls", "Every roll", columns, formats, details=details, main=main, whole=rolls)


def numbers_table(rolled: Sequence[Rolled], at_least: int | None) -> Table:
    """The chance that is asked about, or the mean, by number (rows) and expression (columns)."""
    chances = chances_asked(rolled, at_least)
    values = [decimal(roll.exact.mean, 2) for roll in rolled] if chances is None else chances
    frame = pd.DataFrame({"n": [roll.number for roll in rolled], "line": [roll.line for roll in rolled], "value": values})
    names = list(dict.fromkeys(frame["line"]))
    wide = frame.pivot_table(index="n", columns="line", values="value", aggfunc="first")[names].reset_index()
    formats: dict[str, Format] = {} if chances is None else dict.fromkeys(names, "percent")
    caption = f"{'Mean' if chances is None else 'Chance'} by n{above_words(at_least)}"
    return make_table(wide, "numbers", caption, {name: name for name in ("n", *names)}, formats, details=(), main=True)


def figure(rolled: Sequence[Rolled], result: str) -> Figure:
    """Bars of the exact chances with dots of the simulated ones, one panel per roll."""
    parts = []
    for one in rolled:
        owner, _, part = one.name.rpartition(": ")
        values = pd.DataFrame(one.values(), columns=["value", "exact", "simulated"])
        parts.append(values.assign(row=one.name, name=part, group=owner, column=one.versus, n=one.n, z=one.agreement.z))
    frame = pd.concat(parts, ignore_index=True)
    return charts.dice(frame if np.any(frame["group"] != "") else frame.drop(columns="group"), label=result)


def outcomes_figure(rolled: Sequence[Rolled]) -> Figure:
    """A bar per roll, divided by outcome."""
    rows = [
        (roll.title if len(rolled) > 1 else "outcome", roll.labels[value], chance, roll.n)
        for roll in rolled
        for value, chance in zip(roll.exact.values.tolist(), roll.exact.probabilities.tolist(), strict=True)
    ]
    return charts.stacked(
        pd.DataFrame(rows, columns=["name", "category", "estimate", "n"]), unit="simulated rolls", order="given"
    )
