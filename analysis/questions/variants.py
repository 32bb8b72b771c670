"""Other values of rules and numbers, one at a time: win rates, ranks, length, and what the first player wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from analysis import charts
from analysis.answer.model import Answer, Chart, ColumnNote
from analysis.answer.numbers import Format, count, percent, points
from analysis.answer.prose import field_words, listed, number_word, some, source_of, starred, value_words
from analysis.answer.tables import Table, highest
from analysis.data import rows
from analysis.data.budget import each_of_many
from analysis.data.commands import more_games
from analysis.data.shares import Shares
from analysis.data.study import Study
from analysis.question import Settings, question
from analysis.variants.quantities import FIRST, LENGTH, QUANTITIES, quantity_change
from analysis.variants.tables import GAIN_WORDS, PAIR_WORDS, PAIRED, TRUNCATED, left_out, run_words, table
from analysis.variants.variant import RULES, Step, adjusted, difference, each_value, moved
from sim.engine.cardfiles.paths import is_number
from sim.engine.cards import CardError
from sim.experiments.experiment import Experiment
from sim.run import Block

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

EACH = 2_000  # games with each value, at most by default
DRAWN = 12  # most variants in the slope charts
LINES = 8  # most entrants in the chart of a number; those that move most
CURVE = 2  # other values from which a number is drawn as a curve
AS_PLAYED = "as played"
ENDS = 20  # rows shown from each end of a long table
OVERVIEW_DETAILS = ("games that end otherwise", "Kendall*", "turns *", "p of *", "first player *")  # see `Table.details`
BOUNDS = {"low": "change_low", "high": "change_high"}  # of the change of a quantity of the whole game


@question(
    options={"values": "FIELD=VALUE[,VALUE...]..."},
    examples=("variants arena rules.hit_faces=2,4 rules.board=large", "variants arena hero.rhino_guy.move=1,3,4"),
)
def variants(study: Study, values: Settings, games: int | None = None) -> Answer:
    """Win rates, ranks and length under other values of rules and numbers.

    Every value is tried alone, in the same games with the same dice as the cards as they are.

    Parameters
    ----------
    values : list of str, or mapping
        A field and its values, such as rules.hit_faces=2,4; a list is written a+b.
    games : int, optional
        Games in all, at most. By default 2,000 with each value and with the cards as they are, but no more each than those of
        about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.variants("arena", {"rules.hit_faces": [2, 4]}, 600, policy="random", progress=False)
    >>> result.frame["variant"].sort_values().tolist()
    ['hit faces: 2 instead of 3', 'hit faces: 4 instead of 3']

    """
    if not values:
        raise ValueError("variants: name a field and its values, such as rules.hit_faces=2,4")
    trial = played(study if study.base else study.searcher, steps_of(study, values), games)
    rates, overview = trial.rates, trial.overview
    sure = bool(len(rates)) and bool(rates["sure"].any())
    return Answer(
        summary(trial),
        (overview_table(overview, trial.word), rates_table(rates, trial.word)) if len(rates) else (),
        tuple(drawings(study, trial)) if len(rates) else (),
        tuple(notes(trial, partial(label_of, study))),
        {**trial.base.facts(), "played": trial.base.games * (1 + trial.tried)},
        again={} if sure else more_games(trial.base.games * (1 + trial.tried)),
        shown=f"the first {trial.tried} of {len(trial.live)} values" if trial.tried < len(trial.live) else "",
    )


@dataclass(frozen=True, eq=False)
class Trial:
    """Values of fields, and the games with them.

    base: games with the cards as they are. steps: all values, the present one included. rates: a line per value and entrant: the
    changes of `difference`, variant (words), path, present, value, p_holm, sure. overview: a line per value, see `overview_of`.
    tried: number of values that were played. word: noun for an entrant.
    """

    base: Experiment
    steps: list[Step]
    rates: pd.DataFrame
    overview: pd.DataFrame
    tried: int
    word: str

    @property
    def live(self) -> list[Step]:
        """Values that are not the present one, that the card rules allow, and that reach play."""
        return live_steps(self.steps)


def live_steps(steps: list[Step]) -> list[Step]:
    """Values that are not the present one, that the card rules allow, and that reach play."""
    return [step for step in steps if step.live and step.value != step.before]


def steps_of(study: Study, values: Settings) -> list[Step]:
    """Every value of every field. A report leaves out fields that its card set does not have."""
    steps = []
    for path, texts in settings_of(values).items():
        with suppress(CardError) if study.base is None else nullcontext():
            steps += each_value(study.game, study.cards, path, texts)
    return steps


def label_of(study: Study, step: Step) -> str:
    """A value in words, such as `Rhino Guy: move, 3 instead of 2`."""
    if step.field.startswith(f"{RULES}."):
        return step.label
    words = field_words(study.cards.document, step.field, {})
    return f"{words}, {value_words(step.value)} instead of {value_words(step.before)}"


def settings_of(values: Settings) -> dict[str, tuple[str, ...]]:
    """Values by field, as texts. Raises ValueError for a text that is not FIELD=VALUE,VALUE."""
    if isinstance(values, Mapping):
        several = {path: value if isinstance(value, (list, tuple)) else (value,) for path, value in values.items()}
        return {path: tuple(map(text_of, its)) for path, its in several.items()}
    known: dict[str, tuple[str, ...]] = {}
    for text in values:
        path, equals, its = (part.strip() for part in text.partition("="))
        if not (path and equals and its):
            raise ValueError(f"{text!r} must be FIELD=VALUE, such as rules.hit_faces=2,4")
        known[path] = (*known.get(path, ()), *(value.strip() for value in its.split(",")))
    return known


def text_of(value: Any) -> str:
    """A value as the command takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def played(study: Study, steps: list[Step], games: int | None) -> Trial:
    """Play the same games with every value. After an interrupt, the values that were played so far.

    Raises ValueError if the games are fewer than a round of line-ups for every value.
    """
    live = live_steps(steps)
    base = design_of(study, len(live), games)
    total = base.games * (1 + len(live))
    before = Shares.of(base, partial(whole_games, study, total))
    parts: list[pd.DataFrame] = []
    wholes: list[dict[str, float]] = []
    for step in live:
        assert step.cards is not None
        try:
            after = Shares.of(replace(base, cards=step.cards), partial(whole_games, study, total))
        except KeyboardInterrupt:
            if not parts:
                raise
            break
        said = {"variant": label_of(study, step), "path": step.field, "present": step.before, "value": step.value}
        lines_ = difference(base, before, after)
        parts.append(lines_.assign(**{name: [value] * len(lines_) for name, value in said.items()}))
        wholes.append(whole_game(base, before, after))
    word = study.unit_word
    if not parts or not any(part["change"].notna().any() for part in parts):
        return Trial(base, steps, pd.DataFrame(), pd.DataFrame(), len(parts), word)
    won = [part["change"].notna().any() for part in parts]  # under the others, no game has a winner
    rates = adjusted(pd.concat([part for part, some_won in zip(parts, won, strict=True) if some_won], ignore_index=True))
    whole = pd.DataFrame([line for line, some_won in zip(wholes, won, strict=True) if some_won])
    return Trial(base, steps, rates, overview_of(rates, whole), len(parts), word)


