"""Lone climb: a tiny made-up game for one or two that uses the optional parts of the contract. It lives outside `sim`.

Every seat first picks its climber, regardless of the line-up. In turn a seat climbs, which turns over the next stone of a
common, hidden heap, or camps, which secures its height. A stone carries the climber a number of steps up, one more if it is
nimble; a rockfall throws it back to its camp and costs a rope. The climber that reaches the summit wins. A climber without
ropes is out: a loss when alone, a win for the other of two. At nightfall the game is truncated and no seat wins.
"""

import sys
from enum import IntEnum
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import kit
from sim.kit import Record, kernel, line_up  # noqa: F401 - this module is the game's words

SEATS, CLIMBERS_MAX = 2, 6
STONES_MAX, COPIES_MAX = 5, 5  # kinds of stones, and stones of a kind
HEAP_MAX = STONES_MAX * COPIES_MAX
TURNS_MAX = 1000  # never reached: night falls before
Action = IntEnum("Action", ["CLIMB", "CAMP", "PICK"], start=0)  # PICK + c picks climber c
End = IntEnum("End", ["NO", "SUMMIT", "FALLEN", "NIGHT"], start=0)  # NIGHT: stopped
_RISKED = 0.7  # value of a step above the camp, in steps
_ROPE = 0.8  # value of a rope, in steps
_NIMBLE = 5.0  # value of being nimble, in steps


class Draw(IntEnum):
    """What chance is drawn for."""

    HEAP = kit.Purpose.FIRST_FREE
    GUESS = kit.Purpose.FIRST_FREE + 1


def stone_names(cards):
    """Names of the kinds of stones."""
    return tuple(stone["name"] for stone in cards.document["stone"])


def stone_ids(cards):
    """Ids of the kinds of stones."""
    return tuple(stone["id"] for stone in cards.document["stone"])


FACTS = (
    kit.Fact("height", np.int16, (SEATS,), "Height at the end", "steps"),
    kit.Fact("camps", np.int16, (SEATS,), "Turns in camp", "turns"),
    kit.Fact("taken", np.int16, (SEATS, STONES_MAX), "Stones turned over", "stones", by_cards=stone_names),
    kit.Fact("favourite", np.int8, (SEATS,), "Stone turned over most often", kind="category", by_cards=stone_names, derived=True),
    kit.Fact(
        "end", np.int8, (), "How it ended", kind="category", per="game", categories=("stopped", "summit", "fallen", "night")
    ),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),
        ("keys", np.uint32, (HEAP_MAX,)),  # scratch of the shuffle
        ("turn", np.int16),  # turns finished
        ("summit", np.int16),  # steps, from the cards
        ("night", np.int16),  # turns of each seat, from the cards
        ("camp", np.int16, (SEATS,)),  # steps: the height to which a rockfall throws back
        ("ropes", np.int8, (SEATS,)),  # left
        ("climber", np.int8, (SEATS,)),  # row of the card + 1, 0: not picked yet
        ("heap", np.int8, (HEAP_MAX,)),  # kinds of stones, in the order in which they are turned over; hidden from `used` on
        ("stones", np.int8),  # in the heap
        ("used", np.int8),  # stones turned over
        ("seats", np.int8),
    ],
    align=True,
)


class Rules(kit.CardModel):
    summit: Annotated[int, Field(ge=4, le=50)]
    night: Annotated[int, Field(ge=3, le=100)]  # turns of each seat
    source: kit.Source = None


class Climber(kit.CardModel):
    id: kit.Identifier
    name: kit.Text
    nimble: bool  # one extra step with each stone
    ropes: Annotated[int, Field(ge=1, le=5)]
    source: kit.Source = None


class Stone(kit.CardModel):
    id: kit.Identifier
    name: kit.Text
    steps: Annotated[int, Field(ge=0, le=5)]  # 0: a rockfall
    copies: Annotated[int, Field(ge=1, le=COPIES_MAX)]
    source: kit.Source = None


class LoneClimbFile(kit.CardFile):
    ENTRANTS: ClassVar[str] = "climber"
    game: Literal["lone_climb"]
    rules: Rules
    climber: Annotated[list[Climber], Field(min_length=1, max_length=CLIMBERS_MAX), kit.RowCount("climbers")]
    stone: Annotated[list[Stone], Field(min_length=1, max_length=STONES_MAX), kit.RowCount("kinds")]


