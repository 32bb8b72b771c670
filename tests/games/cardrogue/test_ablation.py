"""What can be switched off, and what the decisions of a position use."""

from sim.engine.contract import NOTHING, ablation_of
from sim.games.cardrogue import GAME
from tests.games.cardrogue.positions import EAST, SOUTH, Play, a, an_enemy, card_set, table


def names() -> tuple[str, ...]:
    assert GAME.ablatable is not None
    return GAME.ablatable(card_set())


def things(play: Play) -> dict[str, str | None]:
    """What each open action of a position uses."""
    found = {}
    for words, action in play.codes.items():
        number = int(ablation_of(play.state, play.cards.record[0], action))
        found[words] = None if number == NOTHING else names()[number]
    return found


def test_of_two_things_in_one_category_one_happens_where_both_are_forbidden_and_nothing_else_is_open():
    """The category does not show which of the two follows; something must stay open."""
    both = table(a("rogue", hand=["dagger"]))
    assert things(both)["equip"] is None
    assert set(things(both.do("equip")).values()) == {"item.dagger", "character.rogue.offhand"}


def test_names_are_those_of_the_card_file():
    assert names()[:2] == ("rule.flee", "rule.drink")
    assert names()[-3:] == tuple(f"character.mage.spells.{spell}" for spell in ("damage", "move", "potion_heal"))


def test_what_the_categories_of_a_fight_use():
    play = table(a("mage", hand=["red", "scroll_max_health"]), enemies=[an_enemy("goblin")])
    assert things(play) == {
        "attack": None,
        "flee": "rule.flee",
        "drink": "rule.drink",
        "throw": "rule.throw",
        "read": "item.scroll_max_health",
        "cast": None,
    }
    assert things(play.do("cast")) == {
        "cast damage": "character.mage.spells.damage",
        "cast healing": "character.mage.spells.potion_heal",
    }


def test_a_category_uses_what_it_must_lead_to():
    one = table(a("rogue", hand=["dagger"], worn={"primary": "dagger"}))
    assert things(one)["equip"] == "character.rogue.offhand"
    two = table(a("rogue", hand=["dagger", "helm"]))
    assert things(two)["equip"] is None
    assert things(two.do("equip")) == {
        "equip Dagger": "item.dagger",
        "equip Helm": "item.helm",
        "equip Dagger off-hand": "character.rogue.offhand",
    }


def test_what_is_for_sale_is_used_by_whoever_buys_it():
    shop = {"5,12": "H", "4,12": "Pf"}
    poor = table(a("cleric", gold=5), map=shop)
    assert things(poor)["buy"] is None
    some = things(poor.do("buy"))
    assert set(some.values()) == {f"item.scroll_{word}" for word in ("max_health", "identify", "move")}
    single = table(a("cleric", gold=16), map=shop, shop={"debt": 1})
    assert things(single)["buy"] == "item.debt"
    assert things(table(a("cleric", hand=["goblin"], worn={"head": "helm"}), map=shop)) == {
        "pass": None,
        "sell": "rule.sell",
        "take off": "rule.take_off",
    }


def test_what_players_do_to_each_other_and_how_they_answer():
    cards = {"hand": ["key"]}
    play = table(a("rogue", **cards), a("bard", EAST, hand=["red"]), step="interact")
    assert things(play) == {"pass": None, "trade": "rule.trade", "trip": "rule.trip", "steal": "rule.steal"}
    offer = play.do("trade", "offer key", "ask for red potion")
    assert things(offer) == {"refuse": None, "accept": "rule.trade"}


def test_rogue_67_a_leap_after_a_trip_is_used_by_leaping_and_not_by_staying():
    leap = table(a("rogue"), a("bard", EAST), map={"5,12": "Pf", "5,13": "Pf", "5,14": "Pf", "4,13": "Pf"}, step="interact")
    assert things(leap.do("trip east", dice=[6])) == {"leap east": "rule.leap", "leap south": "rule.leap", "stay": None}


def test_who_is_stuck_may_call_the_mole():
    corridor = {"5,12": "P2", "5,13": "Pa", "5,14": "P8", "9,9": "S"}
    stuck = table(a("rogue", gold=10), a("bard", (9, 9)), map=corridor)
    assert things(stuck)["call the mole"] == "rule.mole"


def test_choices_that_must_be_made_use_nothing():
    play = table(a("cleric"), a("bard", SOUTH), step="move")
    assert set(things(play.do("move")).values()) == {None}
