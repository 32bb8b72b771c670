"""The reference set as a document, for tests of the model, and small changes to it.

It is written a second time on purpose, so that the card file of the game can be compared with it.
"""

from copy import deepcopy
from functools import cache
from typing import Any

# name and number
RULES = """
start_power 5, start_hand 5, start_concentrations 1, deck_size 30, max_copies 2, max_copies_x 1, max_hand 8,
concentration_areas 6, ailment_areas 4, ailment_limit 8, draw 2, first_draw 1, pass_draw 1, sets_per_turn 1,
blocks_per_turn 1, turn_cap 200
"""

# id | threshold | what it does
AILMENTS = """
burn | 4 | on_apply lose 2; ailment_phase lose 2
debilitate | 5 | per_instance max_health -1; level2 no_heal
curse | 4 | on_apply sear 1; level2 no_ability
fragment | 4 | on_apply void 1; level2 max_hand 4
weaken | 4 | per_instance block -1; level2 damage -2
insanity | 3 | while_any no_pass; after_draw discard_random 1
"""

# id | class | health | block | light | times a turn | effects
RUNESLINGERS = """
eva | Runeseer | 20 | 4 | 1 | 1 | damage 2 -> any
romin | Guardian | 20 | 5 | 1 | 1 | heal 2
"""

# id | class | text
STANCES = """
talakas_heart | Runeseer | when sling_spirit: sear 2 -> enemy
striking_stance | Runeseer | static damage_attack 1
braced_stance | Guardian | when you_block: boost 3 block
patient_stance | Guardian | when you_pass: heal 4
"""

# id | class | determination | effects
ABILITIES = """
flame_of_nim | Runeseer | 2 | boost 4 damage_spirit, boost pierce_spirit
kindle | Runeseer | 1 | apply 1 burn -> enemy
second_wind | Guardian | 2 | remove 4, heal 8
deep_breath | Guardian | 1 | draw 1, light 1
"""

# id | type | cost | defence | rarity | keywords | text
CARDS = """
fireball | spirit | 3 | 0 | c | | damage 8 -> any
plutonic_spike | spirit | 2 | 0 | c | pierce | damage 5 -> any
small_bolt | spirit | 1 | 0 | c | | damage 3 -> any
direct_bolt | spirit | 2 | 0 | c | | damage 4 direct -> any
shouted_bolt | spirit | 2 | 0 | u | shout | damage 4 -> any
reckless_bolt | spirit | 1 | 0 | c | distract | damage 6 -> any
twin_bolt | spirit | 4 | 0 | u | | damage 5 -> any, damage 5 -> any
great_bolt_x | spirit | 5 | 0 | r | pierce | damage 12 -> any
glancing_arrow | attack | 2 | 0 | c | | damage 3 -> runeslinger hit apply 2 weaken
rainbow_dart | attack | 3 | 0 | u | | damage 3 -> runeslinger hit apply 2 choose distinct
flaming_fists | attack | 3 | 0 | c | | damage 4 -> runeslinger hit apply 2 burn
curse_strike | attack | 2 | 0 | c | | damage 3 -> runeslinger hit apply 2 curse
debilitate_strike | attack | 2 | 0 | c | | damage 3 -> runeslinger hit apply 2 debilitate
fragment_strike | attack | 2 | 0 | c | | damage 3 -> runeslinger hit apply 2 fragment
insanity_strike | attack | 1 | 0 | c | | damage 2 -> runeslinger hit apply 1 insanity
piercing_strike | attack | 3 | 0 | u | pierce | damage 6 -> runeslinger hit apply 1 debilitate
festering_strike | attack | 3 | 0 | r | | damage 2 target_ailments -> runeslinger
supernova | utility | 4 | 0 | r | fate | bullet apply 3 burn -> runeslinger; bullet discard 3 -> runeslinger
counter_rune | utility | 2 | 0 | u | shout | destroy -> runespell
insight | utility | 2 | 0 | c | | draw 2
cleanse | utility | 1 | 0 | c | | remove 3 -> runeslinger
transmute | utility | 2 | 0 | u | | convert 3 choose -> runeslinger
deep_sear | utility | 2 | 0 | c | | sear 5 -> enemy
deep_void | utility | 3 | 0 | u | | void 4 -> enemy
open_choice | utility | 1 | 0 | c | choice | bullet heal 4 -> runeslinger; bullet discard_random 1 -> enemy;
    bullet extra_set 1, draw 1
shatter | utility | 2 | 0 | c | | destroy -> defence
quick_ward | utility | 1 | 0 | c | shout | barrier 6 -> own
light_surge | utility | 0 | 0 | u | | cost discard 1; light 3
three_ailments | utility | 5 | 0 | u | | apply 3 choose distinct -> runeslinger
divine_barrier | boon | 2 | 5 | r | | static block 2; when destroyed not_owned: lose 9
binding | boon | 1 | 6 | c | | static damage -1 not_owned
mending_boon | boon | 2 | 4 | u | | when turn_start owned: heal 2; when turn_start not_owned: lose 2
wide_satchel | trinket | 1 | 6 | c | | static max_hand 10; when you_downed: draw 1
light_lens | trinket | 1 | 2 | u | use | activate use: light 2
ward_stone | trinket | 1 | 7 | c | | static block 2; when you_block: heal 1
aiming_lens | trinket | 1 | 6 | u | | static defence -2 enemy; static attack_any
stone_trap | chant | 1 | 5 | r | shout | trap -> card; when leaves: release
gathering_chant | chant | 2 | 5 | u | token 1, charge | activate tokens 2: damage 5 direct -> any
draining_chant | chant | 2 | 6 | u | | activate light 1 per_turn 1: lose 2 -> enemy
echo_chant | chant | 2 | 5 | r | | when sling_spirit: damage 2 -> any
frailty_chant | chant | 2 | 6 | c | use | static max_health -2 each; activate use: lose 2 -> enemy
small_hands_chant | chant | 2 | 6 | u | | static max_hand 5 each; when turn_start: sear 1 -> each
"""

