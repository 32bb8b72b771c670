"""What a seat cannot see is sampled, every possibility equally often; what it knows stays."""

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine.cards import CardSet
from sim.games.riftborn import GAME
from sim.games.riftborn.hidden import is_masked
from sim.games.riftborn.position.creatures import pile_of, tricks_of
from sim.games.riftborn.record import ids_of
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, SEATS, Phase
from tests.every_game.play import fields, options, redealt
from tests.games.riftborn.invariants import check_positions
from tests.games.riftborn.playing import VARIANTS, card_set, game_at_random
from tests.games.riftborn.positions import Play, a, table

RARE = 1e-4
STRIDE = 40  # positions of a game at this interval are re-dealt
REDEALS = 600
SIDE = np.arange(ALL) // CREATURES
SHADE = "fae_shade | 3 | 2/5 | 300 | STEALTH |"  # of the level and experience of a Stalker


def hidden_of(state: np.void, seat: int) -> list[int]:
    """Cards of a player that the other one does not see, sorted."""
    unknown = int(state["library_n"][seat] - state["known_other"][seat])
    masked = [int(state["card"][g]) for g in masks(state, seat)]
    return sorted([*pile_of(state, "hand", seat), *state["library"][seat, :unknown].tolist(), *masked])


def masks(state: np.void, seat: int) -> list[int]:
    """Creatures of a seat that the other seat cannot identify."""
    return [g for g in range(seat * CREATURES, (seat + 1) * CREATURES) if is_masked(state, g)]


def belongings(state: np.void, seat: int) -> list[int]:
    """Cards of a player in all places, sorted."""
    piled = [card for pile in ("library", "hand", "discard", "removed") for card in pile_of(state, pile, seat)]
    places = [*state["weapon"][seat], *state["armour"][seat], *state["origin"][seat == SIDE]]
    if state["active"] == seat:
        places += [state["spell"], state["entrant"] if state["summon_card"] == NOBODY else NOBODY]
    return sorted([*piled, *(int(card) for card in places if card != NOBODY)])


def keeps(state: np.void, cards: CardSet, seat: int, number: int) -> np.void:
    """Re-deal for a seat: nothing that it knows has changed, and all that holds of positions still holds."""
    after, other, record = redealt(state, cards.record, seat, number), 1 - seat, cards.record[0]
    old, new = fields(state), fields(after)
    assert {name for name in old if old[name] != new[name]} <= {*GAME.hidden}
    for field in ("hand", "tricks"):
        assert np.array_equal(after[field][seat], state[field][seat])
    for whose, known in ((seat, "known_own"), (other, "known_other")):
        top = int(state["library_n"][whose] - state[known][whose])
        assert np.array_equal(after["library"][whose, top:], state["library"][whose, top:])
        assert sorted(after["library"][seat]) == sorted(state["library"][seat])
    assert hidden_of(after, other) == hidden_of(state, other)
    assert len(tricks_of(after, other)) == len(tricks_of(state, other))
    hidden = masks(state, other)
    for g in range(ALL):
        if g not in hidden:
            assert all(np.array_equal(after[field][g], state[field][g]) for field in ("card", "origin", "ability"))
        else:
            assert after["origin"][g] == after["card"][g]
            assert all(record[field][after["card"][g]] == record[field][state["card"][g]] for field in ("level", "xp"))
    states = np.array([after])
    for whose in range(SEATS):
        assert belongings(after, whose) == belongings(state, whose)
    slots = record["deck_slot"][after["deck"][other], pile_of(after, "hand", other)]
    states[0]["held"][other] = np.bincount(slots[slots >= 0], minlength=len(after["held"][other]))  # a statistic
    check_positions(states, cards)
    if state["seat"] == seat and state["phase"] != Phase.OVER:  # the other one's decisions can depend on what is hidden
        assert options(GAME, after, cards.record) == options(GAME, state, cards.record)
    return after


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redeal_keeps_what_a_seat_knows(variant: str):
    cards, varied = card_set(variant), set()
    for number, (state, _, _) in enumerate(game_at_random(variant)[::STRIDE]):
        for seat in range(SEATS):
            after = keeps(state, cards, seat, number)
            varied |= {field for field in GAME.hidden if not np.array_equal(after[field], state[field])}
    assert varied >= {"library", "hand"}


# ---- shares ------------------------------------------------------------------------------------------------------------


def against(other: dict[str, Any], **own: Any) -> Play:
    """A position in which seat 0 does not see what seat 1 holds."""
    return table(a("beast_cub", **own), other, more=SHADE)


def words(game: Play, state: np.void, pile: str, seat: int = 1) -> tuple[str, ...]:
    """A pile by ids, libraries with the top last."""
    return tuple(ids_of(game.cards)[card] for card in pile_of(state, pile, seat))


def faces(game: Play, state: np.void) -> tuple[str, ...]:
    """Creatures of seat 1 by ids, in the order of their numbers."""
    return tuple(ids_of(game.cards)[card] for card in state["card"][CREATURES:] if card != NOBODY)


