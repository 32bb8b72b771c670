"""Riftborn Tactics drawn as text: two formations that face each other, row by row, each creature in a box of one tile.

A half tile is HALF characters, so that whoever stands half a tile aside in a row is drawn so, and what blocks can be seen.
"""

import textwrap

import numpy as np

from sim.engine.cards import CardSet
from sim.games.riftborn.cards import ability_word, card_name, trick_word
from sim.games.riftborn.geometry import power
from sim.games.riftborn.labels import formation, is_here, own_name, pile_of, tricks_of
from sim.games.riftborn.record import ABILITIES
from sim.games.riftborn.state import ACTIVE, ARMOURS, NOBODY, WAITING, WEAPONS
from sim.games.riftborn.stats import attack_of, health_of
from sim.games.riftborn.story_change import counted
from sim.games.riftborn.switches import MoraleStart
from sim.games.riftborn.terms import Aim, Phase

WIDTH = 100  # columns of a terminal: five tiles
HALF = 10  # characters of half a tile
BOX = 2 * HALF
INSIDE = BOX - 4  # characters of a box between its frame and a blank on either side
SPACE = "   "  # between two facts
UP, DOWN = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames of a creature face up and face down
MIDDLE = "·" * WIDTH  # between the front rows
_TOKENS = ("rage", "health", "shield", "weakness", "decay", "ready")
_STATES = (
    ("face_down", 1, "face down"),
    ("acted", 1, "acted"),
    ("entered", 1, "entered"),
    ("charm", WAITING, "to be charmed"),
    ("charm", ACTIVE, "charmed"),
    ("pacify", WAITING, "to be pacified"),
    ("pacify", ACTIVE, "pacified"),
)


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, their front rows in the middle.

    On a box: Attack/Health left, with the maximum where there is damage; in it abilities in force, tokens and states. A
    dashed frame is face down. `*` marks whose decision it is.
    """
    above = [line for row in reversed(formation(state, 0)) for line in _row(state, cards, row)]
    below = [line for row in formation(state, 1) for line in _row(state, cards, row)]
    lines = [*_player(state, cards, 0), *above, MIDDLE, *below, *_player(state, cards, 1), "", *_table(state, cards)]
    return "\n".join(line.rstrip() for line in lines)


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """What a player has besides creatures."""
    phase = Phase(state["phase"])
    mark = "*" if phase != Phase.OVER and state["seat"] == seat else " "
    level, used = int(state["level"][seat]), int(state["used_levels"][seat])
    turn = phase != Phase.MULLIGAN and state["active"] == seat
    parts = [cards.names[state["deck"][seat]], f"life {state['life'][seat]}"]
    parts += [f"level {level}" + (f", {used} used" if turn else ""), f"experience {state['xp'][seat]:,}"]
    parts += [f"{pile} {state[f'{pile}_n'][seat]}" for pile in ("library", "discard", "removed")]
    parts += _belongings(state, cards, seat)
    hand = [f"{card_name(cards, card)} ({cards.record[0]['level'][card]})" for card in pile_of(state, "hand", seat)]
    return _packed(f"{mark} seat {seat + 1}", [*parts, f"hand: {', '.join(counted(hand)) or 'empty'}"])


def _belongings(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Weapons, Armour and TRICK cards."""
    weapons = [_weapon(state, cards, seat, slot) for slot in range(WEAPONS) if state["weapon"][seat, slot] != NOBODY]
    armour = [
        f"{card_name(cards, int(state['armour'][seat, slot]))} {state['points'][seat, slot]}"
        for slot in range(ARMOURS)
        if state["armour"][seat, slot] != NOBODY
    ]
    tricks = [trick_word(trick) for trick in tricks_of(state, seat)]
    found = (("weapons", weapons), ("armour", armour), ("tricks", tricks))
    return [f"{what}: {', '.join(words)}" for what, words in found if words]


