"""Report sections on sensitivity and interaction.

Which number moves balance most: every number of the card file one step up and down, in one run.

Whether the two most powerful numbers work together: a surface of win rates over both, and a test of interaction.
"""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import pandas as pd

from analysis.charts import grid as grid_chart
from analysis.charts import tornado
from analysis.data.study import Study
from analysis.document.cells import as_written, count, percent, points
from analysis.document.model import Chart, Format, Section, Table
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
from analysis.document.tables import lowest, table
from analysis.stats.intervals import adjust
from analysis.variants.edits import Candidates, candidates, owner_of
from analysis.variants.interactions import FIELDS, Grid, Surface, allowed, every_point, grid_of, surface
from analysis.variants.sensitivity import SURE, Asked, Sensitivity
from analysis.variants.sensitivity import sensitivity as measured
from analysis.variants.variant import Step
from sim.engine.cards import CardSet
from sim.experiment import Experiment

SHOWN = 16  # numbers in the chart
ENDS = 20  # lines of the table on the page, from either end
LEAST_BASE = 400  # base games of a step: below that it is not worth a try
RULES = "rules."

_FOUND: WeakKeyDictionary[Study, Sensitivity | None] = WeakKeyDictionary()


def sensitivity(study: Study) -> Section | None:
    """A tornado of the win rates by number, and in words which number moves balance most, which evens it out most."""
    found = found_by(study)
    if found is None or found.frame.empty:
        return None
    frame = worded(study, found.frame)
    answer = _said(frame, found)
    drawn = frame.assign(field=starred(frame)).drop(columns="name")
    seats = at_seats(found.base.seats)
    caption = f"Change of a win rate {seats} if one number is changed by one step and all else stays, with "
    caption += f"{study.policy} in every "
    caption += f"seat: that of the {study.unit_word} the number belongs to; of a number that belongs to nobody, the "
    caption += "one that moves "
    caption += f"most. At most {SHOWN} numbers; the table has all." + assumed_note(drawn)
    chart = Chart("sensitivity", tornado(drawn, most=SHOWN), caption, f"Tornado chart of win rates by number. {answer}")
    question = "Which numbers move balance most?"
    return Section("sensitivity", question, answer, (chart,), (_table(study, frame),), _note(study, found))


def found_by(study: Study) -> Sensitivity | None:
    """The run behind the section, played once; None where there is no contest, or no number to change."""
    if study not in _FOUND:
        _FOUND[study] = _measured(study)
    return _FOUND[study]


def base_of(study: Study) -> Experiment:
    """The line-ups of the run: at fewest seats from two on."""
    return study.experiment(min(study.contests), 1)


