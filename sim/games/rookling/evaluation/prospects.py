"""What the rest of an exchange can bring: the best plan of the attacker, the best plan of the defender, the power of a hand.

A plan puts at most one card of the hand on each Rookling with room. `FORESIGHT` holds what the plans of a position share.
"""

import numpy as np

from sim.engine.jit import Record, kernel, scratch
from sim.games.rookling.cards import ANY, GREY, LINES, NONE, SQUAD, ChargeColour, Kind, Mask
from sim.games.rookling.record import ATTACKING, FEATURES, JUDGED, LANDS, TENTHS, Feature, tenths
from sim.games.rookling.rules.abilities import flat_now, is_offered, plus_now, sum_at
from sim.games.rookling.rules.attacks import (
    bearer_of,
    begin_clash,
    best_response,
    declared_kind,
    force_now,
    life_of,
    offer,
    with_defences,
)
from sim.games.rookling.rules.energy import has_room, meets, own_amount, reaches, rook_at, side_at, takes_energy
from sim.games.rookling.state import (
    HAND_MAX,
    LEFT,
    MIDDLE,
    NOBODY,
    NOWHERE,
    POSITIONS,
    RIGHT,
    SEATS,
    Phase,
    defender_of,
    kinds_at,
    mover,
    number_of,
    row_of,
)

# Units that bring features to a size of about 1.
ROW_LIFE = 6.0
HAND_NUMBERS = 10.0
POINTS = 10.0
SQUAD_WORTH = 5.0

CHOICES = HAND_MAX + 1  # at a position: no card of the hand, or one
CHOICE_BITS = 3
WORD, WORD_MASK = 6, 63  # place of a bit among words of 64
_PLANS = 1 << (CHOICE_BITS * POSITIONS)
_PLACE, _CHOICE, _USED = (POSITIONS,), (POSITIONS, CHOICES), (POSITIONS + 1,)

# What the evaluation works out about a position. Only the features are always written.
FORESIGHT = np.dtype(
    [
        ("feature", np.float64, (len(FEATURES),)),
        ("poisoned", np.int64),  # the attacker's row after its poison, as an ended resolution
        # what an attack has to expect, by position of the defender
        ("life", np.float64, _PLACE),
        ("chance", np.float64, _PLACE),  # chance that its Rookling blocks with its own line
        ("block", np.float64, _PLACE),  # points of that block
        ("guard", np.float64, _PLACE),  # defence that needs no card
        ("target", np.int64, _PLACE),  # position on which an attack on this one lands
        ("hidden", np.int64, _PLACE),  # 1: attacks on this position are cancelled
        ("apart", np.int64),  # 1: every attack lands on the Rookling that it faces
        # what a plan of the mover can choose at each position; choice 0 is no card
        ("choices", np.int64, _PLACE),
        ("card", np.int64, _CHOICE),  # the card, as a bit by place in the hand
        ("number", np.int64, _CHOICE),  # on the card
        ("amount", np.int64, _CHOICE),  # attack or defence
        ("extras", np.int64, _CHOICE),  # worth of the effects beyond points, in tenths of a life point
        ("landing", np.float64, _CHOICE),  # points of the attack that land, less what siege-state Rooklings on the way block
        ("wasted", np.float64, _CHOICE),  # worth of an attack that is cancelled
        ("gain", np.float64, _CHOICE),  # life points that it is expected to take; if `apart`
        ("flip", np.float64, _CHOICE),  # chance that it flips its target; if `apart`
        ("same", np.int64, _CHOICE),  # the first choice with the same defence, shifted by CHOICE_BITS for each position
        # the hand after a plan, by number of cards that it uses
        ("full", np.float64, _USED),  # weighted number of cards
        ("share", np.float64, _USED),  # the same in units of SQUAD
        ("many", np.float64, _USED),  # their number, at least 1
        ("drawn", np.float64, _USED),  # numbers on the cards drawn until then
        # the attacks of single cards, the best first, down to no card with 0 points
        ("strike", np.int64, _CHOICE),  # points
        ("striker", np.int64, _CHOICE),  # the card, as a bit
    ],
    align=True,
)

