"""Rookling Heroes in words: decisions, positions in both directions, and the picture."""

import re
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.games.rookling import GAME
from sim.games.rookling.rules.energy import pick_card
from sim.games.rookling.state import FIELD, Phase
from tests.every_game.play import fresh_dice
from tests.games.rookling.invariants import check
from tests.games.rookling.playing import VARIANTS, card_set, game_at_random, options_of, placed

WORDS = GAME.words
STRIDE = 10  # positions of a game at this interval are placed again
HISS, STONE = ["hiss", "rute", "rime"], ["stone", "delvi", "banner"]
FIELDS = (  # of the state: all but the facts for the outcome, and what is left of a packet that is over
    *("turn", "rook", "squad", "life", "at", "tok", "tok_new", "fe_tok", "bears", "pending", "fixed", "zone_kinds"),
    *("pile", "supply", "effect", "hand_n", "hand", "drawn_at", "draws", "entered", "deck_n", "disc_n", "disc"),
    *("zone_n", "zone", "capacity", "powered", "shown", "matched", "activated", "line", "att", "dfn", "cover"),
    *("attack_flat", "attack_plus", "defence_flat", "defence_plus"),
    *("attacker", "first", "drafter", "defending", "phase", "poison", "skip", "winner"),
)
OF_A_DRAFT = ("rook", "drafter", "phase", "cursor", "at", "hand_n", "deck_n")  # nothing else is on the table


def table(first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, **position: Any) -> dict[str, Any]:
    """A position of Hiss, Rute and Rime against Stone, Delvi and Banner, by default about to place cards in exchange 2."""
    players = [{"squad": HISS} | (first or {}), {"squad": STONE} | (second or {})]
    return {"phase": "assign", "turn": 1, "players": players} | position


# ---- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_met_in_play_can_be_placed_again(variant: str):
    cards = card_set(variant)
    for state, options, _ in game_at_random(variant)[::STRIDE]:
        position = WORDS.position(state, cards)
        again = placed(position, cards)
        assert WORDS.position(again, cards) == position
        assert options_of(again, cards) == [WORDS.action(state, cards, action) for action in options]
        for field in OF_A_DRAFT if state["phase"] == Phase.DRAFT else FIELDS:
            assert (again[field] == state[field]).all(), field
        assert sorted(again["deck"][: again["deck_n"]]) == sorted(state["deck"][: state["deck_n"]])


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_of_play_obey_the_invariants(variant: str):
    check(np.array([state for state, _, _ in game_at_random(variant)[::STRIDE]]), card_set(variant))


@pytest.mark.parametrize(
    "packet",
    [
        {"open": ["left"], "used": ["right"], "hits": {"middle": "middle"}},
        {"phase": "side", "open": ["left", "right"], "struck": "middle", "left": 3, "hits": {"middle": "middle"}},
        {"phase": "block", "open": ["right"], "struck": "middle", "left": 2, "landing": "left", "blocker": "left"},
    ],
)
def test_a_resolution_under_way_can_be_placed_again(packet: dict[str, Any]):
    phase = packet.get("phase", "next")
    pending = {key: value for key, value in packet.items() if key != "phase"}
    struck = {"life": [4, 0, 6]}
    state = placed(table(None, struck, phase=phase, attack=[3, 5, 2], defence=[2, 0, 4], pending=pending))
    words = WORDS.position(state, card_set())["pending"]
    assert words == {"poison": False, "used": [], "hits": {}} | pending
    again = placed(WORDS.position(state, card_set()))
    assert again["clash"] == state["clash"]
    assert options_of(again) == options_of(state)


def test_energy_that_powers_a_line_in_use_need_not_be_named():
    """ROOK-61. A field effect that counted for the line will be slid under; the position only shows that the line is in use."""
    own = {"energy": [["red 4"], [], []], "exchange": {"lines": [["Vent"], [], []]}}
    state = placed(table(own, phase="next", attack=[5, 0, 0]))
    assert WORDS.position(state, card_set())["players"][0]["exchange"]["powered"] == [["red 4"], [], []]


def test_only_squads_are_needed():
    """Everything else is that of a fresh game in which seat 0 is about to arrange its row."""
    position = WORDS.position(placed({"players": [{"squad": HISS}, {"row": STONE}]}), card_set())
    assert (position["phase"], position["attacker"], position["turn"], position["defending"]) == ("row", 0, 0, False)
    assert (position["deck_size"], position["discard"], position["supply"]["frozen"]) == (48, {}, 6)
    assert [player["row"] for player in position["players"]] == [HISS, STONE]
    assert position["players"][0]["pile"] == ["black_ice", "black_ice"]
    assert [player["life"] for player in position["players"]] == [[6, 6, 6], [6, 6, 6]]


