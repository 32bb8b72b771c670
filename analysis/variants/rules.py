"""Report sections on rules and numbers with other values, single rules, keywords of decks, and drafts as they are played.

Variants of ambiguous rules are tried one at a time: win rates, ranks, lengths. A rule, or a keyword, is measured by the same
games with the same dice without it. Also what all report sections on changes share: the games of an entrant (`games_of`), and
the comparison of steps in games of a report (`compared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from analysis.answer.model import DrawnChart, Section
from analysis.answer.numbers import Format, count, number, percent, points
from analysis.answer.prose import (
    NO_BREAK,
    assumed_note,
    at_seats,
    bounds_of,
    capital,
    field_words,
    interval,
    listed,
    number_word,
    point_interval,
    quantity,
    rate_words,
    seated,
    size,
    some,
    source_of,
    starred,
    stopped,
    value_words,
)
from analysis.answer.tables import WIN_RATE, Table, highest, lowest
from analysis.charts import dumbbell, gains, grid, lines, ranks, slope
from analysis.data import rows
from analysis.data.rows import Rows
from analysis.data.shares import Shares, by_entrant, length_change
from analysis.data.study import OF_TEAMS, Study
from analysis.facts.counts import chart_of, note_of, quantities, said, table_of
from analysis.stats.intervals import Interval, mean, proportion, proportions
from analysis.stats.paired import grouped_changes, paired_changes, paired_ratio
from analysis.variants.compare import decks_tried
from analysis.variants.tables import ENDS, PAIRED, TRUNCATED, change_words, paired_note, remarks, sure_note, table
from analysis.variants.variant import (
    GamesOf,
    Step,
    adjusted,
    compare,
    difference,
    each_value,
    made,
    moved,
    tried,
    turned_round,
    variants,
)
from sim.engine.cards import CardError, CardSet
from sim.engine.decks import NO_CARD
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import Draft, Keywords, RuleOff, RuleVariants, Sweep
from sim.experiments.experiment import Experiment

DEFAULT = "as played"
LARGE = 0.05  # mean change of the win rates that counts as large
DRAWN, RANKED = 12, 20  # most variants in the slope charts, and in the chart of ranks
RULE_OFF_ROWS = 30  # most entrants in a chart; those whose win rates move most
Answered = tuple[str, DrawnChart, Table]  # sentence, chart and table on one quantity
ALL = -1  # stands for all entrants together
LINES = 8  # most entrants in the chart of a sweep; those that move most
USUAL = 8  # decks from which keywords are removed by default
KEYWORDS = 14  # most keywords of a deck in the chart


def games_of(study: Study, unit: int, seats: int, seed: int, games: int | None = None) -> GamesOf:
    """Balanced games at this number of seats with one entrant, or one part of teams.

    games: about how many; None: the budget's step_games.
    """
    places = seats * (study.teams.size if study.teams else 1)
    wanted = -(-(games or study.budget.step_games) * len(study.units) // places)
    return GamesOf.from_experiment(replace(study.experiment(seats, wanted), seed=seed), unit)


def compared(
    study: Study, base: Experiment, steps: Sequence[Step], stage: str, words: dict[str, str] | None = None, **how: Any
) -> pd.DataFrame:
    """`compare` of steps in games of a report, with the columns of `tried`, field (words by path) and source.

    Progress is reported as `stage`. how: before, unit and measure of `compare`. The frame is empty if all steps are refused.
    """
    play = study.play_as(stage, base.games * (sum(step.cards is not None for step in steps) + 1))
    frame = compare(base, tried(base, steps), play, **how)
    if frame.empty:
        return frame
    source = [source_of(study.cards, path) for path in frame["path"]]
    return frame.assign(field=frame["path"].map(words or {}), source=source)


class Beside(NamedTuple):
    """A quantity of games, reported beside win rates. label: of its axis; said: name in a sentence; shares: whether it is one."""

    label: str
    said: str
    shares: bool


BESIDE = {
    "length": Beside("mean length of a game, turns", "the length of a game", shares=False),
    "first": Beside("win share of the first player", "the win share of the first player", shares=True),
}


def rule_variants(study: Study, question: RuleVariants) -> Section | None:
    """Slope charts of all win rates under each variant that significantly moves one; tables of all variants.

    Quantities reported besides win rates: see `BESIDE`.
    """
    if not study.contests or not question.rules:
        return None
    seats, steps = study.seats_for(question), variants(study.game, study.cards, question.rules)
    frame, more = _measured(study, question, steps)
    if frame.empty:
        return None
    summary = _summary(frame)
    moving = summary[summary["sure"] > 0]
    drawn = list((moving if len(moving) else summary[:1])["variant"][:DRAWN])
    truncated = bool(frame[[*TRUNCATED]].to_numpy().any())
    parts = [_beside(study, question, part, truncated) for _, part in more.groupby("what", sort=False)] if len(more) else []
    parts += [orders(study, question, frame)] if question.ranks else []
    answer = " ".join([_largest_effect(frame, seats), *(sentence for sentence, _, _ in parts)])
    caption = (
        f"Win rates {at_seats(seats)} as the rules are played (left) and with one of them read differently (right), with "
        f"{study.policy} in every seat; beside each name the change in points. "
    )
    if len(moving):
        caption += "Only variants that significantly change a win rate, the largest changes first."
    else:
        caption += "No variant significantly changes a win rate; this one changes them most."
    figure = slope(_lines(frame, drawn), default=DEFAULT)
    charts = (
        DrawnChart(question.id, figure, caption, f"Slope charts, one per variant. {answer}"),
        *(chart for _, chart, _ in parts),
    )
    overview = {"variant": "variant", "mean": "mean change, either way", "most": "largest change", "name": "of"}
    title, columns = "How much each variant changes win rates", {"variant": "variant", "name": study.unit_word, **PAIRED}
    tables = (
        table(summary, "rule-variants-overview", title, overview | {"sure": "sure changes"}),
        table(frame, "rule-variants", "Every variant", columns),
        *(shown for _, _, shown in parts),
    )
    note = _note(study, steps, frame, [variant for variant in summary["variant"] if variant not in drawn])
    if len(more):
        names = listed([BESIDE[what].said for what in dict.fromkeys(more["what"])])
        note += f" For {names} p (Holm) is adjusted over all variants and these quantities."
        note += " A truncated game counts with the turns until it was stopped." * bool((more["what"] == "length").any())
    return Section(question.id, question.text, answer, charts, tables, note)


def _measured(study: Study, question: RuleVariants, steps: list[Step]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Paired comparison of every variant with the rules as played, without those under which no game has a winner.

    Returns changes of the win rates, and of the quantities beside them (what: their name), for each the largest first. Both have
    the columns variant, short (its label) and those of `compare`.
    """
    wanted = question.beside
    base = study.experiment(study.seats_for(question), study.games_for(question, study.budget.variant_games))
    live = [step for step in steps if step.live]
    frame = compared(study, base, live, "variants of the rules", measure=partial(_all_changes, wanted))
    if frame.empty:
        return frame, frame
    won = frame["change"].notna() & (frame["what"] == WIN_RATE)
    frame = frame[won.groupby(frame["label"]).transform("any")]
    frame = frame.assign(variant=frame["label"], short=[label.partition(" instead of ")[0] for label in frame["label"]])
    return adjusted(frame[frame["what"] == WIN_RATE].reset_index(drop=True)), beside(frame, wanted)


