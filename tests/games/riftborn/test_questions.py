"""The questions of the game use fields that its outcomes have."""

import tomllib
from pathlib import Path

import sim.games.riftborn
from sim.engine.cards import numeric_fields
from sim.games.riftborn import GAME
from sim.games.riftborn.outcome import QUESTIONS
from sim.games.riftborn.state import NOT_DECIDED

BY_FIELD = {measure.field: measure for measure in GAME.measures}
BY_ID = {question.id: question for question in QUESTIONS}
DOCUMENT = tomllib.loads((Path(sim.games.riftborn.__file__).parent / "cards.toml").read_text())


def test_every_cause_that_ends_a_game_has_its_word():
    assert len(BY_FIELD["ended_by"].categories) == NOT_DECIDED + 1
    assert BY_FIELD["ended_by"].categories[:-1] == BY_FIELD["wounds"].parts


def test_numbers_that_are_tried_exist_and_steps_are_of_these():
    paths = numeric_fields(DOCUMENT)
    for id_, begin in (("shared-parameters", "rules."), ("parameters", "card.")):
        arguments = BY_ID[id_].arguments
        assert arguments["leaves"]
        assert set(arguments["steps"]) <= set(arguments["leaves"])
        assert all(step > 0 for step in arguments["steps"].values())
        for leaf in arguments["leaves"]:
            assert any(path.startswith(begin) and path.endswith(f".{leaf}") for path in paths), leaf
