"""ARENA-30 to 38 and 40 to 48 on the compiled kernels: using an ability, dice, knockback numbers, damage."""

import pytest

from tests.games.arena.builders import BLOCK, HIT, MISS, OPEN, PLAIN, gift, op, shot, skill, table

MELEE = shot(range=1)
THREE_HITS = (HIT, HIT, HIT)


def test_arena_30_any_ability_with_its_target_as_one_decision_and_again_next_turn():
    user = [MELEE, shot(range=3), skill(op("self_defence", dice=1))]
    game = table(((0, 0), user), ((0, -1), PLAIN, {"defence": 0}), ((0, 3), PLAIN))
    for _ in range(2):
        assert [game.targets_open(ability) for ability in range(3)] == [[1], [1, 2], [16]]
        game.use(2)
        game.stay().pass_on().stay().pass_on().stay()


def test_arena_31_move_swap_own_effects_rage_then_the_roll():
    """The rage of `use` can be paid at once; the swap exchanges the hex reached by the step before."""
    everything = shot(
        op("move_before", min=1, max=1),
        op("swap"),
        op("rage_gain", n=2, when="use"),
        op("rage_spend", max=3, dice=1, knockback=0),
        op("rage_gain", n=1, when="hit"),
    )
    game = table(((0, 3), [everything]), ((0, 0), PLAIN, {"defence": 0}))
    game.use(0, 1)
    assert game.phase == "PRE_MOVE"
    game.go(0, 2)
    assert (game.at(0), game.at(1)) == ((0, 0), (0, 2))
    assert (game.phase, game.options()) == ("RAGE", [0, 1, 2])
    game.answer(2, dice=(HIT, MISS, MISS, MISS, MISS))
    assert (game.at(1), game.marker[1], game.rage[0]) == ((0, 3), 1, 1)


def test_arena_31_a_utility_ends_the_turn_after_its_own_effects():
    game = table(((0, 0), [skill(op("recover", spaces=1)), gift(op("move_after", max=2))]), ((0, -1), PLAIN))
    assert (game.use(0).phase, game.current_player) == ("MOVE", 1)


def test_arena_32_range_counts_over_pieces_holes_and_water():
    game = table(((0, 2), [shot(range=4)]), ((0, -2), PLAIN), ((0, 1), PLAIN), ((0, -3), PLAIN), board="pit")
    assert game.targets_open(0) == [1, 2]


@pytest.mark.parametrize("board", ["standard", "large"])  # boards of one word, and the general way
def test_arena_33_any_other_piece_is_a_target_the_user_is_not(board):
    brood = {"dragonlings": {4: (0, 1), 5: (1, 0), 6: (0, 4)}, "owner": {4: 0, 5: 1, 6: 1}}
    game = table(((0, 0), [shot(range=3)]), ((0, -1), PLAIN), board=board, **brood)
    assert game.targets_open(0) == [1, 4, 5]
    game.use(0, 4, dice=(HIT, MISS, MISS))
    assert (game.at(4), game.marker) == ((0, 2), [0, 0])


def test_arena_34_the_step_before_leads_to_where_the_target_is_in_range():
    charge = shot(op("move_before", min=2, max=3), range=1, knockback=[1, 1, 1])
    game = table(((0, 0), [charge]), ((0, -3), PLAIN))
    game.use(0, 1)
    assert game.places_open() == {(0, -2), (1, -3), (-1, -2)}
    game.go(1, -3, dice=(HIT, MISS, MISS, OPEN))
    assert game.at(1) == (-1, -3)  # away from the hex that the user stepped to


