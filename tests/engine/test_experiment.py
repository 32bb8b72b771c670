"""Designs of line-ups: balance, independence, and the messages for experiments that cannot be played."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sim.engine.dice import SEATS_MAX
from sim.engine.policies import PolicySpec
from sim.experiments.designs import SHUFFLED_ROUNDS_MAX, _round_order
from sim.experiments.experiment import GAMES_MAX, Experiment
from sim.registry import GAMES
from sim.seeds import SEED_MAX

RANDOM = PolicySpec.parse("random")
ARENA = GAMES["arena"].load(None)
ENTRANTS = len(ARENA.ids)


def arena(games: int, seats: int = 2, **fields: object) -> Experiment:
    return Experiment("arena", ARENA, seats, **({"policies": (RANDOM,), "games_wanted": games} | fields))


def lineups_of(experiment: Experiment) -> list[tuple[int, ...]]:
    return [tuple(line) for line in experiment.entrants_of(np.arange(experiment.games)).tolist()]


# ---- balance --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("games", [1, 50, 1000])
def test_every_entrant_sits_equally_often_on_every_seat(seats, games):
    experiment = arena(games, seats)
    assert games <= experiment.games < games + ENTRANTS
    table = np.array(lineups_of(experiment))
    for seat in range(seats):
        assert np.bincount(table[:, seat], minlength=ENTRANTS).tolist() == [experiment.games // ENTRANTS] * ENTRANTS
    assert all(len(set(line)) == seats for line in table.tolist())


@pytest.mark.parametrize("seats", [2, 3])
def test_a_whole_pass_holds_every_line_up_once(seats):
    everything = set(itertools.permutations(range(ENTRANTS), seats))
    experiment = arena(3 * len(everything), seats)
    assert experiment.lineups == len(everything)
    assert Counter(lineups_of(experiment)) == dict.fromkeys(everything, 3)


def test_a_sample_repeats_no_line_up_within_a_pass():
    drawn = lineups_of(arena(800, 4))
    assert len(drawn) < arena(1, 4).lineups
    assert len(set(drawn)) == len(drawn)


def test_if_entrants_can_meet_themselves_a_pass_includes_those_line_ups(coin_duel):
    for seats in (2, 3):
        experiment = Experiment("coin_duel", coin_duel.load(None), seats, (RANDOM,), 3**seats)
        assert Counter(lineups_of(experiment)) == dict.fromkeys(itertools.product(range(3), repeat=seats), 1)


@pytest.mark.parametrize("rounds", [1, 2, 7, 5040, SHUFFLED_ROUNDS_MAX + 1, SHUFFLED_ROUNDS_MAX * 2])
def test_the_order_of_rounds_is_a_bijection(rounds):
    places = np.arange(rounds)
    for number in (0, 1):
        assert np.array_equal(np.sort(_round_order(3, number, rounds, places)), places)
    if rounds > 2:
        assert not np.array_equal(_round_order(3, 0, rounds, places), _round_order(3, 1, rounds, places))


def test_a_line_up_does_not_depend_on_how_many_games_there_are():
    few, many = arena(100, 3), arena(5000, 3)
    assert lineups_of(many)[: few.games] == lineups_of(few)
    assert lineups_of(arena(100, 3, seed=2)) != lineups_of(few)


def test_a_fixed_line_up_is_played_in_every_game():
    experiment = arena(11, line_up=(5, 2))
    assert experiment.games == 11
    assert set(lineups_of(experiment)) == {(5, 2)}
    assert experiment.design == "one fixed line-up"


def test_the_design_describes_its_line_ups():
    pairs = ENTRANTS * (ENTRANTS - 1)
    assert arena(pairs).design == f"exhaustive: each of the {pairs} line-ups once"
    assert arena(3 * pairs).design == f"exhaustive: each of the {pairs} line-ups 3 times"
    assert arena(pairs + 1).design.startswith(f"exhaustive: each of the {pairs} line-ups once, and 8 further games")
    assert arena(10).design.endswith(f"out of {pairs} possible")


# ---- the plan -------------------------------------------------------------------------------------------------------


def test_a_part_of_a_plan_equals_that_part_of_the_whole():
    experiment = arena(300, 3, coupling="entrant")
    whole = experiment.plan(0, experiment.games)
    assert np.array_equal(experiment.plan(37, 100), whole[37:137])
    assert (whole["entrant"][:, 3] == -1).all()
    assert np.array_equal(whole["game"], np.arange(experiment.games))
    assert set(whole["seats"]) == {3}


def test_one_policy_is_for_all_seats_and_several_are_by_seat():
    assert (arena(8).plan(0, 8)["player"] == 0).all()
    mixed = arena(8, policies=(RANDOM, PolicySpec.parse("greedy:3")))
    assert mixed.plan(0, 8)["player"][:, :2].tolist() == [[0, 1]] * 8
    assert mixed.player_table.tolist() == [(0, 4, 0, 0, 0, 0), (1, 3, 0, 0, 0, 0)]
    assert mixed.policy_words == "random,greedy:3"


def test_policies_can_be_named_or_single():
    greedy = PolicySpec.parse("greedy")
    assert arena(8, policies="greedy").policies == (greedy,)
    assert arena(8, policies=greedy).policies == (greedy,)
    assert arena(8, policies="greedy,random").policies == (greedy, RANDOM)
    assert arena(8, policies=["greedy", RANDOM]).policies == (greedy, RANDOM)
    assert arena(8, policies="greedy") == arena(8, policies=(greedy,))


@pytest.mark.parametrize("wrong", [None, 3, (1, 2)])
def test_invalid_policies_are_refused_with_the_right_notation(wrong):
    with pytest.raises(TypeError, match=r"must be policies, such as \(PolicySpec.parse\('greedy:4'\),\)"):
        arena(8, policies=wrong)
    with pytest.raises(ValueError, match="policy='gredy' is not known; known are random, greedy"):
        arena(8, policies="gredy")


def test_dice_belong_to_the_seat_or_to_the_entrant():
    by_seat, by_entrant = (arena(56, coupling=coupling).plan(0, 56) for coupling in ("seat", "entrant"))
    assert (by_seat["stream"] == np.arange(SEATS_MAX)).all()
    assert np.array_equal(by_entrant["stream"][:, :2], SEATS_MAX + by_entrant["entrant"][:, :2])


def test_experiments_with_other_numbers_of_seats_roll_other_dice():
    dice = [arena(56, seats).plan(0, 56)["dice"].tolist() for seats in (2, 3, 4)]
    assert len({*dice[0], *dice[1], *dice[2]}) == 3 * 56


def test_no_two_seats_share_dice_even_with_the_same_entrant(coin_duel):
    for coupling in ("seat", "entrant"):
        made = Experiment("coin_duel", coin_duel.load(None), 3, (RANDOM,), 27, coupling=coupling)
        for line in made.plan(0, 27):
            assert len(set(line["stream"].tolist())) == SEATS_MAX


def test_games_out_of_range_are_refused():
    with pytest.raises(ValueError, match=r"games 50..60 are not within 0..55"):
        arena(56).plan(50, 11)


def test_facts_repeat_the_experiment():
    facts = arena(10, 3, seed=4).facts()
    assert facts["games"] == 16
    assert facts["seed"] == 4
    assert facts["cards_digest"] == ARENA.digest
    assert facts["policy"] == "random"


# ---- experiments that cannot be played ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seats": 5}, r"seats=5: Arena is played by 2, 3 or 4 seats"),
        ({"games_wanted": 0}, "games=0 must be at least 1"),
        ({"games_wanted": GAMES_MAX + 1}, rf"games={GAMES_MAX + 1} must be at most {GAMES_MAX}"),
        ({"games_wanted": GAMES_MAX + 1}, "games="),
        ({"seed": -1}, rf"seed=-1 must be 0..{SEED_MAX}"),
        ({"seed": SEED_MAX + 1}, "seed="),
        ({"policies": (RANDOM,) * 3}, r"policies=.random,random,random.: give one for all seats, or 2, one for each"),
        ({"policies": ()}, r"policies=..: give one"),
        ({"line_up": (0,)}, r"line_up=\(0,\) has 1 entrants for 2 seats"),
        ({"line_up": (0, ENTRANTS)}, rf"entrants are numbered 0..{ENTRANTS - 1}"),
        ({"line_up": (0, -1)}, "entrants are numbered"),
        ({"line_up": (1, 1)}, "no entrant can sit on two seats"),
    ],
)
def test_an_experiment_that_cannot_be_played_is_refused_in_one_line(fields, message):
    with pytest.raises(ValueError, match=message) as refused:
        arena(10, **fields) if "seats" not in fields else arena(10, fields["seats"])
    assert "\n" not in str(refused.value)


def test_too_few_entrants_are_refused():
    few = replace(ARENA, ids=ARENA.ids[:2])
    with pytest.raises(ValueError, match="the card set has 2 entrants, and this needs 3"):
        Experiment("arena", few, 3, (RANDOM,), 10)


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="game='chess' is not known; known are arena"):
        Experiment("chess", ARENA, 2, (RANDOM,), 10)


def test_the_largest_experiment_can_be_planned():
    experiment = arena(GAMES_MAX, 4, coupling="entrant")
    last = experiment.plan(experiment.games - 3, 3)
    assert last["game"].tolist() == [experiment.games - 3, experiment.games - 2, experiment.games - 1]
    assert (last["dice"] < 2**48).all()


# ---- pairs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_paired_design_plays_every_line_up_from_all_seats_with_the_same_dice(seats):
    paired, single = arena(10 * ENTRANTS, seats, paired=True), arena(10 * ENTRANTS, seats)
    assert paired.pair_games == seats
    assert paired.games == -(-10 // seats) * seats * ENTRANTS
    groups = np.array(lineups_of(paired)).reshape(-1, seats, seats)
    for turn in range(seats):
        assert np.array_equal(groups[:, turn], np.roll(groups[:, 0], -turn, axis=1))
    assert groups[:, 0].tolist() == single.entrants_of(np.arange(len(groups))).tolist()
    plan = paired.plan(0, paired.games)
    assert [len(set(dice)) for dice in plan["dice"].reshape(-1, seats).tolist()] == [1] * len(groups)
    assert len(set(plan["dice"].tolist())) == len(groups)
    table = np.array(lineups_of(paired))
    for seat in range(seats):
        assert len(set(np.bincount(table[:, seat], minlength=ENTRANTS).tolist())) == 1


def test_a_whole_pass_of_a_paired_design_holds_every_line_up_once_from_every_seat():
    paired = arena(1, 2, paired=True)
    assert paired.pass_games == 2 * ENTRANTS * (ENTRANTS - 1)
    counted = Counter(lineups_of(arena(paired.pass_games, 2, paired=True)))
    assert counted == dict.fromkeys(itertools.permutations(range(ENTRANTS), 2), 2)


def test_one_line_up_can_be_paired_and_one_seat_cannot(coin_duel):
    assert lineups_of(arena(4, 2, line_up=(3, 5), paired=True)) == [(3, 5), (5, 3)] * 2
    assert "each from every seat with the same dice" in arena(4, 2, paired=True).design
    rogue = GAMES["cardrogue"]
    alone = Experiment("cardrogue", rogue.load(None), 1, (RANDOM,), 12, paired=True)
    assert alone.pair_games == 1


def test_pairing_does_not_change_a_design_that_is_always_paired():
    rookling = GAMES["rookling"]
    made = [Experiment("rookling", rookling.load(None), 2, (RANDOM,), 50, paired=paired) for paired in (False, True)]
    assert made[0].pair_games == made[1].pair_games == 2
    assert lineups_of(made[0]) == lineups_of(made[1])
