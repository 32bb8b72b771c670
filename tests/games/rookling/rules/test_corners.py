"""Corners of the rules where several of them meet: lines of two effects, both owners of a field effect, the last of its kind."""

from typing import Any

import numpy as np
import pytest

from sim.engine.contract import write_outcome
from sim.games.rookling import GAME
from sim.games.rookling.cards import LINES, TOKENS
from tests.games.rookling.positions import Play, a, placed, table

SQUAD = "rime rute hiss"
DRAW_ONE = {"do": "draw", "n": 1}
FOES = "shadow stone spring"


def outcome_of(game: Play) -> np.void:
    """The outcome if the game ended now."""
    outcome: np.void = np.zeros(1, GAME.outcome)[0]
    write_outcome(game.state, outcome)
    return outcome


# facts of a game


@pytest.mark.parametrize(("life", "card"), [(0, "green 3"), (1, "green 5")])
def test_rook_30_57_a_line_that_turned_its_own_card_was_met(life, card):
    """Mend asks for 3 in siege-state and 5 on the front: with green 3 Spring heals itself and does not meet it any more."""
    mend = {"rookling.spring.line.mend.number": 5, "rookling.spring.line.mend.siege": {"number": 3}}
    game = table(a("rime hiss spring", life=(6, 6, life), hand=card), changes=mend)
    game.do(f"put {card} on Spring", "activate Mend").idle()
    outcome, mended = outcome_of(game), 2 * LINES + 2
    assert (outcome["line_met"][0, mended], outcome["line_used"][0, mended]) == (1, 1)


# lines of two effects


def test_rook_31_36_copies_shuffled_into_an_empty_deck_can_be_drawn_by_the_same_line():
    dig = {"rookling.delvi.line.dig.effects": [{"do": "shuffle_field", "field_effect": "tunnel", "n": 2}, DRAW_ONE]}
    game = table(a("delvi rute hiss", hand="yellow 2"), deck={}, changes=dig)
    game.do("put yellow 2 on Delvi", "activate Dig", draws=["tunnel"])
    assert game.hand(0) == ["tunnel"]


def test_rook_30_32_a_line_is_offered_for_one_effect_and_asks_for_no_target_of_the_other():
    """No Rookling can be healed, so there is none to pick; the card is drawn all the same."""
    mend = {"rookling.spring.line.mend.effects": [DRAW_ONE, {"do": "heal", "scope": "any_own", "n": 2}]}
    game = table(a("spring rute hiss", hand="green 3, red 1"), changes=mend)
    game.do("put green 3 on Spring", "activate Mend", draws=["blue 6"])
    assert (game.phase, game.hand(0)) == ("assign", ["red 1", "blue 6"])


def test_rook_33_34_who_is_cleansed_of_frost_can_be_charged_by_the_same_line():
    effects = [{"do": "cleanse", "scope": "any_own"}, {"do": "charge", "scope": "any_own", "n": 1}]
    charge = {"rookling.valt.line.charge.effects": effects}
    own = a("valt rute hiss", hand="red 3, red 2, red 1", tokens=("", "frozen", ""))
    game = table(own, changes=charge).do("put red 3 on Valt", "activate Charge", "Charge for Rute")
    assert game.state["capacity"][0].tolist() == [1, 2, 1]
    game.do("put red 2 on Rute", "put red 1 on Rute")
    assert game.state["zone_n"][0].tolist() == [1, 2, 0]


# field effects


def test_rook_62_two_tunnels_on_one_charged_rookling_make_one():
    own = a("delvi valt hiss", energy=("", "tunnel, tunnel", ""), capacity=(1, 2, 1))
    game = table(own, phase="attack", pending={"at": "middle"}).do("attack with Arc").idle()
    assert (game.under(0, "fixed"), game.player(0)["pile"].count("tunnel")) == ([[], ["tunnel"], []], 1)


def test_rook_39_62_71_tunnels_of_both_owners_in_one_zone_add_up():
    """Two starter sets: each Delvi has a Tunnel, and both lie where seat 0 has its left Rookling."""
    own = a("delvi rute hiss", energy=("red 2", "", ""), fixed=("tunnel (seat 0), tunnel (seat 1)", "", ""))
    game = table(own, a("delvi stone spring"), rules={"mirror": True}, phase="attack")
    game.do("attack with Claw")
    assert game.state["declared"][0, 0].sum() == 3 + 2
    assert game.under(0, "fixed")[0] == ["tunnel (seat 0)", "tunnel (seat 1)"]


def test_rook_02_63_with_two_sets_a_used_copy_goes_home_to_the_pile_of_its_owner():
    own = a("spring rute hiss", slid=("dew (seat 1)", "", ""))
    game = table(own, a("spring stone shadow"), rules={"mirror": True}).idle()
    assert [game.player(seat)["pile"].count(f"dew (seat {seat})") for seat in (0, 1)] == [2, 2]


# the sixteenth kind of token


def doomed(phase: str, **facts: Any) -> Play:
    """Seat 0 with a card file of sixteen kinds of tokens: the last, `doom`, freezes as Frozen does."""
    document = dict(GAME.load(None).document)
    tokens = document["token"]
    frozen = next(token for token in tokens if token["id"] == "frozen")
    more = [frozen | {"id": f"more_{kind}", "name": f"More {kind}"} for kind in range(len(tokens), TOKENS - 1)]
    document["token"] = [*tokens, *more, frozen | {"id": "doom", "name": "Doom"}]
    return placed(GAME.from_document(document), [a(SQUAD, **facts), a(FOES)], phase=phase)


def test_rook_63_68_the_sixteenth_kind_of_token_acts_comes_and_goes_like_any_other():
    game = doomed("assign", hand="red 2, blue 3", tokens=("doom", "", ""), coming=("", "doom", ""))
    assert not any(words.endswith("on Rime") for words in game.options)
    game.do("stop placing")  # there is nothing left to decide: the exchange is over
    assert (game.under(0, "tokens"), game.under(0, "coming")) == ([[], ["doom"], []], [[], [], []])
    assert game.state["supply"][TOKENS - 1] == 5
    game.idle()
    assert (game.under(0, "tokens"), game.state["supply"][TOKENS - 1]) == ([[], [], []], 6)


# hands


def test_rook_36_64_a_hand_of_six_is_the_largest_and_no_effect_adds_to_it():
    own = a("hiss rute rime", hand="red 4, red 1, red 1, blue 1, blue 1, blue 2")
    game = table(own, rules={"hand": 6}).do("put red 4 on Hiss", "activate Pressure", draws=["green 1"])
    assert len(game.hand(0)) == 6
    game.idle(draws=[])
    assert len(game.hand(0)) == 6


def test_rook_36_no_card_is_drawn_above_a_hand_max_of_one():
    game = table(a("hiss rute rime", hand="red 4"), rules={"hand": 1, "hand_max": 1})
    game.do("put red 4 on Hiss", "activate Pressure", draws=["green 1"])
    assert game.hand(0) == ["green 1"]
