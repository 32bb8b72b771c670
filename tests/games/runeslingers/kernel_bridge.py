"""The kernels and the plain model side by side: a game in the kernels as the same plain values, and both played alike."""

from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import is_over, offer
from sim.engine.dice import FACES, below, roll, shuffle
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import ACTIVATED, Stat
from sim.games.runeslingers.state import AREAS, INSTANCES, NOBODY, PLACES, SEATS, SLOTS, Phase, Roll
from tests.games.runeslingers.model.model import PILES, Model, snapshot
from tests.model import lockstep
from tests.model.kernels import RunningOn

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


class Kernels(RunningOn):
    """One game in the kernels."""

    game, phases = GAME, Phase

    def deal(self, decks: tuple[int, int], number: int) -> SameDice:
        """Deal a game and run to its first decision. Returns the same choices for a model."""
        self.lay(decks, number)
        chance = SameDice(self.dice)
        self.run()
        return chance

    def _open(self) -> list[int]:
        assert not self.state["overflow"]
        return super()._open()

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


class Pair(lockstep.Pair):
    """Kernels and model at the same decision."""

    def look(self) -> dict[str, Any]:
        return snapshot(self.model)

    def result(self) -> dict[str, Any]:
        return self.model.outcome()


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
