"""Runeslingers in words: names, decisions, draws, and positions drawn as text."""

import textwrap

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.words import WIDTH, boxed, card_drawn, counted, packed
from sim.games.runeslingers.actions import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.cards import ACTIVATED, AILMENT_WORDS, DECK_MAX, Boost, Stat, card_name, ids_of, names_in, names_of
from sim.games.runeslingers.rules.ailments import first_leaving
from sim.games.runeslingers.rules.objects import FIRST_AREA, PER_SOURCE, block_of, defence_of, is_defence
from sim.games.runeslingers.rules.playing import ENEMY_BOON, ENEMY_PLACE, OWN_BOON, OWN_PLACE
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SEATS, SLOTS, Frame, Part, Phase

SLOT_BOX, AREA_BOX = 16, 24  # characters of a box: six slots, four areas
MARGIN = 2  # characters before the first
BORDER = 4  # characters of a box that its frame takes up
TIED = "\u00a0"  # no-break space
MIDDLE = "·" * WIDTH  # between the fields
READY, USED = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames
_POINTS = (("tokens", "tokens"), ("barrier", "guard"))
_FIXED = {
    (Phase.FIRST, 0): "go first",
    (Phase.FIRST, 1): "go second",
    (Phase.PASS, 0): "play on",
    (Phase.PASS, 1): "pass and draw a card",
    (Phase.MAIN, 0): "end the turn",
    (Phase.MAIN, INHERENT): "use the inherent ability",
    (Phase.MAIN, ABILITY): "use the equipped ability",
    (Phase.MAIN, MAKE_LIGHT): "make light",
    (Phase.TARGET, 0): "target the own Runeslinger",
    (Phase.TARGET, 1): "target the enemy Runeslinger",
    (Phase.ANSWER, 0): "do not answer",
    (Phase.BLOCK, 0): "do not block",
    (Phase.EACH, 0): "begin with the own Runeslinger",
    (Phase.EACH, 1): "begin with the enemy Runeslinger",
    (Phase.GOING, 0): "go on",
}
_VERBS = {  # decisions about a type of ailment
    Phase.AILMENT: "announce {}",
    Phase.ORDER: "apply {} next",
    Phase.REMOVE: "remove {}",
}
_HELD = {  # decisions about a card of the hand: words, and the code of its first card
    Phase.SETUP: ("set", 0),
    Phase.DISCARD: ("discard", 0),
    Phase.ANSWER: ("answer with", 1),
    Phase.BLOCK: ("block with", 1),
}


def name_of(state: np.void, cards: CardSet, inst: int) -> str:
    """Name of the card that an instance is."""
    return card_name(cards, int(state["card_of"][inst]))


def things_of(state: np.void, seat: int) -> list[int]:
    """Places 0..9 of a field on which things lie."""
    return [place for place in range(PLACES) if state["thing"][seat, place] != NOBODY]


def spot_words(place: int) -> str:
    """Name of a position of a field, numbered from 1."""
    return f"slot {place + 1}" if place < SLOTS else f"area {place - SLOTS + 1}"


def thing_name(state: np.void, cards: CardSet, seat: int, place: int) -> str:
    """Name of a thing, unique on its side: with its position, `Echo Chant (slot 2)`, where there are several."""
    names = {other: name_of(state, cards, state["thing"][seat, other]) for other in things_of(state, seat)}
    several = list(names.values()).count(names[place]) > 1
    return names[place] + (f" ({spot_words(place)})" if several else "")


def concentration_name(state: np.void, cards: CardSet, seat: int, slot: int) -> str:
    """Name of a player's concentration; equal cards in equal position have the same name."""
    used = " (used)" if state["conc_used"][seat, slot] else ""
    return name_of(state, cards, state["conc"][seat, slot]) + used


def pile_of(state: np.void, pile: str, seat: int) -> list[int]:
    """Instances of `hand`, `deck`, `discard` or `void` in the order of the state; the top of a deck is last."""
    return [int(inst) for inst in state[pile][seat, : state[f"{pile}_n"][seat]]]


