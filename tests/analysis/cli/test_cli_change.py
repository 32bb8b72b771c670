"""The commands `fairfight whatif` and `sensitivity`."""

import csv
import json

import pytest

from sim.engine.jit import COMPILED
from sim.registry import GAMES, register
from tests.analysis.cli.test_cli import shown
from tests.every_game.dice_duel import GAME

pytestmark = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")

RANDOM = ("--policy", "random", "--jobs", "1")
WHATIF = ("whatif", "dice_duel", "--set", "fighter.knight.health=-2", "--games", "140", *RANDOM)
SENSITIVITY = ("sensitivity", "dice_duel", "--fields", "fighter.knight.*,rules.*", *RANDOM)


@pytest.fixture(autouse=True)
def registered():
    """The game with known answers, for all tests of this file."""
    yield register(GAME)
    del GAMES[GAME.name]


def test_a_what_if_shows_every_win_rate_and_the_game_as_a_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = shown(*WHATIF, "--all", "--notes")
    for words in ("Knight", "spread of the win rates", "first seat's win share", "length of a game", "health: 45 to 43"):
        assert words in text
    assert "140 games in all: 112 before, 28 of them again after, because the change cannot affect the others" in text


@pytest.mark.slow
def test_several_settings_are_one_change():
    data = json.loads(shown(*WHATIF, "--set", "rules.second_health=3", "--json"))
    assert [edit["after"] for edit in data["change"]] == [43, 3]
    assert data["facts"]["played"] == 128  # whole rounds of 8 games, before and after: 140 // 16 of them


def test_a_change_that_never_reaches_play_is_reported():
    text = shown("whatif", "arena", "--set", "hero.rhino_guy.printed_energy=+1", "--games", "56", *RANDOM, "--notes")
    assert "never reaches play, so it has no effect" in text


def test_a_what_if_stops_at_its_precision():
    text = shown(*WHATIF[:4], "--precision", "20", *RANDOM, "--notes")
    assert "confidence sequence" in text
    assert "points reached" in " ".join(text.split())
    assert "not reached: the games were used up" in " ".join(shown(*WHATIF, "--precision", "1", "--notes").split())


@pytest.mark.slow
def test_sensitivity_ranks_every_step_and_reports_what_it_left_out(tmp_path):
    file, chart = tmp_path / "steps.csv", tmp_path / "steps.svg"
    arguments = (*SENSITIVITY, "--games", "8000", "--csv", file, "--chart", chart)
    text = shown(*arguments, "--all", "--notes")
    arguments = (*arguments, "--force")
    assert "fighter.knight.dice" in text
    assert "Steps refused by the rules of the card file (1): rules.turn_cap down." in text
    assert "Every number one step up and down" in text
    lines = list(csv.DictReader(file.read_text("utf-8-sig").splitlines()))
    assert len(lines) == 13
    assert "<svg" in chart.read_text()
    data = json.loads(shown(*arguments, "--json"))
    assert [line["path"] for line in data["steps"]] == [line["path"] for line in lines]
    assert data["facts"]["games"] <= 8_000
    assert data["refused"][0]["path"] == "rules.turn_cap"
