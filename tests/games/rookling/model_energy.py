"""Energy of the Rookling Heroes model: thresholds, colours, several cards, amounts (register 4.2)."""

from collections.abc import Sequence

from tests.games.rookling.model_cards import ANY, Card, Line, Rules


def counting(line: Line, cards: Sequence[Card], rules: Rules) -> list[int]:
    """ROOK-23, 24. Indexes of the cards that count for a line.

    A-05: with `any_match` one card of the colour makes all cards count, grey ones too.
    """
    every = list(range(len(cards)))
    of_colour = [index for index in every if cards[index].colour == line.colour]
    if line.colour == ANY:
        return every
    if rules.charge_colour == "any_match":
        return every if of_colour else []
    return of_colour


def is_met(line: Line, cards: Sequence[Card], in_siege: bool, rules: Rules) -> bool:
    """ROOK-22, 25. Whether the cards that count show the line's number together; no card, nothing met."""
    counted = counting(line, cards, rules)
    return bool(counted) and sum(cards[index].number for index in counted) >= line.side(in_siege).number


def own_amount(line: Line, cards: Sequence[Card], in_siege: bool) -> int:
    """ROOK-26. What a line in use gives by itself: its amount, once more its bonus if a card has the match colour."""
    side = line.side(in_siege)
    matched = line.match_colour and any(card.colour == line.match_colour for card in cards)
    return side.amount + (side.match_bonus if matched else 0)


def offer(own: int, flat: int, plus: int) -> int:
    """ROOK-39. Plus bonuses need a base to stand on; no amount is below 0."""
    base = own + flat
    return 0 if base == 0 else max(0, base + plus)
