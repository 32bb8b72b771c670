"""What one entry of an effect list does, to creatures and to players (register section 2.3)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.bits import has, with_bit
from sim.games.riftborn.geometry import power
from sim.games.riftborn.harm import credit_blow, heal, mark, wound
from sim.games.riftborn.piles import draw_cards, spy, take_back_discard
from sim.games.riftborn.players import gain_xp, heal_player, hurt_player
from sim.games.riftborn.record import ABILITIES, LENDABLE, Ability, Op, Side, Token
from sim.games.riftborn.state import ALL, NOBODY, SEATS, WAITING, saturated
from sim.games.riftborn.stats import health_of, lend, turn_up
from sim.games.riftborn.switches import KillXp
from sim.games.riftborn.terms import Gain, Harm, Wound

UNUSED_MAX = 127  # unused UNDEATH of a creature


@kernel
def act_on_creatures(state: Record, cards: Record, place: tuple[int, int, int], targets: np.uint32) -> None:
    """Let an entry hit all its targets at the same time. place: card, list, entry; targets: creatures as bits."""
    for g in range(ALL):
        if has(targets, g) and state["card"][g] != NOBODY:
            act_on(state, cards, place, np.int64(g))
    if cards["op"][place] == Op.DAMAGE:
        show_rage(state, cards, targets)
    elif cards["op"][place] == Op.GRANT or cards["op"][place] == Op.LOSE:
        lend(state, cards)
    if cards["op"][place] == Op.DAMAGE or cards["op"][place] == Op.DESTROY:
        for g in range(ALL):  # when all are hit: an AURA turned up by it may be what makes others deadly hurt
            if has(targets, g) and state["card"][g] != NOBODY:
                mark(state, cards, np.int64(g), Harm.EFFECT)
                earn(state, cards, np.int64(g))


@kernel
def show_rage(state: Record, cards: Record, targets: np.uint32) -> None:
    """RIFT-97, 108. RAGE turns creatures up, when all have been hit: what a face shows acts on none of them before."""
    raging = np.uint32(0)
    for g in range(ALL):
        if has(targets, g) and state["card"][g] != NOBODY and power(state, np.int64(g), Ability.RAGE) > 0:
            raging = with_bit(raging, g)
    for g in range(ALL):
        if has(raging, g):
            turn_up(state, cards, np.int64(g))


@kernel
def act_on(state: Record, cards: Record, place: tuple[int, int, int], g: int) -> None:
    """One entry on one creature."""
    op, n = cards["op"][place], np.int64(cards["n"][place])
    if op == Op.DAMAGE:
        wound(state, cards, g, n)
    elif op == Op.HEAL:
        heal(state, g, n)
    elif op == Op.ADD:
        change_tokens(state, cards, g, np.int64(cards["token"][place]), n)
    elif op == Op.CLEAR:
        change_tokens(state, cards, g, np.int64(cards["token"][place]), -n)
    elif op == Op.GRANT:
        grant(state, cards, g, np.int64(cards["granted"][place]), np.int64(cards["granted_x"][place]))
    elif op == Op.LOSE:
        state["ability"][g, cards["granted"][place]] = 0
    elif op == Op.DESTROY:
        state["damage"][g] = max(np.int64(state["damage"][g]), health_of(state, cards, g))
    elif op == Op.CHARM:
        state["charm"][g] |= WAITING
    elif op == Op.PACIFY:
        state["pacify"][g] |= WAITING


@kernel
def earn(state: Record, cards: Record, g: int) -> None:
    """RA-16. Whether the controller of an effect that hurt a creature will be paid for a kill."""
    by = np.int64(state["list_owner"]), np.int64(NOBODY)
    credit_blow(state, cards, g, by, np.int64(1), cards["kill_xp"] == KillXp.ANY_OWN_DAMAGE)


@kernel
def change_tokens(state: Record, cards: Record, g: int, token: int, n: int) -> None:
    """RIFT-66 to 68. Put tokens on a creature, or with n below 0 take off up to as many as there are."""
    if token == Token.RAGE:
        state["rage"][g] = counted(np.int64(state["rage"][g]), n)
    elif token == Token.HEALTH:
        state["health"][g] = counted(np.int64(state["health"][g]), n)
        mark(state, cards, g, Harm.EFFECT)
    elif token == Token.SHIELD:
        state["shield"][g] = counted(np.int64(state["shield"][g]), n)
    elif token == Token.WEAKNESS:
        state["weakness"][g] = counted(np.int64(state["weakness"][g]), n)
    else:
        state["decay"][g] = counted(np.int64(state["decay"][g]), n)
        mark(state, cards, g, Harm.DECAY)


@kernel
def counted(before: int, change: int) -> np.int64:
    """A counter of tokens after a change, 0..TOKENS_MAX."""
    return saturated(max(np.int64(0), before + change))


@kernel
def grant(state: Record, cards: Record, g: int, ability: int, x: int) -> None:
    """Effect `grant`, RIFT-110. Gain an ability for good; with SWARM there is no other."""
    own = np.int64(state["ability"][g, ability])
    if ability == Ability.SWARM:
        for other in range(ABILITIES):
            if other != Ability.SWARM:
                state["ability"][g, other] = 0
        for other in range(LENDABLE):
            state["lent"][g, other] = 0
        state["ability"][g, ability] = max(own, x)
        turn_up(state, cards, g)
    elif state["ability"][g, Ability.SWARM] == 0:
        state["ability"][g, ability] = min(own + 1, UNUSED_MAX) if ability == Ability.UNDEATH else max(own, x)


@kernel
def act_on_players(state: Record, cards: Record, rng: Record, place: tuple[int, int, int]) -> None:
    """An entry that has no creatures as targets; SCRY, SUMMON and PLAY_FREE are begun elsewhere. place: card, list, entry."""
    op, n, seat = cards["op"][place], np.int64(cards["n"][place]), np.int64(state["list_owner"])
    if op == Op.DAMAGE_PLAYER:
        side = cards["side"][place]
        if side != Side.FRIEND:
            hurt_player(state, cards, SEATS - 1 - seat, n, Wound.EFFECT)
        if side != Side.ENEMY:
            hurt_player(state, cards, seat, n, Wound.EFFECT)
    elif op == Op.HEAL_PLAYER:
        heal_player(state, cards, seat, n)
    elif op == Op.DRAW:
        state["times"][seat, Ability.DRAW] += 1
        draw_cards(state, cards, rng, seat, n)
    elif op == Op.SPY:
        spy(state, seat, n)
    elif op == Op.RECALL:
        take_back_discard(state, cards, rng, seat)
    elif op == Op.GAIN_XP:
        gain_xp(state, cards, seat, n, Gain.EFFECT)
