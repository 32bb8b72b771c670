"""What a reader of a replay can follow: attacks, blocks, spills and flips, tokens, healing and poison, and every life."""

from itertools import pairwise

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.games.rookling import GAME
from sim.games.rookling.cards import SQUAD
from sim.games.rookling.state import NOBODY, SEATS, Phase
from sim.games.rookling.text import rookling_name
from tests.games.rookling.playing import VARIANTS, card_set, game_at_random
from tests.games.rookling.positions import Play, a, clash, table

WORDS = GAME.words
STEPS = 150  # the last of a game


def story(game: Play, *decisions: str) -> list[str]:
    """What the last of these decisions led to."""
    *first, last = decisions
    game.do(*first)
    before = game.state.copy()
    game.do(last)
    return WORDS.events(before, game.state, game.cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_lives_and_flips_add_up_in_any_game(variant: str):
    cards = card_set(variant)
    states = [state for state, _, _ in game_at_random(variant)[-STEPS:] if state["phase"] != Phase.DRAFT]
    for before, after in pairwise(states):
        lines = WORDS.events(before, after, cards)
        assert len([line for line in lines if line.endswith(" attacks next")]) == int(before["attacker"] != after["attacker"])
        assert sum(line.count("flips to siege-state") for line in lines) == after["flips"].sum() - before["flips"].sum()
        of_owner = dict(line.split(": ", 1) for line in lines if ": " in line)
        was, now = _lives(before, cards), _lives(after, cards)
        for name, life in now.items():
            assert (f"life {was[name]} -> {life}" in of_owner.get(name, "")) == (was[name] != life)


def _lives(state: np.void, cards: CardSet) -> dict[str, int]:
    return {
        rookling_name(state, cards, seat, slot): int(state["life"][seat, slot])
        for seat in range(SEATS)
        for slot in range(SQUAD)
        if state["rook"][seat, slot] != NOBODY
    }


def test_a_block_when_the_exchange_ends_in_the_same_step():
    other = a("stone delvi banner", energy=("red 1", "", ""))
    game = table(a("rime rute hiss"), other, phase="defend", attack=(5, 0, 0), pending={"at": "left"})
    lines = story(game, "defend with Bulwark")
    assert lines[0] == "Stone: uses Bulwark; blocks 2; takes 3 damage; life 6 -> 3"
    assert lines[-1] == "seat 2 attacks next"


def test_rook_51_a_spill_before_the_attack_that_flips():
    """Two points spill onto Stone before its own attack takes the other four, all in one step."""
    assert story(clash((6, 0, 0), (5, 2, 0)), "resolve the attack on the middle first") == [
        "Shadow: takes 4 damage; takes 2 spilled damage; life 6 -> 0; flips to siege-state",
        "Rime: 1 damage lost as excess",
        "decided by attack",
        "seat 1 wins",
    ]


def test_rook_49_50_a_spill_past_two_rooklings():
    """Both are in siege-state when the attack on the left passes over them."""
    lines = story(clash((0, 1, 6), (3, 1, 0)), "resolve the attack on the middle first")
    assert lines[:2] == [
        "Stone: takes 1 damage; life 1 -> 0; flips to siege-state",
        "Spring: takes 3 spilled damage; life 6 -> 3",
    ]


@pytest.mark.parametrize("order", ["heal_first", "damage_first"])
def test_rook_59_healing_by_two_and_poison(order: str):
    own = a("spring rute hiss", life=(4, 6, 6), hand="red 1", tokens=("poisoned", "", ""), slid=("dew", "", ""))
    other = a("stone delvi banner")
    assert story(table(own, other, rules={"e1_order": order}), "stop placing")[0] == (
        "Spring: takes 1 poison damage; life 4 -> 5; loses Regrowth"
    )
