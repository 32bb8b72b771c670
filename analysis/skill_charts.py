"""Charts of `skill`: the ladder, and the win rates level by level."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import render
from analysis.charts.levels import BOTH_WAYS, levels
from analysis.charts.rungs import rungs
from analysis.ladder import STEP, Ladder
from analysis.level_balance import FLIPS, Balance
from analysis.report.files import write_bytes, write_text
from analysis.skill import Skill

DRAWN_MAX = 36  # lines of a chart


def ladder_chart(found: Ladder) -> Figure | None:
    """Ratings and steps; None where some levels have not met."""
    if found.rated is None:
        return None
    steps = found.rates[found.rates["higher"] - found.rates["lower"] == 1].set_index("higher")
    columns = {"estimate": "rate", "low": "rate_low", "high": "rate_high", "n": "n"}
    beside = steps.rename(columns=columns)[list(columns.values())].reindex(range(len(found.names)))
    return rungs(found.rated.drop(columns="n").join(beside), step=STEP)


def levels_chart(found: Balance) -> Figure:
    """Win rates of every entrant at each level; of very many, of those that move most."""
    turns = {name: _turns(found.changes, name) for name in found.units}
    reach = found.rates.groupby("name")["estimate"].agg(lambda rates: rates.max() - rates.min())
    kept = set(reach.sort_values(ascending=False, kind="stable").index[:DRAWN_MAX])
    drawn = found.rates[found.rates["name"].isin(kept)]
    return levels(drawn.assign(turns=drawn["name"].map(turns)), left_out=len(found.units) - len(kept))


def _turns(changes: pd.DataFrame, name: str) -> int:
    """Which way an entrant flips between levels: +1, -1, 0 not at all, BOTH_WAYS."""
    if changes.empty:
        return 0
    own = changes[(changes["name"] == name) & (changes["verdict"] == FLIPS)]
    ways = set(own["side_after"])
    return BOTH_WAYS if len(ways) > 1 else int(ways.pop()) if ways else 0


def write_charts(found: Skill, folder: Path) -> list[Path]:
    """Write both as PNG and SVG: ladder and levels; returns the files. Raises ReportError."""
    files = []
    drawn = {"ladder": ladder_chart(found.ladder) if found.ladder else None, "levels": levels_chart(found.balance)}
    for name, figure in drawn.items():
        if figure is not None:
            write_bytes(folder / f"{name}.png", render.png(figure))
            title = f"{found.plan.game.title}: {name}"
            write_text(folder / f"{name}.svg", render.svg_file(render.svg(figure, name, title)))
            files += [folder / f"{name}.png", folder / f"{name}.svg"]
    return files
