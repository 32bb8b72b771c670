"""Card files that are refused and the messages."""

import pytest

from sim.engine.cards import CardSet, changed
from sim.games.cardrogue.cards import CARD_FORMAT, from_document
from tests.games.cardrogue.documents import card, reference
from tests.games.refusals import Refusals

REFUSALS = Refusals(CARD_FORMAT)
refusal, edited = REFUSALS.refusal, REFUSALS.edited


ROLL = {"op": "on_roll", "faces": [1]}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules.base_max_health", 31, "rules.base_max_health = 31: is too large; must be a whole number from 1 to 30"),
        ("rules.flee_faces", [4, 7], "rules.flee_faces[1] = 7: is too large; must be a whole number from 1 to 6"),
        ("rules.flee_faces", [4, 4], "rules.flee_faces[1] = 4: is repeated; each value can occur once"),
        ("rules.buy_multiplier", 0, "rules.buy_multiplier = 0: is too small"),
        ("rules.offers_per_turn", 4, "rules.offers_per_turn = 4: is too large; must be a whole number from 0 to 3"),
        ("rules.repeat_moves", 9, "rules.repeat_moves = 9: is too large"),
        ("rules.lives", 0, "rules.lives = 0: is too small; must be a whole number from 1 to 9"),
        ("rules.bard_six", "fle", 'rules.bard_six = "fle": is not one of the choices; must be one of "flee_free"'),
        ("rules.equip_in_combat", 1, "rules.equip_in_combat = 1: has the wrong type; must be true or false"),
        ("rules.goals", ["golm"], 'goals[0] = "golm": is no goal; must be one of chest, debt, basilisk_green'),
        ("rules.goals", ["goblin"], 'rules.goals[0] = "goblin": is no goal'),
        ("rules.goals", ["debt", "debt"], 'rules.goals[1] = "debt": is repeated'),
        ("rules.goals", [], "rules.goals = []: leaves a lone player nothing to do; must name at least one goal"),
        ("table.columns", 33, "table.columns = 33: is too large"),
        ("table.columns", 17, "table.columns = 17: is too small; four players with a gap of 4 need at least 18"),
        ("table.rows", 3, "table.rows = 3: is too small"),
        ("table.gap", 3, "table.gap = 3: is too small; must be a whole number from 4 to 8"),
        ("gold.denominations", [10, 5, 5, 1], "gold.denominations = [10, 5, 5, 1]: are not descending"),
        ("gold.denominations", [10, 5], "gold.denominations = [10, 5]: cannot make up every amount; must end with 1"),
        ("character.mage.max_health", 31, "character.mage.max_health = 31: is too large"),
        ("character.mage.max_health", 3, "max_health = 3: leaves no health (3) when artifacts take 3 away; must be at"),
        ("character.mage.id", "bard", 'character[4].id = "bard": is used more than once; every character needs an id'),
        ("character.rogue.traits[0].item", "maul", 'item = "maul": is no such weapon; must be a weapon of the primary'),
        ("character.rogue.traits[2].slot", "hand", 'traits[2].slot = "hand": is not one of the choices'),
        ("character.warrior.traits[0].op", "rag", 'traits[0].op = "rag": is not one of the choices; did you mean "rage"?'),
        ("character.warrior.traits[1].op", "rage", "character.warrior.traits[1].except = "),
        ("character.cleric.traits[0].op", "no_trip", 'traits[2].op = "no_trip": is repeated; a card may have it once'),
        ("character.cleric.traits[0].op", "no_chase", '"no_chase": is not for characters; belongs to enemies'),
        ("decks.exploration.key", 10, "decks.exploration.key = 10: 10 keys are too many; at most 9"),
        ("decks.exploration.four_way", 47, "129 cards are too many; at most 128"),
        ("decks.exploration.four_way", 97, "decks.exploration.four_way = 97: is too large; must be a whole number from 0"),
        ("decks.pathing.four_way", 55, "97 cards are too many; at most 96"),
        ("decks.pathing.four_way", "many", 'four_way = "many": has the wrong type; must be a whole number from 0 to 96'),
        ("decks.pathing.chest", 0, "decks = "),
        ("decks.exploration.key", 0, "hold a chest but no key; there must be both or neither"),
        ("enemy.goblin.health", 0, "enemy.goblin.health = 0: is too small"),
        ("enemy.goblin.attack", 21, "enemy.goblin.attack = 21: is too large"),
        ("enemy.golem.attack_die", 6, "enemy.golem.attack_die = 6: is too large"),
        ("enemy.golem.end_rush", False, "have 0 with end_rush = true; exactly one begins the end rush"),
        ("enemy.golem.copies", 2, "enemy.golem.copies = 2: is given to the enemy with end_rush = true; must be 1"),
        ("enemy.golem.boss", False, "enemy.golem.vp = 2: is given to an enemy that is no boss; must be 0, or boss = true"),
        ("enemy.goblin.id", "sword", 'enemy.sword.id = "sword": is used more than once; every card, tile and colour'),
        ("enemy.goblin.id", "shop", 'enemy.shop.id = "shop": is a reserved word; must differ from key'),
        ("enemy.goblin.id", "debt", "is a reserved word"),
        ("enemy.goblin.id", "Goblin", 'enemy.Goblin.id = "Goblin": is not well formed; must be an id'),
        ("enemy.imp.abilities[0].op", "dodge", "enemy.imp.abilities[0].faces = [5, 6]: is not a key of this table"),
        ("enemy.imp.abilities", [{"op": "dodge"}], '"dodge": is not for enemies; belongs to the effect of on_roll'),
        ("enemy.imp.abilities", [{"op": "teleport"}], "is not for enemies; belongs to potions drunk, potions thrown"),
        ("enemy.imp.abilities", [ROLL | {"effect": {"op": "heal_full"}}], "must be one of dodge, paralyze, poison"),
        ("enemy.imp.abilities[0].effect.op", "doge", 'effect.op = "doge": is not one of the choices; did you mean'),
        ("enemy.imp.abilities[0].faces", [5, 5], "enemy.imp.abilities[0].faces[1] = 5: is repeated"),
        ("enemy.sewer_rat.abilities[0].effect.turns", 10, "abilities[0].effect.turns = 10: is too large"),
        ("item.sword.slots", [], "item.sword.slots = []: leaves the weapon without a slot; must name at least one"),
        ("item.sword.slots", ["secondary"], 'slots = ["secondary"]: is not where a weapon is worn; must be ["primary"]'),
        ("item.maul.slots", ["primary", "primary"], 'item.maul.slots[1] = "primary": is repeated'),
        ("item.helm.slots", [], "item.helm.slots = []: leaves the armour without a slot"),
        ("item.helm.slots", ["primary"], 'slots = ["primary"]: holds the slot of weapons; must not name "primary"'),
        ("item.helm.slots", ["hat"], 'item.helm.slots[0] = "hat": is not one of the choices; must be one of "head"'),
        ("item.sword.kind", "scroll", 'slots = ["primary"]: is given to a card of kind scroll; only weapons and armour'),
        ("item.sword.effects[0].op", "attack", 'effects[0].op = "attack": is not one of the choices'),
        ("item.sword.effects", [{"op": "identify"}], '"identify": is not for weapons; belongs to scrolls'),
        ("item.helm.effects", [{"op": "min_attack", "n": 3}], '"min_attack": is not for armour; belongs to weapons'),
        ("item.scroll_move.effects", [], "effects = []: are 0 effects; a scroll has exactly one"),
        ("item.scroll_max_health.effects[0].n", -1, "effects[0].n = -1: is too small; must be a whole number from 0 to 20"),
        ("item.debt.effects", [{"op": "identify"}], 'op = "identify": is not for the debt; belongs to scrolls'),
        ("item.debt.effects", [], "are 0 effects; the debt has exactly one"),
        ("item.debt.sell", True, "item.debt.sell = true: is set for the debt"),
        ("item.sword.copies", 11, "item.sword.copies = 11: is too large"),
        ("item.dagger.effects[0].faces", [1, 2, 3, 4, 5, 6], "is too long; must be a list of 1 to 5"),
        ("artifact.attack_plus.effects[0].n", 6, "artifact.attack_plus.effects[0].n = 6: is too large"),
        ("artifact.attack_plus.effects", [{"op": "movement", "n": 1}], "is not for artifacts; belongs to weapons, armour"),
        ("potions.colours", ["blue", "blue"], 'potions.colours[0] = "blue": is used more than once'),
        ("potions.effect.poison.face", 1, "potions.effect.poison.face = 1: is repeated; every effect needs a face"),
        ("potions.effect.poison.face", 7, "potions.effect.poison.face = 7: is too large"),
        ("potions.effect.poison.drink", {"op": "identify"}, '"identify": is not for potions drunk; belongs to scrolls'),
        ("potions.effect.healing.throw", {"op": "vp", "n": 1}, "is not for potions thrown; belongs to the debt"),
        ("trap.spike.effect", {"op": "teleport"}, '"teleport": is not for traps; belongs to potions drunk'),
        ("shape.four_way.exits", ["F", "F"], 'shape.four_way.exits[1] = "F": is repeated'),
        ("shape.four_way.exits", ["B"], 'shape.four_way.exits[0] = "B": is not one of the choices'),
        ("decks.pathing.source.three_fr", "guess", 'three_fr = "guess": is not a source; must be one of "rulebook"'),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_a_value_that_breaks_a_rule_is_refused(path, value, message):
    assert message in refusal(changed(reference(), path, value))


