"""Runeslingers drawn as text: two fields that face each other, a box for every slot and every ailment area in use."""

import textwrap

import numpy as np

from sim.engine.cards import CardSet
from sim.games.runeslingers.labels import cards_in, is_concealed, name_of
from sim.games.runeslingers.lists import counted
from sim.games.runeslingers.names import card_name, names_in
from sim.games.runeslingers.record import AILMENT_WORDS, DECK_MAX, Boost, Stat
from sim.games.runeslingers.state import AREAS, NOBODY, SLOTS
from sim.games.runeslingers.stats import block_of, defence_of, is_defence
from sim.games.runeslingers.terms import Frame, Part, Phase

WIDTH = 100  # columns of a terminal
SLOT_BOX, AREA_BOX = 16, 24  # characters of a box: six slots, four areas
MARGIN = 2  # characters before the first
BORDER = 4  # characters of a box that its frame takes
SPACE = "   "  # between two facts
TIED = "\u00a0"  # a space at which no line is broken
MIDDLE = "·" * WIDTH  # between the fields
READY, USED = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, their concentrations in the middle.

    A box of the middle is a slot: what lies on the concentration, and in brackets the concentration; a dashed frame is used.
    A box of the outer row is an area: its ailment, in brackets where a boon conceals it. `*` marks whose decision it is.
    """
    above = [*_player(state, cards, 0), *_areas(state, cards, 0), *_slots(state, cards, 0)]
    below = [*_slots(state, cards, 1), *_areas(state, cards, 1), *_player(state, cards, 1)]
    lines = [*above, MIDDLE, *below, "", *_table(state, cards)]
    return "\n".join(line.rstrip() for line in lines).replace(TIED, " ")


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """What a player has besides the field."""
    record, deck = cards.record[0], int(state["deck_of"][seat])
    mark = "*" if state["phase"] != Phase.OVER and state["seat"] == seat else " "
    power, most = int(state["power"][seat]), int(record["start_power"])
    head = f"{mark} seat {seat + 1}"
    who = [names_in(cards, "runeslinger")[record["hero"][deck]], f"deck: {cards.names[deck]}"]
    who += [names_in(cards, "stance")[record["stance"][deck]], names_in(cards, "ability")[record["ability"][deck]]]
    parts = [f"power {'●' * power}{'○' * (most - power)}"]
    parts += [f"health {state['health'][seat]} of {max(0, int(state['stat'][seat, Stat.MAX_HEALTH]))}"]
    parts += [f"block {block_of(state, seat)}"]
    parts += [f"{key} {state[key][seat]}" for key in ("barrier", "determination", "light") if state[key][seat]]
    parts += [
        f"{boost.name.lower().replace('_', ' ')} +{state['boosts'][seat, boost]}"
        for boost in Boost
        if state["boosts"][seat, boost] and boost != Boost.BLOCK
    ]
    parts += [f"{pile} {state[f'{pile}_n'][seat]}" for pile in ("deck", "discard", "void")]
    hand = [f"{card_name(cards, card)} ({record['cost'][card]})" for card in cards_in(state, "hand", seat)]
    lines = _packed(head, who) + _packed(" " * len(head), parts)
    words = ", ".join(word.replace(" ", TIED) for word in counted(hand))
    return [*lines, *_packed(" " * len(head), [f"hand: {words or 'empty'}"])]


def _slots(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """RUNE-53. Concentrations and what lies on them."""
    boxes: dict[int, tuple[str, list[str], str]] = {}
    for slot in range(SLOTS):
        if state["conc"][seat, slot] != NOBODY:
            below = name_of(state, cards, int(state["conc"][seat, slot]))
            facts = _thing(state, cards, seat, slot, SLOT_BOX)
            used = state["conc_used"][seat, slot]
            lines = [*facts, *_wrapped(f"({below})" if facts else below, SLOT_BOX)]
            boxes[slot] = (f"{slot + 1} {'used' if used else 'ready'}", lines, USED if used else READY)
    return _row(boxes, SLOTS, SLOT_BOX)


def _areas(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """RUNE-06. Ailments, and the boons on them."""
    boxes: dict[int, tuple[str, list[str], str]] = {}
    for area in range(AREAS):
        if count := int(state["count"][seat, area]):
            kind = int(state["ailment"][seat, area])
            severe = " (II)" if count >= cards.record[0]["threshold"][kind] else ""
            words = f"{AILMENT_WORDS[kind]} {count}{severe}"
            if is_concealed(state, seat, area):
                boxes[area] = (f"({words})", _thing(state, cards, seat, SLOTS + area, AREA_BOX), READY)
            else:
                boxes[area] = (words, [], READY)
    return _row(boxes, AREAS, AREA_BOX)


def _thing(state: np.void, cards: CardSet, seat: int, place: int, width: int) -> list[str]:
    """Lines of a thing: name, damage and defence, tokens and the like; none where nothing lies."""
    if state["thing"][seat, place] == NOBODY:
        return []
    inst = int(state["thing"][seat, place])
    card = int(state["card_of"][inst])
    parts = [card_name(cards, card)]
    if is_defence(cards.record[0], card):
        most = int(defence_of(state, cards.record[0], seat, place))
        damage = int(state["damage"][seat, place])
        parts.append(f"defence {most - damage}" + (f"/{most}" if damage else ""))
    parts += [f"{word} {state[field][seat, place]}" for word, field in _POINTS if state[field][seat, place]]
    parts += ["used"] if state["used"][seat, place] else []
    parts += ["charged"] if state["charged"][seat, place] else []
    parts += [f"of seat {inst // DECK_MAX + 1}"] if inst // DECK_MAX != seat else []
    if state["under"][seat, place] != NOBODY:
        parts.append(f"holds {name_of(state, cards, int(state['under'][seat, place]))}")
    return [line for part in parts for line in _wrapped(part, width)]


_POINTS = (("tokens", "tokens"), ("barrier", "guard"))


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width - BORDER)


def _row(boxes: dict[int, tuple[str, list[str], str]], count: int, width: int) -> list[str]:
    """Boxes side by side, each in its column."""
    if not boxes:
        return []
    height = max(len(lines) for _, lines, _ in boxes.values())
    drawn = [
        _box(*boxes[at], height, width) if at in boxes else [" " * width] * (height + len(("top", "bottom")))
        for at in range(count)
    ]
    return [" " * MARGIN + "".join(parts) for parts in zip(*drawn, strict=True)]


def _box(title: str, facts: list[str], frame: str, height: int, width: int) -> list[str]:
    """A framed box of `width` characters a line."""
    top = f"{frame[0]}{frame[1]} {title} "
    lines = [top + frame[1] * (width - 1 - len(top)) + frame[2]]
    filled = [*facts, *[""] * (height - len(facts))]
    lines += [f"{frame[3]} {fact:<{width - BORDER}} {frame[3]}" for fact in filled]
    return [*lines, frame[4] + frame[5] * (width - len(("left", "right"))) + frame[6]]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The turn, the decision at hand, the ladder."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        over = "a draw" if state["winner"] == NOBODY else f"seat {state['winner'] + 1} wins"
        return _packed("", [f"turn {state['turn'] + 1}", f"over: {over}"])
    if state["first"] == NOBODY:
        return _packed("", ["before the first turn", f"decision: {phase.name.lower()}"])
    parts = [f"turn {state['turn'] + 1} of seat {state['active'] + 1}"]
    parts += [f"decision: {phase.name.lower()}"] if phase != Phase.GOING else []
    ladder = [
        f"{card_name(cards, int(state['card'][at]))} of seat {state['by'][at] + 1}"
        for at in range(state["depth"])
        if state["frame"][at] == Frame.CARD
    ]
    parts += [f"{'ladder' if _is_ladder(state) else 'being played'}: {', '.join(ladder)}"] if ladder else []
    return _packed("", parts)


def _is_ladder(state: np.void) -> bool:
    """RUNE-71, 72. Whether the card at the bottom of the stack waits for an answer or for those above it."""
    rungs = [at for at in range(state["depth"]) if state["frame"][at] == Frame.CARD]
    return bool(state["step"][rungs[0]] >= Part.SLING)


def _packed(head: str, parts: list[str]) -> list[str]:
    """Lines of at most WIDTH characters, the parts apart; further lines begin below the first part."""
    lines, indent = [head], " " * len(head)
    for part in parts:
        for piece in textwrap.wrap(part, WIDTH - len(head) - len(SPACE)):
            apart = SPACE if lines[-1].strip() or head else ""
            if len(lines[-1]) + len(apart) + len(piece) > WIDTH:
                lines.append(indent)
                apart = SPACE
            lines[-1] += apart + piece
    return lines
