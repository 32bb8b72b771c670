"""RUNE-106 to 110 and 120 to 126 on the kernels: boons, deck effects, Distract, Trap."""

import numpy as np
import pytest

from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import Phase, Stage
from tests.games.runeslingers.positions import AXE, A, B, a_duel, cast

# ---- boons ----------------------------------------------------------------------------------------------------------


def test_rune_106_on_any_area_with_ailments_or_a_boon_of_either_field():
    game = a_duel().concs(A, 1).ailments(A, burn=1, curse=1).ailments(B, weaken=1).under_boon(A, 1, "mending_boon")
    game.with_hand(A, "binding").play("binding")
    assert (game.phase, game.options) == (Phase.PLACE, ["A area 0", "A area 1", "B area 0"])
    game.choose("B area 0")
    assert (game.at("B area 0"), game.both("boons_on_enemy")) == ("binding", [1, 0])


def test_rune_106_who_has_the_field_controls_it_and_its_owner_keeps_owning_it():
    game = a_duel().concs(A, 1).ailments(B, curse=1).with_hand(A, "binding").play("binding")
    assert [game.stat(seat, Stat.DAMAGE) for seat in (A, B)] == [0, -1]  # not owned by B
    own = a_duel().ailments(A, curse=1).under_boon(A, 0, "binding")
    assert own.stat(A, Stat.DAMAGE) == 0


THORN = "thorn | boon | 0 | 5 | c | | lose 3, damage 2 -> runeslinger"


def test_rune_05_106_plain_effects_of_a_boon_act_for_and_on_its_controller():
    """On B's field A's boon costs B health, and B aims its damage."""
    game = a_duel(THORN).ailments(B, weaken=1).concs(A).with_hand(A, "thorn").play("thorn")
    assert (game.phase, game.seat) == (Phase.TARGET, B)
    assert game.choose("A").both("health") == [18, 17]
    own = a_duel(THORN).ailments(A, weaken=1).concs(A).with_hand(A, "thorn").play("thorn")
    assert (own.phase, own.seat) == (Phase.TARGET, A)
    assert own.choose("B").both("health") == [17, 18]


def test_rune_56_106_the_controller_of_a_boon_picks_its_bullet_its_enemy_with_fate():
    for keyword, picker in (("choice", B), ("fate", A)):
        text = f"vow | boon | 0 | 5 | c | {keyword} | bullet lose 1; bullet draw 1"
        game = a_duel(text).ailments(B, weaken=1).concs(A).with_hand(A, "vow").play("vow")
        assert (game.phase, game.seat) == (Phase.BULLET, picker)
        assert game.choose("bullet 0").both("health") == [20, 19]


def test_rune_50_106_a_boon_lies_only_where_its_controller_finds_targets():
    """Without damage at one's own only B, whose enemy has a chant, could aim it."""
    spike = "spike | boon | 0 | 5 | c | | damage 2 -> defence"
    game = a_duel(spike, own_targets=False).concs(A).on_slot(A, "echo_chant").ailments(A, burn=1).ailments(B, curse=1)
    game.with_hand(A, "spike").play("spike")
    assert (game.at("B area 0"), game.of("A0" if game.at("A0") else "A1", "damage")) == ("spike", 2)
    assert a_duel(spike, own_targets=False).concs(A).ailments(B, curse=1).with_hand(A, "spike").offers("play") == []


def test_a_position_in_which_a_boon_is_being_laid_on_the_enemy_can_be_placed_again():
    """B aims the effects of A's boon: the position names both, who plays it and who controls it."""
    game = a_duel(THORN).has(A, determination=0).ailments(B, weaken=1).concs(A).with_hand(A, "thorn").play("thorn")
    position = GAME.words.position(game.state, game.cards)
    again = np.zeros(1, GAME.state)
    GAME.words.place(position, game.cards, again[0])
    assert GAME.words.position(again[0], game.cards)["pending"] == position["pending"]
    assert (again["kind"][0, 0], again["by"][0, 0], again["seat"][0]) == (A, B, B)


def test_a01_a_boon_on_the_enemy_is_answered_by_the_enemy_of_who_plays_it():
    snap = "snap | utility | 0 | 0 | c | shout | destroy -> card"
    game = a_duel(THORN, snap, answer_on="any_card").ailments(B, weaken=1).concs(A).concs(B)
    game.with_hand(A, "thorn").with_hand(B, "snap").play("thorn", "A")
    assert (game.phase, game.seat) == (Phase.ANSWER, B)
    assert game.choose("snap", "B area 0").both("foiled") == [1, 0]


