"""Sections that play changed numbers and rules: shared numbers, settings, rule variants."""

from dataclasses import replace

import pandas as pd
import pytest

from analysis.data.budget import Budget
from analysis.data.shares import Shares, length_change, spread, spread_change
from analysis.data.study import Study
from analysis.report.pages import answer
from analysis.variants import parameter_effects
from analysis.variants.variant import SURE, numeric_steps
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.engine.questions import Parameters
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines

TINY = Budget(**FEW, games=90, step_games=30, shared_games=72, variant_games=60, rolls=20, replays=4)
SHARED = Parameters("shared", "Which number should change?", by="shared", fields=("rules.",), leaves=("goal", "turn_cap"))


def study(game, **more) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1, **more)


def test_shared_numbers_are_tried_one_step_down_and_up_on_the_same_games(coin_duel):
    tiny = study(coin_duel)
    section = answer(tiny, SHARED)
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
    assert "All these numbers are assumed." in section.figures[0].caption
    assert f"{100 * spread(before, 3).estimate:.1f}" in section.answer
    assert "fighters have a spread of" in section.answer
    assert "nan" not in f"{section.answer} {section.note}"


def test_steps_have_the_size_set_for_numbers_of_that_name(coin_duel):
    asks = replace(SHARED, steps=(2, 1))
    section = answer(study(coin_duel), asks)
    assert [row["becomes"] for row in lines(section, "shared-length")] == [6, 10, 59, 61]
    assert "One step is 1; for goal 2." in section.note
    assert "No game of the sample changed with: Turn cap down and Turn cap up." in section.note
    asks = replace(SHARED, fields=("fighter.",), leaves=("bonus",))
    refused = "Refused by the rules of the card file: Pike: bonus down and Maul: bonus down."
    assert refused in answer(study(coin_duel), asks).note


def test_p_values_are_adjusted_over_both_quantities_together(coin_duel):
    tiny = study(coin_duel)
    steps = numeric_steps(coin_duel, tiny.cards, ["rules.goal"])
    _, frame = parameter_effects._shared_measured(tiny, SHARED, 4, steps, {"rules.goal": "Goal"})
    assert len(frame) == 4
    least = frame["p"].min()
    assert frame["p_holm"].min() == pytest.approx(4 * least)
    assert (frame["sure"] == (frame["p_holm"] < SURE)).all()


def test_the_named_step_narrows_the_spread_if_one_does():
    frame = pd.DataFrame({"what": ["spread"] * 3 + ["length"] * 2, "change": [-0.05, 0.2, -0.01, 3.0, -4.0]})
    frame["path"] = list("abcab")
    named = parameter_effects._named(frame.assign(sure=True))
    assert named["path"].tolist() == ["a", "b"]
    assert parameter_effects._named(frame.assign(sure=[False, True, False, True, False]))["path"].tolist() == ["b", "a"]
    assert parameter_effects._named(frame.assign(sure=False)).empty


def test_the_named_step_is_shown_with_its_interval_and_its_retest():
    step = {"field": "Goblin: attack", "present": 2, "value": 1, "change": -0.031, "low": -0.04, "high": -0.02, "what": "spread"}
    sentence = parameter_effects._shared_effect(pd.Series(step), pd.Series({"change": -0.025}))
    assert sentence == (
        "\u201cGoblin: attack\u201d from 2 to 1 reduces the spread most: \u22123.1 points "
        "(95 % interval \u22124.0 to \u22122.0); in new games \u22122.5."
    )
    wider = parameter_effects._shared_effect(pd.Series({**step, "change": 0.03}), pd.Series({"change": 0.02}))
    assert "increases the spread, and no step significantly reduces it: +3.0 points" in wider
    longer = pd.Series({**step, "what": "length", "change": 6.25, "low": 5.0, "high": 7.5})
    sentence = parameter_effects._shared_effect(longer, pd.Series({"change": 5.9})).replace("\u00a0", " ")
    assert sentence.endswith("moves the length most: +6.2 turns (95 % interval +5.0 to +7.5); in new games +5.9.")


@pytest.mark.parametrize(
    "question",
    [
        *(
            replace(SHARED, fields=fields, leaves=leaves)
            for fields, leaves in (((), ()), (("enemy.",), ()), (("rules.",), ("price",)))
        )
    ],
)
def test_without_numbers_or_rules_to_change_the_question_is_left_out(coin_duel, question):
    assert answer(study(coin_duel), question) is None


def test_a_question_can_ask_for_more_or_fewer_games_than_usual(coin_duel):
    few = replace(SHARED, games=0.5)
    assert {row["n"] for row in lines(answer(study(coin_duel), few), "shared-length")} == {TINY.shared_games // 2}
