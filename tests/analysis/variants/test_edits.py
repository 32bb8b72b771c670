"""Changes of a card file in the notation of the user."""

import pytest

from analysis.variants.variant import edited
from sim.engine.cards import CardError
from sim.registry import GAMES

ARENA = GAMES["arena"]
CARDS = ARENA.load(None)
MOVE = "hero.rhino_guy.move"


def after(*texts: str) -> dict[str, object]:
    return {edit.path: edit.value for edit in edited(ARENA, CARDS, texts).edits}


def test_values_are_read_as_the_type_of_the_current_one():
    assert after(f"{MOVE}=3", "rules.knockback_plus_damage=true", "rules.board=standard") == {
        MOVE: 3,
        "rules.knockback_plus_damage": True,
        "rules.board": "standard",
    }


def test_signs_mean_steps_from_the_current_number():
    now = CARDS.document["hero"][CARDS.ids.index("rhino_guy")]["move"]
    assert after(f"{MOVE}=+2") == {MOVE: now + 2}
    assert after(f"{MOVE} = -1") == {MOVE: now - 1}
    with pytest.raises(CardError, match=r"move = -1"):
        after(f"{MOVE}==-1")


def test_several_settings_are_one_change():
    result = edited(ARENA, CARDS, [f"{MOVE}=3", "hero.rhino_guy.defence=4"])
    assert (result.idle, edited(ARENA, CARDS, ["hero.rhino_guy.printed_energy=+1"]).idle) == (False, True)
    assert str(result) == "hero.rhino_guy.move: 2 to 3; hero.rhino_guy.defence: 2 to 4"


@pytest.mark.slow
def test_a_rule_left_to_its_default_can_be_set_but_not_stepped():
    riftborn = GAMES["riftborn"]
    cards = riftborn.load(None)
    result = edited(riftborn, cards, ["rules.second_xp=300"])
    assert (result.edits[0].before, result.edits[0].value, result.idle) == (None, 300, False)
    with pytest.raises(ValueError, match="a step is not possible"):
        edited(riftborn, cards, ["rules.second_xp=+300"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hero.rhino_gy.move=3", r"nearest: hero\.rhino_guy\.move"),
        (f"{MOVE}=99", "is too large"),
        ("hero.rhino_guy.ability.charge.range=99", "hero.rhino_guy.ability.charge.range = 99: is too large"),
        (f"{MOVE}=fast", "must be a whole number"),
        ("hero.rhino_guy=3", "is a table, not a value"),
        ("hero.rhino_guy.ability=3", "is a table, not a value"),
        ("rules.no_such_rule=1", "is not a key of this table"),
        (MOVE, "must be PATH=VALUE"),
        (f"{MOVE}=", "must be PATH=VALUE"),
        (f"{MOVE}=3 hero[{CARDS.ids.index('rhino_guy')}].move=4", r"hero\.rhino_guy\.move is set twice"),
        ("", "no change is given"),
    ],
)
def test_invalid_changes_are_refused(text: str, message: str):
    with pytest.raises(ValueError, match=message):
        after(*text.split())
