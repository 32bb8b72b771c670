"""RUNE-58 to 63 and 70 to 75 on the kernels: targets, cards in play, answers and the ladder."""

import pytest

from sim.games.runeslingers.state import Phase, Stage
from sim.games.runeslingers.text import action
from tests.games.runeslingers.positions import SNAP, A, B, a_duel

TRAPPER = "trapper | chant | 0 | 5 | c | shout | trap -> card; when leaves: release"
RAY = "ray | spirit | 0 | 0 | c | {} | damage 4 -> any, lose 1 -> enemy"


# ---- targets --------------------------------------------------------------------------------------------------------


def test_rune_58_only_exposed_objects():
    game = a_duel().concs(A, 4).with_hand(A, "stone_trap").on_slot(B, "stone_trap", under="echo_chant").concs(B, 1)
    game.ailments(B, burn=1).under_boon(B, 0, "binding")
    game.play("stone_trap")
    # own concentrations (like ones once), the enemy's trap, its exposed concentration, its boon; nothing concealed
    assert game.options == ["A1", "B0", "B1", "B area 0"]


@pytest.mark.parametrize(("text", "found"), [
    ("damage 1 -> any", ["A", "B", "A1", "B0", "B area 0"]),
    ("damage 1 -> runeslinger", ["A", "B"]),
    ("damage 1 -> own", ["A", "A1"]),
    ("damage 1 -> defence", ["A1", "B0", "B area 0"]),
    ("barrier 1 -> own", ["A", "A1"]),
    ("destroy -> runespell", ["A2", "B1"]),
    ("destroy -> concentration", ["A3", "B2"]),
    ("destroy -> card", ["A1", "A2", "A3", "B0", "B1", "B2", "B area 0"]),
])  # fmt: skip
def test_rune_58_what_each_word_reaches(text, found):
    """The card lies on A0, and is never its own target for trap, destroy, runespell and card."""
    kind = "spirit" if text.startswith("damage") else "utility"
    game = a_duel(f"it | {kind} | 0 | 0 | c | | {text}").with_hand(A, "it").concs(A, 1, used=True).on_slot(A, "ward_stone")
    game.on_slot(A, "small_bolt").concs(A, 1).on_slot(B, "echo_chant").on_slot(B, "small_bolt").concs(B, 1)
    game.ailments(B, burn=1).under_boon(B, 0, "binding").play("it")
    assert game.options == found


def test_rune_58_an_effect_to_the_enemy_asks_nobody():
    game = a_duel("it | spirit | 0 | 0 | c | | damage 1 -> enemy").with_hand(A, "it").concs(A).play("it")
    assert game.both("health") == [20, 19]


def test_rune_58_a_chant_may_hurt_itself_but_not_destroy_or_trap_itself():
    spike = "spike | chant | 0 | 2 | c | | damage 1 -> any"
    game = a_duel(spike).with_hand(A, "spike").concs(A).play("spike")
    assert game.options == ["A", "B", "A0"]
    axe = "axe | chant | 0 | 5 | c | | destroy -> defence"
    assert a_duel(axe).with_hand(A, "axe").concs(A).offers("play") == []


def test_rune_59_a_target_that_has_left_is_missed_and_the_rest_acts():
    game = a_duel(RAY.format(""), SNAP).concs(A).on_slot(B, "ward_stone").concs(B).with_hand(A, "ray").with_hand(B, "snap")
    game.play("ray", "B0", "snap", "B0")
    assert (game.at("B0"), game.both("health"), game.both("foiled")) == ("", [20, 19], [0, 0])


def test_rune_59_a_runespell_of_which_every_effect_fizzles_has_come_to_nothing():
    jab = "jab | spirit | 0 | 0 | c | | damage 4 -> any, damage 1 -> defence"
    for text, foiled in ((jab, [1, 0]), (jab + ", draw 1", [0, 0])):
        game = a_duel(text, SNAP).concs(A).on_slot(B, "ward_stone").concs(B).with_hand(A, "jab").with_hand(B, "snap")
        game.play("jab", "B0", "snap", "B0")
        assert (game.at("B0"), game.both("health")[B], game.both("foiled")) == ("", 20, foiled)


