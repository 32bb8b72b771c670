"""What holds in every position of Riftborn Tactics and from each to the next: register section 10, and what is held twice."""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.record import CARDS_MAX, Ability, Op
from sim.games.riftborn.state import OPTIONS_MAX, STATE
from tests.games.riftborn.invariants_cards import CardFault, first_card_fault
from tests.games.riftborn.invariants_options import OptionFault, first_option_fault
from tests.games.riftborn.invariants_steps import StepFault, fallen, first_step_fault
from tests.games.riftborn.invariants_table import TableFault, first_table_fault


def check(states: np.ndarray, cards: CardSet) -> None:
    """Hold positions to all that can be seen in one of them. states: (n,) STATE. Raises AssertionError with the fault."""
    record = cards.record[0]
    told(states, CardFault, *first_card_fault(states, record, np.zeros(CARDS_MAX, np.int32)))
    told(states, TableFault, *first_table_fault(states, record, np.zeros(1, STATE)))
    told(states, OptionFault, *first_option_fault(states, record, np.zeros(OPTIONS_MAX, np.int32)))


def check_steps(states: np.ndarray, cards: CardSet) -> None:
    """Hold the positions of one game, in their order, to what may follow what."""
    record = cards.record[0]
    grants = ((record["op"] == Op.GRANT) & (record["granted"] == Ability.UNDEATH)).any()
    told(states, StepFault, *first_step_fault(states, int(grants)))
    assert not fallen(states), f"fell, or changed after they were set: {fallen(states)}"


def told(states: np.ndarray, faults: type, place: int, fault: int) -> None:
    """Nothing if nothing is wrong. Raises AssertionError with fault, place and moment."""
    if fault:
        state = states[place]
        where = f"position {place}, turn {state['turn']}, phase {state['phase']}, active {state['active']}"
        raise AssertionError(f"{faults(fault).name} at {where}")
