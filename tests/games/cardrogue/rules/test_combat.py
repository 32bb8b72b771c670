"""ROGUE-40 to 56, 59, 60 in a game: entering combat, its turn, slaying, several enemies, several players."""

import pytest

from tests.games.cardrogue.positions import (
    ASIDE,
    BARE,
    CROSS,
    EAST,
    FAR,
    GROUND,
    MIDDLE,
    NORTH,
    OTHER,
    SOUTH,
    WEST,
    Play,
    a,
    an_enemy,
    around,
    hero,
    table,
)


def test_rogue_40_who_joins_comes_to_the_end_of_the_order_of_entry():
    game = around(10, 8, 8)
    orders = [game.enemy(NORTH)["order"]]
    game.do("attack north", dice=[1])
    orders.append(game.enemy(NORTH)["order"])
    game.do("attack west", dice=[1])
    orders.append(game.enemy(NORTH)["order"])
    assert orders == [[0], [0, 1], [0, 1, 2]]


def test_rogue_40_who_comes_back_after_a_flight_is_last():
    game = around(10, 10, enemies=[an_enemy("kobold", order=[0, 1])])
    game.do("flee", "flee south", dice=[4])
    assert game.enemy(NORTH)["order"] == [1]
    game.do("attack west", dice=[1])
    game.do("pass", "move north")
    assert game.enemy(NORTH)["order"] == [1, 0]


def test_rogue_40_a_combat_begun_in_a_turn_starts_with_its_combat_turn_in_that_turn():
    flipped = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "?"} | ASIDE).do("flip north", draws=["imp"])
    walked = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "Pf", "7,12": "E:imp"} | ASIDE).do("move north")
    for game in (flipped, walked):
        assert (game.position["step"], game.current_player) == ("fight", 0)
        game.do("attack north", dice=[2, 1])
        assert (game.current_player, game.health()) == (1, 9)


def resumed(game: Play) -> Play:
    """Seat 0 slays what lies in the north."""
    return game.do("attack north", dice=[6], draws=["four_way"])


