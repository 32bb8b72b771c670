"""Positions of Card Rogue by readable names, as scenario files write them: written from a state, and read into one.

This module handles the position as a whole, the players and the turn under way; `map` the cells, enemies and decks.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, shown
from sim.engine.cards import CardSet
from sim.games.cardrogue.actions import DEALS_MAX, open_acts
from sim.games.cardrogue.cards import type_ids
from sim.games.cardrogue.cards.checks import MODIFIERS_MAX
from sim.games.cardrogue.position.map import (
    cell_at,
    decks,
    enemies,
    heaps,
    map_cells,
    place_decks,
    place_enemies,
    place_heaps,
    place_map,
)
from sim.games.cardrogue.record import POTION, SLOTS, Effect, Fill, Goal, Slot, Tile
from sim.games.cardrogue.rules.basics import add_to_hand, attack_mod, fits, is_second_half, max_health
from sim.games.cardrogue.rules.items import CODES
from sim.games.cardrogue.rules.tiles import monster_at, player_at
from sim.games.cardrogue.rules.turn import NOTHING_KEPT, depart, enter_step, points_of, points_of_source, step_aside
from sim.games.cardrogue.setup import clear_table, lay_map, lay_starts
from sim.games.cardrogue.state import (
    AIM,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    NO_CARD,
    NOBODY,
    NOTHING,
    NOWHERE,
    POINTS,
    SEATS,
    Down,
    Ending,
    Node,
    Points,
    PutOff,
    Step,
)
from sim.games.cardrogue.text.labels import DIRECTIONS, SLOT_NAMES, amount_of_gold, row_and_column

# the turn and the decision at hand

COUNT_MAX, SMALL_MAX, LIVES_MAX = 10_000, 99, 9
STEPS = {step.name.lower(): step for step in Step}
IN_COMBAT = (Step.FIGHT, Step.STRUCK, Step.SURVIVED)
DECISIONS = {node.name.lower(): node for node in Node}
DONE = (  # facts of the turn (`lively`: of the round), each 0 or 1
    *("only_walked", "walked", "flipped", "fought", "fled", "enemies_acted", "tripped", "stole"),
    *("mole_called", "second", "cut", "bruised", "lively"),
)
QUIET, FIGHTING = ("only_walked",), ("fought", "lively")  # facts of a turn that has just begun
_TRADE = (Node.TRADE_GIVE, Node.TRADE_WANT, Node.TRADE_ANSWER)


def turn_facts(state: np.void, cards: CardSet) -> dict[str, Any]:
    """The state of the turn, and the counters of turn and rounds."""
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
    """ROGUE-106. Bits of the goals of a lone player, by id."""
    bosses = {word: int(bit) for word, bit in zip(type_ids(cards), cards.record[0]["goal_bit"], strict=False) if bit}
    return {"chest": int(Goal.CHEST), "debt": int(Goal.DEBT), **bosses}


def _offer(cards: CardSet, code: int) -> dict[str, Any]:
    """ROGUE-66. An offer made in this turn, from its code."""
    partner, rest = divmod(code, CODES * CODES)
    give, want = divmod(rest, CODES)
    return {"partner": partner, "give": _thing(cards, give), "want": _thing(cards, want)}


def _thing(cards: CardSet, code: int) -> str:
    """One side of a trade: id of a card, or "5 gold"."""
    return f"{code - GOLD_CODE} gold" if code >= GOLD_CODE else type_ids(cards)[code]


def read_pending(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Earlier choices that led to the decision at hand; empty if there are none."""
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
    """The card that a dead player keeps: id of a card, or a gold card as "5 gold"."""
    return f"{cards.record[0]['denomination'][code - GOLD_CODE]} gold" if code >= GOLD_CODE else type_ids(cards)[code]


