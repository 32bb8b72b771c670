"""The typical, the most surprising and the closest of many games: on a made-up batch, also with shared and truncated games."""

import re

import numpy as np
import pandas as pd
import pytest

from analysis.answer.numbers import percent
from analysis.data.player import Player
from analysis.questions.replay import picks_answer
from analysis.replay.narrate import analysed_lines
from analysis.replay.select import GameAnalysis, checked_kind, distances, facts_of, pick, picks, to_replay, told_of
from analysis.timeline.courses import Courses
from sim.engine.jit import COMPILED
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.run import collect
from tests.analysis.made_games import cards_with, experiment
from tests.conftest import in_soak


def game(*chances):
    """A course of seat 0 at two seats, turn by turn."""
    return [(chance, 1 - chance) for chance in chances]


SWEEP, SWING, NEAR, SHORT, TIED = (
    game(0.7, 0.8, 0.9, 0.95),  # led throughout
    game(0.3, 0.05, 0.2, 0.6),  # was down to 5 %, at the end of turn 2
    game(0.52, 0.48, 0.55, 0.51),  # close throughout
    game(0.5),  # over at once: as close as possible, but short
    game(0.6, 0.6, 0.4, 0.6),  # a shared win
)
SHARES = [(1, 0), (1, 0), (0, 1), (1, 0), (0.5, 0.5)]


def batch(games=(SWEEP, SWING, NEAR, SHORT, TIED), shares=SHARES):
    """Facts of a batch, and its courses."""
    courses = Courses.of([np.array(item) for item in games], shares)
    return told_of(courses, pd.DataFrame({"decisions": [8, 8, 8, 2, 9][: len(games)]}))


def picked(facts, far):
    """Index of each pick, by its kind."""
    result = picks(facts, np.array(far), float(facts["turns"].median()))
    return dict(zip(result["kind"], result["index"], strict=True))


def test_the_right_games_of_a_made_up_batch_are_picked():
    assert picked(batch(), [0.4, 0.9, 0.3, 2.0, 0.8]) == {"typical": 2, "surprising": 1, "closest": 2}


def test_the_facts_of_a_made_up_batch_are_those_counted_by_hand():
    result = batch()
    assert result["turns"].tolist() == [4, 4, 4, 1, 4]
    assert result["lead"].to_numpy() == pytest.approx([0.675, 0.525, 0.05, 0.0, 0.2])
    assert result["changes"].tolist() == [0, 1, 0, 0, 2]
    assert result["least"].to_numpy() == pytest.approx([0.5, 0.05, 0.45, 0.5, np.nan], nan_ok=True)
    assert result["at"].to_numpy()[:3].tolist() == [1, 2, 3]
    assert np.isnan(result["at"][4])


def test_ties_pick_the_first_game_and_close_games_the_longest_undecided():
    result = batch((SWEEP, SWEEP, game(0.5, 0.6, 0.5, 0.5), game(0.5, 0.5, 0.5, 0.6)), [(1, 0)] * 4)
    table = picked(result, [0.5, 0.5, 0.5, 0.5])
    assert (table["typical"], table["surprising"]) == (0, 0)
    assert table["closest"] == 3


def test_without_a_sole_winner_there_is_no_surprise():
    result = batch((TIED, TIED), [(0.5, 0.5)] * 2)
    assert picked(result, [1, 0]) == {"typical": 1, "closest": 0}


def test_distances_are_quartile_distances_of_at_most_three():
    facts = pd.DataFrame({"turns": [1.0, 2, 3, 4, 5, 1000], "same": [7.0] * 6})
    assert distances(facts, facts.iloc[:5]).tolist() == [0.5, 0.25, 0.0, 0.25, 0.5, 1.5]


def test_few_games_are_all_replayed_but_of_many_the_typical_and_an_even_spread():
    near, even = to_replay(np.arange(10.0), 20)
    assert near.tolist() == even.tolist() == list(range(10))
    near, even = to_replay(np.array([5.0, 1, 4, 0, 3, 2, 9, 9, 9, 9]), 4)
    assert near.tolist() == [3, 1]
    assert even.tolist() == [0, 9]


