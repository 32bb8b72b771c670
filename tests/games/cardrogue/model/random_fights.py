"""Random cards and positions for fights of Card Rogue, in the words of the plain model."""

from random import Random

from tests.games.cardrogue.kernel_bridge import Cards
from tests.games.cardrogue.model.cards import ARTIFACTS, NEVER, NO_FACES, Character, Faces, Item, Kind, Switches
from tests.games.cardrogue.model.combat import Enemy, Player

SWITCH_VALUES = {
    "imp_dodge": ["always", "not_lethal"],
    "paralysis_in_combat": ["enemy_acts", "turn_lost"],
    "bard_six": ["flee_free", "flee_roll", "off"],
    "shield_scope": ["all", "attacked"],
    "enemy_restore": ["last_leaves", "any_flight"],
}
ARMOUR_SLOTS = ("head", "chest", "feet", "secondary")
PRINTED = 0.5  # share of tables with the reference set


def faces(rng: Random, chance: float, most: int = 3) -> Faces:
    """Some faces with this chance, else none."""
    return frozenset(rng.sample(range(1, 7), rng.randint(1, most))) if rng.random() < chance else NO_FACES


def maybe(rng: Random, chance: float, low: int, high: int, other: int = 0) -> int:
    """A random number with this chance, else `other`."""
    return rng.randint(low, high) if rng.random() < chance else other


def random_cards(rng: Random) -> Cards:
    """A table of cards: the reference set or made-up ones, with any switches."""
    switches = Switches(**{name: rng.choice(values) for name, values in SWITCH_VALUES.items()})
    if rng.random() < PRINTED:
        return Cards(switches=switches)
    items = tuple(random_item(rng, number) for number in range(12))
    daggers = [item.name for item in items if item.slots == ("primary",)]
    characters = tuple(random_character(rng, number, rng.choice(["", *daggers])) for number in range(6))
    kinds = tuple(random_kind(rng, number) for number in range(8))
    return Cards(characters, kinds, items, tuple(ARTIFACTS.values()), switches)


def random_character(rng: Random, number: int, offhand: str) -> Character:
    """A character with some of all traits that matter in a fight."""
    casts = rng.random() < 0.3
    return Character(
        f"character_{number}",
        max_health=rng.randint(4, 14),
        attack_mod=maybe(rng, 0.2, -2, 2),
        damage_taken=maybe(rng, 0.2, 0, 2),
        flee_faces=faces(rng, 0.3),
        rage_at_most=maybe(rng, 0.4, 1, 8, NEVER),
        rage=rng.randint(-2, 3),
        no_flee=rng.random() < 0.4,
        no_flee_except=frozenset(rng.sample(["boss", "no_chase"], rng.randint(0, 2))),
        offhand=offhand,
        offhand_mod=rng.randint(-1, 2),
        discard_cursed=rng.random() < 0.2,
        sacrifice_at_most=maybe(rng, 0.3, 1, 8, NEVER),
        sacrifice_heal=rng.randint(0, 3),
        spell_cooldown=rng.randint(1, 3) if casts else 0,
        spell_damage=rng.randint(0, 3) if casts else 0,
        must_flee_on=faces(rng, 0.3, 2),
    )


def random_kind(rng: Random, number: int) -> Kind:
    """An enemy with some of all abilities."""
    poisons, paralyses = faces(rng, 0.4), NO_FACES
    if not poisons:
        paralyses = faces(rng, 0.4)
    die = maybe(rng, 0.3, 1, 3)
    return Kind(
        f"kind_{number}",
        health=rng.randint(1, 20),
        attack=0 if die else rng.randint(0, 6),
        attack_die=die,
        boss=rng.random() < 0.3,
        no_chase=rng.random() < 0.3,
        single_turn=rng.random() < 0.2,
        heal_each_turn=maybe(rng, 0.3, 1, 3),
        poison_on=poisons,
        poison_turns=rng.randint(1, 4),
        paralyze_on=paralyses,
        paralyze_turns=rng.randint(1, 2),
        dodge_on=faces(rng, 0.4),
    )


def random_item(rng: Random, number: int) -> Item:
    """A weapon or a piece of armour."""
    name = f"item_{number}"
    both = {"attack_mod": maybe(rng, 0.4, -2, 2), "block_on": faces(rng, 0.3, 2), "flee_faces": faces(rng, 0.2)}
    if rng.random() < 0.5:
        slots = (rng.choice(ARMOUR_SLOTS),)
        return Item(name, slots, damage_taken=maybe(rng, 0.5, 1, 2), **both)
    return Item(
        name,
        ("primary", "secondary") if rng.random() < 0.3 else ("primary",),
        min_attack=maybe(rng, 0.3, 1, 5),
        multiply=maybe(rng, 0.3, 2, 3, 1),
        miss_on=faces(rng, 0.3, 2),
        reroll_on=faces(rng, 0.4, 2),
        reroll_dice=rng.randint(1, 4),
        **both,
    )


def random_player(rng: Random, cards: Cards) -> Player:
    """A player with any health, equipment that fits, and any status."""
    character = rng.choice(cards.characters)
    worn: list[Item] = []
    for item in rng.sample(cards.items, rng.randint(0, 5)):
        if not any(set(item.slots) & set(other.slots) for other in worn):
            worn.append(item)
    offhand = next((item for item in cards.items if item.name == character.offhand), None)
    if any("secondary" in item.slots for item in worn) or rng.random() < 0.5:
        offhand = None
    player = Player(character, 0, tuple(worn), offhand, scroll_bonus=maybe(rng, 0.1, 2, 4))
    for artifact in rng.sample(cards.artifacts, maybe(rng, 0.3, 1, 2)):
        player.gain_artifact(artifact)
    player.health = rng.randint(1, max(1, player.max_health + maybe(rng, 0.1, 1, 4)))
    player.potion_mod = maybe(rng, 0.2, -3, 3)
    player.poison = maybe(rng, 0.3, 1, 4)
    player.antidote = 2 if player.poison and rng.random() < 0.3 else 0
    player.skip = maybe(rng, 0.1, 1, 2)
    player.cooldown = maybe(rng, 0.5, 0, 3)
    return player


def random_enemy(rng: Random, cards: Cards) -> Enemy:
    """An enemy in any state."""
    kind = rng.choice(cards.kinds)
    attacks = rng.random() < 0.8
    return Enemy(
        kind,
        health=rng.choice([kind.health, rng.randint(1, kind.health), rng.randint(1, min(3, kind.health))]),
        mod=maybe(rng, 0.1, -2, 2),
        poison=maybe(rng, 0.3, 1, 3),
        poisoned_by_him=rng.random() < 0.7,
        paralysed=maybe(rng, 0.15, 1, 2),
        attacks_him=attacks,
        others=maybe(rng, 0.3, 1, 3) if attacks else rng.randint(1, 3),
    )
