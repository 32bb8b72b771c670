"""ROGUE-107: fixed layouts as they compile and as they are refused, the example dungeons, and re-dealing what lies face-down."""

import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sim.engine.cards import CardError
from sim.engine.loop import advance
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.cardrogue import GAME
from sim.games.cardrogue.cards import from_document, tile_ids, type_ids
from sim.games.cardrogue.record import STRIDE, TILE_ENTRY, Fill, Goal, Tile
from sim.games.cardrogue.state import Down
from tests.every_game.play import enough, fields, greedy_choice, options, redealt
from tests.games.cardrogue.documents import CARDS, reference, with_layout
from tests.games.cardrogue.positions import Play, dealt, layout, placed


def compiled(*rows: str, **settings):
    """The record of a layout without goals, unless `goals` are given."""
    return from_document(with_layout(*rows, **{"goals": [], **settings})).record[0]


def refusal(*rows: str, **settings) -> str:
    with pytest.raises(CardError) as error:
        from_document(with_layout(*rows, **{"goals": [], **settings}), "cards.toml")
    return str(error.value)


def on(word: str) -> int:
    """The value of `map_on` for a card."""
    return 1 + type_ids(from_document(reference())).index(word)


def test_rogue_107_the_reference_set_has_no_layout():
    record = from_document(reference()).record[0]
    assert record["fill"] == Fill.DEAL
    assert not any(record[name].any() for name in ("map_tile", "map_mask", "map_on", "map_down", "map_colour"))


def test_rogue_107_every_token_compiles():
    record = compiled(
        "L4  T:poison  T:spike/5  H    Hb  F   C",
        "Pd  E:goblin  E:imp/P6   O:red K   Ff  A:attack_plus/P3",
        "S   ?Pa       ?E:golem   ?K/Pc .   ?L8 ?T:paralysis",
    )

    def cells(name, row):
        return record[name][row * STRIDE :][:7].tolist()

    top, middle, bottom = 2, 1, 0
    assert cells("map_tile", top) == [Tile.LADDER, Tile.TRAP + 2, Tile.TRAP, Tile.SHOP, Tile.SHOP, Tile.FOUNTAIN, Tile.CHEST]
    assert cells("map_mask", top) == [4, 15, 5, 15, 0xB, 15, 15]
    assert cells("map_tile", middle) == [Tile.FLOOR, 0, Tile.FLOOR, 0, 0, Tile.FOUNTAIN, Tile.FLOOR]
    assert cells("map_mask", middle) == [0xD, 0, 6, 0, 0, 15, 3]
    assert cells("map_on", middle) == [0, on("goblin"), on("imp"), on("red"), on("key"), 0, on("attack_plus")]
    assert cells("map_tile", bottom) == [Tile.START, Tile.FLOOR, 0, Tile.FLOOR, 0, Tile.LADDER, Tile.TRAP + 1]
    assert cells("map_mask", bottom) == [15, 0xA, 0, 0xC, 0, 8, 15]
    assert cells("map_on", bottom) == [0, 0, on("golem"), on("key"), 0, 0, 0]
    assert cells("map_down", bottom) == [0, 1, 1, 1, 0, 1, 1]
    assert record["map_down"].sum() == 5
    assert (record["map_start"], record["has_ladder"], record["fill"]) == (0, 1, Fill.NONE)


def test_rogue_107_the_last_text_is_row_0():
    record = compiled(".  L4", ".  S", ".  .")
    assert record["map_start"] == STRIDE + 1
    assert record["map_tile"][2 * STRIDE + 1] == Tile.LADDER


def test_rogue_107_colours_can_be_fixed():
    record = compiled("S L8", potions={"green": "poison", "yellow": "healing"})
    assert record["map_colour"].tolist() == [0, 2, 0, 0, 0, 1]


