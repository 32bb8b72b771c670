"""The questions of the game read what its outcomes hold."""

from sim.games.rookling.cards import load
from sim.games.rookling.outcome import OUTCOME
from sim.games.rookling.questions import MEASURES, QUESTIONS, measures_of
from sim.games.rookling.state import SEATS

EVERY = (*MEASURES, *measures_of(load(None)))
BY_FIELD = {measure.field: measure for measure in EVERY}


def test_every_field_of_the_outcomes_is_a_measure_with_its_shape_and_words():
    assert sorted(BY_FIELD) == sorted(OUTCOME.names)
    assert len(EVERY) == len(BY_FIELD)
    for field, measure in BY_FIELD.items():
        parts = (len(measure.parts),) if measure.parts else ()
        assert OUTCOME[field].shape == (((SEATS,) if measure.per == "seat" else ()) + parts), field
        assert measure.label
        assert measure.unit or measure.kind in ("category", "flag", "count")
        assert bool(measure.categories) == (measure.kind == "category")
        named = [part for part in measure.parts if part]  # places that the card set does not use have none
        assert len(set(named)) == len(named)


def test_every_role_names_a_measure_and_no_question_comes_twice():
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    for question in QUESTIONS:
        assert set(question.roles.values()) <= set(BY_FIELD), question.id
        assert question.text.endswith("?")


def test_every_switch_that_changes_play_is_a_reading_or_a_line_of_going_first():
    switches = {
        *("squad_mode", "opening_row", "draw_mode", "dump", "one_line_per_rookling", "charge_colour", "e1_order"),
        *("siege_chain_blocks", "hold_block", "hit_on_landing", "poison_clear_draw"),
    }
    named = {path.removeprefix("rules.") for question in QUESTIONS for path in question.settings if "." in path}
    assert switches <= named
