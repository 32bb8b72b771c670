"""Numbers that effects change: block, maximum health, hand limit, defence and the like (RUNE-10, 23, 26, 82, 99)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.record import STATS, Boost, Kind, Owned, Scope, Stat
from sim.games.runeslingers.stack import finish, lose_game, push
from sim.games.runeslingers.state import AREAS, HAND_MAX, NOBODY, PLACES, SEATS, SLOTS, owner_of
from sim.games.runeslingers.switches import DoubleLoss
from sim.games.runeslingers.terms import Cause, Frame

OF_CARD, OF_STANCE, OF_AILMENT = 1, 2, 3  # levels of priority (RUNE-10)
RANK_LEVEL = 1 << 40
RANK_ACTIVE = 1 << 38


@kernel
def opening_draw(state: Record, cards: Record, seat: int) -> np.int64:
    """RUNE-35. Cards drawn in the first own turn: `first_draw`, and by the other player `second_draw` more than usual."""
    if seat == state["first"]:
        return np.int64(cards["first_draw"])
    count = np.int64(cards["draw"]) + np.int64(cards["second_draw"])
    return np.int64(0) if count < 0 else count


@kernel
def derive(state: Record, cards: Record) -> None:
    """RUNE-10, 23, 82. Work all stats out anew, and who hears which moment. Call it whenever something came, went or stacked."""
    before_0, before_1 = state["stat"][0, Stat.DEFENCE], state["stat"][1, Stat.DEFENCE]
    for seat in range(SEATS):
        reset_stats(state, cards, seat)
    for seat in range(SEATS):
        stance = cards["stance"][state["deck_of"][seat]]
        row = np.int64(cards["stance_statics"][stance])
        if row:
            add_statics(state, cards, row, np.int64(seat), 1, rank_of(OF_STANCE, 0, True))
        add_things(state, cards, np.int64(seat))
        add_ailments(state, cards, np.int64(seat))
    fell = state["stat"][0, Stat.DEFENCE] < before_0 or state["stat"][1, Stat.DEFENCE] < before_1
    if fell or state["stat"][0, Stat.DEFENCE] < 0 or state["stat"][1, Stat.DEFENCE] < 0:
        state["brittle"] = 1


@kernel
def reset_stats(state: Record, cards: Record, seat: int) -> None:
    """What a Runeslinger brings, with nothing in play."""
    deck = state["deck_of"][seat]
    hero = cards["hero"][deck]
    for stat in range(STATS):
        state["stat"][seat, stat] = 0
    state["stat"][seat, Stat.BLOCK] = cards["hero_block"][hero]
    state["stat"][seat, Stat.MAX_HEALTH] = cards["hero_health"][hero]
    state["stat"][seat, Stat.MAX_HAND] = cards["max_hand"]
    state["hand_rank"][seat] = 0
    state["hears"][seat] = cards["stance_hears"][cards["stance"][deck]]


@kernel
def add_things(state: Record, cards: Record, seat: int) -> None:
    """Statics and triggers of what lies on a player's field."""
    for place in range(PLACES):
        inst = np.int64(state["thing"][seat, place])
        if inst != NOBODY:
            card = state["card_of"][inst]
            state["hears"][seat] |= cards["hears"][card]
            row = np.int64(cards["statics"][card])
            if row:
                newness = np.int64(state["thing_seq"][seat, place])
                add_statics(state, cards, row, seat, 1, rank_of(OF_CARD, newness, owner_of(inst) == seat))


@kernel
def add_ailments(state: Record, cards: Record, seat: int) -> None:
    """RUNE-99. Statics of the exposed ailments of a player."""
    for area in range(AREAS):
        count = np.int64(state["count"][seat, area])
        if count > 0 and state["thing"][seat, SLOTS + area] == NOBODY:
            kind, rank = state["ailment"][seat, area], rank_of(OF_AILMENT, AREAS - area, True)
            if cards["per_instance"][kind]:
                add_statics(state, cards, np.int64(cards["per_instance"][kind]), seat, count, rank)
            if cards["while_any"][kind]:
                add_statics(state, cards, np.int64(cards["while_any"][kind]), seat, 1, rank)
            if count >= cards["threshold"][kind] and cards["level2"][kind]:
                add_statics(state, cards, np.int64(cards["level2"][kind]), seat, 1, rank)


@kernel
def rank_of(level: int, newness: int, owned: bool) -> np.int64:
    """RUNE-10. Priority of a setting effect, without whose turn it is; its last bit tells whether the controller owns it."""
    return np.int64(level) * RANK_LEVEL + np.int64(newness) * 2 + np.int64(owned)


