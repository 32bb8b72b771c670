"""Levels of play: their names, and the usual number of games of each."""

from __future__ import annotations

from math import sqrt

from analysis.data.encounters import DUEL
from analysis.data.names import policy_of
from analysis.data.players import thought
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec

LEVELS = ("random", "greedy:4", "turn:4:4", "turn:4:8:1")
REPORTED = (("random", 0), ("greedy:4", 0), ("turn:4:4", 1_000))  # level, for reports of so many games
LEVELS_MAX = 12  # 66 pairings
USUAL_GAMES = 10_000  # games of a report of a fast game; see `Game.report_games`
GAMES_LEAST, PAIR_GAMES_LEAST = 20, 40
# Playouts per decision, or samples of all plans, up to which a level plays these games: each entrant, against each lower level.
GAMES = {0: (4000, 4000), 16: (4000, 4000), 50: (2000, 2000), 200: (800, 1000), 1000: (300, 400)}
GAMES_OF_MORE = (100, 100)


def levels_of(text: str) -> tuple[PolicySpec, ...]:
    """Parse the levels, lowest first. Raises ValueError for too few, too many or repeated levels."""
    levels = tuple(policy_of(part) for part in text.split(","))
    if len(levels) < DUEL:
        raise ValueError(f"levels={text!r}: name at least two levels, lowest first, such as random,greedy:4")
    if len(levels) > LEVELS_MAX:
        raise ValueError(f"levels={text!r}: {len(levels)} levels are too many; name at most {LEVELS_MAX}")
    twice = next((level for index, level in enumerate(levels) if level in levels[:index]), None)
    if twice is not None:
        raise ValueError(f"levels={text!r}: {twice} is named twice")
    return levels


def usual_games(game: Game, level: PolicySpec) -> tuple[int, int]:
    """Games of every entrant at a level, and against each level below; fewer if a decision takes long.

    From a fixed table, scaled by the square root of the size of the game's report; nothing is timed.
    """
    each, pair = next((games for most, games in GAMES.items() if thought(level) <= most), GAMES_OF_MORE)
    size = sqrt((game.report_games or USUAL_GAMES) / USUAL_GAMES)
    return max(GAMES_LEAST, round(each * size)), max(PAIR_GAMES_LEAST, round(pair * size))


def report_levels(game: Game, policy: PolicySpec) -> tuple[PolicySpec, ...]:
    """Levels that a report of the game can afford, and the policy of its win rates, ordered by effort."""
    size = game.report_games or USUAL_GAMES
    levels = {PolicySpec.parse(name) for name, least in REPORTED if size >= least} | {policy}
    return tuple(sorted(levels, key=lambda level: (level.policy, level.width, level.samples, level.depth, -level.baseline)))
