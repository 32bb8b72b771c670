"""Report sections on variants of ambiguous rules and on single rules, and drafts as they are played.

Variants are tried one at a time: win rates, ranks, lengths. A rule is measured by the same games with the same dice without it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis.charts import dumbbell, ranks, slope
from analysis.data import rows
from analysis.data.rows import Rows
from analysis.data.shares import Shares, length_change
from analysis.data.study import OF_TEAMS, Study
from analysis.document.model import Chart, Format, Section, Table, count, highest, percent, points
from analysis.document.prose import (
    NO_BREAK,
    at_seats,
    capital,
    interval,
    listed,
    number_word,
    point_interval,
    quantity,
    some,
    stopped,
)
from analysis.facts.counts import chart_of, note_of, quantities, said, table_of
from analysis.stats.intervals import Interval, mean, proportion
from analysis.stats.paired import grouped_changes, paired_changes, paired_ratio
from analysis.variants.tables import ENDS, PAIRED, paired_note, sure_note, table
from analysis.variants.variant import Step, adjusted, compare, difference, each_value, moved, variants
from sim.engine.cards import CardSet
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import Draft, RuleOff, RuleVariants
from sim.experiments.experiment import Experiment

DEFAULT = "as played"
RATE = "win rate"
LARGE = 0.05  # mean change of the win rates that counts as large
DRAWN, RANKED = 12, 20  # most variants in the slope charts, and in the chart of ranks
RULE_OFF_ROWS = 30  # most entrants in a chart; those whose win rates move most


@dataclass(frozen=True)
class Beside:
    """A quantity of games, reported beside win rates. label: of its axis; said: name in a sentence; unit: of its changes."""

    label: str
    said: str
    unit: str

    @property
    def shares(self) -> bool:
        """Whether it is a share, printed in percent."""
        return self.unit == "points"


BESIDE = {
    "length": Beside("mean length of a game, turns", "the length of a game", "turns"),
    "first": Beside("win share of the first player", "the win share of the first player", "points"),
}


def rule_variants(study: Study, question: RuleVariants) -> Section | None:
    """Slope charts of all win rates under each variant that significantly moves one; tables of all variants.

    Quantities reported besides win rates: see `BESIDE`.
    """
    if not study.contests or not question.rules:
        return None
    seats, wanted = study.seats_for(question), question.beside
    steps = variants(study.game, study.cards, question.rules)
    frame, more = _measured(study, seats, study.games_for(question, study.budget.variant_games), steps, wanted)
    if frame.empty:
        return None
    truncated = bool(frame[["truncated_before", "truncated_after"]].to_numpy().any())
    summary = _summary(frame)
    moving = summary[summary["sure"] > 0]
    drawn = list((moving if len(moving) else summary[:1])["variant"][:DRAWN])
    answer = _largest_effect(frame, seats)
    caption = (
        f"Win rates {at_seats(seats)} as the rules are played (left) and with one of them read differently (right), with "
        f"{study.policy} in every seat; beside each name the change in points. "
    )
    if len(moving):
        caption += "Only variants that significantly change a win rate, the largest changes first."
    else:
        caption += "No variant significantly changes a win rate; this one changes them most."
    alt = "Slope charts, one per variant. "
    overview = {"variant": "variant", "mean": "mean change, either way", "most": "largest change", "name": "of"}
    formats: dict[str, Format] = dict.fromkeys(("mean change, either way", "largest change"), "points")
    title, columns = "How much each variant changes win rates", {"variant": "variant", "name": study.unit_word, **PAIRED}
    tables = [
        table(summary, "rule-variants-overview", title, overview | {"sure": "sure changes"}, formats),
        table(frame, "rule-variants", "Every variant", columns),
    ]
    charts = []
    for what, part in more.groupby("what", sort=False) if len(more) else ():
        sentence = _beside_answer(str(what), part, truncated)
        answer += f" {sentence}"
        charts.append(_beside_chart(study, question, str(what), part))
        plain: dict[str, Format] = {} if BESIDE[str(what)].shares else dict.fromkeys(list(PAIRED.values())[:5], "number")
        columns = {"variant": "variant"} | {name: heading for name, heading in PAIRED.items() if name != "gain"}
        tables.append(table(part, f"{question.id}-{what}", f"Every variant: {BESIDE[str(what)].said}", columns, plain))
    charts.insert(0, Chart(question.id, slope(_lines(frame, drawn), default=DEFAULT), caption, alt + answer))
    note = _note(study, steps, frame, [variant for variant in summary["variant"] if variant not in drawn])
    if len(more):
        names = listed([BESIDE[what].said for what in dict.fromkeys(more["what"])])
        note += f" For {names} p (Holm) is adjusted over all variants and these quantities."
        note += " A truncated game counts with the turns until it was stopped." * bool((more["what"] == "length").any())
    if question.ranks:
        sentence, chart, shown = orders(study, question, frame)
        answer, charts, tables = f"{answer} {sentence}", [*charts, chart], [*tables, shown]
    return Section(question.id, question.text, answer, tuple(charts), tuple(tables), note)


def _measured(
    study: Study, seats: int, games: int, steps: list[Step], wanted: Sequence[str] = ()
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Paired comparison of every variant with the rules as played, without those under which no game has a winner.

    Returns changes of the win rates, and of the quantities of `wanted` (what: their name), for each the largest first. Both have
    the columns variant, short (its label) and those of `compare`.
    """
    base = study.experiment(seats, games)
    others = [
        ({"variant": step.label, "short": step.label.partition(" instead of ")[0]}, replace(base, cards=step.cards))
        for step in steps
        if step.cards is not None and step.live
    ]
    play = study.player("variants of the rules", base.games * (len(others) + 1))
    frame = compare(base, others, play, measure=partial(_all_changes, tuple(wanted)))
    if frame.empty:
        return frame, frame
    won = frame["change"].notna() & (frame["what"] == RATE)
    frame = frame[won.groupby(frame["variant"]).transform("any")]
    return adjusted(frame[frame["what"] == RATE].reset_index(drop=True)), beside(frame, wanted)


