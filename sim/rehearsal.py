"""Play a game as plain Python, where mistakes are errors that compiled code makes in silence.

Compiled code reads and writes memory that is not its own if an index is too large, cuts a number that does not fit into a field,
and never stops if a game does not. Here each of these is a fault that names the line of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from sim.engine import contract
from sim.engine.cardfiles.paths import did_you_mean, locate, look_up
from sim.engine.cards import CardError, CardSet, changed, numeric_fields
from sim.engine.contract import Game
from sim.engine.dice import DICE, SEATS_MAX, Purpose, below, open_dice, turn_dice
from sim.engine.jit import KernelError, interpreted
from sim.engine.loop import DECISIONS_PER_TURN
from sim.engine.sources import place_of
from sim.experiments.experiment import Experiment
from sim.warmup import codes_of, functions_below

DECISIONS_MAX = 2000  # of a game that is played; later ones repeat what was seen
LOOK_EVERY = 25  # decisions after which all seats evaluate the position
SPARE = 64  # room for options beyond `options_max`, so that too many are counted before they overwrite other memory
SEED = 1
UNWRITTEN = -1.2345e300  # before a kernel writes to a list


class CheckedRecord:
    """One record for kernels that run as plain Python: its fields and their entries are checked when they are read or written.

    Signed integers are read as int64, the type that they have in compiled code.
    """

    def __init__(self, record: Any) -> None:
        self.record, self.dtype = record, record.dtype

    def __getitem__(self, field: str) -> Any:
        return _checked(self.record[self._known(field)])

    def __setitem__(self, field: str, value: Any) -> None:
        self.record[field] = _fitting(value, self.dtype[self._known(field)])

    def _known(self, field: str) -> str:
        names = [*(self.dtype.names or ())]
        if field not in names:
            raise ValueError(f"there is no field {field!r}; {did_you_mean(field, names)}")
        return field


class CheckedArray(np.ndarray):
    """A field of several entries; see `CheckedRecord`. An index must not count from the end, as -1 does."""

    def __getitem__(self, place: Any) -> Any:
        return _checked(super().__getitem__(_from_start(place)))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_from_start(place), _fitting(value, self.dtype))


def _checked(value: Any) -> Any:
    if isinstance(value, np.void):
        return CheckedRecord(value)
    if isinstance(value, np.ndarray):
        return value.view(CheckedArray)
    return np.int64(value) if isinstance(value, np.signedinteger) else value


def _from_start(place: Any) -> Any:
    """Return an index. Raises IndexError if it counts from the end, which is nearly always a -1 that stands for nothing."""
    for index in place if isinstance(place, tuple) else (place,):
        if isinstance(index, (int, np.integer)) and index < 0:
            raise IndexError(f"index {index} is negative; the first entry has the index 0")
    return place


def _fitting(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return what is written to a field. Raises OverflowError for a whole number out of its range."""
    if isinstance(value, CheckedRecord):
        return value.record
    if dtype.base.kind in "iu" and isinstance(value, (int, np.signedinteger)):
        span = np.iinfo(dtype.base)
        if not span.min <= value <= span.max:
            raise OverflowError(f"{value} does not fit into a field of type {dtype.base}, {span.min} to {span.max}")
    return value


def rehearse(game: Game, cards: CardSet, seats: int) -> list[str]:
    """Return what goes wrong in a random game that is played as plain Python; it ends with the first fault."""
    with interpreted():
        try:
            return [*_played(game, cards, seats)]
        except KernelError as error:
            return [str(error)]
        except Exception as error:  # in a kernel of the engine that a verb calls for the game
            return [f"{type(error).__name__}: {error}"]


def _played(game: Game, cards: CardSet, seats: int) -> Iterator[str]:
    experiment = Experiment(game.name, cards, seats, ("random",), 1, seed=SEED)  # type: ignore[arg-type]
    entrants = experiment.plan(0, 1)["entrant"][0, :seats].view(CheckedArray)
    raw, record, dice = np.zeros(1, game.state)[0], CheckedRecord(cards.record[0]), np.zeros(1, DICE)[0]
    state, rng = CheckedRecord(raw), CheckedRecord(dice)
    open_dice(dice, np.uint64(SEED), np.uint64(0), np.arange(SEATS_MAX, dtype=np.uint32))
    contract.deal(state, record, entrants, rng)
    if "seats" in game.state.fields and raw["seats"] != seats:  # type: ignore[operator] # a record has fields
        yield f"deal leaves seats = {raw['seats']}; it must write the number of seats, len(lineup)"
        return
    limit, turn, in_turn = game.turn_limit(cards), 0, 0
    for number in range(DECISIONS_MAX):
        is_over = _returned(game, "is_over", contract.is_over(state), "whether the game has ended")
        if is_over or raw["turn"] >= limit:
            break
        seat = _returned(game, "current_player", contract.current_player(state), "the seat that decides")
        if not 0 <= seat < seats:
            yield f"current_player is {seat} in turn {turn}; it must be a seat from 0 to {seats - 1}"
            return
        options = np.full(game.options_max + SPARE, -1, np.int32)
        listed = contract.legal_actions(state, record, options.view(CheckedArray))
        count = _returned(game, "legal_actions", listed, "how many actions it wrote")
        if not 1 <= count <= game.options_max:
            yield f"legal_actions lists {count} actions in turn {turn}; there must be 1 to options_max={game.options_max}"
            return
        if number % LOOK_EVERY == 0 and (faults := [*_look(game, raw, record, dice, seats)]):
            yield from faults[:1]
            return
        pick = below(rng, seat, Purpose.POLICY, count)
        contract.apply_action(state, record, int(options[pick]), rng)
        in_turn += 1
        if raw["turn"] != turn:
            turn, in_turn = int(raw["turn"]), 0
            turn_dice(dice, turn)
        if in_turn >= DECISIONS_PER_TURN:
            yield f"turn is still {turn} after {in_turn} decisions; apply_action must raise it, and is_over must end the game"
            return
    yield from [*_look(game, raw, record, dice, seats)][:1]
    if contract.is_over(state) and raw["turn"] == 0:
        yield "turn is 0 at the end of a game; apply_action must raise it at the end of each turn"


