"""The documents are complete: links have targets, no placeholder is left."""

import re
from collections.abc import Iterator

from tests.conftest import ROOT

LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
PLACEHOLDER = re.compile(r"@[A-Z]+@|TODO|FIXME|XXX")
FOREIGN = {".venv", ".git", "node_modules"}  # folders whose documents are not this project's
TEXTS = {
    file: file.read_text(encoding="utf-8")
    for file in sorted(ROOT.rglob("*.md"))
    if not FOREIGN & set(file.relative_to(ROOT).parts)
}


def dead_links() -> Iterator[str]:
    """Links to files that do not exist, with the document."""
    for file, text in TEXTS.items():
        for match in LINK.finditer(text):
            if not match[1].startswith("http") and not (file.parent / match[1]).exists():
                yield f"{file.relative_to(ROOT)}: {match[1]}"


def test_every_link_has_a_target():
    assert list(dead_links()) == []


def test_no_placeholder_is_left():
    assert [file.relative_to(ROOT) for file, text in TEXTS.items() if PLACEHOLDER.search(text)] == []
