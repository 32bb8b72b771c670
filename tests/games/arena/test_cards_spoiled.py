"""Card files damaged in some 2,000 ways: compiled, or refused with the path of the field; never anything else."""

import copy
import re
import time
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from sim.engine.cards import CardError, CardSet, numeric_fields
from sim.games.arena.cards import from_document, load
from tests.games.arena.mutations import mutated_files, mutations

LINE = re.compile(r'^cards\.toml: ([\w-]|"[^"]*")+([\w.\[\]-]|"[^"]*")*( = .+)?: [^:]+')
SECONDS = 2.0  # far above the few milliseconds it takes: says "does not hang"


def outcome(source: dict[str, Any] | Path) -> CardSet | list[str]:
    """The card set of a document or file, or the lines of the refusal; either within the time."""
    started = time.perf_counter()
    try:
        return load(source) if isinstance(source, Path) else from_document(source, "cards.toml")
    except CardError as error:
        return str(error).splitlines()
    finally:
        assert time.perf_counter() - started < SECONDS


@settings(max_examples=1_600, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(mutations())
def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field(document):
    before = copy.deepcopy(document)
    got = outcome(document)
    if isinstance(got, CardSet):
        assert got.record[0]["heroes"] == len(document["hero"]) == len(got.ids)
        assert len(got.provenance) == len(numeric_fields(document))
    else:
        assert got
        assert [line for line in got if not LINE.match(line)] == []
        assert all(line.isprintable() for line in got)
    assert repr(document) == repr(before)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(content=mutated_files())
def test_a_spoiled_file_is_compiled_or_refused_with_its_name(content, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "cards.toml"
    file.write_bytes(content)
    got = outcome(file)
    if isinstance(got, CardSet):
        assert got.record.shape == (1,)
    else:
        assert [line for line in got if not line.startswith(f"{file}: ") or not line.isprintable()] == []
