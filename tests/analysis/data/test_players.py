"""Who plays if no player is named, and for how many games there is time."""

from dataclasses import replace

import pytest

import fairfight as ff
from analysis.data.budget import Budget
from analysis.data.names import policies_of
from analysis.data.players import GAMES_MOST, QUICK, chosen_players, games_in, player_words, thought
from analysis.data.study import Study
from analysis.games import experiment_of
from sim.registry import GAMES
from tests.conftest import BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_questions_reports_and_studies_have_the_same_players_and_games(name):
    game = GAMES[name]
    (strong,) = policies_of(game.player)
    assert experiment_of(ff.load(name), 1).policies == (strong,)
    study = Study(game, game.load(None))
    assert study.policy == strong
    assert study.games_in() == Budget.of(game).games == games_in(game, (strong,), study.contest)


def test_quick_players_are_a_choice_that_excludes_a_policy(coin_duel):
    assert chosen_players(coin_duel, None, quick=True) == policies_of(QUICK)
    assert chosen_players(coin_duel, "random", quick=False) == policies_of("random")
    with pytest.raises(ValueError, match="policy='random': quick players are greedy:4; leave one of the two out"):
        ff.winrates("coin_duel", policy="random", quick=True)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("turn:4:4", "strong players"),
        ("greedy:4", "quick players: greedy:4"),
        ("random", "random players"),
        ("search:50", "players: search:50"),
        ("greedy:4,random", "players greedy:4,random in turn by seat"),
    ],
)
def test_headings_name_the_players(coin_duel, policy, words):
    assert player_words(coin_duel, policies_of(policy)) == words


def test_the_policy_of_strong_players_is_named_where_it_is_asked_for(coin_duel):
    assert player_words(coin_duel, policies_of("turn:4:4"), exact=True) == "strong players (turn:4:4)"


def test_players_that_think_longer_play_fewer_games(coin_duel):
    game = replace(coin_duel, player="turn:4:4", speed={2: 100, 3: 60})
    assert [thought(one) for one in policies_of("random,greedy:4,turn:4:4,turn:4:8:1")] == [0, 4, 16, 128]
    assert games_in(game, policies_of("turn:4:4"), 2) == 1_200  # 6 seconds on two cores
    assert games_in(game, policies_of("turn:4:4"), 2, seconds=20) == 4_000
    assert games_in(game, policies_of("greedy:4"), 2) == 4_800
    assert games_in(game, policies_of("turn:4:8:1"), 2) == 150
    assert games_in(game, policies_of("random"), 2) == GAMES_MOST
    assert games_in(game, policies_of("greedy:4"), 2, most=500) == 500


def test_numbers_of_seats_have_speeds_of_their_own(coin_duel):
    game = replace(coin_duel, player="turn:4:4", speed={2: 100, 3: 60})
    assert [game.speed_at(seats) for seats in (1, 2, 3, 6)] == [400, 100, 60, 15]  # with the square of the seats beyond those
    assert games_in(game, policies_of("turn:4:4"), 3) == 720
    assert Budget.of(replace(game, seats=(2, 3))).games_at(3) == 720
