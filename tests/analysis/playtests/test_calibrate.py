"""Logs against the simulation: which players made them, who differs, and both combined."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.playtests.against import at_table, compared, disagreement, log_losses, matched, ranking
from analysis.playtests.strengths import strengths_of
from tests.analysis.playtests.made_logs import as_log

ARENA = ff.load("arena")
NAMES = ARENA.names


def log_of(games):
    """Games of the program as a log."""
    table = games.seats.assign(player="", entrant=games.seats["name"].astype(str))
    table = table[table.groupby("game")["share"].transform("sum") > 0]
    number, _ = pd.factorize(table["game"])
    rows = table.assign(game=number, seats=games.experiment.seats).sort_values(["game", "position"], kind="stable")
    return as_log(rows[["game", "seats", "position", "player", "entrant", "share"]].reset_index(drop=True))


def played(policy="random", games=300, seed=3, seats=2, cards=ARENA):
    return log_of(ff.play(cards, games, seats=seats, policy=policy, seed=seed, progress=False))


def cut(log, games, seed):
    """Some games of a log."""
    chosen = np.random.default_rng(seed).choice(log.games, games, replace=False)
    rows = log.rows[log.rows["game"].isin(chosen)]
    return as_log(rows.assign(game=pd.factorize(rows["game"])[0]).reset_index(drop=True))


def match(log):
    return matched(log, ARENA.game, ARENA.card_set)


def test_entrants_are_matched_by_name_or_id_in_any_case():
    log = played(games=56)
    words = dict(zip(NAMES, ("BOW MASTER", "rhino_guy", "Dragon-Hatcher", "valasca"), strict=False))
    result = match(as_log(log.rows.assign(entrant=log.rows["entrant"].replace(words))))
    assert [NAMES[index] for index in result.entrant] == log.rows["entrant"].tolist()
    assert result.left_out == ()


def test_games_with_strangers_or_of_other_sizes_are_left_out_by_name():
    log = played(games=56)
    rows = log.rows.copy()
    rows.loc[0, "entrant"] = "Valaska"
    rows.loc[2:3, "seats"] = 7
    result = match(as_log(rows))
    assert result.log.games == log.games - 2
    assert result.left_out[0].startswith("one game with Valaska, who is not in Arena; did you mean")
    assert result.left_out[1] == "one game of 7 players"
    with pytest.raises(ValueError, match="too few games are left to compare with Arena"):
        match(as_log(log.rows.assign(entrant=log.rows["entrant"] + " of Mars")))


def test_log_loss_is_that_of_the_chances():
    model = strengths_of(played(games=2_000))
    result = match(played(games=56, seed=9))
    losses = log_losses(result, {2: model}, NAMES)
    line_up = np.array([model.entrants.index(name) for name in result.log.rows["entrant"]]).reshape(-1, 2)
    chance = model.chances(line_up, result.log.rows["position"].to_numpy().reshape(-1, 2))
    share = result.log.rows["share"].to_numpy().reshape(-1, 2)
    assert chance.sum(axis=1) == pytest.approx(np.ones(len(chance)))
    assert losses == pytest.approx(-(share * np.log(chance)).sum(axis=1))


def test_the_players_with_the_smallest_loss_come_first_with_the_distance_of_the_others():
    rng = np.random.default_rng(0)
    base = rng.random(400)
    frame = ranking({"far": base + 0.3 + 0.1 * rng.random(400), "near": base, "close": base + 0.1 * rng.normal(size=400)})
    assert frame["players"].iloc[0] in ("near", "close")
    assert frame["players"].iloc[2] == "far"
    assert frame["worse"].iloc[0] == 0
    assert np.isnan(frame["p_holm"].iloc[0])
    assert frame["p_holm"].iloc[2] < 1e-6
    assert frame["low"].iloc[2] > 0.3


def test_a_simulation_that_agrees_is_a_strong_prior_and_one_that_does_not_a_weak_one():
    log = played(games=600, seed=5)
    strengths = strengths_of(log)
    table = strengths.rates()
    same = pd.DataFrame({"name": strengths.entrants, "estimate": table["estimate"], "n": 5_000})
    agreed = compared(strengths, same)
    assert not agreed["sure"].any()
    assert agreed["combined"].to_numpy() == pytest.approx(agreed["estimate"].to_numpy(), abs=1e-6)
    assert agreed["worth"].min() > 3_000
    other = same.assign(estimate=[0.2, 0.8] * 4)
    apart = compared(strengths, other)
    assert apart["sure"].sum() >= 3
    assert apart["worth"].max() < 30
    assert apart["p"].is_monotonic_increasing
    assert ((apart["combined"] - apart["estimate"]).abs() < (apart["simulated"] - apart["estimate"]).abs()).all()


def test_the_disagreement_is_found_by_moments():
    rng = np.random.default_rng(1)
    error = rng.uniform(0.1, 0.4, 4_000)
    assert disagreement(rng.normal(0, error), error) < 0.05
    assert disagreement(rng.normal(0, np.hypot(0.5, error)), error) == pytest.approx(0.5, abs=0.05)


def test_win_rates_at_the_table_are_apart_by_number_of_players():
    two, four = played(games=112), played(games=112, seats=4)
    rows = pd.concat([two.rows, four.rows.assign(game=four.rows["game"] + two.games)], ignore_index=True)
    frame = at_table(as_log(rows), ARENA.game, ARENA.card_set)
    assert sorted(frame["seats"].unique()) == [2, 4]
    assert len(frame) == 16
    assert frame.loc[frame["seats"] == 4, "table"].mean() == pytest.approx(0.25, abs=0.02)
    assert ((frame["table_low"] < frame["table"]) & (frame["table"] < frame["table_high"])).all()


def test_calibrate_names_the_players_that_made_a_log():
    log = played("random", 400, seed=8)
    answer = ff.calibrate("arena", log, players=["random", "greedy:1"], games=1_500, progress=False)
    assert answer.summary.startswith("Random players are most like your table, the others clearly less")
    assert list(answer.frame["players"]) == ["random", "greedy:1"]
    assert answer["entrants"]["n"].sum() == len(log.rows)
    assert not answer["entrants"]["sure"].any()
    for chart in answer.charts:
        chart.draw()


def test_calibrate_flags_an_entrant_with_another_card():
    changed = ARENA.set("hero.rhino_guy.move", 5)
    log = log_of(ff.play(changed, 2_000, policy="greedy:1", seed=4, progress=False))
    answer = ff.calibrate("arena", log, players=["greedy:1"], games=4_000, progress=False)
    top = answer["entrants"].iloc[0]
    assert top["name"] == "Rhino Guy"
    assert top["sure"]
    assert top["difference"] > 0.05
    assert any("Rhino Guy" in line for line in answer.warnings)


def test_lengths_are_compared_if_the_log_tells_them():
    log = played("random", 200)
    timed = replace(log, rows=log.rows.assign(turns=80.0))
    answer = ff.calibrate("arena", timed, players=["random"], games=500, progress=False)
    assert answer["length"]["table"].tolist() == [80]
    assert 40 < answer["length"]["simulated"].iloc[0] < 160


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_calibrate_names_the_right_players_in_95_of_100_logs_of_300_games(seats):
    policies = ["random", "greedy:4", ARENA.game.player]
    sizes = {"random": 10_000, "greedy:4": 10_000, ARENA.game.player: 5_600 if seats == 2 else 1_400}
    models = {policy: {seats: strengths_of(played(policy, sizes[policy], 1, seats))} for policy in policies}
    for policy in policies:
        pool = played(policy, 12_000, 99, seats)
        hits = 0
        for seed in range(100):
            result = match(cut(pool, 300, seed))
            losses = {name: float(np.nanmean(log_losses(result, model, NAMES))) for name, model in models.items()}
            hits += min(losses, key=losses.__getitem__) == policy
        assert hits >= 95 if seats == 2 else hits >= 85
