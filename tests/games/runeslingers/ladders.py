"""Ladders on random positions, in the kernels and in the plain model at once: a card is slung, answered, answered again.

Both players hold cards with Shout and have the light for them; all is decided by chance, answers more often given than not, and
both sides are compared at every decision: where a rung is laid, before it resolves, after it.
"""

from collections import Counter
from random import Random

import numpy as np

from sim.engine.jit import Record, kernel
from sim.games.runeslingers.rules.playing import begin_card
from sim.games.runeslingers.state import Frame, Part, Phase
from tests.games.runeslingers.event_cards import event_document, shouts_often
from tests.games.runeslingers.model_playing import NONE
from tests.games.runeslingers.random_tables import Taste
from tests.games.runeslingers.streams import ASKED_MAX, CardFile, Stream, new_stream, work_off

TASTE = Taste(hand=(3, 8), concs=(3, 6), light=(1, 8), laid=0.35, shout=0.9)
ANSWERED = 0.85  # share of answers given where one can be
PLAYS = (1, 4)  # cards that the active player plays of a position
RUNGS = 6  # what is deeper is counted with these


@kernel
def begin_play(state: Record, cards: Record, rng: Record, seat: int, at: int) -> None:
    """RUNE-51. A card of the hand is played, out of turn if need be."""
    begin_card(state, seat, at)
    work_off(state, cards, rng)


class Ladder(Stream):
    """One random position, and cards that are played on it one after the other."""

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
        self.told.append(f"seat {seat} plays {self.table.card(player.hand[at])['id']}")
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
        """How high the ladder is: cards laid that wait for answers."""
        state = self.state
        depth = int(state["depth"])
        rungs = (state["frame"][:depth] == Frame.CARD) & (state["step"][:depth] >= Part.RESOLVE)
        self.seen[f"rung {min(RUNGS, int(rungs.sum()))}"] += 1


def ladder_files(seed: int, count: int) -> list[CardFile]:
    """Card files; two of three with decks of Shout cards only."""
    documents = [event_document(number) for number in range(seed, seed + count)]
    return [
        CardFile.of(shouts_often(document, Random(at)) if at % 3 else document) for at, document in enumerate(documents)
    ]


def ladders_alike(seed: int, ladders: int, files: int) -> Counter[str]:
    """Random ladders in both; what came up."""
    seen: Counter[str] = Counter()
    known, number = ladder_files(seed, files), 0
    while seen["ladders"] < ladders:
        where = f"position {number} of seed {seed}, card file {number % files}"
        stream = new_stream(known[number % files], seed * ladders + number, where, TASTE)
        ladder = Ladder(stream.file, stream.rng, stream.where, stream.table)
        ladder.run()
        ladder.compare_counts()
        ladder.seen["deepest"] = max(ladder.seen["deepest"] - seen["deepest"], 0)
        seen += ladder.seen
        for name in ("answers", "foiled", "slung"):
            seen[name] += sum(getattr(ladder.table.facts, name))
        number += 1
    return seen
