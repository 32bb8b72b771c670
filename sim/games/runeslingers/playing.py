"""A card being played, and the announcements of all effects (RUNE-50 to 63, 98)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.aims import aims_of, has_aims, thing_of, types_wanted
from sim.games.runeslingers.leaving import await_leaving, lift
from sim.games.runeslingers.light import pay_light
from sim.games.runeslingers.piles import begin_discard, leave_hand, note_play, to_discard
from sim.games.runeslingers.record import Kind, Op, Picker, To, When
from sim.games.runeslingers.stack import ask, pop, push, top_of
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, SLOTS, object_at, seq_of
from sim.games.runeslingers.stats import check_later, is_defence, settle
from sim.games.runeslingers.switches import AnswerOn, SlotChoice
from sim.games.runeslingers.terms import Frame, Part, Phase
from sim.games.runeslingers.triggers import await_triggers


@kernel
def begin_card(state: Record, seat: int, at: int) -> None:
    """RUNE-51. A player begins to play a card of the hand. `kind` keeps who plays it, `by` who controls it (RUNE-106)."""
    inst = leave_hand(state, seat, at)
    frame = push(state, Frame.CARD, seat)
    state["kind"][frame] = seat
    state["inst"][frame] = inst
    state["card"][frame] = state["card_of"][inst]


@kernel
def step_card(state: Record, cards: Record) -> None:
    """RUNE-51. The next step of a card being played."""
    top = top_of(state)
    step = state["step"][top]
    if step >= Part.KEYWORDS and not is_in_play(state, top):
        state["foiled"][state["kind"][top]] += 1
        pop(state)
    elif step == Part.WHERE:
        seek_place(state, cards, top)
    elif step == Part.PAY:
        pay(state, cards, top)
    elif step == Part.LAY:
        lay(state, cards, top)
    elif step == Part.KEYWORDS:
        resolve_keywords(state, cards, top)
    elif step == Part.SLING:
        sling(state, cards, top)
    elif step == Part.ANSWER:
        open_answer(state, cards, top)
    else:
        state["step"][top] = Part.EFFECTS


@kernel
def is_in_play(state: Record, top: int) -> bool:
    """RUNE-63, 73. Whether the card of a frame still lies where it was laid."""
    side, place = state["side"][top], state["place"][top]
    return state["thing"][side, place] != NOBODY and state["thing_seq"][side, place] == state["place_seq"][top]


@kernel
def seek_place(state: Record, cards: Record, top: int) -> None:
    """RUNE-53. Ask where the card goes, or find the concentration that it covers."""
    card, seat = np.int64(state["card"][top]), np.int64(state["by"][top])
    state["step"][top] = Part.PAY
    if cards["kind"][card] == Kind.BOON:
        ask(state, Phase.PLACE, seat)
    elif chooses_slot(cards, card):
        ask(state, Phase.SLOT, seat)
    else:
        state["place"][top] = slot_to_cover(state, seat)


@kernel
def chooses_slot(cards: Record, card: int) -> bool:
    """A14. Whether the player decides which concentration a card covers."""
    if cards["slot_choice"] != SlotChoice.DISTINCT:
        return cards["slot_choice"] == SlotChoice.FULL
    return is_defence(cards, card) or cards["distract"][card] > 0


@kernel
def slot_to_cover(state: Record, seat: int) -> np.int64:
    """A14. Concentration that a card covers of itself: a used one before a ready one, the lowest-numbered."""
    ready = np.int64(NOBODY)
    for slot in range(SLOTS):
        if is_exposed(state, seat, slot):
            if state["conc_used"][seat, slot]:
                return np.int64(slot)
            if ready == NOBODY:
                ready = np.int64(slot)
    return ready


@kernel
def is_exposed(state: Record, seat: int, slot: int) -> bool:
    """RUNE-06. Whether a concentration lies exposed on an area."""
    return state["conc"][seat, slot] != NOBODY and state["thing"][seat, slot] == NOBODY


@kernel
def take_place(state: Record, code: int) -> None:
    """PLACE, RUNE-106. Area of a boon, the player's own or the enemy's; who has the field controls it."""
    top = top_of(state)
    seat = np.int64(state["kind"][top])
    state["side"][top] = seat if code < AREAS else SEATS - 1 - seat
    state["by"][top] = state["side"][top]
    state["place"][top] = SLOTS + code % AREAS


@kernel
def pay(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 1, 52. Pay light, then cards."""
    card, seat = np.int64(state["card"][top]), np.int64(state["kind"][top])
    cover = np.int64(state["place"][top]) if cards["kind"][card] != Kind.BOON else np.int64(NOBODY)
    pay_light(state, seat, np.int64(cards["cost"][card]), cover)
    state["step"][top] = Part.LAY
    begin_discard(state, seat, np.int64(cards["extra_discard"][card]))


