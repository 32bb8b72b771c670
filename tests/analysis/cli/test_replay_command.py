"""The commands `fairfight replay` and `fairfight ablate`: output, files, runs, one clear message for bad input."""

import json

import pytest

from sim.registry import GAMES
from tests.analysis.cli.test_cli import refusal, shown

pytestmark = pytest.mark.slow

RANDOM = ("--policy", "random")


@pytest.fixture
def watch(coin_duel):
    """The command on games of random players."""
    assert coin_duel.name in GAMES
    return lambda *more: shown("replay", "coin_duel", *RANDOM, *more)


def test_without_analyse_the_same_game_is_shown_without_evaluations(watch):
    plain = json.loads(watch("--json"))
    data = json.loads(watch("--json", "--analyst", "greedy:2"))
    assert "analysis" not in plain["facts"]
    assert [move["decision"] for move in data["moves"]] == [move["decision"] for move in plain["moves"]]
    assert data["facts"]["analysis"]["analysed_by"] == "greedy:2"


def test_the_printed_commands_replay_the_interesting_games(watch):
    listed = json.loads(watch("--interesting", "--games", 40, "--json"))
    assert [item["kind"] for item in listed["games"]] == ["typical", "surprising", "closest"]
    for item in listed["games"]:
        data = json.loads(shown(*item["command"].split()[1:], "--json"))
        assert (data["facts"]["index"], data["facts"]["turns"], data["facts"]["line_up"]) == (
            item["game"],
            item["turns"],
            item["line_up"],
        )
        assert data == json.loads(watch("--interesting", "--games", 40, "--show", item["kind"], "--json"))
    text = watch("--interesting", "--games", 40)
    assert all(
        f"game {item['game']} is the most {item['kind']}".replace("most closest", "closest") in " ".join(text.split())
        for item in listed["games"]
    )
    assert all(item["command"] in text for item in listed["games"])


def test_interesting_games_of_a_run_are_among_its_own(coin_duel, tmp_path, monkeypatch):
    shown("run", "coin_duel", *RANDOM, "--games", 45, "--seed", 5, "--out", tmp_path / "run", "--jobs", 1)
    data = json.loads(shown("replay", tmp_path / "run", "--interesting", "--json"))
    typed = ("--games", 45, "--seed", 5, "--interesting", "--json")
    direct = json.loads(shown("replay", "coin_duel", *RANDOM, *typed))
    assert [item["game"] for item in data["games"]] == [item["game"] for item in direct["games"]]
    assert data["facts"] == direct["facts"]
    assert f"fairfight replay {tmp_path / 'run'} --seed 5" in data["games"][0]["command"] or data["games"][0][
        "command"
    ].startswith("fairfight replay coin_duel --seed 5")


FORBID = ("ablate", "coin_duel", *RANDOM, "--games", 120)


def test_table_json_csv_and_chart_show_the_same(coin_duel, tmp_path):
    typed = (*FORBID, "rule.fold", "pike:rule.raise")
    text = shown(*typed, "--csv", tmp_path / "w.csv", "--chart", tmp_path / "w.svg", "--notes")
    data = json.loads(shown(*typed, "--json"))
    assert [(item["thing"], item["forbidden_to"]) for item in data["worth"]] == [("rule.fold", "everybody")] * 3 + [
        ("rule.raise", "pike")
    ]
    assert "know about the ban and plan accordingly" in text
    assert "a banned action is still taken if there is no other" in " ".join(text.split())
    assert len((tmp_path / "w.csv").read_text("utf-8-sig").splitlines()) == 5
    assert (tmp_path / "w.svg").stat().st_size > 5000
    assert data == json.loads(shown(*typed, "--json", "--jobs", 1))


def test_win_rates_show_what_was_forbidden_and_a_run_keeps_it(coin_duel, tmp_path):
    typed = (*RANDOM, "--games", 36, "--forbid", "rule.raise", "--forbid", "pike:rule.fold")
    direct = shown("winrates", "coin_duel", *typed, "--notes")
    assert "Forbidden: pike:rule.fold, rule.raise; players plan without it." in direct
    data = json.loads(shown("winrates", "coin_duel", *typed, "--json"))
    assert data["facts"]["forbidden"] == ["pike:rule.fold", "rule.raise"]
    shown("run", "coin_duel", *typed, "--out", tmp_path / "run")
    same = ("--forbid", "pike:rule.fold", "--forbid", "rule.raise")
    for more in ((), same):
        assert json.loads(shown("winrates", tmp_path / "run", *more, "--json"))["win_rates"] == data["win_rates"]
    texts = "error: forbid: these games are already played; leave it out"
    assert refusal("winrates", tmp_path / "run", "--forbid", "rule.fold") == texts


def test_a_question_that_plays_new_games_does_not_take_a_run(coin_duel, tmp_path):
    shown("run", "coin_duel", *RANDOM, "--games", 18, "--out", tmp_path / "run")
    message = "ablate: plays new games and cannot be asked about games that exist; give it their cards"
    assert message in refusal("ablate", tmp_path / "run", "rule.fold", "--games", 60)


def test_matchups_accept_forbid(coin_duel):
    typed = ("matchups", "coin_duel", *RANDOM, "--games", 60)
    assert "Forbidden: rule.fold; players plan without it." in shown(*typed, "--forbid", "rule.fold", "--notes")
    assert "Forbidden" not in shown(*typed, "--notes")
