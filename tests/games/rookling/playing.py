"""Games of Rookling Heroes for tests of its words: dealt and played at random, or placed by readable names."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling import GAME
from tests.games.playing import AS_PRINTED, Playing

VARIANTS: dict[str, dict[str, Any]] = {
    AS_PRINTED: {},
    "two sets": {"mirror": True, "hold_block": "free", "siege_chain_blocks": True, "hit_on_landing": True},
    "draft": {"squad_mode": "draft", "first_attacker": "drafter1", "draw_mode": "new_hand", "charge_colour": "any_match"},
    "drafter 2 attacks": {"squad_mode": "draft", "first_attacker": "drafter2", "e1_order": "damage_first"},
    "dealt": {
        "squad_mode": "random",
        "opening_row": "random",
        "dump": False,
        "one_line_per_rookling": True,
        "poison_clear_draw": "lenient",
    },
}


class Squads(Playing):
    """Games of squads without a Rookling in both."""

    def random_game(self, cards: CardSet, number: int) -> Iterator[tuple[np.void, list[int], int]]:
        """States of a game played at random, see `at_random`. number: of the game; it fixes squads, dice and decisions."""
        rng = Random(number)
        return self.at_random(self.seated(cards, number, _disjoint(cards, rng)), cards, rng)


PLAYING = Squads(GAME, VARIANTS)
card_set = PLAYING.card_set
placed = PLAYING.placed
options_of = PLAYING.options_of


@cache
def game_at_random(variant: str) -> list[tuple[np.void, list[int], int]]:
    """A whole game of a variant, see `Playing.at_random`. Tests share it: do not change its states."""
    return [*PLAYING.random_game(card_set(variant), 11)]


def _disjoint(cards: CardSet, rng: Random) -> list[int]:
    """Two squads without a Rookling in both."""
    while True:
        squads = [rng.randrange(len(cards.ids)) for _ in range(2)]
        first, second = (set(cards.record[0]["squad"][squad].tolist()) for squad in squads)
        if not first & second:
            return squads