def test_rune_59_another_card_in_its_place_is_not_the_target():
    """A concentration at which B's answer lies down is concealed; so is what A aimed at."""
    pry = "pry | utility | 0 | 0 | c | | destroy -> concentration, lose 1 -> enemy"
    game = a_duel(pry, SNAP).concs(A, 2).concs(B, 1).with_hand(A, "pry").with_hand(B, "snap")
    game.play("pry", "B0", "snap", "A1")
    assert (game.conc_words(B)[:5], game.both("health")[B], game.conc_words(A)[:10]) == ("ready", 19, "ready, -, ")


def test_rune_59_the_second_effect_of_a_twin_misses_what_the_first_destroyed():
    game = a_duel().concs(A, 4).on_slot(B, "echo_chant").with_hand(A, "twin_bolt").play("twin_bolt", "B0", "B0")
    assert (game.at("B0"), game.both("health")[B]) == ("", 20)


def test_rune_60_a_defence_card_cannot_be_answered():
    arrives = "arrives | chant | 0 | 5 | c | | lose 2 -> enemy"
    game = a_duel(arrives, SNAP).concs(A).concs(B).with_hand(A, "arrives").with_hand(B, "snap").play("arrives")
    assert (game.phase, game.both("health")[B]) == (Phase.MAIN, 18)


def test_rune_61_a_resolved_runespell_stays_and_does_nothing_more():
    game = a_duel(SNAP.replace("shout", "")).concs(A, 3).with_hand(A, "small_bolt", "snap").play("small_bolt", "B")
    assert game.at("A0") == "small_bolt"
    assert game.play("snap", "A0").both("health")[B] == 17
    assert (game.at("A0"), game.at("A1"), game.pile("discard", A)) == ("", "snap", "small_bolt")


def test_rune_62_at_once_when_defence_falls_to_the_damage_of_the_turn():
    game = a_duel().concs(A, 1).on_slot(B, "echo_chant", damage=3).with_hand(A, "aiming_lens").play("aiming_lens")
    assert (game.at("B0"), game.pile("discard", B)) == ("", "echo_chant")
    kept = a_duel().concs(A, 1).on_slot(B, "echo_chant", damage=2).with_hand(A, "aiming_lens").play("aiming_lens")
    assert (kept.at("B0"), kept.of("B0", "damage")) == ("echo_chant", 2)


def test_rune_62_when_what_held_it_leaves():
    oak = "oak | chant | 0 | 9 | c | | static defence 3"
    game = a_duel(oak).on_slot(B, "oak").on_slot(B, "echo_chant", damage=6).concs(A, 2).with_hand(A, "shatter")
    assert game.play("shatter", "B0").pile("discard", B) == "oak, echo_chant"


def test_rune_62_directly_after_it_is_played_steps_3_to_7_do_not_happen():
    seedling = "seedling | chant | 0 | 2 | c | | lose 5 -> enemy; when destroyed: lose 1 -> enemy"
    game = a_duel(seedling).on_slot(B, "aiming_lens").concs(A).with_hand(A, "seedling").play("seedling")
    assert (game.at("A0"), game.both("health")[B], game.both("foiled")[A]) == ("", 19, 1)


def test_rune_62_77_together_the_triggers_of_the_active_player_first():
    """A's card takes the last health of B before B's could take A's."""
    pair = "bitter | chant | 0 | 3 | c | | when destroyed: lose 1 -> enemy"
    weak = "blight | chant | 0 | 9 | c | | static defence -3 each"
    for active, winner in ((A, A), (B, B)):
        game = a_duel(pair, weak).on_slot(A, "bitter").on_slot(B, "bitter").at_stage(Stage.PLAY, active=active)
        game.has(A, health=1, power=1).has(B, health=1, power=1).concs(active).with_hand(active, "blight")
        assert game.play("blight").ending[0] == winner


BLIGHT = "blight | chant | 0 | 9 | c | | static defence -3 each"
SALVE, BITE = (
    f"{word} | chant | 0 | 3 | c | | when destroyed: {text}" for word, text in (("salve", "heal 5"), ("bite", "lose 4"))
)


