"""Rules of ailments, boons, decks and keywords, on the compiled code (RUNE-95 to 126)."""

from typing import Any

import pytest

from sim.games.runeslingers import GAME
from tests.games.runeslingers.playing import card_set, placed, played, table

ME, ENEMY = "target the own Runeslinger", "target the enemy Runeslinger"
ROMIN: dict[str, Any] = {"deck": "romin_starter", "concentrations": ["insight"] * 6}


def after(hand: list[str], other: dict[str, Any], *do: str) -> dict[str, Any]:
    """Seat 1 of the position after some decisions. hand: of seat 0, which keeps a spare card."""
    told, _ = played(table(ROMIN | {"hand": [*hand, "binding"]}, other), *do)
    player: dict[str, Any] = told["players"][1]
    return player


def spread(*types: str) -> list[dict[str, Any]]:
    """One instance of each type."""
    return [{"type": word} for word in types]


def test_rune_95_an_instance_joins_its_type_or_takes_the_lowest_free_area():
    gap = [{"type": "curse", "area": 1}, {"type": "weaken", "area": 3}]
    told = after(["flaming_fists"], {"ailments": gap}, "play Flaming Fists", ENEMY)
    assert [(entry["type"], entry["area"], entry["count"]) for entry in told["ailments"]] == [
        ("curse", 1, 1),
        ("burn", 2, 2),
        ("weaken", 3, 1),
    ]
    told = after(["curse_strike"], {"ailments": gap}, "play Curse Strike", ENEMY)
    assert told["exposed"]["curse"] == 3


def test_rune_95_a_fifth_type_finds_no_room():
    full = spread("curse", "weaken", "fragment", "insanity")
    told = after(["flaming_fists"], {"ailments": full}, "play Flaming Fists", ENEMY)
    assert (told["exposed"]["burn"], told["health"]) == (0, 16)


def test_rune_97_each_one_acts_as_it_is_applied():
    told = after(["flaming_fists"], {"health": 7}, "play Flaming Fists", ENEMY)
    assert (told["health"], told["power"]) == (19, 4)


@pytest.mark.parametrize(("count", "block"), [(3, 2), (4, 1)])
def test_rune_99_level_ii_acts_from_the_threshold_on(count: int, block: int):
    other = {"ailments": [{"type": "weaken", "count": count}]}
    told = GAME.words.position(placed(table({}, other)), card_set())["players"][1]
    assert (told["stats"]["block"], told["stats"]["damage"]) == (block, -2 if count == 4 else 0)


def test_rune_100_an_area_with_none_left_is_free():
    told = after(["cleanse", "flaming_fists"], {"ailments": spread("curse", "weaken")}, "play Cleanse", ENEMY)
    assert told["ailments"] == []
    do = ("play Cleanse", ENEMY, "play Flaming Fists", ENEMY)
    told = after(["cleanse", "flaming_fists"], {"ailments": spread("curse", "weaken")}, *do)
    assert told["ailments"] == [{"type": "burn", "area": 1, "count": 2}]


def test_rune_101_merging_is_not_applying():
    both = [{"type": "burn", "count": 2}, {"type": "curse"}, {"type": "burn", "count": 1}]
    told = after(["shatter"], {"ailments": both, "boons": [{"area": 3, "card": "binding"}]}, "play Shatter")
    assert told["ailments"] == [{"type": "burn", "area": 1, "count": 3}, {"type": "curse", "area": 2, "count": 1}]
    assert told["health"] == 20


def test_rune_107_concealed_ailments_are_not_counted_nor_removed():
    """Nine, of which two lie under a boon: none go; a Cleanse reaches only what is exposed."""
    hidden = {
        "deck": "eva_starter",
        "ailments": [{"type": "curse", "count": 2}, {"type": "weaken", "count": 7}],
        "boons": [{"area": 1, "card": "binding"}],
    }
    told, _ = played(table(hidden, stage="ailment"), "go on")
    assert told["players"][0]["power"] == 5
    told = after(["cleanse"], hidden | {"deck": "romin_starter"}, "play Cleanse", ENEMY)
    assert [entry["count"] for entry in told["ailments"]] == [2, 4]


def test_rune_110_boons_are_defence_cards():
    """They can be damaged and blocked for."""
    boon = {"ailments": spread("curse"), "boons": [{"card": "binding"}], "hand": ["insight"]}
    do = ("play Fireball", "target enemy Binding")
    told = after(["fireball"], boon, *do, "do not block")
    assert (told["boons"], told["exposed"]["curse"]) == ([], 1)
    told = after(["fireball"], boon, *do, "block with Insight")
    assert (told["boons"][0]["damage"], told["boons"][0]["barrier"]) == (0, 0)


def test_rune_120_121_122_draw_sear_void():
    piles = {"draw_pile": ["shatter", "cleanse", "fireball", "binding"]}
    told, _ = played(table(ROMIN | {"hand": ["insight", "binding"]} | piles), "play Insight")
    assert sorted(told["players"][0]["hand"]) == ["binding", "cleanse", "shatter"]
    four = ["fireball", "insight", "binding", "cleanse"]
    assert after(["deep_void"], {"draw_pile": four}, "play Deep Void")["void"] == four
    assert after(["deep_sear"], {"draw_pile": four}, "play Deep Sear")["discard"][:4] == four


def test_rune_124_destroyed_cards_go_to_their_owner():
    boon = {"ailments": spread("curse"), "boons": [{"card": "binding", "owner": 0}]}
    told, _ = played(table(ROMIN | {"hand": ["shatter", "fireball"]}, boon), "play Shatter")
    assert told["players"][0]["discard"] == ["binding"]
    assert told["players"][1]["discard"] == []


def test_rune_125_distract_takes_the_concentration_along_however_it_leaves():
    """Countered, a Reckless Bolt takes its concentration with it at once."""
    own = ROMIN | {"concentrations": ["insight", "insight"], "hand": ["reckless_bolt", "fireball"]}
    rune = {"hand": ["counter_rune"], "concentrations": 2}
    do = ("play Reckless Bolt", ENEMY, "answer with Counter Rune")
    told, _ = played(table(own, rune), *do)
    assert told["players"][0]["discard"] == ["insight", "reckless_bolt"]
    assert len(told["players"][0]["concentrations"]) == 1


def test_rune_126_a_trapped_card_loses_tokens_and_damage():
    """And comes back to the hand without them."""
    chant = {"concentrations": 1, "things": [{"card": "gathering_chant", "tokens": 3, "damage": 2}]}
    told = after(["stone_trap"], chant, "play Stone Trap", "target enemy Gathering Chant")
    assert (told["things"], told["discard"]) == ([], [])
    again, _ = played(
        table(ROMIN | {"hand": ["stone_trap", "shatter", "binding"]}, chant),
        *("play Stone Trap", "target enemy Gathering Chant", "play Shatter"),
    )
    assert again["players"][1]["hand"] == ["gathering_chant"]
