"""Playing a card: light, targets, which cards can be played, and a card on its way to its effects (RUNE-40 to 75, 98)."""

import numpy as np

from sim.engine.jit import Record, kernel, lowest_bit
from sim.games.runeslingers.cards import NO_ROW, AnswerOn, Kind, Op, Picker, SlotChoice, Stat, To, When
from sim.games.runeslingers.rules.ailments import await_leaving, lift
from sim.games.runeslingers.rules.objects import ask, await_triggers, check_later, is_defence, pop, push, settle, sways, top_of
from sim.games.runeslingers.rules.power import begin_discard, leave_hand, note_copy, to_discard
from sim.games.runeslingers.state import (
    AREAS,
    NOBODY,
    PLACES,
    SEATS,
    SLOTS,
    Frame,
    Part,
    Phase,
    object_at,
    place_of,
    seat_of,
    seq_of,
)

OWN, ENEMY = 1, 2  # bits of the Runeslingers among target codes
OWN_PLACE, ENEMY_PLACE, OWN_BOON, ENEMY_BOON = 2, 8, 14, 18  # first codes of positions
ALL_OWN = 0b0000_1111_000000_111111_01  # own Runeslinger, own positions, own boons
IN_SLOTS = (1 << SLOTS) - 1  # bits of the positions on concentrations
HAS_SLOT, HAS_AREA = 1, 2  # bits of `survey`


@kernel
def thing_of(code: int, seat: int) -> int:
    """Object of a target code, as seen by a seat."""
    other = SEATS - 1 - seat
    if code < OWN_PLACE:
        return seat if code == 0 else other
    if code < ENEMY_PLACE:
        return object_at(seat, code - OWN_PLACE)
    if code < OWN_BOON:
        return object_at(other, code - ENEMY_PLACE)
    if code < ENEMY_BOON:
        return object_at(seat, code - OWN_BOON + SLOTS)
    return object_at(other, code - ENEMY_BOON + SLOTS)


@kernel
def aims_of(state: Record, cards: Record, row: int, seat: int, card: int, itself: int) -> int:
    """RUNE-09, 58. Legal targets of an effect of a seat, as bits of target codes; `attack_any` beats RUNE-90.

    card: whose type counts, NOBODY. itself: object that the effect comes from, NOBODY; a card cannot choose itself for `trap`
    and `destroy`, nor as a `runespell` or `card`.
    """
    to, op = cards["to"][row], cards["op"][row]
    bits = runeslingers(to)
    at_runeslinger = To.RUNESLINGER <= to <= To.ENEMY
    widened = (
        op == Op.DAMAGE
        and card != NOBODY
        and cards["kind"][card] == Kind.ATTACK
        and state["stat"][seat, Stat.ATTACK_ANY] > 0
        and at_runeslinger
    )
    if widened or not at_runeslinger:
        sought = To.DEFENCE if widened else np.int64(to)  # numba does not unify an enum with a narrow field
        spare = itself if op not in (Op.DAMAGE, Op.BARRIER) else NOBODY
        if to != To.ENEMY:
            bits |= places(state, cards, sought, seat, seat, spare)
        if to != To.OWN:
            bits |= places(state, cards, sought, SEATS - 1 - seat, seat, spare)
    if op == Op.DAMAGE and cards["own_targets"] == 0:
        bits &= ~ALL_OWN
    return bits


@kernel
def runeslingers(to: int) -> int:
    """Runeslingers among the targets of an effect, as bits."""
    if to <= To.RUNESLINGER:
        return OWN | ENEMY
    if to == To.OWN:
        return OWN
    return ENEMY if to == To.ENEMY else 0


@kernel
def places(state: Record, cards: Record, to: int, side: int, seat: int, spare: int) -> int:
    """Things and concentrations of a side among the targets of an effect, as bits of the seat's codes."""
    found = 0
    for place in range(PLACES):
        found |= int(fits(state, cards, to, side, place)) << place
    if spare >= SEATS and seat_of(spare) == side:
        found &= ~(1 << place_of(spare))
    slots, boons = found & IN_SLOTS, found >> SLOTS
    return slots << OWN_PLACE | boons << OWN_BOON if side == seat else slots << ENEMY_PLACE | boons << ENEMY_BOON


