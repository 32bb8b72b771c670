"""Lone climb: a tiny made-up game for one or two that uses the optional parts of the contract. It lives outside `sim`.

Every seat first picks its climber, regardless of the line-up. In turn a seat climbs, which turns over the next stone of a
common, hidden heap, or camps, which secures its height. A stone carries the climber a number of steps up, one more if it is
nimble; a rockfall throws it back to its camp and costs a rope. The climber that reaches the summit wins. A climber without
ropes is out: a loss when alone, a win for the other of two. At nightfall the game is truncated and no seat wins.
"""

import sys
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from sim.engine.cardfiles.paths import Table, did_you_mean, plain
from sim.engine.cards import CardFile, CardModel, CardSet, Identifier, Source, Text, read_document, validate
from sim.engine.contract import Game, Verbs
from sim.engine.dice import NATURE, NOT_SCRIPTED, SEATS_MAX, Purpose, refuse_draw, scripted_draw, shuffle
from sim.engine.jit import Record, kernel
from sim.engine.measures import Measure
from sim.engine.questions import Causes, FirstPlayer, Length, Matchups, WinRates
from sim.engine.words import line_up  # noqa: F401 - this module is the game's words

# ---- state ----

SEATS = 2
CLIMBERS_MAX = 6
STONES_MAX = 5  # kinds
HEAP_MAX = 25  # stones
OPTIONS_MAX = CLIMBERS_MAX


class Action(IntEnum):
    """What a seat can decide; PICK + c picks climber c."""

    CLIMB = 0
    CAMP = 1
    PICK = 2


class End(IntEnum):
    """How the game ended."""

    NO = 0
    SUMMIT = 1  # a climber is at the summit
    FALLEN = 2  # a climber has lost its last rope
    NIGHT = 3  # stopped


class Draw(IntEnum):
    """What chance is drawn for."""

    HEAP = Purpose.FIRST_FREE
    GUESS = Purpose.FIRST_FREE + 1


