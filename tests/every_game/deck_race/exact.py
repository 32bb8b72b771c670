"""Win rates of Deck race, by going through all orders in which both decks can lie: what every estimate must come near."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import permutations
from typing import Any

from sim.engine.cards import CardSet
from tests.every_game.deck_race.cards import WORTH

Course = tuple[int, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
"""Points, and own turn of the first draw and of the first play of each card that was drawn and played."""


def courses(cards: CardSet, deck: int) -> dict[Course, float]:
    """How a deck fares and how likely that is, all orders of its copies being equally likely."""
    table = cards.document["deck"][deck]
    listed = table["cards"]
    copies = tuple(card for card, number in listed.items() for _ in range(number))
    known = {one["id"]: one for one in cards.document["card"]}
    coach = _brought(cards, "coach", table)
    more = {coach["level"]: coach["more"]} if coach else {}
    facts = tuple(
        (card, known[card]["level"], _worth(known[card]) + more.get(known[card]["level"], 0)) for card in listed
    )
    start = _brought(cards, "snack", table).get("points", 0)
    found = _courses(copies, facts, cards.document["rules"]["turns"])
    return {(points + start, *rest): chance for (points, *rest), chance in found.items()}


def rate(cards: CardSet, deck: int, other: int, given: Callable[[Course], bool] = lambda _: True) -> float:
    """Win rate of a deck against another in the games in which its course is as given, shared wins counted half."""
    start = cards.document["rules"]["head_start"]
    against = Counter[int]()
    for (points, *_), chance in courses(cards, other).items():
        against[points] += chance
    won = whole = 0.0
    for course, chance in courses(cards, deck).items():
        if given(course):
            whole += chance
            for points, weight in against.items():
                for ahead in (start, -start):
                    lead = course[0] + ahead - points
                    won += chance * weight * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) / 2
    return won / whole if whole else float("nan")


def drawn_by(card: str, turn: int) -> Callable[[Course], bool]:
    """Of a course: the card was drawn up to that own turn."""
    return lambda course: dict(course[1]).get(card, turn + 1) <= turn


def played(card: str) -> Callable[[Course], bool]:
    """Of a course: the card was played."""
    return lambda course: card in dict(course[2])


def replaced(game: Any, cards: CardSet, deck: int, card: str) -> CardSet:
    """The card set with a plain card in the place of a card of a deck."""
    return game.from_document(game.decks.plain(cards.document, cards.ids[deck], card))


def _brought(cards: CardSet, word: str, table: dict[str, Any]) -> dict[str, Any]:
    """What a deck brings under a word; empty where it brings nothing."""
    return next((one for one in cards.document.get(word, ()) if one["id"] == table.get(word)), {})


def _worth(card: dict[str, Any]) -> int:
    return int(card["points"]) + sum(WORTH[keyword] for keyword in card.get("keywords", ()))


@cache
def _courses(copies: tuple[str, ...], facts: tuple[tuple[str, int, int], ...], turns: int) -> dict[Course, float]:
    orders = list(permutations(copies))
    found = Counter[Course]()
    for order in orders:
        found[_played_out(order, facts, turns)] += 1
    return {course: number / len(orders) for course, number in found.items()}


def _played_out(order: tuple[str, ...], facts: tuple[tuple[str, int, int], ...], turns: int) -> Course:
    """One course, by the rules as they are told."""
    hand: list[str] = []
    points, drawn, out = 0, {}, {}
    for turn in range(1, turns + 1):
        if turn <= len(order):
            hand.append(order[turn - 1])
            drawn.setdefault(order[turn - 1], turn)
        open_ = [fact for fact in facts if fact[0] in hand and fact[1] <= turn]
        if open_:
            card, _, worth = max(open_, key=lambda fact: fact[1])  # the first of equals
            hand.remove(card)
            points += worth
            out.setdefault(card, turn)
    return points, tuple(sorted(drawn.items())), tuple(sorted(out.items()))