def cards_in(state: np.void, pile: str, seat: int) -> list[int]:
    """Cards of a pile, in its order."""
    return [int(state["card_of"][inst]) for inst in pile_of(state, pile, seat)]


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words, unique among those open in `state`."""
    phase, seat = Phase(state["phase"]), int(state["seat"])
    if (phase, action) in _FIXED:
        return _FIXED[phase, action]
    if phase in _VERBS:
        return _VERBS[phase].format(AILMENT_WORDS[action])
    if phase in _HELD:
        verb, first = _HELD[phase]
        return f"{verb} {name_of(state, cards, state['hand'][seat, action - first])}"
    match phase:
        case Phase.MAIN:
            return _main(state, cards, seat, action)
        case Phase.PASS:
            return f"pass and take back {concentration_name(state, cards, seat, action - TAKE_BACK)}"
        case Phase.SLOT:
            return f"lay it on {concentration_name(state, cards, seat, action)}"
        case Phase.PLACE:
            return f"lay it on {_area(state, cards, seat, action)}"
        case Phase.TARGET:
            return f"target {_target(state, cards, seat, action)}"
        case Phase.TRIGGER:
            return trigger_words(state, cards, action)
        case _:
            return f"choose bullet {action + 1}"


def _main(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """RUNE-39, 43 to 45, 50, 75. A decision of the Play Phase about a card of the hand or in play."""
    if action < SET:
        return f"play {name_of(state, cards, state['hand'][seat, action - PLAY])}"
    if action < INHERENT:
        return f"set {name_of(state, cards, state['hand'][seat, action - SET])}"
    if action >= CHARGE:
        return f"charge {thing_name(state, cards, seat, action - CHARGE)}"
    spot, effect = divmod(action - ACTIVATE, ACTIVATED)
    name = thing_name(state, cards, seat, spot)
    several = (cards.record[0]["act_effects"][state["card_of"][state["thing"][seat, spot]]] > 0).sum() > 1
    return f"activate effect {effect + 1} of {name}" if several else f"activate {name}"


def _area(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """RUNE-106. An area for a boon: named by its ailment where that is exposed, else by its boon."""
    whose, side = ("enemy", SEATS - 1 - seat) if action >= AREAS else ("own", seat)
    area = action % AREAS
    if state["thing"][side, SLOTS + area] != NOBODY:
        return f"{whose} {thing_name(state, cards, side, SLOTS + area)}"
    return f"{whose} {AILMENT_WORDS[state['ailment'][side, area]]}"


def _target(state: np.void, cards: CardSet, seat: int, action: int) -> str:
    """A thing or concentration. The enemy's concentrations are named by their slot only."""
    own = action < ENEMY_PLACE or OWN_BOON <= action < ENEMY_BOON
    first = ((ENEMY_PLACE, OWN_PLACE) if action < OWN_BOON else (ENEMY_BOON - SLOTS, OWN_BOON - SLOTS))[own]
    side, spot = seat if own else SEATS - 1 - seat, action - first
    if state["thing"][side, spot] != NOBODY:
        return f"{'own' if own else 'enemy'} {thing_name(state, cards, side, spot)}"
    if own:
        return f"own concentration {concentration_name(state, cards, side, spot)}"
    return f"enemy concentration in {spot_words(spot)}"


def draw(words: str, cards: CardSet) -> int:
    """The card that leaves a deck next, or is discarded at random, by its id or name.

    It is taken from wherever it is in the deck or hand. Raises ValueError with the nearest name.
    """
    return card_drawn(words, dict(enumerate(zip(names_of(cards), ids_of(cards), strict=True))))


def picture(state: np.void, cards: CardSet) -> str:
    """Draw the position: seat 0 above, seat 1 below, their concentrations in the middle.

    A box in the middle is a slot: the card on the concentration, and in brackets the concentration; a dashed frame means used.
    A box in the outer row is an area: its ailment, in brackets where a boon conceals it. `*` marks the seat that decides.
    """
    above = [*_player(state, cards, 0), *_areas(state, cards, 0), *_slots(state, cards, 0)]
    below = [*_slots(state, cards, 1), *_areas(state, cards, 1), *_player(state, cards, 1)]
    lines = [*above, MIDDLE, *below, "", *_table(state, cards)]
    return "\n".join(line.rstrip() for line in lines).replace(TIED, " ")