# Resolutions of the defences that were tried, by the sum of `same`.
DEFENCES = np.dtype(
    [
        ("tried", np.int64, (_PLANS >> WORD,)),  # by bit
        ("ended", np.int64, (_PLANS,)),  # with the best response
        ("settled", np.float64, (_PLANS,)),  # weighted sum of its features
    ],
    align=True,
)


# Rows and hands.


SPARE = 0.5  # weight of the fourth card and later ones: three Rooklings take one each
ON_TABLE = 0.55  # share of a token's worth that counts once it is on the table: it can be cleared


@kernel
def slot_at(state: Record, seat: int, position: int) -> int:
    """Roster slot at a position; before the first row, the slot of the same number."""
    slot = state["at"][seat, position]
    return position if slot == NOWHERE else slot


@kernel
def row_now(state: Record, seat: int) -> int:
    """A seat's current row, in the form of an ended resolution."""
    lives = state["life"][seat]
    left, middle, right = slot_at(state, seat, LEFT), slot_at(state, seat, MIDDLE), slot_at(state, seat, RIGHT)
    return begin_clash(0, lives[left], lives[middle], lives[right])


@kernel
def row_view(row: int) -> tuple[float, float, float]:
    """Total life of a row, number of Rooklings with life, and the most life of one."""
    life, alive, most = 0, 0, 0
    for position in range(POSITIONS):
        here = life_of(row, position)
        life += here
        alive += here > 0
        most = max(most, here)
    return float(life), float(alive), float(most)


@kernel
def write_rows(cards: Record, mine: int, theirs: int, feature: np.ndarray) -> None:
    """Write the features LIFE to LOST of two rows."""
    life, alive, most = row_view(mine)
    their_life, their_alive, their_most = row_view(theirs)
    lead = (life - their_life) / ROW_LIFE
    late = 1.0 - (life + their_life) / (SEATS * SQUAD * cards["heal_cap"])
    feature[Feature.LIFE] = lead
    feature[Feature.ALIVE] = alive - their_alive
    feature[Feature.STOUTEST] = (most - their_most) / ROW_LIFE
    feature[Feature.BRINK] = (1.0 if alive == 1 else 0.0) - (1.0 if their_alive == 1 else 0.0)
    feature[Feature.LATE] = lead * late
    feature[Feature.LOST] = (1.0 if alive == 0 else 0.0) - (1.0 if their_alive == 0 else 0.0)


@kernel
def fullness(count: int) -> float:
    """Weighted number of cards: those beyond three count less."""
    return float(count) if count <= SQUAD else SQUAD + SPARE * (count - SQUAD)


@kernel
def held(count: int, numbers: float) -> tuple[float, float]:
    """Weighted number of cards, in units of SQUAD, and weighted sum of their numbers, in HAND_NUMBERS."""
    full = fullness(count)
    return full / SQUAD, numbers * full / max(1, count) / HAND_NUMBERS


@kernel
def numbers_in(state: Record, cards: Record, seat: int) -> float:
    """Sum of the numbers on the cards of a hand."""
    total = 0.0
    for card in range(state["hand_n"][seat]):
        total += number_of(state, cards, state["hand"][seat, card])
    return total


@kernel
def drawn_after(state: Record, cards: Record, seat: int, count: int) -> int:
    """Number of cards that a hand of `count` cards gains in E3: the attacker draws up unless it skips that."""
    if seat == state["attacker"] and not state["skip"][seat]:
        return max(0, cards["hand"] - count)
    return 0


@kernel
def hand_after(state: Record, cards: Record, seat: int, count: int, numbers: float) -> tuple[float, float]:
    """Weight of a hand at the end of the exchange, as `held`."""
    drawn = drawn_after(state, cards, seat, count)
    return held(count + drawn, numbers + drawn * cards["mean_number"])


# The defence that an attack has to expect.


READY = np.array([0.0, 0.45, 0.7, 0.85, 0.92, 0.96, 1.0])  # factor of the chance to block, by cards in the opponent's hand