def _all_changes(wanted: Sequence[str], base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes of the win rates, and of the quantities of `wanted`."""
    parts = [difference(base, before, after).assign(what=WIN_RATE)]
    parts += [pd.DataFrame([quantity_change(what, before, after)]).assign(what=what, paired=True) for what in wanted]
    return pd.concat(parts, ignore_index=True)


def quantity_change(what: str, before: Shares, after: Shares) -> dict[str, float]:
    """A quantity of `BESIDE` before and after with intervals (before_low...), and its paired change with low, high, p, n.

    Raises ValueError for an unknown quantity. A truncated game counts with the turns until it was stopped, and is left out of
    win shares, as are games without a first player.
    """
    if what not in BESIDE:
        raise ValueError(f"beside={what!r} must be among {', '.join(BESIDE)}")
    if what == "length":
        values: dict[str, float] = asdict(length_change(before, after))
        bounds = [mean(games.by_pair(games.turns)) for games in (before, after)]
    else:
        key = before.pair if before.pair.size else np.arange(len(before.share))
        b, a = (games.of_first.astype(np.float64) for games in (before, after))
        counted = [np.isfinite(b) & ~before.truncated, np.isfinite(a) & ~after.truncated]
        known = np.isfinite(b) & np.isfinite(a)
        stopped_some = bool((known & (before.truncated | after.truncated)).any())
        if not (all(side.any() for side in counted) if stopped_some else known.any()):
            unknown = ("before", "after", "change", "low", "high", "p", "before_low", "before_high", "after_low", "after_high")
            return dict.fromkeys(unknown, np.nan) | {"n": 0}
        if stopped_some:
            values = asdict(paired_ratio((np.nan_to_num(b), counted[0]), (np.nan_to_num(a), counted[1]), key))
        else:
            counted = [known, known]
            _, pair, games_of = np.unique(key[known], return_inverse=True, return_counts=True)
            d = np.bincount(pair, a[known] - b[known]) / games_of
            up, down, squares, n = ([value] for value in (d.clip(min=0).sum(), (-d).clip(min=0).sum(), (d**2).sum(), len(d)))
            alone = len(d) == known.sum()
            change = (paired_changes(up, down, n) if alone else grouped_changes(up, down, squares, n)).iloc[0]
            values = {name: float(change[name]) for name in ("change", "low", "high", "p")} | {"n": int(known.sum())}
            values |= {"before": float(b[known].mean()), "after": float(a[known].mean())}
        bounds = [rows.share(key[side], share[side]) for side, share in zip(counted, (b, a), strict=True)]
    ends = zip(("before", "after"), bounds, strict=True)
    return values | {f"{when}_{end}": getattr(one, end) for when, one in ends for end in ("low", "high")}


def beside(frame: pd.DataFrame, wanted: Sequence[str]) -> pd.DataFrame:
    """Lines on the quantities of `wanted`, for each the largest change first; p_holm and sure over all of them."""
    known = frame[frame["what"].isin(wanted) & (frame["n"] > 0)]
    order = pd.DataFrame({"what": known["what"].map(list(wanted).index), "size": -known["change"].abs()})
    found = known.loc[order.sort_values(["what", "size"], kind="stable").index].reset_index(drop=True)
    return adjusted(found.astype({"n": int})) if len(found) else found


def _beside(study: Study, question: RuleVariants, part: pd.DataFrame, truncated: bool) -> Answered:
    """The variant that significantly moves a quantity most, paired dots of every variant against the rules as played, table."""
    what = str(part["what"].iloc[0])
    kind, sure, unit = BESIDE[what], part[part["sure"]], "points" if BESIDE[what].shares else "turns"
    sentence = f"No variant moves {kind.said} beyond chance."
    if len(sure):
        top = highest(sure, "change", size=True)
        change, low, high = (points(top[key] if kind.shares else top[key] / 100) for key in ("change", "low", "high"))
        before, after = (percent(top[key]) if kind.shares else f"{top[key]:.1f}" for key in ("before", "after"))
        sentence = (
            f"{capital(kind.said)} is moved most by \u201c{top['variant']}\u201d: from {before} to {after}, {change} {unit} "
            f"(95{NO_BREAK}% interval {low} to {high}){stopped(truncated and kind.shares)}"
            f"{'; no other variant moves it significantly' if len(sure) == 1 else ''}."
        )
    drawn, words = part.rename(columns=ENDS).assign(name=part["short"]), ("as played", "read differently")
    figure = dumbbell(drawn, words=words, label=kind.label, change=f"change, {unit}", shares=kind.shares)
    caption = (
        f"{capital(kind.said)} {at_seats(study.seats_for(question))} as the rules are played and with one of them read "
        f"differently, with {study.policy} in every seat; the same games and dice, the largest change first."
    )
    chart = DrawnChart(f"{question.id}-{what}", figure, caption, f"Paired dots, one row per variant. {sentence}")
    plain: dict[str, Format] = {} if kind.shares else dict.fromkeys(list(PAIRED.values())[:5], "number")
    columns = {"variant": "variant"} | {name: heading for name, heading in PAIRED.items() if name != "gain"}
    return sentence, chart, table(part, f"{question.id}-{what}", f"Every variant: {kind.said}", columns, plain)


def _lines(frame: pd.DataFrame, drawn: list[str]) -> pd.DataFrame:
    """Data of the slope chart: the default first, then each variant of `drawn`, in that order."""
    frame = pd.concat([frame[frame["variant"] == variant] for variant in drawn], ignore_index=True)
    first = frame[frame["variant"] == drawn[0]].assign(variant=DEFAULT)
    columns = ["variant", "name", "estimate", "low", "high", "n"]
    sides = [
        part[["variant", "name", side, f"{side}_low", f"{side}_high", "n"]].set_axis(columns, axis=1)
        for part, side in ((first, "before"), (frame, "after"))
    ]
    changes = frame[["change", "low", "high", "sure"]].set_axis(["change", "change_low", "change_high", "sure"], axis=1)
    return pd.concat([sides[0], sides[1].join(changes)], ignore_index=True)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per variant: mean and largest change, and number of significant changes. Largest mean first."""
    lines = []
    for variant, part in frame.groupby("variant", sort=False):
        top = highest(part, "change", size=True)
        facts = {"variant": variant, "mean": float(part["change"].abs().mean()), "most": top["change"]}
        facts |= {"sure": int(part["sure"].sum()), "truncated": part[[*TRUNCATED]].to_numpy().sum()}
        lines.append(facts | {name: top[name] for name in ("name", "low", "high", "before", "after")})
    return pd.DataFrame(lines).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _largest_effect(frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the variant that matters most, those without effect, and how many have a large one."""
    summary, where = _summary(frame), capital(at_seats(seats))
    top, tried = summary.iloc[0], some(len(summary), "variant")
    if not frame["sure"].any():
        return (
            f"{where} none of {tried} changes a win rate beyond chance; the largest mean change, {100 * top['mean']:.1f} points, "
            f"is that of \u201c{top['variant']}\u201d{stopped(top['truncated'])}."
        )
    quiet = [f"\u201c{variant}\u201d" for variant in summary.loc[summary["sure"] == 0, "variant"]]
    still = f" {listed(quiet)} {'changes' if len(quiet) == 1 else 'change'} no win rate beyond chance." if quiet else ""
    large = int((summary["mean"] >= LARGE).sum())
    share = f"{number_word(large)} of {tried}" if large < len(summary) else f"all {tried}"
    return (
        f"{where} \u201c{top['variant']}\u201d matters most: win rates move by {100 * top['mean']:.1f} points on average, that "
        f"of {top['name']} by {points(top['most'])} {point_interval(top['low'], top['high'])} from {percent(top['before'])} to "
        f"{percent(top['after'])}{stopped(top['truncated'])}.{still} "
        f"{capital(share)} {'moves' if large == 1 else 'move'} win rates by {100 * LARGE:.0f} points or more on average."
    )


def _note(study: Study, steps: list[Step], frame: pd.DataFrame, hidden: list[str]) -> str:
    """Sentences on how the variants were measured, and which were not, or are not drawn."""
    note = (
        f"{paired_note('Both variants')} Win rates as played are those of {count(frame['n'].max())} games of each "
        f"{study.unit_word}, so they differ a little from those of the first question."
        f"{sure_note(f'{study.units_word} and variants')}"
    )
    known, unpaired = {*frame["variant"]}, frame["variant"][~frame["paired"].astype(bool)]
    for words, labels in {
        "Too few games had a winner under these": [step.label for step in steps if step.live and step.label not in known],
        "Not drawn, but in the tables": hidden,
        "Refused by the rules of the card file, and left out": [step.label for step in steps if not step.cards],
        "Without effect on play with these cards, and left out": [step.label for step in steps if step.idle],
        "Seats choose other entrants than under the present rules, so these games are not pairs": [*dict.fromkeys(unpaired)],
    }.items():
        named = "; ".join(f"\u201c{label}\u201d" for label in labels)
        note += f" {words}: {named}." if labels else ""
    return note


def orders(study: Study, question: RuleVariants, frame: pd.DataFrame) -> Answered:
    """Sentence, chart and table of the ranks by win rate under every variant.

    frame: one line per variant (`short`) and name: before, after, their bounds (before_low, ...), n. A change of ranks is
    beyond chance if the win rate changes significantly (`sure`) and the order with another entrant reverses, with intervals that
    do not overlap before or after.
    """
    ranked = _ranked(frame)
    others = ranked[ranked["variant"] != DEFAULT].drop_duplicates("variant")
    kept = [DEFAULT, *others.sort_values("tau", kind="stable")["variant"][:RANKED]]
    left = 1 + len(others) - len(kept)
    sentence = _order_answer(ranked, study.units_word)
    caption = (
        f"Ranks of the {study.units_word} by win rate under each variant, {at_seats(study.seats_for(question))} with "
        f"{study.policy} in every seat: the rules as played above, then the variants that change the order most."
    )
    caption += f" {some(left, 'variant').capitalize()} with fewer changes are not drawn." if left else ""
    drawn = ranked[ranked["variant"].isin(kept)]
    figure = ranks(drawn.assign(order=drawn["variant"].map(kept.index)).sort_values(["order", "rank"]))
    columns = {"variant": "variant", "rank": "rank", "name": study.unit_word, "estimate": "win rate", "was": "rank as played"}
    columns |= {"sure": "beyond chance", "tau": "Kendall's tau", "n": "n"}
    every = table(ranked, f"{question.id}-ranks", "Ranks under every reading", columns)
    return (
        sentence,
        DrawnChart(f"{question.id}-ranks", figure, caption, f"Lines from rank to rank, a row per variant. {sentence}"),
        every,
    )


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per variant and name, the rules as played first: variant, name, rank, was, estimate, n, sure, tau."""
    first = frame[frame["short"] == frame["short"].iloc[0]]
    before = _rank(first["before"])
    was = dict(zip(first["name"], before, strict=True))
    start = {"variant": DEFAULT, "name": first["name"], "rank": before, "was": before, "estimate": first["before"]}
    parts = [pd.DataFrame({**start, "n": first["n"], "sure": False, "tau": 1.0})]
    for variant, part in frame.groupby("short", sort=False):
        rank, known, sure = _rank(part["after"]), part["name"].map(was), part["sure"].to_numpy(bool)
        tau = float(stats.kendalltau(rank, known).statistic) if len(part) > 1 else 1.0
        (low, high), (low_after, high_after) = (
            part[[f"{side}_low", f"{side}_high"]].to_numpy().T for side in ("before", "after")
        )
        fell = (low[:, None] > high) & (high_after[:, None] < low_after)  # (names, names)
        swapped = ((fell | fell.T) & np.logical_or.outer(sure, sure)).any(axis=1)
        columns = {"variant": variant, "name": part["name"], "rank": rank, "was": known, "estimate": part["after"]}
        parts.append(pd.DataFrame({**columns, "n": part["n"], "sure": swapped, "tau": tau}))
    return pd.concat([part.sort_values("rank") for part in parts], ignore_index=True)


def _rank(share: pd.Series) -> pd.Series:
    return share.rank(ascending=False, method="first").astype(int)


def _order_answer(ranked: pd.DataFrame, words: str) -> str:
    """Sentence on how many variants keep the order, and which change it beyond chance."""
    others = ranked[ranked["variant"] != DEFAULT]
    tau = others.drop_duplicates("variant")["tau"]
    answer = f"The order of the {words} stays the same under {number_word(int((tau == 1).sum()))} of {some(len(tau), 'variant')}"
    sure = [f"\u201c{variant}\u201d" for variant in dict.fromkeys(others[others["sure"]]["variant"])]
    return f"{answer}; {f'beyond chance it changes under {listed(sure)}' if sure else 'under none does it change beyond chance'}."


def rule_off(study: Study, question: RuleOff) -> Section | None:
    """Share of games that end differently without a rule, and dots of the win rates with and without it.

    Several rules are tried one at a time.
    """
    if not study.contests:
        return None
    seats, (with_it, without) = study.seats_for(question), question.words
    base = study.experiment(seats, study.games_for(question, study.budget.variant_games))
    live = [step for step in variants(study.game, study.cards, question.rules) if step.live]
    frame = compared(study, base, live, f"without a rule ({question.id})", measure=_without_rule)
    if frame.empty:
        return None
    answers, charts, tables = [], [], []
    done = quantities(study, question)
    if len(done):
        answers.append(said(question, done))
        charts.append(chart_of(study, question, done, f"{question.id}-done"))
        tables.append(table_of(study, question, done, f"{question.id}-done"))
    for place, (_, part) in enumerate(frame.groupby(["path", "label"], sort=False)):
        label = part["label"].iloc[0]
        answers.append(_rule_off_answer(part, capital(at_seats(seats)), without + (f" ({label})" if len(live) > 1 else "")))
        shown = part.loc[sorted(part["change"].abs().nlargest(RULE_OFF_ROWS).index)]
        caption = (
            f"Win rate of each {study.unit_word} {with_it} and {without} (\u201c{label}\u201d), the same games and dice, "
            f"{at_seats(seats)} with {study.policy} in every seat."
        )
        caption += f" Only the {RULE_OFF_ROWS} with the largest changes are shown." if len(shown) < len(part) else ""
        words = (with_it, without)
        figure = dumbbell(shown.rename(columns=ENDS), words=words, label="win rate", change="change without it, points")
        alt = f"Paired dots, a row per {study.unit_word}. {answers[-1]}"
        charts.append(DrawnChart(f"{question.id}{f'-{place}' if place else ''}", figure, caption, alt))
    columns = {"label": "rule", "other_estimate": "games that end otherwise", "other_low": "low", "other_high": "high"}
    columns |= {"other_n": "n", "length_before": "turns with it", "length_after": "turns without it"}
    columns |= {"length_change": "change of turns", "length_low": "change low, turns", "length_high": "change high, turns"}
    overview = table(frame.drop_duplicates(["path", "label"]), question.id, "How many games end differently", columns)
    columns = {"label": "rule", "name": study.unit_word, **PAIRED, "before": with_it, "after": without}
    formats: dict[str, Format] = dict.fromkeys((with_it, without), "percent")
    every = table(frame, f"{question.id}-rates", "Win rates with the rule and without it", columns, formats)
    note = (
        f"{paired_note('Both ways, with and without the rule,')} A game ends differently if a player has another share of the "
        f"win. Players know the rules and decide accordingly.{sure_note(f'{study.units_word} and rules')}"
        f"{f' Counts per game: {note_of(question)}' if len(done) else ''}"
    )
    return Section(question.id, question.text, " ".join(answers), tuple(charts), (overview, every, *tables), note)


def _without_rule(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes of the win rates, and of all games: share that ends differently (other_estimate...), length, truncated games."""
    other = rows.share(base.pair_of(np.arange(len(before.share))), moved(before, after).astype(np.float64))
    facts = {f"other_{name}": value for name, value in vars(other).items()}
    facts |= {f"length_{name}": value for name, value in vars(length_change(before, after)).items()}
    return difference(base, before, after).assign(**facts, truncated=int(before.truncated.sum() + after.truncated.sum()))


def _rule_off_answer(part: pd.DataFrame, where: str, without: str) -> str:
    """Sentences on games that end differently, the win rate that changes most, and the length of games. part: of one rule."""
    line, top, sure = part.iloc[0], highest(part, "change", size=True), int(part["sure"].sum())
    answer = f"{where}, played again {without}, {percent(line['other_estimate'])} of the games "
    answer += f"{interval(line['other_low'], line['other_high'], line['other_n'], 'games')} end differently; "
    change = f"by {change_words(top)}"
    if sure:
        answer += (
            f"{number_word(sure)} of {number_word(len(part))} win rates {'changes' if sure == 1 else 'change'} beyond chance, "
            f"{'' if sure == 1 else 'most '}that of {top['name']}, {change} from {percent(top['before'])} to "
            f"{percent(top['after'])}{stopped(line['truncated'])}"
        )
    else:
        answer += f"no win rate changes beyond chance, that of {top['name']} most, {change}"
    turns, low, high = (float(line[f"length_{name}"]) for name in ("change", "low", "high"))
    if low <= 0 <= high:
        return f"{answer}. The length of a game does not change beyond chance ({line['length_before']:.1f} turns)."
    bounds = (low, high) if turns > 0 else (-high, -low)
    return (
        f"{answer}. Games last {line['length_after']:.1f} turns instead of {line['length_before']:.1f}, {abs(turns):.2f} "
        f"{'more' if turns > 0 else 'fewer'} {quantity(*bounds, line['length_n'], 'games')}."
    )


def settings(study: Study, question: Sweep) -> Section | None:
    """Heat maps, one per setting, of every entrant's win rate under each value.

    Its values are with or without the present one, its seats by default the fewest. Each value plays the same games.
    """
    seats = question.seats or min(study.seats)
    if seats not in study.seats or not question.rules:
        return None
    steps = [step for path, texts in question.rules.items() for step in each_value(study.game, study.cards, path, texts)]
    frame = _by_value(study, seats, study.games_for(question, study.budget.variant_games), [step for step in steps if step.cards])
    if frame.empty:
        return None
    alone = seats == 1
    frame = frame if alone else frame[frame["entrant"] != ALL]  # in a contest all together win every game
    cells, answer = frame[frame["entrant"] != ALL], _settings_answer(study, frame, seats)
    caption = (
        f"{'Success' if alone else 'Win rate'} by {study.unit_word} under each value, {at_seats(seats)}, with {study.policy} in "
        "every seat. Best first, over all values together."
    )
    panels = "setting" if len(set(cells["setting"])) > 1 else None
    drawn = cells.rename(columns={"name": "row", "shown": "column"})
    figure = grid(drawn, panels=panels, label=f"{'success' if alone else 'wins'}, in % of the games")
    chart = DrawnChart(question.id, figure, caption, f"Heat map of {study.unit_word} by value of the setting. {answer}")
    rate = "success" if alone else WIN_RATE
    columns = {"setting": "setting", "value": "value", "name": study.unit_word, "estimate": rate, "low": "low", "high": "high"}
    columns |= {"n": "n", "truncated": "truncated", "turns": "mean turns"}
    every = table(frame, question.id, "Every value", columns, {rate: "percent"})
    refused = [f"{capital(step.name)} {value_words(step.value)}" for step in steps if not step.cards]
    note = (
        f"Every value plays the same line-ups with the same dice, up to {count(frame['n'].max())} games that came to an end; "
        "intervals are Wilson's, for each rate alone. Truncated games, stopped at a limit, are left out of win rates."
    )
    note += remarks(("Refused by the rules of the card file", refused))
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def _by_value(study: Study, seats: int, games: int, steps: Sequence[Step]) -> pd.DataFrame:
    """Win rates by setting, value and entrant (ALL: all together), entrants best first over all values.

    Columns: those of `proportions` over finished games, entrant, name, truncated (share of the games), turns (mean), setting,
    value, shown (value, marked if it is played), played.
    """
    base, units = study.experiment(seats, games), len(study.units)
    play, parts = study.play_as("settings", base.games * len(steps)), []
    for step in steps:
        assert step.cards is not None
        shares, played, words = (
            Shares.of(replace(base, cards=step.cards), play),
            step.value == step.before,
            value_words(step.value),
        )
        each, over = study.by_unit(shares), ~shares.truncated
        sits, _ = by_entrant(each.entrant, each.share, units)
        counted, share = each.counted(units)
        together = (shares.share.sum(), over.sum(), len(over), shares.turns.sum())
        by_unit = (share, counted, sits, sits * shares.turns[:, None])
        won, n, of, turns = (np.append(whole, part.sum(axis=0)) for whole, part in zip(together, by_unit, strict=True))
        left, mean = (np.divide(sums, of, out=np.full(of.size, np.nan), where=of > 0) for sums in (of - n, turns))
        facts: dict[str, Any] = {"entrant": [ALL, *range(units)], "name": ["all", *study.units], "truncated": left, "turns": mean}
        facts |= {"setting": capital(step.name), "value": words, "shown": f"{words} (as played)" if played else words}
        parts.append(proportions(won.clip(max=n), n).assign(**facts, played=played))
    if not parts:
        return pd.DataFrame()
    frame = pd.concat(parts, ignore_index=True)
    strength = frame.groupby("entrant")["estimate"].transform("mean").mask(frame["entrant"] == ALL, np.inf)
    order = pd.DataFrame({"part": frame.index // (units + 1), "strength": strength})
    return frame.loc[order.sort_values(["part", "strength"], ascending=[True, False], kind="stable").index]


def _settings_answer(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the best and worst entrant, and at one seat on the easiest and hardest value over all entrants."""
    sentences = []
    for setting, part in frame.groupby("setting", sort=False):
        known, words = part[part["n"] > 0], str(setting).lower()
        whole, cells = known[known["entrant"] == ALL], known[known["entrant"] != ALL]
        if seats == 1:
            sentences.append(_easiest(whole, words, study.units_word) if len(whole) else "At one seat, none of the games ended.")
        for value, line in cells.groupby("value", sort=False):
            if len(line) > 1 and (line["played"].all() or not cells["played"].any()):
                top, low = highest(line, "estimate"), lowest(line, "estimate")
                sentences.append(
                    f"With {words} \u201c{value}\u201d {at_seats(seats)} {top['name']} {'succeeds in' if seats == 1 else 'wins'} "
                    f"{rate_words(top)}, {low['name']} {percent(low['estimate'])} {bounds_of(low)}."
                )
                break
    return " ".join(sentences)


def _easiest(whole: pd.DataFrame, setting: str, entrants: str) -> str:
    """Sentence on the values with the most and the fewest successes at one seat."""
    top, low = highest(whole, "estimate"), lowest(whole, "estimate")
    answer = f"At one seat, all {entrants} together succeed with {setting} \u201c{top['value']}\u201d in {rate_words(top)}"
    fewest = f", the most, and \u201c{low['value']}\u201d in {percent(low['estimate'])} {bounds_of(low)}, the fewest"
    return f"{answer}{fewest if len(whole) > 1 else ''}."


def sweep(study: Study, question: Sweep) -> Section | None:
    """Lines of the win rates over the values of each number, a panel per number, with bands.

    Its values ascend, with or without the present one; paths that the card file does not have are ignored, so that a question
    works for other card sets.
    """
    if not study.contests:
        return None
    steps: list[Step] = []
    for path, texts in question.rules.items():
        with suppress(CardError):
            steps += [step for step in each_value(study.game, study.cards, path, texts) if step.before is not None]
    words = {step.field: field_words(study.cards.document, step.field, {}) for step in steps}
    seats = study.seats_for(question)
    base = study.experiment(seats, study.games_for(question, study.budget.variant_games))

    def with_turns(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
        return difference(base, before, after).assign(turns=float(np.mean(after.turns)))

    frame = compared(study, base, steps, f"values of numbers ({question.id})", words=words, measure=with_turns)
    if frame.empty:
        return None
    played = frame["value"] == frame["present"]
    frame = frame.assign(played=played, value=frame["value"].astype(float), present=frame["present"].astype(float))
    frame = adjusted(frame.assign(p=frame["p"].mask(played)))
    answer = _sweep_answer(frame, seats)
    reach = frame.groupby("name", sort=False)["change"].agg(lambda change: change.abs().max())
    shown = frame[frame["name"].isin(reach.nlargest(LINES).index)]
    drawn = {"panel": starred(shown), "line": shown["name"], "x": shown["value"], "estimate": shown["after"], "n": shown["n"]}
    drawn |= {"present": shown["present"], "low": shown["after_low"], "high": shown["after_high"]}
    caption = (
        f"Win rate of each {study.unit_word} by the value of a number, {at_seats(seats)} with {study.policy} in all seats; the "
        f"same games and dice at every value, dashes: the value as played.{assumed_note(frame)}"
    )
    caption += f" Only the {LINES} that move most are shown." if len(reach) > LINES else ""
    figure = lines(pd.DataFrame(drawn), label="value", close=True)
    chart = DrawnChart(question.id, figure, caption, f"Lines of win rates over the values of a number. {answer}")
    columns = {"field": "number", "present": "as played", "value": "value", "name": study.unit_word, "after": "win rate"}
    columns |= {"after_low": "low", "after_high": "high", "change": "change", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"turns": "mean turns", "source": "source", "low": "change low", "high": "change high"}
    unknown = {name: frame[name].mask(played) for name in ("change", "low", "high")}
    every = table(frame.assign(**unknown), question.id, "Every value", columns)
    note = (
        "Every value plays the same line-ups and dice (common random numbers): changes against the value played are analysed as "
        "pairs. Bands: Wilson intervals for each rate alone. Truncated games are left out."
        f"{sure_note(f'values and {study.units_word}', 'A change is significant')}"
    )
    note += remarks(
        ("Refused by the rules of the card file", [f"{words[step.field]} {step.value}" for step in steps if not step.cards])
    )
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def _sweep_answer(frame: pd.DataFrame, seats: int) -> str:
    """Sentences by number: the largest change of a win rate at the value nearest to the present one, and the length of games."""
    sentences: list[str] = []
    for field, part in frame.groupby("field", sort=False):
        moved = part[~part["played"]]
        if moved.empty:
            continue
        gap = (moved["value"] - moved["present"]).abs()
        top, ends = highest(moved[gap == gap.min()], "change", size=True), part.drop_duplicates("value").sort_values("value")
        first, last = ends.iloc[0], ends.iloc[-1]
        sentences.append(
            f"{'With' if sentences else 'with'} \u201c{field}\u201d at {number(top['value'])} instead of "
            f"{number(top['present'])} {top['name']} wins {percent(top['after'])} instead of {percent(top['before'])}, "
            f"{change_words(top, with_n=True)}{stopped(top['truncated_before'] + top['truncated_after'])}"
            f"{'' if top['sure'] else ', which may be chance'}; from {number(first['value'])} to {number(last['value'])} games "
            f"go from {first['turns']:.1f} to {last['turns']:.1f} turns."
        )
    return f"{capital(at_seats(seats))}, {' '.join(sentences)}" if sentences else "No other value can be played."


def removals(study: Study, question: Keywords) -> Section | None:
    """Bars of the value of each keyword to a deck, and per copy with it, of the decks farthest from a fair share."""
    decking, decks = study.game.decks, study.game.decks_for(study.cards)
    if decking is None or decks is None or not study.contests:
        return None
    games, seats = study.games_for(question, study.budget.step_games), study.seats_for(question)
    parts, refused, entrants = [], [], decks_tried(study, question, USUAL)
    for entrant in entrants:
        name, cards = study.units[entrant], decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist()
        bearers: dict[str, list[str]] = {}  # cards by keyword, in the order of the list
        copies: dict[str, int] = {}
        for card in cards:
            for keyword in dict.fromkeys(mark.partition("(")[0] for mark in decks.marks[card]):  # without their numbers
                bearers.setdefault(keyword, []).append(decks.names[card])
                copies[keyword] = copies.get(keyword, 0) + int(decks.counts[entrant, card])
        bare = partial(decking.bare, study.cards.document, study.unit_ids[entrant])
        kept = [keyword for keyword in bearers if keyword not in question.leave_out]
        steps = [made(study.game, study.cards, (keyword, "with", "without"), partial(bare, keyword)) for keyword in kept]
        refused += [f"{step.field} ({name})" for step in steps if not step.cards]
        base = games_of(study, entrant, seats, study.fresh_seed, games)
        part = compared(study, base, steps, f"keywords of {name}", unit=name)
        if len(part):
            facts = {"name": part["path"], "bearers": part["path"].map(bearers), "copies": part["path"].map(copies)}
            part = turned_round(part).assign(panel=name, **facts)
            parts.append(part.sort_values("change", ascending=False, kind="stable"))
    if not parts:
        return None
    frame = adjusted(pd.concat(parts, ignore_index=True))
    frame = frame.assign(per_copy=frame["change"] / frame["copies"], on=frame["bearers"].map(", ".join))
    answer, most = _most_valuable(study, frame, seats), frame.groupby("panel", sort=False).head(KEYWORDS)
    caption = (
        f"Win rate of a {study.unit_word} minus that without the keyword on any of its cards {at_seats(seats)}, and the same per "
        f"copy with the keyword, with {study.policy} in every seat."
    )
    caption += f" At most {KEYWORDS} keywords each; the table has all." if len(most) < len(frame) else ""
    counts = ("games", "Games: played with and without it.")
    figure = gains(most.assign(price=most["copies"]), price="copies", unit="copy", counts=counts, bars=True)
    chart = DrawnChart(question.id, figure, caption, f"Bars of the worth of keywords, by {study.unit_word}. {answer}")
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {name: PAIRED[name] for name in ("p_holm", "n", "gain")}
    every = table(frame, question.id, "What each keyword is worth", columns)
    still = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    left = len(study.units) - len(entrants)
    note = (
        "The keyword is removed from every card of one deck; cards, their costs, other numbers and all other decks stay the "
        "same, so the worth is that of the keyword alone, at its present price. "
        f"{paired_note('A deck with the keyword and one without it')} Each worth: {size(frame['n'].min())}, seed "
        f"{study.fresh_seed}.{sure_note(f'{study.units_word} and keywords', 'A worth is significant, and coloured,')}"
    )
    note += remarks(
        ("No game of the sample changed without", [f"{row['name']} ({row['panel']})" for _, row in frame[still].iterrows()]),
        ("The rules of the card file do not allow removing", refused),
    )
    note += f" {some(left, study.unit_word).capitalize()} nearer to a fair share were not tried." if left else ""
    return Section(question.id, question.text, answer, (chart,), (every,), note)


def _most_valuable(study: Study, frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the most valuable keyword, harmful ones and how many are significant."""
    sure = frame[frame["sure"]]
    tried_ = f"{some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}" if len(frame) > 1 else ""
    if sure.empty:
        return f"Removing {f'any one of the {tried_}' if tried_ else 'the keyword'} does not change the win rate beyond chance."
    top = highest(sure, "change", size=True)
    answer = (
        f"{top['panel']} depends most on {top['name']} (on {some(top['copies'], 'copy')} of {some(len(top['bearers']), 'card')}"
        f"): without it the {study.unit_word} wins {points(abs(top['change']))[1:]} points "
        f"{'fewer' if top['change'] > 0 else 'more'} of its {seated(seats)} games {point_interval(-top['high'], -top['low'])}, "
        f"{percent(top['after'])} instead of {percent(top['before'])}"
        f"{stopped(top['truncated_before'] + top['truncated_after'])}."
    )
    if not tried_:
        return answer
    good, bad = int((sure["change"] > 0).sum()), sure[sure["change"] < 0]
    answer += f" Of {tried_}, {number_word(good)} {'has' if good == 1 else 'have'} a significant value"
    if len(bad):
        named = listed([f"{row['name']} ({row['panel']})" for _, row in bad.iterrows()])
        answer += f", and {named} significantly {'does' if len(bad) == 1 else 'do'} harm"
    return f"{answer}."


@dataclass(frozen=True, eq=False)
class Played:
    """Drafts as they were played. first: win share of the first drafter, None without a winner; games: number played.

    picks: part, seen (mean pick number, NaN if never picked), taken (share of the games in which it was picked), n.
    """

    policy: PolicySpec
    first: Interval | None
    games: int
    picks: pd.DataFrame


def played_drafts(study: Study, question: Draft, policy: PolicySpec) -> Played | None:
    """Play drafts with one policy; None if the outcomes do not record picks, or the card rules refuse the rule for it."""
    cards = draft_cards(study, question)
    if cards is None or study.teams is None or not question.picked:
        return None
    games = study.games_for(question, study.budget.draft_games)
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=study.fresh_seed)
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.play_as(f"drafts, {policy}", base.games)(base):
        picked = block.outcomes[question.picked][:, :OF_TEAMS]
        sums += _picks(study.teams.members, block.rows, picked)
        share, n = _first(block.rows, picked)
        won, decided, played = won + share, decided + n, played + len(block.rows)
    total, taken = sums
    seen = np.divide(total, taken, out=np.full(len(taken), np.nan), where=taken > 0)
    picks = pd.DataFrame({"part": np.arange(len(taken)), "seen": seen, "taken": taken / played, "n": played})
    return Played(policy, proportion(won, decided) if decided else None, played, picks)


def draft_cards(study: Study, question: Draft) -> CardSet | None:
    """Cards under which teams are drafted: the first rule, with its first value."""
    path, values = next(iter(question.rules.items()))
    return each_value(study.game, study.cards, path, values[:1])[0].cards


def _picks(members: np.ndarray, rows: Rows, picked: np.ndarray) -> np.ndarray:
    """Sum of pick numbers and number of picks by part, (2, parts). picked: (games, 2, size), 0: none."""
    part, size = members[rows["entrant"][:, :OF_TEAMS]].ravel(), int(members.max()) + 1
    number = picked.reshape(-1).astype(np.int64)
    return np.stack([np.bincount(part, number, size), np.bincount(part, number > 0, size)])


def _first(rows: Rows, picked: np.ndarray) -> tuple[float, int]:
    """Sum of the win shares of first drafters, who made pick number 1, and their number, over finished games with a winner."""
    share = rows["share"][:, :OF_TEAMS].astype(np.float64)
    whole, first = share.sum(axis=1), (picked == 1).any(axis=2)
    kept = (rows["status"] == Status.FINISHED) & (whole > 0) & (first.sum(axis=1) == 1)
    won = np.where(first, share, 0).sum(axis=1)[kept] / whole[kept]
    return float(won.sum().clip(max=kept.sum())), int(kept.sum())
