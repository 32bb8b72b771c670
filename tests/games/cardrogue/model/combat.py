"""A plain-Python combat of Card Rogue, written rule by rule from the specification: it shares no code with the kernels.

One turn of one player among 1 to 4 enemies, without a map; duels to the end are in `duel.py`. Enemies stand in direction
order N, E, S, W and keep their place in the list when they die.
"""

from enum import StrEnum

from tests.games.cardrogue.model.cards import FLEE_FACES, Faces, Switches
from tests.games.cardrogue.model.dice import NO_ENEMY, TOTAL_MAX, Dice, Reading, Roll
from tests.games.cardrogue.model.people import Enemy, Player, copied, drink, throw

__all__ = ["FLEE", "End", "Enemy", "Fight", "Player", "combat_turn"]


class End(StrEnum):
    """What ended the combat turn."""

    STILL_IN = "still in combat"
    CLEAR = "no enemy left"
    AWAY = "fled"
    DEAD = "dead"


class StepOne:
    """A player among enemies in one turn. Works on copies of its arguments.

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
        """ROGUE-42, 43. How the dice of an attack on this enemy are read: all deadly totals are alike."""
        player = self.player
        watched = player.worn_faces("miss_on") | player.worn_faces("block_on") | player.character.must_flee_on
        deadly = (n for n in range(TOTAL_MAX) if self.damage_of(n) >= self.enemies[index].health)
        dice = max((item.reroll_dice for item in player.worn if item.reroll_on), default=0)
        return Reading(player.worn_faces("reroll_on"), dice, watched, next(deadly, TOTAL_MAX))

    def damage_of(self, total: int, faces: Faces = frozenset()) -> int:
        """ROGUE-44, 45. Damage of an attack with this total and these faces."""
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
        """ROGUE-08, 60, 93. Damage that an enemy cannot dodge; the player is the slayer."""
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
        """ROGUE-57. Faces on which a flight with a roll succeeds; None if fleeing is forbidden."""
        own = self.player.character.flee_faces | self.player.worn_faces("flee_faces")
        if not self.way_out:
            return None
        return (own or None) if self._banned() else FLEE_FACES | own

    def flight_is_free(self) -> bool:
        """ROGUE-53, 56, 57. Whether a flight needs no roll."""
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
        """ROGUE-57. Raises ValueError if fleeing is forbidden."""
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
        """ROGUE-58. The player moves away; the model has no map to arrive on."""
        self.leave(restore_all=self.switches.enemy_restore == "any_flight")
        self.end = End.AWAY

    def leave(self, restore_all: bool = False) -> None:
        """ROGUE-56, 59. The player leaves every combat."""
        for enemy in self.living():
            enemy.attacks_him = False
            if restore_all or enemy.others == 0:
                enemy.restore()


FLEE = -1  # the choice of step 1 that is no enemy


class Fight(StepOne):
    """A combat turn, whole or step by step: step 1, items and spells in its windows, the enemies' part, the end."""

    # the turn

    def start_of_turn(self) -> None:
        """ROGUE-21, 22, 95. Poison and cooldown."""
        self.player.feel_poison()
        self.player.cooldown = max(0, self.player.cooldown - 1)
        if self.player.health <= 0:
            self.die()

    def combat_turn(self, choice: int) -> None:
        """ROGUE-23, 41. choice: index of the enemy to attack, or FLEE; ignored in a skipped turn."""
        if self.player.skip > 0:
            self.player.skip -= 1
            self.cut_short()
            return
        if choice == FLEE:
            self.flee()
        else:
            self.attack(choice)
        if self.end is None:
            self.enemy_part()
        self.end_of_turn()

    def cut_short(self) -> None:
        """ROGUE-23, 32. The rest of a turn that is skipped or ends before the enemies' part."""
        if self.switches.paralysis_in_combat == "enemy_acts":
            self.enemy_part()
        self.end_of_turn()

    def end_of_turn(self) -> None:
        """ROGUE-54."""
        for enemy in self.living():
            if enemy.kind.single_turn:
                enemy.health = enemy.kind.health
        self.end = self.end or End.STILL_IN

    # items and spells

    def drink(self, effect: str) -> None:
        """ROGUE-88. Paralysis cuts the turn short: call `cut_short` then, or `end_of_turn` after the enemies' part."""
        drink(self.player, effect)

    def throw(self, effect: str, index: int) -> None:
        """ROGUE-89."""
        throw(self.enemies[index], effect)

    def cast_damage(self, index: int) -> None:
        """ROGUE-46, 95. Cannot be dodged."""
        self._cast()
        self.hurt(index, self.player.character.spell_damage)

    def _cast(self) -> None:
        if not self.player.character.spell_cooldown or self.player.cooldown:
            raise ValueError(f"cooldown={self.player.cooldown} of the {self.player.character.name}: no spell is ready")
        self.player.cooldown = self.player.character.spell_cooldown

    # the enemies' part

    def enemy_part(self) -> None:
        """ROGUE-48 to 50, 53, 55. Enemy poison, step 2, step 3."""
        self._enemy_poison()
        acting = [i for i, enemy in enumerate(self.enemies) if enemy.acts_freely and i not in self.blocked]
        if not self._abilities(acting):
            acting = []
        self._enemy_attacks(acting)
        if self.end is None:
            for enemy in self.living():
                if enemy.attacks_him and enemy.paralysed:
                    enemy.paralysed -= 1

    def _enemy_poison(self) -> None:
        """ROGUE-48."""
        for index, enemy in enumerate(self.enemies):
            if enemy.alive and enemy.poison and enemy.poisoned_by_him:
                enemy.poison -= 1
                self.hurt(index, 1)

    def _abilities(self, acting: list[int]) -> bool:
        """ROGUE-49, 51, 52. Step 2. False if the enemies lose the rest of the turn (SWITCH)."""
        for index in acting:
            enemy = self.enemies[index]
            kind = enemy.kind
            enemy.heal(kind.heal_each_turn)
            if kind.poison_on and self.dice.within(kind.poison_on, Roll.ABILITY, index):
                self.player.suffer_poison(kind.poison_turns)
            if kind.paralyze_on and self.dice.within(kind.paralyze_on, Roll.ABILITY, index):
                self.player.paralyse(kind.paralyze_turns)
                if self.switches.paralysis_in_combat == "turn_lost":
                    return False
        return True

    def _enemy_attacks(self, acting: list[int]) -> None:
        """ROGUE-50. Step 3; he dies at once."""
        for index in acting:
            enemy = self.enemies[index]
            kind = enemy.kind
            value = kind.attack_die * self.dice.face(Roll.ENEMY_ATTACK, index) if kind.attack_die else kind.attack
            self.player.health -= max(0, value + enemy.mod - self.player.armour)
            if self.player.health <= 0:
                self.die()
                return

    def die(self) -> None:
        """ROGUE-61. The player leaves combat; the model does not track its cards."""
        self.leave()
        self.player.reset()
        self.end = End.DEAD


def combat_turn(
    player: Player,
    enemies: list[Enemy] | tuple[Enemy, ...],
    choice: int,
    dice: Dice,
    *,
    way_out: bool = True,
    switches: Switches | None = None,
    begins: bool = False,
) -> Fight:
    """ROGUE-21, 41. A whole turn without items and spells; the fight it returns holds everything that changed.

    begins: the combat began within this turn, so the start of the turn is over.
    """
    fight = Fight(player, enemies, dice, way_out, switches)
    if not begins:
        fight.start_of_turn()
    if fight.end is None:
        fight.combat_turn(choice)
    return fight
