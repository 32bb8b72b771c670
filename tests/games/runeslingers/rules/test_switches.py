"""Every value of every rule variant on the kernels, and the assumptions without a variant."""

import pytest

from sim.games.runeslingers.cards.schema import Rules
from sim.games.runeslingers.state import Cause, Phase, Stage
from tests.games.runeslingers.positions import AXE, SNAP, A, B, a_duel, cast, dealt

# ---- switches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switch", "of_runespell", "of_chant"), [("runespell", True, False), ("any_card", True, True), ("nothing", False, False)]
)
def test_a01_what_can_be_answered(switch, of_runespell, of_chant):
    for text, asked in (("utility | 0 | 0 | c | | draw 1", of_runespell), ("chant | 0 | 5 | c | | draw 1", of_chant)):
        game = a_duel(f"it | {text}", SNAP, answer_on=switch).concs(A).concs(B).with_hand(A, "it").with_hand(B, "snap")
        assert (game.play("it").phase == Phase.ANSWER) == asked


def test_a01_an_answer_to_a_chant_comes_before_its_effects():
    game = a_duel("it | chant | 0 | 5 | c | | draw 1", SNAP, answer_on="any_card").concs(A).concs(B)
    game.with_hand(A, "it").with_hand(B, "snap").play("it", "snap")
    assert (game.at("A0"), game.pile("hand", A), game.both("foiled")) == ("", "", [1, 0])


def test_a01_the_later_rules_of_the_publisher_are_data():
    assert {"deck_size", "max_copies"} <= Rules.CONSTANTS


@pytest.mark.parametrize(("switch", "power", "deck"), [("immediate", 4, 1), ("on_need", 5, 0)])
def test_a02_when_a_deck_out_costs_power(switch, power, deck):
    game = cast("draw 1", deck_out=switch).with_deck(A, "fireball").with_pile("discard", A, "cleanse").play("it")
    assert (game.both("power")[A], game.both("deck_n")[A]) == (power, deck)


def test_a02_on_need_when_the_next_card_is_to_leave():
    game = cast("draw 2", deck_out="on_need").with_deck(A, "fireball").with_pile("discard", A, "cleanse").play("it")
    assert (game.both("power")[A], game.pile("hand", A), game.both("deck_n")[A]) == (4, "fireball, cleanse", 0)
    game = cast("draw 2", deck_out="on_need").with_deck(A, "fireball").play("it")
    assert game.ending == (B, Cause.NO_CARDS)


@pytest.mark.parametrize(("switch", "areas"), [("free_area", "(burn 1), burn 1, -, -"), ("blocked", "(burn 1), -, -, -")])
def test_a04_a_type_that_lies_under_a_boon(switch, areas):
    game = cast("apply 1 burn -> enemy", concealed_type=switch).ailments(B, burn=1).under_boon(B, 0, "binding").play("it")
    assert game.areas(B) == areas


def test_a04_blocked_still_grows_where_it_is_exposed():
    game = cast("apply 1 burn -> enemy", concealed_type="blocked").ailments(B, burn=1, curse=1).under_boon(B, 0, "binding")
    game.state["ailment"][B, 1] = 0
    assert game.play("it").areas(B) == "(burn 1), burn 2, -, -"


@pytest.mark.parametrize(("switch", "health", "barrier"), [("stops", 18, 0), ("ignores", 13, 5)])
def test_a05_pierce_against_a_barrier(switch, health, barrier):
    game = cast("damage 7 -> any", keywords="pierce", pierce_barrier=switch).has(B, barrier=5).play("it", "B")
    assert (game.both("health")[B], game.both("barrier")[B]) == (health, barrier)


def test_a05_plain_damage_is_stopped_either_way():
    game = cast("damage 7 -> any", pierce_barrier="ignores").has(B, barrier=5).play("it", "B")
    assert game.both("health")[B] == 18


@pytest.mark.parametrize(("switch", "hand", "discard"), [("all", 2, 1), ("draws", 3, 0)])
def test_a11_released_cards_and_the_hand_limit(switch, hand, discard):
    game = a_duel(AXE, max_hand=2, hand_limit=switch).on_slot(B, "stone_trap", under="fireball").concs(A)
    game.with_hand(A, "axe", "insight", "cleanse").play("axe")
    assert (game.both("hand_n")[A], game.both("discard_n")[A]) == (hand, discard)


def test_a11_draws_are_limited_either_way_and_12_is_the_hard_limit():
    for switch in ("all", "draws"):
        game = cast("draw 1", max_hand=1, hand_limit=switch).with_hand(A, "it", "insight").play("it")
        assert game.both("hand_n")[A] == 1
    game = a_duel(AXE, hand_limit="draws").on_slot(B, "stone_trap", under="fireball").concs(A)
    game.with_hand(A, "axe", *["insight"] * 11).play("axe")
    assert game.both("hand_n")[A] == 12
    game = a_duel(AXE, SNAP, hand_limit="draws").on_slot(B, "stone_trap", under="fireball").concs(A, 1)
    game.with_hand(A, *["insight"] * 12).with_hand(B, "snap").concs(B, 1).at_stage(Stage.PLAY, active=B)
    game.has(B, determination=1).play("snap", "B0")
    assert (game.both("hand_n")[A], game.pile("discard", A)) == (12, "fireball")