def design_of(study: Study, live: int, games: int | None) -> Experiment:
    """The games with each value. games: in all."""
    if games is None:
        return study.design(each_of_many(study.budget.variant_games) if study.base is None else study.games_in(most=EACH))
    design = study.design(games)
    rounds = games // (1 + live) // design.round_games
    if not rounds:
        raise ValueError(
            f"games={games} must be at least {(1 + live) * design.round_games}: a round of {design.round_games} line-ups with "
            f"the cards as they are and with each of {live} values"
        )
    return replace(design, games_wanted=rounds * design.round_games)


def whole_games(study: Study, total: int, experiment: Experiment) -> Iterator[Block]:
    """Play all games of a value. Raises KeyboardInterrupt after an interrupt, because values must have the same games."""
    done = 0
    for block in study.player.play(experiment, "variants", total):
        done += len(block.rows)
        yield block
    if done < experiment.games:
        raise KeyboardInterrupt


def whole_game(base: Experiment, before: Shares, after: Shares) -> dict[str, float]:
    """Changes of the whole game: share of games that end differently (other, other_low, other_high), length, first player."""
    other = rows.share(base.pair_of(np.arange(len(before.share))), moved(before, after).astype(np.float64))
    line = {"other": other.estimate, "other_low": other.low, "other_high": other.high}
    for what in QUANTITIES:
        change = quantity_change(what, before, after)
        line |= {f"{what}_{BOUNDS.get(name, name)}": value for name, value in change.items()}
    return line


