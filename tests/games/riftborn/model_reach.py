"""Who may attack whom in the Riftborn Tactics model. RIFT-37, 38, 52, 108."""

from sim.games.riftborn.state import Reach
from tests.games.riftborn.model_geometry import (
    adjacent,
    aside,
    clear,
    clear_to_player,
    columns,
    distance,
    front_most,
)
from tests.games.riftborn.model_state import Creature, Table, Weapon
from tests.games.riftborn.model_stats import has, x_of


def flies(table: Table, creature: Creature) -> bool:
    """RIFT-38. Whether its FLIGHT is active."""
    if creature.face_down or not has(table, creature, "FLIGHT"):
        return False
    return not any(
        not enemy.face_down and has(table, enemy, "FLIGHT") and aside(table, creature, enemy) < 2
        for enemy in table.players[1 - creature.owner].creatures
    )


def covered(table: Table, creature: Creature) -> bool:
    """RIFT-108. Whether only adjacent creatures may attack it, variant `stealth_cover`."""
    lasting = table.rules.stealth_cover == "always" or creature.face_down
    return lasting and has(table, creature, "STEALTH")


def reach(table: Table, attacker: Creature, target: Creature) -> Reach:
    """RIFT-37. By what a creature may attack an enemy creature."""
    apart = distance(table, attacker, target)
    if covered(table, target) and not adjacent(table, attacker, target):
        return Reach.NONE
    if apart == 1:
        return Reach.ADJACENT
    if x_of(table, attacker, "RANGE") >= apart:
        return Reach.RANGE
    if apart <= table.rules.flight_range and flies(table, attacker):
        return Reach.FLIGHT
    return Reach.CLEAR if clear(table, attacker, target) else Reach.NONE


def is_answered(table: Table, way: Reach) -> bool:
    """RIFT-37. Whether an attack by this way is retaliated, variant `contact_retaliation`."""
    return way in (Reach.ADJACENT, Reach.FLIGHT) or (way == Reach.CLEAR and table.rules.contact_retaliation)


def reach_player(table: Table, attacker: Creature) -> Reach:
    """RIFT-37. By what a creature may attack the opponent."""
    away = table.place(attacker)[0] + len(table.players[1 - attacker.owner].rows) + 1
    if clear_to_player(table, attacker):
        return Reach.CLEAR
    if x_of(table, attacker, "RANGE") >= away:
        return Reach.RANGE
    return Reach.FLIGHT if away <= table.rules.flight_range and flies(table, attacker) else Reach.NONE


def weapon_reach(table: Table, seat: int, weapon: Weapon, target: Creature) -> Reach:
    """RIFT-52. By what a Weapon of this player reaches an enemy creature."""
    if covered(table, target):
        return Reach.NONE
    if all(
        front_most(table, 1 - seat, k) is target and front_most(table, seat, k) is None for k in columns(table, target)
    ):
        return Reach.CLEAR
    away = len(table.players[seat].rows) + table.place(target)[0] + 1
    return Reach.RANGE if weapon.card.abilities.get("RANGE", 0) >= away else Reach.NONE
