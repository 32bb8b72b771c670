"""Input files are data: nothing in `sim` and `analysis` uses a function that could execute them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

SOURCES = sorted([*ROOT.glob("sim/**/*.py"), *ROOT.glob("analysis/**/*.py")])
MODULES = {
    *("pickle", "_pickle", "cloudpickle", "dill", "shelve", "marshal", "dbm", "yaml", "xmlrpc"),  # data that can hold code
    *("code", "codeop", "runpy", "imp", "importlib", "pkgutil", "zipimport", "ctypes", "cffi"),  # code from elsewhere
    *("subprocess", "pty", "multiprocessing", "webbrowser", "antigravity"),  # other programs
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "telnetlib", "requests", "socketserver"),  # other computers
}
CALLED = {"eval", "exec", "compile", "__import__", "breakpoint", "input"}
ATTRIBUTES = {
    *("system", "popen", "startfile", "execv", "execve", "execvp", "spawnl", "spawnv", "posix_spawn", "fork"),  # of os
    *("read_pickle", "to_pickle", "read_hdf", "query", "eval"),  # of pandas; the last two run Python
    *("from_string", "Template", "fromfile", "memmap", "deserialize", "PyExtensionType", "ExtensionType"),
    *("__globals__", "__subclasses__", "__builtins__", "__code__", "import_module", "exec_module", "literal_eval"),
}
LOADED = {"np", "numpy", "joblib", "torch", "pd", "pandas", "yaml", "pickle"}  # modules whose `load` can execute code
ALLOWED = {  # (file, dangerous name) -> the attributes that it can use, and why they are safe
    ("sim/registry.py", "importlib"): (
        "metadata import_module",
        "games of distributions that the user has installed, as much trusted as any, and built-in games, listed in the source",
    ),
    ("sim/store/manifest.py", "importlib"): ("metadata", "the versions in a manifest"),
    ("analysis/training/result.py", "importlib"): ("metadata", "the version in a file of weights"),
    ("analysis/report/provenance.py", "importlib"): ("metadata", "the versions on a page"),
    ("sim/store/lock.py", "socket"): ("gethostname", "the holder of a run"),
    ("analysis/catalogue.py", "importlib"): ("import_module", "the modules of questions, in a table in the source"),
    ("analysis/charts/__init__.py", "importlib"): ("import_module", "the modules of charts, in a table in the source"),
    ("analysis/workbench/server.py", "socket"): (
        "socket AddressFamily SOCK_STREAM SOL_SOCKET SO_REUSEADDR getaddrinfo gaierror",
        "the addresses of the host, and whether a port of this machine is free",
    ),
    ("analysis/workbench/server.py", "Template"): ("", "the page around the workbench, from the source"),
    ("analysis/workbench/server.py", "webbrowser"): ("open", "the page, in the user's browser"),
    ("analysis/output/new.py", "importlib"): ("util", "whether a Python package of a name is there; none is imported"),
    ("analysis/cli/main.py", "importlib"): (
        "metadata import_module",
        "the version of --version, and the modules of commands, in a table in the source",
    ),
    ("sim/store/kept.py", "allow_pickle"): ("", "always False: kept arrays are plain numbers"),
    ("sim/warmup.py", "__code__"): ("", "the names that a kernel calls, to count the kernels to compile"),
    ("sim/warmup.py", "__globals__"): ("get", "to look these names up"),
    ("sim/apart.py", "subprocess"): ("Popen PIPE TimeoutExpired", "this Python, with a program from the source"),
    ("sim/store/cluster.py", "importlib"): ("import_module", "modules named in the source, if installed"),
    ("sim/store/cluster.py", "pickle"): ("dumps loads", "tasks made here, for workers that the user named; no file"),
    ("sim/rehearsal.py", "__globals__"): ("get", "the constants that a kernel names"),
    ("sim/engine/numba_private.py", "pickle"): (
        "loads",
        "compiled code from the user's own cache, as much trusted as the machine code in it",
    ),
    ("sim/engine/jit.py", "__code__"): ("co_filename co_names", "the file of a kernel, and whether it calls itself"),
    ("sim/engine/numba_private.py", "__code__"): ("co_filename co_code co_consts co_names", "the code of a kernel"),
    ("sim/engine/numba_private.py", "pkgutil"): ("resolve_name", "parts of numba, in a table in the source"),
}

LISTING = {
    "analysis/catalogue.py",
    "analysis/charts/__init__.py",
    "analysis/cli/main.py",
    "sim/registry.py",
}  # modules that import from a list of names in their source


def short(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def reached(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names in a source that could execute their input, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from ((name.name.partition(".")[0], node.lineno) for name in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module.partition(".")[0], node.lineno
            case ast.Call(func=ast.Name(id=name)) if name in CALLED:
                yield name, node.lineno
            case ast.Attribute(value=ast.Name(id=module), attr="load") if module in LOADED:
                yield f"{module}.load", node.lineno
            case ast.Attribute(attr=name) if name in ATTRIBUTES:
                yield name, node.lineno
            case ast.keyword(arg="allow_pickle" | "shell"):
                yield str(node.arg), node.value.lineno


def dangerous(source: str) -> list[str]:
    """All forbidden names in a source."""
    others = CALLED | ATTRIBUTES | MODULES | {"allow_pickle", "shell"} | {f"{module}.load" for module in LOADED}
    return [name for name, _ in reached(ast.parse(source)) if name in others]


def test_no_input_can_be_executed():
    found = {(short(file), name) for file in SOURCES for name in dangerous(file.read_text(encoding="utf-8"))}
    assert sorted(found - ALLOWED.keys()) == [], "if that is safe, explain it in ALLOWED"
    assert sorted(ALLOWED.keys() - found) == [], "no longer used"


def attributes_of(tree: ast.Module, what: str) -> Iterator[str]:
    """The attributes of a dangerous name that a source uses, and what it imports from it."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=attribute) if name == what:
                yield attribute
            case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == what:
                yield from (module.partition(".")[2] or name.name for name in names)


def imports_a_variable(tree: ast.Module) -> bool:
    """Whether a source imports a module whose name is not written there."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="import_module"), args=[named, *_]) if not isinstance(named, ast.Constant):
                return True
    return False


def test_allowed_names_are_used_for_nothing_else():
    for (file, what), (attributes, _) in ALLOWED.items():
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert {*attributes_of(tree, what)} <= {*attributes.split()}, file
        assert file in LISTING or not imports_a_variable(tree), file


@pytest.mark.parametrize(
    "source",
    [
        *("import pickle", "from pickle import loads", "import yaml", "eval('1')", "np.load('x')", "os.system('x')"),
        *("import subprocess", "frame.query('a > 1')", "np.loadtxt('x', allow_pickle=True)", "from importlib import x"),
        *("subprocess.run('x', shell=True)", "environment.from_string(text)", "__import__('os')", "joblib.load('x')"),
    ],
)
def test_each_way_to_execute_input_would_be_noticed(source: str):
    assert dangerous(source)


def test_ordinary_names_are_accepted():
    assert dangerous("import json\nre.compile('x')\nscenario.load(file)\ngame.load(None)\njson.loads('1')") == []
