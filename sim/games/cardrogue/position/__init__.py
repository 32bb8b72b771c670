"""Positions of Card Rogue by readable names, as scenario files write them: the keys of POSITION.

Cells are tokens as in fixed layouts (see `cards.checks`). Every card is in one place only.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet
from sim.engine.positions import (
    ABSENT,
    Case,
    Custom,
    Document,
    Flag,
    Follows,
    Here,
    Key,
    Number,
    Rows,
    When,
    Word,
    numbered,
    words_of,
)
from sim.games.cardrogue.actions import DEALS_MAX, open_acts
from sim.games.cardrogue.cards import effect_names, type_ids
from sim.games.cardrogue.cards.checks import MODIFIERS_MAX
from sim.games.cardrogue.position.invariants import DYING, SCORED, decks, entry_ids, problems, rotations
from sim.games.cardrogue.position.map import (
    COUNT_MAX,
    cards_and_coins,
    cell_at,
    of_category,
    place_of,
    read_left,
    read_map,
    words_at,
    write_left,
    write_map,
)
from sim.games.cardrogue.record import ENTRIES, SLOTS, TILE_ENTRY, Category, Effect, Fill, Goal, Slot, Tile
from sim.games.cardrogue.rules.basics import add_to_hand, attack_mod, is_second_half, max_health
from sim.games.cardrogue.rules.combat import reveal
from sim.games.cardrogue.rules.items import CODES
from sim.games.cardrogue.rules.tiles import ALL_OPEN, monster_at, monster_sides, neighbour, opens
from sim.games.cardrogue.rules.turn import NOTHING_KEPT, depart, enter_step, points_of, points_of_source, step_aside
from sim.games.cardrogue.setup import clear_table
from sim.games.cardrogue.state import (
    AIM,
    ENEMY_SLOTS,
    GOLD_CODE,
    GOLD_OFFER_MAX,
    MONSTER,
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
    Source,
    Step,
)
from sim.games.cardrogue.text.labels import DIRECTIONS, SLOT_NAMES, UNKNOWN, amount_of_gold, cell_name, effect_name, seats_of

TURNS_MAX = 1_000_000
HEALTH_MAX, GOLD_MAX, BONUS_MAX, STATUS_MAX, SMALL_MAX, LIVES_MAX, COPIES_MAX = 999, 9999, 999, 200, 99, 9, 96
PILE_MAX = 255
REQUIRED = None
_STAND, _LAY, _SEAT, _ENGAGE = -4, -3, -2, -1  # stages of writing: whose turn, the map, the players, the enemies


def _last_seat(here: Here) -> int:
    return int(here.state["seats"]) - 1


def _active(here: Here) -> int:
    return int(here.state["active"])


# Players.

NONE = "none"  # no character yet
OUT = "out"  # instead of a cell: out of the game
AWAY = "away"  # left for a while (ROGUE-115)
DEAD = "dead"  # about to come back
STAYS = "no"
LEAVING = {"for good": depart, "for a while": step_aside}
RESUME = {"flip": Step.FLIP, "move": Step.MOVE, "place": Step.DONE}


def _of_player(rule: Callable[..., int]) -> Callable[[Here], int]:
    """A number that follows from a player's cards, 0 without a character."""
    return lambda here: int(rule(here.state, here.cards.record[0], *here.at)) if here.number("character") != NOBODY else 0


def _read_at(here: Here) -> list[int] | str:
    if here.number("cell") != NOWHERE:
        return place_of(here.number("cell"))
    return OUT if here.number("out") else AWAY if here.number("away") else DEAD


def _write_at(table: Table, here: Here) -> None:
    """ROGUE-19. Put a player on its cell, by default on its starting tile if the map is that of a new game."""
    (seat,), start = here.at, here.number("cell")
    at = table.take("at", place_of(start)) if start != NOWHERE else table.take("at")
    here.state["cell"][seat] = NOWHERE
    if at == OUT:
        here.state["out"][seat] = 1
    elif at == AWAY:
        here.state["away"][seat] = 1 + cell_at(table.take("back", []), here.cards, table.field("back"))
    elif at != DEAD:
        here.state["cell"][seat] = cell_at(at, here.cards, table.field("at"))


def _read_hand(here: Here) -> list[str]:
    return [word for card, word in enumerate(type_ids(here.cards)) for _ in range(here.number("hand", card))]


