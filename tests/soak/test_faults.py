"""The lists of planted faults fit the sources and the rules. Whether the tests catch the faults: `make faults`."""

import ast
from dataclasses import replace

import pytest

from tests.conftest import BUILT_IN, ROOT
from tests.soak.faults import GAMES, SUBJECTS, faults_of, naming, plant
from tests.test_rule_ids import rule_ids

OF_RULES = [fault for game in GAMES for fault in faults_of(game)]
OF_SUBJECTS = [fault for subject in SUBJECTS for fault in faults_of(subject)]


def test_every_game_has_twenty_faults_with_names_of_their_own():
    assert [*GAMES] == sorted(BUILT_IN)
    assert [len({fault.name for fault in faults_of(game)}) for game in GAMES] == [20] * len(GAMES)


def test_there_are_sixty_other_faults_with_names_of_their_own():
    names = [fault.name for fault in OF_SUBJECTS]
    assert len(names) == len({*names}) >= 60


@pytest.mark.parametrize("fault", [*OF_RULES, *OF_SUBJECTS], ids=lambda fault: f"{fault.where}-{fault.name}")
def test_a_fault_changes_one_place_of_the_sources(fault):
    before = (ROOT / fault.path).read_text(encoding="utf-8")
    after = plant(fault, before)
    assert ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))


@pytest.mark.parametrize("fault", OF_RULES, ids=lambda fault: f"{fault.where}-{fault.name}")
def test_a_fault_of_a_game_breaks_a_rule_with_tests(fault):
    assert fault.rule in rule_ids(fault.where)
    assert naming(fault)


@pytest.mark.parametrize("fault", OF_SUBJECTS, ids=lambda fault: f"{fault.where}-{fault.name}")
def test_a_fault_of_a_subject_names_tests_that_exist(fault):
    assert fault.tests
    for argument in (*fault.tests, *fault.wider):
        path, _, test = argument.removeprefix("--ignore=").partition("::")
        assert not path.startswith("tests/") or (ROOT / path).exists()
        assert not test or f"def {test.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8")


def test_a_text_that_occurs_twice_is_refused():
    fault = replace(OF_RULES[0], old="here", new="there")
    with pytest.raises(ValueError, match=r"'here' occurs 2 times in .*, it must occur once"):
        plant(fault, "here and here")


@pytest.mark.parametrize(
    ("where", "name", "test"),
    [
        ("arena", "slow never ends", "test_arena_14"),
        ("statistics", "Holm's adjustment is Bonferroni's", "test_adjustments_by_hand_and_around_missing_values"),
    ],
)
@pytest.mark.slow
def test_planting_a_fault_runs_the_tests_that_catch_it(python, where, name, test):
    out = python("-m", "tests.soak.faults", where, "--only", name, timeout_s=600)
    assert test in out
    assert out.endswith(f"{where}: 1 of 1 faults caught\n")
