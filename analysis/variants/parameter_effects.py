"""Report sections on which number to change: all numbers, those of outliers, of no entrant, and of cards, and two at once.

Outliers are chosen, steps are measured and the best step is retested in three separate samples of games. Decks hold many cards,
so their steps are first screened in few games, those behind the win rates; the strongest are played again with a fresh seed, and
only these are judged. A number of a card is changed in every deck that holds the card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis import charts
from analysis.answer import verdicts
from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, as_written, count, number, percent, points
from analysis.answer.prose import (
    NO_BREAK,
    assumed_note,
    at_seats,
    field_words,
    interval,
    listed,
    number_word,
    seated,
    size,
    some,
    starred,
    stopped,
)
from analysis.answer.tables import Table, highest, lowest
from analysis.data.shares import Shares, length_change, spread, spread_change
from analysis.data.study import Study
from analysis.variants.compare import decks_tried
from analysis.variants.rules import compared, games_of
from analysis.variants.sensitivity import by_least_change
from analysis.variants.tables import PAIRED, change_words, paired_note, remarks, sure_note, table
from analysis.variants.variant import Step, adjusted, change, numeric_steps
from analysis.winrates.rates import fair_share
from analysis.winrates.section import entrant_rates
from sim.engine.cards import numeric_fields
from sim.engine.questions import Parameters
from sim.experiments.experiment import Experiment

SHOWN, ALL_SHOWN = 12, 16  # most numbers in the charts: of an outlier, and of all
USUAL_STEP = 1
NAMED = "Steps are named, and bars coloured, only"
DECKS = 2  # decks tried by default; the answer covers the strongest and the weakest, chart and tables all
KEPT = 12  # numbers of a deck that are played again
SCREEN = 0.1  # games of the first look, as a fraction of the usual number
LISTED, ENDS = 15, 20  # lines shown on the page, from each end: of the first look, and of all numbers
SPREAD, LENGTH = "spread", "length"
UNITS = {SPREAD: "points", LENGTH: "turns"}
Cure = tuple[int, str, Step]  # an entrant, and the step of a number, in words, that brings it nearest to its fair share


@dataclass(frozen=True)
class EntrantParameters:
    """An outlier and the steps of its numbers. words: description of each number by path."""

    entrant: int
    name: str
    steps: list[Step]
    words: dict[str, str]

    @property
    def live(self) -> list[Step]:
        """Steps that are allowed and reach play."""
        return [step for step in self.steps if step.live]


def parameter_effects(study: Study, question: Parameters) -> Section | None:
    """Tornado charts of the strongest and the weakest entrant, and a retest of the best step at all numbers of seats.

    For teams the parts are tried, with all their numbers if the question names no fields.
    """
    prefixes = question.fields
    if not study.contests or not (prefixes or study.teams):
        return None
    seats = study.seats_for(question)
    outliers = [tried for tried in _outliers(study, seats, prefixes, question) if tried.live]
    frame = measured(study, outliers, seats, study.fresh_seed)
    if frame.empty:
        return None
    answer, chart, again = _judged(study, question, outliers, frame, [tried.name for tried in outliers])
    tables = [table(frame, "parameters", "Every step", _columns(study)), *retest_tables(study, again)]
    note = (
        f"The numbers are those of the strongest and the weakest {study.unit_word} {at_seats(seats)}, where the steps are "
        f"played.{_elsewhere(study, {tried.name for tried in outliers})} {paired_note('Both card sets')} These games are a "
        f"separate sample ({size(frame['n'].min())} of each {study.unit_word} per step, seed {study.fresh_seed}), because the "
        "games that revealed the outliers exaggerate them, and the step named is tried again in another (seed "
        f"{study.retest_seed}); so the same win rate has slightly different values.{sure_note('steps', NAMED)}"
    )
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note + untried(outliers))


def card_parameter_effects(study: Study, question: Parameters) -> Section | None:
    """Tornado charts of the decks farthest from a fair share: the numbers of their cards."""
    if study.game.decks_for(study.cards) is None or not study.contests:
        return None
    seats, usual = study.seats_for(question), study.budget.step_games
    kept, screen = question.kept or KEPT, question.screen or SCREEN
    found = [_card_parameters(study, question, entrant) for entrant in decks_tried(study, question, DECKS)]
    decks = [deck for deck in found if deck.live]
    first = measured(study, decks, seats, study.seed, study.games_for(question, round(usual * screen)))
    if first.empty:
        return None
    strong = []
    for deck in decks:  # with its strongest numbers, both steps of each
        paths = by_least_change(first[first["name"] == deck.name])["path"].drop_duplicates()[:kept].tolist()
        strong.append(replace(deck, steps=[step for step in deck.steps if step.field in paths]))
    frame = measured(study, strong, seats, study.fresh_seed, study.games_for(question, usual))
    answer, chart, again = _judged(study, question, strong, frame, [decks[0].name, decks[-1].name])
    title = "The numbers played again, the largest significant changes first"
    tables = [table(by_least_change(frame), question.id, title, _columns(study)), *retest_tables(study, again, question.id)]
    columns = {name: word for name, word in _columns(study).items() if name not in ("before", "after", "p_holm", "gain")}
    tables.append(table(by_least_change(first), f"{question.id}-first-look", "Every number in few games", columns, ends=LISTED))
    which = f"the {study.units_word} farthest from a fair share {at_seats(seats)}: " if len(decks) < len(study.units) else ""
    note = (
        f"The numbers tried are those of the cards of {which}{listed([deck.name for deck in decks])}, {some(len(first), 'step')} "
        f"in all. A card that several {study.units_word} hold is changed in all of them. Every step was first tried in few games "
        f"({size(first['n'].min())} of each {study.unit_word}, seed {study.seed}, as for the win rates); the numbers that moved "
        "a win rate most, by the nearer end of the interval, were played again in others "
        f"({size(frame['n'].min())} per step, seed {study.fresh_seed}), and only these are drawn and judged; the step named is "
        f"tried once more (seed {study.retest_seed}). {paired_note('Both ways, with and without a step,')}"
        f"{sure_note('steps played again', NAMED)}{sizes_note(question)}"
    )
    return Section(question.id, question.text, answer, (chart,), tuple(tables), note + untried(decks))


def measured(
    study: Study, outliers: Sequence[EntrantParameters], seats: int, seed: int, games: int | None = None
) -> pd.DataFrame:
    """Change in the win rate of each outlier by every possible step in its games, p adjusted over all of them (Holm).

    games: see `games_of`. Columns: those of `compared`. Empty if no outlier plays a game, possible if seats choose their
    entrants.
    """
    parts = []
    for tried in outliers:
        base = games_of(study, tried.entrant, seats, seed, games)
        parts.append(compared(study, base, tried.live, f"numbers of {tried.name}", words=tried.words, unit=tried.name))
    known = [part for part in parts if len(part)]
    return adjusted(pd.concat(known, ignore_index=True)) if known else pd.DataFrame()


def _judged(
    study: Study, question: Parameters, outliers: Sequence[EntrantParameters], frame: pd.DataFrame, named: Sequence[str]
) -> tuple[str, DrawnChart, pd.DataFrame]:
    """Answer on the outliers `named`, tornado chart, and the best steps in new games: see `retest`."""
    seats, parts = study.seats_for(question), {str(name): part for name, part in frame.groupby("name", sort=False)}
    cures: list[Cure] = []
    for tried in outliers:
        near = nearest(parts[tried.name], fair_share(seats)) if tried.name in parts else None
        if near is not None:
            step = next(step for step in tried.live if (step.field, step.step) == (near["path"], near["step"]))
            cures.append((tried.entrant, near["field"], step))
    again, sentences = retest(study, cures), []
    for name, part in parts.items():
        if name in named:
            sentences += [_best_steps(part, seats), outcome(again[again["name"] == name] if len(again) else again)]
    answer = " ".join(filter(None, sentences))
    caption = (
        f"Change in the win rate {at_seats(seats)} if one number is changed by one step and all else stays the same, with "
        f"{study.policy} in every seat. At most {SHOWN} numbers each, those that move it most; the table has all."
        f"{assumed_note(frame)}"
    )
    shown = frame.assign(field=starred(frame), value=frame["value"].astype(str))
    largest = shown.assign(size=frame["change"].abs()).groupby(["name", "field"], sort=False)["size"].max()
    kept = largest.groupby(level="name", sort=False, group_keys=False).nlargest(SHOWN).index
    shown = shown[shown.set_index(["name", "field"]).index.isin(kept)]
    alt = f"Tornado chart of the numbers of the outliers. {answer}"
    return answer, DrawnChart(question.id, charts.tornado(shown, most=SHOWN), caption, alt), again


def _columns(study: Study) -> dict[str, str]:
    """Columns of a table of steps."""
    first = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes"}
    return first | PAIRED | {"source": "source", "path": "field of the card file"}


def untried(outliers: Sequence[EntrantParameters]) -> str:
    """Sentences on refused steps and on numbers that never reach play, starting with a blank."""
    every = [(tried.words[step.field], step) for tried in outliers for step in tried.steps]
    refused = [f"{words} {'one step down' if step.step < 0 else 'one step up'}" for words, step in every if not step.cards]
    idle = sorted({words for words, step in every if step.idle})
    return remarks(("The rules of the card file refuse", refused), ("Without effect on play", idle))


def _elsewhere(study: Study, tried: set[str]) -> str:
    """Sentence on the strongest and weakest at other numbers of seats that are not tried here."""
    found: dict[str, list[str]] = {}
    for seats in study.contests:
        for name in {study.units[entrant] for entrant in _ends(study, seats)} - tried:
            found.setdefault(name, []).append(number_word(seats))
    named = [f"{name} ({listed(words)} seats)" for name, words in sorted(found.items())]
    return remarks(("Strongest or weakest at other numbers of seats, and not tried", named))


def _ends(study: Study, seats: int) -> list[int]:
    """The strongest and the weakest entrant at this number of seats; empty without finished games."""
    frame = entrant_rates(study)
    frame = frame[(frame["n"] > 0) & (frame["seats"] == seats)]
    ends = (highest, lowest) if len(frame) else ()
    return list(dict.fromkeys(int(end(frame, "estimate")["entrant"]) for end in ends))


def _outliers(study: Study, seats: int, prefixes: tuple[str, ...], question: Parameters) -> list[EntrantParameters]:
    """The strongest and the weakest entrant at this number of seats, with their steps."""
    outliers = []
    for entrant in _ends(study, seats):
        id_ = study.unit_ids[entrant]
        begins = tuple(f"{prefix}{id_}." for prefix in prefixes)
        paths = numeric_fields(study.cards.document)
        numbers = [path for path in paths if (path.startswith(begins) if prefixes else path.split(".")[1:2] == [id_])]
        words = {path: field_words(study.cards.document, path, question.names, skip=2) for path in numbers}
        outliers.append(EntrantParameters(entrant, study.units[entrant], numeric_steps(study.game, study.cards, numbers), words))
    return outliers


def _card_parameters(study: Study, question: Parameters, entrant: int) -> EntrantParameters:
    """A deck and the numbers of its cards, in the order of its list."""
    decks = study.game.decks_for(study.cards)
    assert decks is not None
    begins, leaves = question.table, question.leaves
    paths = numeric_fields(study.cards.document)
    words: dict[str, str] = {}
    for card in decks.slots[entrant][decks.slots[entrant] >= 0].tolist():
        begin = f"{begins}.{decks.ids[card]}."
        for path in paths:
            if path.startswith(begin) and (not leaves or path.removeprefix(begin) in leaves):
                name = field_words(study.cards.document, path, question.names, skip=2)
                words[path] = f"{decks.names[card]}: {name[:1].lower()}{name[1:]}"
    return EntrantParameters(entrant, study.units[entrant], sized_steps(study, question, list(words)), words)


def sizes(question: Parameters) -> dict[str, int]:
    """Step size by name of the number; empty if all are the usual one."""
    return dict(zip(question.leaves, question.steps, strict=bool(question.steps)))


def sized_steps(study: Study, question: Parameters, paths: Sequence[str]) -> list[Step]:
    """Steps of each number, one down and one up, in the order of the paths."""
    by = [(path, sizes(question).get(leaf_of(path), USUAL_STEP)) for path in paths]
    return [step for path, size_ in by for step in numeric_steps(study.game, study.cards, [path], (-size_, size_))]


def leaf_of(path: str) -> str:
    """Name of a number: the last word of its path, without the place in a list."""
    return path.rpartition(".")[2].partition("[")[0]


def sizes_note(question: Parameters) -> str:
    """Sentence on step sizes, after a blank; empty if all are the usual one."""
    large = [f"{leaf.replace('_', ' ')} {step}" for leaf, step in sizes(question).items() if step != USUAL_STEP]
    return f" One step is {USUAL_STEP}; for {listed(large)}." if large else ""


def _best_steps(part: pd.DataFrame, seats: int) -> str:
    """Sentences on the strongest significant step towards an outlier's fair share, and the step that ends nearest to it."""
    fair, first = fair_share(seats), part.iloc[0]
    answer = (
        f"{first['name']} wins {percent(first['before'])} of its {seated(seats)} games{stopped(first['truncated_before'])} "
        f"{interval(first['before_low'], first['before_high'], first['n'])}. "
    )
    if not part["sure"].any():
        return f"{answer}No single step changes that beyond chance."
    better, near = part[part["sure"] & (part["change"] * (fair - first["before"]) > 0)], nearest(part, fair)
    if better.empty or near is None:
        return f"{answer}No single step brings it significantly nearer to the fair {percent(fair)}."

    def remark(step: pd.Series) -> str:  # on truncated games, if they only occur with the step
        return stopped(step["truncated_after"] if not step["truncated_before"] else 0)

    top = highest(better, "change", size=True)
    answer += f"The strongest step towards fair is {turned(top)}: {change_words(top)}, to {percent(top['after'])}"
    if near.name == top.name:
        return f"{answer}, as near to the fair {percent(fair)} as any single step brings it{remark(top)}."
    effect = f"{change_words(near)}, to {percent(near['after'])}{remark(near)}"
    return f"{answer}{remark(top)}; {turned(near)} brings it nearest to the fair {percent(fair)}: {effect}."


