"""Runs in place of games: every command that accepts a game accepts a run, with the same result as by playing."""

import json
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import typer

from analysis.catalogue import find
from analysis.cli.main import QUESTIONS, app
from analysis.data.card_text import text_of
from analysis.data.decks import toml_of
from analysis.data.study import Study
from analysis.report.provenance import facts
from analysis.report.write import command_for
from sim.engine.jit import COMPILED
from sim.registry import GAMES, game_named, register
from sim.store import Run
from sim.store.manifest import NAME
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.analysis.dice.coin_fights import DUELS
from tests.conftest import in_soak
from tests.every_game.coin_duel import GAME as COIN_DUEL
from tests.every_game.deck_race import GAME as RACE
from tests.every_game.dice_duel import GAME as DICE
from tests.every_game.relay_teams import GAME as RELAY
from tests.store.folders import block_files, content

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="some ten thousand games")]

COINS = replace(COIN_DUEL, duels=DUELS)
COMMANDS = typer.main.get_command(app).every()  # type: ignore[attr-defined]
NOT_OF_RUNS = {"new", "run", "check", "play"}  # a copy of the reference set; the command that makes runs; two that read no games
LIVE = {"workbench"}  # plays until its page is closed: see tests/analysis/workbench
OUTPUT = {"elapsed_s", "command", "index", "file"}  # not part of the answer: times, next commands, written files

CHANGED = {  # a number of the reference set that the cards of these runs change
    "dice_duel": ("health = 45", "health = 55"),
    "coin_duel": ("goal = 8", "goal = 6"),
    "deck_race": ("head_start = 1", "head_start = 2"),
    "relay_teams": ("pace = 3", "pace = 2"),
    "arena": ("move = 2", "move = 3"),
}
RUNS: dict[str, tuple[str, dict[str, Any], tuple[Any, ...]]] = {  # game, options that the run brings, options for its games only
    "duels": ("dice_duel", {"policy": "random", "seed": 7}, ("--games", 560)),
    "pairs": ("dice_duel", {"policy": "random", "seed": 7}, ("--games", 560, "--paired")),
    "seated": ("dice_duel", {"policy": "random", "seed": 7}, ("--games", 560, "--paired", "--coupling", "entrant")),
    "one": ("dice_duel", {"policy": "random", "seed": 7}, ("--games", 60, "--line-up", "knight,ogre")),
    "coins": ("coin_duel", {"policy": "greedy:1", "seed": 3}, ("--games", 60)),
    "threes": ("coin_duel", {"policy": "random", "seed": 3, "seats": 3}, ("--games", 60)),
    "races": ("deck_race", {"policy": "random", "seed": 7}, ("--games", 300)),
    "relays": ("relay_teams", {"policy": "random", "seed": 5}, ("--games", 120)),
    "heroes": ("arena", {"policy": "random", "seed": 7}, ("--games", 56)),
}
CASES: dict[str, tuple[str, tuple[Any, ...]]] = {  # command -> a run that it accepts, and further arguments
    "cards": ("duels", ()),
    "winrates": ("duels", ()),
    "cardstats": ("races", ("--pairs", 0)),
    "matchups": ("pairs", ()),
    "seats": ("seated", ("--no-sweep",)),
    "pace": ("coins", ("--games", 20)),
    "amounts": ("heroes", ("damage_dealt",)),
    "categories": ("heroes", ("fall_cause",)),
    "times": ("heroes", ("first_fall", "fall_turn")),
    "train": ("duels", ("--round-games", 40, "--rounds", 1)),
    "dice": ("heroes", ("--entrant", "rhino_guy", "--ability", "hammer_time", "--against", 2, "--rolls", 1000)),
    "replay": ("coins", ("--game", 7)),
    "report": ("relays", ("--policy", "random", "--seed", 5, "--scale", "0.0001")),
}
OF_ITS_GAMES = (
    "winrates",
    "cardstats",
    "matchups",
    "seats",
    "amounts",
    "categories",
    "times",
)  # commands answered from the games of a run
ONLY_CARDS = ("dice", "train")  # commands that use the cards of a run, but not its players and seed


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """The folder of runs with changed cards; the games are registered for this file."""
    for game in (COINS, RACE, DICE, RELAY):
        register(game)
    place = tmp_path_factory.mktemp("runs")
    for name, (before, after) in CHANGED.items():
        text = game_named(name).reference.read_text()
        assert before in text
        (place / name).mkdir()
        (place / name / "cards.toml").write_text(text.replace(before, after, 1).replace("reference set", "changed set"))
    for name, (game, brought, more) in RUNS.items():
        made = (game, "--cards", place / game, *options(brought), *more, "--block-games", 20, "--jobs", 1)
        shown("run", *made, "--out", place / f"{name}-run")
    yield place
    for game in (COINS, RACE, DICE, RELAY):
        del GAMES[game.name]


