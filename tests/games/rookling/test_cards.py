"""The reference set of Rookling Heroes; other card files: rules, paths, cautions, teams and worth."""

import copy
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import changed, numeric_fields
from sim.games.rookling.record import CARD_FORMAT, cautions
from sim.games.rookling.teams import teams_of

REFERENCE = CARD_FORMAT.load()
RECORD = REFERENCE.record[0]


NUMBER_OF = {rookling["id"]: number for number, rookling in enumerate(REFERENCE.document["rookling"])}


def test_rook_01_entrants_are_all_squads_of_three_in_lexicographic_order():
    assert len(REFERENCE.ids) == RECORD["squads"] == comb(12, 3)
    assert REFERENCE.ids == tuple("+".join(words) for words in combinations(NUMBER_OF, 3))
    assert (REFERENCE.ids[0], REFERENCE.names[0]) == ("rime+rute+hiss", "Rime + Rute + Hiss")
    assert (REFERENCE.ids[-1], REFERENCE.names[-1]) == ("spring+banner+thorn", "Spring + Banner + Thorn")
    assert [tuple(squad) for squad in RECORD["squad"][:220]] == [*combinations(range(12), 3)]
    assert not RECORD["squad"][220:].any()


def test_the_energy_deck_has_48_cards_twelve_of_each_colour():
    counts = RECORD["energy_count"].reshape(6, 9)
    assert (RECORD["colours"], RECORD["energy"]) == (4, 48)
    assert counts[:4].tolist() == [[3, 3, 2, 2, 1, 1, 0, 0, 0]] * 4
    assert not counts[4:].any()
    assert [counts[:, least - 1 :].sum() for least in (2, 3, 4)] == [36, 24, 16]
    assert RECORD["mean_number"] == pytest.approx(float(Fraction(17, 6)))


def test_the_rules_are_those_of_the_reference_set():
    wanted = {"heal_cap": 6, "hand": 4, "hand_max": 6, "turn_cap": 200, "dump": 1}
    assert {field: RECORD[field] for field in wanted} == wanted
    off = [name for name in REFERENCE.switches if name != "dump"]
    assert not any(RECORD[name] for name in off)
    assert RECORD["life"].tolist() == [6] * 12 + [0] * 20


def test_the_numbers_that_the_rulebook_prints():
    printed = {entry.path for entry in REFERENCE.provenance if entry.source == "rulebook"}
    hits = ("rime.line.frost_bite", "rute.line.sting", "hiss.line.vent")
    assert printed == {"rules.start_life", "rules.hand", *(f"rookling.{hit}.effects[0].n" for hit in hits)}


# Card files that are not the reference set.


def edited(**rules: Any) -> dict[str, Any]:
    """A copy of the reference document with other rules."""
    document = copy.deepcopy(dict(REFERENCE.document))
    document["rules"] |= rules
    return document


def test_a_rookling_may_have_a_life_of_its_own():
    document = edited(start_life=5, heal_cap=9)
    document["rookling"][2] |= {"life": 9, "source": "assumed"}
    made = CARD_FORMAT.from_document(document)
    assert made.record[0]["life"][:12].tolist() == [5, 5, 9] + [5] * 9
    assert "rookling.hiss.life" in numeric_fields(made.document)


def test_a_front_number_without_siege_number_is_that_of_both_sides():
    made = CARD_FORMAT.from_document(changed(REFERENCE.document, "rookling.rime.line.frost_bite.number", 4)).record[0]
    assert made["number"][0, 0].tolist() == [4, 4]
    made = CARD_FORMAT.from_document(changed(REFERENCE.document, "rookling.rime.line.frost_bite.amount", 3)).record[0]
    assert made["amount"][0, 0].tolist() == [3, 5]


@pytest.mark.parametrize(
    ("order", "words"), [("heal_first", "its heal before its damage acts"), ("damage_first", "its damage before its heal acts")]
)
def test_rook_59_60_a_token_that_one_of_its_ops_spends_before_the_other_is_a_caution(order, words):
    ops = [{"op": "heal", "n": 1}, {"op": "damage", "n": 1}]
    document = changed(changed(REFERENCE.document, "token.regrowth.ops", ops), "rules.e1_order", order)
    lines = [line for line in cautions(CARD_FORMAT.from_document(dict(document))) if line.startswith("token.regrowth")]
    assert lines == [f'token.regrowth is spent by {words}: it lasts until = "trigger" and rules.e1_order = "{order}"']
    assert not any(line.startswith("token.regrowth") for line in cautions(REFERENCE))


def test_a_siege_number_weaker_than_the_front_is_a_caution():
    document = REFERENCE.document
    for path, value in (
        ("rookling.rime.line.frost_bite.siege.amount", 3),
        ("rookling.rime.line.ice_wall.siege.number", 3),
        ("rookling.pulse_red.line.red_beat.siege.match_bonus", 1),
        ("rookling.spring.line.mend.siege.value", 1),
    ):
        document = changed(document, path, value)
    assert cautions(CARD_FORMAT.from_document(document)) == [
        "rookling.rime.line.frost_bite.siege.amount = 3 is weaker than the 4 of the front",
        "rookling.rime.line.ice_wall.siege.number = 3 is weaker than the 2 of the front",
        "rookling.pulse_red.line.red_beat.siege.match_bonus = 1 is weaker than the 2 of the front",
        "rookling.spring.line.mend.siege.value = 1 is weaker than the 2 of the front",
    ]
    same = changed(REFERENCE.document, "rookling.rime.line.frost_bite.siege.amount", 4)
    assert cautions(CARD_FORMAT.from_document(same)) == []


def test_a_token_that_nobody_gives_is_a_caution():
    document = changed(REFERENCE.document, "field_effect.dew.token", "guard")
    assert cautions(CARD_FORMAT.from_document(document)) == [
        "token.regrowth is never played: no field effect becomes it and no line gives it"
    ]


@pytest.mark.parametrize("mode", ["random", "draft"])
def test_two_starter_sets_are_a_caution_where_squads_are_dealt_or_drafted(mode):
    found = cautions(CARD_FORMAT.from_document(edited(mirror=True, squad_mode=mode)))
    assert found == [f'rules.mirror = true does nothing with squad_mode = "{mode}": no Rookling is dealt or drafted twice']
    assert cautions(CARD_FORMAT.from_document(edited(mirror=True))) == []


def test_teams_are_squads_of_rooklings_with_their_lines():
    teams = teams_of(REFERENCE)
    assert (teams.word, teams.words, teams.size, teams.parts) == ("Rookling", "Rooklings", 3, 12)
    assert teams.ids == tuple(NUMBER_OF)
    assert teams.disjoint
    assert teams.names[5] == "Pulse Red"
    assert np.array_equal(teams.members, RECORD["squad"][:220])
    assert teams.abilities[NUMBER_OF["rime"]] == (
        "Frost Bite (attack, any 3)",
        "Ice Wall (defence, any 2)",
        "Black Ice (special, blue 3)",
    )
    assert not teams_of(CARD_FORMAT.from_document(edited(mirror=True))).disjoint


def test_32_rooklings_make_4960_squads():
    document = edited()
    plain = copy.deepcopy(document["rookling"][NUMBER_OF["hiss"]])
    document["rookling"] += [plain | {"id": f"copy_{n}", "name": f"Copy {n}"} for n in range(20)]
    made = CARD_FORMAT.from_document(document)
    assert len(made.ids) == len(made.names) == made.record[0]["squads"] == 4960
    assert made.record[0]["squad"][4959].tolist() == [29, 30, 31]
    assert teams_of(made).members.shape == (4960, 3)
