"""Card files: finding, reading and copying them, and the CardSet that a game compiles from one.

A card file is a TOML file named `cards.toml` in its own folder. `cardfiles.paths` addresses its fields;
`cardfiles.validation` checks it against the game's schema and traces the source of each number; `cardfiles.agreement` has what
the schema declares between fields.
"""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sim.durable import write_files
from sim.engine.cardfiles.agreement import Agreement, Known, Needs, Only, OnlyOn, Unique, check_rows
from sim.engine.cardfiles.columns import Columns, columns, write_columns
from sim.engine.cardfiles.paths import CardError, Problem, changed, depth, numeric_fields, shown, slug
from sim.engine.cardfiles.validation import (
    SOURCES,
    CardFile,
    CardModel,
    Identifier,
    OptionalText,
    Provenance,
    RuleSwitches,
    Source,
    Text,
    effect_model,
    one_of,
    traced,
    validate,
    within,
)
from sim.engine.evaluation import weights_dtype, write_weights

__all__ = [
    "SOURCES",
    "Agreement",
    "CardError",
    "CardFile",
    "CardFormat",
    "CardModel",
    "CardSet",
    "Identifier",
    "Known",
    "Needs",
    "Only",
    "OnlyOn",
    "OptionalText",
    "Problem",
    "Provenance",
    "RuleSwitches",
    "Source",
    "Text",
    "Unique",
    "changed",
    "copy_reference",
    "effect_model",
    "game_of",
    "numeric_fields",
    "one_of",
    "parsed",
    "read_document",
    "slug",
    "validate",
    "within",
]

FILE_NAME = "cards.toml"
SIZE_MAX = 1_000_000  # bytes; the reference sets have about 10,000
LINE_MAX = 4_000  # bytes of a line: the TOML reader gives up on very long numbers ...
DOTS_MAX = 100  # ... and takes quadratic time over long dotted keys
NESTED_MAX = 50  # nesting depth of tables and lists; dotted keys can exceed Python's recursion limit
DIGEST_LENGTH = 12
TITLE_NAME, TITLE_MAX = 30, 60  # characters of a folder's name in a title, and of the title


@dataclass(frozen=True, eq=False)
class CardSet:
    """A valid card file, compiled.

    record: shape (1,) of the game's CARDS dtype, read-only; the kernels read it.
    ids, names: the entrants in the order of the file. document: the file as read.
    switches: rule variants and their values, including defaults. reference: the file of the reference set, with which printed
    numbers are compared.
    digest: the first DIGEST_LENGTH hex digits of the SHA-256 of the content (layout and comments do not matter).
    """

    record: np.ndarray
    ids: tuple[str, ...]
    names: tuple[str, ...]
    document: Mapping[str, Any]
    path: Path
    title: str
    digest: str
    switches: Mapping[str, Any]
    reference: Mapping[str, Any] | None

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled or copied card set, whose record is read-only again."""
        self.__dict__.update(state)
        self.record.flags.writeable = False

    @cached_property
    def provenance(self) -> tuple[Provenance, ...]:
        """Every number of the file, with its source."""
        return traced(self.document, self.reference)

    def __repr__(self) -> str:
        """Return one line; the tables are too long to show."""
        return f"CardSet({self.title!r}, {len(self.ids)} entrants, digest {self.digest})"

    @classmethod
    def of(
        cls,
        record: np.ndarray,
        entrants: Mapping[str, str],
        switches: Mapping[str, Any],
        document: Mapping[str, Any],
        path: Path | str,
        reference: Mapping[str, Any] | None = None,
    ) -> "CardSet":
        """Create a card set from a compiled record (shape (1,), made read-only here) and its valid document.

        entrants: id -> display name, in the order of the file. switches: name -> value. reference: the reference set's
        document, with which printed numbers are compared.
        """
        record.flags.writeable = False
        return cls(
            record=record,
            ids=tuple(entrants),
            names=tuple(entrants.values()),
            document=document,
            path=Path(path),
            title=document.get("title", ""),
            digest=content_digest(document),
            switches=dict(switches),
            reference=reference,
        )


def nothing_derived(_table: np.void, _file: Any) -> None:
    """`derive` of a game whose record is determined by the schema."""


@dataclass(frozen=True)
class CardFormat:
    """How the card files of a game are read, checked and compiled.

    schema: pydantic model of the file; record: CARDS, with the columns of the schema (`cardfiles.columns`); reference: the
    reference card file; derive: writes what the schema does not determine, given the record with its columns and the file.
    """

    schema: type[CardFile]
    record: np.dtype[Any]
    reference: Path
    derive: Callable[[np.void, Any], None]

    @classmethod
    def of(
        cls,
        schema: type[CardFile],
        module: str,
        features: tuple[str, ...] = (),
        derived: Columns = (),
        derive: Callable[[np.void, Any], None] = nothing_derived,
    ) -> "CardFormat":
        """Return the format of a game with `cards.toml`, and `weights.toml` if it has features, beside its module.

        module: `__file__` of the module. The record has the weights of the features, the columns of the schema, and the derived
        columns, which `derive` fills. Raises ValueError for a row of an AGREEMENT that names no field of its table.
        """
        check_rows(schema)
        folder = Path(module).parent

        def complete(table: np.void, file: Any) -> None:
            write_weights(table, folder, features)
            derive(table, file)

        record = np.dtype([*weights_dtype(features), *columns(schema), *derived], align=True)
        return cls(schema, record, folder / FILE_NAME, complete)

    def load(self, path: Path | None = None) -> CardSet:
        """Read the card set of a folder or .toml file, or the reference set. Raises CardError for anything wrong with it."""
        document, file = read_document(path, self.reference)
        return self.from_document(document, file)

    def from_document(self, document: Mapping[str, Any], where: Path | str = "document") -> CardSet:
        """Make the card set of a parsed TOML document. where: its name in messages. Raises CardError as `load`."""
        file = validate(self.schema, document, where)
        reference = _parsed_once(self.reference)
        return CardSet.of(self.compiled(file), file.entrants(), file.switches(), document, where, reference)

    def compiled(self, file: CardFile) -> np.ndarray:
        """Compile a valid card file to a CARDS record, shape (1,)."""
        table = np.zeros(1, self.record)
        write_columns(table[0], file)
        self.derive(table[0], file)
        return table


@cache
def _parsed_once(reference: Path) -> Mapping[str, Any]:
    """Return the document of a reference set."""
    return read_document(None, reference)[0]


def content_digest(document: Mapping[str, Any]) -> str:
    """Return the first DIGEST_LENGTH hex digits of the SHA-256 of a document as canonical JSON."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGEST_LENGTH]


