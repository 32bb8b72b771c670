"""RUNE-01 to 28 on the kernels: objects, golden rules, set-up, power."""

import json

import numpy as np
import pytest

from sim.experiments.designs import Shifts
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import Stat
from sim.games.runeslingers.state import AREAS, SLOTS, Cause, Phase, Stage
from tests.games.runeslingers.positions import A, B, a_duel, dealt

FIVE = "five | chant | 1 | 5 | c | | static max_hand 5 each"
THREE = "three | chant | 1 | 5 | c | | static max_hand 3 each"


# ---- words and objects ----------------------------------------------------------------------------------------------


def test_rune_01_two_players_and_the_enemy_is_the_other():
    assert GAME.seats == (2,)
    game = a_duel("bite | utility | 0 | 0 | c | | lose 3 -> enemy").with_hand(A, "bite").concs(A)
    assert game.play("bite").both("health") == [20, 17]


def test_rune_02_a_side_is_a_runeslinger_its_equips_and_a_deck():
    game = a_duel(heroes=("eva", "romin"), stances=("talakas_heart", "braced_stance"))
    assert [game.stat(seat, Stat.BLOCK) for seat in (A, B)] == [4, 5]
    # of another class, stance and ability are refused
    with pytest.raises(ValueError, match="stance"):
        a_duel(stances=("braced_stance", ""))


def test_rune_02_affiliations_restrict_nothing():
    document = json.loads(json.dumps(GAME.load(None).document))
    for number, card in enumerate(document["card"]):
        card["affiliation"] = f"Guild {number}"
    assert GAME.from_document(document).record.tobytes() == GAME.load(None).record.tobytes()


def test_rune_03_a_field_has_six_concentration_areas_and_four_ailment_areas():
    assert (SLOTS, AREAS) == (6, 4)
    game = a_duel().concs(A, 6).ailments(A, burn=1, curse=1, weaken=1, fragment=1).with_hand(A, "insight")
    assert game.offers("set") == []
    game = a_duel("ache | utility | 0 | 0 | c | | apply 1 insanity").with_hand(A, "ache").concs(A)
    full = game.ailments(A, burn=1, curse=1, weaken=1, fragment=1).play("ache")
    assert full.areas(A) == "burn 1, curse 1, weaken 1, fragment 1"


def test_rune_04_a_concentration_has_no_type_and_no_effect():
    """A Ward Stone as a concentration raises no block and is no defence card; `card` may still be aimed at it."""
    game = a_duel("grip | chant | 0 | 5 | c | | trap -> card; when leaves: release")
    game.concs(B, name="ward_stone").concs(A, 3).with_hand(A, "shatter", "grip")
    assert game.stat(B, Stat.BLOCK) == 4
    assert game.offers("play") == ["grip"]
    assert game.play("grip").options == ["A1", "B0"]


def test_rune_05_a_card_acts_for_its_controller_and_leaves_for_its_owners_pile():
    game = a_duel().on_slot(B, "echo_chant", owner=A, damage=3).concs(A, 1).ailments(B, burn=1)
    game.under_boon(B, 0, "divine_barrier", owner=A).with_hand(A, "small_bolt")
    assert (game.stat(A, Stat.BLOCK), game.stat(B, Stat.BLOCK)) == (4, 6)
    game.play("small_bolt", "B0")
    assert (game.pile("discard", A), game.pile("discard", B)) == ("echo_chant", "")


def test_rune_06_what_is_concealed_is_out_of_play():
    game = a_duel().ailments(A, weaken=2, debilitate=3).under_boon(A, 0, "binding")
    assert (game.stat(A, Stat.BLOCK), game.stat(A, Stat.MAX_HEALTH)) == (4, 17)
    # a concentration under a card is neither a target, nor makes light, nor can be covered
    game = a_duel("pry | utility | 0 | 0 | c | | destroy -> concentration").with_hand(A, "pry")
    game.on_slot(A, "ward_stone")
    assert game.offers("play") == []
    game = a_duel("pry | utility | 0 | 0 | c | | destroy -> concentration").with_hand(A, "pry")
    assert game.on_slot(B, "ward_stone").concs(A).offers("play") == []


def test_rune_06_a_trapped_card_is_out_of_play():
    game = a_duel().on_slot(A, "stone_trap", under="ward_stone")
    assert [game.stat(seat, Stat.BLOCK) for seat in (A, B)] == [4, 4]


def test_rune_07_a_concentration_keeps_its_position_while_concealed():
    """Cards that leave show what lies under them as it was: one paid for, the other not."""
    game = a_duel("ember | spirit | 0 | 0 | c | | damage 1 -> any").with_hand(A, "ember", "small_bolt").concs(A, 2)
    game.play("small_bolt", "B").play("ember", "B")
    assert (game.at("A0"), game.at("A1"), game.conc_words(A)[:11]) == ("small_bolt", "ember", "used, ready")


