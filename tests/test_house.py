"""Rules of the repository that no linter knows: kernels, imports, games' names, paths."""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from analysis.data.studies import MODULES
from sim.registry import GAMES
from tests.conftest import BUILT_IN, ROOT, TINY

LINES_MAX, LINES_LEAST = 850, 100  # split a longer file; merge a shorter one into its only importer
FILES_MAX = 14  # of a package of analysis
NUMBERED = {"states", "words"}  # slots of the workspace, words of a block: named where they are defined
BARE_MAX = 1  # the largest number that needs no name

SOURCES = sorted([*ROOT.glob("sim/**/*.py"), *ROOT.glob("analysis/**/*.py")])
SIM = [file for file in SOURCES if file.is_relative_to(ROOT / "sim")]
TEXTS = (".py", ".toml", ".md", ".j2", ".css", ".js", ".ipynb", ".html", ".cfg", ".yml", ".yaml", ".lock", ".txt", "")
SKIPPED = {".git", ".venv", "build", "dist", "__pycache__"}


def short(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module", autouse=True)
def parsed_sources() -> Iterator[None]:
    """Parse the sources once for all rules, and free the trees after the last."""
    yield
    nodes_of.cache_clear()
    tree_of.cache_clear()


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(file)))


def functions(file: Path) -> Iterator[ast.FunctionDef]:
    yield from (node for node in nodes_of(file) if isinstance(node, ast.FunctionDef))


def kernels(file: Path) -> Iterator[ast.FunctionDef]:
    for function in functions(file):
        if any(isinstance(mark, ast.Name) and mark.id == "kernel" for mark in function.decorator_list):
            yield function


def imports(file: Path) -> Iterator[str]:
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def repository() -> Iterator[Path]:
    for file in ROOT.rglob("*"):
        inside = file.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in inside)
        if not hidden and not SKIPPED & set(inside) and file.is_file() and file.suffix in TEXTS:
            yield file


