"""New card sets and new games, as folders of files to change."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from analysis.answer.files import ReportError, reason
from analysis.data.names import ALL
from sim.durable import filled_folder
from sim.engine.cards import FILE_NAME, CardError, copy_reference
from sim.registry import GAMES


def new_set(reference: Path, folder: Path, force: bool = False) -> Path:
    """Copy a card file into a folder, see `copy_reference`; with `force`, replace an existing one."""
    target = folder / FILE_NAME
    try:
        return copy_reference(reference, folder, force)
    except CardError as error:
        hint = ", or overwrite it with --force" if target.is_file() and not force else ""
        raise CardError(f"{error}{hint}") from None


SKELETON = Path(__file__).with_name("skeleton")  # the distribution that `new_game` writes, each file with the suffix .txt
PLACEHOLDER = "my_game"  # in its file names and texts; also as my-game, My Game and MyGame
NEW_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([_ -][A-Za-z0-9]+)*")
NAME_LENGTH = 40


def new_game(name: str, out: Path | None = None) -> Path:
    """Write a distribution with a small game, ready to be installed, played and changed; returns its folder.

    name: of the game, with letters, digits, hyphens, blanks and underscores. out: folder to create, by default the name with
    hyphens. Raises ReportError for a name that cannot be used, or an existing folder.
    """
    words = re.split(r"[_ -]", name.lower())
    module, folder = "_".join(words), out or Path("-".join(words))
    if not NEW_NAME.fullmatch(name) or len(name) > NAME_LENGTH:
        raise ReportError(
            f"name={name!r} must have at most {NAME_LENGTH} letters and digits, with single hyphens between words, as in my-game"
        )
    if module in GAMES:
        raise ReportError(f"name={name!r}: there is a game of this name already; choose another one")
    if module == ALL or iskeyword(module) or module in sys.stdlib_module_names or module in {"sim", "analysis", "tests"}:
        raise ReportError(f"name={name!r}: this word has another meaning in Python or fairfight; choose another one")
    installed = find_spec(module)
    if installed is not None and installed.origin is not None:  # a folder without __init__.py is no obstacle
        raise ReportError(f"name={name!r}: there is a Python package of this name already; choose another one")
    if os.path.lexists(folder):
        raise ReportError(f"{folder}: exists already and is left as it is; name another folder with --out DIR")
    forms = {PLACEHOLDER: module, "my-game": "-".join(words), "My Game": " ".join(words).title(), "MyGame": module.title()}
    forms["MyGame"] = forms["MyGame"].replace("_", "")
    try:
        with filled_folder(folder.parent), tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fairfight-") as place:
            made = Path(place) / folder.name
            for file in sorted(SKELETON.rglob("*.txt")):
                target = made / _renamed(file.relative_to(SKELETON).with_suffix("").as_posix(), forms)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(_renamed(file.read_text("utf-8"), forms), "utf-8")
            made.replace(folder)
    except OSError as error:
        raise ReportError(f"{folder}: cannot be written ({reason(error)}); name another folder with --out DIR") from None
    return folder


def _renamed(text: str, forms: Mapping[str, str]) -> str:
    """Text with the name of a game in the place of the skeleton's."""
    return re.sub("|".join(forms), lambda match: forms[match[0]], text)
