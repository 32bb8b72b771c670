"""Check that a game keeps the contract of all games, by playing it: for the author of a game, and for its tests.

from sim.check import faults
assert faults(GAME) == []
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from sim.engine import contract
from sim.engine.cardfiles.paths import did_you_mean
from sim.engine.cards import CardSet
from sim.engine.contract import Game
from sim.engine.dice import DICE, SEATS_MAX, open_dice
from sim.engine.jit import interpreted
from sim.engine.loop import Status
from sim.engine.policies import PolicySpec
from sim.engine.questions import Ask, mistakes_in
from sim.engine.story import events
from sim.engine.words import PlainWords
from sim.experiments.experiment import Experiment
from sim.registry import GAMES, described, register
from sim.rehearsal import SPARE, rehearse, unread
from sim.run import ContractError, Replay, replay

GAMES_PLAYED = 4  # for each number of seats
POSITIONS = 25  # examined of each game


LENGTH = "length"  # of a game in turns, which every game has as a fact


def faults(game: Game) -> list[str]:
    """Return what is wrong with a game, one line each; an empty list if nothing is.

    Plays a game for each number of seats with the reference cards as plain Python, and if that finds nothing, a few random games
    with compiled code, and examines their positions. Registers the game if it is not known. Raises ValueError if it cannot be
    registered, CardError for an invalid reference set, and KernelError for kernels that do not compile.
    """
    before = GAMES.get(game.name)
    whole = register(game)
    cards = game.load(None)
    numbers_of_seats = game.seats_for(cards)
    for seats in numbers_of_seats:
        if found := [f"at {seats} seats: {fault}" for fault in rehearse(whole, cards, seats)]:
            register(before or game)
            return found
    register(replace(game, options_max=game.options_max + SPARE))
    try:
        found = [*_declared(game, cards), *unread(whole, cards)]
        for seats in numbers_of_seats:
            found += [f"at {seats} seats: {fault}" for fault in _played(GAMES[game.name], game.options_max, cards, seats)]
    except ContractError as error:
        found.append(str(error))
    finally:
        register(before or game)
    return [*dict.fromkeys(found)]


def _declared(game: Game, cards: CardSet) -> Iterator[str]:
    """Faults of what a game declares."""
    yield from mistakes_in(game.questions)
    measures = [*(measure.field for measure in game.measures_for(cards)), LENGTH]
    for question in game.questions:
        names = question.arguments.get("facts", ()) if isinstance(question, Ask) else question.measures
        if isinstance(names, str):
            yield f"question {question.id!r}: facts = {names!r} must be a list, such as [{names!r}]"
            continue
        for name in names:
            if name not in measures:
                yield f"question {question.id!r}: {name!r} is not a fact with a label; {did_you_mean(name, measures)}"
    weights = cards.record["weight"].shape[-1] if "weight" in (cards.record.dtype.names or ()) else 0
    if weights != len(game.features):
        yield f"the cards have weights for {weights} features, the game names {len(game.features)}"


def _played(game: Game, options_max: int, cards: CardSet, seats: int) -> Iterator[str]:
    """Faults that show in random games of a number of seats."""
    experiment = Experiment(game.name, cards, seats, (PolicySpec.parse("random"),), GAMES_PLAYED, seed=1)
    games = [replay(experiment, index) for index in range(GAMES_PLAYED)]
    if replay(experiment, 0).positions.tobytes() != games[0].positions.tobytes():
        yield "the same game is played differently a second time; all chance must come from `rng`"
    if all(log.rows["status"][0] != Status.FINISHED for log in games):
        yield f"none of {GAMES_PLAYED} random games ended within {game.turn_limit(cards)} turns"
        return
    for log in games:
        yield from _ended(log, cards, seats)
        yield from _story(game, cards, log)
        decided = np.flatnonzero(log.moves["action"] >= 0)
        for line in decided[:: max(1, len(decided) // POSITIONS)]:
            yield from _position(game, options_max, cards, seats, log.positions[line])


def _ended(log: Replay, cards: CardSet, seats: int) -> Iterator[str]:
    """Faults of the end of a game."""
    state = log.positions[-1]
    if log.rows["status"][0] != Status.FINISHED:
        return
    shares = np.full(SEATS_MAX, -1.0)
    contract.returns(state, shares)
    total = shares[:seats].sum()
    if (shares < 0).any() or shares[seats:].any() or (abs(total - 1) > 1e-9 and total != 0 and seats > 1):
        yield f"returns wrote {shares.tolist()}; it must write all of `out`: shares that sum to 1, or 0 if no seat has won"
    for seat in range(seats):
        value = contract.evaluate(state, cards.record[0], seat)
        if abs(value - shares[seat]) > 1e-9:
            yield f"evaluate gives seat {seat} {value:g} at the end of a game whose returns are {shares[seat]:g}"


def _position(game: Game, options_max: int, cards: CardSet, seats: int, state: Any) -> Iterator[str]:
    """Faults of a position in which a seat decides."""
    record, before, shares = cards.record[0], state.tobytes(), np.full(SEATS_MAX, -1.0)
    out = np.full(game.options_max, -1, np.int32)
    count = int(contract.legal_actions(state, record, out))
    options = out[:count].tolist()
    if not 1 <= count <= options_max:
        yield f"legal_actions lists {count} actions; there must be 1 to options_max={options_max}"
    if len({*options}) < count:
        yield f"legal_actions lists an action twice: {options}"
    if not 0 <= contract.current_player(state) < seats:
        yield f"current_player is {contract.current_player(state)}; it must be a seat from 0 to {seats - 1}"
    contract.returns(state, shares)
    if shares[:seats].any():
        yield f"returns wrote {shares[:seats].tolist()} before the end; it must write 0"
    for seat in range(seats):
        if not 0 <= (value := contract.evaluate(state, record, seat)) <= 1:
            yield f"evaluate gives seat {seat} {value:g}; it must be a chance, from 0 to 1"
    if state.tobytes() != before:
        yield "legal_actions, current_player, returns or evaluate change the state; only apply_action can"
    yield from _hidden(game, cards, seats, state)
    yield from _applied(cards, state, options)
    try:
        yield from _described(game, cards, state, options)
    except Exception as error:  # whatever goes wrong in the code of a game is its fault
        yield f"words: {_error_words(game, error)}"


def _applied(cards: CardSet, state: Any, options: list[int]) -> Iterator[str]:
    """Faults of `apply_action`."""
    for action in options:
        after = state.copy()
        contract.apply_action(after, cards.record[0], action, _dice())
        if after.tobytes() == state.tobytes():
            yield f"apply_action({action}) changes nothing"
        if after["turn"] < state["turn"]:
            yield f"apply_action({action}) lowers the field turn"


def _hidden(game: Game, cards: CardSet, seats: int, state: Any) -> Iterator[str]:
    """Faults of `resample_hidden`."""
    for seat in range(seats):
        sampled = state.copy()
        contract.resample_hidden(sampled, cards.record[0], seat, _dice())
        for field in state.dtype.names:
            if field not in game.hidden and sampled[field].tobytes() != state[field].tobytes():
                yield f"resample_hidden changes {field!r}, which `hidden` does not list"


def _described(game: Game, cards: CardSet, state: Any, options: list[int]) -> Iterator[str]:
    """Faults of a position and its decisions in words."""
    words = [game.words.action(state, cards, action) for action in options]
    if len({*words}) < len(words):
        yield f"two decisions have the same words: {words}"
    position, placed = game.words.position(state, cards), np.zeros(1, game.state)[0]
    try:
        game.words.place(position, cards, placed)
    except ValueError as error:
        yield f"a position of play is refused when it is placed again: {error}"
        return
    for field in state.dtype.names:
        if field in ("turn", "seats") and placed[field] != state[field]:
            yield f"a position that is placed again has another {field}: {placed[field]}, not {state[field]}"
    if game.words.position(placed, cards) != position:
        yield "a position that is placed again reads differently"
    if contract.current_player(placed) != contract.current_player(state):
        yield "in a position that is placed again, another seat decides: the position lacks a field of the state"


def _story(game: Game, cards: CardSet, log: Replay) -> Iterator[str]:
    """Faults of what replays report of a game."""
    words: Any = game.words
    reports: dict[str, Callable[..., list[str]]] = {"words.events": words.events}
    if isinstance(words, PlainWords):
        reports = {_name_of(part): partial(events, parts=(part,)) for part in words.parts}
    for name, report in reports.items():
        try:
            with interpreted():
                for before, after in pairwise(log.positions):
                    report(before, after, cards)
        except Exception as error:  # as above
            yield f"{name}: {_error_words(game, error)}"


def _name_of(part: Any) -> str:
    """A part of a story as its author wrote it: `story: Value('health')`, or the name of a function."""
    field = f"({part.field!r})" if hasattr(part, "field") else ""
    return f"story: {getattr(part, '__name__', type(part).__name__)}{field}"


def _error_words(game: Game, error: Exception) -> str:
    """An error in the code of a game, with its line."""
    return described(error, inspect.unwrap(game.verbs.deal).__module__.partition(".")[0])


def _dice() -> Any:
    """New dice of a game."""
    dice = np.zeros(1, DICE)
    open_dice(dice[0], np.uint64(1), np.uint64(0), np.arange(SEATS_MAX, dtype=np.uint32))
    return dice[0]
