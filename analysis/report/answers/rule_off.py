"""What a rule does: the same games with the same dice without it, how many end otherwise, and for whom."""

from dataclasses import asdict

import numpy as np
import pandas as pd

from analysis import clustered
from analysis.charts import dumbbell
from analysis.compare import Shares
from analysis.estimates import adjust
from analysis.report.answers.fields import value_words
from analysis.report.answers.per_game import chart_of, note_of, quantities, said, table_of
from analysis.report.answers.prose import at_seats, capital, interval, number_word, point_interval, quantity, stopped
from analysis.report.answers.tables import highest, table
from analysis.report.model import Chart, Format, Section, Table
from analysis.spread import length_change
from analysis.study import Study
from analysis.whatif import Step, both, difference, variants
from analysis.wording import percent, points
from sim.engine.measures import Question

SURE = 0.05  # p-value adjusted over all win rates of the section
ROWS = 30  # entrants in a chart; where there are more, those whose win rates move most


def rule_off(study: Study, question: Question) -> Section | None:
    """Share of games that end otherwise without a rule, and dots of the win rates with and without it; per game what it does.

    Settings: path of a rule -> the value that stands for its absence (several are tried one at a time); a key without a dot is
    an option: words (with it, without it), seats, games (in multiples of the usual number), and those of `per_game` for the
    roles, which may be absent.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    seats = study.seats_for(question)
    steps = [step for step in variants(study.game, study.cards, rules) if step.cards and not step.idle]
    if not steps:
        return None
    words = question.settings.get("words", ("with it", "without it"))
    frame, whole = _measured(study, question, steps)
    told, charts, tables = [], [], []
    done = quantities(study, question) if question.roles else pd.DataFrame()
    if len(done):
        told.append(said(question, done))
        charts.append(chart_of(study, question, done, f"{question.id}-done"))
        tables.append(table_of(study, question, done, f"{question.id}-done"))
    for at, line in whole.iterrows():
        part = frame[frame["step"] == at]
        told.append(_said(line, part, (*words, at_seats(seats)), alone=len(whole) == 1))
        charts.append(_chart(study, question, part, (line["label"], words, told[-1]), suffix=f"-{at}" if at else ""))
    tables = [_overview(question, whole), _table(study, question, frame, words), *tables]
    note = "With and without the rule the same games are played with the same dice (common random numbers), and the differences "
    note += "are analysed as pairs; gain says how many times as many games two separate samples would need. Truncated games "
    note += "are left out. A game ends otherwise if somebody has another share of its win. Players know the rule: they decide "
    note += f"otherwise without it. Sure, and coloured: p (Holm) < {SURE}, over all {study.units_word} and rules; intervals are "
    note += "of each alone."
    note += f" What is done per game: {note_of(question)}" if len(done) else ""
    return Section(question.id, question.text, " ".join(told), tuple(charts), tuple(tables), note)


def _measured(study: Study, question: Question, steps: list[Step]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Paired win rates by step and entrant, and one line per step of all games: label, changed share, length before and after."""
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.variant_games))
    play = study.player(f"without a rule ({question.id})", base.games * (len(steps) + 1))
    before = Shares.of(base, play)
    key = base.pair_of(np.arange(len(before.share)))
    parts, lines = [], []
    for at, step in enumerate(steps):
        assert step.cards is not None
        _, after = both(base, step.cards, play, before)
        parts.append(difference(base, before, after).assign(step=at, label=_label(step)))
        other = (np.abs(after.share - before.share) > 0).any(axis=1) | (before.capped != after.capped)
        found = clustered.share(key, other.astype(np.float64))
        length = {f"length_{name}": value for name, value in asdict(length_change(before, after)).items()}
        truncated = int(before.capped.sum() + after.capped.sum())
        lines.append({"label": _label(step), **vars(found), **length, "truncated": truncated})
    frame = pd.concat(parts, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE), pd.DataFrame(lines)


