"""Invariants over whole random games: in every position and from each to the next, over all kinds of games."""

from random import Random

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import returns
from sim.engine.dice import SEATS_MAX
from sim.engine.loop import advance
from sim.engine.scenario import NO_DECISION
from sim.games.cardrogue import GAME
from sim.games.cardrogue.position import POSITION
from sim.games.cardrogue.record import STRIDE
from sim.games.cardrogue.rules.turn import points_of
from sim.games.cardrogue.state import STATE, Ending, Node, Points
from tests.conftest import sampled
from tests.every_game.play import enough, shortened
from tests.games.cardrogue.documents import SWITCHES, random_document, reference, with_layout
from tests.games.cardrogue.invariants import check, check_steps, totals
from tests.games.cardrogue.positions import card_set, dealt

pytestmark = pytest.mark.slow

DECISIONS_MAX = 60_000
POSITIONS = 1000  # held at a time
STATE_BYTES = 16_000  # a position must stay small: search copies it
MAPS = (
    (
        "T:spike  T:paralysis/3 O:red     A:attack_plus  K/P5",
        "F        C             E:goblin  S              L8",
        "P5       H             ?Pf       ?E:imp         E:troll/P9",
    ),
    (". ?O:blue Pf L8", "?K Pf E:cave_bat ?A:health_minus", "S Pf ?C ?H", "?F ?T:poison . ."),
)


class Game:
    """One random game, checked against the invariants while it is played."""

    def __init__(self, cards: CardSet, seats: int, number: int) -> None:
        self.cards, self.record, self.seats = cards, cards.record[0], seats
        self.rng = np.random.default_rng(number)
        self.play = dealt(seats, number, cards)
        dice = self.play.workspace.dice[0]
        dice["scripted"], dice["draws_scripted"] = 0, 0
        self.states, self.actions = np.zeros(POSITIONS, STATE), np.zeros(POSITIONS, int)

    def run(self) -> np.void:
        """Play to the end; returns the last position."""
        workspace, action, filled = self.play.workspace, NO_DECISION, 0
        for _ in range(DECISIONS_MAX):
            count = advance(workspace, self.cards.record, action)
            assert len({*workspace.options[:count].tolist()}) == count, "an option is listed twice"
            action = int(workspace.options[self.rng.integers(count)]) if count else NO_DECISION
            self.states[filled], self.actions[filled] = workspace.states[0], action
            filled += 1
            if count == 0 or filled == POSITIONS:
                self.hold(filled)
                self.states[0], self.actions[0] = self.states[filled - 1], action
                filled = 1
            if count == 0:
                self.check_end(workspace.states[0])
                return workspace.states[0]
        raise AssertionError(f"no end after {DECISIONS_MAX} decisions")

    def hold(self, filled: int) -> None:
        """Check the positions kept so far."""
        check(self.states[:filled], self.cards)
        check_steps(self.states[:filled], self.actions[:filled], self.record)

    def check_end(self, state: np.void) -> None:
        """The end of a game: a reason, and shares that add up."""
        assert state["node"] == Node.OVER
        assert state["ending"] != Ending.RUNNING
        shares = np.zeros(SEATS_MAX)
        returns(state, shares)
        won = state["ending"] in (Ending.EXIT, Ending.ALL_DEAD, Ending.SOLO_WON)
        assert shares.sum() == pytest.approx(1.0 if won else 0.0)
        assert (state["ending"] in (Ending.SOLO_WON, Ending.SOLO_LOST)) <= (self.seats == 1)
        assert state["round"] <= self.record["max_rounds"] + 1


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_invariants_hold_in_every_position_of_10_games_of_the_reference_set(seats):
    """All cards are somewhere: 93 of the exploration deck, 61 of the pathing deck, 23 of the shop; at most 7 points."""
    cards = card_set()
    for number in range(enough(shortened(10, 3), 10)):
        last = Game(cards, seats, number).run()
        assert totals(np.array([last]), cards) == (93, 23, 61)
        points = [points_of(last, cards.record[0], seat) for seat in range(seats)]
        assert sum(points) <= 7
        assert last["scored"].sum() <= 3


@pytest.mark.parametrize("switch", [name for name in SWITCHES if name != "characters"])
def test_invariants_hold_under_every_value_of_every_switch(switch):
    for value in SWITCHES[switch]:
        cards = card_set({switch: value, "max_rounds": 80})
        for seats in (2, 4):
            Game(cards, seats, seats).run()


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_invariants_hold_in_drafted_games_and_nobody_plays_a_character_twice(seats):
    cards = card_set({"characters": "draft", "max_rounds": 60})
    for number in range(3):
        drafted = Game(cards, seats, number).run()["character"][:seats]
        assert len({*drafted.tolist()}) == seats
        assert drafted.min() >= 0


@pytest.mark.parametrize("rows", MAPS)
@pytest.mark.parametrize("fill", ["none", "deck"])
def test_invariants_hold_on_fixed_layouts(rows, fill):
    cards = GAME.from_document(with_layout(*rows, fill=fill, goals=["chest"], max_rounds=100))
    for number in range(4):
        Game(cards, 1, number).run()


@pytest.mark.parametrize("lives", [1, 3])
def test_invariants_hold_alone_with_all_goals_and_several_lives(lives):
    goals = ["chest", "debt", "basilisk_green", "basilisk_yellow", "golem"]
    for number in range(4):
        Game(GAME.from_document(reference(goals=goals, lives=lives)), 1, number).run()


@pytest.mark.parametrize("number", sampled(range(24), 2))
def test_invariants_hold_with_any_valid_card_file(number):
    """Random effects on random cards, two games each."""
    cards = GAME.from_document(random_document(Random(number)))
    for seats in (1 + number % 2, 3 + number % 2):
        Game(cards, seats, number).run()


def test_invariants_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


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
