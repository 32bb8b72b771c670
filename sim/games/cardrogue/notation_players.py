"""The players of Card Rogue by readable names: character, health, hand, what is worn, points."""

from collections import Counter
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.checks import MODIFIERS_MAX
from sim.games.cardrogue.codes import Slot, Tile
from sim.games.cardrogue.decisions import Step
from sim.games.cardrogue.grid import monster_at, player_at
from sim.games.cardrogue.holding import (
    add_to_hand,
    attack_mod,
    fits,
    is_second_half,
    max_health,
)
from sim.games.cardrogue.labels import DIRECTIONS, SLOT_NAMES, row_and_column
from sim.games.cardrogue.notation_map import cell_at
from sim.games.cardrogue.points import points_of
from sim.games.cardrogue.record import SLOTS
from sim.games.cardrogue.state import NO_CARD, NOBODY, NOTHING, NOWHERE, Down, Points, PutOff

NONE = "none"  # no character yet
OUT = "out"  # instead of a cell: out of the game
AWAY = "away"  # left for a while (ROGUE-115)
DEAD = "dead"  # about to come back
HEALTH_MAX, GOLD_MAX, BONUS_MAX, MOD_MAX, TURNS_MAX, POINTS_MAX = 999, 9999, 999, MODIFIERS_MAX, 200, 99
COPIES_MAX = 96
SCORED = {"chest": Points.CHEST, "debt": Points.DEBT, "exit": Points.EXIT}
PUT_OFF = tuple(word.name.lower() for word in PutOff)
RESUME = {"flip": Step.FLIP, "move": Step.MOVE, "place": Step.DONE}
_RESUMES = {step: word for word, step in RESUME.items()}


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """One seat: what it is and has, and what follows from that (`max_health`, `attack`, `points`)."""
    record, seated = cards.record[0], state["character"][seat] != NOBODY
    words = type_ids(cards)
    return {
        "seat": seat,
        "character": cards.ids[state["character"][seat]] if seated else NONE,
        "at": _where(state, seat),
        "health": int(state["health"][seat]),
        "max_health": int(max_health(state, record, seat)) if seated else 0,
        "attack": int(attack_mod(state, record, seat)) if seated else 0,
        "points": int(points_of(state, record, seat)),
        "gold": int(state["gold"][seat]),
        "hand": [word for card, word in enumerate(words) for _ in range(np.int64(state["hand"][seat, card]))],
        "worn": {
            SLOT_NAMES[slot]: words[state["worn"][seat, slot]]
            for slot in range(SLOTS)
            if state["worn"][seat, slot] != NO_CARD and not is_second_half(state, record, seat, slot)
        },
        **{word: int(state[field][seat]) for word, field in _NUMBERS.items()},
        "scored": {word: int(state["scored"][seat, source]) for word, source in SCORED.items()},
        "heading": DIRECTIONS[state["heading"][seat]],
        "put_off": PUT_OFF[state["put_off"][seat]],
        "resume": _RESUMES[state["resume"][seat]] if state["combat"][seat] else "",
        "back": list(row_and_column(state["away"][seat] - 1)) if state["away"][seat] else [],
    }


_NUMBERS = {  # of a player, by what positions call them
    "bonus": "bonus",
    "potion_attack": "potion_mod",
    "poison": "poison",
    "antidote": "antidote",
    "skip": "skip",
    "cooldown": "cooldown",
}


def _where(state: np.void, seat: int) -> list[int] | str:
    if state["cell"][seat] != NOWHERE:
        return list(row_and_column(state["cell"][seat]))
    return OUT if state["out"][seat] else AWAY if state["away"][seat] else DEAD


def place_players(players: list[Table], cards: CardSet, state: np.void) -> None:
    """Give the seats their characters and all that is theirs; where they stand comes later."""
    taken = set()
    for seat, entry in enumerate(players):
        if entry.whole("seat", 0, len(players) - 1, seat) != seat:
            raise entry.wrong("seat", f"must be {seat}, its place in the list, or be left out")
        word = entry.one_of("character", [*cards.ids, NONE])
        if word in taken:
            raise entry.wrong("character", "sits at the table already; no card is used twice")
        if word != NONE:
            taken.add(word)
            state["character"][seat] = cards.ids.index(word)
        _place_belongings(entry, cards, state, seat)
        _place_body(entry, cards, state, seat)


