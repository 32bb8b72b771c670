"""ROGUE-66: trades."""

import pytest

from tests.games.cardrogue.positions import CROSS, an_enemy
from tests.games.cardrogue.surroundings import meeting


def test_rogue_66_an_accepted_offer_changes_hands():
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]})
    game.do("trade north", "offer blue potion", "ask for key")
    assert (game.to_act, game.options) == (1, ["refuse", "accept"])
    game.do("accept")
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [["key"], ["blue"]]
    assert game.to_act == 0


def test_rogue_66_a_refused_offer_changes_nothing_and_counts():
    game = meeting({"hand": ["blue", "red"]}, {"hand": ["key"]})
    game.do("trade north", "offer blue potion", "ask for key", "refuse")
    assert [game.player(seat)["hand"] for seat in (0, 1)] == [["blue", "red"], ["key"]]
    assert game.position["offers"] == [{"partner": 1, "give": "blue", "want": "key"}]
    assert game.do("trade north").options == ["offer red potion"], "blue for the key was offered"


@pytest.mark.parametrize(("gives", "wants"), [("3 gold", "key"), ("key", "3 gold")])
def test_rogue_66_gold_buys_cards_either_way(gives, wants):
    rich, owner = {"gold": 5}, {"hand": ["key"]}
    game = meeting(*((rich, owner) if "gold" in gives else (owner, rich)))
    game.do("trade north", f"offer {gives}", f"ask for {wants}", "accept")
    buyer = 0 if "gold" in gives else 1
    assert (game.player(buyer)["gold"], game.player(buyer)["hand"]) == (2, ["key"])
    assert (game.player(1 - buyer)["gold"], game.player(1 - buyer)["hand"]) == (3, [])


def test_rogue_66_one_to_16_gold_and_never_gold_for_gold():
    game = meeting({"gold": 40, "hand": ["blue"]}, {"gold": 20, "hand": ["key"]})
    game.do("trade north")
    amounts = [f"{gold} gold" for gold in range(1, 17)]
    assert game.options == ["offer blue potion", *(f"offer {amount}" for amount in amounts)]
    game.do("offer 7 gold")
    assert game.options == ["ask for key"]
    other = meeting({"gold": 40, "hand": ["blue"]}, {"gold": 2, "hand": ["key"]})
    other.do("trade north", "offer blue potion")
    assert other.options == ["ask for key", "ask for 1 gold", "ask for 2 gold"]


def test_rogue_66_only_gold_on_both_sides_is_no_trade():
    assert "trade" not in meeting({"gold": 9}, {"gold": 9}).options


def test_rogue_66_only_cards_with_the_trade_symbol():
    """Loot, potions, the key and shop cards; no bosses, no artifacts; nothing that is worn."""
    hand = ["key", "blue", "attack_plus", "attack_minus", "goblin", "golem", "basilisk_green", "sword", "scroll_move"]
    game = meeting({"hand": hand, "worn": {"head": "helm"}}, {"gold": 1})
    game.do("trade north")
    wares = ["key", "blue potion", "Goblin", "Sword", "Scroll of move"]
    assert game.options == [f"offer {ware}" for ware in wares]


def test_rogue_66_not_with_somebody_in_combat():
    goblin = an_enemy("goblin", (7, 12), order=[1])
    game = meeting({"hand": ["blue"]}, {"hand": ["key"]}, map=CROSS | {"7,12": "Pf"}, enemies=[goblin])
    assert game.options == ["pass", "drink", "throw", "trip", "steal"]


def test_rogue_66_two_offers_a_turn_and_none_twice():
    game = meeting({"hand": ["blue"]}, {"hand": ["key", "red"], "gold": 0})
    game.do(
        "trade",
        "trade north",
        "offer blue potion",
        "ask for key",
        "refuse",
        "trade",
        "trade north",
        "offer blue potion",
    )
    assert game.options == ["ask for red potion"]
    game.do("ask for red potion", "refuse")
    assert "trade" not in game.options


@pytest.mark.parametrize("offers", [0, 1, 3])
def test_rogue_66_offers_per_turn_are_a_rule_of_the_file(offers):
    game = meeting({"hand": ["blue"]}, {"hand": ["key", "red", "pink"]}, rules={"offers_per_turn": offers})
    for ware in ("key", "red potion", "pink potion")[:offers]:
        game.do("trade north", "offer blue potion", f"ask for {ware}", "refuse")
    assert "trade" not in game.options


def test_rogue_66_gold_that_bought_one_thing_may_be_offered_for_what_is_left():
    """The offer made before is another one, also when only one thing is left to ask for."""
    game = meeting({"gold": 9}, {"hand": ["key", "blue"]})
    game.do("trade north", "offer 3 gold", "ask for key", "accept")
    game.do("trade north", "offer 3 gold", "ask for blue potion", "accept")
    assert (game.player(0)["hand"], game.player(0)["gold"]) == (["key", "blue"], 3)
