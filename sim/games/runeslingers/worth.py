"""What playing a card is worth on paper, in health points: for judging positions and picking cards, never for results.

Register section 7, "card rating": the sum over the card's effects, less 0.9 for each light. With Choice the best bullet counts,
with Fate the worst. Effects on oneself count against the card where they harm, those on the enemy where they help; what reaches
both counts nothing. Triggers, statics and activated effects are in what every defence card is worth.
"""

import numpy as np

from sim.games.runeslingers.record import NO_ROW, Ailment, Kind, Op, Picker, To, When

COST = 0.9  # each light
DISTRACT = -4.0
EXTRA_DISCARD = -3.5  # each card
DEFENCE_CARD, DEFENCE_COST = 4.0, 1.3  # a defence card, and for each light that it costs
SHARP = 1.1  # factor of damage that is direct or has Pierce
EXPOSED = 3  # ailments that damage "per" is taken to meet
APPLY = {Ailment.BURN: 4.5, Ailment.DEBILITATE: 3.5, Ailment.CHOOSE: 3.8}
APPLY_OTHER = 3.2
HARM = {Op.LOSE: 1.0, Op.SEAR: 0.7, Op.VOID: 0.9, Op.DISCARD: 3.5, Op.DISCARD_RANDOM: 3.5}  # for each n
HELP = {Op.HEAL: 0.9, Op.REMOVE: 2.5, Op.CONVERT: 1.5, Op.DRAW: 3.0, Op.LIGHT: 1.0, Op.EXTRA_SET: 2.0}  # for each n
FLAT = {Op.DESTROY: 7.0, Op.TRAP: 7.0, Op.BARRIER: 4.0, Op.BOOST: 4.0}  # whatever n
ON_SELF, ON_ENEMY = (To.SELF, To.OWN), (To.ENEMY,)
_AT_ENEMY = frozenset({To.ANY, To.RUNESLINGER, To.ENEMY, To.EACH})


def write_worth(row: np.void) -> None:
    """Write `rating` and `punch` of all cards; all else is written already."""
    for card in range(int(row["cards"])):
        row["rating"][card] = rating(row, card)
        row["punch"][card] = punch(row, int(row["effects"][card]))


def rating(row: np.void, card: int) -> float:
    """The rating of one card, its light taken off."""
    worth = _list_worth(row, card, int(row["effects"][card]))
    bullets = [_list_worth(row, card, int(begin)) for begin in row["bullet"][card][: int(row["bullets"][card])]]
    if bullets:
        worth += min(bullets) if row["picker"][card] == Picker.ENEMY else max(bullets)
    cost = int(row["cost"][card])
    if row["kind"][card] >= Kind.CHANT:
        worth += DEFENCE_CARD + DEFENCE_COST * cost
    if row["distract"][card]:
        worth += DISTRACT
    return worth + EXTRA_DISCARD * int(row["extra_discard"][card]) - COST * cost


def punch(row: np.void, begin: int) -> float:
    """Health that a list of effects takes from an enemy Runeslinger that does not block."""
    taken = 0.0
    at = begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        if row["op"][at] in (Op.DAMAGE, Op.LOSE) and row["to"][at] in _AT_ENEMY:
            taken += int(row["n"][at]) * (EXPOSED if row["per"][at] else 1)
        at += 1
    return taken


def write_wear(row: np.void) -> None:
    """Write `wear` of all decks: the mean over their cards, with what the stance does when they are slung."""
    for deck in range(int(row["decks"])):
        size, stance = int(row["deck_size"][deck]), int(row["stance"][deck])
        cards = row["deck"][deck][:size]
        row["wear"][deck] = (
            sum(_card_wear(row, int(card), int(row["stance_triggers"][stance])) for card in cards) / size
        )


def _card_wear(row: np.void, card: int, stance: int) -> float:
    """Cards of the enemy's deck that playing one card wears away, triggers of a stance included."""
    lists = [int(row["effects"][card]), *(int(begin) for begin in row["bullet"][card][: int(row["bullets"][card])])]
    worn = max(_list_wear(row, begin) for begin in lists)
    kind, at = int(row["kind"][card]), stance
    while at != NO_ROW and row["when"][at] != When.NONE:
        if kind < Kind.CHANT and row["when"][at] == When.SLING_SPIRIT + kind:
            worn += _list_wear(row, int(row["then"][at]))
        at += 1
    return worn


def _list_wear(row: np.void, begin: int) -> float:
    """The same for a list of effects, with what ailments do when they are applied."""
    worn, at = 0.0, begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        op, n = row["op"][at], int(row["n"][at])
        if op in (Op.SEAR, Op.VOID) and row["to"][at] in (*_AT_ENEMY, To.SAME):
            worn += n
        elif op == Op.APPLY and row["ailment"][at] != Ailment.CHOOSE:
            worn += n * _own_wear(row, int(row["on_apply"][row["ailment"][at]]))
        elif op == Op.DAMAGE:
            worn += _list_wear(row, int(row["hit"][at]))
        at += 1
    return worn


def _own_wear(row: np.void, begin: int) -> float:
    """Cards that an ailment wears away of its bearer's deck when it is applied."""
    worn, at = 0.0, begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        if row["op"][at] in (Op.SEAR, Op.VOID) and row["to"][at] == To.SELF:
            worn += int(row["n"][at])
        at += 1
    return worn


def _list_worth(row: np.void, card: int, begin: int) -> float:
    """Worth of a list of effects."""
    worth = 0.0
    at = begin
    while at != NO_ROW and row["op"][at] != Op.NONE:
        worth += _effect_worth(row, card, at)
        at += 1
    return worth


def _effect_worth(row: np.void, card: int, at: int) -> float:
    """Worth of one effect with what its hit does."""
    op, n, to = Op(row["op"][at]), int(row["n"][at]), To(row["to"][at])
    if op in FLAT:
        return 0.0 if op == Op.BARRIER and to in ON_ENEMY else FLAT[op]
    if op in HELP:
        return HELP[op] * n * _sign(to, helps=True)
    if op == Op.DAMAGE:
        sharp = SHARP if row["direct"][at] or row["pierce"][card] else 1.0
        worth = n * sharp * (EXPOSED if row["per"][at] else 1) * _sign(to, helps=False)
        return worth + _list_worth(row, card, int(row["hit"][at]))
    if op == Op.APPLY:
        return APPLY.get(Ailment(row["ailment"][at]), APPLY_OTHER) * n * _sign(to, helps=False)
    return HARM.get(op, 0.0) * n * _sign(to, helps=False)


def _sign(to: To, *, helps: bool) -> int:
    """Whether an effect counts for the card (1), against it (-1), or on both players (0)."""
    if to == To.EACH:
        return 0
    against = to in (ON_ENEMY if helps else ON_SELF)
    return -1 if against else 1