def _write_hand(table: Table, here: Here) -> None:
    """ROGUE-06. Write the cards in hand, given as a list of ids or as a table of copies."""
    hand, known = table.take("hand", []), type_ids(here.cards)
    if isinstance(hand, dict):
        copies = Table(hand, table.field("hand"))
        hand = [word for word in hand for _ in range(copies.whole(word, 0, COPIES_MAX))]
    elif not isinstance(hand, list) or not all(isinstance(word, str) for word in hand):
        raise table.wrong("hand", "must be a list of ids, or a table of how many there are of each")
    elif len(hand) > COPIES_MAX:
        raise ValueError(f"{table.field('hand')}: has {len(hand)} cards; at most {COPIES_MAX} are allowed")
    for word in hand:
        if word not in known:
            raise ValueError(f"{table.field('hand')} = {shown(word)}: {did_you_mean(word, known)}")
        add_to_hand(here.state, here.at[0], known.index(word))


def _read_worn(here: Here) -> dict[str, str]:
    (seat,), state, words = here.at, here.state, type_ids(here.cards)
    worn = [slot for slot in range(SLOTS) if state["worn"][seat, slot] != NO_CARD]
    worn = [slot for slot in worn if not is_second_half(state, here.cards.record[0], seat, slot)]
    return {SLOT_NAMES[slot]: words[state["worn"][seat, slot]] for slot in worn}


def _write_worn(table: Table, here: Here) -> None:
    """ROGUE-81, 92. Put cards into slots, and into the other slots that they fill."""
    record, words = here.cards.record[0], type_ids(here.cards)
    worn, filled = Table(table.take("worn", {}), table.field("worn")), here.state["worn"][here.at[0]]
    for slot, name in enumerate(SLOT_NAMES):
        if not worn.has(name):
            worn.take(name, None)
            continue
        card = words.index(worn.one_of(name, words))
        slots = int(record["slots"][card])
        if not (slots >> slot) & 1:
            if slot != Slot.SECONDARY or card != here.card("offhand_type", here.number("character")):
                fitting = [word for word, bits in zip(words, record["slots"], strict=False) if (int(bits) >> slot) & 1]
                raise worn.wrong(name, f"is not worn there; {did_you_mean(words[card], fitting)}")
            slots = 1 << slot
        for other in [other for other in range(SLOTS) if (slots >> other) & 1]:
            if filled[other] != NO_CARD:
                raise worn.wrong(name, f"fills the {SLOT_NAMES[other]} slot, which is taken; a slot holds one card")
            filled[other] = card
    worn.close()


def _write_scored(table: Table, here: Here) -> None:
    scored = Table(table.take("scored", {}), table.field("scored"))
    for word, source in SCORED.items():
        here.state["scored"][here.at[0], source] = scored.whole(word, 0, SMALL_MAX, 0)
    scored.close()


def _read_resume(here: Here) -> str:
    return next(word for word, step in RESUME.items() if step == here.number("resume")) if here.number("combat") else ""


def _write_resume(table: Table, here: Here) -> None:
    here.state["resume"][here.at[0]] = RESUME.get(table.one_of("resume", [*RESUME, ""], ""), Step.DONE)


def _let_leave(here: Here) -> None:
    """ROGUE-115. Let players with `leaves` leave: off the cell given by `at`, and out of their fights."""
    state = here.state
    for seat in range(here.number("seats")):
        entry = here.tables["players", seat]
        way = entry.one_of("leaves", [STAYS, *LEAVING], STAYS)
        if way == STAYS:
            continue
        if state["cell"][seat] == NOWHERE:
            raise entry.wrong("leaves", "the player is not on the table; at must be the cell that it leaves from")
        if seat == state["active"] or state["node"] != Node.MAIN:
            raise entry.wrong("leaves", 'must be "no" for the active seat, and where decision is not "main"')
        LEAVING[way](state, here.cards.record[0], seat)


