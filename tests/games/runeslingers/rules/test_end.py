"""RUNE-145 on the kernels, and every effect. RUNE-140: see `test_cards_refused`; RUNE-141 to 143: see `test_boosters`."""

import pytest

from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import Boost, Op, Stat
from sim.games.runeslingers.state import Phase, Stage
from tests.games.runeslingers.positions import A, B, a_duel, cast

# ---- the end --------------------------------------------------------------------------------------------------------


def test_rune_145_after_turn_cap_turns_no_other_begins():
    game = a_duel(turn_cap=20).at_stage(Stage.PLAY, turn=19, active=B).has(B, determination=1).end()
    assert (game.both("turn"), game.over, GAME.turn_limit(game.cards)) == (20, False, 20)
    assert (game.both("stage"), game.both("winner"), game.both("own_turns")) == (Stage.PLAY, -1, [3, 2])


def test_rune_145_the_turn_before_runs_as_ever():
    game = a_duel(turn_cap=20).at_stage(Stage.PLAY, turn=18).end()
    assert (game.both("turn"), game.both("active"), game.both("own_turns")) == (19, B, [3, 3])


# ---- every effect ---------------------------------------------------------------------------------------------------


def test_every_effect_has_a_test_below():
    names = " ".join(name for name in globals() if name.startswith("test_op_"))
    assert [op.name for op in Op if op != Op.NONE and op.name.lower() not in names] == []


def test_op_damage_at_a_word_that_is_no_target():
    game = cast("damage 4 -> self, damage 3 -> each").with_hand(B, "insight").play("it", "B first", "no")
    assert game.both("health") == [20 - 4 - 3, 17]


def test_op_lose_and_heal_on_each():
    game = cast("lose 4 -> each, heal 3 -> runeslinger").play("it", "B", "B first")
    assert game.both("health") == [16, 19]


def test_op_apply_and_remove_on_each():
    game = cast("apply 2 weaken -> each, remove 1 -> each").play("it", "A first", "A first")
    assert (game.areas(A), game.areas(B)) == ("weaken 1, -, -, -", "weaken 1, -, -, -")


def test_op_convert_of_ones_own():
    assert cast("convert 5 insanity").ailments(A, burn=2, insanity=1).play("it").areas(A) == "-, insanity 3, -, -"


@pytest.mark.parametrize(("op", "pile"), [("draw", "hand"), ("sear", "discard"), ("void", "void")])
def test_op_draw_sear_and_void_of_the_enemy(op, pile):
    game = cast(f"{op} 3 -> enemy").with_deck(B, "fireball", "cleanse", "shatter", "insight").play("it")
    assert sorted(game.pile(pile, B).split(", ")) == ["cleanse", "fireball", "shatter"]


def test_op_discard_and_discard_random_of_oneself():
    game = cast("discard 1, discard_random 1").with_hand(A, "it", "fireball", "cleanse", "shatter")
    game.play("it", "cleanse", draws="shatter")
    assert game.pile("discard", A) == "cleanse, shatter"


def test_op_destroy_of_each_sort():
    game = cast("destroy -> card, destroy -> card, destroy -> card").on_slot(B, "echo_chant").on_slot(B, "small_bolt")
    game.concs(B, 1, name="fireball").play("it", "B0", "B1", "B2")
    assert game.pile("discard", B) == "echo_chant, small_bolt, fireball"


def test_op_trap_and_release():
    trap = "jaw | chant | 0 | 5 | c | | trap -> card; when leaves: lose 1, release"
    game = a_duel(trap, "axe | utility | 0 | 0 | c | | destroy -> defence").concs(A, 2).on_slot(B, "ward_stone")
    game.with_hand(A, "jaw", "axe").play("jaw", "B0").play("axe")
    assert (game.both("health")[A], game.pile("hand", B), game.pile("discard", A)) == (19, "ward_stone", "jaw")


def test_op_barrier_on_a_card_and_on_a_runeslinger():
    game = cast("barrier 3 -> any, barrier 2 -> any").on_slot(B, "ward_stone").play("it", "B0", "B")
    assert (game.of("B0", "guard"), game.both("barrier")) == (3, [0, 2])


def test_op_light_and_extra_set():
    game = cast("light 4, extra_set 2").play("it")
    assert (game.both("light"), game.both("sets_left"), game.both("light_made")) == ([4, 0], [3, 1], [4, 0])


@pytest.mark.parametrize("boost", Boost)
def test_op_boost_of_every_stat(boost):
    word = boost.name.lower()
    text = f"boost {word}" if "PIERCE" in boost.name else f"boost 3 {word}"
    game = cast(text).play("it")
    found = game.state["boosts"][A].tolist()
    assert found[boost] > 0
    assert sum(value != 0 for value in found) == 1
    assert not game.end().state["boosts"].any()


@pytest.mark.parametrize(("kind", "boost"), [("spirit", "pierce_spirit"), ("attack", "pierce_attack")])
def test_op_boost_of_pierce_works_for_its_type(kind, boost):
    other = {"spirit": "attack", "attack": "spirit"}[kind]
    for of, health in ((kind, 16), (other, 20)):
        game = cast(f"boost {boost}, damage 9 -> runeslinger", kind=of).has(B, health=5).play("it", "B")
        assert game.both("health")[B] == health


@pytest.mark.parametrize(("kind", "boost"), [("spirit", "damage_spirit"), ("attack", "damage_attack")])
def test_op_boost_of_damage_works_for_its_type(kind, boost):
    other = {"spirit": "attack", "attack": "spirit"}[kind]
    for of, health in ((kind, 12), (other, 15)):
        assert cast(f"boost 3 {boost}, damage 5 -> runeslinger", kind=of).play("it", "B").both("health")[B] == health


def test_op_boost_of_damage_and_block():
    game = cast("boost 2 damage, damage 5 -> any").play("it", "B")
    assert game.both("health")[B] == 13
    wall = cast("boost 2 block -> self", keywords="shout").at_stage(Stage.PLAY, active=B).concs(B, 1).has(B, determination=1)
    wall.with_hand(A, "it", "insight").with_hand(B, "fireball").concs(B, 2).play("fireball", "A", "it", "insight")
    assert wall.both("health")[A] == 20 - (8 - 4 - 2)


# ---- every stat of statics ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scope", "own", "other"), [("", 3, 0), (" enemy", 0, 3), (" each", 3, 3)])
def test_scope_of_statics_is_seen_from_the_controller(scope, own, other):
    game = a_duel(f"pillar | chant | 0 | 5 | c | | static damage 3{scope}").on_slot(B, "pillar", owner=A)
    assert [game.stat(seat, Stat.DAMAGE) for seat in (B, A)] == [own, other]


@pytest.mark.parametrize("stat", ["no_heal", "no_pass", "no_ability", "attack_any"])
def test_flags_of_statics(stat):
    game = a_duel(f"pillar | chant | 0 | 5 | c | | static {stat} enemy").on_slot(B, "pillar")
    assert [game.stat(seat, Stat[stat.upper()]) for seat in (A, B)] == [1, 0]


def test_no_heal_no_pass_and_no_ability_by_cards():
    game = a_duel("pillar | chant | 0 | 5 | c | | static no_heal each; static no_pass each; static no_ability each",
                  "it | utility | 0 | 0 | c | | heal 5")  # fmt: skip
    game.on_slot(B, "pillar").concs(A, 1).with_hand(A, "it", "insight").has(A, health=5).at_stage(Stage.BEGIN)
    assert game.phase == Phase.MAIN
    assert not {"inherent", "ability"} & set(game.options)
    assert game.play("it").both("health")[A] == 5
