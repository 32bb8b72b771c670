"""Odds of duels against the plain model's fractions, and duels as fought against their odds."""

from math import sqrt
from random import Random

import numpy as np
import pytest

from analysis.stats.markov import DuelOdds, solve
from sim.engine.duels import DuelRequest, Fights, arrange
from sim.engine.jit import COMPILED
from sim.games.cardrogue.cards import load, type_ids
from sim.games.cardrogue.exact import chain
from sim.games.cardrogue.exact.chain import attack_odds, chain_of
from sim.games.cardrogue.exact.duels import DUELS, duel_of, sample
from sim.games.cardrogue.exact.rolls import ENDINGS, TURNS_MAX, Sign
from tests.every_game.play import enough
from tests.games.cardrogue.kernel_bridge import Cards
from tests.games.cardrogue.model import Enemy, Player
from tests.games.cardrogue.model_cards import CHARACTERS, ENEMIES
from tests.games.cardrogue.model_dice import Reading, attack_chances
from tests.games.cardrogue.model_duel import Duel, How, Plan
from tests.games.cardrogue.random_fights import random_cards, random_enemy, random_player

CARDS = load()
IDS = type_ids(CARDS)
SEED = 20_250_303
EXACT = 1e-12
STANDARD_ERRORS = 4
FOUGHT = enough(1_000_000, 100)
WON, DEAD, FLED = range(3)
EVERYTHING = DuelRequest(
    "mage", ("sewer_rat", "imp", "vampire_bat", "zombie"), ("dagger", "shield"), potions=2, drink_at=3
)
WAYS = {How.WON: WON, How.DEAD: DEAD, How.FLED: FLED}


# exact odds against the model's fractions


def agree(cards: Cards, player: Player, enemies: list, plan: Plan) -> str:
    """The chain and the model's fractions say the same of a duel, or both that it may be endless. Returns what they say."""
    model = Duel(player, enemies, plan, cards.switches)
    expected = model.outcomes()
    start = cards.duel(player, enemies, plan)
    if any(outcome.how == How.ENDLESS for outcome in expected):
        with pytest.raises(ValueError, match="for ever"):
            solve(chain_of(start, cards.record))
        return "endless"
    found = solve(chain_of(start, cards.record))
    said = {
        (ending, left): float(found.chance[ending]) * chance
        for ending in (WON, DEAD, FLED)
        for left, chance in found.left[ending].items()
    }
    wanted = {(WAYS[outcome.how], outcome.health): float(chance) for outcome, chance in expected.items()}
    assert said == pytest.approx(wanted, abs=EXACT)
    by_turn = [float(sum(ended.values())) for ended in model.by_turn(5)]
    shown = [*found.turns[:5], *[0.0] * 5][: len(by_turn)]
    assert shown == pytest.approx(by_turn, abs=EXACT)
    return "decided"


def test_the_chain_is_that_of_the_model_in_80_random_duels():
    rng = Random(SEED)
    said = []
    for number in range(80):
        cards = random_cards(rng)
        player = random_player(rng, cards)
        player.health = min(player.health, 6)
        player.healing_potions = int(rng.random() < 0.3)
        enemies = [random_enemy(rng, cards) for _ in range(rng.choice([1, 1, 1, 2]))]
        for enemy in enemies:
            enemy.attacks_him, enemy.health = True, min(enemy.health, 8)
        plan = Plan(flee_at=rng.choice([0, 2, 5]), drink_at=rng.choice([1, 3]), way_out=number % 2 == 0)
        said.append(agree(cards, player, enemies, plan))
    assert said.count("decided") >= 60


@pytest.mark.parametrize("worn", ["dagger", "maul", "dagger shield", "battle_axe helm"])
def test_rogue_42_43_chances_of_throws_are_those_of_the_model(worn):
    player, cards = Player.of("bard", worn=worn), Cards()
    duel = cards.duel(player, [Enemy.of("golem")])
    found, _ = attack_odds(duel, cards.record)
    meant = {
        Sign.MISS: player.worn_faces("miss_on"),
        Sign.BLOCK: player.worn_faces("block_on"),
        Sign.FLEE: player.character.must_flee_on,
    }
    reading = Reading(player.worn_faces("reroll_on"), 2, frozenset().union(*meant.values()), found.shape[1] - 1)
    expected = np.zeros(found.shape)
    for throw, chance in attack_chances(reading).items():
        sign = sum(sign for sign, faces in meant.items() if faces & throw.faces)
        expected[sign, throw.total] += float(chance)
    assert found == pytest.approx(expected, abs=EXACT)