@pytest.fixture
def stopped(coin_duel):
    """Games that are mostly truncated after four rounds."""
    return experiment(cards_with(turn_cap=4, goal=6), games=120)


def test_truncated_games_are_never_picked_and_counted_separately(stopped):
    rows = collect(stopped, 1).rows
    table = pick(stopped, 1000, Player(1))
    assert 0 < table.won < 0.5 * len(rows)
    assert (rows["status"][table.games["index"]] == Status.FINISHED).all()
    assert len(table.courses.index) == table.won
    facts = picks_answer(table).facts
    assert facts["won"] == facts["replayed"] == np.count_nonzero(rows["share"].any(axis=1))


def test_a_budget_of_replays_is_kept_and_described(coin_duel):
    made = experiment(cards_with(goal=4), games=120)
    result = pick(made, 20, Player(1))
    assert len(result.courses.index) <= 20
    looked_through = picks_answer(result).notes[0]
    assert "50\u202f% of the replays are of the games with the most typical results" in looked_through
    assert "the others are spread evenly" in looked_through
    assert set(result.games["index"]) <= set(result.courses.index)
    assert picks_answer(result).story == picks_answer(pick(made, 20, Player(3))).story


def test_facts_separate_winners_and_others(coin_duel):
    results = collect(experiment(cards_with(goal=4), games=30), 1)
    facts = facts_of(results)
    for index, row in enumerate(results.rows):
        won = np.flatnonzero(row["share"][:2] > 0)
        lost = np.flatnonzero(row["share"][:2] == 0)
        coins = results.outcomes["coins"][index]
        assert facts["coins, winner"][index] == coins[won].mean()
        assert facts["coins, others"][index] == (coins[lost].mean() if lost.size else 0)
    assert facts["rounds"].tolist() == results.outcomes["rounds"].tolist()


@pytest.mark.skipif(not COMPILED, reason="games of the product, with look-ahead")
@pytest.mark.parametrize(("name", "seats"), [("arena", 2), *map(in_soak, [("arena", 3), ("rookling", 2)])])
@pytest.mark.slow
def test_facts_of_a_game_equal_those_of_its_analysed_replay(name, seats):
    """The winner's lowest chance, its turn, and the turn from which the winner led for good."""
    made = Experiment(name, GAMES[name].load(None), seats, "greedy:1", 30)
    result = pick(made, 30, Player(1))
    for line in result.games.to_dict("records"):
        analysis = GameAnalysis.of(made, line["index"], PolicySpec.parse("greedy:1"))
        text = list(analysed_lines(analysis, pictures=False))
        ends = [re.match(r"End of turn (\d+), chances by the game's evaluation: ", item) for item in text]
        shown = {
            int(match[1]): float(re.search(rf"\(seat {analysis.winner + 1}\) ([\d.]+)\u202f%", match.string)[1])
            for match in ends
            if match
        }
        assert len(shown) == line["turns"] - 1
        if line["least"] < 1 / seats:
            assert percent(line["least"]) == percent(min(shown.values()) / 100)
            assert shown[int(line["at"])] == min(shown.values())
        point = [item for item in text if item.startswith("Turning point: ")]
        when = "none" if np.isnan(line["since"]) else f"turn {line['since']:.0f},"
        assert point[0].startswith(f"Turning point: {when}")


def test_bad_input_is_refused_in_one_message(coin_duel, stopped):
    with pytest.raises(ValueError, match="show='funny' must be typical, surprising or closest"):
        checked_kind("funny")
    with pytest.raises(ValueError, match="replays=0 must be at least 1"):
        pick(stopped, 0, Player(1))
    never = experiment(cards_with(turn_cap=1, goal=50), games=9)
    with pytest.raises(ValueError, match="games=9: none of them was won, so there is none to pick"):
        pick(never, 10, Player(1))
