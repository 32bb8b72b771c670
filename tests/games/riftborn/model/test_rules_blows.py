"""Details of attacks, answers, opportunities and deaths in the Riftborn Tactics model."""

from random import Random

import pytest

from sim.games.riftborn.state import Reach
from tests.games.riftborn.model.attack import attack, attack_codes, move, use_weapon
from tests.games.riftborn.model.documents import odd_cards
from tests.games.riftborn.model.effects import Acting, check_and_earn, death_check, run_list
from tests.games.riftborn.model.placement import adjacent, clear_by_halves, clear_to_nearest, reach
from tests.games.riftborn.model.positions import A, B, a_table, at, attach, formation, ids, run
from tests.games.riftborn.model.state import ENEMY, THE_OPPONENT, GameOver

CUBS = "beast_cub, beast_cub"


def test_rift_34_a_whole_tile_aside_is_not_adjacent():
    table = a_table(CUBS, "beast_cub, beast_cub, beast_cub, beast_cub")
    one, last = at(table, A), at(table, B, 0, 3)
    assert [adjacent(table, one, other) for other in table.players[B].creatures] == [False, True, False, False]
    assert reach(table, one, last) == Reach.NONE


def test_rift_35_half_a_column_is_enough_and_the_nearest_row_is_another_reading():
    table = a_table("beast_cub / beast_cub, beast_cub", "beast_cub / beast_cub, beast_cub, beast_cub")
    behind, far = at(table, A, 1, 0), at(table, B, 1, 0)
    assert clear_by_halves(table, behind, far)
    assert not clear_to_nearest(table, behind, far)  # the cub before it is in the way
    assert not clear_by_halves(table, behind, at(table, B))


@pytest.mark.parametrize(("contact", "expected"), [("touching", False), ("contact", True)])
def test_rift_34_a_clear_path_may_count_as_adjacency(contact, expected):
    three = "beast_cub, beast_cub, beast_cub"
    table = a_table(f"beast_cub / {three}", three, adjacent_enemies=contact)
    assert adjacent(table, at(table, A, 1, 0), at(table, B, 0, 0)) is expected


@pytest.mark.parametrize(("answered", "damage"), [(True, 1), (False, 0)])
def test_rift_37_a_rear_row_over_a_clear_path_is_answered(answered, damage):
    table = a_table("beast_cub / " + CUBS + ", beast_cub", CUBS + ", beast_cub", contact_retaliation=answered)
    run(attack(table, at(table, A, 1, 0), at(table, B, 0, 0)))
    assert at(table, A, 1, 0).damage == damage


def test_rift_38_a_hidden_flyer_stops_nobody():
    table = a_table("beast_hawk", "fae_sprite / soldier_archer")
    at(table, B).face_down = True
    assert attack_codes(table, at(table, A)) == [ENEMY, ENEMY + 5]


def test_rift_43_an_opportunity_of_nothing_turns_nobody_up():
    table = a_table("fae_stalker / beast_cub", "fae_sprite")
    mover = at(table, A)
    mover.face_down = at(table, B).face_down = True
    run(move(table, mover, at(table, A, 1)))
    assert (mover.face_down, at(table, B).face_down, mover.damage) == (True, True, 0)


@pytest.mark.parametrize(("pays", "xp"), [(False, 0), (True, 100)])
def test_rift_44_a_kill_by_opportunity(pays, xp):
    table = a_table("beast_cub / beast_cub", "soldier_guard", aoo_xp=pays)
    run(move(table, at(table, A), at(table, A, 1)))
    assert (formation(table, A), table.players[B].xp) == ([["beast_cub"]], xp)


def test_rift_63_the_rest_of_a_second_opportunity_is_no_more_than_itself():
    table = a_table("beast_cub / beast_cub", "beast_charger, beast_charger")
    run(move(table, at(table, A), at(table, A, 1)))
    assert table.players[A].life == 50 - 1 - 3  # 3 on a cub of 2, then 3 on the dead


