"""ROGUE-75, 76, 77, 78 and what belongs to them: buying, selling, the debt, the chest, cards left by the dead."""

import pytest

from tests.games.cardrogue.positions import CROSS, EAST, NORTH, Play, a, an_enemy, table

SHOP = CROSS | {"5,12": "H"}


def customer(character: str = "warrior", *others: dict, **facts: object) -> Play:
    """A player on a shop, about to begin."""
    rules = facts.pop("rules", {})
    return table(a(character, **facts), *others, map=SHOP, rules=rules)


def test_rogue_75_an_item_costs_twice_its_gold_value_and_goes_to_the_hand():
    """G-15: the sword, gold value 5, costs 10."""
    game = customer(gold=10).do("buy Sword")
    assert (game.player(0)["gold"], game.player(0)["hand"], game.player(0)["worn"]) == (0, ["sword"], {})
    assert "sword" not in game.position["shop"]
    assert "buy" not in game.options


def test_rogue_75_only_what_is_in_the_pile_and_can_be_paid_is_on_offer():
    game = customer(gold=7).do("buy")
    affordable = ["Dagger", "Vision Lens", "Scroll of max health", "Scroll of identify", "Scroll of move"]
    assert game.options == [f"buy {word}" for word in [*affordable, "Scroll of antidote", "Scroll of remove curse"]]
    assert "buy" not in customer(gold=3).options
    emptied = table(a("warrior", gold=99), map=SHOP, shop={"dagger": 1, "debt": 1}).do("buy")
    assert emptied.options == ["buy Dagger", "buy Shopkeeper's Debt"]


def test_rogue_75_any_number_of_cards_in_any_of_steps_1_to_3():
    game = customer("warrior", a("bard", NORTH, hand=["key"]), gold=12).do("buy Dagger")
    game.do("pass", "buy Vision Lens")
    assert game.position["step"] == "move"
    game.do("pass")
    assert (game.position["step"], game.player(0)["gold"]) == ("interact", 0)
    assert game.player(0)["hand"] == ["dagger", "vision_lens"]


def test_rogue_75_not_in_combat_and_nowhere_but_on_a_shop():
    fighting = table(a("warrior", gold=40, hand=["dagger"]), map=SHOP, enemies=[an_enemy("troll")])
    assert fighting.options == ["attack", "flee"]
    away = table(a("warrior", gold=40, hand=["dagger"]), map=CROSS | {"6,12": "H"})
    assert not {"buy", "sell"} & set(away.options)


def test_rogue_75_the_debt_scores_for_good_and_leaves_the_game():
    game = customer(gold=16).do("buy Shopkeeper's Debt")
    assert game.player(0)["scored"] == {"chest": 0, "debt": 1, "exit": 0}
    assert (game.player(0)["points"], game.player(0)["hand"], game.player(0)["gold"]) == (1, [], 0)
    assert game.position["gone"] == {"debt": 1}
    assert "debt" not in game.position["shop"]


def test_rogue_75_a_purchase_ends_a_turn_of_mere_walking():
    game = table(a("warrior", gold=10), map=CROSS | {"6,12": "Hf", "7,12": "Pf"})
    game.do("pass", "move north", "buy Sword")
    assert "only_walked" not in game.position["done"]


def test_rogue_76_a_card_is_sold_for_its_gold_value_and_discarded():
    game = customer(hand=["goblin", "blue", "sword"]).do("sell Goblin", "sell blue potion")
    assert game.player(0)["gold"] == 3 + 3
    game.do("sell Sword")
    assert (game.player(0)["gold"], game.player(0)["hand"]) == (11, [])
    assert game.position["gone"] == {"blue": 1, "goblin": 1, "sword": 1}
    assert "sword" not in game.position["shop"]


def test_rogue_76_worn_cards_can_be_sold_a_two_slot_card_leaves_both_slots():
    game = customer(worn={"primary": "maul", "head": "helm"}).do("sell Maul")
    assert (game.player(0)["worn"], game.player(0)["gold"]) == ({"head": "helm"}, 8)
    game.do("sell Helm")
    assert (game.player(0)["worn"], game.player(0)["gold"]) == ({}, 12)


def test_rogue_76_of_two_copies_the_one_in_hand_is_sold_first():
    game = customer(worn={"primary": "dagger"}, hand=["dagger"]).do("sell Dagger")
    assert (game.player(0)["worn"], game.player(0)["hand"], game.player(0)["gold"]) == ({"primary": "dagger"}, [], 3)


