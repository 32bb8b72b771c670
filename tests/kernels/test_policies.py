"""Policies: their names, the choices of greedy, its ties, and its number of samples."""

import re
from collections import Counter

import pytest
from scipy import stats

from sim.engine.contract import Game
from sim.engine.greedy import SAMPLE_STRIDE, choose_greedy
from sim.engine.policies import SAMPLES_MAX, Policy, PolicySpec, choose, new_workspace, players
from sim.engine.workspace import IMAGINED, ROLLED, best_option
from tests.every_game.play import fresh_dice

DRAWS = 1000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("random", "random"),
        (" greedy ", "greedy:4"),
        ("greedy:1", "greedy:1"),
        ("GREEDY:1000", "greedy:1000"),
        ("greedy:2/baseline", "greedy:2/baseline"),
        ("flat", "flat:200"),
        ("flat:50:3", "flat:50:3"),
        ("search", "search:200"),
        ("search:800:0", "search:800"),
        ("search:50:9/baseline", "search:50:9/baseline"),
        ("turn", "turn:4:4"),
        ("turn:6", "turn:6:4"),
        ("turn:2:16:1", "turn:2:16:1"),
        ("greedy/open", "greedy:4/open"),
        ("turn:2:16:1000/open", "turn:2:16:1000/open"),
    ],
)
def test_policies_are_read_and_written(text, shown):
    assert str(PolicySpec.parse(text)) == shown
    assert PolicySpec.parse(shown) == PolicySpec.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", "policy='gredy' is not known; known are random, greedy, turn, flat, search"),
        ("greedy/feet", "policy='greedy/feet' is not known"),
        ("greedy/open/open", "policy='greedy/open/open' is not known"),
        ("greedy/open/feet", "policy='greedy/open/feet' is not known"),
        ("random/open", "policy='random/open': random takes no number and evaluates nothing, unlike greedy:4"),
        ("random/baseline", "policy='random/baseline': random takes no number and evaluates nothing, unlike greedy:4"),
        ("greedy:4:2", "policy='greedy:4:2': greedy takes at most 1 number, as in greedy:4"),
        ("search:4:2:1", "policy='search:4:2:1': search takes at most 2 numbers, as in search:200:0"),
        ("turn:4:2:1:1", "policy='turn:4:2:1:1': turn takes at most 3 numbers, as in turn:4:4:0"),
        ("turn:0", "plans must be 1..100"),
        ("search:0", "playouts must be 1..100000"),
        ("flat:200:10001", "random decisions must be 0..10000"),
        ("", "policy='' is not known"),
        ("random:3", "policy='random:3': random takes no number and evaluates nothing, unlike greedy:4"),
        ("greedy:", "samples must be a whole number"),
        ("greedy:two", "samples must be a whole number"),
        ("greedy:-1", "samples must be a whole number"),
        ("greedy:²", "samples must be a whole number"),
        ("greedy:0", f"samples must be 1..{SAMPLES_MAX}"),
        ("greedy:1001", f"samples must be 1..{SAMPLES_MAX}"),
        ("greedy:" + "9" * 5000, f"samples must be 1..{SAMPLES_MAX}"),
    ],
)
def test_an_invalid_policy_is_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        PolicySpec.parse(text)


def test_the_player_table_holds_what_choose_reads():
    table = players([PolicySpec.parse("random"), PolicySpec.parse("greedy:9")])
    assert table["policy"].tolist() == [Policy.RANDOM, Policy.GREEDY]
    assert table["samples"].tolist() == [4, 9]


@pytest.fixture
def workspace(coin_duel: Game):
    """A position of Coin duel in which seat 1 decides last, with a bad card, against a player who holds."""

    def at(card: int = 1, number: int = 0):
        made = new_workspace(coin_duel.state, 8, 4)
        position = {"fighters": ["maul", "pike"], "hands": [3, card], "coins": [4, 4], "decided": 1}
        coin_duel.words.place(position, coin_duel.load(None), made.states[0])
        made.dice[ROLLED], made.dice[IMAGINED] = fresh_dice(number), fresh_dice(number)
        made.dice[IMAGINED]["role"] = IMAGINED
        made.options[:3] = 0, 1, 2
        return made

    return at


@pytest.mark.slow
def test_greedy_takes_the_best_by_evaluate(workspace, coin_duel: Game):
    cards = coin_duel.load(None).record[0]
    fold, _, most = range(3)
    assert {choose_greedy(workspace(1, number), cards, 100, 1, 3) for number in range(3)} == {fold}
    assert {choose_greedy(workspace(6, number), cards, 100, 1, 3) for number in range(3)} == {most}


def test_an_open_player_sees_the_other_card(workspace, coin_duel: Game):
    """The other player holds a 3: with a 2 it always loses and with a 4 it always wins, which another player cannot know."""
    cards, values = coin_duel.load(None).record, {}
    for policy in ("greedy:1/open", "greedy:100"):
        player = players([PolicySpec.parse(policy)])[0]
        for card in (2, 4):
            made = workspace(card)
            chosen = choose(made, cards, player, 1, 3, True, True)
            values[policy, card] = int(chosen), float(made.values[2])
    fold, _, most = range(3)
    assert [values["greedy:1/open", card][0] for card in (2, 4)] == [fold, most]
    assert values["greedy:1/open", 4][1] > values["greedy:100", 4][1]
    assert values["greedy:1/open", 2][1] < values["greedy:100", 2][1]


def test_greedy_imagines_each_sample_with_separate_dice(workspace, coin_duel: Game):
    made = workspace()
    choose_greedy(made, coin_duel.load(None).record[0], 5, 1, 3)
    assert made.dice[IMAGINED]["used"].min() == 5 * SAMPLE_STRIDE
    assert made.dice[IMAGINED]["used"].max() < 6 * SAMPLE_STRIDE
    assert made.dice[0]["drawn"] == 0


def test_the_values_of_greedy_are_means_over_its_samples(workspace, coin_duel: Game):
    cards, total = coin_duel.load(None).record[0], 0.0
    made = workspace(6)
    for _ in range(3):
        choose_greedy(made, cards, 1, 1, 3)
        total += made.values[2]
    again = workspace(6)
    choose_greedy(again, cards, 3, 1, 3)
    assert again.values[2] == pytest.approx(total / 3)


@pytest.mark.slow
def test_random_chooses_all_options_equally_often(workspace, coin_duel: Game):
    made, player = workspace(), players([PolicySpec.parse("random")])[0]
    cards = coin_duel.load(None).record
    drawn = Counter(int(choose(made, cards, player, 1, 3, True, True)) for _ in range(DRAWS))
    assert set(drawn) == {0, 1, 2}
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4


def test_only_ties_are_broken_at_random_and_evenly(workspace):
    made = workspace()
    made.values[:5] = 0.1, 0.7, 0.7, 0.2, 0.7
    drawn = Counter(int(best_option(made, made.values, 1, 5)) for _ in range(DRAWS))
    assert set(drawn) == {1, 2, 4}
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4
    made.values[3] = 0.8
    rolled = int(made.dice[0]["drawn"])
    assert best_option(made, made.values, 1, 5) == 3
    assert made.dice[0]["drawn"] == rolled