def test_rogue_40_60_after_an_enemy_that_was_flipped_comes_step_2_with_its_move():
    game = table(a("rogue"), OTHER, map={"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE)
    resumed(game.do("flip north", draws=["cave_bat"]))
    assert (game.position["step"], game.options) == ("move", ["pass", "move"])
    assert game.do("move north").at(0) == NORTH


def test_rogue_40_60_after_an_enemy_one_walked_up_to_comes_step_4():
    cells = {"5,12": "Pf", "6,12": "Pf", "6,13": "Pf"} | ASIDE
    game = table(a("rogue"), a("bard", (6, 13)), map=cells | {"7,12": "E:cave_bat"})
    game.do("move north", "attack north", dice=[6], draws=["straight"])
    # cards are laid, no player is tripped
    assert (game.current_player, game.at(0), game.map["6,11"]) == (1, NORTH, "?")


def test_rogue_40_60_after_an_enemy_that_was_there_at_the_start_comes_step_4():
    game = resumed(table(a("rogue"), OTHER, map={"5,12": "Pf"} | ASIDE, enemies=[an_enemy("cave_bat")]))
    assert (game.current_player, [game.map[cell] for cell in ("5,13", "4,12", "5,11")]) == (1, ["?"] * 3)


def test_rogue_60_with_the_other_reading_the_turn_goes_on_with_step_1():
    cells = {"5,12": "Pf", "6,12": "?", "5,13": "?"} | ASIDE
    game = table(a("rogue"), OTHER, map=cells, rules={"resume_after_flip": "flip"})
    resumed(game.do("flip north", draws=["cave_bat"]))
    assert (game.position["step"], game.options) == ("flip", ["pass", "flip"])


def test_rogue_40_combat_ends_when_a_tile_turned_up_walls_the_two_off():
    """The fountain under the player drains and is replaced by a tile closed towards the enemy in the north."""
    cells = {"5,12": "F", "5,11": "Pf", "5,13": "Pf"} | ASIDE
    game = table(OTHER, a("rogue", heading="east"), map=cells, enemies=[an_enemy("goblin", health=3, order=[1])])
    game.end_turn(dice=[6], draws=["straight"])
    assert (game.current_player, game.paths(MIDDLE), game.enemy(NORTH)["order"]) == (1, "EW", [])
    assert (game.position["step"], game.enemy(NORTH)["health"]) == ("move", 8)  # nothing to flip: on to step 2


def test_rogue_40_a_slain_enemy_s_tile_can_wall_off_nobody_else():
    """A neighbour of the slain one stays in combat: the tiles between those two have not changed."""
    game = table(a("rogue"), OTHER, map={"5,12": "Pf"} | ASIDE, enemies=[an_enemy("cave_bat"), an_enemy("goblin", EAST)])
    game.do("attack north", dice=[4], draws=["dead_end"])
    assert (game.enemy(EAST)["order"], game.current_player, game.health()) == ([0], 1, 8)


def test_rogue_41_step_1_is_an_attack_or_a_flight():
    game = table(a("rogue"), map=CROSS, enemies=[an_enemy("goblin"), an_enemy("imp", EAST)])
    assert game.options == ["attack", "flee"]
    assert game.do("attack").options == ["attack north", "attack east"]


def test_rogue_41_the_parts_of_a_combat_turn_come_in_their_order():
    """Potion; attack; potion; the enemy's poison, ability and attack; potion; end.

    Of 4 health the vampire bat loses 2 to the attack and 1 to the poison, and then heals 2 before it bites.
    """
    hand = ["red", "red", "blue"]
    game = table(
        a("rogue", hand=hand, health=5),
        OTHER,
        map=CROSS | ASIDE,
        potions={"red": "healing", "blue": "poison"},
        enemies=[an_enemy("vampire_bat")],
    )
    game.do("drink red potion")
    assert (game.health(), game.position["step"]) == (10, "fight")
    game.do("attack north", dice=[2])
    assert (game.position["step"], game.options) == ("struck", ["pass", "drink", "throw"])
    game.do("throw blue potion", "throw north")
    game.do("pass")  # poison 2 - 1, heals 2, hits for 2
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"], game.health()) == (3, 2, 8)
    assert (game.position["step"], game.options) == ("survived", ["pass", "drink", "throw"])
    assert game.do("drink red potion").health() == 10


def test_rogue_41_one_flight_a_turn():
    game = table(
        a("rogue"), a("bard", FAR), map=CROSS | {"5,13": "?", "7,12": "Pf", "4,12": "E:cave_bat"}, enemies=[an_enemy("goblin")]
    )
    game.do("flee", "flip east", dice=[6], draws=["imp"])
    assert game.options == ["attack"]


def test_rogue_60_the_slayer_takes_the_card_and_the_others_leave_combat():
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[0, 1])]).do("attack north", dice=[1], draws=["four_way"])
    assert (game.player(0)["hand"], game.state["combat"].tolist()) == (["goblin"], [0, 0, 0, 0])
    assert (game.current_player, game.position["step"], game.map["6,12"]) == (1, "flip", "Pf")


def test_rogue_60_a_trap_turned_up_triggers_on_the_slayer():
    for rule, health in (("triggers", 8), ("lies", 10)):
        game = around(10, 10, enemies=[an_enemy("goblin", health=1)], rules={"replacement_trap": rule})
        game.do("attack north", dice=[1], draws=["spike"])
        assert (game.health(0), game.map["6,12"]) == (health, "T:spike")


def test_rogue_60_with_an_enemy_left_the_combat_turn_goes_on():
    enemies = [an_enemy("cave_bat"), an_enemy("goblin", EAST)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[4])
    assert (game.enemy(NORTH), game.health(), game.current_player) == (None, 8, 1)


def test_rogue_60_an_enemy_that_dies_of_poison_is_slain_by_who_poisoned_it():
    """Before step 2: it does not strike any more."""
    enemies = [an_enemy("kobold", health=2, poison=2, poisoner=0)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[1])
    assert (game.player(0)["hand"], game.health()) == (["kobold"], 10)


@pytest.mark.parametrize("way", [NORTH, EAST, SOUTH, WEST])
def test_rogue_60_a_boss_is_taken_like_any_loot(way):
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=[an_enemy("basilisk_green", way, health=3)])
    game.do("attack", f"attack {('north', 'east', 'south', 'west')[[NORTH, EAST, SOUTH, WEST].index(way)]}", dice=[3])
    assert (game.player(0)["hand"], game.player(0)["points"]) == (["basilisk_green"], 1)