def test_rune_08_voided_cards_never_come_back():
    """The new deck is made of the discard pile alone."""
    game = a_duel("dig | utility | 0 | 0 | c | | void 2").with_hand(A, "dig").concs(A)
    game.with_deck(A, "fireball", "cleanse").with_pile("discard", A, "shatter").play("dig")
    assert (game.pile("void", A), game.pile("deck", A)) == ("fireball, cleanse", "shatter")


def test_rune_08_hidden_are_decks_hands_and_concentrations():
    assert {"deck", "hand", "conc"} <= set(GAME.hidden)
    assert not {"discard", "void", "thing", "ailment"} & set(GAME.hidden)


# ---- golden rules ---------------------------------------------------------------------------------------------------


def test_rune_09_an_effect_wins_over_a_rule():
    """Attacks hit Runeslingers only, and hands hold eight, unless an effect changes this."""
    game = a_duel().on_slot(A, "aiming_lens").on_slot(B, "echo_chant").concs(A, 2).with_hand(A, "glancing_arrow")
    assert game.play("glancing_arrow").options == ["A", "B", "A0", "B0"]
    satchel = a_duel("draw_two | utility | 0 | 0 | c | | draw 2").on_slot(A, "wide_satchel").concs(A)
    assert len(satchel.with_hand(A, *["insight"] * 8, "draw_two").play("draw_two").pile("hand", A).split()) == 10


def test_rune_10_ailments_beat_stances_which_beat_cards():
    game = a_duel(stances=("static max_hand 7", "")).on_slot(A, "wide_satchel")
    assert game.stat(A, Stat.MAX_HAND) == 7
    game.ailments(A, fragment=4)
    assert game.stat(A, Stat.MAX_HAND) == 4
    game.ailments(A, curse=1).under_boon(A, 0, "binding")
    assert game.stat(A, Stat.MAX_HAND) == 7


def test_rune_10_an_enemys_stance_beats_a_card_of_the_active_player():
    game = a_duel(stances=("", "static max_hand 6 enemy")).on_slot(A, "wide_satchel")
    assert game.stat(A, Stat.MAX_HAND) == 6


def test_rune_10_an_ailment_of_the_enemys_beats_a_stance_of_the_active_player():
    game = a_duel(stances=("static max_hand 9 each", "")).ailments(B, fragment=4)
    assert [game.stat(seat, Stat.MAX_HAND) for seat in (A, B)] == [9, 4]


@pytest.mark.parametrize(("active", "size"), [(A, 5), (B, 3)])
def test_rune_10_on_one_level_the_active_players_effect_wins(active, size):
    """However old it is."""
    game = a_duel(FIVE, THREE).on_slot(A, "five").on_slot(B, "three").at_stage(Stage.PLAY, active=active)
    assert [game.stat(seat, Stat.MAX_HAND) for seat in (A, B)] == [size, size]


def test_rune_10_the_active_player_changes_with_the_turn():
    game = a_duel(FIVE, THREE).on_slot(A, "five").on_slot(B, "three")
    assert game.both("stat")[A][Stat.MAX_HAND] == 5
    assert game.end().both("stat")[A][Stat.MAX_HAND] == 3


def test_rune_10_of_one_controller_the_newest_wins_whatever_its_slot():
    game = a_duel(FIVE, THREE).on_slot(A, "five").on_slot(A, "three")
    assert game.stat(A, Stat.MAX_HAND) == 3
    game.state["thing_seq"][A, 0] = 99  # slot 0 was laid last
    assert game.stat(A, Stat.MAX_HAND) == 5


def test_rune_10_an_ailment_area_counts_from_the_lowest():
    """Of two ailments that set the hand size, the lowest area's holds."""
    sets = {"ailment.curse.level2": [{"stat": "max_hand", "n": 6}]}
    game = a_duel(changes=sets).ailments(A, curse=4, fragment=4)
    assert game.stat(A, Stat.MAX_HAND) == 6


def test_rune_10_numbers_that_add_never_contradict():
    game = a_duel(stances=("static block 1", "")).on_slot(A, "ward_stone").ailments(A, weaken=1)
    assert game.stat(A, Stat.BLOCK) == 4 + 1 + 2 - 1


