"""Levels of play: how they are named, and how many games each is worth."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from analysis.data.names import policy_of

if TYPE_CHECKING:
    from sim.engine.contract import Game
    from sim.engine.policies import PolicySpec

LEVELS = ("random", "greedy:4", "search:50", "search:200", "search:800")
REPORTED = ("random", "greedy:4", "search:50")  # and the next one where a game is quick
QUICK = "search:200"
LEVELS_MAX = 12  # 66 pairings
USUAL_GAMES = 50_000  # of a report of a game whose policies are quick; see `Game.report_games`
GAMES_LEAST, PAIR_GAMES_LEAST = 20, 40
# Playouts per decision, up to which a level plays so many games of every entrant, and against each level below.
GAMES = {0: (4000, 4000), 16: (4000, 4000), 50: (2000, 2000), 200: (800, 1000), 1000: (300, 400)}
GAMES_OF_MORE = (100, 100)


def levels_of(text: str) -> tuple[PolicySpec, ...]:
    """Read the levels, the lowest first. Raises ValueError naming what is wrong."""
    from analysis.data.encounters import DUEL

    found = tuple(policy_of(part) for part in text.split(","))
    if len(found) < DUEL:
        raise ValueError(f"levels={text!r}: name two levels or more, the lowest first, such as random,greedy:4")
    if len(found) > LEVELS_MAX:
        raise ValueError(f"levels={text!r}: {len(found)} levels are too many; name {LEVELS_MAX} at most")
    twice = next((one for at, one in enumerate(found) if one in found[:at]), None)
    if twice is not None:
        raise ValueError(f"levels={text!r}: {twice} is named twice")
    return found


def usual_games(game: Game, level: PolicySpec) -> tuple[int, int]:
    """Games of every entrant at a level, and against each level below: fewer where a decision takes long.

    A fixed table, by the square root of the size of the game's report: nothing is measured.
    """
    from sim.engine.policies import Policy

    thought = 0 if level.policy == Policy.RANDOM else level.samples
    each, pair = next((games for most, games in GAMES.items() if thought <= most), GAMES_OF_MORE)
    size = sqrt((game.report_games or USUAL_GAMES) / USUAL_GAMES)
    return max(GAMES_LEAST, round(each * size)), max(PAIR_GAMES_LEAST, round(pair * size))


def report_levels(game: Game, policy: PolicySpec) -> tuple[PolicySpec, ...]:
    """Levels of a report, the policy that its win rates speak of among them, in the order of how much they think."""
    from sim.engine.policies import PolicySpec

    names = REPORTED if game.report_games else (*REPORTED, QUICK)
    found = {PolicySpec.parse(name) for name in names} | {policy}
    return tuple(sorted(found, key=lambda one: (one.policy, one.samples, one.depth, -one.by_hand)))