@pytest.fixture(autouse=True)
def place(folder: Path, monkeypatch) -> Path:
    """Start commands in the folder of the runs."""
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def unplayed(monkeypatch) -> None:
    """Make playing fail, so that games must come from the run."""
    monkeypatch.setattr("sim.run.play_range", None)


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of a run, to be damaged."""
    return Path(shutil.copytree(folder / "duels-run", tmp_path / "copy"))


def options(values: dict[str, Any]) -> tuple[Any, ...]:
    """Command-line options from parameter names and values."""
    return tuple(word for name, value in values.items() for word in (f"--{name}", value))


def takes(command: str, parameter: str) -> bool:
    return parameter in {item.name for item in COMMANDS[command].params}


def of_game(command: str) -> bool:
    """Whether a command accepts a game."""
    return any("GAME" in (item.metavar or "") for item in COMMANDS[command].params)


def words(command: str, named: str, more: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a command on a game or a run."""
    return (command, named, *more)


def on_run(command: str) -> tuple[Any, ...]:
    """The arguments of a command's case, on its run."""
    run, more = CASES[command]
    return words(command, f"{run}-run", more)


def directly(command: str) -> tuple[Any, ...]:
    """The same on the game, with the run's cards, players, seed and number of games as options."""
    run, more = CASES[command]
    game, brought, of_run = RUNS[run]
    typed = {name: value for name, value in brought.items() if takes(command, name) and command not in ONLY_CARDS}
    games = of_run[:2] if command in OF_ITS_GAMES else ()
    return words(command, game, ("--cards", game, *options(typed), *games, *more))


def answer(*arguments: Any) -> Any:
    """The JSON of a command without the parts that are not the answer."""
    return _bare(json.loads(shown(*arguments, "--json")))


def _bare(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _bare(value) for name, value in data.items() if name not in OUTPUT}
    return [_bare(item) for item in data] if isinstance(data, list) else data


def test_every_command_of_a_game_is_tested_on_a_run():
    """Add a new command that accepts a game to CASES."""
    refusing = {name for name in QUESTIONS if not find(name).reads}  # they play new games
    assert {name for name in COMMANDS if of_game(name)} - NOT_OF_RUNS - refusing == set(CASES) - {"dice"} | LIVE


@pytest.mark.parametrize("command", [in_soak(name) if name == "train" else name for name in CASES if name != "report"])
def test_a_run_gives_the_same_result_as_its_game_with_its_cards_players_and_seed(command: str):
    assert answer(*on_run(command)) == answer(*directly(command))


def test_a_report_on_a_run_uses_its_cards(tmp_path, monkeypatch):
    studies: list[Study] = []

    def noted(asked: list[Study], folder: Path, *_: Any) -> Path:
        studies.extend(asked)
        return folder

    monkeypatch.setattr("analysis.report.write.write_reports", noted)
    shown(*on_run("report"), "--out", tmp_path)
    (study,) = studies
    result = {fact.label: fact.text for fact in facts(study, command_for(study, 0.0001))}
    digest = game_named("relay_teams").load(Path("relay_teams")).digest
    assert result["Card set"] == f"Relay teams changed set, digest {digest}"
    assert result["Policy"].startswith("random in every seat")
    assert result["Seed"].startswith("5, ")
    assert result["Command"] == "fairfight report relays-run --policy random --seed 5 --scale 0.0001"


@pytest.mark.parametrize(
    "more", [(), ("--paired", "--coupling", "entrant"), in_soak((("--paired",),)), in_soak((("--line-up", "ogre,knight"),))]
)
def test_win_rates_of_a_run_are_read_instead_of_played(more, tmp_path, request):
    typed = ("dice_duel", "--cards", "dice_duel", "--games", 112, *more, "--policy", "random")
    direct = answer("winrates", *typed)
    shown("run", *typed, "--block-games", 9, "--out", tmp_path / "run")
    request.getfixturevalue("unplayed")
    assert answer("winrates", tmp_path / "run") == direct
    assert answer("winrates", tmp_path / "run", *more) == direct


