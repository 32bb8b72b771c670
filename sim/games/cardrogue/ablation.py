"""What can be switched off: optional rules, shop cards, and the abilities of characters that ask for a decision."""

from enum import IntEnum

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from sim.games.cardrogue.rules.basics import bit
from sim.games.cardrogue.rules.items import may_wear, may_wear_offhand, price, spells, usable_scrolls
from sim.games.cardrogue.state import LEAP_STAY, OFFHAND_CODE, Act, Node

SEVERAL = -2  # of `only_thing`: nothing found yet


class Rule(IntEnum):
    """Optional rules, in the order of `ablatable`."""

    FLEE = 0
    DRINK = 1
    THROW = 2
    SELL = 3
    TAKE_OFF = 4
    TRADE = 5
    TRIP = 6
    LEAP = 7
    STEAL = 8
    MOLE = 9


class Ability(IntEnum):
    """Abilities that ask for a decision, in the order of `ablatable`; spells have the numbers of `Spell`."""

    DAMAGE = 0
    MOVE = 1
    POTION = 2
    OFFHAND = 3
    SECOND_TURN = 4


RULES = len(Rule)
ABILITIES = len(Ability)
_ABILITY_WORDS = ("spells.damage", "spells.move", "spells.potion_heal", "offhand", "second_turn")
_RULE_OF_ACT = {
    Act.FLEE: Rule.FLEE,
    Act.DRINK: Rule.DRINK,
    Act.THROW: Rule.THROW,
    Act.UNEQUIP: Rule.TAKE_OFF,
    Act.SELL: Rule.SELL,
    Act.TRADE: Rule.TRADE,
    Act.TRIP: Rule.TRIP,
    Act.STEAL: Rule.STEAL,
    Act.MOLE: Rule.MOLE,
}
_RULES_BY_ACT = np.array([_RULE_OF_ACT.get(act, NOTHING) for act in Act], np.int8)


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """Names of what can be forbidden with these cards: `rule.flee`, `item.dagger`, `character.mage.spells.damage`."""
    record = cards.record[0]
    names = [f"rule.{rule.name.lower()}" for rule in Rule]
    names += [f"item.{item['id']}" for item in cards.document["item"]]
    for number, character in enumerate(cards.document["character"]):
        words = [_ABILITY_WORDS[ability] for ability in Ability if has_ability(record, number, ability)]
        names += [f"character.{character['id']}.{word}" for word in words]
    return tuple(names)


@kernel
def has_ability(cards: Record, character: int, ability: int) -> bool:
    """Whether a character has an ability that asks for a decision."""
    if ability == Ability.OFFHAND:
        return cards["offhand_type"][character] >= 0
    if ability == Ability.SECOND_TURN:
        return cards["second_turn"][character] != 0
    if cards["spell_cooldown"][character] == 0:
        return False
    if ability == Ability.DAMAGE:
        return cards["spell_damage"][character] > 0
    if ability == Ability.MOVE:
        return cards["spell_move"][character] != 0
    return cards["spell_heal"][character] > 0


@kernel
def ability_used(cards: Record, character: int, ability: int) -> int:
    """Index of a character's ability in `ablatable`."""
    number = RULES + cards["items"]
    for one in range(character + 1):
        for other in range(ability if one == character else ABILITIES):
            number += has_ability(cards, one, other)
    return number


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Index in `ablatable` of what a decision uses, or NOTHING. A category with one open option counts as that option."""
    node, seat = state["node"], state["active"]
    if node == Node.MAIN:
        rule = int(_RULES_BY_ACT[action])
        return rule if rule != NOTHING else only_thing(state, cards, seat, action)
    if node == Node.TRADE_ANSWER:
        return Rule.TRADE if action else NOTHING
    if node == Node.LEAP:
        return Rule.LEAP if action != LEAP_STAY else NOTHING
    if node == Node.SECOND_TURN:
        return ability_used(cards, state["character"][seat], Ability.SECOND_TURN) if action else NOTHING
    if node == Node.SPELL:
        return ability_used(cards, state["character"][seat], action)
    if node in (Node.BUY, Node.EQUIP, Node.SCROLL):
        return item_used(state, cards, seat, action)
    return NOTHING


@kernel
def item_used(state: Record, cards: Record, seat: int, code: int) -> int:
    """Index of a shop card that is bought, put on or read; 64 + type: an off-hand weapon, which is an ability."""
    if code >= OFFHAND_CODE:
        return ability_used(cards, state["character"][seat], Ability.OFFHAND)
    return RULES + cards["item_number"][code]


@kernel
def only_thing(state: Record, cards: Record, seat: int, act: int) -> int:
    """Index of the only open option of a category; NOTHING if there are several."""
    found = SEVERAL
    if act == Act.SPELL:
        open_spells = spells(state, cards, seat)
        for spell in range(Ability.OFFHAND):
            if open_spells == 1 << spell:
                found = ability_used(cards, state["character"][seat], spell)
    elif act in (Act.BUY, Act.EQUIP, Act.SCROLL):
        for item in range(cards["items"]):
            card = cards["item_type"][item]
            if is_open(state, cards, seat, act, card):
                found = RULES + item if found == SEVERAL else NOTHING
            if act == Act.EQUIP and may_wear_offhand(state, cards, seat, card):
                found = item_used(state, cards, seat, OFFHAND_CODE + card) if found == SEVERAL else NOTHING
    return found if found != SEVERAL else NOTHING


@kernel
def is_open(state: Record, cards: Record, seat: int, act: int, card: int) -> bool:
    """Whether a shop card can be bought, put on (in its own slots) or read now."""
    if act == Act.BUY:
        return state["shop"][card] > 0 and price(state, cards, seat, card) <= state["gold"][seat]
    if act == Act.EQUIP:
        return may_wear(state, cards, seat, card)
    return usable_scrolls(state, cards, seat) & bit(card) != 0
