"""RIFT-115 to 119: TRICK cards are laid, set off, wait in their queue and are carried out."""

from typing import Any

import pytest

from sim.games.riftborn.state import Phase
from tests.games.riftborn.positions import A, B, Play, a, table

MORE = """
fae_jester | 1 | 1/9 | 100 | TRICK, TRICK | trick damage 3, trigger; trick add shield 4, subject
fae_avenger | 1 | 1/9 | 100 | TRICK | trick damage 9, chosen enemy 1
fae_sage | 1 | 1/9 | 100 | TRICK | trick draw 1
fae_crowd | 1 | 2/4 | 100 | TRICK | trick damage 2, each any
fae_gloom | 2 | 1/9 | 100 | STEALTH, AURA(2) | aura enemy health -2
fae_oracle | 1 | 1/9 | 100 | TRICK | trick scry 2
fae_blade | 1 | 1/1 | 100 | TRICK | trick destroy, trigger
"""
OTHERS = """
doom | spell | 1 | 0/0 | 50 | | destroy, chosen enemy 1
cull | spell | 1 | 0/0 | 50 | | damage 2, each any
brood | spell | 1 | 0/0 | 50 | | summon tok_bones 1
"""


def jester(tricks: str, rows: str = "fae_jester", **facts: object) -> dict:
    """Seat B with a creature whose tricks hurt the trigger or shield the subject."""
    return a(rows, tricks=tricks, **facts)


def board(own: str | dict = "", other: str | dict = "", **position: Any) -> Play:
    """A table with the cards above."""
    return table(own, other, **{"more": MORE, "others": OTHERS} | position)


def asked(game: Play) -> bool:
    """Whether B is asked for a trick."""
    return (game.phase, game.seat) == (Phase.TRICK_FIRE, B)


# laying


def test_rift_115_only_cards_that_do_not_lie_there_already_are_open_and_the_opponent_has_a_set_of_its_own():
    own = a("", hand="fae_trickster", tricks="ambush, echo", xp=1000)
    game = board(own, a("", tricks="pitfall, wake")).do("play fae_trickster")
    assert game.options == ["no trick", "pitfall", "wake", "snare"]
    assert game.do("snare").tricks(A) == "ambush, echo, snare"


def test_rift_115_with_all_five_laid_nothing_is_asked():
    own = a("", hand="fae_queen", tricks="ambush, pitfall, echo, wake, snare", xp=10000)
    assert board(own).play("fae_queen").phase == Phase.MAIN


# conditions


def test_rift_116_ambush_waits_for_an_attack_on_a_creature():
    game = board("beast_charger", jester("ambush")).do("use A0.0", "B0.0")
    assert asked(game)
    assert game.options == ["B0.0", "B0.0 second"]
    assert game.fork().do("B0.0").of("A0.0", "damage") == 3 + 0
    assert game.fork().do("B0.0 second").of("B0.0", "damage") == 6 - 4


@pytest.mark.parametrize("tricks", ["ambush", "pitfall"])
def test_rift_116_an_attack_on_the_player_is_a_pitfall(tricks):
    game = board("beast_cub, beast_cub, beast_charger", jester(tricks)).do("use A0.2", "B")
    assert asked(game) == (tricks == "pitfall")
    assert game.tricks(B) == ("ambush" if tricks == "ambush" else "")


@pytest.mark.parametrize(
    ("card", "set_off"), [("spark", True), ("short_sword", False), ("leather_armour", False), ("beast_cub", False)]
)
def test_rift_116_echo_waits_for_a_spell(card, set_off):
    game = board("", jester("echo"), hand=card).do(f"play {card}")
    assert asked(game) == set_off


@pytest.mark.parametrize(
    ("hand", "decisions", "set_off"),
    [
        ("beast_cub", ("play beast_cub",), True),
        ("rift_gate, beast_cub", ("play rift_gate",), True),
        ("spark", ("play spark", "B0.0"), False),
        ("brood", ("play brood",), False),
        ("", ("use A0.0", "summon"), False),
        ("", ("use A0.1", "transform"), False),
    ],
)
def test_rift_116_snare_waits_for_a_creature_card(hand, decisions, set_off):
    own = a("undead_gravecaller, beast_shifter", hand=hand, xp=2000)
    game = board(own, jester("snare")).do(*decisions)
    while game.phase == Phase.PLACE:
        game.do(game.codes[0])
    assert asked(game) == set_off
    if set_off:
        assert "beast_cub" not in game.do("B0.0").who(A), "it was the trigger"


