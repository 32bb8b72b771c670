"""The plain-Python combat rule by rule, and its exact duels against slower or approximate methods."""

from fractions import Fraction
from itertools import chain, repeat

import pytest

from tests.games.cardrogue.model.cards import ARTIFACTS, CHARACTERS, ENEMIES, ITEMS, Faces, Switches
from tests.games.cardrogue.model.combat import FLEE, End, Fight, combat_turn
from tests.games.cardrogue.model.dice import DICE_MAX, Followed, Reading, Roll, Throw, Thrown, leaves
from tests.games.cardrogue.model.duel import Duel, How, Outcome, Plan
from tests.games.cardrogue.model.people import Enemy, Player, drink, throw


def turn(player: Player, *enemies: Enemy, choice: int = 0, dice=(), **other) -> Fight:
    """A first combat turn in which exactly these dice are thrown."""
    source = Thrown(dice)
    fight = combat_turn(player, enemies, choice, source, begins=True, **other)
    assert [face for _purpose, _enemy, face in source.log] == list(dice)
    return fight


def basilisk(**other) -> Enemy:
    return Enemy.of("basilisk_yellow", **other)


class DieByDie(Followed):
    """Follows every die by itself, without joining equal outcomes."""

    def within(self, faces: Faces, purpose: Roll, enemy: int) -> bool:
        return self.face(purpose, enemy) in faces

    def attack(self, reading: Reading, enemy: int) -> Throw:
        thrown = Throw()
        while not thrown.over:
            thrown = thrown.after(self.face(Roll.ATTACK, enemy), reading)
        return thrown._replace(owed=0, thrown=0)


# exact answers


@pytest.mark.parametrize(
    ("player", "enemies"),
    [
        (Player.of("bard", 5, worn="maul"), ["imp"]),
        (Player.of("cleric", 4, worn="shield"), ["sewer_rat", "vampire_bat"]),
        (Player.of("mage", 3, poison=2), ["golem"]),
        (Player.of("rogue", 7, worn="sword", offhand="dagger"), ["basilisk_yellow", "cave_bat"]),
    ],
)
def test_a_duel_is_the_same_followed_die_by_die(monkeypatch, player, enemies):
    plan = Plan(way_out=True, flee_at=2)
    exact = Duel(player, [Enemy.of(name) for name in enemies], plan).outcomes()
    monkeypatch.setattr("tests.games.cardrogue.model.dice.Followed", DieByDie)
    assert next(leaves(type))[1] is DieByDie
    assert Duel(player, [Enemy.of(name) for name in enemies], plan).outcomes() == exact


@pytest.mark.parametrize("enemy", ["vampire_bat", "zombie", "sewer_rat", "kobold"])
def test_a_duel_solved_agrees_with_a_duel_played_on_and_on(enemy):
    duel = Duel(Player.of("rogue", 6, worn="shield helm"), [Enemy.of(enemy)])
    played: dict[Outcome, float] = {}
    for ended in duel.by_turn(80):
        for outcome, chance in ended.items():
            played[outcome] = played.get(outcome, 0.0) + float(chance)
    solved = {outcome: float(chance) for outcome, chance in duel.outcomes().items()}
    assert played == pytest.approx(solved, abs=1e-6)
    assert sum(duel.outcomes().values()) == 1


def test_a_duel_that_nobody_can_win_is_endless():
    player = Player.of("explorer", worn="helm", potion_mod=-6)
    assert Duel(player, [Enemy.of("cave_bat")]).outcomes() == {Outcome(How.ENDLESS, 0): 1}


def test_a_duel_drinks_before_step_1_and_only_what_is_in_hand():
    player = Player.of("explorer", 1, healing_potions=1)
    duel = Duel(player, [Enemy.of("kobold", health=7)], Plan(drink_at=1))
    # healed to 10 it takes three attacks: 7 in three dice, at least; without it one die cannot do it
    assert duel.chance(How.WON) == 1 - Fraction(20, 216)
    assert Duel(player, [Enemy.of("kobold", health=7)]).chance(How.WON) == 0


