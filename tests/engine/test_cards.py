"""Card files of any game, with a made-up one: reading, field names, sources, messages, copying."""

import json
import pickle
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest
from pydantic import Field

from sim.engine.cardfiles.paths import did_you_mean, fixed_fields
from sim.engine.cards import (
    CardError,
    CardFile,
    CardModel,
    CardSet,
    Identifier,
    Source,
    Text,
    changed,
    copy_reference,
    game_of,
    numeric_fields,
    read_document,
    slug,
    validate,
)

FILE = """
game = "duel"
format = 1
title = "Two duellists"
[rules]
dice = 2
house = true
source = { dice = "rulebook" }
[[fighter]]
id = "ann"
name = "Ann"
life = [3, 4]
source = "assumed"
  [[fighter.move]]
  name = "Big Swing!"
  force = 5
  source = "publisher"
  [[fighter.move]]
  name = "Low Kick"
  force = 2
[[fighter]]
id = "bob"
name = "Bob"
life = [2, 2]
source = { life = "rulebook" }
move = []
"""

Life = Annotated[int, Field(ge=1, le=9)]


class Move(CardModel):
    name: Text
    force: Annotated[int, Field(ge=0, le=9)]
    source: Source = None


class Fighter(CardModel):
    id: Identifier
    name: Text
    life: Annotated[list[Life], Field(min_length=2, max_length=2, description="body, soul")]
    move: Annotated[list[Move], Field(max_length=3)]
    source: Source = None


class Rules(CardModel):
    dice: Annotated[int, Field(ge=1, le=6)]
    house: bool = False
    source: Source = None


class DuelFile(CardFile):
    game: Literal["duel"]
    rules: Rules
    fighter: list[Fighter]


@pytest.fixture
def document() -> dict:
    return tomllib.loads(FILE)


def refusal(document: dict) -> list[str]:
    with pytest.raises(CardError) as error:
        validate(DuelFile, document, "duel.toml")
    return str(error.value).splitlines()


def test_a_valid_document_becomes_the_model(document):
    assert validate(DuelFile, document, "duel.toml").fighter[0].move[1].force == 2


def test_numeric_fields_name_every_number_in_the_order_of_the_file(document):
    assert numeric_fields(document) == [
        "rules.dice",
        "fighter.ann.life[0]",
        "fighter.ann.life[1]",
        "fighter.ann.move.big_swing.force",
        "fighter.ann.move.low_kick.force",
        "fighter.bob.life[0]",
        "fighter.bob.life[1]",
    ]


def test_changed_replaces_one_number_and_leaves_the_document_alone(document):
    before = tomllib.loads(FILE)
    for path in numeric_fields(document):
        other = changed(document, path, 8)
        assert document == before
        assert other != before
        assert numeric_fields(other) == numeric_fields(before)
        assert changed(other, path, 1) == changed(before, path, 1)


@pytest.mark.parametrize("path", ["fighter.ann.move[0].force", "fighter[0].move.big_swing.force", "fighter[0].move[0].force"])
def test_a_table_is_found_by_word_and_by_index(document, path):
    assert changed(document, path, 7)["fighter"][0]["move"][0]["force"] == 7


@pytest.mark.parametrize("path", ["fighter.ann.lfe[0]", "fighter.ann.life[2]", "rules.", "", "x", "rules.dice.x", "a[99999999]"])
def test_changed_refuses_a_path_that_does_not_exist(document, path):
    with pytest.raises(CardError, match="there is no such field"):
        changed(document, path, 1)


def test_changed_names_the_nearest_paths(document):
    with pytest.raises(CardError, match=r"nearest: fighter\.ann\.life\[0\], fighter\.ann\.life\[1\]"):
        changed(document, "fighter.ann.lfe[0]", 1)


def test_tables_with_the_same_id_are_distinguished_by_index(document):
    document["fighter"][1]["id"] = "ann"
    assert numeric_fields(document)[1] == "fighter[0].life[0]"


@pytest.mark.parametrize(
    ("name", "word"), [("Hammer Time", "hammer_time"), ("Arrowed!", "arrowed"), ("Ärger  2", "ärger_2"), ("!", "")]
)
def test_slugs_are_one_lower_case_word(name, word):
    assert slug(name) == word


