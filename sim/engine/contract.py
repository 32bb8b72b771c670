"""The contract of a game: the `Game` record (`game.py`) and the verbs through which generic code plays it.

Calling a verb with a game's state runs that game's kernel. Compiled code selects the kernel once, by the type of the state
record; with the compiler off, each call selects it by dtype. The game loop and the policies therefore serve every game, and
are compiled once per game into the disk cache.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.dice import SEATS_MAX
from sim.engine.game import NOTHING, Game, Verbs
from sim.engine.jit import Record, cover, overload, record_type

__all__ = [
    "NOTHING",
    "STUBS",
    "Game",
    "Verbs",
    "ablation_of",
    "apply_action",
    "current_player",
    "deal",
    "entrant_of",
    "evaluate",
    "features",
    "first_of",
    "is_over",
    "is_truncated",
    "legal_actions",
    "offer",
    "resample_hidden",
    "resample_unseen",
    "returns",
    "write_outcome",
]

_BY_DTYPE: dict[np.dtype[Any], Verbs] = {}
_BY_TYPE: dict[Any, Verbs] = {}


def offer(game: Game) -> Game:
    """Register a game's kernels with the verbs. Registering the same game twice has no effect.

    Raises ValueError if two games share a state dtype, a verb's parameters differ from its stub's, or the state has no
    `turn`.
    """
    if _BY_DTYPE.get(game.state, game.verbs) != game.verbs:
        raise ValueError(f"game={game.name!r}: another game has the same state dtype, which must be unique")
    if "turn" not in (game.state.names or ()):
        raise ValueError(f"game={game.name!r}: its state needs a field 'turn', the number of turns finished")
    if max(game.seats) > SEATS_MAX:
        raise ValueError(f"game={game.name!r}: seats={game.seats} must be at most {SEATS_MAX}")
    for verb in STUBS:
        expected = list(inspect.signature(verb).parameters)
        game_kernel = getattr(game.verbs, verb.__name__)
        actual = list(inspect.signature(getattr(game_kernel, "py_func", game_kernel)).parameters)
        if actual != expected:
            raise ValueError(f"game={game.name!r}: {verb.__name__}{tuple(actual)} must take {tuple(expected)}")
    if unknown := set(game.hidden) - set(game.state.names or ()):
        raise ValueError(f"game={game.name!r}: hidden={sorted(unknown)} are not fields of its state")
    _BY_DTYPE[game.state] = game.verbs
    _BY_TYPE[record_type(game.state)] = game.verbs
    source = inspect.getsourcefile(getattr(game.verbs.deal, "py_func", game.verbs.deal))
    if source:
        cover(Path(source).parent)
    return game


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
    return _BY_DTYPE[state.dtype].evaluate(state, cards, seat)


def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Resample what a seat cannot see and keep what it can. Does nothing in games of perfect information."""
    _BY_DTYPE[state.dtype].resample_hidden(state, cards, seat, rng)


def write_outcome(state: Record, outcome: Record) -> None:
    """Write the outcome of a finished game. outcome: one OUTCOME record, overwritten."""
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


def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """Return the features that `evaluate` weights in an unfinished position, seen from a seat. Their size is about 1."""
    values: tuple[float, ...] = _BY_DTYPE[state.dtype].features(state, cards, seat)
    return values


def resample_unseen(state: Record, cards: Record, rng: Record) -> None:
    """Resample what no player has seen yet, such as the order of a draw pile, with its true probabilities."""
    _BY_DTYPE[state.dtype].resample_unseen(state, cards, rng)


def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Return the index in the game's `ablatable` of the ability, card or rule that an action uses, or NOTHING."""
    return _BY_DTYPE[state.dtype].ablation_of(state, cards, action)


STUBS = (
    *(deal, current_player, legal_actions, apply_action, is_over, returns, evaluate, resample_hidden, write_outcome),
    *(is_truncated, entrant_of, first_of, features, resample_unseen, ablation_of),
)


@overload(deal)
def _deal(state, cards, lineup, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("deal", state)
    return play and (lambda state, cards, lineup, rng: play(state, cards, lineup, rng))


@overload(current_player)
def _current_player(state):  # type: ignore[no-untyped-def]
    play = _kernel_for("current_player", state)
    return play and (lambda state: play(state))


@overload(legal_actions)
def _legal_actions(state, cards, out):  # type: ignore[no-untyped-def]
    play = _kernel_for("legal_actions", state)
    return play and (lambda state, cards, out: play(state, cards, out))


@overload(apply_action)
def _apply_action(state, cards, action, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("apply_action", state)
    return play and (lambda state, cards, action, rng: play(state, cards, action, rng))


@overload(is_over)
def _is_over(state):  # type: ignore[no-untyped-def]
    play = _kernel_for("is_over", state)
    return play and (lambda state: play(state))


@overload(returns)
def _returns(state, out):  # type: ignore[no-untyped-def]
    play = _kernel_for("returns", state)
    return play and (lambda state, out: play(state, out))


@overload(evaluate)
def _evaluate(state, cards, seat):  # type: ignore[no-untyped-def]
    play = _kernel_for("evaluate", state)
    return play and (lambda state, cards, seat: play(state, cards, seat))


@overload(resample_hidden)
def _resample_hidden(state, cards, seat, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("resample_hidden", state)
    return play and (lambda state, cards, seat, rng: play(state, cards, seat, rng))


@overload(write_outcome)
def _write_outcome(state, outcome):  # type: ignore[no-untyped-def]
    play = _kernel_for("write_outcome", state)
    return play and (lambda state, outcome: play(state, outcome))


@overload(is_truncated)
def _is_truncated(state):  # type: ignore[no-untyped-def]
    play = _kernel_for("is_truncated", state)
    return play and (lambda state: play(state))


@overload(entrant_of)
def _entrant_of(state, seat, planned):  # type: ignore[no-untyped-def]
    play = _kernel_for("entrant_of", state)
    return play and (lambda state, seat, planned: play(state, seat, planned))


@overload(first_of)
def _first_of(state, decided):  # type: ignore[no-untyped-def]
    play = _kernel_for("first_of", state)
    return play and (lambda state, decided: play(state, decided))


@overload(features)
def _features(state, cards, seat):  # type: ignore[no-untyped-def]
    play = _kernel_for("features", state)
    return play and (lambda state, cards, seat: play(state, cards, seat))


@overload(resample_unseen)
def _resample_unseen(state, cards, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("resample_unseen", state)
    return play and (lambda state, cards, rng: play(state, cards, rng))


@overload(ablation_of)
def _ablation_of(state, cards, action):  # type: ignore[no-untyped-def]
    play = _kernel_for("ablation_of", state)
    return play and (lambda state, cards, action: play(state, cards, action))
