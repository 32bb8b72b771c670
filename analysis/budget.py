"""How many games a report may play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from sim.engine.contract import Game

LEAST_GAMES = 20  # of any part of a scaled budget: fewer say nothing


@dataclass(frozen=True)
class Budget:
    """How many games a report may play."""

    games: int = 50_000  # per number of seats, for the policy; `random` beside it gets as many
    step_games: int = 6_000  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 8_000  # for each number that belongs to no entrant, changed by one step
    variant_games: int = 16_000  # for each reading of the rules, and for each value of a setting
    retest_games: int = 2_000  # of each of the best and the worst teams
    draft_games: int = 8_000  # of drafters of each policy
    pair_games: int = 20_000  # of the paired design behind matchups and seats
    sensitivity_games: int = 200_000  # of all numbers of the card file together, one step up and down
    screen_games: int = 40_000  # of the search for interactions
    tune_games: int = 250_000  # of the search for changes, and of the test of what it found
    skill_games: int = 1_600  # with each level of play in every seat
    skill_pairs: int = 400  # of every two levels of play against each other
    rolls: int = 20_000  # simulated, for each roll with known odds
    replays: int = 400  # games replayed for the board map

    @classmethod
    def default(cls) -> Budget:
        """A report of a game like the Arena in about three minutes on two cores, compile included."""
        return cls()

    @classmethod
    def of(cls, game: Game) -> Budget:
        """The default, or as much less of every game played as the game asks for (`report_games`): fixed, never measured.

        What costs no whole games (rolls) or few (replays) stays.
        """
        whole = cls.default()
        if game.report_games is None:
            return whole
        size = game.report_games / whole.games
        less, levels = whole.scaled(size), whole.scaled(sqrt(size))  # few games of a level would tell nothing
        kept = {"rolls": whole.rolls, "replays": whole.replays}
        return replace(less, **kept, skill_games=levels.skill_games, skill_pairs=levels.skill_pairs)

    def scaled(self, scale: float) -> Budget:
        """So many times these numbers. Raises ValueError unless scale is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        return Budget(**{name: max(LEAST_GAMES, round(number * scale)) for name, number in vars(self).items()})
