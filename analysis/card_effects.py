"""What a card does to its deck: the same games with the same dice, once with the card and once with a plain one in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.compare import Play, Shares
from analysis.estimates import adjust
from analysis.frames import distinct
from analysis.whatif import GamesOf, Step, effects
from sim.engine.cards import CardError, CardSet
from sim.engine.contract import Game
from sim.engine.decks import Decking
from sim.experiment import Experiment
from sim.weights import remade


@dataclass(frozen=True)
class Replacements:
    """What each card of a deck does, and the cards that cannot be replaced, with what the card rules say about it.

    frame: one line per card, in the order of the deck's list: entrant, name (of the deck), card (number), card_name, copies,
    effect (win rate with the card less that with plain ones), low, high, p, p_holm (over the cards of the deck), n (pairs),
    gain (times as many games that two unpaired samples would need), before, after (win rates with the card and without).
    """

    frame: pd.DataFrame
    refused: dict[str, str]


def replacement_effects(
    base: Experiment, entrant: int, play: Play | None = None, cards: Sequence[int] | None = None
) -> Replacements:
    """Replace each card of a deck in turn, all its copies, by plain ones (`Decking.plain`), and play the deck's games again.

    Both decks of a pair lie in the same order and roll the same dice (common random numbers): the difference is what the card
    does, and causal, with these opponents and these policies. Pairs are analysed as in `compare`. cards: numbers of those to
    replace, all if None; play: as in `Shares.of`. Raises ValueError for a game without decks.
    """
    decking, decks = deck_game(base.game), base.game.decks_for(base.cards)
    assert decks is not None
    listed = [int(card) for card in decks.slots[entrant] if card >= 0 and (cards is None or card in cards)]
    names, steps = distinct(decks.names), {}
    for card in listed:
        steps[card] = _replaced(base.game, decking, base.cards, (base.cards.ids[entrant], decks.ids[card]))
    tried = [step for step in steps.values() if step.cards is not None]
    games = GamesOf.from_experiment(base, entrant) if tried and base.line_up is None else base
    before = Shares.of(games, play) if tried else None
    name = distinct(base.cards.names)[entrant]
    found = effects(games, tried, name, play, before)
    refused = {names[card]: step.refused for card, step in steps.items() if step.cards is None}
    if found.empty:
        return Replacements(found, refused)
    number = {decks.ids[card]: card for card in listed}
    replaced = found["path"].map(number).to_numpy(np.int64)
    turned = {"effect": 0 - found["change"], "low": 0 - found["high"], "high": 0 - found["low"], "p": found["p"]}
    facts = {"entrant": entrant, "name": name, "card": replaced, "card_name": np.array(names, object)[replaced]}
    facts |= {"copies": decks.counts[entrant, replaced], **turned, "p_holm": adjust(found["p"])}
    return Replacements(pd.DataFrame(facts).join(found[["n", "gain", "before", "after"]]), refused)


def with_effects(frame: pd.DataFrame, found: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The table of `card_usage.deck_cards` with what each card does beside it.

    Columns added: effect, effect_low, effect_high, effect_p (Holm), pairs; NaN where a card was not replaced.
    """
    columns = {"effect": "effect", "low": "effect_low", "high": "effect_high", "p_holm": "effect_p", "n": "pairs"}
    known = [one for one in found if len(one)]
    if not known:
        return frame.assign(**dict.fromkeys(columns.values(), np.nan))
    added = pd.concat(known, ignore_index=True)[["entrant", "card", *columns]].rename(columns=columns)
    return frame.merge(added, how="left", on=["entrant", "card"])


def deck_game(game: Game) -> Decking:
    """How a game's decks are made. Raises ValueError for a game without decks."""
    if game.decks is None:
        raise ValueError(f"{game.name}: {game.title} is not played with decks of cards")
    return game.decks


def _replaced(game: Game, decking: Decking, cards: CardSet, which: tuple[str, str]) -> Step:
    """The card set with plain cards in one place of a deck, as a step of a what-if."""
    deck, card = which
    try:
        other = remade(game, decking.plain(cards.document, deck, card), cards)
    except CardError as error:
        return Step(card, 0, card, "plain", None, str(error).splitlines()[0])
    return Step(card, 0, card, "plain", other)
