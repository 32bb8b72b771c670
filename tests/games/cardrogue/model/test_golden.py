"""The golden examples that concern combat and health, by the plain-Python model."""

from fractions import Fraction

import pytest

from tests.games.cardrogue.model.cards import ARTIFACTS, Switches
from tests.games.cardrogue.model.combat import FLEE, End, Fight, combat_turn
from tests.games.cardrogue.model.dice import Followed, Thrown, attack_chances, chances
from tests.games.cardrogue.model.duel import Duel, How, Outcome, Plan
from tests.games.cardrogue.model.people import Enemy, Player

HARDLY = Fraction(1, 10**40)  # what the bound of 64 dice can change


def attack(player: Player, *dice: int) -> Fight:
    """One attack on a golem, which survives it."""
    fight = Fight(player, [Enemy.of("golem")], Thrown(dice))
    fight.attack(0)
    return fight


def duel(player: Player, *enemies: str, **plan) -> Duel:
    """To the death, unless a plan is given."""
    return Duel(player, [Enemy.of(name) for name in enemies], Plan(**plan))


def health(points: int, worn: str = "", of: str = "explorer") -> Player:
    """A player without traits that matter in combat."""
    return Player.of(of, points, worn=worn)


def totals(worn: str) -> dict[int, Fraction]:
    """Distribution of the damage of one attack that is not deadly."""
    enemy = Enemy.of("golem", health=999)
    fight = Fight(health(10, worn), [enemy], Followed())
    found: dict[int, Fraction] = {}
    for throw, chance in attack_chances(fight.reading(0)).items():
        damage = fight.damage_of(throw.total, throw.faces)
        found[damage] = found.get(damage, Fraction(0)) + chance
    return found


# printed


def test_golden_g01_a_doubling_weapon_doubles_the_die_and_not_the_modifier():
    assert attack(Player.of("explorer", worn="maul", potion_mod=1), 5).damage == 11


def test_golden_g02_a_modifier_adds_damage_and_leaves_the_die_what_it_is():
    assert attack(Player.of("explorer", potion_mod=1), 5).damage == 6
    fight = attack(Player.of("bard", potion_mod=1), 5)
    assert fight.damage == 6
    assert fight.end is None  # the die counts as a 5: the Bard stays


def test_golden_g03_a_dagger_with_plus_2_and_dice_1_2_5_does_9():
    fight = attack(Player.of("explorer", worn="dagger", artifacts="attack_plus"), 1, 2, 5)
    assert fight.damage == 9


@pytest.mark.parametrize(("worn", "damage"), [("", 4), ("battle_axe", 5)])
def test_golden_g04_the_least_attack_comes_before_a_bonus(worn, damage):
    assert attack(Player.of("explorer", worn=worn, potion_mod=2), 2).damage == damage


@pytest.mark.parametrize(("worn", "damage"), [("", 1), ("battle_axe", 3)])
def test_golden_g05_the_least_attack_comes_again_after_a_malus(worn, damage):
    assert attack(Player.of("explorer", worn=worn, potion_mod=-1), 2).damage == damage


@pytest.mark.parametrize(("first", "then", "turns"), [(3, 4, 4), (3, 1, 3)])
def test_golden_g06_the_larger_poison_stays(first, then, turns):
    player = Player.of("explorer", poison=first)
    player.suffer_poison(then)
    assert player.poison == turns


def test_golden_g07_a_gain_of_maximum_health_is_a_gain_of_health():
    player = Player.of("explorer", 7)
    player.gain_artifact(ARTIFACTS["health_plus"])
    assert (player.max_health, player.health) == (14, 11)


def test_golden_g08_a_loss_of_maximum_health_leaves_health_alone():
    player = Player.of("explorer", 10)
    player.gain_artifact(ARTIFACTS["health_minus"])
    assert (player.max_health, player.health) == (7, 10)
    for before, after in ((6, 7), (9, 9)):
        player.health = before
        player.heal(player.max_health)
        assert player.health == after


def test_golden_g16_poison_takes_one_health_at_the_start_of_a_turn():
    fight = combat_turn(Player.of("explorer", 8, poison=4), [Enemy.of("goblin")], FLEE, Thrown([6]))
    assert (fight.player.health, fight.player.poison, fight.end) == (7, 3, End.AWAY)


# derived


@pytest.mark.parametrize(
    ("worn", "mean"), [("", Fraction(7, 2)), ("sword", Fraction(9, 2)), ("battle_axe", Fraction(4)), ("maul", Fraction(5))]
)
def test_golden_d01_mean_damage_of_one_attack(worn, mean):
    assert sum(damage * chance for damage, chance in totals(worn).items()) == mean


