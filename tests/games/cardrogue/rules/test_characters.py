"""ROGUE-91 to 96: what each character does differently, and each variant of the Bard's 6 (A-14). Flights are in `test_flight`."""

import pytest

from tests.games.cardrogue.positions import AWAY, BARE, EAST, GROUND, MIDDLE, NORTH, SOUTH, WEST, a, an_enemy, hero, table

GOBLIN = [an_enemy("goblin")]


# the Warrior


@pytest.mark.parametrize(("health", "damage"), [(12, 3), (6, 3), (5, 4), (1, 4)])
def test_rogue_91_rage_adds_1_at_5_health_or_less(health, damage):
    game = hero("warrior", health=health, hand=["blue"], enemies=GOBLIN).do("attack north", dice=[3])
    assert game.enemy(NORTH)["health"] == 8 - damage


def test_rogue_91_rage_looks_at_health_at_the_moment_of_the_attack():
    """At 6 he attacks without, loses 2, and rages in the next turn; a potion before the attack calms him."""
    game = hero("warrior", health=6, enemies=GOBLIN).do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 7
    game.end_turn().do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 5
    calm = hero("warrior", health=5, hand=["red"], potions={"red": "healing"}, enemies=GOBLIN)
    calm.do("drink red potion", "attack north", dice=[1])
    assert calm.enemy(NORTH)["health"] == 7


def test_rogue_44_91_rage_comes_after_the_multiplication():
    game = hero("warrior", health=5, worn={"primary": "maul"}, enemies=[an_enemy("kobold")], changes={"enemy.kobold.health": 20})
    game.do("attack north", dice=[3])
    assert game.enemy(NORTH)["health"] == 20 - 7


# the Rogue


def test_rogue_92_a_dagger_goes_to_either_hand():
    game = hero("rogue", hand=["dagger", "dagger", "blue"]).do("equip")
    assert game.options == ["equip Dagger", "equip Dagger off-hand"]
    game.do("equip Dagger off-hand", "equip Dagger")
    assert game.player(0)["worn"] == {"primary": "dagger", "secondary": "dagger"}
    assert (game.player(0)["attack"], game.player(0)["hand"]) == (1, ["blue"])


@pytest.mark.parametrize("primary", ["dagger", "sword", "battle_axe", None])
def test_rogue_92_whatever_is_in_the_primary(primary):
    worn = {"primary": primary} if primary else {}
    game = hero("rogue", worn=worn, hand=["dagger", "blue"]).do("equip Dagger off-hand")
    assert game.player(0)["worn"] == worn | {"secondary": "dagger"}
    assert game.player(0)["attack"] == 1 + (primary == "sword")


def test_rogue_92_in_the_off_hand_a_dagger_throws_nothing_again():
    game = hero("rogue", worn={"secondary": "dagger"}, enemies=GOBLIN, hand=["blue"]).do("attack north", dice=[1])
    assert game.enemy(NORTH)["health"] == 8 - 2
    both = hero("rogue", worn={"primary": "dagger", "secondary": "dagger"}, enemies=GOBLIN, hand=["blue"])
    both.do("attack north", dice=[1, 2, 3])
    assert both.enemy(NORTH)["health"] == 8 - 6


def test_rogue_92_no_other_item_that_uses_the_secondary_slot():
    game = hero("rogue", hand=["shield", "maul", "sword"]).do("equip")
    assert game.options == ["equip Sword"]


def test_rogue_81_92_the_off_hand_dagger_comes_off_by_itself_and_is_sold_like_any():
    game = hero("rogue", worn={"primary": "dagger", "secondary": "dagger"}, map=GROUND | {"5,12": "H"})
    game.do("take off")
    assert game.options == ["take off Dagger (primary)", "take off Dagger (secondary)"]
    game.do("take off Dagger (secondary)")
    assert (game.player(0)["worn"], game.player(0)["hand"]) == ({"primary": "dagger"}, ["dagger"])
    game.do("sell Dagger", "sell Dagger")
    assert (game.player(0)["worn"], game.player(0)["hand"], game.player(0)["gold"]) == ({}, [], 6)


