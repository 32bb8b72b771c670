"""Positions of play obey the invariants; positions that cannot be are refused with field, value and remedy."""

from typing import Any

import pytest

from tests.games.runeslingers.invariants import check
from tests.games.runeslingers.playing import VARIANTS, card_set, game_at_random, placed, table

OWN = r"players\[0\]\."
BURN = {"type": "burn"}
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    (table(first=1), "first = 1: follows from `turn` and `active` and is 0"),
    (table(first=1, phase="setup"), "first = 1: does not apply in this position; leave it out"),
    (table(active=1, phase="setup", stage="begin"), "active = 1: must be 0 before the first turn"),
    (table(winner=1), 'winner = 1: must be left out; phase is not "over"'),
    (table({"light": 1}, turn=200), "turn = 200: the last turn is over; light, .* must be 0"),
    (table(laid=1), "laid = 1: must be a whole number from 4 to"),
    (table({"power": 0}), OWN + 'power = 0: ends the encounter at 0; phase must be "over"'),
    (table({"power": 4, "determination": 2}), OWN + "determination = 2: must be a whole number from 0 to 1"),
    (table({"health": 0}), OWN + "health = 0: must be 1 to 20, the maximum health"),
    (table({"health": 19, "ailments": [{"type": "debilitate", "count": 2}]}), OWN + "health = 19: must be 1 to 18"),
    (table({"ailments": [{"type": "debilitate", "count": 20}]}), OWN + "health: the maximum health is 0 or less, which ends"),
    (table({"exposed": {"burn": 1}}), OWN + "exposed = .*: follows from the rest"),
    (table({"void": ["fireball"] * 30}), r"players\[0\]: 34 cards are named in all places together; the deck has 30"),
    (table({"rest": "void"}), OWN + "draw_pile: is empty; the last card costs a power at once"),
    (table({"ailments": [BURN, BURN]}), OWN + "ailments = .*: a type is exposed on two areas; they would merge"),
    (table({"things": [{"card": "insight", "slot": 6}]}), OWN + r"things\[0\].slot = 6: nothing lies at slot 6; .*conc"),
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
    (table(phase="target"), "pending.frames: the top one must be card or act"),
    (table({"blocked": 2}), OWN + "blocked = 2: must be a whole number from 0 to 1"),
    (
        table({"things": [{"card": "ward_stone", "under": "fireball"}]}),
        OWN + r'things\[0\].under = "fireball": lies under ward_stone, which traps nothing',
    ),
    (
        table({"things": [{"card": "fireball"}]}, stage="draw"),
        OWN + r'things\[0\].card = "fireball": is a runespell; it left play when its turn ended',
    ),
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
        table(phase="answer", pending={"frames": [{"frame": "card", "inst": "fireball"}]}),
        r'frames\[0\].inst = "fireball": must be \[seat, card\]',
    ),
]


@pytest.mark.parametrize(("position", "message"), IMPOSSIBLE, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_what_cannot_be_is_refused(position: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(position)


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_of_play_obey_the_invariants(variant: str):
    check([state for state, _, _ in game_at_random(variant)], card_set(variant))
