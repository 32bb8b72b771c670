"""The command `fairfight train`: weights are written atomically, only if they win, and used with the cards beside them."""

import json
import tomllib
from pathlib import Path

import pytest

from sim.engine.cards import copy_reference
from sim.engine.contract import Game
from sim.engine.evaluation import FILE_NAME
from sim.engine.jit import COMPILED
from sim.store import Run
from tests.analysis.cli.test_cli import fairfight, refusal, shown

pytestmark = pytest.mark.slow

QUICK = ("--round-games", 60, "--rounds", 1, "--seats", 2, "--jobs", 1)
NONSENSE = "[{}.2]\nlead = -2\nprospect = -2\nnear = 0\neven = 0\n"

compiled = pytest.mark.skipif(not COMPILED, reason="some hundred games")


@pytest.fixture
def mine(tmp_path: Path, coin_duel: Game) -> Path:
    """A card folder."""
    copy_reference(coin_duel.reference, tmp_path / "mine")
    return tmp_path / "mine"


@compiled
def test_winning_weights_are_written_beside_the_cards_and_used_afterwards(mine: Path):
    file = mine / FILE_NAME
    file.write_text(NONSENSE.format("fitted") + NONSENSE.format("baseline"))
    digest = json.loads(shown("cards", "coin_duel", "--cards", mine, "--json"))["digest"]
    more = ("--round-games", 300, "--rounds", 1, "--seats", 2, "--jobs", 1)
    data = json.loads(shown("train", "coin_duel", "--cards", mine, "--json", *more))
    assert data["facts"]["file"] == str(file)
    assert data["facts"]["written"] == [2]
    assert [match["verdict"] for match in data["matches"]] == ["wins"]
    held = tomllib.loads(file.read_text())
    fitted = {line["feature"]: line["fitted"] for line in data["weights"]}
    assert held["fitted"]["2"] == fitted
    assert held["baseline"]["2"] == {"lead": -2, "prospect": -2, "near": 0, "even": 0}  # unchanged
    assert set(held["fitted"]) == set(held["baseline"]) == {"2", "3"}
    assert held["made_by"] == data["facts"]["command"]
    assert held["made_by"] == (
        f"fairfight train coin_duel --cards {mine / 'cards.toml'} --seats 2 --round-games 300 --rounds 1 --policy greedy:1 "
        "--seed 1"
    )
    after = json.loads(shown("cards", "coin_duel", "--cards", mine, "--json"))
    assert after["digest"] != digest
    line = {"weights": "fitted", "seats": 2, "feature": "lead", "value": fitted["lead"]}
    assert line in after["weights"]
    assert f"evaluated with its own weights ({FILE_NAME})" in shown("check", mine)


@compiled
def test_the_weights_of_a_card_folder_are_used_by_other_commands_and_runs(mine: Path, tmp_path: Path):
    (mine / FILE_NAME).write_text(NONSENSE.format("fitted"))
    asked = ("winrates", "coin_duel", "--games", 60, "--policy", "greedy:1", "--json", "--jobs", 1)
    fitted, plain = (json.loads(shown(*asked, *more)) for more in (("--cards", mine), ()))
    assert fitted["facts"]["cards_digest"] != plain["facts"]["cards_digest"]
    assert fitted["win_rates"] != plain["win_rates"]
    run = ("run", "coin_duel", "--cards", mine, "--games", 60, "--policy", "greedy:1", "--jobs", 1)
    shown(*run, "--out", tmp_path / "run")
    (mine / FILE_NAME).unlink()
    assert Run.open(tmp_path / "run").manifest.weights is not None
    assert json.loads(shown("winrates", tmp_path / "run", "--json"))["win_rates"] == fitted["win_rates"]
    assert "holds another run: weights: fitted.2.lead is -2.0, not absent" in refusal(*run, "--out", tmp_path / "run")


@compiled
def test_weights_that_do_not_win_are_written_only_with_anyway(tmp_path: Path, dice_duel: Game):
    file = tmp_path / "duel.toml"
    asked = ("train", "dice_duel", "--out", file, *QUICK)
    out = " ".join(shown(*asked, "--notes").split())
    assert not file.exists()
    assert "The weights at two seats do not win significantly, so the previous ones stay; --anyway writes them." in out
    assert "they are not written." in out
    assert "they are written." in " ".join(shown(*asked, "--anyway").split())
    held = tomllib.loads(file.read_text())
    assert held["baseline"] == {"2": {"ahead": 3, "to_strike": 0}}
    assert held["fitted"]["2"]["ahead"] != 3
    before = file.read_bytes()
    assert json.loads(shown(*asked, "--seed", 2, "--json"))["facts"]["written"] == []
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@compiled
def test_without_a_file_to_write_the_weights_are_shown(dice_duel: Game, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    out = shown("train", "dice_duel", *QUICK, "--all", "--notes")
    for words in ("Dice duel: weights, in log-odds", "standard error", "Reliability of the fitted weights"):
        assert words in out
    for words in ("Brier score", "Wins of the fitted weights as a share of all wins", "50.0", "not decided"):
        assert words in out


@compiled
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, dice_duel: Game, monkeypatch):
    file = tmp_path / "duel.toml"
    shown("train", "dice_duel", "--out", file, *QUICK, "--anyway")
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sim.durable.os.fsync", full)
    assert "no space left on device" in refusal_after_output("train", "dice_duel", "--out", file, *QUICK, "--anyway")
    monkeypatch.undo()
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def refusal_after_output(*arguments) -> str:
    code, _, err = fairfight(*arguments)
    assert code == 2
    assert "Traceback" not in err
    return " ".join(err.split())


def test_a_game_without_features_and_a_foreign_file_are_refused(mine: Path, deck_race: Game):
    assert "Deck race: its evaluation has no features; there is nothing to fit" in refusal("train", "deck_race")
    cards = mine / "cards.toml"
    before = cards.read_bytes()
    message = f"{cards}: exists and is not a file of weights; name a file of weights, or a new one"
    assert message in refusal("train", "coin_duel", "--out", cards)
    (mine / FILE_NAME).write_text("[fitted.2]\nlead = 1\n")
    assert f"{mine / FILE_NAME}: fitted.2.prospect: is missing" in refusal("train", "coin_duel", "--cards", mine)
    assert cards.read_bytes() == before
