"""Positions of the Runeslingers model for tests; seat 0 is A, the active player."""

from functools import cache
from random import Random
from typing import Any

from sim.games.runeslingers.cards import DECK_MAX
from sim.games.runeslingers.state import SLOTS
from tests.games.runeslingers.model.documents import card_row, reference_document
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.model.table import TYPES, Asking, Concentration, GameOver, Thing

A, B = 0, 1
OWN, ENEMY = 0, 1  # TARGET codes of the Runeslingers
OWN_SLOT, ENEMY_SLOT, OWN_BOON, ENEMY_BOON = 2, 8, 14, 18  # TARGET codes of the first ones
BURN, DEBILITATE, CURSE, FRAGMENT, WEAKEN, INSANITY = range(len(TYPES))
FILLER = "insight"  # a card that makes no difference


class AtRandom:
    """Random choices from a generator of Python."""

    def __init__(self, rng: Random):
        self.rng = rng

    def shuffle(self, _seat: int, instances: list[int], /) -> list[int]:
        """Fair."""
        return self.rng.sample(instances, len(instances))

    def roll(self, _seat: int, /) -> int:
        """A die."""
        return self.rng.randint(1, 6)

    def random_discard(self, _seat: int, held: int, /) -> int:
        """Any of them."""
        return self.rng.randrange(held)


class Lots:
    """Random choices that a test sets: decks stay in order, lowest instance on top; rolls and discards come from a list."""

    def __init__(self, *lots: int):
        self.lots = list(lots)

    def shuffle(self, _seat: int, instances: list[int], /) -> list[int]:
        """As they come."""
        return instances[::-1]

    def roll(self, _seat: int, /) -> int:
        """The next."""
        return self.lots.pop(0)

    def random_discard(self, _seat: int, held: int, /) -> int:
        """The next."""
        assert self.lots[0] < held
        return self.lots.pop(0)


@cache
def _numbers() -> dict[str, int]:
    return {card["id"]: number for number, card in enumerate(reference_document()["card"])}


def a_duel(
    a: str = "eva", b: str = "eva", *, stances: tuple[str, str] = ("striking_stance",) * 2, lots: Any = (), **rules: Any
) -> Model:
    """Two Runeslingers of power 5 in A's third turn with empty hands and piles. lots: see `Lots`; more cards: `more`."""
    more = rules.pop("more", ())
    document = reference_document(**rules)
    document["card"] += [card_row(line) for line in more]
    table = Model(document, (0, 0), Lots(*lots))
    table.card_of.clear()
    table.turn, table.first = 4, A
    entries = {name: {row["id"]: row for row in document[name]} for name in ("runeslinger", "stance")}
    for player, hero, stance in zip(table.players, (a, b), stances, strict=True):
        player.hero, player.stance = entries["runeslinger"][hero], entries["stance"][stance]
        player.deck, player.slots_of, player.own_turns = [], [], 3 - player.side
        player.power, player.health, player.sets_left = 5, player.hero["health"], 1
    return table


def card(table: Model, seat: int, name: str) -> int:
    """A new instance of a card, owned by this seat."""
    number = next(at for at, row in enumerate(table.cards) if row["id"] == name)
    inst = next(inst for inst in range(seat * DECK_MAX, (seat + 1) * DECK_MAX) if inst not in table.card_of)
    table.card_of[inst] = number
    if number not in table.players[seat].slots_of:
        table.players[seat].slots_of.append(number)
    return inst


def hold(table: Model, seat: int, *names: str) -> None:
    """A hand."""
    table.players[seat].hand += [card(table, seat, name) for name in names]
    table.sorted_hand(table.players[seat])


def deck(table: Model, seat: int, *names: str) -> None:
    """A deck, the top card first."""
    table.players[seat].deck = [card(table, seat, name) for name in names][::-1]


def discarded(table: Model, seat: int, *names: str) -> None:
    """A discard pile."""
    table.players[seat].discard = [card(table, seat, name) for name in names]


def conc(table: Model, seat: int, name: str = FILLER, *, used: bool = False) -> Concentration:
    """A concentration on the lowest free area."""
    player = table.players[seat]
    slot = player.concs.index(None)
    player.concs[slot] = Concentration(card(table, seat, name), seat, slot, used)
    return player.concs[slot]


def concs(table: Model, seat: int, count: int) -> None:
    """Ready concentrations."""
    for _ in range(count):
        conc(table, seat)


def thing(table: Model, seat: int, name: str, *, owner: int | None = None, area: int = 0, **fields: Any) -> Thing:
    """A card that has been in play for a while: a boon on an area, others on a used concentration."""
    kind = next(row["type"] for row in table.cards if row["id"] == name)
    place = SLOTS + area if kind == "boon" else conc(table, seat, used=True).place
    table.seq += 1
    laid = Thing(card(table, seat if owner is None else owner, name), seat, place, table.seq, 0, **fields)
    table.players[seat].things[place] = laid
    return laid


def ailments(table: Model, seat: int, **counts: int) -> None:
    """Ailments on the lowest areas, in this order."""
    free = [area for area in table.players[seat].areas if not area.count]
    for area, (name, count) in zip(free, counts.items(), strict=False):
        area.type, area.count = TYPES.index(name), count


def suffered(table: Model, seat: int) -> dict[str, int]:
    """Exposed instances by type."""
    return {TYPES[area.type]: area.count for _, area in table.exposed_areas(table.players[seat])}


def names(table: Model, instances: list[int]) -> list[str]:
    """Of cards."""
    return [table.card(inst)["id"] for inst in instances]


def run(routine: Asking, *codes: int) -> Any:
    """Play a part of the game with these answers, single codes not counted; returns what it returns, None at the end."""
    answers = list(codes)
    try:
        question = next(routine)
        while True:
            assert answers, f"{question} is not answered"
            assert answers[0] in question.codes, f"{answers[0]} answers {question}"
            question = routine.send(answers.pop(0))
    except StopIteration as stop:
        result = stop.value
    except GameOver:
        result = None
    assert not answers, f"answers that were not asked for: {answers}"
    return result


def play(table: Model, seat: int, name: str, *codes: int) -> Thing | None:
    """Play a card from the hand with these answers. Returns where it lies, if it still does."""
    player = table.players[seat]
    inst = next(inst for inst in player.hand if table.card(inst)["id"] == name)
    assert table.playable(player, inst), f"{name} cannot be played"
    run(table.play(player, inst), *codes)
    return next((laid for laid in table.things() if laid.inst == inst), None)


def hurt(table: Model, seat: int, n: int, *codes: int, by: int | None = None, **how: bool) -> int:
    """Damage to a Runeslinger, by default from the enemy."""
    words = {"direct": False, "pierce": False, **how}
    dealt: int = run(table.deal(1 - seat if by is None else by, table.players[seat], n, **words), *codes)
    return dealt
