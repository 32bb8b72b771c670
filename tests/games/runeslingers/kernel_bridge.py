"""The kernels and the plain model side by side: a game in the kernels as the same plain values, and both played alike."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import apply_action, is_over, legal_actions, offer, write_outcome
from sim.engine.dice import FACES, SEATS_MAX, below, roll, shuffle
from sim.engine.loop import PLAN, set_table
from sim.engine.policies import new_workspace
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import ACTIVATED, Stat
from sim.games.runeslingers.outcome import OUTCOME
from sim.games.runeslingers.state import AREAS, INSTANCES, NOBODY, PLACES, SEATS, SLOTS, STATE, Phase, Roll
from tests.games.runeslingers.model.model import PILES, Model, snapshot

offer(GAME)
HEAD = {"game": GAME.name, "format": 1, "title": "Cards of a test"}
SOURCED = ("ailment", "runeslinger", "stance", "ability", "card", "deck")
OF_A_PLAYER = ("power", "determination", "health", "light", "barrier", "sets_left", "blocked", "inherent_uses", "own_turns")


def made(document: dict[str, Any]) -> CardSet:
    """The card set of a document of the model."""
    tables = {name: [{"source": "assumed"} | row for row in document[name]] for name in SOURCED}
    return GAME.from_document(HEAD | document | tables | {"rules": {"source": "assumed"} | document["rules"]})


class SameDice:
    """The random choices of a model, taken from the kernels' dice."""

    def __init__(self, dice: np.void):
        self.dice, self.keys = dice.copy(), np.zeros(INSTANCES, np.uint32)
        self.dice["used"], self.dice["block"] = 0, 0

    def shuffle(self, seat: int, instances: list[int], /) -> list[int]:
        """A deck, the top card last."""
        pile = np.array(instances, np.int8)
        shuffle(self.dice, seat, Roll.DECK, pile, self.keys)
        return pile.tolist()

    def roll(self, seat: int, /) -> int:
        """RUNE-17."""
        return int(roll(self.dice, seat, Roll.FIRST, FACES))

    def random_discard(self, seat: int, held: int, /) -> int:
        """RUNE-123."""
        return int(below(self.dice, seat, Roll.DISCARD, held))


class Kernels:
    """One game in the kernels."""

    def __init__(self, cards: CardSet):
        """An empty table. cards: of the game."""
        self.cards, self.workspace = cards, new_workspace(STATE, GAME.options_max, SEATS_MAX)
        self.state, self.dice = self.workspace.states[0], self.workspace.dice[0]
        self.turns = GAME.turn_limit(cards)
        self.codes: list[int] = []

    def deal(self, decks: tuple[int, int], number: int) -> SameDice:
        """Deal a game and run to its first decision. number: fixes all random choices. Returns the same choices for a model."""
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = SEATS, number, number
        plan["stream"], plan["entrant"][:SEATS] = np.arange(SEATS_MAX), decks
        set_table(self.workspace, self.cards.record[0], plan)
        chance = SameDice(self.dice)
        self.run()
        return chance

    @property
    def phase(self) -> Phase:
        """The open decision."""
        return Phase(self.state["phase"])

    def run(self) -> None:
        """Run to the next decision with a choice."""
        while len(options := self._open()) == 1:
            apply_action(self.state, self.cards.record[0], options[0], self.dice)
        self.codes = options

    def apply(self, code: int) -> None:
        """Decide, and run on. The dice are not keyed by turns here."""
        apply_action(self.state, self.cards.record[0], code, self.dice)
        self.run()

    def _open(self) -> list[int]:
        assert not self.state["overflow"]
        if is_over(self.state) or self.state["turn"] >= self.turns:
            return []
        count = legal_actions(self.state, self.cards.record[0], self.workspace.options)
        return [int(code) for code in self.workspace.options[:count]]

    def outcome(self) -> np.void:
        """The OUTCOME record."""
        row: np.void = np.zeros(1, OUTCOME)[0]
        write_outcome(self.state, row)
        return row

    def snapshot(self) -> dict[str, Any]:
        """The same plain values as `snapshot` of the model."""
        state = self.state
        over = is_over(state) and state["turn"] < self.turns
        return {
            "players": [self._player(seat) for seat in range(SEATS)],
            **{name: int(state[name]) for name in ("active", "first", "chooser", "turn", "winner")},
            "over": bool(over),
            "kind": self.phase.name if self.codes else Phase.OVER.name,
            "seat": int(state["seat"]) if self.codes else NOBODY,
            "codes": self.codes,
        }

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        types, counts = state["ailment"][seat].tolist(), state["count"][seat].tolist()
        concs, used = state["conc"][seat].tolist(), state["conc_used"][seat].tolist()
        return {
            **{name: int(state[name][seat]) for name in OF_A_PLAYER},
            "boosts": state["boosts"][seat].tolist(),
            **{pile: state[pile][seat][: state[f"{pile}_n"][seat]].tolist() for pile in PILES},
            "concs": [None if concs[slot] == NOBODY else (concs[slot], bool(used[slot])) for slot in range(SLOTS)],
            "things": [self._thing(seat, place) for place in range(PLACES)],
            "areas": [(types[area], counts[area]) if counts[area] else None for area in range(AREAS)],
            "stats": {stat.name: int(state["stat"][seat, stat]) for stat in Stat} if self.codes else None,
        }

    def _thing(self, seat: int, place: int) -> Any:
        state = self.state
        if state["thing"][seat, place] == NOBODY:
            return None
        return {
            "inst": int(state["thing"][seat, place]),
            "under": int(state["under"][seat, place]),
            **{name: bool(state[name][seat, place]) for name in ("used", "charged")},
            **{name: int(state[name][seat, place]) for name in ("tokens", "damage", "guard", "turn_played")},
            "uses": state["uses"][seat, place].tolist()[:ACTIVATED],
        }


