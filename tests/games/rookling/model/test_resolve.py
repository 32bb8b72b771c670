"""Golden examples of resolving (G-05 to G-17), by the plain-Python model."""

from fractions import Fraction
from random import Random

import pytest

from sim.games.rookling.state import Phase
from tests.games.rookling.model.resolve import ENDS, Switches, best_response, ways

Lives = tuple[int, ...]
NONE = (0, 0, 0)


def reachable(life, attacks, defences=NONE, switches=None) -> set[Lives]:
    """All results that the defender can choose from."""
    return {tuple(way.clash.life) for way in ways(life, attacks, defences, switches)}


def chances(life, attacks, defences=NONE) -> dict[Lives, Fraction]:
    """How likely each result is if everything is decided at random."""
    found: dict[Lives, Fraction] = {}
    for way in ways(life, attacks, defences):
        found[tuple(way.clash.life)] = found.get(tuple(way.clash.life), Fraction(0)) + way.chance
    return found


def only(life, attacks, defences=NONE):
    """The one way there is."""
    (way,) = ways(life, attacks, defences)
    assert way.decisions == ()
    return way.clash


@pytest.mark.parametrize(
    ("siege", "struck", "landing"),
    [
        ({0}, 0, {1}),
        ({2}, 2, {1}),
        ({1}, 1, {0, 2}),
        ({0, 1}, 0, {2}),
        ({0, 1}, 1, {2}),
        ({1, 2}, 1, {0}),
        ({1, 2}, 2, {0}),
        ({0, 2}, 0, {1}),
        ({0, 2}, 2, {1}),
    ],
)
def test_golden_g05_where_a_spill_lands(siege, struck, landing):
    life = [0 if position in siege else 6 for position in range(3)]
    attacks = [1 if position == struck else 0 for position in range(3)]
    assert {way.clash.log[0].landed for way in ways(life, attacks)} == landing


def test_golden_g06_an_attack_that_is_fully_blocked_is_no_hit():
    clash = only((5, 6, 6), (3, 0, 0), (3, 0, 0))
    assert (clash.life, clash.hits) == ([5, 6, 6], {})


def test_golden_g07_what_is_left_of_an_attack_hits():
    clash = only((5, 6, 6), (4, 0, 0), (1, 0, 0))
    assert (clash.life, clash.hits) == ([2, 6, 6], {0: 0})


def test_golden_g08_excess_is_lost():
    clash = only((6, 2, 6), (0, 5, 0))
    assert clash.life == [6, 0, 6]
    assert clash.log[0].excess == 3


def test_golden_g09_a_spill_lands_on_the_neighbour():
    assert only((0, 6, 6), (4, 0, 0)).life == [0, 2, 6]


def test_golden_g10_one_in_siege_state_blocks_and_the_defender_chooses_the_side_of_the_rest():
    assert reachable((6, 0, 6), (0, 5, 0), (0, 2, 0)) == {(3, 0, 6), (6, 0, 3)}


def test_golden_g11_the_third_flip_loses():
    clash = only((0, 0, 1), (2, 0, 0))
    assert clash.life == [0, 0, 0]
    assert clash.lost


def test_golden_g12_blocking_the_spill_or_the_attack():
    found = {way.decisions: tuple(way.clash.life) for way in ways((0, 6, 6), (4, 3, 0), (0, 4, 0))}
    spill_first = (Phase.NEXT, 0)
    assert found[spill_first, (Phase.BLOCK, 1)] == (0, 3, 6)
    assert found[spill_first, (Phase.BLOCK, 0)] == (0, 2, 6)
    assert set(found.values()) == {(0, 3, 6), (0, 2, 6)}
    assert best_response((0, 6, 6), (4, 3, 0), (0, 4, 0)).clash.life == [0, 3, 6]


def test_golden_g13_the_order_decides_what_is_lost_as_excess():
    found = {way.decisions: way.clash.life for way in ways((0, 2, 6), (4, 2, 0))}
    assert found == {((Phase.NEXT, 0),): [0, 0, 4], ((Phase.NEXT, 1),): [0, 0, 2]}
    assert best_response((0, 2, 6), (4, 2, 0)).decisions == ((Phase.NEXT, 0),)


def test_golden_g14_the_best_response_has_value_8_and_two_hits():
    problem = ((0, 2, 6), (3, 5, 0), (0, 3, 0))
    assert reachable(*problem) == {(0, 0, 3), (0, 0, 4), (0, 0, 6)}
    best = best_response(*problem)
    assert best.clash.life == [0, 0, 6]
    assert best.value == (True, 8, -2)
    assert any(packet.struck == 0 and packet.blocks == (1,) for packet in best.clash.log)


def test_golden_g15_without_siege_state_the_order_does_not_matter():
    assert reachable((6, 6, 6), (5, 4, 3), (2, 0, 3)) == {(3, 2, 6)}


def test_golden_g16_44_ways_to_resolve():
    assert len(list(ways((6, 0, 3), (2, 7, 2), (1, 0, 1)))) == 44


def test_section_4_4_54_ways_in_the_widest_position_if_those_in_siege_state_block_in_the_chain():
    switches = Switches(siege_chain_blocks=True)
    assert len(list(ways((6, 0, 0), (5, 3, 5), (2, 1, 1), switches))) == 54


def test_golden_g17_a_random_defender_takes_either_order():
    assert chances((0, 2, 6), (4, 2, 0)) == {(0, 0, 4): Fraction(1, 2), (0, 0, 2): Fraction(1, 2)}


# rule variants


def test_a11_the_middle_of_a_chain_blocks_with_the_switch_only():
    problem = ((0, 0, 6), (5, 0, 0), (0, 2, 0))
    assert reachable(*problem) == {(0, 0, 1)}
    assert reachable(*problem, Switches(siege_chain_blocks=True)) == {(0, 0, 3)}