def test_cards_named_nowhere_are_in_the_deck():
    position = WORDS.position(placed(table({"hand": ["red 6"], "energy": [["blue 6"], [], []]})), card_set())
    assert position["deck_size"] == 46
    assert "red 6" not in position["deck"]
    assert position["deck"]["green 6"] == 1


def test_with_a_given_deck_the_rest_is_discarded():
    position = WORDS.position(placed(table(deck={"red 6": 1})), card_set())
    assert (position["deck"], position["deck_size"], position["discard_size"]) == ({"red 6": 1}, 1, 47)
    assert position["players"][0]["pile"] == ["black_ice", "black_ice"]


def test_field_effects_that_miss_from_a_given_pile_are_in_the_deck():
    position = WORDS.position(placed(table({"pile": ["black_ice"]})), card_set())
    assert (position["deck"]["black_ice"], position["deck_size"]) == (1, 49)
    assert position["moments"]["entered"] == {"black_ice": [1]}


def test_numbers_on_a_rookling_follow_from_its_cards():
    state = placed(
        table(
            {
                "squad": ["valt", "rute", "rime"],
                "energy": [["red 4", "red 2", "tunnel"], [], []],
                "exchange": {"capacity": [4, 1, 1]},
            }
        )
    )
    assert state["shown"][0, 0].tolist() == [6, 0, 0, 0, 0, 0, 9]  # red, other colours, in all
    assert state["matched"][0, 0] == 1


def test_lists_are_from_left_to_right_and_the_roster_stays():
    row = {"squad": STONE, "row": ["banner", "stone", "delvi"], "life": [1, 2, 3], "tokens": [["frozen"], [], []]}
    state = placed(table(None, row))
    assert state["at"][1].tolist() == [2, 0, 1]
    assert state["life"][1].tolist() == [2, 3, 1]
    assert state["bears"][1].tolist() == [0, 0, 1]


def test_in_two_sets_field_effects_tell_whose_they_are():
    cards = card_set("two sets")
    state = placed({"players": [{"squad": HISS, "slid": [["black_ice (seat 1)"], [], []]}, {"squad": HISS}]}, cards)
    players = WORDS.position(state, cards)["players"]
    assert players[1]["pile"] == ["black_ice (seat 1)"]
    assert players[0]["pile"] == ["black_ice (seat 0)", "black_ice (seat 0)"]


# ---- positions that cannot be ---------------------------------------------------------------------------------------