@kernel
def add_statics(state: Record, cards: Record, row: int, seat: int, times: int, rank: int) -> None:
    """RUNE-10. Let a list of statics of a controller act, each `times` times. rank: see `rank_of`."""
    at, owned = row, rank % 2 == 1
    if seat == state["active"]:
        rank += RANK_ACTIVE
    while cards["stat"][at] >= 0:
        if holds(np.int64(cards["stat_if"][at]), owned):
            scope = cards["scope"][at]
            if scope != Scope.ENEMY:
                add_static(state, cards, at, seat, times, rank)
            if scope != Scope.SELF:
                add_static(state, cards, at, SEATS - 1 - seat, times, rank)
        at += 1


@kernel
def add_static(state: Record, cards: Record, at: int, seat: int, times: int, rank: int) -> None:
    """RUNE-10. Let one static act on one player."""
    stat, n = np.int64(cards["stat"][at]), np.int64(cards["stat_n"][at])
    if stat < Stat.MAX_HAND:
        state["stat"][seat, stat] += n * times
    elif stat > Stat.MAX_HAND:
        state["stat"][seat, stat] = 1
    elif rank >= state["hand_rank"][seat]:
        state["hand_rank"][seat] = rank
        state["stat"][seat, stat] = min(n, HAND_MAX)


@kernel
def holds(condition: int, owned: bool) -> bool:
    """The `if` of statics and triggers."""
    return condition == Owned.ALWAYS or (condition == Owned.OWNED) == owned


@kernel
def settle(state: Record, cards: Record) -> None:
    """RUNE-23, 26, 27. After any change: work the stats out, cut health down to its maximum, see who has none left."""
    derive(state, cards)
    for seat in range(SEATS):
        if state["health"][seat] > state["stat"][seat, Stat.MAX_HEALTH]:
            state["health"][seat] = max(0, state["stat"][seat, Stat.MAX_HEALTH])
    out_0 = state["stat"][0, Stat.MAX_HEALTH] <= 0
    out_1 = state["stat"][1, Stat.MAX_HEALTH] <= 0
    if out_0 and out_1:
        winner = np.int64(NOBODY)
        if cards["double_loss"] == DoubleLoss.ACTIVE_WINS:
            winner = np.int64(state["active"])
        elif cards["double_loss"] == DoubleLoss.ACTIVE_LOSES:
            winner = np.int64(1 - state["active"])
        finish(state, winner, Cause.MAX_HEALTH)
    elif out_0 or out_1:
        lose_game(state, 0 if out_0 else 1, Cause.MAX_HEALTH)


@kernel
def check_later(state: Record) -> None:
    """RUNE-62. Have the defence cards looked at, once what is pushed from now on is done, if any can have spent its defence."""
    if state["brittle"]:
        push(state, Frame.CHECK, np.int64(state["active"]))


@kernel
def block_of(state: Record, seat: int) -> np.int64:
    """RUNE-82. Block value."""
    return max(np.int64(0), np.int64(state["stat"][seat, Stat.BLOCK]) + np.int64(state["boosts"][seat, Boost.BLOCK]))


@kernel
def is_defence(cards: Record, card: int) -> bool:
    """Whether a card is a defence card."""
    return cards["kind"][card] >= Kind.CHANT


@kernel
def defence_of(state: Record, cards: Record, seat: int, place: int) -> np.int64:
    """Defence of a defence card in play, what effects add or take included."""
    card = state["card_of"][state["thing"][seat, place]]
    return np.int64(cards["defence"][card]) + np.int64(state["stat"][seat, Stat.DEFENCE])


@kernel
def exposed_area(state: Record, seat: int, kind: int) -> np.int64:
    """RUNE-06. Area where a type of ailment is exposed; NOBODY."""
    for area in range(AREAS):
        if (
            state["count"][seat, area] > 0
            and state["ailment"][seat, area] == kind
            and state["thing"][seat, SLOTS + area] == NOBODY
        ):
            return np.int64(area)
    return np.int64(NOBODY)


@kernel
def exposed_total(state: Record, seat: int) -> np.int64:
    """RUNE-06. Exposed instances of ailments of a player."""
    total = np.int64(0)
    for area in range(AREAS):
        if state["thing"][seat, SLOTS + area] == NOBODY:
            total += np.int64(state["count"][seat, area])
    return total
