"""The parts of a position that the story of a replay reports.

GAME takes this module as the protocol `Words` of the engine; decisions, positions and the picture are imported.
"""

from collections.abc import Iterator

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.story import Change, Index, Item, Part, Pile, Rise, Value
from sim.engine.words import line_up
from sim.games.riftborn.cards import Ability, MoraleStart
from sim.games.riftborn.position import POSITION, place, position
from sim.games.riftborn.position.creatures import pile_of, spot_of, tricks_of
from sim.games.riftborn.record import card_name, trick_word
from sim.games.riftborn.state import NOBODY, SEATS, Phase
from sim.games.riftborn.text import ROW_WORDS, action, creature_name, draw, picture

__all__ = ["POSITION", "action", "draw", "events", "line_up", "picture", "place", "position"]

_ABILITIES = tuple(ability.name.replace("_", " ") for ability in Ability)
_GAINS = ("for the turn", "for the card", "for summons", "for kills", "by the effect")  # by Gain
_WOUNDS = ("", " from afar", " from the air", " that passes through", " by an effect")  # by Wound
_HARMS = (  # by Harm
    *("by a lost bonus", "by the strike", "by what passes through", "by the Weapon"),
    *("by the answer", "as it moves away", "by the effect", "by Decay"),
)


def _seat(_: Change, seat: int) -> str:
    return f"seat {seat + 1}"


def _card(change: Change, card: int) -> str:
    return card_name(change.cards, card)


def _creature(change: Change, index: Index) -> str:
    """A creature by its name before the decision; a new one by that after it."""
    state = change.after if change.was("card", index[0]) == NOBODY else change.before
    return creature_name(state, change.cards, index[0], every_side=True)


def _row(change: Change, index: Index) -> str:
    """The row of a creature after the decision."""
    down = ", face down" if change.now("face_down", index[0]) else ""
    return f"the {ROW_WORDS[spot_of(change.after, index[0])[1]]} row{down}" if change.now("card", index[0]) != NOBODY else ""


def tricks(change: Change) -> Iterator[Item]:
    """RIFT-115, 117. TRICK cards set off; they are bits of a number."""
    for seat in range(SEATS):
        for trick in sorted({*tricks_of(change.before, seat)} - {*tricks_of(change.after, seat)}):
            yield f"seat {seat + 1}", f"{trick_word(trick)} is set off"


def looks(change: Change) -> Iterator[Item]:
    """RIFT-104, 107. Cards of a library that a player looks at."""
    for seat in range(SEATS):
        if change.gain("times", seat, Ability.SPY):
            top = _top(change, 1 - seat, change.now("known_other", 1 - seat))
            yield f"seat {seat + 1}", f"sees on top of the other library: {top or 'nothing'}"
    if change.now("phase") == Phase.SCRY != change.was("phase"):
        seat = change.now("seat")
        yield f"seat {seat + 1}", f"sees on top of its library: {_top(change, seat, change.now('scry_n'))}"


def _top(change: Change, seat: int, count: int) -> str:
    """Names of the top cards of a library."""
    return ", ".join(_card(change, card) for card in pile_of(change.after, "library", seat)[::-1][:count])


STORY: tuple[Part, ...] = (
    Rise("returned_cards", rises="exchanges {by} cards"),
    Value("first", words=_seat, changes="{now} has the first turn"),
    tricks,
    # creatures
    Value("card", _row, owner=_creature, words=_card, none=NOBODY, begins="enters {word}", changes="becomes {now}", ends="dies"),
    Value("face_down", owner=_creature, same="card", none=0, begins="turns face down", ends="turns face up"),
    Value("damage", owner=_creature, same="card"),
    Value("health", "extra health", owner=_creature, same="card"),
    *(Value(token, owner=_creature, same="card") for token in ("rage", "shield", "weakness", "decay")),
    Value("ready", owner=_creature, same="card", none=0, ends=""),
    Value("morale", owner=_creature, same="card", words=MoraleStart, changes="gives {now}"),
    Value("charm", owner=_creature, same="card", none=0, begins="charmed for its next turn", changes="", ends=""),
    Value("pacify", owner=_creature, same="card", none=0, begins="pacified for its next turn", changes="", ends=""),
    Value("ability", _ABILITIES, owner=_creature, same="card", none=0, begins="has {word}", ends="loses {word}"),
    # players
    Rise("answer_damage", rises="answers for {by}"),
    Rise("opportunity_damage", rises="strikes for {by} as the enemy moves away"),
    Rise("times", _ABILITIES, axes=2, rises="uses {word}"),
    Rise("deaths", _HARMS, axes=2, rises="loses {by} creature {word}"),
    Rise("wounds", _WOUNDS, axes=2, rises="takes {by} damage{word}"),
    Rise("absorbed", rises="Armour absorbs {by}"),
    Value("life"),
    Pile("weapon", name=_card, came="", gone="{cards} breaks"),
    Pile("armour", name=_card, came="", gone="{cards} breaks"),
    Rise("gained", _GAINS, axes=2, rises="+{by} experience {word}"),
    Value("level", changes="reaches level {now}"),
    # piles
    Pile("removed", name=_card, came="{cards} removed from the game"),
    Rise("refills", rises="shuffles its discard pile into its library"),
    Pile("hand", name=_card, gone=""),
    looks,
    Value("winner", words=_seat, changes="{now} wins"),
)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states."""
    return story.events(before, after, cards, STORY)
