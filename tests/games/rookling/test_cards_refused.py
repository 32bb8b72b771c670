"""What the validator of Rookling Heroes refuses, and in which words."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from sim.engine.cards import CardSet, changed
from sim.games.rookling.record import CARD_FORMAT
from tests.games.refusals import Refusals

REFUSALS = Refusals(CARD_FORMAT)
REFERENCE, refusal, edited, copied = REFUSALS.reference, REFUSALS.refusal, REFUSALS.edited, REFUSALS.copied
RIME, RUTE, HISS, VALT, SHADOW = 0, 1, 2, 4, 7
BITE = "rookling.rime.line.frost_bite"
ANTIDOTE = "rookling.rute.line.antidote"


def line_of(document: dict[str, Any], rookling: int, slot: int) -> dict[str, Any]:
    line: dict[str, Any] = document["rookling"][rookling]["line"][slot]
    return line


WRONG_THERE = [  # path, value, the message
    ("rules.first_attacker", "drafter2", 'does not go with squad_mode = "choose"; needs squad_mode = "draft"'),
    ("energy.colours[1]", "grey", "is a reserved word; must not be one of grey, any, source"),
    ("energy.colours[1]", "red", "is used more than once; each value can occur once"),
    ("token.cover.ops[0].op", "attack_flat", 'is not for tokens with trigger faced; is only for tokens with trigger standing'),
    ("token.tunnel.until", "exchange", 'does not go with fixed = true; needs fixed = false (a fixed token is "replaced")'),
    ("token.frozen.until", "replaced", "does not go with fixed = false; needs fixed = true"),
    ("token.frozen.until", "cleared", 'does not fit a token without damage; needs the op "damage"'),
    ("token.frozen.supply", 0, "is too small: Rime's Frost Bite gives this token; must be at least 1"),
    ("token.tunnel.supply", 1, "does not go with fixed = true; needs fixed = false (a fixed token has no token cards)"),
    ("field_effect.seed.colour", "purple", "is no colour of this file; known here: red, blue, green, yellow, grey"),
    ("field_effect.seed.id", "sead", "is shuffled in by no Rookling; exactly one Rookling must name it"),
    ("rookling.rime.name", "RUTE", "is used more than once; every rookling needs a name of its own"),
    (f"{BITE}.name", "Ice Wall", "is used more than once; every line needs a name of its own"),
    (f"{BITE}.colour", "grey", 'is no colour of this file; did you mean "green"?'),
    (f"{BITE}.effects[0].token", "tunnel", "is a fixed token, which has no token cards; must be a token that"),
    ("rookling.valt.line.charge.siege.value", 3, 'is too large for "charge"; must be a whole number from 1 to 2'),
    ("rookling.rime.line.black_ice.effects[0].n", 3, "is more than field_effect.black_ice.copies = 2; must be"),
    (f"{ANTIDOTE}.effects[1].scope", "self_or_neighbour", 'is not that of the effect before it, "any_own"; the'),
]  # fmt: skip
WRONG_ELSEWHERE = [  # path, value, the message about another field
    ("rules.start_life", 7, "rules.heal_cap = 6: is less than start_life = 7; must be at least start_life"),
    ("energy.colours[1]", "blu", "energy.counts.blu: is missing; every colour needs a list of copies by number"),
    ("energy.counts.red", [9, 9, 9, 9, 9], "hold 81 cards; must be 24 to 78 cards together"),
    ("token.frozen.trigger", "faced", 'token.frozen.ops[0].op = "no_energy": is not for tokens with trigger faced'),
    ("field_effect.seed.copies", 1, "thorn.line[2].effects[0].n = 2: is more than field_effect.seed.copies = 1"),
    ("rookling.thorn.line.sow.effects[0].field_effect", "dew", 'dew.id = "dew": is shuffled in by spring and thorn'),
    (f"{BITE}.kind", "defence", "have 0 of kind attack; a Rookling has 1 to 2 lines of each kind: attack"),
    (f"{BITE}.effects[0].do", "heal", "rookling.rime.line[0].effects[0].token = "),
    (f"{BITE}.siege", {"amount": 5, "match_bonus": 2}, "siege.match_bonus = 2: changes a number that the front"),
    ("rookling.rime.line.black_ice.siege", {"value": 3}, "value = 3: is more than field_effect.black_ice.copies = 2"),
    ("rookling.rime.line.ice_wall.siege", {"value": 1}, "changes a number that the front does not have: n in the last"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), WRONG_THERE)
def test_a_value_that_breaks_a_rule_is_refused_with_its_field(path, value, message):
    REFUSALS.check_value(path, value, message)


@pytest.mark.parametrize(("path", "value", "message"), WRONG_ELSEWHERE)
def test_a_value_that_does_not_go_with_another_field_is_refused(path, value, message):
    assert message in refusal(changed(REFERENCE.document, path, value))


def test_every_rookling_has_a_siege_number():
    def front_only(document: dict[str, Any]) -> None:
        for slot in range(3):
            line_of(document, RIME, slot)["siege"] = {}

    wanted = "have no siege number; the siege-state side must change at least one, as in siege = { amount = 5 }"
    assert wanted in edited(front_only)


def test_a_match_needs_colour_and_bonus():
    wanted = "rookling.rime.line[0].match_{}: is missing; is needed with match_{}"
    assert wanted.format("bonus", "colour") in edited(lambda file: line_of(file, RIME, 0).update(match_colour="red"))
    assert wanted.format("colour", "bonus") in edited(lambda file: line_of(file, RIME, 0).update(match_bonus=1))


def test_lines_are_three_or_four_one_or_two_of_a_kind():
    def lines(*slots: int) -> Callable[[dict[str, Any]], None]:
        def edit(document: dict[str, Any]) -> None:
            hiss = document["rookling"][HISS]
            hiss["line"] = [copy.deepcopy(hiss["line"][slot]) | {"name": f"Line {n}"} for n, slot in enumerate(slots)]

        return edit

    assert "rookling.hiss.line = [" in edited(lines(0, 2))
    assert "is too short; must be a list of 3 to 4 ([[rookling.line]])" in edited(lines(0, 2))
    assert "is too long; must be a list of 3 to 4" in edited(lines(0, 1, 2, 3, 3))
    assert "have 3 of kind attack; a Rookling has 1 to 2 lines of each kind" in edited(lines(0, 1, 0, 2))
    assert "have 0 of kind special" in edited(lines(0, 1, 0, 2))
    document = copied()
    lines(0, 2, 3, 3)(document)
    assert isinstance(CARD_FORMAT.from_document(document), CardSet)


def test_a_special_line_has_no_token_on_hit_and_a_defence_line_no_effect():
    hit = {"do": "token_on_hit", "token": "frozen", "n": 1}
    assert 'line[2].effects[0].do = "token_on_hit": is not for special lines; is only for attack lines' in edited(
        lambda file: line_of(file, RIME, 2).update(effects=[hit])
    )
    assert 'line[1].effects[0].do = "token_on_hit": is not for defence lines; is only for attack lines' in edited(
        lambda file: line_of(file, RIME, 1).update(effects=[hit])
    )
    assert "line[0].effects = [" in edited(lambda file: line_of(file, RIME, 0).update(effects=[hit] * 3))


def test_a_rookling_shuffles_in_one_field_effect_only():
    extra = {"do": "shuffle_field", "field_effect": "extra", "n": 1}

    def second(document: dict[str, Any]) -> None:
        document["field_effect"].append(document["field_effect"][0] | {"id": "extra", "source": "assumed"})
        line_of(document, SHADOW, 2)["effects"].append(extra)

    message = "is another field effect of the same Rookling; it has at most one, extra"
    assert f'rookling.shadow.line[3].effects[0].field_effect = "dusk": {message}' in edited(second)
    document = copied()
    line_of(document, SHADOW, 2)["effects"].append(extra | {"field_effect": "dusk"})
    assert isinstance(CARD_FORMAT.from_document(document), CardSet)


def test_cleanse_has_no_number_to_change():
    def turned(document: dict[str, Any]) -> None:
        line_of(document, RUTE, 2)["effects"].reverse()

    assert "rookling.rute.line[2].siege.value = 2: changes a number that the front does not have" in edited(turned)


@pytest.mark.parametrize("mode", ["choose", "random"])
@pytest.mark.parametrize("who", ["drafter1", "drafter2"])
def test_a07_a_drafter_attacks_first_only_where_squads_are_drafted(mode, who):
    document = copied()
    document["rules"] |= {"squad_mode": mode, "first_attacker": who}
    assert f'rules.first_attacker = "{who}": does not go with squad_mode = "{mode}"' in refusal(document)
    document["rules"]["squad_mode"] = "draft"
    assert isinstance(CARD_FORMAT.from_document(document), CardSet)


def test_a_deck_holds_24_to_78_cards():
    document = copied()
    for copies, fits in ((5, False), (6, True), (19, True), (20, False)):
        document["energy"]["counts"] |= dict.fromkeys(document["energy"]["colours"], _list_of(copies))
        if fits:
            assert CARD_FORMAT.from_document(document).record[0]["energy"] == 4 * copies
        else:
            assert f"hold {4 * copies} cards; must be 24 to 78 cards together" in refusal(document)


def _list_of(cards: int) -> list[int]:
    """This number of cards of one colour, up to nine of a number."""
    return [min(9, cards - start) for start in range(0, cards, 9)]


def test_a_file_without_tokens_and_field_effects_is_valid():
    document = copied()
    del document["token"], document["field_effect"]
    plain = document["rookling"][VALT]
    document["rookling"] = [plain | {"id": f"valt_{n}", "name": f"Valt {n}"} for n in range(6)]
    record = CARD_FORMAT.from_document(document).record[0]
    assert (record["rooklings"], record["squads"], record["tokens"]) == (6, 20, 0)
    assert not record["token_mask"].any()
