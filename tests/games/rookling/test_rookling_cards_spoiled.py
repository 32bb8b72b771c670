"""Card files of Rookling Heroes damaged in some 2,000 ways: compiled, or refused with the path of the field; nothing else."""

import copy
import re
import time
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings

from sim.engine.cards import CardError, CardSet, numeric_fields, read_document
from sim.games.rookling.cards import REFERENCE, cautions, from_document, load
from sim.games.rookling.teams import part_names_of, teams_of
from tests.games.spoiling import Spoiling

LINE = re.compile(
    r'^cards\.toml: ([\w-]|"[^"]*")+([\w.\[\]-]|"[^"]*")*( = .+)?: [^:]+|^cards\.toml: and \d+ more problems$'
)
SECONDS = 2.0  # far above the ten milliseconds it takes: says "does not hang"
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

_DOCUMENT = read_document(None, REFERENCE)[0]
_SPOILING = Spoiling(REFERENCE, VALUES, KEYS)
mutations, mutated_files = _SPOILING.mutations, _SPOILING.mutated_files


def outcome(source: dict[str, Any] | Path) -> CardSet | list[str]:
    """The card set of a document or file, or the lines of the refusal; either within the time."""
    started = time.perf_counter()
    try:
        return load(source) if isinstance(source, Path) else from_document(source, "cards.toml")
    except CardError as error:
        return str(error).splitlines()
    finally:
        assert time.perf_counter() - started < SECONDS


def test_a_spoiled_document_is_compiled_or_refused_with_the_path_of_the_field():
    compiled = []

    @settings(max_examples=1_600, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(mutations())
    def check(document):
        before = copy.deepcopy(document)
        got = outcome(document)
        if isinstance(got, CardSet):
            compiled.append(got)
            made = got.record[0]
            assert made["squads"] == comb(len(document["rookling"]), 3) == len(got.ids) == len(part_names_of(got))
            assert len(got.provenance) == len(numeric_fields(document))
            assert np.isfinite(made["worth"]).all()
            assert (made["life"][: made["rooklings"]] <= made["heal_cap"]).all()
            assert teams_of(got).parts == made["rooklings"]
            assert all(caution.isprintable() for caution in cautions(got))
        else:
            assert got
            assert [line for line in got if not LINE.match(line) or not line.isprintable()] == []
        assert repr(document) == repr(before)

    check()
    assert len(compiled) > 200


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(content=mutated_files())
def test_a_spoiled_file_is_compiled_or_refused_with_its_name(content, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "cards.toml"
    file.write_bytes(content)
    got = outcome(file)
    if isinstance(got, CardSet):
        assert got.record.shape == (1,)
    else:
        assert [line for line in got if not line.startswith(f"{file}: ") or not line.isprintable()] == []
