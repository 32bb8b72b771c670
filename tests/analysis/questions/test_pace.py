"""How games run: the figures are those of `timeline`, for any number of workers; games without a winner."""

from dataclasses import replace

import pytest

from analysis.catalogue import find
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.questions.pace import pace
from analysis.timeline.courses import played
from analysis.timeline.leads import by_game, summary
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment

GAMES = 120
SMALL = replace(Budget(), games=200, replays=GAMES)


def study(game, **more) -> Study:
    """A study of a command; in a report other sections have endings and lengths."""
    cards, policy = more.pop("cards", game.load(None)), PolicySpec.parse("random")
    base = Experiment(game.name, cards, min(game.seats), (policy,), GAMES, 3)
    return Study(game, cards, policy, 3, SMALL, base=base, **({"jobs": 1} | more))


@pytest.fixture
def answer(coin_duel):
    return pace.answer(study(coin_duel), games=GAMES)


def test_its_figures_are_those_of_the_courses(coin_duel, answer):
    courses = played(study(coin_duel).main(2), GAMES, jobs=2)
    expected = summary(courses).set_index("what")["estimate"]
    assert answer.frames["summary"].set_index("what")["estimate"].equals(expected)
    assert len(answer.frames["games"]) == len(by_game(courses))
    assert answer.frames["endings"]["games"].sum() == GAMES
    assert answer.frames["striking"]["command"][0].startswith("fairfight replay coin_duel --seed 3 --game ")


def test_its_summary_names_length_and_decision(answer):
    half = answer.frames["lengths"].set_index("quantile")["turns"][0.5]
    assert f"last {half:.0f} turns or fewer" in answer.summary
    assert [chart.id for chart in answer.charts] == ["", "comebacks", "upsets"]


def test_it_is_the_same_for_any_number_of_workers_and_reports_progress(coin_duel, answer):
    reports = []
    other = pace.answer(study(coin_duel, jobs=3, watch=lambda *done: reports.append(done)), games=GAMES)
    assert other.data == answer.data
    assert reports[-1] == ("replays", GAMES, GAMES)


def test_games_without_a_winner_are_reported_as_uninformative(coin_duel):
    cards = coin_duel.from_document(changed(coin_duel.load(None).document, "rules.turn_cap", 1))
    answer = pace.answer(study(coin_duel, cards=cards), games=GAMES)
    assert answer.summary.startswith("None of 120 games")
    assert not answer.charts
    assert answer.frames["endings"]["games"].tolist() == [0, 0, 0, GAMES]


def test_a_solo_game_is_refused(lone_climb):
    with pytest.raises(ValueError, match="use 2 or more seats"):
        find("pace").ask(lone_climb.name, seats=1)
