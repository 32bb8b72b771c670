"""The OUTCOME record of Rookling Heroes: the facts of one finished game, what they mean, and how they are written."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, kernel
from sim.engine.measures import Kind, Measure
from sim.games.rookling.record import LINES, SQUAD, TOKENS
from sim.games.rookling.state import CURVE, NOBODY, PERIOD, PERIODS, SEATS, SIEGES, WAYS, Cause

_SEAT = (SEATS,)
_MEMBER = (SEATS, SQUAD)  # Rooklings of the squad in the order of the card file: member k of the entrant
_LINE = (SEATS, SQUAD * LINES)  # lines of member 0, of member 1, of member 2

OUTCOME = np.dtype(
    [
        # of the game
        ("exchanges", np.int16),
        ("last_blow", np.int8),  # Cause: none (truncated), attack, spill, poison
        ("damage_in", np.int32, (PERIODS,)),  # damage taken by attacks in exchanges 1-5, 6-10, ..., 26 and later
        ("spill_in", np.int32, (PERIODS,)),  # the part that spilled
        ("exchanges_with", np.int16, (SQUAD + 1,)),  # exchanges with 0, 1, 2, 3 flips
        # of a seat
        ("attacked_first", np.uint8, _SEAT),  # 1: attacked first
        ("drafted_first", np.uint8, _SEAT),  # 1: picked first in the draft
        ("two_down", np.int16, _SEAT),  # first exchange with two Rooklings in siege-state, 0: never
        ("visited", np.uint8, (SEATS, SIEGES * SIEGES)),  # 1: an exchange began with these in siege-state, at own * 3 + opposing
        ("life_after", np.float32, (SEATS, CURVE)),  # total life after exchange 1, 2, ...; nan after the end
        ("landed", np.int32, (SEATS, WAYS)),  # damage taken: faced, spilled once, spilled twice
        ("given_kind", np.int16, (SEATS, TOKENS)),  # token cards put on opponents, by kind
        ("received_kind", np.int16, (SEATS, TOKENS)),  # tokens received, by kind
        ("cards_drawn", np.int32, _SEAT),
        ("draws_skipped", np.int16, _SEAT),
        ("hand_at_attack", np.float32, _SEAT),  # mean cards in hand at the start of an attack; nan without one
        # of a Rookling
        ("start_at", np.int8, _MEMBER),  # position in the first row
        ("picked", np.int8, _MEMBER),  # number of the pick in the draft, 1..6; 0: none
        ("first_flip", np.int16, _MEMBER),  # exchange, 0: never
        ("flip_cause", np.int8, _MEMBER),  # Cause of the first flip
        ("flips_by_attack", np.int16, _MEMBER),
        ("flips_by_spill", np.int16, _MEMBER),
        ("flips_by_poison", np.int16, _MEMBER),
        ("healed_back", np.int16, _MEMBER),
        ("siege_exchanges", np.int16, _MEMBER),
        ("end_life", np.int8, _MEMBER),
        ("turns_front", np.int16, _MEMBER),  # own attacking turns on the front side
        ("turns_siege", np.int16, _MEMBER),  # and in siege-state
        ("declared_front", np.int32, _MEMBER),  # damage
        ("declared_siege", np.int32, _MEMBER),
        ("dealt_front", np.int16, _MEMBER),
        ("dealt_siege", np.int16, _MEMBER),
        ("lost_block", np.int32, _MEMBER),
        ("lost_excess", np.int32, _MEMBER),
        ("lost_hidden", np.int32, _MEMBER),
        ("taken_attack", np.int16, _MEMBER),
        ("taken_spill", np.int16, _MEMBER),
        ("taken_poison", np.int16, _MEMBER),
        ("blocks_own", np.int16, _MEMBER),
        ("blocks_spill", np.int16, _MEMBER),
        ("blocked", np.int32, _MEMBER),  # damage prevented
        ("energy_used", np.int16, _MEMBER),  # cards that powered a line
        ("energy_vain", np.int16, _MEMBER),
        ("given", np.int16, _MEMBER),  # token cards put on opponents
        ("received", np.int16, _MEMBER),  # harmful tokens received
        ("line_met", np.int16, _LINE),  # exchanges in which a line of the right kind was met
        ("line_used", np.int16, _LINE),  # times used or activated
        # of a field effect, by the Rookling it belongs to
        ("shuffled", np.int16, _MEMBER),  # copies shuffled in
        ("drawn_by_owner", np.int16, _MEMBER),
        ("drawn_by_other", np.int16, _MEMBER),
        ("used_by_owner", np.int16, _MEMBER),
        ("used_by_other", np.int16, _MEMBER),
        ("thrown", np.int16, _MEMBER),  # copies discarded
        ("triggered", np.int16, _MEMBER),  # tokens spent
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """ROOK-01. The winner gets the whole win; before the end no player has any of it."""
    out[:] = 0.0
    if state["winner"] != NOBODY:
        out[state["winner"]] = 1.0


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> np.int64:
    """ROOK-03, 04. The squad that a seat played; dealt or drafted squads differ from the planned one."""
    return np.int64(state["squad"][seat]) if state["squad"][seat] != NOBODY else np.int64(planned)


@kernel
def first_of(state: Record, decided: int) -> np.int64:  # noqa: ARG001 - the verb's parameters
    """ROOK-09. Going first means attacking first, although the first defender arranges its row earlier."""
    return np.int64(state["first"])


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Write the facts of a finished game."""
    outcome["exchanges"] = state["turn"]
    outcome["last_blow"] = state["last_blow"]
    outcome["damage_in"][:] = state["damage_in"]
    outcome["spill_in"][:] = state["spill_in"]
    outcome["exchanges_with"][:] = state["exchanges_with"]
    for seat in range(SEATS):
        write_seat(state, outcome, seat)
        for slot in range(SQUAD):
            member = member_of(state, seat, slot)
            write_life(state, outcome, (seat, slot), member)
            write_blows(state, outcome, (seat, slot), member)
            write_cards(state, outcome, (seat, slot), member)


