"""Designs of teams without common parts: balance, pairs, independence, and line-ups that are refused."""

import pickle
import time
from collections import Counter
from itertools import combinations, permutations
from math import comb, prod

import numpy as np
import pytest
from scipy import stats

from sim.engine.loop import PLAN
from sim.engine.policies import PolicySpec
from sim.engine.teams import Teams
from sim.experiments.experiment import GAMES_MAX, AgainstAll, Experiment
from sim.experiments.partitions import Partitions, _nth_of, _split_mix
from sim.registry import GAMES

RANDOM = (PolicySpec.parse("random"),)
ARENA = GAMES["arena"].load(None)
SIZES = [(12, 3, 2), (12, 3, 3), (12, 3, 4), (11, 3, 2), (13, 3, 3), (6, 3, 2), (5, 2, 2), (9, 4, 2), (7, 1, 3), (20, 3, 2)]


def teams_of(parts: int, size: int) -> Teams:
    names = tuple(f"p{number}" for number in range(parts))
    return Teams(names, names, np.array(list(combinations(range(parts), size))), True, "part", "parts")


def design(parts: int, size: int, seats: int, guest: int | None = None, seed: int = 1) -> Partitions:
    return Partitions(seats, teams_of(parts, size), "teams", seed, guest)


def sat(made: Partitions, lines: np.ndarray) -> np.ndarray:
    """Games of each part on each seat, (parts, seats)."""
    found = np.zeros((made.teams.parts, made.seats), int)
    for seat in range(made.seats):
        found[:, seat] = np.bincount(made.teams.members[lines[:, seat]].ravel(), minlength=made.teams.parts)
    return found


