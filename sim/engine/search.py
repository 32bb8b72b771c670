"""Flat Monte Carlo and a tree search for any game.

Both resample what the seat cannot see and use separate dice, never the game's. The tree search is information-set UCT
(Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4, 2012) with open loops: a node stands
for a sequence of decisions, while the dice and hidden cards differ between playouts. Every seat maximises its own chance. At
the root, sequential halving allocates the playouts (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
bandits", ICML 2013; over UCT: Pepels, Cazenave, Winands and Lanctot, "Minimizing simple and cumulative regret in Monte-Carlo
tree search", CGW 2014). The n-th visit of every option uses the same dice and hidden cards (common random numbers).

The choice of a greedy player is never eliminated, and is taken unless another option is significantly better. `evaluate` can
rank options that playouts cannot distinguish, such as the steps of a long walk.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from sim.engine.contract import WANTED, apply_action, count_options, current_player, evaluate, evaluate_seats, is_over, nth_option
from sim.engine.dice import Purpose, below, note_used, skip_draws
from sim.engine.greedy import choose_greedy
from sim.engine.jit import Record, kernel
from sim.engine.workspace import GAME, IMAGINED, KNOWN, PATH_MAX, TRIAL, Workspace, best_option, guess_hidden, open_actions

STRIDE = 16_384  # draws reserved for one playout
EXPLORATION = 0.7  # width of the confidence bound, in standard deviations of the results so far
STEPS_MAX = 16 * PATH_MAX  # decisions of a playout within the tree, including forced ones
GLANCE = np.int32(4)  # samples of chance for the first choice, which is greedy
SURE = 1.0  # standard errors by which another option must lead the first choice
NO_VISIT = -1
UNKNOWN = -1.0  # winning chance of a seat that is not evaluated yet


@kernel
def choose_search(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Choose the best option after player["samples"] playouts, at least one for each option.

    Sequential halving: the first round divides an equal share of the playouts among all options, the next among the better
    half, and so on, so a few unlucky dice eliminate no option. Overwrites KNOWN, TRIAL, tree, path, alive, values and scores.
    """
    tree, imagined = workspace.tree, workspace.dice[IMAGINED]
    first = np.int64(choose_greedy(workspace, cards, GLANCE, seat, count))
    plant(workspace, seat, count)
    note_used(imagined, workspace.used)
    rounds, left, alive = halvings(count), max(count, player["samples"]), count
    for k in range(rounds, 0, -1):
        left = visit_all(workspace, cards, player, (seat, first, alive, max(1, left // (k * alive))), left)
        order_alive(workspace, alive)
        alive = (alive + 1) // 2
        keep(workspace, first, alive)
    for i in range(count):
        workspace.values[i] = tree[1 + i]["worth"] / max(1, tree[1 + i]["visits"])
        workspace.scores[i] = tree[1 + i]["visits"] + workspace.values[i]
    skip_draws(imagined, workspace.used, STRIDE * tree[1 + workspace.alive[0]]["visits"])
    best = np.int64(best_option(workspace, workspace.scores, seat, count))
    return best if is_ahead(tree[1 + best]) else first


@kernel
def is_ahead(node: Record) -> bool:
    """Return whether an option leads the first choice by more than SURE standard errors of the paired differences."""
    visits = node["visits"]
    mean = node["lead"] / visits
    return mean > 0.0 and mean * mean * (visits - 1) > SURE * SURE * (node["lead_squares"] / visits - mean * mean)


@kernel
def keep(workspace: Workspace, first: int, alive: int) -> None:
    """Keep the first choice alive, in place of the last option if necessary."""
    for k in range(alive):
        if workspace.alive[k] == first:
            return
    if alive > 1:
        workspace.alive[alive - 1] = first


@kernel
def halvings(count: int) -> int:
    """Return how often a number is halved, rounding up, until 1 is left; at least 1."""
    rounds, left = 1, (count + 1) // 2
    while left > 1:
        rounds, left = rounds + 1, (left + 1) // 2
    return rounds


@kernel
def visit_all(workspace: Workspace, cards: Record, player: Record, share: tuple[int, int, int, int], left: int) -> int:
    """Visit the remaining options in turn, equally often, while playouts are left; returns the number left.

    share: seat, first choice, number of remaining options, visits of each.
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
    """Play out option `i`. The n-th visit of every option uses the same dice and hidden cards."""
    imagined, trial, root = workspace.dice[IMAGINED], workspace.states[TRIAL], workspace.tree[0]
    visits = workspace.tree[1 + i]["visits"]
    if root["visits"] != visits:
        skip_draws(imagined, workspace.used, STRIDE * visits)
        workspace.states[KNOWN] = workspace.states[GAME]
        guess_hidden(workspace.states[KNOWN], cards, seat, imagined)
        note_used(imagined, workspace.dealt)
        root["visits"] = visits
    skip_draws(imagined, workspace.dealt, 0)
    workspace.states[TRIAL] = workspace.states[KNOWN]
    apply_action(trial, cards, workspace.options[i], imagined)
    length = descend(workspace, cards, 1 + i)
    play_on(workspace, cards, player["depth"])
    back_up(workspace, cards, length)
    workspace.tree[1 + i]["latest"] = workspace.shares[seat]


@kernel
def order_alive(workspace: Workspace, alive: int) -> None:
    """Sort the remaining options, best first (stable)."""
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
    """Start a tree: the root, followed by a node for each option.

    The root's `next` counts the nodes; its `visits` is the number of the visit whose hidden cards are in KNOWN.
    """
    tree = workspace.tree
    tree[0]["visits"] = NO_VISIT
    tree[0]["next"] = 1 + count
    for i in range(count):
        workspace.alive[i] = i
        clear(tree[1 + i], workspace.options[i], seat)


@kernel
def clear(node: Record, action: int, seat: int) -> None:
    """Reset a node."""
    node["worth"] = 0.0
    node["squares"] = 0.0
    node["visits"] = 0
    node["open"] = 0
    node["action"] = action
    node["seat"] = seat
    node["place"] = 0
    node["first"] = 0
    node["next"] = 0
    node["lead"] = 0.0
    node["lead_squares"] = 0.0


@kernel
def descend(workspace: Workspace, cards: Record, start: int) -> int:
    """Play the trial down the tree from a node to the first new node; returns the length of workspace.path."""
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
    """Choose among workspace.open at a node by UCB1 with availability counts; untried options get the mean of the tried."""
    tree, worth, squares, visits = workspace.tree, 0.0, 0.0, 0
    workspace.below[:count] = 0
    child = tree[node]["first"]
    while child > 0:
        place = place_of(workspace.open, tree[child], seat, count)
        if place >= 0:
            workspace.below[place] = child
            tree[child]["open"] += 1
            worth += tree[child]["worth"]
            squares += tree[child]["squares"]
            visits += tree[child]["visits"]
        child = tree[child]["next"]
    # a random start, so that ties do not depend on the order of the options
    start = int(below(workspace.dice[IMAGINED], seat, Purpose.POLICY, count))
    if visits == 0:
        return start
    mean = worth / visits
    width = EXPLORATION * sqrt(max(0.0, squares / visits - mean * mean))
    untried = mean + width * sqrt(log(visits + 1.0))
    best, highest = start, -1.0
    for k in range(count):
        i = start + k - (count if start + k >= count else 0)
        child = workspace.below[i]
        score = untried
        if child > 0:
            node_visits = tree[child]["visits"]
            score = tree[child]["worth"] / node_visits + width * sqrt(log(float(tree[child]["open"])) / node_visits)
        if score > highest:
            best, highest = i, score
    return best


@kernel
def place_of(options: np.ndarray, node: Record, seat: int, count: int) -> int:
    """Return the index in `options` of a node's action, or -1 if it is not legal now or is another seat's."""
    if node["seat"] == seat:
        place = int(node["place"])  # where it was last time: mostly there again
        if place < count and options[place] == node["action"]:
            return place
        for i in range(count):
            if options[i] == node["action"]:
                node["place"] = i
                return i
    return -1


@kernel
def add_below(tree: np.ndarray, node: int, action: int, seat: int) -> int:
    """Add a child to a node; returns its number."""
    new = int(tree[0]["next"])
    tree[0]["next"] += 1
    clear(tree[new], action, seat)
    tree[new]["open"] = 1
    tree[new]["next"] = tree[node]["first"]
    tree[node]["first"] = new
    return new


@kernel
def play_on(workspace: Workspace, cards: Record, depth: int) -> None:
    """Continue the trial with `depth` random decisions, or to the end of the game."""
    state, imagined = workspace.states[TRIAL], workspace.dice[IMAGINED]
    for _ in range(depth):
        if is_over(state):
            break
        seat, pick = current_player(state), 0
        if workspace.bans.shape[1] == 0:
            count = count_options(state, cards, workspace.open)
            if count > 1:
                pick = int(below(imagined, seat, Purpose.POLICY, count))
            apply_action(state, cards, nth_option(state, cards, workspace.open, pick), imagined)
        else:
            count = open_actions(workspace.bans, state, cards, workspace.open)
            if count > 1:
                pick = int(below(imagined, seat, Purpose.POLICY, count))
            apply_action(state, cards, workspace.open[pick], imagined)


@kernel
def back_up(workspace: Workspace, cards: Record, length: int) -> None:
    """Evaluate the trial for every seat on workspace.path and update its nodes. Overwrites shares."""
    state, chances = workspace.states[TRIAL], workspace.shares
    chances[:] = UNKNOWN
    for k in range(length):
        chances[workspace.tree[workspace.path[k]]["seat"]] = WANTED
    if not evaluate_seats(state, cards, chances):
        for seat in range(len(chances)):
            if chances[seat] == WANTED:
                chances[seat] = evaluate(state, cards, seat)
    for k in range(length):
        node = workspace.tree[workspace.path[k]]
        seat = node["seat"]
        node["worth"] += chances[seat]
        node["squares"] += chances[seat] * chances[seat]
        node["visits"] += 1


@kernel
def choose_flat(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Choose by flat Monte Carlo: up to player["samples"] playouts, equally many per option and with the same dice.

    Overwrites KNOWN, TRIAL and values.
    """
    imagined = workspace.dice[IMAGINED]
    rounds = max(1, player["samples"] // count)
    workspace.values[:count] = 0.0
    for _ in range(rounds):
        workspace.states[KNOWN] = workspace.states[GAME]
        guess_hidden(workspace.states[KNOWN], cards, seat, imagined)
        note_used(imagined, workspace.used)
        for i in range(count):
            workspace.states[TRIAL] = workspace.states[KNOWN]
            skip_draws(imagined, workspace.used, 0)
            apply_action(workspace.states[TRIAL], cards, workspace.options[i], imagined)
            play_on(workspace, cards, player["depth"])
            workspace.values[i] += evaluate(workspace.states[TRIAL], cards, seat) / rounds
        skip_draws(imagined, workspace.used, STRIDE)
    return np.int64(best_option(workspace, workspace.values, seat, count))
