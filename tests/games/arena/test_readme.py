"""The README names every switch with its default, and every effect with its parameters."""

import re
from typing import get_args

from sim.games.arena.cards import Effect
from tests.games.arena.kernel_bridge import GAME
from tests.games.readme import Readme, named, rows

README = Readme("arena")


def test_every_switch_is_named_with_its_default():
    switches = {cells[3].partition(": ")[0]: cells[3].partition(": ")[2] for cells in rows(README.section("Rule variants"))}
    for name, value in GAME.load(None).switches.items():
        (values,) = (text for words, text in switches.items() if name in named(words))
        default = str(value).lower()
        assert re.match(rf"`?{default}\b", values), f"{name}: {default} is played, the README begins with {values}"


def test_every_effect_is_listed_with_its_parameters():
    listed = {cells[0].strip("`"): ({*named(cells[1])}, cells[2]) for cells in rows(README.section("Effects of cards"))[2:]}
    effects = get_args(get_args(Effect)[0])
    assert len(listed) == len(effects)
    for effect in effects:
        op = get_args(effect.model_fields["op"].annotation)[0]
        parameters = set(effect.model_fields) - {"op"}
        assert parameters <= listed[op][0], op
        assert listed[op][1] == ", ".join(effect.ON)
