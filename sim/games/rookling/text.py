"""Rookling Heroes in words: names, decisions, and pictures of positions. Names are short and unique."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import did_you_mean, plain
from sim.engine.cards import CardSet
from sim.engine.words import counted
from sim.games.rookling.cards import FIELD_EFFECTS_MAX, LINES, NUMBERS, SQUAD, TOKENS, Kind
from sim.games.rookling.rules.attacks import blocker_of, is_open, is_used, left_of, struck_of
from sim.games.rookling.rules.energy import STOP
from sim.games.rookling.setup import ROW_ORDERS
from sim.games.rookling.state import (
    FIELD,
    HAND_MAX,
    NOBODY,
    NOWHERE,
    POSITIONS,
    RESOLVING,
    SEATS,
    Phase,
    energy_on,
    fixed_at,
    hand_of,
    mover,
    order_of,
)

# Names.


PLACES = ("left", "middle", "right")
_JOINTS = frozenset(("on", "with", "for"))  # words that connect names in decisions


def _entries(cards: CardSet, kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = cards.document.get(kind, [])
    return entries


def _told_apart(names: Sequence[str], ids: Sequence[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Names, with the id appended to those that are not unique or could be misread."""
    words, reserved = [plain(name) for name in names], set(taken)
    counts = Counter(words)
    strange = [
        not word or counts[word] > 1 or word in reserved or set("(),") & set(word) or _JOINTS & set(word.split())
        for word in words
    ]
    return tuple(f"{name} ({id_})" if odd else name for name, id_, odd in zip(names, ids, strange, strict=True))


@lru_cache(maxsize=16)  # a replay asks for names ten thousand times
def ids_of(cards: CardSet, kind: str) -> tuple[str, ...]:
    """Ids of the entries of a table of the card file. kind: `rookling`, `token` or `field_effect`."""
    return tuple(entry["id"] for entry in _entries(cards, kind))


@lru_cache(maxsize=16)
def names_of(cards: CardSet, kind: str) -> tuple[str, ...]:
    """Names of the same entries, with the id appended where a name alone would be ambiguous."""
    names = [entry["name"] for entry in _entries(cards, kind)]
    return _told_apart(names, ids_of(cards, kind), energy_words(cards).values() if kind == "field_effect" else ())


@lru_cache(maxsize=16)
def energy_words(cards: CardSet) -> dict[int, str]:
    """Name of every energy card by kind: `red 4`."""
    colours: list[str] = cards.document["energy"]["colours"]
    return {
        colour * NUMBERS + number - 1: f"{word} {number}"
        for colour, word in enumerate(colours)
        for number in range(1, NUMBERS + 1)
    }


def slot_ids(state: np.void, cards: CardSet) -> dict[int, str]:
    """Id of the field effect in every slot in play, with its owner's seat if both players have it (ROOK-02)."""
    return _slots(state, ids_of(cards, "field_effect"), 0)


def card_ids(state: np.void, cards: CardSet) -> dict[int, str]:
    """Words for every kind of card in play, as positions use them: `red 4`, `black_ice`."""
    return energy_words(cards) | {FIELD + slot: word for slot, word in slot_ids(state, cards).items()}


def card_names(state: np.void, cards: CardSet) -> dict[int, str]:
    """Words for every kind of card in play, as decisions and events use them: `red 4`, `Black Ice`."""
    slots = _slots(state, names_of(cards, "field_effect"), 1)
    return energy_words(cards) | {FIELD + slot: word for slot, word in slots.items()}


def _slots(state: np.void, words: tuple[str, ...], first: int) -> dict[int, str]:
    """Words for the field effect in every slot in play. first: number of the first seat, 0 in positions, 1 for people."""
    effects = [int(effect) for effect in state["effect"]]
    return {
        slot: words[effect] + (f" (seat {slot // SQUAD + first})" if effects.count(effect) > 1 else "")
        for slot, effect in enumerate(effects)
        if effect != NOBODY
    }


