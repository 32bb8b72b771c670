"""The example dungeons (ROGUE-107): each can be appended to the reference set, and its puzzle can be solved."""

import tomllib
from pathlib import Path

import pytest

from sim.engine.policies import PolicySpec
from sim.experiment import Experiment
from sim.games.cardrogue import GAME
from tests.games.cardrogue.documents import CARDS
from tests.games.cardrogue.positions import Play, placed

FOLDER = CARDS.parent / "maps"
FILES = sorted(FOLDER.glob("*.toml"))


def entered(file: Path, character: str) -> Play:
    """A dungeon appended to the reference set, as its comment says, about to be entered."""
    text = CARDS.read_text(encoding="utf-8") + file.read_text(encoding="utf-8")
    return placed(GAME.from_document(tomllib.loads(text)), {"players": [{"character": character}]})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rogue_107_an_example_dungeon_can_be_entered_by_everybody(file: Path):
    for character in GAME.load(None).ids:
        game = entered(file, character)
        assert (game.over, game.position["round"]) == (False, 1)
        assert any(token.startswith("L") for token in game.map.values())


def test_rogue_107_the_old_cellar_can_be_solved():
    """Goblin, key, chest, potion, zombie, ladder."""
    game = entered(FOLDER / "old_cellar.toml", "rogue")
    game.do("move north", "move north", "move east").do("attack east", dice=[6]).do("attack east", dice=[2])
    game.walk("east").end_turn().do("flip north")
    assert game.player(0)["hand"] == ["key", "goblin"]
    game.walk("west").walk("west").walk("north")
    assert (game.player(0)["points"], game.position["goals_done"]) == (1, ["chest"])
    game.walk("south").walk("south").do("flip east").walk("east").do("flip east").walk("east")
    game.do("drink red potion").walk("west").walk("west").walk("north").walk("west")
    game.do("attack west", dice=[5]).walk("west").walk("north")
    assert (game.over, game.ending, game.shares) == (True, "solo_won", [1])
    assert game.position["turn"] == 11  # finished; the way out was reached in the twelfth


def test_rogue_54_the_zombie_of_the_old_cellar_falls_to_a_6_without_the_potion():
    game = entered(FOLDER / "old_cellar.toml", "rogue").do("move north", "move north", "move west")
    game.do("attack west", dice=[5])
    assert (game.enemy((2, 0))["health"], game.health()) == (6, 8)
    game.do("attack west", dice=[6])
    assert game.enemy((2, 0)) is None


def test_rogue_107_a_fixed_layout_is_for_one_player_alone():
    text = CARDS.read_text(encoding="utf-8") + FILES[0].read_text(encoding="utf-8")
    cards = GAME.from_document(tomllib.loads(text))
    assert GAME.seats_for(cards) == (1,)
    players = (PolicySpec.parse("random"),)
    assert Experiment("cardrogue", cards, 1, players, games_wanted=6).games == 6
    with pytest.raises(ValueError, match="seats=2: Card Rogue with these cards is played by 1 seat"):
        Experiment("cardrogue", cards, 2, players, games_wanted=6)
