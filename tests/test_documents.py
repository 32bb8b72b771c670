"""The documents are complete: links have targets, no placeholder is left, commands exist."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.cli.main import app
from tests.conftest import ROOT

DOCUMENTS = [
    file for file in sorted(ROOT.rglob("*.md")) if not {".venv", ".git", "node_modules"} & set(file.relative_to(ROOT).parts)
]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_link_has_a_target(document):
    links = [found[1] for found in LINK.finditer(document.read_text(encoding="utf-8"))]
    missing = [link for link in links if not link.startswith("http") and not (document.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_no_placeholder_is_left(document):
    assert re.findall(r"@[A-Z]+@|TODO|FIXME|XXX", document.read_text(encoding="utf-8")) == []


def test_every_command_of_the_readme_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"`fairfight (\w+)", text)) - {"fairfight"}
    assert {"winrates", "report", "dice", "replay", "scenario", "new", "check", "cards"} <= commands
    for command in commands:
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, command
