"""Riftborn Tactics in words: decisions, positions by readable names, the picture."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.dice import SEATS_MAX
from sim.engine.policies import new_workspace
from sim.games.riftborn import GAME
from sim.games.riftborn.record import ids_of
from tests.games.riftborn.playing import VARIANTS, card_set, game_at_random, open_now, options_of, placed, table

WORDS = GAME.words
STRIDE = 20  # positions of a game at this interval are placed again
FIELDS = (  # of the state, the same for all numbers of creatures
    *("turn", "xp", "life", "deck", "own_turns", "level", "start_level", "used_levels", "library", "library_n", "hand"),
    *("hand_n", "discard", "discard_n", "removed", "removed_n", "known_own", "known_other", "weapon", "uses"),
    *("weapon_used", "armour", "points", "tricks", "row_len", "phase", "seat", "active", "first", "winner", "held"),
)


# ---- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_met_in_play_can_be_placed_again_and_go_on_alike(variant: str):
    cards = card_set(variant)
    for state, options, taken in game_at_random(variant)[:-1:STRIDE]:
        position = WORDS.position(state, cards)
        again = placed(position, cards)
        assert WORDS.position(again, cards) == position
        assert options_of(again, cards) == [WORDS.action(state, cards, action) for action in options]
        for field in FIELDS:
            assert (again[field] == state[field]).all(), field
        assert after(again, cards, taken) == after(state, cards, taken)


def after(state: np.void, cards: CardSet, action: int) -> tuple[dict[str, Any], list[int]]:
    """The position after a decision, with dice that are always the same, and the decisions open then.

    Creatures that die together go to the discard pile in the order of their numbers, which the position does not show.
    """
    workspace = new_workspace(GAME.state, GAME.options_max, SEATS_MAX)
    workspace.states[0] = state
    options = open_now(workspace, cards, action)
    position = WORDS.position(workspace.states[0], cards)
    for player in position["players"]:
        player["discard"].sort()
    return position, options


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (["fae_stalker, face down"], ["face-down creature"]),
        (["fae_stalker", "fae_stalker, face down"], ["Fae Stalker", "face-down creature"]),
        (
            ["fae_stalker, face down", "fae_illusionist, face down"],
            ["face-down creature (front 1)", "face-down creature (front 2)"],
        ),
    ],
)
def test_options_do_not_name_the_opponents_face_down_creatures(rows: list[str], shown: list[str]):
    """Nor does a place after the name of a creature show that another one of its kind lies face down."""
    own, other = {"rows": [["beast_cub"], ["fae_illusionist, face down"]]}, {"rows": [rows]}
    attack = options_of(placed(table(own, other, phase="creature", pending={"user": [0, 0, 0]})))
    assert [words for words in attack if words.startswith("attack")] == [f"attack {name} with Beast Cub" for name in shown]


def test_nothing_is_needed():
    """Everything else is that of a fresh game in whose first turn seat 0 is in its main step."""
    position = WORDS.position(placed({}), card_set())
    keys = ("phase", "active", "turn", "first", "pending")
    assert [position[key] for key in keys] == ["main", 0, 0, 0, {}]
    assert [player["deck"] for player in position["players"]] == [*card_set().ids[:2]]
    for player in position["players"]:
        assert (player["life"], player["xp"], player["level"], player["rows"], player["hand"]) == (50, 0, 1, [], [])
        assert len(player["library"]) == 40


def test_cards_of_the_deck_that_are_named_nowhere_are_in_the_library():
    own = {
        "deck": "beast_rush",
        "rows": [["beast_alpha", "tok_dire_beast over beast_shifter", "tok_bones"]],
        "hand": ["spark"],
        "discard": ["beast_cub"],
    }
    library = Counter(WORDS.position(placed({"players": [own, {}]}), card_set())["players"][0]["library"])
    assert library.total() == 36
    assert (library["beast_alpha"], library["beast_shifter"], library["spark"], library["beast_cub"]) == (0, 2, 1, 3)


def test_what_a_creature_bears_is_read_and_told_alike():
    words = "undead_lich, 2 damage, 1 rage, 3 health, 2 shield, 1 weakness, 1 decay, 4 ready, has BLOCK, has RANGE(4)"
    words += ", has UNDEATH, lost MAGIC, morale health, 1 swap, acted, entered, charm waits, pacified"
    assert WORDS.position(placed(table({"rows": [[words]]})), card_set())["players"][0]["rows"] == [[words]]
    otherwise = "undead_lich ,acted, PACIFIED,charm waits, lost magic, has undeath(1), has  range(4), has block, entered"
    otherwise += ", 1 swaps, 4 ready, 1 decay,1 weakness,2 shield,3 Health,1 rage,2 damage, Morale health"
    assert placed(table({"rows": [[otherwise]]})) == placed(table({"rows": [[words]]}))


def test_swarm_takes_what_is_printed_and_leaves_what_is_told_besides():
    state = placed(table({"rows": [["fae_drake, has SWARM(2)"]]}))
    assert (state["ability"][0] > 0).sum() == 1
    assert WORDS.position(state, card_set())["players"][0]["stats"] == [["10/14"]]


def test_attack_and_health_are_told_as_they_are_with_what_others_give():
    """RIFT-61, 62, 80, 93."""
    rows = [["soldier_drummer", "soldier_recruit, 1 rage"], ["beast_alpha", "soldier_drummer, morale health"]]
    player = WORDS.position(placed(table({"rows": rows})), card_set())["players"][0]
    assert player["stats"] == [["3/4", "4/3"], ["7/9", "3/4"]]


# ---- decisions, draws -----------------------------------------------------------------------------------------------


def odd_names() -> CardSet:
    """Cards with names that could be read as something else."""
    document: Any = dict(GAME.load(None).document)
    document["card"] = [card | {"name": f"{card['id']} on, with"} for card in document["card"]]
    return GAME.from_document(document)


def test_names_that_could_mean_something_else_are_told_apart():
    cards = odd_names()
    state = placed(table({"hand": ["spark", "mending"]}, {}), cards)
    words = options_of(state, cards)
    assert "play spark on, with (spark) (level 1)" in words
    assert len(set(words)) == len(words)


def test_decisions_read_like_the_rulebook():
    assert options_of(placed(table({"hand": ["spark", "spark", "beast_boar"], "xp": 500}))) == [
        "end the turn",
        "play Spark (level 1)",
        "use Beast Cub (front 1)",
        "use Beast Cub (front 2)",
        "use Beast Hawk",
    ]
    assert options_of(placed(table(phase="creature", pending={"user": [0, 0, 0]}))) == [
        "swap Beast Cub (front 1) with Beast Cub (front 2)",
        "swap Beast Cub (front 1) with Beast Hawk",
        "attack Soldier Guard with Beast Cub (front 1)",
    ]
    place = table(phase="place", pending={"step": "played", "playing": "beast_boar", "entrant": "beast_boar"})
    assert options_of(placed(place)) == [
        "place it in the front row at the left end",
        "place it in the front row as number 2",
        "place it in the front row at the right end",
        "place it in the second row at the left end",
        "place it in the second row at the right end",
        "place it in a new row behind",
    ]


def test_actions_read_like_the_rulebook():
    everything = "beast_cub, has CHARM, has PACIFY, has HEAL(2), has MORALE(1), has READY(1)"
    options = options_of(placed(table({"rows": [[everything]]}, phase="creature", pending={"user": [0, 0, 0]})))
    assert options[:2] == ["attack Soldier Guard with Beast Cub", "attack Soldier Medic with Beast Cub"]
    assert options[2:] == [
        "charm with Beast Cub",
        "heal with Beast Cub",
        "switch the morale of Beast Cub",
        "pacify with Beast Cub",
        "ready Beast Cub",
    ]
    others = {"rows": [["fae_queen", "undead_gravecaller", "beast_shifter"]]}
    last = [options_of(placed(table(others, phase="creature", pending={"user": [0, 0, at]})))[-1] for at in range(3)]
    assert last == ["use the spell of Fae Queen", "summon with Undead Gravecaller", "transform Beast Shifter"]


def test_a_creature_that_both_have_is_told_with_its_seat():
    spark = {"step": "list", "list_card": "spark", "aim": "effect", "to_choose": 1, "after_list": "card_done"}
    both = table({"rows": [["beast_cub", "beast_hawk"]]}, {"rows": [["beast_cub", "beast_cub"]]}, phase="target")
    assert options_of(placed(both | {"pending": spark | {"playing": "spark", "spell": "spark"}})) == [
        "choose Beast Cub (seat 1)",
        "choose Beast Hawk",
        "choose Beast Cub (seat 2, front 1)",
        "choose Beast Cub (seat 2, front 2)",
    ]


def test_copies_in_hand_are_told_apart():
    hands = {"hand": ["beast_cub", "beast_hawk", "beast_cub"], "library": ["spark"]}
    state = placed({"phase": "mulligan", "players": [hands, hands], "pending": {"seat": 0, "cursor": 2}})
    assert options_of(state) == ["keep Beast Cub (number 2)", "return Beast Cub (number 2)"]


def test_draws_are_named_as_cards_are():
    cards = card_set()
    spark = ids_of(cards).index("spark")
    assert WORDS.draw("Spark", cards) == WORDS.draw("spark", cards) == spark
    assert WORDS.draw("soldier_guard", cards) == WORDS.draw("soldier guard", cards)
    assert (WORDS.draw("seat 0", cards), WORDS.draw("Seat 1", cards)) == (0, 1)
    for wrong in ("sparc", "tok_bones", "seat 2"):
        with pytest.raises(ValueError, match="is no card; "):
            WORDS.draw(wrong, cards)


# ---- the picture ----------------------------------------------------------------------------------------------------


def test_the_picture_shows_both_formations_and_who_stands_half_a_tile_aside():
    first = {
        "deck": "beast_rush",
        "xp": 3200,
        "used_levels": 2,
        "rows": [["beast_cub", "beast_charger, 2 damage, acted"], ["beast_hawk, entered"]],
        "hand": ["spark", "spark", "war_cry"],
        "weapons": [{"card": "short_sword", "uses": 2, "used": True}],
    }
    second = {
        "deck": "fae_tricks",
        "life": 31,
        "rows": [["fae_treant", "fae_stalker, face down", "fae_mage, 1 shield"]],
        "tricks": ["echo"],
        "armour": [{"card": "chain_armour", "points": 5}],
    }
    assert WORDS.picture(placed(table(first, second)), card_set()).splitlines() == PICTURE


PICTURE = """
* seat 1   Beast Rush   life 50   level 5, 2 used   experience 3,200   library 0   discard 0
           removed 0   weapons: Short Sword 2/2 (used)   hand: 2x Spark (1), War Cry (2)
                                        ┌─ 2/2 ────────────┐
                                        │ Beast Hawk       │
                                        │ FLIGHT           │
                                        │ entered          │
                                        └──────────────────┘
                              ┌─ 2/2 ────────────┐┌─ 6/4 of 6 ───────┐
                              │ Beast Cub        ││ Beast Charger    │
                              │                  ││ RELENTLESS       │
                              │                  ││ acted            │
                              └──────────────────┘└──────────────────┘
····································································································
                    ┌─ 3/9 ────────────┐┌╌ 4/4 ╌╌╌╌╌╌╌╌╌╌╌╌┐┌─ 4/3 ────────────┐
                    │ Fae Treant       │┊ Fae Stalker      ┊│ Fae Mage         │
                    │ ROOTED, AURA(1)  │┊ RESISTANCE,      ┊│ MAGIC, RANGE(2)  │
                    │                  │┊ STEALTH          ┊│ 1 shield         │
                    │                  │┊ face down        ┊│                  │
                    └──────────────────┘└╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘└──────────────────┘
  seat 2   Fae Tricks   life 31   level 1   experience 0   library 0   discard 0   removed 0
           armour: Chain Armour 5   tricks: Echo   hand: empty

turn 7   decision: main
""".strip("\n").splitlines()
