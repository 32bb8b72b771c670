"""Faster compilation and a disk cache that is never stale, with private parts of numba; `README.md` lists them.

A kernel has two forms. Kernels that call it get its code unoptimised; LLVM optimises the whole of an entry point once, and no
kernel on its own as numba does, which takes a multiple of the time and keeps calls that could be inlined. A kernel called from
Python is compiled as an entry point of its own, on its first call. Only entry points are kept on disk.

numba's disk cache checks the file of a kernel only, not the functions that the kernel calls. Here code is kept in one folder
per game, see `codecache`. numba would also keep an index of the signatures of a kernel, which needs a lock; here each signature
has a file of its own.

Importing this module raises ImportError if numba has no such parts; `jit` then compiles without it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.serialize import dumps
from numba.core.typing.templates import AbstractTemplate, infer_global

from sim.engine.codecache import DIGITS, cache_folder, config, log, processor, read_code, set_aside, warn_unsaved, write_code
from sim.engine.sources import ENGINE, root_of

PRIVATE = {  # attributes of classes, and those that their __init__ sets
    "numba.core.codegen:JITCodeLibrary": (
        "add_ir_module",
        "finalize",
        "get_pointer_to_function",
        "enable_object_caching",
        "has_dynamic_globals",
        "_finalized",
        "_optimize_final_module",
    ),
    "numba.core.codegen:CPUCodeLibrary": ("_final_module", "_linking_libraries"),
    "numba.core.compiler:CompileResult": ("_reduce", "_rebuild"),
    "numba.core.cpu:CPUTargetOptions": ("_nrt", "no_cpython_wrapper", "no_cfunc_wrapper"),
    "numba.core.dispatcher:Dispatcher": ("_cache", "get_call_template", "get_overload"),
    "numba.core.typing.templates:AbstractTemplate": ("get_impl_key",),
}


def missing_names() -> list[str]:
    """Return the private names of numba that this version does not have."""
    return [
        f"{owner.partition(':')[2]}.{name}"
        for owner, names in PRIVATE.items()
        for name in names
        if not _has(resolve_name(owner), name)
    ]


def _has(owner: Any, name: str) -> bool:
    """Whether a class has an attribute, or its __init__ sets it."""
    code = getattr(owner.__init__, "__code__", None)
    return hasattr(owner, name) or (code is not None and name in code.co_names)


if missing := missing_names():
    raise ImportError(f"numba {numba.__version__} has no {', '.join(missing)}")


class _Code(JITCodeLibrary):
    """Code that is optimised only when it is linked."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code as it is. numba would run LLVM's passes for functions on it, which the passes for the whole include."""
        text = cgutils.normalize_ir_text(str(ir_module))  # type: ignore[no-untyped-call]
        self._final_module.link_in(binding.parse_assembly(text))


class _Part(_Code):
    """Code of a kernel for the kernels that call it, which is optimised and translated to machine code with theirs.

    Only kernels can call it: an `overload` that does would be translated without what this kernel calls. Use `verb` there.
    """

    def finalize(self) -> None:
        """Declare the code complete."""
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


class _Whole(_Code):
    """Code of an entry point, or of several, and of all kernels below."""

    def finalize(self) -> None:
        """Link the parts, optimise the whole and translate it."""
        self._linking_libraries = _callers_first(self)
        super().finalize()  # type: ignore[no-untyped-call]

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not (function.is_declaration or function.name.startswith(_WRAPPER)):
                function.linkage = "internal"  # nobody else calls it, so LLVM can change its interface or drop it once inlined
        # numba would first run passes that prepare code for counting references; without them, the Arena plays 15 % faster
        tuning = binding.create_pipeline_tuning_options(speed_level=config.OPT)
        tuning.loop_vectorization, tuning.slp_vectorization = bool(config.LOOP_VECTORIZE), bool(config.SLP_VECTORIZE)
        passes = binding.create_pass_builder(_target_machine(), tuning)
        passes.getModulePassManager().run(self._final_module, passes)


@functools.cache
def _target_machine() -> Any:
    name, features = processor()
    return binding.Target.from_default_triple().create_target_machine(cpu=name, features=features, opt=config.OPT)


_WRAPPER = "_ZN7cpython"  # begins the name of the function through which Python calls an entry point


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


_Waiting = dict[tuple[Any, tuple[Any, ...]], Any]  # compilation results by dispatcher and signature
_waiting: ContextVar[_Waiting | None] = ContextVar("waiting", default=None)  # entry points of the block of `together`


