"""Which number of the strongest and of the weakest entrant should change, and what its win rate becomes with that step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import as_written, percent
from analysis.answer.prose import assumed_note, at_seats, bounds_of, field_words, listed, number_word, size, starred
from analysis.answer.tables import Table
from analysis.data.study import Study
from analysis.question import Settings, question
from analysis.questions.variants import settings_of
from analysis.variants.parameter_effects import USUAL_STEP, Outlier, cures_of, ends_of, multiple, nearest, retest, step_effects
from analysis.variants.tables import GAIN_WORDS, PAIR_WORDS, PAIRED, left_out, table
from analysis.variants.variant import SURE, Step, numeric_steps
from analysis.winrates.rates import fair_share
from sim.engine.cards import numeric_fields

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SHOWN = 12  # most numbers of an outlier in the chart
LIST = {"name": "name", "field": "number", "present": "now", "value": "becomes"}
SIGNIFICANT = f"A change is significant, and its bar coloured, if p (Holm) < {SURE}, adjusted over all steps."


@question(without=("line_up", "forbid"))
def parameters(study: Study, fields: list[str] = (), names: Settings = (), scale: float = 1.0) -> Answer:  # type: ignore[assignment]
    """Change of the win rates of the strongest and the weakest entrant by each of their numbers, one step down and one up.

    For teams, the strongest and the weakest member.

    Parameters
    ----------
    fields : list of str
        Starts of the paths of the numbers in the card file, before the id of the entrant, such as hero.; of members of teams by
        default all that belong to them.
    names : list of str, or mapping
        Names of the items of a list in the card file, such as energy=red,yellow.
    scale : float
        Games of each step, in multiples of the usual number.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.parameters("arena", policy="random", progress=False)
    Traceback (most recent call last):
    ...
    analysis.answer.model.NoAnswerError: fields=[]: must be the starts of the paths of numbers, such as hero.

    """
    if not study.contests:
        raise NoAnswerError("win rates of outliers need a game of two or more seats")
    if not (fields or study.teams):
        raise NoAnswerError("fields=[]: must be the starts of the paths of numbers, such as hero.")
    study = study.as_report
    seats, games = study.contest, multiple(study.budget.step_games, scale)
    outliers = [outlier for outlier in outliers_of(study, seats, fields, settings_of(names)) if outlier.live]
    effects = step_effects(study, outliers, seats, study.fresh_seed, games)
    if effects.empty:
        raise NoAnswerError(f"no number of the strongest and the weakest {study.unit_word} can change")
    again = retest(study, cures_of(outliers, effects, seats))
    sentences = [sentence(effects[effects["name"] == outlier.name], again, seats) for outlier in outliers]
    first, *others = filter(None, sentences)
    return Answer(
        first,
        (steps_table(study, effects, "steps", "Every step"), *retest_tables(study, again)),
        (steps_chart(study, effects, seats),),
        (
            *others,
            f"Outliers, steps and the step named come from separate samples; steps from games of seed {study.fresh_seed} "
            f"({size(effects['n'].min())} each).",
            *searched_note(study),
            SIGNIFICANT,
            f"{PAIR_WORDS} {GAIN_WORDS}",
            *elsewhere(study, [outlier.name for outlier in outliers]),
            *untried(outliers),
        ),
        facts_of(study, seats),
    )


def outliers_of(study: Study, seats: int, fields: Sequence[str], names: Mapping[str, tuple[str, ...]]) -> list[Outlier]:
    """The strongest and the weakest entrant at this number of seats, with the steps of their numbers."""
    outliers = []
    paths = numeric_fields(study.cards.document)
    for entrant in ends_of(study, seats):
        id_ = study.unit_ids[entrant]
        begins = tuple(f"{field}{id_}." for field in fields)
        numbers = [path for path in paths if (path.startswith(begins) if fields else path.split(".")[1:2] == [id_])]
        words = {path: field_words(study.cards.document, path, names, skip=2) for path in numbers}
        outliers.append(Outlier(entrant, study.units[entrant], numeric_steps(study.game, study.cards, numbers), words))
    return outliers


def sentence(part: pd.DataFrame, again: pd.DataFrame, seats: int) -> str:
    """What an outlier wins in new games with the step that brings it nearest to fair; empty if it plays no game.

    part: its rows of `step_effects`; again: see `retest`.
    """
    if part.empty:
        return ""
    first, fair = part.iloc[0], fair_share(seats)
    near = nearest(part, fair)
    if near is None:
        return f"No step surely brings {first['name']} nearer to the fair {percent(fair)}."
    rows = again[(again["name"] == first["name"]) & (again["seats"] == seats)]
    row, where = (rows.iloc[0], " in new games") if len(rows) else (near, "")
    best = f"{turned(near)} brings {first['name']} nearest to fair"
    return f"{best}: {percent(row['after'])} {bounds_of(row, 'after')}{where}."


def turned(row: pd.Series) -> str:
    """Write a step, e.g. \u201cKnight: dice\u201d from 2 to 1. row: field, present, value."""
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"


def steps_table(study: Study, effects: pd.DataFrame, id_: str, caption: str, ends: int = 0, brief: bool = False) -> Table:
    """Table of steps. brief: without win rates, adjusted p-values and gains, which a first look does not have."""
    paired = {name: heading for name, heading in PAIRED.items() if not (brief and name in ("before", "after", "p_holm", "gain"))}
    columns = LIST | {"name": study.unit_word} | paired | {"source": "source", "path": "field of the card file"}
    return table(effects, id_, caption, columns, ends=ends)


def retest_tables(study: Study, again: pd.DataFrame) -> list[Table]:
    """Table of every cure at every number of seats; none without cures."""
    if again.empty:
        return []
    columns = LIST | {"name": study.unit_word, "seats": "seats"}
    columns |= {"before": "before", "after": "after", "after_low": "low", "after_high": "high", "fair": "fair share"}
    columns |= {"verdict": "verdict after"}
    columns |= {name: PAIRED[name] for name in ("change", "low", "high", "n")}
    return [table(again, "retest", "The best step at every number of seats", columns)]


def searched_note(study: Study) -> list[str]:
    """Who played the steps, if not the players of the study."""
    if study.searcher is study:
        return []
    return [f"Every step is played by {study.searcher.players}, the one that is named by {study.players} too."]


def steps_chart(study: Study, effects: pd.DataFrame, seats: int) -> Chart:
    """A tornado chart per outlier."""
    change = f"Change in the win rate {at_seats(seats)} if one number changes by one step"
    title = f"{change}, {study.searcher.players}.{assumed_note(effects)}"
    return Chart(partial(tornado, effects), title)


def tornado(effects: pd.DataFrame) -> Figure:
    """The numbers that move each outlier most, the largest effect first."""
    shown = effects.assign(field=starred(effects), value=effects["value"].astype(str))
    largest = shown.assign(size=shown["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = largest.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    return charts.tornado(shown[shown.set_index(["name", "field"]).index.isin(kept)], most=SHOWN)


def elsewhere(study: Study, tried: Sequence[str]) -> list[str]:
    """Note on the strongest and weakest at other numbers of seats that are not tried here."""
    others: dict[str, list[str]] = {}
    for seats in study.contests:
        for name in {study.units[entrant] for entrant in ends_of(study, seats)} - {*tried}:
            others.setdefault(name, []).append(number_word(seats))
    named = [f"{name} ({listed(words)} seats)" for name, words in sorted(others.items())]
    return left_out("Strongest or weakest at other numbers of seats, and not tried", named)


def untried(outliers: Sequence[Outlier]) -> list[str]:
    """Notes on refused steps and on numbers that never reach play."""
    every = [(outlier.words[step.field], step) for outlier in outliers for step in outlier.steps]
    refused = [f"{words} {way_of(step)}" for words, step in every if not step.cards]
    idle = sorted({words for words, step in every if step.idle})
    return [*left_out("Refused by the rules of the card file", refused), *left_out("Without effect on play", idle)]


def way_of(step: Step) -> str:
    """Direction of a step."""
    return "down" if step.step < 0 else "up"


def sizes_of(steps: Settings) -> dict[str, int]:
    """Size of a step by name of the number. Raises ValueError for one that is no whole number of at least 1."""
    sizes = {}
    for name, (size_, *_) in settings_of(steps).items():
        if not size_.isdecimal() or int(size_) < USUAL_STEP:
            raise ValueError(f"steps: {name}={size_} must be a whole number of at least {USUAL_STEP}")
        sizes[name] = int(size_)
    return sizes


def sizes_note(sizes: Mapping[str, int]) -> list[str]:
    """Note on step sizes; none if all are the usual one."""
    large = [f"{name.replace('_', ' ')} {size_}" for name, size_ in sizes.items() if size_ != USUAL_STEP]
    return [f"One step is {USUAL_STEP}; for {listed(large)}."] if large else []


def facts_of(study: Study, seats: int) -> dict[str, Any]:
    """How the games were played."""
    seeds = {"seed": study.seed, "seed_steps": study.fresh_seed, "seed_retest": study.retest_seed}
    return {"game": study.game.name, "seats": seats, "policy": str(study.policy), **seeds}