@pytest.mark.parametrize("fill", ["none", "deck"])
def test_rogue_107_the_decks_lack_the_special_tiles_of_the_map(fill):
    record = compiled("S E:goblin ?E:goblin K Ff H T:spike C Pa L8", fill=fill)
    deck = from_document(reference())
    tiles = tile_ids(deck)
    assert record["fill"] == (Fill.DECK if fill == "deck" else Fill.NONE)
    for name, wanted in (("exploration", {"fountain": 1}), ("pathing", {"shop": 1, "spike": 1, "chest": 1})):
        less = deck.record[0][name].astype(int) - record[name]
        assert not less[:TILE_ENTRY].any()  # loose cards leave the deck when the table is set
        assert {word: int(count) for word, count in zip(tiles, less[TILE_ENTRY:], strict=False) if count} == wanted


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["S X5 L8"], 'map.rows[0] = "S X5 L8": token "X5" (row 0, column 1) is no cell token; must be one of . S P<mask>'),
        (["S Pg L8"], 'token "Pg" (row 0, column 1) is no cell token'),
        (["S P0 L8"], 'token "P0" (row 0, column 1) has no path; the mask must be 1 to f'),
        (["?S P5 L8"], 'token "?S" (row 0, column 0) is a start that lies face-down; must be S'),
        (["S E:gobln L8"], '"E:gobln" (row 0, column 1) names no enemy of this file; did you mean "goblin"?'),
        (["S L8", "P1"], 'map.rows[1] = "P1": has 1 cells; must have 2 like the first row'),
        (["."] * 18 + ["S"], "are 19 rows; the table has 18 (table.rows)"),
        ([". P5 L8"], "have 0 starts; exactly one cell must be S"),
        (["S S L8"], "have 2 starts; exactly one cell must be S"),
    ],
)
def test_rogue_107_rows_that_cannot_be_read_are_refused(rows, message):
    assert message in refusal(*rows)


@pytest.mark.parametrize(
    "rows",
    [
        [". . L4", "S . P5"],  # nothing beside it
        ["P2 L4", "S  P5"],  # walls towards it
    ],
)
def test_rogue_107_a_start_needs_an_adjacent_card(rows):
    assert "leave the start without an adjacent card; a cell beside it must be open towards it" in refusal(*rows)


def test_rogue_16_a_face_down_card_beside_the_start_is_adjacent_whatever_its_paths():
    assert "out of reach of the start" in refusal("S ?P5 L8")


@pytest.mark.parametrize(
    ("rows", "reached"),
    [
        (["S Pa L8"], True),
        (["Pb P5 L8", "S  Pa Pa"], False),  # the corridor lies across the way
        (["S Pa L2"], False),  # the ladder is open on its other side
        (["S Pa . L8"], False),
        (["P1 P5 P5", "S P9 L8"], False),
        (["S E:goblin ?E:golem O:blue K L8"], True),  # cards are open on all sides
        (["S ?Pa L8"], True),
        (["P5 . .", "S E:goblin/P5 L8"], False),  # the enemy lies on a tile with walls
        (["P6 Pc", "S L1"], True),
        (["L4 . L8", "S . ."], True),  # one of two
    ],
)
def test_rogue_107_the_ladder_can_be_reached(rows, reached):
    if reached:
        assert compiled(*rows)["has_ladder"]
    else:
        assert "out of reach of the start; paths must lead from S to L" in refusal(*rows)


def test_rogue_107_where_the_deck_fills_unknown_cells_can_be_passed():
    assert "without an adjacent card" in refusal("S . L8")
    assert compiled("S . L8", fill="deck")["has_ladder"]
    assert compiled("S . P5 L1", fill="deck")["has_ladder"]  # round the corridor, by the rows above
    assert "out of reach of the start" in refusal("S . P5 L4", fill="deck")  # its only path leads off the table


def test_rogue_107_a_map_that_uses_more_cards_than_there_are():
    golems = "S E:golem ?E:golem L8"
    assert "map.rows = [" in refusal(golems, fill="deck")
    assert 'hold 2 of golem, and the decks 1; with fill = "deck" cards of the layout come out' in refusal(golems, fill="deck")
    assert compiled(golems)["has_ladder"]
    crowd = "S " + "E:imp " * 29
    assert "hold 58 enemies; at most 48" in refusal("L4 " + "E:imp " * 29, crowd)
    cards = ["L4 " + "O:red " * 29, *["O:red " * 30] * 4, "S " + "O:red " * 29]
    assert "hold 178 cards; at most 128" in refusal(*cards)
    assert "hold 10 keys; at most 9" in refusal("S " + "K " * 10 + "L8")


