"""The kernels against the plain model: single Moves, Actions and Weapons from random positions, and whole games."""

from collections import Counter
from random import Random

import pytest

from sim.games.riftborn import GAME
from sim.games.riftborn.state import Aim, Harm, Phase
from tests.games.riftborn.kernel_bridge import WORDS, Kernels, Pair, differing_counts, differing_tables, set_up
from tests.games.riftborn.model.attack import ATTACK_PLAYER, creature_codes, use_creature, use_weapon, weapon_codes
from tests.games.riftborn.model.cards import Cards, read_cards
from tests.games.riftborn.model.effects import work_off
from tests.games.riftborn.model.state import ENEMY, PER_ROW, Asking, Table
from tests.games.riftborn.model.turn import CREATURE, WEAPON, Model, new_game
from tests.games.riftborn.random_documents import SWITCHES, random_game_document
from tests.games.riftborn.random_tables import card_set, equip, random_table

ATTACKING = 0.5  # share of creatures that attack if they can; the others do anything
WIELDED = 0.15  # share of positions in which a Weapon is used, if there is one

SITUATIONS = {  # what must come up among 10,000 exchanges, and how often at least
    "CREATURE": 7000,
    "attack": 4000,
    "swap": 1500,
    "other Action": 500,
    "Weapon": 300,
    "TARGET EFFECT": 80,
    "TARGET WEAPON": 150,
    "TARGET RETARGET": 20,
    "TARGET PASS": 10,
    "TRICK_FIRE": 150,
    "answer": 2000,
    "opportunity": 500,
    "death": 2000,
    "kill": 1000,
    "both fall": 150,
    "the end": 100,
    **dict.fromkeys((f"died of {harm.value}" for harm in Harm), 10),
    **dict.fromkeys((f"{word} acts" for word in ("UNDEATH", "SIPHON", "RELENTLESS", "RESISTANCE", "RAGE")), 100),
    "BLOCK acts": 100,
    "DOUBLE ATTACK acts": 100,
    "MAGIC acts": 20,
    "PIERCE acts": 5,
}


def choose(rng: Random, table: Table) -> tuple[int, Asking[None], list[int]]:
    """A creature or Weapon of the active player: its MAIN code, what it does in the model, and the codes that it has."""
    seat, player = table.active, table.players[table.active]
    if player.weapons and rng.random() < WIELDED:
        at = rng.randrange(len(player.weapons))
        return WEAPON + at, wield(table, at), weapon_codes(table, seat, player.weapons[at])
    creature = rng.choice(player.creatures)
    code = CREATURE + creature.row * PER_ROW + creature.index
    return code, use_creature(table, creature), creature_codes(table, creature)


def wield(table: Table, at: int) -> Asking[None]:
    """RIFT-52. A Weapon, and the tricks after it."""
    yield from use_weapon(table, table.active, table.players[table.active].weapons[at])
    yield from work_off(table)


def exchange(rng: Random, game: Kernels, cards: Cards, where: str) -> Counter[str]:
    """One exchange in both; what came up."""
    decks = rng.randrange(len(game.cards.ids)), rng.randrange(len(game.cards.ids))
    table = random_table(rng, cards, (game.cards.ids[decks[0]], game.cards.ids[decks[1]]))
    equip(rng, table)
    set_up(game, table, decks)
    code, does, codes = choose(rng, table)
    assert (code in game.codes) == bool(codes), f"{where}: whether {code} is open in {game.codes}"
    if not codes:
        return Counter()
    seen: Counter[str] = Counter()
    game.apply(code, resting=True)
    model = Model(table, lambda _: does)
    while (asked := model.pending) is not None:
        decision = (game.phase.name, game.aim.name, game.seat, game.codes)
        wanted = (asked.kind.name, asked.aim.name, asked.seat, asked.codes)
        assert decision == wanted, f"{where}: kernels ask {decision}, the model {wanted}"
        seen[f"TARGET {asked.aim.name}" if asked.aim.value else asked.kind.name] += 1
        taken = rng.choice(asked.codes)
        if asked.kind == Phase.CREATURE:
            attacks = [code for code in asked.codes if ENEMY <= code <= ATTACK_PLAYER]
            taken = rng.choice(attacks) if attacks and rng.random() < ATTACKING else taken
            seen["swap" if taken < ENEMY else "attack" if taken <= ATTACK_PLAYER else "other Action"] += 1
        model.apply(taken)
        game.apply(taken, resting=True)
    found = [*differing_tables(game, model), *differing_counts(game, table)]
    assert not found, f"{where}:\n" + "\n".join(found)
    return seen + came_up(table, code)


