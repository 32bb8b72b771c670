"""The only module that imports numba: decorators for kernels and verbs, and a disk cache that is never stale.

A kernel has two forms. Kernels that call it get its code unoptimised; LLVM optimises the whole of an entry point once, and no
kernel on its own as numba does, which takes a multiple of the time and keeps calls that could be inlined. A kernel called from
Python is compiled as an entry point of its own, on its first call. Only entry points are kept on disk.

numba's disk cache checks the file of a kernel only, not the functions that the kernel calls. Here code is kept in one folder
per game, named by a digest of the sources of the engine and of the game, wherever they lie: after any change of them, the kernels
of the game are compiled into a new folder, and those of other games are not. Kernels of a game must therefore call nothing
outside the game's package and the engine. Kernels of the engine are compiled for each game and kept with it. numba would also
keep an index of the signatures of a kernel, which needs a lock; here each signature has a file of its own, see `codecache`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import IntEnum
from pathlib import Path
from textwrap import shorten
from traceback import walk_tb
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, errors, types
from numba.core import config as numba_config
from numba.core import event as numba_event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, overload
from numba.np import numpy_support

from sim.engine.codecache import DIGITS, cache_home, is_saved, log, read_code, warn_unsaved, write_code

__all__ = [
    "COMPILED",
    "KernelError",
    "Record",
    "Run",
    "add_sources",
    "bit_count",
    "cache_folder",
    "compiling",
    "copied",
    "copy_bytes",
    "interpreted",
    "is_warm",
    "keep_with",
    "kernel",
    "lowest_bit",
    "note_warm",
    "overload",
    "record_type",
    "scratch",
    "sources_of",
    "verb",
    "without_lowest",
]

Record = Any  # one record of a structured array: np.void to Python, a pointer into the array to compiled code
SOURCES = Path(__file__).resolve().parents[1]
config: Any = numba_config  # Any, because numba sets its attributes at run time
types.Record.__repr__ = functools.cache(types.Record.__repr__)  # type: ignore[method-assign]  # numba asks in every pass
COMPILED = not config.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1: kernels are then plain Python functions

ENGINE = SOURCES / "engine"
_kernels: list[Any] = []
_games: dict[Any, Path] = {}  # where the sources of a game are, by the type of its state


def cache_folder(root: Path = ENGINE) -> Path | None:
    """Return the folder of compiled code of a game whose sources are below `root`, in the user's cache; None if there is none.

    Its name is a digest of these sources and the engine's, as they were when first asked for, the versions of Python, numba and
    NumPy, the processor, and bounds checking, because numba ignores `NUMBA_BOUNDSCHECK` on a cache hit.
    """
    home = cache_home()
    return home / _digest_of(root) if home else None


@functools.cache
def _digest_of(root: Path) -> str:
    digest = hashlib.sha256()
    digest.update(repr((sys.version_info[:3], numba.__version__, np.__version__)).encode())
    digest.update(repr((config.BOUNDSCHECK, binding.get_host_cpu_name())).encode())
    for sources in dict.fromkeys((ENGINE, root)):
        digest.update(sources.name.encode() + b"\0")
        add_sources(digest, sources)
    return digest.hexdigest()[:DIGITS]


def add_sources(digest: Any, root: Path) -> None:
    """Update a hashlib digest with the relative name and content of every source below a folder, or of a single source."""
    for source in [root] if root.is_file() else sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")


def root_of(source: Path) -> Path:
    """Return where the sources are on which the kernels of a file depend, besides the engine.

    The engine, the package of a built-in game, elsewhere the outermost package, or the file itself if it is in none.
    """
    if source.is_relative_to(SOURCES / "games"):
        return SOURCES.joinpath("games", source.relative_to(SOURCES / "games").parts[0])
    if source.is_relative_to(ENGINE):
        return ENGINE
    root = source
    while (root.parent / "__init__.py").exists():
        root = root.parent
    return root


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


class _Part(JITCodeLibrary):
    """Code of a kernel for the kernels that call it, which is optimised and translated to machine code with theirs.

    Only kernels can call it: an `overload` that does would be translated without what this kernel calls. Use `verb` there.
    """

    def finalize(self) -> None:
        """Declare the code complete."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - numba's parameter
        """Return 0: there is no machine code."""
        return 0

    @property
    def codegen(self) -> Any:
        """The object that numba asks to `set_env`, which needs the address of machine code."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing; kernels use no environment, as they call nothing of Python."""


class _Whole(JITCodeLibrary):
    """Code of an entry point and of all kernels below it."""

    def finalize(self) -> None:
        """Link the parts, optimise the whole and translate it."""
        self._linking_libraries = _callers_first(self)
        super().finalize()  # type: ignore[no-untyped-call]

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"  # nobody else calls it, so LLVM can change its interface or drop it once inlined
        super()._optimize_final_module()  # type: ignore[no-untyped-call]