STAYS = ["blue"]  # a hand that keeps the windows of combat open


def fight(*enemies: dict, character: str = "rogue", **facts: object) -> Play:
    """A player with a choice in every window, amid enemies."""
    return hero(character, hand=STAYS, enemies=[*enemies], **facts)


def test_rogue_42_faces_are_those_of_the_die_not_of_the_total():
    """G-02. A 5 with the sword is 6 damage and still no 6 to the bard; a 1 with it is still a 1 to the shield."""
    bard = fight(an_enemy("goblin"), character="bard", worn={"primary": "sword"}).do("attack north", dice=[5])
    assert (bard.enemy(NORTH)["health"], bard.position["step"]) == (2, "struck")
    shield = fight(an_enemy("goblin"), character="cleric", worn={"primary": "sword", "secondary": "shield"})
    shield.do("attack north", "pass", dice=[1])
    assert (shield.enemy(NORTH)["health"], shield.health()) == (6, 10)


def test_rogue_42_45_any_die_of_the_attack_counts():
    """Shield and dagger: the 1 that is thrown again blocks, too."""
    game = fight(an_enemy("kobold"), character="cleric", worn={"primary": "dagger", "secondary": "shield"})
    game.do("attack north", "pass", dice=[1, 2, 2])
    assert (game.enemy(NORTH)["health"], game.health()) == (2, 10)


def test_rogue_43_a_1_among_the_added_dice_adds_more_up_to_64():
    game = fight(an_enemy("golem"), worn={"primary": "dagger"})
    game.do("attack north", dice=[1] * 63 + [4])
    assert game.enemy(NORTH)["health"] == 25 - 4


def test_rogue_44_damage_is_never_below_0():
    game = fight(an_enemy("goblin", health=3), potion_attack=-4).do("attack north", dice=[2])
    assert game.enemy(NORTH)["health"] == 3


BOTH = (an_enemy("goblin", EAST), an_enemy("sewer_rat", NORTH))
SHIELD = {"secondary": "shield"}


@pytest.mark.parametrize(("scope", "dice", "loss"), [("all", (1,), 0), ("attacked", (1, 3), 1)])
def test_rogue_45_a_15_whom_a_block_stops(scope, dice, loss):
    """The goblin in the east is attacked; under `attacked` the rat in the north uses its die and bites."""
    game = fight(*BOTH, character="cleric", worn=SHIELD, rules={"shield_scope": scope})
    game.do("attack east", "pass", dice=dice)
    assert (game.health(), game.enemy(EAST)["health"]) == (10 - loss, 7)


def test_rogue_45_without_the_face_nothing_is_blocked():
    game = fight(*BOTH, character="cleric", worn=SHIELD).do("attack east", "pass", dice=[2, 3])
    assert game.health() == 10 - 1 - 2


def test_rogue_45_a_block_lasts_for_one_turn():
    game = fight(an_enemy("goblin"), character="cleric", worn=SHIELD).do("attack north", "pass", dice=[1])
    game.end_turn().end_turn().do("attack north", "pass", dice=[2])
    assert game.health() == 8


def test_rogue_45_blocked_enemies_do_not_heal():
    bat = an_enemy("vampire_bat", health=4)
    game = fight(bat, character="cleric", worn=SHIELD).do("attack north", "pass", dice=[1])
    assert game.enemy(NORTH)["health"] == 3


@pytest.mark.parametrize(("face", "health"), [(1, 5), (4, 5), (5, 8), (6, 8)])
def test_rogue_46_an_imp_dodges_on_5_and_6(face, health):
    game = fight(an_enemy("imp")).do("attack north", dice=[3, face])
    assert game.enemy(NORTH)["health"] == health


@pytest.mark.parametrize(("switch", "dice", "lives"), [("always", (6, 5), True), ("not_lethal", (6,), False)])
def test_rogue_46_a_12_even_a_lethal_attack(switch, dice, lives):
    game = fight(an_enemy("imp", health=6), rules={"imp_dodge": switch}).do("attack north", dice=dice)
    assert (game.enemy(NORTH) is not None) is lives


