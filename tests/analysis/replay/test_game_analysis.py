"""Analysed games: blunders compared with exact losses, luck that adds up, turning points."""

from itertools import product

import numpy as np
import pytest

from analysis.charts.special import course
from analysis.questions.replay import facts, moves, verdict
from analysis.replay import narrate
from analysis.replay.narrate import analysed_lines, lines_of, marks_of
from analysis.replay.select import Decision, GameAnalysis, checked, decisions_of
from analysis.timeline.courses import shared_out
from sim.engine.policies import PolicySpec
from sim.run import play_range
from tests.analysis.made_games import cards_with, experiment, placed, replayed
from tests.every_game.coin_duel import Action

SURE = 0.05  # four standard errors of two thousand playouts or samples, plus a little
ANALYSTS = ("search:200", "greedy:200")


def last_to_decide(cards, **more):
    """Seat 1, Maul, decides last: any decision ends the game. Seat 0 has held."""
    return placed(cards, **({"coins": [7, 7], "hands": [3, 1], "decided": 1, "first": 0, "stake": 1} | more))


def chance_to_hold(held: int) -> float:
    """Share of the win of Maul (8 faces) with the card `held` against Pike (6 faces) with another, both a coin from the goal."""
    cards = [card for card in range(1, 7) if card != held]
    sums = [(maul + held, pike + card) for card, maul, pike in product(cards, range(1, 9), range(1, 7))]
    return float(np.mean([1.0 if mine > theirs else 0.5 if mine == theirs else 0.0 for mine, theirs in sums]))


@pytest.mark.parametrize("analyst", ANALYSTS)
@pytest.mark.parametrize("held", [1, 6])
def test_folding_a_game_away_loses_the_whole_chance_of_holding(coin_duel, analyst, held):
    cards = cards_with(stake_max=1)
    state = last_to_decide(cards, hands=[3 if held != 3 else 2, held])
    log = replayed([(state, 1, Action.FOLD, 2)], state, (1.0, 0.0))
    result = decisions_of(experiment(cards), log, PolicySpec.parse(analyst))[0]
    assert result.actions == (Action.HOLD, Action.FOLD)
    assert result.chances[1] == 0
    assert result.given_away == pytest.approx(chance_to_hold(held), abs=SURE)
    assert result.mark == "blunder"


@pytest.mark.parametrize("analyst", ANALYSTS)
def test_the_better_decision_loses_nothing_and_ties_count_for_the_chosen_one(coin_duel, analyst):
    cards = cards_with()
    for action in (Action.HOLD, Action.RAISE):  # the stake no longer matters
        state = last_to_decide(cards, coins=[7, 7], hands=[1, 6])
        result = decisions_of(experiment(cards), replayed([(state, 1, action, 3)], state, (0.0, 1.0)), PolicySpec.parse(analyst))
        assert result[0].given_away == pytest.approx(0, abs=0.03)
        assert result[0].mark == ""


def test_a_forbidden_action_is_no_alternative(coin_duel):
    cards = cards_with()
    state = last_to_decide(cards)
    log = replayed([(state, 1, Action.FOLD, 2)], state, (1.0, 0.0))
    made = experiment(cards, forbidden=("maul:rule.raise",))
    assert set(decisions_of(made, log, PolicySpec.parse("greedy:4"))[0].actions) == {Action.FOLD, Action.HOLD}


@pytest.mark.parametrize(
    ("given", "mark"),
    [(0.0, ""), (0.0299, ""), (0.03, "inaccuracy"), (0.0699, "inaccuracy"), (0.07, "mistake"), (0.15, "blunder"), (1, "blunder")],
)
def test_marks_start_at_3_7_and_15_points(given, mark):
    assert Decision(0, (5, 6), (1.0, 1.0 - given), 1).mark == mark
    assert Decision(0, (5, 6), (1.0, 1.0 - given), 0).mark == ""


def test_random_players_evaluate_nothing():
    with pytest.raises(ValueError, match="analyst='random': decides at random and does not evaluate its options; use search:200"):
        checked(PolicySpec.parse("random"))