# ---- balance --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("parts", "size", "seats"), SIZES)
def test_in_a_round_every_part_sits_equally_often_on_every_seat(parts, size, seats):
    made = design(parts, size, seats)
    for number in range(3):
        lines = made.entrants_of(np.arange(made.round_games) + number * made.round_games)
        members = made.teams.members[lines].reshape(len(lines), -1)
        assert all(len(set(line)) == seats * size for line in members.tolist())
        assert np.unique(sat(made, lines)).tolist() == [made.round_games * size // parts]


@pytest.mark.parametrize(("parts", "size", "seats"), SIZES)
def test_against_one_team_every_other_part_sits_equally_often_on_every_seat(parts, size, seats):
    guest = comb(parts, size) // 3
    made = design(parts, size, seats, guest)
    if parts - size < (seats - 1) * size:
        return
    lines = made.entrants_of(np.arange(2 * made.round_games))
    assert ((lines == guest).sum(axis=1) == 1).all()
    found, own = sat(made, lines), made.teams.members[guest]
    assert np.unique(found[own]).tolist() == [2 * made.round_games // seats]
    assert len(np.unique(np.delete(found, own, axis=0))) == 1


def test_twelve_parts_make_four_teams_and_twelve_games():
    made = design(12, 3, 2)
    assert (made.round_games, made.pair_games, made.lineups) == (12, 2, 18_480)
    lines = made.entrants_of(np.arange(12))
    four = sorted(set(lines.ravel().tolist()))
    assert sorted(made.teams.members[four].ravel().tolist()) == list(range(12))
    assert Counter(map(tuple, lines.tolist())) == dict.fromkeys(permutations(four, 2), 1)


def test_left_over_parts_rotate_within_a_round_until_all_have_been_left_out():
    made = design(11, 3, 2)
    assert made.turns == 11
    assert made.round_games == 66
    assert "in 11 turns that leave each out equally often" in made.words(66)
    assert "turns" not in design(12, 3, 2).words(12)


@pytest.mark.parametrize(("parts", "size", "seats"), SIZES)
def test_games_of_a_pair_seat_the_same_teams_once_on_every_seat(parts, size, seats):
    for guest in (None, 0):
        if guest is not None and parts < seats * size:
            continue
        made = design(parts, size, seats, guest)
        groups = made.entrants_of(np.arange(made.round_games)).reshape(-1, seats, seats)
        for shift in range(1, seats):
            assert np.array_equal(groups[:, shift], np.roll(groups[:, 0], -shift, axis=1))
        assert len(np.unique(groups.reshape(-1, seats), axis=0)) == made.round_games or made.turns > 1


def test_the_number_of_line_ups_is_that_of_all_legal_ones():
    for parts, size, seats in ((6, 2, 2), (6, 2, 3), (7, 2, 2)):
        made = design(parts, size, seats)
        members = made.teams.members.tolist()
        legal = [
            line
            for line in permutations(range(len(members)), seats)
            if len(set().union(*(members[team] for team in line))) == seats * size
        ]
        assert made.lineups == len(legal) == prod(comb(parts - seat * size, size) for seat in range(seats))
        assert design(parts, size, seats, guest=1).lineups == sum(1 in line for line in legal)


def test_every_line_up_comes_equally_often_in_the_long_run():
    made = design(6, 2, 2)
    met = Counter(map(tuple, made.entrants_of(np.arange(6 * 6000)).tolist()))
    assert len(met) == made.lineups == 90
    assert stats.chisquare([met[line] for line in met if line[0] < line[1]]).pvalue > 1e-3  # each pair holds both ways


# ---- dependence ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("guest", [None, 7])
def test_a_line_up_depends_on_the_seed_and_its_index_alone(guest):
    made = design(13, 3, 2, guest)
    whole = made.entrants_of(np.arange(5000))
    picked = np.array([4999, 3, 3, 1700, 0, 2])
    assert np.array_equal(made.entrants_of(picked), whole[picked])
    assert np.array_equal(design(13, 3, 2, guest).entrants_of(np.arange(5000)), whole)
    assert not np.array_equal(design(13, 3, 2, guest, seed=2).entrants_of(np.arange(5000)), whole)
    assert made.entrants_of(np.array([GAMES_MAX - 1])).shape == (1, 2)


def test_teams_can_be_numbered_in_any_order():
    plain = design(6, 2, 2)
    order = np.random.default_rng(3).permutation(15)
    teams = teams_of(6, 2)
    mixed = Partitions(2, Teams(teams.ids, teams.names, teams.members[order], True, "part", "parts"), "teams", 1)
    index = np.arange(60)
    assert np.array_equal(order[mixed.entrants_of(index)], plain.entrants_of(index))
    fewer = Partitions(2, Teams(teams.ids, teams.names, teams.members[1:], True, "part", "parts"), "teams", 1)
    with pytest.raises(ValueError, match="every set of 2 of 6 parts must be exactly one team"):
        fewer.entrants_of(index)


def test_orders_are_drawn_with_split_mix_64():
    """Known answers of the reference implementation (prng.di.unimi.it/splitmix64.c) for seed 1234567."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert _split_mix(np.array([1234567], np.uint64), 5).tolist() == [known]
    assert _nth_of(1234567, np.arange(5)).tolist() == known


def test_a_hundred_thousand_games_are_planned_quickly(relay_teams):
    made = design(12, 3, 2)
    made.entrants_of(np.arange(10))
    began = time.process_time()
    made.entrants_of(np.arange(100_000))
    assert time.process_time() - began < 0.2
    experiment = Experiment(relay_teams.name, relay_teams.load(None), 2, RANDOM, 100_000)
    began = time.process_time()
    experiment.plan(0, experiment.games)
    assert time.process_time() - began < 0.2


# ---- experiments -----------------------------------------------------------------------------------------------------


def test_pairs_roll_the_same_dice_and_other_pairs_others(relay_teams):
    for seats in (2, 3):
        made = Experiment(relay_teams.name, relay_teams.load(None), seats, RANDOM, 60)
        plan = made.plan(0, made.games)
        assert plan.dtype == PLAN
        assert np.array_equal(plan["game"], np.arange(made.games))
        dice = plan["dice"].reshape(-1, seats)
        assert (dice == dice[:, :1]).all()
        assert len(np.unique(dice)) == made.games // seats
        assert (dice // GAMES_MAX == seats - 1).all()
        assert np.array_equal(made.pair_of(plan["game"]), np.arange(made.games) // seats)
        assert np.array_equal(made.round_of(plan["game"]), np.arange(made.games) // made.round_games)
        assert np.array_equal(made.plan(7, 20), plan[7:27])


def test_games_are_rounded_up_to_whole_rounds(relay_teams):
    cards = relay_teams.load(None)
    for wanted, games in ((1, 6), (6, 6), (7, 12)):
        made = Experiment(relay_teams.name, cards, 2, RANDOM, wanted)
        assert (made.games, made.round_games, made.pass_games) == (games, 6, None)
    assert Experiment("arena", ARENA, 2, RANDOM, 1).round_games == 8
    assert Experiment("arena", ARENA, 2, RANDOM, 5, line_up=(0, 1)).round_games == 1


def test_games_of_other_designs_have_separate_pairs_and_dice():
    made = Experiment("arena", ARENA, 2, RANDOM, 56)
    index = np.arange(56)
    assert np.array_equal(made.pair_of(index), index)
    assert np.array_equal(made.round_of(index), index // 8)
    assert np.array_equal(made.plan(0, 56)["dice"], index + GAMES_MAX)


def test_experiments_of_teams_can_be_sent_to_other_processes(relay_teams):
    for made in (
        Experiment(relay_teams.name, relay_teams.load(None), 2, RANDOM, 60),
        AgainstAll(relay_teams.name, relay_teams.load(None), 2, RANDOM, 60, entrant=3),
    ):
        plan = made.plan(0, 12)
        assert np.array_equal(pickle.loads(pickle.dumps(made)).plan(0, 12), plan)


def test_one_against_all_works_for_any_game_and_meets_all_others_alike(coin_duel):
    for seats in (2, 3):
        made = AgainstAll("arena", ARENA, seats, RANDOM, 1, entrant=5)
        lines = made.entrants_of(np.arange(made.games))
        assert made.games == made.lineups == {2: 14, 3: 126}[seats]
        assert len(np.unique(lines, axis=0)) == made.games
        assert ((lines == 5).sum(axis=1) == 1).all()
        assert made.design == "every line-up with the 7 other heroes once, from every seat with the same dice"
    mirrored = AgainstAll(coin_duel.name, coin_duel.load(None), 2, RANDOM, 8)
    assert sorted(map(tuple, mirrored.entrants_of(np.arange(4)).tolist())) == [(0, 1), (0, 2), (1, 0), (2, 0)]
    assert made.facts()["entrant"] == ARENA.ids[5]


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"entrant": 8}, r"entrant=8: entrants are numbered 0..7"), ({"line_up": (0, 1)}, "leave the line-up out")],
)
def test_one_against_all_refuses_invalid_settings(fields, message):
    with pytest.raises(ValueError, match=message):
        AgainstAll("arena", ARENA, 2, RANDOM, 10, **fields)


def test_a_game_alone_has_no_opponents(lone_climb):
    with pytest.raises(ValueError, match="seats=1: there is no opponent"):
        AgainstAll(lone_climb.name, lone_climb.load(None), 1, RANDOM, 10)


def test_a_fixed_line_up_names_the_part_that_would_sit_twice(relay_teams):
    cards = relay_teams.load(None)
    with pytest.raises(ValueError, match="Ann would sit in two relays; each runner can sit only once at a table"):
        Experiment(relay_teams.name, cards, 2, RANDOM, 10, line_up=(0, 1))
    with pytest.raises(ValueError, match="Eve and Fay would sit in two relays"):
        Experiment(relay_teams.name, cards, 2, RANDOM, 10, line_up=(14, 14))
    made = Experiment(relay_teams.name, cards, 2, RANDOM, 10, line_up=(0, 14))
    assert made.games == 10
    assert made.facts()["line_up"] == ["ann+bo", "eve+fay"]


def test_too_few_parts_are_refused(relay_teams):
    document = dict(relay_teams.load(None).document)
    cards = relay_teams.from_document(document | {"runner": document["runner"][:5]})
    with pytest.raises(ValueError, match="seats=3: the card set has 5 runners, and this needs 6"):
        Experiment(relay_teams.name, cards, 3, RANDOM, 10)
