"""What is under way in Runeslingers, by readable names: who decides, and the frames of the work stack, the top one last.

Every field of a frame that is not as in a fresh one is written by its name. A card that is nowhere else while it is being
played, or after what lay on it has left, is `[seat, card]`.
"""

from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table, is_whole
from sim.games.runeslingers.names import ids_of
from sim.games.runeslingers.notation_cards import Allotment
from sim.games.runeslingers.record import AILMENTS, DECK_MAX, EFFECTS_MAX, LIST_MAX, Picker, To, When
from sim.games.runeslingers.state import COUNT_MAX, NOBODY, OBJECTS, PLACES, SEATS, STACK, seat_of
from sim.games.runeslingers.terms import Frame, Part, Phase

IDLE = (Phase.GOING, Phase.OVER)  # phases in which nobody decides
KINDS = max(*When, AILMENTS)  # largest number of `kind`
WAITING_MAX = 2**62
_NEEDED = {  # what decisions are about: kinds of the top frame
    **dict.fromkeys((Phase.SLOT, Phase.PLACE, Phase.BULLET, Phase.ANSWER), (Frame.CARD,)),
    **dict.fromkeys((Phase.AILMENT, Phase.TARGET), (Frame.CARD, Frame.ACT)),
    Phase.DISCARD: (Frame.DISCARD,),
    Phase.BLOCK: (Frame.DAMAGE,),
    Phase.TRIGGER: (Frame.TRIGGERS, Frame.LEAVING),
    Phase.ORDER: (Frame.ORDER,),
    Phase.REMOVE: (Frame.REMOVE, Frame.CONVERT, Frame.LIMIT),
    Phase.EACH: (Frame.EACH,),
}
FRAMES = tuple(frame.name.lower() for frame in Frame)

