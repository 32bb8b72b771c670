"""Every field of STATE stays in its range, and no counter overflows, even in very long, rich and strange games."""

from random import Random
from textwrap import dedent
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
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import CARDS_MAX, DECK_MAX, DECKS_MAX, ENTRIES, LEVELS, LISTS, PLAYED_MAX, Ability, Op
from sim.games.riftborn.rules.effects import UNUSED_MAX
from sim.games.riftborn.rules.players import NOTED_MAX
from sim.games.riftborn.state import (
    ALL,
    ARMOURS,
    CREATURES,
    NOBODY,
    PER_ROW,
    QUEUE,
    ROWS,
    SEATS,
    STATE,
    THE_PLAYER,
    TOKENS_MAX,
    WEAPONS,
    WOUNDS,
    Aim,
    Blow,
    Gain,
    Harm,
    Phase,
    Reach,
    Step,
    Wound,
)
from sim.run import bench_for, replay
from tests.every_game.play import enough
from tests.games.riftborn.invariants import check, fallen
from tests.games.riftborn.model.documents import card_entries, deck_entries, odd_document
from tests.games.riftborn.playing import made, whole, with_random_decks
from tests.games.riftborn.random_documents import random_switches

pytestmark = pytest.mark.slow

LONGEST = 2_000  # player turns: the most that a card file can ask for
INT8, INT16, INT32 = 2**7 - 1, 2**15 - 1, 2**31 - 1
FLAG, SEAT, MAYBE = (0, 1), (0, 1), (NOBODY, 1)
CARD, PILE, STEP = (NOBODY, CARDS_MAX - 1), (0, CARDS_MAX - 1), (0, max(Step))
CREATURE, TOKENS, OWN_TURN = (NOBODY, ALL - 1), (0, TOKENS_MAX), (0, LONGEST // 2)
POWER = 50 * 9 + 2 * TOKENS_MAX + 9 * ALL + 10 * ALL  # the most of a strike: printed x SWARM, Rage, READY, MORALE, AURA
HEALTH_MOST = 60 * 9 + TOKENS_MAX + 9 * ALL + 10 * ALL  # `destroy` lays so much damage on a creature
BONUS = (-10 * ALL, 9 * ALL + 10 * ALL)
RANGES: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("keys", "pool", "pool_n", "owed", "owed_kills", "fell"), (0, 0)),  # between decisions
    **dict.fromkeys(("chosen", "previous"), (0, 2**ALL - 1)),
    **dict.fromkeys(("library", "hand", "discard", "removed"), PILE),
    **dict.fromkeys(("library_n", "hand_n", "discard_n", "removed_n", "known_own", "known_other", "held"), (0, DECK_MAX)),
    **dict.fromkeys(("weapon", "armour", "card", "origin", "playing", "entrant", "spell", "summon_card"), CARD),
    **dict.fromkeys(("rage", "health", "shield", "weakness", "decay", "ready"), TOKENS),
    **dict.fromkeys(("bonus_attack", "bonus_health"), BONUS),
    **dict.fromkeys(("morale", "face_down", "acted", "entered", "weapon_used", "free", "crediting", "shaken"), FLAG),
    **dict.fromkeys(("charm", "pacify", "lending"), (0, 3)),
    **dict.fromkeys(("step", "after_summon", "after_list", "after_tricks"), STEP),
    **dict.fromkeys(("first", "winner", "first_kill"), MAYBE),
    **dict.fromkeys(("seat", "active", "list_owner", "queue_owner", "answers"), FLAG),
    **dict.fromkeys(("placed", "summoner", "source", "trigger", "subject", "giver", "hurt", "user"), CREATURE),
    **dict.fromkeys(("queue_trigger", "queue_subject", "grid", "front"), CREATURE),
    **dict.fromkeys(("own_turns", "first_kill_turn", "level_turn"), OWN_TURN),
    **dict.fromkeys(("siphoned", "excess"), (0, POWER)),
    **dict.fromkeys(("card_kills", "card_damage"), TOKENS),
    **dict.fromkeys(("drawn_turn", "played_turn"), (0, NOTED_MAX)),
    **dict.fromkeys(("drawn", "plays"), (0, TOKENS_MAX)),
    **dict.fromkeys(("level", "start_level"), (1, LEVELS)),
    **dict.fromkeys(("used_levels", "level_after"), (0, LEVELS)),
    **dict.fromkeys(("done_this_turn", "longest_turn"), (0, 4_000)),
    **dict.fromkeys(("xp_after", "played_after", "killed_after"), (-1, INT32)),
    "turn": (0, LONGEST),
    "xp": (0, INT32),
    "life": (1 - POWER, 500),  # it ends with the blow that ends the game
    "deck": (0, DECKS_MAX - 1),
    "uses": (0, 20),
    "points": (0, 60),
    "tricks": (0, 62),
    "row_len": (0, PER_ROW),
    "row": (0, ROWS - 1),
    "centre": (1 - PER_ROW, PER_ROW - 1),
    "damage": (0, HEALTH_MOST),
    "ability": (0, UNUSED_MAX),
    "lent": (0, 9),
    "swaps": (0, 9),
    "credit": (0, SEATS),
    "harm": (0, max(Harm)),
    "killer": (NOBODY, DECK_MAX),
    "phase": (0, Phase.OVER),
    "aim": (0, max(Aim)),
    "cursor": (0, 9),
    "mulligan": (0, 3),
    "returned": (0, 2**10 - 1),
    "scry_at": (0, 4),
    "scry_n": (0, 5),
    "play_at": (0, PLAYED_MAX + 1),
    "summon_left": (0, 9),
    "target": (THE_PLAYER, ALL - 1),
    "strike": (0, 2),
    "reached": (0, max(Reach)),
    "raged": (0, 9),
    "givers": (0, 2**CREATURES - 1),
    "blow": (0, max(Blow)),
    "list_card": CARD,
    "list": (0, LISTS - 1),
    "entry": (0, ENTRIES),
    "to_choose": (0, 5),
    "queue_n": (0, QUEUE),
    "ended_by": (0, WOUNDS),
    "unused_after": (-1, LEVELS),
    "returned_cards": (0, 30),
}
COUNTED = [name for name in STATE.names if name not in RANGES]  # counters of a game: they have the range of their type
needs_compiler = pytest.mark.skipif(not COMPILED, reason="100,000 decisions take minutes without the compiler")


