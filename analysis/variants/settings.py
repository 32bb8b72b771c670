"""Report sections on win rates over the values of rules and numbers, and effects of variants on length and first player.

Retest of a recommended step, and the value of keywords: decks with and without each, in the same games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.charts import dumbbell, gains, grid, lines
from analysis.data import rows
from analysis.data.shares import Shares, by_entrant, length_change
from analysis.data.study import Study
from analysis.document import prose
from analysis.document.model import (
    WIN_RATE,
    Chart,
    Format,
    Section,
    Table,
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
    capital,
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
    value_words,
)
from analysis.stats.intervals import Interval, adjust, mean, proportions
from analysis.stats.paired import grouped_changes, paired_changes, paired_ratio
from analysis.variants.compare import decks_tried
from analysis.variants.variant import GamesOf, GamesOfPart, Step, change, difference, each_value, effects
from analysis.winrates.rates import fair_share
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import NO_CARD, Decking, Decks
from sim.engine.measures import Question
from sim.weights import remade

ALL = -1  # stands for all entrants together


def settings(study: Study, question: Question) -> Section | None:
    """Heat maps, one per setting, of every entrant's win rate under each value.

    Settings: path of a rule -> values as text, with or without the present one, a list written `a+b` (see `parsed`); a key
    without a dot is an option: seats (default: the fewest), games (in multiples of the usual number). Each value plays the same
    games.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    named = question.settings.get("seats")
    seats = int(named[0]) if named else min(study.seats)
    if seats not in study.seats or not rules:
        return None
    steps = [step for path, texts in rules.items() for step in each_value(study.game, study.cards, path, texts)]
    games = study.games_for(question, study.budget.variant_games)
    frame = _measured(study, seats, games, [step for step in steps if step.cards])
    if frame.empty:
        return None
    frame = frame if seats == 1 else frame[frame["entrant"] != ALL]  # in a contest all together win every game
    cells = frame[frame["entrant"] != ALL]
    word = "success" if seats == 1 else "wins"
    answer = _answer(study, frame, seats)
    caption = f"{'Success' if seats == 1 else 'Win rate'} by {study.unit_word} under each value, {at_seats(seats)}, with "
    caption += f"{study.policy} in every seat. Best first, over all values together."
    several = len(set(cells["setting"])) > 1
    drawn = cells.rename(columns={"name": "row", "shown": "column"})
    figure = grid(drawn, panels="setting" if several else None, label=f"{word}, in % of the games")
    chart = Chart(question.id, figure, caption, f"Heat map of {study.unit_word} by value of the setting. {answer}")
    columns = {"setting": "setting", "value": "value", "name": study.unit_word, "estimate": _rate(seats), "low": "low"}
    columns |= {"high": "high", "n": "n", "truncated": "truncated", "turns": "mean turns"}
    numbers = table(frame, question.id, "Every value", columns, {_rate(seats): "percent"})
    refused = [f"{_name(step)} {value_words(step.value)}" for step in steps if not step.cards]
    return Section(question.id, question.text, answer, (chart,), (numbers,), _note(frame, refused))


def _measured(study: Study, seats: int, games: int, steps: list[Step]) -> pd.DataFrame:
    """Rates by setting, value and entrant (and for all together), entrants best first over all values."""
    base = study.experiment(seats, games)
    play = study.player("settings", base.games * len(steps))
    parts = []
    for step in steps:
        assert step.cards is not None
        shares = Shares.of(replace(base, cards=step.cards), play)
        played = step.value == step.before
        words = value_words(step.value)
        facts = {"setting": _name(step), "value": words, "shown": f"{words} (as played)" if played else words, "played": played}
        parts.append(_rates(study, shares).assign(**facts))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    strength = frame.groupby("entrant")["estimate"].mean().sort_values(ascending=False, kind="stable")
    order = [ALL, *(entrant for entrant in strength.index if entrant != ALL)]
    rank = frame["entrant"].map({entrant: place for place, entrant in enumerate(order)})
    return frame.iloc[np.lexsort((rank, np.repeat(np.arange(len(parts)), [len(part) for part in parts])))]


