"""Numbers of games that a report can play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from analysis.data.players import GAMES_MOST, games_in, strong_player
from sim.engine.contract import Game
from sim.engine.policies import Policy, PolicySpec

LEAST_GAMES = 20  # of any part of a scaled budget; fewer are useless


WITH_REPLIES = 0.2  # part of the usual games that a report plays with players that think of replies, which take ten times as long


@dataclass(frozen=True)
class Budget:
    """Numbers of games that a report can play."""

    games: int = GAMES_MOST  # per number of seats, for the policy, as in `winrates`; the same number for `random` beside it
    step_games: int = 800  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 1_000  # for each number that belongs to no entrant, changed by one step
    variant_games: int = 2_000  # for each rule variant, and for each value of a setting
    retest_games: int = 400  # of each of the best and the worst teams
    draft_games: int = 1_000  # of drafters of each policy
    pair_games: int = 4_000  # of the paired design behind matchups and seats
    skill_games: int = 800  # with each level of play in every seat
    skill_pairs: int = 1_600  # of each level of play against each other one: known to 2.5 points
    rolls: int = 20_000  # simulated, for each roll with known odds
    replays: int = 200  # games replayed and evaluated turn by turn

    @classmethod
    def default(cls) -> Budget:
        """Budget for a report in about three minutes on two cores for a game as fast as the Arena with `turn:4:4`."""
        return cls()

    @classmethod
    def of(cls, game: Game, policy: PolicySpec | None = None) -> Budget:
        """The default, scaled down if the game asks for fewer games (`report_games`); does not depend on the machine.

        policy: of the report, by default the strong players; with one that plays replies in thought, a fifth of the games. The
        games of win rates are those that `winrates` plays. Rolls and replays, which cost no or few whole games, are not scaled,
        nor are meetings of levels, which must be precise.
        """
        player = policy or strong_player(game)
        whole = cls.default()
        size = (game.report_games or whole.games) / whole.games
        if player.policy == Policy.TURN and player.depth:
            size *= WITH_REPLIES
        less, levels = whole.scaled(size), whole.scaled(sqrt(size))  # a level of play needs a minimum of games
        kept = {"rolls": whole.rolls, "replays": whole.replays, "skill_pairs": whole.skill_pairs}
        kept["games"] = games_in(game, (player,))
        return replace(less, **kept, skill_games=levels.skill_games)

    def scaled(self, scale: float) -> Budget:
        """Multiply all numbers by `scale`. Raises ValueError unless it is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        return Budget(**{name: max(LEAST_GAMES, round(number * scale)) for name, number in vars(self).items()})