@kernel
def look(state: Record, cards: Record, view: Record) -> None:
    """Write what an attack has to expect at each position of the defender."""
    seat, apart = defender_of(state), 1
    ready = READY[state["hand_n"][seat]]
    for position in range(POSITIONS):
        rook, side = rook_at(state, seat, position), side_at(state, seat, position)
        kinds, target = kinds_at(state, seat, position), target_of(state, position)
        barred = kinds & cards["token_mask"][Mask.NO_ENERGY]
        view["life"][position] = state["life"][seat, state["at"][seat, position]]
        view["chance"][position] = 0.0 if barred else cards["guard_chance"][rook, side] * ready
        view["block"][position] = cards["guard_points"][rook, side]
        view["guard"][position] = standing_guard(state, cards, position)
        view["target"][position] = target
        view["hidden"][position] = kinds & cards["token_mask"][Mask.CANCEL_ATTACK] != 0
        apart &= target == position
    view["apart"] = apart


@kernel
def target_of(state: Record, position: int) -> int:
    """ROOK-48, 49. Position on which an attack on a position lands if the defender chooses."""
    seat = defender_of(state)
    lives, at = state["life"][seat], state["at"][seat]
    if lives[at[position]] > 0:
        return position
    if position != MIDDLE:
        return MIDDLE if lives[at[MIDDLE]] > 0 else RIGHT - position
    return LEFT if lives[at[LEFT]] >= lives[at[RIGHT]] else RIGHT


@kernel
def standing_guard(state: Record, cards: Record, position: int) -> int:
    """Defence at a position that needs no card: flat tokens, and Cover if the Rookling is attacked."""
    seat, guard = defender_of(state), state["cover"][position]
    if kinds_at(state, defender_of(state), position) == 0:
        return guard
    guard += sum_at(state, cards, seat, position, Mask.STANDING, cards["defence_flat"])
    return guard + sum_at(state, cards, seat, position, Mask.FACED, cards["defence_flat"])


FLIP = 0.4  # worth of flipping a Rookling, in addition to its life
WASTED = 0.3  # worth of an attack that only takes a Hidden token


@kernel
def write_landing(view: Record, position: int, choice: int) -> None:
    """Write what the attack of a choice is expected to do, after `look`."""
    amount, landing = view["amount"][position, choice], 0.0
    if amount > 0 and not view["hidden"][position]:
        landing = max(0.0, amount - view["guard"][position])
        if view["target"][position] != position:
            landing = max(0.0, landing - view["chance"][position] * view["block"][position])
    view["landing"][position, choice] = landing
    view["wasted"][position, choice] = WASTED if amount > 0 and view["hidden"][position] else 0.0
    if view["apart"]:
        gain, flip = gain_at(view, position, landing)
        view["gain"][position, choice] = gain
        view["flip"][position, choice] = flip


@kernel
def gain_at(view: Record, target: int, coming: float) -> tuple[float, float]:
    """Worth of the points that land on a position, in life points, and the chance that they flip its Rookling."""
    life, chance = view["life"][target], view["chance"][target]
    behind = max(0.0, coming - view["block"][target])
    flip = chance * (behind >= life) + (1.0 - chance) * (coming >= life)
    return chance * min(life, behind) + (1.0 - chance) * min(life, coming) + FLIP * flip, flip


@kernel
def gain_of(view: Record, left: int, middle: int, right: int) -> tuple[float, float]:
    """Life points that attacks are expected to take, in ROW_LIFE, and their chance to win the game. The choices by position."""
    gain, killed = 0.0, 1.0
    if view["apart"]:
        gain = view["gain"][LEFT, left] + view["gain"][MIDDLE, middle] + view["gain"][RIGHT, right]
        killed = view["flip"][LEFT, left] * view["flip"][MIDDLE, middle] * view["flip"][RIGHT, right]
    else:
        for target in range(POSITIONS):
            if view["life"][target] == 0:
                continue
            coming = view["landing"][LEFT, left] if view["target"][LEFT] == target else 0.0
            coming += view["landing"][MIDDLE, middle] if view["target"][MIDDLE] == target else 0.0
            coming += view["landing"][RIGHT, right] if view["target"][RIGHT] == target else 0.0
            more, flip = gain_at(view, target, coming)
            gain += more
            killed *= flip
    gain = gain + view["wasted"][LEFT, left] + view["wasted"][MIDDLE, middle] + view["wasted"][RIGHT, right]
    return gain / ROW_LIFE, killed


# Plans: at most one card of the hand on each Rookling with room.


