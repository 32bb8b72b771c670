"""Spoiled card files of the Arena: hypothesis strategies that damage the reference set as an editing designer might."""

import copy
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from sim.engine.cards import read_document
from sim.games.arena.cards import REFERENCE

VALUES: list[Any] = [
    *(-1, 0, 1, 2, 3, 5, 7, 12, 13, 64, 401, 10**30, 0.5, 3.0, float("nan"), True, False),
    *("", "3", "attack", "passive", "pull", "area", "pit", "rhino_guy", "always", "assumed", "a\nb", "x" * 200, "é"),
    *([], [1], [1, 2], [0, 0], [3, 2, 1], [9, 9, 9], [[0, 0]], {}, {"op": "pull"}, {"op": "summon", "count": 1}),
    *([{"op": "area"}, {"op": "pull"}], {"id": "x"}, "rulebook", "standard"),
]
KEYS = [
    "mvoe",
    "move",
    "range",
    "id",
    "op",
    "kind",
    "source",
    "effects",
    "rage_cap",
    "holes",
    "board",
    "a b",
    "",
    "é.x",
]

_TEXT = REFERENCE.read_text(encoding="utf-8")
_DOCUMENT = read_document(None, Path(REFERENCE))[0]


def _containers(node: Any) -> list[Any]:
    """All tables and lists of a document that hold something."""
    inner = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    return ([node] if inner else []) + [found for child in inner for found in _containers(child)]


def _mutate(draw: st.DrawFn, document: dict[str, Any]) -> None:
    """Damage one place of a document."""
    containers = _containers(document)
    if not containers:
        return
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
    """Documents one to three changes away from the reference set; about one in four is still a valid card file."""
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
