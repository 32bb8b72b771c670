"""Estimators on the dice duel, whose answers are known exactly: a long run cut into batches, each treated as a small run.

An interval must contain the truth in 95 % of the batches, and the mean of the batches must be near the truth.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from analysis.data.encounters import EncounterTally, rates, sums_of
from analysis.data.rows import Tally
from analysis.data.shares import Shares, compare, spread, spread_change
from analysis.stats.intervals import mean
from analysis.variants.compare import advantage
from analysis.variants.variant import change
from analysis.winrates.rates import by_entrant_and_place, by_place, matrix, of_encounters, win_rates
from sim.engine.cards import CardSet, changed
from sim.engine.jit import COMPILED
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from sim.run import collect
from tests.every_game.dice_duel import GAME, exact
from tests.every_game.play import shortened

pytestmark = pytest.mark.skipif(not COMPILED, reason="half a million games")

BATCHES, LEVEL = shortened(200, 4), 0.95
BATCH = 2240  # games: every ordered pair 40 times
LINEUPS = 56
CARDS = GAME.load(None)
SIZE = len(CARDS.ids)
OTHERS = ~np.eye(SIZE, dtype=bool)
FAIR = 0.5
CELL = ("low", "high", "estimate")
SEATED = 6  # slabs by seat: exact p-values are slow
SLAB = 10  # batches evaluated together, each with separate numbers of its entrants
STEPS = {  # by 1, which makes the fighter stronger
    "fighter.thief.health": 37,
    "fighter.monk.health": 47,
    "fighter.berserker.dice": 5,
    "fighter.golem.hit_on": 3,
    "fighter.berserker.armour": 1,
    "fighter.duelist.damage": 3,
}


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Register the game for all tests of this file."""
    yield register(GAME)
    del GAMES[GAME.name]


def run(cards: CardSet = CARDS, seed: int = 1, **more) -> Experiment:
    return Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), BATCHES * BATCH, seed, **more)


@cache
def rows(*, paired: bool = False) -> np.ndarray:
    return collect(run(paired=paired)).rows


def batches(games: np.ndarray) -> list[np.ndarray]:
    return np.split(games, BATCHES)