def test_rogue_46_not_if_it_is_paralysed_blocked_or_attacks_somebody_else():
    """No die is thrown for it."""
    assert fight(an_enemy("imp", paralysed=1)).do("attack north", dice=[3]).enemy(NORTH)["health"] == 5
    blocked = fight(an_enemy("imp"), character="cleric", worn=SHIELD).do("attack north", dice=[1])
    assert blocked.enemy(NORTH)["health"] == 7
    around = GROUND | {"6,13": "Pf"}
    players = a("rogue", hand=STAYS), a("cleric", (6, 13))
    second = table(*players, map=around, enemies=[an_enemy("imp", order=[1, 0])]).do("attack north", dice=[3])
    assert second.enemy(NORTH)["health"] == 5


def test_rogue_46_poison_and_throws_are_not_dodged():
    game = fight(an_enemy("imp", poison=2, poisoner=0), potions={"blue": "weakness"})
    game.do("throw blue potion", "throw north").do("attack north", dice=[3, 6])
    imp = game.enemy(NORTH)
    assert (imp["strength"], imp["health"], imp["poison"]) == (-1, 7, 1), "1 of poison, none of the attack"


def test_rogue_47_the_slain_do_nothing_the_others_do():
    game = fight(an_enemy("kobold", health=2), an_enemy("goblin", EAST)).do("attack north", "pass", dice=[2])
    assert (game.health(), game.enemy(NORTH)) == (8, None)


def test_rogue_48_enemy_poison_runs_in_the_turns_of_the_poisoner():
    """Two around a troll; the cleric poisoned it, the rogue is its target."""
    around = GROUND | {"6,13": "Pf"}
    players = a("rogue", hand=STAYS), a("cleric", (6, 13), hand=["green"])
    troll = an_enemy("troll", poison=2, poisoner=1, order=[0, 1])
    game = table(*players, map=around, enemies=[troll]).do("attack north", "pass", dice=[1])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"]) == (9, 2)
    game.end_turn().do("attack west", "pass", dice=[1])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["poison"]) == (7, 1)
    assert game.health(1) == 10, "it does not attack the cleric"


def test_rogue_48_whoever_poisoned_it_is_the_slayer():
    """D-17: 5 of the attack and 1 of poison slay a zombie of 6 health. It lay on no tile."""
    game = fight(an_enemy("zombie", poison=1, poisoner=0), map=BARE, resume="move")
    game.do("attack north", "pass", dice=[5], draws=["straight"])
    assert (game.player(0)["hand"], game.health(), game.paths(NORTH)) == (["blue", "zombie"], 10, "NS")
    assert game.position["step"] == "move"


def test_rogue_48_55_where_one_dies_of_poison_the_others_act():
    game = fight(an_enemy("kobold", health=1, poison=1, poisoner=0), an_enemy("goblin", EAST))
    game.do("attack east", "pass", dice=[1])
    assert (game.player(0)["hand"], game.health(), game.position["step"]) == (["blue", "kobold"], 8, "survived")


def test_rogue_48_poison_runs_on_the_paralysed_and_the_blocked():
    paralysed = fight(an_enemy("troll", poison=2, poisoner=0, paralysed=1)).do("attack north", "pass", dice=[1])
    assert (paralysed.enemy(NORTH)["health"], paralysed.enemy(NORTH)["poison"]) == (8, 1)
    blocked = fight(an_enemy("troll", poison=2, poisoner=0), character="cleric", worn=SHIELD)
    assert blocked.do("attack north", "pass", dice=[1]).enemy(NORTH)["health"] == 8


def test_rogue_48_and_in_a_turn_that_is_skipped():
    poisoned = an_enemy("troll", poison=2, poisoner=0, order=[0])
    game = hero("rogue", hand=STAYS, skip=1, enemies=[poisoned], active=1).end_turn()
    assert (game.enemy(NORTH)["health"], game.health(), game.current_player) == (9, 6, 1)


def test_rogue_49_vampire_bats_heal_up_to_their_maximum():
    game = fight(an_enemy("vampire_bat", health=4)).do("attack north", "pass", dice=[3])
    assert game.enemy(NORTH)["health"] == 3
    game.end_turn().end_turn().do("attack north", "pass", dice=[1])
    assert game.enemy(NORTH)["health"] == 4


