"""Games of Runeslingers for tests of words: dealt and played at random, or placed by readable names."""

from functools import cache
from typing import Any

import numpy as np

from sim.games.runeslingers import GAME
from tests.games.playing import AS_PRINTED, Playing

VARIANTS: dict[str, dict[str, Any]] = {
    AS_PRINTED: {},
    "other rule variants": {
        "answer_on": "any_card",
        "deck_out": "on_need",
        "concealed_type": "blocked",
        "pierce_barrier": "ignores",
        "hand_limit": "draws",
        "double_loss": "active_wins",
        "slot_choice": "full",
        "float_light": True,
        "ailment_phase_order": "removal_first",
        "first": "random",
        "own_targets": False,
    },
    "third rule variants": {
        "answer_on": "nothing",
        "double_loss": "active_loses",
        "slot_choice": "auto",
        "first": "seat0",
        "draft_copies": "constructed",
    },
    "fast and full": {"draw": 4, "sets_per_turn": 3, "blocks_per_turn": 3, "ailment_limit": 4, "start_power": 9},
}

PLAYING = Playing(GAME, VARIANTS)
card_set = PLAYING.card_set
with_rules = PLAYING.with_rules
open_now = PLAYING.open_now
placed = PLAYING.placed
options_of = PLAYING.options_of
story = PLAYING.told
played = PLAYING.played
laid = PLAYING.laid


@cache
def game_at_random(variant: str) -> list[tuple[np.void, list[int], int]]:
    """A whole game of a variant, see `Playing.at_random`. Tests share it: do not change its states."""
    return [*PLAYING.random_game(card_set(variant), 11)]


def table(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> dict[str, Any]:
    """A position of Eva with three concentrations against Romin, by default in her Play Phase of turn 7."""
    own = {"deck": "eva_starter", "concentrations": ["insight", "insight", "shatter"], "hand": ["great_bolt_x"]}
    other = {"deck": "romin_starter", "concentrations": ["cleanse"]}
    return {"turn": 6, "players": [own | (one or {}), other | (two or {})]} | position
