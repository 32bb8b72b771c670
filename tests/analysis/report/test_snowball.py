"""Sections on leads, growth, harm, going first and lengths by pairing: equal to direct computation, well-formed sentences."""

import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from statsmodels.discrete.discrete_model import Logit

from analysis.data.study import of_pairings
from analysis.report.pages import answer
from analysis.stats.intervals import proportion
from sim.engine.loop import Status
from tests.analysis.report.decks_duel import CURVE, DECKS, HARMS, QUESTIONS, SLOPE, WOUNDS, asked, decks_duel, drawn
from tests.analysis.report.reading import assert_well_formed, lines
from tests.analysis.report.skirmish import skirmish

GAMES = 1500
BY_ID = {question.id: question for question in QUESTIONS}


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


def test_pairings_of_teams_have_no_section():
    for name in ("first", "length"):
        assert answer(skirmish(40), replace(BY_ID[name], roles={})) is None


def test_the_side_ahead_is_counted_where_both_finish_the_turn(ask, games):
    rows, outcomes, ended = games
    lead = (outcomes["xp"][ended, 0, 4] - outcomes["xp"][ended, 1, 4]).astype(float)
    known = np.isfinite(lead)
    won = np.where(lead > 0, rows["share"][ended, 0], rows["share"][ended, 1])[known]
    section = ask("snowball")
    (row,) = lines(section, "snowball", **{"own turn": 5})
    right = proportion(float(won.sum()), won.size)
    assert row["side ahead wins"] == pytest.approx(right.estimate)
    assert row["n"] == right.n
    assert (row["low"], row["high"]) == pytest.approx((right.low, right.high), abs=0.004)
    assert row["games that come to it"] == pytest.approx(known.mean())
    assert [line["own turn"] for line in lines(section, "snowball")] == [3, 5, 8, 12]
    assert sum(line["n"] for line in lines(section, "snowball-bins")) == right.n


def test_the_odds_are_those_of_a_logistic_curve_without_a_constant(ask, games):
    rows, outcomes, ended = games
    lead = (outcomes["xp"][ended, 0, 4] - outcomes["xp"][ended, 1, 4]).astype(float)
    known = np.isfinite(lead)
    share = rows["share"][ended, 0][known].astype(float)
    (row,) = lines(ask("snowball"), "snowball", **{"own turn": 5})
    fit = Logit(share, lead[known, None] / 100).fit(disp=False)
    assert row["odds per 100"] == pytest.approx(np.exp(fit.params[0]), rel=1e-4)
    assert row["odds per 100, low"] < np.exp(100 * SLOPE) < row["odds per 100, high"]


def test_the_first_to_strike_is_shown_over_the_games_with_one(ask, games):
    rows, outcomes, ended = games
    first = outcomes["blood"][ended].astype(bool)
    (row,) = lines(ask("snowball"), "snowball-first")
    assert row["n"] == first.any(axis=1).sum()
    assert row["win rate"] == pytest.approx(rows["share"][ended, :2][first].mean())
    roles = {"curve": "xp"}
    silent = ask("snowball", roles=roles)
    assert "first kill" not in silent.answer
    assert all(table.id != "snowball-first" for table in silent.tables)


@pytest.mark.parametrize(
    ("size", "words"), [(0.0, "means nothing yet"), (0.004, "helps but does not decide"), (1e9, "leads decide")]
)
def test_the_answer_says_whether_leads_decide(study, size, words):
    seats = study.seats_frame
    rng = np.random.default_rng(4)
    xp = seats[[f"xp_{turn}" for turn in range(CURVE)]].to_numpy()[:, 4].reshape(-1, 2)
    lead = np.nan_to_num(xp[:, 0] - xp[:, 1])
    won = rng.random(len(lead)) < 1 / (1 + np.exp(-np.clip(size * lead, -50, 50)))
    seats["share"] = np.column_stack([won, ~won]).ravel().astype(float)
    section = answer(study, BY_ID["snowball"])
    assert words in section.answer
    assert_well_formed(section)
    if size > 1:  # the side ahead wins all games: only its dots are drawn, no curve
        (row,) = lines(section, "snowball", **{"own turn": 5})
        assert row["odds per 100"] is None
        assert "multiplies its odds" not in section.answer


def test_turns_that_few_games_reach_are_left_out(ask):
    section = ask("snowball", settings={"at": ("40",), "turns": ("30", "2")})
    assert [row["turn"] for row in lines(section, "snowball")] == [2]
    assert "at the end of turn 2" in section.answer


def test_levels_are_quantiles_of_the_seats_still_playing(ask, games):
    _, outcomes, ended = games
    level = outcomes["level"][ended, :, 5].ravel()
    level = level[np.isfinite(level)]
    (row,) = lines(ask("growth"), "growth", **{"own turn": 6})
    wanted = np.quantile(level, (0.1, 0.5, 0.9), method="inverted_cdf")
    assert (row["10\u202f%"], row["median"], row["90\u202f%"], row["n"]) == (*wanted, level.size)


def test_sources_and_the_rest_add_up_to_the_total(ask, games):
    _, outcomes, ended = games
    sources = {row["source"]: row for row in lines(ask("growth"), "growth-sources", **{"own turn": 6})}
    assert list(sources) == ["each turn", "cards", "kills"]
    on = np.isfinite(outcomes["xp"][ended, :, 5])
    total, kills = (outcomes[name][ended, :, 5][on].sum(dtype=float) for name in ("xp", "killed"))
    assert sources["kills"]["share"] == pytest.approx(kills / total)
    assert sum(row["share"] for row in sources.values()) == pytest.approx(1)
    assert sources["each turn"]["mean experience"] == pytest.approx(1800, rel=1e-4)


