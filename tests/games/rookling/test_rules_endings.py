"""ROOK-64 to 66: cards drawn at the end of an exchange, roles that swap, and games that are stopped at the cap."""

import numpy as np
import pytest

from sim.engine.cards import CardSet
from sim.engine.contract import standing
from sim.engine.dice import SEATS_MAX
from sim.engine.policies import PolicySpec
from sim.engine.table import Status
from sim.experiment import Experiment
from sim.games.rookling.state import Cause
from sim.run import collect
from tests.games.rookling.positions import a, card_set, table

SQUAD = "rime rute hiss"


@pytest.mark.parametrize(("turn", "hands"), [(0, (4, 4)), (1, (4, 2))])
def test_rook_64_the_attacker_draws_up_to_4_in_the_first_exchange_the_defender_too(turn, hands):
    game = table(a(SQUAD, hand="red 1"), a("stone shadow spring", hand="red 2, red 3"), turn=turn).idle()
    assert (len(game.hand(0)), len(game.hand(1))) == hands


@pytest.mark.parametrize(("mode", "hand"), [("up_to", 6), ("new_hand", 4)])
def test_rook_64_switch_draw_mode_a_full_hand_is_kept_or_replaced(mode, hand):
    own = a(SQUAD, hand="red 1, red 2, red 3, red 4, red 5, red 6")
    game = table(own, rules={"draw_mode": mode}).idle()
    assert (len(game.hand(0)), sum(game.position["discard"].values())) == (hand, 6 if mode == "new_hand" else 0)


@pytest.mark.parametrize("mode", ["up_to", "new_hand"])
@pytest.mark.parametrize(("price", "hand"), [("strict", 1), ("lenient", 4)])
def test_rook_15_64_switch_poison_clear_draw_the_price_of_clearing_when_attacking(price, hand, mode):
    own = a(SQUAD, hand="red 1, red 2", tokens=("poisoned", "", ""))
    game = table(own, phase="clear", rules={"poison_clear_draw": price, "draw_mode": mode})
    game.do("clear Rime with red 1").idle()
    assert (game.turn, len(game.hand(0)), game.player(0)["skip"]) == (2, hand, False)
    assert len(game.idle().idle().hand(0)) == 4, "the next attack ends with a draw again"


def test_rook_64_65_the_discard_pile_is_shuffled_when_a_card_is_needed_and_not_earlier():
    own, other = a(SQUAD, hand="red 1, red 2, red 3"), a("stone shadow spring")
    game = table(own, other, deck={"blue 1": 1}).idle()
    assert (game.position["deck_size"], game.position["discard_size"]) == (0, 44)
    game.idle()
    assert (game.position["deck_size"], game.position["discard_size"]) == (40, 0)


def test_rook_36_65_if_deck_and_discard_pile_are_empty_fewer_cards_are_drawn():
    """The smallest deck, all of it on the table but for one card: only an effect can ask for more than there are."""
    least = {f"energy.counts.{colour}": [1] * 6 for colour in ("red", "blue", "green", "yellow")}
    lie = ("red 4, red 1, red 2, red 3", "blue 1, blue 2, blue 3, blue 4", "green 1, green 2, green 3, green 4")
    own = a("hiss rime rute", energy=lie, capacity=(4, 4, 4), hand="red 5, red 6, blue 5")
    other = a(
        "stone shadow spring", energy=("blue 6", "green 5", ""), hand=", ".join(f"yellow {n}" for n in range(1, 7))
    )
    pending = {"at": "left", "line": "Pressure"}
    game = table(own, other, phase="activate", pending=pending, changes=least, deck={"green 6": 1}, discard={})
    assert game.do("activate Pressure").hand(0) == ["red 5", "red 6", "blue 5", "green 6"]


@pytest.mark.parametrize("first", [0, 1])
def test_rook_66_the_defender_becomes_the_attacker(first):
    game = table(a(SQUAD), attacker=first).idle()
    assert (game.position["attacker"], game.to_act, game.phase) == (1 - first, 1 - first, "row")


def harmless() -> CardSet:
    """Cards with which these six never do any damage: no attack line can be met, so nobody is ever in siege-state."""
    attacks = {"rime": ["frost_bite"], "rute": ["sting"], "hiss": ["scald", "vent"], "delvi": ["claw"]}
    attacks |= {"stone": ["boulder"], "banner": ["lance"]}
    paths = [f"rookling.{rookling}.line.{line}.number" for rookling, lines in attacks.items() for line in lines]
    return card_set({"turn_cap": 20}, dict.fromkeys(paths, 18))


def test_rook_66_a_game_that_reaches_the_cap_is_stopped_without_a_winner_and_counted_apart():
    cards = harmless()
    line_up = (cards.ids.index("rime+rute+hiss"), cards.ids.index("delvi+stone+banner"))
    made = Experiment("rookling", cards, 2, (PolicySpec.parse("random"),), 4, seed=1, line_up=line_up)
    rows, outcomes = (found := collect(made, jobs=1)).rows, found.outcomes
    assert rows["status"].tolist() == [Status.CAPPED] * len(rows)
    assert (rows["turns"] == 20).all()
    assert not rows["share"].any()
    assert (outcomes["last_blow"] == Cause.NONE).all()
    assert (outcomes["exchanges"] == 20).all()


def test_rook_66_nobody_has_won_before_somebody_has_lost():
    game, shares = table(a(SQUAD, life=(1, 0, 0)), turn=199).idle(), np.full(SEATS_MAX, -1.0)
    standing(game.state, shares)
    assert (game.turn, game.over, game.winner, shares.tolist()) == (200, False, None, [0.0] * SEATS_MAX)


def test_rook_55_66_a_game_decided_in_the_last_exchange_is_won():
    own = a(SQUAD, energy=("red 3", "", ""))
    game = table(own, a("stone shadow spring", life=(1, 0, 0)), phase="attack", turn=199).do("attack with Frost Bite")
    assert (game.turn, game.over, game.winner) == (200, True, 0)
