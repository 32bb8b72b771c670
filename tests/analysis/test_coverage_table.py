"""README.md lists every function of `analysis` that returns an interval, and every test that it lists exists."""

import ast
import re
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

import analysis

HERE = Path(__file__).parent
TESTS = HERE.parent
ANALYSIS = Path(analysis.__file__).parent
PROMISE = re.compile(r"\blow\b|\w_low\b|[Ii]nterval")
LEFT_OUT = ("charts", "cli", "output", "report")  # they only show their arguments
SECTIONS = {"parameters", "rules"}  # modules that also only show
CODE = re.compile(r"`([^`]+)`")
NAME = re.compile(r"`[a-z_.]+\.[A-Za-z_.]+`")

Definition = ast.FunctionDef | ast.ClassDef


def tables() -> list[list[str]]:
    """Cells of every line of the tables except their heads."""
    lines = [line for line in (HERE / "README.md").read_text().splitlines() if re.match(r"\|(?! ---)", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def rows() -> list[list[str]]:
    """Lines of the tables of intervals."""
    return [row for row in tables() if NAME.match(row[0])]


def named() -> set[str]:
    """Functions in the first column, as module.function."""
    return {name for row in rows() for name in CODE.findall(row[0])}


def modules() -> dict[str, ast.Module]:
    """Every module of `analysis` except those that only show, by its name below `analysis`."""
    parts = {path: path.relative_to(ANALYSIS).with_suffix("").parts for path in sorted(ANALYSIS.rglob("*.py"))}
    return {
        ".".join(names): ast.parse(path.read_text())
        for path, names in parts.items()
        if names[0] not in LEFT_OUT and names[-1] not in {*SECTIONS, "__init__"}
    }


def public(tree: ast.AST, inside: str = "") -> list[tuple[str, Definition]]:
    """Public functions, methods and classes with their names."""
    result: list[tuple[str, Definition]] = []
    for node in getattr(tree, "body", []):
        if isinstance(node, Definition) and not node.name.startswith("_"):
            result.append((inside + node.name, node))
            if isinstance(node, ast.ClassDef):
                result += public(node, f"{inside}{node.name}.")
    return result


def carries(node: ast.ClassDef) -> bool:
    """Whether a class holds an interval: a field of bounds, a field of that type, or a docstring that promises one."""
    fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
    typed = any("Interval" in ast.unparse(line.annotation) or ast.unparse(line.target) == "low" for line in fields)
    return typed or bool(PROMISE.search(ast.get_docstring(node) or ""))


def promising() -> set[str]:
    """Functions that return intervals, as module.function: by return type, or by the columns that the docstring promises."""
    every = {name: public(tree) for name, tree in modules().items()}
    carriers = {node.name for result in every.values() for _, node in result if isinstance(node, ast.ClassDef) and carries(node)}
    return {f"{module}.{name}" for module, result in every.items() for name, node in result if returns_one(node, carriers)}


def returns_one(node: Definition, carriers: set[str]) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.returns is None:
        return False
    words = set(re.findall(r"\w+", ast.unparse(node.returns)))
    in_table = "DataFrame" in words and PROMISE.search(ast.get_docstring(node) or "")
    return bool(in_table or words & carriers)


@pytest.mark.slow
def test_every_interval_of_analysis_is_in_the_table():
    assert sorted(promising() - named()) == []


def test_every_function_of_the_table_exists():
    for name in named():
        assert object_of(name) is not None, name


def object_of(name: str) -> object:
    """The object of a name below `analysis`: a function of a module, or a method of a class."""
    steps = name.split(".")
    place = next(index for index in range(len(steps), 0, -1) if ANALYSIS.joinpath(*steps[:index]).with_suffix(".py").exists())
    return reduce(getattr, steps[place:], import_module(".".join(["analysis", *steps[:place]])))


def test_every_line_describes_its_test():
    for row in rows():
        assert len(row) in (2, 5), row
        assert all(row), row


def test_every_test_of_the_table_exists():
    for test in {test for row in tables() for test in CODE.findall(row[-1]) if "::" in test}:
        file, name = test.split("::")
        paths = [TESTS / file] if "/" in file else [*HERE.rglob(file)]
        assert any(f"def {name}(" in path.read_text() for path in paths), test


def test_every_line_with_a_coverage_names_a_test():
    for row in rows():
        if len(row) == 5:
            assert any("::" in test for test in CODE.findall(row[-1])), row
            assert re.search(r"\d", row[3]), row