@pytest.mark.parametrize("switch", ["draw", "active_wins", "active_loses"])
@pytest.mark.parametrize("active", [A, B])
def test_a13_both_at_maximum_health_0(switch, active):
    game = a_duel("end_all | chant | 0 | 5 | c | | static max_health -20 each", double_loss=switch).concs(active)
    game.at_stage(Stage.PLAY, active=active).with_hand(active, "end_all").play("end_all")
    winner = {"draw": -1, "active_wins": active, "active_loses": 1 - active}[switch]
    assert game.ending == (winner, Cause.MAX_HEALTH)


@pytest.mark.parametrize(("switch", "runespell", "distract", "chant"), [
    ("distinct", False, True, True), ("full", True, True, True), ("auto", False, False, False),
])  # fmt: skip
def test_a14_for_which_cards_the_concentration_is_chosen(switch, runespell, distract, chant):
    for text, asked in (
        ("utility | 0 | 0 | c | | draw 1", runespell),
        ("utility | 0 | 0 | c | distract | draw 1", distract),
        ("chant | 0 | 5 | c | | draw 1", chant),
    ):
        game = a_duel(f"it | {text}", slot_choice=switch).concs(A, 1).concs(A, 1, used=True).with_hand(A, "it").play("it")
        assert (game.phase == Phase.SLOT) == asked


@pytest.mark.parametrize(("switch", "is_open"), [(False, False), (True, True)])
def test_a15_light_without_paying(switch, is_open):
    game = a_duel(float_light=switch).concs(A, 1, used=True).concs(A, 1)
    assert ("light" in game.options) == is_open
    if is_open:
        game.do("light")
        assert (game.both("light")[A], game.conc_words(A)[:10], "light" in game.options) == (1, "used, used", False)


@pytest.mark.parametrize(("switch", "health", "power"), [("effects_first", 18, 4), ("removal_first", 20, 4)])
def test_a20_burn_ii_and_the_eight(switch, health, power):
    game = a_duel(ailment_phase_order=switch).ailments(A, burn=8).at_stage(Stage.BEGIN)
    assert (game.both("health")[A], game.both("power")[A], game.areas(A)) == (health, power, "-, -, -, -")


@pytest.mark.parametrize("switch", ["choose", "random", "seat0"])
def test_a29_who_goes_first(switch):
    game = dealt(first=switch).roll(1, 6).do(0, 0)
    if switch == "choose":
        assert (game.phase, game.seat) == (Phase.FIRST, B)
    else:
        assert game.both("first") == {"random": B, "seat0": A}[switch]


def test_a29_seat0_rolls_no_dice():
    game = dealt(first="seat0").roll(1, 6).do(0, 0)
    assert (game.both("chooser"), int(game.workspace.dice[0]["script_at"])) == (-1, 0)


@pytest.mark.parametrize(("switch", "found"), [(True, ["A", "B", "A1", "B0"]), (False, ["B", "B0"])])
def test_a30_damage_on_the_own_objects(switch, found):
    game = cast("damage 1 -> any", own_targets=switch).on_slot(A, "ward_stone").on_slot(B, "ward_stone")
    assert game.play("it").options == found


def test_a30_off_concerns_damage_alone():
    game = cast("destroy -> defence, lose 1 -> runeslinger", own_targets=False).on_slot(A, "ward_stone").play("it")
    assert game.choose("A").both("health")[A] == 19


def test_every_switch_has_a_test_above():
    """`draft_copies` (A26) is tested with the boosters."""
    tested = {"answer_on", "deck_out", "concealed_type", "pierce_barrier", "hand_limit", "double_loss", "slot_choice"}
    tested |= {"float_light", "ailment_phase_order", "first", "own_targets"}
    assert {name for name in Rules.model_fields if name not in {"source", *Rules.CONSTANTS}} == tested | {"draft_copies"}


# ---- resolutions without a switch: others are named by the tests of their rule ------------------------------------------


def test_a03_each_card_arrives_before_the_empty_check():
    game = cast("void 3").with_deck(A, "fireball", "cleanse").with_pile("discard", A, "shatter").play("it")
    # two are voided, then a power goes; the third is the last of the new deck, and nothing is left
    assert (game.pile("void", A), game.both("power")[A]) == ("fireball, cleanse, shatter", 4)
    assert game.ending == (B, Cause.NO_CARDS)


def test_a10_a_trapped_card_has_left_its_field():
    """A second Ward Stone may be played (RUNE-54)."""
    game = a_duel().concs(A, 1).on_slot(B, "ward_stone").with_hand(A, "stone_trap").with_hand(B, "ward_stone")
    game.play("stone_trap").end("play on")
    assert game.offers("play") == ["ward_stone"]