def worded(study: Study, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with field (words) and source of each number."""
    words = {path: words_of(study, path) for path in frame["path"].unique()}
    sources = {path: source_of(study.cards, path) for path in words}
    return frame.assign(field=frame["path"].map(words), source=frame["path"].map(sources))


def words_of(study: Study, path: str) -> str:
    """A number in words, with its owner's name, places of lists called what the game's own questions call them."""
    places = {key: names for one in study.game.questions for key, names in one.settings.items()}
    words = field_words(study.cards.document, path, places)
    owner = owner_of(study.cards.document, path, study.unit_ids)
    if owner is None:
        return words
    name = study.units[owner]
    return name + words[len(name) :] if words.lower().startswith(name.lower()) else f"{name}, {words}"


def _measured(study: Study) -> Sensitivity | None:
    """Play as many steps as the budget can tell anything of."""
    if not study.contests:
        return None
    try:
        every = candidates(study.game, study.cards)
    except ValueError:  # all numbers are fixed
        return None
    games = study.budget.sensitivity_games
    live = chosen(study.cards, study.unit_ids, every.live, games // LEAST_BASE)
    found = replace(every, live=live)
    try:
        return measured(base_of(study), found, Asked(games=games), study.jobs, study.watch) if live else None
    except ValueError:  # a budget of a few games
        return None


def chosen(cards: CardSet, units: tuple[str, ...], steps: tuple[Step, ...], most: int) -> tuple[Step, ...]:
    """At most so many steps, whole fields: those of units first, then the rules, then the others evenly over the file."""
    paths = list(dict.fromkeys(step.field for step in steps))
    if len(steps) <= most:
        return steps
    own = [path for path in paths if owner_of(cards.document, path, units) is not None]
    rules = [path for path in paths if path.startswith(RULES) and path not in own]
    taken: list[str] = []
    for group in (own, rules, [path for path in paths if path not in own and path not in rules]):
        room = most // 2 - len(taken)
        if room > 0 and group:
            stride = max(1.0, len(group) / room)
            taken += [group[int(at * stride)] for at in range(min(room, len(group)))]
    return tuple(step for step in steps if step.field in taken)


def _said(frame: pd.DataFrame, found: Sensitivity) -> str:
    """Which number moves a win rate most, and which brings the win rates nearest together."""
    top, sure = frame.iloc[0], int(frame["sure"].sum())
    where = at_seats(found.base.seats)
    if not sure:
        return f"None of {count(len(frame))} steps moves a win rate beyond chance {where} (Holm, {size(top['n'])} or so each)."
    said = f"{_turned(top)} moves a win rate most: {top['name']} goes from {percent(top['before'])} to "
    said += f"{percent(top['after'])} "
    said += f"{where}, {points(top['change'])} points {point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
    said += f"{stopped(top['truncated_before'] + top['truncated_after'])}. "
    said += f"{number_word(sure).capitalize()} of {count(len(frame))} steps move one beyond chance. "
    return said + _evened(frame)


def _evened(frame: pd.DataFrame) -> str:
    """The step that narrows the spread most, if one does for sure."""
    p_holm = pd.Series(adjust(frame["spread_p"]), index=frame.index)
    better = frame[(p_holm < SURE) & (frame["spread_change"] < 0)]
    if better.empty:
        return "None of them surely brings all win rates nearer together."
    best = lowest(better, "spread_change")
    said = f"{_turned(best)} brings all win rates nearest together: their standard deviation changes by "
    return said + f"{points(best['spread_change'])} points {point_interval(best['spread_low'], best['spread_high'])}."


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
    return table(frame, "sensitivity", "Every step, the surest large change first", columns, formats, ends=ENDS)


def _note(study: Study, found: Sensitivity) -> str:
    """How the steps were measured, and which were not."""
    left = found.candidates
    note = f"{count(found.games)} games in all, the same with the same dice for all steps (common random numbers), "
    note += "analysed as "
    note += "pairs; gain says how many times as many games two separate samples would need. A first round told how "
    note += "many games "
    note += "each step needs, and counts for nothing else; steps that may be at the top got twice as many. The "
    note += "widest interval is "
    note += f"\u00b1{100 * found.precision:.1f} points. A number in the table of one {study.unit_word} is judged by "
    note += "its win rate, in "
    note += "games in which it sits; of another number the interval is widened for the choice of whom it moves most "
    note += "(Bonferroni). "
    note += f"Ranked by the lower bound of the size of the change. Coloured: p (Holm) < {SURE} over all steps; "
    note += "intervals are of each "
    note += "alone. The spread is the standard deviation of the win rates without what chance adds (jackknife)."
    untried = _untried(study, left)
    note += f" Not tried, for want of games: {count(untried)} numbers." if untried else ""
    for what, paths in (
        (f"Marked as fixed ({len(left.fixed)} numbers)", list(left.fixed)),
        (f"Places and sizes of boards, left alone ({len(left.places)} numbers)", list(left.places)),
        (f"Refused by the rules of the card file ({len(left.refused)} steps)", [step.field for step in left.refused]),
        (f"Without effect on play ({len(left.idle)} steps)", [step.field for step in left.idle]),
    ):
        words = [words_of(study, path) for path in dict.fromkeys(paths)]
        note += f" {what}: {listed(words)}." if words else ""
    return note


def _untried(study: Study, left: Candidates) -> int:
    """Numbers that could have been tried."""
    every = candidates(study.game, study.cards)
    return len({step.field for step in every.live} - {step.field for step in left.live})


STAGE = "two numbers at once"


def screen(study: Study) -> Section | None:
    """A grid of win rates over the two numbers that move one most, and in words what both do at once.

    Values that the card rules refuse together are left out. None where fewer than two numbers surely move a win rate, or the
    card rules leave no pair of values.
    """
    found = found_by(study)
    pair = _pair(found) if found else None
    if found is None or pair is None:
        return None
    name, paths = pair
    grid, _, _ = allowed(grid_of(found.base, paths)[0], every_point)
    if len(grid.paths) != FIELDS:
        return None
    measured = _screen_measured(study, found, grid, study.units.index(name))
    words = tuple(words_of(study, path) for path in grid.paths)
    answer = answer_of(measured, name, words, at_seats(found.base.seats))
    caption = f"Win rate of {name} over the values of both numbers, {at_seats(found.base.seats)} with {study.policy} "
    caption += "in every seat; "
    caption += f"the same games and dice in every cell. Rows: {words[0]}; columns: {words[1]}."
    figure = grid_chart(_drawn(measured, words), label=f"win rate of {name}, in %")
    chart = Chart("screen", figure, caption, f"Grid of win rates by two numbers. {answer}")
    question = "Do the two most powerful numbers work together?"
    return Section("screen", question, answer, (chart,), _tables(measured, words), _screen_note(study, measured))


def _pair(found: Sensitivity) -> tuple[str, tuple[str, str]] | None:
    """Whose win rate, and the two numbers that surely move it most, else the two that surely move any most; None without two."""
    sure = found.frame[found.frame["sure"]] if len(found.frame) else found.frame
    if sure.empty:
        return None
    for name in [*sure["name"].unique(), ""]:
        paths = sure.loc[(sure["name"] == name) | (name == ""), "path"].unique()
        if len(paths) > 1:
            return str(name or sure["name"].iloc[0]), (str(paths[0]), str(paths[1]))
    return None


def _screen_measured(study: Study, found: Sensitivity, grid: Grid, unit: int) -> Surface:
    """Play the grid, as many games of each point as the budget has, counting those in which the unit sits."""
    places = len(grid.values[0]) * len(grid.values[1])
    sits = min(1.0, found.base.seats * (study.teams.size if study.teams else 1) / len(study.units))
    games = max(1, round(study.budget.screen_games / places / sits))
    base = replace(study.experiment(found.base.seats, games), seed=study.fresh_seed)
    done = 0

    def told(number: int) -> None:
        nonlocal done
        done += number
        if study.watch:
            study.watch(STAGE, done, 0)

    return surface(base, grid, unit, study.jobs, told)


def answer_of(found: Surface, name: str, words: tuple[str, ...], where: str) -> str:
    """What both do at once, against what they do one by one."""
    top = found.surest
    turned = f"\u201c{words[0]}\u201d at {as_written(top['first'])} and \u201c{words[1]}\u201d at {as_written(top['second'])}"
    sentence = f"{turned} together move {name} by {points(top['both'])} points {where}, one by one by "
    sentence += f"{points(top['alone'])} in all: "
    sentence += f"{points(top['change'])} points through both together {point_interval(top['low'], top['high'])[:-1]}, "
    sentence += f"{size(top['n'])}). "
    if top["low"] <= 0 <= top["high"]:
        return sentence + "That may be chance: no sign that what one does depends on the other."
    more = "more" if abs(top["both"]) > abs(top["alone"]) else "less"
    return sentence + f"They do work together; both at once do {more} than one by one, so test them as a pair."


def _labels(found: Surface, words: tuple[str, ...]) -> tuple[pd.Series, pd.Series]:
    """Words without the owner and the value for rows and columns, the present one marked; the caption has them in full."""
    texts = []
    for at, column in enumerate(("first", "second")):
        now, short = found.grid.present[at], words[at].rpartition(": ")[2]
        named = {
            value: f"{short} {as_written(value)}{' (now)' if value == now else ''}" for value in found.grid.values[at]
        }
        texts.append(found.cells[column].map(named))
    return texts[0], texts[1]


def _drawn(found: Surface, words: tuple[str, ...]) -> pd.DataFrame:
    """The frame of the grid."""
    rows, columns = _labels(found, words)
    return found.cells.assign(row=rows, column=columns)


def _tables(found: Surface, words: tuple[str, ...]) -> tuple[Table, ...]:
    """Every cell, then every pair of changes."""
    cells = {"first": words[0], "second": words[1], "estimate": "win rate", "low": "low", "high": "high", "n": "n"}
    plain: dict[str, Format] = dict.fromkeys(words, "number")
    corners = {"first": words[0], "second": words[1], "alone": "one by one", "both": "together"}
    corners |= {"change": "through both", "low": "change low", "high": "change high", "n": "n"}
    shifts: dict[str, Format] = dict.fromkeys(("one by one", "together", "through both"), "points")
    return (
        table(found.cells, "screen", "Win rate by both numbers", cells, plain),
        table(found.corners, "screen-both", "Both changes at once", corners, plain | shifts),
    )


def _screen_note(study: Study, found: Surface) -> str:
    """How it was measured."""
    note = "The two numbers are the surest movers of a win rate among all that were tried. Every cell plays the same "
    note += f"{count(found.cells['n'].max())} games with the same dice, of seed {study.fresh_seed}, which had no part "
    note += "in the choice. "
    note += "Intervals of what comes through both together are Student's, widened for the number of pairs (Bonferroni): two "
    note += (
        "numbers work together where the interval of some pair of values does not include zero; of these the surest is "
    )
    return f"{note}named. More numbers at once: fairfight screen."
