"""Positions of Riftborn Tactics by readable names, as scenario files write them: written from a state, and read into one.

A creature is a text, `undead_wight, 3 damage, 1 decay, acted`. What is under way is in `pending`: every field of the state
that still matters, unless it has its value of an idle moment. There creatures are `[seat, row, index]`, all from 0 and the
front row first; one that is gone is `[seat]`.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, plain, shown
from sim.engine.cards import CardSet
from sim.games.riftborn.actions import legal_actions
from sim.games.riftborn.cards import ability_word, card_name, ids_of, kind_of, trick_word
from sim.games.riftborn.cards.checks import WITH_FIELD
from sim.games.riftborn.cards.schema import NUMBERED, word_of
from sim.games.riftborn.record import ABILITIES, DECK_MAX, NONE, Ability, Kind, LevelBudget, List, MoraleStart, Trick
from sim.games.riftborn.rules.damage import attack_of, health_of, is_deadly_hurt, rebuild
from sim.games.riftborn.setup import clear_table
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    ARMOURS,
    CREATURES,
    NOBODY,
    OPTIONS_MAX,
    PER_ROW,
    QUEUE,
    ROWS,
    SEATS,
    THE_PLAYER,
    TOKENS_MAX,
    WAITING,
    WEAPONS,
    Aim,
    Blow,
    Gain,
    Harm,
    Phase,
    Reach,
    Step,
    code_of,
    side_of,
)

ROW_WORDS = ("front", "second", "third")


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


def own_name(state: np.void, cards: CardSet, g: int) -> str:
    """Name of a creature, unique on its side: with its place, `Beast Cub (front 2)`, if there are several."""
    return _creature_name(state, cards, g, every_side=False)


def full_name(state: np.void, cards: CardSet, g: int) -> str:
    """Name of a creature, unique on the table: with its seat if both sides have one, with its place if a side has several."""
    return _creature_name(state, cards, g, every_side=True)


def _creature_name(state: np.void, cards: CardSet, g: int, every_side: bool) -> str:
    seat, row, index = spot_of(state, g)
    same = [int(other) // CREATURES for other in np.flatnonzero(state["card"] == state["card"][g])]
    parts = [f"seat {seat + 1}"] if every_side and any(side != seat for side in same) else []
    parts += [f"{ROW_WORDS[row]} {index + 1}"] if same.count(seat) > 1 else []
    return card_name(cards, int(state["card"][g])) + (f" ({', '.join(parts)})" if parts else "")


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of `hand`, `library`, `discard` or `removed` in the order of the state; the top of a library is last."""
    return [int(card) for card in state[pile][seat, : state[f"{pile}_n"][seat]]]


def tricks_of(state: np.void, seat: int) -> list[int]:
    """Codes of the TRICK cards that a player has laid."""
    return [trick for trick in Trick if int(state["tricks"][seat]) >> trick & 1]


