"""Coin duel: a tiny made-up game, complete in this file, that shows what a game provides. It lives outside `sim`.

Two or three fighters, six cards 1..6. Each round every seat is dealt a card that only it sees. In turn each seat folds, holds
or raises the stake by one coin; the last seat left cannot fold. Seats that stay roll their die and add their card and bonus:
the highest sum gains the stake (each of them, in a tie), the other seats that stayed lose it, down to 0 coins. The game ends
when a seat reaches the goal. The seat with the most coins wins; ties share the win. No seat wins after `turn_cap` rounds.
"""

import sys
from enum import IntEnum
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from sim import kit
from sim.kit import Record, kernel

SEATS, DECK = 3, 6
MIDDLE = (DECK + 1) / 2  # of the cards
FEATURES = ("lead", "prospect", "near", "even")
Action = IntEnum("Action", ["FOLD", "HOLD", "RAISE"], start=0)
Draw = IntEnum("Draw", ["FIRST", "DECK", "FIGHT", "GUESS"], start=kit.Purpose.FIRST_FREE)

FACTS = (
    kit.Fact("coins", np.int16, (kit.SEATS_MAX,), "Coins at the end", "coins"),
    kit.Fact("won", np.int16, (kit.SEATS_MAX,), "Rounds won", "rounds"),
    kit.Fact("folds", np.int16, (kit.SEATS_MAX,), "Rounds left early", "rounds"),
    kit.Fact("raises", np.int16, (kit.SEATS_MAX,), "Raises", "coins"),
    kit.Fact("rounds", np.int16, (), "Rounds", "rounds", per="game", source=("turn",)),
)
STATE = np.dtype(
    [
        *kit.held(FACTS),
        ("keys", np.uint32, (DECK,)),  # scratch of the shuffle
        ("turn", np.int16),  # rounds finished
        ("fighter", np.int8, (SEATS,)),  # row of the card
        ("deck", np.int8, (DECK,)),  # hidden: the card of each seat, then the cards left over
        ("folded", np.uint8, (SEATS,)),  # 1: out of this round
        ("total", np.int8, (SEATS,)),  # of the last fight: roll, card and bonus; 0: stayed out
        ("seats", np.int8),
        ("first", np.int8),  # seat that decides first in this round
        ("decided", np.int8),  # seats that have decided in this round
        ("stake", np.int8),  # coins
        ("over", np.uint8),
    ],
    align=True,
)


class Rules(kit.CardModel):
    goal: Annotated[int, Field(ge=1, le=50)]
    stake_max: Annotated[int, Field(ge=1, le=5)]
    turn_cap: Annotated[int, Field(ge=1, le=200)]
    source: kit.Source = None


class Fighter(kit.CardModel):
    id: kit.Identifier
    name: kit.Text
    faces: Annotated[int, Field(ge=2, le=20)]
    bonus: Annotated[int, Field(ge=0, le=9)]
    source: kit.Source = None


class CoinDuelFile(kit.CardFile):
    ENTRANTS: ClassVar[str] = "fighter"
    game: Literal["coin_duel"]
    rules: Rules
    fighter: Annotated[list[Fighter], Field(min_length=1, max_length=8)]


CARDS = kit.CardFormat.of(CoinDuelFile, __file__, FEATURES)


@kernel
def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    state["seats"] = len(lineup)
    for seat in range(min(SEATS, len(lineup))):
        state["fighter"][seat] = lineup[seat]
    state["first"] = kit.below(rng, kit.NATURE, Draw.FIRST, len(lineup))
    deal_round(state, rng)


@kernel
def deal_round(state: Record, rng: Record) -> None:
    for card in range(DECK):
        state["deck"][card] = card + 1
    kit.shuffle(rng, kit.NATURE, Draw.DECK, state["deck"], state["keys"])
    state["folded"][:] = 0
    state["decided"] = 0
    state["stake"] = 1


@kernel
def current_player(state: Record) -> int:
    return (state["first"] + state["decided"]) % state["seats"]


@kernel
def is_over(state: Record) -> bool:
    return state["over"] > 0


@kernel
def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """The last seat left cannot fold, and the stake has a limit."""
    first = Action.FOLD if state["folded"].sum() < state["seats"] - 1 else Action.HOLD
    last = Action.RAISE if state["stake"] < cards["stake_max"] else Action.HOLD
    for action in range(first, last + 1):
        out[action - first] = action
    return last - first + 1


