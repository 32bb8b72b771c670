"""The contract of a game: the `Game` record (`game.py`) and the verbs through which generic code plays it.

Calling a verb with a game's state runs that game's kernel. Compiled code selects the kernel once, by the type of the state
record; with the compiler off, each call selects it by dtype. The game loop and the policies therefore serve every game, and
are compiled once per game into the disk cache.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.evaluation import FEATURES_MAX, chance_of
from sim.engine.facts import copy_facts, offer_facts
from sim.engine.game import NOTHING, WANTED, Game, Verbs, no_features, nothing_hidden
from sim.engine.jit import COMPILED, Record, keep_with, kernel, record_type, scratch, verb
from sim.engine.sources import place_of
from sim.engine.trial import offer_mask, offer_trials
from sim.engine.words import PlainWords

__all__ = [
    "NOTHING",
    "STUBS",
    "WANTED",
    "Game",
    "Verbs",
    "ablation_of",
    "apply_action",
    "count_options",
    "current_player",
    "deal",
    "depends_on_hidden",
    "entrant_of",
    "evaluate",
    "evaluate_options",
    "evaluate_seats",
    "features",
    "first_of",
    "is_half_made",
    "is_over",
    "is_truncated",
    "legal_actions",
    "nth_option",
    "offer",
    "resample_hidden",
    "resample_unseen",
    "returns",
    "write_outcome",
]

_ROW = np.dtype([("row", np.float64, (FEATURES_MAX,))])
_BY_DTYPE: dict[np.dtype[Any], Verbs] = {}
_BY_TYPE: dict[Any, Verbs] = {}
_WRITERS: dict[Any, Any] = {}  # kernels of `write_outcome`, by the type of the state


def offer(game: Game) -> Game:
    """Register a game's kernels with the verbs; returns the game with all of them. Registering it twice has no effect.

    Raises ValueError if two games share a state dtype, a verb is no kernel or its parameters differ from its stub's, the state
    has no `turn`, or the records do not have a declared fact.
    """
    if game.verbs.evaluate is None:
        game = replace(game, verbs=replace(game.verbs, evaluate=_evaluate_of(game)))
    _check_record(game)
    _check_verbs(game)
    offer_facts(game.state, game.outcome, game.facts)
    _check_words(game)
    offer_trials(game.state, game.recorded, game.stacked)
    if game.unrated:
        offer_mask(game.state, game.recorded, game.unrated)
    _BY_DTYPE[game.state] = game.verbs
    _BY_TYPE[record_type(game.state)] = game.verbs
    _WRITERS[record_type(game.state)] = _writer(game.verbs.write_outcome)
    source = inspect.getsourcefile(getattr(game.verbs.deal, "py_func", game.verbs.deal))
    if source:
        keep_with(record_type(game.state), Path(source))
    return game


def _check_record(game: Game) -> None:
    """Raise ValueError unless the state, seats and features are as the engine needs them."""
    if _BY_DTYPE.get(game.state, game.verbs) != game.verbs:
        raise ValueError(f"game={game.name!r}: another game has the same state dtype, which must be unique; rename one field")
    if len(game.features) > FEATURES_MAX:
        raise ValueError(f"game={game.name!r}: {len(game.features)} features must be at most {FEATURES_MAX}")
    if "turn" not in (game.state.names or ()):
        raise ValueError(f"game={game.name!r}: its state needs a field 'turn', the number of turns finished")
    if max(game.seats) > SEATS_MAX:
        raise ValueError(f"game={game.name!r}: seats={game.seats} must be at most {SEATS_MAX}")


def _check_verbs(game: Game) -> None:
    """Raise ValueError for verbs that are no kernels or have other parameters than their stubs, and for wrong hidden fields."""
    for stub in STUBS:
        expected = list(inspect.signature(stub).parameters)
        game_kernel = getattr(game.verbs, stub.__name__)
        actual = list(inspect.signature(getattr(game_kernel, "py_func", game_kernel)).parameters)
        if actual != expected:
            raise ValueError(f"game={game.name!r}: {stub.__name__}{tuple(actual)} must take {tuple(expected)}")
        if COMPILED and not hasattr(game_kernel, "py_func"):
            raise ValueError(
                f"game={game.name!r}: {stub.__name__} must be a kernel; write @kit.kernel above it{place_of(game_kernel)}"
            )
    if game.hidden and game.verbs.resample_hidden is nothing_hidden:
        raise ValueError(f"game={game.name!r}: hidden={list(game.hidden)} needs a kernel resample_hidden, which resamples them")
    if unknown := set(game.hidden) - set(game.state.names or ()):
        raise ValueError(f"game={game.name!r}: hidden={sorted(unknown)} are not fields of its state")


def _check_words(game: Game) -> None:
    """Raise ValueError for declared words that name a field which the state does not have."""
    if isinstance(game.words, PlainWords):
        try:
            game.words.check(game.state)
        except ValueError as error:
            raise ValueError(f"game={game.name!r}: {error}") from None


def _evaluate_of(game: Game) -> Any:
    """Return the kernel `evaluate` of a game that has none. Raises ValueError if it has no features either."""
    if not game.features or game.verbs.features is no_features:
        raise ValueError(f"game={game.name!r}: needs a kernel evaluate, or a kernel features whose numbers `features` names")
    if "seats" not in (game.state.names or ()):
        raise ValueError(f"game={game.name!r}: without a kernel evaluate, its state needs a field 'seats', the number of seats")
    return by_features


def _kernel_for(verb: str, state: Any) -> Any:
    """Return the kernel of a verb at compile time; None if no game has this state (numba then reports the type)."""
    verbs = _BY_TYPE.get(state)
    return getattr(verbs, verb) if verbs else None


def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Set up and deal. state: zeroed by the caller; lineup: entrants by seat, one for each seat."""
    _BY_DTYPE[state.dtype].deal(state, cards, lineup, rng)


