"""Looking further ahead: flat Monte Carlo and a tree search, over the verbs of a game.

Both imagine: they re-deal what the seat cannot see and roll dice of their own, never the game's. The tree is that of
information-set UCT (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4, 2012) with open
loops: a node stands for the decisions that lead to it, whatever the dice and the hidden cards were on the way, and each
playout meets others. Every seat maximises its own chance. At the root playouts are shared out by sequential halving (Karnin,
Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; over UCT: Pepels, Cazenave, Winands and
Lanctot, "Minimizing simple and cumulative regret in Monte-Carlo tree search", CGW 2014), and the n-th visits of all options
meet the same dice and hidden cards (common random numbers), so that they are compared on equal terms.

What a greedy player would choose stays in the running to the end, and is chosen unless another option is ahead of it by more
than chance would have it: where playouts cannot tell options apart, such as the steps of a long walk, judgement still can.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from sim.engine.contract import apply_action, current_player, evaluate, is_over, resample_hidden
from sim.engine.dice import Purpose, below
from sim.engine.greedy import choose_greedy
from sim.engine.jit import Record, kernel
from sim.engine.workspace import GAME, IMAGINED, KNOWN, PATH_MAX, TRIAL, Workspace, best_option, open_actions

STRIDE = 16_384  # draws set aside for one playout
EXPLORATION = 0.7  # weight of what is little known, in standard deviations of what was found so far
STEPS_MAX = 16 * PATH_MAX  # decisions of a playout within the tree, those without a choice included
GLANCE = np.int32(4)  # samples of chance for the first choice
SURE = 1.0  # standard errors by which another option must be ahead of the first choice
UNKNOWN = -1.0  # of a seat's winning chance: not yet judged


@kernel
def choose_search(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Pick the option that is best after player["samples"] playouts, at least one for each option.

    The options of the root share the playouts by sequential halving: all get as many, the better half as many again between
    them, and so on, so that no option is given up for the bad luck of a few dice, whatever the size of that luck. Overwrites
    KNOWN, TRIAL, tree, path, alive, values and scores.
    """
    tree, imagined = workspace.tree, workspace.dice[IMAGINED]
    first = np.int64(choose_greedy(workspace, cards, GLANCE, seat, count))
    plant(workspace, seat, count)
    workspace.used[:] = imagined["used"]
    rounds, left, alive = halvings(count), max(count, player["samples"]), count
    for k in range(rounds, 0, -1):
        left = visit_all(workspace, cards, player, (seat, first, alive, max(1, left // (k * alive))), left)
        order_alive(workspace, alive)
        alive = (alive + 1) // 2
        keep(workspace, first, alive)
    for i in range(count):
        workspace.values[i] = tree[1 + i]["worth"] / max(1, tree[1 + i]["visits"])
        workspace.scores[i] = tree[1 + i]["visits"] + workspace.values[i]
    imagined["used"][:] = workspace.used
    imagined["used"][:] += np.uint32(STRIDE) * np.uint32(tree[1 + workspace.alive[0]]["visits"])
    best = np.int64(best_option(workspace, workspace.scores, seat, count))
    return best if is_ahead(tree[1 + best]) else first


@kernel
def is_ahead(node: Record) -> bool:
    """Whether an option is ahead of the first choice by more than SURE standard errors of visits with the same dice."""
    visits = node["visits"]
    mean = node["lead"] / visits
    return mean > 0.0 and mean * mean * (visits - 1) > SURE * SURE * (node["lead_squares"] / visits - mean * mean)


@kernel
def keep(workspace: Workspace, first: int, alive: int) -> None:
    """Keep the first choice among the options alive, in the place of the last of them."""
    for k in range(alive):
        if workspace.alive[k] == first:
            return
    if alive > 1:
        workspace.alive[alive - 1] = first


@kernel
def halvings(count: int) -> int:
    """How often a number is halved, rounding up, until 1 is left; at least 1."""
    found, left = 1, (count + 1) // 2
    while left > 1:
        found, left = found + 1, (left + 1) // 2
    return found


@kernel
def visit_all(workspace: Workspace, cards: Record, player: Record, share: tuple[int, int, int, int], left: int) -> int:
    """Visit the options alive equally often, in turn, as far as the playouts left allow; returns those left then.

    share: seat, first choice, options alive, visits of each.
    """
    seat, first, alive, each = share
    for _ in range(min(each, left // alive)):
        for k in range(alive):
            visit(workspace, cards, player, seat, np.int64(workspace.alive[k]))
        for k in range(alive):
            node = workspace.tree[1 + workspace.alive[k]]
            lead = node["latest"] - workspace.tree[1 + first]["latest"]
            node["lead"] += lead
            node["lead_squares"] += lead * lead
        left -= alive
    return left


@kernel
def visit(workspace: Workspace, cards: Record, player: Record, seat: int, i: int) -> None:
    """One playout that begins with option `i`; its n-th visit has the dice and hidden cards of every option's n-th."""
    imagined, trial = workspace.dice[IMAGINED], workspace.states[TRIAL]
    imagined["used"][:] = workspace.used
    imagined["used"][:] += np.uint32(STRIDE) * np.uint32(workspace.tree[1 + i]["visits"])
    workspace.states[TRIAL] = workspace.states[GAME]
    resample_hidden(trial, cards, seat, imagined)
    apply_action(trial, cards, workspace.options[i], imagined)
    length = descend(workspace, cards, 1 + i)
    play_on(workspace, cards, player["depth"])
    back_up(workspace, cards, length)
    workspace.tree[1 + i]["latest"] = workspace.shares[seat]


@kernel
def order_alive(workspace: Workspace, alive: int) -> None:
    """Put the options alive in order, the best first; equal ones stay as they are."""
    tree, order = workspace.tree, workspace.alive
    for k in range(1, alive):
        moved, j = order[k], k
        node = tree[1 + moved]
        mean = node["worth"] / max(1, node["visits"])
        while j > 0 and tree[1 + order[j - 1]]["worth"] / max(1, tree[1 + order[j - 1]]["visits"]) < mean:
            order[j] = order[j - 1]
            j -= 1
        order[j] = moved


@kernel
def plant(workspace: Workspace, seat: int, count: int) -> None:
    """Begin a tree: the root, whose `next` counts the nodes, and behind it one node for each option."""
    tree = workspace.tree
    tree[0]["next"] = 1 + count
    for i in range(count):
        workspace.alive[i] = i
        clear(tree[1 + i], workspace.options[i], seat)


@kernel
def clear(node: Record, action: int, seat: int) -> None:
    """Make a node new."""
    node["worth"] = 0.0
    node["squares"] = 0.0
    node["visits"] = 0
    node["open"] = 0
    node["action"] = action
    node["seat"] = seat
    node["first"] = 0
    node["next"] = 0
    node["lead"] = 0.0
    node["lead_squares"] = 0.0


@kernel
def descend(workspace: Workspace, cards: Record, start: int) -> int:
    """Follow the tree from a node with the trial, up to the first new node; returns the length of bench.path."""
    state, imagined, node, length = workspace.states[TRIAL], workspace.dice[IMAGINED], start, 1
    workspace.path[0] = start
    for _ in range(STEPS_MAX):
        if workspace.tree[node]["visits"] == 0 or length == PATH_MAX or is_over(state):
            break
        count, pick = open_actions(workspace.bans, state, cards, workspace.open), 0
        if count > 1:
            seat: int = np.int64(current_player(state))  # type: ignore[assignment]
            pick = best_below(workspace, node, seat, count)
            node = workspace.below[pick]
            if node == 0:
                node = add_below(workspace.tree, workspace.path[length - 1], workspace.open[pick], seat)
            workspace.path[length] = node
            length += 1
        apply_action(state, cards, workspace.open[pick], imagined)
    return length


@kernel
def best_below(workspace: Workspace, node: int, seat: int, count: int) -> int:
    """Choose among bench.open below a node: UCB1 with the times each was open; untried ones count as the mean of the tried."""
    tree, worth, squares, visits = workspace.tree, 0.0, 0.0, 0
    workspace.below[:count] = 0
    child = tree[node]["first"]
    while child > 0:
        at = place_of(workspace.open, tree[child], seat, count)
        if at >= 0:
            workspace.below[at] = child
            tree[child]["open"] += 1
            worth += tree[child]["worth"]
            squares += tree[child]["squares"]
            visits += tree[child]["visits"]
        child = tree[child]["next"]
    start = int(
        below(workspace.dice[IMAGINED], seat, Purpose.POLICY, count)
    )  # the order of the options must not decide
    if visits == 0:
        return start
    mean = worth / visits
    width = EXPLORATION * sqrt(max(0.0, squares / visits - mean * mean))
    best, highest = start, -1.0
    for k in range(count):
        i = int((start + k) % count)
        child = workspace.below[i]
        score = mean + width * sqrt(log(visits + 1.0))
        if child > 0:
            node_visits = tree[child]["visits"]
            score = tree[child]["worth"] / node_visits + width * sqrt(log(float(tree[child]["open"])) / node_visits)
        if score > highest:
            best, highest = i, score
    return best


@kernel
def place_of(options: np.ndarray, node: Record, seat: int, count: int) -> int:
    """Place among the options of the decision that leads to a node, -1 where it is not open or another seat's."""
    if node["seat"] == seat:
        for i in range(count):
            if options[i] == node["action"]:
                return i
    return -1


@kernel
def add_below(tree: np.ndarray, node: int, action: int, seat: int) -> int:
    """Add a node below another; returns its number."""
    new = int(tree[0]["next"])
    tree[0]["next"] += 1
    clear(tree[new], action, seat)
    tree[new]["open"] = 1
    tree[new]["next"] = tree[node]["first"]
    tree[node]["first"] = new
    return new


@kernel
def play_on(workspace: Workspace, cards: Record, depth: int) -> None:
    """Play the trial on by lot, `depth` decisions or to the end of the game."""
    state, imagined = workspace.states[TRIAL], workspace.dice[IMAGINED]
    for _ in range(depth):
        if is_over(state):
            break
        count, pick = open_actions(workspace.bans, state, cards, workspace.open), np.int64(0)
        if count > 1:
            pick = below(imagined, np.int64(current_player(state)), Purpose.POLICY, count)
        apply_action(state, cards, workspace.open[pick], imagined)


@kernel
def back_up(workspace: Workspace, cards: Record, length: int) -> None:
    """Judge the trial for every seat on bench.path and add to its nodes. Overwrites shares."""
    state, chances = workspace.states[TRIAL], workspace.shares
    chances[:] = UNKNOWN
    for k in range(length):
        node = workspace.tree[workspace.path[k]]
        seat: int = np.int64(node["seat"])  # type: ignore[assignment] # an int32 would have numba compile `evaluate` once more
        if chances[seat] == UNKNOWN:
            chances[seat] = evaluate(state, cards, seat)
        node["worth"] += chances[seat]
        node["squares"] += chances[seat] * chances[seat]
        node["visits"] += 1


@kernel
def choose_flat(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Pick by flat Monte Carlo: all options equally often, each time against the same dice, player["samples"] playouts or less.

    Overwrites KNOWN, TRIAL and values.
    """
    imagined = workspace.dice[IMAGINED]
    rounds = max(1, player["samples"] // count)
    workspace.values[:count] = 0.0
    for _ in range(rounds):
        workspace.states[KNOWN] = workspace.states[GAME]
        resample_hidden(workspace.states[KNOWN], cards, seat, imagined)
        workspace.used[:] = imagined["used"]
        for i in range(count):
            workspace.states[TRIAL] = workspace.states[KNOWN]
            imagined["used"][:] = workspace.used
            apply_action(workspace.states[TRIAL], cards, workspace.options[i], imagined)
            play_on(workspace, cards, player["depth"])
            workspace.values[i] += evaluate(workspace.states[TRIAL], cards, seat) / rounds
        imagined["used"][:] = workspace.used
        imagined["used"][:] += np.uint32(STRIDE)
    return np.int64(best_option(workspace, workspace.values, seat, count))
