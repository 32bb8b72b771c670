"""What a seat cannot see is sampled uniformly; what it knows stays."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine import contract
from sim.engine.cards import CardSet
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.state import NOBODY, SEATS, Frame, Phase
from tests.every_game.play import chance_of, fields, fresh_dice, options, reached, redealt
from tests.games.playing import AS_PRINTED
from tests.games.runeslingers.invariants import check
from tests.games.runeslingers.playing import VARIANTS, card_set, game_at_random, placed, table

RARE = 1e-4
REDEALS = 600
STRIDE = 20  # positions of a game at this interval are re-dealt


def hidden_of(state: np.void, seat: int) -> list[int]:
    """Instances of a player that the other one does not see, sorted."""
    unseen = [*state["deck"][seat, : state["deck_n"][seat]], *state["hand"][seat, : state["hand_n"][seat]]]
    unseen += [inst for inst in state["conc"][seat] if inst != NOBODY]
    covered = state["under"][state["under_hidden"] > 0].tolist()
    depth = int(state["depth"])
    waiting = (state["frame"][:depth] == Frame.LEAVING) & (state["kind"][:depth] > 0)
    covered += state["inst"][:depth][waiting].tolist()
    unseen += [inst for inst in covered if inst != NOBODY and inst // DECK_MAX == seat]
    return sorted(int(inst) for inst in unseen)


def keeps(state: np.void, cards: CardSet, seat: int, number: int) -> np.void:
    """Re-deal for a seat: nothing that it knows has changed, and all that holds of positions still holds."""
    after, other = redealt(state, cards.record, seat, number), 1 - seat
    old, new = fields(state), fields(after)
    assert {name for name in old if old[name] != new[name]} <= {*GAME.hidden}
    for field in ("hand", "conc"):
        assert np.array_equal(after[field][seat], state[field][seat])
    assert sorted(after["deck"][seat]) == sorted(state["deck"][seat])
    assert hidden_of(after, other) == hidden_of(state, other)
    assert ((after["conc"] == NOBODY) == (state["conc"] == NOBODY)).all()
    seen = (state["under"] != NOBODY) & ((state["under_hidden"] == 0) | (state["under"] // DECK_MAX == seat))
    assert np.array_equal(after["under"][seen], state["under"][seen])
    return after


def follow(state: np.void, after: np.void, cards: CardSet, seat: int) -> list[np.void]:
    """What the seat may decide is the same; what the other may decide, it may with the cards that it holds now.

    Returns positions that must be sound: the re-deal, if it leaves a choice, and what its first and last decision lead to.
    """
    found = options(GAME, after, cards.record)
    if state["seat"] == seat:
        assert found == options(GAME, state, cards.record)
    held = int(after["hand_n"][1 - seat])
    if state["seat"] != seat and state["phase"] in (Phase.ANSWER, Phase.BLOCK, Phase.DISCARD, Phase.SETUP):
        most = held if state["phase"] in (Phase.ANSWER, Phase.BLOCK) else held - 1
        assert found == sorted(set(found))
        assert 0 <= found[0] <= found[-1] <= most
    dice, ends = fresh_dice(turn=after["turn"]), {found[0], found[-1]}
    sound = [reached(GAME, after, cards.record, code, dice).state for code in ends]
    return [after, *sound] if len(found) > 1 else sound


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redeal_keeps_what_a_seat_knows(variant: str):
    cards, varied = card_set(variant), set()
    sound: list[np.void] = []
    for number, (state, _, _) in enumerate(game_at_random(variant)[:-1:STRIDE]):
        for seat in range(SEATS):
            after = keeps(state, cards, seat, number)
            sound += follow(state, after, cards, seat)
            varied |= {field for field in GAME.hidden if not np.array_equal(after[field], state[field])}
    check(np.array(sound), cards)
    assert varied >= {"deck", "hand", "conc"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_hidden_cards_change_is_counted(variant: str):
    """After a decision that neither drew nor counted, the evaluation is the same for every sample of the hidden cards."""
    cards, certain = card_set(variant), 0
    for state, open_now, _ in game_at_random(variant)[::STRIDE]:
        seat = int(state["seat"])
        for code in open_now[:3]:
            values = set()
            for sample in range(3):
                other = redealt(state, cards.record, seat, sample)
                trial, dice, _ = reached(GAME, other, cards.record, code, fresh_dice(turn=state["turn"]))
                if dice["drawn"] or dice["shown"][seat]:
                    break
                values.add(chance_of(trial, cards.record, seat))
            else:
                certain += 1
                assert len(values) == 1
    assert certain > 5


def ids(cards: CardSet, state: np.void, instances: list[int]) -> tuple[str, ...]:
    """Cards by their ids."""
    return tuple(cards.document["card"][int(state["card_of"][inst])]["id"] for inst in instances)


def shares_hold(found: Counter[Any], expected: dict[Any, float]) -> None:
    """Compare what was found with its exact shares."""
    assert set(found) <= set(expected)
    cases = [*expected]
    wanted = [expected[case] * found.total() for case in cases]
    assert stats.chisquare([found[case] for case in cases], wanted).pvalue > RARE


POOL = ("quick_ward", "insight", "cleanse", "small_bolt", "shatter")


def hidden_position() -> np.void:
    """Seat 1 holds one card, has two face down and two to draw: POOL in all."""
    other = {"deck": "eva_starter", "hand": ["quick_ward"], "concentrations": ["insight", "cleanse"]}
    return placed(table({}, other | {"draw_pile": ["small_bolt", "shatter"], "rest": "void"}))


def test_rune_08_a_redeal_deals_hand_and_concentrations_fairly():
    """Every card of the five may be the one in hand, and any two the concentrations, in any order."""
    state, cards = hidden_position(), card_set()
    found: Counter[Any] = Counter()
    for number in range(REDEALS):
        after = redealt(state, cards.record, 0, number)
        places = [*after["hand"][1, :1], *after["conc"][1, :2]]
        found[ids(cards, after, places)] += 1
    ways = [*permutations(POOL, 3)]
    shares_hold(found, {way: 1 / len(ways) for way in ways})


def test_a_redeal_shuffles_the_own_deck_fairly():
    """Its order is hidden from its owner too."""
    cards = card_set()
    own = {"draw_pile": ["fireball", "cleanse", "binding", "small_bolt"], "rest": "void"}
    state = placed(table(own, {}))
    found: Counter[Any] = Counter()
    for number in range(REDEALS):
        after = redealt(state, cards.record, 0, number)
        found[ids(cards, after, after["deck"][0, :4].tolist())] += 1
    ways = [*permutations(own["draw_pile"])]
    shares_hold(found, {way: 1 / len(ways) for way in ways})


@pytest.mark.parametrize("hidden", [True, False])
def test_a_redeal_deals_trapped_concentrations_but_no_trapped_cards_that_were_seen(hidden: bool):
    cards, found = card_set(), set()
    trap = {"slot": 1, "card": "stone_trap", "under": "fireball", "under_hidden": hidden}
    state = placed(table({"deck": "romin_starter", "things": [trap]}, {"deck": "eva_starter"}))
    for number in range(60):
        found.add(int(keeps(state, cards, 0, number)["under"][0, 0]))
    assert (len(found) > 5) == hidden


def test_stirring_changes_nothing_but_the_order_of_the_decks():
    """Nobody has seen it; what any seat sees, and what either owns, stays."""
    cards, stirred = card_set(), 0
    for number, (state, _, _) in enumerate(game_at_random(AS_PRINTED)[:-1:STRIDE]):
        after = state.copy()
        contract.resample_unseen(after, cards.record[0], fresh_dice(number))
        old, new = fields(state), fields(after)
        assert {name for name in old if old[name] != new[name]} <= {"deck"}
        for seat in range(SEATS):
            size = int(state["deck_n"][seat])
            assert sorted(after["deck"][seat, :size]) == sorted(state["deck"][seat, :size])
            assert not after["deck"][seat, size:].any()
        stirred += not np.array_equal(after["deck"], state["deck"])
        check(after.reshape(1), cards)
    assert stirred > 2


def test_stirring_makes_every_order_of_both_decks_equally_likely():
    cards = card_set()
    piles = (["fireball", "cleanse", "binding"], ["curse_strike", "quick_ward", "binding"])
    state = placed(table(*({"draw_pile": pile, "rest": "void"} for pile in piles)))
    found: Counter[Any] = Counter()
    for number in range(REDEALS):
        after = state.copy()
        contract.resample_unseen(after, cards.record[0], fresh_dice(number))
        found[tuple(ids(cards, after, after["deck"][seat, :3].tolist()) for seat in range(SEATS))] += 1
    one, two = (list(permutations(pile)) for pile in piles)
    shares_hold(found, {(first, second): 1 / (len(one) * len(two)) for first in one for second in two})
