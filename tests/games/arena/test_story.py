"""What a reader of a replay can follow: the dice of an attack, a chain, every fall (ARENA-85), and who caused them."""

from typing import Any

from sim.engine.cardfiles.paths import plain
from tests.games.arena.builders import HIT, MISS, reference
from tests.games.arena.kernel_bridge import GAME, Kernels, card_set


def hero(word: str, q: int, r: int, **facts: int) -> dict[str, Any]:
    return {"hero": word, "at": [q, r], **facts}


def story(position: dict[str, Any], *decisions: str, dice: tuple[int, ...] = (), **rules: Any) -> list[str]:
    """Lines about the last decision. dice: all that it rolls."""
    game = Kernels(card_set(reference(**rules))).read(position)
    for decision in decisions:
        before = game.state.copy()
        game.script(dice if decision == decisions[-1] else ())
        game.apply(game.words()[plain(decision)])
    assert int(game.dice["script_at"]) == len(dice)
    return GAME.words.events(before, game.state, game.cards)


def test_arena_31_an_attack_on_two_and_the_shove_that_answers_it():
    heroes = [hero("whirl_fighter", 0, 4), hero("temple_guard", 0, 3), hero("bow_master", 1, 3, marker=6)]
    lines = story({"heroes": heroes}, "Whirlwind", dice=(HIT, MISS, MISS, MISS, MISS, MISS, HIT, MISS, MISS))
    assert lines == [
        "Whirl Fighter: rolls 1 hit; falls into the water beyond (0,4), shoved by Temple Guard; moves others by 3; place 2",
        "Temple Guard: blocks 1; place 1",
        "Bow Master: blocks 0; falls into the water beyond (4,0), knocked back by Whirl Fighter; place 2",
    ]


def test_arena_60_a_chain():
    heroes = [hero("dragon_hatcher", 0, 4), hero("bow_master", 0, 3), hero("valasca", 0, -2), hero("rhino_guy", 0, 1)]
    lines = story({"heroes": heroes}, "Fire Breath on Bow Master", dice=(HIT, MISS, MISS, MISS, MISS))
    assert lines == [
        "Dragon Hatcher: rolls 1 hit; moves others by 2; strikes 1 in its chains",
        "Bow Master: blocks 0; from (0,3) to (0,2); takes 1 damage; energy 0 -> 1",
        "Rhino Guy: is struck; from (0,1) to (0,0)",
    ]


def test_arena_64_85_a_dragonling_that_falls_with_its_owner_fell_itself():
    """Whirlwind throws the Hatcher and one dragonling out; the other leaves with her."""
    heroes = [hero("whirl_fighter", 0, 3, rage=0), hero("dragon_hatcher", 0, 4), hero("bow_master", 0, -3)]
    brood = [{"owner": 1, "at": [1, 3]}, {"owner": 1, "at": [-2, 0]}]
    lines = story({"heroes": heroes, "dragonlings": brood}, "Whirlwind", dice=(HIT, MISS, MISS, MISS, MISS, MISS))
    assert lines[1:] == [
        "dragonling 4: blocks 0; falls into the water beyond (1,3), knocked back by Whirl Fighter",
        "Dragon Hatcher: blocks 0; falls into the water beyond (0,4), knocked back by Whirl Fighter; place 3",
        "dragonling 5: leaves the board with Dragon Hatcher",
    ]


def test_arena_34_72_a_step_before_an_attack_and_the_shove_back():
    """Charge on a Temple Guard who blocks everything and shoves Rhino Guy back to where it came from."""
    heroes = [hero("rhino_guy", 0, 2), hero("temple_guard", 0, 0)]
    dice = (MISS, MISS, MISS, MISS, MISS, MISS)
    lines = story({"heroes": heroes}, "Charge on Temple Guard", "step to (0,1)", dice=dice)
    assert lines == ["Rhino Guy: rolls 0 hits", "Temple Guard: blocks 0; shoves back by 1"]
