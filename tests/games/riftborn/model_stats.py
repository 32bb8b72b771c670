"""What a creature can do and how strong it is, in the Riftborn Tactics model. RIFT-60 to 63, 80, 93, 97, 108, 110."""

from collections.abc import Iterator

from tests.games.riftborn.model_cards import REPEATED, Ability, Aura
from tests.games.riftborn.model_geometry import distance
from tests.games.riftborn.model_state import Creature, Table


def auras(table: Table, creature: Creature) -> Iterator[Aura]:
    """RIFT-80. What the AURAs in whose reach it stands give. No AURA can give AURA or SWARM: only own ones count."""
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
    """RIFT-62. Maximum Health; may be 0 or less."""
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
    """Register 2.3, `grant`. The larger X stays, UNDEATH adds up; SWARM ends all else for good (RIFT-110)."""
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
