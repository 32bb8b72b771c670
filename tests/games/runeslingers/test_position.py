"""Positions that cannot be are refused with field, value and remedy."""

from typing import Any

import pytest

from sim.engine.contract import offer
from sim.games.runeslingers import GAME
from tests.games.runeslingers.playing import placed, table

OWN = r"players\[0\]\."
BURN = {"type": "burn"}
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"players": [{}]}, "players: must be 2 tables, one for each seat; 1 are given"),
    ({"players": [{"seat": 1}, {"seat": 1}]}, r"players\[1\].seat = 1: is already taken; every entry needs its own seat"),
    (table(turn=201), "turn = 201: must be a whole number from 0 to 200"),
    (table(active=2), "active = 2: must be a whole number from 0 to 1"),
    (table(first=1), "first = 1: follows from `turn` and `active` and is 0"),
    (table(first=1, phase="setup"), "first = 1: does not apply in this position; leave it out"),
    (table(active=1, phase="setup", stage="begin"), "active = 1: must be 0 before the first turn"),
    (table(winner=1), 'winner = 1: must be left out; phase is not "over"'),
    (table({"light": 1}, turn=200), "turn = 200: the last turn is over; light, .* must be 0"),
    (table(phase="mian"), 'phase = "mian": did you mean "main"'),
    (table(stage="drow"), 'stage = "drow": did you mean "draw"'),
    (table(row=1), "row = 1: is not a key of this table"),
    (table(laid=1), "laid = 1: must be a whole number from 4 to"),
    (table({"hands": []}), OWN + r'hands = \[\]: is not a key of this table; did you mean "hand"'),
    (table({"deck": "eva_stater"}), OWN + 'deck = "eva_stater": did you mean "eva_starter"'),
    (table({"power": 6}), OWN + "power = 6: must be a whole number from 0 to 5"),
    (table({"power": 0}), OWN + 'power = 0: ends the encounter at 0; phase must be "over"'),
    (table({"power": 4, "determination": 2}), OWN + "determination = 2: must be a whole number from 0 to 1"),
    (table({"health": 0}), OWN + "health = 0: must be 1 to 20, the maximum health"),
    (table({"health": 19, "ailments": [{"type": "debilitate", "count": 2}]}), OWN + "health = 19: must be 1 to 18"),
    (table({"ailments": [{"type": "debilitate", "count": 20}]}), OWN + "health: the maximum health is 0 or less, which ends"),
    (table({"light": -1}), OWN + "light = -1: must be a whole number from 0 to"),
    (table({"boosts": {"blok": 1}}), OWN + 'boosts.blok = 1: is not a key of this table; did you mean "block"'),
    (table({"stats": {"block": 5}}), OWN + "stats = .*: follows from the rest and is .*'block': 4"),
    (table({"exposed": {"burn": 1}}), OWN + "exposed = .*: follows from the rest"),
    (table({"hand": ["firebal"]}), OWN + r'hand\[0\] = "firebal": is no card; did you mean "fireball"'),
    (table({"hand": ["fireball"] * 13}), OWN + "hand: has 13 entries; at most 12"),
    (table({"void": ["fireball"] * 30}), r"players\[0\]: 34 cards are named in all places together; the deck has 30"),
    (table({"rest": "hand"}), OWN + 'rest = "hand"'),
    (table({"rest": "void"}), OWN + "draw_pile: is empty; the last card costs a power at once"),
    (table({"concentrations": 7}), OWN + "concentrations = 7: must be a whole number from 0 to 6"),
    (table({"concentrations": ["insigt"]}), OWN + r'concentrations\[0\].card = "insigt": is no card; did you mean "insight"'),
    (
        table({"concentrations": [{"slot": 2}, {"slot": 2}]}),
        OWN + r"concentrations\[1\].slot = 2: is already taken; every entry needs its own slot",
    ),
    (table({"concentrations": [{"slot": 0}]}), OWN + r"concentrations\[0\].slot = 0: must be a whole number from 1 to 6"),
    (table({"concentrations": [{"turned": True}]}), OWN + r"concentrations\[0\].turned = true: is not a key"),
    (table({"concentrations": True}), OWN + "concentrations = true: must be a whole number"),
    (table({"ailments": [{"type": "burns"}]}), OWN + r'ailments\[0\].type = "burns": did you mean "burn"'),
    (table({"ailments": [{"type": "burn", "count": 0}]}), OWN + r"ailments\[0\].count = 0"),
    (table({"ailments": [BURN, BURN | {"area": 1}]}), OWN + r"ailments\[1\].area = 1: is already taken"),
    (table({"ailments": [BURN, BURN]}), OWN + "ailments = .*: a type is exposed on two areas; they would merge"),
    (table({"things": [{"card": "insight", "slot": 6}]}), OWN + r"things\[0\].slot = 6: nothing lies at slot 6; .*conc"),
    (table({"things": [{"card": "insight"}, {"card": "insight", "slot": 1}]}), r"things\[1\].slot = 1: is already taken"),
    (table({"things": [{"card": "binding"}]}), OWN + r'things\[0\].card = "binding": boons lie on ailments'),
    (table({"boons": [{"card": "binding"}]}), OWN + r"boons\[0\].area: nothing lies at area 1; .*an ailment"),
    (
        table({"ailments": [BURN], "boons": [{"card": "ward_stone"}]}),
        OWN + r'boons\[0\].card = "ward_stone": boons lie on ailments, all other cards on concentrations',
    ),
    (
        table({"things": [{"card": "ward_stone", "damage": 7}]}),
        OWN + r"things\[0\].damage = 7: Ward Stone has a defence of 7; it would be destroyed",
    ),
    (table({"things": [{"card": "ward_stone", "tokens": 100}]}), r"things\[0\].tokens = 100: must be a whole number"),
    (
        table({"things": [{"card": "ward_stone", "uses": [0, -1]}]}),
        r"things\[0\].uses = \[0, -1\]: must be 2 whole numbers from 0 to 99",
    ),
    (table({"things": [{"card": "stone_trap", "under": "fire"}]}), r'things\[0\].under = "fire": is no card; did you mean'),
    (table({"things": [{"card": "stone_trap", "owner": 2}]}), r"things\[0\].owner = 2: must be a whole number"),
    (table(phase="target"), "pending.frames: the top one must be card or act"),
    (table(phase="block", pending={"frames": [{"frame": "discard"}]}), r"pending.frames = \[.*\]: the top one must be damage"),
    (table(phase="block", pending={"frames": [{"frame": "damage"}]}), r"pending.frames\[0\].target: is missing"),
    (table(phase="answer", pending={"frames": [{"frame": "card"}]}), r"pending.frames\[0\].card: is missing"),
    (
        table(phase="answer", pending={"frames": [{"frame": "card", "card": "fireball", "step": 8}]}),
        r"pending.frames\[0\].place: is missing",
    ),
    (table({"blocked": 2}), OWN + "blocked = 2: must be a whole number from 0 to 1"),
    (
        table({"things": [{"card": "ward_stone", "under": "fireball"}]}),
        OWN + r'things\[0\].under = "fireball": lies under ward_stone, which traps nothing',
    ),
    (
        table({"things": [{"card": "fireball"}]}, stage="draw"),
        OWN + r'things\[0\].card = "fireball": is a runespell; it left play when its turn ended',
    ),
    (table({"things": [{"card": ""}]}), OWN + r'things\[0\].card = "": is no card'),
    (table({"things": [{"slot": 2}]}), OWN + r"things\[0\].card: is missing"),
    (table(phase="target", pending={"frames": [{"frame": "act", "aims": [1]}]}), r"frames\[0\].aim_seqs: is missing"),
    (
        table(phase="main", pending={"frames": [{"frame": "check"}]}),
        r'pending.frames = \[.*\]: must be left out; in phase "main" nothing is under way',
    ),
    (table(phase="main", pending={"seat": 1}), "pending.seat = 1: must be 0, which decides there"),
    (
        table(phase="answer", pending={"seat": 0, "frames": [{"frame": "card", "card": "fireball"}]}),
        "pending.seat = 0: must be 1, which decides there",
    ),
    (
        table(phase="answer", pending={"seat": 1, "frames": [{"frame": "card", "card": "fireball", "source": "card"}]}),
        r'frames\[0\].source = "card": is not a key of this table',
    ),
    (table(phase="main", pending={"seat": 2}), "pending.seat = 2: must be a whole number from 0 to 1"),
    (table(phase="answer", pending={"frames": [{"frame": "crad"}]}), r'frames\[0\].frame = "crad": did you mean "card"'),
    (
        table(phase="block", pending={"frames": [{"frame": "damage", "target": 22}]}),
        r"frames\[0\].target = 22: must be a whole number from -1 to 21",
    ),
    (
        table(phase="answer", pending={"frames": [{"frame": "card", "inst": "fireball"}]}),
        r'frames\[0\].inst = "fireball": must be \[seat, card\]',
    ),
    (
        table(phase="trigger", pending={"frames": [{"frame": "triggers", "waiting": [1]}]}),
        r"frames\[0\].waiting = \[1\]: must be 2 whole numbers from 0 to",
    ),
]


@pytest.mark.parametrize(("position", "message"), IMPOSSIBLE, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_what_cannot_be_is_refused(position: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(position)


offer(GAME)
