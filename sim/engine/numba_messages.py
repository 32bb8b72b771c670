"""numba's messages on a kernel that does not compile, in one line."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import shorten

from sim.engine.sources import is_of_game

_PLACE = re.compile(r"(?:During: .* at|.*Raised from) (?P<file>.+\.py) \((?P<line>\d+)\)")
_VERB = "in function 'verb.<locals>.Verb.generic'"  # what numba says of a verb whose kernel does not compile; its reasons follow
_REJECTED = "Rejected as the implementation raised a specific error:"
_NO_REASON = ("Failed in nopython mode", "TypingError: Failed in nopython mode", "- Resolution failure", "During:")
_ALLOCATION = ("Only accept returning of array", "NRT required")  # numba's words for a kernel that allocates
_RECORD = re.compile(r"Record\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)")  # a type with all of its fields
_LITERAL = re.compile(r"Literal\[\w+\]\((.*?)\)")  # a type of one value
_NOTHING = re.compile(r"\(none\b|, none\b")  # an argument of numba's type of None
_REASON_MAX = 300  # characters


def in_short(message: str) -> str:
    """What numba says of a kernel: its innermost reason, and the innermost place, in the game's own sources if there is one."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    places = [(index, found) for index, line in enumerate(lines) if (found := _PLACE.fullmatch(line))]
    places = [(index, found) for index, found in places if "numba" not in Path(found["file"]).parts]
    innermost = places[0][0] + 1 if places else len(lines)
    lines = [line for line in _below_verbs(lines[:innermost]) if not line.startswith(_NO_REASON)]
    reason = lines[0] if lines else message
    if reason.endswith("found for signature:") and len(lines) > 1:
        reason = f"no implementation of {lines[1].removeprefix('>>> ')}"
    reason = _LITERAL.sub(r"\1", _RECORD.sub("Record", reason.partition(" Raised from ")[0]))
    of_game = [found for _, found in places if is_of_game(found["file"])] or [found for _, found in places]
    place = f" ({of_game[0]['file']}, line {of_game[0]['line']})" if of_game else ""
    hint = "; kernels cannot make new arrays, lists or texts" if any(word in message for word in _ALLOCATION) else ""
    if _NOTHING.search(reason):
        hint += "; a kernel seems to return nothing: `fairfight check GAME` names it"
    return f"{shorten(reason, _REASON_MAX, placeholder=' ...')}{place}{hint}"


def _below_verbs(lines: list[str]) -> list[str]:
    """What numba says of the innermost verb whose kernel does not compile; all lines if there is none."""
    verbs = [index for index, line in enumerate(lines) if _VERB in line]
    reasons = [index + 1 for index, line in enumerate(lines) if verbs and index > verbs[-1] and line == _REJECTED]
    return lines[reasons[0] :] if reasons else lines
