"""Random card files within the limits of the schema, so that every ability, effect and switch is reached."""

from random import Random
from typing import Any

from sim.games.riftborn.cards import Ability
from sim.games.riftborn.cards.schema import ALLOWED, GRANTED, LENT, LOST, NUMBERED, REPEATED, Rules, word_of
from tests.games.playing import choices_of
from tests.games.riftborn.model.documents import odd_document, reference_document

SWITCHES: dict[str, tuple[Any, ...]] = {
    **{name: choices_of(field) for name, field in Rules.model_fields.items() if name in Rules.variants()},
    "mulligans": (0, 1, 2),
    "max_rows": (1, 2, 3),
    "max_per_row": (3, 5),
    "retaliation_divisor": (1, 2, 3),
}
SHARES = (0.3, 0.5)  # of games with the reference set; with it or the odd cards
KINDS = ("rage", "health", "shield", "weakness", "decay")
TREATMENTS = ("damage", "heal", "add", "add", "clear", "grant", "lose", "destroy", "charm", "pacify")
OTHERS = ("damage_player", "heal_player", "draw", "scry", "spy", "recall", "gain_xp")
TARGETS = {
    "spell": ("chosen", "chosen", "each", "row"),
    "action": ("chosen", "chosen", "each", "row", "self"),
    "trick": ("chosen", "each", "row", "self", "trigger", "subject", "trigger"),
}
TOKENS = 3
LAST_OF_A_SPELL = 0.25  # share of Spells that end with summoning or playing
FREQUENT = (Ability.STEALTH, Ability.RELENTLESS, Ability.UNDEATH, Ability.RAGE, Ability.TRICK, Ability.AURA)


def random_game_document(rng: Random) -> dict[str, Any]:
    """The reference set, the odd cards with it, or a random set; random switches, games of bounded length."""
    drawn, rules = rng.random(), random_rules(rng)
    if drawn < SHARES[0]:
        document = reference_document(**rules)
    elif drawn < SHARES[1]:
        document = odd_document(**rules)
    else:
        document = random_document(rng)
        document["rules"] |= rules
    for entry in (*document["card"], *document["deck"]):
        entry["source"] = "assumed"
    return document | {"game": "riftborn", "format": 1, "title": "A set of a test"}


def random_switches(rng: Random) -> dict[str, Any]:
    """Half of the switches, each with any of its values."""
    return {name: rng.choice(values) for name, values in SWITCHES.items() if rng.random() < 0.5}


def random_rules(rng: Random) -> dict[str, Any]:
    """Switches, half of them otherwise than printed, and numbers under which games get on."""
    rules: dict[str, Any] = random_switches(rng) | {"turn_cap": rng.choice((40, 60)), "source": "assumed"}
    if rng.random() < 0.7:
        rules |= {"turn_xp": rng.choice((300, 900, 2500)), "start_life": rng.choice((8, 12, 25))}
    if rng.random() < 0.3:
        rules |= {"turn_draw": rng.randint(0, 3), "start_hand": rng.randint(0, 10), "first_player_first_draw": 2}
    return rules | ({"flight_range": rng.randint(1, 4)} if rng.random() < 0.3 else {})


def random_document(rng: Random) -> dict[str, Any]:
    """12 creatures, 3 tokens, up to 3 Weapons and Armours, 5 Spells with any effects; two decks of them, some small."""
    cards = [_creature(rng, f"kin_{number}") for number in range(12)]
    cards += [_creature(rng, f"tok_{number}", "token") for number in range(TOKENS)]
    for kind, count in (("weapon", rng.randint(0, 3)), ("armour", rng.randint(0, 3)), ("spell", 5)):
        cards += [_other_card(rng, kind, number) for number in range(count)]
    decks = [{"id": f"deck_{number}", "cards": _deck(rng, cards)} for number in range(2)]
    rules = {"deck_min": 10, "copies_hero": 0, "copies_spell": 0}
    return {"rules": rules, "card": cards, "deck": decks}


def _deck(rng: Random, cards: list[dict[str, Any]]) -> dict[str, int]:
    least = {"creature": 1, "spell": 0, "weapon": 0, "armour": 0}
    most = {"creature": 4, "spell": 3, "weapon": 2, "armour": 2}
    copies = {card["id"]: rng.randint(least[card["type"]], most[card["type"]]) for card in cards if card["level"]}
    copies = {name: count for name, count in copies.items() if count}
    return dict(rng.sample([*copies.items()], len(copies)))


def _word(rng: Random, ability: Ability) -> str:
    most = 3 if ability in (Ability.SWARM, Ability.SUMMON, Ability.AURA) else 5
    return f"{word_of(ability)}({rng.randint(1, most)})" if ability in NUMBERED else word_of(ability)


