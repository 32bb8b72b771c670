"""ARENA-70 to 79 on the compiled kernels: what the effects of cards do."""

import pytest

from sim.engine.contract import NOTHING, ablation_of
from sim.games.arena import GAME
from tests.games.arena.builders import BLOCK, GUARD, HIT, MISS, OPEN, PLAIN, STOP, gift, op, shot, skill, table

SURE = (op("auto_hit", hits=1), op("no_defence_roll"))


def hook(k: int, *effects: dict) -> list[dict]:
    """A pull of k hexes without dice, and an attack that throws."""
    return [shot(op("pull"), *SURE, *effects, attack=0, range=8, knockback=[k, k, k]), shot()]


def test_arena_70_an_area_attack_meets_all_neighbours_clockwise_from_the_north():
    """One roll of 3; Defence rolls of the hero in the NE, its own dragonling in the S, the hero in the NW."""
    whirl = shot(op("area"), range=1)
    state = {"dragonlings": {4: (0, 1)}, "owner": {4: 0}, "rules": {"dragonling_defence": 2}}
    game = table(((0, 0), [whirl]), ((-1, 0), PLAIN), ((1, -1), PLAIN), ((3, 0), PLAIN), **state)
    assert game.targets_open(0) == [16]
    game.use(0, dice=(HIT, HIT, MISS, BLOCK, OPEN, BLOCK, OPEN))
    assert game.state["targets"][: game.state["target_count"]].tolist() == [2, 4, 1]
    assert [game.at(piece) for piece in (1, 2, 3, 4)] == [(-2, 0), (2, -2), (3, 0), (0, 2)]
    assert game.marker == [0, 2, 1, 0]
    assert table(((0, 0), [whirl]), ((0, -2), PLAIN)).targets_open(0) == []


def test_arena_70_rage_paid_once_counts_for_every_target():
    whirl = shot(op("area"), op("rage_spend", max=2, dice=0, knockback=1), *SURE, attack=0, range=1, knockback=[1, 1, 1])
    game = table(((0, 0), [whirl]), ((0, -1), PLAIN), ((0, 1), PLAIN), rage=[2, 0, 0])
    game.use(0).answer(2)
    assert ([game.at(1), game.at(2)], game.rage[0]) == ([(0, -4), (0, 4)], 0)


@pytest.mark.parametrize(("k", "end"), [(1, (0, -1)), (3, (0, 1)), (9, (0, 2))])
def test_arena_71_a_pull_draws_nearer_until_adjacent(k, end):
    assert table(((0, 3), hook(k)), ((0, -2), PLAIN)).use(0, 1).at(1) == end


def test_arena_71_a_pull_ends_before_a_piece_and_drops_into_a_hole():
    stopped = table(((0, 3), hook(9)), ((0, -2), PLAIN), ((0, 1), PLAIN)).use(0, 1)
    assert ([stopped.at(1), stopped.at(2)], stopped.state["collisions_caused"][0]) == ([(0, 0), (0, 1)], 0)
    wet = table(((0, 3), hook(9)), ((0, -2), PLAIN), ((3, 0), PLAIN), board="pit").use(0, 1)
    assert wet.falls == [(1, 0, 3, 0)]


def test_arena_71_a_pull_takes_the_longer_leg_first_and_asks_where_both_are_equal():
    """From 3 NW and 1 N: two steps SE, then both ways are equal; the owner chooses."""
    game = table(((0, 0), hook(3)), ((-3, -1), PLAIN)).use(0, 1)
    assert (game.phase, game.current_player, game.at(1), game.options()) == ("STEP", 1, (-1, -1), [2, 3])
    assert game.answer(3).at(1) == (-1, 0)


def test_arena_71_brace_does_not_act_and_an_adjacent_target_stays():
    brace = [*PLAIN, gift(op("brace", n=4))]
    assert table(((0, 3), hook(2)), ((0, -2), brace)).use(0, 1).at(1) == (0, 0)
    game = table(((0, 3), hook(2, op("slow", n=1))), ((0, 2), brace)).use(0, 1)
    assert (game.at(1), game.marker[1], game.slow[1]) == ((0, 2), 1, 1)


def test_arena_72_a_swap_happens_even_if_the_attack_fails_and_turns_the_push_round():
    trade = shot(op("swap"))
    missed = table(((3, 0), [trade]), ((1, 0), PLAIN)).use(0, 1, dice=(MISS, MISS, MISS, OPEN))
    assert [missed.at(0), missed.at(1)] == [(1, 0), (3, 0)]
    landed = table(((3, 0), [trade]), ((1, 0), PLAIN)).use(0, 1, dice=(HIT, MISS, MISS, OPEN))
    assert [landed.at(0), landed.at(1)] == [(1, 0), (4, 0)]


