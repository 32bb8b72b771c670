"""Report sections on variants of ambiguous rules and on single rules, and drafts as they are played.

Variants are tried one at a time: win rates, ranks, lengths. A rule is measured by the same games with the same dice without it.
"""

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis.charts import dumbbell, ranks, slope
from analysis.data import rows as clustered
from analysis.data.rows import Rows
from analysis.data.shares import Shares, length_change
from analysis.data.study import OF_TEAMS, Study
from analysis.document.model import Chart, Format, Section, Table, count, highest, percent, points, table
from analysis.document.prose import (
    at_seats,
    capital,
    interval,
    listed,
    number_word,
    point_interval,
    quantity,
    some,
    stopped,
    value_words,
)
from analysis.facts.counts import chart_of, quantities, said, table_of
from analysis.facts.counts import note_of as rule_off_note_of
from analysis.stats.intervals import Interval, adjust, proportion
from analysis.variants.settings import charts_of, courses, moved, note_of, said_of_courses, tables_of
from analysis.variants.variant import Step, both, difference, each_value, variants
from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.measures import Question
from sim.engine.policies import PolicySpec

ROWS = 20  # most variants in the chart


def orders(study: Study, question: Question, frame: pd.DataFrame, default: str) -> tuple[str, Chart, list[Table]]:
    """Sentence, chart and table of the ranks by win rate under every variant.

    frame: one line per variant (`short`) and name: before, after, their bounds (before_low, ...), n. A change of ranks is
    beyond chance if the win rate changes significantly (`sure`) and the order with another entrant reverses, with intervals that
    do not overlap before or after.
    """
    ranked = _ranked(frame, default)
    kept = _kept(ranked, default)
    sentence = _order_answer(ranked, study.units_word, default)
    caption = f"Ranks of the {study.units_word} by win rate under each variant, {at_seats(study.seats_for(question))} with "
    caption += f"{study.policy} in every seat: the rules as played above, then the variants that change the order most."
    left = ranked["variant"].nunique() - len(kept)
    caption += f" {some(left, 'variant').capitalize()} with fewer changes are not drawn." if left else ""
    chart = ranks(ranked[ranked["variant"].isin(kept)].assign(order=_places(ranked, kept)).sort_values(["order", "rank"]))
    alt = f"Lines from rank to rank, a row per variant. {sentence}"
    columns = {"variant": "variant", "rank": "rank", "name": study.unit_word, "estimate": "win rate", "was": "rank as played"}
    columns |= {"sure": "beyond chance", "tau": "Kendall's tau", "n": "n"}
    formats: dict[str, Format] = {"rank": "count", "rank as played": "count", "Kendall's tau": "number"}
    shown = table(ranked, f"{question.id}-ranks", "Ranks under every reading", columns, formats)
    return sentence, Chart(f"{question.id}-ranks", chart, caption, alt), [shown]


def _ranked(frame: pd.DataFrame, default: str) -> pd.DataFrame:
    """One line per variant and name, the rules as played first: variant, name, rank, was, estimate, n, sure, tau."""
    first = frame[frame["short"] == frame["short"].iloc[0]]
    before = _rank(first["before"])
    was = dict(zip(first["name"], before, strict=True))
    start = {"variant": default, "name": first["name"], "rank": before, "was": before, "estimate": first["before"]}
    parts = [pd.DataFrame({**start, "n": first["n"], "sure": False, "tau": 1.0}).sort_values("rank")]
    for variant, part in frame.groupby("short", sort=False):
        rank = _rank(part["after"])
        known = part["name"].map(was)
        tau = float(stats.kendalltau(rank, known).statistic) if len(part) > 1 else 1.0
        columns = {"variant": variant, "name": part["name"], "rank": rank, "was": known, "estimate": part["after"]}
        lines = pd.DataFrame({**columns, "n": part["n"], "sure": _swapped(part), "tau": tau})
        parts.append(lines.sort_values("rank"))
    return pd.concat(parts, ignore_index=True)


def _rank(share: pd.Series) -> pd.Series:
    return share.rank(ascending=False, method="first").astype(int)


def _swapped(part: pd.DataFrame) -> list[bool]:
    """By name: whether it changes ranks with another beyond chance."""
    lines = part.to_dict("records")
    return [any(_reversed(line, other) for other in lines) for line in lines]


