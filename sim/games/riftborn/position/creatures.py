"""Creatures of Riftborn Tactics: where they stand, and each as a text, both ways."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean, plain, shown
from sim.engine.cards import CardSet
from sim.engine.positions import Here
from sim.engine.words import some
from sim.games.riftborn.cards import ABILITIES, NONE, Ability, Kind, MoraleStart, Trick
from sim.games.riftborn.cards.schema import NUMBERED, WITH_FIELD, word_of
from sim.games.riftborn.record import ability_word, ids_of, kind_of, numbers_of
from sim.games.riftborn.rules.damage import is_deadly_hurt
from sim.games.riftborn.rules.effects import UNUSED_MAX
from sim.games.riftborn.state import ACTIVE, ALL, NOBODY, PER_ROW, ROWS, SEATS, TOKENS_MAX, WAITING, Harm, code_of, side_of


def formation(state: np.void, seat: int) -> list[list[int]]:
    """Creatures of a seat by row, from the front, each row from left to right."""
    rows = ([int(g) for g in state["grid"][seat, row, : state["row_len"][seat, row]]] for row in range(ROWS))
    return [row for row in rows if row]


def creatures_of(state: np.void, seat: int) -> list[int]:
    """Creatures of a seat, row by row from the front."""
    return [g for row in formation(state, seat) for g in row]


def is_here(state: np.void, g: int) -> bool:
    """Whether a creature is in a formation."""
    return bool(0 <= g < ALL and state["card"][g] != NOBODY)


def spot_of(state: np.void, g: int) -> tuple[int, int, int]:
    """Seat, row and index of a creature that is in a formation, all from 0."""
    seat = int(side_of(g))
    slot = int(code_of(state, seat, g))
    return seat, slot // PER_ROW, slot % PER_ROW


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of `hand`, `library`, `discard` or `removed` in the order of the state; the top of a library is last."""
    return [int(card) for card in state[pile][seat, : state[f"{pile}_n"][seat]]]


def attached_to(state: np.void, field: str, seat: int) -> list[int]:
    """Cards of `weapon` or `armour`, which lie without gaps."""
    return [int(card) for card in state[field][seat] if card != NOBODY]


def tricks_of(state: np.void, seat: int) -> list[int]:
    """Codes of the TRICK cards that a player has laid."""
    return [trick for trick in Trick if int(state["tricks"][seat]) >> trick & 1]


# Creatures as text.

COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready")  # both the words and the fields
FLAGS = {  # field and bit of what is true or false
    "face down": ("face_down", 1),
    "acted": ("acted", 1),
    "entered": ("entered", 1),
    "charm waits": ("charm", WAITING),
    "charmed": ("charm", ACTIVE),
    "pacify waits": ("pacify", WAITING),
    "pacified": ("pacify", ACTIVE),
}
VALUES = {  # field and value
    **{f"morale {mode.name.lower()}": ("morale", int(mode)) for mode in MoraleStart},
    **{f"hurt by {harm.name.lower()}": ("harm", int(harm)) for harm in Harm if harm != Harm.NONE},
    **{f"earned by seat {seat}": ("credit", 1 + seat) for seat in range(SEATS)},
}
OF_A_CREATURE = {  # largest value of its fields; the least is 0
    **dict.fromkeys(COUNTERS, TOKENS_MAX),
    "damage": 2**15 - 1,  # `destroy` raises it to the maximum Health
    **dict.fromkeys(("face_down", "acted", "entered", "morale"), 1),
    **dict.fromkeys(("charm", "pacify"), WAITING + ACTIVE),
    "swaps": 9,  # X of DASH
    "harm": max(Harm),
    "credit": SEATS,
}
OVER = " over "  # joins a TRANSFORM token and the card set aside under it
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_ABILITY = re.compile(r"(has|lost) ([A-Za-z ]+?)(?:\((\d{1,3})\))?")
_ABILITIES = {word_of(ability): ability for ability in Ability}


def creature_words(state: np.void, cards: CardSet, g: int) -> str:
    """A creature as text: its card, and all that differs from an unhurt creature at the start of a turn."""
    ids, record, card, origin = ids_of(cards), cards.record[0], int(state["card"][g]), int(state["origin"][g])
    swarm = int(state["ability"][g, Ability.SWARM])
    now, usual = state["ability"][g].tolist(), _usual(cards, card, swarm)
    told = {field: word for word, (field, value) in VALUES.items() if state[field][g] == value}
    if state["morale"][g] == record["morale_start"]:
        del told["morale"]
    if not is_deadly_hurt(state, record, g):  # the field may still be that of an earlier blow
        told.pop("harm", None)
    return ", ".join(
        [
            ids[card] if origin in (card, NOBODY) else f"{ids[card]}{OVER}{ids[origin]}",
            *(f"{state[field][g]} {field}" for field in COUNTERS if state[field][g]),
            *(f"has {ability_word(a, now[a])}" for a in range(ABILITIES) if now[a] and now[a] != usual[a]),
            *(f"lost {ability_word(a, usual[a])}" for a in range(ABILITIES) if usual[a] and not now[a]),
            *([told["morale"]] if "morale" in told else []),
            *([some(int(state["swaps"][g]), "swap")] if state["swaps"][g] else []),
            *(flag for flag, (field, bit) in FLAGS.items() if state[field][g] & bit),
            *(told[field] for field in ("harm", "credit") if field in told),
        ]
    )


