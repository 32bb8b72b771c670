"""The CARDS record of Rookling Heroes: a card file as numbers, which is all that the kernels see of it.

Also the enums of its columns, the features of the evaluation, and `write_worth`, which estimates what Rooklings, lines and
tokens are worth.
"""

from enum import IntEnum
from math import comb

import numpy as np

from sim.engine.evaluation import weights_dtype
from sim.engine.sums import product

ROOKLINGS_MAX = 32
SQUAD = 3  # Rooklings of a squad
SQUADS_MAX = comb(ROOKLINGS_MAX, SQUAD)
LINES = 4  # most lines of a Rookling
EFFECTS = 2  # most effects of a line
SIDES = 2  # of a Rookling card: front, siege-state
TOKENS = 16  # most kinds of tokens
FIELD_EFFECTS_MAX = 16
COLOURS_MAX = 6
NUMBERS = 9  # numbers on energy cards: 1..9
ENERGY_KINDS = COLOURS_MAX * NUMBERS  # kind of an energy card: colour * NUMBERS + number - 1
GREY = -1  # colour of a field effect that counts for `any` lines only
ANY = COLOURS_MAX  # colour of a line that every card counts for; also the column of `shown` that sums all colours
NONE = -1  # no token, no field effect, no match colour


class Kind(IntEnum):
    """Kinds of lines. NONE: the Rookling has no such line."""

    NONE = 0
    ATTACK = 1
    DEFENCE = 2
    SPECIAL = 3


class Op(IntEnum):
    """Effects of lines. NONE: no effect."""

    NONE = 0
    TOKEN_ON_HIT = 1
    SHUFFLE_FIELD = 2
    HEAL = 3
    CLEANSE = 4
    CHARGE = 5
    ATTACK_FLAT = 6
    ATTACK_PLUS = 7
    DEFENCE_FLAT = 8
    DEFENCE_PLUS = 9
    DRAW = 10
    TOKEN_SELF = 11


class Scope(IntEnum):
    """Which Rooklings an effect reaches; from SELF_OR_NEIGHBOUR on, the player picks one."""

    SELF = 0
    NEIGHBOURS = 1
    ALL_OWN = 2
    SELF_OR_NEIGHBOUR = 3
    ANY_OWN = 4


class Trigger(IntEnum):
    """When a token acts."""

    STANDING = 0
    ATTACK_TURN = 1
    FACED = 2
    DEFENDS = 3
    END_ATTACK = 4


class Until(IntEnum):
    """When a token goes. REPLACED: fixed tokens."""

    EXCHANGE = 0
    OWNER_ATTACK = 1
    TRIGGER = 2
    CLEARED = 3
    REPLACED = 4


class Mask(IntEnum):
    """Sets of token kinds: rows of `token_mask`, bit k = kind k."""

    NO_ENERGY = 0  # standing, bars energy
    NO_SPECIAL = 1  # standing, bars special lines
    STANDING = 2  # standing, changes attack or defence
    ATTACK_TURN = 3
    CANCEL = 4  # faced, cancels the attack
    FACED = 5  # faced, gives flat defence
    DEFENDS = 6
    DAMAGE = 7  # end of the attack
    HEAL = 8  # end of the attack
    CLEARED = 9  # until cleared
    HARMFUL = 10
    EXCHANGE = 11  # until the end of the exchange
    OWNER_ATTACK = 12  # until the end of the owner's attacking turn
    TRIGGER = 13  # until triggered
    FIXED = 14


MASKS = len(Mask)


class SquadMode(IntEnum):
    """ROOK-02 to 04. How squads are formed."""

    CHOOSE = 0
    RANDOM = 1
    DRAFT = 2


class FirstAttacker(IntEnum):
    """A-07. Who attacks first."""

    COIN = 0
    DRAFTER1 = 1
    DRAFTER2 = 2


class OpeningRow(IntEnum):
    """A-06. How the first defender's row is arranged."""

    DEFENDER_FIRST = 0
    RANDOM = 1


class DrawMode(IntEnum):
    """A-08. Draw up to a full hand, or draw a new hand."""

    UP_TO = 0
    NEW_HAND = 1


class ChargeColour(IntEnum):
    """A-05. How several cards on a Rookling meet a coloured line."""

    SAME_COLOUR = 0
    ANY_MATCH = 1


class HoldBlock(IntEnum):
    """A-13. When a block can be held back."""

    IF_MORE = 0
    FREE = 1