def _reversed(line: Mapping[Hashable, Any], other: Mapping[Hashable, Any]) -> bool:
    """Whether the order of two reverses, with intervals that do not overlap before or after."""
    if not (line["sure"] or other["sure"]):
        return False
    above = line["before_low"] > other["before_high"] and line["after_high"] < other["after_low"]
    below = line["before_high"] < other["before_low"] and line["after_low"] > other["after_high"]
    return bool(above or below)


def _kept(ranked: pd.DataFrame, default: str) -> list[str]:
    """The rules as played, then the variants that change the order most."""
    others = ranked[ranked["variant"] != default].drop_duplicates("variant")
    ordered = others.sort_values("tau", kind="stable")["variant"]
    return [default, *ordered[:ROWS]]


def _places(ranked: pd.DataFrame, kept: list[str]) -> list[int]:
    return [kept.index(variant) for variant in ranked["variant"] if variant in kept]


def _order_answer(ranked: pd.DataFrame, words: str, default: str) -> str:
    """Sentence on how many variants keep the order, and which change it beyond chance."""
    others = ranked[ranked["variant"] != default]
    tau = others.drop_duplicates("variant").set_index("variant")["tau"]
    same, all_ = int((tau == 1).sum()), len(tau)
    sentence = f"The order of the {words} stays the same under {number_word(same)} of {some(all_, 'variant')}"
    sure = list(dict.fromkeys(others[others["sure"]]["variant"]))
    if sure:
        quoted = [f"\u201c{variant}\u201d" for variant in sure]
        return f"{sentence}; beyond chance it changes under {listed(quoted)}."
    return f"{sentence}; under none does it change beyond chance."


DEFAULT = "as played"
SURE = 0.05  # p-value adjusted over all win rates of the section
LARGE = 0.05  # mean change of the win rates that counts as large
DRAWN = 12  # most variants in the slope charts


