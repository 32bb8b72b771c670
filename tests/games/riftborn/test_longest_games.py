"""The longest and the richest games: no number wraps around, and every position obeys the invariants."""

from random import Random
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import write_outcome
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import LEVELS, Ability
from sim.games.riftborn.state import FACTS, SEATS, STATE, TOKENS_MAX, Gain, Harm, Phase, Wound
from tests.games.riftborn.invariants import check_positions
from tests.games.riftborn.model.documents import card_entries, deck_entries
from tests.games.riftborn.playing import PLAYING, open_now, whole

STATE_BYTES = 8_000  # a position must stay small: search copies it
LONGEST = 2_000  # player turns: the most that a card file can ask for
TURN_XP = 5_000
INT8, INT16 = 2**7 - 1, 2**15 - 1
COUNTS = [fact.name for fact in FACTS if fact.kind == "count" and not fact.derived]
COUNTERS = ["xp", "level", *(name for name in COUNTS if name != "drawn")]  # these only grow; a mulligan takes draws back


def rich(creatures: str, others: str, deck: str, **rules: Any) -> CardSet:
    """Two decks of the same cards under rules that give the most there is."""
    most = {"start_life": 500, "turn_xp": TURN_XP, "turn_cap": LONGEST, "start_hand": 10, "mulligans": 3, "turn_draw": 5}
    cards = card_entries(*(dedent(part).strip() for part in (creatures, others)))
    limits = {"deck_min": 10, "copies_spell": 0, "first_player_first_draw": 5, "copies_hero": 0}
    document = {"rules": most | limits | rules, "card": cards, "deck": deck_entries({"one": deck, "two": deck})}
    return GAME.from_document(whole(document))


def play_on(cards: CardSet, turns: int, seed: int = 1, every: int = 97, *, idle: bool = False) -> np.ndarray:
    """Positions of a game up to this number of turns, at an interval of decisions.

    idle: players end their turn at once; otherwise not while anything else can be done.
    """
    workspace, rng = PLAYING.seated(cards, seed, (0, 1)), Random(seed)
    state, positions, decisions = workspace.states[0], [], 0
    options = open_now(workspace, cards)
    while options and state["turn"] < turns:
        first = int(state["phase"] == Phase.MAIN and len(options) > 1)  # code 0 ends the turn
        options = open_now(workspace, cards, options[0] if idle else rng.choice(options[first:]))
        if decisions % every == 0:
            positions.append(state.copy())
        decisions += 1
    states = np.array([*positions, state.copy()])
    check_positions(states, cards)
    assert [name for name in COUNTERS if (np.diff(states[name].astype(np.int64), axis=0) < 0).any()] == []
    return states


def outcome_of(state: np.void) -> np.void:
    """The outcome written of a position."""
    outcomes = np.zeros(1, GAME.outcome)
    write_outcome(state, outcomes[0])
    return outcomes[0]


def test_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


def test_the_longest_game_counts_every_turn():
    last = play_on(rich("wall | 1 | 0/1 | 5000 | PACIFIST |", "", "60 wall", turn_draw=0), LONGEST, every=401, idle=True)[-1]
    assert (last["turn"], last["own_turns"].tolist()) == (LONGEST, [LONGEST // 2] * SEATS)
    assert last["xp"].tolist() == [TURN_XP * LONGEST // 2] * SEATS
    assert last["level"].tolist() == [LEVELS] * SEATS
    assert outcome_of(last)["gained"][:, Gain.TURN].tolist() == last["xp"].tolist()


@pytest.mark.soak
def test_what_is_drawn_and_played_in_the_longest_game_is_counted():
    """A deck of ten times the same Spell: 20 of them a turn, each drawing more, all back in the library at once.

    Copies are counted up to the limit of all counters.
    """
    last = play_on(rich("", "study | spell | 1 | 0/0 | 5000 | DRAW(9) | recall; draw 9", "10 study"), LONGEST)[-1]
    assert last["turn"] == LONGEST
    assert (last["times"][:, Ability.DRAW] > INT16 / 2).all()
    outcome = outcome_of(last)
    assert (outcome["drawn"][:, 0] == TOKENS_MAX).all()
    assert (outcome["plays"][:, 0] == TOKENS_MAX).all()
    assert (last["gained"][:, Gain.PLAY] == 5000 // 2 * last["times"][:, Ability.DRAW]).all()  # each draws twice


@pytest.mark.soak
def test_who_dies_in_the_longest_game_is_counted():
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


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_the_strongest_creatures_fit_a_position(seed: int):
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