class PoisonClearDraw(IntEnum):
    """A-17. Price of clearing poison in the attacking turn."""

    STRICT = 0
    LENIENT = 1


class E1Order(IntEnum):
    """A-27. Which tokens act first at the end of an attack."""

    HEAL_FIRST = 0
    DAMAGE_FIRST = 1


class Feature(IntEnum):
    """The features of a position, in the order in which `evaluation.features.features` returns them.

    All from LIFE on are the seat's own value minus the opponent's unless stated otherwise. Each has a weight in
    `weights.toml`, in log-odds of winning; the units are in `evaluation.prospects`.
    """

    ATTACK_OPENS = 0  # 1: an exchange begins, the seat attacks
    DEFENCE_OPENS = 1  # 1: an exchange begins, the seat defends
    ATTACK_PLANS = 2  # 1: the seat places cards and declares attacks
    DEFENCE_WATCHES = 3  # 1: the opponent does
    ATTACK_WAITS = 4  # 1: the opponent places cards and declares defences
    DEFENCE_PLANS = 5  # 1: the seat does
    ATTACK_LANDS = 6  # 1: the seat's attacks are resolved
    DEFENCE_HOLDS = 7  # 1: the opponent's are
    LIFE = 8  # expected after resolution and poison, as all features up to LOST; unit ROW_LIFE
    ALIVE = 9  # Rooklings with life
    STOUTEST = 10  # life of the Rookling with most life; unit ROW_LIFE
    BRINK = 11  # 1: only one has life
    LATE = 12  # LIFE times the share of all life that is gone
    LOST = 13  # 1: none has life
    DOOMED = 14  # chance that poison takes the last life at the end of this attack
    TOKENS = 15  # worth of the tokens on the table, in life points
    OWN_TO_ATTACK = 16  # own cards, if they will be used for an attack next; unit SQUAD
    OWN_TO_DEFEND = 17  # own cards, if for a defence; unit SQUAD
    OTHER_TO_ATTACK = 18  # the opponent's cards, if for an attack, negative; unit SQUAD
    OTHER_TO_DEFEND = 19  # if for a defence, negative; unit SQUAD
    SKIPS = 20  # while an exchange begins: -1 if the own draw will be skipped, 1 if the opponent's will
    NUMBERS = 21  # sum of the numbers on the own cards; unit HAND_NUMBERS
    POWER_NEXT = 22  # points of attack of the own hand, if it will be used for an attack next; unit POINTS
    POWER_LATER = 23  # the same, if for a defence
    PROMISE = 24  # life that the best own attack is expected to take, before it is declared; unit ROW_LIFE
    DECLARED = 25  # the same after it is declared; unit ROW_LIFE
    SHOWN = 26  # life that the opponent's cards placed so far will take, negative; unit ROW_LIFE
    KILL = 27  # chance that the own attack wins the game
    EXTRAS = 28  # worth of the special lines and hits of the own plan, in life points
    HITS = 29  # worth of the tokens that attacks under way will give, in life points
    REACH = 30  # points of attack of the squad with an average card on each Rookling; unit POINTS
    HARM = 31  # worth of the tokens that these attacks give, in life points
    STRENGTH = 32  # worth of the squad on paper; unit SQUAD_WORTH


FEATURES = tuple(feature.name.lower() for feature in Feature)
JUDGED = 1  # row of the weights: seats - 1

_ROOKLING = (ROOKLINGS_MAX,)
_PAPER = (ROOKLINGS_MAX + 1,)  # the last row, read with the number NOBODY, is the mean of all
_LINE = (ROOKLINGS_MAX, LINES)
_EFFECT = (ROOKLINGS_MAX, LINES, EFFECTS)
_TOKEN = (TOKENS,)
_FIELD_EFFECT = (FIELD_EFFECTS_MAX,)

