"""A plain-Python combat of Card Rogue, written rule by rule from the register: slow, obvious, sharing nothing with the
simulator. One turn of one player amid 1..4 enemies, without a map; the duel to the end is in model_duel.py.

Enemies stand in direction order N, E, S, W and keep their place in the list when they die.
"""

from tests.games.cardrogue.model_cards import Switches
from tests.games.cardrogue.model_dice import Dice, Roll
from tests.games.cardrogue.model_people import Enemy, Player, drink, throw
from tests.games.cardrogue.model_step_one import End, StepOne

__all__ = ["FLEE", "End", "Enemy", "Fight", "Player", "combat_turn"]

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
        """ROGUE-23, 41. choice: index of the enemy to attack, or FLEE; not looked at in a skipped turn."""
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

    def cast_heal(self) -> None:
        """ROGUE-95. The potion it costs is the caller's."""
        self._cast()
        self.player.heal(self.player.character.spell_heal)

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
        """ROGUE-49, 51, 52. Step 2. False when it costs the enemies the rest of the turn (SWITCH)."""
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
        """ROGUE-61. He leaves combat; his cards are the table's."""
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