def overview_of(rates: pd.DataFrame, whole: pd.DataFrame) -> pd.DataFrame:
    """One line per value, the largest mean change first.

    variant, path, present, value, mean (absolute change of the win rates), most (largest change), name (its entrant), low, high,
    sure_changes (number of significant changes), tau (Kendall's, of the ranks by win rate before and after), reordered (whether
    ranks change beyond chance), and the columns of `whole_game`, with length_p_holm and first_p_holm, adjusted over both.
    """
    lines_ = []
    for _, part in rates.groupby("variant", sort=False):
        top = highest(part, "change", size=True)
        line = {name: top[name] for name in ("variant", "path", "present", "value", "name", "low", "high")}
        line |= {"mean": float(part["change"].abs().mean()), "most": top["change"], "sure_changes": int(part["sure"].sum())}
        lines_.append(line | {"tau": tau_of(part), "reordered": is_reordered(part)})
    overview = pd.DataFrame(lines_).join(whole)
    p_values = pd.concat([overview[f"{what}_p"] for what in QUANTITIES], keys=QUANTITIES)
    p_holm = adjusted(pd.DataFrame({"p": p_values}))["p_holm"]
    overview = overview.assign(**{f"{what}_p_holm": p_holm[what] for what in QUANTITIES})
    return overview.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def tau_of(part: pd.DataFrame) -> float:
    """Kendall's tau between the ranks by win rate before and after."""
    return float(scipy.stats.kendalltau(ranks(part["after"]), ranks(part["before"])).statistic) if len(part) > 1 else 1.0


def ranks(share: pd.Series) -> pd.Series:
    """Rank of each entrant, the highest win rate first."""
    return share.rank(ascending=False, method="first")


def is_reordered(part: pd.DataFrame) -> bool:
    """Whether two entrants change places beyond chance: both changes are significant, and no intervals overlap."""
    sure = part["sure"].to_numpy(bool)
    (low, high), (low_after, high_after) = (part[[f"{side}_low", f"{side}_high"]].to_numpy().T for side in ("before", "after"))
    fell = (low[:, None] > high) & (high_after[:, None] < low_after)  # (names, names)
    return bool((fell & np.logical_and.outer(sure, sure)).any())


def summary(trial: Trial) -> str:
    """The sentence: the value that moves win rates most."""
    overview = trial.overview
    if overview.empty:
        return "No other value can be played."
    top = overview.iloc[0]
    if not trial.rates["sure"].any() and len(overview) == 1:
        return (
            f"\u201c{top['variant']}\u201d changes no win rate beyond chance; the mean change is {100 * top['mean']:.1f} points."
        )
    if not trial.rates["sure"].any():
        return (
            f"None of {some(len(overview), 'variant')} changes a win rate beyond chance; the largest mean change, "
            f"{100 * top['mean']:.1f} points, is that of \u201c{top['variant']}\u201d."
        )
    return (
        f"\u201c{top['variant']}\u201d matters most: win rates move by {100 * top['mean']:.1f} points on average, that of "
        f"{top['name']} by {points(top['most'])} ({points(top['low'])} to {points(top['high'])})."
    )


