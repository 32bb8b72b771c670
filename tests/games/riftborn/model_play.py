"""Mulligan and played cards in the Riftborn Tactics model. RIFT-06 to 08, 22 to 28."""

from sim.games.riftborn.state import Phase
from tests.games.riftborn.model_deaths import check_and_earn, spring
from tests.games.riftborn.model_effects import Acting, run_list, work_off
from tests.games.riftborn.model_entering import bring, when_played
from tests.games.riftborn.model_piles import draw, lay_off, shuffle
from tests.games.riftborn.model_state import SEATS, Armour, Asking, Question, Table, Weapon


def set_up(table: Table) -> Asking[None]:
    """RIFT-06 to 08. Decks, hands, mulligans, coin."""
    for seat in SEATS:
        shuffle(table, seat, list(table.players[seat].deck))
        draw(table, seat, table.rules.start_hand)
    for seat in SEATS:
        for _ in range(table.rules.mulligans):
            yield from mulligan(table, seat)
    table.first = table.active = table.chance.coin()


def mulligan(table: Table, seat: int) -> Asking[None]:
    """RIFT-07. All cards are asked for before any is returned."""
    player = table.players[seat]
    answers = [0] * len(player.hand)
    for at in range(len(player.hand)):
        answers[at] = yield Question(Phase.MULLIGAN, seat, [0, 1])
    returned = [at for at, answer in enumerate(answers) if answer]
    if returned:
        cards = [player.hand[at] for at in returned]
        player.hand = [card for at, card in enumerate(player.hand) if at not in returned]
        for card in cards:
            table.facts.gave_back(seat, card)
        shuffle(table, seat, player.library + cards)
        draw(table, seat, len(cards))
        table.facts.returned[seat] += len(cards)


def playable(table: Table, seat: int) -> list[int]:
    """RIFT-22, 28. Places of the cards in hand that may be played: the first copy of each."""
    hand = table.players[seat].hand
    return [
        at
        for at, card in enumerate(hand)
        if card not in hand[:at] and card.level <= table.budget(seat) and (card.type != "creature" or table.gaps(seat))
    ]


def play_card(table: Table, seat: int, at: int) -> Asking[None]:
    """RIFT-28."""
    player = table.players[seat]
    card = player.hand.pop(at)
    player.used_levels += card.level
    if card.type == "creature":
        yield from bring(table, seat, card)
    else:
        table.gain(seat, card.xp, "play")
        table.facts.played(seat, card)
        if card.type == "weapon":
            player.weapons.append(Weapon(card, card.health))
            yield from when_played(table, seat, card)
        elif card.type == "armour":
            player.armours.append(Armour(card, card.health))
            yield from when_played(table, seat, card)
        else:
            player.waiting.append(card)
            yield from when_played(table, seat, card)
            yield from run_list(table, card.effects, Acting(seat))
            player.waiting.remove(card)
            lay_off(table, seat, card)
        check_and_earn(table)
        if card.type == "spell":
            spring(table, 1 - seat, "echo")
    yield from work_off(table)
