"""Golden examples about deaths, Weapons, alternative Actions and growth, by the model."""

from collections.abc import Iterator
from math import ceil

import pytest

from tests.games.riftborn.model.attack import attack, creature_codes, use_creature, weapon_codes
from tests.games.riftborn.model.cards import Cards, read_cards
from tests.games.riftborn.model.placement import attack as attack_of
from tests.games.riftborn.model.placement import maximum
from tests.games.riftborn.model.positions import A, B, a_table, at, at_main, attach, formation, hold, run
from tests.games.riftborn.model.state import ENEMY, Table
from tests.games.riftborn.model.turn import CREATURE, END, Model, play_card, playable, start_step, turns

LEVELS_TO_10 = range(2, 11)


def test_golden_g33_who_falls_in_the_attack_earns_the_kill():
    table = a_table("beast_cub", "fae_trickster")
    at(table, A).damage = 1
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, A), formation(table, B)) == ([], [])
    assert [player.xp for player in table.players] == [200, 0]


def test_golden_g34_decay_kills_and_undeath_returns():
    table = a_table("undead_plaguebearer", "undead_wight")
    wight = at(table, B)
    wight.damage = 3
    run(use_creature(table, at(table, A)), 36)
    assert (wight.damage, maximum(table, wight), "UNDEATH" in wight.own) == (2, 3, False)
    assert table.players[A].xp == 0


@pytest.mark.parametrize(
    ("a", "b", "slots"),
    [
        ("", "beast_cub, beast_cub / beast_cub", [0, 1]),
        ("beast_cub", "beast_cub, beast_cub", []),
        ("beast_cub", "beast_cub, beast_cub, beast_cub", [0, 2]),
    ],
)
def test_golden_g35_whom_a_short_sword_reaches(a, b, slots):
    table = a_table(a, b)
    attach(table, A, "short_sword")
    assert weapon_codes(table, A, table.players[A].weapons[0]) == [ENEMY + slot for slot in slots]


def test_golden_g36_summon():
    table = a_table("undead_gravecaller")
    run(use_creature(table, at(table, A)), 37, 0)
    assert formation(table, A) == [["tok_bones", "undead_gravecaller"]]
    assert (table.players[A].xp, table.players[A].used_levels) == (50, 0)
    assert creature_codes(table, at(table, A)) == [1]


def test_golden_g37_transform():
    table = a_table("beast_shifter", "undead_giant")
    at(table, A).damage = 3
    run(use_creature(table, at(table, A)), 38)
    beast = at(table, A)
    assert (beast.card.id, attack_of(table, beast), maximum(table, beast), beast.damage) == ("tok_dire_beast", 5, 6, 0)
    assert (creature_codes(table, beast), table.players[A].xp) == ([], 0)
    table.active = B
    run(attack(table, at(table, B), beast))
    assert [card.id for card in table.players[A].discard] == ["beast_shifter"]
    assert table.players[B].xp == 300


def test_golden_g38_charm():
    table = a_table("fae_charmer, beast_cub", "soldier_crossbow")
    crossbow = at(table, B)
    game = at_main(table)
    game.apply(CREATURE)
    game.apply(31)
    game.apply(CREATURE + 1)
    game.apply(ENEMY)
    assert (crossbow.damage, formation(table, A)) == (2, [["fae_charmer"]])  # answered
    assert (table.active, creature_codes(table, crossbow)) == (B, [35])
    game.apply(END)
    game.apply(END)
    assert (table.active, creature_codes(table, crossbow)) == (B, [15, 30, 35])


def growth(**rules) -> Cards:
    """Cards that give 100 experience per level, with no effect."""
    tomes = [{"id": f"tome_{level}", "type": "spell", "level": level, "xp": 100 * level} for level in range(1, 11)]
    return read_cards({"rules": rules, "card": tomes, "deck": []})


def first_turns(table: Table, levels) -> list[int]:
    return [table.facts.levels[A][level] for level in levels]


def only_turns(table: Table):
    """Start steps of one player and nothing else."""
    while True:
        yield from start_step(table)


def test_golden_g12_growth_from_turns_alone():
    table = a_table(turn_cap=468)
    Model(table, turns)
    assert first_turns(table, range(2, 21)) == [
        *(2, 4, 7, 10, 17, 24, 34, 50, 67, 84, 100, 117, 134, 150, 167, 184, 200, 217, 234)
    ]


def spend(table: Table, own_turns: int, kills: tuple[int, ...] = ()) -> Iterator[tuple[int, int]]:
    """Own turns with the whole budget spent; yields experience after each and the levels played in it.

    kills: own turns that bring 300 experience before anything is played.
    """
    for turn in range(1, own_turns + 1):
        run(start_step(table))
        if turn in kills:
            table.gain(A, 300, "kill")
        hold(table, A, *(f"tome_{level}" for level in range(1, 11)))
        while fitting := playable(table, A):
            run(play_card(table, A, fitting[-1]))
        yield table.players[A].xp, table.players[A].used_levels


@pytest.mark.parametrize(
    ("budget", "xp", "played"),
    [
        ("live", [400, 900, 1500, 2200, 2900, 3700, 4500, 5400, 6300, 7300], [1, 2, 3, 4, 4, 5, 5, 6, 6, 7]),
        ("snapshot", [400, 900, 1500, 2100, 2800, 3600, 4400, 5200, 6100, 7000], [1, 2, 3, 3, 4, 5, 5, 5, 6, 6]),
    ],
)
def test_golden_g13_growth_with_the_budget_spent(budget, xp, played):
    table = a_table(cards=growth(level_budget=budget))
    assert list(spend(table, 10)) == list(zip(xp, played, strict=True))


@pytest.mark.parametrize(
    ("kills", "expected"),
    [
        (0, [2, 4, 7, 10, 17, 24, 34]),
        (1, [1, 3, 6, 10, 16, 23, 33]),
        (2, [1, 2, 6, 9, 16, 22, 32]),
        (3, [1, 2, 5, 8, 15, 22, 32]),
    ],
)
def test_golden_g14_growth_from_turns_and_kills_of_200(kills, expected):
    table = a_table(turn_cap=80)
    for _ in range(kills):
        table.gain(A, 200, "kill")
    Model(table, turns)
    assert first_turns(table, range(2, 9)) == expected
    needs = table.rules.level_xp[1:8]
    assert expected == [max(1, ceil((need - 200 * kills) / 300)) for need in needs]


@pytest.mark.parametrize(
    ("kills", "expected"),
    [
        ((), [2, 3, 4, 6, 8, 10, 13, 18, 22]),
        ((3,), [2, 3, 4, 5, 8, 10, 13, 17, 21]),
        ((3, 4), [2, 3, 4, 5, 7, 9, 12, 17, 21]),
        ((3, 4, 5), [2, 3, 4, 5, 7, 9, 12, 16, 21]),
    ],
)
def test_golden_g15_growth_with_early_kills(kills, expected):
    table = a_table(cards=growth())
    for _ in spend(table, 22, kills):
        pass
    assert first_turns(table, LEVELS_TO_10) == expected
