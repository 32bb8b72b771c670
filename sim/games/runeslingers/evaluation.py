"""How good a position looks to a seat: 29 features and the winning chance that they give.

Most features are what the seat has minus what its enemy has, scaled to be about 1 in size. Worths are in health points. The
weights of the features are data: `weights.toml`. Frames of the work stack count with what they will do; otherwise a player
that looks one decision ahead would see nothing in slinging a runespell that can still be answered.
"""

from enum import IntEnum

import numpy as np

from sim.engine.evaluation import chance_of
from sim.engine.game import WANTED
from sim.engine.jit import Record, kernel, lowest_bit, scratch, without_lowest
from sim.games.runeslingers.cards import NO_ROW, Ailment, Boost, Kind, Op, Picker, Stat, To, When
from sim.games.runeslingers.record import FEATURES, Feature
from sim.games.runeslingers.rules.ailments import area_for
from sim.games.runeslingers.rules.damage import amount_of, barrier_of, can_block, pierces
from sim.games.runeslingers.rules.objects import (
    block_of,
    defence_of,
    exposed_total,
    is_defence,
    opening_draw,
    row_of_trigger,
    top_of,
    waiting_for,
)
from sim.games.runeslingers.rules.playing import can_use_inherent
from sim.games.runeslingers.rules.power import NO_BIT, room_to_heal
from sim.games.runeslingers.state import (
    AREAS,
    NOBODY,
    SEATS,
    SLOTS,
    STACK,
    Frame,
    Part,
    Phase,
    Stage,
    owner_of,
    place_of,
    seat_of,
    seq_of,
)

LOST = 20.0  # a power that is about to be lost
SEVERE = 3.0  # an ailment at level II
CROWDED = 4.0  # enough ailments to lose a power
DECK_CARD = 1.5  # a card to be drawn from the deck
HAND_CARD = 3.0  # a card of a hand that is not seen
HAND_BASE, HAND_SHARE = 1.0, 0.3  # a card of the player's own hand: base worth, and share of its rating
HAND_LEAST, HAND_MOST = 0.6, 6.0
DEAR = 0.5  # factor for a card that costs over 2 more than there are concentrations
THING, THING_COST = 2.5, 1.3  # a defence card, and for each light that it costs
ENEMY_BOON = -1.0  # a boon of the enemy, to the player on whose field it lies
BOOST_POINT = 0.9  # a point of damage boosted, for each card in hand that it will serve
TOKEN = 0.8
ABILITY = 1.5  # an inherent ability that can still be used this turn
OUTLOOK = 0.6  # share of what can still be done this turn
PER_LIGHT, PER_SET = 2.5, 3.0  # what an unseen hand can make of a light, of a set
TURNED_AWAY = 1.0  # a card that a full hand will turn away at the next draw
LIGHT_A_CARD = 2.0  # light that an unseen card can use
BLOCKED = 4.5  # for making the enemy block: a card of its hand, and its block of this turn
DOWN = 1.5  # for taking a power
STOPPED = 0.9  # for a point of damage that a barrier takes
SCRATCH = 0.2  # for hurting a defence card that stays
BURN, DEBILITATE, OTHER, CHOSEN = 4.5, 3.5, 3.2, 3.8  # an instance applied
REMOVED, CONVERTED, DRAWN, SEARED, VOIDED, THROWN = 2.5, 1.0, 2.9, 0.6, 0.9, 3.2
TARGET_UNKNOWN = 5.0  # destroying or trapping something yet to be chosen
CONCENTRATION = 4.0
SPELL_ABOUT = 2.0  # trapping a runespell that has already acted
LIGHT, SET, BOOST = 0.6, 3.0, 1.0
GONE = -3  # the target has left: the effect will fizzle
DIRECT, PIERCE = 1, 2  # bits of the nature of damage
A_TURN = 1.2  # estimated cards that a player plays in a turn
FOR_GOOD = 4.0  # reaching the last power, compared with 1 for any other
POINTS = 10.0  # health points that make 1 of a feature
FEW = 4.0  # ailments, cards or light that make 1
SOME = 2.0  # determination that makes 1
ENDLESS = 1.0  # added to both lives, so that the relative lead does not jump at the end
HARD, SOFT, WORN = 0, 1, 2  # what an effect takes: health that nothing stops, health that a barrier can save, cards


class UnderWay(IntEnum):
    """What is under way on the work stack."""

    FRAMES = 0  # what the frames of a seat will bring it
    SLINGING = 1  # what triggers of runespells about to be slung will bring it
    DUE = 2  # what frames that are carried out piece by piece will bring it