def test_rogue_76_what_has_no_gold_value_stays():
    game = customer(hand=["key", "attack_plus", "attack_minus", "golem", "cave_bat"]).do("sell Cave Bat")
    assert "sell" not in game.options
    assert game.player(0)["hand"] == ["key", "attack_plus", "attack_minus", "golem"]


@pytest.mark.parametrize(("switch", "gone", "pile"), [("discarded", {"boots": 1}, 0), ("back_to_shop", {}, 1)])
def test_rogue_04_76_where_a_sold_shop_card_goes(switch, gone, pile):
    game = customer(hand=["boots"], rules={"sold_items": switch}).do("sell Boots")
    assert (game.position["gone"], game.position["shop"].get("boots", 0)) == (gone, pile)


def test_rogue_04_loot_that_is_sold_never_comes_to_the_shop():
    game = customer(hand=["goblin"], rules={"sold_items": "back_to_shop"}).do("sell Goblin")
    assert (game.position["gone"], game.position["shop"].get("goblin", 0)) == ({"goblin": 1}, 0)


def test_rogue_75_76_a_bard_who_buys_and_sells_the_same_card_comes_to_an_end():
    """Bought for its gold value, sold for it, and back in the shop: after 60 deals of a turn the shop is shut."""
    game = customer("bard", gold=5, hand=["blue"], rules={"sold_items": "back_to_shop"})
    for _ in range(30):
        game.do("buy Sword", "sell Sword")
    assert (game.player(0)["gold"], game.options) == (5, ["pass", "drink"])


CHEST = CROSS | {"6,12": "C"}


def test_rogue_77_arriving_with_the_key_opens_the_chest():
    game = table(a("warrior", hand=["key"]), map=CHEST).do("pass", "move north")
    assert (game.player(0)["scored"]["chest"], game.player(0)["hand"], game.position["gone"]) == (1, [], {"key": 1})
    assert game.map["6,12"] == "Pf"


def test_rogue_77_without_the_key_it_stays_shut():
    game = table(a("warrior", hand=["blue"]), map=CHEST).do("pass", "move north")
    assert (game.player(0)["points"], game.map["6,12"]) == (0, "C")


def test_rogue_77_a_chest_that_turns_up_under_the_key_holder_opens():
    """A-29: a potion is picked up, and the card that replaces it is the chest."""
    game = table(a("warrior", hand=["key"]), map=CROSS | {"6,12": "O:blue"})
    game.do("pass", "move north", draws=["chest"])
    assert (game.player(0)["points"], game.player(0)["hand"], game.map["6,12"]) == (1, ["blue"], "Pf")


def test_rogue_77_the_key_that_is_turned_over_from_the_chest_opens_it():
    game = table(a("warrior"), map={"5,12": "C", "6,12": "?"}).do("flip north", draws=["key", "straight"])
    assert (game.player(0)["points"], game.player(0)["hand"]) == (1, [])


def test_rogue_77_the_point_for_the_chest_survives_death_and_theft():
    """The one who opened it dies of poison: the point stays."""
    owner = a("warrior", health=1, poison=2, scored={"chest": 1})
    game = table(owner, a("bard", (4, 12)), map=CROSS | {"0,12": "S"}, active=1).end_turn()
    assert (game.options, game.player(0)["points"]) == (["come back at row 0 column 12"], 1)


LEFT = [{"at": list(NORTH), "cards": ["sword", "key", "10 gold"]}, {"at": list(EAST), "cards": ["helm"]}]


def test_rogue_78_cards_of_the_dead_go_to_whoever_moves_onto_the_cell():
    game = table(a("warrior"), map=CROSS, left=LEFT).do("pass", "move north")
    assert (game.player(0)["hand"], game.player(0)["gold"]) == (["key", "sword"], 10)
    assert game.position["left"] == LEFT[1:]


def test_rogue_27_78_the_key_of_the_dead_opens_the_chest_it_lies_on():
    game = table(a("warrior"), map=CHEST, left=[{"at": list(NORTH), "cards": ["key"]}])
    assert game.do("pass", "move north").player(0)["points"] == 1


def test_rogue_78_even_where_a_trap_kills_at_once():
    """The cards come first, the trap after: the dead keeps one of them."""
    trapped = CROSS | {"6,12": "T:spike", "0,12": "S"}
    game = table(a("warrior", health=2), a("bard", (0, 12)), map=trapped, left=LEFT[:1])
    game.do("pass", "move north")
    assert game.options == ["keep key", "keep Sword", "keep 10 gold"]
