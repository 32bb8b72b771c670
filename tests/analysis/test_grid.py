"""A grid asks a question once for each combination, with the numbers of that question, and names the cell of an error."""

import pandas as pd
import pytest

import fairfight as ff
from sim.engine.jit import COMPILED
from tests.analysis.cli.test_on_runs import COINS
from tests.every_game.dice_duel import GAME as DICE

pytestmark = pytest.mark.skipif(not COMPILED, reason="plays games")

QUIET = {"progress": False, "jobs": 1}


@pytest.fixture(autouse=True)
def games(monkeypatch):
    for game in (COINS, DICE):
        monkeypatch.setitem(ff.check.__globals__["GAMES"], game.name, game)


def test_rows_are_those_of_each_question_after_the_arguments_that_vary():
    rates = ff.grid(ff.winrates, "coin_duel", policy=["random", "greedy:1"], seats=[2, 3], games=60, **QUIET)
    assert list(rates.columns[:3]) == ["policy", "seats", "entrant"]
    assert rates[["policy", "seats"]].drop_duplicates().to_numpy().tolist() == [
        ["random", 2],
        ["random", 3],
        ["greedy:1", 2],
        ["greedy:1", 3],
    ]
    alone = ff.winrates("coin_duel", 60, policy="greedy:1", seats=3, **QUIET).frame
    cell = rates.query("policy == 'greedy:1' and seats == 3").dropna(axis=1, how="all").reset_index(drop=True)
    pd.testing.assert_frame_equal(
        cell[["entrant", "estimate", "n", "seat_2"]], alone[["entrant", "estimate", "n", "seat_2"]], check_dtype=False
    )


def test_card_sets_are_named_by_their_labels_and_another_table_can_be_chosen():
    dice = ff.load("dice_duel")
    sets = {"now": dice, "tougher": dice.set("fighter.knight.health", 43)}
    pairs = ff.grid(ff.winrates, sets, games=112, policy="random", table="pairs", **QUIET)
    assert pairs["cards"].unique().tolist() == ["now", "tougher"]
    alone = ff.winrates(sets["tougher"], 112, policy="random", **QUIET)["pairs"]
    pd.testing.assert_frame_equal(pairs.query("cards == 'tougher'").drop(columns="cards").reset_index(drop=True), alone)


def test_a_list_of_words_is_one_value_of_an_argument_that_takes_words():
    line_ups = [["knight", "ogre"], ["ogre", "knight"]]
    rates = ff.grid(ff.winrates, "dice_duel", line_up=line_ups, games=20, policy="random", **QUIET)
    assert rates["line_up"].unique().tolist() == ["knight, ogre", "ogre, knight"]
    with pytest.raises(ValueError, match="grid: no argument is a list"):
        ff.grid(ff.winrates, "dice_duel", line_up=["knight", "ogre"], games=20, policy="random", **QUIET)


def test_an_error_names_its_cell_and_an_unknown_table_the_nearest_one():
    with pytest.raises(ValueError, match=r"seats=9: seats=9: "):
        ff.grid(ff.winrates, "coin_duel", seats=[2, 9], games=60, policy="random", **QUIET)
    with pytest.raises(KeyError, match=r"did you mean \W*turn_order"):
        ff.grid(ff.winrates, "coin_duel", seats=[2, 3], games=60, policy="random", table="turn_orders", **QUIET)