def _rates(study: Study, games: Shares) -> pd.DataFrame:
    """Win rates of all together, then by entrant, in finished games. truncated: share of the games; turns: mean."""
    units = study.by_unit(games)
    sits, _ = by_entrant(units.entrant, units.share, len(study.units))
    counted, share = units.counted(len(study.units))
    turns = (sits * games.turns[:, None]).sum(axis=0)
    over = float((~games.truncated).sum())
    together = (float(games.share.sum()), over, float(len(games.share)), float(games.turns.sum()))
    each = (share.sum(axis=0), counted.sum(axis=0), sits.sum(axis=0), turns)
    won, n, played, lasted = (np.concatenate([[total], parts]) for total, parts in zip(together, each, strict=True))
    rates = proportions(won.clip(max=n), n)
    stopped, mean = (np.divide(sums, played, out=np.full(played.size, np.nan), where=played > 0) for sums in (played - n, lasted))
    facts: dict[str, Any] = {"entrant": [ALL, *range(len(study.units))], "name": ["all", *study.units]}
    return rates.assign(**facts, truncated=stopped, turns=mean)


def _answer(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the best and worst entrant, and at one seat on the easiest and hardest value."""
    sentences = []
    for setting, part in frame.groupby("setting", sort=False):
        if seats == 1:
            sentences.append(_easiest(part[part["entrant"] == ALL], study.units_word))
        cells = part[(part["entrant"] != ALL) & (part["n"] > 0)]
        for value, line in cells.groupby("value", sort=False):
            if len(line) > 1 and (line["played"].all() or not cells["played"].any()):
                sentences.append(_best(line, f"{str(setting).lower()} \u201c{value}\u201d", seats))
                break
    return " ".join(filter(None, sentences))


def _easiest(whole: pd.DataFrame, entrants: str) -> str:
    """Sentence on the values with the most and the fewest successes at one seat, over all entrants."""
    whole = whole[whole["n"] > 0]
    if whole.empty:
        return "At one seat, none of the games came to an end."
    top, low = highest(whole, "estimate"), lowest(whole, "estimate")
    reached = f"{percent(top['estimate'])} {interval(top['low'], top['high'], top['n'])}"
    value = f"{top['setting'].lower()} \u201c{top['value']}\u201d"
    sentence = f"At one seat, all {entrants} together succeed with {value} in {reached}"
    if len(whole) == 1:
        return sentence + "."
    least = f"{percent(low['estimate'])} ({100 * low['low']:.1f} to {percent(low['high'])})"
    return f"{sentence}, the most, and \u201c{low['value']}\u201d in {least}, the fewest."


def _best(line: pd.DataFrame, value: str, seats: int) -> str:
    """Sentence on the best and the worst entrant under one value."""
    top, low = highest(line, "estimate"), lowest(line, "estimate")
    does = "succeeds in" if seats == 1 else "wins"
    sentence = f"With {value} {at_seats(seats)} {top['name']} {does} {percent(top['estimate'])} "
    sentence += f"{interval(top['low'], top['high'], top['n'])}, {low['name']} {percent(low['estimate'])} "
    return sentence + f"({100 * low['low']:.1f} to {percent(low['high'])})."


def _note(frame: pd.DataFrame, refused: list[str]) -> str:
    """Sentences on how the values were measured."""
    note = f"Every value plays the same line-ups with the same dice, up to {count(frame['n'].max())} games that came to an end; "
    note += "intervals are Wilson's, for each rate alone. Truncated games, stopped at a limit, are left out of win rates."
    return note + (f" Refused by the rules of the card file: {listed(refused)}." if refused else "")


def _rate(seats: int) -> str:
    return "success" if seats == 1 else WIN_RATE


def _name(step: Step) -> str:
    """Setting in words: the last item of its path."""
    return capital(step.field.rpartition(".")[2].replace("_", " "))


SURE = 0.05  # p-value adjusted over all win rates of the section
LINES = 8  # most entrants in a chart; those that move most


def sweep(study: Study, question: Question) -> Section | None:
    """Lines of the win rates over the values of each number, a panel per number, with bands.

    Settings: path of a number -> ascending values, with or without the present one; paths that the card file does not have are
    ignored, so that a question works for other card sets. A key without a dot is an option: seats (default: fewest from two up),
    games (in multiples of the usual number), or, for a field that is a list, the names of its items.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    steps = _steps(study, rules)
    live = [step for step in steps if step.cards]
    frame = _sweep_measured(study, question, live) if live else pd.DataFrame()
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _sweep_answer(frame, seats)
    caption = f"Win rate of each {study.unit_word} by the value of a number, {at_seats(seats)} with {study.policy} in all seats; "
    caption += "the same games and dice at every value, dashes: the value as played." + assumed_note(frame)
    drawn = _drawn(frame)
    caption += f" Only the {LINES} that move most are shown." if drawn["line"].nunique() < frame["name"].nunique() else ""
    figure = lines(drawn, label="value", close=True)
    chart = Chart(question.id, figure, caption, f"Lines of win rates over the values of a number. {answer}")
    refused = [f"{_words(study, question, step)} {step.value}" for step in steps if not step.cards]
    note = "Every value plays the same line-ups and dice (common random numbers): changes against the value played "
    note += "are analysed as pairs. Bands: Wilson intervals for each rate alone. Truncated games are left out. A change is "
    note += f"significant if p (Holm) < {SURE}, over all values and {study.units_word}; intervals are for each alone."
    note += f" Refused by the rules of the card file: {listed(refused)}." if refused else ""
    return Section(question.id, question.text, answer, (chart,), (_table(study, question, frame),), note)


def _steps(study: Study, rules: dict[str, tuple[str, ...]]) -> list[Step]:
    """Steps for every value of every number in the card file."""
    steps = []
    for path, texts in rules.items():
        try:
            steps += [step for step in each_value(study.game, study.cards, path, texts) if step.before is not None]
        except CardError:
            continue
    return steps


def _words(study: Study, question: Question, step: Step) -> str:
    return field_words(study.cards.document, step.field, question.settings)


def _sweep_measured(study: Study, question: Question, steps: list[Step]) -> pd.DataFrame:
    """One line per value and entrant: columns of `compare`, field, path, source, value, played, turns, p_holm, sure."""
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.variant_games))
    others = [step for step in steps if step.value != step.before]
    play = study.player(f"values of numbers ({question.id})", base.games * (len(others) + 1))
    before = Shares.of(base, play)
    parts = []
    for step in steps:
        assert step.cards is not None
        played = step.value == step.before
        after = before if played else Shares.of(replace(base, cards=step.cards), play)
        facts: dict[str, Any] = {
            "field": _words(study, question, step),
            "path": step.field,
            "source": source_of(study.cards, step.field),
        }
        facts |= {"value": float(step.value), "present": float(step.before)}
        part = difference(base, before, after).assign(**facts, played=played)
        parts.append(part.assign(turns=float(np.mean(after.turns))))
    frame = pd.concat(parts, ignore_index=True)
    frame = frame.assign(p_holm=np.nan)
    moved = ~frame["played"].to_numpy(bool)
    frame.loc[moved, "p_holm"] = adjust(frame.loc[moved, "p"]) if moved.any() else np.nan
    return frame.assign(sure=frame["p_holm"] < SURE)