def nearest(part: pd.DataFrame, fair: float) -> pd.Series | None:
    """The significant step that brings an outlier nearest to its fair share; None if none brings it nearer."""
    sure = part[part["sure"]]
    if sure.empty:
        return None
    near = lowest(sure.assign(gap=(sure["after"] - fair).abs()), "gap")
    return near if near["gap"] < abs(near["before"] - fair) else None


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the unchanged cards, at every number of seats; one line each.

    Columns: those of `change` for the entrant, and seats, fair, p_beyond and verdict (of the rate after, over all lines, see
    `verdicts.with_verdicts`), field, present, value. Empty if there is no cure.
    """
    lines = []
    for entrant, words, step in cures:
        assert step.cards is not None
        name, bases = study.units[entrant], [games_of(study, entrant, seats, study.retest_seed) for seats in study.contests]
        play = study.play_as(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            changes = change(base, step.cards, play)
            found = changes[changes["name"] == name]  # empty if seats choose their entrants, and not this one
            facts = {"field": words, "present": step.before, "value": step.value}
            lines.append(found.assign(**facts, seats=base.seats, fair=fair_share(base.seats)))
    frame = pd.concat(lines, ignore_index=True) if lines else pd.DataFrame()
    if frame.empty:
        return pd.DataFrame()
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    judged = verdicts.with_verdicts(after, verdicts.score(after["estimate"], verdicts.worth(after)))
    return frame.join(judged[["p_beyond", "verdict"]])


def outcome(part: pd.DataFrame) -> str:
    """Sentence on the win rates with a cure at each number of seats, with the fair shares; empty for an empty frame."""
    if part.empty:
        return ""
    rates = [
        f"{percent(row['after'])} {at_seats(row['seats'])} ({100 * row['after_low']:.1f} to {percent(row['after_high'])}; fair "
        f"{percent(row['fair'])}{': ' + row['verdict'] if row['verdict'] in verdicts.UNFAIR else ''})"
        for _, row in part.iterrows()
    ]
    return f"In new games with that step, {part['name'].iloc[0]} would win {listed(rates)}."


def retest_tables(study: Study, frame: pd.DataFrame, id_: str = "parameters") -> list[Table]:
    """Table of every cure at every number of seats; none without cures. id_: of the table of the steps."""
    if frame.empty:
        return []
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes", "seats": "seats"}
    columns |= {"before": "before", "after": "after", "after_low": "low", "after_high": "high", "fair": "fair share"}
    columns |= {"p_beyond": verdicts.HEADING, "verdict": "verdict after"}
    columns |= {name: PAIRED[name] for name in ("change", "low", "high", "n")}
    return [table(frame, f"{id_}-retest", "The best step at every number of seats", columns)]


def shared_parameter_effects(study: Study, question: Parameters) -> Section | None:
    """Tornado charts of the spread of the win rates and of the mean length, for numbers such as an enemy's attack."""
    seats = study.seats_for(question) if study.contests else 0
    if seats not in study.contests or len(study.units) <= 1:
        return None
    fields, leaves = question.fields, question.leaves
    begins = [path for path in numeric_fields(study.cards.document) if path.startswith(fields)] if fields else []
    steps = sized_steps(study, question, [path for path in begins if not leaves or leaf_of(path) in leaves])
    words = {step.field: field_words(study.cards.document, step.field, question.names) for step in steps}
    live = [step for step in steps if step.live]
    if not live:
        return None
    before, frame = _shared_measured(study, question, study.fresh_seed, live, words)
    named = _named(frame)
    again = [step for step in live if len(named) and ((named["path"] == step.field) & (named["step"] == step.step)).any()]
    _, new = _shared_measured(study, question, study.retest_seed, again, words) if again else (before, frame)
    effects = {}
    for _, row in named.iterrows():
        same = (new["path"] == row["path"]) & (new["step"] == row["step"]) & (new["what"] == row["what"])
        effects[row["what"]] = _shared_effect(row, new[same].iloc[0])
    wide = spread(study.by_unit(before), len(study.units))
    answer = (
        f"{at_seats(seats).capitalize()} the win rates of the {study.units_word} have a spread of "
        f"{100 * wide.estimate:.1f}{NO_BREAK}points (standard deviation without the part due to chance, 95{NO_BREAK}% interval "
        f"{100 * wide.low:.1f} to {100 * wide.high:.1f}{NO_BREAK}points, {size(wide.n)}){stopped(int(before.truncated.sum()))}, "
        f"and a game lasts {number(float(before.turns.mean()))} turns."
    )
    answer = " ".join([answer, *(effects.get(what, f"No single step moves the {what} beyond chance.") for what in UNITS)])
    figures, tables = [], []
    for what, long, title in (
        (SPREAD, f"the spread of the win rates of the {study.units_word}", "spread of the win rates"),
        (LENGTH, "the mean length of a game", "length of a game"),
    ):
        part = frame[frame["what"] == what]
        drawn = part.assign(field=starred(part), value=part["value"].map(number))
        caption = (
            f"Change in {long} {at_seats(seats)} if one number changes by one step and all else stays the same, with "
            f"{study.policy} in every seat. At most {SHOWN} numbers, those that move it most; the table has all."
            f"{assumed_note(drawn)}"
        )
        id_, alt = f"{question.id}-{what}", f"Tornado chart of {long}. {answer}"
        figures.append(DrawnChart(id_, charts.tornado(drawn, most=SHOWN, unit=UNITS[what]), caption, alt))
        unit = {SPREAD: "spread", LENGTH: "turns"}[what]
        columns = {name: word for name, word in _columns(study).items() if name != "name"}
        columns |= {"before": f"{unit} before", "after": f"{unit} after"}
        form: Format = "points" if what == SPREAD else "number"
        formats: dict[str, Format] = dict.fromkeys(("change", "change low", "change high"), form)
        formats |= dict.fromkeys((f"{unit} before", f"{unit} after"), "percent" if what == SPREAD else "number")
        tables.append(table(part, id_, f"Every step: {title}", columns, formats))
    alike = frame.assign(alike=frame["low"] == frame["high"]).groupby(["path", "step"])["alike"].all()

    def labels(chosen: Sequence[Step]) -> list[str]:
        return [f"{words[step.field]} {'down' if step.step < 0 else 'up'}" for step in chosen]

    note = (
        "The spread is the standard deviation of the win rates, minus what chance alone would add (jackknife over the games). "
        "Win rates leave out truncated games; lengths count their turns until they were stopped. Every step plays the same "
        f"{count(frame['n'].max())} games with the same dice (common random numbers, seed {study.fresh_seed}), and the "
        "differences are analysed as pairs; gain is how many times as many games two separate samples would need."
        f"{sure_note('steps and both charts', NAMED)}{sizes_note(question)}"
    )
    note += f" The steps named were tried again in the same number of games with seed {study.retest_seed}." if len(named) else ""
    note += remarks(
        ("Refused by the rules of the card file", labels([step for step in steps if not step.cards])),
        ("Without effect on play", labels([step for step in steps if step.idle])),
        ("No game of the sample changed with", labels([step for step in steps if alike.get((step.field, step.step), False)])),
    )
    return Section(question.id, question.text, answer, tuple(figures), tuple(tables), note)


