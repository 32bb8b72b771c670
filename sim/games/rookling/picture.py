"""Rookling Heroes drawn as text: two rows that face each other, what they hold and bear, and what flies between them."""

import textwrap

import numpy as np

from sim.engine.cards import CardSet
from sim.games.rookling.clash import blocker_of, is_open, is_used, left_of, struck_of
from sim.games.rookling.labels import (
    PLACES,
    card_names,
    counted,
    energy_on,
    fixed_at,
    hand_of,
    line_names,
    names_of,
    order_of,
    rookling_name,
)
from sim.games.rookling.record import SQUAD, TOKENS
from sim.games.rookling.state import FIELD, NOBODY, NOWHERE, POSITIONS, RESOLVING, SEATS, Phase, mover

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

    A double frame is siege-state. In a box: life, energy, tokens (those in brackets act from the next exchange), and what
    lies in the zone. Between the boxes are the attacks and defences declared. `*` marks whose decision it is.
    """
    upper, lower = (_row(state, cards, seat) for seat in range(SEATS))
    lines = [*_player(state, cards, 0), *upper, *_between(state, cards), *lower, *_player(state, cards, 1)]
    return "\n".join(line.rstrip() for line in [*lines, "", *_table(state, cards)])


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Whose row it is, and the cards of its player."""
    names = card_names(state, cards)
    turn = "*" if _decides(state, seat) else " "
    drafting = state["phase"] == Phase.DRAFT
    role = "" if drafting else "attacks" if seat == state["attacker"] else "defends"
    hand = ", ".join(counted([names[kind] for kind in sorted(hand_of(state, seat))])) or "empty"
    own = range(seat * SQUAD, (seat + 1) * SQUAD)
    pile = counted([names[FIELD + slot] for slot in own for _ in range(state["pile"][slot])])
    parts = [f"hand: {hand}"] + ([f"pile: {', '.join(pile)}"] if pile else [])
    parts += ["draws no cards in this exchange"] if state["skip"][seat] else []
    return _packed(f"{turn} seat {seat + 1}  {role:<7}", parts)


def _decides(state: np.void, seat: int) -> bool:
    if state["phase"] in (Phase.OVER, Phase.DRAFT):
        return False
    return bool(mover(state) == seat)


def _row(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """The boxes of a player side by side."""
    boxes = [
        (_title(state, cards, seat, slot), _facts(state, cards, seat, at))
        for at, slot in enumerate(order_of(state, seat))
    ]
    height = max(len(facts) for _, facts in boxes)
    drawn = []
    for slot, (title, facts) in zip(order_of(state, seat), boxes, strict=True):
        frame = SIEGE if state["life"][seat, slot] == 0 and state["rook"][seat, slot] != NOBODY else FRONT
        drawn.append(_box(title, facts + [""] * (height - len(facts)), frame))
    return [GAP.join(parts) for parts in zip(*drawn, strict=True)]


def _box(title: str, facts: list[str], frame: str) -> list[str]:
    """A framed box of BOX characters a line."""
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
    """What is in a box: life, energy, tokens, and what lies in the zone."""
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
    """Names of the tokens under a Rookling; those that do not act yet in brackets, field effects by their own names."""
    names, words = names_of(cards, "token"), card_names(state, cards)
    active = [names[kind] for kind in range(TOKENS) for _ in range(state["tok"][seat, slot, kind])]
    coming = [f"({names[kind]})" for kind in range(TOKENS) for _ in range(state["tok_new"][seat, slot, kind])]
    for effect_slot, count in enumerate(state["fe_tok"][seat, slot]):
        active += [words[FIELD + effect_slot] for _ in range(count)]
    return counted([*active, *coming])


def _between(state: np.void, cards: CardSet) -> list[str]:
    """What flies between the rows: attacks beside the attacker's, defences beside the defender's."""
    if NOWHERE in state["at"]:
        return [""]
    attacks = [_attack(state, cards, at) for at in range(POSITIONS)]
    defences = [_defence(state, cards, at) for at in range(POSITIONS)]
    bands = [attacks, defences] if state["attacker"] == 0 else [defences, attacks]
    lines = [GAP.join(f"{_cut(words, BOX):^{BOX}}" for words in band) for band in bands if any(band)]
    return lines or [""]


def _attack(state: np.void, cards: CardSet, position: int) -> str:
    """The attack from a position, the line chosen for it before it is declared, or the poison that strikes there."""
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
    """The exchange, the decision at hand, the decks and what is left of the token cards."""
    phase = Phase(state["phase"])
    over = "over" if state["winner"] == NOBODY else f"over: seat {state['winner'] + 1} wins"
    decision = over if phase == Phase.OVER else f"decision: {phase.name.lower()}{_about(state, phase)}"
    parts = [f"exchange {state['turn'] + (phase != Phase.OVER)}", decision]
    if phase != Phase.DRAFT:
        parts += [f"deck {state['deck_n']}", f"discard pile {state['disc_n']}", *_short(state, cards)]
    return _packed("", parts)


def _short(state: np.void, cards: CardSet) -> list[str]:
    """ROOK-08. Token cards of which some are out: how many are left."""
    supply = cards.record[0]["supply"]
    return [
        f"{name} {state['supply'][kind]} of {supply[kind]}"
        for kind, name in enumerate(names_of(cards, "token"))
        if state["supply"][kind] < supply[kind]
    ]


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters, the parts apart; further lines begin below the first part."""
    lines = [head]
    for part in parts:
        apart = SPACE if lines[-1].strip() else ""
        if len(lines[-1]) + len(apart) + len(part) > WIDTH and lines[-1].strip():
            lines.append(" " * len(head))
            apart = SPACE if head else ""
        lines[-1] += apart + _cut(part, WIDTH - len(head) - len(apart))
    return lines


def _about(state: np.void, phase: Phase) -> str:
    """Where the decision at hand is about one place."""
    if phase in (Phase.ATTACK, Phase.DEFEND):
        return f" ({PLACES[state['cursor']]})"
    if phase in (Phase.ACTIVATE, Phase.TARGET):
        return f" ({PLACES[state['focus']]})"
    return f" ({PLACES[blocker_of(state['clash'])]})" if phase == Phase.BLOCK else ""
