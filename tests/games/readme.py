"""The README of a game as tests read it: sections, tables, quoted words; and what holds for each of them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "sim" / "games"


class Readme:
    """The README of a game. folder: of the game; text: of the README."""

    def __init__(self, game: str) -> None:
        self.folder = GAMES / game
        self.text = (self.folder / "README.md").read_text(encoding="utf-8")

    def section(self, title: str) -> str:
        """The text below a heading, up to the next of its depth."""
        return re.split(r"^## ", self.text.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]

    def assert_modules_exist(self, text: str) -> None:
        """Modules are named in a text of the README, and all of them are files of the game."""
        modules = {name for name in named(text) if re.fullmatch(r"[\w/]+\.(py|toml)", name)}
        assert modules, "names no module"
        missing = [name for name in modules if not any((root / name).is_file() for root in (self.folder, ROOT))]
        assert not missing, f"no such module: {missing}"

    def assert_kernels_exist(self, title: str) -> None:
        """Kernels are named in the third column of the tables of a section, and all of them are in the code of the game."""
        source = "".join(file.read_text(encoding="utf-8") for file in self.folder.rglob("*.py"))
        kernels = {word for cells in rows(self.section(title))[2:] for word in named(cells[2])}
        assert kernels, "names no kernel"
        missing = [name for name in kernels if f"\ndef {name}(" not in source]
        assert not missing, f"no such kernel: {missing}"

    def assert_links_lead_to_headings(self) -> None:
        """Every link within the README leads to one of its headings, and every heading has a link."""
        headings = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", self.text, re.MULTILINE)}
        links = set(re.findall(r"\]\(#([^)]+)\)", self.text))
        assert links == headings, f"without heading: {links - headings}, without link: {headings - links}"


def rows(text: str) -> list[list[str]]:
    """Cells of the lines of all tables."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]


def named(text: str) -> list[str]:
    """Words in code quotes."""
    return re.findall(r"`([^`]+)`", text)


def blocks(text: str) -> list[list[str]]:
    """Lines of the code blocks of a section."""
    return [block.strip("\n").splitlines() for block in text.split("```")[1::2]]
