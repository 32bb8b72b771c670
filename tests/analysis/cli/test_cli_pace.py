"""The command `fairfight pace`: tables, JSON and CSV of the same games; one clear message for bad input."""

import csv
import json

import pytest
from typer.testing import CliRunner

from analysis.cli.main import app
from sim.registry import GAMES


def fairfight(*arguments):
    """Run the command; returns exit code, stdout, stderr."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def pace(coin_duel):
    assert coin_duel.name in GAMES
    return lambda *more: fairfight("pace", "coin_duel", "--games", 60, "--policy", "random", *more)


def test_tables_json_and_csv_show_the_same_games(pace, tmp_path):
    code, out, err = pace()
    assert code == 0, err
    for words in ("How the games ended", "Length", "lead changes in a game", "fairfight replay coin_duel --seed 1 --game"):
        assert words in out
    code, out, _ = pace("--json", "--csv", tmp_path / "games.csv")
    data = json.loads(out)
    assert code == 0
    assert data["facts"]["games"] == 60
    with (tmp_path / "games.csv").open() as stream:
        games = list(csv.DictReader(stream))
    summary = {line["what"]: line for line in data["summary"]}
    assert summary["changes"]["n"] == len(games)
    mean = sum(int(game["changes"]) for game in games) / len(games)
    assert summary["changes"]["estimate"] == pytest.approx(mean)
    assert sum(line["games"] for line in data["endings"]) == 60


def test_the_number_of_workers_changes_nothing(pace):
    assert pace("--json", "--jobs", 1) == pace("--json", "--jobs", 3)


def test_three_seats_and_a_line_up(pace):
    code, out, err = pace("--seats", 3, "--json")
    assert code == 0, err
    assert json.loads(out)["lengths"][0]["seats"] == 3
    ids = ",".join(GAMES["coin_duel"].load(None).ids[:2])
    code, out, err = pace("--line-up", ids)
    assert code == 0, err
    assert f"--line-up {ids}" in " ".join(out.split())


@pytest.mark.parametrize(("more", "words"), [(("--games", 0), "games=0"), (("--seats", 9), "seats=9"), (("--jobs", 0), "jobs=0")])
def test_bad_input_is_refused_in_one_message(pace, more, words):
    code, out, err = pace(*more)
    assert (code, out) == (2, "")
    assert words in err


def test_a_solo_game_is_refused(lone_climb):
    code, _, err = fairfight("pace", lone_climb.name, "--seats", 1)
    assert code == 2
    assert "use 2 or more" in " ".join(err.split())
