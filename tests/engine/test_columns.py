"""The columns of a CARDS record derive from the schema of the card file, and are written from a valid file."""

from enum import IntEnum
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
import pytest
from pydantic import Field, ValidationError

from sim.engine.cardfiles.columns import Apart, ByTag, Column, Numbered, RowCount, Word, columns, write_columns
from sim.engine.cards import (
    CardError,
    CardFile,
    CardFormat,
    CardModel,
    Identifier,
    RuleSwitches,
    Source,
    Text,
    effect_model,
    one_of,
)


class Order(IntEnum):
    """A switch."""

    FIRST = 0
    LAST = 1


class Kind(IntEnum):
    """Kinds of lines."""

    PUSH = 1
    PULL = 2


class Slow(CardModel):
    """An effect with one parameter."""

    ON: ClassVar[tuple[str, ...]] = ("push",)
    op: Literal["slow"]
    n: Annotated[int, Field(ge=1, le=6)]


class Summon(CardModel):
    """An effect with two, one under another name."""

    ON: ClassVar[tuple[str, ...]] = ("push", "pull")
    op: Literal["summon"]
    count: Annotated[int, Field(ge=1, le=6)]
    far: Annotated[int, Field(ge=1, le=6), Column("reach", np.int64)]


class Wild(CardModel):
    """An effect without parameters."""

    ON: ClassVar[tuple[str, ...]] = ("pull",)
    op: Literal["wild"]


class Odd(CardModel):
    """An effect that a game compiles itself."""

    ON: ClassVar[tuple[str, ...]] = ("push", "pull")
    op: Literal["odd"]
    n: Annotated[int, Field(ge=1, le=6)]


Effects = Annotated[list[Annotated[Slow | Summon | Wild | Odd, Field(discriminator="op")]], Field(max_length=4)]


class Push(CardModel):
    """A line."""

    kind: Annotated[Literal["push"], Numbered(Kind)]
    power: Annotated[list[Annotated[int, Field(ge=0, le=300)]], Field(max_length=3)]
    effects: Annotated[Effects, ByTag("op", kind="push", apart=("odd",))] = Field(default_factory=list)


class Pull(CardModel):
    """Another; its effects count for the whole card."""

    kind: Annotated[Literal["pull"], Numbered(Kind)]
    effects: Annotated[Effects, ByTag("op", kind="pull", up=1, apart=("odd", "summon"))] = Field(default_factory=list)


class Card(CardModel):
    """A card."""

    id: Identifier
    name: Text
    ready: bool = False
    line: Annotated[list[Annotated[Push | Pull, Field(discriminator="kind")]], Field(max_length=2)]
    source: Source = None


class Rules(RuleSwitches):
    """Numbers and switches."""

    CONSTANTS: ClassVar[frozenset[str]] = frozenset({"length"})
    length: Annotated[int, Field(ge=1, le=400)] = 20
    order: Annotated[Order, Word()] = Order.FIRST
    unused: Annotated[int, Field(ge=1, le=9), Apart()] = 1


class File(CardFile):
    """The whole file."""

    ENTRANTS: ClassVar[str] = "card"
    rules: Rules = Rules()
    card: Annotated[list[Card], Field(min_length=1, max_length=5), RowCount("cards")]


RECORD = np.dtype([*columns(File), ("all", np.int16)])
DOCUMENT = {
    "game": "made_up",
    "format": 1,
    "rules": {"length": 30, "order": "last", "source": "assumed"},
    "card": [
        {"id": "one", "name": "One", "line": [], "source": "assumed"},
        {
            "id": "two",
            "name": "Two",
            "ready": True,
            "line": [
                {"kind": "pull", "effects": [{"op": "wild"}]},
                {
                    "kind": "push",
                    "power": [300, 2],
                    "effects": [{"op": "slow", "n": 2}, {"op": "summon", "count": 3, "far": 4}, {"op": "odd", "n": 5}],
                },
            ],
            "source": "assumed",
        },
    ],
}


def derive(record: np.void, file: File) -> None:
    """Write what the schema does not determine."""
    record["all"] = len(file.card)


FORMAT = CardFormat(File, RECORD, Path("none"), derive)