CONFUSED = [["confused"], [], []]
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    (table({"squad": ["hiss", "rute", "stone"]}), r"players\[1\].squad = .*: stone is in the other squad too"),
    (table({"row": ["hiss", "rute", "stone"]}), r"players\[0\].row = .*: must be the squad from left to right"),
    (table({"life": [0, 0, 0]}), r"players\[0\].life = .*: all three are in siege-state"),
    (table({"slid": [["tunnel"], [], []]}), r"players\[0\].slid = .*: has a field effect that becomes a fixed token"),
    (table({"fixed": [["tunnel"], ["tunnel"], []]}), r"players\[0\].fixed = .*: has one that already lies in a zone"),
    (
        table({"energy": [["red 4", "red 3"], [], []]}),
        r"players\[0\].energy = .*: has 2 cards on the left; exchange.capacity allows 1",
    ),
    (table({"exchange": {"powered": [["red 4"], [], []]}}), "names a card that is not among the energy there"),
    (table(deck_size=40), "deck_size = 40: follows from the rest and is 48"),
    # what cannot be at this step of an exchange
    (
        table({"energy": [[], [], ["red 4"]], "tokens": [[], [], ["frozen"]]}),
        r"players\[0\].energy = .*: Rime on the right bears frozen and takes no energy",
    ),
    (
        table({"energy": [["red 4"], [], []], "exchange": {"activated": [["Pressure"], [], []]}, "tokens": CONFUSED}),
        r"players\[0\].exchange = .*: Hiss on the left bears confused and activates no special line",
    ),
    (
        table({"energy": [["red 4"], [], []]}, phase="row"),
        r'players\[0\].energy = .*: must be left out; .* later than phase "row"',
    ),
    (
        table({"exchange": {"lines": [["Scald"], [], []]}}, phase="attack"),
        r"players\[0\].exchange.lines = .*: Scald is not met by the energy on the left",
    ),
    (
        table({"energy": [["red 4"], [], []], "exchange": {"lines": [["Vent"], [], []]}}),
        'Vent is in use; lines are declared later than phase "assign"',
    ),
    (table(attack=[1, 0, 0]), r'attack = \[1, 0, 0\]: must be 0 everywhere; nothing is declared in phase "assign"'),
    (table(phase="attack", defending=True), 'defending = true: must be false in phase "attack"'),
    (table(None, {"skip": True}), r"players\[1\].skip = true: must be false; only the attacker pays"),
    (
        table(None, {"tokens": [["hidden"], [], []]}, phase="next", attack=[1, 0, 0]),
        r"players\[1\].tokens = .*: Stone on the left is attacked; hidden would have acted and been spent",
    ),
    (table(phase="activate", pending={"at": "left", "line": "Pressure"}), 'pending.line = "Pressure": cannot be activated now'),
    (table(phase="target", pending={"at": "middle", "line": "Antidote"}), 'pending.line = "Antidote": cannot be activated'),
    (table(phase="next"), "pending.open: no attack is left to resolve"),
    (table(phase="next", attack=[1, 0, 0], pending={"open": ["right"]}), "pending.open = .*: there is no attack on the right"),
    # what the invariants of play refuse
    (table(deck={"red 4": 2}, discard={"red 4": 1}), "players = .*: 3 red 4 are named in all places together; there are 2"),
    (table(winner=0), 'winner = 0: must be left out in phase "assign"; the game is not over'),
    (table(None, {"life": [0, 0, 0]}, phase="over", winner=1), "winner = 1: has all three Rooklings in siege-state"),
    (table(phase="over"), 'phase = "over": both players have Rooklings with life'),
    (table({"hand": ["red 4", "red 3"]}, moments={"drawn": [[3, 2], []], "now": 3}), "moments.drawn = .*: must not fall"),
    (table({"hand": ["red 4"]}, moments={"drawn": [[3], []], "now": 2}), "moments.now = 2: must be at least 3"),
    (table({"hand": ["black_ice"]}, moments={"drawn": [[1], []]}), "moments.drawn = .*: .* drawn before it went into the deck"),
    (
        table({"pile": []}, moments={"entered": {"black_ice": [2, 1]}}),
        "moments.entered = .*: must be one number for each copy in deck and hands, in ascending order",
    ),
    ({"phase": "draft", "players": [{"squad": ["hiss"]}, {"squad": []}], "drafter": 1}, "do not fit a draft"),
]