def _keywords(rng: Random, kind: str) -> list[Ability]:
    """Abilities that a card of this type can have, in any order."""
    if kind in ("creature", "token") and rng.random() < 0.06:
        return [Ability.SWARM]
    allowed = sorted(ALLOWED[kind] - {Ability.SWARM})
    many = 5 if kind in ("creature", "token") else 2
    found = {rng.choice(allowed) for _ in range(rng.randint(0, many))}
    found |= {ability for ability in FREQUENT if ability in allowed and rng.random() < 0.12}
    if kind == "token" and Ability.SUMMON in found:
        found.discard(Ability.HASTE)
    borne = [ability for ability in found for _ in range(1 + (ability in REPEATED and rng.random() < 0.3))]
    return rng.sample(borne, len(borne))


def _card(rng: Random, name: str, kind: str, level: int) -> dict[str, Any]:
    card = {"id": name, "type": kind, "level": level, "xp": rng.choice((0, 50, 100, 100 * level, 450))}
    return card | {"attack": 0, "health": 0}


def _creature(rng: Random, name: str, kind: str = "creature") -> dict[str, Any]:
    card = _card(rng, name, kind, 0 if kind == "token" else rng.choice((1, 1, 1, 2, 2, 3, 4)))
    card |= {"attack": rng.choice((0, 1, 2, 3, 4, 6)), "health": rng.choice((1, 2, 3, 4, 5, 7, 9))}
    abilities = _keywords(rng, kind)
    card["keywords"] = [_word(rng, ability) for ability in abilities]
    if Ability.AURA in abilities:
        card["aura"] = _aura(rng)
    if Ability.SPELL in abilities:
        card["spell_action"] = _effects(rng, "action")
    if Ability.DOUBLE_ATTACK in abilities:
        card["double_retarget"] = rng.random() < 0.5
    for ability, field in ((Ability.SUMMON, "summon"), (Ability.TRANSFORM, "transform")):
        if ability in abilities:
            card[field] = f"tok_{rng.randrange(TOKENS)}"
    if tricks := abilities.count(Ability.TRICK):
        card["tricks"] = [_effects(rng, "trick") for _ in range(tricks)]
    return card


def _aura(rng: Random) -> dict[str, Any]:
    side = rng.choice(("friend", "enemy", "all"))
    if rng.random() < 0.5:
        return {"side": side, "keyword": _word(rng, rng.choice(sorted(LENT)))}
    return {"side": side, "attack": rng.choice((-2, -1, 1, 2)), "health": rng.choice((-2, -1, 0, 1, 3))}


def _other_card(rng: Random, kind: str, number: int) -> dict[str, Any]:
    """A Weapon, an Armour or a Spell."""
    card = _card(rng, f"{kind}_{number}", kind, rng.randint(1, 3))
    if kind == "weapon":
        card |= {"attack": rng.randint(0, 5), "health": rng.randint(1, 3)}
    elif kind == "armour":
        card["health"] = rng.randint(1, 9)
    card["keywords"] = [_word(rng, ability) for ability in _keywords(rng, kind)]
    return card | ({"effects": _effects(rng, "spell")} if kind == "spell" else {})


def _effects(rng: Random, of: str) -> list[dict[str, Any]]:
    """1..4 entries of a Spell card, a SPELL action or a trick."""
    entries: list[dict[str, Any]] = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        entries.append(_treatment(rng, of, entries) if rng.random() < 0.7 else _other(rng))
    if of == "spell" and rng.random() < LAST_OF_A_SPELL:
        token = {"op": "summon", "token": f"tok_{rng.randrange(TOKENS)}", "n": rng.randint(1, 3)}
        entries.append(rng.choice((token, {"op": "play_free", "max_level": rng.randint(1, 4)})))
    return entries


def _treatment(rng: Random, of: str, before: list[dict[str, Any]]) -> dict[str, Any]:
    """An effect on creatures."""
    op = rng.choice(TREATMENTS)
    entry: dict[str, Any] = {"op": op}
    if op in ("damage", "heal", "add", "clear"):
        entry["n"] = rng.randint(1, 4)
    if op in ("add", "clear"):
        entry["kind"] = rng.choice(KINDS)
    elif op == "grant":
        entry["keyword"] = _word(rng, rng.choice(sorted(GRANTED)))
    elif op == "lose":
        entry["keyword"] = word_of(rng.choice(sorted(LOST)))
    target = rng.choice(TARGETS[of])
    if before and "target" in before[-1] and rng.random() < 0.4:
        target = "same"
    entry["target"] = target
    if target in ("chosen", "each", "row"):
        entry["side"] = rng.choice(("friend", "enemy", "any"))
    if target == "chosen":
        entry["count"] = rng.choice((1, 1, 2, 3))
        if of != "spell" and rng.random() < 0.4:
            entry["where"] = "adjacent"
    return entry


def _other(rng: Random) -> dict[str, Any]:
    """An effect without creatures as targets."""
    op = rng.choice(OTHERS)
    if op == "damage_player":
        return {"op": op, "n": rng.randint(1, 4), "who": rng.choice(("own", "enemy", "enemy", "both"))}
    if op == "recall":
        return {"op": op}
    return {"op": op, "n": rng.choice((50, 300)) if op == "gain_xp" else rng.randint(1, 4)}