def test_a11_one_in_siege_state_keeps_its_block_for_a_packet_that_may_still_come():
    problem = ((0, 0, 6), (5, 1, 0), (0, 2, 0))
    switches = Switches(siege_chain_blocks=True)
    held = ((Phase.NEXT, 0), (Phase.BLOCK, 0))
    assert {way.decisions: way.clash.life for way in ways(*problem, switches)}[held] == [0, 0, 1]
    assert reachable(*problem) == {(0, 0, 1)}


def test_a11_a_packet_that_the_middle_blocks_away_lands_nowhere():
    (way,) = ways((0, 0, 6), (2, 0, 0), (0, 3, 4), Switches(siege_chain_blocks=True))
    assert way.clash.log[0].landed is None
    assert way.clash.used == {1}


def test_a13_a_block_may_be_held_back_freely_with_the_switch_only():
    problem = ((6, 6, 6), (4, 0, 0), (3, 0, 0))
    assert reachable(*problem) == {(5, 6, 6)}
    assert reachable(*problem, Switches(hold_block="free")) == {(5, 6, 6), (2, 6, 6)}


def test_a13_one_in_siege_state_must_block_all_the_same():
    assert reachable((0, 6, 6), (4, 0, 0), (3, 0, 0), Switches(hold_block="free")) == {(0, 5, 6)}


def test_a16_a_hit_is_measured_where_it_lands_with_the_switch():
    problem = ((0, 6, 6), (4, 0, 0), (1, 2, 0))
    (struck,), (landed,) = ways(*problem), ways(*problem, Switches(hit_on_landing=True))
    assert struck.clash.hits == {0: 0}
    assert landed.clash.hits == {0: 1}
    (blocked,) = ways((0, 6, 6), (4, 0, 0), (1, 3, 0), Switches(hit_on_landing=True))
    assert blocked.clash.hits == {}


# invariants over random positions


def random_problem(rng: Random) -> tuple[Lives, Lives, Lives]:
    """A position that can come up, siege-states and blocks more often than in a game."""
    life = [rng.choice((0, 0, 1, 2, 3, 4, 6)) for _ in range(3)]
    life[rng.randrange(3)] = rng.randint(1, 6)
    attacks = [rng.choice((0, 1, 2, 3, 4, 5, 8)) for _ in range(3)]
    return tuple(life), tuple(attacks), tuple(rng.choice((0, 0, 1, 2, 3)) for _ in range(3))


def random_switches(rng: Random) -> Switches:
    """All switches that change how packets resolve."""
    return Switches(rng.random() < 0.5, rng.choice(("if_more", "free")), rng.random() < 0.5)


@pytest.mark.parametrize("seed", range(10))
def test_invariants_6_and_7_no_damage_comes_from_nowhere_and_each_blocks_once(seed):
    rng = Random(seed)
    for _ in range(100):
        life, attacks, defences = random_problem(rng)
        for way in ways(life, attacks, defences, random_switches(rng)):
            log = way.clash.log
            lost = sum(life) - sum(way.clash.life)
            assert lost == sum(packet.dealt for packet in log) <= sum(attacks)
            assert all(packet.blocked + packet.dealt + packet.excess == packet.amount for packet in log)
            resolved = [packet.struck for packet in log]
            facing = [position for position in range(3) if attacks[position]]
            assert sorted(resolved) == facing or (way.clash.lost and set(resolved) < set(facing))
            blocks = [position for packet in log for position in packet.blocks]
            assert len(blocks) == len(set(blocks))
            assert all(way.clash.life[packet.landed] == 0 for packet in log if packet.excess)


@pytest.mark.parametrize("seed", range(10))
def test_invariant_8_left_and_right_reversed_mirror_every_result(seed):
    rng = Random(seed)
    for _ in range(100):
        problem, switches = random_problem(rng), random_switches(rng)
        mirrored = tuple(numbers[::-1] for numbers in problem)
        results, others = (
            sorted((way.chance, way.clash.life[::turn], sorted(way.clash.hits)) for way in ways(*given, switches))
            for given, turn in ((problem, 1), (mirrored, -1))
        )
        turned = sorted((chance, life, sorted(2 - struck for struck in hits)) for chance, life, hits in others)
        assert results == turned
        assert sum(chance for chance, _, _ in results) == 1


@pytest.mark.parametrize("seed", range(5))
def test_invariant_8_nobody_in_siege_state_no_spill_and_one_result(seed):
    rng = Random(seed)
    for _ in range(100):
        _, attacks, defences = random_problem(rng)
        life = tuple(rng.randint(1, 6) for _ in range(3))
        if all(attack - defence >= points for attack, defence, points in zip(attacks, defences, life, strict=True)):
            continue  # lost
        logs = [way.clash.log for way in ways(life, attacks, defences)]
        assert all(packet.landed == packet.struck for log in logs for packet in log)
        assert len(reachable(life, attacks, defences)) == 1


def test_the_best_response_is_the_first_of_the_best_in_canonical_order():
    rng = Random(1)
    for _ in range(300):
        problem = random_problem(rng)
        found = list(ways(*problem))
        best = max(way.value for way in found)
        assert best_response(*problem).decisions == next(way.decisions for way in found if way.value == best)


def test_canonical_order_is_position_ascending_left_first_block_first():
    def key(decision):
        phase, option = decision
        return 1 - option if phase == Phase.BLOCK else option

    order = [[key(decision) for decision in way.decisions] for way in ways((6, 0, 3), (2, 7, 2), (1, 0, 1))]
    assert order == sorted(order)
    assert ENDS == (0, 2)
