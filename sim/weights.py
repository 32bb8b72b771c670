"""A user's own evaluation weights: `weights.toml` beside a card file, used for all games with these cards.

The weights are part of a card set's record, and of its digest if they differ from the game's. Card sets made from others (with
a changed number, with other decks) must keep them, so create them with `remade`.
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

WEIGHT_MAX = 1000.0  # log-odds; at 30, a chance is 0 or 1 already
ORIGIN = ("made_by", "version")  # keys that describe the origin of the weights
FIELDS = {FITTED: "weight", BASELINE: "weight_baseline"}  # of the card record


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of a game, in log-odds per unit of each feature."""

    fitted: Floats  # (SEATS_MAX, features)
    baseline: Floats  # (SEATS_MAX, features)

    @classmethod
    def of(cls, cards: CardSet) -> Weights:
        """The weights of a card set."""
        record = cards.record[0]
        return cls(*(np.array(record[field], np.float64) for field in FIELDS.values()))

    def same_as(self, other: Weights) -> bool:
        """Whether both give the same evaluations."""
        return np.array_equal(self.fitted, other.fitted) and np.array_equal(self.baseline, other.baseline)

    def tables(self, game: Game) -> Tables:
        """The weights by name."""
        return {
            kind: {str(seats): dict(zip(game.features, map(float, table[seats - 1]), strict=True)) for seats in game.seats}
            for kind, table in ((FITTED, self.fitted), (BASELINE, self.baseline))
        }


_REFERENCES: dict[Path, tuple[Game, tuple[int, int], CardSet]] = {}  # file -> its game, its time and size, and what it holds


def reference(game: Game) -> CardSet:
    """The reference set of a game, read again only if its file has changed. Raises CardError."""
    status = game.reference.stat()
    state = (status.st_mtime_ns, status.st_size)
    known = _REFERENCES.get(game.reference)
    if known is None or known[0] is not game or known[1] != state:
        known = _REFERENCES[game.reference] = game, state, game.load(None)
    return known[2]


def loaded(game: Game, path: Path | None) -> CardSet:
    """The card set of a folder or card file with the weights beside it, or the reference set. Raises CardError."""
    if path is None:
        return reference(game)
    cards = game.load(path)
    file = cards.path.with_name(FILE_NAME)
    if not game.features or not file.exists():
        return cards
    return with_weights(cards, parsed(game, read_weights(file), str(file), Weights.of(cards)))


def remade(game: Game, document: Mapping[str, Any], like: CardSet) -> CardSet:
    """A card set of another document, with the weights of an existing card set. Raises CardError."""
    cards = game.from_document(dict(document))
    return with_weights(cards, Weights.of(like)) if game.features else cards


def with_weights(cards: CardSet, weights: Weights) -> CardSet:
    """A card set with these weights; the same object if it has them already."""
    if weights.same_as(Weights.of(cards)):
        return cards
    record = np.zeros(cards.record.shape, cards.record.dtype)  # `copy` and `zeros_like` leave bytes between fields undefined
    record[:] = cards.record
    record["weight"], record["weight_baseline"] = weights.fitted, weights.baseline
    record.flags.writeable = False
    content = [cards.document, weights.fitted.tolist(), weights.baseline.tolist()]
    return replace(cards, record=record, digest=content_digest({"weighed": content}))


def has_own(cards: CardSet) -> bool:
    """Whether a card set has other weights than its game."""
    return cards.digest != content_digest(cards.document)


def own_tables(game: Game, cards: CardSet) -> Tables | None:
    """The weights of a card set by name; None if they are the game's."""
    return Weights.of(cards).tables(game) if game.features and has_own(cards) else None


def read_weights(file: Path) -> dict[str, Any]:
    """Read a file of weights with the same checks as card files. Raises CardError."""
    if file.is_dir():
        raise CardError(f"{file}: is a folder; it must be a file of weights")
    document, _ = read_document(file, file)
    return document


def parsed(game: Game, document: Mapping[str, Any], where: str, before: Weights) -> Weights:
    """Weights from the content of a file, and from `before` for seat counts that it leaves out.

    where: the file's name in messages. Raises CardError naming the field.
    """
    if not game.features:
        raise CardError(f"{where}: the evaluation of {game.title} has no features, so there are no weights to set")
    try:
        top = Table(document)
        for key in ORIGIN:
            top.text(key, "")
        fitted = _table(game, Table(top.take(FITTED), FITTED), before.fitted)
        baseline = _table(game, Table(top.take(BASELINE, {}), BASELINE), before.baseline)
        top.close()
    except ValueError as error:
        raise CardError(f"{where}: {error}") from None
    return Weights(fitted, baseline)


def _table(game: Game, by_seats: Table, before: Floats) -> Floats:
    """Weights by number of seats and feature. Raises ValueError."""
    table = before.copy()
    known = [str(seats) for seats in game.seats]
    for seats in by_seats.values:
        if seats not in known:
            raise ValueError(f"{by_seats.field(seats)}: {game.title} is played by {', '.join(known)} seats")
        weights = Table(by_seats.take(seats), by_seats.field(seats))
        if unknown := [name for name in weights.values if name not in game.features]:
            meant = did_you_mean(unknown[0], list(game.features))
            raise weights.wrong(unknown[0], f"{game.title} has no such feature; {meant}")
        table[int(seats) - 1] = [_weight(weights, name) for name in game.features]
    return table


def _weight(weights: Table, name: str) -> float:
    """One weight. Raises ValueError."""
    value = weights.take(name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not -WEIGHT_MAX <= value <= WEIGHT_MAX:
        raise weights.wrong(name, f"must be a number from {-WEIGHT_MAX:g} to {WEIGHT_MAX:g}")
    return float(value)