def test_rune_107_no_effects_no_thresholds_no_removal_no_conversion():
    game = cast("remove 9, convert 9 burn").ailments(A, weaken=5, debilitate=5, curse=4)
    for area in range(3):
        game.under_boon(A, area, "binding")
    assert [game.stat(A, stat) for stat in (Stat.BLOCK, Stat.MAX_HEALTH, Stat.NO_HEAL, Stat.NO_ABILITY)] == [4, 20, 0, 0]
    assert game.play("it").areas(A) == "(weaken 5), (debilitate 5), (curse 4), -"


def test_rune_107_not_counted_for_eight_nor_for_effects_per_ailment():
    game = a_duel().ailments(A, weaken=9).under_boon(A, 0, "binding").at_stage(Stage.BEGIN)
    assert game.both("power")[A] == 5


def test_rune_108_the_old_boon_is_destroyed_with_the_new_one_in_place():
    """A25. Its trigger would remove ailments, were they exposed; they never are, so the maximum does not move."""
    veil = "veil | boon | 0 | 5 | c | | when destroyed: remove 2, draw 1"
    game = a_duel(veil).concs(A, 1).ailments(A, debilitate=5).under_boon(A, 0, "veil").with_hand(A, "binding")
    game.play("binding")
    assert (game.at("A area 0"), game.areas(A)) == ("binding", "(debilitate 5), -, -, -")
    assert (game.pile("discard", A), game.both("health")[A], game.both("hand_n")[A]) == ("veil", 20, 1)


def test_rune_108_its_trigger_comes_before_the_effects_of_the_new_one():
    """At health 1: healed to 5 by the old one, then 3 are lost for the new one; or a power would go."""
    old, new = "veil | boon | 0 | 5 | c | | when destroyed: heal 4", "thorn | boon | 0 | 5 | c | | lose 3"
    game = a_duel(old, new).ailments(A, weaken=1).under_boon(A, 0, "veil").has(A, health=1).with_hand(A, "thorn")
    assert (game.play("thorn").both("health")[A], game.both("power")[A]) == (2, 5)


def test_rune_109_exposed_again_without_on_apply_and_at_once():
    game = a_duel(AXE).ailments(B, burn=4, debilitate=3).under_boon(B, 0, "binding").under_boon(B, 1, "binding")
    game.concs(A).with_hand(A, "axe").play("axe", "B area 1")
    assert (game.areas(B), game.both("health")[B]) == ("(burn 4), debilitate 3, -, -", 17)


def test_rune_109_they_merge():
    game = a_duel(AXE).ailments(B, burn=1, curse=2).under_boon(B, 0, "binding").concs(A).with_hand(A, "axe")
    game.state["ailment"][B, 1] = 0
    game.play("axe")
    assert (game.areas(B), game.both("health")[B], game.both("applied")[B]) == ("burn 3, -, -, -", 20, [0] * 6)


def test_rune_110_damaged_blocked_for_destroyed_trapped():
    game = a_duel().concs(A, 5).ailments(B, burn=1, curse=1).under_boon(B, 0, "binding", owner=A)
    game.under_boon(B, 1, "mending_boon").with_hand(A, "fireball", "stone_trap").with_hand(B, "insight")
    game.play("fireball", "B area 0")
    assert (game.phase, game.seat) == (Phase.BLOCK, B)
    game.choose("insight")
    assert game.of("B area 0", "damage") == 4
    game.play("stone_trap", "slot 3", "B area 1")
    assert game.at("B area 1") == ""
    assert game.at("B area 0") == "binding"


# ---- deck effects ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "number", "pile"), [("draw", 120, "hand"), ("sear", 121, "discard"), ("void", 122, "void")])
def test_rune_120_121_122_the_top_cards_go_there_in_order(op, number, pile):
    game = cast(f"{op} 2").with_deck(A, "fireball", "cleanse", "shatter").play("it")
    assert (game.pile(pile, A), game.pile("deck", A)) == ("fireball, cleanse", "shatter")
    assert number == 120 + ["draw", "sear", "void"].index(op)


def test_rune_123_the_holder_chooses_one_at_a_time():
    game = cast("discard 2 -> enemy").with_hand(B, "fireball", "cleanse", "shatter").play("it")
    assert (game.phase, game.seat, game.options) == (Phase.DISCARD, B, ["fireball", "cleanse", "shatter"])
    game.choose("shatter")
    assert (game.phase, game.options) == (Phase.DISCARD, ["fireball", "cleanse"])
    assert game.choose("fireball").pile("discard", B) == "shatter, fireball"


