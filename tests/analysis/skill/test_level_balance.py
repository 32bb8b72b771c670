"""Balance by level of play: known win rates, true and false flips, intervals that cover."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.answer.prose import SENTENCE_GAMES
from analysis.questions.skill import flip_notes, strongest, who_gains
from analysis.skill.balance import FLIPS, HOLDS, MOVES, OPEN, Balance, LevelGames, balance, changes_of, level_verdicts
from analysis.skill.balance import _differences as differences
from analysis.stats.intervals import proportions
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES as REGISTERED
from sim.registry import register
from sim.run import collect
from tests.analysis.covering import assert_covers, error
from tests.every_game.dice_duel import GAME as DICE
from tests.every_game.dice_duel import exact
from tests.every_game.play import shortened

NAMES = ("Riser", "Faller", "Steady", "Mover", "Even")
RATES = {"low": (0.40, 0.62, 0.60, 0.60, 0.50), "high": (0.60, 0.40, 0.62, 0.51, 0.50)}
GAMES = 2000


def games_of(game, policy, games=560, seats=2):
    experiment = Experiment(game.name, game.load(None), seats, (PolicySpec.parse(policy),), games, 5)
    return LevelGames(policy, experiment, collect(experiment, jobs=1).rows)


def verdicts_of(wins, games, names=NAMES):
    """`level_verdicts` of levels with these wins of each name in this number of games."""
    parts = []
    for level, won in wins.items():
        line = proportions(won, np.full(len(won), games)).assign(level=level, name=names[: len(won)], fair=0.5)
        parts.append(line.assign(p=2 * stats.norm.sf(np.abs(line["estimate"] - 0.5) / np.sqrt(0.25 / games))))
    return level_verdicts(pd.concat(parts, ignore_index=True))


def made_up(games=GAMES):
    return verdicts_of({level: np.rint(games * np.array(shares)) for level, shares in RATES.items()}, games)


def test_the_flips_of_a_made_up_table_are_found_and_named():
    rates, apart = made_up(), {(0, 1): np.zeros(len(NAMES))}
    changes = changes_of(rates, tuple(RATES), apart)
    result = changes.set_index("name")
    wanted = {"Riser": FLIPS, "Faller": FLIPS, "Steady": HOLDS, "Mover": MOVES, "Even": HOLDS}
    assert result["verdict"].to_dict() == wanted
    assert result.loc["Riser", "change"] == pytest.approx(0.2)
    assert result.loc["Faller", "high"] < 0 < result.loc["Riser", "low"]
    assert set(changes_of(made_up(60), tuple(RATES), apart)["verdict"]) == {OPEN}
    none = pd.DataFrame(columns=["first", "second"])
    first, second = flip_notes(Balance(tuple(RATES), NAMES, 2, rates, changes, none, none))
    sure = changes[changes["verdict"].isin([FLIPS, MOVES])].sort_values("change", ascending=False)
    assert who_gains(sure, "hero", "low", "high")[0] == [
        "from low to high players, Riser gains most (40.0\u202f% to 60.0\u202f%) and Faller loses most "
        "(62.0\u202f% to 40.0\u202f%)"
    ]
    assert who_gains(sure[sure["change"] > 0], "hero", "low", "high")[0] == [
        "from low to high players, Riser gains most (40.0\u202f% to 60.0\u202f%)"
    ]
    assert who_gains(sure[:0], "hero", "low", "high") == [["no hero surely gains or loses between low and high players"]]
    assert first == "Faller is above its share under low (62.0\u202f%) and below it under high (40.0\u202f%)."
    assert second == "Riser is below its share under low (40.0\u202f%) and above it under high (60.0\u202f%)."


def test_no_entrant_is_the_strongest_at_a_level_without_a_win_or_with_few_games():
    shares = [0.0004, 0.0, 0.2, 0.4]
    rates = pd.DataFrame(
        {"level": ["low"] * 2 + ["high"] * 2, "name": ["Ada", "Bo"] * 2, "estimate": shares, "n": SENTENCE_GAMES}
    )
    none = pd.DataFrame()
    balance = Balance(("low", "high"), ["Ada", "Bo"], 1, rates, none, none, none)
    assert strongest(balance) == "Strongest is Bo under high (40.0\u202f%)."
    assert strongest(replace(balance, rates=rates[rates["level"] == "low"])) == ""
    assert strongest(replace(balance, rates=rates.assign(n=SENTENCE_GAMES - 1))) == ""


@pytest.fixture(scope="module")
def duels():
    """Three levels of a game without decisions."""
    register(DICE)
    result = balance([games_of(DICE, policy) for policy in ("random", "greedy:1", "search:4")])
    del REGISTERED[DICE.name]
    return result


def test_without_decisions_all_levels_have_the_same_rates(duels):
    assert (duels.changes["change"] == 0).all()
    assert (duels.changes["p"] == 1).all()
    assert (duels.changes["high"] - duels.changes["low"]).max() < 0.03  # the estimates are identical
    assert set(duels.changes["verdict"]) <= {HOLDS, OPEN}
    assert duels.orders["seen"].min() == pytest.approx(1)
    assert (duels.orders["low"] > 0.9).all()
    assert len(set(duels.whole["turns"])) == 1


def test_rates_and_the_first_seat_are_near_the_exact_ones(duels, dice_duel):
    cards = dice_duel.load(None)
    rows = duels.rates[duels.rates["level"] == "random"]
    true = exact.win_rates(cards)
    assert list(rows["name"]) == list(cards.names)
    assert (abs(rows["estimate"] - true) < 4 * np.sqrt(true * (1 - true) / rows["n"])).all()
    first = duels.whole["first"].iloc[0]
    assert abs(first - exact.first_seat_share(cards)) < 4 * np.sqrt(0.25 / 560)
    assert (duels.whole["truncated"] == 0).all()


def test_teams_are_shown_by_their_parts(relay_teams):
    result = balance([games_of(relay_teams, policy, 120) for policy in ("random", "greedy:1")])
    teams = relay_teams.teams_for(relay_teams.load(None))
    assert result.units == teams.names
    assert len(result.rates) == 2 * teams.parts
    assert (result.changes["change"] == 0).all()


@pytest.mark.soak
def test_intervals_of_a_change_cover_if_the_estimates_are_correlated():
    chance, runs, n = np.random.default_rng(3), 1200, 150
    both = chance.random((runs, n, 3))
    shared = both[:, :, 2] < 0.5  # half of the games end alike at both levels because of the same dice
    left, right = both[:, :, 0] < 0.6, np.where(shared, both[:, :, 0] < 0.55, both[:, :, 1] < 0.55)
    correlation = np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(left, right, strict=True)])
    before, after = (proportions(sample.sum(axis=1), np.full(runs, n)) for sample in (left, right))
    result = pd.DataFrame(differences(before, after, correlation))
    alone = pd.DataFrame(differences(before, after, np.zeros(runs)))
    assert_covers(float(((result["low"] <= -0.05) & (result["high"] >= -0.05)).mean()), 0.93, 0.97)
    assert (result["high"] - result["low"]).mean() < 0.8 * (alone["high"] - alone["low"]).mean()


@pytest.mark.soak
def test_equal_entrants_do_not_flip_and_are_seldom_significant():
    chance, runs, wrong = np.random.default_rng(9), shortened(120, 3), 0
    for _ in range(runs):
        rates = verdicts_of(dict(zip("012", chance.binomial(200, 0.5, (3, 5)), strict=True)), 200)
        changes = changes_of(rates, tuple("012"), dict.fromkeys(((0, 1), (0, 2), (1, 2)), np.zeros(5)))
        assert FLIPS not in set(changes["verdict"])
        wrong += bool((rates["side"] != 0).any() or (changes["verdict"] == MOVES).any())
    assert wrong / runs < 2 * 0.05 + 3 * error(runs)  # two families of tests, each at 5 %
