"""Plan the rest of a turn by beam search, for any game.

A plan is a sequence of the seat's own decisions. It ends where the turn ends, another seat decides, or chance decides. Plans that
end are worth the mean of `evaluate` over samples of chance and of hidden cards. Of those that go on, the most promising are
continued, as many as the beam is wide. The seat carries out the best plan, of equal ones the shortest, as long as nothing happens
that was not planned; then it plans again, with what it has seen.

With replies, the best of the ended plans are compared again: all seats play on, each by the best next decision (greedy), until
the next turns are over too. This is the rollout algorithm of Tesauro and Galperin ("On-line policy improvement using Monte-Carlo
search", NIPS 1996), with the same dice for all plans. Plans that win in all samples are compared in more of them.
"""

from __future__ import annotations

import numpy as np

from sim.engine.contract import apply_action, current_player, depends_on_hidden, evaluate, evaluate_options, is_over
from sim.engine.dice import note_used, skip_draws
from sim.engine.jit import Record, kernel
from sim.engine.trial import copy_trial
from sim.engine.workspace import (
    GAME,
    IMAGINED,
    KNOWN,
    PLAN_MAX,
    ROLLED,
    SEEN,
    TRIAL,
    Workspace,
    best_option,
    guess_hidden,
    open_actions,
)

STRIDE = 4096  # draws reserved for the hidden cards of a sample, and as many for its dice
GUESSED = STRIDE // 2  # draws of a sample after which those begin with which a seat tries its replies
REPLIES_MAX = 8192  # decisions of all seats after a plan, enough for most whole games
EACH = 1e-9  # cost of a decision: of plans that are worth the same, the shortest is taken
MORE = 4  # times the samples for plans that win in all of them
WON = 1.0 - 1e-9  # mean worth of such a plan
UNRATED = -1.0  # worth of a plan that goes on and was not evaluated yet
RESTART = -1  # instead of a number of decisions: chance came up
NOT_ENDED = -1.0  # score of an option with which no plan has ended


