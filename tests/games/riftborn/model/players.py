"""Libraries, hands, discard pile and lives in the Riftborn Tactics model. RIFT-51, 84, 104, 107, 120 to 123."""

from sim.games.riftborn.state import Phase, Wound
from tests.games.riftborn.model.cards import Card
from tests.games.riftborn.model.state import SEATS, Asking, Question, Table


def shuffle(table: Table, seat: int, cards: list[Card]) -> None:
    """Make these cards, shuffled, the library; no player knows any of them."""
    player = table.players[seat]
    order = table.chance.library(seat, [card.place for card in cards])
    if sorted(order) != sorted(card.place for card in cards):
        raise ValueError(f"library of seat {seat}: {order} are not the cards that were to be shuffled")
    player.library = [table.cards.cards[place] for place in order]
    player.known_own = player.known_other = 0


def draw(table: Table, seat: int, n: int) -> None:
    """RIFT-120. n cards, as far as there are any."""
    player = table.players[seat]
    for _ in range(n):
        if not player.library and player.discard:
            cards, player.discard = player.discard, []
            shuffle(table, seat, cards)
            table.facts.refills[seat] += 1
        if not player.library:
            return
        player.hand.append(player.library.pop(0))
        player.known_own, player.known_other = max(0, player.known_own - 1), max(0, player.known_other - 1)
        table.facts.drew(seat, player.hand[-1])


def lay_off(table: Table, seat: int, card: Card, depleted: bool | None = None) -> None:
    """RIFT-84, 121. A card goes to the discard pile, or out of the game. depleted: if not as printed."""
    player = table.players[seat]
    if depleted is None:
        depleted = "DEPLETED" in card.abilities
    if depleted:
        table.facts.acted(seat, "DEPLETED")
    (player.removed if depleted else player.discard).append(card)


def scry(table: Table, seat: int, x: int) -> Asking[None]:
    """RIFT-104. The top cards are put back in any order; one that is alone needs no choice."""
    player = table.players[seat]
    table.facts.acted(seat, "SCRY")
    looked_at = min(x, len(player.library))
    player.known_own, player.known_other = max(player.known_own, looked_at), 0
    for place in range(looked_at - 1):
        chosen = yield Question(Phase.SCRY, seat, list(range(looked_at - place)))
        player.library.insert(place, player.library.pop(place + chosen))


def spy(table: Table, seat: int, x: int) -> None:
    """RIFT-107."""
    table.facts.acted(seat, "SPY")
    other = table.players[1 - seat]
    other.known_other = max(other.known_other, min(x, len(other.library)))


def recall(table: Table, seat: int) -> None:
    """Shuffle the discard pile into the library."""
    player = table.players[seat]
    cards, player.discard = player.library + player.discard, []
    shuffle(table, seat, cards)


def hit_player(table: Table, seat: int, n: int, wound: Wound) -> int:
    """RIFT-51. Armour first, the oldest before others. Returns how much of the life that was left is lost."""
    player = table.players[seat]
    table.facts.wounds[seat][wound] += n
    rest = n
    for armour in list(player.armours):
        absorbed = min(rest, armour.points)
        rest -= absorbed
        armour.points -= absorbed
        table.facts.absorbed[seat] += absorbed
        if not armour.points:
            player.armours.remove(armour)
            lay_off(table, seat, armour.card)
    before = player.life
    player.life -= rest
    return min(rest, before)


def heal_player(table: Table, seat: int, n: int) -> None:
    """RIFT-05, 90. Life up to that of the start."""
    player = table.players[seat]
    player.life = min(table.rules.start_life, player.life + n)


def hit_players(table: Table, seats: list[int], n: int, wound: Wound) -> None:
    """RIFT-130. Damage one player or both at the same time; raises GameOver if a player loses."""
    for seat in seats:
        hit_player(table, seat, n, wound)
    table.check_lives(wound)


def players_of(who: str, seat: int) -> list[int]:
    """Seats that `who` of an effect means: own, enemy, both."""
    return {"own": [seat], "enemy": [1 - seat], "both": list(SEATS)}[who]
