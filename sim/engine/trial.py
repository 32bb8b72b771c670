"""Copies of positions for looking ahead, without what only the outcome of a game needs.

Look-ahead copies the whole state for every option that it tries, which can cost as much as trying it. A game names the fields
that its rules and its evaluation never read, such as counts of what happened (`Game.recorded`), and fields that mean nothing
while another is 0, such as an empty stack (`Game.stacked`). In a copy, these hold what was there before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.engine.jit import Part, copy_parts, overload, parts, record_type

_MASKS: dict[np.dtype[Any], np.ndarray] = {}
_WORD = np.dtype(np.uint32)
GAP = 64  # bytes between two parts up to which they are copied as one


def offer_trials(state: np.dtype[Any], recorded: tuple[str, ...], stacked: tuple[str, tuple[str, ...]] | None) -> None:
    """Register what `copy_trial` copies. recorded, stacked: as in `Game`. Raises ValueError for fields that STATE lacks."""
    fields: Any = state.fields or {}
    count, above = stacked or ("", ())
    if unknown := ({*recorded, *above, count} - {""}) - set(fields):
        raise ValueError(f"{sorted(unknown)} are not fields of the state")
    kept = [fields[name] for name in fields if name not in {*recorded, *above}]
    guard = int(fields[count][1]) if stacked else -1
    parts[record_type(state)] = (*_runs(state, kept, -1), *_runs(state, [fields[name] for name in above], guard))


def _runs(state: np.dtype[Any], kept: list[Any], guard: int) -> list[Part]:
    """Return the bytes of some fields, as few runs."""
    wanted = np.zeros(state.itemsize, bool)
    for field in kept:
        wanted[field[1] : field[1] + field[0].itemsize] = True
    runs: list[Part] = []
    edges = np.flatnonzero(np.diff(wanted, prepend=False, append=False))
    for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        near = bool(runs) and begin - (runs[-1][0] + runs[-1][1]) <= GAP
        start = runs.pop()[0] if near else begin
        runs.append((start, end - start, guard))
    return runs


def offer_mask(state: np.dtype[Any], recorded: tuple[str, ...], unrated: tuple[str, ...]) -> None:
    """Register the bits that `evaluate` reads in a game whose plans often meet again. Raises ValueError for unknown fields."""
    fields: Any = state.fields or {}
    if unknown := {*unrated} - set(fields):
        raise ValueError(f"{sorted(unknown)} are not fields of the state")
    read = np.zeros(state.itemsize, np.uint8)
    for name, (dtype, begin, *_) in fields.items():
        if name not in {*recorded, *unrated}:
            read[begin : begin + dtype.itemsize] = 0xFF
    words = read.view(_WORD)
    _MASKS[state] = words[: np.flatnonzero(words)[-1] + 1]


def mask_of(state: np.dtype[Any]) -> np.ndarray:
    """Return the bits of a state that `evaluate` reads, as words up to the last one; none if the game does not declare them."""
    return _MASKS.get(state, np.zeros(0, _WORD))


def copy_trial(source: np.ndarray, at: int, target: np.ndarray, to: int) -> None:
    """Copy source[at] to target[to], without what a game leaves out. With the compiler off, everything is copied."""
    target[to] = source[at]


@overload(copy_trial)
def _copy_trial(source, at, target, to):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `copy_trial`
    return lambda source, at, target, to: copy_parts(source[at], target[to])