def some(count: int, what: str) -> str:
    """A number and a noun in the right form: `1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready")  # both the words and the fields
SWAPS_MAX = 9  # largest X of DASH
X_MAX = 99  # largest X of an ability, granted ones included
FLAGS = {  # field and bit of what is true or false
    "face down": ("face_down", 1),
    "acted": ("acted", 1),
    "entered": ("entered", 1),
    "charm waits": ("charm", WAITING),
    "charmed": ("charm", ACTIVE),
    "pacify waits": ("pacify", WAITING),
    "pacified": ("pacify", ACTIVE),
}
OVER = " over "  # joins a TRANSFORM token and the card set aside under it
MORALES = {f"morale {mode.name.lower()}": mode for mode in MoraleStart}
HARMS = {f"hurt by {harm.name.lower()}": harm for harm in Harm if harm != Harm.NONE}
EARNERS = {f"earned by seat {seat}": 1 + seat for seat in range(SEATS)}
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_ABILITY = re.compile(r"(has|lost) ([A-Za-z ]+?)(?:\((\d{1,2})\))?")
_ABILITIES = {word_of(ability): ability for ability in Ability}


def creature_words(state: np.void, cards: CardSet, g: int) -> str:
    """A creature as text: its card, and all that differs from an unhurt creature at the start of a turn."""
    ids, card, origin = ids_of(cards), int(state["card"][g]), int(state["origin"][g])
    words = [ids[card] if origin in (card, NOBODY) else f"{ids[card]}{OVER}{ids[origin]}"]
    words += [f"{state[field][g]} {field}" for field in COUNTERS if state[field][g]]
    words += _ability_words(state, cards, g)
    if state["morale"][g] != cards.record[0]["morale_start"]:
        words.append(f"morale {MoraleStart(state['morale'][g]).name.lower()}")
    if state["swaps"][g]:
        words.append(some(int(state["swaps"][g]), "swap"))
    words += [flag for flag, (field, bit) in FLAGS.items() if state[field][g] & bit]
    if is_deadly_hurt(state, cards.record[0], g):  # during a blow; otherwise the field may still be that of an earlier one
        words += [word for word, harm in HARMS.items() if state["harm"][g] == harm]
    words += [word for word, earner in EARNERS.items() if state["credit"][g] == earner]
    return ", ".join(words)


def _ability_words(state: np.void, cards: CardSet, g: int) -> list[str]:
    """Abilities of a creature that differ from its card."""
    now = state["ability"][g].astype(int)
    usual = _usual(cards, int(state["card"][g]), int(now[Ability.SWARM]))
    gained = [f"has {ability_word(a, int(now[a]))}" for a in range(ABILITIES) if now[a] and now[a] != usual[a]]
    return gained + [f"lost {ability_word(a, int(usual[a]))}" for a in range(ABILITIES) if usual[a] and not now[a]]


def _usual(cards: CardSet, card: int, swarm: int) -> np.ndarray:
    """Abilities as printed, shape (ABILITIES,); none if SWARM was granted, which replaces them (RIFT-110)."""
    usual = cards.record[0]["ability"][card].astype(int)
    if swarm and not usual[Ability.SWARM]:
        usual[:] = 0
    return usual


@dataclass(frozen=True)
class Place:
    """Where a creature is written: the state, the card set, the creature, and its path in messages."""

    state: np.void
    cards: CardSet
    g: int
    path: str

    def wrong(self, text: object, what: str) -> ValueError:
        """Return the error for a piece of the text."""
        return ValueError(f"{self.path} = {shown(text)}: {what}")


def place_creature(at: Place, text: object) -> None:
    """Write a creature into a state in which it has no tokens. Raises ValueError naming the part that is wrong."""
    if not isinstance(text, str):
        raise at.wrong(text, "must be text: a creature and what it has")
    who, *items = [" ".join(item.split()) for item in text.split(",")]
    card, origin = _cards_of(at, who)
    state, g = at.state, at.g
    state["card"][g], state["origin"][g] = card, origin
    state["morale"][g] = at.cards.record[0]["morale_start"]
    state["ability"][g] = at.cards.record[0]["ability"][card]
    for item in sorted(items, key=lambda item: not plain(item).startswith("has swarm")):
        _place_item(at, item)
    _check_creature(at, text)


def _check_creature(at: Place, text: str) -> None:
    """RIFT-108, 110. Refuse abilities and states that exclude each other."""
    abilities, face_down = at.state["ability"][at.g], bool(at.state["face_down"][at.g])
    others = [word_of(ability) for ability in Ability if abilities[ability] and ability != Ability.SWARM]
    if abilities[Ability.SWARM] and others:
        raise at.wrong(text, f"has {others[0]} together with SWARM; a creature with SWARM has no other ability (RIFT-110)")
    if abilities[Ability.SWARM] and face_down:
        raise at.wrong(text, "is face down with SWARM, which turns it up (RIFT-108)")


def _cards_of(at: Place, who: str) -> tuple[int, int]:
    """Card of a creature, and the card that goes to the discard pile in the end."""
    word, over, below = who.partition(OVER)
    card = _card_of(at, word, (Kind.CREATURE, Kind.TOKEN), "creature or token")
    if over and kind_of(at.cards, card) != Kind.TOKEN:
        raise at.wrong(who, f"{word} is no token; only a token lies over another card (RIFT-111)")
    if over:
        origin = _card_of(at, below, (Kind.CREATURE,), "creature")
        becomes, seen = at.cards.record[0]["transform"], [origin]
        while (after := int(becomes[seen[-1]])) != NONE and after not in seen:
            seen.append(after)
        if card not in seen:
            raise at.wrong(who, f"{below} does not become {word} by TRANSFORM (RIFT-111)")
        return card, origin
    return card, NOBODY if kind_of(at.cards, card) == Kind.TOKEN else card


def _card_of(at: Place, word: str, kinds: tuple[Kind, ...], what: str) -> int:
    known = {id_: card for card, id_ in enumerate(ids_of(at.cards)) if kind_of(at.cards, card) in kinds}
    if word not in known:
        raise at.wrong(word, f"is no {what}; {did_you_mean(word, list(known))}")
    return known[word]


def _place_item(at: Place, item: str) -> None:
    """Write one item of a creature's text."""
    state, g, word = at.state, at.g, item.lower()
    if word in FLAGS:
        field, bit = FLAGS[word]
        state[field][g] |= bit
    elif word in MORALES:
        state["morale"][g] = MORALES[word]
    elif word in HARMS:
        state["harm"][g] = HARMS[word]
    elif word in EARNERS:
        state["credit"][g] = EARNERS[word]
    elif count := _COUNT.fullmatch(word):
        _place_count(at, item, int(count[1]), count[2])
    elif ability := _ABILITY.fullmatch(item):
        _place_ability(at, item, ability)
    else:
        raise at.wrong(item, _known(word))


