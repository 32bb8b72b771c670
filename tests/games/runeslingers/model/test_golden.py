"""Golden examples G01 to G35 of the rules, played by the plain model."""

from random import Random

import pytest

from sim.games.runeslingers.state import Cause, Drain, Lost, Phase
from tests.games.runeslingers.model.documents import reference_document
from tests.games.runeslingers.model.model import new_game
from tests.games.runeslingers.model.positions import (
    BURN,
    CURSE,
    DEBILITATE,
    ENEMY,
    INSANITY,
    WEAKEN,
    A,
    AtRandom,
    B,
    a_duel,
    ailments,
    card,
    conc,
    concs,
    deck,
    discarded,
    hold,
    hurt,
    names,
    play,
    run,
    suffered,
    thing,
)
from tests.games.runeslingers.model.table import TYPES


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


def test_the_types_of_ailments_are_in_their_fixed_order():
    assert TYPES == ["burn", "debilitate", "curse", "fragment", "weaken", "insanity"]
    assert [row["id"] for row in reference_document()["ailment"]] == TYPES
    table = a_duel()
    assert card(table, B, "fireball") == 40
    assert conc(table, B).inst == 41


def test_golden_g17_two_concentrations_pay_for_plutonic_spike():
    table = a_duel()
    concs(table, A, 2)
    hold(table, A, "plutonic_spike")
    laid = play(table, A, "plutonic_spike", ENEMY)
    assert [conc.used for conc in table.players[A].concs[:2]] == [True, True]
    assert (table.players[A].light, laid.place) == (0, 0)
    assert table.players[B].health == 15


def trapped_fists():
    table = a_duel()
    concs(table, A, 3)
    concs(table, B, 1)
    hold(table, A, "flaming_fists")
    hold(table, B, "stone_trap")
    own_first_slot = 8  # of the enemy, as B sees it
    play(table, A, "flaming_fists", ENEMY, 1, own_first_slot)
    return table, table.players[B].things[0]


def test_golden_g18_stone_trap_answers_flaming_fists():
    table, trap = trapped_fists()
    assert names(table, [trap.inst, trap.under]) == ["stone_trap", "flaming_fists"]
    assert (table.players[B].health, suffered(table, B)) == (20, {})
    assert table.facts.foiled[A] == table.facts.answers[B] == table.facts.answered_cards[A] == 1


def test_golden_g19_the_trap_gives_the_card_back():
    table, trap = trapped_fists()
    run(table.destroy(trap))
    assert names(table, table.players[A].hand) == ["flaming_fists"]
    assert names(table, table.players[B].discard) == ["stone_trap"]


def test_golden_g20_after_the_setup():
    table = new_game(reference_document(), (0, 1), AtRandom(Random(1)))
    while table.pending.kind == Phase.SETUP:
        table.apply(table.codes[0])
    for player in table.players:
        assert (len(player.hand), len(player.deck), player.power, player.health) == (4, 25, 5, 20)
        assert [conc is not None for conc in player.concs] == [True] + [False] * 5
        assert not player.concs[0].used


def test_golden_g21_a_block_of_4():
    table = a_duel()
    hold(table, A, "insight")
    hurt(table, A, 1, 1)
    assert table.players[A].guard == 3
    assert (table.facts.prevented[A], table.facts.blocks[A], table.players[A].hand) == (1, 1, [])


def test_golden_g22_five_burns_and_a_curse():
    table = a_duel()
    ailments(table, A, burn=5, curse=1)
    eva = table.players[A]
    assert (table.instances(eva), len(table.exposed_areas(eva))) == (6, 2)
    assert table.is_level_two(eva, BURN)
    assert not table.is_level_two(eva, CURSE)


def test_golden_g23_talakas_heart():
    table = a_duel(stances=("talakas_heart", "striking_stance"))
    concs(table, A, 1)
    hold(table, A, "small_bolt")
    deck(table, B, "fireball", "insight", "cleanse")
    play(table, A, "small_bolt", ENEMY)
    assert names(table, table.players[B].discard) == ["fireball", "insight"]
    assert names(table, table.players[B].deck) == ["cleanse"]


@pytest.mark.parametrize(("defence", "stays"), [(8, False), (9, True)])
def test_golden_g24_fireball_at_a_defence_card(defence, stays):
    table = a_duel(more=[f"wall | chant | 1 | {defence} | c | |"])
    concs(table, A, 3)
    hold(table, A, "fireball")
    wall = thing(table, B, "wall")
    play(table, A, "fireball", 8)
    assert table.exposed(wall) is stays
    assert wall.damage == 8
    table.turn = table.rules["turn_cap"] - 1
    run(table.discard_phase())
    assert wall.damage == 0 or not stays


