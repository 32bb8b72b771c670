"""The compiled combat core against the plain model: the same position, choice and dice, the same turn to the last number."""

from collections import Counter
from random import Random, SystemRandom

import pytest

from sim.games.cardrogue.cards import load, type_ids
from sim.games.cardrogue.exact.rolls import End as Ending
from sim.games.cardrogue.exact.rolls import combat_turn, start_turn
from tests.games.cardrogue.kernel_bridge import SEAT, Cards, Core, model_result, read, scripted
from tests.games.cardrogue.model.combat import FLEE, End
from tests.games.cardrogue.model.dice import DICE_MAX, Roll, Thrown
from tests.games.cardrogue.model.duel import Plan
from tests.games.cardrogue.model.random_fights import SWITCH_VALUES, random_cards, random_enemy, random_player

FIXED = 20_250_301
TURNS = 10_000
TURNS_PER_COMMIT = 800
TURNS_PER_TABLE = 40
FACES = 100  # of the dice of a turn: more are never thrown

# what must have come up among the turns, and how often at least
SITUATIONS = {
    "end still in combat": 3000,
    "end no enemy left": 600,
    "end dead": 1000,
    "end fled": 1000,
    "flight failed": 200,
    "dodged": 150,
    "not dodged though a die was thrown": 300,
    "blocked": 200,
    "slain two": 100,
    "slain by poison": 80,
    "skipped": 500,
    "poisoned at the start": 500,
    "dead before step 1": 80,
    "health from the antidote": 50,
    "healed by a kill": 100,
    "paralysed by an enemy": 100,
    "poisoned by an enemy": 200,
    "enemy healed": 100,
    "rerolls": 200,
    "all 64 dice": 10,
    "restored at the end of the turn": 500,
    "4 enemies": 2000,
    "target of others": 500,
}
SWITCH_LEAST = 1500  # turns with each value of each switch