@kernel
def may_still_place(state: Record) -> bool:
    """Whether the mover can still place energy in this half of the exchange."""
    return state["phase"] <= Phase.TARGET


@kernel
def own_now(state: Record, cards: Record, position: int) -> int:
    """Points of the line in use at a position of the mover; before it is declared, of the best line that is met."""
    seat, kind = mover(state), declared_kind(state)
    declaring = state["phase"] == Phase.ATTACK or state["phase"] == Phase.DEFEND
    if state["phase"] > Phase.DEFEND or (declaring and position < state["cursor"]):
        used = state["line"][seat, position]
        return own_amount(state, cards, seat, position, used) if used != NOBODY else 0
    if state["zone_n"][seat, position] == 0:
        return 0
    if cards["one_line_per_rookling"] and state["activated"][seat, position]:
        return 0
    rook, side, best = rook_at(state, seat, position), side_at(state, seat, position), 0
    for line in range(LINES):
        if cards["kind"][rook, line] == kind and reaches(cards, rook, line, side, state["shown"][seat, position]):
            best = max(best, own_amount(state, cards, seat, position, line))
    return best


@kernel
def meets_with(state: Record, cards: Record, position: int, line: int, row: int) -> bool:
    """Whether a line of the mover at a position would be met with one more card. row: see `row_of`."""
    seat = mover(state)
    rook, side = rook_at(state, seat, position), side_at(state, seat, position)
    colour, number = cards["card_colour"][row], cards["card_number"][row]
    wanted, threshold = cards["colour"][rook, line], cards["number"][rook, line, side]
    shown = state["shown"][seat, position]
    if wanted == ANY:
        return shown[ANY] + number >= threshold
    if cards["charge_colour"] == ChargeColour.ANY_MATCH:
        return (wanted == colour or shown[wanted] > 0) and shown[ANY] + number >= threshold
    if wanted == colour:
        return shown[wanted] + number >= threshold
    return shown[wanted] >= threshold


@kernel
def points_with(state: Record, cards: Record, position: int, row: int) -> int:
    """Points of the best line of this half of the exchange with one more card at a position of the mover."""
    seat, kind = mover(state), declared_kind(state)
    rook, side, best = rook_at(state, seat, position), side_at(state, seat, position), 0
    if state["zone_n"][seat, position] == 0:
        return cards["points_alone"][rook, side, state["defending"], row]
    colour = cards["card_colour"][row]
    for line in range(LINES):
        if cards["kind"][rook, line] != kind or not meets_with(state, cards, position, line, row):
            continue
        points, match = cards["amount"][rook, line, side], cards["match_colour"][rook, line]
        if match != NONE and ((colour != GREY and match == colour) or np.int64(state["matched"][seat, position]) >> match & 1):
            points += cards["match_bonus"][rook, line, side]
        best = max(best, points)
    return best


@kernel
def extras_with(state: Record, cards: Record, position: int, row: int) -> int:
    """Worth of the effects (beyond points) of one more card at a position of the mover, in tenths of a life point.

    These are special lines that it makes available, and tokens that an attack gives.
    """
    seat = mover(state)
    rook, side, worth = rook_at(state, seat, position), side_at(state, seat, position), 0.0
    if state["zone_n"][seat, position] == 0:
        return cards["extras_alone"][rook, side, state["defending"], row]
    for line in range(LINES):
        kind = cards["kind"][rook, line]
        attacks = kind == Kind.ATTACK and not state["defending"]
        opens = kind == Kind.SPECIAL and not is_offered(state, cards, seat, position, line)
        if (attacks or opens) and meets_with(state, cards, position, line, row):
            worth += cards["line_worth"][rook, line, side]
    return tenths(worth)


