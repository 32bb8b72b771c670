"""Single steps into the fair band, in Dice duel, whose true win rates are known; and whose numbers belong to an entrant."""

import numpy as np
import pytest

from analysis.data.study import Study
from analysis.tuning.goal import Band, Goal, is_leap, weighted
from analysis.tuning.named import tune_named
from analysis.tuning.numbers import entrants_named, numbers_of
from analysis.tuning.steps import Start, single_steps
from analysis.variants.variant import edited
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.registry import game_named
from tests.every_game.dice_duel.exact import win_rates

compiled = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")
SECONDS = 2.0


def study_of(game, *settings):
    cards = game.load(None)
    return Study(game, edited(game, cards, settings).cards if settings else cards, PolicySpec.parse("random"))


@compiled
@pytest.mark.slow
def test_single_steps_reach_the_band_by_the_exact_win_rates(dice_duel):
    study = study_of(dice_duel)
    true = win_rates(study.cards)
    ends = [int(true.argmax()), int(true.argmin())]
    frame = single_steps(study, [study.unit_ids[unit] for unit in ends], seconds=SECONDS)
    assert set(frame["entrant"]) <= {study.unit_ids[unit] for unit in ends}
    tested = frame[frame["tested"]]
    assert len(tested) >= 2
    covered = []
    for row in tested.to_dict("records"):
        unit = study.unit_ids.index(row["entrant"])
        assert row["path"].startswith(f"fighter.{row['entrant']}.")
        exact = win_rates(edited(dice_duel, study.cards, [row["setting"]]).cards)
        covered.append(row["low"] <= exact[unit] <= row["high"])
        assert (exact[unit] - true[unit]) * (0.5 - true[unit]) > 0, "moves the win rate towards the band"
        moved = np.abs(exact - true)
        moved[unit] = 0
        assert abs(row["other_change"]) == pytest.approx(moved.max(), abs=0.03)
        assert row["reaches"] == (0.45 <= row["rate"] <= 0.55)
    assert np.mean(covered) >= 0.8


@compiled
@pytest.mark.slow
def test_a_planted_step_is_undone_or_matched_by_as_small_a_step(dice_duel):
    study = study_of(dice_duel, "fighter.duelist.armour=2")
    duelist = study.unit_ids.index("duelist")
    assert 0.45 < win_rates(dice_duel.load(None))[duelist] < 0.55 < win_rates(study.cards)[duelist]
    frame = single_steps(study, ["Duelist"], seconds=SECONDS)
    first = frame.iloc[0]
    assert first["reaches"]
    assert abs(first["steps"]) == 1
    assert 0.43 < win_rates(edited(dice_duel, study.cards, [first["setting"]]).cards)[duelist] < 0.57


@compiled
@pytest.mark.slow
def test_an_entrant_within_the_band_needs_no_step(dice_duel):
    assert single_steps(study_of(dice_duel), ["knight"], Band(0.02, 0.98), SECONDS).empty


@compiled
@pytest.mark.slow
def test_a_win_rate_known_already_is_where_steps_start(dice_duel):
    study = study_of(dice_duel)
    weak = win_rates(study.cards).argmin()
    frame = single_steps(study, [int(weak)], Band(0.45, 0.55), SECONDS, {int(weak): Start(0.9, 0.01, 0.5)})
    assert (frame["after"] != frame["before"]).all()
    assert (frame.loc[~frame["tested"], "now"] == 0.9).all()


@compiled
@pytest.mark.slow
def test_a_step_that_is_the_proposal_has_the_win_rate_of_the_retest(dice_duel):
    study = study_of(dice_duel, "fighter.duelist.armour=2")
    duelist = study.unit_ids.index("duelist")
    tuned, frame = tune_named(study, Goal(only=(duelist,)), 4 * SECONDS)
    assert len(tuned.changes) == 1
    path, _, after = tuned.changes.iloc[0]
    (step,) = frame[(frame["path"] == path) & (frame["after"] == after)].to_dict("records")
    line = tuned.rates.iloc[duelist]
    assert (step["rate"], step["low"], step["high"], step["n"]) == tuple(line[["after", "after_low", "after_high", "n"]])
    assert step["reaches"] == (0.45 <= line["after"] <= 0.55)


def test_leaps_are_more_than_two_steps_or_half_of_the_value():
    assert not is_leap(2, -1)
    assert not is_leap(0, 1)
    assert not is_leap(4, 2)
    assert is_leap(3, 2)
    assert is_leap(20, 3)


def test_two_estimates_are_weighted_by_their_precision():
    mean, error = weighted((0.4, 0.1), (0.6, 0.05))
    assert mean == pytest.approx((0.4 * 100 + 0.6 * 400) / 500)
    assert error == pytest.approx(500**-0.5)


def test_entrants_are_named_by_id_or_name():
    ids, names = ("bow_master", "rhino_guy"), ["Bow Master", "Rhino Guy"]
    assert entrants_named(["Rhino Guy", "bow_master", "rhino_guy"], ids, names, "only") == [1, 0]
    with pytest.raises(ValueError, match=r"only='rino_guy'.*rhino_guy"):
        entrants_named(["rino_guy"], ids, names, "only")


def test_numbers_of_a_hero_are_those_of_its_table():
    cards = game_named("arena").load(None)
    numbers = numbers_of(cards, cards.ids, cards.ids.index("rhino_guy"))
    assert {number.path for number in numbers} >= {"hero.rhino_guy.move", "hero.rhino_guy.ability.charge.attack"}
    assert all(number.path.startswith("hero.rhino_guy.") and not number.others for number in numbers)


def test_numbers_of_a_deck_are_also_those_of_its_cards_its_own_first():
    cards = game_named("runeslingers").load(None)
    eva, erosion = cards.ids.index("eva_starter"), cards.ids.index("erosion")
    numbers = numbers_of(cards, cards.ids, eva, has_decks=True)
    by_path = {number.path: number for number in numbers}
    assert by_path["card.shouted_bolt.cost"].others == ()
    assert erosion in by_path["runeslinger.eva.health"].others  # both decks are led by Eva
    assert not any(path.startswith("runeslinger.romin") for path in by_path)
    shared = [bool(number.others) for number in numbers]
    assert shared == sorted(shared)