def _label(step: Step) -> str:
    """The rule without it, in words."""
    name = step.field.rpartition(".")[2].replace("_", " ")
    return f"{name}: {value_words(step.value)} instead of {value_words(step.before)}"


def _chart(
    study: Study, question: Question, part: pd.DataFrame, of: tuple[str, tuple[str, ...], str], suffix: str
) -> Chart:
    """Paired dots of the win rates of all entrants under one rule."""
    label, words, said = of
    far = part["change"].abs().nlargest(ROWS).index
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    shown = part.loc[sorted(far)].rename(columns=names)
    figure = dumbbell(shown, words=words, label="win rate", change="change without it, points")
    caption = (
        f"Win rate of each {study.unit_word} {words[0]} and {words[1]} (\u201c{label}\u201d), the same games and dice, "
    )
    caption += f"{at_seats(study.seats_for(question))} with {study.policy} in every seat."
    caption += f" Only the {ROWS} that move most." if len(far) < len(part) else ""
    alt = f"Paired dots, a row per {study.unit_word}. {said}"
    return Chart(f"{question.id}{suffix}", figure, caption, alt)


def _overview(question: Question, whole: pd.DataFrame) -> Table:
    columns = {"label": "rule", "estimate": "games that end otherwise", "low": "low", "high": "high", "n": "n"}
    columns |= {
        "length_before": "turns with it",
        "length_after": "turns without it",
        "length_change": "change of turns",
    }
    columns |= {"length_low": "change low, turns", "length_high": "change high, turns"}
    formats: dict[str, Format] = {"games that end otherwise": "percent"}
    return table(whole, question.id, "How many games end otherwise", columns, formats)


def _table(study: Study, question: Question, frame: pd.DataFrame, words: tuple[str, ...]) -> Table:
    columns = {"label": "rule", "name": study.unit_word, "before": words[0], "after": words[1], "change": "change"}
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = {**dict.fromkeys(words, "percent"), "gain": "number"}
    return table(frame, f"{question.id}-rates", "Win rates with the rule and without it", columns, formats)


def _said(line: pd.Series, part: pd.DataFrame, words: tuple[str, ...], alone: bool) -> str:
    """How many games end otherwise, whose win rate moves most, and by how much games grow longer or shorter."""
    where, which = capital(words[-1]), "" if alone else f" ({line['label']})"
    said = f"{where}, played again {words[1]}{which}, {percent(line['estimate'])} of the games "
    said += f"{interval(line['low'], line['high'], line['n'], 'games')} end otherwise"
    top, sure = highest(part, "change", size=True), int(part["sure"].sum())
    if sure:
        moves = "changes" if sure == 1 else "change"
        said += f"; {number_word(sure)} of {number_word(len(part))} win rates {moves} beyond chance, "
        said += f"{'' if sure == 1 else 'most '}that of {top['name']}, by {points(top['change'])} points "
        said += f"{point_interval(top['low'], top['high'])} from {percent(top['before'])} to {percent(top['after'])}"
        said += stopped(line["truncated"])
    else:
        said += f"; no win rate changes beyond chance, that of {top['name']} most, by {points(top['change'])} points "
        said += point_interval(top["low"], top["high"])
    return f"{said}. {_said_length(line)}"


def _said_length(line: pd.Series) -> str:
    """What becomes of the length of a game."""
    change, low, high = (float(line[f"length_{name}"]) for name in ("change", "low", "high"))
    if low <= 0 <= high:
        return f"The length of a game stays what it is within chance ({line['length_before']:.1f} turns)."
    bounds = (low, high) if change > 0 else (-high, -low)
    said = f"Games last {line['length_after']:.1f} turns instead of {line['length_before']:.1f}, {abs(change):.2f} "
    return said + f"{'more' if change > 0 else 'fewer'} {quantity(*bounds, line['length_n'], 'games')}."
