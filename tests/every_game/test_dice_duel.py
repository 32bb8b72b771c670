"""The tiny game with known answers: it keeps what the contract promises, and is played as often won as worked out."""

from copy import deepcopy
from dataclasses import replace
from itertools import product
from timeit import repeat

import numpy as np
import pytest

from sim.engine import contract
from sim.engine.cards import CardError, CardSet, changed
from sim.engine.contract import Game
from sim.engine.jit import COMPILED
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks, collect, replay
from tests.every_game import test_promises as promises
from tests.every_game.dice_duel import exact
from tests.every_game.play import digest, enough, experiment, fresh_dice, joined

NUMBERS = ("health", "dice", "hit_on", "armour", "damage")  # of a fighter
RANDOM = (PolicySpec.parse("random"),)
KEPT = (
    promises.test_random_play_is_legal_and_ends,
    promises.test_every_offered_decision_is_accepted,
    promises.test_listing_the_decisions_changes_nothing_and_repeats,
    promises.test_games_of_a_range_are_those_of_the_whole,
    promises.test_another_seed_gives_other_games,
    promises.test_standing_is_one_or_none_when_finished_and_nothing_before,
    promises.test_evaluate_is_a_chance_and_exact_at_the_end,
    promises.test_measures_and_questions_name_fields_that_exist,
    promises.test_each_decision_has_its_own_words,
    promises.test_a_position_can_be_read_and_placed_again,
    promises.test_line_ups_and_events_have_words,
)


def fighters(game: Game, *numbers: tuple[int, int, int, int, int], **rules: int) -> CardSet:
    """A card set of fighters with such health, dice, hit_on, armour and damage."""
    document = deepcopy(dict(game.load(None).document))
    document["fighter"] = [
        {"id": f"f{at}", "name": f"F{at}", **dict(zip(NUMBERS, one, strict=True)), "source": "assumed"}
        for at, one in enumerate(numbers)
    ]
    document["rules"] = document["rules"] | rules
    return game.from_document(document)


# ---- the contract ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("promise", KEPT, ids=lambda promise: promise.__name__.removeprefix("test_"))
def test_what_every_game_promises(dice_duel: Game, promise):
    promise(dice_duel)


def test_a_game_at_the_turn_limit_is_capped(dice_duel: Game, monkeypatch: pytest.MonkeyPatch):
    promises.test_a_game_at_the_turn_limit_is_capped_and_nobody_has_won(dice_duel, monkeypatch)


def test_same_bytes_for_any_workers_and_block_size(dice_duel: Game):
    made = experiment(dice_duel, enough(400, 24))
    expected = joined(blocks(made, jobs=1, block_games=10_000))
    for jobs, block_games in ((2, 7), (1, 16), (2, None)):
        assert joined(blocks(made, jobs, block_games)) == expected


def test_same_bytes_without_the_compiler(dice_duel: Game, python):
    shown = python("-m", "tests.every_game.play", dice_duel.name, "2", "random", "24", "1000", NUMBA_DISABLE_JIT="1")
    assert shown.strip() == digest(dice_duel, 2, "random", 24)


def test_nobody_is_asked_so_that_every_policy_plays_alike(dice_duel: Game):
    rows = [collect(experiment(dice_duel, 24, policy), jobs=1).rows for policy in ("random", "greedy:1")]
    assert rows[0].tobytes() == rows[1].tobytes()
    assert not rows[0]["decisions"].any()


def test_a_number_out_of_range_is_refused(dice_duel: Game):
    document = dice_duel.load(None).document
    for path, value in (("fighter.ogre.dice", 0), ("fighter.monk.hit_on", 7), ("rules.second_health", 21)):
        with pytest.raises(CardError, match=path.rpartition(".")[2]):
            dice_duel.from_document(changed(document, path, value))


# ---- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "damage", "armour", "loss"), [(4, 0, 0, 4), (6, 3, 0, 9), (5, 1, 2, 4), (2, 0, 2, 1), (2, 0, 3, 1)]
)
def test_a_hit_takes_what_it_shows_with_damage_without_armour_but_at_least_one(face, damage, armour, loss):
    from tests.every_game.dice_duel.play import lost  # noqa: PLC0415 - imported late: see conftest

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
def test_the_second_seat_has_more_health_or_less_but_keeps_one(dice_duel: Game, more: int, health: list[int]):
    cards = fighters(dice_duel, (20, 1, 4, 0, 0), (10, 1, 4, 0, 0), second_health=more)
    made = Experiment(dice_duel.name, cards, 2, RANDOM, 1, line_up=(0, 1))
    assert replay(made, 0).positions["health"][0].tolist() == health


def test_a_die_stays_the_same_die_when_there_are_more_of_them(dice_duel: Game):
    """And in either seat, if dice belong to the entrant: the hits of as many rounds can only grow."""
    fewer, more = (fighters(dice_duel, (90, dice, 4, 3, 0), (90, 1, 6, 3, 0)) for dice in (2, 3))
    base = Experiment(dice_duel.name, fewer, 2, RANDOM, enough(40, 4), paired=True, coupling="entrant")
    logs = [replay(replace(base, cards=cards), 0, base.games) for cards in (fewer, more)]
    for game in range(base.games):
        hits = [log.positions["hits"][(log.moves["row"] == game) & (log.moves["seat"] == 0)] for log in logs]
        shared = min(len(one) for one in hits)
        seat = int(base.plan(game, 1)["entrant"][0, 1] == 0)  # where the first fighter sits
        steps = [np.diff(one[:shared, seat]) for one in hits]
        assert (steps[1] - steps[0] >= 0).all()
        assert (steps[1] - steps[0] <= 1).all()
        other = [one[:shared, 1 - seat] for one in hits]
        assert np.array_equal(*other)