def came_up(table: Table, code: int) -> Counter[str]:
    """What an exchange was about."""
    facts = table.facts
    seen = Counter({f"{word} acts": 1 for times in facts.times for word in times})
    died = [harm for deaths in facts.deaths for harm in deaths]
    seen.update(f"died of {harm.value}" for harm in died)
    seen["death"] += bool(died)
    seen["both fall"] += all(facts.deaths)
    seen["kill"] += bool(sum(facts.kills))
    seen["Weapon"] += code >= WEAPON
    seen["answer"] += any(damage.get(Harm.ANSWER) for damage in facts.damage)
    seen["opportunity"] += any(damage.get(Harm.OPPORTUNITY) for damage in facts.damage)
    seen["the end"] += table.over
    return seen


def exchanges_alike(seed: int, wanted: int, card_sets: int) -> Counter[str]:
    """Play random exchanges in both; what came up."""
    rng, seen, number = Random(seed), Counter[str](), 0
    games = [(Kernels(kernels), model) for kernels, model in map(card_set, range(seed, seed + card_sets))]
    while seen["exchanges"] < wanted:
        number += 1
        assert number < 2 * wanted, "most positions leave nothing to do"
        game, cards = games[number % card_sets]
        came = exchange(rng, game, cards, f"exchange {number} of seed {seed}")
        seen += came
        seen["exchanges"] += bool(came)
    return seen


def test_kernels_and_model_agree_on_random_exchanges():
    exchanges_alike(7, 120, 4)


@pytest.mark.soak
def test_kernels_and_model_agree_on_exchanges_of_every_situation():
    seen = exchanges_alike(7, 10_000, 60)
    rare = {name: seen[name] for name, least in SITUATIONS.items() if seen[name] < least}
    assert not rare, f"situations that came up too rarely: {rare}"


def new_pair(seed: int) -> Pair:
    """A game of random cards and rules, dealt in both. seed: fixes all but the decisions."""
    rng = Random(seed)
    document = random_game_document(rng)
    cards = GAME.from_document(document)
    decks = rng.randrange(len(cards.ids)), rng.randrange(len(cards.ids))
    kernels = Kernels(cards)
    chance = kernels.deal(decks, seed)
    names = cards.ids[decks[0]], cards.ids[decks[1]]
    return Pair(kernels, new_game(read_cards(document), names, chance), f"game {seed}, {' against '.join(names)}")


def games_alike(first: int, games: int) -> Counter[str]:
    """Play random games in both; what came up."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + games):
        pair = new_pair(seed)
        pair.play(Random(seed))
        pair.compare_outcomes()
        seen += pair.seen
        table = pair.model.table
        seen["truncated" if not table.over else "drawn" if table.winner is None else "won"] += 1
        seen.update(f"{name}={getattr(table.rules, name)}" for name in SWITCHES)
    return seen


def test_kernels_and_model_play_random_games_alike():
    games_alike(1, 3)


@pytest.mark.soak
def test_kernels_and_model_play_games_of_every_situation_alike():
    seen = games_alike(1, 100)
    asked = [*(phase.name for phase in Phase if phase < Phase.OVER), *(f"TARGET {aim.name}" for aim in Aim if aim)]
    idle = {"AURA", "DORMANT", "HERO", "PACIFIST", "ROOTED", "SWARM"}  # only forbid, or always act
    wanted = [*asked, *(f"{word} acts" for word in WORDS if word not in idle), "truncated", "won"]
    wanted += [f"{name}={value}" for name, values in SWITCHES.items() for value in values]
    assert not [name for name in wanted if not seen[name]], "these did not come up"
