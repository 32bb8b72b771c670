"""Levels of play: their names, and the usual number of games of each."""

from __future__ import annotations

from math import ceil

from analysis.answer.prose import SENTENCE_GAMES
from analysis.data.budget import SKILL
from analysis.data.encounters import DUEL
from analysis.data.names import policy_of
from analysis.data.players import games_in
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec

LEVELS = ("random", "greedy:4", "turn:4:4", "turn:4:8:1")
REPORTED = ("random", "greedy:4", "turn:4:4")
LEVELS_MAX = 12  # 66 pairings
LEVEL_SECONDS, PAIR_SECONDS = 3.0, 2.0  # of the games of a level, and of two levels against each other
GAMES_MOST, PAIR_GAMES_MOST = 4_000, 4_000  # of every entrant at a level, and of two levels against each other
GAMES_LEAST, PAIR_GAMES_LEAST = 20, 40


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


def usual_games(game: Game, level: PolicySpec, seats: int, entrants: float) -> int:
    """Games of a level in every seat: those of LEVEL_SECONDS. entrants: units of the game, divided by those that a game has."""
    games = games_in(game, (level,), seats, LEVEL_SECONDS, round(GAMES_MOST * entrants))
    return max(games, ceil(GAMES_LEAST * entrants))


def usual_pair_games(game: Game, higher: PolicySpec) -> int:
    """Games of two levels against each other: those of PAIR_SECONDS. higher: the one that thinks longer."""
    return max(PAIR_GAMES_LEAST, games_in(game, (higher,), DUEL, PAIR_SECONDS, PAIR_GAMES_MOST))


def report_levels(game: Game, policy: PolicySpec) -> tuple[PolicySpec, ...]:
    """Levels of a report: those whose games against each other its time is enough for, and its policy, ordered by effort."""
    levels = {PolicySpec.parse(name) for name in REPORTED}
    levels = {level for level in levels if games_in(game, (level,), DUEL, SKILL) >= SENTENCE_GAMES} | {policy}
    return tuple(sorted(levels, key=lambda level: (level.policy, level.width, level.samples, level.depth, -level.baseline)))
