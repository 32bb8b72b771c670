"""Duels and sieges: golden numbers, requests, and exact odds against the plain model and sampled duels."""

from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import numpy as np
import pytest

from analysis.stats.markov import DuelOdds, solve
from sim.engine.exact import DuelRequest, Fights, arrange
from sim.engine.jit import COMPILED
from sim.games.cardrogue.cards import from_document, load, type_ids
from sim.games.cardrogue.exact import chain
from sim.games.cardrogue.exact.chain import attack_odds, chain_of
from sim.games.cardrogue.exact.duels import DUELS, duel_of, sample, sample_sieges
from sim.games.cardrogue.exact.rolls import ENDINGS, TURNS_MAX
from sim.games.cardrogue.record import SIGNS, Sign
from sim.games.cardrogue.rules.combat import damage_of
from tests.conftest import sampled
from tests.every_game.play import enough
from tests.games.cardrogue.kernel_bridge import Cards
from tests.games.cardrogue.model.cards import CHARACTERS, ENEMIES
from tests.games.cardrogue.model.combat import Enemy, Player
from tests.games.cardrogue.model.dice import Reading, attack_chances
from tests.games.cardrogue.model.duel import Duel, How, Plan
from tests.games.cardrogue.model.random_fights import random_cards, random_enemy, random_player

CARDS = load()
SEED = 20_250_302
EXACT = 1e-12
STANDARD_ERRORS = 4
FOUGHT = enough(1_000_000, 300)
WON, DEAD, FLED = range(3)
WAYS = {How.WON: WON, How.DEAD: DEAD, How.FLED: FLED}


def odds(fighter: str, *opponents: str, **request) -> DuelOdds:
    """Exact odds of a duel of the reference set."""
    return solve(arrange(DUELS, CARDS, DuelRequest(fighter, opponents, **request)).chain())


def number(card: str) -> int:
    """Card type of the reference set."""
    return type_ids(CARDS).index(card)


def about(value: float | Fraction):
    """A number but for rounding."""
    return pytest.approx(float(value), abs=EXACT)


# golden examples


def damages(gear: tuple[str, ...]) -> np.ndarray:
    """Chance of each damage of one attack."""
    duel = duel_of(CARDS, CARDS.ids.index("explorer"), [number(card) for card in gear], [number("golem")])
    duel["fight"]["foe_health"][0] = 400
    chances, faces = attack_odds(duel, CARDS.record[0])
    found = np.zeros(chances.shape[1] * 2)
    for sign, total in product(range(SIGNS), range(chances.shape[1])):
        duel["fight"]["faces"] = faces[sign]
        found[damage_of(duel["fight"], total)] += chances[sign, total]
    return found


@pytest.mark.parametrize(
    ("gear", "mean"), [((), Fraction(7, 2)), (("sword",), Fraction(9, 2)), (("battle_axe",), 4), (("maul",), 5), (("dagger",), 5)]
)
def test_rogue_43_44_45_golden_d01_mean_damage_of_one_attack(gear, mean):
    found = damages(gear)
    # the bound of 64 dice takes 3e-9 off a dagger
    assert found @ np.arange(len(found)) == pytest.approx(float(mean), abs=1e-8)


def test_rogue_43_golden_d02_damage_of_a_dagger():
    found = damages(("dagger",))
    parts = [Fraction(1, 6), Fraction(1, 6), Fraction(37, 216), Fraction(19, 108), Fraction(703, 3888), Fraction(25, 1296)]
    assert found[2:8] == pytest.approx([float(part) for part in parts], abs=EXACT)
    assert found.sum() == about(1)


@pytest.mark.parametrize(
    ("enemy", "chance"),
    [
        pytest.param("kobold", Fraction(1, 6), id="d03"),
        pytest.param("goblin", Fraction(5, 12), id="d04"),
        pytest.param("vampire_bat", Fraction(7, 9), id="d05"),
        pytest.param("zombie", Fraction(11, 36), id="d06"),
    ],
)
def test_rogue_41_49_54_golden_d03_to_d06_four_health_to_the_death(enemy, chance):
    found = odds("explorer", enemy, health=4)
    assert found.chance == pytest.approx([float(chance), float(1 - chance), 0], abs=EXACT)


