"""Exact chances of every fighter against every opponent, beside simulated duels and fights in play, and what gear adds."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.prose import capital, listed, some
from analysis.answer.tables import Table, highest, lowest, table
from analysis.data.rows import seats_frame
from analysis.data.study import Study
from analysis.data.usage import use_and_effect
from analysis.dice.duels import BARE, KEYS, check_games, duel_table, duels_of
from analysis.question import question
from sim.engine.cards import slug
from sim.engine.measures import Measure

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SUSPECT = 0.01  # adjusted p-value below which simulated duels do not fit
NOTHING = "without gear"
SHADES = (-0.5, 0.5)  # changes at the ends of the colour scale
IN_DATA = {"fighter": "name", "opponent": "opponent_name", "low": "simulated_low", "high": "simulated_high"}
IN_PLAY = {"part_name": "opponent_name", "use_low": "use_rate_low", "use_high": "use_rate_high"}


@question(needs=("duels",), without=("seats", "line_up", "forbid"))
def duels(study: Study, fights: str = "", kills: str = "", games: int = 1_000, samples: int = 20_000) -> Answer:
    """Exact chances of every fighter against every opponent, with each piece of gear, beside simulated duels.

    Parameters
    ----------
    fights : str
        Fact by seat and opponent: fights begun in play, to be shown beside the exact chances.
    kills : str
        Fact by seat and opponent: opponents slain.
    games : int
        Games in all for the fights in play.
        By default at most those of about six seconds.
    samples : int
        Simulated duels of each fighter, opponent and piece.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.duels("arena", samples=100, progress=False)
    Traceback (most recent call last):
    ...
    analysis.answer.model.NoAnswerError: game='arena' has no duels with known odds; games with duels: cardrogue...

    """
    duels_of(study.game)
    if study.base is None:
        samples = study.budget.rolls
    check_games(samples)
    frame, endings = duel_table(study.game, study.cards, samples, study.seed, study.player.watch)
    frame = in_order(frame)
    bare, geared = frame[frame["gear"] == BARE], frame[frame["gear"] != BARE]
    pieces = pieces_of(geared) if len(geared) else geared
    word, health = study.game.entrant_word, duels_of(study.game).left_word
    title = f"Chance that the row's {word} beats the column's opponent {NOTHING}: exact, and below in {count(samples)} duels."
    drawings = [Chart(partial(bare_chart, bare, word), title)]
    tables = [bare_table(bare, endings, word, health)]
    if len(geared):
        title = f"Exact chance of each {word} to win with one piece of gear; orange: better than {NOTHING}, blue: worse."
        drawings.append(Chart(partial(gear_chart, frame, [BARE, *pieces["gear"]], word), title, "with-gear"))
        tables += [pieces_table(pieces), gear_table(geared, pieces, word)]
    if fights and kills:
        tables.append(play_table(study, fights, kills, bare, games))
    stopped = int(frame["stopped"].sum())
    return Answer(
        summary(bare, pieces),
        tuple(tables),
        tuple(drawings),
        (
            agreement(frame),
            f"Duels are fought to the end at full {health}; endings other than \u201c{endings[0]}\u201d count as not won.",
            "z: simulated share less exact chance, in standard errors; largest |z|: over all endings and the number of turns.",
            f"{capital(health)} left: on average, after a win; a fighter flees only if it must.",
            *([f"{count(stopped)} simulated duels were stopped before their end."] if stopped else []),
        ),
        shown=study.player.shown,
    )


def in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Duels by the mean chance without gear: strongest fighters and easiest opponents first."""
    ranks = {}
    for column in KEYS:
        means = frame[frame["gear"] == BARE].groupby(column, sort=False)["win"].mean()
        ranks[column] = means.rank(ascending=False, method="first")
    return frame.sort_values(KEYS, key=lambda names: names.map(ranks[str(names.name)]), kind="stable")


def pieces_of(geared: pd.DataFrame) -> pd.DataFrame:
    """One row per piece of gear, the one that adds most first: mean and largest change, where it is largest, and the fit."""
    rows = []
    for piece, part in geared.groupby("gear", sort=False):
        top = highest(part, "change", size=True)
        rows.append(
            {
                "gear": piece,
                "mean": part["change"].mean(),
                "most": top["change"],
                "duels": len(part),
                "n": top["n"],
                "fighter": top["fighter"],
                "opponent": top["opponent"],
                "z_max": part["z_max"].abs().max(),
            }
        )
    return pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def summary(bare: pd.DataFrame, pieces: pd.DataFrame) -> str:
    """The sentence: strongest fighter, hardest opponent, and the gear that adds most."""
    fighters, opponents = (bare.groupby(column, sort=False)["win"].mean().reset_index() for column in KEYS)
    top, hard = highest(fighters, "win"), lowest(opponents, "win")
    best = ""
    if len(pieces):
        best = f"; {pieces['gear'][0]} adds most of {some(len(pieces), 'piece')} of gear, {points(pieces['mean'][0])} points"
    return (
        f"Without gear {top['fighter']} wins most, {percent(top['win'])} of its duels; {hard['opponent']} is the hardest "
        f"opponent, beaten in {percent(hard['win'])}{best} (exact)."
    )


def agreement(frame: pd.DataFrame) -> str:
    """Whether the simulated duels fit all exact chances."""
    worst, least = highest(frame, "z_max", size=True), frame["p_holm"].min()
    misfits = [" against ".join(row) for row in frame.loc[frame["p_holm"] < SUSPECT, KEYS].to_numpy()]
    fits = "do NOT all fit" if least < SUSPECT else "agree with"
    tested = "" if np.isnan(least) else f", the smallest p (Holm) {least:.2g}"
    named = f"; misfits: {listed(misfits)}" if misfits else ""
    return (
        f"The simulated duels {fits} the exact chances: over {count(len(frame))} duels of n = {count(worst['n'])} the largest "
        f"difference is {abs(worst['z_max']):.1f} standard errors{tested}{named}."
    )