# id | loadout | two copies each | one copy each
DECKS = """
eva_starter | eva, talakas_heart, flame_of_nim | fireball, plutonic_spike, small_bolt, shouted_bolt, reckless_bolt,
    flaming_fists, glancing_arrow, insight, cleanse, divine_barrier | direct_bolt, great_bolt_x, supernova, quick_ward,
    light_lens, gathering_chant, echo_chant, open_choice, shatter, binding
romin_starter | romin, braced_stance, deep_breath | fireball, flaming_fists, glancing_arrow, curse_strike,
    debilitate_strike, piercing_strike, rainbow_dart, binding, quick_ward | plutonic_spike, fragment_strike,
    three_ailments, transmute, mending_boon, draining_chant, cleanse, stone_trap, ward_stone, counter_rune, open_choice,
    wide_satchel
ailment_pressure | romin, patient_stance, second_wind | rainbow_dart, curse_strike, debilitate_strike, glancing_arrow,
    flaming_fists, fragment_strike, insanity_strike, festering_strike, transmute, three_ailments, supernova, insight,
    binding | aiming_lens, stone_trap, frailty_chant, small_bolt
erosion | eva, talakas_heart, kindle | deep_sear, deep_void, fragment_strike, curse_strike, fireball, plutonic_spike,
    small_bolt, twin_bolt, shatter, counter_rune, quick_ward, divine_barrier, open_choice | light_surge,
    small_hands_chant, echo_chant, cleanse
"""

RARITIES = {"c": "common", "u": "uncommon", "r": "rare"}
FLAGS = ("no_heal", "no_ability", "no_pass", "attack_any")


def reference_document(**rules: Any) -> dict[str, Any]:
    """The reference set with these rules. Every call returns its own copy."""
    document = deepcopy(_reference())
    document["rules"].update(rules)
    return document


@cache
def _reference() -> dict[str, Any]:
    return {
        "rules": _rules(),
        "ailment": [ailment_row(line) for line in _lines(AILMENTS)],
        "runeslinger": [_runeslinger(line) for line in _lines(RUNESLINGERS)],
        "stance": [_stance(line) for line in _lines(STANCES)],
        "ability": [_ability(line) for line in _lines(ABILITIES)],
        "card": [card_row(line) for line in _lines(CARDS)],
        "deck": [_deck(line) for line in _lines(DECKS)],
    }


def _rules() -> dict[str, Any]:
    words = RULES.replace(",", " ").split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