def rule_variants(study: Study, question: Question) -> Section | None:
    """Slope charts of all win rates under each variant that significantly moves one; tables of all variants.

    Settings: path of a rule -> other values as text; a key without a dot is an option: seats (default: fewest from two up),
    games (in multiples of the usual number), beside (quantities reported besides win rates: see `courses`), ranks (any value:
    report ranks too).
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    seats = study.seats_for(question)
    steps = variants(study.game, study.cards, rules)
    live = [step for step in steps if step.cards and not step.idle]
    beside = question.settings.get("beside", ())
    frame = _measured(study, seats, study.games_for(question, study.budget.variant_games), live, beside)
    if frame.empty:
        return None
    more = courses(frame, beside)
    truncated = bool(frame[["truncated_before", "truncated_after"]].to_numpy().any())
    answer = " ".join([_largest_effect(frame, seats), *([said_of_courses(more, truncated)] if len(more) else [])])
    summary = _summary(frame)
    moving = summary[summary["sure"] > 0]
    drawn = list((moving if len(moving) else summary[:1])["variant"][:DRAWN])
    caption = f"Win rates {at_seats(seats)} as the rules are played (left) and with one of them read differently (right), with "
    caption += f"{study.policy} in every seat; beside each name the change in points. "
    only = "Only variants that significantly change a win rate, the largest changes first."
    caption += only if len(moving) else "No variant significantly changes a win rate; this one changes them most."
    figure = slope(_lines(frame, drawn), default=DEFAULT)
    chart = Chart(question.id, figure, caption, f"Slope charts, one per variant. {answer}")
    note = _note(study, steps, frame, [variant for variant in summary["variant"] if variant not in drawn])
    charts, tables = [chart], [*_tables(study, frame)]
    if len(more):
        charts, tables = [*charts, *charts_of(study, question, more)], [*tables, *tables_of(question, more)]
    if "ranks" in question.settings:
        sentence, rank_chart, rank_tables = orders(study, question, frame, DEFAULT)
        answer, charts, tables = f"{answer} {sentence}", [*charts, rank_chart], [*tables, *rank_tables]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note + note_of(more))


def _note(study: Study, steps: list[Step], frame: pd.DataFrame, hidden: list[str]) -> str:
    """Sentences on how the variants were measured, and which were not, or are not drawn."""
    note = "Both variants play the same games with the same dice, and the differences are analysed as pairs; gain is how many "
    note += "times as many games two separate samples would need. Truncated games are left out. "
    note += f"Win rates as played are those of {count(frame['n'].max())} games of each {study.unit_word}, "
    note += "so they differ a little from those of the first question."
    note += f" A change is significant, and coloured, if p (Holm) < {SURE}, adjusted over all "
    note += f"{study.units_word} and variants; intervals are for each change alone."
    apart = list(dict.fromkeys(frame["variant"][~frame["paired"]]))
    refused = [_label(step) for step in steps if not step.cards]
    idle = [_label(step) for step in steps if step.idle]
    known = {*frame["variant"]}
    unwon = [_label(step) for step in steps if step.cards and not step.idle and _label(step) not in known]
    for variants_, words in (
        (unwon, "Too few games had a winner under these, so they are left out"),
        (hidden, "Not drawn, but in the tables"),
        (refused, "Refused by the rules of the card file, and left out"),
        (idle, "Without effect on play with these cards, and left out"),
        (apart, "Seats choose other entrants than under the present rules, so these games are not pairs"),
    ):
        note += f" {words}: {_all(variants_)}." if variants_ else ""
    return note


def _all(variants_: list[str]) -> str:
    """All variants, quoted."""
    return "; ".join(f"\u201c{variant}\u201d" for variant in variants_)


def _tables(study: Study, frame: pd.DataFrame) -> tuple[Table, Table]:
    """Tables of the effect of each variant, and of every win rate under it."""
    overview = {"variant": "variant", "mean": "mean change, either way", "most": "largest change", "name": "of"}
    moved: dict[str, Format] = {"mean change, either way": "points", "largest change": "points"}
    columns = {"variant": "variant", "name": study.unit_word, "before": "before", "after": "after", "change": "change"}
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    return (
        table(
            _summary(frame),
            "rule-variants-overview",
            "How much each variant changes win rates",
            {**overview, "sure": "sure changes"},
            moved,
        ),
        table(frame, "rule-variants", "Every variant", columns, {"gain": "number"}),
    )


def _measured(study: Study, seats: int, games: int, steps: list[Step], beside: tuple[str, ...] = ()) -> pd.DataFrame:
    """Paired comparison of every variant with the default. beside: quantities whose columns are added.

    Variants under which no game has a winner are left out.
    """
    base = study.experiment(seats, games)
    play = study.player("variants of the rules", base.games * (len(steps) + 1))
    before = Shares.of(base, play)
    parts = []
    for step in steps:
        if step.cards is not None:
            _, after = both(base, step.cards, play, before)
            more = {key: value for what in beside for key, value in moved(what, before, after).items()}
            parts.append(difference(base, before, after).assign(variant=_label(step), short=_short(step), **more))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    frame = frame[frame["change"].notna().groupby(frame["variant"]).transform("any")].reset_index(drop=True)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE)


def _label(step: Step) -> str:
    """Reading in words, e.g. `hit faces: 2 instead of 3`."""
    name = step.field.rpartition(".")[2].replace("_", " ")
    return f"{name}: {value_words(step.value)} instead of {value_words(step.before)}"


def _short(step: Step) -> str:
    """Reading in few words, e.g. `hit faces: 2`."""
    return _label(step).partition(" instead of ")[0]


def _lines(frame: pd.DataFrame, drawn: list[str]) -> pd.DataFrame:
    """Data of the slope chart: the default first, then each variant of `drawn`, in that order."""
    frame = pd.concat([frame[frame["variant"] == variant] for variant in drawn], ignore_index=True)
    first = frame[frame["variant"] == frame["variant"].iloc[0]]
    both = []
    for part, side in ((first.assign(variant=DEFAULT), "before"), (frame, "after")):
        shown = {"variant": part["variant"], "name": part["name"], "estimate": part[side], "n": part["n"]}
        both.append(pd.DataFrame({**shown, "low": part[f"{side}_low"], "high": part[f"{side}_high"]}))
    changes = {"change": frame["change"], "change_low": frame["low"], "change_high": frame["high"], "sure": frame["sure"]}
    both[1] = both[1].assign(**changes)
    return pd.concat(both, ignore_index=True)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per variant: mean and largest change, and number of significant changes. Largest mean first."""
    rows = []
    for variant, part in frame.groupby("variant", sort=False):
        top = highest(part, "change", size=True)
        sure = int(part["sure"].sum())
        mean = float(np.mean(part["change"].abs()))
        facts = {
            "variant": variant,
            "mean": mean,
            "most": top["change"],
            "name": top["name"],
            "sure": sure,
            "truncated": part[["truncated_before", "truncated_after"]].to_numpy().sum(),
        }
        rows.append({**facts, "low": top["low"], "high": top["high"], "before": top["before"], "after": top["after"]})
    return pd.DataFrame(rows).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _largest_effect(frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the variant that matters most, and those without effect."""
    summary = _summary(frame)
    if not frame["sure"].any():
        return _none_sure(summary, seats)
    top = summary.iloc[0]
    sentence = f"{at_seats(seats).capitalize()} \u201c{top['variant']}\u201d matters most: win rates move by "
    sentence += f"{100 * top['mean']:.1f} points on average, that of {top['name']} by {points(top['most'])} "
    sentence += f"{point_interval(top['low'], top['high'])} from {percent(top['before'])} to {percent(top['after'])}"
    sentence += f"{stopped(top['truncated'])}."
    quiet = [f"\u201c{row['variant']}\u201d" for _, row in summary.iterrows() if row["sure"] == 0]
    still = f" {listed(quiet)} {'changes' if len(quiet) == 1 else 'change'} no win rate beyond chance." if quiet else ""
    return f"{sentence}{still} {_how_many_large(summary)}"


def _none_sure(summary: pd.DataFrame, seats: int) -> str:
    """Sentence for the case without significant changes: the largest mean change."""
    top = summary.iloc[0]
    sentence = f"{at_seats(seats).capitalize()} none of {some(len(summary), 'variant')} changes a win rate beyond chance; the "
    sentence += f"largest mean change, {100 * top['mean']:.1f} points, is that of \u201c{top['variant']}\u201d"
    return f"{sentence}{stopped(top['truncated'])}."


def _how_many_large(summary: pd.DataFrame) -> str:
    large = int((summary["mean"] >= LARGE).sum())
    share = (
        f"{number_word(large)} of {some(len(summary), 'variant')}" if large < len(summary) else f"all {some(large, 'variant')}"
    )
    verb = "moves" if large == 1 else "move"
    return f"{capital(share)} {verb} win rates by {100 * LARGE:.0f} points or more on average."


RULE_OFF_ROWS = 30  # most entrants in a chart; those whose win rates move most


def rule_off(study: Study, question: Question) -> Section | None:
    """Share of games that end differently without a rule, and dots of the win rates with and without it.

    Settings: path of a rule -> the value that disables it (several are tried one at a time); a key without a dot is an option:
    words (with it, without it), seats, games (in multiples of the usual number), and those of the counts per game for the
    roles, which are optional.
    """
    rules = {path: values for path, values in question.settings.items() if "." in path}
    if not study.contests or not rules:
        return None
    seats = study.seats_for(question)
    steps = [step for step in variants(study.game, study.cards, rules) if step.cards and not step.idle]
    if not steps:
        return None
    words = question.settings.get("words", ("with it", "without it"))
    frame, whole = _rule_off_measured(study, question, steps)
    answers, charts, tables = [], [], []
    done = quantities(study, question) if question.roles else pd.DataFrame()
    if len(done):
        answers.append(said(question, done))
        charts.append(chart_of(study, question, done, f"{question.id}-done"))
        tables.append(table_of(study, question, done, f"{question.id}-done"))
    for number, line in whole.iterrows():
        part = frame[frame["step"] == number]
        answers.append(_rule_off_answer(line, part, (*words, at_seats(seats)), alone=len(whole) == 1))
        charts.append(_chart(study, question, part, (line["label"], words, answers[-1]), suffix=f"-{number}" if number else ""))
    tables = [_overview(question, whole), _table(study, question, frame, words), *tables]
    note = "With and without the rule the same games are played with the same dice (common random numbers), and the differences "
    note += "are analysed as pairs; gain is how many times as many games two separate samples would need. Truncated games "
    note += "are left out. A game ends differently if a player has another share of the win. Players know the rules and decide "
    note += f"accordingly. Significant, and coloured: p (Holm) < {SURE}, over all {study.units_word} and rules; intervals are "
    note += "for each alone."
    note += f" Counts per game: {rule_off_note_of(question)}" if len(done) else ""
    return Section(question.id, question.text, " ".join(answers), tuple(charts), tuple(tables), note)


def _rule_off_measured(study: Study, question: Question, steps: list[Step]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Paired win rates by step and entrant, and one line per step: label, share of changed games, length before and after."""
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.variant_games))
    play = study.player(f"without a rule ({question.id})", base.games * (len(steps) + 1))
    before = Shares.of(base, play)
    key = base.pair_of(np.arange(len(before.share)))
    parts, lines = [], []
    for number, step in enumerate(steps):
        assert step.cards is not None
        _, after = both(base, step.cards, play, before)
        parts.append(difference(base, before, after).assign(step=number, label=_rule_off_label(step)))
        other = (np.abs(after.share - before.share) > 0).any(axis=1) | (before.truncated != after.truncated)
        changed = clustered.share(key, other.astype(np.float64))
        length = {f"length_{name}": value for name, value in asdict(length_change(before, after)).items()}
        truncated = int(before.truncated.sum() + after.truncated.sum())
        lines.append({"label": _rule_off_label(step), **vars(changed), **length, "truncated": truncated})
    frame = pd.concat(parts, ignore_index=True)
    p_holm = adjust(frame["p"])
    return frame.assign(p_holm=p_holm, sure=p_holm < SURE), pd.DataFrame(lines)