@pytest.mark.parametrize(("weakens", "dealt", "after"), [(2, 1, 4), (0, 0, None)])
def test_golden_g25_glancing_arrow_is_blocked(weakens, dealt, after):
    table = a_duel(stances=("patient_stance", "patient_stance"))
    concs(table, A, 2)
    hold(table, A, "glancing_arrow")
    hold(table, B, "insight")
    if weakens:
        ailments(table, B, weaken=weakens)
    block = 1
    play(table, A, "glancing_arrow", ENEMY, block)
    assert table.players[B].health == 20 - dealt
    assert suffered(table, B).get("weaken") == after
    assert (table.facts.hits[A], table.facts.hits_stopped[A]) == (dealt, 1 - dealt)


def test_golden_g26_a_deck_runs_out_in_the_middle_of_a_draw():
    table = a_duel()
    deck(table, A, "fireball")
    discarded(table, A, "insight", "cleanse", "shatter")
    run(table.take(table.players[A], 2, "draw"))
    eva = table.players[A]
    assert (len(eva.deck), len(eva.discard), len(eva.hand), eva.power) == (2, 0, 2, 4)
    assert "fireball" in names(table, eva.hand)


def test_golden_g27_no_cards():
    table = a_duel()
    deck(table, A, "fireball")
    run(table.take(table.players[A], 1, "draw"))
    assert (table.winner, table.cause, table.players[A].power) == (B, Cause.NO_CARDS, 5)


def test_golden_g28_the_first_draw():
    table = new_game(reference_document(first="seat0"), (0, 1), AtRandom(Random(1)))
    held = []
    while table.turn < 3:
        if table.pending.kind == Phase.PASS:
            held.append((table.active, 30 - len(table.players[table.active].deck) - 5))
        table.apply(table.codes[0])
    assert held == [(A, 1), (B, 2), (A, 3)]


def test_golden_g29_a_full_hand():
    table = a_duel()
    hold(table, A, *["insight"] * 8)
    deck(table, A, "fireball", "cleanse", "shatter")
    run(table.take(table.players[A], 2, "draw"))
    assert names(table, table.players[A].discard) == ["fireball", "cleanse"]
    assert (len(table.players[A].hand), table.facts.to_limit[A]) == (8, 2)


def test_golden_g30_pierce_through_a_defence_card():
    table = a_duel()
    echo = thing(table, B, "echo_chant")
    assert run(table.deal(A, echo, 8, direct=False, pierce=True)) == 5
    assert not table.exposed(echo)
    assert table.players[B].health == 17
    assert table.facts.drained[B][Drain.CARRIED] == 3


def test_golden_g31_a_barrier_is_used_up():
    table = a_duel()
    table.players[B].guard = 4
    assert hurt(table, B, 6) == 2
    assert table.players[B].guard == 0
    assert hurt(table, B, 3) == 3
    assert table.facts.prevented[B] == 4


def test_golden_g32_a_draft_leaves_thirty_cards():
    drafters, booster = 6, 9
    taken = [0] * drafters
    for _ in range(2):
        packs = [2 * booster] * drafters
        while any(packs):
            for seat in range(drafters):
                taken[seat] += 2
                packs[seat] -= 2
            packs = packs[1:] + packs[:1]
    assert taken == [36] * drafters
    assert taken[0] - 6 == reference_document()["rules"]["deck_size"] == 30


def test_golden_g33_romin_in_braced_stance():
    table = a_duel(b="romin", stances=("striking_stance", "braced_stance"))
    hold(table, B, "insight")
    hurt(table, B, 8, 1)
    assert table.facts.prevented[B] == 8
    assert table.players[B].health == 20


def test_golden_g34_eva_blocks_reckless_bolt():
    table = a_duel()
    ailments(table, B, weaken=1, burn=1)
    thing(table, B, "divine_barrier", area=1)
    hold(table, B, "insight")
    concs(table, A, 1)
    hold(table, A, "reckless_bolt")
    play(table, A, "reckless_bolt", ENEMY, 1)
    assert table.facts.prevented[B] == 5
    assert table.players[B].health == 19


def test_golden_g35_flame_of_nim_and_fireball():
    table = a_duel()
    concs(table, A, 3)
    hold(table, A, "fireball")
    table.players[A].determination = 2
    table.players[B].health = 7
    run(table.use_ability(table.players[A]))
    play(table, A, "fireball", ENEMY)
    assert (table.players[B].power, table.players[B].health) == (4, 15)
    assert (table.players[A].determination, table.facts.spent[A]) == (0, 2)
