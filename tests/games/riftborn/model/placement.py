"""Geometry, statistics and reach in the Riftborn Tactics model. RIFT-31 to 38, 52, 60 to 63, 65, 80, 93, 97, 108, 110."""

from collections.abc import Iterator

from sim.games.riftborn.state import Reach
from tests.games.riftborn.model.cards import REPEATED, Ability, Aura
from tests.games.riftborn.model.state import Creature, Table, Weapon


def centre(table: Table, creature: Creature) -> int:
    """RIFT-31. Distance from the middle of the table in half tiles, -4..4."""
    row, index = table.place(creature)
    return 2 * index - (len(table.players[creature.owner].rows[row]) - 1)


def aside(table: Table, one: Creature, other: Creature) -> int:
    """Half tiles between two creatures, rows left out."""
    return abs(centre(table, one) - centre(table, other))


def distance(table: Table, one: Creature, other: Creature) -> int:
    """RIFT-33."""
    row, far = table.place(one)[0], table.place(other)[0]
    rows_apart = abs(row - far) if one.owner == other.owner else row + far + 1
    return rows_apart + aside(table, one, other) // 2


def adjacent(table: Table, one: Creature, other: Creature) -> bool:
    """RIFT-34, with variant `adjacent_enemies`: for opportunity, CHARM, PACIFY, STEALTH and effects."""
    if distance(table, one, other) == 1:
        return True
    contact = table.rules.adjacent_enemies == "contact" and one.owner != other.owner
    return contact and clear_by_halves(table, one, other)


def adjacent_friends(table: Table, creature: Creature) -> list[Creature]:
    """RIFT-34. Adjacent creatures of the same side."""
    return [one for one in table.players[creature.owner].creatures if distance(table, creature, one) == 1]


def columns(table: Table, creature: Creature) -> tuple[int, int]:
    """RIFT-31. The two half columns that it covers."""
    h = centre(table, creature)
    return h - 1, h


def front_most(table: Table, seat: int, column: int) -> Creature | None:
    """The creature of a side that is nearest to the enemy in a half column."""
    return next((one for one in table.players[seat].creatures if column in columns(table, one)), None)


def clear_by_halves(table: Table, one: Creature, other: Creature) -> bool:
    """RIFT-35. In one half column both are the front-most of their side."""
    return any(front_most(table, one.owner, k) is one and front_most(table, other.owner, k) is other for k in columns(table, one))


def clear_to_nearest(table: Table, one: Creature, other: Creature) -> bool:
    """RIFT-35 with `clear_path = nearest`."""
    rows, row = table.players[one.owner].rows, table.place(one)[0]
    if any(aside(table, one, friend) < 2 for before in rows[:row] for friend in before):
        return False
    for far in table.players[other.owner].rows:
        facing = [enemy for enemy in far if aside(table, one, enemy) < 2]
        if facing:
            return any(enemy is other for enemy in facing)
    return False


def clear(table: Table, one: Creature, other: Creature) -> bool:
    """RIFT-35, variant `clear_path`."""
    way = clear_by_halves if table.rules.clear_path == "half" else clear_to_nearest
    return way(table, one, other)


def clear_to_player(table: Table, creature: Creature) -> bool:
    """RIFT-36."""
    return all(
        front_most(table, creature.owner, k) is creature and front_most(table, 1 - creature.owner, k) is None
        for k in columns(table, creature)
    )


def behind(table: Table, hurt: Creature) -> list[Creature]:
    """RIFT-65. Creatures that the rest of a blow can hit: one, two, or none."""
    for row in table.players[hurt.owner].rows[table.place(hurt)[0] + 1 :]:
        overlapping = [one for one in row if aside(table, one, hurt) < 2]
        if overlapping:
            return overlapping
    return []


def auras(table: Table, creature: Creature) -> Iterator[Aura]:
    """RIFT-80. What the AURAs in reach give to it. No AURA can give AURA or SWARM: only own ones count."""
    for source in table.everybody():
        gift = source.card.aura
        if gift is None or "AURA" not in source.own or source is creature or source.face_down:
            continue
        side = "friend" if source.owner == creature.owner else "enemy"
        if gift.side in (side, "all") and distance(table, source, creature) <= source.own["AURA"]:
            yield gift


