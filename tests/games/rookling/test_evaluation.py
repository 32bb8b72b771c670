"""The evaluation of a position: features of what is seen and expected, with their weights."""

import numpy as np
import pytest

from sim.engine.contract import count_options, legal_actions, nth_option
from sim.games.rookling import GAME
from sim.games.rookling.record import FEATURES, JUDGED, Feature
from sim.games.rookling.state import OPTIONS_MAX
from tests.every_game.play import chance_of, features_of, redealt
from tests.games.rookling.playing import VARIANTS, card_set, game_at_random
from tests.games.rookling.positions import Play, a, table

STRIDE = 30  # positions of a game at this interval are valued
STAGES = FEATURES[: Feature.LIFE]


def seen(play: Play, seat: int = 0) -> dict[str, float]:
    """The features of a position, by name."""
    return features_of(GAME, play.state, play.cards.record, seat)


def chance(play: Play, seat: int = 0) -> float:
    return chance_of(play.state, play.cards.record, seat)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_is_judged_by_what_the_seat_sees(variant: str):
    cards = card_set(variant)
    for state, _, _ in game_at_random(variant)[::STRIDE]:
        for seat in range(2):
            features = features_of(GAME, state, cards.record, seat)
            assert np.isfinite([*features.values()]).all()
            assert features_of(GAME, redealt(state, cards.record, seat), cards.record, seat) == features


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_option_by_its_number_is_that_of_the_list(variant: str):
    cards, listed, out = card_set(variant).record[0], np.zeros(OPTIONS_MAX, np.int32), np.zeros(OPTIONS_MAX, np.int32)
    for state, options, _ in game_at_random(variant)[:-1:STRIDE]:
        assert legal_actions(state, cards, listed) == count_options(state, cards, out) == len(options)
        assert [nth_option(state, cards, out, n) for n in range(len(options))] == listed[: len(options)].tolist()


@pytest.mark.parametrize(
    ("facts", "own", "other"),
    [
        ({"phase": "row"}, "attack_opens", "defence_opens"),
        ({"phase": "assign"}, "attack_plans", "defence_watches"),
        ({"phase": "assign", "defending": True, "attack": (3, 0, 0)}, "attack_waits", "defence_plans"),
        ({"phase": "next", "attack": (3, 3, 0)}, "attack_lands", "defence_holds"),
    ],
)
def test_a_position_has_one_stage_for_each_side(facts: dict, own: str, other: str):
    play = table(a("rime rute hiss", hand="red 4"), a("stone delvi banner", life=(0, 6, 6), hand="red 3"), **facts)
    for seat, stage in enumerate((own, other)):
        assert [name for name in STAGES if seen(play, seat)[name]] == [stage]


def test_rows_are_own_less_the_opponents():
    play = table(a("rime rute hiss", life=(6, 3, 0)), a("stone delvi banner", life=(0, 0, 5)), phase="row")
    found = seen(play)
    assert found["life"] == (9 - 5) / 6
    assert found["alive"] == 1
    assert found["stoutest"] == 1 / 6
    assert found["brink"] == -1
    assert found["late"] == pytest.approx(4 / 6 * (1 - 14 / 36))
    assert {name: -found[name] for name in FEATURES[Feature.LIFE : Feature.OWN_TO_ATTACK]} == {
        name: seen(play, 1)[name] for name in FEATURES[Feature.LIFE : Feature.OWN_TO_ATTACK]
    }


def test_life_is_what_the_best_response_leaves():
    """5 points strike Rute in siege-state, who blocks 2; 3 are spilled onto Banner."""
    facts = {"phase": "next", "attack": (4, 5, 0), "defence": (2, 2, 0)}
    play = table(a("rime hiss delvi"), a("stone rute banner", life=(3, 0, 4)), **facts)
    assert seen(play, 1)["life"] == (4 - 18) / 6, "(0, 0, 4), see G-34"
    assert seen(play, 1)["brink"] == 1


