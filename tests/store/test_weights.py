"""A user's own weights: read beside the cards, kept by runs and by card sets made from these cards, refused if invalid."""

import json
import re
import shutil
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from sim.engine.cards import CardError, changed, copy_reference
from sim.engine.evaluation import FILE_NAME
from sim.run import evaluations, replay
from sim.store import Run
from sim.store import manifest as manifests
from sim.store.manifest import FIRST, FORMAT, Manifest, sources_digest
from sim.weights import Weights, has_own, loaded, own_tables, parsed, remade, with_weights
from tests.conftest import ROOT
from tests.every_game.dice_duel import GAME as DICE
from tests.every_game.play import experiment
from tests.store.folders import refused

OWN = "lead = 1.5\nprospect = -2\nnear = 0.25\neven = 0\n"
FILE = f'made_by = "somebody"\n\n[fitted.2]\n{OWN}'


@pytest.fixture
def folder(tmp_path, coin_duel):
    """A card folder with weights of its own for two seats."""
    copy_reference(coin_duel.reference, tmp_path / "mine")
    (tmp_path / "mine" / FILE_NAME).write_text(FILE)
    return tmp_path / "mine"


def test_weights_beside_the_cards_are_used_to_evaluate_positions(folder, coin_duel):
    cards, plain = loaded(coin_duel, folder), coin_duel.load(folder)
    assert cards.record["weight"][0, 1].tolist() == [1.5, -2, 0.25, 0]
    assert cards.record["weight"][0, 2].tolist() == plain.record["weight"][0, 2].tolist()  # not in the file: the game's
    assert np.array_equal(cards.record["weight_baseline"], plain.record["weight_baseline"])
    assert not cards.record.flags.writeable
    made = experiment(coin_duel, 6)
    positions = replay(made, 0, 6).positions
    assert np.abs(evaluations(replace(made, cards=cards), positions) - evaluations(made, positions)).max() > 0.05


def test_the_digest_differs_by_weights_and_is_the_usual_one_for_those_of_the_game(folder, coin_duel):
    cards, plain = loaded(coin_duel, folder), coin_duel.load(folder)
    assert has_own(cards)
    assert not has_own(plain)
    assert cards.digest != plain.digest
    (folder / FILE_NAME).write_text(FILE.replace("0.25", "0.5"))
    assert loaded(coin_duel, folder).digest not in {cards.digest, plain.digest}
    shutil.copy(coin_duel.reference.with_name(FILE_NAME), folder)
    assert loaded(coin_duel, folder).digest == plain.digest
    assert own_tables(coin_duel, plain) is None


def test_a_named_card_file_has_them_too_and_the_reference_set_only_those_of_the_game(folder, coin_duel):
    assert loaded(coin_duel, folder / "cards.toml").digest == loaded(coin_duel, folder).digest
    assert loaded(coin_duel, None).digest == coin_duel.load(None).digest


def test_card_sets_made_from_others_keep_their_weights(folder, coin_duel):
    cards = loaded(coin_duel, folder)
    other = remade(coin_duel, changed(cards.document, "rules.goal", 5), cards)
    assert other.record["goal"] == 5
    assert Weights.of(other).same_as(Weights.of(cards))
    assert other.digest != cards.digest
    plain = coin_duel.load(folder)
    assert remade(coin_duel, plain.document, plain).digest == plain.digest


def test_analysis_never_makes_card_sets_without_their_weights():
    """It uses `remade` and `loaded` only; `sim.weights` explains why."""
    others = [
        f"{file.name}: {line.strip()}"
        for file in (ROOT / "analysis").rglob("*.py")
        for line in file.read_text().splitlines()
        if re.search(r"\.from_document\(|game\.load\((?!None\))", line)
    ]
    assert not others


