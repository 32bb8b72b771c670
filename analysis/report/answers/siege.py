"""How many fighters it takes to bring a strong opponent down, and whether one of them dies of it."""

from collections.abc import Iterator

import pandas as pd

from analysis.charts import lines
from analysis.estimates import proportion
from analysis.report.answers.prose import capital, interval, listed, some
from analysis.report.answers.tables import table
from analysis.report.model import Chart, Format, Section
from analysis.study import Study
from analysis.wording import count, percent
from sim.engine.duels import Siege
from sim.engine.measures import Question

LIKELY = 0.5  # chance from which on it will rather be slain than not


def siege(study: Study, question: Question) -> Section | None:
    """Lines of P(slain) and P(an attacker dies) by number of attackers, one per set of gear; None without sieges."""
    sieges = study.game.duels.siege(study.cards) if study.game.duels and study.game.duels.siege else []
    if not sieges:
        return None
    frame = pd.DataFrame(list(_measured(study, sieges)))
    several = len(set(frame["opponent"])) > 1
    drawn = pd.concat([_curve(frame, "slain", "Slain", several), _curve(frame, "died", "An attacker dies", several)])
    answer = " ".join(_said(part) for _, part in frame.groupby("opponent", sort=False))
    n = count(study.budget.rolls)
    caption = "Chance that the opponent is slain, and that at least one attacker dies, by number of attackers and what all of "
    caption += f"them wear; {n} simulated fights each, through the compiled game."
    chart = Chart(question.id, lines(drawn, label="attackers"), caption, f"Lines by number of attackers. {answer}")
    columns = {
        "opponent": "opponent",
        "gear": "gear",
        "attackers": "attackers",
        "slain": "slain",
        "slain_low": "slain low",
    }
    columns |= {
        "slain_high": "slain high",
        "died": "an attacker dies",
        "died_low": "dies low",
        "died_high": "dies high",
    }
    shares: dict[str, Format] = dict.fromkeys(list(columns.values())[3:], "percent")
    columns |= {"deaths": "attackers dead, mean", "n": "n"}
    numbers = table(frame, "siege", "Every siege", columns, {**shares, "attackers dead, mean": "number", "n": "count"})
    kinds = list(dict.fromkeys(one.attacker for one in sieges if one.attacker))
    note = (
        f"Every attacker is {listed(kinds)}, at full {study.game.duels.left_word if study.game.duels else ''}. "
        if kinds
        else ""
    )
    note += "The attackers fight on until the opponent or all of them are dead; each estimate stands by itself."
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _measured(study: Study, sieges: list[Siege]) -> Iterator[dict[str, object]]:
    """One line per siege."""
    for number, one in enumerate(sieges):
        found = one.sample(study.budget.rolls, study.seed + 1 + number)
        n = len(found.slain)
        line: dict[str, object] = {"opponent": one.opponent, "gear": one.gear, "attackers": one.attackers, "n": n}
        for name, times in (("slain", int(found.slain.sum())), ("died", int((found.deaths > 0).sum()))):
            share = proportion(times, n)
            line |= {name: share.estimate, f"{name}_low": share.low, f"{name}_high": share.high}
        yield {**line, "deaths": float(found.deaths.mean())}
        if study.watch:
            study.watch("sieges", number + 1, len(sieges))


def _curve(frame: pd.DataFrame, field: str, panel: str, several: bool) -> pd.DataFrame:
    """The frame of the chart for one of the two chances."""
    gear = frame["gear"] + (", against " + frame["opponent"] if several else "")
    columns = {"estimate": frame[field], "low": frame[f"{field}_low"], "high": frame[f"{field}_high"], "n": frame["n"]}
    return pd.DataFrame({"panel": panel, "line": gear, "x": frame["attackers"], **columns})


def _said(part: pd.DataFrame) -> str:
    """How many it takes with the least and with the best gear, and what that costs."""
    name, most = part["opponent"].iloc[0], int(part["attackers"].max())
    said = []
    for gear in dict.fromkeys([part["gear"].iloc[0], _best(part)]):
        lines_ = part[part["gear"] == gear].sort_values("attackers", kind="stable")
        enough = lines_[lines_["slain"] >= LIKELY]
        row = enough.iloc[0] if len(enough) else lines_.iloc[-1]
        chance = f"{percent(row['slain'])} {interval(row['slain_low'], row['slain_high'], row['n'])}"
        first = f"{gear}: "
        if len(enough):
            first += f"it takes {some(int(row['attackers']), 'attacker')} to slay {name} rather than not"
        else:
            first += f"not even {some(most, 'attacker')} slay {name} in half of the fights"
        said.append(f"{capital(first)}, {chance}; an attacker dies in {percent(row['died'])}.")
    return " ".join(said)


def _best(part: pd.DataFrame) -> str:
    """The gear with which it is slain most often, over all numbers of attackers."""
    return str(part.groupby("gear", sort=False)["slain"].mean().idxmax())