def _rule_off_label(step: Step) -> str:
    """Description of a disabled rule."""
    name = step.field.rpartition(".")[2].replace("_", " ")
    return f"{name}: {value_words(step.value)} instead of {value_words(step.before)}"


def _chart(study: Study, question: Question, part: pd.DataFrame, texts: tuple[str, tuple[str, ...], str], suffix: str) -> Chart:
    """Paired dots of the win rates of all entrants with and without one rule. texts: label, words, answer."""
    label, words, answer = texts
    far = part["change"].abs().nlargest(RULE_OFF_ROWS).index
    names = {"before": "first", "before_low": "first_low", "before_high": "first_high", "after": "second"}
    names |= {"after_low": "second_low", "after_high": "second_high", "low": "change_low", "high": "change_high"}
    shown = part.loc[sorted(far)].rename(columns=names)
    figure = dumbbell(shown, words=words, label="win rate", change="change without it, points")
    caption = f"Win rate of each {study.unit_word} {words[0]} and {words[1]} (\u201c{label}\u201d), the same games and dice, "
    caption += f"{at_seats(study.seats_for(question))} with {study.policy} in every seat."
    caption += f" Only the {RULE_OFF_ROWS} with the largest changes are shown." if len(far) < len(part) else ""
    alt = f"Paired dots, a row per {study.unit_word}. {answer}"
    return Chart(f"{question.id}{suffix}", figure, caption, alt)


