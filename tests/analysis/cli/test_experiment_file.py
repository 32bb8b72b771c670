"""Experiment files: every key, refusals and their messages, and where cards and decks are searched."""

from pathlib import Path

import pytest

from analysis.cli.experiment_file import Wanted, read_experiment
from analysis.data.names import line_up_of
from sim.registry import game_named
from sim.store import Run
from tests.analysis.cli.test_cli import fairfight, refusal, shown

DUEL = {"game": '"dice_duel"', "games": "100"}
DECKS = {"game": '"deck_race"', "games": "12"}


@pytest.fixture(autouse=True)
def games(dice_duel, deck_race, lone_climb, relay_teams):
    """Register the games of these files."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder for experiment files, with cards and decks beside it and below it."""
    folder = tmp_path / "plans"
    folder.mkdir()
    for where in (folder / "mine", tmp_path / "outside"):
        where.mkdir()
        text = game_named("dice_duel").reference.read_text()
        (where / "cards.toml").write_text(text.replace("Dice duel reference set", f"Set of {where.name}"))
    (folder / "decks.toml").write_text('[[deck]]\nid = "bees"\nsource = "assumed"\ncards = { bee = 2, cat = 2, ant = 1 }\n')
    return folder


def written(folder: Path, keys: dict[str, str], **more: str) -> Path:
    """An experiment file; keys that are empty are left out."""
    file = folder / "plan.toml"
    file.write_text("".join(f"{key} = {value}\n" for key, value in (keys | more).items() if value))
    return file


def read(folder: Path, keys: dict[str, str], **more: str) -> Wanted:
    return read_experiment(written(folder, keys, **more))


def test_every_key_has_its_effect(place):
    more = {"seats": "2", "policy": '"greedy:2,random"', "seed": "5", "paired": "true", "coupling": '"entrant"'}
    wanted = read(place, DUEL, **more, line_up='["Knight", "ogre"]', keep='"summary"', block_games="7", cards='"mine"')
    made = wanted.experiment
    assert (made.game_name, made.seats, made.policy_words, made.games_wanted, made.seed) == (
        "dice_duel",
        2,
        "greedy:2,random",
        100,
        5,
    )
    assert [made.cards.ids[entrant] for entrant in made.line_up] == ["knight", "ogre"]
    assert (made.paired, made.coupling) == (True, "entrant")
    assert made.cards.title == "Set of mine"
    assert (wanted.keep, wanted.block_games) == ("summary", 7)


def test_missing_keys_have_the_defaults_of_the_command(place, tmp_path):
    wanted = read(place, DUEL)
    assert (wanted.keep, wanted.block_games) == ("rows", None)
    shown("run", "dice_duel", "--games", 100, "--out", tmp_path / "run")
    assert Run.open(tmp_path / "run").is_of(wanted.experiment)


def test_forbid_is_written_as_for_the_command(place, coin_duel):
    names = coin_duel.ablatable(coin_duel.load(None))
    keys = {"game": '"coin_duel"', "games": "12"}
    assert read(place, keys, forbid=f'["{names[0]}"]').experiment.forbidden == (names[0],)
    assert read(place, keys).experiment.forbidden == ()
    with pytest.raises(ValueError, match=r"plan.toml: forbid\[0\] = 3: must be text, \[ENTRANT:\]THING"):
        read(place, keys, forbid="[3]")
    with pytest.raises(ValueError, match=r"plan.toml: forbid='wings': Coin duel has no 'wings' that can be forbidden"):
        read(place, keys, forbid='["wings"]')


def test_decks_of_a_file_and_random_decks_equal_those_of_the_command(place, tmp_path):
    def of_command(*options) -> str:
        out = tmp_path / "-".join(map(str, options)).replace("/", "")
        shown("run", "deck_race", "--games", 12, "--policy", "random", "--out", out, *options)
        return Run.open(out).experiment.cards.digest

    file, lot, both = place / "decks.toml", ("--random-decks", "4:sealed", "--seed", 3), {"random_decks": '"4:sealed"'}
    assert read(place, DECKS, decks='"decks.toml"').experiment.cards.digest == of_command("--decks", file)
    only = read(place, DECKS, decks='"./decks.toml"', only_decks="true", random_decks="3")
    assert only.experiment.cards.digest == of_command("--decks", file, "--only-decks", "--random-decks", 3)
    assert read(place, DECKS, **both, seed="3").experiment.cards.digest == of_command(*lot)
    assert read(place, DECKS, **both, seed="4").experiment.cards.digest != of_command(*lot, "--games", 24)


