"""Report sections on sensitivity to single numbers, and on the interaction of the two most powerful ones."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from weakref import WeakKeyDictionary

import pandas as pd

from analysis.charts import grid as grid_chart
from analysis.charts import tornado
from analysis.data.study import Study
from analysis.document.model import Chart, Format, Section, as_written, count, lowest, percent, points
from analysis.document.prose import (
    assumed_note,
    at_seats,
    field_words,
    number_word,
    point_interval,
    size,
    source_of,
    starred,
    stopped,
)
from analysis.stats.intervals import adjust
from analysis.variants.compare import Counter
from analysis.variants.interactions import FIELDS, Surface, allowed, every_point, grid_of, surface
from analysis.variants.sensitivity import Asked, Sensitivity
from analysis.variants.sensitivity import sensitivity as measured
from analysis.variants.tables import PAIRED, SPREADS, remarks, sure_note, table
from analysis.variants.variant import RULES, SURE, Candidates, Step, candidates, owner_of
from sim.engine.cards import CardSet
from sim.engine.questions import Parameters

SHOWN = 16  # most numbers in the chart
ENDS = 20  # lines of the table shown on the page, from each end
LEAST_BASE = 400  # base games of a step; fewer are not worth playing
STAGE = "two numbers at once"

_FOUND: WeakKeyDictionary[Study, Sensitivity | None] = WeakKeyDictionary()


def sensitivity(study: Study) -> Section | None:
    """Tornado chart of the win rates by number; the answer names the numbers that move balance most and improve it most."""
    result = found_by(study)
    if result is None or result.frame.empty:
        return None
    paths, where = result.frame["path"], at_seats(result.base.seats)
    words = {path: words_of(study, path) for path in paths.unique()}
    frame = result.frame.assign(field=paths.map(words), source=[source_of(study.cards, path) for path in paths])
    answer = _most_powerful(frame, where)
    drawn = frame.assign(field=starred(frame)).drop(columns="name")
    caption = (
        f"Change in a win rate {where} if one number is changed by one step and all else stays the same, with {study.policy} in "
        f"every seat: that of the {study.unit_word} to which the number belongs; for other numbers, the one that moves most. At "
        f"most {SHOWN} numbers; the table has all.{assumed_note(drawn)}"
    )
    chart = Chart("sensitivity", tornado(drawn, most=SHOWN), caption, f"Tornado chart of win rates by number. {answer}")
    columns = {"rank": "rank", "field": "number", "present": "now", "value": "becomes", "name": study.unit_word}
    paired = {name: PAIRED[name] for name in ("before", "after", "change", "low", "high", "p_holm")}
    columns |= paired | {"p_bh": "p (BH)", "n": "n", "gain": "gain"} | SPREADS
    columns |= {"source": "source", "path": "field of the card file"}
    formats: dict[str, Format] = dict.fromkeys(("now", "becomes"), "number")
    every = table(frame, "sensitivity", "Every step, by the lower bound of its change", columns, formats, ENDS)
    question = "Which numbers move balance most?"
    return Section("sensitivity", question, answer, (chart,), (every,), _note(study, result))


def found_by(study: Study) -> Sensitivity | None:
    """Play as many steps as the budget allows, once; None without contests, or without a number to change."""
    if study not in _FOUND:
        _FOUND[study] = _measured(study)
    return _FOUND[study]


def words_of(study: Study, path: str) -> str:
    """Describe a number in words, with its owner's name; items of lists are named as in the game's questions."""
    asked = (question for question in study.game.questions if isinstance(question, Parameters))
    places = {key: names for question in asked for key, names in question.names.items()}
    words = field_words(study.cards.document, path, places)
    owner = owner_of(study.cards.document, path, study.unit_ids)
    if owner is None:
        return words
    name = study.units[owner]
    return name + words[len(name) :] if words.lower().startswith(name.lower()) else f"{name}, {words}"


def _measured(study: Study) -> Sensitivity | None:
    """See `found_by`."""
    if not study.contests:
        return None
    games = study.budget.sensitivity_games
    try:
        every = candidates(study.game, study.cards)
        live = chosen(study.cards, study.unit_ids, every.live, games // LEAST_BASE)
        base = study.experiment(min(study.contests), 1)
        return measured(base, replace(every, live=live), Asked(games=games), study.jobs, study.watch) if live else None
    except ValueError:  # all numbers are fixed, or the budget is a few games
        return None


def chosen(cards: CardSet, units: tuple[str, ...], steps: tuple[Step, ...], most: int) -> tuple[Step, ...]:
    """Choose at most `most` steps by whole fields: units first, then rules, then others evenly over the file."""
    paths = list(dict.fromkeys(step.field for step in steps))
    if len(steps) <= most:
        return steps
    kinds = [0 if owner_of(cards.document, path, units) is not None else 1 + (not path.startswith(f"{RULES}.")) for path in paths]
    taken: list[str] = []
    for kind in range(3):
        group = [path for path, its in zip(paths, kinds, strict=True) if its == kind]
        room = most // 2 - len(taken)
        if room > 0 and group:
            stride = max(1.0, len(group) / room)
            taken += [group[int(index * stride)] for index in range(min(room, len(group)))]
    return tuple(step for step in steps if step.field in taken)


def _most_powerful(frame: pd.DataFrame, where: str) -> str:
    """Sentences on the step that moves a win rate most, and the one that significantly reduces the spread most."""
    top, sure = frame.iloc[0], int(frame["sure"].sum())
    if not sure:
        return f"None of {count(len(frame))} steps moves a win rate beyond chance {where} (Holm, about {size(top['n'])} each)."
    answer = (
        f"{turned(top)} moves a win rate most: {top['name']} goes from {percent(top['before'])} to {percent(top['after'])} "
        f"{where}, {points(top['change'])} points {point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
        f"{stopped(top['truncated_before'] + top['truncated_after'])}. "
        f"{number_word(sure).capitalize()} of {count(len(frame))} steps move a win rate beyond chance. "
    )
    better = frame[(adjust(frame["spread_p"]) < SURE) & (frame["spread_change"] < 0)]
    if better.empty:
        return f"{answer}None of them significantly reduces the spread of the win rates."
    best = lowest(better, "spread_change")
    return (
        f"{answer}{turned(best)} reduces the spread of the win rates most: their standard deviation changes by "
        f"{points(best['spread_change'])} points {point_interval(best['spread_low'], best['spread_high'])}."
    )


def turned(row: pd.Series) -> str:
    """Write a step, e.g. \u201cKnight: dice\u201d from 2 to 1. row: field, present, value."""
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"


def _note(study: Study, result: Sensitivity) -> str:
    """Sentences on how the steps were measured, and which were not."""
    left = result.candidates
    untried = {step.field for step in candidates(study.game, study.cards).live} - {step.field for step in left.live}
    note = (
        f"{count(result.games)} games in all, the same games and dice for all steps (common random numbers), analysed as pairs; "
        "gain is how many times as many games two separate samples would need. A first round determined how many games each step "
        "needs and is not used otherwise; steps that could be at the top got twice as many. The widest interval is "
        f"\u00b1{100 * result.precision:.1f} points. A number in the table of one {study.unit_word} is judged by its win rate, "
        "in games in which it plays; for other numbers the interval is widened for the choice of the win rate that moves most "
        f"(Bonferroni). Ranked by the lower bound of the size of the change.{sure_note('steps')} The spread is the standard "
        "deviation of the win rates without the part due to chance (jackknife)."
    )
    note += f" Not tried, for lack of games: {count(len(untried))} numbers." if untried else ""
    return note + remarks(*((what, [words_of(study, path) for path in dict.fromkeys(paths)]) for what, paths in _left(left)))


def _left(left: Candidates) -> list[tuple[str, list[str]]]:
    """Numbers that were not played, by reason."""
    return [
        (f"Marked as fixed ({len(left.fixed)} numbers)", list(left.fixed)),
        (f"Coordinates and board sizes, left alone ({len(left.places)} numbers)", list(left.places)),
        (f"Refused by the rules of the card file ({len(left.refused)} steps)", [step.field for step in left.refused]),
        (f"Without effect on play ({len(left.idle)} steps)", [step.field for step in left.idle]),
    ]


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
    sits = min(1.0, result.base.seats * (study.teams.size if study.teams else 1) / len(study.units))
    games = max(1, round(study.budget.screen_games / (len(grid.values[0]) * len(grid.values[1])) / sits))
    base = replace(study.experiment(result.base.seats, games), seed=study.fresh_seed)
    counter = Counter(partial(study.watch, STAGE) if study.watch else None)
    found = surface(base, grid, study.units.index(name), study.jobs, counter)
    first, second = words = tuple(words_of(study, path) for path in grid.paths)
    where = at_seats(base.seats)
    answer = answer_of(found, name, words, where)
    labels = {}
    for place, axis, column, now in zip(("row", "column"), words, ("first", "second"), grid.present, strict=True):
        short = axis.rpartition(": ")[2]  # the caption has the full names
        labels[place] = [f"{short} {as_written(value)}{' (now)' if value == now else ''}" for value in found.cells[column]]
    caption = (
        f"Win rate of {name} over the values of both numbers, {where} with {study.policy} in every seat; the same games and dice "
        f"in every cell. Rows: {first}; columns: {second}."
    )
    figure = grid_chart(found.cells.assign(**labels), label=f"win rate of {name}, in %")
    chart = Chart("screen", figure, caption, f"Grid of win rates by two numbers. {answer}")
    axes = {"first": first, "second": second}
    cells = axes | {"estimate": "win rate", "low": "low", "high": "high", "n": "n"}
    corners = axes | {"alone": "one by one", "both": "together", "change": "through both", "low": "change low"}
    formats: dict[str, Format] = dict.fromkeys(("one by one", "together", "through both"), "points")
    formats |= dict.fromkeys(words, "number")
    tables = (
        table(found.cells, "screen", "Win rate by both numbers", cells, formats),
        table(found.corners, "screen-both", "Both changes at once", corners | {"high": "change high", "n": "n"}, formats),
    )
    note = (
        "The two numbers are those with the most certain effect on a win rate among all that were tried. Every cell plays the "
        f"same {count(found.cells['n'].max())} games with the same dice, with seed {study.fresh_seed}, which was not used for "
        "the choice. Intervals of the joint effect are Student's, widened for the number of pairs (Bonferroni): two numbers work "
        "together if the interval of some pair of values excludes zero; the most certain of these is named. More numbers at "
        "once: fairfight screen."
    )
    return Section("screen", "Do the two most powerful numbers work together?", answer, (chart,), tables, note)


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


def answer_of(found: Surface, name: str, words: tuple[str, ...], where: str) -> str:
    """Sentences on the effect of both changes together, compared with the sum of the separate effects."""
    top = found.surest
    answer = (
        f"\u201c{words[0]}\u201d at {as_written(top['first'])} and \u201c{words[1]}\u201d at {as_written(top['second'])} "
        f"together move {name} by {points(top['both'])} points {where}, separately by {points(top['alone'])} in all: "
        f"{points(top['change'])} points come from both together {point_interval(top['low'], top['high'])[:-1]}, "
        f"{size(top['n'])}). "
    )
    if top["low"] <= 0 <= top["high"]:
        return answer + "That may be chance: there is no sign that the effect of one depends on the other."
    more = "more" if abs(top["both"]) > abs(top["alone"]) else "less"
    return answer + f"They do work together; both at once do {more} than separately, so test them as a pair."
