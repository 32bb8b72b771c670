"""ROOK-01 to 10 on the compiled kernels: what is won, squads, life, deck, piles, supply, who begins; G-02, G-03, G-40."""

from collections import Counter
from copy import deepcopy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sim.engine.contract import returns
from sim.engine.dice import SEATS_MAX
from sim.experiments.partitions import Partitions
from sim.games.rookling import GAME
from sim.games.rookling.outcome import OUTCOME, entrant_of, write_outcome
from sim.games.rookling.state import NOBODY
from tests.games.playing import AS_PRINTED
from tests.games.rookling.playing import game_at_random
from tests.games.rookling.positions import Play, a, card_set, clash, dealt, table

ENERGY = [3, 3, 2, 2, 1, 1]  # copies of the numbers 1 to 6 in each of the four colours
HANDS = ["red 1", "red 2", "red 3", "red 4", "blue 1", "blue 2", "blue 3", "blue 4"]
GAMES = 120  # of which a fair coin is seen; shares lie within four standard errors


def shares(game: Play) -> list[float]:
    """Share of the win by seat."""
    out = np.full(SEATS_MAX, -1.0)
    returns(game.state, out)
    return out[:2].tolist()


def is_even(count: int, chance: float, games: int = GAMES) -> bool:
    """Whether this number of games agrees with a chance, within four standard errors."""
    return abs(count - games * chance) < 4 * (games * chance * (1 - chance)) ** 0.5


def of(squads: str, game: int = 0, **rules: object) -> Play:
    """A game just dealt: two squads with a stroke between, in the order of the card file."""
    own, other = squads.split(" / ")
    return dealt(own, other, game, card_set(rules))


# ---- winning --------------------------------------------------------------------------------------------------------


def test_rook_01_the_third_rookling_in_siege_state_loses_the_game_at_once():
    game = clash((0, 0, 1), (1, 0, 0)).idle()
    assert (game.life(1), game.over, game.winner, shares(game)) == ((0, 0, 0), True, 0, [1.0, 0.0])


def test_rook_01_two_in_siege_state_have_not_lost_yet():
    game = clash((0, 1, 6), (1, 0, 0)).idle()
    assert (game.life(1), game.over, game.winner, shares(game)) == ((0, 0, 6), False, None, [0.0, 0.0])


def test_rook_01_an_attacker_can_lose_in_the_own_turn():
    own = a("rime rute hiss", life=(1, 0, 0), tokens=("poisoned", "", ""))
    game = table(own).do("stop placing").idle()
    assert (game.over, game.winner, shares(game)) == (True, 1, [0.0, 1.0])


def test_rook_01_a_finished_game_has_one_winner_and_one_loser():
    state, _, _ = game_at_random(AS_PRINTED)[-1]
    lost = [not state["life"][seat].any() for seat in range(2)]
    assert lost.count(True) == 1
    assert lost[1 - state["winner"]]


# ---- squads ---------------------------------------------------------------------------------------------------------


def test_rook_01_golden_g03_an_entrant_is_any_set_of_three_rooklings():
    cards = card_set()
    assert len(cards.ids) == cards.record[0]["squads"] == 220
    assert len({frozenset(squad) for squad in cards.record[0]["squad"][:220].tolist()}) == 220
    assert all(len({*squad}) == 3 for squad in cards.record[0]["squad"][:220].tolist())


def test_rook_02_golden_g03_no_rookling_stands_in_both_squads():
    pairs = Partitions(2, GAME.teams_for(card_set()), "squads", 1)
    assert pairs.lineups == 220 * 84 == 18_480


def test_rook_02_golden_g40_who_meets_whom():
    squads = card_set().record[0]["squad"][:220]
    has = np.array([[(squad == rook).any() for squad in squads] for rook in range(12)])
    disjoint = has.T.astype(int) @ has.astype(int) == 0  # of a first and a second squad
    first, second = (side.ravel() for side in np.nonzero(disjoint))
    mates = (has[0] & has[1])[first] | (has[0] & has[1])[second]
    opposed = (has[0][first] & has[1][second]) | (has[1][first] & has[0][second])
    counts = [int(found.sum()) for found in (has[0][first], mates, opposed)]
    assert [Fraction(count, len(first)) for count in counts] == [Fraction(1, 4), Fraction(1, 11), Fraction(3, 22)]


def test_rook_02_given_squads_are_played_in_the_order_of_the_card_file():
    game = of("rime rute hiss / delvi valt stone")
    assert [game.player(seat)["squad"] for seat in range(2)] == [["rime", "rute", "hiss"], ["delvi", "valt", "stone"]]


def test_rook_02_with_two_sets_a_rookling_may_stand_on_both_sides_and_each_player_has_an_own_pile():
    assert not GAME.teams_for(card_set({"mirror": True})).disjoint
    game = of("rime rute hiss / rime valt stone", mirror=True)
    assert game.state["pile"].tolist() == [2, 0, 0, 2, 0, 3]
    game = table(a("rime rute hiss", hand="blue 3"), a("rime valt stone"), rules={"mirror": True})
    game.do("put blue 3 on Rime", "activate Black Ice")
    assert game.state["pile"].tolist() == [0, 0, 0, 2, 0, 3]
    assert game.position["deck"]["black_ice (seat 0)"] == 2


