"""Common behaviour of all commands: options of a name mean the same, suffixes choose file formats, words are corrected."""

import csv
import html
import json
import shutil

import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook
from typer.main import get_command

import sim.run
from analysis.answer.tables import Table
from analysis.cli.main import app
from analysis.output.files import write_table
from analysis.training import positions
from analysis.tuning.goal import LEAST_LOOK, LOOKS, least_games
from sim.engine.cards import copy_reference
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, game_named
from sim.store.rowsfile import NamedRows
from tests.analysis.cli.test_cli import fairfight, refusal, shown
from tests.conftest import ROOT
from tests.every_game.play import WHOLE
from tests.kernels.test_deck_race import OWN

COMMANDS = get_command(app).every()
RANDOM_PLAYER = (PolicySpec.parse("random"),)
RANDOM = ("--policy", "random", "--jobs", 1)
compiled = pytest.mark.skipif(not COMPILED, reason="some thousand games")

NOT_PLAYED = "plays no games"
NO_CHART = "has no main chart"
NEW_GAME, LIVE = "writes a game", "a page that plays until it is closed, and exports its tables itself"
PLAYED = "a person plays one game in the terminal"
OF_FILE = "a file determines what is played"
OF_RESULTS = "its arguments are results"
ONE_ROLL = "decks decide on no roll and no duel"
SEVERAL = "several files, in a folder of their own"
OF_LOG = "reads games that people played"
LACKING: dict[str, dict[str, str]] = {  # option -> command -> why it lacks the option
    "--cards": {
        "playtests": OF_LOG,
        "match": OF_RESULTS,
        "games": NOT_PLAYED,
        "new": "copies the reference set",
        "check": "takes the folder itself",
        "matrix": OF_FILE,
        "warmup": "compiled code is the same for all cards",
        "new-game": NEW_GAME,
    },
    "--decks": {
        "playtests": OF_LOG,
        "match": OF_RESULTS,
        "games": NOT_PLAYED,
        "new": "copies the reference set",
        "check": "takes the folder itself",
        "warmup": "compiled code is the same for all cards",
        "scenario": OF_FILE,
        "matrix": OF_FILE,
        "dice": ONE_ROLL,
        "new-game": NEW_GAME,
    },
    "--games": {
        "playtests": OF_LOG,
        "match": OF_RESULTS,
        "games": NOT_PLAYED,
        "cards": NOT_PLAYED,
        "new": NOT_PLAYED,
        "check": NOT_PLAYED,
        "warmup": NOT_PLAYED,
        "scenario": OF_FILE,
        "matrix": OF_FILE,
        "dice": "has --rolls",
        "duel": "has --duels",
        "report": "has --scale, because every section plays its own games",
        "new-game": NEW_GAME,
        "workbench": LIVE,
        "play": PLAYED,
    },
    "--seed": {
        **dict.fromkeys(("games", "new", "check", "warmup", "matrix"), NOT_PLAYED),
        "playtests": OF_LOG,
        "match": OF_RESULTS,
        "scenario": OF_FILE,
        "new-game": NEW_GAME,
    },
    "--csv": {
        **dict.fromkeys(("games", "new", "new-game", "check", "warmup", "scenario", "playtests"), "has no main table of figures"),
        "workbench": LIVE,
        "play": PLAYED,
        "run": "a run folder holds the games",
        "report": SEVERAL,
    },
    "--chart": {
        **dict.fromkeys(("games", "cards", "new", "new-game", "check", "warmup", "scenario", "run", "playtests"), NO_CHART),
        "report": SEVERAL,
        "workbench": LIVE,
        "play": PLAYED,
    },
    "--html": {
        **dict.fromkeys(("games", "cards", "new", "new-game", "check", "warmup", "scenario", "run", "playtests"), NO_CHART),
        **dict.fromkeys(("train",), "a search, not an answer"),
        "report": SEVERAL,
        "workbench": LIVE,
        "play": PLAYED,
    },
    "--force": {
        **dict.fromkeys(("games", "check", "warmup", "scenario"), "writes no file"),
        "new-game": "leaves an existing folder as it is",
        "workbench": LIVE,
        "run": "a run folder grows, and other games are refused",
        "report": "a report folder holds the latest report",
    },
    "--json": {"workbench": LIVE, "play": PLAYED},
}
OF_DECKS = ("--only-decks", "--random-decks")  # always together with --decks