@pytest.mark.parametrize(("face", "poison"), [(3, 0), (4, 2), (6, 2)])
def test_rogue_49_a_sewer_rat_poisons_on_4_5_and_6_before_it_bites(face, poison):
    game = fight(an_enemy("sewer_rat")).do("attack north", "pass", dice=[1, face])
    assert (game.player(0)["poison"], game.health()) == (poison, 9)


@pytest.mark.parametrize(("enemy", "status", "turns"), [("basilisk_green", "poison", 4), ("basilisk_yellow", "skip", 1)])
def test_rogue_49_the_basilisks_poison_and_paralyse_on_4_5_and_6(enemy, status, turns):
    game = fight(an_enemy(enemy), changes={f"enemy.{enemy}.attack": 1}).do("attack north", "pass", dice=[1, 4])
    assert (game.player(0)[status], game.health()) == (turns, 9)
    spared = fight(an_enemy(enemy), changes={f"enemy.{enemy}.attack": 1}).do("attack north", "pass", dice=[1, 3])
    assert spared.player(0)[status] == 0


def test_rogue_49_abilities_are_used_in_direction_order_and_after_a_failed_flight():
    rats = [an_enemy("sewer_rat", EAST), an_enemy("basilisk_green", SOUTH), an_enemy("sewer_rat", NORTH)]
    weak = {"enemy.basilisk_green.attack": 1}
    game = fight(*rats, changes=weak).do("flee", "pass", dice=[3, 1, 1, 5])
    assert (game.player(0)["poison"], game.health()) == (4, 7)


@pytest.mark.parametrize(("face", "loss"), [(1, 2), (4, 8)])
def test_rogue_50_the_golem_s_attack_is_twice_a_die(face, loss):
    game = fight(an_enemy("golem")).do("attack north", "pass", dice=[1, face])
    assert game.health() == 10 - loss


def test_rogue_50_enemies_attack_in_direction_order_until_the_player_is_dead():
    """North's 4 and east's 2 of 6 health: the bat in the south is not asked any more."""
    foes = [an_enemy("golem", SOUTH), an_enemy("goblin", EAST), an_enemy("kobold", NORTH)]
    game = fight(*foes, health=6).do("attack north", "pass", dice=[1])
    assert game.options == ["keep blue potion"]


def test_rogue_51_poison_first_hurts_at_the_start_of_the_next_turn():
    game = fight(an_enemy("sewer_rat")).do("attack north", "pass", dice=[1, 6]).end_turn().end_turn()
    assert (game.health(), game.player(0)["poison"]) == (8, 1)


def test_rogue_51_the_larger_counter_stays():
    game = fight(an_enemy("sewer_rat"), poison=4).do("attack north", "pass", dice=[1, 6])
    assert game.player(0)["poison"] == 4


YELLOW = an_enemy("basilisk_yellow")
WEAK = {"enemy.basilisk_yellow.attack": 2}


def test_rogue_32_52_paralysis_in_step_2_cuts_the_turn_after_step_3():
    """No window any more; the next turn is skipped, the basilisk acts in it and may paralyse again."""
    game = fight(YELLOW, changes=WEAK).do("attack north", "pass", dice=[1, 4])
    assert (game.current_player, game.health(), game.player(0)["skip"]) == (1, 8, 1)
    game.end_turn(dice=[5])
    assert (game.current_player, game.health(), game.player(0)["skip"]) == (1, 6, 1)
    game.end_turn(dice=[1])
    assert (game.current_player, game.health(), game.player(0)["skip"]) == (1, 4, 0)
    assert game.end_turn().current_player == 0


def test_rogue_52_a_13_where_the_turn_is_lost_nobody_acts_any_more():
    """Paralysed in the north's step 2: no step 2 of the rat in the east, no step 3 of either, and nothing in the skipped turn."""
    foes = [YELLOW, an_enemy("sewer_rat", EAST, poison=3, poisoner=0)]
    game = fight(*foes, changes=WEAK, rules={"paralysis_in_combat": "turn_lost"}).do("attack north", "pass", dice=[1, 4])
    assert (game.current_player, game.health(), game.player(0)["skip"], game.enemy(EAST)["health"]) == (1, 10, 1, 3)
    game.end_turn()
    assert (game.current_player, game.health(), game.player(0)["skip"], game.enemy(EAST)["health"]) == (1, 10, 0, 3)


