"""Card files that are refused and the messages."""

import pytest

from sim.engine.cards import CardSet, changed
from sim.games.cardrogue.cards import CARD_FORMAT, from_document
from tests.games.cardrogue.documents import card, reference
from tests.games.refusals import Refusals

REFUSALS = Refusals(CARD_FORMAT)
refusal, edited = REFUSALS.refusal, REFUSALS.edited


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules.base_max_health", 31, "rules.base_max_health = 31: is too large; must be a whole number from 1 to 30"),
        ("rules.flee_faces", [4, 4], "rules.flee_faces[1] = 4: is used more than once; each value can occur once"),
        ("rules.equip_in_combat", 1, "rules.equip_in_combat = 1: has the wrong type; must be true or false"),
        ("rules.goals", ["golm"], 'goals[0] = "golm": is no goal of this file; did you mean "golem"?'),
        ("rules.goals", [], "rules.goals = []: leaves a lone player nothing to do; must name at least one goal"),
        ("table.columns", 17, "table.columns = 17: is too small; four players with a gap of 4 need at least 18"),
        ("gold.denominations", [10, 5], "gold.denominations = [10, 5]: cannot make up every amount; must end with 1"),
        ("character.mage.max_health", 3, "max_health = 3: leaves no health (3) when artifacts take 3 away; must be at"),
        ("character.mage.id", "bard", 'character[4].id = "bard": is used more than once; every character needs an id'),
        ("character.rogue.traits[0].item", "maul", 'item = "maul": is no weapon of this file; known here: dagger, sword'),
        ("character.cleric.traits[0].op", "no_chase", '"no_chase": is not for characters; is only for enemies'),
        ("decks.exploration.key", 10, "decks.exploration.key = 10: 10 keys are too many; at most 9"),
        ("decks.exploration.key", 0, "hold a chest but no key; there must be both or neither"),
        ("enemy.golem.end_rush", False, "have 0 with end_rush = true; exactly one begins the end rush"),
        ("enemy.golem.copies", 2, "enemy.golem.copies = 2: is given to the enemy with end_rush = true; must be 1"),
        ("enemy.goblin.id", "shop", 'enemy.shop.id = "shop": is a reserved word; must not be one of key'),
        ("enemy.imp.abilities[0].effect.op", "doge", 'effect.op = "doge": is not one of the choices; did you mean'),
        ("item.helm.slots", ["primary"], 'slots = ["primary"]: holds the slot of weapons; must not name "primary"'),
        ("item.scroll_move.effects", [], "effects = []: are 0 effects; a scroll has exactly one"),
        ("potions.effect.poison.face", 1, "potions.effect.poison.face = 1: is used more than once; each face can"),
        ("trap.spike.effect", {"op": "teleport"}, '"teleport": is not for traps; is only for potions drunk'),
    ],
)  # fmt: skip
def test_a_value_that_breaks_a_rule_is_refused(path, value, message):
    assert message in refusal(changed(reference(), path, value))


def test_an_attack_is_a_number_or_dice():
    assert "enemy.goblin.attack_die: is missing, and so is attack" in edited(
        lambda file: card(file, "enemy", "goblin").pop("attack")
    )
    assert "enemy.golem.attack_die = 2: is given besides attack" in edited(
        lambda file: card(file, "enemy", "golem").update(attack=3, source="assumed")
    )


def test_entries_of_the_decks_are_known():
    for deck, entry, message in (
        ("exploration", {"goblin": 6}, "but enemy.goblin.copies = 5; the two must be the same"),
        ("exploration", {"gobln": 5}, 'is no card or tile of this file; did you mean "goblin"?'),
        ("pathing", {"goblin": 1}, "is no tile of this file; known here: "),
    ):
        document = reference()
        document["decks"][deck] |= entry
        assert message in refusal(document)


def test_rogue_13_there_are_cards_enough_to_lay_out():
    document = reference(goals=["debt"])
    document["enemy"] = [card(document, "enemy", "golem")]
    document["artifact"] = []
    document["potions"] |= {"copies": 0}
    document["decks"]["exploration"] = {"golem": 1, "four_way": 16}
    del document["decks"]["pathing"]["chest"]
    assert "17 cards are too few; four players lay out 18" in refusal(document)
    document["decks"]["exploration"]["four_way"] = 17
    assert isinstance(from_document(document), CardSet)


def test_limits_of_kinds_and_copies():
    def bosses(file):
        for enemy in file["enemy"][:4]:
            enemy |= {"boss": True, "gold": 0}

    def weapons(file):
        for item in file["item"][4:8]:
            item |= {"kind": "weapon", "slots": ["primary"], "effects": []}

    def shop(file):
        for item in file["item"][:3]:
            item["copies"] = 5

    def horde(file):
        for enemy in file["enemy"][:4]:
            enemy["copies"] = 9

    def kinds(file):
        amulets = [{"id": f"amulet_{n}", "name": "Amulet", "copies": 0, "source": "assumed"} for n in range(36)]
        file["artifact"] = file["artifact"][:0] + amulets

    assert "7 kinds of bosses are too many; at most 6" in edited(bosses)
    assert "8 kinds of weapons are too many; at most 7" in edited(weapons)
    assert "34 cards are too many; at most 32" in edited(shop)
    assert "53 enemies are too many; at most 48" in edited(horde)
    assert "71 kinds of cards with those of the other tables are too many; at most 64" in edited(kinds)


def test_potions_need_an_effect_for_every_colour_and_keep_attacks_small():
    assert "potions.effect = [" in edited(lambda file: file["potions"]["effect"].pop())
    assert "are only 5 for 6 colours; every colour needs an effect of its own" in edited(
        lambda file: file["potions"]["effect"].pop()
    )

    def strong(file):
        file["potions"]["effect"][2]["throw"]["n"] = 5
        file["potions"]["effect"][3]["throw"]["n"] = 5
        file["potions"]["copies"] = 11

    assert "potions.copies = 11: could change an attack by 110" in edited(strong)


def test_a_card_has_one_ability_of_a_kind():
    strike = {"op": "on_roll", "faces": [1], "effect": {"op": "poison", "turns": 1}}
    again = strike | {"effect": {"op": "paralyze", "turns": 1}}
    dodge = strike | {"effect": {"op": "dodge"}}
    assert 'abilities[1].op = "on_roll": is repeated; a card may have it once to poison or paralyse, once' in refusal(
        changed(reference(), "enemy.imp.abilities", [strike, again])
    )
    assert isinstance(from_document(changed(reference(), "enemy.imp.abilities", [strike, dodge])), CardSet)
    slots = [{"op": "forbid_slot", "slot": slot} for slot in ("head", "feet")]
    assert from_document(changed(reference(), "character.bard.traits", slots)).record[0]["forbidden_slots"][5] == 5