def options(command):
    return {name for item in COMMANDS[command].params for name in item.opts if name.startswith("--")}


@pytest.mark.parametrize("option", LACKING)
def test_every_command_has_the_common_options_or_a_reason_for_lacking_one(option):
    lacking = {command for command in COMMANDS if option not in options(command)}
    assert lacking == set(LACKING[option])


def test_the_same_option_has_the_same_help_everywhere():
    for option in ("--cards", "--decks", *OF_DECKS, "--seed", "--csv", "--chart", "--force", "--json", "--jobs"):
        helps = {item.help: name for name, command in COMMANDS.items() for item in command.params if option in item.opts}
        # `cards --csv` writes a folder, the whole set; every game of `play` has another seed
        assert len(helps) == (2 if {option, "cards"} <= {"--csv", *helps.values()} or option == "--seed" else 1), option


def test_games_is_the_total_number_everywhere():
    of_run = {"run": "Games of the run", "explain": "Games for the win rate"}
    for name, command in COMMANDS.items():
        for item in command.params:
            if "--games" in item.opts:
                assert item.help.startswith((of_run.get(name, "Games in all"), "Games played in all")), name


def test_the_game_is_the_first_argument_of_every_command():
    begun = {
        "matrix": "table",
        "scenario": "file",
        "check": "folder",
        "dice": "roll",
        "new-game": "name",
        "match": "wins",
        "playtests": "log",
        "run": "what",
    }
    for name, command in COMMANDS.items():
        arguments = [item.name for item in command.params if item.param_type_name == "argument"]
        if name not in ("games", "warmup"):
            assert arguments[0] == begun.get(name, "game"), name


def test_the_help_of_tune_shows_the_least_games():
    assert least_games(1) == 3_200
    assert round(LEAST_LOOK * 2 / LOOKS) == 2_286
    text = " ".join(shown("tune", "--help").split()).replace("- ", "-")  # a line can end with a hyphen
    assert "At least 3,200 for each of --max-changes, and about 2,286 for each number that can change" in text


@compiled
@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("whatif", "dice_duel", "--set", "fighter.knight.health=-2"), 500),
        (("whatif", "dice_duel", "--set", "rules.second_health=3"), 500),
        (("skill", "coin_duel", "--levels", "random,greedy:1"), 400),
        (("train", "dice_duel", "--rounds", "2"), 900),
        (("cardstats", "deck_race"), 800),
        (("cardstats", "deck_race", "--deck", "heavy"), 800),
        (("cardstats", "deck_race", "--pairs", "10"), 800),
        (("ablate", "coin_duel", "rule.fold", "rule.raise"), 300),
        (("ablate", "coin_duel"), 900),
        (("variants", "coin_duel", "rules.goal=4,6"), 300),
        (("sensitivity", "dice_duel", "--fields", "fighter.knight.*"), 9000),
    ],
)
@pytest.mark.slow
def test_at_most_the_requested_games_are_played(words, most, dice_duel, deck_race, coin_duel, monkeypatch):
    played = counting(monkeypatch)
    options = () if words[0] in ("skill", "train") else ("--policy", "random")
    data = json.loads(shown(*words, *options, "--games", most, "--jobs", 1, "--json"))
    assert 0.5 * most < sum(played) <= most
    facts = data.get("facts", {})
    texts = facts.get("played", facts.get("games"))
    assert texts == sum(played)


def counting(monkeypatch):
    """Record the number of games of every block played from now on."""
    played, of_one, sampled = [], sim.run.play_range, positions._part

    def counted(experiment, first, count, *more):
        played.append(count)
        return of_one(experiment, first, count, *more)

    def sampling(worker, first, count, *more):
        played.append(count)
        return sampled(worker, first, count, *more)

    monkeypatch.setattr(sim.run, "play_range", counted)
    monkeypatch.setattr(positions, "_part", sampling)
    return played