def abilities(table: Table, creature: Creature) -> dict[str, int]:
    """RIFT-60. Abilities in force."""
    if "SWARM" in creature.own:
        return {"SWARM": creature.own["SWARM"]}
    found = dict(creature.own)
    for gift in auras(table, creature):
        if gift.keyword is not None:
            found[gift.keyword.name] = max(found.get(gift.keyword.name, 0), gift.keyword.x)
    return found


def x_of(table: Table, creature: Creature, name: str) -> int:
    """X of an ability in force, 1 of a plain one, 0 of none."""
    return abilities(table, creature).get(name, 0)


def has(table: Table, creature: Creature, name: str) -> bool:
    """Whether an ability is in force."""
    return x_of(table, creature, name) > 0


def morale(table: Table, creature: Creature, mode: str) -> int:
    """RIFT-93. What its neighbours give it."""
    givers = [one for one in table.players[creature.owner].creatures if "MORALE" in one.own and not one.face_down]
    return sum(one.own["MORALE"] for one in givers if one.morale == mode and distance(table, creature, one) == 1)


def attack(table: Table, creature: Creature, without: int = 0) -> int:
    """RIFT-61. without: Rage tokens that do not count."""
    printed = creature.card.attack * creature.own.get("SWARM", 1)
    tokens = creature.rage - without - creature.weakness
    lent = sum(gift.attack for gift in auras(table, creature))
    return max(0, printed + tokens + morale(table, creature, "attack") + lent)


def maximum(table: Table, creature: Creature) -> int:
    """RIFT-62. Maximum Health; it can be 0 or less."""
    printed = creature.card.health * creature.own.get("SWARM", 1)
    tokens = creature.health - creature.decay
    lent = sum(gift.health for gift in auras(table, creature))
    return printed + tokens + morale(table, creature, "health") + lent


def is_deadly_hurt(table: Table, creature: Creature) -> bool:
    """RIFT-74."""
    return creature.damage >= maximum(table, creature)


def returns(table: Table, creature: Creature) -> bool:
    """RIFT-71. Whether it has an unused UNDEATH."""
    return has(table, creature, "UNDEATH")


def turn_up(creature: Creature) -> None:
    """RIFT-108."""
    creature.face_down = False


def give(table: Table, creature: Creature, gift: Ability) -> None:
    """`grant`. The larger X counts, UNDEATH adds up; SWARM ends all others permanently (RIFT-110)."""
    name, x = gift
    if name == "SWARM":
        if x > creature.own.get(name, 0):
            creature.own = {name: x}
            turn_up(creature)
    elif "SWARM" not in creature.own:
        before = creature.own.get(name, 0)
        creature.own[name] = before + 1 if name in REPEATED else max(before, x)


def hurt(table: Table, creature: Creature, n: int) -> tuple[int, int, int]:
    """RIFT-63, 97. n damage. Returns excess, Rage gained, and the damage that counted (`siphon_counts = effective`)."""
    shields = creature.clear("shield", n)
    room = maximum(table, creature) - creature.damage
    creature.add("damage", n - shields)
    excess = min(n - shields, max(0, n - shields - room))
    effective = max(0, min(n - shields, room))
    return excess, rage(table, creature, n), effective


def rage(table: Table, creature: Creature, n: int) -> int:
    """RIFT-97. RAGE after a damage event of n; returns the tokens gained."""
    x = x_of(table, creature, "RAGE") if n > 0 else 0
    if not x:
        return 0
    table.facts.acted(creature.owner, "RAGE")
    return creature.add("rage", x)


def resisted(table: Table, creature: Creature, n: int, magic: bool) -> int:
    """RIFT-102, 124. What is left of n damage."""
    if not has(table, creature, "RESISTANCE"):
        return n
    if n:
        table.facts.acted(*((1 - creature.owner, "MAGIC") if magic else (creature.owner, "RESISTANCE")))
    if magic:
        return n
    turn_up(creature)
    return n // 2


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
    """RIFT-37. How a creature can attack an enemy creature."""
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
    """RIFT-37. How a creature can attack the opponent."""
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
    if all(front_most(table, 1 - seat, k) is target and front_most(table, seat, k) is None for k in columns(table, target)):
        return Reach.CLEAR
    away = len(table.players[seat].rows) + table.place(target)[0] + 1
    return Reach.RANGE if weapon.card.abilities.get("RANGE", 0) >= away else Reach.NONE
