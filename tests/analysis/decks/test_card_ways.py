"""The worth of cards in decks of several generators: compared with exact worths on a tiny game, and coverage by simulation."""

from collections import Counter
from itertools import product
from math import comb, factorial
from random import Random

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from analysis.decks.cards import LEAST_HELD, Meetings, Way, shared_cards, way_agreement, way_differences, way_worths
from analysis.stats.rank_agreement import Known, agreement
from sim.engine.contract import Game
from sim.engine.decks import DeckList, Decks
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import collect
from tests.every_game.deck_race import CARDS_MAX, exact
from tests.every_game.play import enough

RANDOM = (PolicySpec.parse("random"),)
DECKS = 60
SIZE, COPIES = 5, 2  # of a deck of the tiny game
TOP = 64  # more points than any player can score
STEPS = 12

# Relative frequency of a deck by generator of the tiny game: dealt from a box, and from a pool of any cards.
CHANCES = {
    "random": lambda copies: np.prod([comb(COPIES, number) for number in copies]),
    "sealed": lambda copies: factorial(SIZE) / np.prod([factorial(number) for number in copies]),
}


def made(game: Game, way: str, games: int, seed: int = 5) -> Way:
    """Played games of decks of the tiny game from one generator."""
    decking, document = game.decks, game.load(None).document
    generator = decking.generator(way)
    cards = game.from_document(decking.only(document, generator.make(document, DECKS, Random(seed)).decks))
    done = collect(Experiment(game.name, cards, 2, RANDOM, games, seed), jobs=1)
    return Way.of(generator.title, decking.of(cards), Meetings(DECKS).add(done.rows))


