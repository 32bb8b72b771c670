"""Who beats whom in a duel: exact odds of every fighter against every opponent, beside duels as fought, and what gear adds."""

import numpy as np
import pandas as pd

from analysis.charts import matrix
from analysis.duel_table import BARE, KEYS, duel_table
from analysis.dueling import duels_of
from analysis.report.answers.prose import capital, listed, plural, some
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.study import Study
from analysis.usage import use_and_effect
from analysis.wording import count, percent, points
from sim.engine.cards import slug
from sim.engine.measures import Question

SUSPECT = 0.01  # adjusted p-value below which the simulated duels would not fit
NOTHING = "without gear"
SHADES = (-0.5, 0.5)  # changes at the ends of the colours


def duels(study: Study, question: Question) -> Section | None:
    """Matrix of every fighter against every opponent without gear, and one per fighter with each piece.

    Left out where the game offers no duels. Roles, both optional: fights, kills (per seat and opponent, in the order of the
    game's opponents): duels as they came about in the games, told beside the exact chances.
    """
    if study.game.duels is None:
        return None
    frame, endings = duel_table(study.game, study.cards, study.budget.rolls, study.seed, study.watch)
    ranks = {column: _ranks(frame, column) for column in KEYS}
    frame = frame.sort_values(KEYS, key=lambda names: names.map(ranks[str(names.name)]), kind="stable")
    bare, geared = frame[frame["gear"] == BARE], frame[frame["gear"] != BARE]
    word, health = study.game.entrant_word, duels_of(study.game).left_word
    answer = _said(bare, geared, word) + _agreement(frame)
    n = count(study.budget.rolls)
    caption = (
        f"Chance that the row's {word} wins against the column's opponent, with all of its {health} and {NOTHING}, "
    )
    caption += f"fought to the end: above exact, below the share of {n} duels through the compiled game."
    drawn = bare.rename(columns={"fighter": "row", "opponent": "column", "win": "value", "simulated": "below"})
    figure = matrix(drawn, label=f"chance that the {word} wins, in %", what="duels")
    charts = [
        Chart(question.id, figure, caption, f"Matrix of the chance of every {word} against every opponent. {answer}")
    ]
    if len(geared):
        charts.append(_gear_chart(question, frame, word))
    tables = (_bare_table(bare, word, health, endings), *_gear_tables(geared, word), *_in_play(study, question, bare))
    note = "z: simulated share less exact chance, in standard errors; largest |z|: of all endings and the number of turns. "
    note += f"Other endings than \u201c{endings[0]}\u201d count as not won. A fighter flees only where it must. "
    note += f"{capital(health)} left: on average, if it won."
    stopped = int(frame["stopped"].sum())
    note += f" {count(stopped)} simulated duels were stopped before their end." if stopped else ""
    return Section(question.id, question.text, answer, tuple(charts), tables, note)


def _ranks(frame: pd.DataFrame, column: str) -> dict[str, int]:
    """Places by the mean chance without gear: strongest fighters, easiest opponents first."""
    means = frame[frame["gear"] == BARE].groupby(column, sort=False)["win"].mean()
    return {str(name): at for at, name in enumerate(means.sort_values(ascending=False, kind="stable").index)}


def _pieces(geared: pd.DataFrame) -> pd.DataFrame:
    """One line per piece of gear, that which adds most first: mean and largest change, of whom, how well it fits."""
    lines = []
    for piece, part in geared.groupby("gear", sort=False):
        top = highest(part, "change", size=True)
        line = {"gear": piece, "mean": part["change"].mean(), "most": top["change"], "duels": len(part), "n": top["n"]}
        worst = highest(part, "z_max", size=True)["z_max"]
        lines.append({**line, "fighter": top["fighter"], "opponent": top["opponent"], "z_max": abs(worst)})
    return pd.DataFrame(lines).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _gear_chart(question: Question, frame: pd.DataFrame, word: str) -> Chart:
    """One panel per fighter: its chances with nothing and with every piece."""
    pieces = [BARE, *_pieces(frame[frame["gear"] != BARE])["gear"]]
    whole = pd.MultiIndex.from_product(
        [frame["fighter"].unique(), pieces, frame["opponent"].unique()], names=["fighter", "gear", "opponent"]
    )
    drawn = frame.set_index(["fighter", "gear", "opponent"]).reindex(whole).reset_index()
    drawn["gear"] = drawn["gear"].replace({BARE: NOTHING})
    drawn = drawn.rename(columns={"gear": "row", "opponent": "column", "win": "value"}).assign(n=np.nan)
    label = "colour: change by the piece, in points"
    figure = matrix(drawn, panels="fighter", shade="change", limits=SHADES, label=label, what="duels")
    caption = f"Exact chance of each {word} to win, in %, with one piece of gear (row) against each opponent (column). Orange: "
    caption += (
        f"better than {NOTHING}; blue: worse; grey: the {word} cannot wear it. The piece that adds most comes first."
    )
    alt = f"One matrix for each {word}: its chance of winning against every opponent with every piece of gear."
    return Chart(f"{question.id}-with-gear", figure, caption, alt)


