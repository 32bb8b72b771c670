"""What holds for the reference cards of every game."""

import copy
import re

import numpy as np
import pytest

from sim.engine.cardfiles.paths import address, locate
from sim.engine.cards import SOURCES, CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.registry import GAMES
from tests.conftest import BUILT_IN
from tests.games.playing import choices_of

NEEDS = {"first_attacker": {"squad_mode": "draft"}}  # switch: other rules without which its values are refused
NOT_IN_PLAY = {"draft_copies"}  # a switch of random decks, which the kernels do not see
UNUSED = ("board.", "rules.base_max_health")  # other boards than that of the rules; what every character states itself
FAR = 10**9  # outside the range of every number
NUMBERS = 15  # of a card file that are changed


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


@pytest.mark.slow
def test_every_value_of_every_switch_reaches_the_record(published: Game):
    cards = published.load(None)
    rules = published.load.__self__.schema.model_fields["rules"].annotation  # type: ignore[attr-defined]
    for name in cards.switches:
        try:
            values = choices_of(rules.model_fields[name])
        except AssertionError:
            continue  # a number
        others = cards.document.get("rules", {}) | NEEDS.get(name, {})
        made = [published.from_document({**cards.document, "rules": others | {name: value}}) for value in values]
        assert [one.switches[name] for one in made] == [*values]
        records = {one.record.tobytes() for one in made}
        assert len(records) == (1 if name in NOT_IN_PLAY else len(values)), name


def test_rules_that_are_left_out_have_the_values_of_the_reference_set(published: Game):
    cards = published.load(None)
    without = published.from_document({name: table for name, table in cards.document.items() if name != "rules"})
    assert without.record.tobytes() == cards.record.tobytes()
    assert without.switches == cards.switches


@pytest.mark.slow
def test_every_number_reaches_the_record(published: Game):
    """Numbers from all over the file, one step up or down, as far as the file stays valid."""
    cards = published.load(None)
    numbers = {entry.path: entry.value for entry in cards.provenance if not entry.path.startswith(UNUSED)}
    paths = [*numbers][:: max(1, len(numbers) // NUMBERS)]
    made = {path: one for path in paths if (one := stepped(published, cards, path, numbers[path]))}
    assert len(made) > len(paths) / 2
    for path, one in made.items():
        assert one.record.tobytes() != cards.record.tobytes(), path
        assert one.digest != cards.digest, path


@pytest.mark.slow
def test_every_number_has_bounds(published: Game):
    """A number far below or above is refused under its own path: one of each field of the file."""
    document = published.load(None).document
    fields = {re.sub(r"\[\d+\]", "", path).rpartition(".")[2]: path for path in numeric_fields(document)}
    for path in fields.values():
        place = address(document, locate(document, path), by_name=False)
        for value in (-FAR, FAR):
            with pytest.raises(CardError) as refused:
                published.from_document(dict(changed(document, path, value)))
            assert f"{place} = {value}: is too {'large' if value > 0 else 'small'}; must be " in str(refused.value)


@pytest.mark.slow
def test_every_switch_refuses_other_words(published: Game):
    document = published.load(None).document
    for name, value in published.load(None).switches.items():
        other = FAR if isinstance(value, bool) else "otherwise"
        with pytest.raises(CardError, match=rf"rules\.{name} = .+: (has the wrong type|is no)"):
            published.from_document(dict(changed(document, f"rules.{name}", other)))


def stepped(game: Game, cards: CardSet, path: str, value: int) -> CardSet | None:
    """Cards with a number that is greater or smaller by 1; None if both are refused."""
    for step in (1, -1):
        try:
            return game.from_document(dict(changed(cards.document, path, value + step)))
        except CardError:
            continue
    return None
