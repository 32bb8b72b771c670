"""What holds for the README of every game: its lists and tables are those of the code."""

import importlib
import re
from pathlib import Path

import pytest

from sim.engine.contract import Game
from sim.engine.decks import read_decks
from sim.engine.facts import held
from sim.registry import GAMES
from tests.games.readme import Readme, blocks, named, rows

LAST_ASSUMPTION = {"arena": "A29", "cardrogue": "A-35", "riftborn": "RA-36", "rookling": "A-30", "runeslingers": "A31"}
DECISIONS = dict.fromkeys(LAST_ASSUMPTION, "state.Phase") | {"cardrogue": "state.Node"}
CHANCE = {"cardrogue": "hidden.Draw", "riftborn": "state.Draw", "rookling": "state.Draw", "runeslingers": "state.Roll"}
OF_DECKS = ("riftborn", "runeslingers")

every_game = pytest.mark.parametrize("game", [GAMES[name] for name in LAST_ASSUMPTION], ids=list(LAST_ASSUMPTION))
games_of_decks = pytest.mark.parametrize("game", [GAMES[name] for name in OF_DECKS], ids=OF_DECKS)


def in_code(game: Game, place: str):
    """What a module of a game has under a name, as in state.Phase."""
    module, _, name = place.rpartition(".")
    return getattr(importlib.import_module(f"sim.games.{game.name}.{module}"), name)


@every_game
def test_every_rule_is_explained_once_and_in_order(game: Game):
    ids = (Path(__file__).parent / game.name / "rule_ids.txt").read_text(encoding="utf-8").split()
    prefix = ids[0].partition("-")[0]
    assert re.findall(rf"^- \*\*({prefix}-\d+)\*\*", Readme(game.name).text, re.MULTILINE) == ids


@every_game
def test_every_assumption_is_listed(game: Game):
    listed = [cells[0] for cells in rows(Readme(game.name).section("Rule variants"))[2:]]
    word, last = LAST_ASSUMPTION[game.name][:-2], int(LAST_ASSUMPTION[game.name][-2:])
    assert listed == [f"{word}{number:02}" for number in range(1, last + 1)]


@every_game
def test_the_decisions_and_their_codes(game: Game):
    listed = {cells[1]: cells[0] for cells in rows(Readme(game.name).section("Decisions")) if cells[0].isdigit()}
    assert listed == {phase.name: str(phase.value) for phase in in_code(game, DECISIONS[game.name])}


@pytest.mark.parametrize("name", CHANCE)
def test_every_use_of_chance_is_listed_once(name: str):
    listed = [word for cells in rows(Readme(name).section("Chance")) if cells[0][:1] == "`" for word in named(cells[0])]
    assert sorted(listed) == sorted(use.name for use in in_code(GAMES[name], CHANCE[name]))


@every_game
def test_every_field_of_the_state_is_listed_once(game: Game):
    text = Readme(game.name).section("State")
    listed = [name for cells in rows(text)[2:] for name in named(cells[0])]
    assert sorted(listed) == sorted({*(game.state.names or ())} - {name for name, _, _ in held(game.facts)})
    assert {*re.findall(r"([\d,]+) bytes", text)} <= {f"{game.state.itemsize:,}"}


@every_game
def test_every_module_named_exists(game: Game):
    Readme(game.name).assert_modules_exist(Readme(game.name).text)


@every_game
def test_links_lead_to_headings(game: Game):
    Readme(game.name).assert_links_lead_to_headings()


@games_of_decks
def test_every_constant_of_the_rules_is_named(game: Game):
    listed = {word for cells in rows(Readme(game.name).section("Card file"))[:3] for word in named(cells[1])}
    assert in_code(game, "cards.schema.Rules").CONSTANTS - {"source"} <= listed


@games_of_decks
def test_the_deck_of_the_example_is_legal(game: Game, tmp_path: Path):
    file = tmp_path / "my-decks.toml"
    file.write_text("\n".join(blocks(Readme(game.name).section("Playing other decks"))[0][1:]), encoding="utf-8")
    assert game.decks is not None
    cards = game.from_document(game.decks.added(game.load(None).document, read_decks(file, game.decks.words)))
    assert cards.ids[-1].startswith("my_")
