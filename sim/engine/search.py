"""Looking further ahead: flat Monte Carlo and a tree search, over the verbs of a game.

Both imagine: they re-deal what the seat cannot see and roll dice of their own, never the game's. The tree is that of
information-set UCT (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4, 2012) with open
loops: a node stands for the decisions that lead to it, whatever the dice and the hidden cards were on the way, and each
playout meets others. Every seat maximises its own chance. The n-th visits of all options of the root meet the same dice and
hidden cards (common random numbers), so that options are compared on equal terms.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from sim.engine.bench import GAME, IMAGINED, KNOWN, PATH_MAX, TRIAL, Bench, best_option, open_actions
from sim.engine.contract import apply_action, evaluate, is_over, redeal, to_act
from sim.engine.dice import Purpose, below
from sim.engine.jit import Record, kernel

STRIDE = 16_384  # draws set aside for one playout
EXPLORATION = 0.05  # weight of what is little known, in winning chances: small, as a judged leaf tells much
STEPS_MAX = 16 * PATH_MAX  # decisions of a playout within the tree, those without a choice included
UNKNOWN = -1.0  # of a seat's winning chance: not yet judged


@kernel
def choose_search(bench: Bench, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Pick the option that UCT visits most in player["samples"] playouts, at least one for each option.

    Overwrites TRIAL, tree, path, values and scores.
    """
    tree, imagined = bench.tree, bench.dice[IMAGINED]
    plant(bench, seat, count)
    bench.used[:] = imagined["used"]
    for done in range(max(count, player["samples"])):
        i = done if done < count else best_below_root(tree, count, done)
        imagined["used"][:] = bench.used
        imagined["used"][:] += np.uint32(STRIDE) * np.uint32(tree[1 + i]["visits"])
        bench.states[TRIAL] = bench.states[GAME]
        redeal(bench.states[TRIAL], cards, seat, imagined)
        apply_action(bench.states[TRIAL], cards, bench.options[i], imagined)
        length = descend(bench, cards, 1 + i)
        play_on(bench, cards, player["depth"])
        back_up(bench, cards, length)
    most = 0
    for i in range(count):
        node = tree[1 + i]
        bench.values[i] = node["worth"] / max(1, node["visits"])
        bench.scores[i] = node["visits"] + bench.values[i]
        most = max(most, node["visits"])
    imagined["used"][:] = bench.used
    imagined["used"][:] += np.uint32(STRIDE) * np.uint32(most)
    return np.int64(best_option(bench, bench.scores, seat, count))


@kernel
def plant(bench: Bench, seat: int, count: int) -> None:
    """Begin a tree: the root, whose `next` counts the nodes, and behind it one node for each option."""
    tree = bench.tree
    tree[0]["next"] = 1 + count
    for i in range(count):
        clear(tree[1 + i], bench.options[i], seat)


@kernel
def clear(node: Record, action: int, seat: int) -> None:
    """Make a node new."""
    node["worth"] = 0.0
    node["visits"] = 0
    node["open"] = 0
    node["action"] = action
    node["seat"] = seat
    node["first"] = 0
    node["next"] = 0


@kernel
def best_below_root(tree: np.ndarray, count: int, done: int) -> int:
    """UCB1 among the options of the root, each visited at least once; returns the option's number."""
    best, highest = 0, -1.0
    for i in range(count):
        score = promise_of(tree[1 + i], done)
        if score > highest:
            best, highest = i, score
    return best


@kernel
def promise_of(node: Record, open_times: int) -> float:
    """Upper confidence bound of a node that was visited."""
    mean: float = node["worth"] / node["visits"]
    return mean + EXPLORATION * sqrt(log(open_times) / node["visits"])


@kernel
def descend(bench: Bench, cards: Record, start: int) -> int:
    """Follow the tree from a node with the trial, up to the first new node; returns the length of bench.path."""
    state, imagined, node, length = bench.states[TRIAL], bench.dice[IMAGINED], start, 1
    bench.path[0] = start
    for _ in range(STEPS_MAX):
        if bench.tree[node]["visits"] == 0 or length == PATH_MAX or is_over(state):
            break
        count, pick = open_actions(bench, state, cards, bench.open), 0
        if count > 1:
            seat = to_act(state)
            pick = best_below(bench, node, seat, count)
            node = bench.below[pick]
            if node == 0:
                node = add_below(bench, bench.path[length - 1], bench.open[pick], seat)
            bench.path[length] = node
            length += 1
        apply_action(state, cards, bench.open[pick], imagined)
    return length


