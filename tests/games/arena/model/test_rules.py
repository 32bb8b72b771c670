"""Where the rules are subtle: decisions, turns, attacks, pushes, effects and the end of the plain model, with made-up heroes."""

import pytest

from tests.games.arena.builders import GUARD, PLAIN, duel, gift, op, reference, shot, skill
from tests.games.arena.model.board import way
from tests.games.arena.model.model import PASS, Model, Scripted, ability_code


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
    assert (model.phase, model.current_player(), len(model.options())) == ("MOVE", 1, 7)
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
    assert (model.current_player(), model.protection[0]) == (0, 0)


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
        order.append((model.current_player(), len(model.options())))
        model.apply(model.options()[0])
    assert order == [(1, 6), (2, 5), (0, 4)]
    assert (model.phase, model.current_player(), model.positions[1]) == ("MOVE", 1, (0, -3))
    spread = Model(reference(start_choice="spread"), heroes)
    spread.deal(first=2, starts=[4, 0, 2])
    assert (spread.phase, spread.current_player(), spread.positions[0]) == ("MOVE", 2, (-3, 3))
    with pytest.raises(ValueError, match=r"starts=\[0, 1, 2\]"):
        spread.deal(first=2, starts=[0, 1, 2])


def test_arena_84_the_cap_stops_the_game_without_a_winner():
    model = duel(((0, 0), PLAIN), ((3, 0), PLAIN), rules={"turn_cap": 3}, turn=2)
    model.apply(PASS)
    assert (model.over(), model.truncated(), model.winner(), model.places(), model.turn) == (True, True, None, [0, 0], 3)
    assert (model.phase, model.options(), model.current_player()) == ("OVER", [], -1)


def test_arena_81_the_last_hero_standing_wins_at_once():
    model = duel(((0, -3), [shot(op("move_after", max=2))]), ((0, -4), PLAIN), turn=7)
    model.apply(ability_code(0, 1), Scripted(hits=1))
    assert (model.over(), model.winner(), model.truncated(), model.places(), model.turn) == (True, 0, False, [1, 2], 7)


@pytest.mark.parametrize(
    ("target", "expected"), [((0, -3), (0, 1, 3, 0)), ((2, -1), (1, 2, 1, 1)), ((-1, -2), (0, 5, 2, 1)), ((-1, -1), (5, 0, 1, 1))]
)
def test_arena_50_the_way_is_unique_and_equal_parts_start_clockwise(target, expected):
    assert way((0, 0), target) == expected


@pytest.mark.parametrize(
    ("rule", "hits", "end", "marker"),
    [("net_hit", 1, (0, -1), 0), ("any_hit", 1, (0, -2), 0), ("any_hit", 0, (0, -1), 0), ("always", 0, (0, -2), 0)],
)
def test_arena_42_the_trigger_governs_displacement_only(rule, hits, end, marker):
    model = duel(((0, 0), [shot(op("slow", n=1))]), ((0, -1), PLAIN), rules={"knockback_trigger": rule})
    model.attack(0, 0, 1, hits=hits, blocks=[1])
    assert (model.positions[1], model.marker[1], model.slow[1]) == (end, marker, 0)


def test_arena_43_an_entry_of_0_stays_0_with_rage_damage_and_brace():
    archer = [shot(op("rage_spend", max=3, dice=0, knockback=3), knockback=[0, 0, 0])]
    brace = [shot(), gift(op("brace", n=1))]
    model = duel(((0, 0), archer), ((0, -1), brace), rules={"knockback_plus_damage": True}, rage=[3, 0])
    model.attack(0, 0, 1, hits=3, rage=3)
    assert model.positions[1] == (0, -1)


def test_arena_45_brace_is_at_least_1_and_acts_for_the_target_not_for_the_struck():
    brace = [shot(), gift(op("brace", n=4))]
    model = duel(((0, 3), [shot(knockback=[3, 3, 3])]), ((0, 2), brace), ((0, 1), brace))
    model.attack(0, 0, 1, hits=1)
    assert [model.positions[1], model.positions[2]] == [(0, 2), (0, 0)]
    model = duel(((0, 3), [shot(knockback=[3, 3, 3])]), ((0, 2), PLAIN), ((0, 1), brace))
    model.attack(0, 0, 1, hits=1)
    assert model.positions[2] == (0, -1)


