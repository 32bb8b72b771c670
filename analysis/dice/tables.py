"""Tables of rolls that were solved and simulated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import nan

import pandas as pd

from analysis.answer.numbers import Format, decimal, one_in
from analysis.answer.tables import Table, data_only
from analysis.answer.tables import table as make_table
from analysis.dice.beating import contest
from analysis.dice.exact import Rolled
from analysis.stats.intervals import adjust

RARE_CELL = 0.0005  # chance from which the table of values has a column of them
CONTESTS_OF = 6  # rolls of which each two are compared
VALUES_OF = 5  # rolls whose values are shown; those of more are only data, and in the chart


def tables_of(
    rolled: Sequence[Rolled], rolls: pd.DataFrame, result: str, at_least: int | None, compared: bool
) -> tuple[Table, ...]:
    """The tables of an answer, what is asked first: values of one roll, or rolls side by side, or by number.

    rolls: see `summaries`; compared: whether rolls of several expressions are compared with each other.
    """
    outcomes = any(roll.labels for roll in rolled)
    values = [] if at_least is not None else [values_table(values_of(rolled), result, rolled)]
    if is_table(rolled) and len({roll.line for roll in rolled}) > 1 and not outcomes:
        return (numbers_table(rolled, at_least), *values, rolls_table(rolled, rolls, at_least))
    if not is_several(rolled) and at_least is None:
        return (*values, rolls_table(rolled, rolls))
    contested = compared and 1 < len(rolled) <= CONTESTS_OF and not outcomes and not is_table(rolled)
    contests = [contests_table(rolled)] if contested and chances_asked(rolled, at_least) is None else []
    return (rolls_table(rolled, rolls, at_least, main=True), *contests, *values)


def is_several(rolled: Sequence[Rolled]) -> bool:
    """Whether several expressions are asked about, not the rolls of a game."""
    return len(rolled) > 1 and all(roll.words for roll in rolled)


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


def above_words(at_least: int | None) -> str:
    """The number that is asked about, for captions."""
    return "" if at_least is None else f" to be {at_least} or more"


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

    Columns: title, name, versus, expression, words; of a table line (with {n}) and n; mode (the most frequent value) and
    mode_chance; solved (whether exact); mean, sd, least, at_least_1, and at_least and at_most of a number that is asked; rolls
    (simulated), simulated (their mean), z (of the means), chi2, dof, p, p_holm (of the values).
    """
    rows = list[dict[str, object]]()
    for one in rolled:
        words: dict[str, object] = {"title": one.title, "name": one.name, "versus": one.versus, "expression": one.expression}
        words |= {"words": one.words} | ({"line": one.line, "n": one.number} if is_table(rolled) else {})
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


def contests_table(rolled: Sequence[Rolled]) -> Table:
    """The chance that each roll is higher than each other."""
    rows = [
        {"roll": first.title, "against": second.title, **contest(first.exact, second.exact)._asdict()}
        for first, second in combinations(rolled, 2)
    ]
    columns = {"roll": "roll", "against": "against", "wins": "higher", "ties": "equal", "losses": "lower"}
    formats: dict[str, Format] = {"higher": "percent", "equal": "percent", "lower": "percent"}
    return make_table(pd.DataFrame(rows), "contests", "Which roll is higher", columns, formats, main=True)


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
        if any(map(one_in, chances)):
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