PLAYER: tuple[Key, ...] = (
    Word("character", f"id, or `{NONE}` before it is chosen", words=lambda here: numbered(here.cards.ids) | {NONE: NOBODY}),
    Custom(
        "at",
        f"cell; `{OUT}` of the game, `{AWAY}` for a while, `{DEAD}` before it comes back",
        shown="its starting tile",
        reader=_read_at,
        writer=_write_at,
    ),
    Number("health", "health", shown="`max_health`", least=-HEALTH_MAX, most=HEALTH_MAX, default=_of_player(max_health), stage=1),
    Follows("max_health", "ROGUE-07", value=_of_player(max_health)),
    Follows("attack", "attack modifier without rage", value=_of_player(attack_mod)),
    Follows("points", "victory points", value=_of_player(points_of)),
    Number("gold", "gold", most=GOLD_MAX),
    Custom("hand", "list of ids, or table of copies by id", shown="empty", reader=_read_hand, writer=_write_hand),
    Custom("worn", "table slot -> id; a two-slot card in its first slot", shown="nothing", reader=_read_worn, writer=_write_worn),
    Number("bonus", "maximum health from scrolls", most=BONUS_MAX),
    Number("potion_attack", "attack modifier from potions", field="potion_mod", least=-MODIFIERS_MAX, most=MODIFIERS_MAX),
    Number("poison", "turns", most=STATUS_MAX),
    Number("antidote", "health gained instead of lost", most=MODIFIERS_MAX),
    Number("skip", "turns to be skipped", most=STATUS_MAX),
    Number("cooldown", "turns until the next spell", most=lambda here: here.card("spell_cooldown", here.number("character"))),
    Custom(
        "scored",
        f"points for good, a table: {', '.join(f'`{word}`' for word in SCORED)}",
        shown="0 each",
        reader=lambda here: {word: here.number("scored", source) for word, source in SCORED.items()},
        writer=_write_scored,
    ),
    Word("heading", "direction in which its cell was entered", words=lambda _: numbered(DIRECTIONS), default=DIRECTIONS[0]),
    Word(
        "put_off",
        f"arrival effects that wait (ROGUE-33): {', '.join(f'`{word.name.lower()}`' for word in PutOff)}",
        words=words_of(PutOff),
        default="nothing",
    ),
    Custom(
        "resume",
        f"step after the combat: {', '.join(f'`{word}`' for word in RESUME)}",
        shown="`place`",
        reader=_read_resume,
        writer=_write_resume,
    ),
    Custom(
        "back",
        f'with `at` = "{AWAY}": cell to come back to',
        shown="empty",
        reader=lambda here: place_of(here.number("away") - 1) if here.number("away") else [],
    ),
    Custom(
        "leaves",
        f"{' or '.join(f'`{word}`' for word in LEAVING)}: has just left from `at`, in a turn of another player (ROGUE-115)",
        shown=f"`{STAYS}`",
        reader=lambda _: ABSENT,
    ),
)


# Enemies.

_OF_ENEMY = (
    *("enemy_cell", "enemy_health", "enemy_type", "enemy_mod"),
    *("enemy_poison", "enemy_poisoner", "enemy_paralysed", "order"),
)


def _full(here: Here) -> int:
    """Health of an unhurt enemy."""
    return here.card("health", here.number("enemy_type"))


def _write_enemy(table: Table, here: Here) -> None:
    """Give the enemy on a cell this number; it is put there if the map has none."""
    (place,), state, known = here.at, here.state, of_category(here.cards, Category.ENEMY)
    card = known[table.one_of("enemy", known)]
    cell = cell_at(table.take("at"), here.cards, table.field("at"))
    slot = int(monster_at(state, cell))
    if slot == NOBODY:
        if state["down"][cell] != Down.NO or state["on"][cell] != NOTHING:
            raise table.wrong("at", "is taken by another card; must be an empty cell or a tile")
        if state["enemies"] == ENEMY_SLOTS:
            raise table.wrong("at", f"there are {ENEMY_SLOTS} enemies already")
        if state["tile"][cell] == Tile.NONE:
            state["mask"][cell] = ALL_OPEN
        slot = int(reveal(state, here.cards.record[0], cell, card))
    if state["enemy_type"][slot] != card:
        there = type_ids(here.cards)[state["enemy_type"][slot]]
        raise table.wrong("enemy", f'the map has "{there}" there; must be the same')
    if slot < place:
        raise table.wrong("at", "is named twice; a cell holds one enemy")
    for field in _OF_ENEMY:
        state[field][place : slot + 1] = np.roll(state[field][place : slot + 1], 1, axis=0)
    state["on"][state["enemy_cell"][place : slot + 1]] = MONSTER + np.arange(place, slot + 1)


def _read_poisoner(here: Here) -> int:
    return here.number("enemy_poisoner") if here.number("enemy_poison") else NOBODY