class Watch:
    """Counts what happened in the turns of the model."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def turn(self, fight: Core, before: Core, log: list[tuple[Roll, int, int]]) -> None:
        """Count the events of a turn; before: the fight before it."""
        rolls = Counter(purpose for purpose, _, _ in log)
        player, was = fight.player, before.player
        self.seen[f"end {fight.end}"] += 1
        self.seen["flight failed"] += fight.flight is False
        self.seen["dodged"] += fight.dodged
        self.seen["not dodged though a die was thrown"] += rolls[Roll.DODGE] > 0 and not fight.dodged
        self.seen["blocked"] += bool(fight.blocked)
        self.seen["slain two"] += len(fight.slain) >= 2
        self.seen["slain by poison"] += bool(fight.slain) and rolls[Roll.ATTACK] == 0
        self.seen["skipped"] += was.skip > 0
        self.seen["poisoned at the start"] += was.poison > 0
        self.seen["dead before step 1"] += fight.end == End.DEAD and not log and was.health == 1 and was.poison > 0
        self.seen["health from the antidote"] += player.health > was.health and was.antidote > 0
        self.seen["healed by a kill"] += player.health > was.health and was.antidote == 0
        self.seen["paralysed by an enemy"] += player.skip > was.skip
        self.seen["poisoned by an enemy"] += player.poison > was.poison
        both = list(zip(fight.enemies, before.enemies, strict=True))
        self.seen["enemy healed"] += any(now.health > then.health and now.kind.heal_each_turn for now, then in both)
        self.seen["restored at the end of the turn"] += any(
            now.alive and now.health > then.health and now.kind.single_turn for now, then in both
        )
        self.seen["rerolls"] += rolls[Roll.ATTACK] > 1
        self.seen["all 64 dice"] += rolls[Roll.ATTACK] == DICE_MAX
        self.seen["4 enemies"] += len(both) == 4
        self.seen["target of others"] += any(not enemy.attacks_him for enemy in fight.enemies)


def turn_in_both(rng: Random, cards: Cards, watch: Watch, where: str) -> None:
    """One random turn of a random position in the model and in the kernels."""
    player = random_player(rng, cards)
    enemies = [random_enemy(rng, cards) for _ in range(rng.randint(1, 4))]
    begins, way_out = rng.random() < 0.5, rng.random() < 0.7
    faces = [rng.randint(1, 6) for _ in range(FACES)]
    if rng.random() < 0.02:  # the same face on and on
        faces = [rng.randint(1, 6)] * DICE_MAX + faces[DICE_MAX:]
    thrown = Thrown(faces)
    before = Core(player, enemies, thrown, way_out, cards.switches)
    fight = Core(player, enemies, thrown, way_out, cards.switches)
    duel, dice = cards.duel(player, enemies, Plan(way_out=way_out), begins=begins), scripted(faces)
    start_turn(duel)
    if not begins:
        fight.start_of_turn()
    choice = rng.randrange(len(enemies))
    if fight.flight_faces() is not None and rng.random() < 0.4:
        choice = FLEE
    if fight.end is None:
        fight.combat_turn(choice)
    if duel["ending"] == Ending.NOT_YET:
        combat_turn(duel, cards.record, choice, dice, SEAT)
    seen, wanted = read(duel, len(enemies)), model_result(fight)
    differing = {name: (seen[name], wanted[name]) for name in wanted if seen[name] != wanted[name]}
    assert not differing, f"{where}: kernel and model: {differing}; choice {choice}, {before.player}, {enemies}"
    assert dice["script_at"] == len(thrown.log), f"{where}: dice thrown"
    watch.turn(fight, before, thrown.log)


def random_turns(seed: int, wanted: int) -> Counter[str]:
    """Play random turns on random tables of cards; returns what came up."""
    rng, watch = Random(seed), Watch()
    for number in range(wanted):
        if number % TURNS_PER_TABLE == 0:
            cards = random_cards(rng)
        turn_in_both(rng, cards, watch, f"seed={seed}, turn {number}")
        for name in SWITCH_VALUES:
            watch.seen[f"{name}={getattr(cards.switches, name)}"] += 1
    return watch.seen


def test_kernels_and_model_agree_on_random_combat_turns():
    random_turns(FIXED, TURNS_PER_COMMIT)


@pytest.mark.soak
def test_kernels_and_model_agree_in_every_situation_and_with_every_switch():
    seen = random_turns(FIXED, TURNS)
    missing = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not missing, f"situations that came up too rarely: {missing}"
    switches = {f"{name}={value}" for name, values in SWITCH_VALUES.items() for value in values}
    rare = {name: seen[name] for name in switches if seen[name] < SWITCH_LEAST}
    assert not rare, f"switches that were set too rarely: {rare}"


@pytest.mark.soak
def test_kernels_and_model_agree_on_combat_turns_of_a_fresh_seed():
    random_turns(SystemRandom().randrange(2**32), TURNS)


COMBAT = {  # fields that combat reads, by what they belong to
    "characters": (
        *("own_max_health", "own_attack_mod", "own_damage_taken", "own_flee_faces", "rage_at_most", "rage", "no_flee"),
        *("no_flee_but_boss", "no_flee_but_no_chase", "offhand_mod", "discard_cursed", "sacrifice_at_most"),
        *("sacrifice_heal", "spell_cooldown", "spell_damage", "spell_heal", "must_flee_faces"),
    ),
    "types": (
        *("health", "attack", "attack_die", "boss", "no_chase", "single_turn", "heal_each_turn", "status_faces"),
        *("status_effect", "status_turns", "dodge_faces", "category", "slots", "attack_mod", "min_attack", "multiply"),
        *("miss_faces", "reroll_faces", "reroll_dice", "block_faces", "damage_taken", "item_flee_faces"),
        *("max_health", "cursed"),
    ),
}


@pytest.mark.parametrize("name", COMBAT["characters"])
def test_the_reference_characters_are_those_of_the_model(name):
    reference, model = load(), Cards()
    assert list(reference.ids) == [character.name for character in model.characters]
    assert reference.record[0][name][: len(reference.ids)].tolist() == model.record[name][: len(reference.ids)].tolist()


@pytest.mark.parametrize("name", COMBAT["types"])
def test_the_reference_cards_are_those_of_the_model(name):
    reference, model = load(), Cards()
    numbers = type_ids(reference)
    for card, number in model.types.items():
        assert reference.record[0][name][numbers.index(card.name)] == model.record[name][number], card.name
