"""A game of Runeslingers on a table laid out for a test, and played in short words.

    game = a_duel()
    game.with_hand(A, "fireball").concs(A, 3).on_slot(B, "echo_chant", damage=2)
    game.play("fireball", "B0")
    assert game.pile("discard", B) == "echo_chant"

A is seat 0 and, unless a test sets something else, active, in the Play Phase of its third turn. Both players have full power and
health and a deck of ten cards; A has one determination, so that its Play Phase does not end for lack of choices. `A` is a
Runeslinger, `A0` the exposed card on its slot 0, `A area 1` a boon. The rules start to run with the first decision or look at the
options. Decisions are action codes or short words: `play fireball`, `set fireball`, `inherent`, `ability`, `activate A0`,
`charge A0`, `end`; `slot 2`; `bullet 1`; `burn`; `no` or a card of the hand for answers and blocks; `trigger 0`; `A first`;
`play on`, `draw`, `take back 0`. A test fails if a decision is not open.

More cards are lines as in `model.documents`: `name | type | cost | defence | rarity | keywords | text`; stances are ids or such a
text.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sim.engine.cardfiles.paths import changed
from sim.engine.cards import CardSet
from sim.engine.contract import is_over
from sim.games.runeslingers import GAME
from sim.games.runeslingers.actions import ABILITY, ACTIVATE, CHARGE, INHERENT, MAKE_LIGHT, PLAY, SET, TAKE_BACK
from sim.games.runeslingers.cards import ACTIVATED, AILMENT_WORDS, DECK_MAX, Kind, Stat, ids_of
from sim.games.runeslingers.rules.objects import derive
from sim.games.runeslingers.rules.playing import thing_of
from sim.games.runeslingers.setup import clear_table
from sim.games.runeslingers.state import AREAS, NOBODY, SEATS, SLOTS, Cause, Phase, Stage, place_of, seat_of
from sim.games.runeslingers.text import draw
from tests.games.runeslingers.kernel_bridge import Kernels
from tests.games.runeslingers.model.documents import card_row, effect_list, texts

REFERENCE = GAME.load(None)


@cache
def card_set(
    more: tuple[str, ...], heroes: tuple[str, str], stances: tuple[str, str], abilities: tuple[str, str], paths: str
) -> CardSet:
    """The reference set so changed; see `positions.a_duel`. paths: changes as JSON."""
    document = json.loads(json.dumps(REFERENCE.document))
    document["card"] += [{"source": "assumed"} | card_row(line) for line in more]
    for seat in range(SEATS):
        classes = {entry["id"]: entry["class"] for entry in document["runeslinger"]}
        of = {"class": classes[heroes[seat]], "source": "assumed"}
        document["deck"][seat]["runeslinger"] = heroes[seat]
        document["deck"][seat]["stance"] = _entry(document["stance"], stances[seat], seat, of | texts(stances[seat]))
        cost, _, effects = abilities[seat].partition(" | ")
        odd = {"determination": int(cost), "effects": effect_list(effects)} if effects else {}
        document["deck"][seat]["ability"] = _entry(document["ability"], abilities[seat], seat, of | odd)
    for path, value in json.loads(paths).items():
        document = changed(_with_field(document, path), path, value)
    return GAME.from_document(document)


def _entry(entries: list[dict[str, Any]], word: str, seat: int, odd: dict[str, Any]) -> str:
    """Id of an entry, which is added if there is no entry with that id."""
    if any(entry["id"] == word for entry in entries):
        return word
    entries.append({"id": f"of_a_test_{seat}"} | odd)
    return f"of_a_test_{seat}"


def _with_field(document: dict[str, Any], path: str) -> dict[str, Any]:
    """The document with a field that may be new: `ailment.curse.ailment_phase`."""
    table, *rest = path.split(".")
    if len(rest) > 1 and isinstance(document[table], list):
        entry = next(entry for entry in document[table] if entry["id"] == rest[0])
        entry.setdefault(rest[1].partition("[")[0], [])
    return document


SIDES = "AB"


def word_of(state: np.void, cards: CardSet, code: int) -> str:
    """Short word of an open decision."""
    seat, ids = int(state["seat"]), ids_of(cards)
    word_for: dict[Phase, Callable[[], str]] = {
        Phase.SETUP: lambda: _held(state, ids, seat, code),
        Phase.FIRST: lambda: ("go first", "go second")[code],
        Phase.PASS: lambda: ("play on", "draw")[code] if code < TAKE_BACK else f"take back {code - TAKE_BACK}",
        Phase.MAIN: lambda: _main_word(state, ids, seat, code),
        Phase.SLOT: lambda: f"slot {code}",
        Phase.PLACE: lambda: spot_word(seat if code < AREAS else SEATS - 1 - seat, SLOTS + code % AREAS),
        Phase.DISCARD: lambda: _held(state, ids, seat, code),
        Phase.BULLET: lambda: f"bullet {code}",
        Phase.TARGET: lambda: object_word(int(thing_of(code, seat))),
        Phase.ANSWER: lambda: _held(state, ids, seat, code - 1) if code else "no",
        Phase.BLOCK: lambda: _held(state, ids, seat, code - 1) if code else "no",
        Phase.TRIGGER: lambda: f"trigger {code}",
        Phase.EACH: lambda: f"{SIDES[seat if code == 0 else SEATS - 1 - seat]} first",
    }
    phase = Phase(state["phase"])
    if phase not in word_for:  # AILMENT, ORDER, REMOVE
        return AILMENT_WORDS[code]
    return word_for[phase]()


def object_word(thing: int) -> str:
    """`A` for a Runeslinger, else as `spot_word`."""
    side = int(seat_of(thing))
    return SIDES[side] if thing < SEATS else spot_word(side, int(place_of(thing)))


def spot_word(seat: int, place: int) -> str:
    """`A0` for a slot, `B area 1` for an area."""
    return f"{SIDES[seat]}{place}" if place < SLOTS else f"{SIDES[seat]} area {place - SLOTS}"


def place_at(word: str) -> tuple[int, int]:
    """Seat and position of `A0` or `B area 1`."""
    side, _, area = word.partition(" area ")
    return SIDES.index(side[0]), SLOTS + int(area) if area else int(side[1:])


def _held(state: np.void, ids: tuple[str, ...], seat: int, at: int) -> str:
    return ids[int(state["card_of"][state["hand"][seat, at]])]


def _main_word(state: np.void, ids: tuple[str, ...], seat: int, code: int) -> str:
    """`end`, `play fireball`, `set fireball`, `inherent`, `ability`, `activate A0` (its second: `activate A0 again`), ..."""
    if code < PLAY:
        return "end"
    if code < SET:
        return f"play {_held(state, ids, seat, code - PLAY)}"
    if code < INHERENT:
        return f"set {_held(state, ids, seat, code - SET)}"
    if code <= ABILITY:
        return "inherent" if code == INHERENT else "ability"
    if code < CHARGE:
        place, k = divmod(code - ACTIVATE, ACTIVATED)
        return f"activate {spot_word(seat, place)}" + (" again" if k else "")
    return f"charge {spot_word(seat, code - CHARGE)}" if code < MAKE_LIGHT else "light"


A, B = 0, 1
FILLER = "insight"  # card of concentrations and decks
DECK = (FILLER,) * 10
# cards of many tests
AXE = "axe | utility | 0 | 0 | c | | destroy -> defence"
SNAP = "snap | utility | 0 | 0 | c | shout | destroy -> card"
PILES = ("hand", "deck", "discard", "void")


class Duel(Kernels):
    """One game: laid out, then stepped by decisions."""

    def __init__(self, cards: CardSet) -> None:
        """An empty table, in A's third turn."""
        super().__init__(cards)
        self.record = cards.record[0]
        self.lay((A, B), 0)
        self.workspace.states[0] = np.zeros(1, GAME.state)[0]
        state = self.state
        clear_table(state)
        self._held, self._begun = [0, 0], False
        state["turn"], state["active"], state["first"], state["own_turns"] = 4, A, A, (3, 2)
        state["stage"], state["phase"], state["deck_of"] = Stage.PLAY, Phase.GOING, (A, B)
        state["power"], state["sets_left"] = self.record["start_power"], self.record["sets_per_turn"]
        state["determination"][A] = 1
        derive(state, self.record)
        state["health"] = state["stat"][:, Stat.MAX_HEALTH]
        for seat in range(SEATS):
            self.with_pile("deck", seat, *DECK)

    # ---- laying out -------------------------------------------------------------------------------------------------

    def has(self, seat: int, **facts: int) -> "Duel":
        """Set fields of a player: `has(A, health=5, power=1, determination=2, light=1, barrier=3)`."""
        for field, value in facts.items():
            self.state[field][seat] = value
        return self

    def with_pile(self, pile: str, seat: int, *names: str) -> "Duel":
        """Replace a pile: deck (the top card first), discard, void or hand."""
        found = [self._card(seat, name) for name in names]
        order = sorted(found, key=lambda inst: (int(self.state["card_of"][inst]), inst))
        laid = {"deck": found[::-1], "hand": order}.get(pile, found)
        self.state[pile][seat] = 0
        self.state[pile][seat, : len(laid)] = laid
        self.state[f"{pile}_n"][seat] = len(laid)
        return self

    def with_hand(self, seat: int, *names: str) -> "Duel":
        """A hand."""
        return self.with_pile("hand", seat, *names)

    def with_deck(self, seat: int, *names: str) -> "Duel":
        """A deck, the top card first."""
        return self.with_pile("deck", seat, *names)

    def concs(self, seat: int, count: int = 1, *, used: bool = False, name: str = FILLER) -> "Duel":
        """Concentrations on the lowest free areas."""
        for _ in range(count):
            slot = self.state["conc"][seat].tolist().index(NOBODY)
            self.state["seq"] += 1
            self.state["conc"][seat, slot], self.state["conc_used"][seat, slot] = self._card(seat, name), used
            self.state["conc_seq"][seat, slot] = self.state["seq"]
        return self

    def on_slot(self, seat: int, name: str, **facts: Any) -> "Duel":
        """Lay a thing on a used concentration of its own. facts: owner, under (a card of the enemy), and fields of the state."""
        self.concs(seat, used=True)
        slots = [slot for slot in range(SLOTS) if self.state["conc"][seat, slot] != NOBODY]
        return self._lay(seat, slots[-1], name, facts)

    def under_boon(self, seat: int, area: int, name: str, **facts: Any) -> "Duel":
        """Lay a boon on an area of this player that has ailments. facts: see `on_slot`."""
        assert self.state["count"][seat, area], f"area {area} has no ailments"
        return self._lay(seat, SLOTS + area, name, facts)

    def ailments(self, seat: int, **counts: int) -> "Duel":
        """Ailments on the lowest areas, in this order: `ailments(B, burn=3, curse=1)`; a second call goes on behind."""
        for name, count in counts.items():
            area = self.state["count"][seat].tolist().index(0)
            self.state["ailment"][seat, area], self.state["count"][seat, area] = AILMENT_WORDS.index(name), count
        return self

    def at_stage(self, stage: Stage, turn: int = 4, active: int = A) -> "Duel":
        """Set another moment: `Stage.BEGIN` is the beginning of the turn. turn: turns finished."""
        self.state["stage"], self.state["turn"], self.state["active"] = stage, turn, active
        self.state["first"] = active ^ turn % SEATS
        return self

    def _card(self, seat: int, name: str) -> int:
        inst = seat * DECK_MAX + self._held[seat]
        assert self._held[seat] < DECK_MAX, "too many cards"
        self.state["card_of"][inst], self.state["slot_of"][inst] = ids_of(self.cards).index(name), self._held[seat]
        self._held[seat] += 1
        return inst

    def _lay(self, seat: int, place: int, name: str, facts: dict[str, Any]) -> "Duel":
        owner, under = facts.pop("owner", seat), facts.pop("under", None)
        state = self.state
        state["seq"] += 1
        state["thing"][seat, place], state["thing_seq"][seat, place] = self._card(owner, name), state["seq"]
        state["turn_played"][seat, place] = state["turn"] - 1
        for field, value in facts.items():
            state[field][seat, place] = value
        if under is not None:
            state["under"][seat, place] = self._card(1 - seat, under)
        is_boon = self.record["kind"][state["card_of"][state["thing"][seat, place]]] == Kind.BOON
        assert is_boon == (place >= SLOTS), f"{name} does not lie there"
        return self

    # ---- playing ----------------------------------------------------------------------------------------------------

    def do(self, *decisions: str | int, draws: str | None = None) -> "Duel":
        """Take decisions. draws: all cards that leave decks, or hands at random, meanwhile, in order."""
        dice, named = self.dice, draws.split(", ") if draws else []
        dice["draws"][: len(named)] = [draw(words, self.cards) for words in named]
        dice["draws_scripted"], dice["draws_at"], dice["draw_refused"] = len(named), 0, 0
        self._begin()
        for decision in decisions:
            found = [code for code, word in zip(self.codes, self.options, strict=True) if decision in (code, word)]
            where = "the game is over" if self.over else f"{self.phase.name}: {self.options}"
            assert found, f"{decision} is not open; {where}"
            self.apply(found[0])
        assert dice["draw_refused"] == 0, f"{decisions}: draw {dice['draw_refused']} of {draws} is not left"
        assert draws is None or dice["draws_at"] == len(named), f"{decisions}: {dice['draws_at']} of {draws} drawn"
        return self

    def play(self, card: str, *more: str | int, draws: str | None = None) -> "Duel":
        """Play a card of the hand, and take the decisions that follow."""
        return self.do(f"play {card}", *more, draws=draws)

    choose = do  # decisions that are open in the middle of something

    def end(self, *more: str | int) -> "Duel":
        """End the Play Phase; the enemy's turn runs up to its first decision."""
        return self.do("end", *more)

    def roll(self, *faces: int) -> "Duel":
        """Dice to come."""
        self.dice["script"][: len(faces)], self.dice["scripted"], self.dice["script_at"] = faces, len(faces), 0
        return self

    def _begin(self) -> None:
        if not self._begun:
            self._begun, self.state["brittle"] = True, 1
            derive(self.state, self.record)
            self.state["seat"], self.state["options_n"], self.state["options"][0] = self.state["active"], 1, 0
            self.apply(0)  # goes on

    # ---- looking ----------------------------------------------------------------------------------------------------

    @property
    def options(self) -> list[str]:
        """Open decisions in short words."""
        self._begin()
        return [word_of(self.state, self.cards, code) for code in self.codes]

    def offers(self, word: str) -> list[str]:
        """Open decisions that begin with a word, without it: `offers("play")`."""
        return [option.removeprefix(f"{word} ") for option in self.options if option.startswith(f"{word} ")]

    @property
    def phase(self) -> Phase:
        """Open decision."""
        self._begin()
        return Phase(self.state["phase"])

    @property
    def seat(self) -> int:
        """Who decides."""
        self._begin()
        return int(self.state["seat"])

    @property
    def over(self) -> bool:
        """Whether the encounter has ended."""
        return bool(is_over(self.state))

    @property
    def ending(self) -> tuple[int, Cause]:
        """Who has won, and why."""
        assert self.over
        return int(self.state["winner"]), Cause(self.state["cause"])

    def both(self, field: str) -> Any:
        """A field of both players, `both("health") == [20, 12]`, or of the game."""
        self._begin()
        return self.state[field].tolist()

    def stat(self, seat: int, stat: Stat) -> int:
        """A number of a Runeslinger, including effects."""
        derive(self.state, self.record)
        return int(self.state["stat"][seat, stat])

    def pile(self, pile: str, seat: int) -> str:
        """Ids of a pile: `fireball, insight`. The deck has its top card first, hands are sorted."""
        assert pile in PILES
        self._begin()
        found = self.state[pile][seat, : self.state[f"{pile}_n"][seat]].tolist()
        return self._names(found[::-1] if pile == "deck" else found)

    def at(self, word: str) -> str:
        """Id of the thing at `A0` or `B area 1`; nothing where none lies."""
        self._begin()
        inst = int(self.state["thing"][place_at(word)])
        return "" if inst == NOBODY else self._names([inst])

    def of(self, word: str, field: str) -> int:
        """A field of the thing at `A0`: damage, tokens, used, guard, ..."""
        self._begin()
        return int(self.state[field][place_at(word)])

    def conc_words(self, seat: int) -> str:
        """Concentrations by slot: `ready, used, -, -, -, -`."""
        self._begin()
        found = zip(self.state["conc"][seat], self.state["conc_used"][seat], strict=True)
        return ", ".join("-" if inst == NOBODY else "used" if used else "ready" for inst, used in found)

    def areas(self, seat: int) -> str:
        """Ailments by area, those under boons in brackets: `burn 3, (curse 2), -, -`."""
        labels = []
        self._begin()
        for area, count in enumerate(self.state["count"][seat]):
            word = f"{AILMENT_WORDS[self.state['ailment'][seat, area]]} {count}" if count else "-"
            labels.append(f"({word})" if self.state["thing"][seat, SLOTS + area] != NOBODY else word)
        return ", ".join(labels)

    def _names(self, found: list[int]) -> str:
        return ", ".join(ids_of(self.cards)[self.state["card_of"][inst]] for inst in found)


