"""How creatures enter in the Riftborn Tactics model. RIFT-14, 27 to 30, 104, 107, 109, 115."""

from sim.games.riftborn.state import Phase
from tests.games.riftborn.model_cards import TRICKS, Card
from tests.games.riftborn.model_deaths import check_and_earn, spring
from tests.games.riftborn.model_geometry import distance
from tests.games.riftborn.model_piles import draw, scry, spy
from tests.games.riftborn.model_state import Asking, Creature, Question, Table


def enter(table: Table, seat: int, card: Card, codes: list[int]) -> Asking[Creature]:
    """RIFT-30, 108. A creature or token on one of these places, then RIFT-70."""
    code = yield Question(Phase.PLACE, seat, codes)
    creature = Creature(card, seat, None if card.type == "token" else card, morale=table.rules.morale_start)
    creature.face_down = "STEALTH" in card.abilities
    creature.entered = True
    if creature.face_down:
        table.facts.acted(seat, "STEALTH")
    table.insert(creature, code)
    if card in table.players[seat].waiting:
        table.players[seat].waiting.remove(card)
    check_and_earn(table)
    return creature


def when_played(table: Table, seat: int, card: Card) -> Asking[None]:
    """RIFT-29. In the order printed."""
    for name, x in card.played:
        if name == "TRICK":
            yield from lay_trick(table, seat)
            continue
        if name == "DRAW":
            table.facts.acted(seat, name)
            draw(table, seat, x)
        elif name == "SCRY":
            yield from scry(table, seat, x)
        else:
            spy(table, seat, x)


def lay_trick(table: Table, seat: int) -> Asking[None]:
    """RIFT-115. None, or one that does not lie there already."""
    player = table.players[seat]
    free = [code for code, name in enumerate(TRICKS) if name not in player.tricks]
    code = yield Question(Phase.TRICK_SET, seat, free)
    if code:
        player.tricks.add(TRICKS[code])
        table.facts.laid[seat] += 1


def bring(table: Table, seat: int, card: Card) -> Asking[None]:
    """RIFT-28 (2) to (4), (7), and `snare` waits: a creature card, played or told to be played."""
    table.gain(seat, card.xp, "play")
    table.facts.played(seat, card)
    table.players[seat].waiting.append(card)
    creature = yield from enter(table, seat, card, table.gaps(seat))
    yield from when_played(table, seat, card)
    check_and_earn(table)
    spring(table, 1 - seat, "snare", creature)


def play_free(table: Table, seat: int, max_level: int) -> Asking[None]:
    """RIFT-27. A creature card from the hand that uses no budget."""
    hand = table.players[seat].hand
    fitting = [at for at, card in enumerate(hand) if card.type == "creature" and card.level <= max_level]
    if fitting and table.gaps(seat):
        at = yield Question(Phase.HAND, seat, fitting)
        yield from bring(table, seat, hand.pop(at))


def summon(table: Table, seat: int, card: Card, n: int, near: Creature | None = None) -> Asking[None]:
    """RIFT-27, 109. Tokens, one by one, as many as fit. near: the creature they must be adjacent to."""
    for _ in range(n):
        if near is not None and not table.there(near):
            return
        codes = table.gaps(seat) if near is None else gaps_near(table, near)
        if not codes:
            return
        table.gain(seat, card.xp, "summon")
        yield from enter(table, seat, card, codes)


def gaps_near(table: Table, creature: Creature) -> list[int]:
    """RIFT-109. Places from which a new creature would be adjacent to this one, after centring."""

    def would_be_adjacent(code: int) -> bool:
        trial = Creature(creature.card, creature.owner, None)
        table.insert(trial, code)
        found = distance(table, trial, creature) == 1
        table.remove(trial)
        return found

    return [code for code in table.gaps(creature.owner) if would_be_adjacent(code)]
