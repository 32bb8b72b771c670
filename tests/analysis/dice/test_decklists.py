"""Decks to draw from: text lists of deck builders, tables, deck files, the decks of a game; mistakes in them."""

from fractions import Fraction
from itertools import combinations

import pandas as pd
import pytest

import fairfight as ff
from analysis.dice.decklists import Deck, decks_of, read_list
from analysis.dice.draw_language import read
from analysis.dice.exact import DiceError

BURN = """Deck
Creatures (8)
4 Goblin Guide (ZEN) 126
4x Monastery Swiftspear

// Spells
4 Lightning Bolt (M10) 146 *F*
Lava Spike x4
- 4 Rift Bolt

Lands:
12 Mountain
4 Sacred Foundry

Sideboard
3 Smash to Smithereens
SB: 2 Roiling Vortex
"""


def burn(tmp_path):
    file = tmp_path / "burn.txt"
    file.write_text(BURN, "utf-8")
    (deck,) = decks_of(file)
    return deck


def by_hands(deck, cards, wanted):
    """Chance of what is wanted among all hands. wanted: function of names."""
    names = [card.name for card in deck.cards for _ in range(card.copies)]
    hands = [*combinations(names, cards)]
    return Fraction(sum(wanted(hand) for hand in hands), len(hands))


def test_a_list_as_deck_builders_write_it(tmp_path):
    deck = burn(tmp_path)
    assert {card.name: card.copies for card in deck.cards} == {
        "Goblin Guide (ZEN) 126": 4,
        "Monastery Swiftspear": 4,
        "Lightning Bolt (M10) 146 *F*": 4,
        "Lava Spike": 4,
        "Rift Bolt": 4,
        "Mountain": 12,
        "Sacred Foundry": 4,
    }
    assert deck.size == 36
    assert deck.left_out == "five cards of the sideboard or another section are left out"


@pytest.mark.parametrize(
    ("kinds", "number"),
    [
        ("lands", 16),
        ("land", 16),
        ("Mountain", 12),
        ("Mountains or Sacred Foundry", 16),
        ("lightning bolt", 4),
        ('"Goblin Guide"', 4),
        ("creatures, Lava Spike", 12),
        ("12 spells", 12),
    ],
)
def test_cards_are_named_as_in_the_list(tmp_path, kinds, number):
    deck = burn(tmp_path)
    expected = read(f"draw 3 from 36: at least 1 of {number}").chances()
    assert read(f"draw 3: at least 1 of {kinds}", deck).chances() == expected


def test_kinds_that_share_cards_equal_every_hand(tmp_path):
    file = tmp_path / "small.csv"
    file.write_text("Name;Count;Type;Cost\nImp;2;Demon, Small;1\nWolf;3;Beast, Small;2\nTroll;1;Beast;5\nGift;2;;1\n", "utf-8")
    (deck,) = decks_of(file)
    small, beasts, cheap = {"Imp", "Wolf"}, {"Wolf", "Troll"}, {"Imp", "Gift"}

    def wanted(hand):
        return (
            (sum(name in small for name in hand) >= 2 and any(name in beasts for name in hand))
            or sum(name in cheap for name in hand) == 3
            or hand.count("Troll") == 1 == hand.count("Gift")
        )

    text = (
        "draw 4: at least 2 of small and at least 1 of beasts or exactly 3 of cost 1 or exactly 1 of Troll and exactly 1 of Gift"
    )
    assert read(text, deck).chances()[1] == by_hands(deck, 4, wanted)


def test_tables_of_every_kind(tmp_path):
    frame = pd.DataFrame({"card": ["Imp", "Wolf", "Imp"], "copies": [2, 3, 1], "kind": ["demon", "beast", "demon"]})
    frame.to_excel(tmp_path / "deck.xlsx", index=False)
    frame.to_csv(tmp_path / "deck.tsv", sep="\t", index=False)
    for file in ("deck.xlsx", "deck.tsv"):
        (deck,) = decks_of(tmp_path / file)
        assert [(card.name, card.copies, card.kinds) for card in deck.cards] == [("Imp", 3, ("demon",)), ("Wolf", 3, ("beast",))]


def test_further_sheets_are_left_out_with_a_note(tmp_path):
    with pd.ExcelWriter(tmp_path / "deck.xlsx") as book:
        pd.DataFrame({"name": ["Imp"], "count": [2]}).to_excel(book, sheet_name="cards", index=False)
        pd.DataFrame({"notes": ["x"]}).to_excel(book, sheet_name="notes", index=False)
    answer = ff.dice("draw 1: Imp", deck=str(tmp_path / "deck.xlsx"), rolls=10)
    assert answer.notes[0] == "deck: only the sheet cards is read."


def test_a_list_without_numbers_has_each_card_once():
    cards, _ = read_list("Imp\nWolf\nImp\n", "list")
    assert [(card.name, card.copies) for card in cards] == [("Imp", 2), ("Wolf", 1)]


def test_a_deck_file_of_the_project(tmp_path):
    file = tmp_path / "my.toml"
    file.write_text('[[deck]]\nid = "my_beasts"\n[deck.cards]\nbeast_cub = 3\nbeast_troll = 2\n', "utf-8")
    (deck,) = decks_of(file)
    assert (deck.title, deck.size) == ("My Beasts", 5)
    assert read("draw 2: at least 1 of level 1", deck).chances() == read("draw 2 from 5: at least 1 of 3").chances()
    file.write_text('[[deck]]\nid = "own"\n[deck.cards]\nblue_door = 3\nred_door = 2\n', "utf-8")
    (deck,) = decks_of(file)
    assert read("draw 2: blue door", deck).chances() == read("draw 2 from 5: 3").chances()


