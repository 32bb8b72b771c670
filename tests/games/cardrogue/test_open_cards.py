"""Players that see hidden cards: what lies face-down is settled, they find it in their samples, and other players do not."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim.engine.inspection import evaluate_options
from sim.engine.policies import Policy, PolicySpec, players
from sim.engine.workspace import IMAGINED, ROLLED
from sim.games.cardrogue import GAME
from sim.games.cardrogue.hidden import draw_exploration, draw_pathing, lying_on
from sim.games.cardrogue.record import STRIDE
from tests.every_game.play import enough, fresh_dice
from tests.games.cardrogue.positions import EAST, FOUR, MIDDLE, NORTH, Play, a, dealt, table

MAP = {"5,12": FOUR, "6,12": "?", "5,13": "?", "4,12": "S"}
FOUND, FOE = "key", "troll"  # for a player with one health, a gain and a loss


def between_two_cards(number: int) -> Play:
    """A weak player between two face-down cards, with two cards unseen: the key and a troll. number: of the dice."""
    own = a("warrior", MIDDLE, health=1)
    game = table(own, a("bard", (9, 9)), map={**MAP, "9,9": FOUR}, unseen={FOUND: 1, FOE: 1})
    game.do("flip")
    for role in (ROLLED, IMAGINED):
        game.workspace.dice[role] = fresh_dice(number, turn=int(game.state["turn"]))
        game.workspace.dice[role]["role"], game.workspace.dice[role]["open"] = role, 1
    return game


def lies(game: Play, at: tuple[int, int]) -> int:
    """Entry of the card on a cell."""
    return lying_on(game.state, game.record, at[0] * STRIDE + at[1], game.workspace.dice[ROLLED])


def chosen(game: Play, policy: str) -> str:
    """Words of a policy's decision; the values of the options stay in the workspace."""
    player = players([PolicySpec.parse(policy)])
    assert player[0]["policy"] == Policy.GREEDY
    listed, values = np.zeros((1, GAME.options_max), np.int32), np.zeros((1, GAME.options_max))
    best = evaluate_options(game.workspace, game.cards.record, player, np.array([game.state]), listed, values)
    return {code: words for words, code in game.codes.items()}[int(listed[0, best])]


def test_rogue_04_a_player_that_sees_hidden_cards_turns_over_the_good_one():
    found = Counter()
    for number in range(12):
        game = between_two_cards(number)
        sides = {"flip north": lies(game, NORTH), "flip east": lies(game, EAST)}
        if len(set(sides.values())) == 2:
            words = chosen(game, "greedy:1/open")
            found[words] += 1
            assert sides[words] == min(sides.values())  # cards come before tiles
    assert set(found) == {"flip north", "flip east"}


def test_rogue_04_other_players_do_not_see_hidden_cards():
    """Both cards look alike to them, even if what lies there is settled for another player's sake."""
    for number in range(6):
        game = between_two_cards(number)
        chosen(game, "greedy:4")
        assert game.workspace.values[0] == game.workspace.values[1] > 0


def test_rogue_04_a_settled_card_is_the_same_in_every_turn_and_sample():
    for number in range(6):
        game, turned = between_two_cards(number), []
        expected = lies(game, NORTH)
        for role, turn in ((ROLLED, 0), (ROLLED, 9), (IMAGINED, 4)):
            dice = fresh_dice(number, turn=turn)
            dice["role"], dice["open"] = role, 1
            turned.append(draw_exploration(game.state.copy(), game.record, NORTH[0] * STRIDE + NORTH[1], dice))
            assert dice["drawn"] == 0
        assert turned == [expected] * 3


@pytest.mark.parametrize("deck", ["unseen", "pathing"])
def test_rogue_04_18_settled_cards_are_the_whole_deck_and_equally_likely(deck: str):
    game, first, games = dealt(1), Counter(), enough(4000, 400)
    counts = game.state[deck].astype(int)
    for number in range(games):
        state, dice = game.state.copy(), fresh_dice(number)
        dice["open"] = 1
        drawn = Counter()
        for cell in range(int(counts.sum()) if number < 3 else 1):
            pathing = deck == "pathing"
            entry = draw_pathing(state, dice) if pathing else draw_exploration(state, game.record, np.int64(cell), dice)
            first[entry] += cell == 0
            drawn[entry] += 1
        if number < 3:
            assert [drawn[entry] for entry in range(len(counts))] == counts.tolist()
    expected = games * counts[counts > 0] / counts.sum()
    assert stats.chisquare([first[entry] for entry in np.flatnonzero(counts)], expected).pvalue > 1e-4