@pytest.mark.parametrize(("counts", "damage"), [(True, 2), (False, 1)])
def test_rift_47_rage_of_the_blow_counts_in_the_answer(counts, damage):
    table = a_table("beast_troll", "beast_alpha", rage_before_retaliation=counts)
    at(table, B).weakness = 3
    run(attack(table, at(table, A), at(table, B)))
    assert at(table, A).damage == damage


@pytest.mark.parametrize(("pays", "xp"), [(True, 200), (False, 0)])
def test_rift_48_who_falls_too_may_earn_nothing(pays, xp):
    table = a_table("beast_cub", "fae_trickster", mutual_kill_xp=pays)
    at(table, A).damage = 1
    run(attack(table, at(table, A), at(table, B)))
    assert table.players[A].xp == xp


def test_rift_49_a_return_counts_as_being_there():
    table = a_table("beast_clawcat", "undead_skeleton")
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, B), table.players[A].xp, at(table, A).damage) == ([], 100, 2)


def test_rift_49_the_second_strike_may_go_elsewhere():
    table = a_table("beast_hydra", "beast_cub / beast_cub")
    run(attack(table, at(table, A), at(table, B)))
    assert formation(table, B) == []  # the second cub stepped forward and was the only target
    table = a_table("beast_hydra", "beast_cub")
    run(attack(table, at(table, A), at(table, B)))
    assert table.players[B].life == 46


def test_rift_50_double_attack_hits_the_player_twice_and_ready_once():
    table = a_table("beast_clawcat")
    at(table, A).ready = 4
    run(attack(table, at(table, A), None))
    assert table.players[B].life == 50 - 7 - 3


@pytest.mark.parametrize(("choice", "left"), [(5, "left"), (6, "right")])
def test_rift_65_the_owner_of_the_blow_picks(choice, left):
    table = a_table("beast_charger", "beast_cub / soldier_guard, soldier_guard")
    run(attack(table, at(table, A), at(table, B)), ENEMY + choice)
    damages = [creature.damage for creature in table.players[B].creatures]
    assert damages == ([4, 0] if left == "left" else [0, 4])


def test_rift_65_resistance_halves_what_passes():
    table = a_table("beast_charger", "beast_cub / beast_shellback")
    run(attack(table, at(table, A), at(table, B)))
    assert at(table, B).damage == 2


@pytest.mark.parametrize(("when", "life"), [("any", 49), ("attack", 50)])
def test_rift_101_an_answer_passes_through(when, life):
    table = a_table("beast_cub", "beast_charger", relentless_on=when)
    run(attack(table, at(table, A), at(table, B)))
    assert (formation(table, A), table.players[A].life) == ([], life)


def test_rift_70_a_lost_bonus_kills_in_the_next_round_and_earns_nothing():
    table = a_table("beast_troll", "soldier_drummer, beast_cub")
    drummer, cub = table.players[B].creatures
    drummer.morale, drummer.damage, cub.damage = "health", 3, 2
    run(attack(table, at(table, A), drummer))
    assert (formation(table, B), table.players[A].xp) == ([], 300)


def test_rift_71_no_health_left_uses_up_every_undeath():
    table = a_table("undead_lich")
    at(table, A).decay = 8
    death_check(table)
    assert (formation(table, A), table.facts.times[A]["UNDEATH"]) == ([], 2)


@pytest.mark.parametrize(("kills", "xp"), [("attacks", 0), ("any_own_damage", 100)])
def test_rift_73_kills_by_effects(kills, xp):
    table = a_table("beast_cub", "beast_cub", kill_xp=kills)
    run(run_list(table, table.cards.card("chain_burst").effects, Acting(A)))
    assert (formation(table, A), formation(table, B), table.players[A].xp) == ([], [], xp)


def test_rift_75_a_killed_token_is_gone():
    table = a_table("tok_bones")
    at(table, A).damage = 1
    check_and_earn(table)
    assert (formation(table, A), table.players[A].discard, table.players[A].removed) == ([], [], [])