def in_range(states: np.ndarray) -> None:
    """Hold positions to the range that belongs to each field."""
    for name, (least, most) in RANGES.items():
        values = states[name].astype(np.int64)
        assert least <= values.min() <= values.max() <= most, f"{name}: {values.min()}..{values.max()}"
    for name in COUNTED:
        assert states[name].min() >= 0, f"{name}: below 0"


def test_ranges_are_told_of_every_field_and_fit_its_type():
    assert {*RANGES} <= {*STATE.names}
    for name, (least, most) in RANGES.items():
        limits = np.iinfo(STATE[name].base)
        assert limits.min <= least <= most <= limits.max, name
    assert all(STATE[name].base == np.int32 for name in COUNTED)
    assert {*COUNTED} >= {"wounds", "deaths", "times", "kills", "answer_damage", "gained"}
    assert {GAME.outcome[name].base for name in COUNTED if name in GAME.outcome.names} == {np.dtype(np.int32)}
    assert WEAPONS == ARMOURS == 8


@pytest.mark.parametrize("number", range(8))
def test_ranges_hold_in_games_with_odd_cards_and_any_switches(number):
    document = whole(odd_document(**random_switches(Random(number)), turn_xp=3000))
    cards = made(with_random_decks(document, 6, number))
    for index in range(enough(10, 1)):
        in_range(replay(Experiment(GAME.name, cards, 2, (PolicySpec.parse("random"),), 10, number), index).positions)


# ---- the longest and richest games -------------------------------------------------------------------------------------


def rich(creatures: str, others: str, deck: str, **rules: Any) -> CardSet:
    """Two decks of the same cards under rules that give the most there is."""
    most = {"start_life": 500, "turn_xp": 5000, "turn_cap": LONGEST, "start_hand": 10, "mulligans": 3, "turn_draw": 5}
    cards = card_entries(*(dedent(part).strip() for part in (creatures, others)))
    limits = {"deck_min": 10, "copies_spell": 0, "first_player_first_draw": 5, "copies_hero": 0}
    document = {"rules": most | limits | rules, "card": cards, "deck": deck_entries({"one": deck, "two": deck})}
    return GAME.from_document(whole(document))


def play_on(cards: CardSet, turns: int, seed: int = 1, every: int = 97) -> np.ndarray:
    """Positions of a game, up to this number of turns, in which no player ends a turn while anything else can be done."""
    workspace, plan, rng = bench_for(GAME), np.zeros(1, PLAN), Random(seed)
    plan["seats"], plan["stream"] = SEATS, np.arange(SEATS_MAX)
    plan["entrant"][0, :SEATS] = (0, 1)
    set_table(workspace, cards.record[0], plan[0])
    count, state, kept, done = advance(workspace, cards.record, NO_DECISION), workspace.states[0], [], 0
    while count and state["turn"] < turns:
        idle = int(state["phase"] == Phase.MAIN and count > 1)  # code 0 ends the turn
        count = advance(workspace, cards.record, int(workspace.options[rng.randrange(idle, count)]))
        if done % every == 0:
            kept.append(state.copy())
        done += 1
    states = np.array([*kept, state.copy()])
    check(states, cards)
    in_range(states)
    assert not fallen(states)
    return states


def outcome_of(state: np.void) -> np.void:
    """The outcome written of a position."""
    outcomes = np.zeros(1, GAME.outcome)
    write_outcome(state, outcomes[0])
    return outcomes[0]


