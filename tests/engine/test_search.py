"""The tree search: what it finds in a small game, and that its tree adds up."""

import numpy as np
import pytest

from sim.engine.contract import Game
from sim.engine.greedy import SAMPLE_STRIDE
from sim.engine.jit import interpreted
from sim.engine.policies import PolicySpec
from sim.engine.search import GLANCE, STRIDE, is_ahead
from sim.engine.workspace import IMAGINED, NODE
from sim.run import collect
from tests.every_game.play import choice, enough, experiment

PLAYOUTS = enough(300, 60)


@pytest.fixture
def last_to_decide(coin_duel: Game):
    """A position of Coin duel in which seat 1 decides last, with a given card, against a player who holds."""

    def at(card: int) -> np.void:
        state = np.zeros(1, coin_duel.state)[0]
        position = {"fighters": ["maul", "pike"], "hands": [3, card], "coins": [4, 4], "decided": 1}
        coin_duel.words.place(position, coin_duel.load(None), state)
        return state

    return at


@pytest.mark.parametrize("policy", ["flat:600:0", "search:2000", "search:2000:2"])
def test_a_bad_card_is_not_raised_and_the_best_is(last_to_decide, coin_duel: Game, policy: str):
    """With random playouts, a 1 wins 0.34 if folded, 0.31 if held and 0.22 if raised; a 6 wins 0.34, 0.49 and 0.58."""
    cards = coin_duel.load(None).record
    most = 2
    assert most not in {choice(coin_duel, last_to_decide(1), cards, n, policy)[0] for n in range(3)}
    assert {choice(coin_duel, last_to_decide(6), cards, n, policy)[0] for n in range(3)} == {most}


def test_the_tree_adds_up(last_to_decide, coin_duel: Game):
    _, workspace = choice(coin_duel, last_to_decide(4), coin_duel.load(None).record, 0, f"search:{PLAYOUTS}")
    tree, nodes = workspace.tree, int(workspace.tree[0]["next"])
    roots = tree[1:4]
    assert roots["visits"].sum() == PLAYOUTS
    assert roots["visits"].min() >= 1
    assert nodes <= PLAYOUTS + 4
    for node in range(1, nodes):
        below, child = 0, int(tree[node]["first"])
        while child:
            below += int(tree[child]["visits"])
            assert tree[child]["open"] >= tree[child]["visits"] >= 1
            child = int(tree[child]["next"])
        assert below <= tree[node]["visits"] - 1  # the first visit evaluated the node itself
        assert 0 <= tree[node]["worth"] <= tree[node]["visits"]
    assert np.allclose(workspace.values[:3], roots["worth"] / roots["visits"])


def test_every_visit_has_separate_dice_that_are_the_same_for_all_options(last_to_decide, coin_duel: Game):
    """Reserved dice: those of the first choice, and one stride for each visit of the most visited option."""
    _, workspace = choice(coin_duel, last_to_decide(4), coin_duel.load(None).record, 0, f"search:{PLAYOUTS}")
    used = workspace.dice[IMAGINED]["used"]
    glance = int(GLANCE) * SAMPLE_STRIDE
    assert used.min() == glance + STRIDE * workspace.tree[1:4]["visits"].max()
    assert used.max() < used.min() + SAMPLE_STRIDE  # resampled for the samples of the first glance


def test_the_choice_of_a_greedy_player_gets_the_most_visits(last_to_decide, coin_duel: Game):
    cards = coin_duel.load(None).record
    for hand in (1, 2, 4, 5, 6):
        first, workspace = choice(coin_duel, last_to_decide(hand), cards, hand, f"greedy:{GLANCE}")
        option = int(np.flatnonzero(workspace.options[:3] == first)[0])
        _, workspace = choice(coin_duel, last_to_decide(hand), cards, hand, f"search:{PLAYOUTS}")
        assert workspace.tree[1 + option]["visits"] == workspace.tree[1:4]["visits"].max()
        assert workspace.tree[1 + option]["lead"] == workspace.tree[1 + option]["lead_squares"] == 0


@pytest.mark.parametrize(
    ("leads", "ahead"),
    [
        ([0.1, 0.1, 0.1, 0.1], True),
        ([0.3, 0.1, 0.2, 0.2], True),
        ([0.3, -0.3, 0.2, -0.1], False),  # 0.025 with a standard error of 0.13
        ([0.3, -0.2, 0.2, 0.1], False),  # 0.1, and 0.108
        ([0.3, -0.19, 0.2, 0.12], True),  # 0.1075, and 0.1057
        ([-0.1, -0.1, -0.1, -0.1], False),
        ([0.0, 0.0, 0.0, 0.0], False),
        ([0.5], False),  # one visit has no standard error
    ],
)
def test_another_option_is_chosen_if_it_leads_by_more_than_a_standard_error(leads: list[float], ahead: bool):
    node = np.zeros(1, NODE)[0]
    node["visits"], node["lead"], node["lead_squares"] = len(leads), sum(leads), sum(lead * lead for lead in leads)
    with interpreted():
        assert is_ahead(node) == ahead


def test_search_visits_every_option_even_with_fewer_playouts(last_to_decide, coin_duel: Game):
    _, workspace = choice(coin_duel, last_to_decide(4), coin_duel.load(None).record, 0, "search:1")
    assert workspace.tree[1:4]["visits"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_search_beats_random_at_every_number_of_seats(coin_duel: Game, seats: int):
    policies = tuple(PolicySpec.parse("search:30" if seat == 0 else "random") for seat in range(seats))
    if seats not in coin_duel.seats:
        pytest.skip("not a table of this game")
    made = experiment(coin_duel, enough(300, 60), ",".join(map(str, policies)), seats)
    shares = collect(made, jobs=1).rows["share"]
    assert shares[:, 0].mean() > 1 / seats + 3 * shares[:, 0].std() / len(shares) ** 0.5
