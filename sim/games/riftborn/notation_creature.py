"""A creature of Riftborn Tactics in words, as positions have it: `undead_wight, 3 damage, 1 decay, acted`."""

import re
from dataclasses import dataclass

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import plain
from sim.games.riftborn.cards import ability_word, ids_of, kind_of
from sim.games.riftborn.checks import WITH_FIELD
from sim.games.riftborn.keywords import NUMBERED, word_of
from sim.games.riftborn.labels import some
from sim.games.riftborn.record import ABILITIES, NONE, Ability, Kind
from sim.games.riftborn.state import ACTIVE, CREATURES, NOBODY, SEATS, TOKENS_MAX, WAITING
from sim.games.riftborn.stats import is_deadly_hurt
from sim.games.riftborn.switches import MoraleStart
from sim.games.riftborn.terms import Harm

COUNTERS = ("damage", "rage", "health", "shield", "weakness", "decay", "ready")  # words, and fields of the state
SWAPS_MAX = 9  # largest X of DASH
X_MAX = 99  # of an ability, granted ones added
FLAGS = {  # what is so or not: field and bit
    "face down": ("face_down", 1),
    "acted": ("acted", 1),
    "entered": ("entered", 1),
    "charm waits": ("charm", WAITING),
    "charmed": ("charm", ACTIVE),
    "pacify waits": ("pacify", WAITING),
    "pacified": ("pacify", ACTIVE),
}
OVER = " over "  # a TRANSFORM token over the card that was set aside
MORALES = {f"morale {mode.name.lower()}": mode for mode in MoraleStart}
HARMS = {f"hurt by {harm.name.lower()}": harm for harm in Harm if harm != Harm.NONE}
EARNERS = {f"earned by seat {seat}": 1 + seat for seat in range(SEATS)}
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_ABILITY = re.compile(r"(has|lost) ([A-Za-z ]+?)(?:\((\d{1,2})\))?")
_ABILITIES = {word_of(ability): ability for ability in Ability}


def creature_words(state: np.void, cards: CardSet, g: int) -> str:
    """A creature with all that is not as when it has just stood there for a turn, fresh and unhurt."""
    ids, card, origin = ids_of(cards), int(state["card"][g]), int(state["origin"][g])
    words = [ids[card] if origin in (card, NOBODY) else f"{ids[card]}{OVER}{ids[origin]}"]
    words += [f"{state[field][g]} {field}" for field in COUNTERS if state[field][g]]
    words += _ability_words(state, cards, g)
    if state["morale"][g] != cards.record[0]["morale_start"]:
        words.append(f"morale {MoraleStart(state['morale'][g]).name.lower()}")
    if state["swaps"][g]:
        words.append(some(int(state["swaps"][g]), "swap"))
    words += [flag for flag, (field, bit) in FLAGS.items() if state[field][g] & bit]
    if is_deadly_hurt(state, cards.record[0], g):  # in the middle of a blow; otherwise the field may be of an older one
        words += [word for word, harm in HARMS.items() if state["harm"][g] == harm]
    words += [word for word, earner in EARNERS.items() if state["credit"][g] == earner]
    return ", ".join(words)


def _ability_words(state: np.void, cards: CardSet, g: int) -> list[str]:
    """Abilities that a creature has otherwise than its card says."""
    now = state["ability"][g].astype(int)
    usual = _usual(cards, int(state["card"][g]), int(now[Ability.SWARM]))
    gained = [f"has {ability_word(a, int(now[a]))}" for a in range(ABILITIES) if now[a] and now[a] != usual[a]]
    return gained + [f"lost {ability_word(a, int(usual[a]))}" for a in range(ABILITIES) if usual[a] and not now[a]]


def _usual(cards: CardSet, card: int, swarm: int) -> np.ndarray:
    """Abilities as printed, shape (ABILITIES,); with a SWARM that was granted it alone (RIFT-110)."""
    usual = cards.record[0]["ability"][card].astype(int)
    if swarm and not usual[Ability.SWARM]:
        usual[:] = 0
    return usual


@dataclass(frozen=True)
class Place:
    """Where a creature is written: the state, its cards, the creature, and how messages call it."""

    state: np.void
    cards: CardSet
    g: int
    path: str

    def wrong(self, text: object, what: str) -> ValueError:
        """Return the error for a piece of the text."""
        return ValueError(f"{self.path} = {shown(text)}: {what}")


def place_creature(at: Place, text: object) -> None:
    """Write a creature into a state whose tokens are 0. Raises ValueError naming the piece that cannot be."""
    if not isinstance(text, str):
        raise at.wrong(text, "must be text, a creature with what it bears")
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
    """RIFT-108, 110. What a creature cannot be at the same time."""
    abilities, face_down = at.state["ability"][at.g], bool(at.state["face_down"][at.g])
    others = [word_of(ability) for ability in Ability if abilities[ability] and ability != Ability.SWARM]
    if abilities[Ability.SWARM] and others:
        raise at.wrong(text, f"has {others[0]} beside SWARM; a creature with SWARM has no other ability (RIFT-110)")
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
    """Write one thing that is said of a creature."""
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
    """What may be said of a creature, the nearest of it first."""
    known = [*FLAGS, *MORALES, *(f"1 {field}" for field in (*COUNTERS, "swap")), "has RANGE(2)", "lost MAGIC"]
    return f"says nothing of a creature; {did_you_mean(word, known)}"


def _place_count(at: Place, item: str, count: int, word: str) -> None:
    """Tokens, stored READY and swaps made."""
    if word in ("swap", "swaps"):
        field, most = "swaps", SWAPS_MAX
    elif word in COUNTERS:
        field, most = word, TOKENS_MAX
    else:
        raise at.wrong(item, f"{shown(word)} are no tokens; {did_you_mean(word, [*COUNTERS, 'swaps'])}")
    if count > most:
        raise at.wrong(item, f"must be at most {most}")
    at.state[field][at.g] = count


def _place_ability(at: Place, item: str, said: re.Match[str]) -> None:
    """RIFT-60, 110. An ability that a creature has besides those of its card, or has lost."""
    word, x = said[2].strip().upper(), said[3]
    if word not in _ABILITIES:
        raise at.wrong(item, f"{word} is no ability; {did_you_mean(word, list(_ABILITIES))}")
    ability, abilities = _ABILITIES[word], at.state["ability"][at.g]
    if said[1] == "lost":
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
    """A creature number of a seat at which nobody is; NOBODY where all are taken. The last, for new ones take the first."""
    free = [g for g in range(seat * CREATURES, (seat + 1) * CREATURES) if state["card"][g] == NOBODY]
    return free[-1] if free else NOBODY
