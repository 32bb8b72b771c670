"""The invariants on whole random games of the kernels, and at the cleanup of an exchange."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import CardSet, changed
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.experiments.experiment import Experiment
from sim.games.rookling import GAME
from sim.games.rookling.cards import SQUAD, DrawMode, Mask
from sim.games.rookling.position.invariants import copies_of
from sim.games.rookling.rules.abilities import clean_up, refill
from sim.games.rookling.state import FIELD, NOBODY, SEATS, SLOTS, STATE, Phase
from sim.run import replay
from tests.conftest import sampled
from tests.every_game.play import enough, fresh_dice, shortened
from tests.games.rookling.invariants import check, check_steps
from tests.games.rookling.playing import VARIANTS, card_set, random_game
from tests.games.rookling.random_documents import SWITCHES, random_document, random_switches

pytestmark = pytest.mark.slow

STATE_BYTES = 1_750  # a position must stay small: search copies it
EVERY = enough(4, 5)  # positions are checked at this interval, steps all of them


def reference(**rules: Any) -> CardSet:
    """The reference cards with other rules."""
    document = GAME.load(None).document
    for rule, value in rules.items():
        document = changed(document, f"rules.{rule}", value)
    return GAME.from_document(dict(document))


def games(cards: CardSet, count: int, policy: str = "random", seed: int = 1) -> list[np.ndarray]:
    """Games with all their positions, held to the invariants: (n,) STATE of each."""
    made = Experiment(GAME.name, cards, 2, (PolicySpec.parse(policy),), count, seed)
    found = []
    for index in range(count):
        log = replay(made, index)
        assert log.rows["status"][0] in (Status.FINISHED, Status.TRUNCATED)
        check(log.positions[::EVERY], cards)
        check(log.positions[-1:], cards)
        check_steps(log.positions, cards.record[0])
        found.append(log.positions)
    return found


@pytest.mark.parametrize("part", sampled(range(8), 8))
def test_invariants_hold_in_every_position_of_200_games_of_the_reference_set(part):
    """In 8 parts, of which one at each commit. 48 energy cards and 24 token cards, and a player wins."""
    for states in games(reference(), enough(25, 3), seed=part):
        last = states[-1]
        assert last["phase"] == Phase.OVER
        assert last["winner"] != NOBODY
        assert all(copies_of(state)[:FIELD].sum() == 48 for state in states)
        assert sum(last["supply"]) + last["tok"].sum() + last["tok_new"].sum() == 24


@pytest.mark.parametrize(("switch", "value"), [(switch, value) for switch in SWITCHES for value in SWITCHES[switch]], ids=str)
def test_invariants_hold_under_every_value_of_every_switch(switch, value):
    rules = {"squad_mode": "draft"} if switch == "first_attacker" else {}
    games(reference(**rules, **{switch: value}), enough(shortened(6, 6), 1))


@pytest.mark.parametrize("mode", ["choose", "random", "draft"])
def test_invariants_hold_however_the_squads_come_about(mode):
    for states in games(reference(squad_mode=mode, mirror=mode == "choose"), enough(shortened(12, 3), 2)):
        assert (states["squad"][-1] != NOBODY).all()
        if mode != "choose":
            assert len({*states["rook"][-1].ravel().tolist()}) == 6


@pytest.mark.parametrize("number", sampled(range(12), 2))
def test_invariants_hold_with_any_switches(number):
    games(reference(**random_switches(Random(number))), enough(4, 1), seed=number)


@pytest.mark.parametrize("number", sampled(range(40), 4))
def test_invariants_hold_with_any_valid_card_file(number):
    """Random lines, effects, tokens and switches."""
    games(GAME.from_document(random_document(Random(number))), enough(4, 1), seed=number)


def test_invariants_hold_in_games_of_the_greedy_policy():
    games(reference(), enough(12, 1), "greedy:1")


def test_invariants_a_position_has_the_size_that_memory_is_planned_for():
    assert STATE.itemsize <= STATE_BYTES


DEFENDING = (Phase.DEFEND, Phase.NEXT, Phase.SIDE, Phase.BLOCK)


def resolved(cards: CardSet, games: int) -> Iterator[np.void]:
    """Positions with energy on the table, as they stand when attacks and defences meet."""
    for number in range(games):
        for state, _, _ in random_game(cards, number):
            if state["phase"] in DEFENDING and not state["poison"]:
                yield state


def sets() -> list[CardSet]:
    """The reference set under different rules, and random sets."""
    chance = Random(11)
    others = [GAME.from_document(random_document(chance)) for _ in range(enough(shortened(12, 6), 2))]
    return [*map(card_set, VARIANTS), *others]


def kinds_in(cards: CardSet, mask: Mask) -> np.ndarray:
    """Kinds of tokens of a mask."""
    return np.flatnonzero(int(cards.record[0]["token_mask"][mask]) >> np.arange(16) & 1)


def test_the_cleanup_takes_all_energy_and_wakes_what_is_pending():
    """Invariants 4, 11. Frozen goes at the end of every exchange, Confused at the end of its owner's attack."""
    met = 0
    for cards in sets():
        record, always = cards.record[0], kinds_in(cards, Mask.EXCHANGE)
        for state in resolved(cards, 3):
            after, attacker = state.copy(), int(state["attacker"])
            clean_up(after, record)
            gone = np.zeros((SEATS, 1, 16), bool)
            gone[:, :, always] = True
            gone[attacker, :, kinds_in(cards, Mask.OWNER_ATTACK)] = True
            assert (after["tok"] == np.where(gone, 0, state["tok"]) + state["tok_new"]).all()
            assert not after["tok_new"].any()
            for slot in range(SLOTS):
                slid_in(state, after, slot, gone, record)
            for field in ("zone_n", "powered", "shown", "matched", "activated", "att", "dfn", "cover"):
                assert not after[field].any()
            assert (after["line"] == NOBODY).all()
            met += 1
            check(np.array([after]), cards)
    assert met > 100


