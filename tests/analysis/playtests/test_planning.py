"""Plans of playtests: schedules are even, and what a log is said to find, it finds."""

import csv

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.special import logit

import fairfight as ff
from analysis.playtests.planning import POWER, Evenings, as_they_like, batch, findable, schedule
from analysis.playtests.reading import read_playtests
from analysis.playtests.strengths import strengths_of
from analysis.stats.luce import Contest, fit
from tests.analysis.playtests.made_logs import made_log


def counts(lines, entrants, testers):
    people, heroes = np.array([line[0] for line in lines]), np.array([line[1] for line in lines])
    return np.bincount(heroes.ravel(), minlength=entrants), np.bincount(people.ravel(), minlength=testers), heroes, people


@pytest.mark.parametrize(
    ("entrants", "testers", "seats", "games"), [(8, 6, 2, 60), (8, 6, 4, 40), (4, 2, 2, 30), (12, 9, 3, 100)]
)
def test_a_schedule_is_even(entrants, testers, seats, games):
    heroes, people, line_ups, _ = counts(schedule(entrants, testers, seats, games, 1), entrants, testers)
    assert heroes.max() - heroes.min() <= 2
    assert people.max() - people.min() <= 2
    assert all(len(set(line_up)) == seats for line_up in line_ups.tolist())
    first = np.bincount(line_ups[:, 0], minlength=entrants)
    assert first.max() - first.min() <= max(3, games // entrants // 2)


def test_people_who_choose_play_their_favourites():
    _, _, heroes, people = counts(as_they_like(8, 6, 2, 3_000, 1), 8, 6)
    for person in range(6):
        own = np.sort(np.bincount(heroes[people == person], minlength=8) / (people == person).sum())[::-1]
        assert own[:2].sum() > 0.5
        assert own[2:].max() < 0.2


def test_many_logs_at_once_are_fitted_as_one():
    rng = np.random.default_rng(3)
    design, winner = rng.integers(0, 2, (4, 50, 3, 5)).astype(float), rng.integers(0, 3, (4, 50))
    share = (np.arange(3) == winner[:, :, None]).astype(float)
    effects, covariance = batch(design, share, np.full(5, 1.5))
    for log in range(4):
        flat = design[log].reshape(-1, 5)
        plain, _ = fit(Contest(csr_matrix(flat), np.repeat(np.arange(50), 3), share[log].ravel()), np.full(5, 1.5))
        assert effects[log] == pytest.approx(plain.effects, abs=1e-3)
        assert covariance[log] == pytest.approx(plain.covariance, abs=1e-3)


def test_more_games_find_smaller_imbalances_and_a_schedule_smaller_ones():
    frame = findable(8, 6, 2, [60, 240, 480], 0.6, 1)
    assert frame["each"].tolist() == [15, 60, 120]
    assert frame["scheduled"].iloc[1] > frame["scheduled"].iloc[2] > 0.6
    assert frame["scheduled"].iloc[1] <= frame["free"].iloc[1] + 0.02


def test_what_a_plan_says_is_found_is_found_in_logs():
    """At the smallest win rate of 240 scheduled games, four of five logs find the entrant, as `winrates` judges it."""
    entrants, testers, games = 8, 6, 240
    rate = float(findable(entrants, testers, 2, [games], 0.6, 1)["scheduled"].iloc[0])
    hits = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        strength = np.zeros(entrants)
        strength[0] = logit(rate)
        log = made_log(rng, strength, rng.normal(0, 0.6, testers), np.ones((testers, entrants)), games)
        frame = strengths_of(log).rates(1 - 0.05 / entrants).set_index("name")
        hits.append(frame.loc["hero 0", "low"] > 0.5)
    assert np.mean(hits) == pytest.approx(POWER, abs=0.15)


def test_power_grows_with_the_win_rate():
    logs = Evenings.of(schedule, (6, 4, 2, 120), 0.5, 1)
    powers = [logs.power(rate) for rate in (0.5, 0.6, 0.7, 0.8, 0.9)]
    assert powers == sorted(powers)
    assert powers[0] < 0.05
    assert powers[-1] > 0.8


def test_the_schedule_is_a_log_in_which_only_winners_are_missing(tmp_path):
    file = tmp_path / "evening.csv"
    answer = ff.plan("arena", games=20, testers=4, schedule=file, progress=False)
    with file.open(newline="", encoding="utf-8-sig") as stream:
        lines = list(csv.DictReader(stream))
    assert list(lines[0]) == ["game", "player", "hero", "seat", "won"]
    assert len(lines) == 40
    assert len(answer["schedule"]) == 20
    assert {line["won"] for line in lines} == {""}
    for number, line in enumerate(lines):
        line["won"] = "yes" if number % 2 else "no"
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    log = read_playtests(file)
    assert log.games == 20
    assert log.has_order == "full"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games=0 must be from 1 to"),
        ({"testers": 1}, "testers=1 must be from 2 to"),
        ({"entrants": 9}, "entrants=9 must be from 2 to 8"),
        ({"skill": -1}, "skill=-1 must be from 0 to 5"),
    ],
)
def test_plans_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ff.plan("arena", progress=False, **arguments)