def test_arena_35_a_utility_needs_no_effect_but_a_summon_needs_a_placement():
    helper = [skill(op("recover", spaces=2)), skill(op("summon", count=1, range=1))]
    assert [table(((0, 0), helper), ((3, 0), PLAIN)).targets_open(a) for a in (0, 1)] == [[16], [16]]
    game = table(((0, 0), helper), ((3, 0), PLAIN), rules={"tokens": 0})
    assert [game.targets_open(a) for a in (0, 1)] == [[16], []]
    ring = {4 + i: place for i, place in enumerate([(0, -3), (1, -4), (-1, -3)])}
    game = table(((0, -4), helper, {"dragonling_cap": 4}), ((3, 0), PLAIN), dragonlings=ring, owner=dict.fromkeys(ring, 0))
    assert game.targets_open(1) == []


def test_arena_36_without_a_hex_to_step_to_the_attack_is_not_open():
    charge = shot(op("move_before", min=1, max=1), range=1)
    assert table(((0, 0), [charge]), ((0, -2), PLAIN)).targets_open(0) == [1]
    assert table(((0, 0), [charge]), ((0, -3), PLAIN)).targets_open(0) == []
    game = table(((0, 0), [charge]), ((0, -2), PLAIN), dragonlings={4: (0, -1)}, owner={4: 0})
    assert game.targets_open(0) == [4]


@pytest.mark.parametrize(("card", "passive", "hexes"), [(1, 0, 7), (0, 2, 19), (1, 2, 19), (2, 1, 19)])
def test_arena_38_after_an_attack_the_larger_of_card_and_passive(card, passive, hexes):
    attack = shot(*[op("move_after", max=card)] * (card > 0), range=4)
    user = [attack, *[gift(op("move_after", max=passive))] * (passive > 0)]
    game = table(((0, 0), user), ((0, -4), PLAIN, {"defence": 0}))
    game.use(0, 1, dice=(MISS, MISS, MISS))
    assert (game.phase, len(game.places_open())) == ("POST_MOVE", hexes)
    assert game.stay().current_player == 1


def test_arena_38_no_move_after_the_end_of_the_game():
    game = table(((0, -3), [shot(op("move_after", max=2))]), ((0, -4), PLAIN, {"defence": 0}))
    assert game.use(0, 1, dice=(HIT, MISS, MISS)).phase == "OVER"


def test_arena_40_attack_dice_and_defence_dice():
    """3 printed, 2 rage at 1 die each, 1 dragonling; Defence 1 and protection 2: the table counts the dice laid out."""
    user = [shot(op("rage_spend", max=2, dice=1, knockback=0), knockback=[0, 0, 1]), gift(op("ally_dice", per=1, max=3))]
    state = {"rage": [2, 0], "protection": [0, 2], "dragonlings": {4: (1, -2)}, "owner": {4: 0}}
    game = table(((0, 0), user), ((0, -2), PLAIN), **state)
    game.use(0, 1).answer(2, dice=(HIT, HIT, HIT, HIT, MISS, MISS, BLOCK, BLOCK, OPEN))
    assert game.marker[1] == 4 - 2


@pytest.mark.parametrize("dice", [0, 2])
def test_arena_40_a_dragonling_defends_by_the_rules_not_by_its_owner(dice):
    brood = {"dragonlings": {4: (0, -1)}, "owner": {4: 1}, "protection": [0, 2]}
    game = table(((0, 0), PLAIN), ((3, 0), PLAIN), rules={"dragonling_defence": dice}, **brood)
    game.use(0, 4, dice=(HIT, MISS, MISS, *[BLOCK] * dice))
    assert game.at(4) == ((0, -1) if dice else (0, -2))


@pytest.mark.parametrize(("hit", "block", "damage"), [(3, 3, 2), (2, 3, 1), (3, 2, 2), (3, 4, 1), (1, 1, 0), (5, 5, 2)])
def test_arena_40_the_highest_faces_hit_and_block(hit, block, damage):
    still = shot(knockback=[0, 0, 1])
    game = table(((0, 0), [still]), ((0, -1), PLAIN), rules={"hit_faces": hit, "block_faces": block})
    game.use(0, 1, dice=(5, 4, 2, 3))
    assert game.marker[1] == damage