def test_rogue_92_others_have_no_off_hand():
    game = hero("warrior", hand=["dagger", "dagger", "blue"]).do("equip Dagger")
    assert "equip" not in game.options


@pytest.mark.parametrize(("face", "left"), [(1, 4), (4, 4), (5, 10), (6, 10)])
def test_rogue_92_she_pays_nothing_on_5_and_6(face, left):
    game = hero("rogue", gold=10, map=GROUND | {"5,12": "H"}).do("buy Dagger", dice=[face])
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (left, ["dagger"])


def test_rogue_92_she_must_be_able_to_pay():
    game = hero("rogue", gold=5, map=GROUND | {"5,12": "H"}).do("buy")
    assert "buy Dagger" not in game.options
    assert "buy Scroll of max health" in game.options


# the Cleric


@pytest.mark.parametrize("curse", ["attack_minus", "health_minus"])
def test_rogue_93_a_curse_is_discarded_before_it_has_an_effect(curse):
    """Turned over, stolen, and left by the dead."""
    turned = hero("cleric", map={"5,12": "Pf", "6,12": "?", "9,9": "Pf"})
    turned.do("flip north", draws=[curse, "four_way"])
    stolen = table(a("cleric"), a("mage", NORTH, hand=[curse]), map=GROUND)
    stolen.do("pass", "pass", "steal north", dice=[6], draws=[curse])
    for game in (turned, stolen):
        assert (game.player(0)["hand"], game.position["gone"]) == ([], {curse: 1})
        assert (game.player(0)["attack"], game.player(0)["max_health"], game.health()) == (0, 10, 10)
    heir = table(a("cleric"), map=GROUND, left=[{"at": list(NORTH), "cards": [curse, "key"]}]).do("pass", "move north")
    assert (heir.player(0)["hand"], heir.position["gone"]) == (["key"], {curse: 1})


def test_rogue_93_a_good_artifact_stays():
    game = hero("cleric", map={"5,12": "Pf", "6,12": "?", "9,9": "Pf"})
    game.do("flip north", draws=["health_plus", "four_way"])
    assert (game.player(0)["hand"], game.health()) == (["health_plus"], 14)


@pytest.mark.parametrize(("health", "after"), [(1, 2), (4, 5), (5, 6), (6, 6), (10, 10)])
def test_rogue_93_a_kill_heals_1_at_5_health_or_less(health, after):
    game = hero("cleric", health=health, enemies=[an_enemy("goblin", health=2)]).do("attack north", dice=[2])
    assert (game.health(), game.player(0)["hand"]) == (after, ["goblin"])


def test_rogue_08_93_never_above_a_maximum_that_curses_have_lowered():
    """A maximum of 4: at 4 health nothing is gained."""
    game = hero("cleric", health=4, enemies=[an_enemy("goblin", health=1)], changes={"character.cleric.max_health": 4})
    assert game.do("attack north", dice=[1]).health() == 4


def test_rogue_93_each_kill_counts_also_by_poison():
    foes = [an_enemy("goblin", health=1, poison=1, poisoner=0), an_enemy("goblin", EAST, health=1, poison=1, poisoner=0)]
    foes += [an_enemy("cave_bat", SOUTH, health=1)]
    game = hero("cleric", health=3, enemies=foes).do("attack south", dice=[1])
    assert (game.health(), game.player(0)["hand"]) == (6, ["cave_bat", "goblin", "goblin"])


def test_rogue_93_the_healing_comes_before_the_trap_that_is_turned_up():
    game = hero("cleric", health=2, map=BARE, hand=["blue"], enemies=[an_enemy("goblin", health=1)])
    game.do("attack north", dice=[1], draws=["spike"])
    assert game.health() == 1


def test_rogue_93_she_may_not_trip():
    game = table(a("cleric"), a("mage", NORTH, hand=["key"]), map=GROUND).do("pass", "pass")
    assert game.options == ["pass", "steal"]


