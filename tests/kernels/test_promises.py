"""The promises of the contract about single positions, for every game: the built-in ones and the tiny ones of the tests."""

import numpy as np
import pytest

from analysis.catalogue import find
from sim.engine import contract
from sim.engine.contract import Game
from sim.engine.dice import SEATS_MAX
from sim.engine.questions import Ask
from sim.run import replay
from tests.every_game.play import experiment, fields, fresh_dice, options, reached, shortened, visited

pytestmark = pytest.mark.slow

POSITIONS = shortened(48, 6)  # of games, for each number of seats


def test_every_offered_decision_is_accepted(any_game: Game):
    """On copies of positions from play: each leads to another position with a decision, or to the end."""
    cards = any_game.load(None)
    for seats in any_game.seats:
        for state, _ in visited(any_game, seats, wanted=POSITIONS):
            for action in options(any_game, state, cards.record):
                trial, _, further = reached(any_game, state, cards.record, action, fresh_dice(turn=state["turn"]))
                assert fields(trial) != fields(state)
                assert trial["turn"] >= state["turn"]
                if not contract.is_over(trial):
                    assert 1 <= len(further) <= any_game.options_max
                    assert 0 <= contract.current_player(trial) < seats


def test_listing_the_decisions_changes_nothing_and_repeats(any_game: Game):
    cards = any_game.load(None)
    for state, _ in visited(any_game, any_game.seats[-1]):
        before = state.tobytes()
        assert options(any_game, state, cards.record) == options(any_game, state, cards.record)
        assert state.tobytes() == before


def test_returns_are_zero_before_the_end(any_game: Game):
    for seats in any_game.seats:
        for state, _ in visited(any_game, seats):
            shares = np.full(SEATS_MAX, 7.0)
            contract.returns(state, shares)
            assert (shares[:seats] == 0).all()


def test_measures_and_questions_name_fields_that_exist(any_game: Game):
    known, measures = set(any_game.outcome.names), any_game.measures_for(any_game.load(None))
    assert {measure.field for measure in measures} <= known
    assert len({measure.field for measure in measures}) == len(measures)
    for measure in measures:
        shape = any_game.outcome[measure.field].shape
        if measure.parts:  # parts named by the cards can leave room
            *shape, parts = shape
            fixed = measure in any_game.measures
            assert parts == len(measure.parts) if fixed else parts >= len(measure.parts), measure.field
        assert len(shape) == (measure.per == "seat"), measure.field
        assert all(max(any_game.seats) <= room <= SEATS_MAX for room in shape), measure.field
        assert bool(measure.categories) == (measure.kind == "category"), measure.field
    assert len({question.id for question in any_game.questions}) == len(any_game.questions)
    fields = {measure.field for measure in measures}
    for question in any_game.questions:
        assert question.text.endswith("?")
        assert isinstance(question, Ask) or set(question.measures) <= fields, question.id
        assert question.continues in {"", *(other.id for other in any_game.questions)}
        if isinstance(question, Ask):
            assert question.arguments.keys() <= find(question.question).own.keys()
            named = (*question.arguments.get("facts", ()), question.arguments.get("fact"), question.arguments.get("per"))
            assert {name for name in named if name} <= {*fields, "length"}, question.id


def test_each_decision_is_described_differently(any_game: Game):
    cards = any_game.load(None)
    for seats in any_game.seats:
        for state, _ in visited(any_game, seats):
            before = state.tobytes()
            words = [any_game.words.action(state, cards, action) for action in options(any_game, state, cards.record)]
            assert len(set(words)) == len(words)
            assert all(text and text == text.strip() for text in words)
            assert state.tobytes() == before


def test_a_position_of_play_satisfies_the_invariants_and_can_be_placed_again(any_game: Game):
    cards = any_game.load(None)
    document = getattr(any_game.words, "POSITION", None)
    for seats in any_game.seats:
        for state, _ in visited(any_game, seats, wanted=POSITIONS):
            assert document is None or document.violations(state, cards) == []
            position = any_game.words.position(state, cards)
            placed = np.zeros(1, any_game.state)[0]
            any_game.words.place(position, cards, placed)
            assert any_game.words.position(placed, cards) == position
            assert contract.current_player(placed) == contract.current_player(state)
            assert options(any_game, placed, cards.record) == options(any_game, state, cards.record)
            assert any_game.words.picture(placed, cards) == any_game.words.picture(state, cards)


def test_line_ups_and_events_are_described(any_game: Game):
    cards = any_game.load(None)
    entrants = list(range(any_game.seats[-1]))
    assert any_game.words.line_up(cards, entrants) == [cards.names[entrant] for entrant in entrants]
    log = replay(experiment(any_game, 16), 0, 1)
    events = [any_game.words.events(*pair, cards) for pair in zip(log.positions[:-1], log.positions[1:], strict=True)]
    assert all(isinstance(line, str) for lines in events for line in lines)
    assert any(events)
