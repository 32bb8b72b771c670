"""What carries an entrant: the same games with the same dice without each of its abilities, or with plain cards in its deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd

from analysis.answer.verdicts import row_level
from analysis.data.selection import Chosen
from analysis.data.shares import Shares, compare
from analysis.data.together import Told, played
from analysis.data.usage import CardTally
from analysis.decks.cards import deck_cards
from analysis.decks.loadouts import loadout_steps
from analysis.stats.intervals import adjust
from analysis.variants.ablation import thing_words
from analysis.variants.variant import by_unit, deck_game, made, unit_names
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.experiments.experiment import Experiment

CARDS = 3  # of a deck that are replaced
LEAST_PAIRS = 100  # games each way, below which a worth is not reported


@dataclass(frozen=True)
class Trial:
    """Something that is taken away. thing: its name in the card file, or the id of a card; name: in words.

    cards, forbidden: of the games without it, see `Experiment`.
    """

    thing: str
    name: str
    cards: CardSet
    forbidden: tuple[str, ...]


def trials_of(base: Experiment, unit: int, tally: CardTally | None = None) -> list[Trial]:
    """What can be taken away from an entrant, or from a part of teams.

    Of a deck what it brings besides its cards, and the CARDS cards with which it wins most when it has drawn them, compared with
    when it has not, in the games of `tally`, or, without one, those with the most copies. Else everything that can be forbidden
    and is named after the entrant, such as `hero.rhino_guy.charge`.
    """
    if base.game.decks is not None:
        return [*_blanks(base, unit), *_plain_cards(base, unit, tally)]
    id_ = (base.teams.ids if base.teams else base.cards.ids)[unit]
    things = base.game.ablatable(base.cards) if base.game.ablatable else ()
    owned = [thing for thing in things if id_ in thing.split(".")]
    names = [thing_words(base, thing) for thing in owned]
    whom = "" if base.teams else f"{id_}:"
    return [Trial(thing, name, base.cards, (*base.forbidden, f"{whom}{thing}")) for thing, name in zip(owned, names, strict=True)]


def _blanks(base: Experiment, deck: int) -> list[Trial]:
    """Games without the stance, ability or the like that a deck brings, as far as the rules can do without."""
    loadout = loadout_steps(base.game, base.cards, deck)
    if loadout is None:
        return []
    parts = dict(loadout.own.parts)
    steps = [step for step in loadout.live if step.field in parts]
    return [Trial(step.field, parts[step.field], step.cards, base.forbidden) for step in steps if step.cards is not None]


def _plain_cards(base: Experiment, deck: int, tally: CardTally | None) -> list[Trial]:
    """Games with plain cards in place of all copies of a card, see `Decking.plain`. Cards that the rules keep are left out."""
    game, cards = base.game, base.cards
    trials = []
    for card, id_, name in _cards_by_effect(game, cards, deck, tally):
        document = partial(deck_game(game).plain, cards.document, cards.ids[deck], id_)
        step = made(game, cards, (id_, card, "plain"), document)
        trials += [] if step.cards is None else [Trial(id_, name, step.cards, base.forbidden)]
        if len(trials) == CARDS:
            break
    return trials


def _cards_by_effect(game: Game, cards: CardSet, deck: int, tally: CardTally | None) -> list[tuple[int, str, str]]:
    """Number, id and name of the cards of a deck, those first that seem to matter most: see `trials_of`."""
    decks = game.decks_for(cards)
    assert decks is not None
    held = [int(card) for card in decks.slots[deck] if card >= 0]
    size = dict.fromkeys(held, 0.0) | {card: float(decks.counts[deck, card]) for card in held}
    if tally is not None:
        frame = deck_cards(tally)
        frame = frame[frame["entrant"] == deck]
        size = dict(zip(frame["card"].astype(int), frame["change"].fillna(-1.0), strict=True))
    order = sorted(dict.fromkeys(held), key=lambda card: -size.get(card, -1.0))
    return [(card, decks.ids[card], decks.names[card]) for card in order]


def worths(
    own: Chosen, before: Shares, trials: Sequence[Trial], unit: int, jobs: int | None = None, told: Told | None = None
) -> pd.DataFrame:
    """Worth of each thing: win rate with it less that without it, largest first.

    own: the games to play again, of the unit; before: the same games with everything. The intervals hold together with 95 %
    confidence (Bonferroni over the trials); sure are those whose interval lies on one side of zero.

    Columns: thing, name, before, after (win rate with it and without), worth, low, high, p, p_holm, sure, n (games each way).
    """
    base_names, level = unit_names(own), row_level(len(trials))
    others = [replace(own, cards=trial.cards, forbidden=trial.forbidden) for trial in trials]
    lines = []
    for trial, after in zip(trials, played(others, jobs, told), strict=True):
        table = compare(by_unit(own, before), by_unit(own, after), base_names, level)
        line = table[table["name"] == base_names[unit]]
        facts: dict[str, Any] = {
            "thing": trial.thing,
            "name": trial.name,
            "worth": -line["change"],
            "low": -line["high"],
            "high": -line["low"],
        }
        lines.append(line[["before", "after", "p", "n"]].assign(**facts))
    if not lines:
        return pd.DataFrame(columns=["thing", "name", "before", "after", "worth", "low", "high", "p", "p_holm", "sure", "n"])
    frame = pd.concat(lines, ignore_index=True)
    frame = frame.assign(p_holm=adjust(frame["p"]), sure=(frame["low"] > 0) | (frame["high"] < 0))
    return frame.sort_values("worth", ascending=False, kind="stable", ignore_index=True)
