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
import hashlib
import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.serialize import dumps
from numba.core.typing.templates import AbstractTemplate, infer_global

from sim.engine.codecache import DIGITS, cache_folder, log, read_code, set_aside, warn_unsaved, write_code
from sim.engine.sources import ENGINE, root_of

PRIVATE = {  # attributes of classes, and those that their __init__ sets
    "numba.core.codegen:JITCodeLibrary": (
        "finalize",
        "get_pointer_to_function",
        "enable_object_caching",
        "has_dynamic_globals",
        "_finalized",
        "_finalize_dynamic_globals",
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


def dispatchers(function: Callable[..., Any], options: dict[str, Any], owner_of: Callable[[Any], Path | None]) -> tuple[Any, Any]:
    """Return numba's dispatchers of a kernel: as an entry point, and as other kernels call it.

    owner_of: where the sources of the game are that has records of a numba type, if it is known.
    """
    options = options | {"_nrt": False}  # nothing is allocated: no references to count
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
    """The disk cache of one kernel, in the place of numba's: a file for each signature."""

    def __init__(self, function: Callable[..., Any], owner_of: Callable[[Any], Path | None]) -> None:
        self._function = function
        self._source = Path(function.__code__.co_filename).resolve()
        self._owner_of = owner_of
        self.root = root_of(self._source)
        self.cache_path = str(cache_folder(self.root))  # also takes the digest while the sources are those that are imported

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature, or None. Code that does not load is set aside."""
        target_context.refresh()
        file = self.file_of(sig)
        code = read_code(file) if file else None
        if file is None or code is None:
            return None
        with contextlib.suppress(OSError):
            os.utime(file.parents[1])  # for `prune`
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(code))  # type: ignore[no-untyped-call]
        except Exception as error:
            set_aside(file, f"does not load ({type(error).__name__}: {error})")
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Save the code of a signature, unless it holds addresses of this process."""
        if compiled.library.has_dynamic_globals:
            log.warning("%s: uses a large global array, so that each command compiles it again", self._function.__qualname__)
        elif file := self.file_of(sig):
            write_code(file, dumps(compiled._reduce()))  # type: ignore[no-untyped-call]
        else:
            warn_unsaved(None, "no folder for it can be written")

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
