"""The parts of a position that the story of a replay reports."""

from collections.abc import Iterator

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.story import Change, Index, Item, Pile, Rise, Value
from sim.games.runeslingers.cards import AILMENT_WORDS, Boost, card_name
from sim.games.runeslingers.state import NOBODY, Cause, Frame
from sim.games.runeslingers.text import name_of, spot_words

_DRAINS = ("damage taken", "health lost", "damage taken behind a card")  # by Drain
_BOOSTS = tuple(boost.name.lower().replace("_", " of ") for boost in Boost)
_LOST = ("by health", "by an empty deck", "by ailments")  # by Lost


def _seat(_: Change, seat: int) -> str:
    return f"seat {seat + 1}"


def _card(change: Change, inst: int) -> str:
    return name_of(change.after, change.cards, inst)


def _thing(change: Change, index: Index) -> str:
    """The thing at a position, by the card that lies there now, or lay there before."""
    seat, place = index[0], index[1]
    inst = change.now("thing", seat, place)
    return f"{_card(change, inst if inst != NOBODY else change.was('thing', seat, place))} of seat {seat + 1}"


def _spot(_: Change, index: Index) -> str:
    return spot_words(index[1])


def _ailment(change: Change, index: Index) -> str:
    """The type of the ailments in an area."""
    state = change.after if change.now("count", *index) else change.before
    return AILMENT_WORDS[state["ailment"][index]]


def ladder(change: Change) -> Iterator[Item]:
    """RUNE-71, 72. The cards that wait for answers and for each other, when an answer has joined them."""
    rungs, earlier = _rungs(change.after, change.cards), _rungs(change.before, change.cards)
    if len(rungs) > max(1, len(earlier)):
        yield "", f"ladder: {', '.join(rungs)}"


def _rungs(state: np.void, cards: CardSet) -> list[str]:
    frames = [at for at in range(state["depth"]) if state["frame"][at] == Frame.CARD]
    return [f"{card_name(cards, int(state['card'][at]))} of seat {state['by'][at] + 1}" for at in frames]


STORY = (
    Value("chooser", words=_seat, changes="{now} wins the roll"),
    Value("first", words=_seat, changes="{now} goes first"),
    # cards
    ladder,
    Pile("conc", name=_card, came="sets {cards}", gone="concentrations - {cards}"),
    Rise("light_made", rises="makes {by} light"),
    Value("thing", _spot, owner=_thing, words=_card, none=NOBODY, begins="lies in {word}", ends="leaves play"),
    Value("under", owner=_thing, words=_card, none=NOBODY, begins="traps {now}", ends=""),
    Value("damage", owner=_thing, same="thing_seq", ends="", none=0),
    Value("guard", "barrier", owner=_thing, same="thing_seq", ends="", none=0),
    Value("tokens", owner=_thing, same="thing_seq"),
    Value("used", owner=_thing, same="thing_seq", none=0, begins="is used", ends=""),
    Rise("foiled", rises="{by} card comes to nothing"),
    # Runeslingers
    Rise("blocks", rises="blocks"),
    Value("barrier", ends="", none=0),
    Rise("prevented", rises="barriers absorb {by}"),
    Rise("drained", _DRAINS, axes=2, rises="{word} {by}"),
    Rise("powers_lost", _LOST, axes=2, rises="loses {by} power {word}"),
    Value("health"),
    Value("determination"),
    Value(
        "boosts",
        tuple(boost.name.lower().replace("_", " of ") for boost in Boost),
        none=0,
        begins="+{now} {word} this turn",
        ends="",
    ),
    Value("count", _ailment),
    Rise("no_room", rises="ailments without room {by}"),
    # piles
    Rise("seared", rises="sears {by}"),
    Rise("voided", rises="voids {by}"),
    Rise("to_limit", rises="the full hand turns {by} away"),
    Pile("discard", name=_card, gone=""),
    Pile("void", name=_card, gone=""),
    Pile("hand", name=_card, gone=""),
    # the end
    Value("cause", words=Cause, changes="decided by {now}"),
    Value("winner", words=_seat, changes="{now} wins"),
)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states."""
    return story.events(before, after, cards, STORY)
