"""A turn of Card Rogue that is under way, by readable names: its step, what was done in it, and the decision at hand."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.fieldpaths import did_you_mean, shown
from sim.engine.reading import Table
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.codes import POTION, Effect, Goal
from sim.games.cardrogue.death import NOTHING_KEPT
from sim.games.cardrogue.decisions import AIM, GOLD_CODE, GOLD_OFFER_MAX, Node, Step
from sim.games.cardrogue.grid import monster_at
from sim.games.cardrogue.labels import DIRECTIONS, amount_of_gold, row_and_column
from sim.games.cardrogue.notation_map import cell_at
from sim.games.cardrogue.options import DEALS_MAX
from sim.games.cardrogue.people import CODES
from sim.games.cardrogue.state import NOBODY

COUNT_MAX, SMALL_MAX, LIVES_MAX = 10_000, 99, 9
STEPS = {step.name.lower(): step for step in Step}
IN_COMBAT = (Step.FIGHT, Step.STRUCK, Step.SURVIVED)
DECISIONS = {node.name.lower(): node for node in Node}
DONE = (  # facts of the turn, each 0 or 1; `lively` is of the round
    *("only_walked", "walked", "flipped", "fought", "fled", "enemies_acted", "tripped", "stole"),
    *("mole_called", "second", "cut", "bruised", "lively"),
)
QUIET, FIGHTING = ("only_walked",), ("fought", "lively")  # of a turn that has just begun
_TRADE = (Node.TRADE_GIVE, Node.TRADE_WANT, Node.TRADE_ANSWER)


def turn_facts(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Where the turn is, and what counts in it and in the rounds so far."""
    return {
        "step": Step(state["step"]).name.lower(),
        "moves_left": int(state["moves_left"]),
        "repeats": int(state["repeats"]),
        "equips": int(state["equips"]),
        "deals": int(state["deals"]),
        "offers": [_offer(cards, int(code) - 1) for code in state["offered"][: state["offers"]]],
        "done": [fact for fact in DONE if state[fact]],
        "blocked": [name for direction, name in enumerate(DIRECTIONS) if (state["blocked"] >> direction) & 1],
        "idle": int(state["idle"]),
        "stuck_turns": int(state["stuck_turns"]),
        "deaths_left": int(state["deaths_left"]),
        "goals_done": [word for word, bit in _goals(cards).items() if state["goals_done"] & bit],
        "decision": Node(state["node"]).name.lower(),
    }


def _goals(cards: CardSet) -> dict[str, int]:
    """ROGUE-106. Bits of what a lone player can be asked to do."""
    bosses = {word: int(bit) for word, bit in zip(type_ids(cards), cards.record[0]["goal_bit"], strict=False) if bit}
    return {"chest": int(Goal.CHEST), "debt": int(Goal.DEBT), **bosses}


def _offer(cards: CardSet, code: int) -> dict[str, Any]:
    """ROGUE-66. An offer made in this turn."""
    partner, rest = divmod(code, CODES * CODES)
    give, want = divmod(rest, CODES)
    return {"partner": partner, "give": _thing(cards, give), "want": _thing(cards, want)}


def _thing(cards: CardSet, code: int) -> str:
    """One side of a trade: id of a card, or "5 gold"."""
    return f"{code - GOLD_CODE} gold" if code >= GOLD_CODE else type_ids(cards)[code]


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Tell what was decided so far on the way to the decision at hand; empty where nothing was."""
    node, first = Node(state["node"]), int(state["arg"][0])
    if node in _TRADE:
        given = {"give": _thing(cards, int(state["arg"][1]))} if node != Node.TRADE_GIVE else {}
        wanted = {"want": _thing(cards, int(state["arg"][AIM]))} if node == Node.TRADE_ANSWER else {}
        return {"partner": first, **given, **wanted}
    match node:
        case Node.DRAFT | Node.KEEP | Node.RESPAWN:
            return {"seat": int(state["asked"])}
        case Node.LEAVE:
            return {"seat": int(state["asked"]), "keeps": _kept(cards, first)}
        case Node.THROW_AT:
            return {"potion": type_ids(cards)[POTION + first]}
        case Node.IDENTIFY | Node.SCROLL_MOVE:
            return {"scroll": type_ids(cards)[first]}
        case Node.LEAP:
            return {"victim": first}
        case Node.TELEPORT if state["arg"][1] == NOBODY:
            return {"who": first}
        case Node.TELEPORT:
            cell = state["enemy_cell"][state["arg"][1]]
            return {"enemy_at": list(row_and_column(cell)), "aim": DIRECTIONS[state["arg"][AIM]]}
    return {}


def _kept(cards: CardSet, code: int) -> str:
    """What the dead keep: id of a card, or a gold card as "5 gold"."""
    return f"{cards.record[0]['denomination'][code - GOLD_CODE]} gold" if code >= GOLD_CODE else type_ids(cards)[code]


def place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Write where the turn is. In combat it is in the combat turn, else in step 1, if nothing is said."""
    seat = int(state["active"])
    fights = int(state["combat"][seat]) != 0
    own = Step.FIGHT if fights else Step.FLIP
    state["step"] = STEPS[table.one_of("step", STEPS, own.name.lower())]
    for field in ("moves_left", "repeats", "equips", "idle", "stuck_turns"):
        least = -SMALL_MAX if field == "moves_left" else 0  # below 0: boots taken off after the second step
        state[field] = table.whole(field, least, COUNT_MAX if field in ("idle", "stuck_turns") else SMALL_MAX, 0)
    state["deals"] = table.whole("deals", 0, DEALS_MAX, 0)
    if state["stuck_turns"] >= state["seats"] > 1 and not state["rush"]:
        raise table.wrong("stuck_turns", f"must be at most {state['seats'] - 1}; with one more the end rush has begun")
    state["deaths_left"] = table.whole("deaths_left", -1, LIVES_MAX, int(cards.record[0]["lives"]) - 1)
    for index, offer in enumerate(table.tables("offers", len(state["offered"]))):
        partner = offer.whole("partner", 0, int(state["seats"]) - 1)
        give, want = (_code(offer, field, cards) for field in ("give", "want"))
        state["offered"][index] = 1 + (partner * CODES + give) * CODES + want
        state["offers"] = index + 1
        offer.close()
    for fact in _words(table, "done", DONE, FIGHTING if fights else QUIET):
        state[fact] = 1
    for direction in _words(table, "blocked", DIRECTIONS, ()):
        state["blocked"] |= 1 << DIRECTIONS.index(direction)
    goals = _goals(cards)
    for goal in _words(table, "goals_done", goals, ()):
        state["goals_done"] |= goals[goal]


