"""ROOK-55 to 58: hits and their tokens, the end of the game in the resolution, siege-state; golden examples G-29 and G-34."""

import pytest

from tests.games.rookling.positions import Play, a, card_set, clash, table

LEFT_THEN_LEFT = ("resolve the attack on the left first", "block with 2", "spill to the left")


def struck(other: dict, own: dict, *lines: str, **position: object) -> Play:
    """Attacks with energy that lies already, against a player without cards, as far as nothing is asked."""
    return table(own, other, phase="attack", **position).do(*(f"attack with {line}" for line in lines))


# tokens of hits


def test_rook_56_golden_g29_the_token_goes_under_the_rookling_that_was_struck_not_where_the_spill_landed():
    game = struck(a("stone shadow spring", life=(0, 6, 6)), a("rime rute hiss", energy=("red 3", "", "")), "Frost Bite")
    assert (game.turn, game.life(1), game.under(1)) == (2, (0, 2, 6), [["frozen"], [], []])


def test_rook_56_switch_hit_on_landing_puts_it_where_the_damage_landed():
    own, other = a("rime rute hiss", energy=("red 3", "", "")), a("stone shadow spring", life=(0, 6, 6))
    game = struck(other, own, "Frost Bite", rules={"hit_on_landing": True})
    assert game.under(1) == [[], ["frozen"], []]


def test_rook_56_63_it_is_pending_until_the_exchange_is_over():
    """Poison of the attacker, who must choose a side for it, halts the exchange behind D4."""
    own = a("rime rute hiss", life=(6, 0, 6), tokens=("", "poisoned", ""), energy=("red 3", "", ""))
    game = struck(a("stone shadow spring"), own, "Frost Bite")
    assert (game.phase, game.under(1), game.under(1, "coming")) == ("side", [[], [], []], [["frozen"], [], []])
    game.do("spill to the left")
    assert (game.under(1), game.under(1, "coming")) == ([["frozen"], [], []], [[], [], []])


@pytest.mark.parametrize(
    ("life", "defence_flat", "tokens"),
    [
        ((6, 6, 6), (4, 0, 0), []),  # blocked in full
        ((6, 6, 6), (3, 0, 0), ["frozen"]),
        ((0, 6, 6), (4, 0, 0), []),  # blocked in full in siege-state
        ((0, 6, 6), (0, 4, 0), ["frozen"]),  # the spill is blocked, the attack was not
    ],
)
def test_rook_56_only_an_attack_that_the_struck_rookling_did_not_block_in_full_puts_tokens(life, defence_flat, tokens):
    other = a("stone shadow spring", life=life, defence_flat=defence_flat)
    assert struck(other, a("rime rute hiss", energy=("red 3", "", "")), "Frost Bite").under(1)[0] == tokens


def test_rook_41_56_a_cancelled_attack_gives_none():
    other = a("stone shadow spring", tokens=("hidden", "", ""))
    game = struck(other, a("rime rute hiss", energy=("red 3", "", "")), "Frost Bite")
    assert (game.life(1), game.under(1)) == ((6, 6, 6), [[], [], []])


def test_rook_56_neither_does_an_attack_without_a_line():
    """Vent is the last of the four lines here: "none in use" is not mistaken for the last one."""
    hiss = next(rookling for rookling in card_set().document["rookling"] if rookling["id"] == "hiss")
    lines = sorted(hiss["line"], key=lambda line: line["name"] == "Vent")
    own = a("hiss rute rime", energy=("red 3", "", ""), attack_flat=(2, 0, 0))
    game = table(own, a("stone shadow spring"), phase="attack", changes={"rookling.hiss.line": lines})
    assert game.options == ["Hiss does not attack", "attack with Scald", "attack with Vent"]
    game.do("Hiss does not attack")
    assert (game.life(1), game.under(1)) == ((4, 6, 6), [[], [], []])


def test_rook_08_56_left_to_right_as_far_as_the_supply_goes():
    own = a("rime rute hiss", energy=("red 3", "red 2", "red 3"))
    lines = ("Frost Bite", "Sting", "Vent")
    given = {"rookling.hiss.line.vent.effects": [{"do": "token_on_hit", "token": "frozen", "n": 2}]}
    game = struck(a("stone shadow spring"), own, *lines, changes=given | {"token.frozen.supply": 2}).do(
        "resolve the attack on the right first", "resolve the attack on the middle first"
    )
    assert (game.under(1), game.position["supply"].get("frozen")) == ([["frozen"], ["poisoned"], ["frozen"]], None)


def test_rook_08_56_nothing_is_placed_when_the_supply_is_exhausted():
    other = a("stone shadow spring", tokens=("frozen, frozen, frozen", "frozen, frozen", "frozen"))
    own = a("rime rute hiss", energy=("red 3", "", ""))
    game = struck(other, own, "Frost Bite")
    assert game.under(1) == [[], [], []], "the six of this exchange are gone, no seventh came"


# the end of the game in D4


