"""Card files of Rookling Heroes damaged in some 2,000 ways: compiled, or refused with the path of the field; nothing else."""

import copy
import re
import time
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.engine.cards import CardError, CardSet, numeric_fields, read_document
from sim.games.rookling.cards import REFERENCE, cautions, from_document, load
from sim.games.rookling.teams import part_names_of, teams_of

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

_TEXT = REFERENCE.read_text(encoding="utf-8")
_DOCUMENT = read_document(None, REFERENCE)[0]


def _containers(node: Any) -> list[Any]:
    """All tables and lists of a document that hold something."""
    inner = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    return ([node] if inner else []) + [found for child in inner for found in _containers(child)]


def _mutate(draw: st.DrawFn, document: dict[str, Any]) -> None:
    """Damage one place of a document."""
    containers = _containers(document)
    container = containers[draw(st.integers(0, len(containers) - 1))]
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    key, other = (keys[draw(st.integers(0, len(keys) - 1))] for _ in range(2))
    match draw(st.sampled_from(["set", "nudge", "delete", "add", "swap", "duplicate"])):
        case "set":
            container[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        case "nudge" if isinstance(container[key], int):
            container[key] += draw(st.sampled_from([-1, 1, 5]))
        case "delete":
            del container[key]
        case "add" if isinstance(container, dict):
            container[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(st.sampled_from(VALUES)))
        case "swap":
            container[key], container[other] = container[other], container[key]
        case "duplicate" if isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        case _:
            container[key] = copy.deepcopy(container[other])


@st.composite
def mutations(draw: st.DrawFn) -> dict[str, Any]:
    """Documents one to three changes away from the reference set."""
    document = copy.deepcopy(_DOCUMENT)
    for _ in range(draw(st.integers(1, 3))):
        _mutate(draw, document)
    return document


@st.composite
def mutated_files(draw: st.DrawFn) -> bytes:
    """The bytes of the reference file with a line missing, doubled or moved, cut short, or with strange bytes in it."""
    lines = _TEXT.splitlines(keepends=True)
    line, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(["cut", "delete", "double", "move", "bytes"])):
        case "cut":
            return _TEXT.encode()[: draw(st.integers(0, len(_TEXT.encode())))]
        case "delete":
            del lines[line]
        case "double":
            lines.insert(other, lines[line])
        case "move":
            lines.insert(other, lines.pop(line))
        case _:
            content = _TEXT.encode()
            at = draw(st.integers(0, len(content)))
            return content[:at] + draw(st.binary(min_size=1, max_size=4)) + content[at + draw(st.integers(0, 4)) :]
    return "".join(lines).encode()


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
