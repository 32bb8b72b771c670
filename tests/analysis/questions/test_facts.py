"""Amounts, categories and times of the facts of synthetic games, compared with counts made by hand."""

from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.answer.model import Answer
from analysis.answer.prose import SUMMARY_WORDS
from analysis.data.facts import SPLITS, facts_of, overview_words
from analysis.data.rows import at, finished
from analysis.data.study import Study
from analysis.questions.amounts import amounts, value_bins
from analysis.questions.categories import categories
from analysis.questions.times import length_summary, times
from sim.registry import GAMES
from tests.analysis.report.decks_duel import decks_duel
from tests.analysis.report.dungeon import dungeon
from tests.analysis.report.skirmish import skirmish
from tests.conftest import in_soak

MAKERS = {"dungeon": partial(dungeon, 300), "skirmish": partial(skirmish, 400), "decks_duel": partial(decks_duel, 1500)}
QUESTIONS = {"amounts": amounts, "categories": categories, "times": times}
CASES = [case if case[0] == "dungeon" or case[2] == "entrant" else in_soak(case) for case in product(MAKERS, QUESTIONS, SPLITS)]


@pytest.fixture(autouse=True)
def _registered(coin_duel):
    """The synthetic studies use the design of the tiny game."""


def test_the_list_of_facts_says_how_many_there_are_and_how_to_ask_about_one(coin_duel):
    study = Study(coin_duel, coin_duel.load(None))
    words = partial(overview_words, study, "times", one="turn or length", several="turns and lengths")
    assert words([]) == "Coin duel keeps no turns and lengths."
    assert words(["length"]) == "Coin duel keeps one turn or length: `fairfight times coin_duel length`."
    assert words(["b", "c"]) == "Coin duel keeps 2 turns and lengths; name one, such as `fairfight times coin_duel b`."


@cache
def study_of(name: str) -> Study:
    return MAKERS[name]()


def asked(study: Study, subject: str, fact: str, **more) -> Answer:
    return QUESTIONS[subject].answer(
        study, **{"fact" if subject == "categories" else "facts": fact if subject == "categories" else [fact]}, **more
    )


@pytest.mark.parametrize(("name", "subject", "by"), CASES)
def test_every_fact_is_answered_in_one_short_sentence_with_intervals(name, subject, by):
    study = study_of(name)
    for fact in facts_of(study, subject):
        answer = asked(study, subject, fact, by=by)
        assert len(answer.summary.split()) <= SUMMARY_WORDS, answer.summary
        assert answer.summary.endswith(".")
        assert "nan" not in answer.summary.lower()
        assert all(note.endswith(".") for note in answer.notes)
        assert all(chart.title.endswith(".") for chart in answer.charts)
        assert "n" in answer.frame, fact
        assert (answer.frame["n"] > 0).all()


def test_means_of_an_entrant_are_sums_over_its_seats():
    study = study_of("decks_duel")
    frame = at(study.seats_frame, 2)
    rows = asked(study, "amounts", "wounds").frame.set_index(["name", "part"])
    mine = frame[frame["name"] == "Maul"]
    assert rows["estimate"]["Maul", "range"] == pytest.approx(mine["wounds_1"].mean())
    every = mine[[f"wounds_{part}" for part in range(4)]].sum(axis=1)
    assert rows["estimate"]["Maul", "total"] == pytest.approx(every.mean())
    assert rows["share"]["Maul", "range"] == pytest.approx(mine["wounds_1"].sum() / every.sum())
    assert rows["low"]["Maul", "total"] < every.mean() < rows["high"]["Maul", "total"]


def test_a_fact_is_divided_by_another_one():
    study = study_of("decks_duel")
    frame = at(study.seats_frame, 2)
    rows = asked(study, "amounts", "absorbed", per="charms", by="all").frame
    assert rows["estimate"].iloc[0] == pytest.approx(frame["absorbed"].sum() / frame["charms"].sum())
    assert asked(study, "amounts", "absorbed", per="charms").summary.startswith("Damage absorbed by armour per charm")


def test_winners_and_losers_and_the_side_with_more_of_it():
    study = study_of("decks_duel")
    frame = finished(study.seats_frame, 2)
    rows = asked(study, "amounts", "hexes").frames["sides"].set_index("part")
    won = frame[frame["won"]]
    assert rows["winners"]["curse"] == pytest.approx(won["hexes_1"].mean())
    assert rows["losers"]["curse"] == pytest.approx(frame.loc[~frame["won"], "hexes_1"].mean())
    both = frame["hexes_1"].to_numpy(float).reshape(-1, 2)
    share = frame["share"].to_numpy(float).reshape(-1, 2)[:, 0]
    gap = both[:, 0] - both[:, 1]
    apart = gap != 0
    assert rows["more"]["curse"] == pytest.approx(np.where(gap > 0, share, 1 - share)[apart].mean())
    assert rows["change"]["curse"] < 0
    assert rows["sure"]["curse"]
    assert not rows["sure"]["burn"]
    assert "never" not in rows.index


