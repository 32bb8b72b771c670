"""The section on going first with several policies and values of a rule: numbers equal to direct computation."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.pages import answered_section
from analysis.variants.compare import advantage
from sim.engine.policies import PolicySpec
from sim.engine.questions import FirstPlayer
from sim.run import collect
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import assert_well_formed, lines


@pytest.fixture
def played(coin_duel) -> Study:
    game = replace(coin_duel, seats=(2,))
    budget = Budget(**FEW, games=126, variant_games=126)
    return Study(game, game.load(None), PolicySpec.parse("greedy"), seed=3, budget=budget, jobs=1)


@pytest.mark.slow
def test_going_first_is_counted_over_games_that_share_dice(played):
    question = FirstPlayer("first", "?", by="policy", rules={"rules.goal": ("6", "12")}, rule="goal")
    section = answered_section(played, question)
    assert_well_formed(section)
    values = [(row["value"], row["policy"]) for row in lines(section, "first-rates")]
    assert values == [(value, policy) for policy in (str(played.policy), "random") for value in ("6", "12")]
    experiment = played.experiment(2, 126, PolicySpec.parse("random"))
    rows = collect(experiment).rows
    right = advantage(rows["share"][:, :2], rows["first"], experiment.plan_of(rows["game"].astype(np.int64))["dice"])
    default = str(played.cards.document["rules"]["goal"])
    plain = lines(answered_section(played, replace(question, rules={}, rule="")), "first-rates", policy="random")
    for line in (*lines(section, "first-rates", policy="random", value=default), *plain):
        assert (line["goes first"], line["difference"], line["n"]) == (right.first, right.change, right.games)