def _drawn(frame: pd.DataFrame) -> pd.DataFrame:
    """Data of the line chart."""
    reach = frame.groupby("name", sort=False)["change"].agg(lambda change: change.abs().max())
    kept = set(reach.nlargest(LINES).index)
    shown = frame[frame["name"].isin(kept)]
    names = {"field": "panel", "name": "line", "value": "x", "after": "estimate"}
    ends = shown[["after_low", "after_high"]].rename(columns={"after_low": "low", "after_high": "high"})
    columns = ["field", "name", "value", "after", "n", "present"]
    return pd.concat([shown.assign(field=starred(shown))[columns].rename(columns=names), ends], axis=1)


def _table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    columns = {"field": "number", "present": "as played", "value": "value", "name": study.unit_word, "after": "win rate"}
    columns |= {"after_low": "low", "after_high": "high", "change": "change", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"turns": "mean turns", "source": "source"}
    shown = frame.assign(
        change=frame["change"].mask(frame["played"]),
        change_low=frame["low"].mask(frame["played"]),
        change_high=frame["high"].mask(frame["played"]),
    )
    columns |= {"change_low": "change low", "change_high": "change high"}
    formats: dict[str, Format] = {"value": "number", "as played": "number"}
    return table(shown, question.id, "Every value", columns, formats)