def rookling_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of a Rookling by seat and roster slot, with its seat if the other player has it too."""
    rookling = state["rook"][seat, slot]
    if rookling == NOBODY:
        return "nobody"
    other = f" (seat {seat + 1})" if rookling in state["rook"][1 - seat] else ""
    return names_of(cards, "rookling")[rookling] + other


def own_name(state: np.void, cards: CardSet, seat: int, position: int) -> str:
    """Name of the Rookling at a position, without its seat; the name of the place if it is empty."""
    slot = int(state["at"][seat, position])
    return PLACES[position] if slot == NOWHERE else names_of(cards, "rookling")[state["rook"][seat, slot]]


def line_names(cards: CardSet, rookling: int) -> tuple[str, ...]:
    """Name of each line of a Rookling in printed order."""
    names = [line["name"] for line in _entries(cards, "rookling")[rookling]["line"]]
    counts = Counter(plain(name) for name in names)
    return tuple(
        name if counts[plain(name)] == 1 and plain(name) else f"{name} (line {index + 1})" for index, name in enumerate(names)
    )


# Decisions and draws.


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One option of the current decision in words, unique among its options."""
    match Phase(state["phase"]):
        case Phase.DRAFT:
            words = f"draft {names_of(cards, 'rookling')[action]}"
        case Phase.ROW:
            rooks = state["rook"][mover(state)]
            words = f"row: {', '.join(names_of(cards, 'rookling')[rooks[slot]] for slot in ROW_ORDERS[action])}"
        case Phase.CLEAR:
            words = _clear(state, cards, action)
        case Phase.ASSIGN:
            words = _assign(state, cards, action)
        case Phase.ACTIVATE:
            words = f"activate {_special(state, cards)}" if action else f"leave {_special(state, cards)} unused"
        case Phase.TARGET:
            words = f"{_special(state, cards)} for {own_name(state, cards, int(mover(state)), action)}"
        case Phase.ATTACK | Phase.DEFEND:
            words = _declare(state, cards, action)
        case phase:
            words = _resolve(state, phase, action)
    return words


def _clear(state: np.void, cards: CardSet, action: int) -> str:
    if action == STOP:
        return "stop clearing"
    slot, card = divmod(action - 1, HAND_MAX)
    seat = int(mover(state))
    who = names_of(cards, "rookling")[state["rook"][seat, slot]]
    return f"clear {who} with {card_names(state, cards)[int(state['hand'][seat, card])]}"


def _assign(state: np.void, cards: CardSet, action: int) -> str:
    if action == STOP:
        return "stop placing"
    position, card = divmod(action - 1, HAND_MAX)
    seat = int(mover(state))
    return f"put {card_names(state, cards)[int(state['hand'][seat, card])]} on {own_name(state, cards, seat, position)}"


def _special(state: np.void, cards: CardSet) -> str:
    """Name of the special line that the decision is about."""
    seat = int(mover(state))
    return line_names(cards, int(state["rook"][seat, state["at"][seat, state["focus"]]]))[state["cursor"]]


def _declare(state: np.void, cards: CardSet, action: int) -> str:
    seat, at = int(mover(state)), int(state["cursor"])
    verb, kind = ("attack", Kind.ATTACK) if state["phase"] == Phase.ATTACK else ("defend", Kind.DEFENCE)
    if action == 0:
        return f"{own_name(state, cards, seat, at)} does not {verb}"
    rook, record = int(state["rook"][seat, state["at"][seat, at]]), cards.record[0]
    chosen = [line for line in range(LINES) if record["kind"][rook, line] == kind and record["place"][rook, line] == action]
    return f"{verb} with {line_names(cards, rook)[chosen[0]]}"


def _resolve(state: np.void, phase: Phase, action: int) -> str:
    """Decisions of D4 and E1b."""
    if phase == Phase.NEXT:
        return f"resolve the {'poison' if state['poison'] else 'attack'} on the {PLACES[action]} first"
    if phase == Phase.SIDE:
        return f"spill to the {'right' if action else 'left'}"
    return f"block with {state['dfn'][blocker_of(state['clash'])]}" if action else "let it through"


def draw(words: str, cards: CardSet) -> int:
    """The number of a scripted draw, see `pick_card`: the kind of an energy card, or a number for a field effect.

    words: "red 4", or the name or id of a field effect; with two sets (`rules.mirror`) also its owner, as in "tunnel (seat 1)".
    Raises ValueError that states what would be right.
    """
    record, tables = cards.record[0], (ids_of(cards, "field_effect"), names_of(cards, "field_effect"))
    effects = {plain(word): FIELD + row for words_of in tables for row, word in enumerate(words_of)}
    known = {plain(word): kind for kind, word in energy_words(cards).items() if record["energy_count"][kind]}
    if not record["mirror"]:
        known |= effects
    else:
        for seat in range(SEATS):
            known |= {f"{word} (seat {seat})": row + FIELD_EFFECTS_MAX * (1 + seat) for word, row in effects.items()}
    if record["mirror"] and plain(words) in effects:
        right = " or ".join(f'"{plain(words)} (seat {seat})"' for seat in range(SEATS))
        raise ValueError(f"is ambiguous, because both players can have it with rules.mirror = true; must be {right} (ROOK-02)")
    if plain(words) not in known:
        raise ValueError(f"is no card; {did_you_mean(plain(words), list(known))}")
    return known[plain(words)]


