"""Row geometry in the kernels against the plain model: 10,000 random formations, all pairs of creatures."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.riftborn.rules.attack import behind, can_swap, has_enemy_beside, has_friend_beside, has_prey, is_rearmost
from sim.games.riftborn.rules.placement import (
    are_adjacent,
    distance,
    faces_player,
    in_contact,
    is_clear,
    is_flying,
    places_beside,
    reach,
    reach_player,
    weapon_reaches,
)
from sim.games.riftborn.state import ALL, CREATURES, NOBODY, WEAPONS, Reach, side_of
from tests.every_game.play import enough, shortened
from tests.games.riftborn.kernel_bridge import Kernels, differing, set_up
from tests.games.riftborn.model import placement
from tests.games.riftborn.model.cards import Cards
from tests.games.riftborn.model.effects import gaps_near
from tests.games.riftborn.model.placement import abilities, attack, has, maximum
from tests.games.riftborn.model.state import SEATS, Creature, Table
from tests.games.riftborn.random_tables import SIZES, card_set, equip, random_table

LAYOUTS = enough(shortened(10_000, 20), 150)
CARD_SETS = enough(shortened(24, 6), 4)
LARGE = ((5,), (3, 4), (5, 5, 5), (2, 5, 1), (4, 4), (1, 3, 5))  # row lengths
LARGE_SHARE = 0.02
MASKED = 0.5  # share of layouts in which most creatures gain STEALTH, FLIGHT or RANGE


class Survey(NamedTuple):
    """Results of the kernels for all creatures: pairs, each by itself, enemy Weapons, places beside them."""

    pairs: np.ndarray  # (ALL, ALL, 5)
    singles: np.ndarray  # (ALL, 7)
    weapons: np.ndarray  # (ALL, WEAPONS)
    places: np.ndarray  # (ALL, CREATURES)


def new_survey() -> Survey:
    """A survey of zeros."""
    return Survey(*(np.zeros((ALL, *shape), np.int64) for shape in ((ALL, 5), (7,), (WEAPONS,), (CREATURES,))))


@kernel
def survey(state: Record, cards: Record, g: int, pairs: np.ndarray, singles: np.ndarray) -> None:
    """How a creature stands to all others. pairs: (ALL, 5); singles: (7,); both overwritten."""
    pairs[:] = 0
    for other in range(ALL):
        h = np.int64(other)
        if state["card"][h] == NOBODY or h == g:
            continue
        pairs[h, 0] = distance(state, g, h)
        if side_of(g) == side_of(h):
            pairs[h, 1] = can_swap(state, g, h)
        else:
            pairs[h, 1] = are_adjacent(state, cards, g, h)
            pairs[h, 2] = reach(state, cards, g, h)
            pairs[h, 3] = in_contact(state, g, h)
            pairs[h, 4] = is_clear(state, cards, g, h)
    singles[0] = reach_player(state, cards, g)
    singles[1] = is_flying(state, g)
    singles[2] = faces_player(state, g)
    singles[3], singles[4] = behind(state, g)
    singles[5] = has_enemy_beside(state, cards, g) + 2 * has_friend_beside(state, g) + 4 * is_rearmost(state, g)
    singles[6] = has_prey(state, cards, g)


@kernel
def survey_places(state: Record, cards: Record, g: int, weapons: np.ndarray, places: np.ndarray) -> None:
    """Which enemy Weapons reach a creature, and where another would enter beside it. (WEAPONS,), (15,), overwritten."""
    side = side_of(g)
    for number in range(WEAPONS):
        card = np.int64(state["weapon"][1 - side, number])
        weapons[number] = card != NOBODY and weapon_reaches(state, cards, card, g)
    for place in range(CREATURES):
        places[place] = (places_beside(state, cards, side, g) >> np.uint64(place)) & np.uint64(1)


@kernel
def survey_all(state: Record, cards: Record, out: Survey) -> None:
    """The survey of every creature, overwritten."""
    for number in range(ALL):
        g = np.int64(number)
        if state["card"][g] != NOBODY:
            survey(state, cards, g, out.pairs[g], out.singles[g])
            survey_places(state, cards, g, out.weapons[g], out.places[g])


def kernels_say(game: Kernels, survey: Survey, there: list[int]) -> list[dict[str, Any]]:
    """What the kernels find. there: numbers of the creatures."""
    survey_all(game.state, game.cards.record[0], survey)
    strengths, powers = game.strengths(), game.abilities()
    pairs, singles, weapons, places = (part.tolist() for part in survey)
    return [
        {
            "Attack, maximum Health, abilities": [*strengths[g], powers[g]],
            "pairs": [pairs[g][h] for h in there if h != g],
            "reach of the player, flight, clear path to the player": singles[g][:3],
            "behind": singles[g][3:5],
            "beside, prey": singles[g][5:],
            "weapons": [number for number, reaches in enumerate(weapons[g]) if reaches],
            "places beside": [place for place, beside in enumerate(places[g]) if beside],
        }
        for g in there
    ]


def numbered(table: Table) -> dict[int, Creature]:
    """Creatures by their number in the kernels, as `set_up` gives it."""
    return {seat * CREATURES + number: one for seat in SEATS for number, one in enumerate(table.players[seat].creatures)}


def model_says(table: Table, creatures: dict[int, Creature]) -> list[dict[str, Any]]:
    """The same of the model. creatures: by their numbers in the kernels."""
    others = {g: [other for other in creatures.values() if other is not one] for g, one in creatures.items()}
    pairs = {g: [_pair(table, one, other) for other in others[g]] for g, one in creatures.items()}
    return [
        {
            "Attack, maximum Health, abilities": [attack(table, one), maximum(table, one), abilities(table, one)],
            "pairs": pairs[g],
            "reach of the player, flight, clear path to the player": [
                int(placement.reach_player(table, one)),
                int(placement.flies(table, one)),
                int(placement.clear_to_player(table, one)),
            ],
            "behind": _behind(table, one, creatures),
            "beside, prey": _beside(
                table, one, [pair for pair, other in zip(pairs[g], others[g], strict=True) if other.owner != one.owner]
            ),
            "weapons": [
                number
                for number, weapon in enumerate(table.players[1 - one.owner].weapons)
                if placement.weapon_reach(table, 1 - one.owner, weapon, one)
            ],
            "places beside": gaps_near(table, one),
        }
        for g, one in creatures.items()
    ]


def _pair(table: Table, one: Creature, other: Creature) -> list[int]:
    apart = placement.distance(table, one, other)
    if one.owner == other.owner:
        return [apart, int(apart == 1 and not has(table, other, "DORMANT")), 0, 0, 0]
    return [
        apart,
        int(placement.adjacent(table, one, other)),
        int(placement.reach(table, one, other)),
        int(placement.clear_by_halves(table, one, other)),
        int(placement.clear(table, one, other)),
    ]


def _behind(table: Table, one: Creature, creatures: dict[int, Creature]) -> list[int]:
    found = placement.behind(table, one)
    return ([g for g, other in creatures.items() if other in found] + [NOBODY, NOBODY])[:2]


def _beside(table: Table, one: Creature, enemies: list[list[int]]) -> list[int]:
    friends = bool(placement.adjacent_friends(table, one))
    rearmost = one.row == len(table.players[one.owner].rows) - 1
    prey = any(pair[2] for pair in enemies) or bool(placement.reach_player(table, one))
    return [any(pair[1] for pair in enemies) + 2 * friends + 4 * rearmost, int(prey)]


def lay_out(rng: Random, cards: Cards, names: tuple[str, str]) -> Table:
    """A random layout, mostly small; in half of them STEALTH and FLIGHT are frequent."""
    table = random_table(rng, cards, names, LARGE if rng.random() < LARGE_SHARE else SIZES)
    equip(rng, table)
    if rng.random() < MASKED:
        for creature in table.everybody():
            word = rng.choice(("", "STEALTH", "FLIGHT", "RANGE"))
            if word and "SWARM" not in creature.own:
                creature.own.setdefault(word, rng.randint(1, 4) if word == "RANGE" else 1)
            creature.face_down = creature.face_down or (word == "STEALTH" and rng.random() < 0.5)
    return table


def layouts_alike(seed: int, wanted: int) -> Counter[Reach]:
    """Random layouts; how creatures reached each other."""
    rng, seen, survey = Random(seed), Counter[Reach](), new_survey()
    games = [(Kernels(kernels), model) for kernels, model in map(card_set, range(seed, seed + CARD_SETS))]
    for number in range(wanted):
        game, cards = games[number % CARD_SETS]
        decks = rng.randrange(len(game.cards.ids)), rng.randrange(len(game.cards.ids))
        table = lay_out(rng, cards, (game.cards.ids[decks[0]], game.cards.ids[decks[1]]))
        set_up(game, table, decks)
        creatures = numbered(table)
        kernels, model = kernels_say(game, survey, [*creatures]), model_says(table, creatures)
        if kernels != model:
            raise AssertionError(f"layout {number} of seed {seed}:\n" + "\n".join(differing(kernels, model)))
        seen.update(Reach(pair[2]) for one in model for pair in one["pairs"])
    return seen


def test_kernels_and_model_agree_on_random_layouts():
    seen = layouts_alike(11, LAYOUTS)
    if LAYOUTS == 10_000:
        assert min(seen[reach] for reach in Reach) > LAYOUTS // 10, seen