def place_turn(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the state of the turn. By default it is in the combat turn if the player is in combat, else in step 1."""
    seat = int(state["active"])
    fights = int(state["combat"][seat]) != 0
    own = Step.FIGHT if fights else Step.FLIP
    state["step"] = STEPS[table.one_of("step", STEPS, own.name.lower())]
    for field in ("moves_left", "repeats", "equips", "idle", "stuck_turns"):
        least = -SMALL_MAX if field == "moves_left" else 0  # below 0: boots were taken off after the second step
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
    """Read a list of known words."""
    words = table.items(key, COUNT_MAX) if table.has(key) else [*default]
    table.take(key, None)
    for word in words:
        if word not in known:
            raise table.wrong(key, f"{shown(word)} is not known there; {did_you_mean(word, [*known])}")
    return words


def _code(table: Table, key: str, cards: CardSet) -> int:
    """Read one side of a trade: a card, or an amount of gold."""
    word = table.text(key)
    gold = amount_of_gold(word)
    if gold is not None and 1 <= gold <= GOLD_OFFER_MAX:
        return GOLD_CODE + gold
    if word not in type_ids(cards):
        raise table.wrong(key, f"must be a card, or 1 to {GOLD_OFFER_MAX} gold; {did_you_mean(word, type_ids(cards))}")
    return type_ids(cards).index(word)


def place_pending(table: Table, cards: CardSet, state: np.void) -> None:
    """Write the decision at hand, and the choices that led to it, into a state that holds the rest."""
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
            scrolls = [word for word, does in zip(ids, cards.record[0]["scroll_effect"], strict=False) if does == effect]
            state["arg"][0] = ids.index(pending.one_of("scroll", scrolls))
        case Node.LEAP:
            state["arg"][0] = pending.whole("victim", 0, last)
        case Node.TELEPORT:
            _place_teleport(pending, cards, state)
    pending.close()


def _place_trade(pending: Table, cards: CardSet, state: np.void, node: Node) -> None:
    """ROGUE-66. Write an offer that is being made or answered."""
    state["arg"][0] = pending.whole("partner", 0, int(state["seats"]) - 1)
    if state["arg"][0] == state["active"]:
        raise pending.wrong("partner", "is the active seat itself; must be another")
    if node != Node.TRADE_GIVE:
        state["arg"][1] = _code(pending, "give", cards)
    if node == Node.TRADE_ANSWER:
        state["arg"][AIM] = _code(pending, "want", cards)
        state["asked"] = state["arg"][0]


def _place_death(pending: Table, cards: CardSet, state: np.void, node: Node) -> None:
    """ROGUE-61. Write the decision of a dead player about its cards."""
    state["asked"] = state["fallen"] = pending.whole("seat", 0, int(state["seats"]) - 1, int(state["active"]))
    state["arg"][0] = NOTHING_KEPT
    if node == Node.LEAVE:
        coins = cards.record[0]["denomination"][: cards.record[0]["denominations"]].tolist()
        things = {word: card for card, word in enumerate(type_ids(cards))}
        things |= {f"{coin} gold": GOLD_CODE + place for place, coin in enumerate(coins)}
        state["arg"][0] = things[pending.one_of("keeps", things)]


def _place_teleport(pending: Table, cards: CardSet, state: np.void) -> None:
    """ROGUE-90. Write who is being teleported: a seat, or the enemy on a cell."""
    state["arg"][0], state["arg"][1] = state["active"], NOBODY
    if not pending.has("enemy_at"):
        state["arg"][0] = pending.whole("who", 0, int(state["seats"]) - 1, int(state["active"]))
        return
    cell = cell_at(pending.take("enemy_at"), cards, pending.field("enemy_at"))
    state["arg"][1] = monster_at(state, cell)
    if state["arg"][1] == NOBODY:
        raise pending.wrong("enemy_at", "holds no enemy")
    state["arg"][AIM] = DIRECTIONS.index(pending.one_of("aim", DIRECTIONS))


# players

NONE = "none"  # no character yet
OUT = "out"  # instead of a cell: out of the game
AWAY = "away"  # left for a while (ROGUE-115)
DEAD = "dead"  # about to come back
HEALTH_MAX, GOLD_MAX, BONUS_MAX, MOD_MAX, STATUS_MAX, POINTS_MAX = 999, 9999, 999, MODIFIERS_MAX, 200, 99
COPIES_MAX = 96
SCORED = {"chest": Points.CHEST, "debt": Points.DEBT, "exit": Points.EXIT}
PUT_OFF = tuple(word.name.lower() for word in PutOff)
RESUME = {"flip": Step.FLIP, "move": Step.MOVE, "place": Step.DONE}
_RESUMES = {step: word for word, step in RESUME.items()}


def player(state: np.void, cards: CardSet, seat: int) -> dict[str, Any]:
    """One seat, including the numbers that follow from the others (`max_health`, `attack`, `points`)."""
    record, seated = cards.record[0], state["character"][seat] != NOBODY
    words = type_ids(cards)
    return {
        "seat": seat,
        "character": cards.ids[state["character"][seat]] if seated else NONE,
        "at": _where(state, seat),
        "health": int(state["health"][seat]),
        "max_health": int(max_health(state, record, seat)) if seated else 0,
        "attack": int(attack_mod(state, record, seat)) if seated else 0,
        "points": int(points_of(state, record, seat)),
        "gold": int(state["gold"][seat]),
        "hand": [word for card, word in enumerate(words) for _ in range(np.int64(state["hand"][seat, card]))],
        "worn": {
            SLOT_NAMES[slot]: words[state["worn"][seat, slot]]
            for slot in range(SLOTS)
            if state["worn"][seat, slot] != NO_CARD and not is_second_half(state, record, seat, slot)
        },
        **{word: int(state[field][seat]) for word, field in _NUMBERS.items()},
        "scored": {word: int(state["scored"][seat, source]) for word, source in SCORED.items()},
        "heading": DIRECTIONS[state["heading"][seat]],
        "put_off": PUT_OFF[state["put_off"][seat]],
        "resume": _RESUMES[state["resume"][seat]] if state["combat"][seat] else "",
        "back": list(row_and_column(state["away"][seat] - 1)) if state["away"][seat] else [],
    }


_NUMBERS = {  # fields of a player, by their keys in positions
    "bonus": "bonus",
    "potion_attack": "potion_mod",
    "poison": "poison",
    "antidote": "antidote",
    "skip": "skip",
    "cooldown": "cooldown",
}


def _where(state: np.void, seat: int) -> list[int] | str:
    if state["cell"][seat] != NOWHERE:
        return list(row_and_column(state["cell"][seat]))
    return OUT if state["out"][seat] else AWAY if state["away"][seat] else DEAD


def place_players(players: list[Table], cards: CardSet, state: np.void) -> None:
    """Write characters, cards and statuses of all seats; `stand_players` puts them on the table."""
    taken = set()
    for seat, entry in enumerate(players):
        if entry.whole("seat", 0, len(players) - 1, seat) != seat:
            raise entry.wrong("seat", f"must be {seat}, its place in the list, or be left out")
        word = entry.one_of("character", [*cards.ids, NONE])
        if word in taken:
            raise entry.wrong("character", "sits at the table already; no card is used twice")
        if word != NONE:
            taken.add(word)
            state["character"][seat] = cards.ids.index(word)
        _place_belongings(entry, cards, state, seat)
        _place_body(entry, cards, state, seat)


def _place_belongings(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """ROGUE-06, 81, 93, 102. Write gold, hand and equipment."""
    record, words = cards.record[0], type_ids(cards)
    state["gold"][seat] = entry.whole("gold", 0, GOLD_MAX, 0)
    for word, count in _hand(entry).items():
        if word not in words:
            raise ValueError(f"{entry.field('hand')} = {shown(word)}: {did_you_mean(word, words)}")
        for _ in range(count):
            add_to_hand(state, seat, words.index(word))
    worn = Table(entry.take("worn", {}), entry.field("worn"))
    for slot, name in enumerate(SLOT_NAMES):
        if worn.has(name):
            _wear(worn, cards, state, seat, slot)
        worn.take(name, None)
    worn.close()
    groups = Counter(
        int(record["cancel_group"][card])
        for card in range(record["types"])
        for _ in range(np.int64(state["hand"][seat, card]))
        if record["cancel_group"][card]
    )
    if any(count > 1 for count in groups.values()):
        raise entry.wrong("hand", "two cards of one cancel_group leave the game at once (ROGUE-102); must be one at most")
    cursed = any(record["cursed"][card] and state["hand"][seat, card] for card in range(record["types"]))
    if cursed and record["discard_cursed"][state["character"][seat]]:
        raise entry.wrong("hand", "this character holds no cursed card (ROGUE-93)")


def _hand(entry: Table) -> Counter[str]:
    """Read the cards in hand, given as a list of ids or as a table of copies."""
    hand = entry.take("hand", [])
    if isinstance(hand, dict):
        copies = Table(hand, entry.field("hand"))
        return Counter({word: copies.whole(word, 0, COPIES_MAX) for word in hand})
    if not isinstance(hand, list) or not all(isinstance(word, str) for word in hand):
        raise entry.wrong("hand", "must be a list of ids, or a table of how many there are of each")
    if len(hand) > COPIES_MAX:
        raise ValueError(f"{entry.field('hand')}: has {len(hand)} cards; at most {COPIES_MAX} are allowed")
    return Counter(hand)


def _wear(worn: Table, cards: CardSet, state: np.void, seat: int, slot: int) -> None:
    """ROGUE-81, 92. Put a card into a slot, and into the other slots that it fills."""
    record, words, character = cards.record[0], type_ids(cards), int(state["character"][seat])
    name = SLOT_NAMES[slot]
    card = words.index(worn.one_of(name, words))
    slots = int(record["slots"][card])
    if slot == Slot.SECONDARY and card == record["offhand_type"][character] and not (slots >> slot) & 1:
        slots = 1 << slot
    elif not (slots >> slot) & 1:
        fitting = [word for word, bits in zip(words, record["slots"], strict=False) if (int(bits) >> slot) & 1]
        raise worn.wrong(name, f"is not worn there; {did_you_mean(words[card], fitting)}")
    elif not fits(record, character, card):
        raise worn.wrong(name, "needs a slot that this character may not use (ROGUE-92)")
    for other in range(SLOTS):
        if (slots >> other) & 1:
            if state["worn"][seat, other] != NO_CARD:
                raise worn.wrong(name, f"fills the {SLOT_NAMES[other]} slot, which is taken; a slot holds one card")
            state["worn"][seat, other] = card


def _place_body(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    """Write statuses, points and health."""
    record, character = cards.record[0], int(state["character"][seat])
    limits = {"bonus": BONUS_MAX, "antidote": MOD_MAX, "cooldown": int(record["spell_cooldown"][character])}
    for word, field in _NUMBERS.items():
        least = -MOD_MAX if word == "potion_attack" else 0
        state[field][seat] = entry.whole(word, least, limits.get(word, MOD_MAX if least else STATUS_MAX), 0)
    if state["antidote"][seat] and not state["poison"][seat]:
        raise entry.wrong("antidote", "must be 0 without poison (ROGUE-83)")
    scored = Table(entry.take("scored", {}), entry.field("scored"))
    for word, source in SCORED.items():
        state["scored"][seat, source] = scored.whole(word, 0, POINTS_MAX, 0)
    scored.close()
    state["heading"][seat] = DIRECTIONS.index(entry.one_of("heading", DIRECTIONS, DIRECTIONS[0]))
    state["put_off"][seat] = PUT_OFF.index(entry.one_of("put_off", PUT_OFF, PUT_OFF[0]))
    resume = entry.one_of("resume", [*RESUME, ""], "")
    state["resume"][seat] = RESUME.get(resume, Step.DONE)
    if character == NOBODY:
        state["health"][seat] = entry.whole("health", 0, 0, 0)
        for field in ("max_health", "attack", "points"):
            entry.whole(field, 0, 0, 0)
        return
    _place_health(entry, cards, state, seat)


def _place_health(entry: Table, cards: CardSet, state: np.void, seat: int) -> None:
    record = cards.record[0]
    most = int(max_health(state, record, seat))
    follows = {"max_health": most, "attack": int(attack_mod(state, record, seat)), "points": int(points_of(state, record, seat))}
    for field, value in follows.items():
        if entry.take(field, value) != value:
            raise entry.wrong(field, f"follows from the rest and is {value}; leave it out or make it so")
    state["health"][seat] = entry.whole("health", -HEALTH_MAX, HEALTH_MAX, most)


def stand_players(players: list[Table], cards: CardSet, state: np.void, fresh: bool) -> None:
    """ROGUE-19. Put every player on its cell. fresh: a player without `at` stands on its starting tile."""
    starts = state["cell"].copy()
    state["cell"][:] = NOWHERE
    for seat, entry in enumerate(players):
        at = entry.take("at", list(row_and_column(starts[seat]))) if fresh else entry.take("at")
        back = entry.take("back", [])
        if at == OUT:
            state["out"][seat] = 1
        elif at == AWAY:
            state["away"][seat] = 1 + cell_at(back, cards, entry.field("back"))
        elif at != DEAD:
            state["cell"][seat] = _standing(entry, cards, state, at)


def _standing(entry: Table, cards: CardSet, state: np.void, at: object) -> int:
    """Read the cell of a player: face-up, without an enemy or another player."""
    cell = cell_at(at, cards, entry.field("at"))
    if state["down"][cell] != Down.NO:
        raise entry.wrong("at", "is a face-down card; players stand on face-up tiles")
    if monster_at(state, cell) != NOBODY:
        raise entry.wrong("at", "is where an enemy is; a cell holds one player or enemy (ROGUE-19)")
    if state["tile"][cell] == Tile.NONE and state["on"][cell] == NOTHING:
        raise entry.wrong("at", "is empty; players stand on face-up tiles")
    if player_at(state, cell) != NOBODY:
        raise entry.wrong("at", f"is where seat {player_at(state, cell)} stands; a cell holds one player or enemy (ROGUE-19)")
    return cell


# the whole position

ROUNDS_MAX = 10_000
TURNS_MAX = 1_000_000
STAYS = "no"
LEAVING = {"for good": depart, "for a while": step_aside}
ENDINGS = tuple(ending.name.lower() for ending in Ending)


def position(state: np.void, cards: CardSet) -> dict[str, Any]:
    """Return the position in the form that `place` reads. Earlier choices of the decision at hand are in `pending`."""
    return {
        "seats": int(state["seats"]),
        "turn": int(state["turn"]),
        "round": int(state["round"]),
        "first": int(state["first"]),
        "active": int(state["active"]),
        "ending": Ending(state["ending"]).name.lower(),
        "rush": bool(state["rush"]),
        **turn_facts(state, cards),
        "pending": read_pending(state, cards),
        "players": [player(state, cards, seat) for seat in range(np.int64(state["seats"]))],
        "map": map_cells(state, cards),
        "enemies": enemies(state, cards),
        "left": heaps(state, cards),
        **decks(state, cards),
    }


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which must be zeroed.

    Only `players` with `character` are required. Everything else defaults to a fresh game in which seat 0 is about to begin;
    cards that are named nowhere are unseen. Raises ValueError with the field, its value and what would be right.
    """
    table = Table(position)
    players = table.tables("players", SEATS)
    _check_seats(table, len(players), cards)
    clear_table(state, cards.record[0], len(players))
    state["first"] = table.whole("first", 0, len(players) - 1, 0)
    state["active"] = table.whole("active", 0, len(players) - 1, int(state["first"]))
    state["turn"] = table.whole("turn", 0, TURNS_MAX, 0)
    state["round"] = table.whole("round", 1, ROUNDS_MAX, 1)
    _begin_rush(table, state)
    _lay(table, cards, state)
    place_players(players, cards, state)
    place_heaps(table, cards, state)
    stand_players(players, cards, state, fresh=not table.has("map"))
    place_enemies(table, cards, state)
    place_turn(table, cards, state)
    place_pending(table, cards, state)
    place_decks(table, cards, state)
    _let_leave(players, cards, state)
    _settle(table, players, cards, state)
    for part in (*players, table):
        part.close()


def _check_seats(table: Table, seats: int, cards: CardSet) -> None:
    most = SEATS if cards.record[0]["fill"] == Fill.DEAL else 1
    if not 1 <= seats <= most:
        right = f"1 to {most} tables with a character" if most > 1 else "one, for a fixed layout is played alone"
        raise ValueError(f"players: has {seats} entries; must be {right}")
    if table.whole("seats", 1, SEATS, seats) != seats:
        raise table.wrong("seats", f"there are {seats} players")


def _begin_rush(table: Table, state: np.void) -> None:
    """ROGUE-103."""
    state["rush"] = table.flag("rush", False)
    if state["rush"] and state["seats"] == 1:
        raise table.wrong("rush", "a lone player has no end rush")
    state["rush_round"] = state["round"] if state["rush"] else 0


def _lay(table: Table, cards: CardSet, state: np.void) -> None:
    """Lay the given map, or that of a fresh game."""
    if table.has("map"):
        place_map(table, cards, state)
        return
    for key in ("map", "corner"):
        table.take(key, None)
    if cards.record[0]["fill"] == Fill.DEAL:
        lay_starts(state, cards.record[0])
    else:
        lay_map(state, cards.record[0])


def _let_leave(players: list[Table], cards: CardSet, state: np.void) -> None:
    """ROGUE-115. Let players with `leaves` leave: off the cell given by `at`, and out of their fights."""
    for seat, entry in enumerate(players):
        way = entry.one_of("leaves", [STAYS, *LEAVING], STAYS)
        if way == STAYS:
            continue
        if state["cell"][seat] == NOWHERE:
            raise entry.wrong("leaves", "the player is not on the table; at must be the cell that it leaves from")
        if seat == state["active"] or state["node"] != Node.MAIN:
            raise entry.wrong("leaves", 'must be "no" for the active seat, and where decision is not "main"')
        LEAVING[way](state, cards.record[0], seat)


def _check_bodies(players: list[Table], state: np.void) -> None:
    """ROGUE-08, 61. Check that every player in the game is alive, has a character and stands on a cell, except the dying."""
    over, draft = state["node"] == Node.OVER, state["node"] == Node.DRAFT
    for seat, entry in enumerate(players):
        dying = seat == state["fallen"] or over
        if state["cell"][seat] != NOWHERE and not dying and not draft and state["health"][seat] <= 0:
            raise entry.wrong("health", "must be at least 1; only who is choosing what to keep has less (ROGUE-61)")
        waits = state["put_off"][seat] != PutOff.NOTHING
        if state["cell"][seat] != NOWHERE and not dying and not waits and state["on"][state["cell"][seat]] != NOTHING:
            right = 'must be "all" or "after_trap" on a cell with a card, which is picked up next turn (ROGUE-33)'
            raise entry.wrong("put_off", right)
        if state["character"][seat] == NOBODY and not draft:
            raise entry.wrong("character", 'every seat has one, but for decision = "draft"')
        lost = state["cell"][seat] == NOWHERE and not state["out"][seat] and not state["away"][seat]
        if lost and not (dying and state["node"] in (Node.RESPAWN, Node.OVER)):
            raise entry.wrong("at", 'only who decides "respawn" is dead; must be [row, column], "out" or "away"')


def _settle(table: Table, players: list[Table], cards: CardSet, state: np.void) -> None:
    """Write what follows from the position: whether the game is over, and the open categories of MAIN."""
    record = cards.record[0]
    ending = table.one_of("ending", ENDINGS, ENDINGS[Ending.RUNNING])
    state["ending"] = Ending[ending.upper()]
    if state["node"] == Node.OVER and state["ending"] == Ending.RUNNING:
        raise table.wrong("ending", f"must be one of {', '.join(ENDINGS[1:])} where the game is over")
    if state["ending"] != Ending.RUNNING:
        state["node"] = Node.OVER
        for seat in range(np.int64(state["seats"])):
            for source in range(POINTS):
                state["points"][seat, source] = points_of_source(state, record, seat, source)
    _check_bodies(players, state)
    if state["node"] != Node.MAIN:
        return
    seat = int(state["active"])
    if state["cell"][seat] == NOWHERE:
        raise table.wrong("active", "is not on the table; must be a seat that is")
    if (state["step"] in IN_COMBAT) != (state["combat"][seat] != 0) or state["step"] == Step.DONE:
        right = "must be fight, struck or survived in combat" if state["combat"][seat] else "must be flip, move or interact"
        raise table.wrong("step", f"{right} (ROGUE-20, 41)")
    if state["step"] == Step.MOVE and not table.has("moves_left"):
        enter_step(state, record, seat, int(Step.MOVE))
    state["acts"] = open_acts(state, record, seat)
