"""The section on the course of games: figures equal to those of `timeline`, well-formed sentences, games without a winner."""

from dataclasses import replace

import pytest

from analysis.answer.numbers import percent
from analysis.data.study import Budget, Study
from analysis.timeline.courses import played
from analysis.timeline.leads import by_game, summary
from analysis.timeline.section import pace
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from tests.analysis.report.reading import assert_well_formed, lines

SMALL = replace(Budget.default(), games=200, replays=120)


def study(game, **more) -> Study:
    return Study(game, more.pop("cards", game.load(None)), PolicySpec.parse("random"), 3, SMALL, **({"jobs": 1} | more))


@pytest.fixture
def section(coin_duel):
    return pace(study(coin_duel))


def test_it_answers_with_numbers_intervals_and_n(section):
    assert_well_formed(section)
    assert [chart.id for chart in section.figures] == ["drama", "drama-comebacks", "drama-upsets"]
    last = lines(section, "drama-upsets", **{"turns before the end": 1})
    assert f"{percent(last[1]['share'])}." in section.answer


def test_its_figures_are_those_of_the_courses(coin_duel, section):
    sample = study(coin_duel)
    courses = played(sample.main(2), SMALL.replays, jobs=2)
    figures = summary(courses).set_index("what")
    (low,) = lines(section, "drama-summary", what="games whose winner was once down to 25\u202f%")
    assert low["value"] == percent(figures.loc["once_low", "estimate"])
    assert low["n"] == len(by_game(courses))
    assert percent(figures.loc["once_low", "estimate"]) in section.answer
    watched = lines(section, "drama-watch")
    assert watched[0]["watch it"].startswith("fairfight replay coin_duel --seed 3 --game ")
    assert sum(row["games"] for row in lines(section, "drama-endings")) == SMALL.replays


def test_it_is_the_same_for_any_number_of_workers_and_reports_progress(coin_duel, section):
    reports = []
    other = pace(study(coin_duel, jobs=3, watch=lambda *done: reports.append(done)))
    assert (other.answer, other.tables, other.note) == (section.answer, section.tables, section.note)
    assert reports[-1] == ("replays", SMALL.replays, SMALL.replays)


def test_games_without_a_winner_are_reported_as_uninformative(coin_duel):
    cards = coin_duel.from_document(changed(coin_duel.load(None).document, "rules.turn_cap", 1))
    section = pace(study(coin_duel, cards=cards))
    assert "None of 120 games" in section.answer
    assert not section.figures
    assert [row["games"] for row in lines(section, "drama-endings")] == [0, 0, 0, SMALL.replays]


def test_a_solo_game_has_no_such_section(coin_duel):
    alone = study(coin_duel)
    vars(alone)["game"] = replace(coin_duel, seats=(1,))
    assert pace(alone) is None
