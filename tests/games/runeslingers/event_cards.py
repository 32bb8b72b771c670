"""Card files for games in which much happens: random cards, one card for every event, and cards that answer."""

from random import Random
from typing import Any

from tests.games.runeslingers.model.documents import card_row, reference_document
from tests.games.runeslingers.model.table import DEFENCE_CARDS, TYPES
from tests.games.runeslingers.random_documents import random_document

DECK_SIZE = 40
COPIES = 4

# type, keywords, text; `{n}`: a number, `{big}`: a large one, `{t}`: a type of ailment
EVENTS = """
spirit | | damage {n} -> any
spirit | | damage {big} -> any
spirit | | damage {n} -> own
spirit | | damage {n} -> defence
spirit | | damage {n} direct -> any
spirit | | damage {big} direct -> runeslinger
spirit | pierce | damage {n} -> any
spirit | pierce | damage {big} -> any
spirit | pierce | damage {big} -> defence
spirit | pierce | damage {n} direct -> any
spirit | | damage {n} -> any, damage {n} -> enemy
spirit | | damage {n} -> each
spirit | | damage {n} target_ailments -> any
attack | | damage {n} -> runeslinger hit apply {n} {t}
attack | | damage {n} -> enemy hit apply 2 {t} and apply 1 {t}
attack | | damage {n} -> enemy hit apply 3 choose distinct
attack | | damage {n} -> runeslinger hit apply 2 choose
attack | pierce | damage {big} -> enemy hit apply 2 {t}
attack | pierce | damage {n} -> runeslinger hit sear {n} and discard_random 1
attack | | damage {n} target_ailments -> runeslinger hit convert 2 choose
attack | | damage {n} -> runeslinger hit lose {n} and remove 2
attack | | damage {n} direct -> enemy hit void 2 and draw 1
utility | | lose {n} -> runeslinger
utility | | lose {big} -> runeslinger
utility | | lose {n} -> each
utility | | heal {n} -> runeslinger
utility | | apply {n} {t} -> runeslinger
utility | | apply {n} {t} -> each
utility | | apply 1 {t} -> enemy, apply 2 {t}
utility | | apply 3 choose distinct -> runeslinger
utility | | apply 4 choose -> enemy
utility | | apply {big} debilitate -> runeslinger
utility | | remove {n} -> runeslinger
utility | | remove {n} -> each
utility | | convert {n} {t} -> runeslinger
utility | | convert {n} choose -> runeslinger
utility | | draw {n} -> runeslinger
utility | | sear {n} -> runeslinger
utility | | void {n} -> runeslinger
utility | | sear {n} -> each
utility | | draw 1 -> each
utility | | discard {n} -> runeslinger
utility | | discard_random {n} -> runeslinger
utility | | destroy -> card
utility | | destroy -> defence, destroy -> concentration
utility | | barrier {n} -> own
utility | | barrier {n} -> any
utility | | light {n}, extra_set 1
utility | | boost {n} damage, boost pierce_spirit
utility | | boost {n} damage_attack, boost pierce_attack
utility | | boost {n} block, boost {n} damage_spirit
utility | | heal {n} -> each
chant | | trap -> card; when leaves: release
chant | | destroy -> card, damage {n} -> any
"""
SHOUTS = """
bolt | spirit | 1 | 0 | c | shout | damage 5 -> any
lance | spirit | 1 | 0 | c | pierce, shout | damage 6 -> any
counter | utility | 1 | 0 | c | shout | destroy -> runespell
bind | chant | 0 | 3 | c | shout | trap -> card; when leaves: release
ward | utility | 0 | 0 | c | shout | barrier 4 -> own
choice | utility | 1 | 0 | c | shout, choice | bullet destroy -> card; bullet draw 2; bullet apply 2 choose distinct -> enemy
fate | attack | 1 | 0 | c | shout, fate | bullet damage 4 -> enemy hit apply 2 burn; bullet discard 1 -> enemy
hasty | spirit | 0 | 0 | c | shout, distract | damage 3 -> any
sour | trinket | 1 | 2 | c | shout | destroy -> runespell; when sling_spirit: damage 1 -> any
veil | boon | 1 | 4 | c | shout | static block 1; when you_block owned: sear 1 -> enemy
"""


def event_document(seed: int) -> dict[str, Any]:
    """A document with the cards of all EVENTS, their ids beginning with `event_`, and SHOUTS. seed: fixes all random choices.

    Every second document has the ailments and rules of the reference set.
    """
    rng = Random(seed)
    document, plain = random_document(rng), reference_document()
    if seed % 2:
        document["ailment"] = plain["ailment"]
        document["rules"] = plain["rules"]
    document["rules"] |= {"deck_size": DECK_SIZE, "max_copies": COPIES, "max_copies_x": COPIES}
    for hero in document["runeslinger"]:
        hero["inherent"]["per_turn"] = 1
    document["card"] += plain["card"]
    document["card"] += [card_row(f"shout_{line}") for line in SHOUTS.strip().split("\n")]
    document["card"] += [_event(rng, at, line) for at, line in enumerate(EVENTS.strip().split("\n"))]
    document["deck"] = [_deck(document, document["card"], rng, name) for name in ("one", "two")]
    return document


def _event(rng: Random, at: int, line: str) -> dict[str, Any]:
    kind, keywords, text = (cell.strip() for cell in line.split("|"))
    while "{" in text:
        text = text.replace("{n}", str(rng.randint(1, 6)), 1).replace("{big}", str(rng.randint(12, 50)), 1)
        text = text.replace("{t}", rng.choice(TYPES), 1)
    return card_row(f"event_{at} | {kind} | 0 | {4 if kind == 'chant' else 0} | c | {keywords} | {text}")


def _deck(document: dict[str, Any], playable: list[dict[str, Any]], rng: Random, name: str) -> dict[str, Any]:
    """Mostly cards that stay in play or that answer."""
    chosen = [card["id"] for card in playable if card["type"] in DEFENCE_CARDS or "shout" in card.get("keywords", ())]
    others = [card["id"] for card in playable if card["id"] not in chosen]
    copies = rng.sample(chosen * 2, min(DECK_SIZE - 12, 2 * len(chosen)))
    copies += rng.sample(others * 2, DECK_SIZE - len(copies))
    cards = {card: copies.count(card) for card in dict.fromkeys(copies)}
    loadout = {table: rng.choice(document[table])["id"] for table in ("runeslinger", "stance", "ability")}
    return {"id": name, "cards": cards, **loadout}


def shouts_often(document: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The same with decks made of the SHOUTS, four of each."""
    names = [card["id"] for card in document["card"] if card["id"].startswith("shout_")]
    for deck in document["deck"]:
        taken = rng.sample(names * COPIES, DECK_SIZE)
        deck["cards"] = {card: taken.count(card) for card in dict.fromkeys(taken)}
    return document
