"""Arguments that all questions share: how games are played, with the help of their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SEATS, SEED = 2, 1  # of games whose caller names none; for the players, see `analysis.data.players`


@dataclass(frozen=True)
class Shared:
    """An argument that questions share: its type, default and description."""

    kind: Any
    default: Any
    text: str


SHARED = {  # in the order of the help
    "seats": Shared(int | None, None, f"Number of seats, by default {SEATS}."),
    "policy": Shared(
        str | None,
        None,
        "Player of all seats instead of the strong one, or one for each seat, with commas between: random, greedy:k, turn:b:k, "
        "flat:n or search:n, see docs/players.md.",
    ),
    "quick": Shared(bool, False, "Quick players, greedy:4, in place of the strong ones, which test their verdicts."),
    "seed": Shared(int | None, None, f"The same seed gives the same games; by default {SEED}."),
    "line_up": Shared(
        list[str], (), "Entrants by seat, seat 1 first, instead of a balanced design; a team by its parts, such as a+b+c."
    ),
    "forbid": Shared(
        list[str],
        (),
        "Things that no player uses, or with entrant:thing one entrant; see the things of `fairfight ablate GAME --list`.",
    ),
    "jobs": Shared(int | None, None, "Number of workers, by default one for each core; results do not depend on it."),
    "progress": Shared(bool, True, "Show the progress."),
}
