"""Swapping the sides together with the seats of the random stream gives the mirrored game."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import offer
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.policies import Workspace, new_workspace
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, Phase
from tests.every_game.play import enough
from tests.games.runeslingers.kernel_bridge import made
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.random_documents import random_document

offer(GAME)
NO_DECISION = -1
PILES = ("deck", "hand", "discard", "void")
INSTANCES = (*PILES, "conc", "thing", "under")  # fields that hold instances of cards
OF_A_SEAT = (
    *("power", "determination", "health", "light", "barrier", "sets_left", "blocked", "inherent_uses", "boosts", "own_turns"),
    *("conc", "conc_used", "thing", "under", "used", "tokens", "damage", "guard", "turn_played", "charged", "uses", "count"),
)
DECISIONS_MAX = 20_000


class Side:
    """One of the two games. swapped: the decks sit on each other's seats, with each other's chance."""

    def __init__(self, cards: CardSet, decks: tuple[int, int], number: int, *, swapped: bool):
        self.cards, self.swapped = cards, swapped
        self.workspace: Workspace = new_workspace(GAME.state, GAME.options_max, SEATS_MAX)
        plan = np.zeros(1, PLAN)
        order = [1, 0, *range(SEATS, SEATS_MAX)] if swapped else [*range(SEATS_MAX)]
        plan["seats"], plan["game"], plan["dice"], plan["stream"] = SEATS, number, number, order
        plan["entrant"][0, :SEATS] = decks[::-1] if swapped else decks
        set_table(self.workspace, cards.record[0], plan[0])
        self.deciders = [Random(f"{number} {player}") for player in range(SEATS)]
        self.count = advance(self.workspace, cards.record, NO_DECISION)

    @property
    def state(self) -> np.void:
        """The position."""
        return self.workspace.states[0]

    @property
    def going(self) -> bool:
        """Whether a player must decide."""
        return self.state["phase"] != Phase.OVER and self.state["turn"] < GAME.turn_limit(self.cards)

    def player(self) -> int:
        """Who decides, as numbered in the game that is not swapped."""
        seat = int(self.state["seat"])
        return 1 - seat if self.swapped else seat

    def decide(self) -> None:
        """As this player always would."""
        options = self.workspace.options[: self.count].tolist()
        self.count = advance(self.workspace, self.cards.record, self.deciders[self.player()].choice(options))

    def look(self) -> dict[str, Any]:
        """The table, mirrored back where it is swapped."""
        seen = look_at(self.state)
        seen["codes"] = self.workspace.options[: self.count].tolist() if self.going else []
        seen["who"] = self.player() if self.going else NOBODY
        seen["cause"], seen["turn"] = int(self.state["cause"]), int(self.state["turn"])
        if not self.swapped:
            return seen
        for name, value in seen.items():
            if isinstance(value, list) and name != "codes":
                seen[name] = [_mirrored(held) if name in INSTANCES else held for held in value[::-1]]
        if seen["winner"] != NOBODY:
            seen["winner"] = 1 - seen["winner"]
        return seen


def look_at(state: np.void) -> dict[str, Any]:
    """Everything on the table, by seat."""
    look: dict[str, Any] = {name: state[name].tolist() for name in OF_A_SEAT}
    for pile in PILES:
        one, other = state[f"{pile}_n"].tolist()
        cards = state[pile]
        look[pile] = [cards[0, :one].tolist(), cards[1, :other].tolist()]
    kinds, counts = state["ailment"].tolist(), look["count"]
    look["ailment"] = [[kinds[s][at] if counts[s][at] else NOBODY for at in range(AREAS)] for s in range(SEATS)]
    look["over"] = bool(state["phase"] == Phase.OVER)
    look["winner"] = int(state["winner"])
    if not look["over"]:
        look["stat"] = state["stat"].tolist()
    return look


def _mirrored(instances: list[int]) -> list[int]:
    return [inst if inst == NOBODY else (inst + DECK_MAX) % (SEATS * DECK_MAX) for inst in instances]


def mirrored_alike(cards: CardSet, decks: tuple[int, int], number: int) -> int:
    """A game and its mirror, decided alike and compared at every decision; the number of turns."""
    one, other = (Side(cards, decks, number, swapped=swapped) for swapped in (False, True))
    for side in (one, other):
        while side.going and side.state["phase"] == Phase.SETUP:  # seat 0 is asked first in both
            side.decide()
    for _ in range(DECISIONS_MAX):
        here, there = one.look(), other.look()
        assert here == there, [name for name in here if here[name] != there[name]]
        if not one.going:
            return int(one.state["turn"])
        one.decide()
        other.decide()
    raise AssertionError("no end")


@pytest.mark.parametrize("number", range(enough(16, 3)))
def test_a_swapped_game_of_the_reference_set_is_the_mirrored_game(number):
    assert mirrored_alike(made(reference_document()), (number % 4, number // 4), number) > 1


@pytest.mark.parametrize("number", [at for at in range(enough(20, 4)) if at not in (6, 13)])
def test_a_swapped_game_of_odd_cards_is_the_mirrored_game(number):
    document = random_document(Random(number))
    document["rules"]["first"] = "choose"  # seat0 is no symmetrical rule
    assert mirrored_alike(made(document), (0, 1), number) > 0
