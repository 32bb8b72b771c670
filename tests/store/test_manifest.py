"""Invalid manifests are refused in one line that names the file, the field, its value and what would be right."""

import json
import os
from dataclasses import replace

import pytest

from sim.experiments.experiment import AgainstAll
from sim.registry import GAMES
from sim.store import Run, StoreError, is_run
from sim.store.manifest import SIZE_MAX, Manifest
from tests.conftest import BUILT_IN
from tests.every_game.play import experiment
from tests.store.folders import content, duel_run, refused

GONE = "(left out)"  # in place of a value: the key is missing


@pytest.fixture
def run(tmp_path, coin_duel):
    """A run that has a manifest and no games."""
    return duel_run(tmp_path / "run", coin_duel)


@pytest.fixture
def path(run):
    return run.folder / "manifest.json"


def changed(path, **values) -> None:
    """Write the manifest with other values; `rules.goal` becomes the value of a key of a table."""
    document = json.loads(path.read_text(encoding="utf-8"))
    for key, value in values.items():
        *above, last = key.split(".")
        place = document
        for step in above:
            place = place[step]
        if value == GONE:
            del place[last]
        else:
            place[last] = value
    path.write_text(json.dumps(document), encoding="utf-8")


ALL = ", ".join((*BUILT_IN, "coin_duel"))  # games
WRONG = [
    ("format", 4, 'format = 4: was made by a newer fairfight ("0.1.0"); this one reads up to 3: update it to continue'),
    ("format", 0, "format = 0: must be a whole number from 1 to 1000000"),
    ("game", "chess", f'game = "chess": known here: {ALL}'),
    ("game", "coin_dual", 'game = "coin_dual": did you mean "coin_duel"?'),
    ("title", 5, "title = 5: must be text"),
    ("seats", 9, "seats=9: Coin duel is played by 2 or 3 seats"),
    (
        "policy",
        "clever",
        "policy='clever' is not known; known are random, greedy, turn, flat, search and, with k samples, b plans or n playouts, "
        "greedy:k, turn:b:k, flat:n, search:n",
    ),
    ("policy", "random,random,random", "policies='random,random,random': give one for all seats, or 2, one for each"),
    ("games", True, "games = true: must be a whole number from 1 to 35184372088832"),
    ("seed", float("nan"), "seed = NaN: must be a whole number from 0 to 9223372036854775807"),
    ("seed", GONE, "seed: is missing"),
    ("coupling", "deck", 'coupling = "deck": known here: seat, entrant'),
    ("paired", 1, "paired = 1: must be true or false"),
    ("line_up", "pike", 'line_up = "pike": must be null or a list of ids'),
    ("line_up", ["pike", "mual"], 'line_up = "mual": there is no such id in the cards'),
    ("entrant", 1, "entrant = 1: must be null or an id"),
    ("block_games", 10, "block_games=10: must be whole rounds of 3 games"),
    ("versions", [], "versions = []: must be a table"),
    ("cards.rules.goal", 51, "cards: rules.goal = 51: is too large; must be a whole number from 1 to 50"),
    ("cards.game", "arena", 'cards: game = "arena": is not one of the choices; must be "coin_duel"'),
    (
        "colour",
        "red",
        'colour = "red": is not a key of this table; known here: format, game, line_up, entrant, versions, forbidden, '
        "weights, title, seats, policy, games, seed, coupling, paired, keep, block_games, sources, cards",
    ),
    ("sed", 7, 'sed = 7: is not a key of this table; did you mean "seed"?'),
]


@pytest.mark.parametrize(("key", "value", "message"), WRONG, ids=lambda one: str(one)[:30])
@pytest.mark.slow
def test_a_wrong_manifest_is_refused_with_the_field_and_its_value(run, path, key, value, message):
    changed(path, **{key: value})
    before = content(run.folder)
    with refused(f"{path}: {message}"):
        Run.open(run.folder)
    with refused(f"{path}: {message}"):
        run.fill(jobs=1)
    assert content(run.folder) == before


