"""Bridge between the plain model and the compiled combat of Card Rogue: cards and positions in, results out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sim.engine.dice import DICE
from sim.engine.jit import Record
from sim.games.cardrogue import record as switches
from sim.games.cardrogue.exact.rolls import DUEL
from sim.games.cardrogue.exact.rolls import End as Ending
from sim.games.cardrogue.record import CARDS, POTION, Category, Effect, Slot
from sim.games.cardrogue.rules.basics import own_flee_faces
from sim.games.cardrogue.rules.combat import arm
from sim.games.cardrogue.state import NO_CARD, NO_FOE, STATE
from tests.games.cardrogue.model.cards import (
    ARTIFACTS,
    CHARACTERS,
    ENEMIES,
    FLEE_FACES,
    ITEMS,
    Artifact,
    Character,
    Item,
    Kind,
    Switches,
)
from tests.games.cardrogue.model.combat import End, Enemy, Fight, Player
from tests.games.cardrogue.model.duel import Plan

ENDS = {Ending.NOT_YET: End.STILL_IN, Ending.WON: End.CLEAR, Ending.DEAD: End.DEAD, Ending.FLED: End.AWAY}
SWITCHES = {
    "imp_dodge": switches.ImpDodge,
    "paralysis_in_combat": switches.ParalysisInCombat,
    "bard_six": switches.BardSix,
    "shield_scope": switches.ShieldScope,
    "enemy_restore": switches.EnemyRestore,
}
SEAT = 0


def bits(values: Iterable[int]) -> int:
    """A set of small numbers."""
    return sum(1 << value for value in values)


@dataclass(frozen=True)
class Cards:
    """The model's cards, and the same in a CARDS record."""

    characters: tuple[Character, ...] = tuple(CHARACTERS.values())
    kinds: tuple[Kind, ...] = tuple(ENEMIES.values())
    items: tuple[Item, ...] = tuple(ITEMS.values())
    artifacts: tuple[Artifact, ...] = tuple(ARTIFACTS.values())
    switches: Switches = field(default_factory=Switches)

    @cached_property
    def types(self) -> dict[Artifact | Kind | Item, int]:
        """Card type of everything that can be held or fought, numbered as in a file with one colour of potions."""
        return {card: POTION + 1 + at for at, card in enumerate((*self.artifacts, *self.kinds, *self.items))}

    @cached_property
    def record(self) -> np.void:
        """The fields of the CARDS record that combat reads."""
        line = np.zeros(1, CARDS)[0]
        line["flee_faces"] = bits(FLEE_FACES)
        for name, values in SWITCHES.items():
            line[name] = values[getattr(self.switches, name).upper()]
        line["artifacts"], line["first_artifact"] = len(self.artifacts), POTION + 1
        line["artifact_bits"] = bits(self.types[card] for card in self.artifacts)
        for at, character in enumerate(self.characters):
            self._character(line, at, character)
        for card in self.artifacts:
            for name in ("attack_mod", "max_health", "cursed"):
                line[name][self.types[card]] = getattr(card, name)
            line["category"][self.types[card]] = Category.ARTIFACT
        for kind in self.kinds:
            self._kind(line, self.types[kind], kind)
        for item in self.items:
            self._item(line, self.types[item], item)
        return line

    def _character(self, line: np.void, at: int, character: Character) -> None:
        line["own_max_health"][at], line["own_attack_mod"][at] = character.max_health, character.attack_mod
        line["own_damage_taken"][at] = character.damage_taken
        line["own_flee_faces"][at] = bits(character.flee_faces)
        line["no_flee_but_boss"][at] = "boss" in character.no_flee_except
        line["no_flee_but_no_chase"][at] = "no_chase" in character.no_flee_except
        offhand = [self.types[item] for item in self.items if item.name == character.offhand]
        line["offhand_type"][at] = offhand[0] if offhand else NO_CARD
        line["must_flee_faces"][at] = bits(character.must_flee_on)
        for name in ("rage_at_most", "rage", "no_flee", "offhand_mod", "discard_cursed"):
            line[name][at] = getattr(character, name)
        for name in ("sacrifice_at_most", "sacrifice_heal", "spell_cooldown", "spell_damage", "spell_heal"):
            line[name][at] = getattr(character, name)

    @staticmethod
    def _kind(line: np.void, card: int, kind: Kind) -> None:
        line["category"][card] = Category.ENEMY
        for name in ("health", "attack", "attack_die", "boss", "no_chase", "single_turn", "heal_each_turn"):
            line[name][card] = getattr(kind, name)
        line["dodge_faces"][card] = bits(kind.dodge_on)
        assert not (kind.poison_on and kind.paralyze_on), "the record has room for one of the two"
        if kind.poison_on or kind.paralyze_on:
            line["status_effect"][card] = Effect.POISON if kind.poison_on else Effect.PARALYZE
            line["status_faces"][card] = bits(kind.poison_on or kind.paralyze_on)
            line["status_turns"][card] = kind.poison_turns if kind.poison_on else kind.paralyze_turns

    @staticmethod
    def _item(line: np.void, card: int, item: Item) -> None:
        line["category"][card] = Category.WEAPON if "primary" in item.slots else Category.ARMOUR
        line["slots"][card] = bits(Slot[name.upper()] for name in item.slots)
        for name in ("attack_mod", "min_attack", "damage_taken"):
            line[name][card] = getattr(item, name)
        line["multiply"][card] = item.multiply if item.multiply != 1 else 0
        line["miss_faces"][card], line["block_faces"][card] = bits(item.miss_on), bits(item.block_on)
        line["reroll_faces"][card] = bits(item.reroll_on)
        line["reroll_dice"][card] = item.reroll_dice if item.reroll_on else 0
        line["item_flee_faces"][card] = bits(item.flee_faces)

    # positions

    def duel(self, player: Player, enemies: Sequence[Enemy], plan: Plan | None = None, begins: bool = True) -> np.void:
        """A DUEL record of a player among enemies; begins: the combat begins in this turn."""
        plan = plan or Plan()
        state = self._state(player)
        arm(state, self.record, SEAT)
        duel = np.zeros(1, DUEL)[0]
        duel["fight"] = state["fight"]
        duel["character"] = self.characters.index(player.character)
        duel["own_flee_faces"] = own_flee_faces(state, self.record, SEAT)
        duel["flee_at"], duel["drink_at"], duel["exit"] = plan.flee_at, plan.drink_at, plan.way_out
        duel["cooldown"], duel["potions"] = player.cooldown, player.healing_potions
        duel["begun"], duel["ending"] = not begins, Ending.NOT_YET
        fight = duel["fight"]
        fight["type"][:] = NO_FOE
        for place, enemy in enumerate(enemies):
            fight["type"][place] = self.types[enemy.kind]
            fight["foe_health"][place], fight["foe_mod"][place] = enemy.health, enemy.mod
            fight["foe_poison"][place] = enemy.poison if enemy.poisoned_by_him else 0
            fight["foe_paralysed"][place], fight["attacks"][place] = enemy.paralysed, enemy.attacks_him
        return duel

    def _state(self, player: Player) -> np.void:
        """A STATE record in which seat 0 is this player, wearing and holding all that it has."""
        state = np.zeros(1, STATE)[0]
        state["character"][:] = NO_CARD
        state["character"][SEAT] = self.characters.index(player.character)
        state["worn"][:] = NO_CARD
        for item in player.worn:
            for name in item.slots:
                state["worn"][SEAT, Slot[name.upper()]] = self.types[item]
        if player.offhand:
            state["worn"][SEAT, Slot.SECONDARY] = self.types[player.offhand]
        for artifact in player.artifacts:
            state["hand"][SEAT, self.types[artifact]] += 1
            state["held"][SEAT] |= np.uint64(1 << self.types[artifact])
        state["bonus"][SEAT] = player.scroll_bonus
        for name in ("health", "potion_mod", "poison", "antidote", "skip", "cooldown"):
            state[name][SEAT] = getattr(player, name)
        return state


