"""Games of Rookling Heroes for tests of its words: dealt and played at random, or placed by readable names."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, changed
from sim.engine.contract import is_over, offer
from sim.engine.dice import SEATS_MAX
from sim.engine.policies import Bench, new_bench
from sim.engine.table import PLAN, advance, set_table
from sim.games.rookling import GAME

offer(GAME)
NO_DECISION = -1
VARIANTS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "two sets": {"mirror": True, "hold_block": "free", "siege_chain_blocks": True, "hit_on_landing": True},
    "draft": {
        "squad_mode": "draft",
        "first_attacker": "drafter1",
        "draw_mode": "new_hand",
        "charge_colour": "any_match",
    },
    "dealt": {"squad_mode": "random", "opening_row": "random", "dump": False, "one_line_per_rookling": True},
}


@cache
def card_set(variant: str = "as printed") -> CardSet:
    """The reference cards with the rules of a variant."""
    document = GAME.load(None).document
    for rule, value in VARIANTS[variant].items():
        document = changed(document, f"rules.{rule}", value)
    return GAME.from_document(dict(document))


def open_now(bench: Bench, cards: CardSet, action: int = NO_DECISION) -> list[int]:
    """Carry a decision out, if any; the decisions that are then open."""
    count = advance(bench, cards.record, action)
    return [] if is_over(bench.states[0]) else bench.options[:count].tolist()


def random_game(cards: CardSet, number: int) -> Iterator[tuple[np.void, list[int], int]]:
    """States of a game played at random, each with the decisions open in it and the one taken; 0 at the end.

    number: of the game; it fixes squads, dice and decisions.
    """
    rng, bench = Random(number), new_bench(GAME.state, GAME.options_max, SEATS_MAX)
    plan = np.zeros(1, PLAN)
    plan["seats"], plan["game"], plan["dice"], plan["stream"] = 2, number, number, np.arange(SEATS_MAX)
    plan["entrant"][0, :2] = _disjoint(cards, rng)
    set_table(bench, cards.record[0], plan[0])
    options = open_now(bench, cards)
    while options and bench.states[0]["turn"] < GAME.turn_limit(cards):
        taken = rng.choice(options)
        yield bench.states[0].copy(), options, taken
        options = open_now(bench, cards, taken)
    yield bench.states[0].copy(), [], 0


def _disjoint(cards: CardSet, rng: Random) -> list[int]:
    """Two squads without a Rookling in both."""
    while True:
        squads = [rng.randrange(len(cards.ids)) for _ in range(2)]
        first, second = (set(cards.record[0]["squad"][squad].tolist()) for squad in squads)
        if not first & second:
            return squads


def placed(position: dict[str, Any], cards: CardSet | None = None) -> np.void:
    """A state placed by readable names."""
    state: np.void = np.zeros(1, GAME.state)[0]
    GAME.words.place(position, cards or card_set(), state)
    return state


def options_of(state: np.void, cards: CardSet | None = None) -> list[str]:
    """Decisions open in a state, in words."""
    cards, bench = cards or card_set(), new_bench(GAME.state, GAME.options_max, SEATS_MAX)
    bench.states[0] = state
    return [GAME.words.action(state, cards, action) for action in open_now(bench, cards)]
