"""Positions of the Riftborn Tactics model for tests, in the notation of the specification; seat 0 is A, the active player."""

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Any

from tests.games.riftborn.model.cards import Card, Cards, read_cards
from tests.games.riftborn.model.documents import reference_document
from tests.games.riftborn.model.facts import Facts
from tests.games.riftborn.model.state import Armour, Asking, Creature, Player, Question, Table, Weapon
from tests.games.riftborn.model.turn import Model, from_main

A, B = 0, 1
Rows = str  # `soldier_guard, beast_cub / soldier_archer`: front row first


class Lots:
    """Chance as a test wants it: libraries from a list of orders, in turn, else as they come; then the coin."""

    def __init__(self, *libraries: Iterable[str], cards: Cards | None = None, first: int = A):
        self.libraries = [list(names) for names in libraries]
        self.cards, self.first = cards, first

    def library(self, _seat: int, cards: list[int], /) -> list[int]:
        """The next order that was given, or the order in which the cards come."""
        if not self.libraries or self.cards is None:
            return cards
        return [self.cards.card(name).place for name in self.libraries.pop(0)]

    def coin(self) -> int:
        """Who was to go first."""
        return self.first


class AtRandom:
    """Chance by a generator of Python."""

    def __init__(self, rng: Random):
        self.rng = rng

    def library(self, _seat: int, cards: list[int], /) -> list[int]:
        """Shuffled."""
        return self.rng.sample(cards, len(cards))

    def coin(self) -> int:
        """Fair."""
        return self.rng.randrange(2)


@cache
def _reference() -> Cards:
    return read_cards(reference_document())


def reference(**rules: Any) -> Cards:
    """The reference set with these rules."""
    return read_cards(reference_document(**rules)) if rules else _reference()


def a_table(a: Rows = "", b: Rows = "", cards: Cards | None = None, chance: Any = None, **rules: Any) -> Table:
    """Formations that have stood there for a while; decks, hands and libraries are empty, life as at the start."""
    cards = cards or reference(**rules)
    players = [Player((), cards.rules.start_life, own_turns=1) for _ in (A, B)]
    table = Table(cards, chance or Lots(cards=cards), players, first=A, facts=Facts([(), ()]))
    for seat, text in enumerate((a, b)):
        for row in text.split(" / ") if text else []:
            players[seat].rows.append([a_creature(table, seat, name) for name in row.split(", ")])
        table.form(seat)
    return table


def a_creature(table: Table, seat: int, name: str) -> Creature:
    """A creature, or a token, that has been there for a turn, face up."""
    card = table.cards.card(name)
    return Creature(card, seat, None if card.type == "token" else card, morale=table.rules.morale_start)


def at(table: Table, seat: int, row: int = 0, index: int = 0) -> Creature:
    """A0.1 is `at(table, A, 0, 1)`."""
    return table.players[seat].rows[row][index]


def formation(table: Table, seat: int) -> list[list[str]]:
    """Names of the creatures, row by row."""
    return [[creature.card.id for creature in row] for row in table.players[seat].rows]


def ids(cards: Iterable[Card]) -> list[str]:
    """Names of cards."""
    return [card.id for card in cards]


def cards_of(table: Table, *names: str) -> list[Any]:
    """A pile: the top card first."""
    return [table.cards.card(name) for name in names]


def hold(table: Table, seat: int, *names: str) -> None:
    """A hand."""
    table.players[seat].hand = cards_of(table, *names)


def attach(table: Table, seat: int, *names: str) -> None:
    """Weapons and Armours, oldest first."""
    player = table.players[seat]
    for card in cards_of(table, *names):
        if card.type == "weapon":
            player.weapons.append(Weapon(card, card.health))
        else:
            player.armours.append(Armour(card, card.health))


def run(routine: Asking[Any], *codes: int) -> Any:
    """A part of the game played with these answers, single codes not counted; returns what it returns."""
    answers = list(codes)
    try:
        question = next(routine)
        while True:
            question = routine.send(answer(question, answers))
    except StopIteration as end:
        assert not answers, f"not asked: {answers}"
        return end.value


def answer(question: Question, answers: list[int]) -> int:
    """The next answer, or the only code."""
    if len(question.codes) == 1:
        return question.codes[0]
    assert answers, f"no answer to {question}"
    assert answers[0] in question.codes, f"{answers[0]} is no answer to {question}"
    return answers.pop(0)


def at_main(table: Table, routine: Callable[[Table], Asking[None]] = from_main) -> Model:
    """A model that plays on from A's main step."""
    return Model(table, routine)


def with_level(table: Table, seat: int, xp: int) -> None:
    """Experience, and a turn that began with it."""
    table.players[seat].xp = xp
    table.players[seat].start_level = table.level(seat)
