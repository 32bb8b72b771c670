"""The course of a turn and of the rounds (ROGUE-20 to 23, 28 to 32, 41, 54, 94, 110 to 115)."""

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.cardrogue.codes import Tile
from sim.games.cardrogue.death import living
from sim.games.cardrogue.decisions import Node, Step
from sim.games.cardrogue.engage import begin_rush, join_around, recheck
from sim.games.cardrogue.fight import enemies_part
from sim.games.cardrogue.grid import free_sides, is_free, monster_sides
from sim.games.cardrogue.harm import is_alive, suffer_poison
from sim.games.cardrogue.holding import movement
from sim.games.cardrogue.moves import meet_later
from sim.games.cardrogue.points import finish
from sim.games.cardrogue.search import is_stuck
from sim.games.cardrogue.state import NOBODY, NOWHERE, Ending, PutOff
from sim.games.cardrogue.switches import ParalysisInCombat
from sim.games.cardrogue.tiles import drink_fountain, open_chest, place_around


@kernel
def follow_combat(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-40, 60. A combat that has begun starts with its combat turn; after the last enemy the turn goes on."""
    fighting = Step.FIGHT <= state["step"] <= Step.SURVIVED
    if state["combat"][seat] != 0 and not fighting:
        state["step"], state["fought"] = Step.FIGHT, 1
        state["enemies_acted"], state["blocked"] = 0, 0
    elif state["combat"][seat] == 0 and fighting:
        enter_step(state, cards, seat, np.int64(state["resume"][seat]))


@kernel
def enter_step(state: Record, cards: Record, seat: int, step: int) -> None:
    """ROGUE-20. Begin a step of the turn."""
    state["step"] = step
    if step == Step.MOVE:
        state["moves_left"] = movement(state, cards, seat)


@kernel
def pass_step(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-20, 41. Nothing more in this step: on to the next."""
    step = np.int64(state["step"])
    if step == Step.FLIP:
        enter_step(state, cards, seat, Step.MOVE)
    elif step == Step.MOVE:
        passed = state["repeats"] > 0 and state["moves_left"] > 0
        state["step"] = Step.DONE if passed else Step.INTERACT
    elif step == Step.INTERACT:
        state["step"] = Step.DONE
    elif step == Step.STRUCK:
        enemies_part(state, cards, seat, rng)
        if state["combat"][seat] != 0:
            state["step"] = Step.SURVIVED
    else:
        end_turn(state, cards, seat, rng)


@kernel
def finish_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-29, 30. Step 4; a turn of mere walking may be prolonged by one more move."""
    cell = np.int64(state["cell"][seat])
    place_around(state, cards, cell)
    more = state["only_walked"] and state["walked"] and state["repeats"] < cards["repeat_moves"]
    passed = state["repeats"] > 0 and state["moves_left"] > 0
    if more and not passed and free_sides(state, cards, cell):
        state["repeats"] += 1
        state["step"], state["moves_left"] = Step.MOVE, 1
    else:
        end_turn(state, cards, seat, rng)


@kernel
def cut_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-32, A-13. A turn cut short in combat: the enemies' part still happens, then the turn is over."""
    acts = cards["paralysis_in_combat"] == ParalysisInCombat.ENEMY_ACTS
    if state["combat"][seat] != 0 and not state["enemies_acted"] and acts:
        enemies_part(state, cards, seat, rng)
        if state["fallen"] != NOBODY:
            return
    end_turn(state, cards, seat, rng)


@kernel
def end_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-54, 94, 112. The turn is over; an Explorer may take a second one."""
    if state["bruised"]:
        reset_enemies(state, cards)
    note_stuck(state, cards, seat)
    state["turn"] += 1
    state["own_turns"][seat] += 1
    state["quiet"][seat] = 0 if state["progress"] else state["quiet"][seat] + 1
    again = cards["second_turn"][state["character"][seat]] and not state["second"] and not state["out"][seat]
    if again and state["flipped"] and not state["fought"] and not state["cut"]:
        state["node"] = Node.SECOND_TURN
        state["asked"] = seat
        return
    next_turn(state, cards, rng)


@kernel
def reset_enemies(state: Record, cards: Record) -> None:
    """ROGUE-54, A-34. Enemies that must be slain in a single turn are whole again."""
    state["bruised"] = 0
    for slot in range(np.int64(state["enemies"])):
        kind = np.int64(state["enemy_type"][slot])
        if cards["single_turn"][kind] and state["enemy_cell"][slot] != NOWHERE:
            state["enemy_health"][slot] = cards["health"][kind]


@kernel
def note_stuck(state: Record, cards: Record, seat: int) -> None:
    """ROGUE-112, A-32. When all players have been stuck one after another and cards are left, the end rush begins.

    Players are counted, not turns: a second turn (ROGUE-94) adds nothing to a first one that ended stuck too.
    """
    if state["seats"] == 1 or state["rush"] or state["unseen_cards"] == 0:
        return
    stuck = state["cell"][seat] != NOWHERE and not state["mole_called"] and is_stuck(state, cards, seat)
    if not stuck:
        state["stuck_turns"] = 0
    elif not state["second"] or state["stuck_turns"] == 0:
        state["stuck_turns"] += 1
    if state["stuck_turns"] >= living(state):
        begin_rush(state)
        state["rush_by_stuck"] = 1


@kernel
def next_turn(state: Record, cards: Record, rng: Record) -> None:
    """ROGUE-20. The next player still in the game takes its turn; a round ends where the order begins again."""
    seat, seats, first = np.int64(state["active"]), np.int64(state["seats"]), np.int64(state["first"])
    for further in range(1, seats + 1):
        following = (seat + further) % seats
        if state["out"][following]:
            continue
        if (following - first) % seats <= (seat - first) % seats and not end_round(state, cards):
            return
        begin_turn(state, cards, following, rng)
        return


@kernel
def end_round(state: Record, cards: Record) -> bool:
    """ROGUE-114. A round has been played: the next one is counted if the game goes on. Returns whether it does."""
    state["idle"] = 0 if state["lively"] else state["idle"] + 1
    state["lively"] = 0
    capped = state["round"] >= cards["max_rounds"]
    if state["idle"] >= cards["idle_rounds"]:
        forfeit = Ending.SOLO_LOST if state["seats"] == 1 else Ending.FORFEIT
        finish(state, cards, Ending.CAPPED if state["rush"] or capped else forfeit, NOBODY)
        return False
    if capped:
        finish(state, cards, Ending.CAPPED, NOBODY)
        return False
    state["round"] += 1
    return True


@kernel
def begin_turn(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """ROGUE-21. Start of a turn: poison, cooldown, fountain, what was put off, combat, a skip."""
    clear_turn(state, seat)
    if come_back_from_away(state, seat):
        state["cut"] = 1
        return
    suffer_poison(state, cards, seat)
    if state["cooldown"][seat] > 0:
        state["cooldown"][seat] -= 1
    if not is_alive(state, seat):
        return
    if state["tile"][state["cell"][seat]] == Tile.FOUNTAIN:
        drink_fountain(state, cards, seat, rng)
        recheck(state, cards)
        if is_alive(state, seat) and not state["cut"]:
            open_chest(state, cards, seat)
    if is_alive(state, seat) and not state["cut"] and state["put_off"][seat] != PutOff.NOTHING:
        meet_later(state, cards, seat, rng)
    if not is_alive(state, seat) or state["cut"]:
        return
    join_around(state, cards, seat, monster_sides(state, cards, np.int64(state["cell"][seat])))
    if state["skip"][seat] > 0:
        skip_turn(state, seat)


@kernel
def clear_turn(state: Record, seat: int) -> None:
    """What belongs to one turn begins anew."""
    state["node"], state["active"], state["asked"], state["step"] = Node.MAIN, seat, seat, Step.FLIP
    state["moves_left"], state["repeats"], state["offers"], state["equips"] = 0, 0, 0, 0
    state["offered"][:] = 0
    state["deals"], state["progress"] = 0, 0
    state["only_walked"], state["walked"], state["flipped"] = 1, 0, 0
    state["fought"], state["cut"], state["fled"], state["blocked"] = 0, 0, 0, 0
    state["enemies_acted"], state["tripped"], state["stole"], state["mole_called"] = 0, 0, 0, 0
    state["second"] = 0


@kernel
def come_back_from_away(state: Record, seat: int) -> bool:
    """ROGUE-115. Who has left for a while comes back when its cell is free. Returns whether it is still away."""
    if state["away"][seat] == 0:
        return False
    cell = np.int64(state["away"][seat]) - 1
    if not is_free(state, cell):
        return True
    state["cell"][seat], state["away"][seat] = cell, 0
    return False


@kernel
def skip_turn(state: Record, seat: int) -> None:
    """ROGUE-23. The turn is lost; in combat the enemies have their part of it."""
    state["skip"][seat] -= 1
    state["cut"] = 1