@pytest.mark.parametrize(("dodges", "chance"), [("always", Fraction(5, 27)), ("not_lethal", Fraction(5, 18))])
def test_rogue_46_golden_d07_an_imp_dodges(dodges, chance):
    cards = from_document(CARDS.document | {"rules": CARDS.document["rules"] | {"imp_dodge": dodges}})
    found = solve(arrange(DUELS, cards, DuelRequest("explorer", ("imp",), health=2)).chain())
    assert found.win == about(chance)


def test_rogue_51_golden_d08_three_health_against_a_sewer_rat_by_turns():
    found = odds("explorer", "sewer_rat", health=3)
    assert found.turns == pytest.approx([1 / 2, 11 / 24, 1 / 24], abs=EXACT)


def test_rogue_50_golden_d09_nine_health_against_a_troll():
    found = odds("explorer", "troll", health=9)
    assert found.win == about(Fraction(5, 8))
    assert found.left[WON] == {5: about(Fraction(1, 6) / found.win), 1: about(Fraction(11, 24) / found.win)}
    assert found.turns == pytest.approx([0, 1 / 6, 5 / 6], abs=EXACT)


def test_rogue_57_golden_d10_fleeing_every_turn_from_a_goblin():
    found = odds("explorer", "goblin", flee_at=10)
    assert found.chance == pytest.approx([0, 1 / 32, 31 / 32], abs=EXACT)
    assert found.mean_turns == about(Fraction(31, 16))


def test_rogue_56_golden_d12_two_around_a_kobold():
    one = duel_of(CARDS, CARDS.ids.index("explorer"), [], [number("kobold")])
    one["fight"]["health"] = 1
    fought = sample_sieges([one, one], CARDS.record[0], FOUGHT, SEED)
    cases = ((True, 0, Fraction(1, 6)), (True, 1, Fraction(5, 9)), (False, 2, Fraction(5, 18)))
    for slain, deaths, chance in cases:
        share = float(np.mean((fought.slain == slain) & (fought.deaths == deaths)))
        assert abs(share - chance) < STANDARD_ERRORS * sqrt(chance * (1 - chance) / FOUGHT)
    assert sum(chance for _, _, chance in cases) == 1


def test_rogue_82_golden_d13_five_health_in_full_armour_against_the_yellow_basilisk():
    found = odds("explorer", "basilisk_yellow", health=5, gear=("helm", "chestplate", "boots"))
    assert found.win == about(Fraction(5, 216))


def test_rogue_96_golden_d14_the_bard_must_flee_on_a_6():
    found = odds("bard", "goblin", health=2)
    assert found.chance == pytest.approx([0, 5 / 6, 1 / 6], abs=EXACT)


def test_rogue_95_golden_d15_the_mage_casts_first():
    assert odds("mage", "cave_bat", health=1).win == about(Fraction(5, 6))


def test_rogue_55_golden_d16_one_cave_bat_after_the_other():
    assert odds("explorer", "cave_bat", "cave_bat", health=2).win == about(Fraction(1, 4))


def test_rogue_48_54_golden_d17_poison_helps_against_a_zombie_within_the_turn():
    start = duel_of(CARDS, CARDS.ids.index("explorer"), [], [number("zombie")])
    start["fight"]["health"], start["fight"]["foe_poison"][0] = 2, 1
    assert solve(chain_of(start, CARDS.record[0])).win == about(Fraction(1, 3))


@pytest.mark.parametrize(("health", "chance"), [(4, 0), (5, Fraction(5, 12))])
def test_rogue_91_golden_d20_the_warrior_rages_at_5_health_or_less(health, chance):
    assert odds("warrior", "troll", health=health).win == about(chance)


# what can be asked for


def test_what_there_is_to_choose_from():
    assert [one for one, _ in DUELS.fighters(CARDS)] == list(CHARACTERS)
    assert [one for one, _ in DUELS.opponents(CARDS)] == list(ENEMIES)
    gear = [one for one, _ in DUELS.gear(CARDS)]
    assert gear[:2] == ["dagger", "sword"]
    assert gear[-5:] == ["dagger_off_hand", "attack_plus", "attack_minus", "health_plus", "health_minus"]
    assert not {"vision_lens", "hasty_boots", "scroll_identify", "debt"} & set(gear)


def test_rogue_07_84_an_artifact_in_hand_counts():
    duel = arrange(DUELS, CARDS, DuelRequest("explorer", ("troll",), ("health_plus", "attack_plus")))
    assert (duel.health, duel.health_max) == (14, 14)
    assert odds("explorer", "cave_bat", gear=("attack_plus",)).turns[0] == about(Fraction(5, 6))