def all_decks(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Copies in every legal deck, and the distribution of its points."""
    document = game.load(None).document
    ids = [card["id"] for card in document["card"]]
    assert len(ids) <= CARDS_MAX
    counts = np.array([copies for copies in product(range(COPIES + 1), repeat=len(ids)) if sum(copies) == SIZE])
    points = np.zeros((len(counts), TOP))
    for number, copies in enumerate(counts):
        listed = {card: int(many) for card, many in zip(ids, copies, strict=True) if many}
        cards = game.from_document(game.decks.only(document, {"one": DeckList(listed)}))
        scored = Counter[int]()
        for (score, *_), chance in exact.courses(cards, 0).items():
            scored[score] += chance
        for score, chance in scored.items():
            points[number, score] = chance
    return counts, points


def exact_worth(game: Game, way: str, decks: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Exact worth of a copy in logits over all decks, weighted by their frequency: no games, no sampled decks.

    The logit of a win is the sum of going first and of the copies, fitted by Newton's method to the exact win rates of all pairs.
    """
    counts, points = decks
    weight = np.array([CHANCES[way](copies) for copies in counts], float)
    weight /= weight.sum()
    lead = np.arange(TOP)[:, None] - np.arange(TOP)[None, :]
    start = game.load(None).document["rules"]["head_start"]
    rate = points @ ((lead + start > 0) + 0.5 * (lead + start == 0)) @ points.T  # the deck in front goes first
    held = counts - counts.mean(axis=1, keepdims=True)
    first, worth = 0.0, np.zeros(counts.shape[1])
    for _ in range(STEPS):
        strength = held @ worth
        chance = expit(first + strength[:, None] - strength[None, :])
        both = np.outer(weight, weight)
        rest, bent = both * (rate - chance), both * chance * (1 - chance)
        slope = np.append(rest.sum(), held.T @ (rest.sum(axis=1) - rest.sum(axis=0)))
        curve = np.zeros((len(slope),) * 2)
        curve[0, 0] = bent.sum()
        curve[0, 1:] = curve[1:, 0] = held.T @ (bent.sum(axis=1) - bent.sum(axis=0))
        curve[1:, 1:] = held.T @ (np.diag(bent.sum(axis=1) + bent.sum(axis=0)) - bent - bent.T) @ held
        step = np.linalg.pinv(curve, rcond=1e-10) @ slope
        first, worth = first + step[0], worth + step[1:]
    assert np.abs(slope).max() < 1e-9
    return worth - worth.mean()


@pytest.fixture(scope="module")
def rights() -> dict[str, np.ndarray]:
    """Exact worths by generator."""
    from tests.every_game.deck_race import GAME  # noqa: PLC0415 - played here only

    decks = all_decks(GAME)
    return {way: exact_worth(GAME, way, decks) for way in CHANCES}


# ---- worth -----------------------------------------------------------------------------------------------------------


def test_the_worth_of_a_copy_is_the_exact_one_for_each_generator(deck_race: Game, rights):
    """By the mean squared standardized error, and the largest error that 16 intervals can have."""
    ways = {way: made(deck_race, way, enough(20_000, 2_000)) for way in CHANCES}
    frame = way_worths([*ways.values()])
    assert len(frame) == 16
    for way, title in ((way, result.title) for way, result in ways.items()):
        right = expit(rights[way]) - 0.5
        worths = frame[frame["way"] == title]
        off = (worths["estimate"] - right) / ((worths["high"] - worths["low"]) / 2)
        assert off.abs().max() < 1.6
        assert np.mean(off**2) < 0.75  # 0.26 on average
        assert np.corrcoef(worths["estimate"], right)[0, 1] > 0.9


def test_differences_and_agreement_are_near_the_exact_ones(deck_race: Game, rights):
    """Both generators of the tiny game value its cards nearly alike: no difference is significant."""
    ways = [made(deck_race, way, enough(20_000, 2_000)) for way in CHANCES]
    before, after = (rights[way] for way in CHANCES)
    moves = way_differences(ways)
    off = (moves["change"] - (expit(after - before) - 0.5)) / ((moves["high"] - moves["low"]) / 2)
    assert off.abs().max() < 1.6
    assert (moves["p_holm"] > 0.05).all()
    (row,) = way_agreement(ways, 1).to_dict("records")
    assert row["low"] <= stats.kendalltau(before, after).statistic <= row["high"]
    assert (row["first"], row["second"], row["things"]) == ("random decks", "decks from sealed pools", 8)


def simulated(seed: int, title: str, effect: np.ndarray, decks: int = 60, games: int = 3_000) -> Way:
    """Games of random decks with known worths of cards."""
    rng = np.random.default_rng([seed, len(title)])
    counts = rng.multinomial(10, np.ones(len(effect)) / len(effect), size=decks)
    strength = counts @ effect + rng.normal(0, 0.2, decks)
    first = rng.integers(0, decks, games)
    second = (first + rng.integers(1, decks, games)) % decks
    meetings = Meetings(decks)
    np.add.at(meetings.n, (first, second, 1), 1.0)
    np.add.at(meetings.wins, (first, second, 1), rng.random(games) < expit(strength[first] - strength[second]))
    ids = tuple(f"card{card}" for card in range(len(effect)))
    none = np.zeros((decks, 1), int)
    return Way.of(title, Decks(ids, ids, counts, none, np.ones(len(ids)), ("x",) * len(ids), ((),) * len(ids)), meetings)


def test_intervals_of_differences_cover_and_false_ones_are_rare():
    hits, named, tries = 0, 0, 30
    for seed in range(tries):
        effect = np.random.default_rng(seed).normal(0, 0.15, 14)
        moves = way_differences([simulated(seed, title, effect) for title in ("one", "another")])
        hits += ((moves["low"] <= 0) & (moves["high"] >= 0)).sum()
        named += (moves["p_holm"] < 0.05).any()
    assert abs(hits / (tries * 14) - 0.95) < 0.03
    assert named <= stats.binom(tries, 0.05).ppf(0.999)


def test_a_card_worth_more_under_one_generator_is_found():
    effect = np.linspace(-0.3, 0.3, 14)
    moved = np.where(np.arange(14) == 7, effect + 0.8, effect)
    moves = way_differences([simulated(1, "one", effect), simulated(1, "another", moved)])
    sure = moves[moves["p_holm"] < 0.05]
    assert list(sure["card"]) == [7]
    assert sure["change"].item() > 0


def test_cards_in_few_decks_are_left_out_for_all_generators():
    effect = np.linspace(-0.3, 0.3, 14)
    ways = [simulated(1, "one", effect), simulated(1, "another", effect)]
    ways[1].decks.counts[:, 3] = 0
    ways[1].decks.counts[: LEAST_HELD - 1, 3] = 2
    assert list(shared_cards(ways)) == [card for card in range(14) if card != 3]
    ways[1].decks.counts[:LEAST_HELD, 3] = 2
    assert len(shared_cards(ways)) == 14
    assert len(way_worths(ways)) == 28


# ---- agreement -------------------------------------------------------------------------------------------------------


def orders(seed: int, r: float, reliable: float, things: int = 16) -> tuple[list[np.ndarray], list[Known]]:
    """Two sets of values with correlation r, and noisy estimates. reliable: share of the variance that is no error."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 0.08, things)
    true = [first, 0.75 * (r * first + np.sqrt(1 - r * r) * rng.normal(0, 0.08, things))]
    seen = []
    for value in true:
        mixed = rng.normal(size=(things, 4 * things))
        error = mixed @ mixed.T / (4 * things) * value.var() * (1 - reliable) / reliable
        seen.append(Known.of(rng.multivariate_normal(value, error), error))
    return true, seen


@pytest.mark.parametrize(("r", "reliable"), [(0.8, 0.7), (0.3, 0.5), (1.0, 0.7)])
def test_intervals_cover_the_true_tau_and_that_of_the_estimates_is_too_small(r: float, reliable: float):
    held, gap, seen_gap, tries = 0, 0.0, 0.0, 20
    for seed in range(tries):
        true, seen = orders(seed, r, reliable)
        right = stats.kendalltau(*true).statistic
        result = agreement(*seen, seed)
        held += result.low - 1e-9 <= right <= result.high + 1e-9
        gap, seen_gap = gap + (result.tau - right) / tries, seen_gap + (result.seen - right) / tries
    assert held >= stats.binom(tries, 0.95).ppf(0.005)
    assert seen_gap < -0.1
    assert abs(gap) < abs(seen_gap)


def test_without_errors_tau_equals_that_of_the_estimates():
    value = np.array([0.3, 0.1, 0.0, -0.2, -0.25, 0.05])
    other = np.array([0.2, 0.15, -0.1, 0.02, -0.3, 0.03])
    result = agreement(*(Known.of(values, np.eye(6) * 1e-12) for values in (value, other)), 1)
    assert result.low == result.tau == result.high == pytest.approx(result.seen)
    assert result.seen == pytest.approx(stats.kendalltau(value, other).statistic)
    with pytest.raises(ValueError, match="2 items cannot be ranked; at least 3"):
        agreement(*(Known.of(values[:2], np.eye(2)) for values in (value, other)), 1)
