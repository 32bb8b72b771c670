"""How many attackers it takes to slay an opponent, by their gear, in simulated fights."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, count, percent
from analysis.answer.prose import bounds_of, capital, listed, some
from analysis.answer.tables import table
from analysis.data.study import Study
from analysis.dice.duels import check_games, duels_of
from analysis.question import question
from analysis.stats.intervals import proportion
from sim.engine.exact import Siege
from sim.seeds import derived_seed

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

LIKELY = 0.5  # chance from which the opponent is more likely slain than not


@question(needs=("duels",), without=("seats", "policy", "line_up", "forbid", "jobs"))
def siege(study: Study, samples: int = 20_000) -> Answer:
    """Chance that attackers slay an opponent, and that one of them dies, by their number and gear.

    Parameters
    ----------
    samples : int
        Simulated fights of each number of attackers with each gear.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.siege("cardrogue", samples=100, progress=False).frame["attackers"].min().item()
    1

    """
    sieges = study.game.duels.siege(study.cards) if study.game.duels and study.game.duels.siege else []
    if not sieges:
        raise NoAnswerError(f"game={study.game.name!r} has no sieges")
    if study.base is None:
        samples = study.budget.rolls
    check_games(samples)
    frame = fought(study, sieges, samples)
    columns = {"opponent_name": "opponent", "gear": "gear", "attackers": "attackers", "slain": "slain", "slain_low": "slain low"}
    columns |= {"slain_high": "slain high", "died": "an attacker dies", "died_low": "dies low", "died_high": "dies high"}
    formats: dict[str, Format] = dict.fromkeys(list(columns.values())[3:], "percent")
    columns |= {"deaths": "attackers dead, mean", "n": "n"}
    sentences = [sentence for _, part in frame.groupby("opponent_name", sort=False) for sentence in enough_words(part)]
    kinds = list(dict.fromkeys(one.attacker for one in sieges if one.attacker))
    attackers = f"Every attacker is {listed(kinds)}, at full {duels_of(study.game).left_word}; all" if kinds else "All"
    title = f"Chance that the opponent is slain, and that an attacker dies, by attackers and their gear; {count(samples)} fights."
    return Answer(
        sentences[0],
        (table(frame, "sieges", "Every siege", columns, {**formats, "attackers dead, mean": "number"}),),
        (Chart(partial(curves, frame), title),),
        (*sentences[1:], f"{attackers} wear the same gear and fight until the opponent or all of them are dead."),
    )


def fought(study: Study, sieges: list[Siege], samples: int) -> pd.DataFrame:
    """One row per siege: opponent_name, gear, attackers, slain and died (shares with bounds), deaths (mean), n."""
    rows = []
    for index, one in enumerate(sieges):
        fights = one.sample(samples, derived_seed(study.seed, f"siege {index}"))
        row: dict[str, object] = {"opponent_name": one.opponent, "gear": one.gear, "attackers": one.attackers}
        for name, happened in (("slain", fights.slain), ("died", fights.deaths > 0)):
            share = proportion(int(happened.sum()), len(happened))
            row |= {name: share.estimate, f"{name}_low": share.low, f"{name}_high": share.high, "n": share.n}
        rows.append(row | {"deaths": float(fights.deaths.mean())})
        study.player.report("sieges", 1, len(sieges))
    return pd.DataFrame(rows)


def enough_words(part: pd.DataFrame) -> list[str]:
    """Sentences on the number of attackers needed with the best and with the least gear, and what that costs."""
    name, most = part["opponent_name"].iloc[0], int(part["attackers"].max())
    best = str(part.groupby("gear", sort=False)["slain"].mean().idxmax())  # slays most often, over all numbers of attackers
    sentences = []
    for gear in dict.fromkeys([best, part["gear"].iloc[0]]):
        rows = part[part["gear"] == gear].sort_values("attackers", kind="stable")
        enough = rows[rows["slain"] >= LIKELY]
        row = enough.iloc[0] if len(enough) else rows.iloc[-1]
        words = f"{gear}: even {some(most, 'attacker')} slay {name} in fewer than half of the fights"
        if len(enough):
            words = f"{gear}: it takes {some(int(row['attackers']), 'attacker')} to slay {name} in at least half of the fights"
        share = f"{percent(row['slain'])} {bounds_of(row, 'slain')}"
        sentences.append(f"{capital(words)}, {share}; an attacker dies in {percent(row['died'])}.")
    return sentences


def curves(frame: pd.DataFrame) -> Figure:
    """Lines by number of attackers, one for each gear: the opponent is slain, an attacker dies."""
    several = len(set(frame["opponent_name"])) > 1
    gear = frame["gear"] + (", against " + frame["opponent_name"] if several else "")
    same = pd.DataFrame({"line": gear, "x": frame["attackers"], "n": frame["n"]})
    ends = {"estimate": "", "low": "_low", "high": "_high"}
    parts = [
        same.assign(panel=panel, **{name: frame[f"{field}{end}"] for name, end in ends.items()})
        for field, panel in (("slain", "Slain"), ("died", "An attacker dies"))
    ]
    return charts.lines(pd.concat(parts), label="attackers")
