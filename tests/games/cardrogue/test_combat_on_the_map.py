"""ROGUE-42 to 53 as they show in a game: dice, blocks, dodges, poison, abilities, attacks and paralysis on the table."""

import pytest

from tests.games.cardrogue.positions import EAST, NORTH, SOUTH, Play, a, an_enemy, table
from tests.games.cardrogue.surroundings import BARE, FAR, hero

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
    around = FAR | {"6,13": "Pf"}
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
    around = FAR | {"6,13": "Pf"}
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
    assert (game.enemy(NORTH)["health"], game.health(), game.to_act) == (9, 6, 1)


def test_rogue_49_vampire_bats_heal_up_to_their_maximum():
    game = fight(an_enemy("vampire_bat", health=4)).do("attack north", "pass", dice=[3])
    assert game.enemy(NORTH)["health"] == 3
    game.end_turn().end_turn().do("attack north", "pass", dice=[1])
    assert game.enemy(NORTH)["health"] == 4


@pytest.mark.parametrize(("face", "poison"), [(3, 0), (4, 2), (6, 2)])
def test_rogue_49_a_sewer_rat_poisons_on_4_5_and_6_before_it_bites(face, poison):
    game = fight(an_enemy("sewer_rat")).do("attack north", "pass", dice=[1, face])
    assert (game.player(0)["poison"], game.health()) == (poison, 9)


@pytest.mark.parametrize(
    ("enemy", "status", "turns"), [("basilisk_green", "poison", 4), ("basilisk_yellow", "skip", 1)]
)
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
    assert (game.to_act, game.health(), game.player(0)["skip"]) == (1, 8, 1)
    game.end_turn(dice=[5])
    assert (game.to_act, game.health(), game.player(0)["skip"]) == (1, 6, 1)
    game.end_turn(dice=[1])
    assert (game.to_act, game.health(), game.player(0)["skip"]) == (1, 4, 0)
    assert game.end_turn().to_act == 0


def test_rogue_52_a_13_where_the_turn_is_lost_nobody_acts_any_more():
    """Paralysed in the north's step 2: no step 2 of the rat in the east, no step 3 of either, and nothing in the skipped turn."""
    foes = [YELLOW, an_enemy("sewer_rat", EAST, poison=3, poisoner=0)]
    game = fight(*foes, changes=WEAK, rules={"paralysis_in_combat": "turn_lost"}).do(
        "attack north", "pass", dice=[1, 4]
    )
    assert (game.to_act, game.health(), game.player(0)["skip"], game.enemy(EAST)["health"]) == (1, 10, 1, 3)
    game.end_turn()
    assert (game.to_act, game.health(), game.player(0)["skip"], game.enemy(EAST)["health"]) == (1, 10, 0, 3)


def test_rogue_52_a_paralysed_player_stays_in_combat_and_can_be_thrown_at_and_robbed():
    game = hero(
        "warrior",
        a("cleric", EAST, hand=["blue"], skip=2),
        hand=["red"],
        step="interact",
        map=FAR | {"6,13": "Pf"},
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
    around = FAR | {"6,13": "Pf"}
    players = a("rogue", hand=STAYS), a("cleric", (6, 13), hand=["green"])
    troll = an_enemy("troll", paralysed=1, order=[1, 0])
    game = table(*players, map=around, enemies=[troll]).do("attack north", "pass", dice=[1])
    assert game.enemy(NORTH)["paralysed"] == 1
    game.end_turn().do("attack west", "pass", dice=[1])
    assert (game.enemy(NORTH)["paralysed"], game.health(1)) == (0, 10)
