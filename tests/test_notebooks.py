"""Notebooks run from top to bottom, define nothing, and are committed with the outputs of their code."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import fairfight

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
SIZE_MAX = 500_000  # bytes
TIMEOUT_S = 300  # of one cell; the first that plays may have to compile
MACHINE_PATH = re.compile(r"/home/|/root/|/tmp/|/Users/|site-packages|[A-Z]:\\")

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> nbformat.NotebookNode:
    """Read a notebook and validate it against the schema of its format."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def code(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def words(notebook: nbformat.NotebookNode) -> list[tuple[int, str]]:
    """Cell number and text of each output: sentences and tables, and only the size of pictures."""
    data = [(number, output.get("data", {})) for number, cell in enumerate(code(notebook)) for output in cell.outputs]
    said = [(number, one.get("text/markdown") or one.get("text/plain", "")) for number, one in data]
    return [one for one in said if one[1]]  # a progress bar, which slow work shows, leaves an empty output


def test_there_are_notebooks():
    assert NOTEBOOKS


def execute(notebook: nbformat.NotebookNode, path: Path) -> None:
    """Run all cells, as a reader would."""
    for cell in code(notebook):
        cell.outputs = []
    NotebookClient(notebook, timeout=TIMEOUT_S, resources={"metadata": {"path": str(path.parent)}}).execute()


@pytest.mark.soak
@each
def test_a_notebook_gives_the_committed_outputs(path: Path):
    stored, fresh = read(path), read(path)
    execute(fresh, path)
    renew = f"the code now gives other results; renew them: jupyter-execute --inplace notebooks/{path.name}"
    assert words(fresh) == words(stored), renew


@each
def test_a_notebook_defines_nothing(path: Path):
    for number, cell in enumerate(code(read(path))):
        found = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, DEFINITIONS)]
        assert not found, f"code cell {number}, line {found[0].lineno}: move the definition to a module"


@each
def test_a_notebook_imports_the_interface_alone(path: Path):
    nodes = [node for cell in code(read(path)) for node in ast.walk(ast.parse(cell.source))]
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and not node.module.startswith("matplotlib")]
    imported = {(name.name, name.asname) for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert imported <= {("pandas", "pd"), ("fairfight", "ff"), ("matplotlib.pyplot", "plt")}
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "ff"}
    assert names
    assert names <= set(dir(fairfight))


@each
def test_a_notebook_explains_every_chart_and_table(path: Path):
    kinds = [cell.cell_type for cell in read(path).cells]
    assert kinds[0] == kinds[-1] == "markdown"
    assert "code code code" not in " ".join(kinds)


@each
def test_a_notebook_is_committed_with_its_outputs_and_without_traces_of_the_machine(path: Path):
    assert path.stat().st_size < SIZE_MAX
    cells = code(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells)
    assert not [output for cell in cells for output in cell.outputs if output.output_type in ("error", "stream")]
    text = "\n".join(f"{cell.source}\n{cell.metadata}" for cell in cells) + "\n".join(said for _, said in words(read(path)))
    assert not MACHINE_PATH.search(f"{text}\n{read(path).metadata}")
