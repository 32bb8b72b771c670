"""Decisions in words, positions by readable names, and positions drawn as text."""

from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.dice import SEATS_MAX
from sim.engine.policies import new_workspace
from sim.games.runeslingers import GAME
from sim.games.runeslingers.cards import ids_of
from sim.games.runeslingers.state import Lost
from tests.games.runeslingers.playing import VARIANTS, card_set, game_at_random, open_now, options_of, placed, played, table

WORDS = GAME.words
STRIDE = 6  # positions of a game at this interval are placed again
FIELDS = (  # of the state, the same whichever copies of a card lie where
    *("turn", "power", "determination", "health", "light", "barrier", "sets_left", "blocked", "inherent_uses"),
    *("boosts", "stat", "hears", "deck_of", "own_turns", "deck_n", "hand_n", "discard_n", "void_n", "conc_used"),
    *("conc_seq", "used", "tokens", "damage", "guard", "charged", "uses", "under_hidden", "thing_seq"),
    *("count", "phase", "seat", "options_n", "stage", "active", "first", "chooser", "winner", "depth"),
)


# ---- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_met_in_play_can_be_placed_again_and_go_on_alike(variant: str):
    cards = card_set(variant)
    for state, options, taken in game_at_random(variant)[::-STRIDE]:
        position = WORDS.position(state, cards)
        again = placed(position, cards)
        assert WORDS.position(again, cards) == position
        assert options_of(again, cards) == [WORDS.action(state, cards, action) for action in options]
        if not options:
            continue  # the end; nothing is asked of what was under way
        for field in FIELDS:
            assert (again[field] == state[field]).all(), field
        assert (again["options"][: len(options)] == options).all()
        (here, here_open), (there, there_open) = decided(state, cards, taken), decided(again, cards, taken)
        if not (here["powers_lost"] != state["powers_lost"])[:, Lost.DECK].any():  # a shuffle goes by copies, not by cards
            assert WORDS.position(there, cards) == WORDS.position(here, cards)
            assert there_open == here_open


def decided(state: np.void, cards: CardSet, action: int) -> tuple[np.void, list[int]]:
    """The state after a decision, with dice that are the same each time, and what is open then."""
    workspace = new_workspace(GAME.state, GAME.options_max, SEATS_MAX)
    workspace.states[0] = state
    options = open_now(workspace, cards, action)
    return workspace.states[0], options


def test_nothing_is_needed():
    """Everything else is that of an encounter in whose first turn seat 0 is in its Play Phase."""
    position = WORDS.position(placed({}), card_set())
    keys = ("phase", "stage", "active", "turn", "first")
    assert [position[key] for key in keys] == ["going", "play", 0, 0, 0]
    assert position["pending"] == {}
    assert [player["deck"] for player in position["players"]] == [*card_set().ids[:2]]
    for player in position["players"]:
        assert (player["power"], player["health"], player["determination"], player["hand"]) == (5, 20, 0, [])
        assert len(player["draw_pile"]) == 30


def test_rune_05_cards_that_are_named_nowhere_are_under_the_draw_pile_in_the_order_of_the_list():
    own = {"deck": "eva_starter", "hand": ["fireball"], "draw_pile": ["binding"], "void": ["plutonic_spike"] * 2}
    pile = WORDS.position(placed({"players": [own, {}]}), card_set())["players"][0]["draw_pile"]
    assert pile[:5] == ["binding", "fireball", "small_bolt", "small_bolt", "shouted_bolt"]
    assert len(pile) == 27


def test_rune_05_the_rest_may_lie_elsewhere():
    own = {"deck": "eva_starter", "hand": ["fireball"], "draw_pile": ["binding"], "rest": "void"}
    player = WORDS.position(placed({"players": [own, {}]}), card_set())["players"][0]
    assert player["draw_pile"] == ["binding"]
    assert len(player["void"]) == 28


