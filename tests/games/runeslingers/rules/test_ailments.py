"""RUNE-95 to 104 on the kernels: ailments."""

import pytest

from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import Phase
from tests.games.runeslingers.positions import A, B, a_duel, cast

CHOOSE = "apply {} choose{} -> runeslinger"


# ---- applying -------------------------------------------------------------------------------------------------------


def test_rune_95_where_it_is_exposed_else_the_lowest_free_area():
    game = cast("apply 2 curse -> enemy, apply 1 weaken -> enemy").ailments(B, burn=1, curse=1).play("it")
    assert game.areas(B) == "burn 1, curse 3, weaken 1, -"


def test_rune_95_a_gap_is_filled_from_the_lowest():
    game = cast("remove 1 -> enemy, apply 1 weaken -> enemy").ailments(B, burn=1, curse=2, fragment=1).play("it", "burn")
    assert game.areas(B) == "weaken 1, curse 2, fragment 1, -"


def test_rune_95_else_it_is_not_applied():
    game = cast("apply 3 weaken -> enemy").ailments(B, burn=1, curse=1, fragment=1, insanity=1).play("it")
    assert (game.areas(B), game.both("no_room")) == ("burn 1, curse 1, fragment 1, insanity 1", [0, 3])


def test_rune_95_no_limit_of_instances():
    game = cast("apply 60 weaken -> enemy, apply 60 weaken -> enemy").play("it")
    assert game.areas(B) == "weaken 120, -, -, -"


def test_rune_96_nothing_is_applied_under_a_boon():
    """G13: three areas under boons, the fourth has curses: no burn finds room, a curse does."""
    game = cast("apply 1 burn -> enemy, apply 1 curse -> enemy").ailments(B, weaken=1, debilitate=1, burn=1, curse=2)
    for area in range(3):
        game.under_boon(B, area, "binding")
    assert game.play("it").areas(B) == "(weaken 1), (debilitate 1), (burn 1), curse 3"
    assert game.both("health")[B] == 20


def test_rune_97_each_instance_runs_its_effects_before_the_next():
    """At health 3 the second burn costs the power; the third comes out of the reset health."""
    game = cast("apply 3 burn -> enemy", stances=("", "when you_downed: remove 2")).has(B, health=3).play("it")
    # the trigger takes both burns off; the third takes the free area again
    assert (game.both("health")[B], game.both("power")[B], game.areas(B)) == (20 - 1 - 2, 4, "burn 1, -, -, -")


def test_rune_97_on_apply_of_curse_and_fragment():
    game = cast("apply 2 curse -> enemy, apply 1 fragment -> enemy").with_deck(B, "fireball", "cleanse", "shatter", "insight")
    game.play("it")
    assert (game.pile("discard", B), game.pile("void", B)) == ("fireball, cleanse", "shatter")


# ---- announced types ------------------------------------------------------------------------------------------------


def test_rune_98_announced_when_playing_the_first_announced_fit_first():
    """A27. Two areas are free for three types (G12)."""
    game = cast(CHOOSE.format(3, " distinct")).ailments(B, weaken=1, curse=1).under_boon(B, 0, "binding")
    game.under_boon(B, 1, "binding").play("it", "insanity", "burn", "debilitate", "B")
    assert game.areas(B) == "(weaken 1), (curse 1), insanity 1, burn 1"
    assert game.both("no_room") == [0, 1]


def test_rune_98_an_exposed_type_needs_no_area():
    game = cast(CHOOSE.format(3, " distinct")).ailments(B, weaken=1, curse=1, fragment=1)
    game.play("it", "burn", "debilitate", "curse", "B")
    assert game.areas(B) == "weaken 1, curse 2, fragment 1, burn 1"


def test_rune_98_one_type_may_be_announced_again_unless_distinct():
    game = cast(CHOOSE.format(3, "")).play("it", "curse", "curse")
    assert "curse" in game.options
    assert game.choose("burn", "B").areas(B) == "curse 2, burn 1, -, -"
    assert "curse" not in cast(CHOOSE.format(3, " distinct")).play("it", "curse").options


def test_rune_98_an_active_controller_has_them_in_the_announced_order():
    game = cast(CHOOSE.format(2, "")).has(B, health=2, power=1).with_deck(B, "insight").play("it", "burn", "curse", "B")
    assert game.over  # the burn takes the last health; the curse would have found the last card
    assert game.both("seared")[B] == 0