# the Explorer

UNSEEN = {"5,12": "Pf", "6,12": "?", "5,13": "?", "9,9": "Pf", "0,12": "S"}


def test_rogue_94_after_a_flip_a_second_turn_may_be_taken_at_once():
    game = hero("explorer", map=UNSEEN, poison=3).do("flip north", draws=["four_way"]).do("pass", "pass")
    assert (game.options, game.current_player) == (["no second turn", "second turn"], 0)
    game.do("second turn")
    assert (game.current_player, game.health(), game.position["turn"]) == (0, 9, 1), "with its start: poison"
    assert {"flip", "pass"} <= set(game.options)


def test_rogue_94_it_may_be_declined():
    game = hero("explorer", map=UNSEEN).do("flip north", draws=["four_way"]).do("pass", "pass", "no second turn")
    assert (game.current_player, game.position["turn"], game.position["round"]) == (1, 1, 1)


def test_rogue_94_there_is_no_third():
    game = hero("explorer", map=UNSEEN).do("flip north", draws=["four_way"]).do("pass", "pass", "second turn")
    game.do("flip east", draws=["four_way"]).end_turn()
    assert game.current_player == 1


def test_rogue_94_not_without_a_flip():
    assert hero("explorer", map=UNSEEN).end_turn().current_player == 1


def test_rogue_94_not_after_combat():
    """Turned over in step 1, slain, and the turn went on; or met at the end of the move."""
    game = hero("explorer", map=UNSEEN | {"6,12": "Pf", "4,12": "?"}).do("flip east", draws=["cave_bat"])
    game.do("attack east", dice=[4], draws=["four_way"]).end_turn()
    assert game.current_player == 1
    moved = hero("explorer", map=UNSEEN | {"6,12": "Pf", "7,12": "Pf"}, enemies=[an_enemy("cave_bat", (7, 12), order=[])])
    moved.do("flip east", draws=["four_way"]).do("move north", "attack north", dice=[4])
    assert moved.current_player == 1


def test_rogue_94_not_after_a_flight_from_a_combat_of_the_turn_before():
    """He is in combat when his turn begins, flips on the run and gets away: he was in combat in this turn."""
    around = {"5,12": "Pf", "6,12": "Pf", "5,13": "?", "5,11": "Pf", "9,9": "Pf"}
    foe = an_enemy("troll", order=[0])
    game = table(a("explorer"), a("cleric", AWAY, hand=["green"]), map=around, enemies=[foe], active=1).end_turn()
    game.do("flee", "flip east", draws=["four_way"]).do("flee west")
    assert (game.at(0), game.current_player) == (WEST, 1)


def test_rogue_94_not_after_a_turn_that_was_cut_short():
    game = hero("explorer", map=UNSEEN, hand=["red"], potions={"red": "paralysis"})
    game.do("flip north", draws=["four_way"]).do("drink red potion")
    assert game.current_player == 1


@pytest.mark.parametrize(("face", "loss"), [(3, 2), (4, 0), (6, 0)])
def test_rogue_94_avoids_traps_on_4_5_and_6(face, loss):
    game = hero("explorer", map=GROUND | {"6,12": "T:spike"}).do("pass", "move north", dice=[face])
    assert game.health() == 10 - loss


def test_rogue_94_sells_only_loot_and_spends_gold():
    hand = ["sword", "blue", "goblin", "scroll_move"]
    game = hero("explorer", hand=hand, worn={"head": "helm"}, gold=8, map=GROUND | {"5,12": "H"})
    assert game.do("sell").options == ["sell Goblin"]
    game.do("sell Goblin", "buy Vision Lens")
    assert "sell" not in game.options
    assert game.player(0)["gold"] == 8 + 3 - 6


