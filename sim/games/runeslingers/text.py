"""Runeslingers in words (the protocol `Words` of the engine): decisions, draws, events, and positions drawn as text.

Events are derived from two consecutive state records alone.
"""

import textwrap
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.story import Change
from sim.engine.words import WIDTH, boxed, card_drawn, counted, joined, packed, some
from sim.games.runeslingers.actions import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.cards import (
    ACTIVATED,
    AILMENT_WORDS,
    AILMENTS,
    DECK_MAX,
    Boost,
    Stat,
    card_name,
    ids_of,
    names_in,
    names_of,
)
from sim.games.runeslingers.rules.ailments import first_leaving
from sim.games.runeslingers.rules.objects import FIRST_AREA, PER_SOURCE, block_of, defence_of, is_defence
from sim.games.runeslingers.rules.playing import ENEMY_BOON, ENEMY_PLACE, OWN_BOON, OWN_PLACE
from sim.games.runeslingers.state import AREAS, NOBODY, PLACES, SEATS, SLOTS, Cause, Drain, Frame, Lost, Part, Phase

SLOT_BOX, AREA_BOX = 16, 24  # characters of a box: six slots, four areas
MARGIN = 2  # characters before the first
BORDER = 4  # characters of a box that its frame takes up
TIED = "\u00a0"  # no-break space
MIDDLE = "·" * WIDTH  # between the fields
READY, USED = "┌─┐│└─┘", "┌╌┐┊└╌┘"  # frames
_POINTS = (("tokens", "tokens"), ("barrier", "guard"))
Spot = tuple[int, int]  # seat and place 0..9
_DRAINS = {
    Drain.DAMAGE: "takes {} damage",
    Drain.CARRIED: "takes {} damage that goes on behind a card",
    Drain.LOSS: "loses {} health",
}
_LOST = {Lost.HEALTH: "by health", Lost.DECK: "by an empty deck", Lost.AILMENTS: "by ailments"}
_ENDS = {
    **{Cause(lost): f"has lost the last power {words}" for lost, words in _LOST.items()},
    Cause.MAX_HEALTH: "has no maximum health left",
    Cause.NO_CARDS: "has neither deck nor discard pile left",
}
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


class Events(Change):
    """Two consecutive positions: before a decision, and after all that followed without a choice."""

    @property
    def phase(self) -> Phase:
        """The decision that was made."""
        return Phase(self.was("phase"))

    @property
    def seats(self) -> tuple[int, int]:
        """Both seats, the one whose turn it was first; seat 0 first where there was no turn."""
        active = max(0, self.was("active"))
        return active, SEATS - 1 - active

    @property
    def began(self) -> bool:
        """Whether the first turn has begun."""
        return self.was("first") == NOBODY != self.now("first")

    @property
    def over(self) -> bool:
        """Whether the encounter has ended."""
        return self.now("phase") == Phase.OVER != self.was("phase")

    @cached_property
    def things(self) -> tuple[list[Spot], list[Spot], list[Spot]]:
        """Where the things lie that are in play before and after, before only, and after only."""
        before, after = (  # by running number
            {int(state["thing_seq"][seat, place]): (seat, place) for seat in self.seats for place in things_of(state, seat)}
            for state in (self.before, self.after)
        )
        stayed = [spot for number, spot in before.items() if number in after]
        gone = [spot for number, spot in before.items() if number not in after]
        return stayed, gone, [spot for number, spot in after.items() if number not in before]

    def name(self, inst: int) -> str:
        """Name of the card that an instance is."""
        return name_of(self.after, self.cards, inst)

    def came(self, pile: str, seat: int) -> list[int]:
        """Instances that are in a pile or hand now and were not before."""
        was = pile_of(self.before, pile, seat)
        return [inst for inst in pile_of(self.after, pile, seat) if inst not in was]

    def end(self, inst: int) -> str:
        """Where a card that left play has gone."""
        owner = inst // DECK_MAX
        return f"goes to the hand of seat {owner + 1}" if inst in self.came("hand", owner) else "leaves play"

    def names(self, instances: list[int]) -> list[str]:
        """Names of cards with their counts."""
        return counted(map(self.name, instances))

    def ailments(self, seat: int, kind: int) -> int:
        """Increase of the instances of an ailment, concealed ones included."""
        now, was = (int(state["count"][seat][state["ailment"][seat] == kind].sum()) for state in (self.after, self.before))
        return now - was