@pytest.mark.parametrize(
    "arguments",
    [
        ("winrates", "duels-run"),
        ("winrates", "threes-run"),
        ("winrates", "relays-run"),
        ("matchups", "pairs-run"),
        ("matchups", "duels-run"),
        ("seats", "seated-run", "--no-sweep", "--notes"),
        ("seats", "duels-run", "--no-sweep", "--notes"),
        ("seats", "threes-run"),
        ("seats", "one-run", "--no-sweep", "--notes"),
        ("cardstats", "races-run", "--pairs", 0),
        ("cardstats", "races-run", "--pairs", 0, "--deck", "sharp"),
        ("amounts", "heroes-run", "damage_dealt"),
        ("categories", "heroes-run", "fall_cause"),
        ("times", "heroes-run", "first_fall", "fall_turn"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_questions_about_the_games_of_a_run_are_answered_from_them(arguments, unplayed):
    code, out, err = fairfight(*arguments)
    assert (code, err) == (0, "")
    assert out


def test_the_games_of_one_deck_are_taken_from_the_run():
    data = answer("cardstats", "races-run", "--deck", "sharp", "--pairs", 20)
    assert data["facts"]["watched"] == 200  # two seats of three decks
    typed = ("--cards", "deck_race", "--policy", "random", "--seed", 7, "--games", data["facts"]["games"])
    assert data == answer("cardstats", "deck_race", *typed, "--deck", "sharp", "--pairs", 20)


def test_games_with_separate_dice_are_described_so():
    assert "Every game has its own dice" in shown("seats", "duels-run", "--no-sweep", "--notes")
    assert "with the same dice, each entrant's own" in shown("seats", "seated-run", "--no-sweep", "--notes")
    assert "with the same dice, each seat's own" in shown("seats", "pairs-run", "--no-sweep", "--notes")


def test_fewer_games_than_the_run_are_read_and_more_are_played(tmp_path, request):
    before = content(Path("duels-run"))
    typed = ("dice_duel", "--cards", "dice_duel", "--policy", "random", "--seed", 7)
    for games in (112, 728):
        shown("winrates", *typed, "--games", games, "--rows", tmp_path / f"game-{games}.parquet")
    shown("winrates", "duels-run", "--games", 728, "--rows", tmp_path / "run-728.parquet")
    request.getfixturevalue("unplayed")
    shown("winrates", "duels-run", "--games", 112, "--rows", tmp_path / "run-112.parquet")
    for games in (112, 728):
        result, expected = (pq.read_table(tmp_path / f"{item}-{games}.parquet") for item in ("run", "game"))
        assert result.num_rows == games
        assert result.equals(expected)
    assert content(Path("duels-run")) == before


@pytest.mark.parametrize("points", [20, 1])
def test_a_precision_is_reached_with_the_games_of_a_run(points, request):
    typed = ("--cards", "dice_duel", "--policy", "random", "--seed", 7, "--games", 560)
    direct = answer("winrates", "dice_duel", *typed, "--precision", points)
    request.getfixturevalue("unplayed")
    data = answer("winrates", "duels-run", "--precision", points)
    assert data == direct
    assert data["facts"]["precision"]["stopped_because"] == ("precision reached" if points > 1 else "games used up")


def test_a_run_too_short_for_a_precision_shows_how_to_continue():
    output = " ".join(shown("winrates", "duels-run", "--precision", 1, "--notes").split())
    assert "More games: fairfight winrates duels-run" in output


def test_equal_options_are_accepted_in_any_notation():
    same = ("--seats", 2, "--policy", " random", "--seed", 7, "--coupling", "seat")
    assert answer("winrates", "duels-run", *same) == answer("winrates", "duels-run")
    assert answer("winrates", "pairs-run", "--paired") == answer("winrates", "pairs-run")
    assert answer("winrates", "one-run", "--line-up", "Knight, OGRE") == answer("winrates", "one-run")


OTHERWISE = {
    "seats": (4, "--seats 4: these games were played with 2; leave it out"),
    "policy": ("greedy", "--policy greedy: these games were played with random; leave it out"),
    "seed": (8, "--seed 8: these games were played with 7; leave it out"),
    "coupling": ("entrant", "--coupling entrant: these games were played with seat; leave it out"),
    "paired": (None, "--paired: these games were not played in pairs; leave it out"),
    "line_up": ("knight,ogre", "--line-up: these games are already played; leave it out"),
    "cards": ("dice_duel", "--cards: duels-run brings its cards; leave it out"),
    "decks": ("decks.toml", "--decks: duels-run brings its cards; leave it out"),
    "only_decks": (None, "--only-decks: needs --decks FILE, the decks to play instead of the card set's own"),
    "random_decks": (4, "--random-decks: duels-run brings its cards; leave it out"),
}
CONTRADICTED = [
    *(("winrates", name) for name in OTHERWISE),
    *((command, "cards") for command in CASES if command not in {"winrates", "dice"}),
]


@pytest.mark.parametrize(("command", "name"), CONTRADICTED, ids=str)
def test_contradicting_options_are_refused(command: str, name: str, unplayed):
    value, texts = OTHERWISE[name]
    _, more = CASES[command]
    typed = (f"--{name.replace('_', '-')}", *(() if value is None else (value,)))
    if command == "report":
        texts = "--cards dice_duel: duels-run is a run, which brings its cards; leave it out"
    assert refusal(*words(command, "duels-run", more), *typed) == f"error: {texts}"


def test_dice_of_a_run_are_rolled_only_with_its_cards():
    message = refusal("dice", "heroes-run", "--cards", "arena")
    assert message == "error: --cards arena: heroes-run is a run, which brings its cards; leave it out"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("matchups", "threes-run"), "threes-run: matchups need two seats, but its games have 3"),
        (("matchups", "one-run"), "one-run: matchups need all entrants, but its games have one line-up"),
        (("winrates", "dice_duel-cards"), "'dice_duel-cards' is neither a game nor a run folder; "),
        (("winrates", "./dice_duel"), "./dice_duel: is a folder, but no run; name a game or a run"),
        (("replay", "./dice_duel"), "./dice_duel: is a folder, but no run; name a game or a run"),
    ],
    ids=lambda part: part if isinstance(part, str) else " ".join(part),
)
def test_questions_that_a_run_cannot_answer_are_refused(arguments, expected: str, unplayed):
    assert refusal(*arguments).startswith(f"error: {expected}")


