"""RUNE-76 to 78 on the kernels: triggers."""

import pytest

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import Phase, Stage
from tests.games.runeslingers.positions import AXE, A, B, a_duel

FREE = "free | {} | 0 | 0 | c | | draw 1"


@pytest.mark.parametrize("kind", ["spirit", "attack", "utility"])
def test_rune_76_sling_triggers_by_type(kind):
    stance = f"when sling_{kind}: lose 1 -> enemy"
    for other in ("spirit", "attack", "utility"):
        game = a_duel(FREE.format(other), stances=(stance, "")).concs(A).with_hand(A, "free").play("free")
        assert game.both("health")[B] == (19 if other == kind else 20)


def test_rune_76_the_slings_of_the_player_itself():
    game = a_duel(FREE.format("spirit"), stances=("", "when sling_spirit: lose 1")).concs(A).with_hand(A, "free")
    assert game.play("free").both("health") == [20, 20]


def test_rune_76_a_defence_card_is_not_slung():
    stance = "when sling_spirit: lose 1; when sling_utility: lose 1"
    game = a_duel(stances=(stance, "")).concs(A).with_hand(A, "ward_stone").play("ward_stone")
    assert game.both("health")[A] == 20


def test_rune_76_at_once_before_the_runespell_itself_and_its_answer():
    """A08."""
    game = a_duel(stances=("when sling_spirit: barrier 5 -> runeslinger", "")).concs(A, 1).concs(B, 1)
    game.with_hand(A, "small_bolt").with_hand(B, "quick_ward").play("small_bolt", "B")
    assert (game.phase, game.seat) == (Phase.TARGET, A)
    assert game.choose("B").phase == Phase.ANSWER
    assert game.choose("no").both("barrier")[B] == 2


def test_rune_76_targets_are_chosen_as_it_resolves_and_without_one_it_does_nothing():
    stance = "when sling_utility: destroy -> defence, lose 1"
    game = a_duel(FREE.format("utility"), stances=(stance, "")).concs(A).with_hand(A, "free").play("free")
    assert (game.both("health")[A], game.at("A0")) == (19, "free")


def test_rune_76_triggers_on_blocking():
    game = a_duel(stances=("", "when you_block: draw 1")).concs(A).with_hand(A, "small_bolt").with_hand(B, "cleanse")
    game.with_deck(B, "fireball", "insight").play("small_bolt", "B", "cleanse")
    assert (game.pile("hand", B), game.both("health")[B]) == ("fireball", 20)


@pytest.mark.parametrize(("word", "health"), [("trigger 0", 20), ("trigger 1", 15)])
def test_rune_77_a_player_orders_triggers_of_one_moment(word, health):
    """At 20: lose 5 and heal 5, or heal nothing and lose 5."""
    stance, chant = "when turn_start: lose 5", "mend | chant | 0 | 5 | c | | when turn_start: heal 5"
    game = a_duel(chant, stances=(stance, "")).on_slot(A, "mend").at_stage(Stage.BEGIN)
    assert (game.phase, game.seat, game.options) == (Phase.TRIGGER, A, ["trigger 0", "trigger 1"])
    assert game.choose(word).both("health")[A] == health


def test_rune_77_two_triggers_of_one_card_are_two():
    both = "both | chant | 0 | 5 | c | | when turn_start: lose 5; when turn_start: heal 5"
    game = a_duel(both).on_slot(A, "both").at_stage(Stage.BEGIN)
    assert game.options == ["trigger 0", "trigger 1"]
    assert game.choose("trigger 1").both("health")[A] == 15


def test_rune_77_the_active_players_triggers_come_first_whoever_was_hurt():
    """B falls: A, who is active, first takes a card from B's deck; then B's own trigger draws the next."""
    game = a_duel(
        "it | utility | 0 | 0 | c | | lose 1 -> enemy", stances=("when enemy_downed: sear 1 -> enemy", "when you_downed: draw 1")
    )
    game.with_deck(B, "fireball", "cleanse", "insight").has(B, health=1).concs(A).with_hand(A, "it").play("it")
    assert (game.pile("discard", B), game.pile("hand", B)) == ("fireball", "cleanse")


def test_rune_77_the_active_player_also_when_it_is_the_one_who_falls():
    game = a_duel(
        "it | utility | 0 | 0 | c | | lose 1", stances=("when you_downed: draw 1", "when enemy_downed: sear 1 -> enemy")
    )
    game.with_deck(A, "fireball", "cleanse", "insight").has(A, health=1).concs(A).with_hand(A, "it").play("it")
    assert (game.pile("hand", A), game.pile("discard", A)) == ("fireball", "cleanse")