def test_rook_03_squads_are_dealt_at_random_three_different_rooklings_each():
    cards = card_set({"squad_mode": "random"})
    first_of_all, in_a_squad = Counter(), Counter()
    for number in range(GAMES):
        state = dealt("rime rute hiss", "delvi valt stone", number, cards).state
        assert len({*state["rook"].ravel().tolist()}) == 6
        first_of_all[int(state["rook"][0, 0])] += 1
        in_a_squad.update(state["rook"][1].tolist())
    assert all(is_even(first_of_all[rook], 1 / 12) and is_even(in_a_squad[rook], 1 / 4) for rook in range(12))


def test_rook_03_what_was_dealt_counts_for_the_squads_that_played():
    game = of("rime rute hiss / delvi valt stone", squad_mode="random")
    for seat in range(2):
        members = sorted(game.state["rook"][seat].tolist())
        entrant = entrant_of(game.state, seat, 0)
        assert game.record["squad"][entrant].tolist() == members


def test_rook_04_golden_g02_a_draft_goes_1_2_2_1_1_2():
    game = of("rime rute hiss / delvi valt stone", squad_mode="draft")
    first, picks = game.current_player, ["Rime", "Rute", "Hiss", "Delvi", "Valt", "Stone"]
    seats = []
    for pick in picks:
        seats.append(game.current_player)
        game.do(f"draft {pick}")
    assert seats == [first, 1 - first, 1 - first, first, first, 1 - first]
    assert game.player(first)["squad"] == ["rime", "delvi", "valt"]
    assert game.player(1 - first)["squad"] == ["rute", "hiss", "stone"]
    assert [int(entrant_of(game.state, seat, 0)) for seat in (first, 1 - first)] == [
        game.cards.ids.index(squad) for squad in ("rime+delvi+valt", "rute+hiss+stone")
    ]


def test_rook_04_every_pick_is_a_decision_among_those_left():
    game = of("rime rute hiss / delvi valt stone", squad_mode="draft")
    left = list(range(12))
    for pick in (7, 0, 11, 3, 4, 5):
        assert game.codes == left
        left.remove(pick)
        game.do(pick)
    assert game.phase == "row"


def test_rook_04_roster_slots_follow_the_order_of_picking():
    game = of("rime rute hiss / delvi valt stone", squad_mode="draft")
    game.do("draft Thorn", "draft Stone", "draft Rime", "draft Banner", "draft Delvi", "draft Hiss")
    seat = int(game.state["drafter"])
    assert game.player(seat)["squad"] == ["thorn", "banner", "delvi"]
    assert game.state["picked"].tolist()[seat] == [1, 4, 5]


def test_rook_04_a_fair_coin_names_the_first_drafter():
    cards = card_set({"squad_mode": "draft"})
    drafters = Counter(dealt("rime rute hiss", "delvi valt stone", game, cards).current_player for game in range(GAMES))
    assert is_even(drafters[0], 1 / 2)


# ---- life, deck, piles, tokens --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "life"), [({}, 6), ({"start_life": 4}, 4), ({"start_life": 9, "heal_cap": 9}, 9)])
def test_rook_05_every_rookling_starts_with_full_life(rules, life):
    game = of("rime rute hiss / delvi valt stone", **rules)
    assert [game.life(seat) for seat in range(2)] == [(life, life, life)] * 2


def test_rook_05_a_rookling_may_have_a_life_of_its_own():
    document: Any = deepcopy(card_set().document)
    document["rookling"][1] |= {"life": 3, "source": "assumed"}
    game = dealt("rime rute hiss", "delvi valt stone", cards=GAME.from_document(document))
    assert game.life(0) == (6, 3, 6)


def test_rook_05_life_goes_with_the_rookling_when_the_row_changes():
    game = table(a("rime rute hiss", life=(1, 2, 3)), phase="row").do("row: Hiss, Rime, Rute")
    assert (game.row(0), game.life(0)) == (["hiss", "rime", "rute"], (3, 1, 2))


def test_rook_05_life_does_not_fall_below_0():
    assert clash((6, 2, 6), (0, 9, 0)).idle().life(1) == (6, 0, 6)


def test_rook_06_all_energy_lies_in_one_deck_for_both_and_the_discard_pile_is_empty():
    position = of("rime rute hiss / delvi valt stone").position
    expected = {
        f"{colour} {number}": copies for colour in ("red", "blue", "green", "yellow") for number, copies in enumerate(ENERGY, 1)
    }
    assert (position["deck"], position["deck_size"], position["discard_size"]) == (expected, 48, 0)


def test_rook_06_every_card_is_equally_likely_to_be_drawn():
    drawn: Counter[int] = Counter()
    for number in range(GAMES):
        game = of("rime rute hiss / delvi valt stone", number).do(0)
        drawn.update(kind % 9 for kind in game.state["hand"][:, :4].ravel().tolist())
    assert all(is_even(drawn[number], copies / 12, 8 * GAMES) for number, copies in enumerate(ENERGY))


