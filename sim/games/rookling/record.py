"""The CARDS record of Rookling Heroes: a card file as numbers, which is all that the kernels see of it.

Most columns derive from the schema (`cards.py`). The others have words as numbers, both sides of lines, and estimates of what
Rooklings, lines and tokens are worth, which the evaluation reads. CARD_FORMAT reads card files.
"""

from collections import Counter
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.cardfiles.columns import columns
from sim.engine.cardfiles.paths import address
from sim.engine.cards import CardFormat, CardSet
from sim.engine.evaluation import weights_dtype, write_weights
from sim.engine.jit import kernel
from sim.engine.sums import product
from sim.games.rookling.ablation import write_things
from sim.games.rookling.cards import (
    ANY,
    EFFECTS,
    ENERGY_KINDS,
    FIELD_EFFECTS_MAX,
    GIVING,
    GREY,
    LINES,
    NONE,
    NUMBERS,
    ROOKLINGS_MAX,
    SIDES,
    SQUAD,
    SQUADS_MAX,
    TOKENS,
    AnyLine,
    Kind,
    Mask,
    Op,
    RooklingFile,
    Scope,
    Token,
)
from sim.games.rookling.teams import squads_of


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

CARD_KINDS = ENERGY_KINDS + FIELD_EFFECTS_MAX  # energy, then field effects by their row in the card file
ATTACKING, DEFENDING = range(2)  # halves of an exchange

_PAPER = (ROOKLINGS_MAX + 1,)  # the last row, read with the number NOBODY, is the mean of all
_LINE = (ROOKLINGS_MAX, LINES)
_ALONE, _ALONE_BY_HALF = (ROOKLINGS_MAX, SIDES, CARD_KINDS), (ROOKLINGS_MAX, SIDES, 2, CARD_KINDS)

CARDS = np.dtype(
    [
        *columns(RooklingFile),  # those of a Rookling's lines and effects are by Rookling, line and effect
        # the energy deck
        ("energy", np.int16),  # cards in all, 24..78
        ("energy_count", np.int8, (ENERGY_KINDS,)),  # copies by kind, 0..9
        ("mean_number", np.float64),  # mean number of an energy card, 1..9: for the evaluation only
        # Rooklings, in the order of the file
        ("field_effect", np.int8, (ROOKLINGS_MAX,)),  # the one that it shuffles in, or NONE
        ("worth", np.float64, _PAPER),  # strength on paper, in life points: from here for the evaluation only
        ("reach", np.float64, (*_PAPER, SIDES)),  # mean points of its best attack with one energy card
        ("harm", np.float64, (*_PAPER, SIDES)),  # worth of the tokens that this attack gives, in life points
        ("guard_chance", np.float64, (ROOKLINGS_MAX, SIDES)),  # chance that one energy card meets a defence line
        ("guard_points", np.float64, (ROOKLINGS_MAX, SIDES)),  # mean points of its best defence in that case
        ("token_worth", np.float64, (TOKENS,)),  # of a token to its bearer, in life points
        ("line_worth", np.float64, (*_LINE, SIDES)),  # of its effects, in life points
        # lines in printed order; kind NONE: no such line
        ("number", np.int8, (*_LINE, SIDES)),  # threshold, 1..18
        ("colour", np.int8, _LINE),  # threshold: 0..colours-1, ANY
        ("amount", np.int8, (*_LINE, SIDES)),  # points of attack or defence, 1..12
        ("match_colour", np.int8, _LINE),  # 0..colours-1, NONE
        ("match_bonus", np.int8, (*_LINE, SIDES)),  # 1..6, 0 without a match
        ("place", np.int8, _LINE),  # 1, 2: first, second line of its kind on the card
        ("value", np.int8, (*_LINE, EFFECTS, SIDES)),  # n of the effect, 1..6
        ("token", np.int8, (*_LINE, EFFECTS)),  # of token_on_hit and token_self, NONE
        ("thing", np.int16, _LINE),  # number among what can be switched off, see `ablation`
        ("lines", np.uint8, (ROOKLINGS_MAX, len(Kind))),  # lines of each kind, by bit
        # one card on a Rookling, by Rookling, side and kind of card
        ("card_colour", np.int8, (CARD_KINDS,)),  # 0..colours-1, GREY
        ("card_number", np.int8, (CARD_KINDS,)),  # 1..9
        ("met_alone", np.uint8, _ALONE),  # lines that it meets, by bit
        ("points_alone", np.int8, _ALONE_BY_HALF),  # of the best line for that half, 0..18; for the evaluation only
        ("extras_alone", np.int16, _ALONE_BY_HALF),  # worth of its other effects, in tenths of a life point; likewise
        # tokens and field effects
        ("token_mask", np.uint16, (len(Mask),)),  # kinds by Mask
        ("effect_token", np.int8, (FIELD_EFFECTS_MAX,)),  # kind of token that it becomes
        # squads: all sets of three, each in ascending order, in lexicographic order
        ("squads", np.int16),  # 20..4960; rows beyond are 0
        ("squad", np.int8, (SQUADS_MAX, SQUAD)),  # Rooklings
        # weights of the evaluation
        *weights_dtype(FEATURES),
    ],
    align=True,
)