def test_rune_05_a_card_that_is_not_in_the_deck_takes_the_place_of_the_last_on_its_list():
    state = placed({"players": [{"deck": "eva_starter", "hand": ["twin_bolt"], "concentrations": 1}, {}]})
    player = WORDS.position(state, card_set())["players"][0]
    assert player["hand"] == ["twin_bolt"]
    assert player["concentrations"][0]["card"] == "binding"  # the last one; the last but one has become the twin bolt
    assert "shatter" not in player["draw_pile"]
    everywhere = [*state["hand"][0, :1], *state["conc"][0, :1], *state["deck"][0, : state["deck_n"][0]]]
    assert sorted(everywhere) == list(range(30))


def test_rune_05_what_lies_on_the_other_field_comes_from_its_owners_deck():
    boon = {"ailments": [{"type": "burn", "count": 2}], "boons": [{"card": "divine_barrier", "owner": 0}]}
    state = placed(table({}, boon))
    assert state["thing"][1, 6] // 40 == 0
    player = WORDS.position(state, card_set())["players"][1]
    assert player["boons"][0]["owner"] == 0
    assert player["exposed"]["burn"] == 0
    assert player["stats"]["block"] == 7


def test_rune_17_where_seat_0_goes_first_nobody_rolls():
    cards = card_set("third rule variants")
    assert WORDS.position(placed({}, cards), cards).get("chooser") is None
    with pytest.raises(ValueError, match=r"chooser = 1: must be left out"):
        placed({"chooser": 1}, cards)


# ---- decisions, draws -----------------------------------------------------------------------------------------------


def odd_names() -> CardSet:
    """Cards with names that could be read as something else."""
    document: Any = dict(GAME.load(None).document)
    document["card"] = [
        card | {"name": "Burn" if card["id"] == "binding" else f"{card['id']} on own{' X' * card.get('x', False)}"}
        for card in document["card"]
    ]
    return GAME.from_document(document)


def test_names_that_could_mean_something_else_are_told_apart():
    cards = odd_names()
    words = options_of(placed(table({"hand": ["insight", "binding"]}), cards), cards)
    assert "play insight on own (insight)" in words
    assert "set Burn (binding)" in words
    assert len(set(words)) == len(words)


def test_decisions_read_like_the_rulebook():
    hand = {"hand": ["insight", "insight", "fireball"], "power": 3, "light": 1}
    assert options_of(placed(table(hand))) == [
        "end the turn",
        "play Fireball",
        "play Insight",
        "set Fireball",
        "set Insight",
        "use the inherent ability",
        "use the equipped ability",
    ]


def test_things_of_a_kind_are_told_apart_by_their_place():
    chants = [{"slot": slot, "card": "gathering_chant", "tokens": 2} for slot in (1, 3)]
    assert options_of(placed(table({"things": chants, "hand": []}))) == [
        "end the turn",
        "use the inherent ability",
        "activate Gathering Chant (slot 1)",
        "activate Gathering Chant (slot 3)",
        "charge Gathering Chant (slot 1)",
        "charge Gathering Chant (slot 3)",
    ]


def open_after(position: dict[str, Any], *decisions: str, cards: CardSet | None = None) -> list[str]:
    """Decisions open after some, in words."""
    return played(position, *decisions, cards=cards)[1]


def test_rune_58_targets_are_named_by_side_and_what_they_are():
    trap = {"hand": ["stone_trap"], "things": [{"slot": 3, "card": "echo_chant"}]}
    other = {"ailments": [{"type": "curse"}], "boons": [{"card": "binding"}], "concentrations": 2}
    assert open_after(table(trap, other), "play Stone Trap") == [
        "target own concentration Insight",
        "target own Echo Chant",
        "target enemy concentration in slot 1",
        "target enemy concentration in slot 2",
        "target enemy Binding",
    ]
    bolt = open_after(table({"hand": ["small_bolt"]}), "play Small Bolt")
    assert bolt == ["target the own Runeslinger", "target the enemy Runeslinger"]


def test_rune_106_places_of_boons_are_named_by_what_lies_there():
    ailments = [{"type": "burn"}, {"type": "curse"}]
    own = {"hand": ["divine_barrier"], "ailments": ailments}
    other = {"ailments": [*ailments, {"type": "weaken"}], "boons": [{"area": n, "card": "binding"} for n in (1, 3)]}
    assert open_after(table(own, other), "play Divine Barrier") == [
        "lay it on own burn",
        "lay it on own curse",
        "lay it on enemy Binding (area 1)",
        "lay it on enemy curse",
        "lay it on enemy Binding (area 3)",
    ]


