"""The parts of a position that the story of a replay reports."""

from collections.abc import Iterator

import numpy as np

from sim.engine import story
from sim.engine.cards import CardSet
from sim.engine.story import Change, Index, Item, Rise, Value
from sim.engine.words import some
from sim.games.arena.state import NOWHERE, PIECES, Cause, Phase
from sim.games.arena.text import hex_name, piece_name, zone_name

_ATTACKS = (Phase.ABILITY, Phase.PRE_MOVE, Phase.RAGE)  # decisions after which an attack can be rolled
_CAUSES = {
    Cause.KNOCKBACK: "knocked back by",
    Cause.COLLISION: "struck by what was set going by",
    Cause.PULL: "pulled by",
    Cause.RETALIATION: "shoved by",
}


def _piece(change: Change, index: Index) -> str:
    return piece_name(change.after, change.cards, index[0])


def _hex(change: Change, place: int) -> str:
    return hex_name(change.cards, place)


def _moves(change: Change, index: Index) -> str:
    """How a hero moved others: those that are not active retaliate (ARENA-43)."""
    return "moves others" if index[0] == change.was("active") else "shoves back"


def rolls(change: Change) -> Iterator[Item]:
    """ARENA-31 (f). Hits and blocks. The same faces can be rolled twice in a row, so they are no change of a number."""
    user, after = change.was("active"), change.after
    attacks = after["phase"] == Phase.STEP or change.gain("attacks", user) > 0
    if change.was("phase") not in _ATTACKS or not attacks:
        return
    record, card = change.cards.record[0], (after["hero"][user], after["ability"])
    hits = some(int(after["hits"]), "hit")
    yield _piece(change, (user,)), f"has {hits} without a roll" if record["auto_hit"][card] else f"rolls {hits}"
    for slot, target in enumerate(after["targets"][: after["target_count"]]):
        blocks = "no Defence roll" if record["no_defence_roll"][card] else f"blocks {after['blocked'][slot]}"
        yield _piece(change, (int(target),)), blocks


def falls(change: Change) -> Iterator[Item]:
    """ARENA-64, 85. Who fell into the water, where and by whom, and dragonlings that left with their owner."""
    for piece in range(PIECES):
        if change.differs("fall_turn", piece):
            edge, cause = _hex(change, change.now("fall_hex", piece)), _CAUSES[Cause(change.now("fall_cause", piece))]
            by = _piece(change, (change.now("fall_by", piece),))
            yield _piece(change, (piece,)), f"falls into the water beyond {edge}, {cause} {by}"
        elif change.now("pos", piece) < 0 <= change.was("pos", piece):
            yield _piece(change, (piece,)), f"leaves the board with {_piece(change, (change.was('owner', piece),))}"


def energy(change: Change) -> Iterator[Item]:
    """ARENA-44, 49. The energy track and its zone."""
    for (seat,) in change.places("marker"):
        was, now = change.was("marker", seat), change.now("marker", seat)
        zones = [zone_name(change.cards, change.now("hero", seat), marker) for marker in (was, now)]
        entered = f", enters {zones[1]}" if zones[0] != zones[1] else ""
        yield _piece(change, (seat,)), f"energy {was} -> {now}{entered}"


STORY = (
    rolls,
    Rise("collisions_suffered", owner=_piece, rises="is struck"),
    Value("pos", owner=_piece, words=_hex, none=NOWHERE, begins="on {now}", changes="from {was} to {now}", ends=""),
    falls,
    Rise("damage_taken", owner=_piece, rises="takes {by} damage"),
    energy,
    Rise("hexes_pushed", _moves, owner=_piece, rises="{word} by {by}"),
    Rise("collisions_caused", owner=_piece, rises="strikes {by} in its chains"),
    Value("rage", owner=_piece),
    Value("protection", owner=_piece, none=0, begins="Defence +{now} until its next turn", ends="Defence +{was} ends"),
    Value("slow", owner=_piece, none=0, begins="slowed by {now} on its next turn", ends=""),
    Value("place", owner=_piece, none=0, begins="place {now}"),
)


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """What happened between two consecutive states."""
    return story.events(before, after, cards, STORY)