@kernel
def choose_turn(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> np.int64:
    """Choose the first decision of the best plan. Overwrites all but the game, its dice and the tree."""
    imagined, width, samples = workspace.dice[IMAGINED], int(player["width"]), int(player["samples"])
    planned = carry_on(workspace, seat, count)
    if planned >= 0:
        return np.int64(planned)
    note_used(imagined, workspace.used)
    for k in range(samples):
        skip_draws(imagined, workspace.used, 2 * STRIDE * k)
        copy_trial(workspace.states, GAME, workspace.beam, 2 * width + k)
        guess_hidden(workspace.beam[2 * width + k], cards, seat, imagined)
    workspace.scores[:count] = NOT_ENDED
    workspace.rated[:] = UNRATED
    copy_trial(workspace.beam, 2 * width, workspace.beam, 0)
    workspace.plans[0]["length"] = 0
    workspace.plans[0]["sure"] = 0
    for k in range(width):
        workspace.ended[k]["length"] = 0  # none
    bank, nodes = 0, 1  # one half of the beam holds the plans of this length, the other half those that are one longer
    while nodes > 0:
        longer = 0
        for node in range(bank, bank + nodes):
            longer = extend(workspace, cards, player, seat, node, width - bank, longer)
        bank, nodes = width - bank, longer
    if player["depth"] > 0:
        samples = compare_ended(workspace, cards, player, seat, count)
    skip_draws(imagined, workspace.used, 2 * STRIDE * samples)
    best = np.int64(best_option(workspace, workspace.scores, seat, count))
    for k in range(width):
        if workspace.ended[k]["length"] > 1 and workspace.ended[k]["first"] == best:
            keep(workspace, workspace.ended[k], seat)
    return best


@kernel
def keep(workspace: Workspace, plan: Record, seat: int) -> None:
    """Keep a plan whose first decision is about to be taken."""
    workspace.kept[0] = plan
    workspace.kept[0]["next"] = 1
    workspace.kept[0]["seat"] = seat
    workspace.kept[0]["turn"] = workspace.states[GAME]["turn"]
    workspace.kept[0]["drawn"] = workspace.dice[ROLLED]["drawn"]


@kernel
def carry_on(workspace: Workspace, seat: int, count: int) -> int:
    """Index of the next decision of the kept plan, or -1 if there is none or something happened that was not planned."""
    plan = workspace.kept[0]
    step = int(plan["next"])
    on = step < plan["length"] and plan["counts"][step] == count and plan["drawn"] == workspace.dice[ROLLED]["drawn"]
    if on and plan["seat"] == seat and plan["turn"] == workspace.states[GAME]["turn"]:
        plan["next"] = step + 1
        return int(place_of(workspace.options, plan["path"][step], count))
    plan["length"] = 0
    return -1


@kernel
def extend(workspace: Workspace, cards: Record, player: Record, seat: int, node: int, bank: int, longer: int) -> int:
    """Extend a plan by each possible decision; returns the number of plans in the other half of the beam, from `bank`.

    longer: their number before.
    """
    imagined, plan, width = workspace.dice[IMAGINED], workspace.plans[node], int(player["width"])
    words, mask, seen, rated = workspace.words, workspace.mask, workspace.seen, workspace.rated
    length, turn, sampled, worst = int(plan["length"]), workspace.states[GAME]["turn"], False, -1
    count = open_actions(workspace.bans, workspace.beam[node], cards, workspace.open)
    plan["length"] = length + 1
    plan["counts"][length] = count
    skip_draws(imagined, workspace.used, STRIDE)
    for i in range(count):
        if length == 0:
            plan["first"] = i
        plan["path"][length] = workspace.open[i]
        at = bank + longer if longer < width else len(workspace.beam) - 1  # where the state can stay, if there is room
        trial = workspace.beam[at]
        copy_trial(workspace.beam, node, workspace.beam, at)
        before, shown = imagined["drawn"], imagined["shown"][seat]
        apply_action(trial, cards, workspace.open[i], imagined)
        by_chance = imagined["drawn"] != before
        goes_on = not (by_chance or is_over(trial)) and trial["turn"] == turn and current_player(trial) == seat
        ends = not goes_on or length + 1 == PLAN_MAX
        compared = ends or length == 0 or longer == width
        plan["worth"] = rate(trial, cards, seat, words[at], mask, seen, rated) if compared else UNRATED
        if ends:
            if by_chance or depends_on_hidden(workspace.beam[node], trial, cards, seat, imagined["shown"][seat] - shown):
                plan["worth"] = mean_of_samples(workspace, cards, player, seat, plan, sampled)
                sampled = True
                skip_draws(imagined, workspace.used, STRIDE)
            plan["worth"] -= EACH * plan["length"]
            workspace.scores[plan["first"]] = max(workspace.scores[plan["first"]], plan["worth"])
            note_ended(workspace.ended[:width], plan)
        else:
            place = longer
            if longer == width:
                if worst < 0:
                    rate_all(workspace, cards, seat, bank, width)
                    worst = worst_of(workspace.plans[bank : bank + width])
                place = worst if plan["worth"] > workspace.plans[bank + worst]["worth"] else -1
            if place >= 0:
                certain = plan["sure"] == length and not depends_on_hidden(
                    workspace.beam[node], trial, cards, seat, imagined["shown"][seat] - shown
                )
                if place < longer:
                    copy_trial(workspace.beam, at, workspace.beam, bank + place)
                    worst = -1
                workspace.plans[bank + place] = plan
                workspace.plans[bank + place]["sure"] += certain
                longer = max(longer, place + 1)
        if length == 0:
            workspace.values[i] = plan["worth"]
    return longer


@kernel
def rate_all(workspace: Workspace, cards: Record, seat: int, bank: int, width: int) -> None:
    """Evaluate plans that were kept unrated: only where there are more than can be kept, it matters which are better."""
    beam, words, mask, seen, rated = workspace.beam, workspace.words, workspace.mask, workspace.seen, workspace.rated
    for k in range(bank, bank + width):
        if workspace.plans[k]["worth"] == UNRATED:
            workspace.plans[k]["worth"] = rate(beam[k], cards, seat, words[k], mask, seen, rated)


@kernel
def rate(
    state: Record, cards: Record, seat: int, own: np.ndarray, mask: np.ndarray, seen: np.ndarray, rated: np.ndarray
) -> float:
    """Evaluate a state, or return what an equal one was worth, if the game declares that plans often meet again.

    own: the state as words; mask, seen, rated: of the workspace, which is slow to pass.
    """
    if len(mask) == 0:
        return float(evaluate(state, cards, seat))
    key = np.uint64(0)
    for k in range(len(mask)):
        key += np.uint64(own[k] & mask[k]) * np.uint64(2 * k + 1)
    place = int(key % np.uint64(SEEN))
    if rated[place] == UNRATED or differ(own, seen[place], mask):
        rated[place] = evaluate(state, cards, seat)
        for k in range(len(mask)):
            seen[place, k] = own[k]
    return float(rated[place])


@kernel
def differ(words: np.ndarray, others: np.ndarray, mask: np.ndarray) -> bool:
    """Whether two positions differ in the bits of a mask. Compares all words, because that is faster than to stop early."""
    different = np.uint32(0)
    for k in range(len(mask)):
        different = np.uint32(different | (words[k] ^ others[k]) & mask[k])
    return bool(different != np.uint32(0))


@kernel
def rate_together(workspace: Workspace, state: Record, cards: Record, seat: int, options: np.ndarray, count: int) -> None:
    """Write what the game evaluates together into `tries`, negative for the others. Overwrites KNOWN."""
    for i in range(count):
        workspace.tries[i] = NOT_ENDED
    workspace.states[KNOWN] = state
    evaluate_options(workspace.states[KNOWN], cards, seat, options, count, workspace.tries)


@kernel
def place_for(plans: np.ndarray, kept: int, worth: float) -> int:
    """Where a plan of this worth is kept: the next free place, or that of the worst if this is better, or -1. kept: so far."""
    if kept < len(plans):
        return kept
    worst = worst_of(plans)
    return worst if worth > plans[worst]["worth"] else -1


@kernel
def worst_of(plans: np.ndarray) -> np.int64:
    """Number of the first of the plans that are worth least."""
    worst = np.int64(0)
    for k in range(1, len(plans)):
        if plans[k]["worth"] < plans[worst]["worth"]:
            worst = np.int64(k)
    return worst


@kernel
def note_ended(ended: np.ndarray, plan: Record) -> None:
    """Keep an ended plan if it is among the best, at most one for each first decision."""
    kept, same = 0, -1
    while kept < len(ended) and ended[kept]["length"] > 0:
        if ended[kept]["first"] == plan["first"]:
            same = kept
        kept += 1
    if same < 0:
        same = place_for(ended, kept, plan["worth"])
    elif ended[same]["worth"] >= plan["worth"]:
        same = -1
    if same >= 0:
        ended[same] = plan


@kernel
def compare_ended(workspace: Workspace, cards: Record, player: Record, seat: int, count: int) -> int:
    """Score the best of the ended plans by what follows the replies; all other options are left out.

    Plans that win in all samples are compared in `MORE` times as many. Returns how many samples were drawn.
    """
    ended, samples, kept, won = workspace.ended, int(player["samples"]), 0, 0
    while kept < player["width"] and ended[kept]["length"] > 0:
        kept += 1
    if kept > 1:
        for k in range(kept):
            ended[k]["worth"] = mean_reply(workspace, cards, player, seat, ended[k], samples)
            won += ended[k]["worth"] > WON
        if won > 1:
            samples *= MORE
            for k in range(kept):
                if ended[k]["worth"] > WON:
                    ended[k]["worth"] = mean_reply(workspace, cards, player, seat, ended[k], samples)
        for k in range(kept):
            ended[k]["worth"] -= EACH * ended[k]["length"]
    workspace.scores[:count] = NOT_ENDED
    for k in range(kept):
        workspace.scores[ended[k]["first"]] = ended[k]["worth"]
        workspace.values[ended[k]["first"]] = ended[k]["worth"]
    return samples


@kernel
def play_samples(workspace: Workspace, cards: Record, player: Record, seat: int, plan: Record, length: int) -> None:
    """Carry out the first `length` decisions of a plan in all samples but the first, once for all its possible ends.

    Writes how many were legal to `taken`, or RESTART where chance came up, so that the dice must be rolled again.
    """
    imagined, samples = workspace.dice[IMAGINED], int(player["samples"])
    for k in range(1, samples if length > 0 else 0):
        skip_draws(imagined, workspace.used, (2 * k + 1) * STRIDE)
        before, at = imagined["drawn"], 2 * player["width"] + k
        copy_trial(workspace.beam, at, workspace.beam, at + samples)
        decisions = carry_out(workspace, cards, seat, plan, workspace.beam[at + samples], 0, length)
        workspace.taken[k] = decisions if imagined["drawn"] == before else RESTART


@kernel
def mean_of_samples(workspace: Workspace, cards: Record, player: Record, seat: int, plan: Record, sampled: bool) -> float:
    """Mean worth of a plan over samples; plan["worth"] is that of the first sample.

    sampled: whether `play_samples` has carried out all but its last decision.
    """
    imagined, trial, samples = workspace.dice[IMAGINED], workspace.states[TRIAL], int(player["samples"])
    total, last = float(plan["worth"]), int(plan["length"]) - 1
    if not sampled:
        play_samples(workspace, cards, player, seat, plan, last)
    for k in range(1, samples):
        skip_draws(imagined, workspace.used, (2 * k + 1) * STRIDE)
        at = 2 * player["width"] + k
        if last == 0 or workspace.taken[k] == RESTART:
            copy_trial(workspace.beam, at, workspace.states, TRIAL)
            carry_out(workspace, cards, seat, plan, trial, 0, last + 1)
        else:
            copy_trial(workspace.beam, at + samples, workspace.states, TRIAL)
            if workspace.taken[k] == last:
                carry_out(workspace, cards, seat, plan, trial, last, last + 1)
        total += evaluate(trial, cards, seat)
    return total / samples


@kernel
def carry_out(workspace: Workspace, cards: Record, seat: int, plan: Record, state: Record, first: int, end: int) -> int:
    """Carry out the decisions `first` to `end` - 1 of a plan. Returns `end`, or the number of the first that is not legal.

    Decisions beyond plan["sure"] can be illegal, because the options can depend on hidden cards.
    """
    for step in range(first, end):
        if step > plan["sure"] and not is_legal(workspace, state, cards, seat, plan["path"][step]):
            return step
        apply_action(state, cards, plan["path"][step], workspace.dice[IMAGINED])
    return end


@kernel
def mean_reply(workspace: Workspace, cards: Record, player: Record, seat: int, plan: Record, samples: int) -> float:
    """Mean worth of a plan over samples, after replies.

    Samples beyond the player's own have the same hidden cards again, and other dice.
    """
    imagined, trial, total = workspace.dice[IMAGINED], workspace.states[TRIAL], 0.0
    for k in range(samples):
        skip_draws(imagined, workspace.used, (2 * k + 1) * STRIDE)
        copy_trial(workspace.beam, 2 * player["width"] + k % player["samples"], workspace.states, TRIAL)
        carry_out(workspace, cards, seat, plan, trial, 0, int(plan["length"]))
        play_replies(workspace, cards, workspace.states[GAME]["turn"] + player["depth"])
        total += evaluate(trial, cards, seat)
    return total / samples


@kernel
def is_legal(workspace: Workspace, state: Record, cards: Record, seat: int, action: int) -> bool:
    """Whether an action of a seat is legal in a state. Overwrites below."""
    if is_over(state) or current_player(state) != seat:
        return False
    count = open_actions(workspace.bans, state, cards, workspace.below)
    return bool(place_of(workspace.below, action, count) >= 0)


@kernel
def place_of(options: np.ndarray, action: int, count: int) -> int:
    """Index of an action among the first `count` options, or -1."""
    for i in range(count):
        if options[i] == action:
            return i
    return -1


@kernel
def play_replies(workspace: Workspace, cards: Record, turn: int) -> None:
    """Continue TRIAL to the end of a turn, each seat with the decision that is best at once. Overwrites KNOWN, below, dealt.

    Decisions are tried with other dice than those that follow.
    """
    trial, known, imagined = workspace.states[TRIAL], workspace.states[KNOWN], workspace.dice[IMAGINED]
    for _ in range(REPLIES_MAX):
        if is_over(trial) or trial["turn"] > turn:
            return
        seat: int = np.int64(current_player(trial))  # type: ignore[assignment] # as above
        count, best, highest = open_actions(workspace.bans, trial, cards, workspace.below), 0, -1.0
        if count > 1:
            note_used(imagined, workspace.dealt)
            rate_together(workspace, trial, cards, seat, workspace.below, count)
            for i in range(count):
                worth = workspace.tries[i]
                if worth < 0.0:
                    skip_draws(imagined, workspace.dealt, GUESSED)
                    copy_trial(workspace.states, TRIAL, workspace.states, KNOWN)
                    apply_action(known, cards, workspace.below[i], imagined)
                    worth = evaluate(known, cards, seat)
                if worth > highest:
                    best, highest = i, worth
            skip_draws(imagined, workspace.dealt, 0)
        apply_action(trial, cards, workspace.below[best], imagined)