@pytest.mark.parametrize(("position", "message"), IMPOSSIBLE, ids=lambda value: value[:60] if isinstance(value, str) else "")
def test_what_cannot_be_is_refused(position: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        placed(position)


# ---- decisions, draws -----------------------------------------------------------------------------------------------


def odd_names() -> CardSet:
    """Cards with names that could be read as something else."""
    document: Any = dict(GAME.load(None).document)
    document["field_effect"] = [effect | {"name": "Red 4"} for effect in document["field_effect"]]
    document["rookling"] = [entry | {"name": f"Rime on {entry['id']}, x"} for entry in document["rookling"]]
    return GAME.from_document(document)


def test_names_that_could_mean_something_else_are_told_apart():
    cards = odd_names()
    hand = {"hand": ["red 4", "black_ice", "tunnel"]}
    words = options_of(placed(table(hand), cards), cards)
    assert len(set(words)) == len(words) == 10
    assert "put red 4 on Rime on hiss, x (hiss)" in words
    assert "put Red 4 (tunnel) on Rime on hiss, x (hiss)" in words
    rows = options_of(placed(table(phase="row"), cards), cards)
    assert len(set(rows)) == len(rows) == 6


def test_decisions_read_like_the_rulebook():
    poisoned = {"hand": ["red 4"], "tokens": [[], ["poisoned"], []]}
    assert options_of(placed(table(poisoned, phase="clear"))) == ["stop clearing", "clear Rute with red 4"]
    pressure = table({"energy": [["red 4"], [], []]}, phase="activate", pending={"at": "left", "line": "Pressure"})
    assert options_of(placed(pressure)) == ["leave Pressure unused", "activate Pressure"]
    green = {"life": [5, 5, 6], "energy": [[], ["green 3"], []]}
    antidote = table(green, phase="target", pending={"at": "middle", "line": "Antidote"})
    assert options_of(placed(antidote)) == ["Antidote for Hiss", "Antidote for Rute"]
    attack = table({"energy": [["red 4"], [], []]}, phase="attack")
    assert options_of(placed(attack)) == ["Hiss does not attack", "attack with Scald", "attack with Vent"]
    poison = table({"life": [0, 6, 6]}, phase="next", attack=[1, 1, 0], pending={"poison": True})
    assert options_of(placed(poison))[1] == "resolve the poison on the middle first"


def test_draws_are_named_as_cards_are():
    cards = card_set()
    red = cards.document["energy"]["colours"].index("red")
    assert WORDS.draw("Red 4", cards) == red * 9 + 3
    effects = [effect["id"] for effect in cards.document["field_effect"]]
    assert WORDS.draw("Tunnel", cards) == FIELD + effects.index("tunnel")
    assert WORDS.draw("Black Ice", cards) == WORDS.draw("black_ice", cards) == FIELD + effects.index("black_ice")
    with pytest.raises(ValueError, match='is no card; did you mean "red 4"'):
        WORDS.draw("rad 4", cards)


def test_a_refused_draw_offers_only_cards_that_there_are():
    """No colour has a 7: neither it is a card, nor is it offered."""
    with pytest.raises(ValueError, match=r"is no card; (did you mean|must be one of) ") as refused:
        WORDS.draw("red 7", card_set())
    assert not {f"red {number}" for number in (7, 8, 9)} & {*re.findall(r"red \d", str(refused.value))}


def test_rook_02_with_two_sets_a_draw_names_whose_field_effect_it_is():
    cards = card_set("two sets")
    both = {"squad": STONE, "hand": []}
    for seat in range(2):
        position = {"phase": "assign", "players": [both, both], "deck": {f"tunnel (seat {seat})": 1 for seat in range(2)}}
        assert drawn_of(placed(position, cards), cards, f"tunnel (seat {seat})") == FIELD + seat * 3 + 1
    with pytest.raises(ValueError, match=r'is ambiguous.* must be "tunnel \(seat 0\)" or "tunnel \(seat 1\)"'):
        WORDS.draw("Tunnel", cards)
    with pytest.raises(ValueError, match="is no card"):
        WORDS.draw("tunnel (seat 1)", card_set())


def drawn_of(state: np.void, cards: CardSet, words: str) -> int:
    """Kind of the card that a scripted draw takes from the deck."""
    dice = fresh_dice()
    dice["draws"][0], dice["draws_scripted"] = WORDS.draw(words, cards), 1
    return int(state["deck"][pick_card(state, dice, 0)])


# ---- the picture ----------------------------------------------------------------------------------------------------


def test_the_picture_shows_both_rows_and_what_flies_between_them():
    first = {
        "energy": [["red 4"], [], []],
        "exchange": {"lines": [["Vent"], [], []]},
        "tokens": [[], ["poisoned"], []],
        "coming": [[], ["frozen"], []],
        "fixed": [[], [], ["tunnel"]],
        "hand": ["blue 2", "blue 2"],
    }
    second = {"life": [4, 0, 6], "energy": [["blue 2"], [], []], "exchange": {"lines": [["Bulwark"], [], []]}}
    more = {"phase": "next", "attack": [5, 2, 0], "defence": [2, 0, 0]}
    assert WORDS.picture(placed(table(first, second, **more)), card_set()).splitlines() == PICTURE


PICTURE = """
  seat 1  attacks   hand: 2x blue 2   pile: 2x Black Ice
┌─ Hiss ───────────────────────┐  ┌─ Rute ───────────────────────┐  ┌─ Rime ───────────────────────┐
│ ██████ 6                     │  │ ██████ 6                     │  │ ██████ 6                     │
│ red 4                        │  │                              │  │                              │
│                              │  │ Poisoned, (Frozen)           │  │ in the zone: Tunnel          │
└──────────────────────────────┘  └──────────────────────────────┘  └──────────────────────────────┘
            ▼ 5 Vent                            ▼ 2
          ▲ 2 Bulwark
┌─ Stone ──────────────────────┐  ╔═ Delvi in siege-state ═══════╗  ┌─ Banner ─────────────────────┐
│ ████░░ 4                     │  ║ ░░░░░░ 0                     ║  │ ██████ 6                     │
│ blue 2                       │  ║                              ║  │                              │
└──────────────────────────────┘  ╚══════════════════════════════╝  └──────────────────────────────┘
* seat 2  defends   hand: empty   pile: 3x Rubble, Tunnel

exchange 2   decision: next   deck 44   discard pile 0   Frozen 5 of 6   Poisoned 5 of 6
""".strip("\n").splitlines()
