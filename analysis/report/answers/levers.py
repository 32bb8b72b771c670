"""Which number to change: win rates of the outliers with each of their numbers one step up and down.

The outliers are chosen, the steps are tried, and the step named is tried again in three separate samples of games.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from analysis.charts import tornado
from analysis.estimates import adjust
from analysis.matchups import fair_share
from analysis.report.answers.fields import assumed_note, field_words, source_of, starred
from analysis.report.answers.prose import at_seats, interval, listed, number_word, point_interval, seated, size, stopped
from analysis.report.answers.retest import Cure, games_of, outcome, retest, retest_table
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.answers.win_rates import rates
from analysis.report.model import Chart, Section, Table
from analysis.study import Study
from analysis.whatif import Step, effects, numeric_steps
from analysis.wording import percent, points
from sim.engine.cards import numeric_fields
from sim.engine.measures import Question

SHOWN = 12  # numbers of an outlier in the chart
SURE = 0.05  # p-value adjusted over all steps of the section


@dataclass(frozen=True)
class Lever:
    """An outlier and what may be turned on it."""

    entrant: int
    name: str
    steps: list[Step]


def levers(study: Study, question: Question) -> Section | None:
    """Tornado charts of the strongest and the weakest entrant at fewest seats, and what the step that is named does at more.

    Settings: fields (how paths of an entrant's numbers begin, before its id), seats (how many, if not the fewest from two
    on), and for a field that is a list the names of its places. Of teams it is the parts that are tried, if fields are not
    named with all numbers of theirs.
    """
    prefixes = question.settings.get("fields", ())
    if not study.contests or not (prefixes or study.teams):
        return None
    seats = study.seats_for(question)
    found = [
        lever
        for lever in _outliers(study, seats, prefixes)
        if any(step.cards and not step.idle for step in lever.steps)
    ]
    if not found:
        return None
    frame = pd.concat([_measured(study, seats, lever, question) for lever in found], ignore_index=True)
    if frame.empty:
        return None
    p_holm = adjust(frame["p"])
    frame = frame.assign(p_holm=p_holm, sure=p_holm < SURE)
    parts = dict(list(frame.groupby("name", sort=False)))
    cures = [cure for lever in found if lever.name in parts for cure in _cures(lever, parts[lever.name], seats)]
    again = retest(study, cures)
    answers = []
    for name, part in parts.items():
        answers += [_said(part, seats), outcome(again[again["name"] == name] if len(again) else again)]
    answer = " ".join(filter(None, answers))
    caption = f"Change of the win rate {at_seats(seats)} if one number is changed by one step and all else stays, with "
    caption += (
        f"{study.policy} in every seat. At most {SHOWN} numbers each, those that move it most; the table has all."
    )
    caption += assumed_note(frame)
    shown = _strongest(frame.assign(field=starred(frame), value=frame["value"].astype(str)))
    alt = f"Tornado chart of the numbers of the outliers. {answer}"
    chart = Chart(question.id, tornado(shown, most=SHOWN), caption, alt)
    tables = [_table(study, frame), *([retest_table(study, again)] if len(again) else [])]
    note = _note(study, found, question, frame)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _table(study: Study, frame: pd.DataFrame) -> Table:
    """Every step of every outlier."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes"}
    columns |= {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain", "source": "source", "path": "field of the card file"}
    return table(frame, "levers", "Every step", columns, {"gain": "number"})


def _note(study: Study, found: list[Lever], question: Question, frame: pd.DataFrame) -> str:
    """How the steps were measured, and which were not."""
    steps = [step for lever in found for step in lever.steps]
    refused = [f"{_label(study, step, question)} {_way(step)}" for step in steps if not step.cards]
    idle = sorted({_label(study, step, question) for step in steps if step.idle})
    seats = at_seats(study.seats_for(question))
    note = f"The numbers are those of the strongest and the weakest {study.unit_word} {seats}, where the steps are "
    note += f"played.{_elsewhere(study, {lever.name for lever in found})} "
    note += "Both card sets play the same games with the same dice (common random numbers), and the differences are analysed as "
    note += "pairs; gain says how many times as many games two separate samples would need. A capped game counts as not won. "
    note += f"These games are a separate sample ({size(frame['n'].min())} of each {study.unit_word} per step, seed "
    note += f"{study.fresh_seed}), since those with which the outliers were found would show them too far out, and the step "
    note += f"named is tried again in another (seed {study.retest_seed}); so the same win rate has slightly different values. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps; intervals are of "
    note += "each step alone."
    note += f" The rules of the card file refuse {listed(refused)}." if refused else ""
    return note + (f" Without effect on play: {listed(idle)}." if idle else "")


def _elsewhere(study: Study, tried: set[str]) -> str:
    """Who is the strongest or the weakest at another number of seats and has no levers here."""
    found: dict[str, list[str]] = {}
    for seats, part in rates(study).groupby("seats"):
        known = part[part["n"] > 0]
        if seats in study.contests and len(known):
            for name in {str(one(known, "estimate")["name"]) for one in (highest, lowest)} - tried:
                found.setdefault(name, []).append(number_word(int(str(seats))))
    said = [f"{name} ({listed(words)} seats)" for name, words in sorted(found.items())]
    return f" Strongest or weakest at other numbers of seats, and not tried: {listed(said)}." if said else ""


def _outliers(study: Study, seats: int, prefixes: tuple[str, ...]) -> Iterator[Lever]:
    """The strongest and the weakest entrant at so many seats, with their steps."""
    frame = rates(study)
    frame = frame[(frame["n"] > 0) & (frame["seats"] == seats)]
    if frame.empty:
        return
    paths = numeric_fields(study.cards.document)
    for entrant in dict.fromkeys(int(one(frame, "estimate")["entrant"]) for one in (highest, lowest)):
        id_ = study.unit_ids[entrant]
        begins = tuple(f"{prefix}{id_}." for prefix in prefixes)
        own = [path for path in paths if (path.startswith(begins) if prefixes else path.split(".")[1:2] == [id_])]
        steps = numeric_steps(study.game, study.cards, own)
        yield Lever(entrant, study.units[entrant], steps)


def _measured(study: Study, seats: int, lever: Lever, question: Question) -> pd.DataFrame:
    """Change of the outlier's win rate by every step that can be taken."""
    base = games_of(study, lever.entrant, seats, study.fresh_seed)
    live = [step for step in lever.steps if step.cards and not step.idle]
    play = study.player(f"numbers of {lever.name}", base.games * (len(live) + 1))
    found = effects(base, live, lever.name, play)
    if found.empty:  # where seats choose whom they play, nobody chose it
        return found
    words = {step.field: _label(study, step, question) for step in live}
    return found.assign(field=found["path"].map(words), source=[source_of(study.cards, path) for path in found["path"]])


def _strongest(frame: pd.DataFrame) -> pd.DataFrame:
    """The lines of the SHOWN fields of each outlier that move its win rate most."""
    size = frame.assign(size=frame["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = size.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    return frame[frame.set_index(["name", "field"]).index.isin(kept)]


def _label(study: Study, step: Step, question: Question) -> str:
    """A path as words, without the entrant: `hero.rhino_guy.ability.charge.knockback[1]` is `Charge: knockback, yellow`."""
    return field_words(study.cards.document, step.field, question.settings, skip=2)


def _way(step: Step) -> str:
    return "one step down" if step.step < 0 else "one step up"


def _said(part: pd.DataFrame, seats: int) -> str:
    """The strongest sure lever of an outlier towards its fair share, and the sure step that brings it nearest to that."""
    fair = fair_share(seats)
    name, before, n = part["name"].iloc[0], part["before"].iloc[0], part["n"].iloc[0]
    said = f"{name} wins {percent(before)} of its {seated(seats)} games{stopped(part['capped_before'].iloc[0])} "
    said += f"{interval(part['before_low'].iloc[0], part['before_high'].iloc[0], n)}. "
    if not part["sure"].any():
        return f"{said}No single step moves that beyond chance."
    better = part[part["sure"] & (part["change"] * (fair - before) > 0)]
    near = nearest(part, fair)
    if better.empty or near is None:
        return f"{said}No single step surely brings it nearer to the fair {percent(fair)}."
    top = highest(better, "change", size=True)
    said += f"Its strongest lever towards fair is {_turned(top)}: {_effect(top)}"
    if near.name == top.name:
        return f"{said}, as near to the fair {percent(fair)} as any single step brings it{_stopped_now(top)}."
    said += f"{_stopped_now(top)}; nearest to the fair {percent(fair)} brings it {_turned(near)}: {_effect(near)}"
    return f"{said}{_stopped_now(near)}."


def nearest(part: pd.DataFrame, fair: float) -> pd.Series | None:
    """The sure step that brings an outlier nearest to its fair share; None if none brings it nearer than it is."""
    sure = part[part["sure"]]
    if sure.empty:
        return None
    gap = (sure["after"] - fair).abs()
    near = lowest(sure.assign(gap=gap), "gap")
    return near if near["gap"] < abs(near["before"] - fair) else None


def _cures(lever: Lever, part: pd.DataFrame, seats: int) -> Iterator[Cure]:
    """The step that is named as bringing an outlier nearest to fair, if there is one."""
    near = nearest(part, fair_share(seats))
    for step in lever.steps if near is not None else []:
        if near is not None and step.cards is not None and (step.field, step.step) == (near["path"], near["step"]):
            yield Cure(lever.entrant, near["field"], near["present"], near["value"], step.cards)


def _effect(step: pd.Series) -> str:
    """How far a step moves the win rate, and to what."""
    return f"{points(step['change'])} points {point_interval(step['low'], step['high'])}, to {percent(step['after'])}"


def _stopped_now(step: pd.Series) -> str:
    """Say how capped games count if it is the step that brings them about."""
    return stopped(step["capped_after"] if not step["capped_before"] else 0)


def _turned(row: pd.Series) -> str:
    return f"\u201c{row['field']}\u201d from {row['present']} to {row['value']}"
