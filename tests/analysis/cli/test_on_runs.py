"""Runs in place of a game: every command that takes a game takes a run, and says the same of its games as if it played them."""

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import typer

from analysis.cli.main import app
from analysis.cli.options import OnRuns, Reading
from analysis.tuning.confirm import text_of
from analysis.variants.variant import Chosen
from analysis.winrates.strongest import Drawn
from sim.engine.jit import COMPILED
from sim.experiments.experiment import AgainstAll, Experiment
from sim.registry import GAMES, game_named, register
from sim.store import Run
from sim.store.manifest import NAME
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.every_game.coin_duel import GAME as COINS
from tests.every_game.deck_race import GAME as RACE
from tests.every_game.dice_duel import GAME as DICE
from tests.every_game.relay_teams import GAME as RELAY
from tests.store.folders import block_files, content

pytestmark = pytest.mark.skipif(not COMPILED, reason="some ten thousand games")

COMMANDS = typer.main.get_command(app).every()  # type: ignore[attr-defined]
NOT_OF_RUNS = {"new", "run"}  # a copy of the reference set; the command that makes runs
OUTPUT = {
    "elapsed_s",
    "command",
    "index",
    "file",
}  # how long it took, what to type next, what was written: not the answer

CHANGED = {  # a number of the reference set, which the cards of these runs have otherwise
    "dice_duel": ("health = 45", "health = 55"),
    "coin_duel": ("goal = 8", "goal = 6"),
    "deck_race": ("head_start = 1", "head_start = 2"),
    "relay_teams": ("pace = 3", "pace = 2"),
    "arena": ("move = 2", "move = 3"),
}
RUNS: dict[
    str, tuple[str, dict[str, Any], tuple[Any, ...]]
] = {  # game, what the run brings, options for its games alone
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
CASES: dict[str, tuple[str, tuple[Any, ...]]] = {  # command -> a run that it can answer for, and what else is typed
    "cards": ("duels", ()),
    "winrates": ("duels", ()),
    "cardstats": ("races", ("--pairs", 0)),
    "loadouts": ("races", ("--games", 600)),
    "compare": ("duels", ("knight", "ogre", "--games", 400)),
    "strongest": ("duels", ("--games", 1200)),
    "matchups": ("pairs", ()),
    "seats": ("seated", ("--no-compensate",)),
    "pace": ("coins", ("--games", 20)),
    "skill": ("duels", ("--levels", "random,greedy:1", "--level-games", 40, "--pair-games", 80)),
    "whatif": ("duels", ("--set", "fighter.knight.health=-2", "--games", 112)),
    "sensitivity": ("duels", ("--fields", "fighter.knight.health", "--games", 1120)),
    "screen": ("duels", ("--fields", "fighter.knight.dice,fighter.knight.hit_on", "--games", 504)),
    "tune": ("duels", ("--fields", "fighter.knight.health", "--games", 26_000, "--max-changes", 1)),
    "train": ("duels", ("--round-games", 40, "--rounds", 1)),
    "dice": ("heroes", ("--hero", "rhino_guy", "--ability", "hammer_time", "--defense", 2, "--rolls", 1000)),
    "duel": ("coins", ("--fighter", "pike", "--enemy", "maul", "--duels", 1000)),
    "replay": ("coins", ("--game", 7)),
    "ablate": ("coins", ("rule.raise", "--games", 40)),
    "report": ("relays", ("--scale", "0.0001")),
}
OF_ITS_GAMES = ("winrates", "cardstats", "matchups", "seats")  # commands that are asked of the games that a run has


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Where runs with changed cards lie; the games are registered for the length of this file."""
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
    """Commands are started where the runs lie."""
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def unplayed(monkeypatch) -> None:
    """Games cannot be played: whoever has games has read them."""
    monkeypatch.setattr("sim.run.play_range", None)


@pytest.fixture
def copied(folder: Path, tmp_path: Path) -> Path:
    """A copy of a run, to be spoilt."""
    return Path(shutil.copytree(folder / "duels-run", tmp_path / "copy"))


def options(values: dict[str, Any]) -> tuple[Any, ...]:
    """Options of a command, by the names of its parameters."""
    return tuple(word for name, value in values.items() for word in (f"--{name}", value))


def takes(command: str, parameter: str) -> bool:
    return parameter in {item.name for item in COMMANDS[command].params}


def of_game(command: str) -> bool:
    """Whether a command is asked of a game."""
    return any("GAME" in (item.metavar or "") for item in COMMANDS[command].params)


def words(command: str, named: str, more: tuple[Any, ...]) -> tuple[Any, ...]:
    """A command of a game or a run."""
    return (command, named, *more)


def on_run(command: str) -> tuple[Any, ...]:
    """The case of a command on its run."""
    run, more = CASES[command]
    return words(command, f"{run}-run", more)


def directly(command: str) -> tuple[Any, ...]:
    """The same of the game, with the run's cards, players, seed and number of games typed."""
    run, more = CASES[command]
    game, brought, of_run = RUNS[run]
    typed = {name: value for name, value in brought.items() if takes(command, name) and command != "dice"}
    games = of_run[:2] if command in OF_ITS_GAMES else ()
    return words(command, game, ("--cards", game, *options(typed), *games, *more))


def answer(*arguments: Any) -> Any:
    """What a command says as JSON, but for what is no part of the answer."""
    return _bare(json.loads(shown(*arguments, "--json")))


def _bare(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _bare(value) for name, value in told.items() if name not in OUTPUT}
    return [_bare(item) for item in told] if isinstance(told, list) else told


def test_every_command_of_a_game_is_tried_on_a_run_here():
    """A new command that takes a game belongs into CASES, and its class is OnRuns."""
    assert {name for name in COMMANDS if of_game(name)} - NOT_OF_RUNS == set(CASES)
    assert {name for name, command in COMMANDS.items() if isinstance(command, OnRuns)} == set(CASES) - {"dice"}


@pytest.mark.parametrize("command", [one for one in CASES if one not in {"report", "tune"}])
def test_a_run_says_what_its_game_says_with_its_cards_players_and_seed(command: str):
    assert answer(*on_run(command)) == answer(*directly(command))


def test_a_report_on_a_run_is_of_its_cards_players_and_seed(tmp_path):
    shown(*on_run("report"), "--out", tmp_path)
    facts = json.loads((tmp_path / "relay_teams" / "report.json").read_text())["facts"]
    result = {fact["label"]: fact["text"] for fact in facts}
    digest = game_named("relay_teams").load(Path("relay_teams")).digest
    assert result["Card set"] == f"Relay teams changed set, digest {digest}"
    assert result["Policy"].startswith("random in every seat")
    assert result["Seed"].startswith("5, ")
    assert result["Command"] == "fairfight report relays-run --policy random --seed 5 --scale 0.0001"


@pytest.mark.parametrize("command", CASES)
def test_help_says_that_a_run_will_do(command: str):
    text = " ".join(shown(command, "--help").split())
    assert "or a run folder" in text or "a run folder, or all games" in text


@pytest.mark.parametrize(
    "more", [(), ("--paired",), ("--paired", "--coupling", "entrant"), ("--line-up", "ogre,knight")]
)
def test_win_rates_of_a_run_are_read_not_played(more, tmp_path, request):
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
        ("seats", "seated-run", "--no-compensate"),
        ("seats", "duels-run", "--no-compensate"),
        ("seats", "threes-run"),
        ("seats", "one-run", "--no-compensate"),
        ("cardstats", "races-run", "--pairs", 0),
        ("cardstats", "races-run", "--pairs", 0, "--deck", "sharp"),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_what_is_asked_of_the_games_of_a_run_is_answered_from_them(arguments, unplayed):
    code, out, err = fairfight(*arguments)
    assert (code, err) == (0, "")
    assert out


def test_one_deck_has_its_games_among_those_of_the_run():
    data = answer("cardstats", "races-run", "--deck", "sharp", "--pairs", 20)
    assert data["facts"]["watched"] == 200  # two seats of three decks
    typed = ("--cards", "deck_race", "--policy", "random", "--seed", 7, "--games", data["facts"]["games"])
    assert data == answer("cardstats", "deck_race", *typed, "--deck", "sharp", "--pairs", 20)


def test_games_of_their_own_dice_are_not_said_to_share_them():
    assert "every game with its own dice." in shown("seats", "duels-run", "--no-compensate")
    assert "with the same dice, each entrant's own." in shown("seats", "seated-run", "--no-compensate")
    assert "with the same dice, each seat's own." in shown("seats", "pairs-run", "--no-compensate")


def test_fewer_games_than_a_run_has_are_read_more_are_played_to_the_same_bytes(tmp_path, request):
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
def test_a_precision_is_looked_for_among_the_games_of_a_run(points, request):
    typed = ("--cards", "dice_duel", "--policy", "random", "--seed", 7, "--games", 560)
    direct = answer("winrates", "dice_duel", *typed, "--precision", points)
    request.getfixturevalue("unplayed")
    data = answer("winrates", "duels-run", "--precision", points)
    assert data == direct
    assert data["precision"]["stopped_because"] == ("precision reached" if points > 1 else "games used up")


def test_a_run_too_short_for_a_precision_says_how_to_go_on_with_it():
    data = json.loads(shown("winrates", "duels-run", "--precision", 1, "--json"))
    assert data["precision"]["command"].startswith("fairfight winrates duels-run --games ")


def test_equal_options_are_accepted_however_they_are_worded():
    same = ("--seats", 2, "--policy", " random", "--seed", 7, "--coupling", "seat")
    assert answer("winrates", "duels-run", *same) == answer("winrates", "duels-run")
    assert answer("winrates", "pairs-run", "--paired") == answer("winrates", "pairs-run")
    assert answer("winrates", "one-run", "--line-up", "Knight, OGRE") == answer("winrates", "one-run")


OTHERWISE = {
    "seats": (4, "--seats 4: duels-run has 2; leave it out"),
    "policy": ("greedy", "--policy greedy: duels-run has random; leave it out"),
    "seed": (8, "--seed 8: duels-run has 7; leave it out"),
    "coupling": ("entrant", "--coupling entrant: duels-run has seat; leave it out"),
    "paired": (None, "--paired: duels-run was not played in pairs; leave it out"),
    "line_up": ("knight,ogre", "--line-up knight,ogre: duels-run has a balanced design of line-ups; leave it out"),
    "cards": ("dice_duel", "--cards: duels-run brings its cards; leave it out"),
    "decks": ("decks.toml", "--decks: duels-run brings its cards; leave it out"),
    "only_decks": (None, "--only-decks: duels-run brings its cards; leave it out"),
    "random_decks": (4, "--random-decks: duels-run brings its cards; leave it out"),
}
CONTRADICTED = [
    *(("winrates", name) for name in OTHERWISE),
    *((command, "cards") for command in CASES if command not in {"winrates", "dice"}),
]


@pytest.mark.parametrize(("command", "name"), CONTRADICTED, ids=str)
def test_options_that_say_otherwise_are_refused(command: str, name: str, unplayed):
    value, texts = OTHERWISE[name]
    _, more = CASES[command]
    typed = (f"--{name.replace('_', '-')}", *(() if value is None else (value,)))
    assert refusal(*words(command, "duels-run", more), *typed) == f"error: {texts}"


def test_dice_of_a_run_are_rolled_with_its_cards_alone():
    message = refusal("dice", "heroes-run", "--cards", "arena")
    assert message == "error: --cards arena: heroes-run is a run, which brings its cards; leave it out"


def test_a_copy_of_a_run_is_no_copy_of_a_reference_set(tmp_path):
    assert refusal("new", "duels-run", tmp_path / "mine").startswith("error: game='duels-run' is not known")


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
def test_what_a_run_cannot_tell_is_refused(arguments, expected: str, unplayed):
    assert refusal(*arguments).startswith(f"error: {expected}")


def notes(*arguments: Any) -> str:
    """What a command that succeeds says beside its result."""
    code, _, err = fairfight(*arguments)
    assert code == 0, err
    return " ".join(err.split())


def test_a_run_that_is_not_complete_says_so_and_what_is_there_is_read(copied, unplayed):
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
    assert notes("winrates", copied, "--games", 56).startswith(f"{copied}: holds 0 of 560 games; ")
    assert notes("cards", copied).startswith(f"{copied}: holds 0 of 560 games; ")


def test_games_that_do_not_fit_a_question_are_said_to_be_played_anew(tmp_path):
    shown("run", "dice_duel", "--policy", "random", "--games", 56, "--keep", "summary", "--out", tmp_path / "sums")
    texts = f"{tmp_path}/sums: none of its games fit this question; played new games with its cards and players"
    for command in ("matchups", "seats"):
        assert notes(command, tmp_path / "sums", "--games", 112) == texts
    assert notes("winrates", tmp_path / "sums") == ""
    assert notes("cardstats", "races-run", "--games", 30, "--pairs", 0) == ""


def test_a_run_of_one_line_up_says_where_that_is_not_what_is_played():
    texts = "one-run: has a single line-up, which this command does not use; all entrants play"
    assert notes("whatif", "one-run", "--set", "fighter.knight.health=-2", "--games", 56) == texts
    assert notes("strongest", "one-run", "--games", 1120) == texts
    assert notes("winrates", "one-run") == ""
    assert notes("replay", "one-run") == ""


def by_other_code(run: Path) -> None:
    """Let a run have been begun by other code."""
    file = run / NAME
    file.write_text(json.dumps(json.loads(file.read_text()) | {"sources": 64 * "0", "versions": {"fairfight": "9.9"}}))


def test_games_of_other_code_are_read_with_a_word_and_none_is_added(copied, request):
    by_other_code(copied)
    reading = "its games are read unchanged, others are played by the current rules"
    texts = f"{copied}: begun with other code (fairfight 9.9); {reading}"
    assert answer("winrates", copied) == answer("winrates", "duels-run")
    assert notes("winrates", copied) == texts
    refused = refusal("winrates", copied, "--games", 1000)
    assert "sources = 000000000000..., but this installation has" in refused
    request.getfixturevalue("unplayed")
    assert notes("winrates", copied, "--games", 56) == texts


def test_games_of_other_code_are_not_held_against_games_of_this(copied):
    """They are read once, where they are asked for; what else is played for comparison is all played by one code."""

    def readings(asked: bool) -> list[int | None]:
        run = Run.open(copied)
        source = Reading(run, asked)
        result = (source.read(run.experiment) for _ in range(2))
        return [None if blocks is None else sum(len(block.rows) for block in blocks) for blocks in result]

    assert readings(asked=True) == readings(asked=False) == [560, 560]
    by_other_code(copied)
    assert readings(asked=True) == [560, None]
    assert readings(asked=False) == [None, None]


def test_games_of_other_kinds_of_experiments_are_not_those_of_a_run():
    """Batches of a search and games against all others have other line-ups under the same numbers."""
    run = Run.open("duels-run")
    source, made = Reading(run, asked=True), run.experiment
    shared = {item.name: getattr(made, item.name) for item in fields(Experiment)}
    drawn = Drawn(**shared, lines=made.plan_of(np.arange(5, 15)))
    assert source.read(made) is not None
    assert [source.read(other) for other in (AgainstAll(**shared), drawn)] == [None, None]
    (block,) = source.read(Chosen(**shared, index=np.array([3, 5, 8])))
    assert str(block.rows) == str(rows_of("duels-run")[[3, 5, 8]])


def rows_of(run: str) -> np.ndarray:
    """All games of a run."""
    return np.concatenate([block.rows for block in Run.open(run).read()])


@pytest.mark.parametrize("run", ["seated", "coins", "threes"])
def test_watch_shows_the_game_of_the_run(run: str):
    """Pairs and dice of the entrants too, which `watch` has no options for."""
    data = json.loads(shown("watch", f"{run}-run", "--game", 5, "--json"))
    row = rows_of(f"{run}-run")[5]
    assert data["turns"] == row["turns"]
    assert data["shares"] == row["share"][: len(data["shares"])].tolist()


def test_pace_replays_the_games_of_the_run_and_prints_how_to_watch_them(tmp_path):
    shown(
        "run",
        *("coin_duel", "--policy", "random", "--paired", "--coupling", "entrant"),
        "--games",
        60,
        "--out",
        "shared",
    )
    shown("pace", "shared", "--games", 30, "--csv", tmp_path / "games.csv")
    first = rows_of("shared")[:30]
    with (tmp_path / "games.csv").open(newline="") as stream:
        result = {(int(line["index"]), int(line["turns"])) for line in csv.DictReader(stream)}
    alone = first[first["share"].max(axis=1) == 1]
    assert result == set(zip(alone["game"].tolist(), alone["turns"].tolist(), strict=True))
    assert "fairfight replay shared --seed 1 --game " in shown("pace", "shared", "--games", 30)


def test_a_game_is_named_where_its_command_shows_what_is_meant():
    """A run of the reference set, played as the command plays: nobody needs its folder."""
    shown("run", "coin_duel", "--policy", "random", "--games", 60, "--out", "plain")
    output = shown("pace", "plain", "--games", 30)
    assert "fairfight replay plain --seed 1 --game " in output
    assert "--cards" not in output


def test_decks_of_a_run_are_those_that_it_was_begun_with(tmp_path):
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


def without_making(told: dict[str, Any]) -> dict[str, Any]:
    """An answer without how decks were made by lot, which a run does not keep."""
    return told | {"facts": {name: value for name, value in told["facts"].items() if name != "making"}}


def test_teams_of_a_run_sit_as_they_were_seated(tmp_path):
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


def test_tuning_a_run_is_tuning_its_cards_and_writes_a_card_file_of_them(tmp_path):
    arguments = {"run": on_run("tune"), "game": directly("tune")}
    data = {name: answer(*words, "--out", tmp_path / name) for name, words in arguments.items()}
    for result in data.values():
        assert "cards.toml written. Test it again:" in result["lines"][-2]
        del result["lines"][-2:]
    assert data["run"] == data["game"]
    run, game = (game_named("dice_duel").load(tmp_path / name) for name in ("run", "game"))
    assert run.title == "run, tuned from the Dice duel changed set"
    assert dict(run.document) | {"title": ""} == dict(game.document) | {"title": ""}


@pytest.mark.parametrize("name", ["arena", "cardrogue", "riftborn", "rookling", "runeslingers", "deck_race"])
def test_the_cards_of_a_run_can_be_written_as_a_card_file_again(name: str, tmp_path):
    from analysis.data.decks import toml_of  # noqa: PLC0415 - one test looks into it

    game = game_named(name)
    cards = game.load(None)
    (tmp_path / "cards.toml").write_text(toml_of(cards.document))
    assert game.load(tmp_path).digest == cards.digest
    assert text_of(game, cards) == game.reference.read_text()


def test_text_of_every_kind_is_written_so_that_it_reads_the_same(tmp_path):
    import tomllib  # noqa: PLC0415 - one test reads by itself

    from analysis.data.decks import toml_of  # noqa: PLC0415 - as above

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
