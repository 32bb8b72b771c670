"""Positions of Riftborn Tactics by readable names, as scenario files write them: the keys of POSITION, and the invariants.

A creature is a text, `undead_wight, 3 damage, 1 decay, acted`. What is under way is in `pending`: every field of the state
that still matters, unless it has its value of an idle moment. There creatures are `[seat, row, index]`, all from 0 and the
front row first; one that is gone is `[seat]`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import Location, Table, did_you_mean, is_whole, shown
from sim.engine.cards import CardSet, Problem
from sim.engine.positions import ABSENT, Case, Custom, Document, Follows, Here, Key, Number, Rows, When, Word, numbered, words_of
from sim.games.riftborn.actions import legal_actions
from sim.games.riftborn.cards import DECK_MAX, ENTRIES, LENDABLE, NONE, PLAYED_MAX, Ability, Kind, LevelBudget, List, Trick
from sim.games.riftborn.cards.schema import word_of
from sim.games.riftborn.position.creatures import (
    OF_A_CREATURE,
    Place,
    attached_to,
    creature_words,
    formation,
    is_here,
    pile_of,
    spot_of,
    tricks_of,
    write_creature,
)
from sim.games.riftborn.record import ids_of, kind_of, numbers_of, trick_word
from sim.games.riftborn.rules.damage import LENDING, attack_of, health_of, is_deadly_hurt, rebuild
from sim.games.riftborn.setup import clear_table
from sim.games.riftborn.state import (
    ACTIVE,
    ALL,
    CREATURES,
    DISTINCT,
    NOBODY,
    OPTIONS_MAX,
    PER_ROW,
    QUEUE,
    ROWS,
    SEATS,
    STATE,
    THE_PLAYER,
    TOKENS_MAX,
    WEAPONS,
    Aim,
    Blow,
    Gain,
    Phase,
    Reach,
    Step,
    side_of,
)

# A player.


def _level(here: Here) -> int:
    """RIFT-20. Level of a player by experience."""
    return int((here.cards.record[0]["level_xp"] <= here.number("xp")).sum())


def _budget(here: Here) -> int:
    """RIFT-22, 23. Most levels that can have been played this turn."""
    return here.number("start_level") if here.card("level_budget") == LevelBudget.SNAPSHOT else _level(here)


def _read_rows(here: Here) -> list[list[str]]:
    return [[creature_words(here.state, here.cards, g) for g in row] for row in formation(here.state, *here.at)]


def _write_rows(table: Table, here: Here) -> None:
    """RIFT-30 to 32. The formation; creatures are numbered in the order in which they are written."""
    (seat,), state, most, path = here.at, here.state, here.card("max_per_row"), table.field("rows")
    g = seat * CREATURES
    for row, words in enumerate(table.items("rows", here.card("max_rows"))):
        if not isinstance(words, list) or not 1 <= len(words) <= most:
            raise ValueError(f"{path}[{row}] = {shown(words)}: must be a list of 1 to {most} creatures")
        for index, text in enumerate(words):
            write_creature(Place(state, here.cards, (g,), path=f"{path}[{row}][{index}]"), text)
            state["grid"][seat, row, index] = g
            g += 1
        state["row_len"][seat, row] = len(words)


def _stats(here: Here) -> list[list[str]]:
    """Current Attack and maximum Health of every creature, `3/4`, by row."""
    state, record = here.state, here.cards.record[0]
    return [[f"{attack_of(state, record, g)}/{health_of(state, record, g)}" for g in row] for row in formation(state, *here.at)]


def _attached(key: str, meaning: str, kind: Kind, field: str, left: str) -> Custom:
    """RIFT-51 to 53. Attached cards, oldest first. field: of the cards; left: key and field of what is left of them."""

    def read(here: Here) -> list[dict[str, Any]]:
        (seat,), state, ids = here.at, here.state, ids_of(here.cards)
        entries: list[dict[str, Any]] = []
        for slot, card in enumerate(attached_to(state, field, seat)):
            used = {"used": bool(state["weapon_used"][seat, slot])} if kind == Kind.WEAPON else {}
            entries.append({"card": ids[card], left: int(state[left][seat, slot])} | used)
        return entries

    def write(table: Table, here: Here) -> None:
        (seat,), state = here.at, here.state
        known = numbers_of(here.cards, kind)
        for slot, value in enumerate(table.items(key, state[field].shape[1])):
            entry = Table({"card": value} if isinstance(value, str) else value, f"{table.field(key)}[{slot}]")
            state[field][seat, slot] = card = known[entry.one_of("card", known)]
            printed = here.card("health", card)
            state[left][seat, slot] = entry.whole(left, 1, printed, printed)
            if kind == Kind.WEAPON:
                state["weapon_used"][seat, slot] = entry.flag("used", False)
            entry.close()

    return Custom(key, meaning, shown="none", reader=read, writer=write)


def _words(table: Table, key: str, known: dict[str, int], what: str, most: int) -> list[int]:
    """Read a list of known words as their numbers. Raises ValueError with the entry and the most similar word."""
    words = table.items(key, most)
    for index, word in enumerate(words):
        if not isinstance(word, str) or word not in known:
            raise ValueError(f"{table.field(key)}[{index}] = {shown(word)}: is no {what}; {did_you_mean(word, list(known))}")
    return [known[word] for word in words]


def _read_tricks(here: Here) -> list[str]:
    return [trick_word(trick).lower() for trick in tricks_of(here.state, *here.at)]


def _write_tricks(table: Table, here: Here) -> None:
    """RIFT-115. TRICK cards laid."""
    laid = _words(table, "tricks", {trick.name.lower(): trick for trick in Trick}, "TRICK card", len(Trick))
    for trick, copies in Counter(laid).items():
        if copies > 1:
            raise table.wrong("tricks", f"has {Trick(trick).name.lower()} twice; each TRICK card is laid once at most (RIFT-115)")
    here.state["tricks"][here.at] = sum(1 << trick for trick in laid)


PILES = ("hand", "library", "discard", "removed")


def _read_pile(pile: str) -> Callable[[Here], list[str]]:
    """Return the reader of a pile; libraries are listed from the top."""
    return lambda here: [
        ids_of(here.cards)[card] for card in pile_of(here.state, pile, *here.at)[:: -1 if pile == "library" else 1]
    ]


def _write_piles(table: Table, here: Here) -> None:
    """RIFT-01. Write all piles; an omitted library is the rest of the deck, in the order of its list."""
    (seat,), state, record = here.at, here.state, here.cards.record[0]
    known = numbers_of(here.cards, *(kind for kind in Kind if kind != Kind.TOKEN))
    piles = {pile: _words(table, pile, known, "card", DECK_MAX) for pile in PILES}
    if not table.has("library"):
        elsewhere = Counter([*_in_play(state, seat), *(card for pile in piles.values() for card in pile)])
        deck = record["deck"][state["deck"][seat], : record["deck_size"][state["deck"][seat]]].tolist()
        for card in deck:
            if elsewhere[card] > 0:
                elsewhere[card] -= 1
            else:
                piles["library"].append(card)
    piles["library"] = piles["library"][::-1]  # the top card is last
    whole = len(_in_play(state, seat)) + sum(map(len, piles.values()))
    if whole > DECK_MAX:
        raise table.wrong("deck", f"has {whole} cards in all places together; must be at most {DECK_MAX}")
    for pile, cards in piles.items():
        state[pile][seat, : len(cards)], state[f"{pile}_n"][seat] = cards, len(cards)


def _in_play(state: np.void, seat: int) -> list[int]:
    """Cards attached and in the formation, other than tokens."""
    formed = [int(card) for card in state["origin"][seat * CREATURES : (seat + 1) * CREATURES] if card != NOBODY]
    return [*formed, *attached_to(state, "weapon", seat), *attached_to(state, "armour", seat)]


def _held(state: np.void, cards: CardSet, seat: int) -> np.ndarray:
    """Copies in hand by slot of the deck's list."""
    slots = cards.record[0]["deck_slot"][state["deck"][seat], pile_of(state, "hand", seat)]
    return np.bincount(slots[slots != NONE], minlength=DISTINCT)


