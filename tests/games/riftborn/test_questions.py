"""The questions of the game use fields that its outcomes have."""

import tomllib
from pathlib import Path

import pytest

import sim.games.riftborn
from sim.engine.cards import numeric_fields
from sim.games.riftborn.cards import ABILITIES, LEVELS
from sim.games.riftborn.outcome import MEASURES, OUTCOME, QUESTIONS
from sim.games.riftborn.state import CURVE, DISTINCT, GAINS, HARMS, NOT_DECIDED, SEATS, WOUNDS

BY_FIELD = {measure.field: measure for measure in MEASURES}
BY_ID = {question.id: question for question in QUESTIONS}
DOCUMENT = tomllib.loads((Path(sim.games.riftborn.__file__).parent / "cards.toml").read_text())
SWITCHES = {
    *("level_budget", "aoo_xp", "adjacent_enemies", "clear_path", "contact_retaliation", "dead_retaliate"),
    *("rage_before_retaliation", "mutual_kill_xp", "kill_xp", "siphon_timing", "siphon_counts", "relentless_on"),
    *("stealth_cover", "morale_start", "weapon_uses", "transform_keeps"),
}


def test_every_field_of_the_outcomes_is_a_measure_with_its_shape_and_words():
    assert [measure.field for measure in MEASURES] == list(OUTCOME.names)
    for field, measure in BY_FIELD.items():
        parts = (len(measure.parts),) if measure.parts else ()
        assert OUTCOME[field].shape == (((SEATS,) if measure.per == "seat" else ()) + parts), field
        assert measure.label
        assert measure.unit or measure.kind in ("category", "flag")
        assert bool(measure.categories) == (measure.kind == "category")
        assert len(set(measure.parts)) == len(measure.parts)


@pytest.mark.parametrize(
    ("field", "parts"),
    [
        *(("wounds", WOUNDS), ("deaths", HARMS), ("gained", GAINS), ("times", ABILITIES), ("level_turn", LEVELS)),
        *(("xp_after", CURVE), ("drawn", DISTINCT)),
    ],
)
def test_what_is_counted_by_kind_has_a_word_for_each(field, parts):
    assert len(BY_FIELD[field].parts) == parts


def test_every_cause_that_ends_a_game_has_its_word():
    assert len(BY_FIELD["ended_by"].categories) == NOT_DECIDED + 1
    assert BY_FIELD["ended_by"].categories[:-1] == BY_FIELD["wounds"].parts


def test_every_role_names_a_measure_and_no_question_comes_twice():
    assert len(BY_ID) == len(QUESTIONS)
    for question in QUESTIONS:
        assert set(question.measures) <= set(BY_FIELD), question.id
        assert question.text.endswith("?")


def test_every_switch_is_read_in_all_its_ways_and_the_one_in_force_is_among_them():
    named = {path.removeprefix("rules."): values for path, values in BY_ID["rule-variants"].rules.items()}
    assert set(named) >= SWITCHES
    for switch in SWITCHES:
        in_force = str(DOCUMENT["rules"][switch]).lower()
        assert in_force in named[switch], switch
        assert len(set(named[switch])) == 2


def test_numbers_that_are_tried_exist_and_have_a_step():
    paths = numeric_fields(DOCUMENT)
    for id_, begin in (("shared-parameters", "rules."), ("parameters", "card.")):
        assert len(BY_ID[id_].leaves) == len(BY_ID[id_].steps)
        for leaf in BY_ID[id_].leaves:
            assert any(path.startswith(begin) and path.endswith(f".{leaf}") for path in paths), leaf


def test_levels_and_turns_that_are_told_of_are_measured():
    assert set(BY_ID["growth"].levels) <= set(BY_FIELD["level_turn"].parts)
    assert max(*BY_ID["snowball"].turns, BY_ID["snowball"].at) <= len(BY_FIELD["xp_after"].parts)