_FRAME_NUMBERS = {  # fields of a frame that are numbers: least, most, what a fresh frame has
    "step": (0, max(Part), 0),
    "by": (0, SEATS - 1, 0),
    "side": (0, SEATS - 1, 0),
    "place": (NOBODY, PLACES - 1, NOBODY),
    "place_seq": (0, COUNT_MAX, 0),
    "row": (0, EFFECTS_MAX - 1, 0),
    "at": (0, LIST_MAX, 0),
    "left": (0, COUNT_MAX, 0),
    "kind": (NOBODY, KINDS, 0),
    "direct": (0, 1, 0),
    "pierce": (0, 1, 0),
    "answered": (0, 1, 0),
    "target": (NOBODY, OBJECTS - 1, NOBODY),
    "target_seq": (NOBODY, COUNT_MAX, 0),
}
_LISTS = {  # fields that are lists: how many there are, least, most
    "types": ("types_n", NOBODY, AILMENTS),
    "aims": ("aims_n", NOBODY, OBJECTS - 1),
    "aim_seqs": ("aims_n", NOBODY, COUNT_MAX),
}


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Tell what is under way; empty in an idle moment of the Play Phase and at the end."""
    if state["phase"] in IDLE or (state["phase"] == Phase.MAIN and not state["depth"]):
        return {}
    return {"seat": int(state["seat"]), "frames": [_frame(state, cards, at) for at in range(state["depth"])]}


def _frame(state: np.void, cards: CardSet, at: int) -> dict[str, Any]:
    """A frame in words."""
    told: dict[str, Any] = {"frame": FRAMES[state["frame"][at]]}
    told |= {
        key: int(state[key][at])
        for key in _FRAME_NUMBERS
        if state[key][at] != _fresh(state, key, at) and _matters(state, key, at)
    }
    if (card := int(state["card"][at])) != NOBODY:
        told["card"] = ids_of(cards)[card]
    if (inst := int(state["inst"][at])) != NOBODY:
        told["inst"] = [inst // DECK_MAX, ids_of(cards)[state["card_of"][inst]]]
    for key, (count, _, _) in _LISTS.items():
        if state[count][at]:
            told[key] = state[key][at, : state[count][at]].tolist()
    told |= {key: _aimed(state, cards, at, told[key]) for key in ("aims", "aim_seqs") if key in told}
    if state["waiting"][at].any() and state["frame"][at] in (Frame.TRIGGERS, Frame.LEAVING):
        told["waiting"] = state["waiting"][at].tolist()
    return told


def _aimed(state: np.void, cards: CardSet, at: int, values: list[int]) -> list[int]:
    """What is said of the targets of a list; NOBODY for effects without one, where the state may hold anything."""
    to = cards.record[0]["to"][state["row"][at] : state["row"][at] + len(values)]
    return [value if goal <= To.CARD else NOBODY for value, goal in zip(values, to, strict=True)]


def _fresh(state: np.void, key: str, at: int) -> int:
    """What a field of a fresh frame holds; `kind` of a card, the player who plays it, is mostly `by`, its controller."""
    if key == "kind" and state["frame"][at] == Frame.CARD:
        return int(state["by"][at])
    return _FRAME_NUMBERS[key][2]


def _matters(state: np.void, key: str, at: int) -> bool:
    """Whether a field belongs to the frame; if not, it may hold what an older frame has left there."""
    frame = Frame(state["frame"][at])
    match key:
        case "direct":
            return frame == Frame.DAMAGE
        case "pierce":
            return frame in (Frame.DAMAGE, Frame.DRAIN)
        case "target_seq":
            return bool(state["target"][at] != NOBODY)
        case "place_seq":
            waits = frame == Frame.CARD and state["step"][at] <= Part.LAY
            return frame == Frame.TRIGGERS or (bool(state["place"][at] != NOBODY) and not waits)
        case _:
            return True


def write_pending(table: Table, allotment: Allotment) -> None:
    """Write what is under way; cards that are nowhere else are asked for. Raises ValueError as `place`."""
    state = allotment.state
    state["seat"] = table.whole("seat", 0, SEATS - 1, max(0, int(state["active"])))
    frames = table.tables("frames", STACK)
    state["depth"] = len(frames)
    for at, frame in enumerate(frames):
        state["frame"][at] = FRAMES.index(frame.one_of("frame", FRAMES))
        for key, (least, most, _) in _FRAME_NUMBERS.items():
            state[key][at] = frame.whole(key, least, most, _fresh(state, key, at))
        ids = ids_of(allotment.cards)
        state["card"][at] = ids.index(frame.one_of("card", ids)) if frame.has("card") else NOBODY
        frame.take("card", None)
        state["waiting"][at] = _numbers(frame, "waiting", 0, WAITING_MAX, SEATS) or 0
        for key, (count, least, most) in _LISTS.items():
            found = _numbers(frame, key, least, most, LIST_MAX)
            state[count][at] = len(found)
            state[key][at, : len(found)] = found
        state["inst"][at] = NOBODY
        if frame.has("inst"):
            _ask_for_inst(frame, allotment, at)
        frame.take("inst", None)
        _check_frame(frame, state, at)
        frame.close()
    _check_top(table, state)
    _check_seat(table, allotment.cards, state)
    table.close()


def _check_frame(frame: Table, state: np.void, at: int) -> None:
    """What a frame cannot do without."""
    kind = state["frame"][at]
    if kind in (Frame.CARD, Frame.LEAVING) and state["card"][at] == NOBODY:
        raise frame.wrong("card", "is missing; such a frame is about a card")
    if kind == Frame.CARD and state["step"][at] > Part.LAY and state["place"][at] == NOBODY:
        raise frame.wrong("place", "is missing; after the step at which it is laid a card has a place")
    if kind == Frame.DAMAGE and state["target"][at] == NOBODY:
        raise frame.wrong("target", "is missing; damage has a target")


def _check_top(table: Table, state: np.void) -> None:
    """The top frame is what the decision is about."""
    needed = _NEEDED.get(Phase(state["phase"]), ())
    if needed and (state["depth"] == 0 or state["frame"][state["depth"] - 1] not in needed):
        words = " or ".join(FRAMES[frame] for frame in needed)
        raise ValueError(f"{table.field('frames')}: the top one must be {words}, for that is what is decided about")


def _check_seat(table: Table, cards: CardSet, state: np.void) -> None:
    """Register section 5. The seat that decides is the one that the decision belongs to."""
    phase, top = Phase(state["phase"]), int(state["depth"]) - 1
    seat, by = int(state["seat"]), int(state["by"][top])
    if phase in (Phase.MAIN, Phase.PASS, Phase.EACH, Phase.ORDER):
        right = [int(state["active"])]
    elif phase == Phase.FIRST and state["chooser"] != NOBODY:
        right = [int(state["chooser"])]
    elif phase == Phase.ANSWER:
        right = [SEATS - 1 - int(state["kind"][top])]
    elif phase == Phase.BLOCK:
        right = [int(seat_of(int(state["target"][top])))]
    elif phase == Phase.BULLET:
        right = [by if cards.record[0]["picker"][state["card"][top]] == Picker.PLAYER else SEATS - 1 - by]
    elif phase == Phase.TRIGGER and state["frame"][top] == Frame.TRIGGERS:
        right = [side for side in range(SEATS) if state["waiting"][top, side]]
    else:
        right = [by] if phase in _NEEDED else [seat]
    if seat not in right:
        raise table.wrong(
            "seat", f"must be {' or '.join(map(str, right)) or 'a seat whose triggers wait'}, who decides there"
        )


def _numbers(frame: Table, key: str, least: int, most: int, count: int) -> list[int]:
    """A list of whole numbers."""
    values = frame.items(key, count)
    if not all(is_whole(value, least, most) for value in values) or (
        key == "waiting" and len(values) not in (0, count)
    ):
        raise frame.wrong(key, f"must be a list of {count} whole numbers at most, each from {least} to {most}")
    return values


def _ask_for_inst(frame: Table, allotment: Allotment, at: int) -> None:
    """The card of a frame, which is nowhere else."""
    state, ids, value = allotment.state, ids_of(allotment.cards), frame.take("inst")
    if not (isinstance(value, list) and len(value) == len(("seat", "card")) and is_whole(value[0], 0, SEATS - 1)):
        raise frame.wrong("inst", "must be [seat, card], whose deck it is from and its id")
    owner, word = value
    if word not in ids:
        raise ValueError(f"{frame.field('inst')} = {shown(value)}: is no card; {did_you_mean(word, list(ids))}")
    allotment.ask(owner, ids.index(word), lambda inst: state["inst"].__setitem__(at, inst))