def are_waiting() -> bool:
    """Whether this is within `together`."""
    return _waiting.get() is not None


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Compile the entry points that join in this block as one module.

    They share most of the kernels below them, which LLVM then optimises and translates once. After an error none is compiled.
    """
    waiting: _Waiting = {}
    before = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(before)
    for entry, _ in [*waiting][:1]:
        entry._cache.unlinked = waiting
    for entry, signature in waiting:
        entry.compile(signature)  # asks `load_overload` for the code, and numba holds its lock of the compiler


def join(entry: Any, signature: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Compile an entry point within `together`. options: of its dispatcher."""
    waiting = _waiting.get()
    if waiting is None or not isinstance(entry._cache, _Cache):  # the latter: of a notebook
        entry.compile(signature)
    elif signature not in entry.overloads and (entry, signature) not in waiting:
        apart: Any = numba.njit(**options | _NO_REFERENCES, pipeline_class=_compiler(_Part))(entry.py_func)
        apart.compile(signature)
        waiting[entry, signature] = apart.overloads[signature]


def _link(waiting: _Waiting) -> None:
    """Make one module of entry points and save it, and let their caches return it."""
    context = next(iter(waiting.values())).target_context
    module = _Whole(context.codegen(), "entries")  # type: ignore[no-untyped-call]
    module.enable_object_caching()  # type: ignore[no-untyped-call]
    for compiled in waiting.values():
        module._final_module.link_in(compiled.library._final_module, preserve=True)  # nothing calls it: a part would be left out
        module.add_linking_library(compiled.library)  # type: ignore[no-untyped-call]
    module.finalize()
    code, files = b"", {}
    for (entry, signature), compiled in waiting.items():
        library, *others = compiled._replace(library=module)._reduce()
        code = code or dumps(library)  # type: ignore[no-untyped-call]
        entry._cache.linked[signature] = _rebuilt(context, module, others)
        if file := entry._cache.file_to_save(signature, module):
            files[file] = dumps((_name_of(code), *others))  # type: ignore[no-untyped-call]
    for folder in {file.parents[1] for file in files}:
        write_code(_file_of_module(folder, _name_of(code)), code)
    for file, entry_point in files.items():
        write_code(file, entry_point)


def _name_of(code: bytes) -> str:
    return hashlib.sha256(code).hexdigest()[:DIGITS]


def _file_of_module(folder: Path, name: str) -> Path:
    """Path of the code of several entry points. folder: of compiled code of their game."""
    return folder / "modules" / f"{name}.nbc"


_modules: dict[Path, Any] = {}  # libraries that this process loaded


def _module_in(file: Path, context: Any) -> Any:
    """Return the library in a file, which is loaded once; None if there is none."""
    if file not in _modules and (code := read_code(file)) is not None:
        _modules[file] = context.codegen().unserialize_library(pickle.loads(code))
    return _modules.get(file)


def _rebuilt(context: Any, library: Any, others: Sequence[Any]) -> Any:
    """Return the compilation result of an entry point whose code is in a library. others: what it was reduced to besides."""
    return CompileResult._rebuild(_Loaded(context, library), None, *others)  # type: ignore[no-untyped-call]


class _Loaded:
    """A target context of numba whose codegen has loaded the library that it is asked for."""

    def __init__(self, context: Any, library: Any) -> None:
        self._context, self._library = context, library

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def codegen(self) -> Any:
        """What numba asks for the library."""
        return self

    def unserialize_library(self, _: Any) -> Any:
        """Return the library."""
        return self._library


def _compiler(library: type[JITCodeLibrary]) -> type[Compiler]:
    """Return numba's compiler with another kind of code library."""

    class Collecting(Compiler):
        def __init__(self, typingctx: Any, targetctx: Any, _: Any, *rest: Any) -> None:
            code = library(targetctx.codegen(), "kernel")
            code.enable_object_caching()  # type: ignore[no-untyped-call]
            super().__init__(typingctx, targetctx, code, *rest)  # type: ignore[no-untyped-call]

    return Collecting


_NO_REFERENCES = {"_nrt": False}  # nothing is allocated: no references to count


def dispatchers(function: Callable[..., Any], options: dict[str, Any], owner_of: Callable[[Any], Path | None]) -> tuple[Any, Any]:
    """Return numba's dispatchers of a kernel: as an entry point, and as other kernels call it.

    owner_of: where the sources of the game are that has records of a numba type, if it is known.
    """
    options = options | _NO_REFERENCES
    entry: Any = numba.njit(**options, pipeline_class=_compiler(_Whole))(function)
    if Path(function.__code__.co_filename).exists():  # not in a notebook
        entry._cache = _Cache(function, owner_of)
    alone = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Any = numba.njit(**options | alone, pipeline_class=_compiler(_Part))(function)
    call_template = part.get_call_template
    part.get_call_template = lambda args, kws: call_template(tuple(map(_widened, args)), kws)
    return entry, part


