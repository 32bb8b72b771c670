"""The odds of each roll: worked out exactly, and as the compiled game rolls them."""

import numpy as np
import pandas as pd

from analysis.charts import dice as dice_chart
from analysis.charts.words import count, percent
from analysis.dice import Agreement, Distribution, compare, parse
from analysis.estimates import adjust
from analysis.report.answers.prose import amount, some
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Section
from analysis.study import Study
from sim.engine.contract import Roll
from sim.engine.measures import Question

SUSPECT = 0.01  # adjusted p-value below which the simulated dice would not fit


def dice(study: Study, question: Question) -> Section | None:
    """Small multiples of every roll against every resistance; left out where the game offers no rolls.

    Settings: result (what the roll counts, e.g. net hits), against (what it meets, e.g. Defence).
    """
    rolls = study.game.rolls(study.cards) if study.game.rolls else []
    if not rolls:
        return None
    result = question.settings.get("result", ("result",))[0]
    against = question.settings.get("against", ("Against",))[0]
    frame, summary = _compared(study, rolls, against)
    answer = _said(summary, result)
    n = count(study.budget.rolls)
    caption = f"Chance of each number of {result}: bars exact, dots {n} rolls through the compiled game, each panel with dice of "
    caption += "its own; thin lines: where 95 % of such dots fall by chance."
    columns = {
        "title": "roll",
        "expression": "dice",
        "mean": "mean",
        "sd": "sd",
        "hit": "at least 1",
        "simulated": "mean, simulated",
    }
    columns |= {"z": "z", "p": "p (chi-square)", "p_holm": "p (Holm)", "n": "n"}
    formats = {
        "at least 1": "percent",
        "p (chi-square)": "p",
        "mean": "number",
        "sd": "number",
        "mean, simulated": "number",
        "z": "number",
    }
    values = {"row": "roll", "column": "against", "value": result, "exact": "exact", "simulated": "simulated", "n": "n"}
    tables = (
        table(summary, "dice", "Every roll", columns, formats),
        table(
            frame, "dice-values", "Every chance", values, {"exact": "percent", "simulated": "percent", result: "count"}
        ),
    )
    note = "z: simulated mean less exact mean, in standard errors. Chi-square: over all values, rare ones pooled."
    chart = Chart(
        question.id, dice_chart(frame, label=result), caption, f"Grid of exact and simulated chances. {answer}"
    )
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _compared(study: Study, rolls: list[Roll], against: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Chances by roll and value, and one line per roll."""
    values, lines = [], []
    for number, roll in enumerate(rolls):
        exact = parse(roll.expression).distribution
        found, times = np.unique(roll.sample(study.budget.rolls, study.seed + 1 + number), return_counts=True)
        seen = dict(zip(found.tolist(), times.tolist(), strict=True))
        agreement = compare(exact, seen)
        head = {"row": _row(roll, study), "column": f"{against} {roll.against}", "n": agreement.n, "z": agreement.z}
        chances = dict(zip(exact.values.tolist(), exact.probabilities.tolist(), strict=True))
        for value in sorted({*chances, *seen}):
            cell = {"value": value, "exact": chances.get(value, 0.0), "simulated": seen.get(value, 0) / agreement.n}
            values.append({**head, **cell})
        lines.append(_line(roll, exact, agreement, seen))
        if study.watch:
            study.watch("dice", number + 1, len(rolls))
    summary = pd.DataFrame(lines)
    return pd.DataFrame(values), summary.assign(p_holm=adjust(summary["p"]))


def _line(roll: Roll, exact: Distribution, agreement: Agreement, seen: dict[int, int]) -> dict[str, object]:
    mean = sum(value * times for value, times in seen.items()) / agreement.n
    odds = {"mean": exact.mean, "sd": exact.sd, "hit": exact.at_least(1), "simulated": mean}
    fit = {"z": agreement.z, "p": agreement.p_value, "n": agreement.n}
    return {"title": roll.title, "expression": roll.expression, "against": roll.against, **odds, **fit}


def _row(roll: Roll, study: Study) -> str:
    """Part and entrant of a roll, as its title has them before the resistance."""
    return roll.title.rpartition(" against ")[0] or roll.title


def _said(summary: pd.DataFrame, result: str) -> str:
    """How well the game's dice fit, and which roll brings most and least."""
    tested = summary.dropna(subset=["p"])
    worst = summary.loc[summary["z"].abs().idxmax()]
    said = (
        f"In {some(len(summary), 'roll')} the compiled dice agree with the exact chances: "
        if not len(tested) or tested["p_holm"].min() >= SUSPECT
        else f"In {some(len(summary), 'roll')} not all simulated dice fit the exact chances: "
    )
    said += f"the largest difference of means is {abs(worst['z']):.1f} standard errors ({worst['title']})"
    said += f", the smallest chi-square p after Holm {amount(tested['p_holm'].min())}. " if len(tested) else ". "
    middle = summary[summary["against"] == summary["against"].median()]
    shown = middle if len(middle) else summary
    top, low = shown.loc[shown["mean"].idxmax()], shown.loc[shown["mean"].idxmin()]
    said += f"Most {result} on average: {top['title']}, {amount(top['mean'])} (at least one in {percent(top['hit'])}); fewest: "
    return said + f"{low['title']}, {amount(low['mean'])} (at least one in {percent(low['hit'])})."
