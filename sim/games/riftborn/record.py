"""The CARDS record of Riftborn Tactics: a card file as numbers, all that the kernels see of it. CARD_FORMAT reads card files.

Most columns derive from the schema (`cards/schema.py`). Also the names of features and cards, and warnings about card files.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import numpy as np

from sim.engine import words
from sim.engine.cardfiles.columns import columns, write_columns
from sim.engine.cards import CardFormat, CardSet
from sim.engine.evaluation import weights_dtype, write_weights
from sim.games.riftborn.ablation import write_things
from sim.games.riftborn.cards import (
    ABILITIES,
    CARDS_MAX,
    DECK_MAX,
    DECKS_MAX,
    ENTRIES,
    LEVELS,
    LISTS,
    NONE,
    PLAYED_MAX,
    Ability,
    Kind,
    Trick,
)
from sim.games.riftborn.cards.schema import (
    NUMBERED,
    WHEN_PLAYED,
    AnyCard,
    Body,
    Deck,
    Effect,
    OnCreatures,
    RiftbornFile,
    Summon,
    Teach,
    known,
    parsed,
    titled,
    word_of,
)
from sim.games.riftborn.evaluation import FEATURES, write_worth

_CARD = (CARDS_MAX,)
_ENTRY = (CARDS_MAX, LISTS, ENTRIES)
_EFFECTS = get_args(get_args(Effect)[0])

CARDS = np.dtype(
    [
        *columns(RiftbornFile),
        *columns(*_EFFECTS, shape=_ENTRY),  # of effect lists: card, List, entry
        ("count", np.int8, _ENTRY),  # number of creatures to choose, 1..5
        ("granted", np.int8, _ENTRY),  # Ability of GRANT and LOSE, NONE
        ("granted_x", np.int8, _ENTRY),  # its X, 1 if it has none
        ("summoned", np.int16, _ENTRY),  # token card of SUMMON, NONE
        # worth of each card in hand, in life points, by the player's level: used by the evaluation only
        ("skills", np.float64, _CARD),  # worth of the abilities of a creature
        ("hand_worth", np.float64, (CARDS_MAX, LEVELS + 1)),
        *weights_dtype(FEATURES),  # of the features, in log-odds
        # cards, in the order of the file
        ("ability", np.int8, (CARDS_MAX, ABILITIES)),  # X, or the number of UNDEATH and TRICK, else 1; 0: none
        ("thing", np.int16, _CARD),  # its index in `ablatable`, NONE for a token
        ("played", np.int8, (CARDS_MAX, PLAYED_MAX)),  # when-played abilities in printed order, NONE
        ("summon", np.int16, _CARD),  # token that SUMMON places, NONE
        ("transform", np.int16, _CARD),  # token that it becomes, NONE
        ("aura_ability", np.int8, _CARD),  # Ability below LENDABLE, NONE
        ("aura_x", np.int8, _CARD),  # its X, 1 if it has none
        # decks: entrants, in the order of the file
        ("deck_size", np.int8, (DECKS_MAX,)),  # 40..60 with the printed rules, at most DECK_MAX
        ("deck", np.uint8, (DECKS_MAX, DECK_MAX)),  # cards, copy by copy in the order of the list
        ("deck_slot", np.int8, (DECKS_MAX, CARDS_MAX)),  # index of a card among the different cards of the list, NONE
    ],
    align=True,
)


def derive(row: np.void, file: RiftbornFile) -> None:
    """Write what the schema does not determine: references by id, abilities, effect lists, and what the evaluation needs."""
    numbers = {card.id: number for number, card in enumerate(file.card)}
    for field in ("played", "summon", "transform", "aura_ability", "granted", "summoned"):
        row[field][: len(file.card)] = NONE
    for number, card in enumerate(file.card):
        _write_card(row, number, card, numbers)
    for number, deck in enumerate(file.deck):
        _write_deck(row, number, deck, numbers)
    write_worth(row)
    write_things(row)
    write_weights(row, REFERENCE.parent, FEATURES)


def _write_card(row: np.void, number: int, card: AnyCard, numbers: dict[str, int]) -> None:
    """Write abilities and references of a card, and its effect lists. Repeated abilities have X 1: the sum is their number."""
    borne = [parsed(text) for text in card.keywords]
    for ability, x in borne:
        row["ability"][number, ability] += x
    played = [ability for ability, _ in borne if ability in WHEN_PLAYED]
    row["played"][number, : len(played)] = played
    if isinstance(card, Body):
        for field in ("summon", "transform"):
            row[field][number] = numbers.get(getattr(card, field), NONE)
        if card.aura.keyword:
            row["aura_ability"][number], row["aura_x"][number] = parsed(card.aura.keyword)
    for list_, entries in card.lists().items():
        for index, entry in enumerate(entries):
            place = (number, list_, index)
            write_columns(row, entry, place)
            if isinstance(entry, OnCreatures) and entry.target == "chosen":
                row["count"][place] = entry.count
            if isinstance(entry, Teach):
                row["granted"][place], row["granted_x"][place] = parsed(entry.keyword)
            elif isinstance(entry, Summon):
                row["summoned"][place] = numbers[entry.token]


def _write_deck(row: np.void, number: int, deck: Deck, numbers: dict[str, int]) -> None:
    """Write one deck, copy by copy in the order of its list."""
    cards = [(numbers[word], copies) for word, copies in deck.cards.copies().items()]
    held = [card for card, copies in cards for _ in range(copies)]
    row["deck_size"][number] = len(held)
    row["deck"][number, : len(held)] = held
    row["deck_slot"][number] = NONE
    for slot, (card, _) in enumerate(cards):
        row["deck_slot"][number, card] = slot


REFERENCE = Path(__file__).with_name("cards.toml")
CARD_FORMAT = CardFormat(RiftbornFile, CARDS, REFERENCE, derive)

_ON_ATTACK = (Ability.BLOCK, Ability.DOUBLE_ATTACK, Ability.MAGIC, Ability.RANGE, Ability.READY, Ability.SIPHON)
_JOINTS = ("on", "with", "own", "opponent")  # words that join names in the text of decisions


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file: what is probably a mistake."""
    document = cards.document["card"]
    return [*_idle_tokens(document), *_idle_spells(document), *_idle_abilities(document)]