def _start_life(here: Here) -> int:
    return here.card("start_life")


def _own_deck(here: Here) -> str:
    return here.cards.ids[min(here.at[0], len(here.cards.ids) - 1)]


XP_MAX = 2_000_000_000
LIFE_LEAST = -(2**15)
FIRST_DECKS = "the first deck of the card file, the second for seat 1"
AT_START = 'level after the start step, for `level_budget = "snapshot"`'
PLAYER: tuple[Key, ...] = (
    Word("deck", "id", words=lambda here: numbered(here.cards.ids), default=_own_deck, shown=FIRST_DECKS),
    Number("life", "life", least=LIFE_LEAST, most=_start_life, default=_start_life, shown="`start_life`"),
    Number("xp", "experience", most=XP_MAX),
    Follows("level", "level", value=_level, shown="follows from `xp`"),
    Number("start_level", AT_START, least=1, most=_level, default=_level, shown="the level"),
    Number("used_levels", "levels of cards played this turn", most=_budget),
    Custom("rows", "creatures by row, see below", shown="none", reader=_read_rows, writer=_write_rows),
    Follows("stats", "Attack/maximum Health of all creatures by row, as they are now", value=_stats),
    _attached("weapons", "ids, or tables with `card`, `uses`, `used`; oldest first", Kind.WEAPON, "weapon", "uses"),
    _attached("armour", "ids, or tables with `card`, `points`; oldest first", Kind.ARMOUR, "armour", "points"),
    Custom("tricks", "TRICK cards laid", shown="none", reader=_read_tricks, writer=_write_tricks),
    Custom("hand", "ids", shown="none", reader=_read_pile("hand"), writer=_write_piles),
    Custom("library", "ids from the top", shown="the rest of the deck, in the order of its list", reader=_read_pile("library")),
    Custom("discard", "ids", shown="none", reader=_read_pile("discard")),
    Custom("removed", "ids", shown="none", reader=_read_pile("removed")),
    Number("known_own", "top cards of the library that its owner knows", most=lambda here: here.number("library_n")),
    Number("known_other", "top cards that the opponent knows", most=lambda here: here.number("library_n")),
)


