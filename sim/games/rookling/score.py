"""What one finished game of Rookling Heroes tells (register section 11): the OUTCOME record and how it is written."""

import numpy as np

from sim.games.rookling.record import LINES, SQUAD
from sim.games.rookling.state import CAUSES, CURVE, PERIODS, SEATS, SIEGES, WAYS

_SEAT = (SEATS,)
_MEMBER = (SEATS, SQUAD)  # Rooklings of the squad in ascending order of the card file: member k of the entrant
_LINE = (SEATS, SQUAD * LINES)  # lines of member 0, of member 1, of member 2

OUTCOME = np.dtype(
    [
        # of the game
        ("exchanges", np.int16),
        ("last_blow", np.int8),  # Cause: none (capped), attack, spill, poison
        ("damage_in", np.int16, (PERIODS,)),  # damage taken by attacks in exchanges 1-5, 6-10, ..., 26 and later
        ("spill_in", np.int16, (PERIODS,)),  # of it spilled
        ("exchanges_with", np.int16, (SQUAD + 1,)),  # exchanges with 0, 1, 2, 3 flips
        # of a seat
        ("attacked_first", np.uint8, _SEAT),  # 1: attacked first
        ("drafted_first", np.uint8, _SEAT),  # 1: picked first in the draft
        ("two_down", np.int16, _SEAT),  # exchange in which two Rooklings stood in siege-state first, 0: never
        ("visited", np.uint8, (SEATS, SIEGES * SIEGES)),  # 1: began an exchange with own * 3 + opposing in siege-state
        ("life_after", np.float32, (SEATS, CURVE)),  # total life after exchange 1, 2, ...; nan beyond the end
        ("landed", np.int16, (SEATS, WAYS)),  # damage taken: faced, spilled once, spilled twice
        ("cards_drawn", np.int16, _SEAT),
        ("draws_skipped", np.int16, _SEAT),
        ("hand_at_attack", np.float32, _SEAT),  # mean cards in hand at the begin of an attack; nan without one
        # of a Rookling
        ("picked", np.int8, _MEMBER),  # number of the pick in the draft, 1..6; 0: none
        ("first_flip", np.int16, _MEMBER),  # exchange, 0: never
        ("flip_cause", np.int8, _MEMBER),  # Cause of the first flip
        ("flips_by_attack", np.int8, _MEMBER),
        ("flips_by_spill", np.int8, _MEMBER),
        ("flips_by_poison", np.int8, _MEMBER),
        ("healed_back", np.int8, _MEMBER),
        ("siege_exchanges", np.int16, _MEMBER),
        ("end_life", np.int8, _MEMBER),
        ("turns_front", np.int16, _MEMBER),  # own attacking turns on the front side
        ("turns_siege", np.int16, _MEMBER),  # and in siege-state
        ("declared_front", np.int16, _MEMBER),  # damage
        ("declared_siege", np.int16, _MEMBER),
        ("dealt_front", np.int16, _MEMBER),
        ("dealt_siege", np.int16, _MEMBER),
        ("lost_block", np.int16, _MEMBER),
        ("lost_excess", np.int16, _MEMBER),
        ("lost_hidden", np.int16, _MEMBER),
        ("taken_attack", np.int16, _MEMBER),
        ("taken_spill", np.int16, _MEMBER),
        ("taken_poison", np.int16, _MEMBER),
        ("blocks_own", np.int16, _MEMBER),
        ("blocks_spill", np.int16, _MEMBER),
        ("blocked", np.int16, _MEMBER),  # damage prevented
        ("energy_used", np.int16, _MEMBER),  # cards that powered a line
        ("energy_vain", np.int16, _MEMBER),
        ("given", np.int16, _MEMBER),  # token cards put on opponents
        ("received", np.int16, _MEMBER),  # harmful tokens received
        ("line_met", np.int16, _LINE),  # exchanges in which a line that could be used was met
        ("line_used", np.int16, _LINE),  # times used or activated
        # of a field effect, by the Rookling it belongs to
        ("shuffled", np.int16, _MEMBER),  # copies shuffled in
        ("used_by_owner", np.int16, _MEMBER),
        ("used_by_other", np.int16, _MEMBER),
        ("thrown", np.int16, _MEMBER),  # copies discarded
        ("triggered", np.int16, _MEMBER),  # tokens spent
    ],
    align=True,
)
