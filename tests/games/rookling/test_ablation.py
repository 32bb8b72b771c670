"""What can be forbidden: every line, every field effect, the optional steps."""

import numpy as np

from sim.engine.contract import NOTHING, ablation_of
from sim.games.rookling import GAME
from tests.games.rookling.positions import Play, a, card_set, dealt, table

CARDS = card_set()
THINGS = GAME.ablatable(CARDS) if GAME.ablatable else ()
LINES = sum(len(card["line"]) for card in CARDS.document["rookling"])


def uses_of(play: Play) -> dict[str, str]:
    """What each decision that is open uses; those that use nothing are left out."""
    found = {
        words: ablation_of(play.state, play.cards.record[0], code) for words, code in zip(play.options, play.codes, strict=True)
    }
    return {words: THINGS[thing] for words, thing in found.items() if thing != NOTHING}


def test_things_have_names_of_their_own_like_paths_of_the_card_file():
    assert len(THINGS) == 3 + len(CARDS.document["field_effect"]) + LINES
    assert THINGS[:4] == ("rule.clear", "rule.rearrange", "rule.hold_block", "field_effect.tunnel")
    assert {"rookling.rime.frost_bite", "rookling.valt.charge", "rookling.thorn.sow"} < set(THINGS)


def test_any_row_but_the_present_one_is_a_rearrangement():
    kept = "row: Rime, Rute, Hiss"
    play = table(a("rime rute hiss"), phase="row")
    assert uses_of(play) == {words: "rule.rearrange" for words in play.options if words != kept}


def test_the_first_row_has_to_be_chosen():
    play = dealt("rime rute hiss", "delvi valt pulse_red")
    assert play.phase == "row"
    assert uses_of(play) == {}


def test_a_field_effect_is_used_when_it_is_placed():
    play = table(a("rime rute hiss", hand="black_ice, red 4"))
    places = [f"put Black Ice on {name}" for name in ("Rime", "Rute", "Hiss")]
    assert uses_of(play) == dict.fromkeys(places, "field_effect.black_ice")


def test_a_line_is_used_when_it_is_declared_or_activated():
    play = table(a("hiss rime rute", energy=("red 4", "", ""), hand="red 1"), phase="attack")
    assert uses_of(play) == {"attack with Scald": "rookling.hiss.scald", "attack with Vent": "rookling.hiss.vent"}
    special = table(a("hiss rime rute", hand="red 4")).do("put red 4 on Hiss")
    assert uses_of(special) == {"activate Pressure": "rookling.hiss.pressure"}


def test_a_token_is_cleared_and_a_block_held_back_by_choice():
    poisoned = a("rute hiss rime", tokens=("poisoned", "", ""), hand="red 1")
    assert uses_of(table(poisoned, phase="clear")) == {"clear Rute with red 1": "rule.clear"}
    facts = {"attacker": 1, "phase": "next", "attack": (1, 4, 0), "defence": (0, 3, 0)}
    play = table(a("spring hiss delvi", life=(0, 3, 0)), a("thorn rime stone"), **facts)
    assert uses_of(play) == {}
    play.do("resolve the attack on the left first")
    assert uses_of(play) == {"let it through": "rule.hold_block"}


def test_lines_of_changed_cards_keep_their_numbers():
    """A card file with a line less: names and numbers go on together."""
    document = dict(CARDS.document)
    first = document["rookling"][2] | {"line": document["rookling"][2]["line"][1:]}
    changed = GAME.from_document(document | {"rookling": [*document["rookling"][:2], first, *document["rookling"][3:]]})
    names = GAME.ablatable(changed) if GAME.ablatable else ()
    record = changed.record[0]
    assert len(names) == len(THINGS) - 1
    assert names[record["thing"][3, 0]] == "rookling.delvi.claw"
    assert names[record["thing"][2, 0]] == "rookling.hiss.vent"
    assert len(np.unique(record["thing"][record["kind"] != 0])) == LINES - 1
