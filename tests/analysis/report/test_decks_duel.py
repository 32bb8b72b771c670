"""Sections of two-seat games, from synthetic duels of decks: their numbers equal direct computation."""

import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from statsmodels.discrete.discrete_model import Logit
from statsmodels.regression.linear_model import OLS

from analysis.data.study import of_pairings
from analysis.facts.length import course
from analysis.report.pages import answer
from analysis.stats.intervals import proportion
from sim.engine.loop import Status
from sim.engine.questions import Endings, PerGame
from tests.analysis.report.decks_duel import (
    CAUSES,
    CURVE,
    DECKS,
    HARMS,
    HEXES,
    QUESTIONS,
    SLOPE,
    WOUNDS,
    asked,
    decks_duel,
    drawn,
)
from tests.analysis.report.reading import assert_well_formed, lines
from tests.analysis.report.skirmish import skirmish

GAMES = 1500
BY_ID = {question.id: question for question in QUESTIONS}
ENDINGS = Endings("ends", "How do games end?", ending="cause", losers=True)


@pytest.fixture
def study(coin_duel):
    return decks_duel(GAMES)


@pytest.fixture
def ask(study):
    """Ask a question of the study, with other fields."""
    return partial(asked, study)


@pytest.fixture(scope="module")
def games():
    """Rows and outcomes of the sections, and which games are finished."""
    rows, outcomes = drawn(GAMES)
    return rows, outcomes, rows["status"] == Status.FINISHED


def assert_rate(row, won, room=0.006, name="win rate"):
    """The row has the mean of win shares, and about the interval of independent games."""
    right = proportion(float(won.sum()), won.size)
    assert (row[name], row["n"]) == (pytest.approx(right.estimate), right.n)
    assert (row["low"], row["high"]) == pytest.approx((right.low, right.high), abs=room)


# ---- quantities, harm, endings ---------------------------------------------------------------------------------------


def test_quantities_are_means_per_game_or_ratios_of_sums(ask, games):
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
    assert section.note.endswith("So it is.")
    short = ask("deeds", told=("absorbed per wound",))
    assert "Wounds per game" not in short.answer
    assert short.answer.startswith("Absorbed per wound: ")
    assert lines(short, "deeds", what="wounds per game")
    teams = answer(skirmish(60), PerGame("d", "What?", quantities={"damage blocked": "blocked"}))
    assert_well_formed(teams)
    assert len(lines(teams, "d")) > 1


@pytest.mark.parametrize(
    ("name", "module", "limit", "most", "words"),
    [
        ("deeds", "counts", "ROWS", 2, "Shown are the 2 with most and fewest of the first quantity."),
        ("curves", "curves", "PANELS", 2, "Only the 2 with most and fewest."),
        ("length", "length", "PANELS", 2, "Shown are the 1 shortest"),
    ],
)
def test_of_many_entrants_or_pairings_both_ends_are_drawn(ask, monkeypatch, name, module, limit, most, words):
    monkeypatch.setattr(sys.modules[f"analysis.facts.{module}"], limit, most)
    section = ask(name)
    assert words in section.figures[0].caption
    assert len(lines(section, name)) >= len(DECKS) + 1
    if limit == "PANELS":
        assert len(section.figures[0].figure.axes) == most


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
    drawn_words = {text.get_text() for text in section.figures[0].figure.texts}
    assert "other" in drawn_words  # rare causes are drawn together, and listed in the table
    assert "curses" not in drawn_words
    assert lines(section, "toll-wounds", cause="curses")


def test_endings_are_shown_by_loser(study, games):
    rows, outcomes, ended = games
    section = answer(study, ENDINGS)
    assert_well_formed(section)
    lost = (rows["entrant"][:, :2] == DECKS.index("Pike")) & (rows["share"][:, :2] == 0) & ended[:, None]
    causes = outcomes["cause"][lost.any(axis=1)] == CAUSES.index("deck")
    (row,) = lines(section, "ends-losers", **{"deck that lost": "Pike", "ending": "deck"})
    assert (row["games"], row["n"], row["share"]) == (causes.sum(), causes.size, pytest.approx(causes.mean()))
    assert "of the games that Pike loses" in section.answer
    plain = answer(study, replace(ENDINGS, losers=False))
    assert len(plain.figures) == len(plain.tables) == 1
    assert section.answer.startswith(plain.answer)
    study.seats_frame["share"] = 0.5
    assert len(answer(study, ENDINGS).figures) == 1


# ---- curves ----------------------------------------------------------------------------------------------------------


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


