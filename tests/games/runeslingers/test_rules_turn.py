"""Rules of the turn, on the compiled code (RUNE-30 to 45)."""

from typing import Any

from tests.games.runeslingers.playing import played, table, with_rules

ENEMY = "target the enemy Runeslinger"
HELD = {"hand": ["fireball", "binding"]}


def own(told: tuple[dict[str, Any], list[str]]) -> dict[str, Any]:
    """Seat 0 of a position."""
    player: dict[str, Any] = told[0]["players"][0]
    return player


def test_rune_30_the_phases_follow_each_other():
    """Begin: a used concentration is ready, eight ailments are gone, two cards drawn, and the pass is asked."""
    before = {"concentrations": [{"card": "insight", "used": True}], "ailments": [{"type": "weaken", "count": 8}]}
    after, options = played(table(before, stage="begin"), "go on")
    told = after["players"][0]
    assert not told["concentrations"][0]["used"]
    assert (told["power"], told["exposed"]["weaken"], len(told["hand"])) == (4, 0, 3)
    assert after["phase"] == "pass"
    assert options[:2] == ["play on", "pass and draw a card"]
    after, _ = played(table(before, stage="begin"), "go on", "play on", "end the turn")
    assert (after["turn"], after["active"]) == (7, 1)


def test_rune_31_counts_of_both_begin_anew():
    spent = {"sets_left": 0, "blocked": 1, "inherent_uses": 1}
    lens = {"things": [{"card": "draining_chant", "uses": [1, 0], "charged": True}]}
    after, _ = played(table(spent | lens, spent, stage="begin"), "go on")
    for told in after["players"]:
        assert (told["sets_left"], told["blocked"], told["inherent_uses"]) == (1, 0, 0)
    assert after["players"][0]["things"][0]["uses"] == [0, 0]
    assert not after["players"][0]["things"][0]["charged"]


def test_rune_32_a_boon_of_the_enemy_is_readied_too():
    boon = {"ailments": [{"type": "burn"}], "boons": [{"card": "binding", "owner": 1, "used": True}]}
    assert not own(played(table(boon, stage="ready"), "go on"))["boons"][0]["used"]


def test_rune_35_the_first_turn_draws_one():
    for turn, active, drawn in ((0, 0, 1), (1, 0, 2), (2, 0, 2)):
        after, _ = played(table({"hand": []}, turn=turn, active=active, stage="draw"), "go on")
        assert len(after["players"][0]["hand"]) == drawn


def test_rune_36_a_card_beyond_the_limit_is_discarded_as_it_comes():
    seven = {"hand": ["fireball", "fireball", "insight", "insight", "cleanse", "cleanse", "binding"]}
    told = own(played(table(seven | {"draw_pile": ["great_bolt_x", "shatter"]}, stage="draw"), "go on"))
    assert len(told["hand"]) == 8
    assert told["discard"] == ["shatter"]


def test_rune_37_after_a_pass_there_is_no_play_phase():
    after, _ = played(table(HELD, stage="draw"), "go on", "pass and draw a card")
    assert (after["active"], len(after["players"][0]["hand"])) == (1, 5)


def test_rune_37_what_is_taken_back_is_exposed():
    covered = {"things": [{"slot": 3, "card": "ward_stone"}]}
    options = played(table(covered, stage="pass"), "go on")[1]
    assert options == ["play on", "pass and draw a card", "pass and take back Insight"]


def test_rune_38_in_any_order_until_it_is_ended():
    told = table({"hand": ["small_bolt", "binding", "cleanse"]})
    after, options = played(told, "play Small Bolt", ENEMY, "set Binding", "play Cleanse", ENEMY)
    assert after["players"][1]["health"] == 17
    assert len(after["players"][0]["concentrations"]) == 4
    assert "end the turn" in options


def test_rune_39_on_the_lowest_free_slot_ready():
    gap = {"concentrations": [{"slot": 1}, {"slot": 3}], "hand": ["binding", "fireball"]}
    told = own(played(table(gap), "set Binding"))
    assert [entry["slot"] for entry in told["concentrations"]] == [1, 2, 3]
    assert (told["concentrations"][1]["card"], told["concentrations"][1]["used"]) == ("binding", False)
    assert told["sets_left"] == 0


def test_rune_40_a_concentration_is_turned_for_one_light():
    cards = with_rules(float_light=True)
    told = own(played(table(HELD), "make light", cards=cards))
    assert told["light"] == 1
    assert [entry["used"] for entry in told["concentrations"]] == [True, False, False]
    assert "make light" not in played(table(HELD))[1]


def test_rune_40_in_the_enemy_turn_only_to_pay():
    """Quick Ward, an answer, turns the one concentration that it needs."""
    ward = {"concentrations": 2, "hand": ["quick_ward", "fireball"]}
    bolt = table({"hand": ["small_bolt", "fireball"]}, ward)
    after, _ = played(bolt, "play Small Bolt", ENEMY, "answer with Quick Ward")
    other = after["players"][1]
    assert [entry["used"] for entry in other["concentrations"]] == [True, False]
    assert (other["light"], other["barrier"], other["health"]) == (0, 3, 20)


def test_rune_41_42_abilities_belong_to_the_own_play_phase_and_cannot_be_answered():
    """Breathe Fire at a player with a card with Shout: the block is asked, no answer."""
    ward = {"concentrations": 2, "hand": ["quick_ward"]}
    _, options = played(table(HELD, ward), "use the inherent ability", ENEMY)
    assert options == ["do not block", "block with Quick Ward"]


def test_rune_41_per_turn_0_is_without_limit():
    told = table({"hand": ["fireball"]})
    assert "use the inherent ability" not in played(told, "use the inherent ability", ENEMY)[1]


def test_rune_45_light_is_paid_and_the_effect_acts_at_once():
    chant = {"concentrations": 3, "things": [{"slot": 1, "card": "draining_chant"}], "hand": ["fireball"]}
    after, options = played(table(chant), "activate Draining Chant")
    assert after["players"][1]["health"] == 18
    assert after["players"][0]["things"][0]["uses"] == [1, 0]
    assert "activate Draining Chant" not in options


def test_rune_145_a_stopped_encounter_has_no_winner():
    """At the cap no further turn begins."""
    after, options = played(table(HELD, turn=199, active=1), "end the turn")
    assert (after["turn"], options) == (200, [])
    assert "winner" not in after
    assert after["players"][0]["hand"] == [*HELD["hand"]]