def test_rogue_94_111_pays_the_mole_with_items_only_when_nothing_else_is_left():
    """Stuck on a dead end: the loot is sold first, then everything is taken."""
    lone = a("explorer", hand=["goblin", "sword", "key", "attack_plus"], worn={"head": "helm"}, gold=1)
    game = table(lone, map={"5,12": "P1", "6,12": "P4"}).do("call the mole", "sell Goblin", "dig at row 6 column 12")
    assert (game.player(0)["gold"], game.player(0)["hand"], game.player(0)["worn"]) == (0, ["key", "attack_plus"], {})


# the Mage


def test_rogue_95_one_spell_then_a_wait_of_3():
    """A-27: a spell in turn t, the next in turn t + 3."""
    game = hero("mage", hand=["red", "red", "red", "key"], health=1)
    open_ = []
    for _ in range(7):
        open_.append("cast" in game.options)
        if open_[-1]:
            game.do("cast healing", "spend red potion")
        game.end_turn().end_turn()
    assert open_ == [True, False, False, True, False, False, True]
    assert game.health() == 7


def test_rogue_95_damage_hits_an_enemy_in_combat_with_her_without_an_attack():
    game = hero("mage", enemies=[an_enemy("imp"), an_enemy("goblin", EAST)], hand=["blue"]).do("cast damage")
    assert game.options == ["cast north", "cast east"]
    game.do("cast north")
    assert (game.enemy(NORTH)["health"], game.player(0)["cooldown"], game.position["step"]) == (6, 3, "fight")
    assert "cast" not in game.options


def test_rogue_46_95_a_spell_cannot_be_dodged():
    game = hero("mage", enemies=[an_enemy("imp", health=2)]).do("cast damage", "cast north")
    assert (game.enemy(NORTH), game.player(0)["hand"]) == (None, ["imp"])


@pytest.mark.parametrize(("resume", "step"), [("move", "move"), ("place", None)])
def test_rogue_60_95_a_spell_that_slays_ends_combat_like_any_blow(resume, step):
    game = hero("mage", enemies=[an_enemy("imp", health=2)], resume=resume).do("cast damage", "cast north")
    assert game.current_player == (0 if step else 1)
    assert not step or game.position["step"] == step


@pytest.mark.parametrize("step", ["fight", "struck", "survived"])
def test_rogue_31_95_damage_in_every_window_of_combat_but_no_move(step):
    game = hero("mage", enemies=GOBLIN, step=step).do("cast")
    assert game.options == ["cast damage"]


def test_rogue_95_out_of_combat_there_is_nobody_to_hit():
    game = hero("mage", hand=["blue"]).do("cast")
    assert game.options == ["cast move", "cast healing"]


def test_rogue_95_move_is_one_more_tile_with_its_arrival_effects():
    game = hero("mage", map=GROUND | {"6,12": "T:spike"}).do("cast move", "move north")
    assert (game.at(0), game.health(), game.position["moves_left"]) == (NORTH, 6, 1)
    assert game.do("move south").at(0) == MIDDLE


@pytest.mark.parametrize("step", ["flip", "interact"])
def test_rogue_40_95_a_move_by_spell_next_to_an_enemy_ends_with_step_4_after_the_fight(step):
    """Only flipping in step 1 leads back to step 2: after this fight the turn is over."""
    foe, weak = an_enemy("cave_bat", (7, 12), order=[]), {"enemy.cave_bat.health": 1}
    game = hero("mage", map=GROUND | {"7,12": "Pf"}, enemies=[foe], step=step, changes=weak)
    game.do("cast move", "move north", "attack north", dice=[1])
    assert (game.current_player, game.at(0), game.player(0)["hand"]) == (1, NORTH, ["cave_bat"])


def test_rogue_30_95_a_spell_ends_a_turn_of_mere_walking():
    game = hero("mage").do("cast move", "move north")
    assert "only_walked" not in game.position["done"]