def slabs(games: np.ndarray) -> list[np.ndarray]:
    """Groups of batches with separate entrants: entrant e of the k-th batch is number SIZE k + e."""
    apart = games.copy()
    number = np.arange(len(games)) // (len(games) // BATCHES) % SLAB
    apart["entrant"][:, :2] += SIZE * number[:, None].astype(np.int16)
    return np.split(apart, BATCHES // SLAB)


NAMES = [f"{name} {batch}" for batch in range(SLAB) for name in CARDS.names]


def assert_at_its_rate(inside: np.ndarray) -> None:
    """Assert a coverage at most three standard errors below the level; a batch is a single observation."""
    by_batch = np.asarray(inside, float).reshape(len(inside), -1).mean(axis=1)
    assert by_batch.mean() + 3 * by_batch.std(ddof=1) / np.sqrt(len(inside)) >= LEVEL, by_batch.mean()


def assert_unbiased(estimates: np.ndarray, truth: np.ndarray) -> None:
    """Assert that means over the batches, (batches, ...), are within 3 standard errors of the truth, many at once within 4."""
    error = estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
    z = np.abs(estimates.mean(axis=0) - truth) / error
    assert np.max(z) < (3 if np.size(z) <= SIZE else 4), z


def holds(low: np.ndarray, high: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return (low <= truth + 1e-12) & (truth - 1e-12 <= high)


def lines(tables: list, column: str, width: int = SIZE) -> np.ndarray:
    """A column of the tables of slabs, (batches, width)."""
    return np.concatenate([table[column].to_numpy() for table in tables]).reshape(-1, width)


def ends(tables: list, width: int = SIZE) -> tuple[np.ndarray, np.ndarray]:
    return lines(tables, "low", width), lines(tables, "high", width)


def blocks_of(tables: list[np.ndarray]) -> np.ndarray:
    """The cells of each batch in matrices of slabs, (batches, SIZE, SIZE)."""
    cut = [table[index : index + SIZE, index : index + SIZE] for table in tables for index in range(0, SLAB * SIZE, SIZE)]
    return np.array(cut)


# ---- who wins --------------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_win_rates_and_seats_are_covered_at_their_level():
    right, first = exact.win_rates(CARDS), exact.first_seat_win(CARDS)
    as_first = np.array([first[index][OTHERS[index]].mean() for index in range(SIZE)])
    seats = np.column_stack([as_first, 2 * right - as_first]).ravel()
    sums = [Tally.empty(SLAB * SIZE, 2).add(slab) for slab in slabs(rows())]
    result = [win_rates(item, 2, NAMES).sort_values("entrant") for item in sums]
    assert_unbiased(lines(result, "estimate"), right)
    assert_at_its_rate(holds(*ends(result), right))
    placed = [by_entrant_and_place(item, 2, NAMES) for item in sums[:SEATED]]
    assert_unbiased(lines(placed, "estimate", 2 * SIZE), seats)
    assert_at_its_rate(holds(*ends(placed, 2 * SIZE), seats))


@pytest.mark.soak
def test_the_worth_of_seats_is_covered_at_its_level():
    share = exact.first_seat_share(CARDS)
    places = np.array([share, 1 - share])
    result = [by_place(Tally.empty(SIZE, 2).add(batch), 2) for batch in batches(rows())]
    assert_at_its_rate(holds(*ends(result, 2), places))


@pytest.mark.soak
def test_matchups_are_covered_at_their_level():
    right = exact.matchup(CARDS)[OTHERS]
    result = [matrix(Tally.empty(SLAB * SIZE, 2).add(slab), NAMES) for slab in slabs(rows())]
    low, high, rate = (blocks_of([getattr(item, name) for item in result])[:, OTHERS] for name in CELL)
    assert_at_its_rate(holds(low, high, right))
    assert_unbiased(rate, right)


@pytest.mark.soak
def test_pairs_cover_rates_matchups_and_the_first_seat_at_their_level():
    games, made = rows(paired=True), run(paired=True)
    pair, single = made.pair_of(np.arange(BATCH * SLAB)), np.ones(2 * BATCH * SLAB)
    rated, met = [], []
    for slab in slabs(games):
        group, won = slab["entrant"][:, :2].ravel(), slab["share"][:, :2].ravel()
        rated.append(rates(sums_of(np.repeat(pair, 2), group, won, single, SLAB * SIZE)))
        met.append(of_encounters(EncounterTally(NAMES, made.pair_games).add(slab).encounters()))
    assert_unbiased(lines(rated, "estimate"), exact.win_rates(CARDS))
    assert_at_its_rate(holds(*ends(rated), exact.win_rates(CARDS)))
    low, high, rate = (blocks_of([getattr(single, name) for single in met])[:, OTHERS] for name in CELL)
    assert_at_its_rate(holds(low, high, exact.matchup(CARDS)[OTHERS]))
    assert_unbiased(rate, exact.matchup(CARDS)[OTHERS])
    cut = [advantage(batch["share"][:, :2], batch["first"], np.arange(BATCH) // 2) for batch in batches(games)]
    worth = 2 * exact.first_seat_share(CARDS) - 1
    assert_at_its_rate(np.array([result.low <= worth <= result.high for result in cut]))
    assert_unbiased(np.array([result.change for result in cut]), worth)


@pytest.mark.soak
def test_the_spread_of_the_win_rates_and_the_length_are_covered_at_their_level():
    right, rounds = np.std(exact.win_rates(CARDS)), exact.mean_rounds(CARDS)[OTHERS].mean()
    apart = [spread(shares_of(batch), SIZE) for batch in batches(rows())]
    assert_at_its_rate(np.array([item.low <= right <= item.high for item in apart]))
    lengths = [mean(batch["turns"]) for batch in batches(rows())]
    assert_at_its_rate(np.array([item.low <= rounds <= item.high for item in lengths]))
    assert_unbiased(np.array([item.estimate for item in lengths]), rounds)


# ---- what if ---------------------------------------------------------------------------------------------------------


def shares_of(games: np.ndarray) -> Shares:
    seats = games["entrant"][:, :2], games["share"][:, :2]
    return Shares(*seats, games["status"] == Status.TRUNCATED, games["turns"], games["first"])


def fighter_of(path: str) -> int:
    return CARDS.ids.index(path.split(".")[1])


@cache
def tried(path: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, CardSet]:
    """Games of the changed fighter with the old number, with the new one, and with the new one and other dice."""
    cards = GAME.from_document(changed(CARDS.document, path, STEPS[path]))
    played = rows(), collect(run(cards)).rows, collect(run(cards, seed=2)).rows
    before, after, apart = (games[(games["entrant"] == fighter_of(path)).any(axis=1)] for games in played)
    return before, after, apart, cards


def shares_by_batch(slab: np.ndarray, fighter: int) -> Shares:
    """The changed fighter of each batch as a separate entrant, and all its opponents as another one."""
    batch, entrant = np.divmod(slab["entrant"][:, :2], SIZE)
    return replace(shares_of(slab), entrant=np.where(entrant == fighter, batch, SLAB))


@pytest.mark.parametrize("path", STEPS)
@pytest.mark.soak
def test_what_if_is_unbiased_and_covered_at_its_level(path: str):
    before, after, _, cards = tried(path)
    fighter = fighter_of(path)
    pairs = zip(slabs(before), slabs(after), strict=True)
    names = [*map(str, range(SLAB)), "others"]
    result = [compare(*(shares_by_batch(slab, fighter) for slab in pair), names)[:SLAB] for pair in pairs]
    right = (exact.win_rates(cards) - exact.win_rates(CARDS))[fighter]
    assert_unbiased(lines(result, "change", 1), right)
    assert_at_its_rate(holds(*ends(result, 1), right))


@pytest.mark.parametrize("path", STEPS)
@pytest.mark.soak
def test_common_dice_need_at_most_half_the_games_of_independent_ones(path: str):
    """By the reported gain and by the variance over batches. The dice of the opponent do not change."""
    before, after, apart, _ = tried(path)
    fighter = fighter_of(path)
    gain = compare(shares_of(before), shares_of(after), list(CARDS.names))["gain"][fighter]
    rate = [np.array([rate_of(fighter, batch) for batch in batches(item)]) for item in (before, after, apart)]
    seen = (rate[2] - rate[0]).var() / (rate[1] - rate[0]).var()
    assert gain >= 2
    assert seen >= 2
    worse = (after["share"] < before["share"])[after["entrant"] == fighter]
    assert not worse.any()  # the best possible gain of any coupling


def rate_of(fighter: int, games: np.ndarray) -> float:
    return float(games["share"][:, :2][games["entrant"][:, :2] == fighter].mean())


def test_the_change_of_all_win_rates_is_near_the_exact_one():
    """With the function that plays both sets: more health for the second seat, on which all fighters sit equally often."""
    cards = GAME.from_document(changed(CARDS.document, "rules.second_health", 8))
    result = change(replace(run(), games_wanted=500 * LINEUPS), cards)
    right = exact.win_rates(cards) - exact.win_rates(CARDS)
    assert (np.abs(result["change"] - right) < (result["high"] - result["low"])).all()
    assert exact.first_seat_share(cards) < FAIR < exact.first_seat_share(CARDS)


@pytest.mark.soak
def test_a_change_of_the_spread_is_covered_at_its_level():
    cards = GAME.from_document(changed(CARDS.document, "fighter.knight.health", 38))
    right = np.std(exact.win_rates(cards)) - np.std(exact.win_rates(CARDS))
    pairs = zip(batches(rows()), batches(collect(run(cards)).rows), strict=True)
    result = [spread_change(*map(shares_of, pair), SIZE) for pair in pairs]
    assert_at_its_rate(np.array([item.low <= right <= item.high for item in result]))
    assert_unbiased(np.array([item.change for item in result]), right)
