"""Decisions: which seat decides, which options are legal, what each does and what follows until the next one (ROOK-11).

Only `apply_action` branches on the kind of decision. Steps that leave no choice are taken at once.
"""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.rookling.cards import NONE, SQUAD, Mask, PoisonClearDraw
from sim.games.rookling.rules import abilities, attacks, energy
from sim.games.rookling.setup import draft_one, drafting_seat, list_free, open_game, open_hands, set_row, set_up
from sim.games.rookling.state import HAND_MAX, POSITIONS, ROWS, Phase, mover

# Decisions.


@kernel
def current_player(state: Record) -> int:
    """The seat that decides: the one whose half of the exchange, or whose pick of the draft, it is."""
    return drafting_seat(state) if state["phase"] == Phase.DRAFT else mover(state)


@kernel
def is_over(state: Record) -> bool:
    """ROOK-01, 55. Whether all three Rooklings of a player are in siege-state."""
    return state["phase"] == Phase.OVER


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """List the options of the current decision in ascending order. Returns how many there are."""
    phase = state["phase"]
    if phase == Phase.ASSIGN:
        return energy.list_placements(state, cards, mover(state), out)
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return attacks.list_lines(state, cards, state["cursor"], out)
    if phase == Phase.ROW:
        return list_first(out, ROWS)
    if phase == Phase.NEXT:
        return list_open(state, out)
    if phase == Phase.TARGET:
        return abilities.list_targets(state, cards, out)
    if phase == Phase.CLEAR:
        return list_clearings(state, cards, out)
    if phase == Phase.DRAFT:
        return list_free(state, cards, out)
    return list_first(out, 2)  # ACTIVATE, SIDE, BLOCK


KINDS = 2  # where `count_options` writes the number of different cards


@kernel
def count_options(state: Record, cards: Record, out: np.ndarray) -> int:
    """Number of options. For those of ASSIGN, `out` gets the sets of positions and cards, by bit, and the number of cards."""
    if state["phase"] != Phase.ASSIGN or cards["dump"] == 0:
        return legal_actions(state, cards, out)
    seat, rooms, places, kinds = mover(state), 0, 0, 0
    different = energy.different_cards(state, seat)
    for position in range(POSITIONS):
        if energy.has_room(state, cards, seat, position):
            rooms |= 1 << position
            places += 1
    for card in range(HAND_MAX):
        kinds += different >> card & 1
    out[0] = rooms
    out[1] = different
    out[KINDS] = kinds
    return 1 + places * kinds


@kernel
def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:
    """Option number `n` of the list of `legal_actions`, after `count_options`."""
    if state["phase"] != Phase.ASSIGN or cards["dump"] == 0:
        return out[n]
    if n == 0:
        return energy.STOP
    left = n
    for position in range(POSITIONS):
        if out[0] >> position & 1 == 0:
            continue
        if left > out[KINDS]:
            left -= out[KINDS]
            continue
        for card in range(HAND_MAX):
            left -= out[1] >> card & 1
            if left == 0:
                return 1 + position * HAND_MAX + card
    return energy.STOP


@kernel
def list_first(out: np.ndarray, count: int) -> int:
    """Options 0..count-1."""
    for option in range(count):
        out[option] = option
    return count


@kernel
def list_open(state: Record, out: np.ndarray) -> int:
    """ROOK-45. Options of NEXT: positions whose attack is not resolved yet."""
    count = 0
    for position in range(POSITIONS):
        if attacks.is_open(state["clash"], position):
            out[count] = position
            count += 1
    return count