@pytest.mark.parametrize(
    ("life", "energy", "blow"), [((0, 0, 2), ("", "", "red 3"), "ATTACK"), ((2, 0, 0), ("", "", "red 3"), "SPILL")]
)
def test_rook_01_55_the_third_flip_ends_the_game_at_once(life, energy, blow):
    own = a("rute hiss rime", life=(1, 0, 0), tokens=("poisoned", "", ""), energy=energy)
    game = struck(a("stone shadow spring", life=life), own, "Frost Bite")
    assert (game.over, game.winner, game.turn, game.options) == (True, 0, 2, [])
    assert game.under(1, "coming") == [[], [], []], "no tokens"
    assert game.life(0) == (1, 0, 0), "and no E1: the winner would have lost by his own poison"
    assert game.state["last_blow"] == {"ATTACK": 1, "SPILL": 2}[blow]


def test_rook_55_attacks_that_are_left_are_not_resolved():
    game = clash((1, 0, 0), (1, 3, 3)).do("resolve the attack on the left first")
    assert (game.over, game.winner, game.life(1)) == (True, 0, (0, 0, 0))


# a whole exchange


def golden_g34() -> Play:
    """The exchange of G-34, as the defender is about to choose what is resolved first."""
    own = a("rime hiss delvi", energy=("green 4", "red 3", ""), skip=True)
    other = a("stone rute banner", life=(3, 0, 4), energy=("yellow 1", "blue 2", ""))
    game = table(own, other, phase="attack").do("attack with Frost Bite", "attack with Vent")
    return game.do("defend with Bulwark", "defend with Hide")


def test_rook_38_43_golden_g34_what_is_declared():
    game = golden_g34()
    assert (game.amounts("att"), game.amounts("dfn")) == ((4, 5, 0), (2, 2, 0))


def test_rook_45_56_golden_g34_what_the_defender_can_reach_and_the_tokens_of_both_hits():
    ways = [*golden_g34().every_way()]
    assert {way.life(1) for way in ways} == {(0, 0, 1), (0, 0, 2), (0, 0, 4), (1, 0, 1)}
    assert all(way.under(1) == [["frozen"], ["confused"], []] for way in ways)
    assert golden_g34().do(*LEFT_THEN_LEFT).life(1) == (0, 0, 4)


# siege-state


def test_rook_57_it_takes_energy_attacks_defends_and_bears_tokens_with_the_numbers_of_its_side():
    own = a("delvi rute hiss", life=(0, 6, 6), hand="red 2", tokens=("confused", "", ""))
    other = a("delvi rime stone", life=(0, 6, 6), hand="red 2")
    game = table(own, other, rules={"mirror": True}).do("put red 2 on Delvi", "attack with Claw")
    assert game.amounts("att") == (4 - 2, 0, 0)
    game.do("put red 2 on Delvi", "defend with Burrow")
    assert (game.turn, game.life(1)) == (2, (0, 6, 6)), "its 3 block the 2"


def test_rook_57_it_moves_with_its_row_and_cannot_lose_life():
    game = table(a("rime rute hiss", life=(0, 6, 6)), phase="row").do("row: Hiss, Rute, Rime")
    assert game.life(0) == (6, 6, 0)
    assert all(way.life(1)[0] == 0 for way in clash((0, 6, 6), (9, 1, 0)).every_way())


@pytest.mark.parametrize(("life", "lines"), [(6, []), (0, ["Stone does not attack", "attack with Boulder"])])
def test_rook_57_siege_numbers_open_lines_that_the_front_keeps_shut(life, lines):
    own = a("stone rime rute", life=(life, 6, 6), energy=("red 3", "", ""), hand="red 1")
    game = table(own, a("shadow spring banner", hand="red 1")).do("stop placing")
    assert ([] if game.current_player == 1 else game.options) == lines


def test_rook_32_58_faq_healing_brings_a_rookling_back_out_of_siege_state_in_mid_exchange():
    """The defender heals Spring's neighbour in D2: it faces the attack with life and with the numbers of its front."""
    own = a("rime rute hiss", energy=("red 3", "", ""))
    other = a("rime spring stone", life=(0, 6, 6), hand="green 3, red 1")
    game = table(own, other, phase="attack", rules={"mirror": True}).do("attack with Frost Bite")
    game.do("put green 3 on Spring", "activate Mend")
    assert game.life(1) == (2, 6, 6)
    game.do("put red 1 on Rime").idle()
    assert game.life(1) == (0, 6, 6), "the front of Ice Wall needs 2; 4 flip it again, and nothing spills"


def test_rook_38_58_an_attacker_who_is_healed_attacks_with_the_numbers_of_the_front():
    own = a("rime spring hiss", life=(0, 6, 6), hand="green 3, red 3")
    game = table(own, a("stone shadow banner", hand="red 1"))
    game.do("put green 3 on Spring", "activate Mend", "put red 3 on Rime", "attack with Frost Bite")
    assert game.do("Spring does not attack").amounts("att") == (4, 0, 0)