# What `look` finds in a position, by seat
VIEW = np.dtype(
    [
        ("life", np.float64, (SEATS,)),  # powers left, the present one as a fraction of its health
        ("wear", np.float64, (SEATS,)),  # estimated cards that its deck loses in a turn: own draws, and what the enemy wears away
        ("gone", np.float64, (SEATS,)),  # cards that will not return to its deck: voided, face-down, or in play
        ("draws", np.float64, (SEATS,)),  # see `draws_worth`
        ("things", np.float64, (SEATS,)),  # worth of the defence cards on its field, to that player
        ("severe", np.float64, (SEATS,)),  # cost of exposed ailments at level II, and of having enough to lose a power
        ("exposed", np.int64, (SEATS,)),  # exposed ailments
        ("concs", np.int64, (SEATS,)),  # concentrations, exposed or not
        ("lasting", np.int64, (SEATS,)),  # those that will make light in later turns: not covered by a defence card
        ("light", np.int64, (SEATS,)),  # see `ready_light`
        ("under_way", np.float64, (SEATS, len(UnderWay))),
        ("last_blow", np.float64),  # whether what is under way takes a last power: of seat 1 (1), of seat 0 (-1), or neither (0)
        ("taken", np.int64, (3,)),  # HARD, SOFT, WORN: scratch of `falls`
        ("pending", np.int64, (STACK,)),  # by frame, see `pending_triggers`
        ("doomed", np.uint8, (STACK,)),  # by frame, see `is_doomed`
        ("feature", np.float64, (len(FEATURES),)),  # of one seat
    ],
    align=True,
)


@kernel
def concentration_worth(count: int) -> float:
    """Worth of a number of concentrations. The first four count most, because they let cards be played at all."""
    worth = 7.0 * min(count, 2) + 6.0 * max(0, min(count, 4) - 2)
    return worth + 2.2 * max(0, count - 4)


@kernel
def thing_worth(state: Record, cards: Record, seat: int, place: int) -> float:
    """Worth of one defence card to its controller; 0 for a runespell, as it leaves anyway."""
    inst = state["thing"][seat, place]
    card = state["card_of"][inst]
    if not is_defence(cards, card):
        return 0.0
    if owner_of(inst) != seat:
        return ENEMY_BOON * (1.0 + cards["cost"][card])
    return THING + THING_COST * cards["cost"][card] + TOKEN * state["tokens"][seat, place]


@kernel
def card_worth(cards: Record, card: int, concs: int) -> float:
    """Worth of a card of the player's own hand."""
    worth = HAND_BASE + HAND_SHARE * cards["rating"][card]
    if cards["cost"][card] > concs + 2:
        worth *= DEAR
    return min(max(worth, HAND_LEAST), HAND_MOST)


@kernel
def enemy_outlook(state: Record, cards: Record, enemy: int, concs: int, light: int) -> float:
    """What the enemy can still do in its turn with a hand that is not seen. concs, light: the enemy's."""
    if state["active"] != enemy or state["stage"] > Stage.PLAY or state["stage"] == Stage.PASSED:
        return 0.0
    held = state["hand_n"][enemy]
    worth = PER_LIGHT * min(light, LIGHT_A_CARD * held)
    if state["sets_left"][enemy] > 0 and concs < cards["concentration_areas"] and held > 0:
        worth += PER_SET
    return worth


@kernel
def boosts_worth(state: Record, cards: Record, seat: int, light: int) -> float:
    """Worth of the boosts of this turn: points for each card of the hand that the light left can still pay."""
    boosts, spirits, attacks = state["boosts"][seat], 0, 0
    a_spirit = np.int64(boosts[Boost.DAMAGE]) + boosts[Boost.DAMAGE_SPIRIT] + boosts[Boost.PIERCE_SPIRIT]
    an_attack = np.int64(boosts[Boost.DAMAGE]) + boosts[Boost.DAMAGE_ATTACK] + boosts[Boost.PIERCE_ATTACK]
    if a_spirit == 0 and an_attack == 0:
        return 0.0
    for at in range(state["hand_n"][seat]):
        card = state["card_of"][state["hand"][seat, at]]
        if cards["cost"][card] <= light and cards["cost"][card] > 0:
            if cards["kind"][card] == Kind.SPIRIT:
                spirits += 1
                light -= cards["cost"][card]
            elif cards["kind"][card] == Kind.ATTACK:
                attacks += 1
                light -= cards["cost"][card]
    return BOOST_POINT * (a_spirit * spirits + an_attack * attacks)


