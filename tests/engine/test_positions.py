"""Positions are declared once: reader, writer, refusals and documentation derive from the table."""

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.engine.cardfiles.paths import Table
from sim.engine.cards import Problem
from sim.engine.positions import (
    ABSENT,
    Case,
    Custom,
    Document,
    Each,
    Follows,
    Group,
    Here,
    LineUp,
    Number,
    Rows,
    When,
    Word,
    words_of,
)


class Phase(IntEnum):
    """What is decided."""

    REST = 0
    ROLL = 1


STATE = np.dtype(
    [
        ("turn", np.int16),
        ("phase", np.int8),
        ("coins", np.int8, (2,)),
        ("faces", np.int8, (2,)),
        ("seen", np.int8),
        ("kind", np.int8),
    ]
)
CARDS: Any = SimpleNamespace(record=np.array([(9,)], [("most", np.int8)]), ids=("one", "two"))


def problems(state: np.void, _cards: Any) -> Iterator[Problem]:
    """Nobody has more coins than turns."""
    for seat in range(2):
        if state["coins"][seat] > state["turn"]:
            yield Problem(("seats", seat, "coins"), f"is more than turn = {state['turn']}", "must not exceed it")


def settle(table: Table, here: Here) -> None:
    """The second face is the first one's other side."""
    if here.state["faces"][0] == 6:
        raise table.wrong("face", "has no other side")
    here.state["faces"][1] = 7 - here.state["faces"][0]


POSITION = Document(
    keys=(
        Number("turn", "turns finished", most=lambda here: here.card("most")),
        Word("phase", "what is decided", words=words_of(Phase), default="rest"),
        Rows(
            "seats",
            "one for each seat",
            index="seat",
            rows=lambda _: range(2),
            most=1,
            keys=(
                Number("coins", "coins", most=5, default=None),
                Follows("rich", "3 coins", value=lambda here: here.number("coins") > 2),
            ),
        ),
        Custom("seen", "a flag", shown="false", reader=lambda here: bool(here.number("seen"))),
    ),
    problems=problems,
    pending=When(
        "pending",
        "a roll",
        field="phase",
        cases={Phase.ROLL: Case((Number("face", "rolled", field="faces", index=(0,), least=1, most=6, default=None),), settle)},
    ),
)
FULL = {
    "turn": 4,
    "phase": "roll",
    "seats": [{"seat": 0, "coins": 1, "rich": False}, {"seat": 1, "coins": 3, "rich": True}],
    "seen": False,
    "pending": {"face": 2},
}


def written(position: dict[str, Any]) -> np.void:
    state: np.void = np.zeros(1, STATE)[0]
    POSITION.write(position, CARDS, state)
    return state


def test_a_position_is_read_back_as_it_was_written():
    state = written(FULL)
    assert POSITION.read(state, CARDS) == FULL
    assert state["faces"].tolist() == [2, 5]


