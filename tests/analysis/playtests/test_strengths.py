"""What logs prove: adjusted win rates, pairs, turn order and people, compared with known strengths."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from analysis.answer import verdicts
from analysis.playtests.pairs import compare, matchups, pairs
from analysis.playtests.rates import NEXT, next_games, rates, raw_rates, winrates
from analysis.playtests.sides import amounts, seats
from analysis.playtests.strengths import strengths_of
from tests.analysis.playtests.made_logs import COLUMNS, as_log, confounded, favourites, made_log, names, true_rates

STRENGTH = np.array([0.5, 0.3, 0.1, 0.0, -0.1, -0.2, -0.3, -0.4])
SKILL = np.array([1.2, 0.6, 0.2, -0.2, -0.6, -1.2])


def a_log(seed=1, games=300, seats_=(2,), liking=None, strength=STRENGTH, skill=SKILL, pair_effects=None):
    rng = np.random.default_rng(seed)
    likes = favourites(rng, len(skill), len(strength)) if liking is None else liking
    return made_log(rng, strength, skill, likes, games, seats_, pair_effects)


@pytest.mark.parametrize("seats_", [(2,), (2, 3, 4)])
def test_rates_of_a_long_log_are_the_true_ones(seats_):
    frame = strengths_of(a_log(games=6_000, seats_=seats_)).rates()
    assert frame["estimate"].to_numpy() == pytest.approx(true_rates(STRENGTH, seats_), abs=0.035)
    assert frame["fair"].iloc[0] == pytest.approx(np.mean([1 / size for size in seats_]), abs=0.02)


def test_favourites_of_strong_people_are_not_taken_for_strong():
    log = a_log(games=1_500, liking=confounded(SKILL, 8), strength=np.zeros(8))
    raw = raw_rates(log).loc["hero 0"]
    assert raw["won"] - raw["expected"] > 0.1
    adjusted = strengths_of(log).rates().set_index("name").loc["hero 0"]
    assert adjusted["low"] < 0.5 < adjusted["high"]
    assert abs(adjusted["estimate"] - 0.5) < 0.06


def test_pairs_that_are_not_transitive_do_not_bend_the_rates_of_unbalanced_logs():
    """Hero 0 beats hero 1 far more often than others, and mostly meets it: raw rates are far off."""
    effects = np.zeros((4, 4))
    effects[0, 1], effects[1, 0] = 1.6, -1.6
    rng = np.random.default_rng(7)
    rows = []
    for game in range(2_500):
        one, two = (0, 1) if rng.random() < 0.6 else rng.choice(4, 2, replace=False)
        won = float(rng.random() < expit(effects[one, two]))
        rows += [(game, 2, 0, "", f"hero {one}", won), (game, 2, 1, "", f"hero {two}", 1 - won)]
    log = as_log(pd.DataFrame(rows, columns=COLUMNS))
    frame = strengths_of(log).rates()
    truth = true_rates(np.zeros(4), (2,), effects)
    assert raw_rates(log).loc["hero 0", "won"] - truth[0] > 0.08
    assert frame["estimate"].to_numpy() == pytest.approx(truth, abs=0.04)
    duel = pairs(strengths_of(log), log).set_index("name").loc["hero 0 v hero 1"]
    assert duel["estimate"] == pytest.approx(expit(1.6), abs=0.04)


def test_a_cycle_shows_in_the_pairs_and_not_in_the_strengths():
    effects = np.array([[0, 0.9, -0.9], [-0.9, 0, 0.9], [0.9, -0.9, 0]])
    log = a_log(games=1_200, strength=np.zeros(3), skill=np.zeros(4), pair_effects=effects)
    frame = pairs(strengths_of(log), log)
    assert set(frame["name"]) == {"hero 0 v hero 1", "hero 1 v hero 2", "hero 2 v hero 0"}
    assert frame["expected"].to_numpy() == pytest.approx(0.5, abs=0.06)
    assert (frame["p_holm"] < 0.01).all()
    assert frame["estimate"].to_numpy() == pytest.approx(expit(0.9), abs=0.06)


def test_the_worth_of_moving_first_and_skill_are_those_of_the_log():
    log = a_log(games=6_000)
    strengths = strengths_of(log)
    first = strengths.orders().iloc[0]
    assert first["estimate"] == pytest.approx(expit(0.25), abs=0.03)
    skills = strengths.skills().set_index("name")
    assert list(skills.index) == [f"person {number}" for number in range(6)]
    assert skills["estimate"].to_numpy() == pytest.approx(expit(SKILL), abs=0.04)
    assert skills["n"].sum() == 2 * log.games


def test_slopes_are_derivatives_of_the_rates():
    strengths = strengths_of(a_log(games=200, seats_=(2, 3)))
    base = strengths.rates()["estimate"].to_numpy()
    step = 1e-5
    for column in range(0, len(strengths.fit.effects), 3):
        effects = strengths.fit.effects.copy()
        effects[column] += step
        moved = replace(strengths, fit=replace(strengths.fit, effects=effects)).rates()["estimate"].to_numpy()
        assert (moved - base) / step == pytest.approx(strengths.slopes[:, column], abs=1e-4)


def test_verdicts_need_thirty_games_and_name_how_many_more():
    few = rates(log := a_log(games=60), strengths_of(log))
    assert (few.loc[few["n"] < verdicts.LEAST_GAMES, "verdict"] == verdicts.OPEN).all()
    assert (few.loc[few["verdict"] == verdicts.OPEN, "more"] > 0).all()
    many = rates(log := a_log(games=6_000, strength=np.array([1.5, 0, 0, -1.5])), strengths_of(log))
    assert many["verdict"].tolist() == [verdicts.TOO_STRONG, *many["verdict"].tolist()[1:3], verdicts.TOO_WEAK]
    assert many["more"].isna().to_numpy()[[0, 3]].all()


def test_the_next_playtests_are_of_pairs_that_were_played_least():
    rng = np.random.default_rng(2)
    rows = []
    for game in range(120):
        one, two = (0, 1) if game < 100 else rng.choice(4, 2, replace=False)
        won = float(rng.random() < 0.5)
        rows += [(game, 2, 0, "", f"hero {one}", won), (game, 2, 1, "", f"hero {two}", 1 - won)]
    log = as_log(pd.DataFrame(rows, columns=COLUMNS))
    ahead = next_games(log, strengths_of(log))
    assert len(ahead) == NEXT
    assert "hero 0 v hero 1" not in set(ahead["line_up"])
    assert ahead["half"].is_monotonic_decreasing


def test_without_people_or_turn_order_the_answer_says_so():
    log = a_log()
    bare = as_log(log.rows.assign(player="", position=-1))
    answer = winrates(bare)
    assert any("does not name players" in note for note in answer.notes)
    assert any("does not say who moved first" in note for note in answer.notes)
    assert "people" not in answer.frames
    with pytest.raises(ValueError, match="does not say who moved first"):
        seats(bare)


def test_games_that_nobody_won_count_for_nothing():
    log = a_log()
    lost = log.rows[log.rows["game"] == 0].assign(share=0.0, game=log.games)
    more = as_log(pd.concat([log.rows, lost], ignore_index=True))
    assert strengths_of(more).rates()["estimate"].to_numpy() == pytest.approx(strengths_of(log).rates()["estimate"].to_numpy())
    with pytest.raises(ValueError, match="no game of two or more players has a winner"):
        strengths_of(as_log(lost))


def test_pairs_name_the_stronger_one_first_with_the_record_of_the_log():
    log = a_log(games=800)
    frame = pairs(strengths_of(log), log)
    assert (frame["estimate"] >= 0.5).all()
    assert frame["low"].is_monotonic_decreasing
    row = frame.iloc[0]
    games = log.rows.groupby("game")["entrant"].agg(frozenset)
    both = log.rows[log.rows["game"].isin(games[games == frozenset((row["first"], row["second"]))].index)]
    assert row["n"] == len(both) / 2
    assert row["wins"] == both.loc[both["entrant"] == row["first"], "share"].sum()
    assert row["record"] == f"{row['wins']:g}:{row['losses']:g}"


def test_three_players_meet_in_pairs_if_one_of_both_won():
    players = [("a", 1.0), ("b", 0.0), ("c", 0.0)]
    rows = [(game, 3, place, "", *player) for game in range(6) for place, player in enumerate(players)]
    log = as_log(pd.DataFrame(rows, columns=COLUMNS))
    frame = pairs(strengths_of(log), log)
    assert frame["name"].tolist() in (["a v b", "a v c"], ["a v c", "a v b"])
    assert frame["record"].tolist() == ["6:0", "6:0"]


def test_compare_names_the_stronger_of_two_in_any_order():
    log = a_log(games=3_000, strength=np.array([0.9, 0, 0, 0, 0, 0, 0, -0.9]))
    for order in (("Hero 0", "hero_7"), ("hero 7", "hero 0")):
        answer = compare(log, *order)
        assert answer.summary.startswith("hero 0 is stronger than hero 7")
        assert answer.frame["name"].tolist() == ["hero 0", "hero 7"]
    alike = compare(a_log(games=400), "hero 2", "hero 3")
    assert alike.summary.startswith("Not decided: hero ")
    assert "more games would decide" in alike.summary
    with pytest.raises(ValueError, match="is no hero of"):
        compare(log, "hero 0", "heroine")
    with pytest.raises(ValueError, match="name another"):
        compare(log, "hero 0", "Hero 0")


def test_amounts_are_means_of_columns_of_numbers():
    log = a_log(games=50)
    scores = np.where(log.rows["share"] > 0, 12.0, 7.0)
    answer = amounts(as_log(log.rows.assign(score=scores, rounds=5.0)))
    frame = answer.frame.set_index(["part", "name"])
    assert frame.loc[("score", "winners"), "estimate"] == 12
    assert frame.loc[("score", "losers"), "estimate"] == 7
    assert frame.loc[("rounds", "all together"), "estimate"] == 5
    with pytest.raises(ValueError, match="is no column of numbers"):
        amounts(as_log(log.rows.assign(score=scores)), ["rounds"])
    with pytest.raises(ValueError, match="has no numbers besides who won"):
        amounts(log)


def test_every_answer_can_be_drawn_and_is_short():
    log = a_log(games=120, seats_=(2, 3, 4))
    scored = as_log(log.rows.assign(score=1.0))
    for answer in (winrates(log), matchups(log), seats(log), compare(log, "hero 0", "hero 1"), amounts(scored)):
        assert len(answer.summary.split()) <= 30
        for chart in answer.charts:
            chart.draw()


# ---- coverage, and wrong verdicts ------------------------------------------------------------------------------------

LOGS = 200


@pytest.mark.soak
@pytest.mark.parametrize(
    ("games", "bounds"), [(30, (0.93, 0.995)), (60, (0.93, 0.985)), (300, (0.93, 0.97)), (3_000, (0.93, 0.97))]
)
@pytest.mark.parametrize("design", ["balanced", "favourites", "confounded", "mixed"])
def test_adjusted_rates_are_covered_unbiased_and_rarely_called_wrong(games, bounds, design):
    """200 logs of each size and design, with new strengths each; also turn order, people and pairs."""
    hits, errors, wrong, order, people, duels = [], [], [], [], [], []
    for seed in range(LOGS if games < 3_000 else 60):
        rng = np.random.default_rng([games, seed])
        strength, skill = rng.normal(0, 0.3, 8), rng.normal(0, 0.7, 6)
        seats_ = (2, 3, 4) if design == "mixed" else (2,)
        likes = {"balanced": np.ones((6, 8)), "confounded": confounded(skill, 8)}.get(design, favourites(rng, 6, 8))
        log = made_log(rng, strength, skill, likes, games, seats_)
        strengths = strengths_of(log)
        index = [names(8).index(name) for name in strengths.entrants]
        truth = true_rates(strength, seats_)[index] if len(index) == 8 else None
        if truth is None:
            continue
        frame = strengths.rates()
        hits += ((frame["low"] <= truth) & (truth <= frame["high"])).tolist()
        errors.append(frame["estimate"].iloc[0] - truth[0])
        judged = rates(log, strengths).set_index("name").loc[list(strengths.entrants)]
        bottom, top = verdicts.edges(np.mean([1 / size for size in seats_]))
        called = judged["verdict"].to_numpy()
        is_wrong = ((called == verdicts.TOO_STRONG) & (truth <= top)) | ((called == verdicts.TOO_WEAK) & (truth >= bottom))
        wrong.append(bool((is_wrong | ((called == verdicts.FAIR) & ((truth < bottom) | (truth > top)))).any()))
        first = strengths.orders().iloc[0]
        order.append(first["low"] <= expit(0.25) <= first["high"]) if seats_ == (2,) else None
        skills = strengths.skills().set_index("name")
        own = expit(skill - skill.mean())[[int(name.split()[1]) for name in skills.index]]
        people += ((skills["low"] <= own) & (own <= skills["high"])).tolist() if len(skills) == 6 else []
        pair = np.array([(0, 1), (2, 5)])
        duel = strengths.duels(pair)
        gap = expit([strength[index[one]] - strength[index[two]] for one, two in pair])
        duels += ((duel["low"] <= gap) & (gap <= duel["high"])).tolist()
    assert bounds[0] < np.mean(hits) < bounds[1]
    assert np.mean(wrong) <= 0.05
    assert abs(np.mean(errors)) < (0.03 if games >= 300 else 0.08)
    assert np.mean(people) > 0.92
    assert np.mean(duels) > 0.92
    assert not order or np.mean(order) > (0.92 if games < 3_000 else 0.85)  # of 60 long logs, by chance
