"""The sections on duels and sieges, from the tiny game of the tests."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis.answer.model import Section
from analysis.charts import matrix
from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.dice.duels import arranged
from analysis.questions.duels import agreement, play_table
from analysis.report.pages import answered_section
from analysis.stats.markov import solve
from sim.engine.exact import DuelRequest, Siege, Sieges
from sim.engine.measures import Measure
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask
from sim.registry import GAMES, register
from tests.analysis.charts.test_charts import parts, words
from tests.analysis.dice.coin_fights import DUELS as COIN_FIGHTS
from tests.analysis.report.budgets import FEW
from tests.analysis.report.reading import lines
from tests.every_game.coin_duel import GAME as COIN_DUEL

DUELS = Ask("fights", "Who beats whom?", "details", "duels")
SIEGE = Ask("siege", "How many does it take?", "details", "siege")
TINY = Budget(**FEW, games=60, rolls=500)


def study(game) -> Study:
    return Study(game, game.load(None), PolicySpec.parse("greedy"), seed=3, budget=TINY)


@pytest.fixture(scope="module")
def section() -> Section:
    """The section on duels; the game is registered while its games are played."""
    game = register(replace(COIN_DUEL, duels=COIN_FIGHTS))
    duels = answered_section(study(game), DUELS)
    del GAMES[game.name]
    assert duels is not None
    return duels


def test_a_game_without_duels_leaves_both_questions_out(coin_duel):
    assert answered_section(study(GAMES["arena"]), DUELS) is None
    assert answered_section(study(GAMES["arena"]), SIEGE) is None
    without = replace(coin_duel, duels=replace(coin_duel.duels, siege=None))
    assert answered_section(study(without), SIEGE) is None


@pytest.mark.slow
def test_every_duel_is_in_the_table_with_its_exact_chance(coin_duel, section):
    table = lines(section, "fights-duels")
    assert len(table) == 9
    cards = coin_duel.load(None)
    ids = dict(zip(cards.names, cards.ids, strict=True))
    for line in table:
        odds = solve(arranged(coin_duel, cards, DuelRequest(ids[line["fighter"]], (ids[line["against"]],))).chain())
        assert line["won"] == odds.win
        assert (line["dead"], line["fled"]) == (odds.chance[1], 0)
        assert line["turns"] == pytest.approx(odds.mean_turns)
        assert line["low"] <= line["simulated"] <= line["high"]
        assert line["n"] == TINY.rolls


@pytest.mark.slow
def test_gear_has_an_overview_and_a_table_of_all_pieces(section):
    pieces = lines(section, "fights-gear")
    assert [line["gear"] for line in pieces] == ["Lucky glove", "Second coin", "Cursed ring"]
    changes = [line["mean change"] for line in pieces]
    assert changes == sorted(changes, reverse=True)
    assert [line["duels"] for line in pieces] == [9, 9, 6]
    bare = {(line["fighter"], line["against"]): line["won"] for line in lines(section, "fights-duels")}
    geared = lines(section, "fights-with_gear")
    assert list(dict.fromkeys(line["gear"] for line in geared)) == [line["gear"] for line in pieces]
    ring = [line for line in geared if line["gear"] == "Cursed ring"]
    assert [line["fighter"] for line in ring] == ["Maul", "Pike"]
    for line in ring:
        gaps = [line[opponent] - bare[line["fighter"], opponent] for opponent in ("Pike", "Maul", "Needle & <b>Thread</b>")]
        assert line["mean change"] == pytest.approx(np.mean(gaps))


@pytest.mark.slow
def test_the_charts_show_both_figures_and_leave_blanks_for_gear_that_cannot_be_worn(section):
    bare, geared = (chart.figure for chart in section.figures)
    counts = {gid: len(parts(geared, gid)) for gid in ("panel", "value", "blank", "below")}
    assert counts == {"panel": 3, "value": 33, "blank": 3, "below": 0}
    assert len(parts(bare, "value")) == len(parts(bare, "below")) == 9


def test_the_answer_names_strongest_hardest_best_gear_andagreement(section):
    assert section.answer.startswith("Without gear Maul wins")
    for text in ("Maul is the hardest opponent", "Lucky glove adds most of three pieces of gear"):
        assert text in section.answer
    assert "agree with the exact chances: over 33 duels" in section.note
    assert "nan" not in section.answer
    table = lines(section, "fights-duels")  # from strong to weak, and from easy to hard
    assert (table[0]["fighter"], table[2]["against"]) == ("Maul", "Maul")


def test_a_misfit_is_reported_prominently():
    frame = pd.DataFrame({"fighter": ["A"] * 2, "opponent": ["B", "C"], "z_max": [1.0, -9.0], "p": [0.4, 1e-9], "n": [100] * 2})
    text = agreement(frame.assign(p_holm=[0.8, 2e-9]))
    assert "do NOT all fit" in text
    assert "9.0 standard errors" in text
    assert "misfits: A against C." in text


def test_fights_in_play_are_shown_beside_the_exact_chances():
    names = pd.Categorical(["Pike", "Maul", "Pike"], categories=["Pike", "Maul"])
    frame = pd.DataFrame({"name": names, "entrant": [0, 1, 0], "fights_0": [2, 0, 2], "fights_1": [0, 0, 0]})
    frame = frame.assign(kills_0=[1, 0, 2], kills_1=0)
    measure = Measure("fights", "Fights", "fights", "seat", "count", parts=("Cave bat", "Golem"))
    game = SimpleNamespace(entrant_word="fighter")
    played = SimpleNamespace(game=game, base=None, players="greedy in every seat", seats_frame=frame, measure=lambda _: measure)
    bare = pd.DataFrame({"fighter": ["Pike"], "opponent": ["Cave bat"], "win": [0.9]})
    table = play_table(played, "fights", "kills", bare, 20)
    ((fighter, against, fights, share, low, high, exact, n),) = table.rows  # no fighter met the golem
    assert (fighter, against, fights, share, exact, n) == ("Pike", "Cave bat", 4, 0.75, 0.9, 2)
    assert 0 <= low < share < high


def test_a_siege_shows_how_many_attackers_it_takes(coin_duel):
    section = answered_section(study(coin_duel), SIEGE)
    table = lines(section, "siege-sieges")
    assert [(line["gear"], line["attackers"]) for line in table] == [
        (gear, size) for gear in ("bare", "Lucky glove") for size in range(1, 5)
    ]
    for line in table:
        assert line["slain low"] <= line["slain"] <= line["slain high"]
        assert 0 <= line["attackers dead, mean"] <= line["attackers"]
    assert "Lucky glove: it takes two attackers to slay Pike in at least half of the fights" in section.answer
    assert len(parts(section.figures[0].figure, "line")) == 4


def test_a_siege_that_fails_is_reported(coin_duel):
    def never(games, seed):
        return Sieges(np.zeros(games, bool), np.ones(games, np.int16))

    hopeless = [Siege("The golem", "bare", size, never) for size in (1, 2)]
    game = replace(coin_duel, duels=replace(coin_duel.duels, siege=lambda _: hopeless))
    text = answered_section(study(game), SIEGE).answer
    assert "even two attackers slay The golem in fewer than half of the fights, 0.0" in text
    assert "an attacker dies in 100.0" in text


@pytest.mark.slow
def test_figures_of_the_matrix_are_never_rounded_to_certainty():
    shares = [0, 0.0001, 0.5, 0.9999, 1]
    frame = pd.DataFrame({"row": "A", "column": list("abcde"), "value": shares, "n": np.nan})
    assert [text.get_text() for text in parts(matrix(frame), "value")] == ["0", "<0.1", "50.0", ">99.9", "100"]
    wide = pd.DataFrame({"row": "A", "column": [f"c{index}" for index in range(30)], "value": 0.9999, "n": np.nan})
    assert {text.get_text() for text in parts(matrix(wide), "value")} == {">99"}
    assert "In % of the games" in words(matrix(wide))
