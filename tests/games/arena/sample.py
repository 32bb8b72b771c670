"""The reference card file as a plain document, for tests of the model."""

import tomllib
from functools import cache
from pathlib import Path

CARDS = Path(__file__).parents[3] / "sim" / "games" / "arena" / "cards.toml"


@cache
def _read() -> dict:
    return tomllib.loads(CARDS.read_text(encoding="utf-8"))


def reference(**rules: int | str | bool) -> dict:
    """The reference document, with some rule switches at other than their default values."""
    document = _read()
    return document | {"rules": document["rules"] | rules}
