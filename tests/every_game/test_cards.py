"""What holds for the reference cards of every game."""

import copy

import numpy as np
import pytest

from sim.engine.cards import SOURCES, numeric_fields
from sim.engine.contract import Game
from sim.registry import GAMES
from tests.conftest import BUILT_IN


@pytest.fixture(params=BUILT_IN)
def published(request: pytest.FixtureRequest) -> Game:
    """Every built-in game."""
    return GAMES[request.param]


def test_the_record_has_one_row_and_is_read_only(published: Game):
    cards = published.load(None)
    assert cards.record.shape == (1,)
    name = next(name for name in cards.record.dtype.names if cards.record.dtype[name].shape)
    with pytest.raises(ValueError, match="read-only"):
        cards.record[name][0, 0] = 1


def test_every_number_has_its_provenance(published: Game):
    cards = published.load(None)
    assert [entry.path for entry in cards.provenance] == numeric_fields(cards.document)
    assert {entry.source for entry in cards.provenance} <= {*SOURCES}


def test_a_document_compiles_to_the_same_record_as_its_file_and_is_not_changed(published: Game):
    cards = published.load(None)
    document = copy.deepcopy(dict(cards.document))
    again = published.from_document(document)
    assert document == cards.document
    assert (again.ids, again.names, again.switches, again.digest) == (cards.ids, cards.names, cards.switches, cards.digest)
    for name in cards.record.dtype.names:
        assert np.array_equal(again.record[name], cards.record[name]), name


def test_switches_are_as_in_the_file(published: Game):
    cards = published.load(None)
    rules = cards.document.get("rules", {})
    assert cards.switches
    for name, value in cards.switches.items():
        assert type(value) in {str, int, bool, list}
        assert rules.get(name, value) == value
