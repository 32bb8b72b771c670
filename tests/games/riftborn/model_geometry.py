"""Who stands where, next to whom and in whose way, in the Riftborn Tactics model. RIFT-31 to 36, 65."""

from tests.games.riftborn.model_state import Creature, Table


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
    """RIFT-34. Neighbours on the own side."""
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
    return any(
        front_most(table, one.owner, k) is one and front_most(table, other.owner, k) is other
        for k in columns(table, one)
    )


def clear_to_nearest(table: Table, one: Creature, other: Creature) -> bool:
    """RIFT-35 with `clear_path = nearest` (register section 4)."""
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
    """RIFT-65. Creatures on which the rest of a blow may fall: one, two, or none."""
    for row in table.players[hurt.owner].rows[table.place(hurt)[0] + 1 :]:
        overlapping = [one for one in row if aside(table, one, hurt) < 2]
        if overlapping:
            return overlapping
    return []
