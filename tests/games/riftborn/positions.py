"""Games of Riftborn Tactics laid out for tests: formations in the notation of the specification, decisions in short words.

    game = table("soldier_guard, beast_cub [1 damage] / soldier_archer", "beast_boar", xp=500)
    game.attack("A0.1", "B0.0")
    assert game.who(A) == "soldier_guard / soldier_archer" and game.bears("B0.0") == "beast_boar, 2 damage, 1 rage"

A is seat 0 and, unless stated otherwise, active; A0.1 is its front row, index 1; rows count from the front. Brackets hold what
a creature bears, as in scenario files (`sim/games/riftborn/position.py`). Decisions are codes, or these
words:

    MAIN    end | play spark | use A0.1 | wield short_sword       CREATURE  A0.0 (swap) | B0.0 | B (the player) | charm, heal, ...
    TARGET  A0.1 | B0.0 | A | B (the players)                     PLACE     0.2 (row, index)
    ROW     row A1 | row B0                                       SCRY      0, 1, ... (codes)
    TRICK_SET   no trick | ambush | ...                           TRICK_FIRE  A0.1 | A0.1 second
    MULLIGAN    keep | return                                     HAND      beast_cub

A decision with a single code is taken automatically (except ending a turn). A test fails if a decision is not open.

An effect list can be put on a Spell, on a SPELL action or on a trick:

    cast("damage 2, chosen enemy 1; draw 1", "beast_cub", "beast_troll, beast_boar", "B0.1")

Each returns the table when the list is done, or when it asks for something that was not given.
"""

import json
import re
from functools import cache
from typing import Any

import numpy as np

from sim.engine.cards import CardSet, changed
from sim.engine.contract import offer
from sim.engine.loop import advance
from sim.engine.scenario import NO_DECISION
from sim.games.riftborn import GAME
from sim.games.riftborn.actions import PLAY, USE, WIELD
from sim.games.riftborn.cards import Trick
from sim.games.riftborn.position.creatures import creature_words, formation, is_here, pile_of, tricks_of
from sim.games.riftborn.record import ids_of
from sim.games.riftborn.rules.attack import ACTION_NAMES, CHARM
from sim.games.riftborn.rules.damage import attack_of, health_of
from sim.games.riftborn.state import CREATURES, NOBODY, PER_ROW, ROWS, Phase, code_of, creature_at
from tests.games.riftborn.model.documents import card_entries
from tests.model import play

REFERENCE = GAME.load(None)
SIDES = "AB"
PLAYERS = 2 * CREATURES  # code of an attack on the opponent; of the player itself as a target; the opponent is the next
SPOT = re.compile(r"([AB])(\d)\.(\d)")
OUTSIDE_BRACKETS = re.compile(r", (?![^\[]*\])")


