"""How the policies play: best responses, hidden cards, and contributions that are known."""

from copy import deepcopy

import numpy as np
import pytest
from scipy.stats import binom

from analysis.teams.model import Contests, contributions
from sim.engine.cards import CardSet
from sim.engine.contract import is_over
from sim.engine.dice import SEATS_MAX, open_dice
from sim.engine.loop import advance
from sim.engine.policies import PolicySpec, new_workspace
from sim.experiments.experiment import Experiment
from sim.games.rookling import GAME
from sim.games.rookling.record import CARD_FORMAT
from sim.games.rookling.rules.attacks import HIT_STEPS, best_response, force_now, value_of
from sim.games.rookling.state import Phase
from sim.run import blocks
from tests.every_game.play import choice, options
from tests.games.rookling.tactics import TACTICS

DECIDING = (Phase.NEXT, Phase.SIDE, Phase.BLOCK)
PLAIN = ("delvi", "valt", "pulse_red", "pulse_blue", "shadow", "stone", "spring", "banner", "thorn")  # give no tokens
GAMES, LEAST = 120, 60
DICE = 3  # number of the dice that the policy imagines


def row_value(state: np.void, seat: int) -> int:
    """The reference objective of a row as it is, without hits."""
    return int(state["life"][seat].sum() + 2 * (state["life"][seat] > 0).sum())


@pytest.mark.soak
def test_greedy_defenders_end_with_as_much_as_the_best_response():
    cards, rng, compared = CARD_FORMAT.load(None), np.random.default_rng(4), 0
    squads = {tuple(sorted(name.split("+"))): number for number, name in enumerate(cards.ids)}
    workspace = new_workspace(GAME.state, GAME.options_max, SEATS_MAX)
    for game in range(GAMES):
        names = [str(one) for one in rng.permutation(PLAIN)]
        lineup = np.array([squads[tuple(sorted(names[:3]))], squads[tuple(sorted(names[3:6]))]])
        for role in range(len(workspace.dice)):
            open_dice(workspace.dice[role], 1, game, np.arange(SEATS_MAX))
            workspace.dice[role]["role"] = role
        workspace.states[0] = np.zeros(1, GAME.state)[0]
        state = workspace.states[0]
        GAME.verbs.deal(state, cards.record[0], lineup, workspace.dice[0])
        promised, seat = None, 0
        while not is_over(state) and state["turn"] < 60:
            resolving = state["phase"] in DECIDING and not state["poison"]
            if promised is not None and not resolving:
                assert row_value(state, seat) == promised
                promised, compared = None, compared + 1
            if resolving and promised is None:
                seat = 1 - int(state["attacker"])
                best = best_response(state["clash"], force_now(state), cards.record[0])
                promised = int(value_of(best)) // HIT_STEPS
            if resolving:
                action, _ = choice(GAME, state, cards.record, game, "greedy:1/baseline")
            else:
                action = int(rng.choice(options(GAME, state, cards.record)))
            advance(workspace, cards.record, action)
    assert compared >= LEAST


def test_what_is_hidden_decides_nothing():
    """The other hand is any possible hand: a position gives only its number of cards."""
    state, cards, _ = next(one for one in TACTICS if one.two.get("hand")).laid
    before, _ = choice(GAME, state, cards.record, DICE, "greedy:4")
    state["hand"][1] = np.roll(state["hand"][1], 1)
    after, _ = choice(GAME, state, cards.record, DICE, "greedy:4")
    assert after == before


SETS, SMALL = 30, 600  # sets of twelve like Rooklings, games of each
LARGE = 2400  # games of the set with one that has more life
LEVEL = 0.95


def copies(source: str, life: int | None = None) -> CardSet:
    """Twelve Rooklings alike but for their names; of the first one the life may be another."""
    document = deepcopy(dict(CARD_FORMAT.load(None).document))
    (printed,) = (one for one in document["rookling"] if one["id"] == source)
    document["rookling"] = [{**deepcopy(printed), "id": f"copy_{i}", "name": f"Copy {i}"} for i in range(12)]
    document["field_effect"] = []
    if life is not None:
        document["rules"]["heal_cap"] = life
        document["rookling"][0] |= {"life": life, "source": {"name": "rulebook", "line": "assumed", "life": "assumed"}}
    return CARD_FORMAT.from_document(document)


def found_in(cards: CardSet, games: int, seed: int, coupling: str):
    """Contributions in games of random players."""
    experiment = Experiment("rookling", cards, 2, (PolicySpec.parse("random"),), games, seed, coupling)
    rows = np.concatenate([block.rows for block in blocks(experiment, 1)])
    return contributions(Contests.of(rows, experiment.round_of(rows["game"])), experiment.teams, LEVEL)


@pytest.mark.soak
@pytest.mark.parametrize("source", ["rute", "hiss"])
def test_a_copy_with_two_more_life_ranks_first_and_surely_above_average(source):
    parts = found_in(copies(source, life=8), LARGE, 1, "seat").parts
    best = parts.iloc[parts["estimate"].to_numpy().argmax()]
    assert best["name"] == "Copy 0"
    assert best["low"] > 0.5
    assert best["effect"] > parts["effect"].nlargest(2).iloc[1]


@pytest.mark.soak
def test_twelve_like_rooklings_are_exactly_even_where_both_sides_have_the_same_dice():
    parts = found_in(copies("rute"), SMALL, 1, "seat").parts
    assert parts["effect"].abs().max() < 1e-6
    assert not ((parts["low"] > 0.5 + 1e-6) | (parts["high"] < 0.5 - 1e-6)).any()


@pytest.mark.soak
def test_of_twelve_like_rooklings_no_more_intervals_leave_out_even_than_their_level_says():
    cards = copies("rute")
    out = 0
    for seed in range(SETS):
        parts = found_in(cards, SMALL, seed, "entrant").parts
        out += int(((parts["low"] > 0.5) | (parts["high"] < 0.5)).sum())
    assert out <= binom.ppf(0.9999, SETS * 12, 1 - LEVEL)
    assert out > 0  # an interval that never errs is too wide