def read_document(path: Path | None, reference: Path) -> tuple[dict[str, Any], Path]:
    """Return the content of a card file and the path of the file.

    path: a folder that contains `cards.toml`, or a .toml file, or None for the reference set. Raises CardError if the file
    is missing, not readable, too large, not UTF-8 or not TOML.
    """
    file = reference if path is None else _card_file(Path(path))
    try:
        with file.open("rb") as stream:
            content = stream.read(SIZE_MAX + 1)
    except FileNotFoundError:
        raise CardError(f"{file}: does not exist") from None
    except OSError as error:
        raise CardError(f"{file}: cannot be read ({_reason(error)})") from None
    if len(content) > SIZE_MAX:
        raise CardError(f"{file}: is larger than {SIZE_MAX:,} bytes; a card file has about 10,000")
    return parsed(content, file), file


def game_of(path: Path) -> str:
    """Return the name of the game of a card folder or card file. Raises CardError if the file does not name it."""
    document, file = read_document(path, reference=Path(path))
    game = document.get("game")
    if not isinstance(game, str):
        value = f" = {shown(game)}" if "game" in document else ""
        wrong = "has the wrong type" if "game" in document else "is missing"
        raise CardError(f'{file}: game{value}: {wrong}; a card file starts with its game, as in game = "arena"')
    return game


def copy_reference(reference: Path, folder: Path, force: bool = False) -> Path:
    """Copy a reference set to `folder` for editing; returns the new file.

    force: overwrite a card file. Raises CardError if the folder already contains one (unless `force`) or cannot be written. The
    new file is complete or not there at all, and so is a new folder.
    """
    folder = Path(folder)
    target = folder / FILE_NAME
    if os.path.lexists(target) and not force:
        raise CardError(f"{target}: exists already; name another folder")
    try:
        write_files(folder, {FILE_NAME: _retitled(reference.read_text(encoding="utf-8"), folder.name).encode()})
    except FileExistsError:
        raise CardError(f"{folder}: is a file; name a folder") from None
    except (OSError, ValueError) as error:
        raise CardError(f"{folder}: cannot be written ({_reason(error)}); name a folder that can be written") from None
    return target


def _retitled(text: str, name: str) -> str:
    """Name a copy of a reference set after its folder."""
    if not name.isprintable():
        return text
    return re.sub(
        r'^title = "(.*)"$',
        lambda match: "title = " + json.dumps(f"{name[:TITLE_NAME]}, after the {match[1]}"[:TITLE_MAX], ensure_ascii=False),
        text,
        count=1,
        flags=re.MULTILINE,
    )


def _card_file(path: Path) -> Path:
    try:
        if path.is_dir():
            file = path / FILE_NAME
            if not file.is_file():
                raise CardError(f"{path}: holds no {FILE_NAME}; `fairfight new GAME DIR` creates a card folder")
            return file
        if path.is_file():
            if path.suffix != ".toml":
                make = f"; `fairfight new GAME DIR --from {path}` makes one of a spreadsheet" if path.suffix == ".xlsx" else ""
                raise CardError(f"{path}: is not a card file; give a folder with {FILE_NAME} or a .toml file{make}")
            return path
        exists = path.exists()
    except CardError:
        raise
    except (OSError, ValueError) as error:
        raise CardError(f"{path}: cannot be read ({_reason(error)})") from None
    wrong = "is neither a folder nor a file" if exists else "does not exist"
    raise CardError(f"{path}: {wrong}; give a folder with {FILE_NAME}; `fairfight new GAME DIR` creates one")


def parsed(content: bytes, file: Path) -> dict[str, Any]:
    """Return the content of a card file. file: its name in messages. Raises CardError."""
    for number, line in enumerate(content.split(b"\n"), 1):
        if len(line) > LINE_MAX:
            raise CardError(f"{file}: line {number} has {len(line):,} bytes; at most {LINE_MAX:,} are allowed")
        if line.count(b".") > DOTS_MAX:
            raise CardError(f"{file}: line {number} has more than {DOTS_MAX} dots; a card file needs them only in text")
    try:
        document = tomllib.loads(content.decode("utf-8-sig"))  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise CardError(f"{file}: line {number} is not UTF-8; save the file in that encoding") from None
    except tomllib.TOMLDecodeError as error:
        raise CardError(f"{file}: is not valid TOML: {error}") from None
    except (ValueError, RecursionError):
        raise CardError(f"{file}: is not valid TOML: a number is too long or the nesting too deep") from None
    if depth(document, NESTED_MAX) > NESTED_MAX:
        raise CardError(f"{file}: tables and lists are nested too deep; at most {NESTED_MAX} levels are allowed")
    return document


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