def test_golden_d01_mean_damage_of_a_dagger_is_5_but_for_the_bound_of_64_dice():
    mean = sum(damage * chance for damage, chance in totals("dagger").items())
    assert 0 < 5 - mean < Fraction(1, 10**8)


def test_golden_d02_damage_of_a_dagger():
    found = totals("dagger")
    expected = {
        2: Fraction(1, 6),
        3: Fraction(1, 6),
        4: Fraction(37, 216),
        5: Fraction(19, 108),
        6: Fraction(703, 3888),
        7: Fraction(25, 1296),
    }
    for damage, chance in expected.items():
        assert abs(found[damage] - chance) < HARDLY
    assert sum(found.values()) == 1


@pytest.mark.parametrize(
    ("enemy", "chance"),
    [
        pytest.param("kobold", Fraction(1, 6), id="d03"),
        pytest.param("goblin", Fraction(5, 12), id="d04"),
        pytest.param("vampire_bat", Fraction(7, 9), id="d05"),
        pytest.param("zombie", Fraction(11, 36), id="d06"),
    ],
)
def test_golden_d03_to_d06_four_health_bare_to_the_death(enemy, chance):
    fight = duel(health(4), enemy)
    assert fight.chance(How.WON) == chance
    assert fight.chance(How.DEAD) == 1 - chance


@pytest.mark.parametrize(("dodges", "chance"), [("always", Fraction(5, 27)), ("not_lethal", Fraction(5, 18))])
def test_golden_d07_an_imp_dodges(dodges, chance):
    fight = Duel(health(2), [Enemy.of("imp")], switches=Switches(imp_dodge=dodges))
    assert fight.chance(How.WON) == chance


def test_golden_d08_three_health_against_a_sewer_rat_by_turns():
    first, second, third = duel(health(3), "sewer_rat").by_turn(9)
    assert sum(first.values()) == Fraction(1, 2)
    assert sum(second.values()) == Fraction(11, 24)
    assert sum(third.values()) == Fraction(1, 24)


def test_golden_d09_nine_health_against_a_troll():
    fight = duel(health(9), "troll")
    assert fight.outcomes() == {
        Outcome(How.WON, 5): Fraction(1, 6),
        Outcome(How.WON, 1): Fraction(11, 24),
        Outcome(How.DEAD, 0): Fraction(3, 8),
    }
    assert [sum(turn.values()) for turn in fight.by_turn(9)] == [0, Fraction(1, 6), Fraction(5, 6)]


def test_golden_d10_fleeing_every_turn_from_a_goblin():
    fight = duel(health(10), "goblin", flee_at=10, way_out=True)
    assert fight.chance(How.FLED) == Fraction(31, 32)
    turns = [sum(turn.values()) for turn in fight.by_turn(9)]
    assert sum(turns) == 1
    assert sum(n * chance for n, chance in enumerate(turns, start=1)) == Fraction(31, 16)


def test_golden_d12_the_second_player_gets_his_blow_before_the_kobold_turns_on_him():
    def play(dice: Followed) -> str:
        first = combat_turn(health(1), [Enemy.of("kobold", others=1)], 0, dice, begins=True)
        if first.end == End.CLEAR:
            return "first"
        (kobold,) = first.enemies
        kobold.attacks_him, kobold.others = True, 0
        second = combat_turn(health(1), [kobold], 0, dice, begins=True)
        return "second" if second.end == End.CLEAR else "neither"

    assert chances(play) == {"first": Fraction(1, 6), "second": Fraction(5, 9), "neither": Fraction(5, 18)}


def test_golden_d13_five_health_in_full_armour_against_the_yellow_basilisk():
    fight = duel(health(5, "helm chestplate boots"), "basilisk_yellow")
    assert fight.chance(How.WON) == Fraction(5, 216)


def test_golden_d14_the_bard_must_flee_on_a_6():
    fight = duel(health(2, of="bard"), "goblin", way_out=True)
    assert fight.chance(How.FLED) == Fraction(1, 6)
    assert fight.chance(How.DEAD) == Fraction(5, 6)


def test_golden_d15_the_mage_casts_first():
    assert duel(health(1, of="mage"), "cave_bat").chance(How.WON) == Fraction(5, 6)


def test_golden_d16_one_cave_bat_after_the_other():
    assert duel(health(2), "cave_bat", "cave_bat").chance(How.WON) == Fraction(1, 4)


def test_golden_d17_poison_helps_against_a_zombie_within_the_turn():
    fight = Duel(health(2), [Enemy.of("zombie", poison=1)])
    assert fight.chance(How.WON) == Fraction(1, 3)


@pytest.mark.parametrize(("points", "chance"), [(4, Fraction(0)), (5, Fraction(5, 12))])
def test_golden_d20_the_warrior_rages_at_5_health_or_less(points, chance):
    assert duel(health(points, of="warrior"), "troll").chance(How.WON) == chance
