"""Exact strengths of the teams of Relay teams."""

from functools import reduce

import numpy as np

from sim.engine.cards import CardSet
from tests.every_game.relay_teams import teams_of


def chances(cards: CardSet) -> np.ndarray:
    """Share of the win of the row's team against the column's at two seats, (teams, teams); nan where they share a runner.

    Averaged over who goes first; shared wins count half.
    """
    members, start = teams_of(cards).members, int(cards.record["head_start"][0])
    ways = [_way(cards, *team) for team in members]
    table = np.full((len(ways), len(ways)), np.nan)
    for row, mine in enumerate(ways):
        for column, theirs in enumerate(ways):
            if not set(members[row]) & set(members[column]):
                table[row, column] = (_share(mine, theirs, start) + _share(mine, theirs, -start)) / 2
    return table


def rates(cards: CardSet) -> np.ndarray:
    """Win rate of each team against all that it can meet, (teams,)."""
    return np.nanmean(chances(cards), axis=1)


def part_rates(cards: CardSet) -> np.ndarray:
    """Win rate of the teams of each runner, over all their line-ups, (runners,)."""
    teams, share = teams_of(cards), chances(cards)
    return np.array([np.nanmean(share[(teams.members == part).any(axis=1)]) for part in range(teams.parts)])


def _way(cards: CardSet, first: int, second: int) -> np.ndarray:
    """Chance of each total way 0, 1, ... of two runners, without a head start."""
    record = cards.record[0]
    dice = [
        np.r_[np.zeros(1 + record["pace"][runner]), np.full(record["faces"][runner], 1 / record["faces"][runner])]
        for runner in (first, second)
    ]
    return reduce(np.convolve, [*dice, np.eye(record["bond"][first, second] + 1)[-1]])


def _share(mine: np.ndarray, theirs: np.ndarray, ahead: int) -> float:
    """Chance that my way is the longer one, ties counted half. ahead: my head start in steps."""
    lead = np.arange(len(mine))[:, None] + ahead - np.arange(len(theirs))
    joint = np.outer(mine, theirs)
    return float(joint[lead > 0].sum() + joint[lead == 0].sum() / 2)