def test_a_duel_counts_skipped_turns_and_the_one_of_a_death_by_poison():
    player = Player.of("explorer", 3, poison=1, potion_mod=-6)
    assert [sum(ended.values()) for ended in Duel(player, [Enemy.of("vampire_bat")]).by_turn(9)] == [0, 1]
    skipping = Player.of("explorer", 5, skip=1)
    first, *_ = Duel(skipping, [Enemy.of("cave_bat", health=1)]).by_turn(9)
    assert not first


# start of the turn


def test_rogue_22_83_the_antidote_turns_poison_into_health_until_it_ends():
    player = Player.of("explorer", 5, poison=2)
    player.read_antidote(2)
    for health, poison, antidote in ((7, 1, 2), (9, 0, 0), (9, 0, 0)):
        player.feel_poison()
        assert (player.health, player.poison, player.antidote) == (health, poison, antidote)
    with pytest.raises(ValueError, match="poison=0"):
        player.read_antidote(2)


def test_rogue_22_death_by_poison_ends_the_turn():
    fight = combat_turn(Player.of("explorer", 1, poison=3), [Enemy.of("goblin", health=1)], 0, Thrown([]))
    assert (fight.end, fight.enemies[0].health) == (End.DEAD, 8)


@pytest.mark.parametrize(("switch", "health", "bat"), [("enemy_acts", 9, 2), ("turn_lost", 10, 3)])
def test_rogue_23_in_a_skipped_turn_only_the_enemies_act(switch, health, bat):
    fight = turn(
        Player.of("explorer", skip=1), Enemy.of("cave_bat", health=3, poison=2), switches=Switches(paralysis_in_combat=switch)
    )
    assert (fight.player.health, fight.player.skip, fight.enemies[0].health) == (health, 0, bat)


# step 1


def test_rogue_43_an_attack_ends_after_64_dice():
    dice = Thrown(chain(repeat(1, DICE_MAX - 1), [4, 6]))
    fight = Fight(Player.of("explorer", worn="dagger"), [Enemy.of("golem")], dice)
    fight.attack(0)
    assert (fight.damage, len(dice.log)) == (4, DICE_MAX)


def test_rogue_45_a_miss_takes_no_modifier():
    assert turn(Player.of("explorer", worn="maul", potion_mod=1), Enemy.of("goblin"), dice=[6]).damage == 0


@pytest.mark.parametrize(("scope", "health"), [("all", 10), ("attacked", 9)])
def test_rogue_45_a_block_stops_abilities_and_attacks(scope, health):
    enemies = (Enemy.of("vampire_bat"), Enemy.of("cave_bat"))
    fight = turn(Player.of("explorer", worn="shield"), *enemies, dice=[1], switches=Switches(shield_scope=scope))
    assert (fight.player.health, fight.enemies[0].health) == (health, 3)


@pytest.mark.parametrize("imp", [{"paralysed": 1}, {"attacks_him": False, "others": 1}])
def test_rogue_46_53_56_an_imp_dodges_only_whom_it_can_attack(imp):
    assert turn(Player.of("explorer"), Enemy.of("imp", **imp), dice=[4]).damage == 4


def test_rogue_46_a_blocked_imp_does_not_dodge_and_a_dodge_comes_before_the_damage():
    assert turn(Player.of("explorer", worn="shield"), Enemy.of("imp"), dice=[1]).damage == 1
    fight = turn(Player.of("explorer"), Enemy.of("imp", health=2), dice=[6, 5])
    assert (fight.dodged, fight.slain, fight.player.health) == (True, [], 9)