def test_rune_62_77_spent_together_their_controller_orders_the_triggers():
    """Healed before the loss B keeps its power; by position the loss would come first."""
    game = a_duel(BLIGHT, SALVE, BITE).on_slot(B, "bite").on_slot(B, "salve").has(B, health=2)
    game.concs(A).with_hand(A, "blight").play("blight")
    assert (game.phase, game.seat, game.at("B0"), game.at("B1")) == (Phase.TRIGGER, B, "", "")
    assert game.options == ["trigger 0", "trigger 1"]
    assert game.choose("trigger 1").both("health")[B] == 3
    assert game.both("power")[B] == 5


def test_rune_62_78_all_have_left_before_the_first_trigger_acts():
    """The maximum that one gave is gone when the other heals."""
    oak = "oak | chant | 0 | 3 | c | | static max_health 5"
    game = a_duel(BLIGHT, SALVE, oak).on_slot(B, "salve").on_slot(B, "oak").has(B, health=18)
    assert game.concs(A).with_hand(A, "blight").play("blight").both("health")[B] == 20


def test_rune_77_126_two_traps_spent_together_release_in_the_order_of_their_controller():
    """The hand has room for one card: that of the trap that acts first."""
    game = a_duel(BLIGHT, TRAPPER.replace("| 5 |", "| 3 |")).on_slot(B, "trapper", under="shatter")
    game.on_slot(B, "trapper", under="fireball").concs(A).with_hand(A, *["insight"] * 7, "blight").play("blight")
    assert (game.phase, game.seat) == (Phase.TRIGGER, B)
    words = [action(game.state, game.cards, code) for code in (0, 1)]
    assert words == ["let Trapper (slot 1) act (trigger 1)", "let Trapper (slot 2) act (trigger 1)"]
    game.choose("trigger 1")
    assert (game.pile("hand", A), game.pile("discard", A)) == ("fireball" + ", insight" * 7, "shatter")


def test_rune_62_a_maximum_of_defence_counts_boons_too():
    game = a_duel().ailments(B, weaken=1).under_boon(B, 0, "mending_boon", damage=2).concs(A).with_hand(A, "aiming_lens")
    assert game.play("aiming_lens").areas(B) == "weaken 1, -, -, -"


def test_rune_63_a_card_that_leaves_before_step_7_has_no_effects_and_its_costs_stay_paid():
    game = a_duel().concs(A, 3).concs(B, 2).with_hand(A, "fireball").with_hand(B, "counter_rune")
    game.play("fireball", "B", "counter_rune")
    assert (game.both("health")[B], game.both("light"), game.conc_words(A)[:16]) == (20, [0, 0], "used, used, used")
    assert (game.both("foiled"), game.pile("discard", A)) == ([1, 0], "fireball")


def test_rune_63_a_card_trapped_before_step_7():
    game = a_duel(RAY.format("")).concs(A).concs(B).with_hand(A, "ray").with_hand(B, "stone_trap")
    game.play("ray", "B", "stone_trap")
    assert (game.both("health"), game.at("B0"), game.at("A0"), game.pile("discard", A)) == ([20, 20], "stone_trap", "", "")


def test_rune_63_a_card_destroyed_by_its_own_sling_trigger():
    """The trigger destroys the runespell before it could be answered."""
    game = a_duel(RAY.format(""), stances=("when sling_spirit: destroy -> runespell", "")).concs(A).with_hand(A, "ray")
    assert game.play("ray", "B").both("health") == [20, 20]
    assert game.pile("discard", A) == "ray"


# ---- answers --------------------------------------------------------------------------------------------------------


def test_rune_70_one_shout_card_at_normal_costs_or_nothing():
    game = a_duel().concs(A, 1).concs(B, 2).with_hand(A, "small_bolt").with_hand(B, "quick_ward", "shouted_bolt", "insight")
    assert game.play("small_bolt", "B").options == ["no", "shouted_bolt", "quick_ward"]
    game.choose("shouted_bolt", "A")
    assert (game.both("health"), game.conc_words(B)[:10]) == ([16, 20], "used, used")  # B may block yet
    assert (game.phase, game.seat) == (Phase.BLOCK, B)


def test_rune_70_needs_light_a_place_and_a_target():
    game = a_duel().concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "shouted_bolt")
    assert game.play("small_bolt", "B").phase == Phase.BLOCK
    game = a_duel().concs(A, 1).has(B, light=2).with_hand(A, "small_bolt").with_hand(B, "shouted_bolt")
    assert game.play("small_bolt", "B").phase == Phase.BLOCK