def _all_changes(wanted: tuple[str, ...], base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes of the win rates, and of the quantities of `wanted`."""
    parts = [difference(base, before, after).assign(what=RATE)]
    parts += [pd.DataFrame([quantity_change(what, before, after)]).assign(what=what, paired=True) for what in wanted]
    return pd.concat(parts, ignore_index=True)


def quantity_change(what: str, before: Shares, after: Shares) -> dict[str, float]:
    """A quantity of `BESIDE` before and after with intervals (before_low...), and its paired change with low, high, p, n.

    Raises ValueError for an unknown quantity. A truncated game counts with the turns until it was stopped, and is left out of
    win shares, as are games without a first player.
    """
    if what not in BESIDE:
        raise ValueError(f"beside={what!r} must be among {', '.join(BESIDE)}")
    key = before.pair if before.pair.size else np.arange(len(before.share))
    if what == "length":
        values: dict[str, float] = asdict(length_change(before, after))
        bounds = [mean(games.by_pair(games.turns)) for games in (before, after)]
    else:
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
            up, down = d.clip(min=0).sum(), (-d).clip(min=0).sum()
            alone = len(d) == known.sum()
            sums = ([up], [down], [len(d)]) if alone else ([up], [down], [(d**2).sum()], [len(d)])
            change = (paired_changes if alone else grouped_changes)(*sums).iloc[0]
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


def _beside_answer(what: str, part: pd.DataFrame, truncated: bool) -> str:
    """Sentence on the variant that significantly moves a quantity most. truncated: whether games were stopped."""
    kind, sure = BESIDE[what], part[part["sure"]]
    if sure.empty:
        return f"No variant moves {kind.said} beyond chance."
    top = highest(sure, "change", size=True)
    change, low, high = (points(top[key] if kind.shares else top[key] / 100) for key in ("change", "low", "high"))
    before, after = (percent(top[key]) if kind.shares else f"{top[key]:.1f}" for key in ("before", "after"))
    return (
        f"{capital(kind.said)} is moved most by \u201c{top['variant']}\u201d: from {before} to {after}, {change} {kind.unit} "
        f"(95{NO_BREAK}% interval {low} to {high}){stopped(truncated) if kind.shares else ''}"
        f"{'; no other variant moves it significantly' if len(sure) == 1 else ''}."
    )


def _beside_chart(study: Study, question: RuleVariants, what: str, part: pd.DataFrame) -> Chart:
    """Paired dots of a quantity: every variant against the rules as played, and the change."""
    kind, drawn = BESIDE[what], part.rename(columns=ENDS).assign(name=part["short"])
    words = ("as played", "read differently")
    figure = dumbbell(drawn, words=words, label=kind.label, change=f"change, {kind.unit}", shares=kind.shares)
    caption = (
        f"{capital(kind.said)} {at_seats(study.seats_for(question))} as the rules are played and with one of them read "
        f"differently, with {study.policy} in every seat; the same games and dice, the largest change first."
    )
    alt = f"Paired dots, one row per variant. {_beside_answer(what, part, truncated=False)}"
    return Chart(f"{question.id}-{what}", figure, caption, alt)


def _lines(frame: pd.DataFrame, drawn: list[str]) -> pd.DataFrame:
    """Data of the slope chart: the default first, then each variant of `drawn`, in that order."""
    frame = pd.concat([frame[frame["variant"] == variant] for variant in drawn], ignore_index=True)
    parts = []
    for part, side in ((frame[frame["variant"] == drawn[0]].assign(variant=DEFAULT), "before"), (frame, "after")):
        ends = {"estimate": part[side], "low": part[f"{side}_low"], "high": part[f"{side}_high"]}
        parts.append(pd.DataFrame({"variant": part["variant"], "name": part["name"], **ends, "n": part["n"]}))
    parts[1] = parts[1].assign(change=frame["change"], change_low=frame["low"], change_high=frame["high"], sure=frame["sure"])
    return pd.concat(parts, ignore_index=True)


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per variant: mean and largest change, and number of significant changes. Largest mean first."""
    lines = []
    for variant, part in frame.groupby("variant", sort=False):
        top = highest(part, "change", size=True)
        facts = {"variant": variant, "mean": float(np.mean(part["change"].abs())), "most": top["change"]}
        facts |= {"sure": int(part["sure"].sum())} | {name: top[name] for name in ("name", "low", "high", "before", "after")}
        lines.append(facts | {"truncated": part[["truncated_before", "truncated_after"]].to_numpy().sum()})
    return pd.DataFrame(lines).sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _largest_effect(frame: pd.DataFrame, seats: int) -> str:
    """Sentences on the variant that matters most, those without effect, and how many have a large one."""
    summary = _summary(frame)
    top, tried = summary.iloc[0], some(len(summary), "variant")
    if not frame["sure"].any():
        return (
            f"{at_seats(seats).capitalize()} none of {tried} changes a win rate beyond chance; the largest mean change, "
            f"{100 * top['mean']:.1f} points, is that of \u201c{top['variant']}\u201d{stopped(top['truncated'])}."
        )
    quiet = [f"\u201c{variant}\u201d" for variant in summary.loc[summary["sure"] == 0, "variant"]]
    still = f" {listed(quiet)} {'changes' if len(quiet) == 1 else 'change'} no win rate beyond chance." if quiet else ""
    large = int((summary["mean"] >= LARGE).sum())
    share = f"{number_word(large)} of {tried}" if large < len(summary) else f"all {tried}"
    return (
        f"{at_seats(seats).capitalize()} \u201c{top['variant']}\u201d matters most: win rates move by {100 * top['mean']:.1f} "
        f"points on average, that of {top['name']} by {points(top['most'])} {point_interval(top['low'], top['high'])} from "
        f"{percent(top['before'])} to {percent(top['after'])}{stopped(top['truncated'])}.{still} "
        f"{capital(share)} {'moves' if large == 1 else 'move'} win rates by {100 * LARGE:.0f} points or more on average."
    )


def _note(study: Study, steps: list[Step], frame: pd.DataFrame, hidden: list[str]) -> str:
    """Sentences on how the variants were measured, and which were not, or are not drawn."""
    note = (
        f"{paired_note('Both variants')} Win rates as played are those of {count(frame['n'].max())} games of each "
        f"{study.unit_word}, so they differ a little from those of the first question."
    )
    note += sure_note(f"{study.units_word} and variants")
    known = {*frame["variant"]}
    for labels, words in (
        ([step.label for step in steps if step.live and step.label not in known], "Too few games had a winner under these"),
        (hidden, "Not drawn, but in the tables"),
        ([step.label for step in steps if not step.cards], "Refused by the rules of the card file, and left out"),
        ([step.label for step in steps if step.idle], "Without effect on play with these cards, and left out"),
        (
            list(dict.fromkeys(frame["variant"][~frame["paired"].astype(bool)])),
            "Seats choose other entrants than under the present rules, so these games are not pairs",
        ),
    ):
        named = "; ".join(f"\u201c{label}\u201d" for label in labels)
        note += f" {words}: {named}." if labels else ""
    return note


def orders(study: Study, question: RuleVariants, frame: pd.DataFrame) -> tuple[str, Chart, Table]:
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
    formats: dict[str, Format] = {"rank": "count", "rank as played": "count", "Kendall's tau": "number"}
    every = table(ranked, f"{question.id}-ranks", "Ranks under every reading", columns, formats)
    chart = Chart(f"{question.id}-ranks", figure, caption, f"Lines from rank to rank, a row per variant. {sentence}")
    return sentence, chart, every


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """One line per variant and name, the rules as played first: variant, name, rank, was, estimate, n, sure, tau."""
    first = frame[frame["short"] == frame["short"].iloc[0]]
    before = _rank(first["before"])
    was = dict(zip(first["name"], before, strict=True))
    start = {"variant": DEFAULT, "name": first["name"], "rank": before, "was": before, "estimate": first["before"]}
    parts = [pd.DataFrame({**start, "n": first["n"], "sure": False, "tau": 1.0}).sort_values("rank")]
    for variant, part in frame.groupby("short", sort=False):
        rank, known = _rank(part["after"]), part["name"].map(was)
        tau = float(stats.kendalltau(rank, known).statistic) if len(part) > 1 else 1.0
        low = {side: part[f"{side}_low"].to_numpy() for side in ("before", "after")}
        high = {side: part[f"{side}_high"].to_numpy() for side in ("before", "after")}
        fell = (low["before"][:, None] > high["before"]) & (high["after"][:, None] < low["after"])  # (names, names)
        either = np.logical_or.outer(part["sure"].to_numpy(bool), part["sure"].to_numpy(bool))
        swapped = ((fell | fell.T) & either).any(axis=1)
        columns = {"variant": variant, "name": part["name"], "rank": rank, "was": known, "estimate": part["after"]}
        parts.append(pd.DataFrame({**columns, "n": part["n"], "sure": swapped, "tau": tau}).sort_values("rank"))
    return pd.concat(parts, ignore_index=True)


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
    steps = [step for step in variants(study.game, study.cards, question.rules) if step.live]
    base = study.experiment(seats, study.games_for(question, study.budget.variant_games))
    others = [
        ({"step": number, "label": step.label}, replace(base, cards=step.cards))
        for number, step in enumerate(steps)
        if step.cards is not None
    ]
    play = study.player(f"without a rule ({question.id})", base.games * (len(steps) + 1))
    frame = compare(base, others, play, measure=_without_rule)
    if frame.empty:
        return None
    whole = frame.drop_duplicates("step")
    answers, charts, tables = [], [], []
    done = quantities(study, question)
    if len(done):
        answers.append(said(question, done))
        charts.append(chart_of(study, question, done, f"{question.id}-done"))
        tables.append(table_of(study, question, done, f"{question.id}-done"))
    for number in whole["step"]:
        part = frame[frame["step"] == number]
        label = part["label"].iloc[0]
        answers.append(_rule_off_answer(part, capital(at_seats(seats)), without + ("" if len(whole) == 1 else f" ({label})")))
        shown = part.loc[sorted(part["change"].abs().nlargest(RULE_OFF_ROWS).index)]
        caption = (
            f"Win rate of each {study.unit_word} {with_it} and {without} (\u201c{label}\u201d), the same games and dice, "
            f"{at_seats(seats)} with {study.policy} in every seat."
        )
        caption += f" Only the {RULE_OFF_ROWS} with the largest changes are shown." if len(shown) < len(part) else ""
        words = (with_it, without)
        figure = dumbbell(shown.rename(columns=ENDS), words=words, label="win rate", change="change without it, points")
        alt = f"Paired dots, a row per {study.unit_word}. {answers[-1]}"
        charts.append(Chart(f"{question.id}{f'-{number}' if number else ''}", figure, caption, alt))
    columns = {"label": "rule", "other_estimate": "games that end otherwise", "other_low": "low", "other_high": "high"}
    columns |= {"other_n": "n", "length_before": "turns with it", "length_after": "turns without it"}
    columns |= {"length_change": "change of turns", "length_low": "change low, turns", "length_high": "change high, turns"}
    overview = table(whole, question.id, "How many games end differently", columns, {"games that end otherwise": "percent"})
    columns = {"label": "rule", "name": study.unit_word, **PAIRED, "before": with_it, "after": without}
    formats: dict[str, Format] = dict.fromkeys((with_it, without), "percent")
    every = table(frame, f"{question.id}-rates", "Win rates with the rule and without it", columns, formats)
    note = f"{paired_note('Both ways, with and without the rule,')} A game ends differently if a player has another share of the "
    note += "win. Players know the rules and decide accordingly."
    note += sure_note(f"{study.units_word} and rules")
    note += f" Counts per game: {note_of(question)}" if len(done) else ""
    return Section(question.id, question.text, " ".join(answers), tuple(charts), (overview, every, *tables), note)


def _without_rule(base: Experiment, before: Shares, after: Shares) -> pd.DataFrame:
    """Changes of the win rates, and of all games: share that ends differently (other_estimate...), length, truncated games."""
    other = rows.share(base.pair_of(np.arange(len(before.share))), moved(before, after).astype(np.float64))
    facts: dict[str, Any] = {f"other_{name}": value for name, value in vars(other).items()}
    facts |= {f"length_{name}": value for name, value in asdict(length_change(before, after)).items()}
    return difference(base, before, after).assign(**facts, truncated=int(before.truncated.sum() + after.truncated.sum()))


def _rule_off_answer(part: pd.DataFrame, where: str, without: str) -> str:
    """Sentences on games that end differently, the win rate that changes most, and the length of games. part: of one rule."""
    line, top, sure = part.iloc[0], highest(part, "change", size=True), int(part["sure"].sum())
    answer = (
        f"{where}, played again {without}, {percent(line['other_estimate'])} of the games "
        f"{interval(line['other_low'], line['other_high'], line['other_n'], 'games')} end differently; "
    )
    change = f"by {points(top['change'])} points {point_interval(top['low'], top['high'])}"
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


def played_drafts(study: Study, question: Draft, policy: PolicySpec) -> Played | None:
    """Play drafts with one policy; None if the outcomes do not record picks, or the card rules refuse the rule for it."""
    cards = draft_cards(study, question)
    if cards is None or study.teams is None or not question.picked:
        return None
    games = study.games_for(question, study.budget.draft_games)
    base = replace(study.experiment(OF_TEAMS, games, policy), cards=cards, games_wanted=games, seed=study.fresh_seed)
    sums = np.zeros((2, study.teams.parts))  # numbers of picks, and picks, by part
    won, decided, played = 0.0, 0, 0
    for block in study.player(f"drafts, {policy}", base.games)(base):
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
