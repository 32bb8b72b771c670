"""Sections that try rules and numbers: games without a rule, sweeps of a number, ranks under rule variants."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.answer.model import Section
from analysis.data.shares import Shares
from analysis.data.study import Budget, Study
from analysis.report.pages import answer, facts
from analysis.stats.intervals import proportion
from analysis.variants import rules
from analysis.variants import variant as variants
from analysis.variants.variant import difference
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.engine.questions import Question, RuleOff, RuleVariants, Sweep
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import assert_well_formed, lines

TINY = Budget(**FEW, games=90, step_games=30, shared_games=72, variant_games=120, rolls=20, replays=4)
OFF = RuleOff("off", "What does it change?", rules={"rules.goal": ("4",)}, words=("long", "short"))
SWEEP = Sweep("sweep", "How does it bend?", rules={"rules.goal": ("4", "6", "8", "20")})


@pytest.fixture
def study(coin_duel) -> Study:
    return Study(coin_duel, coin_duel.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1)


def played(study: Study, goal: int) -> tuple[Shares, Shares]:
    """The games of the sections as played, and with another goal."""
    base = study.experiment(2, TINY.variant_games)
    other = study.game.from_document(changed(study.cards.document, "rules.goal", goal))
    return Shares.of(base), Shares.of(replace(base, cards=other))


def ask(study: Study, question: Question, **changes) -> Section:
    section = answer(study, replace(question, **changes))
    assert section is not None
    return section


def test_games_that_end_differently_without_a_rule_are_counted(study):
    before, after = played(study, 4)
    section = ask(study, OFF)
    assert_well_formed(section)
    other = (before.share != after.share).any(axis=1) | (before.truncated != after.truncated)
    assert 0 < other.mean() < 1
    (row,) = lines(section, "off")
    assert row["games that end otherwise"] == pytest.approx(other.mean())
    assert row["n"] == len(other)
    right = proportion(float(other.sum()), len(other))
    assert row["low"] <= right.low + 1e-9
    assert row["change of turns"] == pytest.approx((after.turns - before.turns).mean())
    assert f"{100 * other.mean():.1f}" in section.answer
    assert "played again short" in section.answer
    right = difference(study.experiment(2, TINY.variant_games), before, after).set_index("name")
    for row in lines(section, "off-rates"):
        pair = right.loc[row["fighter"]]
        assert (row["long"], row["short"], row["change"]) == (pair["before"], pair["after"], pair["change"])
        assert row["n"] == pair["n"]


def test_actions_per_game_are_shown_beside_several_rules_with_separate_charts(study):
    measures = study.measures
    field = next(measure.field for measure in measures if measure.per == "seat" and measure.kind in ("count", "number"))
    paths = {**OFF.rules, "rules.stake_max": ("1",)}
    game = replace(study.game, questions=(replace(OFF, quantities={"done per game": field}, rules=paths),))
    section = ask(replace(study, game=game), game.questions[0])
    assert_well_formed(section)
    assert [chart.id for chart in section.figures] == ["off-done", "off", "off-1"]
    assert [row["rule"] for row in lines(section, "off")] == ["goal: 4 instead of 8", "stake max: 1 instead of 3"]
    assert "(stake max: 1 instead of 3)" in section.answer
    assert section.answer.startswith("Done per game: ")
    assert lines(section, "off-done", what="done per game")


def test_every_value_of_a_sweep_plays_the_same_games(study):
    section = ask(study, SWEEP)
    assert_well_formed(section)
    for goal in (4, 6, 20):
        before, after = played(study, goal)
        right = difference(study.experiment(2, TINY.variant_games), before, after).set_index("name")
        (row,) = lines(section, "sweep", value=goal, fighter="Maul")
        assert (row["win rate"], row["change"]) == (right.loc["Maul", "after"], right.loc["Maul", "change"])
        assert row["mean turns"] == pytest.approx(after.turns.mean())
    (row,) = lines(section, "sweep", value=8, fighter="Maul")
    assert row["change"] is None
    assert row["p (Holm)"] is None
    assert "with \u201cGoal\u201d at 6 instead of 8" in section.answer
    assert "All these numbers are assumed." in section.figures[0].caption
    axes = section.figures[0].figure.axes[0]
    (line,) = [artist for artist in axes.lines if artist.get_gid() == "present"]
    assert list(line.get_xdata()) == [8, 8]
    low, high = axes.get_ylim()
    assert 0 <= low < high <= 1
    assert high - low < 1


def test_refused_values_and_unknown_numbers_are_left_out(study):
    section = ask(study, SWEEP, rules={"rules.goal": ("4", "99"), "rules.nothing": ("1",)})
    assert "Refused by the rules of the card file: Goal 99." in section.note
    assert {row["value"] for row in lines(section, "sweep")} == {4}
    for paths in ({"rules.nothing": ("1",)}, {}):
        assert answer(study, replace(SWEEP, rules=paths)) is None
    for paths in ({"rules.goal": ("8",)}, {}):  # already played so, or unnamed
        assert answer(study, replace(OFF, rules=paths)) is None


def test_the_facts_list_the_games_of_both_sections(study):
    game = replace(study.game, questions=(replace(OFF, games=2), SWEEP))
    fact_text = next(fact.text for fact in facts(replace(study, game=game), "") if fact.label == "Other games")
    assert "about 240 without a rule" in fact_text
    assert "about 120 for each value of a number" in fact_text


def ranked(*after: float, sure: bool = True, variant: str = "a: yes") -> pd.DataFrame:
    """Three entrants, 60, 50 and 40 % as played, under a rule variant."""
    before = np.array([0.6, 0.5, 0.4])
    frame = pd.DataFrame({"short": variant, "name": ["x", "y", "z"], "before": before, "after": after, "n": 900})
    ends = (("low", -1), ("high", 1))
    bounds = {f"{side}_{end}": frame[side] + sign * 0.03 for side in ("before", "after") for end, sign in ends}
    return frame.assign(**bounds, sure=sure)


def test_ranks_under_a_rule_variant_and_significant_changes():
    frame = pd.concat([ranked(0.45, 0.55, 0.4), ranked(0.52, 0.51, 0.47, variant="b: no")])
    ranks = rules._ranked(frame)
    turned = ranks[ranks["variant"] == "a: yes"].set_index("name")
    assert turned["rank"].to_dict() == {"x": 2, "y": 1, "z": 3}
    assert turned["was"].to_dict() == {"x": 1, "y": 2, "z": 3}
    assert turned["sure"].to_dict() == {"x": True, "y": True, "z": False}
    assert turned["tau"].iloc[0] == pytest.approx(1 / 3)
    still = ranks[ranks["variant"] == "b: no"]
    assert still["tau"].eq(1).all()
    assert not still["sure"].any()
    sentence = (
        "The order of the decks stays the same under one of two variants; beyond chance it changes under \u201ca: yes\u201d."
    )
    assert rules._order_answer(ranks, "decks") == sentence
    for after, sure in (((0.52, 0.53, 0.4), True), ((0.45, 0.55, 0.4), False)):  # within chance
        ranks = rules._ranked(ranked(*after, sure=sure))
        assert not ranks["sure"].any()
        assert "under none does it change beyond chance" in rules._order_answer(ranks, "decks")


def test_variants_show_ranks_on_request(study):
    asks = RuleVariants("r", "Which rule?", rules={"rules.goal": ("4", "20"), "rules.stake_max": ("1",)})
    plain = ask(study, asks)
    section = ask(study, asks, ranks=True)
    assert section.answer.startswith(plain.answer)
    assert [chart.id for chart in section.figures] == [*(chart.id for chart in plain.figures), "r-ranks"]
    rows = lines(section, "r-ranks")
    assert len(rows) == 4 * 3
    for variant in {row["variant"] for row in rows}:
        part = [row for row in rows if row["variant"] == variant]
        assert sorted(row["rank"] for row in part) == [1, 2, 3]
        rates = [row["win rate"] for row in sorted(part, key=lambda row: row["rank"])]
        assert rates == sorted(rates, reverse=True)
    circles = [dots for dots in section.figures[-1].figure.axes[0].collections if dots.get_gid() == "dot"]
    assert len(circles) == 4 * 3


def test_a_variant_without_winners_is_left_out_and_named(study, monkeypatch):
    """Regression: a few random games of Card Rogue gave an empty matrix, and the report ended with an error."""

    def without_winners(base, other, play, before):
        after = Shares.of(other, play)
        if other.cards.document["rules"]["goal"] in never:
            after = replace(after, share=np.zeros_like(after.share), truncated=np.ones_like(after.truncated))
        return before, after

    never = {20}
    monkeypatch.setattr(variants, "both", without_winners)
    asks = RuleVariants("r", "Which rule?", rules={"rules.goal": ("4", "20")}, beside=("length",))
    section = ask(study, asks)
    for id_ in ("rule-variants", "r-length"):
        assert {row["variant"].split(" ")[1] for row in lines(section, id_)} == {"4"}
    assert "goal: 20 instead of" in section.note
    never.add(4)
    assert answer(study, asks) is None
