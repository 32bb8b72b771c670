"""How Card Rogue speaks (the protocol `Words` of the engine): decisions and draws here, the rest in the modules named by it.

`story` tells what happened, `notation` reads and writes positions, `picture` draws them, `labels` names things.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean
from sim.engine.reading import plain
from sim.games.cardrogue.decisions import FLIP_CODE, GOLD_CODE, LEAP_STAY, OFFHAND_CODE, STAY_CODE, Act, Node, Spell
from sim.games.cardrogue.labels import (
    DIRECTIONS,
    OFFHAND,
    SLOT_NAMES,
    amount_of_gold,
    card_name,
    card_names,
    card_or_coin,
    card_or_gold,
    cell_name,
    character_name,
    potion_name,
)
from sim.games.cardrogue.names import tile_ids, tile_names, type_ids
from sim.games.cardrogue.notation import place, position
from sim.games.cardrogue.picture import picture
from sim.games.cardrogue.record import TILE_ENTRY
from sim.games.cardrogue.story import events

__all__ = ["action", "draw", "events", "line_up", "picture", "place", "position"]

ACTS = {act: act.name.lower() for act in Act}
ACTS |= {Act.SCROLL: "read", Act.SPELL: "cast", Act.UNEQUIP: "take off", Act.MOLE: "call the mole"}
_TOWARDS = {  # decisions that name a direction, by their verb
    Node.FLIP: "flip",
    Node.MOVE: "move",
    Node.ATTACK: "attack",
    Node.THROW_AT: "throw",
    Node.SCROLL_MOVE: "move",
    Node.SPELL_AT: "cast",
    Node.SPELL_MOVE: "move",
    Node.TRADE_WITH: "trade",
    Node.TRIP: "trip",
    Node.STEAL: "steal",
    Node.BARD_FLEE: "flee",
}
_CARD = {Node.SCROLL: "read", Node.BUY: "buy", Node.SELL: "sell", Node.MOLE_PAY: "sell"}
_COLOUR = {Node.DRINK: "drink", Node.THROW: "throw", Node.IDENTIFY: "identify", Node.SPELL_POTION: "spend"}
_CELL = {Node.TELEPORT: "teleport to", Node.MOLE_TILE: "dig at", Node.RESPAWN: "come back at"}
_SPELLS = {Spell.DAMAGE: "cast damage", Spell.MOVE: "cast move", Spell.POTION: "cast healing"}
_ANSWERS = {Node.TRADE_ANSWER: ("refuse", "accept"), Node.SECOND_TURN: ("no second turn", "second turn")}


def line_up(cards: CardSet, entrants: list[int]) -> list[str]:
    """Name of each seat's character."""
    return [cards.names[entrant] for entrant in entrants]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state` (register section 5)."""
    node = Node(state["node"])
    if node in _TOWARDS:
        return f"{_TOWARDS[node]} {DIRECTIONS[action]}"
    if node in _CARD:
        return f"{_CARD[node]} {card_name(cards, action)}"
    if node in _COLOUR:
        return f"{_COLOUR[node]} {potion_name(cards, action)}"
    if node in _CELL:
        return f"{_CELL[node]} {cell_name(action)}"
    if node in _ANSWERS:
        return _ANSWERS[node][action]
    return _other(state, cards, node, action)


def _other(state: np.void, cards: CardSet, node: Node, action: int) -> str:
    """Decisions that have words of their own."""
    match node:
        case Node.MAIN:
            words = ACTS[Act(action)]
        case Node.DRAFT:
            words = f"choose {character_name(cards, action)}"
        case Node.FLEE_STEP:
            flips = FLIP_CODE <= action < STAY_CODE
            words = "stay" if action == STAY_CODE else _way("flip" if flips else "flee", action % FLIP_CODE)
        case Node.LEAP:
            words = "stay" if action == LEAP_STAY else _way("leap", action)
        case Node.SPELL:
            words = _SPELLS[Spell(action)]
        case Node.EQUIP:
            offhand = action >= OFFHAND_CODE
            words = f"equip {card_name(cards, action % OFFHAND_CODE)}" + (f" {OFFHAND}" if offhand else "")
        case Node.UNEQUIP:
            worn = card_name(cards, state["worn"][state["active"], action])
            words = f"take off {worn} ({SLOT_NAMES[action]})"
        case Node.TRADE_GIVE | Node.TRADE_WANT:
            words = f"{'offer' if node == Node.TRADE_GIVE else 'ask for'} {card_or_gold(cards, action)}"
        case _:
            words = f"{node.name.lower()} {card_or_coin(cards, action)}"
    return words


def _way(verb: str, direction: int) -> str:
    return f"{verb} {DIRECTIONS[direction]}"


def draw(words: str, cards: CardSet) -> int:
    """What a drawn card is: a card type, or 64 + the number of a tile; for a theft 64 + the index of a gold card.

    words: name or id of a card or tile, or as in "5 gold" (ROGUE-05, 69). Raises ValueError saying what would be right.
    """
    if (gold := amount_of_gold(words)) is not None:
        record = cards.record[0]
        denominations = [int(value) for value in record["denomination"][: record["denominations"]]]
        if gold not in denominations:
            raise ValueError(f"there is no such gold card; there are {', '.join(map(str, denominations))}")
        return GOLD_CODE + denominations.index(gold)
    known = {
        plain(word): TILE_ENTRY + tile for words_ in (tile_names, tile_ids) for tile, word in enumerate(words_(cards))
    }
    known |= {plain(word): card for words_ in (card_names, type_ids) for card, word in enumerate(words_(cards))}
    if plain(words) not in known:
        raise ValueError(f"is neither a card nor a tile; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]