def test_growth_shows_levels_sources_what_is_reached_and_what_is_left(ask, games):
    _, outcomes, ended = games
    section = ask("growth")
    level = outcomes["level"][ended, :, 5].ravel()
    level = level[np.isfinite(level)]
    (row,) = lines(section, "growth", **{"own turn": 6})
    wanted = np.quantile(level, (0.1, 0.5, 0.9), method="inverted_cdf")
    assert (row["10\u202f%"], row["median"], row["90\u202f%"], row["n"]) == (*wanted, level.size)
    sources = {row["source"]: row for row in lines(section, "growth-sources", **{"own turn": 6})}
    assert list(sources) == ["each turn", "cards", "kills"]
    on = np.isfinite(outcomes["xp"][ended, :, 5])
    total, kills = (outcomes[name][ended, :, 5][on].sum(dtype=float) for name in ("xp", "killed"))
    assert sources["kills"]["share"] == pytest.approx(kills / total)
    assert sum(row["share"] for row in sources.values()) == pytest.approx(1)
    assert sources["each turn"]["mean experience"] == pytest.approx(1800, rel=1e-4)
    when = outcomes["level_turn"][ended, :, 4].ravel()
    (row,) = lines(section, "growth-reached", level="5")
    assert row["share that holds it"] == pytest.approx((when > 0).mean())
    assert row["half hold it by own turn"] == np.quantile(np.where(when > 0, when, 99), 0.5, method="inverted_cdf")
    left = outcomes["unused"][ended, :, 2]
    (row,) = lines(section, "growth-unused", **{"own turn": 3})
    assert row["mean left"] == pytest.approx(np.nanmean(left))
    assert row["turns with some left"] == pytest.approx((left[np.isfinite(left)] > 0).mean())
    assert len(section.figures[0].figure.axes) == 2
    bare = ask("growth", total="", parts={}, unused="", reached="")
    assert len(bare.figures[0].figure.axes) == 1
    assert [table.id for table in bare.tables] == ["growth"]


# ---- leads -----------------------------------------------------------------------------------------------------------


def test_leads_are_worth_what_the_side_ahead_wins(ask, games):
    rows, outcomes, ended = games
    lead = (outcomes["xp"][ended, 0, 4] - outcomes["xp"][ended, 1, 4]).astype(float)
    known = np.isfinite(lead)
    section = ask("snowball")
    (row,) = lines(section, "snowball", **{"own turn": 5})
    assert_rate(row, np.where(lead > 0, rows["share"][ended, 0], rows["share"][ended, 1])[known], 0.004, "side ahead wins")
    assert row["games that come to it"] == pytest.approx(known.mean())
    assert [line["own turn"] for line in lines(section, "snowball")] == [3, 5, 8, 12]
    assert sum(line["n"] for line in lines(section, "snowball-bins")) == row["n"]
    fit = Logit(rows["share"][ended, 0][known].astype(float), lead[known, None] / 100).fit(disp=False)
    assert row["odds per 100"] == pytest.approx(np.exp(fit.params[0]), rel=1e-4)
    assert row["odds per 100, low"] < np.exp(100 * SLOPE) < row["odds per 100, high"]
    first = outcomes["blood"][ended].astype(bool)
    (row,) = lines(section, "snowball-first")
    assert (row["n"], row["win rate"]) == (first.any(axis=1).sum(), pytest.approx(rows["share"][ended, :2][first].mean()))
    silent = ask("snowball", first="")
    assert "first kill" not in silent.answer
    assert all(table.id != "snowball-first" for table in silent.tables)


@pytest.mark.parametrize(
    ("size", "words"), [(0.0, "means nothing yet"), (0.004, "helps but does not decide"), (1e9, "leads decide")]
)
def test_the_answer_says_whether_leads_decide(study, size, words):
    seats = study.seats_frame
    xp = seats[[f"xp_{turn}" for turn in range(CURVE)]].to_numpy()[:, 4].reshape(-1, 2)
    lead = np.nan_to_num(xp[:, 0] - xp[:, 1])
    won = np.random.default_rng(4).random(len(lead)) < 1 / (1 + np.exp(-np.clip(size * lead, -50, 50)))
    seats["share"] = np.column_stack([won, ~won]).ravel().astype(float)
    section = answer(study, BY_ID["snowball"])
    assert words in section.answer
    assert_well_formed(section)
    if size > 1:  # the side ahead wins all games: only its dots are drawn, no curve
        (row,) = lines(section, "snowball", **{"own turn": 5})
        assert row["odds per 100"] is None
        assert "multiplies its odds" not in section.answer


def test_turns_that_few_games_reach_are_left_out(ask):
    section = ask("snowball", turn="turn", at=40, turns=(30, 2))
    assert [row["turn"] for row in lines(section, "snowball")] == [2]
    assert "at the end of turn 2" in section.answer


# ---- what is associated with winning ---------------------------------------------------------------------------------


def test_the_side_with_more_is_counted_where_the_sides_differ(ask, games):
    rows, outcomes, ended = games
    curse = outcomes["hexes"][ended, :, HEXES.index("curse")].astype(float)
    laid = curse[:, 1] - curse[:, 0]
    apart = laid != 0
    section = ask("hexes")
    (row,) = lines(section, "hexes", thing="curse")
    assert_rate(row, np.where(laid > 0, rows["share"][ended, 0], rows["share"][ended, 1])[apart], name="side with more wins")
    assert row["per seat and game"] == pytest.approx(curse.mean())
    assert row["both alike"] == pytest.approx(1 - apart.mean())
    assert row["p (Holm)"] < 0.001
    assert lines(section, "hexes", thing="burn")[0]["p (Holm)"] > 0.05
    assert lines(section, "hexes", thing="never") == []
    assert "more goes with significantly more wins for curse" in section.answer


