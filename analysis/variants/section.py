"""Report sections on sensitivity to single numbers, and on the interaction of the two most powerful ones."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import pandas as pd
from matplotlib.figure import Figure

from analysis.charts import dumbbell, tornado
from analysis.charts import grid as grid_chart
from analysis.data.study import Study
from analysis.document.model import Chart, Format, Section, Table, as_written, both_ends, count, lowest, percent, points, table
from analysis.document.prose import (
    assumed_note,
    at_seats,
    field_words,
    listed,
    number_word,
    point_interval,
    size,
    source_of,
    starred,
    stopped,
)
from analysis.stats.intervals import adjust
from analysis.variants.compare import WhatIf
from analysis.variants.interactions import FIELDS, Grid, Screen, Surface, allowed, every_point, grid_of, surface
from analysis.variants.sensitivity import SURE, Asked, Sensitivity
from analysis.variants.sensitivity import sensitivity as measured
from analysis.variants.variant import Candidates, Step, candidates, owner_of
from sim.engine.cards import CardSet
from sim.experiments.experiment import Experiment

SHOWN = 16  # most numbers in the chart
ENDS = 20  # lines of the table shown on the page, from each end
LEAST_BASE = 400  # base games of a step; fewer are not worth playing
RULES = "rules."

_FOUND: WeakKeyDictionary[Study, Sensitivity | None] = WeakKeyDictionary()


def sensitivity(study: Study) -> Section | None:
    """Tornado chart of the win rates by number; the answer names the numbers that move balance most and improve it most."""
    result = found_by(study)
    if result is None or result.frame.empty:
        return None
    frame = worded(study, result.frame)
    answer = _most_powerful(frame, result)
    drawn = frame.assign(field=starred(frame)).drop(columns="name")
    seats = at_seats(result.base.seats)
    caption = f"Change in a win rate {seats} if one number is changed by one step and all else stays the same, with "
    caption += f"{study.policy} in every seat: that of the {study.unit_word} to which the number belongs; for other "
    caption += f"numbers, the one that moves most. At most {SHOWN} numbers; the table has all." + assumed_note(drawn)
    chart = Chart("sensitivity", tornado(drawn, most=SHOWN), caption, f"Tornado chart of win rates by number. {answer}")
    question = "Which numbers move balance most?"
    return Section("sensitivity", question, answer, (chart,), (_table(study, frame),), _note(study, result))


def found_by(study: Study) -> Sensitivity | None:
    """Play the run of the section, once; None without contests, or without a number to change."""
    if study not in _FOUND:
        _FOUND[study] = _measured(study)
    return _FOUND[study]


def base_of(study: Study) -> Experiment:
    """Experiment of the run, at the fewest seats from two up."""
    return study.experiment(min(study.contests), 1)


def worded(study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """Add field (words) and source of each number."""
    words = {path: words_of(study, path) for path in frame["path"].unique()}
    sources = {path: source_of(study.cards, path) for path in words}
    return frame.assign(field=frame["path"].map(words), source=frame["path"].map(sources))


def words_of(study: Study, path: str) -> str:
    """Describe a number in words, with its owner's name; items of lists are named as in the game's questions."""
    places = {key: names for question in study.game.questions for key, names in question.settings.items()}
    words = field_words(study.cards.document, path, places)
    owner = owner_of(study.cards.document, path, study.unit_ids)
    if owner is None:
        return words
    name = study.units[owner]
    return name + words[len(name) :] if words.lower().startswith(name.lower()) else f"{name}, {words}"


def _measured(study: Study) -> Sensitivity | None:
    """Play as many steps as the budget allows."""
    if not study.contests:
        return None
    try:
        every = candidates(study.game, study.cards)
    except ValueError:  # all numbers are fixed
        return None
    games = study.budget.sensitivity_games
    live = chosen(study.cards, study.unit_ids, every.live, games // LEAST_BASE)
    selected = replace(every, live=live)
    try:
        return measured(base_of(study), selected, Asked(games=games), study.jobs, study.watch) if live else None
    except ValueError:  # a budget of a few games
        return None


def chosen(cards: CardSet, units: tuple[str, ...], steps: tuple[Step, ...], most: int) -> tuple[Step, ...]:
    """Choose at most `most` steps by whole fields: units first, then rules, then others evenly over the file."""
    paths = list(dict.fromkeys(step.field for step in steps))
    if len(steps) <= most:
        return steps
    of_units = [path for path in paths if owner_of(cards.document, path, units) is not None]
    rules = [path for path in paths if path.startswith(RULES) and path not in of_units]
    taken: list[str] = []
    for group in (of_units, rules, [path for path in paths if path not in of_units and path not in rules]):
        room = most // 2 - len(taken)
        if room > 0 and group:
            stride = max(1.0, len(group) / room)
            taken += [group[int(index * stride)] for index in range(min(room, len(group)))]
    return tuple(step for step in steps if step.field in taken)


def _most_powerful(frame: pd.DataFrame, result: Sensitivity) -> str:
    """Sentences on the step that moves a win rate most, and the one that reduces the spread most."""
    top, sure = frame.iloc[0], int(frame["sure"].sum())
    where = at_seats(result.base.seats)
    if not sure:
        return f"None of {count(len(frame))} steps moves a win rate beyond chance {where} (Holm, about {size(top['n'])} each)."
    sentence = f"{_turned(top)} moves a win rate most: {top['name']} goes from {percent(top['before'])} to "
    sentence += f"{percent(top['after'])} "
    sentence += f"{where}, {points(top['change'])} points {point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
    sentence += f"{stopped(top['truncated_before'] + top['truncated_after'])}. "
    sentence += f"{number_word(sure).capitalize()} of {count(len(frame))} steps move a win rate beyond chance. "
    return sentence + _evened(frame)


def _evened(frame: pd.DataFrame) -> str:
    """Sentence on the step that significantly reduces the spread most."""
    p_holm = pd.Series(adjust(frame["spread_p"]), index=frame.index)
    better = frame[(p_holm < SURE) & (frame["spread_change"] < 0)]
    if better.empty:
        return "None of them significantly reduces the spread of the win rates."
    best = lowest(better, "spread_change")
    sentence = f"{_turned(best)} reduces the spread of the win rates most: their standard deviation changes by "
    return sentence + f"{points(best['spread_change'])} points {point_interval(best['spread_low'], best['spread_high'])}."


def _turned(row: pd.Series) -> str:
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"


def _table(study: Study, frame: pd.DataFrame) -> Table:
    columns = {"rank": "rank", "field": "number", "present": "now", "value": "becomes", "name": study.unit_word}
    columns |= {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
    columns |= {"p_holm": "p (Holm)", "p_bh": "p (BH)", "n": "n", "gain": "gain", "spread_change": "spread"}
    columns |= {"spread_low": "spread low", "spread_high": "spread high", "source": "source"}
    formats: dict[str, Format] = dict.fromkeys(("spread", "spread low", "spread high"), "points")
    formats |= {"gain": "number", "now": "number", "becomes": "number", "p (BH)": "p"}
    columns |= {"path": "field of the card file"}
    return table(frame, "sensitivity", "Every step, by the lower bound of its change", columns, formats, ends=ENDS)


def _note(study: Study, result: Sensitivity) -> str:
    """Sentences on how the steps were measured, and which were not."""
    left = result.candidates
    note = f"{count(result.games)} games in all, the same games and dice for all steps (common random numbers), analysed as "
    note += "pairs; gain is how many times as many games two separate samples would need. A first round determined how many "
    note += "games each step needs and is not used otherwise; steps that could be at the top got twice as many. The widest "
    note += f"interval is \u00b1{100 * result.precision:.1f} points. A number in the table of one {study.unit_word} is judged by "
    note += "its win rate, in games in which it plays; for other numbers the interval is widened for the choice of the win rate "
    note += "that moves most (Bonferroni). Ranked by the lower bound of the size of the change. Coloured: p (Holm) < "
    note += f"{SURE} over all steps; intervals are for each alone. The spread is the standard deviation of the win rates "
    note += "without the part due to chance (jackknife)."
    untried = _untried(study, left)
    note += f" Not tried, for lack of games: {count(untried)} numbers." if untried else ""
    for what, paths in (
        (f"Marked as fixed ({len(left.fixed)} numbers)", list(left.fixed)),
        (f"Coordinates and board sizes, left alone ({len(left.places)} numbers)", list(left.places)),
        (f"Refused by the rules of the card file ({len(left.refused)} steps)", [step.field for step in left.refused]),
        (f"Without effect on play ({len(left.idle)} steps)", [step.field for step in left.idle]),
    ):
        words = [words_of(study, path) for path in dict.fromkeys(paths)]
        note += f" {what}: {listed(words)}." if words else ""
    return note


def _untried(study: Study, left: Candidates) -> int:
    """Number of fields that could have been tried."""
    every = candidates(study.game, study.cards)
    return len({step.field for step in every.live} - {step.field for step in left.live})


STAGE = "two numbers at once"


def screen(study: Study) -> Section | None:
    """Grid of a win rate over the two numbers that move it most; the answer gives the effect of both at once.

    Values that the card rules refuse together are left out. None if fewer than two numbers significantly move a win rate, or if
    the card rules leave no pair of values.
    """
    result = found_by(study)
    pair = _pair(result) if result else None
    if result is None or pair is None:
        return None
    name, paths = pair
    grid, _, _ = allowed(grid_of(result.base, paths)[0], every_point)
    if len(grid.paths) != FIELDS:
        return None
    surface_ = _screen_measured(study, result, grid, study.units.index(name))
    words = tuple(words_of(study, path) for path in grid.paths)
    answer = answer_of(surface_, name, words, at_seats(result.base.seats))
    caption = f"Win rate of {name} over the values of both numbers, {at_seats(result.base.seats)} with {study.policy} "
    caption += f"in every seat; the same games and dice in every cell. Rows: {words[0]}; columns: {words[1]}."
    figure = grid_chart(_drawn(surface_, words), label=f"win rate of {name}, in %")
    chart = Chart("screen", figure, caption, f"Grid of win rates by two numbers. {answer}")
    question = "Do the two most powerful numbers work together?"
    return Section("screen", question, answer, (chart,), _tables(surface_, words), _screen_note(study, surface_))


def _pair(result: Sensitivity) -> tuple[str, tuple[str, str]] | None:
    """An entrant and the two numbers that significantly move its win rate most, else any win rate; None without two."""
    sure = result.frame[result.frame["sure"]] if len(result.frame) else result.frame
    if sure.empty:
        return None
    for name in [*sure["name"].unique(), ""]:
        paths = sure.loc[(sure["name"] == name) | (name == ""), "path"].unique()
        if len(paths) > 1:
            return str(name or sure["name"].iloc[0]), (str(paths[0]), str(paths[1]))
    return None


def _screen_measured(study: Study, result: Sensitivity, grid: Grid, unit: int) -> Surface:
    """Play the grid, with as many games of the unit at each point as the budget allows."""
    places = len(grid.values[0]) * len(grid.values[1])
    sits = min(1.0, result.base.seats * (study.teams.size if study.teams else 1) / len(study.units))
    games = max(1, round(study.budget.screen_games / places / sits))
    base = replace(study.experiment(result.base.seats, games), seed=study.fresh_seed)
    done = 0

    def report(number: int) -> None:
        nonlocal done
        done += number
        if study.watch:
            study.watch(STAGE, done, 0)

    return surface(base, grid, unit, study.jobs, report)


def answer_of(surface_: Surface, name: str, words: tuple[str, ...], where: str) -> str:
    """Sentences on the effect of both changes together, compared with the sum of the separate effects."""
    top = surface_.surest
    turned = f"\u201c{words[0]}\u201d at {as_written(top['first'])} and \u201c{words[1]}\u201d at {as_written(top['second'])}"
    sentence = f"{turned} together move {name} by {points(top['both'])} points {where}, separately by "
    sentence += f"{points(top['alone'])} in all: "
    sentence += f"{points(top['change'])} points come from both together {point_interval(top['low'], top['high'])[:-1]}, "
    sentence += f"{size(top['n'])}). "
    if top["low"] <= 0 <= top["high"]:
        return sentence + "That may be chance: there is no sign that the effect of one depends on the other."
    more = "more" if abs(top["both"]) > abs(top["alone"]) else "less"
    return sentence + f"They do work together; both at once do {more} than separately, so test them as a pair."


def _labels(surface_: Surface, words: tuple[str, ...]) -> tuple[pd.Series, pd.Series]:
    """Row and column labels: short name and value, the present one marked; the caption has the full names."""
    texts = []
    for axis, column in enumerate(("first", "second")):
        now, short = surface_.grid.present[axis], words[axis].rpartition(": ")[2]
        named = {value: f"{short} {as_written(value)}{' (now)' if value == now else ''}" for value in surface_.grid.values[axis]}
        texts.append(surface_.cells[column].map(named))
    return texts[0], texts[1]


def _drawn(surface_: Surface, words: tuple[str, ...]) -> pd.DataFrame:
    """Data of the grid chart."""
    rows, columns = _labels(surface_, words)
    return surface_.cells.assign(row=rows, column=columns)


def _tables(surface_: Surface, words: tuple[str, ...]) -> tuple[Table, ...]:
    """Table of every cell, then of every pair of changes."""
    cells = {"first": words[0], "second": words[1], "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
    plain: dict[str, Format] = dict.fromkeys(words, "number")
    corners = {"first": words[0], "second": words[1], "alone": "one by one", "both": "together"}
    corners |= {"change": "through both", "low": "change low", "high": "change high", "n": "n"}
    shifts: dict[str, Format] = dict.fromkeys(("one by one", "together", "through both"), "points")
    return (
        table(surface_.cells, "screen", "Win rate by both numbers", cells, plain),
        table(surface_.corners, "screen-both", "Both changes at once", corners, plain | shifts),
    )


def _screen_note(study: Study, surface_: Surface) -> str:
    """Sentences on how the grid was measured."""
    note = "The two numbers are those with the most certain effect on a win rate among all that were tried. Every cell plays "
    note += f"the same {count(surface_.cells['n'].max())} games with the same dice, with seed {study.fresh_seed}, which was not "
    note += "used for the choice. Intervals of the joint effect are Student's, widened for the number of pairs (Bonferroni): two "
    note += "numbers work together if the interval of some pair of values excludes zero; the most certain of these is named. "
    return f"{note}More numbers at once: fairfight screen."


def what_if_chart(result: WhatIf) -> Figure | None:
    """Win rates before and after."""
    if result.rates.empty:
        return None
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    frame = result.rates.rename(columns=names).sort_values("first", ascending=False, kind="stable")
    return dumbbell(both_ends(frame), words=("before", "after"), label="win rate", change="change, points")


def screen_chart(result: Screen) -> Figure:
    """Size of the effect of each number, and how much it depends on the others."""
    if result.method == "morris":
        names, label = ("mu_star", "sigma"), "change of the outcome per step, percentage points"
        words = ("mean size of the effect (mu*)", "dependence on the others (sigma)")
    else:
        names, label = ("s1", "st"), "share of the variance"
        words = ("alone (first order)", "with its interactions (total)")
    columns = {
        f"{name}{end}": f"{place}{end}"
        for name, place in zip(names, ("first", "second"), strict=True)
        for end in ("", "_low", "_high")
    }
    frame = result.effects.rename(columns={"path": "name"} | columns)
    frame = frame[["name", *columns.values()]].assign(n=result.points)
    frame = frame.sort_values("second", ascending=False, kind="stable")
    return dumbbell(frame, words=words, label=label, what="points")
