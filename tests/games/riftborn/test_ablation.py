"""What can be forbidden: every name occurs in play, and what is forbidden does not happen; what no player has seen."""

from functools import cache

import numpy as np
import pytest

from sim.engine.contract import NOTHING, ablation_of, resample_unseen
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.riftborn import GAME
from sim.games.riftborn.ablation import ablatable
from sim.run import replay
from tests.every_game.play import fresh_dice, options, shortened
from tests.games.deck_documents import card_of
from tests.games.riftborn.positions import a, table

compiled = pytest.mark.skipif(not COMPILED, reason="without the compiler these games take minutes")
CARDS = GAME.load(None)
NAMES = ablatable(CARDS)
GAMES, PART = shortened(200, 2), 25


@cache
def used(*forbidden: str) -> dict[str, int]:
    """How often each thing was used in random games in which anything else was open that is not forbidden."""
    made = Experiment(GAME.name, CARDS, 2, (PolicySpec.parse("random"),), GAMES, 3, forbidden=forbidden)
    found = dict.fromkeys(NAMES, 0)
    for first in range(0, made.games, PART):
        log = replay(made, first, min(PART, made.games - first))
        for move, state in zip(log.moves, log.positions, strict=True):
            number = thing(state, int(move["action"])) if move["action"] >= 0 else NOTHING
            if number != NOTHING and (NAMES[number] not in forbidden or spared(state, forbidden)):
                found[NAMES[number]] += 1
    return found


def thing(state: np.void, action: int) -> int:
    """Number of what a decision uses."""
    return int(ablation_of(state, CARDS.record[0], np.int32(action)))


def spared(state: np.void, forbidden: tuple[str, ...]) -> bool:
    """Whether anything is open in a position that is not forbidden."""
    numbers = [thing(state, code) for code in options(GAME, state, CARDS.record)]
    return any(number == NOTHING or NAMES[number] not in forbidden for number in numbers)


@compiled
def test_everything_that_can_be_forbidden_is_used_in_play():
    assert [name for name, times in used().items() if times == 0] == []


@compiled
def test_what_is_forbidden_never_happens_and_all_else_does():
    things = ("rule.move", "rule.weapon", "ability.ready", "card.beast_cub", "card.war_cry")
    found = used(*things)
    assert {name: found[name] for name in things} == dict.fromkeys(things, 0)
    assert min(found[name] for name in ("rule.attack_player", "ability.heal", "card.spark")) > 0


def test_tokens_are_not_played_and_every_other_card_is():
    played = [card["id"] for card in CARDS.document["card"] if card["type"] != "token"]
    assert [name for name in NAMES if name.startswith("card.")] == [f"card.{word}" for word in played]
    assert NAMES[CARDS.record["thing"][0, CARDS.document["card"].index(card_of(CARDS.document, "spark"))]] == "card.spark"


def test_a_creature_taken_in_hand_uses_what_it_can_only_do():
    game = table(a("beast_cub, soldier_medic [acted]", hand="spark", weapons="longbow"), "soldier_guard")
    found = {word: thing(game.state, code) for code, word in zip(game.codes, game.options, strict=True)}
    named = {word: NAMES[number] if number != NOTHING else None for word, number in found.items()}
    assert named == {
        "end": None,
        "play spark": "card.spark",
        "use A0.0": None,
        "use A0.1": "rule.move",
        "wield longbow": "rule.weapon",
    }


def test_stir_shuffles_what_neither_player_knows_and_nothing_else():
    library = "spark, recall, beast_cub, beast_hawk, war_cry, multiply, insight, wither"
    before = table(a("beast_cub", library=library, known_own=1, known_other=3), a("", library=library, known_own=2)).state
    firsts = set()
    for number in range(20):
        after = before.copy()
        resample_unseen(after, CARDS.record[0], fresh_dice(number))
        for seat, known in ((0, 3), (1, 2)):
            size = int(before["library_n"][seat])
            old, new = before["library"][seat, :size], after["library"][seat, :size]
            assert new[size - known :].tolist() == old[size - known :].tolist()
            assert sorted(new.tolist()) == sorted(old.tolist())
            firsts.add(int(new[0]))
        assert all(after[name].tolist() == before[name].tolist() for name in before.dtype.names if name != "library")
    assert len(firsts) > 2