def test_lost_is_who_cannot_be_saved():
    facts = {"defending": True, "attacker": 1, "attack": (0, 5, 0)}
    own, other = "banner hiss spring", a("thorn rime stone")
    saved = table(a(own, hand="red 3", life=(0, 3, 0)), other, **facts)
    dead = table(a(own, hand="red 1", life=(0, 3, 0)), other, **facts)
    assert (seen(saved)["lost"], seen(dead)["lost"]) == (0, 1)
    assert 10 * chance(dead) < chance(saved)


def test_poison_is_taken_off_the_row_once_it_cannot_be_cleared():
    own = a("rute stone spring", life=(1, 6, 0), tokens=("poisoned, poisoned", "", ""), hand="red 1")
    assert seen(table(own, phase="clear"))["life"] == (7 - 18) / 6
    assert seen(table(own, phase="row"))["life"] == (6 - 18) / 6
    assert seen(table(own, phase="row"))["brink"] == 1


def test_power_is_what_different_cards_give_different_rooklings():
    """Vent asks for a red 3, Boulder for any 4: the red 4 can be used once."""
    own = "hiss stone rute"
    one = seen(table(a(own, hand="red 4"), phase="row"))
    two = seen(table(a(own, hand="red 4, red 3"), phase="row"))
    three = seen(table(a(own, hand="red 4, red 3, blue 1"), phase="row"))
    assert (one["power_next"], two["power_next"], three["power_next"]) == (0.5, 1.0, 1.0)
    assert seen(table(a(own, hand="red 4", tokens=("frozen", "frozen", "")), phase="row"))["power_next"] == 0.3


def test_a_defender_keeps_the_power_of_what_it_does_not_need():
    """Red 1 is as good a block for Stone as red 4, with which Stone can attack."""
    facts = {"defending": True, "attacker": 1, "attack": (2, 0, 0)}
    play = table(a("stone spring banner", hand="red 4, blue 1", life=(2, 0, 0)), a("thorn rime delvi"), **facts)
    found = seen(play)
    assert (found["life"], found["power_next"]) == ((2 - 18) / 6, 0.5)


def test_kill_is_certain_where_nobody_can_block():
    own, other = a("thorn spring stone", hand="red 3"), a("banner rime delvi", life=(0, 5, 0))
    assert seen(table(own, other))["kill"] == 1
    assert seen(table(own, other | {"life": [0, 6, 0]}))["kill"] == 0


def test_an_attack_shows_as_its_cards_are_placed():
    play = table(a("thorn spring stone", hand="red 3, blue 2"), a("banner rime delvi"))
    before = seen(play, 1)["shown"]
    play.do("put red 3 on Thorn")
    assert (before, seen(play, 1)["shown"]) == (0, -5 / 6)


def test_a_squad_to_be_drafted_counts_as_average():
    cards = table(a("rime rute hiss"), rules={"squad_mode": "draft"}).cards
    worth = cards.record[0]["worth"]
    assert worth[-1] == pytest.approx(worth[: cards.record[0]["rooklings"]].mean())
    play = table(
        {"seat": 0, "squad": ["rute"]}, {"seat": 1, "squad": []}, rules={"squad_mode": "draft"}, phase="draft", drafter=0
    )
    rute = cards.document["rookling"].index(next(one for one in cards.document["rookling"] if one["id"] == "rute"))
    assert seen(play)["strength"] == pytest.approx((worth[rute] - worth[-1]) / 5)
    assert seen(play)["strength"] == pytest.approx(-seen(play, 1)["strength"])


def test_by_hand_a_life_point_is_a_quarter_of_log_odds():
    """As players were until weights were fitted: a lead of 8 life points was a chance of three quarters."""
    weight = dict(zip(FEATURES, table(a("rime rute hiss")).cards.record[0]["weight_baseline"][JUDGED], strict=True))
    assert weight["life"] == 6 / 4
    assert weight["alive"] == 2 / 4
    assert weight["numbers"] == pytest.approx(0.6 * 10 / 4)
    assert weight["other_to_attack"] == weight["other_to_defend"] == pytest.approx(3 * (0.5 + 0.6 * 17 / 6) / 4)
