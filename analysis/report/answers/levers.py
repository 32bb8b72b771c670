"""Which number to change: win rates of the outliers with each of their numbers one step up and down.

The outliers are chosen, the steps are tried, and the step named is tried again in three separate samples of games.
"""

from collections.abc import Iterator, Mapping
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
from analysis.whatif import GamesOf, GamesOfPart, Step, effects, numeric_steps
from analysis.wording import as_written, percent, points
from sim.engine.cards import numeric_fields
from sim.engine.measures import Question

SHOWN = 12  # numbers of an outlier in the chart
SURE = 0.05  # p-value adjusted over all steps of the section


@dataclass(frozen=True)
class Lever:
    """An outlier and what may be turned on it. words: what each number is called, by its path."""

    entrant: int
    name: str
    steps: list[Step]
    words: Mapping[str, str]

    @property
    def live(self) -> list[Step]:
        """The steps that can be taken and reach play."""
        return [step for step in self.steps if step.cards and not step.idle]


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
    found = [lever for lever in _outliers(study, seats, prefixes, question) if lever.live]
    if not found:
        return None
    bases = [games_of(study, lever.entrant, seats, study.fresh_seed) for lever in found]
    frame = measured(study, found, bases)
    if frame.empty:
        return None
    parts = {str(name): part for name, part in frame.groupby("name", sort=False)}
    cures = [cure for lever in found if lever.name in parts for cure in cures_of(lever, parts[lever.name], seats)]
    again = retest(study, cures)
    answer = answer_of(parts, again, seats)
    chart = chart_of(study, question, frame, answer)
    tables = [table_of(study, frame), *([retest_table(study, again)] if len(again) else [])]
    note = _note(study, found, question, frame)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def measured(study: Study, found: list[Lever], bases: list[GamesOf | GamesOfPart]) -> pd.DataFrame:
    """Change of the win rate of each outlier by every step that can be taken, p adjusted over all of them (Holm).

    bases: the games of each outlier. Columns: those of `whatif.effects`, and field (words), source, p_holm, sure.
    """
    tables = [_measured(study, *one) for one in zip(found, bases, strict=True)]
    frame = pd.concat(tables, ignore_index=True)
    if frame.empty:
        return frame
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def answer_of(parts: Mapping[str, pd.DataFrame], again: pd.DataFrame, seats: int) -> str:
    """What may be turned on each outlier, and what the step named did in new games."""
    answers = []
    for name, part in parts.items():
        answers += [_said(part, seats), outcome(again[again["name"] == name] if len(again) else again)]
    return " ".join(filter(None, answers))


def chart_of(study: Study, question: Question, frame: pd.DataFrame, answer: str) -> Chart:
    """The tornado of each outlier."""
    caption = (
        f"Change of the win rate {at_seats(study.seats_for(question))} if one number is changed by one step and all "
    )
    caption += (
        f"else stays, with {study.policy} in every seat. At most {SHOWN} numbers each, those that move it most; the "
    )
    caption += f"table has all.{assumed_note(frame)}"
    shown = _strongest(frame.assign(field=starred(frame), value=frame["value"].astype(str)))
    alt = f"Tornado chart of the numbers of the outliers. {answer}"
    return Chart(question.id, tornado(shown, most=SHOWN), caption, alt)


def table_of(study: Study, frame: pd.DataFrame, id_: str = "levers", title: str = "Every step") -> Table:
    """Every step of every outlier."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes"}
    columns |= {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain", "source": "source", "path": "field of the card file"}
    return table(frame, id_, title, columns, {"gain": "number"})


def _note(study: Study, found: list[Lever], question: Question, frame: pd.DataFrame) -> str:
    """How the steps were measured, and which were not."""
    seats = at_seats(study.seats_for(question))
    note = f"The numbers are those of the strongest and the weakest {study.unit_word} {seats}, where the steps are "
    note += f"played.{_elsewhere(study, {lever.name for lever in found})} "
    note += "Both card sets play the same games with the same dice (common random numbers), and the differences are analysed as "
    note += (
        "pairs; gain says how many times as many games two separate samples would need. Truncated games are left out. "
    )
    note += f"These games are a separate sample ({size(frame['n'].min())} of each {study.unit_word} per step, seed "
    note += f"{study.fresh_seed}), since those with which the outliers were found would show them too far out, and the step "
    note += f"named is tried again in another (seed {study.retest_seed}); so the same win rate has slightly different values. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps; intervals are of "
    note += "each step alone."
    return note + untried(found)


def untried(found: list[Lever]) -> str:
    """Which steps the rules of the card file refuse, and which numbers never reach play, with a blank before."""
    every = [(lever.words[step.field], step) for lever in found for step in lever.steps]
    refused = [f"{words} {_way(step)}" for words, step in every if not step.cards]
    idle = sorted({words for words, step in every if step.idle})
    said = f" The rules of the card file refuse {listed(refused)}." if refused else ""
    return said + (f" Without effect on play: {listed(idle)}." if idle else "")


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


def _outliers(study: Study, seats: int, prefixes: tuple[str, ...], question: Question) -> Iterator[Lever]:
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
        words = {path: field_words(study.cards.document, path, question.settings, skip=2) for path in own}
        yield Lever(entrant, study.units[entrant], steps, words)


def _measured(study: Study, lever: Lever, base: GamesOf | GamesOfPart) -> pd.DataFrame:
    """Change of the outlier's win rate by every step that can be taken."""
    play = study.player(f"numbers of {lever.name}", base.games * (len(lever.live) + 1))
    found = effects(base, lever.live, lever.name, play)
    if found.empty:  # where seats choose whom they play, nobody chose it
        return found
    source = [source_of(study.cards, path) for path in found["path"]]
    return found.assign(field=found["path"].map(dict(lever.words)), source=source)


def _strongest(frame: pd.DataFrame) -> pd.DataFrame:
    """The lines of the SHOWN fields of each outlier that move its win rate most."""
    size = frame.assign(size=frame["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = size.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    return frame[frame.set_index(["name", "field"]).index.isin(kept)]


def _way(step: Step) -> str:
    return "one step down" if step.step < 0 else "one step up"


def _said(part: pd.DataFrame, seats: int) -> str:
    """The strongest sure lever of an outlier towards its fair share, and the sure step that brings it nearest to that."""
    fair = fair_share(seats)
    name, before, n = part["name"].iloc[0], part["before"].iloc[0], part["n"].iloc[0]
    said = f"{name} wins {percent(before)} of its {seated(seats)} games{stopped(part['truncated_before'].iloc[0])} "
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


def cures_of(lever: Lever, part: pd.DataFrame, seats: int) -> Iterator[Cure]:
    """The step that is named as bringing an outlier nearest to fair, if there is one."""
    near = nearest(part, fair_share(seats))
    for step in lever.steps if near is not None else []:
        if near is not None and step.cards is not None and (step.field, step.step) == (near["path"], near["step"]):
            yield Cure(lever.entrant, near["field"], near["present"], near["value"], step.cards)


def _effect(step: pd.Series) -> str:
    """How far a step moves the win rate, and to what."""
    return f"{points(step['change'])} points {point_interval(step['low'], step['high'])}, to {percent(step['after'])}"


def _stopped_now(step: pd.Series) -> str:
    """Say how truncated games count if it is the step that brings them about."""
    return stopped(step["truncated_after"] if not step["truncated_before"] else 0)


def _turned(row: pd.Series) -> str:
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"
