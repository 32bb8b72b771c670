"""Decorators for kernels and verbs, which numba compiles; games import no numba.

This module uses what numba documents: `njit` and `numba.extending`. `numba_private` compiles faster and keeps code on disk, and
needs more. It is left out under `FAIRFIGHT_NUMBA=plain`, and where numba lacks what it needs: each process then compiles for
itself, the same bytes come out, and it takes longer.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import IntEnum
from pathlib import Path
from traceback import walk_tb
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, errors
from numba.core import event as numba_event
from numba.extending import intrinsic, overload, typeof_impl

from sim.engine.codecache import cache_folder, config, is_saved, log
from sim.engine.numba_messages import in_short
from sim.engine.sources import is_of_game, root_of

PLAIN = "plain"  # FAIRFIGHT_NUMBA: compile with what numba documents
private: Any = None  # the module with numba's private parts
if os.environ.get("FAIRFIGHT_NUMBA") != PLAIN:
    try:
        from sim.engine import numba_private as private
    except (ImportError, AttributeError) as error:
        log.warning("compiling takes longer, and each command compiles again, with this version of numba (%s)", error)

__all__ = [
    "COMPILED",
    "KEEPS_CODE",
    "KernelError",
    "Part",
    "Record",
    "Run",
    "bit_count",
    "compiling",
    "copied",
    "copy_bytes",
    "copy_parts",
    "inlined",
    "interpreted",
    "is_warm",
    "keep_with",
    "kernel",
    "lowest_bit",
    "note_warm",
    "nth_bit",
    "overload",
    "parts",
    "record_type",
    "scratch",
    "sources_of",
    "together",
    "unlikely",
    "verb",
    "without_lowest",
]

Record = Any  # one record of a structured array: np.void to Python, a pointer into the array to compiled code
COMPILED = not config.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1: kernels are then plain Python functions
KEEPS_CODE = private is not None  # whether compiled code is kept on disk

_kernels: list[Any] = []
_games: dict[Any, Path] = {}  # where the sources of a game are, by the type of its state


def keep_with(state: Any, source: Path) -> None:
    """Keep what the engine compiles for records of this numba type with the code of the game that `source` belongs to."""
    _games[state] = root_of(source.resolve())


def sources_of(state: np.dtype[Any]) -> Path:
    """Return where the sources of the game with this state are: a folder or a file. Raises KeyError for an unknown state."""
    return _games[record_type(state)]


def _owner(value: Any) -> Path | None:
    """Where the sources of the game are that has a record of a numba type, or an array or a tuple of them."""
    for kind in (value, getattr(value, "dtype", None)):
        if isinstance(kind, types.Record):
            return _games.get(kind)
    return next(filter(None, map(_owner, value.types)), None) if isinstance(value, types.BaseTuple) else None  # type: ignore[attr-defined]


_OPTIONS: Any = {"nogil": True, "error_model": "numpy"}


class KernelError(ValueError):
    """A kernel that does not compile, or that fails as plain Python."""


_interpreted: ContextVar[bool] = ContextVar("interpreted", default=False)


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels that are called within this block as plain Python: slowly, and an error raises KernelError with its line."""
    before = _interpreted.set(True)
    try:
        yield
    finally:
        _interpreted.reset(before)