def _place_belongings(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROGUE-06, 81, 93, 102. Gold, hand and what is worn."""
    record, words = cards.record[0], type_ids(cards)
    state["gold"][seat] = entry.whole("gold", 0, GOLD_MAX, 0)
    for word, count in _hand(entry).items():
        if word not in words:
            raise ValueError(f"{entry.field('hand')} = {shown(word)}: {did_you_mean(word, words)}")
        for _ in range(count):
            add_to_hand(state, seat, words.index(word))
    worn = Table(entry.take("worn", {}), entry.field("worn"))
    for slot, name in enumerate(SLOT_NAMES):
        if worn.has(name):
            _wear(worn, cards, state, seat, slot)
        worn.take(name, None)
    worn.close()
    groups = Counter(
        int(record["cancel_group"][card])
        for card in range(record["types"])
        for _ in range(np.int64(state["hand"][seat, card]))
        if record["cancel_group"][card]
    )
    if any(count > 1 for count in groups.values()):
        raise entry.wrong(
            "hand", "two cards of one cancel_group leave the game at once (ROGUE-102); must be one at most"
        )
    cursed = any(record["cursed"][card] and state["hand"][seat, card] for card in range(record["types"]))
    if cursed and record["discard_cursed"][state["character"][seat]]:
        raise entry.wrong("hand", "this character holds no cursed card (ROGUE-93)")


def _hand(entry: Table) -> Counter[str]:
    """Cards in hand, given as a list of ids or as a table of copies."""
    hand = entry.take("hand", [])
    if isinstance(hand, dict):
        copies = Table(hand, entry.field("hand"))
        return Counter({word: copies.whole(word, 0, COPIES_MAX) for word in hand})
    if not isinstance(hand, list) or not all(isinstance(word, str) for word in hand):
        raise entry.wrong("hand", "must be a list of ids, or a table of how many there are of each")
    if len(hand) > COPIES_MAX:
        raise ValueError(f"{entry.field('hand')}: has {len(hand)} cards; at most {COPIES_MAX} are allowed")
    return Counter(hand)


def _wear(worn: Table, cards: CardSet, state: np.void, seat: int, slot: int) -> None:
    """ROGUE-81, 92. Put a card into a slot, and into the other slots that it fills."""
    record, words, character = cards.record[0], type_ids(cards), int(state["character"][seat])
    name = SLOT_NAMES[slot]
    card = words.index(worn.one_of(name, words))
    slots = int(record["slots"][card])
    if slot == Slot.SECONDARY and card == record["offhand_type"][character] and not (slots >> slot) & 1:
        slots = 1 << slot
    elif not (slots >> slot) & 1:
        fitting = [word for word, bits in zip(words, record["slots"], strict=False) if (int(bits) >> slot) & 1]
        raise worn.wrong(name, f"is not worn there; {did_you_mean(words[card], fitting)}")
    elif not fits(record, character, card):
        raise worn.wrong(name, "needs a slot that this character may not use (ROGUE-92)")
    for other in range(SLOTS):
        if (slots >> other) & 1:
            if state["worn"][seat, other] != NO_CARD:
                raise worn.wrong(name, f"fills the {SLOT_NAMES[other]} slot, which is taken; a slot holds one card")
            state["worn"][seat, other] = card


def _place_body(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Statuses, points and health."""
    record, character = cards.record[0], int(state["character"][seat])
    limits = {"bonus": BONUS_MAX, "antidote": MOD_MAX, "cooldown": int(record["spell_cooldown"][character])}
    for word, field in _NUMBERS.items():
        least = -MOD_MAX if word == "potion_attack" else 0
        state[field][seat] = entry.whole(word, least, limits.get(word, MOD_MAX if least else TURNS_MAX), 0)
    if state["antidote"][seat] and not state["poison"][seat]:
        raise entry.wrong("antidote", "must be 0 without poison (ROGUE-83)")
    scored = Table(entry.take("scored", {}), entry.field("scored"))
    for word, source in SCORED.items():
        state["scored"][seat, source] = scored.whole(word, 0, POINTS_MAX, 0)
    scored.close()
    state["heading"][seat] = DIRECTIONS.index(entry.one_of("heading", DIRECTIONS, DIRECTIONS[0]))
    state["put_off"][seat] = PUT_OFF.index(entry.one_of("put_off", PUT_OFF, PUT_OFF[0]))
    resume = entry.one_of("resume", [*RESUME, ""], "")
    state["resume"][seat] = RESUME.get(resume, Step.DONE)
    if character == NOBODY:
        state["health"][seat] = entry.whole("health", 0, 0, 0)
        for field in ("max_health", "attack", "points"):
            entry.whole(field, 0, 0, 0)
        return
    _place_health(entry, cards, state, seat)


def _place_health(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    record = cards.record[0]
    most = int(max_health(state, record, seat))
    follows = {
        "max_health": most,
        "attack": int(attack_mod(state, record, seat)),
        "points": int(points_of(state, record, seat)),
    }
    for field, value in follows.items():
        if entry.take(field, value) != value:
            raise entry.wrong(field, f"follows from the rest and is {value}; leave it out or make it so")
    state["health"][seat] = entry.whole("health", -HEALTH_MAX, HEALTH_MAX, most)


def stand_players(players: list[Table], cards: CardSet, state: np.void, fresh: bool) -> None:
    """ROGUE-19. Put every player on its cell. fresh: without `at` on the starting tile that the state has for it."""
    starts = state["cell"].copy()
    state["cell"][:] = NOWHERE
    for seat, entry in enumerate(players):
        at = entry.take("at", list(row_and_column(starts[seat]))) if fresh else entry.take("at")
        back = entry.take("back", [])
        if at == OUT:
            state["out"][seat] = 1
        elif at == AWAY:
            state["away"][seat] = 1 + cell_at(back, cards, entry.field("back"))
        elif at != DEAD:
            state["cell"][seat] = _standing(entry, cards, state, at)


def _standing(entry: Table, cards: CardSet, state: np.void, at: object) -> int:
    """Cell of a player: face-up, with nobody else on it."""
    cell = cell_at(at, cards, entry.field("at"))
    if state["down"][cell] != Down.NO:
        raise entry.wrong("at", "is a face-down card; players stand on face-up tiles")
    if monster_at(state, cell) != NOBODY:
        raise entry.wrong("at", "is where an enemy is; a cell holds one player or enemy (ROGUE-19)")
    if state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING:
        raise entry.wrong("at", "is empty; players stand on face-up tiles")
    if player_at(state, cell) != NOBODY:
        raise entry.wrong(
            "at", f"is where seat {player_at(state, cell)} stands; a cell holds one player or enemy (ROGUE-19)"
        )
    return cell
