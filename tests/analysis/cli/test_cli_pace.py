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


def test_three_seats_and_a_line_up(pace):
    code, out, err = pace("--seats", 3, "--json")
    assert code == 0, err
    assert json.loads(out)["lengths"][0]["seats"] == 3
    ids = ",".join(GAMES["coin_duel"].load(None).ids[:2])
    code, out, err = pace("--line-up", ids)
    assert code == 0, err
    assert f"--line-up {ids}" in " ".join(out.split())
