"""Settings of the documentation site, which `make docs` builds with Sphinx from the Markdown files and the docstrings."""

import os
import re
from importlib import metadata
from inspect import isclass, ismodule
from pathlib import Path

from sphinx.application import Sphinx
from typer.testing import CliRunner

import fairfight
from analysis.cli.main import COMMANDS, app

ROOT = Path(__file__).resolve().parents[1]
GAMES = sorted(cards.parent.name for cards in ROOT.glob("sim/games/*/cards.toml"))

project = "fairfight"
release = metadata.version("fairfight")
author = "the authors of fairfight"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = "fairfight"
html_show_copyright = False
html_show_sourcelink = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_member_order = "bysource"
copybutton_exclude = ".linenos, .gp, .go"
nitpicky = False

# Files of the repository that are pages of this site. Links to other files let the reader download them.
PAGES = {
    "README.md": "index",
    "CHANGELOG.md": "reference/changelog",
    "sim/engine/README.md": "reference/engine",
    "sim/store/README.md": "reference/run-folders",
    "tests/README.md": "reference/tests",
    "tests/plugins/pig/README.md": "reference/pig",
    **{f"sim/games/{game}/README.md": f"reference/{game}" for game in GAMES},
}
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?(?=\))")


def relink(text: str, source: Path, page: str) -> str:
    """Rewrite the relative links of a Markdown file of the repository for a page of this site."""

    def linked(found: re.Match[str]) -> str:
        path = (source.parent / found[1]).resolve()
        inside = path.relative_to(ROOT).as_posix()
        if inside in PAGES:
            return f"/{PAGES[inside]}.md{found[2] or ''}"
        return os.path.relpath(path, (ROOT / "docs" / page).parent) + (found[2] or "" if path.suffix == ".md" else "")

    return LINK.sub(linked, text)


def read(_: Sphinx, page: str, text: list[str]) -> None:
    """Take the text of pages from where it is in the repository, and lead their links to pages of this site."""
    files = {name: file for file, name in PAGES.items() if name != "index"}
    source = ROOT / files.get(page, f"docs/{page}.md")
    text[0] = relink(source.read_text(encoding="utf-8") if page in files else text[0], source, page)
    if page == "reference/commands":
        helps = [(name, CliRunner().invoke(app, [name, "--help"], terminal_width=110).output.strip()) for name in COMMANDS]
        text[0] += "".join(f"\n## {name}\n\n```text\n{output}\n```\n" for name, output in helps)
    if page == "reference/python":
        text[0] += "".join(f"\n```{{eval-rst}}\n{directive(name)}\n```\n" for name in dir(fairfight))


def directive(name: str) -> str:
    """The directive that documents a name of the Python interface."""
    thing = getattr(fairfight, name)
    if isclass(thing):
        return f".. autoclass:: fairfight.{name}\n   :members:"
    return f".. automodule:: {thing.__name__}\n   :members:" if ismodule(thing) else f".. autofunction:: fairfight.{name}"


def setup(app: Sphinx) -> None:
    """Register what this file adds to Sphinx."""
    app.connect("source-read", read)
