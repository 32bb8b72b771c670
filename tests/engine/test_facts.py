"""Facts are declared once: fields, measures and documentation derive from the table, and the engine copies them."""

from dataclasses import replace
from enum import IntEnum

import numpy as np
import pytest

from sim.engine.contract import Game, offer
from sim.engine.facts import Fact, copy_facts, documented, held, measures_of, outcome_of, words
from sim.engine.jit import kernel

SEATS = 2


class Cause(IntEnum):
    """Two words."""

    NOT_YET = 0
    FALL = 1


FACTS = (
    Fact("hits", np.int32, (SEATS, 3), "Hits", "hits", parts=("low", "middle", "high")),
    Fact("mean", np.float32, (SEATS,), "Mean", "hits", "number", derived=True),
    Fact("steps", np.int16, (SEATS,), "Steps", "steps", held=(5,)),
    Fact("cause", np.int8, (SEATS,), "Cause", kind="category", categories=words(Cause), meaning="of the end"),
    Fact("rounds", np.int8, (), "Rounds", "rounds", per="game"),
    Fact("silent", np.int8, ()),
    Fact("grid", np.int16, (SEATS, 4), held=(SEATS, 2, 2)),
    Fact("finished", np.int8, (), source=("turn",)),
    Fact("pushed", np.int16, (SEATS, 3), source=("moved", 1), order="member"),
    Fact("drawn", np.int32, (SEATS, 6), held=(6, 2), order="member"),
)
STATE = np.dtype(
    [
        ("turn", np.int8),
        ("seats", np.int8),
        *held(FACTS),
        ("made_up_for_facts", np.int64),
        ("member", np.int8, (SEATS, 3)),
        ("moved", np.int16, (SEATS, 3, 2)),
    ],
    align=True,
)
OUTCOME = outcome_of(FACTS)


@kernel
def copied(states, outcomes):
    """Copy the facts of the first state."""
    copy_facts(states[0], outcomes[0])


def test_state_and_outcome_have_the_fields_of_the_table():
    assert [name for name, _, _ in held(FACTS)] == ["hits", "steps", "cause", "rounds", "silent", "grid", "drawn"]
    assert STATE["steps"].shape == (5,)
    assert OUTCOME.names == tuple(fact.name for fact in FACTS)
    assert OUTCOME["steps"].shape == (SEATS,)


@pytest.mark.compiles
def test_what_the_state_holds_is_copied_and_nothing_else(coin_duel: Game):
    offer(replace(coin_duel, name="facts", state=STATE, outcome=OUTCOME, facts=FACTS, hidden=()))
    states, outcomes = np.zeros(1, STATE), np.zeros(1, OUTCOME)
    states[0]["hits"], states[0]["steps"], states[0]["cause"] = [[1, 2, 3], [4, 5, 6]], range(5), 1
    states[0]["rounds"], states[0]["silent"], states[0]["made_up_for_facts"] = 7, 8, -1
    states[0]["grid"], states[0]["turn"] = np.arange(8).reshape(2, 2, 2), 9
    states[0]["member"], states[0]["moved"] = [[2, 0, 1], [0, 2, 1]], np.arange(12).reshape(2, 3, 2)
    states[0]["drawn"] = np.arange(12).reshape(6, 2)
    copied(states, outcomes)
    outcome = outcomes[0]
    assert outcome["hits"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert outcome["steps"].tolist() == [0, 1]
    assert (outcome["cause"].tolist(), outcome["rounds"], outcome["silent"]) == ([1, 1], 7, 8)
    assert outcome["grid"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert outcome["finished"] == 9
    assert outcome["pushed"].tolist() == [[3, 5, 1], [7, 11, 9]]  # row 0 goes to place 2, row 1 to place 0, row 2 to place 1
    assert outcome["drawn"].tolist() == [[2, 3, 4, 5, 0, 1], [6, 7, 10, 11, 8, 9]]
    assert not outcome["mean"].any()
    plain = np.zeros(1, OUTCOME)
    copy_facts(states[0], plain[0])
    assert plain.tobytes() == outcomes.tobytes()


def test_measures_are_those_of_facts_with_a_label():
    measures = measures_of(FACTS)
    assert [measure.field for measure in measures] == ["hits", "mean", "steps", "cause", "rounds"]
    assert measures[3].categories == ("not yet", "fall")
    assert measures[4].per == "game"


def test_measures_whose_parts_the_cards_name(coin_duel: Game):
    ids = Fact("kills", np.int8, (SEATS, 2), "Kills", by_cards=lambda cards: cards.ids[:2])
    cause = Fact("killer", np.int8, (SEATS,), "Killer", kind="category", by_cards=lambda cards: ("none", *cards.ids))
    cards = coin_duel.load(None)
    assert measures_of((*FACTS, ids, cause)) == measures_of(FACTS)
    assert [(one.field, one.parts, one.categories) for one in measures_of((*FACTS, ids, cause), cards)] == [
        ("kills", cards.ids[:2], ()),
        ("killer", (), ("none", *cards.ids)),
    ]
    assert documented((ids,))[2] == "| `kills` | Kills |  | seat, parts by cards |  |"


def test_the_table_of_a_readme():
    assert documented(FACTS)[2] == "| `hits` | Hits | hits | seat, 3 parts | low, middle, high |"
    assert documented(FACTS)[5] == "| `cause` | Cause |  | seat | of the end; not yet, fall |"


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ((*FACTS, Fact("gone", np.int8, ())), "fact 'gone': must be a field int8 of OUTCOME"),
        ((replace(FACTS[2], held=(4,)),), "fact 'steps': must be a field .*4.* of STATE"),
        ((replace(FACTS[0], type=np.int16),), "fact 'hits': must be a field .*i2.* of OUTCOME"),
        ((replace(FACTS[1], derived=False),), "fact 'mean': must be a field .* of STATE"),
        ((replace(FACTS[7], source=("nowhere",)),), "fact 'finished': must be of the type of a field 'nowhere' of STATE"),
    ],
)
def test_a_game_whose_records_lack_a_fact_is_refused(coin_duel: Game, facts: tuple[Fact, ...], message: str):
    with pytest.raises(ValueError, match=message):
        offer(replace(coin_duel, name="lacking", state=STATE, outcome=OUTCOME, facts=facts, hidden=()))
