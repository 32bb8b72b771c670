"""Effect lists and the choices they ask for; waiting tricks (RIFT-115 to 119, 122)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.cards import ABILITIES, ENTRIES, LENDABLE, Ability, KillXp, Kind, List, Op, Side, Target, Token
from sim.games.riftborn.rules import damage, placement, players
from sim.games.riftborn.state import (
    ALL,
    CREATURES,
    NOBODY,
    ROWS,
    SEATS,
    WAITING,
    Aim,
    Gain,
    Harm,
    Phase,
    Step,
    Wound,
    creature_at,
    has,
    note_printed,
    power,
    saturated,
    side_of,
    with_bit,
    without,
)

UNUSED_MAX = 127  # most unused UNDEATH of a creature


# One entry


@kernel
def act_on_creatures(state: Record, cards: Record, place: tuple[int, int, int], targets: np.uint32) -> None:
    """Apply an entry to all its targets at the same time. place: card, list, entry; targets: creatures as bits."""
    for g in range(ALL):
        if has(targets, g) and state["card"][g] != NOBODY:
            act_on(state, cards, place, g)
    if cards["op"][place] == Op.DAMAGE:
        show_rage(state, cards, targets)
    elif cards["op"][place] == Op.GRANT or cards["op"][place] == Op.LOSE:
        damage.lend(state, cards)
    if cards["op"][place] == Op.DAMAGE or cards["op"][place] == Op.DESTROY:
        for g in range(ALL):  # after all are hit: an AURA that turns up can leave others deadly hurt
            if has(targets, g) and state["card"][g] != NOBODY:
                damage.mark(state, cards, g, Harm.EFFECT)
                earns = cards["kill_xp"] == KillXp.ANY_OWN_DAMAGE  # RA-16
                damage.credit_blow(state, cards, g, (state["list_owner"], NOBODY), 1, earns)


@kernel
def show_rage(state: Record, cards: Record, targets: np.uint32) -> None:
    """RIFT-97, 108. Turn creatures with RAGE up after all have been hit, so that what they lend affects no hit."""
    raging = np.uint32(0)
    for g in range(ALL):
        if has(targets, g) and state["card"][g] != NOBODY and power(state, g, Ability.RAGE) > 0:
            raging = with_bit(raging, g)
    for g in range(ALL):
        if has(raging, g):
            damage.turn_up(state, cards, g)


@kernel
def act_on(state: Record, cards: Record, place: tuple[int, int, int], g: int) -> None:
    """Apply one entry to one creature."""
    op, n = cards["op"][place], cards["n"][place]
    if op == Op.DAMAGE:
        damage.wound(state, cards, g, n)
    elif op == Op.HEAL:
        damage.heal(state, g, n)
    elif op == Op.ADD:
        change_tokens(state, cards, g, cards["token"][place], n)
    elif op == Op.CLEAR:
        change_tokens(state, cards, g, cards["token"][place], -n)
    elif op == Op.GRANT:
        grant(state, cards, g, cards["granted"][place], cards["granted_x"][place])
    elif op == Op.LOSE:
        state["ability"][g, cards["granted"][place]] = 0
        note_printed(state, cards, g)
    elif op == Op.DESTROY:
        state["damage"][g] = max(state["damage"][g], damage.health_of(state, cards, g))
    elif op == Op.CHARM:
        state["charm"][g] |= WAITING
    elif op == Op.PACIFY:
        state["pacify"][g] |= WAITING


@kernel
def change_tokens(state: Record, cards: Record, g: int, token: int, n: int) -> None:
    """RIFT-66 to 68. Add tokens to a creature; n below 0: remove up to -n."""
    if token == Token.RAGE:
        state["rage"][g] = counted(state["rage"][g], n)
    elif token == Token.HEALTH:
        state["health"][g] = counted(state["health"][g], n)
        damage.mark(state, cards, g, Harm.EFFECT)
    elif token == Token.SHIELD:
        state["shield"][g] = counted(state["shield"][g], n)
    elif token == Token.WEAKNESS:
        state["weakness"][g] = counted(state["weakness"][g], n)
    else:
        state["decay"][g] = counted(state["decay"][g], n)
        damage.mark(state, cards, g, Harm.DECAY)


@kernel
def counted(before: int, change: int) -> int:
    """A count of tokens after a change, 0..TOKENS_MAX."""
    return saturated(max(0, before + change))


@kernel
def grant(state: Record, cards: Record, g: int, ability: int, x: int) -> None:
    """Effect `grant`, RIFT-110. Gain an ability permanently; SWARM replaces all others and allows no others."""
    own = state["ability"][g, ability]
    if ability == Ability.SWARM:
        for other in range(ABILITIES):
            if other != Ability.SWARM:
                state["ability"][g, other] = 0
        for other in range(LENDABLE):
            state["lent"][g, other] = 0
        state["ability"][g, ability] = max(own, x)
        damage.turn_up(state, cards, g)
    elif state["ability"][g, Ability.SWARM] == 0:
        state["ability"][g, ability] = own + (own < UNUSED_MAX) if ability == Ability.UNDEATH else max(own, x)
    note_printed(state, cards, g)


@kernel
def act_on_players(state: Record, cards: Record, rng: Record, place: tuple[int, int, int]) -> None:
    """Apply an entry without creature targets, except SCRY, SUMMON and PLAY_FREE. place: card, list, entry."""
    op, n, seat = cards["op"][place], cards["n"][place], state["list_owner"]
    if op == Op.DAMAGE_PLAYER:
        side = cards["side"][place]
        if side != Side.FRIEND:
            players.hurt_player(state, cards, SEATS - 1 - seat, n, Wound.EFFECT)
        if side != Side.ENEMY:
            players.hurt_player(state, cards, seat, n, Wound.EFFECT)
    elif op == Op.HEAL_PLAYER:
        players.heal_player(state, cards, seat, n)
    elif op == Op.DRAW:
        state["times"][seat, Ability.DRAW] += 1
        players.draw_cards(state, cards, rng, seat, n)
    elif op == Op.SPY:
        players.spy(state, seat, n)
    elif op == Op.RECALL:
        players.take_back_discard(state, cards, rng, seat)
    elif op == Op.GAIN_XP:
        players.gain_xp(state, cards, seat, n, Gain.EFFECT)


# Effect lists and their targets (RIFT-122)


@kernel
def begin_list(state: Record, card: int, which: int, source: int, after: int) -> None:
    """Begin an effect list of the seat in `list_owner`. which: List; source: acting creature, NOBODY; after: Step."""
    state["list_card"] = card
    state["list"] = which
    state["entry"] = 0
    state["source"] = source
    state["previous"] = 0
    state["after_list"] = after
    state["step"] = Step.LIST


@kernel
def entry_of(state: Record) -> tuple[int, int, int]:
    """Card, list and index of the current entry."""
    return state["list_card"], state["list"], state["entry"]


@kernel
def next_entry(state: Record, cards: Record, rng: Record) -> None:
    """Carry out the next entry, or ask for its targets first, or end the list. RIFT-70: a death check follows each entry.

    Entries without questions make the check themselves. One that only looks at cards, or asked about them, leaves it to this.
    """
    if state["entry"] > 0 and state["shaken"]:
        damage.settle(state, cards, NOBODY)
        return
    place = entry_of(state)
    if state["entry"] == ENTRIES or cards["op"][place] == Op.NONE:
        state["list_card"] = NOBODY
        state["step"] = state["after_list"]
        return
    target = cards["target"][place]
    if target == Target.NONE:
        carry_out_plain(state, cards, rng, place)
    elif target == Target.CHOSEN:
        choose_targets(state, cards, place)
    elif target == Target.ROW:
        if open_rows(state, cards, place) == 0:
            carry_out(state, cards, np.uint32(0))
        else:
            state["phase"] = Phase.ROW
            state["seat"] = state["list_owner"]
    else:
        carry_out(state, cards, given_targets(state, cards, place))


@kernel
def given_targets(state: Record, cards: Record, place: tuple[int, int, int]) -> np.uint32:
    """Targets that are not chosen, as bits."""
    target, side = cards["target"][place], cards["side"][place]
    if target == Target.SAME:
        return np.uint32(state["previous"])
    if target == Target.EACH:
        return creatures_on(state, side)
    one = state["source"]
    if target == Target.TRIGGER:
        one = state["trigger"]
    elif target == Target.SUBJECT:
        one = state["subject"]
    return with_bit(np.uint32(0), one) if one != NOBODY and state["card"][one] != NOBODY else np.uint32(0)


@kernel
def creatures_on(state: Record, side: int) -> np.uint32:
    """All creatures of a Side, as the owner of the list sees it, as bits."""
    found = np.uint32(0)
    for g in range(ALL):
        if state["card"][g] != NOBODY and damage.is_on_side(side_of(g) == state["list_owner"], side):
            found = with_bit(found, g)
    return found


@kernel
def available(state: Record, cards: Record, place: tuple[int, int, int]) -> np.uint32:
    """Creatures that can still be chosen as targets, as bits."""
    found = creatures_on(state, cards["side"][place])
    source = state["source"]
    for g in range(ALL):
        if has(found, g) and (has(np.uint32(state["chosen"]), g) or not is_near(state, cards, place, source, g)):
            found = without(found, g)
    return found


@kernel
def is_near(state: Record, cards: Record, place: tuple[int, int, int], source: int, g: int) -> bool:
    """Whether a creature stands where the entry requires."""
    if cards["adjacent"][place] == 0:
        return True
    if source == NOBODY or state["card"][source] == NOBODY:
        return False
    if side_of(source) == side_of(g):
        return placement.distance(state, source, g) == 1  # to itself it is 0
    return placement.are_adjacent(state, cards, source, g)


@kernel
def choose_targets(state: Record, cards: Record, place: tuple[int, int, int]) -> None:
    """Ask for targets one at a time; if there are no more than required, take all."""
    state["chosen"] = 0
    state["to_choose"] = cards["count"][place]
    found, count = available(state, cards, place), 0
    for g in range(ALL):
        count += has(found, g)
    if count <= state["to_choose"]:
        carry_out(state, cards, found)
        return
    state["phase"] = Phase.TARGET
    state["aim"] = Aim.EFFECT
    state["seat"] = state["list_owner"]


@kernel
def take_target(state: Record, cards: Record, code: int) -> None:
    """TARGET of an effect: choose one more creature; after the last one carry the entry out."""
    g = creature_at(state, state["seat"], code)
    state["chosen"] = with_bit(np.uint32(state["chosen"]), g)
    state["to_choose"] -= 1
    if state["to_choose"] == 0:
        state["phase"] = Phase.GOING
        carry_out(state, cards, np.uint32(state["chosen"]))


@kernel
def open_rows(state: Record, cards: Record, place: tuple[int, int, int]) -> int:
    """Rows that can be chosen, as bits: 0..2 enemy rows, 3..5 own rows."""
    rows, owner = 0, state["list_owner"]
    for row in range(ROWS):
        if state["row_len"][1 - owner, row] > 0 and damage.is_on_side(False, cards["side"][place]):
            rows |= 1 << row
        if state["row_len"][owner, row] > 0 and damage.is_on_side(True, cards["side"][place]):
            rows |= 1 << (row + ROWS)
    return rows


@kernel
def take_row(state: Record, cards: Record, code: int) -> None:
    """ROW: all creatures of the row are targets."""
    owner = state["list_owner"]
    side, row, targets = owner if code >= ROWS else 1 - owner, code % ROWS, np.uint32(0)
    for index in range(state["row_len"][side, row]):
        targets = with_bit(targets, state["grid"][side, row, index])
    state["phase"] = Phase.GOING
    carry_out(state, cards, targets)


@kernel
def carry_out(state: Record, cards: Record, targets: np.uint32) -> None:
    """RIFT-70. Apply an entry to its targets; then the death check, and the next entry."""
    act_on_creatures(state, cards, entry_of(state), targets)
    state["previous"] = targets
    state["chosen"] = 0
    state["entry"] += 1
    damage.settle(state, cards, NOBODY)


@kernel
def carry_out_plain(state: Record, cards: Record, rng: Record, place: tuple[int, int, int]) -> None:
    """Apply an entry that has no creature targets."""
    op, n, owner = cards["op"][place], cards["n"][place], state["list_owner"]
    state["entry"] += 1
    state["previous"] = 0
    if op == Op.SCRY:
        begin_scry(state, owner, n, Step.LIST)
    elif op == Op.SUMMON:
        begin_summon(state, NOBODY, cards["summoned"][place], n, Step.LIST)
    elif op == Op.PLAY_FREE:
        if free_plays(state, cards, n) > 0:
            state["phase"] = Phase.HAND
            state["seat"] = owner
    else:
        act_on_players(state, cards, rng, place)
        if not players.end_if_lost(state, cards):
            damage.settle(state, cards, NOBODY)


@kernel
def is_free_play(state: Record, cards: Record, at: int, max_level: int) -> bool:
    """Effect `play_free`. Whether a card of the active player's hand can be played by it."""
    card = state["hand"][state["active"], at]
    return cards["kind"][card] == Kind.CREATURE and cards["level"][card] <= max_level


