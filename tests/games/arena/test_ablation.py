"""Ablation: what can be forbidden, and in which decisions it is used."""

from collections import defaultdict

import pytest

from sim.engine.contract import NOTHING, ablation_of
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.arena import GAME
from sim.games.arena.state import Phase
from sim.run import Replay, replay

CARDS = GAME.load(None)
NAMES = GAME.ablatable(CARDS) if GAME.ablatable else ()
RULES = {
    "rule.move": Phase.MOVE,
    "rule.pass": Phase.ABILITY,
    "rule.rage": Phase.RAGE,
    "rule.further_dragonlings": Phase.SUMMON,
    "rule.move_after": Phase.POST_MOVE,
}


def played(games: int, *forbidden: str) -> Replay:
    """Random games of four seats."""
    random = (PolicySpec.parse("random"),)
    return replay(Experiment(GAME.name, CARDS, 4, random, games, 3, forbidden=forbidden), 0, games)


def uses(log: Replay) -> dict[str, list[Phase]]:
    """The decisions in which each thing is used."""
    phases = defaultdict(list)
    for move, state in zip(log.moves, log.positions, strict=True):
        if move["action"] >= 0 and (thing := ablation_of(state, CARDS.record[0], move["action"])) != NOTHING:
            phases[NAMES[thing]].append(Phase(state["phase"]))
    return phases


@pytest.mark.soak
def test_a_seat_that_cannot_pass_uses_an_ability_where_there_is_one():
    """Passing remains possible where no ability can be used, because a seat must always have an option."""
    games = 200
    assert len(uses(played(games, "rule.pass"))["rule.pass"]) < len(uses(played(games))["rule.pass"]) / 2


def test_each_thing_is_used_in_its_own_kind_of_decision():
    phases = {name: {*used_in} for name, used_in in uses(played(6)).items()}
    assert {name: phases.pop(name) for name in RULES} == {name: {phase} for name, phase in RULES.items()}
    assert all(used_in == {Phase.ABILITY} for used_in in phases.values())


def test_names_are_those_of_the_card_file_and_of_optional_rules():
    abilities = ("hero.bow_master.arrowed", "hero.bow_master.boxing_arrow", "hero.rhino_guy.hammer_time")
    assert NAMES[: len(abilities)] == abilities
    assert NAMES[-len(RULES) :] == tuple(RULES)