def test_rook_07_copies_of_the_own_field_effects_lie_in_the_pile_and_not_in_the_deck():
    game = of("rime rute delvi / shadow stone spring")
    assert game.player(0)["pile"] == ["black_ice", "black_ice", "tunnel", "tunnel"]
    assert game.player(1)["pile"] == [*["dusk"] * 3, *["rubble"] * 3, "dew", "dew"]
    assert not {"black_ice", "tunnel", "dusk", "rubble", "dew"} & game.position["deck"].keys()


def test_rook_08_token_cards_lie_in_one_supply():
    assert of("rime rute hiss / delvi valt stone").position["supply"] == {"frozen": 6, "poisoned": 6, "confused": 6, "hidden": 6}


@pytest.mark.parametrize(("lying", "given"), [(4, 2), (5, 1), (6, 0)])
def test_rook_08_of_an_exhausted_supply_no_more_is_placed(lying, given):
    own = a("rute rime hiss", energy=("red 3", "", ""), tokens=("", ", ".join(["poisoned"] * lying), ""))
    changes = {"rookling.rute.line.sting.effects[0].n": 2}
    game = table(own, a("delvi valt banner"), phase="attack", changes=changes).do("attack with Sting").idle(draws=None)
    assert game.under(1)[0] == ["poisoned"] * given
    assert game.position["supply"].get("poisoned", 0) == 6 - lying - given


# ---- who begins -----------------------------------------------------------------------------------------------------


def test_rook_09_a_fair_coin_names_the_first_attacker():
    first = Counter(int(of("rime rute hiss / delvi valt stone", game).state["first"]) for game in range(GAMES))
    assert is_even(first[0], 1 / 2)


def test_rook_09_that_coin_is_not_the_one_of_the_draft():
    cards = card_set({"squad_mode": "draft"})
    coins: Counter[tuple[int, int]] = Counter()
    for number in range(GAMES):
        game = dealt("rime rute hiss", "delvi valt stone", number, cards).do(0, 1, 2, 3, 4, 5)
        coins[int(game.state["drafter"]), int(game.state["first"])] += 1
    assert all(is_even(coins[drafter, first], 1 / 4) for drafter in range(2) for first in range(2))


@pytest.mark.parametrize(("switch", "other"), [("drafter1", 0), ("drafter2", 1)])
def test_rook_09_a_draft_may_name_the_first_attacker_instead(switch, other):
    cards = card_set({"squad_mode": "draft", "first_attacker": switch})
    for number in range(10):
        game = dealt("rime rute hiss", "delvi valt stone", number, cards).do(0, 1, 2, 3, 4, 5)
        assert game.state["first"] == game.state["drafter"] ^ other


def test_rook_09_the_outcome_names_the_first_attacker_whoever_drafted_first():
    cards = card_set({"squad_mode": "draft"})
    for number in range(10):
        game = dealt("rime rute hiss", "delvi valt stone", number, cards).do(0, 1, 2, 3, 4, 5)
        outcome = np.zeros(1, OUTCOME)[0]
        write_outcome(game.state, outcome)
        assert outcome["attacked_first"].tolist() == [seat == game.state["first"] for seat in range(2)]


def test_rook_09_each_player_draws_four_cards_the_first_attacker_first():
    for number in range(4):
        game = of("rime rute hiss / delvi valt stone", number)
        first = int(game.state["first"])
        game.do("row: Rime, Rute, Hiss" if first else "row: Delvi, Valt, Stone", draws=HANDS)
        assert (game.hand(first), game.hand(1 - first)) == (HANDS[:4], HANDS[4:])
        assert game.position["deck_size"] == 40


def test_rook_10_the_first_defender_arranges_openly_before_any_card_is_drawn():
    for number in range(4):
        game = of("rime rute hiss / delvi valt stone", number)
        first = int(game.state["first"])
        assert (game.phase, game.current_player, game.codes) == ("row", 1 - first, [*range(6)])
        assert [game.hand(seat) for seat in range(2)] == [[], []]
        game.do(3)
        squad = ("rime rute hiss", "delvi valt stone")[1 - first].split()
        assert game.row(1 - first) == [squad[1], squad[2], squad[0]]
        assert (game.phase, game.current_player, game.row(first), game.turn) == ("row", first, [], 0)


def test_rook_10_the_opening_row_may_be_drawn_instead():
    rows: Counter[tuple[int, ...]] = Counter()
    for number in range(GAMES):
        game = of("rime rute hiss / delvi valt stone", number, opening_row="random")
        first = int(game.state["first"])
        assert (game.phase, game.current_player, game.state["hand_n"].tolist()) == ("row", first, [4, 4])
        assert game.state["at"][first].tolist() == [NOBODY] * 3
        rows[tuple(game.state["at"][1 - first].tolist())] += 1
    assert len(rows) == 6
    assert all(is_even(count, 1 / 6) for count in rows.values())