@kernel
def lay(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 2, 106, 108. The card is in play; a boon under it is destroyed."""
    side, place, inst = np.int64(state["side"][top]), np.int64(state["place"][top]), np.int64(state["inst"][top])
    old, under, hidden = np.int64(NOBODY), np.int64(state["under"][side, place]), np.int64(0)
    if state["thing"][side, place] != NOBODY:
        hidden = np.int64(state["under_hidden"][side, place])
        old = lift(state, side, place)
        to_discard(state, old)
    state["seq"] += 1
    state["thing"][side, place] = inst
    state["turn_played"][side, place] = state["turn"]
    state["thing_seq"][side, place] = state["seq"]
    state["place_seq"][top] = state["seq"]
    state["inst"][top] = NOBODY
    state["step"][top] = Part.KEYWORDS
    note_play(state, np.int64(state["kind"][top]), inst)
    if place >= SLOTS:
        note_boon(state, np.int64(state["kind"][top]), side)
    settle(state, cards)
    check_later(state)
    if old != NOBODY:
        await_leaving(state, cards, (side, place), (old, under, hidden), True)


@kernel
def note_boon(state: Record, seat: int, side: int) -> None:
    """Register section 11. Count a boon on the enemy, and the ailments under boons."""
    state["boons_on_enemy"][seat] += side != seat
    concealed = np.int64(0)
    for area in range(AREAS):
        if state["thing"][side, SLOTS + area] != NOBODY:
            concealed += np.int64(state["count"][side, area])
    state["concealed_most"][side] = max(np.int64(state["concealed_most"][side]), concealed)


@kernel
def resolve_keywords(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 3, 56, 57. Tokens, and the bullet that is picked."""
    card, seat = np.int64(state["card"][top]), np.int64(state["by"][top])
    state["step"][top] = Part.TYPES
    state["tokens"][state["side"][top], state["place"][top]] = cards["tokens"][card]
    if cards["picker"][card] == Picker.NOBODY:
        state["row"][top] = cards["effects"][card]
    elif bullets_open(state, cards, top):
        ask(state, Phase.BULLET, seat if cards["picker"][card] == Picker.PLAYER else SEATS - 1 - seat)


@kernel
def bullets_open(state: Record, cards: Record, top: int) -> np.int64:
    """RUNE-56. Bullets of a card in play whose targets all exist, as bits."""
    card, found = np.int64(state["card"][top]), np.int64(0)
    itself = object_at(np.int64(state["side"][top]), np.int64(state["place"][top]))
    for k in range(np.int64(cards["bullets"][card])):
        if has_aims(state, cards, np.int64(cards["bullet"][card, k]), np.int64(state["by"][top]), card, itself):
            found |= np.int64(1) << k
    return found


@kernel
def step_types(state: Record, cards: Record) -> None:
    """RUNE-51 step 4, 98. Announce types of ailments one after the other."""
    top = top_of(state)
    if state["frame"][top] == Frame.CARD and not is_in_play(state, top):
        state["step"][top] = Part.SLING  # where it is found to have left
    elif state["types_n"][top] < types_wanted(cards, np.int64(state["row"][top])):
        ask(state, Phase.AILMENT, np.int64(state["by"][top]))
    else:
        state["step"][top] = Part.AIMS


@kernel
def step_aims(state: Record, cards: Record) -> None:
    """RUNE-51 step 5. Announce the targets of the effects in written order; where there is only one it is taken."""
    top = top_of(state)
    seat, row = np.int64(state["by"][top]), np.int64(state["row"][top])
    while cards["op"][row + state["aims_n"][top]] != Op.NONE:
        at = row + np.int64(state["aims_n"][top])
        if cards["to"][at] > To.CARD:
            state["aims_n"][top] += 1
            continue
        found = frame_aims(state, cards, top, at)
        if found & (found - 1):
            ask(state, Phase.TARGET, seat)
            return
        code = np.int64(0)
        while found > 1:
            found >>= 1
            code += 1
        aim(state, top, thing_of(code, seat) if found else np.int64(NOBODY))
    state["step"][top] = Part.SLING if state["frame"][top] == Frame.CARD else Part.EFFECTS


@kernel
def frame_aims(state: Record, cards: Record, top: int, row: int) -> np.int64:
    """Objects that an effect of a frame may be aimed at, as bits of target codes."""
    itself = np.int64(NOBODY)
    if state["place"][top] != NOBODY:
        itself = object_at(np.int64(state["side"][top]), np.int64(state["place"][top]))
    return aims_of(state, cards, row, np.int64(state["by"][top]), np.int64(state["card"][top]), itself)


@kernel
def aim(state: Record, top: int, thing: int) -> None:
    """Announce an object, or NOBODY, as the next target of a frame."""
    at = state["aims_n"][top]
    state["aims"][top, at] = thing
    state["aim_seqs"][top, at] = seq_of(state, thing) if thing != NOBODY else 0
    state["aims_n"][top] += 1


@kernel
def sling(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 6. Triggers on slinging act; then a runespell can be answered."""
    kind, seat = np.int64(cards["kind"][state["card"][top]]), np.int64(state["by"][top])
    if kind >= Kind.CHANT:
        state["step"][top] = Part.ANSWER if cards["answer_on"] == AnswerOn.ANY_CARD else Part.RESOLVE
        return
    state["step"][top] = Part.ANSWER if cards["answer_on"] != AnswerOn.NOTHING else Part.RESOLVE
    state["slung"][seat] += 1
    await_triggers(state, cards, When.SLING_SPIRIT + kind, seat)


@kernel
def open_answer(state: Record, cards: Record, top: int) -> None:
    """RUNE-70. The other player may answer, if it holds a card with Shout at all."""
    seat = SEATS - 1 - np.int64(state["kind"][top])
    state["step"][top] = Part.RESOLVE
    for at in range(np.int64(state["hand_n"][seat])):
        if cards["shout"][state["card_of"][state["hand"][seat, at]]]:
            ask(state, Phase.ANSWER, seat)
            return


@kernel
def answer(state: Record, code: int) -> None:
    """ANSWER: 0 lets it lapse, else a card of the hand is the next rung."""
    if code > 0:
        top = top_of(state)
        seat = SEATS - 1 - np.int64(state["kind"][top])
        state["answered_cards"][state["kind"][top]] += 1
        state["answered"][top] = 1
        state["answers"][seat] += 1
        begin_card(state, seat, code - 1)


@kernel
def take_aim(state: Record, code: int) -> None:
    """TARGET: the next target of the top frame."""
    top = top_of(state)
    aim(state, top, thing_of(code, np.int64(state["by"][top])))


@kernel
def aim_codes(state: Record, cards: Record) -> np.int64:
    """Target codes open to the top frame, as bits."""
    top = top_of(state)
    return frame_aims(state, cards, top, np.int64(state["row"][top]) + np.int64(state["aims_n"][top]))
