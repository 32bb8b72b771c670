"""Rules that compensate for going second: their effect on the second player, and no effect at their defaults."""

from collections.abc import Callable

import numpy as np
import pytest

from analysis.variants.variant import each_value
from sim.engine.contract import Game
from sim.engine.measures import SeatParameter
from sim.registry import GAMES
from sim.run import replay
from tests.every_game.play import experiment, shortened

pytestmark = pytest.mark.slow

PARAMETERS = [(game, parameter) for game in GAMES.values() for parameter in game.seat_parameters]
ROLLED = shortened(12, 4)  # games per parameter

# parameter -> the first position that shows it, and its value for a seat in that position
Shows = Callable[[np.void], bool]


def second_turn(state: np.void) -> bool:
    return bool(state["turn"] == 1)


def hands_dealt(state: np.void) -> bool:
    return bool((state["hand_n"] > 0).all())


def hand(state: np.void, seat: int) -> int:
    return int(state["hand_n"][seat])


SHOWN: dict[tuple[str, str], tuple[Shows, Callable[[np.void, int], int]]] = {
    ("riftborn", "rules.second_xp"): (second_turn, lambda state, seat: int(state["xp"][seat])),
    ("riftborn", "rules.second_draw"): (second_turn, hand),
    ("runeslingers", "rules.second_draw"): (second_turn, hand),
    ("rookling", "rules.second_hand"): (hands_dealt, hand),
}


def seen(game: Game, path: str, value: int, index: int) -> tuple[int, int]:
    """Values of the first and of the second player in the first position that shows a parameter."""
    (step,) = each_value(game, game.load(None), path, (str(value),))
    assert step.cards is not None, step.refused
    made = experiment(game, 64)
    played = replay(type(made)(**{**vars_of(made), "cards": step.cards}), index)
    shows, tell = SHOWN[game.name, path]
    state = next(state for state in played.positions if shows(state))
    first = int(state["first"])
    return tell(state, first), tell(state, 1 - first)


def vars_of(made) -> dict[str, object]:
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


@pytest.mark.parametrize(
    ("game", "parameter"), PARAMETERS, ids=[f"{game.name}-{parameter.path}" for game, parameter in PARAMETERS]
)
def test_every_value_of_a_seat_parameter_is_accepted_and_includes_the_current_one(game: Game, parameter: SeatParameter):
    cards = game.load(None)
    steps = each_value(game, cards, parameter.path, tuple(map(str, parameter.values)))
    assert [step.refused for step in steps] == [""] * len(parameter.values)
    assert [step.idle for step in steps].count(True) == 1, "one value is the present one, all others reach play"
    assert list(parameter.values) == sorted(set(parameter.values))


@pytest.mark.parametrize(("name", "path"), SHOWN, ids=["-".join(names) for names in SHOWN])
def test_a_seat_parameter_changes_the_second_player_only(name: str, path: str):
    game = GAMES[name]
    parameter = next(parameter for parameter in game.seat_parameters if parameter.path == path)
    for index in range(ROLLED):
        (mine, before), (same, more) = seen(game, path, 0, index), seen(game, path, parameter.values[-1], index)
        assert mine == same, "the first player is not touched"
        assert more - before == parameter.values[-1] or hand_is_full(name, more), f"game {index}: {before} and {more}"


def hand_is_full(name: str, cards: int) -> bool:
    """Whether a hand of Rookling Heroes or Runeslingers is at its limit."""
    return cards == {"rookling": 6, "runeslingers": 8}.get(name)


@pytest.mark.parametrize("name", ["riftborn", "runeslingers", "rookling"])
def test_a_seat_parameter_can_take_away_but_not_below_zero(name: str):
    game = GAMES[name]
    path = {"riftborn": "rules.second_xp", "runeslingers": "rules.second_draw", "rookling": "rules.second_hand"}[name]
    least = {"riftborn": -5000, "runeslingers": -4, "rookling": -5}[name]
    if name == "rookling":  # an empty hand does not show that hands are dealt: one card less instead
        least = -1
    mine, before = seen(game, path, 0, 1)
    same, less = seen(game, path, least, 1)
    assert mine == same
    assert 0 <= less < before
