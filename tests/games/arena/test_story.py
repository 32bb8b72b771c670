"""The sentences about an attack, in the order of ARENA-31, and about every fall (ARENA-85)."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cardfiles.paths import plain
from sim.games.arena.state import DRAGONLING, Cause, Phase
from tests.games.arena.builders import reference
from tests.games.arena.documents import random_document
from tests.games.arena.kernel_bridge import GAME, Kernels, card_set
from tests.games.arena.positions import random_position

POSITIONS, DECISIONS = 150, 8
HIT, MISS = 6, 1


def hero(word: str, q: int, r: int, **facts: int) -> dict[str, Any]:
    return {"hero": word, "at": [q, r], **facts}


def story(position: dict[str, Any], *decisions: str, dice: tuple[int, ...] = (), **rules: Any) -> list[str]:
    """Sentences about the last decision. dice: all that it rolls."""
    game = Kernels(card_set(reference(**rules))).read(position)
    for decision in decisions:
        before = game.state.copy()
        game.script(dice if decision == decisions[-1] else ())
        game.apply(game.words()[plain(decision)])
    assert int(game.dice["script_at"]) == len(dice)
    return GAME.words.events(before, game.state, game.cards)


def test_arena_31_what_a_push_does_is_told_before_the_shove_that_answers_it():
    """Step (g) for both targets, then step (i)."""
    heroes = [hero("whirl_fighter", 0, 4), hero("temple_guard", 0, 3), hero("bow_master", 1, 3, marker=6)]
    lines = story({"heroes": heroes}, "Whirlwind", dice=(HIT, MISS, MISS, MISS, MISS, MISS, HIT, MISS, MISS))
    assert lines[:5] == [
        "Whirlwind rolls 1 hit; Temple Guard blocks 1, Bow Master blocks 0.",
        "Bow Master falls into the water beyond (4,0), knocked back by Whirl Fighter.",
        "Temple Guard shoves Whirl Fighter from (0,4).",
        "Whirl Fighter falls into the water beyond (0,4), shoved by Temple Guard.",
        "Turn 1 ends the game: Temple Guard is the last hero standing.",
    ]


def test_arena_31_target_by_target_and_the_reward_of_a_hit_after_the_last():
    """(g) push, damage, fury of one target, then of the other; (h) rage for the hit."""
    heroes = [hero("valasca", 0, 0), hero("rhino_guy", 0, -1)]
    lines = story({"heroes": heroes}, "Axe Blow on Rhino Guy", dice=(HIT, MISS, MISS, MISS, MISS))
    assert lines[1:4] == [
        "Rhino Guy is pushed from (0,-1) to (0,-3).",
        "Rhino Guy takes 1 damage: marker from 0 to 1.",
        "Valasca gains 1 rage.",
    ]
    whirl = [hero("whirl_fighter", 0, 0), hero("valasca", 0, -1), hero("rhino_guy", 0, 1)]
    lines = story({"heroes": whirl}, "Whirlwind", dice=(HIT, HIT, MISS, MISS, *[MISS] * 4))
    assert lines[1:6] == [
        "Valasca is pushed from (0,-1) to (0,-2).",
        "Valasca takes 2 damage: marker from 0 to 2.",
        "Valasca gains 1 rage.",
        "Rhino Guy is pushed from (0,1) to (0,2).",
        "Rhino Guy takes 2 damage: marker from 0 to 2 and enters yellow.",
    ]


def test_arena_60_pieces_of_a_chain_are_told_outwards():
    heroes = [hero("dragon_hatcher", 0, 4), hero("bow_master", 0, 3), hero("valasca", 0, -2), hero("rhino_guy", 0, 1)]
    lines = story({"heroes": heroes}, "Fire Breath on Bow Master", dice=(HIT, MISS, MISS, MISS, MISS))
    assert lines[1:3] == ["Bow Master is pushed from (0,3) to (0,2).", "Rhino Guy is struck and thrown from (0,1) to (0,0)."]


def test_arena_64_85_a_dragonling_that_falls_with_its_owner_fell_itself():
    """Whirlwind throws the Hatcher and one dragonling out; the other leaves with her."""
    heroes = [hero("whirl_fighter", 0, 3, rage=0), hero("dragon_hatcher", 0, 4), hero("bow_master", 0, -3)]
    brood = [{"owner": 1, "at": [1, 3]}, {"owner": 1, "at": [-2, 0]}]
    lines = story({"heroes": heroes, "dragonlings": brood}, "Whirlwind", dice=(HIT, MISS, MISS, MISS, MISS, MISS))
    assert [line for line in lines if "falls" in line or "leaves" in line] == [
        "dragonling 4 falls into the water beyond (1,3), knocked back by Whirl Fighter.",
        "Dragon Hatcher falls into the water beyond (0,4), knocked back by Whirl Fighter.",
        "dragonling 5 leaves the board with Dragon Hatcher.",
    ]


def test_arena_34_72_the_step_before_an_attack_is_told_with_its_end():
    """Charge on a Temple Guard who blocks everything and shoves Rhino Guy back."""
    heroes = [hero("rhino_guy", 0, 2), hero("temple_guard", 0, 0)]
    dice = (MISS, MISS, MISS, MISS, MISS, MISS)
    lines = story({"heroes": heroes}, "Charge on Temple Guard", "step to (0,1)", dice=dice)
    assert lines[0] == "Rhino Guy steps from (0,2) to (0,1)."
    assert "Temple Guard shoves Rhino Guy from (0,1) to (0,2)." in lines


@pytest.mark.slow
def test_arena_85_every_fall_is_told_with_its_cause_and_every_shift_with_its_end():
    """With random cards and positions, the last place of each piece in the story is where it stands."""
    rng, causes, brood = Random(85), set(), 0
    for number in range(POSITIONS):
        if number % 10 == 0:
            document = random_document(rng)
        position = random_position(document, rng)
        game = Kernels(card_set(document, position["board"])).place(position)
        for _ in range(DECISIONS):
            options = game.options()
            if not options:
                break
            before = game.state.copy()
            game.apply(rng.choice(options))
            lines = GAME.words.events(before, game.state, game.cards)
            brood += check(before, game.state, game.cards, lines)
            fresh = game.state["fall_turn"] != before["fall_turn"]
            causes |= {Cause(cause) for cause in game.state["fall_cause"][fresh]}
    assert causes >= {Cause.KNOCKBACK, Cause.COLLISION, Cause.RETALIATION}
    assert brood >= 10


def check(before: np.void, after: np.void, cards: Any, lines: list[str]) -> int:
    """Compare the story with the two states; returns the number of dragonlings that fell."""
    record, felled = cards.record[0], 0
    for piece in (*range(after["seats"]), *range(DRAGONLING, len(after["pos"]))):
        name = f"dragonling {piece}" if piece >= DRAGONLING else cards.names[after["hero"][piece]]
        own = [line for line in lines if f"{name} " in (line.split(" shoves ")[-1])[: len(name) + 1]]
        fell = after["fall_turn"][piece] != before["fall_turn"][piece]
        assert fell == any(" falls into the water beyond " in line for line in own), lines
        if fell:
            felled += piece >= DRAGONLING
            assert after["pos"][piece] < 0 <= before["pos"][piece]
            assert after["fall_hex"][piece] >= 0
            assert after["fall_by"][piece] >= 0
            assert after["fall_turn"][piece] == before["turn"] + 1
        elif after["pos"][piece] < 0 <= before["pos"][piece]:
            assert any("leaves the board with" in line for line in own), lines
        elif after["pos"][piece] >= 0 and piece < DRAGONLING and after["phase"] != Phase.START:
            ends = [line.rsplit(" to ", 1)[1].rstrip(".") for line in own if " from (" in line and " to (" in line]
            here = f"({record['q'][after['pos'][piece]]},{record['r'][after['pos'][piece]]})"
            swapped = any("changes places" in line for line in lines)
            assert swapped or not ends or ends[-1] == here, (name, here, lines)
            assert swapped or ends or after["pos"][piece] == before["pos"][piece], (name, lines)
    return felled