def test_a_chain_of_many_situations_grows_into_more_room(monkeypatch):
    duel = arrange(DUELS, CARDS, DuelRequest("mage", ("sewer_rat", "imp"), ("shield",), potions=1, drink_at=4))
    at_once = duel.chain()
    monkeypatch.setattr(chain, "SIZE", 2)
    grown = duel.chain()
    assert at_once.states > 2 * chain.GROWTH
    for field in ("source", "target", "chance", "ending", "left"):
        assert (getattr(grown, field) == getattr(at_once, field)).all()
    monkeypatch.setattr(chain, "SIZE_MAX", 16)
    with pytest.raises(ValueError, match="more than 16 situations"):
        duel.chain()


# as fought


def within(odds: DuelOdds, fought: Fights, what: str) -> None:
    """Every ending, every amount left with it, and the mean of the turns lie within the standard errors."""
    n = len(fought.ending)
    for ending, name in enumerate(ENDINGS):
        counts = np.bincount(fought.left[fought.ending == ending], minlength=1)
        assert counts.sum() == counts[[left for left in odds.left[ending] if left < len(counts)]].sum(), what
        shares = {left: float(odds.chance[ending]) * chance for left, chance in odds.left[ending].items()}
        for left, chance in {None: float(odds.chance[ending]), **shares}.items():
            count = counts.sum() if left is None else counts[left] if left < len(counts) else 0
            close = STANDARD_ERRORS * sqrt(max(0.0, chance * (1 - chance)) * n)
            assert abs(count - n * chance) <= max(close, STANDARD_ERRORS), f"{what}: {name}, {left} left"
    assert abs(fought.turns.mean() - odds.mean_turns) <= STANDARD_ERRORS * odds.sd_turns / sqrt(n) + EXACT, what


@pytest.mark.parametrize("character", CHARACTERS)
def test_rogue_41_a_million_duels_with_every_enemy_are_within_4_standard_errors(character):
    for enemy in ENEMIES:
        duel = arrange(DUELS, CARDS, DuelRequest(character, (enemy,)))
        within(solve(duel.chain()), duel.sample(FOUGHT, SEED), duel.title)


@pytest.mark.parametrize(
    "request_",
    [
        EVERYTHING,
        DuelRequest("warrior", ("goblin", "troll"), ("shadow_cape", "sword"), flee_at=6),
        DuelRequest("bard", ("golem",), ("maul", "helm", "boots"), flee_at=4),
        DuelRequest("rogue", ("basilisk_yellow",), ("dagger", "dagger", "chestplate")),
        DuelRequest("cleric", ("cave_bat",) * 4, ("battle_axe", "attack_plus", "health_plus")),
    ],
    ids=lambda request: request.fighter,
)
def test_duels_with_plans_and_gear_are_within_4_standard_errors(request_):
    duel = arrange(DUELS, CARDS, request_)
    within(solve(duel.chain()), duel.sample(enough(300_000, 100), SEED), duel.title)


def test_a_duel_that_nobody_can_end_is_stopped_and_has_no_odds():
    start = duel_of(CARDS, CARDS.ids.index("explorer"), [IDS.index("helm")], [IDS.index("cave_bat")])
    start["fight"]["mod"] = -6
    fought = sample(start, CARDS.record[0], 3, SEED)
    assert fought.ending.tolist() == [-1] * 3
    assert fought.turns.tolist() == [TURNS_MAX] * 3
    with pytest.raises(ValueError, match="for ever"):
        solve(chain_of(start, CARDS.record[0]))


def test_the_same_seed_fights_the_same_duels():
    duel = arrange(DUELS, CARDS, DuelRequest("cleric", ("troll",)))
    one, again, other = (duel.sample(1000, seed) for seed in (1, 1, 2))
    assert (one.left == again.left).all()
    assert (one.turns == again.turns).all()
    assert not (one.left == other.left).all()


PLAIN = """
from sim.engine.duels import arrange
from tests.games.cardrogue.test_duel_odds import CARDS, DUELS, EVERYTHING
fought = arrange(DUELS, CARDS, EVERYTHING).sample(200, 5)
print(list(zip(fought.ending.tolist(), fought.left.tolist(), fought.turns.tolist())))
"""


@pytest.mark.skipif(not COMPILED, reason="the compiler is off")
def test_compiled_and_uncompiled_fight_the_same_duels(python):
    fought = arrange(DUELS, CARDS, EVERYTHING).sample(200, 5)
    seen = list(zip(fought.ending.tolist(), fought.left.tolist(), fought.turns.tolist(), strict=True))
    assert python("-c", PLAIN, NUMBA_DISABLE_JIT="1").strip() == str(seen)