REFERENCE = Path(__file__).with_name("cards.toml")
_CHANGES = {"attack_flat", "attack_plus", "defence_flat", "defence_plus"}
_SIEGE = 1  # side of a card
Numbers = Mapping[str, int]  # number by id


def derive(record: np.void, file: RooklingFile) -> None:
    """Write what the schema does not determine: kinds of cards, words as numbers, both sides of lines, squads, worth."""
    colours, tokens, effects = (
        {word: number for number, word in enumerate(words)}
        for words in (file.energy.colours, (one.id for one in file.token), (one.id for one in file.field_effect))
    )
    for colour, copies in file.energy.counts.by_colour().items():
        start = colours[colour] * NUMBERS
        record["energy_count"][start : start + len(copies)] = copies
    record["energy"] = record["energy_count"].sum()
    for kind, token in enumerate(file.token):
        record["token_mask"][[*_masks_of(token)]] |= np.uint16(1 << kind)
    record["card_colour"][:ENERGY_KINDS] = np.arange(ENERGY_KINDS) // NUMBERS
    record["card_number"][:ENERGY_KINDS] = np.arange(ENERGY_KINDS) % NUMBERS + 1
    for number, card in enumerate(file.field_effect):
        record["card_colour"][ENERGY_KINDS + number] = colours.get(card.colour, GREY)
        record["card_number"][ENERGY_KINDS + number] = card.number
        record["effect_token"][number] = tokens[card.token]
    for number, rookling in enumerate(file.rookling):
        record["life"][number] = rookling.life or file.rules.start_life
        for column in ("field_effect", "match_colour", "token"):
            record[column][number] = NONE
        seen = Counter[str]()
        for slot, line in enumerate(rookling.line):
            seen[line.kind] += 1
            record["place"][number, slot] = seen[line.kind]
            _write_line(record, (number, slot), line, colours)
            _write_effects(record, (number, slot), line, tokens, effects)
    squads = squads_of(len(file.rookling))
    record["squads"] = len(squads)
    record["squad"][: len(squads)] = squads
    write_worth(record)
    write_alone(record)
    write_things(record)
    write_weights(record, REFERENCE.parent, FEATURES)


def _masks_of(token: Token) -> list[Mask]:
    """The sets that a token belongs to: they are named as its ops, its end, its flags, and its trigger if it changes points."""
    ops = {op.op for op in token.ops}
    words = [*ops, token.until, *(flag for flag in ("harmful", "fixed") if getattr(token, flag))]
    words += [token.trigger] if ops & _CHANGES else []
    return [Mask[word.upper()] for word in words if word.upper() in Mask.__members__]


def _write_line(record: np.void, place: tuple[int, int], line: AnyLine, colours: Numbers) -> None:
    """Write the threshold and the points of a line on both sides. place: Rookling, line."""
    record["colour"][place] = colours.get(line.colour, ANY)
    record["number"][place] = line.number, line.siege.number or line.number
    if line.kind != "special":
        record["amount"][place] = line.amount, line.siege.amount or line.amount
        record["match_bonus"][place] = line.match_bonus, line.siege.match_bonus or line.match_bonus
        record["match_colour"][place] = colours.get(line.match_colour, NONE)


def _write_effects(record: np.void, place: tuple[int, int], line: AnyLine, tokens: Numbers, effects: Numbers) -> None:
    """Write the numbers of the effects of a line on both sides, the tokens that they give, and the field effect."""
    for index, effect in enumerate(line.effects):
        record["value"][(*place, index)] = getattr(effect, "n", 0)
        if effect.do == "shuffle_field":
            record["field_effect"][place[0]] = effects[effect.field_effect]
        elif effect.do in GIVING:
            record["token"][(*place, index)] = tokens[effect.token]
    if line.siege.value:
        record["value"][(*place, len(line.effects) - 1, _SIEGE)] = line.siege.value


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


