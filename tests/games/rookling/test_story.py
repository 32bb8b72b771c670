"""Sentences of a Rookling Heroes replay about a decision: everything that follows, once, in the order in which it happens."""

import re

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.games.rookling import GAME
from sim.games.rookling.cards import SQUAD
from sim.games.rookling.state import NOBODY, SEATS, Phase
from sim.games.rookling.text import rookling_name
from tests.every_game.play import enough, shortened
from tests.games.rookling.playing import VARIANTS, card_set, random_game
from tests.games.rookling.positions import Play, a, clash, table

WORDS = GAME.words
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
@pytest.mark.slow
def test_everything_that_changes_is_told(variant: str):
    """Every exchange that ends, every flip, every change of life by an effect is in some sentence of its own."""
    cards = card_set(variant)
    before: np.void | None = None
    for state, _, _ in random_game(cards, 11):
        if before is not None:
            lines = WORDS.events(before, state, cards)
            assert all(line.strip() == line and line.endswith(".") for line in lines)
            assert len(set(lines)) == len(lines)
            ends = [line for line in lines if line.startswith("The exchange ends") or line.endswith(" wins.")]
            assert len(ends) == int(state["turn"] > before["turn"])
            flips = [line for line in lines if "flips to siege-state" in line]
            assert len(flips) == int(state["flips"].sum()) - int(before["flips"].sum())
            back = [line for line in lines if "leaves siege-state" in line]
            assert len(back) == int(state["healed_back"].sum()) - int(before["healed_back"].sum())
        before = state


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.slow
def test_life_told_line_by_line_leads_to_the_new_life(variant: str):
    """ROOK-46 to 51, 58 to 60. No Rookling is struck in siege-state or flips with life, whatever follows a decision."""
    cards = card_set(variant)
    for number in range(10, 10 + enough(shortened(6, 3), 6)):
        before: np.void | None = None
        for state, _, _ in random_game(cards, number):
            if before is not None and before["phase"] != Phase.DRAFT:
                lives = _lives(before, cards)
                for line in WORDS.events(before, state, cards):
                    _follow(line, lives)
                assert lives == _lives(state, cards)
            before = state


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


def test_a_decision_is_not_told_twice():
    own, other = a("rime rute hiss", hand="green 4, red 3"), a("stone delvi banner", hand="red 1")
    game = table(own, other)
    assert story(game, "put green 4 on Rime") == []
    assert story(game, "put red 3 on Hiss") == []
    assert story(game, "Rime does not attack", "Hiss does not attack") == []
    game = table(a("rime rute hiss", tokens=("poisoned", "", ""), hand="red 1, red 2"), phase="clear")
    assert story(game, "clear Rime with red 1") == ["Rime loses Poisoned."]
    assert story(game, "row: Rute, Rime, Hiss") == []


def test_an_attack_that_nobody_could_choose_is_told():
    assert story(table(a("rime rute hiss", hand="red 1")), "stop placing")[0] == "Seat 1 has nothing to attack with."


def test_an_attack_of_nothing_is_told():
    """ROOK-39, 69. A confused Rookling attacks, but no points are left."""
    own = a("rime rute hiss", energy=("", "", "red 2"), tokens=("", "", "confused, confused"))
    assert story(table(own, phase="attack"), "attack with Scald")[0] == "Hiss attacks Spring for 0 with Scald."


def test_a_block_is_told_with_what_it_prevents():
    """Also when the exchange ends in the same step, when nothing is left on the table."""
    other = a("stone delvi banner", energy=("red 1", "", ""))
    game = table(a("rime rute hiss"), other, phase="defend", attack=(5, 0, 0), pending={"at": "left"})
    after = story(game, "defend with Bulwark")
    assert after[:2] == ["Stone blocks 2 of the attack on it.", "Stone takes 3 damage."]
    assert game.turn == 2


def test_defences_are_told_while_there_is_something_to_decide():
    other = a("stone delvi banner", energy=("red 1", "", ""))
    game = table(a("rime rute hiss"), other, phase="defend", attack=(5, 3, 0), pending={"at": "left"})
    assert story(game, "defend with Bulwark") == ["Stone can block 2."]


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


def test_copies_that_go_into_the_deck_are_counted():
    own = a("hiss delvi rime", energy=("", "yellow 3", ""), hand="red 1", pile="tunnel, black_ice")
    game = table(own, phase="activate", pending={"at": "middle", "line": "Dig"})
    assert story(game, "activate Dig") == ["1 Tunnel card is shuffled into the deck."]
