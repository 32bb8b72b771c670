"""Weights of a user's own: `weights.toml` beside his card file says how positions of games with his cards are judged.

The weights are part of a card set's record, and of its digest where they are not the game's. Card sets that are made from
others (with a number changed, with other decks) keep them: whoever makes one does it by `remade`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engine.cardfiles.paths import CardError, Table, did_you_mean
from sim.engine.cards import CardSet, content_digest, read_document
from sim.engine.contract import Game
from sim.engine.evaluation import BASELINE, FILE_NAME, FITTED

Floats = NDArray[np.float64]
Tables = dict[str, dict[str, dict[str, float]]]  # fitted or baseline -> number of seats -> feature -> weight

WEIGHT_MAX = 1000.0  # log-odds; 30 make a chance 0 or 1 already
TOLD = ("made_by", "version")  # texts that say where the weights come from
OLD_NAME = "judgement.toml"  # what FILE_NAME was called until November 2026
FIELDS = {FITTED: "weight", BASELINE: "weight_baseline"}  # of the card record


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of a game, in log-odds for 1 of each feature."""

    fitted: Floats  # (SEATS_MAX, features)
    baseline: Floats  # (SEATS_MAX, features)

    @classmethod
    def of(cls, cards: CardSet) -> Weights:
        """Those of a card set."""
        record = cards.record[0]
        return cls(*(np.array(record[field], np.float64) for field in FIELDS.values()))

    def same_as(self, other: Weights) -> bool:
        """Whether players judge alike by both."""
        return np.array_equal(self.fitted, other.fitted) and np.array_equal(self.baseline, other.baseline)

    def tables(self, game: Game) -> Tables:
        """The weights by their names."""
        return {
            kind: {
                str(seats): dict(zip(game.features, map(float, table[seats - 1]), strict=True)) for seats in game.seats
            }
            for kind, table in ((FITTED, self.fitted), (BASELINE, self.baseline))
        }


def loaded(game: Game, path: Path | None) -> CardSet:
    """The card set of a folder or card file, or the reference set, with the weights that lie beside it. Raises CardError."""
    cards = game.load(path)
    file = cards.path.with_name(FILE_NAME)
    if path is not None and (old := cards.path.with_name(OLD_NAME)).exists():
        raise CardError(f"{old}: is called {FILE_NAME} now, and its tables by_hand are called {BASELINE}; rename them")
    if path is None or not game.features or not file.exists():
        return cards
    return with_weights(cards, parsed(game, read_weights(file), str(file), Weights.of(cards)))


def remade(game: Game, document: Mapping[str, Any], like: CardSet) -> CardSet:
    """A card set of another document, judged by the weights of one that is there. Raises CardError."""
    cards = game.from_document(dict(document))
    return with_weights(cards, Weights.of(like)) if game.features else cards


def with_weights(cards: CardSet, weights: Weights) -> CardSet:
    """A card set that is judged by these weights; as it is where it is so already."""
    if weights.same_as(Weights.of(cards)):
        return cards
    record = cards.record.copy()
    record["weight"], record["weight_baseline"] = weights.fitted, weights.baseline
    record.flags.writeable = False
    told = [cards.document, weights.fitted.tolist(), weights.baseline.tolist()]
    return replace(cards, record=record, digest=content_digest({"weighed": told}))


def has_own(cards: CardSet) -> bool:
    """Whether a card set has other weights than its game."""
    return cards.digest != content_digest(cards.document)


def own_tables(game: Game, cards: CardSet) -> Tables | None:
    """The weights of a card set's own by their names; None where it has none."""
    return Weights.of(cards).tables(game) if game.features and has_own(cards) else None


def read_weights(file: Path) -> dict[str, Any]:
    """The content of a file of weights, with all the care that card files are read with. Raises CardError."""
    if file.is_dir():
        raise CardError(f"{file}: is a folder; it must be a file of weights")
    document, _ = read_document(file, file)
    return document


def parsed(game: Game, document: Mapping[str, Any], where: str, before: Weights) -> Weights:
    """Weights from the content of a file; those before for numbers of seats that it leaves out.

    where: how messages call the file. Raises CardError naming the field.
    """
    if not game.features:
        raise CardError(f"{where}: {game.title} weighs no features; there is nothing to set")
    try:
        top = Table(document)
        for key in TOLD:
            top.text(key, "")
        fitted = _table(game, Table(top.take(FITTED), FITTED), before.fitted)
        baseline = _table(game, Table(top.take(BASELINE, {}), BASELINE), before.baseline)
        top.close()
    except ValueError as error:
        raise CardError(f"{where}: {error}") from None
    return Weights(fitted, baseline)


def _table(game: Game, by_seats: Table, before: Floats) -> Floats:
    """Weights by number of seats and feature. Raises ValueError."""
    found = before.copy()
    known = [str(seats) for seats in game.seats]
    for seats in by_seats.values:
        if seats not in known:
            raise ValueError(f"{by_seats.field(seats)}: {game.title} is played by {', '.join(known)} seats")
        weights = Table(by_seats.take(seats), by_seats.field(seats))
        if unknown := [name for name in weights.values if name not in game.features]:
            meant = did_you_mean(unknown[0], list(game.features))
            raise weights.wrong(unknown[0], f"{game.title} has no such feature; {meant}")
        found[int(seats) - 1] = [_weight(weights, name) for name in game.features]
    return found


def _weight(weights: Table, name: str) -> float:
    """One weight. Raises ValueError."""
    value = weights.take(name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not -WEIGHT_MAX <= value <= WEIGHT_MAX:
        raise weights.wrong(name, f"must be a number from {-WEIGHT_MAX:g} to {WEIGHT_MAX:g}")
    return float(value)
