"""Positions for tests of the Rookling Heroes model, built by words: squads, energy, tokens, answers."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import TypeVar

from sim.games.rookling.state import Draw, Phase
from tests.games.rookling.model.cards import Card, Cards, is_met, read_cards
from tests.games.rookling.model.documents import reference_document
from tests.games.rookling.model.table import SQUAD, Table

T = TypeVar("T")
DEFENDERS = "shadow stone spring"


class Answers:
    """Decisions in the order in which they are expected; any other question fails the test."""

    def __init__(self, *answers: tuple[Phase, int]) -> None:
        self.left = list(answers)
        self.asked: list[tuple[Phase, list[int]]] = []

    def __call__(self, phase: Phase, options: list[int]) -> int:
        """The next answer."""
        self.asked.append((phase, options))
        assert self.left, f"not expected: {phase.name} {options}"
        expected, option = self.left.pop(0)
        assert phase == expected, f"asked {phase.name} {options}, expected {expected.name}"
        return option


def first_option(phase: Phase, options: list[int]) -> int:
    """A player who takes the lowest option, always."""
    return options[0]


def lowest(draw: Draw, results: list[int], seat: int) -> int:
    """A chance that brings the lowest result."""
    return results[0]


@cache
def reference(**rules: object) -> Cards:
    """The reference set with some rules changed."""
    return read_cards(reference_document(**rules))


def a_table(own: str, other: str = DEFENDERS, answers: Answers | None = None, **rules: object) -> Table:
    """The second exchange: seat 0 attacks with `own`, both rows stand as named, hands are empty, the deck is full."""
    table = Table(reference(**rules), answers or Answers(), lowest)
    table.field_squads([[table.cards.rookling(name) for name in squad.split()] for squad in (own, other)])
    table.rows = [list(range(SQUAD)), list(range(SQUAD))]
    table.attacker, table.first, table.exchange = 0, 0, 1
    return table


def card(words: str, table: Table | None = None) -> Card:
    """`red 4`, or a field effect of the table by its id."""
    if table is not None and " " not in words:
        slot = next(slot for slot, effect in table.effects.items() if effect.id == words)
        table.piles[slot] -= 1
        return table.effect_card(slot)
    colour, number = words.split()
    return Card(int(number), colour)


def hold(table: Table, seat: int, *cards: str) -> None:
    """A hand."""
    table.hands[seat] = [card(words, table) for words in cards]


def power(table: Table, seat: int, position: int, *cards: str, line: str = "") -> None:
    """Energy on a Rookling, and the attack or defence line that it uses."""
    zone, rook = table.zones[seat][position], table.rook(seat, position)
    zone.cards = [card(words, table) for words in cards]
    if line:
        zone.line = next(index for index, one in enumerate(rook.card.lines) if one.name == line)
        zone.powered = set(range(len(cards)))


def set_lives(table: Table, seat: int, *lives: int) -> None:
    """Lives by position."""
    for position, life in enumerate(lives):
        table.rook(seat, position).life = life


def lives(table: Table, seat: int) -> tuple[int, ...]:
    """Lives by position."""
    return tuple(table.rook(seat, position).life for position in range(SQUAD))


def bear(table: Table, seat: int, position: int, **tokens: int) -> None:
    """Active token cards from the supply, also such as the reference set knows as field effects only."""
    for name, count in tokens.items():
        table.rook(seat, position).tokens[name] += count
        table.supply[name] -= count


def lines_met(table: Table, seat: int, position: int) -> list[str]:
    """Lines of the Rookling there that its player could use in this half of the exchange."""
    rook, kind = table.rook(seat, position), "attack" if seat == table.attacker else "defence"
    energy = table.zones[seat][position].cards
    return [
        line.name
        for line in rook.card.lines
        if line.kind in (kind, "special") and is_met(line, energy, rook.in_siege, table.rules)
    ]


def every_lot(run: Callable[[Callable[[Draw, list[int], int], int]], T]) -> Iterator[tuple[T, Fraction]]:
    """What comes of everything that chance can bring, with its probability. run: plays with the chance it is given."""
    script: list[int] = []
    while True:
        taken: list[tuple[int, int]] = []  # place, number of results

        def chance(
            draw: Draw, results: list[int], seat: int, script: list[int] = script, taken: list[tuple[int, int]] = taken
        ) -> int:
            place = script[len(taken)] if len(taken) < len(script) else 0
            taken.append((place, len(results)))
            return results[place]

        outcome, probability = run(chance), Fraction(1)
        for _, count in taken:
            probability /= count
        yield outcome, probability
        while taken and taken[-1][0] == taken[-1][1] - 1:
            taken.pop()
        if not taken:
            return
        script = [place for place, _ in taken]
        script[-1] += 1
