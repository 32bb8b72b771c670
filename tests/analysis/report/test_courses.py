"""Effects of rule variants on game length and on going first, shown beside the win rates."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.charts import dumbbell
from analysis.data.shares import Shares, length_change
from analysis.report.pages import _others, answer
from analysis.variants import rules
from sim.engine.cards import changed
from sim.engine.questions import RuleVariants
from tests.analysis.report.test_changes import TINY, lines, study
from tests.analysis.report.test_claims import STUDY, rates


def test_length_and_first_move_are_shown_beside_the_win_rates_on_request(coin_duel):
    tiny, asked = study(coin_duel), {"rules.goal": ("4", "12"), "rules.turn_cap": ("61",)}
    plain = answer(tiny, RuleVariants("r", "Which rule?", rules=asked))
    section = answer(tiny, RuleVariants("r", "Which rule?", rules=asked, beside=("length", "first")))
    assert section.tables[:2] == plain.tables
    assert section.answer.startswith(plain.answer)
    assert section.note.startswith(plain.note)
    assert [chart.id for chart in section.figures] == ["r", "r-length", "r-first"]
    base = tiny.experiment(2, TINY.variant_games)
    before = Shares.of(base)
    for value in (4, 12):
        after = Shares.of(replace(base, cards=coin_duel.from_document(changed(tiny.cards.document, "rules.goal", value))))
        row = next(row for row in lines(section, "r-length") if row["variant"].startswith(f"goal: {value} "))
        right = length_change(before, after)
        assert [row[name] for name in ("change", "change low", "change high")] == [right.change, right.low, right.high]
        row = next(row for row in lines(section, "r-first") if row["variant"].startswith(f"goal: {value} "))
        led = [shares.of_first.mean(dtype=float) for shares in (before, after)]
        assert [row["before"], row["after"]] == pytest.approx(led)
        assert row["change"] == pytest.approx(led[1] - led[0])
        assert row["change low"] <= row["change"] <= row["change high"]
        assert row["n"] == base.games
    still = next(row for row in lines(section, "r-length") if row["variant"].startswith("turn cap"))
    assert (still["change"], still["change low"], still["p (Holm)"]) == (0, 0, 1)
    assert "The length of a game is moved most by \u201cgoal: " in section.answer
    p = [row["p (Holm)"] for id_ in ("r-length", "r-first") for row in lines(section, id_)]
    assert len(p) == 6


def test_p_values_of_length_and_first_move_are_adjusted_together():
    frame = pd.DataFrame({"what": ["first", "length", "length"], "p": [0.02, 0.01, 0.5], "n": 9, "change": [0.1, 1.0, -3.0]})
    beside = rules.beside(frame, ("length", "first"))
    assert beside["what"].tolist() == ["length", "length", "first"]
    assert beside["change"].tolist() == [-3.0, 1.0, 0.1]
    assert beside["p_holm"].tolist() == pytest.approx([0.5, 0.03, 0.04])
    assert rules.beside(frame.assign(n=[0, 9, 9]), ("length", "first"))["what"].tolist() == ["length"] * 2
    with pytest.raises(ValueError, match="beside='luck' must be among length, first"):
        rules.quantity_change("luck", None, None)


def test_games_without_a_known_first_player_have_no_first_move_effect():
    games = Shares(np.zeros((3, 2), np.int16), np.array([[1, 0], [0.5, 0.5], [0, 1]], np.float32), *[np.zeros(3)] * 2)
    assert np.isnan(games.of_first).all()
    known = replace(games, first=np.array([0, 1, -1], np.int8))
    assert known.of_first[:2].tolist() == [1.0, 0.5]
    assert np.isnan(known.of_first[2])
    parts = known.of_parts(np.array([[0, 1, 2]]))
    assert parts.share.shape == (3, 6)
    assert parts.of_first[:2].tolist() == [1.0, 0.5]


def test_changes_of_quantities_other_than_shares_are_plain_numbers():
    frame = pd.DataFrame({"name": ["goal: 4"], "first": 8.0, "first_low": 7.0, "first_high": 9.0, "second": 4.0})
    frame = frame.assign(second_low=3.0, second_high=5.0, n=9, change=-4.0, change_low=-4.5, change_high=-3.5)
    beside = dumbbell(frame, shares=False).axes[1]
    beside.figure.canvas.draw()
    ticks = [label.get_text() for label in beside.get_xticklabels()]
    assert "\u22124" in ticks
    assert not any("100" in tick for tick in ticks)


@pytest.mark.parametrize(("seats", "where"), [([2, 2], "at two seats"), ([2, 3], "at every number of seats")])
def test_fair_heroes_are_named_with_the_only_number_of_seats(seats, where):
    fair = [round(20_000 / number) for number in seats]
    frame = rates(fair, 20_000, seats, ["Hero A", "Hero B" if seats == [2, 2] else "Hero A"])
    text = [finding.text for finding in _others(frame, STUDY)]
    assert text == [f"Every hero is within the fair band {where}."]