def test_cards_and_decks_are_found_beside_the_file_from_any_directory(place, tmp_path, monkeypatch):
    file = written(place, DUEL, policy='"random"', games="56", cards='"mine"')
    monkeypatch.chdir(tmp_path / "outside")
    shown("run", file, "--out", tmp_path / "far")
    monkeypatch.chdir(place)
    shown("run", "plan.toml", "--out", tmp_path / "near")
    result = [Run.open(tmp_path / name) for name in ("far", "near")]
    assert result[0].manifest.text == result[1].manifest.text
    assert result[0].manifest.title == "Set of mine"


def error_of(folder: Path, keys: dict[str, str]) -> str:
    """The error message of a file, without its name."""
    file = written(folder, keys)
    with pytest.raises(ValueError) as caught:
        read_experiment(file)
    texts = str(caught.value)
    assert texts.startswith(f"{file}: ")
    assert "\n" not in texts
    return texts.removeprefix(f"{file}: ").replace(str(folder), "FOLDER")


WHOLE = "must be a whole number from"
OUTSIDE = "lies outside the folder of the experiment file; name a place inside it"
KEYS = (
    "game, seed, decks, only_decks, random_decks, cards, seats, policy, games, line_up, forbid, paired, coupling, keep, "
    "block_games"
)
WRONG = [  # key, wrong value and message; "" leaves the key out
    ("game", "", "game: is missing"),
    ("game", '"dice_duell"', 'game = "dice_duell": did you mean "dice_duel"?'),
    ("games", "", "games: is missing"),
    ("games", "0", f"games = 0: {WHOLE} 1 to 17592186044416"),
    ("games", "true", f"games = true: {WHOLE} 1 to 17592186044416"),
    ("games", "1e3", f"games = 1000.0: {WHOLE} 1 to 17592186044416"),
    ("seats", "3", "seats=3: Dice duel is played by 2 seats"),
    ("seats", '"2"', f'seats = "2": {WHOLE} 1 to 4'),
    ("seed", "-1", f"seed = -1: {WHOLE} 0 to 9223372036854775807"),
    ("seed", "9223372036854775808", f"seed = 9223372036854775808: {WHOLE} 0 to 9223372036854775807"),
    ("policy", '["random"]', 'policy = ["random"]: must be text'),
    (
        "policy",
        '"clever"',
        "policy='clever' is not known; known are random, greedy, turn, flat, search and, with k samples, b plans or n "
        "playouts, greedy:k, turn:b:k, flat:n, search:n",
    ),
    ("policy", '"random,random,random"', "policies='random,random,random': give one for all seats, or 2, one for each"),
    ("line_up", '"knight"', 'line_up = "knight": must be a list'),
    ("line_up", '["knight", 3]', "line_up[1] = 3: must be text, an entrant"),
    ("line_up", '["knight,ogre"]', 'line_up[0] = "knight,ogre": must be one entrant; list each entrant separately'),
    ("line_up", '["knight"]', "line-up 'knight': has 1 fighter for 2 seats; name one for each, separated by commas"),
    ("line_up", '["knight", "orge"]', "'orge': is no fighter; did you mean \"ogre\"?"),
    (
        "line_up",
        '["knight", "knight"]',
        "line-up 'knight,knight': names Knight twice; in Dice duel each seat has another fighter",
    ),
    ("line_up", '["a", "b", "c", "d", "e"]', "line_up: has 5 entries; at most 4 are allowed"),
    ("paired", "1", "paired = 1: must be true or false"),
    ("coupling", '"dice"', 'coupling = "dice": known here: seat, entrant'),
    ("keep", '"sum"', 'keep = "sum": did you mean "summary"?'),
    ("keep", "true", "keep = true: known here: rows, summary"),
    ("block_games", "0", f"block_games = 0: {WHOLE} 1 to 1099511627776"),
    ("block_games", '"many"', f'block_games = "many": {WHOLE} 1 to 1099511627776'),
    ("cards", "3", "cards = 3: must be text, a file or folder beside this file"),
    ("cards", '"../outside"', f'cards = "../outside": {OUTSIDE}'),
    ("cards", '"/etc"', f'cards = "/etc": {OUTSIDE}'),
    ("cards", '"mine/../.."', f'cards = "mine/../..": {OUTSIDE}'),
    ("decks", '"../outside/cards.toml"', f'decks = "../outside/cards.toml": {OUTSIDE}'),
    ("decks", '"decks.toml"', "decks: Dice duel is not played with decks; decks is for games whose entrants are decks"),
    ("only_decks", "true", "only_decks: needs decks FILE, the decks to play instead of the card set's own"),
    ("only_decks", '"yes"', 'only_decks = "yes": must be true or false'),
    ("random_decks", "true", 'random_decks = true: must be a number of decks, as in 24 or "24:sealed"'),
    ("random_decks", "0", "random_decks 0 must be at least 1"),
    ("sead", "4", 'sead = 4: is not a key of this table; did you mean "seed"?'),
    ("out", '"/etc"', f'out = "/etc": is not a key of this table; known here: {KEYS}'),
]