def bare_table(bare: pd.DataFrame, endings: tuple[str, ...], word: str, health: str) -> Table:
    """Every duel without gear."""
    columns = {"fighter": word, "opponent": "against", "win": endings[0], "simulated": "simulated", "low": "low", "high": "high"}
    columns |= {"z": "z", "z_max": "largest |z|", "turns": "turns", "left": f"{health} left"}
    columns |= {f"chance_{number}": name for number, name in enumerate(endings) if number}
    formats: dict[str, Format] = {**dict.fromkeys(endings, "percent"), "simulated": "percent"}
    shown = bare.assign(z_max=bare["z_max"].abs())
    made = table(shown, "duels", f"Every duel {NOTHING}", {**columns, "n": "n"}, formats)
    return replace(made, whole=bare.rename(columns=IN_DATA))


def bare_chart(bare: pd.DataFrame, word: str) -> Figure:
    """Matrix of exact chances, with simulated shares below."""
    drawn = bare.rename(columns={"fighter": "row", "opponent": "column", "win": "value", "simulated": "below"})
    return charts.matrix(drawn, label=f"chance that the {word} wins, in %", what="duels")


def pieces_table(pieces: pd.DataFrame) -> Table:
    """What each piece adds, where most."""
    columns = {"gear": "gear", "mean": "mean change", "most": "largest change", "fighter": "of", "opponent": "against"}
    columns |= {"duels": "duels", "z_max": "largest |z|", "n": "n"}
    moved: dict[str, Format] = {"mean change": "points", "largest change": "points"}
    made = table(pieces, "gear", "What each piece of gear adds to the chance of winning", columns, moved)
    return replace(made, whole=pieces.rename(columns=IN_DATA))


def gear_table(geared: pd.DataFrame, pieces: pd.DataFrame, word: str) -> Table:
    """Every exact chance with a piece of gear."""
    opponents, keys = list(dict.fromkeys(geared["opponent"])), ["gear", "fighter"]
    grouped = geared.assign(z_max=geared["z_max"].abs()).groupby(keys, sort=False)
    sums = grouped.agg(change=("change", "mean"), z_max=("z_max", "max"), n=("n", "min"))
    wide = geared.pivot_table(index=keys, columns="opponent", values="win")[opponents].join(sums)
    fighters = geared["fighter"].unique()
    order = [(piece, name) for piece in pieces["gear"] for name in fighters if (piece, name) in wide.index]
    headings = {"gear": "gear", "fighter": word, **dict(zip(opponents, opponents, strict=True)), "change": "mean change"}
    headings |= {"z_max": "largest |z|", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(opponents, "percent"), "mean change": "points"}
    caption = "Chance of winning with each piece of gear, exact"
    return replace(
        table(wide.loc[order].reset_index(), "with_gear", caption, headings, formats), whole=geared.rename(columns=IN_DATA)
    )


def gear_chart(frame: pd.DataFrame, pieces: list[str], word: str) -> Figure:
    """One panel per fighter: its chances without gear and with every piece."""
    keys = ["fighter", "gear", "opponent"]
    cells = pd.MultiIndex.from_product([frame["fighter"].unique(), pieces, frame["opponent"].unique()], names=keys)
    drawn = frame.set_index(keys).reindex(cells).reset_index().replace({"gear": {BARE: NOTHING}})
    drawn = drawn.rename(columns={"gear": "row", "opponent": "column", "win": "value"}).assign(n=np.nan)
    label = f"colour: change by the piece, in points; blank: the {word} cannot wear it"
    return charts.matrix(drawn, panels="fighter", shade="change", limits=SHADES, label=label, what="duels")


def play_table(study: Study, fights: str, kills: str, bare: pd.DataFrame, games: int) -> Table:
    """Fights that came about in the games, with helpers, gear and flights, beside the exact chance without them."""
    measures = study.measure(fights), study.measure(kills)
    frame = use_and_effect(seats_of(study, measures, games), fights, kills, measures[0].parts)
    exact = pd.Series(bare["win"].to_numpy(), index=pd.MultiIndex.from_arrays([bare[column].map(slug) for column in KEYS]))
    rows = pd.MultiIndex.from_arrays([frame["name"].astype(str).map(slug), frame["part_name"].map(slug)])
    frame = frame.assign(exact=exact.reindex(rows).to_numpy(), effect_low=frame["effect_low"].clip(lower=0))
    columns = {"name": study.game.entrant_word, "part_name": "against", "uses": "fights", "effect": "slain per fight"}
    columns |= {"effect_low": "low", "effect_high": "high", "exact": "won in a duel, exact", "n": "n"}
    formats: dict[str, Format] = {"fights": "count", "slain per fight": "percent", "won in a duel, exact": "percent"}
    caption = f"In play, {study.players}: opponents slain per fight begun, with any health, gear and help"
    made = table(frame[frame["uses"] > 0], "in_play", caption, columns, formats)
    return replace(made, whole=made.frame.drop(columns="part").rename(columns=IN_PLAY))


def seats_of(study: Study, measures: tuple[Measure, ...], games: int) -> pd.DataFrame:
    """One row per game and seat with the facts: of the games of a report, or of games played now."""
    if study.base is None:
        return study.seats_frame
    played = study.player.play(study.design(games))
    return pd.concat([seats_frame(block.rows, block.outcomes, [*measures], study.names) for block in played], ignore_index=True)