def differing(kernels: Any, model: Any, where: str = "") -> Iterator[str]:
    """Where two snapshots differ, with the values of kernels and model."""
    if isinstance(kernels, dict) and isinstance(model, dict):
        for name in sorted({*kernels, *model}):
            yield from differing(kernels.get(name), model.get(name), f"{where}.{name}")
    elif isinstance(kernels, list) and isinstance(model, list) and len(kernels) == len(model):
        for at, (one, other) in enumerate(zip_longest(kernels, model)):
            yield from differing(one, other, f"{where}[{at}]")
    elif kernels != model:
        yield f"{where.lstrip('.')}: kernels {kernels}, model {model}"


CLOSE = 1e-6  # tolerance for floats, which the kernels keep in 32 bits
DECISIONS_MAX = 20_000  # of a game; never reached


class Pair:
    """Kernels and model at the same decision. where: a name for messages; seen: what occurred; last: the last decision."""

    def __init__(self, game: Kernels, model: Model, where: str) -> None:
        self.game, self.model, self.where = game, model, where
        self.seen: Counter[str] = Counter()
        self.last: list[str] = []
        self.compare("the beginning")

    @property
    def codes(self) -> list[int]:
        """Open decisions."""
        return self.model.codes

    def compare(self, moment: str) -> None:
        """Compare everything on the table, and the open decisions."""
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
        """Play at random to the end."""
        for _ in range(DECISIONS_MAX):
            if not self.codes:
                return
            self.apply(rng.choice(self.codes))
        raise AssertionError(f"{self.where}: no end")

    def compare_outcomes(self, names: Iterable[str] = OUTCOME.names) -> None:
        """Compare the outcome field by field."""
        result, model = self.game.outcome(), self.model.outcome()
        found = [f"{name}: {_places(result[name], model[name])}" for name in names if not _alike(result[name], model[name])]
        assert not found, f"{self.where}: kernels and model have different outcomes (kernels, model):\n" + "\n".join(found)


def new_pair(document: dict[str, Any], decks: tuple[int, int], number: int, cards: CardSet | None = None) -> Pair:
    """A game dealt in both. number: fixes all random choices; cards: compiled from the document, if that is done already."""
    game = Kernels(cards or made(document))
    chance = game.deal(decks, number)
    model = Model(document, decks, chance).start()
    return Pair(game, model, f"game {number} of decks {decks}")


def play_both(document: dict[str, Any], decks: tuple[int, int], number: int, cards: CardSet | None = None) -> Pair:
    """A whole random game, compared after every decision and at its end."""
    pair = new_pair(document, decks, number, cards)
    pair.play(Random(number))
    pair.compare_outcomes()
    return pair


def _alike(kernels: Any, model: Any) -> bool:
    return np.allclose(np.asarray(kernels, float), np.asarray(model, float), CLOSE, CLOSE, equal_nan=True)


def _places(kernels: Any, model: Any) -> list[str]:
    """Where a field differs: index, value of the kernels, value of the model."""
    one, other = np.asarray(kernels, float), np.asarray(model, float)
    places = np.argwhere(~np.isclose(one, other, CLOSE, CLOSE, equal_nan=True))
    return [f"{place.tolist()}: {one[tuple(place)]:g}, {other[tuple(place)]:g}" for place in places]