def word_of(state: np.void, cards: CardSet, code: int) -> str:
    """Short word of a decision that is open."""
    seat, ids = int(state["seat"]), ids_of(cards)
    word_for = {
        Phase.MULLIGAN: lambda: ("keep", "return")[code],
        Phase.MAIN: lambda: _main_word(state, ids, seat, code),
        Phase.CREATURE: lambda: _deed_word(state, seat, code),
        Phase.PLACE: lambda: f"{code // PER_ROW}.{code % PER_ROW}",
        Phase.TARGET: lambda: _target_word(state, seat, code),
        Phase.ROW: lambda: f"row {SIDES[seat if code >= ROWS else 1 - seat]}{code % ROWS}",
        Phase.SCRY: lambda: str(code),
        Phase.TRICK_SET: lambda: Trick(code).name.lower() if code else "no trick",
        Phase.TRICK_FIRE: lambda: _slot_word(state, seat, code // 2) + (" second" if code % 2 else ""),
        Phase.HAND: lambda: ids[state["hand"][seat, code]],
    }
    return word_for[Phase(state["phase"])]()


def _main_word(state: np.void, ids: tuple[str, ...], seat: int, code: int) -> str:
    """`end`, `play spark`, `use A0.1`, `wield longbow`; a second longbow is `longbow 2`."""
    if code < PLAY:
        return "end"
    if code < USE:
        return f"play {ids[state['hand'][seat, code - PLAY]]}"
    if code < WIELD:
        return f"use {_slot_word(state, seat, code - USE)}"
    weapons = [ids[card] for card in state["weapon"][seat, : code - WIELD + 1]]
    count = weapons.count(weapons[-1])
    return f"wield {weapons[-1]}" + (f" {count}" if count > 1 else "")


def _deed_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` a swap or an attack, `B` an attack on that player, else the name of the Action."""
    if code > PLAYERS:
        return ACTION_NAMES[code - CHARM]
    return SIDES[1 - seat] if code == PLAYERS else _slot_word(state, seat, code)


def _target_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` a creature, `A` a player."""
    if code < PLAYERS:
        return _slot_word(state, seat, code)
    return SIDES[seat if code == PLAYERS else 1 - seat]


def _slot_word(state: np.void, seat: int, code: int) -> str:
    """`A0.1` of a slot code 0..29 of the seat that decides."""
    return spot_word(state, int(creature_at(state, seat, code)))


def spot_word(state: np.void, g: int) -> str:
    """`A0.1` of a creature that is there."""
    seat = g // CREATURES
    row, index = divmod(int(code_of(state, seat, g)), PER_ROW)
    return f"{SIDES[seat]}{row}.{index}"


def rows_of(text: str) -> list[list[str]]:
    """`soldier_guard, beast_cub [1 damage, acted] / soldier_archer` as rows of creatures of a scenario file."""
    rows = [OUTSIDE_BRACKETS.split(row) for row in text.split(" / ")] if text else []
    return [[creature.replace(" [", ", ").rstrip("]") for creature in row] for row in rows]


offer(GAME)
A, B = 0, 1
OF_THE_CARDS = ("rules", "changes", "more", "others")
OF_THE_GAME = ("turn", "active", "phase", "pending", "first", "winner")
LISTED = ("hand", "library", "discard", "removed", "weapons", "armour", "tricks")  # facts of a player in one string


class Play(play.Play):
    """One game, stepped by decisions."""

    game = GAME

    def do(self, *decisions: str | int, draws: str | None = None) -> "Play":
        """Take decisions; those without a choice can be left out. draws: all cards drawn by them, and `seat 0` for the coin."""
        dice, named = self.workspace.dice[0], draws.split(", ") if draws else []
        dice["draws"][: len(named)] = [GAME.words.draw(words, self.cards) for words in named]
        dice["draws_scripted"], dice["draws_at"], dice["draw_refused"] = len(named), 0, 0
        for decision in decisions:
            self._take(decision)
        while len(self.codes) == 1 and self.phase != Phase.MAIN:
            self._advance(self.codes[0])
        assert dice["draw_refused"] == 0, f"{decisions}: draw {dice['draw_refused']} of {draws} is not left"
        assert draws is None or dice["draws_at"] == len(named), f"{decisions}: {dice['draws_at']} of {draws} drawn"
        return self

    def attack(self, who: str, whom: str, *more: str | int) -> "Play":
        """Use a creature: `attack("A0.0", "B")` the player, `swap("A0.0", "A0.1")`, `act("A0.0", "heal", "A0.1")`."""
        return self.do(f"use {who}", whom, *more)

    swap = act = attack

    def play(self, card: str, *more: str | int, draws: str | None = None) -> "Play":
        """Play a card of the hand."""
        return self.do(f"play {card}", *more, draws=draws)

    def wield(self, card: str, *more: str | int) -> "Play":
        return self.do(f"wield {card}", *more)

    def end(self, *more: str | int, draws: str | None = None) -> "Play":
        """End the turn, and let the next begin."""
        return self.do("end", *more, draws=draws)

    @property
    def codes(self) -> list[int]:
        """Codes of the open decisions; none when the game is over."""
        return [*self._open]

    @property
    def options(self) -> list[str]:
        """Decisions open, in short words."""
        return [*self._open.values()]

    def can(self, who: str) -> list[str]:
        """What a creature can do now, in short words: `["A0.1", "B0.0", "B", "ready"]`. Does not change the game."""
        return self.follows(f"use {who}")

    def hits(self, weapon: str) -> list[str]:
        """Creatures that a Weapon can hit now. Does not change the game."""
        return self.follows(f"wield {weapon}")

    def follows(self, decision: str) -> list[str]:
        """What is open after a decision of the main step; nothing where that itself is not open. The game stays."""
        assert self.phase == Phase.MAIN
        other = self.fork()
        if decision not in other.options:
            return []
        other._advance(_code(other, decision))
        return other.options

    @property
    def phase(self) -> Phase:
        return Phase(self.state["phase"])

    @property
    def seat(self) -> int:
        return int(self.state["seat"])

    @property
    def active(self) -> int:
        return int(self.state["active"])

    def who(self, seat: int) -> str:
        """Formation by ids: `soldier_guard, beast_cub / soldier_archer`."""
        ids = ids_of(self.cards)
        return " / ".join(", ".join(ids[self.state["card"][g]] for g in row) for row in formation(self.state, seat))

    def creature(self, spot: str) -> int:
        """Number of the creature at `A0.1`, which it keeps wherever it goes: index of the creature fields of the state."""
        match = SPOT.fullmatch(spot)
        assert match, f"{spot} is no place; A0.1 would be one"
        g = int(self.state["grid"][SIDES.index(match[1]), int(match[2]), int(match[3])])
        assert g != NOBODY, f"nobody is at {spot}"
        return g

    def spot(self, g: int) -> str | None:
        """Where a creature is, `A0.1`; None when it is gone."""
        return spot_word(self.state, int(g)) if is_here(self.state, g) else None

    def bears(self, spot: str) -> str:
        """A creature with all that is not as when it came: `undead_wight, 2 damage, 1 decay, lost UNDEATH`."""
        return creature_words(self.state, self.cards, self.creature(spot))

    def of(self, spot: str, field: str) -> int:
        """A field of a creature: `damage`, `acted`, `face_down`, ..."""
        return int(self.state[field][self.creature(spot)])

    def stats(self, spot: str) -> str:
        """Attack and maximum Health as they are now: `3/4`."""
        g = self.creature(spot)
        return f"{attack_of(self.state, self.record, g)}/{health_of(self.state, self.record, g)}"

    def xp(self, seat: int) -> int:
        return int(self.state["xp"][seat])

    def level(self, seat: int) -> int:
        return int(self.state["level"][seat])

    def life(self, seat: int) -> int:
        return int(self.state["life"][seat])

    def pile(self, pile: str, seat: int) -> str:
        """Ids of the `hand`, `library` (top first), `discard` or `removed` pile: `spark, recall`."""
        cards = [ids_of(self.cards)[card] for card in pile_of(self.state, pile, seat)]
        return ", ".join(cards[::-1] if pile == "library" else cards)

    def hand(self, seat: int) -> str:
        """Cards in hand: `spark, recall`."""
        return self.pile("hand", seat)

    def weapons(self, seat: int) -> str:
        """Weapons with the uses left: `short_sword 3, longbow 2`."""
        return self._attached("weapon", "uses", seat)

    def armour(self, seat: int) -> str:
        """Armours with the points left, oldest first: `leather_armour 4, chain_armour 9`."""
        return self._attached("armour", "points", seat)

    def tricks(self, seat: int) -> str:
        """TRICK cards laid: `ambush, snare`."""
        return ", ".join(Trick(trick).name.lower() for trick in tricks_of(self.state, seat))

    def _attached(self, field: str, left: str, seat: int) -> str:
        ids, cards = ids_of(self.cards), self.state[field][seat]
        return ", ".join(f"{ids[cards[i]]} {self.state[left][seat, i]}" for i in np.flatnonzero(cards != NOBODY))

    def _take(self, decision: str | int) -> None:
        while (code := _code(self, decision)) == NO_DECISION and len(self.codes) == 1 and self.phase != Phase.MAIN:
            self._advance(self.codes[0])
        assert code != NO_DECISION, f"{decision} is not open in {self.phase.name}: {self.options}"
        self._advance(code)

    def _advance(self, action: int) -> None:
        count = advance(self.workspace, self.cards.record, action)
        codes = [int(code) for code in self.workspace.options[:count]]
        self._open = {code: word_of(self.state, self.cards, code) for code in codes}


def _code(game: Play, decision: str | int) -> int:
    """Code of a decision that is open, NO_DECISION of one that is not."""
    return next((code for code, word in game._open.items() if decision in (code, word)), NO_DECISION)


def a(rows: str = "", **facts: Any) -> dict[str, Any]:
    """One player: a formation, and facts as in scenario files, with cards in one string. The library is empty unless given.

    hand="spark, recall", library="beast_cub" (top first), discard, removed, weapons, armour, tricks="ambush", life=12, xp=500,
    used_levels=2, deck="fae_tricks", known_own=3; weapons and armour can be lists of tables instead.
    """
    entry: dict[str, Any] = {"rows": rows_of(rows), "library": []}
    for key, value in facts.items():
        entry[key] = [word for word in value.split(", ") if word] if key in LISTED and isinstance(value, str) else value
    return entry


def table(own: str | dict[str, Any] = "", other: str | dict[str, Any] = "", **position: Any) -> Play:
    """A position in the main step of A's third turn. own, other: formations, or players made by `a`.

    rules: {"aoo_xp": True} of the card file; changes: {"card.beast_cub.attack": 3} by path; more, others: further creatures and
    other cards in the notation of `model.documents`; facts of A, such as hand="spark", if `own` is a formation; all else as in
    scenario files: turn, active, phase, pending.
    """
    cards = card_set(**{key: position.pop(key) for key in [*position] if key in OF_THE_CARDS})
    facts = {key: position.pop(key) for key in [*position] if key not in OF_THE_GAME}
    assert isinstance(own, str) or not facts, f"{[*facts]} belong into a(...)"
    players = [a(own, **facts) if isinstance(own, str) else own, a(other) if isinstance(other, str) else other]
    return Play.placed(cards, {"turn": 4, "players": players} | position)


def dealt(own: str = "soldier_line", other: str = "beast_rush", game: int = 0, **rules: Any) -> Play:
    """A game just dealt with these decks. game: its number, which determines its dice; rules: of the card file."""
    cards = card_set(rules)
    return Play.dealt(cards, [cards.ids.index(own), cards.ids.index(other)], game)


def card_set(
    rules: dict[str, Any] | None = None, changes: dict[str, Any] | None = None, more: str = "", others: str = ""
) -> CardSet:
    """The reference cards with some rules and fields at other values, and with further cards."""
    paths = {f"rules.{rule}": value for rule, value in (rules or {}).items()} | (changes or {})
    return _card_set(json.dumps(paths), more, others)


@cache
def _card_set(paths: str, more: str, others: str) -> CardSet:
    document = dict(REFERENCE.document)
    if more or others:
        further = [entry | {"source": "assumed"} for entry in card_entries(more, others)]
        document["card"] = [*document["card"], *further]
    for path, value in json.loads(paths).items():
        document = changed(document, path, value)
    return GAME.from_document(dict(document))


def cast(
    effects: str, own: str | dict = "", other: str | dict = "", *choices: str | int, draws: str | None = None, **position: Any
) -> Play:
    """A plays the Spell `charge` with these effects, together with the rest of the hand. draws, position: as in this module."""
    player = a(own) if isinstance(own, str) else own
    hand = ["charge", *player.get("hand", [])]
    others = f"charge | spell | 1 | 0/0 | 50 | | {effects}"
    return table(player | {"hand": hand}, other, others=others, **position).do("play charge", *choices, draws=draws)


def spells(action: str, own: str, other: str = "", *choices: str) -> Play:
    """A creature at A0.0 uses its SPELL action; `caster` stands for it in `own`."""
    more = f"caster | 1 | 2/4 | 100 | SPELL | action {action.replace('; ', ' + ')}"
    return table(own, other, more=more).do("use A0.0", "spell", *choices)


def tricked(trick: str) -> Play:
    """A's troll attacks `fae_imp`, which carries this trick out."""
    more = f"fae_imp | 1 | 1/9 | 100 | TRICK | trick {trick.replace('; ', ' + ')}"
    return table("beast_troll", a("fae_imp", tricks="ambush"), more=more).attack("A0.0", "B0.0")