# ---- known answers ---------------------------------------------------------------------------------------------------


def by_brute_force(cards: CardSet, first: int, second: int) -> float:
    """Chance that the first seat wins, by one equation for each position and all faces of all dice spelled out."""
    record = cards.record[0]
    numbers = [{name: int(record[name][one]) for name in NUMBERS} for one in (first, second)]
    start = (numbers[0]["health"], max(1, numbers[1]["health"] + int(record["second_health"])))
    places = list(product(range(1, start[0] + 1), range(1, start[1] + 1), (0, 1)))
    place_of = {place: at for at, place in enumerate(places)}
    left, right = np.eye(len(places)), np.zeros(len(places))
    for mine, theirs, striker in places:
        me, them = numbers[striker], numbers[1 - striker]
        for faces in product(range(1, 7), repeat=me["dice"]):
            hits = [face for face in faces if face >= me["hit_on"]]
            loss = sum(max(1, face + me["damage"] - them["armour"]) for face in hits)
            after = (mine, theirs - loss) if striker == 0 else (mine - loss, theirs)
            at, chance = place_of[mine, theirs, striker], 6.0 ** -me["dice"]
            if min(after) > 0:
                left[at, place_of[*after, 1 - striker]] -= chance
            elif striker == 0:
                right[at] += chance
    return float(np.linalg.solve(left, right)[place_of[*start, 0]])


@pytest.mark.parametrize("more", [0, 3, -20])
def test_exact_chances_are_those_of_brute_force(dice_duel: Game, more: int):
    cards = fighters(dice_duel, (10, 2, 5, 1, 0), (12, 1, 3, 0, 2), (11, 1, 6, 3, 0), second_health=more)
    found = exact.first_seat_win(cards)
    for first, second in product(range(3), repeat=2):
        assert found[first, second] == pytest.approx(by_brute_force(cards, first, second), abs=1e-12)


def test_two_who_always_hit_alike_are_won_by_the_first(dice_duel: Game):
    """One die, hit on 2, three armour: 5 of 6 faces hit for 1, 1, 1, 2 or 3 health."""
    assert exact.loss_chances(1, 2, 3, 0) * 6 == pytest.approx([1, 3, 1, 1])
    assert exact.loss_chances(2, 6, 0, 3) * 36 == pytest.approx([25] + [0] * 8 + [10] + [0] * 8 + [1])
    cards = fighters(dice_duel, (10, 6, 2, 0, 3), (10, 6, 2, 0, 3))
    falls = exact.loss_chances(6, 2, 0, 3)[10:].sum()  # at the first strike
    assert exact.first_seat_win(cards)[0, 1] == pytest.approx(falls + (1 - falls) ** 2, abs=5e-3)


def test_exact_tables_fit_together(dice_duel: Game):
    cards = dice_duel.load(None)
    first, both, rates = exact.first_seat_win(cards), exact.matchup(cards), exact.win_rates(cards)
    assert np.allclose(both + both.T, 1)
    assert rates.mean() == pytest.approx(0.5)
    assert (np.diag(first) > 0.5).all()
    assert 0.22 < rates.min() < 0.28
    assert 0.72 < rates.max() < 0.78
    others = ~np.eye(len(first), dtype=bool)
    assert exact.first_seat_share(cards) == pytest.approx(first[others].mean())
    alone = exact.first_seat_win(dice_duel.from_document(changed(cards.document, "rules.turn_cap", 10_000)))
    assert np.array_equal(alone, first)


@pytest.fixture
def played(dice_duel: Game):
    """Every ordered pair equally often: 20,000 games of each."""
    return collect(Experiment(dice_duel.name, dice_duel.load(None), 2, RANDOM, 56 * enough(20_000, 20), seed=11))


def test_every_matchup_is_won_as_often_as_worked_out(dice_duel: Game, played):
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


def test_the_judge_knows_who_is_ahead(dice_duel: Game):
    """Its chances at the deal order the line-ups as the exact ones do, and are near them."""
    cards = dice_duel.load(None)
    right, judged = exact.first_seat_win(cards), np.zeros((8, 8))
    for pair in product(range(8), repeat=2):
        state = np.zeros(1, dice_duel.state)
        contract.deal(state[0], cards.record[0], np.array(pair, np.int16), fresh_dice())
        judged[pair] = contract.evaluate(state[0], cards.record[0], 0)
        assert judged[pair] + contract.evaluate(state[0], cards.record[0], 1) == pytest.approx(1)
    others = ~np.eye(8, dtype=bool)
    assert np.corrcoef(right[others], judged[others])[0, 1] > 0.97
    assert np.abs(right - judged).mean() < 0.08


@pytest.mark.skipif(not COMPILED, reason="speed of compiled games")
def test_exact_answers_are_quick(dice_duel: Game):
    cards = dice_duel.load(None)
    assert min(repeat(lambda: exact.win_rates(cards), number=1, repeat=5)) < 0.2
