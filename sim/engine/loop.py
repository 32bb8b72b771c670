"""The compiled game loop: plays blocks of games from deal to outcome, or one decision at a time."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from sim.engine.aivat import note_expected, note_luck, note_luck_of_deal
from sim.engine.contract import (
    apply_action,
    count_options,
    current_player,
    deal,
    entrant_of,
    first_of,
    is_over,
    is_truncated,
    legal_actions,
    nth_option,
    returns,
    write_outcome,
)
from sim.engine.dice import SEATS_MAX, Purpose, below, open_dice, prepare_draws, turn_dice
from sim.engine.jit import Record, kernel
from sim.engine.policies import Policy, choose
from sim.engine.workspace import BLANK, GAME, KNOWN, REROLLED, ROLES, ROLLED, Workspace, forget_plan, open_actions


class Status(IntEnum):
    """How a game ended."""

    UNPLAYED = 0  # the block was stopped before this game
    FINISHED = 1
    TRUNCATED = 2  # stopped at the turn limit or by the game's own limit: no seat won, it counts for no seat
    OVERRUN = 3  # more decisions than any game can have: a bug in the game's code
    NO_ACTION = 4  # a decision without a legal action: a bug in the game's code


DECISIONS_PER_TURN = 1000  # bound of the loop, far above the average of any game

PLAN = np.dtype(
    [
        ("game", np.uint64),  # index within the experiment
        ("seed", np.uint64),  # of the experiment
        ("dice", np.uint64),  # game index that keys the dice; equal for games that are compared as a pair
        ("stream", np.uint32, (SEATS_MAX,)),  # by seat, the owner of its dice: number of the seat or of its entrant
        ("entrant", np.int16, (SEATS_MAX,)),  # by seat, -1 beyond the last
        ("player", np.int16, (SEATS_MAX,)),  # row of the PLAYER table, by seat
        ("seats", np.int16),
        ("dealt", np.uint8),  # 1: the game goes on from the position and the dice in the workspace, it is not dealt
    ],
    align=True,
)

ROW = np.dtype(
    [
        ("game", np.uint64),  # index within the experiment
        ("share", np.float32, (SEATS_MAX,)),  # share of the win by seat, all 0 in a truncated game
        ("turns", np.int32),  # turns finished
        ("decisions", np.int32),  # decisions with two or more options
        ("entrant", np.int16, (SEATS_MAX,)),  # entrant that each seat actually played, -1 beyond the last
        ("seats", np.int8),
        ("status", np.int8),  # see Status
        ("first", np.int8),  # seat that went first
    ],
    align=True,
)

MOVE = np.dtype(
    [
        ("row", np.int32),  # row of the plan
        ("turn", np.int32),
        ("action", np.int32),  # the action taken; -1 on the line for the end of the game
        ("options", np.int32),  # number of legal actions; 1: forced
        ("seat", np.int32),
    ],
    align=True,
)


class BlockBuffers(NamedTuple):
    """Input and output arrays of a block of games."""

    plan: np.ndarray  # (n,) PLAN
    rows: np.ndarray  # (n,) ROW, overwritten
    outcomes: np.ndarray  # (n,) the game's OUTCOME, overwritten
    moves: np.ndarray  # (m,) MOVE: log of the first m decisions
    positions: np.ndarray  # (m,) STATE: the position before each logged decision
    stop: np.ndarray  # (1,) uint8: set to 1 from outside to stop after the current game
    bans: np.ndarray  # (entrants, things) uint8: 1 where a thing is forbidden to an entrant; things can be 0
    luck: np.ndarray  # (n, SEATS_MAX) float64, overwritten: share of the win due to chance; 0 rows without AIVAT
    luck_by_move: np.ndarray  # (m, SEATS_MAX) float64, overwritten: the same by line of the log; 0 rows without AIVAT
    rerolls: int  # AIVAT samples of each chance event; 0: no AIVAT


def new_buffers(
    plan: np.ndarray, state: np.dtype[Any], outcome: np.dtype[Any], log: int = 0, bans: np.ndarray | None = None, rerolls: int = 0
) -> BlockBuffers:
    """Allocate the buffers of a block of games.

    log: decisions to log with their positions, 0 for none. bans, rerolls: see `BlockBuffers`.
    """
    games, aivat = len(plan), rerolls > 0
    return BlockBuffers(
        plan=plan,
        rows=np.zeros(games, ROW),
        outcomes=np.zeros(games, outcome),
        moves=np.zeros(log, MOVE),
        positions=np.zeros(log, state),
        stop=np.zeros(1, np.uint8),
        bans=np.zeros((0, 0), np.uint8) if bans is None else bans,
        luck=np.zeros((games * aivat, SEATS_MAX)),
        luck_by_move=np.zeros((log * aivat, SEATS_MAX)),
        rerolls=rerolls,
    )


class Needs(NamedTuple):
    """What a block needs of the loop. Code behind a None is not compiled, so that random games do not wait for the search."""

    greedy: bool | None  # players that evaluate options
    search: bool | None  # players that search or play out
    luck: bool | None  # AIVAT


@kernel
def play_block(  # noqa: PLR0913, PLR0917 - numba prunes by arguments, not by fields of a tuple
    workspace: Workspace,
    cards: np.ndarray,
    players: np.ndarray,
    buffers: BlockBuffers,
    turn_limit: int,
    greedy: bool | None,
    search: bool | None,
    luck: bool | None,
) -> int:
    """Play the games of buffers.plan in order; returns the number of log lines written. The last three: see `Needs`.

    cards: (k,) CARDS, identical except for the evaluation weights; the first is used to play. players: PLAYER table;
    turn_limit: turns after which a game is truncated. A game depends on its line of the plan alone. Rows after a stop keep
    the status UNPLAYED.
    """
    logged: int = np.int64(0)  # type: ignore[assignment] # a literal 0 would make numba compile the game for a constant too
    for i in range(len(buffers.plan)):
        if buffers.stop[0]:
            break
        plan = buffers.plan[i]
        if not plan["dealt"]:
            set_table(workspace, cards[0], plan)
        settle_hidden(workspace, players)
        forbid(workspace, plan, buffers.bans)
        if luck is not None:  # noqa: SIM102 - numba prunes by a test of None alone
            if buffers.rerolls > 0:
                note_luck_of_deal(workspace, cards[0], plan["entrant"][: plan["seats"]], buffers.rerolls, buffers.luck[i])
        logged = play_game(workspace, cards, players, buffers, i, turn_limit, logged, greedy, search, luck)
    return logged


@kernel
def set_table(workspace: Workspace, cards: Record, plan: Record) -> None:
    """Initialise the dice of a game and deal it."""
    for role in range(ROLES):
        open_dice(workspace.dice[role], plan["seed"], plan["dice"], plan["stream"])
        workspace.dice[role]["role"] = role
    workspace.states[GAME] = workspace.states[BLANK]
    deal(workspace.states[GAME], cards, plan["entrant"][: plan["seats"]], workspace.dice[ROLLED])


@kernel
def settle_hidden(workspace: Workspace, players: np.ndarray) -> None:
    """Settle what lies face-down if a player sees hidden cards. The dice of playouts are set for each decision."""
    for player in range(len(players)):
        if players[player]["open"]:
            workspace.dice[ROLLED]["open"] = 1
            workspace.dice[REROLLED]["open"] = 1


@kernel
def dice_in_use(players: np.ndarray, rerolls: int) -> int:
    """Number of roles of dice that are rolled: those of the game come first, and random players need no others without AIVAT."""
    if rerolls > 0:
        return ROLES
    for player in range(len(players)):
        if players[player]["policy"] != Policy.RANDOM:
            return ROLES
    return 1


@kernel
def forbid(workspace: Workspace, plan: Record, bans: np.ndarray) -> None:
    """Set what each seat must not use. bans: as in `BlockBuffers`."""
    for thing in range(workspace.bans.shape[1]):
        for seat in range(plan["seats"]):
            workspace.bans[seat, thing] = bans[plan["entrant"][seat], thing]


@kernel
def play_game(  # noqa: PLR0913, PLR0917 - as above
    workspace: Workspace,
    cards: np.ndarray,
    players: np.ndarray,
    buffers: BlockBuffers,
    i: int,
    turn_limit: int,
    logged: int,
    greedy: bool | None,
    search: bool | None,
    luck: bool | None,
) -> int:
    """Play game `i` of the buffers to its end and write its row; returns the log lines written so far."""
    state, row, plan = workspace.states[GAME], buffers.rows[i], buffers.plan[i]
    dice = workspace.dice[ROLLED]
    forget_plan(workspace)
    row["first"], roles = current_player(state), dice_in_use(players, buffers.rerolls)
    decisions, asked, count = 0, 0, 1
    while not is_over(state) and state["turn"] < turn_limit and decisions < DECISIONS_PER_TURN * turn_limit:
        if dice["turn"] != state["turn"]:
            for role in range(roles):
                turn_dice(workspace.dice[role], state["turn"])
            if greedy is None:  # a random player will need it
                prepare_draws(dice, current_player(state), Purpose.POLICY)
        action, count = decide(workspace, cards, players, plan, greedy, search)
        if count < 1:
            break
        asked += count > 1
        if logged < len(buffers.moves):
            write_move(workspace, buffers, i, logged, action, count)
        if luck is None:
            apply_action(state, cards[0], action, dice)
        else:
            carry_out(workspace, cards[0], buffers, i, logged, action)
        logged += logged < len(buffers.moves)
        decisions += 1
    if logged < len(buffers.moves):
        write_move(workspace, buffers, i, logged, -1, 0)
        logged += 1
    row["decisions"] = asked
    write_row(workspace, plan, row, turn_limit)
    if count < 1:
        row["status"] = Status.NO_ACTION
    write_outcome(state, buffers.outcomes[i])
    return logged


@kernel
def decide(
    workspace: Workspace, cards: np.ndarray, players: np.ndarray, plan: Record, greedy: bool | None, search: bool | None
) -> tuple[int, int]:
    """Return the decision of the current player and the number of options. The last two: see `Needs`."""
    state, options, pick, at_random = workspace.states[GAME], workspace.options, 0, workspace.bans.shape[1] == 0
    if greedy is not None:
        at_random = at_random and players[plan["player"][current_player(state)]]["policy"] == Policy.RANDOM
    if at_random:
        count = count_options(state, cards[0], options)
        if count > 1:
            pick = int(below(workspace.dice[ROLLED], current_player(state), Purpose.POLICY, count))
        return nth_option(state, cards[0], options, pick), count
    count = open_actions(workspace.bans, state, cards[0], options)
    if count > 1:
        seat = current_player(state)
        pick = choose(workspace, cards, players[plan["player"][seat]], seat, count, greedy, search)
    return int(options[pick]), count


@kernel
def carry_out(workspace: Workspace, cards: Record, buffers: BlockBuffers, i: int, line: int, action: int) -> None:
    """Apply an action of game `i` and add to each seat's luck. line: of the log."""
    seats: int = np.int64(buffers.plan[i]["seats"])  # type: ignore[assignment] # one type, so numba compiles once
    if buffers.rerolls == 0:
        apply_action(workspace.states[GAME], cards, action, workspace.dice[ROLLED])
        return
    chancy = note_expected(workspace, cards, seats, action, buffers.rerolls)
    apply_action(workspace.states[GAME], cards, action, workspace.dice[ROLLED])
    if chancy:
        note_luck(workspace, cards, seats, buffers.luck[i])
        if line < len(buffers.luck_by_move):
            note_luck(workspace, cards, seats, buffers.luck_by_move[line])