def notes(*arguments: Any) -> str:
    """The notes on stderr of a command that succeeds."""
    code, _, err = fairfight(*arguments)
    assert code == 0, err
    return " ".join(err.split())


def test_an_incomplete_run_is_reported_and_its_games_are_read(copied, unplayed):
    for file in block_files(copied)[-2:]:
        file.unlink()
    held = 560 - sum(int(file.name.split("-")[1]) for file in block_files(Path("duels-run"))[-2:])
    plays = f"`fairfight run {copied}` plays the others"
    assert notes("winrates", copied) == f"{copied}: holds {held} of 560 games; {plays}"
    assert answer("winrates", copied)["facts"]["games"] == held
    first, second, *_ = block_files(copied)
    size = int(first.name.split("-")[1])
    second.unlink()
    gap = f"of which the first {size} are without a gap and can be read"
    assert notes("winrates", copied) == f"{copied}: holds {held - size} of 560 games, {gap}; {plays}"
    assert answer("winrates", copied)["facts"]["games"] == size


def test_a_run_without_games_has_no_answer_yet(copied):
    for file in block_files(copied):
        file.unlink()
    for command in ("winrates", "matchups"):
        assert refusal(command, copied) == f"error: {copied}: holds no games yet; `fairfight run {copied}` plays them"


def test_sums_of_a_run_answer_only_win_rates(tmp_path):
    shown("run", "dice_duel", "--policy", "random", "--games", 56, "--keep", "summary", "--out", tmp_path / "sums")
    sums = tmp_path / "sums"
    texts = f"error: {sums}: keeps only sums of its games (keep=summary); `fairfight winrates {sums}` reads them"
    for command in ("matchups", "seats"):
        assert refusal(command, sums, "--games", 112) == texts
    assert notes("winrates", tmp_path / "sums") == ""
    assert notes("cardstats", "races-run", "--games", 30, "--pairs", 0) == ""


def by_other_code(run: Path) -> None:
    """Make a run look as if other code had begun it."""
    file = run / NAME
    file.write_text(json.dumps(json.loads(file.read_text()) | {"sources": 64 * "0", "versions": {"fairfight": "9.9"}}))


def test_games_of_other_code_are_read_with_a_note_and_none_are_added(copied, request):
    by_other_code(copied)
    reading = "its games are read unchanged, others are played by the current rules"
    texts = f"{copied}: begun with other code (fairfight 9.9); {reading}"
    assert answer("winrates", copied) == answer("winrates", "duels-run")
    assert notes("winrates", copied) == texts
    refused = refusal("winrates", copied, "--games", 1000)
    assert "sources = 000000000000..., but this installation has" in refused
    request.getfixturevalue("unplayed")
    assert notes("winrates", copied, "--games", 56) == texts


def rows_of(run: str) -> np.ndarray:
    """All games of a run."""
    return np.concatenate([block.rows for block in Run.open(run).read()])


