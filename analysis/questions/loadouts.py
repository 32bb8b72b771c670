"""What else a deck could bring besides its cards: win rates with every loadout, and the worth of the parts of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart
from analysis.answer.numbers import Format, change, percent, points
from analysis.answer.prose import at_seats, listed, point_interval, size, some
from analysis.answer.tables import Table, highest, table
from analysis.data.decks import check_deck_game
from analysis.data.names import entrant_of
from analysis.data.study import Study
from analysis.decks.loadouts import LoadoutEffects, LoadoutSteps, loadout_effects, loadout_steps
from analysis.question import question
from analysis.variants.compare import decks_tried
from analysis.variants.rules import games_of
from sim.engine.cards import slug
from sim.engine.questions import Loadouts

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

SURE = 0.05  # p-value adjusted over all rows of a table
IN_REPORT = 8  # decks tried in a report, by default


@question(without=("line_up", "forbid"))
def loadouts(study: Study, decks: list[str] = (), games: int = 400) -> Answer:  # type: ignore[assignment]
    """Win rates of decks with every loadout, such as hero, stance and ability, and the worth of each part of their own.

    The deck plays the same games with the same dice, whatever it brings; the other decks keep their loadouts.

    Parameters
    ----------
    decks : list of str
        Decks (ids); by default all.
    games : int
        Games of each deck with each loadout.
        By default at most those of about six seconds.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.loadouts("arena")
    Traceback (most recent call last):
    ...
    ValueError: loadouts: Arena is not played with decks; loadouts is for games whose entrants are decks

    """
    check_deck_game(study.game, "loadouts")
    chosen = [entrant_of(deck, study.game, study.cards) for deck in decks] or [*range(len(study.cards.ids))]
    answer = tried(study, chosen, study.contest, games)
    if answer is None:
        raise ValueError(f"loadouts: {study.game.title} has no other loadouts for these decks")
    return answer


def in_report(study: Study, asked: Loadouts) -> Answer | None:
    """The answer in a report, about the decks farthest from a fair share; None if there is nothing to exchange.

    asked: decks (at most this number), seats, games (in multiples of the usual number).
    """
    if study.game.decks is None or not study.contests:
        return None
    games, seats = study.games_for(asked, study.budget.deck_games), study.seats_for(asked)
    return tried(study, decks_tried(study, seats, asked.decks or IN_REPORT), seats, games)


def tried(study: Study, decks: Sequence[int], seats: int, games: int) -> Answer | None:
    """Play the games of these decks with every loadout; None if there is nothing to exchange."""
    possible = [loadout_steps(study.game, study.cards, deck) for deck in decks]
    playable = [steps for steps in possible if steps and steps.live]
    if study.game.decks is None or not playable:
        return None
    played = [(steps, games_of(study, steps.entrant, seats, study.fresh_seed, games)) for steps in playable]
    total = sum(base.games * (1 + len(steps.live)) for steps, base in played)
    effects = loadout_effects(played, study.game.decks, partial(study.play_all, "loadouts", total=total))
    blanks, word = by_part(effects.blanks), study.unit_word
    tables = [loadout_table(effects.loadouts, word)] if len(effects.loadouts) else []
    tables += [blank_table(blanks, word)] if len(blanks) else []
    if not tables:
        return None
    facts = {"seats": seats, "seed": study.fresh_seed, "games": total}
    return Answer(
        summary(effects.loadouts, blanks),
        tuple(tables),
        drawings(study, effects.loadouts, blanks, seats),
        tuple(notes(effects, playable, len(study.units))),
        facts,
    )


def by_part(blanks: pd.DataFrame) -> pd.DataFrame:
    """Parts of loadouts in the order of the slots, those worth most first."""
    if blanks.empty:
        return blanks
    rank = blanks["slot"].map({slot: number for number, slot in enumerate(blanks["slot"].unique())})
    return blanks.iloc[np.lexsort((-blanks["change"], rank))].reset_index(drop=True)


def summary(loadouts_: pd.DataFrame, blanks: pd.DataFrame) -> str:
    """The sentence: the deck that would gain most from another loadout, else the part that is worth most."""
    if loadouts_.empty:
        row = highest(blanks, "change")
        interval = point_interval(row["low"], row["high"])
        return f"Most worth a part of its loadout: {row['choice']} to {row['name']}, {points(row['change'])} points {interval}."
    names = loadouts_["name"].unique()
    better = loadouts_[(loadouts_["p_holm"] < SURE) & (loadouts_["change"] > 0)]
    if better.empty:
        return f"Of {some(len(names), 'deck')} none would win significantly more often with another loadout than with its own."
    top = highest(better, "change")
    own = loadouts_[loadouts_["own"] & (loadouts_["name"] == top["name"])].iloc[0]
    gain = points(change(own["estimate"], top["estimate"]))
    return (
        f"With \u201c{top['loadout']}\u201d {top['name']} would win {percent(top['estimate'])} instead of "
        f"{percent(own['estimate'])}, {gain} points {point_interval(top['low'], top['high'])}; "
        f"{len(set(better['name']))} of {some(len(names), 'deck')} would gain significantly."
    )


def loadout_table(loadouts_: pd.DataFrame, word: str) -> Table:
    """Table of every deck with every loadout: `LoadoutEffects.loadouts`. word: noun for a deck."""
    columns = {"name": word, **{slot: slot for slot in slots_of(loadouts_)}, "mark": "own", "estimate": "win rate"}
    columns |= {"estimate_low": "low", "estimate_high": "high", "change": "change", "low": "change low"}
    columns |= {"high": "change high", "p_holm": "p (Holm)", "n": "n", "gain": "gain", "truncated": "truncated"}
    shown = loadouts_.assign(mark=loadouts_["own"].map({True: "own", False: None}))
    caption = "Win rates by loadout, and their difference from the deck's own"
    made = table(shown, "loadouts", caption, columns, {"gain": "number"})
    names = {slot: slug(slot) for slot in slots_of(loadouts_)}
    names |= {"estimate_low": "low", "estimate_high": "high", "low": "change_low", "high": "change_high"}
    return replace(made, whole=loadouts_.rename(columns=names))


def blank_table(blanks: pd.DataFrame, word: str) -> Table:
    """Table of what each part is worth to each deck: `LoadoutEffects.blanks`."""
    columns = {"slot": "part", "name": word, "choice": "its own", "before": "with", "after": "without"}
    columns |= {"change": "worth", "low": "worth low", "high": "worth high", "p_holm": "p (Holm)", "n": "n"}
    columns |= {"gain": "gain", "truncated_before": "truncated with", "truncated_after": "truncated without"}
    formats: dict[str, Format] = dict.fromkeys(("with", "without", "truncated with", "truncated without"), "percent")
    formats |= {**dict.fromkeys(("worth", "worth low", "worth high"), "points"), "gain": "number"}
    caption = "Worth of a part of the deck's loadout: with it less without"
    return table(blanks, "parts", caption, columns, formats)


def slots_of(loadouts_: pd.DataFrame) -> list[str]:
    """Slots of loadouts: the columns of `LoadoutEffects.loadouts` between `own` and `estimate`."""
    columns = [str(column) for column in loadouts_.columns]
    return columns[columns.index("own") + 1 : columns.index("estimate")]


def drawings(study: Study, loadouts_: pd.DataFrame, blanks: pd.DataFrame, seats: int) -> tuple[Chart, ...]:
    """Win rates with every loadout by deck, and the worth of every part."""
    where, word = f"{at_seats(seats)}; {study.players}.", study.unit_word
    drawn = []
    if len(loadouts_):
        drawn.append(Chart(partial(choices_figure, loadouts_), f"Win rate of each {word} with every possible loadout {where}"))
    if len(blanks):
        title = f"Win rate of each {word} with a part of its loadout less that without it, {where}"
        drawn.append(Chart(partial(parts_figure, blanks), title, "parts"))
    return tuple(drawn)


def choices_figure(loadouts_: pd.DataFrame) -> Figure:
    """Win rates with every loadout, by deck."""
    rest = [", ".join(map(str, row)) for row in loadouts_[slots_of(loadouts_)[1:]].to_numpy()]
    drawn = loadouts_.assign(panel=loadouts_["name"], name=rest, sure=loadouts_["p_holm"] < SURE).drop(columns=["low", "high"])
    return charts.choices(drawn.rename(columns={"estimate_low": "low", "estimate_high": "high"}))


def parts_figure(blanks: pd.DataFrame) -> Figure:
    """Worth of every part, by slot."""
    pairs = zip(blanks["slot"].astype(str), blanks["worth"].astype(str), strict=True)
    heads = [f"{slot}: {worth}" if slot.lower() not in worth.lower() else slot for slot, worth in pairs]
    frame = blanks.assign(panel=heads, name=blanks["name"] + ": " + blanks["choice"], sure=blanks["p_holm"] < SURE)
    return charts.gains(frame, counts=("games", "Games: played with and without the part."), bars=True)


def notes(found: LoadoutEffects, playable: Sequence[LoadoutSteps], units: int) -> list[str]:
    """How the games were compared, and what was left out."""
    refused = [f"{words} ({steps.name})" for steps in playable for words in steps.refused]
    left = units - len(playable)
    return [
        "A deck plays the same games with the same dice with its own loadout and with another; its list of cards stays.",
        f"Differences are analysed as pairs ({size(found.pairs)} each); p (Holm) over all loadouts and over all parts.",
        *([f"The rules of the card file refuse {listed(refused)}."] if refused else []),
        *([f"{some(left, 'deck').capitalize()} not tried."] if left else []),
    ]