def test_defaults_and_rows_out_of_order():
    state = written({"turn": 5, "seats": [{"seat": 1, "coins": 5}, {"coins": 1}]})
    assert state["coins"].tolist() == [1, 5]
    assert POSITION.read(state, CARDS)["pending"] == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turn": 10}, "turn = 10: must be a whole number from 0 to 9"),
        ({"phase": "rol"}, 'phase = "rol": did you mean "roll"'),
        ({"seats": [{"coins": 6}]}, r"seats\[0\].coins = 6: must be a whole number from 0 to 5"),
        ({"seats": [{}]}, r"seats\[0\].coins: is missing"),
        ({"seats": [{"seat": 1, "coins": 1}, {"seat": 1, "coins": 1}]}, r"seats\[1\].seat = 1: is already taken"),
        ({"seats": [{"coins": 1, "rich": True}]}, r"seats\[0\].rich = true: follows from the rest and is False"),
        ({"turn": 2}, r"seats\[1\].coins = 3: is more than turn = 2; must not exceed it"),
        ({"pending": {"face": 6}}, "pending.face = 6: has no other side"),
        ({"pending": {"face": 1, "fac": 2}}, 'pending.fac = 2: is not a key of this table; did you mean "face"'),
        ({"phase": "rest"}, "pending.face = 2: is not a key of this table"),
        ({"tern": 2}, 'tern = 2: is not a key of this table; did you mean "turn"'),
    ],
)
def test_what_is_wrong_is_refused_with_its_field(change: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        written(FULL | change)


def unlucky(_state: np.void, _cards: Any) -> Iterator[Problem]:
    """A problem inside a value."""
    yield Problem(("seats", 1, "names", 1, "first"), "brings bad luck")


ROUND = Rows(
    "seats",
    "one for each seat",
    index="seat",
    rows=lambda _: range(2),
    most=1,
    complete=True,
    keys=(
        Number("coins", "coins", most=9, default=lambda here: here.card("most")),
        Follows("names", "no names", value=lambda _: ABSENT),
    ),
)
COMPLETE = Document(keys=(ROUND,))
UNLUCKY = Document(keys=(replace(ROUND, keys=(Custom("names", "names", reader=lambda _: ABSENT),)),), problems=unlucky)


def test_complete_rows_and_defaults_that_depend_on_the_place():
    state: np.void = np.zeros(1, STATE)[0]
    COMPLETE.write({}, CARDS, state)
    assert COMPLETE.read(state, CARDS) == {"seats": [{"seat": 0, "coins": 9}, {"seat": 1, "coins": 9}]}


@pytest.mark.parametrize(
    ("document", "seats", "message"),
    [
        (COMPLETE, [{}], "seats: must be 2 tables, one for each seat; 1 are given"),
        (COMPLETE, [{}, {"names": []}], r"seats\[1\].names = \[\]: does not apply in this position; leave it out"),
        (UNLUCKY, [{}, {"names": ["a", {"first": "b"}]}], r'seats\[1\].names\[1\].first = "b": brings bad luck'),
        (UNLUCKY, [{}, {}], r"seats\[1\].names\[1\].first: brings bad luck"),
    ],
)
def test_what_is_wrong_inside_complete_rows_is_refused(document: Document, seats: list[Any], message: str):
    with pytest.raises(ValueError, match=message):
        document.write({"seats": seats}, CARDS, np.zeros(1, STATE)[0])


def test_violations_are_found_in_any_state():
    state = written(FULL)
    assert POSITION.violations(state, CARDS) == []
    state["coins"][0], state["turn"] = 7, 1
    assert [problem.location for problem in POSITION.violations(state, CARDS)] == [
        ("seats", 0, "coins"),
        ("seats", 0, "coins"),
        ("seats", 1, "coins"),
    ]


def test_the_table_of_a_readme():
    assert POSITION.documented()[2:] == [
        "| `turn` | turns finished | 0 |",
        "| `phase` | what is decided | `rest` |",
        "| `seats` | list of tables, one for each seat |  |",
        "| `seats.seat` | number of the entry, 0.. | in the order of the list |",
        "| `seats.coins` | coins, 0..5 |  |",
        "| `seats.rich` | 3 coins | follows from the rest |",
        "| `seen` | a flag | false |",
        "| `pending` | a roll |  |",
        "| `pending.face` | rolled, 1..6 |  |",
    ]


# ---- tables in tables --------------------------------------------------------------------------------------------------

STACKED = np.dtype(
    [
        ("card", np.int8, (2, 2)),
        ("top", np.int8, (2,)),
        ("depth", np.int8),
        ("step", np.int8, (3,)),
        ("aims_n", np.int8, (3,)),
        ("aims", np.int8, (3, 2)),
    ]
)


def settle_tops(_table: Table, here: Here) -> None:
    """What the slots note becomes the top card of the seat."""
    for seat, card in here.notes:
        here.state["top"][seat] = max(here.state["top"][seat], card)


def write_card(table: Table, here: Here) -> None:
    here.state["card"][here.at] = table.whole("card", 1, 9)
    here.notes.append((here.at[0], here.number("card")))


SLOT = (Custom("card", "its card", reader=lambda here: here.number("card"), writer=write_card),)
NESTED = Document(
    keys=(
        Rows(
            "seats",
            "one for each seat",
            index="seat",
            rows=lambda _: range(2),
            most=1,
            keys=(
                Follows("top", "highest card", shown="follows from `slots`", value=lambda here: here.number("top") or ABSENT),
                Rows(
                    "slots",
                    "of a seat",
                    index="slot",
                    first=1,
                    most=2,
                    base=-1,
                    rows=lambda here: [slot for slot in (1, 2) if here.number("card", slot - 1)],
                    keys=SLOT,
                ),
            ),
        ),
        Group(
            "stack",
            "what waits",
            keys=(
                Rows(
                    "frames",
                    "in order",
                    length="depth",
                    most=2,
                    keys=(
                        Number("step", "its step", most=3, default=1, absent=lambda here: here.number("step") == 1),
                        Each("aims", "targets", count=2, length="aims_n", most=5),
                    ),
                ),
            ),
        ),
    ),
    settle=settle_tops,
)
DEEP = {
    "seats": [{"seat": 0, "slots": []}, {"seat": 1, "top": 7, "slots": [{"slot": 1, "card": 3}, {"slot": 2, "card": 7}]}],
    "stack": {"frames": [{"aims": [4]}, {"step": 2, "aims": []}]},
}


def nested(position: dict[str, Any]) -> np.void:
    state: np.void = np.zeros(1, STACKED)[0]
    NESTED.write(position, CARDS, state)
    return state


def test_tables_in_tables_are_read_back_as_they_were_written():
    state = nested(DEEP)
    assert NESTED.read(state, CARDS) == DEEP
    assert state["card"].tolist() == [[0, 0], [3, 7]]
    assert (state["depth"], state["step"].tolist(), state["aims_n"].tolist()) == (2, [1, 2, 0], [1, 0, 0])
    assert NESTED.violations(state, CARDS) == []
    state["step"][0] = 5
    assert [problem.location for problem in NESTED.violations(state, CARDS)] == [("stack", "frames", 0, "step")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": [{}, {"slots": [{"card": 10}]}]}, r"seats\[1\].slots\[0\].card = 10: must be a whole number from 1 to 9"),
        ({"seats": [{}, {"slots": [{"slot": 3, "card": 1}]}]}, r"slots\[0\].slot = 3: must be a whole number from 1 to 2"),
        ({"seats": [{"top": 2, "slots": [{"card": 1}]}]}, r"seats\[0\].top = 2: follows from `slots` and is 1; leave it out"),
        ({"seats": [{"top": 2}]}, r"seats\[0\].top = 2: does not apply in this position; leave it out"),
        ({"stack": {"frames": [{"aims": [6]}]}}, r"stack.frames\[0\].aims = \[6\]: must be at most 2 whole numbers from 0 to 5"),
        ({"stack": {"frames": [{}] * 4}}, "stack.frames: has 4 entries; at most 3 are allowed"),
        ({"stack": {"frame": []}}, r'stack.frame = \[\]: is not a key of this table; did you mean "frames"'),
    ],
)
def test_what_is_wrong_in_a_table_of_a_table_is_refused_with_its_path(change: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        nested(DEEP | change)


def test_the_keys_of_tables_in_tables_are_documented_with_their_path():
    lines = NESTED.documented()
    assert "| `seats.slots.slot` | number of the entry, 1.. | in the order of the list |" in lines
    assert "| `stack.frames.step` | its step, 0..3 | 1 |" in lines
    assert not any("frames." in line and "number of the entry" in line for line in lines)


def starting_spaces(here: Here) -> list[int]:
    """As many spaces as the runner's number."""
    return here.state["runner"][: here.number("seats")].tolist()


SEATED = Document(
    (
        Each("spaces", "by seat", most=9, default=starting_spaces),
        LineUp("runners", "ids", field="runner", seats=(2, 3)),
        Each("dice", "of the whole table", most=6),
    )
)
SEATED_STATE = np.dtype([("spaces", np.int8, (4,)), ("runner", np.int8, (4,)), ("dice", np.int8, (6,)), ("seats", np.int8)])


def test_the_seats_are_those_of_the_line_up_which_is_written_first_and_other_lists_are_whole():
    state = np.zeros(1, SEATED_STATE)[0]
    position = {"spaces": [4, 0, 9], "runners": ["two", "one", "two"], "dice": [6, 1, 2, 3, 4, 5]}
    SEATED.write(position, CARDS, state)
    assert (state["seats"], state["spaces"].tolist(), state["runner"].tolist()) == (3, [4, 0, 9, 0], [1, 0, 1, 0])
    assert SEATED.read(state, CARDS) == position


def test_a_default_can_be_a_list_that_depends_on_the_rest():
    state = np.zeros(1, SEATED_STATE)[0]
    SEATED.write({"runners": ["one", "two"]}, CARDS, state)
    assert SEATED.read(state, CARDS) == {"spaces": [0, 1], "runners": ["one", "two"], "dice": [0] * 6}


def test_without_a_number_of_seats_a_list_has_all_entries_of_its_field():
    state = np.zeros(1, np.dtype([("runner", np.int8, (2,)), ("spaces", np.int8, (2,))]))[0]
    document = Document((LineUp("runners", "ids", field="runner", seats=(2,)), Each("spaces", "by seat", most=9)))
    document.write({"runners": ["two", "one"], "spaces": [3, 4]}, CARDS, state)
    assert document.read(state, CARDS) == {"runners": ["two", "one"], "spaces": [3, 4]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runners": ["one"]}, r'runners = \["one"\]: must have an entry for each seat, of which there can be 2, 3'),
        ({"runners": []}, "runners"),
        ({"runners": ["one"] * 4}, "runners: has 4 entries; at most 3 are allowed"),
        ({"runners": ["one", "three"]}, "runners = .*: must be 2 of one, two"),
        ({"spaces": [1, 2, 3]}, "spaces"),
    ],
)
def test_a_line_up_and_lists_for_another_number_of_seats_are_refused(change: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        SEATED.write({"runners": ["one", "two"]} | change, CARDS, np.zeros(1, SEATED_STATE)[0])


FIELDS = np.dtype(
    [
        ("runner", np.int8, (4,)),
        ("space", np.int16, (4,)),
        ("wall", np.uint8, (2, 3)),
        ("turn", np.int16),
        ("seats", np.int8),
        ("pile", np.int8, (20,)),
        ("share", np.float32),
        ("keys", np.uint32, (3,)),
    ]
)
BY_FIELD = Document.of_fields(FIELDS, "runner", (2, 3), without=("keys",))


def placed(position):
    state = np.zeros(1, FIELDS)[0]
    BY_FIELD.write(position, CARDS, state)
    return state


def test_a_position_by_fields_is_read_as_it_was_written():
    position = {"runner": ["two", "one"], "space": [3, 300], "wall": [[1, 2, 3], [0, 0, 255]], "turn": 7}
    state = placed(position)
    assert state["seats"] == 2
    assert state["space"].tolist() == [3, 300, 0, 0]
    assert BY_FIELD.read(state, CARDS) == position
    state["pile"][4] = 1
    assert BY_FIELD.read(state, CARDS)["pile"] == [0] * 4 + [1] + [0] * 15
    assert placed(BY_FIELD.read(state, CARDS)).tobytes() == state.tobytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"space": [1]}, r"space = \[1\]: must be a list of 2 whole numbers from -32768 to 32767"),
        ({"wall": [[1, 2, 3], [1, 2, 256]]}, "must be 2 lists of 3 whole numbers from 0 to 255"),
        ({"turn": 40_000}, "turn = 40000: must be a whole number from -32768 to 32767"),
        ({"keys": [1, 2, 3]}, "keys"),
        ({"runner": ["three", "one"]}, "runner"),
    ],
)
def test_a_wrong_field_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        placed({"runner": ["two", "one"]} | change)