@pytest.fixture
def weighed(coin_duel):
    """Some analysed games of random players, who blunder."""
    return [GameAnalysis.of(experiment(cards_with(goal=5)), index, PolicySpec.parse("greedy:8")) for index in range(6)]


def test_the_luck_of_a_game_equals_that_of_the_engine(weighed):
    for item in weighed:
        block, _ = play_range(item.experiment, item.index, 1, rerolls=64)
        assert item.luck_in_all == pytest.approx(block.luck[0, :2])
        assert item.luck_in_all == pytest.approx(item.of_deal + item.luck.sum(axis=0))


def test_every_decision_with_an_alternative_is_evaluated_and_sums_are_over_marked_ones(weighed):
    for game in weighed:
        asked = np.flatnonzero(game.played.moves["options"] > 1)
        assert list(game.decisions) == asked.tolist()
        for seat in (0, 1):
            marked = [result for result in game.decisions.values() if result.seat == seat and result.mark]
            assert sum(game.marked(seat).values()) == len(marked)
            assert game.given_away(seat) == pytest.approx(sum(result.given_away for result in marked))
    assert any(game.marked(seat)["blunder"] for game in weighed for seat in (0, 1))


def test_after_the_turning_point_the_winner_is_never_behind_again(weighed):
    turned = [game for game in weighed if game.turning_point is not None]
    assert turned
    for game in turned:
        chances = game.chances[:, game.winner]
        assert chances[game.turning_point] <= 0.5 + 1e-9
        assert (chances[game.turning_point + 1 :] > 0.5).all()


def made(evaluated, share, luck=None):
    """A game with these evaluations of seat 0 and no analysed decisions."""
    cards = cards_with()
    state = last_to_decide(cards)
    log = replayed([(state, 1, Action.HOLD, 2)] * (len(evaluated) - 1), state, share)
    course = np.stack([evaluated, 1 - np.array(evaluated)], axis=1)
    moved = np.zeros(course.shape) if luck is None else np.stack([luck, -np.array(luck)], axis=1)
    return GameAnalysis(experiment(cards), 0, log, PolicySpec.parse("greedy:8"), {}, course, moved, np.zeros(2))


def test_the_turning_point_is_the_last_position_at_or_below_even(coin_duel):
    assert made([0.5, 0.7, 0.4, 0.5, 0.6, 1.0], (1, 0)).turning_point == 3
    assert made([0.6, 0.7, 1.0], (1, 0)).turning_point is None
    assert made([0.5, 0.3, 0.8, 0.0], (0, 1)).turning_point == 2


@pytest.mark.parametrize(
    ("share", "message"),
    [
        ((0, 0), "none, because the game was stopped"),
        ((0.5, 0.5), "none, because the win is shared"),
        ((1, 0), "none, because Pike was ahead from the deal on"),
    ],
)
def test_without_a_sole_winner_or_a_lost_lead_there_is_no_turning_point(coin_duel, share, message):
    game = made([0.6, 0.7, 0.8], share)
    assert game.turning_point is None
    assert narrate.turning_words(game) == message


def test_luck_is_marked_from_ten_points_in_either_direction(coin_duel):
    game = made([0.5] * 5, (1, 0), [0.0999, 0.1, -0.25, 0.0, 0.0])
    assert [game.lucky(line) for line in range(4)] == [{}, {0: 0.1, 1: -0.1}, {0: -0.25, 1: 0.25}, {}]
    texts = list(narrate.luck_lines(game, 2))
    assert texts == ["      unlucky for Pike (seat 1): \u221225.0 points", "      lucky for Maul (seat 2): +25.0 points"]
    end = narrate.turn_end(game, 2)
    assert "Pike (seat 1) 50.0" in end
    assert "Maul (seat 2) 50.0" in end


def test_chances_add_up_even_if_all_are_zero():
    assert shared_out(np.array([[0.25, 0.25], [0.0, 0.0]])).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert shared_out(np.array([[0.125, 0.375]])).tolist() == [[0.25, 0.75]]
    assert shared_out(np.array([[0.25], [0.0], [1.0]])).tolist() == [[0.25], [0.0], [1.0]]  # at one seat it is the evaluation