@needs_compiler
def test_ranges_hold_what_is_drawn_and_played_in_the_longest_game():
    """A deck of ten times the same Spell: 20 of them a turn, each drawing more, all back in the library at once.

    Copies are counted up to the limit of all counters.
    """
    last = play_on(rich("", "study | spell | 1 | 0/0 | 5000 | DRAW(9) | recall; draw 9", "10 study"), LONGEST)[-1]
    assert last["turn"] == LONGEST
    assert (last["times"][:, Ability.DRAW] > INT16 / 2).all()
    outcome = outcome_of(last)
    for field in ("drawn", "plays", "drawn_turn", "played_turn"):
        assert (outcome[field][:, 0] == (1 if "turn" in field else TOKENS_MAX)).all(), field
    assert (last["gained"][:, Gain.PLAY] == 5000 // 2 * last["times"][:, Ability.DRAW]).all()  # each draws twice


@needs_compiler
def test_ranges_hold_who_dies_in_the_longest_game():
    """Spells that destroy all creatures and summon nine, 20 of them a turn, with damage to players that is healed."""
    tokens = "tok_moth | 0 | 0/1 | 5000 | UNDEATH |"
    spells = """
    flame | spell | 1 | 0/0 | 5000 | DRAW(9) | damage 60, each any; damage 60, each any; summon tok_moth 9
    bleed | spell | 1 | 0/0 | 5000 | DRAW(9) | recall; damage_player 60 own; heal_player 60
    """
    last = play_on(rich(tokens, spells, "6 flame, 4 bleed", kill_xp="any_own_damage"), LONGEST, every=997)[-1]
    assert last["deaths"][:, Harm.EFFECT].max() > INT16
    assert last["times"][:, Ability.UNDEATH].max() > INT16
    assert last["wounds"][:, Wound.EFFECT].max() > INT16
    outcome = outcome_of(last)
    for field in ("deaths", "times", "wounds", "kills"):
        assert (outcome[field] == last[field]).all(), field


@needs_compiler
@pytest.mark.parametrize("kind", ["rage", "health", "shield", "weakness", "decay"])
def test_ranges_tokens_and_unused_undeath_saturate(kind):
    """Creatures that never attack lay 60 tokens on all others, and UNDEATH, every turn."""
    entries = " + ".join([f"add {kind} 20, each any"] * 3)
    priests = f"priest | 1 | 50/60 | 0 | PACIFIST, SPELL, UNDEATH, ROOTED | action {entries} + grant UNDEATH, each friend"
    states = play_on(rich(priests, "", "60 priest"), 400, every=397)
    if kind == "decay":  # they die of it
        assert (states[-1]["times"][:, Ability.UNDEATH] > 0).all()
        return
    assert states[kind].max() == TOKENS_MAX or (kind == "shield" and states[kind].max() > INT8)  # those vanish every turn
    assert states["ability"][:, :, Ability.UNDEATH].max() == UNUSED_MAX


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_ranges_hold_with_the_strongest_creatures(seed):
    """Attack 50, Health 60, SWARM(9), READY(9), RAGE(9), AURAs of 10: every creature strikes any target in reach."""
    creatures = """
    giant | 1 | 50/60 | 5000 | RAGE(9), RELENTLESS, SIPHON, REGEN(9), DASH(9), HASTE, DOUBLE ATTACK, READY(9), UNDEATH, UNDEATH |
    horde | 1 | 50/60 | 5000 | SWARM(9) |
    banner | 1 | 0/60 | 5000 | AURA(9), MORALE(9), HASTE, VANGUARD | aura friend attack 10
    wall | 1 | 50/60 | 5000 | AURA(9), VANGUARD, RANGE(9), HEAL(9), RELENTLESS | aura friend health 10
    gloom | 1 | 50/60 | 5000 | AURA(9), RAGE(9), PIERCE(9), BLOCK | aura enemy health -10
    nest | 1 | 1/60 | 0 | SUMMON(9), HASTE, TRICK, TRICK |
        summon tok_fly; trick destroy, trigger; trick draw 9 + damage 60, each any
    tok_fly | 0 | 50/60 | 5000 | HASTE, RELENTLESS, FLIGHT |
    """
    others = """
    plate | armour | 1 | 0/60 | 5000 | DRAW(9) |
    lance | weapon | 1 | 50/20 | 5000 | RANGE(9), DRAW(9) |
    feast | spell | 1 | 0/0 | 5000 | DRAW(9) | recall; heal_player 60; gain_xp 5000; play_free 20
    """
    deck = "10 giant, 8 horde, 8 banner, 8 wall, 6 gloom, 6 nest, 2 plate, 2 lance, 10 feast"
    states = play_on(rich(creatures, others, deck, weapon_uses="unlimited", aoo_xp=True), 400, seed, every=11)
    assert states["damage"].max() > INT8
    assert (states["hand_n"].max(axis=0) > 10).all()
    assert (outcome_of(states[-1])["wounds"] == states[-1]["wounds"]).all()


def test_ranges_an_op_of_every_kind_stands_in_the_card_files_of_these_tests():
    """Whatever an effect changes was changed in a game above."""
    record = made(whole(odd_document())).record[0]
    found = {*np.unique(record["op"])} | {Op.HEAL, Op.HEAL_PLAYER, Op.PLAY_FREE}
    assert {Op(op) for op in found} == set(Op)
