"""Strengths of the teams of Relay teams, worked out: what every estimate of them must come near."""

from functools import reduce

import numpy as np

from sim.engine.cards import CardSet
from tests.every_game.relay_teams.cards import teams_of


def chances(cards: CardSet) -> np.ndarray:
    """Share of the win of the row's team against the column's at two seats, (teams, teams); nan where they share a runner.

    Before it is drawn who goes first; shared wins count half.
    """
    members, start = teams_of(cards).members, int(cards.record["head_start"][0])
    ways = [_way(cards, *team) for team in members]
    found = np.full((len(ways), len(ways)), np.nan)
    for one, mine in enumerate(ways):
        for other, theirs in enumerate(ways):
            if not set(members[one]) & set(members[other]):
                found[one, other] = (_share(mine, theirs, start) + _share(mine, theirs, -start)) / 2
    return found


def rates(cards: CardSet) -> np.ndarray:
    """Win rate of each team against all that it may meet, (teams,)."""
    return np.nanmean(chances(cards), axis=1)


def part_rates(cards: CardSet) -> np.ndarray:
    """Win rate of the teams that each runner is in, over all their line-ups, (runners,)."""
    teams, share = teams_of(cards), chances(cards)
    return np.array([np.nanmean(share[(teams.members == part).any(axis=1)]) for part in range(teams.parts)])


def _way(cards: CardSet, one: int, other: int) -> np.ndarray:
    """Chance of each way 0, 1, ... of two runners, without a head start."""
    record = cards.record[0]
    dice = [
        np.r_[np.zeros(1 + record["pace"][at]), np.full(record["faces"][at], 1 / record["faces"][at])]
        for at in (one, other)
    ]
    return reduce(np.convolve, [*dice, np.eye(record["bond"][one, other] + 1)[-1]])


def _share(mine: np.ndarray, theirs: np.ndarray, ahead: int) -> float:
    """Chance of the longer way, half that of equal ones; ahead: steps that mine are in front."""
    lead = np.arange(len(mine))[:, None] + ahead - np.arange(len(theirs))
    both = np.outer(mine, theirs)
    return float(both[lead > 0].sum() + both[lead == 0].sum() / 2)
