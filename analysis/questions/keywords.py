"""Worth of each keyword to a deck: the same games with the same dice, with the keyword and without it on any card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis import charts
from analysis.answer.model import Answer, Chart, NoAnswerError
from analysis.answer.numbers import change, percent, points
from analysis.answer.prose import at_seats, listed, number_word, size, some
from analysis.answer.tables import Table, highest
from analysis.data.study import Study
from analysis.question import question
from analysis.variants.compare import decks_tried
from analysis.variants.parameter_effects import multiple
from analysis.variants.rules import compared, games_of
from analysis.variants.tables import GAIN_WORDS, PAIR_WORDS, PAIRED, left_out, table
from analysis.variants.variant import SURE, adjusted, made, turned_round
from sim.engine.decks import NO_CARD

if TYPE_CHECKING:  # matplotlib is loaded when a chart is drawn
    from matplotlib.figure import Figure

DRAWN = 14  # most keywords of a deck in the chart


@question(without=("line_up", "forbid"))
def keywords(
    study: Study,
    decks: int = 8,
    leave_out: list[str] = (),  # type: ignore[assignment]
    scale: float = 1.0,
) -> Answer:
    """Worth of each keyword to a deck, and per copy with it, from games with the keyword removed from all cards of the deck.

    Parameters
    ----------
    decks : int
        Number of decks, those farthest from a fair share.
    leave_out : list of str
        Keywords that are not removed.
    scale : float
        Games without each keyword, in multiples of the usual number.

    Examples
    --------
    >>> import fairfight as ff
    >>> ff.keywords("arena", policy="random", progress=False)
    Traceback (most recent call last):
    ...
    analysis.answer.model.NoAnswerError: Arena has no decks with keywords

    """
    if study.game.decks is None or study.game.decks_for(study.cards) is None:
        raise NoAnswerError(f"{study.game.title} has no decks with keywords")
    if not study.contests:
        raise NoAnswerError("win rates of decks need a game of two or more seats")
    if decks < 1:
        raise ValueError(f"decks={decks} must be at least 1")
    study = study.as_report
    seats, games = study.contest, multiple(study.budget.deck_games, scale)
    trial = removed(study, decks_tried(study, seats, decks), seats, games, leave_out)
    frame = trial.worths
    if frame.empty:
        raise NoAnswerError(f"no keyword of these {study.units_word} can be removed")
    return Answer(
        summary(study, frame),
        (worth_table(study, frame),),
        (
            Chart(
                partial(gains_chart, frame), f"Win rate with a keyword minus that without it, {at_seats(seats)}, {study.players}."
            ),
        ),
        tuple(notes(study, trial)),
        {"game": study.game.name, "seats": seats, "policy": str(study.policy), "seed": study.fresh_seed},
    )


@dataclass(frozen=True, eq=False)
class Removals:
    """Games with and without each keyword.

    worths: a row per deck (panel) and keyword (name): the changes of `compared` turned round, so that `change` is the worth of
    having it; p_holm and sure over all rows, bearers and on (cards with it), copies, per_copy. refused: keywords that the rules
    of the card file do not allow removing. decks: number of decks tried.
    """

    worths: pd.DataFrame
    refused: list[str] = field(default_factory=list)
    decks: int = 0


def removed(study: Study, entrants: Sequence[int], seats: int, games: int, leave_out: Sequence[str]) -> Removals:
    """Play the games of these decks with and without each of their keywords."""
    decking, parts, refused = study.game.decks, [], []
    assert decking is not None
    for entrant in entrants:
        name = study.units[entrant]
        bearers, copies = bearers_of(study, entrant)
        bare = partial(decking.bare, study.cards.document, study.unit_ids[entrant])
        kept = [keyword for keyword in bearers if keyword not in leave_out]
        steps = [made(study.game, study.cards, (keyword, "with", "without"), partial(bare, keyword)) for keyword in kept]
        refused += [f"{step.field} ({name})" for step in steps if not step.cards]
        base = games_of(study, entrant, seats, study.fresh_seed, games)
        part = compared(study, base, steps, f"keywords of {name}", unit=name)
        if len(part):
            facts = {"name": part["path"], "bearers": part["path"].map(bearers), "copies": part["path"].map(copies)}
            part = turned_round(part).assign(panel=name, **facts)
            parts.append(part.sort_values("change", ascending=False, kind="stable"))
    if not parts:
        return Removals(pd.DataFrame(), refused, len(entrants))
    frame = adjusted(pd.concat(parts, ignore_index=True))
    frame = frame.assign(per_copy=frame["change"] / frame["copies"], on=frame["bearers"].map(", ".join))
    return Removals(frame, refused, len(entrants))


def bearers_of(study: Study, entrant: int) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Cards of a deck by keyword, in the order of its list, and the number of copies of these cards."""
    decks = study.game.decks_for(study.cards)
    assert decks is not None
    bearers: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    for card in decks.slots[entrant][decks.slots[entrant] != NO_CARD].tolist():
        for keyword in dict.fromkeys(mark.partition("(")[0] for mark in decks.marks[card]):  # without their numbers
            bearers.setdefault(keyword, []).append(decks.names[card])
            copies[keyword] = copies.get(keyword, 0) + int(decks.counts[entrant, card])
    return bearers, copies