def _write_poisoner(table: Table, here: Here) -> None:
    poisoner = table.whole("poisoner", NOBODY, _last_seat(here), NOBODY)
    if (here.number("enemy_poison") > 0) != (poisoner != NOBODY):
        raise table.wrong("poisoner", "a poisoned enemy has one, the seat that poisoned it, and no other has")
    here.state["enemy_poisoner"][here.at] = poisoner


def _write_order(table: Table, here: Here) -> None:
    """ROGUE-21, 40. Begin the combat of an enemy, by default with the active player if that is adjacent."""
    (slot,), state, last = here.at, here.state, _last_seat(here)
    order = table.take("order", None)
    if order is None:
        order = [_active(here)] if _side(here, slot, _active(here)) != NOBODY else []
    if not isinstance(order, list) or not all(is_whole(seat, 0, last) for seat in order):
        raise table.wrong("order", f"must be a list of seats, 0 to {last}")
    if len(set(order)) < len(order):
        raise table.wrong("order", "names a seat twice")
    for seat in order:
        if _side(here, slot, seat) == NOBODY:
            raise table.wrong("order", f"seat {seat} is not adjacent to it; combat lasts as long as both are (ROGUE-40)")
        state["combat"][seat] |= 1 << _side(here, slot, seat)
    state["order"][slot] = [*order, *[NOBODY] * (SEATS - len(order))]


def _side(here: Here, slot: int, seat: int) -> int:
    """Direction in which an enemy is adjacent to a seat, NOBODY if it is not."""
    state, record, cell = here.state, here.cards.record[0], int(here.state["cell"][seat])
    sides = monster_sides(state, cell) if cell != NOWHERE else 0
    ways = [way for way in range(len(DIRECTIONS)) if opens(sides, way)]
    return next((way for way in ways if state["on"][neighbour(record, cell, way)] == MONSTER + slot), NOBODY)


class Enemies(Rows):
    """The enemies of a document, and those that only its map shows."""

    def write(self, table: Table, here: Here) -> None:
        """Write the entries; other enemies of the map come after them, unhurt."""
        super().write(table, here)
        for slot in range(len(table.items(self.key, ENEMY_SLOTS)), here.number("enemies")):
            _write_order(Table({}), here.inside(index=(slot,)))


ENEMY: tuple[Key, ...] = (
    Custom("enemy", "id", reader=lambda here: type_ids(here.cards)[here.number("enemy_type")]),
    Custom(
        "at",
        "cell; an enemy that the map does not show is put there",
        reader=lambda here: place_of(here.number("enemy_cell")),
        writer=_write_enemy,
    ),
    Number("health", "health", shown="that of its card", field="enemy_health", least=1, most=_full, default=_full),
    Number("strength", "attack modifier", field="enemy_mod", least=-MODIFIERS_MAX, most=MODIFIERS_MAX),
    Number("poison", "turns", field="enemy_poison", most=STATUS_MAX),
    Custom("poisoner", "with poison: seat that poisoned it", shown=f"{NOBODY}", reader=_read_poisoner, writer=_write_poisoner),
    Number("paralysed", "turns", field="enemy_paralysed", most=STATUS_MAX),
    Custom(
        "order",
        "seats in the order of entry",
        shown="the active seat if it is adjacent",
        reader=lambda here: seats_of(here.state["order"][here.at]),
        writer=_write_order,
    ),
)


# The turn.

DONE = (  # facts of the turn (`lively`: of the round), each 0 or 1
    *("only_walked", "walked", "flipped", "fought", "fled", "enemies_acted", "tripped", "stole"),
    *("mole_called", "second", "cut", "bruised", "lively"),
)
QUIET, FIGHTING = ("only_walked",), ("fought", "lively")  # facts of a turn that has just begun


def _fights(here: Here) -> bool:
    """Whether the active player is in combat."""
    return bool(here.state["combat"][_active(here)])


def _write_done(table: Table, here: Here) -> None:
    for fact in words_at(table, "done", DONE, FIGHTING if _fights(here) else QUIET):
        here.state[fact] = 1


def _bits(key: str, meaning: str, words: Callable[[Here], dict[str, int]]) -> Custom:
    """A set of words. words: bit of each."""

    def write(table: Table, here: Here) -> None:
        known = words(here)
        for word in words_at(table, key, known):
            here.state[key] |= known[word]

    return Custom(
        key,
        meaning,
        shown="none",
        reader=lambda here: [word for word, bit in words(here).items() if here.number(key) & bit],
        writer=write,
    )