CARDS = np.dtype(
    [
        # rules
        ("heal_cap", np.int16),  # largest life that healing reaches, 1..15
        ("second_hand", np.int16),  # extra cards in the first defender's first hand, -5..5
        ("hand", np.int16),  # cards after drawing up, 1..6
        ("hand_max", np.int16),  # largest hand, hand..6
        ("turn_cap", np.int16),  # exchanges after which a game is stopped, 20..2000
        # switches
        ("squad_mode", np.int8),  # SquadMode
        ("mirror", np.uint8),  # 1: a Rookling can be in both squads
        ("first_attacker", np.int8),  # FirstAttacker
        ("opening_row", np.int8),  # OpeningRow
        ("draw_mode", np.int8),  # DrawMode
        ("dump", np.uint8),  # 1: useless cards can be placed
        ("one_line_per_rookling", np.uint8),  # 1: one line of any kind per Rookling and exchange
        ("charge_colour", np.int8),  # ChargeColour
        ("siege_chain_blocks", np.uint8),  # 1: siege-state Rooklings can block a spill that passes over them
        ("hold_block", np.int8),  # HoldBlock
        ("hit_on_landing", np.uint8),  # 1: tokens go where the damage lands
        ("poison_clear_draw", np.int8),  # PoisonClearDraw
        ("e1_order", np.int8),  # E1Order
        # the energy deck
        ("colours", np.int16),  # 2..6
        ("energy", np.int16),  # cards in all, 24..78
        ("energy_count", np.int8, (ENERGY_KINDS,)),  # copies by kind, 0..9
        ("mean_number", np.float64),  # mean number of an energy card, 1..9: for the evaluation only
        # Rooklings, in the order of the file
        ("rooklings", np.int16),  # 6..32; rows beyond are 0
        ("life", np.int8, _ROOKLING),  # at the start, 1..15: the Rookling's own, else rules.start_life
        ("field_effect", np.int8, _ROOKLING),  # the one that it shuffles in, or NONE
        ("worth", np.float64, _PAPER),  # strength on paper, in life points: for the evaluation only
        ("reach", np.float64, (*_PAPER, SIDES)),  # mean points of its best attack with one energy card: for the evaluation only
        (
            "harm",
            np.float64,
            (*_PAPER, SIDES),
        ),  # worth of the tokens that this attack gives, in life points: for the evaluation only
        (
            "guard_chance",
            np.float64,
            (ROOKLINGS_MAX, SIDES),
        ),  # chance that one energy card meets a defence line: for the evaluation only
        (
            "guard_points",
            np.float64,
            (ROOKLINGS_MAX, SIDES),
        ),  # mean points of its best defence in that case: for the evaluation only
        ("token_worth", np.float64, (TOKENS,)),  # of a token to its bearer, in life points: for the evaluation only
        ("line_worth", np.float64, (ROOKLINGS_MAX, LINES, SIDES)),  # of its effects, in life points: for the evaluation only
        # lines in printed order; kind NONE: no such line
        ("kind", np.int8, _LINE),  # Kind
        ("number", np.int8, (ROOKLINGS_MAX, LINES, SIDES)),  # threshold, 1..18
        ("colour", np.int8, _LINE),  # threshold: 0..colours-1, ANY
        ("amount", np.int8, (ROOKLINGS_MAX, LINES, SIDES)),  # points of attack or defence, 1..12
        ("match_colour", np.int8, _LINE),  # 0..colours-1, NONE
        ("match_bonus", np.int8, (ROOKLINGS_MAX, LINES, SIDES)),  # 1..6, 0 without a match
        ("place", np.int8, _LINE),  # 1, 2: first, second line of its kind on the card
        ("op", np.int8, _EFFECT),  # Op
        ("scope", np.int8, _EFFECT),  # Scope
        ("value", np.int8, (ROOKLINGS_MAX, LINES, EFFECTS, SIDES)),  # n of the effect, 1..6
        ("token", np.int8, _EFFECT),  # of token_on_hit and token_self, NONE
        ("thing", np.int16, _LINE),  # number among what can be switched off, see `ablation`
        # tokens; rows beyond `tokens` are 0
        ("tokens", np.int16),  # 0..16
        ("token_mask", np.uint16, (MASKS,)),  # kinds by Mask
        ("trigger", np.int8, _TOKEN),  # Trigger
        ("until", np.int8, _TOKEN),  # Until
        ("supply", np.int8, _TOKEN),  # token cards out of play, 0..12
        ("attack_flat", np.int8, _TOKEN),  # points, 0..6
        ("attack_plus", np.int8, _TOKEN),  # points, -6..6
        ("defence_flat", np.int8, _TOKEN),  # points, 0..6
        ("defence_plus", np.int8, _TOKEN),  # points, 0..6
        ("damage", np.int8, _TOKEN),  # points, 0..6
        ("heal", np.int8, _TOKEN),  # points, 0..6
        # field effects; rows beyond the last are 0
        ("effect_number", np.int8, _FIELD_EFFECT),  # 1..9
        ("effect_colour", np.int8, _FIELD_EFFECT),  # 0..colours-1, GREY
        ("effect_copies", np.int8, _FIELD_EFFECT),  # 1..3
        ("effect_token", np.int8, _FIELD_EFFECT),  # kind of token that it becomes
        # squads: all sets of three, each in ascending order, in lexicographic order
        ("squads", np.int16),  # 20..4960; rows beyond are 0
        ("squad", np.int8, (SQUADS_MAX, SQUAD)),  # Rooklings
        # weights of the evaluation
        *weights_dtype(FEATURES),
    ],
    align=True,
)