def _idle_tokens(cards: list[dict[str, Any]]) -> list[str]:
    """Tokens that no card brings into play."""
    used = {card.get(field) for card in cards for field in ("summon", "transform")}
    used |= {entry.get("token") for card in cards for entry in card.get("effects", ())}
    idle = [card["id"] for card in cards if card["type"] == "token" and card["id"] not in used]
    return [f"card.{word} is never in play: no card summons it or becomes it" for word in idle]


def _idle_spells(cards: list[dict[str, Any]]) -> list[str]:
    """Spells that do nothing but give experience."""
    idle = [
        card["id"]
        for card in cards
        if card["type"] == "spell" and not card.get("effects") and not {*known(card.get("keywords", ()))} & {*WHEN_PLAYED}
    ]
    return [f"card.{word} does nothing but give experience: it has no effects and draws and looks at nothing" for word in idle]


def _idle_abilities(cards: list[dict[str, Any]]) -> list[str]:
    """Attack abilities on creatures that never attack."""
    found = []
    for card in cards:
        borne = known(card.get("keywords", ()))
        idle = ", ".join(word_of(one) for one in borne if one in _ON_ATTACK)
        if idle and Ability.PACIFIST in borne:
            found.append(f"card.{card['id']} never attacks (PACIFIST), so {idle} may do nothing on it")
    return found


@lru_cache(maxsize=16)  # a replay needs names ten thousand times
def ids_of(cards: CardSet) -> tuple[str, ...]:
    """Ids of the cards, in the order of the card file."""
    return tuple(entry["id"] for entry in cards.document["card"])


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> tuple[str, ...]:
    """Display names of the cards, with the id added if the name alone is ambiguous."""
    return words.names_of(cards.document["card"], titled, _JOINTS)


def card_name(cards: CardSet, card: int) -> str:
    """Display name of a card by its row in the card file."""
    return names_of(cards)[card]


def kind_of(cards: CardSet, card: int) -> Kind:
    """Type of a card by its row in the card file."""
    return Kind(cards.record[0]["kind"][card])


def numbers_of(cards: CardSet, *kinds: Kind) -> dict[str, int]:
    """Row in the card file, by id, of the cards of these types."""
    return {id_: card for card, id_ in enumerate(ids_of(cards)) if kind_of(cards, card) in kinds}


def ability_word(ability: int, x: int = 1) -> str:
    """An ability as printed on cards: `RANGE(2)`, `DOUBLE ATTACK`; several UNDEATH as `UNDEATH(2)`."""
    word = word_of(Ability(ability))
    return f"{word}({x})" if ability in NUMBERED or x > 1 else word


def trick_word(trick: int) -> str:
    """Name of a TRICK card by its code."""
    return Trick(trick).name.capitalize()
