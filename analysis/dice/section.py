"""Report section on the odds of each roll: exact, and as the compiled game rolls them."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dice as dice_chart
from analysis.charts import dumbbell
from analysis.data.study import Study
from analysis.dice.duels import Fought
from analysis.dice.exact import Agreement, Distribution, compare, parse
from analysis.document.model import Chart, Format, Section, count, highest, lowest, percent, table
from analysis.document.prose import amount, some
from analysis.stats.intervals import adjust
from sim.engine.cards import slug
from sim.engine.exact import Roll
from sim.engine.measures import Question

SUSPECT = 0.01  # adjusted p-value below which the simulated dice do not fit


def dice(study: Study, question: Question) -> Section | None:
    """Small multiples of every roll against every resistance; left out if the game has no rolls.

    Settings: result (what the roll counts, e.g. net hits), against (what it is made against, e.g. Defence).
    """
    rolls = study.game.rolls(study.cards) if study.game.rolls else []
    if not rolls:
        return None
    result = question.settings.get("result", ("result",))[0]
    against = question.settings.get("against", ("Against",))[0]
    frame, summary = _compared(study, rolls, against)
    answer = _answer(summary, result)
    n = count(study.budget.rolls)
    caption = f"Chance of each number of {result}. Bars: exact; dots: {n} simulated rolls, with separate dice for each panel; "
    caption += "thin lines: where 95 % of such dots fall by chance."
    columns = {"title": "roll", "expression": "dice", "mean": "mean", "sd": "sd", "hit": "at least 1"}
    columns |= {"simulated": "mean, simulated", "z": "z", "p": "p (chi-square)", "p_holm": "p (Holm)", "n": "n"}
    formats: dict[str, Format] = {"at least 1": "percent", "p (chi-square)": "p", "mean": "number", "sd": "number"}
    values = {"row": "roll", "column": "against", "value": result, "exact": "exact", "simulated": "simulated", "n": "n"}
    shares: dict[str, Format] = {"exact": "percent", "simulated": "percent", result: "count"}
    tables = (table(summary, "dice", "Every roll", columns, formats), table(frame, "dice-values", "Every chance", values, shares))
    note = "z: simulated mean less exact mean, in standard errors. Chi-square: over all values, rare ones pooled."
    chart = Chart(question.id, dice_chart(frame, label=result), caption, f"Grid of exact and simulated chances. {answer}")
    return Section(question.id, question.text, answer, (chart,), tables, note)


def _compared(study: Study, rolls: list[Roll], against: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Chances by roll and value, and one row per roll."""
    values, lines = [], []
    known = _parts(study)
    for index, roll in enumerate(rolls):
        exact = parse(roll.expression).distribution
        rolled, times = np.unique(roll.sample(study.budget.rolls, study.seed + 1 + index), return_counts=True)
        seen = dict(zip(rolled.tolist(), times.tolist(), strict=True))
        agreement = compare(exact, seen)
        part, owner = known.get((roll.entrant, roll.part), (roll.part, roll.entrant))
        head = {
            "row": f"{owner}: {part}",
            "name": part,
            "group": owner,
            "column": f"{against} {roll.against}",
            "n": agreement.n,
            "z": agreement.z,
        }
        chances = dict(zip(exact.values.tolist(), exact.probabilities.tolist(), strict=True))
        for value in sorted({*chances, *seen}):
            cell = {"value": value, "exact": chances.get(value, 0.0), "simulated": seen.get(value, 0) / agreement.n}
            values.append({**head, **cell})
        lines.append(_line(roll, exact, agreement, seen))
        if study.watch:
            study.watch("dice", index + 1, len(rolls))
    summary = pd.DataFrame(lines)
    return pd.DataFrame(values), summary.assign(p_holm=adjust(summary["p"]))


def _line(roll: Roll, exact: Distribution, agreement: Agreement, seen: dict[int, int]) -> dict[str, object]:
    mean = sum(value * times for value, times in seen.items()) / agreement.n
    odds = {"mean": exact.mean, "sd": exact.sd, "hit": exact.at_least(1), "simulated": mean}
    fit = {"z": agreement.z, "p": agreement.p_value, "n": agreement.n}
    words = {"title": roll.title, "name": roll.name, "versus": roll.versus}
    return {**words, "expression": roll.expression, "against": roll.against, **odds, **fit}


def _parts(study: Study) -> dict[tuple[str, str], tuple[str, str]]:
    """Names of the part and of its entrant, by the ids of entrant and part."""
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for entrant, ident in enumerate(study.cards.ids):
        parts = study.game.part_names(study.cards)[entrant] if study.game.part_names else ()
        known |= {(ident, slug(part)): (part, study.names[entrant]) for part in parts}
    return known


def _answer(summary: pd.DataFrame, result: str) -> str:
    """How well the game's dice fit, and which rolls have the highest and lowest mean."""
    tested = summary.dropna(subset=["p"])
    fit = tested.empty or tested["p_holm"].min() >= SUSPECT
    verb = "agree with the exact chances" if fit else "do NOT all fit the exact chances"
    worst = highest(summary, "z", size=True)
    text = f"The compiled dice of {some(len(summary), 'roll')} {verb}: the means differ by at most "
    text += f"{abs(worst['z']):.1f} standard errors ({worst['title']})"
    text += f", and the smallest chi-square p (Holm) is {tested['p_holm'].min():.2g}. " if len(tested) else ". "
    middle = summary[summary["against"] == summary["against"].median()]
    shown = middle if len(middle) else summary
    top, low = highest(shown, "mean"), lowest(shown, "mean")
    text += f"Most {result} on average against {top['versus']}: " if len(middle) else f"Most {result} on average: "
    text += f"{top['name']}, {amount(top['mean'])} "
    text += f"(at least one in {percent(top['hit'])}); fewest: "
    return text + f"{low['name']}, {amount(low['mean'])} (at least one in {percent(low['hit'])})."


def duel_chart(result: Fought) -> Figure:
    """Endings of a duel: exact probabilities beside simulated shares."""
    rows = [
        {"name": line["ending"], "first": line["exact"], "second": line["simulated"]}
        | {"first_low": line["exact"], "first_high": line["exact"], "second_low": line["low"], "second_high": line["high"]}
        for line in result.endings()
    ]
    frame = pd.DataFrame(rows).assign(n=result.agreement.n)
    return dumbbell(frame, words=("exact", "simulated"), label="chance", what="duels")