def slid_in(state: np.void, after: np.void, slot: int, gone: np.ndarray, record: np.void) -> None:
    """ROOK-61 to 63. Copies of a field effect under Rooklings: those that last, and those that powered a line."""
    effect = state["effect"][slot]
    if effect == NOBODY:
        return
    kind = record["effect_token"][effect]
    if int(record["token_mask"][Mask.FIXED]) >> kind & 1:
        assert not after["fe_tok"][:, :, slot].any()
        return
    for seat in range(SEATS):
        for position in range(SQUAD):
            bearer, count = state["at"][seat, position], int(state["zone_n"][seat, position])
            powers = int(state["powered"][seat, position]) >> np.arange(count) & 1
            slid = (powers * (state["zone"][seat, position, :count] == FIELD + slot)).sum()
            stays = 0 if gone[seat, 0, kind] else state["fe_tok"][seat, bearer, slot]
            assert after["fe_tok"][seat, bearer, slot] == stays + slid


@pytest.mark.parametrize("first_exchange", [True, False])
def test_after_the_draw_the_attacker_holds_a_full_hand_and_the_defender_what_it_held(first_exchange: bool):
    """Invariant 5, ROOK-15, 64. But in the first exchange the defender draws up too."""
    met = 0
    for cards in sets():
        record = cards.record[0]
        for number, state in enumerate(resolved(cards, 2)):
            after, attacker, defender = state.copy(), int(state["attacker"]), 1 - int(state["attacker"])
            after["skip"][attacker] = skipped = number % 5 == 0
            after["turn"] = 0 if first_exchange else max(1, int(state["turn"]))
            refill(after, record, fresh_dice(number))
            left, held = after["deck_n"] + after["disc_n"], after["hand_n"].tolist()
            wanted = [max(int(record["hand"]), int(count)) for count in state["hand_n"]]
            if record["draw_mode"] == DrawMode.NEW_HAND:
                wanted = [int(record["hand"])] * SEATS
            assert held[attacker] == state["hand_n"][attacker] if skipped else held[attacker] == wanted[attacker] or not left
            if first_exchange:
                assert held[defender] == wanted[defender] or not left
            else:
                assert held[defender] == state["hand_n"][defender]
            assert not after["skip"].any()
            met += 1
            check(np.array([after]), cards)
    assert met > 100