def _returned(game: Game, verb: str, value: Any, what: str) -> Any:
    """Return what a kernel of the game returned. Raises KernelError if that is nothing. what: it must return."""
    if value is None:
        raise KernelError(f"{verb} returns nothing; it must return {what}{place_of(getattr(game.verbs, verb))}")
    return value


def _look(game: Game, state: np.void, cards: CheckedRecord, dice: np.void, seats: int) -> Iterator[str]:
    """Evaluate a position for each seat, also with what it cannot see sampled again, and read the shares of the win.

    Yields what a kernel leaves unwritten.
    """
    shares = np.full(SEATS_MAX, UNWRITTEN)
    contract.returns(CheckedRecord(state), shares.view(CheckedArray))
    for place in np.flatnonzero(shares == UNWRITTEN):
        yield f"returns leaves out[{place}] unwritten; it must write all of `out`{place_of(game.verbs.returns)}"
    for seat in range(seats):
        copy, again = CheckedRecord(state.copy()), CheckedRecord(dice.copy())
        if not contract.is_over(copy):
            contract.resample_hidden(copy, cards, seat, again)
            contract.resample_unseen(copy, cards, again)
            if game.verbs.evaluate is contract.by_features:
                yield from _features(game, copy, cards, seat)
        _returned(game, "evaluate", contract.evaluate(copy, cards, seat), "a winning chance, from 0 to 1")


def _features(game: Game, state: CheckedRecord, cards: CheckedRecord, seat: int) -> Iterator[str]:
    """Yield the features of a position that are left unwritten, or are no numbers."""
    row = np.full(len(game.features), UNWRITTEN)
    contract.features(state, cards, seat, row.view(CheckedArray))
    for place, (name, value) in enumerate(zip(game.features, row, strict=True)):
        if value == UNWRITTEN:
            yield f"features does not write out[{place}], {name!r}{place_of(game.verbs.features)}"
        elif not np.isfinite(value):
            yield f"features writes {value:g} to out[{place}], {name!r}{place_of(game.verbs.features)}"


def unread(game: Game, cards: CardSet) -> Iterator[str]:
    """Yield the numbers of the card file that no kernel reads, so that changing them changes nothing."""
    read = {word for function in functions_below(vars(game.verbs).values()) for word in _words(function)}
    idle = {*(cards.record.dtype.names or ())} - read
    if not idle:
        return
    for field in numeric_fields(cards.document):
        other = _with_another_value(game, cards, field)
        if other is None or (game.turn_limit(other), game.seats_for(other)) != (game.turn_limit(cards), game.seats_for(cards)):
            continue
        before, after = cards.record[0], other.record[0]
        columns = {name for name in before.dtype.names or () if before[name].tobytes() != after[name].tobytes()}
        if columns and columns <= idle:
            names = " or ".join(map(repr, sorted(columns)))
            yield f"{field} has no effect: no kernel reads {names}; mark it `Apart` if only people or other code need it"


def _words(function: FunctionType) -> Iterator[str]:
    """Yield the texts in a kernel: its own, and those of the constants that it names."""
    closed = [cell.cell_contents for cell in function.__closure__ or ()]
    for code in codes_of(function):
        named = [function.__globals__.get(name) for name in code.co_names]
        for value in (*code.co_consts, *named, *closed):
            texts = value if isinstance(value, tuple) else (value,)
            yield from (text for text in texts if isinstance(text, str))


def _with_another_value(game: Game, cards: CardSet, field: str) -> CardSet | None:
    """The cards with a number raised or lowered by 1; None if both are refused."""
    _, value = look_up(cards.document, locate(cards.document, field))
    for step in (1, -1):
        try:
            return game.from_document(changed(cards.document, field, value + step))
        except CardError:
            continue
    return None