def test_arena_47_75_damage_at_the_end_of_the_track_is_still_dealt_and_feeds_rage():
    fury = [shot(), gift(op("rage_gain", n=1, when="damaged"), op("retaliate", push=1))]
    model = duel(((0, 2), [shot(knockback=[0, 0, 0])]), ((0, 1), fury), marker=[0, 5])
    model.attack(0, 0, 1, hits=2)
    assert (model.marker[1], model.rage[1], model.positions[0]) == (5, 1, (0, 2))


def test_arena_46_a_target_that_fell_gains_and_loses_nothing():
    fury = [shot(), gift(op("rage_gain", n=1, when="damaged"))]
    model = duel(((0, -3), [shot(op("slow", n=1))]), ((0, -4), fury), ((3, 0), PLAIN))
    falls = model.attack(0, 0, 1, hits=2)
    assert [tuple(fall) for fall in falls] == [(1, 0, 1, 0)]
    assert (model.marker[1], model.rage[1], model.slow[1], model.place) == (0, 0, 0, [0, 3, 0])


@pytest.mark.parametrize(("rule", "asked_at"), [("each_step", (0, -2)), ("end_only", (0, 0))])
def test_arena_54_end_only_lets_the_first_step_go_aside(rule, asked_at):
    model = duel(((1, 2), [shot(knockback=[3, 3, 3])]), ((0, 0), PLAIN), rules={"offline_path": rule})
    model.apply(ability_code(0, 1), Scripted(hits=1))
    assert (model.phase, model.positions[1], model.options()) == ("STEP", asked_at, [0, 5])
    model.apply(5)
    assert (model.phase, model.positions[1]) == ("MOVE", (-1, -2))


def test_arena_55_the_owner_of_the_piece_chooses_or_the_attacker():
    for chooser, seat in [("defender", 1), ("attacker", 0)]:
        model = duel(((2, -1), PLAIN), ((0, 0), PLAIN), rules={"offline_chooser": chooser})
        model.apply(ability_code(0, 1), Scripted(hits=1))
        assert (model.phase, model.current_player(), model.options()) == ("STEP", seat, [4, 5])


@pytest.mark.parametrize(("others", "asked"), [([], True), ([(-1, 0)], False), ([(-1, 0), (-1, 1)], True)])
def test_arena_56_free_before_occupied_and_two_alike_are_asked(others, asked):
    model = duel(((2, -1), PLAIN), ((0, 0), PLAIN), *[(place, PLAIN) for place in others])
    model.apply(ability_code(0, 1), Scripted(hits=1))
    assert (model.phase == "STEP") == asked
    if not asked:
        assert model.positions[1] == (-1, 1)


def test_arena_56_two_water_steps_are_not_asked():
    model = duel(((-2, -1), PLAIN), ((-4, 0), PLAIN), ((3, 0), PLAIN))
    assert way((-2, -1), (-4, 0))[2:] == (1, 1)
    model.apply(ability_code(0, 1), Scripted(hits=1))
    assert (model.phase, 1 in model.positions) == ("MOVE", False)


def test_arena_57_the_struck_piece_goes_on_in_the_direction_of_the_blocked_step():
    model = duel(((2, -1), [shot(knockback=[3, 3, 3])]), ((0, 0), PLAIN), ((-1, 0), PLAIN), ((-1, 1), PLAIN))
    model.attack(0, 0, 1, hits=1, choose=max)
    assert [model.positions[seat] for seat in (1, 2, 3)] == [(0, 0), (-3, 0), (-1, 1)]


def test_arena_70_area_rolls_defence_in_clockwise_order_for_own_dragonlings_too():
    whirl = [shot(op("area"), range=1)]
    state = {"dragonlings": {4: (0, 1)}, "owner": {4: 0}, "rules": {"dragonling_defence": 2}}
    model = duel(((0, 0), whirl), ((-1, 0), PLAIN), ((1, -1), PLAIN), **state)
    rolled = []

    class Dice(Scripted):
        def blocks(self, owner, n):
            rolled.append((owner, n))
            return 0

    model.apply(ability_code(0), Dice(hits=1))
    assert rolled == [(2, 1), (0, 2), (1, 1)]
    assert model.positions == {0: (0, 0), 1: (-2, 0), 2: (2, -2), 4: (0, 2)}


