"""Report sections on which number to change: numbers of outliers, of no entrant, and of cards, one step up and down.

Outliers are chosen, steps are measured and the best step is retested in three separate samples of games. Decks hold many cards,
so their steps are first screened in few games, those behind the win rates; the strongest are played again with a fresh seed, and
only these are judged. A number of a card is changed in every deck that holds the card.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd

from analysis.charts import tornado
from analysis.data.shares import Play, Shares, length_change, spread, spread_change
from analysis.data.study import Study
from analysis.document.model import (
    Chart,
    Format,
    Section,
    Table,
    as_written,
    count,
    highest,
    lowest,
    number,
    percent,
    points,
    table,
)
from analysis.document.prose import (
    NO_BREAK,
    assumed_note,
    at_seats,
    field_words,
    interval,
    listed,
    number_word,
    point_interval,
    seated,
    size,
    some,
    source_of,
    starred,
    stopped,
)
from analysis.stats.intervals import adjust
from analysis.variants.compare import decks_tried, leaf_of, sized_steps, sizes_said
from analysis.variants.settings import Cure, games_of, outcome, retest, retest_table
from analysis.variants.variant import GamesOf, GamesOfPart, Step, effects, numeric_steps
from analysis.winrates.rates import fair_share
from analysis.winrates.section import entrant_rates
from sim.engine.cards import numeric_fields
from sim.engine.decks import Decks
from sim.engine.measures import Question
from sim.experiments.experiment import Experiment

SHOWN = 12  # most numbers of an outlier in the chart
SURE = 0.05  # p-value adjusted over all steps of the section


@dataclass(frozen=True)
class EntrantParameters:
    """An outlier and the steps of its numbers. words: description of each number by path."""

    entrant: int
    name: str
    steps: list[Step]
    words: Mapping[str, str]

    @property
    def live(self) -> list[Step]:
        """Steps that are allowed and reach play."""
        return [step for step in self.steps if step.cards and not step.idle]


def parameter_effects(study: Study, question: Question) -> Section | None:
    """Tornado charts of the strongest and the weakest entrant, and a retest of the best step at all numbers of seats.

    Settings: fields (start of the paths of an entrant's numbers, before its id), seats (default: fewest from two up), and for a
    field that is a list the names of its items. For teams the parts are tried, with all their numbers if fields is absent.
    """
    prefixes = question.settings.get("fields", ())
    if not study.contests or not (prefixes or study.teams):
        return None
    seats = study.seats_for(question)
    outliers = [tried for tried in _outliers(study, seats, prefixes, question) if tried.live]
    if not outliers:
        return None
    bases = [games_of(study, tried.entrant, seats, study.fresh_seed) for tried in outliers]
    frame = measured(study, outliers, bases)
    if frame.empty:
        return None
    parts = {str(name): part for name, part in frame.groupby("name", sort=False)}
    cures = [cure for tried in outliers if tried.name in parts for cure in cures_of(tried, parts[tried.name], seats)]
    again = retest(study, cures)
    answer = answer_of(parts, again, seats)
    chart = chart_of(study, question, frame, answer)
    tables = [table_of(study, frame), *([retest_table(study, again)] if len(again) else [])]
    note = _note(study, outliers, question, frame)
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def measured(study: Study, outliers: list[EntrantParameters], bases: list[GamesOf | GamesOfPart]) -> pd.DataFrame:
    """Change in the win rate of each outlier by every possible step, p adjusted over all of them (Holm).

    bases: the games of each outlier. Columns: those of `effects`, and field (words), source, p_holm, sure.
    """
    tables = [_measured(study, tried, base) for tried, base in zip(outliers, bases, strict=True)]
    frame = pd.concat(tables, ignore_index=True)
    if frame.empty:
        return frame
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def answer_of(parts: Mapping[str, pd.DataFrame], again: pd.DataFrame, seats: int) -> str:
    """Sentences on the best steps of each outlier, and their results in new games."""
    answers = []
    for name, part in parts.items():
        answers += [_best_steps(part, seats), outcome(again[again["name"] == name] if len(again) else again)]
    return " ".join(filter(None, answers))


def chart_of(study: Study, question: Question, frame: pd.DataFrame, answer: str) -> Chart:
    """Tornado chart of each outlier."""
    caption = f"Change in the win rate {at_seats(study.seats_for(question))} if one number is changed by one step and all "
    caption += f"else stays the same, with {study.policy} in every seat. At most {SHOWN} numbers each, those that move it most; "
    caption += f"the table has all.{assumed_note(frame)}"
    shown = _strongest(frame.assign(field=starred(frame), value=frame["value"].astype(str)))
    alt = f"Tornado chart of the numbers of the outliers. {answer}"
    return Chart(question.id, tornado(shown, most=SHOWN), caption, alt)


def table_of(study: Study, frame: pd.DataFrame, id_: str = "parameters", title: str = "Every step") -> Table:
    """Table of every step of every outlier."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes"}
    columns |= {"before": "before", "after": "after", "change": "change", "low": "change low", "high": "change high"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain", "source": "source", "path": "field of the card file"}
    return table(frame, id_, title, columns, {"gain": "number"})


def _note(study: Study, outliers: list[EntrantParameters], question: Question, frame: pd.DataFrame) -> str:
    """Sentences on how the steps were measured, and which were not."""
    seats = at_seats(study.seats_for(question))
    note = f"The numbers are those of the strongest and the weakest {study.unit_word} {seats}, where the steps are "
    note += f"played.{_elsewhere(study, {tried.name for tried in outliers})} "
    note += "Both card sets play the same games with the same dice (common random numbers), and the differences are analysed as "
    note += "pairs; gain is how many times as many games two separate samples would need. Truncated games are left out. "
    note += f"These games are a separate sample ({size(frame['n'].min())} of each {study.unit_word} per step, seed "
    note += f"{study.fresh_seed}), because the games that revealed the outliers exaggerate them, and the step named is tried "
    note += f"again in another (seed {study.retest_seed}); so the same win rate has slightly different values. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps; intervals are for "
    note += "each step alone."
    return note + untried(outliers)


def untried(outliers: list[EntrantParameters]) -> str:
    """Sentences on refused steps and on numbers that never reach play, starting with a blank."""
    every = [(tried.words[step.field], step) for tried in outliers for step in tried.steps]
    refused = [f"{words} {_way(step)}" for words, step in every if not step.cards]
    idle = sorted({words for words, step in every if step.idle})
    sentence = f" The rules of the card file refuse {listed(refused)}." if refused else ""
    return sentence + (f" Without effect on play: {listed(idle)}." if idle else "")


def _elsewhere(study: Study, tried: set[str]) -> str:
    """Sentence on the strongest and weakest at other numbers of seats that are not tried here."""
    found: dict[str, list[str]] = {}
    for seats, part in entrant_rates(study).groupby("seats"):
        known = part[part["n"] > 0]
        if seats in study.contests and len(known):
            for name in {str(end(known, "estimate")["name"]) for end in (highest, lowest)} - tried:
                found.setdefault(name, []).append(number_word(int(str(seats))))
    named = [f"{name} ({listed(words)} seats)" for name, words in sorted(found.items())]
    return f" Strongest or weakest at other numbers of seats, and not tried: {listed(named)}." if named else ""


def _outliers(study: Study, seats: int, prefixes: tuple[str, ...], question: Question) -> Iterator[EntrantParameters]:
    """The strongest and the weakest entrant at this number of seats, with their steps."""
    frame = entrant_rates(study)
    frame = frame[(frame["n"] > 0) & (frame["seats"] == seats)]
    if frame.empty:
        return
    paths = numeric_fields(study.cards.document)
    for entrant in dict.fromkeys(int(end(frame, "estimate")["entrant"]) for end in (highest, lowest)):
        id_ = study.unit_ids[entrant]
        begins = tuple(f"{prefix}{id_}." for prefix in prefixes)
        numbers = [path for path in paths if (path.startswith(begins) if prefixes else path.split(".")[1:2] == [id_])]
        steps = numeric_steps(study.game, study.cards, numbers)
        words = {path: field_words(study.cards.document, path, question.settings, skip=2) for path in numbers}
        yield EntrantParameters(entrant, study.units[entrant], steps, words)


def _measured(study: Study, tried: EntrantParameters, base: GamesOf | GamesOfPart) -> pd.DataFrame:
    """Change in the outlier's win rate by every possible step."""
    play = study.player(f"numbers of {tried.name}", base.games * (len(tried.live) + 1))
    frame = effects(base, tried.live, tried.name, play)
    if frame.empty:  # possible if seats choose their entrants
        return frame
    source = [source_of(study.cards, path) for path in frame["path"]]
    return frame.assign(field=frame["path"].map(dict(tried.words)), source=source)


def _strongest(frame: pd.DataFrame) -> pd.DataFrame:
    """Lines of the SHOWN fields of each outlier that move its win rate most."""
    size = frame.assign(size=frame["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = size.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    return frame[frame.set_index(["name", "field"]).index.isin(kept)]


def _way(step: Step) -> str:
    return "one step down" if step.step < 0 else "one step up"


def _best_steps(part: pd.DataFrame, seats: int) -> str:
    """Sentences on the strongest significant step towards an outlier's fair share, and the step that ends nearest to it."""
    fair = fair_share(seats)
    name, before, n = part["name"].iloc[0], part["before"].iloc[0], part["n"].iloc[0]
    sentences = f"{name} wins {percent(before)} of its {seated(seats)} games{stopped(part['truncated_before'].iloc[0])} "
    sentences += f"{interval(part['before_low'].iloc[0], part['before_high'].iloc[0], n)}. "
    if not part["sure"].any():
        return f"{sentences}No single step changes that beyond chance."
    better = part[part["sure"] & (part["change"] * (fair - before) > 0)]
    near = nearest(part, fair)
    if better.empty or near is None:
        return f"{sentences}No single step brings it significantly nearer to the fair {percent(fair)}."
    top = highest(better, "change", size=True)
    sentences += f"The strongest step towards fair is {_turned(top)}: {_effect(top)}"
    if near.name == top.name:
        return f"{sentences}, as near to the fair {percent(fair)} as any single step brings it{_stopped_now(top)}."
    sentences += f"{_stopped_now(top)}; {_turned(near)} brings it nearest to the fair {percent(fair)}: {_effect(near)}"
    return f"{sentences}{_stopped_now(near)}."


def nearest(part: pd.DataFrame, fair: float) -> pd.Series | None:
    """The significant step that brings an outlier nearest to its fair share; None if none brings it nearer."""
    sure = part[part["sure"]]
    if sure.empty:
        return None
    gap = (sure["after"] - fair).abs()
    near = lowest(sure.assign(gap=gap), "gap")
    return near if near["gap"] < abs(near["before"] - fair) else None


def cures_of(tried: EntrantParameters, part: pd.DataFrame, seats: int) -> Iterator[Cure]:
    """The step that brings an outlier nearest to fair, if there is one."""
    near = nearest(part, fair_share(seats))
    for step in tried.steps if near is not None else []:
        if near is not None and step.cards is not None and (step.field, step.step) == (near["path"], near["step"]):
            yield Cure(tried.entrant, near["field"], near["present"], near["value"], step.cards)


def _effect(step: pd.Series) -> str:
    """Change of the win rate by a step, and the resulting rate."""
    return f"{points(step['change'])} points {point_interval(step['low'], step['high'])}, to {percent(step['after'])}"


def _stopped_now(step: pd.Series) -> str:
    """Remark on truncated games, if they only occur with the step."""
    return stopped(step["truncated_after"] if not step["truncated_before"] else 0)


def _turned(row: pd.Series) -> str:
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"


UNITS = {"spread": "points", "length": "turns"}


@dataclass(frozen=True)
class Sample:
    """Games with unchanged cards, and the function that plays them with other cards."""

    base: Experiment
    before: Shares
    play: Play


def shared_parameter_effects(study: Study, question: Question) -> Section | None:
    """Tornado charts of the spread of the win rates and of the mean length, for numbers such as an enemy's attack.

    Settings: fields (start of their paths), leaves (end of their paths, default any), steps (step size by leaf, default 1),
    seats (default: fewest from two up), games (in multiples of the usual number), and for a field that is a list the names of
    its items.
    """
    seats = study.seats_for(question) if study.contests else 0
    if seats not in study.contests or len(study.units) <= 1:
        return None
    steps = sized_steps(study, question, _paths(study, question))
    live = [step for step in steps if step.cards and not step.idle]
    if not live:
        return None
    sample = _sample(study, question, study.fresh_seed, len(live))
    frame = _shared_measured(study, sample, live, question)
    named = _named(frame)
    again = _again(study, live, named, question)
    answer = _shared_answer(study, sample.before, seats, named, again)
    charts = tuple(_chart(study, question, frame, what, (seats, answer)) for what in UNITS)
    tables = tuple(_table(question, frame, what) for what in UNITS)
    return Section(question.id, question.text, answer, charts, tables, _shared_note(study, question, (steps, frame, again)))


def _paths(study: Study, question: Question) -> list[str]:
    """Paths of the numbers of the question, in the order of the file."""
    fields, leaves = question.settings.get("fields", ()), question.settings.get("leaves", ())
    begins = [path for path in numeric_fields(study.cards.document) if path.startswith(fields)] if fields else []
    return [path for path in begins if not leaves or leaf_of(path) in leaves]


def _sample(study: Study, question: Question, seed: int, steps: int) -> Sample:
    """Play the games of a seed with unchanged cards. steps: number of further experiments in the same stage."""
    games = study.games_for(question, study.budget.shared_games)
    base = replace(study.experiment(study.seats_for(question), games), seed=seed)
    play = study.player("shared numbers" if seed == study.fresh_seed else "shared numbers again", base.games * (steps + 1))
    return Sample(base, Shares.of(base, play), play)


def _shared_measured(study: Study, sample: Sample, steps: Sequence[Step], question: Question) -> pd.DataFrame:
    """Both quantities under every step, one line each."""
    before = sample.before
    rows = []
    for step in steps:
        assert step.cards is not None
        after = Shares.of(replace(sample.base, cards=step.cards), sample.play)
        words = field_words(study.cards.document, step.field, question.settings)
        facts = {"field": words, "path": step.field, "source": source_of(study.cards, step.field), "step": step.step}
        facts |= {"present": step.before, "value": step.value, "truncated": int(before.truncated.sum() + after.truncated.sum())}
        changes = {
            "spread": spread_change(study.by_unit(before), study.by_unit(after), len(study.units)),
            "length": length_change(before, after),
        }
        rows += [{**facts, "what": what, **asdict(effect)} for what, effect in changes.items()]
    frame = pd.DataFrame(rows)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Steps named in the answer: the significant one that narrows the spread most, else widens it least, and for length."""
    rows = []
    sure = frame[frame["sure"]]
    spreads, lengths = (sure[sure["what"] == what] for what in UNITS)
    if len(spreads):
        rows.append(lowest(spreads, "change"))
    if len(lengths):
        rows.append(highest(lengths, "change", size=True))
    return pd.DataFrame(rows)


def _again(study: Study, live: list[Step], named: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Effects of the named steps in games that were not used to choose them, in the order of `named`."""
    if named.empty:
        return named
    keys = list(zip(named["path"], named["step"], strict=True))
    steps = [step for step in live if (step.field, step.step) in keys]
    frame = _shared_measured(study, _sample(study, question, study.retest_seed, len(steps)), steps, question)
    lines = {(row["path"], row["step"], row["what"]): row for _, row in frame.iterrows()}
    return pd.DataFrame([lines[row["path"], row["step"], row["what"]] for _, row in named.iterrows()])


def _shared_answer(study: Study, before: Shares, seats: int, named: pd.DataFrame, again: pd.DataFrame) -> str:
    """Sentences on the present spread and length, and the steps that change them most."""
    wide = spread(study.by_unit(before), len(study.units))
    truncated = stopped(int(before.truncated.sum()))
    present = f"{at_seats(seats).capitalize()} the win rates of the {study.units_word} have a spread of {_points(wide.estimate)} "
    present += f"(standard deviation without the part due to chance, 95{NO_BREAK}% interval {100 * wide.low:.1f} to "
    present += f"{_points(wide.high)}, {size(wide.n)}){truncated}, and a game lasts {number(float(before.turns.mean()))} turns."
    sentences = [present]
    for what, words in (("spread", "the spread"), ("length", "the length")):
        part = named[named["what"] == what] if len(named) else named
        sentences.append(
            _shared_effect(part.iloc[0], again[again["what"] == what].iloc[0])
            if len(part)
            else f"No single step moves {words} beyond chance."
        )
    return " ".join(sentences)


def _shared_effect(row: pd.Series, again: pd.Series) -> str:
    """Clause on a named step, with its effect in new games."""
    turned = f"\u201c{row['field']}\u201d from {number(row['present'])} to {number(row['value'])}"
    if row["what"] == "spread":
        kind = "reduces the spread most" if row["change"] < 0 else "increases the spread, and no step significantly reduces it"
        moved = f"{points(row['change'])} points {point_interval(row['low'], row['high'])}"
        return f"{turned} {kind}: {moved}; in new games {points(again['change'])}."
    interval = f"(95{NO_BREAK}% interval {_turns(row['low'])} to {_turns(row['high'])})"
    moved = f"{_turns(row['change'])} turns {interval}; in new games {_turns(again['change'])}"
    return f"{turned} moves the length most: {moved}."


def _turns(change: float) -> str:
    """Signed change of the length, formatted like points."""
    return points(change / 100)


def _points(share: float) -> str:
    """Spread in points."""
    return f"{100 * share:.1f}{NO_BREAK}points"


def _chart(study: Study, question: Question, frame: pd.DataFrame, what: str, seats_and_answer: tuple[int, str]) -> Chart:
    """Tornado chart of one quantity."""
    part = frame[frame["what"] == what]
    part = part.assign(field=starred(part), value=part["value"].map(number))
    seats, answer = seats_and_answer
    quantity = {"spread": f"the spread of the win rates of the {study.units_word}", "length": "the mean length of a game"}
    caption = f"Change in {quantity[what]} {at_seats(seats)} if one number changes by one step and all else stays the same, "
    caption += f"with {study.policy} in every seat. At most {SHOWN} numbers, those that move it most; the table has all."
    alt = f"Tornado chart of {quantity[what]}. {answer}"
    figure = tornado(part, most=SHOWN, unit=UNITS[what])
    return Chart(f"{question.id}-{what}", figure, caption + assumed_note(part), alt)


def _table(question: Question, frame: pd.DataFrame, what: str) -> Table:
    """Table of every step of one quantity."""
    unit = {"spread": "spread", "length": "turns"}[what]
    columns = {"field": "number", "present": "now", "value": "becomes", "before": f"{unit} before", "after": f"{unit} after"}
    columns |= {"change": "change", "low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    columns |= {"source": "source", "path": "field of the card file"}
    form: Format = "points" if what == "spread" else "number"
    shares: Format = "percent" if what == "spread" else "number"
    formats: dict[str, Format] = dict.fromkeys(("change", "change low", "change high"), form)
    formats |= {f"{unit} before": shares, f"{unit} after": shares, "gain": "number"}
    title = {"spread": "Every step: spread of the win rates", "length": "Every step: length of a game"}
    return table(frame[frame["what"] == what], f"{question.id}-{what}", title[what], columns, formats)


def _shared_note(study: Study, question: Question, found: tuple[list[Step], pd.DataFrame, pd.DataFrame]) -> str:
    """Sentences on how the steps were measured, and on those refused or without effect."""
    steps, frame, again = found
    note = "The spread is the standard deviation of the win rates, minus what chance alone would add (jackknife over the games). "
    note += "Win rates leave out truncated games; lengths count their turns until they were stopped. Every step plays the same "
    note += f"{count(frame['n'].max())} games with the same dice (common random numbers, seed {study.fresh_seed}), and the "
    note += "differences are analysed as pairs; gain is how many times as many games two separate samples would need. Steps "
    note += f"are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps and both charts; intervals are "
    note += "for each step alone."
    note += f" {sizes_said(question)}" if sizes_said(question) else ""
    note += f" The steps named were tried again in the same number of games with seed {study.retest_seed}." if len(again) else ""

    def labels(chosen: list[Step]) -> str:
        named = [(field_words(study.cards.document, step.field, question.settings), step.step) for step in chosen]
        return listed([f"{words} {'down' if step < 0 else 'up'}" for words, step in named])

    refused, idle = [step for step in steps if not step.cards], [step for step in steps if step.idle]
    alike = frame.assign(alike=frame["low"] == frame["high"]).groupby(["path", "step"])["alike"].all()
    still = [step for step in steps if alike.get((step.field, step.step), False)]
    for chosen, words in ((refused, "Refused by the rules of the card file"), (idle, "Without effect on play")):
        note += f" {words}: {labels(chosen)}." if chosen else ""
    return note + (f" No game of the sample changed with: {labels(still)}." if still else "")


USUAL = 2  # decks tried; the answer covers the strongest and the weakest, chart and tables all
KEPT = 12  # numbers of a deck that are played again
SCREEN = 0.1  # games of the first look, as a fraction of the usual number
TABLE = "card"  # start of the paths of a card's numbers
LISTED = 15  # lines of the first look shown on the page, from each end


def card_parameter_effects(study: Study, question: Question) -> Section | None:
    """Tornado charts of the decks farthest from a fair share: the numbers of their cards.

    Settings: leaves (names of the numbers, default all), steps (step size by leaf, default 1), table (of the cards in the card
    file), decks (default two), kept (numbers of each that are played again), screen (games of the first look, in multiples of
    the usual number), seats, games (in multiples of the usual number).
    """
    decks = study.game.decks_for(study.cards)
    if decks is None or not study.contests:
        return None
    seats = study.seats_for(question)
    tried = decks_tried(study, question, USUAL)
    tried_entrants = [
        numbers for entrant in tried for numbers in _card_parameters(study, question, decks, entrant) if numbers.live
    ]
    if not tried_entrants:
        return None
    games = study.games_for(question, study.budget.step_games)
    few = study.games_for(question, round(study.budget.step_games * _number(question, "screen", SCREEN)))
    first = measured(
        study, tried_entrants, [games_of(study, numbers.entrant, seats, study.seed, few) for numbers in tried_entrants]
    )
    if first.empty:
        return None
    strong = [_kept(numbers, first, round(_number(question, "kept", KEPT))) for numbers in tried_entrants]
    frame = measured(study, strong, [games_of(study, numbers.entrant, seats, study.fresh_seed, games) for numbers in strong])
    parts = {str(name): part for name, part in frame.groupby("name", sort=False)}
    cures = [cure for numbers in strong if numbers.name in parts for cure in cures_of(numbers, parts[numbers.name], seats)]
    again = retest(study, cures)
    ends = {tried_entrants[0].name, tried_entrants[-1].name}  # the strongest and the weakest
    answer = answer_of({name: part for name, part in parts.items() if name in ends}, again, seats)
    chart = chart_of(study, question, frame, answer)
    tables = [table_of(study, _ranked(frame), question.id, "The numbers played again, the largest significant changes first")]
    tables += [retest_table(study, again, question.id)] if len(again) else []
    tables.append(_first_look(study, question, first))
    note = _card_note(study, question, tried_entrants, (first, frame))
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note)


def _number(question: Question, setting: str, usual: float) -> float:
    """Setting with a single number."""
    return float(question.settings.get(setting, (str(usual),))[0])


def _card_parameters(study: Study, question: Question, decks: Decks, entrant: int) -> Iterator[EntrantParameters]:
    """A deck and the numbers of its cards, in the order of its list."""
    begins, leaves = question.settings.get("table", (TABLE,))[0], question.settings.get("leaves", ())
    paths = numeric_fields(study.cards.document)
    words: dict[str, str] = {}
    for card in decks.slots[entrant][decks.slots[entrant] >= 0].tolist():
        begin = f"{begins}.{decks.ids[card]}."
        for path in paths:
            leaf = path.removeprefix(begin)
            if path.startswith(begin) and (not leaves or leaf in leaves):
                name = field_words(study.cards.document, path, question.settings, skip=2)
                words[path] = f"{decks.names[card]}: {name[:1].lower()}{name[1:]}"
    yield EntrantParameters(entrant, study.units[entrant], sized_steps(study, question, list(words)), words)


def _kept(tried: EntrantParameters, first: pd.DataFrame, kept: int) -> EntrantParameters:
    """The deck with its strongest numbers, both steps of each."""
    strongest = _ranked(first[first["name"] == tried.name])["path"].drop_duplicates()[:kept].tolist()
    return EntrantParameters(tried.entrant, tried.name, [step for step in tried.steps if step.field in strongest], tried.words)


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """Sort steps by the lower bound of their absolute change, then by absolute change."""
    least = np.maximum(np.maximum(frame["low"].to_numpy(), -frame["high"].to_numpy()), 0.0)
    ranked = frame.assign(least=least, size=frame["change"].abs())
    return ranked.sort_values(["least", "size"], ascending=False, kind="stable", ignore_index=True)


def _first_look(study: Study, question: Question, first: pd.DataFrame) -> Table:
    """Table of every step in the first look."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes", "change": "change"}
    columns |= {"low": "change low", "high": "change high", "n": "n", "source": "source", "path": "field of the card file"}
    return table(_ranked(first), f"{question.id}-first-look", "Every number in few games", columns, ends=LISTED)


def _card_note(
    study: Study, question: Question, entrants: list[EntrantParameters], both: tuple[pd.DataFrame, pd.DataFrame]
) -> str:
    """Sentences on how the steps were chosen and measured, and which were not."""
    first, frame = both
    seats = at_seats(study.seats_for(question))
    tried = f"the {study.units_word} farthest from a fair share {seats}: " if len(entrants) < len(study.units) else ""
    note = f"The numbers tried are those of the cards of {tried}{listed([entrant.name for entrant in entrants])}, "
    note += f"{some(len(first), 'step')} in all. A card that several {study.units_word} hold is changed in all of them. Every "
    note += f"step was first tried in few games ({size(first['n'].min())} of each {study.unit_word}, seed {study.seed}, as "
    note += "for the win rates); the numbers that moved a win rate most, by the nearer end of the interval, were played "
    note += f"again in others ({size(frame['n'].min())} per step, seed {study.fresh_seed}), and only these are drawn and judged; "
    note += f"the step named is tried once more (seed {study.retest_seed}). With and without a step the same games are played "
    note += "with the same dice (common random numbers), and the differences are analysed as pairs; gain is how many times as "
    note += "many games two separate samples would need. Truncated games are left out. "
    note += f"Steps are named, and bars coloured, only if p (Holm) < {SURE}, adjusted over all steps played again; intervals are "
    note += "for each step alone."
    return " ".join(filter(None, (note, sizes_said(question)))) + untried(entrants)
