"""What the judge makes of a position: features of what a seat has, is about to get, and how the game stands."""

import math

import numpy as np
import pytest

from sim.engine.contract import evaluate, features
from sim.engine.judgement import BY_HAND, FITTED, read_judgement
from sim.games.cardrogue.cards import REFERENCE
from sim.games.cardrogue.evaluation.features import STEPS, UNIT
from sim.games.cardrogue.evaluation.values import BOSS_POINT, GOLD, HEALTH, POINT, SKIPPED
from sim.games.cardrogue.record import FEATURES
from tests.games.cardrogue.positions import EAST, FOUR, NORTH, Play, a, an_enemy, card_set, dealt, table

FAR = a("bard", (12, 24))
CELLS = {"5,12": FOUR, "6,12": FOUR, "5,13": FOUR, "4,12": "S", "12,24": FOUR, "11,24": FOUR}


def seen(play: Play, seat: int = 0) -> dict[str, float]:
    """The features of a position, by name."""
    return dict(zip(FEATURES, features(play.state, play.cards.record[0], np.int64(seat)), strict=True))


def lay(own: dict, other: dict = FAR, **more: object) -> dict[str, float]:
    return seen(table(own, other, map=CELLS, **more))


def test_the_chance_is_that_of_a_logistic_model():
    play = table(a("warrior", gold=7, hand=["key"]), FAR, map=CELLS)
    weight = play.cards.record[0]["weight"][1]
    for seat in range(2):
        total = math.fsum(w * x for w, x in zip(weight, seen(play, seat).values(), strict=True))
        found = float(evaluate(play.state, play.cards.record[0], np.int64(seat)))
        assert found == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-6)


def test_every_weight_of_the_file_is_in_the_record():
    judgement, record = read_judgement(REFERENCE.with_name("judgement.toml")), card_set().record[0]
    for kind, field in ((FITTED, "weight"), (BY_HAND, "weight_by_hand")):
        for seats in range(1, 5):
            assert [judgement[kind][str(seats)][name] for name in FEATURES] == record[field][seats - 1].tolist()


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_at_the_start_nobody_is_ahead_by_anything_but_the_character(seats: int):
    play = dealt(seats)
    for seat in range(seats):
        found = seen(play, seat)
        assert all(map(math.isfinite, found.values()))
        assert found["constant"] == 1
        assert [
            found[name] for name in ("points", "bosses", "gear", "cards", "key", "gold", "rush", "clock", "idle")
        ] == [0] * 9


def test_what_one_has_is_told_less_what_the_other_has():
    own, other = a("cleric", gold=10, scored={"chest": 1}, skip=1), a("bard", (12, 24), hand=["golem"], health=5)
    found = lay(own, other)
    assert found["points"] == POINT / UNIT
    assert found["bosses"] == -2 * BOSS_POINT / UNIT
    assert found["gold"] == pytest.approx(10 * GOLD / UNIT)
    assert found["health"] == pytest.approx(HEALTH / 2 / UNIT)
    assert found["ailments"] == pytest.approx(-SKIPPED / UNIT)


def test_the_best_of_several_others_is_the_rival():
    own, poor, rich = a("cleric"), a("rogue", (11, 24)), a("bard", (12, 24), scored={"debt": 1})
    assert seen(table(own, poor, rich, map=CELLS))["points"] == -POINT / UNIT
    assert seen(table(own, rich | {"scored": {}}, poor, map=CELLS))["points"] == 0


def test_a_blow_shows_at_once():
    """Three health less of the goblin, and the fight looks better, before it has struck back."""
    play = table(a("warrior"), FAR, map=CELLS, enemies=[an_enemy("goblin", NORTH)])
    before = seen(play)["fight"]
    after = seen(play.do("attack north", dice=[6]))["fight"]
    assert after > before
    assert seen(play, 1)["rival_fight"] == after


def test_the_end_rush_is_a_race():
    """One step from the way out, the other one farther than anybody counts."""
    found = lay(a("cleric", hand=["golem"]), rush=True)
    assert (found["rush"], found["rush_lead"], found["rush_death"]) == (1, 2, 0)
    assert found["rush_race"] == pytest.approx(29 / 30)
    gone = lay(a("cleric"), a("bard", "out"), rush=True)
    assert gone["rush_death"] == -1
    assert lay(a("cleric", hand=["golem"]))["rush_lead"] == 0


def test_rounds_count_in_steps():
    """A turn more or less must not decide between what is equally good."""
    limit = int(card_set().record["max_rounds"][0])
    assert lay(a("cleric"), round=limit // STEPS - 1)["clock"] == 0
    assert lay(a("cleric"), round=limit // STEPS)["clock"] == 1 / STEPS
    assert lay(a("cleric"), round=20, idle=29)["idle"] == pytest.approx(0.8)


def test_what_is_half_decided_counts_as_what_it_promises():
    """A sword in hand, and the decision what to put on."""
    play = table(a("cleric", hand=["sword", "helm"]), FAR, map=CELLS)
    assert seen(play)["plan"] == 0
    assert seen(play.do("equip"))["plan"] > 0
    assert seen(play, 1)["plan"] == 0


def test_an_offer_is_nothing_to_those_who_have_no_part_in_it():
    players = a("rogue", hand=["key"]), a("cleric", EAST, hand=["blue"]), a("bard", (12, 24))
    play = table(*players, map=CELLS, step="interact").do("trade east", "offer key", "ask for blue potion")
    assert seen(play, 1)["plan"] > 0
    assert seen(play, 2)["plan"] == 0


def test_by_hand_a_lead_counts_as_it_did():
    """A lead of 12 tenths of a point was a chance of three quarters before: 1/6 of log-odds for each, near 0."""
    weight = dict(zip(FEATURES, card_set().record[0]["weight_by_hand"][1], strict=True))
    for name in ("points", "bosses", "health", "ailments", "attack", "gear", "cards", "key", "gold", "found", "fight"):
        assert weight[name] == pytest.approx(2 * 0.98 / 12 * UNIT, abs=1e-4)
    assert weight["rush"] == weight["clock"] == weight["constant"] == 0
