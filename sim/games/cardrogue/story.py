"""What happened between two positions of Card Rogue, told from the two state records alone.

Here what the decision was about and how turn and game end; `story_map` tells the dungeon, `story_people` the players.
"""

import numpy as np

from sim.engine.cards import CardSet
from sim.games.cardrogue.decisions import AIM, Node
from sim.games.cardrogue.grid import opens
from sim.games.cardrogue.labels import action, card_or_gold, draw, joined, line_up, some
from sim.games.cardrogue.notation import place, position
from sim.games.cardrogue.picture import picture
from sim.games.cardrogue.record import FACES
from sim.games.cardrogue.state import Ending, Points
from sim.games.cardrogue.story_change import Change
from sim.games.cardrogue.story_map import enemy_lines, map_lines, recoveries
from sim.games.cardrogue.story_people import belongings, bodies, deaths, uses, walks

__all__ = ["action", "draw", "events", "line_up", "picture", "place", "position"]

_ENDINGS = {
    Ending.ALL_DEAD: "Nobody is left alive.",
    Ending.FORFEIT: "Nobody dares to go on: everybody forfeits.",
    Ending.CAPPED: "The game has lasted too long and is stopped.",
    Ending.SOLO_WON: "All goals are reached and the dungeon is left behind.",
    Ending.SOLO_LOST: "The adventure has failed.",
}


def events(before: np.void, after: np.void, cards: CardSet) -> list[str]:
    """Tell what happened between two consecutive states, one sentence each, in the order in which it mostly happens."""
    change = Change(before, after, cards)
    following = int(after["active"])
    fresh = [following] if change.turns and following != change.seat else []  # whose turn has begun meanwhile
    return [
        *_deed(change),
        *uses(change),
        *walks(change),
        *enemy_lines(change),
        *map_lines(change),
        *bodies(change, [seat for seat in change.seats if seat not in fresh]),
        *deaths(change),
        *recoveries(change),
        *belongings(change),
        *_turn(change),
        *bodies(change, fresh),
        *_end(change),
    ]


def _deed(change: Change) -> list[str]:
    """What the acting player tried, and how the dice fell."""
    seat, name = change.seat, change.name(change.seat)
    if change.gain("flights", seat):
        return [f"{name} {'gets away' if change.gain('flights_won', seat) else 'tries to flee and fails'}."]
    if change.gain("trips", seat):
        tripped = [change.name(other) for other in change.seats if other != seat and change.gain("skip", other) > 0]
        won = change.gain("trips_won", seat)
        return [
            f"{name} trips {joined(tripped) or 'who is down already'}." if won else f"{name} tries to trip and fails."
        ]
    if change.gain("steals", seat) and not change.gain("steals_won", seat):
        return [f"{name} tries to steal and fails."]
    if change.gain("moles", seat):
        return [f"{name} calls the mole."]
    return _attack(change) if change.node == Node.ATTACK else _trade(change)


def _attack(change: Change) -> list[str]:
    """ROGUE-43 to 46. The attack roll: the faces that it showed, and what it did."""
    fight, before = change.after["fight"], change.before
    faces = [str(face) for face in range(1, FACES) if opens(int(fight["faces"]), face)]
    around = [slot for slot in range(before["enemies"]) if change.seat in before["order"][slot]]
    struck = [slot for slot in around if change.slain(slot) or change.gain("enemy_health", slot) < 0] or around
    target = f" {change.enemy(struck[0])}" if len(struck) == 1 else ""
    poison = sum(change.gain("enemy_poison", slot) == -1 for slot in around)
    damage = max(0, change.gain("damage_dealt", change.seat) - poison)
    did = "it is dodged" if fight["dodged"] else f"{damage} damage"
    return [f"{change.name(change.seat)} attacks{target} and rolls {joined(faces)}: {did}."]


def _trade(change: Change) -> list[str]:
    """ROGUE-66. An offer, and its answer."""
    if change.gain("offers_made", change.seat):
        partner, give, want = (int(change.after["arg"][place]) for place in (0, 1, AIM))
        things = [card_or_gold(change.cards, code) for code in (give, want)]
        return [f"{change.name(change.seat)} offers {change.name(partner)} {things[0]} for {things[1]}."]
    if change.node == Node.TRADE_ANSWER:
        answer = "accepts" if change.gain("offers_taken", change.seat) else "refuses"
        return [f"{change.name(int(change.before['asked']))} {answer}."]
    return []


def _turn(change: Change) -> list[str]:
    """The end of a turn, and the beginning of the end rush."""
    after = change.after
    told = ["The end rush begins."] if change.gain("rush") else []
    if change.turns and after["node"] == Node.SECOND_TURN:
        told.append(f"Turn {after['turn']} ends; {change.name(change.seat)} may take another.")
    elif change.turns and after["node"] != Node.OVER:
        first, last = int(change.before["turn"]) + 1, int(after["turn"])
        ended = f"Turn {last} ends" if first == last else f"Turns {first} to {last} end"
        told.append(f"{ended}; {change.name(int(after['active']))} is next.")
    return told


def _end(change: Change) -> list[str]:
    """How the game ended, and the points."""
    after = change.after
    if not change.gain("ending"):
        return []
    ending = Ending(after["ending"])
    if ending == Ending.EXIT:
        first = next(seat for seat in change.seats if change.gain("scored", seat, Points.EXIT) or seat == change.seat)
        told = [f"{change.name(first)} is the first out of the dungeon."]
    else:
        told = [_ENDINGS[ending]]
    if after["seats"] == 1:
        return told
    points = [f"{change.name(seat)} {some(int(after['points'][seat].sum()), 'point')}" for seat in change.seats]
    return [*told, f"Points: {joined(points)}."]