def test_arena_73_a_target_that_lost_nothing_shoves_an_adjacent_user():
    guard = [*PLAIN, gift(op("retaliate", push=2))]
    game = table(((0, 1), PLAIN), ((0, 0), guard), ((0, 2), PLAIN)).use(0, 1, dice=(HIT, MISS, MISS, BLOCK))
    # the shove of 2 runs into the third hero, which moves 1
    assert [game.at(seat) for seat in range(3)] == [(0, 1), (0, 0), (0, 3)]
    assert game.state["collisions_caused"].tolist() == [0, 1, 0, 0]
    hurt = table(((0, 1), [shot(knockback=[0, 0, 1])]), ((0, 0), guard)).use(0, 1, dice=(HIT, MISS, MISS, OPEN))
    assert hurt.at(0) == (0, 1)


@pytest.mark.parametrize(("user", "end"), [((0, 2), (0, 2)), ((0, 1), (0, 3))])
def test_arena_73_only_an_adjacent_user_is_shoved(user, end):
    guard = [*PLAIN, gift(op("retaliate", push=2))]
    assert table((user, PLAIN), ((0, 0), guard)).use(0, 1, dice=(MISS, MISS, MISS, OPEN)).at(0) == end


def test_arena_73_harmless_pushes_provoke_and_every_target_of_an_area_may_answer():
    whirl = shot(op("area"), *SURE, op("no_damage"), attack=0, range=1, knockback=[0, 0, 1])
    game = table(((0, 0), [whirl]), ((0, -1), GUARD), ((1, 0), GUARD)).use(0)
    # first one hex south, away from the hero in the north; (0, 1) still touches (1, 0), which pushes on to the south-west
    assert game.at(0) == (-1, 2)


def test_arena_74_protection_is_the_larger_of_both_and_recovery_stays_in_the_zone():
    rest = skill(op("self_defence", dice=2), op("recover", spaces=3))
    for before, after in [(0, 0), (1, 0), (2, 2), (3, 2), (5, 4)]:
        game = table(((0, 0), [rest]), ((3, 0), PLAIN), marker=[before, 0], protection=[1, 0]).use(0)
        assert (game.marker[0], game.protection[0]) == (after, 2)
    assert table(((0, 0), [rest]), ((3, 0), PLAIN), protection=[4, 0]).use(0).protection[0] == 4


def test_arena_75_rage_comes_up_to_the_cap_and_the_pool():
    cry = skill(op("rage_gain", n=2, when="use"))
    assert table(((0, 0), [cry]), ((3, 0), PLAIN), rage=[2, 0]).use(0).rage == [3, 0]
    assert table(((0, 0), [cry]), ((3, 0), PLAIN), rules={"tokens": 4}, rage=[0, 3]).use(0).rage == [1, 3]


def test_arena_75_rage_for_damage_once_an_attack_and_back_to_the_pool_with_a_fall():
    fury = [*PLAIN, gift(op("rage_gain", n=1, when="damaged"))]
    game = table(((0, 0), PLAIN), ((0, -1), fury)).use(0, 1, dice=(HIT, HIT, HIT, OPEN))
    assert (game.rage, game.pool) == ([0, 1], 11)
    fallen = table(((0, -3), PLAIN), ((0, -4), fury), ((3, 0), PLAIN), rage=[0, 3, 0])
    fallen.use(0, 1, dice=(HIT, HIT, HIT, OPEN))
    assert (fallen.rage, fallen.pool) == ([0, 0, 0], 12)


@pytest.mark.parametrize(("per", "most", "dice"), [(1, 3, 2), (2, 3, 3), (1, 1, 1)])
def test_arena_76_own_dragonlings_beside_the_target_add_dice(per, most, dice):
    """Two of the user's stand beside the target, one of the other's does, one of the user's stands apart."""
    brood = {"dragonlings": {4: (0, -1), 5: (1, -2), 6: (-1, -2), 7: (3, 0)}, "owner": {4: 0, 5: 0, 6: 1, 7: 0}}
    hatcher = [shot(knockback=[0, 0, 1]), gift(op("ally_dice", per=per, max=most))]
    game = table(((0, 0), hatcher), ((0, -2), PLAIN, {"energy": [6, 6, 6]}), **brood)
    game.use(0, 1, dice=(HIT,) * (3 + dice) + (OPEN,))
    assert game.marker[1] == 3 + dice


