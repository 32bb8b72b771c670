"""Explain an entrant: verdict, opponents, what carries it and steps into the band agree with exact odds, on one screen."""

import json
import shlex

import numpy as np
import pytest

import fairfight as ff
from analysis.data.study import Study
from analysis.questions.explain import subject_of
from analysis.variants.variant import edited
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.every_game.dice_duel.exact import matchup, win_rates
from tests.every_game.relay_teams import exact as relay

pytestmark = pytest.mark.slow

RANDOM = {"policy": "random", "progress": False, "jobs": 2}
LINES = 25  # of one screen


@pytest.fixture
def knight(dice_duel):
    """The strongest fighter of Dice duel, explained."""
    return ff.explain("dice_duel", "knight", **RANDOM)


def test_verdict_and_rate_are_those_of_winrates(knight):
    rates = ff.winrates("dice_duel", **RANDOM).frame
    line = rates[rates["name"] == "Knight"].iloc[0]
    verdict = knight.frame.iloc[0]
    for column in ("estimate", "low", "high", "n", "verdict"):
        assert verdict[column] == line[column]
    assert knight.summary.startswith("Knight is too strong: it wins 7")
    assert (verdict["entrant"], verdict["name"]) == ("knight", "Knight")


def test_opponents_are_in_the_order_of_the_exact_odds(dice_duel, knight):
    cards, met = dice_duel.load(None), knight.frames["opponents"]
    true = matchup(cards)[0]
    exact = np.array([true[cards.ids.index(one)] for one in met["entrant"]])
    assert len(met) == 7
    assert ((met["low"] - 0.02 <= exact) & (exact <= met["high"] + 0.02)).all()
    assert (met["n"] >= 100).all()
    best, worst = (
        next(line for line in knight.story if line.startswith(word)) for word in ("Wins most against:", "Wins least against:")
    )
    names = [cards.names[index] for index in np.argsort(-np.where(np.arange(8) == 0, np.nan, true))[:7]]
    assert names[0] in best
    assert names[-1] in worst
    assert best.count("%") == worst.count("%") == 3


def test_every_step_brings_it_into_the_band_and_has_its_command(dice_duel, knight):
    steps, cards = knight.frames["steps"], dice_duel.load(None)
    assert steps["tested"].any()
    for step in steps[steps["tested"]].to_dict("records"):
        assert 0.45 <= step["rate"] <= 0.55
        words = shlex.split(step["command"])
        assert words[:3] == ["fairfight", "whatif", "dice_duel"]
        assert words[words.index("--policy") + 1] == "random"
        exact = win_rates(edited(dice_duel, cards, [words[words.index("--set") + 1]]).cards)[0]
        assert step["low"] - 0.02 <= exact <= step["high"] + 0.02
    first = steps.iloc[0]
    assert f"{first['label']} {first['before']} to {first['after']}" in " ".join(knight.story)


def test_it_fits_one_screen_in_the_terminal(dice_duel):
    text = shown("explain", "dice_duel", "knight", "--policy", "random")
    lines = text.rstrip().splitlines()
    assert len(lines) <= LINES
    assert lines[0].startswith("Knight is too strong")
    assert "fairfight whatif dice_duel --set fighter.knight." in text
    data = json.loads(shown("explain", "dice_duel", "Knight", "--policy", "random", "--games", "560", "--json"))
    assert {"verdict", "opponents", "worth", "steps"} <= set(data)


def test_a_fair_entrant_has_opponents_and_no_steps(dice_duel):
    duelist = ff.explain("dice_duel", "duelist", 40_000, **RANDOM)
    assert duelist.summary.startswith("Duelist is fair: it wins 5")
    assert len(duelist.frames["opponents"]) == 7
    assert duelist.frames["steps"].empty
    assert duelist.story[-1] == "Its win rate lies in the fair band, so no steps are tried."


def test_opponents_met_too_rarely_meet_it_again(dice_duel):
    met = ff.explain("dice_duel", "golem", 560, **RANDOM).frames["opponents"]
    assert (met["n"] >= 100).all()
    assert len(met) == 7


def test_a_deck_is_carried_by_its_cards(deck_race):
    sharp = ff.explain("deck_race", "sharp", **RANDOM)
    worth = sharp.frames["worth"]
    assert worth["thing"].iloc[0] == "bee"
    assert worth["sure"].iloc[0]
    assert f"Carried by:         Bee +{100 * worth['worth'].iloc[0]:.1f} points" in sharp.story[2]


def test_a_part_of_teams_is_judged_by_its_contribution_and_meets_parts(relay_teams):
    ann, rates = ff.explain("relay_teams", "Ann", **RANDOM), ff.winrates("relay_teams", **RANDOM).frames["parts"]
    line = rates[rates["name"] == "Ann"].iloc[0]
    verdict = ann.frame.iloc[0]
    assert (verdict["estimate"], verdict["verdict"]) == (line["estimate"], line["verdict"])
    assert "in place of an average runner wins" in ann.summary
    assert set(ann.frames["opponents"]["entrant"]) == {"bo", "cy", "dee", "eve", "fay"}


def test_a_team_is_explained_by_its_parts(relay_teams):
    cards = relay_teams.load(None)
    team = ff.explain("relay_teams", "bo+ann", **RANDOM)
    exact = relay.rates(cards)[cards.ids.index("ann+bo")]
    verdict = team.frame.iloc[0]
    assert verdict["low"] - 0.02 <= exact <= verdict["high"] + 0.02
    assert set(team.frames["opponents"]["entrant"]) == {"cy", "dee", "eve", "fay"}
    assert set(team.frames["worth"]["thing"]) == {"ann", "bo"}
    assert "fairfight explain relay_teams ann" in " ".join(team.story)


def test_alone_there_is_a_success_rate_and_no_opponent(lone_climb):
    ann = ff.explain("lone_climb", "ann", 400, seats=1, **RANDOM)
    assert ann.summary.startswith("Ann: it succeeds in ")
    assert ann.frames["opponents"].empty
    assert ann.frames["steps"].empty
    assert ann.charts == ()
    assert "Alone there is no fair share" in ann.story[-1]


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("dice_duel", "knigt", "'knigt': is no fighter; did you mean \"knight\"?"),
        ("relay_teams", "anna", "'anna': is no runner; did you mean \"ann\"?"),
        ("relay_teams", "ann+bob", "'bob': is no runner; did you mean \"bo\"?"),
        ("relay_teams", "ann+bo+cy", "'ann+bo+cy': has 3 of the 2 runners of a relay"),
    ],
)
def test_an_unknown_entrant_is_one_message(game, name, message, request):
    request.getfixturevalue(game)
    assert message in refusal("explain", game, name)


def test_without_an_entrant_the_usage_is_shown(dice_duel):
    code, _, err = fairfight("explain", "dice_duel")
    assert code == 2
    assert "ENTRANT" in err


def test_names_ids_and_teams_are_found(relay_teams):
    study = Study(relay_teams, relay_teams.load(None))
    assert (subject_of(study, "Ann").unit, subject_of(study, "Ann").team) == (0, None)
    assert subject_of(study, "bo + ann").team == relay_teams.load(None).ids.index("ann+bo")
