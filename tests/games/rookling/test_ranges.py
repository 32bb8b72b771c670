"""Every field of STATE stays in its range, and no counter overflows however long and strange a game gets."""

from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import write_outcome
from sim.engine.dice import SEATS_MAX
from sim.engine.jit import COMPILED
from sim.engine.loop import PLAN, advance, set_table
from sim.engine.policies import PolicySpec
from sim.engine.scenario import NO_DECISION
from sim.experiments.experiment import Experiment
from sim.games.rookling import GAME
from sim.games.rookling.cards import GREY, SIDES, SQUAD, TOKENS
from sim.games.rookling.outcome import OUTCOME
from sim.games.rookling.rules.attacks import AMOUNT_MAX
from sim.games.rookling.state import (
    CAPACITY_MAX,
    DECK_MAX,
    HAND_MAX,
    KINDS,
    NOBODY,
    POSITIONS,
    ROWS,
    SEATS,
    SLOTS,
    STATE,
    Cause,
    Phase,
)
from sim.run import bench_for, replay
from tests.every_game.play import enough
from tests.games.rookling.invariants import COUNTERS, LATE, check
from tests.games.rookling.random_documents import random_document

LONGEST = 2_000  # exchanges: the most that a card file can ask for
FLAG = (0, 1)
GRANTS = (0, 72)  # 2 special lines of 2 effects of 6 points on each of 3 Rooklings
MOMENT, BITS = (0, 2**31 - 1), (0, 2**16 - 1)  # numbers of moves of cards; kinds of tokens by bit
RANGES: dict[str, tuple[int, int]] = {
    "clash": (0, 2**43 - 1),
    "turn": (0, LONGEST),
    "squad": (NOBODY, 4_959),
    "rook": (NOBODY, 31),
    "member": (0, SQUAD - 1),
    "life": (0, 15),
    "at": (-1, 2),
    **dict.fromkeys(("tok", "tok_new", "supply"), (0, 12)),
    **dict.fromkeys(("fe_tok", "pile"), (0, 3)),
    **dict.fromkeys(("bears", "pending", "zone_kinds"), BITS),
    "fixed": (-1, 5),
    "effect": (NOBODY, 15),
    "hand_n": (0, HAND_MAX),
    **dict.fromkeys(("hand", "deck", "zone"), (0, KINDS - 1)),
    **dict.fromkeys(("drawn_at", "draws", "entered"), MOMENT),
    **dict.fromkeys(("deck_n", "disc_n"), (0, DECK_MAX)),
    "disc": (0, 9),
    "zone_n": (0, CAPACITY_MAX),
    "capacity": (1, CAPACITY_MAX),
    **dict.fromkeys(("powered", "activated"), (0, 15)),
    "shown": (0, 36),
    "matched": (0, 63),
    "line": (NOBODY, 3),
    **dict.fromkeys(("attack_flat", "attack_plus", "defence_flat", "defence_plus"), GRANTS),
    **dict.fromkeys(("att", "dfn"), (0, AMOUNT_MAX)),
    "cover": (0, 2_880),
    **dict.fromkeys(("attacker", "first", "defending", "poison", "skip", "visited"), FLAG),
    **dict.fromkeys(("drafter", "winner"), (NOBODY, 1)),
    "phase": (0, Phase.OVER),
    "cursor": (0, 6),
    "focus": (0, 2),
    **dict.fromkeys(("last_blow", "flip_cause"), (0, Cause.POISON)),
    "life_after": (-1, 45),
    "flips_in": (0, 2 * SQUAD),
    "picked": (0, 6),
    "start_at": (-1, SQUAD - 1),
}
COUNTED = [name for name in COUNTERS if name not in RANGES]  # these have the range of their type


def in_range(states: np.ndarray) -> None:
    """Hold positions to the range that stands beside each field."""
    for name, (least, most) in RANGES.items():
        values = states[name].astype(np.int64)
        assert least <= values.min() <= values.max() <= most, f"{name}: {values.min()}..{values.max()}"
    for name in COUNTED:
        assert states[name].min() >= 0, f"{name}: below 0"


def test_ranges_are_told_of_every_field_and_fit_its_type():
    assert {*RANGES, *COUNTED} == set(STATE.names)
    assert not {*COUNTED} & {*LATE} - {"first_flip", "two_down"}
    for name, (least, most) in RANGES.items():
        limits = np.iinfo(STATE[name].base)
        assert limits.min <= least <= most <= limits.max, name
    assert (SEATS * POSITIONS, SLOTS, ROWS, SIDES, GREY) == (6, 6, 6, 2, -1)


@pytest.mark.parametrize("number", range(12))
@pytest.mark.slow
def test_ranges_hold_in_games_with_any_valid_card_file(number):
    cards = GAME.from_document(random_document(Random(100 + number)))
    for index in range(enough(6, 1)):
        in_range(replay(Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), 6, number), index).positions)


# ---- the longest game ------------------------------------------------------------------------------------------------

needs_compiler = pytest.mark.skipif(not COMPILED, reason="20,000 decisions take a minute without the compiler")
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
    workspace, plan = bench_for(GAME), np.zeros(1, PLAN)
    plan["seats"], plan["stream"] = SEATS, np.arange(SEATS_MAX)
    plan["entrant"][0, :SEATS] = (0, len(cards.ids) - 1)
    set_table(workspace, cards.record[0], plan[0])
    count, state = advance(workspace, cards.record, NO_DECISION), workspace.states[0]
    while count and state["turn"] < LONGEST:
        attack = int(state["cursor"] < attacks)
        wanted = {Phase.ASSIGN: 1, Phase.ACTIVATE: 1, Phase.ATTACK: attack, Phase.DEFEND: blocks}
        pick = wanted.get(Phase(state["phase"]), 0)
        count = advance(workspace, cards.record, int(workspace.options[min(pick, count - 1)]))
    assert state["turn"] == LONGEST
    outcome = np.zeros(1, OUTCOME)
    write_outcome(state, outcome[0])
    check(workspace.states[:1], cards)
    in_range(workspace.states[:1])
    return state, outcome[0]


@needs_compiler
def test_ranges_hold_what_is_blocked_in_the_longest_game():
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


@needs_compiler
def test_ranges_hold_what_is_dealt_lost_and_healed_in_the_longest_game():
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


def test_ranges_the_poison_of_all_token_cards_fits_a_packet():
    """ROOK-60. 16 kinds of 12 token cards of 6 points are 1,152 points; a packet carries 1,023, more than any row has."""
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
        in_range(workspace.states[:1])
    assert state["life"].tolist() == [[0, 0, 15], [15, 15, 15]]
    assert state["taken"][0, 0, Cause.POISON] == 15
