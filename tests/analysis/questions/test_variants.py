"""Other values of rules and numbers: the same games with each value, ranks, lengths, refused values, sections of reports."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fairfight as ff
from analysis.catalogue import find
from analysis.data.budget import Budget
from analysis.data.shares import Shares, length_change
from analysis.data.study import Study
from analysis.questions.variants import is_reordered, settings_of, tau_of
from analysis.report.pages import answered_section
from analysis.variants.quantities import quantity_change
from analysis.variants.variant import difference
from sim.engine.cards import changed
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from tests.analysis.report.budgets import FEW

TINY = Budget(**FEW, games=90, step_games=30, shared_games=72, variant_games=120, rolls=20, replays=4)
GOALS = {"rules.goal": ("4", "6", "20")}


def study_of(game) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("random"), seed=3, budget=TINY, jobs=1)


@pytest.fixture
def study(coin_duel) -> Study:
    return study_of(coin_duel)


def played(study: Study, goal: int) -> tuple[Shares, Shares]:
    """The games as played, and with another goal."""
    base = study.experiment(2, TINY.variant_games)
    other = study.game.from_document(changed(study.cards.document, "rules.goal", goal))
    return Shares.of(base), Shares.of(replace(base, cards=other))


def test_every_value_plays_the_same_games(study):
    frames = find("variants").answer(study, values=GOALS).frames
    for goal in (4, 6, 20):
        before, after = played(study, goal)
        right = difference(study.experiment(2, TINY.variant_games), before, after).set_index("name")
        rates = frames["win_rates"].query("value == @goal").set_index("name")
        for column in ("before", "after", "change", "low", "high", "n"):
            assert rates[column].tolist() == right[column].tolist()
        (line,) = frames["variants"].query("value == @goal").to_dict("records")
        other = (before.share != after.share).any(axis=1) | (before.truncated != after.truncated)
        assert line["other"] == pytest.approx(other.mean())
        length = length_change(before, after)
        assert [line[f"length_{name}"] for name in ("change", "change_low", "change_high")] == [
            length.change,
            length.low,
            length.high,
        ]
        led = [shares.of_first.mean(dtype=float) for shares in (before, after)]
        assert [line["first_before"], line["first_after"]] == pytest.approx(led)
        assert line["mean"] == pytest.approx(rates["change"].abs().mean())


def test_numbers_are_drawn_as_curves_and_other_values_as_slopes(study):
    drawn = find("variants").answer(study, values={**GOALS, "rules.stake_max": ("1",)})
    assert [chart.id for chart in drawn.charts] == ["", "numbers"]
    (line,) = [artist for artist in drawn.plot("numbers").axes[0].lines if artist.get_gid() == "present"]
    assert list(line.get_xdata()) == [8, 8]
    assert drawn.plot().axes


def test_lone_players_have_cells(lone_climb):
    result = find("variants").answer(study_of(lone_climb).at(1, 1), values={"rules.summit": (6, 12, 99)})
    assert result.frames["win_rates"]["value"].unique().tolist() == [6]  # 12 is played, 99 refused
    assert any("Refused" in note and "summit: 99" in note for note in result.notes)
    assert result.plot("cells").axes


def test_values_as_played_unknown_fields_and_other_seats_leave_the_section_out(study):
    asked = Ask("r", "?", question="variants", arguments={"values": {"rules.goal": ("8",)}})
    assert answered_section(study, asked) is None
    assert answered_section(study, replace(asked, arguments={"values": {"rules.nothing": ("1",)}})) is None
    assert answered_section(study, replace(asked, arguments={"values": GOALS}, seats=9)) is None


def test_a_value_without_winners_is_left_out_and_named(study, monkeypatch):
    """Regression: a few random games of Card Rogue gave an empty matrix, and the report ended with an error."""
    of = Shares.of

    def without_winners(experiment, play):
        games = of(experiment, play)
        if experiment.cards.document["rules"]["goal"] in never:
            games = replace(games, share=np.zeros_like(games.share), truncated=np.ones_like(games.truncated))
        return games

    never = {20}
    monkeypatch.setattr("analysis.questions.variants.Shares.of", without_winners)
    result = find("variants").answer(study, values={"rules.goal": ("4", "20")})
    assert result.frame["value"].tolist() == [4]
    assert any("goal: 20 instead of" in note for note in result.notes)
    never.add(4)
    assert find("variants").answer(study, values={"rules.goal": ("4", "20")}).tables == ()


def ranked(*after: float, sure: bool = True) -> pd.DataFrame:
    """Three entrants, 60, 50 and 40 % as played, with another value."""
    frame = pd.DataFrame({"name": ["x", "y", "z"], "before": [0.6, 0.5, 0.4], "after": after})
    ends = (("low", -1), ("high", 1))
    bounds = {f"{side}_{end}": frame[side] + sign * 0.03 for side in ("before", "after") for end, sign in ends}
    return frame.assign(**bounds, sure=sure)


def test_ranks_change_beyond_chance_if_significant_changes_swap_entrants():
    assert tau_of(ranked(0.45, 0.55, 0.4)) == pytest.approx(1 / 3)
    assert tau_of(ranked(0.52, 0.51, 0.47)) == 1
    assert is_reordered(ranked(0.45, 0.55, 0.4))
    for frame in (ranked(0.52, 0.51, 0.47), ranked(0.52, 0.53, 0.4), ranked(0.45, 0.55, 0.4, sure=False)):
        assert not is_reordered(frame)


def test_an_unknown_quantity_is_refused():
    with pytest.raises(ValueError, match="what='luck' must be among length, first"):
        quantity_change("luck", None, None)


def test_values_are_read_from_texts_and_from_python():
    assert settings_of(["rules.a=1,2", "rules.b=x+y"]) == {"rules.a": ("1", "2"), "rules.b": ("x+y",)}
    assert settings_of({"rules.a": [1, 2], "rules.b": True, "rules.c": [["x", "y"]]}) == {
        "rules.a": ("1", "2"),
        "rules.b": ("true",),
        "rules.c": ("x+y",),
    }
    with pytest.raises(ValueError, match=r"'rules.a' must be FIELD=VALUE"):
        settings_of(["rules.a"])


def test_games_are_all_games(coin_duel):
    result = ff.variants("coin_duel", GOALS, 400, policy="random", progress=False, jobs=1)
    assert 200 < result.data["facts"]["played"] <= 400
    with pytest.raises(ValueError, match=r"games=3 must be at least \d+: a round of \d+ line-ups"):
        ff.variants("coin_duel", GOALS, 3, policy="random", progress=False)