def _known(word: str) -> str:
    """Message for an unknown item: the most similar one that is known."""
    known = [*FLAGS, *MORALES, *(f"1 {field}" for field in (*COUNTERS, "swap")), "has RANGE(2)", "lost MAGIC"]
    return f"does not describe a creature; {did_you_mean(word, known)}"


def _place_count(at: Place, item: str, count: int, word: str) -> None:
    """Tokens, stored READY and swaps made."""
    if word in ("swap", "swaps"):
        field, most = "swaps", SWAPS_MAX
    elif word in COUNTERS:
        field, most = word, TOKENS_MAX
    else:
        raise at.wrong(item, f"{shown(word)} is no kind of token; {did_you_mean(word, [*COUNTERS, 'swaps'])}")
    if count > most:
        raise at.wrong(item, f"must be at most {most}")
    at.state[field][at.g] = count


def _place_ability(at: Place, item: str, match: re.Match[str]) -> None:
    """RIFT-60, 110. An ability that a creature has in addition to its card, or has lost."""
    word, x = match[2].strip().upper(), match[3]
    if word not in _ABILITIES:
        raise at.wrong(item, f"{word} is no ability; {did_you_mean(word, list(_ABILITIES))}")
    ability, abilities = _ABILITIES[word], at.state["ability"][at.g]
    if match[1] == "lost":
        if ability == Ability.SWARM:
            raise at.wrong(item, "SWARM is never lost (RIFT-110)")
        abilities[ability] = 0
        return
    if (x is None) == (ability in NUMBERED) and ability != Ability.UNDEATH:
        right = f"{word}(2)" if ability in NUMBERED else word
        raise at.wrong(item, f'must be "has {right}", {"with" if ability in NUMBERED else "without"} a number')
    if not 1 <= int(x or 1) <= X_MAX:
        raise at.wrong(item, f"the number of {word} must be 1..{X_MAX}")
    printed = int(at.cards.record[0]["ability"][at.state["card"][at.g], ability])
    if ability in WITH_FIELD and int(x or 1) > printed:
        has = f"only {ability_word(ability, printed)}" if printed else "no such ability"
        raise at.wrong(item, f"no effect grants {word}, and the card has {has}; leave it out (RIFT-60)")
    if ability == Ability.SWARM:
        abilities[:] = 0
    abilities[ability] = int(x or 1)


def free_creature(state: np.void, seat: int) -> int:
    """An unused creature number of a seat, NOBODY if there is none. The last one, because new creatures take the first."""
    free = [g for g in range(seat * CREATURES, (seat + 1) * CREATURES) if state["card"][g] == NOBODY]
    return free[-1] if free else NOBODY


XP_MAX = 1_000_000
DAMAGE_MAX = 60 * DECK_MAX  # least life is minus this
PILES = ("hand", "library", "discard", "removed")


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """A player by readable names. Rows are listed from the front, creatures from left to right, libraries from the top."""
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
        "weapons": [_weapon(state, ids, seat, slot) for slot in range(WEAPONS) if state["weapon"][seat, slot] != NOBODY],
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
    """Current Attack and maximum Health of every creature, `3/4`, by row."""
    record = cards.record[0]
    return [[f"{attack_of(state, record, g)}/{health_of(state, record, g)}" for g in row] for row in formation(state, seat)]