@kernel
def free_plays(state: Record, cards: Record, max_level: int) -> int:
    """Effect `play_free`. Number of cards in the active player's hand that can be played; 0 without room."""
    seat, count = state["active"], 0
    if placement.has_place(state, cards, seat, NOBODY):
        for at in range(state["hand_n"][seat]):
            count += is_free_play(state, cards, at, max_level)
    return count


@kernel
def begin_scry(state: Record, seat: int, count: int, after: int) -> None:
    """RIFT-104. Look at the top cards; ask for their order if there are two or more. after: Step."""
    seen = min(count, state["library_n"][seat])
    state["known_own"][seat] = max(state["known_own"][seat], seen)
    state["times"][seat, Ability.SCRY] += 1
    state["step"] = after
    if seen > 0:
        state["known_other"][seat] = 0
    if seen > 1:
        state["scry_n"] = seen
        state["scry_at"] = 0
        state["phase"] = Phase.SCRY
        state["seat"] = seat


# Tricks and summoning (RIFT-109, 117, 118)


@kernel
def next_trick(state: Record) -> None:
    """RIFT-17, 117, 118. Take the first trick of the queue; it acts if its owner has a living creature with TRICK."""
    if state["queue_n"] == 0:
        state["step"] = state["after_tricks"]
        return
    owner = state["queue_owner"][0]
    state["list_owner"] = owner
    state["trigger"] = state["queue_trigger"][0]
    state["subject"] = state["queue_subject"][0]
    state["queue_n"] -= 1
    for at in range(state["queue_n"]):
        state["queue_owner"][at] = state["queue_owner"][at + 1]
        state["queue_trigger"][at] = state["queue_trigger"][at + 1]
        state["queue_subject"][at] = state["queue_subject"][at + 1]
    for g in range(owner * CREATURES, owner * CREATURES + CREATURES):
        if state["card"][g] != NOBODY and state["ability"][g, Ability.TRICK] > 0:
            state["phase"] = Phase.TRICK_FIRE
            state["seat"] = owner
            return


@kernel
def fire(state: Record, cards: Record, code: int) -> None:
    """RIFT-118. A creature carries out one of its TRICK effect lists. code: slot * 2 + list."""
    g = creature_at(state, state["list_owner"], code // 2)
    damage.turn_up(state, cards, g)
    damage.note(state, g, Ability.TRICK)
    state["fired"][state["list_owner"]] += 1
    state["phase"] = Phase.GOING
    begin_list(state, state["card"][g], List.TRICK_1 + code % 2, g, Step.TRICKS)


@kernel
def begin_summon(state: Record, summoner: int, card: int, tokens: int, after: int) -> None:
    """RIFT-109. Summon tokens one at a time. summoner: creature they must be adjacent to, NOBODY; after: Step."""
    state["summoner"] = summoner
    state["summon_card"] = card
    state["summon_left"] = tokens
    state["after_summon"] = after
    state["step"] = Step.SUMMON