def _sweep_answer(frame: pd.DataFrame, seats: int) -> str:
    """Sentences by number: the largest change of a win rate at the nearest value, and the length of games."""
    sentences: list[str] = []
    for field, part in frame.groupby("field", sort=False):
        moved = part[~part["played"]]
        if moved.empty:
            continue
        near = _nearest(moved)
        top = highest(near, "change", size=True)
        line = f"{'With' if sentences else 'with'} \u201c{field}\u201d at {number(top['value'])} instead of "
        line += f"{number(top['present'])} {top['name']} wins "
        line += f"{percent(top['after'])} instead of {percent(top['before'])}, {points(top['change'])} points "
        line += f"{point_interval(top['low'], top['high'])[:-1]}, {size(top['n'])})"
        line += f"{stopped(top['truncated_before'] + top['truncated_after'])}"
        line += "" if top["sure"] else ", which may be chance"
        ends = part.drop_duplicates("value").sort_values("value")
        first, last = ends.iloc[0], ends.iloc[-1]
        line += f"; from {number(first['value'])} to {number(last['value'])} games go from {first['turns']:.1f} to "
        sentences.append(f"{line}{last['turns']:.1f} turns.")
    return f"{capital(at_seats(seats))}, {' '.join(sentences)}" if sentences else "No other value can be played."


def _nearest(moved: pd.DataFrame) -> pd.DataFrame:
    """Rows of the values nearest to the present one."""
    gap = (moved["value"] - moved["present"]).abs()
    near: pd.DataFrame = moved[gap == gap.min()]
    return near


WORDS = ("as played", "read differently")


@dataclass(frozen=True)
class Course:
    """A quantity of games. label: of its axis; said: name in a sentence; unit: of its changes."""

    label: str
    said: str
    unit: str

    @property
    def shares(self) -> bool:
        """Whether it is a share, printed in percent."""
        return self.unit == "points"


COURSES = {
    "length": Course("mean length of a game, turns", "the length of a game", "turns"),
    "first": Course("win share of the first player", "the win share of the first player", "points"),
}


def moved(what: str, before: Shares, after: Shares) -> dict[str, float]:
    """A quantity before and after with intervals, and its paired change: columns for a frame, named after the quantity.

    Raises ValueError for a quantity that is not in COURSES. A truncated game counts with the turns until it was stopped, and is
    left out of win shares, as are games without a first player.
    """
    if what not in COURSES:
        raise ValueError(f"beside={what!r} must be among {', '.join(COURSES)}")
    values = _of_first(before, after) if what == "first" else _length(before, after)
    return {f"{what}_{key}": value for key, value in values.items()}


def _length(before: Shares, after: Shares) -> dict[str, float]:
    turns = {"before": mean(before.by_pair(before.turns)), "after": mean(after.by_pair(after.turns))}
    bounds = {key: value for when, interval_ in turns.items() for key, value in _bounds(when, interval_).items()}
    return asdict(length_change(before, after)) | bounds


def _of_first(before: Shares, after: Shares) -> dict[str, float]:
    b, a = (games.of_first.astype(np.float64) for games in (before, after))
    known = np.isfinite(b) & np.isfinite(a)
    if (known & (before.truncated | after.truncated)).any():
        return _of_first_finished(before, after)
    if not known.any():
        return dict.fromkeys((*_KEYS, "before_low", "before_high", "after_low", "after_high"), np.nan) | {"n": 0}
    b, a = b[known], a[known]
    key = before.pair[known] if before.pair.size else np.arange(len(b))
    _, pair, games = np.unique(key, return_inverse=True, return_counts=True)
    d = np.bincount(pair, a - b) / games
    up, down = d.clip(min=0).sum(), (-d).clip(min=0).sum()
    changes = paired_changes([up], [down], [len(d)])
    if len(d) < len(b):
        changes = grouped_changes([up], [down], [(d**2).sum()], [len(d)])
    values = {name: float(changes[name].iloc[0]) for name in ("change", "low", "high", "p")} | {"n": len(b)}
    values |= {"before": float(b.mean()), "after": float(a.mean())}
    return values | _bounds("before", rows.share(key, b)) | _bounds("after", rows.share(key, a))


