"""Effects of a change on a whole game: paired, only in the games that it can affect, and certain where it cannot."""

import numpy as np
import pandas as pd
import pytest

from analysis.data.shares import Shares
from analysis.stats.sequential import half_widths, looks, mean_sequence
from analysis.variants.compare import FIRST, LENGTH, SPREAD, sequence, what_if
from analysis.variants.variant import change as changed_rates
from analysis.variants.variant import edited
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from tests.every_game.dice_duel import GAME as DUEL
from tests.every_game.dice_duel import exact

CARDS = DUEL.load(None)
WEAKER = "fighter.knight.health=-2"
PLAYED = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")


def base(games: int = 1120, **more) -> Experiment:
    return Experiment(DUEL.name, CARDS, 2, (PolicySpec.parse("random"),), games, 6, **more)


@PLAYED
def test_changes_are_near_the_exact_ones(dice_duel):
    change = edited(dice_duel, CARDS, [WEAKER, "fighter.thief.dice=+1"])
    result = what_if(base(11_200), change, 2)
    after, before = exact.win_rates(change.cards), exact.win_rates(CARDS)
    for _, row in result.rates.iterrows():
        who = CARDS.names.index(row["name"])
        assert abs(row["change"] - (after[who] - before[who])) < 4 * (row["high"] - row["low"]) / 3.92
    whole = result.whole.set_index("what")
    assert list(whole.index) == [SPREAD, FIRST, LENGTH]
    spread = whole.loc[SPREAD]
    assert abs(spread["change"] - (after.std() - before.std())) < 4 * (spread["high"] - spread["low"]) / 3.92
    first = whole.loc[FIRST]
    worth = exact.first_seat_share(change.cards) - exact.first_seat_share(CARDS)
    assert abs(first["change"] - worth) < 4 * (first["high"] - first["low"]) / 3.92


def test_only_games_of_the_owner_are_played_twice(dice_duel):
    result = what_if(base(112), edited(dice_duel, CARDS, [WEAKER]), 1)
    assert (result.games, result.played) == (112, 112 + 28)
    both = what_if(base(112), edited(dice_duel, CARDS, [WEAKER, "rules.second_health=1"]), 1)
    assert both.played == 224
    assert (result.rates["n"] == 28).all()


def test_playing_unaffected_games_once_equals_playing_them_twice(dice_duel):
    edit = edited(dice_duel, CARDS, [WEAKER])
    result = what_if(base(224), edit, 1).rates
    whole = changed_rates(base(224), edit.cards)
    pd.testing.assert_frame_equal(result[whole.columns], whole)


def test_a_change_that_never_reaches_play_has_certainly_no_effect():
    game, cards = GAMES["arena"], GAMES["arena"].load(None)
    plain = Experiment("arena", cards, 2, (PolicySpec.parse("random"),), 56)
    result = what_if(plain, edited(game, cards, ["hero.rhino_guy.printed_energy=+1"]), 1, half_width=0.01)
    assert (result.games, result.played, result.moved) == (56, 56, 0)
    assert (result.rates[["change", "low", "high"]] == 0).all(axis=None)


@PLAYED
@pytest.mark.slow
def test_games_continue_until_every_change_is_precise_and_workers_change_nothing(dice_duel):
    change = edited(dice_duel, CARDS, [WEAKER])
    result = [what_if(base(200_000), change, jobs, half_width=0.02) for jobs in (1, 3)]
    pd.testing.assert_frame_equal(result[0].rates, result[1].rates)
    assert result[0].games < 50_000
    rates = result[0].rates
    assert ((rates["high"] - rates["change"]).clip(lower=rates["change"] - rates["low"]) <= 0.02 + 1e-9).all()
    used = what_if(base(560), change, 1, half_width=0.001)
    assert used.games == 560


@pytest.mark.soak
def test_changes_hold_at_every_look():
    """Changes of -1, 0 and 1 as shares (1 + d) / 2, as `sequence` has them: 60 looks, chances known."""
    random, runs, gain, loss = np.random.default_rng(7), 1000, 0.06, 0.04
    wrong = np.zeros(runs, bool)
    n = up = down = 0
    for look in looks(40_000, 56, 200, 1.09)[:60]:
        gained = random.binomial(look - n, gain, runs)
        down = down + random.binomial(look - n - gained, loss / (1 - gain))
        up, n = up + gained, look
        same = n - up - down
        sums = pd.DataFrame({"y": up + same / 2, "x": float(n), "yy": up + same / 4, "xy": up + same / 2, "xx": n, "n": n})
        result = mean_sequence(sums, 5000)
        wrong |= ((2 * result["low"] - 1 > gain - loss) | (2 * result["high"] - 1 < gain - loss)).to_numpy()
    assert wrong.mean() <= 0.05


@PLAYED
def test_the_sequence_is_about_the_change(dice_duel):
    change = edited(dice_duel, CARDS, [WEAKER])
    plain = base(5600)
    before = Shares.of(plain)
    after = Shares.of(Experiment(DUEL.name, change.cards, 2, plain.policies, 5600, 6))
    result = sequence(plain, before, after, 0.02).set_index("name")
    fixed = what_if(plain, change, 1).rates.set_index("name")
    assert np.allclose(result.loc[fixed.index, "estimate"], fixed["change"])
    assert (result.loc[fixed.index, "low"] < fixed["low"]).all()
    assert half_widths(result.reset_index()).max() < 0.1