def test_rune_77_the_non_active_player_orders_its_own():
    """All of the active player's are done before the other is asked."""
    bells = ("bell | chant | 0 | 5 | c | | when you_downed: lose 2", "mend | chant | 0 | 5 | c | | when you_downed: heal 9")
    game = a_duel("it | utility | 0 | 0 | c | | lose 1 -> enemy", *bells, stances=("when enemy_downed: lose 5 -> enemy", ""))
    game.on_slot(B, "bell").on_slot(B, "mend").has(B, health=1).concs(A).with_hand(A, "it").play("it")
    assert (game.phase, game.seat, game.both("health")[B]) == (Phase.TRIGGER, B, 15)
    assert game.choose("trigger 1").both("health")[B] == 18


def test_rune_77_a_trigger_whose_source_has_left_does_nothing():
    """A31."""
    saw, bell = (
        "saw | chant | 0 | 5 | c | | when turn_start: destroy -> card",
        "bell | chant | 0 | 5 | c | | when turn_start: lose 1",
    )
    game = a_duel(saw, bell).on_slot(A, "bell").on_slot(A, "saw").at_stage(Stage.BEGIN)
    assert game.options == ["trigger 0", "trigger 1"]
    assert game.choose("trigger 1").both("health")[A] == 20
    assert game.at("A0") == ""


def test_rune_77_nor_one_of_like_cards():
    trapper = "jaw | chant | 0 | 5 | c | | when turn_start: destroy -> card"
    game = a_duel(trapper, stances=("when turn_start: lose 1", "")).on_slot(A, "jaw").on_slot(A, "jaw").at_stage(Stage.BEGIN)
    assert game.options == ["trigger 0", "trigger 1", "trigger 2"]
    game.choose("trigger 1")  # the first jaw takes the second, which then does nothing; the stance is left
    assert (game.at("A0"), game.at("A1"), game.both("health")[A]) == ("jaw", "", 19)


def test_rune_77_destroyed_triggers_act_although_the_card_has_left():
    bomb = "bomb | chant | 0 | 5 | c | | when destroyed: lose 4 -> enemy"
    game = a_duel(AXE, bomb).on_slot(B, "bomb").concs(A).with_hand(A, "axe").play("axe")
    assert (game.at("B0"), game.both("health")) == ("", [16, 20])


def test_rune_78_own_triggers_use_the_controller_and_owner_it_had():
    curse = "hex | boon | 0 | 5 | c | | when destroyed owned: lose 1; when destroyed not_owned: lose 4; when leaves: draw 1"
    for owner, health in ((B, 19), (A, 16)):
        game = a_duel(AXE, curse).ailments(B, weaken=1).under_boon(B, 0, "hex", owner=owner).concs(A).with_hand(A, "axe")
        game.play("axe")
        # the controller orders its destroyed and leaves triggers, and they act for it
        assert (game.phase, game.seat) == (Phase.TRIGGER, B)
        game.choose("trigger 0")
        assert (game.both("health")[B], game.both("hand_n")) == (health, [0, 1])


def test_rune_78_leaving_in_another_way_is_not_being_destroyed():
    hex_ = "hex | chant | 0 | 5 | c | | when destroyed: lose 4; when leaves: lose 1"
    game = a_duel(hex_).on_slot(B, "hex").concs(A, 1).with_hand(A, "stone_trap").play("stone_trap")
    assert (game.at("B0"), game.both("health")[B]) == ("", 19)


def test_rune_78_the_areas_are_exposed_before_the_triggers():
    """The boon's trigger already finds the ailments again: it removes one that lay under it."""
    veil = "veil | boon | 0 | 5 | c | | when leaves: remove 1"
    game = a_duel(AXE, veil).ailments(B, weaken=2, curse=1).under_boon(B, 0, "veil").concs(A).with_hand(A, "axe").play("axe")
    assert (game.phase, game.seat, game.options) == (Phase.REMOVE, B, ["curse", "weaken"])
    assert game.choose("weaken").areas(B) == "weaken 1, curse 1, -, -"


def test_rune_78_maximum_health_falls_before_the_triggers():
    """A24."""
    veil = "veil | boon | 0 | 5 | c | | when leaves: lose 2"
    game = a_duel(AXE, veil).ailments(B, debilitate=4).under_boon(B, 0, "veil").concs(A).with_hand(A, "axe").play("axe")
    assert (game.stat(B, Stat.MAX_HEALTH), game.both("health")[B]) == (16, 14)


def test_rune_78_a_trigger_of_a_card_that_no_longer_counts_as_in_play():
    """Its static is gone when its own trigger acts: the loss comes out of a maximum without the five."""
    oak = "oak | chant | 0 | 5 | c | | static max_health 5; when destroyed: heal 9"
    game = a_duel(AXE, oak).on_slot(B, "oak").has(B, health=18).concs(A).with_hand(A, "axe").play("axe")
    assert game.both("health")[B] == 20