def _of_first_finished(before: Shares, after: Shares) -> dict[str, float]:
    """`_of_first` with truncated games: over the finished games before, and after."""
    shares = [np.nan_to_num(games.of_first.astype(np.float64)) for games in (before, after)]
    known = [np.isfinite(games.of_first) & ~games.truncated for games in (before, after)]
    if not all(part.any() for part in known):
        return dict.fromkeys((*_KEYS, "before_low", "before_high", "after_low", "after_high"), np.nan) | {"n": 0}
    key = before.pair if before.pair.size else np.arange(len(before.share))
    moved = paired_ratio((shares[0], known[0]), (shares[1], known[1]), key)
    values = {name: float(getattr(moved, name)) for name in (*_KEYS, "n")}
    for when, share, part in zip(("before", "after"), shares, known, strict=True):
        values |= _bounds(when, rows.share(key[part], share[part]))
    return values


_KEYS = ("before", "after", "change", "low", "high", "p")


def _bounds(when: str, interval_: Interval) -> dict[str, float]:
    """Both ends of an interval, by column name."""
    return {f"{when}_low": interval_.low, f"{when}_high": interval_.high}


def courses(frame: pd.DataFrame, wanted: tuple[str, ...]) -> pd.DataFrame:
    """One line per quantity and variant, largest change first: what, variant, short (its label), those of `moved`, p_holm, sure.

    frame: columns variant, short, and those of `moved`, equal for all lines of a variant.
    """
    first = frame.drop_duplicates("variant")
    tables = []
    for what in wanted:
        names = {name: name.removeprefix(f"{what}_") for name in map(str, first.columns) if name.startswith(f"{what}_")}
        part = first[["variant", "short", *names]].rename(columns=names).assign(what=what)
        part = part[part["n"] > 0].astype({"n": int})
        order = part["change"].abs().sort_values(ascending=False, kind="stable").index
        tables.append(part.loc[order])
    result = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
    if result.empty:
        return result
    p_holm = adjust(result["p"])
    return result.assign(p_holm=p_holm, sure=p_holm < SURE)


def said_of_courses(found: pd.DataFrame, truncated: bool) -> str:
    """Sentences on the variant that significantly moves each quantity most. truncated: whether games were stopped."""
    return " ".join(_course_answer(what, part, truncated) for what, part in found.groupby("what", sort=False))


def _course_answer(what: object, part: pd.DataFrame, truncated: bool) -> str:
    course = COURSES[str(what)]
    sure = part[part["sure"]]
    if sure.empty:
        return f"No variant moves {course.said} beyond chance."
    top = highest(sure, "change", size=True)
    change, low, high = (_signed(course, top[key]) for key in ("change", "low", "high"))
    to = f"from {_plain(course, top['before'])} to {_plain(course, top['after'])}"
    unit = f" {course.unit}"
    bounds = f"(95{NO_BREAK}% interval {low} to {high})"
    counts = stopped(truncated) if course.shares else ""
    sentence = f"{capital(course.said)} is moved most by \u201c{top['variant']}\u201d: {to}, {change}{unit} {bounds}{counts}"
    return f"{sentence}; no other variant moves it significantly." if len(sure) == 1 else f"{sentence}."


def _signed(course: Course, change: float) -> str:
    return points(change if course.shares else change / 100)


def _plain(course: Course, value: float) -> str:
    return percent(value) if course.shares else f"{value:.1f}"


