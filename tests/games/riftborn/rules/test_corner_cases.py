"""Corner cases of the rules of Riftborn Tactics that the kernels once got wrong, or easily could."""

import numpy as np
import pytest

from sim.engine.contract import write_outcome
from sim.games.riftborn import GAME
from sim.games.riftborn.cards import Ability
from sim.games.riftborn.record import ids_of
from sim.games.riftborn.state import Gain, Harm
from tests.games.riftborn.positions import A, B, Play, a, dealt, table

EACH_HURT = "law_quake | spell | 1 | 0/0 | 50 | | damage 2, each any"
CHILL = "law_chill | 3 | 3/9 | 100 | STEALTH, RAGE(1), AURA(3) | aura enemy health -2"


def facts(game: Play) -> np.void:
    """The outcome that the game would have if it ended now."""
    row = np.zeros(1, GAME.outcome)[0]
    write_outcome(game.state, row)
    return row


def slot(game: Play, seat: int, card: str) -> int:
    """Place of a card among the different ones of the seat's deck."""
    return int(game.record["deck_slot"][game.state["deck"][seat], ids_of(game.cards).index(card)])


def by_card(game: Play, seat: int, field: str, card: str) -> int:
    """A fact of a card."""
    return int(facts(game)[field][seat, slot(game, seat, card)])


def test_rift_131_a_stopped_game_has_no_further_start_step():
    game = dealt(turn_cap=40).do(*["keep"] * 10)
    while game.turn < 40:
        game.end()
    row = facts(game)
    assert row["own_turns"].tolist() == [20, 20]
    assert row["gained"][:, Gain.TURN].tolist() == [20 * 300] * 2
    assert row["end_xp"].tolist() == [20 * 300] * 2
    assert sorted(game.state["hand_n"].tolist()) == [5 + 19, 5 + 20]


def test_rift_20_level_1_is_held_from_the_first_own_turn_on():
    assert facts(dealt())["level_turn"][:, 0].tolist() == [1, 1]


@pytest.mark.parametrize(("budget", "unused"), [("live", 1), ("snapshot", 0)])
def test_ra_02_unused_levels_are_those_of_the_budget_in_force(budget, unused):
    game = table(a(hand="beast_cub", xp=450, start_level=1), rules={"level_budget": budget})
    turn = int(game.state["own_turns"][A]) - 1
    game.play("beast_cub").end()
    assert game.level(A) == 2
    assert game.state["unused_after"][A, turn] == unused


@pytest.mark.parametrize("caster", [A, B])
def test_ra_16_what_an_entry_hits_is_judged_when_all_are_hit(caster):
    """The caster's own AURA turns up by RAGE of this damage, and makes deadly what a creature of the enemy took by it."""
    mine = a("law_chill [face down]", hand="law_quake", xp=2000, deck="fae_tricks")
    theirs = a("soldier_pikeman", deck="soldier_line")
    players = [mine, theirs] if caster == A else [theirs, mine]
    rules = {"kill_xp": "any_own_damage"}
    game = table(*players, active=caster, turn=4 + caster, rules=rules, more=CHILL, others=EACH_HURT)
    game.play("law_quake")
    assert game.who(1 - caster) == ""
    assert game.xp(caster) == 2000 + 50 + 300
    assert facts(game)["deaths"][1 - caster, Harm.EFFECT] == 1


@pytest.mark.parametrize("row", ["law_healer [2 damage, face down], beast_cub", "beast_cub, law_healer [2 damage, face down]"])
def test_rift_16_who_heals_in_the_end_step_is_settled_before_regen_turns_anybody_up(row):
    healer = "law_healer | 3 | 1/5 | 100 | STEALTH, REGEN(1), AURA(1) | aura friend keyword REGEN(2)"
    game = table(row.replace("beast_cub", "beast_cub [1 damage]"), more=healer)
    cub, seer = (game.creature(spot) for spot in (("A0.1", "A0.0") if row.startswith("law") else ("A0.0", "A0.1")))
    game.end()
    assert game.state["damage"][[seer, cub]].tolist() == [1, 1]
    assert not game.state["face_down"][seer]


@pytest.mark.parametrize("ability", ["DORMANT", "PACIFIST", "ROOTED"])
def test_rift_60_what_forbids_an_attack_does_not_stop_one_that_is_declared(ability):
    """Prohibitions are looked up when the Action is to be used: an `ambush` comes too late for this one."""
    warden = f"law_warden | 3 | 2/9 | 100 | TRICK | trick grant {ability}, trigger"
    game = table("soldier_pikeman", a("law_warden", tricks="ambush"), more=warden)
    game.attack("A0.0", "B0.0")
    assert game.bears("A0.0") == f"soldier_pikeman, 1 damage, has {ability}, acted"
    assert game.bears("B0.0") == "law_warden, 3 damage"


@pytest.mark.parametrize(("ability", "answered"), [("BLOCK", True), ("RAGE", False)])
def test_rift_47_an_ambush_that_takes_block_away_opens_the_answer(ability, answered):
    warden = f"law_warden | 3 | 4/9 | 100 | TRICK | trick lose {ability}, trigger"
    game = table("soldier_shieldbearer", a("law_warden", tricks="ambush"), more=warden)
    game.attack("A0.0", "B0.0")
    assert game.of("A0.0", "damage") == (2 if answered else 0)


def test_rift_50_damage_to_the_player_is_damage_of_the_card():
    game = table(a("soldier_knight", deck="soldier_line"))
    game.attack("A0.0", "B")
    assert by_card(game, A, "card_damage", "soldier_knight") == 5


def test_rift_65_what_passes_through_to_the_player_is_damage_of_the_card():
    game = table(a("beast_charger", deck="beast_rush"), "soldier_archer")
    game.attack("A0.0", "B0.0")
    assert game.life(B) == 50 - 4
    assert by_card(game, A, "card_damage", "beast_charger") == 6 + 4


def test_rift_42_who_hurts_the_deadly_hurt_has_not_killed_them_again():
    others = a("soldier_knight, soldier_guard", deck="soldier_line")
    game = table("beast_cub / soldier_pikeman", others)
    game.swap("A0.0", "A1.0")
    assert game.who(A) == "soldier_pikeman"
    kills = [by_card(game, B, "card_kills", card) for card in ("soldier_knight", "soldier_guard")]
    assert kills == [1, 0]
    assert [by_card(game, B, "card_damage", card) for card in ("soldier_knight", "soldier_guard")] == [5, 2]


def test_section_11_many_copies_of_a_card_stay_countable():
    game = table(a(hand="beast_cub", library="beast_cub, beast_cub", deck="beast_rush"))
    game.state["drawn"][A], game.state["plays"][A] = 127, 127
    game.play("beast_cub").end().end()
    assert by_card(game, A, "drawn", "beast_cub") == by_card(game, A, "plays", "beast_cub") == 128


def test_grant_never_takes_undeath_away_however_often_it_is_given():
    bless = "law_bless | spell | 1 | 0/0 | 50 | | grant UNDEATH, chosen friend 1"
    game = table("undead_wight", hand="law_bless", others=bless)
    game.state["ability"][game.creature("A0.0"), Ability.UNDEATH] = 127
    game.play("law_bless")
    assert game.state["ability"][game.creature("A0.0"), Ability.UNDEATH] == 127
