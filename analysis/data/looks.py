"""Play until the results are certain enough: blocks of games are cut where the results are looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from analysis.data.rows import Rows
from sim.run import Block


class Stopper(Protocol):
    """Counts games in order and looks at the results after fixed numbers of games."""

    @property
    def next_look(self) -> int:
        """Number of games after which `reached` is called next."""

    def add(self, rows: Rows) -> None:
        """Count a block of rows, none of them beyond the next look."""

    def reached(self) -> bool:
        """Look at the results: whether playing can stop."""


def until(stopper: Stopper, played: Iterator[Block]) -> Iterator[Block]:
    """Yield blocks until the stopper is satisfied. Blocks are cut at its looks, so that workers do not change its decision."""
    for block in played:
        for piece in _pieces(block, stopper):
            yield piece
            stopper.add(piece.rows)
            if piece.first + len(piece.rows) == stopper.next_look and stopper.reached():
                return


def _pieces(block: Block, stopper: Stopper) -> Iterator[Block]:
    """A block cut at the looks of a stopper."""
    start = 0
    while start < len(block.rows):
        end = min(len(block.rows), stopper.next_look - block.first)
        yield Block(block.first + start, block.rows[start:end], block.outcomes[start:end])
        start = end