@pytest.mark.parametrize(("key", "value", "message"), WRONG, ids=lambda part: part[:30])
def test_errors_name_file_field_and_value(key: str, value: str, message: str, place):
    assert error_of(place, DUEL | {key: value}) == message


def test_missing_or_invalid_cards_are_reported_with_their_own_file(place):
    assert error_of(place, DUEL | {"cards": '"yours"'}).startswith("FOLDER/yours: does not exist; give a folder")
    cards = place / "mine" / "cards.toml"
    cards.write_text(cards.read_text().replace("health = 45", "health = -45", 1))
    texts = error_of(place, DUEL | {"cards": '"mine"'})
    assert texts.startswith("FOLDER/mine/cards.toml: fighter.knight.health = -45: ")


def test_a_link_to_a_place_outside_is_refused(place, tmp_path):
    (place / "link").symlink_to(tmp_path / "outside")
    assert error_of(place, DUEL | {"cards": '"link"'}) == f'cards = "link": {OUTSIDE}'


def test_games_without_pairs_cannot_be_paired(place):
    texts = error_of(place, {"game": '"lone_climb"', "games": "5", "seats": "1", "paired": "true"})
    assert texts == "paired: with one seat there are no seats to swap, so there are no pairs; leave it out"


def test_teams_are_named_by_their_parts(place):
    made = read(place, {"game": '"relay_teams"', "games": "5", "line_up": '["cy+ann", "Bo + Dee"]'}).experiment
    assert made.line_up == line_up_of("ann+cy,bo+dee", made.game, made.cards, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"games = ", "is not valid TOML: "),
        (b"\xff\xfe", "line 1 is not UTF-8; save the file in that encoding"),
        (b"games = 3\ngames = 4", "is not valid TOML: "),
    ],
)
def test_a_file_that_is_not_toml_is_refused(content: bytes, message: str, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_bytes(content)
    assert refusal("run", file, "--out", tmp_path / "run").startswith(f"error: {file}: {message}")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


def test_a_missing_file_is_reported(tmp_path):
    texts = "no such file; name an experiment file, a game or a run"
    assert refusal("run", tmp_path / "plan.toml", "--out", tmp_path / "run") == f"error: {tmp_path}/plan.toml: {texts}"
    (tmp_path / "folder.toml").mkdir()
    assert refusal("run", tmp_path / "folder.toml") == f"error: {tmp_path}/folder.toml: {texts}"


def test_a_refused_file_creates_nothing(place, tmp_path):
    code, out, err = fairfight("run", written(place, DUEL, keep='"all"'), "--out", tmp_path / "run")
    assert (code, out) == (2, "")
    assert 'plan.toml: keep = "all": known here: rows, summary' in err
    assert not (tmp_path / "run").exists()