@kernel
def draws_worth(state: Record, cards: Record, seat: int) -> float:
    """RUNE-36. Worth of the coming draws to a player: the draw still due in this round, minus what a full hand turns away.

    The draw is due where the player has had fewer turns than the other. Without it, ending a turn would look bad.
    """
    room = state["stat"][seat, Stat.MAX_HAND] - state["hand_n"][seat]
    turned_away = TURNED_AWAY * max(0, cards["draw"] - room)
    if state["own_turns"][seat] >= state["own_turns"][1 - seat]:
        return 0.0 - turned_away
    opening = state["own_turns"][seat] == 0
    drawn = opening_draw(state, cards, seat) if opening else cards["draw"]
    kept = drawn if drawn < room else room
    return (HAND_CARD * kept if kept > 0 else 0.0) - DECK_CARD * drawn - turned_away


@kernel
def is_doomed(state: Record, cards: Record, at: int) -> bool:
    """Whether a frame above this one will destroy or trap its card before it resolves."""
    if state["frame"][at] != Frame.CARD or state["place"][at] == NOBODY or state["step"][at] >= Part.EFFECTS:
        return False
    for upper in range(at + 1, state["depth"]):
        if state["frame"][upper] == Frame.CARD and removes(state, cards, upper, at):
            return True
    return False


@kernel
def removes(state: Record, cards: Record, upper: int, at: int) -> bool:
    """Whether a frame has announced that it destroys or traps the card of another."""
    for k in range(state["aims_n"][upper]):
        op, thing = cards["op"][state["row"][upper] + k], state["aims"][upper, k]
        if thing >= SEATS and op in (Op.DESTROY, Op.TRAP):
            return seat_of(thing) == state["side"][at] and place_of(thing) == state["place"][at]
    return False


@kernel
def frame_worth(state: Record, cards: Record, at: int) -> float:
    """What a frame will bring its controller."""
    if state["frame"][at] == Frame.DAMAGE:
        return blow_worth(state, cards, at)
    worth, row = 0.0, state["row"][at]
    if state["frame"][at] == Frame.CARD and state["step"][at] < Part.TYPES:
        card = state["card"][at]
        if state["inst"][at] != NOBODY and is_defence(cards, card):
            worth += THING + THING_COST * cards["cost"][card]
        row = intended_row(state, cards, at, card)
    k = state["at"][at]
    while row != NO_ROW and cards["op"][row + k] != Op.NONE:
        worth += effect_worth(state, cards, at, row + k, goal_of(state, cards, at, row + k, k))
        k += 1
    return worth


@kernel
def intended_row(state: Record, cards: Record, at: int, card: int) -> int:
    """Effects that a card about to be laid will have: with Choice the best bullet, with Fate the worst."""
    if cards["picker"][card] == Picker.NOBODY:
        return cards["effects"][card]
    best, best_worth = cards["bullet"][card, 0], 0.0
    sign = 1.0 if cards["picker"][card] == Picker.PLAYER else -1.0
    for k in range(cards["bullets"][card]):
        row = cards["bullet"][card, k]
        worth = sign * list_worth(state, cards, at, row)
        if k == 0 or worth > best_worth:
            best, best_worth = row, worth
    return best


@kernel
def list_worth(state: Record, cards: Record, at: int, row: int) -> float:
    """What a list of effects brings the controller of a frame if each meets the object that it is meant for."""
    worth, k = 0.0, 0
    while cards["op"][row + k] != Op.NONE:
        worth += effect_worth(state, cards, at, row + k, default_goal(state, cards, at, row + k))
        k += 1
    return worth


@kernel
def goal_of(state: Record, cards: Record, at: int, row: int, k: int) -> int:
    """Object that the k-th effect of a frame will meet: as announced, else the likely choice; GONE where it has left."""
    if cards["to"][row] > To.CARD or k >= state["aims_n"][at]:
        return default_goal(state, cards, at, row)
    thing = state["aims"][at, k]
    if thing == NOBODY or seq_of(state, thing) != state["aim_seqs"][at, k]:
        return GONE
    return thing


@kernel
def default_goal(state: Record, cards: Record, at: int, row: int) -> int:
    """Runeslinger that an effect is meant for; NOBODY where it is meant for a card not chosen yet."""
    to, op, seat = cards["to"][row], cards["op"][row], state["by"][at]
    if to == To.SAME:
        return state["target"][at] if state["target"][at] >= 0 else SEATS - 1 - seat
    if to in (To.SELF, To.OWN):
        return seat
    if To.DEFENCE <= to <= To.CARD:
        return NOBODY
    helps = op in (Op.HEAL, Op.REMOVE, Op.DRAW, Op.BARRIER)
    return seat if helps and to != To.ENEMY else SEATS - 1 - seat


