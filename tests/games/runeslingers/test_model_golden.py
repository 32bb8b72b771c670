"""Golden examples of register section 9 G01 to G16 by the plain-Python model: power, health, ailments, boons."""

import pytest

from sim.games.runeslingers.state import Cause, Drain, Lost
from tests.games.runeslingers.model_documents import reference_document
from tests.games.runeslingers.model_positions import (
    BURN,
    CURSE,
    DEBILITATE,
    ENEMY,
    INSANITY,
    WEAKEN,
    A,
    B,
    a_duel,
    ailments,
    card,
    conc,
    concs,
    deck,
    hold,
    hurt,
    names,
    play,
    run,
    suffered,
    thing,
)
from tests.games.runeslingers.model_table import TYPES


def loses(table, seat, n):
    return run(table.drain(table.players[seat], n, Drain.LOSS, carry=True))


def apply(table, seat, *kinds):
    for kind in kinds:
        run(table.apply_one(table.players[seat], kind))


@pytest.mark.parametrize(("health", "n", "left"), [(5, 10, 15), (1, 2, 19)])
def test_golden_g01_g02_health_loss_goes_on_after_a_power(health, n, left):
    table = a_duel()
    table.players[A].health = health
    loses(table, A, n)
    assert (table.players[A].power, table.players[A].health) == (4, left)


def test_golden_g03_ten_ailments_of_which_two_are_concealed():
    table = a_duel()
    ailments(table, A, burn=2, curse=4, weaken=4)
    thing(table, A, "binding", area=0)
    run(table.limit_step(table.players[A]))
    assert suffered(table, A) == {}
    assert (table.players[A].areas[0].count, table.players[A].power) == (2, 4)
    assert table.facts.powers_lost[A][Lost.AILMENTS] == 1


def test_golden_g04_four_burns():
    table = a_duel()
    apply(table, A, *[BURN] * 4)
    assert table.players[A].health == 12
    assert table.is_level_two(table.players[A], BURN)


def test_golden_g05_four_burns_at_health_5():
    table = a_duel()
    table.players[A].health = 5
    seen = []
    for _ in range(4):
        apply(table, A, BURN)
        seen.append(table.players[A].health)
    assert seen == [3, 1, 19, 17]
    assert table.players[A].power == 4


@pytest.mark.parametrize(("pierce", "dealt", "left"), [(False, 5, 20), (True, 10, 15)])
def test_golden_g06_g07_ten_damage_at_health_5(pierce, dealt, left):
    table = a_duel()
    table.players[A].health = 5
    assert hurt(table, A, 10, pierce=pierce) == dealt
    assert (table.players[A].power, table.players[A].health) == (4, left)


def test_golden_g08_four_powers_lost_at_power_1():
    table = a_duel()
    loses(table, A, 80)
    assert (table.players[A].power, table.players[A].determination) == (1, 4)
    assert sum(table.facts.powers_lost[A]) == 4


def test_golden_g09_four_burns_less_three():
    table = a_duel()
    ailments(table, A, burn=4)
    hold(table, A, "cleanse")
    concs(table, A, 1)
    play(table, A, "cleanse", 0)
    assert suffered(table, A) == {"burn": 1}


def test_golden_g10_twenty_debilitates():
    table = a_duel()
    apply(table, A, *[DEBILITATE] * 19)
    assert table.players[A].health == 1
    assert not table.over
    apply(table, A, DEBILITATE)
    assert (table.winner, table.cause) == (B, Cause.MAX_HEALTH)


def test_golden_g11_fragment_beats_a_card():
    table = a_duel()
    thing(table, A, "wide_satchel")
    assert table.max_hand(table.players[A]) == 10
    ailments(table, A, fragment=4)
    assert table.max_hand(table.players[A]) == 4


def test_golden_g12_two_free_areas_for_three_ailments():
    table = a_duel()
    ailments(table, A, burn=1, curse=1)
    thing(table, A, "binding", area=0)
    thing(table, A, "binding", area=1)
    run(table.apply_announced(A, table.players[A], [DEBILITATE, WEAKEN, INSANITY]))
    assert suffered(table, A) == {"debilitate": 1, "weaken": 1}
    assert table.facts.no_room[A] == 1


def test_golden_g13_only_curse_fits():
    table = a_duel()
    deck(table, A, "insight", "insight")
    ailments(table, A, weaken=1, insanity=1, debilitate=1, curse=3)
    for area in range(3):
        thing(table, A, "binding", area=area)
    apply(table, A, BURN)
    assert (suffered(table, A), table.players[A].health) == ({"curse": 3}, 20)
    apply(table, A, CURSE)
    assert suffered(table, A) == {"curse": 4}


def test_golden_g14_discard_three_of_one():
    table = a_duel()
    hold(table, B, "fireball")
    hold(table, A, "supernova")
    concs(table, A, 4)
    discard_three = 1
    play(table, A, "supernova", discard_three, ENEMY)
    assert table.players[B].hand == []
    assert names(table, table.players[B].discard) == ["fireball"]


@pytest.mark.parametrize(("owner", "block"), [(A, 6), (B, 6)])
def test_golden_g15_divine_barrier_on_five_burns(owner, block):
    table = a_duel()
    ailments(table, A, burn=5)
    thing(table, A, "divine_barrier", owner=owner)
    assert table.block(table.players[A]) == block
    assert suffered(table, A) == {}
    assert not table.is_level_two(table.players[A], BURN)


@pytest.mark.parametrize(("owner", "health"), [(A, 20), (B, 11)])
def test_golden_g16_divine_barrier_is_destroyed(owner, health):
    table = a_duel()
    ailments(table, A, burn=5)
    run(table.destroy(thing(table, A, "divine_barrier", owner=owner)))
    assert table.players[A].health == health
    assert suffered(table, A) == {"burn": 5}
    assert names(table, table.players[owner].discard) == ["divine_barrier"]


def test_the_types_stand_in_the_order_of_the_register():
    assert TYPES == ["burn", "debilitate", "curse", "fragment", "weaken", "insanity"]
    assert [row["id"] for row in reference_document()["ailment"]] == TYPES
    table = a_duel()
    assert card(table, B, "fireball") == 40
    assert conc(table, B).inst == 41