@pytest.mark.parametrize(("word", "winner"), [("A first", B), ("B first", A)])
def test_rune_11_the_active_player_orders_what_happens_at_once(word, winner):
    game = a_duel("both | utility | 0 | 0 | c | | lose 1 -> each").with_hand(A, "both").concs(A)
    game.has(A, health=1, power=1).has(B, health=1, power=1)
    game.play("both")
    assert (game.phase, game.seat, game.options) == (Phase.EACH, A, ["A first", "B first"])
    assert game.choose(word).ending == (winner, Cause.HEALTH)


@pytest.mark.parametrize(("word", "winner"), [("A first", B), ("B first", A)])
def test_rune_11_also_where_the_effect_is_the_enemys(word, winner):
    """B's stance has both lose one when B blocks in A's turn: A is asked."""
    game = a_duel(stances=("", "when you_block: lose 1 -> each")).with_hand(A, "small_bolt").concs(A, 1)
    game.has(A, health=1, power=1).has(B, health=1, power=1).with_hand(B, "insight")
    game.play("small_bolt", "B", "insight")
    assert (game.phase, game.seat) == (Phase.EACH, A)
    assert game.choose(word).ending == (winner, Cause.HEALTH)


def test_rune_12_an_effect_does_as_much_as_it_can():
    game = a_duel("rob | utility | 0 | 0 | c | | discard 3 -> enemy").with_hand(A, "rob").concs(A)
    game.with_hand(B, "insight").play("rob")
    assert (game.pile("hand", B), game.pile("discard", B)) == ("", "insight")


def test_rune_12_it_may_be_used_when_nothing_will_happen():
    game = a_duel("ache | utility | 0 | 0 | c | | apply 1 burn -> runeslinger").with_hand(A, "ache", "cleanse")
    game.concs(A, 2).ailments(B, curse=1, weaken=1, fragment=1, insanity=1)
    assert game.offers("play") == ["cleanse", "ache"]
    assert (game.play("ache", "B").both("health"), game.areas(A)) == ([20, 20], "-, -, -, -")


@pytest.mark.parametrize(("op", "field"), [("draw", "drawn_cards"), ("sear", "seared"), ("void", "voided")])
def test_rune_13_draw_sear_and_void_are_carried_out_in_full(op, field):
    game = a_duel(f"dig | utility | 0 | 0 | c | | {op} 4").with_hand(A, "dig").concs(A)
    game.with_deck(A, "fireball").with_pile("discard", A, *["insight"] * 5).play("dig")
    assert (game.both("power")[A], game.both(field)[A]) == (4, 4)


# ---- set-up ---------------------------------------------------------------------------------------------------------


def test_rune_14_the_start():
    game = dealt()
    values = [game.both(field) for field in ("power", "determination", "health", "light", "barrier")]
    assert values == [[5, 5], [0, 0], [20, 20], [0, 0], [0, 0]]
    assert game.areas(A) == game.areas(B) == "-, -, -, -"


def test_rune_14_health_is_the_maximum_with_what_the_stance_adds():
    assert dealt(stances=("static max_health 3", "static max_health -2 each")).both("health") == [21, 18]


def test_rune_15_each_deck_is_shuffled_and_each_player_draws_five():
    game = dealt()
    assert game.both("hand_n") == [5, 5]
    assert game.both("deck_n") == [25, 25]
    orders = {tuple(dealt(game=number).both("deck")[A]) for number in range(3)}
    assert len(orders) == 3


def test_rune_16_one_card_each_becomes_a_ready_concentration():
    game = dealt()
    assert (game.phase, game.seat) == (Phase.SETUP, A)
    game.do(0)
    assert (game.phase, game.seat) == (Phase.SETUP, B)
    assert game.both("first") == -1  # it comes before anyone knows who goes first
    game.do(0)
    assert game.both("hand_n") == [4, 4]
    assert game.both("deck_n") == [25, 25]
    assert game.conc_words(A) == game.conc_words(B) == "ready, -, -, -, -, -"


@pytest.mark.parametrize(("faces", "chooser"), [((5, 2), A), ((1, 6), B), ((3, 3, 2, 4), B)])
def test_rune_17_the_higher_roll_chooses_and_ties_roll_again(faces, chooser):
    game = dealt().roll(*faces).do(0, 0)
    assert (game.phase, game.seat) == (Phase.FIRST, chooser)
    assert game.do("go second").both("first") == 1 - chooser


def test_rune_17_the_winner_may_go_first():
    assert dealt().roll(6, 1).do(0, 0, "go first").both("active") == A


def test_rune_144_every_pair_meets_from_both_seats():
    """Full round robin of the reference decks."""
    decks = len(GAME.load(None).ids)
    design = Shifts(seats=2, entrants=decks, mirror=False, seed=1)
    met = {(int(one), int(two)) for one, two in design.entrants_of(np.arange(design.lineups))}
    assert met == {(one, two) for one in range(decks) for two in range(decks) if one != two}
