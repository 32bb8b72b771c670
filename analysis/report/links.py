"""The pages of a game and the links between them."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.answer.page import Link
from analysis.data.study import Study
from analysis.report.headline import has_change

REPORT, CHANGE, APPENDIX = "", "what-to-change", "appendix"  # folders within that of the game
PARTS = (CHANGE, APPENDIX)  # besides the first page

LABELS = {REPORT: "How it plays", CHANGE: "What to change", APPENDIX: "Appendix"}


def parts_of(study: Study) -> tuple[str, ...]:
    """Further pages of a study besides its first one; without anything to change there is no page about it."""
    return (CHANGE, APPENDIX) if has_change(study) else (APPENDIX,)


def links(parts: Sequence[str], here: str = REPORT) -> tuple[Link, ...]:
    """Links from the page `here` to all pages of a game; empty if it has only one page."""
    if not parts:
        return ()
    up = "../" if here else ""
    paths = {part: f"{up}{part}/index.html" if part else f"{up}index.html" for part in (REPORT, *parts)}
    return tuple(Link(LABELS[part], "" if part == here else path) for part, path in paths.items())