@pytest.mark.parametrize("run", ["seated", "coins", "threes"])
def test_replay_shows_the_game_of_the_run(run: str):
    """Also for pairs and entrant dice, which `replay` has no options for."""
    data = json.loads(shown("replay", f"{run}-run", "--game", 5, "--json"))["facts"]
    row = rows_of(f"{run}-run")[5]
    assert data["turns"] == row["turns"]
    assert data["shares"] == row["share"][: len(data["shares"])].tolist()


def test_pace_replays_the_games_of_the_run_and_prints_commands_for_them():
    shown("run", *("coin_duel", "--policy", "random", "--paired", "--coupling", "entrant"), "--games", 60, "--out", "shared")
    games = json.loads(shown("pace", "shared", "--games", 30, "--json"))["games"]
    first = rows_of("shared")[:30]
    result = {(line["game"], line["turns"]) for line in games}
    alone = first[first["share"].max(axis=1) == 1]
    assert result == set(zip(alone["game"].tolist(), alone["turns"].tolist(), strict=True))
    assert "fairfight replay shared --seed 1 --game " in shown("pace", "shared", "--games", 30, "--all")


def test_printed_commands_name_a_registered_game():
    """A run of the reference set with default options: the command needs no folder."""
    shown("run", "coin_duel", "--policy", "random", "--games", 60, "--out", "plain")
    output = shown("pace", "plain", "--games", 30, "--all")
    assert "fairfight replay plain --seed 1 --game " in output
    assert "--cards" not in output


def test_decks_of_a_run_are_those_it_started_with(tmp_path):
    file = tmp_path / "decks.toml"
    file.write_text('[[deck]]\nid = "bees"\nsource = "assumed"\ncards = { bee = 2, cat = 2, ant = 1 }\n')
    chosen = ("--decks", file, "--random-decks", "4:sealed")
    typed = ("deck_race", "--policy", "random", "--games", 100, "--seed", 2, *chosen)
    shown("run", *typed, "--out", tmp_path / "run")
    direct = [answer("winrates", *typed), answer("cardstats", *typed, "--pairs", 0)]
    file.unlink()
    data = [answer("winrates", tmp_path / "run"), answer("cardstats", tmp_path / "run", "--pairs", 0)]
    assert set(data[0]["facts"]["decks"]) == {"bees", "sealed_1", "sealed_2", "sealed_3", "sealed_4"}
    for run, game in zip(data, direct, strict=True):
        assert without_making(run) == without_making(game)


def without_making(data: dict[str, Any]) -> dict[str, Any]:
    """An answer without the description of random decks, which a run does not keep."""
    return data | {"facts": {name: value for name, value in data["facts"].items() if name != "making"}}


def test_teams_of_a_run_keep_their_seats(tmp_path):
    cards = game_named("rookling").load(None)
    teams = game_named("rookling").teams_for(cards)
    line_up = ",".join("+".join(teams.ids[part] for part in parts) for parts in ((0, 1, 2), (3, 4, 5)))
    typed = ("rookling", "--policy", "random", "--games", 12, "--line-up", line_up)
    shown("run", *typed, "--out", tmp_path / "run")
    data = answer("winrates", tmp_path / "run")
    assert data == answer("winrates", *typed)
    assert len(data["win_rates"]) == 2
    other_order = ",".join("+".join(reversed(team.split("+"))) for team in line_up.split(","))
    assert answer("winrates", tmp_path / "run", "--line-up", other_order) == data


@pytest.mark.parametrize("name", ["arena", "cardrogue", "riftborn", "rookling", "runeslingers", "deck_race"])
def test_the_cards_of_a_run_can_be_written_as_a_card_file(name: str, tmp_path):
    game = game_named(name)
    cards = game.load(None)
    (tmp_path / "cards.toml").write_text(toml_of(cards.document))
    assert game.load(tmp_path).digest == cards.digest
    assert text_of(game, cards) == game.reference.read_text()


def test_text_of_every_kind_survives_writing_and_reading(tmp_path):
    strange = 'quotes " and \\ and \x7f, \u2028, tabs\t, lines\n, ümläuts \N{DRAGON}'
    document = {
        "title": strange,
        "a key with blanks": [1, 2.5, True, strange],
        "many": list(range(30)),
        "empty": [],
        "rules": {"deep": {"er": {"x": -1}}, "list": [[1, 2], [3]], "none": {}},
        "card": [{"id": "a", "costs": {"b": 1}, "steps": [{"at": 1}, {"at": 2}]}, {"id": "c"}],
        "mixed": [{"a": 1}, 2],
    }
    assert tomllib.loads(toml_of(document)) == document