@kernel
def list_clearings(state: Record, cards: Record, out: np.ndarray) -> int:
    """ROOK-14. Options of CLEAR: stop, or a Rookling with a token to clear and the card to discard for it."""
    seat = mover(state)
    out[0] = energy.STOP
    count, clearable, different = 1, cards["token_mask"][Mask.CLEARED], energy.different_cards(state, seat)
    for slot in range(SQUAD):
        if state["bears"][seat, slot] & clearable == 0:
            continue
        for card in range(HAND_MAX):
            if different >> card & 1:
                out[count] = 1 + slot * HAND_MAX + card
                count += 1
    return count


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision, and everything that follows up to the next one."""
    phase = state["phase"]
    if phase == Phase.ASSIGN:
        assign(state, cards, action)
    elif phase in (Phase.ATTACK, Phase.DEFEND):
        attacks.take_line(state, cards, state["cursor"], action)
        seek_line(state, cards, state["cursor"] + 1)
    elif phase == Phase.ROW:
        choose_row(state, cards, action, rng)
    elif phase == Phase.ACTIVATE:
        answer_special(state, cards, action, rng)
    elif phase == Phase.TARGET:
        abilities.carry_out(state, cards, rng, action)
        seek_special(state, cards, state["cursor"] + 1)
    elif phase == Phase.CLEAR:
        clear(state, cards, action)
    elif phase == Phase.DRAFT:
        if draft_one(state, action):
            set_up(state, cards, rng)
            open_game(state, cards, rng)
    else:
        attacks.answer(state, cards, action)
        resolve(state, cards, rng)
    pursue(state, cards, rng)


@kernel
def assign(state: Record, cards: Record, option: int) -> None:
    """ROOK-20. Place a card and offer the special lines that it meets, or stop placing."""
    if option == energy.STOP:
        enter_declaring(state, cards)
        return
    position, card = (option - 1) // HAND_MAX, (option - 1) % HAND_MAX
    energy.place_card(state, cards, mover(state), position, card)
    state["focus"] = position
    seek_special(state, cards, 0)


@kernel
def answer_special(state: Record, cards: Record, option: int, rng: Record) -> None:
    """ROOK-30. Activate the offered special line, which can ask for a target, or leave it."""
    if option:
        abilities.activate(state, cards, rng)
    if state["phase"] != Phase.TARGET:
        seek_special(state, cards, state["cursor"] + 1)


@kernel
def choose_row(state: Record, cards: Record, order: int, rng: Record) -> None:
    """ROOK-10, 16, 19. Arrange a row: the first defender's at set-up, after that only the attacker's."""
    seat = mover(state)
    set_row(state, seat, order)
    if state["defending"]:
        open_hands(state, cards, rng)
    else:
        state["phase"] = Phase.ASSIGN


@kernel
def clear(state: Record, cards: Record, option: int) -> None:
    """ROOK-14, 15. Discard a card to remove a token, or stop clearing."""
    seat = mover(state)
    if option == energy.STOP:
        state["phase"] = Phase.ASSIGN if state["defending"] else Phase.ROW
        return
    slot, card = (option - 1) // HAND_MAX, (option - 1) % HAND_MAX
    energy.discard_from_hand(state, seat, card)
    abilities.clear_one(state, cards, seat, slot)
    if not state["defending"] and cards["poison_clear_draw"] == PoisonClearDraw.STRICT:
        state["skip"][seat] = 1
    enter_half(state, cards)


# What follows a decision (ROOK-11).


@kernel
def enter_half(state: Record, cards: Record) -> None:
    """A1, D1. Ask which tokens to clear, if any can be (ROOK-14); otherwise go on to the row (A2) or the energy (D2)."""
    seat, clearable = mover(state), False
    for slot in range(SQUAD):
        clearable |= state["bears"][seat, slot] & cards["token_mask"][Mask.CLEARED] != 0
    if clearable and state["hand_n"][seat] > 0:
        state["phase"] = Phase.CLEAR
    elif state["defending"]:
        state["phase"] = Phase.ASSIGN
    else:
        state["phase"] = Phase.ROW


@kernel
def can_place(state: Record, cards: Record) -> bool:
    """ROOK-20, 21. Whether the mover can place any card."""
    seat = mover(state)
    if state["hand_n"][seat] == 0:
        return False
    for position in range(POSITIONS):
        if energy.has_room(state, cards, seat, position):
            if cards["dump"]:
                return True
            for card in range(state["hand_n"][seat]):
                if energy.is_useful(state, cards, seat, position, state["hand"][seat, card]):
                    return True
    return False


@kernel
def seek_special(state: Record, cards: Record, first: int) -> None:
    """ROOK-30. Offer the next special line of the Rookling in focus, from line `first` on; if none, the next card."""
    line = abilities.next_special(state, cards, state["focus"], first)
    if line == NONE:
        state["phase"] = Phase.ASSIGN
    else:
        state["cursor"] = line
        state["phase"] = Phase.ACTIVATE


@kernel
def enter_declaring(state: Record, cards: Record) -> None:
    """A4, D3. Start declaring lines, position by position."""
    attacks.note_met(state, cards)
    state["phase"] = Phase.DEFEND if state["defending"] else Phase.ATTACK
    seek_line(state, cards, 0)


@kernel
def seek_line(state: Record, cards: Record, first: int) -> None:
    """Move the cursor to the next position with a choice of lines, from `first` on; POSITIONS if there is none."""
    position = first
    while position < POSITIONS and attacks.declarable(state, cards, position) == 0:
        attacks.take_line(state, cards, position, 0)
        position += 1
    state["cursor"] = position


@kernel
def pursue(state: Record, cards: Record, rng: Record) -> None:
    """Take every step that leaves no choice, until there is one or the game is over."""
    if state["phase"] == Phase.ASSIGN and not can_place(state, cards):
        enter_declaring(state, cards)
    if state["phase"] == Phase.ATTACK and state["cursor"] == POSITIONS:
        attacks.declare_attacks(state, cards)
        state["defending"] = 1
        enter_half(state, cards)
        if state["phase"] == Phase.ASSIGN and not can_place(state, cards):
            enter_declaring(state, cards)
    if state["phase"] == Phase.DEFEND and state["cursor"] == POSITIONS:
        attacks.declare_defences(state, cards)
        attacks.begin_battle(state, cards)
        resolve(state, cards, rng)


@kernel
def resolve(state: Record, cards: Record, rng: Record) -> None:
    """D4 and E1. Wait for a decision of the resolution, start the next exchange, or end the game."""
    stage = attacks.stage_of(state["clash"])
    while stage in (attacks.Stage.DONE, attacks.Stage.LOST):
        if attacks.after_clash(state, cards):
            abilities.clean_up(state, cards)
            abilities.refill(state, cards, rng)
            abilities.end_exchange(state)
            abilities.begin_exchange(state, cards, 1 - state["attacker"])
            enter_half(state, cards)
            return
        if state["phase"] == Phase.OVER:
            abilities.close_game(state)
            return
        stage = attacks.stage_of(state["clash"])
    if stage == attacks.Stage.NEXT:
        state["phase"] = Phase.NEXT
    elif stage == attacks.Stage.SIDE:
        state["phase"] = Phase.SIDE
    else:
        state["phase"] = Phase.BLOCK