# Strength of Rooklings, lines and tokens on paper, in life points. The estimate puts one card of the energy deck on a
# Rookling: what can it be expected to attack, block and do? It ignores which cards come, what other Rooklings give and what
# the opponent does. Only the evaluation reads it, no rule does.


EXCHANGES = 3.0  # attacks (and defences) with a card per Rookling and game: half of about six
SIEGE_SHARE = 0.25  # the siege-state side counts a third as much as the front

# Life points of one unit of an effect on one Rookling.
CARD_DRAWN = 0.6
CLEANSED = 1.5
COPY = 0.05  # a field effect card in the deck: either player can draw it
ROOM = 0.5  # room for one more card
POINT = 0.6  # a point of attack or defence for one exchange
LANDS = 0.6  # chance that an attack is not fully blocked

# Life points of a token to its bearer, by op; per point for ops with a number.
IDLE = -2.2  # no energy for an exchange
DUMB = -0.3  # no special line until its owner's next attack is over
CANCEL = 2.5
POINT_TOKEN = 0.45  # a point of attack or defence, once
POISON = -2.0  # a point at the end of each of its owner's attacks until it is cleared
REGROWTH = 0.9
LASTING = 2.5  # factor for a token that stays, relative to one that acts once
REACH = {  # mean number of Rooklings reached
    Scope.SELF: 1.0,
    Scope.NEIGHBOURS: 4 / 3,
    Scope.ALL_OWN: 3.0,
    Scope.SELF_OR_NEIGHBOUR: 1.0,
    Scope.ANY_OWN: 1.0,
}


def write_worth(row: np.void) -> None:
    """Write `mean_number`, `worth` and the other fields that only the evaluation reads; all others are already written."""
    kinds = np.flatnonzero(row["energy_count"])
    share = row["energy_count"][kinds] / row["energy_count"].sum()
    number, colour = kinds % NUMBERS + 1, kinds // NUMBERS
    row["mean_number"] = product(share, number)
    rooklings = slice(0, int(row["rooklings"]))

    def by_card(field: str) -> np.ndarray:
        """A field of shape (Rookling, line) or (Rookling, line, side), extended by the missing axes for sides and cards."""
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
    row["guard_points"][rooklings] = np.divide(product(block, share), chance, out=np.zeros_like(chance), where=chance > 0)


def write_with_mean(column: np.ndarray, values: np.ndarray) -> None:
    """Write the value of every Rookling, and the mean of all into the last row (the one read with the number NOBODY)."""
    column[: len(values)] = values
    column[-1] = product(values.T, np.full(len(values), 1 / len(values)))


def _effects(row: np.void) -> np.ndarray:
    """Life points of each effect when its line is used, in the shape of `value`."""
    token = np.append(row["token_worth"], 0.0)  # the last entry: no token
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
    worth = rate[..., np.newaxis] * row["value"]
    worth[row["op"] == Op.CLEANSE] = CLEANSED  # has no number
    return worth * reach[row["scope"]][..., np.newaxis]


def _tokens(row: np.void) -> np.ndarray:
    """Life points of each token kind to its bearer, shape (TOKENS,)."""
    points = row["attack_flat"] + row["attack_plus"] + row["defence_flat"] + row["defence_plus"]
    worth = POINT_TOKEN * points + POISON * row["damage"] + REGROWTH * row["heal"]
    worth += IDLE * _has(row, Mask.NO_ENERGY) + DUMB * _has(row, Mask.NO_SPECIAL) + CANCEL * _has(row, Mask.CANCEL)
    return np.where(_has(row, Mask.FIXED), LASTING * worth, worth)


def _has(row: np.void, mask: Mask) -> np.ndarray:
    """Whether each token kind is in a set."""
    bits = np.arange(len(row["trigger"]))
    return (int(row["token_mask"][mask]) >> bits) & 1 == 1
