"""The longest games: no counter wraps around, however long and strange a game gets."""

from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import write_outcome
from sim.engine.loop import advance
from sim.games.rookling import GAME
from sim.games.rookling.cards import TOKENS
from sim.games.rookling.outcome import OUTCOME
from sim.games.rookling.state import STATE, Cause, Phase
from sim.run import bench_for
from tests.games.rookling.invariants import check
from tests.games.rookling.playing import PLAYING
from tests.games.rookling.positions import a, table

STATE_BYTES = 1_750  # a position must stay small: search copies it
LONGEST = 2_000  # exchanges: the most that a card file can ask for
MOMENTS = 100_000  # cards drawn; more than in any game
INT16 = 2**15 - 1
STRONG = 12  # the most that a line gives, and the most of a supply
MOST = 6  # the most of any other number


def all_own(*names: str) -> list[dict[str, Any]]:
    """Effects of the most points on the whole row."""
    return [{"do": name, "scope": "all_own", "n": MOST} for name in names]


def rookling(place: int, grants: tuple[str, str]) -> dict[str, Any]:
    """A Rookling whose lines all need a single point of any energy and give the most there is. grants: by special line."""
    strike = {"name": "strike", "kind": "attack", "amount": STRONG, "match_colour": "red", "match_bonus": MOST}
    guard = {"name": "guard", "kind": "defence", "amount": STRONG, "match_colour": "red", "match_bonus": MOST}
    one, two = ({"name": f"{grant} {i}", "kind": "special", "effects": all_own(grant, "heal")} for i, grant in enumerate(grants))
    lines = [line | {"number": 2, "colour": "any", "siege": {"number": 1}} for line in (strike, guard, one, two)]
    return {"id": f"r{place}", "name": f"R {place}", "family": "", "line": lines, "source": "assumed"}


def longest(*grants: str, tokens: tuple[dict[str, Any], ...] = ()) -> CardSet:
    """Cards for a game of 2,000 exchanges in which everything is as strong as it can be."""
    rules = {"start_life": 15, "heal_cap": 15, "hand": 6, "hand_max": 6, "turn_cap": LONGEST, "source": "assumed"}
    document = {
        "game": "rookling",
        "format": 1,
        "title": "The longest game",
        "rules": rules,
        "energy": {"colours": ["red", "blue"], "counts": {"red": [0, 9, 9, 9], "blue": [0, 1]}, "source": "assumed"},
        "token": list(tokens),
        "field_effect": [],
        "rookling": [rookling(place, grants) for place in range(6)],
    }
    return GAME.from_document(document)


def play_on(cards: CardSet, attacks: int, blocks: int) -> tuple[np.void, np.void]:
    """Play to the cap with every special line in use; returns the last position and its outcome.

    attacks: places of the row, from the left, that attack. blocks: 1: all Rooklings defend, 0: none.
    """
    workspace = PLAYING.seated(cards, 0, (0, len(cards.ids) - 1))
    options, state = PLAYING.open_now(workspace, cards), workspace.states[0]
    while options:
        attack = int(state["cursor"] < attacks)
        wanted = {Phase.ASSIGN: 1, Phase.ACTIVATE: 1, Phase.ATTACK: attack, Phase.DEFEND: blocks}
        pick = wanted.get(Phase(state["phase"]), 0)
        options = PLAYING.open_now(workspace, cards, options[min(pick, len(options) - 1)])
    assert state["turn"] == LONGEST
    outcome = np.zeros(1, OUTCOME)
    write_outcome(state, outcome[0])
    check(workspace.states[:1], cards)
    return state, outcome[0]


def test_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


def test_the_last_exchange_of_the_longest_game_ends_it():
    moments = {"now": MOMENTS, "drawn": [[MOMENTS], []]}
    game = table(a("hiss stone rute", hand="red 4"), turn=LONGEST - 1, moments=moments, rules={"turn_cap": LONGEST}).idle()
    assert (game.over, game.turn) == (False, LONGEST)
    assert game.state["turn"] == GAME.turn_limit(game.cards)
    assert game.state["drawn_at"][0, :4].tolist() == [MOMENTS, MOMENTS + 1, MOMENTS + 2, MOMENTS + 3]


@pytest.mark.soak
def test_what_is_blocked_in_the_longest_game_is_counted():
    """Attacks of 12 + 6 + 3 x 6 = 36 against blocks of 36, nearly always with red energy."""
    last, outcome = play_on(longest("attack_plus", "defence_plus"), attacks=1, blocks=1)
    declared, blocked = last["declared"].sum(axis=(1, 2)), last["blocked"].sum(axis=1)
    assert (declared > INT16).all()
    assert (blocked > INT16).all()
    assert last["lost_block"].sum() == last["blocked"].sum()
    assert (outcome["declared_front"].sum(axis=1) == declared).all()
    assert (outcome["blocked"].sum(axis=1) == blocked).all()
    assert last["draws"] > INT16 / 4
    assert (outcome["cards_drawn"] == last["cards_drawn"]).all()


@pytest.mark.soak
def test_what_is_dealt_lost_and_healed_in_the_longest_game_is_counted():
    """Attacks of 12 + 6 + 6 x 6 = 54 flip two Rooklings of 15 in every exchange; they heal before the next one."""
    last, outcome = play_on(longest("attack_plus", "attack_plus"), attacks=2, blocks=0)
    assert (last["flips"][:, :2, Cause.ATTACK] >= LONGEST // 2 - 1).all()
    assert (last["healed_back"][:, :2] >= LONGEST // 2 - 1).all()
    assert (last["lost_excess"][:, :2] > INT16).all()
    assert last["damage_in"][-1] > INT16
    assert (outcome["flips_by_attack"] == last["flips"][..., Cause.ATTACK]).all()
    assert (outcome["healed_back"] == last["healed_back"]).all()
    assert (outcome["lost_excess"] == last["lost_excess"]).all()
    assert outcome["damage_in"][-1] == last["damage_in"][-1]


def test_rook_60_the_poison_of_all_token_cards_fits_a_packet():
    """16 kinds of 12 token cards of 6 points are 1,152 points; a packet carries 1,023, more than any row has."""
    poison = {"harmful": True, "trigger": "end_attack", "until": "cleared", "supply": STRONG, "source": "assumed"}
    ops = [{"op": "damage", "n": MOST}]
    kinds = tuple({"id": f"p{i}", "name": f"P {i}", "ops": ops} | poison for i in range(TOKENS))
    cards = longest("attack_plus", "attack_plus", tokens=kinds)
    all_of_them = [f"p{i}" for i in range(TOKENS) for _ in range(STRONG)]
    row = {"row": ["r0", "r1", "r2"], "life": [15, 0, 15], "tokens": [[], all_of_them, []]}
    workspace = bench_for(GAME)
    GAME.words.place({"players": [row, {"row": ["r3", "r4", "r5"]}]}, cards, workspace.states[0])
    state = workspace.states[0]
    for phase in (Phase.ROW, Phase.SIDE):  # no player has a card: nothing but the poison happens
        assert state["phase"] == phase
        advance(workspace, cards.record, 0)
    assert state["life"].tolist() == [[0, 0, 15], [15, 15, 15]]
    assert state["taken"][0, 0, Cause.POISON] == 15
