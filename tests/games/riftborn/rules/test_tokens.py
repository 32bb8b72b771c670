"""RIFT-60 to 64 and 66 to 68 on the kernels: abilities in force, Attack and Health, damage, healing, tokens; G-30, G-32."""

import pytest

from sim.games.riftborn.cards import Ability
from sim.games.riftborn.state import TOKENS_MAX, power
from tests.games.riftborn.positions import A, B, a, table

CHANT = "chant | spell | 1 | 0/0 | 50 | | {}, chosen friend 1"
BEACON = "beacon | 1 | 1/9 | 100 | AURA(1) | aura friend keyword {}"


def chanted(creature: str, effect: str) -> str:
    """What a creature has after an effect of its player's Spell."""
    return table(creature, hand="chant", others=CHANT.format(effect)).play("chant").bears("A0.0")


# ---- abilities ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("creature", "x"),
    [
        *[("soldier_archer", 2), ("beast_cub", 0), ("beast_cub [has RANGE(4)]", 4), ("soldier_archer [lost RANGE(2)]", 0)],
        *[("soldier_crossbow", 3), ("beast_pack", 0)],
    ],
)
def test_rift_60_an_ability_is_in_force_if_printed_or_granted_and_not_lost(creature, x):
    game = table(creature)
    assert power(game.state, game.creature("A0.0"), Ability.RANGE) == x


@pytest.mark.parametrize(
    ("creature", "x"),
    [
        ("beast_cub", 3),
        ("soldier_archer", 3),
        ("beast_cub [has RANGE(4)]", 4),
        ("soldier_archer [lost RANGE(2)]", 3),
        ("beast_pack", 0),
    ],
)
def test_rift_60_or_given_by_an_aura_in_reach_and_the_largest_x_counts(creature, x):
    game = table(f"{creature}, beacon", more=BEACON.format("RANGE(3)"))
    assert power(game.state, game.creature("A0.0"), Ability.RANGE) == x


@pytest.mark.parametrize(
    ("creature", "effect", "bears"),
    [
        ("soldier_archer", "grant RANGE(1)", "soldier_archer"),
        ("soldier_archer", "grant RANGE(4)", "soldier_archer, has RANGE(4)"),
        ("undead_skeleton", "grant UNDEATH", "undead_skeleton, has UNDEATH(2)"),
        ("beast_pack", "grant MAGIC", "beast_pack"),
        ("beast_pack", "grant SWARM(2)", "beast_pack"),
        ("beast_pack", "grant SWARM(4)", "beast_pack, has SWARM(4)"),
        ("undead_lich", "lose UNDEATH", "undead_lich, lost UNDEATH(2)"),
        ("undead_wight [lost UNDEATH]", "grant UNDEATH", "undead_wight"),
        ("undead_lich", "grant SWARM(2)", "undead_lich, has SWARM(2)"),
        ("beast_cub", "grant VANGUARD", "beast_cub, has VANGUARD"),
    ],
)
def test_rift_60_110_the_larger_x_stays_undeath_adds_up_and_swarm_stands_alone(creature, effect, bears):
    assert chanted(creature, effect) == bears


@pytest.mark.parametrize("state", ["DORMANT", "ROOTED", "PACIFIST"])
def test_rift_60_prohibitions_are_looked_up_when_the_move_or_action_is_used(state):
    free = CHANT.format(f"lose {state}")
    game = table(f"beast_cub [has {state}], undead_sleeper", "undead_sleeper", hand="chant", others=free)
    before = game.can("A0.0")
    assert before == {"ROOTED": ["B0.0"]}.get(state, [])
    game.play("chant", "A0.0")
    assert game.can("A0.0") == ["B0.0"]


def test_rift_60_a_woken_creature_may_still_move_and_act_this_turn():
    game = table("undead_sleeper, beast_cub", "undead_sleeper", hand="awaken").play("awaken", "A0.0")
    assert game.swap("A0.0", "A0.1").attack("A0.1", "B0.0").of("B0.0", "damage") == 6


# ---- Attack and Health ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "stats"),
    [
        *[
            ("beast_cub", "2/2"),
            ("beast_cub [3 rage]", "5/2"),
            ("beast_cub [1 weakness]", "1/2"),
            ("beast_cub [5 weakness]", "0/2"),
        ],
        *[("beast_cub [5 weakness, 4 rage]", "1/2"), ("beast_pack", "3/3"), ("beast_pack [2 weakness, 1 health]", "1/4")],
        *[("undead_lich [has SWARM(2)]", "12/16"), ("beast_cub, soldier_drummer", "3/2")],
        *[("beast_cub, soldier_drummer [morale health]", "2/3"), ("beast_cub, beast_alpha", "3/2")],
        *[("beast_pack, beast_alpha", "4/3"), ("beast_cub [3 weakness], beast_alpha", "0/2")],
        *[("beast_cub [4 health]", "2/6"), ("beast_hydra [4 decay]", "4/8"), ("beast_hydra [4 decay, 1 health]", "4/9")],
    ],
)
def test_rift_61_62_golden_g30_g32_printed_times_swarm_and_tokens_morale_and_aura(row, stats):
    assert table(row).stats("A0.0") == stats


