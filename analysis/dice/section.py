"""Report sections on exact odds: `dice` on each roll, `duels` on who beats whom and what gear adds, `siege` on many attackers.

All compare the exact odds with what the compiled game does.
"""

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.prose import capital, listed, plural, share_of, some
from analysis.answer.tables import Table, highest, lowest, table
from analysis.data.study import Study
from analysis.data.usage import use_and_effect
from analysis.dice.duels import BARE, KEYS, duel_table, duels_of
from analysis.stats.intervals import proportion
from sim.engine.cards import slug
from sim.engine.questions import Duels, Helpers
from sim.seeds import derived_seed

SUSPECT = 0.01  # adjusted p-value below which simulated dice or duels do not fit


def _fits(frame: pd.DataFrame) -> tuple[str, str]:
    """Whether simulations fit the exact chances, and the smallest p (Holm), in words; empty if nothing was tested."""
    least = frame["p_holm"].min()
    return ("do NOT all fit" if least < SUSPECT else "agree with"), "" if np.isnan(least) else f"{least:.2g}"


NOTHING = "without gear"
SHADES = (-0.5, 0.5)  # changes at the ends of the colour scale


def duels(study: Study, question: Duels) -> Section | None:
    """Matrix of every fighter against every opponent without gear, and one per fighter with each piece.

    Left out if the game has no duels. Roles, both optional: fights, kills (per seat and opponent, in the order of the game's
    opponents), the fights that came about in the games, shown beside the exact chances.
    """
    if study.game.duels is None:
        return None
    frame, endings = duel_table(study.game, study.cards, study.budget.rolls, study.seed, study.watch)
    ranks = {}  # by the mean chance without gear: strongest fighters and easiest opponents first
    for column in KEYS:
        means = frame[frame["gear"] == BARE].groupby(column, sort=False)["win"].mean()
        ranks[column] = means.rank(ascending=False, method="first")
    frame = frame.sort_values(KEYS, key=lambda names: names.map(ranks[str(names.name)]), kind="stable")
    bare, geared = frame[frame["gear"] == BARE], frame[frame["gear"] != BARE]
    word, health = study.game.entrant_word, duels_of(study.game).left_word
    pieces = _pieces(geared) if len(geared) else geared
    answer = f"{_duels_answer(bare, pieces, word)} {_agreement(frame)}"
    caption = (
        f"Chance that the row's {word} beats the column's opponent, with all of its {health} and {NOTHING}, fighting to the "
        f"end. Above: exact; below: share of {count(study.budget.rolls)} simulated duels."
    )
    drawn = bare.rename(columns={"fighter": "row", "opponent": "column", "win": "value", "simulated": "below"})
    figure = charts.matrix(drawn, label=f"chance that the {word} wins, in %", what="duels")
    figures = [DrawnChart(question.id, figure, caption, f"Matrix of the chance of every {word} against every opponent. {answer}")]
    columns = {"fighter": word, "opponent": "against", "win": endings[0], "simulated": "simulated", "low": "low", "high": "high"}
    columns |= {"z": "z", "z_max": "largest |z|", "turns": "turns", "left": f"{health} left"}
    columns |= {f"chance_{number}": name for number, name in enumerate(endings) if number}
    formats: dict[str, Format] = {**dict.fromkeys(endings, "percent"), "simulated": "percent"}
    shown = bare.assign(z_max=bare["z_max"].abs())
    tables = [table(shown, "duels", f"Every duel {NOTHING}", {**columns, "n": "n"}, formats)]
    if len(geared):
        figures.append(_gear_chart(question, frame, [BARE, *pieces["gear"]], word))
        tables += _gear_tables(geared, pieces, word)
    stopped = int(frame["stopped"].sum())
    note = (
        "z: simulated share less exact chance, in standard errors; largest |z|: over all endings and the number of turns. "
        f"Endings other than \u201c{endings[0]}\u201d count as not won. A fighter flees only if it must. {capital(health)} left: "
        f"on average, after a win.{f' {count(stopped)} simulated duels were stopped before their end.' if stopped else ''}"
    )
    tables += _in_play(study, question, bare)
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _pieces(geared: pd.DataFrame) -> pd.DataFrame:
    """One row per piece of gear, the one that adds most first: mean and largest change, where it is largest, and the fit."""
    rows = []
    for piece, part in geared.groupby("gear", sort=False):
        top = highest(part, "change", size=True)
        row = {"gear": piece, "mean": part["change"].mean(), "most": top["change"], "duels": len(part), "n": top["n"]}
        rows.append({**row, "fighter": top["fighter"], "opponent": top["opponent"], "z_max": part["z_max"].abs().max()})
    return pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _gear_chart(question: Duels, frame: pd.DataFrame, pieces: list[str], word: str) -> DrawnChart:
    """One panel per fighter: its chances without gear and with every piece."""
    keys = ["fighter", "gear", "opponent"]
    whole = pd.MultiIndex.from_product([frame["fighter"].unique(), pieces, frame["opponent"].unique()], names=keys)
    drawn = frame.set_index(keys).reindex(whole).reset_index().replace({"gear": {BARE: NOTHING}})
    drawn = drawn.rename(columns={"gear": "row", "opponent": "column", "win": "value"}).assign(n=np.nan)
    label = "colour: change by the piece, in points"
    figure = charts.matrix(drawn, panels="fighter", shade="change", limits=SHADES, label=label, what="duels")
    caption = f"Exact chance of each {word} to win, in %, with one piece of gear (row) against each opponent (column). Orange: "
    caption += f"better than {NOTHING}; blue: worse; grey: the {word} cannot wear it. The piece that adds most comes first."
    alt = f"One matrix for each {word}: its chance of winning against every opponent with every piece of gear."
    return DrawnChart(f"{question.id}-with-gear", figure, caption, alt)


