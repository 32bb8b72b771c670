"""Decks in a file of their own: read, or refused with file and field."""

from pathlib import Path

import pytest

from sim.engine.decks import CardError, read_decks

GOOD = """
[[deck]]
id = "mine"
cards = { cub = 4, hawk = 1 }

[[deck]]
id = "yours"
source = "assumed"

  [deck.cards]
  hawk = 3
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "decks.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_decks_are_read_in_the_order_of_the_file(tmp_path):
    decks = read_decks(written(tmp_path, GOOD))
    assert decks == {"mine": {"cub": 4, "hawk": 1}, "yours": {"hawk": 3}}
    assert [*decks] == ["mine", "yours"]
    assert [*decks["mine"]] == ["cub", "hawk"]


WRONG = [
    ("[[deck]\n", "is not valid TOML: "),
    ("", "deck: is missing; the file needs [[deck]] tables with id and cards"),
    ("deck = []", "deck: holds no decks; the file needs [[deck]] tables with id and cards"),
    ("[deck]\nid = 'mine'", 'deck = {"id": "mine"}: must be a list'),
    ("deck = [3]", "deck[0] = 3: must be a table"),
    ("[[deck]]\ncards = { cub = 1 }", "deck[0].id: is missing"),
    ("[[deck]]\nid = 3\ncards = { cub = 1 }", "deck[0].id = 3: must be text"),
    ("[[deck]]\nid = ''\ncards = { cub = 1 }", 'deck[0].id = "": must be a word, as in "my_deck"'),
    ("[[deck]]\nid = 'mine'", "deck[0].cards: is missing"),
    ("[[deck]]\nid = 'mine'\ncards = ['cub']", 'deck[0].cards = ["cub"]: must be a table'),
    ("[[deck]]\nid = 'mine'\ncards = {}", "deck[0].cards = {}: holds no cards"),
    ("[[deck]]\nid = 'a'\ncards = { cub = 0 }", "deck[0].cards.cub = 0: must be a whole number from 1 to 999"),
    ("[[deck]]\nid = 'a'\ncards = { cub = 1.5 }", "deck[0].cards.cub = 1.5: must be a whole number from 1 to 999"),
    ("[[deck]]\nid = 'a'\ncards = { cub = true }", "deck[0].cards.cub = true: must be a whole number from 1 to 999"),
    ("[[deck]]\nid = 'a'\ncards = { cub = '2' }", 'deck[0].cards.cub = "2": must be a whole number from 1 to 999'),
    (GOOD + "\n[[deck]]\nid = 'mine'\ncards = { cub = 1 }", 'deck[2].id = "mine": is used more than once; every deck'),
    (
        "[[deck]]\nid = 'a'\ncrads = 2\ncards = { cub = 1 }",
        "deck[0].crads = 2: is not a key of this table; did you mean",
    ),
    (GOOD.replace("[[deck]]", "game = 'x'\n[[deck]]", 1), 'game = "x": is not a key of this table; known here: deck'),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_file_that_is_no_list_of_decks_is_refused_with_file_and_field(text, message, tmp_path):
    file = written(tmp_path, text)
    with pytest.raises(CardError) as error:
        read_decks(file)
    assert str(error.value).startswith(f"{file}: {message}")


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(CardError, match=r"nowhere\.toml: cannot be read \(No such file"):
        read_decks(tmp_path / "nowhere.toml")
    with pytest.raises(CardError, match=r"cannot be read \(Is a directory"):
        read_decks(tmp_path)
