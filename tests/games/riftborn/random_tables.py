"""Random positions of the Riftborn Tactics model: formations with tokens, gained abilities, faces, states, tricks, equipment."""

from functools import cache
from random import Random

from sim.engine.cards import CardSet
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import Ability
from sim.games.riftborn.cards.schema import GRANTED, NUMBERED, word_of
from tests.games.riftborn.model.cards import TRICKS, Cards, read_cards
from tests.games.riftborn.model.placement import attack, give, is_deadly_hurt, maximum
from tests.games.riftborn.model.state import SEATS, Armour, Creature, Table, Weapon, laid_out
from tests.games.riftborn.random_documents import random_game_document

TURN = 4  # player turns finished, so that both have had two
SIZES = ((1,), (1,), (2,), (2,), (3,), (1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (1, 1, 1), (2, 1, 2))  # of small formations
OFTEN = (
    *(Ability.RELENTLESS, Ability.RESISTANCE, Ability.UNDEATH, Ability.DOUBLE_ATTACK, Ability.RAGE, Ability.BLOCK),
    *(Ability.PIERCE, Ability.SIPHON, Ability.VANGUARD, Ability.RANGE, Ability.FLIGHT, Ability.MAGIC, Ability.MORALE),
)
MOSTLY = 0.4  # share of creatures that are as printed but for damage


class InOrder:
    """Chance of a model that leaves libraries as they come; seat 0 goes first."""

    def library(self, _seat: int, cards: list[int], /) -> list[int]:
        """The cards as given."""
        return cards

    def coin(self) -> int:
        """The seat that goes first."""
        return 0


@cache
def card_set(seed: int) -> tuple[CardSet, Cards]:
    """Random cards and rules, for the kernels and for the model."""
    document = random_game_document(Random(seed))
    return GAME.from_document(document), read_cards(document)


def random_table(rng: Random, cards: Cards, names: tuple[str, str], sizes: tuple[tuple[int, ...], ...] = SIZES) -> Table:
    """A position in the main step of either player, without deadly hurt creatures. names: decks. sizes: possible row lengths."""
    table = laid_out(cards, names, InOrder())
    table.active, table.first, table.turn = rng.randrange(2), 0, TURN
    bodies = [card for card in cards.cards if card.is_creature]
    for seat in SEATS:
        lengths = [min(length, cards.rules.max_per_row) for length in rng.choice(sizes)][: cards.rules.max_rows]
        player = table.players[seat]
        for length in lengths:
            row = [Creature(card, seat, card) for card in rng.choices(bodies, k=length)]
            player.rows.append(row)
        table.form(seat)
        player.own_turns, player.life = 2, rng.choice((1, 3, 8, player.life))
        player.xp = rng.choice((0, 450, 2900))
        player.start_level = table.level(seat)
    for creature in table.everybody():
        _dress(rng, table, creature)
    _calm(table)
    return table


def equip(rng: Random, table: Table) -> None:
    """Weapons, Armours, TRICK cards and libraries for both players."""
    for seat in SEATS:
        player = table.players[seat]
        for card in table.cards.cards:
            if card.type == "weapon" and rng.random() < 0.3:
                player.weapons.append(Weapon(card, rng.randint(1, card.health)))
            elif card.type == "armour" and rng.random() < 0.2:
                player.armours.append(Armour(card, rng.randint(1, card.health)))
        player.tricks = {name for name in TRICKS[1:] if rng.random() < 0.4}
        player.library = rng.sample(player.deck, rng.choice((0, 1, 8)))
        player.discard = rng.sample(player.deck, rng.choice((0, 3)))


def _dress(rng: Random, table: Table, creature: Creature) -> None:
    """Tokens, abilities and states of a creature."""
    creature.morale = rng.choice((table.rules.morale_start, "attack", "health"))
    creature.face_down = "STEALTH" in creature.own and rng.random() < 0.6
    if creature.card.type == "token":
        creature.origin = rng.choice((None, creature.card, table.players[creature.owner].deck[0]))
        creature.origin = None if creature.origin is creature.card else creature.origin
    creature.damage = rng.choice((0, 0, 1, 2, 5))
    if rng.random() < MOSTLY:
        return
    for kind in ("rage", "health", "shield", "weakness", "decay", "ready"):
        setattr(creature, kind, rng.choice((0, 0, 1, 3)))
    for _ in range(rng.choice((0, 1, 2))):
        ability = rng.choice((*OFTEN, *sorted(GRANTED - {Ability.SWARM})))
        if "SWARM" not in creature.own:
            x = rng.randint(1, 4) if ability in NUMBERED else 1
            creature.own[word_of(ability)] = max(x, creature.own.get(word_of(ability), 0))
    if "SWARM" not in creature.own and rng.random() < 0.05:
        give(table, creature, ("SWARM", 2))
    creature.entered, creature.acted = rng.random() < 0.2, rng.random() < 0.1
    creature.swaps, creature.charm, creature.pacify = (rng.choice((0, 0, 0, 1)) for _ in range(3))
    if creature.owner == table.active:
        creature.charm *= rng.choice((1, 2, 3))
        creature.pacify *= rng.choice((1, 2, 3))


def _calm(table: Table) -> None:
    """Nobody is left deadly hurt: less damage, or more Health."""
    while doomed := [one for one in table.everybody() if is_deadly_hurt(table, one)]:
        for creature in doomed:
            creature.damage = max(0, maximum(table, creature) - 1)
            creature.health += max(0, 1 - maximum(table, creature))
    assert all(attack(table, creature) >= 0 for creature in table.everybody())
