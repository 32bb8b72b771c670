"""Every command and code block of the documentation and of `--help` runs, with fewer games than shown."""

import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import fairfight
from analysis.cli.main import COMMANDS, app
from analysis.output.spreadsheets import write_xlsx
from analysis.playtests.reading import is_playtests
from analysis.workbench.server import Workbench
from sim.engine import scenario
from sim.engine.jit import interpreted
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.registry import GAMES
from tests.conftest import BUILT_IN, ROOT, in_soak
from tests.every_game.play import WHOLE

pytestmark = pytest.mark.slow

OWN_GAME = ROOT / "docs/own-game.md"  # tests/plugins/test_own_game.py runs its commands, with the game that it makes
README = ROOT / "README.md"
LOG = ROOT / "docs/playtests.csv"
OTHERS = [*sorted({*ROOT.glob("docs/**/*.md")} - {OWN_GAME}), *sorted(ROOT.glob("sim/**/README.md"))]
DOCUMENTS = [README, *OTHERS]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SPAN = re.compile(r"`(fairfight [^`\n]+)`")
PLACEHOLDER = re.compile(r"\b(GAME|FILE|RUN|DIR|ENTRANT|THING|N|POLICY)\b")
ELSEWHERE = ("dask ", "make ", "source ", "python -m ", "--cluster")  # other programs; clusters are tested elsewhere

FEW = 60  # games of a command that is not in GAMES_OF
GAMES_OF = {  # command -> games that it needs at least, if FEW are refused
    "ablate": 600,
    "matchups": 112,
    "sensitivity": 2_304,
    "skill": 200,
    "teams": 2_000,
    "tune": 16_000,
    "variants": 112,
}
FEWER = {  # command -> options that make it quick, unless the documentation sets them
    "sensitivity": {"--fields": "hero.*.move"},
    "skill": {"--levels": "random,greedy:1"},
    "train": {"--seats": "2", "--rounds": "1"},
    "tune": {"--fields": "hero.*.move", "--max-changes": "2"},
}
# run only in `make soak`: they take seconds, or `fairfight warmup` does not compile what they call
LONG = re.compile(r"fairfight (ablate|duel|explain|pace|sensitivity|train|tune) |dice \w+ --entrant|--analyse|--interesting")
NARRATING = {"replay", "scenario"}  # commands that call a few kernels directly, which would each be compiled
# commands that take no --games or are quick
UNPLAYED = {"dice", "duel", "matrix", "scenario", "new", "new-game", "check", "cards", "games", "warmup"}
SHOWN_BEFORE: set[tuple[str, ...]] = set()  # commands that have run: many are shown more than once
ONE = {"replay": "--interesting", "run": "--out"}  # command -> option without which it takes no --games


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    language: str
    text: str

    @property
    def commands(self) -> list[str]:
        """Commands that a reader would type."""
        if self.language in {"toml", "python"}:
            return []
        lines = [line.removeprefix("$ ") for line in self.text.splitlines()]
        typed = [line.split("  #")[0].strip() for line in lines if line.startswith(("fairfight ", "cat "))]
        return [line for line in typed if not any(word in line for word in ELSEWHERE)]


def blocks(document: Path) -> list[Block]:
    return [Block(*found.groups()) for found in FENCE.finditer(document.read_text(encoding="utf-8"))]


def commands(document: Path) -> Iterator[str]:
    """Commands in the order of the text, from code blocks and from single backticks."""
    text = document.read_text(encoding="utf-8")
    place = 0
    for found in FENCE.finditer(text):
        yield from SPAN.findall(text[place : found.start()])
        yield from Block(*found.groups()).commands
        place = found.end()
    yield from SPAN.findall(text[place:])


