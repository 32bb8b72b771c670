"""Spoiled card files of any game: a reference set damaged as an editing designer might, and what must become of it."""

import copy
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.engine.cards import CardError, CardSet, numeric_fields, read_document

_PATH = r'^cards\.toml: ([\w-]|"[^"]*")+([\w.\[\]-]|"[^"]*")*( = .+)?: [^:]+'  # file, path of the field, what is wrong
_MORE = r"^cards\.toml: and \d+ more problems$"
LINE = re.compile(f"{_PATH}(: [^:]+)?$|{_MORE}")  # of a refusal
LONGER_LINE = re.compile(f"{_PATH}|{_MORE}")  # of games whose messages hold colons
SECONDS = 2.0  # of the processor, far above the 30 milliseconds it takes: on busy machines the clock says nothing


@dataclass(frozen=True)
class Spoiling:
    """Damage to the reference set of a game: values and keys that are put in where they may or may not belong."""

    reference: Path
    values: list[Any]
    keys: list[str]

    def mutations(self) -> st.SearchStrategy[dict[str, Any]]:
        """Documents one to three changes away from the reference set."""
        return _mutations(self, read_document(None, self.reference)[0])

    def mutated_files(self) -> st.SearchStrategy[bytes]:
        """The bytes of the reference file with a line missing, doubled or moved, cut short, or with strange bytes in it."""
        return _mutated_files(self.reference.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Reader:
    """How a game reads card files. line: what every line of a refusal looks like."""

    load: Callable[[Path], CardSet]
    from_document: Callable[[dict[str, Any], str], CardSet]
    line: re.Pattern[str] = LINE

    def outcome(self, source: dict[str, Any] | Path) -> CardSet | list[str]:
        """The card set of a document or file, or the lines of the refusal; either within the time."""
        started = time.thread_time()
        try:
            return self.load(source) if isinstance(source, Path) else self.from_document(source, "cards.toml")
        except CardError as error:
            return str(error).splitlines()
        finally:
            assert time.thread_time() - started < SECONDS, "takes too long"

    def read_documents(
        self, spoiled: st.SearchStrategy[dict[str, Any]], examples: int, assert_sound: Callable[[CardSet, dict[str, Any]], None]
    ) -> int:
        """Spoiled documents are compiled, or refused with the path of the field, and left as they are.

        assert_sound: what every compiled one is. Returns how many were compiled.
        """
        compiled = 0

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(spoiled)
        def check(document: dict[str, Any]) -> None:
            nonlocal compiled
            before = copy.deepcopy(document)
            got = self.outcome(document)
            if isinstance(got, CardSet):
                compiled += 1
                assert len(got.provenance) == len(numeric_fields(document))
                assert_sound(got, document)
            else:
                wrong = [line for line in got if not self.line.match(line) or not line.isprintable()]
                assert got, "refused without a word"
                assert not wrong, f"no lines of a refusal: {wrong}"
            assert repr(document) == repr(before), "the document was changed"

        check()
        return compiled

    def read_files(self, spoiled: st.SearchStrategy[bytes], examples: int, file: Path) -> int:
        """Spoiled files, written one after another, are compiled, or refused with their name. Returns how many were compiled."""
        compiled = 0

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(spoiled)
        def check(content: bytes) -> None:
            nonlocal compiled
            file.write_bytes(content)
            got = self.outcome(file)
            if isinstance(got, CardSet):
                compiled += 1
                assert got.record.shape == (1,)
            else:
                wrong = [line for line in got if not line.startswith(f"{file}: ") or not line.isprintable()]
                assert not wrong, f"no lines of a refusal: {wrong}"

        check()
        return compiled


def played_if_valid(
    read: Callable[[dict[str, Any], str], CardSet],
    spoiled: st.SearchStrategy[dict[str, Any]],
    examples: int,
    play: Callable[[CardSet, int], object],
) -> int:
    """Each spoiled document is refused, or its games are played. play: given the card set and the number played before.

    Returns how many were played.
    """
    played = 0

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(spoiled)
    def check(document: dict[str, Any]) -> None:
        nonlocal played
        try:
            cards = read(document, "cards.toml")
        except CardError:
            return
        play(cards, played)
        played += 1

    check()
    return played


def _containers(node: Any) -> list[Any]:
    """All tables and lists of a document that hold something."""
    inner = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    return ([node] if inner else []) + [found for child in inner for found in _containers(child)]


def _mutate(draw: st.DrawFn, spoiling: Spoiling, document: dict[str, Any]) -> None:
    """Damage one place of a document."""
    containers = _containers(document)
    if not containers:
        return
    container = containers[draw(st.integers(0, len(containers) - 1))]
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    key, other = (keys[draw(st.integers(0, len(keys) - 1))] for _ in range(2))
    match draw(st.sampled_from(["set", "nudge", "delete", "add", "swap", "duplicate"])):
        case "set":
            container[key] = copy.deepcopy(draw(st.sampled_from(spoiling.values)))
        case "nudge" if isinstance(container[key], int):
            container[key] += draw(st.sampled_from([-1, 1, 5]))
        case "delete":
            del container[key]
        case "add" if isinstance(container, dict):
            container[draw(st.sampled_from(spoiling.keys))] = copy.deepcopy(draw(st.sampled_from(spoiling.values)))
        case "swap":
            container[key], container[other] = container[other], container[key]
        case "duplicate" if isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        case _:
            container[key] = copy.deepcopy(container[other])


@st.composite
def _mutations(draw: st.DrawFn, spoiling: Spoiling, reference: dict[str, Any]) -> dict[str, Any]:
    document = copy.deepcopy(reference)
    for _ in range(draw(st.integers(1, 3))):
        _mutate(draw, spoiling, document)
    return document


@st.composite
def _mutated_files(draw: st.DrawFn, text: str) -> bytes:
    lines = text.splitlines(keepends=True)
    line, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(["cut", "delete", "double", "move", "bytes"])):
        case "cut":
            return text.encode()[: draw(st.integers(0, len(text.encode())))]
        case "delete":
            del lines[line]
        case "double":
            lines.insert(other, lines[line])
        case "move":
            lines.insert(other, lines.pop(line))
        case _:
            content = text.encode()
            at = draw(st.integers(0, len(content)))
            return content[:at] + draw(st.binary(min_size=1, max_size=4)) + content[at + draw(st.integers(0, 4)) :]
    return "".join(lines).encode()