def _callers_first(library: Any) -> list[Any]:
    """Libraries that one needs, directly or indirectly. Callers go first, since LLVM links only what is called already."""
    order: dict[Any, None] = {}

    def add(needed: list[Any]) -> None:
        for one in needed:
            if one not in order:
                add(one._linking_libraries if isinstance(one, _Part) else [])
                order[one] = None

    add(library._linking_libraries)
    return list(order)[::-1]


def _compiler(library: type[JITCodeLibrary]) -> type[Compiler]:
    """Return numba's compiler with another kind of code library."""

    class Collecting(Compiler):
        def __init__(self, typingctx: Any, targetctx: Any, _: Any, *rest: Any) -> None:
            code = library(targetctx.codegen(), "kernel")
            code.enable_object_caching()  # type: ignore[no-untyped-call]
            super().__init__(typingctx, targetctx, code, *rest)  # type: ignore[no-untyped-call]

    return Collecting


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}  # nothing is allocated: no references to count


class KernelError(ValueError):
    """A kernel that does not compile, or that fails as plain Python."""


_PLACE = re.compile(r"(?:During: .* at|.*Raised from) (?P<file>.+\.py) \((?P<line>\d+)\)")
_VERB = "in function 'verb.<locals>.Verb.generic'"  # what numba says of a verb whose kernel does not compile; its reasons follow
_REJECTED = "Rejected as the implementation raised a specific error:"
_NO_REASON = ("Failed in nopython mode", "TypingError: Failed in nopython mode", "- Resolution failure", "During:")
_ALLOCATION = ("Only accept returning of array", "NRT required")  # numba's words for a kernel that allocates
_RECORD = re.compile(r"Record\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)")  # a type with all of its fields
_LITERAL = re.compile(r"Literal\[\w+\]\((.*?)\)")  # a type of one value
_REASON_MAX = 300  # characters


def _in_short(message: str) -> str:
    """What numba says of a kernel: its innermost reason, and the innermost place, in the game's own sources if there is one."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    places = [(index, found) for index, line in enumerate(lines) if (found := _PLACE.fullmatch(line))]
    places = [(index, found) for index, found in places if "numba" not in Path(found["file"]).parts]
    innermost = places[0][0] + 1 if places else len(lines)
    lines = [line for line in _below_verbs(lines[:innermost]) if not line.startswith(_NO_REASON)]
    reason = lines[0] if lines else message
    if reason.endswith("found for signature:") and len(lines) > 1:
        reason = f"no implementation of {lines[1].removeprefix('>>> ')}"
    reason = _LITERAL.sub(r"\1", _RECORD.sub("Record", reason.partition(" Raised from ")[0]))
    of_game = [found for _, found in places if _is_of_game(found["file"])] or [found for _, found in places]
    place = f" ({of_game[0]['file']}, line {of_game[0]['line']})" if of_game else ""
    hint = "; kernels cannot make new arrays, lists or texts" if any(word in message for word in _ALLOCATION) else ""
    return f"{shorten(reason, _REASON_MAX, placeholder=' ...')}{place}{hint}"


def _below_verbs(lines: list[str]) -> list[str]:
    """What numba says of the innermost verb whose kernel does not compile; all lines if there is none."""
    verbs = [index for index, line in enumerate(lines) if _VERB in line]
    reasons = [index + 1 for index, line in enumerate(lines) if verbs and index > verbs[-1] and line == _REJECTED]
    return lines[reasons[0] :] if reasons else lines


def _is_of_game(file: str) -> bool:
    """Whether a source belongs to a game, not to the code around it."""
    source = Path(file).resolve()
    return source.is_relative_to(SOURCES / "games") or not source.is_relative_to(SOURCES)


_interpreted: ContextVar[bool] = ContextVar("interpreted", default=False)


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels that are called within this block as plain Python: slowly, and an error raises KernelError with its line."""
    before = _interpreted.set(True)
    try:
        yield
    finally:
        _interpreted.reset(before)


class _Kernel(CPUDispatcher):
    """A kernel as other kernels see it; called from Python, it is an entry point."""

    def __init__(self, py_func: Callable[..., Any], *_: Any) -> None:
        self.entry: Any = numba.njit(**_OPTIONS, pipeline_class=_compiler(_Whole))(py_func)
        alone = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(py_func, targetoptions=self.entry.targetoptions | alone, pipeline_class=_compiler(_Part))
        self.plain = _plain(py_func)

    def __call__(self, *values: Any) -> Any:
        """Run the kernel; signed integers of all sizes are passed as int64. Raises KernelError if it does not compile."""
        if _interpreted.get():
            return self.plain(*values)
        values = tuple([int(value) if isinstance(value, _SIGNED) else value for value in values])
        try:
            if not self.overloads and self.py_func.__name__ in self.py_func.__code__.co_names:
                # a recursive kernel calls this form, which numba does not compile while it compiles the entry point
                self.get_call_template(tuple(map(numba.typeof, values)), {})
            return self.entry(*values)
        except (errors.NumbaError, errors.UnsupportedBytecodeError) as error:
            raise KernelError(f"{self.py_func.__name__} does not compile: {_in_short(str(error))}") from error

    def prepare(self, *values: Any) -> None:
        """Compile the entry point for values of these types, unless it is in the cache, without running it."""
        self.entry.compile(tuple(map(numba.typeof, values)))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Take every signed integer as an int64 and every flag as a flag: one form serves fields of all sizes and constants."""
        return super().get_call_template(tuple(map(_widened, args)), kws)


def _widened(value: Any) -> Any:
    if isinstance(value, types.BooleanLiteral):
        return types.boolean
    if isinstance(value, types.Tuple | types.UniTuple):
        return types.BaseTuple.from_types([*map(_widened, value.types)])  # type: ignore[no-untyped-call]
    signed = isinstance(value, types.Integer) and value.signed  # type: ignore[attr-defined]
    return types.int64 if signed or isinstance(value, types.IntEnumMember) else value


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: cached on disk, without the interpreter lock, division as in NumPy.

    Kernels cannot allocate: no new arrays, and a slice is copied to another in a loop. Kernels of a notebook are not cached.
    """
    if not COMPILED:
        return _plain(function)
    compiled = _Kernel(function)
    if Path(function.__code__.co_filename).exists():  # not in a notebook
        compiled.entry._cache = _Cache(function)
    _kernels.append(compiled)
    return compiled


