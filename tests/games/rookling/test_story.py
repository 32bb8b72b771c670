"""Sentences of a Rookling Heroes replay about a decision: everything that follows, once, in the order in which it happens."""

import re
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
BLOW = re.compile(r"(?P<name>.+) takes (?P<points>\d+) (spilled |poison )?damage(?P<flips> and flips to siege-state)?\.")
HEALED = re.compile(r"(?P<name>.+) heals (?P<points>\d+), to (?P<life>\d+)(?P<back> and leaves siege-state)?\.")


def story(game: Play, *decisions: str) -> list[str]:
    """What the last of these decisions led to."""
    *first, last = decisions
    game.do(*first)
    before = game.state.copy()
    game.do(last)
    return WORDS.events(before, game.state, game.cards)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_change_of_a_game_is_told_so_that_it_adds_up(variant: str):
    """ROOK-46 to 51, 58 to 60. Ends of exchanges and flips have a sentence each; lives told line by line lead to the new ones."""
    cards = card_set(variant)
    states = [state for state, _, _ in game_at_random(variant)[-STEPS:] if state["phase"] != Phase.DRAFT]
    for before, after in pairwise(states):
        lines = WORDS.events(before, after, cards)
        assert all(line.strip() == line and line.endswith(".") for line in lines)
        assert len(set(lines)) == len(lines)
        ends = [line for line in lines if line.startswith("The exchange ends") or line.endswith(" wins.")]
        assert len(ends) == int(after["turn"] > before["turn"])
        flips = [line for line in lines if "flips to siege-state" in line]
        assert len(flips) == int(after["flips"].sum()) - int(before["flips"].sum())
        lives = _lives(before, cards)
        for line in lines:
            _follow(line, lives)
        assert lives == _lives(after, cards)


def _lives(state: np.void, cards: CardSet) -> dict[str, int]:
    return {
        rookling_name(state, cards, seat, slot): int(state["life"][seat, slot])
        for seat in range(SEATS)
        for slot in range(SQUAD)
        if state["rook"][seat, slot] != NOBODY
    }


def _follow(line: str, lives: dict[str, int]) -> None:
    """Change the lives as a sentence describes."""
    if blow := BLOW.fullmatch(line):
        name = blow["name"]
        lives[name] -= int(blow["points"])
        assert lives[name] >= 0, line
        assert (lives[name] == 0) == bool(blow["flips"]), line
    elif healed := HEALED.fullmatch(line):
        name = healed["name"]
        assert (lives[name] == 0) == bool(healed["back"]), line
        lives[name] += int(healed["points"])
        assert lives[name] == int(healed["life"]), line


def test_a_block_is_told_with_what_it_prevents():
    """Also when the exchange ends in the same step, when nothing is left on the table."""
    other = a("stone delvi banner", energy=("red 1", "", ""))
    game = table(a("rime rute hiss"), other, phase="defend", attack=(5, 0, 0), pending={"at": "left"})
    after = story(game, "defend with Bulwark")
    assert after[:2] == ["Stone blocks 2 of the attack on it.", "Stone takes 3 damage."]
    assert game.turn == 2


def test_a_spill_is_told_before_the_attack_that_flips():
    """ROOK-51. Two points spill onto Stone before its own attack takes the other four, all in one step."""
    game = clash((6, 0, 0), (5, 2, 0))
    assert story(game, "resolve the attack on the middle first")[:2] == [
        "Shadow takes 2 spilled damage.",
        "Shadow takes 4 damage and flips to siege-state.",
    ]


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        ("heal_first", ["Spring heals 2, to 6.", "Spring takes 1 poison damage."]),
        ("damage_first", ["Spring takes 1 poison damage.", "Spring heals 2, to 5."]),
    ],
)
def test_healing_and_poison_are_told_in_the_order_in_which_they_act(order: str, lines: list[str]):
    own = a("spring rute hiss", life=(4, 6, 6), hand="red 1", tokens=("poisoned", "", ""), slid=("dew", "", ""))
    other = a("stone delvi banner")
    after = story(table(own, other, rules={"e1_order": order}), "stop placing")
    assert [line for line in after if line.startswith("Spring ") and " Regrowth" not in line] == lines