def test_rift_61_only_the_sum_is_floored_and_the_tokens_stay():
    game = table("beast_cub [5 weakness]", hand="war_cry", xp=500)
    assert game.stats("A0.0") == "0/2"
    assert game.play("war_cry").stats("A0.0") == "0/2"
    assert game.bears("A0.0") == "beast_cub, 2 rage, 5 weakness"


@pytest.mark.parametrize("decay", [2, 5])
def test_rift_62_maximum_health_may_fall_to_0_or_less(decay):
    game = table("beast_cub")
    game.state["decay"][game.creature("A0.0")] = decay
    assert game.stats("A0.0") == f"2/{2 - decay}"
    assert game.end().who(A) == ""


# ---- damage and healing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shields", "damage", "left", "taken"), [(0, 4, 0, 4), (3, 4, 0, 1), (4, 4, 0, 0), (6, 4, 2, 0), (1, 1, 0, 0)]
)
def test_rift_63_shields_go_first_one_for_a_point_and_every_further_point_is_a_damage_token(shields, damage, left, taken):
    game = table(
        f"beast_hydra [{shields} shield]" if shields else "beast_hydra", hand="chant", others=CHANT.format(f"damage {damage}")
    )
    game.play("chant")
    assert (game.of("A0.0", "shield"), game.of("A0.0", "damage")) == (left, taken)


@pytest.mark.parametrize(("creature", "rage"), [("beast_boar", 1), ("beast_boar [2 shield]", 1), ("beast_cub [5 health]", 0)])
def test_rift_63_rage_follows_any_damage_of_at_least_1(creature, rage):
    game = table(creature, hand="spark").play("spark")
    assert game.of("A0.0", "rage") == rage


@pytest.mark.parametrize(("damage", "left"), [(3, 1), (2, 0), (1, 0), (0, 0)])
def test_rift_64_healing_removes_damage_but_not_more_than_there_is(damage, left):
    hurt = f"beast_hydra [{damage} damage]" if damage else "beast_hydra"
    game = table(hurt, hand="chant", others=CHANT.format("heal 2")).play("chant")
    assert (game.of("A0.0", "damage"), game.stats("A0.0")) == (left, "4/12")


# ---- tokens ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "bears", "stats"),
    [
        ("add rage 2", "beast_hydra, 2 rage", "6/12"),
        ("add weakness 2", "beast_hydra, 2 weakness", "2/12"),
        ("add health 2", "beast_hydra, 2 health", "4/14"),
        ("add decay 2", "beast_hydra, 2 decay", "4/10"),
        ("add shield 2", "beast_hydra, 2 shield", "4/12"),
    ],
)
def test_rift_66_67_68_a_token_is_a_point(effect, bears, stats):
    game = table("beast_hydra", hand="chant", others=CHANT.format(effect)).play("chant")
    assert (game.bears("A0.0"), game.stats("A0.0")) == (bears, stats)


@pytest.mark.parametrize("kind", ["rage", "weakness", "health", "decay"])
def test_rift_66_67_all_but_shields_stay(kind):
    game = table(f"beast_hydra [3 {kind}, 2 shield]", f"beast_hydra [3 {kind}, 2 shield]").end()
    assert (game.bears("A0.0"), game.bears("B0.0")) == (f"beast_hydra, {_in_order(kind)}", f"beast_hydra, 3 {kind}")
    assert game.end().bears("A0.0") == f"beast_hydra, 3 {kind}"


def _in_order(kind: str) -> str:
    """Three tokens and two Shields in the order of the notation."""
    return f"3 {kind}, 2 shield" if kind in ("rage", "health") else f"2 shield, 3 {kind}"


@pytest.mark.parametrize(("n", "left"), [(1, 2), (3, 0), (5, 0)])
@pytest.mark.parametrize("kind", ["rage", "weakness", "health", "decay", "shield"])
def test_rift_66_67_68_tokens_are_cleared_up_to_as_many_as_there_are(kind, n, left):
    game = table(f"beast_hydra [3 {kind}]", hand="chant", others=CHANT.format(f"clear {kind} {n}")).play("chant")
    assert game.of("A0.0", kind) == left


@pytest.mark.parametrize("kind", ["rage", "health", "shield", "weakness", "decay"])
def test_rift_66_67_68_counters_saturate(kind):
    creature = f"beast_hydra [{TOKENS_MAX - 1} {kind}]" if kind != "decay" else "beast_hydra [9 decay]"
    game = table(creature, hand="chant", others=CHANT.format(f"add {kind} 5"))
    if kind == "decay":
        game.state["decay"][game.creature("A0.0")] = game.state["health"][game.creature("A0.0")] = TOKENS_MAX - 1
    assert game.play("chant").of("A0.0", kind) == TOKENS_MAX


def test_rift_67_health_tokens_stay_under_damage():
    game = table("beast_charger", "soldier_guard [3 health]").attack("A0.0", "B0.0")
    assert (game.bears("B0.0"), game.stats("B0.0")) == ("soldier_guard, 6 damage, 3 health", "2/8")


@pytest.mark.parametrize(
    ("creature", "who"), [("beast_hydra [8 damage]", "beast_hydra"), ("beast_hydra [10 damage, 9 shield]", "")]
)
def test_rift_68_decay_kills_at_once_and_shields_do_not_help(creature, who):
    game = table(creature, a("beast_boar"), hand="chant", others=CHANT.format("add decay 2")).play("chant")
    assert (game.who(A), game.xp(B)) == (who, 0)
