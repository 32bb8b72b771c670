"""What can be forbidden: cards, Actions and optional rules (`Game.ablatable`, the verb `ablation_of`)."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING
from sim.engine.jit import Record, kernel
from sim.games.riftborn.actions import PLAY, USE, WIELD
from sim.games.riftborn.cards import NONE, Kind
from sim.games.riftborn.rules.attack import ACTION_NAMES, ATTACK, ATTACK_PLAYER, CHARM, TRANSFORM, uses_of
from sim.games.riftborn.state import Aim, Phase, creature_at

RULES = ("mulligan", "move", "attack_creature", "attack_player", "weapon", "trick")  # numbers 0, 1, ... of `ablatable`
MULLIGAN, MOVE, ATTACK_CREATURE, ATTACK_OPPONENT, WEAPON, TRICK = range(len(RULES))
FIRST_ACTION = len(RULES)  # after them ACTION_NAMES
FIRST_CARD = FIRST_ACTION + len(ACTION_NAMES)  # cards except tokens, in the order of the file
SWAPS = np.uint64((1 << ATTACK) - 1)  # codes of a creature's uses, as bits
ATTACKS = np.uint64((1 << ATTACK_PLAYER) - (1 << ATTACK))


def ablatable(cards: CardSet) -> tuple[str, ...]:
    """Names of what can be forbidden, by number: rules, abilities that are Actions, card ids."""
    played = (card["id"] for card in cards.document["card"] if card["type"] != "token")
    named = {"rule": RULES, "ability": ACTION_NAMES, "card": played}
    return tuple(f"{kind}.{name}" for kind, names in named.items() for name in names)


def write_things(row: np.void) -> None:
    """Write `thing`, the number of each card in `ablatable`, after all other fields. Tokens are not played and get NONE."""
    count = int(row["cards"])
    played = row["kind"][:count] != Kind.TOKEN
    row["thing"][:count] = np.where(played, FIRST_CARD + np.cumsum(played) - 1, NONE)


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Number in `ablatable` of what a decision uses; NOTHING if it uses none."""
    phase = state["phase"]
    if phase == Phase.MAIN:
        return thing_of_main(state, cards, action)
    if phase == Phase.CREATURE:
        return thing_of_use(action)
    if phase == Phase.HAND:
        return int(cards["thing"][state["hand"][state["seat"], action]])
    if phase == Phase.MULLIGAN and action > 0:
        return MULLIGAN
    if phase == Phase.TRICK_SET and action > 0:
        return TRICK
    if phase == Phase.TARGET and state["aim"] == Aim.RETARGET:
        return ATTACK_CREATURE if action < ATTACK_PLAYER else ATTACK_OPPONENT
    return NOTHING


@kernel
def thing_of_main(state: Record, cards: Record, action: int) -> int:
    """The card played, a Weapon, or the only thing that a selected creature could do."""
    if action == 0:
        return NOTHING
    if action < USE:
        return int(cards["thing"][state["hand"][state["active"], action - PLAY]])
    if action >= WIELD:
        return WEAPON
    return only_use(uses_of(state, cards, creature_at(state, state["active"], action - USE)))


@kernel
def only_use(codes: np.uint64) -> int:
    """The thing that all these uses of a creature have in common; NOTHING if there is none. codes: as bits."""
    if codes & ~SWAPS == np.uint64(0):
        return MOVE
    if codes & ~ATTACKS == np.uint64(0):
        return ATTACK_CREATURE
    for code in range(ATTACK_PLAYER, TRANSFORM + 1):
        if codes == np.uint64(1) << np.uint64(code):
            return thing_of_use(code)
    return NOTHING


@kernel
def thing_of_use(code: int) -> int:
    """The thing that one use of a creature is."""
    if code < ATTACK:
        return MOVE
    if code < ATTACK_PLAYER:
        return ATTACK_CREATURE
    return ATTACK_OPPONENT if code == ATTACK_PLAYER else FIRST_ACTION + code - CHARM
