"""Whole random games over all kinds of games: the invariants hold in every position, and the end has a reason."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.cardrogue import GAME
from sim.games.cardrogue.position import POSITION
from sim.games.cardrogue.position.invariants import invariants
from sim.games.cardrogue.record import STRIDE
from sim.games.cardrogue.rules.turn import points_of
from sim.games.cardrogue.state import STATE, Ending, Points
from sim.run import replay
from tests.conftest import in_soak, sampled
from tests.games.cardrogue.documents import SWITCHES, random_document, reference, with_layout
from tests.games.cardrogue.positions import card_set, dealt

CHECKED_IN_FULL = 50  # one position in this number
ROUNDS = 30  # of games that are cut short
WINS = (Ending.EXIT, Ending.ALL_DEAD, Ending.SOLO_WON)
LARGEST_STATE = 16_000  # bytes: search copies it
MAPS = (
    (
        "T:spike  T:paralysis/3 O:red     A:attack_plus  K/P5",
        "F        C             E:goblin  S              L8",
        "P5       H             ?Pf       ?E:imp         E:troll/P9",
    ),
    (". ?O:blue Pf L8", "?K Pf E:cave_bat ?A:health_minus", "S Pf ?C ?H", "?F ?T:poison . ."),
)


def play_checked(cards: CardSet, seats: int, number: int) -> np.void:
    """Play a random game, check all of its positions and its end; returns the last position. number: of the dice."""
    experiment = Experiment(GAME.name, cards, seats, (PolicySpec.parse("random"),), 1, seed=number)
    played = replay(experiment, 0, 1)
    for field, broken, _ in invariants(played.positions, cards):
        assert not broken.any(), f"{'.'.join(field)}, position {np.argwhere(broken)[0]}"
    for state in played.positions[::CHECKED_IN_FULL]:
        assert POSITION.violations(state, cards) == []
    last = played.positions[-1]
    assert last["ending"] != Ending.RUNNING
    assert last["round"] <= cards.record[0]["max_rounds"] + 1
    assert played.rows[0]["share"].sum() == pytest.approx(1.0 if last["ending"] in WINS else 0.0)
    return last


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_games_of_the_reference_set_obey_the_invariants(seats: int):
    cards = card_set({"max_rounds": ROUNDS})
    last = play_checked(cards, seats, seats)
    assert sum(points_of(last, cards.record[0], seat) for seat in range(seats)) <= 7
    assert last["scored"].sum() <= 3


@pytest.mark.parametrize("seats", [2, in_soak(4)])
def test_the_longest_game_obeys_the_invariants(seats: int):
    last = play_checked(card_set({"idle_rounds": 400}), seats, 0)
    assert last["round"] == card_set().record[0]["max_rounds"]


@pytest.mark.parametrize("number", sampled(range(24), 4))
def test_games_under_random_values_of_all_switches_obey_the_invariants(number: int):
    rng = Random(number)
    rules: dict[str, Any] = {switch: rng.choice(values) for switch, values in SWITCHES.items()}
    play_checked(card_set(rules | {"max_rounds": ROUNDS}), 1 + number // 4 % 4, number)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_nobody_plays_a_character_twice_in_a_drafted_game(seats: int):
    last = play_checked(card_set({"characters": "draft", "max_rounds": 3}), seats, seats)
    drafted = last["character"][:seats].tolist()
    assert len({*drafted}) == seats
    assert min(drafted) >= 0


@pytest.mark.parametrize("rows", MAPS)
@pytest.mark.parametrize("fill", ["none", "deck"])
def test_games_on_fixed_layouts_obey_the_invariants(rows: tuple[str, ...], fill: str):
    play_checked(GAME.from_document(with_layout(*rows, fill=fill, goals=["chest"], max_rounds=ROUNDS)), 1, 0)


@pytest.mark.parametrize("lives", [1, 3])
def test_games_alone_with_all_goals_obey_the_invariants(lives: int):
    goals = ["chest", "debt", "basilisk_green", "basilisk_yellow", "golem"]
    play_checked(GAME.from_document(reference(goals=goals, lives=lives, max_rounds=ROUNDS)), 1, lives)


@pytest.mark.parametrize("number", sampled(range(42), 7))
def test_games_of_random_card_files_obey_the_invariants(number: int):
    """Random effects on random cards."""
    play_checked(GAME.from_document(random_document(Random(number))), 1 + number % 4, number)


def test_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= LARGEST_STATE


SPOILED = {
    # what is changed: field, place in it, by how much
    "a card twice": ("hand", (0, 25), 1),
    "a card lost": ("shop", (30,), -1),
    "a pathing card too many": ("pathing_gone", (64,), 1),
    "a stack too high": ("stack", (), 1),
    "a player on the table's edge": ("cell", (1,), -STRIDE),
    "two players on a cell": ("cell", (1,), 5),  # the second start lies 5 columns west of the first
    "no health": ("health", (0,), -50),
    "too much poison": ("poison", (0,), 9),
    "too many turns to skip": ("skip", (1,), 7),
    "a cooldown without spells": ("cooldown", (0,), 5),
    "an antidote without poison": ("antidote", (1,), 2),
    "debts": ("gold", (0,), -500),
    "something worn on the head that does not fit": ("worn", (0, 0), 24),
    "two players first out": ("scored", (0, Points.EXIT), 2),
    "a fight without an enemy": ("combat", (0,), 1),
    "an order without a fight": ("order", (0, 0), 1),
    "one potion for two colours": ("effect", (slice(0, 2),), 3),
    "a side that leads somewhere else": ("around", (12,), 1),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_invariants_notice_what_is_wrong(fault):
    """A position after the deal with one number changed."""
    play = dealt(2)
    assert POSITION.violations(play.state, play.cards) == []
    field, place, change = SPOILED[fault]
    states, at = np.array([play.state]), (0, *place)
    states[field][at] = states[field][at].astype(int) + change
    assert POSITION.violations(states[0], play.cards)