# What is under way.

OPPONENT = "opponent"


def _spot(state: np.void, g: int) -> list[int]:
    return list(spot_of(state, g)) if is_here(state, g) else [g // CREATURES]


def _at_spot(table: Table, key: str, state: np.void, value: object) -> int:
    """A creature by its place; one that is gone by its seat: an unused one, the last because new creatures take the first."""
    if isinstance(value, list) and value in [[seat] for seat in range(SEATS)]:
        side = range(value[0] * CREATURES, (value[0] + 1) * CREATURES)
        return max((g for g in side if state["card"][g] == NOBODY), default=NOBODY)
    sizes = state["grid"].shape
    if isinstance(value, list) and len(value) == len(sizes):
        inside = all(is_whole(part, 0, size - 1) for part, size in zip(value, sizes, strict=True))
        if inside and (g := int(state["grid"][tuple(value)])) != NOBODY:
            return g
    raise table.wrong(key, "must be a creature that is there, [seat, row, index] from 0, or [seat] for one that is gone")


def _wields(here: Here, key: str) -> bool:
    """Whether `user` is the number of a Weapon."""
    return bool(key == "user" and here.number("phase") == Phase.TARGET and here.number("aim") == Aim.WEAPON)


def _read_creature(here: Here, key: str) -> Any:
    """A creature by its place; as target the opponent too, as user a Weapon by its number."""
    g = here.number(key)
    if g == NOBODY or _wields(here, key):
        return ABSENT if g == NOBODY else g
    return OPPONENT if g == THE_PLAYER else _spot(here.state, g)


def _write_creature_at(table: Table, here: Here, key: str) -> int:
    if _wields(here, key):
        return table.whole(key, 0, WEAPONS - 1)
    value = table.take(key)
    return THE_PLAYER if key == "target" and value == OPPONENT else _at_spot(table, key, here.state, value)


def _shift(here: Here, key: str) -> int:
    """Number of the first creature of a set: `givers` are held by their numbers on the enemy's side."""
    return CREATURES * (1 - here.number("active")) if key == "givers" else 0


def _read_creatures(here: Here, key: str) -> Any:
    """Creatures of a set that are still there, by place."""
    bits = here.number(key) << _shift(here, key)
    return sorted(_spot(here.state, g) for g in range(ALL) if bits >> g & 1 and is_here(here.state, g)) or ABSENT


def _write_creatures(table: Table, here: Here, key: str) -> int:
    return sum({1 << _at_spot(table, key, here.state, value) for value in table.items(key, ALL)}) >> _shift(here, key)


def _read_card(here: Here, key: str) -> Any:
    return ABSENT if here.number(key) == NOBODY else ids_of(here.cards)[here.number(key)]


def _write_card(table: Table, here: Here, key: str) -> int:
    return ids_of(here.cards).index(table.one_of(key, ids_of(here.cards)))


_WAITING = ("trigger", "subject")  # of a TRICK card in the queue


def _read_queue(here: Here) -> Any:
    """RIFT-117. TRICK cards of the queue."""
    queue = []
    for at in range(here.number("queue_n")):
        creatures = {what: here.number(f"queue_{what}", at) for what in _WAITING}
        spots = {what: _spot(here.state, g) for what, g in creatures.items() if g != NOBODY}
        queue.append({"owner": here.number("queue_owner", at), **spots})
    return queue or ABSENT


def _write_queue(table: Table, here: Here) -> None:
    waiting = table.tables("queue", QUEUE)
    here.state["queue_n"] = len(waiting)
    for at, entry in enumerate(waiting):
        here.state["queue_owner"][at] = entry.whole("owner", 0, SEATS - 1)
        for what in _WAITING:
            there = entry.take(what, None)
            here.state[f"queue_{what}"][at] = NOBODY if there is None else _at_spot(entry, what, here.state, there)
        entry.close()


CARD, CREATURE, CREATURE_SET = (
    (_read_card, _write_card),
    (_read_creature, _write_creature_at),
    (_read_creatures, _write_creatures),
)


def _field(key: str, meaning: str, kind: Any, *, required: bool = False) -> Key:
    """A field of the state. kind: largest number, enum, CARD, CREATURE or CREATURE_SET; what is not given stays as it is."""
    if isinstance(kind, int):
        return Number(key, meaning, most=kind)
    if isinstance(kind, type):
        return Word(key, meaning, words=words_of(kind), default=kind(0).name.lower())
    reader, writer = kind

    def write(table: Table, here: Here) -> None:
        if required or table.has(key):
            here.state[key] = writer(table, here, key)
        table.take(key, None)

    return Custom(key, meaning, shown="" if required else "none", reader=lambda here: reader(here, key), writer=write)


SEAT = Number("seat", "who decides", most=SEATS - 1, default=lambda here: here.number("active"), shown="the active player")
QUEUED = Custom(
    "queue",
    "TRICK cards that wait: tables of `owner`, `trigger`, `subject`",
    shown="none",
    reader=_read_queue,
    writer=_write_queue,
)
USER = ("user", "creature in use; number of a Weapon")
MULLIGAN = (
    SEAT,
    _field("cursor", "card of the hand", DECK_MAX),
    _field("mulligan", "hands changed so far", 9),
    _field("returned", "cards to be returned, as bits", 2**16 - 1),
)
UNDER_WAY = (
    SEAT,
    _field("step", "what follows", Step),
    _field("aim", "what a target is chosen for", Aim),
    _field("to_choose", "creatures to choose for an effect", ALL),
    _field("chosen", "creatures chosen so far", CREATURE_SET),
    _field("entrant", "card that looks for a place", CARD),
    _field("scry_at", "cards put back", DECK_MAX),
    _field("scry_n", "cards looked at", DECK_MAX),
    _field("playing", "card being played", CARD),
    _field("play_at", "its when-played abilities done", PLAYED_MAX + 1),
    _field("spell", "Spell card that waits beside the piles", CARD),
    _field("free", "1: it is played by an effect", 1),
    _field("placed", "creature that entered last", CREATURE),
    _field("summoner", "creature that summons", CREATURE),
    _field("summon_card", "token being summoned", CARD),
    _field("summon_left", "tokens left", 9),
    _field("after_summon", "step after the last token", Step),
    _field("list_owner", "seat of the effect list", SEATS - 1),
    _field("list_card", "card of the effect list", CARD),
    _field("list", "which of its lists", List),
    _field("entry", "entry of the list", ENTRIES),
    _field("source", "acting creature", CREATURE),
    _field("previous", "targets of the entry before", CREATURE_SET),
    _field("after_list", "step after the list", Step),
    _field("trigger", "creature that set a TRICK card off", CREATURE),
    _field("subject", "creature that it happened to", CREATURE),
    _field("after_tricks", "step after the queue", Step),
    _field("blow", "kind of the blow", Blow),
    _field("giver", "creature that gives the blow", CREATURE),
    _field("hurt", "creature that it hurt last", CREATURE),
    _field("excess", "damage left over", 2**15 - 1),
    _field(*USER, CREATURE),
    _field("givers", "enemies that still give an attack of opportunity", CREATURE_SET),
    _field("target", 'creature that is attacked, or "opponent"', CREATURE),
    _field("strike", "first or second strike", 2),
    _field("answers", "1: the target retaliates", 1),
    _field("reached", "how the attack reaches it", Reach),
    _field("raged", "Rage that the target gained", TOKENS_MAX),
    _field("siphoned", "damage that SIPHON still heals", 2**15 - 1),
    QUEUED,
)

_LINKS = {Step.LIST: "after_list", Step.SUMMON: "after_summon", Step.TRICKS: "after_tricks"}
_ATTACKING = frozenset((Step.STRIKE, Step.BLOW, Step.ANSWER, Step.EXCHANGED, Step.SECOND, Step.OPPORTUNITY))


class UnderWay(When):
    """The fields that still matter, as far as they differ from an idle moment; the others hold what is over."""

    def read(self, here: Here) -> dict[str, Any]:
        """Return the table."""
        case = self.cases.get(here.number("phase"))
        keys = case.keys if case else ()
        usual = {key.key: key.default for key in keys if isinstance(key, Number | Word)}
        live = _live(here) if keys == UNDER_WAY else [key.key for key in keys]
        return {key: value for key, value in super().read(here).items() if key in live and value != usual.get(key)}


def _live(here: Here) -> list[str]:
    """Fields that still matter."""
    phase, playing, steps = here.number("phase"), here.number("playing"), [Step(here.number("step"))]
    while steps[-1] in _LINKS and len(steps) <= len(_LINKS):  # the step that follows, and those after it
        steps.append(Step(here.number(_LINKS[steps[-1]])))
    aim = Aim(here.number("aim")) if phase == Phase.TARGET else Aim.NONE
    passing, opportunity = aim == Aim.PASS, here.number("blow") == Blow.OPPORTUNITY
    creature = playing != NOBODY and kind_of(here.cards, playing) == Kind.CREATURE
    trick = phase == Phase.TRICK_FIRE or (Step.LIST in steps and here.number("list") != List.MAIN)
    groups = {
        ("seat", "step", "queue"): True,
        ("aim",): phase == Phase.TARGET,
        ("to_choose", "chosen"): aim == Aim.EFFECT,
        ("entrant",): phase == Phase.PLACE,
        ("scry_at", "scry_n"): phase == Phase.SCRY,
        ("playing", "play_at", "spell", "free"): playing != NOBODY,
        ("placed",): creature and phase != Phase.PLACE,
        ("summoner", "summon_card", "summon_left", "after_summon"): Step.SUMMON in steps,
        ("list_owner", "list_card", "list", "entry", "source", "previous", "after_list"): Step.LIST in steps,
        ("list_owner", "trigger", "subject"): trick,
        ("after_tricks",): Step.TRICKS in steps,
        ("blow", "giver", "hurt", "excess"): passing,
        ("user",): aim not in (Aim.NONE, Aim.EFFECT),
        ("givers",): passing and opportunity,
        ("user", "target", "strike", "answers", "reached"): aim == Aim.RETARGET
        or (not opportunity if passing else _ATTACKING & {*steps}),
        ("raged", "siphoned"): passing and not opportunity,
    }
    return [field for fields, matters in groups.items() if matters for field in fields]


# The position.

PHASES = {phase.name.lower(): int(phase) for phase in Phase if phase != Phase.GOING}


def _first(here: Here) -> int:
    """RIFT-08, 10. Who went first, because turns alternate."""
    begun = here.number("phase") != Phase.MULLIGAN
    return here.number("active") ^ here.number("turn") % SEATS if begun else ABSENT


def _winner(here: Here) -> int:
    """RIFT-130. The only player with life left."""
    alive = [seat for seat in range(SEATS) if here.number("life", seat) > 0]
    return alive[0] if here.number("phase") == Phase.OVER and len(alive) == 1 else ABSENT


def _own_turns(here: Here, seat: int) -> int:
    """RIFT-10, 131. Turns that a player has begun; at the turn cap no turn begins."""
    first, turn = _first(here), here.number("turn")
    return 0 if first is ABSENT else (turn + 1 + (turn < here.card("turn_cap")) - (seat != first)) // SEATS


def _settle(_table: Table, here: Here) -> None:
    """Write what follows. The outcome counts all experience as coming from turns and cards."""
    state, first, winner = here.state, _first(here), _winner(here)
    state["seat"] = state["active"]
    state["first"] = NOBODY if first is ABSENT else first
    state["winner"] = NOBODY if winner is ABSENT else winner
    state["crediting"] = bool(state["credit"].any() or state["harm"].any())
    for seat in range(SEATS):
        xp, state["own_turns"][seat] = int(state["xp"][seat]), _own_turns(here, seat)
        state["level"][seat] = _level(here.inside(index=(seat,)))
        state["held"][seat] = _held(state, here.cards, seat)
        by_turns = min(xp, here.card("turn_xp") * int(state["own_turns"][seat]))
        state["gained"][seat, Gain.TURN], state["gained"][seat, Gain.PLAY] = by_turns, xp - by_turns
        state["level_turn"][seat, : state["level"][seat]] = max(1, int(state["own_turns"][seat]))
    rebuild(state, here.cards.record[0])


# The invariants.


def problems(state: np.void, cards: CardSet) -> Iterator[Problem]:
    """What is impossible in a position, whether from a file or from play."""
    here = Here(state, cards)
    yield from _wrong_course(here)
    for seat in range(SEATS):
        yield from _wrong_player(here.inside(index=(seat,)), seat)
    wrong_rows = [*_wrong_rows(here)]
    yield from wrong_rows or _wrong_creatures(here)
    yield from _wrong_moment(state)


def _wrong_course(here: Here) -> Iterator[Problem]:
    """RIFT-08, 10, 130, 131. Turns, lives and phase that do not agree."""
    state, first, winner = here.state, _first(here), _winner(here)
    over, alive = here.number("phase") == Phase.OVER, [seat for seat in range(SEATS) if state["life"][seat] > 0]
    if first is ABSENT and state["turn"] != 0:
        yield Problem(("turn",), "must be 0 in phase mulligan: no turn has begun (RIFT-08)")
    if state["first"] != (NOBODY if first is ABSENT else first):
        yield Problem(("first",), f"must be {NOBODY if first is ABSENT else first}, because turns alternate (RIFT-10)")
    if state["own_turns"].tolist() != [_own_turns(here, seat) for seat in range(SEATS)]:
        yield Problem(("turn",), f"does not fit {state['own_turns'].tolist()} own turns (RIFT-10, 131)")
    if over and len(alive) == SEATS:
        yield Problem(("phase",), "needs a player with a life of 0 or less (RIFT-130)")
    for seat in range(SEATS) if not over else ():
        if seat not in alive:
            yield Problem(("players", seat, "life"), 'ends the game at 0 or less; phase must be "over" (RIFT-130)')
    if state["winner"] != (NOBODY if winner is ABSENT else winner):
        yield Problem(("winner",), "must be the only player with life left (RIFT-130)")


def _wrong_player(here: Here, seat: int) -> Iterator[Problem]:
    """RIFT-01, 20, 51 to 53, 115. Level, cards and what they leave behind."""
    state, place = here.state, ("players", seat)
    if here.number("level") != _level(here):
        yield Problem((*place, "level"), f"must be {_level(here)} by the experience (RIFT-20)")
    for pile in PILES:
        if not 0 <= here.number(f"{pile}_n") <= DECK_MAX or state[pile][seat, here.number(f"{pile}_n") :].any():
            yield Problem((*place, pile), f"does not have {here.number(f'{pile}_n')} cards")
    for key, field, *left in (("weapons", "weapon", "uses", "weapon_used"), ("armour", "armour", "points")):
        there = state[field][seat] != NOBODY
        least = state[left[0]][seat][there].min(initial=1)
        if least < 1 or (np.diff(there.astype(int)) > 0).any() or any(state[name][seat][~there].any() for name in left):
            yield Problem((*place, key), f"must lie without gaps, each with 1 of its {left[0]} left at least (RIFT-51 to 53)")
    if not np.array_equal(state["held"][seat], _held(state, here.cards, seat)):
        yield Problem((*place, "hand"), "is not what is counted by slot of the deck")
    if here.number("tricks") & ~sum(1 << trick for trick in Trick):
        yield Problem((*place, "tricks"), "has a TRICK card that does not exist")


def _wrong_rows(here: Here) -> Iterator[Problem]:
    """RIFT-30 to 32. Rows without gaps, and every creature in one place of its side."""
    state, most = here.state, np.where(np.arange(ROWS) < here.card("max_rows"), here.card("max_per_row"), 0)
    for seat in range(SEATS):
        length, there = state["row_len"][seat], state["grid"][seat] != NOBODY
        side = range(seat * CREATURES, (seat + 1) * CREATURES)
        right = (length >= 0).all() and (length <= most).all() and (np.diff((length > 0).astype(int)) <= 0).all()
        right &= np.array_equal(there, np.arange(PER_ROW) < length[:, None])
        if not right or sorted(state["grid"][seat][there]) != [g for g in side if state["card"][g] != NOBODY]:
            yield Problem(("players", seat, "rows"), "must have no gaps, and every creature in one place (RIFT-30 to 32)")


_FOLLOWING = ("row", "centre", "front", "printed", "lent", "lending", "bonus_attack", "bonus_health")  # by `rebuild`
_TRACES = tuple(name for name in STATE.names or () if STATE[name].shape[:1] == (ALL,) and name not in ("card", "origin"))


def _wrong_creatures(here: Here) -> Iterator[Problem]:
    """RIFT-60 to 64, 80, 93. Creatures of an intact formation, and what follows from them."""
    state, again, gone = here.state, here.state.copy(), here.state["card"] == NOBODY
    again["lending"] = LENDING  # otherwise loans that are not noted would stay
    rebuild(again, here.cards.record[0])
    for field in _FOLLOWING:
        if not np.array_equal(state[field], again[field]):
            yield Problem(("players",), f"{field} is not what follows from the formations (RIFT-31, 80, 93)")
    if (state["origin"][gone] != NOBODY).any() or any(state[field][gone].any() for field in _TRACES):
        yield Problem(("players",), "something is left of a creature that is gone (RIFT-32)")
    for seat in range(SEATS):
        for row, creatures in enumerate(formation(state, seat)):
            for index, g in enumerate(creatures):
                location = ("players", seat, "rows", row, index)
                yield from _wrong_creature(here.inside(index=(g,)), location)
                yield from _wrong_marks(here.inside(index=(g,)), location, seat)


def _wrong_creature(here: Here, location: Location) -> Iterator[Problem]:
    """RIFT-60, 108, 110. Tokens and abilities of a creature."""
    (g,), state = here.at, here.state
    for field, most in OF_A_CREATURE.items():
        if not 0 <= here.number(field) <= most:
            yield Problem(location, f"has {here.number(field)} {field}; must be 0 to {most}")
    powers = state["ability"][g].astype(int)
    powers[:LENDABLE] = np.maximum(powers[:LENDABLE], state["lent"][g])
    others = [word_of(ability) for ability in Ability if powers[ability] and ability != Ability.SWARM]
    if powers.min() < 0:
        yield Problem(location, "has less than none of an ability")
    if powers[Ability.SWARM] and others:
        yield Problem(location, f"has {others[0]} together with SWARM; a creature with SWARM has no other ability (RIFT-110)")
    if powers[Ability.SWARM] and state["face_down"][g]:
        yield Problem(location, "is face down with SWARM, which turns it up (RIFT-108)")


def _wrong_marks(here: Here, location: Location, seat: int) -> Iterator[Problem]:
    """RIFT-11, 16, 70, 73. What is noted of a creature, and a creature that should be dead."""
    (g,), state = here.at, here.state
    settled = state["phase"] in (Phase.MAIN, Phase.CREATURE)
    for field, active in (("charm", "charmed"), ("pacify", "pacified")):
        if here.number(field) & ACTIVE and seat != state["active"]:
            yield Problem(location, f'is {active} in the turn of its enemy; must be "{field} waits" (RIFT-11, 16)')
    if here.number("credit") == 1 + seat:
        yield Problem(location, f"is earned by seat {seat}, its own side; only the other side earns by its death (RIFT-73)")
    if settled and (here.number("credit") or here.number("harm")):
        phase = Phase(state["phase"]).name.lower()
        yield Problem(location, f'is hurt or earned in phase "{phase}", where nothing is under way; leave it out (RIFT-73)')
    if is_deadly_hurt(state, here.cards.record[0], g) and (settled or not state["shaken"]):
        most = int(health_of(state, here.cards.record[0], g))
        yield Problem(location, f"has {here.number('damage')} damage and a maximum Health of {most}; it would be dead (RIFT-70)")


_SCRATCH = ("keys", "pool", "pool_n", "owed", "owed_kills", "fell")  # in use between decisions only
_IDLE = {  # in the main step
    **dict.fromkeys(("queue_n", "crediting", "free", "chosen"), 0),
    **dict.fromkeys(("playing", "entrant", "spell", "summon_card", "list_card"), NOBODY),
}


def _wrong_moment(state: np.void) -> Iterator[Problem]:
    """RIFT-12, 73. Something under way between decisions or in the main step, and a selected creature of the other player."""
    for field in _SCRATCH:
        if state[field].any():
            yield Problem(("phase",), f"{field} is in use between decisions")
    if state["credit"].any() and not state["crediting"]:
        yield Problem(("phase",), "experience is owed for deaths, and no death check follows (RIFT-73)")
    if state["phase"] == Phase.MAIN:
        busy = [field for field, value in _IDLE.items() if state[field] != value]
        busy += [field for field in ("harm", "killer") if state[field].any()]
        busy += ["seat"] if state["seat"] != state["active"] else []
        for field in busy:
            yield Problem(("phase",), f"{field} belongs to something under way; the main step has nothing of it (RIFT-12)")
    user = int(state["user"])
    if state["phase"] == Phase.CREATURE and user != NOBODY and not (is_here(state, user) and side_of(user) == state["active"]):
        yield Problem(("pending", "user"), "must be a creature of the active player (RIFT-13)")


POSITION = Document(
    keys=(
        Number("turn", "player turns finished", most=lambda here: here.card("turn_cap")),
        Word("phase", ", ".join(f"`{phase}`" for phase in PHASES), words=lambda _: PHASES, default="main"),
        Number("active", "seat whose turn it is", most=SEATS - 1),
        Follows("first", "seat that went first", value=_first, shown="follows from `turn` and `active`"),
        Follows("winner", "seat that has won", value=_winner, shown='follows from the lives with `phase = "over"`'),
        Rows(
            "players", "one for each seat", index="seat", rows=lambda _: range(SEATS), most=SEATS - 1, complete=True, keys=PLAYER
        ),
    ),
    problems=problems,
    begin=lambda _, here: clear_table(here.state),
    settle=_settle,
    pending=UnderWay(
        "pending",
        "what is under way, in phases other than `main` and `over`",
        field="phase",
        cases={
            Phase.MULLIGAN: Case(MULLIGAN),
            Phase.CREATURE: Case((_field(*USER, CREATURE, required=True),)),
            **{phase: Case(UNDER_WAY) for phase in Phase if Phase.PLACE <= phase <= Phase.HAND},
        },
    ),
)


position = POSITION.read


def place(position: dict[str, Any], cards: CardSet, state: np.void) -> None:
    """Write a position into `state`, which is zeroed before.

    Every field can be left out. The default is the first turn of a new game, seat 0 in its main step, with empty hands and
    nothing in play. Raises ValueError with the field, its value and what would be right.
    """
    POSITION.write(position, cards, state)
    if state["phase"] != Phase.OVER and legal_actions(state, cards.record[0], np.zeros(OPTIONS_MAX, np.int32)) == 0:
        raise ValueError(f'phase = "{Phase(state["phase"]).name.lower()}": there is nothing to decide; see pending')