def test_the_nearest_source_covers_a_number(document):
    made = CardSet.of(np.zeros(1), {"ann": "Ann", "bob": "Bob"}, {"house": True}, document, "duel.toml")
    assert [(entry.path, entry.value, entry.source) for entry in made.provenance] == [
        ("rules.dice", 2, "rulebook"),
        ("fighter.ann.life[0]", 3, "assumed"),
        ("fighter.ann.life[1]", 4, "assumed"),
        ("fighter.ann.move.big_swing.force", 5, "publisher"),
        ("fighter.ann.move.low_kick.force", 2, "assumed"),
        ("fighter.bob.life[0]", 2, "rulebook"),
        ("fighter.bob.life[1]", 2, "rulebook"),
    ]


def test_a_card_set_is_read_only_and_can_be_sent_to_other_processes(document):
    made = CardSet.of(np.zeros(1), {"ann": "Ann"}, {}, document, "duel.toml")
    assert not made.record.flags.writeable
    assert (made.ids, made.names, made.title) == (("ann",), ("Ann",), "Two duellists")
    assert pickle.loads(pickle.dumps(made)).digest == made.digest


def test_the_digest_depends_on_the_content_alone(document):
    def digest(of: dict) -> str:
        return CardSet.of(np.zeros(1), {}, {}, of, "duel.toml").digest

    assert digest(tomllib.loads("# a comment\n" + FILE)) == digest(document)
    assert digest(changed(document, "rules.dice", 3)) != digest(document)
    assert len(digest(document)) == 12


def test_an_unknown_key_is_refused_with_the_nearest_known_one(document):
    document["fighter"][0]["lief"] = 3
    assert refusal(document) == ['duel.toml: fighter.ann.lief = 3: is not a key of this table; did you mean "life"?']


def test_every_problem_of_a_file_is_listed_once(document):
    document["rules"]["dice"] = 0
    document["fighter"][0]["move"][1]["force"] = "2"
    document["fighter"][1]["life"] = [1, True]
    del document["fighter"][1]["name"]
    assert refusal(document) == [
        "duel.toml: rules.dice = 0: is too small; must be a whole number from 1 to 6",
        'duel.toml: fighter.ann.move[1].force = "2": has the wrong type; must be a whole number from 0 to 9',
        "duel.toml: fighter.bob.name: is missing; must be text of 1 to 60 characters without control and invisible characters",
        "duel.toml: fighter.bob.life[1] = true: has the wrong type; must be a whole number from 1 to 9",
    ]


HIDDEN = {
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "soft hyphen": "\u00ad",
    "byte order mark": "\ufeff",
    "right-to-left mark": "\u200f",
    "right-to-left override": "\u202e",
    "Hangul filler": "\u3164",
    "combining grapheme joiner": "\u034f",
    "variation selector": "\ufe0f",
    "empty Braille cell": "\u2800",
    "tag": "\U000e0041",
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_name_with_an_invisible_character_is_refused_and_shows_it(document, hidden):
    document["fighter"][0]["name"] = f"An{hidden}n"
    (line,) = refusal(document)
    assert "is not well formed; must be text of 1 to 60 characters without control and invisible characters" in line
    assert json.dumps(f"An{hidden}n") in line


NAMES = ("Ärger", "\u6b66\u58eb", "\u0633\u064a\u0641", "\u2694\ufe0f Sword", "\U0001f469\u200d\U0001f680")


@pytest.mark.parametrize("name", NAMES)
def test_names_in_any_script_and_emoji_are_accepted(document, name):
    document["fighter"][0]["name"] = name
    assert validate(DuelFile, document, "duel.toml").fighter[0].name == name


def test_messages_stay_short_however_long_the_values_are(document):
    document["fighter"][0]["id"] = "x" * 30_000
    assert max(map(len, refusal(document))) < 300
    assert len(did_you_mean("a", ["b" * 1_000] * 30_000)) < 1_000
    assert did_you_mean("a", ["\u200b"]) == 'known here: "\\u200b"'


def test_a_list_of_the_wrong_length_is_refused_with_what_it_holds(document):
    document["fighter"][0]["life"] = [1]
    right = "must be a list of 2 (body, soul), each a whole number from 1 to 9"
    assert refusal(document) == [f"duel.toml: fighter.ann.life = [1]: is too short; {right}"]


@pytest.mark.parametrize("value", [1.0, True, "1", 2, [1], None])
def test_only_format_1_is_read(document, value):
    document["format"] = value
    assert refusal(document)[0].startswith("duel.toml: format = ")
    assert refusal(document)[0].endswith("; must be 1")


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "two\nlines", "bell\a", "\u202eright to left", "\u2028", 3, None])
def test_text_is_one_visible_line(document, name):
    document["fighter"][0]["name"] = name
    (line,) = refusal(document)
    assert line.startswith("duel.toml: fighter.ann.name = ")
    assert line.isprintable()