FEW: dict[str, tuple[object, ...]] = {  # command -> arguments that draw its main chart with few games
    "winrates": ("coin_duel", *RANDOM, "--games", 60),
    "matchups": ("dice_duel", *RANDOM, "--games", 448),
    "matrix": (ROOT / "tests/analysis/matchups/cycle.csv",),
    "seats": ("coin_duel", *RANDOM, "--games", 60),
    "pace": ("coin_duel", *RANDOM, "--games", 60),
    "amounts": ("arena", "damage_dealt", *RANDOM, "--games", 56),
    "categories": ("arena", "fall_cause", *RANDOM, "--games", 56),
    "times": ("coin_duel", "length", *RANDOM, "--games", 60),
    "explain": ("coin_duel", "pike", *RANDOM, "--games", 120),
    "whatif": ("dice_duel", *RANDOM, "--set", "fighter.knight.health=-2", "--games", 280),
    "sensitivity": ("dice_duel", *RANDOM, "--fields", "fighter.knight.health", "--games", 3000),
    "variants": ("dice_duel", "fighter.knight.health=43,47", *RANDOM, "--games", 280),
    "tune": ("dice_duel", *RANDOM, "--fields", "fighter.knight.health", "--max-changes", 1, "--games", 26_000),
    "match": (60, 40, 20),
    "compare": ("coin_duel", "pike", "maul", *RANDOM, "--games", 400),
    "ablate": ("coin_duel", "rule.fold", *RANDOM, "--games", 120),
    "skill": ("coin_duel", "--levels", "random,greedy:1", "--games", 200, "--jobs", 1),
    "cardstats": ("deck_race", *RANDOM, "--games", 600),
    "train": ("dice_duel", "--round-games", 60, "--rounds", 1, "--jobs", 1),
    "dice": ("2d6", "--rolls", 1000),
    "duel": ("coin_duel", "pike", "maul", "--duels", 1000),
    "teams": ("rookling", *RANDOM, "--games", 600),
    "replay": ("coin_duel", *RANDOM, "--analyst", "greedy:1"),
    "plan": ("coin_duel", "--games", 30, "--testers", 3),
    "calibrate": ("arena", ROOT / "docs" / "playtests.csv", "--players", "random", "--games", 200),
}


def test_every_command_with_a_chart_is_tested():
    assert set(FEW) == set(COMMANDS) - set(LACKING["--chart"])