def literal(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def test_there_are_kernels_to_look_at():
    assert sum(1 for file in SIM for _ in kernels(file)) > 100


@pytest.mark.parametrize("file", SIM, ids=short)
def test_kernels_are_where_the_compile_cache_looks(file: Path):
    """The name of the cache depends on the sources below these folders only; see `sim/engine/jit.py`."""
    if any(file.is_relative_to(ROOT / "sim" / folder) for folder in ("engine", "games")):
        return
    assert not [function.name for function in kernels(file)]


@pytest.mark.parametrize("file", SIM, ids=short)
def test_kernels_index_by_name(file: Path):
    for kernel in kernels(file):
        for node in ast.walk(kernel):
            if isinstance(node, ast.Subscript):
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                bare = [value for value in map(literal, parts) if value is not None and value > BARE_MAX]
                array = node.value.attr if isinstance(node.value, ast.Attribute) else ast.unparse(node.value)
                assert not bare or array in NUMBERED, f"{short(file)}:{node.lineno} {kernel.name}: give the index {bare} a name"


@pytest.mark.parametrize("file", SOURCES, ids=short)
def test_public_functions_kernels_and_modules_have_docstrings(file: Path):
    assert ast.get_docstring(tree_of(file)), short(file)
    compiled = {kernel.name for kernel in kernels(file)}
    for node in tree_of(file).body:
        open_class = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        members = [node, *node.body] if open_class else [node]
        for member in members:
            named = isinstance(member, ast.FunctionDef | ast.ClassDef)
            if named and (not member.name.startswith("_") or member.name in compiled):
                assert ast.get_docstring(member), f"{short(file)}:{member.lineno} {member.name}"


@pytest.mark.parametrize("file", SOURCES, ids=short)
def test_only_one_module_imports_numba(file: Path):
    if short(file) != "sim/engine/jit.py":
        assert not [name for name in imports(file) if name.split(".")[0] == "numba"]


RANDOM_DECKS = {"decks.py", "boosters.py", "loadouts.py"}


@pytest.mark.parametrize("file", SIM, ids=short)
def test_all_chance_comes_from_the_keyed_dice(file: Path):
    for node in nodes_of(file):
        if isinstance(node, ast.Attribute) and node.attr == "random":
            assert not (isinstance(node.value, ast.Name) and node.value.id in {"np", "numpy"}), f"line {node.lineno}"
    drawn = {name.split(".")[0] for name in imports(file)} & {"random", "secrets"}
    # designs of line-ups and random decks are not part of a game's chance
    assert not drawn or short(file) == "sim/experiments/designs.py" or file.name in RANDOM_DECKS


@pytest.mark.parametrize("file", SOURCES, ids=short)
def test_files_stay_short(file: Path):
    lines = file.read_text(encoding="utf-8").count("\n")
    assert lines <= LINES_MAX, f"{lines} lines"


ANALYSIS = [file for file in SOURCES if file.is_relative_to(ROOT / "analysis") and file.name != "__init__.py"]


def test_packages_of_analysis_stay_small():
    files = Counter(file.parent for file in ANALYSIS)
    assert {short(folder): count for folder, count in files.items() if count > FILES_MAX} == {}


def test_small_files_of_analysis_have_several_importers():
    importers: dict[str, set[str]] = {short(file): set() for file in ANALYSIS}
    for file in ANALYSIS:
        for name in imports(file):
            if (path := f"{name.replace('.', '/')}.py") in importers:
                importers[path].add(short(file))
    lines = {short(file): file.read_text(encoding="utf-8").count("\n") for file in ANALYSIS}
    small = [file for file, found in importers.items() if lines[file] < LINES_LEAST and len(found) <= 1]
    registered = {f"{name.replace('.', '/')}.py" for name in MODULES}  # a study needs no importer, only a line there
    assert [file for file in small if file not in {"analysis/cli/start.py", *registered}] == []


GAME_MODULES = {  # that a game can have; besides, each chapter of the rulebook is a file of `rules`
    *("__init__", "state", "record", "setup", "actions", "hidden", "ablation", "outcome", "questions", "teams", "decks"),
    *("cards", "cards/__init__", "cards/schema", "cards/checks"),
    *("evaluation", "evaluation/__init__", "evaluation/features", "evaluation/prospects", "evaluation/values"),
    *("exact", "exact/__init__", "exact/rolls", "exact/duels", "exact/chain"),
    *("position", "position/__init__", "position/creatures", "position/invariants", "position/map"),
    *("text", "text/__init__", "text/labels", "text/story"),
}
CHAPTERS_MAX = 8
MODULES_MAX = {"cardrogue": 27}  # modules that hold code; 22 for the others
RULES = re.compile(r"rules/\w+")


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_the_same_modules(game: str):
    home = ROOT / "sim/games" / game
    modules = {file.relative_to(home).with_suffix("").as_posix(): file for file in home.rglob("*.py")}
    chapters = {name for name in modules if RULES.fullmatch(name) and name != "rules/__init__"}
    assert modules.keys() - chapters - GAME_MODULES == {"rules/__init__"}
    assert {"state", "record", "setup", "actions", "outcome", "ablation"} <= modules.keys()
    assert 2 <= len(chapters) <= CHAPTERS_MAX
    with_code = [file for file in modules.values() if len(tree_of(file).body) > 1]
    assert len(with_code) <= MODULES_MAX.get(game, 22)


GENERIC = [file for file in SOURCES if not file.is_relative_to(ROOT / "sim/games") and short(file) != "sim/registry.py"]


@pytest.mark.parametrize("file", GENERIC, ids=short)
def test_generic_code_does_not_name_games(file: Path):
    """Examples in docstrings, help texts and messages can name games; comparisons, keys and imports cannot."""
    names = set(BUILT_IN)
    assert names == {name for name in GAMES if name not in TINY}
    for node in nodes_of(file):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert node.value not in names, f"{short(file)}:{node.lineno}"
    assert not [name for name in imports(file) if name.startswith("sim.games.")]


def test_no_file_depends_on_the_machine_it_was_written_on():
    """No home folders and the like; `/tmp`, `/usr` and `/dev` are the same everywhere."""
    machine = re.compile(r"(?<![\w.~:/])(?:/(?:home|Users|root|work|mnt)/\w|[A-Z]:\\\\?Users)")
    assert machine.search("cd " + "/home" + "/ann")
    found = []
    for file in repository():
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if machine.search(line):
                found.append(f"{short(file)}:{number}: {line.strip()[:80]}")
    assert not found, "\n".join(found)


ORDERLESS = {"dot", "convolve", "matmul", "einsum", "inner", "tensordot", "linalg", "correlate", "vdot"}


@pytest.mark.parametrize("file", SIM, ids=short)
def test_nothing_is_summed_in_an_order_that_depends_on_the_processor(file: Path):
    """BLAS sums vector products in varying order, and their last bits can decide ties of policies; see `sim/engine/sums.py`."""
    for node in nodes_of(file):
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)), f"line {node.lineno}: @"
        named = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
        assert not (named and node.attr in ORDERLESS), f"line {node.lineno}: np.{node.attr}"


SIZE_MAX = 500_000  # bytes of a file in the repository


def committed() -> list[Path]:
    """Files that git tracks; without git, all files outside of hidden folders and reports."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    return [file for file in repository() if not file.is_relative_to(ROOT / "reports")]


def test_no_generated_page_and_no_large_file_is_committed():
    files = committed()
    assert len(files) > 500
    large = [short(file) for file in files if file.stat().st_size > SIZE_MAX]
    pages = [short(file) for file in files if file.suffix == ".html" or file.name == "report.json"]
    assert (large, pages) == ([], [])


def test_the_locked_versions_satisfy_the_declared_bounds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    locked = {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.M)}
    declared = map(Requirement, [*project["dependencies"], *chain(*project["optional-dependencies"].values())])
    wrong = [str(one) for one in declared if one.name != "fairfight" and locked[canonicalize_name(one.name)] not in one.specifier]
    assert not wrong