def _goals(here: Here) -> dict[str, int]:
    """ROGUE-106. Bits of the goals of a lone player, by id."""
    bosses = {word: int(bit) for word, bit in zip(type_ids(here.cards), here.cards.record[0]["goal_bit"], strict=False) if bit}
    return {"chest": int(Goal.CHEST), "debt": int(Goal.DEBT), **bosses}


def _thing(cards: CardSet, code: int) -> str:
    """One side of a trade: id of a card, or "5 gold"."""
    return f"{code - GOLD_CODE} gold" if code >= GOLD_CODE else type_ids(cards)[code]


def _code(table: Table, key: str, cards: CardSet) -> int:
    """Read one side of a trade: a card, or an amount of gold."""
    word = table.text(key)
    gold = amount_of_gold(word)
    if gold is not None and 1 <= gold <= GOLD_OFFER_MAX:
        return GOLD_CODE + gold
    if word not in type_ids(cards):
        raise table.wrong(key, f"must be a card, or 1 to {GOLD_OFFER_MAX} gold; {did_you_mean(word, type_ids(cards))}")
    return type_ids(cards).index(word)


def _read_offer(here: Here) -> tuple[int, int, int]:
    """ROGUE-66. Partner, what is given and what is wanted of an offer made in this turn."""
    partner, rest = divmod(here.number("offered") - 1, CODES * CODES)
    return partner, *divmod(rest, CODES)


def _write_offer(table: Table, here: Here) -> None:
    partner = table.whole("partner", 0, _last_seat(here))
    give, want = (_code(table, key, here.cards) for key in ("give", "want"))
    here.state["offered"][here.at] = 1 + (partner * CODES + give) * CODES + want
    here.state["offers"] += 1


OFFER: tuple[Key, ...] = (
    Custom("partner", "seat", reader=lambda here: _read_offer(here)[0], writer=_write_offer),
    Custom("give", "id of a card, or `5 gold`", reader=lambda here: _thing(here.cards, _read_offer(here)[1])),
    Custom("want", "id of a card, or `5 gold`", reader=lambda here: _thing(here.cards, _read_offer(here)[2])),
)

# The choices that led to the decision at hand.


def _arg_of_trade(key: str, place: int) -> Custom:
    """One side of an offer that is being made or answered."""

    def write(table: Table, here: Here) -> None:
        here.state["arg"][place] = _code(table, key, here.cards)

    return Custom(
        key, "id of a card, or `5 gold`", reader=lambda here: _thing(here.cards, here.number("arg", place)), writer=write
    )


def _settle_trade(table: Table, here: Here) -> None:
    if here.number("arg", 0) == _active(here):
        raise table.wrong("partner", "is the active seat itself; must be another")
    if here.state["node"] == Node.TRADE_ANSWER:
        here.state["asked"] = here.number("arg", 0)


def _settle_death(_table: Table, here: Here) -> None:
    """ROGUE-61."""
    here.state["fallen"] = here.state["asked"]
    if here.state["node"] != Node.LEAVE:
        here.state["arg"][0] = NOTHING_KEPT


def _scrolls(here: Here) -> dict[str, int]:
    """Scrolls that lead to the decision."""
    effect = Effect.IDENTIFY if here.state["node"] == Node.IDENTIFY else Effect.MOVE_ANY
    does = here.cards.record[0]["scroll_effect"]
    return {word: card for card, word in enumerate(type_ids(here.cards)) if does[card] == effect}


def _of_enemy(read: Callable[[Here], Any]) -> Callable[[Here], Any]:
    return lambda here: read(here) if here.number("arg", 1) != NOBODY else ABSENT


def _settle_teleport(table: Table, here: Here) -> None:
    """ROGUE-90. Write who is being teleported: a seat, or the enemy on a cell."""
    state = here.state
    state["arg"][0], state["arg"][1] = _active(here), NOBODY
    if not table.has("enemy_at"):
        state["arg"][0] = table.whole("who", 0, _last_seat(here), _active(here))
        return
    state["arg"][1] = monster_at(state, cell_at(table.take("enemy_at"), here.cards, table.field("enemy_at")))
    if state["arg"][1] == NOBODY:
        raise table.wrong("enemy_at", "holds no enemy")
    state["arg"][AIM] = DIRECTIONS.index(table.one_of("aim", DIRECTIONS))