@kernel
def fits(state: Record, cards: Record, to: int, side: int, place: int) -> bool:
    """RUNE-04, 58. Whether the exposed card at a position is of the kind that an effect targets."""
    inst = state["thing"][side, place]
    if inst == NOBODY:
        if place >= SLOTS or state["conc"][side, place] == NOBODY:
            return False
        return to >= To.CONCENTRATION
    if to == To.CARD:
        return True
    if to == To.RUNESPELL:
        return not is_defence(cards, state["card_of"][inst])
    return to != To.CONCENTRATION and is_defence(cards, state["card_of"][inst])


@kernel
def has_aims(state: Record, cards: Record, row: int, seat: int, card: int, itself: int) -> bool:
    """RUNE-50, 56. Whether every targeting effect of a list has a target.

    itself: object that the list comes from, NOBODY for a card of the hand, which will cover a concentration unless it is a boon.
    """
    at = row
    while cards["op"][at] != Op.NONE:
        to = cards["to"][at]
        if to <= To.CARD:
            bits = aims_of(state, cards, at, seat, card, itself)
            covers = itself == NOBODY and card != NOBODY and cards["kind"][card] != Kind.BOON
            if covers and to >= To.CONCENTRATION:
                bits &= bits - 1  # one of them will be covered
            if bits == 0:
                return False
        at += 1
    return True


@kernel
def ready_light(state: Record, seat: int) -> int:
    """RUNE-50. Light that a player can pay: the pool and the ready exposed concentrations."""
    total = state["light"][seat]
    for slot in range(SLOTS):
        total += is_ready(state, seat, slot)
    return total


@kernel
def is_ready(state: Record, seat: int, slot: int) -> bool:
    """Whether a concentration can make light."""
    return is_exposed(state, seat, slot) & (state["conc_used"][seat, slot] == 0)


@kernel
def make_light(state: Record, seat: int, slot: int) -> None:
    """RUNE-40. Use a ready concentration for one light."""
    state["conc_used"][seat, slot] = 1
    state["light"][seat] += 1
    state["light_made"][seat] += 1


@kernel
def make_first_light(state: Record, seat: int) -> None:
    """RUNE-40. Use the lowest-numbered ready concentration for one light, if there is one."""
    for slot in range(SLOTS):
        if is_ready(state, seat, slot):
            make_light(state, seat, slot)
            return


@kernel
def pay_light(state: Record, seat: int, cost: int, cover: int) -> None:
    """RUNE-52. Pay from the pool, then with the concentration to be covered if it is ready, then the lowest-numbered ready ones.

    cover: its slot, NOBODY. The light must be there, see `ready_light`.
    """
    if state["light"][seat] < cost and cover != NOBODY and is_ready(state, seat, cover):
        make_light(state, seat, cover)
    slot = 0
    while state["light"][seat] < cost and slot < SLOTS:
        if is_ready(state, seat, slot):
            make_light(state, seat, slot)
        slot += 1
    state["light"][seat] -= cost


@kernel
def begin_card(state: Record, seat: int, at: int) -> None:
    """RUNE-51. A player begins to play a card of the hand. `kind` keeps who plays it, `by` who controls it (RUNE-106)."""
    inst = leave_hand(state, seat, at)
    frame = push(state, Frame.CARD, seat)
    state["kind"][frame] = seat
    state["inst"][frame] = inst
    state["card"][frame] = state["card_of"][inst]


@kernel
def step_card(state: Record, cards: Record, rng: Record) -> None:
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
        open_answer(state, cards, rng, top)
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
    card, seat = state["card"][top], state["by"][top]
    state["step"][top] = Part.PAY
    if cards["kind"][card] == Kind.BOON:
        ask(state, Phase.PLACE, seat)
    elif chooses_slot(cards, card):
        ask(state, Phase.SLOT, seat)
    else:
        state["place"][top] = slot_to_cover(state, seat)