CARDS = kit.CardFormat.of(LoneClimbFile, __file__)


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
    kit.shuffle(rng, kit.NATURE, Draw.HEAP, state["heap"][: state["stones"]], state["keys"])


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
    """The kind that each seat turned over most often, the first of them in a tie."""
    for seat in range(SEATS):
        for kind in range(STONES_MAX):
            if state["taken"][seat, kind] > state["taken"][seat, outcome["favourite"][seat]]:
                outcome["favourite"][seat] = kind


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Climb or camp; before that, pick one of the climbers that are left."""
    if state["climber"][current_player(state)] > 0:
        out[0], out[1] = Action.CLIMB, Action.CAMP
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
    kind = kit.scripted_draw(rng)
    if kind != kit.NOT_SCRIPTED:
        place = find_stone(state, kind)
        if place == state["stones"]:
            kit.refuse_draw(rng)
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
    """Shuffle the unseen stones."""
    kit.reshuffle(rng, seat, Draw.GUESS, state["heap"][state["used"] : state["stones"]], state["keys"])


# ---- words: the functions of `sim.engine.words.Words`, written by hand ----


def settle(table, here):
    """Write what the state copies from the cards."""
    here.state["summit"], here.state["night"] = here.card("summit"), here.card("night")


def full_heap(here):
    """All stones in the order of the file."""
    return [stone["id"] for stone in here.cards.document["stone"] for _ in range(stone["copies"])]


def all_ropes(here):
    """The ropes with which the picked climbers start."""
    return [climber and here.card("ropes", climber - 1) for climber in here.state["climber"][: here.number("seats")].tolist()]


def climber_words(here):
    """Ids of the climbers; empty: not picked yet."""
    return kit.numbered(["", *here.cards.ids])


def stone_words(here):
    """Ids of the kinds of stones."""
    return kit.numbered(stone_ids(here.cards))


POSITION = kit.Document(
    keys=(
        kit.LineUp("climbers", "ids, empty before the pick", field="climber", seats=(1, 2), words=climber_words),
        kit.Each("height", "steps, by seat", most=999),
        kit.Each("camp", "steps to which a rockfall throws back, by seat", most=999),
        kit.Each("ropes", "left, by seat", most=5, default=all_ropes, shown="those of the climber"),
        kit.Each(
            "heap", "ids of stones", length="stones", words=stone_words, default=full_heap, shown="in the order of the file"
        ),
        kit.Number("used", "stones turned over", most=lambda here: here.number("stones")),
        kit.Number("turn", "turns finished", most=TURNS_MAX),
        kit.Word("end", "how the game ended", words=kit.words_of(End), default="no"),
    ),
    settle=settle,
)
position, place = POSITION.read, POSITION.write


def action(state, cards, action):
    """One decision in words."""
    if action >= Action.PICK:
        return f"pick {cards.names[action - Action.PICK]}"
    return "climb" if action == Action.CLIMB else "camp"


def draw(words, cards):
    """The number of a kind of stones, by id or name."""
    ids = stone_ids(cards)
    if kit.plain(words) not in ids:
        raise ValueError(f"is no stone; {kit.did_you_mean(words, list(ids))}")
    return ids.index(kit.plain(words))


def stone_of(change, index):
    """The kind of stones of an entry of `taken`."""
    return stone_names(change.cards)[index[1]]


STORY = (
    kit.Rise("taken", stone_of, axes=2, rises="meets {word}"),
    kit.Value("height", changes="is at {now}"),
    kit.Value("end", words=End, changes="{now}"),
)


def events(before, after, cards):
    """What happened between two states."""
    return kit.events(before, after, cards, STORY)


def picture(state, cards):
    """The position as text."""
    lines = [f"turn {state['turn'] + 1}"]
    for seat, climber in enumerate(state["climber"][: state["seats"]].tolist()):
        name = cards.names[climber - 1] if climber else "nobody yet"
        lines.append(f"  seat {seat + 1} {name}: at {state['height'][seat]}, camp {state['camp'][seat]}")
    return "\n".join(lines)


GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="lone_climb",
    title="Lone climb",
    seats=(1, 2),
    state=STATE,
    options_max=CLIMBERS_MAX,
    verbs=kit.Verbs.of(sys.modules[__name__]),
    turn_limit=lambda _: TURNS_MAX,
    questions=(
        kit.WinRates("win-rates", "Who wins how often, and how sure is that?"),
        kit.Matchups("matchups", "Who beats whom at two seats?"),
        kit.Ask("length", "How long does a game last?", "run", "times", {"facts": ["length"], "by": "seats"}),
        kit.Ask("stones", "Which stones are met most often?", "why", "categories", {"fact": "favourite"}),
    ),
    words=sys.modules[__name__],
    hidden=("keys", "heap"),
)
