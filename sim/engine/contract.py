"""The contract of a game: the `Game` record (`game.py`), and the verbs by which generic code plays it.

A verb called with a game's state runs that game's kernel: compiled, the choice is made once by the type of the state
record; with the compiler off it is made by the dtype at each call. One table and one policy thus serve every game, and are
compiled once per game into the disk cache.
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
    """Make a game's kernels reachable by the verbs. Offering the same game twice changes nothing.

    Raises ValueError where two games share a state dtype, a verb has other parameters than its stub, or the state has no
    `turn`.
    """
    if _BY_DTYPE.get(game.state, game.verbs) != game.verbs:
        raise ValueError(f"game={game.name!r}: another game has the same state dtype; the verbs are told apart by it")
    if "turn" not in (game.state.names or ()):
        raise ValueError(f"game={game.name!r}: its state needs a field 'turn', the number of turns finished")
    if max(game.seats) > SEATS_MAX:
        raise ValueError(f"game={game.name!r}: seats={game.seats} must be at most {SEATS_MAX}")
    for verb in STUBS:
        wanted = list(inspect.signature(verb).parameters)
        played = getattr(game.verbs, verb.__name__)
        found = list(inspect.signature(getattr(played, "py_func", played)).parameters)
        if found != wanted:
            raise ValueError(f"game={game.name!r}: {verb.__name__}{tuple(found)} must take {tuple(wanted)}")
    if unknown := set(game.hidden) - set(game.state.names or ()):
        raise ValueError(f"game={game.name!r}: hidden={sorted(unknown)} are no fields of its state")
    _BY_DTYPE[game.state] = game.verbs
    _BY_TYPE[record_type(game.state)] = game.verbs
    source = inspect.getsourcefile(getattr(game.verbs.deal, "py_func", game.verbs.deal))
    if source:
        cover(Path(source).parent)
    return game


def _kernel_for(verb: str, state: Any) -> Any:
    """Find the kernel of a verb at compile time; None (numba then reports the type) if no game has such a state."""
    verbs = _BY_TYPE.get(state)
    return getattr(verbs, verb) if verbs else None


def deal(state: Record, cards: Record, lineup: np.ndarray, rng: Record) -> None:
    """Set up and deal. state: comes zeroed; lineup: entrants by seat, its length is the number of seats."""
    _BY_DTYPE[state.dtype].deal(state, cards, lineup, rng)


def current_player(state: Record) -> int:
    """Seat that must decide now."""
    return _BY_DTYPE[state.dtype].current_player(state)


def legal_actions(state: Record, cards: Record, out: np.ndarray) -> int:
    """Write the decisions open to that seat into `out`, in a fixed order; returns how many, at least 1."""
    return _BY_DTYPE[state.dtype].legal_actions(state, cards, out)


def apply_action(state: Record, cards: Record, action: int, rng: Record) -> None:
    """Carry one decision out, up to the next one."""
    _BY_DTYPE[state.dtype].apply_action(state, cards, action, rng)


def is_over(state: Record) -> bool:
    """Whether the game has ended by its rules."""
    return _BY_DTYPE[state.dtype].is_over(state)


def returns(state: Record, out: np.ndarray) -> None:
    """Share of the win by seat, summing to 1, or all 0 while nobody has won. out: float (SEATS_MAX,), overwritten."""
    _BY_DTYPE[state.dtype].returns(state, out)


def evaluate(state: Record, cards: Record, seat: int) -> float:
    """Estimate of a seat's winning chance, 0..1; exactly its share of the win when the game is over."""
    return _BY_DTYPE[state.dtype].evaluate(state, cards, seat)


def resample_hidden(state: Record, cards: Record, seat: int, rng: Record) -> None:
    """Re-sample what a seat cannot see, keeping all that it can. Nothing to do in a game of open information."""
    _BY_DTYPE[state.dtype].resample_hidden(state, cards, seat, rng)


def write_outcome(state: Record, outcome: Record) -> None:
    """Write the facts of a finished game. outcome: one OUTCOME record, overwritten."""
    _BY_DTYPE[state.dtype].write_outcome(state, outcome)


def is_truncated(state: Record) -> bool:
    """Whether a game that is over was stopped by a limit of its own, so that nobody has won and it counts for nobody."""
    return _BY_DTYPE[state.dtype].is_truncated(state)


def entrant_of(state: Record, seat: int, planned: int) -> int:
    """Whom a seat played in the end, where seats choose; planned: its entrant in the line-up, the answer elsewhere."""
    return _BY_DTYPE[state.dtype].entrant_of(state, seat, planned)


def first_of(state: Record, decided: int) -> int:
    """The seat that went first; decided: the seat that was first to decide, the answer elsewhere."""
    return _BY_DTYPE[state.dtype].first_of(state, decided)


def features(state: Record, cards: Record, seat: int) -> tuple[float, ...]:
    """What `evaluate` weighs of a position that is not over, from a seat's point of view: one number each, 1 or so in size."""
    found: tuple[float, ...] = _BY_DTYPE[state.dtype].features(state, cards, seat)
    return found


def resample_unseen(state: Record, cards: Record, rng: Record) -> None:
    """Re-sample what no player has seen yet, such as the order of the cards to be drawn, exactly as likely as it was."""
    _BY_DTYPE[state.dtype].resample_unseen(state, cards, rng)


def ablation_of(state: Record, cards: Record, action: int) -> int:
    """Number of the ability, card or rule, among the game's `ablatable`, that a decision would use; NOTHING for none."""
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
def _to_act(state):  # type: ignore[no-untyped-def]
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
def _standing(state, out):  # type: ignore[no-untyped-def]
    play = _kernel_for("returns", state)
    return play and (lambda state, out: play(state, out))


@overload(evaluate)
def _evaluate(state, cards, seat):  # type: ignore[no-untyped-def]
    play = _kernel_for("evaluate", state)
    return play and (lambda state, cards, seat: play(state, cards, seat))


@overload(resample_hidden)
def _redeal(state, cards, seat, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("resample_hidden", state)
    return play and (lambda state, cards, seat, rng: play(state, cards, seat, rng))


@overload(write_outcome)
def _write_outcome(state, outcome):  # type: ignore[no-untyped-def]
    play = _kernel_for("write_outcome", state)
    return play and (lambda state, outcome: play(state, outcome))


@overload(is_truncated)
def _is_capped(state):  # type: ignore[no-untyped-def]
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
def _stir(state, cards, rng):  # type: ignore[no-untyped-def]
    play = _kernel_for("resample_unseen", state)
    return play and (lambda state, cards, rng: play(state, cards, rng))


@overload(ablation_of)
def _uses(state, cards, action):  # type: ignore[no-untyped-def]
    play = _kernel_for("ablation_of", state)
    return play and (lambda state, cards, action: play(state, cards, action))