@pytest.mark.parametrize("name", ["x", "Zoë", "火の竜", "<b>bold</b>", "$x^2$", "x" * 60, "a, 'b' \"c\""])
def test_text_can_be_of_any_script(document, name):
    document["fighter"][0]["name"] = name
    assert validate(DuelFile, document, "duel.toml").fighter[0].name == name


@pytest.mark.parametrize("word", ["", "Ann", "1ann", "an-n", "x" * 41, "ann\n", "é"])
def test_ids_are_snake_case(document, word):
    document["fighter"][0]["id"] = word
    assert any(".id = " in line and "must be an id" in line for line in refusal(document))


def test_a_number_without_source_is_refused(document):
    del document["fighter"][1]["source"]
    needed = "every number needs a source: rulebook, publisher or assumed"
    assert refusal(document) == [f"duel.toml: fighter.bob.life = [2, 2]: has no source; {needed}"]


def test_a_source_that_does_not_exist_is_refused(document):
    document["fighter"][0]["source"] = "guessed"
    right = 'must be one of "rulebook", "publisher", "assumed"'
    assert refusal(document) == [f'duel.toml: fighter.ann.source = "guessed": is not a source; {right}']


def test_a_source_for_an_unknown_field_is_refused(document):
    document["rules"]["source"]["dcie"] = "assumed"
    wrong = 'rules.source.dcie = "assumed": is given for an unknown field; did you mean "dice"?'
    assert refusal(document) == [f"duel.toml: {wrong}"]


def test_a_long_value_is_shortened_and_a_long_list_of_problems_cut(document):
    document["fighter"][0]["life"] = list(range(1000))
    assert "..." in refusal(document)[0]
    assert len(refusal(document)[0]) < 250
    document["rules"] |= {f"key_{number}": 1 for number in range(50)}
    assert len(refusal(document)) == 21
    assert refusal(document)[-1] == "duel.toml: and more, 51 problems in all"


def test_no_message_mentions_the_validation_library(document):
    document["fighter"] = {"ann": 1}
    document["rules"] = "none"
    assert not any("pydantic" in line.lower() or "input" in line.lower() for line in refusal(document))


def test_deep_nesting_and_giant_numbers_are_refused_without_a_crash(document):
    document["rules"]["dice"] = 10**5000
    assert "(too long to show): is too large" in refusal(document)[0]
    nested: list = []
    for _ in range(5000):
        nested = [nested]
    document["rules"]["dice"] = nested
    assert "nested too deep" in refusal(document)[0]


def written(folder: Path, content: str | bytes) -> Path:
    file = folder / "cards.toml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_a_folder_a_file_and_the_reference_are_read_alike(tmp_path, document):
    file = written(tmp_path, FILE)
    assert read_document(tmp_path, Path("none")) == (document, file)
    assert read_document(file, Path("none")) == (document, file)
    assert read_document(None, file) == (document, file)


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path, document):
    written(tmp_path, b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert read_document(tmp_path, Path("none"))[0] == document


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("game = \n", r"is not valid TOML: .*line 1, column 8"),
        ("game = 'a'\ngame = 'b'\n", r"is not valid TOML: .*line 2"),
        (b"# fine\ngame = '\xff'", "line 2 is not UTF-8"),
        ("#\n" * 600_000, "is larger than 1,000,000 bytes"),
        ("a = " + "[\n" * 50_000, "is not valid TOML: a number is too long or the nesting too deep"),
        ("a = " + "9" * 5_000, "line 1 has 5,004 bytes"),
        ("a" + ".a" * 500 + " = 1", "line 1 has more than 100 dots"),
    ],
)
def test_a_file_that_is_no_toml_is_refused_with_its_path_and_line(tmp_path, content, message):
    file = written(tmp_path, content)
    with pytest.raises(CardError, match=message) as error:
        read_document(tmp_path, Path("none"))
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)