def _weapon(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """A Weapon: its Attack and the uses left."""
    card, uses = int(state["weapon"][seat, slot]), int(state["uses"][seat, slot])
    used = " (used)" if state["weapon_used"][seat, slot] else ""
    return f"{card_name(cards, card)} {cards.record[0]['attack'][card]}/{uses}{used}"


def _row(state: np.void, cards: CardSet, row: list[int]) -> list[str]:
    """The boxes of a row side by side, in the middle of the table (RIFT-31)."""
    facts = [_facts(state, cards, g) for g in row]
    height = max(map(len, facts))
    boxes = [
        _box(_numbers(state, cards, g), [*lines, *[""] * (height - len(lines))], DOWN if state["face_down"][g] else UP)
        for g, lines in zip(row, facts, strict=True)
    ]
    margin = " " * (WIDTH // 2 + HALF * (int(state["centre"][row[0]]) - 1))
    return [margin + "".join(parts) for parts in zip(*boxes, strict=True)]


def _box(title: str, facts: list[str], frame: str) -> list[str]:
    """A framed box of BOX characters a line."""
    top = f"{frame[0]}{frame[1]} {title} "
    lines = [top + frame[1] * (BOX - 1 - len(top)) + frame[2]]
    lines += [f"{frame[3]} {fact:<{INSIDE}} {frame[3]}" for fact in facts]
    return [*lines, frame[4] + frame[5] * (BOX - 2) + frame[6]]


def _numbers(state: np.void, cards: CardSet, g: int) -> str:
    """Attack and Health left, as they are now."""
    record, damage = cards.record[0], int(state["damage"][g])
    attack, most = int(attack_of(state, record, g)), int(health_of(state, record, g))
    return f"{attack}/{most - damage}" + (f" of {most}" if damage else "")


def _facts(state: np.void, cards: CardSet, g: int) -> list[str]:
    """Lines of a box: name, abilities, tokens and states."""
    abilities = [ability_word(a, int(power(state, g, a))) for a in range(ABILITIES) if power(state, g, a)]
    if "MORALE" in " ".join(abilities):
        abilities.append(f"for {MoraleStart(state['morale'][g]).name.title()}")
    tokens = [f"{state[field][g]} {field}" for field in _TOKENS if state[field][g]]
    states = [words for field, bit, words in _STATES if state[field][g] & bit]
    states += ["moved"] if state["swaps"][g] else []
    parts = (card_name(cards, int(state["card"][g])), ", ".join(abilities), ", ".join(tokens), ", ".join(states))
    return [line for part in parts if part for line in textwrap.wrap(part, INSIDE)]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The turn, the decision at hand, what is in use and what waits."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        over = "nobody wins" if state["winner"] == NOBODY else f"seat {state['winner'] + 1} wins"
        return _packed("", [f"turn {state['turn'] + 1}", f"over: {over}"])
    about = _about(state, cards, phase)
    parts = [f"turn {state['turn'] + 1}" if phase != Phase.MULLIGAN else "before the first turn"]
    parts += [f"decision: {phase.name.lower().replace('_', ' ')}" + (f" ({about})" if about else "")]
    if state["spell"] != NOBODY:
        parts.append(f"being played: {card_name(cards, int(state['spell']))}")
    waiting = [f"seat {owner + 1}" for owner in state["queue_owner"][: state["queue_n"]]]
    return _packed("", parts + ([f"tricks waiting: {', '.join(waiting)}"] if waiting else []))


def _about(state: np.void, cards: CardSet, phase: Phase) -> str:
    """Whom or what the decision at hand is about."""
    seat, user = int(state["seat"]), int(state["user"])
    if phase == Phase.MULLIGAN:
        return card_name(cards, int(state["hand"][seat, state["cursor"]]))
    if phase == Phase.PLACE:
        return card_name(cards, int(state["entrant"]))
    if phase == Phase.TARGET and state["aim"] == Aim.WEAPON:
        return card_name(cards, int(state["weapon"][seat, user]))
    if phase == Phase.TARGET and state["aim"] == Aim.PASS:
        return f"{state['excess']} damage left"
    if phase == Phase.CREATURE or (phase == Phase.TARGET and state["aim"] != Aim.EFFECT and is_here(state, user)):
        return own_name(state, cards, user)
    return card_name(cards, int(state["list_card"])) if state["list_card"] != NOBODY else ""


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters, the parts apart; further lines begin below the first part."""
    lines, indent = [head], " " * len(head)
    for part in parts:
        for piece in textwrap.wrap(part, WIDTH - len(head) - len(SPACE)):
            apart = SPACE if lines[-1].strip() or head else ""
            if len(lines[-1]) + len(apart) + len(piece) > WIDTH:
                lines.append(indent)
            lines[-1] += apart + piece
    return lines
