"""Stories by declared parts: kinds of parts, cards that came and went, and lines by owner."""

from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from sim.engine.facts import Fact
from sim.engine.positions import Document, words_of
from sim.engine.story import Change, Pile, Rise, Value, events
from sim.engine.words import PlainWords


class Mood(IntEnum):
    CALM = 0
    VERY_CROSS = 1


STATE = np.dtype(
    [
        ("health", np.int16, (2,)),
        ("place", np.int8, (3,)),
        ("kind", np.int8, (3,)),
        ("mood", np.int8),
        ("wounds", np.int16, (2, 2)),
        ("hand", np.int8, (2, 4)),
        ("hand_n", np.int8, (2,)),
        ("slots", np.int8, (2, 2)),
        ("stock", np.uint8, (2, 3)),
    ]
)
NAMES = ("Ant", "Bee", "Cat")
EMPTY = {"place": [-1, -1, -1], "slots": [[-1, -1], [-1, -1]]}


def lines(*parts: Any, before: dict[str, Any] | None = None, **after: Any) -> list[str]:
    """The lines about two states that differ in some fields from an empty one."""
    states = np.zeros(2, STATE)
    for state, fields in zip(states, ({}, after), strict=True):
        for field, value in (EMPTY | (before or {}) | fields).items():
            state[field] = value
    return events(states[0], states[1], None, parts)  # type: ignore[arg-type]  # no part asks for cards


def name_words(_: Change, card: int) -> str:
    return NAMES[card]


def piece_words(_: Change, index: tuple[int, ...]) -> str:
    return f"piece {index[0]}"


def test_a_number_is_reported_with_its_owner_before_and_after():
    assert lines(Value("health"), before={"health": [7, 5]}, health=[4, 6]) == ["seat 1: health 7 -> 4", "seat 2: health 5 -> 6"]
    assert lines(Value("health", "life", changes="{word} {by}"), before={"health": [7, 5]}, health=[4, 5]) == ["seat 1: life -3"]


def test_equal_states_have_no_story():
    parts = (Value("health"), Rise("wounds"), Pile("hand", name=name_words), Value("mood", words=Mood))
    assert lines(*parts, before={"health": [3, 3], "hand": [[1, 2, 0, 0], [0] * 4], "hand_n": [2, 0]}) == []


def test_a_value_of_the_game_has_a_line_of_its_own_in_the_words_of_its_enum():
    assert lines(Value("mood", words=Mood), mood=Mood.VERY_CROSS) == ["mood calm -> very cross"]


def test_words_of_positions_serve_stories_too():
    assert lines(Value("mood", words=words_of(Mood)), mood=Mood.VERY_CROSS) == ["mood calm -> very cross"]
    assert lines(Value("mood", words={"calm": 0}), mood=7) == ["mood calm -> 7"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Value("healt"), "story: Value: STATE has no field 'healt'; did you mean \"health\"?"),
        (Value("place", same="knd"), "story: Value: STATE has no field 'knd'; did you mean \"kind\"?"),
        (Pile("hand", name=name_words, count="hand_m"), "story: Pile: STATE has no field 'hand_m'; did you mean \"hand_n\"?"),
        ("health", "story: 'health' must be a part such as Value, Rise or Pile, or a function of a `Change`"),
    ],
)
def test_a_part_of_no_field_is_refused_when_the_game_is_made(part, message):
    with pytest.raises(ValueError, match="story") as caught:
        PlainWords(Document(()), (), Mood, story=(part,)).check(STATE)
    assert str(caught.value) == message


def test_a_story_can_be_one_part():
    words = PlainWords(Document(()), (), Mood, story=(Rise("wounds")))
    words.check(STATE)
    before, after = np.zeros(2, STATE)
    after["wounds"][1] = [1, 2]
    assert words.events(before, after, None) == ["seat 2: wounds +3"]