STATE = np.dtype(
    [
        ("keys", np.uint32, (HEAP_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # turns finished
        ("summit", np.int16),  # steps, from the cards
        ("night", np.int16),  # turns of each seat, from the cards
        ("height", np.int16, (SEATS,)),  # steps
        ("camp", np.int16, (SEATS,)),  # steps: the height to which a rockfall throws back
        ("camps", np.int16, (SEATS,)),  # turns spent camping
        ("taken", np.int16, (SEATS, STONES_MAX)),  # stones turned over, by kind
        ("ropes", np.int8, (SEATS,)),  # left
        ("climber", np.int8, (SEATS,)),  # row of the card + 1, 0: not picked yet
        ("heap", np.int8, (HEAP_MAX,)),  # kinds of stones, in the order in which they are turned over; hidden from `used` on
        ("stones", np.int8),  # in the heap
        ("used", np.int8),  # stones turned over
        ("seats", np.int8),
        ("end", np.int8),  # End
    ],
    align=True,
)


# ---- cards ----

REFERENCE = Path(__file__).with_name("cards.toml")

CARDS = np.dtype(
    [
        ("summit", np.int16),  # steps
        ("night", np.int16),  # turns of each seat
        ("climbers", np.int8),
        ("kinds", np.int8),  # of stones
        ("nimble", np.int8, (CLIMBERS_MAX,)),  # extra steps with each stone
        ("ropes", np.int8, (CLIMBERS_MAX,)),
        ("steps", np.int8, (STONES_MAX,)),  # 0: a rockfall
        ("copies", np.int8, (STONES_MAX,)),
    ],
    align=True,
)


class Rules(CardModel):
    """Numbers of the game itself."""

    summit: Annotated[int, Field(ge=4, le=50)]
    night: Annotated[int, Field(ge=3, le=100)]
    source: Source = None


class Climber(CardModel):
    """One entrant."""

    id: Identifier
    name: Text
    nimble: bool
    ropes: Annotated[int, Field(ge=1, le=5)]
    source: Source = None


class Stone(CardModel):
    """One kind of stones."""

    id: Identifier
    name: Text
    steps: Annotated[int, Field(ge=0, le=5)]
    copies: Annotated[int, Field(ge=1, le=5)]
    source: Source = None


class LoneClimbFile(CardFile):
    """A whole file."""

    game: Literal["lone_climb"]
    rules: Rules
    climber: Annotated[list[Climber], Field(min_length=1, max_length=CLIMBERS_MAX)]
    stone: Annotated[list[Stone], Field(min_length=1, max_length=STONES_MAX)]


def load(path: Path | None = None) -> CardSet:
    """Read a card file, or the reference set."""
    document, file = read_document(path, REFERENCE)
    return from_document(document, file)


def from_document(document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
    """Validate and compile a document."""
    file = validate(LoneClimbFile, document, where)
    record = np.zeros(1, CARDS)
    record["summit"], record["night"] = file.rules.summit, file.rules.night
    record["climbers"], record["kinds"] = len(file.climber), len(file.stone)
    for number, climber in enumerate(file.climber):
        record["nimble"][0, number], record["ropes"][0, number] = climber.nimble, climber.ropes
    for number, stone in enumerate(file.stone):
        record["steps"][0, number], record["copies"][0, number] = stone.steps, stone.copies
    return CardSet.of(record, {climber.id: climber.name for climber in file.climber}, {}, document, where)


def stone_names(cards: CardSet) -> tuple[str, ...]:
    """Names of the kinds of stones."""
    return tuple(stone["name"] for stone in cards.document["stone"])


def stone_ids(cards: CardSet) -> tuple[str, ...]:
    """Ids of the kinds of stones."""
    return tuple(stone["id"] for stone in cards.document["stone"])


# ---- outcome ----

OUTCOME = np.dtype(
    [
        ("height", np.int16, (SEATS_MAX,)),
        ("camps", np.int16, (SEATS_MAX,)),
        ("taken", np.int16, (SEATS_MAX, STONES_MAX)),  # stones, by kind
        ("favourite", np.int8, (SEATS_MAX,)),  # kind turned over most often
        ("end", np.int8),  # End
    ],
    align=True,
)


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The climber on the summit wins, or the other one if a climber is out."""
    out[:] = 0.0
    for seat in range(state["seats"]):
        out[seat] = share(state, seat)


@kernel
def share(state: Record, seat: int) -> float:
    """Share of the win of a seat, 0 before the end and at night."""
    if state["end"] == End.SUMMIT:
        return 1.0 if state["height"][seat] >= state["summit"] else 0.0
    if state["end"] == End.FALLEN:
        return 1.0 if state["ropes"][seat] > 0 else 0.0
    return 0.0


@kernel
def write_outcome(state: Record, outcome: Record) -> None:
    """Facts of a game, by seat."""
    outcome["end"] = state["end"]
    for seat in range(SEATS):
        outcome["height"][seat] = state["height"][seat]
        outcome["camps"][seat] = state["camps"][seat]
        outcome["favourite"][seat] = 0
        for kind in range(STONES_MAX):
            outcome["taken"][seat, kind] = state["taken"][seat, kind]
            if state["taken"][seat, kind] > state["taken"][seat, outcome["favourite"][seat]]:
                outcome["favourite"][seat] = kind


MEASURES = (
    Measure("height", "Height at the end", "steps", "seat", "count"),
    Measure("camps", "Turns in camp", "turns", "seat", "count"),
    Measure("end", "How it ended", "", "game", "category", ("stopped", "summit", "fallen", "night")),
)


def measures_of(cards: CardSet) -> tuple[Measure, ...]:
    """Measures that the stones of the card set name."""
    names = stone_names(cards)
    return (
        Measure("taken", "Stones turned over", "stones", "seat", "count", parts=names),
        Measure("favourite", "Stone turned over most often", "", "seat", "category", names),
    )


QUESTIONS = (
    WinRates("win-rates", "Who wins how often, and how sure is that?"),
    Matchups("matchups", "Who beats whom at two seats?"),
    FirstPlayer("turn-order", "What is going first worth?"),
    Length("length", "How long does a game last?"),
    Causes("stones", "Which stones are met most often?", cause="favourite"),
)


# ---- rules ----


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Shuffle the heap of stones; no seat has picked its climber yet."""
    state["seats"] = len(lineup)
    state["summit"] = cards["summit"]
    state["night"] = cards["night"]
    for kind in range(cards["kinds"]):
        for _ in range(cards["copies"][kind]):
            state["heap"][state["stones"]] = kind
            state["stones"] += 1
    shuffle_heap(state, rng)


@kernel
def shuffle_heap(state: Record, rng: Record) -> None:
    """Put all stones back on the heap, in a new order."""
    state["used"] = 0
    shuffle(rng, NATURE, Draw.HEAP, state["heap"][: state["stones"]], state["keys"])


@kernel
def current_player(state: Record) -> int:
    """First every seat picks, then the seats climb in turn."""
    for seat in range(state["seats"]):
        if state["climber"][seat] == 0:
            return seat
    return state["turn"] % state["seats"]


@kernel
def is_over(state: Record) -> bool:
    """Whether a climber is up or out, or night has fallen."""
    return state["end"] != End.NO


@kernel
def is_truncated(state: Record) -> bool:
    """Whether night has fallen."""
    return state["end"] == End.NIGHT


@kernel
def entrant_of(state: Record, seat: int, planned: int) -> int:
    """The climber that the seat picked."""
    return state["climber"][seat] - 1 if state["climber"][seat] > 0 else planned


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Climb or camp; before that, pick one of the climbers that are left."""
    if state["climber"][current_player(state)] > 0:
        out[0] = Action.CLIMB
        out[1] = Action.CAMP
        return 2
    count = 0
    for climber in range(cards["climbers"]):
        if not is_picked(state, climber):
            out[count] = Action.PICK + climber
            count += 1
    return count


@kernel
def is_picked(state: Record, climber: int) -> bool:
    """Whether some seat has this climber."""
    picks = 0
    for seat in range(SEATS):
        picks += state["climber"][seat] == climber + 1
    return picks > 0


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry out a decision; a pick takes no turn."""
    seat = current_player(state)
    if action >= Action.PICK:
        state["climber"][seat] = action - Action.PICK + 1
        state["ropes"][seat] = cards["ropes"][action - Action.PICK]
        return
    if action == Action.CLIMB:
        climb(state, cards, seat, turn_over(state, rng))
    else:
        state["camp"][seat] = state["height"][seat]
        state["camps"][seat] += 1
    state["turn"] += 1
    if state["end"] == End.NO and state["turn"] >= state["night"] * state["seats"]:
        state["end"] = End.NIGHT


@kernel
def turn_over(state: Record, rng: Record) -> int:
    """Kind of the next stone; a scripted one is brought to the top of the heap first."""
    if state["used"] == state["stones"]:
        shuffle_heap(state, rng)
    top = state["used"]
    kind = scripted_draw(rng)
    if kind != NOT_SCRIPTED:
        place = find_stone(state, kind)
        if place == state["stones"]:
            refuse_draw(rng)
        else:
            state["heap"][place] = state["heap"][top]
            state["heap"][top] = kind
    state["used"] += 1
    return state["heap"][top]


@kernel
def find_stone(state: Record, kind: int) -> int:
    """Place in the heap of the next stone of a kind; the number of stones if none is left."""
    for place in range(state["used"], state["stones"]):
        if state["heap"][place] == kind:
            return place
    return state["stones"]


@kernel
def climb(state: Record, cards: Record, seat: int, kind: int) -> None:
    """Apply a stone to a climber."""
    state["taken"][seat, kind] += 1
    if cards["steps"][kind] == 0:
        state["height"][seat] = state["camp"][seat]
        state["ropes"][seat] -= 1
        if state["ropes"][seat] == 0:
            state["end"] = End.FALLEN
        return
    state["height"][seat] += cards["steps"][kind] + cards["nimble"][state["climber"][seat] - 1]
    if state["height"][seat] >= state["summit"]:
        state["end"] = End.SUMMIT


# ---- evaluation and hidden cards ----

_RISKED = 0.7  # value of a step above the camp, in steps
_ROPE = 0.8  # value of a rope, in steps
_NIMBLE = 5.0  # value of being nimble, in steps


@kernel
def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Steps gained, ahead of the other if there is one, squashed into 0..1; the share of the win at the end."""
    if is_over(state):
        return share(state, seat)
    lead = worth(state, cards, seat)
    if state["seats"] > 1:
        lead -= worth(state, cards, 1 - seat)
    edge = lead / state["summit"]
    return 0.5 + 0.5 * edge / (1.0 + abs(edge))


@kernel
def worth(state: Record, cards: Record, seat: int) -> float:
    """Value of a seat's height, ropes and pace, in steps; 0 before it has picked."""
    if state["climber"][seat] == 0:
        return 0.0
    risked = state["height"][seat] - state["camp"][seat]
    pace = _NIMBLE * cards["nimble"][state["climber"][seat] - 1]
    return state["camp"][seat] + _RISKED * risked + _ROPE * state["ropes"][seat] + pace


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Shuffle the unseen stones, from a fixed order so that the sample does not depend on their real one."""
    used, stones = state["used"], state["stones"]
    for place in range(used + 1, min(stones, HEAP_MAX)):
        kind, before = state["heap"][place], place - 1
        while before >= used and state["heap"][before] > kind:
            state["heap"][before + 1] = state["heap"][before]
            before -= 1
        state["heap"][before + 1] = kind
    shuffle(rng, seat, Draw.GUESS, state["heap"][used:stones], state["keys"])


# ---- words ----


def action(state: np.void, cards: CardSet, action: int) -> str:
    """One decision in words."""
    if action >= Action.PICK:
        return f"pick {cards.names[action - Action.PICK]}"
    return "climb" if action == Action.CLIMB else "camp"


def draw(words: str, cards: CardSet) -> int:
    """The number of a kind of stones, by id or name."""
    ids = stone_ids(cards)
    if plain(words) not in ids:
        raise ValueError(f"is no stone; {did_you_mean(words, list(ids))}")
    return ids.index(plain(words))


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two states."""
    lines = []
    for seat in range(int(before["seats"])):
        for kind, stone in enumerate(stone_names(cards)):
            if after["taken"][seat, kind] > before["taken"][seat, kind]:
                lines.append(f"seat {seat + 1} meets {stone} and is at {after['height'][seat]}")
    return [*lines, "night falls"] if after["end"] == End.NIGHT else lines


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The position as a dict of readable names."""
    seats, ids = int(state["seats"]), stone_ids(cards)
    return {
        "climbers": ["" if climber == 0 else cards.ids[climber - 1] for climber in state["climber"][:seats].tolist()],
        **{field: state[field][:seats].tolist() for field in ("height", "camp", "ropes")},
        "heap": [ids[kind] for kind in state["heap"][: state["stones"]].tolist()],
        "used": int(state["used"]),
        "turn": int(state["turn"]),
        "end": End(state["end"]).name.lower(),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position given by readable names into a zeroed state. Raises ValueError naming the field."""
    table, ids = Table(position), stone_ids(cards)
    climbers = table.items("climbers", SEATS)
    if not climbers or not set(climbers) <= {"", *cards.ids}:
        raise ValueError(f"climbers = {climbers!r}: must be 1 or 2 of {', '.join(cards.ids)}, or empty before the pick")
    seats = len(climbers)
    state["seats"], state["summit"], state["night"] = seats, cards.record["summit"][0], cards.record["night"][0]
    for seat, climber in enumerate(climbers):
        state["climber"][seat] = 0 if climber == "" else cards.ids.index(climber) + 1
        state["ropes"][seat] = 0 if climber == "" else cards.record["ropes"][0, cards.ids.index(climber)]
    for field in ("height", "camp", "ropes"):
        state[field][:seats] = table.items(field, SEATS) or state[field][:seats]
    full_heap = [stone for stone, copies in zip(ids, cards.record["copies"][0], strict=False) for _ in range(copies)]
    heap = table.items("heap", HEAP_MAX) or full_heap
    state["stones"] = len(heap)
    state["heap"][: len(heap)] = [draw(stone, cards) for stone in heap]
    state["used"] = table.whole("used", 0, len(heap), 0)
    state["turn"] = table.whole("turn", 0, 1000, 0)
    state["end"] = End[table.one_of("end", [end.name.lower() for end in End], "no").upper()]
    table.close()


def picture(state: np.void, cards: CardSet) -> str:
    """The position as text."""
    lines = [f"turn {state['turn'] + 1}"]
    for seat, climber in enumerate(state["climber"][: state["seats"]].tolist()):
        name = cards.names[climber - 1] if climber else "nobody yet"
        lines.append(f"  seat {seat + 1} {name}: at {state['height'][seat]}, camp {state['camp'][seat]}")
    return "\n".join(lines)


FOLDER = Path(__file__).parent
TURNS_MAX = 1000  # never reached: night falls before

GAME = Game(
    name="lone_climb",
    title="Lone climb",
    seats=(1, 2),
    state=STATE,
    outcome=OUTCOME,
    options_max=OPTIONS_MAX,
    verbs=Verbs.of(sys.modules[__name__]),
    reference=REFERENCE,
    load=load,
    from_document=from_document,
    turn_limit=lambda _: TURNS_MAX,
    measures=MEASURES,
    questions=QUESTIONS,
    words=sys.modules[__name__],
    entrant_word="climber",
    entrants_word="climbers",
    hidden=("keys", "heap"),
    measures_of=measures_of,
)
