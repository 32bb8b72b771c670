"""Rules of damage, blocks and health loss, on the compiled code (RUNE-80 to 90, 127)."""

from typing import Any

from sim.games.runeslingers import GAME
from tests.games.runeslingers.playing import played, table

ENEMY = "target the enemy Runeslinger"
ROMIN: dict[str, Any] = {"deck": "romin_starter"}
BLOCKER: dict[str, Any] = {"deck": "eva_starter", "hand": ["insight"]}


def after(hand: list[str], other: dict[str, Any], *do: str, **own: Any) -> tuple[dict[str, Any], list[str]]:
    """Seat 1 of the position after some decisions, and what is open. hand: of seat 0, which keeps a spare card."""
    told, options = played(table(ROMIN | {"concentrations": 6, "hand": [*hand, "binding"]} | own, other), *do)
    player: dict[str, Any] = told["players"][1]
    return player, options


def test_rune_80_bonuses_by_type_count_once_and_health_loss_never_changes():
    """A spirit, an attack; 2 Weaken II; and Draining Chant."""
    boosts = {"boosts": {"damage": 1, "damage_spirit": 4, "damage_attack": 2}}
    assert after(["small_bolt"], {}, "play Small Bolt", ENEMY, **boosts)[0]["health"] == 12
    assert after(["insanity_strike"], {}, "play Insanity Strike", ENEMY, **boosts)[0]["health"] == 15
    weak = {"ailments": [{"type": "weaken", "count": 4}]}
    assert after(["small_bolt"], {}, "play Small Bolt", ENEMY, **weak)[0]["health"] == 19
    assert after(["insanity_strike"], {}, "play Insanity Strike", ENEMY, **weak)[0]["exposed"]["insanity"] == 0
    chant = {"things": [{"slot": 1, "card": "draining_chant"}]}
    assert after([], {}, "activate Draining Chant", **boosts, **weak, **chant)[0]["health"] == 18


def test_rune_81_82_a_block_needs_an_enemy_source_a_card_and_a_value():
    play = ("play Small Bolt", ENEMY)
    assert after(["small_bolt"], BLOCKER, *play)[1] == ["do not block", "block with Insight"]
    for no_block in (
        BLOCKER | {"hand": []},
        BLOCKER | {"blocked": 1},
        BLOCKER | {"barrier": 3},
        BLOCKER | {"ailments": [{"type": "weaken", "count": 4}]},
    ):
        assert "do not block" not in after(["small_bolt"], no_block, *play)[1]
    own = played(table({"hand": ["small_bolt", "fireball"]}), "play Small Bolt", "target the own Runeslinger")
    assert own[0]["players"][0]["health"] == 17


def test_rune_83_barriers_add_up_and_shrink():
    told, _ = after(["small_bolt"], BLOCKER | {"barrier": 2}, "play Small Bolt", ENEMY, "block with Insight")
    assert (told["barrier"], told["health"]) == (3, 20)


def test_rune_84_direct_damage_passes_barriers_and_is_not_blocked():
    told, options = after(["direct_bolt"], BLOCKER | {"barrier": 5}, "play Direct Bolt", ENEMY)
    assert (told["health"], told["barrier"]) == (16, 5)
    assert "do not block" not in options


def test_rune_85_basic_damage_deals_no_more_than_there_is():
    told, _ = after(["fireball"], {"health": 3}, "play Fireball", ENEMY)
    assert (told["power"], told["health"]) == (4, 20)


def test_rune_86_damage_adds_up_and_the_rest_is_lost():
    stone = {"concentrations": 1, "things": [{"card": "ward_stone", "damage": 3}]}
    told, _ = after(["small_bolt"], stone, "play Small Bolt", "target enemy Ward Stone")
    assert told["things"][0]["damage"] == 6
    told, _ = after(["fireball"], stone, "play Fireball", "target enemy Ward Stone")
    assert (told["things"], told["health"], told["discard"]) == ([], 20, ["ward_stone"])


def test_rune_87_pierce_goes_through_several_powers():
    """12 at 2 health of a Runeslinger whose maximum is 4."""
    other = {"health": 2, "ailments": [{"type": "debilitate", "count": 16}]}
    told, _ = after(["great_bolt_x"], other, "play Great Bolt X", ENEMY)
    assert (told["power"], told["health"]) == (2, 2)


def test_rune_88_health_loss_takes_its_full_amount():
    """9 of a Divine Barrier at 3 health of a maximum of 4."""
    other = {
        "health": 3,
        "ailments": [{"type": "debilitate", "count": 16}, {"type": "burn"}],
        "boons": [{"area": 2, "card": "divine_barrier", "owner": 0}],
    }
    told, _ = after(["shatter"], other, "play Shatter")
    assert (told["power"], told["health"]) == (3, 2)


def test_rune_89_no_ailments_where_nothing_was_dealt():
    told, _ = after(["curse_strike"], {"barrier": 3}, "play Curse Strike", ENEMY)
    assert (told["exposed"]["curse"], told["barrier"]) == (0, 0)
    told, _ = after(["curse_strike"], {"barrier": 2}, "play Curse Strike", ENEMY)
    assert told["exposed"]["curse"] == 2


def test_rune_89_the_hit_follows_the_whole_event():
    """The last health goes, it is reset, then the ailment lowers it."""
    told, _ = after(["piercing_strike"], {"health": 6}, "play Piercing Strike", ENEMY)
    assert (told["power"], told["health"], told["exposed"]["debilitate"]) == (4, 19, 1)


def test_rune_90_each_damage_effect_is_an_event_of_its_own():
    """Two bolts: one blocked, the other not."""
    do = ("play Twin Bolt", ENEMY, ENEMY, "block with Insight")
    told, _ = after(["twin_bolt"], BLOCKER, *do)
    assert told["health"] == 14


def test_rune_127_pierce_is_for_all_damage_of_the_card():
    document = dict(GAME.load(None).document)
    piercing = [card["id"] for card in document["card"] if "pierce" in card.get("keywords", ())]
    assert piercing == ["plutonic_spike", "great_bolt_x", "piercing_strike"]
    told, _ = after(["piercing_strike"], {"health": 4}, "play Piercing Strike", ENEMY)
    assert (told["power"], told["health"]) == (4, 18)
