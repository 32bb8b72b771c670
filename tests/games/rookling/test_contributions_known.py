"""Contributions of Rooklings in sets where the truth is known: copies of one Rookling, and one copy with more life."""

from copy import deepcopy

import numpy as np
import pytest
from scipy.stats import binom

from analysis.teams.model import Contests, contributions
from sim.engine.cards import CardSet
from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.games.rookling.cards import from_document, load
from sim.run import blocks

SETS, SMALL = 30, 600  # sets of twelve like Rooklings, games of each
LARGE = 2400  # games of the set with one that has more life
LEVEL = 0.95


def copies(source: str, life: int | None = None) -> CardSet:
    """Twelve Rooklings alike but for their names; of the first one the life may be another."""
    document = deepcopy(dict(load(None).document))
    (printed,) = (one for one in document["rookling"] if one["id"] == source)
    document["rookling"] = [{**deepcopy(printed), "id": f"copy_{i}", "name": f"Copy {i}"} for i in range(12)]
    document["field_effect"] = []
    if life is not None:
        document["rules"]["heal_cap"] = life
        document["rookling"][0] |= {"life": life, "source": {"name": "rulebook", "line": "assumed", "life": "assumed"}}
    return from_document(document)


def found_in(cards: CardSet, games: int, seed: int, coupling: str):
    """Contributions in games of random players."""
    experiment = Experiment("rookling", cards, 2, (PolicySpec.parse("random"),), games, seed, coupling)
    rows = np.concatenate([block.rows for block in blocks(experiment, 1)])
    return contributions(Contests.of(rows, experiment.round_of(rows["game"])), experiment.teams, LEVEL)


@pytest.mark.parametrize("source", ["rute", "hiss"])
def test_a_copy_with_two_more_life_ranks_first_and_surely_above_average(source):
    parts = found_in(copies(source, life=8), LARGE, 1, "seat").parts
    best = parts.iloc[parts["estimate"].to_numpy().argmax()]
    assert best["name"] == "Copy 0"
    assert best["low"] > 0.5
    assert best["effect"] > parts["effect"].nlargest(2).iloc[1]


def test_twelve_like_rooklings_are_exactly_even_where_both_sides_have_the_same_dice():
    parts = found_in(copies("rute"), SMALL, 1, "seat").parts
    assert parts["effect"].abs().max() < 1e-6
    assert not ((parts["low"] > 0.5 + 1e-6) | (parts["high"] < 0.5 - 1e-6)).any()


def test_of_twelve_like_rooklings_no_more_intervals_leave_out_even_than_their_level_says():
    cards = copies("rute")
    out = 0
    for seed in range(SETS):
        parts = found_in(cards, SMALL, seed, "entrant").parts
        out += int(((parts["low"] > 0.5) | (parts["high"] < 0.5)).sum())
    assert out <= binom.ppf(0.9999, SETS * 12, 1 - LEVEL)
    assert out > 0  # an interval that never errs is too wide
