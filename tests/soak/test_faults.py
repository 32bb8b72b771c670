"""The lists of planted faults fit the sources and the rules. Whether the tests catch the faults: `make faults`."""

import ast
from dataclasses import replace

import pytest

from tests.conftest import BUILT_IN, ROOT
from tests.soak.faults import GAMES, SUBJECTS, Fault, faults_of, naming, plant
from tests.test_rule_ids import rule_ids

OF_RULES = [fault for game in GAMES for fault in faults_of(game)]
OF_SUBJECTS = [fault for subject in SUBJECTS for fault in faults_of(subject)]


def test_every_game_has_twenty_faults_with_names_of_their_own():
    assert [*GAMES] == sorted(BUILT_IN)
    assert [len({fault.name for fault in faults_of(game)}) for game in GAMES] == [20] * len(GAMES)


def test_there_are_sixty_other_faults_with_names_of_their_own():
    names = [fault.name for fault in OF_SUBJECTS]
    assert len(names) == len({*names}) >= 60


def has_no_effect(fault: Fault) -> bool:
    """Whether the sources mean the same with the fault. Raises ValueError if its text does not occur exactly once."""
    before = (ROOT / fault.path).read_text(encoding="utf-8")
    return ast.dump(ast.parse(plant(fault, before))) == ast.dump(ast.parse(before))


@pytest.mark.parametrize("where", [*GAMES, *SUBJECTS])
def test_each_fault_of_a_list_changes_one_place_of_the_sources(where):
    assert [fault.name for fault in faults_of(where) if has_no_effect(fault)] == []


@pytest.mark.parametrize("game", GAMES)
def test_each_fault_of_a_game_breaks_a_rule_with_tests(game):
    assert {fault.rule for fault in faults_of(game)} <= {*rule_ids(game)}
    assert [fault.name for fault in faults_of(game) if not naming(fault)] == []


def is_missing(argument: str) -> bool:
    """Whether an argument of pytest names a file or a test that does not exist."""
    path, _, test = argument.removeprefix("--ignore=").partition("::")
    if not path.startswith("tests/"):
        return False
    if not (ROOT / path).exists():
        return True
    return bool(test) and f"def {test.partition('[')[0]}(" not in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_fault_of_a_subject_names_tests_that_exist(subject):
    for fault in faults_of(subject):
        assert fault.tests, fault.name
        assert [argument for argument in (*fault.tests, *fault.wider) if is_missing(argument)] == []


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
@pytest.mark.soak
def test_planting_a_fault_runs_the_tests_that_catch_it(python, where, name, test):
    out = python("-m", "tests.soak.faults", where, "--only", name, timeout_s=600)
    assert test in out
    assert out.endswith(f"{where}: 1 of 1 faults caught\n")