def test_rune_124_destroyed_cards_go_to_their_owners_discard_pile():
    game = a_duel(AXE, "pry | utility | 0 | 0 | c | | destroy -> concentration").on_slot(B, "ward_stone", owner=A)
    game.concs(B, 1, name="fireball").concs(A, 2).with_hand(A, "axe", "pry").play("axe").play("pry", "B1")
    assert (game.pile("discard", A), game.pile("discard", B)) == ("ward_stone", "fireball")


# ---- Distract -------------------------------------------------------------------------------------------------------

HASTY = "hasty | chant | 0 | 5 | c | distract | static block 1"


@pytest.mark.parametrize("text", ["utility | 0 | 0 | c | | destroy -> defence", "spirit | 0 | 0 | c | | damage 9 -> any"])
def test_rune_125_the_concentration_is_discarded_when_the_card_leaves(text):
    game = a_duel(f"it | {text}", HASTY).concs(A).with_hand(A, "it").on_slot(B, "hasty").play("it", *["B0"] * ("damage" in text))
    assert (game.pile("discard", B), game.conc_words(B)) == ("insight, hasty", "-, -, -, -, -, -")


def test_rune_125_also_when_it_is_trapped():
    game = a_duel().concs(A, 1).concs(B, 1).with_hand(A, "reckless_bolt").with_hand(B, "stone_trap")
    game.play("reckless_bolt", "B", "stone_trap")
    assert (game.at("B0"), game.conc_words(A)[:1], game.pile("discard", A)) == ("stone_trap", "-", "insight")


def test_rune_125_also_when_it_is_destroyed_on_the_ladder():
    game = a_duel().concs(A, 1).concs(B, 2).with_hand(A, "reckless_bolt").with_hand(B, "counter_rune")
    game.play("reckless_bolt", "B", "counter_rune")
    assert (game.conc_words(A)[:1], game.pile("discard", A), game.both("health")[B]) == ("-", "insight, reckless_bolt", 20)


# ---- Trap -----------------------------------------------------------------------------------------------------------


def test_rune_126_the_target_lies_concealed_under_the_trap_as_if_it_had_left():
    left = "left | chant | 0 | 5 | c | token 2 | when leaves: lose 2; when destroyed: lose 9"
    game = a_duel(left).concs(A, 1).on_slot(B, "left", damage=2, tokens=2).with_hand(A, "stone_trap").play("stone_trap")
    assert (game.at("B0"), game.both("health")[B], game.pile("discard", B)) == ("", 18, "")
    assert game.state["under"][A, 0] >= 0
    assert game.of("B0", "tokens") == game.of("B0", "damage") == 0
    # the concentration under it is free again
    assert game.conc_words(B)[:4] == "used"


def test_rune_126_the_card_under_it_goes_to_its_owners_hand_when_the_trap_leaves_in_any_way():
    game = a_duel(AXE).on_slot(B, "stone_trap", under="fireball").concs(A).with_hand(A, "axe").play("axe")
    assert (game.pile("hand", A), game.pile("discard", B)) == ("fireball", "stone_trap")
    # also when it is destroyed by damage
    game = a_duel().on_slot(B, "stone_trap", under="fireball").concs(A, 3).with_hand(A, "fireball").play("fireball", "B0")
    assert game.pile("hand", A) == "fireball"


def test_rune_126_effects_of_a_trapped_card_have_ended():
    game = a_duel().concs(A, 1).on_slot(B, "ward_stone").with_hand(A, "stone_trap").play("stone_trap")
    assert game.stat(B, Stat.BLOCK) == 4


def test_rune_126_one_card_at_most_lies_under_a_trap():
    """A chant whose activated effect traps again takes no second card."""
    maw = "maw | chant | 0 | 5 | c | | trap -> card; activate light 1: trap -> card; when leaves: release"
    game = a_duel(maw).concs(A, 3).concs(B, 2).with_hand(A, "maw").play("maw", "B0").do("activate A0", "B1")
    assert game.conc_words(B)[:8] == "-, ready"


def test_rune_126_a_trap_that_has_itself_left_takes_nothing():
    """Its own trigger destroys it before its effect resolves: the target stays."""
    frail = "frail | chant | 0 | 1 | c | | damage 1 -> any, trap -> card; when leaves: release"
    game = a_duel(frail).concs(A, 1).on_slot(B, "echo_chant").with_hand(A, "frail").play("frail", "A0")
    assert (game.at("A0"), game.at("B0"), game.pile("discard", A)) == ("", "echo_chant", "frail")
