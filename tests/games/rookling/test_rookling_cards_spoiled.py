"""Card files of Rookling Heroes damaged in some 2,000 ways: compiled, or refused with the path of the field; nothing else."""

from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, numeric_fields
from sim.games.rookling.cards import REFERENCE, cautions, from_document, load
from sim.games.rookling.teams import part_names_of, teams_of
from tests.games.spoiling import LONGER_LINE, Reader, Spoiling

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 13, 16, 64, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "attack", "special", "any", "grey", "red", "frozen", "tunnel", "draft", "rime", "any_own", "trigger"),
    *("a\nb", "x" * 200, "é", "rulebook"),
    *([], [1], [1, 2], [9] * 9, ["red", "red"], [[0]], {}, {"do": "draw", "n": 1}, [{"op": "damage", "n": 1}]),
    *([{"do": "heal", "scope": "self", "n": 2}], {"amount": 3}, {"value": 2}, {"id": "x"}),
]
KEYS = [
    *("amount", "value", "siege", "life", "match_colour", "match_bonus", "effects", "do", "op", "n", "token", "id"),
    *("source", "name", "fixed", "supply", "red", "amuont", "a b", "", "é.x"),
]

_READER = Reader(load, from_document, LONGER_LINE)
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def assert_sound(got: CardSet, document: dict[str, Any]) -> None:
    """What every compiled file is."""
    made = got.record[0]
    assert made["squads"] == comb(len(document["rookling"]), 3) == len(got.ids) == len(part_names_of(got))
    assert len(got.provenance) == len(numeric_fields(document))
    assert np.isfinite(made["worth"]).all()
    assert (made["life"][: made["rooklings"]] <= made["heal_cap"]).all()
    assert teams_of(got).parts == made["rooklings"]
    assert all(caution.isprintable() for caution in cautions(got))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), 1_600, assert_sound) > 200


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), 500, tmp_path / "cards.toml") > 0