@kernel
def write_choices(state: Record, cards: Record, view: Record, replaced: bool) -> None:
    """Write what a plan of the mover can choose at each position: no card, or one that is of use there.

    replaced: whether placed cards will be replaced by drawing, so that placing a useless card costs nothing.
    """
    seat = mover(state)
    for position in range(POSITIONS):
        own, count = own_now(state, cards, position), 1
        flat, plus = flat_now(state, cards, position), plus_now(state, cards, position)
        view["card"][position, 0] = 0
        view["number"][position, 0] = 0
        view["amount"][position, 0] = offer(own, flat, plus)
        view["extras"][position, 0] = 0
        if may_still_place(state) and has_room(state, cards, seat, position):
            for card in range(state["hand_n"][seat]):
                row = row_of(state, state["hand"][seat, card])
                points, extras = points_with(state, cards, position, row), extras_with(state, cards, position, row)
                poor = replaced and cards["card_number"][row] < cards["mean_number"]
                if poor or points > own or extras > 0:
                    view["card"][position, count] = 1 << card
                    view["number"][position, count] = cards["card_number"][row]
                    view["amount"][position, count] = offer(max(own, points), flat, plus)
                    view["extras"][position, count] = extras
                    count += 1
        view["choices"][position] = count


@kernel
def extras_in(view: Record, left: int, middle: int, right: int) -> float:
    """Worth of the special lines that a plan makes available."""
    extras = view["extras"]
    return (extras[LEFT, left] + extras[MIDDLE, middle] + extras[RIGHT, right]) / TENTHS


@kernel
def write_hands(state: Record, cards: Record, view: Record) -> None:
    """Write the mover's hand after plans that use 0, 1, 2 or 3 of its cards, for `hand_left`."""
    seat = mover(state)
    for used in range(POSITIONS + 1):
        left = max(0, state["hand_n"][seat] - used)
        drawn = drawn_after(state, cards, seat, left)
        view["full"][used] = fullness(left + drawn)
        view["share"][used] = view["full"][used] / SQUAD
        view["many"][used] = max(1, left + drawn)
        view["drawn"][used] = drawn * cards["mean_number"]


@kernel
def hand_left(view: Record, total: float, left: int, middle: int, right: int) -> tuple[float, float]:
    """Weight of the mover's hand after a plan, as `hand_after`. total: sum of the numbers on its cards now."""
    number, used = view["number"], (left > 0) + (middle > 0) + (right > 0)
    numbers = total - (number[LEFT, left] + number[MIDDLE, middle] + number[RIGHT, right]) + view["drawn"][used]
    return view["share"][used], numbers * view["full"][used] / view["many"][used] / HAND_NUMBERS


# The power of a hand: points of attack with one card on each Rookling.


@kernel
def write_strikes(state: Record, cards: Record, view: Record, seat: int, barred: bool) -> None:
    """Write the attacks of the single cards of a hand, see FORESIGHT. barred: whether to respect tokens that bar energy."""
    for position in range(POSITIONS):
        count, strike, striker = 0, view["strike"][position], view["striker"][position]
        if state["at"][seat, position] != NOWHERE and not (barred and not takes_energy(state, cards, seat, position)):
            rook, side = rook_at(state, seat, position), side_at(state, seat, position)
            for card in range(state["hand_n"][seat]):
                points = cards["points_alone"][rook, side, ATTACKING, row_of(state, state["hand"][seat, card])]
                if points == 0:
                    continue
                place = count
                while place > 0 and strike[place - 1] < points:
                    strike[place] = strike[place - 1]
                    striker[place] = striker[place - 1]
                    place -= 1
                strike[place] = points
                striker[place] = 1 << card
                count += 1
        strike[count] = 0
        striker[count] = 0


@kernel
def power_of(view: Record, used: int) -> float:
    """Most points of attack of the unused cards, one on each Rookling, in POINTS, after `write_strikes`. used: by bit."""
    strike, striker, best = view["strike"], view["striker"], 0
    for left in range(CHOICES):
        if strike[LEFT, left] + strike[MIDDLE, 0] + strike[RIGHT, 0] <= best:
            break
        if striker[LEFT, left] & used:
            continue
        taken = used | striker[LEFT, left]
        for middle in range(CHOICES):
            points = strike[LEFT, left] + strike[MIDDLE, middle]
            if points + strike[RIGHT, 0] <= best:
                break
            if striker[MIDDLE, middle] & taken:
                continue
            right, both = 0, taken | striker[MIDDLE, middle]
            while striker[RIGHT, right] & both:
                right += 1
            best = max(best, points + strike[RIGHT, right])
            if striker[MIDDLE, middle] == 0:
                break
        if striker[LEFT, left] == 0:
            break
    return best / POINTS