# The picture of a position.


WIDTH = 100  # columns of a terminal
GAP = "  "  # between two boxes
SPACE = "   "  # between two facts
BOX = (WIDTH - (POSITIONS - 1) * len(GAP)) // POSITIONS
INSIDE = BOX - 4  # characters of a box between its frame and a blank on either side
FULL, EMPTY = "█", "░"
FRONT, SIEGE = "┌─┐│└─┘", "╔═╗║╚═╝"  # frames of the two sides of a card
DOWN, UP = "▼", "▲"
CUT = "…"


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, each Rookling in a box facing the one that it attacks.

    A double frame means siege-state. A box has life, energy, tokens (pending ones in brackets) and fixed tokens of the zone.
    Declared attacks and defences are between the rows. `*` marks the seat that decides.
    """
    upper, lower = (_row(state, cards, seat) for seat in range(SEATS))
    lines = [*_player(state, cards, 0), *upper, *_between(state, cards), *lower, *_player(state, cards, 1)]
    return "\n".join(line.rstrip() for line in [*lines, "", *_table(state, cards)])


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Whose row it is, and the cards of its player."""
    names = card_names(state, cards)
    drafting = state["phase"] == Phase.DRAFT
    turn = "*" if not drafting and state["phase"] != Phase.OVER and mover(state) == seat else " "
    role = "" if drafting else "attacks" if seat == state["attacker"] else "defends"
    hand = ", ".join(counted([names[kind] for kind in sorted(hand_of(state, seat))])) or "empty"
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    pile = counted([names[FIELD + slot] for slot in own for _ in range(state["pile"][slot])])
    parts = [f"hand: {hand}"] + ([f"pile: {', '.join(pile)}"] if pile else [])
    parts += ["draws no cards in this exchange"] if state["skip"][seat] else []
    return _packed(f"{turn} seat {seat + 1}  {role:<7}", parts)