def _weapon(state: np.void, ids: tuple[str, ...], seat: int, slot: int) -> dict[str, Any]:
    """An attached Weapon."""
    card, uses, used = (state[field][seat, slot] for field in ("weapon", "uses", "weapon_used"))
    return {"card": ids[card], "uses": int(uses), "used": bool(used)}


def place_player(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Write a player into a state without creatures. Raises ValueError as `place` does."""
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
    """RIFT-20, 22. Experience, the level that follows from it, and the levels played this turn."""
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
    """Attached cards, given as ids or as tables with `card`."""
    ids, found = ids_of(cards), []
    known = [id_ for card, id_ in enumerate(ids) if kind_of(cards, card) == kind]
    for index, value in enumerate(entry.items(key, most)):
        table = Table({"card": value} if isinstance(value, str) else value, f"{entry.field(key)}[{index}]")
        found.append((ids.index(table.one_of("card", known)), table))
    return found


def _place_piles(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """RIFT-01. Hand, library, discard pile and removed cards; an omitted library is the rest of the deck."""
    ids = ids_of(cards)
    known = {id_: card for card, id_ in enumerate(ids) if kind_of(cards, card) != Kind.TOKEN}
    piles = {pile: [known[word] for word in _words(entry, pile, [*known], "card", DECK_MAX)] for pile in PILES}
    if not entry.has("library"):
        piles["library"] = rest_of_deck(cards, state, seat, [card for pile in piles.values() for card in pile])
    piles["library"].reverse()  # the top card is last
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
    """A player's cards other than tokens, in all places."""
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
    """Read a list of known words. Raises ValueError naming the entry, and the most similar word."""
    words = entry.items(key, most)
    for index, word in enumerate(words):
        if word not in known:
            path = f"{entry.field(key)}[{index}]"
            raise ValueError(f"{path} = {shown(word)}: is no {what}; {did_you_mean(word, known)}")
    return words


def is_spot(value: object) -> bool:
    """Whether a value is the place of a creature: seat, row from the front and index from the left, all from 0."""
    sizes = (SEATS, ROWS, PER_ROW)
    if not isinstance(value, list) or len(value) != len(sizes):
        return False
    return all(is_whole(part, 0, size - 1) for part, size in zip(value, sizes, strict=True))


OPPONENT = "opponent"
IDLE = (Phase.MAIN, Phase.OVER)  # phases without anything in `pending`

_NUMBERS = {  # numeric fields, with their largest value
    **dict.fromkeys(("seat", "list_owner"), SEATS - 1),
    **dict.fromkeys(("cursor", "scry_at", "scry_n"), DECK_MAX),
    **dict.fromkeys(("raged", "siphoned", "excess"), TOKENS_MAX),
    **dict.fromkeys(("free", "answers"), 1),
    **dict.fromkeys(("mulligan", "play_at", "entry", "summon_left"), 9),
    "returned": 2**16 - 1,
    "strike": 2,
    "to_choose": ALL,
}
_CHOICES: dict[str, Any] = {
    **dict.fromkeys(("step", "after_summon", "after_list", "after_tricks"), Step),
    "aim": Aim,
    "reached": Reach,
    "blow": Blow,
    "list": List,
}
_CARDS = ("playing", "entrant", "spell", "summon_card", "list_card")
_SETS = ("chosen", "previous", "givers")
_CREATURES = ("placed", "summoner", "user", "target", "giver", "hurt", "source", "trigger", "subject")
_WAITING = ("trigger", "subject")  # of a TRICK card in the queue

_MULLIGAN = ("seat", "cursor", "mulligan", "returned")
_CHOICE = ("to_choose", "chosen")
_SCRY = ("scry_at", "scry_n")
_PLAY = ("playing", "play_at", "spell", "free")
_SUMMON = ("summoner", "summon_card", "summon_left", "after_summon")
_LIST = ("list_owner", "list_card", "list", "entry", "source", "previous", "after_list")
_TRICKED = ("list_owner", "trigger", "subject")
_MOVE = ("user", "givers")
_ATTACK = ("user", "target", "strike", "answers", "reached")
_BLOW = ("blow", "giver", "hurt", "excess")
_EXCHANGE = ("raged", "siphoned")
_LINKS = {Step.LIST: "after_list", Step.SUMMON: "after_summon", Step.TRICKS: "after_tricks"}
_ATTACKING = frozenset((Step.STRIKE, Step.BLOW, Step.ANSWER, Step.EXCHANGED, Step.SECOND, Step.OPPORTUNITY))


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """What is under way; empty in the main step of a turn and at the end of the game."""
    if state["phase"] in IDLE:
        return {}
    fields = {field: _field_value(state, cards, field) for field in _live(state, cards)}
    fields = {field: value for field, value in fields.items() if value not in (None, 0, []) or field in ("seat", "user")}
    if state["queue_n"] and state["phase"] != Phase.MULLIGAN:
        fields["queue"] = [_waiting(state, place) for place in range(state["queue_n"])]
    return fields


def _live(state: np.void, cards: CardSet) -> list[str]:
    """Fields that still matter; the others hold what is over."""
    phase = Phase(state["phase"])
    if phase == Phase.MULLIGAN:
        return [*_MULLIGAN]
    if phase == Phase.CREATURE:
        return ["user"]
    steps = _ahead(state)
    aim = Aim(state["aim"]) if phase == Phase.TARGET else Aim.NONE
    fields = ["seat", "step"]
    fields += ("aim",) if phase == Phase.TARGET else ()
    fields += _CHOICE if aim == Aim.EFFECT else ()
    fields += ("entrant",) if phase == Phase.PLACE else ()
    fields += _SCRY if phase == Phase.SCRY else ()
    fields += _PLAY if state["playing"] != NOBODY else ()
    creature = state["playing"] != NOBODY and kind_of(cards, int(state["playing"])) == Kind.CREATURE
    fields += ("placed",) if phase != Phase.PLACE and creature else ()
    fields += _SUMMON if Step.SUMMON in steps else ()
    fields += _LIST if Step.LIST in steps else ()
    fields += _TRICKED if phase == Phase.TRICK_FIRE or (Step.LIST in steps and state["list"] != List.MAIN) else ()
    fields += ("after_tricks",) if Step.TRICKS in steps else ()
    fields += _BLOW if aim == Aim.PASS else ()
    if aim == Aim.PASS and state["blow"] == Blow.OPPORTUNITY:
        fields += _MOVE
    elif aim == Aim.PASS:
        fields += (*_ATTACK, *_EXCHANGE)
    elif aim == Aim.RETARGET or _ATTACKING & {*steps}:
        fields += _ATTACK
    elif aim not in (Aim.NONE, Aim.EFFECT):
        fields.append("user")
    return fields


def _ahead(state: np.void) -> list[Step]:
    """The step that follows, and those after it that are already known."""
    steps = [Step(state["step"])]
    while steps[-1] in _LINKS and len(steps) <= len(_LINKS):
        steps.append(Step(state[_LINKS[steps[-1]]]))
    return steps


def _field_value(state: np.void, cards: CardSet, field: str) -> Any:
    """A field by readable names; None to leave it out."""
    value = int(state[field])
    if field in _CHOICES:
        return _CHOICES[field](value).name.lower() if value else None
    if field in _CARDS:
        return None if value == NOBODY else ids_of(cards)[value]
    if field in _SETS:
        return _spots(state, value << CREATURES * int(1 - state["active"]) if field == "givers" else value)
    if field not in _CREATURES or (field == "user" and _wields(state)):
        return value
    return None if value == NOBODY else OPPONENT if value == THE_PLAYER else _spot(state, value)


def _wields(state: np.void) -> bool:
    """Whether `user` is the number of a Weapon, not a creature."""
    return bool(state["phase"] == Phase.TARGET and state["aim"] == Aim.WEAPON)


def _spot(state: np.void, g: int) -> list[int]:
    return list(spot_of(state, g)) if is_here(state, g) else [g // CREATURES]


def _spots(state: np.void, bits: int) -> list[list[int]]:
    """Creatures of a set that are still there, by place."""
    return sorted(_spot(state, g) for g in range(ALL) if bits >> g & 1 and is_here(state, g))


def _waiting(state: np.void, place: int) -> dict[str, Any]:
    """A TRICK card of the queue."""
    creatures = {what: int(state[f"queue_{what}"][place]) for what in _WAITING}
    spots = {what: _spot(state, g) for what, g in creatures.items() if g != NOBODY}
    return {"owner": int(state["queue_owner"][place])} | spots


def write_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write what is under way into a state that has the rest of the position. Raises ValueError as `place` does."""
    phase = Phase(state["phase"])
    state["seat"] = state["active"]
    if phase == Phase.CREATURE:
        state["user"] = _read_creature(table, "user", state, table.take("user"))
    elif phase not in IDLE:
        fields = _MULLIGAN if phase == Phase.MULLIGAN else (*_CHOICES, *_CARDS, *_NUMBERS, *_CREATURES, *_SETS)
        for field in fields:
            if table.has(field):
                state[field] = _read(table, field, cards, state)
            table.take(field, None)
        _write_queue(table, state)
    table.close()


def _read(table: Table, field: str, cards: CardSet, state: np.void) -> int:
    """Inverse of `_field_value`. `aim` is read first, because the meaning of `user` depends on it."""
    if field in _CHOICES:
        words = _CHOICES[field]
        return int(words[table.one_of(field, [word.name.lower() for word in words]).upper()])
    if field in _CARDS:
        return ids_of(cards).index(table.one_of(field, ids_of(cards)))
    if field in _SETS:
        bits = sum({1 << _read_creature(table, field, state, value) for value in table.items(field, ALL)})
        return bits >> CREATURES * int(1 - state["active"]) if field == "givers" else bits
    if field in _NUMBERS:
        return table.whole(field, 0, _NUMBERS[field])
    if field == "user" and _wields(state):
        return table.whole(field, 0, WEAPONS - 1)
    value = table.take(field)
    return THE_PLAYER if field == "target" and value == OPPONENT else _read_creature(table, field, state, value)


def _read_creature(table: Table, field: str, state: np.void, value: object) -> int:
    """A creature by its place, or an unused one by its seat."""
    if isinstance(value, list) and value in [[seat] for seat in range(SEATS)]:
        return free_creature(state, value[0])
    if is_spot(value) and isinstance(value, list) and (g := int(state["grid"][tuple(value)])) != NOBODY:
        return g
    raise table.wrong(field, "must be a creature that is there, [seat, row, index] from 0, or [seat] for one that is gone")


def _write_queue(table: Table, state: np.void) -> None:
    """RIFT-117. TRICK cards of the queue."""
    waiting = table.tables("queue", QUEUE)
    state["queue_n"] = len(waiting)
    for place, entry in enumerate(waiting):
        state["queue_owner"][place] = entry.whole("owner", 0, SEATS - 1)
        for what in _WAITING:
            there = entry.take(what, None)
            state[f"queue_{what}"][place] = NOBODY if there is None else _read_creature(entry, what, state, there)
        entry.close()


PHASES = tuple(phase.name.lower() for phase in Phase if phase != Phase.GOING)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position by readable names; `place` is the inverse."""
    table: dict[str, Any] = {"turn": int(state["turn"]), "phase": PHASES[state["phase"]], "active": int(state["active"])}
    for field in ("first", "winner"):
        if state[field] != NOBODY:
            table[field] = int(state[field])
    players = [player(state, cards, seat) for seat in range(SEATS)]
    return {**table, "players": players, "pending": read_pending(state, cards)}


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which is zeroed before.

    Every field can be left out. The default is the first turn of a new game, seat 0 in its main step, with empty hands and
    nothing in play. Raises ValueError naming the field, its value and what would be right.
    """
    table = Table(position)
    players = _by_seat(table)
    clear_table(state)
    state["phase"] = Phase[table.one_of("phase", PHASES, PHASES[Phase.MAIN]).upper()]
    _place_turn(table, cards, state)
    for seat, entry in enumerate(players):
        place_player(entry, cards, state, seat)
    rebuild(state, cards.record[0])
    _note(cards, state)
    _check(players, cards, state)
    _place_end(table, state)
    write_pending(Table(table.take("pending", {}), "pending"), cards, state)
    for part in (*players, table):
        part.close()
    _check_decision(cards, state)


def _by_seat(table: Table) -> list[Table]:
    """Sort the players by seat; without `seat` they have the order of the list."""
    players = table.tables("players", SEATS) or [Table({}, f"players[{seat}]") for seat in range(SEATS)]
    seated = {entry.whole("seat", 0, SEATS - 1, index): entry for index, entry in enumerate(players)}
    if len(seated) != SEATS:
        raise ValueError(f"players: must be {SEATS} tables, one for each seat; {len(players)} are given")
    return [seated[seat] for seat in range(SEATS)]


def _place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Whose turn it is. Who went first follows from it, because turns alternate (RIFT-10)."""
    state["turn"] = table.whole("turn", 0, int(cards.record[0]["turn_cap"]), 0)
    state["active"] = table.whole("active", 0, SEATS - 1, 0)
    first = int(state["active"]) ^ int(state["turn"]) % SEATS
    begun = state["phase"] != Phase.MULLIGAN
    if table.has("first") and table.whole("first", 0, SEATS - 1) != first:
        raise table.wrong("first", f"follows from turn and active and is {first}; leave it out or make it so (RIFT-10)")
    table.take("first", None)
    state["first"] = first if begun else NOBODY
    for seat in range(SEATS):
        state["own_turns"][seat] = (int(state["turn"]) + SEATS - (seat != first)) // SEATS if begun else 0


def _note(cards: CardSet, state: np.void) -> None:
    """Derive the remaining fields; the outcome counts all experience as coming from turns and cards."""
    state["crediting"] = bool(state["credit"].any() or state["harm"].any())
    for seat in range(SEATS):
        xp = int(state["xp"][seat])
        by_turns = min(xp, int(cards.record[0]["turn_xp"]) * int(state["own_turns"][seat]))
        state["gained"][seat, Gain.TURN] = by_turns
        state["gained"][seat, Gain.PLAY] = xp - by_turns
        state["level_turn"][seat, : state["level"][seat]] = max(1, int(state["own_turns"][seat]))


def _check(players: list[Table], cards: CardSet, state: np.void) -> None:
    """RIFT-70, 130. Refuse lives, creatures and marks that are impossible in this phase."""
    phase = Phase(state["phase"])
    for seat, entry in enumerate(players):
        now = stats(state, cards, seat)
        if entry.take("stats", now) != now:
            raise entry.wrong("stats", f"follow from the rest and are {now}; leave them out or make them so (RIFT-61, 62)")
        if state["life"][seat] <= 0 and phase != Phase.OVER:
            raise entry.wrong("life", 'ends the game at 0 or less; phase must be "over" (RIFT-130)')
        for g in creatures_of(state, seat) if phase in (Phase.MAIN, Phase.CREATURE) else ():
            if state["damage"][g] >= (most := int(health_of(state, cards.record[0], g))):
                who = f"{own_name(state, cards, g)} has {state['damage'][g]} damage and a maximum Health of {most}"
                raise ValueError(f"{entry.field('rows')}: {who}; it would be dead (RIFT-70)")
        for g in creatures_of(state, seat):
            if wrong := _wrong_mark(state, seat, g):
                raise ValueError(f"{entry.field('rows')}: {own_name(state, cards, g)} {wrong}")


def _place_end(table: Table, state: np.void) -> None:
    """RIFT-130. Derive the winner from the lives."""
    over, alive = state["phase"] == Phase.OVER, [seat for seat in range(SEATS) if state["life"][seat] > 0]
    if over and len(alive) == SEATS:
        raise table.wrong("phase", "needs a player with a life of 0 or less (RIFT-130)")
    state["winner"] = alive[0] if over and alive else NOBODY
    if table.take("winner", state["winner"]) != state["winner"]:
        right = "must be left out: no player has won"
        if over and alive:
            right = f"follows from the lives and is {alive[0]}; leave it out or make it so"
        raise table.wrong("winner", f"{right} (RIFT-130)")


def _wrong_mark(state: np.void, seat: int, g: int) -> str:
    """RIFT-11, 16, 73, 82. What is impossible about a creature's marks; empty if nothing is."""
    for field, active in (("charm", "charmed"), ("pacify", "pacified")):
        if state[field][g] & ACTIVE and seat != state["active"]:
            return f'is {active} in the turn of its enemy; must be "{field} waits" (RIFT-11, 16)'
    if state["credit"][g] == 1 + seat:
        return f"is earned by seat {seat}, its own side; only the other side earns by its death (RIFT-73)"
    if (state["credit"][g] or state["harm"][g]) and state["phase"] in (Phase.MAIN, Phase.CREATURE):
        return f'is hurt or earned in phase "{PHASES[state["phase"]]}", where nothing is under way; leave it out (RIFT-73)'
    return ""


def _check_decision(cards: CardSet, state: np.void) -> None:
    """Check that a decision is open; in CREATURE, on a creature of the active player."""
    if state["phase"] == Phase.OVER:
        return
    foreign = state["phase"] == Phase.CREATURE and side_of(int(state["user"])) != state["active"]
    if foreign or legal_actions(state, cards.record[0], np.zeros(OPTIONS_MAX, np.int32)) == 0:
        word = PHASES[state["phase"]]
        raise ValueError(f'phase = "{word}": there is nothing to decide; see pending')
