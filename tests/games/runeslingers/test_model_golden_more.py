"""Golden examples of register section 9 G17 to G35 by the plain-Python model: playing, answers, draws, damage, blocks."""

from random import Random

import pytest

from sim.games.runeslingers.state import Cause, Drain, Phase
from tests.games.runeslingers.model import new_game
from tests.games.runeslingers.model_documents import reference_document
from tests.games.runeslingers.model_positions import (
    BURN,
    CURSE,
    ENEMY,
    A,
    AtRandom,
    B,
    a_duel,
    ailments,
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