def test_missing_and_unknown_keys_are_refused():
    assert "potions: is missing" in edited(lambda file: file.pop("potions"))
    assert "enemy.goblin.health: is missing" in edited(lambda file: card(file, "enemy", "goblin").pop("health"))
    assert "enemy.goblin.attack_die: is missing, and so is attack" in edited(
        lambda file: card(file, "enemy", "goblin").pop("attack")
    )
    assert "enemy.golem.attack_die = 2: is given besides attack" in edited(
        lambda file: card(file, "enemy", "golem").update(attack=3, source="assumed")
    )
    assert "enemy.golem.gold = 3: is the price of a boss card" in edited(
        lambda file: card(file, "enemy", "golem").update(gold=3, source="assumed")
    )
    assert 'enemy.goblin.helth = 3: is not a key of this table; did you mean "health"?' in edited(
        lambda file: card(file, "enemy", "goblin").update(helth=3)
    )
    assert "rules.speed = 3: is not a key of this table" in edited(lambda file: file["rules"].update(speed=3))
    assert "enemy.goblin.copies = 5: has no source" in edited(lambda file: card(file, "enemy", "goblin").pop("source"))
    assert "item.sword.throw = true: is set for an item; must be false" in edited(
        lambda file: card(file, "item", "sword").update(throw=True)
    )


