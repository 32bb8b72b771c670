"""Exact distributions of dice expressions and of the rolls of a game, beside a simulation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, decimal, number, percent, points
from analysis.answer.prose import listed, some
from analysis.answer.tables import Table, data_only, highest, lowest, table
from analysis.data.names import names_run, open_game
from analysis.data.player import Watch
from analysis.dice.exact import Rolled, check_rolls, choose, of_expression, of_rolls, refuse_game_options
from analysis.games import Source, cards_of, playing
from analysis.question import question
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
VALUES_OF = 5  # rolls whose values are shown; those of more are only data, and in the chart
TITLE = "Chance of each {}: exact (bars), simulated (dots), and where 95 % of such dots fall by chance (thin lines)."


@question(examples=('dice "5d6>=4 - 3d6>=4"', "dice arena --entrant rhino_guy --ability hammer_time --against 2"))
def dice(
    roll: Source,
    entrant: str | None = None,
    ability: str | None = None,
    against: int | None = None,
    rolls: int = 100_000,
    cards: Path | None = None,
    seed: int = 1,
) -> Answer:
    """Exact distribution of dice, beside a simulation.

    Pools: 3d6 (sum), 5d6>=4 (how many dice show 4 or more), 4d6kh3, 2d20kl, 4d6dl1 (sum of those kept), 2d6r1, 2d6ro<3 (rerolls),
    d8! (8 is rolled again), 4dF, d%, d{0,1,1,2} (own faces). Between them + - * / //, comparisons (2d6+3>=10), and, or, brackets,
    max, min, floor, ceil, abs, highest(2, d6, d8, d10), count(...), sum(...), pairs(3d6, 2d6). A name is one roll used twice:
    "r = 5d10; count(r>=6) - count(r==1)". Outcomes: "r = d20; crit: r==20; hit: r>=12; miss: 1".

    Parameters
    ----------
    roll : str, Cards, Games or Path
        Dice such as "5d6>=4 - 3d6>=4", or a game or a run folder for the rolls of its cards.
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
    if isinstance(roll, str) and roll not in GAMES and not names_run(roll):
        refuse_game_options(roll, {"entrant": entrant, "ability": ability, "against": against, "cards": cards})
        return answer_of([of_expression(roll, rolls, seed)])
    game, card_set = cards_named(roll, cards)
    chosen = choose(game, card_set, entrant, ability, against)
    with playing(game, ("rolls",), progress=True) as watch:
        rolled = rolled_so_far(chosen, rolls, seed, watch)
    shown = "" if len(rolled) == len(chosen) else f"the first {len(rolled)} of {len(chosen)} rolls"
    return answer_of(rolled, shown=shown)


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


def answer_of(rolled: Sequence[Rolled], result: str = "result", shown: str = "") -> Answer:
    """The answer about rolls that were solved and simulated. result: what they count; shown: see `Answer`."""
    values, rolls = values_of(rolled), summaries(rolled)
    chart = Chart(partial(figure, rolled, result), TITLE.format(f"number of {result}" if result != "result" else result))
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
    tables = (values_table(values, result, rolled), rolls_table(rolls))
    return Answer(summary(rolled, rolls), tables, (chart,), notes, shown=shown, warnings=(misfit,) if misfit else ())


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


def summaries(rolled: Sequence[Rolled]) -> pd.DataFrame:
    """One row per roll.

    Columns: title, name, versus, expression, words; mode (the most frequent value) and mode_chance; solved (whether exact); mean,
    sd, at_least_1; rolls (simulated), simulated (their mean), z (of the means), chi2, dof, p, p_holm (of the values).
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
        fit = {"z": one.agreement.z, "chi2": one.agreement.chi2, "dof": one.agreement.dof, "p": one.agreement.p_value}
        fit = fit if one.solved else dict.fromkeys(fit, nan)
        rows.append(words | exact | {"rolls": one.n, "simulated": one.mean} | fit)
    frame = pd.DataFrame(rows)
    return frame.assign(p_holm=adjust(frame["p"]))


def summary(rolled: Sequence[Rolled], rolls: pd.DataFrame) -> str:
    """The sentence: what one roll computes and how it comes out, or the highest and lowest mean of several."""
    if len(rolls) == 1:
        return f"{lead(rolled[0])}: {outcome(rolled[0], rolls.iloc[0])}."
    top, low = (f"{row['title']} ({decimal(row['mean'], 2)})" for row in (highest(rolls, "mean"), lowest(rolls, "mean")))
    return f"Highest mean of {some(len(rolls), 'roll')}: {top}; lowest: {low}."


def lead(roll: Rolled) -> str:
    """An expression in words, or the name of a roll of a game."""
    text = roll.words or roll.title
    return f"{text[0].upper() if roll.words and text[:2].isalpha() else text[0]}{text[1:]}{'' if roll.solved else ', simulated'}"


def outcome(roll: Rolled, row: pd.Series) -> str:
    """How a roll comes out: the chance of each outcome, of a condition, or mean and most frequent value."""
    chances = dict(zip(roll.exact.values.tolist(), roll.exact.probabilities.tolist(), strict=True))
    if roll.labels:
        return ", ".join(f"{roll.labels[value]} {chance_words(chance)}" for value, chance in chances.items())
    if roll.condition:
        return f"true in {chance_words(chances.get(1, 0.0))}"
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
    return table(readable, "values", "Chance of every value", columns, formats, details=details, whole=values)


def rolls_table(rolls: pd.DataFrame) -> Table:
    """Every roll: exact, simulated, and how well the two fit."""
    columns = {"title": "roll", "expression": "dice", "mean": "mean", "sd": "sd", "at_least_1": "at least 1"}
    columns |= {"simulated": "mean, simulated", "z": "z", "p_holm": "p (Holm)", "rolls": "n"}
    if (rolls["title"] == rolls["expression"]).all():
        del columns["expression"]
    formats: dict[str, Format] = {"at least 1": "percent", "sd": "number"}
    written = rolls.assign(mean=[decimal(mean, 2) for mean in rolls["mean"]])
    return table(written, "rolls", "Every roll", columns, formats, details=("dice", "sd", "mean, simulated"), whole=rolls)


def figure(rolled: Sequence[Rolled], result: str) -> Figure:
    """Bars of the exact chances with dots of the simulated ones, one panel per roll."""
    parts = []
    for one in rolled:
        owner, _, part = one.name.rpartition(": ")
        values = pd.DataFrame(one.values(), columns=["value", "exact", "simulated"])
        parts.append(values.assign(row=one.name, name=part, group=owner, column=one.versus, n=one.n, z=one.agreement.z))
    frame = pd.concat(parts, ignore_index=True)
    return charts.dice(frame if np.any(frame["group"] != "") else frame.drop(columns="group"), label=result)
