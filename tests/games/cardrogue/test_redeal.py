"""Register section 6: what nobody knows is dealt anew before a policy thinks, and what all can see stays."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sim.engine import contract
from sim.games.cardrogue import GAME
from sim.games.cardrogue.state import Down
from tests.every_game.play import enough, fields, greedy_choice, options, redealt
from tests.games.cardrogue.positions import Play, dealt, layout

ROWS = ("?E:troll  ?F     P5", "?O:red    S     ?K", "P5        ?C    L8")
UNKNOWN = 5  # cells of it that lie face-down


def hidden_cells(state: np.void) -> list[int]:
    """What lies face-down on the map, by cell."""
    return state["on"][state["down"] == Down.MAPPED].tolist()


def unknown_dungeon(**rules: object) -> Play:
    return layout(*ROWS, goals=["chest"], **rules)


def test_rogue_107_a_redeal_shuffles_what_lies_face_down_and_keeps_the_rest():
    game = unknown_dungeon()
    before = game.state.copy()
    seen, dealt_anew = fields(before), set()
    for number in range(20):
        other = redealt(before, game.cards.record, 0, number)
        after = fields(other)
        assert [name for name in seen if seen[name] != after[name]] in ([], ["on"])
        face_up = before["down"] != Down.MAPPED
        assert np.array_equal(before["on"][face_up], other["on"][face_up])
        assert sorted(hidden_cells(other)) == sorted(hidden_cells(before))
        assert options(GAME, other, game.cards.record) == options(GAME, before, game.cards.record)
        dealt_anew.add(tuple(hidden_cells(other)))
    assert len(dealt_anew) > UNKNOWN


def test_rogue_107_a_redeal_puts_every_card_everywhere_equally_often():
    game = unknown_dungeon()
    before, found = game.state.copy(), Counter()
    for number in range(enough(2000, 200)):
        found.update(enumerate(hidden_cells(redealt(before, game.cards.record, 0, number))))
    assert len(found) == UNKNOWN**2
    assert stats.chisquare(list(found.values())).pvalue > 1e-4


def test_rogue_107_greedy_does_not_look_under_the_cards_of_a_fixed_layout():
    """Its decisions are the same whatever lies there."""
    game = unknown_dungeon()
    for number in range(enough(60, 12)):
        state, seat = game.state.copy(), game.to_act
        chosen, _ = greedy_choice(GAME, state, game.cards.record, seat, number)
        for deal in range(3):
            other = redealt(state, game.cards.record, seat, deal)
            assert greedy_choice(GAME, other, game.cards.record, seat, number)[0] == chosen
        contract.apply_action(game.state, game.cards.record[0], np.int32(chosen), game.bench.dice[0])
        if game.over:
            break
    assert number


@pytest.mark.parametrize("seats", [1, 4])
def test_without_a_fixed_layout_there_is_nothing_to_deal_anew(seats):
    """The identity of a card is drawn when it is turned over."""
    game = dealt(seats)
    assert fields(redealt(game.state, game.cards.record, 0)) == fields(game.state)
