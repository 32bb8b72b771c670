"""What a seat can see of texts about a game with hidden cards.

The words and pictures of a game show all of a position. What a seat cannot see differs between samples of it (`resample_hidden`):
a text keeps the words that it has in common with the same text about each sample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from analysis.replay.narrate import decision_words, event_words, picture_lines
from sim.live import LiveGame

SAMPLES = 6
HIDDEN = "?"  # in place of words that a seat cannot know
_PARTS = re.compile(r"\s+|;|[^\s;]+")


class View:
    """The texts of a game as one seat can see them."""

    def __init__(self, live: LiveGame, seat: int) -> None:
        self.live, self.seat, self.experiment = live, seat, live.experiment

    def picture(self, position: np.void) -> list[str]:
        """Lines of the picture of a position."""
        lines, *others = self._texts(position, lambda one: picture_lines(self.experiment, one))
        drawn = [in_common(line, [counterpart(lines, at, other) for other in others], True) for at, line in enumerate(lines)]
        return [line.rstrip() for line in drawn if line.strip() != HIDDEN]  # without lines that are hidden as a whole

    def decision(self, position: np.void, action: int) -> str:
        """A decision in words."""
        words, *others = self._texts(position, lambda one: decision_words(self.experiment, one, action))
        return in_common(words, others)

    def events(self, before: np.void, after: np.void) -> list[str]:
        """What happened between two positions."""
        lines = event_words(self.experiment, before, after)
        if not lines or not self.experiment.game.hidden:
            return lines
        samples = zip(*(self.live.seen(one, self.seat, SAMPLES) for one in (before, after)), strict=True)
        others = [event_words(self.experiment, *pair) for pair in samples]
        return [in_common(line, [of_owner(line, other) for other in others]) for line in lines]

    def _texts(self, position: np.void, text_of: Callable[[np.void], Any]) -> list[Any]:
        """The text about a position, and about samples of it in which what the seat cannot see differs."""
        if not self.experiment.game.hidden:
            return [text_of(position)]
        return [text_of(one) for one in (position, *self.live.seen(position, self.seat, SAMPLES))]


def in_common(text: str, others: Sequence[str], pad: bool = False) -> str:
    """A text with HIDDEN in place of the words that some of the others lack. pad: keep its length, for pictures."""
    words = _PARTS.findall(text)
    common = [True] * len(words)
    for other in others:
        blocks = SequenceMatcher(None, words, _PARTS.findall(other), autojunk=False).get_matching_blocks()
        matched = {at for block in blocks for at in range(block.a, block.a + block.size)}
        common = [known and at in matched for at, known in enumerate(common)]
    for at in range(1, len(words) - 1):  # blanks between hidden words belong to them
        if words[at].isspace() and not common[at - 1] and not common[at + 1]:
            common[at] = False
    parts: list[str] = []
    for at, word in enumerate(words):
        if common[at]:
            parts.append(word)
        elif at == 0 or common[at - 1]:
            parts.append(HIDDEN + " " * (len(word) - 1) * pad)
        elif pad:
            parts.append(" " * len(word))
    return "".join(parts)


def of_owner(line: str, others: Sequence[str]) -> str:
    """The line of another story about the owner of a line; empty if there is none."""
    owner = line.partition(": ")[0]
    return next((other for other in others if other.partition(": ")[0] == owner), "")


def counterpart(lines: Sequence[str], at: int, others: Sequence[str]) -> str:
    """The line of another text in the place of line `at`; empty if there is none."""
    for kind, start, end, first, last in SequenceMatcher(None, lines, others, autojunk=False).get_opcodes():
        if start <= at < end:
            place = first + at - start
            return "" if kind == "delete" or place >= last else others[place]
    return ""
