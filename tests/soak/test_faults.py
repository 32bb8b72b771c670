"""The lists of planted faults fit the sources and the rules. Whether the tests catch the faults: `make faults`."""

import ast
from dataclasses import replace

import pytest

from tests.conftest import BUILT_IN, ROOT
from tests.soak.faults import GAMES, faults_of, naming, plant
from tests.test_rule_ids import rule_ids

LISTED = [fault for game in GAMES for fault in faults_of(game)]


def test_every_game_has_twenty_faults_with_names_of_their_own():
    assert [*GAMES] == sorted(BUILT_IN)
    assert [len({fault.name for fault in faults_of(game)}) for game in GAMES] == [20] * len(GAMES)


@pytest.mark.parametrize("fault", LISTED, ids=lambda fault: f"{fault.game}-{fault.name}")
def test_a_fault_changes_one_place_of_a_rule(fault):
    before = (ROOT / fault.path).read_text(encoding="utf-8")
    after = plant(fault, before)
    assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    assert fault.rule in rule_ids(fault.game)
    assert naming(fault)


def test_a_text_that_occurs_twice_is_refused():
    fault = replace(LISTED[0], old="here", new="there")
    with pytest.raises(ValueError, match=r"'here' occurs 2 times in .*, it must occur once"):
        plant(fault, "here and here")


def test_planting_a_fault_runs_the_tests_that_catch_it(python):
    out = python("-m", "tests.soak.faults", "arena", "--only", "slow never ends", timeout_s=600)
    assert "test_arena_14" in out
    assert out.endswith("arena: 1 of 1 faults caught\n")
