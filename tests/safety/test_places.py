"""No name in a file becomes a path: output stays in the chosen folder, whatever the names of cards, decks and titles."""

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.answer.files import file_name
from analysis.answer.model import Section
from analysis.answer.page import Page
from analysis.answer.tables import Table
from analysis.cli.main import app
from analysis.data.card_text import write_changed
from analysis.data.decks import DeckChoice
from analysis.report.write import write_report
from sim.engine.cards import CardError, copy_reference, read_document
from sim.engine.contract import Game
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from sim.store import Run
from tests.safety.form import tiny_games
from tests.safety.formats import deck_file
from tests.safety.hostile import NAMES, TITLE, card_folder, listing
from tests.safety.structures import toml_of

PATHS = (
    *("../../x", "/tmp/x", "a/b", "..", ".", "", "a\x00b", "C:\\x", "~", "x" * 300, "-rf", "a b", "CON", "con.csv", "\u2025"),
)
RANDOM = PolicySpec.parse("random")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with tiny_games():
        yield


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a hostile card folder, an output folder `chosen`, and a folder that must stay unchanged."""
    card_folder(tmp_path / "cards")
    (tmp_path / "chosen").mkdir()
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "kept.txt").write_text("kept", encoding="utf-8")
    return tmp_path


def outside(place: Path) -> set[str]:
    """All paths outside the chosen folder."""
    return {path for path in listing(place) if not path.startswith("chosen/")}


def run(*arguments: object) -> None:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output


def test_a_run_and_its_tables_are_written_to_the_chosen_paths_only(place: Path):
    before = outside(place)
    chosen = place / "chosen"
    run("run", "coin_duel", "--cards", place / "cards", "--policy", "random", "--games", 64, "--out", chosen / "run")
    run("winrates", chosen / "run", "--csv", chosen / "rates.csv")
    assert outside(place) == before
    assert {path.split("/")[0] for path in listing(chosen)} == {"run", "rates.csv"}
    assert all(name.isascii() and name.replace("-", "").isalnum() for name in map(stem, (chosen / "run" / "blocks").iterdir()))


def stem(path: Path) -> str:
    return path.name.removesuffix(".parquet")


def test_a_run_restores_hostile_names(place: Path):
    game = GAMES["coin_duel"]
    made = Experiment(game.name, game.load(place / "cards"), 2, (RANDOM,), 64)
    Run.begin(place / "chosen" / "run", made)
    cards = Run.open(place / "chosen" / "run").experiment.cards
    assert (cards.names, cards.title) == (NAMES, TITLE)


@pytest.mark.parametrize(
    "name", ["my cards", "$(touch x)", "`id`", "-rf", "a;b", 'quo"te', "..hidden", "\u202e", "new\nline", "con"]
)
def test_a_copied_and_a_tuned_set_are_in_the_named_folder(place: Path, name: str):
    before, game = outside(place), GAMES["coin_duel"]
    copied = copy_reference(game.reference, place / "chosen" / name)
    assert game.load(copied).ids == game.load(None).ids
    tuned = write_changed(copied.read_text(encoding="utf-8"), place / "chosen" / "tuned" / name, {"rules.goal": 5})
    assert game.load(tuned).document["rules"]["goal"] == 5
    assert outside(place) == before
    assert listing(place / "chosen") == {name, f"{name}/cards.toml", "tuned", f"tuned/{name}", f"tuned/{name}/cards.toml"}


def test_a_tuned_set_with_a_hostile_title_is_valid(place: Path):
    game = GAMES["coin_duel"]
    file = write_changed(
        (place / "cards" / "cards.toml").read_text(encoding="utf-8"), place / "chosen" / "fair", {"rules.goal": 5}
    )
    assert game.load(file).title.startswith(f"fair, changed from the {TITLE[:20]}")


def of_decks() -> list[Game]:
    with tiny_games():
        return [game for game in GAMES.values() if game.decks is not None]


@pytest.mark.parametrize("word", PATHS)
@pytest.mark.slow
def test_an_id_that_looks_like_a_path_is_refused(word: str, tmp_path: Path):
    game = GAMES["coin_duel"]
    document = copy.deepcopy(dict(game.load(None).document))
    document["fighter"][0]["id"] = word
    with pytest.raises(CardError, match="fighter"):
        game.from_document(document)
    for deck_game in of_decks():
        decks, _ = read_document(None, written(tmp_path, deck_file(deck_game)))
        decks["deck"][0]["id"] = word
        with pytest.raises(CardError, match="deck"):
            DeckChoice(written(tmp_path, toml_of(decks).encode()), only=True).played(deck_game, deck_game.load(None))


def written(folder: Path, content: bytes) -> Path:
    file = folder / "decks.toml"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize(
    ("name", "folder"),
    [("mine.toml", "mine"), ("...toml", "decks"), ("..toml", "decks"), (".toml", "toml"), ("..", "decks"), ("a.b.toml", "a.b")],
)
def test_a_deck_file_names_a_folder_within_that_of_the_reports(name: str, folder: str):
    assert DeckChoice(Path("somewhere") / name).folder == (folder,)


def test_a_deck_file_with_an_unprintable_name_is_refused():
    with pytest.raises(ValueError, match=r'--decks "de\\u001b\[31mcks.toml": give the file a printable name'):
        DeckChoice(Path("de\x1b[31mcks.toml"))


@pytest.mark.parametrize("word", PATHS)
def test_no_file_of_a_report_has_a_path_as_its_name(word: str, tmp_path: Path):
    with pytest.raises(ValueError, match="must be lower-case letters"):
        file_name(word, "id")
    table = Table(word, ("a",), ((1,),))
    page = Page("Title", "", "coin_duel", (), (Section("s", "Why?", "So.", (), (table,)),))
    with pytest.raises(ValueError, match="table id="):
        write_report(page, tmp_path / "out")
    assert not [path for path in listing(tmp_path) if path.endswith(".csv")]
