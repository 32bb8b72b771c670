"""Card files damaged in some 2,000 ways: compiled, or refused with the path of the field; never anything else."""

from pathlib import Path
from typing import Any

from sim.engine.cards import CardSet, numeric_fields
from sim.games.arena.cards import from_document, load
from tests.games.arena.mutations import mutated_files, mutations
from tests.games.spoiling import LONGER_LINE, Reader

_READER = Reader(load, from_document, LONGER_LINE)


def assert_sound(got: CardSet, document: dict[str, Any]) -> None:
    """What every compiled file is."""
    assert got.record[0]["heroes"] == len(document["hero"]) == len(got.ids)
    assert len(got.provenance) == len(numeric_fields(document))


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    assert _READER.read_documents(mutations(), 1_600, assert_sound) > 200


def test_a_spoiled_file_is_compiled_or_refused_with_its_name(tmp_path: Path):
    assert _READER.read_files(mutated_files(), 600, tmp_path / "cards.toml") > 0