def test_arena_41_auto_hit_rolls_no_attack_and_no_defence_roll_no_defence():
    sure = shot(op("auto_hit", hits=2), attack=0)
    assert table(((0, 0), [sure]), ((0, -1), PLAIN)).use(0, 1, dice=(BLOCK,)).marker[1] == 1
    open_shot = shot(op("no_defence_roll"))
    assert table(((0, 0), [open_shot]), ((0, -1), PLAIN)).use(0, 1, dice=(HIT, HIT, MISS)).marker[1] == 2
    both = shot(op("auto_hit", hits=2), op("no_defence_roll"), attack=0)
    assert table(((0, 0), [both]), ((0, -1), PLAIN)).use(0, 1).marker[1] == 2


@pytest.mark.parametrize(
    ("rule", "dice", "moves"),
    [
        ("net_hit", (HIT, MISS, MISS, BLOCK), 0),
        ("net_hit", (HIT, HIT, MISS, BLOCK), 1),
        ("any_hit", (HIT, MISS, MISS, BLOCK), 1),
        ("any_hit", (MISS, MISS, MISS, OPEN), 0),
        ("always", (MISS, MISS, MISS, BLOCK), 1),
    ],
)
def test_arena_42_what_displaces_the_target(rule, dice, moves):
    game = table(((0, 0), PLAIN), ((0, -1), PLAIN), rules={"knockback_trigger": rule})
    assert game.use(0, 1, dice=dice).at(1) == (0, -1 - moves)


def test_arena_43_an_entry_of_0_stays_0():
    archer = shot(op("rage_spend", max=3, dice=0, knockback=3), knockback=[0, 0, 9])
    brace = [*PLAIN, gift(op("brace", n=1))]
    for rule in ("net_hit", "always"):
        rules = {"knockback_plus_damage": True, "knockback_trigger": rule}
        game = table(((0, 0), [archer]), ((0, -1), brace), rules=rules, rage=[3, 0])
        game.use(0, 1).answer(3, dice=(*THREE_HITS, OPEN))
        assert (game.at(1), game.marker[1]) == ((0, -1), 3)


@pytest.mark.parametrize(("marker", "hexes"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 4), (5, 4)])
def test_arena_44_the_entry_is_that_of_the_zone_before_the_damage(marker, hexes):
    game = table(((0, 3), [shot(knockback=[1, 2, 4])]), ((0, 2), PLAIN), marker=[0, marker])
    assert game.use(0, 1, dice=(HIT, HIT, MISS, OPEN)).at(1) == (0, 2 - hexes)


def test_arena_44_a_dragonling_is_green_whatever_its_owner():
    game = table(((0, 3), PLAIN), ((3, 0), PLAIN), dragonlings={4: (0, 2)}, owner={4: 1}, marker=[5, 5])
    assert game.use(0, 4, dice=THREE_HITS).at(4) == (0, 1)


@pytest.mark.parametrize(
    ("plus_damage", "paid", "brace", "hexes"),
    [(False, 0, 0, 2), (False, 2, 0, 4), (True, 1, 0, 5), (True, 2, 3, 3), (False, 0, 4, 1)],
)
def test_arena_45_rage_and_damage_add_to_the_knockback_and_brace_takes_off(plus_damage, paid, brace, hexes):
    throw = shot(op("rage_spend", max=3, dice=0, knockback=1), knockback=[2, 2, 2])
    target = [*PLAIN, *[gift(op("brace", n=brace))] * (brace > 0)]
    game = table(((0, 4), [throw]), ((0, 3), target), rules={"knockback_plus_damage": plus_damage}, rage=[3, 0])
    game.use(0, 1).answer(paid, dice=(HIT, HIT, MISS, OPEN))
    assert game.at(1) == (0, 3 - hexes)


