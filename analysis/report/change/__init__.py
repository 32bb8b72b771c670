"""The page "what to change" of every game: from the games played to the numbers that a designer should touch.

Nothing here knows a game by name, and no game asks for a section: each answers for any line-up, outcome and card file, or says
with None that this one has nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis.report.change.drama import drama
from analysis.report.change.matchups import matchups
from analysis.report.change.screen import screen
from analysis.report.change.seats import seats
from analysis.report.change.sensitivity import sensitivity
from analysis.report.change.sure import sure
from analysis.report.change.tuning import tuning
from analysis.report.model import Section
from analysis.study import Study

Builder = Callable[[Study], Section | None]

BUILDERS: tuple[Builder, ...] = (sure, matchups, seats, drama, sensitivity, screen, tuning)


def sections(study: Study) -> list[Section]:
    """The sections of the page, in the order in which one decides: how sure, who, why, what."""
    found = []
    for number, build in enumerate(BUILDERS):
        if study.watch:
            study.watch("what to change", number, len(BUILDERS))
        section = build(study)
        found += [section] if section else []
    return found
