"""Arguments that all questions share: how games are played, with the help of their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Shared:
    """An argument that questions share: its type, default and description."""

    kind: Any
    default: Any
    text: str


SHARED = {  # in the order of the help
    "seats": Shared(int | None, None, "Number of seats, by default 2."),
    "policy": Shared(
        str | None,
        None,
        "Player of all seats, by default the strong one of the game; or one for each seat, with commas between: random, "
        "greedy:k (k samples of "
        "chance), turn:b:k (plans for the turn, b at a time), flat:n or search:n (n playouts for each decision). Behind it, "
        "/baseline plays by the weights set by hand; /open cheats and sees hidden cards, as a bound.",
    ),
    "quick": Shared(bool, False, "Quick players, greedy:4, in place of the strong ones, which test their verdicts."),
    "seed": Shared(int | None, None, "The same seed gives the same games; by default 1."),
    "line_up": Shared(
        list[str], (), "Entrants by seat, seat 1 first, instead of a balanced design; a team by its parts, such as a+b+c."
    ),
    "forbid": Shared(
        list[str],
        (),
        "Things that no player uses, or with entrant:thing one entrant; see the things of `fairfight ablate GAME --list`.",
    ),
    "jobs": Shared(int | None, None, "Number of workers, by default one for each core. Results do not depend on it."),
    "progress": Shared(bool, True, "Show the progress."),
}