PARTNER = Number("partner", "seat that is offered a trade", field="arg", index=(0,), most=_last_seat, default=REQUIRED)
GIVE, WANT = _arg_of_trade("give", 1), _arg_of_trade("want", AIM)
CHOOSER = Number("seat", "seat that drafts, or has died", shown="the active seat; in a draft 0", field="asked", most=_last_seat)
DEAD_ONE = Number("seat", CHOOSER.meaning, shown=CHOOSER.shown, field="asked", most=_last_seat, default=_active)
KEEPS = Word("keeps", "card that the dead player keeps", field="arg", index=(0,), words=cards_and_coins)
COLOUR = Word(
    "potion",
    "colour that is thrown",
    field="arg",
    index=(0,),
    words=lambda here: numbered(here.cards.document["potions"]["colours"]),
)
SCROLL = Word("scroll", "id of the scroll that is read", field="arg", index=(0,), words=_scrolls)
VICTIM = Number("victim", "seat that was tripped", field="arg", index=(0,), most=_last_seat, default=REQUIRED)
TELEPORTED = (
    Custom(
        "who",
        "seat that is teleported",
        shown="the active seat",
        reader=lambda here: here.number("arg", 0) if here.number("arg", 1) == NOBODY else ABSENT,
    ),
    Custom(
        "enemy_at",
        "instead of `who`: cell of the enemy that is teleported",
        reader=_of_enemy(lambda here: place_of(here.state["enemy_cell"][here.number("arg", 1)])),
    ),
    Custom("aim", "with `enemy_at`: direction of the throw", reader=_of_enemy(lambda here: DIRECTIONS[here.number("arg", AIM)])),
)
PENDING = {
    Node.TRADE_GIVE: Case((PARTNER,), _settle_trade),
    Node.TRADE_WANT: Case((PARTNER, GIVE), _settle_trade),
    Node.TRADE_ANSWER: Case((PARTNER, GIVE, WANT), _settle_trade),
    Node.DRAFT: Case((CHOOSER,)),
    Node.KEEP: Case((DEAD_ONE,), _settle_death),
    Node.LEAVE: Case((DEAD_ONE, KEEPS), _settle_death),
    Node.RESPAWN: Case((DEAD_ONE,), _settle_death),
    Node.THROW_AT: Case((COLOUR,)),
    Node.IDENTIFY: Case((SCROLL,)),
    Node.SCROLL_MOVE: Case((SCROLL,)),
    Node.LEAP: Case((VICTIM,)),
    Node.TELEPORT: Case(TELEPORTED, _settle_teleport),
}
ASKED = (Node.TRADE_ANSWER, Node.DRAFT, *DYING)  # decisions of a seat that can be another than the active one


# Cards that are not on the table.

PILES = {  # what a pile holds, and what it holds if the document does not name it
    "unseen": ("unseen exploration cards", "all that lie nowhere else"),
    "pathing": ("unseen pathing cards", "all that lie nowhere else"),
    "shop": ("cards in the shop", "all that are nowhere else"),
    "gone": ("exploration and shop cards that left the game", "none, or what is missing from the given piles"),
    "pathing_gone": ("pathing cards that left the game", "none, or what is missing from the given pile"),
}


def _pile(name: str) -> Custom:
    def read(here: Here) -> dict[str, int]:
        held = here.state[name]
        return {word: int(held[entry]) for word, entry in entry_ids(here.cards).items() if entry < len(held) and held[entry]}

    meaning, shown = PILES[name]
    return Custom(name, f"{meaning}, a table of copies by id", shown=shown, reader=read)


def _settle_piles(table: Table, here: Here) -> None:
    """ROGUE-04. Work out where the cards are that the document does not name, and which deck each tile came from."""
    state, cards = here.state, here.cards
    given = {pile: _counts(table, pile, here) for pile in PILES}
    for pile in PILES:
        state[pile][:] = 0
    room = {
        source: deck.copies - sum(counts for pile in (deck.pile, deck.gone) if (counts := given[pile]) is not None)
        for source, deck in zip((Source.EXPLORATION, Source.PATHING), decks(np.array([state]), cards)[::2], strict=True)
    }
    _lay_sources(state, cards, room)
    for deck in decks(np.array([state]), cards):
        left, kept, lost = deck.copies - deck.held[0], given[deck.pile], given[deck.gone]
        if kept is None:
            kept = np.where(deck.own, left if lost is None else left - lost, 0)
        state[deck.pile][:] = np.clip(kept, 0, PILE_MAX)[: len(state[deck.pile])]
        state[deck.gone][deck.own] = np.clip(left - kept if lost is None else lost, 0, PILE_MAX)[deck.own]
    state["unseen_cards"], state["pathing_cards"] = state["unseen"].sum(), state["pathing"].sum()
    state["stack"] = state["unseen_cards"] - (state["down"] == Down.CARD).sum()