@kernel
def chooses_slot(cards: Record, card: int) -> bool:
    """A14. Whether the player chooses the concentration that a card covers."""
    if cards["slot_choice"] != SlotChoice.DISTINCT:
        return cards["slot_choice"] == SlotChoice.FULL
    return is_defence(cards, card) or cards["distract"][card] > 0


@kernel
def slot_to_cover(state: Record, seat: int) -> int:
    """A14. Concentration that a card covers by default: a used one before a ready one, then the lowest-numbered."""
    ready = NOBODY
    for slot in range(SLOTS):
        if is_exposed(state, seat, slot):
            if state["conc_used"][seat, slot]:
                return slot
            if ready == NOBODY:
                ready = slot
    return ready


@kernel
def is_exposed(state: Record, seat: int, slot: int) -> bool:
    """RUNE-06. Whether a concentration lies exposed on an area."""
    return (state["conc"][seat, slot] != NOBODY) & (state["thing"][seat, slot] == NOBODY)  # no branch: it is hard to predict


@kernel
def take_place(state: Record, code: int) -> None:
    """RUNE-106. PLACE: the area of a boon, on either field; the player with that field controls the boon."""
    top = top_of(state)
    seat = state["kind"][top]
    state["side"][top] = seat if code < AREAS else SEATS - 1 - seat
    state["by"][top] = state["side"][top]
    state["place"][top] = SLOTS + code % AREAS


