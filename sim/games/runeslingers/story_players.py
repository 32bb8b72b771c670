"""What happened to players between two positions of Runeslingers: damage, powers, cards, the turn, the end."""

from sim.games.runeslingers.lists import joined, some
from sim.games.runeslingers.record import Boost
from sim.games.runeslingers.state import NOBODY
from sim.games.runeslingers.story_change import Change
from sim.games.runeslingers.terms import Cause, Drain, Lost, Phase

_DRAINS = {
    Drain.DAMAGE: "takes {} damage",
    Drain.CARRIED: "takes {} damage that goes on behind a card",
    Drain.LOSS: "loses {} health",
}
_LOST = {
    Lost.HEALTH: "by health",
    Lost.DECK: "by an empty deck",
    Lost.AILMENTS: "by ailments",
}
_ENDS = {
    Cause.HEALTH: "has lost the last power by health",
    Cause.DECK: "has lost the last power by an empty deck",
    Cause.AILMENTS: "has lost the last power by ailments",
    Cause.MAX_HEALTH: "has no maximum health left",
    Cause.NO_CARDS: "has neither deck nor discard pile left",
}


def blows(change: Change) -> list[str]:
    """RUNE-20 to 23, 82 to 89. Blocks, barriers, damage, health lost, powers lost."""
    told = []
    for seat in reversed(change.seats):
        told += [f"Seat {seat + 1} blocks."] * change.gain("blocks", seat)
        if (absorbed := change.gain("prevented", seat)) > 0:
            told.append(f"Barriers of seat {seat + 1} absorb {absorbed} damage.")
        taken = {drain: change.gain("drained", seat, int(drain)) for drain in Drain}
        told += [f"Seat {seat + 1} {_DRAINS[drain].format(points)}." for drain, points in taken.items() if points]
        lost = {cause: change.gain("powers_lost", seat, int(cause)) for cause in Lost}
        told += [
            f"Seat {seat + 1} loses {some(count, 'power')} {_LOST[cause]}." for cause, count in lost.items() if count
        ]
        told += _health(change, seat, sum(taken.values()), lost[Lost.HEALTH] > 0)
    return told


def _health(change: Change, seat: int, drained: int, reset: bool) -> list[str]:
    """The health that is left, and what was healed or cut down where no lost power hides it."""
    now, gained = int(change.after["health"][seat]), change.gain("health", seat) + drained
    if change.over and change.after["power"][seat] == 0:
        return []
    if gained > 0 and not reset:
        return [f"Seat {seat + 1} heals {gained} and has {now} health now."]
    if gained < 0 and not reset:
        return [f"Seat {seat + 1} is cut down to {now} health, the maximum."]
    return [f"Seat {seat + 1} has {now} health now."] if drained else []


def gains(change: Change) -> list[str]:
    """Barriers and boosts that came, and determination spent."""
    told = []
    for seat in change.seats:
        if change.gain("barrier", seat) > 0:
            told.append(f"Seat {seat + 1} has a barrier of {change.after['barrier'][seat]}.")
        for boost in Boost:
            if (points := change.gain("boosts", seat, int(boost))) > 0:
                word = boost.name.lower().replace("_", " of ")
                told.append(f"Seat {seat + 1} has {points} more {word} this turn.")
        if spent := change.gain("spent", seat):
            told.append(f"Seat {seat + 1} spends {spent} determination.")
    return told


def discards(change: Change) -> list[str]:
    """RUNE-121 to 123. Cards seared, voided and discarded from a hand, by number; piles are open."""
    told = []
    for seat in change.seats:
        seared, voided = change.gain("seared", seat), change.gain("voided", seat)
        if seared:
            told.append(f"Seat {seat + 1} sears {some(seared, 'card')}{_named(change, 'discard', seat, seared)}.")
        if voided:
            told.append(f"Seat {seat + 1} voids {some(voided, 'card')}{_named(change, 'void', seat, voided)}.")
        hand = [int(inst) for inst in change.before["hand"][seat, : change.before["hand_n"][seat]]]
        dropped = [inst for inst in change.came("discard", seat) if inst in hand]
        told += [f"Seat {seat + 1} discards {joined(change.names(dropped))}."] if dropped else []
        if turned := change.gain("to_limit", seat):
            told.append(f"The full hand of seat {seat + 1} turns {some(turned, 'card')} away.")
    return told


def _named(change: Change, pile: str, seat: int, count: int) -> str:
    """Names of cards that went from a deck to a pile, where it is clear which they are."""
    deck = [int(inst) for inst in change.before["deck"][seat, : change.before["deck_n"][seat]]]
    came = [inst for inst in change.came(pile, seat) if inst in deck]
    return f": {joined(change.names(came))}" if len(came) == count else ""


def draws(change: Change) -> list[str]:
    """RUNE-24, 120. Cards drawn, and discard piles that became decks."""
    told = []
    for seat in change.seats:
        if change.gain("powers_lost", seat, int(Lost.DECK)) and not (change.over and change.after["power"][seat] == 0):
            told.append(f"Seat {seat + 1} shuffles its discard pile into a new deck.")
        drawn, played = change.gain("drawn_cards", seat), change.phase in (Phase.SETUP, Phase.FIRST)
        came = change.came("hand", seat)
        if drawn and drawn == len(came) and not played:
            told.append(f"Seat {seat + 1} draws {joined(change.names(came))}.")
        elif drawn:
            told.append(f"Seat {seat + 1} draws {some(drawn, 'card')}.")
    return told


def turns(change: Change) -> list[str]:
    """RUNE-17, 30. Who goes first, and who is next."""
    told = []
    if change.before["chooser"] == NOBODY != change.after["chooser"]:
        told.append(f"Seat {change.after['chooser'] + 1} wins the roll.")
    if change.began:
        told.append(f"Seat {change.after['first'] + 1} goes first.")
    active, first = int(change.before["active"]), int(change.before["turn"])
    for number in range(change.gain("turn")):
        following = (active + number + 1) % len(change.seats)
        told.append(f"Turn {first + number + 1} ends; seat {following + 1} is next.")
    return told


def end(change: Change) -> list[str]:
    """RUNE-20, 25 to 27. The end of the encounter."""
    if not change.over:
        return []
    winner, cause = int(change.after["winner"]), Cause(change.after["cause"])
    if winner == NOBODY:
        return ["Both fall at the same instant: the encounter is a draw."]
    return [f"Seat {2 - winner} {_ENDS.get(cause, 'has lost')}: seat {winner + 1} wins."]