def _overview(question: Question, whole: pd.DataFrame) -> Table:
    columns = {"label": "rule", "estimate": "games that end otherwise", "low": "low", "high": "high", "n": "n"}
    columns |= {"length_before": "turns with it", "length_after": "turns without it", "length_change": "change of turns"}
    columns |= {"length_low": "change low, turns", "length_high": "change high, turns"}
    formats: dict[str, Format] = {"games that end otherwise": "percent"}
    return table(whole, question.id, "How many games end differently", columns, formats)


def _table(study: Study, question: Question, frame: pd.DataFrame, words: tuple[str, ...]) -> Table:
    columns = {"label": "rule", "name": study.unit_word, "before": words[0], "after": words[1], "change": "change"}
    columns |= {"low": "change low", "high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain"}
    formats: dict[str, Format] = {**dict.fromkeys(words, "percent"), "gain": "number"}
    return table(frame, f"{question.id}-rates", "Win rates with the rule and without it", columns, formats)


def _rule_off_answer(line: pd.Series, part: pd.DataFrame, words: tuple[str, ...], alone: bool) -> str:
    """Sentences on games that end differently, the win rate that changes most, and the length of games."""
    where, which = capital(words[-1]), "" if alone else f" ({line['label']})"
    sentence = f"{where}, played again {words[1]}{which}, {percent(line['estimate'])} of the games "
    sentence += f"{interval(line['low'], line['high'], line['n'], 'games')} end differently"
    top, sure = highest(part, "change", size=True), int(part["sure"].sum())
    if sure:
        moves = "changes" if sure == 1 else "change"
        sentence += f"; {number_word(sure)} of {number_word(len(part))} win rates {moves} beyond chance, "
        sentence += f"{'' if sure == 1 else 'most '}that of {top['name']}, by {points(top['change'])} points "
        sentence += f"{point_interval(top['low'], top['high'])} from {percent(top['before'])} to {percent(top['after'])}"
        sentence += stopped(line["truncated"])
    else:
        sentence += f"; no win rate changes beyond chance, that of {top['name']} most, by {points(top['change'])} points "
        sentence += point_interval(top["low"], top["high"])
    return f"{sentence}. {_length_answer(line)}"