@pytest.mark.parametrize("gear", [("dagger", "sword"), ("sword", "dagger")])
def test_rogue_92_the_rogue_puts_the_dagger_where_there_is_room(gear):
    # 1 for the sword, 1 for the dagger in the other hand: a goblin falls to a 6
    assert odds("rogue", "goblin", gear=gear).turns[0] == about(Fraction(1, 6))


def test_rogue_92_the_rogue_may_carry_a_dagger_in_the_other_hand_alone():
    """A die and 1 for the dagger: 7/2 + 1, as with a sword, and no throwing again."""
    only = odds("rogue", "golem", gear=("dagger_off_hand",), health=1)
    assert only.chance == pytest.approx(odds("rogue", "golem", gear=("sword",), health=1).chance, abs=EXACT)
    assert odds("rogue", "cave_bat", gear=("dagger_off_hand",)).turns[0] == about(Fraction(4, 6))
    assert odds("rogue", "goblin", gear=("dagger_off_hand",)).turns[0] == about(0), "7 at most, of 8 health"
    assert odds("rogue", "goblin", gear=("dagger",)).turns[0] > 0
    duel = arrange(DUELS, CARDS, DuelRequest("Rogue", ("Imp",), ("Dagger off-hand", "sword")))
    assert duel.gear == ("Dagger off-hand", "Sword")
    both = odds("rogue", "goblin", gear=("dagger_off_hand", "sword")).turns[0]
    assert both == about(odds("rogue", "goblin", gear=("dagger", "sword")).turns[0])