def name(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that a reader of the documentation has: those of the repository, and their own card sets."""
    for part in ("docs", "tests", "sim"):
        (tmp_path / part).symlink_to(ROOT / part)
    for game, own in (("arena", "my-arena"), ("arena", "their-arena")):
        shutil.copytree(GAMES[game].reference.parent, tmp_path / own, ignore=lambda _, names: {*names} - {"cards.toml"})
    log = LOG.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "first-60.csv").write_text("".join(log[:158]), encoding="utf-8")
    log[0] = log[0].replace("won", "result")  # as in the help of `playtests`
    (tmp_path / "playtests.csv").write_text("".join(log), encoding="utf-8")
    (tmp_path / "win-rates.csv").write_text("name,Ant,Bee\nAnt,,60\nBee,40,\n", encoding="utf-8")
    write_xlsx(tmp_path / "cards.xlsx", GAMES["arena"], GAMES["arena"].load(None))
    monkeypatch.chdir(tmp_path)
    # `report` plays for minutes, and tests/analysis/report tests its pages. Here only its options and cards are read.
    monkeypatch.setattr("analysis.report.write.write_reports", lambda _, out, *__: out / "index.html")
    monkeypatch.setattr(import_module("analysis.skill.ladder"), "SECONDS_TIMED", 0.02)  # games timed per level
    # `workbench` serves until Ctrl-C, and tests/analysis/workbench tests its pages. Here it starts and ends.
    monkeypatch.setattr(Workbench, "run", lambda self, _, started: (started(), self.close()))
    return tmp_path


def write_files(document: Path, place: Path) -> None:
    """Write the deck file that a document shows."""
    for source in (ROOT / "sim/games/riftborn/README.md", document):
        for block in blocks(source):
            if block.language == "toml" and block.text.startswith("[[deck]]"):
                (place / "my-decks.toml").write_text(block.text, encoding="utf-8")
            if block.text.startswith("4 Lightning Bolt"):
                (place / "burn.txt").write_text(block.text, encoding="utf-8")


def fewer(words: list[str]) -> list[str]:
    """The command with few games and short searches, and with random players unless it names a policy."""
    command = words[0]
    options = {option for parameter in parameters(command) for option in parameter.opts}
    if command in UNPLAYED or is_playtests(words[1]):
        return words
    if command == "run" and words[1] not in GAMES:  # a run folder defines the experiment
        return replaced(words, "--games", str(2 * FEW)) if "--games" in words else words
    words = [re.sub(r"\bsearch:\d+", "search:8", word) for word in words]
    for option, value in FEWER.get(command, {}).items():
        words = words if option in words else [*words, option, value]
    if "--rounds" in words:
        words = replaced(words, "--rounds", "1")
    if parts := [word for word in words if re.fullmatch(r"--(round|level|pair)-games", word)]:
        for option in parts:
            words = replaced(words, option, str(FEW))
    elif "--games" in options and "--list" not in words and ONE.get(command, command) in words:
        few = str(GAMES_OF.get(command, FEW))
        words = replaced(words, "--games", few) if "--games" in words else [*words, "--games", few]
    words = [word for word in words if word != "--quick"]  # which the strong players test
    if "--policy" in options and "--policy" not in words:
        words = [*words, "--policy", "random"]
    return words


def replaced(words: list[str], option: str, value: str) -> list[str]:
    at = words.index(option) + 1
    return [*words[:at], value, *words[at + 1 :]]


def command_named(name: str) -> typer.core.TyperCommand:
    group = typer.main.get_command(app)
    command = group.get_command(typer.Context(group), name)
    assert command, f"there is no command {name}"
    return command


def parse(command: str) -> None:
    """Read the arguments and options of a command. Raises an error if it has no such options."""
    name, *arguments = shlex.split(command)[1:]
    command_named(name).make_context(name, arguments)


def parameters(name: str) -> list[typer.core.TyperOption]:
    return [parameter for parameter in command_named(name).params if isinstance(parameter, typer.core.TyperOption)]


def run(command: str, place: Path) -> None:
    """Run one command as a reader would."""
    words = shlex.split(command)
    if words[0] == "cat":
        source, target = words[1], words[-1]
        assert words[2] == ">>"
        with (place / target).open("a", encoding="utf-8") as file:
            file.write((ROOT / source).read_text(encoding="utf-8"))
        return
    words = words[1:]
    made = words[2] if words[0] == "new" else words[words.index("--out") + 1] if "--out" in words else None
    if made:
        shutil.rmtree(place / made, ignore_errors=True)
    if "--xlsx" in words:
        (place / words[words.index("--xlsx") + 1]).unlink(missing_ok=True)
    few = fewer(words)
    # commands that use files of the folder run each time
    alone = not made and not {"--rows", "--xlsx", "--template"} & {*few} and not any((place / word).exists() for word in few)
    if alone and tuple(few) in SHOWN_BEFORE:
        return
    SHOWN_BEFORE.add(tuple(few))
    with interpreted() if words[0] in NARRATING and not LONG.search(command) else nullcontext():
        result = CliRunner().invoke(app, few)
    assert result.exit_code == 0, f"{command}\n{result.output[-2000:]}{result.exception!r}"


def is_sketch(command: str) -> bool:
    """Whether a text names a command, or describes its options, rather than showing it in full."""
    words = shlex.split(command)[1:]
    return len(words) < 2 or words[0].startswith("-") or PLACEHOLDER.search(command) is not None


def runnable(document: Path) -> list[str]:
    """The commands of a document that are complete and need no other program, each once."""
    complete = (command for command in commands(document) if not is_sketch(command))
    return list(dict.fromkeys(command for command in complete if not any(word in command for word in ELSEWHERE)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_commands_of_a_document_have_these_arguments_and_options(document: Path):
    for command in commands(document):
        words = shlex.split(command)[1:]
        if is_sketch(command):
            assert words[0] in COMMANDS or words[0].startswith("-"), command
    for command in runnable(document):
        if not command.startswith("cat "):
            parse(command)


@pytest.mark.parametrize("document", [README, *map(in_soak, OTHERS)], ids=name)
def test_commands_of_a_document_run(document: Path, folder: Path):
    write_files(document, folder)
    if "my-run" in document.read_text(encoding="utf-8"):
        run("fairfight run arena --games 60 --policy random --out my-run", folder)
    for command in runnable(document):
        if WHOLE or not LONG.search(command):
            run(command, folder)


def examples(name: str) -> list[str]:
    """The examples in the help of a command."""
    return re.findall(r"Example: (fairfight .+)", command_named(name).help)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_examples_that_the_command_accepts(name: str):
    assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0
    assert examples(name)
    for example in examples(name):
        parse(example)


def test_examples_of_the_help_run(folder: Path):
    write_files(README, folder)
    for name in COMMANDS:
        for example in examples(name):
            if name != "warmup" and (WHOLE or not LONG.search(example)):
                run(example, folder)


def test_toml_blocks_are_read(folder: Path):
    """Scenario files of the documentation are valid; other TOML is well formed."""
    read = 0
    for document in DOCUMENTS:
        for block in blocks(document):
            if block.language != "toml":
                continue
            table = tomllib.loads(block.text)
            file = folder / "block.toml"
            file.write_text(block.text, encoding="utf-8")
            if "position" in table:
                assert scenario.load(file)
            read += 1
    assert read >= 4


@pytest.mark.soak
def test_python_blocks_run(folder: Path):
    """The examples of the store's README: a run is begun, filled, read, and opened with three libraries; a file of games."""
    run("fairfight winrates arena --games 60 --policy random --rows games.parquet", folder)
    cards = GAMES["arena"].load(None)
    names = {"experiment": Experiment("arena", cards, 2, policies=(PolicySpec.parse("random"),), games_wanted=60)}
    names |= {name: import_module(name) for name in ("duckdb", "json", "pandas", "polars", "pyarrow")}
    import_module("pyarrow.parquet")
    texts = [block.text for document in DOCUMENTS for block in blocks(document) if block.language == "python"]
    found = [text for text in texts if not text.startswith(">>>")]  # tests/analysis/test_api.py runs the others
    assert len(found) >= 2
    for text in sorted(found, key=lambda text: "Run.begin" not in text):
        exec(text, names)


@pytest.mark.soak
def test_the_site_is_built_without_warnings(tmp_path: Path, python):
    """A link to a missing page or heading is a warning. The page of commands has the help of each, that of Python each name."""
    python("-m", "sphinx", "-q", "-W", "--keep-going", "docs", str(tmp_path))
    text = {page: (tmp_path / f"reference/{page}.html").read_text(encoding="utf-8") for page in ("commands", "python")}
    assert all(f'id="{command}"' in text["commands"] for command in COMMANDS)
    assert all(f'id="fairfight.{name}"' in text["python"] for name in dir(fairfight) if callable(getattr(fairfight, name)))
    assert all((tmp_path / f"reference/{game}.html").stat().st_size > 50_000 for game in BUILT_IN)