class _Kernel:
    """A kernel. Called from Python, it is an entry point."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.plain = _plain(function)
        if private:
            self.entry, self.part = private.dispatchers(function, _OPTIONS, _owner)
        else:
            self.entry = self.part = numba.njit(**_OPTIONS)(function)

    def __call__(self, *values: Any) -> Any:
        """Run the kernel; signed integers of all sizes are passed as int64. Raises KernelError if it does not compile.

        Within `together`, compile it and return True.
        """
        if _interpreted.get():
            return self.plain(*values)
        values = tuple([int(value) if isinstance(value, _SIGNED) else value for value in values])
        try:
            if private and not self.part.overloads and self.py_func.__name__ in self.py_func.__code__.co_names:
                # a recursive kernel calls this form, which numba does not compile while it compiles the entry point
                self.part.get_call_template(tuple(map(numba.typeof, values)), {})
            if private and private.are_waiting():
                self.prepare(*values)
                return True
            return self.entry(*values)
        except (errors.NumbaError, errors.UnsupportedBytecodeError) as error:
            raise KernelError(f"{self.py_func.__name__} does not compile: {in_short(str(error))}") from error

    def prepare(self, *values: Any) -> None:
        """Compile the entry point for values of these types, unless it is in the cache, without running it."""
        signature = tuple(map(numba.typeof, values))
        if private and private.are_waiting():
            private.join(self.entry, signature, _OPTIONS)
        else:
            self.entry.compile(signature)

    def __reduce__(self) -> Any:
        """Pickle the function alone."""
        return kernel, (self.py_func,)


def together() -> contextlib.AbstractContextManager[None]:
    """Context that compiles the entry points called in it at once, see `numba_private.together`; plain code is run."""
    return private.together() if private else contextlib.nullcontext()


@typeof_impl.register(_Kernel)
def _type_of_kernel(called: _Kernel, _context: Any) -> Any:
    """To numba, a kernel is what other kernels call."""
    return numba.typeof(called.part)  # type: ignore[no-untyped-call]


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: cached on disk, without the interpreter lock, division as in NumPy.

    Kernels cannot allocate: no new arrays, and a slice is copied to another in a loop. Kernels of a notebook are not cached.
    """
    if not COMPILED:
        return _plain(function)
    compiled = _Kernel(function)
    _kernels.append(compiled)
    return compiled


def _plain(function: Callable[..., Any]) -> Any:
    """Return a kernel as a Python function that passes no integer of less than 64 bits on: NumPy would calculate in its type.

    An error in a kernel of a game, or below it, raises KernelError with the innermost line of the game's own sources.
    """
    of_game = is_of_game(function.__code__.co_filename)

    @functools.wraps(function)
    def call(*values: Any) -> Any:
        try:
            result = function(*[int(value) if type(value) in _NARROW else value for value in values])
        except Exception as error:
            if not of_game or isinstance(error, KernelError):
                raise
            raise KernelError(_failed(function, error)) from error
        return int(result) if type(result) in _NARROW else result

    return call


def _failed(function: Callable[..., Any], error: Exception) -> str:
    """An error of a kernel that runs as plain Python, with the innermost line of the sources that the kernel is from."""
    root = root_of(Path(function.__code__.co_filename).resolve())
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    file, line = [place for place in places if Path(place[0]).resolve().is_relative_to(root)][-1]
    return f"{function.__name__}: {type(error).__name__}: {error} ({file}, line {line})"


_NARROW = frozenset({np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32})
_SIGNED = (np.signedinteger, IntEnum)


def verb(stub: Callable[..., Any], kernel_of: Callable[[Any], Any]) -> None:
    """Let kernels call `stub`. kernel_of: the type of the first argument -> the kernel that they call instead, or None."""
    if private:
        private.verb(stub, kernel_of)
        return

    def chosen(*arguments: Any) -> Any:
        called = kernel_of(arguments[0])
        return called and called.py_func

    overload(stub, strict=False, jit_options=_OPTIONS)(chosen)


def is_warm(state: np.dtype[Any], name: str) -> bool:
    """Return whether `note_warm` was called with this name for the game with this state, so that its code is in the cache."""
    if not COMPILED:
        return True
    if not KEEPS_CODE:
        return False
    folder = cache_folder(sources_of(state))
    return folder is not None and _mark(folder, name).exists()


def note_warm(state: np.dtype[Any], name: str) -> None:
    """Record in the cache that all code under this name has been compiled for the game with this state, if it was saved."""
    if not COMPILED or not KEEPS_CODE:
        return
    folder = cache_folder(sources_of(state))
    if folder and is_saved(folder):
        with contextlib.suppress(OSError):  # the mark only avoids a progress bar
            folder.mkdir(parents=True, exist_ok=True)
            _mark(folder, name).touch()


def _mark(folder: Path, name: str) -> Path:
    return folder / f"{name}.warm"


class _CompileCounter(numba_event.Listener):
    """Count kernels as the compiler finishes them."""

    def __init__(self, watch: Callable[[int, int], None]) -> None:
        self._watch = watch
        self._done: set[Any] = set()

    def on_start(self, event: Any) -> None:
        """Do nothing; a kernel counts when it is finished."""

    def on_end(self, event: Any) -> None:
        """Count a kernel once for all its signatures."""
        self._done.add(event.data["dispatcher"].py_func)
        known = {compiled.py_func for compiled in _kernels}
        self._watch(len(self._done & known), len(known))