def laid(change: Events) -> Iterator[str]:
    """RUNE-51, 106. Cards that have come into play."""
    _, _, new = change.things
    for seat, spot in new:
        inst = change.now("thing", seat, spot)
        under = change.now("under", seat, spot)
        if spot >= SLOTS:
            where = f"on the {AILMENT_WORDS[change.now('ailment', seat, spot - SLOTS)]} of seat {seat + 1}"
        else:
            where = f"in {spot_words(spot)} of seat {seat + 1}"
        trap = f", on top of {change.name(under)}" if under != NOBODY else ""
        yield f"{change.name(inst)} lies {where}{trap}."


def left(change: Events) -> Iterator[str]:
    """RUNE-124, 126. Cards that have left play."""
    _, gone, _ = change.things
    for seat, spot in gone:
        inst = change.was("thing", seat, spot)
        if inst not in change.after["under"]:  # a trapped card is reported where it lies
            yield f"{change.name(inst)} of seat {seat + 1} {change.end(inst)}."
        under = change.was("under", seat, spot)
        if under != NOBODY:
            yield f"{change.name(under)}, which lay under {change.name(inst)}, {change.end(under)}."


def things(change: Events) -> Iterator[str]:
    """RUNE-43 to 45, 83, 86. Damage, barriers and tokens of things that stayed."""
    stayed, _, _ = change.things
    for seat, spot in stayed:
        name = f"{change.name(change.after['thing'][seat, spot])} of seat {seat + 1}"
        if (damage := change.gain("damage", seat, spot)) > 0:
            yield f"{name} takes {damage} damage."
        if (barrier := change.gain("guard", seat, spot)) > 0:
            yield f"{name} gets a barrier of {barrier}."
        if tokens := change.gain("tokens", seat, spot):
            yield f"{name} {'gets' if tokens > 0 else 'spends'} {some(abs(tokens), 'token')}."
        if change.gain("used", seat, spot) > 0:
            yield f"{name} is used."
        under = change.now("under", seat, spot)
        if under not in (NOBODY, change.was("under", seat, spot)):
            yield f"{change.name(under)} lies under {name}."


def ailments(change: Events) -> Iterator[str]:
    """RUNE-95 to 104. Ailments applied, removed, without room."""
    for seat in change.seats:
        applied = [change.gain("applied", seat, kind) for kind in range(AILMENTS)]
        removed = [applied[kind] - change.ailments(seat, kind) for kind in range(AILMENTS)]
        came = [f"{count} {AILMENT_WORDS[kind]}" for kind, count in enumerate(applied) if count]
        gone = [f"{count} {AILMENT_WORDS[kind]}" for kind, count in enumerate(removed) if count]
        if came:
            yield f"Seat {seat + 1} suffers {joined(came)}."
        if gone:
            yield f"Seat {seat + 1} is rid of {joined(gone)}."
        if missed := change.gain("no_room", seat):
            yield f"{some(missed, 'ailment')} {'finds' if missed == 1 else 'find'} no room on seat {seat + 1}."


def concentrations(change: Events) -> Iterator[str]:
    """RUNE-39, 40, 125. Concentrations that came and went, and the light they made."""
    for seat in change.seats:
        was, now = ([int(inst) for inst in state["conc"][seat] if inst != NOBODY] for state in (change.before, change.after))
        if made := change.gain("light_made", seat):
            yield f"Seat {seat + 1} makes {made} light."
        if count := len([inst for inst in now if inst not in was]):
            yield f"Seat {seat + 1} sets {some(count, 'concentration')}."
        if count := len([inst for inst in was if inst not in now]):
            yield f"Seat {seat + 1} has {some(count, 'concentration')} less."


def blows(change: Events) -> Iterator[str]:
    """RUNE-20 to 23, 82 to 89. Blocks, barriers, damage, health lost, powers lost."""
    for seat in reversed(change.seats):
        yield from [f"Seat {seat + 1} blocks."] * change.gain("blocks", seat)
        if (absorbed := change.gain("prevented", seat)) > 0:
            yield f"Barriers of seat {seat + 1} absorb {absorbed} damage."
        taken = {drain: change.gain("drained", seat, drain) for drain in Drain}
        yield from (f"Seat {seat + 1} {_DRAINS[drain].format(points)}." for drain, points in taken.items() if points)
        lost = {cause: change.gain("powers_lost", seat, cause) for cause in Lost}
        yield from (f"Seat {seat + 1} loses {some(count, 'power')} {_LOST[cause]}." for cause, count in lost.items() if count)
        if not (change.over and change.now("power", seat) == 0):
            yield from _health(change, seat, sum(taken.values()), lost[Lost.HEALTH] > 0)


