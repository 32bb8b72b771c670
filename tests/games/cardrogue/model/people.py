"""Players and enemies of the Card Rogue model: what they carry and suffer, and the rules of health.

Positions are plain values that can be dictionary keys; a function that changes one works on a copy.
"""

from dataclasses import dataclass, replace
from typing import Any

from tests.games.cardrogue.model.cards import ARTIFACTS, CHARACTERS, ENEMIES, ITEMS, Artifact, Character, Faces, Item, Kind


@dataclass(unsafe_hash=True)
class Player:
    """One player, with everything that matters in combat."""

    character: Character
    health: int
    worn: tuple[Item, ...] = ()  # in the slots that the cards name
    offhand: Item | None = None  # ROGUE-92. In the secondary slot, where it gives only the character's modifier
    artifacts: tuple[Artifact, ...] = ()  # in hand
    scroll_bonus: int = 0  # maximum health read since the last death
    potion_mod: int = 0  # attack modifier drunk since the last death
    poison: int = 0  # turns to come
    antidote: int = 0  # health that a turn of poison gives instead; 0: not active
    skip: int = 0  # turns to be skipped
    cooldown: int = 0  # turns until the next spell
    healing_potions: int = 0  # known ones in hand

    @classmethod
    def of(cls, character: str, health: int | None = None, worn: str = "", artifacts: str = "", **other: Any) -> "Player":
        """By names: `Player.of("rogue", 7, worn="sword helm", offhand="dagger", poison=2)`; full health by default."""
        card = CHARACTERS[character]
        if other.get("offhand"):
            other["offhand"] = ITEMS[other["offhand"]]
        items = tuple(ITEMS[name] for name in worn.split())
        held = tuple(ARTIFACTS[name] for name in artifacts.split())
        player = cls(card, 0, items, artifacts=held, **other)
        player.health = player.max_health if health is None else health
        return player

    # what he is worth

    @property
    def max_health(self) -> int:
        """ROGUE-07."""
        return self.character.max_health + self.scroll_bonus + sum(card.max_health for card in self.artifacts)

    @property
    def attack_mod(self) -> int:
        """ROGUE-07, 91, 92. Added to an attack made at this moment."""
        raging = self.health <= self.character.rage_at_most
        return (
            self.character.attack_mod
            + self.potion_mod
            + sum(card.attack_mod for card in self.artifacts)
            + sum(item.attack_mod for item in self.worn)
            + (self.character.offhand_mod if self.offhand else 0)
            + (self.character.rage if raging else 0)
        )

    @property
    def armour(self) -> int:
        """ROGUE-82. Reduction of each attack."""
        return self.character.damage_taken + sum(item.damage_taken for item in self.worn)

    def worn_faces(self, effect: str) -> Faces:
        """Faces of one effect of all that he wears: miss_on, reroll_on, block_on or flee_faces."""
        return frozenset(face for item in self.worn for face in getattr(item, effect))

    # what happens to him

    def heal(self, health: int) -> None:
        """ROGUE-08. Up to the maximum; nothing at or above it."""
        self.health = max(self.health, min(self.health + health, self.max_health))

    def suffer_poison(self, turns: int) -> None:
        """ROGUE-51. The larger counter stays."""
        self.poison = max(self.poison, turns)

    def paralyse(self, turns: int) -> None:
        """ROGUE-52."""
        self.skip = max(self.skip, turns)

    def feel_poison(self) -> None:
        """ROGUE-22. At the start of each of his turns."""
        if self.poison == 0:
            return
        if self.antidote:
            self.heal(self.antidote)
        else:
            self.health -= 1
        self.poison -= 1
        if self.poison == 0:
            self.antidote = 0

    def gain_artifact(self, artifact: Artifact) -> None:
        """ROGUE-07, 84, 93. Raising the maximum adds health too; lowering it does not take health."""
        if artifact.cursed and self.character.discard_cursed:
            return
        self.artifacts += (artifact,)
        self.health += max(0, artifact.max_health)

    def reset(self) -> None:
        """ROGUE-61. Reset what a death ends; cards and points are not modelled."""
        self.scroll_bonus = self.potion_mod = 0
        self.poison = self.antidote = self.skip = self.cooldown = 0


@dataclass(unsafe_hash=True)
class Enemy:
    """One enemy that the player is in combat with."""

    kind: Kind
    health: int
    mod: int = 0  # strength and weakness thrown at it
    poison: int = 0  # turns to come
    poisoned_by_him: bool = True  # whether the player of this turn threw the poison
    paralysed: int = 0
    attacks_him: bool = True  # ROGUE-56. Whether the player of this turn is first in its order of entry
    others: int = 0  # other players in its order of entry

    @classmethod
    def of(cls, name: str, health: int | None = None, **other: Any) -> "Enemy":
        """By name; full health by default."""
        kind = ENEMIES[name]
        return cls(kind, kind.health if health is None else health, **other)

    @property
    def alive(self) -> bool:
        """ROGUE-08."""
        return self.health > 0

    @property
    def acts_freely(self) -> bool:
        """ROGUE-53, 56. Whether it dodges, pursues and acts, unless blocked."""
        return self.alive and self.attacks_him and self.paralysed == 0

    def heal(self, health: int) -> None:
        """ROGUE-49. Up to the maximum."""
        self.health = max(self.health, min(self.health + health, self.kind.health))

    def restore(self) -> None:
        """ROGUE-59. Strength and weakness stay."""
        self.health = self.kind.health
        self.poison = self.paralysed = 0


def drink(player: Player, effect: str) -> None:
    """ROGUE-88. healing, poison, strength, weakness or paralysis; teleportation is a matter of the map.

    Also the effect of a potion thrown at the player. Paralysis drunk in the player's own turn cuts it short.
    """
    match effect:
        case "healing":
            player.heal(player.max_health)
        case "poison":
            player.suffer_poison(3)
        case "strength":
            player.potion_mod += 1
        case "weakness":
            player.potion_mod -= 1
        case "paralysis":
            player.paralyse(1)
        case _:
            raise ValueError(f"effect={effect!r} must be healing, poison, strength, weakness or paralysis")


def throw(enemy: Enemy, effect: str) -> None:
    """ROGUE-89. Effect of a potion thrown by the active player; the names of effects as in `drink`."""
    match effect:
        case "healing":
            enemy.heal(enemy.kind.health)
        case "poison":
            if enemy.poison <= 3:  # the new poison counts unless it is the lesser one
                enemy.poison, enemy.poisoned_by_him = 3, True
        case "strength":
            enemy.mod += 1
        case "weakness":
            enemy.mod -= 1
        case "paralysis":
            enemy.paralysed = max(enemy.paralysed, 1)
        case _:
            raise ValueError(f"effect={effect!r} must be healing, poison, strength, weakness or paralysis")


def copied(player: Player, enemies: list[Enemy] | tuple[Enemy, ...]) -> tuple[Player, list[Enemy]]:
    """A player and his enemies that can be changed."""
    return replace(player), [replace(enemy) for enemy in enemies]
