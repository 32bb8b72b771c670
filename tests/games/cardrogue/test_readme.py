"""The README names every switch with its default, every effect with its parameters, and every category of decisions."""

import re
from typing import get_args

from sim.games.cardrogue import GAME
from sim.games.cardrogue.cards.schema import OF_CARDS, TRAITS
from sim.games.cardrogue.state import Act
from tests.games.readme import Readme, named, rows

README = Readme("cardrogue")
NO_SWITCHES = {"offers_per_turn", "equip_changes", "max_rounds", "idle_rounds", "repeat_moves", "goals", "lives"}


def test_every_switch_is_named_with_its_default_and_its_other_values():
    switches = {named(cells[3])[0]: cells[3] for cells in rows(README.section("Rule variants"))[2:] if named(cells[3])}
    for name, value in GAME.load(None).switches.items():
        words = next(text for text in switches.values() if f"`{name}`" in text)
        default = "chest" if name == "goals" else str(value).lower()
        if name not in NO_SWITCHES:
            assert re.search(rf"`{name}`: `{default}`", words), f"{name}: {default} is played, the README has {words}"
        assert default in words, f"{name}: {default} is played, the README has {words}"


def test_every_effect_is_listed_with_its_parameters():
    listed = {named(cells[0])[0]: (named(cells[1]), cells[2]) for cells in rows(README.section("Effects of cards"))[2:]}
    effects = [*OF_CARDS, *TRAITS]
    assert len(listed) == len(effects)
    for one in effects:
        op = get_args(one.model_fields["op"].annotation)[0]
        parameters = {field.alias or name for name, field in one.model_fields.items()} - {"op"}
        assert parameters == set(listed[op][0]), op
        assert listed[op][1] == ", ".join(one.ON), op


def test_the_categories_and_their_codes():
    text = " ".join(README.section("Decisions").split())
    assert ", ".join(f"{act.value} {act.name}" for act in Act) in text
