"""What can be switched off: every name occurs in play, and what is switched off never happens."""

from functools import cache

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING, ablation_of
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import Phase
from sim.run import replay
from tests.games.runeslingers.playing import card_set, options_of, placed, table, with_rules

compiled = pytest.mark.skipif(not COMPILED, reason="without the compiler these games take minutes")
RANDOM = (PolicySpec.parse("random"),)
GAMES = 200


def thing_of(state: np.void, words: str, cards: CardSet | None = None) -> str | None:
    """What a decision, in words, would use."""
    cards = cards or card_set()
    open_now = dict(zip(options_of(state, cards), state["options"].tolist(), strict=False))
    number = int(ablation_of(state, cards.record[0], np.int32(open_now[words])))
    assert GAME.ablatable is not None
    return None if number == NOTHING else GAME.ablatable(cards)[number]


def at_main(one: dict | None = None, two: dict | None = None, cards: CardSet | None = None) -> np.void:
    """The first decision of the Play Phase of a position."""
    pending = {"phase": "main", "pending": {"seat": 0}}
    return placed(table(one, two, **pending), cards)


@cache
def used(*forbidden: str, seed: int = 3) -> dict[str, dict[str, int]]:
    """How often each thing was used in random games, by deck."""
    cards = card_set()
    made = Experiment(GAME.name, cards, 2, RANDOM, GAMES, seed, forbidden=forbidden)
    assert GAME.ablatable is not None
    names = GAME.ablatable(cards)
    found = {deck: dict.fromkeys(names, 0) for deck in cards.ids}
    for first in range(0, made.games, 25):
        log = replay(made, first, min(25, made.games - first))
        for move, state in zip(log.moves, log.positions, strict=True):
            if move["action"] >= 0 and (number := int(ablation_of(state, cards.record[0], move["action"]))) != NOTHING:
                found[cards.ids[state["deck_of"][move["seat"]]]][names[number]] += 1
    return found


def times(found: dict[str, dict[str, int]], thing: str) -> int:
    return sum(one[thing] for one in found.values())


@compiled
def test_everything_that_can_be_forbidden_is_used_by_somebody():
    found = used()
    assert [thing for thing in found["erosion"] if not times(found, thing)] == []


@compiled
def test_what_is_forbidden_never_happens_and_all_else_does():
    things = ("rule.block", "rule.inherent", "card.fireball", "card.gathering_chant.activated", "card.quick_ward")
    found = used(*things)
    assert {thing: times(found, thing) for thing in things} == dict.fromkeys(things, 0)
    assert min(times(found, thing) for thing in ("rule.set", "rule.ability", "card.insight", "card.shatter")) > 0


@compiled
def test_what_is_forbidden_to_one_deck_the_others_do():
    found = used("erosion:rule.set")
    assert found["erosion"]["rule.set"] == 0
    assert min(found[deck]["rule.set"] for deck in found if deck != "erosion") > 0


def test_names_are_told_apart_and_numbered_as_the_kernel_numbers_them():
    assert GAME.ablatable is not None
    names = GAME.ablatable(card_set())
    assert len(set(names)) == len(names) == int(card_set().record["things"][0])
    with_light = with_rules(float_light=True)
    assert GAME.ablatable(with_light) == (*names, "rule.float_light")
    assert thing_of(at_main(cards=with_light), "make light", with_light) == "rule.float_light"


def test_what_the_decisions_of_a_play_phase_use():
    things = [{"slot": 1, "card": "light_lens"}, {"slot": 2, "card": "gathering_chant", "tokens": 2}]
    state = at_main({"things": things, "hand": ["small_bolt"], "determination": 2, "power": 3})
    used_by = {words: thing_of(state, words) for words in options_of(state)}
    assert used_by == {
        "end the turn": None,
        "play Small Bolt": "card.small_bolt",
        "set Small Bolt": "rule.set",
        "use the inherent ability": "rule.inherent",
        "use the equipped ability": "rule.ability",
        "activate Light Lens": "card.light_lens.activated",
        "activate Gathering Chant": "card.gathering_chant.activated",
        "charge Gathering Chant": "card.gathering_chant.charge",
    }


def test_choices_that_must_be_made_use_nothing():
    """What is forced cannot be forbidden: targets, bullets, what to discard, the first concentration."""
    for number in range(3):
        made = Experiment(GAME.name, card_set(), 2, RANDOM, 12, number)
        log = replay(made, 0, 1)
        for move, state in zip(log.moves, log.positions, strict=True):
            free = state["phase"] in (Phase.MAIN, Phase.PASS, Phase.ANSWER, Phase.BLOCK)
            if move["action"] >= 0 and (not free or move["action"] == 0):
                assert ablation_of(state, card_set().record[0], move["action"]) == NOTHING


def test_a_name_that_is_none_is_refused_with_those_near_to_it():
    with pytest.raises(ValueError, match=r"forbid='card\.firebal'.*card\.fireball"):
        Experiment(GAME.name, card_set(), 2, RANDOM, 10, forbidden=("card.firebal",))
