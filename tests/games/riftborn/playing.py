"""Games and card files of Riftborn Tactics for tests: dealt and played at random, or placed by readable names."""

from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from sim.games.riftborn import GAME
from tests.games.playing import AS_PRINTED, Playing

VARIANTS: dict[str, dict[str, Any]] = {
    AS_PRINTED: {},
    "other rule variants": {
        "level_budget": "snapshot",
        "aoo_xp": True,
        "adjacent_enemies": "contact",
        "clear_path": "nearest",
        "contact_retaliation": False,
        "dead_retaliate": False,
        "rage_before_retaliation": False,
        "mutual_kill_xp": False,
        "relentless_on": "attack",
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

STEPS = 300  # of a game at random; a whole one has a thousand

PLAYING = Playing(GAME, VARIANTS)
card_set = PLAYING.card_set
with_rules = PLAYING.with_rules
open_now = PLAYING.open_now
placed = PLAYING.placed
options_of = PLAYING.options_of
story = PLAYING.told


@cache
def game_at_random(variant: str) -> list[tuple[np.void, list[int], int]]:
    """A game of a variant, up to `STEPS` decisions, see `Playing.at_random`. Tests share it: do not change its states."""
    return [*islice(PLAYING.random_game(card_set(variant), 11), STEPS)]


def table(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **position: Any) -> dict[str, Any]:
    """A position of two cubs and a hawk against two soldiers, by default in the main step of turn 7, without libraries."""
    own = {"library": [], "rows": [["beast_cub", "beast_cub"], ["beast_hawk"]]} | (one or {})
    other = {"library": [], "rows": [["soldier_guard", "soldier_medic"]]} | (two or {})
    return {"turn": 6, "players": [own, other]} | position


HEAD = {"game": GAME.name, "format": 1, "title": "Cards of a test"}


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """A document of the model as a card file has it: with head and sources."""
    tables = {part: [{"source": "assumed"} | one for one in document[part]] for part in ("card", "deck")}
    return HEAD | document | tables | {"rules": {"source": "assumed"} | document["rules"]}
