"""What carries an entrant: cards of Deck race against exact odds, abilities by their names, stance and ability of a deck."""

import numpy as np
import pytest

from analysis.data.shares import Shares
from analysis.tuning.carrying import CARDS, trials_of, worths
from analysis.variants.variant import part_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import game_named
from tests.analysis.made_games import cards_with
from tests.analysis.made_games import experiment as coin_experiment
from tests.every_game.deck_race.exact import rate, replaced
from tests.every_game.play import enough


def experiment(game, games=1, policy="random", **more):
    return Experiment(game.name, game.load(None), 2, (PolicySpec.parse(policy),), games, **more)


@pytest.mark.slow
def test_the_worth_of_a_card_is_the_exact_one(deck_race):
    base = experiment(deck_race, enough(3_000, 60), policy="greedy:1")
    cards, deck = base.cards, 0
    own = part_of(base, 0, base.games, deck)
    trials = trials_of(base, deck)
    assert len(trials) == CARDS
    table = worths(own, Shares.of(own), trials, deck, 1)
    assert (np.diff(table["worth"]) <= 0).all()
    others = [other for other in range(len(cards.ids)) if other != deck]
    for line in table.to_dict("records"):
        without = replaced(deck_race, cards, deck, line["thing"])
        true = np.mean([rate(cards, deck, other) - rate(without, deck, other) for other in others])
        assert line["low"] - 0.01 <= true <= line["high"] + 0.01
        assert line["worth"] == pytest.approx(line["before"] - line["after"])
    assert table["n"].tolist() == [own.games] * CARDS


def test_abilities_are_those_that_are_named_after_the_entrant():
    arena = game_named("arena")
    base = experiment(arena)
    rhino = base.cards.ids.index("rhino_guy")
    trials = trials_of(base, rhino)
    assert [trial.name for trial in trials] == ["Hammer Time", "Charge", "Thick Skin"]
    assert trials[0].forbidden == ("rhino_guy:hero.rhino_guy.hammer_time",)
    assert all(trial.cards is base.cards for trial in trials)


def test_a_part_of_teams_is_without_its_ability_in_every_team():
    rookling = game_named("rookling")
    base = experiment(rookling)
    trials = trials_of(base, base.teams.ids.index("rute"))
    assert [trial.forbidden for trial in trials] == [(f"rookling.rute.{name}",) for name in ("sting", "hide", "antidote")]


def test_a_deck_can_do_without_what_it_brings_besides_cards():
    slingers = game_named("runeslingers")
    base = experiment(slingers)
    trials = trials_of(base, base.cards.ids.index("romin_starter"))
    assert {trial.thing for trial in trials} >= {"Stance", "Ability"}
    assert all(trial.cards.digest != base.cards.digest for trial in trials)


def test_without_things_there_is_an_empty_table(coin_duel):
    base = coin_experiment(cards_with())
    assert trials_of(base, 0) == []
    table = worths(part_of(base, 0, base.games, 0), Shares.of(part_of(base, 0, base.games, 0)), [], 0, 1)
    assert table.empty
    assert {"worth", "low", "high", "n", "sure"} <= set(table)