def _gear_tables(geared: pd.DataFrame, pieces: pd.DataFrame, word: str) -> list[Table]:
    """What each piece adds, and every exact chance."""
    moved: dict[str, Format] = {"mean change": "points", "largest change": "points"}
    columns = {"gear": "gear", "mean": "mean change", "most": "largest change", "fighter": "of", "opponent": "against"}
    columns |= {"duels": "duels", "z_max": "largest |z|", "n": "n"}
    opponents, keys = list(dict.fromkeys(geared["opponent"])), ["gear", "fighter"]
    grouped = geared.assign(z_max=geared["z_max"].abs()).groupby(keys, sort=False)
    sums = grouped.agg(change=("change", "mean"), z_max=("z_max", "max"), n=("n", "min"))
    wide = geared.pivot_table(index=keys, columns="opponent", values="win")[opponents].join(sums)
    order = [(piece, name) for piece in pieces["gear"] for name in geared["fighter"].unique() if (piece, name) in wide.index]
    headings = {"gear": "gear", "fighter": word, **dict(zip(opponents, opponents, strict=True)), "change": "mean change"}
    headings |= {"z_max": "largest |z|", "n": "n"}
    formats: dict[str, Format] = {**dict.fromkeys(opponents, "percent"), "mean change": "points"}
    whole, caption = wide.loc[order].reset_index(), "Chance of winning with each piece of gear, exact"
    adds = table(pieces, "duels-gear", "What each piece of gear adds to the chance of winning", columns, moved)
    return [adds, table(whole, "duels-with-gear", caption, headings, formats)]


def _in_play(study: Study, question: Duels, bare: pd.DataFrame) -> list[Table]:
    """Fights that came about in the games, with helpers, gear and flights, beside the exact chance without them."""
    fights, kills = question.fights, question.kills
    if not (fights and kills):
        return []
    frame = use_and_effect(study.seats_frame, fights, kills, study.measure(fights).parts)
    keys = [bare[column].map(slug) for column in KEYS]
    exact = pd.Series(bare["win"].to_numpy(), index=pd.MultiIndex.from_arrays(keys))
    rows = pd.MultiIndex.from_arrays([frame["name"].astype(str).map(slug), frame["part_name"].map(slug)])
    frame = frame.assign(exact=exact.reindex(rows).to_numpy(), effect_low=frame["effect_low"].clip(lower=0))
    columns = {"name": study.game.entrant_word, "part_name": "against", "uses": "fights", "effect": "slain per fight"}
    columns |= {"effect_low": "low", "effect_high": "high", "exact": "won in a duel, exact", "n": "n"}
    formats: dict[str, Format] = {"fights": "count", "slain per fight": "percent", "won in a duel, exact": "percent"}
    caption = f"In play, {study.policy} in every seat: opponents slain per fight begun, with any health, gear and help"
    return [table(frame[frame["uses"] > 0], "duels-in-play", caption, columns, formats)]


def _duels_answer(bare: pd.DataFrame, pieces: pd.DataFrame, word: str) -> str:
    """Strongest and weakest fighter, easiest and hardest opponent, and the gear that adds most."""
    means = [bare.groupby(column, sort=False)["win"].mean().reset_index() for column in KEYS]
    (top, low), (easy, hard) = ((highest(frame, "win"), lowest(frame, "win")) for frame in means)
    answer = (
        f"Without gear {top['fighter']} wins {percent(top['win'])} of its duels on average over the opponents, the most of all "
        f"{plural(word)}, and {low['fighter']} the fewest, {percent(low['win'])} (all exact). {easy['opponent']} is the easiest "
        f"opponent (beaten in {percent(easy['win'])}), {hard['opponent']} the hardest ({percent(hard['win'])})."
    )
    if pieces.empty:
        return answer
    best = pieces.iloc[0]
    answer += f" Of {some(len(pieces), 'piece')} of gear, {best['gear']} adds most: {points(best['mean'])} points on average and "
    return f"{answer}{points(best['most'])} to {best['fighter']} against {best['opponent']}."


