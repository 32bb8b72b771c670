"""The draft solved by backward induction, compared with a recursion over every order of picks."""

from dataclasses import replace
from functools import cache
from time import process_time

import numpy as np
import pytest

from analysis.teams.league import drafting
from analysis.teams.model import contributions
from tests.analysis.made_teams import effects, played, teams


def chances(team_set, seed=1):
    """Random chances whose two sides sum to 1."""
    table = np.random.default_rng(seed).random((len(team_set.members), len(team_set.members)))
    return (table + 1 - table.T) / 2


def baseline(team_set, table, perfect=(True, True)):
    """Value of the draft by plain recursion over picks in order, and of each opening."""
    number = {frozenset(members): entrant for entrant, members in enumerate(team_set.members.tolist())}

    @cache
    def value(held):
        step = len(held[0]) + len(held[1])
        if step == len(team_set.picks):
            return float(table[number[held[0]], number[held[1]]])
        drafter = team_set.picks[step]
        free = [part for part in range(team_set.parts) if part not in held[0] | held[1]]
        after = [value(tuple(own | {part} if seat == drafter else own for seat, own in enumerate(held))) for part in free]
        if not perfect[drafter]:
            return sum(after) / len(after)
        return min(after) if drafter else max(after)

    none = frozenset()
    return value((none, none)), [value((frozenset({part}), none)) for part in range(team_set.parts)]


@pytest.mark.parametrize(
    ("parts", "size", "picks"),
    [(6, 2, (0, 1, 1, 0)), (6, 3, (0, 1, 1, 0, 0, 1)), (7, 2, (0, 1, 0, 1)), (7, 3, (0, 0, 1, 1, 1, 0))],
)
def test_values_equal_those_of_a_plain_recursion(parts, size, picks):
    team_set = replace(teams(parts, size), picks=picks)
    table = chances(team_set)
    result = drafting(team_set, table, [table])
    value, openings = baseline(team_set, table)
    assert result.value.estimate == pytest.approx(value)
    assert result.openings.sort_values("part")["value"].to_numpy() == pytest.approx(openings)
    best = np.flatnonzero(np.array(openings) > value - 1e-9)
    assert set(result.openings.loc[result.openings["best"], "part"]) == {*best.tolist()}
    assert result.against_random == pytest.approx(baseline(team_set, table, (True, False))[0])
    assert result.random_against == pytest.approx(baseline(team_set, table, (False, True))[0])
    assert result.random == pytest.approx(0.5)


def test_a_draft_of_three_of_twelve_has_the_right_number_of_orders_and_is_fast():
    team_set = teams()
    table = chances(team_set)
    start = process_time()
    result = drafting(team_set, table, [table])
    assert process_time() - start < 2
    assert (result.orders, result.outcomes) == (166_320, 18_480)
    assert result.against_random > result.value.estimate > result.random_against


def test_parts_without_interactions_are_picked_by_strength():
    team_set = teams(6, 2)
    strength = np.array([5, 1, 4, 2, 3, 0.0])
    team = strength[team_set.members].sum(axis=1)
    table = 1 / (1 + np.exp(team - team[:, None]))
    result = drafting(team_set, table, [table]).openings.set_index("part").sort_index()
    assert result["picked"].tolist() == pytest.approx([1, 0, 1, 1, 1, 0])
    both = 2.5  # picks of the second drafter, in any order
    assert result["pick"].fillna(0).tolist() == pytest.approx([1, 0, both, 4, both, 0])
    assert result["behind"].idxmin() == 0


def test_ties_are_broken_evenly():
    even = np.full((15, 15), 0.5)
    result = drafting(teams(6, 2), even, [even]).openings
    assert result["best"].all()
    assert result["picked"].to_numpy() == pytest.approx(4 / 6)
    assert result["pick"].to_numpy() == pytest.approx(2.5)


def test_resampled_models_give_the_value_an_interval():
    team_set = teams(6, 2)
    result = contributions(played(team_set, 300, effects(team_set, parts=0.3)), team_set)
    solved = drafting(team_set, result.table(), result.resampled(50))
    assert solved.value.n == 50
    assert solved.value.low < solved.value.estimate < solved.value.high
    assert solved.openings["chance_best"].sum() == pytest.approx(1)


SIX = teams(6, 2)


@pytest.mark.parametrize(
    ("team_set", "value", "message"),
    [
        (replace(SIX, picks=()), 0.5, "must begin with 0 and give each drafter 2 parts"),
        (replace(SIX, picks=(1, 0, 0, 1)), 0.5, "must begin with 0 and give each drafter 2 parts"),
        (replace(SIX, members=SIX.members[1:]), 0.5, "needs all sets"),
        (SIX, np.nan, "lacks 90 of the 90 matchups"),
        (teams(26), 0.5, "4,604,600 outcomes of a draft of 26 parts: at most 3,000,000"),
    ],
)
def test_drafts_that_cannot_be_solved_are_refused(team_set, value, message):
    with pytest.raises(ValueError, match=message):
        drafting(team_set, np.full((len(team_set.members),) * 2, value), [])
