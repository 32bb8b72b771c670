"""Random events in the kernels and in the plain model at once, on random positions.

A stream is damage, health loss, ailments and cards that leave decks. A ladder is a card slung, answered, and answered again. Both
are compared after every decision.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from sim.engine.cards import CardSet
from sim.engine.jit import Record, kernel
from sim.games.runeslingers.actions import decide, list_options, take_step
from sim.games.runeslingers.rules.objects import begin_act, name_source
from sim.games.runeslingers.rules.playing import begin_card
from sim.games.runeslingers.state import NOBODY, SEATS, Frame, Part, Phase
from tests.games.runeslingers import quick_look
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.kernel_bridge import Kernels, made
from tests.games.runeslingers.model.effects import Source as ModelSource
from tests.games.runeslingers.model.model import Model
from tests.games.runeslingers.model.playing import NONE
from tests.games.runeslingers.model.table import DEFENCE_CARDS, Asking, Thing
from tests.games.runeslingers.random_tables import Taste, open_chance, random_table, set_up

EVENTS_MIN, EVENTS_MAX = 6, 12  # of a stream
ASKED_MAX = 400  # decisions of one event; never reached
UNBLOCKED = 0.4  # share of events before which both players can block again
TASTE = Taste()


@kernel
def work_off(state: Record, cards: Record, rng: Record) -> None:
    """Run until the work stack is empty, a seat must decide between two or more options, or the game is over."""
    while state["phase"] != Phase.OVER:
        if state["phase"] == Phase.GOING:
            if state["depth"] == 0:
                return
            take_step(state, cards, rng)
            continue
        if state["options_n"] == 0:
            list_options(state, cards)
        if state["options_n"] > 1:
            return
        decide(state, cards, rng, np.int64(state["options"][0]))


@kernel
def begin_event(state: Record, cards: Record, rng: Record, seat: int, row: int, card: int, place: int) -> None:
    """An effect list begins to act for a seat. card: whose type and keywords count; place: thing that it comes from, NOBODY."""
    at = begin_act(state, seat, row)
    state["card"][at] = card
    if place != NOBODY:
        name_source(state, at, seat, place)
    work_off(state, cards, rng)


@kernel
def go_on(state: Record, cards: Record, rng: Record, code: int) -> None:
    """Decide, and run on."""
    decide(state, cards, rng, code)
    work_off(state, cards, rng)


@dataclass
class CardFile:
    """A card file for streams, for kernels and model."""

    document: dict[str, Any]
    cards: CardSet
    game: Kernels
    events: list[int]  # numbers of the cards that are events

    @classmethod
    def of(cls, document: dict[str, Any]) -> "CardFile":
        """The card file of a document with event cards."""
        cards = made(document)
        events = [at for at, row in enumerate(document["card"]) if row["id"].startswith("event_")]
        return cls(document, cards, Kernels(cards), events)


@dataclass
class Stream:
    """One random position and the events on it."""

    file: CardFile
    rng: Random
    where: str
    table: Model
    seen: Counter[str] = field(default_factory=Counter)
    log: list[str] = field(default_factory=list)

    @property
    def state(self) -> np.void:
        """The state of the kernels."""
        return self.file.game.state

    @property
    def rest(self) -> tuple[np.void, np.void]:
        """The other arguments of kernels."""
        return self.file.cards.record[0], self.file.game.dice

    def run(self) -> None:
        """All events, compared after each."""
        self.compare()
        for _ in range(self.rng.randint(EVENTS_MIN, EVENTS_MAX)):
            if self.table.over:
                return
            if self.rng.random() < UNBLOCKED:
                self.state["blocked"] = 0
                for player in self.table.players:
                    player.blocked = 0
            self.event()
            self.compare()
            self.seen["events"] += 1

    def event(self) -> None:
        """One effect list, from its announcements to its end."""
        number, seat = self.rng.choice(self.file.events), self.rng.randrange(SEATS)
        card = self.file.document["card"][number]
        thing = self._standing(seat, card)
        self.log.append(f"{card['id']} of seat {seat} {card['effects']}" + (f" from {thing.place}" if thing else ""))
        if card["type"] in DEFENCE_CARDS and thing is None:
            return
        record, dice = self.rest
        place = np.int64(NOBODY if thing is None else thing.place)
        row = np.int64(record["effects"][number])
        begin_event(self.state, record, dice, np.int64(seat), row, np.int64(number), place)
        self.table.start(self._act(seat, card, thing))
        for _ in range(ASKED_MAX):
            if self._same_question():
                return
        raise AssertionError(f"{self}: no end")

    def _standing(self, seat: int, card: dict[str, Any]) -> Thing | None:
        """The thing that an event comes from; only events of defence cards come from one."""
        if card["type"] not in DEFENCE_CARDS:
            return None
        traps = card["effects"][0]["op"] == "trap"
        things = [thing for thing in self.table.players[seat].things if self.table.is_defence(thing)]
        things = [thing for thing in things if not traps or "release" in str(self.table.card(thing.inst))]
        return self.rng.choice(things) if things else None

    def _act(self, seat: int, card: dict[str, Any], thing: Thing | None) -> Asking:
        table = self.table
        if thing is not None:
            yield from table.act(seat, card["effects"], thing, pierce=table.has(thing.inst, "pierce"))
            return
        source = ModelSource(seat, card["effects"], None, card["type"], "pierce" in card.get("keywords", ()))
        yield from table.announce_types(source)
        yield from table.announce_aims(source)
        yield from table.resolve(source)

    def _same_question(self) -> bool:
        """Whether both are at rest; if not, they must ask the same question, which is answered."""
        state, asked = self.state, self.table.pending
        assert not state["overflow"]
        idle = state["phase"] in (Phase.GOING, Phase.OVER)
        assert idle == (asked is None), f"{self}: kernels are at {Phase(state['phase']).name}, the model at {asked}"
        if asked is None:
            return True
        codes = state["options"][: state["options_n"]].tolist()
        assert (state["phase"], state["seat"], codes) == (asked.kind, asked.seat, asked.codes), (
            f"{self}: kernels ask {Phase(state['phase']).name} seat {state['seat']} {codes}, the model {asked}"
        )
        self.seen[asked.kind.name] += 1
        self.seen["deepest"] = max(self.seen["deepest"], int(state["depth"]))
        code = self.answer_to(codes)
        self.log.append(f"{asked.kind.name} of seat {asked.seat}: {code} of {codes}")
        record, dice = self.rest
        go_on(state, record, dice, np.int64(code))
        self.table.apply(code)
        return False

    def answer_to(self, codes: list[int]) -> int:
        """A decision."""
        return self.rng.choice(codes)

    def compare(self) -> None:
        """Compare everything on the table."""
        kernels, model = quick_look.look_at(self.state), quick_look.look_at_model(self.table)
        if kernels != model:
            raise AssertionError(f"{self}:\n" + "\n".join(quick_look.differing(kernels, model)))

    def compare_counts(self) -> None:
        """Compare the counts for the outcome."""
        kernels, model = quick_look.counts_of(self.state), quick_look.counts_of_model(self.table)
        if kernels != model:
            raise AssertionError(f"{self}:\n" + "\n".join(quick_look.differing(kernels, model)))

    def __str__(self) -> str:
        return f"{self.where}, after\n  " + "\n  ".join(self.log[-12:] or ["nothing"])


def card_files(seed: int, count: int) -> list[CardFile]:
    """Card files for streams."""
    return [CardFile.of(event_document(number)) for number in range(seed, seed + count)]


def new_stream(file: CardFile, number: int, where: str, taste: Taste = TASTE) -> Stream:
    """A random position in both. number: fixes all random choices."""
    rng = Random(number)
    table = random_table(rng, file.document, open_chance(file.game, number), taste)
    set_up(file.game, table)
    return Stream(file, rng, where, table)


def streams_alike(seed: int, streams: int, files: int) -> Counter[str]:
    """Random streams in both; returns what occurred."""
    seen: Counter[str] = Counter()
    known = card_files(seed, files)
    for number in range(streams):
        at = number % files
        stream = new_stream(known[at], seed * streams + number, f"stream {number} of seed {seed}, card file {seed + at}")
        stream.run()
        stream.compare_counts()
        stream.seen["deepest"] = max(stream.seen["deepest"] - seen["deepest"], 0)
        seen += stream.seen
        seen.update(came_up(stream.table))
    return seen


def came_up(table: Model) -> Counter[str]:
    """What a stream was about."""
    facts, seen = table.facts, Counter[str]()
    for name in ("prevented", "blocks", "hits", "hits_stopped", "no_room", "seared", "voided", "drawn_cards", "to_limit"):
        seen[name] += bool(sum(getattr(facts, name)))
    for at, name in enumerate(("drained by damage", "drained by loss", "drained by carried pierce")):
        seen[name] += any(row[at] for row in facts.drained)
    for at, name in enumerate(("power lost to health", "power lost to the deck")):
        seen[name] += any(row[at] for row in facts.powers_lost)
    seen["two powers lost"] += any(sum(row) > 1 for row in facts.powers_lost)
    seen["applied"] += any(sum(row) for row in facts.applied)
    seen["the end"] += table.over
    seen[f"ended by {table.cause.name}"] += table.over
    return +seen


LADDER_TASTE = Taste(hand=(3, 8), concs=(3, 6), light=(1, 8), laid=0.35, shout=0.9)
ANSWERED = 0.85  # share of answers given where one can be
PLAYS = (1, 4)  # cards that the active player plays in a position
RUNGS = 6  # deeper ones are counted with these


@kernel
def begin_play(state: Record, cards: Record, rng: Record, seat: int, at: int) -> None:
    """RUNE-51. Play a card of the hand, even out of turn."""
    begin_card(state, seat, at)
    work_off(state, cards, rng)


class Ladder(Stream):
    """One random position, and cards played on it one after the other."""

    def run(self) -> None:
        """Each with all its answers."""
        self.compare()
        for _ in range(self.rng.randint(*PLAYS)):
            player = self.table.players[self.table.active]
            places = self.table.playable_places(player)
            if self.table.over or not places:
                return
            self.play(self.rng.choice(places))
            self.seen["ladders"] += 1

    def play(self, at: int) -> None:
        """A card of the active player's hand."""
        seat = self.table.active
        player = self.table.players[seat]
        self.log.append(f"seat {seat} plays {self.table.card(player.hand[at])['id']}")
        record, dice = self.rest
        begin_play(self.state, record, dice, np.int64(seat), np.int64(at))
        self.table.start(self.table.play(player, player.hand[at]))
        for _ in range(ASKED_MAX):
            self.note_rungs()
            self.compare()
            if self._same_question():
                return
        raise AssertionError(f"{self}: no end")

    def answer_to(self, codes: list[int]) -> int:
        """A decision."""
        if self.table.pending.kind == Phase.ANSWER and self.rng.random() < ANSWERED:
            return self.rng.choice([code for code in codes if code != NONE])
        return super().answer_to(codes)

    def note_rungs(self) -> None:
        """Height of the ladder: cards laid that wait for answers."""
        state = self.state
        depth = int(state["depth"])
        rungs = (state["frame"][:depth] == Frame.CARD) & (state["step"][:depth] >= Part.RESOLVE)
        self.seen[f"rung {min(RUNGS, int(rungs.sum()))}"] += 1


def ladder_files(seed: int, count: int) -> list[CardFile]:
    """Card files; two of three have decks of Shout cards only."""
    documents = [event_document(number) for number in range(seed, seed + count)]
    return [CardFile.of(shouts_often(document, Random(at)) if at % 3 else document) for at, document in enumerate(documents)]


def ladders_alike(seed: int, ladders: int, files: int) -> Counter[str]:
    """Random ladders in both; returns what occurred."""
    seen: Counter[str] = Counter()
    known, number = ladder_files(seed, files), 0
    while seen["ladders"] < ladders:
        where = f"position {number} of seed {seed}, card file {number % files}"
        stream = new_stream(known[number % files], seed * ladders + number, where, LADDER_TASTE)
        ladder = Ladder(stream.file, stream.rng, stream.where, stream.table)
        ladder.run()
        ladder.compare_counts()
        ladder.seen["deepest"] = max(ladder.seen["deepest"] - seen["deepest"], 0)
        seen += ladder.seen
        for name in ("answers", "foiled", "slung"):
            seen[name] += sum(getattr(ladder.table.facts, name))
        number += 1
    return seen
