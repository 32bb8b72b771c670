"""Decisions: who decides, what is open, and what a decision does (register section 5)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.carry_out import go, use_card
from sim.games.cardrogue.course import begin_turn, cut_turn, finish_turn, follow_combat, next_turn, pass_step
from sim.games.cardrogue.death import begin_death, keep, leave_card, respawn
from sim.games.cardrogue.decisions import Act, Node, Step
from sim.games.cardrogue.fight import flee
from sim.games.cardrogue.grid import neighbour, player_at
from sim.games.cardrogue.holding import seat_character
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
from sim.games.cardrogue.options import open_acts
from sim.games.cardrogue.people import make_offer, swap
from sim.games.cardrogue.shop import call_mole
from sim.games.cardrogue.state import NOBODY
from sim.games.cardrogue.tiles import open_chest

YES_OR_NO = 3  # bits of the options 0 and 1
BOTH = 2

_NODES = {
    Act.FLIP: Node.FLIP,
    Act.MOVE: Node.MOVE,
    Act.ATTACK: Node.ATTACK,
    Act.DRINK: Node.DRINK,
    Act.THROW: Node.THROW,
    Act.SCROLL: Node.SCROLL,
    Act.SPELL: Node.SPELL,
    Act.EQUIP: Node.EQUIP,
    Act.UNEQUIP: Node.UNEQUIP,
    Act.BUY: Node.BUY,
    Act.SELL: Node.SELL,
    Act.TRADE: Node.TRADE_WITH,
    Act.TRIP: Node.TRIP,
    Act.STEAL: Node.STEAL,
}
_LEADS_TO = np.array([_NODES.get(act, Node.MAIN) for act in Act], np.int8)  # the decision that a category asks for


@kernel
def to_act(state: Record) -> np.int64:
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
    chosen = np.int64(action)  # one type of number, or everything is compiled again for each
    if node == Node.MAIN:
        choose_act(state, cards, seat, chosen, rng)
    elif node in (Node.KEEP, Node.LEAVE, Node.RESPAWN):
        settle_death(state, cards, node, chosen)
    elif node in (Node.TRADE_WITH, Node.TRADE_GIVE, Node.TRADE_WANT, Node.TRADE_ANSWER):
        trade(state, cards, seat, node, chosen)
    elif node == Node.DRAFT:
        take_character(state, cards, chosen, rng)
    elif node == Node.SECOND_TURN:
        if chosen:
            begin_turn(state, cards, seat, rng)
            state["second"] = 1
        else:
            next_turn(state, cards, rng)
    elif is_about_cards(node):
        use_card(state, cards, seat, node, chosen, rng)
    else:
        go(state, cards, seat, node, chosen, rng)
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
        state["node"] = _LEADS_TO[act]


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
def is_over(state: Record) -> bool:
    """ROGUE-104 to 107, 114. Whether the game has ended."""
    return state["node"] == Node.OVER


@kernel
def take_character(state: Record, cards: Record, character: int, rng: Record) -> None:
    """ROGUE-11, A-03. A seat chooses its character, from the first player on; after the last of them the turn begins."""
    seat = np.int64(state["asked"])
    seat_character(state, cards, seat, character)
    first, following = np.int64(state["first"]), (seat + 1) % np.int64(state["seats"])
    if following != first:
        state["asked"] = following
        state["node"] = Node.DRAFT
    else:
        begin_turn(state, cards, first, rng)


@kernel
def go_on(state: Record, cards: Record, rng: Record) -> None:
    """Play whatever follows without a choice, up to the next decision or the end of the game."""
    while state["node"] == Node.MAIN:
        seat = np.int64(state["active"])
        if state["fallen"] != NOBODY:
            begin_death(state, cards)
        elif state["cut"]:
            cut_turn(state, cards, seat, rng)
        else:
            open_chest(state, cards, seat)
            follow_combat(state, cards, seat)
            if state["step"] == Step.DONE:
                finish_turn(state, cards, seat, rng)
                continue
            state["acts"] = open_acts(state, cards, seat)
            if state["acts"] != 1 << Act.PASS:
                state["asked"] = seat
                return
            pass_step(state, cards, seat, rng)
