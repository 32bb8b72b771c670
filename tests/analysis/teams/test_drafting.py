"""The draft solved by backward induction against a recursion that tries every order of picks."""

from dataclasses import replace
from functools import cache
from time import process_time

import numpy as np
import pytest

from analysis.teams.league import drafting
from analysis.teams.model import contributions
from tests.analysis.made_teams import effects, played, teams


def chances(of, seed=1):
    """Any chances whose two sides sum to 1."""
    table = np.random.default_rng(seed).random((len(of.members), len(of.members)))
    return (table + 1 - table.T) / 2


def baseline(of, table, perfect=(True, True)):
    """Value of the draft by plain recursion over picks in order, and of each opening."""
    number = {frozenset(members): entrant for entrant, members in enumerate(of.members.tolist())}

    @cache
    def value(held):
        step = len(held[0]) + len(held[1])
        if step == len(of.picks):
            return float(table[number[held[0]], number[held[1]]])
        drafter = of.picks[step]
        free = [part for part in range(of.parts) if part not in held[0] | held[1]]
        after = [
            value(tuple(own | {part} if seat == drafter else own for seat, own in enumerate(held))) for part in free
        ]
        if not perfect[drafter]:
            return sum(after) / len(after)
        return min(after) if drafter else max(after)

    none = frozenset()
    return value((none, none)), [value((frozenset({part}), none)) for part in range(of.parts)]


@pytest.mark.parametrize(
    ("parts", "size", "picks"),
    [(6, 2, (0, 1, 1, 0)), (6, 3, (0, 1, 1, 0, 0, 1)), (7, 2, (0, 1, 0, 1)), (7, 3, (0, 0, 1, 1, 1, 0))],
)
def test_values_are_those_of_a_plain_recursion(parts, size, picks):
    of = replace(teams(parts, size), picks=picks)
    table = chances(of)
    result = drafting(of, table)
    value, openings = baseline(of, table)
    assert result.value == pytest.approx(value)
    assert result.openings.sort_values("part")["value"].to_numpy() == pytest.approx(openings)
    best = np.flatnonzero(np.array(openings) > value - 1e-9)
    assert result.best == tuple(best)
    assert result.against_random == pytest.approx(baseline(of, table, (True, False))[0])
    assert result.random_against == pytest.approx(baseline(of, table, (False, True))[0])
    assert result.random == pytest.approx(0.5)


def test_a_draft_of_three_of_twelve_has_as_many_orders_as_one_counts_and_takes_no_time():
    of = teams()
    table = chances(of)
    start = process_time()
    result = drafting(of, table)
    assert process_time() - start < 2
    assert (result.orders, result.outcomes) == (166_320, 18_480)
    assert result.against_random > result.value > result.random_against


def test_parts_of_plain_strength_go_in_their_order():
    of = teams(6, 2)
    strength = np.array([5, 1, 4, 2, 3, 0.0])
    team = strength[of.members].sum(axis=1)
    table = 1 / (1 + np.exp(team - team[:, None]))
    result = drafting(of, table).openings.set_index("part").sort_index()
    assert result["picked"].tolist() == pytest.approx([1, 0, 1, 1, 1, 0])
    assert result["pick"].fillna(0).tolist() == pytest.approx(
        [1, 0, 2.5, 4, 2.5, 0]
    )  # both of the second's picks in any order
    assert result["behind"].idxmin() == 0


def test_ties_are_broken_evenly():
    of = teams(6, 2)
    result = drafting(of, np.full((15, 15), 0.5))
    assert result.best == (0, 1, 2, 3, 4, 5)
    assert result.openings["picked"].to_numpy() == pytest.approx(4 / 6)
    assert result.openings["pick"].to_numpy() == pytest.approx(2.5)


def test_resampled_models_give_the_value_an_interval():
    of = teams(6, 2)
    result = contributions(played(of, 300, effects(of, parts=0.3)), of)
    solved = drafting(of, result.table(), result.resampled(50))
    assert solved.interval.n == 50
    assert solved.interval.low < solved.value < solved.interval.high
    assert solved.openings["chance_best"].sum() == pytest.approx(1)
    assert solved.openings["picked_again"].sum() == pytest.approx(4)
    assert drafting(of, result.table()).interval is None


def test_drafts_that_cannot_be_solved_are_refused():
    of = teams(6, 2)
    table = chances(of)
    with pytest.raises(ValueError, match="picks is empty"):
        drafting(replace(of, picks=()), table)
    with pytest.raises(ValueError, match="must begin with 0 and give each drafter 2 parts"):
        drafting(replace(of, picks=(1, 0, 0, 1)), table)
    with pytest.raises(ValueError, match="needs all sets"):
        drafting(replace(of, members=of.members[1:]), table[1:, 1:])
    with pytest.raises(ValueError, match="must be 15 teams square"):
        drafting(of, table[1:])
    with pytest.raises(ValueError, match="lacks 90 of the 90 matchups"):
        drafting(of, table * np.nan)
    with pytest.raises(ValueError, match="3 resampled tables"):
        drafting(of, table, [table] * 3)
    with pytest.raises(ValueError, match="4,604,600 outcomes of a draft of 26 parts: at most 3,000,000"):
        drafting(teams(26), np.zeros((2600, 2600)))
