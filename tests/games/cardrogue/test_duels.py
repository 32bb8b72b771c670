"""Duels and sieges of the reference set: the golden numbers of the register, what can be asked for, friends around an enemy."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

from analysis.stats.markov import DuelOdds, solve
from sim.engine.duels import DuelRequest, arrange
from sim.games.cardrogue.cards import from_document, load, type_ids
from sim.games.cardrogue.exact.chain import attack_odds, chain_of
from sim.games.cardrogue.exact.duels import DUELS, duel_of, sample_sieges
from sim.games.cardrogue.exact.rolls import SIGNS
from sim.games.cardrogue.rules.combat import damage_of
from tests.every_game.play import enough
from tests.games.cardrogue.model_cards import CHARACTERS, ENEMIES
from tests.games.cardrogue.model_duel import How

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
    """Chance of each damage of one attack that no enemy survives or dies of."""
    duel = duel_of(CARDS, CARDS.ids.index("explorer"), [number(card) for card in gear], [number("golem")])
    duel["fight"]["foe_health"][0] = 400
    chances, faces = attack_odds(duel, CARDS.record[0])
    found = np.zeros(chances.shape[1] * 2)
    for sign, total in product(range(SIGNS), range(chances.shape[1])):
        duel["fight"]["faces"] = faces[sign]
        found[damage_of(duel["fight"], total)] += chances[sign, total]
    return found


@pytest.mark.parametrize(
    ("gear", "mean"),
    [((), Fraction(7, 2)), (("sword",), Fraction(9, 2)), (("battle_axe",), 4), (("maul",), 5), (("dagger",), 5)],
)
def test_rogue_43_44_45_golden_d01_mean_damage_of_one_attack(gear, mean):
    found = damages(gear)
    # the bound of 64 dice takes 3e-9 off a dagger
    assert found @ np.arange(len(found)) == pytest.approx(float(mean), abs=1e-8)


def test_rogue_43_golden_d02_damage_of_a_dagger():
    found = damages(("dagger",))
    parts = [
        Fraction(1, 6),
        Fraction(1, 6),
        Fraction(37, 216),
        Fraction(19, 108),
        Fraction(703, 3888),
        Fraction(25, 1296),
    ]
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
        (
            DuelRequest("bard", ("imp",), ("dagger_off_hand",)),
            "gear dagger_off_hand: the Bard carries no weapon in the",
        ),
        (DuelRequest("rogue", ("imp",), ("dagger_off_hand",) * 2), "both are worn in the same place"),
        (DuelRequest("bard", ("imp",), ("sword", "dagger")), "gear sword, dagger: both are worn in the same place"),
        (DuelRequest("bard", ("imp",), ("maul", "shield")), "gear maul, shield: both are worn in the same place"),
        (DuelRequest("cleric", ("imp",), ("attack_minus",)), "gear attack_minus: the Cleric casts off cursed cards"),
        (DuelRequest("mage", ("imp",), health=9), r"health=9 must be 1\.\.8"),
        (DuelRequest("mage", ("imp",), potions=4, drink_at=2), r"potions=4 must be 0\.\.3"),
        (DuelRequest("mage", ("imp",), ("vision_lens",)), "gear 'vision_lens': there is none"),
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
        alone, *_, four = (siege.sample(enough(20_000, 50), SEED) for siege in sieges[outfit : outfit + 4])
        assert alone.slain.mean() <= four.slain.mean()
        assert four.deaths.max() <= 4


def test_rogue_56_a_siege_by_one_is_a_duel():
    alone = DUELS.siege(CARDS)[12]
    chance = odds("warrior", "golem", gear=("dagger", "helm", "chestplate", "boots", "shield")).win
    fought = alone.sample(FOUGHT, SEED)
    assert abs(fought.slain.mean() - chance) < STANDARD_ERRORS * sqrt(chance * (1 - chance) / FOUGHT)
    assert (fought.deaths == ~fought.slain).all()
