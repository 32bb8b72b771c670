"""Sections on actions, curves by deck, correlates of winning and the roll: equal to direct computation, well-formed."""

import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.linear_model import OLS

from analysis.report.pages import answer
from analysis.stats.intervals import proportion
from sim.engine.loop import Status
from sim.engine.measures import Question
from tests.analysis.report.decks_duel import CAUSES, DECKS, HEXES, QUESTIONS, asked, decks_duel, drawn
from tests.analysis.report.reading import assert_well_formed, lines
from tests.analysis.report.skirmish import skirmish

GAMES = 1500
BY_ID = {question.id: question for question in QUESTIONS}
ENDINGS = Question("ends", "How do games end?", "endings", {"ending": "cause"}, {"losers": ("yes",)})


@pytest.fixture
def study(coin_duel):
    return decks_duel(GAMES)


@pytest.fixture
def ask(study):
    """Ask a question of the study, with other roles or settings."""

    return partial(asked, study)


@pytest.fixture(scope="module")
def games():
    """Rows and outcomes of the sections, and which games are finished."""
    rows, outcomes = drawn(GAMES)
    return rows, outcomes, rows["status"] == Status.FINISHED


def test_deeds_are_means_per_game_or_ratios_of_sums(ask, games):
    rows, outcomes, _ = games
    section = ask("deeds")
    sits = rows["entrant"][:, :2] == DECKS.index("Maul")
    (row,) = lines(section, "deeds", what="wounds per game", deck="Maul")
    assert row["mean"] == pytest.approx(outcomes["wounds"][sits].sum(axis=1).mean())
    assert row["n"] == sits.any(axis=1).sum()
    (row,) = lines(section, "deeds", what="absorbed per wound", deck="Maul")
    assert row["mean"] == pytest.approx(outcomes["absorbed"][sits].sum() / outcomes["wounds"][sits].sum())
    (row,) = lines(section, "deeds", what="wounds per game", deck="all together")
    assert row["mean"] == pytest.approx(outcomes["wounds"].sum(axis=2).mean())
    assert row["low"] < row["mean"] < row["high"]


def test_deeds_used_only_as_denominators_are_not_shown(ask):
    section = ask("deeds")
    assert lines(section, "deeds", what="deaths") == []
    assert "Deaths" not in section.answer
    assert section.note.endswith("So it is.")
    short = ask("deeds", settings=BY_ID["deeds"].settings | {"told": ("absorbed per wound",)})
    assert "Wounds per game" not in short.answer
    assert short.answer.startswith("Absorbed per wound: ")
    assert lines(short, "deeds", what="wounds per game")


def test_of_many_entrants_those_with_most_and_fewest_of_the_first_deed_are_shown(ask, monkeypatch):
    monkeypatch.setattr(sys.modules["analysis.facts.counts"], "ROWS", 2)
    section = ask("deeds")
    assert "Shown are the 2 with most and fewest of the first quantity." in section.figures[0].caption
    assert len(lines(section, "deeds", what="wounds per game")) == len(DECKS) + 1


def test_curves_are_means_and_quantiles_of_the_seats_still_playing(ask, games):
    rows, outcomes, ended = games
    sits = (rows["entrant"][:, :2] == DECKS.index("Needle")) & ended[:, None]
    level = outcomes["level"][sits][:, 5]
    known = level[np.isfinite(level)]
    (row,) = lines(ask("curves"), "curves", **{"deck": "Needle", "end of own turn": 6})
    wanted = np.quantile(known, (0.1, 0.9), method="inverted_cdf")
    assert (row["quantile 10\u202f%"], row["quantile 90\u202f%"], row["n"]) == (*wanted, known.size)
    assert row["mean"] == pytest.approx(known.mean())
    assert row["seats that come to it"] == pytest.approx(known.size / level.size)
    assert row["low"] < row["mean"] < row["high"]


def test_of_many_decks_those_that_rise_most_and_least_are_shown(ask, monkeypatch):
    monkeypatch.setattr(sys.modules["analysis.facts.curves"], "PANELS", 2)
    section = ask("curves")
    assert len(section.figures[0].figure.axes) == 2
    assert "Only the 2 with most and fewest." in section.figures[0].caption


def test_the_side_with_more_is_counted_where_the_sides_differ(ask, games):
    rows, outcomes, ended = games
    curse = outcomes["hexes"][ended, :, HEXES.index("curse")].astype(float)
    laid = curse[:, 1] - curse[:, 0]
    apart = laid != 0
    won = np.where(laid > 0, rows["share"][ended, 0], rows["share"][ended, 1])[apart]
    section = ask("hexes")
    (row,) = lines(section, "hexes", thing="curse")
    right = proportion(float(won.sum()), won.size)
    assert (row["side with more wins"], row["n"]) == (pytest.approx(right.estimate), right.n)
    assert (row["low"], row["high"]) == pytest.approx((right.low, right.high), abs=0.006)
    assert row["per seat and game"] == pytest.approx(curse.mean())
    assert row["both alike"] == pytest.approx(1 - apart.mean())
    assert row["p (Holm)"] < 0.001
    assert lines(section, "hexes", thing="burn")[0]["p (Holm)"] > 0.05
    assert "more goes with significantly more wins for curse" in section.answer