def test_rift_84_a_swarm_is_no_longer_depleted():
    table = a_table("beast_cub")
    cub = at(table, A)
    cub.own, cub.damage = {"DEPLETED": 1}, 2
    check_and_earn(table)
    assert ids(table.players[A].removed) == ["beast_cub"]


@pytest.mark.parametrize(("counts", "healed"), [("full", 3), ("effective", 1)])
def test_rift_105_siphon_counts_overkill(counts, healed):
    table = a_table("undead_leech", "beast_cub", siphon_counts=counts, dead_retaliate=False)
    leech, cub = at(table, A), at(table, B)
    leech.add("health", 5)
    leech.damage, cub.damage = 5, 1
    run(attack(table, leech, cub))
    assert leech.damage == 5 - healed


@pytest.mark.parametrize(("counts", "healed"), [("full", 3), ("effective", 0)])
def test_rift_105_siphon_from_armour(counts, healed):
    table = a_table("undead_leech", siphon_counts=counts)
    attach(table, B, "leather_armour")
    leech = at(table, A)
    leech.add("health", 5)
    leech.damage = 5
    run(attack(table, leech, None))
    assert leech.damage == 5 - healed


def test_rift_52_weapons_are_halved_by_resistance_and_not_with_magic():
    for name, damage in (("longbow", 1), ("rune_staff", 4)):
        table = a_table("", "beast_shellback / beast_shellback")
        at(table, B).add("health", 5)
        attach(table, A, name)
        run(use_weapon(table, A, table.players[A].weapons[0]), ENEMY)
        assert at(table, B).damage == damage


def test_rift_97_shields_do_not_hold_rage_back():
    table = a_table("soldier_guard", "beast_boar")
    at(table, B).shield = 5
    run(attack(table, at(table, A), at(table, B)))
    assert (at(table, B).rage, at(table, B).damage, at(table, B).shield) == (1, 0, 3)


def test_rift_130_nothing_follows_a_deadly_blow():
    table = a_table("undead_leech")
    table.players[B].life = 3
    with pytest.raises(GameOver):
        run(attack(table, at(table, A), None))
    assert (table.over, table.winner, table.players[B].life) == (True, A, 0)


def mirrored(rows: str) -> str:
    return " / ".join(", ".join(reversed(row.split(", "))) for row in rows.split(" / "))


def named_targets(table, seat: int, flipped: bool) -> list[list[tuple[int, int]]]:
    """Whom each creature may attack, as rows and indexes counted from one end of the table."""
    found = []
    for creature in table.players[seat].creatures:
        targets = []
        for code in attack_codes(table, creature):
            if code == THE_OPPONENT:
                targets.append((-1, -1))
                continue
            target = table.at(seat, code)
            row = table.players[1 - seat].rows[target.row]
            targets.append((target.row, len(row) - 1 - target.index if flipped else target.index))
        found.append(((creature.row, creature.index), sorted(targets)))
    if flipped:
        rows = table.players[seat].rows
        found = [((row, len(rows[row]) - 1 - index), targets) for (row, index), targets in found]
    return sorted(found)


@pytest.mark.parametrize("seed", range(4))
def test_invariant_8_mirrored_tables_have_mirrored_targets(seed):
    rng = Random(seed)
    names = ["beast_cub", "soldier_archer", "beast_hawk", "fae_stalker", "fae_mage", "odd_gloom", "soldier_crossbow"]
    for _ in range(25):
        sides = [" / ".join(", ".join(rng.choices(names, k=rng.randint(1, 5))) for _ in range(rng.randint(1, 3))) for _ in (A, B)]
        cards = odd_cards(clear_path=rng.choice(["half", "nearest"]), adjacent_enemies=rng.choice(["touching", "contact"]))
        table = a_table(*sides, cards=cards)
        other = a_table(*map(mirrored, sides), cards=cards)
        swapped = a_table(*reversed(sides), cards=cards)
        for seat in (A, B):
            assert named_targets(table, seat, False) == named_targets(other, seat, True)
            assert named_targets(table, seat, False) == named_targets(swapped, 1 - seat, False)