def _health(change: Events, seat: int, drained: int, reset: bool) -> Iterator[str]:
    """The health that is left, and what was healed or cut down where no lost power hides it."""
    now, gained = change.now("health", seat), change.gain("health", seat) + drained
    if gained > 0 and not reset:
        yield f"Seat {seat + 1} heals {gained} and has {now} health now."
    elif gained < 0 and not reset:
        yield f"Seat {seat + 1} is cut down to {now} health, the maximum."
    elif drained:
        yield f"Seat {seat + 1} has {now} health now."


def gains(change: Events) -> Iterator[str]:
    """Barriers and boosts that came, and determination spent."""
    for seat in change.seats:
        if change.gain("barrier", seat) > 0:
            yield f"Seat {seat + 1} has a barrier of {change.now('barrier', seat)}."
        for boost in Boost:
            if (points := change.gain("boosts", seat, boost)) > 0:
                word = boost.name.lower().replace("_", " of ")
                yield f"Seat {seat + 1} has {points} more {word} this turn."
        if spent := change.gain("spent", seat):
            yield f"Seat {seat + 1} spends {spent} determination."


def discards(change: Events) -> Iterator[str]:
    """RUNE-121 to 123. Cards seared, voided and discarded from a hand; piles are open, so they are named."""
    for seat in change.seats:
        if seared := change.gain("seared", seat):
            yield f"Seat {seat + 1} sears {some(seared, 'card')}{_named(change, 'discard', seat, seared)}."
        if voided := change.gain("voided", seat):
            yield f"Seat {seat + 1} voids {some(voided, 'card')}{_named(change, 'void', seat, voided)}."
        hand = pile_of(change.before, "hand", seat)
        if dropped := [inst for inst in change.came("discard", seat) if inst in hand]:
            yield f"Seat {seat + 1} discards {joined(change.names(dropped))}."
        if turned := change.gain("to_limit", seat):
            yield f"The full hand of seat {seat + 1} turns {some(turned, 'card')} away."


def _named(change: Events, pile: str, seat: int, count: int) -> str:
    """Names of cards that went from a deck to a pile, where it is clear which they are."""
    deck = pile_of(change.before, "deck", seat)
    came = [inst for inst in change.came(pile, seat) if inst in deck]
    return f": {joined(change.names(came))}" if len(came) == count else ""


def draws(change: Events) -> Iterator[str]:
    """RUNE-24, 120. Cards drawn, and discard piles that became decks."""
    for seat in change.seats:
        if change.gain("powers_lost", seat, Lost.DECK) and not (change.over and change.now("power", seat) == 0):
            yield f"Seat {seat + 1} shuffles its discard pile into a new deck."
        drawn, played = change.gain("drawn_cards", seat), change.phase in (Phase.SETUP, Phase.FIRST)
        came = change.came("hand", seat)
        if drawn and drawn == len(came) and not played:
            yield f"Seat {seat + 1} draws {joined(change.names(came))}."
        elif drawn:
            yield f"Seat {seat + 1} draws {some(drawn, 'card')}."


def turns(change: Events) -> Iterator[str]:
    """RUNE-17, 30. Who goes first, and who is next."""
    if change.was("chooser") == NOBODY != change.now("chooser"):
        yield f"Seat {change.now('chooser') + 1} wins the roll."
    if change.began:
        yield f"Seat {change.now('first') + 1} goes first."
    active, first = change.was("active"), change.was("turn")
    for number in range(change.gain("turn")):
        following = (active + number + 1) % len(change.seats)
        yield f"Turn {first + number + 1} ends; seat {following + 1} is next."


def end(change: Events) -> Iterator[str]:
    """RUNE-20, 25 to 27. The end of the encounter."""
    winner, cause = change.now("winner"), Cause(change.now("cause"))
    if change.over and winner == NOBODY:
        yield "Both fall at the same instant: the encounter is a draw."
    elif change.over:
        yield f"Seat {2 - winner} {_ENDS.get(cause, 'has lost')}: seat {winner + 1} wins."


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states, one sentence each, mostly in order of time.

    What the decision itself states is not repeated.
    """
    parts = (concentrations, gains, laid, things, blows, ailments, left, discards, turns, draws, end)
    change = Events(before, after, cards)
    return [sentence for part in parts for sentence in part(change)]
