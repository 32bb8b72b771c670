"""Positions with one clearly best decision, and how greedy plays: legally, better than chance, with no favoured seat."""

from functools import cache

import numpy as np
import pytest

from sim.engine.contract import current_player
from sim.engine.dice import SEATS_MAX
from sim.engine.jit import COMPILED
from sim.engine.loop import Status, advance
from sim.engine.policies import PolicySpec, new_workspace
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.run import collect, option_values
from tests.games.readme import Readme, rows
from tests.games.runeslingers.playing import card_set
from tests.games.runeslingers.tactics import TACTICS, Tactic

compiled = pytest.mark.skipif(not COMPILED, reason="without the compiler a search takes minutes")
WANTED = 0.9  # share that search finds
SEARCH, GREEDY = "search:800", "greedy:4"
SEED = 9
NO_DECISION = -1
TOLD = 2  # columns of the table of scores
STRENGTH = "How strong the players are"


@cache
def reached(tactic: Tactic) -> tuple[np.void, dict[str, int]]:
    """The position to decide in, and what is open in it, in words."""
    cards, workspace = card_set(), new_workspace(GAME.state, GAME.options_max, SEATS_MAX)
    GAME.words.place(tactic.position, cards, workspace.states[0])
    before, action = list(tactic.before), NO_DECISION
    while True:
        count = advance(workspace, cards.record, action)
        words = {GAME.words.action(workspace.states[0], cards, int(code)): int(code) for code in workspace.options[:count]}
        if count == 1:
            action = next(iter(words.values()))
        elif before:
            action = words[before.pop(0)]
        else:
            return workspace.states[0].copy(), words


@cache
def found(policy: str) -> tuple[str, ...]:
    """Names of the tactics that a policy finds."""
    spec = PolicySpec.parse(policy)
    made = Experiment(GAME.name, card_set(), 2, (spec,), 1, SEED)
    options, values = option_values(made, np.array([reached(tactic)[0] for tactic in TACTICS]), spec)
    names = []
    for tactic, codes, worth in zip(TACTICS, options, values, strict=True):
        count = int((codes >= 0).sum())
        best = int(codes[worth[:count].argmax()])
        if best in [reached(tactic)[1][words] for words in tactic.best]:
            names.append(tactic.name)
    return tuple(names)


@pytest.mark.parametrize("tactic", TACTICS, ids=lambda tactic: tactic.name)
def test_the_best_decisions_are_open_and_not_all_that_is(tactic: Tactic):
    state, words = reached(tactic)
    assert current_player(state) == tactic.seat
    assert {*tactic.best} < {*words}


def test_there_are_enough_tactics_and_each_is_told_apart():
    assert len({tactic.name for tactic in TACTICS}) == len(TACTICS) >= 20


@compiled
def test_search_finds_nine_in_ten():
    missed = [tactic.name for tactic in TACTICS if tactic.name not in found(SEARCH)]
    assert len(missed) <= (1 - WANTED) * len(TACTICS), missed


@compiled
@pytest.mark.parametrize("policy", [GREEDY, SEARCH])
def test_the_readme_has_the_score(policy: str):
    (score,) = [
        cells[1] for cells in rows(Readme(GAME.name).section(STRENGTH)) if len(cells) == TOLD and cells[0] == f"`{policy}`"
    ]
    assert score == f"{len(found(policy))} of {len(TACTICS)}"


pytestmark = pytest.mark.skipif(not COMPILED, reason="without the compiler a greedy game takes a minute")
DECKS = tuple(range(4))
SE = 4.0  # standard errors
MOSTLY = 0.75  # of games against chance


def played(policies: str, games: int, line_up: tuple[int, int]):
    """An experiment on the reference cards, played."""
    specs = tuple(PolicySpec.parse(text) for text in policies.split(","))
    return collect(Experiment(GAME.name, GAME.load(None), 2, specs, games, 11, line_up=line_up), jobs=1)


@pytest.mark.parametrize("deck", DECKS, ids=GAME.load(None).ids)
def test_greedy_beats_random_with_every_deck_on_both_seats(deck):
    shares = []
    for other in DECKS:
        if other != deck:
            ahead, behind = played("greedy:1,random", 40, (deck, other)), played("random,greedy:1", 40, (other, deck))
            assert (np.concatenate([ahead.rows["status"], behind.rows["status"]]) == Status.FINISHED).all()
            shares += [ahead.rows["share"][:, 0], behind.rows["share"][:, 1]]
    assert np.concatenate(shares).mean() >= MOSTLY


def test_swapped_seats_win_as_often():
    """Each deck against each other one, both ways round, by chance."""
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        here = played("random", 2_000, (one, other)).rows["share"][:, 0]
        there = played("random", 2_000, (other, one)).rows["share"][:, 1]
        error = np.sqrt((here.var() + there.var()) / len(here))
        assert abs(here.mean() - there.mean()) < SE * error
