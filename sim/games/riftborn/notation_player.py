"""A player of Riftborn Tactics by readable names: life and experience, formation, cards, Weapons, Armour, tricks."""

from collections import Counter
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table, is_whole
from sim.games.riftborn.cards import ids_of, kind_of, trick_word
from sim.games.riftborn.labels import formation, pile_of, tricks_of
from sim.games.riftborn.notation_creature import Place, creature_words, place_creature
from sim.games.riftborn.record import DECK_MAX, NONE, Kind, Trick
from sim.games.riftborn.state import ARMOURS, CREATURES, NOBODY, PER_ROW, ROWS, SEATS, WEAPONS
from sim.games.riftborn.stats import attack_of, health_of
from sim.games.riftborn.switches import LevelBudget

XP_MAX = 1_000_000
DAMAGE_MAX = 60 * DECK_MAX  # below a life of 0
PILES = ("hand", "library", "discard", "removed")


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """All there is to say of a player. Rows are from the front, each from left to right; libraries have the top first."""
    ids = ids_of(cards)
    piles = {pile: [ids[card] for card in pile_of(state, pile, seat)] for pile in PILES}
    return {
        "seat": seat,
        "deck": cards.ids[state["deck"][seat]],
        "life": int(state["life"][seat]),
        "xp": int(state["xp"][seat]),
        "level": int(state["level"][seat]),
        "start_level": int(state["start_level"][seat]),
        "used_levels": int(state["used_levels"][seat]),
        "rows": [[creature_words(state, cards, g) for g in row] for row in formation(state, seat)],
        "stats": stats(state, cards, seat),
        "weapons": [
            _weapon(state, ids, seat, slot) for slot in range(WEAPONS) if state["weapon"][seat, slot] != NOBODY
        ],
        "armour": [
            {"card": ids[state["armour"][seat, slot]], "points": int(state["points"][seat, slot])}
            for slot in range(ARMOURS)
            if state["armour"][seat, slot] != NOBODY
        ],
        "tricks": [trick_word(trick).lower() for trick in tricks_of(state, seat)],
        **piles | {"library": piles["library"][::-1]},
        "known_own": int(state["known_own"][seat]),
        "known_other": int(state["known_other"][seat]),
    }


def stats(state: np.void, cards: CardSet, seat: int) -> list[list[str]]:
    """Attack and maximum Health of every creature as they are now, `3/4`, by row."""
    record = cards.record[0]
    return [
        [f"{attack_of(state, record, g)}/{health_of(state, record, g)}" for g in row] for row in formation(state, seat)
    ]


def _weapon(state: np.void, ids: tuple[str, ...], seat: int, slot: int) -> dict[str, Any]:
    """An attached Weapon."""
    card, uses, used = (state[field][seat, slot] for field in ("weapon", "uses", "weapon_used"))
    return {"card": ids[card], "uses": int(uses), "used": bool(used)}