def current_player(state: Record) -> int:
    """Return the seat that decides now."""
    return _BY_DTYPE[state.dtype].current_player(state)


def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the current player's legal actions into `out`, in a fixed order; returns their number, at least 1."""
    return _BY_DTYPE[state.dtype].legal_actions(state, cards, out)


def count_options(state: Record, cards: Record, out: np.ndarray) -> int:
    """Return the number of legal actions, without writing them into `out` if the game can do without."""
    return _BY_DTYPE[state.dtype].count_options(state, cards, out)  # type: ignore[misc] # set by Verbs


def nth_option(state: Record, cards: Record, out: np.ndarray, n: int) -> int:
    """Return the legal action of number `n`. out: as `count_options` left it."""
    return _BY_DTYPE[state.dtype].nth_option(state, cards, out, n)


def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Apply one action and continue to the next decision."""
    _BY_DTYPE[state.dtype].apply_action(state, cards, action, rng)


def is_over(state: Record) -> bool:
    """Return whether the game has ended by its rules."""
    return _BY_DTYPE[state.dtype].is_over(state)


def returns(state: Record, out: np.ndarray) -> None:
    """Write the share of the win by seat, summing to 1, or all 0 while no seat has won. out: float (SEATS_MAX,), overwritten."""
    _BY_DTYPE[state.dtype].returns(state, out)


def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate a seat's winning chance, 0..1; exactly its share of the win when the game is over."""
    return _BY_DTYPE[state.dtype].evaluate(state, cards, seat)  # type: ignore[misc] # set by `offer`


def evaluate_options(state: Record, cards: Record, seat: int, options: np.ndarray, count: int, values: np.ndarray) -> bool:
    """Write a seat's winning chance after each option if the game can evaluate them together; returns whether it did.

    If some are left out, their values stay negative and the state stays as it was; else it is overwritten.
    For options that no chance follows, or whose exact mean over the chance is known.
    """
    return _BY_DTYPE[state.dtype].evaluate_options(state, cards, seat, options, count, values)