def charts_of(study: Study, question: Question, found: pd.DataFrame) -> list[Chart]:
    """Paired dots of each quantity: every variant against the rules as played, and the change."""
    charts = []
    for what, part in found.groupby("what", sort=False):
        course = COURSES[str(what)]
        names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
        names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
        shown = part.rename(columns=names).assign(name=part["short"])
        change = f"change, {course.unit}"
        figure = dumbbell(shown, words=WORDS, label=course.label, change=change, shares=course.shares)
        caption = f"{capital(course.said)} {at_seats(study.seats_for(question))} as the rules are played and with one of them "
        caption += f"read differently, with {study.policy} in every seat; the same games and dice, the largest change first."
        alt = f"Paired dots, one row per variant. {_course_answer(what, part, truncated=False)}"
        charts.append(Chart(f"{question.id}-{what}", figure, caption, alt))
    return charts


def tables_of(question: Question, found: pd.DataFrame) -> list[Table]:
    """Tables of each quantity under every variant."""
    tables = []
    for what, part in found.groupby("what", sort=False):
        course = COURSES[str(what)]
        columns = {"variant": "variant", "before": "before", "after": "after", "change": "change", "low": "change low"}
        columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n"}
        plain: dict[str, Format] = dict.fromkeys(("before", "after", "change", "change low", "change high"), "number")
        title = f"Every variant: {course.said}"
        tables.append(table(part, f"{question.id}-{what}", title, columns, None if course.shares else plain))
    return tables


def note_of(found: pd.DataFrame) -> str:
    """Sentences on how the quantities were measured, starting with a blank."""
    if found.empty:
        return ""
    names = listed([COURSES[what].said for what in dict.fromkeys(found["what"])])
    note = f" For {names} p (Holm) is adjusted over all variants and these quantities."
    return note + " A truncated game counts with the turns until it was stopped." * bool((found["what"] == "length").any())


@dataclass(frozen=True)
class Cure:
    """A step that brings an outlier nearest to its fair share: the number, its values before and after, and the cards."""

    entrant: int
    field: str
    present: object
    value: object
    cards: CardSet


def retest(study: Study, cures: Sequence[Cure]) -> pd.DataFrame:
    """Paired comparison of each cure with the unchanged cards, at every number of seats; one line each.

    Columns: those of `change` for the entrant, and seats, fair, p_beyond and verdict (of the rate after), field, present,
    value. Empty if there is no cure.
    """
    rows = []
    for cure in cures:
        bases = [games_of(study, cure.entrant, seats, study.retest_seed) for seats in study.contests]
        name = study.units[cure.entrant]
        play = study.player(f"{name} re-tested", 2 * sum(base.games for base in bases))
        for base in bases:
            changes = change(base, cure.cards, play)
            lines = changes[changes["name"] == name]
            if lines.empty:  # possible if seats choose their entrants
                continue
            row = lines.iloc[0]
            fair = fair_share(base.seats)
            facts = {"name": name, "field": cure.field, "present": cure.present, "value": cure.value}
            rows.append({**{str(key): row[key] for key in row.index}, **facts, "seats": base.seats, "fair": fair})
    return _with_verdicts(pd.DataFrame(rows).astype({"n": int})) if rows else pd.DataFrame()


def _with_verdicts(frame: pd.DataFrame) -> pd.DataFrame:
    """Add verdicts on the rates after, over all lines (see `prose.with_verdicts`)."""
    after = frame[["after", "after_low", "after_high", "fair"]].set_axis(["estimate", "low", "high", "fair"], axis=1)
    after = after.assign(n=frame["n"] * (1 - frame["truncated_after"]))
    verdicts = prose.with_verdicts(after, prose.score(after["estimate"], prose.worth(after)))
    return frame.assign(p_beyond=verdicts["p_beyond"], verdict=verdicts["verdict"])


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf | GamesOfPart:
    """Balanced games at this number of seats with one entrant, or one part of teams.

    games: about how many; None: the budget's step_games.
    """
    seated = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // seated)
    whole = replace(study.experiment(seats, wanted), seed=seed)
    return (GamesOfPart if study.teams else GamesOf).from_experiment(whole, unit)