@kernel
def power_now(state: Record, cards: Record, view: Record, seat: int, barred: bool) -> float:
    """The power of a seat's current hand."""
    write_strikes(state, cards, view, seat, barred)
    return power_of(view, 0)


# The attacker's best plan, against a defence that is estimated.


@kernel
def declared_gain(state: Record, cards: Record, view: Record) -> tuple[float, float, float]:
    """The features DECLARED, KILL and EXTRAS of the declared attacks."""
    att, tokens, seat = state["att"], 0.0, state["attacker"]
    look(state, cards, view)
    for position in range(POSITIONS):
        line = state["line"][seat, position]
        if att[position] > 0 and line != NOBODY:
            tokens += hit_worth(state, cards, seat, position, line)
        view["amount"][position, 0] = att[position]
        write_landing(view, position, 0)
    gain, killed = gain_of(view, 0, 0, 0)
    return gain, killed, tokens


@kernel
def shown_gain(state: Record, cards: Record, view: Record) -> float:
    """The feature SHOWN: life points that the attacker's cards on the table are expected to take so far."""
    look(state, cards, view)
    for position in range(POSITIONS):
        flat, plus = flat_now(state, cards, position), plus_now(state, cards, position)
        view["amount"][position, 0] = offer(own_now(state, cards, position), flat, plus)
        write_landing(view, position, 0)
    gain, _ = gain_of(view, 0, 0, 0)
    return gain


@kernel
def hit_worth(state: Record, cards: Record, seat: int, position: int, line: int) -> float:
    """ROOK-56. Worth of the tokens that an attack line gives when it hits."""
    return cards["line_worth"][rook_at(state, seat, position), line, side_at(state, seat, position)]


@kernel
def hits_ready(state: Record, cards: Record) -> float:
    """Worth of the tokens that attacks with the cards placed so far give: lines in use or, before that, any met line."""
    seat, worth = mover(state), 0.0
    for position in range(POSITIONS):
        if state["zone_n"][seat, position] == 0:
            continue
        chosen = state["phase"] == Phase.ATTACK and position < state["cursor"]
        for line in range(LINES):
            if chosen:
                used = state["line"][seat, position] == line
            else:
                attacks = cards["kind"][rook_at(state, seat, position), line] == Kind.ATTACK
                used = attacks and meets(state, cards, seat, position, line)
            if used:
                worth += hit_worth(state, cards, seat, position, line)
    return worth


@kernel
def attack_promise(state: Record, cards: Record, view: Record) -> tuple[float, float, float, float, float]:
    """The best attack with the cards in hand: PROMISE, KILL, EXTRAS, and the hand after it as weighted cards and numbers.

    Evaluates every plan by the weights.
    """
    look(state, cards, view)
    write_choices(state, cards, view, cards["dump"] == 1)
    write_hands(state, cards, view)
    for position in range(POSITIONS):
        for choice in range(view["choices"][position]):
            write_landing(view, position, choice)
    card, total, weight = view["card"], numbers_in(state, cards, mover(state)), cards["weight"][JUDGED]
    chosen, best = (0.0, 0.0, 0.0, 0.0, 0.0), BELOW_ALL
    for right in range(view["choices"][RIGHT]):
        for middle in range(view["choices"][MIDDLE]):
            if card[RIGHT, right] & card[MIDDLE, middle]:
                continue
            taken = card[RIGHT, right] | card[MIDDLE, middle]
            for left in range(view["choices"][LEFT]):
                if card[LEFT, left] & taken:
                    continue
                gain, killed = gain_of(view, left, middle, right)
                full, numbers = hand_left(view, total, left, middle, right)
                extras = extras_in(view, left, middle, right)
                worth = weight[Feature.PROMISE] * gain + weight[Feature.KILL] * killed + weight[Feature.EXTRAS] * extras
                worth += weight[Feature.OWN_TO_DEFEND] * full + weight[Feature.NUMBERS] * numbers
                if worth > best:
                    chosen, best = (gain, killed, extras, full, numbers), worth
    gain, killed, extras, full, numbers = chosen
    return gain, killed, extras + hits_ready(state, cards), full, numbers


BELOW_ALL = -1e9  # below the worth of any plan