def place_player(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Write a player into a state in which nobody is anywhere yet. Raises ValueError as `place`."""
    record = cards.record[0]
    deck = entry.one_of("deck", cards.ids, cards.ids[min(seat, len(cards.ids) - 1)])
    state["deck"][seat] = cards.ids.index(deck)
    state["life"][seat] = entry.whole("life", -DAMAGE_MAX, int(record["start_life"]), int(record["start_life"]))
    _place_experience(entry, cards, state, seat)
    _place_rows(entry, cards, state, seat)
    _place_weapons(entry, cards, state, seat)
    _place_armour(entry, cards, state, seat)
    for word in _words(entry, "tricks", [trick.name.lower() for trick in Trick], "TRICK card", len(Trick)):
        if state["tricks"][seat] >> Trick[word.upper()] & 1:
            raise entry.wrong("tricks", f"has {word} twice; a player has laid each TRICK card once at most (RIFT-115)")
        state["tricks"][seat] |= 1 << Trick[word.upper()]
    _place_piles(entry, cards, state, seat)


def _place_experience(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-20, 22. Experience, the level that follows from it, and what was played this turn."""
    state["xp"][seat] = entry.whole("xp", 0, XP_MAX, 0)
    level = int((cards.record[0]["level_xp"] <= state["xp"][seat]).sum())
    if entry.whole("level", 1, 20, level) != level:
        raise entry.wrong("level", f"follows from xp and is {level}; leave it out or make it so (RIFT-20)")
    state["level"][seat] = level
    state["start_level"][seat] = entry.whole("start_level", 1, level, level)
    snapshot = cards.record[0]["level_budget"] == LevelBudget.SNAPSHOT
    most = int(state["start_level" if snapshot else "level"][seat])
    state["used_levels"][seat] = entry.whole("used_levels", 0, most, 0)


def _place_rows(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-30 to 32. The formation; creatures are numbered in the order in which they are written."""
    record, rows, g = cards.record[0], entry.items("rows", int(cards.record[0]["max_rows"])), seat * CREATURES
    for row, words in enumerate(rows):
        most = int(record["max_per_row"])
        if not isinstance(words, list) or not 1 <= len(words) <= most:
            raise ValueError(f"{entry.field('rows')}[{row}] = {shown(words)}: must be a list of 1 to {most} creatures")
        for index, text in enumerate(words):
            place_creature(Place(state, cards, g, f"{entry.field('rows')}[{row}][{index}]"), text)
            state["grid"][seat, row, index] = g
            g += 1
        state["row_len"][seat, row] = len(words)


def _place_weapons(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-52, 53. Attached Weapons, oldest first."""
    for slot, (card, table) in enumerate(_attached(entry, "weapons", WEAPONS, cards, Kind.WEAPON)):
        state["weapon"][seat, slot] = card
        printed = int(cards.record[0]["health"][card])
        state["uses"][seat, slot] = table.whole("uses", 1, printed, printed)
        state["weapon_used"][seat, slot] = table.flag("used", False)
        table.close()


def _place_armour(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-51, 53. Attached Armours, oldest first."""
    for slot, (card, table) in enumerate(_attached(entry, "armour", ARMOURS, cards, Kind.ARMOUR)):
        state["armour"][seat, slot] = card
        printed = int(cards.record[0]["health"][card])
        state["points"][seat, slot] = table.whole("points", 1, printed, printed)
        table.close()


def _attached(entry: Table, key: str, most: int, cards: CardSet, kind: Kind) -> list[tuple[int, Table]]:
    """Cards beside a player, as ids or as tables with `card`."""
    ids, found = ids_of(cards), []
    known = [id_ for card, id_ in enumerate(ids) if kind_of(cards, card) == kind]
    for index, value in enumerate(entry.items(key, most)):
        table = Table({"card": value} if isinstance(value, str) else value, f"{entry.field(key)}[{index}]")
        found.append((ids.index(table.one_of("card", known)), table))
    return found


def _place_piles(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-01. Hand, library, discard pile and removed cards; a library not given is what is left of the deck."""
    ids = ids_of(cards)
    known = {id_: card for card, id_ in enumerate(ids) if kind_of(cards, card) != Kind.TOKEN}
    piles = {pile: [known[word] for word in _words(entry, pile, [*known], "card", DECK_MAX)] for pile in PILES}
    if not entry.has("library"):
        piles["library"] = rest_of_deck(cards, state, seat, [card for pile in piles.values() for card in pile])
    piles["library"].reverse()  # the top one is last
    for pile, found in piles.items():
        state[pile][seat, : len(found)] = found
        state[f"{pile}_n"][seat] = len(found)
    whole = len(belongings(state, seat))
    if whole > DECK_MAX:
        raise entry.wrong("deck", f"has {whole} cards in all places together; must be at most {DECK_MAX}")
    slots = cards.record[0]["deck_slot"][state["deck"][seat]]
    for card in piles["hand"]:
        if slots[card] != NONE:
            state["held"][seat, slots[card]] += 1
    for field in ("known_own", "known_other"):
        state[field][seat] = entry.whole(field, 0, len(piles["library"]), 0)


def belongings(state: np.void, seat: int) -> list[int]:
    """Cards of a player's deck, wherever they are."""
    here = slice(seat * CREATURES, (seat + 1) * CREATURES)
    found = [*state["origin"][here].tolist(), *state["weapon"][seat].tolist(), *state["armour"][seat].tolist()]
    return [card for card in found if card != NOBODY] + [card for pile in PILES for card in pile_of(state, pile, seat)]


def rest_of_deck(cards: CardSet, state: np.void, seat: int, named: list[int]) -> list[int]:
    """Cards of the deck that are in no other place, in the order of its list. named: those in hand and piles."""
    record, deck = cards.record[0], state["deck"][seat]
    elsewhere = Counter([*named, *belongings(state, seat)])
    rest = []
    for card in record["deck"][deck, : record["deck_size"][deck]].tolist():
        if elsewhere[card] > 0:
            elsewhere[card] -= 1
        else:
            rest.append(card)
    return rest


def _words(entry: Table, key: str, known: list[str], what: str, most: int) -> list[str]:
    """Return a list of words that are known. Raises ValueError naming the entry, and the nearest word."""
    words = entry.items(key, most)
    for index, word in enumerate(words):
        if word not in known:
            path = f"{entry.field(key)}[{index}]"
            raise ValueError(f"{path} = {shown(word)}: is no {what}; {did_you_mean(word, known)}")
    return words


def is_spot(value: object) -> bool:
    """Whether a value is a place of a creature: seat, row from the front and index from the left, all from 0."""
    return (
        isinstance(value, list)
        and len(value) == len(_SPOT)
        and all(is_whole(part, 0, most - 1) for part, most in zip(value, _SPOT, strict=True))
    )


_SPOT = (SEATS, ROWS, PER_ROW)