def test_rogue_57_forbidden_free_and_rolled_flights():
    def flight(player: Player, *enemies: Enemy, way_out: bool = True) -> tuple[bool, Faces | None]:
        fight = Fight(player, enemies, Thrown([]), way_out)
        return fight.flight_is_free(), fight.flight_faces()

    goblin, troll, busy = Enemy.of("goblin"), Enemy.of("troll"), Enemy.of("goblin", attacks_him=False, others=1)
    explorer, warrior = Player.of("explorer"), Player.of("warrior")
    cape, caped = Player.of("explorer", worn="shadow_cape"), Player.of("warrior", worn="shadow_cape")
    assert flight(explorer, goblin) == (False, {4, 5, 6})
    assert flight(explorer, goblin, troll) == (False, {4, 5, 6})
    assert flight(explorer, troll, busy)[0]
    assert flight(explorer, troll, way_out=False) == (False, None)
    assert flight(cape, goblin) == (False, {1, 2, 3, 4, 5, 6})
    assert flight(warrior, busy) == (False, None)
    assert flight(warrior, busy, troll)[0]
    assert flight(warrior, goblin, basilisk()) == (False, {4, 5, 6})
    assert flight(caped, busy) == (False, {1, 2, 3})


def test_rogue_57_after_a_failed_flight_the_enemies_act():
    fight = turn(Player.of("explorer"), basilisk(), choice=FLEE, dice=[3, 4])
    assert (fight.flight, fight.player.skip, fight.player.health) == (False, 1, 5)


@pytest.mark.parametrize(("others", "switch", "health"), [(0, "last_leaves", 15), (1, "last_leaves", 9), (1, "any_flight", 15)])
def test_rogue_59_an_enemy_is_restored_when_the_last_player_leaves(others, switch, health):
    enemy = basilisk(health=9, others=others, mod=-1, poison=2)
    fight = turn(Player.of("explorer"), enemy, choice=FLEE, dice=[4], switches=Switches(enemy_restore=switch))
    assert (fight.end, fight.enemies[0].health, fight.enemies[0].mod) == (End.AWAY, health, -1)
    assert fight.enemies[0].poison == (2 if health == 9 else 0)


# the enemies' part


def test_rogue_48_poison_acts_on_paralysed_and_blocked_enemies_of_the_poisoner_only():
    enemies = (Enemy.of("imp", paralysed=1, poison=1), Enemy.of("imp", poison=3, poisoned_by_him=False))
    fight = turn(Player.of("explorer", worn="shield"), *enemies, dice=[1])
    assert [(enemy.health, enemy.poison) for enemy in fight.enemies] == [(6, 0), (8, 3)]


def test_rogue_50_82_89_strength_and_armour_and_the_golems_die():
    player = Player.of("explorer", worn="helm boots")
    assert turn(player, Enemy.of("golem", mod=1), dice=[1, 4]).player.health == 10 - (2 * 4 + 1 - 2)
    assert turn(player, Enemy.of("cave_bat", mod=-1), dice=[1]).player.health == 10


@pytest.mark.parametrize(("switch", "health", "dice"), [("enemy_acts", 4, [1, 6, 2]), ("turn_lost", 10, [1, 6])])
def test_rogue_52_paralysis_in_step_2(switch, health, dice):
    enemies = (basilisk(), Enemy.of("sewer_rat"))
    fight = turn(Player.of("explorer"), *enemies, dice=dice, switches=Switches(paralysis_in_combat=switch))
    assert (fight.player.skip, fight.player.health, fight.player.poison) == (1, health, 0)


def test_rogue_53_a_paralysed_enemy_leaves_out_one_turn():
    fight = turn(Player.of("explorer"), Enemy.of("kobold", paralysed=1), dice=[1])
    assert (fight.player.health, fight.enemies[0].paralysed) == (10, 0)
    waiting = turn(Player.of("explorer"), Enemy.of("kobold", paralysed=1, attacks_him=False, others=1), dice=[1])
    assert waiting.enemies[0].paralysed == 1


