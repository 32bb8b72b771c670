"""RIFT-20 to 27 on the kernels: levels, sources of experience, the level budget; G-01."""

import pytest

from sim.games.riftborn.rules.players import gain_xp
from sim.games.riftborn.state import Gain, Phase
from tests.games.riftborn.positions import A, B, Play, a, table

GIFT = "gift | spell | 1 | 0/0 | 50 | | gain_xp 120"
THRESHOLDS = (0, 500, 1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000)


def gained(game: Play, seat: int) -> dict[str, int]:
    """Experience by source since the position was laid out, none left out."""
    gains = {source.name.lower(): int(game.state["gained"][seat, source]) for source in Gain}
    assert sum(gains.values()) == game.xp(seat)
    return {source: points for source, points in gains.items() if points}


# ---- levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xp", "level"),
    [*[(0, 1), (499, 1), (500, 2), (999, 2), (1000, 3), (2999, 4)], *[(3000, 5), (69999, 19), (70000, 20), (100000, 20)]],
)
def test_rift_20_golden_g01_the_level_is_the_highest_one_that_the_experience_reaches(xp, level):
    game = table()
    gain_xp(game.state, game.record, A, xp, Gain.EFFECT)
    assert (game.xp(A), game.level(A)) == (xp, level)


@pytest.mark.parametrize("level", range(2, 11))
def test_rift_20_a_level_is_reached_with_the_last_point(level):
    need = THRESHOLDS[level - 1]
    assert table(hand="gift", xp=need - 171, others=GIFT).play("gift").level(A) == level - 1
    assert table(hand="gift", xp=need - 170, others=GIFT).play("gift").level(A) == level


def test_rift_20_one_gain_may_bring_several_levels():
    game = table(rules={"turn_xp": 3000}).end()
    assert (game.xp(B), game.level(B)) == (3000, 5)


# ---- where it comes from --------------------------------------------------------------------------------------------


def test_rift_21_experience_comes_from_turns_cards_summoning_kills_and_gain_xp():
    game = table("undead_gravecaller, beast_troll", "beast_cub", hand="gift", others=GIFT)
    game.attack("A0.1", "B0.0").act("A0.0", "summon", "0.0").play("gift").end().end()
    assert gained(game, A) == {"turn": 300, "play": 50, "summon": 50, "kill": 100, "effect": 120}


def test_rift_21_nothing_else_brings_experience():
    own = a("soldier_medic, undead_plaguebearer", hand="spark", armour="leather_armour", life=40, library="recall")
    game = table(own, "undead_skeleton [lost UNDEATH], tok_bones, beast_cub [2 shield]")
    game.act("A0.0", "heal", "A").act("A0.1", "spell", "B0.1").play("spark", "B0.0")
    assert (game.who(B), gained(game, A), gained(game, B)) == ("beast_cub", {"play": 50}, {})


# ---- the budget -----------------------------------------------------------------------------------------------------


def test_rift_22_all_types_of_cards_use_the_budget():
    hand = "spark, short_sword, leather_armour"
    poor = {f"card.{card}.xp": 0 for card in hand.split(", ")}
    game = table("beast_cub", hand=hand, xp=500, changes=poor)
    game.play("spark").play("short_sword")
    assert ("play leather_armour" in game.options, game.state["used_levels"][A]) == (False, 2)


def test_rift_23_with_snapshot_the_level_counts_from_the_next_own_turn():
    game = table(hand="beast_cub, soldier_recruit", xp=450, rules={"level_budget": "snapshot"}).play("beast_cub")
    assert game.end().end().options == ["end", "play soldier_recruit", "use A0.0"]
    assert game.state["start_level"][A] == 2


def test_rift_24_experience_is_added_before_the_card_does_anything():
    game = table(hand="beast_cub, soldier_recruit", xp=450).do("play beast_cub")
    assert (game.xp(A), game.level(A), game.who(A)) == (550, 2, "beast_cub")
    asked = table("soldier_guard", hand="beast_cub").do("play beast_cub")
    assert (asked.phase, asked.xp(A), asked.who(A)) == (Phase.PLACE, 100, "soldier_guard")
    aimed = table("soldier_guard, beast_cub", hand="spark").do("play spark")
    assert (aimed.phase, aimed.xp(A)) == (Phase.TARGET, 50)


@pytest.mark.parametrize(
    ("victim", "xp"), [("beast_pack", 200), ("tok_bones", 50), ("beast_cub", 100), ("beast_cub [has SWARM(2)]", 100)]
)
def test_rift_25_a_kill_brings_the_value_of_the_card_once_and_a_token_its_own(victim, xp):
    game = table("undead_giant", victim).attack("A0.0", "B0.0")
    assert (game.who(B), game.xp(A)) == ("", xp)


def test_rift_26_experience_has_no_limit_and_the_level_stays_20():
    game = table(xp=70000).end().end().end().end()
    assert (game.xp(A), game.level(A)) == (70600, 20)


def test_rift_26_experience_is_never_lost():
    game = table("beast_cub", a("beast_charger", xp=700), xp=900).attack("A0.0", "B0.0")
    assert (game.who(A), game.xp(A), game.level(A), game.xp(B)) == ("", 900, 2, 700)


# ---- by an effect ---------------------------------------------------------------------------------------------------


def test_rift_27_a_creature_played_free_does_what_it_does_when_played():
    own = a(hand="rift_gate, fae_seer, fae_stalker", library="spark, recall, wither", xp=1000)
    seer = table(own).play("rift_gate", "fae_seer")
    assert (seer.phase, seer.hand(A)) == (Phase.SCRY, "fae_stalker, spark")
    stalker = table(own).play("rift_gate", "fae_stalker")
    assert stalker.bears("A0.0") == "fae_stalker, face down, entered"