@kernel
def member_of(state: Record, seat: int, slot: int) -> np.int64:
    """Member number of a roster slot: the place of its Rookling in the order of the card file."""
    member = np.int64(0)
    for other in range(SQUAD):
        member += state["rook"][seat, other] < state["rook"][seat, slot]
    return member


@kernel
def write_seat(state: Record, outcome: Record, seat: int) -> None:
    """Write the facts of a seat as a whole."""
    outcome["attacked_first"][seat] = state["first"] == seat
    outcome["drafted_first"][seat] = state["drafter"] == seat
    outcome["two_down"][seat] = state["two_down"][seat]
    outcome["cards_drawn"][seat] = state["cards_drawn"][seat]
    outcome["draws_skipped"][seat] = state["draws_skipped"][seat]
    begun = state["attacks_begun"][seat]
    outcome["hand_at_attack"][seat] = state["hand_at_attack"][seat] / begun if begun > 0 else np.nan
    for own in range(SIEGES):
        for other in range(SIEGES):
            outcome["visited"][seat, own * SIEGES + other] = state["visited"][seat, own, other]
    for kind in range(TOKENS):
        outcome["given_kind"][seat, kind] = state["given_kind"][seat, kind]
        outcome["received_kind"][seat, kind] = state["received_kind"][seat, kind]
    for way in range(WAYS):
        outcome["landed"][seat, way] = state["landed"][seat, way]
    for exchange in range(CURVE):
        life = state["life_after"][seat, exchange]
        outcome["life_after"][seat, exchange] = life if life >= 0 else np.nan


@kernel
def write_life(state: Record, outcome: Record, place: tuple[int, int], member: int) -> None:
    """Write flips, damage taken and life of a Rookling. place: seat, roster slot."""
    seat, slot = place
    outcome["start_at"][seat, member] = state["start_at"][seat, slot]
    outcome["picked"][seat, member] = state["picked"][seat, slot]
    outcome["first_flip"][seat, member] = state["first_flip"][seat, slot]
    outcome["flip_cause"][seat, member] = state["flip_cause"][seat, slot]
    outcome["flips_by_attack"][seat, member] = state["flips"][seat, slot, Cause.ATTACK]
    outcome["flips_by_spill"][seat, member] = state["flips"][seat, slot, Cause.SPILL]
    outcome["flips_by_poison"][seat, member] = state["flips"][seat, slot, Cause.POISON]
    outcome["taken_attack"][seat, member] = state["taken"][seat, slot, Cause.ATTACK]
    outcome["taken_spill"][seat, member] = state["taken"][seat, slot, Cause.SPILL]
    outcome["taken_poison"][seat, member] = state["taken"][seat, slot, Cause.POISON]
    outcome["healed_back"][seat, member] = state["healed_back"][seat, slot]
    outcome["siege_exchanges"][seat, member] = state["siege_exchanges"][seat, slot]
    outcome["end_life"][seat, member] = state["life"][seat, slot]


