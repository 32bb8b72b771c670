"""The slow plain-Python model of Runeslingers, straight from the register: a game that is asked and told."""

from typing import Any

from sim.games.runeslingers.state import DISTINCT, SEATS
from tests.games.runeslingers.model_table import COUNTED, Asking, Chance, GameOver, Question
from tests.games.runeslingers.model_turn import Turns

NAN = float("nan")


class Model(Turns):
    """A game that runs to the next decision with a choice, and waits there.

    After `turn_cap` turns it is over without a winner, and `over` stays False; likewise when a routine ends.
    """

    pending: Question | None = None

    def start(self, routine: Asking | None = None) -> "Model":
        """Run to the first decision. routine: the part of the game to be played, by default all of it."""
        self._routine = routine or self.whole_game()
        self._send(None)
        return self

    @property
    def codes(self) -> list[int]:
        """What may be decided now, ascending; nothing when all is over."""
        return self.pending.codes if self.pending is not None else []

    def apply(self, code: int) -> None:
        """Decide, and run to the next decision."""
        if code not in self.codes:
            raise ValueError(f"{code} is none of {self.codes}, {self.pending}")
        self._send(code)

    def _send(self, code: int | None) -> None:
        self.pending = None
        try:
            question = self._routine.send(code)
        except (GameOver, StopIteration):
            return
        if len(question.codes) < 2 or question.codes != sorted(set(question.codes)):
            raise ValueError(f"{question} is no question")
        self.pending = question

    def outcome(self) -> dict[str, Any]:
        """The OUTCOME record, as lists."""
        facts, seats = self.facts, range(SEATS)
        blocks = facts.blocks
        return {
            "turns": sum(player.own_turns for player in self.players),
            "cause": self.cause,
            "drawn_game": int(self.over and self.winner < 0),
            "chooser_won": int(self.winner >= 0 and self.winner == self.chooser),
            "went_first": [int(seat == self.first) for seat in seats],
            "chose": [int(seat == self.chooser) for seat in seats],
            "own_turns": [player.own_turns for player in self.players],
            "end_power": [player.power for player in self.players],
            "powers_lost": facts.powers_lost,
            "lost_turn": [facts.lost_turns(seat) for seat in seats],
            "drained": facts.drained,
            **{name: getattr(facts, name) for name in COUNTED},
            "prevented_a_block": [facts.prevented[seat] / blocks[seat] if blocks[seat] else NAN for seat in seats],
            "applied": facts.applied,
            "power_after": [facts.curve(seat, 0) for seat in seats],
            "life_after": [facts.curve(seat, 1) for seat in seats],
            "ailments_after": [facts.curve(seat, 2) for seat in seats],
            "drawn_turn": facts.drawn_turn,
            "played_turn": facts.played_turn,
            "drawn": facts.drawn,
            "plays": facts.plays,
            "stayed": [self._stayed(seat) for seat in seats],
        }

    def _stayed(self, seat: int) -> list[int]:
        player = self.players[seat]
        told = [0] * DISTINCT
        for inst in player.hand:
            told[player.slots_of.index(self.card_of[inst])] += 1
        return told


def new_game(document: dict[str, Any], decks: tuple[int, int], chance: Chance) -> Model:
    """A game from the start, at its first decision. decks: places in the file."""
    return Model(document, decks, chance).start()