def test_rogue_107_potions_of_a_map_are_known():
    assert 'map.potions.mauve = "poison": is no colour' in refusal("S L8", potions={"mauve": "poison"})
    assert 'map.potions.red = "posion": is no potion effect of this file; did you mean "poison"?' in refusal(
        "S L8", potions={"red": "posion"}
    )
    both = refusal("S L8", potions={"red": "poison", "blue": "poison"})
    assert 'map.potions.red = "poison": is used more than once; each value can occur once' in both


def test_rogue_106_goals_of_a_layout_are_within_reach():
    alone = "is a goal whose cards are not in the game"
    assert f'rules.goals[0] = "chest": {alone}; must be within reach' in refusal("S L8", goals=["chest"])
    assert compiled("S K L8", goals=["chest"])["goals"] == Goal.CHEST  # the chest may come as a replacement
    assert alone in refusal("S E:goblin L8", goals=["golem"])
    assert compiled("S E:golem L8", goals=["golem"])["goals"] == 16
    assert compiled("S Pa L8", fill="deck", goals=["golem"])["goals"] == 16
    assert "leaves a lone player nothing to do" in refusal("S Pa")


def test_rogue_107_a_layout_needs_no_room_for_four_players():
    document = with_layout("S L8", goals=[])
    document["table"] = {"columns": 8, "rows": 4, "gap": 8, "source": "assumed"}
    record = from_document(document).record[0]
    assert (record["columns"], record["rows"]) == (8, 4)


FOLDER = CARDS.parent / "maps"
FILES = sorted(FOLDER.glob("*.toml"))


def entered(file: Path, character: str) -> Play:
    """A dungeon appended to the reference set, as its comment explains, about to be entered."""
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


ROWS = ("?E:troll  ?F     P5", "?O:red    S     ?K", "P5        ?C    L8")
UNKNOWN = 5  # cells of it that lie face-down
REDEALS = enough(2000, 40)


def hidden_cells(state: np.void) -> list[int]:
    """What lies face-down on the map, by cell."""
    return state["on"][state["down"] == Down.MAPPED].tolist()


def unknown_dungeon(**rules: object) -> Play:
    return layout(*ROWS, goals=["chest"], **rules)


def test_rogue_107_a_redeal_puts_every_card_everywhere_equally_often_and_keeps_the_rest():
    game = unknown_dungeon()
    before, times_at = game.state.copy(), Counter()
    fields_before, face_up = fields(before), before["down"] != Down.MAPPED
    for number in range(REDEALS):
        after = redealt(before, game.cards.record, 0, number)
        assert {name for name, value in fields(after).items() if value != fields_before[name]} <= {"on"}
        assert np.array_equal(before["on"][face_up], after["on"][face_up])
        assert sorted(hidden_cells(after)) == sorted(hidden_cells(before))
        times_at.update(enumerate(hidden_cells(after)))
    assert len(times_at) == UNKNOWN**2
    assert stats.chisquare([*times_at.values()]).pvalue > 1e-4


def test_rogue_107_greedy_does_not_look_under_the_cards_of_a_fixed_layout():
    """Its decisions do not depend on what lies there."""
    game = unknown_dungeon()
    for number in range(enough(60, 3)):
        state, seat = game.state.copy(), game.current_player
        chosen, _ = greedy_choice(GAME, state, game.cards.record, number)
        for deal in range(enough(3, 1)):
            other = redealt(state, game.cards.record, seat, deal)
            assert options(GAME, other, game.cards.record) == options(GAME, state, game.cards.record)
            assert greedy_choice(GAME, other, game.cards.record, number)[0] == chosen
        advance(game.workspace, game.cards.record, chosen)
        if game.over:
            break


@pytest.mark.parametrize("seats", [1, 4])
def test_without_a_fixed_layout_there_is_nothing_to_deal_anew(seats):
    """The identity of a card is drawn when it is turned over."""
    game = dealt(seats)
    assert fields(redealt(game.state, game.cards.record, 0)) == fields(game.state)
