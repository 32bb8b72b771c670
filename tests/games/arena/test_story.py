"""The sentences about an attack, in the order of ARENA-31, and about every fall (ARENA-85)."""

from typing import Any

from sim.engine.cardfiles.paths import plain
from tests.games.arena.builders import HIT, MISS, reference
from tests.games.arena.kernel_bridge import GAME, Kernels, card_set


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