@kernel
def write_blows(state: Record, outcome: Record, place: tuple[int, int], member: int) -> None:
    """Write what a Rookling dealt, blocked, gave and received. place: seat, roster slot."""
    seat, slot = place
    outcome["turns_front"][seat, member] = state["attack_turns"][seat, slot, 0]
    outcome["turns_siege"][seat, member] = state["attack_turns"][seat, slot, 1]
    outcome["declared_front"][seat, member] = state["declared"][seat, slot, 0]
    outcome["declared_siege"][seat, member] = state["declared"][seat, slot, 1]
    outcome["dealt_front"][seat, member] = state["dealt"][seat, slot, 0]
    outcome["dealt_siege"][seat, member] = state["dealt"][seat, slot, 1]
    outcome["lost_block"][seat, member] = state["lost_block"][seat, slot]
    outcome["lost_excess"][seat, member] = state["lost_excess"][seat, slot]
    outcome["lost_hidden"][seat, member] = state["lost_hidden"][seat, slot]
    outcome["blocks_own"][seat, member] = state["blocks_own"][seat, slot]
    outcome["blocks_spill"][seat, member] = state["blocks_spill"][seat, slot]
    outcome["blocked"][seat, member] = state["blocked"][seat, slot]
    outcome["given"][seat, member] = state["given"][seat, slot]
    outcome["received"][seat, member] = state["received"][seat, slot]


@kernel
def write_cards(state: Record, outcome: Record, place: tuple[int, int], member: int) -> None:
    """Write the energy and lines of a Rookling and the use of its field effect. place: seat, roster slot."""
    seat, slot = place
    outcome["energy_used"][seat, member] = state["energy_used"][seat, slot]
    outcome["energy_vain"][seat, member] = state["energy_vain"][seat, slot]
    for line in range(LINES):
        outcome["line_met"][seat, member * LINES + line] = state["line_met"][seat, slot, line]
        outcome["line_used"][seat, member * LINES + line] = state["line_used"][seat, slot, line]
    effect_slot = seat * SQUAD + slot
    outcome["shuffled"][seat, member] = state["shuffled"][effect_slot]
    outcome["drawn_by_owner"][seat, member] = state["drawn_by_owner"][effect_slot]
    outcome["drawn_by_other"][seat, member] = state["drawn_by_other"][effect_slot]
    outcome["used_by_owner"][seat, member] = state["used_by_owner"][effect_slot]
    outcome["used_by_other"][seat, member] = state["used_by_other"][effect_slot]
    outcome["thrown"][seat, member] = state["thrown"][effect_slot]
    outcome["triggered"][seat, member] = state["triggered"][effect_slot]


_CAUSES = ("none", "attack", "spill", "poison")
_MEMBERS = ("first member", "second member", "third member")
_BY_LINE = tuple(f"{member}, line {line + 1}" for member in _MEMBERS for line in range(LINES))
_SPANS = tuple(f"{PERIOD * at + 1} to {PERIOD * (at + 1)}" for at in range(PERIODS - 1))
_PERIODS = (*_SPANS, f"{PERIOD * (PERIODS - 1) + 1} and later")
_STATES = tuple(f"{own} own, {other} opposing" for own in range(SIEGES) for other in range(SIEGES))
_FLIPS = ("no flip", "one flip", "two flips", "three flips")


def _of_member(field: str, label: str, unit: str, kind: Kind = "count") -> Measure:
    """A measure with one number per Rookling of the squad."""
    return Measure(field, label, unit, "seat", kind, parts=_MEMBERS)