def test_arena_45_a_pull_is_by_its_entry_alone():
    hook = shot(op("pull"), op("rage_spend", max=3, dice=1, knockback=0), range=6, attack=1, knockback=[2, 2, 2])
    brace = [*PLAIN, gift(op("brace", n=1))]
    game = table(((0, 3), [hook, shot()]), ((0, -3), brace), rules={"knockback_plus_damage": True}, rage=[2, 0])
    game.use(0, 1).answer(2, dice=(*THREE_HITS, OPEN))
    assert game.at(1) == (0, -1)


def test_arena_46_damage_is_the_net_hits_up_to_the_last_red_space():
    still = shot(knockback=[0, 0, 0])
    for before, after in [(0, 2), (3, 5), (4, 5), (5, 5)]:
        game = table(((0, 0), [still, shot()]), ((0, -1), PLAIN), marker=[0, before])
        assert game.use(0, 1, dice=(*THREE_HITS, BLOCK)).marker[1] == after


def test_arena_46_a_target_that_fell_loses_and_gains_nothing():
    fury = [*PLAIN, gift(op("rage_gain", n=2, when="damaged"))]
    game = table(((0, -3), [shot(op("slow", n=1))]), ((0, -4), fury, {"defence": 0}), ((3, 0), PLAIN))
    game.use(0, 1, dice=THREE_HITS)
    assert (game.at(1), game.marker[1], game.rage[1], game.state["damage_taken"][1]) == (None, 0, 0, 0)


def test_arena_47_no_damage_for_dragonlings_and_by_harmless_attacks():
    harmless = shot(op("no_damage"))
    game = table(((0, 0), [harmless]), ((0, -1), PLAIN)).use(0, 1, dice=(*THREE_HITS, OPEN))
    assert (game.at(1), game.marker[1]) == ((0, -2), 0)
    game = table(((0, 0), PLAIN), ((3, 0), PLAIN), dragonlings={4: (0, -1)}, owner={4: 1}).use(0, 4, dice=THREE_HITS)
    assert (game.marker, game.state["damage_dealt"].sum()) == ([0, 0], 0)


def test_arena_47_damage_at_the_end_of_the_track_is_dealt_and_no_track_removes_a_hero():
    fury = [*PLAIN, gift(op("rage_gain", n=1, when="damaged"), op("retaliate", push=1))]
    game = table(((0, 0), [shot(knockback=[0, 0, 0]), shot()]), ((0, -1), fury), marker=[0, 5])
    game.use(0, 1, dice=(*THREE_HITS, OPEN))
    assert (game.at(1), game.marker[1], game.rage[1], game.state["damage_taken"][1]) == ((0, -1), 5, 1, 3)
    assert game.at(0) == (0, 0)  # dealt damage, so no retaliation


def test_arena_48_without_a_net_hit_no_damage_no_slow_no_rage():
    fine = shot(op("slow", n=2), op("rage_gain", n=1, when="hit"))
    missed = table(((0, 0), [fine]), ((0, -1), PLAIN), rules={"knockback_trigger": "always"})
    missed.use(0, 1, dice=(HIT, MISS, MISS, BLOCK))
    assert (missed.at(1), missed.marker[1], missed.slow[1], missed.rage[0]) == ((0, -2), 0, 0, 0)
    landed = table(((0, 0), [fine]), ((0, -1), PLAIN)).use(0, 1, dice=(HIT, MISS, MISS, OPEN))
    assert (landed.marker[1], landed.slow[1], landed.rage[0]) == (1, 2, 1)


def test_arena_31_the_push_comes_before_the_damage():
    """The target leaves green by this very attack and is still thrown by its green number."""
    game = table(((0, 1), [shot(range=1, knockback=[1, 3, 3])]), ((0, 0), PLAIN), marker=[0, 1])
    game.use(0, 1, dice=(HIT, HIT, MISS, OPEN))
    assert (game.at(1), game.marker[1]) == ((0, -1), 3)
