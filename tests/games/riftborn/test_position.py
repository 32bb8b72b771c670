"""Impossible positions of Riftborn Tactics: each is refused with its field, its value and what would be right."""

from typing import Any

import pytest

from tests.games.riftborn.playing import placed, table

OWN = r"players\[0\]\."
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"players": [{}]}, "players: must be 2 tables, one for each seat; 1 are given"),
    ({"players": [{"seat": 1}, {"seat": 1}]}, r"players\[1\].seat = 1: is already taken; every entry needs its own seat"),
    (table(turn=401), "turn = 401: must be a whole number from 0 to 400"),
    (table(active=2), "active = 2: must be a whole number from 0 to 1"),
    (table(first=1), "first = 1: follows from `turn` and `active` and is 0"),
    (table(phase="mian"), 'phase = "mian": did you mean "main"'),
    (table(phase="going"), 'phase = "going"'),
    (table(row=1), "row = 1: is not a key of this table"),
    (table({"hands": []}), OWN + r'hands = \[\]: is not a key of this table; did you mean "hand"'),
    (table({"deck": "beast_rsh"}), OWN + 'deck = "beast_rsh": did you mean "beast_rush"'),
    (table({"life": 0}), OWN + 'life = 0: ends the game at 0 or less; phase must be "over"'),
    (table({"life": 51}), OWN + "life = 51: must be a whole number from"),
    (table({"xp": -1}), OWN + "xp = -1: must be a whole number from 0 to"),
    (table({"xp": 1200, "level": 4}), OWN + "level = 4: follows from `xp` and is 3"),
    (table({"xp": 1200, "start_level": 4}), OWN + "start_level = 4: must be a whole number from 1 to 3"),
    (table({"stats": [["2/2"]]}), OWN + r"stats = .*: follows from the rest and is \[\[\'2/2\', \'2/2\'\], \[\'2/2\'\]\]"),
    (table({"rows": [[]]}), OWN + r"rows\[0\] = \[\]: must be a list of 1 to 5 creatures"),
    (table({"rows": [["beast_cub"]] * 4}), OWN + "rows: has 4 entries; at most 3"),
    (table({"rows": [["beast_cub"] * 6]}), OWN + r"rows\[0\] = .*: must be a list of 1 to 5 creatures"),
    (table({"rows": [[7]]}), OWN + r"rows\[0\]\[0\] = 7: must be text"),
    (table({"rows": [["beast_cup"]]}), OWN + r'rows\[0\]\[0\] = "beast_cup": is no creature .*"beast_cub"'),
    (table({"rows": [["spark"]]}), OWN + r'rows\[0\]\[0\] = "spark": is no creature or token'),
    (table({"rows": [["beast_cub over beast_hawk"]]}), "beast_cub is no token; only a token lies over another card"),
    (table({"rows": [["tok_bones over tok_bones"]]}), '"tok_bones": is no creature'),
    (table({"rows": [["beast_cub, 1 damge"]]}), '"1 damge": "damge" is no kind of token; did you mean "damage"'),
    (table({"rows": [["beast_cub, 10000 rage"]]}), '"10000 rage": must be at most 9999'),
    (table({"rows": [["beast_cub, actd"]]}), '"actd": does not describe a creature; did you mean "acted"'),
    (table({"rows": [["beast_cub, has RANG(2)"]]}), "RANG is no ability; did you mean"),
    (table({"rows": [["beast_cub, has RANGE"]]}), r'must be "has RANGE\(2\)", with a number'),
    (table({"rows": [["beast_cub, has BLOCK(2)"]]}), 'must be "has BLOCK", without a number'),
    (table({"rows": [["beast_cub, has RANGE(0)"]]}), "the number of RANGE must be 1..127"),
    (
        table({"rows": [["beast_cub, 2 damage"]]}),
        r'rows\[0\]\[0\] = "beast_cub, 2 damage": has 2 damage and a maximum Health of 2',
    ),
    (table({"rows": [["beast_pack, has FLIGHT"]]}), "has FLIGHT together with SWARM; a creature with SWARM has no other ability"),
    (table({"rows": [["fae_drake, has BLOCK, has SWARM(2)"]]}), "has BLOCK together with SWARM"),
    (table({"rows": [["beast_pack, lost SWARM"]]}), '"lost SWARM": SWARM is never lost'),
    (table({"rows": [["beast_pack, face down"]]}), "is face down with SWARM"),
    (table({"rows": [["beast_cub, has SUMMON(1)"]]}), r'"has SUMMON\(1\)": no effect grants SUMMON, and the card has no such'),
    (table({"rows": [["beast_cub, has TRANSFORM"]]}), "no effect grants TRANSFORM, and the card has no such ability"),
    (table({"rows": [["beast_cub, has SPELL"]]}), "no effect grants SPELL"),
    (table({"rows": [["beast_cub, has AURA(1)"]]}), "no effect grants AURA"),
    (table({"rows": [["undead_gravecaller, has SUMMON(2)"]]}), r"no effect grants SUMMON, and the card has only SUMMON\(1\)"),
    (table({"rows": [["beast_cub, has TRICK"]]}), "no effect grants TRICK"),
    (table({"rows": [["tok_bones over beast_shifter"]]}), "beast_shifter does not become tok_bones by TRANSFORM"),
    (
        table({}, {"rows": [["beast_cub, charmed"]]}),
        r'players\[1\].rows\[0\]\[0\] = "beast_cub, charmed": is charmed in the turn of its enemy; must be "charm waits"',
    ),
    (table({"rows": [["beast_cub, pacified"]]}, active=1), OWN + r'rows\[0\]\[0\] = .*: is pacified .* must be "pacify waits"'),
    (table({"rows": [["beast_cub, earned by seat 0"]]}), "is earned by seat 0, its own side"),
    (table({"rows": [["beast_cub, earned by seat 1"]]}), 'is hurt or earned in phase "main", where nothing is under way'),
    (table({"rows": [["beast_cub, hurt by strike"]]}), 'is hurt or earned in phase "main"'),
    (table({"weapons": ["spark"]}), OWN + r'weapons\[0\].card = "spark"'),
    (table({"weapons": [{"card": "longbow", "uses": 0}]}), OWN + r"weapons\[0\].uses = 0: must be a whole number"),
    (table({"weapons": [{"card": "longbow", "uses": 4}]}), OWN + r"weapons\[0\].uses = 4: must be a whole number from 1 to 3"),
    (table({"armour": [{"card": "leather_armour", "points": 5}]}), OWN + r"armour\[0\].points = 5: must be .* from 1 to 4"),
    (table({"tricks": ["ambush", "ambush"]}), OWN + "tricks = .*: has ambush twice"),
    (table({"xp": 1200, "used_levels": 4}), OWN + "used_levels = 4: must be a whole number from 0 to 3"),
    (table(winner=0), "winner = 0: does not apply in this position; leave it out"),
    (table({"life": 0}, phase="over", winner=0), "winner = 0: follows from the lives .* and is 1"),
    (table(phase="over"), 'phase = "over": needs a player with a life of 0 or less'),
    (table(phase="creature", pending={"user": [1, 0, 0]}), r"pending.user = \[1, 0, 0\]: must be a creature of the active"),
    (table(turn=5, phase="mulligan"), "turn = 5: must be 0 in phase mulligan: no turn has begun"),
    (table(first=0, phase="mulligan", turn=0), "first = 0: does not apply in this position"),
    (table({"life": 0}, {"life": 0}, phase="over", winner=1), "winner = 1: does not apply in this position"),
    (table({"xp": 500, "start_level": 1, "used_levels": 3}), OWN + "used_levels = 3: must be a whole number from 0 to 2"),
    (table(phase="scry"), 'phase = "scry": there is nothing to decide'),
    (table({"weapons": ["longbow"] * 9}), OWN + "weapons: has 9 entries; at most 8"),
    (table({"armour": [{"card": "plate_armour", "used": True}]}), OWN + r"armour\[0\].used = true: is not a key"),
    (table({"tricks": ["ambus"]}), OWN + r'tricks\[0\] = "ambus": is no TRICK card; did you mean "ambush"'),
    (table({"hand": ["tok_bones"]}), OWN + r'hand\[0\] = "tok_bones": is no card'),
    (table({"hand": ["spark"] * 61}), OWN + "hand: has 61 entries; at most 60"),
    (table({"hand": ["spark"] * 40, "discard": ["spark"] * 30}), "has 73 cards in all places together"),
    (table({"known_own": 1}), OWN + "known_own = 1: must be a whole number from 0 to 0"),
    (table(pending={"user": [0, 0, 0]}), "pending.user = .*: is not a key of this table"),
    (table(phase="creature"), "pending.user: is missing"),
    (table(phase="creature", pending={"user": [0, 1, 1]}), "pending.user = .*: must be a creature that is there"),
    (table(phase="target", pending={"aim": "charming"}), 'pending.aim = "charming": did you mean "charm"'),
    (table(phase="place", pending={"entrant": "beast"}), 'pending.entrant = "beast"'),
    (table(phase="trick_fire", pending={"queue": [{"owner": 2}]}), r"pending.queue\[0\].owner = 2"),
]


@pytest.mark.parametrize(("position", "message"), IMPOSSIBLE, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_what_cannot_be_is_refused(position: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(position)
