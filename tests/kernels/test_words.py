"""Games in words, under all their rule variants: decisions, positions with something wrong, pictures."""

from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

import pytest

from sim.engine.contract import is_over
from sim.registry import GAMES
from tests.every_game.play import shortened
from tests.games.playing import Playing, met_values, spoiled, switch_values

pytestmark = pytest.mark.slow

STEPS = 250  # of a game
PICTURED = shortened(250, 5)
DECIDED = {  # numbers of the games whose decisions are read, and decisions that must come up in them
    "riftborn": (range(7, 8), {"MULLIGAN", "MAIN", "CREATURE", "PLACE"}),
    "rookling": (range(7, 8), {"ROW", "ASSIGN"}),
    "runeslingers": (range(7, 10), {"SETUP", "PASS", "MAIN", "TARGET", "BLOCK"}),
}
STRIDE = {"riftborn": shortened(40, 10), "rookling": shortened(20, 10), "runeslingers": shortened(20, 10)}
PLAYING: dict[str, Playing] = {name: import_module(f"tests.games.{name}.playing").PLAYING for name in DECIDED}
CASES = [pytest.param(name, variant, id=f"{name}-{variant}") for name in DECIDED for variant in PLAYING[name].variants]

every_game = pytest.mark.parametrize("name", DECIDED)
every_variant = pytest.mark.parametrize(("name", "variant"), CASES)


def of_game(name: str, module: str) -> Any:
    return import_module(f"sim.games.{name}.{module}")


@every_game
def test_every_value_of_every_switch_is_among_the_variants(name: str):
    rules = GAMES[name].load.__self__.schema.model_fields["rules"].annotation  # type: ignore[attr-defined]
    assert met_values(rules, PLAYING[name].variants) == switch_values(rules)


@every_variant
def test_a_spoiled_position_is_refused_or_can_be_played(name: str, variant: str):
    """One thing changed at random, such as a number, a flag, a word, an entry that is gone or doubled."""
    playing, rng = PLAYING[name], Random(3)
    cards = playing.card_set(variant)
    accepted = refused = 0
    for state, _, _ in islice(playing.random_game(cards, 5), 0, STEPS, STRIDE[name]):
        position = playing.game.words.position(state, cards)
        try:
            placed = playing.placed(spoiled(position, rng), cards)
        except ValueError:
            refused += 1
        else:
            accepted += 1
            assert is_over(placed) or playing.options_of(placed, cards)
    assert min(accepted, refused) > 4


@every_variant
def test_every_decision_has_words_of_its_own(name: str, variant: str):
    playing, met = PLAYING[name], set()
    cards, phases = playing.card_set(variant), of_game(name, "state").Phase
    numbers, wanted = DECIDED[name]
    for number in numbers:
        for state, options, _ in playing.random_game(cards, number):
            words = [playing.game.words.action(state, cards, action) for action in options]
            assert len(set(words)) == len(words), words
            met.add(phases(state["phase"]).name)
    assert wanted <= met


@every_variant
def test_the_picture_fits_a_terminal(name: str, variant: str):
    playing, width = PLAYING[name], of_game(name, "text").WIDTH
    cards = playing.card_set(variant)
    for state, _, _ in islice(playing.random_game(cards, 3), PICTURED):
        lines = playing.game.words.picture(state, cards).splitlines()
        assert max(map(len, lines)) <= width
        assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("name", ["riftborn", "runeslingers"])
def test_who_went_first_follows_from_the_turn(name: str):
    table = import_module(f"tests.games.{name}.playing").table
    for turn, active, first, own_turns in ((0, 1, 1, [0, 1]), (5, 0, 1, [3, 3]), (6, 0, 0, [4, 3])):
        state = PLAYING[name].placed(table(turn=turn, active=active))
        assert state["first"] == first
        assert state["own_turns"].tolist() == own_turns