# The defender's best plan, against the attack that is declared.


@kernel
def hits_price(state: Record, cards: Record, ended: int) -> float:
    """ROOK-56. Cost to the defender of the tokens of attacks that were not fully blocked."""
    attacker, price = state["attacker"], 0.0
    for position in range(POSITIONS):
        line = state["line"][attacker, position]
        if not state["poison"] and bearer_of(ended, position) >= 0 and line != NOBODY:
            price += hit_worth(state, cards, attacker, position, line) * ON_TABLE / LANDS
    return price


@kernel
def row_worth(cards: Record, mine: int, theirs: int, feature: np.ndarray) -> float:
    """The weighted sum of the features of two rows, which are overwritten."""
    weight, total = cards["weight"][JUDGED], 0.0
    write_rows(cards, mine, theirs, feature)
    for k in range(Feature.LIFE, Feature.LOST + 1):
        total += weight[k] * feature[k]
    return total


@kernel
def note_same(view: Record) -> None:
    """Note the choices that give a position the same defence, so that each set of defences is resolved once."""
    for position in range(POSITIONS):
        for choice in range(view["choices"][position]):
            first = 0
            while view["amount"][position, first] != view["amount"][position, choice]:
                first += 1
            view["same"][position, choice] = first << (CHOICE_BITS * position)


@kernel
def defence_promise(state: Record, cards: Record, view: Record) -> tuple[int, float, float, float, float, float]:
    """The best defence with the cards in hand, evaluating every plan by its best response and the weights.

    Returns the ended resolution, HITS, EXTRAS, the hand left as weighted cards and numbers, and its POWER_NEXT.
    """
    seat, weight = defender_of(state), cards["weight"][JUDGED]
    write_choices(state, cards, view, False)
    write_hands(state, cards, view)
    write_strikes(state, cards, view, seat, False)
    note_same(view)
    defences = scratch(DEFENCES)
    defences["tried"][:] = 0
    mine, theirs, force = row_now(state, seat), row_now(state, state["attacker"]), force_now(state)
    clash = begin_clash(force, life_of(mine, LEFT), life_of(mine, MIDDLE), life_of(mine, RIGHT))
    hoped = max(0.0, weight[Feature.POWER_NEXT]) * power_of(view, 0)
    card, same, amount, total = view["card"], view["same"], view["amount"], numbers_in(state, cards, seat)
    chosen, best, kept = (0.0, 0.0, 0.0, 0.0), BELOW_ALL, 0
    for right in range(view["choices"][RIGHT]):
        for middle in range(view["choices"][MIDDLE]):
            if card[RIGHT, right] & card[MIDDLE, middle]:
                continue
            taken = card[RIGHT, right] | card[MIDDLE, middle]
            for left in range(view["choices"][LEFT]):
                if card[LEFT, left] & taken:
                    continue
                plan = same[LEFT, left] | same[MIDDLE, middle] | same[RIGHT, right]
                if not defences["tried"][plan >> WORD] >> (plan & WORD_MASK) & 1:
                    blocks = (amount[LEFT, left], amount[MIDDLE, middle], amount[RIGHT, right])
                    ended = best_response(clash, with_defences(force, blocks), cards)
                    hits = -hits_price(state, cards, ended)
                    settled = row_worth(cards, ended, theirs, view["feature"]) + weight[Feature.HITS] * hits
                    defences["tried"][plan >> WORD] |= 1 << (plan & WORD_MASK)
                    defences["ended"][plan] = ended
                    defences["settled"][plan] = settled
                full, numbers = hand_left(view, total, left, middle, right)
                extras = extras_in(view, left, middle, right)
                worth = defences["settled"][plan] + weight[Feature.OWN_TO_ATTACK] * full + weight[Feature.NUMBERS] * numbers
                worth += weight[Feature.EXTRAS] * extras
                if worth + hoped > best:
                    power = power_of(view, card[LEFT, left] | taken)
                    worth += weight[Feature.POWER_NEXT] * power
                    if worth > best:
                        chosen, best, kept = (extras, full, numbers, power), worth, plan
    extras, full, numbers, power = chosen
    ended = defences["ended"][kept]
    return ended, -hits_price(state, cards, ended), extras, full, numbers, power