def outcome(part: pd.DataFrame) -> str:
    """Sentence on the effect of a cure at each number of seats; empty for an empty frame."""
    if part.empty:
        return ""
    rates = [_rate_words(row) for _, row in part.iterrows()]
    return f"In new games with that step, {part['name'].iloc[0]} would win {listed(rates)}."


def _rate_words(row: pd.Series) -> str:
    """Win rate with a cure at one number of seats, with the fair share."""
    judged = f": {row['verdict']}" if row["verdict"] in prose.UNFAIR else ""
    bounds = f"{100 * row['after_low']:.1f} to {percent(row['after_high'])}"
    return f"{percent(row['after'])} {at_seats(row['seats'])} ({bounds}; fair {percent(row['fair'])}{judged})"


def retest_table(study: Study, frame: pd.DataFrame, id_: str = "parameters") -> Table:
    """Table of every cure at every number of seats. id_: of the table of the steps."""
    columns = {"name": study.unit_word, "field": "number", "present": "now", "value": "becomes", "seats": "seats"}
    columns |= {"before": "before", "after": "after", "after_low": "low", "after_high": "high", "fair": "fair share"}
    columns |= {"p_beyond": prose.HEADING}
    columns |= {"verdict": "verdict after", "change": "change", "low": "change low", "high": "change high", "n": "n"}
    formats: dict[str, Format] = {"seats": "count"}
    return table(frame, f"{id_}-retest", "The best step at every number of seats", columns, formats)


USUAL = 8  # decks tried by default
COUNTS = ("games", "Games: played with and without it.")
SHOWN = 14  # most keywords of a deck in the chart


@dataclass(frozen=True)
class Robbed:
    """A deck and the steps that remove each keyword. bearers: names of the cards with it; copies: number of these cards."""

    entrant: int
    name: str
    steps: list[Step]
    bearers: Mapping[str, list[str]]
    copies: Mapping[str, int]


def removals(study: Study, question: Question) -> Section | None:
    """Bars of the value of each keyword to a deck, and per copy with it.

    Settings: decks (at most, those farthest from a fair share), leave_out (keywords not tried), seats, games (in multiples of
    the usual number).
    """
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    tried = decks_tried(study, question, USUAL)
    robbed = [_robbed(study, question, (decking, decks), entrant) for entrant in tried]
    frame = _removals_measured(study, question, [deck for deck in robbed if any(step.cards for step in deck.steps)])
    if frame.empty:
        return None
    seats = study.seats_for(question)
    answer = _most_valuable(study, frame, seats)
    caption = f"Win rate of a {study.unit_word} minus that without the keyword on any of its cards {at_seats(seats)}, "
    caption += f"and the same per copy with the keyword, with {study.policy} in every seat."
    most = frame.groupby("panel", sort=False).head(SHOWN)
    caption += f" At most {SHOWN} keywords each; the table has all." if len(most) < len(frame) else ""
    figure = gains(most, price="copies", unit="copy", counts=COUNTS, bars=True)
    chart = Chart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    note = _removals_note(study, robbed, frame)
    return Section(question.id, question.text, answer, (chart,), (_removals_table(study, question, frame),), note)


def _robbed(study: Study, question: Question, deck_data: tuple[Decking, Decks], entrant: int) -> Robbed:
    """A deck without each of its keywords (ignoring their numbers), in the order of its list."""
    decking, decks = deck_data
    bearers: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    for card in decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist():
        for mark in dict.fromkeys(map(_word, decks.marks[card])):
            bearers.setdefault(mark, []).append(decks.names[card])
            copies[mark] = copies.get(mark, 0) + int(decks.counts[entrant, card])
    kept = [mark for mark in bearers if mark not in question.settings.get("leave_out", ())]
    steps = [_without(study, decking, entrant, mark) for mark in kept]
    return Robbed(entrant, study.units[entrant], steps, bearers, copies)


def _without(study: Study, decking: Decking, entrant: int, mark: str) -> Step:
    """Step that removes a keyword from a deck's cards."""
    try:
        bare = decking.bare(study.cards.document, study.unit_ids[entrant], mark)
        cards = remade(study.game, bare, study.cards)
    except CardError as error:
        return Step(mark, 0, "with", "without", None, str(error).splitlines()[0])
    return Step(mark, 0, "with", "without", cards)