def test_levels_reached_and_budget_left_unused(ask, games):
    _, outcomes, ended = games
    section = ask("growth")
    when = outcomes["level_turn"][ended, :, 4].ravel()
    (row,) = lines(section, "growth-reached", level="5")
    assert row["share that holds it"] == pytest.approx((when > 0).mean())
    assert row["half hold it by own turn"] == np.quantile(np.where(when > 0, when, 99), 0.5, method="inverted_cdf")
    left = outcomes["unused"][ended, :, 2]
    (row,) = lines(section, "growth-unused", **{"own turn": 3})
    assert row["mean left"] == pytest.approx(np.nanmean(left))
    assert row["turns with some left"] == pytest.approx((left[np.isfinite(left)] > 0).mean())


def test_growth_without_parts_has_one_panel(ask):
    section = ask("growth", roles={"level": "level"})
    assert len(section.figures[0].figure.axes) == 1
    assert [table.id for table in section.tables] == ["growth"]
    assert len(ask("growth").figures[0].figure.axes) == 2


def test_harm_is_counted_by_cause_and_deck_in_a_chart_each(ask, games):
    rows, outcomes, _ = games
    section = ask("toll")
    assert [chart.id for chart in section.figures] == ["toll-wounds", "toll-deaths"]
    sits = rows["entrant"][:, :2] == DECKS.index("Maul")
    for table, field, cause, causes in (("toll-wounds", "wounds", "range", WOUNDS), ("toll-deaths", "deaths", "answer", HARMS)):
        (row,) = lines(section, table, deck="Maul", cause=cause)
        of_deck = outcomes[field][sits]
        assert row["per game"] == pytest.approx(of_deck[:, causes.index(cause)].mean())
        assert row["share"] == pytest.approx(of_deck[:, causes.index(cause)].sum() / of_deck.sum())
        assert row["n"] == sits.any(axis=1).sum()
    (row,) = lines(section, "toll-beside", deck="Maul")
    assert row["per game"] == pytest.approx(outcomes["absorbed"][sits].mean())


def test_rare_causes_are_drawn_together_but_listed_in_the_table(ask):
    section = ask("toll")
    drawn_words = {text.get_text() for text in section.figures[0].figure.texts}
    assert "other" in drawn_words
    assert "curses" not in drawn_words
    assert lines(section, "toll-wounds", cause="curses")


def test_going_first_is_counted_by_pairing_and_by_deck(ask, games):
    rows, _, ended = games
    first = rows["first"].astype(int)
    every_game = np.arange(GAMES)
    won, ahead = rows["share"][every_game, first], rows["entrant"][every_game, first]
    behind = rows["entrant"][every_game, 1 - first]
    section = ask("first")
    met = ended & (np.minimum(ahead, behind) == 0) & (np.maximum(ahead, behind) == 2)
    (row,) = lines(section, "first", pairing="Pike \u2013 Needle")
    right = proportion(float(won[met].sum()), int(met.sum()))
    assert (row["win rate"], row["n"]) == (pytest.approx(right.estimate), right.n)
    assert (row["low"], row["high"]) == pytest.approx((right.low, right.high), abs=0.006)
    assert row["low"] <= right.low + 1e-9
    chosen = ended & (ahead == 2) & (behind == 0)
    (row,) = lines(section, "first-by-deck", **{"deck that goes first": "Needle", "against": "Pike"})
    assert (row["win rate"], row["n"]) == (pytest.approx(won[chosen].mean()), chosen.sum())
    (row,) = lines(section, "first", pairing="all pairings")
    assert row["n"] == ended.sum()
    assert section.answer.startswith(f"The first player wins {100 * row['win rate']:.1f}")


def test_games_without_a_first_mover_leave_the_question_out(study):
    study.games_frame["first"] = -1
    assert answer(study, BY_ID["first"]) is None


def test_lengths_are_over_all_games_of_a_pairing(ask, study, games):
    _, _, ended = games
    by_pairing = of_pairings(study)
    part = by_pairing[by_pairing["pairing"] == "Maul \u2013 Needle"]
    section = ask("length")
    (row,) = lines(section, "length", pairing="Maul \u2013 Needle")
    turns = np.sort(np.where(part["finished"], part["turns"], np.inf))
    assert row["median, player turns"] == turns[-(-len(turns) // 2) - 1]
    assert row["90 % over by"] == turns[int(np.ceil(0.9 * len(turns))) - 1]
    assert (row["stopped"], row["n"]) == ((~part["finished"]).sum(), len(part))
    (row,) = lines(section, "length", pairing="all pairings")
    assert (row["stopped"], row["n"]) == ((~ended).sum(), GAMES)
    assert len(section.figures[0].figure.axes) == 3


def test_many_pairings_show_the_shortest_and_longest(study, ask, monkeypatch):
    monkeypatch.setattr(sys.modules["analysis.facts.length"], "PANELS", 2)
    section = ask("length")
    assert len(section.figures[0].figure.axes) == 2
    assert "Shown are the 1 shortest" in section.figures[0].caption
    assert len(lines(section, "length")) == 4
    monkeypatch.setattr(sys.modules["analysis.first_player.section"], "PAIRINGS", 1)
    first = ask("first")
    assert "Shown are the 1 pairings farthest" in first.figures[0].caption
    assert len(lines(first, "first")) == 4


def test_a_pairing_in_which_few_games_end_is_reported(study, ask):
    study.games_frame["finished"] = False
    section = ask("length")
    assert section.answer.startswith("Fewer than half of the games come to an end")
