"""Comparing results with expectations, and reading users' tables, without any game."""

import pytest

from sim.engine.cardfiles.paths import Table, plain
from sim.engine.scenario import compare

POSITION = {
    "turn": 3,
    "heroes": [{"hero": "ann", "at": [0, 1], "rage": 0}, {"hero": "bob", "at": "out", "rage": 2}],
    "tokens": [{"owner": 0, "at": [1, 1]}, {"owner": 0, "at": [2, 2]}],
    "pending": {},
}
OUTSIDE = {"over": False, "current_player": 1, "options": ["Stay", "move to (0,1)"], "events": ["seat 1: stay", "  Ann stays."]}


def differences(**expected: object) -> list[str]:
    return compare(expected, POSITION, OUTSIDE)


def test_only_what_is_expected_is_compared():
    assert differences() == []
    assert differences(heroes=[{"hero": "bob", "rage": 2}], turn=3, over=False, current_player=1, pending={}) == []


def test_a_difference_names_field_and_both_values():
    assert differences(turn=4) == ["expect.turn: expected 4, is 3"]
    assert differences(heroes=[{"hero": "ann", "at": [0, 2]}]) == ['expect.heroes[hero = "ann"].at: expected [0, 2], is [0, 1]']


def test_the_first_key_selects_the_entry():
    assert differences(heroes=[{"hero": "cy"}]) == [
        'expect.heroes[hero = "cy"]: there is no such entry; known here: "ann", "bob"'
    ]
    assert differences(tokens=[{"owner": 0, "at": [2, 2]}]) == []
    assert len(differences(tokens=[{"owner": 0, "at": [3, 3]}])) == 1


def test_an_empty_list_must_be_empty():
    assert len(differences(tokens=[])) == 1


def test_booleans_are_not_numbers():
    assert differences(over=0) == ["expect.over: expected 0, is false"]
    assert differences(turn=True) == ["expect.turn: expected true, is 3"]


def test_options_are_compared_as_a_set():
    assert differences(options=["MOVE TO (0, 1)", "stay"]) == []
    assert differences(options=["stay", "pass"]) == [
        'expect.options: "pass" is not open',
        'expect.options: "move to (0,1)" is also open',
    ]


def test_events_must_occur():
    assert differences(events=["ann stays"]) == []
    assert differences(events=["Ann falls"]) == ['expect.events: "Ann falls" did not happen']


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"trun": 1}, 'expect.trun: there is no such field; did you mean "turn"?'),
        ({"heroes": [{"hero": "ann", "rag": 1}]}, 'rag: there is no such field; did you mean "rage"?'),
        ({"heroes": [{"her": "ann"}]}, 'did you mean "hero"?'),
        ({"options": "stay"}, "must be a list of texts"),
        ({"events": [1]}, "must be a list of texts"),
    ],
)
def test_a_meaningless_expectation_is_refused(expected: dict, message: str):
    with pytest.raises(ValueError) as caught:
        compare(expected, POSITION, OUTSIDE)
    assert message in str(caught.value)


def test_an_unknown_key_is_refused():
    table = Table({"turn": 1, "trun": 2}, "position")
    assert table.whole("turn", 0, 5) == 1
    with pytest.raises(ValueError, match=r"position.trun = 2: is not a key of this table; did you mean \"turn\""):
        table.close()


@pytest.mark.parametrize("value", [True, 1.0, "1", -1, 6, None])
def test_only_a_whole_number_in_range_is_accepted(value: object):
    with pytest.raises(ValueError, match=r"turn = .*: must be a whole number from 0 to 5"):
        Table({"turn": value}).whole("turn", 0, 5)


def test_a_missing_value_is_reported():
    with pytest.raises(ValueError, match=r"^a.b: is missing$"):
        Table({}, "a").text("b")


@pytest.mark.parametrize(
    ("one", "other"), [("Move to (0, 2)", "move  to (0,2)"), ("STRASSE", "straße"), ("x\u200by", "xy"), ("ﬁre", "fire")]
)
def test_words_that_look_alike_are_the_same(one: str, other: str):
    assert plain(one) == plain(other)