def _usual(cards: CardSet, card: int, swarm: int) -> list[int]:
    """Abilities as printed; none if SWARM was granted, which replaces them (RIFT-110)."""
    usual: list[int] = cards.record[0]["ability"][card].tolist()
    return [0] * ABILITIES if swarm and not usual[Ability.SWARM] else usual


@dataclass(frozen=True)
class Place(Here):
    """Where a creature is written, with its path in messages."""

    path: str = ""

    def wrong(self, text: object, what: str) -> ValueError:
        """Return the error for a piece of the text."""
        return ValueError(f"{self.path} = {shown(text)}: {what}")

    def put(self, field: str, value: Any) -> None:
        """Write a field of the creature."""
        self.state[field][self.at] = value

    def card_of(self, word: str, kinds: tuple[Kind, ...], what: str) -> int:
        """Return a card by its id."""
        known = numbers_of(self.cards, *kinds)
        if word not in known:
            raise self.wrong(word, f"is no {what}; {did_you_mean(word, list(known))}")
        return known[word]


def write_creature(at: Place, text: object) -> None:
    """Write a creature into a state in which it has no tokens."""
    if not isinstance(text, str):
        raise at.wrong(text, "must be text: a creature and what it has")
    who, *items = [" ".join(item.split()) for item in text.split(",")]
    card, origin = _cards_of(at, who)
    at.put("card", card)
    at.put("origin", origin)
    at.put("morale", at.card("morale_start"))
    at.put("ability", at.cards.record[0]["ability"][card])
    for item in sorted(items, key=lambda item: not plain(item).startswith("has swarm")):
        _write_item(at, item)


def _cards_of(at: Place, who: str) -> tuple[int, int]:
    """Card of a creature, and the card that goes to the discard pile in the end."""
    word, over, below = who.partition(OVER)
    card = at.card_of(word, (Kind.CREATURE, Kind.TOKEN), "creature or token")
    if not over:
        return card, NOBODY if kind_of(at.cards, card) == Kind.TOKEN else card
    if kind_of(at.cards, card) != Kind.TOKEN:
        raise at.wrong(who, f"{word} is no token; only a token lies over another card (RIFT-111)")
    origin = at.card_of(below, (Kind.CREATURE,), "creature")
    seen = [origin]
    while (after := at.card("transform", seen[-1])) != NONE and after not in seen:
        seen.append(after)
    if card not in seen:
        raise at.wrong(who, f"{below} does not become {word} by TRANSFORM (RIFT-111)")
    return card, origin


def _write_item(at: Place, item: str) -> None:
    """Write one item of a creature's text."""
    word = item.lower()
    if word in FLAGS:
        field, bit = FLAGS[word]
        at.put(field, at.number(field) | bit)
    elif word in VALUES:
        at.put(*VALUES[word])
    elif count := _COUNT.fullmatch(word):
        field = "swaps" if count[2] == "swap" else count[2]
        if field not in (*COUNTERS, "swaps"):
            raise at.wrong(item, f"{shown(count[2])} is no kind of token; {did_you_mean(field, [*COUNTERS, 'swaps'])}")
        if int(count[1]) > OF_A_CREATURE[field]:
            raise at.wrong(item, f"must be at most {OF_A_CREATURE[field]}")
        at.put(field, int(count[1]))
    elif ability := _ABILITY.fullmatch(item):
        _write_ability(at, item, *ability.groups())
    else:
        known = [*FLAGS, *VALUES, *(f"1 {field}" for field in (*COUNTERS, "swap")), "has RANGE(2)", "lost MAGIC"]
        raise at.wrong(item, f"does not describe a creature; {did_you_mean(word, known)}")


def _write_ability(at: Place, item: str, how: str, word: str, x: str | None) -> None:
    """RIFT-60, 110. An ability that a creature has in addition to its card, or has lost."""
    word = word.strip().upper()
    if word not in _ABILITIES:
        raise at.wrong(item, f"{word} is no ability; {did_you_mean(word, list(_ABILITIES))}")
    ability, abilities = _ABILITIES[word], at.state["ability"][at.at]
    if how == "lost":
        if ability == Ability.SWARM:
            raise at.wrong(item, "SWARM is never lost (RIFT-110)")
        abilities[ability] = 0
        return
    if (x is None) == (ability in NUMBERED) and ability != Ability.UNDEATH:
        right = f"{word}(2)" if ability in NUMBERED else word
        raise at.wrong(item, f'must be "has {right}", {"with" if ability in NUMBERED else "without"} a number')
    if not 1 <= int(x or 1) <= UNUSED_MAX:
        raise at.wrong(item, f"the number of {word} must be 1..{UNUSED_MAX}")
    printed = at.card("ability", at.number("card"), ability)
    if ability in WITH_FIELD and int(x or 1) > printed:
        has = f"only {ability_word(ability, printed)}" if printed else "no such ability"
        raise at.wrong(item, f"no effect grants {word}, and the card has {has}; leave it out (RIFT-60)")
    if ability == Ability.SWARM:
        abilities[:] = 0
    abilities[ability] = int(x or 1)
