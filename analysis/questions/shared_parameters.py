"""Which number that belongs to no entrant moves the balance and the length of a game, such as the attack of an enemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import Format, count, number, points
from analysis.answer.prose import assumed_note, at_seats, field_words, size, starred
from analysis.answer.tables import Table, highest, lowest
from analysis.data.shares import Shares, length_change, spread, spread_change
from analysis.data.study import Study
from analysis.question import Settings, question
from analysis.questions.parameters import LIST, SIGNIFICANT, facts_of, searched_note, sizes_note, sizes_of, turned, way_of
from analysis.questions.variants import settings_of
from analysis.variants.parameter_effects import leaf_of, multiple, sized_steps
from analysis.variants.rules import compared
from analysis.variants.tables import GAIN_WORDS, PAIR_WORDS, PAIRED, SPREAD_WORDS, left_out, table
from analysis.variants.variant import Step
from sim.engine.cards import numeric_fields
from sim.experiments.experiment import Experiment

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SHOWN = 12  # most numbers in a chart
SPREAD, LENGTH = "spread", "length"
UNITS = {SPREAD: "points", LENGTH: "turns"}
UNPLAYED = "No game of the sample changed with"


@question(without=("line_up", "forbid"))
def shared_parameters(
    study: Study,
    fields: list[str] = (),  # type: ignore[assignment]
    leaves: list[str] = (),  # type: ignore[assignment]
    steps: Settings = (),
    names: Settings = (),
    scale: float = 1.0,
) -> Answer:
    """Change of the spread of the win rates and of the length by each number that belongs to no entrant, one step down and up.

    Parameters
    ----------
    fields : list of str
        Starts of the paths of the numbers in the card file, such as enemy.
    leaves : list of str
        Ends of the paths, such as attack; by default any.
    steps : list of str, or mapping
        Size of a step by name of the number, such as start_life=10; by default 1.
    names : list of str, or mapping
        Names of the items of a list in the card file, such as energy=red,yellow.
    scale : float
        Games of each step, in multiples of the usual number.

    Examples
    --------
    >>> import fairfight as ff
    >>> result = ff.shared_parameters("arena", ["rules."], ["hit_faces"], scale=0.1, policy="random", progress=False)
    >>> list(result.frames), result.frame["value"].tolist()
    (['spread', 'length'], [2, 4])

    """
    seats = study.contest if study.contests else 0
    if seats not in study.contests or len(study.units) <= 1:
        raise NoAnswerError("balance needs two entrants and a game of two or more seats")
    study, sizes = study.as_report, sizes_of(steps)
    trial = trial_of(study, seats, steps_of(study, fields, leaves, sizes), settings_of(names), scale)
    effects, named = trial.effects, best(trial.effects)
    again = retested(trial, named)
    sentences = [sentence(named, again, what) for what in UNITS]
    return Answer(
        sentences[0],
        tuple(effect_table(effects[effects["what"] == what], what) for what in UNITS),
        tuple(drawing(study, effects[effects["what"] == what], what, seats) for what in UNITS),
        (
            sentences[1],
            before_note(trial),
            SPREAD_WORDS,
            SIGNIFICANT,
            f"{PAIR_WORDS} {GAIN_WORDS}",
            f"Every step plays the same {count(effects['n'].max())} games (seed {study.fresh_seed}), and a step that is named "
            f"{count(trial.again_games)} others (seed {study.retest_seed}).",
            *searched_note(study),
            "Win rates leave out truncated games; lengths count their turns until they were stopped.",
            *sizes_note(sizes),
            *untried(trial),
        ),
        facts_of(study, seats),
    )


@dataclass(frozen=True, eq=False)
class Trial:
    """The games with every step.

    steps: all, also those that are refused or without effect; words: description of each number by path. again_games: of a step
    in the re-test. before: the games with unchanged cards. effects: two rows per step, of `what` spread and length, with the
    changes.
    """

    study: Study
    seats: int
    steps: list[Step]
    words: dict[str, str]
    again_games: int
    before: Shares
    effects: pd.DataFrame


def steps_of(study: Study, fields: Sequence[str], leaves: Sequence[str], sizes: Mapping[str, int]) -> list[Step]:
    """Steps of all numbers whose path has one of these starts and ends. Raises NoAnswerError if none can be played."""
    paths = [path for path in numeric_fields(study.cards.document) if path.startswith(tuple(fields))]
    steps = sized_steps(study, [path for path in paths if not leaves or leaf_of(path) in leaves], sizes)
    if not any(step.live for step in steps):
        raise NoAnswerError(f"fields={[*fields]}, leaves={[*leaves]}: no number of the card file can change")
    return steps


def trial_of(study: Study, seats: int, steps: list[Step], names: Mapping[str, tuple[str, ...]], scale: float) -> Trial:
    """Play the same games with every step."""
    words = {step.field: field_words(study.cards.document, step.field, names) for step in steps}
    games, again = (multiple(number, scale) for number in (study.budget.shared_games, study.budget.retest_games))
    live = [step for step in steps if step.live]
    before, effects = effects_of(study.searcher, seats, games, study.fresh_seed, live, words)
    return Trial(study, seats, steps, words, again, before, effects)


def effects_of(
    study: Study, seats: int, games: int, seed: int, steps: Sequence[Step], words: dict[str, str]
) -> tuple[Shares, pd.DataFrame]:
    """The games of a seed with unchanged cards, and both quantities under every step, one line each, p adjusted over all."""
    base = replace(study.experiment(seats, games), seed=seed)
    stage = "shared numbers" if seed == study.fresh_seed else "shared numbers again"
    before = Shares.of(base, study.play_as(stage, base.games))

    def both(_: Experiment, old: Shares, new: Shares) -> pd.DataFrame:
        spreads = spread_change(study.by_unit(old), study.by_unit(new), len(study.units))
        return pd.DataFrame([{"what": SPREAD, **vars(spreads)}, {"what": LENGTH, **vars(length_change(old, new))}])

    return before, compared(study, base, steps, stage, words=words, before=before, measure=both)


def best(effects: pd.DataFrame) -> pd.DataFrame:
    """The significant step that narrows the spread most, else widens it least, and the one that moves the length most."""
    sure = effects[effects["sure"]]
    spreads, lengths = (sure[sure["what"] == what] for what in UNITS)
    named = [lowest(spreads, "change")] if len(spreads) else []
    named += [highest(lengths, "change", size=True)] if len(lengths) else []
    return pd.DataFrame(named)


def retested(trial: Trial, named: pd.DataFrame) -> pd.DataFrame:
    """The steps of `best` in new games; empty without any."""
    if named.empty:
        return named
    wanted = {*zip(named["path"], named["step"], strict=True)}
    steps = [step for step in trial.steps if step.live and (step.field, step.step) in wanted]
    return effects_of(trial.study, trial.seats, trial.again_games, trial.study.retest_seed, steps, trial.words)[1]


def sentence(named: pd.DataFrame, again: pd.DataFrame, what: str) -> str:
    """The best step for a quantity, with its effect in new games. named: see `best`; again: see `retested`."""
    words = f"{what} of the win rates" if what == SPREAD else "length of a game"
    rows = named[named["what"] == what] if len(named) else named
    if rows.empty:
        return f"No single step moves the {words} beyond chance."
    row = rows.iloc[0]
    new = again[(again["path"] == row["path"]) & (again["step"] == row["step"]) & (again["what"] == what)].iloc[0]
    unit = 1.0 if what == SPREAD else 0.01  # points of a share, or turns
    change, low, high = (points(unit * new[name]) for name in ("change", "low", "high"))
    verb = f"moves the {words} most"
    if what == SPREAD:
        verb = f"reduces the {words} most" if row["change"] < 0 else f"increases the {words} least, and none reduces it"
    return f"{turned(row)} {verb}: {change} {UNITS[what]} ({low} to {high}) in new games."


def before_note(trial: Trial) -> str:
    """Spread and length as they are."""
    study = trial.study
    wide = spread(study.by_unit(trial.before), len(study.units))
    low, high = (f"{100 * bound:.1f}" for bound in (wide.low, wide.high))
    return (
        f"As {study.searcher.players} play, the win rates of the {study.units_word} have a spread of "
        f"{100 * wide.estimate:.1f} points ({low} to {high}, {size(wide.n)}), and "
        f"a game lasts {number(float(trial.before.turns.mean()))} turns."
    )


def effect_table(part: pd.DataFrame, what: str) -> Table:
    """Every step, with its effect on one quantity."""
    unit = {SPREAD: "spread", LENGTH: "turns"}[what]
    columns = {name: heading for name, heading in LIST.items() if name != "name"} | PAIRED
    columns |= {"before": f"{unit} before", "after": f"{unit} after", "source": "source", "path": "field of the card file"}
    change: Format = "points" if what == SPREAD else "number"
    value: Format = "percent" if what == SPREAD else "number"
    formats = dict.fromkeys(("change", "change low", "change high"), change)
    formats |= dict.fromkeys((f"{unit} before", f"{unit} after"), value)
    title = "spread of the win rates" if what == SPREAD else "length of a game"
    return table(part, what, f"Every step: {title}", columns, formats)


def drawing(study: Study, part: pd.DataFrame, what: str, seats: int) -> Chart:
    """A tornado chart of one quantity."""
    words = f"spread of the win rates of the {study.units_word}" if what == SPREAD else "mean length of a game"
    change = f"Change in the {words} {at_seats(seats)} if one number changes by one step"
    title = f"{change}, {study.searcher.players}.{assumed_note(part)}"
    return Chart(partial(tornado, part, UNITS[what]), title, what)


def tornado(part: pd.DataFrame, unit: str) -> Figure:
    """The numbers that move a quantity most, the largest effect first."""
    drawn = part.assign(field=starred(part), value=part["value"].map(number))
    return charts.tornado(drawn, most=SHOWN, unit=unit)


def untried(trial: Trial) -> list[str]:
    """Notes on steps that are refused, never reach play, or change no game."""
    effects = trial.effects
    same = effects.assign(same=effects["low"] == effects["high"]).groupby(["path", "step"])["same"].all()

    def labels(steps: Sequence[Step]) -> list[str]:
        return [f"{trial.words[step.field]} {way_of(step)}" for step in steps]

    return [
        *left_out("Refused by the rules of the card file", labels([step for step in trial.steps if not step.cards])),
        *left_out("Without effect on play", labels([step for step in trial.steps if step.idle])),
        *left_out(UNPLAYED, labels([step for step in trial.steps if same.get((step.field, step.step), False)])),
    ]