@kernel
def best_below(bench: Bench, node: int, seat: int, count: int) -> int:
    """Choose among bench.open below a node: UCB1 with the times each was open; untried ones count as the mean of the tried."""
    tree, tried, worth, visits = bench.tree, 0, 0.0, 0
    bench.below[:count] = 0
    child = tree[node]["first"]
    while child > 0:
        at = place_of(bench, tree[child], seat, count)
        if at >= 0:
            bench.below[at] = child
            tree[child]["open"] += 1
            tried += 1
            worth += tree[child]["worth"]
            visits += tree[child]["visits"]
        child = tree[child]["next"]
    start = below(bench.dice[IMAGINED], seat, Purpose.POLICY, count)  # the order of the options must not decide
    if visits == 0:
        return int(start)
    untried = worth / visits + EXPLORATION * sqrt(log(visits + 1.0))
    best, highest = int(start), -1.0
    for k in range(count):
        i = int((start + k) % count)
        child = bench.below[i]
        score = untried if child == 0 else promise_of(tree[child], tree[child]["open"])
        if score > highest:
            best, highest = i, score
    return best


@kernel
def place_of(bench: Bench, node: Record, seat: int, count: int) -> int:
    """Place in bench.open of the decision that leads to a node, -1 where it is not open or another seat's."""
    if node["seat"] == seat:
        for i in range(count):
            if bench.open[i] == node["action"]:
                return i
    return -1


@kernel
def add_below(bench: Bench, node: int, action: int, seat: int) -> int:
    """Add a node below another; returns its number."""
    tree = bench.tree
    new = int(tree[0]["next"])
    tree[0]["next"] += 1
    clear(tree[new], action, seat)
    tree[new]["open"] = 1
    tree[new]["next"] = tree[node]["first"]
    tree[node]["first"] = new
    return new


@kernel
def play_on(bench: Bench, cards: Record, depth: int) -> None:
    """Play the trial on by lot, `depth` decisions or to the end of the game."""
    state, imagined = bench.states[TRIAL], bench.dice[IMAGINED]
    for _ in range(depth):
        if is_over(state):
            break
        count, pick = open_actions(bench, state, cards, bench.open), np.int64(0)
        if count > 1:
            pick = below(imagined, to_act(state), Purpose.POLICY, count)
        apply_action(state, cards, bench.open[pick], imagined)


@kernel
def back_up(bench: Bench, cards: Record, length: int) -> None:
    """Judge the trial for every seat on bench.path and add to its nodes. Overwrites shares."""
    state, chances = bench.states[TRIAL], bench.shares
    chances[:] = UNKNOWN
    for k in range(length):
        node = bench.tree[bench.path[k]]
        seat = node["seat"]
        if chances[seat] == UNKNOWN:
            chances[seat] = evaluate(state, cards, seat)
        node["worth"] += chances[seat]
        node["visits"] += 1


@kernel
def choose_flat(bench: Bench, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Pick by flat Monte Carlo: all options equally often, each time against the same dice, player["samples"] playouts or less.

    Overwrites KNOWN, TRIAL and values.
    """
    imagined = bench.dice[IMAGINED]
    rounds = max(1, player["samples"] // count)
    bench.values[:count] = 0.0
    for _ in range(rounds):
        bench.states[KNOWN] = bench.states[GAME]
        redeal(bench.states[KNOWN], cards, seat, imagined)
        bench.used[:] = imagined["used"]
        for i in range(count):
            bench.states[TRIAL] = bench.states[KNOWN]
            imagined["used"][:] = bench.used
            apply_action(bench.states[TRIAL], cards, bench.options[i], imagined)
            play_on(bench, cards, player["depth"])
            bench.values[i] += evaluate(bench.states[TRIAL], cards, seat) / rounds
        imagined["used"][:] = bench.used
        imagined["used"][:] += np.uint32(STRIDE)
    return np.int64(best_option(bench, bench.values, seat, count))
