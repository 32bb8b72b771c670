"""What happened on the fields between two positions of Runeslingers: cards laid, cards that left, tokens, damage, ailments."""

from sim.games.runeslingers.labels import spot_words
from sim.games.runeslingers.lists import joined, some
from sim.games.runeslingers.record import AILMENT_WORDS, DECK_MAX
from sim.games.runeslingers.state import NOBODY, SLOTS
from sim.games.runeslingers.story_change import Change


def laid(change: Change) -> list[str]:
    """RUNE-51, 106. Cards that have come into play."""
    told = []
    for seat, spot in change.new:
        inst = int(change.after["thing"][seat, spot])
        under = int(change.after["under"][seat, spot])
        if spot >= SLOTS:
            where = f"on the {AILMENT_WORDS[change.after['ailment'][seat, spot - SLOTS]]} of seat {seat + 1}"
        else:
            where = f"in {spot_words(spot)} of seat {seat + 1}"
        trap = f", on top of {change.name(under)}" if under != NOBODY else ""
        told.append(f"{change.name(inst)} lies {where}{trap}.")
    return told


def left(change: Change) -> list[str]:
    """RUNE-124, 126. Cards that have left play."""
    told = []
    for seat, spot in change.gone:
        inst = int(change.before["thing"][seat, spot])
        if inst not in change.after["under"]:  # else it was said on what it lies
            told.append(f"{change.name(inst)} of seat {seat + 1} {_end(change, inst)}.")
        under = int(change.before["under"][seat, spot])
        if under != NOBODY:
            told.append(f"{change.name(under)}, which lay under {change.name(inst)}, {_end(change, under)}.")
    return told


def _end(change: Change, inst: int) -> str:
    """Where a card has gone."""
    owner = inst // DECK_MAX
    if inst in change.came("hand", owner):
        return f"goes to the hand of seat {owner + 1}"
    return "leaves play"


def things(change: Change) -> list[str]:
    """RUNE-43 to 45, 83, 86. Damage, barriers and tokens of things that are still there."""
    told = []
    for seat, spot in change.stayed:
        name = f"{change.name(int(change.after['thing'][seat, spot]))} of seat {seat + 1}"
        if (damage := change.gain("damage", seat, spot)) > 0:
            told.append(f"{name} takes {damage} damage.")
        if (barrier := change.gain("guard", seat, spot)) > 0:
            told.append(f"{name} gets a barrier of {barrier}.")
        if tokens := change.gain("tokens", seat, spot):
            told.append(f"{name} {'gets' if tokens > 0 else 'spends'} {some(abs(tokens), 'token')}.")
        if change.after["used"][seat, spot] > change.before["used"][seat, spot]:
            told.append(f"{name} is used.")
        under = int(change.after["under"][seat, spot])
        if under not in (NOBODY, int(change.before["under"][seat, spot])):
            told.append(f"{change.name(under)} lies under {name}.")
    return told


def ailments(change: Change) -> list[str]:
    """RUNE-95 to 104. Ailments applied, removed, without room."""
    told = []
    for seat in change.seats:
        applied = [change.gain("applied", seat, kind) for kind in change.kinds]
        removed = [applied[kind] - change.ailments(seat, kind) for kind in change.kinds]
        came = [f"{count} {AILMENT_WORDS[kind]}" for kind, count in enumerate(applied) if count]
        gone = [f"{count} {AILMENT_WORDS[kind]}" for kind, count in enumerate(removed) if count]
        told += [f"Seat {seat + 1} suffers {joined(came)}."] if came else []
        told += [f"Seat {seat + 1} is rid of {joined(gone)}."] if gone else []
        if missed := change.gain("no_room", seat):
            told.append(f"{some(missed, 'ailment')} {'finds' if missed == 1 else 'find'} no room on seat {seat + 1}.")
    return told


def concentrations(change: Change) -> list[str]:
    """RUNE-39, 40, 125. Concentrations that came and went, and the light they made."""
    told = []
    for seat in change.seats:
        was, now = (
            [int(inst) for inst in state["conc"][seat] if inst != NOBODY] for state in (change.before, change.after)
        )
        if made := change.gain("light_made", seat):
            told.append(f"Seat {seat + 1} makes {made} light.")
        if count := len([inst for inst in now if inst not in was]):
            told.append(f"Seat {seat + 1} sets {some(count, 'concentration')}.")
        if count := len([inst for inst in was if inst not in now]):
            told.append(f"Seat {seat + 1} has {some(count, 'concentration')} less.")
    return told
