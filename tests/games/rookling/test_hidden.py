"""What a seat cannot see is sampled: every possible hand equally often, and nothing that the seat knows changes."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine.cards import CardSet
from sim.engine.game import nothing_unseen
from sim.games.rookling import GAME
from sim.games.rookling.state import SEATS
from tests.every_game.play import fields, fresh_dice, reached, redealt
from tests.games.playing import AS_PRINTED
from tests.games.rookling.invariants import check
from tests.games.rookling.playing import VARIANTS, card_set, game_at_random, placed
from tests.games.rookling.positions import a, table

Card = tuple[str, int]  # what is on it, and when it went into the deck (0: it was there from the beginning)
RARE = 1e-4
REDEALS = 600
STRIDE = 12  # positions of a game at this interval are re-dealt
AT_WILL: dict[str, Any] = {"phase": "activate", "pending": {"at": "left", "line": "Pressure"}}


NAMED: dict[tuple[bytes, int], tuple[str, ...]] = {}  # hands in words


def against_the_mole(deck: dict[str, int], hands: tuple[list[str], list[str]], moments: dict[str, Any]) -> np.void:
    """Seat 0 does not see the hand of seat 1, whose Delvi has Tunnels; what is named nowhere was discarded."""
    mine, other = hands
    players = [{"row": ["rime", "rute", "hiss"], "hand": mine}, {"row": ["delvi", "valt", "stone"], "hand": other}]
    return placed({"players": players, "deck": deck, "moments": moments})


def hand_of(state: np.void, seat: int) -> tuple[str, ...]:
    """A hand in words, the oldest card first. Words of a whole position take milliseconds, so those of a hand are kept."""
    hand = state["hand"][seat].tobytes(), int(state["hand_n"][seat])
    if hand not in NAMED:
        NAMED[hand] = tuple(GAME.words.position(state, card_set())["players"][seat]["hand"])
    return NAMED[hand]


def shares(pool: list[Card], drawn: list[int]) -> dict[tuple[str, ...], float]:
    """Exact shares of all hands: any cards in any places, none in a place that was drawn before it went in."""
    hands = Counter(
        tuple(word for word, _ in hand)
        for hand in permutations(pool, len(drawn))
        if all(entered < at for (_, entered), at in zip(hand, drawn, strict=True))
    )
    return {hand: count / hands.total() for hand, count in hands.items()}


def holds_to(state: np.void, expected: dict[tuple[str, ...], float]) -> None:
    """Re-deal again and again and compare."""
    found = Counter(hand_of(redealt(state, card_set().record, 0, index), 1) for index in range(REDEALS))
    assert set(found) <= set(expected)
    hands = sorted(expected)
    assert stats.chisquare([found[hand] for hand in hands], [expected[hand] * REDEALS for hand in hands]).pvalue > RARE


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redeal_keeps_what_a_seat_knows(variant: str):
    for state, _, _ in game_at_random(variant)[::STRIDE]:
        for seat in range(SEATS):
            keeps(state, card_set(variant), seat)


def keeps(state: np.void, cards: CardSet, seat: int) -> None:
    """Re-deal for a seat: nothing but the other hand and the deck differ, and all that holds of positions still holds."""
    after = redealt(state, cards.record, seat, int(state["turn"]))
    old, new = fields(state), fields(after)
    assert {name for name in old if old[name] != new[name]} <= {"hand", "deck"} == set(GAME.hidden)
    assert np.array_equal(after["hand"][seat], state["hand"][seat])
    check(np.array([after]), cards)


def test_a_redeal_varies_the_other_hand_and_the_deck():
    met = 0
    for state, _, _ in game_at_random(AS_PRINTED)[5:100:10]:
        for seat in range(SEATS):
            if state["hand_n"][1 - seat]:
                hands = {redealt(state, card_set().record, seat, i)["hand"][1 - seat].tobytes() for i in range(20)}
                assert len(hands) > 1
                met += 1
    assert met


def test_a_redeal_deals_every_hand_of_what_is_unseen_equally_often():
    """3 of 7 cards, 2 of them Tunnels: C(2, k) C(5, 3 - k) / C(7, 3) of the hands have k."""
    deck = {"red 1": 1, "red 6": 1, "blue 2": 1, "tunnel": 1}
    moments = {"now": 9, "drawn": [[2], [3, 4, 5]], "entered": {"tunnel": [1, 1]}}
    state = against_the_mole(deck, (["red 3"], ["green 1", "tunnel", "yellow 5"]), moments)
    pool = [("red 1", 0), ("red 6", 0), ("blue 2", 0), ("green 1", 0), ("yellow 5", 0), ("tunnel", 1), ("tunnel", 1)]
    expected = shares(pool, [3, 4, 5])
    holds_to(state, expected)
    tunnels = Counter()
    for hand, share in expected.items():
        tunnels[hand.count("tunnel")] += share
    for count in range(3):
        assert tunnels[count] == pytest.approx(stats.hypergeom(7, 2, 3).pmf(count))


def test_a_redeal_puts_no_copy_where_it_cannot_be():
    """One Tunnel went in between the first and the second card of the hand, one after them."""
    deck = {"red 1": 1, "blue 2": 2, "tunnel": 1}
    moments = {"now": 12, "drawn": [[2], [5, 9, 11]], "entered": {"tunnel": [7, 10]}}
    state = against_the_mole(deck, (["red 3"], ["green 1", "tunnel", "green 1"]), moments)
    pool = [("red 1", 0), ("blue 2", 0), ("blue 2", 0), ("green 1", 0), ("green 1", 0), ("tunnel", 7), ("tunnel", 10)]
    expected = shares(pool, [5, 9, 11])
    assert all(hand[0] != "tunnel" for hand in expected)
    assert ("green 1", "tunnel", "tunnel") in expected
    holds_to(state, expected)


def test_rook_13_a_copy_in_an_older_place_is_none_for_the_newer_ones():
    """One Tunnel went in before both cards of the hand were drawn, one after them."""
    deck = {"red 1": 1, "blue 2": 1, "tunnel": 1}
    moments = {"now": 12, "drawn": [[2], [5, 6]], "entered": {"tunnel": [1, 7]}}
    state = against_the_mole(deck, (["red 3"], ["tunnel", "yellow 1"]), moments)
    pool = [("red 1", 0), ("blue 2", 0), ("yellow 1", 0), ("tunnel", 1), ("tunnel", 7)]
    expected = shares(pool, [5, 6])
    assert ("tunnel", "tunnel") not in expected
    holds_to(state, expected)


def test_a_redeal_knows_that_the_own_copy_is_the_one_that_went_in_early():
    """Seat 0 drew a Tunnel when only one was in the deck; the other one went in after the first card of the other hand."""
    deck = {"red 1": 1, "blue 2": 1, "tunnel": 1}
    moments = {"now": 12, "drawn": [[4], [6, 9]], "entered": {"tunnel": [3, 7]}}
    state = against_the_mole(deck, (["tunnel"], ["green 1", "yellow 1"]), moments)
    pool = [("red 1", 0), ("blue 2", 0), ("green 1", 0), ("yellow 1", 0), ("tunnel", 7)]
    holds_to(state, shares(pool, [6, 9]))


def test_a_redeal_finds_the_only_hand_that_can_be():
    """The deck holds nothing but copies that went in after the whole hand was drawn."""
    moments = {"now": 12, "drawn": [[2], [5, 6]], "entered": {"tunnel": [7, 7]}}
    state = against_the_mole({"tunnel": 2}, (["red 3"], ["green 1", "yellow 5"]), moments)
    holds_to(state, {("green 1", "yellow 5"): 1 / 2, ("yellow 5", "green 1"): 1 / 2})


def test_a_redeal_lets_the_two_hands_meet_in_one_deck():
    """For the owner of the hand nothing changes: seat 1 knows its cards, and seat 0's one card varies."""
    deck = {"red 1": 1, "blue 2": 2}
    state = against_the_mole(deck, (["red 3"], ["green 1", "yellow 5"]), {})
    found = set()
    for number in range(60):
        other = redealt(state, card_set().record, 1, number)
        assert hand_of(other, 1) == ("green 1", "yellow 5")
        found.add(hand_of(other, 0))
    assert found == {("red 1",), ("blue 2",), ("red 3",)}


def test_a_card_is_drawn_by_chance_when_it_is_drawn():
    """No player ever looks into the deck, and it has no order: there is nothing to re-sample."""
    play = table(a("hiss stone spring", energy=("red 4", "", "")), deck={"red 1": 1, "blue 2": 1, "green 3": 1}, **AT_WILL)
    activate = dict(zip(play.options, play.codes, strict=True))["activate Pressure"]
    found: Counter[tuple[str, ...]] = Counter()
    for index in range(300):
        dice = fresh_dice(index, turn=play.state["turn"])
        found[hand_of(reached(GAME, play.state, play.cards.record, activate, dice).state, 0)] += 1
    assert len(found) == 6
    assert stats.chisquare([*found.values()]).pvalue > RARE
    assert GAME.verbs.resample_unseen is nothing_unseen