def _words(table: Table, key: str, known: Iterable[str], default: tuple[str, ...]) -> list[str]:
    """A list of some of the known words."""
    words = table.items(key, COUNT_MAX) if table.has(key) else [*default]
    table.take(key, None)
    for word in words:
        if word not in known:
            raise table.wrong(key, f"{shown(word)} is not known there; {did_you_mean(word, [*known])}")
    return words


def _code(table: Table, key: str, cards: CardSet) -> int:
    """One side of a trade from its words."""
    word = table.text(key)
    gold = amount_of_gold(word)
    if gold is not None and 1 <= gold <= GOLD_OFFER_MAX:
        return GOLD_CODE + gold
    if word not in type_ids(cards):
        raise table.wrong(key, f"must be a card, or 1 to {GOLD_OFFER_MAX} gold; {did_you_mean(word, type_ids(cards))}")
    return type_ids(cards).index(word)


def place_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the decision at hand, and what was decided on the way to it, into a state that holds the rest."""
    node = DECISIONS[table.one_of("decision", DECISIONS, Node.MAIN.name.lower())]
    pending = Table(table.take("pending", {}), "pending")
    state["node"], state["asked"] = node, state["active"]
    ids, last = type_ids(cards), int(state["seats"]) - 1
    if node in _TRADE:
        _place_trade(pending, cards, state, node)
    match node:
        case Node.DRAFT:
            state["asked"] = pending.whole("seat", 0, last, 0)
        case Node.KEEP | Node.LEAVE | Node.RESPAWN:
            _place_death(pending, cards, state, node)
        case Node.THROW_AT:
            colours = cards.document["potions"]["colours"]
            state["arg"][0] = colours.index(pending.one_of("potion", colours))
        case Node.IDENTIFY | Node.SCROLL_MOVE:
            effect = Effect.IDENTIFY if node == Node.IDENTIFY else Effect.MOVE_ANY
            scrolls = [
                word for word, does in zip(ids, cards.record[0]["scroll_effect"], strict=False) if does == effect
            ]
            state["arg"][0] = ids.index(pending.one_of("scroll", scrolls))
        case Node.LEAP:
            state["arg"][0] = pending.whole("victim", 0, last)
        case Node.TELEPORT:
            _place_teleport(pending, cards, state)
    pending.close()


def _place_trade(pending: Table, cards: CardSet, state: np.void, node: Node) -> None:
    """ROGUE-66. An offer that is being made, or has been."""
    state["arg"][0] = pending.whole("partner", 0, int(state["seats"]) - 1)
    if state["arg"][0] == state["active"]:
        raise pending.wrong("partner", "is the active seat itself; must be another")
    if node != Node.TRADE_GIVE:
        state["arg"][1] = _code(pending, "give", cards)
    if node == Node.TRADE_ANSWER:
        state["arg"][AIM] = _code(pending, "want", cards)
        state["asked"] = state["arg"][0]


def _place_death(pending: Table, cards: CardSet, state: np.void, node: Node) -> None:
    """ROGUE-61. Somebody has died and settles what becomes of its cards."""
    state["asked"] = state["fallen"] = pending.whole("seat", 0, int(state["seats"]) - 1, int(state["active"]))
    state["arg"][0] = NOTHING_KEPT
    if node == Node.LEAVE:
        coins = cards.record[0]["denomination"][: cards.record[0]["denominations"]].tolist()
        things = {word: card for card, word in enumerate(type_ids(cards))}
        things |= {f"{coin} gold": GOLD_CODE + place for place, coin in enumerate(coins)}
        state["arg"][0] = things[pending.one_of("keeps", things)]


def _place_teleport(pending: Table, cards: CardSet, state: np.void) -> None:
    """ROGUE-90. Who is being carried off: a seat, or the enemy on a cell."""
    state["arg"][0], state["arg"][1] = state["active"], NOBODY
    if not pending.has("enemy_at"):
        state["arg"][0] = pending.whole("who", 0, int(state["seats"]) - 1, int(state["active"]))
        return
    cell = cell_at(pending.take("enemy_at"), cards, pending.field("enemy_at"))
    state["arg"][1] = monster_at(state, cell)
    if state["arg"][1] == NOBODY:
        raise pending.wrong("enemy_at", "holds no enemy")
    state["arg"][AIM] = DIRECTIONS.index(pending.one_of("aim", DIRECTIONS))