def overview_table(overview: pd.DataFrame, word: str) -> Table:
    """What each value changes."""
    columns = {
        "variant": "variant",
        "mean": "mean change, either way",
        "most": "largest change",
        "name": f"of ({word})",
        "sure_changes": "sure changes",
        "other": "games that end otherwise",
        "tau": "Kendall's tau",
        "length_before": "turns before",
        "length_after": "turns after",
        "length_p_holm": "p of turns (Holm)",
        "first_before": "first player before",
        "first_after": "first player after",
        "first_p_holm": "p of first player (Holm)",
    }
    plain = {name: heading for name, heading in columns.items() if not name.startswith("first") or overview[name].notna().any()}
    formats: dict[str, Format] = {columns[name]: "percent" for name in ("first_before", "first_after")}
    formats |= {columns[name]: "p" for name in ("length_p_holm", "first_p_holm")}
    return table(overview, "variants", "How much each value changes", plain, formats, ENDS, details=OVERVIEW_DETAILS)


def rates_table(rates: pd.DataFrame, word: str) -> Table:
    """Win rates under every value."""
    columns = {"variant": "variant", "name": word, **PAIRED, **TRUNCATED}
    return table(rates, "win_rates", "Win rates under every value", columns, ends=ENDS)


def drawings(study: Study, trial: Trial) -> Iterator[Chart]:
    """Cells for games of one seat; else lines over the values of numbers, and slopes for the other values."""
    rates = trial.rates
    if trial.base.seats == 1:
        yield Chart(partial(cells_chart, rates), "Success under each value, in per cent of the games.", "cells")
        return
    curved = [path for path, part in rates.groupby("path", sort=False) if is_curve(part)]
    others = rates[~rates["path"].isin(curved)]
    if len(others):
        sure = others["sure"].groupby(others["variant"]).transform("any")
        moving = others[sure] if sure.any() else others
        order = [name for name in trial.overview["variant"] if name in set(moving["variant"])]
        most = DRAWN if sure.any() else 1
        yield Chart(partial(slope_chart, moving, order[:most]), "Win rates as played (left) and with another value (right).")
    if curved:
        title = "Win rates by the value of a number; dashes: the value as played."
        yield Chart(partial(lines_chart, study, rates[rates["path"].isin(curved)]), title, "numbers")


def is_curve(part: pd.DataFrame) -> bool:
    """Whether the values of a field are numbers, and enough for a curve."""
    values = [*part["value"], *part["present"]]
    return all(map(is_number, values)) and len(set(values)) > CURVE


def cells_chart(rates: pd.DataFrame) -> Figure:
    """Heat map of entrants by value, best first over all values, a panel per field."""
    strength = rates.groupby("name", sort=False)["after"].mean().sort_values(ascending=False, kind="stable").index
    parts = []
    for path, part in rates.groupby("path", sort=False):
        cells = part.rename(columns={"after": "estimate", "low": "change_low", "high": "change_high"})
        cells = cells.rename(columns={"after_low": "low", "after_high": "high"})
        name = str(path).rpartition(".")[2].replace("_", " ").capitalize()
        parts.append(cells.assign(panel=name, row=cells["name"], column=[value_words(value) for value in cells["value"]]))
    drawn = pd.concat(parts, ignore_index=True)
    order = drawn["name"].map({name: place for place, name in enumerate(strength)})
    drawn = drawn.loc[order.sort_values(kind="stable").index]
    return charts.grid(drawn, panels="panel" if len(parts) > 1 else None, label="success, in % of the games")


def slope_chart(rates: pd.DataFrame, variants_: list[str]) -> Figure:
    """A panel per value: win rates as played, and with it."""
    chosen = pd.concat([rates[rates["variant"] == variant] for variant in variants_], ignore_index=True)
    first = chosen[chosen["variant"] == variants_[0]].assign(variant=AS_PLAYED)
    columns = ["variant", "name", "estimate", "low", "high", "n"]
    before, after = (
        part[["variant", "name", side, f"{side}_low", f"{side}_high", "n"]].set_axis(columns, axis=1)
        for part, side in ((first, "before"), (chosen, "after"))
    )
    changes = chosen[["change", "low", "high", "sure"]].set_axis(["change", "change_low", "change_high", "sure"], axis=1)
    return charts.slope(pd.concat([before, after.join(changes)], ignore_index=True), default=AS_PLAYED)