@kernel
def effect_worth(state: Record, cards: Record, at: int, row: int, goal: int) -> float:
    """What an effect of a frame brings its controller if it meets an object; NOBODY: an object not chosen yet."""
    op, seat = cards["op"][row], state["by"][at]
    if goal < NOBODY:
        return 0.0
    if op in (Op.DESTROY, Op.TRAP):
        return removal_worth(state, cards, seat, goal)
    if goal == NOBODY:
        return SCRATCH
    sign = 1.0 if seat_of(goal) != seat else -1.0
    if cards["to"][row] == To.EACH:
        sign = 0.0
    if op == Op.DAMAGE:
        nature = DIRECT * int(cards["direct"][row] > 0) + PIERCE * int(pierces(state, cards, at))
        points = amount_of(state, cards, at, row, goal)
        return sign * hurt_worth(state, cards, goal, points, nature, cards["hit"][row])
    if op == Op.BARRIER:
        return barrier_worth(state, cards, goal, cards["n"][row], at)
    return sign * runeslinger_worth(state, cards, row, goal)


@kernel
def runeslinger_worth(state: Record, cards: Record, row: int, goal: int) -> float:
    """Cost of an effect to the Runeslinger that it meets; help counts negative."""
    op, n = cards["op"][row], cards["n"][row]
    if op == Op.LOSE:
        return 1.0 * n
    if op == Op.HEAL:
        return -0.95 * min(n, room_to_heal(state, goal))
    if op == Op.APPLY:
        return n * ailment_worth(state, cards, cards["ailment"][row], goal)
    if op == Op.REMOVE:
        return -REMOVED * min(n, exposed_total(state, goal))
    if op == Op.CONVERT:
        return CONVERTED * min(n, exposed_total(state, goal))
    if op == Op.DRAW:
        return -DRAWN * n
    if op == Op.SEAR:
        return SEARED * n
    if op == Op.VOID:
        return VOIDED * n
    if op in (Op.DISCARD, Op.DISCARD_RANDOM):
        return THROWN * min(n, state["hand_n"][goal])
    if op == Op.LIGHT:
        return -LIGHT * n
    if op == Op.EXTRA_SET:
        return -SET * n
    return -BOOST * n


@kernel
def ailment_worth(state: Record, cards: Record, kind: int, seat: int) -> float:
    """Cost to a player of one instance of a type, if there is room for it."""
    if kind == Ailment.CHOOSE:
        return CHOSEN
    if area_for(state, cards, seat, kind) == NOBODY:
        return 0.0
    if kind == Ailment.BURN:
        return BURN
    return DEBILITATE if kind == Ailment.DEBILITATE else OTHER


@kernel
def removal_worth(state: Record, cards: Record, seat: int, goal: int) -> float:
    """What destroying or trapping an object brings. The fate of a rung is counted at its own frame."""
    if goal == NOBODY:
        return TARGET_UNKNOWN
    if goal < SEATS:
        return 0.0
    side, place = seat_of(goal), place_of(goal)
    sign = 1.0 if side != seat else -1.0
    if state["thing"][side, place] == NOBODY:
        return sign * CONCENTRATION
    worth = thing_worth(state, cards, side, place)
    if place < SLOTS and not is_defence(cards, state["card_of"][state["thing"][side, place]]):
        worth = SPELL_ABOUT
    return sign * worth


@kernel
def barrier_worth(state: Record, cards: Record, goal: int, n: int, at: int) -> float:
    """Damage that a barrier will absorb, from the frames below that are aimed at the object."""
    threat = np.int64(0)
    for lower in range(at):
        if state["frame"][lower] == Frame.DAMAGE and state["target"][lower] == goal:
            threat += state["left"][lower]
        elif state["frame"][lower] <= Frame.ACT:
            threat += threat_of(state, cards, lower, goal)
    return STOPPED * (n if n < threat else threat)


@kernel
def threat_of(state: Record, cards: Record, at: int, goal: int) -> int:
    """Damage announced by a frame for an object that a barrier can stop."""
    threat = 0
    for k in range(state["at"][at], state["aims_n"][at]):
        row = state["row"][at] + k
        if state["aims"][at, k] == goal and cards["op"][row] == Op.DAMAGE and cards["direct"][row] == 0:
            threat += amount_of(state, cards, at, row, goal)
    return threat