@compiled
@pytest.mark.parametrize("command", [name for name in FEW if name != "match"])  # a match has no chart
@pytest.mark.slow
def test_every_main_chart_is_drawn_and_not_overwritten_without_force(
    command, tmp_path, dice_duel, deck_race, coin_duel, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    kind = {"winrates": "pdf", "matchups": "svg"}.get(command, "png")
    typed = (command, *FEW[command], "--chart", f"chart.{kind}")
    code, out, err = fairfight(*typed)
    assert code == 0, err
    assert f"chart.{kind} written" in " ".join(err.split())
    drawn = (tmp_path / f"chart.{kind}").read_bytes()
    assert drawn[:4] in {b"\x89PNG", b"<?xm", b"%PDF"}
    assert len(drawn) > 5000
    message = refusal(*typed)
    assert f"chart.{kind}: exists already and is left as it is; name another file, or overwrite it with --force" in message
    if command == "train":
        return
    assert fairfight(command, *FEW[command], "--html", "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert f"fairfight {command}" in html.unescape(page)
    assert page.count("<svg") >= 1
    assert " src=" not in page
    assert "page.html: exists already" in refusal(command, *FEW[command], "--html", "page.html")
    if WHOLE or command in {"winrates", "matchups", "dice"}:  # the commands draw in the same way: one of each kind of file
        assert fairfight(*typed, "--force")[1] == out or command == "winrates"  # it contains the run time
        assert (tmp_path / f"chart.{kind}").read_bytes() == drawn


def table_of(file):
    """Heading and lines of a table file of any format."""
    if file.suffix == ".csv":
        lines = list(csv.reader(file.read_text("utf-8-sig").splitlines()))
        return lines[0], lines[1:]
    if file.suffix == ".json":
        lines = json.loads(file.read_text("utf-8"))
        lines = lines["games"] if isinstance(lines, dict) else lines
        return list(lines[0]), [list(line.values()) for line in lines]
    if file.suffix == ".parquet":
        result = pq.read_table(file)
        return result.column_names, [list(line.values()) for line in result.to_pylist()]
    sheet = load_workbook(file).worksheets[0]
    lines = [list(line) for line in sheet.iter_rows(values_only=True)]
    return lines[0], lines[1:]


@compiled
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json", ".xlsx"])
@pytest.mark.slow
def test_tables_and_games_of_every_file_format_hold_the_same(ending, tmp_path, coin_duel):
    table, games = tmp_path / f"table{ending}", tmp_path / f"games{ending}"
    typed = ("winrates", "coin_duel", *RANDOM, "--games", 60, "--csv", table, "--rows", games)
    code, _, err = fairfight(*typed)
    assert code == 0, err
    err = err.replace("\n", "")
    if ending == ".xlsx":
        names = load_workbook(table).sheetnames
        assert {"win_rates", "win_rates_by_seat", "pairs", "turn_order"} <= set(names)
        assert f"{table} written: {len(names)} tables" in err
    else:
        assert f"{table} written: 3 lines" in err
    assert f"{games} written: 60 games" in err
    head, lines = table_of(table)
    assert head[:7] == ["seats", "entrant", "name", "estimate", "low", "high", "n"]
    data = json.loads(shown(*typed[:-4], "--json"))["win_rates"]
    assert [(line[2], pytest.approx(float(line[3]))) for line in lines] == [(line["name"], line["estimate"]) for line in data]
    head, lines = table_of(games)
    ids = coin_duel.load(None).ids
    assert len(lines) == 60
    for line in lines:
        row = dict(zip(head, line, strict=True))
        for seat in (0, 1):
            assert row[f"entrant_id_{seat}"] == ids[int(row[f"entrant_{seat}"])]
    assert [line["column"] for line in legend(games)] == head
    assert all(line["meaning"] for line in legend(games))
    for option, file in (("--csv", table), ("--rows", games)):
        assert f"{file}: exists already" in refusal(*typed[:-4], option, file)
    assert fairfight(*typed, "--force")[0] == 0


def legend(file):
    """The column descriptions of a file of games."""
    if file.suffix == ".csv":
        return list(csv.DictReader((file.parent / f"{file.stem}.columns.csv").read_text("utf-8-sig").splitlines()))
    if file.suffix == ".json":
        return json.loads(file.read_text("utf-8"))["columns"]
    if file.suffix == ".parquet":
        data = json.loads(pq.read_metadata(file).metadata[b"fairfight"])
        assert [item["id"] for item in data["experiment"]["entrants"]]
        return data["columns"]
    head, *lines = load_workbook(file)["columns"].iter_rows(values_only=True)
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_the_legend_names_the_parts_of_every_entrant():
    for game in GAMES.values():
        named = NamedRows.of(Experiment(game.name, game.load(None), min(game.seats), RANDOM_PLAYER, 1))
        assert [line["column"] for line in named.legend] == named.schema.names
    arena = game_named("arena")
    lines = {line["column"]: line for line in NamedRows.of(Experiment("arena", arena.load(None), 2, RANDOM_PLAYER, 1)).legend}
    assert lines["uses_0_2"]["meaning"] == "Uses of the ability"
    assert lines["uses_0_2"]["seat"] == 0
    names = arena.part_names(arena.load(None))
    assert f"rhino_guy: {names[arena.load(None).ids.index('rhino_guy')][2]}" in lines["uses_0_2"]["part"]
    assert lines["zone_turns_1_0"]["part"] == "yellow"
    assert "1: knockback" in lines["fall_cause_0"]["values"]


def test_text_in_a_spreadsheet_is_no_formula(tmp_path):
    file = tmp_path / "t.xlsx"
    write_table(file, Table("t", ("name", "rate"), (("=1+1", 0.5), ("a\x1bb", None)), "", {"rate": "percent"}))
    sheet = load_workbook(file).active
    assert (sheet["A2"].data_type, sheet["A2"].value) == ("s", "=1+1")
    assert (sheet["B2"].value, sheet["B2"].number_format) == (0.5, "0.0%")
    assert (sheet["A3"].value, sheet["B3"].value) == ("a\\x1bb", None)


def test_a_new_set_replaces_an_old_one_only_with_force(tmp_path):
    folder = tmp_path / "mine"
    shown("new", "arena", folder)
    file = folder / "cards.toml"
    whole = file.read_text("utf-8")
    file.write_text("mine")
    assert "name another folder, or overwrite it with --force" in refusal("new", "arena", folder)
    assert file.read_text() == "mine"
    shown("new", "arena", folder, "--force")
    assert file.read_text("utf-8") == whole
    assert [item.name for item in tmp_path.iterdir()] == ["mine"]


@pytest.fixture
def two(tmp_path, dice_duel):
    """Two card folders of the duel: the original, and one with changed numbers, a fighter removed and one moved to the end."""
    for name in ("one", "two"):
        copy_reference(dice_duel.reference, tmp_path / name)
    return tmp_path / "one", tmp_path / "two"


AGAINST = (*RANDOM, "--games", 2240)


@compiled
def test_two_card_folders_play_the_same_games(two, dice_duel):
    left, right = two
    same = json.loads(shown("whatif", "dice_duel", "--cards", left, "--against", right, *AGAINST, "--json"))
    assert not same["facts"]["reaches_play"]
    assert {line["change"] for line in same["win_rates"]} == {0}
    file = right / "cards.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("health = 45", "health = 43", 1), "utf-8")
    data = json.loads(shown("whatif", "dice_duel", "--cards", left, "--against", right, *AGAINST, "--json"))
    edit = ("whatif", "dice_duel", "--cards", left, "--set", "fighter.knight.health=43", *AGAINST, "--json")
    by_edit = json.loads(shown(*edit))
    assert data["change"] == by_edit["change"]
    assert data["win_rates"] == by_edit["win_rates"]
    assert data["facts"]["played"] == by_edit["facts"]["played"]
    text = " ".join(shown("whatif", "dice_duel", "--cards", left, "--against", right, *AGAINST, "--notes").split())
    assert "1 field differs: fighter.knight.health: 45 to 43" in text


@compiled
def test_entrants_of_only_one_folder_are_named_and_play_no_game(two, dice_duel):
    left, right = two
    file = right / "cards.toml"
    head, *fighters = file.read_text("utf-8").split("[[fighter]]")
    assert len(fighters) == 8
    newcomer = fighters[0].replace("knight", "squire").replace("Knight", "Squire")
    file.write_text("[[fighter]]".join([head, newcomer, *reversed(fighters[1:])]), "utf-8")
    typed = ("whatif", "dice_duel", "--cards", left, "--against", right, *AGAINST)
    data = json.loads(shown(*typed, "--json"))
    assert data["facts"]["against"]["only"] == [["knight"], ["squire"]]
    names = {line["name"] for line in data["win_rates"]}
    assert len(names) == 7
    assert "Knight" not in names
    assert {line["change"] for line in data["win_rates"]} == {0}  # the others are unchanged, in another order
    text = " ".join(shown(*typed, "--notes").split())
    assert "so in none of the games (1): knight." in text
    assert "so in none of the games (1): squire." in text
    assert "of them of knight, squire, only in one of the two." in text
    assert "fighter.squire.name" not in text  # fields of a newcomer do not hide the changes of the others


def test_folders_whose_line_ups_cannot_be_matched_are_refused(two, dice_duel, tmp_path):
    left, right = two
    file = right / "cards.toml"
    file.write_text(file.read_text("utf-8").replace('id = "', 'id = "other_'), "utf-8")
    message = refusal("whatif", "dice_duel", "--cards", left, "--against", right, *RANDOM)
    assert "--against: line-ups cannot be matched: 0 fighters are in both sets, and 2 seats need 2" in message
    both = ("--against", right, "--set", "fighter.knight.health=43")
    assert "one of the two" in refusal("whatif", "dice_duel", *both)
    assert "one of the two" in refusal("whatif", "dice_duel")
    assert "cards.toml" in refusal("whatif", "dice_duel", "--against", tmp_path / "nowhere")
    shutil.rmtree(right)
    shown("new", "arena", right)
    assert "game" in refusal("whatif", "dice_duel", "--against", right)


@compiled
@pytest.mark.parametrize("words", [("compare", "deck_race", "flock", "sharp", *RANDOM, "--games", 200), ("cards", "deck_race")])
def test_decks_of_a_file_are_entrants_of_every_command(words, deck_race, tmp_path):
    file = tmp_path / "my-decks.toml"
    file.write_text(OWN)
    assert "flock" in shown(*words, "--decks", file).lower()