def _plain(function: Callable[..., Any]) -> Any:
    """Return a kernel as a Python function that passes no integer of less than 64 bits on: NumPy would calculate in its type.

    An error in a kernel of a game, or below it, raises KernelError with the innermost line of the game's own sources.
    """
    of_game = _is_of_game(function.__code__.co_filename)

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

    class Verb(AbstractTemplate):
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            """Signature of the kernel for arguments of these types."""
            self.kernel = kernel_of(args[0])
            return self.kernel and types.Dispatcher(self.kernel).get_call_type(self.context, args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            """What numba calls."""
            return self.kernel.get_overload(sig.args)

    infer_global(stub, types.Function(Verb))  # type: ignore[no-untyped-call]


def is_warm(state: np.dtype[Any], name: str) -> bool:
    """Return whether `note_warm` was called with this name for the game with this state, so that its code is in the cache."""
    if not COMPILED:
        return True
    folder = cache_folder(sources_of(state))
    return folder is not None and _mark(folder, name).exists()


def note_warm(state: np.dtype[Any], name: str) -> None:
    """Record in the cache that all code under this name has been compiled for the game with this state, if it was saved."""
    if not COMPILED:
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


class _Cache:
    """The disk cache of one kernel, in the place of numba's: a file for each signature."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._source = Path(function.__code__.co_filename).resolve()
        self.root = root_of(self._source)
        self.cache_path = str(cache_folder(self.root))  # also takes the digest while the sources are those that are imported

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature, or None."""
        target_context.refresh()
        file = self.file_of(sig, target_context.codegen())
        code = read_code(file) if file else None
        if file is None or code is None:
            return None
        with contextlib.suppress(OSError):
            os.utime(file.parents[1])  # for `prune`
        return CompileResult._rebuild(target_context, *pickle.loads(code))  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Save the code of a signature, unless it holds addresses of this process."""
        if compiled.library.has_dynamic_globals:
            log.warning("%s: uses a large global array, so that each command compiles it again", self._function.__qualname__)
        elif file := self.file_of(sig, compiled.codegen):
            write_code(file, dumps(compiled._reduce()))  # type: ignore[no-untyped-call]
        else:
            warn_unsaved(None, "no folder for it can be written")

    def file_of(self, sig: Any, codegen: Any) -> Path | None:
        """Path of the file for a signature; None if there is no folder for compiled code."""
        folder = cache_folder(self._owner_of(sig))
        if folder is None:
            return None
        code, cells = self._function.__code__, self._function.__closure__ or ()
        digest = hashlib.sha256(repr((sig, codegen.magic_tuple(), code.co_firstlineno)).encode())
        digest.update(code.co_code + dumps(tuple([cell.cell_contents for cell in cells])))  # type: ignore[no-untyped-call]
        package = "-".join(self._source.relative_to(self.root.parent).parent.parts) or self._source.stem
        name = re.sub("[<>]", "", f"{self._source.stem}.{self._function.__qualname__}")  # lambdas; Windows allows no <
        return folder / package / f"{name}-{digest.hexdigest()[:DIGITS]}.nbc"

    def _owner_of(self, sig: Any) -> Path:
        """Where the sources are with which code is kept: for a kernel of the engine, those of the game whose records it takes."""
        if self.root != ENGINE:
            return self.root
        return next(filter(None, map(_owner, sig)), ENGINE)


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


@overload(bit_count)
def _bit_count(word):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `bit_count`
    return lambda word: _ctpop(word)  # noqa: PLW0108 - numba needs a Python function


@overload(lowest_bit)
def _lowest_bit(word):  # type: ignore[no-untyped-def]  # noqa: ARG001 - the parameters of `lowest_bit`
    return lambda word: _cttz(word)  # noqa: PLW0108 - numba needs a Python function


def record_type(dtype: Any) -> Any:
    """Return the numba record type of a structured NumPy dtype."""
    return numpy_support.from_dtype(dtype)