def test_the_decks_of_a_game_are_compared():
    answer = ff.dice("draw 5: creatures", deck="riftborn", rolls=1000)
    assert answer.frames["rolls"]["title"].tolist() == ["Soldier Line", "Beast Rush", "Undead Attrition", "Fae Tricks"]
    assert answer.summary == "Highest mean of four rolls: Beast Rush (4.38); lowest: Undead Attrition (3.86)."
    soldiers = ff.dice("draw 5 from 40: 33 creatures", rolls=1000).frames["rolls"]["mean"][0]
    assert answer.frames["rolls"]["mean"][0] == pytest.approx(soldiers)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("4 Imp\nWolf\n", "list: line 2: 'Wolf' has no number; write 1x Wolf, or Wolf: for a heading"),
        ("Forest 24\nImp 4\n", "list: line 1: 'Forest 24' can be 24 copies or a name; write 24x Forest, or 1x Forest 24"),
        ("1000 Imp\n", "list: line 1: 1,000 copies of Imp are too many; at most 999 are allowed"),
    ],
)
def test_a_line_that_can_mean_two_things_is_refused(lines, problem):
    with pytest.raises(ValueError, match=problem):
        read_list(lines, "list")


REFUSED = {
    "none.txt": (None, "none.txt: cannot be read"),
    "empty.txt": ("", "empty.txt: has 0 cards; a deck to draw from has 1 to 1,000"),
    "headings.txt": ("Lands:\nSpells:\n", "has 0 cards"),
    "latin.txt": ("4 Höhle".encode("latin-1"), "latin.txt: is not text in UTF-8"),
    "names.csv": ("a,b\n1,2\n", "has no column of names among a and b"),
    "numbers.csv": ("name,count\nImp,two\n", "line 2, column count: 'two' must be a whole number in 0..999"),
    "broken.xlsx": (b"PK\x03\x04nothing", "is not a readable .xlsx file"),
    "broken.toml": ("[[deck]]\nid = 3\n", "broken.toml: deck"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_no_deck_gives_one_message(tmp_path, name):
    content, problem = REFUSED[name]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=problem):
        decks_of(tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"roll": "2d6", "deck": "riftborn"}, "from a deck only draws can be asked"),
        ({"roll": "arena", "deck": "riftborn"}, "deck=riftborn: only works with draws"),
        ({"roll": "draw 5: creatures", "deck": "arena"}, "The Arena is not played with decks|Arena is not played with decks"),
        ({"roll": "draw 5: creatures", "deck": "list.txt", "cards": "folder"}, "cards=folder: only works with decks of a game"),
        ({"roll": "draw 5: creatures"}, "expected from and the cards of the deck"),
    ],
)
def test_a_deck_where_it_makes_no_sense_is_refused(arguments, problem):
    with pytest.raises(ValueError, match=problem):
        ff.dice(**arguments)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("draw 3: at least 1 of Mountan", 22, "expected cards of burn, found 'Mountan'; did you mean \"mountain\"?"),
        ("draw 3: Mountan", 8, "expected cards of burn, found 'Mountan'; did you mean \"mountain\"?"),
        ("draw 3: at least 1 of 5 Mountain", 22, "the deck has 12 Mountain, not 5; leave the number out"),
        ("draw 3 from 40: at least 1 of Mountain", 12, "burn has 36 cards; leave their number out"),
        ("draw 37: at least 1 of Mountain", 5, "37 cards cannot be drawn from 36"),
        ("draw 3: at least 1 of Mountain or", 33, "expected at least, at most, exactly or none of"),
    ],
)
def test_a_draw_that_does_not_fit_the_deck_is_refused(tmp_path, text, position, problem):
    with pytest.raises(DiceError) as caught:
        read(text, burn(tmp_path))
    assert problem in str(caught.value)
    assert caught.value.position == position


def test_a_curly_apostrophe_is_a_typed_one():
    deck = Deck("list", *read_list("4 Jace, Vryn's Prodigy\n4 Urza\u2019s Tower\n52 Island", "list"))
    for name in ("Jace, Vryn\u2019s Prodigy", "Urza's Tower"):
        assert read(f"draw 7: at least 1 of {name}", deck).chances() == read("draw 7 from 60: at least 1 of 4").chances()


def test_an_unknown_card_names_those_of_the_list_and_not_their_plurals():
    deck = Deck("list", *read_list("4 Forest\n4 Bear", "list"))
    with pytest.raises(DiceError, match="known here: forest, bear\n"):
        read("draw 7: at least 1 of Xq", deck)


def test_accents_can_be_left_out(tmp_path):
    file = tmp_path / "list.txt"
    file.write_text("Pok\u00e9mon: 2\n2 Pikachu\nTrainer: 3\n3 Nest Ball\n", "utf-8")
    (deck,) = decks_of(file)
    assert (
        read("draw 1: pokemon", deck).chances()
        == read("draw 1: Pok\u00e9mon", deck).chances()
        == {0: Fraction(3, 5), 1: Fraction(2, 5)}
    )