def summary(study: Study, frame: pd.DataFrame) -> str:
    """The sentence: the keyword on which a deck depends most."""
    sure = frame[frame["sure"]]
    if sure.empty:
        return f"Removing any one of {some(len(frame), 'keyword')} changes no win rate of a {study.unit_word} beyond chance."
    top = highest(sure, "change", size=True)
    worth = points(change(top["after"], top["before"]))
    return (
        f"{top['panel']} depends most on {top['name']}: without it the {study.unit_word} wins {percent(top['after'])} instead of "
        f"{percent(top['before'])}, a worth of {worth} points ({points(top['low'])} to {points(top['high'])})."
    )


def worth_table(study: Study, frame: pd.DataFrame) -> Table:
    """Every keyword of every deck."""
    columns = {"panel": study.unit_word, "name": "keyword", "on": "on", "copies": "copies", "before": "with"}
    columns |= {"after": "without", "change": "worth", "low": "worth low", "high": "worth high", "per_copy": "per copy"}
    columns |= {name: PAIRED[name] for name in ("p_holm", "n", "gain")}
    made = table(frame, "keywords", "What each keyword is worth", columns)
    return replace(made, whole=frame.rename(columns={"name": "keyword", "panel": "name"}))


def gains_chart(frame: pd.DataFrame) -> Figure:
    """Bars of the worth of each keyword, and of each copy with it, by deck."""
    most = frame.groupby("panel", sort=False).head(DRAWN)
    counts = ("games", "Games: played with and without it.")
    return charts.gains(most.assign(price=most["copies"]), price="copies", unit="copy", counts=counts, bars=True)


def notes(study: Study, trial: Removals) -> list[str]:
    """How many keywords are worth something, what is compared, and what was not tried."""
    frame = trial.worths
    sure = frame[frame["sure"]]
    bad = [f"{row['name']} ({row['panel']})" for _, row in sure[sure["change"] < 0].iterrows()]
    harm = f", and {listed(bad)} {'does' if len(bad) == 1 else 'do'} significant harm" if bad else ""
    good = int((sure["change"] > 0).sum())
    same = np.isclose(frame["low"] + frame["high"], 0) & (frame["change"] == 0) & ~np.isfinite(frame["gain"])
    left = len(study.units) - trial.decks
    return [
        f"Of {some(len(frame), 'keyword')} of {some(frame['panel'].nunique(), study.unit_word)}, {number_word(good)} "
        f"{'has' if good == 1 else 'have'} a significant value{harm}.",
        "Cards, their costs and all other decks stay as they are, so the worth is that of the keyword at its present price.",
        f"A worth is significant, and coloured, if p (Holm) < {SURE}, adjusted over all {study.units_word} and keywords.",
        f"{PAIR_WORDS} {GAIN_WORDS}",
        f"Each worth: {size(frame['n'].min())}, seed {study.fresh_seed}.",
        *left_out(
            "No game of the sample changed without", [f"{row['name']} ({row['panel']})" for _, row in frame[same].iterrows()]
        ),
        *left_out("The rules of the card file do not allow removing", trial.refused),
        *([f"{some(left, study.unit_word).capitalize()} nearer to a fair share were not tried."] if left else []),
    ]
