"""Which number that belongs to no entrant to change: what one step does to the spread of the win rates and to the length."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import pandas as pd

from analysis.charts import tornado
from analysis.compare import Play, Shares
from analysis.estimates import adjust
from analysis.report.answers.fields import assumed_note, field_words, source_of, starred
from analysis.report.answers.prose import NO_BREAK, at_seats, listed, point_interval, size, stopped
from analysis.report.answers.sizes import leaf_of, sized_steps, sizes_said
from analysis.report.answers.tables import highest, lowest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.spread import length_change, spread, spread_change
from analysis.study import Study
from analysis.whatif import Step
from analysis.wording import count, number, points
from sim.engine.cards import numeric_fields
from sim.engine.measures import Question
from sim.experiment import Experiment

SHOWN = 12  # numbers in each chart
SURE = 0.05  # p-value adjusted over all steps and both quantities
UNITS = {"spread": "points", "length": "turns"}


@dataclass(frozen=True)
class Sample:
    """Games with the cards as they are, and what plays them with other cards."""

    base: Experiment
    before: Shares
    play: Play


def shared_levers(study: Study, question: Question) -> Section | None:
    """Tornado charts of the spread of the win rates and of the mean length, for numbers such as an enemy's attack.

    Settings: fields (how the paths of these numbers begin), leaves (what they end with, any if absent), steps (how large one is,
    by leaf, 1 if absent), seats (how many, if not the fewest from two on), games (in multiples of the usual number), and for a
    field that is a list the names of its places.
    """
    seats = study.seats_for(question) if study.contests else 0
    if seats not in study.contests or len(study.units) <= 1:
        return None
    steps = sized_steps(study, question, _paths(study, question))
    live = [step for step in steps if step.cards and not step.idle]
    if not live:
        return None
    sample = _sample(study, question, study.fresh_seed, len(live))
    frame = _measured(study, sample, live, question)
    named = _named(frame)
    again = _again(study, live, named, question)
    answer = _said(study, sample.before, seats, named, again)
    charts = tuple(_chart(study, question, frame, what, (seats, answer)) for what in UNITS)
    tables = tuple(_table(question, frame, what) for what in UNITS)
    return Section(question.id, question.text, answer, charts, tables, _note(study, question, (steps, frame, again)))


def _paths(study: Study, question: Question) -> list[str]:
    """Paths of the numbers that the question asks for, in the order of the file."""
    fields, leaves = question.settings.get("fields", ()), question.settings.get("leaves", ())
    begins = [path for path in numeric_fields(study.cards.document) if path.startswith(fields)] if fields else []
    return [path for path in begins if not leaves or leaf_of(path) in leaves]


def _sample(study: Study, question: Question, seed: int, steps: int) -> Sample:
    """Play the games of a seed with the cards as they are, as the first part of a stage that has so many steps besides."""
    games = study.games_for(question, study.budget.shared_games)
    base = replace(study.experiment(study.seats_for(question), games), seed=seed)
    play = study.player(
        "shared numbers" if seed == study.fresh_seed else "shared numbers again", base.games * (steps + 1)
    )
    return Sample(base, Shares.of(base, play), play)


def _measured(study: Study, sample: Sample, steps: Sequence[Step], question: Question) -> pd.DataFrame:
    """Both quantities under every step, one line each."""
    before = sample.before
    rows = []
    for step in steps:
        assert step.cards is not None
        after = Shares.of(replace(sample.base, cards=step.cards), sample.play)
        words = field_words(study.cards.document, step.field, question.settings)
        facts = {"field": words, "path": step.field, "source": source_of(study.cards, step.field), "step": step.step}
        facts |= {
            "present": step.before,
            "value": step.value,
            "truncated": int(before.capped.sum() + after.capped.sum()),
        }
        found = {
            "spread": spread_change(study.by_unit(before), study.by_unit(after), len(study.units)),
            "length": length_change(before, after),
        }
        rows += [{**facts, "what": what, **asdict(one)} for what, one in found.items()]
    frame = pd.DataFrame(rows)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """The steps that an answer names: the sure one that narrows the spread most, else widens it, and that of the length."""
    found = []
    sure = frame[frame["sure"]]
    spreads, lengths = (sure[sure["what"] == what] for what in UNITS)
    if len(spreads):
        found.append(lowest(spreads, "change"))
    if len(lengths):
        found.append(highest(lengths, "change", size=True))
    return pd.DataFrame(found)


def _again(study: Study, live: list[Step], named: pd.DataFrame, question: Question) -> pd.DataFrame:
    """What the named steps do in games that had no part in choosing them, line by line as in `named`."""
    if named.empty:
        return named
    keys = list(zip(named["path"], named["step"], strict=True))
    steps = [step for step in live if (step.field, step.step) in keys]
    frame = _measured(study, _sample(study, question, study.retest_seed, len(steps)), steps, question)
    lines = {(row["path"], row["step"], row["what"]): row for _, row in frame.iterrows()}
    return pd.DataFrame([lines[row["path"], row["step"], row["what"]] for _, row in named.iterrows()])


def _said(study: Study, before: Shares, seats: int, named: pd.DataFrame, again: pd.DataFrame) -> str:
    """How things are, which step narrows the spread most, and which moves the length most."""
    wide = spread(study.by_unit(before), len(study.units))
    truncated = stopped(int(before.capped.sum()))
    said = f"{at_seats(seats).capitalize()} the win rates of the {study.units_word} lie {_points(wide.estimate)} apart "
    said += f"(standard deviation without what chance adds, 95{NO_BREAK}% interval {100 * wide.low:.1f} to "
    said += f"{_points(wide.high)}, {size(wide.n)}){truncated}, and a game lasts {number(float(before.turns.mean()))} turns."
    sentences = [said]
    for what, words in (("spread", "how far they lie apart"), ("length", "the length")):
        part = named[named["what"] == what] if len(named) else named
        sentences.append(
            _effect(part.iloc[0], again[again["what"] == what].iloc[0])
            if len(part)
            else f"No single step moves {words} beyond chance."
        )
    return " ".join(sentences)


def _effect(row: pd.Series, again: pd.Series) -> str:
    """What the named step does, and that it does so in new games."""
    turned = f"\u201c{row['field']}\u201d from {number(row['present'])} to {number(row['value'])}"
    if row["what"] == "spread":
        kind = (
            "brings them nearest together"
            if row["change"] < 0
            else "drives them apart, and no step surely brings them nearer"
        )
        moved = f"{points(row['change'])} points {point_interval(row['low'], row['high'])}"
        return f"{turned} {kind}: {moved}; in new games {points(again['change'])}."
    interval = f"(95{NO_BREAK}% interval {_turns(row['low'])} to {_turns(row['high'])})"
    moved = f"{_turns(row['change'])} turns {interval}; in new games {_turns(again['change'])}"
    return f"{turned} moves the length most: {moved}."


def _turns(change: float) -> str:
    """A change of the length with its sign, written as points are."""
    return points(change / 100)


def _points(share: float) -> str:
    """A spread in points."""
    return f"{100 * share:.1f}{NO_BREAK}points"


def _chart(study: Study, question: Question, frame: pd.DataFrame, what: str, said: tuple[int, str]) -> Chart:
    """The tornado of one quantity."""
    part = frame[frame["what"] == what]
    part = part.assign(field=starred(part), value=part["value"].map(number))
    seats, answer = said
    of = {
        "spread": f"how far the win rates of the {study.units_word} lie apart",
        "length": "the mean length of a game",
    }
    caption = f"Change of {of[what]} {at_seats(seats)} if one number is changed by one step and all else stays, with "
    caption += f"{study.policy} in every seat. At most {SHOWN} numbers, those that move it most; the table has all."
    alt = f"Tornado chart of {of[what]}. {answer}"
    figure = tornado(part, most=SHOWN, unit=UNITS[what])
    return Chart(f"{question.id}-{what}", figure, caption + assumed_note(part), alt)


def _table(question: Question, frame: pd.DataFrame, what: str) -> Table:
    """Every step of one quantity."""
    unit = {"spread": "spread", "length": "turns"}[what]
    columns = {
        "field": "number",
        "present": "now",
        "value": "becomes",
        "before": f"{unit} before",
        "after": f"{unit} after",
    }
    columns |= {
        "change": "change",
        "low": "change low",
        "high": "change high",
        "p_holm": "p (Holm)",
        "n": "n",
        "gain": "gain",
    }
    columns |= {"source": "source", "path": "field of the card file"}
    form: Format = "points" if what == "spread" else "number"
    shares: Format = "percent" if what == "spread" else "number"
    formats: dict[str, Format] = dict.fromkeys(("change", "change low", "change high"), form)
    formats |= {f"{unit} before": shares, f"{unit} after": shares, "gain": "number"}
    title = {"spread": "Every step: spread of the win rates", "length": "Every step: length of a game"}
    return table(frame[frame["what"] == what], f"{question.id}-{what}", title[what], columns, formats)


def _note(study: Study, question: Question, found: tuple[list[Step], pd.DataFrame, pd.DataFrame]) -> str:
    """How the steps were measured, and which were not or moved nothing."""
    steps, frame, again = found
    note = "The spread is the standard deviation of the win rates, less what chance alone would add to it (jackknife over the "
    note += (
        "games); truncated games are left out, and last the turns until they were stopped. Every step plays the same "
    )
    note += (
        f"{count(frame['n'].max())} games with the same dice (common random numbers, seed {study.fresh_seed}), and the "
    )
    note += "differences are analysed as pairs; gain says how many times as many games two separate samples would need. Steps "
    note += f"are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps and both charts; intervals are of "
    note += "each step alone."
    note += f" {sizes_said(question)}" if sizes_said(question) else ""
    note += f" The steps named were tried again in as many games of seed {study.retest_seed}." if len(again) else ""

    def labels(chosen: list[Step]) -> str:
        named = [(field_words(study.cards.document, one.field, question.settings), one.step) for one in chosen]
        return listed([f"{words} {'down' if step < 0 else 'up'}" for words, step in named])

    refused, idle = [step for step in steps if not step.cards], [step for step in steps if step.idle]
    alike = frame.assign(alike=frame["low"] == frame["high"]).groupby(["path", "step"])["alike"].all()
    still = [step for step in steps if alike.get((step.field, step.step), False)]
    for chosen, words in ((refused, "Refused by the rules of the card file"), (idle, "Without effect on play")):
        note += f" {words}: {labels(chosen)}." if chosen else ""
    return note + (f" Not one game of the sample went otherwise with: {labels(still)}." if still else "")
