"""What attacks, weapons and HEAL promise in the evaluation, compared with the rules that they follow."""

import numpy as np
import pytest

from sim.games.riftborn.evaluation import (
    ARMY,
    LIFE,
    READY_WORTH,
    XP_WORTH,
    best_attack,
    best_heal,
    best_weapon,
    exchange_worth,
    hurt_worth,
    judge,
)
from tests.games.riftborn.playing import card_set, placed, table, with_rules

ATTACKER, TARGET = 0, 15  # numbers of the first creatures of the seats


def judged(state, record):
    """An ARMY record of a position."""
    army = np.zeros(1, ARMY)[0]
    judge(state, record, army)
    return army


def duel(own: str, other: str, **rules):
    """One creature of each seat, front row against front row: the state, ARMY, and the expected value of an attack."""
    cards = with_rules(**rules) if rules else card_set()
    state = placed(table({"rows": [[own]]}, {"rows": [[other]]}), cards)
    army = judged(state, cards.record[0])
    return state, army, exchange_worth(state, cards.record[0], army, ATTACKER, TARGET, True)


@pytest.mark.parametrize(("before", "answers"), [(True, 1 + 2), (False, 1 + 1)])
def test_rift_47_97_answers_are_expected_with_the_rage_of_the_blow(before, answers):
    """G-19: two strikes of 3 on a boar (2/5, RAGE 1) kill it; it answers (2 + 1) / 2 and (2 + 2) / 2."""
    state, army, worth = duel("beast_clawcat", "beast_boar", rage_before_retaliation=before)
    kill = hurt_worth(state, army, TARGET, 6) + XP_WORTH * 300
    assert worth == pytest.approx(kill - hurt_worth(state, army, ATTACKER, answers))


@pytest.mark.parametrize(("answers", "points"), [(True, 1), (False, 0)])
def test_rift_47_the_killed_are_expected_to_answer_only_where_the_rules_say_so(answers, points):
    """G-18: a troll (4/7) kills a pikeman (3/4)."""
    state, army, worth = duel("beast_troll", "soldier_pikeman", dead_retaliate=answers)
    kill = hurt_worth(state, army, TARGET, 4) + XP_WORTH * 300
    assert worth == pytest.approx(kill - hurt_worth(state, army, ATTACKER, points))


def test_rift_49_99_ready_adds_to_the_first_strike_alone():
    """4 + 3, then 4: on a creature, and on the opponent."""
    twice = "soldier_crossbow, 3 ready, has DOUBLE ATTACK, has BLOCK"
    state, army, worth = duel(twice, "beast_hydra")
    assert worth == pytest.approx(hurt_worth(state, army, TARGET, 11) - READY_WORTH * 3)
    free, record = placed(table({"rows": [[twice]]}, {"rows": []})), card_set().record[0]
    assert best_attack(free, record, judged(free, record), ATTACKER) == pytest.approx(LIFE * 11 - READY_WORTH * 3)


@pytest.mark.parametrize(("rows", "medic", "points"), [
    ([["soldier_medic"], ["beast_cub"]], 0, 0),
    ([["beast_cub"], ["soldier_medic"]], 1, 3),
])  # fmt: skip
def test_rift_90_only_the_rear_most_row_is_expected_to_heal_the_player(rows, medic, points):
    state = placed(table({"rows": rows, "life": 40}))
    assert best_heal(state, card_set().record[0], medic) == pytest.approx(LIFE * points)


def test_rift_71_a_weapon_is_not_expected_to_earn_what_returns():
    """A skeleton (2/1, UNDEATH) is not killed by a sword of 2."""
    state, record = (
        placed(table({"rows": [], "weapons": ["short_sword"]}, {"rows": [["undead_skeleton"]]})),
        card_set().record[0],
    )
    army = judged(state, record)
    assert best_weapon(state, record, army, 0, int(state["weapon"][0, 0])) == pytest.approx(hurt_worth(state, army, TARGET, 2))