def test_entries_of_the_decks_are_known():
    decks = "decks.exploration"
    for entry, copies, field in (
        ("goblin", 6, "enemy.goblin.copies = 5; the two must be the same; left out, the deck holds that many"),
        ("pink", 2, "potions.copies = 3"),
        ("attack_plus", 0, "artifact.attack_plus.copies = 1"),
    ):
        message = f"{decks}.{entry} = {copies}: but {field}"
        assert message in edited(lambda file, pair={entry: copies}: file["decks"]["exploration"].update(pair))
    assert f'{decks}.gobln = 5: is no card of this deck; did you mean "goblin"?' in edited(
        lambda file: file["decks"]["exploration"].update(gobln=5)
    )
    assert f"{decks}.sword = 1: is no card of this deck" in edited(lambda file: file["decks"]["exploration"].update(sword=1))
    assert f"{decks}.ladder = 1: is no card of this deck" in edited(lambda file: file["decks"]["exploration"].update(ladder=1))
    for entry in ("goblin", "key", "blue", "attack_plus"):
        message = f"decks.pathing.{entry} = 1: is no tile; must be a shape, fountain, shop, chest or trap"
        assert message in edited(lambda file, entry=entry: file["decks"]["pathing"].update({entry: 1}))
    assert "decks.pathing.source.goblin" in edited(lambda file: file["decks"]["pathing"]["source"].update(goblin="assumed"))


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