@kernel
def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """The last decision of a round starts the fight."""
    seat = current_player(state)
    if action == Action.FOLD:
        state["folded"][seat] = 1
        state["folds"][seat] += 1
    elif action == Action.RAISE:
        state["stake"] += 1
        state["raises"][seat] += 1
    state["decided"] += 1
    if state["decided"] == state["seats"]:
        fight(state, cards, rng)
        state["turn"] += 1
        state["over"] = most_coins(state) >= cards["goal"]
        if not state["over"]:
            state["first"] = (state["first"] + 1) % state["seats"]
            deal_round(state, rng)


@kernel
def fight(state: Record, cards: Record, rng: Record) -> None:
    """The highest sum gains the stake, the other seats that stayed lose it."""
    best = 0
    for seat in range(state["seats"]):
        fighter, state["total"][seat] = state["fighter"][seat], 0
        if not state["folded"][seat]:
            face = kit.roll(rng, seat, Draw.FIGHT, cards["faces"][fighter])
            state["total"][seat] = face + state["deck"][seat] + cards["bonus"][fighter]
            best = max(best, state["total"][seat])
    for seat in range(state["seats"]):
        if state["total"][seat] == best:
            state["coins"][seat] += state["stake"]
            state["won"][seat] += 1
        elif not state["folded"][seat]:
            state["coins"][seat] = max(0, state["coins"][seat] - state["stake"])


@kernel
def most_coins(state: Record) -> int:
    """Coins of the richest seat. A loop, because `max` of an array allocates."""
    most = 0
    for seat in range(SEATS):
        most = max(most, state["coins"][seat])
    return most


@kernel
def returns(state: Record, out: np.ndarray) -> None:
    """The seats with the most coins share the win."""
    out[:] = 0.0
    if state["over"]:
        for seat in range(state["seats"]):
            out[seat] = state["coins"][seat] == most_coins(state)
        out /= out.sum()


@kernel
def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Lead in coins, coins that the seat's card promises, the lead near the end, as fractions of the goal; and 1 for the seat."""
    best = 0
    for other in range(state["seats"]):
        if other != seat:
            best = max(best, state["coins"][other])
    goal, lead, prospect = float(cards["goal"]), float(state["coins"][seat] - best), 0.0
    if state["decided"] > 0 and not state["folded"][seat]:
        prospect = state["stake"] * (state["deck"][seat] - MIDDLE) / MIDDLE
    near = lead * max(best, state["coins"][seat]) / goal**2
    out[0], out[1], out[2], out[3] = lead / goal, prospect / goal, near, 1.0  # as in FEATURES


@kernel
def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Keep the seat's card and shuffle all others."""
    own_card = state["deck"][seat]
    state["deck"][seat] = state["deck"][0]
    kit.reshuffle(rng, seat, Draw.GUESS, state["deck"][1:], state["keys"])
    state["deck"][0] = state["deck"][seat]
    state["deck"][seat] = own_card


@kernel
def ablation_of(state: Record, cards: Record, action: int) -> int:
    return 0 if action == Action.FOLD else 1 if action == Action.RAISE else kit.NOTHING


def settle(table, here):
    """The cards that no seat holds are left over, in order."""
    hands = here.state["deck"][: here.state["seats"]].tolist()
    here.state["deck"] = hands + [card for card in range(1, DECK + 1) if card not in hands][: DECK - len(hands)]


def problems(state, cards):
    """What is impossible in a position, besides numbers out of range."""
    if sorted(state["deck"].tolist()) != [*range(1, DECK + 1)]:
        yield kit.Problem(("hands",), f"must be a different card 1..{DECK} for each fighter")


POSITION = kit.Document(
    keys=(
        kit.LineUp("fighters", "ids", field="fighter", seats=(2, 3)),
        kit.Each("coins", "coins by seat", most=99),
        kit.Each(
            "hands", "card of each seat", field="deck", count=lambda here: here.number("seats"), least=1, most=DECK, default=None
        ),
        kit.Each("folded", "1: out of this round, by seat", most=1),
        kit.Number("first", "seat that decides first", most=lambda here: here.state["seats"] - 1),
        kit.Number("decided", "seats that have decided", most=lambda here: here.state["seats"] - 1),
        kit.Number("stake", "coins", least=1, most=lambda here: here.card("stake_max"), default=1),
        kit.Number("turn", "rounds finished", most=lambda here: here.card("turn_cap")),
        kit.Flag("over", "whether the game has ended"),
    ),
    problems=problems,
    settle=settle,
)
GAME = kit.Game.of(
    CARDS,
    FACTS,
    name="coin_duel",
    title="Coin duel",
    seats=(2, 3),
    state=STATE,
    options_max=len(Action),
    verbs=kit.Verbs.of(sys.modules[__name__]),
    words=kit.PlainWords(POSITION, FACTS, Action),
    mirror=True,
    hidden=("keys", "deck"),
    features=FEATURES,
    ablatable=lambda _: ("rule.fold", "rule.raise"),
)
