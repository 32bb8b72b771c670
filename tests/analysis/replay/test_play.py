"""`fairfight play`: a scripted game of a person for every game, its commands, what is hidden, and what is kept."""

import json

import pytest
from typer.testing import CliRunner

from analysis.cli.main import app
from analysis.replay.visible import View, counterpart, in_common
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.live import LiveGame
from sim.registry import game_named
from tests.analysis.cli.test_cli import refusal
from tests.conftest import BUILT_IN

QUICK = ("--policy", "random", "--seed", 3)


def played(game, typed, *options):
    """Output of `fairfight play` with these lines typed, which must succeed."""
    words = ["play", game, *map(str, (*QUICK, *options))]
    done = CliRunner().invoke(app, words, input="".join(f"{line}\n" for line in typed))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_person_plays_every_game_with_all_commands(name, tmp_path):
    file = tmp_path / "game.json"
    out = played(name, ["?", "? 1", "hint", "1", "undo", "1", "show", *["1"] * 12, "quit"], "--out", file)
    assert "You play" in out
    assert "winning chance" in out
    assert "would choose" in out
    assert "Turn 1" in out
    assert "Type the number of a decision" in out
    assert f"fairfight play {name} --resume" in out.replace("\n", " ")
    record = json.loads(file.read_text("utf-8"))
    assert record["people"] == [0]
    assert sum(one["seat"] == 0 for one in record["decisions"]) >= 13
    again = played(name, ["quit"], "--resume", file, "--out", file)
    assert json.loads(file.read_text("utf-8")) == record
    assert again.count("\n> ") == 1


def test_an_own_game_is_played_to_its_end(coin_duel):
    out = played(coin_duel.name, ["hint", "? 1", "undo", *["1"] * 60])
    assert "would choose" in out
    assert " won after" in out


def test_a_whole_game_ends_with_the_result_and_a_review(tmp_path):
    file = tmp_path / "game.json"
    out = played("arena", ["1"] * 400, "--out", file, "--line-up", "rhino_guy,valasca")
    assert "won after" in out
    assert "gave away" in out
    record = json.loads(file.read_text("utf-8"))
    assert record["over"]
    assert sum(record["shares"]) == 1
    assert record["result"] in " ".join(out.split())
    assert record["line_up"] == record["entrants"] == ["rhino_guy", "valasca"]
    assert f"Thegameisin{file}." in "".join(out.split())  # a long path is broken
    story = tmp_path / "game.txt"
    played("arena", [], "--resume", file, "--out", story)
    assert record["result"] in story.read_text("utf-8")


def test_own_cards_are_named_in_the_command_that_continues(tmp_path):
    cards, file = tmp_path / "mine.toml", tmp_path / "game.json"
    cards.write_text(game_named("arena").reference.read_text("utf-8").replace("move = 2", "move = 3", 1), "utf-8")
    out = "".join(played("arena", ["1", "quit"], "--cards", cards, "--out", file).replace("\\\n", " ").split())
    assert f"fairfightplayarena--cards{cards}--resume{file}continuesit." in out
    assert "was played with other cards" in refusal("play", "arena", "--resume", file)


def test_undo_returns_to_the_persons_last_decision_and_the_dice_stay_the_same(tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    played("arena", ["2", "3", "1", "quit"], "--out", first)
    played("arena", ["2", "3", "2", "undo", "1", "quit"], "--out", second)
    assert first.read_text("utf-8") == second.read_text("utf-8")
    assert "There is no decision of yours to take back." in played("arena", ["undo", "quit"])


def test_a_decision_is_named_by_its_words():
    assert "Bow Master: on (3,0)" in (out := played("arena", ["START (3,0)", "quit"], "--line-up", "bow_master,valasca"))
    assert "start (3,0)" in out
    assert "'start' fits 1, 2, 3, 4 and 5: type the number." in played("arena", ["start", "quit"])
    assert "'fly' is no decision here" in played("arena", ["fly", "quit"])
    assert "99 is no decision here; they are numbered from 1 to" in played("arena", ["99", "? 99", "quit"])


def test_without_input_the_game_is_left():
    assert "You play" in played("arena", [])


def test_several_people_play_and_hidden_cards_stay_hidden_between_them():
    out = played("runeslingers", ["1", "", "1", "", "quit"], "--seat", 1, "--seat", 2)
    assert "decides: press Enter" in out
    assert "decides: press Enter" in played("runeslingers", ["1"], "--seat", 1, "--seat", 2)  # the input ends there


def test_cards_of_the_other_seat_are_hidden():
    game = game_named("runeslingers")
    live = LiveGame(Experiment("runeslingers", game.load(None), 2, (PolicySpec.parse("random"),), 1, seed=4))
    hands = []
    for seat in range(2):
        lines = View(live, seat).picture(live.position)
        hands.append([line.split("hand:")[1].strip() for line in lines if "hand:" in line])
    for seat in range(2):
        assert hands[seat][1 - seat].startswith("?")
        assert "(" in hands[seat][seat]


def test_words_that_differ_between_samples_are_hidden():
    assert in_common("Seat 2 draws Fireball and Insight.", ["Seat 2 draws Stone.", "Seat 2 draws Insight."]) == "Seat 2 draws ?"
    assert in_common("Seat 2 passes.", ["Seat 2 passes."]) == "Seat 2 passes."
    assert in_common("| Wolf 3/2 |", ["| Bear 4/2 |"], True) == "| ?        |"
    assert counterpart(["a", "b", "c"], 1, ["a", "x", "c"]) == "x"
    assert not counterpart(["a", "b", "c"], 1, ["a", "c"])


def test_a_game_without_hidden_cards_is_shown_as_it_is(lone_climb):
    live = LiveGame(Experiment(lone_climb.name, lone_climb.load(None), 1, (PolicySpec.parse("random"),), 1))
    assert "?" not in "".join(View(live, 0).picture(live.position))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seat", 3), "--seat 3: must be from 1 to 2"),
        (("--out", "game.pdf"), "--out game.pdf: a game is written as .json or .txt; name a file of this type"),
        (("--resume", "README.md"), "--resume README.md: is no JSON file"),
        (("--seats", 9), "--seats 9: Arena is played by 2, 3 or 4 seats"),
        (("--resume", "nowhere.json"), "nowhere.json: No such file or directory"),
    ],
)
def test_bad_input_is_refused(options, message):
    assert message in refusal("play", "arena", *options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "rookling"}, "is a game of rookling, not of arena"),
        ({"decisions": [{}]}, "holds no game that `fairfight play arena --out FILE.json` has written"),
        ({"seats": "2"}, "holds no game"),
        ({"people": [7]}, "holds no game"),
        ({"people": []}, "holds no game"),
        ({"line_up": 3}, "holds no game"),
        ({"index": -1}, "holds no game"),
        ({"cards_digest": "0"}, "was played with other cards, Arena"),
        ({"decisions": [{"decision": "fly"}]}, "decisions[0] = 'fly': is not legal; legal are start"),
    ],
)
def test_a_spoiled_record_is_refused(change, message, tmp_path):
    file = tmp_path / "game.json"
    played("arena", ["1", "quit"], "--out", file)
    record = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(record | change), "utf-8")
    assert message in refusal("play", "arena", "--resume", file)