def test_rift_116_wake_waits_for_the_death_of_an_own_creature():
    rows = "fae_jester, beast_cub"
    assert asked(board("beast_troll", jester("wake", rows)).do("use A0.0", "B0.1"))
    assert asked(board("", jester("wake", rows), hand="doom").do("play doom", "B0.1"))
    assert asked(board("", jester("wake", "fae_jester, tok_bones"), hand="doom").do("play doom", "B0.1"))
    assert not asked(board("beast_troll", jester("wake", rows)).do("use A0.0", "B0.0"))
    own = a("beast_cub [1 damage], beast_boar", hand="spark")
    assert not asked(board(own, jester("wake")).do("play spark", "A0.0")), "an enemy fell"


def test_rift_52_116_a_weapon_declares_no_attack():
    game = board("", jester("ambush, pitfall"), weapons="short_sword").wield("short_sword")
    assert (game.tricks(B), game.of("B0.0", "damage")) == ("ambush, pitfall", 2)


def test_rift_49_116_the_second_strike_is_no_new_declaration():
    game = board("beast_hydra", jester("ambush, pitfall", "fae_jester, beast_troll")).do("use A0.0", "B0.0", "B0.0")
    assert (game.phase, game.of("A0.0", "damage")) == (Phase.TARGET, 3)
    game.do("B0.1")
    assert (game.tricks(B), game.of("B0.1", "damage")) == ("pitfall", 4)


# the queue


def test_rift_117_a_trick_acts_before_the_strike_and_may_end_the_attack():
    game = board("beast_charger", a("fae_blade", tricks="ambush")).attack("A0.0", "B0.0")
    assert (game.who(A), game.who(B), game.xp(B)) == ("", "fae_blade", 0)
    game = board("beast_charger [has UNDEATH]", a("fae_blade", tricks="ambush")).attack("A0.0", "B0.0")
    assert (game.who(A), game.who(B)) == ("beast_charger", ""), "who returns strikes"


def test_rift_117_a_card_set_off_leaves_play_and_may_be_laid_again():
    game = board("beast_troll", jester("ambush", hand="fae_trickster", xp=1000)).attack("A0.0", "B0.0", "B0.0")
    assert game.tricks(B) == ""
    assert game.end().play("fae_trickster", "0.0", "ambush").tricks(B) == "ambush"


@pytest.mark.parametrize(("avenger", "drawn"), [("fae_avenger", ""), ("fae_sage", "spark")])
def test_rift_117_of_one_event_the_other_player_comes_first(avenger, drawn):
    """One avenger there kills the only creature here with a trick, before it can carry one out."""
    own = a("fae_sage, beast_cub", hand="cull", tricks="wake", library="spark", xp=500)
    game = board(own, a(f"{avenger}, beast_cub", tricks="wake")).do("play cull")
    assert (game.hand(A), game.tricks(A), game.tricks(B)) == (drawn, "", "")


def test_rift_117_first_in_first_out():
    """`wake` came while the Spell acted, `echo` when it was complete; both choose again each time."""
    other = jester("echo, wake", "fae_sage, fae_crowd, beast_cub", library="spark, mending")
    game = board("beast_troll", other, hand="cull", xp=500).do("play cull")
    assert (asked(game), game.tricks(B), game.options) == (True, "", ["B0.0", "B0.1"])
    game.do("B0.1")
    assert (game.of("A0.0", "damage"), game.who(B)) == (4, "fae_sage"), "the crowd hurts itself, 2 and 2"
    assert (game.hand(B), game.phase) == ("spark", Phase.MAIN)


def test_rift_27_117_a_creature_played_by_a_spell_sets_its_snare_off_before_the_echo():
    own = a("", hand="rift_gate, beast_boar", xp=2000)
    game = board(own, jester("snare, echo")).do("play rift_gate")
    assert asked(game)
    game.do("B0.0")
    assert game.of("A0.0", "damage") == 3, "the snare has its trigger"
    assert asked(game)
    game.do("B0.0")
    assert (game.of("A0.0", "damage"), game.pile("discard", A)) == (3, "rift_gate"), "the echo has none"


