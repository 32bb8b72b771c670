"""How strong a Rookling looks on paper, in life points: for drafting and judging, never for results.

One card of the energy deck is put on the Rookling: what can it be expected to attack, block and do with it? Which cards
come, what others give and what the opponent does is left out.
"""

import numpy as np

from sim.engine.sums import product
from sim.games.rookling.record import ANY, NUMBERS, Kind, Mask, Op, Scope

EXCHANGES = 3.0  # attacks, and defences, of a Rookling in a game with a card for them: half of about six each
SIEGE_SHARE = 0.25  # the siege-state side counts a third as much as the front

# Life points for one of what an effect gives to one Rookling.
CARD_DRAWN = 0.6
CLEANSED = 1.5
COPY = 0.05  # a field effect in the deck: either player may draw it
ROOM = 0.5  # for one more card
POINT = 0.6  # a point of attack or defence for one exchange
LANDS = 0.6  # chance that an attack is not fully blocked

# Life points of a token to its bearer, by op; of those with a number for each point.
IDLE = -2.2  # no energy for an exchange
DUMB = -0.3  # no special line until the own attack is over
CANCEL = 2.5
POINT_TOKEN = 0.45  # a point of attack or defence, once
POISON = -2.0  # a point at the end of every own attack until it is cleared
REGROWTH = 0.9
LASTING = 2.5  # times a token that stays is worth one that acts once
REACH = {  # Rooklings reached; neighbours: the mean of the three positions
    Scope.SELF: 1.0,
    Scope.NEIGHBOURS: 4 / 3,
    Scope.ALL_OWN: 3.0,
    Scope.SELF_OR_NEIGHBOUR: 1.0,
    Scope.ANY_OWN: 1.0,
}


def write_worth(row: np.void) -> None:
    """Write `mean_number`, `worth` and the other fields that only judging reads; all else is written already."""
    kinds = np.flatnonzero(row["energy_count"])
    share = row["energy_count"][kinds] / row["energy_count"].sum()
    number, colour = kinds % NUMBERS + 1, kinds // NUMBERS
    row["mean_number"] = product(share, number)
    rooklings = slice(0, int(row["rooklings"]))

    def by_card(field: str) -> np.ndarray:
        """A field of (Rookling, line) or (Rookling, line, side) with an axis for sides and one for cards."""
        values = row[field][rooklings].astype(float)
        return values[..., np.newaxis] if values.ndim == 3 else values[..., np.newaxis, np.newaxis]

    met = ((by_card("colour") == ANY) | (by_card("colour") == colour)) & (by_card("number") <= number)
    points = by_card("amount") + by_card("match_bonus") * (by_card("match_colour") == colour)
    row["token_worth"] = _tokens(row)
    row["line_worth"] = _effects(row).sum(axis=2)
    extras = row["line_worth"][rooklings][..., np.newaxis]
    value = met * (points + extras)
    kind = by_card("kind")
    best = [np.where(kind == wanted, value, 0.0).max(axis=1) for wanted in (Kind.ATTACK, Kind.DEFENCE)]
    specials = np.where(kind == Kind.SPECIAL, value, 0.0).sum(axis=1)
    front, siege = product(best[0] + best[1] + specials, share).T
    sides = (1 - SIEGE_SHARE) * front + SIEGE_SHARE * siege
    write_with_mean(row["worth"], row["life"][rooklings] + EXCHANGES * sides)
    write_with_mean(row["reach"], product(np.where(kind == Kind.ATTACK, met * points, 0.0).max(axis=1), share))
    write_with_mean(row["harm"], product(np.where(kind == Kind.ATTACK, met * extras, 0.0).max(axis=1), share))
    block = np.where(kind == Kind.DEFENCE, met * points, 0.0).max(axis=1)
    chance = product(block > 0, share)
    row["guard_chance"][rooklings] = chance
    row["guard_points"][rooklings] = np.divide(
        product(block, share), chance, out=np.zeros_like(chance), where=chance > 0
    )


def write_with_mean(column: np.ndarray, values: np.ndarray) -> None:
    """Write what every Rookling has, and into the last row, read with the number NOBODY, the mean of all."""
    column[: len(values)] = values
    column[-1] = product(values.T, np.full(len(values), 1 / len(values)))


def _effects(row: np.void) -> np.ndarray:
    """Life points of each effect when its line is used: shape as `value`."""
    token = np.append(row["token_worth"], 0.0)  # the last one: no token
    each = {
        Op.TOKEN_ON_HIT: -LANDS * token[row["token"]],
        Op.TOKEN_SELF: token[row["token"]],
        Op.SHUFFLE_FIELD: COPY,
        Op.CHARGE: ROOM,
        Op.DRAW: CARD_DRAWN,
        Op.HEAL: 1.0,
    }
    each |= dict.fromkeys((Op.ATTACK_FLAT, Op.ATTACK_PLUS, Op.DEFENCE_FLAT, Op.DEFENCE_PLUS), POINT)
    rate = np.zeros(row["op"].shape)
    for op, points in each.items():
        rate = np.where(row["op"] == op, points, rate)
    reach = np.zeros(len(Scope))
    reach[[*REACH]] = [*REACH.values()]
    found = rate[..., np.newaxis] * row["value"]
    found[row["op"] == Op.CLEANSE] = CLEANSED  # has no number
    return found * reach[row["scope"]][..., np.newaxis]


def _tokens(row: np.void) -> np.ndarray:
    """Life points of each kind of token to its bearer, shape (TOKENS,)."""
    points = row["attack_flat"] + row["attack_plus"] + row["defence_flat"] + row["defence_plus"]
    worth = POINT_TOKEN * points + POISON * row["damage"] + REGROWTH * row["heal"]
    worth += IDLE * _has(row, Mask.NO_ENERGY) + DUMB * _has(row, Mask.NO_SPECIAL) + CANCEL * _has(row, Mask.CANCEL)
    return np.where(_has(row, Mask.FIXED), LASTING * worth, worth)


def _has(row: np.void, mask: Mask) -> np.ndarray:
    """Whether each kind of token is in a set."""
    bits = np.arange(len(row["trigger"]))
    return (int(row["token_mask"][mask]) >> bits) & 1 == 1
