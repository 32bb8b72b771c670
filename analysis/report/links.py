"""The pages of a game, and the ways between them."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.encounters import DUEL
from analysis.report.model import Link
from analysis.study import Study

REPORT, CHANGE, BETTER = "", "what-to-change", "better-players"  # folders within that of the game
LABELS = {REPORT: "How it plays", CHANGE: "What to change", BETTER: "Better players"}

OTHER_GAMES = (  # below a figure that another page has too
    f"These are other games than those of \u201c{LABELS[REPORT]}\u201d, so that figures differ by what chance makes of them."
)


def parts_of(study: Study) -> tuple[str, ...]:
    """The pages that a study has beside its first one: none where nobody plays against anybody."""
    if not study.contests:
        return ()
    return (CHANGE, BETTER) if DUEL in study.contests else (CHANGE,)


def links(parts: Sequence[str], here: str = REPORT) -> tuple[Link, ...]:
    """The first page of a game and these, seen from one of them; none where there is only one."""
    if not parts:
        return ()
    up = "../" if here else ""
    ways = {part: f"{up}{part}/index.html" if part else f"{up}index.html" for part in (REPORT, *parts)}
    return tuple(Link(LABELS[part], "" if part == here else way) for part, way in ways.items())
