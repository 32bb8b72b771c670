"""The command line: results on stdout, one clear message and exit code 2 for bad input, Ctrl-C that keeps results."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from analysis.cli.main import COMMANDS, app
from analysis.output.terminal import Ticker
from sim.registry import game_named
from sim.warmup import PARTS
from tests.conftest import BUILT_IN

RANDOM = ("--policy", "random", "--jobs", "1")
STORIES = {"scenario", "check", "run", "new", "report", "warmup"}  # print lines as they are
SCENARIOS = Path(__file__).parents[2] / "games" / "arena" / "scenarios"
REFERENCE = game_named("arena").reference
QUICK = ("--games", "56", "--policy", "random")


def fairfight(*arguments):
    """Run the command in this process; returns exit code, stdout, stderr."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def shown(*arguments):
    """Return the output of a command that must succeed and fit a terminal of usual width."""
    code, out, err = fairfight(*arguments)
    assert code == 0, err
    unbroken = {"--json", "--help"} & {str(argument) for argument in arguments}
    drawn = arguments[0] == "replay" and "--no-pictures" not in arguments
    if not unbroken and not drawn and arguments[0] not in STORIES:
        wide = [line for line in out.splitlines() if cell_len(line) > int(os.environ.get("COLUMNS", "80"))]
        assert not [line for line in wide if " " in line.removesuffix("\\").strip()]  # a path cannot be wrapped
    return out