def _removals_measured(study: Study, question: Question, robbed: list[Robbed]) -> pd.DataFrame:
    """Value of each keyword to each deck, largest first: change, low, high, and p adjusted over all (Holm)."""
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    tables = []
    for deck in robbed:
        base = games_of(study, deck.entrant, seats, study.fresh_seed, games)
        live = [step for step in deck.steps if step.cards]
        play = study.player(f"keywords of {deck.name}", base.games * (len(live) + 1))
        part = effects(base, live, deck.name, play)
        worth = {"change": 0 - part["change"], "low": 0 - part["high"], "high": 0 - part["low"], "panel": deck.name}
        marks = part["path"]
        facts = {"mark": marks, "bearers": marks.map(dict(deck.bearers)), "copies": marks.map(dict(deck.copies))}
        columns: dict[str, Any] = {**worth, **facts, "name": marks}
        tables.append(part.assign(**columns).sort_values("change", ascending=False, kind="stable"))
    if not tables:
        return pd.DataFrame()
    frame = pd.concat(tables, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE, price=frame["copies"], per_copy=frame["change"] / frame["copies"])


def _word(mark: str) -> str:
    """Keyword without its number; it is removed with any number."""
    return mark.partition("(")[0]


def _most_valuable(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the most valuable keyword, harmful ones and how many are significant."""
    sure = frame[frame["sure"]]
    tried = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        which = f"any one of the {tried}" if tried else "the keyword"
        return f"Removing {which} does not change the win rate beyond chance."
    top = highest(sure, "change", size=True)
    way = "fewer" if top["change"] > 0 else "more"
    sentences = f"{top['panel']} depends most on {top['name']} ({_copies(top)}): without it the {study.unit_word} wins "
    sentences += f"{points(abs(top['change']))[1:]} points {way} of its {seated(seats)} games "
    sentences += f"{point_interval(-top['high'], -top['low'])}, {percent(top['after'])} instead of {percent(top['before'])}"
    sentences += f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    sentences += f" Of {tried}, {number_word(good)} {'has' if good == 1 else 'have'} a significant value" if tried else ""
    if tried and len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        sentences += f", and {named} significantly {'does' if len(bad) == 1 else 'do'} harm"
    return f"{sentences}." if tried else sentences


def _copies(row: pd.Series) -> str:
    return f"on {some(row['copies'], 'copy')} of {some(len(row['bearers']), 'card')}"


def _removals_table(study: Study, question: Question, frame: pd.DataFrame) -> Table:
    """Table of every deck and keyword."""
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {"p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without"), "percent")
    formats |= dict.fromkeys(("worth", "worth low", "worth high", "per copy"), "points")
    shown = frame.assign(on=[", ".join(names) for names in frame["bearers"]])
    return table(shown, question.id, "What each keyword is worth", columns, {**formats, "copies": "count", "gain": "number"})


def _removals_note(study: Study, robbed: list[Robbed], frame: pd.DataFrame) -> str:
    """Sentences on how the value was measured, and what was not."""
    note = "The keyword is removed from every card of one deck; cards, their costs, other numbers and all other decks stay the "
    note += "same, so the worth is that of the keyword alone, at its present price. With and without it the same games are "
    note += "played with the same dice (common random numbers), and the differences are analysed as pairs ("
    note += f"{size(frame['n'].min())} each, seed {study.fresh_seed}); gain is how many times as many games two "
    note += "separate samples would need. Truncated games are left out. A worth is significant, and coloured, if p (Holm) < "
    note += f"{SURE}, adjusted over all {study.units_word} and keywords; intervals are for each alone."
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    quiet = [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]
    refused = [f"{step.field} ({deck.name})" for deck in robbed for step in deck.steps if not step.cards]
    note += f" No game of the sample changed without: {listed(quiet)}." if quiet else ""
    note += f" The rules of the card file do not allow removing: {listed(refused)}." if refused else ""
    left = len(study.units) - len(robbed)
    return note + (f" {some(left, study.unit_word).capitalize()} nearer to a fair share were not tried." if left else "")