def test_rune_77_triggers_are_named_by_what_they_come_from():
    echoes = [{"slot": slot, "card": "echo_chant"} for slot in (1, 2)]
    bolt = table({"hand": ["small_bolt"], "things": echoes})
    assert open_after(bolt, "play Small Bolt", "target the enemy Runeslinger") == [
        "let the stance act",
        "let Echo Chant (slot 1) act",
        "let Echo Chant (slot 2) act",
    ]


def test_rune_33_ailments_wait_by_their_names():
    document: Any = dict(card_set().document)
    document["ailment"] = [
        entry | {"ailment_phase": [{"op": "lose", "n": 1}], "source": "assumed"} for entry in document["ailment"]
    ]
    cards = GAME.from_document(document)
    severe = table({"ailments": [{"type": "burn", "count": 4}, {"type": "weaken", "count": 4}]}, stage="ailment")
    assert open_after(severe, cards=cards) == ["go on"]
    assert open_after(severe, "go on", cards=cards) == ["let burn act", "let weaken act"]


def test_draws_are_named_as_cards_are():
    cards = card_set()
    bolt = ids_of(cards).index("small_bolt")
    assert WORDS.draw("Small Bolt", cards) == WORDS.draw("small_bolt", cards) == bolt
    with pytest.raises(ValueError, match=r'is no card; did you mean "small bolt"|did you mean "small_bolt"'):
        WORDS.draw("smal bolt", cards)


# ---- the picture ----------------------------------------------------------------------------------------------------


def test_the_picture_shows_both_fields_and_the_ladder():
    first = {
        "power": 4,
        "health": 13,
        "light": 2,
        "concentrations": ["insight", {"card": "insight", "used": True}, "shatter", "shatter"],
        "things": [{"slot": 2, "card": "gathering_chant", "tokens": 2, "damage": 1, "charged": True}],
        "hand": ["fireball", "fireball", "binding"],
        "ailments": [{"type": "burn", "count": 5}, {"type": "curse", "count": 1}],
        "boons": [{"area": 1, "card": "binding", "owner": 1}],
        "discard": ["cleanse"],
    }
    second = {
        "barrier": 4,
        "concentrations": ["fireball"],
        "things": [{"card": "stone_trap", "under": "small_bolt"}],
        "ailments": [{"type": "weaken", "count": 4}],
    }
    assert WORDS.picture(placed(table(first, second)), card_set()).splitlines() == PICTURE


PICTURE = """
* seat 1   Eva   deck: Eva Starter   Talaka's Heart   Flame of Nim
           power ●●●●○   health 13 of 20   block 4   determination 1   light 2   deck 20   discard 1
           void 0
           hand: 2x Fireball (3), Binding (1)
  ┌─ (burn 5 (II)) ──────┐┌─ curse 1 ────────────┐
  │ Binding              ││                      │
  │ defence 6            ││                      │
  │ of seat 2            ││                      │
  └──────────────────────┘└──────────────────────┘
  ┌─ 1 ready ────┐┌╌ 2 used ╌╌╌╌╌┐┌─ 3 ready ────┐┌─ 4 ready ────┐
  │ Insight      │┊ Gathering    ┊│ Shatter      ││ Shatter      │
  │              │┊ Chant        ┊│              ││              │
  │              │┊ defence 4/5  ┊│              ││              │
  │              │┊ tokens 2     ┊│              ││              │
  │              │┊ charged      ┊│              ││              │
  │              │┊ (Insight)    ┊│              ││              │
  └──────────────┘└╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘└──────────────┘└──────────────┘
····································································································
  ┌─ 1 ready ────┐
  │ Stone Trap   │
  │ defence 5    │
  │ holds Small  │
  │ Bolt         │
  │ (Fireball)   │
  └──────────────┘
  ┌─ weaken 4 (II) ──────┐
  └──────────────────────┘
  seat 2   Romin   deck: Romin Starter   Braced Stance   Deep Breath
           power ●●●●●   health 20 of 20   block 1   barrier 4   deck 27   discard 0   void 0
           hand: empty

turn 7 of seat 1   decision: main
""".strip("\n").splitlines()