def test_the_best_options_and_always_the_chosen_one_are_shown():
    options = Decision(0, tuple(range(9)), tuple(np.linspace(0.9, 0.1, 9)), 7)
    assert narrate.shown_places(options) == [0, 1, 2, 3, 7]
    assert narrate.shown_places(Decision(0, (1, 2), (0.5, 0.4), 1)) == [0, 1]


def test_lines_and_values_agree(weighed):
    blundered = next(game for game in weighed if game.marked(0)["blunder"])
    text, game = "\n".join(analysed_lines(blundered)), (blundered.experiment, blundered.played, blundered)
    result = {"moves": moves(*game).to_dict("records")} | facts(game[0], blundered.index, *game[1:])
    assert text.count("BLUNDER: gives away") == blundered.marked(0)["blunder"] + blundered.marked(1)["blunder"]
    assert [move.get("mark") for move in result["moves"]].count("blunder") == text.count("BLUNDER: gives away")
    assert result["analysis"]["marks"] == [blundered.marked(0), blundered.marked(1)]
    assert result["analysis"]["luck"] == pytest.approx(blundered.luck_in_all)
    assert text.count("unlucky for") == sum(len(move["unlucky"]) for move in result["moves"])
    for line, move in enumerate(result["moves"]):
        chosen = [option["decision"] for option in move.get("alternatives", ()) if option["chosen"]]
        assert chosen == ([move["decision"]] if move["options"] > 1 else [])
        assert move["chances"] == blundered.chances[line].tolist()


def test_the_verdict_and_the_short_story_name_who_gave_away_most_and_its_worst_decision(weighed):
    blundered = max(weighed, key=lambda game: game.given_away(0))
    decisions = [decision for decision in blundered.decisions.values() if decision.mark]
    most = max(range(2), key=blundered.given_away)
    assert f"{blundered.seated[most]} gave away most, {100 * blundered.given_away(most):.1f}" in verdict(blundered)
    (first,) = [line for line in narrate.worst_decisions(blundered) if line.startswith("    ")][:1]
    assert f"gives away {100 * max(decision.given_away for decision in decisions):.1f}" in first
    good = made([0.5, 0.7, 1.0], (1, 0))
    assert verdict(good).endswith("; no decision gave away much.")
    assert not [line for line in narrate.worst_decisions(good) if "gave away most" in line]


def test_the_short_story_of_a_replay_ends_with_its_last_turn_and_fits_a_screen(weighed):
    for item in weighed:
        game = (item.experiment, item.index, item.played)
        whole, brief = list(narrate.replay_lines(*game, pictures=False)), list(narrate.last_turns(*game))
        assert narrate.printed(brief) <= narrate.BRIEF + 2
        assert whole[-4:-2] == brief[-2:]


def test_the_chart_has_every_blunder_and_chances_that_add_up(weighed):
    for item in weighed:
        marks = marks_of(item)["kind"]
        assert lines_of(item).groupby("x")["estimate"].sum().to_numpy() == pytest.approx(1)
        assert (marks == "blunder").sum() == item.marked(0)["blunder"] + item.marked(1)["blunder"]
        assert (marks == "lucky").sum() == sum(bool(item.lucky(line)) for line in range(len(item.luck)))


def drawn(figure, gid):
    """Positions of the marks of a kind in the chart."""
    (axes, *_) = figure.axes
    return [(mark.get_xdata()[0], mark.get_ydata()[0]) for mark in axes.lines if mark.get_gid() == gid]


def test_marks_are_on_the_lines_of_their_seats(coin_duel):
    game = made([0.5, 0.75, 0.5, 1.0], (1, 0), [0.25, -0.25, 0.0, 0.0])
    game.decisions[1] = Decision(1, (1, 0), (0.6, 0.4), 1)
    figure = course(lines_of(game), marks_of(game), turning=game.turning_point)
    assert drawn(figure, "blunder") == [(1, 0.25)]
    (first, up), (second, down) = drawn(figure, "lucky")
    assert (first, second) == (1, 2)
    assert up > 0.75  # Pike's above its line, then Maul's
    assert down > 0.5
    assert drawn(figure, "unlucky") == []
    assert drawn(figure, "turning") == [(2, 0)]
