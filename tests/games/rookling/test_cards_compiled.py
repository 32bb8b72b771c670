"""Card files of Rookling Heroes that are not the reference set: rules, paths, cautions, teams and worth."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.cards import changed, numeric_fields
from sim.games.rookling.record import CARD_FORMAT, cautions
from sim.games.rookling.teams import part_names_of, teams_of

REFERENCE = CARD_FORMAT.load()
RECORD = REFERENCE.record[0]
NUMBER_OF = {rookling["id"]: number for number, rookling in enumerate(REFERENCE.document["rookling"])}


def edited(**rules: Any) -> dict[str, Any]:
    """A copy of the reference document with other rules."""
    document = copy.deepcopy(dict(REFERENCE.document))
    document["rules"] |= rules
    return document


SWITCHES = {
    "squad_mode": ["choose", "random", "draft"],
    "mirror": [False, True],
    "first_attacker": ["coin", "drafter1", "drafter2"],
    "opening_row": ["defender_first", "random"],
    "draw_mode": ["up_to", "new_hand"],
    "dump": [False, True],
    "one_line_per_rookling": [False, True],
    "charge_colour": ["same_colour", "any_match"],
    "siege_chain_blocks": [False, True],
    "hold_block": ["if_more", "free"],
    "hit_on_landing": [False, True],
    "poison_clear_draw": ["strict", "lenient"],
    "e1_order": ["heal_first", "damage_first"],
}


def test_the_switches_are_the_thirteen_readings():
    assert list(REFERENCE.switches) == list(SWITCHES)
    assert REFERENCE.switches == {name: values[0] for name, values in SWITCHES.items()} | {"dump": True}


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_reaches_the_record(name):
    for number, value in enumerate(SWITCHES[name]):
        mode = {"squad_mode": "draft"} if name == "first_attacker" else {}
        made = CARD_FORMAT.from_document(edited(**mode | {name: value}))
        assert made.record[0][name] == number
        assert made.switches[name] == value


def test_rules_that_are_left_out_have_the_values_of_the_reference_set():
    document = edited()
    del document["rules"]
    assert CARD_FORMAT.from_document(document).record.tobytes() == REFERENCE.record.tobytes()
    assert CARD_FORMAT.from_document(document).switches == REFERENCE.switches


def test_a_rookling_may_have_a_life_of_its_own():
    document = edited(start_life=5, heal_cap=9)
    document["rookling"][2] |= {"life": 9, "source": "assumed"}
    made = CARD_FORMAT.from_document(document)
    assert made.record[0]["life"][:12].tolist() == [5, 5, 9] + [5] * 9
    assert "rookling.hiss.life" in numeric_fields(made.document)


PATHS = {
    "rules.heal_cap": 8,
    "energy.counts.red[0]": 4,
    "token.poisoned.ops[0].n": 2,
    "token.frozen.supply": 5,
    "field_effect.tunnel.number": 4,
    "field_effect.tunnel.copies": 3,
    "rookling.rime.line.frost_bite.number": 4,
    "rookling.rime.line.frost_bite.amount": 3,
    "rookling.rime.line.frost_bite.effects[0].n": 2,
    "rookling.rime.line.frost_bite.siege.amount": 6,
    "rookling.rime.line.black_ice.effects[0].n": 1,
    "rookling.pulse_red.line.red_beat.match_bonus": 1,
    "rookling.rute.line.antidote.siege.value": 3,
}


@pytest.mark.parametrize("path", PATHS)
def test_a_number_is_changed_by_its_path(path):
    assert path in numeric_fields(REFERENCE.document)
    made = CARD_FORMAT.from_document(changed(REFERENCE.document, path, PATHS[path]))
    assert made.record.tobytes() != REFERENCE.record.tobytes()
    assert made.digest != REFERENCE.digest


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
    assert teams.picks == (0, 1, 1, 0, 0, 1)
    assert teams.abilities[NUMBER_OF["rime"]] == (
        "Frost Bite (attack, any 3)",
        "Ice Wall (defence, any 2)",
        "Black Ice (special, blue 3)",
    )
    assert not teams_of(CARD_FORMAT.from_document(edited(mirror=True))).disjoint


def test_part_names_are_the_members_of_each_squad():
    names = part_names_of(REFERENCE)
    assert names[0] == ("Rime", "Rute", "Hiss")
    assert [" + ".join(members) for members in names] == list(REFERENCE.names)


def worth(path: str, value: int) -> np.ndarray:
    """Worth of all Rooklings after one change, less that of the reference set."""
    made = CARD_FORMAT.from_document(changed(REFERENCE.document, path, value)).record[0]
    return made["worth"][:12] - RECORD["worth"][:12]


def test_worth_follows_the_numbers_of_the_card():
    rime = NUMBER_OF["rime"]
    half = 24 / 48  # of the deck: cards of 3 or more
    more = worth("rookling.rime.line.frost_bite.amount", 5)
    assert more[rime] == pytest.approx(3 * 0.75 * half)  # three attacks, the front counts three quarters
    assert np.flatnonzero(more).tolist() == [rime]
    more = worth("rookling.rime.line.frost_bite.siege.amount", 6)
    assert more[rime] == pytest.approx(3 * 0.25 * half)
    assert worth("rookling.rime.line.frost_bite.number", 4)[rime] < 0
    assert worth("rookling.spring.line.mend.effects[0].n", 3)[NUMBER_OF["spring"]] > 0
    document = edited(heal_cap=8)
    document["rookling"][rime] |= {"life": 8, "source": "assumed"}
    assert CARD_FORMAT.from_document(document).record[0]["worth"][rime] == pytest.approx(RECORD["worth"][rime] + 2)


def test_of_two_attack_lines_the_better_one_that_a_card_meets_is_worth_something():
    hiss = NUMBER_OF["hiss"]
    assert worth("rookling.hiss.line.scald.amount", 4)[hiss] > 0
    confused = 0.6 * (2 * 0.45 + 0.3)  # lands in 0.6 of the cases; 2 points of attack less, no special line
    vent = 6 / 48 * (5 + confused)  # red 3 or more
    scald = 30 / 48 * 3  # all other cards of 2 or more
    veil = 24 / 48 * 3
    pressure = 4 / 48 * 2 * 0.6
    front = vent + scald + veil + pressure
    vent, scald = 9 / 48 * (5 + confused), 27 / 48 * 4
    siege = vent + scald + 36 / 48 * 3 + 6 / 48 * 2 * 0.6
    assert RECORD["worth"][hiss] == pytest.approx(6 + 3 * (0.75 * front + 0.25 * siege))


def test_32_rooklings_make_4960_squads():
    document = edited()
    plain = copy.deepcopy(document["rookling"][NUMBER_OF["hiss"]])
    document["rookling"] += [plain | {"id": f"copy_{n}", "name": f"Copy {n}"} for n in range(20)]
    made = CARD_FORMAT.from_document(document)
    assert len(made.ids) == len(made.names) == made.record[0]["squads"] == 4960
    assert made.record[0]["squad"][4959].tolist() == [29, 30, 31]
    assert teams_of(made).members.shape == (4960, 3)
