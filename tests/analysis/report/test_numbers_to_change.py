"""The section on the numbers that change balance most."""

from dataclasses import replace

import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.pages import sensitivity
from analysis.variants.sensitivity import chosen, found_by
from analysis.variants.variant import candidates
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from tests.analysis.report.reading import lines

BUDGET = Budget(sensitivity_games=12_000)
PLAYED = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")


def study(game, document=None, budget: Budget = BUDGET) -> Study:
    cards = game.load(None) if document is None else game.from_document(document)
    return Study(game, cards, PolicySpec.parse("random"), seed=3, budget=budget, jobs=1)


@PLAYED
def test_the_number_that_moves_most_is_named(dice_duel):
    document = {**dice_duel.load(None).document, "fixed": ["fighter.*.health", "fighter.*.damage", "rules.turn_cap"]}
    sample = study(dice_duel, document)
    section = sensitivity(sample)
    assert section is not None
    frame = found_by(sample).frame
    top = frame.iloc[0]
    assert section.answer.startswith("\u201cKnight: dice\u201d from 2 to 1 moves most: the win rate of Knight by")
    assert top["path"] == "fighter.knight.dice"
    table = lines(section, "sensitivity-steps")
    assert len(table) == len(frame)
    assert [row["rank"] for row in table] == list(range(1, len(frame) + 1))
    assert found_by(sample).games <= BUDGET.sensitivity_games


def test_without_effects_there_is_no_section(dice_duel):
    document = {**dice_duel.load(None).document, "fixed": ["fighter.*", "rules.*"]}
    sample = study(dice_duel, document)
    assert sensitivity(sample) is None
    assert sensitivity(study(dice_duel, budget=replace(BUDGET, sensitivity_games=100))) is None


def test_a_small_budget_tries_the_numbers_of_fighters_before_the_rules(dice_duel):
    cards = dice_duel.load(None)
    steps = candidates(dice_duel, cards).live
    assert chosen(cards, cards.ids, steps, 1000) == steps
    few = chosen(cards, cards.ids, steps, 20)
    assert 0 < len(few) <= 20
    assert all(step.field.startswith("fighter.") for step in few)
    assert len({step.field.split(".")[1] for step in few}) > 3  # of fighters throughout the file
    rules = [step for step in steps if step.field.startswith("rules.")] + list(steps[:4])
    assert any(step.field.startswith("rules.") for step in chosen(cards, cards.ids, tuple(rules), 6))