@contextlib.contextmanager
def compiling(watch: Callable[[int, int], None]) -> Iterator[None]:
    """Call watch(kernels compiled so far, kernels of the imported games) whenever the compiler finishes one.

    The first number can stay below the second: cached kernels are not compiled, and some kernels are not needed.
    """
    with numba_event.install_listener("numba:compile", _CompileCounter(watch)):
        yield


# Offset in one record, offset in another, number of bytes, and -1 or the offset in the first record of an int8 place p: the bytes
# then go p times their number further.
Run = tuple[int, int, int, int]
copied: dict[Any, tuple[Run, ...]] = {}  # what `copy_bytes` copies, by the type of the record it copies from


_BYTES = cgutils.int8_t.as_pointer()


def _copy_bytes(_typing: Any, source: Any, target: Any) -> Any:
    """Copy bytes from one record to another, as listed in `copied` for the type of the first. In kernels only."""
    runs = copied[source]

    def generate(context, builder, _signature, pointers):  # type: ignore[no-untyped-def]
        wide = context.get_value_type(types.intp)
        for begin, there, count, place in runs:
            here = cgutils.pointer_add(builder, pointers[0], begin)  # type: ignore[no-untyped-call]
            goal = cgutils.pointer_add(builder, pointers[1], there)  # type: ignore[no-untyped-call]
            if place >= 0:
                byte = builder.load(cgutils.pointer_add(builder, pointers[0], place, _BYTES))  # type: ignore[no-untyped-call]
                rows = builder.mul(builder.sext(byte, wide), context.get_constant(types.intp, count))
                goal = cgutils.pointer_add(builder, goal, rows)  # type: ignore[no-untyped-call]
            cgutils.raw_memcpy(builder, goal, here, context.get_constant(types.intp, count), 1)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(source, target), generate


copy_bytes: Any = intrinsic(_copy_bytes)

# Offset, number of bytes, and -1 or the offset of an int8 field: while it is 0, these bytes are left out.
Part = tuple[int, int, int]
parts: dict[Any, tuple[Part, ...]] = {}  # what `copy_parts` copies, by the type of both records


def _copy_parts(_typing: Any, source: Any, target: Any) -> Any:
    """Copy parts of a record to another of its type, as listed in `parts`. In kernels only."""

    def generate(context, builder, _signature, pointers):  # type: ignore[no-untyped-def]
        def copy(begin: int, count: int) -> None:
            here, goal = (cgutils.pointer_add(builder, pointer, begin) for pointer in pointers)  # type: ignore[no-untyped-call]
            cgutils.raw_memcpy(builder, goal, here, context.get_constant(types.intp, count), 1)  # type: ignore[no-untyped-call]

        for begin, count, guard in parts[source]:
            if guard < 0:
                copy(begin, count)
                continue
            byte = builder.load(cgutils.pointer_add(builder, pointers[0], guard, _BYTES))  # type: ignore[no-untyped-call]
            with builder.if_then(builder.icmp_signed("!=", byte, ir.Constant(byte.type, 0))):
                copy(begin, count)
        return context.get_dummy_value()

    return types.void(source, target), generate


copy_parts: Any = intrinsic(_copy_parts)


def scratch(dtype: np.dtype[Any]) -> Record:
    """Return a record for the rest of the calling kernel, on the stack. What was not written to it is undefined."""
    return np.zeros(1, dtype)[0]


def _stack_record(_typing: Any, dtype: Any) -> Any:
    record = dtype.dtype

    def generate(context, builder, _signature, _values):  # type: ignore[no-untyped-def]
        with builder.goto_entry_block():  # not `alloca_once`, which clears the record on every call
            room = builder.alloca(ir.ArrayType(ir.IntType(8), record.size))
        room.align = _ALIGNMENT
        return builder.bitcast(room, context.get_value_type(record))

    return record(dtype), generate


_ALIGNMENT = 32  # bytes
_scratch: Any = intrinsic(_stack_record)


