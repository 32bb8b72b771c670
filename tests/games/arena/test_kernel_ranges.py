"""No field of STATE overflows in games of 10,000 turns, the longest that a card file can ask for, played to the limits."""

from collections.abc import Callable

import numpy as np
import pytest

from sim.games.arena.state import Phase
from tests.conftest import in_soak
from tests.games.arena.builders import gift, op, reference, shot
from tests.games.arena.kernel_bridge import Kernels, card_set
from tests.games.arena.model.board import Hex
from tests.games.arena.model.model import PASS, ability_code

TURNS = 10_000
N = 0
THROW = shot()  # every hero must have an attack that can throw; it is not used here
TOUCH = {"attack": 0, "knockback": [0, 0, 0], "range": 8}


def hero(name: str, *abilities: dict, **numbers: object) -> dict:
    """A hero card with three abilities."""
    usual = {"move": 2, "defence": 0, "energy": [6, 6, 6], "rage_cap": 12, "dragonling_cap": 12}
    filled = [*abilities, *[gift() for _ in range(3 - len(abilities))]]
    return {"id": name, "name": name, **usual, **numbers, "ability": filled}


def two_at(one: tuple[Hex, dict], other: tuple[Hex, dict], radius: int = 7, **state: object) -> Kernels:
    """Two heroes on a round board; the first one begins."""
    (here, first), (there, second) = one, other
    document = reference(**{"turn_cap": TURNS, "board": "wide"} | state.pop("rules", {}))
    wide = {"id": "wide", "radius": radius, "starts": [[0, 0], [0, 1], [1, 0], [0, -1]]}
    document |= {"board": [wide], "hero": [first, second]}
    position = {"heroes": [first["id"], second["id"]], "positions": {0: here, 1: there}, "active": 0, "phase": "MOVE"}
    dragonlings = state.pop("dragonlings", {})
    position["positions"] |= dragonlings
    return Kernels(card_set(document)).place(position | {"owner": dict.fromkeys(dragonlings, 1)} | state)


def play_out(game: Kernels, answer: Callable[[Phase, int, list[int]], int]) -> np.void:
    """Play to the turn cap; answer: phase, active seat, options -> code. Returns the last STATE."""
    while options := game.options():
        game.apply(answer(Phase(game.state["phase"]), int(game.state["active"]), options))
    return game.state


@pytest.mark.parametrize("turns", [1_000, in_soak(TURNS)])
def test_rage_that_is_gained_and_paid_at_every_turn_is_counted_to_the_end(turns: int):
    pump = shot(
        op("auto_hit", hits=6),
        op("no_defence_roll"),
        op("rage_gain", n=4, when="use"),
        op("rage_gain", n=4, when="hit"),
        op("rage_spend", max=6, dice=0, knockback=3),
        **TOUCH,
    )
    game = two_at(((0, 0), hero("pump", pump, THROW)), ((3, 0), hero("victim", THROW)), rules={"turn_cap": turns})
    own_turns = turns // 2

    def answer(phase, active, options):
        choices = {Phase.MOVE: int(game.state["pos"][active]), Phase.RAGE: options[-1]}
        return choices.get(phase, ability_code(0, 1) if active == 0 else PASS)

    last = play_out(game, answer)
    # 4 + 4 tokens come in the first turn, of which 4 are paid; 8 in the second, of which 6 are; from then on 6 for 6
    assert last["uses"][0, 0] == last["attacks"][0] == last["landed"][0] == last["own_turns"][0] == own_turns
    assert last["passes"][1] == own_turns
    assert last["rage_spent"][0] == 4 + 6 * (own_turns - 1)
    assert last["rage_gained"][0] == last["rage_spent"][0] + last["rage"][0]
    assert last["damage_dealt"][0, 0] == last["damage_taken"][1] == 6 * own_turns
    assert last["marker"][1] == 17
    assert last["zone_entry"][1].tolist() == [1, 3]
    assert last["zone_turns"][1].tolist() == [1, own_turns - 1]
    assert last["rim_distance"].tolist() == [8 * own_turns, 5 * own_turns, 0, 0]
    assert (last["turn"], last["round"]) == (turns, own_turns + 1)


@pytest.mark.soak
def test_collisions_of_a_row_of_dragonlings_are_counted_to_the_end():
    """The first seat pushes a row of 12 off the rim, one at a time; the second puts the last one back."""
    punch = shot(op("auto_hit", hits=1), op("no_defence_roll"), attack=0, range=1, knockback=[1, 1, 1])
    nest = {"name": "Nest", "kind": "utility", "effects": [op("summon", count=1, range=1)]}
    row = {4 + i: (0, 5 - i) for i in range(12)}
    one, other = hero("puncher", punch), hero("nester", nest, THROW)
    game = two_at(((0, 6), one), ((1, -6), other), radius=6, dragonlings=row)
    first, last_hex = ability_code(0, 4), game.board.number[0, -6]

    def answer(phase, active, options):
        if phase == Phase.ABILITY:
            return first if active == 0 else ability_code(0)
        return last_hex if phase == Phase.SUMMON else int(game.state["pos"][active])

    last = play_out(game, answer)
    assert last["dragonlings_felled"][0] == last["summoned"][1] == TURNS // 2
    assert last["collisions_caused"][0] == 11 * TURNS // 2


@pytest.mark.soak
def test_paths_chosen_in_every_turn_are_counted_to_the_end():
    """The first seat throws the second 9 hexes at a slant, with 7 choices; the second comes back in its own turn."""
    throw = shot(op("auto_hit", hits=1), op("no_damage"), op("no_defence_roll"), attack=0, knockback=[9, 9, 9])
    back = shot(op("move_before", min=0, max=4), op("auto_hit", hits=1), op("no_damage"), **TOUCH)
    leap = gift(op("move_mode", mode="leap"))
    thrown, thrower = hero("thrown", back, leap, THROW, move=6), hero("thrower", throw)
    game = two_at(((0, 7), thrower), ((1, 4), thrown))
    halfway, home = game.board.number[1, 1], game.board.number[1, 4]

    def answer(phase, active, options):
        if phase == Phase.ABILITY:
            return ability_code(0, 1 - active)
        if phase == Phase.STEP:
            return N
        return {0: int(game.state["pos"][0]), 1: halfway if phase == Phase.MOVE else home}[active]

    last = play_out(game, answer)
    assert last["hexes_pushed"][0] == 9 * TURNS // 2
    assert last["steps"][1] == 7 * TURNS // 2


def test_the_strongest_push_of_all_fits():
    """9 printed, 6 rage at 3 hexes each, 12 damage."""
    blow = shot(op("rage_spend", max=6, dice=1, knockback=3), attack=6, knockback=[9, 9, 9])
    one, other = ((0, 7), hero("thrower", blow)), ((1, 4), hero("thrown", THROW))
    game = two_at(one, other, rules={"knockback_plus_damage": True}, rage=[6, 0], phase="ABILITY")
    game.apply(ability_code(0, 1))
    game.script([6] * 12)
    game.apply(6)
    assert (game.state["reach_k"], game.state["phase"]) == (9 + 6 * 3 + 12, Phase.STEP)