@kernel
def key_dice(workspace: Workspace, turn: int) -> None:
    """Key all dice by the turn if it has changed."""
    if workspace.dice[ROLLED]["turn"] != turn:
        for role in range(len(workspace.dice)):
            turn_dice(workspace.dice[role], turn)


@kernel
def write_row(workspace: Workspace, plan: Record, row: Record, turn_limit: int) -> None:
    """Write the result row of a game: entrants by seat, status, shares of the win."""
    state = workspace.states[GAME]
    row["game"] = plan["game"]
    row["seats"] = plan["seats"]
    row["turns"] = state["turn"]
    workspace.shares[:] = 0.0
    if is_over(state):
        if is_truncated(state):
            row["status"] = Status.TRUNCATED
        else:
            row["status"] = Status.FINISHED
            returns(state, workspace.shares)
    elif state["turn"] >= turn_limit:
        row["status"] = Status.TRUNCATED
    else:
        row["status"] = Status.OVERRUN
    for seat in range(SEATS_MAX):
        row["entrant"][seat] = plan["entrant"][seat]
        row["share"][seat] = workspace.shares[seat]
    for seat in range(plan["seats"]):
        row["entrant"][seat] = entrant_of(state, seat, plan["entrant"][seat])
    row["first"] = first_of(state, row["first"])