def test_rogue_52_a_paralysed_player_stays_in_combat_and_can_be_thrown_at_and_robbed():
    game = hero(
        "warrior",
        a("cleric", EAST, hand=["blue"], skip=1),
        hand=["red"],
        step="interact",
        map=GROUND | {"6,13": "Pf"},
        enemies=[an_enemy("goblin", (6, 13), order=[1])],
    )
    assert game.options == ["pass", "drink", "throw", "trip", "steal"]


def test_rogue_53_a_paralysed_enemy_loses_one_turn_in_which_it_would_act():
    game = fight(an_enemy("sewer_rat", paralysed=1)).do("attack north", "pass", dice=[1])
    assert (game.health(), game.enemy(NORTH)["paralysed"]) == (10, 0)
    game.end_turn().end_turn().do("attack north", "pass", dice=[1, 1])
    assert game.health() == 9


def test_rogue_53_the_counter_waits_for_a_turn_of_its_target():
    """The cleric is the target; in the rogue's turn the troll would not act, so its counter stays."""
    around = GROUND | {"6,13": "Pf"}
    players = a("rogue", hand=STAYS), a("cleric", (6, 13), hand=["green"])
    troll = an_enemy("troll", paralysed=1, order=[1, 0])
    game = table(*players, map=around, enemies=[troll]).do("attack north", "pass", dice=[1])
    assert game.enemy(NORTH)["paralysed"] == 1
    game.end_turn().do("attack west", "pass", dice=[1])
    assert (game.enemy(NORTH)["paralysed"], game.health(1)) == (0, 10)


def test_rogue_54_an_enemy_that_must_be_slain_in_one_turn_is_whole_at_the_end_of_every_turn():
    """Zombie 6: an attack of 5 is not enough; with the poison of the same turn it is."""
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=[an_enemy("zombie")]).do("attack north", dice=[5])
    assert game.enemy(NORTH)["health"] == 6
    poisoned = [an_enemy("zombie", poison=1, poisoner=0)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=poisoned).do("attack north", dice=[5])
    assert (game.enemy(NORTH), game.player(0)["hand"]) == (None, ["zombie"])


def test_rogue_54_attack_spell_and_poison_of_one_turn_add_up():
    """Zombie 6: spell 2, attack 3, poison 1."""
    poisoned = [an_enemy("zombie", poison=1, poisoner=0)]
    game = table(a("mage"), OTHER, map=CROSS | ASIDE, enemies=poisoned)
    game.do("cast damage", "cast north").do("attack north", dice=[3])
    assert game.enemy(NORTH) is None


def test_rogue_54_it_is_whole_after_another_player_s_turn_too():
    game = around(10, 10, enemy="zombie").do("attack north", dice=[5])
    assert game.enemy(NORTH)["health"] == 6
    game.do("attack west", dice=[4])
    assert game.enemy(NORTH)["health"] == 6


def test_rogue_55_one_is_attacked_all_use_abilities_before_the_first_strikes():
    """Attacks the imp in the east; the rat in the south poisons, then goblin 2, imp 1, rat 1 strike."""
    enemies = [an_enemy("goblin"), an_enemy("imp", EAST), an_enemy("sewer_rat", SOUTH)]
    game = table(a("rogue"), OTHER, map=CROSS | ASIDE, enemies=enemies)
    game.do("attack east", dice=[3, 1, 4])  # attack, dodge, ability
    assert [game.enemy(at)["health"] for at in (NORTH, EAST, SOUTH)] == [8, 5, 4]
    assert (game.health(), game.player(0)["poison"]) == (10 - 4, 2)


def test_rogue_55_who_dies_is_not_struck_again_and_nobody_acts_after_that():
    """2 health: the goblin in the north kills; a golem in the east throws no die any more."""
    enemies = [an_enemy("goblin"), an_enemy("golem", EAST)]
    game = table(a("rogue", health=2), OTHER, map=CROSS | ASIDE, enemies=enemies).do("attack north", dice=[1])
    assert (game.position["decision"], game.state["damage_taken"][0]) == ("respawn", 2)