def test_rogue_54_a_zombie_forgets_a_turn():
    assert turn(Player.of("explorer"), Enemy.of("zombie", poison=2), dice=[4]).enemies[0].health == 6


def test_rogue_55_a_dead_player_is_not_attacked_again():
    fight = turn(Player.of("explorer", 4), Enemy.of("kobold"), Enemy.of("golem"), dice=[1])
    assert (fight.end, fight.player.health) == (End.DEAD, 0)


def test_rogue_61_death_ends_what_the_player_suffers():
    player = Player.of("mage", 1, poison=2, potion_mod=1, scroll_bonus=2, cooldown=2, skip=1)
    fight = turn(player, Enemy.of("kobold"))
    assert fight.player == Player.of("mage", -3)


# items and characters


def test_rogue_88_89_potions_drunk_and_thrown():
    player, enemy = Player.of("explorer", 4, poison=1), Enemy.of("kobold", health=2, poison=1, poisoned_by_him=False)
    for effect in ("healing", "poison", "strength", "paralysis"):
        drink(player, effect)
        throw(enemy, effect)
    assert player == Player.of("explorer", 10, poison=3, potion_mod=1, skip=1)
    assert enemy == Enemy.of("kobold", mod=1, poison=3, paralysed=1)
    with pytest.raises(ValueError, match="teleportation"):
        drink(player, "teleportation")


@pytest.mark.parametrize(("before", "after"), [(2, (3, True)), (3, (3, True)), (4, (4, False))])
def test_rogue_48_89_the_new_poison_counts_unless_it_is_the_lesser_one(before, after):
    enemy = Enemy.of("troll", poison=before, poisoned_by_him=False)
    throw(enemy, "poison")
    assert (enemy.poison, enemy.poisoned_by_him) == after


def test_rogue_92_an_offhand_dagger_only_adds_1():
    rogue = Player.of("rogue", worn="sword", offhand="dagger")
    assert turn(rogue, Enemy.of("golem"), dice=[1, 1]).damage == 3


def test_rogue_93_the_cleric_casts_off_curses_and_heals_after_a_kill():
    cleric = Player.of("cleric", 5)
    cleric.gain_artifact(ARTIFACTS["attack_minus"])
    assert cleric.artifacts == ()
    assert turn(cleric, Enemy.of("cave_bat"), dice=[4]).player.health == 6
    assert turn(Player.of("cleric", 6), Enemy.of("cave_bat"), dice=[4]).player.health == 6


def test_rogue_95_a_spell_every_third_turn():
    fight = Fight(Player.of("mage"), [Enemy.of("imp")], Thrown([]))
    fight.cast_damage(0)
    assert (fight.enemies[0].health, fight.player.cooldown) == (6, 3)
    with pytest.raises(ValueError, match="cooldown=3"):
        fight.cast_heal()
    for _ in range(3):
        fight.start_of_turn()
    fight.cast_damage(0)


@pytest.mark.parametrize(
    ("switch", "dice", "end"),
    [
        ("flee_free", [6], End.AWAY),
        ("flee_roll", [6, 4], End.AWAY),
        ("flee_roll", [6, 3], End.STILL_IN),
        ("off", [6], End.STILL_IN),
    ],
)
def test_rogue_96_the_bards_six(switch, dice, end):
    fight = turn(Player.of("bard"), Enemy.of("goblin"), dice=dice, switches=Switches(bard_six=switch))
    assert (fight.end, fight.damage) == (end, 6)
    walled_in = turn(Player.of("bard"), Enemy.of("goblin"), dice=[6], way_out=False)
    assert walled_in.end == End.STILL_IN
    assert turn(Player.of("bard"), Enemy.of("cave_bat"), dice=[6]).end == End.CLEAR


def test_the_reference_set_is_complete():
    assert [len(cards) for cards in (CHARACTERS, ENEMIES, ITEMS, ARTIFACTS)] == [6, 11, 11, 4]