@kernel
def pay(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 1, 52. Pay light, then cards."""
    card, seat = state["card"][top], state["kind"][top]
    cover = state["place"][top] if cards["kind"][card] != Kind.BOON else NOBODY
    pay_light(state, seat, cards["cost"][card], cover)
    state["step"][top] = Part.LAY
    begin_discard(state, seat, cards["extra_discard"][card])


@kernel
def lay(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 2, 106, 108. Lay the card into play; a boon under it is destroyed."""
    side, place, inst = state["side"][top], state["place"][top], state["inst"][top]
    old, under, hidden = NOBODY, state["under"][side, place], 0
    if state["thing"][side, place] != NOBODY:
        hidden = state["under_hidden"][side, place]
        old = lift(state, side, place)
        to_discard(state, old)
    state["seq"] += 1
    state["thing"][side, place] = inst
    state["turn_played"][side, place] = state["turn"]
    state["thing_seq"][side, place] = state["seq"]
    state["place_seq"][top] = state["seq"]
    state["inst"][top] = NOBODY
    state["step"][top] = Part.KEYWORDS
    note_copy(state, state["kind"][top], inst, state["plays"], state["played_turn"])
    if place >= SLOTS:
        note_boon(state, state["kind"][top], side)
    settle(state, cards, sways(cards, state["card"][top], place))
    check_later(state)
    if old != NOBODY:
        await_leaving(state, cards, (side, place), (old, under, hidden), True)


@kernel
def note_boon(state: Record, seat: int, side: int) -> None:
    """Count a boon on the enemy, and the ailments under boons."""
    state["boons_on_enemy"][seat] += side != seat
    concealed = np.int64(0)
    for area in range(AREAS):
        if state["thing"][side, SLOTS + area] != NOBODY:
            concealed += state["count"][side, area]
    state["concealed_most"][side] = max(state["concealed_most"][side], concealed)


@kernel
def resolve_keywords(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 3, 56, 57. Put tokens on the card, and have a bullet picked."""
    card, seat = state["card"][top], state["by"][top]
    state["step"][top] = Part.TYPES
    state["tokens"][state["side"][top], state["place"][top]] = cards["tokens"][card]
    if cards["picker"][card] == Picker.NOBODY:
        state["row"][top] = cards["effects"][card]
    elif bullets_open(state, cards, top):
        ask(state, Phase.BULLET, seat if cards["picker"][card] == Picker.PLAYER else SEATS - 1 - seat)


@kernel
def bullets_open(state: Record, cards: Record, top: int) -> int:
    """RUNE-56. Bullets of a card in play whose targets all exist, as bits."""
    card, bits = state["card"][top], 0
    itself = object_at(state["side"][top], state["place"][top])
    for k in range(cards["bullets"][card]):
        if has_aims(state, cards, cards["bullet"][card, k], state["by"][top], card, itself):
            bits |= 1 << k
    return bits


@kernel
def step_types(state: Record, cards: Record) -> None:
    """RUNE-51 step 4, 98. Announce types of ailments one after the other."""
    top = top_of(state)
    if state["frame"][top] == Frame.CARD and not is_in_play(state, top):
        state["step"][top] = Part.SLING  # which finds that it has left
    elif state["types_n"][top] < cards["announced"][state["row"][top]]:
        ask(state, Phase.AILMENT, state["by"][top])
    else:
        state["step"][top] = Part.AIMS


@kernel
def step_aims(state: Record, cards: Record) -> None:
    """RUNE-51 step 5. Announce the targets of the effects in written order; a single legal target is announced without asking."""
    top = top_of(state)
    seat, row = state["by"][top], state["row"][top]
    while cards["op"][row + state["aims_n"][top]] != Op.NONE:
        at = row + state["aims_n"][top]
        if cards["to"][at] > To.CARD:
            state["aims_n"][top] += 1
            continue
        bits = frame_aims(state, cards, top, at)
        if bits & (bits - 1):
            ask(state, Phase.TARGET, seat)
            return
        aim(state, top, thing_of(lowest_bit(np.uint64(bits)), seat) if bits else NOBODY)
    state["step"][top] = Part.SLING if state["frame"][top] == Frame.CARD else Part.EFFECTS


@kernel
def frame_aims(state: Record, cards: Record, top: int, row: int) -> int:
    """Legal targets of an effect of a frame, as bits of target codes."""
    itself = NOBODY
    if state["place"][top] != NOBODY:
        itself = object_at(state["side"][top], state["place"][top])
    return aims_of(state, cards, row, state["by"][top], state["card"][top], itself)


@kernel
def aim(state: Record, top: int, thing: int) -> None:
    """Announce an object, or NOBODY, as the next target of a frame."""
    at = state["aims_n"][top]
    state["aims"][top, at] = thing
    state["aim_seqs"][top, at] = seq_of(state, thing) if thing != NOBODY else 0
    state["aims_n"][top] += 1


@kernel
def sling(state: Record, cards: Record, top: int) -> None:
    """RUNE-51 step 6. Triggers on slinging act; then the runespell can be answered."""
    kind, seat = cards["kind"][state["card"][top]], state["by"][top]
    if kind >= Kind.CHANT:
        state["step"][top] = Part.ANSWER if cards["answer_on"] == AnswerOn.ANY_CARD else Part.RESOLVE
        return
    state["step"][top] = Part.ANSWER if cards["answer_on"] != AnswerOn.NOTHING else Part.RESOLVE
    state["slung"][seat] += 1
    await_triggers(state, cards, When.SLING_SPIRIT + kind, seat)


@kernel
def open_answer(state: Record, cards: Record, rng: Record, top: int) -> None:
    """RUNE-70. The other player can answer, if it holds a card with Shout."""
    seat = SEATS - 1 - state["kind"][top]
    state["step"][top] = Part.RESOLVE
    if state["hand_n"][seat] > 0 and ready_light(state, seat) >= cards["least_shout"][state["deck_of"][seat]]:
        rng["shown"][SEATS - 1 - seat] += 1
    for at in range(state["hand_n"][seat]):
        if cards["shout"][state["card_of"][state["hand"][seat, at]]]:
            ask(state, Phase.ANSWER, seat)
            return


@kernel
def answer(state: Record, code: int) -> None:
    """RUNE-70, 71. ANSWER: 0 declines; else a card of the hand is the next rung."""
    if code > 0:
        top = top_of(state)
        seat = SEATS - 1 - state["kind"][top]
        state["answered_cards"][state["kind"][top]] += 1
        state["answered"][top] = 1
        state["answers"][seat] += 1
        begin_card(state, seat, code - 1)


@kernel
def survey(state: Record, seat: int) -> int:
    """RUNE-53. Places for cards, as bits: whether the player has an exposed concentration, whether ailments lie on any field."""
    bits = 0
    for slot in range(SLOTS):
        bits |= int(is_exposed(state, seat, slot)) * HAS_SLOT
    if has_ailments(state, 0) or has_ailments(state, 1):
        bits |= HAS_AREA
    return bits


@kernel
def can_play(state: Record, cards: Record, seat: int, card: int, light: int, places: int) -> bool:
    """RUNE-50, 53, 54. Whether a player can play a card of the hand. light, places: see `ready_light` and `survey`."""
    kind = cards["kind"][card]
    if cards["cost"][card] > light or cards["extra_discard"][card] >= state["hand_n"][seat]:
        return False
    if places & (HAS_AREA if kind == Kind.BOON else HAS_SLOT) == 0:
        return False
    if kind == Kind.TRINKET and controls(state, seat, card):
        return False
    if kind != Kind.BOON:
        return finds_targets(state, cards, seat, card)
    for side in range(SEATS):  # the player with the field controls it
        if has_ailments(state, side) and finds_targets(state, cards, side, card):
            return True
    return False


@kernel
def has_ailments(state: Record, seat: int) -> bool:
    """RUNE-106. Whether ailments lie on a field, under a boon or not."""
    for area in range(AREAS):
        if state["count"][seat, area] > 0:
            return True
    return False


@kernel
def finds_targets(state: Record, cards: Record, seat: int, card: int) -> bool:
    """RUNE-50, 56. Whether every effect of a card, or of one of its bullets, has a target for its future controller."""
    if cards["picker"][card] == Picker.NOBODY:
        return cards["needs"][card] == 0 or has_aims(state, cards, cards["effects"][card], seat, card, NOBODY)
    for k in range(cards["bullets"][card]):
        if cards["bullet_needs"][card, k] == 0 or has_aims(state, cards, cards["bullet"][card, k], seat, card, NOBODY):
            return True
    return False


@kernel
def controls(state: Record, seat: int, card: int) -> bool:
    """RUNE-54. Whether a player controls a copy of a card on a concentration."""
    for slot in range(SLOTS):
        inst = state["thing"][seat, slot]
        if inst != NOBODY and state["card_of"][inst] == card:
            return True
    return False


@kernel
def can_use_inherent(state: Record, cards: Record, seat: int, light: int) -> bool:
    """RUNE-41. Whether a player can activate the inherent ability."""
    hero = cards["hero"][state["deck_of"][seat]]
    if cards["inherent_light"][hero] > light or state["stat"][seat, Stat.NO_ABILITY] > 0:
        return False
    if 0 < cards["inherent_per_turn"][hero] <= state["inherent_uses"][seat]:
        return False
    row = cards["inherent"][hero]
    return cards["inherent_needs"][hero] == 0 or has_aims(state, cards, row, seat, NOBODY, NOBODY)


@kernel
def can_use_ability(state: Record, cards: Record, seat: int) -> bool:
    """RUNE-42. Whether a player can activate the equipped ability."""
    ability = cards["ability"][state["deck_of"][seat]]
    if cards["ability_cost"][ability] > state["determination"][seat] or state["stat"][seat, Stat.NO_ABILITY] > 0:
        return False
    row = cards["ability_effects"][ability]
    return cards["ability_needs"][ability] == 0 or has_aims(state, cards, row, seat, NOBODY, NOBODY)


@kernel
def can_activate(state: Record, cards: Record, seat: int, place: int, k: int, light: int) -> bool:
    """RUNE-43, 45. Whether a player can use the k-th activated effect of the thing at a position. light: see `ready_light`."""
    card = state["card_of"][state["thing"][seat, place]]
    row = cards["act_effects"][card, k]
    if row == NO_ROW or cards["act_tokens"][card, k] > state["tokens"][seat, place]:
        return False
    if cards["act_use"][card, k] and (state["used"][seat, place] or state["turn_played"][seat, place] == state["turn"]):
        return False
    if 0 < cards["act_per_turn"][card, k] <= state["uses"][seat, place, k]:
        return False
    if cards["act_light"][card, k] > light:
        return False
    return cards["act_needs"][card, k] == 0 or has_aims(state, cards, row, seat, card, object_at(seat, place))