@kernel
def blow_worth(state: Record, cards: Record, at: int) -> float:
    """What a damage event under way will bring its controller."""
    goal = state["target"][at]
    if goal == NOBODY or seq_of(state, goal) != state["target_seq"][at] or state["left"][at] == 0:
        return 0.0
    sign = 1.0 if seat_of(goal) != state["by"][at] else -1.0
    nature = DIRECT * int(state["direct"][at] > 0) + PIERCE * int(state["pierce"][at] > 0)
    return sign * hurt_worth(state, cards, goal, state["left"][at], nature, state["row"][at])


@kernel
def hurt_worth(state: Record, cards: Record, goal: int, points: int, nature: int, hit: int) -> float:
    """What damage and its hit do to an object if its player blocks where that is better. See `unblocked_worth`."""
    worth = unblocked_worth(state, cards, goal, points, nature, hit)
    side = seat_of(goal)
    if worth <= BLOCKED or nature & DIRECT > 0 or not can_block(state, cards, side):
        return worth
    left = points - block_of(state, side)
    return min(worth, unblocked_worth(state, cards, goal, left, nature, hit) + BLOCKED)


@kernel
def unblocked_worth(state: Record, cards: Record, goal: int, points: int, nature: int, hit: int) -> float:
    """What unblocked damage and its hit do to an object. nature: bits DIRECT, PIERCE."""
    side = seat_of(goal)
    direct, pierce = nature & DIRECT > 0, nature & PIERCE > 0
    n = points if direct else points - barrier_of(state, goal)
    if n <= 0:
        return 0.0
    if goal >= SEATS:
        place = place_of(goal)
        room = defence_of(state, cards, side, place) - state["damage"][side, place]
        if n < room:
            return SCRATCH
        return thing_worth(state, cards, side, place) + (n - room if pierce else 0.0)
    health = state["health"][side]
    worth = 1.0 * n if pierce or n < health else 1.0 * health
    if n >= health:
        worth += DOWN
    row = hit
    while row != NO_ROW and cards["op"][row] != Op.NONE:
        worth += runeslinger_worth(state, cards, row, side)
        row += 1
    return worth


@kernel
def due_worth(state: Record, cards: Record, at: int, whom: int) -> float:
    """What a frame will still bring the player it concerns."""
    frame, left = state["frame"][at], state["left"][at]
    if frame == Frame.DISCARD:
        return -THROWN * min(left, state["hand_n"][whom])
    if frame == Frame.DECK:
        op = state["kind"][at]
        return DRAWN * left if op == Op.DRAW else -SEARED * left if op == Op.SEAR else -VOIDED * left
    if frame == Frame.DRAIN:
        return -1.0 * left
    if frame == Frame.APPLY:
        return -left * ailment_worth(state, cards, state["kind"][at], whom)
    if frame == Frame.ORDER:
        return -OTHER * state["types_n"][at]
    if frame == Frame.LIMIT:
        return REMOVED * left - (LOST + DOWN if left > 0 else 0.0)
    return REMOVED * left if frame == Frame.REMOVE else -CONVERTED * left


@kernel
def pending_triggers(state: Record, cards: Record, at: int) -> int:
    """RUNE-51 step 6. Triggers on slinging that a frame has not let act yet, as bits of its controller's."""
    by = state["by"][at]
    if state["frame"][at] == Frame.TRIGGERS:
        slung = When.SLING_SPIRIT <= state["kind"][at] <= When.SLING_UTILITY
        return state["waiting"][at, by] if slung else 0
    if state["frame"][at] != Frame.CARD or state["step"][at] > Part.SLING:
        return 0
    kind = cards["kind"][state["card"][at]]
    return waiting_for(state, cards, When.SLING_SPIRIT + kind, by) if kind < Kind.CHANT else 0


@kernel
def look(state: Record, cards: Record, view: Record) -> None:
    """Work out what does not depend on the seat that evaluates: both fields, and what is under way."""
    for seat in range(SEATS):
        look_at_field(state, cards, view, seat)
        most = max(1.0, 1.0 * state["stat"][seat, Stat.MAX_HEALTH])
        view["life"][seat] = state["power"][seat] - 1.0 + state["health"][seat] / most
        view["wear"][seat] = cards["draw"] + A_TURN * cards["wear"][state["deck_of"][SEATS - 1 - seat]]
        size = 1.0 * cards["deck_size"][state["deck_of"][seat]]
        view["gone"][seat] = size - state["deck_n"][seat] - state["discard_n"][seat] - state["hand_n"][seat]
        view["draws"][seat] = draws_worth(state, cards, seat)
        view["under_way"][seat, UnderWay.FRAMES] = 0.0
        view["under_way"][seat, UnderWay.SLINGING] = 0.0
        view["under_way"][seat, UnderWay.DUE] = 0.0
    view["last_blow"] = 0.0
    if state["depth"] > 0:
        look_at_stack(state, cards, view)


