"""Where the register is subtle: the model's decisions, turns and the end of the game, with made-up heroes."""

import pytest

from tests.games.arena.builders import PLAIN, duel, gift, op, shot, skill
from tests.games.arena.model import PASS, Model, Scripted, ability_code
from tests.games.arena.sample import reference


def test_arena_77_the_first_token_is_obligatory_then_stopping_is_open():
    model = duel(((0, 0), [shot(), skill(op("summon", count=3, range=1))]), ((0, -1), PLAIN), rules={"tokens": 2})
    model.apply(ability_code(1))
    assert (model.phase, len(model.options()), 169 in model.options()) == ("SUMMON", 5, False)
    model.apply(model.hex_id(0, 1))
    assert (len(model.options()), model.options()[-1]) == (5, 169)
    model.apply(model.hex_id(1, 0))
    assert (model.phase, model.positions[4], model.positions[5]) == ("MOVE", (0, 1), (1, 0))


def test_arena_24_14_slow_shortens_the_next_move_and_ends_with_that_turn():
    model = duel(((0, 0), PLAIN), ((3, 0), PLAIN), slow=[0, 1])
    model.apply(PASS)
    assert (model.phase, model.to_act(), len(model.options())) == ("MOVE", 1, 7)
    model.apply(model.hex_id(3, 0))
    model.apply(PASS)
    assert model.slow == [0, 0]


def test_arena_11_74_protection_lasts_until_the_users_next_turn_and_does_not_add_up():
    model = duel(((0, 0), [skill(op("self_defence", dice=2)), shot()]), ((3, 0), PLAIN))
    model.protection[0] = 1
    model.apply(ability_code(0))
    assert model.protection[0] == 2
    model.apply(model.hex_id(3, 0))
    model.apply(PASS)
    assert (model.to_act(), model.protection[0]) == (0, 0)


@pytest.mark.parametrize(("rule", "codes"), [("allowed", [PASS, 2]), ("only_if_none", [2])])
def test_arena_13_passing_is_open_or_only_without_an_ability(rule, codes):
    model = duel(((0, 0), PLAIN), ((0, -1), PLAIN), rules={"pass_ability": rule})
    assert model.options() == codes
    assert duel(((0, 3), PLAIN), ((0, -3), PLAIN), rules={"pass_ability": rule}).options() == [PASS]


def test_arena_22_23_walkers_go_round_ghosts_through_and_leapers_over():
    wall = {4: (0, -3), 5: (1, -4)}
    for mode, reached in [(None, False), ("ghost", True), ("leap", True)]:
        passive = [gift(op("move_mode", mode=mode))] if mode else []
        state = {"dragonlings": {**wall, 6: (-1, -3)}, "owner": {4: 1, 5: 1, 6: 1}, "phase": "MOVE"}
        model = duel(((0, -4), [shot(), *passive]), ((3, 0), PLAIN), **state)
        assert (model.hex_id(0, -2) in model.options()) == reached
        assert model.hex_id(0, -3) not in model.options()


def test_arena_04_05_heroes_are_placed_from_the_first_player_to_the_left():
    heroes = ["bow_master", "rhino_guy", "valasca"]
    model = Model(reference(), heroes)
    model.deal(first=1)
    order = []
    while model.phase == "START":
        order.append((model.to_act(), len(model.options())))
        model.apply(model.options()[0])
    assert order == [(1, 6), (2, 5), (0, 4)]
    assert (model.phase, model.to_act(), model.positions[1]) == ("MOVE", 1, (0, -3))
    spread = Model(reference(start_choice="spread"), heroes)
    spread.deal(first=2, starts=[4, 0, 2])
    assert (spread.phase, spread.to_act(), spread.positions[0]) == ("MOVE", 2, (-3, 3))
    with pytest.raises(ValueError, match=r"starts=\[0, 1, 2\]"):
        spread.deal(first=2, starts=[0, 1, 2])


def test_arena_84_the_cap_stops_the_game_without_a_winner():
    model = duel(((0, 0), PLAIN), ((3, 0), PLAIN), rules={"turn_cap": 3}, turn=2)
    model.apply(PASS)
    assert (model.over(), model.capped(), model.winner(), model.places(), model.turn) == (True, True, None, [0, 0], 3)
    assert (model.phase, model.options(), model.to_act()) == ("OVER", [], -1)


def test_arena_81_the_last_hero_standing_wins_at_once():
    model = duel(((0, -3), [shot(op("move_after", max=2))]), ((0, -4), PLAIN), turn=7)
    model.apply(ability_code(0, 1), Scripted(hits=1))
    assert (model.over(), model.winner(), model.capped(), model.places(), model.turn) == (True, 0, False, [1, 2], 7)