def _counts(table: Table, pile: str, here: Here) -> np.ndarray | None:
    """Read copies by entry; None if the pile is not given."""
    if not table.has(pile):
        return None
    counts, copies = Table(table.take(pile), table.field(pile)), np.zeros(ENTRIES, int)
    known = {word: entry for word, entry in entry_ids(here.cards).items() if entry < len(here.state[pile])}
    for word in counts.values:
        if word not in known:
            raise counts.wrong(word, f"is no card or tile; {did_you_mean(word, list(known))}")
        copies[known[word]] = counts.whole(word, 0, PILE_MAX)
    return copies


def _lay_sources(state: np.void, cards: CardSet, room: dict[Source, np.ndarray]) -> None:
    """Assign every tile on the table to a deck. room: copies by entry that can lie there, reduced here."""
    record, fits = cards.record[0], rotations(cards.record[0])
    opened = int(state["scored"][:, Points.CHEST].sum()) > 0
    for cell in sorted(np.flatnonzero(state["tile"]).tolist(), key=lambda cell: bool(state["tile"][cell] == Tile.FLOOR)):
        tile, mask = int(state["tile"][cell]), int(state["mask"][cell])
        if tile in (Tile.START, Tile.LADDER):
            state["source"][cell] = Source.BOX
        elif record["map_tile"][cell] == tile and record["map_mask"][cell] == mask:
            state["source"][cell] = Source.MAP
        else:
            kinds = (Tile.CHEST, tile) if opened and tile == Tile.FLOOR else (tile,)  # ROGUE-77: an opened chest is a floor
            ways = [
                (source, int(number))
                for kind in kinds
                for source, left in room.items()
                for number in np.flatnonzero((left[TILE_ENTRY:] > 0) & (record["tile_kind"] == kind) & fits[:, mask])
            ]
            if ways:
                state["source"][cell], state["laid"][cell] = ways[0]
                room[ways[0][0]][TILE_ENTRY + ways[0][1]] -= 1
            elif tile == Tile.FLOOR and mask == ALL_OPEN:
                state["source"][cell] = Source.BANK
            else:
                raise ValueError(f"map: {cell_name(cell)}: more such tiles lie on the table than the decks hold")


def _write_potions(table: Table, here: Here) -> None:
    """ROGUE-87. Write the known effects of the colours; a fixed layout can have set them."""
    faces = {word: face for face, word in effect_names(here.cards).items()} | {UNKNOWN: 0}
    potions = here.tables["potions",] = Table(table.take("potions", {}), "potions")
    for colour, name in enumerate(here.cards.document["potions"]["colours"]):
        word = potions.one_of(name, faces, UNKNOWN)
        if potions.has(name):
            here.state["effect"][colour] = faces[word]
    potions.close()


def _read_potions(here: Here) -> dict[str, str]:
    colours = here.cards.document["potions"]["colours"]
    return {colour: effect_name(here.cards, here.number("effect", at)) for at, colour in enumerate(colours)}


# The position.


def _begin(table: Table, here: Here) -> None:
    """Clear the table for the number of players."""
    seats, most = len(table.items("players", SEATS)), SEATS if here.card("fill") == Fill.DEAL else 1
    if not 1 <= seats <= most:
        right = f"1 to {most} tables with a character" if most > 1 else "one, for a fixed layout is played alone"
        raise ValueError(f"players: has {seats} entries; must be {right}")
    clear_table(here.state, here.cards.record[0], seats)


def _settle(table: Table, here: Here) -> None:
    """Write what follows: who decides, where the cards are, who has left, the points of a game that is over, what is open."""
    state, record = here.state, here.cards.record[0]
    if state["node"] not in ASKED:
        state["asked"] = state["active"]
    state["rush_round"] = state["round"] if state["rush"] else 0
    _settle_piles(table, here)
    _let_leave(here)
    if state["ending"] != Ending.RUNNING:
        state["node"] = Node.OVER
        for seat in range(state["seats"]):
            for source in range(POINTS):
                state["points"][seat, source] = points_of_source(state, record, seat, source)
    if state["node"] == Node.MAIN and state["cell"][state["active"]] != NOWHERE:
        if state["step"] == Step.MOVE and not table.has("moves_left"):
            enter_step(state, record, _active(here), int(Step.MOVE))
        state["acts"] = open_acts(state, record, _active(here))