def test_a_path_without_a_card_file_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "cards.xlsx").write_text("hello")
    for place, message in (
        (tmp_path / "nowhere", "does not exist"),
        (tmp_path, "holds no cards.toml"),
        (tmp_path / "notes.txt", "notes.txt: is not a card file; give a folder with cards.toml or a .toml file$"),
        (tmp_path / "cards.xlsx", "is not a card file; .*`fairfight new GAME DIR --from .*cards.xlsx` makes one"),
        (Path("/dev/null"), "is neither a folder nor a file"),
        (Path("x" * 5000), "cannot be read|does not exist"),
        (Path("nul\0l"), "cannot be read|does not exist"),
    ):
        with pytest.raises(CardError, match=message):
            read_document(place, Path("none"))


def test_game_of_reads_which_game_a_folder_is_for(tmp_path):
    written(tmp_path, FILE)
    assert game_of(tmp_path) == "duel"
    written(tmp_path, "format = 1")
    with pytest.raises(CardError, match="game: is missing"):
        game_of(tmp_path)
    written(tmp_path, "game = 3")
    with pytest.raises(CardError, match="game = 3: has the wrong type"):
        game_of(tmp_path)


def test_a_reference_set_is_copied_byte_for_byte(tmp_path):
    reference = written(tmp_path, FILE)
    copied = copy_reference(reference, tmp_path / "deep" / "mine")
    expected = reference.read_text().replace('"Two duellists"', '"mine, after the Two duellists"')
    assert copied.read_text() == expected
    assert [entry.name for entry in copied.parent.iterdir()] == ["cards.toml"]


def test_a_card_file_is_never_overwritten(tmp_path):
    reference = written(tmp_path, FILE)
    mine = tmp_path / "mine"
    copy_reference(reference, mine).write_text("edited")
    with pytest.raises(CardError, match="exists already"):
        copy_reference(reference, mine)
    assert (mine / "cards.toml").read_text() == "edited"


@pytest.mark.parametrize("place", ["cards.toml", "cards.toml/inside", "/proc/nowhere", "nul\0l"])
def test_a_place_that_cannot_be_written_is_refused(tmp_path, place):
    reference = written(tmp_path, FILE)
    with pytest.raises(CardError, match=r"is a file|cannot be written"):
        copy_reference(reference, tmp_path / place)
    assert [entry.name for entry in tmp_path.iterdir()] == ["cards.toml"]


def test_a_copy_that_fails_half_way_leaves_nothing_behind(tmp_path, monkeypatch):
    reference = written(tmp_path, FILE)

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CardError, match="No space left on device"):
        copy_reference(reference, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


# ---- fixed numbers --------------------------------------------------------------------------------------------------


def fixed_in(*patterns: str) -> set[str]:
    return fixed_fields({**tomllib.loads(FILE), "fixed": list(patterns)})


def test_numbers_can_be_fixed_by_path_table_or_pattern():
    assert fixed_in() == set()
    assert fixed_in("rules.dice") == {"rules.dice"}
    assert fixed_in("fighter.ann.life") == {"fighter.ann.life[0]", "fighter.ann.life[1]"}
    assert fixed_in("fighter.ann.life[1]") == {"fighter.ann.life[1]"}
    assert fixed_in("fighter.*.force") == {"fighter.ann.move.big_swing.force", "fighter.ann.move.low_kick.force"}
    assert fixed_in("rules") == {"rules.dice"}
    assert fixed_in("*") == set(numeric_fields(tomllib.loads(FILE)))


def test_the_list_of_fixed_numbers_is_not_part_of_the_games_data():
    document = {**tomllib.loads(FILE), "fixed": ["rules.dice"]}
    assert numeric_fields(document) == numeric_fields(tomllib.loads(FILE))


def test_a_fixed_path_that_matches_no_number_is_refused_with_one_that_does(document):
    assert validate(DuelFile, {**document, "fixed": ["rules.dice", "fighter.*"]}, "duel.toml").fixed
    (line,) = refusal({**document, "fixed": ["rules.dice", "rules.dise"]})
    assert line == (
        'duel.toml: fixed[1] = "rules.dise": matches no number of this file; must be the path of a number, such as rules.dice, '
        "or a pattern with * for any text"
    )
    (line,) = refusal({**document, "fixed": "rules.dice"})
    assert "fixed" in line
