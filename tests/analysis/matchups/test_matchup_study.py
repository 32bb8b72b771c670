"""From paired games to the answer: compared with exact win rates, as a command, and as a report section."""

import csv
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from analysis.data.study import Budget, Study
from analysis.matchups.ratings import nash
from analysis.matchups.section import best, counters, marks, matchup_study, matchups, matchups_result, paired, study_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.run import blocks
from tests.analysis.cli.test_cli import refusal, shown
from tests.analysis.made_encounters import ROCK_PAPER_SCISSORS, drawn, of_counts, rated
from tests.analysis.report.reading import lines
from tests.every_game.dice_duel.exact import matchup

RANDOM = (PolicySpec.parse("random"),)
GAMES = 11_200  # 200 pairs of every two fighters


@pytest.fixture
def fighters(dice_duel):
    return dice_duel.load(None)


@pytest.fixture
def played(dice_duel, fighters):
    return matchup_study(paired(dice_duel, fighters, RANDOM, GAMES))


def test_intervals_contain_the_exact_win_rates_and_shares(fighters, played):
    true, result = matchup(fighters), played.matchups
    off = ~np.eye(len(true), dtype=bool)
    assert (result.n[off] == 400).all()
    held = (result.low <= true) & (true <= result.high)
    assert held[off].mean() > 0.85  # of 28 matchups two or three can miss
    sure = (result.p_holm < 0.05) & off
    assert sure.any()
    assert ((result.estimate > 0.5) == (true > 0.5))[sure].all()
    assert np.abs(result.estimate - true)[off].max() < 4 * 0.5 / np.sqrt(400)
    mix, table = nash(true), played.equilibrium.sort_values("entrant")
    assert ((table["low"] <= mix + 1e-6) & (mix <= table["high"] + 1e-6)).all()
    assert np.abs(table["field"] - true @ mix).max() < 0.15


def test_results_depend_on_the_seed_alone_and_unpaired_games_are_counted_singly(dice_duel, fighters):
    experiment = paired(dice_duel, fighters, RANDOM, 448)
    left, right = (matchup_study(experiment, partial(blocks, jobs=jobs, block_games=size)) for jobs, size in ((1, 29), (2, 17)))
    assert left.pairs.equals(right.pairs)
    assert left.equilibrium.equals(right.equilibrium)
    assert left.fit == right.fit
    single = matchup_study(Experiment(dice_duel.name, fighters, 2, RANDOM, 560)).encounters
    assert (single.paired, np.isnan(single.gain)) == (False, True)


def test_pairs_are_in_the_order_of_the_ratings_with_their_expected_rates(played):
    names = played.ratings.table["name"].tolist()
    frame = played.pairs
    assert frame["name"].drop_duplicates().tolist() == names
    assert frame["opponent"].head(7).tolist() == names[1:]
    both = frame.set_index(["name", "opponent"])
    first, second = names[:2]
    assert both.loc[(first, second), "expected"] + both.loc[(second, first), "expected"] == pytest.approx(1)


def test_marks_show_which_correction_holds():
    result = study_of(of_counts(("A", "B", "C"), [40, 17, 10], [5, 5, 9], 60))
    frame = result.pairs.set_index(["name", "opponent"])
    assert 0.01 < frame.loc[("A", "C"), "p_bh"] < 0.05
    text = dict(zip(frame.index, marks(result.pairs), strict=True))
    assert text[("A", "B")] == text[("B", "A")] == "**"
    assert text[("B", "C")] == ""


def test_the_command_shows_matrix_ratings_and_mix(dice_duel, tmp_path):
    out = shown("matchups", dice_duel.name, "--games", GAMES, "--policy", "random", "--csv", tmp_path / "m.csv")
    for words in ("Who beats whom", "Ratings: Bradley and Terry", "Share: of the mix", "without pairs", "X² =", "400 games"):
        assert words in out
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text("utf-8-sig").splitlines()))
    assert len(rows) == 56
    assert {"win rate", "low", "high", "n", "p (Holm)", "p (BH)", "ratings expect"} < set(rows[0])


def test_games_without_matchups_are_refused_and_have_no_section(dice_duel, fighters, relay_teams):
    assert "games=20 must be at least 112" in refusal("matchups", dice_duel.name, "--games", 20)
    assert "are made of" in refusal("matchups", relay_teams.name)
    three = replace(dice_duel, seats=(3,))
    with pytest.raises(ValueError, match="never played by two"):
        paired(three, fighters, RANDOM, 1000)
    assert matchups(Study(three, fighters)) is None
    assert matchups(Study(relay_teams, relay_teams.load(None))) is None


def test_many_entrants_are_shown_by_their_most_uneven_matchups(dice_duel, fighters):
    strength = np.linspace(-1, 1, 22)
    made = drawn(rated(*strength), 30, np.random.default_rng(1))
    result = matchups_result(paired(dice_duel, fighters, RANDOM, 112), study_of(made))
    assert len(result.tables[0].rows) == 15
    assert len(result.main.rows) == 22 * 21


def test_the_section_answers_with_charts_and_tables(dice_duel, fighters):
    section = matchups(Study(dice_duel, fighters, policy=RANDOM[0], budget=replace(Budget(), pair_games=GAMES)))
    assert (section.id, len(section.figures)) == ("matchups", 2)
    assert section.answer.startswith("Players who know the matchups choose")
    assert len(lines(section, "matchups-pairs")) == 56
    assert sum(line["share"] for line in lines(section, "matchups-mix")) == pytest.approx(1)


def test_the_answer_names_a_single_best_one_and_its_possible_rivals():
    ranked = study_of(drawn(rated(1, 0, -0.2, -0.8), 300, np.random.default_rng(2)))
    assert best(ranked, "hero") == "Players who know the matchups choose A, which no other hero beats."
    assert counters(ranked) == "No cycle in which each beats the next is significant."
    near = study_of(drawn(rated(0.6, 0.5, -0.2, -0.8), 100, np.random.default_rng(5)))
    near = replace(near, equilibrium=near.equilibrium.assign(share=[1, 0, 0, 0], support=[0.97, 0.3, 0, 0]))
    assert "another belongs to the mix: " in best(near, "hero")


def test_the_answer_names_a_mix_and_its_cycle_or_reports_too_few_games():
    rates = np.full((4, 4), 0.5)
    rates[:3, :3] = ROCK_PAPER_SCISSORS
    rates[3, :3], rates[:3, 3] = 0.4, 0.6
    result = study_of(drawn(rates, 300, np.random.default_rng(3)))
    assert best(result, "hero").startswith("Players who know the matchups choose a mix, ")
    assert best(result, "hero").endswith("one hero would hardly ever be chosen.")
    assert counters(result).startswith("One cycle of counters is significant: A beats C")
    few = study_of(drawn(np.full((5, 5), 0.5), 10, np.random.default_rng(4)))
    assert best(few, "hero").startswith("These games do not settle")