def test_rift_49_117_tricks_act_between_two_strikes():
    other = jester("wake", "fae_avenger, beast_cub")
    game = board("beast_clawcat", other).attack("A0.0", "B0.1")
    assert (game.who(A), game.xp(A), game.xp(B)) == ("", 100, 0)
    game = board("beast_hydra [9 health]", other).attack("A0.0", "B0.1")
    assert (game.of("A0.0", "damage"), game.of("B0.0", "damage")) == (1 + 9 + 0, 4)


@pytest.mark.parametrize(
    ("own", "decisions"),
    [
        (a("beast_troll"), ("use A0.0", "B0.1")),
        (a("", weapons="longbow"), ("wield longbow", "B0.1")),
        (a("undead_plaguebearer"), ("use A0.0", "spell", "B0.1")),
        (a("", hand="spark"), ("play spark", "B0.1")),
        (a("beast_cub", hand="undead_fog"), ("play undead_fog", "0.0")),
    ],
)
def test_rift_117_the_queue_is_worked_off_after_whatever_killed(own, decisions):
    other = jester("wake", "fae_sage, beast_cub [1 damage]", library="spark")
    more = MORE + "undead_fog | 1 | 1/4 | 100 | AURA(3) | aura enemy health -1\n"
    game = board(own, other, more=more).do(*decisions)
    assert (game.hand(B), game.phase, game.seat) == ("spark", Phase.MAIN, A)


def test_rift_16_117_a_death_in_the_end_step_is_answered_before_the_turn_passes():
    """REGEN turns a hidden AURA up, which kills; the new turn draws afterwards."""
    fog = "undead_fog | 1 | 1/4 | 100 | AURA(3), STEALTH, REGEN(1) | aura enemy health -1\n"
    other = jester("wake", "fae_sage, beast_cub [1 damage]", library="spark, mending, wither")
    game = board("undead_fog [face down, 1 damage]", other, more=MORE + fog).do("end")
    assert (game.who(B), game.hand(B), game.active) == ("fae_sage", "spark, mending", B)


# carrying out


def test_rift_118_the_owner_must_choose_one_list_of_one_living_creature():
    rows = "fae_jester, fae_stalker [face down], fae_trickster"
    game = board("beast_charger", jester("ambush", rows)).do("use A0.0", "B0.1")
    assert game.options == ["B0.0", "B0.0 second", "B0.2"]
    assert game.do("B0.2").of("A0.0", "damage") == 2 + 2


def test_rift_118_who_was_killed_carries_nothing_out():
    game = board("beast_charger", jester("wake", "fae_blade")).attack("A0.0", "B0.0")
    assert (game.who(B), game.tricks(B), game.phase) == ("", "", Phase.MAIN)


def test_rift_118_what_is_aimed_at_nobody_does_nothing():
    rows = "fae_illusionist"
    game = board("beast_cub, beast_cub, beast_charger", jester("pitfall", rows)).attack("A0.2", "B")
    assert (game.tricks(B), game.bears("B0.0")) == ("", "fae_illusionist")
    assert game.life(B) == 44


def test_rift_118_a_face_down_creature_turns_up_to_carry_out():
    rows = "fae_illusionist [face down], beast_troll"
    game = board("beast_charger", jester("ambush", rows)).attack("A0.0", "B0.1")
    assert (game.of("B0.0", "face_down"), game.bears("B0.1")) == (0, "beast_troll, 3 damage")


def test_rift_119_a_list_is_never_used_up():
    game = board("", jester("echo", "fae_sage", library="spark, mending"), hand="awaken, recall", xp=500)
    game.play("awaken")
    assert game.hand(B) == "spark"
    game.state["tricks"][B] = 1 << 3  # laid again
    assert game.play("recall").hand(B) == "spark, mending"


def test_rift_102_119_tricks_are_no_attacks():
    """RESISTANCE does not halve them, and there is no retaliation."""
    game = board("beast_shellback", a("fae_trickster", tricks="ambush")).attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == 2 + 0


def test_rift_70_118_a_trick_that_only_looks_is_followed_by_a_death_check():
    """The AURA of a target that turns up leaves the attacker 2 - 2 Health; it is gone before it strikes."""
    gloom = a("fae_gloom [face down], fae_oracle", tricks="ambush")
    game = board("beast_cub", gloom).attack("A0.0", "B0.0")
    assert (game.who(A), game.of("B0.0", "damage")) == ("", 0)