def lines_chart(study: Study, rates: pd.DataFrame) -> Figure:
    """A panel per number: win rates over its values, of the entrants that move most."""
    reach = rates.groupby("name", sort=False)["change"].agg(lambda change: change.abs().max())
    chosen = rates[rates["name"].isin(reach.nlargest(LINES).index)]
    after = chosen[["path", "name", "present", "value", "after", "after_low", "after_high", "n"]]
    before = chosen[["path", "name", "present", "present", "before", "before_low", "before_high", "n"]]
    columns = ["path", "line", "present", "x", "estimate", "low", "high", "n"]
    both = [part.set_axis(columns, axis=1) for part in (before, after)]
    drawn = pd.concat(both, ignore_index=True).drop_duplicates(["path", "line", "x"])
    drawn = drawn.assign(present=drawn["present"].astype(float), x=drawn["x"].astype(float))
    words = {path: field_words(study.cards.document, path, {}) for path in drawn["path"].unique()}
    sources = [source_of(study.cards, path) for path in drawn["path"]]
    panel = starred(drawn.assign(field=drawn["path"].map(words), source=sources))
    return charts.lines(drawn.assign(panel=panel).sort_values(["path", "x"], kind="stable"), label="value", close=True)


def notes(trial: Trial, label: Callable[[Step], str]) -> list[str]:
    """What else changes, how games are compared, and which values were not played."""
    overview, base = trial.overview, trial.base
    won = set(overview["variant"]) if len(overview) else set()
    unwon = [label(step) for step in trial.live[: trial.tried] if label(step) not in won]
    rates = trial.rates
    unpaired: list[str] = list(rates.loc[~rates["paired"].astype(bool), "variant"].unique()) if len(overview) else []
    return [
        *(whole_notes(overview) if len(overview) else []),
        f"{count(base.games)} games with the cards as they are, and the same with each value.",
        ColumnNote("p (Holm): over all lines.", "p (Holm)"),
        PAIR_WORDS,
        GAIN_WORDS,
        *left_out("Too few games had a winner", unwon),
        *left_out("Seats choose other entrants, so games are not pairs", unpaired),
        *left_out("Refused by the rules of the card file", [label(step) for step in trial.steps if step.cards is None]),
        *left_out(
            "Without effect on play with these cards",
            [label(step) for step in trial.steps if step.idle and step.value != step.before],
        ),
        run_words(base),
    ]


def whole_notes(overview: pd.DataFrame) -> list[str]:
    """Sentences on the order of the entrants, the length of a game, and the win share of the first player."""
    kept = int((overview["tau"] == 1).sum())
    turned = [f"\u201c{variant}\u201d" for variant in overview.loc[overview["reordered"], "variant"]]
    beyond = f"beyond chance it changes under {listed(turned)}" if turned else "under none does it change beyond chance"
    said = [f"The order by win rate stays the same under {number_word(kept)} of {some(len(overview), 'variant')}; {beyond}."]
    for what, words in ((LENGTH, "The length of a game"), (FIRST, "The win share of the first player")):
        known = overview[overview[f"{what}_n"] > 0]
        sure = known[known[f"{what}_p_holm"] < 0.05]
        if len(sure):
            top = highest(sure, f"{what}_change", size=True)
            before, after = (
                percent(top[f"{what}_{side}"]) if what == FIRST else f"{top[f'{what}_{side}']:.1f} turns"
                for side in ("before", "after")
            )
            said.append(f"{words} is moved most by \u201c{top['variant']}\u201d, from {before} to {after}.")
        elif len(known):
            said.append(f"{words} changes under no variant beyond chance.")
    return said
