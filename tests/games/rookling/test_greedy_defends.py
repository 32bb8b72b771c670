"""By the weights set by hand, greedy players resolve attacks as the enumerated best response does (register section 4.4)."""

import numpy as np

from sim.engine.contract import apply_action, is_over, legal_actions
from sim.engine.dice import SEATS_MAX, open_dice
from sim.engine.policies import PolicySpec, choose, new_bench, players
from sim.experiment import Experiment
from sim.games.rookling import GAME
from sim.games.rookling.cards import load
from sim.games.rookling.rules.attacks import HIT_STEPS, best_response, force_now, value_of
from sim.games.rookling.state import Phase

DECIDING = (Phase.NEXT, Phase.SIDE, Phase.BLOCK)
PLAIN = ("delvi", "valt", "pulse_red", "pulse_blue", "shadow", "stone", "spring", "banner", "thorn")  # give no tokens
GAMES, LEAST = 120, 60


def row_value(state: np.void, seat: int) -> int:
    """The reference objective of a row as it is, without hits."""
    return int(state["life"][seat].sum() + 2 * (state["life"][seat] > 0).sum())


def test_greedy_defenders_end_with_as_much_as_the_best_response():
    cards, rng, compared = load(None), np.random.default_rng(4), 0
    squads = {tuple(sorted(name.split("+"))): number for number, name in enumerate(cards.ids)}
    policy = PolicySpec.parse("greedy:1/hand")
    judges = Experiment("rookling", cards, 2, (policy,), 1).judges
    bench, player = new_bench(GAME.state, GAME.options_max, SEATS_MAX), players([policy])[0]
    for game in range(GAMES):
        names = [str(one) for one in rng.permutation(PLAIN)]
        lineup = np.array([squads[tuple(sorted(names[:3]))], squads[tuple(sorted(names[3:6]))]])
        for role in range(len(bench.dice)):
            open_dice(bench.dice[role], 1, game, np.arange(SEATS_MAX))
            bench.dice[role]["role"] = role
        bench.states[0] = np.zeros(1, GAME.state)[0]
        state = bench.states[0]
        GAME.verbs.deal(state, cards.record[0], lineup, bench.dice[0])
        promised, seat = None, 0
        while not is_over(state) and state["turn"] < 60:
            resolving = state["phase"] in DECIDING and not state["poison"]
            if promised is not None and not resolving:
                assert row_value(state, seat) == promised
                promised, compared = None, compared + 1
            if resolving and promised is None:
                seat = 1 - int(state["attacker"])
                best = best_response(np.int64(state["clash"]), force_now(state), cards.record[0])
                promised = int(value_of(best)) // HIT_STEPS
            count = legal_actions(state, cards.record[0], bench.options)
            pick = choose(bench, judges, player, seat, count) if resolving else int(rng.integers(count))
            apply_action(state, cards.record[0], int(bench.options[pick]), bench.dice[0])
    assert compared >= LEAST
