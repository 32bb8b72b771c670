"""Decisions: whose they are, which are open, and the one branch on what is decided (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.battle import answer
from sim.games.rookling.clash import is_open
from sim.games.rookling.course import enter_declaring, enter_half, pursue, resolve, seek_line, seek_special
from sim.games.rookling.deal import draft_one, drafting_seat, list_free, open_game, open_hands, set_up
from sim.games.rookling.deck import discard_from_hand, is_first_of_its_kind
from sim.games.rookling.declare import list_lines, take_line
from sim.games.rookling.energy import STOP, list_placements, place_card
from sim.games.rookling.record import SQUAD, Mask, PoisonClearDraw
from sim.games.rookling.rows import set_row
from sim.games.rookling.special import activate, carry_out, list_targets
from sim.games.rookling.state import HAND_MAX, POSITIONS, ROWS, Phase, mover
from sim.games.rookling.tokens import clear_one


@kernel
def to_act(state: Record) -> np.int64:
    """Seat that decides: whose half of the exchange it is, or whose pick of the draft."""
    return drafting_seat(state) if state["phase"] == Phase.DRAFT else mover(state)


@kernel
def is_over(state: Record) -> bool:
    """ROOK-01, 55. All three Rooklings of a player are in siege-state."""
    return state["phase"] == Phase.OVER


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 5. List the options of the decision at hand, in ascending order."""
    phase = state["phase"]
    if phase == Phase.ASSIGN:
        return list_placements(state, cards, mover(state), out)
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return list_lines(state, cards, np.int64(state["cursor"]), out)
    if phase == Phase.ROW:
        return list_first(out, np.int64(ROWS))
    if phase == Phase.NEXT:
        return list_open(state, out)
    if phase == Phase.TARGET:
        return list_targets(state, cards, out)
    if phase == Phase.CLEAR:
        return list_clearings(state, cards, out)
    if phase == Phase.DRAFT:
        return list_free(state, cards, out)
    return list_first(out, np.int64(2))  # ACTIVATE, SIDE, BLOCK


@kernel
def list_first(out: np.ndarray, count: int) -> int:
    """Options 0..count-1."""
    for option in range(count):
        out[option] = option
    return count


@kernel
def list_open(state: Record, out: np.ndarray) -> int:
    """ROOK-45. Options of NEXT: positions whose attack is to be resolved."""
    count = 0
    for position in range(POSITIONS):
        if is_open(state["clash"], position):
            out[count] = position
            count += 1
    return count


@kernel
def list_clearings(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROOK-14. Options of CLEAR: stop, or a Rookling that bears such a token and the card to discard for it."""
    seat = mover(state)
    out[0] = STOP
    count, clearable = 1, cards["token_mask"][Mask.CLEARED]
    for slot in range(SQUAD):
        if state["bears"][seat, slot] & clearable == 0:
            continue
        for card in range(np.int64(state["hand_n"][seat])):
            if is_first_of_its_kind(state, seat, card):
                out[count] = 1 + slot * HAND_MAX + card
                count += 1
    return count


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one: the only branch on what is decided."""
    phase, option = np.int64(state["phase"]), np.int64(action)
    if phase == Phase.ASSIGN:
        assign(state, cards, option)
    elif phase in (Phase.ATTACK, Phase.DEFEND):
        take_line(state, cards, np.int64(state["cursor"]), option)
        seek_line(state, cards, np.int64(state["cursor"]) + 1)
    elif phase == Phase.ROW:
        choose_row(state, cards, option, rng)
    elif phase == Phase.ACTIVATE:
        answer_special(state, cards, option, rng)
    elif phase == Phase.TARGET:
        carry_out(state, cards, rng, option)
        seek_special(state, cards, np.int64(state["cursor"]) + 1)
    elif phase == Phase.CLEAR:
        clear(state, cards, option)
    elif phase == Phase.DRAFT:
        if draft_one(state, option):
            set_up(state, cards, rng)
            open_game(state, cards, rng)
    else:
        answer(state, cards, option)
        resolve(state, cards, rng)
    pursue(state, cards, rng)


@kernel
def assign(state: Record, cards: Record, option: int) -> None:
    """ROOK-20. Place a card and see what it activates, or stop placing."""
    if option == STOP:
        enter_declaring(state, cards)
        return
    position, card = (option - 1) // HAND_MAX, (option - 1) % HAND_MAX
    place_card(state, cards, mover(state), position, card)
    state["focus"] = position
    seek_special(state, cards, np.int64(0))


@kernel
def answer_special(state: Record, cards: Record, option: int, rng: Record) -> None:
    """ROOK-30. Activate the special line at hand, which may ask for a target, or not."""
    if option:
        activate(state, cards, rng)
    if state["phase"] != Phase.TARGET:
        seek_special(state, cards, np.int64(state["cursor"]) + 1)


@kernel
def choose_row(state: Record, cards: Record, order: int, rng: Record) -> None:
    """ROOK-10, 16, 19. Arrange the own row: the first defender at set-up, then nobody but the attacker."""
    seat = mover(state)
    set_row(state, seat, order)
    if state["defending"]:
        open_hands(state, cards, rng)
    else:
        state["phase"] = Phase.ASSIGN


@kernel
def clear(state: Record, cards: Record, option: int) -> None:
    """ROOK-14, 15. Discard a card to remove a token, or go on."""
    seat = mover(state)
    if option == STOP:
        state["phase"] = Phase.ASSIGN if state["defending"] else Phase.ROW
        return
    slot, card = (option - 1) // HAND_MAX, (option - 1) % HAND_MAX
    discard_from_hand(state, seat, card)
    clear_one(state, cards, seat, slot)
    if not state["defending"] and cards["poison_clear_draw"] == PoisonClearDraw.STRICT:
        state["skip"][seat] = 1
    enter_half(state, cards)
