"""A game of Riftborn Tactics in the kernels and in the plain model at once, decided alike, compared all the way."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import numpy as np

from sim.games.riftborn.outcome import OUTCOME
from sim.games.riftborn.record import LEVELS
from tests.games.riftborn.kernel_bridge import WORDS, Kernels, differing
from tests.games.riftborn.model_facts import outcome
from tests.games.riftborn.model_snapshot import snapshot
from tests.games.riftborn.model_state import Table
from tests.games.riftborn.model_table import Model

ON_THE_TABLE = ("players", "active", "turn", "over", "winner", "queue")
COUNTED = (
    *("gained", "wounds", "absorbed", "answer_damage", "opportunity_damage", "deaths", "kills", "refills", "laid"),
    *("fired", "times", "drawn", "plays", "card_kills", "card_damage"),
)  # for the outcome, and kept under the same names in the kernels' state
CLOSE = 1e-6  # of figures, which the kernels keep in 32 bits


class Pair:
    """Kernels and model at the same decision. where: what to say in messages; seen: what came up."""

    def __init__(self, game: Kernels, model: Model, where: str) -> None:
        self.game, self.model, self.where = game, model, where
        self.seen: Counter[str] = Counter()
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
            raise AssertionError(f"{self.where}, turn {self.model.table.turn}, after {moment}:\n{found}")

    def apply(self, code: int) -> None:
        """One decision in both, and a look at both."""
        asked = self.model.pending
        assert asked is not None
        self.seen[asked.kind.name] += 1
        if asked.aim.value:
            self.seen[f"TARGET {asked.aim.name}"] += 1
        self.game.apply(code)
        self.model.apply(code)
        self.compare(f"{asked.kind.name} {code}")

    def play(self, rng: Random) -> None:
        """At random to the end."""
        while self.codes:
            self.apply(rng.choice(self.codes))

    def compare_outcomes(self, names: Iterable[str] = OUTCOME.names) -> None:
        """What is told of the game, field by field."""
        told, model = self.game.outcome(), outcome(self.model.table)
        found = [
            f"{name}{_places(name, told[name], model[name])}" for name in names if not _alike(told[name], model[name])
        ]
        assert not found, f"{self.where}: kernels and model tell different outcomes:\n" + "\n".join(found)
        self.seen.update(
            f"{word} acts" for seat in told["times"] for word, times in zip(WORDS, seat, strict=True) if times
        )


def differing_tables(game: Kernels, model: Model) -> Iterator[str]:
    """Where kernels and model differ in what lies on the table, whoever decides next."""
    kernels, wanted = game.snapshot(), snapshot(model)
    if any(kernels[name] != wanted[name] for name in ON_THE_TABLE):
        yield from differing(
            {name: kernels[name] for name in ON_THE_TABLE}, {name: wanted[name] for name in ON_THE_TABLE}
        )


def differing_counts(game: Kernels, table: Table) -> Iterator[str]:
    """Where kernels and model differ in what is counted on the way."""
    counted = outcome(table)
    for name in COUNTED:
        told = game.state[name].tolist()
        if told != counted[name]:
            yield f"{name}{_places(name, told, counted[name])}"


def _alike(kernels: Any, model: Any) -> bool:
    return np.allclose(np.asarray(kernels, float), np.asarray(model, float), CLOSE, CLOSE, equal_nan=True)


def _places(name: str, kernels: Any, model: Any) -> list[str]:
    """Where a field differs: seat and place, kernels' and model's value."""
    one, other = np.asarray(kernels, float), np.asarray(model, float)
    told = []
    for place in np.argwhere(~np.isclose(one, other, CLOSE, CLOSE, equal_nan=True)):
        at = [int(index) for index in place]
        words: list[Any] = [*at[:1], WORDS[at[1]]] if name == "times" else at
        words = [*at[:1], f"level {at[1] + 1} of {LEVELS}"] if name == "level_turn" else words
        told.append(f"{words}: {one[tuple(at)]:g}, {other[tuple(at)]:g}")
    return told