def test_the_effect_of_one_more_is_least_squares_within_pairings(ask, games):
    rows, outcomes, ended = games
    entrant, charms = rows["entrant"][ended, :2].astype(int), outcomes["charms"][ended].astype(float)
    side = np.where(entrant[:, 0] > entrant[:, 1], -1.0, 1.0)
    gap, share = side * (charms[:, 0] - charms[:, 1]), side * (rows["share"][ended, 0] - 0.5)
    pairing = pd.Categorical(entrant.min(axis=1) * 9 + entrant.max(axis=1))
    fit = OLS(share, np.column_stack([gap, pd.get_dummies(pairing).to_numpy(float)])).fit()
    (row,) = lines(ask("hexes"), "hexes", thing="charms")
    assert (row["one more goes with"], row["n (change)"]) == (pytest.approx(fit.params[0]), ended.sum())
    assert (row["change low"], row["change high"]) == pytest.approx(tuple(fit.conf_int()[0]), abs=0.005)


def test_a_quantity_in_which_the_sides_hardly_differ_has_a_line_without_a_rate(ask, study):
    study.seats_frame["charms"] = 1
    section = ask("hexes")
    (row,) = lines(section, "hexes", thing="charms")
    assert (row["side with more wins"], row["both alike"]) == (None, 1)
    assert "charms" not in section.answer
    study.seats_frame[["hexes_0", "hexes_1", "charms"]] = 0
    assert answer(study, BY_ID["hexes"]) is None


def test_a_flag_is_counted_over_all_and_by_deck_with_what_its_seats_do(ask, games, study):
    rows, outcomes, ended = games
    share, flag, began = (
        rows["share"][ended, :2].astype(float),
        *(outcomes[name][ended].astype(bool) for name in ("roll", "began")),
    )
    section = ask("roll")
    (row,) = lines(section, "roll", deck="all together")
    assert row["wins the roll"] == pytest.approx(share[flag].mean())
    maul = rows["entrant"][ended, :2] == DECKS.index("Maul")
    (row,) = lines(section, "roll", deck="Maul")
    with_it, without = share[maul & flag].mean(), share[maul & ~flag].mean()
    assert (row["wins the roll"], row["loses the roll"]) == (pytest.approx(with_it), pytest.approx(without))
    assert (row["change"], row["n"]) == (pytest.approx(with_it - without), maul.sum())
    assert row["change low"] < row["change"] < row["change high"]
    (row,) = lines(section, "roll-did", what="share that does")
    assert (row["share"], row["n"]) == (pytest.approx(began[flag].mean()), flag.sum())
    (row,) = lines(section, "roll-did", what="wins, not having done so")
    assert row["share"] == pytest.approx(share[flag & ~began].mean())
    plain = ask("roll", did="")
    assert [table.id for table in plain.tables] == ["roll"]
    assert "goes first" not in plain.answer
    for value in (False, True):  # of no seat, of every seat
        study.seats_frame["roll"] = value
        assert answer(study, BY_ID["roll"]) is None


# ---- pairings --------------------------------------------------------------------------------------------------------


def test_going_first_is_counted_by_pairing_and_by_deck(ask, games, study, monkeypatch):
    rows, _, ended = games
    first, every_game = rows["first"].astype(int), np.arange(GAMES)
    won, ahead = rows["share"][every_game, first], rows["entrant"][every_game, first]
    behind = rows["entrant"][every_game, 1 - first]
    section = ask("first")
    (row,) = lines(section, "first", pairing="Pike \u2013 Needle")
    assert_rate(row, won[ended & (np.minimum(ahead, behind) == 0) & (np.maximum(ahead, behind) == 2)])
    chosen = ended & (ahead == 2) & (behind == 0)
    (row,) = lines(section, "first-by-deck", **{"deck that goes first": "Needle", "against": "Pike"})
    assert (row["win rate"], row["n"]) == (pytest.approx(won[chosen].mean()), chosen.sum())
    (row,) = lines(section, "first", pairing="all pairings")
    assert row["n"] == ended.sum()
    assert section.answer.startswith(f"The first player wins {100 * row['win rate']:.1f}")
    monkeypatch.setattr(sys.modules["analysis.first_player.section"], "PAIRINGS", 1)
    assert "Shown are the 1 pairings farthest" in ask("first").figures[0].caption
    study.games_frame["first"] = -1
    assert answer(study, BY_ID["first"]) is None
    for name in ("first", "length"):  # teams have no pairings
        assert answer(skirmish(40), replace(BY_ID[name], **({"length": ""} if name == "length" else {}))) is None


def test_how_the_games_went_is_headed_by_words_and_not_by_the_names_of_fields(study):
    columns = course(study).columns
    assert "player turns, median" in columns
    assert not any("_" in column for column in columns)


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
    study.games_frame["finished"] = False
    assert ask("length").answer.startswith("Fewer than half of the games come to an end")