MEASURES = (
    # of the game
    Measure("exchanges", "Exchanges", "exchanges", "game", "count"),
    Measure("last_blow", "What flipped the last Rookling", "", "game", "category", _CAUSES),
    Measure("damage_in", "Damage taken by attacks, spills included", "points", "game", "count", parts=_PERIODS),
    Measure("spill_in", "Damage taken by spills", "points", "game", "count", parts=_PERIODS),
    Measure("exchanges_with", "Exchanges by flips", "exchanges", "game", "count", parts=_FLIPS[: SQUAD + 1]),
    # of a seat
    Measure("attacked_first", "Attacked first", "", "seat", "flag"),
    Measure("drafted_first", "Picked first", "", "seat", "flag"),
    Measure("two_down", "Exchange in which two Rooklings stood in siege-state first", "exchanges", "seat", "turn"),
    Measure("visited", "Began an exchange with so many in siege-state", "", "seat", "count", parts=_STATES),
    Measure("life_after", "Life left in the squad", "points", "seat", "number", parts=tuple(str(at + 1) for at in range(CURVE))),
    Measure(
        "landed",
        "Damage taken by attacks, by how it came",
        "points",
        "seat",
        "count",
        parts=("taken by the one it faced", "spilled once", "spilled twice"),
    ),
    Measure("cards_drawn", "Cards drawn", "cards", "seat", "count"),
    Measure("draws_skipped", "Draws skipped to clear poison", "draws", "seat", "count"),
    Measure("hand_at_attack", "Cards in hand at the start of an attack", "cards", "seat", "number"),
    # of a Rookling
    _of_member("start_at", "Position in the first row", "position", "number"),
    _of_member("picked", "Number of the pick in the draft", "picks", "turn"),
    _of_member("first_flip", "Exchange of the first flip", "exchanges", "turn"),
    Measure("flip_cause", "Cause of the first flip", "", "seat", "category", _CAUSES, parts=_MEMBERS),
    _of_member("flips_by_attack", "Flips by attacks", "flips"),
    _of_member("flips_by_spill", "Flips by spills", "flips"),
    _of_member("flips_by_poison", "Flips by poison", "flips"),
    _of_member("healed_back", "Times healed out of siege-state", "times"),
    _of_member("siege_exchanges", "Exchanges in siege-state", "exchanges"),
    _of_member("end_life", "Life at the end", "points"),
    _of_member("turns_front", "Attacking turns on the front side", "turns"),
    _of_member("turns_siege", "Attacking turns in siege-state", "turns"),
    _of_member("declared_front", "Damage declared on the front side", "points"),
    _of_member("declared_siege", "Damage declared in siege-state", "points"),
    _of_member("dealt_front", "Damage dealt on the front side", "points"),
    _of_member("dealt_siege", "Damage dealt in siege-state", "points"),
    _of_member("lost_block", "Damage lost to blocks", "points"),
    _of_member("lost_excess", "Damage lost as excess", "points"),
    _of_member("lost_hidden", "Damage cancelled", "points"),
    _of_member("taken_attack", "Damage taken by the attack it faced", "points"),
    _of_member("taken_spill", "Damage taken by spills", "points"),
    _of_member("taken_poison", "Damage taken by poison", "points"),
    _of_member("blocks_own", "Blocks used on the attack it faced", "blocks"),
    _of_member("blocks_spill", "Blocks used on a spill", "blocks"),
    _of_member("blocked", "Damage prevented by blocks", "points"),
    _of_member("energy_used", "Cards that powered a line", "cards"),
    _of_member("energy_vain", "Cards placed in vain", "cards"),
    _of_member("given", "Tokens put on opponents", "tokens"),
    _of_member("received", "Harmful tokens received", "tokens"),
    Measure("line_met", "Exchanges in which the line was met", "exchanges", "seat", "count", parts=_BY_LINE),
    Measure("line_used", "Times the line was used", "uses", "seat", "count", parts=_BY_LINE),
    # of a field effect, by the Rookling it belongs to
    _of_member("shuffled", "Copies shuffled in", "copies"),
    _of_member("drawn_by_owner", "Copies drawn by the owner", "copies"),
    _of_member("drawn_by_other", "Copies drawn by the opponent", "copies"),
    _of_member("used_by_owner", "Copies used by the owner", "copies"),
    _of_member("used_by_other", "Copies used by the opponent", "copies"),
    _of_member("thrown", "Copies thrown away", "copies"),
    _of_member("triggered", "Tokens spent", "tokens"),
)


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Return the measures whose parts are the tokens of a card set."""
    names = tuple(str(token["name"]) for token in cards.document.get("token", ()))
    kinds = names + ("",) * (TOKENS - len(names))
    return (
        Measure("given_kind", "Token cards put on opponents", "tokens", "seat", "count", parts=kinds),
        Measure("received_kind", "Tokens received", "tokens", "seat", "count", parts=kinds),
    )