@kernel
def look_at_field(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Count and value the cards and ailments of a field in one pass."""
    concs, lasting, light, worth = 0, 0, state["light"][seat], 0.0
    for slot in range(SLOTS):
        inst, has_conc = state["thing"][seat, slot], state["conc"][seat, slot] != NOBODY
        concs += has_conc
        if inst == NOBODY:
            lasting += has_conc
            light += has_conc & (state["conc_used"][seat, slot] == 0)
        elif is_defence(cards, state["card_of"][inst]):
            worth += thing_worth(state, cards, seat, slot)
        else:
            lasting += has_conc
    exposed, severe = 0, 0
    for area in range(AREAS):
        count = state["count"][seat, area]
        if state["thing"][seat, SLOTS + area] != NOBODY:
            worth += thing_worth(state, cards, seat, SLOTS + area)
        elif count > 0:
            exposed += count
            severe += count >= cards["threshold"][state["ailment"][seat, area]]
    view["concs"][seat] = concs
    view["lasting"][seat] = lasting
    view["light"][seat] = light
    view["things"][seat] = worth
    view["exposed"][seat] = exposed
    view["severe"][seat] = SEVERE * severe + (CROWDED if exposed >= cards["ailment_limit"] else 0.0)


@kernel
def look_at_stack(state: Record, cards: Record, view: Record) -> None:
    """Value what the frames of the work stack will bring, to the seat that each counts for; see `UnderWay`.

    A rung that a higher one destroys or traps brings nothing. Frames that are carried out piece by piece can wait for decisions,
    such as which of three cards to discard.
    """
    for at in range(state["depth"]):
        frame, by = state["frame"][at], state["by"][at]
        waiting = pending_triggers(state, cards, at)
        view["pending"][at] = waiting
        doomed = is_doomed(state, cards, at)
        view["doomed"][at] = doomed
        if frame <= Frame.DAMAGE and not doomed:
            view["under_way"][by, UnderWay.FRAMES] += frame_worth(state, cards, at)
        if waiting:
            add_sling_worth(state, cards, view, at, waiting)
        if Frame.DRAIN <= frame <= Frame.CONVERT or frame in (Frame.DISCARD, Frame.LIMIT):
            whom = state["side"][at]
            worth = due_worth(state, cards, at, whom)
            view["under_way"][0, UnderWay.DUE] += worth if whom == 0 else -worth
    view["under_way"][1, UnderWay.SLINGING] = 0.0 - view["under_way"][0, UnderWay.SLINGING]
    view["under_way"][1, UnderWay.DUE] = 0.0 - view["under_way"][0, UnderWay.DUE]
    falls_0 = state["power"][0] == 1 and falls(state, cards, view, 0)
    falls_1 = state["power"][1] == 1 and falls(state, cards, view, 1)
    if falls_0 and falls_1:  # the top frame resolves first
        view["last_blow"] = 1.0 if state["by"][top_of(state)] == 0 else -1.0
    else:
        view["last_blow"] = 1.0 * falls_1 - 1.0 * falls_0


@kernel
def add_sling_worth(state: Record, cards: Record, view: Record, at: int, waiting: int) -> None:
    """Add what the waiting triggers of a frame will bring seat 0."""
    by, left = state["by"][at], np.uint64(waiting)
    while left != NO_BIT:
        worth = list_worth(state, cards, at, row_of_trigger(state, cards, by, lowest_bit(left), state["kind"][at]))
        left = without_lowest(left)
        view["under_way"][0, UnderWay.SLINGING] += worth if by == 0 else -worth


@kernel
def falls(state: Record, cards: Record, view: Record, side: int) -> bool:
    """Whether all that is under way takes a player's health or the rest of its deck, if it blocks where it can."""
    taken = view["taken"]
    taken[:] = 0
    for at in range(state["depth"]):
        frame = state["frame"][at]
        if frame == Frame.DAMAGE and state["target"][at] == side:
            taken[HARD if state["direct"][at] else SOFT] += state["left"][at]
        elif (frame <= Frame.ACT or frame == Frame.TRIGGERS) and not view["doomed"][at]:  # effects or triggers are still to come
            toll(state, cards, at, side, view["pending"][at], taken)
    shield = state["barrier"][side]
    if can_block(state, cards, side):
        shield += block_of(state, side)
    hurt = taken[HARD] + max(0, taken[SOFT] - shield)
    return hurt >= max(1, state["health"][side]) or taken[WORN] >= max(1, state["deck_n"][side])


@kernel
def toll(state: Record, cards: Record, at: int, side: int, waiting: int, taken: np.ndarray) -> None:
    """Add what a frame takes from a player, including the triggers on slinging it. taken: by HARD, SOFT, WORN."""
    row, k = state["row"][at], state["at"][at]
    if state["frame"][at] == Frame.CARD and state["step"][at] < Part.TYPES:
        row = intended_row(state, cards, at, state["card"][at])
    while row != NO_ROW and cards["op"][row + k] != Op.NONE:
        if goal_of(state, cards, at, row + k, k) == side:
            take(state, cards, at, row + k, side, taken)
        k += 1
    left = np.uint64(waiting)
    while left != NO_BIT:
        row = row_of_trigger(state, cards, state["by"][at], lowest_bit(left), state["kind"][at])
        left = without_lowest(left)
        while cards["op"][row] != Op.NONE:
            if default_goal(state, cards, at, row) == side:
                take(state, cards, at, row, side, taken)
            row += 1


@kernel
def take(state: Record, cards: Record, at: int, row: int, side: int, taken: np.ndarray) -> None:
    """Add what one effect takes from the player it meets. taken: by HARD, SOFT, WORN."""
    op, n = cards["op"][row], cards["n"][row]
    if op == Op.DAMAGE:
        taken[HARD if cards["direct"][row] else SOFT] += amount_of(state, cards, at, row, side)
    elif op == Op.LOSE:
        taken[HARD] += n
    elif Op.DRAW <= op <= Op.VOID:
        taken[WORN] += n


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimated winning chance of a seat; its share of the win once the game is over."""
    if state["phase"] == Phase.OVER:
        return share_of(state, seat)
    view = scratch(VIEW)
    look(state, cards, view)
    return chance_in(state, cards, view, seat)


@kernel
def evaluate_seats(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """Evaluate a position for several seats at once."""
    view, over = scratch(VIEW), state["phase"] == Phase.OVER
    if not over:
        look(state, cards, view)
    for seat in range(SEATS):
        if chances[seat] == WANTED:
            chances[seat] = share_of(state, seat) if over else chance_in(state, cards, view, seat)
    return True


@kernel
def share_of(state: Record, seat: int) -> float:
    """Share of the win of a seat after the end."""
    if state["winner"] == NOBODY:
        return 0.5
    return 1.0 if state["winner"] == seat else 0.0


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Features of a position for a seat, in the order of `FEATURES`."""
    view = scratch(VIEW)
    look(state, cards, view)
    write_features(state, cards, view, seat)
    for k in range(len(out)):
        out[k] = view["feature"][k]


@kernel
def chance_in(state: Record, cards: Record, view: Record, seat: int) -> float:
    """Winning chance of a seat in a position that `look` has worked out."""
    write_features(state, cards, view, seat)
    return float(chance_of(view["feature"], cards["weight"][SEATS - 1]))


@kernel
def write_features(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Write the features of a position for a seat."""
    other, f, way = SEATS - 1 - seat, view["feature"], view["under_way"]
    own_life, enemy_life = view["life"][seat], view["life"][other]
    own_wear, enemy_wear = view["wear"][other], view["wear"][seat]
    lit = 1.0 * view["lasting"][seat] - view["lasting"][other]
    held, enemy_held = state["hand_n"][seat], state["hand_n"][other]
    light, enemy_light = view["light"][seat], view["light"][other]
    f[Feature.EVEN] = 1.0
    f[Feature.TURN] = is_whose(state, state["active"], seat)
    f[Feature.SECOND] = is_whose(state, state["first"], other)  # the first player's deck ends first
    f[Feature.POWER] = 1.0 * state["power"][seat] - state["power"][other]
    f[Feature.LIFE] = (own_life - enemy_life) / (own_life + enemy_life + ENDLESS)
    f[Feature.HEALTH] = (1.0 * state["health"][seat] - state["health"][other]) / POINTS
    f[Feature.DETERMINATION] = (1.0 * state["determination"][seat] - state["determination"][other]) / SOME
    f[Feature.DECK] = (1.0 * state["deck_n"][seat] - state["deck_n"][other]) / POINTS
    f[Feature.PRESSURE] = (own_wear - enemy_wear) / (own_wear + enemy_wear)
    f[Feature.GONE] = (view["gone"][other] - view["gone"][seat]) / POINTS
    grown = concentration_worth(view["concs"][seat]) - concentration_worth(view["concs"][other])
    f[Feature.CONCENTRATIONS] = grown / POINTS
    f[Feature.LIGHT] = lit / FEW
    f[Feature.LATE_LIGHT] = (1.0 - (own_life + enemy_life) / (SOME * cards["start_power"])) * lit / FEW
    f[Feature.DEFENCES] = (view["things"][seat] - view["things"][other]) / POINTS
    f[Feature.AILMENTS] = (1.0 * view["exposed"][other] - view["exposed"][seat]) / FEW
    f[Feature.SEVERE] = (view["severe"][other] - view["severe"][seat]) / POINTS
    f[Feature.HAND_SIZE] = (held - enemy_held) / FEW
    f[Feature.DRAWS] = (view["draws"][seat] - view["draws"][other]) / POINTS
    write_hand(state, cards, view, seat)
    f[Feature.ENEMY_OUTLOOK] = enemy_outlook(state, cards, other, view["concs"][other], enemy_light) / POINTS
    f[Feature.READY] = (1.0 * (light - state["light"][seat]) - (enemy_light - state["light"][other])) / FEW
    f[Feature.OWN_RUNGS] = way[seat, UnderWay.FRAMES] / POINTS
    f[Feature.ENEMY_RUNGS] = (0.0 - way[other, UnderWay.FRAMES]) / POINTS
    f[Feature.SLINGING] = way[seat, UnderWay.SLINGING] / POINTS
    f[Feature.LAST_BLOW] = view["last_blow"] if seat == 0 else 0.0 - view["last_blow"]
    f[Feature.DUE] = way[seat, UnderWay.DUE] / POINTS


@kernel
def write_hand(state: Record, cards: Record, view: Record, seat: int) -> None:
    """Write the features of the player's own hand, in one pass over its cards.

    In its Play Phase, `outlook` is what that still promises: a set, the inherent ability, the cards that the light left can pay.
    Passing and ending the turn give it up. `reach` is whether the damage that it holds and can pay takes a power: 0, 1, or more
    for the last power. `answers` counts the cards with Shout that the light left can pay one after the other.
    """
    f, other, held = view["feature"], SEATS - 1 - seat, state["hand_n"][seat]
    concs, light = view["concs"][seat], view["light"][seat]
    plays = state["active"] == seat and state["stage"] == Stage.PLAY
    worth, answers, shout_light = 0.0, 0.0, light
    left, promised, least = light, 0.0, HAND_MOST
    room, punch_light = 1.0 * state["health"][other] + state["barrier"][other], light
    if plays and can_block(state, cards, other):
        room += block_of(state, other)
    for at in range(held):
        card = state["card_of"][state["hand"][seat, at]]
        cost, kept = cards["cost"][card], card_worth(cards, card, concs)
        worth += kept
        if cards["shout"][card] and cost <= shout_light:
            shout_light -= cost
            answers += 1.0
        if plays:
            least = min(least, kept)
            if cost <= left and cards["rating"][card] > kept:
                promised += cards["rating"][card] - kept
                left -= cost
            if cards["punch"][card] > 0.0 and cost <= punch_light:
                punch_light -= cost
                room -= cards["punch"][card]
    outlook = 0.0
    if plays:
        if state["sets_left"][seat] > 0 and concs < cards["concentration_areas"] and held > 0:
            promised += max(0.0, concentration_worth(concs + 1) - concentration_worth(concs) - least)
        ability = ABILITY if left > 0 and can_use_inherent(state, cards, seat, left) else 0.0
        outlook = ability + OUTLOOK * promised
    f[Feature.HAND] = (worth - HAND_CARD * state["hand_n"][other]) / POINTS
    f[Feature.OUTLOOK] = (outlook + boosts_worth(state, cards, seat, light)) / POINTS
    f[Feature.REACH] = 0.0
    if plays and room <= 0.0:
        f[Feature.REACH] = FOR_GOOD if state["power"][other] == 1 else 1.0
    f[Feature.ANSWERS] = answers


@kernel
def is_whose(state: Record, whose: int, seat: int) -> float:
    """Whether something belongs to the seat (1) or to the enemy (-1); 0 before the first turn."""
    if state["first"] == NOBODY:
        return 0.0
    return 1.0 if whose == seat else -1.0
