"""A game of Runeslingers in the kernels and in the plain model at once, decided alike, compared all the way."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.outcome import OUTCOME
from tests.games.runeslingers.kernel_bridge import Kernels, differing, made
from tests.games.runeslingers.model import Model
from tests.games.runeslingers.model_snapshot import snapshot

CLOSE = 1e-6  # of figures, which the kernels keep in 32 bits
DECISIONS_MAX = 20_000  # of a game; never reached


class Pair:
    """Kernels and model at the same decision. where: what to say in messages; seen: what came up; last: what was decided."""

    def __init__(self, game: Kernels, model: Model, where: str) -> None:
        self.game, self.model, self.where = game, model, where
        self.seen: Counter[str] = Counter()
        self.last: list[str] = []
        self.compare("the beginning")

    @property
    def codes(self) -> list[int]:
        """What may be decided now."""
        return self.model.codes

    def compare(self, moment: str) -> None:
        """Everything on the table, and what may be decided."""
        kernels, model = self.game.snapshot(), snapshot(self.model)
        if kernels != model:
            found = "\n".join(differing(kernels, model))
            raise AssertionError(f"{self.where}, turn {self.model.turn}, after {moment}:\n{found}")

    def apply(self, code: int) -> None:
        """One decision in both, and a look at both."""
        asked = self.model.pending
        assert asked is not None
        self.seen[asked.kind.name] += 1
        self.last.append(f"{asked.kind.name} seat {asked.seat}: {code} of {asked.codes}")
        self.game.apply(code)
        self.model.apply(code)
        self.compare(self.last[-1])

    def play(self, rng: Random) -> None:
        """At random to the end."""
        for _ in range(DECISIONS_MAX):
            if not self.codes:
                return
            self.apply(rng.choice(self.codes))
        raise AssertionError(f"{self.where}: no end")

    def compare_outcomes(self, names: Iterable[str] = OUTCOME.names) -> None:
        """What is told of the game, field by field."""
        told, model = self.game.outcome(), self.model.outcome()
        found = [f"{name}: {_places(told[name], model[name])}" for name in names if not _alike(told[name], model[name])]
        assert not found, f"{self.where}: kernels and model tell different outcomes (kernels, model):\n" + "\n".join(
            found
        )


def new_pair(document: dict[str, Any], decks: tuple[int, int], number: int, cards: CardSet | None = None) -> Pair:
    """A game dealt in both. number: fixes all chance; cards: of the document, if they are made already."""
    game = Kernels(cards or made(document))
    chance = game.deal(decks, number)
    model = Model(document, decks, chance).start()
    return Pair(game, model, f"game {number} of decks {decks}")


def play_both(document: dict[str, Any], decks: tuple[int, int], number: int, cards: CardSet | None = None) -> Pair:
    """A whole game at random, compared after every decision and at its end."""
    pair = new_pair(document, decks, number, cards)
    pair.play(Random(number))
    pair.compare_outcomes()
    return pair


def _alike(kernels: Any, model: Any) -> bool:
    return np.allclose(np.asarray(kernels, float), np.asarray(model, float), CLOSE, CLOSE, equal_nan=True)


def _places(kernels: Any, model: Any) -> list[str]:
    """Where a field differs: place, kernels' and model's value."""
    one, other = np.asarray(kernels, float), np.asarray(model, float)
    places = np.argwhere(~np.isclose(one, other, CLOSE, CLOSE, equal_nan=True))
    return [f"{place.tolist()}: {one[tuple(place)]:g}, {other[tuple(place)]:g}" for place in places]
