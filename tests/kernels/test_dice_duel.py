"""The tiny game with known answers: its rules, and that wins are as frequent as computed."""

from copy import deepcopy
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.cards import CardSet, changed
from sim.engine.contract import Game
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import collect, replay
from tests.every_game.dice_duel import exact
from tests.every_game.play import experiment, fresh_dice

NUMBERS = ("health", "dice", "hit_on", "armour", "damage")  # of a fighter
RANDOM = (PolicySpec.parse("random"),)


def fighters(game: Game, *numbers: tuple[int, int, int, int, int], **rules: int) -> CardSet:
    """A card set of fighters with the given health, dice, hit_on, armour and damage."""
    document = deepcopy(dict(game.load(None).document))
    document["fighter"] = [
        {"id": f"f{number}", "name": f"F{number}", **dict(zip(NUMBERS, values, strict=True)), "source": "assumed"}
        for number, values in enumerate(numbers)
    ]
    document["rules"] = document["rules"] | rules
    return game.from_document(document)


def test_without_decisions_every_policy_plays_alike(dice_duel: Game):
    rows = [collect(experiment(dice_duel, 24, policy), jobs=1).rows for policy in ("random", "greedy:1")]
    assert rows[0].tobytes() == rows[1].tobytes()
    assert not rows[0]["decisions"].any()


# ---- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "damage", "armour", "loss"), [(4, 0, 0, 4), (6, 3, 0, 9), (5, 1, 2, 4), (2, 0, 2, 1), (2, 0, 3, 1)]
)
def test_a_hit_takes_its_face_plus_damage_minus_armour_but_at_least_one(face, damage, armour, loss):
    from tests.every_game.dice_duel import lost  # noqa: PLC0415 - imported late: see conftest

    assert lost(face, damage, armour) == loss