def _lines(text: str) -> list[str]:
    return text.strip().replace("\n    ", " ").split("\n")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def effect_row(text: str) -> dict[str, Any]:
    """`damage 3 -> runeslinger hit apply 2 weaken`: op, n and other words, target, on-hit effect."""
    what, _, hit = text.partition(" hit ")
    what, _, to = what.partition(" -> ")
    op, *words = what.split()
    row: dict[str, Any] = {"op": op}
    for word in words:
        if word.isdigit():
            row["n"] = int(word)
        elif word in ("direct", "distinct"):
            row[word] = True
        else:
            row[{"damage": "per", "apply": "ailment", "convert": "into", "boost": "stat"}[op]] = word
    if to:
        row["to"] = to
    if hit:
        row["hit"] = [{**effect_row(follows), "to": "same"} for follows in hit.split(" and ")]
    return row


def effect_list(text: str) -> list[dict[str, Any]]:
    """Effects with commas between them."""
    return [effect_row(part.strip()) for part in text.split(",")]


def static_row(text: str) -> dict[str, Any]:
    """`block 2 enemy not_owned`: stat, n, scope, if."""
    stat, *words = text.split()
    row: dict[str, Any] = {"stat": stat}
    for word in words:
        row.update({"scope": word} if word in ("enemy", "each") else {"if": word} if "owned" in word else {"n": int(word)})
    return row


def texts(text: str) -> dict[str, Any]:
    """What a card or stance does, with semicolons between its parts."""
    row: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        word, _, rest = part.partition(" ")
        head, _, effects = rest.partition(": ")
        if word == "static":
            row.setdefault("statics", []).append(static_row(rest))
        elif word == "when":
            when, *condition = head.split()
            trigger = {"when": when, **({"if": condition[0]} if condition else {}), "effects": effect_list(effects)}
            row.setdefault("triggers", []).append(trigger)
        elif word == "activate":
            row.setdefault("activated", []).append({**_costs(head), "effects": effect_list(effects)})
        elif word == "bullet":
            row.setdefault("bullets", []).append(effect_list(rest))
        elif word == "cost":
            row["extra_cost"] = {"discard": int(rest.split()[1])}
        else:
            row["effects"] = effect_list(part)
    return row


def _costs(text: str) -> dict[str, Any]:
    words = text.split()
    costs: dict[str, Any] = {"use": True} if "use" in words else {}
    for at, word in enumerate(words):
        if word.isdigit():
            costs[words[at - 1]] = int(word)
    return costs


def card_row(line: str) -> dict[str, Any]:
    """A card from one line."""
    name, kind, cost, defence, rarity, keywords, text = _cells(line)
    words = [word.strip() for word in keywords.split(",") if word]
    row: dict[str, Any] = {"id": name, "type": kind, "cost": int(cost), "rarity": RARITIES[rarity], **texts(text)}
    if int(defence):
        row["defence"] = int(defence)
    for word in [word for word in words if word.startswith("token ")]:
        row["tokens"] = int(word.split()[1])
    if words:
        row["keywords"] = [word.split()[0] for word in words]
    if name.endswith("_x"):
        row["x"] = True
    return row


def ailment_row(line: str) -> dict[str, Any]:
    """An ailment from one line."""
    name, threshold, text = _cells(line)
    row: dict[str, Any] = {"id": name, "threshold": int(threshold)}
    for part in text.split(";"):
        word, rest = part.strip().split(" ", 1)
        lasting = word in ("per_instance", "while_any", "level2")
        row[word] = [static_row(rest)] if lasting else effect_list(rest)
    return row


def _runeslinger(line: str) -> dict[str, Any]:
    name, of, health, block, light, times, text = _cells(line)
    inherent = {"light": int(light), "per_turn": int(times), "effects": effect_list(text)}
    return {"id": name, "class": of, "health": int(health), "block": int(block), "inherent": inherent}


def _stance(line: str) -> dict[str, Any]:
    name, of, text = _cells(line)
    return {"id": name, "class": of, **texts(text)}


def _ability(line: str) -> dict[str, Any]:
    name, of, cost, text = _cells(line)
    return {"id": name, "class": of, "determination": int(cost), "effects": effect_list(text)}


def _deck(line: str) -> dict[str, Any]:
    name, loadout, twice, once = _cells(line)
    runeslinger, stance, ability = loadout.split(", ")
    cards = dict.fromkeys(twice.split(", "), 2) | dict.fromkeys(once.split(", "), 1)
    return {"id": name, "runeslinger": runeslinger, "stance": stance, "ability": ability, "cards": cards}