def test_arena_76_not_for_the_target_itself_and_not_for_an_area():
    brood = {"dragonlings": {4: (0, -1), 5: (1, -1)}, "owner": {4: 0, 5: 0}}
    user = [shot(), shot(op("area"), range=1), gift(op("ally_dice", per=1, max=3))]
    aimed = table(((0, 0), user), ((3, 0), PLAIN), **brood).use(0, 4, dice=(MISS,) * 4)
    assert aimed.at(4) == (0, -1)
    around = table(((0, 0), user), ((3, 0), PLAIN), **brood).use(1, dice=(MISS,) * 3)
    assert around.phase == "MOVE"


def test_arena_77_the_first_dragonling_must_be_placed_the_others_may():
    nest = skill(op("summon", count=3, range=1))
    game = table(((0, 0), [nest]), ((0, -1), PLAIN)).use(0)
    assert (game.places_open(), STOP in game.options()) == ({(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)}, False)
    game.go(0, 1)
    assert (len(game.places_open()), STOP in game.options()) == (4, True)
    game.answer(STOP)
    assert (game.phase, game.current_player, game.positions[4], game.owner[4], game.pool) == ("MOVE", 1, (0, 1), 0, 11)


@pytest.mark.parametrize(("tokens", "cap", "placed"), [(12, 3, 3), (12, 1, 1), (2, 3, 2), (12, 12, 4)])
def test_arena_77_placing_ends_with_the_count_the_cap_or_the_pool(tokens, cap, placed):
    nest = skill(op("summon", count=4, range=2))
    game = table(((0, 0), [nest], {"dragonling_cap": cap}), ((3, 0), PLAIN), rules={"tokens": tokens}).use(0)
    while game.phase == "SUMMON":
        game.answer(game.options()[0])
    assert game.state["summoned"][0] == placed
    assert game.pool == tokens - placed


def test_arena_78_slow_is_the_larger_of_both_and_acts_on_the_next_turn():
    mud = shot(op("slow", n=1), knockback=[0, 0, 1])
    for before, after in [(0, 1), (2, 2)]:
        game = table(((0, 0), [mud]), ((0, -2), PLAIN), slow=[0, before]).use(0, 1, dice=(HIT, MISS, MISS, OPEN))
        assert (game.slow[1], game.current_player) == (after, 1)
        assert len(game.places_open()) == {1: 7, 2: 1}[after]
        assert game.stay().pass_on().slow == [0, 0]


def test_arena_78_dragonlings_are_not_slowed():
    mud = shot(op("slow", n=1))
    game = table(((0, 0), [mud]), ((3, 0), PLAIN), dragonlings={4: (0, -1)}, owner={4: 1}).use(0, 4, dice=(HIT,) * 3)
    assert game.slow == [0, 0]


def test_arena_79_rage_is_paid_before_the_roll_and_adds_dice_and_hexes():
    rush = shot(op("rage_spend", max=2, dice=1, knockback=1), range=1, attack=1)
    game = table(((0, 3), [rush]), ((0, 2), PLAIN), rage=[3, 0]).use(0, 1)
    assert (game.phase, game.options()) == ("RAGE", [0, 1, 2])
    game.answer(2, dice=(HIT, HIT, MISS, OPEN))
    assert (game.rage[0], game.pool, game.at(1), game.marker[1]) == (1, 11, (0, -1), 2)
    poor = table(((0, 3), [rush]), ((0, 2), PLAIN), rage=[1, 0]).use(0, 1)
    assert poor.options() == [0, 1]
    none = table(((0, 3), [rush]), ((0, 2), PLAIN)).use(0, 1, dice=(HIT, OPEN))
    assert none.at(1) == (0, 1)


def test_arena_79_rage_paid_for_one_attack_adds_nothing_to_the_next():
    rush = shot(op("rage_spend", max=2, dice=1, knockback=1), range=1, attack=1)
    game = table(((0, 3), [rush]), ((0, 2), PLAIN), rage=[2, 0]).use(0, 1)
    game.answer(2, dice=(MISS, MISS, MISS, OPEN)).stay().pass_on().stay().use(0, 1, dice=(HIT, OPEN))
    assert game.at(1) == (0, 1)


@pytest.mark.slow
def test_arena_77_only_dragonlings_after_the_first_are_optional():
    game = table(((0, 0), [skill(op("summon", count=2, range=1))]), ((0, 3), PLAIN)).use(0)
    optional = GAME.ablatable(game.cards).index("rule.further_dragonlings")
    for thing in (NOTHING, optional):
        assert (game.phase, ablation_of(game.state, game.cards.record[0], game.options()[0])) == ("SUMMON", thing)
        game.answer(game.options()[0])
