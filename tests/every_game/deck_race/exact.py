"""Exact win rates of Deck race, by enumerating all orders of both decks."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

from sim.engine.cards import CardSet
from tests.every_game.deck_race import WORTH

Course = tuple[int, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
"""Points, and the player's turn of the first draw and of the first play of each card."""


def courses(cards: CardSet, deck: int) -> dict[Course, float]:
    """Chance of each course of a deck; all orders of its copies are equally likely."""
    table = cards.document["deck"][deck]
    listed = table["cards"]
    copies = tuple(card for card, number in listed.items() for _ in range(number))
    known = {entry["id"]: entry for entry in cards.document["card"]}
    coach = _brought(cards, "coach", table)
    more = {coach["level"]: coach["more"]} if coach else {}
    facts = tuple((card, known[card]["level"], _worth(known[card]) + more.get(known[card]["level"], 0)) for card in listed)
    start = _brought(cards, "snack", table).get("points", 0)
    chances = _courses(copies, facts, cards.document["rules"]["turns"])
    return {(points + start, *rest): chance for (points, *rest), chance in chances.items()}


def rate(cards: CardSet, deck: int, other: int, given: Callable[[Course], bool] = lambda _: True) -> float:
    """Win rate of a deck against another in the games whose course meets `given`; shared wins count half."""
    start = cards.document["rules"]["head_start"]
    against = Counter[int]()
    for (points, *_), chance in courses(cards, other).items():
        against[points] += chance
    won = total = 0.0
    for course, chance in courses(cards, deck).items():
        if given(course):
            total += chance
            for points, weight in against.items():
                for ahead in (start, -start):
                    lead = course[0] + ahead - points
                    won += chance * weight * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) / 2
    return won / total if total else float("nan")


def drawn_by(card: str, turn: int) -> Callable[[Course], bool]:
    """Condition on a course: the card was drawn by that turn of the player."""
    return lambda course: dict(course[1]).get(card, turn + 1) <= turn


def played(card: str) -> Callable[[Course], bool]:
    """Condition on a course: the card was played."""
    return lambda course: card in dict(course[2])


def replaced(game: Any, cards: CardSet, deck: int, card: str) -> CardSet:
    """The card set with a card of a deck replaced by a plain one."""
    return game.from_document(game.decks.plain(cards.document, cards.ids[deck], card))


def _brought(cards: CardSet, word: str, table: dict[str, Any]) -> dict[str, Any]:
    """What a deck brings under a word; empty where it brings nothing."""
    return next((entry for entry in cards.document.get(word, ()) if entry["id"] == table.get(word)), {})


def _worth(card: dict[str, Any]) -> int:
    return int(card["points"]) + sum(WORTH[keyword] for keyword in card.get("keywords", ()))


@cache
def _courses(copies: tuple[str, ...], facts: tuple[tuple[str, int, int], ...], turns: int) -> dict[Course, float]:
    orders = list(permutations(copies))
    counts = Counter[Course]()
    for order in orders:
        counts[_played_out(order, facts, turns)] += 1
    return {course: number / len(orders) for course, number in counts.items()}


def _played_out(order: tuple[str, ...], facts: tuple[tuple[str, int, int], ...], turns: int) -> Course:
    """The course of one order of the deck, step by step as in the rules."""
    hand: list[str] = []
    points, drawn, out = 0, {}, {}
    for turn in range(1, turns + 1):
        if turn <= len(order):
            hand.append(order[turn - 1])
            drawn.setdefault(order[turn - 1], turn)
        open_ = [fact for fact in facts if fact[0] in hand and fact[1] <= turn]
        if open_:
            card, _, worth = max(open_, key=lambda fact: fact[1])  # the first one in a tie
            hand.remove(card)
            points += worth
            out.setdefault(card, turn)
    return points, tuple(sorted(drawn.items())), tuple(sorted(out.items()))
