"""Sections on contests of teams: numbers equal to direct computation, well-formed sentences, first player and policies."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis.answer.model import Section
from analysis.data.study import Budget, Study
from analysis.facts.counts import with_sources
from analysis.report.pages import answer
from analysis.stats.intervals import proportion, ratio
from analysis.variants.compare import advantage
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import FirstPlayer, Length
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


def assert_share(row, won, n):
    """Win rate or share, Wilson's interval, and n of a row."""
    right = proportion(float(won), int(n))
    name = "win rate" if "win rate" in row else "share"
    assert (row[name], row["low"], row["high"], row["n"]) == (right.estimate, right.low, right.high, right.n)


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


def test_last_blows_leave_out_games_without_one_and_shares_by_period_are_ratios_over_games(sections, games):
    rows, outcomes, _ = games
    (row,) = lines(sections["decides"], "decides", of="last blows", cause="rot")
    assert_share(row, (outcomes["last"] == CAUSES.index("rot")).sum(), (rows["status"] == Status.FINISHED).sum())
    middle, late = (lines(sections["decides"], "decides-periods", period=words)[0] for words in ("5 to 8", "9 and later"))
    right = ratio(*(outcomes[name][:, 1].astype(float) for name in ("splashed", "damage")))
    assert (middle["share"], middle["low"], middle["high"]) == pytest.approx((right.estimate, right.low, right.high))
    assert late["n"] == (outcomes["damage"][:, 2] > 0).sum()


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


def test_a_lead_is_counted_over_the_seats_with_it_and_parts_are_compared_before_and_after(sections, games):
    rows, outcomes, parts = games
    ended = rows["status"] == Status.FINISHED
    seen, share = outcomes["seen"][ended].astype(bool), rows["share"][ended, :2]
    (row,) = lines(sections["lead"], "lead", **{"own down": 0, "opposing down": 2})
    assert_share(row, share[seen[..., 2]].sum(), seen[..., 2].sum())
    (level,) = lines(sections["lead"], "lead", **{"own down": 1, "opposing down": 1})
    assert (level["win rate"], level["low"], level["n"]) == (0.5, None, seen[:, 0, 4].sum())
    (row,) = lines(sections["lead"], "lead-amounts", tree="Oak")
    sums = {name: outcomes[name][parts == PARTS.index("Oak")].sum() for name in ("dealt", "turns", "dealt_down", "turns_down")}
    standing, down = sums["dealt"] / sums["turns"], sums["dealt_down"] / sums["turns_down"]
    assert [row[name] for name in ("standing", "down", "gained")] == pytest.approx([standing, down, down - standing])
    assert lines(sections["lead"], "lead-amounts")[0]["tree"] == "all"


def test_comebacks_show_whether_the_opponent_is_as_far_behind(sections, games):
    rows, outcomes, _ = games
    ended = rows["status"] == Status.FINISHED
    down, share = outcomes["down"][ended], rows["share"][ended, :2]
    both = (down > 0) & (down[:, ::-1] > 0) & (down[:, ::-1] <= down)
    for words, chosen in (("the other is too", both), ("the other is not yet", (down > 0) & ~both)):
        (row,) = lines(sections["back"], "back-all", **{"other side": words})
        assert_share(row, share[chosen].sum(), chosen.sum())
        assert sum(line["n"] for line in lines(sections["back"], "back", **{"other side": words})) == chosen.sum()


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
    study = SimpleNamespace(cards=SimpleNamespace(document={"beast": lists}, provenance=provenance))
    table = pd.DataFrame({"part": [0, 0, 1], "thing": [0, 1, 0], "ability": ["Bite", "Hide", "Fly"]})
    for part, abilities, note in (
        (table, ["Bite*", "Hide", "Fly"], " * Of the thresholds this one is assumed."),
        (table[:1], ["Bite"], " All thresholds shown are assumed."),
    ):
        marked, words = with_sources(study, part, ("beast", "line", "number", "thresholds"))
        assert (list(marked["ability"]), words) == (abilities, note)
        assert list(marked["source"]) == ["assumed", "rulebook", ""][: len(part)]


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
    values = [(row["value"], row["policy"]) for row in lines(section, "first")]
    assert values == [(value, policy) for policy in (str(played.policy), "random") for value in ("6", "12")]
    experiment = played.experiment(2, 63, PolicySpec.parse("random"))
    rows = collect(experiment).rows
    right = advantage(rows["share"][:, :2], rows["first"], experiment.plan_of(rows["game"].astype(np.int64))["dice"])
    default = str(played.cards.document["rules"]["goal"])
    plain = lines(answer(played, replace(question, rules={}, rule="")), "first", policy="random")
    for line in (*lines(section, "first", policy="random", value=default), *plain):
        assert (line["goes first"], line["difference"], line["n"]) == (right.first, right.change, right.games)


def test_lengths_are_shown_side_by_side_by_policy(played):
    section = answer(played, Length("length", "?", by="policy"))
    assert_well_formed(section)
    greedy = str(played.policy)
    pairs = [f"{greedy} \u2013 {greedy}", f"{greedy} \u2013 random", "random \u2013 random"]
    assert [row["policies"] for row in lines(section, "length-truncated")] == pairs
    median = lines(section, "length", **{"policies": pairs[0], "share of games over": 0.5})[0]
    assert median["turns"] == played.games_frame["turns"].quantile(0.5, "lower")
    alone = replace(played, policy=PolicySpec.parse("random"))
    assert len(lines(answer(alone, Length("length", "?", by="policy")), "length-truncated")) == 1