def _length_answer(line: pd.Series) -> str:
    """Sentence on the change in the length of games."""
    change, low, high = (float(line[f"length_{name}"]) for name in ("change", "low", "high"))
    if low <= 0 <= high:
        return f"The length of a game does not change beyond chance ({line['length_before']:.1f} turns)."
    bounds = (low, high) if change > 0 else (-high, -low)
    sentence = f"Games last {line['length_after']:.1f} turns instead of {line['length_before']:.1f}, {abs(change):.2f} "
    return sentence + f"{'more' if change > 0 else 'fewer'} {quantity(*bounds, line['length_n'], 'games')}."


OPENING = 1  # number of the first pick


@dataclass(frozen=True, eq=False)
class Played:
    """Drafts as they were played. first: win share of the first drafter, None without a winner; games: number played.

    picks: part, seen (mean pick number, NaN if never picked), taken (share of the games in which it was picked), n.
    """

    policy: PolicySpec
    first: Interval | None
    games: int
    picks: pd.DataFrame


def played_drafts(study: Study, question: Question, policy: PolicySpec) -> Played | None:
    """Play drafts with one policy; None if the question names no rule for it, or the card rules refuse it."""
    cards = draft_cards(study, question)
    if cards is None or study.teams is None or "picked" not in question.roles:
        return None
    games = study.games_for(question, study.budget.draft_games)
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=study.fresh_seed)
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.player(f"drafts, {policy}", base.games)(base):
        picked = block.outcomes[question.roles["picked"]][:, :OF_TEAMS]
        sums += _picks(study.teams.members, block.rows, picked)
        share, n = _first(block.rows, picked)
        won, decided, played = won + share, decided + n, played + len(block.rows)
    total, taken = sums
    seen = np.divide(total, taken, out=np.full(len(taken), np.nan), where=taken > 0)
    picks = pd.DataFrame({"part": np.arange(len(taken)), "seen": seen, "taken": taken / played, "n": played})
    return Played(policy, proportion(won, decided) if decided else None, played, picks)


def draft_cards(study: Study, question: Question) -> CardSet | None:
    """Cards under which teams are drafted: the first rule of the settings, with its first value."""
    rules = [(path, values) for path, values in question.settings.items() if "." in path]
    if not rules or not rules[0][1]:
        return None
    path, values = rules[0]
    return each_value(study.game, study.cards, path, values[:1])[0].cards


def _picks(members: np.ndarray, rows: Rows, picked: np.ndarray) -> np.ndarray:
    """Sum of pick numbers and number of picks by part, (2, parts). picked: (games, 2, size), 0: none."""
    part = members[rows["entrant"][:, :OF_TEAMS]].ravel()
    number = picked.reshape(-1).astype(np.int64)
    size = int(members.max()) + 1
    return np.stack([np.bincount(part, number, size), np.bincount(part, number > 0, size)])


def _first(rows: Rows, picked: np.ndarray) -> tuple[float, int]:
    """Sum of the win shares of first drafters and their number, over finished games with a winner."""
    share = rows["share"][:, :OF_TEAMS].astype(np.float64)
    whole = share.sum(axis=1)
    first = (picked == OPENING).any(axis=2)
    kept = (rows["status"] == Status.FINISHED) & (whole > 0) & (first.sum(axis=1) == 1)
    won = np.where(first, share, 0).sum(axis=1)[kept] / whole[kept]
    return float(won.sum().clip(max=kept.sum())), int(kept.sum())
