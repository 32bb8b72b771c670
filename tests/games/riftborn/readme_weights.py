"""The weights of the judge, read from the code for the tables of the README's section on policies.

`python -m tests.games.riftborn.readme_weights` prints both tables as they should be, meanings as the README has them: after a
change of weights they can be pasted over the old ones.
"""

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from sim.games.riftborn import values
from sim.games.riftborn.keywords import word_of
from sim.games.riftborn.record import Ability

FOLDER = Path(values.__file__).parent
README = FOLDER / "README.md"
MODULES = ("values", "prospects", "judge", "worth")  # in which weights stand
ROW = re.compile(r"^\| (`\w+\.[A-Z_]+`) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def weights() -> dict[str, str]:
    """Every weight by its quoted name, `values.LIFE`, as the table writes its value: in the order of the code."""
    found: dict[str, str] = {}
    for module in MODULES:
        source = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign):
                found |= {f"`{module}.{name}`": value for name, value in _assigned(module, node)}
    return found


def _assigned(module: str, node: ast.Assign) -> Iterator[tuple[str, str]]:
    """Names and values of one assignment, of those that are weights: numbers with a fraction, as sizes have none."""
    names, numbers = (ast.unparse(part).strip("()").split(", ") for part in (node.targets[0], node.value))
    if len(names) == len(numbers):
        for name, words in zip(names, numbers, strict=True):
            number = getattr(importlib.import_module(f"sim.games.riftborn.{module}"), name, None)
            if isinstance(number, float):
                yield name, words if "/" in words else f"{number:g}"


def ability_lines() -> list[str]:
    """The table of what abilities are worth: one line per worth, the highest first; those worth nothing last."""
    worth = {word_of(ability): float(values.ABILITY_WORTH[ability]) for ability in Ability}
    ordered = sorted(worth, key=lambda word: (-worth[word], word))
    return [f"| {value:g} | {', '.join(words)} |" for value, words in groupby(ordered, key=lambda word: worth[word])]


def listed() -> dict[str, tuple[str, str]]:
    """Value and meaning of every weight in the README."""
    return {name: (value, words) for name, value, words in ROW.findall(README.read_text(encoding="utf-8"))}


def weight_lines() -> list[str]:
    """The table of weights as it should be."""
    known = listed()
    return [f"| {name} | {value} | {known.get(name, ('', '?'))[1]} |" for name, value in weights().items()]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*weight_lines(), "", *ability_lines(), ""]))
