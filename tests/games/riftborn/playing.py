"""Games of Riftborn Tactics for tests of its words: dealt and played at random, or placed by readable names."""

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
from sim.games.riftborn import GAME

offer(GAME)
NO_DECISION = -1
VARIANTS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "other readings": {
        "level_budget": "snapshot",
        "aoo_xp": True,
        "adjacent_enemies": "contact",
        "clear_path": "nearest",
        "contact_retaliation": False,
        "dead_retaliate": False,
        "kill_xp": "any_own_damage",
        "siphon_timing": "exchange",
        "siphon_counts": "effective",
        "stealth_cover": "face_down",
        "morale_start": "health",
        "weapon_uses": "unlimited",
        "transform_keeps": "tokens",
    },
    "small and rich": {"turn_xp": 2000, "mulligans": 2, "max_rows": 2, "max_per_row": 3, "start_life": 20},
}


@cache
def card_set(variant: str = "as printed") -> CardSet:
    """The reference cards with the rules of a variant."""
    document = GAME.load(None).document
    for rule, value in VARIANTS[variant].items():
        document = changed(document, f"rules.{rule}", value)
    return GAME.from_document(dict(document))


def new_game(cards: CardSet, number: int) -> Bench:
    """A table at which a game is dealt. number: of the game; it fixes decks and dice."""
    bench, plan = new_bench(GAME.state, GAME.options_max, SEATS_MAX), np.zeros(1, PLAN)
    plan["seats"], plan["game"], plan["dice"], plan["stream"] = 2, number, number, np.arange(SEATS_MAX)
    plan["entrant"][0, :2] = Random(number).sample(range(len(cards.ids)), 2)
    set_table(bench, cards.record[0], plan[0])
    return bench


def open_now(bench: Bench, cards: CardSet, action: int = NO_DECISION) -> list[int]:
    """Carry a decision out, if any; the decisions that are then open."""
    count = advance(bench, cards.record, action)
    over = is_over(bench.states[0]) or bench.states[0]["turn"] >= GAME.turn_limit(cards)
    return [] if over else bench.options[:count].tolist()


def random_game(cards: CardSet, number: int) -> Iterator[tuple[np.void, list[int], int]]:
    """States of a game played at random, each with the decisions open in it and the one taken; 0 at the end."""
    rng, bench = Random(number), new_game(cards, number)
    options = open_now(bench, cards)
    while options:
        taken = rng.choice(options)
        yield bench.states[0].copy(), options, taken
        options = open_now(bench, cards, taken)
    yield bench.states[0].copy(), [], 0


def placed(position: dict[str, Any], cards: CardSet | None = None) -> np.void:
    """A state placed by readable names."""
    state: np.void = np.zeros(1, GAME.state)[0]
    GAME.words.place(position, cards or card_set(), state)
    return state


def table(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> dict[str, Any]:
    """A position of two cubs and a hawk against two soldiers, by default in the main step of turn 7, without libraries."""
    own = {"library": [], "rows": [["beast_cub", "beast_cub"], ["beast_hawk"]]} | (one or {})
    other = {"library": [], "rows": [["soldier_guard", "soldier_medic"]]} | (two or {})
    return {"turn": 6, "players": [own, other]} | position


def options_of(state: np.void, cards: CardSet | None = None) -> list[str]:
    """Decisions open in a state, in words."""
    cards, bench = cards or card_set(), new_bench(GAME.state, GAME.options_max, SEATS_MAX)
    bench.states[0] = state
    return [GAME.words.action(state, cards, action) for action in open_now(bench, cards)]


def told(position: dict[str, Any], *decisions: str, cards: CardSet | None = None) -> list[str]:
    """What the last of these decisions, taken from a position, led to in words."""
    cards, bench = cards or card_set(), new_bench(GAME.state, GAME.options_max, SEATS_MAX)
    bench.states[0] = placed(position, cards)
    state, options, before = bench.states[0], open_now(bench, cards), bench.states[0].copy()
    for decision in decisions:
        words = {GAME.words.action(state, cards, action): action for action in options}
        before = state.copy()
        options = open_now(bench, cards, words[decision])
    return GAME.words.events(before, state, cards)
