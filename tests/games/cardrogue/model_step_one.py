"""Step 1 of the combat turn of the Card Rogue model: attack and flight, and what ends a combat."""

from enum import StrEnum

from tests.games.cardrogue.model_cards import FLEE_FACES, Faces, Switches
from tests.games.cardrogue.model_dice import NO_ENEMY, TOTAL_MAX, Dice, Reading, Roll
from tests.games.cardrogue.model_people import Enemy, Player, copied


class End(StrEnum):
    """What ended the combat turn."""

    STILL_IN = "still in combat"
    CLEAR = "no enemy left"
    AWAY = "fled"
    DEAD = "dead"


class StepOne:
    """A player amid his enemies in one turn. Works on copies of what it is given.

    way_out: whether a free adjacent face-up cell exists. `end` is None until the turn in combat is over.
    """

    def __init__(
        self,
        player: Player,
        enemies: list[Enemy] | tuple[Enemy, ...],
        dice: Dice,
        way_out: bool = True,
        switches: Switches | None = None,
    ) -> None:
        self.player, self.enemies = copied(player, enemies)
        self.dice = dice
        self.way_out = way_out
        self.switches = switches or Switches()
        self.end: End | None = None
        self.slain: list[int] = []  # enemies, in the order in which they died
        self.blocked: set[int] = set()  # enemies that a block stops in this turn
        self.damage: int | None = None  # of the attack of step 1; None: there was none
        self.dodged = False
        self.flight: bool | None = None  # whether the attempt succeeded; None: there was none

    def living(self) -> list[Enemy]:
        """Enemies that he is in combat with."""
        return [enemy for enemy in self.enemies if enemy.alive]

    # step 1

    def attack(self, index: int) -> None:
        """ROGUE-41 to 47, 96. `damage` is what the attack did; followed dice end it at the enemy's health."""
        thrown = self.dice.attack(self.reading(index), index)
        damage = self.damage_of(thrown.total, thrown.faces)
        self._block(index, thrown.faces)
        self.dodged = self._dodges(index, damage)
        self.damage = 0 if self.dodged else damage
        self.hurt(index, self.damage)
        if self.end is None and thrown.faces & self.player.character.must_flee_on:
            self._must_flee()

    def reading(self, index: int) -> Reading:
        """ROGUE-42, 43. How his attack on this enemy reads its dice: totals beyond the deadly ones are all alike."""
        player = self.player
        watched = player.worn_faces("miss_on") | player.worn_faces("block_on") | player.character.must_flee_on
        deadly = (n for n in range(TOTAL_MAX) if self.damage_of(n) >= self.enemies[index].health)
        dice = max((item.reroll_dice for item in player.worn if item.reroll_on), default=0)
        return Reading(player.worn_faces("reroll_on"), dice, watched, next(deadly, TOTAL_MAX))

    def damage_of(self, total: int, faces: Faces = frozenset()) -> int:
        """ROGUE-44, 45. Damage of an attack with this total in which these faces showed up."""
        worn = self.player.worn
        if faces & self.player.worn_faces("miss_on"):
            return 0
        least = max((item.min_attack for item in worn), default=0)
        damage = max(total, least) if least else total
        for item in worn:
            damage *= item.multiply
        damage += self.player.attack_mod
        damage = max(damage, least) if least else damage
        return max(damage, 0)

    def _block(self, index: int, faces: Faces) -> None:
        """ROGUE-45."""
        if faces & self.player.worn_faces("block_on"):
            self.blocked = set(range(len(self.enemies))) if self.switches.shield_scope == "all" else {index}

    def _dodges(self, index: int, damage: int) -> bool:
        """ROGUE-46."""
        enemy = self.enemies[index]
        if not enemy.kind.dodge_on or not enemy.acts_freely or index in self.blocked:
            return False
        if self.switches.imp_dodge == "not_lethal" and damage >= enemy.health:
            return False
        return self.dice.within(enemy.kind.dodge_on, Roll.DODGE, index)

    def hurt(self, index: int, damage: int) -> None:
        """ROGUE-08, 60, 93. Damage that an enemy cannot escape; he is the slayer."""
        enemy = self.enemies[index]
        enemy.health -= damage
        if enemy.alive:
            return
        self.slain.append(index)
        if self.player.health <= self.player.character.sacrifice_at_most:
            self.player.heal(self.player.character.sacrifice_heal)
        if not self.living():
            self.end = End.CLEAR

    # flight

    def flight_faces(self) -> Faces | None:
        """ROGUE-57. Faces on which a flight succeeds where a die is thrown; None if it is forbidden."""
        own = self.player.character.flee_faces | self.player.worn_faces("flee_faces")
        if not self.way_out:
            return None
        return (own or None) if self._banned() else FLEE_FACES | own

    def flight_is_free(self) -> bool:
        """ROGUE-53, 56, 57. Whether a flight takes no die."""
        hunted = any(enemy.acts_freely and not enemy.kind.no_chase for enemy in self.living())
        return self.way_out and not hunted and not self._banned()

    def _banned(self) -> bool:
        """ROGUE-57, 91. Whether `no_flee` stands."""
        character = self.player.character
        lifted = any(
            (enemy.kind.boss and "boss" in character.no_flee_except)
            or (enemy.kind.no_chase and "no_chase" in character.no_flee_except)
            for enemy in self.living()
        )
        return character.no_flee and not lifted

    def flee(self) -> None:
        """ROGUE-57. Raises ValueError where fleeing is forbidden."""
        faces = self.flight_faces()
        if faces is None:
            raise ValueError(f"the {self.player.character.name} cannot flee here")
        self.flight = self.flight_is_free() or self.dice.within(faces, Roll.FLEE, NO_ENEMY)
        if self.flight:
            self._get_away()

    def _must_flee(self) -> None:
        """ROGUE-96. Without a roll and without a ban, or by a flee roll, as switched."""
        rule = self.switches.bard_six
        if rule == "flee_roll" and self.flight_faces() is not None:
            self.flee()
        elif rule == "flee_free" and self.way_out:
            self.flight = True
            self._get_away()

    def _get_away(self) -> None:
        """ROGUE-58. He moves away; what he meets there is the map's."""
        self.leave(restore_all=self.switches.enemy_restore == "any_flight")
        self.end = End.AWAY

    def leave(self, restore_all: bool = False) -> None:
        """ROGUE-56, 59. He is in combat with nobody any more."""
        for enemy in self.living():
            enemy.attacks_him = False
            if restore_all or enemy.others == 0:
                enemy.restore()
