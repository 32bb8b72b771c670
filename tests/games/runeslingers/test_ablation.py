"""What can be switched off, and what decisions use."""

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.contract import NOTHING, ablation_of
from sim.games.runeslingers import GAME
from sim.games.runeslingers.state import Phase
from tests.games.playing import AS_PRINTED
from tests.games.runeslingers.playing import card_set, game_at_random, options_of, placed, table, with_rules


def thing_of(state: np.void, words: str, cards: CardSet | None = None) -> str | None:
    """What a decision, in words, would use."""
    cards = cards or card_set()
    open_now = dict(zip(options_of(state, cards), state["options"].tolist(), strict=False))
    number = int(ablation_of(state, cards.record[0], open_now[words]))
    assert GAME.ablatable is not None
    return None if number == NOTHING else GAME.ablatable(cards)[number]


def at_main(one: dict | None = None, two: dict | None = None, cards: CardSet | None = None) -> np.void:
    """The first decision of the Play Phase of a position."""
    pending = {"phase": "main", "pending": {"seat": 0}}
    return placed(table(one, two, **pending), cards)


def test_names_are_told_apart_and_numbered_as_the_kernel_numbers_them():
    assert GAME.ablatable is not None
    names = GAME.ablatable(card_set())
    assert len(names) == int(card_set().record["things"][0])
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
    record = card_set().record[0]
    for state, _, action in game_at_random(AS_PRINTED)[:-1]:
        free = state["phase"] in (Phase.MAIN, Phase.PASS, Phase.ANSWER, Phase.BLOCK)
        if not free or action == 0:
            assert ablation_of(state, record, action) == NOTHING
