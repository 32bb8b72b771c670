"""Positions of Riftborn Tactics: those of play obey the invariants, impossible ones are refused with what would be right."""

from typing import Any

import numpy as np
import pytest

from tests.games.riftborn.invariants import check_positions
from tests.games.riftborn.playing import VARIANTS, card_set, game_at_random, placed, table

STRIDE = 10  # positions of a game at this interval are checked

OWN = r"players\[0\]\."
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    (table(first=1), "first = 1: follows from `turn` and `active` and is 0"),
    (table({"life": 0}), OWN + 'life = 0: ends the game at 0 or less; phase must be "over"'),
    (table({"xp": 1200, "level": 4}), OWN + "level = 4: follows from `xp` and is 3"),
    (table({"xp": 1200, "start_level": 4}), OWN + "start_level = 4: must be a whole number from 1 to 3"),
    (table({"stats": [["2/2"]]}), OWN + r"stats = .*: follows from the rest and is \[\[\'2/2\', \'2/2\'\], \[\'2/2\'\]\]"),
    (table({"rows": [["spark"]]}), OWN + r'rows\[0\]\[0\] = "spark": is no creature or token'),
    (table({"rows": [["beast_cub over beast_hawk"]]}), "beast_cub is no token; only a token lies over another card"),
    (table({"rows": [["beast_cub, 1 damge"]]}), '"1 damge": "damge" is no kind of token; did you mean "damage"'),
    (table({"rows": [["beast_cub, has RANGE"]]}), r'must be "has RANGE\(2\)", with a number'),
    (
        table({"rows": [["beast_cub, 2 damage"]]}),
        r'rows\[0\]\[0\] = "beast_cub, 2 damage": has 2 damage and a maximum Health of 2',
    ),
    (table({"rows": [["beast_pack, has FLIGHT"]]}), "has FLIGHT together with SWARM; a creature with SWARM has no other ability"),
    (table({"rows": [["beast_pack, lost SWARM"]]}), '"lost SWARM": SWARM is never lost'),
    (table({"rows": [["beast_pack, face down"]]}), "is face down with SWARM"),
    (table({"rows": [["beast_cub, has SUMMON(1)"]]}), r'"has SUMMON\(1\)": no effect grants SUMMON, and the card has no such'),
    (table({"rows": [["undead_gravecaller, has SUMMON(2)"]]}), r"no effect grants SUMMON, and the card has only SUMMON\(1\)"),
    (table({"rows": [["tok_bones over beast_shifter"]]}), "beast_shifter does not become tok_bones by TRANSFORM"),
    (
        table({}, {"rows": [["beast_cub, charmed"]]}),
        r'players\[1\].rows\[0\]\[0\] = "beast_cub, charmed": is charmed in the turn of its enemy; must be "charm waits"',
    ),
    (table({"rows": [["beast_cub, pacified"]]}, active=1), OWN + r'rows\[0\]\[0\] = .*: is pacified .* must be "pacify waits"'),
    (table({"rows": [["beast_cub, earned by seat 0"]]}), "is earned by seat 0, its own side"),
    (table({"rows": [["beast_cub, earned by seat 1"]]}), 'is hurt or earned in phase "main", where nothing is under way'),
    (table({"tricks": ["ambush", "ambush"]}), OWN + "tricks = .*: has ambush twice"),
    (table({"xp": 1200, "used_levels": 4}), OWN + "used_levels = 4: must be a whole number from 0 to 3"),
    (table(winner=0), "winner = 0: does not apply in this position; leave it out"),
    (table({"life": 0}, phase="over", winner=0), "winner = 0: follows from the lives .* and is 1"),
    (table(phase="over"), 'phase = "over": needs a player with a life of 0 or less'),
    (table(phase="creature", pending={"user": [1, 0, 0]}), r"pending.user = \[1, 0, 0\]: must be a creature of the active"),
    (table(turn=5, phase="mulligan"), "turn = 5: must be 0 in phase mulligan: no turn has begun"),
    (table(first=0, phase="mulligan", turn=0), "first = 0: does not apply in this position"),
    (table(phase="scry"), 'phase = "scry": there is nothing to decide'),
    (table({"hand": ["tok_bones"]}), OWN + r'hand\[0\] = "tok_bones": is no card'),
    (table({"hand": ["spark"] * 40, "discard": ["spark"] * 30}), "has 73 cards in all places together"),
    (table(pending={"user": [0, 0, 0]}), "pending.user = .*: is not a key of this table"),
    (table(phase="creature", pending={"user": [0, 1, 1]}), "pending.user = .*: must be a creature that is there"),
]


@pytest.mark.parametrize(("position", "message"), IMPOSSIBLE, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_what_cannot_be_is_refused(position: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_of_play_obey_the_invariants(variant: str):
    check_positions(np.array([state for state, _, _ in game_at_random(variant)[::STRIDE]]), card_set(variant))
