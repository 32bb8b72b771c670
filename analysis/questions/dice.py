"""Exact distributions of dice expressions and of the rolls of a game, beside a simulation."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
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
from analysis.data.names import names_run, open_game
from analysis.data.player import Watch
from analysis.dice.beating import contest
from analysis.dice.exact import Rolled, check_rolls, choose, of_expression, of_rolls, refuse_game_options
from analysis.games import Source, cards_of, playing
from analysis.question import Settings, question
from analysis.stats.intervals import adjust
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.exact import Roll
from sim.registry import GAMES
from sim.seeds import checked_seed
from sim.stopping import heeding

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SUSPECT = 0.01  # adjusted p-value below which simulated rolls do not fit
RARE = 0.01  # chance from which the sentence adds "1 in ..."
RARE_CELL = 0.0005  # chance from which the table of values has a column of them
FAR = 4.0  # standard errors between the means, likewise
TABLE_MAX = 200  # numbers of a table
CONTESTS_OF = 6  # rolls of which each two are compared
VALUES_OF = 5  # rolls whose values are shown; those of more are only data, and in the chart
TITLE = "Chance of each {}: exact (bars), simulated (dots), and where 95 % of such dots fall by chance (thin lines)."


@question(
    options={"others": "MORE"},
    examples=('dice "5d6>=4 - 3d6>=4"', "dice arena --entrant rhino_guy --ability hammer_time --against 2"),
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
    others: Settings = (),
) -> Answer:
    """Exact distribution of dice, beside a simulation.

    Pools: 3d6 (sum), 5d6>=4 (how many dice show 4 or more), 4d6kh3, 2d20kl, 4d6dl1 (sum of those kept), 2d6r1, 2d6ro<3 (rerolls),
    d8! (8 is rolled again), 4dF, d%, d{0,1,1,2} (own faces). Between them + - * / //, comparisons (2d6+3>=10), and, or, brackets,
    max, min, floor, ceil, abs, highest(2, d6, d8, d10), count(...), sum(...), pairs(3d6, 2d6). A name is one roll used twice:
    "r = 5d10; count(r>=6) - count(r==1)". Outcomes: "r = d20; crit: r==20; hit: r>=12; miss: 1".
    Cards: "draw 7 from 60: at least 1 of 4 and at most 4 of 24 lands".

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
    analysis.dice.language.DiceError: dice expression, position 3: expected the number of faces in 2..1000, found the end
      5d
        ^

    """
    check_rolls(rolls)
    checked_seed(seed)
    texts = expressions(roll, others, table)
    if texts:
        options = {"entrant": entrant, "ability": ability, "against": against, "cards": cards}
        refuse_game_options(texts[0], options)
        return answer_of([of_expression(text, rolls, seed) for text in texts], at_least=at_least, contests=table is None)
    game, card_set = cards_named(roll, cards)
    chosen = choose(game, card_set, entrant, ability, against)
    with playing(game, ("rolls",), progress=True) as watch:
        rolled = rolled_so_far(chosen, rolls, seed, watch)
    shown = "" if len(rolled) == len(chosen) else f"the first {len(rolled)} of {len(chosen)} rolls"
    return answer_of(rolled, shown=shown, at_least=at_least)


def expressions(roll: Source | Sequence[str], others: Settings, table: str | None) -> list[str]:
    """The dice expressions that are asked about, one for each number of the table; none for a game. Raises ValueError."""
    first = [*roll] if isinstance(roll, list | tuple) else [roll]
    texts = [*first, *others]
    if len(texts) == 1 and (not isinstance(texts[0], str) or texts[0] in GAMES or names_run(texts[0])):
        if table is not None:
            raise ValueError(f"table={table}: only works with dice; drop it")
        return []
    for text in texts:
        if not isinstance(text, str) or text in GAMES:
            raise ValueError(f"roll={text!r}: only dice such as 2d6 can be compared; ask about a game alone")
    if table is None:
        return texts
    numbers = table_numbers(table)
    if any("{n}" not in text for text in texts):
        raise ValueError(f"table={table}: write {{n}} where its numbers belong, such as {{n}}d6>=4")
    return [text.replace("{n}", str(number)) for text in texts for number in numbers]


def table_numbers(table: str) -> range:
    """The numbers of a table, such as 0:5. Raises ValueError."""
    match = re.fullmatch(r"(-?[0-9]{1,6}):(-?[0-9]{1,6})", table.strip())
    numbers = range(int(match[1]), int(match[2]) + 1) if match else range(0)
    if not 1 <= len(numbers) <= TABLE_MAX:
        raise ValueError(f"table={table!r} must be a range such as 0:5 of up to {TABLE_MAX} numbers")
    return numbers


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
    rolled: Sequence[Rolled], result: str = "result", shown: str = "", at_least: int | None = None, contests: bool = True
) -> Answer:
    """The answer about rolls that were solved and simulated.

    result: what they count; shown: see `Answer`; contests: whether rolls of several expressions are compared with each other.
    """
    values, rolls = values_of(rolled), summaries(rolled, at_least)
    compared = len(rolled) > 1 and all(roll.words for roll in rolled)
    tables = [] if at_least is not None else [values_table(values, result, rolled)]
    if compared and contests and len(rolled) <= CONTESTS_OF and not any(roll.labels for roll in rolled):
        tables = [contests_table(rolled), *tables]
    first = compared or at_least is not None
    every = rolls_table(rolls, at_least, main=first)
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
        (every, *tables) if first else (*tables, every),
        charts_of(rolled, result),
        notes,
        shown=shown,
        story=tuple(f"{roll.title}: {roll.words}." for roll in rolled if roll.words) if 1 < len(rolled) <= VALUES_OF else (),
        warnings=(misfit,) if misfit else (),
    )


def charts_of(rolled: Sequence[Rolled], result: str) -> tuple[Chart, ...]:
    """Values of every roll, or shares of the outcomes; none where some rolls have values and others outcomes."""
    if all(roll.labels for roll in rolled):
        return (Chart(partial(outcomes_figure, rolled), "Chance of each outcome."),)
    if any(roll.labels for roll in rolled):
        return ()
    return (Chart(partial(figure, rolled, result), TITLE.format(f"number of {result}" if result != "result" else result)),)


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
    """The sentence: what one roll computes and how it comes out, or the highest and lowest mean of several."""
    if len(rolls) == 1 and at_least is not None:
        return f"{lead(rolled[0])}: at least {at_least} in {chance_words(rolled[0].exact.at_least(at_least))}."
    if len(rolls) == 1:
        return f"{lead(rolled[0])}: {outcome(rolled[0], rolls.iloc[0])}."
    top, low = (f"{row['title']} ({decimal(row['mean'], 2)})" for row in (highest(rolls, "mean"), lowest(rolls, "mean")))
    return f"Highest mean of {some(len(rolls), 'roll')}: {top}; lowest: {low}."


def lead(roll: Rolled) -> str:
    """An expression in words, or the name of a roll of a game."""
    text = roll.words or roll.title
    if roll.condition and text.startswith("1 if "):
        text = f"chance that {text.removeprefix('1 if ').removesuffix(', else 0')}"
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
    solved = all(roll.solved for roll in rolled)
    columns |= {"exact": "exact"} if solved else {"simulated": "simulated"}
    columns |= {} if values["at_least"].isna().all() else {"at_least": "at least"}
    columns |= {"simulated": "simulated"}
    formats: dict[str, Format] = {"exact": "percent", "at least": "percent", "simulated": "percent"}
    readable = values.assign(one_in=[1 / chance if chance > 0 else nan for chance in values["exact"]])
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


def rolls_table(rolls: pd.DataFrame, at_least: int | None = None, main: bool = False) -> Table:
    """Every roll: exact, simulated, and how well the two fit. main: the first table, in which the simulation is a detail."""
    columns = {"title": "roll", "expression": "dice", "mean": "mean", "sd": "sd", "at_least_1": "at least 1"}
    formats: dict[str, Format] = {"at least 1": "percent", "sd": "number"}
    if at_least is not None:
        columns = {"title": "roll", "expression": "dice", "mean": "mean", "sd": "sd", "at_least": f"at least {at_least}"}
        columns["at_most"] = f"at most {at_least}"
        formats = {f"at least {at_least}": "percent", f"at most {at_least}": "percent", "sd": "number"}
    columns |= {"simulated": "mean, simulated", "z": "z", "p_holm": "p (Holm)", "rolls": "n"}
    if (rolls["title"] == rolls["expression"]).all():
        del columns["expression"]
    written = rolls.assign(mean=[decimal(mean, 2) for mean in rolls["mean"]])
    details = ("dice", "mean, simulated", "z", "p (Holm)", "n") if main else ("dice", "sd", "mean, simulated")
    return make_table(written, "rolls", "Every roll", columns, formats, details=details, main=main, whole=rolls)


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