@pytest.mark.parametrize(("word", "areas"), [("curse", "curse 1, burn 1, -, -"), ("burn", "burn 1, curse 1, -, -")])
def test_rune_98_otherwise_the_active_player_orders(word, areas):
    """B answers in A's turn."""
    shout = f"bane | utility | 0 | 0 | c | shout | {CHOOSE.format(2, '')}"
    game = a_duel(shout).concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "bane")
    game.play("small_bolt", "A", "bane", "burn", "curse", "A")
    assert (game.phase, game.seat, game.options) == (Phase.ORDER, A, ["burn", "curse"])
    assert game.choose(word).areas(A) == areas


def test_rune_98_only_what_fits_is_ordered():
    shout = f"bane | utility | 0 | 0 | c | shout | {CHOOSE.format(3, ' distinct')}"
    game = a_duel(shout).concs(A, 1).concs(B, 1).with_hand(A, "small_bolt").with_hand(B, "bane")
    game.ailments(A, weaken=1, fragment=1).play("small_bolt", "A", "bane", "insanity", "burn", "curse", "A")
    assert (game.phase, game.seat, game.options) == (Phase.ORDER, A, ["burn", "insanity"])
    assert game.choose("burn").areas(A) == "weaken 1, fragment 1, burn 1, insanity 1"


def test_rune_98_ailments_written_in_an_order_are_applied_in_it():
    game = cast("apply 1 curse -> enemy, apply 1 burn -> enemy").play("it")
    assert game.areas(B) == "curse 1, burn 1, -, -"


# ---- levels ---------------------------------------------------------------------------------------------------------

LEVELS = [
    ("debilitate", 5, Stat.NO_HEAL, 1),
    ("curse", 4, Stat.NO_ABILITY, 1),
    ("fragment", 4, Stat.MAX_HAND, 4),
    ("weaken", 4, Stat.DAMAGE, -2),
]


@pytest.mark.parametrize(("kind", "threshold", "stat", "value"), LEVELS)
def test_rune_99_level_ii_from_the_threshold_on(kind, threshold, stat, value):
    below, at = a_duel().ailments(B, **{kind: threshold - 1}), a_duel().ailments(B, **{kind: threshold})
    assert (below.stat(B, stat), at.stat(B, stat)) == (8 if stat == Stat.MAX_HAND else 0, value)
    assert at.stat(A, stat) == below.stat(B, stat)


def test_rune_99_only_instances_of_that_type_count():
    game = a_duel().ailments(B, curse=3, weaken=3).ailments(B, fragment=1)
    assert game.stat(B, Stat.NO_ABILITY) == 0


def test_rune_99_level_ii_begins_and_ends_with_the_instance():
    game = cast("apply 1 debilitate, heal 9, remove 1, heal 2").ailments(A, debilitate=4).has(A, health=5).play("it")
    assert game.both("health")[A] == 7


def test_rune_99_what_an_instance_and_any_of_them_do():
    game = a_duel().ailments(B, debilitate=3, weaken=2, insanity=1)
    assert [game.stat(B, stat) for stat in (Stat.MAX_HEALTH, Stat.BLOCK, Stat.NO_PASS)] == [17, 2, 1]


# ---- removing, merging, converting ----------------------------------------------------------------------------------


def test_rune_100_exposed_ones_only_and_all_there_are():
    game = cast("remove 9 -> enemy").ailments(B, burn=2, curse=2, weaken=1).under_boon(B, 1, "binding").play("it")
    assert (game.areas(B), game.both("health")[B]) == ("-, (curse 2), -, -", 20)


def test_rune_101_into_the_lower_area_also_when_the_boon_lay_on_the_higher():
    game = cast("destroy -> defence").ailments(B, burn=2, curse=1, weaken=1).under_boon(B, 2, "binding")
    game.state["ailment"][B, 2] = 0
    assert game.play("it").areas(B) == "burn 3, curse 1, -, -"


def test_rune_104_for_each_one_removed_one_applied_with_its_effects():
    game = cast("convert 2 burn -> enemy").ailments(B, curse=1, weaken=2).play("it", "curse")
    assert (game.areas(B), game.both("health")[B]) == ("burn 2, weaken 1, -, -", 16)


def test_rune_104_never_of_the_type_itself():
    game = cast("convert 3 burn -> enemy").ailments(B, burn=2, weaken=1).play("it")
    assert (game.areas(B), game.both("health")[B]) == ("burn 3, -, -, -", 18)


def test_rune_104_into_the_type_announced():
    game = cast("convert 1 choose -> runeslinger").ailments(B, weaken=2).play("it", "insanity", "B")
    assert game.areas(B) == "weaken 1, insanity 1, -, -"