def _agreement(frame: pd.DataFrame) -> str:
    """Whether the simulated duels fit all exact chances."""
    worst, (agree, least) = highest(frame, "z_max", size=True), _fits(frame)
    misfits = [" against ".join(row) for row in frame.loc[frame["p_holm"] < SUSPECT, KEYS].to_numpy()]
    return (
        f"The simulated duels {agree} the exact chances: over {count(len(frame))} duels of n = {count(worst['n'])} the largest "
        f"difference is {abs(worst['z_max']):.1f} standard errors{f', the smallest p (Holm) {least}' if least else ''}."
        + (f" The misfits are {listed(misfits)}." if misfits else "")
    )


LIKELY = 0.5  # chance from which the opponent is more likely slain than not


def siege(study: Study, question: Helpers) -> Section | None:
    """Lines of the chance to slay the opponent and of an attacker's death, by number of attackers and gear.

    Left out if the game has no sieges.
    """
    sieges = study.game.duels.siege(study.cards) if study.game.duels and study.game.duels.siege else []
    if not sieges:
        return None
    rows = []
    for index, siege_ in enumerate(sieges):
        fights = siege_.sample(study.budget.rolls, derived_seed(study.seed, f"siege {index}"))
        row: dict[str, object] = {"opponent": siege_.opponent, "gear": siege_.gear, "attackers": siege_.attackers}
        for name, happened in (("slain", fights.slain), ("died", fights.deaths > 0)):
            share = proportion(int(happened.sum()), len(happened))
            row |= {name: share.estimate, f"{name}_low": share.low, f"{name}_high": share.high, "n": share.n}
        rows.append(row | {"deaths": float(fights.deaths.mean())})
        if study.watch:
            study.watch("sieges", index + 1, len(sieges))
    frame = pd.DataFrame(rows)
    gear = frame["gear"] + (", against " + frame["opponent"] if len(set(frame["opponent"])) > 1 else "")
    same = pd.DataFrame({"line": gear, "x": frame["attackers"], "n": frame["n"]})
    ends = {"estimate": "", "low": "_low", "high": "_high"}
    curves = [
        same.assign(panel=panel, **{name: frame[f"{field}{end}"] for name, end in ends.items()})
        for field, panel in (("slain", "Slain"), ("died", "An attacker dies"))
    ]
    answer = " ".join(_siege_answer(part) for _, part in frame.groupby("opponent", sort=False))
    caption = "Chance that the opponent is slain, and that at least one attacker dies, by number of attackers and the gear that "
    caption += f"all of them wear; {count(study.budget.rolls)} simulated fights each."
    chart = DrawnChart(
        question.id, charts.lines(pd.concat(curves), label="attackers"), caption, f"Lines by number of attackers. {answer}"
    )
    columns = {"opponent": "opponent", "gear": "gear", "attackers": "attackers", "slain": "slain", "slain_low": "slain low"}
    columns |= {"slain_high": "slain high", "died": "an attacker dies", "died_low": "dies low", "died_high": "dies high"}
    shares: dict[str, Format] = dict.fromkeys(list(columns.values())[3:], "percent")
    columns |= {"deaths": "attackers dead, mean", "n": "n"}
    numbers = table(frame, "siege", "Every siege", columns, {**shares, "attackers dead, mean": "number"})
    kinds = list(dict.fromkeys(siege_.attacker for siege_ in sieges if siege_.attacker))
    note = f"Every attacker is {listed(kinds)}, at full {duels_of(study.game).left_word}. " if kinds else ""
    note += "The attackers fight until the opponent or all of them are dead; the estimates are independent."
    return Section(question.id, question.text, answer, (chart,), (numbers,), note)


def _siege_answer(part: pd.DataFrame) -> str:
    """Number of attackers needed with the least and with the best gear, and what that costs."""
    name, most, sentences = part["opponent"].iloc[0], int(part["attackers"].max()), []
    best = str(part.groupby("gear", sort=False)["slain"].mean().idxmax())  # slays most often, over all numbers of attackers
    for gear in dict.fromkeys([part["gear"].iloc[0], best]):
        rows = part[part["gear"] == gear].sort_values("attackers", kind="stable")
        enough = rows[rows["slain"] >= LIKELY]
        row = enough.iloc[0] if len(enough) else rows.iloc[-1]
        words = f"{gear}: even {some(most, 'attacker')} slay {name} in fewer than half of the fights"
        if len(enough):
            words = f"{gear}: it takes {some(int(row['attackers']), 'attacker')} to slay {name} in at least half of the fights"
        sentences.append(f"{capital(words)}, {share_of(row, name='slain')}; an attacker dies in {percent(row['died'])}.")
    return " ".join(sentences)