def test_the_first_seat_strikes_first_and_a_round_ends_with_the_second_strike_or_a_fall(dice_duel: Game):
    log = replay(experiment(dice_duel, 8), 0, 8)
    for row in range(8):
        moves, positions = log.moves[log.moves["row"] == row], log.positions[log.moves["row"] == row]
        strikes = len(moves) - 1
        assert moves["seat"][:-1].tolist() == [0, 1] * (strikes // 2) + [0] * (strikes % 2)
        assert positions["turn"][:-1].tolist() == [strike // 2 for strike in range(strikes)]
        assert log.rows["turns"][row] == log.outcomes["rounds"][row] == (strikes + 1) // 2
        assert (positions["health"][-1] == log.outcomes["health"][row, :2]).all()
        assert positions["health"][-1].min() == 0 < positions["health"][-1].max()


@pytest.mark.parametrize(("more", "health"), [(7, [20, 17]), (-4, [20, 6]), (-20, [20, 1])])
def test_the_second_seat_has_more_or_less_health_but_at_least_one(dice_duel: Game, more: int, health: list[int]):
    cards = fighters(dice_duel, (20, 1, 4, 0, 0), (10, 1, 4, 0, 0), second_health=more)
    made = Experiment(dice_duel.name, cards, 2, RANDOM, 1, line_up=(0, 1))
    assert replay(made, 0).positions["health"][0].tolist() == health


def test_a_die_rolls_the_same_when_another_is_added(dice_duel: Game):
    """In either seat, if dice belong to the entrant: the hits of a number of rounds can only grow."""
    fewer, more = (fighters(dice_duel, (90, dice, 4, 3, 0), (90, 1, 6, 3, 0)) for dice in (2, 3))
    base = Experiment(dice_duel.name, fewer, 2, RANDOM, 4, paired=True, coupling="entrant")
    logs = [replay(replace(base, cards=cards), 0, base.games) for cards in (fewer, more)]
    for game in range(base.games):
        hits = [log.positions["hits"][(log.moves["row"] == game) & (log.moves["seat"] == 0)] for log in logs]
        shared = min(len(rolled) for rolled in hits)
        seat = int(base.plan(game, 1)["entrant"][0, 1] == 0)  # seat of the first fighter
        steps = [np.diff(rolled[:shared, seat]) for rolled in hits]
        assert (steps[1] - steps[0] >= 0).all()
        assert (steps[1] - steps[0] <= 1).all()
        others = [rolled[:shared, 1 - seat] for rolled in hits]
        assert np.array_equal(*others)


# ---- known answers ---------------------------------------------------------------------------------------------------


def by_brute_force(cards: CardSet, first: int, second: int) -> float:
    """Chance that the first seat wins, by one equation for each position over all faces of all dice."""
    record = cards.record[0]
    numbers = [{name: int(record[name][fighter]) for name in NUMBERS} for fighter in (first, second)]
    start = (numbers[0]["health"], max(1, numbers[1]["health"] + int(record["second_health"])))
    places = list(product(range(1, start[0] + 1), range(1, start[1] + 1), (0, 1)))
    place_of = {place: index for index, place in enumerate(places)}
    left, right = np.eye(len(places)), np.zeros(len(places))
    for mine, theirs, striker in places:
        striker_numbers, opponent = numbers[striker], numbers[1 - striker]
        for faces in product(range(1, 7), repeat=striker_numbers["dice"]):
            hits = [face for face in faces if face >= striker_numbers["hit_on"]]
            loss = sum(max(1, face + striker_numbers["damage"] - opponent["armour"]) for face in hits)
            after = (mine, theirs - loss) if striker == 0 else (mine - loss, theirs)
            row, chance = place_of[mine, theirs, striker], 6.0 ** -striker_numbers["dice"]
            if min(after) > 0:
                left[row, place_of[*after, 1 - striker]] -= chance
            elif striker == 0:
                right[row] += chance
    return float(np.linalg.solve(left, right)[place_of[*start, 0]])


@pytest.mark.parametrize("more", [0, 3, -20])
def test_exact_chances_are_those_of_brute_force(dice_duel: Game, more: int):
    cards = fighters(dice_duel, (10, 2, 5, 1, 0), (12, 1, 3, 0, 2), (11, 1, 6, 3, 0), second_health=more)
    wins = exact.first_seat_win(cards)
    for first, second in product(range(3), repeat=2):
        assert wins[first, second] == pytest.approx(by_brute_force(cards, first, second), abs=1e-12)


def test_six_dice_that_hit_on_2_decide_a_mirror_match_in_two_strikes(dice_duel: Game):
    """One die, hit on 2, three armour: 5 of 6 faces hit for 1, 1, 1, 2 or 3 health."""
    assert exact.loss_chances(1, 2, 3, 0) * 6 == pytest.approx([1, 3, 1, 1])
    assert exact.loss_chances(2, 6, 0, 3) * 36 == pytest.approx([25] + [0] * 8 + [10] + [0] * 8 + [1])
    cards = fighters(dice_duel, (10, 6, 2, 0, 3), (10, 6, 2, 0, 3))
    falls = exact.loss_chances(6, 2, 0, 3)[10:].sum()  # at the first strike
    assert exact.first_seat_win(cards)[0, 1] == pytest.approx(falls + (1 - falls) ** 2, abs=5e-3)


def test_exact_tables_are_consistent(dice_duel: Game):
    cards = dice_duel.load(None)
    first_wins, matchup, rates = exact.first_seat_win(cards), exact.matchup(cards), exact.win_rates(cards)
    assert np.allclose(matchup + matchup.T, 1)
    assert rates.mean() == pytest.approx(0.5)
    assert (np.diag(first_wins) > 0.5).all()
    assert 0.22 < rates.min() < 0.28
    assert 0.72 < rates.max() < 0.78
    others = ~np.eye(len(first_wins), dtype=bool)
    assert exact.first_seat_share(cards) == pytest.approx(first_wins[others].mean())
    uncapped = exact.first_seat_win(dice_duel.from_document(changed(cards.document, "rules.turn_cap", 10_000)))
    assert np.array_equal(uncapped, first_wins)


@pytest.fixture
def played(dice_duel: Game):
    """20,000 games of every ordered pair."""
    return collect(Experiment(dice_duel.name, dice_duel.load(None), 2, RANDOM, 56 * 20, seed=11))


@pytest.mark.slow
def test_every_matchup_is_won_at_its_exact_rate(dice_duel: Game, played):
    cards = dice_duel.load(None)
    right, rounds = exact.first_seat_win(cards), exact.mean_rounds(cards)
    rows = played.rows
    assert (rows["status"] == Status.FINISHED).all()
    cell = rows["entrant"][:, 0].astype(int) * 8 + rows["entrant"][:, 1]
    others = ~np.eye(8, dtype=bool)
    games = np.bincount(cell, minlength=64).reshape(8, 8)[others]
    assert set(games) == {played.experiment.games // 56}
    share = np.bincount(cell, rows["share"][:, 0], 64).reshape(8, 8)[others] / games
    error = np.sqrt(right[others] * (1 - right[others]) / games)
    assert (np.abs(share - right[others]) < 4 * error).all()
    turns, squares = (np.bincount(cell, rows["turns"] ** k, 64).reshape(8, 8)[others] / games for k in (1.0, 2.0))
    assert (np.abs(turns - rounds[others]) < 4 * np.sqrt((squares - turns**2) / games)).all()


def test_the_evaluation_knows_who_is_ahead(dice_duel: Game):
    """At the deal it orders the line-ups as the exact chances do, and is near them."""
    cards = dice_duel.load(None)
    exact_wins, evaluated = exact.first_seat_win(cards), np.zeros((8, 8))
    for pair in product(range(8), repeat=2):
        state = np.zeros(1, dice_duel.state)
        contract.deal(state[0], cards.record[0], np.array(pair, np.int16), fresh_dice())
        evaluated[pair] = contract.evaluate(state[0], cards.record[0], 0)
        assert evaluated[pair] + contract.evaluate(state[0], cards.record[0], 1) == pytest.approx(1)
    others = ~np.eye(8, dtype=bool)
    assert np.corrcoef(exact_wins[others], evaluated[others])[0, 1] > 0.97
    assert np.abs(exact_wins - evaluated).mean() < 0.08