def evaluate_seats(state: Record, cards: Record, chances: np.ndarray) -> bool:
    """Write the winning chance of every seat whose entry is WANTED if the game can share work; returns whether it did."""
    return _BY_DTYPE[state.dtype].evaluate_seats(state, cards, chances)


def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Resample what a seat cannot see and keep what it can. Does nothing in games of perfect information."""
    _BY_DTYPE[state.dtype].resample_hidden(state, cards, seat, rng)


def depends_on_hidden(state: Record, after: Record, cards: Record, seat: int, shown: int) -> bool:
    """Return whether the way from `state` to `after`, its options or `evaluate` can depend on what `resample_hidden` changes.

    shown: by how much rng["shown"][seat] has grown on the way, if the game counts there what came to matter.
    """
    return _BY_DTYPE[state.dtype].depends_on_hidden(state, after, cards, seat, shown)


def is_half_made(state: Record) -> bool:
    """Return whether the decision at hand only continues a compound one, which `greedy` completes before it evaluates."""
    return _BY_DTYPE[state.dtype].is_half_made(state)


def write_outcome(state: Record, outcome: Record) -> None:
    """Write the outcome of a finished game: the facts that the state holds, then the derived ones. outcome: zeroed."""
    copy_facts(state, outcome)
    _BY_DTYPE[state.dtype].write_outcome(state, outcome)


def is_truncated(state: Record) -> bool:
    """Return whether a finished game was stopped by a limit of its own rules; it then counts for no seat."""
    return _BY_DTYPE[state.dtype].is_truncated(state)


def entrant_of(state: Record, seat: int, planned: int) -> int:
    """Return the entrant that a seat actually played. planned: its entrant in the line-up, returned if seats do not choose."""
    return _BY_DTYPE[state.dtype].entrant_of(state, seat, planned)


def first_of(state: Record, decided: int) -> int:
    """Return the seat that went first. decided: the seat that decided first, returned by default."""
    return _BY_DTYPE[state.dtype].first_of(state, decided)


def features(state: Record, cards: Record, seat: int, out: np.ndarray) -> None:
    """Write the features that `evaluate` weights in an unfinished position, seen from a seat. Their size is about 1."""
    _BY_DTYPE[state.dtype].features(state, cards, seat, out)


def resample_unseen(state: Record, cards: Record, rng: Record) -> None:
    """Resample what no player has seen yet, such as the order of a draw pile, with its true probabilities."""
    _BY_DTYPE[state.dtype].resample_unseen(state, cards, rng)


def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Return the index in the game's `ablatable` of the ability, card or rule that an action uses, or NOTHING."""
    return _BY_DTYPE[state.dtype].ablation_of(state, cards, action)


STUBS = (
    *(deal, current_player, legal_actions, apply_action, is_over, returns, evaluate, resample_hidden, write_outcome),
    *(is_truncated, entrant_of, first_of, features, resample_unseen, ablation_of),
    *(count_options, nth_option, evaluate_options, evaluate_seats, depends_on_hidden, is_half_made),
)


def _offer_verb(stub: Callable[..., Any]) -> None:
    verb(stub, lambda state: _kernel_for(stub.__name__, state))


for _stub in STUBS:
    if _stub is not write_outcome:
        _offer_verb(_stub)
verb(write_outcome, lambda state: _WRITERS.get(state))


@kernel
def by_features(state: Record, cards: Record, seat: int) -> float:
    """`evaluate` of a game without its own: the logistic model of its features; its share of the win when the game is over."""
    row = scratch(_ROW)["row"]
    if is_over(state):
        returns(state, row[:SEATS_MAX])
        return float(row[seat])
    weights = cards["weight"][state["seats"] - 1]
    features(state, cards, seat, row[: len(weights)])
    return chance_of(row[: len(weights)], weights)


def _writer(derived: Callable[..., None]) -> Any:
    """Return the kernel that writes all facts. derived: the game's kernel for those that its state does not hold."""

    @kernel
    def write(state: Record, outcome: Record) -> None:
        copy_facts(state, outcome)
        derived(state, outcome)

    return write