@overload(scratch, inline="always")  # inlined, so that the record lives as long as the caller
def _scratch_in_kernels(dtype):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameter of `scratch`
    return lambda dtype: _scratch(dtype)  # noqa: PLW0108 - numba needs a Python function


_ONE = np.uint64(1)


def bit_count(word: np.uint64) -> int:
    """Return the number of bits set."""
    return int(word).bit_count()


def lowest_bit(word: np.uint64) -> int:
    """Return the number of the lowest bit set, 0..63. word: not 0."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel
def without_lowest(word: np.uint64) -> np.uint64:
    """Return a word without its lowest bit set."""
    return np.uint64(word & (word - _ONE))


def _bit_intrinsic(instruction: str) -> Any:
    """A processor instruction on an uint64 as numba's implementation of a function."""

    def of_word(_typing: Any, word: Any) -> Any:
        def generate(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
            return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1)) if instruction == "cttz" else builder.ctpop(values[0])

        return (types.int64(types.uint64), generate) if word == types.uint64 else None

    return intrinsic(of_word)


_ctpop, _cttz = _bit_intrinsic("ctpop"), _bit_intrinsic("cttz")


def nth_bit(word: np.uint64, n: int) -> int:
    """Return the number of the bit that has `n` lower bits set beside it. word: with more than `n` bits set."""
    for _ in range(n):
        word &= word - _ONE
    return lowest_bit(word)


def _deposits_bits() -> bool:
    """Whether compiled code is for this very processor, and that has PDEP as a fast instruction."""
    host = config.CPU_NAME is None and config.CPU_FEATURES is None
    return host and binding.get_host_cpu_features().get("bmi2", False) and binding.get_host_cpu_name() not in ("znver1", "znver2")


def _pdep(_typing: Any, value: Any, mask: Any) -> Any:
    """Processor instruction: place the lowest bits of a value where bits of the mask are set."""

    def generate(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
        wide = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(wide, (wide, wide)))
        return builder.call(pdep, values)

    return (types.uint64(types.uint64, types.uint64), generate) if value == mask == types.uint64 else None


_deposit: Any = intrinsic(_pdep)


@overload(nth_bit)
def _nth_bit(word, n):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `nth_bit`
    def clear_lower(word, n):  # type: ignore[no-untyped-def]
        for _ in range(n):
            word &= word - _ONE
        return _cttz(word)

    return (lambda word, n: _cttz(_deposit(_ONE << np.uint64(n), word))) if _deposits_bits() else clear_lower


@overload(bit_count)
def _bit_count(word):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `bit_count`
    return lambda word: _ctpop(word)  # noqa: PLW0108 - numba needs a Python function


@overload(lowest_bit)
def _lowest_bit(word):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `lowest_bit`
    return lambda word: _cttz(word)  # noqa: PLW0108 - numba needs a Python function


def unlikely(condition: bool) -> bool:
    """Return a condition that seldom holds: what hangs on it is kept apart, so that the rest is short enough to be inlined."""
    return condition


def _expect_false(_typing: Any, _condition: Any) -> Any:
    def generate(_context, builder, _signature, values):  # type: ignore[no-untyped-def]
        flag = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", (flag,), ir.FunctionType(flag, (flag, flag)))
        return builder.call(expect, (values[0], flag(0)))

    return types.boolean(types.boolean), generate


_unlikely: Any = intrinsic(_expect_false)


@overload(unlikely, inline="always")  # inlined, as the hint is for a branch of the caller
def _unlikely_in_kernels(condition):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameter of `unlikely`
    return lambda condition: _unlikely(condition)  # noqa: PLW0108 - numba needs a Python function


def inlined() -> None:
    """Have the calling kernel inlined wherever it is called: for short kernels, and for long ones of a hot path."""


def _always_inline(_typing: Any) -> Any:
    def generate(context, builder, _signature, _values):  # type: ignore[no-untyped-def]
        builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return types.void(), generate


_inlined: Any = intrinsic(_always_inline)


@overload(inlined, inline="always")  # inlined, as the attribute is for the caller
def _inlined_in_kernels():  # type: ignore[no-untyped-def]
    return lambda: _inlined()  # noqa: PLW0108 - numba needs a Python function


def record_type(dtype: Any) -> Any:
    """Return the numba record type of a structured NumPy dtype."""
    return numba.from_dtype(dtype)