def a_duel(
    *more: str,
    heroes: tuple[str, str] = ("eva", "eva"),
    stances: tuple[str, str] = ("", ""),
    abilities: tuple[str, str] = ("1 | draw 1", "1 | draw 1"),
    changes: dict[str, Any] | None = None,
    **rules: Any,
) -> Duel:
    """An empty table. more: further cards; stances: ids, or texts of new stances; abilities: ids, or `2 | draw 1`; changes:
    {"card.fireball.cost": 2} by path; rules: draw=3, first="random", ...
    """
    paths = {f"rules.{rule}": value for rule, value in rules.items()} | (changes or {})
    return Duel(card_set(more, heroes, stances, abilities, json.dumps(paths)))


def cast(text: str, *more: str, kind: str = "", keywords: str = "", **how: Any) -> Duel:
    """A holds a free runespell with this text: `it`. kind: by default a spirit if it deals damage, else a utility."""
    kind = kind or ("spirit" if text.startswith("damage") or ", damage" in text else "utility")
    return a_duel(f"it | {kind} | 0 | 0 | c | {keywords} | {text}", *more, **how).with_hand(A, "it").concs(A)


def dealt(*more: str, game: int = 0, **how: Any) -> Duel:
    """A game just dealt. game: number of the game, each has its own dice; how: as in `a_duel`."""
    duel = a_duel(*more, **how)
    duel.lay((A, B), game)
    duel._begun = True
    duel.run()
    return duel