@pytest.mark.parametrize(("health", "after"), [(3, 5), (7, 8), (8, 8)])
def test_rogue_08_95_a_potion_of_the_hand_heals_2_whatever_it_is(health, after):
    game = hero("mage", health=health, hand=["blue", "red"], potions={"red": "poison"}).do("cast healing")
    assert game.options == ["spend blue potion", "spend red potion"]
    game.do("spend red potion")
    assert (game.health(), game.player(0)["hand"], game.player(0)["poison"]) == (after, ["blue"], 0)
    assert (game.position["gone"], game.position["potions"]["blue"]) == ({"red": 1}, "unknown")


def test_rogue_95_nothing_to_cast_where_nothing_can_be_done():
    game = hero("mage", map={"5,12": "Pf", "9,9": "Pf"}, hand=["key"])
    assert "cast" not in game.options
    assert "cast" not in hero("mage", cooldown=1, hand=["blue"]).options


def test_rogue_95_others_cast_nothing():
    assert "cast" not in hero("warrior", hand=["blue"]).options


def test_rogue_96_he_pays_the_gold_value():
    game = hero("bard", gold=5, map=GROUND | {"5,12": "H"}).do("buy Sword")
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (0, ["sword"])
    assert "buy Shopkeeper's Debt" not in hero("bard", gold=7, map=GROUND | {"5,12": "H"}).do("buy").options


@pytest.mark.parametrize("active", ["bard", "warrior"])
def test_rogue_96_no_shop_card_in_a_trade_with_him(active):
    """Neither given nor taken, no matter who makes the offer; potions, loot and the key are free."""
    hands = {"bard": ["sword", "scroll_move", "blue"], "warrior": ["helm", "key", "goblin"]}
    other = "warrior" if active == "bard" else "bard"
    game = table(a(active, hand=hands[active]), a(other, NORTH, hand=hands[other]), map=GROUND, step="interact")
    game.do("trade north")
    wares = {"bard": ["blue potion"], "warrior": ["key", "Goblin"]}
    offered = [word for word in game.options if word.startswith("offer")]
    if offered:
        assert offered == [f"offer {ware}" for ware in wares[active]]
        game.do(offered[0])
    assert game.options == [f"ask for {ware}" for ware in wares[other]]


def test_rogue_96_others_trade_shop_cards():
    game = table(a("cleric", hand=["sword"]), a("warrior", NORTH, hand=["helm"]), map=GROUND, step="interact")
    game.do("trade north", "offer Sword", "ask for Helm", "accept")
    assert game.player(0)["hand"] == ["helm"]


