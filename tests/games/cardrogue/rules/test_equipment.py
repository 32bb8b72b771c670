"""ROGUE-07, 80 to 82, 84 and 85: what is worn, artifacts, curses, and what cards may be used for."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, NORTH, WEST, a, an_enemy, table

GOBLIN = [an_enemy("goblin")]
FAR = CROSS | {"9,9": "Pf"}  # another player waits there


BESIDE = [an_enemy("goblin", EAST)]
FULL = 40  # health of the enemies of these tests
STURDY = {f"enemy.{enemy}.health": FULL for enemy in ("kobold", "goblin", "cave_bat")}


def damage_of(*faces: int, character: str = "rogue", **facts: object) -> int:
    """What one attack with these faces does."""
    game = table(a(character, **facts), a("bard", (9, 9)), map=FAR, enemies=GOBLIN, changes=STURDY)
    game.do("attack north", dice=faces)
    return FULL - game.enemy(NORTH)["health"]


def loss_to(enemy: str, worn: dict[str, str]) -> int:
    """What one attack of an enemy takes from a player who wears that."""
    game = table(a("warrior", worn=worn), a("bard", (9, 9)), map=FAR, enemies=[an_enemy(enemy)], changes=STURDY)
    game.do("attack north", dice=[5])
    return 12 - game.health()


def test_rogue_81_equipping_takes_the_card_out_of_the_hand_and_puts_back_what_was_there():
    game = table(a("warrior", hand=["helm", "vision_lens"]))
    game.do("equip Helm")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["vision_lens"], {"head": "helm"})
    game.do("equip Vision Lens")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["helm"], {"head": "vision_lens"})
    game.do("take off Vision Lens (head)")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["helm", "vision_lens"], {})


def test_rogue_81_five_slots_one_card_each():
    worn = {"head": "helm", "chest": "chestplate", "feet": "boots", "primary": "sword", "secondary": "shield"}
    game = table(a("warrior", hand=[*worn.values()]))
    for name in ("Helm", "Chestplate", "Boots", "Sword", "Shield"):
        game.do("equip", f"equip {name}")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == ([], worn)


def test_rogue_81_a_two_slot_card_fills_both_and_a_card_in_either_throws_it_out():
    game = table(a("warrior", hand=["maul", "dagger", "shield"], worn={})).do("equip Dagger")
    game.do("equip Shield", "equip Maul")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["dagger", "shield"], {"primary": "maul"})
    state, maul = game.state, int(game.state["worn"][0, 3])
    assert state["worn"][0].tolist() == [-1, -1, -1, maul, maul]
    game.do("equip Shield")
    assert (game.player(0)["hand"], game.player(0)["worn"]) == (["dagger", "maul"], {"secondary": "shield"})


def test_rogue_81_six_changes_a_turn_in_steps_1_to_3():
    game = table(a("warrior", hand=["helm", "blue"]))
    for change in range(6):
        assert {"equip", "take off"} & set(game.options)
        game.do("take off Helm (head)" if change % 2 else "equip Helm")
        if change in (1, 3):
            game.do("pass")
    assert (game.position["step"], game.position["equips"]) == ("interact", 6)
    assert game.options == ["pass", "drink"]


@pytest.mark.parametrize(("allowed", "open_"), [(False, False), (True, True)])
def test_rogue_81_in_combat_only_with_the_switch_and_only_before_step_1(allowed, open_):
    fighter = a("warrior", hand=["helm"], worn={"primary": "sword"})
    game = table(fighter, enemies=GOBLIN, rules={"equip_in_combat": allowed})
    assert ({"equip", "take off"} <= set(game.options)) is open_
    if allowed:
        game.do("equip Helm")
        assert game.player(0)["worn"] == {"head": "helm", "primary": "sword"}
        game.do("take off Sword (primary)", "attack north", dice=[4])
        assert game.enemy(NORTH)["health"] == 4, "without the sword"
        assert game.health() == 11, "with the helm"


def test_rogue_81_after_step_1_nothing_is_changed_even_with_the_switch():
    fighter = a("warrior", hand=["helm", "blue"])
    game = table(fighter, enemies=GOBLIN, rules={"equip_in_combat": True})
    game.do("attack north", dice=[1])
    assert game.options == ["pass", "drink", "throw"]


def test_rogue_81_only_what_is_worn_has_its_effect():
    carried = table(a("warrior", hand=["sword", "helm", "maul", "dagger", "shield"]), enemies=GOBLIN)
    carried.do("attack north", dice=[1])
    assert (carried.enemy(NORTH)["health"], carried.health()) == (7, 10)


@pytest.mark.parametrize(
    ("worn", "face", "damage"),
    [
        ({}, 5, 5),
        ({"primary": "sword"}, 5, 6),  # G-02
        ({"primary": "battle_axe"}, 2, 3),
        ({"primary": "battle_axe"}, 4, 4),
        ({"primary": "maul"}, 5, 10),
        ({"primary": "maul"}, 6, 0),
        ({"secondary": "shield"}, 1, 1),
    ],
)
def test_rogue_44_45_81_what_the_weapons_do(worn, face, damage):
    assert damage_of(face, character="cleric", worn=worn) == damage


def test_rogue_43_81_the_dagger_throws_two_dice_for_every_1():
    """G-03: dagger, +2 from an artifact, 1 then 2 and 5: 9; and a 1 among the two adds two more."""
    assert damage_of(1, 2, 5, worn={"primary": "dagger"}, hand=["attack_plus"]) == 9
    assert damage_of(1, 1, 4, 3, 6, worn={"primary": "dagger"}) == 13


def test_rogue_44_45_the_order_of_minimum_product_and_modifier():
    """G-01, G-04, G-05; never below 0, and a miss takes no modifier."""
    assert damage_of(5, character="cleric", potion_attack=1, worn={"primary": "maul"}) == 11
    assert damage_of(6, character="cleric", potion_attack=1, worn={"primary": "maul"}) == 0
    assert [damage_of(2, potion_attack=n) for n in (2, -1)] == [4, 1]
    assert [damage_of(2, potion_attack=n, worn={"primary": "battle_axe"}) for n in (2, -1)] == [5, 3]
    assert damage_of(1, potion_attack=-3) == 0


ARMOUR = {"head": "helm", "chest": "chestplate", "feet": "boots"}


@pytest.mark.parametrize(("pieces", "loss"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_rogue_82_armour_adds_up_against_attacks(pieces, loss):
    assert loss_to("kobold", dict([*ARMOUR.items()][:pieces])) == loss


def test_rogue_50_82_armour_never_turns_an_attack_into_healing():
    assert loss_to("cave_bat", ARMOUR) == 0


def test_rogue_82_armour_counts_against_each_attack_apart():
    game = table(a("warrior", worn={"head": "helm"}), enemies=[an_enemy("kobold"), *BESIDE], changes=STURDY)
    game.do("attack north", dice=[5])
    assert game.health() == 12 - 3 - 1


def test_rogue_82_armour_does_not_help_against_traps_and_poison():
    game = table(a("warrior", worn=ARMOUR, poison=2), map=CROSS | {"6,12": "T:spike"})
    game.do("pass", "move north")
    assert game.health() == 10
    game.end_turn()
    assert game.health() == 9


LINE = {f"{row},12": "Pf" for row in range(4, 10)}


def test_rogue_26_82_hasty_boots_add_a_tile_in_step_2():
    plain = table(a("warrior"), map=LINE, rules={"repeat_moves": 0}).do("pass", "move north")
    assert (plain.at(0), plain.position["moves_left"]) == (NORTH, 0)
    game = table(a("warrior", worn={"feet": "hasty_boots"}), map=LINE, rules={"repeat_moves": 0})
    game.do("pass", "move north", "move north")
    assert (game.at(0), "move" in game.options) == ((7, 12), False)


@pytest.mark.parametrize(("repeats", "tiles"), [(0, 2), (1, 3), (2, 4)])
def test_rogue_30_82_a_turn_of_walking_goes_on_by_one_tile_at_a_time(repeats, tiles):
    game = table(a("warrior", worn={"feet": "hasty_boots"}), a("bard", (4, 12)), map=LINE, rules={"repeat_moves": repeats})
    game.do("pass")
    for _ in range(tiles):
        while "move" not in game.options:
            game.do("pass")
        game.do("move north")
    game.end_turn()
    assert game.at(0) == (5 + tiles, 12)
    assert game.current_player == 1


def test_rogue_28_82_hasty_boots_do_not_carry_past_an_enemy():
    game = table(a("warrior", worn={"feet": "hasty_boots"}), map=LINE, enemies=[an_enemy("goblin", (7, 12))])
    game.do("pass", "move north")
    assert (game.at(0), game.options) == (NORTH, ["attack"])


def test_rogue_80_only_potions_are_thrown():
    game = table(a("warrior", hand=["goblin", "key", "sword", "scroll_antidote", "attack_plus", "blue"]), enemies=GOBLIN)
    assert game.do("throw").options == ["throw blue potion"]
    assert "throw" not in table(a("warrior", hand=["goblin", "key", "sword", "debt"][:3]), enemies=GOBLIN).options


def test_rogue_80_what_has_no_gold_value_is_left_at_death_not_discarded():
    owner = a("warrior", health=2, hand=["key", "attack_plus", "golem", "goblin", "sword"])
    game = table(owner, a("bard", (0, 12)), map=CROSS | {"0,12": "S", "0,17": "S"}, enemies=[an_enemy("kobold")])
    game.do("attack north", dice=[1])
    game.do("keep Sword", "leave Goblin")
    assert game.position["left"] == [{"at": [5, 12], "cards": ["goblin", "key", "attack_plus", "golem"]}]
    assert game.position["gone"] == {}


def test_rogue_07_84_artifacts_work_from_the_hand_several_at_once():
    game = table(a("warrior", hand=["attack_plus", "attack_minus", "health_plus", "health_minus"]))
    assert (game.player(0)["attack"], game.player(0)["max_health"]) == (0, 13)
    assert "equip" not in game.options


def test_rogue_07_84_an_artifact_that_is_turned_over_works_at_once():
    """G-07: max 10, health 7, +4 max health: 14 and 11. The card that replaces it lies where it lay."""
    game = table(a("bard", health=7), map={"5,12": "Pf", "6,12": "?"})
    game.do("flip north", draws=["health_plus", "straight"])
    assert (game.player(0)["max_health"], game.health(), game.player(0)["hand"]) == (14, 11, ["health_plus"])
    assert game.paths(NORTH) == "NS"


def test_rogue_07_08_85_a_cursed_card_lowers_the_maximum_and_leaves_health_alone():
    """G-08: max 10, health 10, -3: max 7, health 10; healing does nothing at 9 and fills up to 7 from 6."""
    game = table(a("bard"), map={"5,12": "Pf", "6,12": "?"})
    game.do("flip north", draws=["health_minus", "straight"])
    assert (game.player(0)["max_health"], game.health()) == (7, 10)
    for health, after in [(6, 7), (9, 9)]:
        drinker = table(a("bard", health=health, hand=["health_minus", "red"]), potions={"red": "healing"})
        assert drinker.do("drink red potion").health() == after


def test_rogue_85_a_cursed_card_cannot_be_got_rid_of_by_choice():
    curses = ["attack_minus", "health_minus"]
    game = table(a("warrior", hand=curses), a("bard", NORTH, hand=["goblin"], gold=3), map=CROSS | {"5,12": "H"})
    assert "sell" not in game.options
    game.do("pass", "pass")
    assert game.options == ["pass", "trip", "steal"], "nothing to trade with: a curse is no ware"


@pytest.mark.parametrize("curse", ["attack_minus", "health_minus"])
def test_rogue_84_85_a_curse_leaves_the_hand_by_theft(curse):
    game = table(a("warrior"), a("bard", NORTH, hand=[curse], health=6))
    game.do("pass", "pass", "steal north", dice=[6], draws=[curse])
    assert (game.player(0)["hand"], game.player(1)["hand"], game.health(1)) == ([curse], [], 6)
    assert (game.player(1)["max_health"], game.player(1)["attack"]) == (10, 0)


def test_rogue_07_a_stolen_artifact_adds_to_the_health_of_the_thief_alone():
    game = table(a("warrior", health=5), a("bard", WEST, hand=["health_plus"], health=12))
    game.do("pass", "pass", "steal west", dice=[6], draws=["health_plus"])
    assert (game.health(0), game.player(0)["max_health"]) == (9, 16)
    assert (game.health(1), game.player(1)["max_health"]) == (12, 10), "above the maximum: it stays"