WRONG = {
    "fitted.2.lead = ": ("lead = 1.5", 'lead = "much"', 'fitted.2.lead = "much": must be a number from -1000 to 1000'),
    "nan": ("lead = 1.5", "lead = nan", "fitted.2.lead = NaN: must be a number from -1000 to 1000"),
    "far": ("lead = 1.5", "lead = 1001", "fitted.2.lead = 1001: must be a number from -1000 to 1000"),
    "unknown": ("lead", "leed", 'fitted.2.leed = 1.5: Coin duel has no such feature; did you mean "lead"?'),
    "missing": ("near = 0.25\n", "", "fitted.2.near: is missing"),
    "seats": ("fitted.2", "fitted.5", "fitted.5: Coin duel is played by 2, 3 seats"),
    "flat": (f"[fitted.2]\n{OWN}", "fitted = 2\n", "fitted = 2: must be a table"),
    "none": ("[fitted.2]", "[baseline.2]", "fitted: is missing"),
    "stranger": ('made_by = "somebody"', 'maid_by = "x"', 'maid_by = "x": is not a key of this table; did you mean "made_by"?'),
    "maker": ('"somebody"', "5", "made_by = 5: must be text"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_weights_are_refused_with_file_field_and_value(folder, coin_duel, case):
    right, wrong, message = WRONG[case]
    assert right in FILE
    (folder / FILE_NAME).write_text(FILE.replace(right, wrong, 1))
    with refused(f"{folder / FILE_NAME}: {message}", CardError):
        loaded(coin_duel, folder)


def test_files_without_any_weights_are_refused_in_one_line(folder, coin_duel, deck_race):
    file = folder / FILE_NAME
    for content in (b"\xff\xfe", b"fitted = [", b"a" * 200_000, b"[" * 90_000):
        file.write_bytes(content)
        with pytest.raises(CardError) as caught:
            loaded(coin_duel, folder)
        assert str(caught.value).startswith(f"{file}: ")
        assert "\n" not in str(caught.value)
    file.unlink()
    file.mkdir()
    with refused(f"{file}: is a folder; it must be a file of weights", CardError):
        loaded(coin_duel, folder)
    with refused("here: the evaluation of Deck race has no features, so there are no weights to set", CardError):
        parsed(deck_race, {}, "here", Weights(np.zeros((4, 0)), np.zeros((4, 0))))


# ---- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_keeps_its_weights_and_plays_the_same_games(folder, coin_duel, tmp_path):
    made = replace(experiment(coin_duel, 12, "greedy:1"), cards=loaded(coin_duel, folder))
    again = Manifest.parse(Manifest.of(made, "rows", made.round_games).text).experiment()
    assert again.cards.record.tobytes() == made.cards.record.tobytes()
    assert again.cards.digest == made.cards.digest
    run = Run.begin(tmp_path / "run", made)
    shutil.rmtree(folder)
    assert run.fill(jobs=1).played == 12
    assert Run.open(tmp_path / "run").is_of(made)
    assert not run.is_of(replace(made, cards=coin_duel.load(None)))


def test_a_run_is_not_continued_with_other_weights(folder, coin_duel, tmp_path):
    made = replace(experiment(coin_duel, 12), cards=loaded(coin_duel, folder))
    run = Run.begin(tmp_path / "run", made)
    (folder / FILE_NAME).write_text(FILE.replace("0.25", "0.5"))
    other = "Name another folder with --out"
    with refused(f"{run.folder}: holds another run: weights: fitted.2.near is 0.25, not 0.5. {other}"):
        Run.begin(run.folder, replace(made, cards=loaded(coin_duel, folder)))
    with refused(
        f"{run.folder}: holds another run: weights: fitted.2.lead is 1.5, not absent; weights: fitted.2.prospect is -2.0, "
        f"not absent; weights: fitted.2.near is 0.25, not absent; 13 more of the weights. {other}"
    ):
        Run.begin(run.folder, replace(made, cards=coin_duel.load(folder)))


def test_a_run_keeps_what_is_forbidden_and_is_not_continued_without_it(tmp_path, coin_duel, monkeypatch):
    free = experiment(coin_duel, 12)
    game = replace(coin_duel, ablatable=lambda _: ("raise", "fold"))
    monkeypatch.setitem(manifests.GAMES, "coin_duel", game)
    bound = replace(free, forbidden=("pike:raise",))
    run = Run.begin(tmp_path / "run", bound)
    assert Run.open(run.folder).experiment.forbidden == ("pike:raise",)
    assert run.is_of(bound)
    assert not run.is_of(free)
    with refused(f"{run.folder}: holds another run: forbidden is pike:raise, not . Name another folder with --out"):
        Run.begin(run.folder, free)


def test_a_run_without_either_is_written_in_the_oldest_format(coin_duel, folder):
    """Older versions can read it, and their runs have the same identity."""
    made = experiment(coin_duel, 12)
    plain = Manifest.of(made, "rows", 3)
    told = json.loads(plain.text)
    assert told["format"] == FIRST
    assert not {"forbidden", "weights"} & set(told)
    own = Manifest.of(replace(made, cards=loaded(coin_duel, folder)), "rows", 3)
    assert json.loads(own.text)["format"] == FORMAT
    assert own.identity != plain.identity


def test_forged_weights_of_a_run_are_refused(folder, coin_duel, tmp_path):
    made = replace(experiment(coin_duel, 12), cards=loaded(coin_duel, folder))
    run = Run.begin(tmp_path / "run", made)
    path = run.folder / "manifest.json"
    for weights, message in (
        ({"fitted": {"2": {"lead": "x"}}}, 'weights: fitted.2.lead = "x": must be a number from -1000 to 1000'),
        ({}, "weights: fitted: is missing"),
        ([], "weights = []: must be a table"),
    ):
        told = json.loads(run.manifest.text) | {"weights": weights}
        path.write_text(json.dumps(told))
        with refused(f"{path}: {message}"):
            Run.open(run.folder)
    path.write_text(json.dumps(json.loads(run.manifest.text) | {"forbidden": [5]}))
    with refused(f"{path}: forbidden = [5]: must be a list of names"):
        Run.open(run.folder)


def test_the_digest_of_sources_covers_the_weights_of_games(tmp_path, dice_duel, monkeypatch):
    """If the weights that come with the game change, its code has changed."""
    home = tmp_path / "dice_duel"
    shutil.copytree(DICE.reference.parent, home, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setitem(manifests.GAMES, "dice_duel", replace(dice_duel, reference=home / "cards.toml"))
    sources_digest.cache_clear()
    before = sources_digest("dice_duel")
    file = home / FILE_NAME
    file.write_text(file.read_text().replace("ahead = 3.0", "ahead = 4.0"))
    sources_digest.cache_clear()
    after = sources_digest("dice_duel")
    sources_digest.cache_clear()
    assert before != after


def test_setting_the_present_weights_changes_nothing(coin_duel):
    cards = coin_duel.load(None)
    assert with_weights(cards, Weights.of(cards)) is cards
    other = deepcopy(Weights.of(cards))
    other.fitted[1, 0] += 1
    assert with_weights(cards, other).record["weight"][0, 1, 0] == cards.record["weight"][0, 1, 0] + 1
