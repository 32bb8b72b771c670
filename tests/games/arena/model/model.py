"""The Arena in plain Python, written rule by rule: slow, obvious, and without any code of the simulator.

A game is a generator that yields decisions and is sent their codes, so that the code follows the order of the rules.
Every decision is put to the caller, also one with a single option. Dice are asked from the caller's `dice`:
`dice.hits(seat, n)` and `dice.blocks(owner, n)` return successes among n >= 1 dice.
"""

from tests.games.arena.model.table import NO_SEAT, Decision, Flow
from tests.games.arena.model.turn import PASS, Turns, ability_code

__all__ = ["PASS", "Model", "ability_code"]


class Model(Turns):
    """One game, stepped decision by decision.

    document: a card file as `tomllib` returns it; heroes: card ids by seat; board: id, None for the rules' board.
    """

    def __init__(self, document: dict, heroes: list[str], board: str | None = None) -> None:
        super().__init__(document, heroes, board)
        self.decision = Decision("DEAL", NO_SEAT, [])
        self._flow: Flow | None = None

    # for the caller

    def deal(self, first: int, starts: list[int] | None = None) -> None:
        """Start the game. first: seat of the first player; starts: index in the board's starts by seat, only for `spread`."""
        self.first = self.active = first
        if self.rules["start_choice"] == "spread":
            places, n = self.board.starts, len(self.seats)
            spread = [i * len(places) // n for i in range(n)]
            if starts is None or sorted(starts) != spread:
                raise ValueError(f"starts={starts} must deal the start indices {spread} to the seats")
            self.positions = {seat: places[starts[seat]] for seat in self.seats}
        self._begin(self.game())

    @classmethod
    def at(cls, document: dict, position: dict) -> "Model":
        """A game from a position as `positions.py` makes it, in phase ABILITY or MOVE."""
        model = cls(document, position["heroes"], position.get("board"))
        model.positions = dict(position["positions"])
        model.owner |= position.get("owner", {})
        for name in ("marker", "protection", "slow", "rage", "place"):
            setattr(model, name, list(position.get(name, getattr(model, name))))
        model.turn = position.get("turn", 0)
        model.active = position["active"]
        model.first = position.get("first", 0)
        model._begin(model.turns(position.get("phase", "ABILITY")))
        return model

    def current_player(self) -> int:
        """Seat that must decide; -1 when the game is over."""
        return self.decision.seat

    @property
    def phase(self) -> str:
        """Name of the decision; OVER at the end, DEAL before deal()."""
        return self.decision.phase

    def options(self) -> list[int]:
        """Codes of the options, ascending; possibly only one."""
        return list(self.decision.options)

    def apply(self, code: int, dice: object = None) -> None:
        """Carry out one option up to the next decision; raises ValueError for a code that is no option."""
        if code not in self.decision.options:
            raise ValueError(f"code={code} is no option of {self.phase}: {self.decision.options}")
        self.dice = dice
        self._advance(code)

    def over(self) -> bool:
        """Whether the game has ended, won or truncated."""
        return self.finished

    def winner(self) -> int | None:
        """ARENA-81. Seat of the last hero standing; None during the game and in a truncated game."""
        return self.in_play()[0] if self.finished and len(self.in_play()) == 1 else None

    def truncated(self) -> bool:
        """ARENA-84. Whether the game was truncated after `turn_cap` turns."""
        return self.finished and len(self.in_play()) > 1

    def places(self) -> list[int]:
        """ARENA-82, 84. Place by seat; 0 for a hero still in play, also in a truncated game."""
        return list(self.place)

    def snapshot(self) -> dict:
        """Everything that can be compared, as plain values. Slow and protection of a hero that is out are given as 0."""
        standing = [seat in self.positions for seat in self.seats]
        return {
            "positions": dict(sorted(self.positions.items())),
            "owner": {piece: self.owner[piece] for piece in sorted(self.positions)},
            "marker": list(self.marker),
            "protection": [n if here else 0 for n, here in zip(self.protection, standing, strict=True)],
            "slow": [n if here else 0 for n, here in zip(self.slow, standing, strict=True)],
            "rage": list(self.rage),
            "pool": self.pool(),
            "places": self.places(),
            "falls": [tuple(fall) for fall in self.falls],
            "turn": self.turn,
            "active": self.active,
            "phase": self.phase,
            "current_player": self.current_player(),
        }

    def _begin(self, flow: Flow) -> None:
        self._flow = flow
        self._advance(None)

    def _advance(self, code: int | None) -> None:
        try:
            self.decision = self._flow.send(code)
        except StopIteration:
            self.decision = Decision("OVER", NO_SEAT, [])
