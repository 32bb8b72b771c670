"""Questions of the workbench about an entrant, in a thread of their own: all steps against exact odds, explanations, stops."""

import threading

import pytest

from analysis.data.study import Study
from analysis.questions.explain import explain
from analysis.variants.variant import edited
from analysis.workbench import drawing
from analysis.workbench.inquiry import Inquiry, all_steps
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.every_game.dice_duel import GAME as DUEL
from tests.every_game.dice_duel import exact

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("dice_duel")]

CARDS = DUEL.load(None)
SECONDS = 120  # longest wait: machines are shared


def base():
    return Experiment(DUEL.name, CARDS, 2, (PolicySpec.parse("random"),), 1, 3)


def answered(inquiry):
    assert inquiry.wait(SECONDS)
    assert inquiry.error == ""
    return inquiry.answer


def test_every_step_leads_near_the_exact_win_rate():
    steps = answered(Inquiry(base(), CARDS, lambda study: all_steps(study, "archer", 1.0), 2))
    numbers = ["health", "dice", "hit_on", "armour", "damage"]
    assert list(dict.fromkeys(steps["path"])) == [f"fighter.archer.{name}" for name in numbers]
    assert len(steps) == 8  # armour cannot go below 0, nor damage
    known = exact.win_rates(CARDS)[2]
    for step in steps.to_dict("records"):
        assert abs(step["after"] - step["before"]) == 1
        true = exact.win_rates(edited(DUEL, CARDS, [f"{step['path']}={step['after']}"]).cards)[2]
        assert step["rate"] == pytest.approx(true, abs=0.05)
        assert step["low"] - 0.02 <= true - known <= step["high"] + 0.02
        assert step["n"] >= 100
    words = drawing.steps(steps)
    assert words[0][0] == "health 52 to 51"
    assert words[0][1].endswith("%")


def test_the_edited_cards_are_explained():
    cards = edited(DUEL, CARDS, ["fighter.archer.health=90"]).cards
    answer = answered(Inquiry(base(), cards, lambda study: explain.answer(study, entrant="archer", games=1_120), 2))
    assert answer.summary.startswith("Archer is too strong")
    facts = drawing.explanation(answer)
    assert facts["lines"][0] == answer.summary
    assert any(line.startswith("Wins most against:") for line in facts["lines"])
    html = drawing.drawn("explanation", facts)
    assert "Archer is too strong" in html


def test_an_abandoned_inquiry_stops_and_a_failing_one_has_its_message():
    begun, go_on = threading.Event(), threading.Event()

    def ask(study: Study):
        begun.set()
        assert go_on.wait(SECONDS)
        study.player.watch("games", 1, 2)

    inquiry = Inquiry(base(), CARDS, ask)
    assert begun.wait(SECONDS)
    assert not inquiry.is_done
    inquiry.abandon()
    go_on.set()
    assert inquiry.wait(SECONDS)
    assert (inquiry.answer, inquiry.error) == (None, "stopped")
    failed = Inquiry(base(), CARDS, lambda study: explain.answer(study, entrant="nobody"))
    assert failed.wait(SECONDS)
    assert failed.error.startswith("'nobody': is no fighter")