def _shared_measured(
    study: Study, question: Parameters, seed: int, steps: Sequence[Step], words: dict[str, str]
) -> tuple[Shares, pd.DataFrame]:
    """The games of a seed with unchanged cards, and both quantities under every step, one line each, p adjusted over all."""
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.shared_games))
    base = replace(base, seed=seed)
    stage = "shared numbers" if seed == study.fresh_seed else "shared numbers again"
    before = Shares.of(base, study.play_as(stage, base.games))

    def both(_: Experiment, old: Shares, new: Shares) -> pd.DataFrame:
        spreads = spread_change(study.by_unit(old), study.by_unit(new), len(study.units))
        return pd.DataFrame([{"what": SPREAD, **vars(spreads)}, {"what": LENGTH, **vars(length_change(old, new))}])

    return before, compared(study, base, steps, stage, words=words, before=before, measure=both)


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """Steps named in the answer: the significant one that narrows the spread most, else widens it least, and for length."""
    sure = frame[frame["sure"]]
    spreads, lengths = (sure[sure["what"] == what] for what in UNITS)
    named = [lowest(spreads, "change")] if len(spreads) else []
    return pd.DataFrame([*named, *([highest(lengths, "change", size=True)] if len(lengths) else [])])


def _shared_effect(row: pd.Series, again: pd.Series) -> str:
    """Sentence on a named step, with its effect in new games."""
    step = f"\u201c{row['field']}\u201d from {number(row['present'])} to {number(row['value'])}"
    if row["what"] == SPREAD:
        kind = "reduces the spread most" if row["change"] < 0 else "increases the spread, and no step significantly reduces it"
        return f"{step} {kind}: {change_words(row)}; in new games {points(again['change'])}."
    change_, low, high, new = (points(value / 100) for value in (row["change"], row["low"], row["high"], again["change"]))
    return f"{step} moves the length most: {change_} turns (95{NO_BREAK}% interval {low} to {high}); in new games {new}."


def turned(row: pd.Series) -> str:
    """Write a step, e.g. \u201cKnight: dice\u201d from 2 to 1. row: field, present, value."""
    return f"\u201c{row['field']}\u201d from {as_written(row['present'])} to {as_written(row['value'])}"