@pytest.mark.parametrize("kind", ["spirit", "attack", "utility"])
def test_rune_70_every_kind_of_runespell_may_be_answered(kind):
    game = a_duel(f"it | {kind} | 0 | 0 | c | | draw 1", SNAP).concs(A).concs(B).with_hand(A, "it").with_hand(B, "snap")
    assert (game.play("it").phase, game.seat) == (Phase.ANSWER, B)


def test_rune_71_an_answer_that_is_a_runespell_may_be_answered_in_turn():
    game = a_duel(RAY.format(""), SNAP).concs(A, 3).concs(B, 2).with_hand(A, "ray", "snap").with_hand(B, "snap", "snap")
    game.play("ray", "B", "snap", "A0")
    assert (game.phase, game.seat) == (Phase.ANSWER, A)
    game.choose("snap", "B0")
    assert (game.phase, game.seat) == (Phase.ANSWER, B)
    game.choose("snap", "A1")
    # the third snap strikes the second, so that the first destroys the ray
    assert (game.both("health")[B], game.both("answers"), game.both("answered_cards")) == (20, [1, 2], [2, 1])
    assert (game.pile("discard", A), game.both("foiled")) == ("snap, ray", [2, 0])


def test_rune_71_a_defence_card_gives_no_answerable_action():
    """A09."""
    game = a_duel(RAY.format(""), TRAPPER, SNAP).concs(A, 3).concs(B, 2).with_hand(A, "ray", "snap")
    game.with_hand(B, "trapper").play("ray", "B", "trapper", "A0")
    assert (game.phase, game.seat, game.at("B0")) == (Phase.MAIN, A, "trapper")


def test_rune_72_the_highest_rung_resolves_completely_first():
    """B's bolt takes A's last health and power before A's bolt takes B's."""
    game = a_duel().concs(A, 2).concs(B, 2).with_hand(A, "shouted_bolt").with_hand(B, "shouted_bolt")
    game.has(A, health=4, power=1).has(B, health=4, power=1).play("shouted_bolt", "B", "shouted_bolt", "A")
    assert game.ending[0] == B


def test_rune_72_a_block_of_a_higher_rung_counts_for_the_lower():
    """B's Quick Ward is up before the bolt falls."""
    game = a_duel().concs(A, 1).concs(B, 2).with_hand(A, "small_bolt").with_hand(B, "quick_ward")
    game.play("small_bolt", "B", "quick_ward")
    assert (game.both("health")[B], game.both("barrier")[B], game.both("prevented")[B]) == (20, 3, 3)
    assert game.conc_words(B)[:11] == "used, ready"


def test_rune_73_a_rung_whose_card_has_left_does_nothing():
    """A's snap on rung 3 takes B's on rung 2: that does nothing, and the ray on rung 1 acts."""
    game = a_duel(RAY.format(""), SNAP).concs(A, 3).concs(B, 1).with_hand(A, "ray", "snap").with_hand(B, "snap")
    game.play("ray", "B", "snap", "A0", "snap", "B0")
    assert (game.both("health")[B], game.at("A0"), game.pile("discard", B)) == (15, "ray", "snap")


def test_rune_74_light_for_answers_comes_from_concentrations_left_ready():
    game = a_duel().concs(A, 1).concs(B, 1, used=True).with_hand(A, "small_bolt").with_hand(B, "quick_ward")
    assert game.play("small_bolt", "B").phase == Phase.BLOCK
    game = a_duel().concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "quick_ward")
    assert game.play("small_bolt", "B").phase == Phase.ANSWER


def test_rune_74_only_in_a_play_phase():
    """The enemy is not asked when triggers, ailments or draws act."""
    game = a_duel(SNAP, stances=("when turn_start: lose 1", "")).with_hand(B, "snap").concs(B).ailments(A, burn=4)
    assert game.at_stage(Stage.BEGIN).phase == Phase.PASS
    assert (game.seat, game.both("health")[A]) == (A, 17)


def test_rune_75_a_shout_card_may_be_played_normally():
    game = a_duel().concs(A, 1).with_hand(A, "quick_ward").play("quick_ward")
    assert (game.both("barrier"), game.both("answers"), game.both("slung")) == ([6, 0], [0, 0], [1, 0])