@pytest.mark.parametrize(
    ("was", "now", "line"), [(-1, 2, ["piece 0: on 2"]), (2, 1, ["piece 0: from 2 to 1"]), (1, -1, ["piece 0: gone"]), (1, 1, [])]
)
def test_a_place_begins_changes_and_ends(was, now, line):
    part = Value("place", owner=piece_words, none=-1, begins="on {now}", changes="from {was} to {now}", ends="gone")
    assert lines(part, before={"place": [was, -1, -1]}, place=[now, -1, -1]) == line


def test_an_empty_text_reports_nothing():
    part = Value("health", none=0, begins="wakes", changes="", ends="")
    assert lines(part, before={"health": [0, 2]}, health=[1, 3]) == ["seat 1: wakes"]
    assert lines(part, before={"health": [1, 0]}, health=[0, 0]) == []


def test_a_number_is_not_compared_with_that_of_another_thing():
    part = Value("place", owner=piece_words, same="kind")
    assert lines(part, before={"place": [1, 1, 1]}, place=[2, 2, 1], kind=[5, 0, 0]) == ["piece 1: place 1 -> 2"]


def test_counts_are_reported_by_how_much_they_rose():
    before = {"wounds": [[1, 1], [4, 0]]}
    assert lines(Rise("wounds"), before=before, wounds=[[2, 3], [3, 0]]) == ["seat 1: wounds +3"]
    by_cause = Rise("wounds", ("by fire", "by frost"), axes=2, rises="{by} {word}")
    assert lines(by_cause, before=before, wounds=[[2, 3], [4, 0]]) == ["seat 1: 1 by fire; 2 by frost"]


def test_cards_that_came_and_went_are_named_whatever_their_order():
    hands = {"hand": [[0, 1, 2, 0], [0] * 4], "hand_n": [3, 0]}
    hand = Pile("hand", name=name_words)
    assert lines(hand, before=hands, hand=[[2, 1, 1, 1], [0] * 4], hand_n=[4, 0]) == ["seat 1: hand + 2x Bee; hand - Ant"]
    assert lines(hand, before=hands, hand=[[2, 1, 0, 0], [0] * 4], hand_n=[3, 0]) == []
    drawn = Pile("hand", name=name_words, came="draws {count}", gone="")
    assert lines(drawn, before=hands, hand=[[1, 1, 0, 0], [0] * 4], hand_n=[2, 0]) == ["seat 1: draws 1"]


def test_cards_can_lie_in_slots_or_be_tallied():
    assert lines(Pile("slots", name=name_words), slots=[[-1, 0], [2, -1]]) == ["seat 1: slots + Ant", "seat 2: slots + Cat"]
    stock = Pile("stock", name=name_words, tallied=True)
    assert lines(stock, before={"stock": [[2, 0, 1], [0] * 3]}, stock=[[0, 1, 1], [0] * 3]) == [
        "seat 1: stock + Bee; stock - 2x Ant"
    ]


def test_all_that_concerns_an_owner_is_in_one_line_in_the_order_of_the_parts():
    def report(change):
        yield "seat 2", f"has lost {-change.gain('health', 1)}"
        yield "", "night falls"

    after = {"health": [7, 4], "wounds": [[1, 0], [0, 0]]}
    assert lines(report, Rise("wounds"), Value("health"), before={"health": [8, 5]}, **after) == [
        "seat 2: has lost 1; health 5 -> 4",
        "night falls",
        "seat 1: wounds +1; health 8 -> 7",
    ]


def test_a_game_without_declared_parts_reports_its_counts():
    facts = (
        Fact("health", np.int16, (2,), "Health"),
        Fact("wounds", np.int16, (2, 2), "Wounds", parts=("fire", "frost")),
        Fact("mood", np.int8, (), "Mood", per="game", kind="category"),
    )
    before, after = np.zeros(2, STATE)
    after["health"], after["wounds"], after["mood"] = [0, -2], [[1, 2], [0, 0]], 1
    words = PlainWords(Document(()), facts, Mood)
    assert words.events(before, after, None) == ["seat 2: health -2", "seat 1: wounds +3"]
    declared = PlainWords(Document(()), facts, Mood, (Value("mood", words=Mood),))
    assert declared.events(before, after, None) == ["mood calm -> very cross"]
