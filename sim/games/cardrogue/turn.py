"""Decisions: who decides, what is open, and what a decision does (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.course import begin_turn, go_on, next_turn, pass_step
from sim.games.cardrogue.death import keep, leave_card, respawn
from sim.games.cardrogue.engage import leave_all
from sim.games.cardrogue.fight import attack, flee
from sim.games.cardrogue.grid import monster_at, neighbour, player_at
from sim.games.cardrogue.harm import heal, interrupted
from sim.games.cardrogue.holding import discard, put_on, take_off
from sim.games.cardrogue.items import (
    FOR_SPELL,
    SELF,
    cast,
    hurt_enemy,
    identify,
    move_by_scroll,
    read_scroll,
    teleport,
    use_potion,
)
from sim.games.cardrogue.listing import (
    ACTS,
    list_bits,
    list_cells,
    list_draft,
    list_estate,
    list_flight,
    list_items,
    list_leaps,
    list_sides,
)
from sim.games.cardrogue.moves import arrive, flip, stand_on, walk
from sim.games.cardrogue.people import make_offer, steal, swap, trip
from sim.games.cardrogue.record import POTION
from sim.games.cardrogue.seating import take_character
from sim.games.cardrogue.shop import buy, call_mole, dig, pay_mole, sell
from sim.games.cardrogue.state import (
    AIM,
    FLIP_CODE,
    LEAP_STAY,
    OFFHAND_CODE,
    STAY_CODE,
    Act,
    Node,
    Spell,
    Step,
)
from sim.games.cardrogue.tiles import open_chest

YES_OR_NO = 3  # bits of the options 0 and 1
BOTH = 2


@kernel
def to_act(state: Record) -> int:
    """Seat that decides: the active one, but for answers to offers and choices of the dead."""
    return np.int64(state["asked"])


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Register section 5. List the options of the decision at hand."""
    node = np.int64(state["node"])
    if node == Node.MAIN:
        return list_bits(np.int64(state["acts"]), ACTS, out)
    if node in (Node.KEEP, Node.LEAVE):
        return list_estate(state, cards, out)
    if node in (Node.RESPAWN, Node.TELEPORT, Node.MOLE_TILE):
        return list_cells(state, cards, node, out)
    if node in (Node.TRADE_ANSWER, Node.SECOND_TURN):
        return list_bits(YES_OR_NO, BOTH, out)
    if node == Node.FLEE_STEP:
        return list_flight(state, cards, out)
    if node == Node.LEAP:
        return list_leaps(state, cards, out)
    if node == Node.DRAFT:
        return list_draft(state, cards, out)
    if is_about_cards(node):
        return list_items(state, cards, node, out)
    return list_sides(state, cards, node, out)


@kernel
def is_about_cards(node: int) -> bool:
    """Whether a decision names cards, colours or slots."""
    return node in (
        Node.DRINK,
        Node.THROW,
        Node.SCROLL,
        Node.IDENTIFY,
        Node.SPELL,
        Node.SPELL_POTION,
        Node.EQUIP,
    ) or node in (Node.UNEQUIP, Node.BUY, Node.SELL, Node.MOLE_PAY, Node.TRADE_GIVE, Node.TRADE_WANT)


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry a decision out, up to the next one."""
    node, seat = np.int64(state["node"]), np.int64(state["active"])
    state["node"] = Node.MAIN  # what follows may set another
    action = np.int64(action)  # one type of number, or everything is compiled again for each
    if node == Node.MAIN:
        choose_act(state, cards, seat, action, rng)
    elif node in (Node.KEEP, Node.LEAVE, Node.RESPAWN):
        settle_death(state, cards, node, action)
    elif node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT, Node.TRADE_ANSWER):
        trade(state, cards, seat, node, action)
    elif node == Node.DRAFT:
        take_character(state, cards, action, rng)
    elif node == Node.SECOND_TURN:
        if action:
            begin_turn(state, cards, seat, rng)
            state["second"] = 1
        else:
            next_turn(state, cards, rng)
    elif is_about_cards(node):
        use_card(state, cards, seat, node, action, rng)
    else:
        go(state, cards, seat, node, action, rng)
    go_on(state, cards, rng)


@kernel
def choose_act(state: Record, cards: Record, seat: int, act: int, rng: Record) -> None:
    """MAIN: what the active player does next."""
    if act == Act.PASS:
        pass_step(state, cards, seat, rng)
    elif act == Act.FLEE:
        flee(state, cards, seat, rng)
    elif act == Act.MOLE:
        call_mole(state, cards, seat)
    else:
        state["node"] = node_of(act)


@kernel
def node_of(act: int) -> int:
    """The decision that a category leads to."""
    if act == Act.FLIP:
        return Node.FLIP
    if act == Act.MOVE:
        return Node.MOVE
    if act == Act.ATTACK:
        return Node.ATTACK
    if act == Act.DRINK:
        return Node.DRINK
    if act == Act.THROW:
        return Node.THROW
    if act == Act.SCROLL:
        return Node.SCROLL
    if act == Act.SPELL:
        return Node.SPELL
    if act == Act.EQUIP:
        return Node.EQUIP
    if act == Act.UNEQUIP:
        return Node.UNEQUIP
    if act == Act.BUY:
        return Node.BUY
    if act == Act.SELL:
        return Node.SELL
    if act == Act.TRADE:
        return Node.TRADE_WITH
    if act == Act.TRIP:
        return Node.TRIP
    return Node.STEAL


@kernel
def settle_death(state: Record, cards: Record, node: int, action: int) -> None:
    """ROGUE-61, 62. Decisions of the dead."""
    seat = np.int64(state["fallen"])
    if node == Node.KEEP:
        keep(state, cards, seat, action)
    elif node == Node.LEAVE:
        leave_card(state, cards, seat, action)
    else:
        respawn(state, cards, seat, action)


@kernel
def trade(state: Record, cards: Record, seat: int, node: int, action: int) -> None:
    """ROGUE-66. An offer, piece by piece, and its answer."""
    if node == Node.TRADE_WITH:
        state["arg"][0] = player_at(state, neighbour(cards, np.int64(state["cell"][seat]), action))
        state["node"] = Node.TRADE_GIVE
    elif node == Node.TRADE_GIVE:
        state["arg"][1] = action
        state["node"] = Node.TRADE_WANT
    elif node == Node.TRADE_WANT:
        make_offer(state, seat, action)
    elif action:
        swap(state, cards, seat)


@kernel
def use_card(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Decisions about cards: potions, scrolls, spells, equipment, shop."""
    if node == Node.DRINK:
        use_potion(state, cards, seat, action, SELF, rng)
    elif node == Node.THROW:
        state["arg"][0] = action
        state["node"] = Node.THROW_AT
    elif node == Node.SCROLL:
        read_scroll(state, cards, seat, action)
    elif node == Node.IDENTIFY:
        discard(state, seat, np.int64(state["arg"][0]))
        identify(state, cards, seat, action, rng)
    elif node == Node.SPELL:
        begin_spell(state, action)
    elif node == Node.SPELL_POTION:
        cast(state, cards, seat)
        discard(state, seat, POTION + action)
        state["potions"][seat, FOR_SPELL] += 1
        heal(state, cards, seat, np.int64(cards["spell_heal"][state["character"][seat]]))
    elif node == Node.EQUIP:
        state["equips"] += 1
        offhand = action >= OFFHAND_CODE
        put_on(state, cards, seat, action - OFFHAND_CODE if offhand else action, offhand)
    elif node == Node.UNEQUIP:
        state["equips"] += 1
        take_off(state, cards, seat, action)
    elif node == Node.BUY:
        buy(state, cards, seat, action, rng)
    else:
        sell(state, cards, seat, action)
        if node == Node.MOLE_PAY:
            pay_mole(state, cards, seat)