def _row(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """The boxes of a player, side by side."""
    boxes = [(_title(state, cards, seat, slot), _facts(state, cards, seat, at)) for at, slot in enumerate(order_of(state, seat))]
    height = max(len(facts) for _, facts in boxes)
    drawn = []
    for slot, (title, facts) in zip(order_of(state, seat), boxes, strict=True):
        frame = SIEGE if state["life"][seat, slot] == 0 and state["rook"][seat, slot] != NOBODY else FRONT
        drawn.append(_box(title, facts + [""] * (height - len(facts)), frame))
    return [GAP.join(parts) for parts in zip(*drawn, strict=True)]


def _box(title: str, facts: list[str], frame: str) -> list[str]:
    """A framed box with BOX characters in each line."""
    top = f"{frame[0]}{frame[1]} {_cut(title, INSIDE - 2)} "
    lines = [top + frame[1] * (BOX - 1 - len(top)) + frame[2]]
    lines += [f"{frame[3]} {_cut(fact, INSIDE):<{INSIDE}} {frame[3]}" for fact in facts]
    return [*lines, frame[4] + frame[5] * (BOX - 2) + frame[6]]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + CUT


def _title(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    if state["rook"][seat, slot] == NOBODY:
        return "to be drafted"
    siege = " in siege-state" if state["life"][seat, slot] == 0 and state["phase"] != Phase.DRAFT else ""
    return rookling_name(state, cards, seat, slot) + siege


def _facts(state: np.void, cards: CardSet, seat: int, position: int) -> list[str]:
    """The content of a box: life, energy, tokens, and fixed tokens of the zone."""
    slot, names = order_of(state, seat)[position], card_names(state, cards)
    if state["rook"][seat, slot] == NOBODY:
        return [""]
    life = int(state["life"][seat, slot])
    most = max(int(cards.record[0]["heal_cap"]), life)
    cards_on = [names[kind] for kind in energy_on(state, seat, position)]
    room = int(state["capacity"][seat, position]) - len(cards_on)
    spare = [f"room for {room} more"] if cards_on and room > 0 else []
    facts = [f"{FULL * life}{EMPTY * (most - life)} {life}", ", ".join([*cards_on, *spare])]
    bears = _tokens(state, cards, seat, slot)
    facts += textwrap.wrap(", ".join(bears), INSIDE)
    lies = [names[FIELD + effect_slot] for effect_slot in fixed_at(state, seat, position)]
    return facts + ([f"in the zone: {', '.join(lies)}"] if lies else [])


def _tokens(state: np.void, cards: CardSet, seat: int, slot: int) -> list[str]:
    """Names of the tokens under a Rookling: pending ones in brackets, field effects by the names of their cards."""
    names, words = names_of(cards, "token"), card_names(state, cards)
    active = [names[kind] for kind in range(TOKENS) for _ in range(state["tok"][seat, slot, kind])]
    coming = [f"({names[kind]})" for kind in range(TOKENS) for _ in range(state["tok_new"][seat, slot, kind])]
    for effect_slot, count in enumerate(state["fe_tok"][seat, slot]):
        active += [words[FIELD + effect_slot] for _ in range(count)]
    return counted([*active, *coming])


def _between(state: np.void, cards: CardSet) -> list[str]:
    """The bands between the rows: attacks next to the attacker's row, defences next to the defender's."""
    if NOWHERE in state["at"]:
        return [""]
    attacks = [_attack(state, cards, at) for at in range(POSITIONS)]
    defences = [_defence(state, cards, at) for at in range(POSITIONS)]
    bands = [attacks, defences] if state["attacker"] == 0 else [defences, attacks]
    lines = [GAP.join(f"{_cut(words, BOX):^{BOX}}" for words in band) for band in bands if any(band)]
    return lines or [""]


def _attack(state: np.void, cards: CardSet, position: int) -> str:
    """The attack from a position, the line chosen for it before it is declared, or the poison at that position."""
    seat, amount = int(state["attacker"]), int(state["att"][position])
    resolving = Phase(state["phase"]) in RESOLVING
    arrow = DOWN if seat == 0 else UP
    words = _line(state, cards, seat, position)
    if state["poison"]:
        words, arrow = "poison", UP if seat == 0 else DOWN
    if amount == 0:
        return f"{arrow} {words}" if words and not state["defending"] and not resolving else ""
    words = f"{arrow} {amount} {words}".rstrip()
    if not resolving or is_open(state["clash"], position):
        return words
    left = state["phase"] != Phase.NEXT and position == struck_of(state["clash"])
    return f"{words} ({left_of(state['clash'])} left)" if left else f"{words} (resolved)"


def _defence(state: np.void, cards: CardSet, position: int) -> str:
    """The defence at a position, or the line chosen for it before it is declared."""
    seat, amount = 1 - int(state["attacker"]), int(state["dfn"][position])
    words, arrow = _line(state, cards, seat, position), UP if state["attacker"] == 0 else DOWN
    if state["poison"]:
        return ""
    if amount == 0:
        flat = f"{state['cover'][position]} flat " if state["cover"][position] else ""
        return f"{arrow} {flat}{words}".rstrip() if flat or words else ""
    used = Phase(state["phase"]) in RESOLVING and is_used(state["clash"], position)
    return f"{arrow} {amount} {words}".rstrip() + (" (used)" if used else "")


def _line(state: np.void, cards: CardSet, seat: int, position: int) -> str:
    """Name of the attack or defence line in use at a position."""
    line, slot = int(state["line"][seat, position]), state["at"][seat, position]
    return "" if line == NOBODY else line_names(cards, int(state["rook"][seat, slot]))[line]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The exchange, the current decision, the decks and the token cards that are left."""
    phase = Phase(state["phase"])
    over = "over" if state["winner"] == NOBODY else f"over: seat {state['winner'] + 1} wins"
    decision = over if phase == Phase.OVER else f"decision: {phase.name.lower()}{_about(state, phase)}"
    parts = [f"exchange {state['turn'] + (phase != Phase.OVER)}", decision]
    if phase != Phase.DRAFT:
        parts += [f"deck {state['deck_n']}", f"discard pile {state['disc_n']}", *_short(state, cards)]
    return _packed("", parts)


def _short(state: np.void, cards: CardSet) -> list[str]:
    """ROOK-08. Number of token cards left, of each kind that is in use."""
    supply = cards.record[0]["supply"]
    return [
        f"{name} {state['supply'][kind]} of {supply[kind]}"
        for kind, name in enumerate(names_of(cards, "token"))
        if state["supply"][kind] < supply[kind]
    ]


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters with the parts spaced; continuation lines start below the first part."""
    lines = [head]
    for part in parts:
        apart = SPACE if lines[-1].strip() else ""
        if len(lines[-1]) + len(apart) + len(part) > WIDTH and lines[-1].strip():
            lines.append(" " * len(head))
            apart = SPACE if head else ""
        lines[-1] += apart + _cut(part, WIDTH - len(head) - len(apart))
    return lines


def _about(state: np.void, phase: Phase) -> str:
    """The place that the current decision is about, if there is one."""
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return f" ({PLACES[state['cursor']]})"
    if phase in (Phase.ACTIVATE, Phase.TARGET):
        return f" ({PLACES[state['focus']]})"
    return f" ({PLACES[blocker_of(state['clash'])]})" if phase == Phase.BLOCK else ""