def test_arena_71_a_pull_stops_before_a_piece_and_next_to_the_user_and_drops_into_a_hole():
    hook = [shot(op("pull"), range=8, knockback=[9, 9, 9])]
    model = duel(((0, 3), hook), ((0, -2), PLAIN))
    model.attack(0, 0, 1, hits=1)
    assert model.positions[1] == (0, 2)
    model = duel(((0, 3), hook), ((0, -2), PLAIN), ((0, 1), PLAIN))
    model.attack(0, 0, 1, hits=1)
    assert model.positions[1] == (0, 0)
    model = duel(((0, 3), hook), ((0, -2), PLAIN), ((3, 0), PLAIN), board="pit")
    assert [tuple(fall) for fall in model.attack(0, 0, 1, hits=1)] == [(1, 0, 3, 0)]


def test_arena_72_swap_happens_even_if_the_attack_fails():
    model = duel(((3, 0), [shot(op("swap"))]), ((1, 0), PLAIN))
    model.attack(0, 0, 1, hits=0)
    assert [model.positions[0], model.positions[1]] == [(1, 0), (3, 0)]


def test_arena_73_no_damage_provokes_but_only_from_an_adjacent_hex():
    push = shot(op("auto_hit", hits=1), op("no_damage"), attack=0)
    model = duel(((0, 0), [push]), ((0, -1), GUARD))
    model.attack(0, 0, 1)
    assert [model.positions[0], model.positions[1]] == [(0, 0), (0, -2)]
    model = duel(((0, 0), [push]), ((0, -1), GUARD), ((0, -2), PLAIN))
    model.attack(0, 0, 1)
    assert [model.positions[s] for s in (0, 1, 2)] == [(0, 1), (0, -1), (0, -3)]


def test_arena_15_83_85_a_user_shoved_into_the_water_ends_its_turn_without_moving_after():
    model = duel(((0, 4), [shot(op("move_after", max=2))]), ((0, 3), GUARD), ((3, 0), PLAIN), slow=[0, 0, 1])
    model.apply(ability_code(0, 1), Scripted(hits=1, blocks=[1]))
    assert [tuple(fall) for fall in model.falls] == [(0, 0, 4, 1)]
    assert (model.phase, model.current_player(), model.turn, model.place) == ("MOVE", 1, 1, [3, 0, 0])


def test_arena_82_heroes_that_fall_in_one_ability_share_a_place():
    whirl = [shot(op("area"), range=1, knockback=[5, 5, 5])]
    model = duel(((0, 0), whirl), ((1, 0), PLAIN), ((-1, 0), PLAIN), ((3, -3), PLAIN))
    model.apply(ability_code(0), Scripted(hits=3))
    assert model.place == [0, 3, 3, 0]


def test_arena_64_75_tokens_of_a_fallen_hero_come_back_only_after_the_attack():
    whirl = [shot(op("area"), op("rage_gain", n=3, when="hit"), range=1, knockback=[9, 9, 9])]
    state = {"rage": [0, 3, 0], "dragonlings": {7: (0, -1)}, "owner": {7: 1}, "rules": {"tokens": 4}}
    model = duel(((0, 0), whirl), ((1, 0), PLAIN), ((0, -4), PLAIN), **state)
    falls = model.attack(0, 0, hits=1, blocks=[0, 0])
    # the dragonling throws the third hero off and stays, so at step (h) the pool is still empty
    assert [tuple(fall) for fall in falls] == [(2, 0, 2, 0), (1, 0, 1, 0)]
    assert (model.rage, model.pool(), model.positions) == ([0, 0, 0], 4, {0: (0, 0)})


def test_arena_76_helpers_stand_next_to_the_target_and_are_not_the_target():
    brood = {"dragonlings": {4: (0, -1), 5: (1, -2), 6: (3, 0)}, "owner": {4: 0, 5: 0, 6: 0}}
    hatcher = [shot(), gift(op("ally_dice", per=2, max=3))]
    for target, dice in [(1, 3 + 3), (4, 3 + 2)]:
        model = duel(((0, 0), hatcher), ((0, -2), PLAIN), **brood)
        asked = []

        class Dice(Scripted):
            def hits(self, _seat, n, asked=asked):
                asked.append(n)
                return 0

        model.apply(ability_code(0, target), Dice())
        assert asked == [dice]
