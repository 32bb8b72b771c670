"""Sections that play changed numbers and rules: shared numbers, settings, rule variants."""

from dataclasses import replace

import pandas as pd
import pytest

from analysis.data.budget import Budget
from analysis.data.shares import Shares, length_change, spread, spread_change
from analysis.data.study import Study
from analysis.questions import shared_parameters
from analysis.report.pages import answered_section
from analysis.variants.variant import SURE, numeric_steps
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines

TINY = Budget(**FEW, games=90, step_games=30, shared_games=72, variant_games=60, rolls=20, replays=4)
CHANGES = {"fields": ["rules."], "leaves": ["goal", "turn_cap"]}
SHARED = Ask("shared", "Which number should change?", "change", "shared_parameters", CHANGES)


def asking(**arguments) -> Ask:
    return replace(SHARED, arguments={**CHANGES, **arguments})


def study(game, **more) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1, **more)


def notes(tiny: Study, **arguments) -> tuple[str, ...]:
    return shared_parameters.shared_parameters.answer(tiny, **{**CHANGES, **arguments}).notes


def test_shared_numbers_are_tried_one_step_down_and_up_on_the_same_games(coin_duel):
    tiny = study(coin_duel)
    section = answered_section(tiny, SHARED)
    assert [chart.id for chart in section.figures] == [table.id for table in section.tables] == ["shared-spread", "shared-length"]
    table = lines(section, "shared-length")
    assert [(row["number"], row["now"], row["becomes"]) for row in table] == [
        ("Goal", 8, 7),
        ("Goal", 8, 9),
        ("Turn cap", 60, 59),
        ("Turn cap", 60, 61),
    ]
    base = replace(tiny.experiment(2, TINY.shared_games), seed=tiny.fresh_seed)
    nearer = coin_duel.from_document(changed(tiny.cards.document, "rules.goal", 7))
    before, after = Shares.of(base), Shares.of(replace(base, cards=nearer))
    wanted = {"shared-length": length_change(before, after), "shared-spread": spread_change(before, after, 3)}
    for id_, right in wanted.items():
        row = lines(section, id_)[0]
        assert (row["change"], row["change low"], row["change high"]) == (right.change, right.low, right.high)
        assert row["n"] == right.n == base.games
        assert row["source"] == "assumed"
    assert f"fighters have a spread of {100 * spread(before, 3).estimate:.1f} points" in " ".join(notes(tiny))
    assert "nan" not in f"{section.answer} {section.note}"


@pytest.mark.slow
def test_steps_have_the_size_set_for_numbers_of_that_name(coin_duel):
    sizes = {"goal": 2}
    section = answered_section(study(coin_duel), asking(steps=sizes))
    assert [row["becomes"] for row in lines(section, "shared-length")] == [6, 10, 59, 61]
    noted = notes(study(coin_duel), steps=sizes)
    assert "One step is 1; for goal 2." in noted
    assert "No game of the sample changed with (2): Turn cap down, Turn cap up." in noted
    noted = notes(study(coin_duel), fields=["fighter."], leaves=["bonus"])
    assert "Refused by the rules of the card file (2): Pike: bonus down, Maul: bonus down." in noted


def test_p_values_are_adjusted_over_both_quantities_together(coin_duel):
    tiny = study(coin_duel)
    steps = numeric_steps(coin_duel, tiny.cards, ["rules.goal"])
    _, frame = shared_parameters.effects_of(tiny, 2, TINY.shared_games, 4, steps, {"rules.goal": "Goal"})
    assert len(frame) == 4
    least = frame["p"].min()
    assert frame["p_holm"].min() == pytest.approx(4 * least)
    assert (frame["sure"] == (frame["p_holm"] < SURE)).all()


def test_the_named_step_narrows_the_spread_if_one_does():
    frame = pd.DataFrame({"what": ["spread"] * 3 + ["length"] * 2, "change": [-0.05, 0.2, -0.01, 3.0, -4.0]})
    frame["path"] = list("abcab")
    named = shared_parameters.best(frame.assign(sure=True))
    assert named["path"].tolist() == ["a", "b"]
    assert shared_parameters.best(frame.assign(sure=[False, True, False, True, False]))["path"].tolist() == ["b", "a"]
    assert shared_parameters.best(frame.assign(sure=False)).empty


@pytest.mark.parametrize(
    "question", [asking(fields=[], leaves=[]), asking(fields=["enemy."], leaves=[]), asking(fields=["rules."], leaves=["price"])]
)
def test_without_numbers_or_rules_to_change_the_question_is_left_out(coin_duel, question):
    assert answered_section(study(coin_duel), question) is None


@pytest.mark.slow
def test_a_question_can_ask_for_more_or_fewer_games_than_usual(coin_duel):
    few = asking(scale=0.5)
    assert {row["n"] for row in lines(answered_section(study(coin_duel), few), "shared-length")} == {TINY.shared_games // 2}
