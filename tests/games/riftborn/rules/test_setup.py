"""RIFT-01 to 09 on the kernels: decks, what a player has, opening hands, the coin, the first turns; G-11."""

from collections import Counter

import numpy as np
import pytest

from sim.engine.dice import SEATS_MAX, open_dice
from sim.games.riftborn import GAME
from sim.games.riftborn.rules.turn import toss
from sim.games.riftborn.state import NOBODY, Phase
from tests.games.riftborn.positions import A, B, a, dealt, table

TOSSES, FAIR_SHARE = 400, (150, 250)  # five standard deviations
KEEP_ALL = ["keep"] * 10


def listed(text: str) -> Counter[str]:
    """Cards of a pile by how often they are there."""
    return Counter(text.split(", ") if text else [])


def deck_list(deck: str) -> Counter[str]:
    """Cards of a preset deck."""
    (cards,) = (entry["cards"] for entry in GAME.load(None).document["deck"] if entry["id"] == deck)
    return Counter(cards)


# ---- two players and their decks ------------------------------------------------------------------------------------


def test_rift_01_every_player_has_places_of_all_kinds():
    own = a(
        "beast_cub / beast_hawk",
        hand="spark, recall",
        library="beast_boar, beast_troll",
        discard="wither",
        removed="awaken",
        weapons="short_sword",
        armour="leather_armour",
        tricks="ambush, snare",
        life=31,
        xp=1200,
    )
    game = table(own, a("fae_sprite", hand="insight"))
    assert (game.who(A), game.hand(A), game.pile("library", A)) == (
        *("beast_cub / beast_hawk", "spark, recall"),
        "beast_boar, beast_troll",
    )
    assert (game.pile("discard", A), game.pile("removed", A)) == ("wither", "awaken")
    assert (game.weapons(A), game.armour(A), game.tricks(A)) == ("short_sword 3", "leather_armour 4", "ambush, snare")
    assert (game.life(A), game.xp(A), game.level(A)) == (31, 1200, 3)
    assert (game.who(B), game.hand(B), game.tricks(B), game.level(B)) == ("fae_sprite", "insight", "", 1)


# ---- setup ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("life", [50, 20])
def test_rift_05_both_start_with_50_life_at_level_1_and_nothing_in_play(life):
    game = dealt(start_life=life)
    for seat in (A, B):
        assert (game.life(seat), game.xp(seat), game.level(seat)) == (life, 0, 1)
        assert (game.who(seat), game.weapons(seat), game.armour(seat), game.tricks(seat)) == ("", "", "", "")
        assert (game.pile("discard", seat), game.pile("removed", seat)) == ("", "")


@pytest.mark.parametrize("size", [5, 0, 10])
def test_rift_06_both_shuffle_and_draw_five(size):
    game, other = dealt(start_hand=size), dealt(start_hand=size, game=1)
    for seat, deck in ((A, "soldier_line"), (B, "beast_rush")):
        assert game.state["hand_n"][seat] == size
        assert listed(game.hand(seat)) + listed(game.pile("library", seat)) == deck_list(deck)
        assert game.pile("library", seat) != other.pile("library", seat)


def test_rift_07_returned_cards_are_replaced_by_as_many_and_the_others_stay():
    game = dealt()
    hand = game.hand(A).split(", ")
    game.do("return", "keep", "return", "keep", "keep")
    assert game.hand(A).split(", ")[:3] == [hand[1], *hand[3:]]
    assert (game.state["hand_n"][A], game.state["library_n"][A], game.seat) == (5, 35, B)
    assert listed(game.hand(A)) + listed(game.pile("library", A)) == deck_list("soldier_line")


def test_rift_07_what_was_returned_may_come_back():
    game = dealt()
    hand = game.hand(A)
    game.do(*["return"] * 5, draws=hand)
    assert game.hand(A) == hand


def test_rift_07_the_returned_cards_are_shuffled_into_the_library():
    games = [dealt(game=number).do(*["return"] * 5) for number in (0, 1)]
    assert games[0].pile("library", A) != games[1].pile("library", A)


def test_rift_07_whoever_keeps_all_keeps_the_order_of_the_library_too():
    game = dealt()
    before = [(game.hand(seat), game.pile("library", seat)) for seat in (A, B)]
    game.do(*["keep"] * 5)
    assert (game.hand(A), game.pile("library", A)) == before[A]
    assert (game.hand(B), game.pile("library", B)) == before[B]


@pytest.mark.parametrize(("mulligans", "asked"), [(0, []), (1, [A] * 5 + [B] * 5), (2, [A] * 10 + [B] * 10)])
def test_rift_07_each_player_is_asked_once_for_every_card_first_seat_0(mulligans, asked):
    game, seats = dealt(mulligans=mulligans), []
    while game.phase == Phase.MULLIGAN:
        seats.append(game.seat)
        game.do("keep")
    assert seats == asked


def test_rift_07_hands_are_hidden():
    assert {"hand", "library"} <= {*GAME.hidden}


@pytest.mark.parametrize("seat", [A, B])
def test_rift_08_the_coin_comes_after_the_mulligans_and_says_who_goes_first(seat):
    game = dealt().do(*KEEP_ALL[:-1])
    assert (game.phase, game.state["first"]) == (Phase.MULLIGAN, NOBODY)
    game.do("keep", draws=f"seat {seat}")
    assert (game.state["first"], game.active, game.seat, game.phase) == (seat, seat, seat, Phase.MAIN)


def test_rift_08_the_coin_is_fair():
    game, streams = dealt(), np.arange(SEATS_MAX, dtype=np.uint32)
    dice, firsts = game.workspace.dice[0], []
    for number in range(TOSSES):
        open_dice(dice, np.uint64(1), np.uint64(number), streams)
        toss(game.state, dice)
        firsts.append(int(game.state["first"]))
    assert {*firsts} == {A, B}
    assert FAIR_SHARE[0] < sum(firsts) < FAIR_SHARE[1]


@pytest.mark.parametrize(("extra", "first_hand"), [(0, 5), (2, 7)])
def test_rift_09_golden_g11_the_first_player_does_not_draw_in_the_first_turn_but_gains_the_experience(extra, first_hand):
    game = dealt(first_player_first_draw=extra).do(*KEEP_ALL)
    first = game.active
    assert (game.life(first), game.level(first), game.xp(first), game.state["hand_n"][first]) == (50, 1, 300, first_hand)
    game.end()
    assert (game.xp(1 - first), game.level(1 - first), game.state["hand_n"][1 - first]) == (300, 1, 6)
    game.end()
    assert (game.xp(first), game.state["hand_n"][first]) == (600, first_hand + 1)