@kernel
def write_move(workspace: Workspace, buffers: BlockBuffers, i: int, line: int, action: int, count: int) -> None:
    """Log a decision and the position before it."""
    move = buffers.moves[line]
    move["row"] = i
    move["turn"] = workspace.states[GAME]["turn"]
    move["action"] = action
    move["options"] = count
    move["seat"] = current_player(workspace.states[GAME])
    buffers.positions[line] = workspace.states[GAME]


@kernel
def advance(workspace: Workspace, cards: np.ndarray, action: int) -> int:
    """Apply an action to workspace.states[GAME] (-1: none) and list the legal actions; returns their number, 0 at the end."""
    state = workspace.states[GAME]
    if action >= 0:
        key_dice(workspace, state["turn"])
        apply_action(state, cards[0], action, workspace.dice[ROLLED])
    return 0 if is_over(state) else legal_actions(state, cards[0], workspace.options)


@kernel
def repeat(workspace: Workspace, cards: np.ndarray, action: int, seed: int, first: int, results: np.ndarray) -> None:
    """Apply an action repeatedly to workspace.states[GAME], which does not change, each time with new dice.

    results: (n,) STATE, overwritten with the resulting positions; line i uses the dice of game first + i of `seed`.
    """
    workspace.states[KNOWN] = workspace.states[GAME]
    for i in range(len(results)):
        open_dice(workspace.dice[ROLLED], np.uint64(seed), np.uint64(first + i), workspace.streams)
        workspace.states[GAME] = workspace.states[KNOWN]
        apply_action(workspace.states[GAME], cards[0], action, workspace.dice[ROLLED])
        results[i] = workspace.states[GAME]
    workspace.states[GAME] = workspace.states[KNOWN]
