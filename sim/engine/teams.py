"""Entrants that are teams: squads or parties formed from a common set of parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Teams:
    """What the entrants of a card set are made of.

    ids, names: of the parts, in the order of the card file. members: (entrants, size) indices of parts, ascending within
    each entrant. disjoint: a part sits at most once at a table. word, words: name of a part, singular and plural. abilities: by
    part, the names of its abilities, in the order of the outcome fields. planned: whether the line-up
    fixes the teams; else they form in the game, by chance or by a draft.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    members: np.ndarray
    disjoint: bool
    word: str
    words: str
    abilities: tuple[tuple[str, ...], ...] = ()
    planned: bool = True

    def __repr__(self) -> str:
        """Return one line; there can be thousands of teams."""
        return f"Teams({len(self.members)} of {self.size} of {self.parts} {self.words})"

    @property
    def size(self) -> int:
        """Number of parts in a team."""
        return int(self.members.shape[1])

    @property
    def parts(self) -> int:
        """Total number of parts."""
        return len(self.ids)