def _player(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """Lines about a player besides the field."""
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
    lines = packed(head, who) + packed(" " * len(head), parts)
    words = ", ".join(word.replace(" ", TIED) for word in counted(hand))
    return [*lines, *packed(" " * len(head), [f"hand: {words or 'empty'}"])]


def _slots(state: np.void, cards: CardSet, seat: int) -> list[str]:
    """RUNE-53. Concentrations and the cards on them."""
    boxes: dict[int, tuple[str, list[str], str]] = {}
    for slot in range(SLOTS):
        if state["conc"][seat, slot] != NOBODY:
            below = name_of(state, cards, state["conc"][seat, slot])
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
            if state["thing"][seat, SLOTS + area] != NOBODY:
                boxes[area] = (f"({words})", _thing(state, cards, seat, SLOTS + area, AREA_BOX), READY)
            else:
                boxes[area] = (words, [], READY)
    return _row(boxes, AREAS, AREA_BOX)


def _thing(state: np.void, cards: CardSet, seat: int, place: int, width: int) -> list[str]:
    """Lines of a thing: name, damage and defence, tokens and so on; none where nothing lies."""
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
        parts.append(f"holds {name_of(state, cards, state['under'][seat, place])}")
    return [line for part in parts for line in _wrapped(part, width)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width - BORDER)


def _row(boxes: dict[int, tuple[str, list[str], str]], count: int, width: int) -> list[str]:
    """Boxes side by side, each in its column."""
    if not boxes:
        return []
    height = max(len(lines) for _, lines, _ in boxes.values())
    drawn = [[" " * width] * (height + len(("top", "bottom")))] * count
    for at, (title, lines, frame) in boxes.items():
        drawn[at] = boxed(title, [*lines, *[""] * (height - len(lines))], frame, width)
    return [" " * MARGIN + "".join(parts) for parts in zip(*drawn, strict=True)]


def _table(state: np.void, cards: CardSet) -> list[str]:
    """The turn, the open decision, the ladder."""
    phase = Phase(state["phase"])
    if phase == Phase.OVER:
        over = "a draw" if state["winner"] == NOBODY else f"seat {state['winner'] + 1} wins"
        return packed("", [f"turn {state['turn'] + 1}", f"over: {over}"])
    if state["first"] == NOBODY:
        return packed("", ["before the first turn", f"decision: {phase.name.lower()}"])
    parts = [f"turn {state['turn'] + 1} of seat {state['active'] + 1}"]
    parts += [f"decision: {phase.name.lower()}"] if phase != Phase.GOING else []
    if rungs := [at for at in range(state["depth"]) if state["frame"][at] == Frame.CARD]:
        ladder = ", ".join(f"{card_name(cards, state['card'][at])} of seat {state['by'][at] + 1}" for at in rungs)
        # RUNE-71, 72: the lowest card waits for an answer, or for the cards above it
        parts.append(f"{'ladder' if state['step'][rungs[0]] >= Part.SLING else 'being played'}: {ladder}")
    return packed("", parts)


def trigger_words(state: np.void, cards: CardSet, number: int) -> str:
    """A waiting trigger of the seat that decides (RUNE-33, 77, 78): its source, numbered where several of the source wait."""
    top, seat = int(state["depth"]) - 1, int(state["seat"])
    if state["frame"][top] == Frame.LEAVING:
        frames = range(int(first_leaving(state)), top + 1)
        at, bit = [(at, bit) for at in frames for bit in _bits(int(state["left"][at]))][number]
        several = (state["card"][frames.start : top + 1] == state["card"][at]).sum() > 1
        where = f" ({spot_words(int(state['place'][at]))})" if several else ""
        return f"let {card_name(cards, int(state['card'][at]))}{where} act (trigger {bit + 1})"
    bits = _bits(int(state["waiting"][top, seat]))
    source, k = divmod(bits[number], PER_SOURCE)
    several = sum(bit // PER_SOURCE == source for bit in bits) > 1
    return f"let {_source(state, cards, seat, source)} act" + (f" (trigger {k + 1})" if several else "")


def _bits(waiting: int) -> list[int]:
    """Numbers of the bits that are set."""
    return [bit for bit in range(waiting.bit_length()) if waiting >> bit & 1]


def _source(state: np.void, cards: CardSet, seat: int, source: int) -> str:
    """The source of a trigger, numbered as in `rules.objects`."""
    if source == 0:
        return "the stance"
    if source >= FIRST_AREA:
        return AILMENT_WORDS[state["ailment"][seat, source - FIRST_AREA]]
    return thing_name(state, cards, seat, source - 1)