def _bare_table(bare: pd.DataFrame, word: str, health: str, endings: tuple[str, ...]) -> Table:
    """Every duel without gear, with the chance of every ending."""
    columns = {
        "fighter": word,
        "opponent": "against",
        "win": endings[0],
        "simulated": "simulated",
        "low": "low",
        "high": "high",
    }
    columns |= {"z": "z", "z_max": "largest |z|", "turns": "turns", "left": f"{health} left"}
    columns |= {f"chance_{number}": name for number, name in enumerate(endings) if number}
    formats: dict[str, Format] = {**dict.fromkeys(endings, "percent"), "simulated": "percent", "n": "count"}
    bare = bare.assign(z_max=bare["z_max"].abs())
    return table(bare, "duels", f"Every duel {NOTHING}", {**columns, "n": "n"}, formats)


def _gear_tables(geared: pd.DataFrame, word: str) -> list[Table]:
    """What each piece adds, then every exact chance."""
    if geared.empty:
        return []
    pieces = _pieces(geared)
    moved: dict[str, Format] = {"mean change": "points", "largest change": "points", "n": "count"}
    columns = {"gear": "gear", "mean": "mean change", "most": "largest change", "fighter": "of", "opponent": "against"}
    columns |= {"duels": "duels", "z_max": "largest |z|", "n": "n"}
    found = [table(pieces, "duels-gear", "What each piece of gear adds to the chance of winning", columns, moved)]
    opponents = list(dict.fromkeys(geared["opponent"]))
    keys = ["gear", "fighter"]
    sums = geared.groupby(keys, sort=False).agg(change=("change", "mean"), z_max=("z_max", _largest), n=("n", "min"))
    wide = geared.pivot_table(index=keys, columns="opponent", values="win")[opponents].join(sums)
    order = [
        (piece, name) for piece in pieces["gear"] for name in geared["fighter"].unique() if (piece, name) in wide.index
    ]
    headings = {"gear": "gear", "fighter": word, **{name: name for name in opponents}}
    headings |= {"change": "mean change", "z_max": "largest |z|", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(opponents, "percent"), "mean change": "points", "n": "count"}
    whole = wide.loc[order].reset_index()
    return [
        *found,
        table(whole, "duels-with-gear", "Chance of winning with each piece of gear, exact", headings, formats),
    ]


def _largest(z: pd.Series) -> float:
    return float(np.abs(z).max())


def _in_play(study: Study, question: Question, bare: pd.DataFrame) -> list[Table]:
    """Fights as they came about in the games, with helpers, gear and flights, beside the exact chance without."""
    if not {"fights", "kills"} <= set(question.roles):
        return []
    fights, kills = question.roles["fights"], question.roles["kills"]
    parts = study.measure(fights).parts
    frame = use_and_effect(study.seats_frame, fights, kills, parts)
    keys = [bare[column].map(slug) for column in ("fighter", "opponent")]
    exact = pd.Series(bare["win"].to_numpy(), index=pd.MultiIndex.from_arrays(keys))
    lines = pd.MultiIndex.from_arrays([frame["name"].astype(str).map(slug), frame["part_name"].map(slug)])
    frame = frame.assign(exact=exact.reindex(lines).to_numpy(), effect_low=frame["effect_low"].clip(lower=0))
    columns = {"name": study.game.entrant_word, "part_name": "against", "uses": "fights", "effect": "slain per fight"}
    columns |= {"effect_low": "low", "effect_high": "high", "exact": "won in a duel, exact", "n": "n"}
    formats: dict[str, Format] = {"fights": "count", "slain per fight": "percent", "won in a duel, exact": "percent"}
    caption = f"In play, {study.policy} in every seat: opponents slain per fight begun, whatever health, gear and help there was"
    return [table(frame[frame["uses"] > 0], "duels-in-play", caption, columns, formats)]


def _said(bare: pd.DataFrame, geared: pd.DataFrame, word: str) -> str:
    """Strongest and weakest fighter, easiest and hardest opponent, the gear that adds most."""
    fighters = bare.groupby("fighter", sort=False)["win"].mean().reset_index()
    opponents = bare.groupby("opponent", sort=False)["win"].mean().reset_index()
    top, low = highest(fighters, "win"), lowest(fighters, "win")
    easy, hard = highest(opponents, "win"), lowest(opponents, "win")
    said = f"Without gear {top['fighter']} wins {percent(top['win'])} of its duels on average over the opponents, the most of "
    said += f"all {plural(word)}; {low['fighter']} the fewest, {percent(low['win'])} (all exact). {easy['opponent']} is the "
    said += f"easiest opponent (beaten in {percent(easy['win'])}), {hard['opponent']} the hardest ({percent(hard['win'])}). "
    if geared.empty:
        return said
    best = _pieces(geared).iloc[0]
    said += f"Of {some(geared['gear'].nunique(), 'piece')} of gear {best['gear']} adds most, {points(best['mean'])} points on "
    return f"{said}average and {points(best['most'])} to {best['fighter']} against {best['opponent']}. "


def _agreement(frame: pd.DataFrame) -> str:
    """Whether the simulated duels fit all exact chances."""
    worst = highest(frame, "z_max", size=True)
    tested = frame.dropna(subset=["p"])
    least = float(tested["p_holm"].min()) if len(tested) else 1.0
    fit = "agree with" if least >= SUSPECT else "do NOT all fit"
    said = f"The simulated duels {fit} the exact chances: over {count(len(frame))} duels of n = {count(worst['n'])} the largest "
    said += f"difference is {abs(worst['z_max']):.1f} standard errors"
    misfits = tested.loc[tested["p_holm"] < SUSPECT, ["fighter", "opponent"]].agg(" against ".join, axis=1)
    return (
        said
        + (f", the smallest p {least:.2g} after Holm" if len(tested) else "")
        + (f"; not {listed(list(misfits))}." if len(misfits) else ".")
    )
