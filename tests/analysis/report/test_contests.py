"""Sections on contests of teams: numbers equal to direct computation, well-formed sentences, first player and policies."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.data import study as policy_games
from analysis.data.study import Budget, Study, against
from analysis.document.model import Section
from analysis.facts.counts import with_sources
from analysis.report.pages import answer
from analysis.stats.intervals import proportion
from analysis.variants.compare import advantage
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import FirstPlayer, Length, Skill
from sim.run import collect
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import assert_well_formed, lines
from tests.analysis.report.skirmish import CAUSES, MEMBERS, PARTS, QUESTIONS, TEAMS, drawn, skirmish

GAMES = 600
BY_ID = {question.id: question for question in QUESTIONS}


@pytest.fixture(scope="module")
def study() -> Study:
    return skirmish(GAMES)


@pytest.fixture(scope="module")
def sections(study) -> dict[str, Section]:
    answers = {question.id: answer(study, question) for question in QUESTIONS}
    return {name: section for name, section in answers.items() if section is not None}


@pytest.fixture(scope="module")
def games():
    """Rows and outcomes of the sections, and the part in each place, (games, 2, 3)."""
    rows, outcomes = drawn(GAMES)
    return rows, outcomes, MEMBERS[rows["entrant"][:, :2]]


@pytest.fixture
def played(coin_duel) -> Study:
    game = replace(coin_duel, seats=(2,))
    budget = Budget(**FEW, games=126, variant_games=63)
    return Study(game, game.load(None), PolicySpec.parse("greedy"), seed=3, budget=budget, jobs=1)


def test_games_without_teams_have_no_such_sections(study):
    lone = skirmish(40)
    vars(lone)["game"] = replace(study.game, teams_of=None)
    for name in ("decides", "met", "seeds"):
        assert answer(lone, BY_ID[name]) is None
    assert len(answer(lone, BY_ID["lead"]).figures) == 1


def test_falls_are_counted_by_cause_and_part(sections, games):
    _, outcomes, parts = games
    sums = {cause: outcomes[f"by_{cause}"][parts == PARTS.index("Fir")].sum() for cause in CAUSES[1:]}
    for cause, number in sums.items():
        (row,) = lines(sections["decides"], "decides", of="Fir", cause=cause)
        assert (row["number"], row["n"]) == (number, (parts == PARTS.index("Fir")).any(axis=(1, 2)).sum())
        assert row["share"] == pytest.approx(number / sum(sums.values()))
        assert row["low"] < row["share"] < row["high"]


def test_last_blows_leave_out_games_without_one(sections, games):
    rows, outcomes, _ = games
    ended = rows["status"] == Status.FINISHED
    (row,) = lines(sections["decides"], "decides", of="last blows", cause="rot")
    right = proportion(int((outcomes["last"] == CAUSES.index("rot")).sum()), int(ended.sum()))
    assert (row["share"], row["low"], row["high"], row["n"]) == (right.estimate, right.low, right.high, right.n)


def test_a_share_by_period_is_a_ratio_over_games(sections, games):
    _, outcomes, _ = games
    (row,) = lines(sections["decides"], "decides-periods", period="5 to 8")
    y, x = (outcomes[name][:, 1].astype(float) for name in ("splashed", "damage"))
    estimate = y.sum() / x.sum()
    residual = y - estimate * x
    half = stats.t.ppf(0.975, len(y) - 1) * np.sqrt(len(y) / (len(y) - 1) * residual @ residual) / x.sum()
    assert (row["share"], row["low"], row["high"]) == pytest.approx((estimate, estimate - half, estimate + half))


def test_the_parts_of_a_whole_add_up(sections, games):
    _, outcomes, _ = games
    rows = {row["part"]: row for row in lines(sections["lands"], "lands")}
    assert rows["straight"]["points"] == outcomes["came"][..., 0].sum()
    assert rows["blocked by bark"]["points"] == outcomes["blocked"].sum()
    assert sum(row["share"] for row in rows.values()) == pytest.approx(1)
    assert [row["n"] for row in rows.values()] == [GAMES] * 3
    falls = lines(sections["falls"], "falls", part="two")[0]
    assert falls["share"] == pytest.approx(outcomes["falls"][:, 2].sum() / outcomes["falls"].sum())
    assert sections["falls"].note.endswith("Said beside.")


def test_a_lead_is_counted_over_the_seats_with_it(sections, games):
    rows, outcomes, _ = games
    ended = rows["status"] == Status.FINISHED
    seen = outcomes["seen"][ended].astype(bool)
    share = rows["share"][ended, :2]
    (row,) = lines(sections["lead"], "lead", **{"own down": 0, "opposing down": 2})
    right = proportion(float(share[seen[..., 2]].sum()), int(seen[..., 2].sum()))
    assert (row["win rate"], row["low"], row["high"], row["n"]) == (right.estimate, right.low, right.high, right.n)
    (level,) = lines(sections["lead"], "lead", **{"own down": 1, "opposing down": 1})
    assert (level["win rate"], level["low"], level["n"]) == (0.5, None, seen[:, 0, 4].sum())


def test_parts_are_compared_before_and_after(sections, games):
    _, outcomes, parts = games
    (row,) = lines(sections["lead"], "lead-amounts", tree="Oak")
    oak = parts == PARTS.index("Oak")
    assert row["standing"] == pytest.approx(outcomes["dealt"][oak].sum() / outcomes["turns"][oak].sum())
    assert row["down"] == pytest.approx(outcomes["dealt_down"][oak].sum() / outcomes["turns_down"][oak].sum())
    assert row["gained"] == pytest.approx(row["down"] - row["standing"])
    assert lines(sections["lead"], "lead-amounts")[0]["tree"] == "all"


def test_comebacks_show_whether_the_opponent_is_as_far_behind(sections, games):
    rows, outcomes, _ = games
    ended = rows["status"] == Status.FINISHED
    down, share = outcomes["down"][ended], rows["share"][ended, :2]
    opponent_down = down[:, ::-1]
    both = (down > 0) & (opponent_down > 0) & (opponent_down <= down)
    for words, chosen in (("the other is too", both), ("the other is not yet", (down > 0) & ~both)):
        (row,) = lines(sections["back"], "back-all", **{"other side": words})
        right = proportion(float(share[chosen].sum()), int(chosen.sum()))
        assert (row["win rate"], row["low"], row["high"], row["n"]) == (right.estimate, right.low, right.high, right.n)
        assert sum(line["n"] for line in lines(sections["back"], "back", **{"other side": words})) == right.n


def test_life_curves_leave_out_games_that_are_over(sections, games):
    rows, outcomes, _ = games
    ended = rows["status"] == Status.FINISHED
    life, won = outcomes["life"][ended, :, 9], rows["share"][ended, :2] > 0
    (row,) = lines(sections["life"], "life", **{"after round": 10, "who": "losers"})
    known = life[~won & np.isfinite(life)]
    assert (row["mean"], row["n"]) == (pytest.approx(known.mean()), known.size)
    assert row["quantile 90\u202f%"] == pytest.approx(np.quantile(known, 0.9))
    assert row["games that come to it"] == pytest.approx(known.size / ended.sum())


def test_abilities_are_counted_per_turn_of_the_games_of_their_part(sections, games):
    _, outcomes, parts = games
    sits = parts == PARTS.index("Elm")
    met = outcomes["met"].reshape(GAMES, 2, 3, 3)[sits]
    turns = outcomes["length"][sits.any(axis=(1, 2))].sum()
    elm = lines(sections["met"], "met", tree="Elm")
    assert [row["ability"] for row in elm] == list(TEAMS.abilities[PARTS.index("Elm")])
    assert [row["possible"] for row in elm] == pytest.approx(list(met.sum(axis=0) / turns))
    assert len(lines(sections["met"], "met", tree="Ash")) == 2  # has only two abilities


def test_abilities_with_an_assumed_number_have_a_star():
    lists = [
        {"id": "rat", "line": [{"id": "bite", "number": 1}, {"id": "hide", "number": 2}]},
        {"id": "bat", "line": [{"id": "fly", "number": 3}]},
    ]
    sources = {"beast.rat.line.bite.number": "assumed", "beast.rat.line.hide.number": "rulebook"}
    provenance = [SimpleNamespace(path=path, source=source) for path, source in sources.items()]
    cards = SimpleNamespace(document={"beast": lists}, provenance=provenance)
    study = SimpleNamespace(cards=cards)
    table = pd.DataFrame({"part": [0, 0, 1], "thing": [0, 1, 0], "ability": ["Bite", "Hide", "Fly"]})
    marked, note = with_sources(study, table, ("beast", "line", "number", "thresholds"))
    assert list(marked["ability"]) == ["Bite*", "Hide", "Fly"]
    assert list(marked["source"]) == ["assumed", "rulebook", ""]
    assert note == " * Of the thresholds this one is assumed."
    alone, note = with_sources(study, table[:1], ("beast", "line", "number", "thresholds"))
    assert (list(alone["ability"]), note) == (["Bite"], " All thresholds shown are assumed.")


def test_a_period_counts_the_games_that_reach_it(sections, games):
    _, outcomes, _ = games
    (row,) = lines(sections["decides"], "decides-periods", period="9 and later")
    assert row["n"] == (outcomes["damage"][:, 2] > 0).sum()


def test_shuffled_in_cards_are_named_and_counted_by_user(sections, games):
    rows, outcomes, parts = games
    (row,) = lines(sections["seeds"], "seeds", seed="Seed of oak (Oak)")
    oak = parts == PARTS.index("Oak")
    copies = outcomes["seeds"][oak]
    assert row["shuffled in"] == copies.sum()
    assert row["used by its owner"] == pytest.approx(outcomes["own_seeds"][oak].sum() / copies.sum())
    won = np.broadcast_to(rows["share"][:, :2, None], parts.shape)[oak]
    ended = np.broadcast_to((rows["status"] == Status.FINISHED)[:, None, None], parts.shape)[oak]
    with_, without = (won[ended & had].mean() for had in (copies > 0, copies == 0))
    assert row["difference"] == pytest.approx(with_ - without)
    assert row["difference low"] < row["difference"] < row["difference high"]
    assert len(lines(sections["seeds"], "seeds")) == 4  # the other parts shuffle nothing in


def test_going_first_is_counted_over_games_that_share_dice(played):
    question = FirstPlayer("first", "?", by="policy", rules={"rules.goal": ("6", "12")}, rule="goal")
    section = answer(played, question)
    assert_well_formed(section)
    table = lines(section, "first")
    assert [(row["value"], row["policy"]) for row in table] == [
        (value, policy) for policy in (str(played.policy), "random") for value in ("6", "12")
    ]
    experiment = played.experiment(2, 63, PolicySpec.parse("random"))
    rows = collect(experiment).rows
    dice = experiment.plan_of(rows["game"].astype(np.int64))["dice"]
    right = advantage(rows["share"][:, :2], rows["first"], dice)
    default = played.cards.document["rules"]["goal"]
    row = next((row for row in table if row["policy"] == "random" and row["value"] == str(default)), None)
    plain = lines(answer(played, replace(question, rules={}, rule="")), "first", policy="random")[0]
    for line in filter(None, (row, plain)):
        assert (line["goes first"], line["difference"], line["n"]) == (right.first, right.change, right.games)


def test_both_policies_play_each_side_of_the_same_games_once(played, monkeypatch):
    section = answer(played, Skill("skill", "?"))
    assert_well_formed(section)
    mixed = against(played, 2, 63)
    (row,) = lines(section, "skill")
    assert row["n"] == len(mixed) == 2 * row["n (groups)"]
    assert (mixed["dice"].value_counts() == 2).all()
    wins = np.where(mixed["side"] == 0, mixed["share_0"], mixed["share_1"])
    assert row[f"{played.policy} wins"] == pytest.approx(wins.mean())
    monkeypatch.setattr(policy_games, "results", None)
    assert against(played, 2, 63) is mixed


def test_lengths_are_shown_side_by_side_by_policy(played):
    section = answer(played, Length("length", "?", by="policy"))
    assert_well_formed(section)
    greedy = str(played.policy)
    pairs = [f"{greedy} \u2013 {greedy}", f"{greedy} \u2013 random", "random \u2013 random"]
    assert [row["policies"] for row in lines(section, "length-truncated")] == pairs
    median = lines(section, "length", **{"policies": pairs[0], "share of games over": 0.5})[0]
    turns = np.sort(played.games_frame["turns"].to_numpy())
    assert median["turns"] == turns[-(-len(turns) // 2) - 1]
    alone = replace(played, policy=PolicySpec.parse("random"))
    assert len(lines(answer(alone, Length("length", "?", by="policy")), "length-truncated")) == 1
    assert answer(alone, Skill("skill", "?")) is None