def test_the_effect_of_one_more_is_least_squares_within_pairings(ask, games):
    rows, outcomes, ended = games
    entrant, charms = rows["entrant"][ended, :2].astype(int), outcomes["charms"][ended].astype(float)
    side = np.where(entrant[:, 0] > entrant[:, 1], -1.0, 1.0)
    gap, share = side * (charms[:, 0] - charms[:, 1]), side * (rows["share"][ended, 0] - 0.5)
    pairing = pd.Categorical(entrant.min(axis=1) * 9 + entrant.max(axis=1))
    fit = OLS(share, np.column_stack([gap, pd.get_dummies(pairing).to_numpy(float)])).fit()
    (row,) = lines(ask("hexes"), "hexes", thing="charms")
    assert row["one more goes with"] == pytest.approx(fit.params[0])
    low, high = fit.conf_int()[0]
    assert row["change low"] == pytest.approx(low, abs=0.005)
    assert row["change high"] == pytest.approx(high, abs=0.005)
    assert row["n (change)"] == ended.sum()


def test_events_that_never_happen_are_left_out(ask, study):
    assert lines(ask("hexes"), "hexes", thing="never") == []
    study.seats_frame[["hexes_0", "hexes_1", "charms"]] = 0
    assert answer(study, BY_ID["hexes"]) is None


def test_a_quantity_in_which_the_sides_hardly_differ_has_a_line_without_a_rate(ask, study):
    study.seats_frame["charms"] = 1
    (row,) = lines(ask("hexes"), "hexes", thing="charms")
    assert row["side with more wins"] is None
    assert row["both alike"] == 1
    assert "charms" not in ask("hexes").answer


def test_the_roll_is_counted_over_all_and_by_deck(ask, games):
    rows, outcomes, ended = games
    share, flag = rows["share"][ended, :2].astype(float), outcomes["roll"][ended].astype(bool)
    section = ask("roll")
    (row,) = lines(section, "roll", deck="all together")
    assert row["wins the roll"] == pytest.approx(share[flag].mean())
    maul = rows["entrant"][ended, :2] == DECKS.index("Maul")
    (row,) = lines(section, "roll", deck="Maul")
    with_it, without = share[maul & flag].mean(), share[maul & ~flag].mean()
    assert (row["wins the roll"], row["loses the roll"]) == (pytest.approx(with_it), pytest.approx(without))
    assert row["change"] == pytest.approx(with_it - without)
    assert row["change low"] < row["change"] < row["change high"]
    assert row["n"] == maul.sum()


def test_seats_with_the_flag_are_described(ask, games):
    rows, outcomes, ended = games
    flag, began = outcomes["roll"][ended].astype(bool), outcomes["began"][ended].astype(bool)
    section = ask("roll")
    (row,) = lines(section, "roll-did", what="share that does")
    assert (row["share"], row["n"]) == (pytest.approx(began[flag].mean()), flag.sum())
    (row,) = lines(section, "roll-did", what="wins, not having done so")
    assert row["share"] == pytest.approx(rows["share"][ended, :2][flag & ~began].mean())
    plain = ask("roll", roles={"flag": "roll"})
    assert [table.id for table in plain.tables] == ["roll"]
    assert "goes first" not in plain.answer


def test_a_flag_of_no_seat_or_every_seat_gives_no_section(study):
    for value in (False, True):
        study.seats_frame["roll"] = value
        assert answer(study, BY_ID["roll"]) is None


def test_endings_are_shown_by_loser(study, games):
    rows, outcomes, ended = games
    section = answer(study, ENDINGS)
    assert_well_formed(section)
    lost = (rows["entrant"][:, :2] == DECKS.index("Pike")) & (rows["share"][:, :2] == 0) & ended[:, None]
    causes = outcomes["cause"][lost.any(axis=1)]
    (row,) = lines(section, "ends-losers", **{"deck that lost": "Pike", "ending": "deck"})
    assert (row["games"], row["n"]) == ((causes == CAUSES.index("deck")).sum(), causes.size)
    assert row["share"] == pytest.approx((causes == CAUSES.index("deck")).mean())
    assert "of the games that Pike loses" in section.answer
    plain = answer(study, replace(ENDINGS, settings={}))
    assert len(plain.figures) == len(plain.tables) == 1
    assert section.answer.startswith(plain.answer)


def test_endings_without_a_loser_are_not_split(study):
    study.seats_frame["share"] = 0.5
    section = answer(study, ENDINGS)
    assert len(section.figures) == 1


def test_teams_do_deeds_too(study):
    lone = skirmish(60)
    asks = Question("d", "What?", "per_game", {"damage blocked": "blocked"})
    section = answer(lone, asks)
    assert_well_formed(section)
    assert len(lines(section, "d")) > 1
