"""Deck files: read, or refused with file and field."""

from pathlib import Path

import pytest

from sim.engine.decks import CardError, DeckGenerator, Decking, DeckList, Loadout, Made, deck_tables, read_decks

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
    assert decks == {"mine": DeckList({"cub": 4, "hawk": 1}), "yours": DeckList({"hawk": 3})}
    assert [*decks] == ["mine", "yours"]
    assert [*decks["mine"].cards] == ["cub", "hawk"]


def test_a_deck_can_name_what_its_game_lets_it_bring(tmp_path):
    file = written(tmp_path, GOOD.replace('id = "mine"', 'id = "mine"\nhero = "eva"'))
    decks = read_decks(file, ("hero", "stance"))
    assert decks == {"mine": DeckList({"cub": 4, "hawk": 1}, {"hero": "eva"}), "yours": DeckList({"hawk": 3})}
    with pytest.raises(CardError, match=r'deck\[0\]\.hero = "eva": is not a key of this table; known here: id, cards'):
        read_decks(file)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hero = 3", "deck[0].hero = 3: must be text"),
        ("hero = ''", 'deck[0].hero = "": must be an id; leave it out for the default'),
        ("gear = 'x'", 'deck[0].gear = "x": is not a key of this table; known here: id, cards, hero, stance'),
        ("heroe = 'x'", 'deck[0].heroe = "x": is not a key of this table; did you mean "hero"?'),
    ],
)
def test_what_a_deck_brings_must_be_a_word_that_its_game_knows(line, message, tmp_path):
    file = written(tmp_path, GOOD.replace('id = "mine"', f'id = "mine"\n{line}'))
    with pytest.raises(CardError) as error:
        read_decks(file, ("hero", "stance"))
    assert str(error.value) == f"{file}: {message}"


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
    ("[[deck]]\nid = 'a'\ncrads = 2\ncards = { cub = 1 }", "deck[0].crads = 2: is not a key of this table; did you mean"),
    (GOOD.replace("[[deck]]", "game = 'x'\n[[deck]]", 1), 'game = "x": is not a key of this table; known here: deck'),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_file_that_is_no_list_of_decks_is_refused_with_file_and_field(text, message, tmp_path):
    file = written(tmp_path, text)
    with pytest.raises(CardError) as error:
        read_decks(file)
    assert str(error.value).startswith(f"{file}: {message}")


def test_random_decks_can_be_made_in_every_game():
    usual = DeckGenerator(lambda *_: Made({}))
    fields = dict.fromkeys(("of", "plain", "bare"), None)
    with pytest.raises(ValueError, match=r"generators=\['sealed'\] must have \"random\""):
        Decking(**fields, generators={"sealed": usual})
    decking = Decking(**fields, generators={"random": usual, "sealed": usual})
    assert decking.generator("sealed") is usual
    with pytest.raises(ValueError, match=r'"draft": is not a deck generator; known here: random, sealed'):
        decking.generator("draft")


def test_lists_become_tables_with_what_they_bring():
    decks = {"mine": DeckList({"cub": 4, "hawk": 1}, {"hero": "eva"}), "yours": DeckList({"cub": 1})}
    assert deck_tables(decks) == [
        {"id": "mine", "source": "assumed", "cards": {"cub": 4, "hawk": 1}, "hero": "eva"},
        {"id": "yours", "source": "assumed", "cards": {"cub": 1}},
    ]


def test_a_loadout_is_named_by_all_its_parts_and_grouped_by_the_first():
    loadout = Loadout((("Hero", "Eva"), ("Stance", "Braced")))
    assert (loadout.group, loadout.title, loadout.own) == ("Eva", "Eva, Braced", False)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(CardError, match=r"nowhere\.toml: does not exist"):
        read_decks(tmp_path / "nowhere.toml")
    with pytest.raises(CardError, match=r"cannot be read \(Is a directory"):
        read_decks(tmp_path)