class Core(Fight):
    """The model's combat turn without the map: no one leaves combat, and a death resets nothing."""

    def leave(self, restore_all: bool = False) -> None:
        """Enemies stay as they are; tests of whole games check what happens to them."""

    def die(self) -> None:
        """The dead player stays unchanged."""
        self.end = End.DEAD


def model_result(fight: Fight) -> dict[str, object]:
    """The result of a turn of the model, in the form of `read`."""
    player, enemies = fight.player, fight.enemies
    return {
        "end": fight.end,
        "player": (player.health, player.poison, player.antidote, player.skip, player.cooldown),
        "alive": [enemy.alive for enemy in enemies],
        "health": [enemy.health for enemy in enemies],
        "poison": [enemy.poison if enemy.poisoned_by_him else 0 for enemy in enemies],
        "paralysed": [enemy.paralysed for enemy in enemies],
        "blocked": {place for place in fight.blocked if place < len(enemies)},
        "dodged": fight.dodged,
    }


def read(duel: Record, enemies: int) -> dict[str, object]:
    """The result of a turn of the kernels. enemies: their number."""
    fight = duel["fight"]
    places = range(enemies)
    return {
        "end": ENDS[Ending(duel["ending"])],
        "player": (*(int(fight[name]) for name in ("health", "poison", "antidote", "skip")), int(duel["cooldown"])),
        "alive": [bool(fight["type"][place] != NO_FOE) for place in places],
        "health": [int(fight["foe_health"][place]) for place in places],
        "poison": [int(fight["foe_poison"][place]) for place in places],
        "paralysed": [int(fight["foe_paralysed"][place]) for place in places],
        "blocked": {place for place in places if fight["blocked"] >> place & 1},
        "dodged": bool(fight["dodged"]),
    }


def scripted(faces: Sequence[int]) -> np.void:
    """Dice that show these faces."""
    dice = np.zeros(1, DICE)[0]
    dice["scripted"] = len(faces)
    dice["script"][: len(faces)] = faces
    return dice
