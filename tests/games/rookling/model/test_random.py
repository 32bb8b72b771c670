"""Random games of the plain-Python model, with the invariants checked at every decision."""

import tomllib
from collections import Counter
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from sim.games.rookling.cards import TOKENS
from sim.games.rookling.record import CARD_FORMAT
from sim.games.rookling.state import KINDS, STATE, Phase
from tests.conftest import sampled
from tests.games.rookling.model.cards import read_cards
from tests.games.rookling.model.documents import reference_document
from tests.games.rookling.model.game import at_random, new_table, play
from tests.games.rookling.model.invariants import WatchedExchange, watching
from tests.games.rookling.model.positions import reference
from tests.games.rookling.model.table import Table, model_state
from tests.games.rookling.random_documents import SWITCHES, random_document, random_switches

SQUADS = (("rime", "rute", "valt"), ("delvi", "stone", "spring"))


def watched_game(document: dict[str, Any], seed: int, asked: Counter[Phase] | None = None) -> Table:
    """A random game of a set, under watch. asked: counts the decisions."""
    choose, chance = at_random(Random(seed))
    tables: list[Table] = []

    def counted(phase: Phase, options: list[int]) -> int:
        if asked is not None:
            asked[phase] += 1
        return choose(phase, options)

    table = new_table(read_cards(document), watching(counted, lambda: tables[0]), chance)
    tables.append(table)
    return play(table, WatchedExchange)


@pytest.mark.parametrize("seed", sampled(range(8), 4))
def test_games_of_the_reference_set_hold_to_the_invariants(seed):
    for game in range(10):
        table = watched_game(reference_document(squad_mode="draft"), 100 * seed + game)
        assert table.winner in (0, 1)
        assert not any(rook.life for rook in table.squads[1 - table.winner])
        assert any(rook.life for rook in table.squads[table.winner])


@pytest.mark.parametrize("seed", sampled(range(8), 4))
def test_games_with_other_switches_hold_to_the_invariants(seed):
    rng = Random(seed)
    for game in range(10):
        rules = random_switches(rng) | {"turn_cap": 60}
        table = watched_game(reference_document(**rules), 100 * seed + game)
        assert table.over
        assert table.exchange == 60 or table.winner in (0, 1)


@pytest.mark.parametrize("seed", sampled(range(8), 4))
def test_games_of_random_sets_hold_to_the_invariants(seed):
    rng = Random(1000 + seed)
    for game in range(10):
        assert watched_game(random_document(rng), 100 * seed + game).over


def test_every_kind_of_decision_comes_up():
    asked: Counter[Phase] = Counter()
    rng = Random(7)
    for game in range(10):
        watched_game(reference_document(squad_mode="draft"), game, asked)
        watched_game(random_document(rng), game, asked)
    assert set(asked) == set(Phase) - {Phase.OVER}


@pytest.mark.parametrize("name", sorted(SWITCHES))
def test_random_documents_come_with_each_value_of_each_switch(name):
    rng = Random(3)
    found = {random_switches(rng).get(name) for _ in range(60)}
    assert found - {None} == set(SWITCHES[name])


def test_random_documents_are_card_files():
    rng = Random(4)
    for _ in range(60):
        CARD_FORMAT.from_document(random_document(rng))


def test_the_reference_set_of_the_model_is_that_of_the_game():
    with files("sim.games.rookling").joinpath("cards.toml").open("rb") as file:
        of_the_game = tomllib.load(file)
    CARD_FORMAT.from_document(reference_document())
    assert read_cards(of_the_game) == read_cards(reference_document())


def test_invariant_12_the_same_lots_and_choices_give_the_same_game():
    first, second = (play(new_table(reference(), *at_random(Random(5)), SQUADS)) for _ in range(2))
    assert model_state(first) == model_state(second)


def test_a_snapshot_speaks_of_the_fields_of_the_state():
    table = new_table(reference(squad_mode="draft"), *at_random(Random(2)))
    own = {"open", "used", "hit", "seat"}
    assert set(model_state(table)) - own <= set(STATE.names)
    snapshot = model_state(play(table))
    assert set(snapshot) - own <= set(STATE.names)
    for name in set(snapshot) - own - {"hand", "zone", "deck"}:
        shape = STATE[name].shape
        value, lengths = snapshot[name], []
        while isinstance(value, list):
            lengths.append(len(value))
            value = value[0]
        assert tuple(lengths) == shape, name
    assert len(snapshot["disc"]) == KINDS
    assert len(snapshot["supply"]) == TOKENS


def test_a_snapshot_does_not_change_with_the_table():
    table = new_table(reference(), *at_random(Random(2)), SQUADS)
    before = model_state(table)
    assert before["at"] == [[-1, -1, -1], [-1, -1, -1]]
    play(table)
    assert before["at"] == [[-1, -1, -1], [-1, -1, -1]]
    assert before["deck_n"] == len(before["deck"]) == 48


def test_what_is_no_option_is_refused():
    def nonsense(phase: Phase, options: list[int]) -> int:
        return 99

    table = new_table(reference(), nonsense, at_random(Random(1))[1], SQUADS)
    with pytest.raises(ValueError, match="ROW: 99 is none of the options"):
        play(table)
