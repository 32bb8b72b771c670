"""Sections on contests of teams: numbers equal to direct computation, well-formed sentences, first player and policies."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.answer.model import Section
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.pages import answered_section
from analysis.stats.intervals import proportion
from analysis.variants.compare import advantage
from sim.engine.policies import PolicySpec
from sim.engine.questions import FirstPlayer
from sim.run import collect
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import assert_well_formed, lines
from tests.analysis.report.skirmish import MEMBERS, QUESTIONS, drawn, skirmish

pytestmark = pytest.mark.slow

GAMES = 600
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture(scope="module")
def study() -> Study:
    return skirmish(GAMES)


@pytest.fixture(scope="module")
def sections(study) -> dict[str, Section]:
    answers = {question.id: answered_section(study, question) for question in QUESTIONS}
    return {name: section for name, section in answers.items() if section is not None}


@pytest.fixture(scope="module")
def games():
    """Rows and outcomes of the sections, and the part in each place, (games, 2, 3)."""
    rows, outcomes = drawn(GAMES)
    return rows, outcomes, MEMBERS[rows["entrant"][:, :2]]


def assert_share(row, won, n):
    """Win rate or share, Wilson's interval, and n of a row."""
    right = proportion(float(won), int(n))
    name = "win rate" if "win rate" in row else "share"
    assert (row[name], row["low"], row["high"], row["n"]) == (right.estimate, right.low, right.high, right.n)


@pytest.fixture
def played(coin_duel) -> Study:
    game = replace(coin_duel, seats=(2,))
    budget = Budget(**FEW, games=126, variant_games=63)
    return Study(game, game.load(None), PolicySpec.parse("greedy"), seed=3, budget=budget, jobs=1)


def test_going_first_is_counted_over_games_that_share_dice(played):
    question = FirstPlayer("first", "?", by="policy", rules={"rules.goal": ("6", "12")}, rule="goal")
    section = answered_section(played, question)
    assert_well_formed(section)
    values = [(row["value"], row["policy"]) for row in lines(section, "first-rates")]
    assert values == [(value, policy) for policy in (str(played.policy), "random") for value in ("6", "12")]
    experiment = played.experiment(2, 63, PolicySpec.parse("random"))
    rows = collect(experiment).rows
    right = advantage(rows["share"][:, :2], rows["first"], experiment.plan_of(rows["game"].astype(np.int64))["dice"])
    default = str(played.cards.document["rules"]["goal"])
    plain = lines(answered_section(played, replace(question, rules={}, rule="")), "first-rates", policy="random")
    for line in (*lines(section, "first-rates", policy="random", value=default), *plain):
        assert (line["goes first"], line["difference"], line["n"]) == (right.first, right.change, right.games)
