"""The command `fairfight strongest`: it names the strongest and the weakest entrant with adaptively allocated games."""

import numpy as np
import pytest

from analysis.winrates.strongest import INTERRUPTED, REACHED, Search, against_each, search
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from tests.analysis.cli.test_cli import refusal, shown
from tests.every_game.dice_duel.exact import win_rates


def of(game, sure=0.95, seed=1, evenly=False):
    experiment = Experiment(game.name, game.load(None), 2, (PolicySpec.parse("random"),), 1000, seed)
    return Search(against_each(experiment), sure, evenly)


def test_it_names_the_strongest_and_weakest_by_exact_win_rates(dice_duel):
    exact = win_rates(dice_duel.load(None))
    result = of(dice_duel, 0.999)
    assert search(result, 200_000, 2) == REACHED
    table = result.standings()
    assert table.loc[table["strongest"].idxmax(), "entrant"] == exact.argmax()
    assert table.loc[table["weakest"].idxmax(), "entrant"] == exact.argmin()
    known = exact[table["entrant"]]
    assert ((table["low"] <= known) & (known <= table["high"])).all()
    assert table["n"].sum() == result.games


def test_entrants_near_the_ends_get_more_games(dice_duel):
    order = np.argsort(win_rates(dice_duel.load(None)))
    result = of(dice_duel, 1 - 1e-12)
    search(result, 30_000, 2)
    ends, middle = result.rounds[order[[0, 1, -2, -1]]], result.rounds[order[2:-2]]
    assert ends.mean() > 1.3 * middle.mean()


def test_the_games_equal_those_of_the_entrant_against_all_others(coin_duel):
    result = of(coin_duel)
    search(result, 2 * result.first_games, 1)
    for entrant, against in enumerate(result.against):
        lines = against.plan_of(np.arange(int(result.rounds[entrant]) * result.round_games))
        assert (lines["entrant"][:, :2] == entrant).any(axis=1).all()
    assert result.games == result.rounds.sum() * result.round_games <= 2 * result.first_games


def test_the_text_names_the_strongest_and_the_weakest(coin_duel):
    text = " ".join(shown("strongest", "coin_duel", "--policy", "random").split())
    for words in ("The strongest fighter is", "The weakest fighter is", "To continue: fairfight strongest coin_duel"):
        assert words in text


def test_ctrl_c_keeps_complete_batches(coin_duel):
    result = of(coin_duel, 1 - 1e-12)

    def watch(_stage, done, _total):
        if done > 2 * result.first_games:
            raise KeyboardInterrupt

    assert search(result, 100_000, 1, watch) == INTERRUPTED
    assert result.games == result.rounds.sum() * result.round_games > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--sure", "1"), "sure=1.0 must be above 0 and below 1"),
        (("--games", "3"), "games=3 must be at least"),
        (("--policy", "random,greedy"), "one policy for all seats"),
        (("--jobs", "0"), "jobs=0 must be at least 1"),
    ],
)
def test_invalid_arguments_are_refused(arguments, message, coin_duel):
    assert message in refusal("strongest", "coin_duel", *arguments)