def holds_to(game: Play, expected: dict[Hashable, float], look: Callable[[np.void], Hashable]) -> None:
    """Re-deal again and again for seat 0 and compare what is found with its exact shares."""
    found = Counter(look(keeps(game.state, game.cards, 0, i) if i < 20 else deal(game, i)) for i in range(REDEALS))
    assert set(found) <= set(expected)
    cases = [*expected]
    assert stats.chisquare([found[case] for case in cases], [expected[case] * REDEALS for case in cases]).pvalue > RARE


def deal(game: Play, number: int) -> np.void:
    """A re-deal for seat 0."""
    return redealt(game.state, game.cards.record, 0, number)


def shares(pool: list[str], alike: int, seen: int, fits: Callable[[tuple[str, ...]], bool]) -> dict[Hashable, float]:
    """Exact shares of the first `seen` places over all orders of a pool whose first `alike` places fit."""
    ways = Counter(order[:seen] for order in permutations(pool) if fits(order[:alike]))
    return {case: count / ways.total() for case, count in ways.items()}


def test_a_redeal_deals_every_hand_of_what_is_unseen_equally_often():
    """2 of 6 cards, one of them twice; the discard pile and the known top are no part of it."""
    other = a("beast_boar", hand="spark, longbow", library="mending, beast_cub, beast_cub, recall, wither", known_other=1)
    game = against(other | {"discard": ["beast_cub"]})
    pool = ["spark", "longbow", "beast_cub", "beast_cub", "recall", "wither"]
    holds_to(game, shares(pool, 0, 2, lambda _: True), lambda state: words(game, state, "hand"))


def test_a_redeal_shuffles_both_libraries_below_what_is_known():
    game = against(a("beast_boar"), library="mending, spark, recall, wither", known_own=1)
    pool = ["spark", "recall", "wither"]
    holds_to(game, shares(pool, 0, 3, lambda _: True), lambda state: words(game, state, "library", 0)[:3])


def test_a_redeal_gives_face_down_creatures_any_card_that_they_could_be():
    """Stalkers and Shades look alike face down; the card that is sampled for one is missing from hand and library."""
    other = a("fae_stalker [face down]", hand="fae_shade, spark", library="fae_stalker, beast_cub, fae_illusionist")
    game = against(other)
    pool = ["fae_stalker", "fae_shade", "spark", "fae_stalker", "beast_cub", "fae_illusionist"]
    expected = shares(pool, 1, 3, lambda first: first[0] in ("fae_stalker", "fae_shade"))
    holds_to(game, expected, lambda state: faces(game, state) + words(game, state, "hand"))


def test_a_redeal_tells_two_face_down_creatures_apart_by_level():
    other = a("fae_stalker [face down], fae_illusionist [face down]", hand="fae_shade", library="fae_illusionist, spark")
    game = against(other)
    pool = ["fae_stalker", "fae_illusionist", "fae_shade", "fae_illusionist", "spark"]

    def fits(first: tuple[str, ...]) -> bool:
        return first[0] in ("fae_stalker", "fae_shade") and first[1] == "fae_illusionist"

    holds_to(game, shares(pool, 2, 3, fits), lambda state: faces(game, state) + words(game, state, "hand"))


def test_rift_108_a_redeal_tells_face_down_creatures_apart_by_experience():
    other = a("fae_stalker [face down]", hand="fae_ghost", library="spark")
    game = table(a("beast_cub"), other, more="fae_ghost | 3 | 2/5 | 200 | STEALTH |")
    assert {faces(game, deal(game, number)) for number in range(40)} == {("fae_stalker",)}


def test_a_redeal_knows_that_a_hurt_creature_lives():
    """With 4 damage it cannot be a Stalker of 4 Health; with 1 Health token it could."""
    for bears, possible in (("4 damage", {"fae_shade"}), ("4 damage, 1 health", {"fae_shade", "fae_stalker"})):
        game = against(a(f"fae_shade [face down, {bears}]", hand="fae_stalker", library="spark"))
        assert {faces(game, deal(game, number)) for number in range(40)} == {(one,) for one in possible}


def test_a_redeal_leaves_what_effects_gave_and_took():
    game = against(a("fae_stalker [face down, has RELENTLESS, 2 rage]", hand="fae_shade", library="spark"))
    found = {GAME.words.position(deal(game, number), game.cards)["players"][1]["rows"][0][0] for number in range(40)}
    assert found == {f"{one}, 2 rage, has RELENTLESS, face down" for one in ("fae_stalker", "fae_shade")}


def test_a_redeal_leaves_creatures_that_are_known():
    """Face up, or a token over a card set aside."""
    game = against(a("fae_stalker, tok_bones", hand="fae_shade", library="spark, recall"))
    assert {faces(game, deal(game, number)) for number in range(40)} == {("fae_stalker", "tok_bones")}


def test_a_redeal_lays_every_set_of_as_many_tricks_equally_often():
    game = against(a("fae_trickster", tricks="ambush, wake"))
    sets = [pair for pair in permutations(range(1, 6), 2) if pair[0] < pair[1]]
    holds_to(game, {pair: 1 / len(sets) for pair in sets}, lambda state: tuple(int(one) for one in tricks_of(state, 1)))
