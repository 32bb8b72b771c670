"""Entrants that are teams: squads, parties, line-ups made of parts that are shared out anew in every team."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Teams:
    """What the entrants of a card set are made of.

    ids, names: of the parts, in the order of the card file. members: (entrants, size) numbers of parts, ascending within
    each entrant. disjoint: a part sits at most once at a table. word, words: what a part is called. abilities: by part, the
    names of what it can do, in the order in which outcomes count them. picks: who picks at each step of a draft, 0 the first
    drafter; empty where there is none. planned: the line-up says which team sits where; else the teams come about in the game, by
    chance or by a draft.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    members: np.ndarray
    disjoint: bool
    word: str
    words: str
    abilities: tuple[tuple[str, ...], ...] = ()
    picks: tuple[int, ...] = ()
    planned: bool = True

    def __repr__(self) -> str:
        """One line: there may be thousands of teams."""
        return f"Teams({len(self.members)} of {self.size} of {self.parts} {self.words})"

    @property
    def size(self) -> int:
        """Parts of a team."""
        return int(self.members.shape[1])

    @property
    def parts(self) -> int:
        """Parts in all."""
        return len(self.ids)
