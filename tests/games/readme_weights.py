"""The weights of a judge, read from the code of its game for the table of the README's section on policies."""

import ast
import importlib
import re
from collections.abc import Iterator, Sequence

from tests.games.readme import Readme

ROW = re.compile(r"^\| (`\w+\.[A-Z_]+`) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


class Weights:
    """The weights in some modules of a game. Weights are numbers with a fraction, as sizes have none."""

    def __init__(self, game: str, modules: Sequence[str]) -> None:
        self.game, self.modules, self.page = game, modules, Readme(game)

    def weights(self) -> dict[str, str]:
        """Every weight by its quoted name, `values.POWER`, as the table writes its value: in the order of the code."""
        found: dict[str, str] = {}
        for module in self.modules:
            source = (self.page.folder / f"{module}.py").read_text(encoding="utf-8")
            for node in ast.parse(source).body:
                if isinstance(node, ast.Assign):
                    found |= {f"`{module}.{name}`": value for name, value in self._assigned(module, node)}
        return found

    def listed(self) -> dict[str, tuple[str, str]]:
        """Value and meaning of every weight in the README."""
        return {name: (value, words) for name, value, words in ROW.findall(self.page.text)}

    def weight_lines(self) -> list[str]:
        """The table of weights as it should be; a weight that the README does not know means "?"."""
        known = self.listed()
        return [f"| {name} | {value} | {known.get(name, ('', '?'))[1]} |" for name, value in self.weights().items()]

    def _assigned(self, module: str, node: ast.Assign) -> Iterator[tuple[str, str]]:
        """Names and values of one assignment, of those that are weights; fractions of whole numbers as they are written."""
        code = importlib.import_module(f"sim.games.{self.game}.{module}")
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else node.targets
        values = (
            node.value.elts if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [node.value] * len(names)
        )
        for name, value in zip(names, values, strict=True):
            number = getattr(code, ast.unparse(name), None)
            if isinstance(number, float):
                fraction = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div)
                yield ast.unparse(name), ast.unparse(value) if fraction else f"{number:g}"