def _widened(value: Any) -> Any:
    """Take every signed integer as an int64 and every flag as a flag: one form serves fields of all sizes and constants."""
    if isinstance(value, types.BooleanLiteral):
        return types.boolean
    if isinstance(value, types.Tuple | types.UniTuple):
        return types.BaseTuple.from_types([*map(_widened, value.types)])  # type: ignore[no-untyped-call]
    signed = isinstance(value, types.Integer) and value.signed  # type: ignore[attr-defined]
    return types.int64 if signed or isinstance(value, types.IntEnumMember) else value


def verb(stub: Callable[..., Any], kernel_of: Callable[[Any], Any]) -> None:
    """Let kernels call `stub`. kernel_of: the type of the first argument -> the kernel that they call instead, or None."""

    class Verb(AbstractTemplate):
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            """Signature of the kernel for arguments of these types."""
            self.kernel = kernel_of(args[0])
            return self.kernel and types.Dispatcher(self.kernel.part).get_call_type(self.context, args, kws)

        def get_impl_key(self, sig: Any) -> Any:
            """What numba calls."""
            return self.kernel.part.get_overload(sig.args)

    infer_global(stub, types.Function(Verb))  # type: ignore[no-untyped-call]


class _Cache:
    """The disk cache of one kernel, in the place of numba's: a file for each signature.

    The file of an entry point that was compiled with others has the name of another file, in which their module is.
    """

    def __init__(self, function: Callable[..., Any], owner_of: Callable[[Any], Path | None]) -> None:
        self._function = function
        self._source = Path(function.__code__.co_filename).resolve()
        self._owner_of = owner_of
        self.unlinked: _Waiting = {}  # entry points to be linked, one of which is of this kernel
        self.linked: dict[Any, Any] = {}  # by signature, what this process compiled together with other entry points
        self.root = root_of(self._source)
        self.cache_path = str(cache_folder(self.root))  # also takes the digest while the sources are those that are imported

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature, or None. Code that does not load is set aside."""
        if self.unlinked:
            _link(self.unlinked)
            self.unlinked = {}
        if sig in self.linked:
            return self.linked[sig]
        target_context.refresh()
        file = self.file_of(sig)
        code = read_code(file) if file else None
        if file is None or code is None:
            return None
        with contextlib.suppress(OSError):
            os.utime(file.parents[1])  # for `prune`
        try:
            library, *others = pickle.loads(code)
            if not isinstance(library, str):
                return CompileResult._rebuild(target_context, library, *others)  # type: ignore[no-untyped-call]
            module = _module_in(_file_of_module(file.parents[1], library), target_context)
            return module and _rebuilt(target_context, module, others)
        except Exception as error:
            set_aside(file, f"does not load ({type(error).__name__}: {error})")
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Save the code of a signature."""
        if file := self.file_to_save(sig, compiled.library):
            write_code(file, dumps(compiled._reduce()))  # type: ignore[no-untyped-call]

    def file_to_save(self, sig: Any, library: Any) -> Path | None:
        """Path of the file for a signature. None, with a warning, if code cannot be saved or holds addresses of this process."""
        if library.has_dynamic_globals:
            log.warning("%s: uses a large global array, so that each command compiles it again", self._function.__qualname__)
            return None
        file = self.file_of(sig)
        if file is None:
            warn_unsaved(None, "no folder for it can be written")
        return file

    def file_of(self, sig: Any) -> Path | None:
        """Path of the file for a signature; None if there is no folder for compiled code."""
        folder = cache_folder(self._kept_with(sig))
        if folder is None:
            return None
        code, cells = self._function.__code__, self._function.__closure__ or ()
        digest = hashlib.sha256(repr((sig, code.co_firstlineno)).encode())
        digest.update(code.co_code + dumps(tuple([cell.cell_contents for cell in cells])))  # type: ignore[no-untyped-call]
        package = "-".join(self._source.relative_to(self.root.parent).parent.parts) or self._source.stem
        name = re.sub("[<>]", "", f"{self._source.stem}.{self._function.__qualname__}")  # lambdas; Windows allows no <
        return folder / package / f"{name}-{digest.hexdigest()[:DIGITS]}.nbc"

    def _kept_with(self, sig: Any) -> Path:
        """Where the sources are with which code is kept: for a kernel of the engine, those of the game whose records it takes."""
        if self.root != ENGINE:
            return self.root
        return next(filter(None, map(self._owner_of, sig)), ENGINE)