def test_names_types_and_shapes_follow_from_the_schema():
    assert columns(File) == [
        ("length", np.int16, ()),
        ("order", np.int8, ()),
        ("cards", np.int16, ()),
        ("ready", np.uint8, (5,)),
        ("kind", np.int8, (5, 2)),
        ("power", np.int16, (5, 2, 3)),
        ("slow", np.int8, (5, 2)),
        ("summon_count", np.int8, (5, 2)),
        ("reach", np.int64, (5, 2)),
        ("wild", np.int8, (5,)),
    ]


def test_a_file_is_written_to_its_columns():
    file = File.model_validate(DOCUMENT)
    record = FORMAT.compiled(file)[0]
    assert (record["length"], record["order"], record["cards"], record["all"]) == (30, Order.LAST, 2, 2)
    assert record["ready"].tolist() == [0, 1, 0, 0, 0]
    assert record["kind"][1].tolist() == [Kind.PULL, Kind.PUSH]
    assert record["power"][1].tolist() == [[0, 0, 0], [300, 2, 0]]
    assert (record["slow"][1, 1], record["summon_count"][1, 1], record["reach"][1, 1]) == (2, 3, 4)
    assert record["wild"].tolist() == [0, 1, 0, 0, 0]
    again = np.zeros(1, RECORD)
    write_columns(again[0], file)
    assert again[0]["all"] == 0


def test_entrants_and_switches_are_those_of_the_file():
    file = File.model_validate(DOCUMENT)
    assert file.entrants() == {"one": "One", "two": "Two"}
    assert file.switches() == {"order": "last", "unused": 1}


def test_a_switch_that_is_no_word_of_its_enum_is_refused_with_the_choices(tmp_path: Path):
    reference = tmp_path / "cards.toml"
    reference.write_text('game = "made_up"', encoding="utf-8")
    wrong = DOCUMENT | {"rules": {"order": "middle"}}
    with pytest.raises(CardError, match=r'rules.order = "middle": is not one of the choices; must be one of "first", "last"'):
        CardFormat(File, RECORD, reference, derive).from_document(wrong)


def test_two_fields_cannot_claim_one_column_in_different_ways():
    class Other(File):
        slow: Annotated[int, Field(ge=0, le=9)] = 0

    with pytest.raises(ValueError, match="column 'slow'"):
        columns(Other)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (int, r"Loose.loose: a number that is compiled needs ge and le, as in .*; if kernels do not read it, write .*Apart\(\)"),
        (
            list[int],
            r"Loose.loose: a list that is compiled needs a max_length, as in .*; if kernels do not read it, write .*Apart",
        ),
    ],
)
def test_a_number_without_limits_is_no_column(annotation: type, message: str):
    class Loose(File):
        loose: annotation = 0

    with pytest.raises(ValueError, match=message):
        columns(Loose)


@pytest.mark.parametrize("annotation", [list[Literal["fast", "token"]], Annotated[list[int], Apart], Annotated[int, Apart()]])
def test_words_and_what_is_marked_apart_have_no_column_and_need_no_limits(annotation: type):
    class Loose(File):
        loose: annotation = 0

    assert columns(Loose) == columns(File)


def test_effects_declared_in_a_table_are_models_with_columns():
    small = Annotated[int, Field(ge=1, le=6)]
    declared = (
        effect_model("slow", "Slows.", ("push",), n=small),
        effect_model("summon", "Adds pieces.", ("push", "pull"), count=(small, 2), far=small),
        effect_model("wild", "Does anything.", ("pull",)),
    )

    class Line(CardModel):
        effects: Annotated[list[one_of(declared)], Field(max_length=3), ByTag("op", kind="push")]  # type: ignore[valid-type]

    kept = [("slow", np.int8, (4,)), ("summon_count", np.int8, (4,)), ("summon_far", np.int8, (4,))]
    assert columns(Line, shape=(4,)) == kept
    record = np.zeros(1, np.dtype(kept))[0]
    write_columns(record, Line.model_validate({"effects": [{"op": "summon", "far": 3}, {"op": "wild"}]}), (1,))
    assert (record["summon_count"][1], record["summon_far"][1], record["slow"][1]) == (2, 3, 0)
    assert declared[1].__doc__ == "Adds pieces."
    for wrong in ({"op": "slow", "n": 7}, {"op": "slow"}, {"op": "fast"}, {"op": "wild", "n": 1}):
        with pytest.raises(ValidationError):
            Line.model_validate({"effects": [wrong]})
