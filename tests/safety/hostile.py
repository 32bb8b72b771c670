"""A card set whose texts try to act as markup, formulas, paths or terminal codes."""

import json
from pathlib import Path

NAMES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "--></title></script>]]> &amp; &lt;",
    "{{7*7}} ${7*7} $x^2$ \\frac{1}",
    '=HYPERLINK("http://x";"y")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(A1) ;=1+1",
    "../../../../x [red]:boom:[/] \\",
)
IDS = ("con", "nul", "aux", "prn", "com1", "lpt1", "clock", "desktop")  # valid ids, but reserved file names
TITLE = "-2+3 <b onclick='x()'>/etc/passwd</b> [link=http://x]"


def card_file() -> str:
    """The text of a card file of Coin duel with these names."""
    fighters = [
        f'[[fighter]]\nid = "{word}"\nname = {json.dumps(name)}\nfaces = {4 + at}\nbonus = 0\nsource = "assumed"\n'
        for at, (word, name) in enumerate(zip(IDS, NAMES, strict=True))
    ]
    head = f'game = "coin_duel"\nformat = 1\ntitle = {json.dumps(TITLE)}\n\n'
    return head + '[rules]\ngoal = 3\nstake_max = 3\nturn_cap = 60\nsource = "assumed"\n\n' + "\n".join(fighters)


def card_folder(folder: Path) -> Path:
    """A card folder with that file."""
    folder.mkdir()
    (folder / "cards.toml").write_text(card_file(), encoding="utf-8")
    return folder


def listing(folder: Path) -> set[str]:
    """Everything below a folder, by paths relative to it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
