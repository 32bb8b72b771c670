"""Cards of the Card Rogue model: the reference set, written out by hand.

Only what combat needs. Cards are compared by identity, so that a position is quick to hash.
"""

from dataclasses import dataclass
from typing import Literal

Faces = frozenset[int]

NO_FACES: Faces = frozenset()
EVERY_FACE: Faces = frozenset(range(1, 7))
FLEE_FACES: Faces = frozenset({4, 5, 6})  # ROGUE-57
NEVER = -1  # a health at which nothing happens


@dataclass(frozen=True)
class Switches:
    """Rule rule variants that combat looks at."""

    imp_dodge: Literal["always", "not_lethal"] = "always"
    paralysis_in_combat: Literal["enemy_acts", "turn_lost"] = "enemy_acts"
    bard_six: Literal["flee_free", "flee_roll", "off"] = "flee_free"
    shield_scope: Literal["all", "attacked"] = "all"
    enemy_restore: Literal["last_leaves", "any_flight"] = "last_leaves"


@dataclass(frozen=True, eq=False)
class Character:
    """A character card: maximum health and traits."""

    name: str
    max_health: int = 10
    attack_mod: int = 0
    damage_taken: int = 0
    flee_faces: Faces = NO_FACES
    rage_at_most: int = NEVER
    rage: int = 0  # attack modifier at that health or less
    no_flee: bool = False
    no_flee_except: frozenset[str] = frozenset()  # of "boss", "no_chase"
    offhand: str = ""  # item that may go to the secondary slot
    offhand_mod: int = 0  # all that it does there
    discard_cursed: bool = False
    sacrifice_at_most: int = NEVER
    sacrifice_heal: int = 0
    spell_cooldown: int = 0  # turns; 0: casts no spells
    spell_damage: int = 0
    spell_heal: int = 0
    must_flee_on: Faces = NO_FACES


@dataclass(frozen=True, eq=False)
class Kind:
    """An enemy card."""

    name: str
    health: int
    attack: int = 0
    attack_die: int = 0  # if any, the attack is this times a die
    boss: bool = False
    no_chase: bool = False
    single_turn: bool = False
    heal_each_turn: int = 0
    poison_on: Faces = NO_FACES
    poison_turns: int = 0
    paralyze_on: Faces = NO_FACES
    paralyze_turns: int = 0
    dodge_on: Faces = NO_FACES


@dataclass(frozen=True, eq=False)
class Item:
    """A shop card that can be worn."""

    name: str
    slots: tuple[str, ...]
    attack_mod: int = 0
    min_attack: int = 0
    multiply: int = 1
    miss_on: Faces = NO_FACES
    reroll_on: Faces = NO_FACES
    reroll_dice: int = 2
    block_on: Faces = NO_FACES
    damage_taken: int = 0
    flee_faces: Faces = NO_FACES


@dataclass(frozen=True, eq=False)
class Artifact:
    """A card that works from the hand."""

    name: str
    attack_mod: int = 0
    max_health: int = 0
    cursed: bool = False


ROLL_HIGH: Faces = frozenset({4, 5, 6})
ONE: Faces = frozenset({1})
SIX: Faces = frozenset({6})

CHARACTERS = {
    character.name: character
    for character in (
        Character("warrior", max_health=12, rage_at_most=5, rage=1, no_flee=True, no_flee_except=frozenset({"boss", "no_chase"})),
        Character("rogue", offhand="dagger", offhand_mod=1),
        Character("cleric", discard_cursed=True, sacrifice_at_most=5, sacrifice_heal=1),
        Character("explorer"),
        Character("mage", max_health=8, spell_cooldown=3, spell_damage=2, spell_heal=2),
        Character("bard", must_flee_on=SIX),
    )
}

ENEMIES = {
    kind.name: kind
    for kind in (
        Kind("cave_bat", health=4, attack=1),
        Kind("sewer_rat", health=4, attack=1, poison_on=ROLL_HIGH, poison_turns=2),
        Kind("imp", health=8, attack=1, dodge_on=frozenset({5, 6})),
        Kind("vampire_bat", health=4, attack=2, heal_each_turn=2),
        Kind("goblin", health=8, attack=2),
        Kind("zombie", health=6, attack=2, no_chase=True, single_turn=True),
        Kind("kobold", health=6, attack=4),
        Kind("troll", health=10, attack=4, no_chase=True),
        Kind("basilisk_green", health=15, attack=5, boss=True, poison_on=ROLL_HIGH, poison_turns=4),
        Kind("basilisk_yellow", health=15, attack=5, boss=True, paralyze_on=ROLL_HIGH, paralyze_turns=1),
        Kind("golem", health=25, attack_die=2, boss=True, no_chase=True),
    )
}

ITEMS = {
    item.name: item
    for item in (
        Item("dagger", ("primary",), reroll_on=ONE),
        Item("sword", ("primary",), attack_mod=1),
        Item("battle_axe", ("primary",), min_attack=3),
        Item("maul", ("primary", "secondary"), multiply=2, miss_on=SIX),
        Item("shield", ("secondary",), block_on=ONE),
        Item("helm", ("head",), damage_taken=1),
        Item("chestplate", ("chest",), damage_taken=1),
        Item("boots", ("feet",), damage_taken=1),
        Item("vision_lens", ("head",)),
        Item("shadow_cape", ("chest",), flee_faces=frozenset({1, 2, 3})),
        Item("hasty_boots", ("feet",)),
    )
}

ARTIFACTS = {
    artifact.name: artifact
    for artifact in (
        Artifact("attack_plus", attack_mod=2),
        Artifact("attack_minus", attack_mod=-2, cursed=True),
        Artifact("health_plus", max_health=4),
        Artifact("health_minus", max_health=-3, cursed=True),
    )
}