def test_rogue_56_only_the_first_in_the_order_is_attacked():
    game = around(10, 10, 10).do("attack north", dice=[1])
    assert game.health(0) == 6
    game.do("attack west", dice=[1]).do("attack south", dice=[1])
    assert ([game.health(seat) for seat in range(3)], game.enemy(NORTH)["health"]) == ([6, 10, 10], 3)


def test_rogue_56_the_next_one_becomes_the_target_when_the_first_dies():
    """After his own attack the first dies; the second is hit in his turn."""
    game = around(1, 10, enemies=[an_enemy("kobold", order=[0, 1])]).do("attack north", "come back at row 0 column 12", dice=[1])
    assert game.enemy(NORTH)["order"] == [1]
    game.do("attack west", dice=[1])
    assert (game.health(1), game.enemy(NORTH)["health"]) == (6, 4)


def test_rogue_56_the_others_provoke_no_ability():
    """An imp does not dodge those it does not attack, a rat does not poison them."""
    game = around(10, 10, enemies=[an_enemy("imp", order=[1, 0])]).do("attack north", dice=[3])
    assert (game.enemy(NORTH)["health"], game.health(0)) == (5, 10)
    game = around(10, 10, enemies=[an_enemy("sewer_rat", order=[1, 0])]).do("attack north", dice=[3])
    assert (game.player(0)["poison"], game.health(0)) == (0, 10)


def test_rogue_56_the_others_flee_without_a_roll():
    game = around(10, 10, enemies=[an_enemy("goblin", order=[1, 0])]).do("flee", "flee south")
    assert (game.at(0), game.enemy(NORTH)["order"]) == (SOUTH, [1])


def test_rogue_56_whoever_deals_the_last_damage_takes_the_card():
    game = around(10, 10, enemies=[an_enemy("goblin", health=1, order=[1, 0])]).do("attack north", dice=[1], draws=["four_way"])
    assert (game.player(0)["hand"], game.player(1)["hand"]) == (["goblin"], [])


@pytest.mark.parametrize(("one", "two", "slayer"), [(5, 1, 1), (4, 2, 1), (1, 5, 1), (4, 1, None), (1, 4, None)])
def test_rogue_56_two_with_1_health_around_a_kobold(one, two, slayer):
    """D-12. The first dies and comes back elsewhere, the second goes on with what is left of the kobold's 6 health."""
    game = around(1, 1, enemies=[an_enemy("kobold", order=[0, 1])])
    game.do("attack north", dice=[one]).do("come back at row 0 column 12")
    game.do("attack west", dice=[two], draws=["four_way"] if slayer else [])
    assert game.position["decision"] == ("main" if slayer else "respawn")
    assert game.player(1)["hand"] == (["kobold"] if slayer else [])


def test_rogue_56_the_first_of_two_around_a_kobold_slays_it_with_a_6():
    game = around(1, 1, enemies=[an_enemy("kobold", order=[0, 1])]).do("attack north", dice=[6], draws=["four_way"])
    assert game.player(0)["hand"] == ["kobold"]


def test_rogue_59_the_enemy_recovers_when_the_last_player_leaves():
    hurt = {"health": 3, "poison": 2, "poisoner": 1, "paralysed": 1, "strength": 1}
    game = around(10, 10, enemies=[an_enemy("goblin", order=[1, 0], **hurt)]).do("flee", "flee south")
    assert game.enemy(NORTH) == an_enemy("goblin", order=[1], **hurt) | {"at": list(NORTH)}
    game.do("flee", "flee east")
    clean = {"health": 8, "poison": 0, "poisoner": -1, "paralysed": 0, "strength": 1}
    assert game.enemy(NORTH) == an_enemy("goblin", order=[], **clean) | {"at": list(NORTH)}


def test_rogue_59_with_the_other_reading_it_recovers_at_every_flight():
    rules = {"enemy_restore": "any_flight"}
    game = around(10, 10, enemies=[an_enemy("goblin", health=3, order=[1, 0])], rules=rules).do("flee", "flee south")
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (8, [1])


def test_rogue_59_death_of_the_last_player_restores_it_too():
    game = around(1, 10, enemies=[an_enemy("kobold", health=5, order=[0])]).do("attack north", dice=[1])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (6, [])
