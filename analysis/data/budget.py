"""Numbers of games that a report can play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from analysis.answer.model import NoAnswerError
from analysis.data.players import ANSWER, GAMES_MOST, games_in, searching_player, strong_player
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec

LEAST_GAMES = 20  # of any part of a budget, and of each of many changes, below which a report leaves a question out
REPLAYED = 10  # of every ten games of a report, one is replayed
SKILL = ANSWER / 4  # seconds of a level of play, and of each two levels against each other


@dataclass(frozen=True)
class Budget:
    """Numbers of games that a report can play."""

    games: int = GAMES_MOST  # at the fewest seats with an opponent, as in `winrates`; as many of random players beside them
    games_by_seats: Mapping[int, int] = field(default_factory=dict)  # at other numbers of seats, where it differs
    step_games: int = 300  # of the entrant concerned, for each of its numbers changed by one step
    shared_games: int = 300  # for each number that belongs to no entrant, changed by one step
    deck_games: int = 350  # of the deck concerned, without a card or a keyword, or with another loadout
    variant_games: int = 400  # for each rule variant, and for each value of a setting
    retest_games: int = 800  # of the entrant concerned, with the step that is named; of each of the best and the worst teams
    draft_games: int = 1_000  # of drafters of each policy
    pair_games: int = 4_000  # of the paired design behind matchups and seats
    skill_games: int = 1_600  # with each level of play in every seat
    skill_pairs: int = 1_600  # of each level of play against each other one: known to 2.5 points
    rolls: int = 20_000  # simulated, for each roll with known odds
    replays: int = 200  # games replayed and evaluated turn by turn
    scale: float = 1.0  # multiple of the usual games

    @classmethod
    def of(cls, game: Game, policy: PolicySpec | None = None) -> Budget:
        """The budget for one or two minutes on one core; it follows from the speed that the game declares.

        policy: of the report, by default the strong players. The games of win rates are those that `winrates` plays. Steps of
        numbers and rule variants are played by quick players, and steps re-tested by these. Rolls and replays cost no or few
        games and are not scaled.
        """
        player, usual = policy or strong_player(game), cls()
        tables = sorted(game.seats, key=lambda seats: (seats == 1, seats))  # the fewest with an opponent first
        games, *others = (games_in(game, (player,), seats) for seats in tables)
        quick = games_in(game, (searching_player(game, player),), tables[0])
        skill = games_in(game, (player,), tables[0], SKILL, usual.skill_games)
        by_player, by_searcher = usual.scaled(games / GAMES_MOST), usual.scaled(quick / GAMES_MOST)
        return replace(
            by_player,
            games=games,
            games_by_seats=dict(zip(tables[1:], others, strict=True)),
            step_games=by_searcher.step_games,
            shared_games=by_searcher.shared_games,
            variant_games=by_searcher.variant_games,
            skill_games=skill,
            skill_pairs=skill,
            rolls=usual.rolls,
            replays=min(usual.replays, games // REPLAYED),
            scale=usual.scale,
        )

    def games_at(self, seats: int) -> int:
        """Games of win rates at a number of seats."""
        return self.games_by_seats.get(seats, self.games)

    def retest_games_at(self, seats: int) -> int:
        """Games of a re-test at a number of seats: in the same time."""
        return max(LEAST_GAMES, self.retest_games * self.games_at(seats) // self.games)

    def scaled(self, scale: float) -> Budget:
        """Multiply all numbers by `scale`. Raises ValueError unless it is above 0 and finite."""
        if not 0 < scale < float("inf"):
            raise ValueError(f"scale={scale} must be a number above 0, such as 0.1 or 10")
        many = {name: round(getattr(self, name) * scale) for name in MANY}
        others = {name: max(LEAST_GAMES, round(getattr(self, name) * scale)) for name in OTHERS}
        by_seats = {seats: max(LEAST_GAMES, round(games * scale)) for seats, games in self.games_by_seats.items()}
        return Budget(**many, **others, games_by_seats=by_seats, scale=self.scale * scale)

    @classmethod
    def all_equal(cls, games: int) -> Budget:
        """The same number of games for every part."""
        numbers: dict[str, Any] = dict.fromkeys((*MANY, *OTHERS), games)
        return cls(**numbers)


def each_of_many(games: float) -> int:
    """Games of each of many changes. Raises NoAnswerError if there is no time for enough."""
    if round(games) < LEAST_GAMES:
        raise NoAnswerError(f"a report of this scale has time for {games:.0f} games of each change, which is too few")
    return round(games)


MANY = ("step_games", "shared_games", "deck_games", "variant_games")  # of each of many changes: see `each_of_many`
OTHERS = tuple(one.name for one in fields(Budget) if one.name not in (*MANY, "games_by_seats", "scale"))