def test_all_errors_in_the_cards_are_on_one_line(run, path):
    changed(path, **{"cards.rules.goal": 0, "cards.rules.stake_max": "three"})
    with refused(
        f"{path}: cards: rules.goal = 0: is too small; must be a whole number from 1 to 50; "
        'rules.stake_max = "three": has the wrong type; must be a whole number from 1 to 5'
    ):
        Run.open(run.folder)


NO_JSON = {
    "half a table": b'{"format": 1',
    "no text": b"\xff\xfe\x00\x01{}",
    "deep": b"[" * 100_000,
    "a number as long as a book": b"1" * 10_000,
}


@pytest.mark.parametrize("which", NO_JSON)
@pytest.mark.slow
def test_invalid_json_is_refused(run, path, which):
    path.write_bytes(NO_JSON[which])
    for go_on in (lambda: Run.open(run.folder), lambda: Run.begin(run.folder, run.experiment)):
        with pytest.raises(StoreError) as caught:
            go_on()
        message = str(caught.value)
        assert message.startswith(f"{path}: is not valid JSON (")
        assert message.endswith("); the run cannot be read")
        assert message.isprintable()
    assert path.read_bytes() == NO_JSON[which]


def test_a_manifest_cut_off_anywhere_is_refused(run, path):
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(StoreError, match=r"manifest\.json: is not valid JSON "):
            Run.open(run.folder)


@pytest.mark.parametrize("other", [b"[]", b"{}"])
def test_json_that_is_no_manifest_is_refused(run, path, other):
    path.write_bytes(other)
    with refused(f"{path}: format: is missing"):
        Run.open(run.folder)


def test_a_manifest_that_is_too_large_is_not_read(run, path):
    with path.open("ab") as stream:
        stream.truncate(SIZE_MAX + 1)
    with refused(f"{path}: is larger than {SIZE_MAX:,} bytes, the most that such a file can have"):
        Run.open(run.folder)


def test_a_folder_in_its_place_is_reported(run, path):
    path.unlink()
    path.mkdir()
    for go_on in (lambda: Run.open(run.folder), lambda: Run.begin(run.folder, run.experiment)):
        with refused(f"{path}: cannot be read (is a directory)"):
            go_on()
    assert not is_run(run.folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_its_place_is_not_waited_for(run, path):
    path.unlink()
    os.mkfifo(path)
    for go_on in (lambda: Run.open(run.folder), lambda: Run.begin(run.folder, run.experiment)):
        with refused(f"{path}: cannot be read (not a regular file)"):
            go_on()


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.slow
def test_the_experiment_is_the_same_after_a_manifest(name):
    """Cards with all their decks, players and line-ups: the manifest is enough to play the same games."""
    made = replace(experiment(GAMES[name], 100, "greedy:2", seed=2**62), coupling="entrant")
    line_up = tuple(made.entrants_of([3])[0].tolist())
    for one in (made, replace(made, line_up=line_up), replace(made, paired=made.seats > 1)):
        again = Manifest.parse(Manifest.of(one, "rows", one.round_games).text).experiment()
        assert again.facts() == one.facts()
        assert again.cards.record.tobytes() == one.cards.record.tobytes()
        assert (again.cards.ids, again.cards.digest) == (one.cards.ids, one.cards.digest)
        assert again.plan(0, 50).tobytes() == one.plan(0, 50).tobytes()


def test_an_experiment_against_all_is_the_same_after_a_manifest(coin_duel):
    made = experiment(coin_duel, 100)
    one = AgainstAll(made.game_name, made.cards, 2, made.policies, 100, 7, entrant=2)
    again = Manifest.parse(Manifest.of(one, "rows", one.round_games).text).experiment()
    assert isinstance(again, AgainstAll)
    assert again.facts() == one.facts()
    assert again.plan(0, 50).tobytes() == one.plan(0, 50).tobytes()


def test_titles_in_any_script_are_restored(tmp_path, run):
    made = replace(run.experiment, cards=replace(run.experiment.cards, title="Münzen, 硬币 🪙"))
    Run.begin(tmp_path / "titled", made)
    assert Run.open(tmp_path / "titled").experiment.cards.title == "Münzen, 硬币 🪙"
