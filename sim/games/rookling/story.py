"""The parts of a position that the story of a replay reports."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.story import Change, Index, Item, Pile, Rise, Value
from sim.engine.words import counted
from sim.games.rookling.cards import SQUAD, TOKENS
from sim.games.rookling.state import FIELD, NOBODY, NOWHERE, POSITIONS, SEATS, SLOTS, Cause, place_of
from sim.games.rookling.text import PLACES, card_names, line_names, names_of, rookling_name

_COLLAPSED = "lies in {now}; the older one collapses"
_DAMAGE = ("damage", "damage", "spilled damage", "poison damage")  # by Cause


def _seat(_: Change, seat: int) -> str:
    return f"seat {seat + 1}"


def _table(_: Change, __: Index) -> str:
    return ""


def _rookling(change: Change, index: Index) -> str:
    return rookling_name(change.after, change.cards, index[0], index[1])


def _at(change: Change, index: Index) -> str:
    """The Rookling at a position."""
    return rookling_name(change.after, change.cards, index[0], change.now("at", *index[:2]))


def _defender(change: Change, index: Index) -> str:
    """The defending Rookling at a position."""
    return _at(change, (1 - change.was("attacker"), index[0]))


def _faced(change: Change, index: Index) -> str:
    """The Rookling that faces another."""
    seat, slot = index
    return _at(change, (1 - seat, place_of(change.after, seat, slot)))


def _line(change: Change, index: Index) -> str:
    return line_names(change.cards, change.now("rook", *index[:2]))[index[2]]


def _card(change: Change, kind: int) -> str:
    return card_names(change.after, change.cards)[kind]


def _effect(change: Change, index: Index) -> str:
    return _card(change, FIELD + index[0])


def _zone(_: Change, zone: int) -> str:
    return f"the {PLACES[zone % POSITIONS]} zone of seat {zone // POSITIONS + 1}" if zone != NOWHERE else "no zone"


def tokens(change: Change) -> Iterator[Item]:
    """ROOK-56, 61 to 63. Tokens that Rooklings got or lost, whether they act or are still to come."""
    for seat in range(SEATS):
        for slot in range(SQUAD):
            was, now = (_tokens_under(change, state, seat, slot) for state in (change.before, change.after))
            for verb, names in (("gets", now - was), ("loses", was - now)):
                if names:
                    yield _rookling(change, (seat, slot)), f"{verb} {', '.join(counted(names.elements()))}"


def _tokens_under(change: Change, state: np.void, seat: int, slot: int) -> Counter[str]:
    """Names of the tokens under a Rookling. Field effects count as the tokens that they become."""
    kinds = Counter({kind: int(state["tok"][seat, slot, kind] + state["tok_new"][seat, slot, kind]) for kind in range(TOKENS)})
    for effect in range(SLOTS):
        if count := int(state["fe_tok"][seat, slot, effect]):
            kinds[int(change.cards.record[0]["effect_token"][state["effect"][effect]])] += count
    return Counter(names_of(change.cards, "token")[kind] for kind in kinds.elements())


def reshuffles(change: Change) -> Iterator[Item]:
    """ROOK-65. A discard pile that was shuffled into a new deck."""
    if change.gain("deck_n") + change.gain("cards_drawn") - change.gain("shuffled") > 0 and change.was("winner") == NOBODY:
        yield "", "the discard pile is shuffled into a new deck"


STORY = (
    # field effects, special lines
    Rise("shuffled", _effect, owner=_table, rises="{by} {word} shuffled into the deck"),
    Rise("line_used", _line, owner=_rookling, axes=3, rises="uses {word}"),
    Rise("attack_flat", owner=_at, axes=2, rises="+{by} flat attack"),
    Rise("attack_plus", owner=_at, axes=2, rises="+{by} attack"),
    Rise("defence_flat", owner=_at, axes=2, rises="+{by} flat defence"),
    Rise("defence_plus", owner=_at, axes=2, rises="+{by} defence"),
    Rise("capacity", owner=_at, axes=2, rises="can hold {by} more"),
    # attacks, blocks, damage
    Rise("declared", _faced, owner=_rookling, axes=2, rises="attacks {word} for {by}"),
    Rise("lost_hidden", owner=_rookling, axes=2, rises="{by} damage cancelled by Hidden"),
    Value("dfn", owner=_defender, none=0, begins="can block {now}", changes="", ends=""),
    Rise("blocks_spill", owner=_rookling, axes=2, rises="uses its block on a spill"),
    Rise("blocked", owner=_rookling, axes=2, rises="blocks {by}"),
    Rise("taken", _DAMAGE, owner=_rookling, axes=3, rises="takes {by} {word}"),
    Value("life", owner=_rookling, same="rook"),
    Rise("flips", owner=_rookling, axes=2, rises="flips to siege-state"),
    Rise("healed_back", owner=_rookling, axes=2, rises="leaves siege-state"),
    Rise("lost_excess", owner=_rookling, axes=2, rises="{by} damage lost as excess"),
    # tokens, zones
    tokens,
    Value("fixed", owner=_effect, words=_zone, none=NOWHERE, begins="lies in {now}", changes=_COLLAPSED, ends="leaves {was}"),
    # cards, the end of the exchange
    reshuffles,
    Pile("hand", name=_card, came="draws {cards}", gone=""),
    Rise("draws_skipped", rises="draws no cards, because it cleared poison"),
    Value("last_blow", words=Cause, changes="decided by {now}"),
    Value("winner", words=_seat, changes="{now} wins"),
    Value("attacker", words=_seat, changes="{now} attacks next"),
)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states."""
    return story.events(before, after, cards, STORY)
