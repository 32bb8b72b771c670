"""Swapping the sides together with the seats of the random stream gives the mirrored game."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import PLAN, set_table
from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.state import NOBODY, SEATS, Phase
from tests.conftest import sampled
from tests.games.runeslingers.kernel_bridge import Kernels, made
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.model import PILES
from tests.games.runeslingers.random_documents import random_document

OF_A_SEAT = ("first", "chooser", "winner", "seat")  # parts of the snapshot that name a seat
DECISIONS_MAX = 20_000
REFUSED = (6, 13)  # random card files with an ability that pays for itself


class Side(Kernels):
    """One of the two games. swapped: the decks sit on each other's seats, with each other's chance."""

    def __init__(self, cards: CardSet, decks: tuple[int, int], number: int, *, swapped: bool):
        super().__init__(cards)
        self.swapped = swapped
        plan = np.zeros(1, PLAN)[0]
        plan["seats"], plan["game"], plan["dice"] = SEATS, number, number
        plan["stream"] = [1, 0, *range(SEATS, SEATS_MAX)] if swapped else [*range(SEATS_MAX)]
        plan["entrant"][:SEATS] = decks[::-1] if swapped else decks
        set_table(self.workspace, cards.record[0], plan)
        self.deciders = [Random(f"{number} {player}") for player in range(SEATS)]
        self.run()

    def decide(self) -> None:
        """As this player always would."""
        player = int(self.state["seat"]) ^ self.swapped
        self.apply(self.deciders[player].choice(self.codes))

    def snapshot(self) -> dict[str, Any]:
        """The table, mirrored back where it is swapped."""
        seen = super().snapshot() | {"cause": int(self.state["cause"])}
        del seen["active"]  # seat 0 in both games before the first turn
        if self.swapped:
            seen["players"] = [mirrored(player) for player in seen["players"][::-1]]
            seen |= {name: 1 - seen[name] for name in OF_A_SEAT if seen[name] != NOBODY}
        return seen


def mirrored(player: dict[str, Any]) -> dict[str, Any]:
    """A player whose cards are those of the other seat."""

    def other(inst: int) -> int:
        return inst if inst == NOBODY else (inst + DECK_MAX) % (SEATS * DECK_MAX)

    return {
        **player,
        **{pile: [other(inst) for inst in player[pile]] for pile in PILES},
        "concs": [conc and (other(conc[0]), conc[1]) for conc in player["concs"]],
        "things": [thing and {**thing, **{key: other(thing[key]) for key in ("inst", "under")}} for thing in player["things"]],
    }


def mirrored_alike(cards: CardSet, decks: tuple[int, int], number: int) -> int:
    """A game and its mirror, decided alike and compared at every decision; the number of turns."""
    one, other = (Side(cards, decks, number, swapped=swapped) for swapped in (False, True))
    for side in (one, other):
        while side.codes and side.phase == Phase.SETUP:  # seat 0 is asked first in both
            side.decide()
    for _ in range(DECISIONS_MAX):
        here, there = one.snapshot(), other.snapshot()
        assert here == there, [name for name in here if here[name] != there[name]]
        if not one.codes:
            return int(one.state["turn"])
        one.decide()
        other.decide()
    raise AssertionError("no end")


@pytest.mark.parametrize("number", sampled(range(16), 8))
def test_a_swapped_game_of_the_reference_set_is_the_mirrored_game(number):
    assert mirrored_alike(made(reference_document()), (number % 4, number // 4), number) > 1


@pytest.mark.parametrize("number", sampled([number for number in range(20) if number not in REFUSED], 9))
def test_a_swapped_game_of_odd_cards_is_the_mirrored_game(number):
    document = random_document(Random(number))
    document["rules"]["first"] = "choose"  # seat0 is no symmetrical rule
    assert mirrored_alike(made(document), (0, 1), number) > 0
