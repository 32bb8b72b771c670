"""Every rule of a register is named by a test (id in its name) and by a docstring of the game.

The ids of a game are in tests/games/<game>/rule_ids.txt, one per line.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REGISTERS = ROOT.parent / "shared" / "rules"  # not part of the repository
GAMES = sorted(path.parent.name for path in (ROOT / "tests" / "games").glob("*/rule_ids.txt"))
DEFINED = re.compile(r"^[-*] ([A-Z]+-\d+)\b|\*\*([A-Z]+-\d+)\*\*", re.MULTILINE)  # at the beginning of an entry, or bold


def rule_ids(game: str) -> list[str]:
    """The committed ids of a game."""
    return (ROOT / "tests" / "games" / game / "rule_ids.txt").read_text(encoding="utf-8").split()


def prefix_of(game: str) -> str:
    """The prefix of a game's ids: ARENA, ROOK, ..."""
    (prefix,) = {rule.split("-")[0] for rule in rule_ids(game)}
    return prefix


def trees(folder: Path) -> Iterator[ast.Module]:
    """Every Python file below a folder, parsed."""
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


@cache
def named_by_tests(folder: Path, prefix: str) -> frozenset[str]:
    """Rule ids in the names of test functions: test_arena_24_14_slow_... names ARENA-24 and ARENA-14."""
    name = re.compile(rf"test_{prefix.lower()}((?:_\d+)+)_")
    found = (name.match(node.name) for tree in trees(folder) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(f"{prefix}-{number}" for match in found if match for number in match[1].strip("_").split("_"))


def named_in_docstrings(folder: Path, prefix: str) -> set[str]:
    """Rule ids in docstrings: "ARENA-20 to 23", "ARENA-31 (f), (g), 40, 41" and the like."""
    steps = r"(?: \([a-z]\)(?:(?:,| and| to) \([a-z]\))*)?"
    listed = re.compile(rf"{prefix}-(\d+{steps}(?:(?:, and|,| and| to) \d+{steps})*)")
    with_text = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = (node for tree in trees(folder) for node in ast.walk(tree) if isinstance(node, with_text))
    text = "\n".join(ast.get_docstring(node) or "" for node in nodes)
    return {f"{prefix}-{number}" for match in listed.findall(text) for number in numbers(match)}


def numbers(listed: str) -> Iterator[str]:
    """The numbers of "20 to 23, 25": 20, 21, 22, 23, 25."""
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", re.sub(r" \([a-z]\)(?: to \([a-z]\))?", "", listed)):
        for number in range(int(first), int(last or first) + 1):
            yield str(number).zfill(len(first))


def test_there_is_a_game_with_rules():
    assert GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_list_of_rules_is_that_of_the_register(game):
    register = REGISTERS / f"{game}.md"
    if not register.is_file():
        pytest.skip(f"{register.name} is not available")
    defined = DEFINED.finditer(register.read_text(encoding="utf-8"))
    assert rule_ids(game) == list(dict.fromkeys(match[1] or match[2] for match in defined))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_rule_has_a_test_that_carries_its_id(game):
    ids = set(rule_ids(game))
    assert ids - named_by_tests(ROOT / "tests" / "games" / game, prefix_of(game)) == set()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_no_test_names_a_rule_that_does_not_exist(game):
    assert named_by_tests(ROOT / "tests" / "games" / game, prefix_of(game)) <= set(rule_ids(game))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_rule_is_named_in_a_docstring_of_the_game(game):
    ids = set(rule_ids(game))
    assert ids - named_in_docstrings(ROOT / "sim" / "games" / game, prefix_of(game)) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ARENA-20 to 23.", {"20", "21", "22", "23"}),
        ("ARENA-31 (f), (g), 40, 41. Roll", {"31", "40", "41"}),
        ("ARENA-31 (c) to (e). Swap", {"31"}),
        ("(ARENA-05, 10 to 12, 30 and 38)", {"05", "10", "11", "12", "30", "38"}),
    ],
)
def test_lists_of_rules_are_parsed(text, found, tmp_path):
    (tmp_path / "rules.py").write_text(f'"""{text}"""\n', encoding="utf-8")
    assert named_in_docstrings(tmp_path, "ARENA") == {f"ARENA-{number}" for number in found}