@kernel
def begin_spell(state: Record, spell: int) -> None:
    """ROGUE-95. Which spell is cast."""
    if spell == Spell.DAMAGE:
        state["node"] = Node.SPELL_AT
    elif spell == Spell.MOVE:
        state["node"] = Node.SPELL_MOVE
    else:
        state["node"] = Node.SPELL_POTION


@kernel
def go(state: Record, cards: Record, seat: int, node: int, action: int, rng: Record) -> None:
    """Decisions that name a direction or a cell."""
    if node == Node.FLIP:
        flip(state, cards, seat, action, rng)
        if not interrupted(state):
            open_chest(state, cards, seat)
    elif node == Node.MOVE:
        state["moves_left"] -= 1
        walk(state, cards, seat, action, rng)
    elif node == Node.ATTACK:
        attack(state, cards, seat, action, rng)
    elif node in (Node.FLEE_STEP, Node.BARD_FLEE):
        run(state, cards, seat, action, rng)
    elif node == Node.THROW_AT:
        state["arg"][AIM] = action
        use_potion(state, cards, seat, np.int64(state["arg"][0]), action, rng)
    elif node == Node.TELEPORT:
        teleport(state, cards, seat, action, rng)
    elif node == Node.SCROLL_MOVE:
        move_by_scroll(state, cards, seat, action)
    elif node == Node.SPELL_AT:
        cast(state, cards, seat)
        slot = monster_at(state, neighbour(cards, np.int64(state["cell"][seat]), action))
        hurt_enemy(state, cards, seat, slot, action, np.int64(cards["spell_damage"][state["character"][seat]]), rng)
    elif node == Node.SPELL_MOVE:
        cast(state, cards, seat)
        walk(state, cards, seat, action, rng)
    elif node == Node.TRIP:
        trip(state, cards, seat, action, rng)
    elif node == Node.LEAP:
        leap(state, cards, seat, action, rng)
    elif node == Node.STEAL:
        steal(state, cards, seat, action, rng)
    else:
        dig(state, cards, action)


@kernel
def run(state: Record, cards: Record, seat: int, action: int, rng: Record) -> None:
    """ROGUE-58. One step of a flight: a move, a flip, or staying where no move is possible."""
    if action == STAY_CODE:
        return
    if action >= FLIP_CODE:
        before = np.int64(state["combat"][seat])
        flip(state, cards, seat, action - FLIP_CODE, rng)
        if state["combat"][seat] != before:
            state["step"] = Step.FIGHT
            state["enemies_acted"] = 0
        elif not interrupted(state):
            state["node"] = Node.FLEE_STEP
        return
    leave_all(state, cards, seat, True)
    state["step"] = Step.DONE
    walk(state, cards, seat, action, rng)


@kernel
def leap(state: Record, cards: Record, seat: int, action: int, rng: Record) -> None:
    """ROGUE-67. Leap to a cell next to the victim, or stay."""
    if action == LEAP_STAY:
        return
    state["walked"] = 1
    stand_on(state, seat, neighbour(cards, np.int64(state["cell"][state["arg"][0]]), action), action)
    arrive(state, cards, seat, rng)