def refusal(*arguments):
    """Return the message of a command that must be refused with one message, no traceback and no stdout."""
    code, out, err = fairfight(*arguments)
    assert code == 2, (code, out, err)
    assert out == ""
    assert "Traceback" not in err
    return " ".join(err.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example_that_names_it(command):
    text = " ".join(shown(command, "--help").split())
    assert f"Example: fairfight {command}" in text


def test_check_takes_a_folder_without_cards_for_the_game_of_its_name(tmp_path, monkeypatch, coin_duel):
    """As `fairfight new-game` makes one."""
    (tmp_path / "coin_duel").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analysis.cli.check.faults", lambda _: [])
    assert shown("check", "coin_duel") == "Coin duel: keeps the contract of all games\n"


def test_a_new_set_can_be_checked_edited_and_played(tmp_path):
    folder = tmp_path / "mine"
    assert "fairfight check" in shown("new", "arena", folder)
    assert "a valid Arena set: 8 heroes" in shown("check", folder)
    file = folder / "cards.toml"
    file.write_text(file.read_text().replace("move = 2", "move = 3", 1))
    changed = json.loads(shown("winrates", "arena", "--cards", folder, "--json", *QUICK))
    assert changed["facts"]["cards_digest"] != json.loads(shown("winrates", "arena", "--json", *QUICK))["facts"]["cards_digest"]


def test_check_warns_about_valid_but_suspicious_sets(tmp_path):
    folder = tmp_path / "mine"
    shown("new", "cardrogue", folder)
    assert "caution" not in shown("check", folder)
    assert json.loads(shown("check", folder, "--json"))["cautions"] == []
    file = folder / "cards.toml"
    file.write_text(file.read_text().replace("four_way = 19", "four_way = 17", 1))
    assert "caution: decks.pathing holds 59 cards" in shown("check", folder)
    assert ["decks.pathing holds 59" in line for line in json.loads(shown("check", folder, "--json"))["cautions"]] == [True]


@pytest.mark.slow
def test_the_same_seed_prints_the_same_for_any_number_of_workers():
    single = shown("winrates", "arena", "--json", "--jobs", "1", *QUICK)
    assert single == shown("winrates", "arena", "--json", "--jobs", "2", *QUICK)
    assert single != shown("winrates", "arena", "--json", "--seed", "2", *QUICK)


def test_a_scenario_is_played_and_compared(tmp_path):
    assert "as expected" in shown("scenario", SCENARIOS / "g1.toml")
    position = json.loads(shown("scenario", SCENARIOS / "g1.toml", "--json"))["position"]
    assert [hero["at"] for hero in position["heroes"]] == [[0, 4], [0, 2], [0, 0]]
    wrong = tmp_path / "wrong.toml"
    text = (SCENARIOS / "g1.toml").read_text()
    wrong.write_text(re.sub(r"\[0, 2\]", "[0, 1]", text))
    code, out, _ = fairfight("scenario", wrong)
    assert code == 1
    assert "differences from the expected position" in out


SPOILED = {
    "broken TOML": ("[rules]", "[rules", "line"),
    "an unknown key": ("move = 2", "mvoe = 2", "mvoe"),
    "a negative range": ("range = 4", "range = -4", "range"),
    "a knockback list of two": ("knockback = [2, 5, 6]", "knockback = [2, 5]", "knockback"),
    "a start off the board": ("[0, -3]", "[0, -9]", "starts"),
    "two heroes on one start": ("[3, -3]", "[0, -3]", "starts"),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_an_invalid_card_file_is_refused_with_file_and_field(tmp_path, fault):
    before, after, named = SPOILED[fault]
    text = REFERENCE.read_text()
    assert before in text
    (tmp_path / "cards.toml").write_text(text.replace(before, after, 1))
    message = refusal("winrates", "arena", "--cards", tmp_path, "--csv", tmp_path / "out.csv", *QUICK)
    assert "cards.toml" in message
    assert named in message
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cards.toml"]


def test_a_set_with_a_missing_hero_is_refused_at_four_seats(tmp_path):
    text = REFERENCE.read_text()
    starts = [result.start() for result in re.finditer(r"^\[\[hero\]\]", text, re.M)]
    (tmp_path / "cards.toml").write_text(text[: starts[3]])
    assert "--seats 4" in refusal("winrates", "arena", "--cards", tmp_path, "--seats", "4", *QUICK)
    shown("winrates", "arena", "--cards", tmp_path, "--seats", "3", "--games", "6", "--policy", "random")


@pytest.mark.slow
def test_a_closed_pipe_ends_the_command_silently():
    script = f"{sys.executable} -m analysis.cli.start cards arena | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=240, check=False)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.slow
def test_every_result_is_available_as_json(tmp_path):
    made = json.loads(shown("new", "arena", tmp_path / "mine", "--json"))
    assert made == {"file": str(tmp_path / "mine" / "cards.toml")}
    checked = json.loads(shown("check", tmp_path / "mine", "--json"))
    assert (checked["game"], checked["entrants"], checked["numbers"]) == ("arena", 8, 181)


@pytest.mark.soak
def test_the_number_of_compiled_parts_is_available_as_json():
    assert json.loads(shown("warmup", "--json")) == {"parts": len(PARTS) * len(BUILT_IN)}


def test_cards_show_switches_as_the_card_file_has_them():
    output = shown("cards", "cardrogue", "--all")
    assert "plain_and_traps" in output
    assert not {"False", "True", "['chest']"} & set(output.split())
    assert "false" in output.split()


def test_a_card_is_shown_with_all_its_numbers():
    output = shown("cards", "arena", "rhino_guy", "--all")
    assert output.startswith("Rhino Guy (hero.rhino_guy)\n\n  move: 2\n")
    assert "Hammer Time, kind attack, range 1, attack 5, knockback 2/5/6" in output
    assert re.search(r"hero\.rhino_guy\.ability\.hammer_time\.knockback\[1\] +5 +rulebook", output)
    assert "mirror_mage" not in output
    data = json.loads(shown("cards", "arena", "Rhino Guy", "--json"))
    assert [item["path"] for item in data["cards"]] == ["hero.rhino_guy"]
    assert {"field": "hero.rhino_guy.move", "value": "2", "source": "assumed"} in data["numbers"]
    assert 'did you mean "rhino_guy"?' in refusal("cards", "arena", "rhno_guy")


def test_numbers_are_shown_by_pattern():
    output = shown("cards", "arena", "--fields", "hero.*.move,rules.tokens")
    assert output.count(".move ") == 8
    assert "rules.tokens" in output
    assert "hero.bow_master.move" in shown("cards", "arena", "bow_master", "--fields", "hero.*.move")
    assert "fits no number of the card file" in refusal("cards", "arena", "--fields", "hero.*.mve")


def test_many_teams_are_summarized_by_their_parts():
    output = shown("cards", "rookling")
    assert "220 squads: every 3 of the 12 Rooklings" in " ".join(output.split())
    assert "rime+rute" not in output
    assert len(json.loads(shown("cards", "rookling", "--json"))["entrants"]) == 220
    parts = shown("cards", "rookling", "rime+rute+hiss")
    assert [word in parts for word in ("Rime (rookling.rime)", "Rute (rookling.rute)", "Delvi")] == [True, True, False]


FITTING = {
    "winrates": ("--games", "56", "--policy", "random"),
    "matchups": ("--games", "56", "--policy", "random"),
    "seats": ("--games", "112", "--policy", "random"),
    "cards": (),
    "ablate": ("--list",),
    "dice": ("--rolls", "100"),
}


@pytest.mark.parametrize("game", BUILT_IN)
@pytest.mark.parametrize("command", FITTING)
@pytest.mark.soak
def test_the_output_of_a_command_fits_80_columns(game, command):
    code, out, _ = fairfight(command, game, *FITTING[command])
    assert code in (0, 2)  # 2: not available for this game
    assert not [line for line in out.splitlines() if cell_len(line) > 80]


@pytest.mark.slow
def test_seats_are_counted_from_1_in_text_and_from_0_in_data(tmp_path):
    output = shown("winrates", "arena", "--seats", "3", *QUICK, "--csv", tmp_path / "rates.csv", "--all")
    assert "seat 3" in output
    assert "seat 0" not in output
    heading = (tmp_path / "rates.csv").read_text("utf-8-sig").splitlines()[0]
    assert heading.endswith("seat_0,seat_1,seat_2")
    data = json.loads(shown("winrates", "arena", "--seats", "3", *QUICK, "--json"))
    assert {line["seat"] for line in data["win_rates_by_seat"]} == {0, 1, 2}
    game = ("replay", "arena", "--policy", "random", "--no-pictures")
    assert "  seat 1: " in shown(*game)
    assert "(seat 0)" not in shown(*game)
    assert {move["seat"] for move in json.loads(shown(*game, "--json"))["moves"]} == {0, 1}
    assert "seats are counted from 0." in " ".join(shown("winrates", "--help").split())


def test_a_run_that_would_take_years_is_announced_once(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("analysis.output.terminal.time.monotonic", lambda: now[0])
    with Ticker() as ticker:
        for second in (1, 6, 7, 8):
            now[0] = second
            ticker("2 seats", 1000 * second, 10**12)
    words = " ".join(capsys.readouterr().err.split())
    assert words.count("1,000,000,000,000 games take about 32 years at this speed; to play fewer, stop with Ctrl-C") == 1


@pytest.mark.slow
def test_pace_shows_the_same_games_as_tables_json_and_csv(coin_duel, tmp_path):
    typed = ("pace", "coin_duel", "--games", 30, *RANDOM)
    text = shown(*typed, "--csv", tmp_path / "lengths.csv", "--all", "--notes")
    for words in ("How the games ended", "Length", "lead changes in a game", "fairfight replay coin_duel --seed 1 --game"):
        assert words in text
    data = json.loads(shown(*typed, "--json"))
    lengths = list(csv.DictReader((tmp_path / "lengths.csv").read_text("utf-8-sig").splitlines()))
    assert [float(line["turns"]) for line in lengths] == [line["turns"] for line in data["lengths"]]
    games = data["games"]
    (changes,) = [line for line in data["summary"] if line["what"] == "changes"]
    assert changes["n"] == len(games)
    assert changes["estimate"] == pytest.approx(sum(game["changes"] for game in games) / len(games))
    assert data["facts"]["games"] == sum(line["games"] for line in data["endings"]) == 30
    assert "--line-up pike,maul" in " ".join(shown(*typed, "--line-up", "pike,maul", "--all").split())
    assert "fairfight replay" not in shown(*typed, "--forbid", "rule.raise")  # which cannot be asked of `replay`
