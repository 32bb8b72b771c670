"""Random legal Arena positions, clustered so that collisions, chains and falls off the rim are frequent.

A position is a plain dictionary that `Model.at(document, position)` takes:
heroes (card ids by seat), board (id), positions {piece: (q, r)}, owner {dragonling: seat}, marker, protection, slow,
rage, place (lists by seat), turn, first, active, phase.
"""

from random import Random

from tests.games.arena.model.board import Board, Hex, board_of, distance

MOST_SEATS = 4
CROWD = 3  # hexes around the middle of a cluster


def random_position(document: dict, rng: Random, phase: str = "ABILITY") -> dict:
    """A legal position of 2..4 different heroes with a decision of `phase` (ABILITY or MOVE) ahead."""
    cards = rng.sample(document["hero"], rng.randint(2, min(MOST_SEATS, len(document["hero"]))))
    entry = rng.choice(document["board"])
    seats = range(len(cards))
    standing = list(seats)
    if len(cards) > 2 and rng.random() < 0.2:
        standing.remove(rng.choice(standing))
    tokens = document.get("rules", {}).get("tokens", 12)
    rage = [0 for _ in seats]
    for seat in rng.sample(standing, len(standing)):
        rage[seat] = rng.randint(0, min(cards[seat].get("rage_cap", 0), tokens))
        tokens -= rage[seat]
    places = _places(board_of(entry), rng)
    where: dict[int, Hex] = {seat: places.pop() for seat in standing}
    brood = _brood(cards, standing, min(tokens, len(places)), rng)
    where |= {piece: places.pop() for piece in brood}
    active = rng.choice(standing)
    shield = [_shield(card) for card in cards]
    return {
        "heroes": [card["id"] for card in cards],
        "board": entry["id"],
        "positions": where,
        "owner": brood,
        "marker": [rng.randrange(sum(card["energy"])) for card in cards],
        "protection": [_now_and_then(rng, shield[s] * (s in standing and s != active)) for s in seats],
        "slow": [_now_and_then(rng, 2 * (s in standing)) for s in seats],
        "rage": rage,
        "place": [0 if seat in standing else len(cards) for seat in seats],
        "turn": rng.randint(0, 9),
        "first": rng.choice(seats),
        "active": active,
        "phase": phase,
    }


def _now_and_then(rng: Random, most: int) -> int:
    return rng.randint(0, most) if rng.random() < 0.4 else 0


def _shield(card: dict) -> int:
    """Largest number of Defence dice that a hero can give itself."""
    effects = [effect for ability in card["ability"] for effect in ability.get("effects", [])]
    return max((effect["dice"] for effect in effects if effect["op"] == "self_defence"), default=0)


def _brood(cards: list[dict], standing: list[int], tokens: int, rng: Random) -> dict[int, int]:
    """Owner by dragonling number, within caps and pool."""
    numbers = iter(sorted(rng.sample(range(4, 16), 12)[: rng.choice([2, 5, 12])]))
    brood: dict[int, int] = {}
    for seat in standing:
        most = min(cards[seat].get("dragonling_cap", 0), tokens - len(brood))
        for _ in range(rng.randint(0, most)):
            number = next(numbers, None)
            if number is not None:
                brood[number] = seat
    return brood


def _places(board: Board, rng: Random) -> list[Hex]:
    """All land hexes, ordered so that those taken from the end lie close together, often at the rim."""
    middle = rng.choice(board.land)
    if rng.random() < 0.5:
        middle = max(rng.sample(board.land, 3), key=lambda place: distance((0, 0), place))
    places = list(board.land)
    rng.shuffle(places)
    loose = rng.random() < 0.3
    return places if loose else sorted(places, key=lambda place: -max(distance(middle, place), rng.randint(1, CROWD)))