Mood = IntEnum("Mood", ["CALM", "ANGRY"], start=0)
IN_WORDS = Document.of_fields(
    FIELDS, "runner", (2, 3), words={"space": words_of(Mood), "turn": words_of(Mood), "wall": words_of(Mood)}, without=("keys",)
)


def test_numbers_of_a_field_are_read_and_written_as_words():
    position = {
        "runner": ["two", "one"],
        "space": ["angry", "calm"],
        "wall": [["calm", "angry", "calm"], ["calm"] * 3],
        "turn": "angry",
    }
    state = np.zeros(1, FIELDS)[0]
    IN_WORDS.write(position, CARDS, state)
    assert state["space"].tolist() == [1, 0, 0, 0]
    assert state["wall"].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert state["turn"] == 1
    assert IN_WORDS.read(state, CARDS) == position
    state["turn"] = 7
    assert IN_WORDS.read(state, CARDS)["turn"] == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"space": ["angry"]}, r'space = \["angry"\]: must be a list of 2 of calm, angry'),
        ({"space": ["angry", 1]}, "must be a list of 2 of calm, angry"),
        ({"turn": 1}, "turn = 1: must be one of calm, angry"),
        ({"turn": ["calm"]}, "must be one of calm, angry"),
        ({"turn": {"calm": 1}}, "must be one of calm, angry"),
    ],
)
def test_a_wrong_word_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        IN_WORDS.write({"runner": ["two", "one"]} | change, CARDS, np.zeros(1, FIELDS)[0])


@pytest.mark.parametrize("words", [Mood, {"calm": 0, "angry": 1}, lambda here: {"calm": 0, "angry": here.number("seats") - 1}])
def test_words_are_an_enum_numbers_by_word_or_a_function_that_returns_these(words):
    document = Document.of_fields(FIELDS, "runner", (2, 3), words={"turn": words}, without=("keys",))
    state = np.zeros(1, FIELDS)[0]
    document.write({"runner": ["two", "one"], "turn": "angry"}, CARDS, state)
    assert state["turn"] == 1
    assert document.read(state, CARDS)["turn"] == "angry"


def test_words_for_no_field_are_refused():
    with pytest.raises(ValueError, match="the state has no field spaces"):
        Document.of_fields(FIELDS, "runner", (2, 3), words={"spaces": words_of(Mood)})