def test_facts_of_members_are_those_of_the_parts_of_teams():
    study = study_of("skirmish")
    member = {measure.field: measure for measure in study.measures}
    assert member["blocked"].members
    rows = asked(study, "amounts", "blocked").frame.set_index("name")
    frame = at(study.seats_frame, 2)
    teams = study.teams.members[frame["entrant"].to_numpy(np.int64)]
    blocked = frame[["blocked_0", "blocked_1", "blocked_2"]].to_numpy(float)
    assert rows["estimate"]["Cedar"] == pytest.approx(blocked[teams == 2].mean())
    lines = asked(study, "amounts", "used", per="met").frame
    assert "Strike (attack, any 1)" in set(lines["part"])


def test_shares_of_categories_and_the_wins_with_each():
    study = study_of("decks_duel")
    answer = asked(study, "categories", "blood")
    frame = at(study.seats_frame, 2)
    rows = answer.frame.set_index(["name", "category"])
    assert rows["estimate"]["Pike", "yes"] == pytest.approx(frame.loc[frame["name"] == "Pike", "blood"].mean())
    wins = answer.frames["wins"].set_index("category")
    ended = frame[frame["finished"]]
    assert wins["estimate"]["yes"] == pytest.approx(ended.loc[ended["blood"], "share"].mean())


def test_categories_of_a_game_count_once_and_can_be_left_out():
    study = study_of("dungeon")
    rows = asked(study, "categories", "ending", by="seats", leave_out=["running"]).frame
    games = study.games_frame[study.games_frame["ending"] != "running"]
    two = rows[(rows["name"] == "2 seats") & (rows["category"] == "exit")].iloc[0]
    assert two["count"] == ((games["seats"] == 2) & (games["ending"] == "exit")).sum()
    assert two["n"] == (games["seats"] == 2).sum()
    with pytest.raises(ValueError, match="leave_out='exti': ending has no such category"):
        asked(study, "categories", "ending", leave_out=["exti"])


def test_times_count_what_never_happens():
    study = study_of("dungeon")
    row = asked(study, "times", "key_seen").frame.iloc[0]
    seen = at(study.games_frame, 2)["key_seen"].to_numpy()
    assert row["estimate"] == pytest.approx((seen > 0).mean())
    assert row["n"] == len(seen)
    when = np.sort(np.where(seen > 0, seen, np.inf))
    median = when[int(np.ceil(len(when) / 2)) - 1]
    assert row["median"] == median if np.isfinite(median) else np.isnan(row["median"])


def test_lengths_of_truncated_games_have_no_end():
    study = study_of("decks_duel")
    answer = asked(study, "times", "player_turns")
    rows, games = answer.frame, at(study.games_frame, 2)
    assert answer.summary.startswith(f"Half of the games are over by player turn {rows['median'].iloc[0]:.0f}, a quarter by ")
    assert rows["estimate"].iloc[0] == pytest.approx(games["finished"].mean())
    assert rows["q25"].iloc[0] == games["player_turns"].where(games["finished"], np.inf).quantile(0.25, "lower")


def test_the_sentence_on_lengths_names_the_shortest_and_the_longest_games():
    rows = pd.DataFrame({"name": ["3 seats", "2 seats", "4 seats"], "median": [17.0, 12.0, 26.0]})
    assert length_summary(rows, "turns") == (
        "Half of the games are over by turn 12 with 2 seats, the shortest, and by turn 26 with 4 seats, the longest."
    )


def test_values_by_turn_are_means_of_the_seats_that_come_to_it():
    study = study_of("skirmish")
    rows = asked(study, "times", "life").frame.set_index(["name", "turn"])
    frame = finished(study.seats_frame, 2)
    assert rows["estimate"]["winners", 3] == pytest.approx(frame.loc[frame["won"], "life_2"].mean())
    assert rows["on"]["losers", 10] == pytest.approx(frame.loc[~frame["won"], "life_9"].notna().mean())
    with pytest.raises(ValueError, match="fact 'life' has a value for every turn; ask about it without 'down'"):
        times.answer(study, facts=["life", "down"])


def test_values_of_a_distribution_are_binned_if_there_are_many():
    words, code = value_bins(np.array([3.0, 1.0, 3.0]))
    assert (words, code.tolist()) == (["1", "3"], [1, 0, 1])
    words, code = value_bins(np.arange(100.0))
    assert words[0] == "0 to 4"
    assert np.bincount(code).tolist() == [5] * 20


def test_an_unknown_fact_is_refused_with_the_nearest_name_or_the_right_question():
    study = study_of("dungeon")
    with pytest.raises(ValueError, match=r"fact 'deahts': .* did you mean .deaths"):
        amounts.answer(study, facts=["deahts"])
    with pytest.raises(ValueError, match=r"fact 'first_shop': .* ask `fairfight times .* first_shop`"):
        amounts.answer(study, facts=["first_shop"])
    with pytest.raises(ValueError, match="by='colour' must be one of entrant, side"):
        amounts.answer(study, facts=["deaths"], by="colour")


@pytest.mark.parametrize("subject", QUESTIONS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_without_a_fact_those_of_the_game_are_listed(game, subject):
    answer = getattr(ff, subject)(game, progress=False)
    assert {"fact", "label", "unit", "per", "parts"} <= set(answer.frame)
    assert len(answer.frame)
    assert len(answer.summary.split()) <= SUMMARY_WORDS