@pytest.mark.parametrize(
    ("request_", "match"),
    [
        (DuelRequest("rogue", ("imp",), ("shield",)), "gear shield: the Rogue wears nothing in the slot secondary"),
        (DuelRequest("rogue", ("imp",), ("maul",)), "gear maul: the Rogue wears nothing in the slot secondary"),
        (DuelRequest("bard", ("imp",), ("dagger_off_hand",)), "gear dagger_off_hand: the Bard carries no weapon in the"),
        (DuelRequest("rogue", ("imp",), ("dagger_off_hand",) * 2), "both are worn in the same place"),
        (DuelRequest("bard", ("imp",), ("sword", "dagger")), "gear sword, dagger: both are worn in the same place"),
        (DuelRequest("bard", ("imp",), ("maul", "shield")), "gear maul, shield: both are worn in the same place"),
        (DuelRequest("cleric", ("imp",), ("attack_minus",)), "gear attack_minus: the Cleric casts off cursed cards"),
        (DuelRequest("mage", ("imp",), health=9), r"health=9 must be 1\.\.8"),
        (DuelRequest("mage", ("imp",), potions=4, drink_at=2), r"potions=4 must be 0\.\.3"),
        (DuelRequest("mage", ("imp",), ("vision_lens",)), "gear 'vision_lens': is not known"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_duel_that_cannot_be_is_refused(request_, match):
    with pytest.raises(ValueError, match=match):
        arrange(DUELS, CARDS, request_)


# sieges


def test_rogue_56_sieges_of_the_golem_by_gear_and_number():
    sieges = DUELS.siege(CARDS)
    assert {siege.opponent for siege in sieges} == {"Golem"}
    assert [siege.attackers for siege in sieges] == [1, 2, 3, 4] * 4
    assert [siege.gear for siege in sieges[::4]] == [
        "bare-handed",
        "Dagger",
        "Helm, Chestplate, Boots, Shield",
        "Dagger, Helm, Chestplate, Boots, Shield",
    ]
    for outfit in range(0, 16, 4):
        alone, *_, four = (siege.sample(enough(20_000, 20), SEED) for siege in sieges[outfit : outfit + 4])
        assert alone.slain.mean() <= four.slain.mean()
        assert four.deaths.max() <= 4


@pytest.mark.soak
def test_rogue_56_a_siege_by_one_is_a_duel():
    alone = DUELS.siege(CARDS)[12]
    chance = odds("warrior", "golem", gear=("dagger", "helm", "chestplate", "boots", "shield")).win
    fought = alone.sample(FOUGHT, SEED)
    assert abs(fought.slain.mean() - chance) < STANDARD_ERRORS * sqrt(chance * (1 - chance) / FOUGHT)
    assert (fought.deaths == ~fought.slain).all()


IDS = type_ids(CARDS)
DUELS_WITH_THE_MODEL = 80
ODDS_SEED = 20_250_303
ODDS_FOUGHT = enough(1_000_000, 100)
WON, DEAD, FLED = range(3)
EVERYTHING = DuelRequest("mage", ("sewer_rat", "imp", "vampire_bat", "zombie"), ("dagger", "shield"), potions=2, drink_at=3)


# exact odds against the model's fractions


def agree(cards: Cards, player: Player, enemies: list, plan: Plan) -> None:
    """The chain and the model's fractions agree on a duel, or both refuse it as endless."""
    model = Duel(player, enemies, plan, cards.switches)
    expected = model.outcomes()
    start = cards.duel(player, enemies, plan)
    if any(outcome.how == How.ENDLESS for outcome in expected):
        with pytest.raises(ValueError, match="forever"):
            solve(chain_of(start, cards.record))
        return
    found = solve(chain_of(start, cards.record))
    solved = {
        (ending, left): float(found.chance[ending]) * chance
        for ending in (WON, DEAD, FLED)
        for left, chance in found.left[ending].items()
    }
    wanted = {(WAYS[outcome.how], outcome.health): float(chance) for outcome, chance in expected.items()}
    assert solved == pytest.approx(wanted, abs=EXACT)
    by_turn = [float(sum(ended.values())) for ended in model.by_turn(5)]
    shown = [*found.turns[:5], *[0.0] * 5][: len(by_turn)]
    assert shown == pytest.approx(by_turn, abs=EXACT)


@pytest.mark.parametrize("number", sampled(range(DUELS_WITH_THE_MODEL), 9))
def test_the_chain_is_that_of_the_model_in_random_duels(number: int):
    rng = Random(number)
    cards = random_cards(rng)
    player = random_player(rng, cards)
    player.health = min(player.health, 6)
    player.healing_potions = int(rng.random() < 0.3)
    enemies = [random_enemy(rng, cards) for _ in range(rng.choice([1, 1, 1, 2]))]
    for enemy in enemies:
        enemy.attacks_him, enemy.health = True, min(enemy.health, 8)
    plan = Plan(flee_at=rng.choice([0, 2, 5]), drink_at=rng.choice([1, 3]), way_out=number % 2 == 0)
    agree(cards, player, enemies, plan)


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
    """Every ending, every remaining health and the mean number of turns lie within the standard errors."""
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
@pytest.mark.soak
def test_rogue_41_a_million_duels_with_every_enemy_are_within_4_standard_errors(character):
    for enemy in ENEMIES:
        duel = arrange(DUELS, CARDS, DuelRequest(character, (enemy,)))
        within(solve(duel.chain()), duel.sample(ODDS_FOUGHT, ODDS_SEED), duel.title)


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
    within(solve(duel.chain()), duel.sample(enough(300_000, 100), ODDS_SEED), duel.title)


def test_a_duel_that_nobody_can_end_is_stopped_and_has_no_odds():
    start = duel_of(CARDS, CARDS.ids.index("explorer"), [IDS.index("helm")], [IDS.index("cave_bat")])
    start["fight"]["mod"] = -6
    fought = sample(start, CARDS.record[0], 3, ODDS_SEED)
    assert fought.ending.tolist() == [-1] * 3
    assert fought.turns.tolist() == [TURNS_MAX] * 3
    with pytest.raises(ValueError, match="forever"):
        solve(chain_of(start, CARDS.record[0]))


def test_the_same_seed_fights_the_same_duels():
    duel = arrange(DUELS, CARDS, DuelRequest("cleric", ("troll",)))
    one, again, other = (duel.sample(100, seed) for seed in (1, 1, 2))
    assert (one.left == again.left).all()
    assert (one.turns == again.turns).all()
    assert not (one.left == other.left).all()


PLAIN = """
from sim.engine.exact import arrange
from tests.games.cardrogue.test_exact import CARDS, DUELS, EVERYTHING
fought = arrange(DUELS, CARDS, EVERYTHING).sample(200, 5)
print(list(zip(fought.ending.tolist(), fought.left.tolist(), fought.turns.tolist())))
"""


@pytest.mark.skipif(not COMPILED, reason="the compiler is off")
@pytest.mark.soak
def test_compiled_and_uncompiled_fight_the_same_duels(python):
    fought = arrange(DUELS, CARDS, EVERYTHING).sample(200, 5)
    seen = list(zip(fought.ending.tolist(), fought.left.tolist(), fought.turns.tolist(), strict=True))
    assert python("-c", PLAIN, NUMBA_DISABLE_JIT="1").strip() == str(seen)
