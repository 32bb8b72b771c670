"""Rules of this repository that no linter knows, checked by `make lint`: kernels, chance, names of games, paths, large files.

python -m tests.house    prints every breach with its place; exit code 1 if there is any
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sim.registry import NAMES

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted([*ROOT.glob("sim/**/*.py"), *ROOT.glob("analysis/**/*.py")])
TEXTS = (".py", ".toml", ".md", ".j2", ".css", ".js", ".ipynb", ".html", ".cfg", ".yml", ".yaml", ".lock", ".txt", "")

NUMBERED = {"states", "words"}  # slots of the workspace, words of a block: named where they are defined
BARE_MAX = 1  # the largest index that needs no name
RANDOM_ALLOWED = {"designs.py", "decks.py", "boosters.py", "loadouts.py"}  # line-ups and random decks are no chance of a game
ORDERLESS = {"dot", "convolve", "matmul", "einsum", "inner", "tensordot", "linalg", "correlate", "vdot"}
MACHINE = re.compile(r"(?<![\w.~:/])(?:/(?:home|Users|root|work|mnt)/\w|[A-Z]:\\\\?Users)")
SIZE_MAX = 500_000  # bytes of a file in the repository

Breach = tuple[int, str]  # line, what is wrong


def main() -> None:
    """Check all sources and all files under version control."""
    breaches = [*in_sources(), *in_files(), *in_lock()]
    for breach in breaches:
        sys.stdout.write(f"{breach}\n")
    sys.exit(1 if breaches else 0)


def in_sources() -> Iterator[str]:
    """Breaches in `sim` and `analysis`."""
    for file in SOURCES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        place = file.relative_to(ROOT)
        checks = [breaches_of_kernels(tree, place)]
        if place.parts[0] == "sim":
            checks += [hidden_chance(tree, file.name), unordered_sums(tree)]
        if place.parts[:2] != ("sim", "games") and place != Path("sim/registry.py"):
            checks.append(named_games(tree))
        for check in checks:
            for line, words in check:
                yield f"{place}:{line}: {words}"


def breaches_of_kernels(tree: ast.Module, place: Path) -> Iterator[Breach]:
    """Kernels outside of the folders that name the compile cache, without a docstring, or that index by bare numbers."""
    for kernel in kernels(tree):
        if place.parts[:2] not in {("sim", "engine"), ("sim", "games")}:
            yield kernel.lineno, f"{kernel.name}: a kernel must be below sim/engine or sim/games, see sim/engine/jit.py"
        if kernel in tree.body and not ast.get_docstring(kernel):
            yield kernel.lineno, f"{kernel.name}: a kernel needs a docstring"
        for node in ast.walk(kernel):
            if isinstance(node, ast.Subscript) and (bare := bare_indexes(node)):
                yield node.lineno, f"{kernel.name}: give the index {bare[0]} a name"


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions with the decorator `kernel`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            marks = [mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)]
            if "kernel" in marks:
                yield node


def bare_indexes(node: ast.Subscript) -> list[int]:
    """Numbers above BARE_MAX by which an array is indexed; none for the arrays in NUMBERED."""
    array = node.value.attr if isinstance(node.value, ast.Attribute) else ast.unparse(node.value)
    if array in NUMBERED:
        return []
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, int) and value > BARE_MAX]


def hidden_chance(tree: ast.Module, name: str) -> Iterator[Breach]:
    """Chance that does not come from the keyed dice."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "random" and is_numpy(node.value):
            yield node.lineno, "np.random: all chance of a game comes from its keyed dice"
    if name in RANDOM_ALLOWED:
        return
    for line, module in imports(tree):
        if module.split(".")[0] in {"random", "secrets"}:
            yield line, f"import {module}: all chance of a game comes from its keyed dice"


def unordered_sums(tree: ast.Module) -> Iterator[Breach]:
    """Sums of vector products, which BLAS adds up in varying order; their last bits can decide ties of policies."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "@: use sim/engine/sums.py, which adds up in a fixed order"
        if isinstance(node, ast.Attribute) and is_numpy(node.value) and node.attr in ORDERLESS:
            yield node.lineno, f"np.{node.attr}: use sim/engine/sums.py, which adds up in a fixed order"


def named_games(tree: ast.Module) -> Iterator[Breach]:
    """Names of games in generic code. Examples in docstrings, help and messages can name games; keys and imports cannot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES:
            yield node.lineno, f'"{node.value}": generic code does not know a game by name'
    for line, module in imports(tree):
        if module.startswith("sim.games."):
            yield line, f"import {module}: generic code does not know a game by name"


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of every imported module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module


def is_numpy(node: ast.expr) -> bool:
    """Whether an expression is the name of NumPy."""
    return isinstance(node, ast.Name) and node.id in {"np", "numpy"}


def in_files() -> Iterator[str]:
    """Paths of somebody's machine, generated pages and large files among the files that git tracks.

    `/tmp`, `/usr` and `/dev` are the same everywhere.
    """
    for file in tracked():
        place = file.relative_to(ROOT)
        if file.stat().st_size > SIZE_MAX:
            yield f"{place}: {file.stat().st_size:,} bytes; at most {SIZE_MAX:,} are allowed"
        if file.suffix == ".html" or file.name == "report.json":
            yield f"{place}: generated pages do not belong in the repository"
        if file.suffix in TEXTS:
            for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if MACHINE.search(line):
                    yield f"{place}:{number}: a path of one machine: {line.strip()[:80]}"


def in_lock() -> Iterator[str]:
    """Declared versions that the lock file does not satisfy, and other versions in that of what running needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    locked, running = locked_in("requirements.lock"), locked_in("requirements-run.lock")
    declared = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    for requirement in map(Requirement, declared):
        version = locked.get(canonicalize_name(requirement.name))
        if requirement.name != project["name"] and (version is None or version not in requirement.specifier):
            yield f"requirements.lock: {requirement.name} {version}; pyproject.toml declares {requirement}; run `make lock`"
    for name, version in running.items() - locked.items():
        yield f"requirements-run.lock: {name} {version}, but {locked.get(name)} in requirements.lock; run `make lock`"


def locked_in(file: str) -> dict[str, str]:
    """The version of each package in a lock file."""
    lines = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / file).read_text("utf-8"), re.M)
    return {canonicalize_name(name): version for name, version in lines}


def tracked() -> list[Path]:
    """The files that git tracks. Raises CalledProcessError outside of a clone."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


if __name__ == "__main__":
    main()
