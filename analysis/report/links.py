"""The pages of a game and the links between them."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.answer.page import Link
from analysis.data.encounters import DUEL
from analysis.data.study import Study

REPORT, CHANGE, BETTER = "", "what-to-change", "better-players"  # folders within that of the game


LABELS = {REPORT: "How it plays", CHANGE: "What to change", BETTER: "Better players"}


def parts_of(study: Study) -> tuple[str, ...]:
    """Further pages of a study besides its first one; none for games without opponents."""
    if not study.contests:
        return ()
    return (CHANGE, BETTER) if DUEL in study.contests else (CHANGE,)


def links(parts: Sequence[str], here: str = REPORT) -> tuple[Link, ...]:
    """Links from the page `here` to all pages of a game; empty if it has only one page."""
    if not parts:
        return ()
    up = "../" if here else ""
    paths = {part: f"{up}{part}/index.html" if part else f"{up}index.html" for part in (REPORT, *parts)}
    return tuple(Link(LABELS[part], "" if part == here else path) for part, path in paths.items())
