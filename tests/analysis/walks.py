"""Games with known winning chances: a random walk of single steps until one side has everything (gambler's ruin)."""

import numpy as np

from analysis.timeline.courses import Courses

WIDTH = 10  # steps from end to end; games start in the middle
LONGEST = 400  # steps; one walk in ten million is longer


def walks(rng: np.random.Generator, games: int, copies: int = 1) -> Courses:
    """Two-seat games, each `copies` times under one key. A chance of k / WIDTH is exact because the steps are fair."""
    steps = rng.choice([-1, 1], (games, LONGEST))
    place = WIDTH // 2 + steps.cumsum(axis=1)
    end = ((place <= 0) | (place >= WIDTH)).argmax(axis=1)
    won = place[np.arange(games), end] >= WIDTH
    chances = [place[game, : end[game]] / WIDTH for game in range(games)]
    every = np.repeat(np.arange(games), copies)
    share = np.column_stack([won, ~won]).astype(float)
    return Courses.of([np.column_stack([chances[index], 1 - chances[index]]) for index in every], share[every], every)


def places(turn: int) -> np.ndarray:
    """Chance of each place 0..WIDTH after `turn` steps; finished games are at the ends."""
    chance = np.zeros(WIDTH + 1)
    chance[WIDTH // 2] = 1
    for _ in range(turn):
        inner = chance.copy()
        inner[[0, -1]] = 0
        chance = chance - inner + (np.roll(inner, 1) + np.roll(inner, -1)) / 2
    return chance