KEYS: tuple[Key, ...] = (
    Follows("seats", "number of players", value=lambda here: int(here.state["seats"])),
    Number("turn", "turns finished", most=TURNS_MAX),
    Number("round", "round", least=1, most=COUNT_MAX, default=1, stage=_STAND),
    Number("first", "seat that began", most=_last_seat, stage=_STAND),
    Number(
        "active",
        "seat whose turn it is",
        shown="`first`",
        most=_last_seat,
        default=lambda here: here.number("first"),
        stage=_STAND,
    ),
    Word("ending", ", ".join(f"`{end.name.lower()}`" for end in Ending), words=words_of(Ending), default="running"),
    Flag("rush", "whether the end rush has begun"),
    Word(
        "step",
        "`flip`, `move`, `interact`; in combat `fight`, `struck` (after step 1), `survived` (after step 3); `done`",
        shown="`fight` in combat, else `flip`",
        words=words_of(Step),
        default=lambda here: "fight" if _fights(here) else "flip",
    ),
    Number("moves_left", "moves of step 2", shown="0; in step 2 all of them", least=-SMALL_MAX, most=SMALL_MAX),
    Number("repeats", "repetitions of step 2", most=SMALL_MAX),
    Number("equips", "changes of equipment in this turn", most=SMALL_MAX),
    Number("deals", "purchases and sales in this turn", most=DEALS_MAX),
    Rows("offers", "trades offered in this turn", rows=lambda here: range(here.state["offers"]), most=1, keys=OFFER),
    Custom(
        "done",
        f"facts of the turn: {', '.join(f'`{fact}`' for fact in DONE[:-1])}; of the round: `{DONE[-1]}`",
        shown="`only_walked`; in combat `fought`, `lively`",
        reader=lambda here: [fact for fact in DONE if here.number(fact)],
        writer=_write_done,
    ),
    _bits(
        "blocked", "directions of enemies that a shield stops", lambda _: {way: 1 << bit for bit, way in enumerate(DIRECTIONS)}
    ),
    Number("idle", "idle rounds in a row", most=COUNT_MAX),
    Number("stuck_turns", "players in a row whose turns ended stuck", most=COUNT_MAX),
    Number(
        "deaths_left", "further lives", shown="`lives` - 1", least=-1, most=LIVES_MAX, default=lambda here: here.card("lives") - 1
    ),
    _bits("goals_done", "goals that a lone player has reached", _goals),
    Word("decision", "what is decided, see Decisions", field="node", words=words_of(Node), default="main"),
    When("pending", "the choices that led to the decision", field="node", cases=PENDING),
    Rows(
        "players", "1 to 4", index="seat", rows=lambda here: range(here.state["seats"]), most=_last_seat, keys=PLAYER, stage=_SEAT
    ),
    Custom(
        "map",
        'table of cell tokens by `"row,column"`, or rows of tokens, the farthest first',
        shown="that of a new game",
        reader=read_map,
        writer=write_map,
        stage=_LAY,
    ),
    Custom("corner", "with rows: cell of the first token of the last row", shown="`[0, 0]`", reader=lambda _: ABSENT),
    Enemies(
        "enemies",
        "in the order in which they were revealed",
        shown="those of the map",
        rows=lambda here: np.flatnonzero(here.state["enemy_cell"][: here.state["enemies"]] != NOWHERE).tolist(),
        most=ENEMY_SLOTS - 1,
        keys=ENEMY,
        stage=_ENGAGE,
    ),
    Custom(
        "left",
        "tables with `at` and `cards`: cards of the dead, by id or `10 gold`",
        shown="none",
        reader=read_left,
        writer=write_left,
        stage=_SEAT,
    ),
    *(_pile(name) for name in PILES),
    Follows("stack", "unseen exploration cards that do not lie on the table", value=lambda here: int(here.state["stack"])),
    Custom("potions", f"colour -> its effect, or `{UNKNOWN}`", shown=f"`{UNKNOWN}`", reader=_read_potions, writer=_write_potions),
)


POSITION = Document(keys=KEYS, problems=problems, begin=_begin, settle=_settle)
position, place = POSITION.read, POSITION.write
