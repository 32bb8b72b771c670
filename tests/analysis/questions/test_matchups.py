"""Matchups from paired games: compared with exact win rates, as a command, and as sections of a report."""

import csv
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.answer.model import NoAnswerError
from analysis.answer.prose import SENTENCE_GAMES, SUMMARY_WORDS
from analysis.catalogue import find
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.matchups.ratings import nash
from analysis.questions.matchups import (
    Meetings,
    choice,
    counters,
    encounters_of,
    lopsided_with_games,
    matrix_tables,
    of_main_games,
    paired,
    pairs_table,
    uneven_words,
)
from analysis.report.pages import section_of
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


def study(game, cards, games):
    return Study(game, cards, policy=RANDOM[0], budget=replace(Budget(), pair_games=games, games=games))


def test_intervals_contain_the_exact_win_rates_and_shares(fighters, dice_duel):
    answer = ff.matchups("dice_duel", GAMES, policy="random", progress=False)
    number = {name: at for at, name in enumerate(fighters.names)}
    pairs = answer.frame
    true = matchup(fighters)
    exact = np.array(
        [true[number[row], number[column]] for row, column in zip(pairs["name"], pairs["opponent_name"], strict=True)]
    )
    assert (pairs["n"] == 400).all()
    held = (pairs["low"] <= exact) & (exact <= pairs["high"])
    assert held.mean() > 0.85  # of 28 matchups two or three can miss
    sure = pairs["p_holm"] < 0.05
    assert sure.any()
    assert ((pairs["estimate"] > 0.5) == (exact > 0.5))[sure].all()
    assert np.abs(pairs["estimate"] - exact).max() < 4 * 0.5 / np.sqrt(400)
    mix = answer.frames["equilibrium"].set_index("name").loc[list(fighters.names)]
    share = nash(true)
    assert ((mix["low"] <= share + 1e-6) & (share <= mix["high"] + 1e-6)).all()
    assert np.abs(mix["field"] - true @ share).max() < 0.15
    assert len(answer.summary.split()) <= SUMMARY_WORDS


def test_results_depend_on_the_seed_alone_and_unpaired_games_are_counted_singly(dice_duel, fighters):
    experiment = paired(Study.of(Experiment(dice_duel.name, fighters, 2, RANDOM, 448)), 448)
    left, right = (
        Meetings.of(encounters_of(experiment, partial(blocks, jobs=jobs, block_games=size))) for jobs, size in ((1, 29), (2, 17))
    )
    assert left.pairs.equals(right.pairs)
    assert left.equilibrium.equals(right.equilibrium)
    assert left.fit == right.fit
    single = encounters_of(Experiment(dice_duel.name, fighters, 2, RANDOM, 560), blocks)
    assert (single.paired, np.isnan(single.gain)) == (False, True)


def test_pairs_are_in_the_order_of_the_ratings_with_their_expected_rates():
    found = Meetings.of(of_counts(("A", "B", "C"), [40, 30, 25], [5, 9, 9], 60))
    names = found.ratings.table["name"].tolist()
    assert found.pairs["name"].drop_duplicates().tolist() == names
    assert found.pairs["opponent_name"].head(2).tolist() == names[1:]
    both = found.pairs.set_index(["name", "opponent_name"])
    first, second = names[:2]
    assert both.loc[(first, second), "expected"] + both.loc[(second, first), "expected"] == pytest.approx(1)


def test_words_show_which_correction_holds():
    pairs = Meetings.of(of_counts(("A", "B", "C"), [40, 17, 10], [5, 5, 9], 60)).pairs
    frame = pairs.set_index(["name", "opponent_name"])
    assert 0.01 < frame.loc[("A", "C"), "p_bh"] < 0.05
    words = dict(zip(frame.index, uneven_words(pairs), strict=True))
    assert words[("A", "B")] == words[("B", "A")] == "surely"
    assert pd.isna(words[("B", "C")])