def write_alone(row: np.void) -> None:
    """Write what one card does on a Rookling without other cards, after `write_worth`."""
    number, colour = row["card_number"], row["card_colour"]
    wanted, threshold = row["colour"][..., np.newaxis, np.newaxis], row["number"][..., np.newaxis]
    kind = row["kind"][..., np.newaxis, np.newaxis]
    met = (kind != Kind.NONE) & ((wanted == ANY) | (wanted == colour)) & (threshold <= number)  # (Rookling, line, side, card)
    matched = (row["match_colour"] != NONE)[..., np.newaxis] & (row["match_colour"][..., np.newaxis] == colour)
    points = met * (row["amount"][..., np.newaxis] + row["match_bonus"][..., np.newaxis] * matched[:, :, np.newaxis])
    for bit in range(LINES):
        row["lines"][np.arange(ROOKLINGS_MAX), row["kind"][:, bit]] |= np.uint8(1 << bit)
        row["met_alone"] |= met[:, bit] * np.uint8(1 << bit)
    for half, used in ((ATTACKING, Kind.ATTACK), (DEFENDING, Kind.DEFENCE)):
        row["points_alone"][:, :, half] = np.where(kind == used, points, 0).max(axis=1)
        worth = np.zeros(row["met_alone"].shape)
        for line in range(LINES):
            counts = (row["kind"][:, line] == Kind.SPECIAL) | ((row["kind"][:, line] == Kind.ATTACK) & (half == ATTACKING))
            worth += np.where(counts[:, np.newaxis, np.newaxis] & met[:, line], row["line_worth"][:, line, :, np.newaxis], 0.0)
        row["extras_alone"][:, :, half] = np.clip((worth * TENTHS).astype(int), 0, EXTRAS_MOST)


TENTHS = 10.0  # in a life point
EXTRAS_MOST = 1023


@kernel
def tenths(worth: float) -> int:
    """Worth of effects in tenths of a life point, 0..EXTRAS_MOST."""
    return min(EXTRAS_MOST, max(0, int(worth * TENTHS)))


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
    worth += IDLE * _has(row, Mask.NO_ENERGY) + DUMB * _has(row, Mask.NO_SPECIAL) + CANCEL * _has(row, Mask.CANCEL_ATTACK)
    return np.where(_has(row, Mask.FIXED), LASTING * worth, worth)


def _has(row: np.void, mask: Mask) -> np.ndarray:
    """Whether each token kind is in a set."""
    bits = np.arange(len(row["trigger"]))
    return (int(row["token_mask"][mask]) >> bits) & 1 == 1


CARD_FORMAT = CardFormat(RooklingFile, CARDS, REFERENCE, derive)


_HIGHER_IS_WEAKER = "number"  # of all other siege numbers, lower is weaker


def cautions(cards: CardSet) -> list[str]:
    """Warnings about a valid card file: entries that are probably not intended."""
    return [
        *_weaker_siege_sides(cards.document),
        *_idle_tokens(cards.document),
        *_spent_tokens(cards),
        *_idle_switches(cards.switches),
    ]


def _weaker_siege_sides(document: Mapping[str, Any]) -> list[str]:
    """Siege numbers that are weaker than those of the front."""
    weaker = []
    for index, rookling in enumerate(document["rookling"]):
        for slot, line in enumerate(rookling["line"]):
            fronts = line | {"value": (line.get("effects") or [{}])[-1].get("n")}
            for field, number in line.get("siege", {}).items():
                front = fronts.get(field)
                if field != "source" and number != front and (number > front) == (field == _HIGHER_IS_WEAKER):
                    path = address(document, ("rookling", index, "line", slot, "siege", field))
                    weaker.append(f"{path} = {number} is weaker than the {front} of the front")
    return weaker


def _idle_tokens(document: Mapping[str, Any]) -> list[str]:
    """Tokens that no line gives and no field effect becomes."""
    given = {effect["token"] for effect in document.get("field_effect", [])}
    lines = [line for rookling in document["rookling"] for line in rookling["line"]]
    given |= {effect.get("token") for line in lines for effect in line.get("effects", [])}
    idle = [token["id"] for token in document.get("token", []) if token["id"] not in given]
    return [f"token.{word} is never played: no field effect becomes it and no line gives it" for word in idle]


def _spent_tokens(cards: CardSet) -> list[str]:
    """ROOK-59, 60. Tokens with two ops, the first of which spends them before the second acts."""
    order = cards.switches["e1_order"]
    first, never = ("heal", "damage") if order == "heal_first" else ("damage", "heal")
    words = f'is spent by its {first} before its {never} acts: it lasts until = "trigger" and rules.e1_order = "{order}"'
    return [
        f"token.{token['id']} {words}"
        for token in cards.document.get("token", [])
        if token["until"] == "trigger" and {op["op"] for op in token["ops"]} >= {"heal", "damage"}
    ]


def _idle_switches(switches: Mapping[str, Any]) -> list[str]:
    """Rules without effect in combination with others."""
    if not switches["mirror"] or switches["squad_mode"] == "choose":
        return []
    mode = switches["squad_mode"]
    return [f'rules.mirror = true does nothing with squad_mode = "{mode}": no Rookling is dealt or drafted twice']
