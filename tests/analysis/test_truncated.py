"""Truncated games are left out everywhere: every command shows the same win rate, and finishing more games is no strength."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.data.player import Player
from analysis.data.shares import Shares, compare
from analysis.data.study import Study
from analysis.first_player.worth import SeatGames
from analysis.questions.winrates import winrates
from analysis.stats.paired import paired_mean, paired_ratio
from analysis.stats.sequential import half_widths
from analysis.tuning.confirm import retested
from analysis.tuning.goal import Cells
from analysis.variants.compare import FIRST, sequence, what_if
from analysis.variants.variant import Change
from analysis.winrates.frames import win_rates
from analysis.winrates.head_to_head import Duel, pairing
from analysis.winrates.play import play
from sim.engine.cards import CardSet
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import collect
from tests.kernels.test_dice_duel import fighters

RANDOM = PolicySpec.parse("random")
SHORT, LONG = 7, 1000  # rounds
ALIKE = ((45, 2, 4, 0, 1),) * 4
PLAYED = pytest.mark.skipif(not COMPILED, reason="some thousand games")


def stopped_after(cards: CardSet, rounds: int) -> CardSet:
    """The same cards with games truncated after a number of rounds that is too small for a card file."""
    record = cards.record.copy()
    record["turn_cap"] = rounds
    return replace(cards, record=record)


def experiment(cards: CardSet, games: int = 1200, **more) -> Experiment:
    return Experiment("dice_duel", cards, 2, (RANDOM,), games, 3, **more)


def longer(cards: CardSet) -> Change:
    """A change that only lets games end."""
    return Change((), stopped_after(cards, LONG), idle=False)


@PLAYED
@pytest.mark.slow
def test_a_change_that_only_lets_games_end_is_no_strength(dice_duel):
    cards = stopped_after(fighters(dice_duel, *ALIKE), SHORT)
    result = what_if(experiment(cards, 4000), longer(cards))
    assert result.truncated[0] > 0.2
    assert result.truncated[1] == 0
    assert (result.rates["truncated_before"] > 0.2).all()
    error = (result.rates["high"] - result.rates["low"]) / 3.92
    assert (result.rates["change"].abs() < 4 * error).all()
    assert result.rates["before"].mean() == pytest.approx(0.5, abs=1e-3)
    counted_as_lost = result.rates["before"] * (1 - result.rates["truncated_before"])
    assert ((result.rates["after"] - counted_as_lost) > 6 * error).all()  # the result if they counted as lost
    first = result.whole.set_index("what").loc[FIRST]
    assert first["before"] == pytest.approx(win_share_of_first(experiment(cards, 4000)))


def win_share_of_first(base: Experiment) -> float:
    """Win share of the first seat over finished games, as in `winrates`."""
    tally = play(base, Player(1)).tally
    return float(tally.position_wins[2][:, 0].sum() / tally.position_games[2][:, 0].sum())


@PLAYED
@pytest.mark.slow
def test_every_command_shows_the_same_win_rate_for_the_same_games(dice_duel):
    cards = stopped_after(dice_duel.load(None), SHORT)
    base = experiment(cards, paired=True)
    played = play(base, Player(1))
    rates = win_rates(played).set_index("name")["estimate"]
    assert played.tally.truncated[2] > 100
    result = what_if(base, longer(cards)).rates.set_index("name")
    assert result["before"].to_dict() == pytest.approx(rates.to_dict())
    games = Shares.of(base)
    tuned = retested(base, Cells.of(base), games, games, (0.45, 0.55)).set_index("name")
    assert tuned["before"].to_dict() == pytest.approx(rates.to_dict())
    assert tuned["n"].to_dict() == win_rates(played).set_index("name")["n"].to_dict()
    seats = SeatGames.of(base)
    assert seats.share[:, 0].mean() == pytest.approx(win_share_of_first(base))
    assert seats.truncated == played.tally.truncated[2]


@PLAYED
def test_tables_json_and_lines_show_how_many_games_were_truncated(dice_duel):
    cards = stopped_after(dice_duel.load(None), SHORT)
    base = experiment(cards)
    played = play(base, Player(1))
    stopped = int(played.tally.truncated[2])
    result = winrates.answer(Study.of(base, 1), games=1200)
    assert any(line.startswith("Stopped at the turn limit and left out") for line in result.warnings)
    assert result.data["facts"]["truncated"] == stopped
    assert "truncated" in result.tables[0].columns
    whole = winrates.answer(Study.of(experiment(dice_duel.load(None)), 1), games=1200)
    assert not any("turn limit" in line for line in (*whole.warnings, *whole.notes))


@PLAYED
def test_a_confidence_sequence_of_changes_leaves_them_out(dice_duel):
    cards = stopped_after(fighters(dice_duel, *ALIKE), SHORT)
    base = experiment(cards, 4000)
    before, after = Shares.of(base), Shares.of(replace(base, cards=stopped_after(cards, LONG)))
    result = sequence(base, before, after, 0.05)
    table = compare(before, after, list(cards.names))
    assert result["estimate"].tolist() == pytest.approx(table["change"].tolist())
    assert ((result["low"] < 0) & (result["high"] > 0)).all()
    wider = half_widths(result) / ((table["high"] - table["low"]) / 2)
    assert ((wider > 1) & (wider < 2.5)).all()


@PLAYED
def test_pairs_with_a_truncated_game_are_left_out_of_compare(dice_duel):
    cards = stopped_after(dice_duel.load(None), SHORT)
    pairs = pairing(Experiment(dice_duel.name, cards, 2, (RANDOM,), 1, 5), (0, 2), 400)
    rows = collect(pairs).rows
    duel = Duel(pairs, 0.02)
    for first in range(0, 400, 7):  # blocks that break pairs
        duel.add(rows[first : first + 7])
    over = (rows["status"] == 1).reshape(-1, 2).all(axis=1)
    assert 0 < over.sum() < 200
    assert (duel.pairs, duel.games) == (over.sum(), 400)
    assert duel.truncated == (rows["status"] != 1).sum()
    mine = rows["entrant"][:, 0] == 0
    share = np.where(mine, rows["share"][:, 0], rows["share"][:, 1]).reshape(-1, 2)[over]
    assert duel.share()["estimate"] == pytest.approx(share.mean())


def test_without_truncated_games_a_ratio_is_the_paired_mean():
    rng = np.random.default_rng(2)
    before, after = rng.random((2, 50))
    every = np.ones(50)
    assert paired_ratio((before, every), (after, every)) == paired_mean(before, after)


def test_a_ratio_depends_only_on_the_games_that_count():
    rng = np.random.default_rng(2)
    before, after = rng.integers(0, 2, (2, 400)).astype(float)
    known = rng.random((2, 400)) < 0.7
    result = paired_ratio((before, known[0]), (after, known[1]))
    assert result.before == pytest.approx(before[known[0]].mean())
    assert result.change == pytest.approx(after[known[1]].mean() - before[known[0]].mean())
    apart = before[known[0]].var() / known[0].sum() + after[known[1]].var() / known[1].sum()
    assert (result.high - result.low) / 2 == pytest.approx(1.97 * np.sqrt(apart), rel=0.1)  # nothing in common
    with pytest.raises(ValueError, match="no game counts"):
        paired_ratio((before, known[0]), (after, known[1] * 0))