@pytest.mark.parametrize(("at", "after"), [(WEST, 7), (AWAY, 4)])
def test_rogue_96_he_heals_3_when_another_slays_an_enemy_on_a_cell_adjacent_to_his(at, after):
    players = a("cleric"), a("bard", at, health=4, hand=["green"])
    game = table(*players, map=GROUND, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert game.health(1) == after


def test_rogue_08_96_the_song_never_heals_above_the_maximum_and_not_through_walls():
    players = a("cleric"), a("bard", WEST, health=9, hand=["green"])
    game = table(*players, map=GROUND, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert game.health(1) == 10
    walled = a("cleric"), a("bard", WEST, health=4, hand=["green"])
    game = table(*walled, map=GROUND | {"5,11": "Pd"}, enemies=[an_enemy("goblin", health=1)])
    assert game.do("attack north", dice=[1]).health(1) == 4


def test_rogue_96_his_own_kills_are_no_song():
    game = hero("bard", health=4, enemies=[an_enemy("goblin", health=1)]).do("attack north", dice=[1])
    assert (game.health(), game.player(0)["hand"]) == (4, ["goblin"])


def test_rogue_96_with_a_6_he_deals_damage_and_must_flee():
    """Without a roll, without flips; then the place step and the end of the turn."""
    around = GROUND | {"5,13": "?", "4,12": "Pf"}
    game = hero("bard", map=around, hand=["blue"], enemies=GOBLIN).do("attack north", dice=[6])
    assert game.options == ["flee south", "flee west"]
    game.do("flee south")
    assert (game.at(0), game.health(), game.current_player) == (SOUTH, 10, 1)
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (8, []), "2 were left, and it is restored"
    assert game.map["3,12"] == "?"


def test_rogue_96_a_lethal_6_leaves_nothing_to_flee_from():
    game = hero("bard", hand=["blue"], enemies=[an_enemy("goblin", health=6)], resume="move")
    game.do("attack north", dice=[6])
    assert (game.at(0), game.player(0)["hand"], game.position["step"]) == (MIDDLE, ["blue", "goblin"], "move")


def test_rogue_96_without_a_free_cell_he_stays():
    game = hero("bard", map={"5,12": "P3", "5,13": "?", "9,9": "Pf"}, hand=["blue"], enemies=GOBLIN)
    game.do("attack north", dice=[6])
    assert (game.at(0), game.position["step"]) == (MIDDLE, "struck")


def test_rogue_42_96_any_die_of_the_attack_counts():
    game = hero("bard", worn={"primary": "dagger"}, hand=["blue"], enemies=[an_enemy("troll")])
    game.do("attack north", dice=[1, 2, 6])
    assert game.options == ["flee east", "flee south", "flee west"]
    maul = hero("bard", worn={"primary": "maul"}, hand=["blue"], enemies=[an_enemy("troll")])
    maul.do("attack north", dice=[6])
    assert (maul.options, maul.enemy(NORTH)["health"]) == (["flee east", "flee south", "flee west"], 10)


def test_rogue_40_96_he_may_run_into_the_next_fight():
    """Arrival effects: a new combat sequence in this turn."""
    foes = [an_enemy("goblin", order=[0]), an_enemy("cave_bat", (5, 14), order=[])]
    game = hero("bard", map=GROUND | {"5,14": "Pf"}, hand=["blue"], enemies=foes).do("attack north", dice=[6])
    game.do("flee east")
    assert (game.at(0), game.enemy((5, 14))["order"], game.position["step"]) == (EAST, [0], "fight")


@pytest.mark.parametrize(("switch", "dice"), [("off", (6,)), ("flee_roll", (6, 3))])
def test_rogue_96_a_14_other_readings_let_him_stay(switch, dice):
    game = hero("bard", hand=["blue"], enemies=GOBLIN, rules={"bard_six": switch}).do("attack north", dice=dice)
    assert (game.at(0), game.position["step"]) == (MIDDLE, "struck")
    assert game.do("pass").health() == 8


def test_rogue_96_a_14_a_flee_roll_may_succeed_and_is_not_needed_from_the_slow():
    game = hero("bard", hand=["blue"], enemies=GOBLIN, rules={"bard_six": "flee_roll"})
    game.do("attack north", "flee south", dice=[6, 4])
    assert (game.at(0), game.current_player) == (SOUTH, 1)
    slow = hero("bard", hand=["blue"], enemies=[an_enemy("troll")], rules={"bard_six": "flee_roll"})
    assert slow.do("attack north", "flee south", dice=[6]).at(0) == SOUTH


@pytest.mark.parametrize("variant", ["last_leaves", "any_flight"])
def test_rogue_59_96_his_flight_counts_as_one(variant):
    """A-17. The cleric stays in combat with the wounded goblin."""
    foe = an_enemy("goblin", order=[1, 0], health=8)
    players = a("bard"), a("cleric", (6, 13), hand=["green"])
    game = table(*players, map=GROUND | {"6,13": "Pf"}, enemies=[foe], rules={"enemy_restore": variant})
    game.do("attack north", "flee south", dice=[6])
    assert (game.enemy(NORTH)["health"], game.enemy(NORTH)["order"]) == (2 if variant == "last_leaves" else 8, [1])


def test_rogue_58_96_after_that_flight_there_is_no_other_in_the_turn():
    foes = [an_enemy("goblin", order=[0]), an_enemy("cave_bat", (5, 14), order=[])]
    game = hero("bard", map=GROUND | {"5,14": "Pf"}, enemies=foes).do("attack north", "flee east", dice=[6])
    assert (game.position["step"], game.options) == ("fight", ["attack"])