def test_the_command_shows_the_matrix_with_all_and_its_file_has_every_pair(dice_duel, tmp_path):
    options = ("matchups", dice_duel.name, "--games", GAMES, "--policy", "random", "--csv", tmp_path / "m.csv")
    out = shown(*options, "--all", "--notes")
    for words in ("Win rate of the row against the column", "Ratings: Bradley and Terry", "In the mix:", "X² ="):
        assert words in out
        assert words not in shown(*options, "--force")
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text("utf-8-sig").splitlines()))
    assert len(rows) == 56
    assert {"entrant", "name", "opponent", "opponent_name", "estimate", "low", "high", "n", "p_holm", "p_bh", "expected"} == set(
        rows[0]
    )


def test_games_without_matchups_are_refused_and_have_no_section(dice_duel, fighters, relay_teams):
    assert "--games 20 must be at least 112" in refusal("matchups", dice_duel.name, "--games", 20)
    assert "are made of" in refusal("matchups", relay_teams.name)
    three = replace(dice_duel, seats=(3,))
    with pytest.raises(NoAnswerError, match="never played by two"):
        paired(study(three, fighters, 1000), 1000)
    with pytest.raises(NoAnswerError):
        find("matchups").answer(study(relay_teams, relay_teams.load(None), 1000), games=1000)
    with pytest.raises(NoAnswerError):
        of_main_games(study(relay_teams, relay_teams.load(None), 1000))


def test_people_see_every_pair_once_the_most_lopsided_first():
    meetings = Meetings.of(drawn(rated(*np.linspace(-1, 1, 22)), 30, np.random.default_rng(1)))
    table = pairs_table(meetings, "hero")
    assert len(table.frame) == 22 * 21
    assert len(table.rows) == len({frozenset(row[:2]) for row in table.rows}) == 22 * 21 / 2
    assert all(row[2] >= 0.5 for row in table.rows)
    lows = [row[3] for row in table.rows]
    assert lows == sorted(lows, reverse=True)
    assert matrix_tables(meetings, "hero") == []  # too many


def test_the_sections_have_charts_and_tables(dice_duel, fighters):
    section = section_of("matchups", "", find("matchups").answer(study(dice_duel, fighters, GAMES), games=GAMES))
    assert [chart.id for chart in section.figures] == ["matchups", "matchups-mix"]
    assert len(lines(section, "matchups-pairs")) == 28
    assert sum(line["share"] for line in lines(section, "matchups-equilibrium")) == pytest.approx(1)
    of_main = of_main_games(study(dice_duel, fighters, 1120))
    assert len(of_main.frame) == 56
    assert of_main.frame["n"].sum() == 2 * 1120


def test_the_summary_names_a_single_best_one_or_a_mix_or_too_few_games():
    alone = Meetings.of(drawn(rated(1, 0, -0.2, -0.8), 300, np.random.default_rng(2)))
    assert choice(alone.equilibrium) == "players who know the matchups choose A alone"
    assert counters(alone.cycles) == "No cycle in which each beats the next is significant."
    rates = np.full((4, 4), 0.5)
    rates[:3, :3] = ROCK_PAPER_SCISSORS
    rates[3, :3], rates[:3, 3] = 0.4, 0.6
    mixed = Meetings.of(drawn(rates, 300, np.random.default_rng(3)))
    assert "choose a mix led by " in choice(mixed.equilibrium)
    assert counters(mixed.cycles).startswith("One cycle of counters is significant: A beats C")
    few = Meetings.of(drawn(np.full((5, 5), 0.5), 10, np.random.default_rng(4)))
    assert "do not settle" in choice(few.equilibrium)


def test_the_sentence_of_a_report_is_about_a_pair_with_enough_games():
    columns = {"name": ["A", "B"], "opponent_name": ["B", "A"], "low": [0.8, 0.1], "high": [0.9, 0.2], "estimate": [0.85, 0.15]}
    strong = pd.DataFrame(columns).assign(n=SENTENCE_GAMES - 1, p_holm=0.001)
    even = strong.assign(name=["C", "D"], opponent_name=["D", "C"], n=SENTENCE_GAMES, low=[0.6, 0.3], estimate=[0.65, 0.35])
    both = pd.concat([strong, even], ignore_index=True)
    assert lopsided_with_games(both).startswith("Of the pairs with 100 games or more, C beats D in 65.0")
    assert lopsided_with_games(both.assign(n=SENTENCE_GAMES)).startswith("A beats B in 85.0")
    assert lopsided_with_games(strong).startswith("A beats B in 85.0")  # the page leaves the sentence out
