"""Marks on sets of equals: Holm's occur in at most 5 % of the runs, and at most 5 % of Benjamini and Hochberg's are wrong.

Runs are batches of a long run of the dice duel with equal fighters, or drawn wins.
"""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

from analysis.data.encounters import EncounterTally, against_fair, sums_of
from analysis.data.rows import Tally
from analysis.stats.intervals import LEVEL, Adjustment, adjust, p_against
from analysis.stats.paired import p_changed
from analysis.winrates.rates import Matchups, matrix, of_encounters, win_rates
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, register
from sim.run import collect
from tests.every_game.dice_duel import GAME, exact
from tests.every_game.play import shortened

pytestmark = pytest.mark.soak

SIZE, EVEN, ERROR = 8, 0.5, 1 - LEVEL
RUNS, BATCH = shortened(300, 4), 1680  # games of a batch: every ordered pair 30 times
MARKS: tuple[Adjustment, ...] = ("holm", "bh")
ABOVE = np.triu_indices(SIZE, 1)
compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of thousands of games")


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Register the game for all tests of this file."""
    yield register(GAME)
    del GAMES[GAME.name]


@cache
def experiment(alike: int = SIZE, *, paired: bool = False) -> Experiment:
    """An experiment with `alike` equal fighters and the first fighters of the set unchanged."""
    document = deepcopy(dict(GAME.load(None).document))
    last = document["fighter"][-1]
    like = [last | {"id": f"like_{index}", "name": f"Like {index}"} for index in range(alike)]
    document["fighter"] = document["fighter"][: SIZE - alike] + like
    cards = GAME.from_document(document)
    return Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), RUNS * BATCH, paired=paired)


def batches(made: Experiment) -> list[np.ndarray]:
    return np.split(collect(made).rows, RUNS)


def matchups_of(made: Experiment, batch: np.ndarray) -> Matchups:
    names = made.cards.names
    if made.pair_games == 1:
        return matrix(Tally.empty(SIZE, 2).add(batch), names)
    return of_encounters(EncounterTally(names, made.pair_games).add(batch).encounters())


def rate_marks(made: Experiment, batch: np.ndarray) -> np.ndarray:
    """Smallest p-value of the win rates after Holm, and after Benjamini and Hochberg."""
    if made.pair_games == 1:
        table = win_rates(Tally.empty(SIZE, 2).add(batch), 2, made.cards.names)
    else:
        pair = np.repeat(made.pair_of(np.arange(BATCH)), 2)
        seats = batch["entrant"][:, :2].ravel(), batch["share"][:, :2].ravel()
        table = against_fair(sums_of(pair, *seats, np.ones(2 * BATCH), SIZE), EVEN)
    return table[["p_holm", "p_bh"]].min().to_numpy()


def assert_at_most(share: np.ndarray, level: float) -> None:
    """Assert that a mean over runs is at most `level`, allowing three standard errors."""
    error = max(share.std(ddof=1), np.sqrt(level * (1 - level))) / np.sqrt(share.size)
    assert share.mean() <= level + 3 * error, share.mean()


def wrong_share(marked: np.ndarray, null: np.ndarray) -> np.ndarray:
    """Share of false marks of each run; 0 without marks. marked: (runs, tests)."""
    return (marked & null).sum(axis=1) / np.maximum(1, marked.sum(axis=1))


# ---- the dice duel ---------------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("paired", [False, True])
def test_equal_fighters_are_marked_in_few_runs(paired: bool):
    made = experiment(paired=paired)
    rates, cells = [], []
    for batch in batches(made):
        rates.append(rate_marks(made, batch))
        result = matchups_of(made, batch)
        cells.append([np.nanmin(result.p_holm), np.nanmin(result.p_bh)])
    for smallest in (np.array(rates), np.array(cells)):
        for mark in range(len(MARKS)):
            assert_at_most(smallest[:, mark] < ERROR, ERROR)


@compiled
@pytest.mark.parametrize("paired", [False, True])
def test_few_marked_matchups_are_between_equals(paired: bool):
    """Six equal fighters, one stronger, one weaker: 15 of the 28 matchups are even."""
    made = experiment(SIZE - 2, paired=paired)
    null = np.isclose(exact.matchup(made.cards), EVEN)[ABOVE]
    assert null.sum() == 15
    result = [matchups_of(made, batch) for batch in batches(made)]
    holm, bh = (np.array([getattr(item, mark)[ABOVE] for item in result]) < ERROR for mark in ("p_holm", "p_bh"))
    assert_at_most((holm & null).any(axis=1), ERROR)
    assert_at_most(wrong_share(bh, null), ERROR)
    assert bh[:, ~null].mean() > holm[:, ~null].mean() > 0.05


# ---- drawn wins ------------------------------------------------------------------------------------------------------

GAMES_OF, DRAWN = 400, 4000


def adjusted(p: np.ndarray, mark: Adjustment) -> np.ndarray:
    return np.array([adjust(line, mark) for line in p])


@cache
def p_of_wins() -> np.ndarray:
    return np.array([p_against(wins, GAMES_OF, EVEN) for wins in range(GAMES_OF + 1)])


@pytest.mark.parametrize("real", [0, 4, 14, 27])
def test_false_discoveries_of_drawn_matchups_keep_their_level(real: int):
    """Of 28 matchups `real` are won with 57 %, the others with 50 %."""
    rng = np.random.default_rng(real)
    null = np.arange(28) >= real
    p = p_of_wins()[rng.binomial(GAMES_OF, np.where(null, EVEN, 0.57), (DRAWN, 28))]
    assert_at_most((adjusted(p, "holm")[:, null] < ERROR).any(axis=1), ERROR)
    result = adjusted(p, "bh") < ERROR
    assert_at_most(wrong_share(result, null), ERROR * null.mean())
    assert not real or result[:, ~null].mean() > 0.3


def test_win_rates_of_equals_that_share_their_games_are_marked_in_few_runs():
    """Each win is a loss of another, so the eight tests are correlated."""
    rng = np.random.default_rng(1)
    each = GAMES_OF // (SIZE - 1)
    won = np.zeros((DRAWN // 4, SIZE, SIZE))
    won[:, *ABOVE] = rng.binomial(each, EVEN, (DRAWN // 4, len(ABOVE[0])))
    wins = (won + (each - won.transpose(0, 2, 1)) * np.tri(SIZE, k=-1)).sum(axis=2).astype(int)
    games = each * (SIZE - 1)
    table = np.array([p_against(wins, games, EVEN) for wins in range(games + 1)])
    for mark in MARKS:
        assert_at_most((adjusted(table[wins], mark) < ERROR).any(axis=1), ERROR)


@pytest.mark.parametrize("changing", [0.05, 0.5])
def test_changes_without_effect_are_marked_in_few_runs(changing: float):
    """Twenty fields without effect: equal chances of gained and lost pairs, few or many."""
    rng = np.random.default_rng(2)
    moved = rng.binomial(100, changing, (DRAWN // 4, 20))
    up = rng.binomial(moved, EVEN)
    cells = set(zip(up.ravel().tolist(), moved.ravel().tolist(), strict=True))
    known = {cell: p_changed(cell[0], cell[1] - cell[0]) for cell in cells}
    p = np.array([[known[cell] for cell in zip(*line, strict=True)] for line in zip(up, moved, strict=True)])
    for mark in MARKS:
        assert_at_most((adjusted(p, mark) < ERROR).any(axis=1), ERROR)
